"""Two models on the tasks of both, where a model may stand, and what a leaderboard can tell apart."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from fractions import Fraction
from operator import neg

from evalreport.core.exact import Undefined, Value
from evalreport.core.multiplicity import benjamini_hochberg, holm
from evalreport.core.standing import Place, separable
from evalreport.suites.comparison.metrics import MODEL
from evalreport.suites.comparison.notation import TIE, d, of_root

PAIR = ("model_a", "model_b")
NO_COMMON = Undefined("no common task")


@d.metric(
    key="paired_difference",
    name="Paired difference",
    symbol="d_{a,b}",
    column="Difference",
    range=(-1, 1),
    clause="comparison#pairs",
    of=PAIR,
    formula=r"\operatorname*{mean}_{t \in T_{a,b}} (x_{a,t} - x_{b,t})",
)
def paired_difference(ours: Fraction, theirs: Fraction, n: int) -> Value:
    """Mean difference of two models over the tasks both ran: first minus second, in the order of their names.

    Takes the sums of both over these tasks.

    >>> paired_difference(Fraction(3, 4), Fraction(51, 20), 3)
    Fraction(-3, 5)
    """
    return (ours - theirs) / n if n else NO_COMMON


@d.metric(
    key="weighted_difference",
    name="Weighted paired difference",
    symbol="y_{a,b}",
    column="Difference",
    sub="weighted",
    range=(-1, 1),
    clause="comparison#weights",
    of=PAIR,
    formula=r"\frac{\sum_{t \in T_{a,b}} \lambda_t \cdot (x_{a,t} - x_{b,t})}{\sum_{t \in T_{a,b}} \lambda_t}",
)
def weighted_difference(ours: Fraction, theirs: Fraction, weight: Fraction) -> Value:
    """Weighted mean difference over the tasks both ran; takes the weighted sums. Only where weights are asked for."""
    return (ours - theirs) / weight if weight else Undefined("no common task with a weight above 0")


d.define("L_{a,b}", r"\{ t \in T_{a,b} : \lambda_t > 0 \}", "tasks of both with a weight above 0")
d.define("K_{a,b}", r"\{ \mathrm{cl}_t : t \in L_{a,b} \}", "clusters of these tasks")
d.define("v_{a,b}", r"\sum_{t \in T_{a,b}} \lambda_t", "weight of the tasks of both")
d.define(
    "r_{a,b,k}",
    r"\sum_{\substack{t \in T_{a,b} \\ \mathrm{cl}_t = k}} \lambda_t \cdot (x_{a,t} - x_{b,t} - y_{a,b})",
    "deviations of the differences in cluster k from their mean, summed",
)
d.define(
    r"\mathrm{se}_{a,b}",
    r"\sqrt{\frac{|K_{a,b}|}{|K_{a,b}| - 1} \cdot \sum_{k \in K_{a,b}} (\frac{r_{a,b,k}}{v_{a,b}})^2}",
    "standard error of the paired difference",
    "|K_{a,b}| > 1",
)


@d.metric(
    key="detectable_difference",
    name="Detectable difference",
    symbol=r"\delta_{a,b}",
    column="Detectable",
    range=(0, None),
    clause="comparison#power",
    of=PAIR,
    formula=r"(z + z_{\mathrm{power}}) \cdot \mathrm{se}_{a,b}",
)
def detectable_difference(difference: float | None) -> Value:
    """The smallest true difference that these tasks would find with the power that is set (normal approximation)."""
    return of_root(difference)


@d.metric(
    key="p_value",
    name="p-value",
    column="p",
    range=(0, 1),
    clause="comparison#tests",
    cite="mcnemar1947",
    of=PAIR,
    checked_by="reference",
    reference="McNemar's exact test and enumerated resamples in scipy and statsmodels",
)
def p_value(p: Fraction | None) -> Value:
    """How easily a difference of this size or beyond zero arises when the tasks are drawn again; for this pair alone.

    Both models with 0/1 scores: McNemar's exact test. Otherwise twice the smaller tail of the bootstrap.
    """
    return Undefined("fewer than two common tasks") if p is None else p


# a definition of its own is evaluated once for each pair, not once for each pair of pairs
d.define(
    r"\mathrm{holm}_j",
    r"\min(1, \#\{ l \in H : p_l \ge p_j \} \cdot p_j)",
    "p-value of pair j times the pairs not below it",
)
d.define(
    r"\mathrm{fdr}_j",
    r"\min(1, \frac{|H|}{\#\{ l \in H : p_l \le p_j \}} \cdot p_j)",
    "p-value of pair j times all pairs, divided by those not above it",
)


@d.metric(
    key="p_adjusted",
    name="p-value, adjusted for all pairs",
    symbol=r"\tilde{p}_i",
    column="p",
    sub="adjusted",
    range=(0, 1),
    clause="comparison#multiplicity",
    cite="holm1979",
    of=PAIR,
    formula=r"\max_{\substack{j \in H \\ p_j \le p_i}} \mathrm{holm}_j",
)
def p_adjusted(values: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """p-value corrected by Holm for all pairs that were tested together: it bounds the chance of any false finding."""
    return holm(values)


@d.metric(
    key="p_fdr",
    name="p-value, false discovery rate",
    symbol=r"\hat{p}_i",
    column="p",
    sub="false discovery rate",
    range=(0, 1),
    clause="comparison#multiplicity",
    cite="benjamini1995",
    of=PAIR,
    formula=r"\min_{\substack{j \in H \\ p_j \ge p_i}} \mathrm{fdr}_j",
)
def p_fdr(values: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """p-value corrected by Benjamini and Hochberg: it bounds the expected share of false findings, which is milder."""
    return benjamini_hochberg(values)


@d.metric(
    key="tasks_all_won",
    name="Tasks that everybody won",
    symbol="A",
    column="All won",
    range=(0, None),
    decimals=0,
    clause="comparison#win-rate",
    of=(),
    formula=r"\#\{ t \in T : \hat{x}_t - \min_{b \in M_t} x_{b,t} \le \varepsilon \}",
)
def tasks_all_won(best: Iterable[Fraction], worst: Iterable[Fraction]) -> int:
    """On how many tasks all models score the same: they tell no model from another and raise every win rate.

    >>> tasks_all_won([Fraction(1), Fraction(1, 2)], [Fraction(1), Fraction(0)])
    1
    """
    return sum(most - least <= TIE for most, least in zip(best, worst, strict=True))


@d.metric(
    key="rank",
    name="Rank",
    column="Rank",
    better="lower",
    range=(1, None),
    decimals=0,
    clause="comparison#ranks",
    of=MODEL,
    checked_by="reference",
    reference="worked examples of the tests: one more than the number of complete models with a higher mean",
)
def rank(ours: Fraction, all_means: Sequence[Fraction]) -> int:
    """Place by mean score among the models that ran every task; equal means share it.

    Takes the means of all of them, highest first.

    >>> rank(Fraction(1, 2), [Fraction(1), Fraction(1, 2), Fraction(1, 2)])
    2
    """
    return 1 + bisect_left(all_means, -ours, key=neg)


@d.metric(
    key="rank_low",
    name="Best rank not ruled out",
    column="Ranks",
    sub="best",
    range=(1, None),
    decimals=0,
    clause="comparison#ranks",
    cite="holm1979",
    of=MODEL,
    checked_by="reference",
    reference="worked examples: one more than the number of complete models that are proven to be ahead",
)
def rank_low(place: Place) -> int:
    """Best rank that the tasks do not rule out: one more than the number of complete models proven to be ahead.

    >>> rank_low(Place(2, 4, 1))
    2
    """
    return place.low


@d.metric(
    key="rank_high",
    name="Worst rank not ruled out",
    column="Ranks",
    sub="worst",
    range=(1, None),
    decimals=0,
    clause="comparison#ranks",
    cite="holm1979",
    of=MODEL,
    checked_by="reference",
    reference="worked examples: the number of complete models less those that are proven to be behind",
)
def rank_high(place: Place) -> int:
    """Worst rank that the tasks do not rule out: all complete models less those proven to be behind.

    >>> rank_high(Place(2, 4, 1))
    4
    """
    return place.high


@d.metric(
    key="tie_group",
    name="Tie group",
    column="Ties",
    sub="group",
    range=(1, None),
    decimals=0,
    clause="comparison#ranks",
    cite="holm1979",
    of=MODEL,
    checked_by="reference",
    reference="worked example with a chain of small steps: proven are a-c, a-d, b-d, a-e, b-e, c-e; groups 1 1 2 2 3",
)
def tie_group(place: Place) -> int:
    """Number of the group, down the order, in which no model is proven worse than the best of the group.

    >>> tie_group(Place(2, 4, 1))
    1
    """
    return place.group


@d.metric(
    key="separable_difference",
    name="Separable difference",
    column="Separable",
    range=(0, None),
    clause="comparison#power",
    of=(),
    checked_by="reference",
    reference="the median of the detectable differences, each checked by its formula",
)
def separable_difference(differences: Sequence[Fraction]) -> Value:
    """The detectable difference of a typical pair of complete models: closer models these tasks cannot separate.

    The median over the pairs whose difference varies from task to task.

    >>> separable_difference([Fraction(1, 10), Fraction(3, 10), Fraction(0)])
    Fraction(1, 5)
    """
    found = separable(differences)
    return Undefined("no two complete models whose difference varies from task to task") if found is None else found
