"""Which of several scores of one model and task counts."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalreport.formats import helm, inspect_logs, lighteval, lm_eval, opencompass
from evalreport.formats.evalrun import EvalRun, Status
from evalreport.formats.inputs import find
from evalreport.formats.newest import Candidate, newest


def run(
    file: str, score: int, *, date: int | None = None, status: Status = "complete", model: str = "m", task: str = "t"
) -> EvalRun:
    return EvalRun(
        model, task, "acc", Fraction(score, 10), date=None if date is None else Fraction(date), status=status, file=file
    )


def test_a_dated_score_goes_before_one_that_only_its_name_dates() -> None:
    dated, named = Candidate(run("a", 1, date=5)), Candidate(run("b", 2), stamp="20300101000000")
    kept, aside = newest([dated, named])
    assert [one.file for one in kept] == ["a"]
    assert [one.reason for one in aside] == ["superseded by a, which is newer"]


def test_a_setting_that_one_model_ran_twice_is_part_of_the_task_for_all_models() -> None:
    kept, _ = newest(
        [
            Candidate(run("a", 1), "0-shot"),
            Candidate(run("b", 2), "5-shot"),
            Candidate(run("c", 3, model="other"), "5-shot"),
            Candidate(run("d", 3, model="third")),
            Candidate(run("e", 3, task="else"), "5-shot"),
        ]
    )
    assert [(one.model_id, one.task_id) for one in kept] == [
        ("m", "else"),
        ("m", "t (0-shot)"),
        ("m", "t (5-shot)"),
        ("other", "t (5-shot)"),
        ("third", "t (no setting stated)"),
    ]


STATES: tuple[Status, ...] = ("started", "errored", "cancelled", "partial", "limited", "complete")


@pytest.mark.parametrize(("worse", "better"), list(pairwise(STATES)))
def test_a_more_complete_run_goes_before_a_later_one(worse: Status, better: Status) -> None:
    kept, aside = newest(
        [Candidate(run("late", 1, date=9, status=worse)), Candidate(run("early", 2, date=1, status=better))]
    )
    assert [one.file for one in kept] == ["early"]
    assert [one.reason for one in aside] == [f"superseded by early, which is {better}; this one is {worse}"]


_CANDIDATES = st.lists(
    st.builds(
        lambda file, score, date, status, variant, stamp: Candidate(
            run(f"{file}", score, date=date, status=status), variant, stamp
        ),
        st.integers(0, 9),
        st.integers(0, 2),
        st.none() | st.integers(0, 2),
        st.sampled_from(("complete", "limited", "errored")),
        st.sampled_from(("", "5-shot")),
        st.sampled_from(("", "2026", "2027")),
    ),
    max_size=8,
    unique_by=lambda one: (one.run.file, one.variant),
)


@given(_CANDIDATES, st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=150)
def test_the_order_of_the_files_changes_nothing_and_nothing_is_lost(
    candidates: list[Candidate], random: Random
) -> None:
    shuffled = list(candidates)
    random.shuffle(shuffled)
    kept, aside = newest(candidates)
    assert (kept, aside) == newest(shuffled)
    assert sorted([one.file for one in kept] + [one.file for one in aside]) == sorted(c.run.file for c in candidates)


@pytest.mark.shared
@pytest.mark.parametrize(
    ("folder", "reader"),
    [
        ("helm", helm),
        ("inspect", inspect_logs),
        ("lighteval/details", lighteval),
        ("lm_eval", lm_eval),
        ("opencompass", opencompass),
    ],
)
def test_the_order_of_the_shared_files_changes_nothing(shared: Path, folder: str, reader: ModuleType) -> None:
    files = [file for file in find([shared / "data/formats" / folder]).files if not file.name.endswith("scenario.json")]
    read = reader.read
    assert read(files) == read(files[::-1])
