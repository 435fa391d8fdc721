"""The figures of comparisons: results in, words, data and drawing function out. Loaded by notebooks only."""

from __future__ import annotations

from fractions import Fraction

from evalreport.charts import grid, rows
from evalreport.charts.figure import Figure
from evalreport.core.exact import Undefined, csv_text, fixed
from evalreport.core.interval_cells import common_scale
from evalreport.core.suite import CsvTable
from evalreport.core.words import decimal, limits, limits_text, many, minus, printed
from evalreport.suites.comparison.results import BoardResult, ComparisonResults, ModelRow, PairRow
from evalreport.suites.comparison.views.board import leader_words
from evalreport.suites.comparison.views.cells import level, methods, of_board, table_id, weighting
from evalreport.suites.comparison.views.pairs import differ_words
from evalreport.suites.comparison.views.tasks import categories_of, category_words, short, task_words

IN_WORDS = 10  # how many of the first rows the alternative text reads out
MOST_ROWS = 40  # more models than this are no figure
MOST_COLUMNS = 120  # nor are more tasks
_UNRANKED = "Not ranked"


def means(results: ComparisonResults, result: BoardResult) -> Figure:
    """The mean of every model with its interval; incomplete models stand below, in grey."""
    drawn = result.rows[:MOST_ROWS]
    scale_low, scale_high = _ends(drawn)
    ticks = axis_ticks(scale_low, scale_high)
    groups = len({row.tie_group for row in result.ranked}) > 1
    forest_rows = [_forest_row(row, groups=groups) for row in drawn]
    name = "weighted mean score" if results.draws.weighted else "mean score"
    scale = rows.Scale(f"{name}; line: {level(results)} interval", float(scale_low), float(scale_high), ticks)
    return Figure(
        id=table_id("means", result),
        finding=leader_words(result),
        text=(
            f"{of_board(result)}Mean score over tasks with its {level(results)} interval"
            f" ({methods(row.interval for row in result.rows)}), in order of rank; n: tasks run. {weighting(results)}"
            " Groups: models not proven worse than the best of their group, after Holm's correction. Hollow, grey: not"
            f" every task was run completely.{_cut(len(drawn), len(result.rows), 'models')}"
        ),
        alt=f"{leader_words(result)} "
        + "; ".join(f"{row.model_id} {printed(row.mean)}" for row in drawn[:IN_WORDS]) + ".",
        data=CsvTable(
            "means",
            ("model_id", "rank", "mean", "low", "high", "tasks", "tie_group", "status"),
            tuple(
                (row.model_id, _whole(row.rank), csv_text(row.mean), *limits_text(row.interval), str(row.completed),
                 _whole(row.tie_group), row.status)
                for row in drawn
            ),
        ),
        settings=_settings(results) | _metric(result),
        names=tuple(row.model_id for row in drawn),
        draw=lambda canvas: rows.forest(canvas, forest_rows, scale, value_title="mean"),
    )  # fmt: skip


def pair_matrix(results: ComparisonResults, result: BoardResult) -> Figure:
    """Differences of every two models over their common tasks, row minus column, in points of 100."""
    names = [row.model_id for row in result.rows[:MOST_ROWS]]
    shown = frozenset(names)
    pairs = [pair for pair in result.pairs if {pair.model_a, pair.model_b} <= shown]
    cells: dict[tuple[str, str], grid.Cell] = {}
    for pair in pairs:
        for row, column, sign in ((pair.model_a, pair.model_b, 1), (pair.model_b, pair.model_a, -1)):
            cells[row, column] = _difference_cell(pair, sign, clear=pair.proven(results.draws.level))
    finding = differ_words(results, result)
    return Figure(
        id=table_id("pair-matrix", result),
        finding=finding,
        text=(
            f"{of_board(result)}Difference of the mean score in points of 100, row minus column, over the tasks"
            " both ran. Blue: the row is ahead, orange: behind. Bold: significant after correction,"
            f" Holm-adjusted p at most {decimal(1 - results.draws.level)} over {many(result.tested, 'pair')}. Hatched:"
            f" no common task.{_cut(len(names), len(result.rows), 'models')}"
        ),
        alt=f"Matrix of {many(len(names), 'model')} against each other. {finding}",
        data=CsvTable(
            "pairs",
            ("model_a", "model_b", "difference", "low", "high", "p_adjusted", "tasks"),
            tuple(
                (p.model_a, p.model_b, csv_text(p.difference), *limits_text(p.interval),
                 "" if p.holm is None else csv_text(p.holm, 6), str(p.n))
                for p in pairs
            ),
        ),
        settings=_settings(results) | _metric(result),
        names=tuple(names),
        draw=lambda canvas: grid.pair_matrix(canvas, names, cells, title="row minus column, points of 100"),
    )  # fmt: skip


def categories(result: BoardResult) -> Figure:
    """The mean of every model in every category, with the number of tasks in the cells."""
    models = [row.model_id for row in result.rows[:MOST_ROWS]]
    columns = categories_of(result)[:MOST_ROWS]
    cells = {
        (row.model_id, category): _category_cell(row, category)
        for row in result.rows[:MOST_ROWS]
        for category in columns
    }
    return Figure(
        id=table_id("category-heat", result),
        finding=category_words(result),
        text=(
            f"{of_board(result)}Mean score over the tasks of a category, one row a model in the order of the"
            " leaderboard. Faint: 0, strong: 1. The small number is n, the tasks behind the mean. Hatched: no task"
            f" was run.{_cut(len(models), len(result.rows), 'models')}"
        ),
        alt=f"Table of shaded cells, {many(len(models), 'model')} by {many(len(columns), 'category', 'categories')}."
        f" {category_words(result)}",
        data=CsvTable(
            "categories",
            ("model_id", "category", "mean", "tasks"),
            tuple(
                (row.model_id, category, csv_text(value), str(tasks))
                for row in result.rows[:MOST_ROWS]
                for category, (value, tasks) in sorted(row.categories.items())
            ),
        ),
        settings=_metric(result),
        names=(*models, *columns),
        draw=lambda canvas: grid.heatmap(canvas, models, columns, cells),
    )


def tasks(result: BoardResult) -> Figure:
    """The score of every model on every task as shades: rows of models, columns of tasks by category."""
    models = [row.model_id for row in result.rows[:MOST_ROWS]]
    listed = sorted(result.board.tasks, key=lambda task: (task.category, task.task_id))
    columns = [task.task_id for task in listed[:MOST_COLUMNS]]
    scores = result.board.scores
    cells = {
        (model, task): grid.Cell(float(found.score), short(found.score))
        if (found := scores.get((model, task))) is not None
        else grid.Cell(None)
        for model in models
        for task in columns
    }
    gaps = sum(cell.value is None for cell in cells.values())
    hatched = f" {many(gaps, 'cell')} hatched: not run." if gaps else ""
    return Figure(
        id=table_id("task-heat", result),
        finding=task_words(result),
        text=(
            f"{of_board(result)}One row a model in the order of the leaderboard, one column a task, by category and"
            f" name. Faint: 0, strong: 1.{hatched} The numbers stand in the table and in the data file."
            f"{_cut(len(models), len(result.rows), 'models')}{_cut(len(columns), len(listed), 'tasks')}"
        ),
        alt=f"Table of shaded cells, {many(len(models), 'model')} by {many(len(columns), 'task')}."
        f" {task_words(result)}",
        data=CsvTable(
            "tasks",
            ("model_id", "task_id", "category", "score"),
            tuple(
                (model, task.task_id, task.category, csv_text(found.score))
                for model in models
                for task in listed[:MOST_COLUMNS]
                if (found := scores.get((model, task.task_id))) is not None
            ),
        ),
        settings=_metric(result),
        names=(*models, *columns),
        draw=lambda canvas: grid.heatmap(canvas, models, columns, cells),
    )


def own_scores(result: BoardResult, row: ModelRow) -> Figure:
    """Every task score of a model as a dot in the row of its category."""
    own: dict[str, list[Fraction]] = {}
    scored = []
    for task in result.board.tasks:
        found = result.board.scores.get((row.model_id, task.task_id))
        if found is not None:
            own.setdefault(task.category, []).append(found.score)
            scored.append((task.category, task.task_id, found.score))
    dot_rows = [
        rows.DotRow(category, tuple(float(x) for x in values), f"{fixed(sum(values, Fraction(0)) / len(values), 2)}")
        for category, values in sorted(own.items())[:MOST_ROWS]
    ]
    finding = spread_words(own)
    return Figure(
        id=table_id("own-dots", result, row.model_id),
        finding=finding,
        text=f"{of_board(result)}{row.model_id}: every task score as a dot, one row a category; equal scores pile up."
        f" At the right the mean of the category.{_cut(len(dot_rows), len(own), 'categories')}",
        alt=f"Dots of {many(len(scored), 'task score')} in {many(len(own), 'category', 'categories')}. {finding}",
        data=CsvTable(
            "own-scores",
            ("category", "task_id", "score"),
            tuple((category, task, csv_text(score)) for category, task, score in sorted(scored)),
        ),
        settings={"model_id": row.model_id, **_metric(result)},
        names=tuple(sorted(own)),
        draw=lambda canvas: rows.dots(canvas, dot_rows, rows.Scale("score of a task, 0 to 1"), text_title="mean"),
    )


def spread_words(own: dict[str, list[Fraction]]) -> str:
    """How the scores of a model lie: how many are 0, 1 and between.

    >>> spread_words({"a": [Fraction(0), Fraction(1)], "b": [Fraction(1, 2)]})
    '1 task with score 1, 1 between, 1 with 0.'
    """
    every = [score for found in own.values() for score in found]
    full, none = sum(x == 1 for x in every), sum(x == 0 for x in every)
    return f"{many(full, 'task')} with score 1, {len(every) - full - none} between, {none} with 0."


def _forest_row(row: ModelRow, *, groups: bool) -> rows.ForestRow:
    ranked = row.rank is not None
    note = "" if ranked else row.coverage if row.completed < row.total else row.status
    return rows.ForestRow(
        row.model_id,
        None if isinstance(row.mean, Undefined) else float(row.mean),
        printed(row.mean),
        row.completed,
        limits(row.interval),
        rank=f"{row.rank}{'=' if row.tied else ''}" if ranked else "",
        note=note,
        tone="data" if ranked else "muted",
        group=_UNRANKED if not ranked else f"Tie group {row.tie_group}" if groups else "",
    )


def _ends(drawn: tuple[ModelRow, ...]) -> tuple[Fraction, Fraction]:
    low, high = common_scale((row.mean for row in drawn), (row.interval for row in drawn))
    return max(low, Fraction(0)), min(high, Fraction(1))


def axis_ticks(low: Fraction, high: Fraction) -> tuple[float, ...]:
    """Both ends and a few round places between them.

    >>> axis_ticks(Fraction(0), Fraction(1)), axis_ticks(Fraction(7, 10), Fraction(9, 10))
    ((0.0, 0.2, 0.4, 0.6, 0.8, 1.0), (0.7, 0.75, 0.8, 0.85, 0.9))
    """
    steps = (Fraction(1, 5), Fraction(1, 10), Fraction(1, 20), Fraction(1, 50))
    step = next((s for s in steps if (high - low) / s >= 3), steps[-1])
    first = -(-low // step) * step
    return tuple(float(first + k * step) for k in range(int((high - first) / step) + 1))


def _difference_cell(pair: PairRow, sign: int, *, clear: bool) -> grid.Cell:
    if isinstance(pair.difference, Undefined):
        return grid.Cell(None)
    points = sign * Fraction(pair.difference)
    whole = fixed(100 * points, 0)
    text = minus(whole) if whole.startswith("-") or whole == "0" else f"+{whole}"
    return grid.Cell(float(points), text, strong=clear)


def _category_cell(row: ModelRow, category: str) -> grid.Cell:
    value, tasks_run = row.categories.get(category, (Undefined("no task of this category was run"), 0))
    if isinstance(value, Undefined):
        return grid.Cell(None)
    return grid.Cell(float(value), fixed(value, 2), f"n {tasks_run}")


def _cut(shown: int, every: int, what: str) -> str:
    return f" Drawn are the first {shown:,} of {every:,} {what}." if shown < every else ""


def _settings(results: ComparisonResults) -> dict[str, str]:
    draws = results.draws
    return {
        "level": str(draws.level),
        "resamples": str(draws.resamples),
        "seed": str(draws.seed),
        "weights": str(draws.weighted),
        "cluster": draws.cluster or "",
    }


def _metric(result: BoardResult) -> dict[str, str]:
    return {"metric_name": result.board.name} if result.board.name else {}


def _whole(value: int | None) -> str:
    return "" if value is None else str(value)
