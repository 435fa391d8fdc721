"""The metrics of models: what each number means, its formula over scores, and the code that makes it.

Pairs, the order of models and what a leaderboard can tell apart stand in `metrics_pairs.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from evalreport.core.exact import Undefined, Value
from evalreport.suites.comparison.notation import TIE, d, of_root

MODEL = ("model_id",)
NO_TASKS = Undefined("no tasks")


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
    return of_root(error)
