"""The same inputs give the same bytes: in another folder, with another hash seed, locale and time zone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.book.toy import contents

ROOT = Path(__file__).resolve().parents[2]
BUILD = """
import sys
from pathlib import Path
import pytest
from evalreport.book.build import build
from tests.book import toy
toy.register(pytest.MonkeyPatch())
root = Path(sys.argv[1])
root.mkdir(parents=True)
build(toy.make_project(root), engine=sys.argv[2])
"""


def book(root: Path, engine: str = "fork", **surroundings: str) -> dict[str, bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SOURCE_DATE_EPOCH": "1767225600", **surroundings}
    subprocess.run([sys.executable, "-c", BUILD, str(root), engine], env=environment, check=True, cwd=ROOT)
    return contents(root / "_build" / "html")


@pytest.mark.book
def test_two_books_of_the_same_inputs_are_equal_byte_for_byte(tmp_path: Path) -> None:
    one = book(tmp_path / "a", PYTHONHASHSEED="0", TZ="UTC")
    other = book(
        tmp_path / "some" / "longer folder", PYTHONHASHSEED="99", TZ="America/Lima", LC_ALL="C", PYTHONUTF8="0"
    )
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []
    pages = [content for name, content in one.items() if name.startswith("book/")]
    assert all(b'content="2026-01-01"' in content for content in pages)
    private = str(tmp_path).encode()
    assert [name for name, content in one.items() if private in content] == []


@pytest.mark.book
def test_the_stock_kernel_makes_the_same_book(tmp_path: Path) -> None:
    assert book(tmp_path / "forked") == book(tmp_path / "kernel", "kernel")
