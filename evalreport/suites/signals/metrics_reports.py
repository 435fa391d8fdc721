"""Provenance and comparability: the signals of a result triple and its reports, declared after the others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

from evalreport.core.exact import Number, Undefined, Value
from evalreport.suites.signals.metrics import TRIPLE, d, share

d.define("P(x)", r"\{ \rho(r) : r \in R(x) \}", "parties that report triple x")
d.define("N(x)", r"\{ r \in R(x) : \mathrm{named}(r) = 1 \}", "results of triple x whose organisation is named")


@d.metric(
    key="reports",
    name="Reports of a triple",
    symbol=r"\mathrm{rep}(x)",
    column="Reports",
    range=(1, None),
    decimals=0,
    clause="signals#provenance",
    of=TRIPLE,
    formula="|R(x)|",
)
def reports(results: Sequence[object]) -> int:
    """How many results report the triple; the same score scraped again counts once.

    >>> reports(["a", "b"])
    2
    """
    return len(results)


@d.metric(
    key="organisations",
    name="Distinct organisations",
    symbol=r"\mathrm{orgs}(x)",
    column="Organisations",
    range=(0, None),
    decimals=0,
    clause="signals#provenance",
    of=TRIPLE,
    formula=r"|\{ \mathrm{org}(r) : r \in N(x) \}|",
)
def organisations(named: Collection[str]) -> int:
    """How many different organisations are named as the source of a report.

    >>> organisations({"lab a", "lab b"})
    2
    """
    return len(set(named))


@d.metric(
    key="first_party_only",
    name="First-party only",
    symbol=r"\mathrm{FPO}(x)",
    column="First-party only",
    range=(0, 1),
    decimals=0,
    clause="signals#provenance",
    of=TRIPLE,
    formula=r"\mathbf{1}[\rho(r) = \text{first\_party} \text{ for all } r \in R(x)]",
)
def first_party_only(parties: Collection[str]) -> int:
    """1 if every report comes from the model's own developer.

    >>> first_party_only(["first_party"]), first_party_only(["first_party", "other"])
    (1, 0)
    """
    return int(all(party == "first_party" for party in parties))


@d.metric(
    key="multi_party",
    name="More than one report",
    symbol=r"\mathrm{MP}(x)",
    column="Multi-party",
    range=(0, 1),
    decimals=0,
    clause="signals#provenance",
    of=TRIPLE,
    formula=r"\mathbf{1}[|R(x)| > 1]",
)
def multi_party(count: int) -> int:
    """1 if the triple has more than one report. They may still come from one organisation: see that column.

    >>> multi_party(2), multi_party(1)
    (1, 0)
    """
    return int(count > 1)


@d.metric(
    key="first_party_only_rate",
    name="Share of triples reported by first parties only",
    symbol=r"\bar{f}_{\mathrm{PO}}",
    column="First-party only",
    sub="share of triples",
    range=(0, 1),
    clause="signals#provenance-rates",
    of=(),
    formula=r"\frac{1}{|X|} \sum_{x \in X} \mathrm{FPO}(x)",
)
def first_party_only_rate(flags: Sequence[Number]) -> Value:
    """Share of all result triples that only the model's own developer reports.

    >>> first_party_only_rate([1, 0])
    Fraction(1, 2)
    """
    return share(flags, "no triples")


@d.metric(
    key="multi_party_rate",
    name="Share of triples with more than one report",
    symbol=r"\bar{m}_{\mathrm{P}}",
    column="Multi-party",
    sub="share of triples",
    range=(0, 1),
    clause="signals#provenance-rates",
    of=(),
    formula=r"\frac{1}{|X|} \sum_{x \in X} \mathrm{MP}(x)",
)
def multi_party_rate(flags: Sequence[Number]) -> Value:
    """Share of all result triples with more than one report.

    >>> multi_party_rate([])
    Undefined(reason='no triples')
    """
    return share(flags, "no triples")


@d.metric(
    key="variant_spread",
    name="Spread over setups",
    symbol=r"\Delta_{\mathrm{var}}(x)",
    column="Spread",
    sub="over setups",
    range=(0, None),
    clause="signals#variant-divergence",
    of=TRIPLE,
    formula=r"\frac{\max_{v \in V(x)} \sigma(v) - \min_{v \in V(x)} \sigma(v)}{\mu_{\max}(x) - \mu_{\min}(x)}",
    needs="u(x) = 1",
)
def variant_spread(scores: Sequence[Fraction], scale: Value) -> Value:
    """Distance between the highest and the lowest score over the reported setups, as a share of the metric's scale.

    >>> variant_spread([Fraction(55, 100), Fraction(50, 100)], Fraction(1))
    Fraction(1, 20)
    """
    if isinstance(scale, Undefined):
        return scale
    return (max(scores) - min(scores)) / Fraction(scale)


@d.metric(
    key="variant_divergence",
    name="Variant divergence",
    symbol=r"D_{\mathrm{var}}(x)",
    column="Diverges",
    sub="over setups",
    range=(0, 1),
    decimals=0,
    clause="signals#variant-divergence",
    of=TRIPLE,
    formula=r"\begin{cases} 1 & \text{if } |V(x)| > 1 \text{ and } \Delta_{\mathrm{var}}(x) > \theta(x) \\ "
    r"0 & \text{otherwise} \end{cases}",
)
def variant_divergence(spread: Value, threshold: Fraction, groups: int) -> Value:
    """1 if several setups are reported and their scores lie further apart than the threshold. Equal is not further.

    >>> variant_divergence(Fraction(55, 100) - Fraction(50, 100), Fraction(5, 100), 2)
    0
    >>> variant_divergence(Undefined("no range"), Fraction(5, 100), 1)
    0
    """
    if groups <= 1:
        return 0
    return spread if isinstance(spread, Undefined) else int(spread > threshold)


d.define(
    r"\Delta_{\mathrm{in}}(x, p)",
    r"\frac{\max_{v \in V(x, p)} \sigma(v) - \min_{v \in V(x, p)} \sigma(v)}{\mu_{\max}(x) - \mu_{\min}(x)}",
    "spread over the setups of party p, as a share of the metric's scale",
    needs="u(x) = 1",
)


@d.metric(
    key="within_party_spread",
    name="Largest spread over the setups of one party",
    symbol=r"\Delta_{\mathrm{in}}(x)",
    column="Spread",
    sub="within a party",
    range=(0, None),
    clause="signals#variant-divergence",
    of=TRIPLE,
    formula=r"\max_{p \in P(x)} \Delta_{\mathrm{in}}(x, p)",
)
def within_party_spread(scores: Sequence[Sequence[Fraction]], scale: Value) -> Value:
    """The same distance over the setups that one party reports, for the party where it is largest.

    >>> within_party_spread([[Fraction(1)], [Fraction(1, 2), Fraction(1, 4)]], Fraction(1))
    Fraction(1, 4)
    """
    if isinstance(scale, Undefined):
        return scale
    return max(max(of_party) - min(of_party) for of_party in scores) / Fraction(scale)


@d.metric(
    key="within_party_divergence",
    name="Variant divergence within a party",
    symbol=r"D_{\mathrm{in}}(x)",
    column="Diverges",
    sub="within a party",
    range=(0, 1),
    decimals=0,
    clause="signals#variant-divergence",
    of=TRIPLE,
    formula=r"\begin{cases} 1 & \text{if } \max_{p \in P(x)} |V(x, p)| > 1 \text{ and } "
    r"\Delta_{\mathrm{in}}(x) > \theta(x) \\ 0 & \text{otherwise} \end{cases}",
)
def within_party_divergence(spread: Value, threshold: Fraction, groups: int) -> Value:
    """1 if one party reports several setups whose scores lie further apart than the threshold.

    >>> within_party_divergence(Fraction(6, 100), Fraction(5, 100), 2)
    1
    """
    return variant_divergence(spread, threshold, groups)


@d.metric(
    key="party_score",
    name="Score of a party",
    symbol=r"\bar{s}(x, p)",
    column="Score",
    sub="of the party",
    range=(None, None),
    clause="signals#cross-party-divergence",
    of=(*TRIPLE, "party"),
    formula=r"\operatorname*{mean}_{v \in V(x, p)} \sigma(v)",
)
def party_score(scores: Sequence[Fraction]) -> Value:
    """Mean over the setups that a party reports, each setup once however often it was run.

    >>> party_score([Fraction(1, 2), Fraction(1)])
    Fraction(3, 4)
    """
    return share(scores, "no setups")


@d.metric(
    key="cross_party_spread",
    name="Spread over parties",
    symbol=r"\Delta_{\mathrm{cp}}(x)",
    column="Spread",
    sub="over parties",
    range=(0, None),
    clause="signals#cross-party-divergence",
    of=TRIPLE,
    formula=r"\frac{\max_{p \in P(x)} \bar{s}(x, p) - \min_{p \in P(x)} \bar{s}(x, p)}{\mu_{\max}(x) - \mu_{\min}(x)}",
    needs="u(x) = 1",
)
def cross_party_spread(scores: Sequence[Fraction], scale: Value) -> Value:
    """Distance between the highest and the lowest score of a party, as a share of the metric's scale.

    >>> cross_party_spread([Fraction(9), Fraction(10)], Fraction(100))
    Fraction(1, 100)
    """
    return variant_spread(scores, scale)


@d.metric(
    key="cross_party_divergence",
    name="Cross-party divergence",
    symbol=r"D_{\mathrm{cp}}(x)",
    column="Diverges",
    sub="over parties",
    range=(0, 1),
    decimals=0,
    clause="signals#cross-party-divergence",
    of=TRIPLE,
    formula=r"\begin{cases} 1 & \text{if } |P(x)| > 1 \text{ and } \Delta_{\mathrm{cp}}(x) > \theta(x) \\ "
    r"0 & \text{otherwise} \end{cases}",
)
def cross_party_divergence(spread: Value, threshold: Fraction, groups: int) -> Value:
    """1 if several parties report the triple and their scores lie further apart than the threshold.

    >>> cross_party_divergence(Fraction(1, 100), Fraction(5, 100), 2)
    0
    """
    return variant_divergence(spread, threshold, groups)


@d.metric(
    key="comparability",
    name="Comparability flag",
    symbol=r"D_{\mathrm{comp}}(x)",
    column="Combined",
    range=(0, 1),
    decimals=0,
    clause="signals#comparability",
    of=TRIPLE,
    formula=r"\max(D_{\mathrm{var}}(x), D_{\mathrm{cp}}(x))",
)
def comparability(variants: Value, parties: Value) -> Value:
    """1 if the reported scores diverge over setups or over parties: they should not be compared as they stand.

    >>> comparability(0, 1), comparability(Undefined("no range"), 0)
    (1, Undefined(reason='no range'))
    """
    for value in (variants, parties):
        if isinstance(value, Undefined):
            return value
    return max(variants, parties)  # type: ignore[type-var]


d.define(r"X_{\mathrm{var}}", r"\{ x \in X : |V(x)| > 1 \text{ and } u(x) = 1 \}", "triples with several setups")
d.define(r"X_{\mathrm{cp}}", r"\{ x \in X : |P(x)| > 1 \text{ and } u(x) = 1 \}", "triples with several parties")
d.define(
    r"X_{\mathrm{comp}}",
    r"\{ x \in X : (|V(x)| > 1 \text{ or } |P(x)| > 1) \text{ and } u(x) = 1 \}",
    "triples with several setups or parties",
)


@d.metric(
    key="variant_divergence_rate",
    name="Share of triples that diverge over setups",
    symbol=r"\bar{d}_{\mathrm{var}}",
    column="Diverging",
    sub="over setups",
    range=(0, 1),
    clause="signals#comparability-rates",
    of=(),
    formula=r"\frac{\#\{ x \in X_{\mathrm{var}} : D_{\mathrm{var}}(x) = 1 \}}{|X_{\mathrm{var}}|}",
)
def variant_divergence_rate(flags: Sequence[Number]) -> Value:
    """Share of the triples with several setups and a usable range whose scores diverge over the setups.

    >>> variant_divergence_rate([])
    Undefined(reason='no triple has several setups and a usable range')
    """
    return share(flags, "no triple has several setups and a usable range")


@d.metric(
    key="cross_party_divergence_rate",
    name="Share of triples that diverge over parties",
    symbol=r"\bar{d}_{\mathrm{cp}}",
    column="Diverging",
    sub="over parties",
    range=(0, 1),
    clause="signals#comparability-rates",
    of=(),
    formula=r"\frac{\#\{ x \in X_{\mathrm{cp}} : D_{\mathrm{cp}}(x) = 1 \}}{|X_{\mathrm{cp}}|}",
)
def cross_party_divergence_rate(flags: Sequence[Number]) -> Value:
    """Share of the triples with several parties and a usable range whose scores diverge over the parties.

    >>> cross_party_divergence_rate([1, 0, 0, 0])
    Fraction(1, 4)
    """
    return share(flags, "no triple has several parties and a usable range")


@d.metric(
    key="comparability_rate",
    name="Share of triples that diverge",
    symbol=r"\bar{d}_{\mathrm{comp}}",
    column="Diverging",
    sub="either way",
    range=(0, 1),
    clause="signals#comparability-rates",
    of=(),
    formula=r"\frac{\#\{ x \in X_{\mathrm{comp}} : D_{\mathrm{comp}}(x) = 1 \}}{|X_{\mathrm{comp}}|}",
)
def comparability_rate(flags: Sequence[Number]) -> Value:
    """Share of the triples with several setups or parties and a usable range whose scores diverge either way.

    >>> comparability_rate([1, 1])
    Fraction(1, 1)
    """
    return share(flags, "no triple has several setups or parties and a usable range")
