"""The published JSON Schemas hold for the sample files and refuse what the reader refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from evalreport.formats.front_matter import json_block
from evalreport.suites.benchmark.schemas import Gold, Response, Scoring, json_schema, json_schemas

SAMPLE = Path(__file__).parents[3] / "data" / "benchmark"
SCORING = json.loads(sorted((SAMPLE / "scoring").rglob("*.json"))[0].read_bytes())
RESPONSE = json.loads(sorted((SAMPLE / "responses").rglob("*.json"))[0].read_bytes())


def test_the_schemas_are_schemas() -> None:
    assert list(json_schemas()) == ["response.schema.json", "scoring.schema.json", "gold.schema.json"]
    for schema in json_schemas().values():
        Draft202012Validator.check_schema(schema)


def test_every_sample_file_is_valid() -> None:
    for folder, kind in (("responses", Response), ("scoring", Scoring)):
        validator = Draft202012Validator(json_schema(kind))
        for path in sorted((SAMPLE / folder).rglob("*.json"))[::7]:
            validator.validate(json.loads(path.read_bytes()))
    validator = Draft202012Validator(json_schema(Gold))
    for path in sorted((SAMPLE / "golds").rglob("*_gold.md")):
        validator.validate(json.loads(json_block(path.read_bytes(), path.name)))


@pytest.mark.parametrize(
    "change",
    [
        {"confidence": 101},
        {"confidence": "70"},
        {"confidence": 70.5},
        {"case_id": "GEAR-001"},
        {"case_id": "BIKE-GEAR-001\n"},
        {"run_id": ""},
    ],
)
def test_a_response_that_the_reader_refuses_is_invalid(change: dict[str, object]) -> None:
    validator = Draft202012Validator(json_schema(Response))
    assert validator.is_valid(RESPONSE)
    assert not validator.is_valid(RESPONSE | change)


@pytest.mark.parametrize(
    "change",
    [
        {"correctness": 0.25},
        {"automatic_fails_triggered": [{"severity": "minor"}]},
        {"criterion_scores": {}},
        {"criterion_scores": SCORING["criterion_scores"] | {"tone": {"score": 1}}},
        {"criterion_scores": SCORING["criterion_scores"] | {"alternatives": {"score": 3}}},
        {"response_ref": {}},
    ],
)
def test_a_scoring_that_the_reader_refuses_is_invalid(change: dict[str, object]) -> None:
    validator = Draft202012Validator(json_schema(Scoring))
    assert validator.is_valid(SCORING)
    assert not validator.is_valid(SCORING | change)
