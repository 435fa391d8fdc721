"""Several scorings of a run -> one: an explicit step, with the rule in every file and the agreement beside them.

The result is a whole benchmark again: the responses, golds and registries as they are, and one scoring for each run.
Computing keeps refusing a second scoring; nothing is consolidated in silence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from evalreport.core.exact import Undefined, Value, csv_text
from evalreport.core.results import Json, csv_bytes, number_json
from evalreport.core.suite import CommandOutput, CsvTable, Settings
from evalreport.errors import EvalreportError, Problem, Problems
from evalreport.formats import inputs
from evalreport.suites.benchmark.agreement import VARIABLES, Agreement, agreements, ratings
from evalreport.suites.benchmark.parts import Part, ReadScoring, RunKey, merge
from evalreport.suites.benchmark.read import LAYOUT, read_part
from evalreport.suites.benchmark.records import CRITERIA
from evalreport.suites.benchmark.verbs import RULES

REVIEWER = "consolidated"
"""The reviewer of a consolidated scoring; nobody else may have this name."""

SCHEMA = 1


@dataclass(frozen=True)
class Consolidated:
    """The scorings that reviewers gave a run, sorted by reviewer, and the one that stands for them."""

    sources: tuple[ReadScoring, ...]
    scoring: ReadScoring


def consolidated(sources: Iterable[ReadScoring], rule: str) -> Consolidated:
    """One scoring for the scorings of one run, by one of `RULES`; its time is the latest of theirs, as text."""
    sources = tuple(sorted(sources, key=lambda one: one.reviewer_id))
    first, *_ = sources
    a, b, c, d, e, f, halves = (
        _median(given, rule) for given in zip(*((*one.criteria, one.halves) for one in sources), strict=True)
    )
    scoring = ReadScoring(
        key=first.key,
        reviewer_id=REVIEWER,
        timestamp=max(one.timestamp for one in sources),
        criteria=(a, b, c, d, e, f),
        halves=halves,
        critical=any(one.critical for one in sources),
        recoverable=2 * sum(one.recoverable for one in sources) > len(sources),
        path="",
    )
    return Consolidated(sources, scoring)


def _median(given: Sequence[int], rule: str) -> int:
    at = (len(given) - 1) // 2 if rule == "lower-median" else len(given) // 2
    return sorted(given)[at]


def consolidate(paths: Sequence[Path], settings: Settings) -> CommandOutput:
    """The files of a benchmark with one scoring for each run, and how far its reviewers agree.

    Raises `EvalreportError` with all problems: those of computing, except that a run may have several scorings by
    different reviewers; a second scoring by the same one is refused, and so is one that was consolidated already.
    """
    found = inputs.find(paths)
    part = read_part(found.files)
    if not (part.scorings or part.problems):
        where = ", ".join(sorted(map(str, paths)))
        raise EvalreportError(Problem(where, "holds no scoring of a benchmark", LAYOUT, "empty_input"))
    rule = settings.text("rule") or ""
    runs = [consolidated(sources, rule) for sources in _by_run(part)]
    files = {
        "agreement.csv": csv_bytes(_agreement_table(runs)),
        "disagreements.csv": csv_bytes(_disagreement_table(runs)),
        "agreement.json": _json(_report(runs, part, rule)),
    }
    hashes = {file.path: file.sha256 for file in part.inputs}
    places = {response.key: response.path for response in part.responses}
    for run in runs:
        files[_place(run.scoring.key, places[run.scoring.key])] = _json(_content(run, rule, hashes))
    kept = hashes.keys() - {scoring.path for scoring in part.scorings}
    files |= {file.path: inputs.read(file)[0] for file in found.files if file.path in kept}
    return CommandOutput(files, sorted([*part.ignored, *found.ignored]))


def _by_run(part: Part) -> list[list[ReadScoring]]:
    """The scorings of each run, runs and scorings in order, when everything fits together."""
    problems = Problems()
    runs: dict[RunKey, dict[str, ReadScoring]] = {}
    for scoring in sorted(part.scorings, key=lambda one: (one.key, one.reviewer_id, one.path)):
        first = runs.setdefault(scoring.key, {}).setdefault(scoring.reviewer_id, scoring)
        if scoring.reviewer_id == REVIEWER:
            what = f"$.reviewer_id is {REVIEWER!r}"
            problems.add(scoring.path, what, "scorings as reviewers gave them", kind="already_consolidated")
        if first is not scoring:
            what = f"is a second scoring by {scoring.reviewer_id!r} of the response that {first.path} scores"
            problems.add(scoring.path, what, "one scoring a response and reviewer", kind="duplicate_scoring")
    by_run = [list(given.values()) for given in runs.values()]
    # Everything else that computing refuses is refused by it: once with the first scoring of each run, once with the
    # second, and so on, so that each scoring meets its response and its gold.
    for turn in range(max(map(len, by_run), default=1)):
        scorings = [given[turn] for given in by_run if turn < len(given)]
        try:
            merge([replace(part, scorings=scorings)])
        except EvalreportError as error:
            problems.extend(error.problems)
    problems.check()
    return by_run


def _place(key: RunKey, response: str) -> str:
    """Where the scoring of a response stands: beside it, whichever folder of the input that is."""
    version, subject_id, case_id, run_id, _ = key
    above = response.split("/")[:-4]
    return "/".join([*above, "scoring", version, subject_id, f"{case_id}__{run_id}__eval-{REVIEWER}.json"])


def _content(run: Consolidated, rule: str, hashes: Mapping[str, str]) -> Json:
    one = run.scoring
    fails: list[Json] = []
    for severity, is_given in (("critical", one.critical), ("recoverable", one.recoverable)):
        if is_given:
            givers = [source.reviewer_id for source in run.sources if getattr(source, severity)]
            fails.append({"severity": severity, "given_by": givers})
    version, subject_id, case_id, run_id, subject_version = one.key
    content: dict[str, Json] = {
        "benchmark_version": version,
        "reviewer_id": one.reviewer_id,
        "response_ref": {
            "case_id": case_id,
            "subject_id": subject_id,
            "subject_version": subject_version,
            "run_id": run_id,
        },
        "criterion_scores": {name: {"score": score} for name, score in zip(CRITERIA, one.criteria, strict=True)},
        "correctness": number_json(Fraction(one.halves, 2)),
        "automatic_fails_triggered": fails,
        "consolidation": {
            "rule": rule,
            "rule_in_words": RULES[rule],
            "sources": [
                {"path": source.path, "sha256": hashes[source.path], "reviewer_id": source.reviewer_id}
                for source in run.sources
            ],
        },
    }
    return {**content, "scoring_timestamp_utc": one.timestamp} if one.timestamp else content


@dataclass(frozen=True)
class _Difference:
    """A run and a variable on which its reviewers differ."""

    key: RunKey
    variable: str
    given: tuple[tuple[str, int], ...]
    kept: int


def _differences(runs: Iterable[Consolidated]) -> Iterable[_Difference]:
    for run in runs:
        names = [source.reviewer_id for source in run.sources]
        columns = zip(*map(ratings, run.sources), strict=True)
        for variable, given, kept in zip(VARIABLES, columns, ratings(run.scoring), strict=True):
            if len(set(given)) > 1:
                yield _Difference(run.scoring.key, variable, tuple(zip(names, given, strict=True)), kept)


def _shown(variable: str, value: int) -> int | float | bool:
    if variable.endswith("_fail"):
        return bool(value)
    return number_json(Fraction(value, 2)) if variable == "correctness" else value


def _run_ids(key: RunKey) -> dict[str, str]:
    version, subject_id, case_id, run_id, subject_version = key
    return {
        "benchmark_version": version,
        "subject_id": subject_id,
        "subject_version": subject_version,
        "case_id": case_id,
        "run_id": run_id,
    }


def _agreements(runs: Iterable[Consolidated]) -> tuple[Agreement, ...]:
    return agreements([run.sources for run in runs])


def _agreement_table(runs: Sequence[Consolidated]) -> CsvTable:
    header = ("benchmark_version", "variable", "level", "reviewers", "runs", "runs_agreed", "pairs", "pairs_agreed")
    rows = tuple(
        (
            *(str(getattr(one, name)) for name in header),
            csv_text(one.percent, 2),
            csv_text(one.alpha),
        )
        for one in _agreements(runs)
    )
    return CsvTable("agreement", (*header, "percent_agreement", "krippendorff_alpha"), rows)


def _disagreement_table(runs: Sequence[Consolidated]) -> CsvTable:
    rows = tuple(
        (
            *_run_ids(one.key).values(),
            one.variable,
            reviewer,
            str(_shown(one.variable, value)),
            str(_shown(one.variable, one.kept)),
        )
        for one in _differences(runs)
        for reviewer, value in one.given
    )
    ids = ("benchmark_version", "subject_id", "subject_version", "case_id", "run_id")
    return CsvTable("disagreements", (*ids, "variable", "reviewer_id", "value", "consolidated"), rows)


def _report(runs: Sequence[Consolidated], part: Part, rule: str) -> Json:
    return {
        "schema": SCHEMA,
        "suite": "benchmark",
        "rule": rule,
        "rule_in_words": RULES[rule],
        "inputs": [{"path": file.path, "sha256": file.sha256, "bytes": file.bytes} for file in sorted(part.inputs)],
        "agreement": [
            {
                "benchmark_version": one.benchmark_version,
                "variable": one.variable,
                "level": one.level,
                "reviewers": one.reviewers,
                "runs": one.runs,
                "runs_agreed": one.runs_agreed,
                "pairs": one.pairs,
                "pairs_agreed": one.pairs_agreed,
                "percent_agreement": _number(one.percent),
                "krippendorff_alpha": _number(one.alpha),
                "undefined": one.alpha.reason if isinstance(one.alpha, Undefined) else None,
            }
            for one in _agreements(runs)
        ],
        "disagreements": [
            {
                **_run_ids(one.key),
                "variable": one.variable,
                "given": [{"reviewer_id": name, "value": _shown(one.variable, value)} for name, value in one.given],
                "consolidated": _shown(one.variable, one.kept),
            }
            for one in _differences(runs)
        ],
    }


def _number(value: Value) -> int | float | None:
    return None if isinstance(value, Undefined) else number_json(value)


def _json(content: Json) -> bytes:
    return (json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode("utf-8")
