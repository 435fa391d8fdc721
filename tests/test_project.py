"""`evalreport.yml` is read exactly, and refused with everything that is wrong with it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalreport.core.suite import Setting
from evalreport.errors import EvalreportError
from evalreport.project import Project, read_project, setting_text, setting_value
from tests.book import toy

SETTINGS = ("alpha", "draws", "extra", "level", "mode", "strict")
KEYS = ("authors", "date", "doi", "licence", "privacy", "suites", "title", "url", "version")
GOOD = """
title: A book
authors: [The Example Benchmark Group]
version: 1.10
suites:
  toy:
    data: [data]
"""


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    toy.register(monkeypatch)


def read(folder: Path, text: str) -> Project:
    (folder / "data").mkdir(exist_ok=True)
    (folder / "evalreport.yml").write_text(text, "utf-8")
    return read_project(folder)


def refusal(folder: Path, text: str) -> list[str]:
    with pytest.raises(EvalreportError) as caught:
        read(folder, text)
    return str(caught.value).splitlines()


def test_a_project_is_complete_with_the_defaults_of_its_suites(tmp_path: Path) -> None:
    project = read(tmp_path, GOOD)
    assert (project.title, project.authors, project.version) == ("A book", ("The Example Benchmark Group",), "1.10")
    (choice,) = project.suites
    assert (choice.name, choice.data, choice.paths) == ("toy", ("data",), ((tmp_path / "data").resolve(),))
    assert choice.settings.values == {
        "alpha": Fraction(1, 2),
        "level": Fraction(95, 100),
        "draws": 10,
        "mode": "plain",
        "strict": False,
        "extra": None,
    }


def test_numbers_are_exact_and_never_go_through_a_float(tmp_path: Path) -> None:
    project = read(tmp_path, GOOD + "    alpha: 0.1\n    level: 1/3\n    draws: 7\n    strict: yes\n    extra: a.txt\n")
    values = project.suites[0].settings.values
    assert (values["alpha"], values["level"]) == (Fraction(1, 10), Fraction(1, 3))
    assert (values["draws"], values["strict"], values["extra"]) == (7, True, "a.txt")


def test_the_file_itself_may_be_named(tmp_path: Path) -> None:
    assert read(tmp_path, GOOD) == read_project(tmp_path / "evalreport.yml")


def test_everything_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    text = """
titel: A book
authors: The Example Benchmark Group
version: 1/2
date: 2026-13-01
url: ftp://example.org
suites:
  toi: {data: [data]}
  toy:
    data: [data, nowhere]
    alhpa: 0.1
    alpha: 1.5
    level: 1
    draws: 1.5
    mode: nice
    strict: maybe
"""
    assert refusal(tmp_path, text) == [
        "evalreport.yml: authors: is 'The Example Benchmark Group'; expected a list of texts",
        "evalreport.yml: date: is '2026-13-01'; expected a date as YYYY-MM-DD",
        "evalreport.yml: suites.toi: is no suite; expected 'toy' (known: other, toy)",
        f"evalreport.yml: suites.toy.alhpa: is no setting; expected 'alpha' (known: {', '.join(SETTINGS)})",
        "evalreport.yml: suites.toy.alpha: is 1.5; expected a number from 0 to 1",
        "evalreport.yml: suites.toy.data: nowhere is not there; expected a file or folder, relative to the project",
        "evalreport.yml: suites.toy.draws: is '1.5'; expected an integer of at least 1",
        "evalreport.yml: suites.toy.level: is 1; expected a number between 0 and 1",
        "evalreport.yml: suites.toy.mode: is 'nice'; expected one of: plain, fancy",
        "evalreport.yml: suites.toy.strict: is 'maybe'; expected true or false",
        f"evalreport.yml: titel: is no key of a project; expected 'title' (known: {', '.join(KEYS)})",
        "evalreport.yml: title: is missing; expected a text",
        "evalreport.yml: url: is 'ftp://example.org'; expected the http(s) address below which the book will stand",
        "evalreport.yml: version: is '1/2'; expected letters, digits, '.', '+', '_' and '-'",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "evalreport.yml: holds no keys"),
        ("- a", "evalreport.yml: holds no keys"),
        ("a: [", "evalreport.yml: line 1: "),
        ("title: a\ntitle: b", "evalreport.yml: line 2: the key 'title' stands more than once"),
        ("x: &a [y]\ntitle: *a", "evalreport.yml: line 2: an alias, which is not followed"),
        ("title: " + 3000 * "[", "evalreport.yml: is nested too deeply"),
        (GOOD + f"    alpha: {9999 * '1'}\n", f"evalreport.yml: suites.toy.alpha: is '{99 * '1'}"),
        ("title: !!python/object/apply:os.getcwd []", "evalreport.yml: "),
        (GOOD.replace("    data: [data]", "    alpha: 0.5"), "evalreport.yml: suites.toy.data: is missing"),
        (GOOD.replace("  toy:\n    data: [data]", "  toy: yes"), "evalreport.yml: suites.toy: holds no keys"),
        (GOOD.split("suites")[0], "evalreport.yml: suites: is missing"),
        (GOOD + "    alpha: [0.1]\n", "evalreport.yml: suites.toy.alpha: is no single value"),
        (GOOD + "    alpha: .nan\n", "evalreport.yml: suites.toy.alpha: is '.nan'; expected a number from 0 to 1"),
        (GOOD + "    alpha: 1e-999999999\n", "evalreport.yml: suites.toy.alpha: is '1e-999999999'"),
        (GOOD + "    alpha: 1/0\n", "evalreport.yml: suites.toy.alpha: is '1/0'"),
        (GOOD + "    alpha:\n", "evalreport.yml: suites.toy.alpha: is ''"),
        (GOOD.replace("[data]", "[/]"), "evalreport.yml: suites.toy.data: / and _build/ lie in each other"),
    ],
)
def test_a_project_file_that_is_wrong_is_refused(tmp_path: Path, text: str, message: str) -> None:
    assert any(line.startswith(message) for line in refusal(tmp_path, text)), refusal(tmp_path, text)


def test_a_folder_without_a_project_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EvalreportError, match=r"is not there; expected a project folder with evalreport\.yml"):
        read_project(tmp_path)


def test_a_long_value_is_cut_where_a_message_shows_it(tmp_path: Path) -> None:
    (line,) = refusal(tmp_path, GOOD + f"    alpha: {9999 * '1'}\n")
    assert len(line) < 400


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "evalreport.yml").write_bytes("title: é".encode("utf-16"))
    with pytest.raises(EvalreportError, match=r"evalreport\.yml: is UTF-16 or UTF-32; expected UTF-8"):
        read_project(tmp_path)


@settings(deadline=None)
@given(st.fractions(max_denominator=10**6))
def test_a_number_printed_as_a_setting_is_read_back_exactly(value: Fraction) -> None:
    setting = Setting("x", "fraction", Fraction(0), "Any number.")
    assert setting_value(setting, setting_text(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(19, 20), "0.95"),
        (Fraction(1, 8), "0.125"),
        (Fraction(2, 3), "2/3"),
        (Fraction(-1, 4), "-0.25"),
        (Fraction(100), "100"),
        (Fraction(1, 10**8), "0.00000001"),
        (12, "12"),
        (False, "false"),
    ],
)
def test_a_setting_is_printed_as_a_decimal_when_that_is_exact(value: Fraction | int, text: str) -> None:
    assert setting_text(value) == text
