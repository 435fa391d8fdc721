"""What a figure is before it is drawn: its words, its numbers, and the function that draws them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from evalreport.core.suite import CsvTable
from evalreport.core.table import Words

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

    from evalreport.charts.labels import Names
    from evalreport.charts.palette import Palette

Size = Literal["column", "page"]
WIDTHS: Mapping[Size, float] = {"column": 3.25, "page": 6.75}  # inches, as printed
PANEL_WIDTH = 2.0


@dataclass(frozen=True)
class Canvas:
    """What a drawing function is given: the colours, the size, and names that can be printed.

    `width` is in inches. Every name from the data goes through `names`: `canvas.names.label(name, points)`.
    """

    palette: Palette
    size: Size
    width: float
    names: Names

    @property
    def page(self) -> bool:
        """Whether this is the wide drawing."""
        return self.size == "page"


@dataclass(frozen=True)
class Panel:
    """One of a figure's small multiples, saved as a small SVG of its own; `href` is where a click leads."""

    id: str
    title: str
    subtitle: str
    alt: str
    draw: Callable[[Canvas], Drawing]
    href: str = ""


@dataclass(frozen=True)
class Figure:
    """A figure of the book: a stable address, a caption that opens with its finding, data, and how it is drawn.

    `id` becomes `figures/<id>.svg` and may hold letters, digits, `-`, `.` and `_`. `finding` is the caption's bold
    first sentence; `text` says how to read the figure, its N and its method; `alt` tells the same to who cannot see
    it. `data` are the numbers that are drawn (the CSV file), `settings` what they depend on (the JSON file). `names`
    are all names from the data that the drawing writes: those without a glyph become numbered marks.
    """

    id: str
    finding: Words
    text: Words
    alt: str
    data: CsvTable
    draw: Callable[[Canvas], Drawing]
    settings: Mapping[str, str] = field(default_factory=dict)
    sizes: tuple[Size, ...] = ("column", "page")
    panels: tuple[Panel, ...] = ()
    names: tuple[str, ...] = ()
