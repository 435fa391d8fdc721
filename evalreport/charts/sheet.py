"""The paper a figure is drawn on: axes placed in inches, and a sentence where there is nothing to draw."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from evalreport.charts.fonts import text_width
from evalreport.charts.palette import Palette
from evalreport.charts.style import BODY

POINTS = 72.0  # points in an inch


def sheet(width: float, height: float) -> Drawing:
    """An empty drawing of this size in inches, outside any global list of figures."""
    return Drawing(figsize=(width, height))


def axes_at(drawing: Drawing, left: float, top: float, *, width: float, height: float) -> Axes:
    """Axes whose upper left corner is this many inches from the upper left corner of the drawing."""
    w, h = drawing.get_size_inches()
    return drawing.add_axes((left / w, 1 - (top + height) / h, width / w, height / h))


def nothing(width: float, palette: Palette, sentence: str, *, note: str = "", height: float = 0.8) -> Drawing:
    """A drawing that says in words why nothing is drawn."""
    drawing = sheet(width, height)
    drawing.text(0.5, 0.5, sentence, ha="center", va="bottom", color=palette.muted, style="italic")
    if note:
        drawing.text(0.5, 0.5 - 0.05 / height, note, ha="center", va="top", color=palette.muted, fontsize=7.5)
    return drawing


def widest(texts: Sequence[str], size: float = BODY, *, weight: int = 400) -> float:
    """The width of the widest of these texts, in inches; 0 when there are none."""
    return max((text_width(t, size, weight=weight) for t in texts), default=0.0) / POINTS


def bare(axes: Axes) -> None:
    """Take away frame and ticks: what is drawn carries its own labels."""
    axes.spines[:].set_visible(False)
    axes.set(xticks=[], yticks=[])


def short_number(value: float) -> str:
    """A tick label without needless zeros.

    >>> [short_number(v) for v in (0.0, 0.25, 0.5, 1.0, -0.1)]
    ['0', '0.25', '0.5', '1', '−0.1']
    """
    return f"{value:.4f}".rstrip("0").rstrip(".").replace("-", "−")
