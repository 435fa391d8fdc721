"""The corpus in a few numbers: the headline of the start page, the facts below the titles, what no card belongs to."""

from __future__ import annotations

from evalreport.core.exact import Undefined
from evalreport.core.table import Cell, Code, Column, Count, Missing, RowGroup, Table, Text
from evalreport.core.words import decimal, many, printed
from evalreport.report.facts import Fact
from evalreport.suites.signals.pages import number_address
from evalreport.suites.signals.results import Rate, SignalsResults
from evalreport.suites.signals.views.cells import (
    FILES,
    NO_GRADE,
    benchmark_name,
    metric,
    number,
    of_all,
    rows,
    table_id,
)

# The figures of the corpus signal by signal: its page, its name, its figures.
SIGNALS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("reproducibility", "Reproducibility", ("gap_rate",)),
    ("completeness", "Completeness", ("median_completeness", "median_completeness_literal")),
    ("provenance", "Provenance", ("first_party_only_rate", "multi_party_rate")),
    (
        "comparability",
        "Comparability",
        ("variant_divergence_rate", "cross_party_divergence_rate", "comparability_rate"),
    ),
)


def rate_of(results: SignalsResults, key: str) -> Rate:
    """A figure of the corpus."""
    return next(rate for rate in results.rates if rate.metric == key)


def headline(results: SignalsResults) -> Table:
    """The table of the book's start page: each figure of the corpus with its denominator."""
    cells = [
        (Text(name, href=f"signals/{page}"), Text(metric(key).name), *_figure(results, rate_of(results, key)))
        for page, name, keys in SIGNALS
        for key in keys
    ]
    gaps = rate_of(results, "gap_rate")
    return Table(
        id=table_id("headline"),
        finding=f"{_gap_words(gaps)} {NO_GRADE}",
        text=f"Four signals of how {many(len(results.triples), 'result')} on"
        f" {many(len(results.benchmarks), 'benchmark')} are reported. A dash means “no value”, never 0.",
        columns=(
            Column("signal", "Signal", sticky=True, sortable=False),
            Column("figure", "Figure", sortable=False, wrap=True),
            Column("value", "Value", align="r", sortable=False),
            Column("count", "Count", align="r", sortable=False),
            Column("of", "Of", sortable=False, wrap=True),
        ),
        groups=(RowGroup("", rows(cells)),),
        downloads=(("CSV", f"{FILES}/corpus.csv"), ("JSON", f"{FILES}/results.json")),
        compact=True,
    )


def _figure(results: SignalsResults, rate: Rate) -> tuple[Cell, ...]:
    counted = not rate.metric.startswith("median")
    count: Cell = Count(rate.n, rate.of) if counted and rate.of else Count(rate.of)
    value: Cell = number(results, rate.metric, (), rate.value)
    return value, count, Text(rate.denominator)


def _gap_words(gaps: Rate) -> str:
    return f"{of_all(gaps.n, gaps.of, 'result', verb='leaves/leave')} open how they were made."


def facts(results: SignalsResults, *keys: str) -> tuple[Fact, ...]:
    """The figures of a signal below the title of its page, counts first."""
    return tuple(_fact(results, rate_of(results, key)) for key in keys)


def _fact(results: SignalsResults, rate: Rate) -> Fact:
    name, where = metric(rate.metric).name, number_address(results, f"signals.{rate.metric}", ())
    if isinstance(rate.value, Undefined):
        return Fact(name, "–", f"no {rate.denominator}", where)
    if rate.metric.startswith("median"):
        return Fact(name, printed(rate.value), f"of {many(rate.of, 'benchmark')}", where)
    return Fact(name, f"{rate.n:,} of {rate.of:,}", f"{printed(rate.value)}, {rate.denominator}", where)


def thresholds(results: SignalsResults) -> Table:
    """The divergence thresholds in force."""
    own = results.thresholds
    cells: list[tuple[Cell, ...]] = [
        (Text("every other metric" if own else "every metric"), Code(decimal(results.theta)), Text("setting theta"))
    ]
    cells += [(Text(name), Code(decimal(value)), Text("mapping file")) for name, value in sorted(own.items())]
    return Table(
        id=table_id("thresholds"),
        finding=f"Scores diverge when they lie further apart than {decimal(results.theta)} of the metric's scale"
        + (f", with {many(len(own), 'exception')}." if own else "."),
        text="Equal is not further; both sides are compared exactly.",
        columns=(
            Column("metric", "Metric", sticky=True),
            Column("threshold", "Threshold", "share of the scale", "r"),
            Column("from", "From"),
        ),
        groups=(RowGroup("", rows(cells)),),
        compact=True,
    )


def read_words(results: SignalsResults) -> str:
    """What was read, in two sentences."""
    records = results.records
    count = sum(records.records.values())
    versions = ", ".join(f"{n} of {version}" for version, n in sorted(records.records.items()))
    again = sum(len(found.rescrapes) for found in results.triples)
    without = len(records.no_score)
    return (
        f"{many(count, 'record')} were read (schema versions: {versions}), with"
        f" {many(len(records.reports), 'score')}. {again:,} of them say again what another has said and are counted"
        f" once; {without:,} further {'result states' if without == 1 else 'results state'} no score."
    )


def no_score(results: SignalsResults) -> Table:
    """The results that state no usable score, each with its file, path and reason."""
    found = results.records.no_score
    return Table(
        id=table_id("no-score"),
        finding=f"{many(len(found), 'result')} {'states' if len(found) == 1 else 'state'} no usable score.",
        text="They are in no signal of a result triple; their records count for completeness.",
        columns=(
            Column("file", "File", sticky=True, wrap=True),
            Column("path", "Path", wrap=True),
            Column("why", "Why", wrap=True),
        ),
        groups=(RowGroup("", rows([(Text(x.where), Code(x.path), Text(x.why)) for x in found])),),
        empty="Every result states a score.",
        compact=True,
    )


def unmatched(results: SignalsResults) -> Table:
    """The benchmarks without a card and the cards without a benchmark."""
    none = results.records.unmatched_benchmarks
    cards = results.records.unmatched_cards
    groups = (
        RowGroup(
            "Benchmarks without a card",
            rows([(benchmark_name(results, name), Missing("no card has this name")) for name in none]),
        ),
        RowGroup("Cards without a benchmark", rows([(Text(card.name), Text(card.path)) for card in cards])),
    )
    return Table(
        id=table_id("unmatched"),
        finding=f"{of_all(len(none), len(results.benchmarks), 'benchmark')}"
        f" {'has' if len(none) == 1 else 'have'} no card; {many(len(cards), 'card')}"
        f" {'is' if len(cards) == 1 else 'are'} of no benchmark.",
        text="A card belongs to a benchmark of the same name, read without regard to case, blanks and signs, or to the"
        " one that the mapping file names.",
        columns=(Column("name", "Name", sticky=True, wrap=True), Column("file", "File", wrap=True)),
        groups=groups,
        empty="Every benchmark has a card, and every card a benchmark.",
        compact=True,
    )
