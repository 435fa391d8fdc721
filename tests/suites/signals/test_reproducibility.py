"""Which setup items are asked of a run, what discloses them, and what only looks as if it did."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalreport.suites.signals.catalogue import setup_items
from evalreport.suites.signals.evidence import disclosure, gap
from tests.suites.signals.made import Json, of, only, record, result, table

ALWAYS = ("decoding", "output_length", "harness", "harness_version", "test_set")
TOOLS: Json = {"available_tools": [{"name": "shell"}]}


def asked(folder: Path, **configuration: object) -> tuple[str, ...]:
    return only(of(folder, record(result(**configuration)))).applicable


def open_items(folder: Path, **configuration: object) -> tuple[str, ...]:
    return only(of(folder, record(result(**configuration)))).undisclosed


def test_a_run_of_which_nothing_is_said_is_asked_for_five_items_and_discloses_none(tmp_path: Path) -> None:
    found = only(of(tmp_path, record()))
    assert (found.applicable, found.disclosed, found.undisclosed, found.gap) == (ALWAYS, (), ALWAYS, 1)


def test_a_result_that_discloses_all_that_is_asked_has_no_gap(tmp_path: Path) -> None:
    told = result(args={"temperature": 0, "max_tokens": 1}, details={"split": "test"})
    found = only(of(tmp_path, record(told, eval_library={"name": "harness", "version": "1"})))
    assert (found.undisclosed, found.gap) == ((), 0)


@pytest.mark.parametrize("item", setup_items().items, ids=lambda item: item.key)
def test_any_one_field_of_an_item_discloses_it(item: object, tmp_path: Path) -> None:
    found = next(one for one in setup_items().items if one is item)
    for number, name in enumerate(found.fields):
        if "." in name:
            library = {name.partition(".")[2]: "x"}
            report = only(of(tmp_path / str(number), record(result(), eval_library=library))).reports[0]
        else:
            report = only(of(tmp_path / str(number), record(result(args={name: "x"})))).reports[0]
        assert [evidence.value for evidence in disclosure(report, found)] == ["x"], name


@pytest.mark.parametrize(
    ("details", "path"),
    [
        ({"temperature": "0.5"}, ".temperature"),
        ("temperature=0.5", ""),
        ("seed = 1; temperature = 0.5", ""),
        ('{"temperature": 0.5}', " (JSON).temperature"),
        (["seed=1", "temperature=0.5"], "[1]"),
        ([{"temperature": 0.5}], "[0].temperature"),
        ({"config": '{"temperature": 0.5}'}, ".config (JSON).temperature"),
    ],
)
def test_details_are_read_whatever_their_form(details: object, path: str, tmp_path: Path) -> None:
    found = only(of(tmp_path, record(result(details=details))))
    assert "decoding" in found.disclosed
    [evidence] = disclosure(found.reports[0], setup_items().item("decoding"))
    assert evidence.path == f"$.evaluation_results[0].generation_config.additional_details{path}"
    assert evidence.value == "0.5"


@pytest.mark.parametrize("details", ["", "no pairs here", "{broken", [], [None, 3, [[]]], 7, True, None, {"a": "{x"}])
def test_details_that_say_nothing_are_no_error(details: object, tmp_path: Path) -> None:
    assert open_items(tmp_path, details=details) == ALWAYS


def test_the_flat_settings_of_the_first_versions_disclose(tmp_path: Path) -> None:
    old = result(generation_config={"temperature": 0.0, "max_tokens": 1})
    for version in ("0.0.1", "0.1.0"):
        found = only(of(tmp_path / version, record(old, version=version)))
        assert found.disclosed == ("decoding", "output_length")
        assert found.reports[0].setup.findings[-1].path == "evaluation_results[*].generation_config.temperature"


def test_the_split_and_the_size_of_the_data_set_disclose_the_test_set(tmp_path: Path) -> None:
    sources: tuple[Json, ...] = ({"hf_split": "test"}, {"samples_number": 0})
    for number, source in enumerate(sources):
        one = result(source_data={"dataset_name": "Trivia", **source})
        assert "test_set" in only(of(tmp_path / str(number), record(one))).disclosed


def test_limits_of_a_conversation_disclose_the_output_length(tmp_path: Path) -> None:
    assert "output_length" not in open_items(tmp_path, args={"eval_limits": {"message_limit": 100}})


def test_one_attempt_by_default_is_no_disclosure(tmp_path: Path) -> None:
    found = only(of(tmp_path, record(result(args={"max_attempts": 1, "agentic_eval_config": TOOLS}))))
    assert "attempts" in found.undisclosed
    [evidence] = [e for e in disclosure(found.reports[0], setup_items().item("attempts")) if e.value is not None]
    assert evidence.path == "$.evaluation_results[0].generation_config.generation_args.max_attempts"
    assert (evidence.value, evidence.note) == ("1", "only repeats the schema's default")


@pytest.mark.parametrize("args", [{"max_attempts": 2}, {"epochs": 1}, {"repeats": 0}])
def test_an_attempt_that_someone_wrote_down_is_a_disclosure(args: Json, tmp_path: Path) -> None:
    assert "attempts" not in open_items(tmp_path, args={**args, "agentic_eval_config": TOOLS})


def test_one_attempt_told_beside_the_default_is_a_disclosure(tmp_path: Path) -> None:
    args: Json = {"max_attempts": 1, "agentic_eval_config": TOOLS}
    assert "attempts" not in open_items(tmp_path, args=args, details={"max_attempts": "1"})


@pytest.mark.parametrize(
    "args",
    [
        {"agentic_eval_config": {}},
        {"agentic_eval_config": {"available_tools": []}},
        {"agentic_eval_config": {"available_tools": [], "note": "Not specified"}},
        {"max_attempts": 1},
        {"scaffold": "none"},
        {"compaction": False},
        {"eval_plan": {"name": "plan", "steps": [{"solver": "generate"}], "config": {}}},
        {"eval_plan": {"name": "plan", "steps": ['{"solver": "multiple_choice"}']}},
        {"truncation": "left"},
    ],
)
def test_what_only_looks_like_an_agent_is_none(args: Json, tmp_path: Path) -> None:
    assert asked(tmp_path, args=args) == ALWAYS


@pytest.mark.parametrize(
    "args",
    [
        {"agentic_eval_config": TOOLS},
        {"agentic_eval_config": {"additional_details": {"agent_name": "loop"}}},
        {"scaffold": "loop"},
        {"context_management": "summary"},
        {"eval_plan": {"steps": [{"solver": "use_tools"}]}},
        {"eval_plan": {"steps": [{"solver": "inspect_ai/basic_agent"}]}},
        {"eval_plan": "plan, act, observe"},
    ],
)
def test_an_agentic_setup_is_asked_for_context_handling_and_attempts(args: Json, tmp_path: Path) -> None:
    assert {"context_handling", "attempts"} <= set(asked(tmp_path, args=args))


def test_an_empty_list_of_tools_discloses_no_harness(tmp_path: Path) -> None:
    assert "harness" in open_items(tmp_path, args={"agentic_eval_config": {"available_tools": []}})


@pytest.mark.parametrize("value", [False, "false", "No", "none", "OFF", "disabled", "unknown", None, ""])
def test_a_denial_of_reasoning_does_not_ask_for_a_budget(value: object, tmp_path: Path) -> None:
    assert "reasoning_budget" not in asked(tmp_path, args={"reasoning": value})


@pytest.mark.parametrize("field", [{"reasoning": True}, {"reasoning_effort": "low"}, {"reasoning_tokens": 1024}])
def test_reasoning_that_is_affirmed_is_asked_for_and_disclosed(field: Json, tmp_path: Path) -> None:
    assert "reasoning_budget" in only(of(tmp_path, record(result(args=field)))).disclosed


def test_reasoning_false_is_populated_and_not_affirmative(tmp_path: Path) -> None:
    report = only(of(tmp_path, record(result(args={"reasoning": False})))).reports[0]
    assert (report.setup.values["reasoning"], report.setup.reasoning) == ("false", False)


@pytest.mark.parametrize("mode", ["log_prob", "multiple_choice", "loglikelihood", "LOGLIKELIHOOD_ROLLING"])
@pytest.mark.parametrize("field", ["scoring_mode", "output_type"])
def test_log_probability_runs_are_not_asked_how_they_decode(field: str, mode: str, tmp_path: Path) -> None:
    assert asked(tmp_path, details={field: mode}) == ("harness", "harness_version", "test_set")


@pytest.mark.parametrize("mode", ["generate_until", "unknown", ""])
def test_an_unknown_scoring_mode_excuses_nothing(mode: str, tmp_path: Path) -> None:
    assert asked(tmp_path, details={"output_type": mode}) == ALWAYS


def test_a_placeholder_version_of_the_harness_discloses_nothing(tmp_path: Path) -> None:
    library = {"name": "harness", "version": "Unknown."}
    assert "harness_version" in only(of(tmp_path, record(result(), eval_library=library))).undisclosed


def test_a_tuple_has_a_gap_if_any_of_its_results_has(tmp_path: Path) -> None:
    library = {"name": "harness", "version": "1"}
    told = result(args={"temperature": 0, "max_tokens": 1, "n_tasks": 3})
    silent = result(args={"temperature": 0, "max_tokens": 1, "n_samples": 3})
    results = of(tmp_path, record(told, eval_library=library), record(silent))
    [row] = table(results, "reproducibility")
    assert row["undisclosed"] == "harness;harness_version"
    assert row["disclosed"] == "decoding;output_length;test_set"
    assert row["gap"] == "True"
    found = only(results)
    assert [(report.where, key) for report, key, _ in gap(found)] == [
        ("001.json", "harness"),
        ("001.json", "harness_version"),
    ]


def test_the_evidence_of_a_gap_is_every_place_that_was_looked_up(tmp_path: Path) -> None:
    found = only(of(tmp_path, record(version="0.1.0")))
    [(report, _, evidence), *_] = gap(found)
    assert report.where == "000.json"
    assert [e.path for e in evidence][:3] == [
        "$.evaluation_results[0].generation_config.temperature",
        "$.source_data.temperature",
        "$.source_data.additional_details.temperature",
    ]
    assert {e.file for e in evidence} == {"000.json"}
    assert {e.value for e in evidence} == {None}


def test_the_share_of_an_item_names_both_denominators(tmp_path: Path) -> None:
    agent = result(args={"agentic_eval_config": TOOLS})
    plain = result(evaluation_name="Other", source_data={"dataset_name": "Other"})
    results = of(tmp_path, record(agent), record(plain))
    row = next(r for r in table(results, "reproducibility_items") if r["item"] == "attempts")
    assert row == {"item": "attempts", "applicable_tuples": "1", "undisclosed_tuples": "1", "share": "0.5000"}
    item = next(i for i in results.items if i.item.key == "attempts")
    assert item.share_where_applicable == 1
