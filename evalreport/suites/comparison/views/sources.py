"""What was read from where, what stands apart, and what was set aside with the reason."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from evalreport.core.table import Cell, Code, Column, Count, Num, Row, RowGroup, Table, Text
from evalreport.core.words import decimal, many
from evalreport.suites.comparison.records import TaskScore
from evalreport.suites.comparison.results import ComparisonResults
from evalreport.suites.comparison.views.cells import FILES, MOST_ROWS, table_id


def files(results: ComparisonResults) -> Table:
    """Every file that was read, and what came out of it into the leaderboards."""
    records = results.records
    paths = sorted(one.path for one in records.inputs)
    found: dict[str, list[TaskScore]] = {path: [] for path in paths}
    for result in results.boards:
        for score in result.board.scores.values():
            for path in {path for source in score.sources if (path := _file(source, paths))}:
                found[path].append(score)
    apart = {path: sum(run.file == path for run in records.apart) for path in paths}
    aside = {path: sum(one.file == path for one in records.set_aside) for path in paths}

    def made(path: str) -> Row:
        scores = found[path]
        names = sorted({score.metric_name for score in scores})
        return Row(
            (
                Text(path),
                Count(len(scores)),
                Count(len({score.model_id for score in scores})),
                Count(len({score.task_id for score in scores})),
                Text(", ".join(names)),
                Count(apart[path]),
                Count(aside[path]),
            )
        )

    total = sum(len(result.board.scores) for result in results.boards)
    return Table(
        id=table_id("files"),
        finding=f"{many(total, 'task score')} from {many(len(paths), 'file')}.",
        text="A task score is the mean over runs of the mean over items. The place of every score in its file stands on"
        " the page of its model. Apart: scores on other scales, which no mean holds.",
        columns=(
            Column("file", "File", sticky=True),
            Column("scores", "Scores", "of tasks", "r"),
            Column("models", "Models", align="r"),
            Column("tasks", "Tasks", align="r"),
            Column("metrics", "Metrics"),
            Column("apart", "Apart", "other scales", "r"),
            Column("aside", "Set aside", align="r"),
        ),
        groups=(RowGroup("", tuple(made(path) for path in paths[:MOST_ROWS])),),
        downloads=(("every score, CSV", f"{FILES}/tasks.csv"),),
        empty="No file was read.",
        wide=True,
    )


def _file(source: str, paths: list[str]) -> str:
    """The file of a source, which is a path, or a path with a place in the file behind it."""
    at = bisect_right(paths, source)
    while at and not (source == paths[at - 1] or source.startswith(f"{paths[at - 1]}: ")):
        at -= 1
    return paths[at - 1] if at else ""


def set_aside(results: ComparisonResults) -> Table:
    """What files state that did not enter, each with the reason."""
    found = results.records.set_aside
    return Table(
        id=table_id("set-aside"),
        finding=f"{many(len(found), 'entry', 'entries')} did not enter, each with its reason."
        if found
        else "Nothing was set aside.",
        text="Superseded and repeated files, groups that sum up other tasks, values that are none."
        + _cut(len(found), "set_aside.csv"),
        columns=(
            Column("file", "File", sticky=True),
            Column("key", "Place", sortable=False),
            Column("value", "Value", wrap=True, sortable=False),
            Column("reason", "Reason", wrap=True),
        ),
        groups=(
            RowGroup(
                "",
                tuple(
                    Row((Text(one.file), _code(one.key), Text(one.value), Text(one.reason)))
                    for one in found[:MOST_ROWS]
                ),
            ),
        ),
        downloads=(("CSV", f"{FILES}/set_aside.csv"),),
        empty="Every score of every file entered.",
        wide=True,
    )


def other_metrics(results: ComparisonResults) -> Table:
    """Scores on other scales or directions: within one task they order models, over tasks they mean nothing."""
    found = results.records.apart
    groups: dict[tuple[str, str], list[Row]] = {}
    for metric_name, task_id, row in _ranked(results):
        groups.setdefault((metric_name, task_id), []).append(row)
    return Table(
        id=table_id("other-metrics"),
        finding=f"{many(len(found), 'score')} by metrics on other scales, kept apart."
        if found
        else "Every metric goes from 0 to 1, higher is better.",
        text="Ranked within a task, never averaged with anything: the scale or the direction is another one.",
        columns=(
            Column("rank", "Rank", "within the task", "r"),
            Column("model", "Model", sticky=True),
            Column("score", "Score", align="r", strong=True),
            Column("better", "Better"),
            Column("scale", "Scale"),
            Column("status", "Status"),
            Column("source", "Source", sortable=False),
        ),
        groups=tuple(RowGroup(f"{metric}, {task}", tuple(rows)) for (metric, task), rows in groups.items()),
        downloads=(("CSV", f"{FILES}/other_metrics.csv"),),
        empty="No score stands apart.",
        wide=True,
    )


def _ranked(results: ComparisonResults) -> Iterator[tuple[str, str, Row]]:
    apart = results.records.apart[:MOST_ROWS]
    placed = []
    for run in apart:
        rivals = [other for other in apart if (other.metric_name, other.task_id) == (run.metric_name, run.task_id)]
        ahead = sum(o.score > run.score if run.better == "higher" else o.score < run.score for o in rivals)
        placed.append((run.metric_name, run.task_id, 1 + ahead, run))
    for metric_name, task_id, rank, run in sorted(placed, key=lambda one: (*one[:3], one[3].model_id)):
        low, high = ("open" if end is None else decimal(end) for end in (run.low, run.high))
        cells: tuple[Cell, ...] = (
            Count(rank),
            Text(run.model_id),
            Num(run.score),
            Text(f"{run.better} is better"),
            Text(f"{low} to {high}"),
            Text(run.status),
            Text(f"{run.file}: {run.key}" if run.key else run.file),
        )
        yield metric_name, task_id, Row(cells)


def notes(results: ComparisonResults) -> Table:
    """What files say of their own scores that a reader must know."""
    found = results.records.notes
    return Table(
        id=table_id("notes"),
        finding=f"{many(len(found), 'remark')} on scores that entered." if found else "There is nothing to remark.",
        text="Limits on the number of items, items without a score, standard errors that cannot be."
        + _cut(len(found), ""),
        columns=(Column("note", "Remark", sticky=True, wrap=True),),
        groups=(RowGroup("", tuple(Row((Text(note),)) for note in found[:MOST_ROWS])),),
        empty="No file says anything that limits its scores.",
        compact=True,
    )


def _cut(n: int, file: str) -> str:
    if n <= MOST_ROWS:
        return ""
    where = f"; all stand in {file}" if file else ""
    return f" The first {MOST_ROWS} of {n:,}{where}."


def _code(text: str) -> Cell:
    return Code(text) if text else Text("")
