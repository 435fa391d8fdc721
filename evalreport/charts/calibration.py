"""Reliability diagrams: what was said against what came true, with the intervals and the band that luck explains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.patches import Rectangle

from evalreport.charts.figure import PANEL_WIDTH, Canvas
from evalreport.charts.palette import Palette
from evalreport.charts.sheet import POINTS, axes_at, nothing, sheet, short_number
from evalreport.charts.style import SMALL, STRONG, TICK, TINY, TITLE

_LIMITS = {0.3: (0.0, 0.1, 0.2, 0.3), 0.5: (0.0, 0.25, 0.5), 1.0: (0.0, 0.5, 1.0)}  # ends of the ECE axis: ticks
_MARGIN = 0.004  # white line between the tints of neighbouring bins


@dataclass(frozen=True)
class Bin:
    """A bin of stated confidence that holds runs: limits in percent (both inclusive), n, the two means, an interval.

    `confidence`, `correctness` and `interval` (of the correctness) run from 0 to 1.
    """

    low: int
    high: int
    n: int
    confidence: float
    correctness: float
    interval: tuple[float, float]

    @property
    def left(self) -> float:
        """Where the bin begins on the axis."""
        return self.low / 100

    @property
    def width(self) -> float:
        """How wide the bin is on the axis; the last bin holds 100 % too."""
        return (self.high + (self.high < 100)) / 100 - self.left


@dataclass(frozen=True)
class NullBand:
    """An ECE beside what a perfectly calibrated subject with the same confidences would get by luck.

    `text` is the ECE as it is printed, rounded on its exact value.
    """

    ece: float
    mean: float
    low: float
    high: float
    text: str

    @property
    def above(self) -> bool:
        """Whether luck does not explain the ECE."""
        return self.ece > self.high


@dataclass(frozen=True)
class Reliability:
    """One subject's diagram. Without bins nothing is drawn but `empty`, the sentence that says why."""

    name: str
    bins: tuple[Bin, ...]
    band: NullBand | None = None
    note: str = ""  # beside the name, such as "ECE 0.1040"
    empty: str = "no scored runs"
    empty_note: str = ""


def axis_limit(bands: Sequence[NullBand | None]) -> float:
    """One end of the ECE axis for all these bands, so that panels can be compared: 0.3, 0.5 or 1."""
    most = max((max(b.ece, b.high) for b in bands if b), default=0.0)
    return next((limit for limit in _LIMITS if most <= limit), max(_LIMITS))


def reliability_panel(axes: Axes, palette: Palette, bins: Sequence[Bin], *, large: bool) -> None:
    """Mean correctness against mean confidence of each bin; the gap to the diagonal is tinted over the bin's width."""
    axes.plot([0, 1], [0, 1], color=palette.muted, lw=0.8, ls=(0, (4, 2)), zorder=1)
    for b in bins:
        x, y = b.confidence, b.correctness
        corner, size = (b.left + _MARGIN, min(x, y)), (b.width - 2 * _MARGIN, abs(x - y))
        axes.add_patch(Rectangle(corner, *size, fc=palette.alert, alpha=palette.tint, lw=0, zorder=1))
        axes.plot([x, x], b.interval, color=palette.data, lw=1.2 if large else 1.0, zorder=2, clip_on=False)
        mark = 5.5 if large else 4.6
        axes.plot(x, y, "o", color=palette.data, ms=mark, mec=palette.paper, mew=0.7, zorder=4, clip_on=False)
        if not large:
            middle = b.left + b.width / 2
            axes.text(middle, 1.06, str(b.n), ha="center", va="bottom", fontsize=TINY, color=palette.muted)
    axes.set(xlim=(0, 1), ylim=(-0.02, 1.02))
    ticks = [0, 0.2, 0.4, 0.6, 0.8, 1] if large else [0, 0.5, 1]
    axes.set_xticks(ticks, [short_number(t) for t in ticks])
    axes.set_yticks(ticks, [short_number(t) for t in ticks])
    axes.spines["left"].set_bounds(0, 1)


def confidence_histogram(axes: Axes, palette: Palette, bins: Sequence[Bin]) -> None:
    """How many runs stated a confidence in each bin, the count on every bar."""
    top = max((b.n for b in bins), default=1)
    for b in bins:
        middle = b.left + b.width / 2
        axes.bar(middle, b.n, b.width - 0.014, color=palette.data, alpha=palette.wash + 0.08, lw=0)
        axes.text(middle, b.n + top * 0.05, str(b.n), ha="center", va="bottom", fontsize=TICK)
    ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]
    axes.set(xlim=(0, 1), ylim=(0, top * 1.32), yticks=[])
    axes.set_xticks(ticks, [short_number(t) for t in ticks])
    axes.spines["left"].set_visible(False)


def null_strip(axes: Axes, palette: Palette, band: NullBand, *, limit: float, large: bool) -> None:
    """The ECE as a diamond on its null band; orange when it lies above."""
    axes.plot([0, limit], [0, 0], color=palette.rule, lw=0.6, zorder=0)
    axes.plot(
        [band.low, band.high], [0, 0], color=palette.muted, lw=8 if large else 5, alpha=0.38, solid_capstyle="butt"
    )
    axes.plot([band.mean] * 2, [-0.5, 0.5], color=palette.muted, lw=1)
    colour = palette.alert if band.above else palette.data
    mark = 5.5 if large else 4.0
    axes.plot(band.ece, 0, "D", color=colour, ms=mark, mec=palette.paper, mew=0.7, zorder=4, clip_on=False)
    axes.set(xlim=(0, limit), ylim=(-1, 1), yticks=[])
    ticks = _LIMITS[limit] if large else (0.0, limit)
    axes.set_xticks(ticks, [short_number(t) for t in ticks])
    axes.spines["left"].set_visible(False)


def reliability_diagram(canvas: Canvas, subject: Reliability, *, band_label: str = "null band, 5–95 %") -> Drawing:
    """The full diagram of one subject: reliability, histogram of confidence, ECE on its null band."""
    palette = canvas.palette
    if not subject.bins:
        return nothing(canvas.width, palette, subject.empty, note=subject.empty_note)
    if canvas.page:
        return _wide(canvas, subject, band_label)
    drawing = sheet(canvas.width, 4.55)
    left, width = 0.46, canvas.width - 0.46 - 0.1
    panel = axes_at(drawing, left, 0.1, width=width, height=2.35)
    counts = axes_at(drawing, left, 2.62, width=width, height=0.68)
    _fill(panel, counts, palette, subject)
    panel.set_xticklabels([])
    counts.set_xlabel("stated confidence")
    if subject.band:
        _strip_below(axes_at(drawing, left, 3.83, width=width, height=0.24), palette, subject.band, band_label)
    drawing.align_ylabels([panel, counts])
    return drawing


def _wide(canvas: Canvas, subject: Reliability, band_label: str) -> Drawing:
    palette = canvas.palette
    drawing = sheet(canvas.width, 2.95)
    panel = axes_at(drawing, 0.46, 0.1, width=3.1, height=2.4)
    counts = axes_at(drawing, 4.05, 0.1, width=2.58, height=1.05)
    _fill(panel, counts, palette, subject)
    panel.set_xlabel("stated confidence")
    counts.set_xlabel("stated confidence")
    if subject.band:
        _strip_below(axes_at(drawing, 4.05, 2.26, width=2.58, height=0.24), palette, subject.band, band_label)
    return drawing


def _fill(panel: Axes, counts: Axes, palette: Palette, subject: Reliability) -> None:
    reliability_panel(panel, palette, subject.bins, large=True)
    panel.set_ylabel("mean correctness")
    words: dict[str, Any] = {"color": palette.muted, "fontsize": TICK, "style": "italic", "zorder": 3}
    words["bbox"] = {"fc": palette.paper, "ec": "none", "alpha": 0.75, "pad": 1}  # above tints, below marks
    panel.text(0.97, 0.045, "overconfident", ha="right", **words)
    panel.text(0.03, 0.93, "underconfident", ha="left", **words)
    confidence_histogram(counts, palette, subject.bins)
    counts.set_ylabel("runs")


def _strip_below(axes: Axes, palette: Palette, band: NullBand, label: str) -> None:
    null_strip(axes, palette, band, limit=axis_limit([band]), large=True)
    where = "above" if band.above else "on"
    axes.set_xlabel(f"ECE {band.text} (diamond), {where} its {label} (grey)", fontsize=TICK)


def small_reliability(canvas: Canvas, subject: Reliability, *, limit: float = 0.3) -> Drawing:
    """One panel of the small multiples; the page writes the name above it."""
    palette = canvas.palette
    drawing = sheet(PANEL_WIDTH, 2.45)
    if subject.bins:
        _small(drawing, palette, subject, at=(0.0, 0.0, PANEL_WIDTH), limit=limit)
    else:
        drawing.text(0.5, 0.55, subject.empty, ha="center", color=palette.muted, style="italic")
        drawing.text(0.5, 0.47, subject.empty_note, ha="center", color=palette.muted, fontsize=SMALL)
    return drawing


def _small(
    drawing: Drawing, palette: Palette, subject: Reliability, *, at: tuple[float, float, float], limit: float
) -> None:
    left, top, width = at[0] + 0.3, at[1], at[2] - 0.42
    reliability_panel(axes_at(drawing, left, top + 0.22, width=width, height=1.42), palette, subject.bins, large=False)
    if subject.band:
        strip = axes_at(drawing, left, top + 2.03, width=width, height=0.17)
        null_strip(strip, palette, subject.band, limit=limit, large=False)


def reliability_overview(canvas: Canvas, subjects: Sequence[Reliability]) -> Drawing:
    """All panels as one figure, for papers; the page lays the single panels out itself."""
    palette = canvas.palette
    if not subjects:
        return nothing(canvas.width, palette, "no subjects")
    columns = 3 if canvas.page else 2
    cell_w, cell_h = canvas.width / columns, 2.85
    rows = -(-len(subjects) // columns)
    drawing = sheet(canvas.width, rows * cell_h)
    limit = axis_limit([s.band for s in subjects])
    w, h = drawing.get_size_inches()
    for k, subject in enumerate(subjects):
        left, top = (k % columns) * cell_w, (k // columns) * cell_h
        room = (cell_w - 0.15) * POINTS
        label = canvas.names.label(subject.name, room, size=TITLE, weight=STRONG)
        drawing.text((left + 0.06) / w, 1 - (top + 0.2) / h, label, fontsize=TITLE, weight=STRONG)
        drawing.text((left + 0.06) / w, 1 - (top + 0.34) / h, subject.note, fontsize=SMALL, color=palette.muted)
        if subject.bins:
            _small(drawing, palette, subject, at=(left, top + 0.36, min(cell_w, PANEL_WIDTH)), limit=limit)
        else:
            middle = ((left + cell_w / 2) / w, 1 - (top + cell_h / 2) / h)
            drawing.text(*middle, subject.empty, ha="center", color=palette.muted, style="italic")
    return drawing
