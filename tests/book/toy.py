"""A suite of one metric and two pages, and projects of it: small enough to build whole books in tests."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from evalreport.core.declare import Declarations
from evalreport.core.exact import Undefined, Value, csv_text
from evalreport.core.formula import Evaluation
from evalreport.core.suite import (
    AuditEntry,
    CsvTable,
    InputFile,
    PageJob,
    ResultValue,
    Setting,
    Settings,
    Suite,
)
from evalreport.core.table import Column, Num, Row, RowGroup, Table, Text
from evalreport.errors import Problems
from evalreport.project import Project, read_project
from evalreport.report.escape import myst_text
from evalreport.report.pages import open_page
from tests.book.notebook_files import Node, notebook, write

__all__ = ["means_table", "myst_text", "open_page"]

toy = Declarations("toy")
toy.variable("i", "item")
toy.given("I", "set of item", "the numbers of a file")
toy.given("x_i", "number", "the value of item i", lambda item: item[1])


@toy.metric(
    key="mean",
    name="Mean",
    symbol=r"\mathrm{mean}",
    column="Mean",
    clause="toy#mean",
    of=("file",),
    range=(None, None),
    formula=r"\frac{\sum_{i \in I} x_i}{|I|}",
)
def mean(values: Sequence[int]) -> Value:
    """Mean of the numbers of a file."""
    return Fraction(sum(values), len(values)) if values else Undefined("no numbers")


@dataclass(frozen=True)
class Toys:
    files: Mapping[str, tuple[int, ...]]
    inputs: tuple[InputFile, ...]


@dataclass(frozen=True)
class Means:
    records: Toys
    settings: Settings
    values: Mapping[str, Value]


def _read(paths: Sequence[Path], settings: Settings) -> Toys:
    problems, files, inputs = Problems(), {}, []
    for path in paths:
        for file in sorted(path.rglob("*.txt")):
            if (file.parent / ".evalreport-output").exists():
                continue
            name, data = file.relative_to(path).as_posix(), file.read_bytes()
            inputs.append(InputFile(name, hashlib.sha256(data).hexdigest(), len(data)))
            lines = data.decode().split()
            for number, line in enumerate(lines, start=1):
                if not line.isdecimal():
                    problems.add(f"{name}: line {number}", f"is {line!r}", "a number")
            files[name] = tuple(int(line) for line in lines if line.isdecimal())
    problems.check()
    return Toys(files, tuple(inputs))


def _compute(records: Toys, settings: Settings) -> Means:
    return Means(records, settings, {name: mean(values) for name, values in sorted(records.files.items())})


def _tables(results: Means) -> Sequence[CsvTable]:
    rows = tuple((name, csv_text(value)) for name, value in results.values.items())
    return (CsvTable("means", ("file", "mean"), rows),)


def _values(results: Means) -> Iterable[ResultValue]:
    return (ResultValue("toy.mean", (("file", name),), value) for name, value in results.values.items())


def _audit(results: Means) -> Iterable[AuditEntry]:
    for name, value in results.values.items():
        evaluation = Evaluation(toy.notation(), {"I": tuple(enumerate(results.records.files[name]))})
        yield AuditEntry(toy.metrics["toy.mean"], (("file", name),), value, evaluation)


def _pages(results: Means) -> Sequence[PageJob]:
    return (
        PageJob("toy_overview", "toy/overview", "All means", {"limit": 3}),
        PageJob("toy_first", "toy/first/one", "First_page $x$ <b>", {"file": min(results.values, default="")}),
    )


def means_table(results: Means) -> Table:
    rows = tuple(Row((Text(name), Num(value))) for name, value in results.values.items())
    return Table(
        "means", "Means.", "One row a file.", (Column("file", "File"), Column("mean", "Mean")), (RowGroup("", rows),)
    )


SUITE: Suite[Any, Any] = Suite(
    name="toy",
    title="Toy",
    summary="Means of numbers.",
    settings=(
        Setting("alpha", "fraction", Fraction(1, 2), "A weight.", 0, 1, symbol=r"\alpha"),
        Setting("level", "fraction", Fraction(95, 100), "A level.", 0, 1, open_bounds=True),
        Setting("draws", "integer", 10, "How many draws.", 1),
        Setting("mode", "text", "plain", "How.", choices=("plain", "fancy")),
        Setting("strict", "flag", False, "Whether."),
        Setting("extra", "path", None, "A file."),
    ),
    declarations=toy,
    read=_read,
    inputs=lambda records: records.inputs,
    ignored=lambda _: ("notes<1>.log",),
    compute=_compute,
    tables=_tables,
    values=_values,
    audit=_audit,
    pages=_pages,
)

OVERVIEW = (
    "from tests.book.toy import *\npage = open_page(workspace, suite='toy')",
    "page.markdown('## What was found')\npage.table(means_table(page.results))",
)
FIRST = (
    "from tests.book.toy import *\npage = open_page(workspace, suite='toy')",
    "page.markdown(f'The file {myst_text(file)}, see {{numref}}`tbl-means`.')",
)
CONFIG = """
only_build_toc_files: true
execute: {execute_notebooks: "off"}
parse: {myst_enable_extensions: [colon_fence, dollarmath]}
html: {use_issues_button: false, use_repository_button: false}
launch_buttons: {binderhub_url: ""}
sphinx:
  recursive_update: true
  extra_extensions: [sphinxcontrib.katex, evalreport.book.sphinxext]
  config:
    numfig: true
    html_extra_path: [_extra]
    html_last_updated_fmt: null
    html_show_copyright: false
    html_copy_source: false
    html_math_renderer: katex
    katex_prerender: true
    katex_css_path: katex/katex.min.css
    html_theme_options: {use_download_button: false, use_source_button: false, navbar_persistent: []}
"""
TOC = """
format: jb-book
root: book/intro
chapters:
  - file: book/_generated/toy/overview
    sections:
      - glob: book/_generated/toy/first/*
  - file: book/_generated/other/page
  - file: book/_generated/parameters
  - file: book/_generated/data
"""
EVALREPORT = """
title: Toy book & more
authors: [The Example Benchmark Group]
version: 1.10
suites:
  toy:
    data: [data]
    alpha: 0.1
"""


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the toy and a suite called "other" be the suites there are."""
    other = Suite(**{**{name: getattr(SUITE, name) for name in SUITE.__dataclass_fields__}, "name": "other"})
    monkeypatch.setattr("evalreport.suites.all_suites", lambda: {"other": other, "toy": SUITE})


def make_project(root: Path, *, overview: Node | None = None, first: Node | None = None) -> Project:
    """A project of two notebooks, one page written by hand and two files of data."""
    parameters = "workspace = '.'\n"
    files = {
        "evalreport.yml": EVALREPORT,
        "_config.yml": CONFIG,
        "_toc.yml": TOC,
        "book/intro.md": "# Toy\n\nThe mean of b is {num}`toy.mean/b-txt-xe2ba34419170`.\n",
        "data/b.txt": "1\n2\n",
        "data/a.txt": "4\n",
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    write(root / "notebooks/toy_overview.ipynb", overview or notebook(*OVERVIEW, parameters=f"{parameters}limit = 5"))
    write(root / "notebooks/toy_first.ipynb", first or notebook(*FIRST, parameters=f"{parameters}file = ''"))
    return read_project(root)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
