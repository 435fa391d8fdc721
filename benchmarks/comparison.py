"""How long intervals of models and of all their pairs take, against the loop for each pair and against scipy.

Run `python benchmarks/comparison.py`. Each way runs in a child process of its own, so that its peak memory is its
own; the loop is measured on a sample of pairs, scipy on few resamples, and both are scaled to the whole. The last
group is the whole command, from the file to the files.
"""

from __future__ import annotations

import multiprocessing
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
from scipy import stats

from evalreport.core.intervals import percentile_interval
from evalreport.core.lattice import binary_limits, exact_interval, lattice
from evalreport.core.paired import binary_splits, distinct_means, grid, pair_limits, resampled_means

MODELS = TASKS = RESAMPLES = 1000
PAIRS = MODELS * (MODELS - 1) // 2
LEVEL = Fraction(95, 100)
SAMPLE = 20
REPEATS = 3
MANY, MANY_RESAMPLES = 1_000_000, 10_000


def measured(work: Callable[[], float]) -> tuple[float, float]:
    """Seconds that the work took, as it tells them, and the peak memory of its process in MB: the best of a few."""
    found = []
    for _ in range(REPEATS):
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            found.append(pool.apply(_in_child, (work,)))
    return min(found)


def _in_child(work: Callable[[], float]) -> tuple[float, float]:
    seconds = work()
    own, others = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return seconds, max(own, others) / 1024


def continuous() -> np.ndarray:
    """Scores with six decimals: shape (tasks, models)."""
    return np.random.default_rng(0).integers(0, 10**6 + 1, size=(TASKS, MODELS))


def binary() -> np.ndarray:
    """Scores of 0 and 1 of models between 20 % and 90 %: shape (tasks, models)."""
    rng = np.random.default_rng(0)
    return (rng.random((TASKS, MODELS)) < np.linspace(0.2, 0.9, MODELS)).astype(np.int64)


def loop() -> float:
    """One draw of the tasks after the other, for each pair: a sample of pairs, scaled to all of them."""
    scores = continuous() / 10**6
    start = time.perf_counter()
    for a in range(SAMPLE):
        rng = np.random.default_rng(a)
        difference = scores[:, a] - scores[:, a + 1]
        means = np.empty(RESAMPLES)
        for draw in range(RESAMPLES):
            means[draw] = difference[rng.integers(0, TASKS, size=TASKS)].mean()
        np.quantile(means, [0.025, 0.975])
    return (time.perf_counter() - start) / SAMPLE * PAIRS


def all_pairs() -> float:
    """One table of resampled means, then the limits of every pair."""
    scores = [[Fraction(int(x), 10**6) for x in row] for row in continuous()]
    first, second = (side.astype(np.int64) for side in np.triu_indices(MODELS, 1))
    start = time.perf_counter()
    tasks = [f"task-{t}" for t in range(TASKS)]
    means = resampled_means(grid(scores), tasks=tasks, resamples=RESAMPLES, seed=0)
    pair_limits(means, first, second, LEVEL)
    return time.perf_counter() - start


def all_pairs_by_counting() -> float:
    """0/1 scores: the exact distribution of every pair, from how many tasks each alone solved."""
    whole = binary()
    first, second = (side.astype(np.int64) for side in np.triu_indices(MODELS, 1))
    start = time.perf_counter()
    binary_limits(*binary_splits(whole, first, second), TASKS, level=LEVEL)
    return time.perf_counter() - start


def few_values() -> np.ndarray:
    """A million scores of five distinct values on no common lattice worth it."""
    return np.random.default_rng(0).choice([0.0, 0.12345, 0.5, 0.81723, 1.0], size=MANY)


def many_by_scipy() -> float:
    """scipy's percentile bootstrap of a million scores, 100 resamples, scaled to 10,000."""
    scores = few_values()
    start = time.perf_counter()
    stats.bootstrap((scores,), np.mean, n_resamples=100, batch=10, method="percentile", rng=np.random.default_rng(0))
    return (time.perf_counter() - start) * MANY_RESAMPLES / 100


def many_by_values() -> float:
    """The same million scores, drawn over their distinct values, 10,000 resamples."""
    counted: dict[float, Fraction] = {}
    scores = [counted.setdefault(x, Fraction(repr(x))) for x in few_values().tolist()]
    start = time.perf_counter()
    drawn = distinct_means(scores, tasks=["a million"], resamples=MANY_RESAMPLES, seed=0)
    percentile_interval(drawn, MANY, level=LEVEL, seed=0)
    return time.perf_counter() - start


def many_exactly() -> float:
    """A million scores of 0 and 1: the exact bootstrap distribution."""
    hits = int((np.random.default_rng(0).random(MANY) < 0.7).sum())
    scores = [Fraction(0)] * (MANY - hits) + [Fraction(1)] * hits
    start = time.perf_counter()
    found = lattice(scores)
    assert found is not None
    exact_interval(found, LEVEL)
    return time.perf_counter() - start


def one_by_scipy() -> float:
    """scipy's percentile bootstrap of 1000 continuous scores, 10,000 resamples."""
    scores = continuous()[:, 0] / 10**6
    start = time.perf_counter()
    stats.bootstrap((scores,), np.mean, n_resamples=MANY_RESAMPLES, method="percentile", rng=np.random.default_rng(0))
    return time.perf_counter() - start


def one_by_weights() -> float:
    """The same by one matrix of weights."""
    scores = [[Fraction(int(x), 10**6)] for x in continuous()[:, 0]]
    start = time.perf_counter()
    tasks = [f"task-{t}" for t in range(TASKS)]
    means = resampled_means(grid(scores), tasks=tasks, resamples=MANY_RESAMPLES, seed=0)
    percentile_interval(means[0], TASKS, level=LEVEL, seed=0)
    return time.perf_counter() - start


def whole_suite() -> float:
    """The command on a table of a million scores with six decimals: reading, every number, every file."""
    return _command(f"{x / 10**6:.6f}" for row in continuous().tolist() for x in row)


def whole_suite_of_binary_scores() -> float:
    """The same with scores of 0 and 1."""
    return _command(str(x) for row in binary().tolist() for x in row)


def _command(scores: Iterator[str]) -> float:
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "runs.csv"
        with table.open("w", encoding="utf-8") as file:
            file.write("model_id,task_id,score\n")
            file.writelines(f"model-{m},task-{t},{next(scores)}\n" for t in range(TASKS) for m in range(MODELS))
        out = ["--out", str(Path(folder) / "out"), "--resamples", str(RESAMPLES)]
        call = [
            sys.executable,
            "-c",
            "from evalreport.cli import main; main()",
            "compute",
            "comparison",
            str(table),
            *out,
        ]
        start = time.perf_counter()
        subprocess.run(call, check=True, capture_output=True)
        return time.perf_counter() - start


WAYS = (
    ("499,500 pairs, 1000 tasks, 1000 resamples", (loop, all_pairs, all_pairs_by_counting)),
    ("one mean of 1,000,000 scores, 10,000 resamples", (many_by_scipy, many_by_values, many_exactly)),
    ("one mean of 1000 continuous scores, 10,000 resamples", (one_by_scipy, one_by_weights)),
    ("evalreport compute comparison, 1000 models, 1000 tasks", (whole_suite, whole_suite_of_binary_scores)),
)


if __name__ == "__main__":
    for what, ways in WAYS:
        print(f"\n{what}\n")
        base = 0.0
        for way in ways:
            seconds, memory = measured(way)
            base = base or seconds
            print(f"| {way.__name__} | {seconds:.4g} s | {base / seconds:.4g} | {memory:.0f} MB |")
