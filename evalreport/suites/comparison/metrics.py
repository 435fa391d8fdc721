"""The metrics of a comparison: what each number means, its formula over scores, and the code that makes it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from operator import neg

from evalreport.core.declare import Declarations
from evalreport.core.exact import Undefined, Value
from evalreport.core.intervals import ROOT_DECIMALS, rounded
from evalreport.core.multiplicity import benjamini_hochberg, holm
from evalreport.core.standing import separable

TIE = Fraction(1, 10**12)
MODEL = ("model_id",)
PAIR = ("model_a", "model_b")
NO_TASKS = Undefined("no tasks")
NO_COMMON = Undefined("no common task")

d = Declarations("comparison")

d.variable("a b", "model")
d.variable("t", "task")
d.variable("q", "category")
d.variable("k", "cluster")
d.variable("i j l", "hypothesis")
d.values("category")
d.values("cluster")
d.given("M", "set of model", "models of the leaderboard")
d.given("T_a", "set of task", "tasks that model a has a score for")
d.given("T", "set of task", "tasks of the leaderboard")
d.given("M_t", "set of model", "models that have a score for task t")
d.given("x_{a,t}", "number", "score of model a on task t, 0 to 1: the mean over its runs of the mean over their items")
d.given(r"\mathrm{cat}_t", "category", "category of task t")
d.given(r"\mathrm{cl}_t", "cluster", "cluster of task t; the task itself when none is asked for or stated")
d.given(r"\lambda_t", "number", "weight of task t; 1 unless weights are asked for")
d.given("e_{a,t}", "number", "number of items that the score of model a on task t is the mean of")
d.given(r"\varepsilon", "number", "tie tolerance, absolute", lambda: TIE)
d.given("z", "number", "normal quantile of the level, two-sided")
d.given(r"z_{\mathrm{power}}", "number", "normal quantile of the power, one-sided")
d.given("H", "set of hypothesis", "pairs tested together")
d.given("p_i", "number", "p-value of pair i")

d.define(r"\hat{x}_t", r"\max_{b \in M_t} x_{b,t}", "best score on task t")
d.define("T_{a,b}", r"\{ t \in T_a : t \in T_b \}", "tasks that both models have a score for")
d.define("U_a", r"\{ t \in T_a : |M_t| = |M| \}", "tasks that every model has a score for")
d.define("Q_a", r"\{ \mathrm{cat}_t : t \in T_a \}", "categories of the tasks of model a")


def mean(scores: Sequence[Fraction]) -> Value:
    """The exact mean, or that there are no tasks.

    >>> mean([Fraction(1, 2), Fraction(7, 10)]) == mean([Fraction(3, 5), Fraction(3, 5)])
    True
    """
    return sum(scores, Fraction(0)) / len(scores) if scores else NO_TASKS


@d.metric(
    key="tasks_completed",
    name="Tasks completed",
    symbol="n_a",
    column="Tasks",
    range=(0, None),
    decimals=0,
    clause="comparison#coverage",
    of=MODEL,
    formula="|T_a|",
)
def tasks_completed(scores: Sequence[Fraction]) -> int:
    """How many tasks a model has a score for. A missing task counts neither as 0 nor at all."""
    return len(scores)


@d.metric(
    key="mean_score",
    name="Mean score",
    symbol=r"\bar{x}_a",
    column="Mean",
    better="higher",
    range=(0, 1),
    clause="comparison#mean-score",
    of=MODEL,
    formula=r"\frac{1}{n_a} \sum_{t \in T_a} x_{a,t}",
)
def mean_score(scores: Sequence[Fraction]) -> Value:
    """Average score over the tasks a model ran; every task counts the same. It ranks the models.

    >>> mean_score([Fraction(9, 10), Fraction(4, 5), Fraction(17, 20)])
    Fraction(17, 20)
    """
    return mean(scores)


@d.metric(
    key="weighted_mean_score",
    name="Weighted mean score",
    symbol="m_a",
    column="Mean",
    sub="weighted",
    better="higher",
    range=(0, 1),
    clause="comparison#weights",
    of=MODEL,
    formula=r"\frac{\sum_{t \in T_a} \lambda_t \cdot x_{a,t}}{\sum_{t \in T_a} \lambda_t}",
)
def weighted_mean_score(scores: Sequence[Fraction], weights: Sequence[Fraction]) -> Value:
    """Average score over the tasks a model ran, each counted as often as its weight says. Only where asked for.

    >>> weighted_mean_score([Fraction(1), Fraction(0)], [Fraction(3), Fraction(1)])
    Fraction(3, 4)
    """
    total = sum(weights, Fraction(0))
    if not total:
        return Undefined("no task with a weight above 0")
    return sum((w * x for w, x in zip(weights, scores, strict=True)), Fraction(0)) / total


@d.metric(
    key="wins",
    name="Wins",
    symbol="W_a",
    column="Wins",
    better="higher",
    range=(0, None),
    decimals=0,
    clause="comparison#win-rate",
    of=MODEL,
    formula=r"\#\{ t \in T_a : \hat{x}_t - x_{a,t} \le \varepsilon \}",
)
def wins(scores: Iterable[Fraction], best: Iterable[Fraction]) -> int:
    """On how many tasks no model scores higher. Ties are not split: each tied model has a full win.

    >>> wins([Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 2), Fraction(1)])
    1
    """
    return sum(most - score <= TIE for score, most in zip(scores, best, strict=True))


@d.metric(
    key="win_rate",
    name="Win rate",
    symbol="w_a",
    column="Win rate",
    better="higher",
    range=(0, 1),
    clause="comparison#win-rate",
    of=MODEL,
    formula=r"\frac{W_a}{n_a}",
)
def win_rate(won: int, tasks: int) -> Value:
    """Share of a model's tasks on which no model scores higher. Rates of tied models add up to more than 1.

    >>> win_rate(2, 3)
    Fraction(2, 3)
    """
    return Fraction(won, tasks) if tasks else NO_TASKS


d.define(
    r"\tilde{w}_a",
    r"\frac{w_a + \frac{z^2}{2 \cdot n_a}}{1 + \frac{z^2}{n_a}}",
    "centre of the Wilson interval of the win rate",
)
d.define(
    "h_a",
    r"\frac{z}{1 + \frac{z^2}{n_a}} \cdot \sqrt{\frac{w_a \cdot (1 - w_a)}{n_a} + \frac{z^2}{4 \cdot n_a^2}}",
    "half width of the Wilson interval of the win rate",
)


@d.metric(
    key="win_rate_low",
    name="Win rate, lower Wilson limit",
    symbol=r"\mathrm{lo}_a",
    column="Win rate",
    sub="low",
    range=(0, 1),
    clause="comparison#intervals",
    cite="wilson1927",
    of=MODEL,
    formula=r"\tilde{w}_a - h_a",
)
def win_rate_low(limit: Fraction) -> Fraction:
    """Lower end of the interval of a model's win rate, by Wilson."""
    return limit


@d.metric(
    key="win_rate_high",
    name="Win rate, upper Wilson limit",
    symbol=r"\mathrm{hi}_a",
    column="Win rate",
    sub="high",
    range=(0, 1),
    clause="comparison#intervals",
    cite="wilson1927",
    of=MODEL,
    formula=r"\tilde{w}_a + h_a",
)
def win_rate_high(limit: Fraction) -> Fraction:
    """Upper end of the interval of a model's win rate, by Wilson."""
    return limit


d.define(
    r"\tilde{x}_a",
    r"\frac{\bar{x}_a + \frac{z^2}{2 \cdot n_a}}{1 + \frac{z^2}{n_a}}",
    "centre of the Wilson interval of the mean",
)
d.define(
    "g_a",
    r"\frac{z}{1 + \frac{z^2}{n_a}} \cdot "
    r"\sqrt{\frac{\bar{x}_a \cdot (1 - \bar{x}_a)}{n_a} + \frac{z^2}{4 \cdot n_a^2}}",
    "half width of the Wilson interval of the mean",
)


@d.metric(
    key="mean_wilson_low",
    name="Mean of 0/1 scores, lower Wilson limit",
    symbol=r"\mathrm{xlo}_a",
    column="Mean",
    sub="Wilson low",
    range=(0, 1),
    clause="comparison#intervals",
    cite="wilson1927",
    of=MODEL,
    formula=r"\tilde{x}_a - g_a",
)
def mean_wilson_low(limit: Fraction) -> Fraction:
    """Lower end of Wilson's interval of a mean of scores that are all 0 or 1; never of zero width."""
    return limit


@d.metric(
    key="mean_wilson_high",
    name="Mean of 0/1 scores, upper Wilson limit",
    symbol=r"\mathrm{xhi}_a",
    column="Mean",
    sub="Wilson high",
    range=(0, 1),
    clause="comparison#intervals",
    cite="wilson1927",
    of=MODEL,
    formula=r"\tilde{x}_a + g_a",
)
def mean_wilson_high(limit: Fraction) -> Fraction:
    """Upper end of Wilson's interval of a mean of scores that are all 0 or 1; never of zero width."""
    return limit


@d.metric(
    key="common_mean",
    name="Mean over common tasks",
    symbol="u_a",
    column="Mean",
    sub="common tasks",
    better="higher",
    range=(0, 1),
    clause="comparison#coverage",
    of=MODEL,
    formula=r"\operatorname*{mean}_{t \in U_a} x_{a,t}",
)
def common_mean(scores: Sequence[Fraction]) -> Value:
    """Average score over the tasks that every model ran: the one view in which all models may be ordered."""
    return mean(scores) if scores else Undefined("no task that every model ran")


@d.metric(
    key="category_mean",
    name="Category mean",
    symbol=r"\bar{x}_{a,q}",
    column="Mean",
    sub="of category",
    better="higher",
    range=(0, 1),
    clause="comparison#categories",
    of=("model_id", "category"),
    formula=r"\operatorname*{mean}_{\substack{t \in T_a \\ \mathrm{cat}_t = q}} x_{a,t}",
)
def category_mean(scores: Sequence[Fraction]) -> Value:
    """Average score over a model's tasks of one category; tasks count the same, also where weights are asked for."""
    return mean(scores)


@d.metric(
    key="mean_of_categories",
    name="Mean of category means",
    symbol="c_a",
    column="Mean",
    sub="of categories",
    better="higher",
    range=(0, 1),
    clause="comparison#other-means",
    of=MODEL,
    formula=r"\operatorname*{mean}_{q \in Q_a} \bar{x}_{a,q}",
)
def mean_of_categories(means: Mapping[str, Value]) -> Value:
    """Average of a model's category means: every category counts the same, however many tasks it has."""
    return mean([Fraction(m) for m in means.values() if not isinstance(m, Undefined)])


@d.metric(
    key="mean_by_items",
    name="Mean weighted by items",
    symbol="s_a",
    column="Mean",
    sub="by items",
    better="higher",
    range=(0, 1),
    clause="comparison#other-means",
    of=MODEL,
    formula=r"\frac{\sum_{t \in T_a} e_{a,t} \cdot x_{a,t}}{\sum_{t \in T_a} e_{a,t}}",
)
def mean_by_items(scores: Sequence[Fraction], items: Sequence[int]) -> Value:
    """Average over all items of all tasks of a model. Only where every task says how many items it has."""
    if not sum(items):
        return Undefined("no items")
    return sum((n * x for n, x in zip(items, scores, strict=True)), Fraction(0)) / sum(items)


d.define("L_a", r"\{ t \in T_a : \lambda_t > 0 \}", "tasks of model a with a weight above 0")
d.define("K_a", r"\{ \mathrm{cl}_t : t \in L_a \}", "clusters of these tasks")
d.define("v_a", r"\sum_{t \in T_a} \lambda_t", "weight of all tasks of model a")
d.define(
    "r_{a,k}",
    r"\sum_{\substack{t \in T_a \\ \mathrm{cl}_t = k}} \lambda_t \cdot (x_{a,t} - m_a)",
    "deviations of the tasks of cluster k from the mean, summed",
)


@d.metric(
    key="standard_error",
    name="Standard error",
    symbol=r"\mathrm{se}_a",
    column="Standard error",
    better=None,
    range=(0, None),
    clause="comparison#clusters",
    of=MODEL,
    formula=r"\sqrt{\frac{|K_a|}{|K_a| - 1} \cdot \sum_{k \in K_a} (\frac{r_{a,k}}{v_a})^2}",
    needs="|K_a| > 1",
)
def standard_error(error: float | None) -> Value:
    """Standard error of the mean. With clusters, tasks of one cluster may rise and fall together."""
    return _rounded(error)


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
    return _rounded(difference)


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


def _rounded(value: float | None) -> Value:
    return Undefined("fewer than two clusters") if value is None else rounded(Fraction(value), ROOT_DECIMALS)
