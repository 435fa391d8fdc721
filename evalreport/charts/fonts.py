"""The fonts of figures come with the package, under a family name of their own; system fonts are never used."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from matplotlib import font_manager
from matplotlib.ft2font import FT2Font, LoadFlags

FAMILY = "evalreport sans"  # a private name: a font of the same name on the system cannot take its place
_FOLDER = Path(__file__).parent / "fonts"
_FACES = {
    "SourceSans3-Regular.ttf": ("normal", 400),
    "SourceSans3-Semibold.ttf": ("normal", 600),
    "SourceSans3-It.ttf": ("italic", 400),
}
_UNITS = 1000.0  # size at which widths are measured, in points


@cache
def register() -> None:
    """Make the packaged faces known to matplotlib; once per process."""
    for file, (style, weight) in _FACES.items():
        entry = font_manager.FontEntry(
            fname=str(_FOLDER / file), name=FAMILY, style=style, weight=weight, stretch="normal", size="scalable"
        )
        font_manager.fontManager.ttflist.append(entry)


@cache
def _face(file: str) -> FT2Font:
    font = FT2Font(str(_FOLDER / file))
    font.set_size(_UNITS, 72)
    return font


@cache
def glyphs() -> frozenset[str]:
    """Every character that all packaged faces can write."""
    return frozenset.intersection(*(frozenset(map(chr, _face(file).get_charmap())) for file in _FACES))


@cache
def _advance(character: str, file: str) -> float:
    glyph = _face(file).load_char(ord(character), flags=LoadFlags.NO_HINTING)
    return float(glyph.linearHoriAdvance) / 65536 / _UNITS


def text_width(text: str, size: float, *, weight: int = 400) -> float:
    """How wide a text of packaged glyphs is at this type size, in points, without kerning.

    >>> 0 < text_width("ill", 8) < text_width("mmm", 8)
    True
    """
    file = "SourceSans3-Semibold.ttf" if weight >= 600 else "SourceSans3-Regular.ttf"
    return size * sum(_advance(character, file) for character in text)
