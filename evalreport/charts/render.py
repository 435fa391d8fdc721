"""From a figure to the bytes of its files: every size and theme, the same bytes every time."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO

from fontTools import subset  # type: ignore[import-untyped]
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Drawing

from evalreport.charts.figure import PANEL_WIDTH, WIDTHS, Canvas, Figure, Size
from evalreport.charts.labels import Names
from evalreport.charts.palette import DARK, LIGHT, Palette
from evalreport.charts.style import styled

_METADATA: Mapping[str, Mapping[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}


@dataclass(frozen=True)
class Rendered:
    """The files of a figure by name, its numbered marks and cut names, and where the axes stand in each size.

    `axes` gives left, top, width and height of the first axes as shares of the drawing: a page may lay a live cursor
    over them.
    """

    files: Mapping[str, bytes]
    marks: tuple[tuple[str, str], ...]
    shortened: tuple[tuple[str, str], ...]
    axes: Mapping[Size, tuple[float, float, float, float]]


@contextmanager
def _outlines_only() -> Iterator[None]:
    """Fonts are embedded for their outlines; reading their layout tables first would take a third of all the time."""
    usual = subset.Options._drop_tables_default
    subset.Options._drop_tables_default = [*usual, "GDEF", "GPOS", "GSUB"]
    try:
        yield
    finally:
        subset.Options._drop_tables_default = usual


def _bytes(drawing: Drawing, kind: str, paper: str) -> bytes:
    out = BytesIO()
    face = paper if kind == "png" else "none"
    with _outlines_only():
        drawing.savefig(out, format=kind, metadata=_METADATA[kind], facecolor=face, transparent=kind != "png")
    return out.getvalue()


def _drawn(draw: Callable[[Canvas], Drawing], canvas: Canvas) -> Drawing:
    drawing = draw(canvas)
    FigureCanvasAgg(drawing)
    return drawing


def rendered(figure: Figure) -> Rendered:
    """All pictures of a figure. The light theme is the citable one (SVG, PDF, PNG); dark is SVG for the page.

    The widest size has the bare name `<id>.svg`, the other `<id>-column.svg` and no PNG; dark ones end in
    `-dark.svg`. A glyph that no packaged font has, or any other warning of the drawing library, is an error here.
    """
    files: dict[str, bytes] = {}
    axes: dict[Size, tuple[float, float, float, float]] = {}
    names = Names(figure.names)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for palette, dark in ((LIGHT, ""), (DARK, "-dark")):
            with styled(palette):
                for size in figure.sizes:
                    stem = figure.id + ("" if size == figure.sizes[-1] else f"-{size}") + dark
                    canvas = Canvas(palette=palette, size=size, width=WIDTHS[size], names=names)
                    drawing = _drawn(figure.draw, canvas)
                    for kind in _kinds(size, figure.sizes, dark):
                        files[f"{stem}.{kind}"] = _bytes(drawing, kind, palette.paper)
                    if drawing.axes:
                        box = drawing.axes[0].get_position()
                        axes[size] = (float(box.x0), float(1 - box.y1), float(box.width), float(box.height))
                files |= _panels(figure, palette, names, dark)
    return Rendered(files=files, marks=names.marks, shortened=names.shortened, axes=axes)


def _kinds(size: Size, sizes: tuple[Size, ...], dark: str) -> tuple[str, ...]:
    if dark:
        return ("svg",)
    return ("svg", "pdf", "png") if size == sizes[-1] else ("svg", "pdf")


def _panels(figure: Figure, palette: Palette, names: Names, dark: str) -> dict[str, bytes]:
    canvas = Canvas(palette=palette, size="column", width=PANEL_WIDTH, names=names)
    return {f"{p.id}{dark}.svg": _bytes(_drawn(p.draw, canvas), "svg", palette.paper) for p in figure.panels}
