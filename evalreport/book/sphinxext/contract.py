"""What the build leaves for the Sphinx extension under `_evalreport/` in the source folder, and how it is read.

`book.json` is one `Book`, `numbers.json` maps the id of a number to a `PublishedNumber`, `fragments/<id>.json` is one
table (`report.tables.table_fragment`) or one `FigureFragment`.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import msgspec

from evalreport.errors import EvalreportError, Problem
from evalreport.report.citation import Cited, cited_notes

FOLDER = "_evalreport"
GENERATED = "book/_generated/"  # where the names of generated pages begin
METHODOLOGY = "book/methodology/"
EXTRA = "_extra"  # files that stand beside the pages, at addresses of their own
T = TypeVar("T")


class Book(msgspec.Struct, frozen=True, kw_only=True):
    """What stands on every page: who, which version, of what data, under which settings.

    `settings` are texts as they are printed, by suite and name. `scope` are those of the whole book as pairs,
    `scopes` those of each suite for the footer. `versions` is the address of the list of versions from the book's root
    (`../versions.json`), empty for a book of its own.
    """

    title: str
    authors: tuple[str, ...]
    version: str
    date: str
    url: str = ""
    licence: str = ""
    data_sha256: str = ""
    code_version: str = ""
    settings: dict[str, dict[str, str]] = {}
    scope: tuple[tuple[str, str], ...] = ()
    scopes: dict[str, tuple[tuple[str, str], ...]] = {}
    generator: str = "evalreport"
    versions: str = ""
    doi: str = ""

    def cited(self) -> Cited:
        """The book as a citation names it."""
        notes = cited_notes(self.scope)
        return Cited(self.title, self.authors, self.version, self.date, self.url, self.licence, notes, self.doi)


class PublishedNumber(msgspec.Struct, frozen=True):
    """A number as it is printed, and the place of its audit line (`benchmark/audit/aurora-2--2-1#pass-rate`)."""

    text: str
    address: str = ""


class FigurePanel(msgspec.Struct, frozen=True, kw_only=True):
    """One of several small drawings; `id` names its files."""

    id: str
    title: str
    alt: str
    subtitle: str = ""
    href: str = ""


class FigureFragment(msgspec.Struct, frozen=True, kw_only=True, tag="figure", tag_field="kind"):
    """A figure's words and which files it has; the files stand in `figures/` beside the pages.

    `axes` says where the plot area lies in each size, as shares of the drawing (left, top, width, height), for a
    figure that follows a weight which a reader tries.
    """

    id: str
    finding: str
    text: str
    alt: str
    sizes: tuple[str, ...] = ("column", "page")
    panels: tuple[FigurePanel, ...] = ()
    files: tuple[str, ...] = ("svg", "pdf", "png", "csv", "json")
    axes: dict[str, tuple[float, float, float, float]] = {}
    bibtex: str = ""


class TableFragment(msgspec.Struct, frozen=True, kw_only=True, tag="table", tag_field="kind"):
    """A printed table with gaps (`report.parts`), and its finding as plain text."""

    id: str
    title: str
    parts: list[str | dict[str, str | bool]]


class PartsFragment(msgspec.Struct, frozen=True, kw_only=True, tag="parts", tag_field="kind"):
    """Finished HTML with gaps (`report.parts`) that has no number, such as the ledger of a published number."""

    id: str
    parts: list[str | dict[str, str | bool]]


Fragment = TableFragment | FigureFragment | PartsFragment


def _decoded(path: Path, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError:
        raise EvalreportError(Problem(path.name, "is missing", "a file that the build writes")) from None
    except msgspec.MsgspecError as error:
        raise EvalreportError(Problem(path.name, str(error), "a file that the build writes")) from None


@lru_cache(maxsize=4)
def read_book(source: Path) -> Book:
    """The book's own data. Raises `EvalreportError` when there is none."""
    return _decoded(source / FOLDER / "book.json", Book)


@lru_cache(maxsize=4)
def read_numbers(source: Path) -> dict[str, PublishedNumber]:
    """All published numbers by id; none when the book has none."""
    path = source / FOLDER / "numbers.json"
    return _decoded(path, dict[str, PublishedNumber]) if path.exists() else {}


def read_fragment(path: Path) -> Fragment:
    """One table, figure or ledger as the build left it."""
    return _decoded(path, Fragment)  # type: ignore[arg-type]
