from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from evalreport.charts.figure import Figure
from evalreport.core.suite import CsvTable
from evalreport.core.table import Math, Strong
from evalreport.report.citation import Cited
from evalreport.report.escape import Json
from evalreport.report.figures import save_figure
from tests.charts.examples import figure

SMALL = replace(figure("forest", "one"), sizes=("column",))
BOOK = Cited(
    "A {book} of 50% & more", ("The Example Benchmark Group",), "1.2.0", "2026-11-29", "https://example.org/r/"
)


@dataclass(frozen=True)
class Saved:
    figure: Figure
    folder: Path
    fragment: Mapping[str, Json]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Saved:
    folder, subject = tmp_path_factory.mktemp("book") / "figures", figure("forest", "hostile")
    return Saved(subject, folder, save_figure(subject, folder))


def test_a_figure_has_its_files_under_one_stable_address(saved: Saved) -> None:
    stem = "forest-hostile"
    assert {p.name for p in saved.folder.iterdir()} == {
        *(f"{stem}.{kind}" for kind in ("svg", "pdf", "png", "csv", "json")),
        *(f"{stem}{end}" for end in ("-dark.svg", "-column.svg", "-column-dark.svg", "-column.pdf")),
    }


def test_the_csv_holds_the_data_and_no_name_is_changed_in_it(saved: Saved) -> None:
    with (saved.folder / "forest-hostile.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert tuple(header) == saved.figure.data.header
    assert tuple(map(tuple, rows)) == saved.figure.data.rows


def test_the_json_holds_the_settings_and_the_marks(saved: Saved) -> None:
    about = json.loads((saved.folder / "forest-hostile.json").read_text(encoding="utf-8"))
    assert about["settings"] == {"level": "0.95"}
    assert "模型-一号 1.0" in about["marks"].values()


def test_the_caption_explains_every_mark(saved: Saved) -> None:
    text, marks = saved.fragment["text"], saved.fragment["marks"]
    assert isinstance(text, str)
    assert isinstance(marks, list)
    assert len(marks) >= 3
    for mark, name in marks:
        assert f"{mark} \u2068{' '.join(str(name).split())}\u2069" in text


def test_a_caption_without_marks_says_nothing_of_them(tmp_path: Path) -> None:
    fragment = save_figure(SMALL, tmp_path)
    assert fragment["text"] == "How to read it."
    assert fragment["marks"] == []


def test_words_with_form_are_plain_in_the_fragment(tmp_path: Path) -> None:
    subject = replace(SMALL, finding=("At ", Math(r"\alpha"), Strong(" all")))
    assert save_figure(subject, tmp_path)["finding"] == r"At \alpha all"


def test_every_panel_has_its_pictures_and_an_alternative_text(tmp_path: Path) -> None:
    fragment = save_figure(replace(figure("overview", "some"), sizes=("page",)), tmp_path)
    panels = fragment["panels"]
    assert isinstance(panels, list)
    assert len(panels) == 6
    for panel in panels:
        assert isinstance(panel, dict)
        assert panel["alt"]
        assert (tmp_path / f"{panel['id']}.svg").is_file()
        assert (tmp_path / f"{panel['id']}-dark.svg").is_file()


@pytest.mark.parametrize("ident", ["../out", "a/b", "", ".hidden", "a b", "a<b", "x\n"])
def test_an_id_that_is_no_file_name_is_refused(tmp_path: Path, ident: str) -> None:
    with pytest.raises(ValueError, match="figure id"):
        save_figure(replace(SMALL, id=ident), tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_figure_without_alternative_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no alternative text"):
        save_figure(replace(SMALL, alt=" "), tmp_path)


def test_rows_of_another_length_than_the_header_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="2 cells"):
        save_figure(replace(SMALL, data=CsvTable("x", ("a", "b"), (("1",),))), tmp_path)


def test_saving_again_gives_the_same_bytes(saved: Saved, tmp_path: Path) -> None:
    save_figure(saved.figure, tmp_path)
    for path in saved.folder.iterdir():
        assert path.read_bytes() == (tmp_path / path.name).read_bytes()


def test_the_bibtex_entry_names_the_stable_address(tmp_path: Path) -> None:
    entry = save_figure(SMALL, tmp_path, book=BOOK)["bibtex"]
    assert isinstance(entry, str)
    assert "url          = {https://example.org/r/figures/forest-one.svg}" in entry
