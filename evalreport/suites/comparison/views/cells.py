"""Pieces of the tables of comparisons: numbers with their audit lines, intervals, p-values, verdicts, addresses."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from evalreport.core.declare import Metric
from evalreport.core.exact import Undefined, Value
from evalreport.core.slug import slug
from evalreport.core.suite import Ids, Interval
from evalreport.core.table import Badge, Cell, Column, Heat, Missing, Num, Text
from evalreport.core.words import percent
from evalreport.suites.comparison.notation import d
from evalreport.suites.comparison.pages import is_grouped, model_page, number_address
from evalreport.suites.comparison.results import BoardResult, ComparisonResults, ModelRow, PairRow
from evalreport.suites.comparison.values import difference_key, mean_key

FILES = "data/comparison"
MOST_ROWS = 500  # a table of a page has no more rows than this; the file has all of them
SMALLEST_P = Fraction(1, 10**8)  # smaller ones are not written out


def metric(key: str) -> Metric:
    """The declaration of a number by its key without the suite."""
    return d.metrics[f"comparison.{key}"]


def table_id(kind: str, result: BoardResult | None = None, model: str = "") -> str:
    """The address of a table or figure: its kind, the metric when there are several, the model it is of."""
    parts = [part for part in (result.board.name if result else "", model) if part]
    return f"comparison-{kind}-{slug(*parts)}" if parts else f"comparison-{kind}"


def level(results: ComparisonResults) -> str:
    """The confidence level in percent."""
    return percent(results.draws.level)


def of_board(result: BoardResult) -> str:
    """The metric at the head of a caption, where there are several."""
    return f"Metric {result.board.name}. " if result.board.name else ""


def named(results: ComparisonResults, model: str) -> Text:
    """A model's name, leading to its page."""
    return Text(model, href=model_page(results, model))


def _of_metric(result: BoardResult) -> Ids:
    return (("metric_name", result.board.name),) if result.board.name else ()


def board_address(results: ComparisonResults, result: BoardResult, key: str) -> str:
    """Where a number of a whole leaderboard is audited."""
    return number_address(results, f"comparison.{key}", _of_metric(result))


def model_address(results: ComparisonResults, result: BoardResult, model: str, key: str) -> str:
    """Where a number of a model is audited."""
    return number_address(results, f"comparison.{key}", (("model_id", model), *_of_metric(result)))


def number(
    results: ComparisonResults, result: BoardResult, row: ModelRow, key: str, value: Value, *, label: str = ""
) -> Num:
    """A number of a model with its audit line."""
    return Num(value, metric(key).decimals, model_address(results, result, row.model_id, key), label=label)


def mean_number(results: ComparisonResults, result: BoardResult, row: ModelRow) -> Num:
    """The mean that ranks, with what a reader must know of its interval."""
    return number(results, result, row, ranking_key(results), row.mean, label=remark(row.interval))


def ranking_key(results: ComparisonResults) -> str:
    """The mean that ranks, by its key without the suite."""
    return mean_key(weighted=results.draws.weighted).removeprefix("comparison.")


def category_number(results: ComparisonResults, result: BoardResult, model: str, category: str, value: Value) -> Num:
    """The mean of a category of a model with its audit line."""
    of: Ids = (("model_id", model), ("category", category), *_of_metric(result))
    return Num(value, metric("category_mean").decimals, number_address(results, "comparison.category_mean", of))


def pair_number(
    results: ComparisonResults, result: BoardResult, pair: PairRow, key: str, value: Value, *, signed: bool = False
) -> Num:
    """A number of a pair with its audit line."""
    of: Ids = (("model_a", pair.model_a), ("model_b", pair.model_b), *_of_metric(result))
    return Num(value, metric(key).decimals, number_address(results, f"comparison.{key}", of), signed=signed)


def difference_number(results: ComparisonResults, result: BoardResult, pair: PairRow, *, turned: bool = False) -> Num:
    """The difference of a pair, first minus second; `turned` shows it the other way round."""
    key = difference_key(weighted=results.draws.weighted).removeprefix("comparison.")
    found = pair_number(results, result, pair, key, pair.difference, signed=True)
    if not turned or isinstance(found.value, Undefined):
        return found
    return Num(-found.value, found.decimals, found.href, signed=True)


def p_cell(results: ComparisonResults, result: BoardResult, pair: PairRow, key: str, p: Fraction | None) -> Cell:
    """A p-value with two digits that count, for none of them is 0; very small ones are named as smaller."""
    if p is None:
        return Missing(pair.interval.note or "no test")
    place = pair_number(results, result, pair, key, p).href
    if p < SMALLEST_P:
        return Num(SMALLEST_P, 8, place, "or less", sort=p)
    return Num(p, p_decimals(p), place)


def p_decimals(p: Fraction) -> int:
    """Four decimals, or as many as show two digits that are not leading zeros.

    >>> p_decimals(Fraction(3, 100)), p_decimals(Fraction(12, 1000000))
    (4, 6)
    """
    decimals = 4
    while p * 10**decimals < 10 and decimals < 9:
        decimals += 1
    return decimals


def remark(interval: Interval) -> str:
    """What a reader must know of an interval, in two words.

    >>> remark(Interval(1, 1, Fraction(1, 2), "", 3, note="degenerate: all scores are equal"))
    'degenerate'
    """
    return interval.note.partition(":")[0] if interval.note.startswith("degenerate") else interval.note


def methods(intervals: Iterable[Interval]) -> str:
    """How intervals were made, in words: each method once, with its resamples and seed."""
    found = set()
    for one in intervals:
        drawn = "" if one.resamples is None else f", {one.resamples:,} resamples, seed {one.seed}"
        if one.low is not None:
            found.add(f"{one.method}{drawn}")
    return "; ".join(sorted(found)) or "no interval"


def left_out(result: BoardResult) -> str:
    """Which pairs of very many models were compared; nothing where all were."""
    models = len(result.rows)
    every = models * (models - 1) // 2
    if len(result.pairs) == every:
        return ""
    return (
        f" Of {every:,} pairs {len(result.pairs):,} were compared: every model with the best and with the next one, so"
        " that ranks and ties are wider than they need be."
    )


def weighting(results: ComparisonResults) -> str:
    """Whether tasks count equally, and which are drawn together."""
    draws = results.draws
    counted = "Tasks count as often as their weights say." if draws.weighted else "Tasks count equally."
    return counted + (f" Tasks of one {draws.cluster} are drawn together." if draws.cluster else "")


def standing(row: ModelRow) -> Badge:
    """Whether a model ran everything."""
    if row.rank is not None:
        return Badge("plain", "complete")
    return Badge("dashed", row.status, row.coverage)


def verdict(pair: PairRow, level: Fraction, *, ahead: tuple[str, str], turned: bool = False) -> Badge:
    """Whether a difference stands after correction for all pairs, and who is ahead: one of the two words."""
    if isinstance(pair.difference, Undefined) or pair.holm is None:
        return Badge("dashed", "no test", pair.interval.note)
    if not pair.proven(level):
        return Badge("quiet", "not separated")
    return Badge("plain", ahead[(pair.difference < 0) != turned])


def heat(score: Fraction | None, text: str, reason: str) -> Heat:
    """A score as a shade and as text; hatched where there is none."""
    return Heat(None, "–", reason) if score is None else Heat(score, text)


def rank_range(results: ComparisonResults, result: BoardResult, row: ModelRow) -> Cell:
    """Where a model may stand, with its audit line."""
    if row.rank_lo is None or row.rank_hi is None:
        return Missing("not ranked")
    spread = str(row.rank_lo) if row.rank_lo == row.rank_hi else f"{row.rank_lo}–{row.rank_hi}"
    return Text(spread, href=model_address(results, result, row.model_id, "rank_low"))


def mean_column(results: ComparisonResults) -> Column:
    """The column of the mean that ranks."""
    return Column.of(metric(ranking_key(results)), strong=True)


def pairs_are_shown(results: ComparisonResults) -> bool:
    """Whether pages list pairs: of very many models only the data files do."""
    return not is_grouped(results)
