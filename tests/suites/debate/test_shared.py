"""The shared cases and the published results of two experiments, exactly."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.core.exact import Undefined, Value, fixed, ratio
from evalreport.errors import EvalreportError
from evalreport.suites.debate import judging
from evalreport.suites.debate.records import Claim, Instance, JudgedIssue
from evalreport.suites.debate.results import CaseResult, SystemResult
from tests.suites.debate.building import results, ruled, settings, system, table

pytestmark = pytest.mark.shared
CASES = (
    *("01_mean_exactly_065", "03_four_and_three_dims", "05_all_na", "06_margin_exactly_010"),
    *("07_fraction_exactly_075", "08_verdict_and_test_judgments", "10_nothing_scoreable", "11_out_of_range"),
    *("11b_nan", "11c_unknown_dimension", "11d_text_na", "12_duplicate_case", "14_nonbinary_verdict"),
    *("16_real_E1", "16_real_E2"),
)


def number(value: Value) -> object:
    """A value as the shared cases write it."""
    return None if isinstance(value, Undefined) else {"exact": ratio(value), "r4": fixed(value)}


def truth(value: Value) -> bool | None:
    """A pass as the shared cases write it."""
    return None if isinstance(value, Undefined) else bool(value)


def case_row(case: CaseResult) -> dict[str, object]:
    found = case.assessment
    return {
        "n_applicable": found.applicable,
        "mean": number(found.mean),
        "scoreable": found.status != "manual_review",
        "passed": truth(found.passes),
        "would_pass": found.would_pass,
    }


def aggregate(found: SystemResult) -> dict[str, object]:
    return {
        "n_cases": len(found.cases),
        "n_scoreable": len(found.scoreable),
        "n_manual_review": len(found.manual_review),
        "pass_fraction": number(found.passing_fraction),
        "mean_scoreable": number(found.mean),
        "mean_all": number(found.mean_all),
        "benchmark_pass": truth(found.passes),
    }


def test_every_shared_case_is_named_here(shared: Path) -> None:
    assert tuple(sorted(path.name for path in (shared / "cases/debate").iterdir())) == tuple(sorted(CASES))


@pytest.mark.parametrize("name", CASES)
def test_a_shared_case_comes_out_exactly(shared: Path, name: str) -> None:
    folder = shared / "cases/debate" / name
    expected = json.loads((folder / "expected.json").read_text())
    if expected["status"] == "refuse":
        with pytest.raises(EvalreportError) as caught:
            results(folder)
        assert [p.kind for p in caught.value.problems] == [expected["kind"]]
        return
    found = results(folder)
    assert {
        s.system: {"cases": {c.case.case_id: case_row(c) for c in s.cases}, "aggregate": aggregate(s)}
        for s in found.systems
    } == expected["systems"]
    if "comparison" in expected:
        both = expected["comparison"]["scoreable_in_both"]
        lift = system(found).lift
        assert (number(lift.value), truth(lift.passes)) == (both["lift"], both["adds_value"])
        assert len(lift.differences) == both["n"]
    if "warn" in expected:
        assert [flag.kind for flag in found.flags] == [expected["warn"]]


def test_the_shared_judgments_come_out_exactly(shared: Path) -> None:
    path = shared / "cases/debate/08_verdict_and_test_judgments/expected.json"
    cases = json.loads(path.read_text(), parse_float=Fraction)["judgments"]
    for case in cases["recall"]:
        issues = [JudgedIssue(str(n), Fraction(credit)) for n, credit in enumerate(case["credits"])]
        assert number(judging.recall(issues)) == case["score"]
    for case in cases["precision"]:
        claims = [Claim(n, valid=n < case["valid"]) for n in range(case["total"])]
        assert number(judging.precision(claims)) == case["score"]
    for case in cases["calibration"]:
        instances = [
            *(Instance(0, "A", Fraction(score)) for score in case["A"]),
            *(Instance(0, "B", Fraction(score)) for score in case["B"]),
            *(Instance(0, "C", Fraction(score)) for score in case["C"]),
        ]
        assert number(judging.calibration(instances)) == case["score"]
    for case in cases["resolution"]:
        score = judging.resolution(
            case["actual"],
            case["ideal"],
            terminated=case.get("terminated", True),
            efficient=case.get("efficient", True),
            baseline=case.get("baseline", False),
        )
        assert score == Fraction(case["score"])
    for case in cases["diagnosticity"]:
        graded = judging.diagnosticity(Fraction(case["grade"]) if case["proposed"] else None, case["ideal"])
        assert (None if isinstance(graded, Undefined) else str(graded)) == case["score"]
    for case in cases["verdict"]:
        matched = judging.verdict(case["said"], case["truth"])
        assert (None if isinstance(matched, Undefined) else str(matched)) == case["score"]


def test_null_dimensions_and_thresholds_of_the_public_case_come_out_exactly(shared: Path) -> None:
    found = system(results(shared / "cases/public/M27", ruled()))
    assert [c.assessment.status for c in found.cases] == ["pass", "pass", "fail", "manual_review", "fail"]
    assert [fixed(c.assessment.mean) for c in found.cases if isinstance(c.assessment.mean, Fraction)] == [
        *("1.0000", "0.6500", "0.8333", "1.0000", "0.5000")
    ]
    assert (len(found.scoreable), found.passing, found.passing_fraction) == (4, 2, Fraction(1, 2))
    assert (fixed(_number(found.mean), 6), fixed(_number(found.mean_all), 6)) == ("0.745833", "0.796667")
    assert found.passes == 0


def test_the_first_two_experiments_give_their_published_figures(shared: Path) -> None:
    found = results(shared / "data/debate/e1_e2")
    first, second = system(found, "E1"), system(found, "E2")
    assert (fixed(_number(first.mean)), first.passing, len(first.scoreable)) == ("0.9911", 11, 11)
    assert (fixed(_number(second.mean), 5), second.passing, len(second.scoreable)) == ("0.94667", 11, 15)
    assert [(c.name, c.holds) for c in second.conditions[:2]] == [("passing_fraction", False), ("mean", True)]
    assert (first.passes, second.passes) == (1, 0)


def test_the_third_experiment_gives_its_published_means_beside_those_of_its_scoreable_cases(shared: Path) -> None:
    found = results(shared / "data/debate/v3", ruled())
    rows = {r["system"]: r for r in table(found, "debate_systems") if r["result_set"] == "v3_results"}
    assert {name: (r["mean_all"], r["cases"], r["scoreable"], r["runs_per_case"]) for name, r in rows.items()} == {
        "isolated_debate": ("0.9745", "49", "38", "3"),
        "multiround": ("0.9864", "49", "38", "3"),
        "ensemble": ("0.9932", "49", "38", "3"),
        "baseline": ("0.6340", "49", "38", "3"),
    }
    # By the rows of the file: over the 38 cases with at least four dimensions that apply.
    assert {name: r["mean_scoreable"] for name, r in rows.items()} == _scoreable_means(
        shared / "data/debate/v3/v3_results.json"
    )


def test_the_rubric_of_the_third_experiment_states_no_thresholds(shared: Path) -> None:
    with pytest.raises(EvalreportError) as caught:
        results(shared / "data/debate/v3", settings())
    assert [p.kind for p in caught.value.problems] == ["missing_threshold"] * 3


def _number(value: Value) -> Fraction:
    assert not isinstance(value, Undefined)
    return Fraction(value)


def _scoreable_means(path: Path) -> dict[str, str]:
    """Per system the mean of case means; a dimension of this file applies in all runs of a case or in none."""
    cases = json.loads(path.read_text(), parse_float=Fraction)["cases"]
    found = {}
    for name in ("isolated_debate", "multiround", "ensemble", "baseline"):
        means = []
        for case in cases:
            runs = [[s for s in run["scores"].values() if s is not None] for run in case[name]["runs"]]
            assert len({len(run) for run in runs}) == 1
            if len(runs[0]) >= 4:
                means.append(sum(sum(run) for run in runs) / (3 * len(runs[0])))
        found[name] = fixed(Fraction(sum(means)) / len(means))
    return found
