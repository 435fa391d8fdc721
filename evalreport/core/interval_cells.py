"""Intervals as cells of a table: one scale for a column, limits for the eye and in words."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, floor

from evalreport.core.exact import Undefined, Value, fixed
from evalreport.core.suite import Interval
from evalreport.core.table import Cell, Limits, Missing
from evalreport.core.words import limits_words, percent

Ends = tuple[Fraction, Fraction]


def common_scale(values: Iterable[Value], intervals: Iterable[Interval | None]) -> Ends:
    """A common scale for a column of intervals, in tenths, wide enough for all limits and values.

    >>> common_scale([Fraction(41, 100), Undefined("no runs")], [None])
    (Fraction(2, 5), Fraction(1, 2))
    """
    ends: list[Fraction] = [Fraction(v) for v in values if not isinstance(v, Undefined)]
    for found in intervals:
        if found is not None and found.low is not None and found.high is not None:
            ends += [Fraction(found.low), Fraction(found.high)]
    if not ends:
        return Fraction(0), Fraction(1)
    low, high = Fraction(floor(min(ends) * 10), 10), Fraction(ceil(max(ends) * 10), 10)
    return low, high if high > low else low + Fraction(1, 10)


def interval_cell(value: Value, found: Interval | None, ends: Ends, decimals: int = 4, *, hollow: bool = False) -> Cell:
    """An interval on the column's scale; a screen reader hears its limits. `hollow` for rows that are set apart."""
    if isinstance(value, Undefined):
        return Missing(value.reason)
    if found is None or found.low is None or found.high is None:
        return Limits(None, None, value, *ends, f"{fixed(value, decimals)}, no interval", hollow=hollow)
    label = f"{percent(found.level)} interval {limits_words(found, decimals)}"
    return Limits(found.low, found.high, value, *ends, label, hollow=hollow)
