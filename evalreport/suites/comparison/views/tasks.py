"""Scores by category and by task: where models differ, and which tasks tell nobody apart."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from evalreport.core.exact import Undefined, fixed
from evalreport.core.table import Cell, Column, Count, Heat, Missing, Num, Row, RowGroup, Table, Text
from evalreport.core.words import decimal, many, printed
from evalreport.suites.comparison.records import Task, TaskScore
from evalreport.suites.comparison.results import BoardResult, ComparisonResults, ModelRow
from evalreport.suites.comparison.views.cells import (
    FILES,
    MOST_ROWS,
    category_number,
    metric,
    named,
    number,
    of_board,
    table_id,
)

MOST_SIDE_BY_SIDE = 16  # more models than this do not stand side by side
NO_CATEGORY = "general"  # what a task has that states none


def categories_of(result: BoardResult) -> tuple[str, ...]:
    """The categories of the tasks of a leaderboard, by name."""
    return tuple(sorted({task.category for task in result.board.tasks}))


def category_words(result: BoardResult) -> str:
    """Which category is hardest and which easiest, by the mean over models."""
    means: dict[str, list[Fraction]] = {}
    for row in result.rows:
        for category, (value, _) in row.categories.items():
            if not isinstance(value, Undefined):
                means.setdefault(category, []).append(Fraction(value))
    if len(means) < 2:
        return f"All tasks are of one category, {next(iter(means), NO_CATEGORY)}."
    by_mean = sorted((sum(found, Fraction(0)) / len(found), category) for category, found in means.items())
    (low, hardest), (high, easiest) = by_mean[0], by_mean[-1]
    return f"Hardest is {hardest}, {printed(low, 2)} on average over models; easiest {easiest}, {printed(high, 2)}."


def categories(results: ComparisonResults, result: BoardResult) -> Table:
    """The mean of every model in every category, with the mean of these means."""
    listed = categories_of(result)
    sizes = {category: sum(task.category == category for task in result.board.tasks) for category in listed}
    shown = listed[:MOST_SIDE_BY_SIDE]
    rows = result.rows[:MOST_ROWS]
    cut = [f"{len(shown)} of {many(len(listed), 'category', 'categories')}"] if len(shown) < len(listed) else []
    cut += [f"{len(rows)} of {many(len(result.rows), 'model')}"] if len(rows) < len(result.rows) else []
    rest = f" Shown are {' and '.join(cut)}; all stand in the CSV." if cut else ""

    def cell(row: ModelRow, category: str) -> Cell:
        value, _ = row.categories.get(category, (Undefined("no task of this category was run"), 0))
        return category_number(results, result, row.model_id, category, value)

    def made(row: ModelRow) -> Row:
        overall = number(results, result, row, "mean_of_categories", row.mean_of_categories)
        return Row((named(results, row.model_id), *(cell(row, category) for category in shown), overall))

    return Table(
        id=table_id("categories", result),
        finding=category_words(result),
        text=f"{of_board(result)}Mean score over the tasks of a category that a model ran, tasks counting equally; in"
        f" the order of the leaderboard. Mean of categories: every category counts the same.{rest}",
        columns=(
            Column("model", "Model", sticky=True),
            *(Column(f"c{at}", c, many(sizes[c], "task"), "r", "higher") for at, c in enumerate(shown)),
            Column.of(metric("mean_of_categories"), strong=True),
        ),
        groups=(RowGroup("", tuple(map(made, rows))),),
        downloads=(("CSV", f"{FILES}/categories.csv"),),
        empty="No score was read.",
        wide=True,
    )


def task_words(result: BoardResult) -> str:
    """How many tasks everybody won, and how many nobody scored on."""
    of_task: dict[str, list[Fraction]] = {}
    for (_, task), found in result.board.scores.items():
        of_task.setdefault(task, []).append(found.score)
    zero = sum(not any(scores) for scores in of_task.values())
    tasks = many(len(of_task), "task")
    verb = "was" if result.all_won == 1 else "were"
    return f"Of {tasks}, {result.all_won} {verb} won by all and {zero} scored 0 by all."


def tasks(results: ComparisonResults, result: BoardResult) -> Table:
    """The score of every model on every task: side by side for a few models, else the range of each task."""
    models = [row.model_id for row in result.rows]
    side_by_side = len(models) <= MOST_SIDE_BY_SIDE
    listed = sorted(result.board.tasks, key=lambda task: (task.category, task.task_id))
    shown = listed[:MOST_ROWS]
    scores = result.board.scores
    of_task: dict[str, list[Fraction]] = {}
    for (_, task), found in scores.items():
        of_task.setdefault(task, []).append(found.score)

    def made(task: Task) -> Row:
        own = of_task[task.task_id]
        mean = sum(own, Fraction(0)) / len(own)
        cells: Sequence[Cell] = (
            [_heat(scores.get((model, task.task_id))) for model in models]
            if side_by_side
            else [Num(min(own)), Num(max(own))]
        )
        return Row((Text(task.task_id), Num(mean), Count(len(own), len(models)), *cells, *_about(results, task)))

    by_category = {category: [t for t in shown if t.category == category] for category in categories_of(result)}
    rest = f" Tasks 1 to {len(shown):,} of {len(listed):,}; all stand in the CSV." if len(shown) < len(listed) else ""
    which = "One column a model, in the order of the leaderboard" if side_by_side else "Lowest and highest over models"
    heads = (
        [Column(f"m{at}", model, "", "r") for at, model in enumerate(models)]
        if side_by_side
        else [Column("low", "Lowest", "", "r"), Column("high", "Highest", "", "r")]
    )
    return Table(
        id=table_id("tasks", result),
        finding=task_words(result),
        text=f"{of_board(result)}{which}. Faint: 0, strong: 1. Hatched: not run. The filter finds tasks by name.{rest}",
        columns=(
            Column("task", "Task", sticky=True),
            Column("mean", "Mean", "over models", "r", "higher", strong=True),
            Column("ran", "Run by", "models", "r"),
            *heads,
            *_about_columns(results),
        ),
        groups=tuple(
            RowGroup(category if len(by_category) > 1 else "", tuple(map(made, found)))
            for category, found in by_category.items()
        ),
        downloads=(("every score, CSV", f"{FILES}/tasks.csv"),),
        empty="No score was read.",
        wide=True,
    )


def short(score: Fraction) -> str:
    """A score as a narrow cell writes it: whole ones bare, others with two decimals.

    >>> short(Fraction(1)), short(Fraction(1, 3))
    ('1', '0.33')
    """
    return str(score) if score.denominator == 1 else fixed(score, 2)


def _heat(found: TaskScore | None) -> Heat:
    return Heat(None, "–", "not run") if found is None else Heat(found.score, short(found.score))


def _about_columns(results: ComparisonResults) -> tuple[Column, ...]:
    draws = results.draws
    cluster = (Column("cluster", "Cluster", draws.cluster or ""),) if draws.cluster else ()
    return (*cluster, *((Column("weight", "Weight", align="r"),) if draws.weighted else ()))


def _about(results: ComparisonResults, task: Task) -> tuple[Cell, ...]:
    draws = results.draws
    cells: list[Cell] = []
    if draws.cluster:
        cells.append(Text(task.cluster) if task.cluster else Missing("stands for itself"))
    if draws.weighted:
        cells.append(Text(decimal(task.weight)))
    return tuple(cells)
