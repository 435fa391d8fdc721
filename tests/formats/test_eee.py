"""Evaluation records: what is read from each version, and that no form of it breaks the reading."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalreport.errors import EvalreportError
from evalreport.formats import eee

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=8) | st.just("a=1") | st.just('{"a": [1]}'),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


def body(**more: object) -> dict[str, object]:
    return {
        "schema_version": "0.3.0",
        "evaluation_id": "trivia/m/1",
        "model_info": {"id": "m"},
        "source_metadata": {},
        "evaluation_results": [{"evaluation_name": "Trivia"}],
        **more,
    }


def read(**more: object) -> eee.EeeRecord:
    return eee.record("r.json", "$", body(**more))


@given(JSON)
@settings(max_examples=200, deadline=None)
def test_details_of_any_form_are_read_and_never_an_error(value: object) -> None:
    for path, name, _ in eee.details(value):
        assert isinstance(path, str)
        assert isinstance(name, str)


@given(st.dictionaries(st.sampled_from(["source_data", "metric_config", "score_details", "generation_config"]), JSON))
@settings(max_examples=100, deadline=None)
def test_a_result_whose_parts_are_anything_is_read(parts: dict[str, object]) -> None:
    [result] = read(evaluation_results=[{"evaluation_name": "Trivia", **parts}]).results
    assert result.evaluation_name == "Trivia"


@given(JSON, JSON, JSON)
@settings(max_examples=100, deadline=None)
def test_a_record_whose_sources_are_anything_is_read(source: object, library: object, data: object) -> None:
    found = read(source_metadata=source, eval_library=library, source_data=data)
    assert found.model == "m"


@pytest.mark.parametrize("version", ["0.0.1", "0.1.0", "0.2.0", "0.2.1", "0.2.2", "0.2.3", "0.3.0"])
def test_every_version_is_read(version: str) -> None:
    assert read(schema_version=version).version == version


@pytest.mark.parametrize(
    "version", ["0.4.0", "0.3.1", "0.3.10", "0.0.0", "1.0.0", "0.3", "0.03.0", "v0.3.0", "", None, 3]
)
def test_another_version_is_refused(version: object) -> None:
    with pytest.raises(EvalreportError, match=r"a version from 0\.0\.1 to 0\.3\.0"):
        read(schema_version=version)


def test_what_is_refused_is_shown_as_it_is_written() -> None:
    with pytest.raises(EvalreportError) as refused:
        read(schema_version=Fraction(1, 5), model_info={"id": 7}, evaluation_results=[None])
    assert [problem.what for problem in refused.value.problems] == [
        "$.evaluation_results[0] is null",
        "$.model_info.id is 7",
        "$.schema_version is 0.2",
    ]


@pytest.mark.parametrize("part", ["schema_version", "model_info", "evaluation_results"])
def test_a_record_of_which_a_part_is_missing_is_one_and_is_refused(part: str) -> None:
    value = {name: content for name, content in body().items() if name != part}
    assert eee.is_record(value)
    with pytest.raises(EvalreportError, match=f"{part}.* is missing"):
        eee.record("r.json", "$", value)


def test_the_name_of_a_model_stands_in_for_its_id() -> None:
    assert read(model_info={"name": " m-2 "}).model == "m-2"


def test_the_source_of_the_first_version_stands_elsewhere() -> None:
    found = read(evaluation_source={"evaluation_source_name": "First list"})
    assert (found.source_name, found.relationship) == ("First list", "unstated")


def test_the_data_set_of_the_record_is_that_of_its_results() -> None:
    [result] = read(source_data={"dataset_name": "Trivia QA", "hf_split": "test"}).results
    assert (result.dataset_name, result.hf_split) == ("Trivia QA", "test")


def test_an_evaluation_id_of_one_part_names_no_suite() -> None:
    assert [read(evaluation_id=text).suite for text in ("only", "suite/m/1", "", None)] == ["", "suite", "", ""]


@pytest.mark.parametrize(
    ("config", "name"),
    [
        ({"metric_id": "acc", "metric_name": "Accuracy", "evaluation_description": "long"}, "acc"),
        ({"metric_name": "Accuracy", "evaluation_description": "long"}, "Accuracy"),
        ({"metric_id": " ", "evaluation_description": "long"}, "long"),
        ({}, "score"),
    ],
)
def test_a_metric_is_called_by_its_id_else_its_name_else_its_description(config: object, name: str) -> None:
    [result] = read(evaluation_results=[{"evaluation_name": "Trivia", "metric_config": config}]).results
    assert result.metric == name


@pytest.mark.parametrize(
    ("stated", "end"),
    [
        (1, Fraction(1)),
        (Fraction(1, 2), Fraction(1, 2)),
        ("100", Fraction(100)),
        ("Infinity", "Infinity"),
        ("-inf", "-Infinity"),
        (None, None),
        (True, None),
        ("high", None),
        ([], None),
    ],
)
def test_an_end_of_a_scale_is_a_number_infinite_or_not_stated(stated: object, end: object) -> None:
    config = {"max_score": stated}
    [result] = read(evaluation_results=[{"evaluation_name": "Trivia", "metric_config": config}]).results
    assert result.high == end


def test_a_bare_infinity_is_infinite_and_a_bare_nan_is_no_score() -> None:
    text = json.dumps(
        body(
            evaluation_results=[
                {
                    "evaluation_name": "Trivia",
                    "metric_config": {"min_score": float("-inf"), "max_score": float("inf")},
                    "score_details": {"score": float("nan")},
                }
            ]
        )
    )
    [(where, base, value, missing)] = eee.values(text.encode(), "r.json")
    [result] = eee.record(where, base, value, missing).results
    assert (result.low, result.high) == ("-Infinity", "Infinity")
    assert (result.score, result.no_score) == (None, "the score is NaN, which is not a number of JSON")


def one_result(high: str, score: str = '"score": 0.5') -> eee.EeeResult:
    """The result in a file in which the members of its scale and of its score are written like this."""
    parts = f'"metric_config": {{"min_score": 0, {high}}}, "score_details": {{{score}}}'
    text = json.dumps(body(evaluation_results=[{"evaluation_name": "T", "here": 0}])).replace('"here": 0', parts)
    [(where, base, value, faults)] = eee.values(text.encode(), "r.json")
    [result] = eee.record(where, base, value, faults).results
    return result


def test_a_bare_nan_or_a_number_too_long_is_no_end_of_a_scale_and_not_infinite() -> None:
    assert one_result('"max_score": NaN').high is None
    assert one_result(f'"max_score": 0.{"1" * 401}').high is None
    assert one_result('"max_score": Infinity').high == "Infinity"


def test_of_a_key_that_stands_twice_the_last_value_counts() -> None:
    found = one_result('"max_score": 1, "max_score": 4', '"score": 0.5, "score": 0.75')
    assert (found.high, found.score, found.no_score) == (Fraction(4), Fraction(3, 4), "")


def test_a_score_that_is_too_long_to_be_meant_says_so() -> None:
    found = one_result('"max_score": 1', '"score": 1e999')
    assert found.score is None
    assert found.no_score.startswith("the score is 1e999, which has ")


def test_scores_are_exact() -> None:
    text = json.dumps(body(evaluation_results=[{"evaluation_name": "T", "score_details": {"score": 0}}])).replace(
        '"score": 0', '"score": 0.10000000000000000001'
    )
    [(where, base, value, _)] = eee.values(text.encode(), "r.json")
    [result] = eee.record(where, base, value).results
    assert result.score == Fraction(10**19 + 1, 10**20)


def test_a_broken_line_is_named_and_the_others_are_read() -> None:
    data = f"{json.dumps(body())}\n{{broken\n{json.dumps(body())}\n".encode()
    found = []
    with pytest.raises(EvalreportError, match=r"r\.jsonl: line 2: "):
        found += [where for where, *_ in eee.values(data, "r.jsonl")]


def test_records_behind_a_first_line_of_something_else_are_not_given_up() -> None:
    data = f"{{}}\n{json.dumps(body())}\n".encode()
    assert [where for where, *_ in eee.values(data, "r.jsonl")] == ["r.jsonl: line 1", "r.jsonl: line 2"]


def test_a_file_of_single_items_is_given_up_after_its_first_line() -> None:
    data = b'{"sample_id": "1"}\n{broken\n'
    assert [where for where, *_ in eee.values(data, "items.jsonl")] == ["items.jsonl: line 1"]


@pytest.mark.shared
def test_every_real_record_is_read_also_the_one_that_does_not_fit_its_schema(shared: Path) -> None:
    root = shared / "data" / "signals"
    files = sorted([*(root / "records").rglob("*.json"), *(root / "records_converted").rglob("*.json")])
    found = []
    for file in files:
        [(where, base, value, missing)] = eee.values(file.read_bytes(), file.name)
        found.append(eee.record(where, base, value, missing))
    assert len(found) == 41
    assert sum(len(record.results) for record in found) == 296
    assert all(result.score is not None for record in found for result in record.results)
    [gaia] = [record for record in found if record.evaluation_id.startswith("GAIA/")]
    config = eee.members(gaia.results[0].body["generation_config"])
    assert list(eee.details(config["additional_details"])) == [("", "temperature", "0.5")]
