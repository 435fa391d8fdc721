"""The CSV files of the signals, each with its denominators."""

from __future__ import annotations

from collections.abc import Iterator

from evalreport.core.exact import Number, Undefined, Value, csv_text
from evalreport.core.suite import CsvTable
from evalreport.formats.eee import End
from evalreport.suites.signals.catalogue import completeness_fields
from evalreport.suites.signals.results import SignalsResults, TripleResult


def csv_tables(results: SignalsResults) -> tuple[CsvTable, ...]:
    """One row a tuple, an item, a benchmark, a field, a triple, a figure of the corpus; sorted by name."""
    sources = completeness_fields().sources
    return (
        CsvTable(
            "reproducibility",
            ("model", "benchmark", "split", "metric", "applicable", "disclosed", "undisclosed", "gap"),
            tuple(_reproducibility(triple) for triple in results.triples),
        ),
        CsvTable(
            "reproducibility_items",
            ("item", "applicable_tuples", "undisclosed_tuples", "share"),
            tuple((i.item.key, str(i.applicable), str(i.undisclosed), csv_text(i.share)) for i in results.items),
        ),
        CsvTable(
            "completeness",
            ("benchmark", "strict", "literal", "missing", "card"),
            tuple(
                (
                    *(one.benchmark.name, csv_text(one.strict), csv_text(one.literal), str(one.missing)),
                    one.benchmark.card.name if one.benchmark.card else "",
                )
                for one in results.benchmarks
            ),
        ),
        CsvTable(
            "completeness_fields",
            ("field", "source", "coverage", "population_strict", "population_literal"),
            tuple(
                (
                    *(one.field.name, sources[one.field.source], one.field.coverage),
                    *(csv_text(one.strict), csv_text(one.literal)),
                )
                for one in results.fields
            ),
        ),
        CsvTable(
            "provenance",
            ("model", "benchmark", "metric", "records", "organisations", "first_party_only", "multi_party"),
            tuple(_provenance(triple) for triple in results.triples),
        ),
        CsvTable(
            "comparability",
            (
                *("model", "benchmark", "metric", "variants", "parties", "variant_spread", "cross_party_spread"),
                *("range_min", "range_max", "variant_divergence", "cross_party_divergence", "combined"),
                *("differing_fields", "status"),
            ),
            tuple(_comparability(triple) for triple in results.triples),
        ),
        CsvTable("corpus", ("figure", "of", "value", "n", "total", "denominator"), tuple(_corpus(results))),
    )


def _reproducibility(found: TripleResult) -> tuple[str, ...]:
    triple = found.triple
    lists = (";".join(keys) for keys in (found.applicable, found.disclosed, found.undisclosed))
    return (triple.model, triple.path, triple.split, triple.metric, *lists, _truth(found.gap))


def _provenance(found: TripleResult) -> tuple[str, ...]:
    triple = found.triple
    counts = (str(len(found.reports)), str(len(found.organisations)))
    return (
        *(triple.model, triple.benchmark, triple.metric, *counts),
        *(_truth(found.first_party_only), _truth(found.multi_party)),
    )


def _comparability(found: TripleResult) -> tuple[str, ...]:
    triple, setups, parties = found.triple, found.over_setups, found.over_parties
    return (
        *(triple.model, triple.benchmark, triple.metric, str(setups.groups), str(parties.groups)),
        *(csv_text(setups.spread), csv_text(parties.spread), _end(found.low), _end(found.high)),
        *(_truth(setups.flag), _truth(parties.flag), _truth(found.combined)),
        *(";".join(found.differing_fields), found.status),
    )


def _corpus(results: SignalsResults) -> Iterator[tuple[str, ...]]:
    records, triples = results.records, results.triples
    for rate in results.rates:
        yield rate.metric, "", csv_text(rate.value), str(rate.n), str(rate.of), rate.denominator
    yield _threshold("", results.theta)
    for metric, threshold in results.thresholds.items():
        yield _threshold(metric, threshold)
    for version, count in records.records.items():
        yield _count("records", version, count, sum(records.records.values()), "records")
    rescrapes = sum(len(triple.rescrapes) for triple in triples)
    yield _count("rescrapes", "", rescrapes, len(records.reports), "results with a score")
    results_read = len(records.reports) + len(records.no_score)
    yield _count("results_without_score", "", len(records.no_score), results_read, "results")
    unmatched = len(records.unmatched_benchmarks)
    yield _count("benchmarks_without_card", "", unmatched, len(results.benchmarks), "benchmarks")
    for card in records.unmatched_cards:
        yield _count("card_without_benchmark", card.name, 1, len(records.unmatched_cards), "cards without benchmark")
    for status in ("computed", "not applicable", "not computable"):
        count = sum(triple.status == status for triple in triples)
        yield _count("comparability_status", status, count, len(triples), "result triples")


def _threshold(metric: str, threshold: Number) -> tuple[str, ...]:
    return "divergence_threshold", metric, csv_text(threshold), "", "", "share of the metric's scale"


def _count(figure: str, of: str, n: int, total: int, denominator: str) -> tuple[str, ...]:
    return figure, of, str(n), str(n), str(total), denominator


def _end(end: End) -> str:
    return "" if end is None else end if isinstance(end, str) else csv_text(end)


def _truth(value: Value) -> str:
    return "" if isinstance(value, Undefined) else str(bool(value))
