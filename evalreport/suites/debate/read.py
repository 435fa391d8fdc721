"""Reading a debate benchmark: which files are what, told by their content, and everything refused at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evalreport.core.suite import NOTHING_OF_ITS_OWN, InputFile, Settings
from evalreport.errors import EvalreportError, Problem, Problems
from evalreport.formats import inputs
from evalreport.formats.strict_json import loads_exact
from evalreport.suites.debate import read_runs
from evalreport.suites.debate.place import Place
from evalreport.suites.debate.read_cases import described, read_thresholds
from evalreport.suites.debate.records import DEFAULT_BASELINE, Case, DebateRecords
from evalreport.suites.debate.run_sets import run_sets, stem

SUFFIXES = (".json", ".json.gz")
_CASE_KEYS = {"planted_issues", "ideal_debate_resolution", "ground_truth"}


@dataclass
class _Files:
    """What the files hold, sorted by kind while they are read."""

    problems: Problems
    rubrics: list[tuple[Place, InputFile]] = field(default_factory=list)
    cases: dict[str, Mapping[str, Case]] = field(default_factory=dict)
    runs: list[read_runs.Found] = field(default_factory=list)
    inputs: list[InputFile] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)

    def take(self, place: Place, file: InputFile) -> None:
        """Sort one file by what it holds."""
        members = place.members
        if "scoring_dimensions" in members or "score_thresholds" in members:
            self.rubrics.append((place, file))
        elif _is_report(members.get("cases")):
            self.runs += read_runs.report(place, name=stem(file.path))
        elif _are_rows(members.get("results")):
            sha256 = place.optional_text("rubric_sha256")
            self.runs += read_runs.rows(place.at("results").items(), rubric_sha256=sha256)
        elif _are_rows(place.value):
            self.runs += read_runs.rows(place.items())
        elif _are_cases(place.value):
            self.cases[file.path] = described(place)
        elif _are_cases(members.get("cases")):
            self.cases[file.path] = described(place.at("cases"))
        else:
            self.ignored.append(file.path)
            return
        self.inputs.append(file)


def read(paths: Sequence[Path], settings: Settings) -> DebateRecords:
    """Everything below the paths that belongs to a debate benchmark, checked against each other.

    Raises one `EvalreportError` with all problems. JSON files that hold no rubric, cases or results are ignored.
    """
    problems = Problems()
    files = _sorted_by_kind(paths, problems)
    if not files.inputs and not problems:
        where, expected = ", ".join(sorted(map(str, paths))), "rows with case_id and scores or judgments"
        raise EvalreportError(Problem(where, "holds no debate", expected, NOTHING_OF_ITS_OWN))
    if not files.runs and not problems:
        problems.add("input", "holds no results", "rows with case_id and scores or judgments", kind="no_results")
    rubric, thresholds = read_thresholds(files.rubrics, settings, problems)
    sets = run_sets(files.runs, files.cases, baseline=settings.text("baseline") or DEFAULT_BASELINE)
    problems.check()
    if thresholds is None:
        raise EvalreportError(Problem("rubric", "states no thresholds"))
    run = {case_id for run_set in sets for case_id in run_set.cases}
    unrun = {case_id for cases in files.cases.values() for case_id in cases} - run
    return DebateRecords(
        rubric,
        thresholds,
        sets,
        tuple(sorted(unrun)),
        tuple(sorted(files.inputs)),
        tuple(sorted(files.ignored)),
    )


def _sorted_by_kind(paths: Sequence[Path], problems: Problems) -> _Files:
    found = inputs.find(paths)
    files = _Files(problems, ignored=list(found.ignored))
    for source in found.files:
        if not source.path.endswith(SUFFIXES):
            files.ignored.append(source.path)
            continue
        try:
            data, file = inputs.read(source)
            value = loads_exact(data, source.path)
        except EvalreportError as error:
            problems.extend(_as_score(p) for p in error.problems)
            continue
        files.take(Place(file.path, "$", value, problems), file)
    return files


def _as_score(problem: Problem) -> Problem:
    """A score that is NaN or Infinity is a score out of range, whichever reader finds it."""
    if problem.kind == "not_finite" and ".scores." in problem.what:
        return Problem(problem.where, problem.what, "a number from 0 to 1, or null for N/A", "score_range")
    return problem


def _is_report(value: object) -> bool:
    return isinstance(value, list) and any(
        isinstance(case, dict) and any(read_runs.holds_runs(member) for member in case.values()) for case in value
    )


def _are_rows(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(r, dict) and {"scores", "judgments"} & r.keys() for r in value)


def _are_cases(value: object) -> bool:
    return isinstance(value, list) and any(
        isinstance(c, dict) and "case_id" in c and _CASE_KEYS & c.keys() for c in value
    )
