"""Cutting, ordering and uniting runs changes no byte of a tally and none of the files."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import settings as quick
from hypothesis import strategies as st

from evalreport.core.exact import number_of
from evalreport.core.results import csv_bytes, results_json
from evalreport.errors import EvalreportError
from evalreport.suites.benchmark import SUITE
from evalreport.suites.benchmark.compute import compute
from evalreport.suites.benchmark.records import Run
from evalreport.suites.benchmark.tally import Tallies, tallied, united
from tests.suites.benchmark.made import a_run, generated_runs, records, settings


def content(tallies: Tallies) -> tuple[bytes, bytes]:
    """Both tables as bytes."""
    return tallies.runs.content(), tallies.cases.content()


@quick(deadline=None, max_examples=50)
@given(generated_runs(least=1, most=20, subjects=3), st.integers(1, 5), st.randoms(use_true_random=False))
def test_the_tally_of_any_partition_has_the_same_bytes(runs: list[Run], pieces: int, rnd: random.Random) -> None:
    whole = content(tallied(runs))
    shuffled = list(runs)
    rnd.shuffle(shuffled)
    parts = [tallied(shuffled[i::pieces], part=f"{i}") for i in range(pieces)]
    assert content(united(parts, [str(i) for i in range(pieces)])) == whole
    assert content(united(reversed(parts))) == whole


def test_a_portion_that_is_there_twice_is_refused_by_name() -> None:
    part = tallied([a_run()], part="shard 3")
    with pytest.raises(EvalreportError, match="shard 3: this part of the records is there twice"):
        united([part, part])


@quick(deadline=None, max_examples=15)
@given(generated_runs(least=1, most=12, subjects=2), st.randoms(use_true_random=False))
def test_the_order_of_runs_changes_no_byte_of_any_file(runs: list[Run], rnd: random.Random) -> None:
    shuffled = list(runs)
    rnd.shuffle(shuffled)
    assert files(runs) == files(shuffled)


def files(runs: list[Run]) -> list[bytes]:
    """Every file of the suite."""
    chosen = settings(resamples=30, null_draws=30)
    results = compute(records(runs), chosen)
    return [
        *(csv_bytes(t) for t in SUITE.tables(results)),
        results_json(suite="benchmark", settings=chosen, inputs=(), values=SUITE.values(results)),
    ]


@quick(deadline=None, max_examples=40)
@given(generated_runs(least=1, most=6), st.integers(2, 5))
def test_a_subject_that_does_the_same_in_every_case_has_intervals_of_no_width_at_its_values(
    runs: list[Run], n_cases: int
) -> None:
    everywhere = [replace(run, case_id=f"RO-SCAL-{case:03d}") for run in runs for case in range(1, n_cases + 1)]
    (subject,) = compute(records(everywhere), settings(resamples=10, null_draws=10)).subjects
    bootstrapped = {
        key: interval for key, interval in subject.intervals.items() if interval.method.startswith("percentile")
    }
    assert bootstrapped.keys() >= {"mean_clipped_score", "soft_brier", "ece", "signed_gap", "q_final"}
    for key, interval in bootstrapped.items():
        assert interval.note.startswith("degenerate")
        assert interval.low == interval.high == pytest.approx(number_of(subject.values[key]), abs=1e-12)


@quick(deadline=None, max_examples=40)
@given(generated_runs(least=1, most=10), generated_runs(least=1, most=10))
def test_a_mean_over_all_is_the_mean_of_parts_weighted_by_their_runs(one: list[Run], two: list[Run]) -> None:
    def values(runs: list[Run]) -> dict[str, Fraction]:
        (s,) = compute(records(runs), settings(resamples=10, null_draws=10)).subjects
        keys = ("pass_rate", "mean_clipped_score", "soft_brier", "signed_gap", "mean_correctness")
        return {k: Fraction(v) * s.n for k in keys if isinstance(v := s.values[k], (int, Fraction))}

    a, b, both = values(one), values(two), values([*one, *two])
    assert both == {k: a[k] + b[k] for k in both}
