"""The files of a figure under its stable address, and its words for the page that shows it."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from pathlib import Path

from evalreport.charts.figure import Figure
from evalreport.charts.render import Rendered, rendered
from evalreport.core.table import plain
from evalreport.report.citation import Cited, figure_bibtex
from evalreport.report.escape import Json, one_line

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_KINDS = ("svg", "pdf", "png", "csv", "json")
_ISOLATE = "\u2068{}\u2069"  # keeps a right-to-left name from turning the words around it


def save_figure(figure: Figure, folder: Path, *, book: Cited | None = None) -> dict[str, Json]:
    """Write all files of the figure into the folder and return its fragment: the words for the page, as JSON.

    Numbered marks and the names they stand for are part of `text`, so that no page can forget them; `marks` repeats
    them as data. With `book` the fragment holds the BibTeX entry. Raises `ValueError` for an id that is no
    file name, a figure or panel without alternative text, or rows of another length than the header.
    """
    for name, alt in ((figure.id, figure.alt), *((panel.id, panel.alt) for panel in figure.panels)):
        if not _ID.fullmatch(name):
            raise ValueError(f"figure id {name!r}; expected letters, digits, '.', '_' and '-'")
        if not alt.strip():
            raise ValueError(f"figure {name} has no alternative text; expected what it shows, in words")
    if any(len(row) != len(figure.data.header) for row in figure.data.rows):
        raise ValueError(f"figure {figure.id}: a row of its data has not {len(figure.data.header)} cells")
    drawn = rendered(figure)
    folder.mkdir(parents=True, exist_ok=True)
    files = {**drawn.files, f"{figure.id}.csv": _csv(figure), f"{figure.id}.json": _settings(figure, drawn)}
    for name, content in sorted(files.items()):
        (folder / name).write_bytes(content)
    return _fragment(figure, drawn, book)


def _csv(figure: Figure) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows([figure.data.header, *figure.data.rows])
    return out.getvalue().encode()


def _settings(figure: Figure, drawn: Rendered) -> bytes:
    about: Mapping[str, Json] = {
        "schema": 1,
        "figure": figure.id,
        "finding": plain(figure.finding),
        "text": plain(figure.text),
        "alt": figure.alt,
        "settings": dict(figure.settings),
        "marks": dict(drawn.marks),
        "shortened": dict(drawn.shortened),
    }
    return (json.dumps(about, ensure_ascii=False, sort_keys=True, indent=1) + "\n").encode()


def _fragment(figure: Figure, drawn: Rendered, book: Cited | None) -> dict[str, Json]:
    finding = plain(figure.finding)
    fragment: dict[str, Json] = {
        "kind": "figure",
        "id": figure.id,
        "finding": finding,
        "text": " ".join(filter(None, (plain(figure.text), _explained(drawn)))),
        "alt": figure.alt,
        "sizes": list(figure.sizes),
        "panels": [
            {"id": p.id, "title": p.title, "subtitle": p.subtitle, "href": p.href, "alt": p.alt} for p in figure.panels
        ],
        "files": list(_KINDS),
        "axes": {size: [round(v, 4) for v in box] for size, box in drawn.axes.items()},
        "marks": [list(pair) for pair in drawn.marks],
    }
    if book:
        fragment["bibtex"] = figure_bibtex(book, figure.id, finding=finding)
    return fragment


def _explained(drawn: Rendered) -> str:
    """The sentence that says which names the numbered marks stand for."""
    if not drawn.marks:
        return ""
    names = "; ".join(f"{mark} {_ISOLATE.format(one_line(name) or '(no name)')}" for mark, name in drawn.marks)
    return f"Names that the figure's font cannot write, or that look alike: {names}."
