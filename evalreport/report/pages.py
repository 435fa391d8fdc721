"""What a notebook does: open its page, take the results, show tables, figures and words. It computes nothing."""

from __future__ import annotations

import csv
import json
import os
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from IPython.display import Markdown, display

from evalreport.charts.figure import Figure
from evalreport.core.declare import Metric
from evalreport.core.suite import CsvTable, Settings
from evalreport.core.table import Cell, Column, Table, Words
from evalreport.errors import EvalreportError, Problem
from evalreport.report.citation import Cited, cited_notes
from evalreport.report.escape import Json, myst_text
from evalreport.report.figures import save_figure
from evalreport.report.ledger import AuditContext, Audited, ledger_parts, series_formulas, series_table
from evalreport.report.parts import Part, parts_json
from evalreport.report.tables import table_fragment

ResultsT = TypeVar("ResultsT")
RESULTS = "results"
STATE = "state.pickle"
FRAGMENTS = "src/_evalreport/fragments"
FIGURES = "src/_extra/figures"
BOOK = "src/_evalreport/book.json"
RECORDS = "data/audit"  # below the files that stand beside the pages


@dataclass(frozen=True)
class State(Generic[ResultsT]):
    """What a build keeps of a suite for its notebooks: the settings it was computed with, and the results."""

    suite: str
    settings: Settings
    results: ResultsT


class Page(Generic[ResultsT]):
    """One page on its way: what is shown is kept as a fragment, and named in the notebook by a directive."""

    def __init__(self, workspace: Path, state: State[ResultsT]) -> None:
        self._workspace = workspace
        self._suite = state.suite
        self.settings = state.settings
        self.results = state.results

    def table(self, table: Table) -> None:
        """Show a table of the suite."""
        write_fragment(self._workspace, table.id, table_fragment(table))
        show_directive("er-table", table.id)

    def headline(self, table: Table) -> None:
        """Leave the table that the start page of the book shows for this suite; nothing is shown here."""
        if table.id != f"{self._suite}-headline":
            raise ValueError(f"the headline has the id {table.id}; expected {self._suite}-headline")
        self.leave(table)

    def leave(self, table: Table) -> None:
        """Leave a table that a page written by hand shows; nothing is shown here."""
        write_fragment(self._workspace, table.id, table_fragment(table))

    def figure(self, figure: Figure, *, css: str = "") -> None:
        """Draw a figure of the suite into its files and show it. `css` names classes for the page."""
        self._draw(figure)
        show_directive("er-figure", figure.id, **({"class": css} if css else {}))

    def figure_again(self, figure: Figure) -> None:
        """Show a figure that has its number and its address on another page."""
        self._draw(figure)
        show_directive("er-figure", figure.id, again="")

    def side_by_side(self, figure: Figure, table: Table) -> None:
        """Show a figure and, beside it where there is room, the table of its numbers."""
        self._draw(figure)
        write_fragment(self._workspace, table.id, table_fragment(table))
        shown = f":::{{er-figure}} {figure.id}\n:::\n\n:::{{er-table}} {table.id}\n:::"
        display(Markdown(f"::::{{div}} er-split\n{shown}\n::::"))

    def explore(self, table_id: str, *, published: str, figure_id: str, stops: str, symbol: str = "α") -> None:
        """Show the slider by which a reader ranks a table anew by other weights; the figure follows."""
        show_directive("er-explore", table_id, published=published, figure=figure_id, stops=stops, symbol=symbol)

    def audit(self, numbers: Sequence[Audited], *, name: str) -> None:
        """Show the ledger of each number under a heading. `name` keeps the pages of a suite apart."""
        context = self._context()
        for number in numbers:
            fragment = f"audit-{name}-{number.anchor}"
            self._parts(fragment, ledger_parts(number, context))
            self.markdown(f"## {myst_text(number.name or number.metric.name)}")
            show_directive("er-parts", fragment)

    def audit_series(
        self,
        numbers: Sequence[tuple[Sequence[Cell], Audited]],
        heads: Sequence[Column],
        *,
        name: str,
        finding: Words,
        text: Words = "",
    ) -> None:
        """Show numbers that come in series: their formulas once, then a table with a row for each number."""
        metrics: dict[str, Metric] = {number.metric.key: number.metric for _, number in numbers}
        self._parts(f"{name}-formulas", series_formulas(tuple(metrics.values())))
        show_directive("er-parts", f"{name}-formulas")
        self.table(series_table(name, numbers, heads, finding=finding, text=text))

    def records(self, table: CsvTable, *, name: str) -> None:
        """Put the records behind the numbers of a page beside the book, as CSV at `records_address`."""
        path = self._workspace / "src/_extra" / records_address(self._suite, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", errors="surrogatepass", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([table.header, *table.rows])

    def parts(self, name: str, parts: Sequence[Part]) -> None:
        """Show finished pieces of a page, such as the line of facts below its title."""
        self._parts(name, parts)
        show_directive("er-parts", name)

    def markdown(self, text: str) -> None:
        """Show words of our own, as MyST. Text of the data goes through `report.escape.myst_text` first."""
        display(Markdown(text))

    def _draw(self, figure: Figure) -> None:
        fragment = save_figure(figure, self._workspace / FIGURES, book=self._cited())
        write_fragment(self._workspace, figure.id, fragment)

    def _parts(self, name: str, parts: Sequence[Part]) -> None:
        write_fragment(self._workspace, name, {"kind": "parts", "id": name, "parts": parts_json(parts)})

    def _book(self) -> dict[str, Any]:
        book: dict[str, Any] = json.loads((self._workspace / BOOK).read_text("utf-8"))
        return book

    def _cited(self) -> Cited:
        book = self._book()
        words = {name: str(book[name]) for name in ("title", "version", "date", "url", "licence")}
        return Cited(**words, authors=tuple(book["authors"]), notes=cited_notes(book["scope"]))

    def _context(self) -> AuditContext:
        book = self._book()
        return AuditContext(self._suite, book["settings"].get(self._suite, {}), book["data_sha256"])


def records_address(suite: str, name: str) -> str:
    """Where the records behind the numbers of an audit page stand."""
    return f"{RECORDS}/{suite}/{name}.csv"


def open_page(workspace: str | Path, *, suite: str) -> Page[Any]:
    """The page of a notebook that runs in the workspace of a build; `EvalreportError` where no build has been."""
    folder = Path(workspace)
    path = folder / RESULTS / suite / STATE
    try:
        # Written by this build a moment ago, for its own notebooks.
        state = pickle.loads(path.read_bytes())  # noqa: S301
    except FileNotFoundError:
        problem = Problem(f"{RESULTS}/{suite}/{STATE}", "is not there", "the workspace of a build", kind="no_results")
        raise EvalreportError(problem) from None
    return Page(folder, state)


def show_directive(name: str, argument: str, **options: str) -> None:
    """Put a directive into the page."""
    lines = "".join(f":{option}: {value}\n" for option, value in options.items())
    display(Markdown(f":::{{{name}}} {argument}\n{lines}:::"))


def write_fragment(workspace: Path, name: str, fragment: dict[str, Json]) -> None:
    """Keep a fragment for Sphinx. Raises `EvalreportError` for other content of the same id: one address, one thing."""
    path = workspace / FRAGMENTS / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(fragment, ensure_ascii=False, sort_keys=True, allow_nan=False) + "\n"
    temporary = path.with_name(f"{name}.{os.getpid()}.new")
    temporary.write_text(text, "utf-8", "surrogatepass")
    try:
        # A link is made only where there is none: two notebooks at once cannot both be first.
        path.hardlink_to(temporary)
    except FileExistsError:
        if path.read_text("utf-8", "surrogatepass") != text:
            problem = Problem(f"fragment {name}", "was written twice, differently", "one table or figure for an id")
            raise EvalreportError(problem) from None
    finally:
        temporary.unlink()
