"""Responses, scorings and golds on disk -> runs, every file checked and checked against the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from sys import intern

from evalreport.core.executor import Executor
from evalreport.core.suite import NOTHING_OF_ITS_OWN, Settings
from evalreport.errors import EvalreportError, Problem, Problems
from evalreport.formats import inputs, strict_json
from evalreport.formats.front_matter import json_block
from evalreport.formats.inputs import Found, SourceFile
from evalreport.formats.plain_yaml import loads_plain
from evalreport.suites.benchmark.parts import Part, ReadGold, ReadResponse, ReadScoring, merge
from evalreport.suites.benchmark.records import BenchmarkRecords
from evalreport.suites.benchmark.schemas import Gold, Response, Scoring

LAYOUT = "responses/v*/<subject>/*.json, scoring/v*/<subject>/*.json and golds/v*/*_gold.md"


PORTION = 500
"""So many files are read at once where several processes read: enough that handing them over costs little."""


def read(paths: Sequence[Path], _settings: Settings) -> BenchmarkRecords:
    """Everything below the paths, which hold `responses/`, `scoring/` and `golds/` or are folders above such ones.

    Raises `EvalreportError` with all problems of all files, and of what the files say about each other.
    """
    found = inputs.find(paths)
    return merge(_complete(paths, found, [read_part(found.files)]))


def read_with(paths: Sequence[Path], _settings: Settings, executor: Executor) -> BenchmarkRecords:
    """What `read` reads, in portions that the executor may hand to other processes; they meet in `merge`."""
    found = inputs.find(paths)
    portions = [found.files[start : start + PORTION] for start in range(0, len(found.files), PORTION)]
    return merge(_complete(paths, found, [*executor.map(read_part, portions)]))


def _complete(paths: Sequence[Path], found: Found, parts: Sequence[Part]) -> Sequence[Part]:
    """The parts, and one for what stands among the files and is not read; refuses an input without a benchmark."""
    if not any(part.responses or part.scorings or part.problems for part in parts):
        where = ", ".join(sorted(map(str, paths)))
        raise EvalreportError(Problem(where, "holds no response of a benchmark", LAYOUT, NOTHING_OF_ITS_OWN))
    return [*parts, Part(ignored=list(found.ignored))]


def read_part(files: Iterable[SourceFile]) -> Part:
    """Read and check some of the files, each for itself. Never raises for a fault of a file: the part carries it."""
    part = Part()
    for file in files:
        kind, place = _place(file.name)
        reader = _READERS.get(kind)
        if reader is None:
            part.ignored.append(file.path)
            continue
        try:
            data, record = inputs.read(file)
            part.inputs.append(record)
            reader(part, data, record.path, place)
        except EvalreportError as error:
            part.problems.extend(error.problems)
            part.refused.append((kind, *place))
    return part


def _place(name: str) -> tuple[str, tuple[str, ...]]:
    """Which of the four kinds of file a path stands for, and what it says: version, subject, file name."""
    match name.split("/")[-4:]:
        case ["responses" | "scoring" as kind, version, subject, file] if version[:1] == "v" and file.endswith(".json"):
            return kind, (intern(version), intern(subject), file)
        case [*_, "golds", version, file] if version[:1] == "v" and file.endswith("_gold.md"):
            return "golds", (intern(version), file)
        case [*_, "subjects", "registry.yaml"]:
            return "registry", ()
    return "", ()


def _read_response(part: Part, data: bytes, path: str, place: tuple[str, ...]) -> None:
    version, subject, file = place
    response = strict_json.decode(data, Response, where=path)
    case_id, run_id = response.case_id, response.run_id
    _check_place(
        path,
        ("$.benchmark_version", response.benchmark_version or version, version),
        ("$.subject_id", response.subject_id, subject),
        ("$.case_id with $.run_id", f"{case_id}__{run_id}.json", file),
    )
    key = (version, subject, intern(case_id), intern(run_id), intern(response.subject_version))
    part.responses.append(ReadResponse(key, response.confidence, path))


def _read_scoring(part: Part, data: bytes, path: str, place: tuple[str, ...]) -> None:
    version, subject, file = place
    scoring = strict_json.decode(data, Scoring, where=path)
    of, scores = scoring.response_ref, scoring.criterion_scores
    _check_place(
        path,
        ("$.benchmark_version", scoring.benchmark_version or version, version),
        ("$.response_ref.subject_id", of.subject_id, subject),
        (
            "$.response_ref.case_id with $.response_ref.run_id and $.reviewer_id",
            f"{of.case_id}__{of.run_id}__eval-{scoring.reviewer_id}.json",
            file,
        ),
    )
    severities = [fail.severity for fail in scoring.automatic_fails_triggered]
    part.scorings.append(
        ReadScoring(
            key=(version, subject, intern(of.case_id), intern(of.run_id), intern(of.subject_version)),
            reviewer_id=intern(scoring.reviewer_id),
            timestamp=intern(scoring.scoring_timestamp_utc or ""),
            criteria=(
                scores.main_hypothesis.score,
                scores.key_signals.score,
                scores.alternatives.score,
                scores.recommended_action.score,
                scores.requested_data.score,
                scores.decision_change_condition.score,
            ),
            halves=int(scoring.correctness),
            critical="critical" in severities,
            recoverable="recoverable" in severities,
            path=path,
        )
    )


def _read_gold(part: Part, data: bytes, path: str, place: tuple[str, ...]) -> None:
    version, file = place
    gold = strict_json.decode(json_block(data, path), Gold, where=path)
    _check_place(
        path,
        ("$.benchmark_version", gold.benchmark_version or version, version),
        ("$.case_id", f"{gold.case_id}_gold.md", file),
    )
    family = gold.case_id.split("-")[1]
    if gold.family is not None and gold.family != family:
        raise EvalreportError(
            Problem(path, f"$.family is {gold.family!r}", f"{family!r} as in the case id", "family_mismatch")
        )
    floor, ceiling = gold.rubric_floor, gold.rubric_ceiling
    if floor > ceiling:
        raise EvalreportError(
            Problem(path, f"$.rubric_floor is {floor}", f"at most the ceiling, {ceiling}", "floor_above_ceiling")
        )
    part.golds.append(ReadGold(version, gold.case_id, family, floor, ceiling, path))


def _read_registry(part: Part, data: bytes, path: str, _place: tuple[str, ...]) -> None:
    problems = Problems()
    for subject in _entries(loads_plain(data, path), "subjects", path, problems):
        subject_id = subject.get("subject_id")
        if not isinstance(subject_id, str) or not subject_id:
            problems.add(path, f"a subject has the subject_id {subject_id!r}", "a text", kind="registry")
            continue
        for version in _entries(subject, "versions", path, problems):
            subject_version = version.get("subject_version")
            if isinstance(subject_version, str) and subject_version:
                part.registry.append((subject_id, subject_version))
            else:
                what = f"{subject_id} has the subject_version {subject_version!r}"
                problems.add(path, what, "a text", kind="registry")
    problems.check()


def _entries(node: object, key: str, path: str, problems: Problems) -> Sequence[Mapping[str, object]]:
    entries = node.get(key) if isinstance(node, dict) else None
    if isinstance(entries, list) and all(isinstance(entry, dict) for entry in entries):
        return entries
    problems.add(path, f"has no list of mappings {key!r} where it should", "a registry of subjects", kind="registry")
    return ()


def _check_place(path: str, *told: tuple[str, str, str]) -> None:
    """Refuse a file whose content names another place than the one it stands at; nothing is normalised."""
    for _, inside, outside in told:
        if inside != outside:
            break
    else:
        return
    raise EvalreportError(
        *(
            Problem(path, f"{what} is {inside!r}", f"{outside!r} as in the path", "path_mismatch")
            for what, inside, outside in told
            if inside != outside
        )
    )


_READERS: Mapping[str, Callable[[Part, bytes, str, tuple[str, ...]], None]] = {
    "responses": _read_response,
    "scoring": _read_scoring,
    "golds": _read_gold,
    "registry": _read_registry,
}
