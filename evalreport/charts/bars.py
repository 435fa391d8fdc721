"""Counts as bars: parts of a whole, and how many fall into each bin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.patches import Rectangle

from evalreport.charts.figure import Canvas
from evalreport.charts.palette import Palette
from evalreport.charts.sheet import axes_at, nothing, sheet, widest
from evalreport.charts.style import SMALL, STRONG, TICK, TINY

Look = Literal["alert", "data", "wash", "muted", "hatch"]
_ROW = 0.245


@dataclass(frozen=True)
class Part:
    """One kind of part: its words in the key, shorter words for the column size, and how it is drawn."""

    words: str
    look: Look
    short: str = ""


@dataclass(frozen=True)
class BarRow:
    """A name, the count of each part in the order of the key, and the words at the right.

    `count` leads ("41 of 62"), `share` follows in grey; `rest` explains what is missing to the whole.
    """

    name: str
    counts: tuple[int, ...]
    count: str
    share: str = ""
    rest: str = ""


def _patch(palette: Palette, look: Look) -> dict[str, Any]:
    return {
        "alert": {"fc": palette.alert, "lw": 0},
        "data": {"fc": palette.data, "lw": 0},
        "wash": {"fc": palette.data, "alpha": palette.wash, "lw": 0},
        "muted": {"fc": palette.muted, "alpha": 0.45, "lw": 0},
        "hatch": {"fc": "none", "ec": palette.muted, "hatch": "//////", "lw": 0.4},
    }[look]


def stacked_bars(
    canvas: Canvas, rows: Sequence[BarRow], parts: Sequence[Part], *, total: int, unit: str, label: str = ""
) -> Drawing:
    """Horizontal bars of counts on one scale up to the total; the count comes first, the percent is grey.

    `label` stands below the axis instead of the unit with the total, where the rows are not parts of one whole.
    """
    palette = canvas.palette
    if not rows or total < 1:
        return nothing(canvas.width, palette, f"no {unit}")
    room = 130.0 if canvas.page else 82.0
    labels = [canvas.names.label(r.name, room) for r in rows]
    left = widest(labels) + 0.14
    counts, shares = widest([r.count for r in rows], weight=STRONG), widest([r.share for r in rows])
    shown = bool(shares) and canvas.page
    gap = shares + 0.12 if shown else 0.0
    right = counts + 0.14 + gap
    width = canvas.width - left - right - 0.03
    words = [p.words if canvas.page else p.short or p.words for p in parts]
    lines = _key_lines(words, canvas.width - 0.1)
    head = 0.1 + 0.17 * len(lines)
    drawing = sheet(canvas.width, head + _ROW * len(rows) + 0.46)
    axes = axes_at(drawing, left, head, width=width, height=_ROW * len(rows))
    inch = total / width
    for y, row in enumerate(rows):
        axes.text(-0.09 * inch, y, labels[y], ha="right", va="center")
        end = _bar(axes, palette, y, row, parts)
        axes.text(
            total + (right - gap) * inch,
            y,
            row.count,
            ha="right",
            va="center",
            weight=STRONG,
        )
        if shown:
            axes.text(total + right * inch, y, row.share, ha="right", va="center", color=palette.muted)
        if row.rest and widest([row.rest], SMALL) + 0.06 < (total - end) / inch:
            axes.text(end + 0.06 * inch, y, row.rest, va="center", color=palette.muted, fontsize=SMALL)
    axes.set(xlim=(0, total), ylim=(len(rows) - 0.5, -0.5), yticks=[], xlabel=label or f"{unit} ({total:,} in all)")
    ticks = _whole_ticks(total, width)
    axes.set_xticks(ticks, [f"{t:,}" for t in ticks])
    axes.spines["left"].set_visible(False)
    _key(drawing, palette, (lines, words, parts), left)
    return drawing


def _bar(axes: Axes, palette: Palette, y: int, row: BarRow, parts: Sequence[Part]) -> int:
    start = 0
    for count, part in zip(row.counts, parts, strict=True):
        if count:
            axes.add_patch(Rectangle((start, y - 0.31), count, 0.62, **_patch(palette, part.look)))
        start += count
    return start


def _key_lines(words: Sequence[str], room: float) -> list[list[int]]:
    lines: list[list[int]] = [[]]
    used = 0.0
    for k, text in enumerate(words):
        need = widest([text], TICK) + 0.36
        if lines[-1] and used + need > room:
            lines.append([])
            used = 0.0
        lines[-1].append(k)
        used += need
    return lines


def _key(
    drawing: Drawing,
    palette: Palette,
    key: tuple[list[list[int]], Sequence[str], Sequence[Part]],
    left: float,
) -> None:
    lines, words, parts = key
    w, h = drawing.get_size_inches()
    longest = max(sum(widest([words[k]], TICK) + 0.36 for k in line) for line in lines)
    start = left if left + longest <= w else max(0.02, w - longest)
    for row, line in enumerate(lines):
        x, y = start, h - 0.11 - 0.17 * row
        for k in line:
            box = ((x / w, (y - 0.045) / h), 0.14 / w, 0.09 / h)
            drawing.add_artist(Rectangle(*box, transform=drawing.transFigure, **_patch(palette, parts[k].look)))
            drawing.text((x + 0.19) / w, y / h, words[k], fontsize=TICK, va="center_baseline")
            x += widest([words[k]], TICK) + 0.36


def _whole_ticks(total: int, width: float) -> list[int]:
    """0, some round counts, and the total itself."""
    step = next(s * 10**e for e in range(12) for s in (1, 2, 5) if s * 10**e * 4 >= total)
    room = widest([f"{total:,}"], TICK) + 0.12
    return [*(t for t in range(0, total, step) if (total - t) * width / total >= room), total]


@dataclass(frozen=True)
class HistogramBin:
    """Both limits of a bin on the axis and how many are in it."""

    low: float
    high: float
    n: int


def histogram(
    canvas: Canvas,
    bins: Sequence[HistogramBin],
    *,
    label: str,
    unit: str,
    ticks: Sequence[tuple[float, str]],
) -> Drawing:
    """How many fall into each bin: counts on the bars, or an axis when bars are narrow. Empty bins are not drawn."""
    palette = canvas.palette
    total = sum(b.n for b in bins)
    if not total:
        return nothing(canvas.width, palette, f"no {unit}")
    drawing = sheet(canvas.width, 1.75)
    top, low, high = max(b.n for b in bins), min(b.low for b in bins), max(b.high for b in bins)
    counted = all(widest([str(b.n)], TINY) < (b.high - b.low) * (canvas.width - 0.42) / (high - low) for b in bins)
    left = 0.3 if counted else 0.36 + widest([f"{top:,}"], TICK)
    axes = axes_at(drawing, left, 0.1, width=canvas.width - left - 0.12, height=1.15)
    scale = (canvas.width - left - 0.12) / (high - low)
    for b in bins:
        if b.n:
            gap = min(0.02 / scale, (b.high - b.low) * 0.2)
            corner, width = (b.low + gap / 2, 0), b.high - b.low - gap
            axes.add_patch(Rectangle(corner, width, b.n, fc=palette.data, alpha=palette.wash + 0.08, lw=0))
            if counted:
                size = TICK if widest([str(b.n)], TICK) < width * scale else TINY
                axes.text((b.low + b.high) / 2, b.n + top * 0.03, str(b.n), ha="center", va="bottom", fontsize=size)
    axes.set(xlim=(low, high), ylim=(0, top * 1.2), xlabel=label)
    axes.set_ylabel(f"{unit} ({total:,} in all)", labelpad=5)
    axes.set_xticks([t for t, _ in ticks], [text for _, text in ticks])
    axes.set_yticks([] if counted else [0, top], [] if counted else ["0", f"{top:,}"])
    axes.spines["left"].set_visible(not counted)
    return drawing
