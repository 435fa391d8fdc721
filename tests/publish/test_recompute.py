"""`recompute.py` finds every published number from the CSV files alone, and every digit that was changed."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from evalreport import suites
from evalreport.core.results import write_results
from evalreport.core.suite import Settings, SettingValue
from evalreport.publish.init import SAMPLE, sampled_suites
from evalreport.publish.recompute import recompute_source
from evalreport.suites.bfcl.rules import RULES

DATA = Path(__file__).resolve().parents[2] / "data"


def write_folder(folder: Path, suite: str, data: Path, **given: SettingValue) -> Path:
    """What a version has of one suite: its files, a manifest of them, and the program."""
    found = suites.all_suites()[suite]
    settings = Settings({setting.name: setting.default for setting in found.settings} | given)
    records = found.read([data], settings)
    results = found.compute(records, settings)
    write_results(
        folder / "data" / suite,
        suite=suite,
        settings=settings,
        inputs=found.inputs(records),
        tables=found.tables(results),
        values=found.values(results),
    )
    (folder / "recompute.py").write_text(recompute_source([suite]), "utf-8")
    write_manifest(folder)
    return folder


def write_manifest(folder: Path) -> None:
    files = [path for path in sorted((folder / "data").rglob("*")) if path.suffix in {".csv", ".json"}]
    listed = [
        {"path": path.relative_to(folder).as_posix(), "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
        for path in files
    ]
    (folder / "manifest.json").write_text(json.dumps({"files": listed}), "utf-8")


def recomputed(folder: Path) -> tuple[int, str]:
    """Run it as somebody would who has Python and nothing else."""
    command = [sys.executable, "-I", "-S", str(folder / "recompute.py")]
    done = subprocess.run(command, check=False, capture_output=True, encoding="utf-8", env={}, cwd="/")
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("suite", [name for name in sampled_suites() if (DATA / name).is_dir()])
def test_every_number_of_the_sample_data_agrees(tmp_path: Path, suite: str) -> None:
    code, said = recomputed(write_folder(tmp_path, suite, DATA / suite))
    assert (code, said.splitlines()[-1]) == (0, "All agrees."), said
    assert "0 differ" in said


@pytest.mark.parametrize("suite", sampled_suites())
def test_the_sample_of_a_new_project_agrees_too(tmp_path: Path, suite: str) -> None:
    code, said = recomputed(write_folder(tmp_path, suite, SAMPLE / suite))
    assert (code, said.splitlines()[-1]) == (0, "All agrees."), said
    assert ": 0 numbers" not in said


@pytest.mark.parametrize("rules", RULES)
def test_every_place_of_a_tree_agrees_under_each_family_of_rules(tmp_path: Path, rules: str) -> None:
    tree = RULES[rules].tree
    complete = {name: [n % 9, 9 + n % 7] for n, name in enumerate(sorted(tree.subsets()), start=1)}
    one_less = dict(list(complete.items())[1:])
    lines = [{"model": "complete", "tallies": complete}, {"model": "one less", "tallies": one_less}]
    (tmp_path / "given").mkdir()
    (tmp_path / "given/tallies.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    folder = write_folder(tmp_path / "made", "bfcl", tmp_path / "given", rules=rules, partial=True)
    code, said = recomputed(folder)
    assert (code, said.splitlines()[-1]) == (0, "All agrees."), said
    assert f"agrees   bfcl bfcl_tree: accuracy of complete {tree.key}: printed 0." in said
    file = folder / "data/bfcl/bfcl_tree.csv"
    text = file.read_text("utf-8")
    (line,) = (line for line in text.splitlines() if line.startswith("complete,") and line.split(",")[2] == "0")
    file.write_text(text.replace(line, line[:-1] + ("1" if line[-1] == "0" else "0")), "utf-8")
    write_manifest(folder)
    assert f"differs  bfcl bfcl_tree: accuracy of complete {tree.key}" in recomputed(folder)[1]


@pytest.mark.parametrize("suite", sampled_suites())
def test_a_changed_digit_of_any_file_is_found(tmp_path: Path, suite: str) -> None:
    folder = write_folder(tmp_path, suite, SAMPLE / suite)
    for file in sorted((folder / "data" / suite).glob("*.csv")):
        text = file.read_text("utf-8")
        at = next((at for at in range(len(text) - 1, 0, -1) if text[at].isdigit()), None)
        if at is None:
            continue
        file.write_text(f"{text[:at]}{(int(text[at]) + 1) % 10}{text[at + 1 :]}", "utf-8")
        code, said = recomputed(folder)
        assert (code, f"data/{suite}/{file.name}: its sha256" in said) == (1, True), file.name
        file.write_text(text, "utf-8")
    assert recomputed(folder)[0] == 0


@pytest.mark.parametrize(
    ("suite", "file", "printed", "forged"),
    [
        # kettle-large passes 3 of 4 cases; finch-2 has a mean of (0.81 + 0.64 + 0.72 + 0.58) / 4
        ("benchmark", "metrics_per_subject.csv", ",0.7500,", ",0.7600,"),
        ("comparison", "models.csv", "0.6875", "0.6876"),
        ("bfcl", "bfcl_scores.csv", "wren,mlperf-edge,0.", "wren,mlperf-edge,1."),
        ("debate", "debate_systems.csv", "debate,4,4,4,1.0000", "debate,4,4,3,0.7500"),
    ],
)
def test_a_forged_number_differs_even_when_the_manifest_was_forged_with_it(
    tmp_path: Path, suite: str, file: str, printed: str, forged: str
) -> None:
    folder = write_folder(tmp_path, suite, SAMPLE / suite)
    path = folder / "data" / suite / file
    text = path.read_text("utf-8")
    assert printed in text
    path.write_text(text.replace(printed, forged, 1), "utf-8")
    write_manifest(folder)
    code, said = recomputed(folder)
    assert (code, f"differs  {suite} {file.removesuffix('.csv')}: " in said) == (1, True), said


def test_it_names_what_it_does_not_compute(tmp_path: Path) -> None:
    _, said = recomputed(write_folder(tmp_path, "benchmark", SAMPLE / "benchmark"))
    (line,) = [line for line in said.splitlines() if "leaderboard.csv" in line]
    assert "q_final_low, q_final_high" in line
    assert "pass_rate" not in line
