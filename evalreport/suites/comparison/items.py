"""Within one task: how far its score may be off, by the items it is the mean of."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from evalreport.core.intervals import normal_quantile, rounded, wilson
from evalreport.core.lattice import exact_interval, lattice
from evalreport.core.paired import clustered_error
from evalreport.core.suite import Interval
from evalreport.suites.comparison.records import TaskScore

AS_REPORTED = "normal, error as reported"


@dataclass(frozen=True)
class ItemErrors:
    """Standard errors of a task's score over its items, plain and clustered, and its interval; None where unknown.

    `clustered` is None with fewer than two clusters; items without a cluster stand for themselves.
    """

    plain: float | None
    clustered: float | None
    interval: Interval | None
    note: str = ""


def item_errors(found: TaskScore, level: Fraction) -> ItemErrors:
    """What the items of a task say; of counts alone Wilson's interval is known, of a bare score what its file states.

    Wilson's interval is for items that are right or wrong and were run once: repeated runs are not independent.
    """
    if not found.items:
        if found.n_correct is None or found.n is None:
            return ItemErrors(None, None, _as_reported(found, level))
        return ItemErrors(None, None, wilson(found.n_correct, found.n, level))
    scores = [item.score for item in found.items]
    alone = [str(at) for at in range(len(scores))]
    values = [float(score) for score in scores]
    clustered, note = None, ""
    if any(item.cluster for item in found.items):
        names = [f"c{i.cluster}" if i.cluster else f"i{i.item_id}" for i in found.items]
        clustered = clustered_error(values, names)
        note = "" if clustered is not None else "one cluster: no clustered error"
    return ItemErrors(clustered_error(values, alone), clustered, _interval(scores, found.runs, level), note)


def _as_reported(found: TaskScore, level: Fraction) -> Interval | None:
    """The score with the standard error that its file states on either side, inside 0 to 1. None where that says 0."""
    if not found.reported_error:
        return None
    half = normal_quantile(level) * found.reported_error
    low, high = rounded(found.score - half), rounded(found.score + half)
    cut = " and ".join([*(["0"] if low < 0 else []), *(["1"] if high > 1 else [])])
    note = f"the interval is cut at {cut}" if cut else ""
    return Interval(max(low, Fraction(0)), min(high, Fraction(1)), level, AS_REPORTED, found.n or 0, note=note)


def _interval(scores: list[Fraction], runs: int, level: Fraction) -> Interval | None:
    if runs == 1 and all(score in (0, 1) for score in scores):
        return wilson(int(sum(scores, Fraction(0))), len(scores), level)
    found = lattice(scores)
    return None if found is None else exact_interval(found, level)
