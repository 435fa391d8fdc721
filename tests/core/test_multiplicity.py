"""Corrections for many tests, against statsmodels and by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from evalreport.core.multiplicity import benjamini_hochberg, holm

PS = st.lists(st.integers(0, 40).map(lambda k: Fraction(k, 40)), min_size=1, max_size=12)


@given(PS)
@settings(deadline=None, max_examples=80)
def test_holm_is_what_statsmodels_gives(values: list[Fraction]) -> None:
    expected = multipletests([float(p) for p in values], method="holm")[1]
    assert [float(p) for p in holm(values)] == pytest.approx(expected.tolist(), abs=1e-12)


@given(PS)
@settings(deadline=None, max_examples=80)
def test_benjamini_hochberg_is_what_statsmodels_gives(values: list[Fraction]) -> None:
    expected = multipletests([float(p) for p in values], method="fdr_bh")[1]
    assert [float(p) for p in benjamini_hochberg(values)] == pytest.approx(expected.tolist(), abs=1e-12)


@given(PS)
@settings(deadline=None, max_examples=40)
def test_the_order_of_the_tests_changes_nothing(values: list[Fraction]) -> None:
    order = np.random.default_rng(len(values)).permutation(len(values)).tolist()
    for correction in (holm, benjamini_hochberg):
        there = correction([values[i] for i in order])
        assert [correction(values)[i] for i in order] == list(there)


def test_no_test_gives_no_correction_and_one_test_keeps_its_p() -> None:
    assert holm([]) == benjamini_hochberg([]) == ()
    assert holm([Fraction(1, 7)]) == benjamini_hochberg([Fraction(1, 7)]) == (Fraction(1, 7),)


def test_equal_p_values_stay_equal() -> None:
    # smallest of three: 3 * 1/50; the two equal ones: max(3/50, 2 * 1/25)
    assert holm([Fraction(1, 25), Fraction(1, 50), Fraction(1, 25)]) == (
        Fraction(2, 25),
        Fraction(3, 50),
        Fraction(2, 25),
    )
