"""Rank intervals, tie groups and what can be told apart: worked out by hand, and laws of any ranking."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from evalreport.core.standing import Place, places, separable


def test_nothing_proven_leaves_every_rank_open_and_one_group() -> None:
    assert places(["x", "y", "z"], []) == dict.fromkeys("xyz", Place(1, 3, 1))


def test_everything_proven_leaves_one_rank_each() -> None:
    found = places(["x", "y", "z"], [("x", "y"), ("y", "z"), ("x", "z")])
    assert found == {"x": Place(1, 1, 1), "y": Place(2, 2, 2), "z": Place(3, 3, 3)}


def test_a_chain_of_small_steps_is_not_one_group() -> None:
    proven = [("a", "c"), ("a", "d"), ("b", "d"), ("a", "e"), ("b", "e"), ("c", "e")]
    found = places(list("abcde"), proven)
    assert {name: place.group for name, place in found.items()} == {"a": 1, "b": 1, "c": 2, "d": 2, "e": 3}
    assert {name: (place.low, place.high) for name, place in found.items()} == {
        "a": (1, 2),
        "b": (1, 3),
        "c": (2, 4),
        "d": (3, 5),
        "e": (4, 5),
    }


def test_pairs_with_somebody_who_is_not_ranked_say_nothing() -> None:
    assert places(["x"], [("gone", "x"), ("x", "gone")]) == {"x": Place(1, 1, 1)}
    assert places([], [("x", "y")]) == {}


def test_a_pair_that_is_named_twice_counts_once() -> None:
    assert places(["x", "y"], [("x", "y"), ("x", "y")]) == {"x": Place(1, 1, 1), "y": Place(2, 2, 2)}


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 8), st.data())
def test_a_place_lies_in_its_rank_interval_and_groups_go_down_the_order(n: int, data: st.DataObject) -> None:
    every = [(a, b) for a in range(n) for b in range(a + 1, n)]
    proven = data.draw(st.lists(st.sampled_from(every), unique=True)) if every else []
    found = places(range(n), proven)
    assert all(found[at].low <= at + 1 <= found[at].high for at in range(n))
    groups = [found[at].group for at in range(n)]
    assert groups == sorted(groups)
    assert set(groups) == set(range(1, max(groups) + 1))
    for at in range(n):
        anchor = groups.index(groups[at])
        assert (anchor, at) not in proven  # nobody is proven worse than the best of its own group
        assert anchor in (0, at) or (groups.index(groups[anchor] - 1), anchor) in proven


def test_what_can_be_separated_is_the_median_of_pairs_that_vary() -> None:
    tenths = [Fraction(k, 10) for k in (4, 1, 2)]
    assert separable(tenths) == Fraction(1, 5)
    assert separable([*tenths, Fraction(3, 10), Fraction(0)]) == Fraction(1, 4)
    assert separable([Fraction(0), Fraction(1, 10**13)]) is None
