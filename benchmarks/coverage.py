"""How often intervals hold the true value: each kind simulated many times, beside how often it has no width.

Run `python benchmarks/coverage.py [TIMES]`. A rate over 2000 simulations is off by about half a percent. Where
limits are made for several values at once, they hold when all of them do.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from evalreport.core.intervals import bootstrap, percentile_interval, wilson
from evalreport.core.lattice import binary_limits, exact_interval, lattice
from evalreport.core.paired import deviations, grid, max_t, pair_limits, resampled_means
from evalreport.core.suite import Interval

LEVEL = Fraction(95, 100)
RESAMPLES = 1000
TIMES = 2000
Limits = tuple[float, float]
Simulation = Callable[[np.random.Generator], tuple[float, Interval] | list[tuple[float, Limits]]]


def shares(n: int, p: float, way: Callable[[np.ndarray], Interval]) -> Simulation:
    """n tasks that a model solves with probability p each."""
    return lambda rng: (p, way((rng.random(n) < p).astype(np.int64)))


def by_wilson(solved: np.ndarray) -> Interval:
    return wilson(int(solved.sum()), len(solved), LEVEL)


def exactly(whole: np.ndarray, denominator: int = 1) -> Interval:
    found = lattice([Fraction(int(k), denominator) for k in whole])
    assert found is not None
    return exact_interval(found, LEVEL)


def by_drawing(scores: np.ndarray, clusters: list[str] | None = None) -> Interval:
    rows = [[Fraction(round(x * 10**6), 10**6)] for x in scores.tolist()]
    tasks = [str(t) for t in range(len(rows))]
    means = resampled_means(grid(rows), tasks=tasks, resamples=RESAMPLES, seed=0, clusters=clusters)
    return percentile_interval(means[0], len(rows), level=LEVEL, seed=0)


def thirds(n: int) -> Simulation:
    """n tasks with 0 to 3 of 3 points."""
    return lambda rng: (0.7, exactly(rng.binomial(3, 0.7, size=n), 3))


def continuous(n: int) -> Simulation:
    """n tasks with skewed continuous scores of mean 0.8."""
    return lambda rng: (0.8, by_drawing(rng.beta(4, 1, size=n)))


def clustered(clusters: int, size: int, *, together: bool) -> Simulation:
    """Tasks of one cluster share their difficulty; drawn cluster by cluster, or task by task as if they did not."""

    def simulate(rng: np.random.Generator) -> tuple[float, Interval]:
        level = np.repeat(rng.beta(2, 2, size=clusters), size)
        scores = np.clip(level + rng.normal(0, 0.05, size=clusters * size), 0, 1)
        names = [f"c{at // size}" for at in range(clusters * size)]
        return 0.5, by_drawing(scores, names if together else None)

    return simulate


def weighted(n: int) -> Simulation:
    """n tasks with weights from 1 to 5 and continuous scores of mean 0.8, whatever the weight."""

    def simulate(rng: np.random.Generator) -> tuple[float, Interval]:
        rows = [[Fraction(round(x * 10**6), 10**6)] for x in rng.beta(4, 1, size=n).tolist()]
        weights = [int(w) for w in rng.integers(1, 6, size=n)]
        means = resampled_means(grid(rows, weights), tasks=[str(t) for t in range(n)], resamples=RESAMPLES, seed=0)
        return 0.8, percentile_interval(means[0], n, level=LEVEL, seed=0)

    return simulate


def paired(models: int, tasks: int, *, at_once: bool) -> Simulation:
    """All pairs of models, a tenth apart from the best to the worst, on tasks that are hard or easy for all of them.

    `at_once`: the limits that are to hold for all pairs together; else those of one pair alone.
    """
    truth = np.linspace(0.6, 0.5, models)
    first, second = np.triu_indices(models, k=1)

    def simulate(rng: np.random.Generator) -> list[tuple[float, Limits]]:
        hard = rng.normal(0, 0.1, size=(tasks, 1))
        scores = np.clip(truth + hard + rng.normal(0, 0.1, size=(tasks, models)), 0, 1)
        rows = [[Fraction(round(x * 10**6), 10**6) for x in row] for row in scores.tolist()]
        means = resampled_means(grid(rows), tasks=[str(t) for t in range(tasks)], resamples=RESAMPLES, seed=0)
        apart = truth[first] - truth[second]
        if not at_once:
            limits = pair_limits(means, first[:1], second[:1], LEVEL)
            return [(float(apart[0]), (float(limits.low[0]), float(limits.high[0])))]
        strayed = deviations(means, first, second)
        reach = max_t([strayed], LEVEL) or 0.0
        found = scores.mean(axis=0)
        differences = found[first] - found[second]
        low, high = differences - reach * strayed.errors, differences + reach * strayed.errors
        return [(float(a), (float(b), float(c))) for a, b, c in zip(apart, low, high, strict=True)]

    return simulate


def solved_by_either(tasks: int) -> Simulation:
    """Two models that solve 0.7 and 0.6 of the tasks, by the exact distribution of the difference."""

    def simulate(rng: np.random.Generator) -> list[tuple[float, Limits]]:
        luck = rng.random(tasks)
        one, other = luck < 0.7, np.where(rng.random(tasks) < 0.5, luck, rng.random(tasks)) < 0.6
        wins, losses = (np.array([(a & ~b).sum()]) for a, b in ((one, other), (other, one)))
        low, high = binary_limits(wins, losses, tasks, level=LEVEL)
        return [(0.1, (int(low[0]) / tasks - 1, int(high[0]) / tasks - 1))]

    return simulate


def cases_with_runs(cases: int, runs: int) -> Simulation:
    """Cases that are hard or easy in all of their runs; the cases are drawn again, with all their runs."""

    def simulate(rng: np.random.Generator) -> tuple[float, Interval]:
        hits = rng.binomial(runs, rng.beta(2, 1, size=cases))
        sums = np.column_stack([np.full(cases, runs), hits])
        share = {"share": lambda total: total[:, 1] / total[:, 0]}
        ids = [str(case) for case in range(cases)]
        return 2 / 3, bootstrap(sums, share, ids=ids, level=LEVEL, resamples=RESAMPLES, seed=0)["share"]

    return simulate


def composite(sizes: tuple[int, ...], accuracy: float) -> Simulation:
    """The mean of the accuracies of subsets of very different size, by drawing each subset's hits again."""

    def simulate(rng: np.random.Generator) -> tuple[float, Interval]:
        hits = [rng.binomial(n, accuracy) for n in sizes]
        drawn = [rng.binomial(n, k / n, size=RESAMPLES) / n for n, k in zip(sizes, hits, strict=True)]
        return accuracy, percentile_interval(np.mean(drawn, axis=0), sum(sizes), level=LEVEL, seed=0)

    return simulate


SIMULATIONS: tuple[tuple[str, Simulation], ...] = (
    ("Wilson, n = 50, p = 0.95", shares(50, 0.95, by_wilson)),
    ("exact bootstrap, n = 50, p = 0.95", shares(50, 0.95, exactly)),
    ("Wilson, n = 164, p = 0.7", shares(164, 0.7, by_wilson)),
    ("exact bootstrap, n = 164, p = 0.7", shares(164, 0.7, exactly)),
    ("exact bootstrap, thirds, n = 60", thirds(60)),
    ("percentile bootstrap, continuous, n = 12", continuous(12)),
    ("percentile bootstrap, continuous, n = 60", continuous(60)),
    ("two stages, 20 clusters of 5", clustered(20, 5, together=True)),
    ("the same tasks as if independent", clustered(20, 5, together=False)),
    ("weighted mean, n = 60", weighted(60)),
    ("difference of a pair, 60 tasks", paired(5, 60, at_once=False)),
    ("ten pairs at once, 60 tasks", paired(5, 60, at_once=True)),
    ("exact difference of a pair, 0/1, n = 164", solved_by_either(164)),
    ("40 cases of 3 runs, cases drawn", cases_with_runs(40, 3)),
    ("mean of five subsets by their binomials", composite((31, 50, 100, 200, 400), 0.8)),
)


def _limits(found: tuple[float, Interval] | list[tuple[float, Limits]]) -> list[tuple[float, Limits | None]]:
    if isinstance(found, list):
        return [*found]
    truth, interval = found
    none = interval.low is None or interval.high is None
    return [(truth, None if none else (float(interval.low or 0), float(interval.high or 0)))]


def coverage(simulate: Simulation, times: int) -> tuple[float, float]:
    """Share of the intervals that hold the true value, and share that have no width."""
    rng = np.random.default_rng(20_26)
    held = flat = 0
    for _ in range(times):
        limits = [(truth, ends) for truth, ends in _limits(simulate(rng)) if ends is not None]
        held += bool(limits) and all(low - 1e-12 <= truth <= high + 1e-12 for truth, (low, high) in limits)
        flat += any(low == high for _, (low, high) in limits)
    return held / times, flat / times


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else TIMES
    print("| interval at 95 % | holds the truth | no width |\n|---|---|---|")
    for name, simulation in SIMULATIONS:
        held, flat = coverage(simulation, count)
        print(f"| {name} | {100 * held:.1f} % | {100 * flat:.1f} % |", flush=True)
