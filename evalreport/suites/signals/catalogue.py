"""What is asked of a record and of a benchmark: the eight setup items and the 28 fields, read from their data files."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Literal

import msgspec

from evalreport.formats.strict_json import decode

Applies = Literal["all", "not_log_probability", "reasoning", "agentic"]
Source = Literal["card", "record", "reserved"]
Coverage = Literal["full", "partial", "reserved"]
RESULT = "evaluation_results[*]"  # stands in a path for the one result that is meant


class Item(msgspec.Struct, frozen=True):
    """One setup item: any of its fields discloses it; `applies` names the runs it is asked of."""

    key: str
    name: str
    fields: tuple[str, ...]
    applies: Applies
    meaning: str


class SetupPlace(msgspec.Struct, frozen=True):
    """Where a record keeps setup fields, and the schema versions that define the place (it is read in all).

    `loose` places hold texts of any form: members, JSON in a text, `key=value`. `names` are what the schema itself
    calls a field there: the split of a data set is its `hf_split`.
    """

    path: str
    loose: bool
    since: str = "0.0.1"
    until: str = "0.3.0"
    names: dict[str, str] = {}

    def paths(self, field: str) -> tuple[str, ...]:
        """The paths in this place at which a field may stand."""
        own_names = (own for own, name in self.names.items() if name == field)
        return tuple(f"{self.path}.{name}" for name in (*own_names, field))

    def defined_in(self, version: str) -> bool:
        """Whether this schema version defines the place."""
        return _parts(self.since) <= _parts(version) and _parts(version)[:2] <= _parts(self.until)[:2]


class Default(msgspec.Struct, frozen=True):
    """A value that a schema fills in by itself: standing there, it discloses nothing."""

    path: str
    value: int


class LogProbability(msgspec.Struct, frozen=True):
    """The fields, and their values, that say that a run is scored from log-probabilities."""

    fields: tuple[str, ...]
    values: frozenset[str]


class Agentic(msgspec.Struct, frozen=True):
    """The fields that mark an agentic setup, and the solvers that make a plan the plan of an agent."""

    fields: tuple[str, ...]
    plan: str
    plan_solvers: tuple[str, ...]


class SetupItems(msgspec.Struct, frozen=True):
    """Everything that decides on disclosure and applicability, as the data file states it."""

    version: str
    items: tuple[Item, ...]
    applicability: dict[Applies, str]
    places: tuple[SetupPlace, ...]
    defaults: tuple[Default, ...]
    placeholders: frozenset[str]
    not_affirmative: frozenset[str]
    log_probability: LogProbability
    agentic: Agentic
    also_told_apart_by: tuple[str, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the eight items, in reading order."""
        return tuple(item.key for item in self.items)

    def item(self, key: str) -> Item:
        """The item of this key."""
        return next(item for item in self.items if item.key == key)


class Field(msgspec.Struct, frozen=True):
    """One of the 28 fields of reporting completeness. A partial field has sub-items, each of which may be populated."""

    name: str
    source: Source
    coverage: Coverage
    meaning: str
    sub: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """What is looked up for this field: its sub-items, else itself."""
        return self.sub or (self.name,)


class CompletenessFields(msgspec.Struct, frozen=True):
    """The 28 fields, and what their sources are called."""

    version: str
    sources: dict[Source, str]
    fields: tuple[Field, ...]


@cache
def setup_items() -> SetupItems:
    """The eight setup items with the places they are looked up in.

    >>> len(setup_items().items), setup_items().item("attempts").applies
    (8, 'agentic')
    """
    return decode(_data("setup_items.json"), SetupItems, where="setup_items.json")


@cache
def completeness_fields() -> CompletenessFields:
    """The 28 fields of reporting completeness.

    >>> [sum(f.source == s for f in completeness_fields().fields) for s in ("card", "record", "reserved")]
    [23, 3, 2]
    """
    return decode(_data("completeness_fields.json"), CompletenessFields, where="completeness_fields.json")


def _data(name: str) -> bytes:
    return resources.files("evalreport.suites.signals").joinpath(name).read_bytes()


def _parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
