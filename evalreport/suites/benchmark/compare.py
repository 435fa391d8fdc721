"""Two subject versions over the cases both were scored on: does one beat the other, or do the cases decide?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

import numpy as np

from evalreport.core.cells import Cells
from evalreport.core.exact import Undefined, Value
from evalreport.core.intervals import ZERO, no_interval, rounded
from evalreport.core.multiplicity import holm
from evalreport.core.paired import PairLimits, detectable, pair_errors, pair_limits
from evalreport.core.resample import FloatArray, IntArray, stream, weighted_sums
from evalreport.core.standing import Place, places, separable
from evalreport.core.suite import Interval
from evalreport.suites.benchmark.metrics import FULL_SCORE, q_final
from evalreport.suites.benchmark.metrics_pairs import (
    mean_clipped_score_difference,
    pair_detectable,
    pass_rate_difference,
    q_final_difference,
)
from evalreport.suites.benchmark.results import Difference, Pair, SubjectId

DIFFERENCES = {
    "q_final": q_final_difference,
    "pass_rate": pass_rate_difference,
    "mean_clipped_score": mean_clipped_score_difference,
}


@dataclass(frozen=True)
class Draws:
    """How resamples of the cases are made: confidence level, their number, the seed, and alpha of the composite."""

    level: Fraction
    resamples: int
    seed: int
    alpha: Fraction


def pairs(benchmark_version: str, by_case: Mapping[SubjectId, Cells], draws: Draws) -> tuple[Pair, ...]:
    """Every two subject versions, smaller id first, with Holm's correction over all of them for each metric.

    `by_case` holds for each subject version the cells of its cases (sums `passes` and `clipped`). Subject versions
    measured over the same cases share their draws, so that a pair is compared on equal resamples.
    """
    rows = {s: {c: i for i, c in enumerate(cells.labels("case_id"))} for s, cells in by_case.items()}
    grouped: dict[tuple[str, ...], list[tuple[SubjectId, SubjectId]]] = {}
    for a, b in combinations(sorted(by_case), 2):
        common = tuple(sorted(str(c) for c in rows[a].keys() & rows[b].keys()))
        grouped.setdefault(common, []).append((a, b))
    found = []
    for common, group in sorted(grouped.items()):
        tables = {
            s: _table(by_case[s], [rows[s][c] for c in common]) for s in sorted({s for pair in group for s in pair})
        }
        values = {s: _values(table, draws.alpha) for s, table in tables.items()}
        tested = _Tested(tables, common, group, draws) if len(common) > 1 else None
        for at, (a, b) in enumerate(group):
            differences = {
                key: _untested(key, values[a][key], values[b][key], len(common), draws)
                if tested is None
                else tested.difference(key, at, values[a][key], values[b][key])
                for key in DIFFERENCES
            }
            found.append(Pair(benchmark_version, a, b, common, differences))
    return _corrected(sorted(found, key=lambda p: (p.a, p.b)))


def standing(
    composites: Mapping[SubjectId, Fraction], found: Sequence[Pair], level: Fraction
) -> dict[SubjectId, Place]:
    """The ranks that each ranked subject version may have, and its tie group, by their composites and all pairs."""
    ordered = sorted(composites, key=lambda s: (-composites[s], s))
    return places(ordered, _proven(composites, found, level))


def _proven(
    composites: Mapping[SubjectId, Fraction], found: Sequence[Pair], level: Fraction
) -> Iterator[tuple[SubjectId, SubjectId]]:
    """Who is proven to be ahead of whom. Where the common cases and all cases of both disagree, nothing is proven."""
    for pair in found:
        difference = pair.differences["q_final"]
        if {pair.a, pair.b} <= composites.keys() and difference.proven(level):
            everywhere = composites[pair.a] - composites[pair.b]
            if not isinstance(difference.value, Undefined) and difference.value * everywhere > 0:
                yield (pair.a, pair.b) if everywhere > 0 else (pair.b, pair.a)


def separable_composites(ranked: frozenset[SubjectId], found: Sequence[Pair]) -> Fraction | None:
    """How far apart the composites of two ranked subject versions must be for these cases to tell them apart."""
    reach = (p.differences["q_final"].detectable for p in found if {p.a, p.b} <= ranked)
    return separable(Fraction(one) for one in reach if not isinstance(one, Undefined))


def _table(cells: Cells, rows: Sequence[int]) -> IntArray:
    """Runs, passes and clipped scores of these cases, one row a case."""
    at = np.array(rows, dtype=np.int64)
    return np.stack([cells.n[at], cells["passes"][at], cells["clipped"][at]], axis=1)


def _values(table: IntArray, alpha: Fraction) -> dict[str, Value]:
    runs, passes, clipped = (int(t) for t in table.sum(axis=0))
    if not runs:
        return dict.fromkeys(DIFFERENCES, Undefined("no common case"))
    passed, score = Fraction(passes, runs), Fraction(clipped, runs)
    return {"q_final": q_final(passed, score, alpha), "pass_rate": passed, "mean_clipped_score": score}


class _Tested:
    """The pairs over one set of common cases: their limits and tails from the same draws, and their errors."""

    def __init__(
        self,
        tables: Mapping[SubjectId, IntArray],
        common: Sequence[str],
        group: Sequence[tuple[SubjectId, SubjectId]],
        draws: Draws,
    ) -> None:
        self.n, self.draws = len(common), draws
        place = {subject: at for at, subject in enumerate(tables)}
        first = np.array([place[a] for a, _ in group], dtype=np.int64)
        second = np.array([place[b] for _, b in group], dtype=np.int64)
        sums = weighted_sums(list(tables.values()), draws.resamples, stream(draws.seed, "cases", common))
        drawn = _by_difference([(t[:, 1] / t[:, 0], t[:, 2] / t[:, 0]) for t in sums], draws.alpha)
        strays = _by_difference([_strays(table) for table in tables.values()], draws.alpha)
        ones = np.ones(self.n)
        self.limits: dict[str, PairLimits] = {}
        self.errors: dict[str, FloatArray] = {}
        for key in DIFFERENCES:
            self.limits[key] = pair_limits(drawn[key], first, second, draws.level)
            self.errors[key] = pair_errors(strays[key].T, first, second, weights=ones, clusters=common)

    def difference(self, key: str, at: int, ours: Value, theirs: Value) -> Difference:
        """One metric of the pair at this place."""
        limits, draws = self.limits[key], self.draws
        low, high = (rounded(Fraction(float(ends[at]))) for ends in (limits.low, limits.high))
        constant = bool(limits.spread[at] <= ZERO)
        interval = Interval(
            low,
            high,
            draws.level,
            "paired percentile bootstrap over cases",
            self.n,
            draws.resamples,
            draws.seed,
            "degenerate: every resample gives the same value" if constant else "",
        )
        few = int(min(limits.below[at], limits.above[at]))
        return Difference(
            key,
            ours,
            theirs,
            DIFFERENCES[key](ours, theirs),
            interval,
            min(Fraction(1), Fraction(2 * (few + 1), draws.resamples + 1)),
            None,
            pair_detectable(detectable(float(self.errors[key][at]), level=draws.level)),
        )


def _by_difference(parts: Sequence[tuple[FloatArray, FloatArray]], alpha: Fraction) -> dict[str, FloatArray]:
    """What is compared, one row a subject version, from its pass rates and mean scores."""
    passed, score = (np.array([part[k] for part in parts]) for k in (0, 1))
    weight = float(alpha)
    composite = weight * passed + (1 - weight) * (score / FULL_SCORE)
    return {"q_final": composite, "pass_rate": passed, "mean_clipped_score": score}


def _strays(table: IntArray) -> tuple[FloatArray, FloatArray]:
    """How much each case pulls the pass rate and the mean score from their values.

    A case with several runs pulls with all of them: to first order, what a mean over runs owes to each case.
    """
    runs, passes, clipped = (column.astype(np.float64) for column in table.T)
    share = len(table) / runs.sum()
    return (
        share * (passes - passes.sum() / runs.sum() * runs),
        share * (clipped - clipped.sum() / runs.sum() * runs),
    )


def _untested(key: str, ours: Value, theirs: Value, n: int, draws: Draws) -> Difference:
    none = no_interval(n, draws.level, draws.resamples, draws.seed)
    return Difference(key, ours, theirs, DIFFERENCES[key](ours, theirs), none, None, None, pair_detectable(None))


def _corrected(found: Sequence[Pair]) -> tuple[Pair, ...]:
    adjusted: dict[tuple[int, str], Fraction] = {}
    for key in DIFFERENCES:
        tested = [(i, p) for i, pair in enumerate(found) if (p := pair.differences[key].p) is not None]
        for (i, _), corrected in zip(tested, holm([p for _, p in tested]), strict=True):
            adjusted[i, key] = corrected
    return tuple(
        replace(
            pair,
            differences={k: replace(d, adjusted=adjusted.get((i, k))) for k, d in pair.differences.items()},
        )
        for i, pair in enumerate(found)
    )
