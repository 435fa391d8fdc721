"""What a declaration says, for the methodology: formula, where-lines, range, direction, decimals; and the notation."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import cast

from evalreport.core.declare import Declarations, Metric
from evalreport.core.exact import Number, fixed, ratio
from evalreport.core.formula import Symbol
from evalreport.core.names import nearest
from evalreport.core.table import Column, Math, Missing, Row, RowGroup, Table, Text
from evalreport.errors import EvalreportError, Problem
from evalreport.report.escape import html_attribute, html_text
from evalreport.report.parts import Formula, Part, joined

_BETTER = {"higher": "higher is better", "lower": "lower is better"}


def metrics_of_clause(declarations: Declarations, clause: str) -> tuple[Metric, ...]:
    """The metrics declared under a clause (`benchmark#soft-brier`), in reading order.

    Raises `EvalreportError` with the nearest clause when there is none.
    """
    found = tuple(metric for metric in declarations.metrics.values() if metric.clause == clause)
    if not found:
        known = {metric.clause for metric in declarations.metrics.values()}
        raise EvalreportError(Problem("clause", f"no metric is declared under {clause!r}", nearest(clause, known)))
    return found


def clause_parts(metric: Metric) -> list[Part]:
    """One declared metric as it stands under its heading: meaning, formula, what its symbols stand for, facts."""
    return joined(_clause(metric))


def _clause(metric: Metric) -> Iterator[Part]:
    yield f'<div class="er-clause" id="{html_attribute(clause_id(metric))}">'
    yield f'<p class="er-clause-name"><strong>{html_text(metric.name)}</strong> '
    if metric.symbol:
        yield Formula(metric.symbol)
    yield f" <code>{html_text(metric.key)}</code></p>"
    yield f"<p>{html_text(metric.meaning)}</p>"
    if metric.formula is not None:
        label = html_attribute(f"formula of {metric.name}")
        yield f'<div class="er-formula" tabindex="0" role="group" aria-label="{label}">'
        yield Formula(rf"\displaystyle {metric.symbol} = {metric.formula}")
        if metric.needs is not None:
            yield ' <span class="er-needs">for '
            yield Formula(metric.needs)
            yield "</span>"
        yield "</div>"
        yield from where_parts(metric)
    yield '<p class="er-note">'
    yield html_text(facts(metric))
    yield "</p></div>"


def clause_id(metric: Metric) -> str:
    """The place of a declared metric on the methodology page."""
    return f"metric-{metric.key.replace('.', '-')}"


def where_parts(metric: Metric, *, known: Collection[str] = ()) -> Iterator[Part]:
    """What the symbols of a formula stand for that are no numbers of their own; `known` ones were said before."""
    lines = [line for line in metric.where() if line.head not in known]
    if not lines:
        return
    yield '<dl class="er-where">'
    for line in lines:
        yield "<div><dt>where</dt><dd>" if line is lines[0] else "<div><dt>and</dt><dd>"
        yield Formula(rf"\displaystyle {line.head} = {line.formula}")
        yield f" <span>{html_text(line.meaning)}</span></dd></div>"
    yield "</dl>"


def facts(metric: Metric) -> str:
    """Range, direction, unit and decimals of a metric, and what checks it where no formula does."""
    lines = [_range(metric), _BETTER.get(metric.better or "", "neither direction is better")]
    if metric.unit:
        lines.append(f"in {metric.unit}")
    if _numeric(metric):
        lines.append(
            "printed as a whole number" if metric.decimals == 0 else f"printed with {metric.decimals} decimals"
        )
    first = ", ".join(lines)
    check = "" if metric.checked_by == "formula" else f" Checked against a reference: {metric.reference.rstrip('.')}."
    return f"{first[0].upper()}{first[1:]}.{check}"


def _numeric(metric: Metric) -> bool:
    return not any(isinstance(end, str) for end in metric.range)


def _range(metric: Metric) -> str:
    if not _numeric(metric):
        return f"one of {', '.join(map(str, metric.range))}"
    low, high = cast("tuple[Number | None, Number | None]", metric.range)
    if low is None and high is None:
        return "any number"
    if high is None and low is not None:
        return f"range {_end(low)} and above"
    if low is None and high is not None:
        return f"range up to {_end(high)}"
    return "" if low is None or high is None else f"range {_end(low)} to {_end(high)}"


def _end(value: Number) -> str:
    if value.denominator == 1:
        return fixed(value, 0).replace("-", "−")
    text = fixed(value, 4)
    exact = (value * 10_000).denominator == 1
    return (text.rstrip("0") if exact else ratio(value)).replace("-", "−")


def notation_table(declarations: Declarations) -> Table:
    """Every symbol of a suite in reading order: letters that stand for items, what is given, what is defined."""
    notation = declarations.notation()
    names = {metric.symbol: metric.name for metric in declarations.metrics.values() if metric.formula is not None}
    none = Missing("given with the data, not by a formula")

    def row(symbol: Symbol) -> Row:
        formula = none if symbol.formula is None else Math(rf"\displaystyle {symbol.formula}")
        meaning = names.get(symbol.head, "")
        words = f"{meaning}: {symbol.meaning}" if meaning else symbol.meaning
        return Row((Math(symbol.head), Text(words), Text(symbol.type), formula))

    letters = tuple(
        Row((Math(letter), Text(f"any {item}"), Text(item), none)) for letter, item in notation.variables.items()
    )
    given = tuple(row(symbol) for symbol in notation.symbols.values() if symbol.formula is None)
    defined = tuple(row(symbol) for symbol in notation.symbols.values() if symbol.formula is not None)
    return Table(
        id=f"notation-{declarations.suite}",
        finding=f"{len(given) + len(defined)} symbols, each with one meaning.",
        text="A definition uses only what stands above it.",
        columns=(
            Column("symbol", "Symbol", sticky=True, sortable=False),
            Column("meaning", "Meaning", wrap=True, sortable=False),
            Column("kind", "Kind", sortable=False),
            Column("formula", "Formula", sortable=False),
        ),
        groups=(RowGroup("Letters", letters), RowGroup("Given", given), RowGroup("Defined", defined)),
        compact=True,
    )
