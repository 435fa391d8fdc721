"""Leaderboards -> results: means and ranks exactly, intervals and tests by the tasks that were run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise

from evalreport.core.exact import Undefined, Value
from evalreport.core.intervals import rounded, wilson
from evalreport.core.paired import Deviations, max_t
from evalreport.core.standing import places
from evalreport.core.suite import Interval, Settings
from evalreport.suites.comparison.estimates import SIMULTANEOUS_PAIRS, Estimates
from evalreport.suites.comparison.metrics import (
    category_mean,
    common_mean,
    mean_by_items,
    mean_of_categories,
    mean_score,
    weighted_mean_score,
    win_rate,
    wins,
)
from evalreport.suites.comparison.metrics_pairs import (
    NO_COMMON,
    p_adjusted,
    p_fdr,
    rank,
    rank_high,
    rank_low,
    separable_difference,
    tasks_all_won,
    tie_group,
)
from evalreport.suites.comparison.records import Board, ComparisonRecords, Task
from evalreport.suites.comparison.results import BoardResult, ComparisonResults, Draws, ModelRow, PairRow

Signature = tuple[str, ...]
# Beyond so many pairs of a leaderboard only those with the best model and with the next one are compared.
MOST_PAIRS = 50_000


def compute(records: ComparisonRecords, settings: Settings) -> ComparisonResults:
    """All leaderboards of the records."""
    draws = Draws(
        settings.fraction("level"),
        settings.integer("resamples"),
        settings.integer("seed"),
        settings.fraction("power"),
        settings.flag("weights"),
        settings.text("cluster"),
    )
    return ComparisonResults(records, draws, tuple(_board(board, draws) for board in records.boards))


class _Scores:
    """The scores of a leaderboard as rows and columns."""

    def __init__(self, board: Board, draws: Draws) -> None:
        self.board, self.draws = board, draws
        self.tasks = {task.task_id: task for task in board.tasks}
        self.of_model: dict[str, dict[str, Fraction]] = {model: {} for model in board.models}
        of_task: dict[str, list[Fraction]] = {task: [] for task in self.tasks}
        for (model, task), found in board.scores.items():
            self.of_model[model][task] = found.score
            of_task[task].append(found.score)
        self.best = {task: max(scores) for task, scores in of_task.items()}
        self.worst = {task: min(scores) for task, scores in of_task.items()}
        self.common = tuple(task for task, scores in of_task.items() if len(scores) == len(board.models))
        self.signature = {model: tuple(sorted(scores)) for model, scores in self.of_model.items()}

    def mean(self, model: str) -> Value:
        """The mean that ranks a model."""
        own = self.of_model[model]
        if self.draws.weighted:
            return weighted_mean_score(list(own.values()), [self.tasks[task].weight for task in own])
        return mean_score(list(own.values()))

    def estimates(self, tasks: Signature, models: Sequence[str]) -> Estimates:
        scores = {model: [self.of_model[model][task] for task in tasks] for model in models}
        return Estimates([self.tasks[task] for task in tasks], scores, self.draws)


def _board(board: Board, draws: Draws) -> BoardResult:
    scores = _Scores(board, draws)
    rows: dict[str, ModelRow] = {}
    pairs: list[PairRow] = []
    strayed: list[Deviations] = []
    errors: dict[tuple[str, str], float] = {}
    simultaneous = len(board.models) * (len(board.models) - 1) // 2 <= SIMULTANEOUS_PAIRS
    by_tasks = _pairs_by_tasks(scores)
    for tasks in sorted({*by_tasks, *scores.signature.values()}):
        alone = [model for model in board.models if scores.signature[model] == tasks]
        wanted = by_tasks.get(tasks, [])
        if not tasks:
            pairs += [_never_met(a, b, draws) for a, b in wanted]
            continue
        here = scores.estimates(tasks, sorted({*alone, *(model for pair in wanted for model in pair)}))
        rows |= {model: _row(model, scores, here) for model in alone}
        if wanted:
            found = here.pairs(wanted, simultaneous=simultaneous)
            pairs += found.rows
            if found.deviations is not None:
                strayed.append(found.deviations)
                errors |= zip(wanted, found.deviations.errors.tolist(), strict=True)
    versions = _versions(board)
    marked = [replace(pair, other_versions=_other_versions(pair, versions)) for pair in pairs] if versions else pairs
    corrected = _together(sorted(marked, key=lambda p: (p.model_a, p.model_b)), strayed, errors, draws)
    ranked = _ranked(rows, corrected, draws.level)
    return BoardResult(
        board,
        ranked,
        corrected,
        scores.common,
        tasks_all_won(scores.best.values(), scores.worst.values()),
        sum(pair.p is not None for pair in corrected),
        _separable(ranked, corrected),
    )


def _versions(board: Board) -> Mapping[str, Mapping[str, str]]:
    """For each task that was run in several versions, the version that each model ran."""
    found: dict[str, dict[str, str]] = {}
    for (model, task), score in board.scores.items():
        if score.version:
            found.setdefault(task, {})[model] = score.version
    return {task: of_model for task, of_model in found.items() if len(set(of_model.values())) > 1}


def _other_versions(pair: PairRow, versions: Mapping[str, Mapping[str, str]]) -> int:
    both = [(of_model.get(pair.model_a), of_model.get(pair.model_b)) for of_model in versions.values()]
    return sum(ours is not None and theirs is not None and ours != theirs for ours, theirs in both)


def _pairs_by_tasks(scores: _Scores) -> Mapping[Signature, list[tuple[str, str]]]:
    """All pairs of models by the tasks both ran; models with the same tasks are looked up once."""
    common: dict[tuple[Signature, Signature], Signature] = {}
    found: dict[Signature, list[tuple[str, str]]] = {}
    for a, b in _compared(scores):
        ours, theirs = scores.signature[a], scores.signature[b]
        if ours is theirs or ours == theirs:
            both = ours
        else:
            if (ours, theirs) not in common:
                common[ours, theirs] = tuple(sorted({*ours} & {*theirs}))
            both = common[ours, theirs]
        found.setdefault(both, []).append((a, b))
    return found


def _compared(scores: _Scores) -> Iterable[tuple[str, str]]:
    """Which pairs are compared, smaller name first: all, or of very many models each with the best and the next one."""
    models = scores.board.models
    if len(models) * (len(models) - 1) // 2 <= MOST_PAIRS:
        return combinations(models, 2)
    ordered = sorted(models, key=lambda m: (-len(scores.of_model[m]), -_number(scores.mean(m)), m))
    best, *others = ordered
    return sorted({(min(pair), max(pair)) for pair in (*pairwise(ordered), *((best, other) for other in others))})


def _never_met(a: str, b: str, draws: Draws) -> PairRow:
    none = Interval(None, None, draws.level, "none", 0, note="no common task")
    return PairRow(a, b, 0, NO_COMMON, none, None, None, "", None, None, None, NO_COMMON, 0, 0)


def _row(model: str, scores: _Scores, here: Estimates) -> ModelRow:
    """A model without its place among the others."""
    board, draws = scores.board, scores.draws
    mine = scores.of_model[model]
    tasks = [scores.tasks[task] for task in scores.signature[model]]
    values = [mine[task.task_id] for task in tasks]
    won = wins(values, [scores.best[task.task_id] for task in tasks])
    by_category = _by_category(tasks, values)
    means = {category: category_mean(found) for category, found in by_category.items()}
    found = [board.scores[model, task.task_id] for task in tasks]
    items = [one.n for one in found]
    states = sorted({one.status for one in found} - {"complete"})
    return ModelRow(
        model_id=model,
        rank=None,
        tied=False,
        mean=scores.mean(model),
        interval=here.mean_interval(model),
        wilson=here.wilson(model),
        standard_error=here.standard_error(model),
        win_rate=win_rate(won, len(tasks)),
        win_interval=wilson(won, len(tasks), draws.level),
        wins=won,
        completed=len(tasks),
        total=len(board.tasks),
        status=", ".join(states) or ("complete" if len(tasks) == len(board.tasks) else "missing tasks"),
        rank_lo=None,
        rank_hi=None,
        tie_group=None,
        common_mean=common_mean([mine[task] for task in scores.common]),
        mean_of_categories=mean_of_categories(means),
        mean_by_items=mean_by_items(values, [n for n in items if n is not None])
        if None not in items
        else Undefined("not every task says how many items it has"),
        categories={category: (means[category], len(by_category[category])) for category in sorted(means)},
    )


def _by_category(tasks: Sequence[Task], values: Sequence[Fraction]) -> Mapping[str, list[Fraction]]:
    found: dict[str, list[Fraction]] = {}
    for task, value in zip(tasks, values, strict=True):
        found.setdefault(task.category, []).append(value)
    return found


def _together(
    pairs: Sequence[PairRow],
    strayed: Sequence[Deviations],
    errors: Mapping[tuple[str, str], float],
    draws: Draws,
) -> tuple[PairRow, ...]:
    """What depends on all pairs of the leaderboard: adjusted p-values and simultaneous limits."""
    tested = [i for i, pair in enumerate(pairs) if pair.p is not None]
    values = [p for pair in pairs if (p := pair.p) is not None]
    holm = dict(zip(tested, p_adjusted(values), strict=True))
    fdr = dict(zip(tested, p_fdr(values), strict=True))
    reach = max_t(strayed, draws.level)

    def limits(pair: PairRow) -> Interval | None:
        error = errors.get((pair.model_a, pair.model_b))
        if error is None or reach is None or isinstance(pair.difference, Undefined):
            return None
        half = Fraction(reach * error)
        low, high = rounded(pair.difference - half), rounded(pair.difference + half)
        return Interval(
            low,
            high,
            draws.level,
            f"simultaneous over {len(tested)} pairs (max-t)",
            pair.n,
            draws.resamples,
            draws.seed,
        )

    return tuple(
        replace(pair, holm=holm.get(i), fdr=fdr.get(i), simultaneous=limits(pair)) for i, pair in enumerate(pairs)
    )


def _ranked(rows: Mapping[str, ModelRow], pairs: Sequence[PairRow], level: Fraction) -> tuple[ModelRow, ...]:
    """Complete models by mean with their ranks, rank intervals and tie groups; after them the others, by mean."""
    ordered = sorted(rows.values(), key=lambda row: (row.status != "complete", -_number(row.mean), row.model_id))
    complete = [row for row in ordered if row.status == "complete"]
    means = [_number(row.mean) for row in complete]
    found = places([row.model_id for row in complete], _proven(pairs, level))
    shared = Counter(means)
    return tuple(
        replace(
            row,
            rank=rank(_number(row.mean), means),
            tied=shared[_number(row.mean)] > 1,
            rank_lo=rank_low(found[row.model_id]),
            rank_hi=rank_high(found[row.model_id]),
            tie_group=tie_group(found[row.model_id]),
        )
        if row.model_id in found
        else row
        for row in ordered
    )


def _proven(pairs: Iterable[PairRow], level: Fraction) -> Iterator[tuple[str, str]]:
    """Who is proven to be ahead of whom."""
    for pair in pairs:
        if pair.proven(level) and not isinstance(pair.difference, Undefined):
            ahead = pair.difference >= 0
            yield (pair.model_a, pair.model_b) if ahead else (pair.model_b, pair.model_a)


def _separable(rows: Sequence[ModelRow], pairs: Sequence[PairRow]) -> Value:
    complete = {row.model_id for row in rows if row.rank is not None}
    found = [
        Fraction(pair.detectable)
        for pair in pairs
        if {pair.model_a, pair.model_b} <= complete and not isinstance(pair.detectable, Undefined)
    ]
    return separable_difference(found)


def _number(value: Value) -> Fraction:
    return Fraction(-1) if isinstance(value, Undefined) else Fraction(value)
