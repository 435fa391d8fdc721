"""The verbs: what they answer, what they refuse, and with which exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from evalreport.cli import main
from evalreport.core.suite import NOTHING_OF_ITS_OWN
from evalreport.errors import EvalreportError, Problem
from evalreport.formats.sources import all_formats
from tests.book import toy
from tests.book.toy import contents, make_project

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:.*unclosed.*:ResourceWarning")


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    toy.register(monkeypatch)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_compute_writes_the_files_of_a_suite_and_says_what_to_do_next(tmp_path: Path) -> None:
    make_project(tmp_path)
    result = run("compute", "toy", tmp_path / "data", "--out", tmp_path / "out", "--alpha", "0.1")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [str(tmp_path / "out/means.csv"), str(tmp_path / "out/results.json")]
    assert "ignored: 'notes<1>.log' matches no pattern of the suite" in result.stderr
    assert result.stderr.splitlines()[-1] == f"2 files in {tmp_path / 'out'}. To make a book of them: evalreport build."
    assert (tmp_path / "out/means.csv").read_text() == "file,mean\na.txt,4.0000\nb.txt,1.5000\n"
    document = json.loads((tmp_path / "out/results.json").read_text())
    assert document["settings"]["alpha"] == 0.1


def test_a_refused_input_lists_every_problem_and_leaves_the_output_untouched(tmp_path: Path) -> None:
    make_project(tmp_path)
    run("compute", "toy", tmp_path / "data", "--out", tmp_path / "out")
    before = contents(tmp_path / "out")
    (tmp_path / "data/a.txt").write_text("four\nfive\n")
    result = run("compute", "toy", tmp_path / "data", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "a.txt: line 1: is 'four'; expected a number\na.txt: line 2: is 'five'; expected a number\n" in result.stderr
    assert result.stderr.endswith("refused: 2 problems\n")
    assert "Traceback" not in result.stderr
    assert contents(tmp_path / "out") == before


def test_a_name_can_neither_break_the_line_of_a_problem_nor_steer_the_terminal(tmp_path: Path) -> None:
    make_project(tmp_path)
    (tmp_path / "data/a\nb\x1b[2J.txt").write_text("four\n")
    result = run("compute", "toy", tmp_path / "data", "--out", tmp_path / "out")
    assert "a b␛[2J.txt: line 1: is 'four'; expected a number\nrefused: 1 problem\n" in result.stderr


def test_output_inside_the_input_does_not_feed_the_next_run(tmp_path: Path) -> None:
    make_project(tmp_path)
    out = tmp_path / "data/report"
    (tmp_path / "data/report.txt").write_text("7\n")
    runs = []
    for _ in range(3):
        assert run("compute", "toy", tmp_path / "data", "--out", out).exit_code == 0
        runs.append(contents(tmp_path / "data"))
    assert runs[0] == runs[1] == runs[2]


def test_a_folder_with_files_of_others_is_never_replaced(tmp_path: Path) -> None:
    make_project(tmp_path)
    result = run("compute", "toy", tmp_path / "data", "--out", tmp_path / "book")
    assert result.exit_code == 1
    assert "holds files that this program did not write" in result.stderr
    assert (tmp_path / "book/intro.md").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compute", "tyo", "x", "--out", "y"), "tyo is no suite; expected 'toy' (known: other, toy)"),
        (("compute", "toy", "x", "--out", "y", "--alpha", "2"), "--alpha: is 2; expected a number from 0 to 1"),
        (("compute", "toy", "x", "--out", "y", "--alhpa", "1"), "No such option '--alhpa'"),
        (("compute", "toy", "x"), "Missing option '--out'"),
        (("check", "x", "--suite", "tyo"), "tyo is no suite; expected 'toy'"),
        (("build", ".", "--engine", "none"), "Invalid value for '--engine'"),
        (("lits",), "No such command 'lits'"),
    ],
)
def test_wrong_usage_has_exit_code_2(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_all_options_that_are_wrong_are_told_at_once(tmp_path: Path) -> None:
    result = run("compute", "toy", tmp_path, "--out", tmp_path, "--alpha", "x", "--draws", "0")
    assert result.exit_code == 2
    assert "--alpha: is 'x'; expected a number from 0 to 1" in result.stderr
    assert "--draws: is 0; expected an integer of at least 1" in result.stderr


def test_the_options_of_a_suite_are_its_declared_settings() -> None:
    shown = " ".join(run("compute", "toy", "--help").stdout.split())
    for option in ("--alpha FRACTION", "--level FRACTION", "--draws INTEGER", "--mode TEXT", "--strict / --no-strict"):
        assert option in shown
    assert "Default: 0.95." in shown


@pytest.mark.parametrize(("option", "value"), [("--strict", True), ("--no-strict", False)])
def test_a_flag_can_be_put_on_and_off(tmp_path: Path, option: str, value: bool) -> None:
    make_project(tmp_path)
    assert run("compute", "toy", tmp_path / "data", "--out", tmp_path / "out", option).exit_code == 0
    assert json.loads((tmp_path / "out/results.json").read_text())["settings"]["strict"] is value


def test_check_reads_the_data_of_one_suite(tmp_path: Path) -> None:
    make_project(tmp_path)
    result = run("check", tmp_path / "data", "--suite", "toy")
    assert (result.exit_code, result.stdout) == (0, "toy: 2 files read, all sound\n")


def test_check_finds_the_suite_that_can_read_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise EvalreportError(Problem("a.txt", "is none of mine"))

    make_project(tmp_path)
    other = replace(toy.SUITE, name="other", read=refuse)
    monkeypatch.setattr("evalreport.suites.all_suites", lambda: {"other": other, "toy": toy.SUITE})
    assert run("check", tmp_path / "data").stdout == "toy: 2 files read, all sound\n"


def test_check_asks_for_the_suite_when_none_or_several_can_read_the_files(tmp_path: Path) -> None:
    make_project(tmp_path)
    several = run("check", tmp_path / "data")
    assert several.exit_code == 2
    assert "other and toy can read these files; say --suite with one of: other, toy" in several.stderr
    (tmp_path / "data/a.txt").write_text("four\nfive")
    none = run("check", tmp_path / "data")
    assert none.exit_code == 2
    assert "no suite can read these files; say --suite with one of: other, toy\n" in none.stderr
    assert "toy: a.txt: line 1: is 'four'; expected a number (and 1 more problem)\n" in none.stderr


def test_check_tells_what_is_wrong_with_files_that_only_one_suite_knows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def knows_nothing(*_: object) -> None:
        raise EvalreportError(Problem("data", "holds nothing of mine", "something else", NOTHING_OF_ITS_OWN))

    make_project(tmp_path)
    other = replace(toy.SUITE, name="other", read=knows_nothing)
    monkeypatch.setattr("evalreport.suites.all_suites", lambda: {"other": other, "toy": toy.SUITE})
    (tmp_path / "data/a.txt").write_text("four\nfive")
    one = run("check", tmp_path / "data")
    assert (one.exit_code, one.stderr.splitlines()[-1]) == (1, "refused: 2 problems")
    monkeypatch.setattr("evalreport.suites.all_suites", lambda: {"other": other, "another": replace(other, name="x")})
    none = run("check", tmp_path / "data")
    assert none.exit_code == 2
    assert "other: data: holds nothing of mine; expected something else\n" in none.stderr


def test_check_reads_a_project_with_its_settings_and_its_data(tmp_path: Path) -> None:
    make_project(tmp_path)
    assert run("check", tmp_path).stdout == "toy: 2 files read, all sound\n"
    (tmp_path / "data/a.txt").write_text("four")
    result = run("check", tmp_path)
    assert result.exit_code == 1
    assert result.stderr.startswith("a.txt: line 1: is 'four'; expected a number\n")


def test_problems_can_be_read_by_programs(tmp_path: Path) -> None:
    result = run("check", tmp_path / "none", "--suite", "toy", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout) == {
        "problems": [
            {
                "where": str(tmp_path / "none"),
                "what": "is not there",
                "expected": "a file or folder",
                "kind": "no_input",
            }
        ]
    }


@pytest.mark.parametrize(
    "arguments",
    [
        ("compute", "tyo", "x", "--out", "y", "--json"),
        ("compute", "toy", "x", "--out", "y", "--json", "--alpha", "2", "--draws", "0"),
        ("compute", "toy", "--json"),
        ("check", "--json"),
        ("check", ".", "--suite", "tyo", "--json"),
        ("list", "nothing", "--json"),
        ("lits", "--json"),
        ("--json",),
    ],
)
def test_programs_get_one_document_also_for_wrong_usage(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    document = json.loads(result.stdout)
    assert result.exit_code == 2
    assert {problem["kind"] for problem in document["problems"]} == {"usage"}
    assert document["problems"][-1]["what"] in result.stderr


@pytest.mark.parametrize(
    ("raised", "kind"), [(ZeroDivisionError("by zero"), "fault"), (KeyboardInterrupt(), "interrupted")]
)
def test_programs_get_one_document_also_when_a_verb_ends_badly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, raised: BaseException, kind: str
) -> None:
    def broken(*_: object) -> None:
        raise raised

    monkeypatch.setattr("evalreport.suites.all_suites", lambda: {"toy": replace(toy.SUITE, compute=broken)})
    make_project(tmp_path)
    result = run("compute", "toy", tmp_path / "data", "--out", tmp_path / "out", "--json")
    assert result.exit_code == 1
    assert [problem["kind"] for problem in json.loads(result.stdout)["problems"]] == [kind]
    assert sorted(path.name for path in tmp_path.glob("*out*")) == []


def test_a_wrong_value_is_told_as_it_was_given(tmp_path: Path) -> None:
    assert (
        "--alpha: is '1_option.0'; expected"
        in run("compute", "toy", tmp_path, "--out", "y", "--alpha", "1_option.0").stderr
    )


@pytest.mark.parametrize("out", ["data", ".", "data/a.txt"])
def test_results_never_take_the_place_of_their_input(tmp_path: Path, out: str) -> None:
    make_project(tmp_path)
    before = contents(tmp_path)
    result = run("compute", "toy", tmp_path / "data", "--out", tmp_path / out)
    assert result.exit_code == 1
    assert "reading" not in result.stderr
    assert contents(tmp_path) == before


def test_a_folder_that_cannot_be_written_is_told_like_any_problem(tmp_path: Path) -> None:
    make_project(tmp_path)
    result = run("compute", "toy", tmp_path / "data", "--out", "/proc/out")
    assert result.exit_code == 1
    assert "Traceback" not in result.stderr


def test_a_fault_of_the_program_is_called_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("evalreport.suites.all_suites", lambda: {"toy": replace(toy.SUITE, compute=broken)})
    make_project(tmp_path)
    result = run("compute", "toy", tmp_path / "data", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "ZeroDivisionError: by zero\nThis is a fault of the program" in result.stderr
    assert isinstance(
        run("compute", "toy", tmp_path / "data", "--out", tmp_path / "out", "--debug").exception, ZeroDivisionError
    )


def test_debug_shows_where_an_error_arose(tmp_path: Path) -> None:
    result = run("check", tmp_path / "none", "--suite", "toy", "--debug")
    assert result.exit_code == 1
    assert "Traceback" in result.stderr


@pytest.mark.parametrize("what", ["metrics", "formats", "parameters", "suites"])
def test_list_tells_what_is_declared(what: str) -> None:
    rows = json.loads(run("list", what, "--json").stdout)
    lines = run("list", what).stdout.splitlines()
    assert len(lines) == len(rows) >= 2
    expected = {"metrics": "toy.mean", "formats": "helm", "parameters": "toy.alpha", "suites": "toy"}[what]
    assert expected in {next(iter(row.values())) for row in rows}
    assert all(next(iter(row.values())) and row.get("meaning", row.get("summary")) for row in rows)


def test_list_formats_names_what_other_tools_write_and_no_inner_module() -> None:
    names = [row["format"] for row in json.loads(run("list", "formats", "--json").stdout)]
    assert {source.name for source in all_formats()} < set(names)
    assert set(names) - {source.name for source in all_formats()} == {"benchmark_cards", "bfcl_scores", "eee"}


@pytest.mark.book
def test_build_makes_a_book_and_says_how_to_open_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_project(tmp_path)
    monkeypatch.setattr("evalreport.book.cache.PACKAGE", tmp_path / "data")  # so that nobody can edit it meanwhile
    result = run("build", tmp_path)
    index = tmp_path / "_build/html/index.html"
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{index.parent}\n"
    assert result.stderr.splitlines()[-1] == f"The book is made. Open {index} in a browser."
    again = run("build", tmp_path, "--json")
    assert json.loads(again.stdout) == {"book": str(index.parent), "changed": False}


def test_build_refuses_a_folder_that_is_no_project(tmp_path: Path) -> None:
    result = run("build", tmp_path)
    assert result.exit_code == 1
    assert "expected a project folder with evalreport.yml" in result.stderr


QUICK = """
import sys
from evalreport.cli import main
from evalreport.core.suite import NOTHING_OF_ITS_OWN
from evalreport.errors import EvalreportError, Problem
try:
    main(sys.argv[1:])
except SystemExit as end:
    assert not end.code, end.code
heavy = sorted({"papermill", "pandas", "matplotlib", "sphinx", "IPython"} & sys.modules.keys())
assert not heavy, heavy
"""


def test_every_verb_is_told_in_a_whole_line_of_eighty_columns() -> None:
    told = run("--help").stdout.split("Commands:\n")[1].splitlines()
    assert {line.split()[0] for line in told} >= {"build", "check", "compute", "list", "publish", "consolidate"}
    assert [line for line in told if len(line) > 80 or not line.endswith(".") or line.endswith("...")] == []


def test_listing_the_verbs_loads_no_suite() -> None:
    code = """
import sys
from evalreport.cli import main
try:
    main(["--help"])
except SystemExit:
    pass
loaded = sorted({"numpy", "lark"} & sys.modules.keys() | {n for n in sys.modules if n.endswith((".read", ".compute"))})
assert not loaded, loaded
"""
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


@pytest.mark.parametrize("arguments", [["--help"], ["list", "metrics"], ["list", "suites"], ["compute", "--help"]])
def test_quick_verbs_load_no_heavy_library(arguments: list[str]) -> None:
    subprocess.run([sys.executable, "-c", QUICK, *arguments], check=True, capture_output=True)


def _scored_in(folder: Path, subject: str) -> None:
    ids = {"case_id": "GH-PEST-001", "subject_id": subject, "subject_version": "1", "run_id": "r1"}
    names = ("main_hypothesis", "key_signals", "alternatives", "recommended_action", "requested_data")
    scores = {name: {"score": 2} for name in (*names, "decision_change_condition")}
    scoring = {"reviewer_id": "R1", "response_ref": ids, "criterion_scores": scores, "correctness": 1}
    gold = {"case_id": "GH-PEST-001", "rubric_floor": 0, "rubric_ceiling": 12}
    for path, text in {
        f"responses/v1.0/{subject}/GH-PEST-001__r1.json": json.dumps({**ids, "confidence": 70}),
        f"scoring/v1.0/{subject}/GH-PEST-001__r1__eval-R1.json": json.dumps(
            {**scoring, "automatic_fails_triggered": []}
        ),
        "golds/v1.0/GH-PEST-001_gold.md": f"```json\n{json.dumps(gold)}\n```\n",
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")


def test_names_of_the_data_become_file_names_whatever_the_locale_says(tmp_path: Path) -> None:
    _scored_in(tmp_path / "data", "模型")
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-c", "from evalreport.cli import main; main()"]
    arguments = ["consolidate", str(tmp_path / "data"), "--out", str(tmp_path / "out")]
    done = subprocess.run([*command, *arguments], check=False, capture_output=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out/responses/v1.0/模型").is_dir()
