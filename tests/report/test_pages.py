"""What notebooks leave for the pages: one address, one thing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evalreport.errors import EvalreportError
from evalreport.report.pages import FRAGMENTS, open_page, write_fragment


def test_the_same_fragment_may_be_left_twice(tmp_path: Path) -> None:
    for _ in range(2):
        write_fragment(tmp_path, "t", {"b": "\ud800", "a": 1})
    assert [path.name for path in (tmp_path / FRAGMENTS).iterdir()] == ["t.json"]
    text = (tmp_path / FRAGMENTS / "t.json").read_text("utf-8", "surrogatepass")
    assert json.loads(text) == {"a": 1, "b": "\ud800"}


def test_two_things_of_one_id_are_refused_and_the_first_stays(tmp_path: Path) -> None:
    write_fragment(tmp_path, "t", {"a": 1})
    with pytest.raises(EvalreportError, match="fragment t: was written twice, differently"):
        write_fragment(tmp_path, "t", {"a": 2})
    assert [path.name for path in (tmp_path / FRAGMENTS).iterdir()] == ["t.json"]
    assert json.loads((tmp_path / FRAGMENTS / "t.json").read_bytes()) == {"a": 1}


def test_a_notebook_outside_a_build_is_told_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(EvalreportError, match=r"results/toy/state\.pickle: is not there; expected the workspace"):
        open_page(tmp_path, suite="toy")
