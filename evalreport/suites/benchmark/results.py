"""What the benchmark suite computes: every number of a subject version, its standing, and the comparisons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from evalreport.core.exact import Undefined, Value
from evalreport.core.suite import Interval, Settings
from evalreport.suites.benchmark.records import Run, Unscored

Status = Literal["Eligible", "Incomplete", "Disqualified", "NoData"]
SubjectId = tuple[str, str]  # subject_id, subject_version


@dataclass(frozen=True)
class Bin:
    """The runs whose stated confidence lies in one tenth. An empty bin has no means and no interval.

    `low` and `high` are the limits of the bin in percent; the last bin holds 100 too. `interval` is Wilson's for the
    mean correctness: exact for runs that are right or wrong, cautious when half-right ones are among them.
    """

    number: int  # 1 to 10
    low: int
    high: int
    n: int
    confidence: Value
    correctness: Value
    interval: Interval

    @property
    def gap(self) -> Value:
        """Mean confidence minus mean correctness."""
        if isinstance(self.confidence, Undefined) or isinstance(self.correctness, Undefined):
            return Undefined("no run in this bin")
        return self.confidence - Fraction(self.correctness)


@dataclass(frozen=True)
class NullBand:
    """The ECE that a perfectly calibrated subject with the same stated confidences gets by chance alone.

    `low` and `high` are the 5 and 95 % quantiles over `draws` draws of right and wrong, `mean` their mean.
    """

    low: Fraction
    mean: Fraction
    high: Fraction
    draws: int
    seed: int

    def interval(self, n: int) -> Interval:
        """The band in the form of an interval, for files."""
        return Interval(self.low, self.high, Fraction(9, 10), "perfectly calibrated draws", n, self.draws, self.seed)

    def place(self, ece: Value) -> Literal["above", "inside", "below", "undefined"]:
        """Where an ECE lies in the band. Above: the gaps are larger than chance explains."""
        if not isinstance(ece, (int, Fraction)):
            return "undefined"
        return "above" if ece > self.high else "below" if ece < self.low else "inside"


@dataclass(frozen=True)
class Family:
    """The runs of one family of cases."""

    family: str
    values: Mapping[str, Value]  # by key without "family."
    n_conditional: int
    n_fail: int
    n_pass: int
    label: str

    @property
    def n(self) -> int:
        """How many runs."""
        return self.n_pass + self.n_conditional + self.n_fail


@dataclass(frozen=True)
class Case:
    """The runs of one case."""

    case_id: str
    family: str
    runs: tuple[Run, ...]
    classes: tuple[str, ...]
    mean_clipped_score: Fraction


@dataclass(frozen=True)
class Subject:
    """Everything about one subject version in one benchmark version.

    `values` holds every metric by its key ("pass_rate"), `intervals` those that have one, `labels` the word of the
    sample-size table. `rank` is None without a rank, and `status` says why. `runs` and `classes` go together.
    """

    benchmark_version: str
    subject_id: str
    subject_version: str
    status: Status
    rank: int | None
    values: Mapping[str, Value]
    intervals: Mapping[str, Interval]
    labels: Mapping[str, str]
    null: NullBand | None
    bins: tuple[Bin, ...]
    families: tuple[Family, ...]
    cases: tuple[Case, ...]
    runs: tuple[Run, ...]
    classes: tuple[str, ...]
    unscored: tuple[Unscored, ...]
    n_cases_total: int

    @property
    def id(self) -> SubjectId:
        """Subject and version."""
        return self.subject_id, self.subject_version

    @property
    def n(self) -> int:
        """How many runs were scored."""
        return len(self.runs)

    @property
    def n_cases(self) -> int:
        """On how many different cases."""
        return len(self.cases)

    @property
    def critical(self) -> tuple[Run, ...]:
        """The runs with a critical fail."""
        return tuple(r for r in self.runs if r.critical)

    @property
    def recoverable(self) -> tuple[Run, ...]:
        """The runs with a recoverable fail."""
        return tuple(r for r in self.runs if r.recoverable)

    @property
    def lifted(self) -> tuple[Run, ...]:
        """The runs that the score alone makes Fail and a recoverable fail makes Conditional."""
        from evalreport.suites.benchmark.metrics_runs import lifted

        return tuple(r for r in self.runs if lifted(r))


@dataclass(frozen=True)
class Difference:
    """One metric of two subject versions over the cases both were scored on: first minus second.

    `p` is the two-sided p-value of the paired bootstrap, `adjusted` the same after Holm's correction over all pairs
    of the benchmark version and this metric. Both are None without an interval. `detectable` is the smallest true
    difference that the common cases would find.
    """

    metric: str
    ours: Value
    theirs: Value
    value: Value
    interval: Interval
    p: Fraction | None
    adjusted: Fraction | None
    detectable: Value

    def proven(self, level: Fraction) -> bool:
        """Whether the difference stands after Holm's correction for all pairs."""
        return self.adjusted is not None and self.adjusted <= 1 - level


@dataclass(frozen=True)
class Pair:
    """Two subject versions of one benchmark version, the one with the smaller id first."""

    benchmark_version: str
    a: SubjectId
    b: SubjectId
    cases: tuple[str, ...]
    differences: Mapping[str, Difference]


@dataclass(frozen=True)
class RankRange:
    """The weights of the pass rate for which a subject version has this rank: from `low` to `high`.

    The limits are exact; `low_in` and `high_in` say whether they belong to the range. One weight alone has equal
    limits.
    """

    subject: SubjectId
    rank: int
    low: Fraction
    high: Fraction
    low_in: bool
    high_in: bool


@dataclass(frozen=True)
class Crossing:
    """The one weight at which two ranked subject versions have the same composite."""

    alpha: Fraction
    a: SubjectId
    b: SubjectId
    q_final: Fraction


@dataclass(frozen=True)
class Sensitivity:
    """How the order of the ranked subject versions depends on the weight of the pass rate, from 0 to 1."""

    subjects: tuple[SubjectId, ...]
    at_zero: Mapping[SubjectId, Fraction]  # mean score / 12: the composite for weight 0
    at_one: Mapping[SubjectId, Fraction]  # pass rate: the composite for weight 1
    crossings: tuple[Crossing, ...]
    ranges: tuple[RankRange, ...]


@dataclass(frozen=True)
class CommonRow:
    """One subject version over the cases that all have in common."""

    subject: SubjectId
    rank: int | None
    values: Mapping[str, Value]


@dataclass(frozen=True)
class CommonView:
    """All subject versions with scored runs over the cases common to all of them."""

    cases: tuple[str, ...]
    rows: tuple[CommonRow, ...]


@dataclass(frozen=True)
class VersionResults:
    """Everything about one benchmark version. Subjects are sorted by id and version.

    `separable` is the difference of composites that the cases find between a typical pair of ranked ones; None when
    no two of them differ on any case.
    """

    benchmark_version: str
    cases: tuple[str, ...]
    subjects: tuple[Subject, ...]
    pairs: tuple[Pair, ...]
    sensitivity: Sensitivity
    common: CommonView
    separable: Fraction | None

    @property
    def leaderboard(self) -> tuple[Subject, ...]:
        """Ranked ones by rank, id and version; then those without a rank: incomplete, disqualified, without data."""
        order = ("Eligible", "Incomplete", "Disqualified", "NoData")
        return tuple(sorted(self.subjects, key=lambda s: (s.rank is None, s.rank or 0, order.index(s.status), s.id)))


@dataclass(frozen=True)
class BenchmarkResults:
    """Everything that was computed, with the settings that were used."""

    settings: Settings
    versions: tuple[VersionResults, ...]
    registered_only: tuple[SubjectId, ...]

    @property
    def subjects(self) -> tuple[Subject, ...]:
        """All subject versions of all benchmark versions, by subject, version, benchmark version."""
        return tuple(sorted((s for v in self.versions for s in v.subjects), key=lambda s: (*s.id, s.benchmark_version)))

    @property
    def several_versions(self) -> bool:
        """Whether numbers must name their benchmark version."""
        return len(self.versions) > 1

    def subject(self, subject_id: str, subject_version: str, benchmark_version: str | None = None) -> Subject:
        """One subject version. Raises `KeyError` when there is none, or several without a benchmark version."""
        found = [
            s
            for s in self.subjects
            if s.id == (subject_id, subject_version) and benchmark_version in (None, s.benchmark_version)
        ]
        if len(found) != 1:
            raise KeyError((subject_id, subject_version, benchmark_version))
        return found[0]
