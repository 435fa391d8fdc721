"""Parts of a benchmark that were read apart, and the check of everything against everything when they are joined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from evalreport.core.suite import InputFile
from evalreport.errors import Problem, Problems
from evalreport.suites.benchmark.records import BenchmarkRecords, Run, Unscored

RunKey = tuple[str, str, str, str, str]  # benchmark version, subject, case, run, subject version


class ReadResponse(msgspec.Struct, frozen=True, gc=False):
    """A response file that is in order by itself."""

    key: RunKey
    confidence: int
    path: str


class ReadScoring(msgspec.Struct, frozen=True, gc=False):
    """A scoring file that is in order by itself."""

    key: RunKey
    reviewer_id: str
    timestamp: str
    criteria: tuple[int, int, int, int, int, int]
    halves: int
    critical: bool
    recoverable: bool
    path: str


class ReadGold(msgspec.Struct, frozen=True, gc=False):
    """A gold file that is in order by itself."""

    benchmark_version: str
    case_id: str
    family: str
    floor: int
    ceiling: int
    path: str


@dataclass
class Part:
    """What was read of some of the files, not yet checked against the others. Parts may be read anywhere.

    `refused` holds what the names of refused files promise, so that their absence is not told as a second problem.
    """

    responses: list[ReadResponse] = field(default_factory=list)
    scorings: list[ReadScoring] = field(default_factory=list)
    golds: list[ReadGold] = field(default_factory=list)
    registry: list[tuple[str, str]] = field(default_factory=list)
    inputs: list[InputFile] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    refused: list[tuple[str, ...]] = field(default_factory=list)


def merge(parts: Iterable[Part]) -> BenchmarkRecords:
    """The parts together, whatever their number and order; raises `EvalreportError` with all problems."""
    parts = list(parts)
    problems = Problems()
    problems.extend(problem for part in parts for problem in part.problems)
    refused = {place for part in parts for place in part.refused}
    golds = _golds(parts, problems)
    responses = _responses(parts, problems)
    scorings = _scorings(parts, problems)
    runs = []
    lone = []
    for key, scoring in scorings.items():
        version, subject_id, case_id, run_id, _ = key
        gold = golds.get((version, case_id))
        response = responses.get(key)
        if gold is None and ("golds", version, f"{case_id}_gold.md") not in refused:
            problems.add(scoring.path, f"has no gold of {case_id} in {version}", "a gold for it", kind="missing_gold")
        if response is None and ("responses", version, subject_id, f"{case_id}__{run_id}.json") not in refused:
            lone.append(scoring)
        if gold is not None and response is not None:
            runs.append(_run(scoring, response, gold))
    problems.extend(_without_response(lone, responses))
    problems.check()
    answered = {(subject_id, subject_version) for _, subject_id, _, _, subject_version in responses}
    registry = {pair for part in parts for pair in part.registry}
    return BenchmarkRecords(
        runs=tuple(sorted(runs, key=_run_order)),
        unscored=tuple(_unscored(key) for key in sorted(responses.keys() - scorings.keys())),
        cases=_cases(golds),
        registry=tuple(sorted(registry - answered)),
        inputs=tuple(sorted((one for part in parts for one in part.inputs), key=lambda one: (one.path, one.sha256))),
        ignored=tuple(sorted(path for part in parts for path in part.ignored)),
    )


def _golds(parts: Sequence[Part], problems: Problems) -> dict[tuple[str, str], ReadGold]:
    """The golds by benchmark version and case. Copies that agree are one; copies that do not are refused."""
    golds: dict[tuple[str, str], ReadGold] = {}
    for gold in sorted((gold for part in parts for gold in part.golds), key=lambda gold: gold.path):
        first = golds.setdefault((gold.benchmark_version, gold.case_id), gold)
        if (gold.floor, gold.ceiling) != (first.floor, first.ceiling):
            what = f"has the floor {gold.floor} and the ceiling {gold.ceiling}"
            expected = f"{first.floor} and {first.ceiling} as in {first.path}"
            problems.add(gold.path, what, expected, kind="conflicting_gold")
    return golds


def _responses(parts: Sequence[Part], problems: Problems) -> dict[RunKey, ReadResponse]:
    responses: dict[RunKey, ReadResponse] = {}
    for response in sorted((one for part in parts for one in part.responses), key=lambda one: one.path):
        first = responses.setdefault(response.key, response)
        if first is not response:
            what = f"is a second response of the run of {first.path}"
            problems.add(response.path, what, "one response a run", kind="duplicate_response")
    return responses


def _scorings(parts: Sequence[Part], problems: Problems) -> dict[RunKey, ReadScoring]:
    scorings: dict[RunKey, ReadScoring] = {}
    for scoring in sorted((one for part in parts for one in part.scorings), key=lambda one: one.path):
        first = scorings.setdefault(scoring.key, scoring)
        if first is not scoring:
            what = f"is a second scoring of the response that {first.path} scores"
            problems.add(scoring.path, what, "one scoring a response", kind="duplicate_scoring")
    return scorings


def _without_response(lone: Sequence[ReadScoring], responses: Mapping[RunKey, ReadResponse]) -> Iterable[Problem]:
    if not lone:
        return
    versions: dict[tuple[str, ...], set[str]] = {}
    for *run, subject_version in responses:
        versions.setdefault(tuple(run), set()).add(subject_version)
    for scoring in lone:
        _, subject_id, case_id, run_id, subject_version = scoring.key
        if others := versions.get(scoring.key[:4]):
            what = f"$.response_ref.subject_version is {subject_version!r}"
            expected = f"{' or '.join(map(repr, sorted(others)))} as in the response"
            yield Problem(scoring.path, what, expected, "reference_mismatch")
        else:
            what = f"has no response of {subject_id} to {case_id} in run {run_id}"
            yield Problem(scoring.path, what, "the response that it scores", "scoring_without_response")


def _run(scoring: ReadScoring, response: ReadResponse, gold: ReadGold) -> Run:
    version, subject_id, case_id, run_id, subject_version = scoring.key
    return Run(
        benchmark_version=version,
        subject_id=subject_id,
        subject_version=subject_version,
        case_id=case_id,
        family=gold.family,
        run_id=run_id,
        reviewer_id=scoring.reviewer_id,
        timestamp=scoring.timestamp,
        floor=gold.floor,
        ceiling=gold.ceiling,
        criteria=scoring.criteria,
        confidence=response.confidence,
        halves=scoring.halves,
        critical=scoring.critical,
        recoverable=scoring.recoverable,
    )


def _run_order(run: Run) -> tuple[str, ...]:
    return (run.benchmark_version, run.subject_id, run.case_id, run.run_id, run.reviewer_id, run.subject_version)


def _unscored(key: RunKey) -> Unscored:
    version, subject_id, case_id, run_id, subject_version = key
    return Unscored(version, subject_id, subject_version, case_id, run_id)


def _cases(golds: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    cases: dict[str, list[str]] = {}
    for version, case_id in sorted(golds):
        cases.setdefault(version, []).append(case_id)
    return {version: tuple(ids) for version, ids in cases.items()}
