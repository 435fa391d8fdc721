"""What a notebook does: open its page, take the results, show tables, figures and words. It computes nothing."""

from __future__ import annotations

import json
import os
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from IPython.display import Markdown, display

from evalreport.charts.figure import Figure
from evalreport.core.suite import Settings
from evalreport.core.table import Table
from evalreport.errors import EvalreportError, Problem
from evalreport.report.escape import Json
from evalreport.report.figures import save_figure
from evalreport.report.tables import table_fragment

ResultsT = TypeVar("ResultsT")
RESULTS = "results"
STATE = "state.pickle"
SOURCE = "src"
FRAGMENTS = "src/_evalreport/fragments"
FIGURES = "src/_extra/figures"


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
        self.settings = state.settings
        self.results = state.results

    def table(self, table: Table) -> None:
        """Show a table of the suite."""
        write_fragment(self._workspace, table.id, table_fragment(table))
        show_directive("er-table", table.id)

    def figure(self, figure: Figure) -> None:
        """Draw a figure of the suite into its files and show it."""
        write_fragment(self._workspace, figure.id, save_figure(figure, self._workspace / FIGURES))
        show_directive("er-figure", figure.id)

    def markdown(self, text: str) -> None:
        """Show words of our own, as MyST. Text of the data goes through `report.escape.myst_text` first."""
        display(Markdown(text))


def open_page(workspace: str | Path, *, suite: str) -> Page[Any]:
    """The page of a notebook that runs in the workspace of a build."""
    folder = Path(workspace)
    path = folder / RESULTS / suite / STATE
    try:
        # Written by this build a moment ago, for its own notebooks.
        state = pickle.loads(path.read_bytes())  # noqa: S301
    except FileNotFoundError:
        problem = Problem(f"{RESULTS}/{suite}/{STATE}", "is not there", "the workspace of a build", kind="no_results")
        raise EvalreportError(problem) from None
    return Page(folder, state)


def show_directive(name: str, argument: str) -> None:
    """Put a directive into the page."""
    display(Markdown(f":::{{{name}}} {argument}\n:::"))


def write_fragment(workspace: Path, name: str, fragment: dict[str, Json]) -> None:
    """Keep a fragment for Sphinx. The same id with another content is an error: one address, one thing."""
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
