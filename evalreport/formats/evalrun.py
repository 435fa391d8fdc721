"""What every result file becomes: one score of one model on one task by one metric, and where it came from.

Readers of outside formats give a `Reading`. They drop nothing in silence: what is not a score that can be compared
stands in `set_aside` with the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Status = Literal["complete", "limited", "partial", "errored", "cancelled", "started"]


@dataclass(frozen=True, slots=True)
class EvalRun:
    """One score as a file states it.

    `score` is exact. `low` and `high` are the ends of the metric's scale (None: open), `better` its direction; what
    is not higher-is-better on 0 to 1 is kept apart from what is. `n` is how many items were scored, `n_original` how
    many the task has. `run_id` and `item_id` tell repeated runs and single items apart; both are reduced to one mean
    for each task. `status` other than "complete" is never ranked as complete. `date` is Unix seconds (UTC) when the
    file says when it was made. `file` and `key` say where the number stands. `columns` are what else the row states, as
    text, for a grouping that is asked for by its name.
    """

    model_id: str
    task_id: str
    metric_name: str
    score: Fraction
    category: str = "general"
    weight: Fraction = Fraction(1)
    cluster: str = ""
    run_id: str = ""
    item_id: str = ""
    n_correct: int | None = None
    n_total: int | None = None
    n: int | None = None
    n_original: int | None = None
    stderr: Fraction | None = None
    better: Literal["higher", "lower"] = "higher"
    low: Fraction | None = Fraction(0)
    high: Fraction | None = Fraction(1)
    version: str = ""
    status: Status = "complete"
    date: Fraction | None = None
    file: str = ""
    key: str = ""
    notes: tuple[str, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()

    @property
    def share(self) -> bool:
        """Whether the metric is a share: from 0 to 1, higher is better. Only shares are averaged and ranked."""
        return self.better == "higher" and self.low == 0 and self.high == 1


@dataclass(frozen=True, slots=True, order=True)
class SetAside:
    """Something a file states that does not enter: where it stands, what it is, why it is left out."""

    file: str
    key: str
    value: str
    reason: str


@dataclass(frozen=True)
class Reading:
    """What one reader found in its files.

    `one_per_task` says that the format promises one score for each model and task, whatever its metric is called: the
    shares are then one leaderboard together. Otherwise every metric has a leaderboard of its own.
    """

    runs: tuple[EvalRun, ...] = ()
    set_aside: tuple[SetAside, ...] = ()
    notes: tuple[str, ...] = ()
    one_per_task: bool = False
