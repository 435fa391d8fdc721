"""What a debated case, a run of it and a rubric are, and everything one reading of a debate benchmark found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from evalreport.core.exact import Undefined
from evalreport.core.suite import InputFile

Dimension = Literal["IDR", "IDP", "DC", "DRQ", "ETD", "FVC"]
Score = Fraction | Undefined  # undefined: the dimension is N/A

# Short name (in formulas and some result files) -> long name (rubric, columns, metric keys), in rubric order.
DIMENSIONS: Mapping[Dimension, str] = {
    "IDR": "issue_discovery_recall",
    "IDP": "issue_discovery_precision",
    "DC": "defense_calibration",
    "DRQ": "debate_resolution_quality",
    "ETD": "empirical_test_diagnosticity",
    "FVC": "final_verdict_correctness",
}
RESOLUTIONS = ("critique_wins", "defense_wins", "empirical_test_agreed")
DEFAULT_BASELINE = "baseline"
THRESHOLDS = ("per_dimension_pass", "overall_case_pass", "benchmark_pass_fraction")


@dataclass(frozen=True, slots=True)
class Case:
    """One debated case: its planted issues, the resolution that is right, and the verdict that is true.

    `ideal` is one of `RESOLUTIONS`, or None when the file states none; `verdict` is None when the case has no final
    verdict (the verdict dimension is then N/A). `category` and `difficulty` are texts as written, "" when not stated.
    """

    case_id: str
    category: str = ""
    difficulty: str = ""
    issues: tuple[str, ...] = ()
    ideal: str | None = None
    verdict: str | None = None


@dataclass(frozen=True)
class Thresholds:
    """The three thresholds of the rubric, each from 0 to 1; a value equal to its threshold is enough."""

    per_dimension_pass: Fraction
    overall_case_pass: Fraction
    benchmark_pass_fraction: Fraction


@dataclass(frozen=True, slots=True)
class JudgedIssue:
    """A planted issue and how far a run found it: 0, 1/2 (place or nature only) or 1."""

    issue_id: str
    credit: Fraction


@dataclass(frozen=True, slots=True)
class Claim:
    """One atomic claim of a critique; valid when it is planted or demonstrably real."""

    number: int
    valid: bool


@dataclass(frozen=True, slots=True)
class Instance:
    """One behaviour of the defence: concession (A), contestation (B) or position update (C), scored 0, 1/2 or 1."""

    number: int
    kind: Literal["A", "B", "C"]
    score: Fraction


@dataclass(frozen=True)
class Judgments:
    """What a judge noted about a run and the formulas of three dimensions are evaluated over."""

    issues: tuple[JudgedIssue, ...] = ()
    claims: tuple[Claim, ...] = ()
    instances: tuple[Instance, ...] = ()


@dataclass(frozen=True)
class Run:
    """One run of a case by a system, with its six scores in the order of `DIMENSIONS`.

    `judged` is None when the scores were given. `stated_pass` is what the file itself calls the run, None when it
    says nothing; `rubric_sha256` the rubric the run says it was scored under.
    """

    system: str
    case_id: str
    run_id: str
    scores: tuple[Score, Score, Score, Score, Score, Score]
    judged: Judgments | None = None
    stated_pass: bool | None = None
    rubric_sha256: str | None = None


@dataclass(frozen=True)
class RunSet:
    """Runs that belong to one benchmark and its cases: only systems of the same set are compared with each other.

    Rows in any number of files are one set, named "". A report file that carries all systems and cases of an
    experiment is a set of its own, named after the file; so are files of rows without a system, when they hold the
    same case. `cases` are the cases that were run, by id; `runs` are sorted by system, case and run.
    """

    name: str
    cases: Mapping[str, Case]
    runs: tuple[Run, ...]


@dataclass(frozen=True)
class Rubric:
    """The rubric that was read: its path and the sha256 of its bytes, None when no rubric file was given."""

    path: str | None
    sha256: str | None


@dataclass(frozen=True)
class DebateRecords:
    """Everything that was read, checked against each other, in an order that does not depend on the order of reading.

    `sets` are sorted by name. `unrun` are the described cases that no system has run.
    """

    rubric: Rubric
    thresholds: Thresholds
    sets: tuple[RunSet, ...]
    unrun: tuple[str, ...]
    inputs: tuple[InputFile, ...]
    ignored: tuple[str, ...]
