"""What the rubric makes of the runs of every system: cases, conditions of the rule, lift, groups, flags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from evalreport.core.exact import Undefined, Value
from evalreport.core.suite import Interval
from evalreport.suites.debate.records import Case, DebateRecords, Rubric, Run, Thresholds
from evalreport.suites.debate.sensitivity import Sensitivity

Status = Literal["pass", "fail", "manual_review"]
FlagKind = Literal["baseline_above_cap", "final_verdict_not_binary", "rubric_changed", "stated_pass_differs"]


@dataclass(frozen=True, order=True)
class Flag:
    """Something about a run that a reader must know. No number was altered because of it."""

    system: str
    case_id: str
    run_id: str
    kind: FlagKind
    text: str


@dataclass(frozen=True)
class Assessment:
    """The rule for cases applied to six dimension scores: of one run, or of a case over its runs.

    `passes` is undefined with fewer than four dimensions that apply; `would_pass` is what the two thresholds say then.
    """

    scores: tuple[Value, ...]
    applicable: int
    mean: Value
    lowest: Value
    passes: Value
    would_pass: bool

    @property
    def status(self) -> Status:
        """pass, fail, or manual_review when too few dimensions apply."""
        if isinstance(self.passes, Undefined):
            return "manual_review"
        return "pass" if self.passes else "fail"


@dataclass(frozen=True)
class RunResult:
    """One run and what the rule says of it alone."""

    run: Run
    assessment: Assessment


@dataclass(frozen=True)
class CaseResult:
    """One case of one system over all its runs."""

    system: str
    case: Case
    runs: tuple[RunResult, ...]
    assessment: Assessment

    @property
    def runs_passing(self) -> int:
        """How many of the runs pass when each is taken alone."""
        return sum(r.assessment.status == "pass" for r in self.runs)


@dataclass(frozen=True)
class Condition:
    """One condition of the benchmark rule: the number, the threshold it must reach, and whether it does.

    `holds` is None when there is no number.
    """

    name: Literal["passing_fraction", "mean", "lift"]
    value: Value
    threshold: Fraction

    @property
    def holds(self) -> bool | None:
        """Whether the number reaches its threshold; equal is enough."""
        return None if isinstance(self.value, Undefined) else self.value >= self.threshold


@dataclass(frozen=True)
class Group:
    """Cases of a system that share a category or a difficulty."""

    kind: Literal["category", "difficulty"]
    name: str
    cases: int
    scoreable: int
    passing: int
    manual_review: int
    mean: Value


@dataclass(frozen=True)
class Lift:
    """By how much a system exceeds the baseline, over the cases scoreable in both."""

    value: Value
    passes: Value
    differences: Mapping[str, Fraction]
    interval: Interval | None


@dataclass(frozen=True)
class SystemResult:
    """One system on the cases of its set.

    `system` is the name used everywhere, unique over all sets; `name` the one in the files. `of_cases` is how many
    cases some system of the set has run.
    """

    system: str
    name: str
    set_name: str
    baseline: str | None
    cases: tuple[CaseResult, ...]
    of_cases: int
    passing_fraction: Value
    mean: Value
    mean_all: Value
    passes: Value
    lift: Lift
    conditions: tuple[Condition, ...]
    sensitivities: tuple[Sensitivity, ...]
    groups: tuple[Group, ...]
    flags: tuple[Flag, ...]

    @property
    def is_baseline(self) -> bool:
        """Whether the other systems of the set are compared with this one."""
        return self.system == self.baseline

    @property
    def scoreable(self) -> tuple[CaseResult, ...]:
        """The cases with at least four dimensions that apply."""
        return tuple(c for c in self.cases if c.assessment.status != "manual_review")

    @property
    def passing(self) -> int:
        """How many cases pass."""
        return sum(c.assessment.status == "pass" for c in self.cases)

    @property
    def manual_review(self) -> tuple[CaseResult, ...]:
        """The cases that must be reviewed by hand."""
        return tuple(c for c in self.cases if c.assessment.status == "manual_review")

    @property
    def runs_per_case(self) -> tuple[int, int]:
        """The least and the greatest number of runs of a case."""
        counts = [len(c.runs) for c in self.cases]
        return min(counts), max(counts)


@dataclass(frozen=True)
class DebateResults:
    """Everything that pages, tables and the audit take their numbers from. Systems are sorted by name."""

    records: DebateRecords
    min_lift: Fraction
    level: Fraction
    systems: tuple[SystemResult, ...]

    def system(self, name: str) -> SystemResult:
        """A system by its name. Raises `KeyError` when there is none."""
        found = next((s for s in self.systems if s.system == name), None)
        if found is None:
            raise KeyError(name)
        return found

    @property
    def rubric(self) -> Rubric:
        """Path and hash of the rubric that was read."""
        return self.records.rubric

    @property
    def thresholds(self) -> Thresholds:
        """The three thresholds that were used."""
        return self.records.thresholds

    @property
    def flags(self) -> tuple[Flag, ...]:
        """The flags of all systems."""
        return tuple(flag for system in self.systems for flag in system.flags)
