"""What the symbols of the formulas over scores mean: variables, what records and settings give, sets of tasks."""

from __future__ import annotations

from fractions import Fraction

from evalreport.core.declare import Declarations
from evalreport.core.exact import Undefined, Value
from evalreport.core.intervals import ROOT_DECIMALS, rounded

TIE = Fraction(1, 10**12)

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


def of_root(value: float | None) -> Value:
    """A value that a root has made, to the decimals that it is known to; None: too few clusters for one.

    >>> of_root(0.25), of_root(None)
    (Fraction(1, 4), Undefined(reason='fewer than two clusters'))
    """
    return Undefined("fewer than two clusters") if value is None else rounded(Fraction(value), ROOT_DECIMALS)
