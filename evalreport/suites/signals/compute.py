"""From records to results: reports are grouped to triples, then the corpus is counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

from evalreport.core.exact import Number, Undefined, Value, number_of
from evalreport.core.suite import Settings
from evalreport.formats.eee import End, Relationship
from evalreport.suites.signals import metrics, metrics_reports
from evalreport.suites.signals.catalogue import completeness_fields, setup_items
from evalreport.suites.signals.populated import folded
from evalreport.suites.signals.records import Benchmark, Report, Setup, SignalsRecords, Triple
from evalreport.suites.signals.results import (
    BenchmarkResult,
    Divergence,
    FieldResult,
    ItemResult,
    Rate,
    SignalsResults,
    TripleResult,
    Variant,
)
from evalreport.suites.signals.scale import common_range


def compute(records: SignalsRecords, settings: Settings) -> SignalsResults:
    """The four signals of a corpus. Pure; the same records in any order and partition give the same results."""
    theta = settings.fraction("theta")
    undisclosed = _Undisclosed()
    triples = tuple(
        _triple(triple, tuple(reports), records.thresholds.get(triple.metric, theta), undisclosed)
        for triple, reports in groupby(records.reports, key=lambda report: report.triple)
    )
    benchmarks = tuple(_benchmark(benchmark) for benchmark in records.benchmarks.values())
    return SignalsResults(
        records, theta, triples, benchmarks, _items(triples), _fields(benchmarks), tuple(_rates(triples, benchmarks))
    )


def disclosed_items(setup: Setup) -> tuple[str, ...]:
    """The keys of the setup items, applicable or not, that a setup discloses, in reading order."""
    return tuple(item.key for item in setup_items().items if any(name in setup.values for name in item.fields))


class _Undisclosed:
    """Which applicable items a setup leaves undisclosed; looked up once for each setup."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Setup, tuple[str, ...]]] = {}

    def __call__(self, setup: Setup) -> tuple[str, ...]:
        if id(setup) not in self._known:
            disclosed = set(disclosed_items(setup))
            self._known[id(setup)] = setup, tuple(key for key in setup.applicable if key not in disclosed)
        return self._known[id(setup)][1]


def _triple(
    triple: Triple, found: tuple[Report, ...], threshold: Fraction, undisclosed_by: _Undisclosed
) -> TripleResult:
    reports, rescrapes = _once(found)
    open_items = [undisclosed_by(report.setup) for report in reports]
    asked = {key for report in reports for key in report.setup.applicable}
    left_open = {key for keys in open_items for key in keys}
    # Which of several scrapes is kept depends on how files are called: names and ranges are taken from all of them.
    organisations: dict[str, str] = {}
    for report in found:
        if report.source.known:
            name = folded(report.source.organisation)
            organisations[name] = min(report.source.organisation, organisations.get(name, report.source.organisation))
    variants = _variants(reports)
    by_party: dict[Relationship, tuple[Variant, ...]] = {
        party: _variants([report for report in reports if report.source.relationship == party])
        for party in sorted({report.source.relationship for report in reports})
    }
    party_scores = {party: number_of(metrics_reports.party_score(_scores(own))) for party, own in by_party.items()}
    ends = common_range(found)
    scale: Value = ends if isinstance(ends, Undefined) else ends[1] - ends[0]
    over_setups = _divergence(metrics_reports.variant_spread(_scores(variants), scale), threshold, len(variants))
    within = metrics_reports.within_party_spread([_scores(own) for own in by_party.values()], scale)
    over_parties = metrics_reports.cross_party_spread(list(party_scores.values()), scale)
    cross = _divergence(over_parties, threshold, len(by_party))
    return TripleResult(
        triple,
        reports,
        rescrapes,
        tuple(key for key in setup_items().keys if key in asked),
        tuple(key for key in setup_items().keys if key in asked - left_open),
        tuple(key for key in setup_items().keys if key in left_open),
        int(number_of(metrics.reproducibility_gap(open_items))),
        tuple(name for _, name in sorted(organisations.items())),
        metrics_reports.first_party_only([*by_party]),
        metrics_reports.multi_party(metrics_reports.reports(reports)),
        _common([report.low for report in found]),
        _common([report.high for report in found]),
        scale,
        threshold,
        variants,
        by_party,
        party_scores,
        over_setups,
        _divergence(within, threshold, max(map(len, by_party.values()))),
        cross,
        metrics_reports.comparability(over_setups.flag, cross.flag),
        _differing(variants),
    )


def _once(found: Sequence[Report]) -> tuple[tuple[Report, ...], tuple[Report, ...]]:
    """The reports, and those among them that say again what another has said: same source, setup and score."""
    if len(found) == 1:
        return tuple(found), ()
    kept: dict[object, Report] = {}
    again = []
    for report in found:
        source = report.source
        key = (
            folded(source.name),
            folded(source.organisation),
            source.relationship,
            report.setup.variant,
            report.score,
        )
        if kept.setdefault(key, report) is not report:
            again.append(report)
    return tuple(kept.values()), tuple(again)


def _variants(reports: Sequence[Report]) -> tuple[Variant, ...]:
    if len(reports) == 1:
        return (Variant(reports[0].setup.variant, reports[0].score, tuple(reports)),)
    grouped: dict[tuple[tuple[str, str], ...], list[Report]] = defaultdict(list)
    for report in reports:
        grouped[report.setup.variant].append(report)
    return tuple(
        Variant(settings, Fraction(sum(report.score for report in same)) / len(same), tuple(same))
        for settings, same in sorted(grouped.items())
    )


def _scores(variants: Sequence[Variant]) -> list[Fraction]:
    return [variant.score for variant in variants]


def _divergence(spread: Value, threshold: Fraction, groups: int) -> Divergence:
    return Divergence(spread, metrics_reports.variant_divergence(spread, threshold, groups), groups)


def _differing(variants: Sequence[Variant]) -> tuple[str, ...]:
    if len(variants) <= 1:
        return ()
    said = [dict(variant.settings) for variant in variants]
    names = sorted({name for settings in said for name in settings})
    return tuple(name for name in names if len({settings.get(name) for settings in said}) > 1)


def _common(ends: Sequence[End]) -> End:
    return ends[0] if len(set(ends)) == 1 else None


def _benchmark(benchmark: Benchmark) -> BenchmarkResult:
    strict, literal = [], []
    for wanted in completeness_fields().fields:
        found = [benchmark.filled.get(part) for part in wanted.parts]
        literal.append(Fraction(sum(value is not None for value in found), len(found)))
        strict.append(Fraction(sum(value is not None and value.real for value in found), len(found)))
    return BenchmarkResult(
        benchmark,
        metrics.completeness(strict),
        metrics.completeness_literal(literal),
        metrics.missing_fields(strict),
        tuple(strict),
        tuple(literal),
    )


def _items(triples: Sequence[TripleResult]) -> tuple[ItemResult, ...]:
    applies = Counter(key for triple in triples for key in triple.applicable)
    left_open = Counter(key for triple in triples for key in triple.undisclosed)
    return tuple(
        ItemResult(
            item,
            applies[item.key],
            left_open[item.key],
            metrics.undisclosed_share([item.key in triple.undisclosed for triple in triples]),
            metrics.undisclosed_where_applicable(left_open[item.key], applies[item.key]),
        )
        for item in setup_items().items
    )


def _fields(benchmarks: Sequence[BenchmarkResult]) -> tuple[FieldResult, ...]:
    return tuple(
        FieldResult(
            wanted,
            metrics.population_rate([benchmark.fields[at] for benchmark in benchmarks]),
            metrics.population_rate_literal([benchmark.fields_literal[at] for benchmark in benchmarks]),
        )
        for at, wanted in enumerate(completeness_fields().fields)
    )


def _rates(triples: Sequence[TripleResult], benchmarks: Sequence[BenchmarkResult]) -> Iterator[Rate]:
    gaps = [triple.gap for triple in triples]
    yield _rate("gap_rate", metrics.gap_rate(gaps), gaps, "tuples with a score")
    strict, literal = ([number_of(b.strict) for b in benchmarks], [number_of(b.literal) for b in benchmarks])
    count = len(benchmarks)
    yield Rate("median_completeness", metrics.median_completeness(strict), count, count, "benchmarks")
    yield Rate("median_completeness_literal", metrics.median_completeness_literal(literal), count, count, "benchmarks")
    for key, rate, flags in (
        ("first_party_only_rate", metrics_reports.first_party_only_rate, [t.first_party_only for t in triples]),
        ("multi_party_rate", metrics_reports.multi_party_rate, [t.multi_party for t in triples]),
    ):
        yield _rate(key, rate(flags), flags, "result triples")
    over: Mapping[str, list[Number]] = {
        "setups": _computed([triple.over_setups for triple in triples]),
        "parties": _computed([triple.over_parties for triple in triples]),
        "setups or parties": [
            triple.combined
            for triple in triples
            if max(triple.over_setups.groups, triple.over_parties.groups) > 1
            and not isinstance(triple.combined, Undefined)
        ],
    }
    for what, key, rate in (
        ("setups", "variant_divergence_rate", metrics_reports.variant_divergence_rate),
        ("parties", "cross_party_divergence_rate", metrics_reports.cross_party_divergence_rate),
        ("setups or parties", "comparability_rate", metrics_reports.comparability_rate),
    ):
        yield _rate(key, rate(over[what]), over[what], f"triples with several {what} and a usable range")


def _computed(found: Sequence[Divergence]) -> list[Number]:
    return [one.flag for one in found if one.groups > 1 and not isinstance(one.flag, Undefined)]


def _rate(key: str, value: Value, flags: Sequence[Number], denominator: str) -> Rate:
    return Rate(key, value, int(sum(flags)), len(flags), denominator)
