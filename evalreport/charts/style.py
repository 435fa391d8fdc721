"""The look of figures, applied while one is drawn or saved and never left behind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib as mpl

from evalreport.charts import fonts
from evalreport.charts.palette import Palette

# type sizes in points; nothing is smaller than TINY
TINY, SMALL, TICK, BODY, TITLE = 6.4, 7.0, 7.5, 8.0, 8.5
STRONG = 600
_NOT_LOOKS = ("backend", "date.", "docstring", "interactive", "keymap", "timezone", "tk.", "toolbar", "webagg")


@cache
def _settings() -> dict[Any, Any]:
    """Matplotlib's own defaults under our style: a user's matplotlibrc or a notebook's settings change no byte."""
    style = mpl.rc_params_from_file(Path(__file__).with_name("evalreport.mplstyle"), use_default_template=False)
    return {k: v for k, v in mpl.rcParamsDefault.items() if not k.startswith(_NOT_LOOKS)} | dict(style)


@contextmanager
def styled(palette: Palette) -> Iterator[None]:
    """Within this context figures are drawn in the style of the book and the colours of the palette."""
    fonts.register()
    axis = {f"{a}tick.{k}": v for a in "xy" for k, v in (("color", palette.muted), ("labelcolor", palette.ink))}
    ink = {
        "text.color": palette.ink,
        "axes.labelcolor": palette.ink,
        "axes.edgecolor": palette.muted,
        "hatch.color": palette.muted,
    }
    with mpl.rc_context(_settings() | axis | ink):
        yield
