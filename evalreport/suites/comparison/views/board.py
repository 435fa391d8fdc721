"""The leaderboard: headline, full table, the common-task view, and what the tasks can and cannot tell apart."""

from __future__ import annotations

from fractions import Fraction

from evalreport.core.exact import Undefined, Value
from evalreport.core.interval_cells import Ends, common_scale, interval_cell
from evalreport.core.table import Cell, Column, Count, Missing, Num, Rank, Row, RowGroup, Strong, Table, Words
from evalreport.core.words import many, percent, printed
from evalreport.report.facts import Fact
from evalreport.suites.comparison.metrics_pairs import rank
from evalreport.suites.comparison.results import BoardResult, ComparisonResults, ModelRow
from evalreport.suites.comparison.views.cells import (
    FILES,
    MOST_ROWS,
    board_address,
    left_out,
    level,
    mean_column,
    mean_number,
    methods,
    metric,
    model_address,
    named,
    number,
    of_board,
    rank_range,
    ranking_key,
    standing,
    table_id,
    weighting,
)

MOST_IN_HEADLINE = 25
NOTE: Words = (
    Strong("="), " shares its rank. ", Strong("↑"), (" higher is better. A dash means “no value”, never 0. Every number"
    " leads to its audit line: the formula, the numbers put in, the scores."),
)  # fmt: skip
DOWNLOADS = (
    ("CSV", f"{FILES}/models.csv"),
    ("Markdown", f"{FILES}/leaderboard.md"),
    ("LaTeX", f"{FILES}/leaderboard.tex"),
    ("JSON", f"{FILES}/results.json"),
)
_UNRANKED = "Not ranked: not every task was run completely"


def leader_words(result: BoardResult) -> str:
    """Who has the highest mean, and from how many others it is proven to differ."""
    ranked = result.ranked
    if not ranked:
        return f"No model ran all {many(len(result.board.tasks), 'task')}: none is ranked."
    first = [row for row in ranked if row.rank == 1]
    value = printed(ranked[0].mean)
    if len(first) > 1:
        return f"{len(first)} models share the first rank with a mean of {value}."
    tied = sum(row.tie_group == 1 for row in ranked) - 1
    others = len(ranked) - 1
    leads = f"{first[0].model_id} has the highest mean, {value}"
    if not others:
        return f"{leads}; it is the only model that ran every task."
    if not tied:
        return f"{leads}, and is proven better than the next."
    return f"{leads}; {tied} of {many(others, 'other')} {'is' if tied == 1 else 'are'} not proven worse."


def headline(results: ComparisonResults) -> Table:
    """The table of the book's start page: rank, mean, its interval, win rate, coverage."""
    ends = common_scale(
        (row.mean for result in results.boards for row in result.rows),
        (row.interval for result in results.boards for row in result.rows),
    )
    several = len(results.boards) > 1
    shown = {id(result): result.rows for result in _headline_boards(results)}
    groups = []
    for result in _headline_boards(results):
        rows = shown[id(result)][:MOST_IN_HEADLINE]
        name = result.board.name
        ranked = tuple(_headline_row(results, result, row, ends) for row in rows if row.rank is not None)
        others = tuple(_headline_row(results, result, row, ends) for row in rows if row.rank is None)
        groups += [
            RowGroup(name, ranked),
            RowGroup(f"{name}: not ranked" if several else _UNRANKED, others, muted=True),
        ]
    every = sum(len(result.rows) for result in results.boards)
    there = sum(len(group.rows) for group in groups)
    rest = f" {there} of {many(every, 'row')}; the others stand in the chapter." if there < every else ""
    finding = (
        f"{many(len(results.boards), 'metric')}, each with a leaderboard of its own; none is averaged with another."
        if several
        else leader_words(results.boards[0])
        if results.boards
        else "No score from 0 to 1 was read."
    )
    return Table(
        id="comparison-headline",
        finding=finding,
        text=f"Mean score over tasks with its {level(results)} interval. {weighting(results)}{rest}",
        columns=(
            Column("rank", "Rank", align="r"),
            Column("model", "Model", sticky=True),
            mean_column(results),
            Column("interval", f"{level(results)} interval"),
            Column.of(metric("win_rate")),
            Column("tasks", "Tasks", "run", "r"),
            Column("ties", "Tie group", align="r"),
        ),
        groups=tuple(groups),
        note=NOTE,
        empty="No score from 0 to 1 was read.",
        wide=True,
    )


def _headline_boards(results: ComparisonResults) -> tuple[BoardResult, ...]:
    """As many leaderboards as fit, those with the most models first, in the order of their names."""
    room = MOST_IN_HEADLINE
    found: list[BoardResult] = []
    for result in sorted(results.boards, key=lambda r: (-len(r.rows), r.board.name)):
        if not found or len(result.rows) <= room:
            found.append(result)
            room -= len(result.rows)
    return tuple(sorted(found, key=lambda r: r.board.name))


def _headline_row(results: ComparisonResults, result: BoardResult, row: ModelRow, ends: Ends) -> Row:
    return Row(
        (
            place(results, result, row),
            named(results, row.model_id),
            mean_number(results, result, row),
            interval_cell(row.mean, row.interval, ends, hollow=row.rank is None),
            number(results, result, row, "win_rate", row.win_rate),
            coverage(results, result, row),
            tie_group(results, result, row),
        )
    )


def place(results: ComparisonResults, result: BoardResult, row: ModelRow) -> Rank:
    """The rank of a model with its audit line, or why it has none."""
    reason, address = f"{row.coverage}, {row.status}", model_address(results, result, row.model_id, "rank")
    return Rank(row.rank, tied=row.tied, reason=reason, href=address)


def tie_group(results: ComparisonResults, result: BoardResult, row: ModelRow) -> Cell:
    """The group of models that are not proven worse than its best, with its audit line."""
    if row.tie_group is None:
        return Missing("not ranked")
    return Count(row.tie_group, href=model_address(results, result, row.model_id, "tie_group"))


def coverage(results: ComparisonResults, result: BoardResult, row: ModelRow) -> Count:
    """How many of the tasks a model ran, with its audit line."""
    where = number(results, result, row, "tasks_completed", row.completed).href
    return Count(row.completed, row.total, where, alert=row.completed < row.total)


def leaderboard(results: ComparisonResults, result: BoardResult) -> Table:
    """Every model of one metric: complete ones by rank, the others after them without one."""
    rows = result.rows[:MOST_ROWS]
    ends = common_scale((row.mean for row in rows), (row.interval for row in rows))
    win_ends = common_scale((row.win_rate for row in rows), (row.win_interval for row in rows))

    def made(row: ModelRow) -> Row:
        hollow = row.rank is None
        return Row(
            (
                place(results, result, row),
                named(results, row.model_id),
                mean_number(results, result, row),
                interval_cell(row.mean, row.interval, ends, hollow=hollow),
                number(results, result, row, "win_rate", row.win_rate),
                interval_cell(row.win_rate, row.win_interval, win_ends, hollow=hollow),
                coverage(results, result, row),
                rank_range(results, result, row),
                tie_group(results, result, row),
                standing(row),
            )
        )

    ranked = tuple(made(row) for row in rows if row.rank is not None)
    others = tuple(made(row) for row in rows if row.rank is None)
    made_by = methods(row.interval for row in result.rows)
    cut = len(result.rows) - len(rows)
    rest = f" Rows 1 to {len(rows):,} of {len(result.rows):,}: all stand in the CSV and on the pages of the models."
    return Table(
        id=table_id("leaderboard", result),
        finding=leader_words(result),
        text=(
            f"{of_board(result)}{many(len(result.board.tasks), 'task')}. {weighting(results)} {level(results)}"
            f" intervals of the mean: {made_by}; of the win rate: Wilson. Win: no model scores higher on the task; ties"
            f" are not split, and all models won {result.all_won}. Ranks: where a model may stand after Holm's"
            f" correction over {many(result.tested, 'pair')}. Tie group: not proven worse than the best of the group."
            f"{left_out(result)}{rest if cut else ''}"
        ),
        columns=(
            Column("rank", "Rank", align="r"),
            Column("model", "Model", sticky=True),
            mean_column(results),
            Column("interval", f"{level(results)} interval"),
            Column.of(metric("win_rate"), sub="ties not split"),
            Column("win_interval", f"{level(results)} Wilson"),
            Column("tasks", "Tasks", "run", "r"),
            Column("ranks", "Ranks", "may be", "r", sortable=False),
            Column("ties", "Ties", "group", "r"),
            Column("status", "Status"),
        ),
        groups=(RowGroup("", ranked), RowGroup(_UNRANKED, others, muted=True)),
        note=NOTE,
        downloads=DOWNLOADS,
        empty="No score was read.",
        wide=True,
    )


def power_words(results: ComparisonResults, result: BoardResult) -> str:
    """What these tasks cannot tell apart, in a sentence."""
    tasks = many(len(result.board.tasks), "task")
    if isinstance(result.separable, Undefined):
        return (
            f"How close two models may be before {tasks} cannot separate them is not known: {result.separable.reason}."
        )
    these = "This 1 task" if len(result.board.tasks) == 1 else f"These {tasks}"
    return (
        f"{these} cannot separate models closer than {printed(result.separable)}: a true difference of that size"
        f" between a typical pair is found in {percent(results.draws.power)} of repetitions, at level"
        f" {level(results)} and before any correction for the number of pairs."
    )


def facts(results: ComparisonResults, result: BoardResult) -> tuple[Fact, ...]:
    """What the leaderboard rests on, and what it can tell apart."""
    proven = sum(pair.proven(results.draws.level) for pair in result.pairs)
    separable: Value = result.separable
    closest = "–" if isinstance(separable, Undefined) else printed(separable)
    return (
        Fact("Models", f"{len(result.rows):,}", f"{len(result.ranked):,} ranked"),
        Fact("Tasks", f"{len(result.board.tasks):,}", f"{len(result.common_tasks):,} run by all models"),
        Fact(
            "Won by all",
            str(result.all_won),
            "tasks that tell nobody apart",
            board_address(results, result, "tasks_all_won"),
        ),
        Fact("Pairs that differ", f"{proven:,} of {len(result.pairs):,}", "after Holm's correction"),
        Fact(
            "Separable",
            closest,
            "closer models are not told apart",
            board_address(results, result, "separable_difference"),
        ),
    )


def common_words(result: BoardResult) -> str:
    """What the view over common tasks adds, in a sentence."""
    if len(result.ranked) == len(result.rows):
        return "Every model ran every task, so the leaderboard is itself the view over common tasks."
    if not result.common_tasks:
        return "No task was run by all models, so there is no common ground to order them on."
    tasks = many(len(result.common_tasks), "task")
    return (
        f"{tasks} of {len(result.board.tasks)} {'was' if len(result.common_tasks) == 1 else 'were'} run by all models."
        " On them incomplete models have a place too."
    )


def common_tasks(results: ComparisonResults, result: BoardResult) -> Table:
    """All models over the tasks that every one of them ran, in the order of that mean."""
    found = [(Fraction(r.common_mean), r) for r in result.rows if not isinstance(r.common_mean, Undefined)]
    ordered = sorted(found, key=lambda one: (-one[0], one[1].model_id))
    means = [mean for mean, _ in ordered]

    def made(mean: Fraction, row: ModelRow) -> Row:
        return Row(
            (
                Rank(rank(mean, means), tied=means.count(mean) > 1),
                named(results, row.model_id),
                number(results, result, row, "common_mean", mean),
                mean_number(results, result, row),
                Num(mean - Fraction(row.mean), signed=True)
                if not isinstance(row.mean, Undefined)
                else Missing("no mean"),
                place(results, result, row),
                coverage(results, result, row),
                standing(row),
            )
        )

    first = ordered[0][1].model_id if ordered else ""
    return Table(
        id=table_id("common", result),
        finding=f"{first} has the highest mean over the {many(len(result.common_tasks), 'common task')}."
        if ordered
        else "There is no common task.",
        text=f"{of_board(result)}The same tasks for every model; tasks count equally here. This is a view: the ranks of"
        " the book are those of the leaderboard.",
        columns=(
            Column("place", "Place", "here", "r"),
            Column("model", "Model", sticky=True),
            Column.of(metric("common_mean"), strong=True),
            Column("mean", "Mean", "own tasks", "r", metric(ranking_key(results)).better),
            Column("change", "Change", "", "r"),
            Column("rank", "Rank", "leaderboard", "r"),
            Column("tasks", "Tasks", "run", "r"),
            Column("status", "Status"),
        ),
        groups=(RowGroup("", tuple(made(mean, row) for mean, row in ordered[:MOST_ROWS])),),
        empty="No task was run by all models.",
        compact=True,
    )
