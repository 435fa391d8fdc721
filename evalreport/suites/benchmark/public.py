"""The files of a benchmark as they may be shown: what the numbers are made of, and what the policy adds to it.

A file keeps its place and the fields that reading takes from it. Texts of golds, answers and justifications stay out,
and a reviewer's id is a pseudonym, in the file and in its name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import msgspec

from evalreport.core.privacy import Privacy, pseudonyms
from evalreport.core.results import number_json
from evalreport.formats import inputs, strict_json
from evalreport.formats.front_matter import json_block
from evalreport.suites.benchmark.consolidate import REVIEWER
from evalreport.suites.benchmark.records import BenchmarkRecords
from evalreport.suites.benchmark.schemas import Gold, Response, Scoring


def public(paths: Sequence[Path], records: BenchmarkRecords, privacy: Privacy, folder: Path) -> Mapping[str, str]:
    """Write the files that `records` were read from into a folder, as the policy lets them be shown.

    Returns the path of each original by the path of the file that stands for it. What is private in a file name is in
    the folder neither: files that no suite reads are left out.
    """
    read = {file.path for file in records.inputs}
    people = {run.reviewer_id for run in records.runs}
    has_pseudonyms = privacy.reviewers == "pseudonyms"
    names = pseudonyms(people, kind="reviewer") if has_pseudonyms else {name: name for name in people}
    of: dict[str, str] = {}
    for file in inputs.find(paths).files:
        if file.path in read:
            data, _ = inputs.read(file)
            if file.path.endswith("registry.yaml"):
                place, shown = file.path, _registry(records)
            else:
                place, shown = _shown(file.path, data, privacy, names)
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            (folder / place).write_bytes(shown)
            of[place] = file.path
    return of


def _registry(records: BenchmarkRecords) -> bytes:
    """The subject versions that stand in a registry alone; JSON is YAML too."""
    subjects = [{"subject_id": s, "versions": [{"subject_version": v}]} for s, v in records.registry]
    return _json({"subjects": subjects})


def _shown(path: str, data: bytes, privacy: Privacy, names: Mapping[str, str]) -> tuple[str, bytes]:
    if path.endswith("_gold.md"):
        return path, data if privacy.golds == "shown" else _gold(data, path)
    if path.split("/")[-4] == "responses":
        response = strict_json.decode(data, Response, where=path)
        return path, data if privacy.justifications == "shown" else _json(msgspec.to_builtins(response))
    scoring = strict_json.decode(data, Scoring, where=path)
    pseudonym = names[scoring.reviewer_id]
    place = path.removesuffix(f"{scoring.reviewer_id}.json") + f"{pseudonym}.json"
    # A consolidated scoring holds no justification, but the names of those it stands for.
    names_reviewers = scoring.reviewer_id == REVIEWER and privacy.reviewers == "pseudonyms"
    if privacy.justifications == "shown" and not names_reviewers:
        content = strict_json.loads_exact(data, path)
        kept = content if isinstance(content, dict) else {}
    else:
        kept = msgspec.to_builtins(scoring, enc_hook=lambda halves: number_json(Fraction(int(halves), 2)))
    return place, _json({**kept, "reviewer_id": pseudonym})


def _gold(data: bytes, path: str) -> bytes:
    gold = strict_json.decode(json_block(data, path), Gold, where=path)
    return b"```json\n" + _json(msgspec.to_builtins(gold)) + b"```\n"


def _json(content: object) -> bytes:
    if isinstance(content, dict):
        content = {key: value for key, value in content.items() if value is not None}
    return (json.dumps(content, ensure_ascii=False, indent=1, default=number_json) + "\n").encode()
