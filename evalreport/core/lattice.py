"""The bootstrap distribution itself, where scores stand on a lattice: no resampling, no seed.

When every score is one of a few equally spaced values (0 or 1, thirds, half points), the sum of n draws has finitely
many values, and their probabilities are the n-fold convolution of the shares of the scores. The Fourier transform
turns the convolution into a power, so the whole distribution costs less than a few resamples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

import numpy as np
from scipy import fft

from evalreport.core.exact import Number
from evalreport.core.intervals import LIMIT_DECIMALS
from evalreport.core.resample import FloatArray
from evalreport.core.suite import Interval

METHOD = "exact bootstrap distribution"
# Values that the sum may take at most; beyond it drawing is cheaper than the transform (about 0.1 s).
AFFORDABLE = 1 << 20
LARGEST_DENOMINATOR = 10**6


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
    def size(self) -> int:
        """How many values the sum of n draws may take."""
        return self.n * (len(self.counts) - 1) + 1


def lattice(scores: Sequence[Number]) -> Lattice | None:
    """The lattice that the scores stand on, or None when it is too fine to be worth it.

    >>> lattice([Fraction(1, 3), 1, 1])
    Lattice(origin=Fraction(1, 3), step=Fraction(2, 3), counts=(1, 2))
    >>> lattice([Fraction(1, 10**7), 0]) is None
    True
    """
    if not scores:
        return None
    common = lcm(*{s.denominator for s in scores})
    if common > LARGEST_DENOMINATOR:
        return None
    whole = [s.numerator * (common // s.denominator) for s in scores]
    least = min(whole)
    step = gcd(*(w - least for w in whole)) or 1
    places = [(w - least) // step for w in whole]
    if len(scores) * max(places) >= AFFORDABLE:
        return None
    counts = [0] * (max(places) + 1)
    for place in places:
        counts[place] += 1
    return Lattice(Fraction(least, common), Fraction(step, common), tuple(counts))


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
    low, high = quantiles(found.counts, (1 - level) / 2)
    return Interval(_limit(found, low), _limit(found, high), level, METHOD, n)


def exact_p(found: Lattice) -> Fraction:
    """Twice the smaller tail of the exact bootstrap distribution of a mean difference, at most 1.

    The probabilities are binary floats, rounded to 12 decimals. Zero itself belongs to both tails.

    >>> exact_p(lattice([-1, 1])), exact_p(lattice([1, 1, 0]))
    (Fraction(1, 1), Fraction(37037037037, 500000000000))
    """
    if len(found.counts) == 1:
        return Fraction(1) if found.origin == 0 else Fraction(0)
    distribution = cumulative(found.counts)
    # sum of draws = n × origin + step × k, so it is zero at k = -n × origin / step
    zero = Fraction(-found.n * found.origin, found.step)
    below = _at(distribution, zero.numerator // zero.denominator)
    above = 1 - _at(distribution, -(-zero.numerator // zero.denominator) - 1)
    return min(Fraction(1), 2 * Fraction(round(max(min(below, above), 0.0) * 10**12), 10**12))


def quantiles(counts: tuple[int, ...], tail: Fraction) -> tuple[int, int]:
    """The sums (in steps) at which the distribution function reaches `tail` and 1 − `tail`.

    >>> quantiles((1, 1), Fraction(1, 4)), quantiles((1, 1), Fraction(1, 5))
    ((0, 1), (0, 2))
    """
    distribution = cumulative(counts)
    slack = 1e-12 + 1e-15 * len(distribution)  # what the transform may be off by
    low = int(np.searchsorted(distribution, float(tail) - slack))
    high = int(np.searchsorted(distribution, float(1 - tail) - slack))
    return low, high


@lru_cache(maxsize=64)
def cumulative(counts: tuple[int, ...]) -> FloatArray:
    """The distribution function of the sum of n draws with replacement, in steps 0, 1, …, n × (values − 1)."""
    n = sum(counts)
    size = n * (len(counts) - 1) + 1
    length = fft.next_fast_len(size, real=True)
    spectrum = fft.rfft(np.asarray(counts, dtype=np.float64) / n, length)
    found: FloatArray = np.cumsum(fft.irfft(spectrum**n, length)[:size].clip(min=0.0))
    found.setflags(write=False)
    return found


def _at(distribution: FloatArray, k: int) -> float:
    return 0.0 if k < 0 else float(distribution[min(k, len(distribution) - 1)])


def _limit(found: Lattice, steps: int) -> Fraction:
    exact = found.origin + found.step * Fraction(steps, found.n)
    return (
        exact
        if exact.denominator < 10**LIMIT_DECIMALS
        else Fraction(round(exact * 10**LIMIT_DECIMALS), 10**LIMIT_DECIMALS)
    )
