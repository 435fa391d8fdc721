"""One row a name: values with their intervals on one scale, numbers written beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from evalreport.charts.figure import Canvas
from evalreport.charts.palette import Palette
from evalreport.charts.sheet import axes_at, nothing, sheet, short_number, widest
from evalreport.charts.style import SMALL, STRONG, TICK

Tone = Literal["data", "alert", "muted"]
_ROW = 0.205


@dataclass(frozen=True)
class ForestRow:
    """A name with its value (None: `note` says why there is none), interval, the value as text, and its n.

    `tone` "muted" draws a hollow grey mark (not ranked), "alert" an orange one. `group` opens a new group of rows; it
    is words, or a name that the figure lists.
    """

    name: str
    value: float | None
    text: str = ""
    n: int | None = None
    interval: tuple[float, float] | None = None
    rank: str = ""
    note: str = ""
    tone: Tone = "data"
    group: str = ""


@dataclass(frozen=True)
class Scale:
    """The common axis of all rows: its name with unit, both ends, ticks, and thresholds to mark with their words."""

    label: str
    low: float = 0.0
    high: float = 1.0
    ticks: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)
    threshold: float | None = None
    threshold_label: str = ""


@dataclass(frozen=True)
class _Plan:
    """Where the columns of a row chart stand, in inches."""

    rank: float
    name: float
    left: float
    width: float
    numbers: tuple[float, float]
    lines: float


def _slots(rows: Sequence[ForestRow]) -> list[tuple[float, ForestRow, bool]]:
    """The height of every row, counted from the top, and whether its group's name stands above it."""
    at, group, out = 0.0, None, []
    for row in rows:
        opens = bool(row.group) and row.group != group
        at += 1.25 if opens else 0.0
        out.append((at, row, opens))
        group, at = row.group, at + 1
    return out


def forest(canvas: Canvas, rows: Sequence[ForestRow], scale: Scale, *, value_title: str, n_title: str = "n") -> Drawing:
    """Values with intervals, one row a name, the numbers at the right; rows stay in the order given."""
    palette = canvas.palette
    if not rows:
        return nothing(canvas.width, palette, "no rows to draw")
    slots = _slots(rows)
    plan = _plan(canvas, rows, slots[-1][0] + 1, value_title, n_title)
    head = 0.36 if scale.threshold_label else 0.22
    height = plan.lines * _ROW
    drawing = sheet(canvas.width, head + height + 0.44)
    axes = axes_at(drawing, plan.left, head, width=plan.width, height=height)
    _frame(axes, palette, scale, plan.lines)
    inch = (scale.high - scale.low) / plan.width
    value_x, n_x = (scale.high + d * inch for d in plan.numbers)
    for y, row, opens in slots:
        name = canvas.names.label(row.name, _room(canvas))
        quiet = palette.muted if row.tone == "muted" else palette.ink
        if opens:
            axes.text(scale.low - (plan.left - 0.02) * inch, y - 1.0, _group(canvas, row), va="center", fontsize=SMALL,
                      color=palette.muted, style="italic", bbox=_cleared(palette))  # fmt: skip
        if row.rank:
            axes.text(
                scale.low - (plan.left - plan.rank) * inch, y, row.rank, ha="right", va="center", color=palette.muted
            )
        axes.text(scale.low - (plan.left - plan.name) * inch, y, name, ha="left", va="center", color=quiet)
        _mark(axes, palette, scale, y, row)
        axes.text(value_x, y, row.text if row.value is not None else "–", ha="right", va="center", color=quiet)
        if row.n is not None:
            axes.text(n_x, y, str(row.n), ha="right", va="center", color=palette.muted)
    heads: dict[str, Any] = {"va": "bottom", "ha": "right", "fontsize": SMALL, "color": palette.muted}
    axes.text(value_x, -0.72, value_title, **heads)
    axes.text(n_x, -0.72, n_title if any(r.n is not None for r in rows) else "", **heads)
    return drawing


def _group(canvas: Canvas, row: ForestRow) -> str:
    """The name of a group as it is written; it has the whole width for itself."""
    if row.group not in canvas.names:
        return row.group
    return canvas.names.label(row.group, (canvas.width - 0.06) * 72, size=SMALL)


def _cleared(palette: Palette) -> dict[str, Any]:
    """Paper behind a text that lines cross."""
    return {"fc": palette.paper, "ec": "none", "pad": 1.5}


def _room(canvas: Canvas) -> float:
    return 130.0 if canvas.page else 76.0


def _plan(canvas: Canvas, rows: Sequence[ForestRow], lines: float, value_title: str, n_title: str) -> _Plan:
    names = widest([canvas.names.label(r.name, _room(canvas)) for r in rows])
    ranks = widest([r.rank for r in rows])
    value = max(widest([r.text for r in rows]), widest([value_title], SMALL))
    n = max(widest([str(r.n) for r in rows if r.n is not None]), widest([n_title], SMALL))
    left = 0.02 + ranks + (0.1 if ranks else 0) + names + 0.1
    numbers = (0.14 + value, 0.14 + value + 0.1 + n)
    width = canvas.width - left - numbers[1] - 0.03
    name = 0.02 + ranks + (0.1 if ranks else 0)
    return _Plan(rank=0.02 + ranks, name=name, left=left, width=width, numbers=numbers, lines=lines)


def _frame(axes: Axes, palette: Palette, scale: Scale, lines: float) -> None:
    axes.set(xlim=(scale.low, scale.high), ylim=(lines - 0.4, -0.6), yticks=[])
    axes.set_xticks(scale.ticks, [short_number(t) for t in scale.ticks])
    axes.set_xlabel(scale.label, parse_math=True)
    axes.spines["left"].set_visible(False)
    if scale.threshold is not None:
        axes.axvline(scale.threshold, color=palette.ink, lw=0.8, ls=(0, (3, 2)), zorder=1)
        side = "left" if scale.threshold - scale.low < 0.3 * (scale.high - scale.low) else "right"
        axes.annotate(scale.threshold_label, (scale.threshold, 1), (2 if side == "left" else -2, 3),
                      ha=side, va="bottom", xycoords=("data", "axes fraction"), textcoords="offset points",
                      fontsize=SMALL)  # fmt: skip


def _mark(axes: Axes, palette: Palette, scale: Scale, y: float, row: ForestRow) -> None:
    axes.plot([scale.low, scale.high], [y, y], color=palette.faint, lw=0.6, zorder=0)
    if row.value is None:
        words: dict[str, Any] = {"color": palette.muted, "fontsize": SMALL, "style": "italic"}
        axes.text((scale.low + scale.high) / 2, y, row.note, ha="center", va="center", bbox=_cleared(palette), **words)
        return
    colour = {"data": palette.data, "alert": palette.alert, "muted": palette.muted}[row.tone]
    if row.interval is not None:
        axes.plot(row.interval, [y, y], color=colour, lw=1.4, zorder=2, solid_capstyle="butt")
    hollow = row.tone == "muted"
    face, edge = (palette.paper, colour) if hollow else (colour, palette.paper)
    shape = "D" if row.tone == "alert" else "o"
    axes.plot(row.value, y, shape, mfc=face, mec=edge, mew=1.0 if hollow else 0.7, ms=5, zorder=4, clip_on=False)
    if row.note:
        right = max(row.value, row.interval[1] if row.interval else row.value)
        far = right > scale.low + 0.62 * (scale.high - scale.low)
        left = min(row.value, row.interval[0] if row.interval else row.value)
        axes.annotate(row.note, (left if far else right, y), (-5 if far else 5, 0), textcoords="offset points",
                      ha="right" if far else "left", va="center", fontsize=SMALL, color=palette.muted)  # fmt: skip


@dataclass(frozen=True)
class DotRow:
    """A name with all its single values; equal values pile up. `text` stands at the right, such as "18 of 23"."""

    name: str
    values: tuple[float, ...]
    text: str = ""


def dots(canvas: Canvas, rows: Sequence[DotRow], scale: Scale, *, text_title: str = "") -> Drawing:
    """Every single value as a dot in its row; orange and hollow below the threshold."""
    palette = canvas.palette
    if not rows:
        return nothing(canvas.width, palette, "no rows to draw")
    room = _room(canvas)
    left = widest([canvas.names.label(r.name, room) for r in rows]) + 0.14
    right = max(widest([r.text for r in rows], weight=STRONG), widest([text_title], SMALL)) + 0.14
    edge = right
    right += 0.03
    width, row_height = canvas.width - left - right, 0.34
    drawing = sheet(canvas.width, 0.32 + row_height * len(rows) + 0.44)
    axes = axes_at(drawing, left, 0.32, width=width, height=row_height * len(rows))
    _frame(axes, palette, scale, len(rows))
    axes.set_ylim(len(rows) - 0.5, -0.5)
    inch = (scale.high - scale.low) / width
    for y, row in enumerate(rows):
        axes.plot([scale.low, scale.high], [y, y], color=palette.faint, lw=0.6, zorder=0)
        axes.text(scale.low - 0.09 * inch, y, canvas.names.label(row.name, room), ha="right", va="center")
        axes.text(scale.high + edge * inch, y, row.text, ha="right", va="center", weight=STRONG)
        for value, offset in _piled(row.values, inch * 0.075):
            below = scale.threshold is not None and value < scale.threshold
            colour = palette.alert if below else palette.data
            axes.plot(value, y + offset, "o", mfc="none" if below else colour, mec=colour, mew=0.9, ms=3.6,
                      alpha=1 if below else 0.75, clip_on=False)  # fmt: skip
        if not row.values:
            axes.text((scale.low + scale.high) / 2, y, "no values", ha="center", va="center", fontsize=TICK,
                      color=palette.muted, style="italic", bbox=_cleared(palette))  # fmt: skip
    axes.text(
        scale.high + edge * inch, -0.5 - 0.1 / row_height, text_title, ha="right", fontsize=SMALL, color=palette.muted
    )
    return drawing


def _piled(values: Sequence[float], width: float) -> list[tuple[float, float]]:
    """Each value with a vertical offset that keeps neighbours apart: 0, up, down, up … within a third of a row."""
    piles: dict[int, list[float]] = {}
    for value in sorted(values):
        piles.setdefault(round(value / width), []).append(value)
    out = []
    for pile in piles.values():
        step = min(0.17, 0.66 / max(len(pile) - 1, 1))
        out += [(value, (k - (len(pile) - 1) / 2) * step) for k, value in enumerate(pile)]
    return out
