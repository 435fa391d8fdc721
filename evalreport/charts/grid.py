"""Tables as colour: values of rows and columns, and differences of pairs. No value is hatched, never a colour."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.patches import Rectangle

from evalreport.charts.figure import Canvas
from evalreport.charts.palette import Palette, text_on
from evalreport.charts.sheet import axes_at, bare, nothing, sheet, widest
from evalreport.charts.style import BODY, SMALL, TICK, TINY

_HATCH = "//////"
_SLANT = 40  # degrees
_WIDEST = 0.95  # inches; a wider cell only looks empty


@dataclass(frozen=True)
class Cell:
    """One cell: a value from -1 to 1 (None: no value, hatched), its text, and a small second line such as its n.

    `framed` draws an orange frame, `strong` sets the text in bold.
    """

    value: float | None
    text: str = ""
    note: str = ""
    framed: bool = False
    strong: bool = False


def heatmap(
    canvas: Canvas,
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Mapping[tuple[str, str], Cell],
    *,
    row_title: str = "",
    column_title: str = "",
    marks: Mapping[str, str] | None = None,
    mark_title: str = "",
) -> Drawing:
    """A grid of shaded cells under the names of columns and beside the names of rows.

    Shade runs from faint (0) to strong (1); negative values are orange. A pair without an entry stays white. `marks`
    adds a word or sign behind rows. Cells that are too narrow for their text go without it: the numbers are in the
    data file and the table.
    """
    palette = canvas.palette
    if not rows or not columns:
        return nothing(canvas.width, palette, "no values")
    names = canvas.names
    row_labels = [names.label(r, 130 if canvas.page else 78) for r in rows]
    left = widest(row_labels) + (0.3 if row_title else 0.1)
    right = widest([*(marks or {}).values(), mark_title], TICK) + 0.16 if marks else 0.02
    heads = _heads(canvas, columns, left, right)
    step, column_labels = heads.step, heads.labels
    head = heads.height + (0.18 if column_title else 0)
    noted = any(c.note for c in cells.values()) and _fits(cells, step, notes=True)
    height = 0.33 if noted else 0.235
    drawing = sheet(canvas.width, head + height * len(rows) + 0.06)
    axes = axes_at(drawing, left, head, width=step * len(columns), height=height * len(rows))
    bare(axes)
    axes.set(xlim=(-0.5, len(columns) - 0.5), ylim=(len(rows) - 0.5, -0.5))
    worded = _fits(cells, step, notes=False)
    for y, row in enumerate(rows):
        axes.text(-0.5 - 0.06 / step, y, row_labels[y], ha="right", va="center")
        if marks and marks.get(row):
            x = len(columns) - 0.5 + 0.08 / step
            axes.text(x, y, marks[row], ha="left", va="center", fontsize=TICK, color=palette.muted)
        for x, column in enumerate(columns):
            if (row, column) in cells:
                _cell(axes, palette, (x, y), cells[row, column], worded=worded, noted=noted)
    turn: dict[str, Any] = {"rotation": heads.angle, "ha": "center"}
    if heads.angle == _SLANT:
        turn = {"rotation": _SLANT, "rotation_mode": "anchor", "ha": "left"}
    for x, text in enumerate(column_labels):
        at = x - 0.12 if heads.angle == _SLANT else x
        axes.text(at, -0.5 - 0.06 / height, text, va="bottom", fontsize=TICK, **turn)
    _titles(drawing, axes, palette, (row_title, column_title, mark_title), head)
    return drawing


@dataclass(frozen=True)
class _Heads:
    """How wide a column is, the labels above the columns, their angle, and the height they need, in inches."""

    step: float
    labels: tuple[str, ...]
    angle: int
    height: float


def _heads(canvas: Canvas, columns: Sequence[str], left: float, right: float) -> _Heads:
    """Level labels if they fit, else slanted, else upright; where not even that fits every k-th is written."""
    room, count = canvas.width - left - right, len(columns)

    def labels(points: float) -> tuple[str, ...]:
        return tuple(canvas.names.label(c, points, size=TICK) for c in columns)

    level = min(room / count, _WIDEST)
    if widest(labels(90), TICK) <= level - 0.04:
        return _Heads(level, labels(90), 0, 0.22)
    turned = labels(78)
    tall = widest(turned, TICK)
    overhang = max(0.0, tall * 0.77 - 0.4 * level)
    slanted = min((room - overhang) / count, _WIDEST)
    if slanted >= 0.17:
        return _Heads(slanted, turned, _SLANT, tall * 0.7 + 0.18)
    every = max(1, math.ceil(0.115 / level))
    return _Heads(level, tuple("" if k % every else t for k, t in enumerate(turned)), 90, tall + 0.14)


def _titles(drawing: Drawing, axes: Axes, palette: Palette, titles: tuple[str, str, str], head: float) -> None:
    row_title, column_title, mark_title = titles
    box, (w, h) = axes.get_position(), drawing.get_size_inches()
    words: dict[str, Any] = {"fontsize": TICK, "color": palette.muted}
    if row_title:
        drawing.text(0.02 / w, (box.y0 + box.y1) / 2, row_title, rotation=90, ha="left", va="center", **words)
    if column_title:
        drawing.text(box.x0, 1 - 0.02 / h, column_title, ha="left", va="top", **words)
    if mark_title:
        drawing.text(box.x1 + 0.08 / w, 1 - (head - 0.06) / h, mark_title, ha="left", va="bottom", **words)


def _fits(cells: Mapping[tuple[str, str], Cell], step: float, *, notes: bool) -> bool:
    texts = [c.note if notes else c.text for c in cells.values()]
    return widest(texts, TINY) <= step - 0.04


def _cell(axes: Axes, palette: Palette, at: tuple[int, int], cell: Cell, *, worded: bool, noted: bool) -> None:
    (x, y), gap = at, 0.03
    box = ((x - 0.5 + gap, y - 0.5 + gap), 1 - 2 * gap, 1 - 2 * gap)
    if cell.value is None:
        hatch = Rectangle(*box, fc="none", ec=palette.muted, hatch=_HATCH, lw=0.4, alpha=0.75)
        axes.add_patch(hatch)
        return
    shade = palette.shade(cell.value)
    axes.add_patch(Rectangle(*box, fc=shade, ec="none"))
    if cell.framed:
        inner = ((x - 0.5 + 2 * gap, y - 0.5 + 2 * gap), 1 - 4 * gap, 1 - 4 * gap)
        axes.add_patch(Rectangle(*inner, fc="none", ec=palette.alert, lw=1.5))
    colour, weight = text_on(shade), 600 if cell.strong else 400
    if worded:
        size = BODY if noted else SMALL
        centre: dict[str, Any] = {"ha": "center", "color": colour}
        up = 0.02 if noted and cell.note else None
        axes.text(x, y if up is None else y + up, cell.text, va="center" if up is None else "bottom", fontsize=size,
                  weight=weight, **centre)  # fmt: skip
        if up is not None:
            axes.text(x, y + 0.1, cell.note, va="top", fontsize=TINY, **centre)


def pair_matrix(canvas: Canvas, names: Sequence[str], cells: Mapping[tuple[str, str], Cell], *, title: str) -> Drawing:
    """Differences of every ordered pair, row minus column: blue when the row is ahead, orange when behind.

    A strong (bold) number means that the interval leaves out 0. The diagonal is empty.
    """
    if len(names) < 2:
        return nothing(canvas.width, canvas.palette, "no pair to compare")
    labels = [canvas.names.label(n, 130 if canvas.page else 78) for n in names]
    numbered = len(names) > (10 if canvas.page else 5) or max(len(t) for t in labels) > 14
    if not numbered:
        return heatmap(canvas, names, names, cells, column_title=title)
    return _numbered(canvas, names, cells, title)


def _numbered(canvas: Canvas, names: Sequence[str], cells: Mapping[tuple[str, str], Cell], title: str) -> Drawing:
    """The matrix with columns named by the row's number, because names would not fit above them."""
    palette = canvas.palette
    labels = [canvas.names.label(n, 130 if canvas.page else 72) for n in names]
    left = widest(labels) + 0.36
    step = min((canvas.width - left - 0.02) / len(names), 0.6)
    height, head = max(min(step, 0.26), 0.15), 0.4
    drawing = sheet(canvas.width, head + height * len(names) + 0.06)
    axes = axes_at(drawing, left, head, width=step * len(names), height=height * len(names))
    bare(axes)
    axes.set(xlim=(-0.5, len(names) - 0.5), ylim=(len(names) - 0.5, -0.5))
    worded = _fits(cells, step, notes=False)
    for y, row in enumerate(names):
        number: dict[str, Any] = {"color": palette.muted, "fontsize": TINY}
        axes.text(-0.5 - 0.28 / step, y, labels[y], ha="right", va="center")
        axes.text(-0.5 - 0.06 / step, y, str(y + 1), ha="right", va="center", **number)
        if widest([str(len(names))], TINY) < step - 0.02:
            axes.text(y, -0.5 - 0.05 / height, str(y + 1), ha="center", va="bottom", **number)
        for x, column in enumerate(names):
            if (row, column) in cells:
                _cell(axes, palette, (x, y), cells[row, column], worded=worded, noted=False)
    _titles(drawing, axes, palette, ("", title, ""), head)
    return drawing
