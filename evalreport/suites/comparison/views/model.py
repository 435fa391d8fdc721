"""One model: where it stands, its intervals by every method, its categories, and every score with its source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from evalreport.core.exact import Undefined
from evalreport.core.interval_cells import common_scale, interval_cell
from evalreport.core.suite import Interval
from evalreport.core.table import Badge, Cell, Column, Count, Missing, Num, Row, RowGroup, Table, Text
from evalreport.core.words import limits_words, many, percent, printed
from evalreport.report.facts import Fact
from evalreport.suites.comparison.items import ItemErrors, item_errors
from evalreport.suites.comparison.notation import TIE
from evalreport.suites.comparison.records import Task, TaskScore
from evalreport.suites.comparison.results import BoardResult, ComparisonResults, ModelRow
from evalreport.suites.comparison.views.cells import (
    FILES,
    MOST_ROWS,
    category_number,
    level,
    methods,
    metric,
    model_address,
    named,
    number,
    of_board,
    ranking_key,
    standing,
    table_id,
)


def row_of(result: BoardResult, model: str) -> ModelRow | None:
    """The row of a model, None when the leaderboard does not have it."""
    return next((row for row in result.rows if row.model_id == model), None)


def facts(results: ComparisonResults, result: BoardResult, row: ModelRow) -> tuple[Fact, ...]:
    """The few numbers below the title."""

    def where(key: str) -> str:
        return model_address(results, result, row.model_id, key)

    rank = Fact("Rank", "–", row.status) if row.rank is None else _rank_fact(result, row, where("rank"))
    mean = "–" if isinstance(row.mean, Undefined) else printed(row.mean)
    detail = row.interval.note
    if row.interval.low is not None:
        detail = f"{percent(row.interval.level)}: {limits_words(row.interval, 3)}"
    won = "–" if isinstance(row.win_rate, Undefined) else printed(row.win_rate)
    found = [
        rank,
        Fact("Weighted mean" if results.draws.weighted else "Mean", mean, detail, where(ranking_key(results))),
        Fact("Win rate", won, f"{row.wins:,} of {many(row.completed, 'task')}", where("win_rate")),
        Fact("Tasks", f"{row.completed:,} of {row.total:,}", "", where("tasks_completed")),
    ]
    if row.tie_group is not None:
        found.append(Fact("Tie group", str(row.tie_group), "not proven worse than its best", where("tie_group")))
    return (*found, Fact("State", Badge(standing(row).kind, standing(row).text)))


def _rank_fact(result: BoardResult, row: ModelRow, where: str) -> Fact:
    spread = str(row.rank_lo) if row.rank_lo == row.rank_hi else f"{row.rank_lo} to {row.rank_hi}"
    return Fact("Rank", f"{row.rank}{'=' if row.tied else ''}", f"of {len(result.ranked)}; may be {spread}", where)


def intervals(results: ComparisonResults, result: BoardResult, row: ModelRow) -> Table:
    """The mean and the win rate with their limits, each by its method, and the standard error."""
    listed: list[tuple[str, str, Interval]] = [(ranking_key(results), "", row.interval)]
    if row.wilson is not None:
        listed.append((ranking_key(results), "scores are all 0 or 1", row.wilson))
    listed.append(("win_rate", "", row.win_interval))
    values = {ranking_key(results): row.mean, "win_rate": row.win_rate}
    ends = common_scale(values.values(), (interval for _, _, interval in listed))

    def made(key: str, why: str, interval: Interval) -> Row:
        how = methods([interval]) if interval.low is not None else interval.note
        marks = ". ".join(filter(None, (why, interval.note if interval.low is not None else "")))
        return Row(
            (
                Text(metric(key).name),
                number(results, result, row, key, values[key]),
                interval_cell(values[key], interval, ends, hollow=row.rank is None),
                Text(limits_words(interval)),
                Count(interval.n),
                Text(how),
                Text(marks),
            )
        )

    error = number(results, result, row, "standard_error", row.standard_error)
    by = f"clustered by {results.draws.cluster}" if results.draws.cluster else "tasks are independent"
    rows = [made(*one) for one in listed]
    rows.append(
        Row(
            (
                Text(metric("standard_error").name),
                error,
                Missing("a standard error has no interval here"),
                Text(""),
                Count(row.completed),
                Text(by),
                Text(""),
            )
        )
    )
    return Table(
        id=table_id("intervals", result, row.model_id),
        finding=mean_words(results, row),
        text=f"{of_board(result)}Every interval with its method, n, resamples and seed.",
        columns=(
            Column("number", "Number", sticky=True, sortable=False),
            Column("value", "Value", "", "r", strong=True, sortable=False),
            Column("interval", f"{level(results)} interval"),
            Column("limits", "Limits", sortable=False),
            Column("n", "n", "tasks", "r", sortable=False),
            Column("method", "Method", sortable=False),
            Column("note", "Remark", sortable=False),
        ),
        groups=(RowGroup("", tuple(rows)),),
        compact=True,
        wide=True,
    )


def mean_words(results: ComparisonResults, row: ModelRow) -> str:
    """The mean of a model with its limits, or why it has none."""
    mean = f"The mean of {row.model_id} is {printed(row.mean)}"
    if row.interval.low is None:
        return f"{mean}, without an interval: {row.interval.note}."
    return f"{mean}, {level(results)} interval {limits_words(row.interval)}."


def own_categories(results: ComparisonResults, result: BoardResult, row: ModelRow) -> Table:
    """The categories of a model, each beside the best and the mean of all models."""
    others: dict[str, list[Fraction]] = {}
    for other in result.rows:
        for category, (value, _) in other.categories.items():
            if not isinstance(value, Undefined):
                others.setdefault(category, []).append(Fraction(value))
    best = sum(not isinstance(v, Undefined) and v == max(others[c]) for c, (v, _) in row.categories.items())

    def made(category: str) -> Row:
        value, tasks = row.categories[category]
        among = others[category]
        return Row(
            (
                Text(category),
                category_number(results, result, row.model_id, category, value),
                Count(tasks),
                Num(sum(among, Fraction(0)) / len(among)),
                Num(max(among)),
            )
        )

    return Table(
        id=table_id("own-categories", result, row.model_id),
        finding=f"Best of all models in {best} of {many(len(row.categories), 'category', 'categories')}.",
        text=f"{of_board(result)}Mean score of {row.model_id} over its tasks of each category.",
        columns=(
            Column("category", "Category", sticky=True),
            Column.of(metric("category_mean"), strong=True),
            Column("n", "n", "tasks", "r"),
            Column("mean", "Mean", "over models", "r", "higher"),
            Column("best", "Highest", "of all models", "r", "higher"),
        ),
        groups=(RowGroup("", tuple(made(category) for category in sorted(row.categories))),),
        compact=True,
    )


def own_scores(results: ComparisonResults, result: BoardResult, row: ModelRow) -> Table:
    """Every task of the leaderboard with the score of a model, the best score, and where the score stands."""
    scores, best = result.board.scores, best_scores(result)
    listed = sorted(result.board.tasks, key=lambda task: (task.category, task.task_id))
    shown = listed[:MOST_ROWS]
    own = {task.task_id: scores.get((row.model_id, task.task_id)) for task in shown}
    errors = {task: item_errors(found, results.draws.level) for task, found in own.items() if found is not None}
    with_items = any(one.interval is not None for one in errors.values())
    reported = any(found is not None and found.reported_error is not None for found in own.values())
    versioned = any(found is not None and found.version for found in own.values())
    rest = f" Tasks 1 to {len(shown):,} of {len(listed):,}; all stand in the CSV." if len(shown) < len(listed) else ""

    def made(task: Task) -> Row:
        found = own[task.task_id]
        if found is None:
            reason = Missing("not run")
            ran: Sequence[Cell] = (reason, Num(best[task.task_id]), reason, reason, reason)
            ran = (*ran, *((reason,) * (with_items + reported)), Badge("dashed", "not run"))
            return Row((Text(task.task_id), *ran, *((reason,) if versioned else ()), reason))
        return Row(
            (
                Text(task.task_id),
                Num(found.score),
                Num(best[task.task_id]),
                Badge("plain", "won") if best[task.task_id] - found.score <= TIE else Text(""),
                Count(found.runs),
                _items(found),
                *((_item_interval(errors[task.task_id]),) if with_items else ()),
                *((_reported_error(found),) if reported else ()),
                _state(found),
                *((Text(found.version),) if versioned else ()),
                Text("; ".join(found.sources)),
            )
        )

    missing = sum(found is None for found in own.values())
    return Table(
        id=table_id("own-scores", result, row.model_id),
        finding=f"{many(row.completed, 'task')} run, {missing} not." if missing else f"All {row.total} tasks were run.",
        text=f"{of_board(result)}Scores of {row.model_id}, with the file and the place where each stands. Best: the"
        f" highest score of any model on the task.{rest}",
        columns=(
            Column("task", "Task", sticky=True),
            Column("score", "Score", "", "r", "higher", strong=True),
            Column("best", "Best", "of all models", "r"),
            Column("won", "Won"),
            Column("runs", "Runs", align="r"),
            Column("items", "Items", "of the task", "r"),
            *((Column("item_interval", f"{level(results)} interval", "over items"),) if with_items else ()),
            *((Column("error", "Error", "as reported", "r"),) if reported else ()),
            Column("state", "Status"),
            *((Column("version", "Version", "of the task"),) if versioned else ()),
            Column("source", "Source", sortable=False),
        ),
        groups=_by_category(shown, made),
        downloads=(("every score, CSV", f"{FILES}/tasks.csv"),),
        empty="No task is known.",
        wide=True,
    )


def _by_category(tasks: Sequence[Task], made: Callable[[Task], Row]) -> tuple[RowGroup, ...]:
    found: dict[str, list[Row]] = {}
    for task in tasks:
        found.setdefault(task.category, []).append(made(task))
    return tuple(RowGroup(category if len(found) > 1 else "", tuple(rows)) for category, rows in found.items())


def best_scores(result: BoardResult) -> dict[str, Fraction]:
    """The highest score of every task."""
    best: dict[str, Fraction] = {}
    for (_, task), found in result.board.scores.items():
        best[task] = max(found.score, best.get(task, found.score))
    return best


def _items(found: TaskScore) -> Cell:
    if found.n is None:
        return Missing("the file does not say how many")
    return Count(found.n, found.n_original if found.n_original != found.n else None)


def _item_interval(errors: ItemErrors) -> Cell:
    interval = errors.interval
    if interval is None or interval.low is None:
        return Missing("no items are known")
    return Text(limits_words(interval, 3), "; ".join(filter(None, (interval.method, interval.note))))


def _reported_error(found: TaskScore) -> Cell:
    return Missing("not reported") if found.reported_error is None else Num(found.reported_error)


def _state(found: TaskScore) -> Badge:
    words = "; ".join(found.notes)
    return Badge("plain", "complete", words) if found.status == "complete" else Badge("dashed", found.status, words)


def group(results: ComparisonResults, result: BoardResult, rows: Sequence[ModelRow], *, number_of_group: int) -> Table:
    """Several models that share a page, with the numbers of the leaderboard."""
    ends = common_scale((row.mean for row in rows), (row.interval for row in rows))

    def made(row: ModelRow) -> Row:
        rank: Cell = Missing(f"{row.coverage}, {row.status}") if row.rank is None else Count(row.rank)
        return Row(
            (
                named(results, row.model_id),
                rank,
                number(results, result, row, ranking_key(results), row.mean, label=row.interval.note),
                interval_cell(row.mean, row.interval, ends, hollow=row.rank is None),
                number(results, result, row, "win_rate", row.win_rate),
                number(results, result, row, "standard_error", row.standard_error),
                Count(row.completed, row.total),
                standing(row),
            ),
        )

    return Table(
        id=f"{table_id('group', result)}-{number_of_group:03}",
        finding=f"{many(len(rows), 'model')} of {len(result.rows):,}.",
        text=f"{of_board(result)}In the order of their names; rank and mean as on the leaderboard.",
        columns=(
            Column("model", "Model", sticky=True),
            Column("rank", "Rank", align="r", better="lower"),
            Column.of(metric(ranking_key(results)), strong=True),
            Column("interval", f"{level(results)} interval"),
            Column.of(metric("win_rate")),
            Column.of(metric("standard_error")),
            Column("tasks", "Tasks", "run", "r"),
            Column("status", "Status"),
        ),
        groups=(RowGroup("", tuple(map(made, rows))),),
        downloads=(("all models, CSV", f"{FILES}/models.csv"), ("every score, CSV", f"{FILES}/tasks.csv")),
        empty="None of these models has a score by this metric.",
        wide=True,
    )
