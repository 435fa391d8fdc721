"""What a comparison is made of: leaderboards of task scores, each the mean over runs of the mean over items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from evalreport.core.suite import InputFile
from evalreport.formats.evalrun import EvalRun, SetAside, Status


@dataclass(frozen=True)
class Task:
    """One task of a leaderboard. `cluster` is empty when the task stands for itself."""

    task_id: str
    category: str
    weight: Fraction
    cluster: str


@dataclass(frozen=True)
class Item:
    """One item of a task as one model answered it: its mean over the runs. `cluster` is empty when it has none."""

    item_id: str
    score: Fraction
    cluster: str


@dataclass(frozen=True)
class TaskScore:
    """What one model scored on one task, and where that stands.

    `score` is the mean over runs of the mean over items. `n` is how many items were scored, `n_original` how many the
    task has, as far as the files say so. `reported_error` is a standard error as a file states it; what is
    computed goes before it.
    """

    model_id: str
    task_id: str
    metric_name: str
    score: Fraction
    runs: int
    items: tuple[Item, ...]
    n: int | None
    n_correct: int | None
    n_original: int | None
    reported_error: Fraction | None
    status: Status
    version: str
    sources: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Board:
    """Scores that are ranked together: one metric, or all shares of tables that promise one score a task.

    `name` is the metric, empty when the input has one leaderboard only. `scores` is by (model, task).
    """

    name: str
    metrics: tuple[str, ...]
    models: tuple[str, ...]
    tasks: tuple[Task, ...]
    scores: Mapping[tuple[str, str], TaskScore]


@dataclass(frozen=True)
class ComparisonRecords:
    """Everything that was read. `apart` are scores on other scales or directions, which no mean holds."""

    boards: tuple[Board, ...]
    apart: tuple[EvalRun, ...]
    set_aside: tuple[SetAside, ...]
    notes: tuple[str, ...]
    inputs: tuple[InputFile, ...]
    ignored: tuple[str, ...]
