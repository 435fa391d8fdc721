"""What a report of a result is, and everything one reading of a corpus found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from evalreport.core.suite import InputFile
from evalreport.formats.benchmark_cards import Card
from evalreport.formats.eee import End, Relationship
from evalreport.suites.signals.catalogue import RESULT

ARROW = " → "
Parties = tuple[Relationship, ...]


@dataclass(frozen=True, order=True, slots=True)
class Triple:
    """The result triple: a model, a metric path and a metric, as a reader sees them.

    `path` is what the evaluation belongs to, the benchmark, and the evaluation, without repetition; `split` the part
    of the test set ("" when none is stated). `canonical` is the benchmark that cards are looked up for.
    """

    model: str
    path: str
    split: str
    metric: str
    canonical: str = field(compare=False)

    @property
    def benchmark(self) -> str:
        """The whole metric path, with the split at its end."""
        return f"{self.path}{ARROW}{self.split}" if self.split else self.path


@dataclass(frozen=True, order=True, slots=True)
class Finding:
    """A setup field that a record fills: where (`evaluation_results[*]` stands for the result), and with what."""

    field: str
    path: str
    value: str


@dataclass(frozen=True)
class Setup:
    """How a run was made, as far as its record says so. Runs with the same settings share one.

    `findings` are the populated setup fields, sorted; `repeated` those that stand there only because the schema fills
    them in. `applicable` are the items asked of the run; `reasoning` and `agentic` say yes, no, or None for unknown.
    """

    version: str
    findings: tuple[Finding, ...]
    repeated: tuple[Finding, ...]
    applicable: tuple[str, ...]
    log_probability: bool
    reasoning: bool | None
    agentic: bool | None

    @cached_property
    def values(self) -> Mapping[str, str]:
        """The value of every populated field."""
        return {finding.field: finding.value for finding in self.findings}

    @cached_property
    def variant(self) -> tuple[tuple[str, str], ...]:
        """What tells this setup from another: its fields and their values, wherever they stand."""
        return tuple((finding.field, finding.value) for finding in self.findings)


@dataclass(frozen=True, order=True, slots=True)
class Source:
    """Who published a score, in which publication, and how they are related to the model's developer.

    `known` says whether the organisation is named at all (a placeholder is no name).
    """

    name: str
    organisation: str
    relationship: Relationship
    known: bool = field(compare=False)


@dataclass(frozen=True, slots=True)
class Report:
    """One score of one triple in one record. `where` is the file (with the line), `base` the record's JSON path."""

    triple: Triple
    source: Source
    setup: Setup
    score: Fraction
    low: End
    high: End
    where: str
    base: str
    index: int

    @property
    def place(self) -> tuple[str, str, int]:
        """Where it stands; the order of reports of a triple."""
        return self.where, self.base, self.index

    def path(self, of: str) -> str:
        """The JSON path of something in this report's record.

        >>> Report(None, None, None, Fraction(1), None, None, "r.json", "$", 3).path("evaluation_results[*].score")
        '$.evaluation_results[3].score'
        """
        return f"{self.base}.{of.replace(RESULT, f'evaluation_results[{self.index}]', 1)}"


@dataclass(frozen=True, order=True, slots=True)
class Filled:
    """A field of a benchmark and the value that fills it: file, JSON path, text. `real` is False for a placeholder."""

    file: str
    path: str
    value: str
    real: bool


@dataclass(frozen=True, order=True, slots=True)
class NoScore:
    """A result that states no usable score, and why."""

    where: str
    path: str
    why: str


@dataclass(frozen=True)
class Conventions:
    """What the mapping file says, benchmarks by their normalised names.

    `cards` names the card of a benchmark (None: it has none), `evalcards` fills the reserved fields (field -> path and
    value), `thresholds` are the divergence thresholds of single metrics. `names` are the benchmarks and metrics that it
    speaks of: file, key, and the name as written there.
    """

    cards: Mapping[str, str | None] = field(default_factory=dict)
    evalcards: Mapping[str, Mapping[str, Filled]] = field(default_factory=dict)
    thresholds: Mapping[str, Fraction] = field(default_factory=dict)
    names: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True)
class Benchmark:
    """A canonical benchmark: how it is called, its card (if any), and what fills each of its fields.

    `filled` holds for each field, or sub-item, the value that fills it best: a real one before a placeholder, then the
    first by file and path.
    """

    name: str
    card: Card | None
    filled: Mapping[str, Filled]
    records: int

    @property
    def risks(self) -> tuple[str, ...]:
        """The risk categories of its card."""
        return self.card.risks if self.card else ()


@dataclass(frozen=True)
class SignalsRecords:
    """Everything that was read, in an order that does not depend on the order of reading.

    `reports` are sorted by triple, then by where they stand. `unmatched_cards` are the cards of no benchmark;
    `unmatched_benchmarks` those without a card.
    """

    reports: tuple[Report, ...]
    benchmarks: Mapping[str, Benchmark]
    records: Mapping[str, int]
    no_score: tuple[NoScore, ...]
    unmatched_cards: tuple[Card, ...]
    thresholds: Mapping[str, Fraction]
    inputs: tuple[InputFile, ...]
    ignored: tuple[str, ...]

    @property
    def unmatched_benchmarks(self) -> tuple[str, ...]:
        """The benchmarks without a card."""
        return tuple(name for name, benchmark in self.benchmarks.items() if benchmark.card is None)
