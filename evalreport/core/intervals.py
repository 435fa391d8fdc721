"""Intervals that say how they were made: Wilson for shares, percentile bootstrap for everything else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import isqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from evalreport.core.exact import Number
from evalreport.core.resample import FloatArray, distinct, multinomial_sums, stream, weighted_sums
from evalreport.core.suite import Interval

# Limits are rounded to this many decimals: beyond them stands the noise of binary floats, not the data.
LIMIT_DECIMALS = 15
ROOT_DECIMALS = 13  # binary floats hold no more than this of a root of a sum of squares
ZERO = 1e-12
FEW = 10
Statistic = Callable[[FloatArray], FloatArray]


def normal_quantile(level: Fraction) -> Fraction:
    """How many standard deviations hold this share of a normal distribution, to double precision.

    >>> round(float(normal_quantile(Fraction(95, 100))), 6)
    1.959964
    """
    _check_level(level)
    return Fraction(NormalDist().inv_cdf(float((1 + level) / 2)))


def wilson(hits: int, n: int, level: Fraction) -> Interval:
    """Which shares go with this many hits among n independent trials. Never of zero width, never outside 0 to 1.

    Not for shares of runs when a case has several runs: those are not independent. The limits are exact roots of
    the score equation, rounded to 15 decimals; n = 0 has no limits. Raises `ValueError` unless 0 <= hits <= n.
    Source: Wilson 1927.

    >>> found = wilson(10, 10, Fraction(95, 100))
    >>> round(float(found.low), 4), found.high, found.note
    (0.7225, Fraction(1, 1), '10 of 10')
    """
    if not 0 <= hits <= n:
        raise ValueError(f"{hits} hits of {n}; expected 0 to n hits")
    z = normal_quantile(level)
    if n == 0:
        return Interval(None, None, level, "Wilson", 0, note="n = 0")
    share, z2 = Fraction(hits, n), z * z
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = z / (1 + z2 / n) * _root(share * (1 - share) / n + z2 / (4 * n * n))
    low = Fraction(0) if hits == 0 else rounded(middle - half)
    high = Fraction(1) if hits == n else rounded(middle + half)
    return Interval(low, high, level, "Wilson", n, note=f"{hits} of {n}" if hits in (0, n) else "")


def bootstrap(
    sums: npt.NDArray[np.integer],
    statistics: Mapping[str, Statistic],
    *,
    ids: Iterable[str],
    level: Fraction,
    resamples: int,
    seed: int,
    purpose: str = "bootstrap",
) -> dict[str, Interval]:
    """Where each statistic falls when the units are drawn again, by percentiles of the resamples.

    `sums` has one row of whole numbers for each unit (a case: totals over its runs), shape (units, columns); a
    statistic takes the column sums of the resamples, shape (resamples, columns), and gives one value each. All
    statistics see the same resamples. The stream depends on `seed`, `purpose` and the sorted `ids` of the units.

    A percentile interval of few or of equal units is too narrow; when every resample gives the same value it has no
    width at all and its note begins with "degenerate". One unit gives no interval.

    >>> share = {"share": lambda total: total[:, 1] / total[:, 0]}
    >>> table = np.array([[1, 1]] * 10)
    >>> found = bootstrap(table, share, ids="abcdefghij", level=Fraction(19, 20), resamples=100, seed=0)["share"]
    >>> found.low, found.high, found.note
    (Fraction(1, 1), Fraction(1, 1), 'degenerate: every resample gives the same value')
    """
    _check_level(level)
    units = len(sums)
    if units < 2:
        return dict.fromkeys(statistics, no_interval(units, level, resamples, seed))
    drawn = _resampled_sums(sums, resamples, stream(seed, purpose, ids))
    return {
        name: percentile_interval(statistic(drawn), units, level=level, seed=seed)
        for name, statistic in statistics.items()
    }


def _resampled_sums(sums: npt.NDArray[np.integer], resamples: int, rng: np.random.Generator) -> FloatArray:
    """The sums of each resample; the order of the units makes no difference, for their rows are sorted first."""
    rows, counts = distinct(sums)
    # A multinomial count costs about ten times a drawn index, so merging pays when most units are merged.
    if FEW * len(rows) <= len(sums):
        return multinomial_sums(rows, counts, resamples, rng)
    return weighted_sums([np.repeat(rows, counts, axis=0)], resamples, rng)[0]


def percentile_interval(values: FloatArray, n: int, *, level: Fraction, seed: int) -> Interval:
    """The middle `level` of the values that resamples of n units gave, quantiles interpolated linearly.

    >>> percentile_interval(np.arange(101.0), 7, level=Fraction(9, 10), seed=0).high
    Fraction(95, 1)
    """
    tail = float((1 - level) / 2)
    low, high = np.quantile(values, [tail, 1 - tail], method="linear").tolist()
    constant = float(values.max() - values.min()) <= ZERO
    return Interval(
        rounded(Fraction(low)),
        rounded(Fraction(high)),
        level,
        "percentile bootstrap",
        n,
        len(values),
        seed,
        "degenerate: every resample gives the same value" if constant else "",
    )


def no_interval(n: int, level: Fraction, resamples: int, seed: int) -> Interval:
    """What stands where too few units were measured to say how far the value may be off.

    >>> no_interval(1, Fraction(19, 20), 1000, 0).note
    'n = 1: no interval'
    """
    return Interval(None, None, level, "percentile bootstrap", n, resamples, seed, f"n = {n}: no interval")


def excludes_zero(interval: Interval) -> bool | None:
    """Whether zero lies outside the interval; a limit within 1e-12 of zero is zero. None without an interval.

    >>> level = Fraction(19, 20)
    >>> excludes_zero(Interval(Fraction(1, 10), 1, level, "m", 9)), excludes_zero(no_interval(1, level, 9, 0))
    (True, None)
    """
    if interval.low is None or interval.high is None:
        return None
    return bool(interval.low > ZERO or interval.high < -ZERO)


def rounded(value: Number, decimals: int = LIMIT_DECIMALS) -> Fraction:
    """A number without the digits that come from binary floats: a limit has 15 decimals; half to even.

    >>> rounded(Fraction(0.1))
    Fraction(1, 10)
    """
    return Fraction(round(value * 10**decimals), 10**decimals)


def _root(value: Fraction, digits: int = 40) -> Fraction:
    return Fraction(isqrt(value.numerator * 10 ** (2 * digits) // value.denominator), 10**digits)


def _check_level(level: Fraction) -> None:
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; expected a share between 0 and 1, such as 0.95")
