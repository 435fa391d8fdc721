"""The metrics of a subject version: each declared once with the formula that is printed and checked, over tallies.

Functions take the cells of one subject version (or of one family, one bin) and return an exact value. A value is
`Undefined` when no run was scored. What a run counts as, and counts of runs, stand in `metrics_runs.py`; pairs and
places in the order in `metrics_pairs.py`.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from evalreport.core.cells import Cells
from evalreport.core.exact import Undefined, Value
from evalreport.suites.benchmark.metrics_runs import SUBJECT_VERSION, n_pass
from evalreport.suites.benchmark.notation import bench

FULL_SCORE = 12
BINS = 10
NO_RUNS = Undefined("no scored runs")
BIN = (*SUBJECT_VERSION, "bin")
FAMILY = (*SUBJECT_VERSION, "family")


def bin_of(confidence: int) -> int:
    """The confidence bin of a percent, 0 to 9; 100 belongs to the last one.

    >>> [bin_of(c) for c in (0, 29, 30, 70, 99, 100)]
    [0, 2, 3, 7, 9, 9]
    """
    return min(confidence // (100 // BINS), BINS - 1)


# ---- the headline


@bench.metric(
    key="pass_rate",
    name="Pass rate",
    symbol="P",
    column="P",
    sub="pass rate",
    better="higher",
    range=(0, 1),
    clause="benchmark#pass-rate",
    of=SUBJECT_VERSION,
    formula=r"\frac{\#\{ r \in R : \mathrm{class}_r = \text{Pass} \}}{N}",
)
def pass_rate(cells: Cells) -> Value:
    """Share of scored runs classified Pass. Conditional does not count; runs with a critical fail stay in."""
    return _share(n_pass(cells), cells.total)


@bench.metric(
    key="mean_clipped_score",
    name="Mean clipped score",
    symbol=r"\bar{s}",
    column="s̄",
    sub="0 to 12",
    better="higher",
    range=(0, 12),
    clause="benchmark#mean-clipped-score",
    of=SUBJECT_VERSION,
    formula=r"\frac{1}{N} \sum_{r \in R} s_r",
)
def mean_clipped_score(cells: Cells) -> Value:
    """Rubric points of a run on average, after clipping at the ceiling. No penalty for fails is in it."""
    return _share(_total(cells, cells["clipped"]), cells.total)


@bench.metric(
    key="soft_brier",
    name="Brier score (soft)",
    symbol=r"\mathrm{BS}",
    column="Brier",
    sub="0 to 1",
    better="lower",
    range=(0, 1),
    clause="benchmark#soft-brier",
    cite="brier1950",
    of=SUBJECT_VERSION,
    formula=r"\frac{1}{N} \sum_{r \in R} (c_r - y_r)^2",
)
def soft_brier(cells: Cells) -> Value:
    """Mean squared gap between stated confidence and graded correctness; half-right runs count as one half."""
    return _share(_total(cells, _gap(cells) ** 2), 100**2 * cells.total)


bench.define(
    "B_m",
    r"\{ r \in R : \frac{m-1}{M} \le c_r < \frac{m}{M} \text{ or } c_r = \frac{m}{M} = 1 \}",
    "runs in confidence bin m; the last bin holds confidence 1 too",
)


@bench.metric(
    key="bin.n",
    name="Runs in a confidence bin",
    symbol=r"n_{\mathrm{bin},m}",
    column="n",
    sub="runs of the bin",
    range=(0, None),
    decimals=0,
    clause="benchmark#ece",
    of=BIN,
    formula="|B_m|",
)
def bin_n(cells: Cells) -> int:
    """How many runs stated a confidence of this bin."""
    return cells.total


@bench.metric(
    key="bin.confidence",
    name="Mean confidence",
    symbol=r"\mathrm{conf}(X)",
    column="Confidence",
    sub="mean of the bin",
    range=(0, 1),
    clause="benchmark#ece",
    of=BIN,
    formula=r"\operatorname*{mean}_{r \in X} c_r",
)
def mean_confidence(cells: Cells) -> Value:
    """Stated confidence on average over these runs: the mean, not the middle of the bin."""
    return _share(_total(cells, cells["confidence"]), 100 * cells.total)


@bench.metric(
    key="bin.correctness",
    name="Mean correctness",
    symbol=r"\mathrm{acc}(X)",
    column="Correctness",
    sub="mean of the bin",
    range=(0, 1),
    clause="benchmark#ece",
    of=BIN,
    formula=r"\operatorname*{mean}_{r \in X} y_r",
)
def bin_correctness(cells: Cells) -> Value:
    """Graded correctness on average over these runs; half-right runs count as one half."""
    return _share(_total(cells, cells["halves"]), 2 * cells.total)


@bench.metric(
    key="ece",
    name="Expected calibration error",
    symbol=r"\mathrm{ECE}",
    column="ECE",
    sub="0 to 1",
    better="lower",
    range=(0, 1),
    clause="benchmark#ece",
    cite="naeini2015",
    of=SUBJECT_VERSION,
    needs="N > 0",
    formula=r"\sum_{\substack{m \in \{1, \dots, M\} \\ |B_m| > 0}} \frac{|B_m|}{N} \cdot "
    r"\left| \mathrm{conf}(B_m) - \mathrm{acc}(B_m) \right|",
)
def ece(cells: Cells) -> Value:
    """How far confidence and correctness are apart in ten bins of confidence, weighted by runs. It has no sign.

    A perfectly calibrated subject does not get 0: see the null band.
    """
    return _share(sum(abs(int(g)) for g in _bin_totals(cells, _gap(cells))), 100 * cells.total)


@bench.metric(
    key="max_bin_gap",
    name="Largest gap of a bin",
    symbol=r"g_{\max}",
    column="Max gap",
    sub="0 to 1",
    better="lower",
    range=(0, 1),
    clause="benchmark#max-bin-gap",
    cite="naeini2015",
    of=SUBJECT_VERSION,
    formula=r"\max_{\substack{m \in \{1, \dots, M\} \\ |B_m| > 0}} "
    r"\left| \mathrm{conf}(B_m) - \mathrm{acc}(B_m) \right|",
)
def max_bin_gap(cells: Cells) -> Value:
    """Gap between mean confidence and mean correctness in the worst bin, however few runs that bin has."""
    gaps, sizes = _bin_totals(cells, _gap(cells)), _bin_totals(cells, np.ones(len(cells), dtype=np.int64))
    return max((Fraction(abs(int(g)), 100 * int(n)) for g, n in zip(gaps, sizes, strict=True) if n), default=NO_RUNS)


@bench.metric(
    key="signed_gap",
    name="Signed gap",
    symbol=r"\mathrm{gap}",
    column="Gap",
    sub="confidence − correctness",
    range=(-1, 1),
    clause="benchmark#signed-gap",
    of=SUBJECT_VERSION,
    formula=r"\frac{1}{N} \sum_{r \in R} (c_r - y_r)",
)
def signed_gap(cells: Cells) -> Value:
    """Mean confidence minus mean correctness: above 0 overconfident, below 0 underconfident."""
    return _share(_total(cells, _gap(cells)), 100 * cells.total)


@bench.metric(
    key="q_final",
    name="Composite",
    symbol=r"Q_{\mathrm{final}}",
    column="Q_final",
    sub="0 to 1",
    better="higher",
    range=(0, 1),
    clause="benchmark#q-final",
    of=SUBJECT_VERSION,
    formula=r"\alpha \cdot P + (1 - \alpha) \cdot \frac{\bar{s}}{12}",
)
def q_final(passed: Value, score: Value, alpha: Fraction) -> Value:
    """Pass rate and mean score in one number; alpha is the weight of the pass rate. Calibration is not in it.

    >>> q_final(Fraction(3, 5), Fraction(48, 5), Fraction(1, 2))
    Fraction(7, 10)
    """
    if isinstance(passed, Undefined) or isinstance(score, Undefined):
        return NO_RUNS
    return Fraction(alpha * passed + (1 - alpha) * Fraction(score, FULL_SCORE))


# ---- families

bench.define("R_f", r"\{ r \in R : \mathrm{family}_r = f \}", "runs of family f")


@bench.metric(
    key="family.n_runs",
    name="Scored runs of a family",
    symbol="n_f",
    column="n",
    sub="runs of the family",
    range=(0, None),
    decimals=0,
    clause="benchmark#families",
    of=FAMILY,
    formula="|R_f|",
)
def n_family(cells: Cells) -> int:
    """How many runs of this family were scored."""
    return cells.total


@bench.metric(
    key="family.pass_rate",
    name="Pass rate of a family",
    symbol="P_f",
    column="P",
    sub="pass rate of the family",
    better="higher",
    range=(0, 1),
    clause="benchmark#families",
    of=FAMILY,
    formula=r"\frac{\#\{ r \in R_f : \mathrm{class}_r = \text{Pass} \}}{n_f}",
)
def pass_rate_family(cells: Cells) -> Value:
    """Share of the scored runs of this family classified Pass."""
    return pass_rate(cells)


@bench.metric(
    key="family.mean_clipped_score",
    name="Mean clipped score of a family",
    symbol=r"\bar{s}_f",
    column="s̄",
    sub="of the family, 0 to 12",
    better="higher",
    range=(0, 12),
    clause="benchmark#families",
    of=FAMILY,
    formula=r"\operatorname*{mean}_{r \in R_f} s_r",
)
def mean_clipped_score_family(cells: Cells) -> Value:
    """Rubric points of a run of this family on average, after clipping."""
    return mean_clipped_score(cells)


# ---- what the Brier score is made of

bench.define("G", r"\{ c_r : r \in R \}", "distinct stated confidences")
bench.define("S_g", r"\{ r \in R : c_r = g \}", "runs that stated confidence g")


@bench.metric(
    key="mean_correctness",
    name="Mean correctness",
    symbol=r"\bar{y}",
    column="Correctness",
    sub="0 to 1",
    better="higher",
    range=(0, 1),
    clause="benchmark#brier-decomposition",
    of=SUBJECT_VERSION,
    formula=r"\operatorname*{mean}_{r \in R} y_r",
)
def mean_correctness(cells: Cells) -> Value:
    """Graded correctness on average over all scored runs; half-right runs count as one half."""
    return bin_correctness(cells)


@bench.metric(
    key="brier_reliability",
    name="Reliability part of the Brier score",
    symbol=r"\mathrm{REL}",
    column="REL",
    sub="0 to 1",
    better="lower",
    range=(0, 1),
    clause="benchmark#brier-decomposition",
    cite="murphy1973",
    of=SUBJECT_VERSION,
    needs="N > 0",
    formula=r"\frac{1}{N} \sum_{g \in G} |S_g| \cdot (g - \mathrm{acc}(S_g))^2",
)
def brier_reliability(cells: Cells) -> Value:
    """How far each stated confidence is from the correctness of the runs that stated it. 0 is calibrated."""
    total = cells.total
    return sum((n * (g - y) ** 2 for g, n, y in _by_confidence(cells)), Fraction(0)) / total if total else NO_RUNS


@bench.metric(
    key="brier_resolution",
    name="Resolution part of the Brier score",
    symbol=r"\mathrm{RES}",
    column="RES",
    sub="0 to 1/4",
    better="higher",
    range=(0, Fraction(1, 4)),
    clause="benchmark#brier-decomposition",
    cite="murphy1973",
    of=SUBJECT_VERSION,
    needs="N > 0",
    formula=r"\frac{1}{N} \sum_{g \in G} |S_g| \cdot (\mathrm{acc}(S_g) - \bar{y})^2",
)
def brier_resolution(cells: Cells) -> Value:
    """How much the stated confidences tell right runs from wrong ones. Calibration does not enter it."""
    mean = mean_correctness(cells)
    if isinstance(mean, Undefined):
        return NO_RUNS
    return sum((n * (y - mean) ** 2 for _, n, y in _by_confidence(cells)), Fraction(0)) / cells.total


@bench.metric(
    key="brier_uncertainty",
    name="Uncertainty part of the Brier score",
    symbol=r"\mathrm{UNC}",
    column="UNC",
    sub="0 to 1/4",
    range=(0, Fraction(1, 4)),
    clause="benchmark#brier-decomposition",
    cite="murphy1973",
    of=SUBJECT_VERSION,
    formula=r"\frac{1}{N} \sum_{r \in R} (y_r - \bar{y})^2",
)
def brier_uncertainty(cells: Cells) -> Value:
    """Variance of correctness: what the cases leave open whatever is stated. Not mean times one minus mean."""
    mean, total = mean_correctness(cells), cells.total
    if isinstance(mean, Undefined):
        return NO_RUNS
    return Fraction(_total(cells, cells["halves"] ** 2), 4 * total) - mean**2


# ---- counting in cells


def _total(cells: Cells, values: np.ndarray[tuple[int], np.dtype[np.int64]]) -> int:
    return int((values * cells.n).sum())


def _share(top: int, bottom: int) -> Value:
    return Fraction(top, bottom) if bottom else NO_RUNS


def _gap(cells: Cells) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Confidence minus correctness, in hundredths."""
    return cells["confidence"] - 50 * cells["halves"]


def _bin_totals(cells: Cells, values: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[int]:
    totals = np.zeros(BINS, dtype=np.int64)
    np.add.at(totals, np.minimum(cells["confidence"] // (100 // BINS), BINS - 1), values * cells.n)
    return [int(t) for t in totals]


def _by_confidence(cells: Cells) -> list[tuple[Fraction, int, Fraction]]:
    """For each distinct confidence: it, the runs that stated it, and their mean correctness."""
    found = cells.by("confidence", "halves")
    sizes = np.bincount(found["confidence"], weights=found.n, minlength=101)
    halves = np.bincount(found["confidence"], weights=found.n * found["halves"], minlength=101)
    return [
        (Fraction(g, 100), int(sizes[g]), Fraction(int(halves[g]), 2 * int(sizes[g]))) for g in range(101) if sizes[g]
    ]
