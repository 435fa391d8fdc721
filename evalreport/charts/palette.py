"""The colours of figures: one blue for data, one orange for "look here", greys for everything else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Theme = Literal["light", "dark"]


@dataclass(frozen=True)
class Palette:
    """The colours of one theme, as `#RRGGBB`, and what each is for.

    `ink` is text, `muted` notes and unranked rows, `rule` tracks and dotted lines, `faint` quiet areas, `data` marks
    and intervals, `alert` marks that need a look. `ramp` runs from 0 to 1, `against` from 0 to -1.
    `tint` and `wash` are opacities: of the gap to the diagonal, and of bars that are background.
    """

    theme: Theme
    paper: str
    ink: str
    muted: str
    rule: str
    faint: str
    data: str
    alert: str
    ramp: tuple[str, str]
    against: tuple[str, str]
    tint: float
    wash: float
    series: tuple[str, ...]

    def shade(self, value: float) -> str:
        """The colour of a value from -1 to 1: blue for 0 to 1, orange for what is negative."""
        low, high = self.ramp if value >= 0 else self.against
        return mixed(low, high, min(abs(value), 1.0))


LIGHT = Palette(
    theme="light",
    paper="#FFFFFF",
    ink="#1B2127",
    muted="#56606B",
    rule="#C9D0D6",
    faint="#E8ECEF",
    data="#0072B2",
    alert="#C2500A",
    ramp=("#E9F1F7", "#0B4A75"),
    against=("#FBEEE6", "#8A3606"),
    tint=0.22,
    wash=0.30,
    series=("#0072B2", "#C2500A", "#5B6770", "#9467A8", "#2B82B0", "#8F6A08"),
)
DARK = Palette(
    theme="dark",
    paper="#14191E",
    ink="#E1E7EC",
    muted="#A3AFBA",
    rule="#46525D",
    faint="#27303A",
    data="#56B4E9",
    alert="#F5904F",
    ramp=("#22303B", "#8CCBF2"),
    against=("#38291F", "#FFB58A"),
    tint=0.34,
    wash=0.34,
    series=("#56B4E9", "#F5904F", "#A3AFBA", "#CC9BD9", "#8CCBF2", "#E0B64A"),
)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mixed(first: str, second: str, share: float) -> str:
    """The colour this far on the way from the first to the second.

    >>> mixed("#000000", "#FFFFFF", 0.0), mixed("#000000", "#FF0000", 1.0)
    ('#000000', '#FF0000')
    """
    pairs = zip(_channels(first), _channels(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


def luminance(colour: str) -> float:
    """How bright a colour is to the eye, 0 (black) to 1 (white), as WCAG 2 defines it."""
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (c / 255 for c in _channels(colour))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, 1 (none) to 21; text needs 4.5, marks need 3.

    >>> round(contrast("#FFFFFF", "#000000"), 1)
    21.0
    """
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def text_on(colour: str) -> str:
    """White or black, whichever reads better on this colour: one of them always has a contrast of 4.5.

    >>> text_on("#0B4A75"), text_on("#E9F1F7")
    ('#FFFFFF', '#000000')
    """
    return max("#FFFFFF", "#000000", key=lambda text: contrast(text, colour))
