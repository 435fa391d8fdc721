"""Tables and captions as HTML. What only the page knows (rendered formulas, addresses, the number) stays a gap.

A printed table is a sequence of parts (`report.parts`): finished HTML, and gaps. `table_html` fills the gaps at once;
`table_fragment` keeps them for the Sphinx extension, which fills them when it writes the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from evalreport.core.exact import Number, Undefined, fixed
from evalreport.core.table import (
    Badge,
    Cell,
    Code,
    Column,
    Count,
    Heat,
    Limits,
    Link,
    Math,
    Missing,
    Num,
    Rank,
    Row,
    RowGroup,
    Table,
    Text,
    plain,
)
from evalreport.report.escape import Json, bdi, html_attribute, html_text, isolated
from evalreport.report.parts import (
    Address,
    Formula,
    Numbering,
    Part,
    filled,
    inline_parts,
    joined,
    link_parts,
    parts_json,
)

FILTER_FROM = 25  # rows from which a table says how many there are and can be filtered


_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
BADGES = {"plain": "er-b-ok", "alert": "er-b-dq", "quiet": "er-b-q", "dashed": "er-b-nd"}
_WIDTH, _PAD = 120, 3  # the drawing area of an interval, in its own units


def _dash(reason: str) -> str:
    """The sign for "no value": a dash to the eye, the reason to the mouse and to a screen reader."""
    return (
        f'<span class="er-none" title="{html_attribute(reason)}"><span aria-hidden="true">–</span>'
        f'<span class="er-sr">no value: {html_text(reason)}</span></span>'
    )


def _sign(value: Number, decimals: int, *, signed: bool) -> str:
    text = fixed(value, decimals)
    if text.startswith("-"):
        return f"−{text[1:]}"
    return f"+{text}" if signed and value > 0 else text


def _key(value: Number) -> str:
    """A sort key that loses nothing: an integer, or numerator and denominator."""
    return str(Fraction(value))


@dataclass(frozen=True)
class _Printed:
    parts: Sequence[Part]
    key: str | None = None  # what the row is sorted by; None: the text that stands there
    css: str = ""


def _cell(cell: Cell, column: Column) -> _Printed:
    match cell:
        case Text():
            detail = f' <span class="er-ver">{bdi(cell.detail)}</span>' if cell.detail else ""
            return _Printed([*link_parts(cell.href, bdi(cell.text)), detail])
        case Num():
            return _num(cell, column)
        case Count():
            of = "" if cell.total is None else f'<span class="er-of">/{cell.total:,}</span>'
            n = f'<b class="er-crit">{cell.n:,}</b>' if cell.alert else f"{cell.n:,}"
            share = str(cell.n) if cell.total is None else _key(Fraction(cell.n, cell.total)) if cell.total else ""
            return _Printed(link_parts(cell.href, n + of, "er-num"), share)
        case Rank():
            return _Printed([_dash(cell.reason)], "") if cell.rank is None else _rank(cell.rank, cell)
        case Limits():
            return _Printed([_interval(cell)], None, "er-ivc")
        case Badge():
            title = f' title="{html_attribute(cell.title)}"' if cell.title else ""
            return _Printed([f'<span class="er-badge {BADGES[cell.kind]}"{title}>{isolated(cell.text)}</span>'])
        case Heat():
            return _heat(cell)
        case Code():
            return _Printed([f"<code>{bdi(cell.text)}</code>"])
        case Math():
            return _Printed([Formula(cell.latex)], cell.latex)
        case Link():
            return _Printed(link_parts(cell.href, bdi(cell.text)))
        case Missing():
            return _Printed([_dash(cell.reason)], "")


def _num(cell: Num, column: Column) -> _Printed:
    if isinstance(cell.value, Undefined):
        return _Printed([_dash(cell.value.reason)], "" if cell.sort is None else _key(cell.sort))
    decimals = column.decimals if cell.decimals is None else cell.decimals
    printed = _sign(cell.value, decimals, signed=cell.signed)
    note = f' <span class="er-of">{html_text(cell.note)}</span>' if cell.note else ""
    note += f'<span class="er-sub">{html_text(cell.label)}</span>' if cell.label else ""
    key = _key(cell.value if cell.sort is None else cell.sort)
    return _Printed([*link_parts(cell.href, printed, "er-num"), note], key)


def _rank(rank: int, cell: Rank) -> _Printed:
    tie = '<abbr class="er-tie" title="shares this rank">=</abbr>' if cell.tied else ""
    place = link_parts(cell.href, f'<span class="er-r">{rank}</span>', "er-num")
    return _Printed([*place, tie] if tie else [*place], str(rank))


def _place(value: Number, cell: Limits) -> str:
    """Where a value lies on the drawing's axis, cut at its ends."""
    span = Fraction(cell.scale_high) - Fraction(cell.scale_low)
    share = (
        min(max((Fraction(value) - Fraction(cell.scale_low)) / span, Fraction(0)), Fraction(1)) if span else Fraction(0)
    )
    return fixed(_PAD + share * (_WIDTH - 2 * _PAD), 1).removesuffix(".0")


def _interval(cell: Limits) -> str:
    """The interval as a drawing with attributes only; its label says the limits."""
    hollow = " er-hollow" if cell.hollow else ""
    bar = ""
    if cell.low is not None and cell.high is not None:
        bar = f'<path class="i" d="M{_place(cell.low, cell)} 7H{_place(cell.high, cell)}"/>'
    return (
        f'<svg class="er-iv{hollow}" viewBox="0 0 {_WIDTH} 14" role="img" aria-label="{html_attribute(cell.label)}">'
        f'<path class="t" d="M{_PAD} 7H{_WIDTH - _PAD}"/>{bar}'
        f'<circle cx="{_place(cell.value, cell)}" cy="7" r="4"/></svg>'
    )


def _heat(cell: Heat) -> _Printed:
    if cell.value is None:
        text = f'<span title="{html_attribute(cell.reason)}">{html_text(cell.text)}</span>'
        return _Printed(link_parts(cell.href, text, "er-num"), "", "er-heat er-na")
    shade = round(min(max(Fraction(cell.value), Fraction(0)), Fraction(1)) * 4)
    low = " er-low" if cell.low else ""
    shown = link_parts(cell.href, html_text(cell.text), "er-num")
    return _Printed(shown, _key(cell.value), f"er-heat er-h{shade}{low}")


_DIRECTIONS = {"higher": ("↑", "higher is better"), "lower": ("↓", "lower is better")}


class _Printer:
    """One table on its way to HTML."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.header = table.header()
        self.count = sum(1 for _ in table.rows())
        self.kinds = [_kinds(table, at) for at in range(len(table.columns))]

    def parts(self) -> Iterator[Part]:
        name = f"tbl-{self.table.id}"
        yield f'<div class="er-tablebox" id="{name}"><div class="er-scroll" role="region" tabindex="0"'
        yield f' aria-labelledby="{name}-cap"><table class="{self._classes()}"{self._filter()}><caption>'
        yield f'<span class="er-cap" id="{name}-cap">'
        yield Numbering()
        yield "<strong>"
        yield from inline_parts(self.table.finding)
        yield "</strong> "
        yield from inline_parts(self.table.text)
        yield "</span></caption><thead><tr>"
        for at, column in enumerate(self.table.columns):
            yield from self._head(at, column)
        yield "</tr></thead>"
        for group in self.table.groups:
            yield from self._group(group)
        if not self.count:
            yield f'<tbody><tr><td class="er-empty" colspan="{len(self.table.columns)}">'
            yield f"{html_text(self.table.empty or 'no rows')}</td></tr></tbody>"
        yield "</table></div>"
        yield from self._note()
        yield "</div>"

    def _classes(self) -> str:
        table = self.table
        flags = {
            "er-sortable": self.count > 1 and any(map(self._sorts, range(len(table.columns)))),
            "er-wide": table.wide,
            "er-compact": table.compact,
            "er-heattable": any(Heat in kinds for kinds in self.kinds),
            "er-text": any(column.wrap for column in table.columns),
        }
        return " ".join(["er-table", *(name for name, on in flags.items() if on)])

    def _filter(self) -> str:
        return f' data-filter="{self.count}"' if self.count > FILTER_FROM else ""

    def _sorts(self, at: int) -> bool:
        return self.table.columns[at].sortable and Limits not in self.kinds[at]

    def _head(self, at: int, column: Column) -> Iterator[Part]:
        css = " ".join(filter(None, (_align(column), self._place_class(at))))
        data = f' data-better="{column.better}"' if column.better else ""
        data += "" if self._sorts(at) else " data-nosort"
        data += " data-rank" if Rank in self.kinds[at] else ""
        data += " data-explore" if self.table.explore == column.key else ""
        title = f' title="{html_attribute(column.title)}"' if column.title else ""
        yield f'<th scope="col"{f" class={chr(34)}{css}{chr(34)}" if css else ""}{data}{title}><span class="er-h">'
        yield from inline_parts(column.head)
        if column.better:
            arrow, meaning = _DIRECTIONS[column.better]
            yield f'\u00a0<span aria-hidden="true">{arrow}</span><span class="er-sr"> ({meaning})</span>'
        yield "</span>"
        if plain(column.sub):
            yield '<span class="er-sub">'
            yield from inline_parts(column.sub)
            yield "</span>"
        elif Limits in self.kinds[at]:
            yield self._scale(at)
        yield "</th>"

    def _scale(self, at: int) -> str:
        """The common scale of a column of intervals, printed once, in the head."""
        cells = [row.cells[at] for row in self.table.rows()]
        scales = {(cell.scale_low, cell.scale_high) for cell in cells if isinstance(cell, Limits)}
        if len(scales) != 1:
            raise ValueError(f"table {self.table.id}: intervals of one column have {len(scales)} scales; expected one")
        low, high = _ends(*scales.pop())
        return f'<span class="er-scale" aria-hidden="true"><span>{low}</span><span>{high}</span></span>'

    def _place_class(self, at: int) -> str:
        names = {
            "er-stick": self.table.columns[at].sticky,
            "er-rank": Rank in self.kinds[at],
            "er-ivh": Limits in self.kinds[at],
            "er-w": self.table.columns[at].wrap,
        }
        return " ".join(name for name, on in names.items() if on)

    def _group(self, group: RowGroup) -> Iterator[Part]:
        if not group.rows:
            return
        yield '<tbody class="er-unranked">' if group.muted else "<tbody>"
        if group.title:
            yield f'<tr class="er-grouprow"><th scope="rowgroup" colspan="{len(self.table.columns)}" class="er-group">'
            yield f"<span>{isolated(group.title)}</span></th></tr>"
        for row in group.rows:
            yield from self._row(row)
        yield "</tbody>"

    def _row(self, row: Row) -> Iterator[Part]:
        anchor = f' id="{html_attribute(row.anchor)}"' if row.anchor else ""
        blend = f' data-one="{_key(row.blend[0])}" data-zero="{_key(row.blend[1])}"' if row.blend else ""
        yield f"<tr{anchor}{blend}>"
        for at, (cell, column) in enumerate(zip(row.cells, self.table.columns, strict=True)):
            printed = _cell(cell, column)
            classes = (
                _align(column),
                "er-stick" if column.sticky else "",
                "er-w" if column.wrap else "",
                "er-q" if column.strong else "",
                printed.css or ("c" if Limits in self.kinds[at] else ""),
            )
            css = " ".join(filter(None, (*classes, "er-rank" if isinstance(cell, Rank) else "")))
            tag, scope = ("th", ' scope="row"') if at == self.header else ("td", "")
            key = "" if printed.key is None else f' data-v="{html_attribute(printed.key)}"'
            yield f"<{tag}{scope}{f' class={chr(34)}{css}{chr(34)}' if css else ''}{key}>"
            yield from printed.parts
            yield f"</{tag}>"
        yield "</tr>"

    def _note(self) -> Iterator[Part]:
        note, table = plain(self.table.note), self.table
        many = self.count > FILTER_FROM
        if not (note or table.downloads or many):
            return
        yield '<p class="er-note">'
        if many:
            yield f'<span class="er-count">{self.count:,} rows.</span> '
        yield from inline_parts(table.note)
        if table.downloads:
            yield ' <span class="er-dl">Download'
            for label, target in table.downloads:
                yield " <a download href="
                yield Address(target)
                yield f">{html_text(label)}</a>"
            yield "</span>"
        yield "</p>"


def _align(column: Column) -> str:
    return "" if column.align == "l" else column.align


def _kinds(table: Table, at: int) -> set[type[Cell]]:
    return {type(row.cells[at]) for row in table.rows()}


def _ends(low: Number, high: Number) -> tuple[str, str]:
    """The ends of a scale with as many decimals as both need, two at most."""
    decimals = next((d for d in (0, 1) if all(Fraction(end) * 10**d % 1 == 0 for end in (low, high))), 2)
    return _sign(low, decimals, signed=False), _sign(high, decimals, signed=False)


def table_parts(table: Table) -> list[Part]:
    """The table as finished HTML with gaps; neighbouring text is joined."""
    if not _ID.fullmatch(table.id):
        raise ValueError(f"table id {table.id!r}; expected letters, digits, '.', '_' and '-'")
    return joined(_Printer(table).parts())


def _as_code(latex: str) -> str:
    return f'<code class="er-tex">{html_text(latex)}</code>'


def table_html(
    table: Table,
    *,
    formula: Callable[[str], str] = _as_code,
    address: Callable[[str], str] = str,
    number: str = "",
) -> str:
    """The table as it stands on a page: caption, head, row groups, note. Formulas are LaTeX text unless rendered.

    >>> from evalreport.core.table import Column, RowGroup, Row, Text, Count
    >>> t = Table("t", "One.", "", (Column("a", "A"), Column("n", "n")), (RowGroup("", (Row((Text("x"), Count(1))),)),))
    >>> '<th scope="row"><bdi>x</bdi></th><td data-v="1">1</td>' in table_html(t)
    True
    """
    return filled(table_parts(table), formula=formula, address=address, number=number)


def table_fragment(table: Table) -> dict[str, Json]:
    """The table as JSON for the Sphinx extension: its parts with gaps, and its finding as plain text."""
    return {"kind": "table", "id": table.id, "title": plain(table.finding), "parts": parts_json(table_parts(table))}
