"""Resampled means, limits of pairs, errors and tests, against scipy, statsmodels and loops."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_table
from statsmodels.stats.power import TTestPower

from evalreport.core.paired import (
    binary_splits,
    clustered_error,
    detectable,
    deviations,
    distinct_means,
    grid,
    max_t,
    mcnemar,
    pair_errors,
    pair_limits,
    resampled_means,
    sorted_quantiles,
)
from evalreport.core.resample import FloatArray, IntArray, stream, weights

LEVEL = Fraction(95, 100)
TASKS = [f"t{k:02}" for k in range(12)]
A = [Fraction(k, 1000) for k in (812, 745, 903, 650, 701, 888, 590, 677, 940, 815, 730, 699)]
B = [Fraction(k, 1000) for k in (798, 701, 910, 600, 689, 871, 577, 640, 951, 790, 722, 650)]
C = [Fraction(k, 3) for k in (1, 0, 2, 3, 1, 2, 0, 1, 3, 2, 1, 0)]


def means(
    *columns: list[Fraction], resamples: int = 400, seed: int = 0, clusters: list[str] | None = None
) -> FloatArray:
    made = grid(list(zip(*columns, strict=True)))
    return resampled_means(made, tasks=TASKS, resamples=resamples, seed=seed, clusters=clusters)


def pair(a: int = 0, b: int = 1) -> tuple[IntArray, IntArray]:
    return np.array([a], dtype=np.int64), np.array([b], dtype=np.int64)


def test_every_resample_is_a_mean_over_the_drawn_tasks() -> None:
    found = means(A, B, C, resamples=50)
    for here, drawn in weights(len(TASKS), 50, stream(0, "tasks", TASKS)):
        expected = np.array([[float(x) for x in column] for column in (A, B, C)]) @ drawn.T / len(TASKS)
        assert found[:, here] == pytest.approx(expected, abs=1e-12)


def test_a_model_more_or_less_changes_no_byte_of_the_others() -> None:
    alone, two, four = means(A), means(A, B), means(A, B, C, A)
    assert alone[0].tobytes() == two[0].tobytes() == four[0].tobytes()
    assert two[1].tobytes() == four[1].tobytes()


def test_weights_draw_a_ratio_of_sums() -> None:
    weight = [Fraction(1 + k % 3) for k in range(12)]
    made = grid([[a] for a in A], weight)
    found = resampled_means(made, tasks=TASKS, resamples=30, seed=4)
    w, x = (np.array([float(v) for v in values]) for values in (weight, A))
    for here, drawn in weights(len(TASKS), 30, stream(4, "tasks", TASKS)):
        assert found[0, here] == pytest.approx(drawn @ (w * x) / (drawn @ w), abs=1e-12)


def test_weights_of_one_change_nothing() -> None:
    made = grid([[a, b, c] for a, b, c in zip(A, B, C, strict=True)], [Fraction(5)] * 12)
    weighted = resampled_means(made, tasks=TASKS, resamples=40, seed=0)
    assert weighted == pytest.approx(means(A, B, C, resamples=40), abs=1e-15)


def test_limits_of_a_pair_are_the_percentiles_of_its_differences() -> None:
    drawn = means(A, B)
    found = pair_limits(drawn, *pair(), LEVEL)
    difference = drawn[0] - drawn[1]
    assert (found.low[0], found.high[0]) == pytest.approx(np.quantile(difference, [0.025, 0.975]).tolist(), abs=1e-15)
    assert found.below[0] == (difference <= 1e-12).sum()
    assert found.above[0] == (difference >= -1e-12).sum()


def test_a_difference_of_zero_is_in_both_tails() -> None:
    means = np.array([[0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 1.0, 1.0]])  # differences 0, 1, 0, -1
    found = pair_limits(means, np.array([0]), np.array([1]), LEVEL)
    assert (found.below.tolist(), found.above.tolist(), found.spread.tolist()) == ([3], [3], [2.0])


def test_many_pairs_at_once_are_each_as_if_alone() -> None:
    columns = [[Fraction(int(k), 100) for k in np.random.default_rng(m).integers(0, 101, 12)] for m in range(40)]
    drawn = means(*columns, resamples=100)
    first, second = (side.astype(np.int64) for side in np.triu_indices(40, 1))
    found = pair_limits(drawn, first, second, LEVEL)
    for at in (0, 17, 779):
        alone = pair_limits(drawn, first[at : at + 1], second[at : at + 1], LEVEL)
        assert (alone.low[0], alone.high[0], alone.below[0]) == (found.low[at], found.high[at], found.below[at])


def test_scipy_gives_the_same_interval_within_monte_carlo_error() -> None:
    drawn = means(A, B, resamples=20_000)
    found = pair_limits(drawn, *pair(), LEVEL)
    difference = np.array([float(a - b) for a, b in zip(A, B, strict=True)])
    other = stats.bootstrap(
        (difference,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(9)
    )
    # four standard errors of a quantile at 0.025 over 20,000 draws: sqrt(.025 * .975 / 20000) * 4 = 0.0044 of share
    for limit, share in ((found.low[0], 0.025), (found.high[0], 0.975)):
        assert np.mean(other.bootstrap_distribution <= limit) == pytest.approx(share, abs=0.0063)


def test_very_many_scores_are_drawn_by_their_distinct_values() -> None:
    scores = [Fraction(1, 8)] * 30_000 + [Fraction(7, 8)] * 10_000
    found = distinct_means(scores, tasks=["many"], resamples=2000, seed=0)
    error = float(np.std([float(x) for x in scores[::10_000]])) / 200
    assert found.mean() == pytest.approx(0.3125, abs=error / 10)
    assert found.std() == pytest.approx(error, rel=0.1)


def test_a_resample_of_clusters_draws_whole_clusters_first() -> None:
    # within each cluster all scores are equal, so only the first stage can vary: five means are possible
    column = [Fraction(0)] * 4 + [Fraction(1, 2)] * 4 + [Fraction(1)] * 4
    found = means(column, resamples=200, clusters=["x"] * 4 + ["y"] * 4 + ["z"] * 4)
    assert set(np.round(found[0] * 6).tolist()) <= {0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0}
    assert found[0] * 6 == pytest.approx(np.round(found[0] * 6), abs=1e-12)
    assert found[0].std() == pytest.approx(np.sqrt(1 / 6 / 3), rel=0.15)


def test_clusters_of_unequal_size_give_a_ratio_and_not_a_mean_of_means() -> None:
    column = [Fraction(1)] + [Fraction(0)] * 11
    found = means(column, resamples=500, clusters=["small"] + ["large"] * 11)
    # both drawn once: 1/12; the small one twice: 1; the large one twice: 0
    assert set(np.round(found[0], 9).tolist()) == {0.0, round(1 / 12, 9), 1.0}


@given(st.integers(0, 30), st.integers(0, 30))
@settings(deadline=None, max_examples=60)
def test_mcnemar_is_the_exact_test_of_statsmodels(wins: int, losses: int) -> None:
    expected = mcnemar_table([[3, wins], [losses, 4]], exact=True).pvalue
    assert float(mcnemar(wins, losses)) == pytest.approx(min(expected, 1.0), abs=1e-12)


def test_mcnemar_of_very_many_discordant_tasks_is_still_binomial() -> None:
    expected = stats.binomtest(1400, 3000).pvalue
    assert float(mcnemar(1400, 1600)) == pytest.approx(expected, rel=1e-9)


def test_clustered_errors_are_those_of_a_regression_on_a_constant() -> None:
    clusters = ["a", "a", "b", "b", "b", "c", "d", "d", "d", "d", "e", "e"]
    y = np.array([float(x) for x in A])
    groups = np.unique(clusters, return_inverse=True)[1]
    fit = sm.OLS(y, np.ones(12)).fit(cov_type="cluster", cov_kwds={"groups": groups, "use_correction": True})
    # statsmodels multiplies by G / (G - 1) and (n - 1) / (n - k), and k is 1 here
    assert clustered_error(y, clusters) == pytest.approx(float(fit.bse[0]), rel=1e-12)


def test_every_task_its_own_cluster_is_the_ordinary_standard_error() -> None:
    y = [float(x) for x in A]
    assert clustered_error(y, TASKS) == pytest.approx(stats.sem(y), rel=1e-12)


def test_one_cluster_has_no_error() -> None:
    assert clustered_error([0.0, 1.0], ["a", "a"]) is None


def test_two_clusters_by_hand() -> None:
    # deviations +½ +½ | −½ −½: sums +1 and −1; sqrt(2 / 1 * 2) / 4
    assert clustered_error([1.0, 1.0, 0.0, 0.0], ["p", "p", "q", "q"]) == pytest.approx(0.5)


def test_errors_of_many_pairs_are_each_as_if_alone() -> None:
    scores = np.random.default_rng(3).random((12, 9))
    clusters = [f"c{k % 5}" for k in range(12)]
    first, second = (side.astype(np.int64) for side in np.triu_indices(9, 1))
    found = pair_errors(scores, first, second, weights=np.ones(12), clusters=clusters)
    for at in (0, 20, 35):
        expected = clustered_error(scores[:, first[at]] - scores[:, second[at]], clusters)
        assert found[at] == pytest.approx(expected, rel=1e-12)


def test_the_detectable_difference_has_the_power_that_was_asked_for() -> None:
    n, spread = 164, 0.5
    difference = detectable(spread / np.sqrt(n), level=LEVEL, power=Fraction(4, 5))
    power = TTestPower().power(effect_size=difference / spread, nobs=n, alpha=0.05)
    # the normal approximation against the t test: a little less than 80 %
    assert power == pytest.approx(0.8, abs=0.006)


def test_simultaneous_limits_are_wider_than_single_ones_and_hold_together() -> None:
    rng = np.random.default_rng(2)
    columns = [[Fraction(int(k), 100) for k in rng.integers(0, 101, 12)] for _ in range(6)]
    drawn = means(*columns, resamples=4000)
    first, second = (side.astype(np.int64) for side in np.triu_indices(6, 1))
    strayed = deviations(drawn, first, second)
    reach = max_t([strayed], LEVEL)
    assert reach is not None
    assert reach > 2.0
    rows = drawn[first] - drawn[second]
    centred = np.abs(rows - rows.mean(axis=1, keepdims=True))
    inside = (centred <= reach * strayed.errors[:, None]).all(axis=0)
    assert inside.mean() == pytest.approx(0.95, abs=0.001)


def test_how_far_a_pair_strays_is_the_sample_standard_deviation_of_its_differences() -> None:
    # differences 0, 1, 2 around 1: (1 + 0 + 1) / (3 - 1) = 1, and the farthest is one standard error away
    found = deviations(np.array([[0.0, 1.0, 2.0], [0.0, 0.0, 0.0]]), np.array([0]), np.array([1]))
    assert (found.errors.tolist(), found.largest.tolist(), found.varying) == ([1.0], [1.0, 0.0, 1.0], 1)


def test_pairs_that_do_not_vary_ask_for_no_simultaneous_limits() -> None:
    strayed = deviations(means(A, A), *pair())
    assert strayed.varying == 0
    assert max_t([strayed], LEVEL) is None


def test_splits_of_binary_scores_count_who_alone_solved() -> None:
    whole = np.array([[1, 1, 0], [1, 0, 0], [0, 1, 1], [1, 0, 1]], dtype=np.int64)
    wins, losses = binary_splits(whole, np.array([0, 0, 1]), np.array([1, 2, 2]))
    assert (wins.tolist(), losses.tolist()) == ([2, 2, 1], [1, 1, 1])


def test_quantiles_between_order_statistics_are_interpolated() -> None:
    low, high = sorted_quantiles(np.array([[0.0, 1.0, 2.0, 10.0]]), Fraction(1, 2))
    assert (low[0], high[0]) == (0.75, 4.0)


def test_scores_finer_than_the_grid_are_rounded_half_to_even() -> None:
    made = grid([[Fraction(1, 2 * 10**12)], [Fraction(3, 2 * 10**12)], [Fraction(-1, 3)]])
    assert made.whole.ravel().tolist() == [0, 2, -333_333_333_333]


def test_large_weights_are_taken_down_to_a_million() -> None:
    made = grid([[0], [0]], [2 * 10**7, 4 * 10**7 + 2])  # halved: 10**7 and 2 * 10**7 + 1, the largest becomes 10**6
    assert made.weights.tolist() == [500_000, 1_000_000]


def test_uneven_weights_keep_their_ratio() -> None:
    made = grid([[Fraction(1)], [Fraction(0)]], [Fraction(1, 3), Fraction(10**9)])
    assert made.weights.tolist() == [1, 10**6]  # one that is there never becomes none
