"""What runs a function over many tasks: one process, several, or a cluster (`evalreport.scale` has them)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

TaskT = TypeVar("TaskT")
AnswerT = TypeVar("AnswerT")


class Executor(Protocol):
    """Runs a function over tasks. The order of the answers, and so every output, does not depend on which one it is."""

    def map(self, function: Callable[[TaskT], AnswerT], tasks: Iterable[TaskT]) -> Iterator[AnswerT]:
        """The function's answer for each task, in the order of the tasks."""
