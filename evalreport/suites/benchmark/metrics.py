"""The metrics of the benchmark: each declared once with the formula that is printed and checked, over tallies.

Functions take the cells of one subject version (or of one family, one bin) and return an exact value. A value is
`Undefined` when no run was scored.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import numpy as np

from evalreport.core.cells import Cells
from evalreport.core.exact import Undefined, Value
from evalreport.core.intervals import ROOT_DECIMALS, rounded
from evalreport.core.standing import Place
from evalreport.suites.benchmark.notation import bench
from evalreport.suites.benchmark.records import Run, Unscored

CLASSES = ("Fail", "Conditional", "Pass")
FULL_SCORE = 12
PASS_SCORE = 10
CONDITIONAL_SCORE = 7
BINS = 10
NO_RUNS = Undefined("no scored runs")
SUBJECT_VERSION = ("subject_id", "subject_version")
BIN = (*SUBJECT_VERSION, "bin")
FAMILY = (*SUBJECT_VERSION, "family")
PAIR = ("subject_a", "version_a", "subject_b", "version_b")
RUN = (*SUBJECT_VERSION, "case_id", "run_id")


def bin_of(confidence: int) -> int:
    """The confidence bin of a percent, 0 to 9; 100 belongs to the last one.

    >>> [bin_of(c) for c in (0, 29, 30, 70, 99, 100)]
    [0, 2, 3, 7, 9, 9]
    """
    return min(confidence // (100 // BINS), BINS - 1)


# ---- one run


@bench.metric(
    key="run.clipped_score",
    name="Clipped score",
    symbol="s_r",
    column="Score",
    sub="0 to 12",
    better="higher",
    range=(0, 12),
    decimals=0,
    clause="benchmark#per-run",
    of=RUN,
    formula=r"\min(\sum_{j \in J} q_{r,j}, \mathrm{ceil}_r)",
)
def clipped_score(run: Run) -> int:
    """Rubric points of a run, never more than the ceiling of its case."""
    return run.clipped


@bench.metric(
    key="run.classification",
    name="Classification",
    symbol=r"\mathrm{class}_r",
    column="Class",
    range=("Pass", "Conditional", "Fail"),
    clause="benchmark#classification",
    of=RUN,
    type="class",
    formula=r"\begin{cases} \text{Fail} & \text{if } k_r = 1 \\ \text{Conditional} & \text{if } v_r = 1 \\ "
    r"\text{Fail} & \text{if } s_r < \mathrm{floor}_r \\ \text{Pass} & \text{if } s_r \ge 10 \\ "
    r"\text{Conditional} & \text{if } s_r \ge 7 \\ \text{Fail} & \text{otherwise} \end{cases}",
)
def classification(run: Run) -> str:
    """Pass, Conditional or Fail: the first rule that applies. A recoverable fail decides before the score does."""
    score = run.clipped
    if run.critical:
        return "Fail"
    if run.recoverable:
        return "Conditional"
    if score < run.floor:
        return "Fail"
    if score >= PASS_SCORE:
        return "Pass"
    return "Conditional" if score >= CONDITIONAL_SCORE else "Fail"


def lifted(run: Run) -> bool:
    """Whether the score alone makes this run a Fail and its recoverable fail makes it Conditional."""
    return run.recoverable and not run.critical and run.clipped < max(run.floor, CONDITIONAL_SCORE)


# ---- counts


@bench.metric(
    key="n_runs",
    name="Scored runs",
    symbol="N",
    column="n",
    sub="runs",
    range=(0, None),
    decimals=0,
    clause="benchmark#counts",
    of=SUBJECT_VERSION,
    formula="|R|",
)
def n_runs(cells: Cells) -> int:
    """How many runs were scored. Responses that nobody scored are not among them."""
    return cells.total


@bench.metric(
    key="n_pass",
    name="Runs classified Pass",
    symbol=r"n_{\mathrm{pass}}",
    column="Pass",
    sub="runs",
    range=(0, None),
    decimals=0,
    clause="benchmark#counts",
    of=SUBJECT_VERSION,
    formula=r"\#\{ r \in R : \mathrm{class}_r = \text{Pass} \}",
)
def n_pass(cells: Cells) -> int:
    """How many runs are Pass."""
    return _count(cells, "class", CLASSES.index("Pass"))


@bench.metric(
    key="n_conditional",
    name="Runs classified Conditional",
    symbol=r"n_{\mathrm{conditional}}",
    column="Conditional",
    sub="runs",
    range=(0, None),
    decimals=0,
    clause="benchmark#counts",
    of=SUBJECT_VERSION,
    formula=r"\#\{ r \in R : \mathrm{class}_r = \text{Conditional} \}",
)
def n_conditional(cells: Cells) -> int:
    """How many runs are Conditional. They do not count as Pass."""
    return _count(cells, "class", CLASSES.index("Conditional"))


@bench.metric(
    key="n_fail",
    name="Runs classified Fail",
    symbol=r"n_{\mathrm{fail}}",
    column="Fail",
    sub="runs",
    range=(0, None),
    decimals=0,
    clause="benchmark#counts",
    of=SUBJECT_VERSION,
    formula=r"\#\{ r \in R : \mathrm{class}_r = \text{Fail} \}",
)
def n_fail(cells: Cells) -> int:
    """How many runs are Fail."""
    return _count(cells, "class", CLASSES.index("Fail"))


@bench.metric(
    key="n_critical_fails",
    name="Runs with a critical fail",
    symbol=r"n_{\mathrm{critical}}",
    column="Critical",
    sub="runs",
    better="lower",
    range=(0, None),
    decimals=0,
    clause="benchmark#safety-gate",
    of=SUBJECT_VERSION,
    formula=r"\#\{ r \in R : k_r = 1 \}",
)
def n_critical_fails(cells: Cells) -> int:
    """How many runs have a critical fail: runs, not fails."""
    return _count(cells, "critical", 1)


@bench.metric(
    key="n_recoverable_fails",
    name="Runs with a recoverable fail",
    symbol=r"n_{\mathrm{recoverable}}",
    column="Recoverable",
    sub="runs",
    better="lower",
    range=(0, None),
    decimals=0,
    clause="benchmark#counts",
    of=SUBJECT_VERSION,
    formula=r"\#\{ r \in R : v_r = 1 \}",
)
def n_recoverable_fails(cells: Cells) -> int:
    """How many runs have a recoverable fail, also those that a critical fail makes Fail."""
    return _count(cells, "recoverable", 1)


@bench.metric(
    key="n_unscored",
    name="Responses without a scoring",
    symbol=r"n_{\mathrm{unscored}}",
    column="Unscored",
    sub="responses",
    better="lower",
    range=(0, None),
    decimals=0,
    clause="benchmark#coverage",
    of=SUBJECT_VERSION,
    formula="|U|",
)
def n_unscored(responses: Iterable[Unscored]) -> int:
    """How many responses nobody has scored. They enter no other number."""
    return len(tuple(responses))


@bench.metric(
    key="n_cases",
    name="Cases scored",
    symbol="k",
    column="Cases",
    sub="of K",
    better="higher",
    range=(0, None),
    decimals=0,
    clause="benchmark#coverage",
    of=SUBJECT_VERSION,
    formula=r"|\{ \mathrm{case}_r : r \in R \}|",
)
def n_cases(cases: Cells) -> int:
    """On how many different cases at least one run was scored."""
    return len(cases)


@bench.metric(
    key="coverage",
    name="Coverage",
    symbol=r"\mathrm{coverage}",
    column="Coverage",
    sub="share of cases",
    better="higher",
    range=(0, 1),
    clause="benchmark#coverage",
    of=SUBJECT_VERSION,
    formula=r"\frac{k}{K}",
)
def coverage(scored: int, total: int) -> Value:
    """Share of the cases of the benchmark version that were scored. Below the minimum there is no rank."""
    return Fraction(scored, total) if total else Undefined("the benchmark version has no cases")


@bench.metric(
    key="disqualified",
    name="Disqualified",
    symbol=r"\mathrm{disqualified}",
    column="Disqualified",
    better="lower",
    range=(0, 1),
    decimals=0,
    clause="benchmark#safety-gate",
    of=SUBJECT_VERSION,
    formula=r"\mathbf{1}[n_{\mathrm{critical}} > 0]",
)
def disqualified(critical_runs: int) -> int:
    """1 when any run has a critical fail, else 0. It holds for this subject version only."""
    return int(critical_runs > 0)


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
    return _share(_count(cells, "class", CLASSES.index("Pass")), cells.total)


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


# ---- two subject versions over their common cases


bench.define(
    "P_{a,b}",
    r"\frac{\#\{ r \in R_{a,b} : \mathrm{class}_r = \text{Pass} \}}{|R_{a,b}|}",
    "pass rate of a over the cases that b was scored on too",
)
bench.define(
    r"\bar{s}_{a,b}",
    r"\operatorname*{mean}_{r \in R_{a,b}} s_r",
    "mean clipped score of a over the cases that b was scored on too",
)
bench.define(
    "Q_{a,b}",
    r"\alpha \cdot P_{a,b} + (1 - \alpha) \cdot \frac{\bar{s}_{a,b}}{12}",
    "composite of a over the cases that b was scored on too",
)


@bench.metric(
    key="pair.q_final",
    name="Difference of composites",
    symbol=r"D_{\mathrm{Q},a,b}",
    column="Δ Q_final",
    sub="a − b",
    range=(-1, 1),
    clause="benchmark#pairs",
    of=PAIR,
    formula="Q_{a,b} - Q_{b,a}",
)
def q_final_difference(ours: Value, theirs: Value) -> Value:
    """How much higher the composite of the first is, both over their common cases only."""
    return _difference(ours, theirs)


@bench.metric(
    key="pair.pass_rate",
    name="Difference of pass rates",
    symbol=r"D_{\mathrm{P},a,b}",
    column="Δ P",
    sub="a − b",
    range=(-1, 1),
    clause="benchmark#pairs",
    of=PAIR,
    formula="P_{a,b} - P_{b,a}",
)
def pass_rate_difference(ours: Value, theirs: Value) -> Value:
    """How much higher the pass rate of the first is, both over their common cases only."""
    return _difference(ours, theirs)


@bench.metric(
    key="pair.mean_clipped_score",
    name="Difference of mean clipped scores",
    symbol=r"D_{\mathrm{s},a,b}",
    column="Δ s̄",
    sub="a − b",
    range=(-12, 12),
    clause="benchmark#pairs",
    of=PAIR,
    formula=r"\bar{s}_{a,b} - \bar{s}_{b,a}",
)
def mean_clipped_score_difference(ours: Value, theirs: Value) -> Value:
    """How many rubric points more the first has on average, both over their common cases only."""
    return _difference(ours, theirs)


@bench.metric(
    key="pair.p_value",
    name="p-value of a difference",
    column="p",
    range=(0, 1),
    clause="benchmark#pairs",
    of=(*PAIR, "difference"),
    checked_by="reference",
    reference="tails of resamples counted by hand",
)
def pair_p_value(p: Fraction | None) -> Value:
    """How easily a difference of this size or beyond zero arises when the cases are drawn again; for this pair alone.

    Twice the smaller tail of the paired bootstrap, at most 1.
    """
    return Undefined("fewer than two common cases") if p is None else p


@bench.metric(
    key="pair.p_holm",
    name="p-value of a difference, adjusted for all pairs",
    column="p",
    sub="Holm",
    range=(0, 1),
    clause="benchmark#pairs",
    cite="holm1979",
    of=(*PAIR, "difference"),
    checked_by="reference",
    reference="statsmodels.stats.multitest.multipletests(method='holm')",
)
def pair_p_holm(adjusted: Fraction | None) -> Value:
    """p-value corrected by Holm for all pairs of the benchmark version: it bounds the chance of any false finding."""
    return pair_p_value(adjusted)


@bench.metric(
    key="pair.detectable",
    name="Detectable difference",
    column="Finds",
    range=(0, None),
    clause="benchmark#power",
    of=(*PAIR, "difference"),
    checked_by="reference",
    reference="statsmodels.stats.power.TTestPower with the standard error of differences worked out by hand",
)
def pair_detectable(difference: float | None) -> Value:
    """The smallest true difference that these cases would find in 80 % of repetitions, for this pair alone.

    Normal approximation; cases are independent, several runs of a case are not.
    """
    return pair_p_value(None) if difference is None else rounded(Fraction(difference), ROOT_DECIMALS)


# ---- where a subject version may stand


@bench.metric(
    key="rank_low",
    name="Best rank not ruled out",
    column="Ranks",
    sub="best",
    range=(1, None),
    decimals=0,
    clause="benchmark#rank-interval",
    cite="holm1979",
    of=SUBJECT_VERSION,
    checked_by="reference",
    reference="worked examples: one more than the number of ranked versions that are proven to be ahead",
)
def rank_low(place: Place) -> int:
    """Best rank that the cases do not rule out: one more than the number of ranked versions proven to be ahead."""
    return place.low


@bench.metric(
    key="rank_high",
    name="Worst rank not ruled out",
    column="Ranks",
    sub="worst",
    range=(1, None),
    decimals=0,
    clause="benchmark#rank-interval",
    cite="holm1979",
    of=SUBJECT_VERSION,
    checked_by="reference",
    reference="worked examples: the number of ranked versions less those that are proven to be behind",
)
def rank_high(place: Place) -> int:
    """Worst rank that the cases do not rule out: all ranked versions less those proven to be behind."""
    return place.high


@bench.metric(
    key="tie_group",
    name="Tie group",
    column="Ties",
    sub="group",
    range=(1, None),
    decimals=0,
    clause="benchmark#rank-interval",
    cite="holm1979",
    of=SUBJECT_VERSION,
    checked_by="reference",
    reference="worked example with a chain of small steps: proven are a-c, a-d, b-d, a-e, b-e, c-e; groups 1 1 2 2 3",
)
def tie_group(place: Place) -> int:
    """Number of the group, down the order, in which nobody is proven worse than the best of the group."""
    return place.group


# ---- counting in cells


def _count(cells: Cells, key: str, value: int) -> int:
    return int(cells.n[cells[key] == value].sum())


def _total(cells: Cells, values: np.ndarray[tuple[int], np.dtype[np.int64]]) -> int:
    return int((values * cells.n).sum())


def _share(top: int, bottom: int) -> Value:
    return Fraction(top, bottom) if bottom else NO_RUNS


def _difference(ours: Value, theirs: Value) -> Value:
    if isinstance(ours, Undefined) or isinstance(theirs, Undefined):
        return Undefined("no common case")
    return Fraction(ours) - theirs


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
