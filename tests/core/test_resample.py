"""Draws: the stream depends on what is drawn alone, and the two kernels have the moments of a bootstrap."""

from __future__ import annotations

import numpy as np
import pytest

from evalreport.core import resample
from evalreport.core.resample import distinct, multinomial_sums, stream, weighted_sums, weights


def test_the_stream_knows_seed_purpose_and_ids_and_nothing_else() -> None:
    def first(seed: int, purpose: str, ids: list[str]) -> int:
        return int(stream(seed, purpose, ids).integers(2**62))

    here = first(0, "cases", ["a", "b"])
    assert here == first(0, "cases", ["b", "a"])
    assert len({here, first(1, "cases", ["a", "b"]), first(0, "null", ["a", "b"]), first(0, "cases", ["ab"])}) == 4


def test_chunks_do_not_change_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, counts = np.array([[1, 0], [3, 2], [7, 1]]), [2, 3, 1]
    table = np.arange(10).reshape(5, 2)
    whole = multinomial_sums(rows, counts, 50, stream(3, "t", "ab")), weighted_sums([table], 50, stream(3, "t", "ab"))
    monkeypatch.setattr(resample, "CHUNK", 7)
    parts = multinomial_sums(rows, counts, 50, stream(3, "t", "ab")), weighted_sums([table], 50, stream(3, "t", "ab"))
    assert np.array_equal(whole[0], parts[0])
    assert np.array_equal(whole[1][0], parts[1][0])


def test_every_resample_draws_as_many_units_as_there_are() -> None:
    drawn = multinomial_sums(np.array([[1], [1]]), [4, 5], 20, stream(0, "t", "a"))
    assert set(drawn.ravel().tolist()) == {9.0}
    assert all((w.sum(axis=1) == 6).all() for _, w in weights(6, 20, stream(0, "t", "a")))


def test_both_kernels_have_the_mean_and_variance_of_a_bootstrap_sum() -> None:
    table = np.array([[0], [0], [1], [5], [9], [9]])
    # The sum of 6 draws has mean 24 and variance 6 * (mean of squares - square of mean) = 6 * (188/6 - 16) = 92.
    rows, counts = distinct(table)
    one = multinomial_sums(rows, counts, 40000, stream(0, "t", "a"))[:, 0]
    two = weighted_sums([table], 40000, stream(0, "t", "a"))[0][:, 0]
    for drawn in (one, two):
        assert abs(drawn.mean() - 24) < 0.25  # five standard errors of sqrt(92/40000)
        assert abs(drawn.var() - 92) < 3.5


def test_sums_that_floats_cannot_hold_are_refused() -> None:
    with pytest.raises(ValueError, match="below"):
        multinomial_sums(np.array([[2**52]]), [2], 1, stream(0, "t", "a"))
