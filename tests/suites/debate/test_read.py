"""What is read from debate files, and what is refused in them."""

from __future__ import annotations

import itertools
import json
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as quickly
from hypothesis import strategies as st

from evalreport.errors import EvalreportError
from evalreport.suites.debate import SUITE
from evalreport.suites.debate.records import Case
from tests.suites.anywhere import with_anything_anywhere
from tests.suites.debate.building import (
    RUBRIC,
    described,
    judgments,
    read,
    results,
    row,
    ruled,
    settings,
    system,
    written,
)

ONE = [1, 1, 1, 1, 1, 1]


def refused(path: Path, **chosen: object) -> list[tuple[str, str]]:
    """Kind and text of every problem."""
    with pytest.raises(EvalreportError) as caught:
        read(path, settings(**chosen) if chosen else ruled())  # type: ignore[arg-type]
    return [(p.kind, str(p)) for p in caught.value.problems]


def test_every_refused_value_is_named_with_file_path_and_value_all_at_once(tmp_path: Path) -> None:
    rows = [row("a", [1.01, True, "N/A", 1, 1, -1]), {"case_id": " ", "scores": {}}, {"scores": None}]
    found = refused(written(tmp_path, r=rows))
    assert ("score_range", "r.json: $[0].scores.issue_discovery_recall is 1.01; expected a number from 0 to 1") in found
    assert (
        "not_a_number",
        "r.json: $[0].scores.issue_discovery_precision is true; expected a number from 0 to 1",
    ) in found
    assert ("not_a_number", 'r.json: $[0].scores.defense_calibration is "N/A"; expected a number from 0 to 1') in found
    assert (
        "score_range",
        "r.json: $[0].scores.final_verdict_correctness is -1; expected a number from 0 to 1",
    ) in found
    assert ("invalid", 'r.json: $[1].case_id is " "; expected a text that is not blank') in found
    assert ("missing", "r.json: $[2].case_id is missing; expected a text that is not blank") in found
    assert len(found) == 6


def test_nan_is_a_score_out_of_range(tmp_path: Path) -> None:
    text = json.dumps([row("a", ONE)]).replace("1", "NaN", 1)
    assert [kind for kind, _ in refused(written(tmp_path, r=text))] == ["score_range"]


def test_long_and_short_names_are_not_mixed(tmp_path: Path) -> None:
    mixed = row("a", ONE)
    mixed["scores"] = {**dict.fromkeys(("IDR",), 1), **mixed["scores"]}  # type: ignore[dict-item]
    assert [kind for kind, _ in refused(written(tmp_path, r=[mixed]))] == ["unknown_dimension"]


def test_a_missing_dimension_is_not_na(tmp_path: Path) -> None:
    short = {"case_id": "a", "scores": {"IDR": 1, "IDP": 1, "DC": 1, "DRQ": 1, "ETD": None}}
    assert [kind for kind, _ in refused(written(tmp_path, r=[short]))] == ["missing"]


def test_a_second_row_of_a_run_is_refused_also_when_it_is_identical(tmp_path: Path) -> None:
    folder = written(tmp_path, r=[row("a", ONE, system="s"), row("a", ONE, system="s", run=1)])
    ((kind, text),) = refused(folder)
    assert kind == "duplicate_case"
    assert text == 'r.json: $[1] is run "1" of "a" by "s", as is r.json: $[0]; expected every run once'


def test_a_named_run_in_two_files_is_refused(tmp_path: Path) -> None:
    folder = written(tmp_path, r1=[row("a", ONE, system="s")], r2=[row("a", ONE, system="s")])
    assert [kind for kind, _ in refused(folder)] == ["duplicate_case"]


def test_rows_without_a_system_that_hold_the_same_case_are_a_set_for_each_file(tmp_path: Path) -> None:
    folder = written(tmp_path, big=[row("a", ONE), row("b", ONE)], small=[row("a", [0] * 6)])
    found = results(folder, ruled())
    assert [(s.system, s.set_name, len(s.cases)) for s in found.systems] == [
        ("debate", "big", 2),
        ("debate (small)", "small", 1),
    ]


def test_a_set_takes_the_descriptions_of_the_case_file_that_describes_all_its_cases(tmp_path: Path) -> None:
    folder = written(
        tmp_path,
        cases=[described("a", difficulty="hard"), described("b")],
        cases_other=[described("a", difficulty="easy"), described("c")],
        r1=[row("a", ONE), row("b", ONE)],
        r2=[row("a", ONE), row("c", ONE)],
    )
    found = results(folder, ruled())
    assert [s.cases[0].case.difficulty for s in found.systems] == ["hard", "easy"]


def test_two_descriptions_of_a_case_that_nothing_tells_apart_are_refused(tmp_path: Path) -> None:
    folder = written(tmp_path, c1=[described("a")], c2=[described("a", issues=())], r=[row("a", ONE, system="s")])
    ((kind, text),) = refused(folder)
    assert kind == "two_cases"
    assert "c1.json and c2.json describe differently" in text


def test_equal_descriptions_in_two_files_are_one_case(tmp_path: Path) -> None:
    folder = written(tmp_path, c1=[described("a")], c2=[described("a"), described("b")], r=[row("a", ONE)])
    records = read(folder, ruled())
    assert records.sets[0].cases == {"a": Case("a", "", "", ("i",), "critique_wins", "It is wrong")}
    assert records.unrun == ("b",)


def test_a_case_twice_in_a_file_and_a_result_for_an_unknown_case_are_refused(tmp_path: Path) -> None:
    folder = written(tmp_path, c=[described("a"), described("a")], r=[row("z", ONE)])
    assert [kind for kind, _ in refused(folder)] == ["duplicate_case", "unknown_case"]


def test_a_threshold_in_neither_place_is_refused(tmp_path: Path) -> None:
    folder = written(tmp_path, rubric={"scoring_dimensions": {}}, r=[row("a", ONE)])
    found = refused(folder, overall_case_pass=Fraction(65, 100))
    ending = "and neither do the settings; expected a number from 0 to 1 in one of them"
    assert [text for _, text in found] == [
        f"rubric.json: states no benchmark_pass_fraction, {ending}",
        f"rubric.json: states no per_dimension_pass, {ending}",
    ]


def test_the_settings_give_what_the_rubric_does_not_state_and_may_not_contradict_it(tmp_path: Path) -> None:
    folder = written(tmp_path, rubric={"score_thresholds": {"overall_case_pass": 0.7}}, r=[row("a", ONE)])
    rest = {"per_dimension_pass": Fraction(1, 2), "benchmark_pass_fraction": Fraction(3, 4)}
    assert read(folder, settings(**rest)).thresholds.overall_case_pass == Fraction(7, 10)
    assert [kind for kind, _ in refused(folder, **rest, overall_case_pass=Fraction(65, 100))] == ["two_thresholds"]


def test_a_threshold_beyond_one_is_refused(tmp_path: Path) -> None:
    thresholds = {**RUBRIC["score_thresholds"], "overall_case_pass": 65}  # type: ignore[dict-item]
    folder = written(tmp_path, rubric={"score_thresholds": thresholds}, r=[row("a", ONE)])
    assert [kind for kind, _ in refused(folder, level=Fraction(9, 10))] == ["threshold_range"]


def test_two_rubrics_that_differ_are_refused(tmp_path: Path) -> None:
    folder = written(tmp_path, rubric=RUBRIC, rubric2={**RUBRIC, "notes": "changed"}, r=[row("a", ONE)])
    assert {kind for kind, _ in refused(folder)} == {"several_rubrics"}


def test_input_without_results_is_refused(tmp_path: Path) -> None:
    assert [kind for kind, _ in refused(written(tmp_path, rubric=RUBRIC))] == ["no_results"]
    cases_alone = refused(written(tmp_path / "2", cases=[described("a")]), per_dimension_pass=None)
    assert [kind for kind, _ in cases_alone] == ["no_results", *["missing_threshold"] * 3]


def test_a_baseline_that_has_not_run_is_refused(tmp_path: Path) -> None:
    folder = written(tmp_path, r=[row("a", ONE, system="one")])
    with pytest.raises(EvalreportError, match="is 'onne', which has no results; expected"):
        results(folder, ruled(baseline="onne"))


def test_other_files_are_listed_as_ignored_and_are_no_inputs(tmp_path: Path) -> None:
    folder = written(
        tmp_path, r=[row("a", ONE)], expected={"status": "ok"}, notes=[{"case_id": "a", "decision": "keep"}]
    )
    (folder / "README.md").write_text("hello")
    records = read(folder, ruled())
    assert [file.path for file in SUITE.inputs(records)] == ["r.json"]
    assert SUITE.ignored(records) == ("README.md", "expected.json", "notes.json")


def test_identifiers_are_texts_exactly_as_written(tmp_path: Path) -> None:
    names = ["007", "NA", "1e5", "a\nb", "<script>", "../x", "=1+1", "範囲 مدى", "true "]
    folder = written(tmp_path, r=[row(n, ONE, system=n) for n in names])
    found = results(folder, ruled())
    assert sorted(s.system for s in found.systems) == sorted(names)
    assert sorted(s.cases[0].case.case_id for s in found.systems) == sorted(names)
    assert [k for k, _ in refused(written(tmp_path / "n", r=[{**row("a", ONE), "case_id": 7}]))] == ["invalid"]


def test_condition_and_experiment_are_part_of_the_name_of_a_system(tmp_path: Path) -> None:
    rows = [
        row("a", ONE, experiment=1),
        row("a", ONE, experiment=2),
        row("a", ONE, system="s", condition="isolated"),
        row("a", ONE, condition="multiround", experiment="pilot"),
    ]
    found = results(written(tmp_path, r=rows), ruled())
    assert [s.system for s in found.systems] == ["E1", "E2", "multiround / pilot", "s / isolated"]


def test_a_report_holds_all_systems_and_runs_of_a_set(tmp_path: Path) -> None:
    runs = [{"scores": {"IDR": x, "IDP": 1, "DC": 1, "DRQ": 1, "ETD": None, "FVC": 1}, "passes": True} for x in (1, 0)]
    report = {
        "mean": 1,
        "cases": [
            {"case_id": "a", "category": "k", "difficulty": "hard", "one": {"runs": runs}, "baseline": {"runs": runs}}
        ],
    }
    found = results(written(tmp_path, report=report), ruled())
    assert [(s.system, s.set_name, s.runs_per_case) for s in found.systems] == [
        ("baseline", "report", (2, 2)),
        ("one", "report", (2, 2)),
    ]
    one = system(found, "one").cases[0]
    assert (one.case.category, one.assessment.scores[0]) == ("k", Fraction(1, 2))


def test_the_split_into_files_and_the_order_of_rows_change_nothing(tmp_path: Path) -> None:
    rows = [
        row("a", [0.75] * 6, system="debate", run=1),
        row("a", [1, 1, None, 1, 1, 0.5], system="debate", run=2),
        row("b", ONE, system="debate"),
        row("a", [0.5] * 6, system="baseline"),
        {"case_id": "b", "system": "baseline", "judgments": judgments()},
    ]
    cases = [described("a"), described("b")]
    whole = written(tmp_path / "whole", rubric=RUBRIC, cases=cases, results=rows)
    expected = _made(whole)
    for number, order in enumerate(itertools.permutations(range(5), 5)):
        if number % 24 == 0:
            files = {f"r{place}": [rows[place]] for place in order}
            parts = written(tmp_path / f"n{number}", rubric=RUBRIC, c1=cases[1:], c0=cases[:1], **files)
            assert _made(parts) == expected
            turned = written(
                tmp_path / f"t{number}", rubric=RUBRIC, cases=cases[::-1], results=[rows[place] for place in order]
            )
            assert _made(turned) == expected


def _made(folder: Path) -> str:
    found = results(folder)
    return repr((SUITE.tables(found), list(SUITE.values(found)), found.flags))


NODES: tuple[object, ...] = (None, True, -1, 0.5, 10**30, "", "x", [], [None], {}, {"case_id": "a"}, {"runs": [1]})


@given(st.data())
@quickly(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_with_anything_anywhere_is_read_or_refused_and_never_breaks(tmp_path: Path, data: st.DataObject) -> None:
    files = {
        "rubric": RUBRIC,
        "cases": [described("a"), described("b", issues=())],
        "rows": [row("a", ONE), {"case_id": "a", "system": "baseline", "judgments": judgments()}],
        "report": {"cases": [{"case_id": "b", "one": {"runs": [row("b", ONE)]}}]},
    }
    changed = with_anything_anywhere(data, files, NODES)
    folder = written(tmp_path, **changed)
    with suppress(EvalreportError):
        results(folder, settings(resamples=1))
