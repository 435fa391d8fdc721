"""Draws for bootstrap intervals: which stream, and the sums of each resample. Knows no metric.

A resample of K units is a row of K weights (how often each unit was drawn). Everything that is estimated is a
function of sums over units, so a resample is one row of `weights @ sums`, never a list of records.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]

# Weights in memory at one time (about 32 MB); the draws do not depend on it.
CHUNK = 1 << 22
EXACT = 1 << 53


def stream(seed: int, purpose: str, ids: Iterable[str]) -> np.random.Generator:
    """The random stream that belongs to a seed, a purpose and the set of things that are resampled.

    Adding another subject, reordering the input or changing another setting changes nothing: the stream depends on
    what stands here alone, and on the ids as a set of texts.

    >>> a, b = stream(0, "cases", ["x", "y"]), stream(0, "cases", ["y", "x"])
    >>> a.integers(1000) == b.integers(1000)
    np.True_
    """
    text = json.dumps([seed, purpose, *sorted(ids)], ensure_ascii=True, separators=(",", ":"))
    return np.random.Generator(np.random.PCG64(int.from_bytes(sha256(text.encode()).digest(), "big")))


def multinomial_sums(
    rows: npt.NDArray[np.integer], counts: Sequence[int] | IntArray, resamples: int, rng: np.random.Generator
) -> FloatArray:
    """The column sums of each resample, when units with equal rows are drawn as one: shape (resamples, columns).

    `rows` has one row of integers for each distinct unit and `counts` how many units have it. A resample draws as
    many units as there are, with replacement: multinomial counts over the distinct rows, so the cost does not grow
    with the number of units. The sums are whole numbers, exact as long as they stay below 2**53 (else `ValueError`).

    >>> multinomial_sums(np.array([[1, 5]]), [3], 2, stream(0, "doc", ["a"])).tolist()
    [[3.0, 15.0], [3.0, 15.0]]
    """
    sizes = np.asarray(counts, dtype=np.int64)
    units = int(sizes.sum())
    values = _exact_rows(rows, units)
    found = np.empty((resamples, values.shape[1]))
    shares = sizes / units
    for here in _chunks(resamples, len(sizes)):
        found[here] = rng.multinomial(units, shares, size=here.stop - here.start) @ values
    return found


def weights(units: int, resamples: int, rng: np.random.Generator) -> Iterator[tuple[slice, FloatArray]]:
    """How often each unit is drawn in each resample, in chunks of resamples: (which resamples, their weights).

    One matrix serves everything measured over the same units, which pairs the draws of what is compared. A chunk has
    shape (resamples of the chunk, units); each row sums to `units`.

    >>> [w.sum(axis=1).tolist() for _, w in weights(4, 2, stream(0, "doc", "abcd"))]
    [[4.0, 4.0]]
    """
    for here in _chunks(resamples, units):
        size = here.stop - here.start
        drawn = rng.integers(units, size=(size, units))
        drawn += np.arange(size)[:, None] * units
        yield here, np.bincount(drawn.ravel(), minlength=size * units).reshape(size, units).astype(np.float64)


def weighted_sums(
    tables: Sequence[npt.NDArray[np.integer]], resamples: int, rng: np.random.Generator
) -> list[FloatArray]:
    """The column sums of each resample for several tables over the same units, all with the same draws.

    Each table has shape (units, its columns); each result (resamples, its columns).
    """
    units = len(tables[0])
    values = [_exact_rows(t, units) for t in tables]
    found = [np.empty((resamples, v.shape[1])) for v in values]
    for here, drawn in weights(units, resamples, rng):
        for sums, table in zip(found, values, strict=True):
            sums[here] = drawn @ table
    return found


def distinct(rows: npt.NDArray[np.integer]) -> tuple[IntArray, IntArray]:
    """The distinct rows of a table in sorted order and how many rows equal each.

    >>> rows, counts = distinct(np.array([[2, 1], [0, 1], [2, 1]]))
    >>> rows.tolist(), counts.tolist()
    ([[0, 1], [2, 1]], [1, 2])
    """
    found, counts = np.unique(np.asarray(rows, dtype=np.int64), axis=0, return_counts=True)
    return found, counts.astype(np.int64)


def _exact_rows(rows: npt.NDArray[np.integer], units: int) -> FloatArray:
    largest = int(np.abs(rows).max()) if rows.size else 0
    if largest * units >= EXACT:
        raise ValueError(f"sums up to {largest * units}; expected below 2**53, where they are exact")
    return rows.astype(np.float64)


def _chunks(resamples: int, width: int) -> Iterator[slice]:
    size = max(1, CHUNK // max(width, 1))
    return (slice(start, min(start + size, resamples)) for start in range(0, resamples, size))
