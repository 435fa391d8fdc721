"""Intervals as cells of a table: one scale for a column, and words for who cannot see it."""

from __future__ import annotations

from fractions import Fraction

from evalreport.core.exact import Undefined
from evalreport.core.interval_cells import common_scale, interval_cell
from evalreport.core.suite import Interval
from evalreport.core.table import Limits, Missing

HALF = Fraction(1, 2)
FOUND = Interval(Fraction(12, 100), Fraction(71, 100), Fraction(95, 100), "m", 9)


def test_a_scale_holds_every_value_and_limit_in_whole_tenths() -> None:
    assert common_scale([Fraction(-3, 100), HALF], [FOUND, None]) == (Fraction(-1, 10), Fraction(8, 10))


def test_a_scale_of_one_value_has_a_width() -> None:
    assert common_scale([HALF], [None]) == (HALF, Fraction(6, 10))


def test_an_interval_is_heard_with_its_level_and_limits() -> None:
    cell = interval_cell(HALF, FOUND, (Fraction(0), Fraction(1)), 2)
    assert isinstance(cell, Limits)
    assert (cell.low, cell.high, cell.label) == (FOUND.low, FOUND.high, "95 % interval 0.12 to 0.71")


def test_without_limits_the_value_stands_alone_and_without_a_value_its_reason() -> None:
    ends = (Fraction(0), Fraction(1))
    cell = interval_cell(HALF, None, ends, hollow=True)
    assert cell == Limits(None, None, HALF, *ends, "0.5000, no interval", hollow=True)
    assert interval_cell(Undefined("no runs"), FOUND, ends) == Missing("no runs")
