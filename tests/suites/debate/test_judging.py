"""From judgments to scores, by hand."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.core.exact import Undefined
from evalreport.errors import EvalreportError
from evalreport.suites.debate.judging import folded
from evalreport.suites.debate.records import DIMENSIONS
from tests.suites.debate.building import HALF, RUBRIC, Row, described, judgments, results, system, written

ROUNDS = {"rounds_used": 2, "rounds_allowed": 4, "rounds_necessary": 2}
SPECIFIED = {"procedure": True, "measurable": True, "decisive": True, "distinguishes": True}


def scores(folder: Path, judged: Row, *, case: Row | None = None, name: str = "debate") -> dict[str, object]:
    """The six scores of one judged run by short name; None for N/A."""
    rows = [{"case_id": "a", "system": name, "judgments": judged}]
    written(folder, rubric=RUBRIC, cases=[case or described("a")], r=rows)
    found = system(results(folder), name).cases[0].runs[0].run.scores
    return {d: None if isinstance(s, Undefined) else s for d, s in zip(DIMENSIONS, found, strict=True)}


def test_a_flawless_run_scores_one_wherever_a_dimension_applies(tmp_path: Path) -> None:
    assert scores(tmp_path, judgments()) == {"IDR": 1, "IDP": 1, "DC": 1, "DRQ": 1, "ETD": None, "FVC": 1}


def test_recall_is_half_for_the_right_place_or_the_right_nature_alone(tmp_path: Path) -> None:
    judged = judgments(
        issues={
            "both": {"located": True, "characterised": True},
            "place": {"located": True, "characterised": False},
            "nature": {"located": False, "characterised": True},
            "none": {"located": False, "characterised": False},
        }
    )
    case = described("a", issues=("both", "place", "nature", "none"))
    assert scores(tmp_path, judged, case=case)["IDR"] == (1 + HALF + HALF + 0) / 4


def test_no_planted_issues_no_claims_and_no_instances_are_na(tmp_path: Path) -> None:
    judged = judgments(issues={}, claims=[], defense={"concessions": [], "contestations": [], "updates": []})
    found = scores(tmp_path, judged, case=described("a", issues=()))
    assert (found["IDR"], found["IDP"], found["DC"]) == (None, None, None)


def test_precision_is_the_share_of_valid_claims(tmp_path: Path) -> None:
    claims = [{"valid": True}, {"valid": True}, {"valid": True}, {"valid": False}]
    assert scores(tmp_path, judgments(claims=claims))["IDP"] == Fraction(3, 4)


def test_calibration_is_the_mean_of_all_instances_and_leaves_a_kind_without_any_out(tmp_path: Path) -> None:
    without_b = {"concessions": [1, 0.5], "contestations": [], "updates": [1, 0]}
    assert scores(tmp_path / "1", judgments(defense=without_b))["DC"] == Fraction(25, 40)
    every = {"concessions": [1], "contestations": [0.5], "updates": [0]}
    assert scores(tmp_path / "2", judgments(defense=every))["DC"] == HALF


def test_denying_a_valid_claim_scores_zero(tmp_path: Path) -> None:
    denied = {"concessions": [0], "contestations": [], "updates": []}
    assert scores(tmp_path, judgments(defense=denied))["DC"] == 0


@pytest.mark.parametrize(
    ("resolution", "score"),
    [
        ({**ROUNDS, "actual": "critique_wins"}, Fraction(1)),
        ({**ROUNDS, "actual": "critique_wins", "rounds_used": 3}, HALF),
        ({**ROUNDS, "actual": "critique_wins", "rounds_used": 4}, HALF),
        ({**ROUNDS, "actual": "critique_wins", "rounds_used": 5}, Fraction(0)),
        ({**ROUNDS, "actual": "critique_wins", "terminated": False}, Fraction(0)),
        ({**ROUNDS, "actual": None}, Fraction(0)),
        ({**ROUNDS, "actual": "defense_wins"}, Fraction(0)),
    ],
)
def test_resolution_needs_the_right_type_in_time_and_all_credit_needs_no_round_too_many(
    tmp_path: Path, resolution: Row, score: Fraction
) -> None:
    assert scores(tmp_path, judgments(resolution=resolution))["DRQ"] == score


def test_a_baseline_earns_half_for_the_right_resolution(tmp_path: Path) -> None:
    assert scores(tmp_path, judgments(), name="baseline")["DRQ"] == HALF


def test_a_position_update_of_a_baseline_is_flagged_and_not_altered(tmp_path: Path) -> None:
    assert scores(tmp_path, judgments(), name="baseline")["DC"] == 1
    assert [flag.kind for flag in results(tmp_path).flags] == ["baseline_above_cap"]


@pytest.mark.parametrize(
    ("ideal", "test", "score"),
    [
        ("empirical_test_agreed", None, Fraction(0)),
        ("critique_wins", None, None),
        ("critique_wins", SPECIFIED, Fraction(1)),
        ("defense_wins", {**SPECIFIED, "measurable": False}, HALF),
        ("defense_wins", {**SPECIFIED, "distinguishes": False}, Fraction(0)),
        ("defense_wins", 0.5, HALF),
    ],
)
def test_a_test_is_graded_when_one_was_proposed_and_its_absence_is_zero_only_where_one_was_needed(
    tmp_path: Path, ideal: str, test: object, score: Fraction | None
) -> None:
    assert scores(tmp_path, judgments(test=test), case=described("a", ideal=ideal))["ETD"] == score


@pytest.mark.parametrize(
    ("said", "truth", "score"),
    [
        ("  RESULT is Invalid \n", "Result is invalid", 1),
        ("Result \t is\ninvalid", "Result is invalid", 1),
        (None, "Result is invalid", 0),
        ("Result is valid", "Result is invalid", 0),
        ("Result is invalid.", "Result is invalid", 0),
        ("x", None, None),
        ("STRASSE", "straße", 1),
        ("caf\u00e9", "cafe\u0301", 1),
        ("\u0130", "i\u0307", 1),
    ],
)
def test_verdicts_match_without_regard_to_case_form_and_white_space(
    tmp_path: Path, said: str | None, truth: str | None, score: int | None
) -> None:
    case = described("a", ground_truth={"final_verdict": truth})
    assert scores(tmp_path, judgments(verdict=said), case=case)["FVC"] == score


def test_the_order_of_combining_marks_does_not_tell_verdicts_apart() -> None:
    assert folded("\u03b1\u0345\u0301") == folded("\u1fb4") == folded("\u1fb4".upper())


def test_folding_twice_changes_nothing_more() -> None:
    for text in ("\u1e9e \u0345\u03b1", "\u0130", "\ufb03 x", "\u03a3\u0345 "):
        assert folded(folded(text)) == folded(text)


def test_every_unusable_judgment_is_refused_with_its_place(tmp_path: Path) -> None:
    judged = judgments(
        issues={"i": 0.7, "j": 1},
        claims=[{"valid": 1}],
        defense={"concessions": [2], "contestations": None, "updates": [0.5]},
        resolution={**ROUNDS, "actual": "draw"},
        test={"procedure": True},
    )
    del judged["verdict"]
    rows = [{"case_id": "a", "judgments": judged}, {"case_id": "a", "run": 2}]
    written(tmp_path, rubric=RUBRIC, cases=[described("a")], r=rows)
    with pytest.raises(EvalreportError) as caught:
        results(tmp_path)
    assert [str(p).partition(";")[0].removeprefix("r.json: $") for p in caught.value.problems] == [
        "[0].judgments.claims[0].valid is 1",
        "[0].judgments.defense.concessions[0] is 2",
        "[0].judgments.defense.contestations is null",
        "[0].judgments.defense.updates[0] is 0.5",
        "[0].judgments.issues.i is 0.7",
        "[0].judgments.issues.j is no planted issue of the case",
        '[0].judgments.resolution.actual is "draw"',
        "[0].judgments.test.decisive is missing",
        "[0].judgments.test.distinguishes is missing",
        "[0].judgments.test.measurable is missing",
        "[0].judgments.verdict is missing",
        "[1] has neither scores nor judgments",
    ]


def test_judgments_need_a_described_case(tmp_path: Path) -> None:
    written(tmp_path, rubric=RUBRIC, r=[{"case_id": "a", "judgments": judgments()}])
    with pytest.raises(EvalreportError, match='cannot be scored: "a" has no ideal resolution'):
        results(tmp_path)


def test_a_letter_that_case_folding_takes_apart_is_still_the_same_letter() -> None:
    # One code point, and capital iota with dialytika and a combining acute: folded, both are one code point again.
    assert folded("\u0390") == folded("\u03aa\u0301") == "\u0390"
