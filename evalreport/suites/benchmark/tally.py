"""Scored runs as counts: one table for the metrics, one by case for intervals, coverage and comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from evalreport.core.cells import Cells, tally, union
from evalreport.suites.benchmark.metrics import BINS, bin_of
from evalreport.suites.benchmark.metrics_runs import CLASSES, classification
from evalreport.suites.benchmark.records import Run

SUBJECT = ("benchmark_version", "subject_id", "subject_version")
GAPS = tuple(f"gap_{i}" for i in range(BINS))
# In this order: the number of runs of a case comes first (`n` of the cells), then these sums.
CASE_SUMS = ("passes", "clipped", "brier", *GAPS)


@dataclass(frozen=True)
class Tallies:
    """All runs as two tables of counts.

    `runs`: keys subject, family, class (position in `CLASSES`), clipped score, critical, recoverable, confidence
    (percent) and correctness (halves). `cases`: keys subject and case, with sums over the runs of the case: passes,
    clipped scores, squared gaps in (1/100)**2, and for each confidence bin confidence minus correctness in 1/100.
    """

    runs: Cells
    cases: Cells


def tallied(runs: Sequence[Run], *, part: str = "") -> Tallies:
    """The counts of these runs, in any order. `part` names this portion of the records for `united`."""
    classes = [CLASSES.index(classification(r)) for r in runs]
    clipped = [r.clipped for r in runs]
    subject = {
        "benchmark_version": [r.benchmark_version for r in runs],
        "subject_id": [r.subject_id for r in runs],
        "subject_version": [r.subject_version for r in runs],
    }
    gaps = np.zeros((BINS, len(runs)), dtype=np.int64)
    for i, r in enumerate(runs):
        gaps[bin_of(r.confidence), i] = r.confidence - 50 * r.halves
    sums = {
        "passes": [int(c == CLASSES.index("Pass")) for c in classes],
        "clipped": clipped,
        "brier": [(r.confidence - 50 * r.halves) ** 2 for r in runs],
        **{name: gaps[i].tolist() for i, name in enumerate(GAPS)},
    }
    return Tallies(
        tally(
            {
                **subject,
                "family": [r.family for r in runs],
                "class": classes,
                "clipped": clipped,
                "critical": [int(r.critical) for r in runs],
                "recoverable": [int(r.recoverable) for r in runs],
                "confidence": [r.confidence for r in runs],
                "halves": [r.halves for r in runs],
            },
            part=part,
        ),
        tally({**subject, "case_id": [r.case_id for r in runs]}, sums, part=part),
    )


def united(parts: Iterable[Tallies], expected: Iterable[str] | None = None) -> Tallies:
    """The counts of all runs from the counts of portions; refuses a portion seen twice or missing, by name."""
    tables = list(parts)
    names = None if expected is None else list(expected)
    return Tallies(union([t.runs for t in tables], names), union([t.cases for t in tables], names))
