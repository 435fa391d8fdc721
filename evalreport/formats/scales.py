"""Which way a metric of another tool points and where its scale ends, by its name, its file, or its values.

Only a share (0 to 1, more is better) is ever averaged or ranked. A name that is known for a share and stands above 1
is a percentage among fractions and refuses the input; an unknown name is a share when all its values could be one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from evalreport.errors import Problems
from evalreport.formats.evalrun import EvalRun
from evalreport.formats.json_values import shown

Direction = Literal["higher", "lower"]


@dataclass(frozen=True)
class Scale:
    """Direction and ends of a metric's scale; None is an open end."""

    better: Direction = "higher"
    low: Fraction | None = Fraction(0)
    high: Fraction | None = Fraction(1)


SHARE = Scale()
_OPEN = Scale("higher", None, None)
_ERROR = Scale("lower", Fraction(0), None)
_CORRELATION = Scale("higher", Fraction(-1), Fraction(1))
_KNOWN: tuple[tuple[str, Scale], ...] = (
    (r"acc(_norm|_bytes|_mutual_info)?|accuracy|(quasi_)?(prefix_)?exact_match(@\d+)?|pass@\d+|pass_at_\d+", SHARE),
    (r"((word|byte)_)?perplexity|ppl|bits_per_byte|wer|cer|ter|mse|mae|rmse|mape|log_?loss", _ERROR),
    (r"brier(_score)?|(.+_)?ece|ece_.+|(expected_)?calibration_error", Scale("lower")),
    (
        r"mcc|matthews_corr.*|kendall.*|spearman.*|pearson.*|cohen_?s?_?kappa",
        _CORRELATION,
    ),
    (r"(sacre)?bleu|chrf(\+\+|_plus_plus)?", Scale("higher", Fraction(0), Fraction(100))),
    (r"log_?likelihood|log_?prob(_per_byte)?", Scale("higher", None, Fraction(0))),
)
_PATTERNS = tuple((re.compile(pattern), scale) for pattern, scale in _KNOWN)


def known_scale(metric: str) -> Scale | None:
    """The scale of a metric with a well-known name, without the filter or the scorer that produced it.

    >>> known_scale("acc"), known_scale("perplexity").better, known_scale("tidiness")
    (Scale(better='higher', low=Fraction(0, 1), high=Fraction(1, 1)), 'lower', None)
    """
    name = metric.lower()
    return next((scale for pattern, scale in _PATTERNS if pattern.fullmatch(name)), None)


def scale_of(metric: str, *, higher_is_better: object = None) -> Scale:
    """The scale of a metric. What its file says about the direction goes before what its name says."""
    known = known_scale(metric)
    if higher_is_better is False and (known is None or known.better == "higher"):
        return replace(known or _OPEN, better="lower")
    if higher_is_better is True and known is not None and known.better == "lower":
        return _OPEN
    return known or SHARE


def is_known_share(metric: str) -> bool:
    """Whether the name says that items are right or wrong, and the metric is the share of right ones."""
    return known_scale(metric) == SHARE


def settled(runs: Iterable[EvalRun], problems: Problems) -> tuple[EvalRun, ...]:
    """The runs with the scales that their values allow; a known share outside 0 to 1 is noted as a problem.

    An unknown metric with one value outside 0 to 1 is on an open scale in every run, so that it is one thing.
    """
    listed = list(runs)
    beyond = {run.metric_name for run in listed if run.share and not 0 <= run.score <= 1}
    found = []
    for run in listed:
        if run.metric_name not in beyond or not run.share:
            found.append(run)
        elif is_known_share(run.metric_name.split(",")[0]):
            if not 0 <= run.score <= 1:
                problems.add(
                    f"{run.file}: {run.key}", f"is {shown(run.score)}", "a number from 0 to 1", kind="score_range"
                )
            found.append(run)
        else:
            note = "the scale of this metric is not known, and it leaves 0 to 1: not averaged, not ranked"
            found.append(replace(run, low=None, high=None, notes=(*run.notes, note)))
    return tuple(found)
