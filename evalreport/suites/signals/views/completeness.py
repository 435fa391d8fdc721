"""Appendix B: how many of the 28 fields are populated, benchmark by benchmark and field by field."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from evalreport.core.suite import Ids
from evalreport.core.table import Cell, Column, Count, Missing, RowGroup, Table, Text
from evalreport.core.words import many, printed
from evalreport.suites.signals.catalogue import Field, completeness_fields
from evalreport.suites.signals.results import BenchmarkResult, SignalsResults
from evalreport.suites.signals.views.cells import (
    FILES,
    benchmark_name,
    benchmark_number,
    metric,
    number,
    rows,
    table_id,
)
from evalreport.suites.signals.views.overview import rate_of


@dataclass(frozen=True)
class FieldCounts:
    """In how many benchmarks a field is populated, partly populated, holds a placeholder only, or holds nothing."""

    field: Field
    populated: int
    partly: int
    placeholder: int
    nothing: int


def field_counts(results: SignalsResults) -> tuple[FieldCounts, ...]:
    """Every field with its benchmarks, in the order of the field table."""

    def of(at: int, field: Field) -> FieldCounts:
        both = [(one.fields[at], one.fields_literal[at]) for one in results.benchmarks]
        full = sum(strict == 1 for strict, _ in both)
        partly = sum(0 < strict < 1 for strict, _ in both)
        placeholder = sum(strict == 0 and literal > 0 for strict, literal in both)
        return FieldCounts(field, full, partly, placeholder, len(both) - full - partly - placeholder)

    return tuple(of(at, field) for at, field in enumerate(completeness_fields().fields))


def median_words(results: SignalsResults) -> str:
    """The median, strict and literal."""
    strict, literal = (rate_of(results, f"median_completeness{tail}").value for tail in ("", "_literal"))
    same = "the same when placeholders count" if strict == literal else f"{printed(literal)} when placeholders count"
    return f"Half of {many(len(results.benchmarks), 'benchmark')} reach a completeness of {printed(strict)}; {same}."


def benchmarks(results: SignalsResults) -> Table:
    """Every benchmark by name, with both counts and its card; not ordered by completeness."""

    def row(one: BenchmarkResult) -> tuple[Cell, ...]:
        card = one.benchmark.card
        return (
            benchmark_name(results, one.benchmark.name),
            benchmark_number(results, one, "completeness", one.strict),
            benchmark_number(results, one, "completeness_literal", one.literal),
            benchmark_number(results, one, "missing_fields", one.missing),
            Text(card.name) if card else Missing("no card"),
            Count(one.benchmark.records),
        )

    return Table(
        id=table_id("benchmarks"),
        finding=median_words(results),
        text="By name. What is missing lowers the number, whatever the reason; it does not say that a benchmark is good"
        " or bad, and the table cannot be ordered by it.",
        columns=(
            Column("benchmark", "Benchmark", sticky=True, wrap=True),
            Column.of(metric("completeness"), sortable=False),
            Column.of(metric("completeness_literal"), sortable=False),
            Column.of(metric("missing_fields"), sortable=False),
            Column("card", "Card", wrap=True),
            Column("records", "Records", align="r"),
        ),
        groups=(RowGroup("", rows([row(one) for one in results.benchmarks])),),
        downloads=(("CSV", f"{FILES}/completeness.csv"),),
        empty="There is no benchmark.",
    )


def fields(results: SignalsResults) -> Table:
    """The 28 fields with their population rates, in the order of the field table."""
    total = len(results.benchmarks)
    by_name = {found.field.name: found for found in results.fields}

    def row(c: FieldCounts) -> tuple[Cell, ...]:
        of: Ids = (("field", c.field.name),)
        found = by_name[c.field.name]
        return (
            Text(last_name(c.field)),
            Text(c.field.coverage),
            Count(c.populated, total),
            Count(c.partly),
            Count(c.placeholder),
            Count(c.nothing),
            number(results, "population_rate", of, found.strict),
            number(results, "population_rate_literal", of, found.literal),
        )

    found = field_counts(results)
    return Table(
        id=table_id("fields"),
        finding=fields_words(results),
        text="In the order of the field table. Population rate: mean over the benchmarks; a partial field counts by the"
        " share of its sub-items. Literal: placeholders such as “Not specified” count.",
        columns=(
            Column("field", "Field", sticky=True),
            Column("coverage", "Coverage"),
            Column("populated", "Populated", "benchmarks", "r"),
            Column("partly", "Partly", align="r"),
            Column("placeholder", "Placeholder", "only", "r"),
            Column("nothing", "Nothing", align="r"),
            Column.of(metric("population_rate")),
            Column.of(metric("population_rate_literal")),
        ),
        groups=tuple(
            RowGroup(title, rows([row(c) for c in found if c.field in fields])) for title, fields in sections()
        ),
        downloads=(("CSV", f"{FILES}/completeness_fields.csv"),),
        wide=True,
    )


def fields_words(results: SignalsResults) -> str:
    """How many fields are populated for every benchmark, and how many for none."""
    found = field_counts(results)
    everywhere = sum(c.populated == len(results.benchmarks) for c in found)
    nowhere = sum(not c.populated and not c.partly for c in found)
    return (
        f"{everywhere} of {many(len(found), 'field')} {'is' if everywhere == 1 else 'are'} populated for every"
        f" benchmark, {nowhere} for none."
    )


def bins(results: SignalsResults) -> tuple[int, ...]:
    """How many benchmarks lie in each tenth of the scale of completeness; the last one holds 1 as well."""
    found = [0] * 10
    for one in results.benchmarks:
        value = one.strict
        if isinstance(value, (int, Fraction)):
            found[min(int(value * 10), 9)] += 1
    return tuple(found)


def sections() -> tuple[tuple[str, tuple[Field, ...]], ...]:
    """The 28 fields by where they stand: source and section, in the order of the field table."""
    catalogue = completeness_fields()
    found: dict[str, list[Field]] = {}
    for field in catalogue.fields:
        section, dot, _ = field.name.partition(".")
        found.setdefault(catalogue.sources[field.source] + (f": {section}" if dot else ""), []).append(field)
    return tuple((title, tuple(fields)) for title, fields in found.items())


def last_name(field: Field) -> str:
    """A field as it is called within its section."""
    return field.name.partition(".")[2] or field.name


def field_table() -> Table:
    """The 28 fields as the data file states them, for the methodology."""
    catalogue = completeness_fields()

    def row(field: Field) -> tuple[Cell, ...]:
        sub: Cell = Text(", ".join(field.sub)) if field.sub else Missing("counts as a whole")
        return Text(last_name(field)), Text(field.meaning), Text(field.coverage), sub

    return Table(
        id=table_id("field-table"),
        finding=f"{many(len(catalogue.fields), 'field')} of reporting completeness.",
        text=f"Version {catalogue.version} of the table.",
        columns=(
            Column("field", "Field", sticky=True, sortable=False),
            Column("meaning", "What it says", sortable=False, wrap=True),
            Column("coverage", "Coverage", sortable=False),
            Column("sub", "Sub-items", sortable=False),
        ),
        groups=tuple(RowGroup(title, rows([row(field) for field in found])) for title, found in sections()),
    )
