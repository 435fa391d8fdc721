"""Executors: the same function over a sequence of tasks, in this process or in others; the answers in task order."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import TypeVar

from evalreport.core.executor import AnswerT, Executor, TaskT
from evalreport.errors import EvalreportError, Problem
from evalreport.scale.cluster import Dask
from evalreport.scale.parent import end_with

__all__ = ["NAMES", "Dask", "Executor", "Processes", "Serial", "available", "executor", "processors"]

ATTEMPTS = 3
"""So often in a row may worker processes die without one new answer before the work is given up."""
_T = TypeVar("_T")


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

    What a task raises is raised here. When a worker dies in the middle, the tasks that have no answer yet are done
    again by new workers; a task whose workers die every time is an error, never a missing answer.
    """

    workers: int

    def map(self, function: Callable[[TaskT], AnswerT], tasks: Iterable[TaskT]) -> Iterator[AnswerT]:
        """The function's answer for each task, in the order of the tasks; function and tasks must be picklable.

        A task may run more than once, so the function must do no harm when it is repeated.
        """
        waiting = dict(enumerate(tasks))
        answers: dict[int, AnswerT] = {}
        at, deaths = 0, 0
        while waiting:
            with self._pool(len(waiting)) as pool:
                futures: dict[int, Future[AnswerT]] = {}
                try:
                    for place, task in waiting.items():
                        futures[place] = pool.submit(function, task)
                    while waiting or answers:
                        if at in waiting:
                            answers[at] = futures.pop(at).result()
                            del waiting[at]
                            deaths = 0
                        yield answers.pop(at)
                        at += 1
                except BrokenProcessPool:
                    finished = _finished(futures)
                    deaths = 0 if finished else deaths + 1
                    answers |= finished
                    for place in finished:
                        del waiting[place]
                finally:
                    pool.shutdown(wait=True, cancel_futures=True)
            if deaths == ATTEMPTS:
                what = f"died before it answered, {ATTEMPTS} times in a row"
                raise EvalreportError(Problem("worker process", what, "a process that ends by itself", kind="worker"))
        while answers:
            yield answers.pop(at)
            at += 1

    def _pool(self, tasks: int) -> ProcessPoolExecutor:
        workers = max(1, min(self.workers, tasks))
        fork = multiprocessing.get_context("fork")
        return ProcessPoolExecutor(workers, mp_context=fork, initializer=end_with, initargs=(os.getpid(),))


def _finished(futures: Mapping[int, Future[_T]]) -> dict[int, _T]:
    """What was answered before a worker died."""
    done = {place: one for place, one in futures.items() if one.done() and not one.cancelled()}
    return {place: one.result() for place, one in done.items() if one.exception() is None}


def available(workers: int | None = None) -> Executor:
    """Processes when there is more than one processor (or as many as asked for), else serial.

    >>> available(1)
    Serial()
    """
    count = processors() if workers is None else workers
    return Processes(count) if count > 1 else Serial()


NAMES = ("serial", "processes", "dask")


def executor(name: str, *, scheduler: str | None = None, workers: int | None = None) -> Executor:
    """The executor of this name, one of `NAMES`; `scheduler` is the address of a running dask cluster.

    Without a scheduler, dask starts a cluster on this machine; `workers` is then, as for processes, how many it has
    (default: one a processor). Raises `EvalreportError` when dask is asked for and is not installed.

    >>> executor("processes", workers=2)
    Processes(workers=2)
    """
    count = processors() if workers is None else workers
    match name:
        case "serial":
            return Serial()
        case "processes":
            return Processes(count)
        case "dask":
            return Dask.ready(count, scheduler=scheduler)
    raise ValueError(f"{name!r} is no executor; expected one of {', '.join(NAMES)}")
