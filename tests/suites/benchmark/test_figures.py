from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.charts.figure import Figure
from evalreport.core.table import plain
from evalreport.report.figures import save_figure
from evalreport.suites.benchmark.compute import compute
from evalreport.suites.benchmark.figures import families, leaderboard, pairs, rank_alpha
from evalreport.suites.benchmark.figures_calibration import confidences, reliability, reliability_overview
from evalreport.suites.benchmark.records import Run, Unscored
from evalreport.suites.benchmark.results import BenchmarkResults
from tests.suites.benchmark.made import a_run, records, settings

CASES = [f"RO-{family}-{k:03d}" for family in ("FOUL", "OXID") for k in range(1, 5)]


STATED = {9: 75, 10: 85, 11: 95, 12: 100}  # the confidence that comes with a score; 35 with any other


def runs(subject: str, version: str, scores: list[int], *, critical: bool = False) -> list[Run]:
    return [
        a_run(case, subject=subject, version=version, score=s, confidence=STATED.get(s, 35), critical=critical)
        for case, s in zip(CASES, scores, strict=False)
    ]


@pytest.fixture(scope="module")
def results() -> BenchmarkResults:
    scored = [
        *runs("steady", "1", [10, 10, 10, 10, 10, 9, 9, 9]),  # P 5/8, mean 77/8
        *runs("bold", "1", [12, 12, 12, 12, 9, 9, 9, 9]),  # P 4/8, mean 84/8
        *runs("模型$_{", "2\n3", [12, 3, 3, 3, 3, 3, 3, 3]),
        *runs("unsafe", "1", [12] * 8, critical=True),
        *runs("partial", "1", [11, 11, 11, 11]),
    ]
    waiting = [Unscored("v1.0", "silent", "0.1", case, "r1") for case in CASES]
    return compute(records(scored, waiting), settings())


def all_figures(results: BenchmarkResults) -> list[Figure]:
    version = results.versions[0]
    each = [make(results, s) for s in version.subjects for make in (reliability, confidences)]
    return [
        *(make(results, version) for make in (leaderboard, rank_alpha, families, pairs, reliability_overview)),
        *each,
    ]


def rows(figure: Figure) -> list[dict[str, str]]:
    return [dict(zip(figure.data.header, row, strict=True)) for row in figure.data.rows]


def test_every_figure_has_a_finding_a_way_to_read_it_and_an_alternative_text(results: BenchmarkResults) -> None:
    for figure in all_figures(results):
        assert plain(figure.finding).endswith(".")
        assert figure.text
        assert figure.alt
        assert all(panel.alt for panel in figure.panels)


def test_every_figure_can_be_drawn_and_has_its_own_address(results: BenchmarkResults, tmp_path: Path) -> None:
    figures = all_figures(results)
    addresses = [f.id for f in figures] + [p.id for f in figures for p in f.panels]
    assert len({a.casefold() for a in addresses}) == len(addresses)
    for figure in figures:
        assert save_figure(figure, tmp_path)["id"] == figure.id


def test_the_leaderboard_draws_the_composite_of_the_ranked_first(results: BenchmarkResults) -> None:
    found = rows(leaderboard(results, results.versions[0]))
    # bold: (4/8 + 84/96) / 2 = 11/16; steady: (5/8 + 77/96) / 2 = 137/192 = 0.7135
    assert [(r["subject_id"], r["rank"], r["q_final"], r["n"]) for r in found][:2] == [
        ("steady", "1", "0.7135", "8"),
        ("bold", "2", "0.6875", "8"),
    ]
    assert [(r["subject_id"], r["status"], r["rank"]) for r in found][3:] == [
        ("partial", "Incomplete", ""),
        ("unsafe", "Disqualified", ""),
        ("silent", "NoData", ""),
    ]
    assert found[-1]["q_final"] == found[-1]["low"] == ""


def test_the_leader_is_named_with_how_sure_it_is(results: BenchmarkResults) -> None:
    finding = plain(leaderboard(results, results.versions[0]).finding)
    assert finding.startswith("steady 1 leads with Q 0.7135; its interval overlaps that of ")


def test_ranks_over_alpha_hold_both_ends_and_the_exact_crossing(results: BenchmarkResults) -> None:
    figure = rank_alpha(results, results.versions[0])
    first = {r["subject_id"]: r for r in rows(figure)}
    assert (first["bold"]["q_final_alpha_0"], first["bold"]["q_final_alpha_1"]) == ("0.8750", "0.5000")
    # 84/96 - 77/96 = 7/96 against 1/8 = 12/96: they meet at 7/19
    assert "7/19" in figure.settings["crossings"]
    assert plain(figure.finding).startswith("2 of 3 ranked versions change rank")


def test_families_hold_the_pass_rate_with_its_n(results: BenchmarkResults) -> None:
    found = {
        (r["subject_id"], r["family"]): (r["pass_rate"], r["n"]) for r in rows(families(results, results.versions[0]))
    }
    assert found["bold", "FOUL"] == ("1.0000", "4")
    assert found["bold", "OXID"] == ("0.0000", "4")
    assert ("partial", "OXID") not in found
    assert ("silent", "FOUL") not in found


def test_a_pair_is_compared_over_its_common_cases(results: BenchmarkResults) -> None:
    found = {(r["subject_a"], r["subject_b"]): r for r in rows(pairs(results, results.versions[0]))}
    assert found["bold", "steady"]["difference"] == "-0.0260"  # 0.6875 - 0.7135
    assert found["bold", "steady"]["n_cases"] == "8"
    assert found["bold", "partial"]["n_cases"] == "4"


def test_only_bins_that_hold_runs_are_drawn(results: BenchmarkResults) -> None:
    found = rows(reliability(results, results.subject("bold", "1")))
    # scores of 9 come with confidence 75, those of 12 with 100
    assert [(r["bin"], r["n"]) for r in found] == [("70–79", "4"), ("90–100", "4")]


def test_a_subject_without_runs_says_so_and_draws_nothing(results: BenchmarkResults) -> None:
    figure = reliability(results, results.subject("silent", "0.1"))
    assert plain(figure.finding) == "There is nothing to draw yet: no runs are scored."
    assert figure.data.rows == ()


def test_panels_lead_to_the_page_of_their_subject(results: BenchmarkResults) -> None:
    panels = reliability_overview(results, results.versions[0]).panels
    assert [p.href for p in panels[:2]] == ["benchmark/subject/steady--1", "benchmark/subject/bold--1"]


def test_the_settings_beside_a_figure_are_those_it_depends_on(results: BenchmarkResults) -> None:
    assert leaderboard(results, results.versions[0]).settings == {
        "alpha": "1/2",
        "level": "19/20",
        "resamples": "200",
        "seed": "0",
    }


def test_nothing_scored_at_all_still_makes_every_figure(tmp_path: Path) -> None:
    empty = compute(
        records([], [Unscored("v1.0", "m", "1", "RO-FOUL-001", "r1")], {"v1.0": ["RO-FOUL-001"]}), settings()
    )
    for figure in all_figures(empty):
        save_figure(figure, tmp_path)


def test_two_benchmark_versions_have_figures_of_their_own() -> None:
    both = [a_run(benchmark_version=v) for v in ("v1.0", "v2.0")]
    results = compute(records(both), settings(alpha=Fraction(1, 3)))
    ids = {make(results, v).id for v in results.versions for make in (leaderboard, rank_alpha, families, pairs)}
    assert len(ids) == 8


def test_the_suites_load_without_a_drawing_library() -> None:
    code = "import sys, evalreport.suites.benchmark; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
