"""Every two models over the tasks both ran: difference, limits, tests, and what the tasks could have found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from evalreport.core.exact import Undefined, Value
from evalreport.core.interval_cells import Ends, common_scale, interval_cell
from evalreport.core.suite import Interval
from evalreport.core.table import Cell, Column, Count, Missing, Row, RowGroup, Table, Text
from evalreport.core.words import decimal, limits_words, many, percent
from evalreport.suites.comparison.results import BoardResult, ComparisonResults, PairRow
from evalreport.suites.comparison.values import difference_key
from evalreport.suites.comparison.views.cells import (
    FILES,
    difference_number,
    left_out,
    level,
    methods,
    metric,
    named,
    of_board,
    p_cell,
    pair_number,
    pairs_are_shown,
    table_id,
    verdict,
)


def differ_words(results: ComparisonResults, result: BoardResult) -> str:
    """How many pairs differ by more than the choice of tasks explains."""
    if not result.pairs:
        return "There is no pair to compare."
    proven = sum(pair.proven(results.draws.level) for pair in result.pairs)
    return (
        f"{proven:,} of {many(len(result.pairs), 'pair')} {'differs' if proven == 1 else 'differ'} by more than the"
        " choice of tasks explains."
    )


def pairs(results: ComparisonResults, result: BoardResult) -> Table:
    """Every pair of models in the order of the leaderboard."""
    place = {row.model_id: at for at, row in enumerate(result.rows)}
    found = sorted(result.pairs, key=lambda p: sorted((place[p.model_a], place[p.model_b])))
    listed = found if pairs_are_shown(results) else []
    ends = _scale(listed)
    return Table(
        id=table_id("pairs", result),
        finding=differ_words(results, result),
        text=f"{of_board(result)}First minus second over the tasks both ran. {how(results, result)}",
        columns=(Column("a", "First", sticky=True), Column("b", "Second"), *_columns(results)),
        groups=(
            RowGroup(
                "",
                tuple(
                    Row((named(results, p.model_a), named(results, p.model_b), *_cells(results, result, p, ends)))
                    for p in listed
                ),
            ),
        ),
        downloads=(("CSV", f"{FILES}/pairs.csv"),),
        empty="There is no pair to compare."
        if not result.pairs
        else f"{many(len(result.pairs), 'pair')} do not fit a page; all of them stand in the CSV.",
        wide=True,
    )


def own_pairs(results: ComparisonResults, result: BoardResult, model: str) -> Table:
    """One model against every other, seen from it: a positive difference is in its favour."""
    place = {row.model_id: at for at, row in enumerate(result.rows)}
    own = [p for p in result.pairs if model in (p.model_a, p.model_b)]
    listed = sorted(own, key=lambda p: place[_other(p, model)])
    proven = sum(p.proven(results.draws.level) for p in own)
    ends = _scale(listed, model)
    return Table(
        id=table_id("own-pairs", result, model),
        finding=f"Differs from {proven} of {many(len(own), 'other model')} by more than the choice of tasks explains."
        if own
        else "There is no other model.",
        text=f"{of_board(result)}{model} minus the other, over the tasks both ran, in the order of the leaderboard."
        f" {how(results, result)}",
        columns=(Column("other", "Other", sticky=True), *_columns(results)),
        groups=(
            RowGroup(
                "",
                tuple(
                    Row((named(results, _other(p, model)), *_cells(results, result, p, ends, model=model)))
                    for p in listed
                ),
            ),
        ),
        downloads=(("CSV", f"{FILES}/pairs.csv"),),
        empty="No other model has a score by this metric.",
        wide=True,
    )


def _other(pair: PairRow, model: str) -> str:
    return pair.model_b if pair.model_a == model else pair.model_a


def how(results: ComparisonResults, result: BoardResult) -> str:
    """How limits and tests were made, in words."""
    threshold = decimal(1 - results.draws.level)
    tests = sorted({pair.p_method for pair in result.pairs if pair.p_method})
    other = sum(pair.other_versions > 0 for pair in result.pairs)
    versions = f" {many(other, 'pair')} met on tasks in different versions." if other else ""
    made = methods(pair.interval for pair in result.pairs)
    return (
        f"{level(results)} interval: {made}. p: {'; '.join(tests) or 'none'}."
        f" Holm and FDR: corrected over {many(result.tested, 'pair')}. At once: limits that hold for all pairs."
        f" Verdict: Holm at most {threshold}. Detectable: found in {percent(results.draws.power)} of repetitions."
        f"{versions}{left_out(result)}"
    )


def _columns(results: ComparisonResults) -> tuple[Column, ...]:
    key = difference_key(weighted=results.draws.weighted).removeprefix("comparison.")
    return (
        Column("n", "n", "tasks", "r"),
        Column.of(metric(key), strong=True),
        Column("interval", f"{level(results)} interval"),
        Column("verdict", "Verdict"),
        Column("p", "p", "this pair", "r", "lower"),
        Column("holm", "p", "Holm", "r", "lower"),
        Column("fdr", "p", "FDR", "r", "lower"),
        Column("at_once", "At once", f"{level(results)}, all pairs"),
        Column.of(metric("detectable_difference")),
        Column("better", "Better", "tasks", "r"),
        Column("worse", "Worse", "tasks", "r"),
    )


def _scale(listed: Sequence[PairRow], model: str = "") -> Ends:
    shown = [_turned(pair.interval, turned=pair.model_b == model) for pair in listed]
    values = [_signed(pair, turned=pair.model_b == model) for pair in listed]
    return common_scale([Fraction(0), *values], shown)


def _signed(pair: PairRow, *, turned: bool) -> Value:
    return pair.difference if isinstance(pair.difference, Undefined) or not turned else -pair.difference


def _cells(
    results: ComparisonResults, result: BoardResult, pair: PairRow, ends: Ends, *, model: str = ""
) -> tuple[Cell, ...]:
    """The cells of a pair; with `model` seen from it, else first minus second."""
    turned = model == pair.model_b
    value = difference_number(results, result, pair, turned=turned)
    better = (pair.better_b, pair.better_a) if turned else (pair.better_a, pair.better_b)
    hollow = not pair.proven(results.draws.level)
    return (
        Count(pair.n),
        value,
        interval_cell(value.value, _turned(pair.interval, turned=turned), ends, hollow=hollow),
        verdict(
            pair,
            results.draws.level,
            ahead=("ahead", "behind") if model else ("first ahead", "second ahead"),
            turned=turned,
        ),
        p_cell(results, result, pair, "p_value", pair.p),
        p_cell(results, result, pair, "p_adjusted", pair.holm),
        p_cell(results, result, pair, "p_fdr", pair.fdr),
        _at_once(pair, turned=turned),
        pair_number(results, result, pair, "detectable_difference", pair.detectable),
        Count(better[0]),
        Count(better[1]),
    )


def _at_once(pair: PairRow, *, turned: bool) -> Cell:
    if pair.simultaneous is None:
        return Missing("not drawn")
    return Text(limits_words(_turned(pair.simultaneous, turned=turned), 3))


def _turned(interval: Interval, *, turned: bool) -> Interval:
    """The interval of the difference the other way round."""
    if not turned or interval.low is None or interval.high is None:
        return interval
    return replace(interval, low=-interval.high, high=-interval.low)
