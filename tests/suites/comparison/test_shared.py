"""The shared cases exactly, and the published figures of two comparisons."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.core.suite import Interval
from evalreport.errors import EvalreportError
from evalreport.report.audit import audit_lines
from evalreport.suites.comparison import SUITE
from tests.suites.comparison.building import board, model, number, pair, results

pytestmark = pytest.mark.shared
NEAR = Fraction(1, 10**12)
REFUSED = (
    *("05_score_above_one", "06_score_nan", "06b_score_infinity", "06c_score_string", "06e_score_null"),
    *("07_duplicate_pair", "15_percent_scale"),
)
SOUND = (
    *("01_two_models", "02_ties_full_win", "04_missing_tasks", "06f_negative_zero_and_one", "08_empty", "09_one_task"),
    *("11_names", "14_zero_on_the_edge", "16_categories_weight", "17_all_zero_task"),
)


def test_every_shared_case_is_named_here(shared: Path) -> None:
    assert sorted(path.name for path in (shared / "cases" / "comparison").iterdir()) == sorted(REFUSED + SOUND)


def within(found: Interval, expected: dict[str, object] | None) -> None:
    """The limits are those of the exact distribution, and inside what every resampling may give."""
    if expected is None:
        assert (found.low, found.high) == (None, None)
        assert found.note
        return
    for limit, name in ((found.low, "lo"), (found.high, "hi")):
        exact, span = expected[f"{name}_limit"], expected[name]
        assert isinstance(exact, dict)
        assert isinstance(span, list)
        assert abs(number(limit) - Fraction(exact["exact"])) <= NEAR
        assert Fraction(span[0]) - NEAR <= number(limit) <= Fraction(span[1]) + NEAR


@pytest.mark.parametrize("case", SOUND)
def test_a_sound_case_has_the_expected_numbers(shared: Path, case: str) -> None:
    folder = shared / "cases" / "comparison" / case
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    params = json.loads((folder / "params.json").read_text(encoding="utf-8"))
    found = results(folder / "runs.json", resamples=params["b"], seed=params["seed"])
    rows = [row for one in found.boards for row in one.rows]
    pairs = [one for result in found.boards for one in result.pairs]
    assert [row.model_id for row in rows] == [row["model_id"] for row in expected["rows"]]
    for row, told in zip(rows, expected["rows"], strict=True):
        assert row.mean == Fraction(told["mean_score"]["exact"])
        assert row.win_rate == Fraction(told["win_rate"]["exact"])
        assert (row.wins, row.completed) == (told["wins"], told["tasks_completed"])
        assert {q: m for q, (m, _) in row.categories.items()} == {
            q: Fraction(m["exact"]) for q, m in told["categories"].items()
        }
        within(row.interval, told["ci"])
    assert len(pairs) == len(expected["pairs"])
    for one, told in zip(pairs, expected["pairs"], strict=True):
        assert (one.model_a, one.model_b, one.n) == (told["model_a"], told["model_b"], told["n_common"])
        assert one.difference == Fraction(told["diff_mean"]["exact"])
        assert one.significant is told["significant"]
        within(one.interval, told["ci"])
    if "ranked" in expected:
        assert [row.model_id for row in rows if row.rank is not None] == expected["ranked"]
        assert [row.model_id for row in rows if row.rank is None] == expected["incomplete"]
    audit_lines(SUITE.audit(found))


@pytest.mark.parametrize("case", REFUSED)
def test_a_case_to_refuse_is_refused_for_its_reason(shared: Path, case: str) -> None:
    folder = shared / "cases" / "comparison" / case
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    with pytest.raises(EvalreportError) as refused:
        results(folder / "runs.json")
    assert {problem.kind for problem in refused.value.problems} == {expected["kind"]}


def test_the_lesson_is_reproduced_exactly_and_its_intervals_statistically(shared: Path) -> None:
    original = json.loads((shared / "data/comparison/lesson_demo_original_output.json").read_text(encoding="utf-8"))
    found = board(shared / "data/comparison/lesson_demo.json", resamples=20_000)
    for told in original["rows"]:
        row = model(found, told["model_id"])
        assert float(number(row.mean)) == pytest.approx(told["mean_score"], abs=1e-12)
        assert float(number(row.win_rate)) == told["win_rate"]
        # its 300 resamples leave a limit open by some tenths of the interval's width
        width = told["mean_ci_hi"] - told["mean_ci_lo"]
        assert float(number(row.interval.low)) == pytest.approx(told["mean_ci_lo"], abs=width / 5)
        assert float(number(row.interval.high)) == pytest.approx(told["mean_ci_hi"], abs=width / 5)
        assert {q: float(number(m)) for q, (m, _) in row.categories.items()} == pytest.approx(told["categories"])
    for told in original["pairs"]:
        one = pair(found, told["model_a"], told["model_b"])
        assert float(number(one.difference)) == pytest.approx(told["diff_mean"], abs=1e-12)
        assert one.significant is told["significant"]


def test_the_published_debate_comparison(shared: Path) -> None:
    found = board(shared / "data/comparison/ml_debate_v2.json", resamples=10_000, seed=42)
    published = {"debate": (0.9699, 0.9415), "baseline": (0.3841, 0.275), "ensemble": (0.7542, 0.6271)}
    for name, (mean, low) in published.items():
        row = model(found, name)
        assert float(number(row.mean)) == pytest.approx(mean, abs=6e-5)
        assert float(number(row.interval.low)) == pytest.approx(low, abs=0.006)
    assert float(number(model(found, "baseline").interval.high)) == pytest.approx(0.4859, abs=0.006)
    assert float(number(model(found, "ensemble").interval.high)) == pytest.approx(0.8562, abs=0.006)
    # scores of this model take few values, and the quantile lies in a gap between two means that drawing may give
    assert number(model(found, "debate").interval.high) in (Fraction("0.99165"), Fraction("0.995"))
    lift = pair(found, "baseline", "debate")
    assert float(-number(lift.difference)) == pytest.approx(0.5858, abs=5e-5)
    assert float(-number(lift.interval.high)) == pytest.approx(0.4859, abs=0.006)
    assert float(-number(lift.interval.low)) == pytest.approx(0.6908, abs=0.006)
