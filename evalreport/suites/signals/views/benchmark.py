"""A benchmark: its card field by field with file and path, and the results on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from evalreport.core.table import Badge, Cell, Column, Missing, RowGroup, Table, Text
from evalreport.core.words import decimal, many, printed
from evalreport.report.facts import Fact
from evalreport.suites.signals.catalogue import Field, completeness_fields
from evalreport.suites.signals.evidence import Evidence, completeness
from evalreport.suites.signals.pages import number_address
from evalreport.suites.signals.results import BenchmarkResult, SignalsResults, TripleResult
from evalreport.suites.signals.views.cells import (
    flag_link,
    listed,
    of_all,
    party_words,
    rows,
    score_words,
    table_id,
)
from evalreport.suites.signals.views.comparability import flag_words
from evalreport.suites.signals.views.completeness import last_name, sections

FIELDS = len(completeness_fields().fields)


def results_on(results: SignalsResults, one: BenchmarkResult) -> tuple[TripleResult, ...]:
    """The triples of a benchmark, by name."""
    return tuple(t for t in results.triples if t.triple.canonical == one.benchmark.name)


def facts(results: SignalsResults, one: BenchmarkResult) -> tuple[Fact, ...]:
    """Completeness, strict and literal, missing fields, the card, the results."""

    def where(key: str) -> str:
        return number_address(results, f"signals.{key}", (("benchmark", one.benchmark.name),))

    card = one.benchmark.card
    found = results_on(results, one)
    return (
        Fact("Completeness, strict", printed(one.strict), f"{_fields(one)} populated", where("completeness")),
        Fact("Literal", printed(one.literal), "placeholders count", where("completeness_literal")),
        Fact("Missing fields", f"{one.missing} of {FIELDS}", "", where("missing_fields")),
        Fact("Card", card.name if card else "–", card.path if card else "no card has this name"),
        Fact("Results", f"{len(found):,}", many(one.benchmark.records, "record")),
    )


def _fields(one: BenchmarkResult) -> str:
    return f"{decimal(sum(one.fields, Fraction()))} of {FIELDS} fields"


def card(one: BenchmarkResult) -> Table:
    """The 28 fields of a benchmark: populated or not, what stands there, in which file and where."""

    def lines(field: Field) -> Iterator[tuple[Cell, ...]]:
        found = completeness(one.benchmark, field)
        for part in found:
            name = last_name(field) if len(found) == 1 else part.about
            yield Text(name), _verdict(part), *_where(part)

    values = zip(completeness_fields().fields, one.fields, strict=True)
    parts = "".join(f" The sub-items of {field.name} count {value}." for field, value in values if 0 < value < 1)
    populated = sum(value == 1 for value in one.fields)
    return Table(
        id=table_id("card", one.benchmark.name),
        finding=f"{of_all(populated, FIELDS, 'field', verb='is/are')} populated,"
        f" {one.missing} {'is' if one.missing == 1 else 'are'} missing.",
        text=f"What stands there, and in which file.{parts}",
        columns=(
            Column("field", "Field", sticky=True, sortable=False),
            Column("verdict", "Populated", sortable=False),
            Column("value", "What stands there", wrap=True, sortable=False),
            Column("where", "File and path", wrap=True, sortable=False),
        ),
        groups=tuple(
            RowGroup(title, rows([line for field in fields for line in lines(field)])) for title, fields in sections()
        ),
        wide=True,
    )


def _verdict(part: Evidence) -> Badge:
    if part.value is None:
        return Badge("dashed", "no", part.note)
    return Badge("dashed", "placeholder", part.note) if part.note else Badge("plain", "yes")


def _where(part: Evidence) -> tuple[Cell, Cell]:
    value: Cell = Missing(part.note) if part.value is None else Text(part.value)
    return value, Text(part.file, part.path) if part.file else Missing(part.note)


def results_table(results: SignalsResults, one: BenchmarkResult) -> Table:
    """The results on a benchmark, with the flags of three signals, each leading to its evidence."""
    found = results_on(results, one)

    def row(t: TripleResult) -> tuple[Cell, ...]:
        compared: Cell = (
            Missing("one setup and one party")
            if t.status == "not applicable"
            else flag_link(results, t, "comparability", flag_words(t))
        )
        return (
            Text(t.triple.model),
            Text(t.triple.path, t.triple.split),
            Text(t.triple.metric),
            Text(score_words(t)),
            replace(flag_link(results, t, "reproducibility", "gap" if t.gap else "no gap"), detail=_open_items(t)),
            flag_link(results, t, "provenance", party_words(t.parties)),
            compared,
        )

    gaps = sum(t.gap for t in found)
    more = f" The first {len(listed(found)):,} of {len(found):,}." if len(found) > len(listed(found)) else ""
    return Table(
        id=table_id("results", one.benchmark.name),
        finding=f"{of_all(gaps, len(found), 'result', verb='has/have')} a reproducibility gap.",
        text=f"By model. Scores stand on the metric's own scale; they are not compared across metrics.{more}",
        columns=(
            Column("model", "Model", sticky=True),
            Column("path", "Path", "split", wrap=True),
            Column("metric", "Metric"),
            Column("score", "Score", "as reported", "r", sortable=False),
            Column("gap", "Reproducibility", "to its evidence"),
            Column("parties", "Reported by", "to its evidence"),
            Column("compared", "Comparability", "to its evidence"),
        ),
        groups=(RowGroup("", rows([row(t) for t in listed(found)])),),
        empty="No result on this benchmark has a score.",
        wide=True,
    )


def _open_items(t: TripleResult) -> str:
    return f"{len(t.undisclosed)} of {many(len(t.applicable), 'item')}" if t.gap else ""


def risk_words(one: BenchmarkResult) -> str:
    """The risk categories of the card, or that there are none."""
    if one.benchmark.card is None:
        return "This benchmark has no card, so nothing is known of its risks."
    if not one.benchmark.risks:
        return "The card names no risks."
    return f"Risk categories of the card, as cues for attention: {', '.join(one.benchmark.risks)}."
