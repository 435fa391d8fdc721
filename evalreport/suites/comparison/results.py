"""What is known of every leaderboard: models in order, pairs, categories, and what these tasks can tell apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from evalreport.core.exact import Value
from evalreport.core.suite import Interval
from evalreport.suites.comparison.records import Board, ComparisonRecords


@dataclass(frozen=True)
class Draws:
    """How intervals and tests are made; the same for all leaderboards."""

    level: Fraction
    resamples: int
    seed: int
    power: Fraction
    weighted: bool
    cluster: str | None


@dataclass(frozen=True)
class ModelRow:
    """One model of a leaderboard.

    `rank`, `rank_lo`, `rank_hi` and `tie_group` are None for a model that has not run every task completely. `mean`
    is the mean that ranks: weighted where weights are asked for. `wilson` is there when all scores are 0 or 1.
    """

    model_id: str
    rank: int | None
    tied: bool
    mean: Value
    interval: Interval
    wilson: Interval | None
    standard_error: Value
    win_rate: Value
    win_interval: Interval
    wins: int
    completed: int
    total: int
    status: str
    rank_lo: int | None
    rank_hi: int | None
    tie_group: int | None
    common_mean: Value
    mean_of_categories: Value
    mean_by_items: Value
    categories: Mapping[str, tuple[Value, int]]

    @property
    def coverage(self) -> str:
        """How much of the leaderboard the model ran, in words."""
        return f"{self.completed} of {self.total} tasks"


@dataclass(frozen=True)
class PairRow:
    """Two models over the tasks both ran; `model_a` < `model_b` by code point, the difference is a minus b.

    `significant` asks whether this pair's own interval excludes zero. `holm` and `fdr` are p for all tested pairs
    together; `simultaneous` limits hold for all pairs at once. `other_versions` counts the common tasks that the two
    ran in different versions: a difference over them may be one of the tasks.
    """

    model_a: str
    model_b: str
    n: int
    difference: Value
    interval: Interval
    significant: bool | None
    p: Fraction | None
    p_method: str
    holm: Fraction | None
    fdr: Fraction | None
    simultaneous: Interval | None
    detectable: Value
    better_a: int
    better_b: int
    other_versions: int = 0

    def proven(self, level: Fraction) -> bool:
        """Whether the difference stands after Holm's correction for all pairs."""
        return self.holm is not None and self.holm <= 1 - level


@dataclass(frozen=True)
class BoardResult:
    """One leaderboard: rows in the order of the page, pairs in the order of their names."""

    board: Board
    rows: tuple[ModelRow, ...]
    pairs: tuple[PairRow, ...]
    common_tasks: tuple[str, ...]
    all_won: int
    tested: int
    separable: Value

    @property
    def ranked(self) -> tuple[ModelRow, ...]:
        """The models that ran every task."""
        return tuple(row for row in self.rows if row.rank is not None)


@dataclass(frozen=True)
class ComparisonResults:
    """Everything that pages, tables and the audit take their numbers from."""

    records: ComparisonRecords
    draws: Draws
    boards: tuple[BoardResult, ...]

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The models of all leaderboards in the order of their names, each with its place there, from 0."""
        names = {model for result in self.boards for model in result.board.models}
        return {model: at for at, model in enumerate(sorted(names))}
