"""The look book, built once for all tests that look at it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.book.benchmark_book import benchmark_book, sample_book
from tests.book.browsing import served
from tests.book.look import VERSIONS, build, write_source


@pytest.fixture(scope="session")
def look(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the look book's pages, one version of a small site."""
    folder = tmp_path_factory.mktemp("look")
    write_source(folder / "src")
    done = build(folder / "src", folder / "out")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
    html = folder / "out" / "_build" / "html"
    (html.parent / "versions.json").write_text(json.dumps(VERSIONS), "utf-8")
    (html.parent / "versions.js").write_text(f"window.evalreportVersions = {json.dumps(VERSIONS)};\n", "utf-8")
    (html.parent / "versions.html").write_text("<!DOCTYPE html><title>Versions</title>", "utf-8")
    return html


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the pages of a book of the sample benchmark."""
    return benchmark_book(tmp_path_factory.mktemp("sample"))


@pytest.fixture(scope="session")
def sample_at_another_alpha(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same data with another weight of the pass rate."""
    return benchmark_book(tmp_path_factory.mktemp("other"), alpha="0.7")


@pytest.fixture(scope="session")
def sample_of_suites(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the pages of a book of the other sample chapters: all but the benchmark."""
    return sample_book(
        tmp_path_factory.mktemp("suites"),
        bfcl={"rules": "bfcl-v4", "resamples": 200},
        comparison={"cluster": "sheet", "resamples": 400},
        debate={"resamples": 500},
        signals={},
    )


@pytest.fixture(scope="session")
def suites_address(sample_of_suites: Path) -> Iterator[str]:
    """The address at which the pages of the other sample chapters are served."""
    with served(sample_of_suites) as url:
        yield url
