"""Executors: the same function over a sequence of tasks, in this process or in several; the answers in task order."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Protocol, TypeVar

from evalreport.errors import EvalreportError, Problem

TaskT = TypeVar("TaskT")
AnswerT = TypeVar("AnswerT")


class Executor(Protocol):
    """Runs a function over tasks. The order of the answers, and so every output, does not depend on which one it is."""

    def map(self, function: Callable[[TaskT], AnswerT], tasks: Iterable[TaskT]) -> Iterator[AnswerT]:
        """The function's answer for each task, in the order of the tasks."""


@dataclass(frozen=True)
class Serial:
    """One task after the other in this process.

    >>> list(Serial().map(abs, [-2, 1]))
    [2, 1]
    """

    def map(self, function: Callable[[TaskT], AnswerT], tasks: Iterable[TaskT]) -> Iterator[AnswerT]:
        """The function's answer for each task, in the order of the tasks."""
        return map(function, tasks)


def processors() -> int:
    """How many processors this process may use; at least one."""
    return max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


@dataclass(frozen=True)
class Processes:
    """Several processes forked from this one: they start with everything that is already imported.

    What a worker raises is raised here. A worker that dies in the middle is an error, never a missing answer.
    """

    workers: int

    def map(self, function: Callable[[TaskT], AnswerT], tasks: Iterable[TaskT]) -> Iterator[AnswerT]:
        """The function's answer for each task, in the order of the tasks; function and tasks must be picklable."""
        context, waiting = multiprocessing.get_context("fork"), list(tasks)
        workers = max(1, min(self.workers, len(waiting)))
        with ProcessPoolExecutor(workers, mp_context=context) as pool:
            try:
                yield from pool.map(function, waiting)
            except BrokenProcessPool:
                raise EvalreportError(
                    Problem("worker process", "died before it answered", "a process that ends by itself", kind="worker")
                ) from None
            finally:
                pool.shutdown(wait=True, cancel_futures=True)


def available(workers: int | None = None) -> Executor:
    """Processes when there is more than one processor (or as many as asked for), else serial.

    >>> available(1)
    Serial()
    """
    count = processors() if workers is None else workers
    return Processes(count) if count > 1 else Serial()
