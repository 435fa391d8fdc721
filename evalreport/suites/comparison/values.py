"""The published numbers of a comparison: what stands in `results.json`."""

from __future__ import annotations

from collections.abc import Iterator

from evalreport.core.exact import Undefined, Value
from evalreport.core.suite import Ids, ResultValue
from evalreport.suites.comparison.results import ComparisonResults, ModelRow, PairRow


def result_values(results: ComparisonResults) -> Iterator[ResultValue]:
    """Every published number of every leaderboard; the metric's name is among the ids where there are several."""
    for result in results.boards:
        metric: Ids = (("metric_name", result.board.name),) if result.board.name else ()
        for row in result.rows:
            yield from _of_model(row, metric, weighted=results.draws.weighted)
        for pair in result.pairs:
            yield from _of_pair(pair, metric, weighted=results.draws.weighted)
        yield ResultValue("comparison.tasks_all_won", metric, result.all_won, len(result.board.tasks))
        yield ResultValue("comparison.separable_difference", metric, result.separable, len(result.board.tasks))


def mean_key(*, weighted: bool) -> str:
    """The metric that ranks."""
    return "comparison.weighted_mean_score" if weighted else "comparison.mean_score"


def difference_key(*, weighted: bool) -> str:
    """The metric of a pair's difference."""
    return "comparison.weighted_difference" if weighted else "comparison.paired_difference"


def _of_model(row: ModelRow, metric: Ids, *, weighted: bool) -> Iterator[ResultValue]:
    of: Ids = (("model_id", row.model_id), *metric)
    n = row.completed
    yield ResultValue(mean_key(weighted=weighted), of, row.mean, n, row.interval)
    yield ResultValue("comparison.win_rate", of, row.win_rate, n, row.win_interval)
    limits = row.win_interval.low, row.win_interval.high
    yield ResultValue("comparison.win_rate_low", of, _limit(limits[0]), n)
    yield ResultValue("comparison.win_rate_high", of, _limit(limits[1]), n)
    if row.wilson is not None:
        yield ResultValue("comparison.mean_wilson_low", of, _limit(row.wilson.low), n)
        yield ResultValue("comparison.mean_wilson_high", of, _limit(row.wilson.high), n)
    yield ResultValue("comparison.wins", of, row.wins, n)
    yield ResultValue("comparison.tasks_completed", of, row.completed, row.total)
    yield ResultValue("comparison.standard_error", of, row.standard_error, n)
    yield ResultValue("comparison.common_mean", of, row.common_mean, n)
    yield ResultValue("comparison.mean_of_categories", of, row.mean_of_categories, n)
    if not isinstance(row.mean_by_items, Undefined):
        yield ResultValue("comparison.mean_by_items", of, row.mean_by_items, n)
    unranked = Undefined(f"{row.coverage}: {row.status}")
    standing = {"rank": row.rank, "rank_low": row.rank_lo, "rank_high": row.rank_hi, "tie_group": row.tie_group}
    for key, place in standing.items():
        yield ResultValue(f"comparison.{key}", of, unranked if place is None else place, n)
    for category, (value, tasks) in row.categories.items():
        of_category: Ids = (("model_id", row.model_id), ("category", category), *metric)
        yield ResultValue("comparison.category_mean", of_category, value, tasks)


def _of_pair(pair: PairRow, metric: Ids, *, weighted: bool) -> Iterator[ResultValue]:
    of: Ids = (("model_a", pair.model_a), ("model_b", pair.model_b), *metric)
    yield ResultValue(difference_key(weighted=weighted), of, pair.difference, pair.n, pair.interval)
    if pair.p is not None and pair.holm is not None and pair.fdr is not None:
        yield ResultValue("comparison.p_value", of, pair.p, pair.n)
        yield ResultValue("comparison.p_adjusted", of, pair.holm, pair.n, pair.simultaneous)
        yield ResultValue("comparison.p_fdr", of, pair.fdr, pair.n)
    yield ResultValue("comparison.detectable_difference", of, pair.detectable, pair.n)


def _limit(limit: Value | None) -> Value:
    return Undefined("no interval") if limit is None else limit
