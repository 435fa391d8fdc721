"""`recompute.py` of a version: one file of standard Python that computes its numbers again."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from textwrap import indent

from evalreport import suites

TEMPLATE = Path(__file__).resolve().parent / "templates" / "recompute.txt"
PART = "recompute.txt"
_MARK = "# ---- suites\n"


def recompute_source(names: Iterable[str]) -> str:
    """The source for these suites: the template, with the part that each suite has in its folder.

    A part is the body of a function `checks(suite)`, which may use what the template has and yields file, row, column,
    printed text and what was found. It is no module of the package, so that it can share nothing with it.
    """
    parts = [(name, path.read_text("utf-8")) for name in names if (path := _part(name)).is_file()]
    functions = "".join(f"\ndef {name}(suite):\n{indent(text, '    ')}\n" for name, text in parts)
    table = "".join(f'"{name}": {name}, ' for name, _ in parts).rstrip(", ")
    source = TEMPLATE.read_text("utf-8").replace(_MARK, f"{functions}\nSUITES = {{{table}}}\n\n", 1)
    compile(source, "recompute.py", "exec")
    return source


def _part(name: str) -> Path:
    return Path(suites.__path__[0]) / name / PART
