"""How often intervals hold the true value: each kind simulated many times, beside how often it has no width.

Run `python benchmarks/coverage.py [TIMES]`. A rate over 2000 simulations is off by about half a percent.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from evalreport.core.intervals import percentile_interval, wilson
from evalreport.core.lattice import exact_interval, lattice
from evalreport.core.paired import grid, resampled_means
from evalreport.core.suite import Interval

LEVEL = Fraction(95, 100)
RESAMPLES = 1000
TIMES = 2000
Simulation = Callable[[np.random.Generator], tuple[float, Interval]]


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
)


def coverage(simulate: Simulation, times: int) -> tuple[float, float]:
    """Share of the intervals that hold the true value, and share that have no width."""
    rng = np.random.default_rng(20_26)
    held = flat = 0
    for _ in range(times):
        truth, found = simulate(rng)
        if found.low is None or found.high is None:
            continue
        held += float(found.low) - 1e-12 <= truth <= float(found.high) + 1e-12
        flat += found.low == found.high
    return held / times, flat / times


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else TIMES
    print("| interval at 95 % | holds the truth | no width |\n|---|---|---|")
    for name, simulation in SIMULATIONS:
        held, flat = coverage(simulation, count)
        print(f"| {name} | {100 * held:.1f} % | {100 * flat:.1f} % |", flush=True)
