"""The rubric's rule for cases and benchmark, by hand."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from evalreport.core.exact import Undefined
from evalreport.suites.debate.metrics import issue_discovery_recall
from tests.suites.debate.building import HALF, RUBRIC, RULE, results, row, ruled, settings, system, table, written

ALL_ONE = [1, 1, 1, 1, 1, 1]


def test_the_five_cases_without_a_rubric_follow_the_rule(tmp_path: Path) -> None:
    rows = [
        row("c1", [1, 1, 1, 1, None, 1]),
        row("c2", [0.75, 0.5, 0.5, 0.5, None, 1]),
        row("c3", [1, 1, 1, 1, 1, 0]),
        row("c4", [1, 1, None, None, None, 1]),
        row("c5", [0.5] * 6),
    ]
    found = system(results(written(tmp_path, evaluation_results=rows), ruled()))
    assert [c.assessment.mean for c in found.cases] == [1, Fraction(13, 20), Fraction(5, 6), 1, HALF]
    assert [c.assessment.status for c in found.cases] == ["pass", "pass", "fail", "manual_review", "fail"]
    assert [c.assessment.applicable for c in found.cases] == [5, 5, 6, 3, 6]
    assert found.passing_fraction == Fraction(2, 4)
    assert found.mean == (1 + Fraction(13, 20) + Fraction(5, 6) + HALF) / 4
    assert found.mean_all == (1 + Fraction(13, 20) + Fraction(5, 6) + 1 + HALF) / 5
    assert found.passes == 0


def test_a_mean_of_exactly_the_threshold_passes_and_one_hundredth_of_a_dimension_less_does_not(tmp_path: Path) -> None:
    rows = [row("a", [0.5, 0.5, 0.65, 0.95, None, None]), row("b", [0.5, 0.5, 0.65, 0.94, None, None])]
    found = system(results(written(tmp_path, r=rows), ruled()))
    assert [c.assessment.mean for c in found.cases] == [Fraction(260, 400), Fraction(259, 400)]
    assert [c.assessment.status for c in found.cases] == ["pass", "fail"]


def test_a_dimension_of_exactly_its_threshold_passes_and_one_just_below_fails_the_case(tmp_path: Path) -> None:
    one = '{"case_id": "%s", "scores": {"IDR": 1, "IDP": 1, "DC": 1, "DRQ": 1, "ETD": 1, "FVC": %s}}'
    text = f"[{one % ('a', '0.5')}, {one % ('b', '0.49999999999999999999')}]"
    found = system(results(written(tmp_path, r=text), ruled()))
    assert [c.assessment.status for c in found.cases] == ["pass", "fail"]


def test_four_applicable_dimensions_are_scoreable_and_three_are_reviewed_by_hand(tmp_path: Path) -> None:
    rows = [row("four", [1, 1, 1, 1, None, None]), row("three", [0, 1, 1, None, None, None])]
    found = system(results(written(tmp_path, r=rows), ruled()))
    assert [c.case.case_id for c in found.manual_review] == ["three"]
    assert (found.passing_fraction, found.mean, found.mean_all) == (1, 1, (1 + Fraction(2, 3)) / 2)


def test_with_nothing_scoreable_the_benchmark_neither_passes_nor_fails(tmp_path: Path) -> None:
    found = system(results(written(tmp_path, r=[row("a", [1, None, None, None, None, None])]), ruled()))
    assert found.passing_fraction == found.mean == found.passes == Undefined("no scoreable cases")
    assert found.mean_all == 1
    assert table(results(tmp_path, ruled()), "debate_systems")[0]["passes"] == ""


def test_a_case_without_any_dimension_has_no_mean_and_is_left_out_of_every_mean(tmp_path: Path) -> None:
    rows = [row("void", [None] * 6), row("ok", [0.5, 1, 1, 1, 1, 1])]
    found = system(results(written(tmp_path, r=rows), ruled()))
    assert found.cases[1].assessment.mean == Undefined("no dimension applies")
    assert found.mean_all == found.mean == Fraction(11, 12)
    cells = table(results(tmp_path, ruled()), "debate_cases")[1]
    assert (cells["mean"], cells["applicable"], cells["passes"], cells["status"]) == ("", "0", "", "manual_review")


def test_na_is_an_empty_cell_and_zero_is_a_zero(tmp_path: Path) -> None:
    found = results(written(tmp_path, r=[row("a", [0, 1, 1, 1, None, 1])]), ruled())
    cells = table(found, "debate_cases")[0]
    assert (cells["issue_discovery_recall"], cells["empirical_test_diagnosticity"]) == ("0.0000", "")


def test_a_passing_fraction_of_exactly_three_quarters_passes_the_benchmark(tmp_path: Path) -> None:
    rows = [row(c, [1, 1, 1, 1, None, None]) for c in "abc"] + [row("d", [0] * 6)]
    found = system(results(written(tmp_path, r=rows), ruled()))
    assert (found.passing_fraction, found.mean, found.passes) == (Fraction(3, 4), Fraction(3, 4), 1)


def test_the_benchmark_needs_the_mean_as_well_as_the_passing_fraction(tmp_path: Path) -> None:
    rows = [row(c, [0.65] * 6) for c in "abc"] + [row("d", [0.64] * 6)]
    found = system(results(written(tmp_path, r=rows), ruled()))
    assert (found.passing_fraction, found.mean, found.passes) == (Fraction(3, 4), Fraction(259, 400), 0)
    assert [(c.name, c.holds) for c in found.conditions] == [
        ("passing_fraction", True),
        ("mean", False),
        ("lift", None),
    ]


def test_a_lift_of_exactly_one_tenth_is_enough(tmp_path: Path) -> None:
    rows = [row("a", [0.75] * 6, system="debate"), row("a", [0.65] * 6, system="baseline")]
    found = system(results(written(tmp_path, r=rows), ruled()))
    assert (found.lift.value, found.lift.passes) == (Fraction(1, 10), 1)
    less = ruled(min_lift=Fraction(1, 10) + Fraction(1, 10**30))
    assert system(results(tmp_path, less)).lift.passes == 0


def test_lift_is_taken_over_the_cases_scoreable_in_both_systems(tmp_path: Path) -> None:
    rows = [
        row("a", [0.75] * 6, system="debate"),
        row("b", [1, 1, 1, None, None, None], system="debate"),
        row("c", ALL_ONE, system="debate"),
        row("a", [0.5] * 6, system="baseline"),
        row("b", [0] * 6, system="baseline"),
    ]
    found = results(written(tmp_path, r=rows), ruled())
    assert system(found).lift.value == Fraction(3, 4) - HALF
    assert system(found).lift.differences == {"a": Fraction(1, 4)}
    assert system(found, "baseline").lift.value == Undefined("is the baseline")


def test_without_a_baseline_there_is_no_lift(tmp_path: Path) -> None:
    found = system(results(written(tmp_path, r=[row("a", ALL_ONE)]), ruled()))
    assert found.lift.value == found.lift.passes == Undefined("no baseline")


def test_another_system_can_be_the_baseline(tmp_path: Path) -> None:
    rows = [row("a", [0.75] * 6, system="one"), row("a", [0.5] * 6, system="two")]
    found = results(written(tmp_path, r=rows), ruled(baseline="two"))
    assert system(found, "one").lift.value == Fraction(1, 4)


def test_the_interval_of_the_lift_does_not_change_with_other_systems_or_the_order_of_rows(tmp_path: Path) -> None:
    rows = [
        row(c, [x / 10] * 6, system=s)
        for s, k in (("debate", 1), ("baseline", 0))
        for c, x in (("a", 3 + k), ("b", 4 + 3 * k), ("c", 5), ("d", 2 + 2 * k))
    ]
    few = system(results(written(tmp_path / "few", r=rows), ruled()))
    more = [*reversed(rows), row("a", ALL_ONE, system="another"), row("z", ALL_ONE, system="debate")]
    many = system(results(written(tmp_path / "many", r=more), ruled()))
    assert few.lift.interval == many.lift.interval
    assert few.lift.interval is not None
    assert (few.lift.interval.n, few.lift.interval.method) == (4, "percentile bootstrap")
    low, high = few.lift.interval.low, few.lift.interval.high
    assert low is not None
    assert high is not None
    assert 0 <= low < Fraction(15, 100) < high <= Fraction(3, 10)


def test_runs_are_combined_before_the_rule_is_applied_and_na_in_one_run_is_left_out(tmp_path: Path) -> None:
    rows = [
        row("a", [1, 1, 1, 1, None, 0], run=1),
        row("a", [1, 1, 1, 0, 1, 1], run=2),
        row("a", [1, None, 1, 1, None, 1], run=3),
    ]
    case = system(results(written(tmp_path, r=rows), ruled())).cases[0]
    assert case.assessment.scores == (1, 1, 1, Fraction(2, 3), 1, Fraction(2, 3))
    assert case.assessment.mean == (4 + Fraction(4, 3)) / 6
    assert case.assessment.status == "pass"
    assert [r.assessment.status for r in case.runs] == ["fail", "fail", "pass"]
    assert case.runs_passing == 1
    assert [r["passes"] for r in table(results(tmp_path, ruled()), "debate_runs")] == ["False", "False", "True"]


def test_the_rubric_gives_the_thresholds_and_its_hash(tmp_path: Path) -> None:
    found = results(written(tmp_path, rubric=RUBRIC, r=[row("a", ALL_ONE)]), settings())
    assert found.thresholds.overall_case_pass == RULE["overall_case_pass"]
    assert found.rubric.path == "rubric.json"
    assert found.rubric.sha256 is not None
    assert len(found.rubric.sha256) == 64


def test_results_scored_under_another_rubric_are_flagged(tmp_path: Path) -> None:
    rows = [row("a", ALL_ONE, rubric_sha256="0" * 64)]
    found = results(written(tmp_path, rubric=RUBRIC, r=rows), settings())
    assert [flag.kind for flag in found.flags] == ["rubric_changed"]
    sha256 = found.rubric.sha256
    same = written(tmp_path / "same", rubric=RUBRIC, r={"rubric_sha256": sha256, "results": [row("a", ALL_ONE)]})
    assert results(same, settings()).flags == ()


def test_a_baseline_above_its_caps_is_flagged_and_not_altered(tmp_path: Path) -> None:
    rows = [row("a", [1, 1, 1, 0.75, 1, 1], system="baseline"), row("b", [1, 1, 1, 0.5, 1, 1], system="baseline")]
    found = results(written(tmp_path, r=rows), ruled())
    assert [(f.case_id, f.kind) for f in found.flags] == [("a", "baseline_above_cap")]
    assert system(found, "baseline").cases[0].assessment.scores[3] == Fraction(3, 4)


def test_a_verdict_of_one_half_is_accepted_and_flagged(tmp_path: Path) -> None:
    found = results(written(tmp_path, r=[row("a", [1, 1, 1, 1, 1, 0.5])]), ruled())
    assert system(found).cases[0].assessment.mean == Fraction(11, 12)
    assert [f.kind for f in found.flags] == ["final_verdict_not_binary"]


def test_a_file_that_calls_a_run_otherwise_than_the_rule_is_flagged(tmp_path: Path) -> None:
    rows = [row(c, ALL_ONE, pass_fail=said) for c, said in (("a", "fail"), ("b", "pass"))]
    found = results(written(tmp_path, r=rows), ruled())
    assert [(f.case_id, f.kind) for f in found.flags] == [("a", "stated_pass_differs")]


def test_pass_and_fail_are_counted_by_category_and_difficulty(tmp_path: Path) -> None:
    cases = [
        {"case_id": c, "category": k, "difficulty": "easy", "planted_issues": []}
        for c, k in (("a", "x"), ("b", "x"), ("c", "y"))
    ]
    rows = [row("a", ALL_ONE), row("b", [0] * 6), row("c", [1, None, None, None, None, None])]
    groups = system(results(written(tmp_path, cases=cases, r=rows), ruled())).groups
    assert [(g.kind, g.name, g.cases, g.scoreable, g.passing, g.manual_review, g.mean) for g in groups] == [
        ("category", "x", 2, 2, 1, 0, HALF),
        ("category", "y", 1, 0, 0, 1, Undefined("no scoreable cases")),
        ("difficulty", "easy", 3, 2, 1, 1, HALF),
    ]


def test_a_dimension_that_applies_in_no_run_tells_each_reason_once_and_in_order() -> None:
    reasons = ["no test", "no claims", "no issues", "no verdict", "no claims", "no debate"]
    told = "no claims; no debate; no issues; no test; no verdict"
    assert issue_discovery_recall([Undefined(reason) for reason in reasons]) == Undefined(told)
    assert issue_discovery_recall([]) == Undefined("not run")
