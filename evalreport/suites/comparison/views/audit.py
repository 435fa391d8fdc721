"""The audit: the numbers of a model in ledgers, those of its categories and pairs in series, those of a leaderboard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from evalreport.core.declare import Metric
from evalreport.core.exact import Undefined, csv_text
from evalreport.core.suite import CsvTable, Interval, ResultValue
from evalreport.core.table import Badge, Cell, Code, Column, Count, Missing, Num, Row, RowGroup, Table, Text
from evalreport.core.words import many
from evalreport.report.audit import AuditLine, audit_line
from evalreport.report.ledger import Audited, compared, exact
from evalreport.report.pages import records_address
from evalreport.suites.comparison.audit import entries_of
from evalreport.suites.comparison.notation import d
from evalreport.suites.comparison.pages import models, number_anchor, page_name
from evalreport.suites.comparison.results import BoardResult, ComparisonResults
from evalreport.suites.comparison.values import result_values
from evalreport.suites.comparison.views.model import best_scores

HEADER = ("metric_name", "model_id", "task_id", "category", "score", "best_score", "runs", "status", "sources")
# What an interval depends on: all of it when it was drawn, the level alone when it was computed.
DRAWN = ("level", "resamples", "seed", "cluster", "weights")
# Settings of the numbers that are checked by a reference.
OF_REFERENCE = {
    "comparison.separable_difference": ("level", "power", "cluster", "weights"),
    "comparison.p_value": ("resamples", "seed", "cluster", "weights"),
    "comparison.rank": ("weights",),
    **dict.fromkeys(("comparison.rank_low", "comparison.rank_high", "comparison.tie_group"), DRAWN),
}
FIRST = ("mean_score", "weighted_mean_score", "rank", "rank_low", "rank_high", "tie_group", "win_rate")


def of_boards(results: ComparisonResults) -> list[Audited]:
    """The numbers of whole leaderboards."""
    bare = replace(results, boards=tuple(replace(result, rows=(), pairs=()) for result in results.boards))
    return [_named(number) for number in _audited(results, result_values(bare))]


def of_model(results: ComparisonResults, model: str) -> tuple[list[Audited], list[tuple[Sequence[Cell], Audited]]]:
    """The numbers of a model, each for a ledger, and those of its categories, each with what it is of."""
    own: list[Audited] = []
    series: list[tuple[Sequence[Cell], Audited]] = []
    for number in _audited(results, _values_of(results, [model])):
        ids = dict(number.of)
        if "category" in ids:
            series.append(((Text(ids["category"]), *_metric_cell(results, ids)), number))
        else:
            own.append(_named(number))
    return sorted(own, key=_reading_order), series


def of_pairs(results: ComparisonResults, model: str) -> list[tuple[Sequence[Cell], Audited]]:
    """The numbers of the pairs in which a model comes first by name, each with the other model."""
    boards = tuple(
        replace(result, rows=(), pairs=tuple(pair for pair in result.pairs if pair.model_a == model))
        for result in results.boards
    )
    values = [v for v in result_values(replace(results, boards=boards)) if "model_a" in dict(v.of)]
    return [
        ((Text(ids["model_b"]), *_metric_cell(results, ids)), number)
        for number in _audited(results, values)
        if number.line is not None and (ids := dict(number.of))
    ]


def of_group(results: ComparisonResults, group: Sequence[str], *, name: str) -> Table:
    """All numbers of several models in one table: the value by the code and by the printed formula."""
    numbers = list(_audited(results, _values_of(results, group)))
    rows = tuple(_group_row(results, number) for number in numbers)
    return Table(
        id=name,
        finding=f"{many(len(rows), 'number')} of {many(len(group), 'model')}, each equal to its formula.",
        text="The formulas with the numbers put in stand in a book of fewer models; here both values stand side by"
        " side. A number without a formula names what it is checked by.",
        columns=(
            Column("model", "Model", sticky=True),
            *_metric_column(results),
            Column("category", "Category"),
            Column("number", "Number"),
            Column("value", "Value", align="r"),
            Column("n", "n", "tasks", "r"),
            Column("code", "Code", sortable=False),
            Column("formula", "Formula", sortable=False),
            Column("check", "Check"),
        ),
        groups=(RowGroup("", rows),),
        compact=True,
        wide=True,
    )


def _group_row(results: ComparisonResults, number: Audited) -> Row:
    ids = dict(number.of)
    return Row(
        (
            Text(ids["model_id"]),
            *_metric_cell(results, ids),
            Text(ids.get("category", "")),
            Text(number.metric.name),
            Num(number.value, number.metric.decimals),
            Count(number.n),
            *_both_values(number),
        ),
        anchor=number.anchor,
    )


def _both_values(number: Audited) -> tuple[Cell, Cell, Cell]:
    """The value of the code, that of the printed formula, and whether they agree."""
    line = number.line
    if line is None:
        stands = Missing("no value") if isinstance(number.value, Undefined) else Code(exact(number.value))
        return stands, Missing("no formula"), Badge("quiet", "by reference", number.metric.reference)
    agree = Badge("plain", "✓ agree exactly" if line.exact else "✓ agree to twelve decimals")
    if isinstance(number.value, Undefined):
        return Missing(number.value.reason), Missing(number.value.reason), agree
    return Code(compared(line, line.value)), Code(compared(line, line.formula_value)), agree


def formulas(results: ComparisonResults) -> tuple[Metric, ...]:
    """The metrics of models that have a formula, as far as these results publish them."""
    used = {value.metric for value in _values_of(results, models(results))}
    return tuple(metric for metric in d.metrics.values() if metric.key in used and metric.formula is not None)


def metric_column(results: ComparisonResults) -> tuple[Column, ...]:
    """The column of the metric's name, where there are several."""
    return _metric_column(results)


def _metric_column(results: ComparisonResults) -> tuple[Column, ...]:
    return (Column("metric", "Metric"),) if len(results.boards) > 1 else ()


def _metric_cell(results: ComparisonResults, ids: dict[str, str]) -> tuple[Cell, ...]:
    return (Text(ids.get("metric_name", "")),) if len(results.boards) > 1 else ()


def records(results: ComparisonResults, group: Sequence[str]) -> CsvTable:
    """Every score behind the numbers of these models."""
    wanted = frozenset(group)
    rows = []
    for result in results.boards:
        best = best_scores(result)
        tasks = {task.task_id: task for task in result.board.tasks}
        rows += [
            (
                *(result.board.name, model, task, tasks[task].category, csv_text(found.score, 12)),
                *(csv_text(best[task], 12), str(found.runs), found.status, "; ".join(found.sources)),
            )
            for (model, task), found in sorted(result.board.scores.items())
            if model in wanted
        ]
    return CsvTable("records", HEADER, tuple(rows))


def _values_of(results: ComparisonResults, group: Sequence[str]) -> Iterator[ResultValue]:
    wanted = frozenset(group)
    boards = tuple(
        replace(result, rows=tuple(row for row in result.rows if row.model_id in wanted), pairs=())
        for result in results.boards
    )
    return (value for value in result_values(replace(results, boards=boards)) if "model_id" in dict(value.of))


def _audited(results: ComparisonResults, values: Iterable[ResultValue]) -> Iterator[Audited]:
    """Every number with its formula evaluated again; those that are checked by a reference have no line."""
    listed = list(values)
    lines = {(e.metric.key, e.of): audit_line(e) for e in entries_of(results, listed)}
    for value in listed:
        yield _one(results, value, lines.get((value.metric, value.of)))


def _one(results: ComparisonResults, value: ResultValue, line: AuditLine | None) -> Audited:
    ids = dict(value.of)
    interval: Interval | None = value.interval
    model = ids.get("model_id", ids.get("model_a", ""))
    settings = [*(line.settings if line else OF_REFERENCE.get(value.metric, ()))]
    if interval is not None and interval.low is not None:
        settings += DRAWN if interval.resamples is not None else DRAWN[:1]
    return Audited(
        metric=d.metrics[value.metric],
        of=value.of,
        value=value.value,
        anchor=number_anchor(results, value.metric, value.of),
        n=value.n or 0,
        line=line,
        interval=interval,
        records=records_address("comparison", page_name(results, model)) if model else "",
        settings=tuple(dict.fromkeys(settings)),
    )


def _named(number: Audited) -> Audited:
    """The number with its metric in its name, where there are several."""
    metric = dict(number.of).get("metric_name", "")
    return replace(number, name=f"{number.metric.name}: {metric}") if metric else number


def _reading_order(number: Audited) -> tuple[str, int]:
    key = number.metric.key.removeprefix("comparison.")
    return dict(number.of).get("metric_name", ""), FIRST.index(key) if key in FIRST else len(FIRST)


def boards_with_scores(results: ComparisonResults, model: str) -> tuple[BoardResult, ...]:
    """The leaderboards that have a model."""
    return tuple(result for result in results.boards if model in result.board.models)
