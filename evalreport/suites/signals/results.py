"""What the four signals say of a corpus: of each triple, each benchmark, each item and field, and as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

from evalreport.core.exact import Undefined, Value
from evalreport.core.suite import InputFile
from evalreport.formats.eee import End, Relationship
from evalreport.suites.signals.catalogue import Field, Item
from evalreport.suites.signals.records import Benchmark, Report, SignalsRecords, Triple

Status = Literal["computed", "not applicable", "not computable"]


@dataclass(frozen=True, slots=True)
class Variant:
    """One setup of a triple: its settings and the mean of the scores reported under it."""

    settings: tuple[tuple[str, str], ...]
    score: Fraction
    reports: tuple[Report, ...]


@dataclass(frozen=True, slots=True)
class Divergence:
    """A spread, whether it exceeds the threshold, and over how many setups or parties it was taken."""

    spread: Value
    flag: Value
    groups: int

    @property
    def status(self) -> Status:
        """Whether the flag applies, and whether it could be computed."""
        if self.groups <= 1:
            return "not applicable"
        return "not computable" if isinstance(self.flag, Undefined) else "computed"


@dataclass(frozen=True, slots=True)
class TripleResult:
    """One result triple. `reports` count a score that was scraped again once; `rescrapes` are the others.

    `applicable`, `disclosed` and `undisclosed` are keys of setup items: asked of some report; disclosed by all that are
    asked; left undisclosed by some that is asked. `scale` is the width of the metric's range, or why there is none.
    """

    triple: Triple
    reports: tuple[Report, ...]
    rescrapes: tuple[Report, ...]
    applicable: tuple[str, ...]
    disclosed: tuple[str, ...]
    undisclosed: tuple[str, ...]
    gap: int
    organisations: tuple[str, ...]
    first_party_only: int
    multi_party: int
    low: End
    high: End
    scale: Value
    threshold: Fraction
    variants: tuple[Variant, ...]
    by_party: Mapping[Relationship, tuple[Variant, ...]]
    party_scores: Mapping[Relationship, Fraction]
    over_setups: Divergence
    within_party: Divergence
    over_parties: Divergence
    combined: Value
    differing_fields: tuple[str, ...]

    @property
    def parties(self) -> tuple[Relationship, ...]:
        """The relationships that report it, sorted."""
        return tuple(self.by_party)

    @property
    def status(self) -> Status:
        """Whether the comparability flags apply to it, and whether they could be computed."""
        found = {self.over_setups.status, self.over_parties.status}
        if "not computable" in found:
            return "not computable"
        return "computed" if "computed" in found else "not applicable"


@dataclass(frozen=True)
class BenchmarkResult:
    """Reporting completeness of one benchmark: the score of each of the 28 fields, strict and literal."""

    benchmark: Benchmark
    strict: Value
    literal: Value
    missing: int
    fields: tuple[Fraction, ...]
    fields_literal: tuple[Fraction, ...]


@dataclass(frozen=True)
class ItemResult:
    """One setup item over the corpus."""

    item: Item
    applicable: int
    undisclosed: int
    share: Value
    share_where_applicable: Value


@dataclass(frozen=True)
class FieldResult:
    """One completeness field over the corpus."""

    field: Field
    strict: Value
    literal: Value


@dataclass(frozen=True)
class Rate:
    """A rate over the corpus: metric key, value, how many are counted, of how many, and what these are."""

    metric: str
    value: Value
    n: int
    of: int
    denominator: str


@dataclass(frozen=True)
class SignalsResults:
    """Everything that pages, tables and the audit take their numbers from."""

    records: SignalsRecords
    theta: Fraction
    triples: tuple[TripleResult, ...]
    benchmarks: tuple[BenchmarkResult, ...]
    items: tuple[ItemResult, ...]
    fields: tuple[FieldResult, ...]
    rates: tuple[Rate, ...]

    @property
    def thresholds(self) -> Mapping[str, Fraction]:
        """The thresholds of single metrics, by metric; all others use `theta`."""
        return self.records.thresholds

    def benchmark(self, name: str) -> BenchmarkResult:
        """The benchmark of this name."""
        return self.benchmarks[self.numbers[name]]

    @cached_property
    def order(self) -> tuple[TripleResult, ...]:
        """The triples as pages hold them: those that something can be compared in come first."""
        return tuple(sorted(self.triples, key=lambda found: found.status == "not applicable"))

    @cached_property
    def places(self) -> Mapping[tuple[str, str, str], int]:
        """The place of each triple in that order, from 0; by model, benchmark with split, and metric."""
        names = (found.triple for found in self.order)
        return {(name.model, name.benchmark, name.metric): place for place, name in enumerate(names)}

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The place of each benchmark among all, from 0; by name."""
        return {one.benchmark.name: place for place, one in enumerate(self.benchmarks)}

    @property
    def inputs(self) -> tuple[InputFile, ...]:
        """The files that were read."""
        return self.records.inputs
