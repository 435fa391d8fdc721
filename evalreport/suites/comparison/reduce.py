"""Runs and items become one score for each model and task; what the rows say of a task must agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from evalreport.errors import Problems
from evalreport.formats.evalrun import EvalRun, Status
from evalreport.suites.comparison.records import Board, Item, Task, TaskScore

# The worst of what several runs of one task say of themselves decides.
_STATUS: tuple[Status, ...] = ("complete", "limited", "partial", "started", "cancelled", "errored")


def board(name: str, runs: Sequence[EvalRun], *, cluster: str | None, weighted: bool, problems: Problems) -> Board:
    """One leaderboard of runs; a task with two categories is a problem, and with two weights or clusters that count."""
    by_score: dict[tuple[str, str], list[EvalRun]] = {}
    by_task: dict[str, list[EvalRun]] = {}
    for run in runs:
        by_score.setdefault((run.model_id, run.task_id), []).append(run)
        by_task.setdefault(run.task_id, []).append(run)
    scores = {place: task_score(found, cluster) for place, found in sorted(by_score.items())}
    return Board(
        name,
        tuple(sorted({run.metric_name for run in runs})),
        tuple(sorted({model for model, _ in by_score})),
        tuple(
            _task(task_id, found, cluster, weighted=weighted, problems=problems)
            for task_id, found in sorted(by_task.items())
        ),
        scores,
    )


def task_score(runs: Sequence[EvalRun], cluster: str | None) -> TaskScore:
    """The score of one model on one task: the mean over runs of the mean over the items of each run."""
    by_run: dict[str, list[EvalRun]] = {}
    by_item: dict[str, list[EvalRun]] = {}
    for run in runs:
        by_run.setdefault(run.run_id, []).append(run)
        if run.item_id:
            by_item.setdefault(run.item_id, []).append(run)
    first = runs[0]
    single = first if len(runs) == 1 else None
    return TaskScore(
        model_id=first.model_id,
        task_id=first.task_id,
        metric_name=first.metric_name,
        score=_mean(_mean(run.score for run in found) for found in by_run.values()),
        runs=len(by_run),
        items=tuple(
            Item(item, _mean(run.score for run in found), cluster_of(found[0], cluster or "cluster"))
            for item, found in sorted(by_item.items())
        ),
        n=len(by_item) or (single.n if single else None),
        n_correct=single.n_correct if single else None,
        n_original=max((run.n_original for run in runs if run.n_original is not None), default=None),
        reported_error=single.stderr if single else None,
        status=max((run.status for run in runs), key=_STATUS.index),
        version=", ".join(sorted({run.version for run in runs if run.version})),
        sources=_sources(runs),
        notes=tuple(sorted({note for run in runs for note in run.notes})),
    )


def cluster_of(run: EvalRun, column: str) -> str:
    """What a row says in the column that names its cluster; empty when it says nothing."""
    if column in ("cluster", "category"):
        return run.cluster if column == "cluster" else run.category
    return dict(run.columns).get(column, "")


def _sources(runs: Iterable[EvalRun]) -> tuple[str, ...]:
    places: dict[str, list[str]] = {}
    for run in runs:
        places.setdefault(run.file, []).append(run.key)
    return tuple(
        f"{file}: {keys[0]}" + (f" and {len(keys) - 1} more" if len(keys) > 1 else "") if keys[0] else file
        for file, keys in sorted(places.items())
    )


def _task(task_id: str, runs: Sequence[EvalRun], cluster: str | None, *, weighted: bool, problems: Problems) -> Task:
    def one(name: str, values: Mapping[object, EvalRun]) -> None:
        if len(values) > 1:
            (here, there), (run, other) = values.keys(), values.values()
            what = (
                f"task {task_id!r} has {_stated(name, here)}, and {_stated(name, there)} in {other.file}: {other.key}"
            )
            problems.add(f"{run.file}: {run.key}", what, f"one {name} for a task", kind=f"{name}_conflict")

    one("category", _first_two((run.category, run) for run in runs))
    if weighted:
        one("weight", _first_two((run.weight, run) for run in runs))
    of_task = sorted({cluster_of(run, cluster) for run in runs}) if cluster else []
    if len(of_task) > 1 and not any(run.item_id for run in runs):
        one("cluster", _first_two((cluster_of(run, cluster or ""), run) for run in runs))
    return Task(
        task_id, runs[0].category, runs[0].weight if weighted else Fraction(1), of_task[0] if len(of_task) == 1 else ""
    )


def _stated(name: str, value: object) -> str:
    if value == "":
        return f"no {name}"
    return f"the {name} {value!r}" if isinstance(value, str) else f"the {name} {value}"


def _first_two(pairs: Iterable[tuple[object, EvalRun]]) -> dict[object, EvalRun]:
    found: dict[object, EvalRun] = {}
    for value, run in pairs:
        if len(found) < 2:
            found.setdefault(value, run)
    return found


def _mean(values: Iterable[Fraction]) -> Fraction:
    listed = list(values)
    return listed[0] if len(listed) == 1 else sum(listed, Fraction(0)) / len(listed)
