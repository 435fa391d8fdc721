"""How an order of ranks depends on a weight between 0 and 1, with the exact weights at which two change places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from evalreport.charts.figure import Canvas
from evalreport.charts.sheet import axes_at, nothing, sheet, widest
from evalreport.charts.style import STRONG, TICK, TINY

_ROW = 0.225  # inches from rank to rank
_BEND = 0.009  # how much of the axis a change of places takes
_MOST_DOTTED = 24  # more crossings than this would be a grey wall


@dataclass(frozen=True)
class Weighted:
    """A row whose value is `at_zero` when the weight is 0, `at_one` when it is 1, and on the line between."""

    name: str
    at_zero: Fraction
    at_one: Fraction

    def value(self, weight: Fraction) -> Fraction:
        """The exact value at this weight."""
        return self.at_zero + weight * (self.at_one - self.at_zero)


def crossings(rows: Sequence[Weighted]) -> tuple[Fraction, ...]:
    """Every weight strictly between 0 and 1 at which two rows have the same value, exactly, in order.

    >>> crossings([Weighted("a", Fraction(1), Fraction(0)), Weighted("b", Fraction(0), Fraction(1, 2))])
    (Fraction(2, 3),)
    """
    found: set[Fraction] = set()
    lines = sorted({(r.at_zero, r.at_one) for r in rows}, reverse=True)
    for i, (zero, one) in enumerate(lines):
        for other_zero, other_one in lines[i + 1 :]:
            if one < other_one and zero > other_zero:  # otherwise they meet at an end or never
                found.add((zero - other_zero) / ((zero - other_zero) + (other_one - one)))
    return tuple(sorted(found))


@dataclass(frozen=True)
class RankPath:
    """The place of one row between each two neighbouring crossings, and the printed rank at both ends."""

    name: str
    places: tuple[int, ...]
    first: str
    last: str


def rank_paths(rows: Sequence[Weighted]) -> tuple[RankPath, ...]:
    """Where each row stands between the crossings; rows that tie stand side by side in order of name."""
    stops = (Fraction(0), *crossings(rows), Fraction(1))
    orders = []
    for low, high in pairwise(stops):
        value = {r.name: r.value((low + high) / 2) for r in rows}
        names = sorted(value, key=lambda n: (-value[n], n))
        orders.append(({n: k for k, n in enumerate(names, 1)}, _printed([value[n] for n in names])))
    return tuple(
        RankPath(
            name=r.name,
            places=tuple(place[r.name] for place, _ in orders),
            first=orders[0][1][orders[0][0][r.name] - 1],
            last=orders[-1][1][orders[-1][0][r.name] - 1],
        )
        for r in rows
    )


def _printed(values: Sequence[Fraction]) -> list[str]:
    """Competition ranks of descending values: 1, 2=, 2=, 4."""
    return [f"{values.index(v) + 1}{'=' * (values.count(v) > 1)}" for v in values]


def rank_chart(
    canvas: Canvas, rows: Sequence[Weighted], *, published: Fraction, symbol: str, low_end: str, high_end: str
) -> Drawing:
    """Ranks over all weights: solid blue rises, dashed orange falls, grey never moves; dotted lines are crossings.

    `symbol` is LaTeX for the weight; `low_end` and `high_end` say what weight 0 and 1 mean.
    """
    palette = canvas.palette
    if not rows:
        return nothing(canvas.width, palette, "no ranked versions")
    n, paths, meets = len(rows), rank_paths(rows), crossings(rows)
    room = 112.0 if canvas.page else 84.0
    label = {r.name: canvas.names.label(r.name, room, weight=STRONG) for r in rows}
    names = widest(list(label.values()), weight=STRONG)
    top, height = 0.3, _ROW * n
    left = names + 0.36 if canvas.page else 0.28
    right = names + (0.36 if canvas.page else 0.2)
    drawing = sheet(canvas.width, top + height + 0.48)
    axes = axes_at(drawing, left, top, width=canvas.width - left - right, height=height)
    inch = 1 / (canvas.width - left - right)
    for path in paths:
        _line(axes, canvas, path, meets)
        moved = len(set(path.places)) > 1
        words: dict[str, Any] = {"va": "center", "color": palette.ink, "weight": STRONG if moved else 400}
        numbers: dict[str, Any] = {"va": "center", "fontsize": TINY if canvas.page else TICK, "color": palette.muted}
        axes.text(-0.09 * inch, path.places[0], path.first, ha="right", **numbers)
        if canvas.page:
            axes.text(-0.3 * inch, path.places[0], label[path.name], ha="right", **words)
            axes.text(1 + 0.09 * inch, path.places[-1], path.last, ha="left", **numbers)
        axes.text(1 + (0.3 if canvas.page else 0.12) * inch, path.places[-1], label[path.name], ha="left", **words)
    for x in meets if len(meets) <= _MOST_DOTTED else ():
        axes.axvline(float(x), color=palette.rule, lw=0.6, ls=(0, (1, 2)), zorder=0)
    _published(axes, canvas, published, symbol)
    axes.set(xlim=(0, 1), ylim=(n + 0.5, 0.5), yticks=[])
    axes.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.5", "0.75", "1"])
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(f"${symbol}$  (0: {low_end}, 1: {high_end})", parse_math=True)
    return drawing


def _line(axes: Axes, canvas: Canvas, path: RankPath, meets: Sequence[Fraction]) -> None:
    palette, places = canvas.palette, path.places
    moved, rises = len(set(places)) > 1, places[-1] < places[0]
    colour = (palette.data if rises else palette.alert) if moved else palette.muted
    if moved and places[-1] == places[0]:
        colour = palette.ink
    xs = np.linspace(0, 1, 401) if moved else np.array([0.0, 1.0])
    ys = np.full_like(xs, places[0])
    for x, before, after in zip(meets, places, places[1:], strict=False):
        if before != after:
            ys += (after - before) * 0.5 * (1 + np.tanh((xs - float(x)) / (2 * _BEND)))
    style = (0, (4, 1.4)) if moved and not rises else "-"
    axes.plot(xs, ys, color=colour, lw=1.8 if moved else 1.0, ls=style, zorder=3 if moved else 2, clip_on=False)
    axes.plot([0, 1], [places[0], places[-1]], "o", color=colour, ms=4.5, zorder=4, clip_on=False)


def _published(axes: Axes, canvas: Canvas, published: Fraction, symbol: str) -> None:
    at = float(published)
    axes.axvline(at, color=canvas.palette.ink, lw=0.8, zorder=1)
    side = "left" if at < 0.25 else "right" if at > 0.75 else "center"
    text = f"published, ${symbol}$ = {_decimal(published)}"
    axes.annotate(
        text, (at, 1), (0, 3), xycoords=("data", "axes fraction"), textcoords="offset points", ha=side, va="bottom",
        fontsize=TICK, parse_math=True,
    )  # fmt: skip


def _decimal(value: Fraction) -> str:
    """The weight as it was set: decimals if it has some, else the fraction."""
    text = f"{float(value):.4f}".rstrip("0").rstrip(".")
    return text if Fraction(text) == value else f"{value.numerator}/{value.denominator}"
