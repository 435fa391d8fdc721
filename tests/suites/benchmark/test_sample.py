"""The sample data holds every edge of the suite."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.suites.benchmark.compute import compute
from evalreport.suites.benchmark.read import read
from evalreport.suites.benchmark.results import BenchmarkResults
from tests.suites.benchmark.made import settings

SAMPLE = Path(__file__).parents[3] / "data" / "benchmark"
SPECIALIST, ALL_ROUNDER = ("brake-and-gear-specialist", "specialist-1.0"), ("all-rounder", "all-rounder-3")


@pytest.fixture(scope="module")
def results() -> BenchmarkResults:
    chosen = settings()
    return compute(read([SAMPLE], chosen), chosen)


def test_two_that_are_ranked_change_places_exactly_where_the_pass_rate_weighs_a_third(
    results: BenchmarkResults,
) -> None:
    (version,) = results.versions
    by_id = {s.id: s for s in version.subjects}
    specialist, all_rounder = by_id[SPECIALIST], by_id[ALL_ROUNDER]
    assert specialist.status == all_rounder.status == "Eligible"
    # 14 * 12 + 2 * 10 + 24 * 3 and 36 * 9 + 4 * 8 points of 40 * 12
    assert [specialist.values[k] for k in ("pass_rate", "mean_clipped_score")] == [Fraction(16, 40), Fraction(260, 40)]
    assert [all_rounder.values[k] for k in ("pass_rate", "mean_clipped_score")] == [0, Fraction(356, 40)]
    crossings = {(c.a, c.b): c.alpha for c in version.sensitivity.crossings}
    assert crossings[ALL_ROUNDER, SPECIALIST] == Fraction(1, 3)
    assert len({alpha for alpha in crossings.values() if 0 < alpha < 1 and alpha != Fraction(1, 2)}) >= 4


def test_at_the_crossing_the_two_share_a_rank_and_on_its_sides_they_do_not() -> None:
    ranks = {}
    for alpha in (Fraction(33, 100), Fraction(1, 3), Fraction(34, 100)):
        chosen = settings(alpha=alpha)
        (version,) = compute(read([SAMPLE], chosen), chosen).versions
        rank = {s.id: s.rank or 0 for s in version.subjects}
        ranks[alpha] = rank[SPECIALIST] - rank[ALL_ROUNDER]
    assert list(ranks.values()) == [1, 0, -1]


def test_every_edge_stands_in_it(results: BenchmarkResults) -> None:
    subjects = results.subjects
    runs = [run for subject in subjects for run in subject.runs]
    assert {s.status for s in subjects} == {"Eligible", "Incomplete", "Disqualified", "NoData"}
    assert len({s.subject_id for s in subjects}) < len(subjects)
    assert {r.confidence for r in runs} >= {0, 30, 60, 70, 100}
    assert {r.halves for r in runs} == {0, 1, 2}
    assert any(r.critical and r.recoverable for r in runs)
    assert any(s.lifted for s in subjects)
    assert any(r.clipped < r.raw for r in runs)
    assert any(r.clipped == 7 < r.floor for r in runs)
    assert any(r.clipped == r.floor == 8 for r in runs)
    assert any(s.unscored for s in subjects if s.runs)
    assert any(len(case.runs) > 1 for s in subjects for case in s.cases)
    ranks = [s.rank for s in subjects if s.rank is not None]
    assert len(set(ranks)) < len(ranks)
    assert results.registered_only
