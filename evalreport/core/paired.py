"""Models measured on the same tasks: resampled means of all of them at once, and the limits of every pair.

One matrix of weights (how often each task was drawn in each resample) serves every model over the same tasks. Its
product with the scores is the table of resampled sums; the difference of two of its columns is the resampled
difference of two models, paired by construction. Scores enter as whole numbers on a grid, so that the sums are exact
and no byte depends on how a product was split.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr

from evalreport.core.exact import Number
from evalreport.core.intervals import normal_quantile
from evalreport.core.resample import CHUNK, EXACT, FloatArray, IntArray, stream, weighted_sums

ZERO = 1e-12
FINEST = 10**12
IN_CACHE = 1 << 16  # differences sorted at one time: half a megabyte stays in the processor's cache


@dataclass(frozen=True)
class Grid:
    """Scores as whole numbers over one denominator: shape (tasks, models).

    `rounded` is true when the scores are finer than the grid and were rounded to it, half to even: that happens
    beyond 12 decimals (fewer, when there are more than 9000 tasks) and touches resampled limits only.
    """

    whole: IntArray
    denominator: int
    rounded: bool


def grid(scores: Sequence[Sequence[Number]]) -> Grid:
    """Rows of scores (one row a task, one column a model, in [-1, 1]) as whole numbers over one denominator.

    >>> made = grid([[Fraction(1, 2), 1], [Fraction(1, 3), 0]])
    >>> made.whole.tolist(), made.denominator, made.rounded
    ([[3, 6], [2, 0]], 6, False)
    """
    most = EXACT // (max(1, len(scores)) * 2)
    common = 1
    for denominator in {s.denominator for row in scores for s in row}:
        common = lcm(common, denominator)
        if common > most:
            break
    if common <= most:
        exact = [[s.numerator * (common // s.denominator) for s in row] for row in scores]
        return Grid(np.array(exact, dtype=np.int64), common, rounded=False)
    finest = FINEST
    while finest > most:
        finest //= 10
    near = [[round(s * finest) for s in row] for row in scores]
    return Grid(np.array(near, dtype=np.int64), finest, rounded=True)


def resampled_sums(whole: IntArray, *, tasks: Iterable[str], resamples: int, seed: int) -> FloatArray:
    """Sums of each model over each resample of the tasks, exact whole numbers: shape (models, resamples).

    The stream depends on the seed and on which tasks are resampled, so that every model and every pair over the same
    tasks sees the same draws, and another model changes nothing.
    """
    (sums,) = weighted_sums([whole], resamples, stream(seed, "tasks", tasks))
    return np.ascontiguousarray(sums.T)


def clustered_sums(
    whole: IntArray, clusters: Sequence[str], *, tasks: Iterable[str], resamples: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    """Sums and sizes of each resample in two stages: clusters with replacement, then tasks inside each drawn one.

    Tasks of one cluster rise and fall together, so an interval that draws tasks alone is too narrow. Returns the sums,
    shape (models, resamples), and how many tasks each resample holds, shape (resamples,): clusters differ in size, so
    the mean of a resample is a ratio.
    """
    rng = stream(seed, "clusters", [*tasks, *(f"cluster {c}" for c in clusters)])
    names = sorted(set(clusters))
    drawn = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), size=resamples)
    sums = np.zeros((whole.shape[1], resamples))
    sizes = np.zeros(resamples)
    labels = np.asarray(clusters)
    for at, name in enumerate(names):
        members = whole[labels == name].astype(np.float64)
        size = len(members)
        shares = np.full(size, 1 / size)
        for start in range(0, resamples, max(1, CHUNK // size)):
            here = slice(start, start + max(1, CHUNK // size))
            weights = rng.multinomial(drawn[here, at] * size, shares)
            sums[:, here] += members.T @ weights.T
        sizes += drawn[:, at] * size
    return sums, sizes


def difference_rows(sums: FloatArray) -> Iterator[tuple[int, FloatArray]]:
    """For each model the differences of its resamples to those of every later model: (index, rows of differences)."""
    for i in range(len(sums) - 1):
        yield i, sums[i] - sums[i + 1 :]


@dataclass(frozen=True)
class PairLimits:
    """Limits and tails of all pairs a < b in the order (0,1), (0,2), …, (1,2), …: arrays of one number a pair.

    `low` and `high` are sums (divide by tasks × denominator); `below` and `above` count the resamples in which the
    difference is not above, not below zero.
    """

    low: FloatArray
    high: FloatArray
    below: IntArray
    above: IntArray


def pair_limits(sums: FloatArray, level: Fraction) -> PairLimits:
    """Percentile limits of the difference of every pair of models, from one table of resampled sums.

    Quantiles are interpolated linearly between order statistics, as numpy's default does. Memory stays below the size
    of the table of sums plus one block of differences.
    """
    models, resamples = sums.shape
    pairs = models * (models - 1) // 2
    low, high = np.empty(pairs), np.empty(pairs)
    below, above = np.empty(pairs, dtype=np.int64), np.empty(pairs, dtype=np.int64)
    block = max(1, IN_CACHE // resamples)

    def fill(i: int) -> None:
        at = i * (2 * models - i - 1) // 2
        for start in range(i + 1, models, block):
            rows = sums[i] - sums[start : start + block]
            rows.sort(axis=1)
            here = slice(at, at + len(rows))
            low[here], high[here] = sorted_quantiles(rows, level)
            below[here] = np.count_nonzero(rows <= ZERO, axis=1)
            above[here] = np.count_nonzero(rows >= -ZERO, axis=1)
            at += len(rows)

    # sorting leaves the interpreter free, and every pair has its own place: threads change no byte
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        list(threads.map(fill, range(models - 1)))
    return PairLimits(low, high, below, above)


def sorted_quantiles(rows: FloatArray, level: Fraction) -> tuple[FloatArray, FloatArray]:
    """The lower and upper percentile of each sorted row, interpolated linearly.

    >>> [q.tolist() for q in sorted_quantiles(np.arange(101.0)[None, :], Fraction(9, 10))]
    [[5.0], [95.0]]
    """
    last = rows.shape[1] - 1
    found = []
    for share in ((1 - level) / 2, (1 + level) / 2):
        place = share * last
        under = place.numerator // place.denominator
        rest = float(place - under)
        over = min(under + 1, last)
        found.append(rows[:, under] + rest * (rows[:, over] - rows[:, under]))
    return found[0], found[1]


def max_t(sums: FloatArray, level: Fraction) -> float | None:
    """How many standard errors every pair's difference must stay within at once, by the resamples.

    The largest studentised deviation over all pairs is taken in each resample; its quantile at `level` makes limits
    that hold for all pairs together. None when no pair varies.
    """
    resamples = sums.shape[1]
    largest = np.zeros(resamples)
    varies = False
    for _, rows in difference_rows(sums):
        centred = rows - rows.mean(axis=1, keepdims=True)
        errors = centred.std(axis=1, ddof=1) if resamples > 1 else np.zeros(len(rows))
        moving = errors > ZERO
        if moving.any():
            varies = True
            scaled = np.abs(centred[moving]) / errors[moving, None]
            largest = np.maximum(largest, scaled.max(axis=0))
    return float(np.quantile(largest, float(level))) if varies else None


def mcnemar(wins: int, losses: int) -> Fraction:
    """How likely so uneven a split of the discordant tasks is when both models are equally good. Exact, two-sided.

    For scores of 0 and 1: `wins` tasks only the first solved, `losses` tasks only the second solved. Twice the smaller
    binomial tail, at most 1. Source: McNemar 1947.

    >>> mcnemar(5, 0), mcnemar(0, 0)
    (Fraction(1, 16), Fraction(1, 1))
    """
    n, few = wins + losses, min(wins, losses)
    if n <= 2000:
        tail, term = 0, 1
        for k in range(few + 1):
            tail += term
            term = term * (n - k) // (k + 1)
        return min(Fraction(1), Fraction(2 * tail, 2**n))
    return min(Fraction(1), Fraction(2 * float(bdtr(few, n, 0.5))))


def clustered_error(values: npt.ArrayLike, clusters: Sequence[str]) -> float | None:
    """The standard error of a mean when tasks of one cluster rise and fall together.

    Sums of deviations within each cluster, with the factor G / (G − 1) for G clusters (CR1 for a mean). With every
    task its own cluster it is the ordinary standard error. None with fewer than two clusters.

    >>> clustered_error([0.0, 1.0], ["a", "b"])
    0.5
    """
    x = np.asarray(values, dtype=np.float64)
    names, at = np.unique(np.asarray(clusters), return_inverse=True)
    if len(names) < 2:
        return None
    within = np.bincount(at, weights=x - x.mean())
    groups = len(names)
    return float(np.sqrt(groups / (groups - 1) * (within**2).sum()) / len(x))


def detectable(spread: float, n: int, *, level: Fraction, power: Fraction = Fraction(4, 5)) -> float:
    """The smallest true difference of means that n paired tasks would find with this power.

    `spread` is the standard deviation of the paired differences. Normal approximation: the quantiles of the two-sided
    level and of the power, times the standard error.

    >>> round(detectable(0.5, 164, level=Fraction(95, 100)), 4)
    0.1094
    """
    both = normal_quantile(level) + normal_quantile(2 * power - 1)
    return float(both) * spread / float(np.sqrt(n))


def binary_splits(whole: IntArray) -> tuple[IntArray, IntArray]:
    """For 0/1 scores: how many tasks model a alone solved, and b alone, for every pair a < b in pair order."""
    solved = whole.astype(np.float64)
    wins = (solved.T @ (1 - solved)).round().astype(np.int64)
    upper = np.triu_indices(whole.shape[1], 1)
    return wins[upper], wins.T[upper]
