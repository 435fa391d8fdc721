"""The four signals: what each number means, its formula over the records, and the code that makes it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from statistics import median

from evalreport.core.declare import Declarations
from evalreport.core.exact import Number, Undefined, Value

TRIPLE = ("model", "benchmark", "metric")

d = Declarations("signals")

d.variable("r", "result")
d.variable("t", "set of result")
d.variable("k", "item")
d.variable("f f'", "field")
d.variable("b", "benchmark")
d.variable("x", "triple")
d.variable("v", "variant")
d.variable("p", "party")
d.values("party", "first_party", "third_party", "collaborative", "other", "unstated")
d.values("coverage", "full", "partial", "reserved")
d.values("organisation")

d.given(r"\mathrm{pop}(f, r)", "number", "1 if field f is populated in the record of result r, else 0")
d.given("F(k)", "set of field", "fields that disclose setup item k")
d.given("A(r)", "set of item", "setup items that apply to result r")
d.given(r"\mathcal{T}", "set of set of result", "(model, benchmark, split, metric) tuples with a score: their results")
d.given("F", "set of field", "the 28 fields of reporting completeness")
d.given(r"\mathrm{pop}_{\mathrm{B}}(f, b)", "number", "1 if field f is populated for benchmark b, else 0")
d.given(r"\mathrm{lit}_{\mathrm{B}}(f, b)", "number", "the same, placeholders counted as populated")
d.given(r"\tau(f)", "coverage", "coverage type of field f: full, partial or reserved")
d.given(r"\mathrm{sub}(f)", "set of field", "sub-items of a partial field f")
d.given("B", "set of benchmark", "benchmarks of the corpus")
d.given("X", "set of triple", "result triples: model, metric path, metric")
d.given("R(x)", "set of result", "results that report triple x, re-scrapes once")
d.given(r"\rho(r)", "party", "how the evaluator of result r is related to the model's developer")
d.given(r"\mathrm{org}(r)", "organisation", "organisation that published result r")
d.given(r"\mathrm{named}(r)", "number", "1 if that organisation is named, else 0")
d.given("V(x)", "set of variant", "distinct setups reported for triple x")
d.given("V(x, p)", "set of variant", "distinct setups that party p reports for triple x")
d.given(r"\sigma(v)", "number", "score under variant v, the mean of its results")
d.given("u(x)", "number", "1 if the reports of triple x state one finite range, else 0")
d.given(r"\mu_{\max}(x)", "number", "upper end of the metric's scale")
d.given(r"\mu_{\min}(x)", "number", "lower end of the metric's scale")
d.given(r"\theta", "number", "divergence threshold, as a share of the metric's scale")

d.given(r"\mathrm{own}(x)", "number", "1 if the metric of triple x has a threshold of its own, else 0")
d.given(r"\theta_{\mathrm{own}}(x)", "number", "that threshold")

d.define(
    r"\theta(x)",
    r"\begin{cases} \theta_{\mathrm{own}}(x) & \text{if } \mathrm{own}(x) = 1 \\ \theta & \text{otherwise} \end{cases}",
    "divergence threshold for triple x",
)
d.define(r"\mathrm{disc}(k, r)", r"\max_{f \in F(k)} \mathrm{pop}(f, r)", "1 if result r discloses item k, else 0")
d.define(
    r"G_{\mathrm{repro}}(r)",
    r"1 - \prod_{k \in A(r)} \mathrm{disc}(k, r)",
    "1 if result r leaves an item undisclosed that applies to it, else 0",
)
d.define(
    r"m(k, t)",
    r"\max_{r \in t} \mathbf{1}[k \in A(r) \text{ and } \mathrm{disc}(k, r) = 0]",
    "1 if some result of tuple t leaves item k undisclosed while it applies, else 0",
)


@d.metric(
    key="reproducibility_gap",
    name="Reproducibility gap",
    symbol=r"G_{\mathrm{T}}(t)",
    column="Gap",
    range=(0, 1),
    decimals=0,
    clause="signals#reproducibility-gap",
    of=TRIPLE,
    formula=r"\max_{r \in t} G_{\mathrm{repro}}(r)",
)
def reproducibility_gap(undisclosed: Sequence[Collection[str]]) -> Value:
    """1 if some result of the tuple leaves a setup item undisclosed that applies to it. It says nothing of the score.

    >>> reproducibility_gap([(), ("decoding",)]), reproducibility_gap([()])
    (1, 0)
    """
    return int(any(undisclosed)) if undisclosed else Undefined("no results")


@d.metric(
    key="gap_rate",
    name="Share of tuples with a reproducibility gap",
    symbol=r"\bar{G}_{\mathrm{repro}}",
    column="Gaps",
    sub="share of tuples",
    range=(0, 1),
    clause="signals#corpus-rate-of-gaps",
    of=(),
    formula=r"\frac{1}{|\mathcal{T}|} \sum_{t \in \mathcal{T}} G_{\mathrm{T}}(t)",
)
def gap_rate(gaps: Sequence[Number]) -> Value:
    """Share of the (model, benchmark, split, metric) tuples with a score of which some result has a gap.

    >>> gap_rate([1, 0, 1, 0])
    Fraction(1, 2)
    """
    return share(gaps, "no tuples with a score")


@d.metric(
    key="applicable_tuples",
    name="Tuples that an item applies to",
    symbol="n(k)",
    column="Tuples",
    sub="item applies",
    range=(0, None),
    decimals=0,
    clause="signals#share-of-an-item",
    of=("item",),
    formula=r"\#\{ t \in \mathcal{T} : \max_{r \in t} \mathbf{1}[k \in A(r)] = 1 \}",
)
def applicable_tuples(applies: Sequence[bool]) -> int:
    """Number of tuples of which some result is asked for this setup item.

    >>> applicable_tuples([True, False, True])
    2
    """
    return sum(applies)


@d.metric(
    key="undisclosed_share",
    name="Share of tuples that leave an item undisclosed",
    symbol=r"\bar{m}(k)",
    column="Undisclosed",
    sub="of all tuples",
    range=(0, 1),
    clause="signals#share-of-an-item",
    of=("item",),
    formula=r"\frac{1}{|\mathcal{T}|} \sum_{t \in \mathcal{T}} m(k, t)",
)
def undisclosed_share(undisclosed: Sequence[bool]) -> Value:
    """Share of all tuples of which some result leaves this item undisclosed while it applies.

    The denominator holds the tuples that the item does not apply to as well.

    >>> undisclosed_share([True, False, False, False])
    Fraction(1, 4)
    """
    return share([int(u) for u in undisclosed], "no tuples with a score")


@d.metric(
    key="undisclosed_where_applicable",
    name="Share of the tuples an item applies to that leave it undisclosed",
    symbol=r"\hat{m}(k)",
    column="Undisclosed",
    sub="where it applies",
    range=(0, 1),
    clause="signals#share-of-an-item",
    of=("item",),
    formula=r"\frac{1}{n(k)} \sum_{t \in \mathcal{T}} m(k, t)",
)
def undisclosed_where_applicable(undisclosed: int, applicable: int) -> Value:
    """Share of the tuples that the item applies to of which some result leaves it undisclosed.

    >>> undisclosed_where_applicable(1, 2), undisclosed_where_applicable(0, 0)
    (Fraction(1, 2), Undefined(reason='the item applies to no tuple'))
    """
    return Fraction(undisclosed, applicable) if applicable else Undefined("the item applies to no tuple")


d.define(
    "q(f, b)",
    r"\frac{1}{|\mathrm{sub}(f)|} \sum_{f' \in \mathrm{sub}(f)} \mathrm{pop}_{\mathrm{B}}(f', b)",
    "share of the sub-items of field f that are populated for benchmark b",
)
d.define(
    "s(f, b)",
    r"\begin{cases} \mathrm{pop}_{\mathrm{B}}(f, b) & \text{if } \tau(f) \ne \text{partial} \\ "
    r"q(f, b) & \text{otherwise} \end{cases}",
    "score of field f for benchmark b",
)
d.define(
    r"q_{\mathrm{lit}}(f, b)",
    r"\frac{1}{|\mathrm{sub}(f)|} \sum_{f' \in \mathrm{sub}(f)} \mathrm{lit}_{\mathrm{B}}(f', b)",
    "the same, placeholders counted as populated",
)
d.define(
    r"s_{\mathrm{lit}}(f, b)",
    r"\begin{cases} \mathrm{lit}_{\mathrm{B}}(f, b) & \text{if } \tau(f) \ne \text{partial} \\ "
    r"q_{\mathrm{lit}}(f, b) & \text{otherwise} \end{cases}",
    "the same, placeholders counted as populated",
)


@d.metric(
    key="completeness",
    name="Reporting completeness",
    symbol="C(b)",
    column="Completeness",
    sub="strict",
    range=(0, 1),
    clause="signals#completeness",
    of=("benchmark",),
    formula=r"\frac{1}{|F|} \sum_{f \in F} s(f, b)",
)
def completeness(fields: Sequence[Number]) -> Value:
    """Mean over the 28 fields of how far each is populated for the benchmark. Placeholders are not. It is no grade.

    >>> completeness([1, 0, Fraction(1, 2), Fraction(1, 2)])
    Fraction(1, 2)
    """
    return share(fields, "no fields")


@d.metric(
    key="completeness_literal",
    name="Reporting completeness, literal",
    symbol=r"C_{\mathrm{lit}}(b)",
    column="Completeness",
    sub="literal",
    range=(0, 1),
    clause="signals#completeness",
    of=("benchmark",),
    formula=r"\frac{1}{|F|} \sum_{f \in F} s_{\mathrm{lit}}(f, b)",
)
def completeness_literal(fields: Sequence[Number]) -> Value:
    """The same mean when whatever stands in a field counts, "Not specified" too.

    >>> completeness_literal([1, 1, 0, 0])
    Fraction(1, 2)
    """
    return share(fields, "no fields")


@d.metric(
    key="missing_fields",
    name="Fully missing fields",
    symbol=r"\mathrm{missing}(b)",
    column="Missing",
    sub="of 28 fields",
    range=(0, 28),
    decimals=0,
    clause="signals#completeness",
    of=("benchmark",),
    formula=r"\#\{ f \in F : s(f, b) = 0 \}",
)
def missing_fields(fields: Sequence[Number]) -> int:
    """How many of the 28 fields say nothing at all about the benchmark.

    >>> missing_fields([1, 0, Fraction(1, 4)])
    1
    """
    return sum(field == 0 for field in fields)


@d.metric(
    key="median_completeness",
    name="Median reporting completeness",
    symbol=r"\tilde{C}",
    column="Median",
    sub="strict",
    range=(0, 1),
    clause="signals#median-completeness",
    of=(),
    formula=r"\operatorname*{median}_{b \in B} C(b)",
)
def median_completeness(scores: Sequence[Fraction]) -> Value:
    """Half of the benchmarks are at least as complete as this.

    >>> median_completeness([Fraction(1, 4), Fraction(3, 4)])
    Fraction(1, 2)
    """
    return Fraction(median(scores)) if scores else Undefined("no benchmarks")


@d.metric(
    key="median_completeness_literal",
    name="Median reporting completeness, literal",
    symbol=r"\tilde{C}_{\mathrm{lit}}",
    column="Median",
    sub="literal",
    range=(0, 1),
    clause="signals#median-completeness",
    of=(),
    formula=r"\operatorname*{median}_{b \in B} C_{\mathrm{lit}}(b)",
)
def median_completeness_literal(scores: Sequence[Fraction]) -> Value:
    """The same median when whatever stands in a field counts.

    >>> median_completeness_literal([])
    Undefined(reason='no benchmarks')
    """
    return median_completeness(scores)


@d.metric(
    key="population_rate",
    name="Population rate of a field",
    symbol=r"\bar{p}(f)",
    column="Populated",
    sub="strict",
    range=(0, 1),
    clause="signals#population-rate",
    of=("field",),
    formula=r"\frac{1}{|B|} \sum_{b \in B} s(f, b)",
)
def population_rate(scores: Sequence[Number]) -> Value:
    """How far a field is populated, on average over the benchmarks.

    >>> population_rate([1, 0])
    Fraction(1, 2)
    """
    return share(scores, "no benchmarks")


@d.metric(
    key="population_rate_literal",
    name="Population rate of a field, literal",
    symbol=r"\bar{p}_{\mathrm{lit}}(f)",
    column="Populated",
    sub="literal",
    range=(0, 1),
    clause="signals#population-rate",
    of=("field",),
    formula=r"\frac{1}{|B|} \sum_{b \in B} s_{\mathrm{lit}}(f, b)",
)
def population_rate_literal(scores: Sequence[Number]) -> Value:
    """The same average when whatever stands in a field counts.

    >>> population_rate_literal([1, 1])
    Fraction(1, 1)
    """
    return share(scores, "no benchmarks")


def share(values: Sequence[Number], nothing: str) -> Value:
    """The mean of numbers, or the reason why there is none.

    >>> share([1, 0], "nothing"), share([], "nothing")
    (Fraction(1, 2), Undefined(reason='nothing'))
    """
    return Fraction(sum(values)) / len(values) if values else Undefined(nothing)
