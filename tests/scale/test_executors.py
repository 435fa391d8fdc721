"""Executors give the same answers in the same order, and never fewer, whatever dies on the way."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from evalreport.errors import EvalreportError, Problem
from evalreport.scale import cluster
from evalreport.scale.executors import NAMES, Dask, Executor, Processes, Serial, available, executor

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


@pytest.fixture(params=NAMES)
def each(request: pytest.FixtureRequest) -> Executor:
    """Each executor; dask on the cluster of the tests."""
    address = request.getfixturevalue("scheduler") if request.param == "dask" else None
    return executor(request.param, scheduler=address, workers=2)


@pytest.fixture(params=["processes", "dask"])
def apart(request: pytest.FixtureRequest) -> Executor:
    """Each executor whose workers are other processes."""
    address = request.getfixturevalue("scheduler") if request.param == "dask" else None
    return executor(request.param, scheduler=address, workers=2)


def _late_first(number: int) -> int:
    time.sleep(0.2 if number == 0 else 0)
    return number * number


def _refused(number: int) -> int:
    if number == 1:
        raise EvalreportError(Problem("task 1", "is wrong"))
    return number


def _dies(number: int) -> int:
    if number == 1:
        os._exit(9)
    return number


def _killed_once(task: tuple[Path, int]) -> int:
    """The task 3 is killed in the middle, but not when it is done again; each task notes that it was begun."""
    folder, number = task
    before = len(list(folder.glob(f"{number}-*")))
    (folder / f"{number}-{before}").touch()
    if number == 3 and not before:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def test_the_answers_stand_in_the_order_of_the_tasks(each: Executor) -> None:
    assert list(each.map(_late_first, range(4))) == [0, 1, 4, 9]


def test_no_tasks_give_no_answers(each: Executor) -> None:
    assert list(each.map(_late_first, [])) == []


def test_a_refusal_in_a_task_arrives_whole(each: Executor) -> None:
    with pytest.raises(EvalreportError) as caught:
        list(each.map(_refused, range(3)))
    assert caught.value.problems == (Problem("task 1", "is wrong"),)


def test_an_executor_may_be_used_again_after_a_refusal(each: Executor) -> None:
    with pytest.raises(EvalreportError):
        list(each.map(_refused, range(3)))
    assert list(each.map(_late_first, range(3))) == [0, 1, 4]


def test_the_work_of_a_worker_that_was_killed_is_done_again(apart: Executor, tmp_path: Path) -> None:
    tasks = [(tmp_path, number) for number in range(12)]
    assert list(apart.map(_killed_once, tasks)) == [number * number for number in range(12)]
    assert (tmp_path / "3-1").exists()


def test_what_was_answered_before_a_worker_died_is_not_done_again(tmp_path: Path) -> None:
    answers = Processes(1).map(_killed_once, [(tmp_path, number) for number in range(6)])
    assert list(answers) == [0, 1, 4, 9, 16, 25]
    assert sorted(path.name for path in tmp_path.glob("[0-2]-*")) == ["0-0", "1-0", "2-0"]


def test_a_task_that_kills_every_worker_is_an_error_and_not_a_missing_answer() -> None:
    with pytest.raises(EvalreportError, match="worker process: died before it answered, 3 times in a row"):
        list(Processes(2).map(_dies, range(3)))


def test_on_a_cluster_it_is_an_error_too() -> None:
    import dask

    told = pytest.raises(EvalreportError, match="worker process: died before it answered, again and again")
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}), told:
        list(Dask(1).map(_dies, range(3)))


def test_a_reader_who_wants_no_more_answers_ends_the_workers(apart: Executor) -> None:
    answers = apart.map(_late_first, range(4))
    assert next(answers) == 0
    del answers
    assert list(apart.map(_late_first, range(2))) == [0, 1]


def test_a_scheduler_that_is_not_there_is_told_by_its_address() -> None:
    with pytest.raises(EvalreportError, match=r"^tcp://127.0.0.1:9: cannot be reached: .*a running dask scheduler"):
        list(Dask(1, "tcp://127.0.0.1:9").map(_late_first, [1]))


@pytest.mark.parametrize(
    "address", ["", "no address", "ftp://x:1", "tcp://x", "tcp://:1", "tcp://x:port", "tcp://x:99999"]
)
def test_what_is_no_address_of_a_scheduler_is_told_too(address: str) -> None:
    with pytest.raises(EvalreportError) as caught:
        list(Dask(1, address).map(_late_first, [1]))
    (problem,) = caught.value.problems
    assert str(problem) == f"scheduler: {address!r} is no address of a scheduler; expected tcp://HOST:PORT"


def test_without_dask_it_is_said_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "find_spec", lambda name: None)
    with pytest.raises(EvalreportError) as caught:
        executor("dask")
    (problem,) = caught.value.problems
    assert str(problem) == "dask: is not installed; expected pip install 'evalreport[dask]'"
    assert problem.kind == "missing_library"


def test_dask_is_not_loaded_before_it_is_used() -> None:
    import subprocess
    import sys

    code = "import sys, evalreport.cli; print([m for m in sys.modules if m.split('.')[0] in ('dask', 'distributed')])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


def test_one_processor_needs_no_processes() -> None:
    assert available(1) == Serial()
    assert available(3) == Processes(3)
