"""The CSV files of a comparison. Columns that are promised come first, the others after them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from evalreport.core.exact import Number, csv_text
from evalreport.core.results import setting_json
from evalreport.core.suite import CsvTable, Interval
from evalreport.suites.comparison.items import item_errors
from evalreport.suites.comparison.results import BoardResult, ComparisonResults, ModelRow, PairRow

MODELS = (
    *("rank", "model_id", "mean_score", "mean_ci_lo", "mean_ci_hi", "win_rate", "wins", "tasks_completed"),
    *("tasks_total", "rank_lo", "rank_hi", "tie_group"),
    *("metric_name", "status", "mean_rule", "standard_error", "win_rate_ci_lo", "win_rate_ci_hi"),
    *("mean_wilson_lo", "mean_wilson_hi", "common_mean", "common_tasks", "mean_of_categories", "mean_by_items"),
    *("level", "method", "resamples", "seed", "note"),
)
PAIRS = (
    *("model_a", "model_b", "n", "difference", "ci_lo", "ci_hi", "significant", "p_value", "p_adjusted"),
    *("metric_name", "p_fdr", "p_method", "pairs_tested", "simultaneous_lo", "simultaneous_hi"),
    *("detectable", "better_a", "better_b", "level", "method", "resamples", "seed", "note", "other_versions"),
)


def csv_tables(results: ComparisonResults) -> tuple[CsvTable, ...]:
    """models, pairs, categories, tasks, other_metrics and set_aside."""
    boards = results.boards
    weighted = results.draws.weighted
    return (
        CsvTable("models", MODELS, tuple(_model(row, b, weighted=weighted) for b in boards for row in b.rows)),
        CsvTable("pairs", PAIRS, tuple(_pair(pair, board) for board in boards for pair in board.pairs)),
        CsvTable(
            "categories",
            ("model_id", "category", "mean_score", "n", "metric_name"),
            tuple(
                (row.model_id, category, csv_text(mean), str(n), board.board.name)
                for board in boards
                for row in sorted(board.rows, key=lambda row: row.model_id)
                for category, (mean, n) in row.categories.items()
            ),
        ),
        CsvTable(
            "tasks",
            (
                *("model_id", "task_id", "score", "runs", "items", "n", "n_original", "status", "metric_name"),
                *("category", "cluster", "item_error", "item_error_clustered", "item_ci_lo", "item_ci_hi"),
                *("item_ci_method", "reported_error", "version", "sources", "note"),
            ),
            tuple(row for board in boards for row in _tasks(board, results.draws.level)),
        ),
        CsvTable(
            "other_metrics",
            ("metric_name", "task_id", "rank", "model_id", "score", "better", "low", "high", "status", "source"),
            tuple(_others(results)),
        ),
        CsvTable(
            "set_aside",
            ("file", "key", "value", "reason"),
            tuple((one.file, one.key, one.value, one.reason) for one in results.records.set_aside),
        ),
    )


def _model(row: ModelRow, result: BoardResult, *, weighted: bool) -> tuple[str, ...]:
    return (
        *(_whole(row.rank), row.model_id, csv_text(row.mean), *_limits(row.interval), csv_text(row.win_rate)),
        *(str(row.wins), str(row.completed), str(row.total), _whole(row.rank_lo), _whole(row.rank_hi)),
        *(_whole(row.tie_group), result.board.name, row.status),
        "weighted by task" if weighted else "tasks count equally",
        *(csv_text(row.standard_error), *_limits(row.win_interval), *_limits(row.wilson)),
        *(csv_text(row.common_mean), str(len(result.common_tasks)), csv_text(row.mean_of_categories)),
        *(csv_text(row.mean_by_items), *_made(row.interval)),
    )


def _pair(pair: PairRow, result: BoardResult) -> tuple[str, ...]:
    return (
        *(pair.model_a, pair.model_b, str(pair.n), csv_text(pair.difference), *_limits(pair.interval)),
        *("" if pair.significant is None else str(pair.significant), _p(pair.p), _p(pair.holm)),
        *(result.board.name, _p(pair.fdr), pair.p_method, str(result.tested), *_limits(pair.simultaneous)),
        *(csv_text(pair.detectable), str(pair.better_a), str(pair.better_b), *_made(pair.interval)),
        str(pair.other_versions),
    )


def _tasks(result: BoardResult, level: Fraction) -> Iterable[tuple[str, ...]]:
    tasks = {task.task_id: task for task in result.board.tasks}
    for (model, task), found in sorted(result.board.scores.items()):
        errors = item_errors(found, level)
        notes = [*found.notes, *filter(None, (errors.note, errors.interval.note if errors.interval else ""))]
        yield (
            *(model, task, csv_text(found.score), str(found.runs), str(len(found.items)), _whole(found.n)),
            *(_whole(found.n_original), found.status, found.metric_name, tasks[task].category, tasks[task].cluster),
            *(_error(errors.plain), _error(errors.clustered), *_limits(errors.interval)),
            *(errors.interval.method if errors.interval else "", _number(found.reported_error), found.version),
            *("; ".join(found.sources), "; ".join(notes)),
        )


def _others(results: ComparisonResults) -> Iterable[tuple[str, ...]]:
    """Scores on other scales or directions: ranked within their task, never averaged."""
    for run in results.records.apart:
        rivals = [o for o in results.records.apart if (o.metric_name, o.task_id) == (run.metric_name, run.task_id)]
        ahead = sum(o.score > run.score if run.better == "higher" else o.score < run.score for o in rivals)
        yield (
            *(run.metric_name, run.task_id, str(1 + ahead), run.model_id, csv_text(run.score), run.better),
            *(_number(run.low), _number(run.high), run.status, f"{run.file}: {run.key}" if run.key else run.file),
        )


def _limits(interval: Interval | None) -> tuple[str, str]:
    if interval is None:
        return "", ""
    return _number(interval.low), _number(interval.high)


def _made(interval: Interval) -> tuple[str, str, str, str, str]:
    """How an interval was made: level, method, resamples, seed, note."""
    level = str(setting_json(interval.level))
    return level, interval.method, _whole(interval.resamples), _whole(interval.seed), interval.note


def _number(value: Number | None) -> str:
    return "" if value is None else csv_text(Fraction(value))


def _error(value: float | None) -> str:
    return "" if value is None else csv_text(Fraction(value))


def _whole(value: int | None) -> str:
    return "" if value is None else str(value)


def _p(value: Fraction | None) -> str:
    # fixed decimals would print a small p-value as 0, which none is
    return "" if value is None else f"{float(value):.6g}"
