"""Beside every published number: its printed formula, evaluated over the reports without the code that made it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from evalreport.core.exact import Number, Undefined
from evalreport.core.formula import Evaluation, Weighted
from evalreport.core.suite import AuditEntry, RecordTable, ResultValue
from evalreport.formats.eee import Relationship, decimal_text
from evalreport.suites.signals.catalogue import completeness_fields, setup_items
from evalreport.suites.signals.evidence import completeness
from evalreport.suites.signals.metrics import d
from evalreport.suites.signals.populated import folded
from evalreport.suites.signals.records import Benchmark, Report
from evalreport.suites.signals.results import SignalsResults, TripleResult, Variant
from evalreport.suites.signals.values import result_values, triple_ids

SHOWN = 50  # records shown with a number of the corpus
_FIELDS = {field.name: field for field in completeness_fields().fields}
_BY_ITEM = {item.key: item.fields for item in setup_items().items}
_OF_CARDS = frozenset(
    f"signals.{key}"
    for key in (
        *("completeness", "completeness_literal", "missing_fields"),
        *("median_completeness", "median_completeness_literal", "population_rate", "population_rate_literal"),
    )
)
_OF_THRESHOLD = frozenset(
    {
        "signals.variant_divergence",
        "signals.within_party_divergence",
        "signals.cross_party_divergence",
        "signals.comparability",
        "signals.variant_divergence_rate",
        "signals.cross_party_divergence_rate",
        "signals.comparability_rate",
    }
)


def evaluation(
    triples: Sequence[TripleResult],
    benchmarks: Sequence[Benchmark],
    *,
    theta: Number,
    own: Mapping[str, Number],
    tuples: object = (),
) -> Evaluation:
    """The formulas over reports and benchmarks, with the threshold and those that single metrics have of their own.

    `tuples` are the sets of results of the corpus, see `merged`.
    """

    def populated(f: str, r: Report) -> int:
        return int(f in r.setup.values)

    def strict(f: str, b: Benchmark) -> int:
        return int(f in b.filled and b.filled[f].real)

    def of_party(x: TripleResult, p: Relationship) -> tuple[Variant, ...]:
        return x.by_party[p]

    def end(x: TripleResult, low_or_high: object) -> Fraction:
        return Fraction(0) if isinstance(x.scale, Undefined) or not isinstance(low_or_high, Fraction) else low_or_high

    return d.notation().over(
        {
            r"\mathrm{pop}(f, r)": populated,
            "F(k)": _BY_ITEM.__getitem__,
            "A(r)": lambda r: r.setup.applicable,
            r"\mathcal{T}": tuples,
            "F": tuple(_FIELDS),
            r"\mathrm{pop}_{\mathrm{B}}(f, b)": strict,
            r"\mathrm{lit}_{\mathrm{B}}(f, b)": lambda f, b: int(f in b.filled),
            r"\tau(f)": lambda f: _FIELDS[f].coverage,
            r"\mathrm{sub}(f)": lambda f: _FIELDS[f].sub,
            "B": tuple(benchmarks),
            "X": tuple(triples),
            "R(x)": lambda x: x.reports,
            r"\rho(r)": lambda r: r.source.relationship,
            r"\mathrm{org}(r)": lambda r: folded(r.source.organisation),
            r"\mathrm{named}(r)": lambda r: int(r.source.known),
            "V(x)": lambda x: x.variants,
            "V(x, p)": of_party,
            r"\sigma(v)": lambda v: v.score,
            "u(x)": lambda x: int(not isinstance(x.scale, Undefined)),
            r"\mu_{\max}(x)": lambda x: end(x, x.high),
            r"\mu_{\min}(x)": lambda x: end(x, x.low),
            r"\theta": theta,
            r"\mathrm{own}(x)": lambda x: int(x.triple.metric in own),
            r"\theta_{\mathrm{own}}(x)": lambda x: own.get(x.triple.metric, theta),
        }
    )


def merged(triples: Sequence[TripleResult]) -> Weighted:
    """The tuples of the corpus, those with the same setups merged: one stands for all of them, with their number."""
    groups: Counter[frozenset[int]] = Counter()
    firsts: dict[frozenset[int], tuple[Report, ...]] = {}
    for triple in triples:
        setups = frozenset(id(report.setup) for report in triple.reports)
        groups[setups] += 1
        firsts.setdefault(setups, triple.reports)
    return Weighted([firsts[setups] for setups in groups], list(groups.values()))


def audit_entries(results: SignalsResults) -> Iterator[AuditEntry]:
    """One entry for each published number. A triple is evaluated by itself, so that the work grows with the corpus."""
    triples = {triple_ids(found.triple): found for found in results.triples}
    benchmarks = {one.benchmark.name: one.benchmark for one in results.benchmarks}
    corpus = evaluation(
        results.triples,
        tuple(benchmarks.values()),
        theta=results.theta,
        own=results.thresholds,
        tuples=merged(results.triples),
    )
    current: tuple[object, Evaluation] | None = None
    for value in result_values(results):
        found = triples.get(value.of[:3])
        if found is not None:
            if current is None or current[0] is not found:
                current = found, evaluation((found,), (), theta=results.theta, own=results.thresholds)
            yield _of_triple(value, found, current[1])
        else:
            yield _of_corpus(value, corpus, benchmarks)


def _of_triple(value: ResultValue, found: TripleResult, over: Evaluation) -> AuditEntry:
    if value.metric == "signals.reproducibility_gap":
        return _entry(value, over, (found.reports,), _setups(found))
    parties = tuple(text for name, text in value.of if name == "party")
    return _entry(value, over, (found, *parties), _reports(found))


def _of_corpus(value: ResultValue, over: Evaluation, benchmarks: Mapping[str, Benchmark]) -> AuditEntry:
    ids = dict(value.of)
    if "benchmark" in ids:
        return _entry(value, over, (benchmarks[ids["benchmark"]],), _filled(benchmarks[ids["benchmark"]]))
    return _entry(value, over, tuple(ids.values()), None)


def _entry(value: ResultValue, over: Evaluation, args: tuple[object, ...], records: RecordTable | None) -> AuditEntry:
    of_threshold = ("theta", "mapping") if value.metric in _OF_THRESHOLD else ()
    settings = ("cards", "mapping") if value.metric in _OF_CARDS else of_threshold
    return AuditEntry(d.metrics[value.metric], value.of, value.value, over, args, records, settings)


def _setups(found: TripleResult) -> RecordTable:
    def fields(report: Report, key: str) -> str:
        names = [name for name in _BY_ITEM[key] if name in report.setup.values]
        return ", ".join(names) if names else "undisclosed" if key in report.setup.applicable else "not applicable"

    return RecordTable(
        ("file", *_BY_ITEM),
        tuple((report.where, *(fields(report, key) for key in _BY_ITEM)) for report in found.reports),
    )


def _reports(found: TripleResult) -> RecordTable:
    rows = []
    for number, variant in enumerate(found.variants, 1):
        rows += [
            (
                report.where,
                report.source.relationship,
                report.source.organisation,
                f"{number}",
                decimal_text(report.score),
            )
            for report in variant.reports
        ]
    return RecordTable(("file", "relationship", "organisation", "setup", "score"), tuple(rows))


def _filled(benchmark: Benchmark) -> RecordTable:
    rows = [
        (one.about, one.file, one.path, one.value or "", one.note)
        for field in _FIELDS.values()
        for one in completeness(benchmark, field)
    ]
    return RecordTable(("field", "file", "path", "value", "note"), tuple(rows))
