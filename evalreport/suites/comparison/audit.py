"""Beside every published number: its printed formula, evaluated over the scores without the code that made it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from evalreport.core.exact import csv_text
from evalreport.core.formula import Evaluation
from evalreport.core.intervals import normal_quantile
from evalreport.core.suite import AuditEntry, RecordTable, ResultValue
from evalreport.suites.comparison.notation import d
from evalreport.suites.comparison.results import BoardResult, ComparisonResults, Draws, PairRow
from evalreport.suites.comparison.values import result_values

MOST_TESTED = 1000  # pairs of a leaderboard; 40 models, each with a page of its own, make 780
_PAIR_OF_TESTS = ("comparison.p_adjusted", "comparison.p_fdr")
_SETTINGS: Mapping[str, tuple[str, ...]] = {
    "comparison.win_rate_low": ("level",),
    "comparison.win_rate_high": ("level",),
    "comparison.mean_wilson_low": ("level",),
    "comparison.mean_wilson_high": ("level",),
    "comparison.standard_error": ("cluster", "weights"),
    "comparison.detectable_difference": ("level", "power", "cluster", "weights"),
    "comparison.p_adjusted": ("level", "resamples", "seed", "cluster", "weights"),
    "comparison.p_fdr": ("level", "resamples", "seed", "cluster", "weights"),
}


def evaluation(result: BoardResult, draws: Draws) -> Evaluation:
    """The formulas over the scores of one leaderboard. Models, tasks and categories are their names."""
    board = result.board
    tasks = {task.task_id: task for task in board.tasks}
    of_model: dict[str, list[str]] = {model: [] for model in board.models}
    of_task: dict[str, list[str]] = {task: [] for task in tasks}
    for model, task in sorted(board.scores):
        of_model[model].append(task)
        of_task[task].append(model)
    tested = tuple(pair for pair in result.pairs if pair.p is not None)
    return d.notation().over(
        {
            "M": board.models,
            "T": tuple(tasks),
            "T_a": lambda a: tuple(of_model[a]),
            "M_t": lambda t: tuple(of_task[t]),
            "x_{a,t}": lambda a, t: board.scores[a, t].score,
            r"\mathrm{cat}_t": lambda t: tasks[t].category,
            r"\mathrm{cl}_t": lambda t: f"cluster {tasks[t].cluster}" if tasks[t].cluster else f"task {t}",
            r"\lambda_t": lambda t: tasks[t].weight if draws.weighted else 1,
            "e_{a,t}": lambda a, t: board.scores[a, t].n or 0,
            "z": normal_quantile(draws.level),
            r"z_{\mathrm{power}}": normal_quantile(2 * draws.power - 1),
            "H": tested,
            "p_i": lambda i: i.p,
        }
    )


def audit_entries(results: ComparisonResults) -> Iterator[AuditEntry]:
    """One entry for each published number that has a formula.

    A corrected p-value asks every pair about every other: of very many pairs, which have no line on any page, it is
    left to the references of the correction.
    """
    beyond = {result.board.name for result in results.boards if result.tested > MOST_TESTED}
    return entries_of(
        results,
        (
            value
            for value in result_values(results)
            if value.metric not in _PAIR_OF_TESTS or dict(value.of).get("metric_name", "") not in beyond
        ),
    )


def entries_of(results: ComparisonResults, values: Iterable[ResultValue]) -> Iterator[AuditEntry]:
    """One entry for each of these numbers that has a formula."""
    boards = {result.board.name: result for result in results.boards}
    evaluations = {name: evaluation(result, results.draws) for name, result in boards.items()}
    best = {name: _best(result) for name, result in boards.items()}
    pairs = {(name, p.model_a, p.model_b): p for name, result in boards.items() for p in result.pairs}
    for value in values:
        metric = d.metrics[value.metric]
        if metric.formula is None:
            continue
        ids = dict(value.of)
        name = ids.get("metric_name", "")
        pair = pairs.get((name, ids.get("model_a", ""), ids.get("model_b", "")))
        yield AuditEntry(
            metric,
            value.of,
            value.value,
            evaluations[name],
            _args(value, pair),
            _records(value, boards[name], pair, best[name]),
            _SETTINGS.get(value.metric, ()),
        )


def _args(value: ResultValue, pair: PairRow | None) -> tuple[object, ...]:
    ids = dict(value.of)
    if pair is None:
        return tuple(ids[name] for name in ("model_id", "category") if name in ids)
    return (pair,) if value.metric in _PAIR_OF_TESTS else (pair.model_a, pair.model_b)


def _best(result: BoardResult) -> Mapping[str, Fraction]:
    found: dict[str, Fraction] = {}
    for (_, task), one in result.board.scores.items():
        found[task] = max(one.score, found.get(task, one.score))
    return found


def _records(
    value: ResultValue, result: BoardResult, pair: PairRow | None, best: Mapping[str, Fraction]
) -> RecordTable | None:
    scores = result.board.scores
    ids = dict(value.of)
    if pair is not None:
        if value.metric in _PAIR_OF_TESTS:
            return None
        a, b = pair.model_a, pair.model_b
        both = [(t.task_id, (a, t.task_id), (b, t.task_id)) for t in result.board.tasks]
        return RecordTable(
            ("task_id", "score of a", "score of b", "difference"),
            tuple(
                (
                    task,
                    *(csv_text(score) for score in (scores[ours].score, scores[theirs].score)),
                    csv_text(Fraction(scores[ours].score - scores[theirs].score)),
                )
                for task, ours, theirs in both
                if ours in scores and theirs in scores
            ),
        )
    if "model_id" not in ids:
        return None
    return RecordTable(
        ("task_id", "category", "score", "best score", "runs", "source"),
        tuple(
            (
                *(task.task_id, task.category, csv_text(found.score), csv_text(best[task.task_id])),
                *(str(found.runs), "; ".join(found.sources)),
            )
            for task in result.board.tasks
            if (found := scores.get((ids["model_id"], task.task_id))) is not None
            and task.category == ids.get("category", task.category)
        ),
    )
