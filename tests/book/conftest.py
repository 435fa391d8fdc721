"""The look book, built once for all tests that look at it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.book.look import build, write_source


@pytest.fixture(scope="session")
def look(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the look book's pages."""
    folder = tmp_path_factory.mktemp("look")
    write_source(folder / "src")
    done = build(folder / "src", folder / "out")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-6000:]
    return folder / "out" / "_build" / "html"
