"""What a scored response is, and everything that one reading of a benchmark found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evalreport.core.suite import InputFile

CRITERIA = (
    "main_hypothesis",
    "key_signals",
    "alternatives",
    "recommended_action",
    "requested_data",
    "decision_change_condition",
)


@dataclass(frozen=True, slots=True)
class Run:
    """One response of a subject version to a case, with the one scoring of it and the limits of the case's gold.

    `floor`, `ceiling` and the six `criteria` (each 0, 1 or 2, in the order of `CRITERIA`) are rubric points;
    `confidence` is an integer percent from 0 to 100; `halves` is the graded correctness in halves (0, 1 or 2);
    `critical` and `recoverable` say whether at least one automatic fail of that severity was triggered.
    `timestamp` is the text of the scoring's `scoring_timestamp_utc`, empty when it has none.

    >>> run = Run("v1.0", "m", "m-1", "GH-PEST-001", "PEST", "r1", "R1", "", 0, 10, (2, 2, 2, 2, 2, 1), 70, 2, False,
    ...           False)
    >>> run.raw, run.clipped
    (11, 10)
    """

    benchmark_version: str
    subject_id: str
    subject_version: str
    case_id: str
    family: str
    run_id: str
    reviewer_id: str
    timestamp: str
    floor: int
    ceiling: int
    criteria: tuple[int, int, int, int, int, int]
    confidence: int
    halves: int
    critical: bool
    recoverable: bool

    @property
    def raw(self) -> int:
        """Sum of the six criterion scores, 0 to 12."""
        return sum(self.criteria)

    @property
    def clipped(self) -> int:
        """The raw score, but never more than the ceiling of the case."""
        return min(sum(self.criteria), self.ceiling)


@dataclass(frozen=True, slots=True)
class Unscored:
    """One response that nobody has scored. It is counted, and enters no other number."""

    benchmark_version: str
    subject_id: str
    subject_version: str
    case_id: str
    run_id: str


@dataclass(frozen=True)
class BenchmarkRecords:
    """Everything that was read, checked against each other, in an order that does not depend on the order of reading.

    `runs` are sorted by benchmark version, subject, case, run and reviewer (then subject version), `unscored`
    likewise. `cases` names for each benchmark version the cases that have a gold. `registry` holds the
    (subject, version) pairs that stand in a registry and have no response. `inputs` are the files that were read;
    `ignored` the paths of those that match no pattern.
    """

    runs: tuple[Run, ...]
    unscored: tuple[Unscored, ...]
    cases: Mapping[str, tuple[str, ...]]
    registry: tuple[tuple[str, str], ...]
    inputs: tuple[InputFile, ...]
    ignored: tuple[str, ...]
