"""Results on disk: strict, sorted, exact, and all or nothing."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.core.exact import Undefined
from evalreport.core.results import (
    MARKER,
    TREE_MARKER,
    csv_bytes,
    replace_tree,
    results_json,
    setting_json,
    write_results,
)
from evalreport.core.suite import CsvTable, InputFile, Interval, ResultValue, Settings
from evalreport.errors import EvalreportError

SETTINGS = Settings({"alpha": Fraction(1, 2), "seed": 0, "third": Fraction(1, 3), "name": None})
HOSTILE = '=1+1,"<script>"\r\n`x`_$%&|../日本\u202eمرحبا'
VALUES = (
    ResultValue("s.b", (("id", "Z"),), Fraction(1, 3), 3, Interval(0, Fraction(1, 2), Fraction(19, 20), "m", 3, 9, 0)),
    ResultValue("s.b", (("id", HOSTILE),), 7, 7),
    ResultValue("s.a", (("id", "é"),), Undefined("no runs"), 0),
)


def written(
    out: Path, rows: tuple[tuple[str, ...], ...] = (("1", "x"),), *, table: str = "t", sources: tuple[Path, ...] = ()
) -> tuple[Path, ...]:
    """Some results, written."""
    return write_results(
        out,
        suite="s",
        settings=SETTINGS,
        inputs=(InputFile("b.json", "0" * 64, 5), InputFile("a.json", "1" * 64, 3)),
        tables=(CsvTable(table, ("n", "name"), rows),),
        values=VALUES,
        sources=sources,
    )


def test_the_document_is_strict_sorted_and_exact(tmp_path: Path) -> None:
    written(tmp_path / "out")
    text = (tmp_path / "out" / "results.json").read_text(encoding="utf-8")

    def refuse(token: str) -> None:
        raise AssertionError(token)

    found = json.loads(text, parse_constant=refuse)
    assert (found["schema"], found["suite"]) == (1, "s")
    assert found["settings"] == {"alpha": 0.5, "name": None, "seed": 0, "third": "1/3"}
    assert [i["path"] for i in found["inputs"]] == ["a.json", "b.json"]
    assert [(v["metric"], v["of"]["id"]) for v in found["values"]] == [("s.a", "é"), ("s.b", HOSTILE), ("s.b", "Z")]
    empty, count, share = found["values"]
    assert (empty["value"], empty["exact"], empty["undefined"], empty["interval"]) == (None, None, "no runs", None)
    assert (count["value"], count["exact"]) == (7, "7/1")
    assert (share["value"], share["exact"], share["n"]) == (1 / 3, "1/3", 3)
    assert share["interval"] == {
        "low": 0,
        "high": 0.5,
        "level": 0.95,
        "method": "m",
        "n": 3,
        "resamples": 9,
        "seed": 0,
        "note": "",
    }
    assert text.endswith("}\n")
    assert "\r" not in text


def test_csv_keeps_every_text_as_it_is() -> None:
    data = csv_bytes(CsvTable("t", ("a", "b"), ((HOSTILE, "007"), ("=cmd", ""))))
    assert list(csv.reader(io.StringIO(data.decode(), newline=""))) == [["a", "b"], [HOSTILE, "007"], ["=cmd", ""]]
    assert data.startswith(b"a,b\n")


def test_a_row_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(ValueError, match="a row of 1 cells"):
        csv_bytes(CsvTable("t", ("a", "b"), (("1",),)))


def test_the_order_of_values_and_inputs_changes_no_byte() -> None:
    one = results_json(suite="s", settings=SETTINGS, inputs=(), values=VALUES)
    assert one == results_json(suite="s", settings=SETTINGS, inputs=(), values=reversed(VALUES))


def test_a_setting_is_a_number_only_when_that_is_exact() -> None:
    assert [setting_json(v) for v in (Fraction(1, 10), Fraction(2, 7), True, 3, "x", None)] == [
        *(0.1, "2/7", True, 3, "x", None)
    ]


def test_an_earlier_output_is_replaced_as_a_whole(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    written(out, table="left-over")
    names = written(out, (("2", "y"),))
    assert sorted(p.name for p in out.iterdir()) == [MARKER, "results.json", "t.csv"]
    assert names == (out / "t.csv", out / "results.json")
    assert (out / "t.csv").read_text() == "n,name\n2,y\n"
    assert [p.name for p in out.parent.iterdir()] == ["out"]


def test_a_folder_of_somebody_else_and_a_file_are_not_touched(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "thesis.tex").write_text("mine")
    with pytest.raises(EvalreportError, match="did not write"):
        written(out)
    with pytest.raises(EvalreportError, match="is a file"):
        written(out / "thesis.tex")
    assert [(p.name, p.read_text()) for p in out.iterdir()] == [("thesis.tex", "mine")]
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_an_empty_folder_and_a_link_to_an_earlier_output_are_written_to(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    written(tmp_path / "link")
    written(tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "results.json").is_file()


def test_a_failure_while_writing_leaves_the_earlier_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    written(out)
    before = {p.name: p.read_bytes() for p in out.iterdir()}
    usual = Path.write_bytes

    def full(self: Path, data: bytes) -> int:
        if self.name == "results.json":
            raise OSError(28, "No space left on device")
        return usual(self, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(EvalreportError, match="out: cannot be written: No space left"):
        written(out, (("9", "z"),))
    assert {p.name: p.read_bytes() for p in out.iterdir()} == before
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_failing_last_step_puts_the_earlier_output_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    written(out)
    before = {p.name: p.read_bytes() for p in out.iterdir()}
    usual = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if ".new-" in self.name:
            raise OSError(13, "Permission denied")
        return usual(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(EvalreportError, match="out: cannot be written: Permission denied"):
        written(out, (("9", "z"),))
    assert {p.name: p.read_bytes() for p in out.iterdir()} == before
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("added", ["notes.txt", "responses/a.json", "results.json/a", ".hidden", "empty/"])
def test_what_was_added_to_an_earlier_output_is_never_lost(tmp_path: Path, added: str) -> None:
    out = tmp_path / "out"
    written(out)
    if added.startswith("results.json"):
        (out / "results.json").unlink()
    if added.endswith("/"):
        (out / added).mkdir()
    else:
        (out / added).parent.mkdir(exist_ok=True)
        (out / added).write_text("mine")
    before = sorted(out.rglob("*"))
    with pytest.raises(EvalreportError, match=f"did not write, such as '{added.split('/')[0]}'"):
        written(out)
    assert sorted(out.rglob("*")) == before
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("marker", ["", "results.json", "{}", "7", "[7]", "["])
def test_a_marker_of_another_hand_gives_no_folder_away(tmp_path: Path, marker: str) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / MARKER).write_text(marker)
    (tmp_path / "out" / "results.json").write_text("mine")
    with pytest.raises(EvalreportError, match=r"such as 'results\.json'"):
        written(tmp_path / "out")


@pytest.mark.parametrize("read", [".", "t.csv", "../link", "../link/t.csv"])
def test_what_was_read_is_never_written_over(tmp_path: Path, read: str) -> None:
    out = tmp_path / "out"
    written(out)
    (tmp_path / "link").symlink_to("out")
    before = {p.name: p.read_bytes() for p in out.iterdir()}
    with pytest.raises(EvalreportError, match="out: is or holds the input"):
        written(out, (("2", "y"),), sources=(tmp_path, out / read))
    assert {p.name: p.read_bytes() for p in out.iterdir()} == before
    written(out, sources=(tmp_path,))


@pytest.mark.parametrize("name", ["a/b.json", "a\u2028b/\x85\n.json", "=日本/<b>"])
def test_a_tree_is_replaced_as_a_whole_and_what_was_added_is_not_lost(tmp_path: Path, name: str) -> None:
    out = tmp_path / "tree"
    replace_tree(out, {name: b"1", "c": b"2"})
    replace_tree(out, {name: b"3"})
    assert [p.read_bytes() for p in out.rglob("*") if p.is_file() and p.name != TREE_MARKER] == [b"3"]
    (out / name).with_name("added").touch()
    with pytest.raises(EvalreportError, match="did not write"):
        replace_tree(out, {})
    assert (out / name).read_bytes() == b"3"
    with pytest.raises(EvalreportError, match="did not write"):
        written(out)


def test_the_folder_of_the_process_is_not_taken_away_from_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path / "out")
    with pytest.raises(EvalreportError, match=r"\.: is the folder you work in; expected another folder"):
        written(Path())
    assert Path.cwd().is_dir()


def test_no_folder_above_that_of_the_process_is_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace_tree(tmp_path / "out", {"inner/a.txt": b""})
    monkeypatch.chdir(tmp_path / "out" / "inner")
    with pytest.raises(EvalreportError, match="is the folder you work in"):
        replace_tree(tmp_path / "out", {"inner/a.txt": b""})
    assert Path.cwd().is_dir()


@pytest.mark.parametrize("value", [Fraction(10**400, 3), Fraction(-(10**400), 3)])
def test_a_number_beyond_binary_floats_is_whole_in_json_and_exact_beside_it(value: Fraction) -> None:
    values = [ResultValue("s.b", (), value, 1)]
    (found,) = json.loads(results_json(suite="s", settings=SETTINGS, inputs=(), values=values))["values"]
    assert found["value"] == round(value)
    assert Fraction(found["exact"]) == value
    assert setting_json(value) == f"{value.numerator}/3"


def test_a_place_that_cannot_be_written_is_named_as_it_was_given(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EvalreportError, match=r"file/out: cannot be written: (File exists|Not a directory)"):
        written(tmp_path / "file" / "out")
