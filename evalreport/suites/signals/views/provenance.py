"""Appendix C: who reports the results, whether anybody else does, and which risks the cards name."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

from evalreport.core.table import Cell, Column, Count, Missing, RowGroup, Table, Text
from evalreport.core.words import many
from evalreport.formats.eee import Relationship
from evalreport.suites.signals.populated import folded
from evalreport.suites.signals.records import Parties
from evalreport.suites.signals.results import BenchmarkResult, SignalsResults, TripleResult
from evalreport.suites.signals.views.cells import (
    FILES,
    PARTIES,
    TRIPLE_COLUMNS,
    benchmark_name,
    cut_words,
    flag_link,
    listed,
    metric,
    of_all,
    party_words,
    rows,
    table_id,
    triple_cells,
    triple_number,
)
from evalreport.suites.signals.views.overview import rate_of


def by_parties(results: SignalsResults) -> tuple[tuple[Parties, int, int], ...]:
    """Who reports, in how many triples with one report and in how many with several; most triples first."""
    found: Counter[Parties] = Counter(t.parties for t in results.triples)
    several = Counter(t.parties for t in results.triples if t.multi_party)
    order = list(PARTIES)

    def key(parties: Parties) -> tuple[int, list[int]]:
        return -found[parties], [order.index(party) for party in parties]

    return tuple((parties, found[parties] - several[parties], several[parties]) for parties in sorted(found, key=key))


def reports_words(results: SignalsResults) -> str:
    """How many triples only the developer reports, and how many have more than one report."""
    own, many_reports = (rate_of(results, f"{key}_rate") for key in ("first_party_only", "multi_party"))
    verb = "has" if many_reports.n == 1 else "have"
    return (
        f"{of_all(own.n, own.of, 'result', verb='is/are')} reported by the model's developer alone;"
        f" {many_reports.n:,} {verb} more than one report."
    )


def triples(results: SignalsResults) -> Table:
    """Every triple with its reports, organisations and parties, each one click away from its evidence."""
    found = results.triples

    def row(t: TripleResult) -> tuple[Cell, ...]:
        return (
            *triple_cells(results, t),
            flag_link(results, t, "provenance", party_words(t.parties)),
            replace(triple_number(results, t, "reports", len(t.reports)), note=_again(t)),
            triple_number(results, t, "organisations", len(t.organisations)),
            Text(", ".join(t.organisations)) if t.organisations else Missing("no organisation is named"),
        )

    return Table(
        id=table_id("provenance"),
        finding=reports_words(results),
        text="More than one report does not mean more than one organisation. “Again”: the same score scraped"
        f" again under the same setup from the same source, counted once.{cut_words(found, 'provenance')}",
        columns=(
            *TRIPLE_COLUMNS,
            Column("parties", "Reported by", "to its evidence"),
            Column.of(metric("reports")),
            Column.of(metric("organisations"), sub="distinct"),
            Column("names", "Named", sortable=False),
        ),
        groups=(RowGroup("", rows([row(t) for t in listed(found)])),),
        downloads=(("CSV", f"{FILES}/provenance.csv"),),
        empty="There is no result with a score.",
        wide=True,
    )


def _again(t: TripleResult) -> str:
    return f"+{len(t.rescrapes)} again" if t.rescrapes else ""


def organisations(results: SignalsResults) -> Table:
    """Every organisation that is named as the source of a report, with what it reports and as which party."""
    names: dict[str, str] = {}
    reports: Counter[str] = Counter()
    triples_of: dict[str, set[int]] = defaultdict(set)
    parties_of: dict[str, set[Relationship]] = defaultdict(set)
    for at, found in enumerate(results.triples):
        for report in found.reports:
            source = report.source
            key = folded(source.organisation) if source.known else ""
            names[key] = min(source.organisation, names.get(key, source.organisation)) if key else ""
            reports[key] += 1
            triples_of[key].add(at)
            parties_of[key].add(source.relationship)

    def row(key: str) -> tuple[Cell, ...]:
        parties = ", ".join(name for party, name in PARTIES.items() if party in parties_of[key])
        name: Cell = Text(names[key]) if key else Missing("no organisation is named")
        return name, Text(parties), Count(reports[key]), Count(len(triples_of[key]))

    named = sorted(key for key in names if key)
    return Table(
        id=table_id("organisations"),
        finding=f"{many(len(named), 'organisation')} {'is' if len(named) == 1 else 'are'} named as a source.",
        text="As the records write them, without regard to case; a placeholder is no organisation. Relationship: to the"
        " developer of the model, as stated.",
        columns=(
            Column("organisation", "Organisation", sticky=True, wrap=True),
            Column("parties", "Relationship", wrap=True),
            Column("reports", "Reports", align="r"),
            Column("triples", "Results", align="r"),
        ),
        groups=(RowGroup("", rows([row(key) for key in (*named, *([""] if "" in names else []))])),),
        empty="There is no report.",
        compact=True,
    )


def risks(results: SignalsResults) -> Table:
    """The risk categories that the cards name: cues for attention, in no number."""

    def row(one: BenchmarkResult) -> tuple[Cell, ...]:
        benchmark = one.benchmark
        reason = "the card names none" if benchmark.card else "no card"
        named: Cell = Text(", ".join(benchmark.risks)) if benchmark.risks else Missing(reason)
        return benchmark_name(results, benchmark.name), Count(len(benchmark.risks)), named

    with_risks = [one for one in results.benchmarks if one.benchmark.card]
    some = sum(bool(one.benchmark.risks) for one in with_risks)
    return Table(
        id=table_id("risks"),
        finding=f"{of_all(some, len(with_risks), 'benchmark')} with a card {'names' if some == 1 else 'name'} risks.",
        text="Cues for attention; they enter no number.",
        columns=(
            Column("benchmark", "Benchmark", sticky=True, wrap=True),
            Column("count", "Categories", align="r"),
            Column("risks", "Risk categories", wrap=True, sortable=False),
        ),
        groups=(RowGroup("", rows([row(one) for one in with_risks])),),
        empty="No benchmark has a card.",
        compact=True,
    )
