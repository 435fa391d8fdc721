"""Models measured on the same tasks: resampled means of all of them at once, and the limits of every pair.

One matrix of weights (how often each task was drawn in each resample) serves every model over the same tasks. Its
product with the scores is the table of resampled sums; the difference of two models' resampled means is paired by
construction. Scores enter as whole numbers on a grid, so that the sums are exact and no byte depends on how a product
was split.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

import numpy as np
import numpy.typing as npt

from evalreport.core.exact import Number
from evalreport.core.intervals import normal_quantile
from evalreport.core.lattice import counted
from evalreport.core.resample import CHUNK, EXACT, FloatArray, IntArray, multinomial_sums, stream, weighted_sums

ZERO = 1e-12
FINEST = 10**12
FINEST_WEIGHT = 10**6
POWER = Fraction(4, 5)  # how often a true difference is to be found where no power is set
FEW = 3  # columns up to which gathering scores is sooner than a matrix of weights
GATHERED = 1 << 18  # scores gathered at one time: with their places they stay in the cache
IN_CACHE = 1 << 16  # differences sorted at one time: half a megabyte stays in the processor's cache


@dataclass(frozen=True)
class Grid:
    """Scores as whole numbers over one denominator, shape (tasks, models), and how much each task counts.

    Scores of up to 12 decimals stand on the grid exactly (fewer with more than 9000 tasks or with uneven weights);
    finer ones are rounded to it, half to even. The grid depends on the tasks alone: what another model scored changes
    nothing.
    """

    whole: IntArray
    weights: IntArray
    denominator: int


def grid(scores: Sequence[Sequence[Number]], weights: Sequence[Number] | None = None) -> Grid:
    """Rows of scores (one row a task, one column a model, in [-1, 1]) and the tasks' weights as whole numbers.

    >>> made = grid([[Fraction(1, 2), 1], [Fraction(1, 3), 0]])
    >>> made.whole.tolist(), made.denominator, made.weights.tolist()
    ([[500000000000, 1000000000000], [333333333333, 0]], 1000000000000, [1, 1])
    """
    tasks = len(scores)
    counts = _whole_weights(weights) if weights is not None else [1] * tasks
    denominator = FINEST
    while denominator * max(counts, default=1) * max(tasks, 1) * 2 >= EXACT:
        denominator //= 10
    whole = np.array([[_nearest(score, denominator) for score in row] for row in scores], dtype=np.int64)
    return Grid(whole.reshape(tasks, -1), np.array(counts, dtype=np.int64), denominator)


def _nearest(score: Number, denominator: int) -> int:
    """round(score * denominator) without making a fraction of every score."""
    whole, rest = divmod(score.numerator * denominator, score.denominator)
    twice = 2 * rest
    return whole + (twice > score.denominator or (twice == score.denominator and whole % 2 == 1))


def _whole_weights(weights: Sequence[Number]) -> list[int]:
    common = lcm(*{w.denominator for w in weights})
    exact = [w.numerator * (common // w.denominator) for w in weights]
    shared = gcd(*exact) or 1
    largest = max(exact, default=0) // shared
    if largest <= FINEST_WEIGHT:
        return [w // shared for w in exact]
    # a weight that is there counts, however small it is beside the largest
    return [max(1, round(Fraction(w * FINEST_WEIGHT, largest * shared))) if w else 0 for w in exact]


def resampled_means(
    made: Grid, *, tasks: Sequence[str], resamples: int, seed: int, clusters: Sequence[str] | None = None
) -> FloatArray:
    """Means of each model over each resample of the tasks: shape (models, resamples).

    The stream depends on the seed and on which tasks are resampled, so that every model and every pair over the same
    tasks sees the same draws, and another model changes nothing. With `clusters` (one name a task) a resample has two
    stages: clusters with replacement, then tasks inside each drawn one. Tasks of one cluster rise and fall together,
    so that an interval that draws tasks alone is too narrow.
    """
    table = np.column_stack([made.whole * made.weights[:, None], made.weights])
    if clusters is not None:
        sums = _clustered_sums(table, clusters, tasks=tasks, resamples=resamples, seed=seed)
    elif table.shape[1] <= FEW:
        sums = _gathered_sums(table, resamples, stream(seed, "tasks", tasks))
    else:
        (sums,) = weighted_sums([table], resamples, stream(seed, "tasks", tasks))
    return np.ascontiguousarray((sums[:, :-1] / (sums[:, -1:] * made.denominator)).T)


def _gathered_sums(table: IntArray, resamples: int, rng: np.random.Generator) -> FloatArray:
    """The sums that `weighted_sums` gives from the same stream, sooner where there are only a few columns."""
    units = len(table)
    found = np.empty((resamples, table.shape[1]))
    block = max(1, GATHERED // units)  # the generator gives the same numbers in whatever portions they are asked for
    for start in range(0, resamples, block):
        here = slice(start, min(start + block, resamples))
        drawn = rng.integers(units, size=(here.stop - start, units))
        for column in range(table.shape[1]):
            values = table[:, column]
            constant = int(values[0]) if (values == values[0]).all() else None
            found[here, column] = values[drawn].sum(axis=1) if constant is None else constant * units
    return found


def _clustered_sums(
    table: IntArray, clusters: Sequence[str], *, tasks: Sequence[str], resamples: int, seed: int
) -> FloatArray:
    rng = stream(seed, "clusters", (f"{task}\n{cluster}" for task, cluster in zip(tasks, clusters, strict=True)))
    names, at_names = codes(clusters)
    drawn = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), size=resamples)
    sums = np.zeros((resamples, table.shape[1]))
    for at in range(len(names)):
        members = table[at_names == at].astype(np.float64)
        size = len(members)
        block = max(1, CHUNK // size)
        for start in range(0, resamples, block):
            here = slice(start, start + block)
            sums[here] += rng.multinomial(drawn[here, at] * size, np.full(size, 1 / size)) @ members
    return sums


def codes(names: Sequence[str]) -> tuple[list[str], IntArray]:
    """The distinct names in order, and for each entry the place of its name among them.

    >>> found, at = codes(["b", "a", "b"])
    >>> found, at.tolist()
    (['a', 'b'], [1, 0, 1])
    """
    found = sorted(set(names))
    place = {name: at for at, name in enumerate(found)}
    return found, np.array([place[name] for name in names], dtype=np.int64)


def distinct_means(scores: Sequence[Number], *, tasks: Iterable[str], resamples: int, seed: int) -> FloatArray:
    """Means of resamples of very many scores of few distinct values: the cost does not grow with how many there are."""
    values, counts = counted(scores)
    denominator = FINEST
    while denominator * len(scores) * 2 >= EXACT:
        denominator //= 10
    whole = np.array([[_nearest(value, denominator)] for value in values], dtype=np.int64)
    sums = multinomial_sums(whole, counts, resamples, stream(seed, "distinct", tasks))
    return sums[:, 0] / (len(scores) * denominator)


@dataclass(frozen=True)
class PairLimits:
    """Limits and tails of pairs, in their order: arrays of one number a pair.

    `below` and `above` count the resamples in which the difference is not above, not below zero; `spread` is how far
    the largest resampled difference is from the smallest.
    """

    low: FloatArray
    high: FloatArray
    below: IntArray
    above: IntArray
    spread: FloatArray


def pair_limits(means: FloatArray, first: IntArray, second: IntArray, level: Fraction) -> PairLimits:
    """Percentile limits of the difference of two rows of one table of resampled means, for many pairs of rows.

    `means` has shape (models, resamples); `first` and `second` are rows of it, shape (pairs,). Quantiles are
    interpolated linearly between order statistics, as numpy's default does. Memory stays below the size of the table
    plus a block of differences for each processor.

    >>> table = np.array([np.arange(101.0), np.zeros(101)])
    >>> found = pair_limits(table, np.array([0]), np.array([1]), Fraction(9, 10))
    >>> found.low.tolist(), found.high.tolist(), found.below.tolist(), found.above.tolist()
    ([5.0], [95.0], [1], [101])
    """
    pairs, resamples = len(first), means.shape[1]
    low, high, spread = np.empty(pairs), np.empty(pairs), np.empty(pairs)
    below, above = np.empty(pairs, dtype=np.int64), np.empty(pairs, dtype=np.int64)
    block = max(1, IN_CACHE // resamples)

    def fill(start: int) -> None:
        here = slice(start, min(start + block, pairs))
        rows = means[first[here]] - means[second[here]]
        rows.sort(axis=1)
        low[here], high[here] = sorted_quantiles(rows, level)
        spread[here] = rows[:, -1] - rows[:, 0]
        below[here] = np.count_nonzero(rows <= ZERO, axis=1)
        above[here] = np.count_nonzero(rows >= -ZERO, axis=1)

    _threaded(fill, range(0, pairs, block))
    return PairLimits(low, high, below, above, spread)


def _threaded(fill: Callable[[int], None], starts: Iterable[int]) -> None:
    # numpy leaves the interpreter free, and every pair has its own place: threads change no byte
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for _ in threads.map(fill, starts):
            pass


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


@dataclass(frozen=True)
class Deviations:
    """How far resampled differences stray: the standard error of each pair, and in each resample the largest
    deviation of all pairs, in standard errors. `varying` pairs are those whose difference is not the same always.
    """

    errors: FloatArray
    largest: FloatArray
    varying: int


def deviations(means: FloatArray, first: IntArray, second: IntArray) -> Deviations:
    """Standard errors of the differences of many pairs of rows, and the largest studentised deviation by resample.

    `means` has shape (models, resamples); `first` and `second` are rows of it, shape (pairs,).

    >>> found = deviations(np.array([[0.0, 1.0, 2.0], [0.0, 0.0, 0.0]]), np.array([0]), np.array([1]))
    >>> found.errors.tolist(), found.largest.tolist(), found.varying
    ([1.0], [1.0, 0.0, 1.0], 1)
    """
    resamples = means.shape[1]
    errors = np.zeros(len(first))
    largest = np.zeros(resamples)
    varying = 0
    block = max(1, IN_CACHE // resamples)
    for start in range(0, len(first), block):
        here = slice(start, start + block)
        rows = means[first[here]] - means[second[here]]
        rows -= rows.mean(axis=1, keepdims=True)
        found = rows.std(axis=1, ddof=1) if resamples > 1 else np.zeros(len(rows))
        moving = found > ZERO
        errors[here] = np.where(moving, found, 0.0)
        if moving.any():
            varying += int(moving.sum())
            largest = np.maximum(largest, (np.abs(rows[moving]) / found[moving, None]).max(axis=0))
    return Deviations(errors, largest, varying)


def max_t(groups: Sequence[Deviations], level: Fraction) -> float | None:
    """How many standard errors the difference of every pair must stay within at once, by the resamples.

    The largest studentised deviation over all pairs is taken in each resample; its quantile at `level` makes limits
    that hold for all pairs together. Groups were drawn apart (over other tasks). None when no pair varies.

    >>> max_t([Deviations(np.ones(1), np.arange(101.0), 1)], Fraction(9, 10))
    90.0
    """
    moving = [group.largest for group in groups if group.varying]
    return float(np.quantile(np.maximum.reduce(moving), float(level))) if moving else None


@lru_cache(maxsize=1 << 16)
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
    from scipy.special import bdtr  # slow to load, and seldom needed

    return min(Fraction(1), Fraction(2 * float(bdtr(few, n, 0.5))))


def clustered_error(values: npt.ArrayLike, clusters: Sequence[str], weights: FloatArray | None = None) -> float | None:
    """The standard error of a mean when tasks of one cluster rise and fall together.

    Sums of deviations within each cluster, with the factor G / (G − 1) for G clusters (CR1 for a mean). With every
    task its own cluster it is the ordinary standard error. None with fewer than two clusters.

    >>> clustered_error([0.0, 1.0], ["a", "b"])
    0.5
    """
    x = np.asarray(values, dtype=np.float64)[:, None]
    column = np.hstack([x, np.zeros_like(x)])
    ones = np.ones(len(x)) if weights is None else weights
    pair = np.array([0], dtype=np.int64), np.array([1], dtype=np.int64)
    error = float(pair_errors(column, *pair, weights=ones, clusters=clusters)[0])
    return None if np.isnan(error) else error


def pair_errors(
    scores: FloatArray, first: IntArray, second: IntArray, *, weights: FloatArray, clusters: Sequence[str]
) -> FloatArray:
    """Standard errors of the mean differences of many pairs of columns: `clustered_error` of each, with weights.

    `scores` has shape (tasks, models), `weights` (tasks,), with a cluster's name for each task; `first` and `second`
    are columns, shape (pairs,). A cluster without any weight is none. NaN with fewer than two clusters.

    >>> table, ones = np.array([[0.0, 0.0], [1.0, 0.0]]), np.ones(2)
    >>> pair_errors(table, np.array([0]), np.array([1]), weights=ones, clusters=["a", "b"]).tolist()
    [0.5]
    """
    names, at = codes(clusters)
    order = np.argsort(at, kind="stable")
    starts = np.searchsorted(at[order], np.arange(len(names)))
    ranked, scale = scores[order], weights[order][:, None]
    found = np.full(len(first), np.nan)
    groups = len(np.unique(at[weights > 0]))
    total = scale.sum()
    if groups < 2:
        return found
    block = max(1, CHUNK // (8 * len(ranked)))

    def fill(start: int) -> None:
        here = slice(start, start + block)
        rows = ranked[:, first[here]] - ranked[:, second[here]]
        rows -= (rows * scale).sum(axis=0) / total
        within = np.add.reduceat(rows * scale, starts, axis=0)
        found[here] = np.sqrt(groups / (groups - 1) * (within**2).sum(axis=0)) / total

    _threaded(fill, range(0, len(first), block))
    return found


def detectable(error: float, *, level: Fraction, power: Fraction = POWER) -> float:
    """The smallest true difference of means that would be found with this power, given its standard error.

    Normal approximation: the quantiles of the two-sided level and of the power, times the standard error.

    >>> round(detectable(0.5 / 164**0.5, level=Fraction(95, 100)), 4)
    0.1094
    """
    return float(normal_quantile(level) + normal_quantile(2 * power - 1)) * error


def binary_splits(whole: IntArray, first: IntArray, second: IntArray) -> tuple[IntArray, IntArray]:
    """For 0/1 scores, shape (tasks, models): how many tasks the first of each pair alone solved, and the second alone.

    >>> wins, losses = binary_splits(np.array([[1, 0], [1, 0], [0, 1]]), np.array([0]), np.array([1]))
    >>> wins.tolist(), losses.tolist()
    ([2], [1])
    """
    solved = whole.astype(np.float64)
    wins = (solved.T @ (1 - solved)).round().astype(np.int64)
    return wins[first, second], wins[second, first]
