from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from evalreport.charts.ranks import Weighted, crossings, rank_paths

A = Weighted("a", Fraction(3, 4), Fraction(1, 2))
B = Weighted("b", Fraction(1, 2), Fraction(7, 10))


def test_two_lines_cross_where_both_have_the_same_value_exactly() -> None:
    # 3/4 - w/4 = 1/2 + w/5  =>  1/4 = 9/20 w  =>  w = 5/9
    assert crossings([A, B]) == (Fraction(5, 9),)


def test_lines_that_meet_only_at_an_end_do_not_cross() -> None:
    assert crossings([Weighted("a", Fraction(1), Fraction(0)), Weighted("b", Fraction(1), Fraction(1))]) == ()


def test_the_higher_value_is_the_first_rank_on_both_sides_of_a_crossing() -> None:
    a, b = rank_paths([A, B])
    assert (a.places, b.places) == ((1, 2), (2, 1))
    assert (a.first, a.last, b.first, b.last) == ("1", "2", "2", "1")


def test_rows_with_equal_values_share_the_printed_rank() -> None:
    half = (Fraction(1, 2), Fraction(1, 2))
    found = rank_paths([Weighted("x", *half), Weighted("y", *half), B])
    # b starts level with both and is ahead of them for every weight above 0
    assert [(p.name, p.places, p.first, p.last) for p in found] == [
        ("x", (2,), "2=", "2="),
        ("y", (3,), "2=", "2="),
        ("b", (1,), "1", "1"),
    ]


lines = st.lists(
    st.tuples(st.fractions(0, 1, max_denominator=9), st.fractions(0, 1, max_denominator=9)), min_size=1, max_size=6
)


@settings(deadline=None, max_examples=60)
@given(lines)
def test_no_order_changes_between_two_neighbouring_crossings(pairs: list[tuple[Fraction, Fraction]]) -> None:
    rows = [Weighted(str(k), *pair) for k, pair in enumerate(pairs)]
    stops = [Fraction(0), *crossings(rows), Fraction(1)]
    for low, high in pairwise(stops):
        near, far = (low + (high - low) * share for share in (Fraction(1, 7), Fraction(6, 7)))
        assert _order(rows, near) == _order(rows, far)


def _order(rows: list[Weighted], at: Fraction) -> list[str]:
    return sorted((r.name for r in rows), key=lambda n: (-rows[int(n)].value(at), n))
