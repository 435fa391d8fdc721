"""The reliability diagram as numbers: ten bins of confidence, and what chance alone does to their gaps."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from evalreport.core.cells import Cells
from evalreport.core.exact import Undefined, Value
from evalreport.core.intervals import rounded, wilson
from evalreport.core.resample import stream
from evalreport.core.suite import Interval
from evalreport.suites.benchmark.metrics import (
    BINS,
    NO_RUNS,
    bin_correctness,
    bin_of,
    mean_confidence,
)
from evalreport.suites.benchmark.metrics_runs import SUBJECT_VERSION
from evalreport.suites.benchmark.notation import bench
from evalreport.suites.benchmark.results import Bin, NullBand

WIDTH = 100 // BINS
BAND = (0.05, 0.95)


def bins(cells: Cells, level: Fraction) -> tuple[Bin, ...]:
    """All ten bins, also the empty ones, which have n = 0 and no means."""
    number = np.minimum(cells["confidence"] // WIDTH, BINS - 1)
    return tuple(_bin(_rows(cells, number == i), i, level) for i in range(BINS))


def _bin(cells: Cells, index: int, level: Fraction) -> Bin:
    n, correct = cells.total, bin_correctness(cells)
    if isinstance(correct, Undefined):
        correct = Undefined("no run in this bin")
        interval = wilson(0, 0, level)
        return Bin(index + 1, index * WIDTH, (index + 1) * WIDTH, 0, correct, correct, interval)
    interval = soft_wilson(Fraction(correct) * n, n, level)
    return Bin(index + 1, index * WIDTH, (index + 1) * WIDTH, n, mean_confidence(cells), correct, interval)


def soft_wilson(points: Fraction, n: int, level: Fraction) -> Interval:
    """Wilson's interval for a mean of gradings in halves: from the limits for the points rounded down and up.

    Whole points give the plain interval. A grading of one half varies less than right and wrong do, so the interval
    is wide rather than narrow.

    >>> soft_wilson(Fraction(3), 4, Fraction(19, 20)) == wilson(3, 4, Fraction(19, 20))
    True
    """
    below = wilson(points.__floor__(), n, level)
    above = wilson(points.__ceil__(), n, level)
    if below == above:
        return below
    return Interval(below.low, above.high, level, "Wilson, points rounded outwards", n)


def null_band(cells: Cells, *, draws: int, seed: int) -> NullBand | None:
    """What ECE chance gives a perfectly calibrated subject that states these confidences; None without runs.

    Each run is right with the probability that it stated. The stream depends on the seed and on how many runs
    stated which confidence, so nothing else changes the band.
    """
    by = cells.by("confidence")
    if not len(by):
        return None
    confidences, counts = by["confidence"].tolist(), by.n
    rng = stream(seed, "ece-null", [f"{c}:{n}" for c, n in zip(confidences, counts.tolist(), strict=True)])
    # One confidence at a time: numpy prepares a binomial once for many draws of it.
    right = np.stack(
        [rng.binomial(n, c / 100, size=draws) for c, n in zip(confidences, counts.tolist(), strict=True)], axis=1
    )
    gaps = by["confidence"] * counts - 100 * right
    place = np.array([bin_of(c) for c in confidences])
    starts = np.flatnonzero(np.diff(place, prepend=-1))
    ece = np.abs(np.add.reduceat(gaps, starts, axis=1)).sum(axis=1) / (100 * int(counts.sum()))
    low, high = np.quantile(ece, BAND, method="linear").tolist()
    return NullBand(rounded(Fraction(low)), rounded(Fraction(float(ece.mean()))), rounded(Fraction(high)), draws, seed)


@bench.metric(
    key="ece_null",
    name="ECE of a perfectly calibrated subject",
    column="ECE by chance",
    sub="mean",
    better=None,
    range=(0, 1),
    clause="benchmark#null-band",
    of=SUBJECT_VERSION,
    checked_by="reference",
    reference="mean 0.175 for 30 runs and confidences uniform over 0 to 100",
)
def ece_null(band: NullBand | None) -> Value:
    """What ECE a perfectly calibrated subject with the same confidences gets on average. It is not 0."""
    return NO_RUNS if band is None else band.mean


def _rows(cells: Cells, which: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Cells:
    return Cells(cells.keys, {k: c[which] for k, c in cells.columns.items()}, cells.n[which], cells.texts)
