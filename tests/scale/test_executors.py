"""Executors give the same answers in the same order, and never fewer."""

from __future__ import annotations

import os
import time

import pytest

from evalreport.errors import EvalreportError, Problem
from evalreport.scale.executors import Executor, Processes, Serial, available

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


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


@pytest.mark.parametrize("executor", [Serial(), Processes(2)])
def test_the_answers_stand_in_the_order_of_the_tasks(executor: Executor) -> None:
    assert list(executor.map(_late_first, range(4))) == [0, 1, 4, 9]


@pytest.mark.parametrize("executor", [Serial(), Processes(2)])
def test_no_tasks_give_no_answers(executor: Executor) -> None:
    assert list(executor.map(_late_first, [])) == []


@pytest.mark.parametrize("executor", [Serial(), Processes(2)])
def test_a_refusal_in_a_task_arrives_whole(executor: Executor) -> None:
    with pytest.raises(EvalreportError) as caught:
        list(executor.map(_refused, range(3)))
    assert caught.value.problems == (Problem("task 1", "is wrong"),)


def test_a_worker_that_dies_is_an_error_and_not_a_missing_answer() -> None:
    with pytest.raises(EvalreportError, match="worker process: died before it answered"):
        list(Processes(2).map(_dies, range(3)))


def test_one_processor_needs_no_processes() -> None:
    assert available(1) == Serial()
    assert available(3) == Processes(3)
