"""Values over a setting: a line a name, names at the line ends, the published setting marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure as Drawing

from evalreport.charts.figure import Canvas
from evalreport.charts.sheet import axes_at, nothing, sheet, short_number, widest
from evalreport.charts.style import BODY, TICK

_DASHES: tuple[str | tuple[int, tuple[float, ...]], ...] = ("-", (0, (4, 1.4)), (0, (1, 1.2)), (0, (5, 1.2, 1, 1.2)))


@dataclass(frozen=True)
class Series:
    """One line: its name and its points. A single point is drawn as a dot."""

    name: str
    points: tuple[tuple[float, float], ...]


def sensitivity(
    canvas: Canvas,
    series: Sequence[Series],
    *,
    x_label: str,
    y_label: str,
    x_range: tuple[float, float],
    y_range: tuple[float, float],
    published: tuple[float, str] | None = None,
    height: float = 2.6,
) -> Drawing:
    """Lines told apart by colour and dash, each named at its right end; `published` marks the setting in use."""
    palette = canvas.palette
    drawn = [s for s in series if s.points]
    if not drawn:
        return nothing(canvas.width, palette, "no values")
    room = 110.0 if canvas.page else 74.0
    labels = {s.name: canvas.names.label(s.name, room) for s in drawn}
    right = widest(list(labels.values())) + 0.14
    top, bottom = (0.26 if published else 0.1), 0.44
    left = 0.52  # ticks and a turned label
    line = 0.145  # inches from name to name
    height = max(height, top + bottom + line * len(drawn))
    drawing = sheet(canvas.width, height)
    tall = height - top - bottom
    axes = axes_at(drawing, left, top, width=canvas.width - left - right, height=tall)
    (low, high), step = y_range, line * (y_range[1] - y_range[0]) / tall
    ends = _spread([(s.points[-1][1], s.name) for s in drawn], step, y_range)
    for k, s in enumerate(drawn):
        xs, ys = [p[0] for p in s.points], [p[1] for p in s.points]
        colour, dash = palette.series[k % len(palette.series)], _DASHES[(k // len(palette.series)) % len(_DASHES)]
        axes.plot(xs, ys, color=colour, ls=dash, marker="o" if len(xs) == 1 else "", zorder=3, clip_on=False)
        inch = (x_range[1] - x_range[0]) / (canvas.width - left - right)
        axes.plot([x_range[1], x_range[1] + 0.08 * inch], [ys[-1], ends[s.name]], color=colour, lw=0.6, clip_on=False)
        axes.text(x_range[1] + 0.11 * inch, ends[s.name], labels[s.name], va="center", fontsize=BODY)
    if published:
        at, words = published
        share = (at - x_range[0]) / (x_range[1] - x_range[0])
        side = "left" if share < 0.25 else "right" if share > 0.75 else "center"
        axes.axvline(at, color=palette.ink, lw=0.8, zorder=1)
        axes.annotate(words, (at, 1), (0, 3), xycoords=("data", "axes fraction"), textcoords="offset points", ha=side,
                      va="bottom", fontsize=TICK, parse_math=True)  # fmt: skip
    ticks = [x_range[0] + (x_range[1] - x_range[0]) * k / 4 for k in range(5)]
    axes.set(xlim=x_range, ylim=y_range)
    axes.set_xticks(ticks, [short_number(t) for t in ticks])
    middle = [low + (high - low) * k / 4 for k in range(5)]
    axes.set_yticks(middle, [short_number(t) for t in middle])
    axes.set_xlabel(x_label, parse_math=True)
    axes.set_ylabel(y_label, parse_math=True)
    return drawing


def _spread(ends: Sequence[tuple[float, str]], step: float, limits: tuple[float, float]) -> dict[str, float]:
    """Heights for the names, as near to their line ends as they can be without touching."""
    ordered = sorted(ends)
    at = [value for value, _ in ordered]
    for k in range(1, len(at)):
        at[k] = max(at[k], at[k - 1] + step)
    over = max(at[-1] - limits[1], 0.0)
    at[-1] -= over
    for k in range(len(at) - 2, -1, -1):
        at[k] = min(at[k], at[k + 1] - step)
    return {name: y for y, (_, name) in zip(at, ordered, strict=True)}
