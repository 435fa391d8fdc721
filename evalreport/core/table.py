"""The shape of a table on a page: pure data. Suites build it, `report.tables` prints it, nothing here knows HTML.

Text of a table is never markup. What is not plain (a formula, a link, a stressed word) is a piece of its own, so that
a name from a stranger can only ever be text.

Addresses (`href`) are written one of four ways: a page of the book by its name below the generated pages
(`benchmark/subject/aurora-2--2-1#pass-rate`), a file beside the book (`data/…`, `figures/…`), a place on the same page
(`#pass-rate`), or a full `https://` address. The build stops at a page that does not exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, TypeAlias

from evalreport.core.exact import Number, Value

if TYPE_CHECKING:
    from evalreport.core.declare import Metric

Align = Literal["l", "r", "c"]
Better = Literal["higher", "lower"]

_SUBSCRIPT = re.compile(r"([A-Za-z]+)_([A-Za-z]+)")


@dataclass(frozen=True)
class Math:
    """A formula in the line, as LaTeX without delimiters. As a cell: the formula alone."""

    latex: str


@dataclass(frozen=True)
class Strong:
    """Stressed words."""

    text: str


@dataclass(frozen=True)
class Sub:
    """Subscript text, as in Q with a small "final"."""

    text: str


@dataclass(frozen=True)
class Code:
    """Text as it stands in a file. As a cell: the same."""

    text: str


@dataclass(frozen=True)
class Link:
    """Words that lead somewhere; see the module for how an address is written."""

    text: str
    href: str


Piece: TypeAlias = str | Math | Strong | Sub | Code | Link
Inline: TypeAlias = tuple[Piece, ...]
Words: TypeAlias = str | Inline


def pieces(words: Words) -> Inline:
    """Words as pieces, whichever way they were given.

    >>> pieces("P"), pieces(("Q", Sub("final")))
    (('P',), ('Q', Sub(text='final')))
    """
    return (words,) if isinstance(words, str) else words


def plain(words: Words) -> str:
    """Words as text without any form, for titles, alternative texts and sorting.

    >>> plain(("Q", Sub("final"), " at ", Math(r"\\alpha")))
    'Qfinal at \\\\alpha'
    """
    return "".join(p if isinstance(p, str) else p.latex if isinstance(p, Math) else p.text for p in pieces(words))


@dataclass(frozen=True)
class Text:
    """Words of the data: a name, with a quieter detail (a version) after it."""

    text: str
    detail: str = ""
    href: str = ""


@dataclass(frozen=True)
class Num:
    """A number with its decimals (the column's when not given), or a dash with the reason why there is none.

    `sort` replaces the value when rows are ordered by another number than the printed one. `label` is a word about
    the number (how far its sample carries), on a line of its own.
    """

    value: Value
    decimals: int | None = None
    href: str = ""
    note: str = ""
    sort: Number | None = None
    signed: bool = field(default=False, kw_only=True)
    label: str = field(default="", kw_only=True)


@dataclass(frozen=True)
class Count:
    """How many, and of how many when `total` is given. `alert` marks a count that a reader must not miss."""

    n: int
    total: int | None = None
    href: str = ""
    alert: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Rank:
    """A place in the order, or none; `tied` when another row shares it."""

    rank: int | None
    tied: bool = field(default=False, kw_only=True)
    reason: str = "not ranked"
    href: str = ""


@dataclass(frozen=True)
class Limits:
    """An interval drawn on the scale that all rows of the column share; `hollow` for a row that is not ranked.

    `label` is what a screen reader says. Limits that are None draw the value alone.
    """

    low: Number | None
    high: Number | None
    value: Number
    scale_low: Number
    scale_high: Number
    label: str
    hollow: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Badge:
    """A word in a shape. plain: all is well; alert: look here; quiet: a remark; dashed: no value, not applicable."""

    kind: Literal["plain", "alert", "quiet", "dashed"]
    text: str
    title: str = ""


@dataclass(frozen=True)
class Heat:
    """A value from 0 to 1 as a shade and as text; None is hatched, with the reason. `low` frames it.

    `href` leads to the line that says where it comes from.
    """

    value: Number | None
    text: str
    reason: str = ""
    href: str = ""
    low: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Missing:
    """No value, and why. Printed as a dash, never as 0."""

    reason: str


Cell: TypeAlias = Text | Num | Count | Rank | Limits | Badge | Heat | Code | Math | Link | Missing


@dataclass(frozen=True)
class Column:
    """A column: its head, a second quieter line (`sub`), which way is better, whether a reader may sort by it.

    The first sticky column (else the first) heads its rows and stays in sight while a wide table is scrolled.
    `strong` is for the number that decides the order; `wrap` lets long text take several lines.
    """

    key: str
    head: Words
    sub: Words = ""
    align: Align = "l"
    better: Better | None = None
    title: str = ""
    decimals: int = 4
    sortable: bool = field(default=True, kw_only=True)
    sticky: bool = field(default=False, kw_only=True)
    strong: bool = field(default=False, kw_only=True)
    wrap: bool = field(default=False, kw_only=True)

    @classmethod
    def of(
        cls,
        metric: Metric,
        *,
        sub: Words | None = None,
        title: str = "",
        sortable: bool = True,
        strong: bool = False,
    ) -> Column:
        """The column of a declared metric: head, second line, direction and decimals come from the declaration."""
        better: Better | None = metric.better if metric.better in ("higher", "lower") else None
        found = _SUBSCRIPT.fullmatch(metric.column)
        head: Words = (found[1], Sub(found[2])) if found else metric.column
        return cls(
            metric.key,
            head,
            metric.sub if sub is None else sub,
            "r",
            better,
            title or metric.name,
            metric.decimals,
            sortable=sortable,
            strong=strong,
        )


@dataclass(frozen=True)
class Row:
    """The cells of a row, in the order of the columns.

    `blend` is for a column that is a weighted mean: its exact values at weight 1 and at weight 0, so that a reader can
    try other weights (`Table.explore`).
    """

    cells: tuple[Cell, ...]
    blend: tuple[Fraction, Fraction] | None = None
    anchor: str = ""


@dataclass(frozen=True)
class RowGroup:
    """Rows that belong together; sorting never mixes groups. `muted` greys rows that are not ranked."""

    title: str
    rows: tuple[Row, ...]
    muted: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Table:
    """A table with its caption. `finding` is the first, bold sentence: what a reader learns here.

    `empty` is what stands there when there are no rows. `downloads` are (label, address). `explore` is the key of the
    column that follows the weight a reader tries.
    """

    id: str
    finding: Words
    text: Words
    columns: tuple[Column, ...]
    groups: tuple[RowGroup, ...]
    note: Words = ""
    downloads: tuple[tuple[str, str], ...] = ()
    empty: str = ""
    explore: str = ""
    wide: bool = field(default=False, kw_only=True)
    compact: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        width = len(self.columns)
        for row in self.rows():
            if len(row.cells) != width:
                raise ValueError(f"table {self.id}: a row has {len(row.cells)} cells; expected {width}")

    def rows(self) -> Iterator[Row]:
        """All rows, group after group."""
        return (row for group in self.groups for row in group.rows)

    def header(self) -> int:
        """The index of the column that heads the rows."""
        return next((at for at, column in enumerate(self.columns) if column.sticky), 0)
