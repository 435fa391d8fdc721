"""An audit line as a reader meets it: the number, its formula, the numbers put in, two values, the records behind it.

A suite says which number it is and what stands around it (`Audited`); here it becomes a ledger of its own, or a row of
a table for numbers that come in series (of families, bins, pairs).
"""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from evalreport.core.declare import Metric
from evalreport.core.exact import Undefined, Value, fixed
from evalreport.core.suite import Ids, Interval, RecordTable
from evalreport.core.table import (
    Badge,
    Cell,
    Code,
    Column,
    Count,
    Math,
    Missing,
    Num,
    Row,
    RowGroup,
    Table,
    Words,
)
from evalreport.report.audit import AuditLine
from evalreport.report.clauses import clause_id, where_parts
from evalreport.report.escape import bdi, html_attribute, html_text
from evalreport.report.parts import Formula, Part, inline_parts, joined, link_parts

ROWS_SHOWN = 6
ROOT_DECIMALS = 12
_HASH_SHOWN = 12


@dataclass(frozen=True, kw_only=True)
class Audited:
    """One published number on an audit page.

    `line` is its checked formula, None for a number that is checked by a reference. `anchor` is its place on the page,
    `n` how many records are behind it, `label` the word for what so many can carry. `records` is the address of the
    file with all records; `settings` names what the number and its interval depend on.
    """

    metric: Metric
    of: Ids
    value: Value
    anchor: str
    n: int
    line: AuditLine | None = None
    name: str = ""
    interval: Interval | None = None
    label: str = ""
    remark: Words = ""
    records: str = ""
    settings: tuple[str, ...] = ()


@dataclass(frozen=True)
class AuditContext:
    """What all numbers of a page share: the suite, the texts of its settings, the hash of all inputs."""

    suite: str
    settings: Mapping[str, str]
    data_sha256: str


def ledger_parts(number: Audited, context: AuditContext) -> list[Part]:
    """The ledger of one number as parts of a page: big number, then clause, formula, values, records, recompute."""
    return joined(_ledger(number, context))


def _ledger(number: Audited, context: AuditContext) -> Iterator[Part]:
    yield f'<span class="er-place" id="{html_attribute(number.anchor)}"></span>'
    yield from _big(number)
    yield '<div class="er-ledger"><dl>'
    for title, parts in _lines(number, context):
        yield f"<dt>{title}</dt><dd>"
        yield from parts
        yield "</dd>"
    yield "</dl></div>"


def _lines(number: Audited, context: AuditContext) -> Iterator[tuple[str, list[Part]]]:
    yield "Clause", list(_clause(number.metric))
    if number.line is None:
        yield "Checked by", [f"<p>{html_text(number.metric.reference)}</p>"]
    else:
        name = number.name or number.metric.name
        yield "Formula", _steps(f"formula of {name}", [number.line.formula], list(where_parts(number.metric)))
        yield "Numbers put in", _steps(f"{name} with numbers put in", number.line.steps)
        yield "Two values", [_check(number.line, number.n)]
        if number.line.records is not None and number.line.records.rows:
            yield "Records", list(_records(number, number.line.records))
    yield "Settings", list(_settings(number, context))
    yield "Hashes", list(_hashes(number.line, context))
    yield "Recompute", [_recompute(number, context)]


def _big(number: Audited) -> Iterator[Part]:
    value = number.value
    if isinstance(value, Undefined):
        yield f'<p class="er-big"><span class="er-big-n er-none">–</span> no value: {html_text(value.reason)}'
    else:
        yield f'<p class="er-big"><span class="er-big-n">{_printed(value, number.metric.decimals)}</span>'
    if number.label:
        yield f' <abbr class="er-ind" title="what {number.n:,} runs can carry">{html_text(number.label.lower())}</abbr>'
    if text := interval_text(number.interval, number.metric.decimals):
        yield f' <span class="er-big-ci">{html_text(text)}</span>'
    if number.remark:
        yield ' <span class="er-big-ci">'
        yield from inline_parts(number.remark)
        yield "</span>"
    yield "</p>"


def interval_text(interval: Interval | None, decimals: int) -> str:
    """An interval in words: level, limits, method. Nothing when there is none.

    >>> interval_text(Interval(Fraction(1, 4), Fraction(3, 4), Fraction(19, 20), "Wilson", 40), 2)
    '95 % interval 0.25 to 0.75 (Wilson)'
    """
    if interval is None or interval.low is None or interval.high is None:
        return ""
    level = fixed(interval.level * 100, 2).rstrip("0").rstrip(".")
    method = ", ".join(filter(None, (interval.method, interval.note)))
    low, high = (_printed(end, decimals) for end in (interval.low, interval.high))
    return f"{level} % interval {low} to {high} ({method})"


def _printed(value: int | Fraction, decimals: int) -> str:
    return fixed(value, decimals).replace("-", "−")


def _clause(metric: Metric) -> Iterator[Part]:
    page = metric.clause.partition("#")[0]
    yield f"<p>{html_text(metric.meaning)} "
    yield from link_parts(f"book/methodology/{page}#{clause_id(metric)}", html_text(metric.clause))
    yield "</p>"


def _steps(label: str, lines: Sequence[str], where: Sequence[Part] = ()) -> list[Part]:
    """Formulas below each other in one box, which scrolls where a formula is longer than the page is wide."""
    out: list[Part] = [f'<div class="er-steps" tabindex="0" role="group" aria-label="{html_attribute(label)}">']
    for latex in lines:
        out += ['<div class="er-step">', Formula(rf"\displaystyle {latex}"), "</div>"]
    return [*out, *where, "</div>"]


def _check(line: AuditLine, n: int) -> str:
    records = "1 record" if n == 1 else f"{n:,} records"
    how = "agree exactly" if line.exact else "agree to twelve decimals"
    return (
        f'<div class="er-check"><div><span>code, over counts</span><b>{compared(line, line.value)}</b></div>'
        f"<div><span>printed formula, over {records}</span><b>{compared(line, line.formula_value)}</b></div>"
        f'<p class="er-agree"><span aria-hidden="true">✓</span> {how}</p></div>'
    )


def exact(value: Value) -> str:
    """A value without rounding: a whole number, a ratio, or the words that there is none.

    >>> exact(40), exact(Fraction(1, 3)), exact(Undefined("no runs"))
    ('40', '1/3', 'no value')
    """
    return "no value" if isinstance(value, Undefined) else str(value)


def compared(line: AuditLine, value: Value) -> str:
    """A value of an audit line as it was compared: without rounding, or with the decimals that a root is known to."""
    if line.exact or isinstance(value, Undefined):
        return exact(value)
    return f"{_printed(value, ROOT_DECIMALS)}…"


def _records(number: Audited, table: RecordTable) -> Iterator[Part]:
    label = html_attribute(f"records behind {number.name or number.metric.name}")
    yield f'<div class="er-scroll" role="group" tabindex="0" aria-label="{label}">'
    yield '<table class="er-table er-compact"><thead><tr>'
    yield "".join(f'<th scope="col">{html_text(column)}</th>' for column in table.columns)
    yield "</tr></thead><tbody>"
    for row in table.rows[:ROWS_SHOWN]:
        head, *cells = (bdi(cell) for cell in row)
        yield f'<tr><th scope="row">{head}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
    yield "</tbody></table></div>"
    total = len(table.rows) if table.total is None else table.total
    shown = min(ROWS_SHOWN, len(table.rows))
    count = f"All {total:,} records" if shown == total else f"{shown} of {total:,} records"
    yield f'<p class="er-note">{count}, in the order of the sum. '
    if number.records:
        yield from link_parts(number.records, f"All {total:,} as CSV" if shown < total else "The same as CSV")
    yield "</p>"


def _settings(number: Audited, context: AuditContext) -> Iterator[Part]:
    if not number.settings:
        yield "<p>none: this number depends on no setting</p>"
        return
    yield "<p>"
    for name in number.settings:
        text = context.settings.get(name) or "–"
        yield f"<code>{html_text(name.replace('_', '-'))} {html_text(text)}</code> "
    yield from link_parts(f"parameters#tbl-parameters-{context.suite}", "what they mean")
    yield "</p>"


def _hashes(line: AuditLine | None, context: AuditContext) -> Iterator[Part]:
    yield "<p>data "
    yield from link_parts("data", _hash(context.data_sha256))
    if line is not None:
        yield f" · declaration {_hash(line.declaration)}"
    yield "</p>"


def _hash(digest: str) -> str:
    return f'<code title="{html_attribute(digest)}">{html_text(digest[:_HASH_SHOWN])}…</code>'


def _recompute(number: Audited, context: AuditContext) -> str:
    options = [_option(name, text) for name in number.settings if (text := context.settings.get(name, ""))]
    words = [f"evalreport compute {context.suite} DATA", "--out OUT", *options]
    command = " ".join(f'<span class="er-nb">{html_text(word)}</span>' for word in words)
    ids = ", ".join(f"{name} {bdi(text)}" for name, text in number.of)
    of = f" of {ids}" if ids else ""
    stands = "null" if isinstance(number.value, Undefined) else f"{number.value.numerator}/{number.value.denominator}"
    return (
        f"<p><code>{command}</code></p><p class='er-note'>then <code>{html_text(number.metric.key)}</code>{of}"
        f" in <code>results.json</code> is <code>{stands}</code></p>"
    )


def _option(name: str, text: str) -> str:
    """A setting as it is given on the command line; one that is on or off has no value."""
    option = name.replace("_", "-")
    return {"true": f"--{option}", "false": f"--no-{option}"}.get(text, f"--{option} {shlex.quote(text)}")


def series_formulas(metrics: Sequence[Metric]) -> list[Part]:
    """What numbers that come in series are, once, before the table of all of them: clause, and formula or reference."""
    out: list[Part] = ['<div class="er-ledger"><dl>']
    known: set[str] = set()
    for metric in metrics:
        out += [f"<dt>{html_text(metric.name)}</dt><dd>", *_clause(metric)]
        if metric.formula is None:
            reference = html_text(metric.reference.rstrip("."))
            out.append(f'<p class="er-note">Checked against a reference: {reference}.</p>')
        else:
            where = list(where_parts(metric, known=known))
            out += _steps(f"formula of {metric.name}", [f"{metric.symbol} = {metric.formula}"], where)
            known |= {line.head for line in metric.where()}
        out.append("</dd>")
    return joined([*out, "</dl></div>"])


def series_table(
    name: str,
    numbers: Sequence[tuple[Sequence[Cell], Audited]],
    heads: Sequence[Column],
    *,
    finding: Words,
    text: Words,
) -> Table:
    """Numbers in series as a table, a group of rows for each kind of number: value, numbers put in, both values.

    `heads` are the columns of the cells that say what a number is of.
    """
    kinds: dict[str, list[Row]] = defaultdict(list)
    for cells, number in numbers:
        kinds[number.name or number.metric.name].append(_series_row(cells, number))
    return Table(
        id=name,
        finding=finding,
        text=text,
        columns=(
            *heads,
            Column("value", "Value", align="r"),
            Column("n", "n", "records", align="r"),
            Column("put-in", "Numbers put in", sortable=False),
            Column("code", "Code", "over counts", sortable=False),
            Column("formula", "Formula", "over records", sortable=False),
            Column("check", "Agree"),
        ),
        groups=tuple(RowGroup(kind, tuple(rows)) for kind, rows in kinds.items()),
        compact=True,
        wide=True,
        empty="There is no such number.",
    )


def _series_row(cells: Sequence[Cell], number: Audited) -> Row:
    line = number.line
    if line is None:
        raise ValueError(f"{number.metric.key} is checked by a reference; a series has formulas")
    undefined = isinstance(number.value, Undefined)
    put_in: Cell = Math(rf"\textstyle {' '.join(line.steps)}")
    return Row(
        (
            *cells,
            Num(number.value, number.metric.decimals),
            Count(number.n),
            Missing(number.value.reason) if isinstance(number.value, Undefined) else put_in,
            Missing("no value") if undefined else Code(compared(line, line.value)),
            Missing("no value") if undefined else Code(compared(line, line.formula_value)),
            Badge("plain", "✓ exactly" if line.exact else "✓ to twelve decimals"),
        ),
        anchor=number.anchor,
    )
