"""Two subject versions over their common cases, and where a subject version may stand: the last of the metrics."""

from __future__ import annotations

from fractions import Fraction

from evalreport.core.exact import Undefined, Value
from evalreport.core.intervals import ROOT_DECIMALS, rounded
from evalreport.core.standing import Place
from evalreport.suites.benchmark.metrics_runs import SUBJECT_VERSION
from evalreport.suites.benchmark.notation import bench

PAIR = ("subject_a", "version_a", "subject_b", "version_b")

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


def _difference(ours: Value, theirs: Value) -> Value:
    if isinstance(ours, Undefined) or isinstance(theirs, Undefined):
        return Undefined("no common case")
    return Fraction(ours) - theirs
