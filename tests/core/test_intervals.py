"""Intervals against scipy and statsmodels, by hand, and at the edges where they mean least."""

from __future__ import annotations

from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from evalreport.core.intervals import (
    bootstrap,
    excludes_zero,
    normal_quantile,
    percentile_interval,
    wilson,
)
from evalreport.core.multiplicity import holm
from evalreport.core.resample import FloatArray
from evalreport.core.suite import Interval

LEVEL = Fraction(95, 100)


def mean(total: FloatArray) -> FloatArray:
    """Mean of the first column over units of one run each."""
    ratio: FloatArray = total[:, 0] / total[:, 1]
    return ratio


def limits(interval: Interval) -> tuple[float, float]:
    """Both limits as floats."""
    assert interval.low is not None
    assert interval.high is not None
    return float(interval.low), float(interval.high)


def units(values: list[int]) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """One unit for each value: the value and a one to count it."""
    return np.array([[v, 1] for v in values], dtype=np.int64)


def test_ten_of_ten_and_none_of_fifty_are_no_certainty() -> None:
    perfect, never = wilson(10, 10, LEVEL), wilson(0, 50, LEVEL)
    assert (round(limits(perfect)[0], 4), perfect.high) == (0.7225, 1)
    assert (never.low, round(limits(never)[1], 4)) == (0, 0.0713)
    assert (perfect.note, never.note) == ("10 of 10", "0 of 50")
    certain = bootstrap(units([1] * 10), {"mean": mean}, ids="abcdefghij", level=LEVEL, resamples=1000, seed=0)["mean"]
    assert (certain.low, certain.high) == (1, 1)
    assert certain.note.startswith("degenerate")


@settings(deadline=None, max_examples=80)
@given(st.integers(1, 400), st.data(), st.sampled_from([Fraction(1, 2), Fraction(9, 10), LEVEL, Fraction(999, 1000)]))
def test_wilson_limits_are_those_of_scipy_and_statsmodels(n: int, data: st.DataObject, level: Fraction) -> None:
    hits = data.draw(st.integers(0, n))
    ours = limits(wilson(hits, n, level))
    scipy = stats.binomtest(hits, n).proportion_ci(float(level), method="wilson")
    assert np.allclose(ours, (scipy.low, scipy.high), rtol=0, atol=1e-12)
    assert np.allclose(ours, proportion_confint(hits, n, 1 - float(level), method="wilson"), rtol=0, atol=1e-12)


def test_wilson_limits_solve_the_score_equation() -> None:
    z2 = normal_quantile(LEVEL) ** 2
    found = wilson(7, 31, LEVEL)
    for limit in (found.low, found.high):
        assert limit is not None
        assert abs((Fraction(7, 31) - limit) ** 2 - z2 * limit * (1 - limit) / 31) < Fraction(1, 10**14)


def test_wilson_without_trials_has_no_limits_and_more_hits_than_trials_are_refused() -> None:
    assert (wilson(0, 0, LEVEL).low, wilson(0, 0, LEVEL).note) == (None, "n = 0")
    with pytest.raises(ValueError, match="expected 0 to n hits"):
        wilson(3, 2, LEVEL)
    with pytest.raises(ValueError, match="level is 1"):
        wilson(1, 2, Fraction(1))


def test_bootstrap_limits_of_a_mean_are_near_the_normal_ones_for_many_units() -> None:
    values = [int(v) for v in np.random.default_rng(5).integers(0, 13, 400)]
    low, high = limits(
        bootstrap(units(values), {"m": mean}, ids=map(str, range(400)), level=LEVEL, resamples=20000, seed=1)["m"]
    )
    error = float(np.std(values)) / 20 * NormalDist().inv_cdf(0.975)
    assert abs(low - (np.mean(values) - error)) < 0.03
    assert abs(high - (np.mean(values) + error)) < 0.03


def test_bootstrap_limits_fall_where_scipy_puts_them() -> None:
    values = [0, 3, 3, 7, 8, 12, 12, 12, 5, 1]
    ours = limits(bootstrap(units(values), {"m": mean}, ids="abcdefghij", level=LEVEL, resamples=50000, seed=2)["m"])
    rng = np.random.default_rng(3)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=50000, method="percentile", rng=rng).confidence_interval
    assert np.allclose(ours, theirs, atol=0.11)


def test_a_case_with_several_runs_is_drawn_as_one() -> None:
    # Two cases: 3 runs of sum 3 and 1 run of sum 0. A resample holds each 0, 1 or 2 times: ratio 0/2, 3/4 or 6/6.
    table = np.array([[3, 3], [0, 1]], dtype=np.int64)
    found = bootstrap(table, {"m": mean}, ids=["x", "y"], level=Fraction(1, 5), resamples=4001, seed=0)["m"]
    assert limits(found) == (0.75, 0.75)
    wide = bootstrap(table, {"m": mean}, ids=["x", "y"], level=LEVEL, resamples=4001, seed=0)["m"]
    assert (limits(wide), wide.n) == ((0.0, 1.0), 2)


def test_order_of_units_and_unrelated_settings_change_no_limit() -> None:
    def found(values: list[int], ids: str, level: Fraction = LEVEL) -> Interval:
        return bootstrap(units(values), {"m": mean}, ids=ids, level=level, resamples=500, seed=9)["m"]

    assert found([1, 4, 4, 9], "abcd") == found([9, 4, 1, 4], "dcab")


def test_one_unit_has_no_interval_and_says_so() -> None:
    found = bootstrap(units([4]), {"m": mean}, ids="a", level=LEVEL, resamples=100, seed=0)["m"]
    assert (found.low, found.high, found.note) == (None, None, "n = 1: no interval")
    assert excludes_zero(found) is None


def test_every_interval_says_how_it_was_made() -> None:
    found = bootstrap(units([4, 5, 9]), {"m": mean}, ids="abc", level=LEVEL, resamples=100, seed=7)["m"]
    assert (found.method, found.level, found.n, found.resamples, found.seed) == (
        "percentile bootstrap",
        LEVEL,
        3,
        100,
        7,
    )


def test_quantiles_of_resamples_are_interpolated_linearly() -> None:
    found = percentile_interval(np.array([0.0, 1.0, 2.0, 3.0]), 4, level=Fraction(1, 2), seed=0)
    assert (found.low, found.high) == (Fraction(3, 4), Fraction(9, 4))


def test_a_limit_as_small_as_rounding_counts_as_zero() -> None:
    def at(low: float) -> bool | None:
        return excludes_zero(Interval(Fraction(low), Fraction(1), LEVEL, "m", 3))

    assert (at(1e-13), at(1e-6), at(-0.1)) == (False, True, False)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.fractions(0, 1), min_size=1, max_size=12))
def test_holm_is_that_of_statsmodels(values: list[Fraction]) -> None:
    theirs = multipletests([float(v) for v in values], method="holm")[1]
    assert np.allclose([float(v) for v in holm(values)], theirs, rtol=0, atol=1e-12)
    assert all(a >= v for a, v in zip(holm(values), values, strict=True))
