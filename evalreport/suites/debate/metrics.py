"""The debate metrics: what each number means, its formula over records, and the code that makes it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from evalreport.core.declare import Declarations
from evalreport.core.exact import Undefined, Value
from evalreport.suites.debate.records import DIMENSIONS, Score, Thresholds

LEAST_APPLICABLE = 4
HALF = Fraction(1, 2)

d = Declarations("debate")

d.variable("u v", "system")
d.variable("c", "case")
d.variable("d", "dimension")
d.variable("t", "run")
d.variable("i", "issue")
d.variable("q", "claim")
d.variable("b", "instance")
d.values("dimension", *DIMENSIONS)
d.given("C", "set of case", "cases of the benchmark that some system has run")
d.given("D", "set of dimension", "the six dimensions of the rubric", lambda: tuple(DIMENSIONS))
d.given("R_{u,c}", "set of run", "runs of case c by system u")
d.given("I_t", "set of issue", "planted issues judged in run t; none where the score itself was given")
d.given("f_{t,i}", "number", "how far run t found planted issue i: 0, 0.5 or 1")
d.given("Q_t", "set of claim", "distinct claims of the critique in run t; none where the score itself was given")
d.given(r"\mathrm{valid}_q", "number", "1 if claim q is planted or demonstrably real, else 0")
d.given(
    "B_t",
    "set of instance",
    "concessions (A), contestations (B) and position updates (C) in run t; none where the score itself was given",
)
d.given(r"\mathrm{score}_b", "number", "score of instance b: 0, 0.5 or 1")
d.given("a(t, d)", "number", "1 if dimension d applies in run t (is not N/A), else 0")
d.given("g(t, d)", "number", "score of dimension d in run t, as given or as the rubric grades it, 0 to 1")
d.given(r"\theta_{\mathrm{dim}}", "number", "threshold per_dimension_pass of the rubric")
d.given(r"\theta_{\mathrm{case}}", "number", "threshold overall_case_pass of the rubric")
d.given(r"\theta_{\mathrm{frac}}", "number", "threshold benchmark_pass_fraction of the rubric")
d.given(r"\theta_{\mathrm{lift}}", "number", "least lift over the baseline that shows that debate adds value")

d.define(r"\mathrm{IDR}_t", r"\operatorname*{mean}_{i \in I_t} f_{t,i}", "issue discovery recall of a judged run")
d.define(
    r"\mathrm{IDP}_t",
    r"\frac{\#\{ q \in Q_t : \mathrm{valid}_q = 1 \}}{|Q_t|}",
    "issue discovery precision of a judged run",
)
d.define(r"\mathrm{DC}_t", r"\operatorname*{mean}_{b \in B_t} \mathrm{score}_b", "defense calibration of a judged run")
d.define(
    "y(t, d)",
    r"\begin{cases} \mathrm{IDR}_t & \text{if } d = \text{IDR} \text{ and } |I_t| > 0 \\ "
    r"\mathrm{IDP}_t & \text{if } d = \text{IDP} \text{ and } |Q_t| > 0 \\ "
    r"\mathrm{DC}_t & \text{if } d = \text{DC} \text{ and } |B_t| > 0 \\ "
    r"g(t, d) & \text{otherwise} \end{cases}",
    "score of dimension d in run t",
)
d.define("T(u, c, d)", r"\{ t \in R_{u,c} : a(t, d) = 1 \}", "runs of case c in which dimension d applies")
d.define("D_{u,c}", r"\{ d \in D : |T(u, c, d)| > 0 \}", "dimensions that apply in at least one run")
d.define("x(u, c, d)", r"\operatorname*{mean}_{t \in T(u, c, d)} y(t, d)", "score of dimension d, over the runs")
d.define("S_u", rf"\{{ c \in C : |D_{{u,c}}| \ge {LEAST_APPLICABLE} \}}", "scoreable cases")
d.define("S_{u,v}", r"\{ c \in S_u : c \in S_v \}", "cases scoreable in both systems")


@d.metric(
    key="issue_discovery_recall",
    name="Issue discovery recall",
    symbol=r"\mathrm{IDR}_{u,c}",
    column="Recall",
    better="higher",
    range=(0, 1),
    clause="debate#issue-discovery-recall",
    of=("system", "case_id"),
    formula=r"\operatorname*{mean}_{t \in T(u, c, \text{IDR})} y(t, \text{IDR})",
)
def issue_discovery_recall(runs: Sequence[Score]) -> Value:
    """How far the critique found the planted issues of a case. N/A for a case without planted issues.

    Half credit for an issue with the right place or the right nature only. Over several runs: the mean over the runs
    in which it applies.

    >>> issue_discovery_recall([Fraction(1), Fraction(1, 2)])
    Fraction(3, 4)
    """
    return _over_runs(runs)


@d.metric(
    key="issue_discovery_precision",
    name="Issue discovery precision",
    symbol=r"\mathrm{IDP}_{u,c}",
    column="Precision",
    better="higher",
    range=(0, 1),
    clause="debate#issue-discovery-precision",
    of=("system", "case_id"),
    formula=r"\operatorname*{mean}_{t \in T(u, c, \text{IDP})} y(t, \text{IDP})",
)
def issue_discovery_precision(runs: Sequence[Score]) -> Value:
    """Share of the critique's claims that are planted or demonstrably real. N/A when it claims nothing.

    >>> issue_discovery_precision([Undefined("the critique makes no claims"), Fraction(1, 2)])
    Fraction(1, 2)
    """
    return _over_runs(runs)


@d.metric(
    key="defense_calibration",
    name="Defense calibration",
    symbol=r"\mathrm{DC}_{u,c}",
    column="Calibration",
    better="higher",
    range=(0, 1),
    clause="debate#defense-calibration",
    of=("system", "case_id"),
    formula=r"\operatorname*{mean}_{t \in T(u, c, \text{DC})} y(t, \text{DC})",
)
def defense_calibration(runs: Sequence[Score]) -> Value:
    """How well the defence conceded valid claims, contested invalid ones, and updated its position after conceding.

    >>> defense_calibration([Fraction(5, 8)])
    Fraction(5, 8)
    """
    return _over_runs(runs)


@d.metric(
    key="debate_resolution_quality",
    name="Debate resolution quality",
    symbol=r"\mathrm{DRQ}_{u,c}",
    column="Resolution",
    better="higher",
    range=(0, 1),
    clause="debate#debate-resolution-quality",
    of=("system", "case_id"),
    formula=r"\operatorname*{mean}_{t \in T(u, c, \text{DRQ})} y(t, \text{DRQ})",
)
def debate_resolution_quality(runs: Sequence[Score]) -> Value:
    """Whether the debate ended in the right kind of resolution, without more rounds than necessary.

    >>> debate_resolution_quality([Fraction(1), Fraction(0)])
    Fraction(1, 2)
    """
    return _over_runs(runs)


@d.metric(
    key="empirical_test_diagnosticity",
    name="Empirical test diagnosticity",
    symbol=r"\mathrm{ETD}_{u,c}",
    column="Diagnosticity",
    better="higher",
    range=(0, 1),
    clause="debate#empirical-test-diagnosticity",
    of=("system", "case_id"),
    formula=r"\operatorname*{mean}_{t \in T(u, c, \text{ETD})} y(t, \text{ETD})",
)
def empirical_test_diagnosticity(runs: Sequence[Score]) -> Value:
    """Whether the proposed test would tell the two positions apart. N/A when no test was proposed or needed.

    >>> empirical_test_diagnosticity([Fraction(1, 2)])
    Fraction(1, 2)
    """
    return _over_runs(runs)


@d.metric(
    key="final_verdict_correctness",
    name="Final verdict correctness",
    symbol=r"\mathrm{FVC}_{u,c}",
    column="Verdict",
    better="higher",
    range=(0, 1),
    clause="debate#final-verdict-correctness",
    of=("system", "case_id"),
    formula=r"\operatorname*{mean}_{t \in T(u, c, \text{FVC})} y(t, \text{FVC})",
)
def final_verdict_correctness(runs: Sequence[Score]) -> Value:
    """Whether the final verdict is the true one; over several runs, the share in which it is.

    >>> final_verdict_correctness([Fraction(1), Fraction(1), Fraction(0)])
    Fraction(2, 3)
    """
    return _over_runs(runs)


@d.metric(
    key="case_mean",
    name="Case mean",
    symbol=r"\bar{x}_{u,c}",
    column="Mean",
    better="higher",
    range=(0, 1),
    clause="debate#case-mean",
    of=("system", "case_id"),
    formula=r"\operatorname*{mean}_{d \in D_{u,c}} x(u, c, d)",
)
def case_mean(dimensions: Sequence[Value]) -> Value:
    """Mean of the dimensions that apply to a case. A dimension that is N/A is left out, it is not a zero.

    >>> case_mean([Fraction(3, 4), HALF, HALF, HALF, Undefined("no test"), Fraction(1)])
    Fraction(13, 20)
    """
    applicable = [score for score in dimensions if not isinstance(score, Undefined)]
    if not applicable:
        return Undefined("no dimension applies")
    return Fraction(sum(applicable)) / len(applicable)


@d.metric(
    key="lowest_dimension",
    name="Lowest dimension",
    symbol=r"m_{u,c}",
    column="Lowest",
    better="higher",
    range=(0, 1),
    clause="debate#case-pass",
    of=("system", "case_id"),
    formula=r"\min_{d \in D_{u,c}} x(u, c, d)",
)
def lowest_dimension(dimensions: Sequence[Value]) -> Value:
    """The lowest dimension that applies to a case: one below the threshold fails the case.

    >>> lowest_dimension([Fraction(1), Undefined("no test"), HALF])
    Fraction(1, 2)
    """
    return min((s for s in dimensions if not isinstance(s, Undefined)), default=Undefined("no dimension applies"))


@d.metric(
    key="case_pass",
    name="Case pass",
    symbol=r"\mathrm{pass}_{u,c}",
    column="Passes",
    better="higher",
    range=(0, 1),
    decimals=0,
    clause="debate#case-pass",
    of=("system", "case_id"),
    formula=r"\mathbf{1}[\bar{x}_{u,c} \ge \theta_{\mathrm{case}} \text{ and } m_{u,c} \ge \theta_{\mathrm{dim}}]",
    needs=rf"|D_{{u,c}}| \ge {LEAST_APPLICABLE}",
)
def case_pass(dimensions: Sequence[Value], thresholds: Thresholds) -> Value:
    """1 if the case passes: its mean and its lowest dimension reach their thresholds. Equal is enough.

    A case with fewer than four dimensions that apply neither passes nor fails: it is reviewed by hand.

    >>> rule = Thresholds(HALF, Fraction(13, 20), Fraction(3, 4))
    >>> case_pass([Fraction(3, 4), HALF, HALF, HALF, Undefined("no test"), Fraction(1)], rule)
    1
    >>> case_pass([Fraction(1)] * 3, rule)
    Undefined(reason='fewer than 4 dimensions apply: manual review')
    """
    if applicable(dimensions) < LEAST_APPLICABLE:
        return Undefined(f"fewer than {LEAST_APPLICABLE} dimensions apply: manual review")
    return int(reaches(case_mean(dimensions), lowest_dimension(dimensions), thresholds))


@d.metric(
    key="passing_fraction",
    name="Passing fraction",
    symbol=r"\mathrm{PF}_u",
    column="Passing",
    better="higher",
    range=(0, 1),
    clause="debate#passing-fraction",
    of=("system",),
    formula=r"\frac{\#\{ c \in S_u : \mathrm{pass}_{u,c} = 1 \}}{|S_u|}",
)
def passing_fraction(passes: Sequence[int]) -> Value:
    """Share of the scoreable cases that pass. Cases for manual review count neither above nor below the line.

    >>> passing_fraction([1, 1, 1, 0])
    Fraction(3, 4)
    """
    return Fraction(sum(passes), len(passes)) if passes else Undefined("no scoreable cases")


@d.metric(
    key="mean",
    name="Benchmark mean",
    symbol=r"\bar{x}_u",
    column="Mean",
    sub="scoreable cases",
    better="higher",
    range=(0, 1),
    clause="debate#benchmark-mean",
    of=("system",),
    formula=r"\operatorname*{mean}_{c \in S_u} \bar{x}_{u,c}",
)
def mean(means: Sequence[Fraction]) -> Value:
    """Mean of the case means over the scoreable cases: the mean that the benchmark rule asks for.

    >>> mean([Fraction(1), Fraction(13, 20)])
    Fraction(33, 40)
    """
    return Fraction(sum(means)) / len(means) if means else Undefined("no scoreable cases")


@d.metric(
    key="mean_all",
    name="Mean over all cases",
    symbol=r"\bar{x}_{\mathrm{all},u}",
    column="Mean",
    sub="all cases",
    better="higher",
    range=(0, 1),
    clause="debate#mean-over-all-cases",
    of=("system",),
    formula=r"\operatorname*{mean}_{\substack{c \in C \\ |D_{u,c}| > 0}} \bar{x}_{u,c}",
)
def mean_all(means: Sequence[Fraction]) -> Value:
    """Mean of the case means over every case that has one, also those for manual review. No rule uses it.

    >>> mean_all([Fraction(1), Fraction(1), Fraction(13, 20)])
    Fraction(53, 60)
    """
    return Fraction(sum(means)) / len(means) if means else Undefined("no case has a mean")


@d.metric(
    key="benchmark_pass",
    name="Benchmark pass",
    symbol=r"\mathrm{BP}_u",
    column="Benchmark passes",
    better="higher",
    range=(0, 1),
    decimals=0,
    clause="debate#benchmark-pass",
    of=("system",),
    formula=r"\mathbf{1}[\mathrm{PF}_u \ge \theta_{\mathrm{frac}} \text{ and } \bar{x}_u \ge \theta_{\mathrm{case}}]",
)
def benchmark_pass(fraction: Value, benchmark_mean: Value, thresholds: Thresholds) -> Value:
    """1 if the benchmark passes: enough of its scoreable cases pass, and their mean reaches the case threshold.

    >>> benchmark_pass(Fraction(3, 4), Fraction(13, 20), Thresholds(HALF, Fraction(13, 20), Fraction(3, 4)))
    1
    """
    if isinstance(fraction, Undefined):
        return fraction
    if isinstance(benchmark_mean, Undefined):
        return benchmark_mean
    return int(fraction >= thresholds.benchmark_pass_fraction and benchmark_mean >= thresholds.overall_case_pass)


@d.metric(
    key="lift",
    name="Lift over the baseline",
    symbol=r"L_{u,v}",
    column="Lift",
    better="higher",
    range=(-1, 1),
    clause="debate#lift",
    of=("system",),
    formula=r"\operatorname*{mean}_{c \in S_{u,v}} (\bar{x}_{u,c} - \bar{x}_{v,c})",
)
def lift(differences: Sequence[Fraction]) -> Value:
    """By how much the case means exceed those of the baseline, on average over the cases scoreable in both.

    >>> lift([Fraction(3, 4) - Fraction(13, 20)])
    Fraction(1, 10)
    """
    if not differences:
        return Undefined("no case is scoreable in both systems")
    return Fraction(sum(differences)) / len(differences)


@d.metric(
    key="lift_pass",
    name="Lift is enough",
    symbol=r"\mathrm{LP}_{u,v}",
    column="Adds value",
    better="higher",
    range=(0, 1),
    decimals=0,
    clause="debate#lift",
    of=("system",),
    formula=r"\mathbf{1}[L_{u,v} \ge \theta_{\mathrm{lift}}]",
)
def lift_pass(over_baseline: Value, least: Fraction) -> Value:
    """1 if the lift reaches the least lift that shows that debate adds value over self-critique. Equal is enough.

    >>> lift_pass(Fraction(75, 100) - Fraction(65, 100), Fraction(10, 100))
    1
    """
    return over_baseline if isinstance(over_baseline, Undefined) else int(over_baseline >= least)


BY_DIMENSION = (
    issue_discovery_recall,
    issue_discovery_precision,
    defense_calibration,
    debate_resolution_quality,
    empirical_test_diagnosticity,
    final_verdict_correctness,
)


def applicable(dimensions: Sequence[Value]) -> int:
    """How many of the six dimensions apply: are not N/A.

    >>> applicable([Fraction(0), Undefined("no test")])
    1
    """
    return sum(not isinstance(score, Undefined) for score in dimensions)


def reaches(case: Value, lowest: Value, thresholds: Thresholds) -> bool:
    """Whether mean and lowest dimension reach their thresholds, however few dimensions apply.

    >>> reaches(Fraction(1), Fraction(1), Thresholds(HALF, HALF, HALF)), reaches(
    ...     Undefined("none"), Undefined("none"), Thresholds(HALF, HALF, HALF))
    (True, False)
    """
    if isinstance(case, Undefined) or isinstance(lowest, Undefined):
        return False
    return case >= thresholds.overall_case_pass and lowest >= thresholds.per_dimension_pass


def _over_runs(runs: Sequence[Score]) -> Value:
    applying = [score for score in runs if not isinstance(score, Undefined)]
    if applying:
        return Fraction(sum(applying)) / len(applying)
    reasons = sorted({score.reason for score in runs if isinstance(score, Undefined)})
    return Undefined("; ".join(reasons) or "not run")
