"""What was read: tallies of shards, runs, and the figures that somebody else printed for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from evalreport.core.exact import Undefined
from evalreport.core.suite import InputFile


@dataclass(frozen=True, order=True)
class Tally:
    """How many of the scored samples of a subset were right: the only state that adds up.

    >>> Tally(1, 2) + Tally(3, 8)
    Tally(hits=4, n=10)
    """

    hits: int
    n: int

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.hits + other.hits, self.n + other.n)

    @property
    def accuracy(self) -> Fraction | Undefined:
        """Share of the scored samples that were right; undefined for none."""
        return Fraction(self.hits, self.n) if self.n else Undefined("not run")


NOT_RUN = Tally(0, 0)
Tallies = Mapping[str, Tally]


@dataclass(frozen=True)
class Shard:
    """One file or score directory: a model's tallies over a whole run, or over one shard of it.

    `index` is None for what does not say which shard it is. `identity` holds everything that must agree among the
    shards of a run. `stored` are scores that the source printed for itself, `published` figures that an official
    table printed for the model, both as text. `failures` are ids of failed samples, where the source lists them.
    """

    model: str
    source: str
    kind: str
    tallies: Tallies
    identity: tuple[tuple[str, str], ...] = ()
    index: int | None = None
    count: int = 1
    stored: tuple[tuple[str, str], ...] = ()
    published: tuple[tuple[str, str], ...] = ()
    failures: frozenset[str] = frozenset()
    release: str = ""


@dataclass(frozen=True)
class Run:
    """All shards of one model, summed. `missing` are the indices of shards that are not there."""

    model: str
    shards: tuple[Shard, ...]
    tallies: Tallies
    missing: tuple[int, ...] = ()

    @property
    def partial(self) -> bool:
        """Whether a shard of the run is missing, so that every number of it is over a part."""
        return bool(self.missing)

    @property
    def release(self) -> str:
        """The release that the files of the run name, nothing when they name none."""
        return self.shards[0].release

    @property
    def published(self) -> tuple[tuple[str, str], ...]:
        """What official tables printed for this model, as (figure, text)."""
        return tuple(sorted({p for s in self.shards for p in s.published}))


@dataclass(frozen=True, order=True)
class Note:
    """Something a reader must know that does not stop the computation."""

    where: str
    text: str


@dataclass(frozen=True)
class Scores:
    """Everything one reading found: runs by model, notes, the files that were read and those that were not."""

    runs: tuple[Run, ...]
    notes: tuple[Note, ...] = ()
    inputs: tuple[InputFile, ...] = ()
    ignored: tuple[str, ...] = ()
