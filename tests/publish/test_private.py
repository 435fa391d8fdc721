"""Real golds are secret and reviewers are people: by default nothing of either is in any published byte."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evalreport.errors import EvalreportError
from evalreport.project import read_project
from evalreport.publish.comparing import compared
from evalreport.publish.init import init_project
from evalreport.publish.publishing import Wanted, publish
from evalreport.publish.verify import verify
from tests.book.toy import contents

pytestmark = pytest.mark.book
SECRETS = ("xylophone-gold", "quagmire-reason", "zenobia.reviewer", "vermilion-answer")


def plant(root: Path) -> None:
    """Put a secret into every place of the sample where real files have one."""
    data = root / "data/benchmark"
    for gold in sorted(data.rglob("*_gold.md")):
        text = gold.read_text("utf-8").replace('"rubric_floor"', f'"accepted": ["{SECRETS[0]}"],\n  "rubric_floor"')
        gold.write_text(text.replace("\n# ", f"\nSecret: {SECRETS[0]}\n\n# "), "utf-8")
    for response in sorted((data / "responses").rglob("*.json")):
        response.write_text(
            json.dumps(json.loads(response.read_text("utf-8")) | {"main_hypothesis": SECRETS[3]}), "utf-8"
        )
    for scoring in sorted((data / "scoring").rglob("*.json")):
        document = json.loads(scoring.read_text("utf-8")) | {"reviewer_id": SECRETS[2], "notes": SECRETS[1]}
        document["criterion_scores"]["alternatives"]["justification"] = SECRETS[1]
        scoring.unlink()
        name = scoring.name.replace("eval-reviewer", f"eval-{SECRETS[2]}")
        scoring.with_name(name).write_text(json.dumps(document), "utf-8")
    (data / f"notes of {SECRETS[2]}.txt").write_text(SECRETS[0], "utf-8")


def holding(site: Path, secret: str) -> list[str]:
    forms = (secret.encode(), secret.encode("utf-16-le"), secret.encode().hex().encode())
    return [n for n, data in contents(site).items() if secret in n or any(form in data.lower() for form in forms)]


def test_planted_secrets_are_in_no_published_byte_and_the_numbers_still_verify(tmp_path: Path) -> None:
    root, site = tmp_path / "project", tmp_path / "site"
    init_project(root, suites=["benchmark"])
    plant(root)
    publish(read_project(root), "1.0", site=site, wanted=Wanted(with_data=True))
    assert {secret: holding(site, secret) for secret in SECRETS} == {secret: [] for secret in SECRETS}
    assert b"reviewer-1" in (site / "1.0/data/benchmark/per_run.csv").read_bytes()
    # from the archived files and from the secret ones alike
    assert verify(site).numbers > 100
    assert verify(site, data=[root / "data"]).numbers > 100
    # a changed secret file is told by its published name
    gold = root / "data/benchmark/golds/v1.0/TEA-STEEP-001_gold.md"
    gold.write_text(gold.read_text("utf-8").replace(SECRETS[0], "another"), "utf-8")
    changes = compared(site, [], project=root)
    assert [(i.path, i.kind) for i in changes.inputs] == [("golds/v1.0/TEA-STEEP-001_gold.md", "changed")]
    assert changes.numbers == ()
    # verification tells it too, and calls a file as the maintainer does
    scoring = root / f"data/benchmark/scoring/v1.0/kettle-large/TEA-STEEP-001__run-1__eval-{SECRETS[2]}.json"
    scoring.write_text(scoring.read_text("utf-8").replace('"correctness": 1', '"correctness": 0.5'), "utf-8")
    with pytest.raises(EvalreportError) as caught:
        verify(site, data=[root / "data"])
    said = [problem.what for problem in caught.value.problems if problem.kind == "input"]
    shown = "scoring/v1.0/kettle-large/TEA-STEEP-001__run-1__eval-reviewer-1.json"
    assert said == [
        "input golds/v1.0/TEA-STEEP-001_gold.md was changed",
        f"input scoring/v1.0/kettle-large/{scoring.name} (published as {shown}) was changed",
    ]
