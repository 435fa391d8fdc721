"""What a published debate benchmark tells: the same numbers, and no text of a gold, a claim or a prompt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evalreport.core.privacy import Privacy
from evalreport.core.results import results_json
from evalreport.core.suite import Settings
from evalreport.suites.debate import SUITE

DATA = Path(__file__).resolve().parents[3] / "data/debate"
SETTINGS = Settings({setting.name: setting.default for setting in SUITE.settings})


def numbers(folder: Path) -> object:
    results = SUITE.compute(SUITE.read([folder], SETTINGS), SETTINGS)
    text = results_json(suite="debate", settings=SETTINGS, inputs=(), values=SUITE.values(results))
    return json.loads(text)["values"]


def shown(source: Path, folder: Path, privacy: Privacy) -> str:
    assert SUITE.public is not None
    folder.mkdir()
    of = SUITE.public([source], SUITE.read([source], SETTINGS), privacy, folder)
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} == of.keys()
    return "\n".join(path.read_text("utf-8") for path in sorted(folder.rglob("*.json")))


def test_the_files_that_are_shown_give_the_same_numbers(tmp_path: Path) -> None:
    shown(DATA, tmp_path / "public", Privacy())
    assert numbers(tmp_path / "public") == numbers(DATA)


def test_texts_of_issues_verdicts_claims_and_prompts_are_left_out(tmp_path: Path) -> None:
    text = shown(DATA, tmp_path / "public", Privacy())
    secrets = [
        secret
        for case in json.loads((DATA / "benchmark_cases.json").read_text("utf-8"))
        for secret in (
            case.get("task_prompt"),
            (case.get("ground_truth") or {}).get("final_verdict"),
            *(value for issue in case.get("planted_issues", ()) for value in issue.values()),
        )
        if secret
    ]
    assert len(secrets) > 40
    assert [secret for secret in secrets if secret in text] == []


def test_files_that_were_made_fit_to_be_shown_stay_as_they_are(tmp_path: Path) -> None:
    once = shown(DATA, tmp_path / "once", Privacy())
    assert shown(tmp_path / "once", tmp_path / "twice", Privacy()) == once


def test_a_policy_that_shows_golds_shows_them_and_still_no_prompt(tmp_path: Path) -> None:
    text = shown(DATA, tmp_path / "public", Privacy(golds="shown"))
    assert "The test days leak into training" in text
    assert "neighbouring_days_shared" in text
    assert "A tide forecast is tested" not in text
    assert numbers(tmp_path / "public") == numbers(DATA)


@pytest.mark.parametrize("score", ["0.33333333333333333333", "6.5e-1", "1", "0.0"])
def test_a_score_keeps_every_digit(tmp_path: Path, score: str) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for name in ("evaluation_rubric.json", "benchmark_cases.json"):
        (source / name).write_bytes((DATA / name).read_bytes())
    scores = ", ".join(f'"{name}": {score}' for name in ("IDR", "IDP", "DC", "DRQ", "ETD", "FVC"))
    row = f'[{{"system": "s", "case_id": "leak_001", "scores": {{{scores}}}}}]'
    (source / "results.json").write_text(row, "utf-8")
    shown(source, tmp_path / "public", Privacy())
    assert numbers(tmp_path / "public") == numbers(source)
