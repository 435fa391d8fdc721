"""Runs and items of one model on one task become one score."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations

import pytest

from evalreport.formats.evalrun import EvalRun, Status
from evalreport.suites.comparison.reduce import task_score

WORST_LAST: tuple[Status, ...] = ("complete", "limited", "partial", "started", "cancelled", "errored")


def run(run_id: str, score: int, *, status: Status = "complete", item: str = "") -> EvalRun:
    """A run with a score in tenths."""
    return EvalRun("m", "t", "acc", Fraction(score, 10), run_id=run_id, item_id=item, status=status)


@pytest.mark.parametrize(("better", "worse"), list(pairwise(WORST_LAST)))
def test_the_worst_that_several_runs_say_of_themselves_decides(better: Status, worse: Status) -> None:
    for runs in permutations((run("1", 2, status=better), run("2", 4, status=worse), run("3", 6))):
        found = task_score(runs, None)
        assert (found.status, found.score, found.runs) == (worse, Fraction(2 + 4 + 6, 30), 3)


def test_every_run_counts_the_same_however_many_items_it_has() -> None:
    runs = [run("1", 10, item="a"), run("1", 0, item="b"), run("1", 2, item="c"), run("2", 9, item="a")]
    # run 1: (10 + 0 + 2) / 3 / 10 = 2/5, run 2: 9/10
    assert task_score(runs, None).score == (Fraction(2, 5) + Fraction(9, 10)) / 2
    assert [(one.item_id, one.score) for one in task_score(runs, None).items] == [
        ("a", Fraction(10 + 9, 20)),
        ("b", Fraction(0)),
        ("c", Fraction(1, 5)),
    ]
