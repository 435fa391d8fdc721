"""The page about the data: what was read, what stands in it and in no table, and what may be downloaded."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from evalreport.book.reference_pages import SuiteInputs, write_reference_pages
from evalreport.core.privacy import Privacy
from evalreport.core.suite import Settings
from evalreport.project import Project, SuiteChoice
from evalreport.suites.benchmark import SUITE
from evalreport.suites.benchmark.compute import compute
from tests.suites.benchmark.made import a_run, records, settings


@pytest.fixture
def page(tmp_path: Path) -> str:
    """The page of a book with one suite, of which one subject version stands in the registry alone."""
    read = replace(records([a_run()]), registry=(("idle_1", "1.0"),))
    found = compute(read, settings())
    folder = tmp_path / "src/_extra/data/benchmark"
    folder.mkdir(parents=True)
    (folder / "runs.csv").write_text("a\n", "utf-8")
    (folder / "a<b>#.csv").write_text("a\n", "utf-8")
    defaults = Settings({setting.name: setting.default for setting in SUITE.settings})
    choice = SuiteChoice("benchmark", ("data",), (tmp_path,), defaults)
    part = SuiteInputs(SUITE, choice, (), (), remarks=SUITE.remarks(found))
    project = Project(tmp_path, "Toys", (), "1.0", privacy=Privacy())
    write_reference_pages(tmp_path, project, [part], data_sha256="0" * 64)
    return (tmp_path / "src/book/_generated/data.md").read_text("utf-8")


def test_a_subject_version_that_stands_in_a_registry_alone_is_named(page: str) -> None:
    assert "In a registry\\, without a response\\: idle\\_1 1\\.0\\." in page


def test_the_schemas_of_the_input_files_stand_beside_the_book(page: str, tmp_path: Path) -> None:
    names = ["gold.schema.json", "response.schema.json", "scoring.schema.json"]
    assert sorted(file.name for file in (tmp_path / "src/_extra/schemas/benchmark").iterdir()) == names
    for name in names:
        schema = json.loads((tmp_path / "src/_extra/schemas/benchmark" / name).read_bytes())
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert f'<a href="../../schemas/benchmark/{name}" download>{name}</a>' in page


def test_who_downloads_a_table_is_told_how_to_open_it(page: str) -> None:
    assert '<a href="../../data/benchmark/runs.csv" download>runs.csv</a>' in page
    assert '<a href="../../data/benchmark/a%3Cb%3E%23.csv" download>a&lt;b&gt;#.csv</a>' in page
    assert "import columns of text as text" in page
