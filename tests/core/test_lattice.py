"""The exact bootstrap distribution against enumeration, the binomial distribution and drawing."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from evalreport.core.lattice import (
    FOR_A_MEAN,
    binary_limits,
    common_denominator,
    counted,
    exact_interval,
    exact_p,
    lattice,
    smoothed,
    tails,
)
from evalreport.core.suite import Interval

LEVEL = Fraction(95, 100)


def interval(scores: list[Fraction], level: Fraction = LEVEL) -> Interval:
    found = lattice(scores)
    assert found is not None
    return exact_interval(found, level)


def enumerated(scores: list[Fraction]) -> list[Fraction]:
    """The sums of all n to the n resamples, sorted."""
    return sorted(sum(drawn, Fraction(0)) for drawn in product(scores, repeat=len(scores)))


@given(st.lists(st.integers(0, 6).map(lambda k: Fraction(k, 6)), min_size=2, max_size=5), st.sampled_from([50, 90, 95]))
@settings(deadline=None, max_examples=60)
def test_limits_are_those_of_all_resamples_enumerated(scores: list[Fraction], percent: int) -> None:
    level = Fraction(percent, 100)
    sums, n = enumerated(scores), len(scores)
    found = interval(scores, level)
    # the smallest value whose distribution function reaches q stands at place ceil(q * number of resamples)
    low = sums[max(0, -(-len(sums) * (1 - level) // 2) - 1).__int__()]
    high = sums[(-(-len(sums) * (1 + level) // 2) - 1).__int__()]
    assert found.low is not None
    assert found.high is not None
    assert abs(found.low - low / n) <= Fraction(1, 10**15)
    assert abs(found.high - high / n) <= Fraction(1, 10**15)


@given(st.lists(st.integers(-2, 2).map(lambda k: Fraction(k, 2)), min_size=2, max_size=5))
@settings(deadline=None, max_examples=60)
def test_p_counts_the_enumerated_resamples_beyond_zero_and_itself(differences: list[Fraction]) -> None:
    sums = enumerated(differences)
    few = min(sum(s <= 0 for s in sums), sum(s >= 0 for s in sums))
    found = lattice(differences)
    assert found is not None
    assert exact_p(found) == min(Fraction(1), Fraction(2 * (few + 1), len(sums) + 1))


@pytest.mark.parametrize(
    ("hits", "n"), [(1, 2), (5, 10), (3, 50), (49, 50), (500, 1000), (30_000, 100_000), (999_000, 1_000_000)]
)
def test_a_share_has_the_limits_of_the_binomial_distribution(hits: int, n: int) -> None:
    low, high = (stats.binom.ppf(q, n, hits / n) for q in (0.025, 0.975))
    found = interval([Fraction(1)] * hits + [Fraction(0)] * (n - hits))
    assert (found.low, found.high) == (Fraction(int(low), n), Fraction(int(high), n))
    assert (found.resamples, found.seed) == (None, None)


def test_limits_agree_with_scipy_within_what_drawing_leaves_open() -> None:
    rng = np.random.default_rng(5)
    scores = [Fraction(int(k), 3) for k in rng.integers(0, 4, size=80)]
    drawn = stats.bootstrap(
        (np.array([float(x) for x in scores]),), np.mean, n_resamples=20_000, method="percentile", rng=rng
    )
    found = interval(scores)
    means = drawn.bootstrap_distribution
    for limit, share in ((found.low, 0.025), (found.high, 0.975)):
        # drawing 20,000 times leaves a share of 0.025 open by four standard errors of 0.0011
        assert (
            np.mean(means < float(limit or 0) - 1e-9) - 0.0045
            <= share
            <= np.mean(means <= float(limit or 0) + 1e-9) + 0.0045
        )


def test_one_score_has_no_interval_and_equal_scores_a_degenerate_one() -> None:
    assert interval([Fraction(1, 2)]).note == "n = 1: no interval"
    assert interval([Fraction(1, 2)]).low is None
    same = interval([Fraction(1, 2)] * 5)
    assert (same.low, same.high, same.note) == (Fraction(1, 2), Fraction(1, 2), "degenerate: all scores are equal")


def test_a_row_gives_the_same_bytes_whatever_stands_beside_it() -> None:
    counts = np.random.default_rng(1).multinomial(300, [0.2, 0.5, 0.3], size=500)
    zero = np.full(len(counts), 300)
    together = tails(counts, LEVEL, zero=zero)
    for rows in (slice(7, 8), slice(100, 131), slice(499, 500)):
        alone = tails(counts[rows], LEVEL, zero=zero[rows])
        for name in ("low", "high", "at_most", "at_least"):
            assert getattr(alone, name).tobytes() == getattr(together, name)[rows].tobytes()


def test_the_window_leaves_out_nothing_that_counts() -> None:
    # one very large score among many small ones: the tail is long on one side
    counts = np.zeros((1, 400), dtype=np.int64)
    counts[0, 0], counts[0, 399] = 9_999, 1
    found = tails(counts, Fraction(998, 1000), zero=[0])
    low, high = (stats.binom.ppf(q, 10_000, 1 / 10_000) for q in (0.001, 0.999))
    assert (found.low[0], found.high[0]) == (399 * low, 399 * high)
    assert found.at_most[0] == pytest.approx(stats.binom.cdf(0, 10_000, 1e-4), abs=1e-11)


def test_pairs_of_binary_scores_are_the_differences_counted() -> None:
    wins, losses, n = np.array([5, 0, 3]), np.array([2, 4, 3]), 12
    low, high = binary_limits(wins, losses, n, level=LEVEL)
    for at in range(3):
        rest = n - int(wins[at]) - int(losses[at])
        scores = [Fraction(1)] * int(wins[at]) + [Fraction(-1)] * int(losses[at]) + [Fraction(0)] * rest
        found = interval(scores)
        assert abs((found.low or 0) - Fraction(int(low[at]) - n, n)) < Fraction(1, 10**14)
        assert abs((found.high or 0) - Fraction(int(high[at]) - n, n)) < Fraction(1, 10**14)


def test_scores_too_fine_for_a_lattice_are_left_to_drawing() -> None:
    assert lattice([Fraction(1, 10**7), Fraction(0)]) is None
    assert lattice([Fraction(k * k * 101 % 99_991, 99_991) for k in range(60)]) is None
    assert common_denominator([Fraction(1, 999), Fraction(1, 1009)]) is None
    assert lattice([]) is None
    assert lattice([Fraction(k, 100) for k in range(100)], FOR_A_MEAN) is not None


def test_equal_scores_that_are_different_objects_are_counted_together() -> None:
    assert counted([Fraction(1, 2), Fraction(2, 4), Fraction(1, 3)]) == ([Fraction(1, 3), Fraction(1, 2)], [1, 2])


def test_no_p_value_is_ever_zero() -> None:
    assert smoothed(0.0, 2) == Fraction(2, 5)
    assert smoothed(0.0, 5000) == Fraction(1, 10**12)
