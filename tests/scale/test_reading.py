"""A benchmark is read in one process, in several or on a cluster: the same bytes, also when a worker is killed."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from evalreport.cli import main
from evalreport.core.suite import Settings
from evalreport.scale.executors import NAMES, Serial
from evalreport.suites.benchmark.read import read, read_with
from tests.book import toy
from tests.book.toy import contents, make_project
from tests.scale.killing import KILLED, killed_always, killed_once
from tests.suites.benchmark.test_read import Tree, gold, response, scoring

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
reading = import_module("evalreport.suites.benchmark.read")
QUICK = ("--resamples", "100", "--null-draws", "100")


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """Twelve runs of two subjects over three cases, read three files at a time."""
    monkeypatch.setattr(reading, "PORTION", 3)
    tree = Tree(tmp_path / "in")
    for case in ("BIKE-GEAR-001", "BIKE-GEAR-002", "BIKE-BRAKE-003"):
        tree.gold(gold(case))
        for subject in ("m", "n"):
            for run_id in ("r1", "r2"):
                tree.response(response(case, subject, run_id))
                tree.scoring(scoring(case, subject, run_id))
    tree.put("notes.txt", "ignored")
    return tree


def compute(tree: Tree, out: Path, executor: str, scheduler: str | None) -> Result:
    address = ("--scheduler", scheduler) if executor == "dask" and scheduler is not None else ()
    arguments = ["compute", "benchmark", str(tree.root), "--out", str(out), *QUICK, "--executor", executor, *address]
    return CliRunner().invoke(main, arguments)


def test_every_executor_writes_the_same_bytes(tree: Tree, tmp_path: Path, scheduler: str) -> None:
    written = {}
    for name in NAMES:
        result = compute(tree, tmp_path / name, name, scheduler)
        assert result.exit_code == 0, result.output
        written[name] = contents(tmp_path / name)
    assert len(written["serial"]) > 3
    assert written["processes"] == written["serial"]
    assert written["dask"] == written["serial"]


@pytest.mark.parametrize("name", ["processes", "dask"])
def test_a_worker_that_is_killed_in_the_middle_changes_no_byte(
    tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    assert compute(tree, tmp_path / "serial", "serial", None).exit_code == 0
    monkeypatch.setenv(KILLED, str(tmp_path / "killed"))
    monkeypatch.setattr(reading, "read_part", killed_once)
    # No scheduler is named: dask starts a cluster of its own, whose workers see the variable.
    result = compute(tree, tmp_path / name, name, None)
    assert result.exit_code == 0, result.output
    assert (tmp_path / "killed").exists()
    assert contents(tmp_path / name) == contents(tmp_path / "serial")


def test_when_every_worker_is_killed_it_is_said_and_nothing_is_written(
    tree: Tree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compute(tree, tmp_path / "out", "serial", None)
    before = contents(tmp_path / "out")
    monkeypatch.setattr(reading, "read_part", killed_always)
    for out in ("out", "fresh"):
        result = compute(tree, tmp_path / out, "processes", None)
        assert result.exit_code == 1
        assert "worker process: died before it answered" in result.stderr
    assert contents(tmp_path / "out") == before
    assert not (tmp_path / "fresh").exists()


def test_every_executor_tells_the_same_problems(tree: Tree, tmp_path: Path, scheduler: str) -> None:
    tree.scoring({**scoring("BIKE-GEAR-002"), "correctness": 0.7})
    tree.scoring({**scoring("BIKE-GEAR-001"), "reviewer_id": "R2"})
    tree.scoring(scoring("BIKE-GEAR-009"))
    told = []
    for name in NAMES:
        result = compute(tree, tmp_path / "out", name, scheduler)
        assert result.exit_code == 1
        told.append(result.stderr)
    assert told[0].endswith("refused: 4 problems\n")
    assert told == [told[0]] * 3


def test_an_input_without_files_is_refused_as_in_one_piece(tmp_path: Path) -> None:
    told = set()
    for name in ("serial", "processes"):
        told.add(compute(Tree(tmp_path), tmp_path / "out", name, None).stderr)
    assert len(told) == 1
    assert "holds no response of a benchmark" in told.pop()


@pytest.mark.parametrize("size", [1, 2, 1000])
def test_the_size_of_a_portion_does_not_matter(tree: Tree, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(reading, "PORTION", size)
    assert read_with([tree.root], Settings({}), Serial()) == read([tree.root], Settings({}))


def test_a_scheduler_that_nothing_would_use_is_a_matter_of_usage(tree: Tree, tmp_path: Path) -> None:
    arguments = ["compute", "benchmark", str(tree.root), "--out", str(tmp_path / "out"), "--scheduler", "tcp://x:1"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "--scheduler is for --executor dask" in result.stderr


def test_a_suite_that_is_read_in_one_piece_offers_no_executor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toy.register(monkeypatch)
    make_project(tmp_path)
    arguments = ["compute", "toy", str(tmp_path / "data"), "--out", str(tmp_path / "out"), "--executor", "processes"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "No such option '--executor'" in result.stderr
