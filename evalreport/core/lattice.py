"""The bootstrap distribution itself, where scores stand on a lattice: no resampling, no seed.

When every score is one of a few equally spaced values (0 or 1, thirds, half points), the sum of n draws has finitely
many values, and their probabilities are the n-fold convolution of the shares of the scores. The Fourier transform
turns the convolution into a power. Only the values within reach of the mean are kept: what lies beyond has together
less probability than the rounding of the transform, so a million scores cost as little as a hundred.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm, log

import numpy as np
import numpy.typing as npt

from evalreport.core.exact import Number
from evalreport.core.intervals import rounded
from evalreport.core.resample import FloatArray, IntArray
from evalreport.core.suite import Interval

METHOD = "exact bootstrap distribution"
# How many values of a sum are worth a transform: for one mean (about 2 ms), and for one of many pairs (0.1 ms).
FOR_A_MEAN = 1 << 15
FOR_A_PAIR = 1 << 12
LARGEST_DENOMINATOR = 10**6
BEYOND = 1e-15  # probability that may be left out
P_DECIMALS = 12
FEW_OBJECTS = 64  # distinct objects that are looked for one by one
_BLOCK = 64  # rows transformed together: a fixed number, so that no byte depends on how many there are


@dataclass(frozen=True)
class Lattice:
    """Scores as whole steps from the smallest one: score = origin + step × k. `counts[k]` scores stand at k."""

    origin: Fraction
    step: Fraction
    counts: tuple[int, ...]

    @property
    def n(self) -> int:
        """How many scores there are."""
        return sum(self.counts)

    @property
    def zero(self) -> Fraction:
        """Where the sum of n draws is zero, in steps from n times the smallest score."""
        return -self.n * self.origin / self.step


@dataclass(frozen=True)
class Tails:
    """What the distribution of the sum of n draws says, one entry a row of counts.

    `low` and `high`: the smallest sums, in steps, at which the distribution function reaches the tail and 1 − tail.
    `at_most` and `at_least`: how likely the sum is not above, not below zero.
    """

    low: IntArray
    high: IntArray
    at_most: FloatArray
    at_least: FloatArray


def lattice(scores: Sequence[Number], affordable: int = FOR_A_MEAN) -> Lattice | None:
    """The lattice that the scores stand on, or None when it is too fine to be worth it.

    >>> lattice([Fraction(1, 3), 1, 1])
    Lattice(origin=Fraction(1, 3), step=Fraction(2, 3), counts=(1, 2))
    >>> lattice([Fraction(1, 10**7), 0]) is None
    True
    """
    if not scores:
        return None
    values, counts = counted(scores)
    common = common_denominator(values)
    if common is None:
        return None
    whole = [s.numerator * (common // s.denominator) for s in values]
    least = whole[0]
    step = gcd(*(w - least for w in whole)) or 1
    if (whole[-1] - least) // step >= affordable:
        return None
    places = np.zeros((whole[-1] - least) // step + 1, dtype=np.int64)
    places[[(w - least) // step for w in whole]] = counts
    if int(_lengths(places[None, :])[0]) > affordable:
        return None
    return Lattice(Fraction(least, common), Fraction(step, common), tuple(places.tolist()))


def counted(scores: Sequence[Number]) -> tuple[list[Number], list[int]]:
    """The distinct scores in ascending order and how often each occurs.

    >>> counted([1, Fraction(1, 2), 1])
    ([Fraction(1, 2), 1], [1, 2])
    """
    # the hash of a fraction costs more than everything else here, and equal scores of a file are one object
    ids = np.fromiter(map(id, scores), dtype=np.int64, count=len(scores))
    places, counts = np.unique(ids, return_counts=True)
    if len(places) <= FEW_OBJECTS:
        objects = [scores[int((ids == place).argmax())] for place in places]
    else:
        by_id = dict(zip(ids.tolist(), scores, strict=True))
        objects = [by_id[place] for place in places.tolist()]
    found: Counter[Number] = Counter()
    for score, count in zip(objects, counts.tolist(), strict=True):
        found[score] += count
    values = sorted(found)
    return values, [found[value] for value in values]


def common_denominator(scores: Iterable[Number]) -> int | None:
    """The least number that makes all scores whole, or None when it is beyond a million.

    >>> common_denominator([Fraction(1, 2), Fraction(2, 3)])
    6
    """
    common = 1
    for denominator in {s.denominator for s in scores}:
        common = lcm(common, denominator)
        if common > LARGEST_DENOMINATOR:
            return None
    return common


def whole_lattice(whole: IntArray, denominator: int, affordable: int) -> Lattice | None:
    """The lattice of scores that are whole numbers over one denominator, shape (scores,); see `lattice`.

    >>> whole_lattice(np.array([1, 3, 3]), 3, 100) == lattice([Fraction(1, 3), 1, 1])
    True
    """
    least = int(whole.min())
    places = whole - least
    step = int(np.gcd.reduce(places)) or 1
    places //= step
    if int(places.max()) >= affordable:
        return None
    counts = np.bincount(places)
    if int(_lengths(counts[None, :])[0]) > affordable:
        return None
    return Lattice(Fraction(least, denominator), Fraction(step, denominator), tuple(counts.tolist()))


def exact_interval(found: Lattice, level: Fraction) -> Interval:
    """The percentile interval of the mean over the exact bootstrap distribution.

    A limit is the smallest value whose distribution function reaches the quantile. One score gives no interval; equal
    scores give an interval of no width, marked degenerate.

    >>> made = exact_interval(lattice([0] * 5 + [1] * 5), Fraction(95, 100))
    >>> made.low, made.high, made.method
    (Fraction(1, 5), Fraction(4, 5), 'exact bootstrap distribution')
    """
    n = found.n
    if n < 2:
        return Interval(None, None, level, METHOD, n, note=f"n = {n}: no interval")
    if len(found.counts) == 1:
        return Interval(found.origin, found.origin, level, METHOD, n, note="degenerate: all scores are equal")
    ends = tails(np.array([found.counts], dtype=np.int64), level, zero=[found.zero])
    return interval_of(found, int(ends.low[0]), int(ends.high[0]), level)


def interval_of(found: Lattice, low: int, high: int, level: Fraction) -> Interval:
    """The interval between two sums in steps, as limits of a mean."""
    ends = (rounded(found.origin + found.step * Fraction(steps, found.n)) for steps in (low, high))
    return Interval(next(ends), next(ends), level, METHOD, found.n)


def exact_p(found: Lattice) -> Fraction:
    """Twice the smaller tail of the exact bootstrap distribution of a mean difference, at most 1.

    Zero itself belongs to both tails. Each tail counts itself once among the n to the n resamples there are, so that
    a handful of tasks never gives 0: two positive differences give 2/5.

    >>> exact_p(lattice([-1, 1])), exact_p(lattice([1, 1, 0])), exact_p(lattice([1, 2]))
    (Fraction(1, 1), Fraction(1, 7), Fraction(2, 5))
    """
    if len(found.counts) == 1:
        return smoothed(1.0 if found.origin == 0 else 0.0, found.n)
    ends = tails(np.array([found.counts], dtype=np.int64), Fraction(1, 2), zero=[found.zero])
    return smoothed(float(min(ends.at_most[0], ends.at_least[0])), found.n)


def smoothed(tail: float, n: int) -> Fraction:
    """A p-value from a tail of the distribution over all n to the n resamples: in 12 decimals, never 0.

    >>> smoothed(0.0, 3), smoothed(0.7, 3), smoothed(0.0, 100)
    (Fraction(1, 14), Fraction(1, 1), Fraction(1, 1000000000000))
    """
    if n > 11:  # one of 12**12 resamples is beyond the decimals that are kept
        p = Fraction(2 * round(max(tail, 0.0) * 10**P_DECIMALS), 10**P_DECIMALS)
    else:
        p = Fraction(2 * (round(max(tail, 0.0) * n**n) + 1), n**n + 1)
    return min(Fraction(1), max(p, Fraction(1, 10**P_DECIMALS)))


def tails(counts: IntArray, level: Fraction, *, zero: Sequence[Number] | IntArray) -> Tails:
    """Limits and tails of the sum of n draws for many rows of counts: shape (rows, values), equal n in all rows.

    `counts[r, k]` scores of row r stand k steps above its smallest; `zero[r]` is where its sum is zero, in steps. A
    row gives the same bytes whichever rows stand beside it.

    >>> ends = tails(np.array([[1, 1]]), Fraction(1, 2), zero=[1])
    >>> ends.low.tolist(), ends.high.tolist(), ends.at_most.tolist(), ends.at_least.tolist()
    ([0], [1], [0.75], [0.75])
    """
    rows = len(counts)
    n = int(counts[0].sum()) if rows else 0
    found = Tails(np.empty(rows, dtype=np.int64), np.empty(rows, dtype=np.int64), np.empty(rows), np.empty(rows))
    tail = float((1 - level) / 2)
    slack = BEYOND * (1000 + n)  # what the transform may be off by
    floors = np.array([z.numerator // z.denominator for z in zero] if not isinstance(zero, np.ndarray) else zero)
    ceilings = np.array([-(-z.numerator // z.denominator) for z in zero] if not isinstance(zero, np.ndarray) else zero)
    for here, start, distribution in _distributions(counts, n):
        low = _reaching(distribution, tail - slack)
        high = _reaching(distribution, 1 - tail - slack)
        found.low[here], found.high[here] = start + low, start + high
        found.at_most[here] = _at(distribution, floors[here] - start)
        found.at_least[here] = 1 - _at(distribution, ceilings[here] - start - 1)
    return found


def binary_limits(wins: IntArray, losses: IntArray, n: int, *, level: Fraction) -> tuple[IntArray, IntArray]:
    """Limits, in steps from −n, of the differences of pairs of 0/1 scores; each split of wins and losses is met once.

    >>> low, high = binary_limits(np.array([2, 2]), np.array([1, 1]), 4, level=Fraction(1, 2))
    >>> low.tolist(), high.tolist()
    ([4, 4], [6, 6])
    """
    splits, place = np.unique(wins * (n + 1) + losses, return_inverse=True)
    won, lost = splits // (n + 1), splits % (n + 1)
    counts = np.stack([lost, n - won - lost, won], axis=1)
    ends = tails(counts, level, zero=np.full(len(splits), n))
    return ends.low[place], ends.high[place]


def _reaching(distribution: FloatArray, share: float) -> IntArray:
    """The first place of each row where the distribution function reaches a share."""
    found: IntArray = np.minimum((distribution < share).sum(axis=1), distribution.shape[1] - 1).astype(np.int64)
    return found


def _at(distribution: FloatArray, place: IntArray) -> FloatArray:
    """The distribution function at a place, 0 before the first one."""
    last = distribution.shape[1] - 1
    found = np.take_along_axis(distribution, np.clip(place, 0, last)[:, None], axis=1)[:, 0]
    below: FloatArray = np.where(place < 0, 0.0, found)
    return below


def _distributions(counts: IntArray, n: int) -> Iterator[tuple[IntArray, IntArray, FloatArray]]:
    """Blocks of rows: (which rows, the sum at the first place of each, their distribution functions)."""
    from scipy import fft  # slow to load, and not needed to list or check anything

    lengths = _lengths(counts)
    support = n * (counts.shape[1] - 1)
    centres = counts @ np.arange(counts.shape[1])
    for length in np.unique(lengths).tolist():
        rows = np.flatnonzero(lengths == length)
        block = max(8, min(_BLOCK, (1 << 18) // length))
        for at in range(0, len(rows), block):
            here = rows[at : at + block]
            padded = np.resize(here, block)
            start = np.clip(centres[padded] - length // 2, 0, max(0, support - length + 1))
            spectrum = _power(fft.rfft(counts[padded] / n, length, axis=1), n)
            circle = fft.irfft(spectrum, length, axis=1)
            places = (start[:, None] + np.arange(length)) % length
            mass = np.take_along_axis(circle, places, axis=1)
            yield here, start[: len(here)], np.cumsum(mass.clip(min=0.0), axis=1)[: len(here)]


def _power(base: npt.NDArray[np.complex128], n: int) -> npt.NDArray[np.complex128]:
    """base to the n by squaring: more exact than logarithms, and faster."""
    found: npt.NDArray[np.complex128] | None = None
    while True:
        if n & 1:
            found = base if found is None else found * base
        n >>= 1
        if not n:
            return base if found is None else found
        base = base * base


def _lengths(counts: IntArray) -> IntArray:
    """How many places each row needs, a power of two: the whole support, or by Bernstein's bound all but 1e-15."""
    n = counts.sum(axis=1)
    values = np.arange(counts.shape[1], dtype=np.float64)
    first, second = counts @ values, counts @ values**2
    spread = np.maximum(second - first * first / n, 0.0)
    reach = -log(BEYOND / 2)
    step = reach * (counts.shape[1] - 1) / 3
    width = 2 * np.ceil(step + np.sqrt(step * step + 2 * reach * spread)) + 2
    least = np.minimum(width, n * (counts.shape[1] - 1) + 1)
    return np.asarray(1 << np.ceil(np.log2(np.maximum(least, 2))).astype(np.int64), dtype=np.int64)
