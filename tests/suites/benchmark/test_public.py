"""What a published benchmark tells: the same numbers, and nothing of golds, answers, justifications and reviewers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evalreport.core.privacy import Privacy
from evalreport.core.suite import Settings
from evalreport.suites.benchmark import SUITE
from evalreport.suites.benchmark.read import read

SECRETS = ("glazed by chain oil", "because the disc howls", "jane.doe", "asks for a second ride")
NONE = Settings({})
IDS = {"case_id": "BIKE-BRAKE-001", "subject_id": "m", "subject_version": "m-1", "run_id": "r1"}
CRITERIA = (
    *("main_hypothesis", "key_signals", "alternatives"),
    *("recommended_action", "requested_data", "decision_change_condition"),
)


def write_input(root: Path) -> None:
    scoring = {
        "reviewer_id": "jane.doe",
        "response_ref": IDS,
        "criterion_scores": {name: {"score": 1, "justification": SECRETS[1]} for name in CRITERIA},
        "correctness": 0.5,
        "automatic_fails_triggered": [{"severity": "recoverable", "text": SECRETS[1]}],
        "scoring_timestamp_utc": "2024-06-01T09:00:00Z",
    }
    gold = {"case_id": IDS["case_id"], "rubric_floor": 0, "rubric_ceiling": 12, "accepted": [SECRETS[0]]}
    files = {
        "responses/v1/m/BIKE-BRAKE-001__r1.json": json.dumps({**IDS, "confidence": 70, "requested": SECRETS[3]}),
        "scoring/v1/m/BIKE-BRAKE-001__r1__eval-jane.doe.json": json.dumps(scoring),
        "golds/v1/BIKE-BRAKE-001_gold.md": f"# {SECRETS[0]}\n\n```json\n{json.dumps(gold)}\n```\n",
        "subjects/registry.yaml": "contact: jane.doe\n"
        "subjects: [{subject_id: n, versions: [{subject_version: '1.0'}]}]\n",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")


def shown(tmp_path: Path, privacy: Privacy) -> tuple[Path, str]:
    assert SUITE.public is not None
    source, folder = tmp_path / "source", tmp_path / "public"
    write_input(source)
    folder.mkdir()
    SUITE.public([source], read([source], NONE), privacy, folder)
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return folder, "\n".join(f"{path.relative_to(folder)}\n{path.read_text('utf-8')}" for path in files)


def test_by_default_no_secret_stands_in_any_file_or_file_name(tmp_path: Path) -> None:
    _, text = shown(tmp_path, Privacy())
    assert [secret for secret in SECRETS if secret in text] == []
    assert "scoring/v1/m/BIKE-BRAKE-001__r1__eval-reviewer-1.json" in text


def test_the_files_that_are_shown_give_the_same_numbers(tmp_path: Path) -> None:
    folder, _ = shown(tmp_path, Privacy())
    (run,) = read([folder], NONE).runs
    assert (run.criteria, run.halves, run.confidence, run.recoverable) == ((1,) * 6, 1, 70, True)
    assert (run.floor, run.ceiling, run.timestamp, run.reviewer_id) == (0, 12, "2024-06-01T09:00:00Z", "reviewer-1")
    assert read([folder], NONE).registry == (("n", "1.0"),)


@pytest.mark.parametrize(
    ("privacy", "told"),
    [
        (Privacy(golds="shown"), {0}),
        (Privacy(justifications="shown"), {1, 3}),
        (Privacy(reviewers="shown"), {2}),
    ],
)
def test_the_policy_shows_what_it_names_and_nothing_else(tmp_path: Path, privacy: Privacy, told: set[int]) -> None:
    _, text = shown(tmp_path, privacy)
    assert {number for number, secret in enumerate(SECRETS) if secret in text} == told


def test_files_that_were_made_fit_to_be_shown_stay_as_they_are(tmp_path: Path) -> None:
    assert SUITE.public is not None
    source = tmp_path / "source"
    write_input(source)
    for reviewer in ("ada", "bo", "cy"):
        file = source / "scoring/v1/m/BIKE-BRAKE-001__r1__eval-jane.doe.json"
        run = {**IDS, "run_id": reviewer}
        scoring = json.loads(file.read_text("utf-8")) | {"reviewer_id": reviewer, "response_ref": run}
        (file.parent / f"BIKE-BRAKE-001__{reviewer}__eval-{reviewer}.json").write_text(json.dumps(scoring), "utf-8")
        response = source / f"responses/v1/m/BIKE-BRAKE-001__{reviewer}.json"
        response.write_text(json.dumps({**run, "confidence": 50}), "utf-8")
    texts = []
    for name in ("once", "twice"):
        folder = tmp_path / name
        folder.mkdir()
        SUITE.public([source], read([source], NONE), Privacy(), folder)
        files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        texts.append([(path.relative_to(folder), path.read_bytes()) for path in files])
        source = folder
    assert texts[0] == texts[1]
    assert {run.reviewer_id for run in read([source], NONE).runs} == {f"reviewer-{n}" for n in (1, 2, 3, 4)}
