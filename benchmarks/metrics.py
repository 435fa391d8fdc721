"""Five metrics of 100 subjects over ten million scored runs, beside what one would write by hand.

Ours gives pass rate, mean clipped score, Brier, ECE and composite of each subject, exactly. polars computes only the
group means of the same columns, which is less. The pandas ways give the five metrics as floats: a boolean mask for
each subject and bin, and a groupby. All start from the same arrays in memory; the ways take turns in one
process and the best time of each counts, so read the ratios.

    python benchmarks/metrics.py [rows]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl

from evalreport.core.cells import Coded, tally
from evalreport.core.exact import Value
from evalreport.suites.benchmark import metrics

SUBJECTS = 100
Columns = dict[str, npt.NDArray[np.uint8]]
Rows = dict[int, tuple[float, ...]]


def made(rows: int) -> Columns:
    """Runs of 100 subjects in random order; half the grades are soft."""
    rng = np.random.default_rng(0)
    clipped = rng.binomial(12, 0.8, rows).astype(np.uint8)
    return {
        "subject": rng.integers(0, SUBJECTS, rows, dtype=np.uint8),
        "class": (clipped >= 10).astype(np.uint8) + (clipped >= 7),
        "clipped": clipped,
        "confidence": rng.integers(0, 101, rows, dtype=np.uint8),
        "halves": rng.integers(0, 3, rows, dtype=np.uint8),
    }


def ours(columns: Columns) -> dict[str, tuple[Value, ...]]:
    """Two tallies, one for each half of the metrics, then the suite's own metrics."""
    subject = Coded(columns["subject"], tuple(f"subject-{i:03d}" for i in range(SUBJECTS)))
    graded = tally({"subject": subject, "class": columns["class"], "clipped": columns["clipped"]})
    stated = tally({"subject": subject, "confidence": columns["confidence"], "halves": columns["halves"]})
    found: dict[str, tuple[Value, ...]] = {}
    for ((name,), rubric), (_, calibration) in zip(graded.split("subject"), stated.split("subject"), strict=True):
        passed, score = metrics.pass_rate(rubric), metrics.mean_clipped_score(rubric)
        composite = metrics.q_final(passed, score, Fraction(1, 2))
        found[str(name)] = (passed, score, metrics.soft_brier(calibration), metrics.ece(calibration), composite)
    return found


def polars_means(frame: pl.DataFrame) -> pl.DataFrame:
    """Only the group means."""
    return frame.group_by("subject").agg(pl.col("class", "clipped", "confidence", "halves").mean())


def pandas_groupby(columns: Columns) -> Rows:
    """The five metrics as floats with three groupbys."""
    frame = pd.DataFrame(columns, copy=False)
    frame["gap"] = frame["confidence"] / 100 - frame["halves"] / 2
    frame["square"] = frame["gap"] ** 2
    frame["passed"] = frame["class"] == 2
    frame["bin"] = np.minimum(frame["confidence"] // 10, 9)
    means = frame.groupby("subject")[["passed", "clipped", "square"]].mean()
    gaps = frame.groupby(["subject", "bin"])["gap"].sum().abs().groupby("subject").sum()
    ece = gaps / frame.groupby("subject").size()
    composite = 0.5 * means["passed"] + 0.5 * means["clipped"] / 12
    table = np.column_stack([means["passed"], means["clipped"], means["square"], ece, composite])
    return {i: tuple(float(v) for v in row) for i, row in enumerate(table.tolist())}


def pandas_masks(columns: Columns) -> Rows:
    """The five metrics as floats with a mask for each subject and each of its bins."""
    frame = pd.DataFrame(columns, copy=False)
    found: Rows = {}
    for i in range(SUBJECTS):
        own = frame[frame["subject"] == i]
        stated, right = own["confidence"] / 100, own["halves"] / 2
        ece = 0.0
        for b in range(10):
            inside = (own["confidence"] >= 10 * b) & ((own["confidence"] < 10 * (b + 1)) | (b == 9))
            if inside.any():
                ece += inside.mean() * abs(stated[inside].mean() - right[inside].mean())
        passed, score = (own["class"] == 2).mean(), own["clipped"].mean()
        brier = ((stated - right) ** 2).mean()
        found[i] = (passed, score, brier, ece, 0.5 * passed + 0.5 * score / 12)
    return found


def best(ways: dict[str, Callable[[], object]], times: int) -> dict[str, float]:
    """The shortest of some runs of each way, in seconds; the ways take turns, so that all meet the same machine."""
    found: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(times):
        for name, work in ways.items():
            start = time.perf_counter()
            work()
            found[name].append(time.perf_counter() - start)
    return {name: min(seconds) for name, seconds in found.items()}


def main(rows: int) -> None:
    """Print the table."""
    columns = made(rows)
    frame = pl.DataFrame(columns)
    exact, by_hand = ours(columns), pandas_groupby(columns)
    for i, values in enumerate(exact.values()):
        assert np.allclose([float(v) for v in values if isinstance(v, (int, Fraction))], by_hand[i], atol=1e-9)
    quick: dict[str, Callable[[], object]] = {
        "evalreport: five metrics, exact": lambda: ours(columns),
        "polars: group means only": lambda: polars_means(frame),
    }
    slow: dict[str, Callable[[], object]] = {
        "pandas groupby by hand: five metrics": lambda: pandas_groupby(columns),
        "pandas masks by hand: five metrics": lambda: pandas_masks(columns),
    }
    seconds = best(quick, 15) | best(slow, 2)
    reference = seconds["polars: group means only"]
    print(f"{rows} runs of {SUBJECTS} subjects")
    print("| | seconds | polars = 1 |")
    print("|---|---|---|")
    for name, value in seconds.items():
        print(f"| {name} | {value:.3f} | {value / reference:.2f} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000)
