"""What a published standard error can mean, by hand."""

from __future__ import annotations

from fractions import Fraction

from evalreport.formats.standard_errors import in_quadrature, judged, pooled

TENTH = Fraction(1, 10)


def test_parts_of_one_item_each_have_no_spread_to_pool() -> None:
    assert pooled([(1, TENTH), (1, TENTH)]) is None


def test_one_part_is_its_own_pool_and_a_part_without_an_error_leaves_none() -> None:
    assert pooled([(1, TENTH)]) == TENTH
    assert pooled([(5, TENTH), (5, None)]) is None
    assert in_quadrature([(5, TENTH), (5, None)]) is None


def test_equal_parts_pooled_and_as_strata_by_hand() -> None:
    # variance of an item 2 * 1/100 in each: pooled (2/100 + 2/100) / (4 - 2) / 4 = 1/200, as strata 2 * 1/4 * 1/100
    for found in (pooled([(2, TENTH), (2, TENTH)]), in_quadrature([(2, TENTH), (2, TENTH)])):
        assert found is not None
        assert abs(found * found - Fraction(1, 200)) < Fraction(1, 10**20)


def test_a_negative_error_is_none_and_says_so() -> None:
    assert judged(Fraction(1, 2), Fraction(-1), 4) == (None, "standard error -1.0000 is below 0")
