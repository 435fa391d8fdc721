"""Tallies: what they count, and that cutting and ordering the records changes nothing."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalreport.core import counting
from evalreport.core.cells import Cells, Coded, Column, tally, union
from evalreport.errors import EvalreportError

RECORDS = st.lists(
    st.tuples(st.sampled_from(["a", "b_$", "Ω", "日本"]), st.integers(-3, 3), st.integers(0, 100), st.integers(0, 12)),
    max_size=40,
)
Record = tuple[str, int, int, int]


def tallied(records: list[Record], part: str = "") -> Cells:
    """The records by subject, grade and confidence, with the sum of scores."""
    return tally(
        {"subject": [r[0] for r in records], "grade": [r[1] for r in records], "confidence": [r[2] for r in records]},
        {"score": [r[3] for r in records]},
        part=part,
    )


@settings(deadline=None, max_examples=60)
@given(RECORDS)
def test_a_tally_counts_what_a_counter_counts(records: list[Record]) -> None:
    found = tally(
        {"subject": [r[0] for r in records], "grade": [r[1] for r in records], "confidence": [r[2] for r in records]}
    )
    assert dict(found.rows()) == Counter((r[0], r[1], r[2]) for r in records)
    assert [k for k, _ in found.rows()] == sorted({(r[0], r[1], r[2]) for r in records})
    assert found.total == len(records)


@settings(deadline=None, max_examples=60)
@given(RECORDS, st.randoms(use_true_random=False), st.integers(1, 5))
def test_every_partition_in_every_order_gives_the_same_bytes(records: list[Record], rnd: object, pieces: int) -> None:
    whole = tallied(records)
    shuffled = list(records)
    rnd.shuffle(shuffled)  # type: ignore[attr-defined]
    parts = [tallied(shuffled[i::pieces], f"part {i}") for i in range(pieces)]
    together = union(parts, [f"part {i}" for i in range(pieces)])
    assert together.content() == union(parts[::-1]).content()
    if records:
        assert together.content() == whole.content()
    nested = union([union(parts[:1]), union(parts[1:])]) if pieces > 1 else union(parts)
    assert nested.content() == together.content()


def test_sums_are_totals_over_the_records_of_a_row() -> None:
    found = tally({"case": ["x", "y", "x"]}, {"score": [10, 3, 7]})
    assert dict(zip(found.labels("case"), found["score"].tolist(), strict=True)) == {"x": 17, "y": 3}


def test_a_coded_column_counts_like_its_texts() -> None:
    codes = Coded(np.array([2, 0, 0, 2], dtype=np.uint8), ("zeta", "unused", "Alpha"))
    assert tally({"s": codes}).content() == tally({"s": ["Alpha", "zeta", "zeta", "Alpha"]}).content()


@pytest.mark.parametrize("spread", [1, 10**6, 2**61])
def test_wide_keys_are_counted_like_narrow_ones(spread: int) -> None:
    rows = [(a * spread, b) for a, b in product((-1, 0, 1), (5, -5))] * 2
    found = tally({"a": np.array([r[0] for r in rows]), "b": np.array([r[1] for r in rows])})
    assert dict(found.rows()) == Counter(rows)


@pytest.mark.parametrize("low", [-7, 2**20, -(2**40), 2**62])
@pytest.mark.parametrize("kind", [np.int64, np.uint64])
def test_keys_far_from_zero_are_counted_like_near_ones(low: int, kind: type[np.int64 | np.uint64]) -> None:
    if low < 0 and kind is np.uint64:
        low = -low
    rows = [(low + a, 3 * b, low) for a, b in product(range(4), range(3))] * 2
    columns: dict[str, Column] = {name: np.array([r[i] for r in rows], dtype=kind) for i, name in enumerate("abc")}
    assert dict(tally(columns).rows()) == Counter(rows)


def test_a_key_that_64_bits_cannot_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="expected less than"):
        tally({"x": np.array([2**63], dtype=np.uint64)})


def test_keys_that_fill_64_bits_together_are_told_apart() -> None:
    # As one number, the second row would be 2**64, which wraps around to the 0 of the first.
    rows = [(0, 0), (2**32, 0), (0, 2**32 - 1)]
    found = tally({"x": [x for x, _ in rows], "y": [y for _, y in rows]})
    assert list(found.rows()) == [((0, 0), 1), ((0, 2**32 - 1), 1), ((2**32, 0), 1)]


def test_dense_and_sorted_counting_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    columns: dict[str, Column] = {
        "a": rng.integers(-4, 9, 5000),
        "b": rng.integers(0, 101, 5000).astype(np.uint8),
    }
    monkeypatch.setattr(counting, "BLOCK", 100)
    dense = tally(columns)
    monkeypatch.setattr(counting, "DENSE", 0)
    assert dense.content() == tally(columns).content()


def test_fewer_keys_keep_every_record() -> None:
    found = tally({"a": [1, 1, 2], "b": [7, 8, 8]}, {"s": [1, 2, 4]}).by("b")
    assert list(found.rows()) == [((7,), 1), ((8,), 2)]
    assert found["s"].tolist() == [1, 6]


def test_split_gives_each_combination_of_the_leading_keys_its_own_cells() -> None:
    found = tally({"a": ["x", "y", "x"], "b": [1, 1, 2]})
    assert [(key, list(part.rows())) for key, part in found.split("a")] == [
        (("x",), [((1,), 1), ((2,), 1)]),
        (("y",), [((1,), 1)]),
    ]
    with pytest.raises(ValueError, match="leading keys"):
        next(found.split("b"))


def test_a_part_that_is_there_twice_or_missing_or_unknown_is_refused_by_name() -> None:
    a, b, c = (tally({"x": [1]}, part=p) for p in ("a", "b", "c"))
    with pytest.raises(EvalreportError) as refused:
        union([a, b, union([a]), c], ["a", "b", "d"])
    assert [(p.where, p.kind) for p in refused.value.problems] == [
        ("a", "duplicate_part"),
        ("c", "unknown_part"),
        ("d", "missing_part"),
    ]


def test_tallies_by_different_keys_are_not_united() -> None:
    with pytest.raises(ValueError, match="different keys"):
        union([tally({"x": [1]}), tally({"y": [1]})])
    with pytest.raises(ValueError, match="no tallies"):
        union([])


def test_columns_of_unequal_length_and_fractions_are_refused() -> None:
    with pytest.raises(ValueError, match="unequal length"):
        tally({"x": [1, 2], "y": [1]})
    with pytest.raises(ValueError, match="expected integers"):
        tally({"x": np.array([0.5])})
