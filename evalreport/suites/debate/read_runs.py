"""Result files: rows or reports, with scores that are given or with judgments that the scores are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from evalreport.core.exact import Undefined
from evalreport.formats.json_values import as_written
from evalreport.suites.debate import judging
from evalreport.suites.debate.place import Place
from evalreport.suites.debate.read_cases import resolution_type
from evalreport.suites.debate.records import DIMENSIONS, Case, Claim, Instance, JudgedIssue, Judgments, Run, Score

ZERO, ONE = Fraction(0), Fraction(1)
NOT_APPLICABLE = Undefined("scored N/A")
DEFAULT_SYSTEM = "debate"
DEFAULT_RUN = "1"
_SHORT = {long: short for short, long in DIMENSIONS.items()}
_KINDS: Mapping[str, Literal["A", "B", "C"]] = {"concessions": "A", "contestations": "B", "updates": "C"}
Scores = tuple[Score, Score, Score, Score, Score, Score]
_PARTS = ("issues", "claims", "defense", "resolution", "test", "verdict")
_NAMES = ("system", "condition", "experiment")


@dataclass(frozen=True)
class Found:
    """One run as it stands in a file, before its case is known.

    `named` is False when the row says nothing of its system; category and difficulty are what a report says.
    """

    place: Place
    set_name: str
    system: str
    case_id: str
    run_id: str
    rubric_sha256: str | None
    category: str = ""
    difficulty: str = ""
    named: bool = True

    def run(self, case: Case, *, baseline: str) -> Run | None:
        """The run with its six scores, or None when something in it is refused."""
        given, judged = self.place.has("scores"), self.place.has("judgments")
        if given == judged:
            what = "has both scores and judgments" if given else "has neither scores nor judgments"
            self.place.refuse("one of the two", what=what, kind="scores_or_judgments")
            return None
        if given:
            scores, notes = given_scores(self.place.at("scores")), None
        else:
            scores, notes = judged_scores(self.place.at("judgments"), case, baseline=self.system == baseline)
        if scores is None:
            return None
        return Run(self.system, self.case_id, self.run_id, scores, notes, _stated_pass(self.place), self.rubric_sha256)


def rows(places: Iterator[Place], *, rubric_sha256: str | None = None) -> Iterator[Found]:
    """The runs of a list of rows."""
    for place in places:
        stated = place.need("case_id", "a text that is not blank")
        case_id = stated.text() if stated else None
        system = _system(place)
        run_id = _run_id(place)
        own = place.optional_text("rubric_sha256")
        if case_id is not None and system is not None and run_id is not None:
            named = any(place.has(key) for key in _NAMES)
            yield Found(place, "", system, case_id, run_id, own or rubric_sha256, named=named)


def report(place: Place, *, name: str) -> Iterator[Found]:
    """The runs of a report: a list of cases, each with the runs of every system."""
    sha256 = place.optional_text("rubric_sha256")
    for case in place.at("cases").items():
        named = case.need("case_id", "a text that is not blank")
        case_id = named.text() if named else None
        category, difficulty = case.optional_text("category") or "", case.optional_text("difficulty") or ""
        for system in sorted(key for key, value in case.members.items() if holds_runs(value)):
            for number, run in enumerate(case.at(system).at("runs").items(), 1):
                run_id = _run_id(run, default=str(number))
                if case_id is not None and run_id is not None:
                    yield Found(run, name, system, case_id, run_id, sha256, category, difficulty)


def holds_runs(value: object) -> bool:
    """Whether a member of a case in a report holds the runs of a system."""
    return isinstance(value, dict) and isinstance(value.get("runs"), list)


def _system(place: Place) -> str | None:
    parts = [place.optional_text("system"), place.optional_text("condition")]
    if place.has("experiment"):
        experiment = place.at("experiment")
        number = experiment.text() if isinstance(experiment.value, str) else experiment.count()
        if number is None:
            return None
        parts.append(number if isinstance(number, str) else f"E{number}")
    if any(place.has(key) and part is None for key, part in zip(("system", "condition"), parts, strict=False)):
        return None
    return " / ".join(part for part in parts if part) or DEFAULT_SYSTEM


def _run_id(place: Place, *, default: str = DEFAULT_RUN) -> str | None:
    for key in ("run", "run_id"):
        if place.has(key):
            run = place.at(key)
            number = run.text() if isinstance(run.value, str) else run.count()
            return None if number is None else str(number)
    return default


def _stated_pass(place: Place) -> bool | None:
    passes = place.members.get("passes")
    if isinstance(passes, bool):
        return passes
    said = place.members.get("pass_fail")
    return said == "pass" if said in ("pass", "fail") else None


def given_scores(place: Place) -> Scores | None:
    """Six scores from 0 to 1, null for N/A, all under their long or all under their short names."""
    if not isinstance(place.value, dict):
        place.refuse("an object with the six dimensions")
        return None
    long = any(name in _SHORT for name in place.members)
    names = list(DIMENSIONS.values()) if long else list(DIMENSIONS)
    for name in place.members:
        if name not in names:
            place.at(name).refuse(f"only {', '.join(names)}", what="is no dimension here", kind="unknown_dimension")
    found = [_given_score(place, name) for name in names]
    return _six(found)


def _given_score(place: Place, name: str) -> Score | None:
    score = place.need(name, "a number from 0 to 1, or null for N/A")
    if score is None:
        return None
    return NOT_APPLICABLE if score.value is None else score.share(kind="score_range")


def _six(found: list[Score | None]) -> Scores | None:
    idr, idp, dc, drq, etd, fvc = found
    if idr is None or idp is None or dc is None or drq is None or etd is None or fvc is None:
        return None
    return idr, idp, dc, drq, etd, fvc


def judged_scores(place: Place, case: Case, *, baseline: bool) -> tuple[Scores | None, Judgments | None]:
    """The six scores that follow from what a judge noted, and the notes that formulas are evaluated over."""
    if not isinstance(place.value, dict):
        place.refuse(f"an object with {', '.join(_PARTS)}")
        return None, None
    if case.ideal is None:
        place.refuse(
            "a case file that states it", what=f"cannot be scored: {as_written(case.case_id)} has no ideal resolution"
        )
        return None, None
    ideal = case.ideal
    parts = [place.need(key, "the judgment") for key in _PARTS]
    at_issues, at_claims, at_defense, at_resolution, at_test, at_verdict = parts
    issues = _judged_issues(at_issues, case) if at_issues else None
    claims = _claims(at_claims) if at_claims else None
    instances = _instances(at_defense) if at_defense else None
    drq = _resolution(at_resolution, ideal, baseline=baseline) if at_resolution else None
    etd = _diagnosticity(at_test, ideal) if at_test else None
    fvc = _verdict(at_verdict, case) if at_verdict else None
    if issues is None or claims is None or instances is None or drq is None or etd is None or fvc is None:
        return None, None
    idr, idp, dc = judging.recall(issues), judging.precision(claims), judging.calibration(instances)
    return (idr, idp, dc, drq, etd, fvc), Judgments(issues, claims, instances)


def _judged_issues(place: Place, case: Case) -> tuple[JudgedIssue, ...] | None:
    if not isinstance(place.value, dict):
        place.refuse("an object with every planted issue")
        return None
    for name in sorted(place.members.keys() - set(case.issues)):
        place.at(name).refuse("only planted issues", what="is no planted issue of the case", kind="unknown_issue")
    found = []
    for issue in case.issues:
        judged = place.need(issue, "the judgment of this planted issue")
        credit = _credit(judged) if judged else None
        if credit is not None:
            found.append(JudgedIssue(issue, credit))
    return tuple(found) if len(found) == len(case.issues) else None


def _credit(place: Place) -> Fraction | None:
    if not isinstance(place.value, dict):
        return place.grade(ZERO, judging.HALF, ONE)
    flags = _flags(place, "located", "characterised")
    return None if flags is None else judging.issue_credit(located=flags[0], characterised=flags[1])


def _flags(place: Place, *keys: str) -> list[bool] | None:
    needed = [place.need(key, "true or false") for key in keys]
    found = [flag.flag() if flag else None for flag in needed]
    known = [flag for flag in found if flag is not None]
    return known if len(known) == len(keys) else None


def _claims(place: Place) -> tuple[Claim, ...] | None:
    if not isinstance(place.value, list):
        place.refuse("a list of atomic claims, empty when there is none")
        return None
    found = [_flags(item, "valid") for item in place.items()]
    known = [Claim(number, flags[0]) for number, flags in enumerate(found, 1) if flags is not None]
    return tuple(known) if len(known) == len(found) else None


def _instances(place: Place) -> tuple[Instance, ...] | None:
    whole = True
    found: list[Instance] = []
    for key, kind in _KINDS.items():
        listed = place.need(key, "a list of scores, empty when there is none")
        if listed is None or not isinstance(listed.value, list):
            if listed is not None:
                listed.refuse("a list of scores, empty when there is none")
            whole = False
            continue
        for item in listed.items():
            # An update is there or not; the rubric knows no half of it.
            score = item.grade(ZERO, ONE) if kind == "C" else item.grade(ZERO, judging.HALF, ONE)
            whole = whole and score is not None
            if score is not None:
                found.append(Instance(len(found) + 1, kind, score))
    return tuple(found) if whole else None


def _resolution(place: Place, ideal: str, *, baseline: bool) -> Score | None:
    if not isinstance(place.value, dict):
        place.refuse("an object with actual, rounds_used, rounds_allowed and rounds_necessary")
        return None
    actual = resolution_type(place.at("actual")) if place.has("actual") else None
    if place.has("actual") and actual is None:
        return None
    needed = [place.need(key, "an integer from 0") for key in ("rounds_used", "rounds_allowed", "rounds_necessary")]
    rounds = [r.count() if r else None for r in needed]
    ended = place.at("terminated").flag() if place.has("terminated") else True
    used, allowed, necessary = rounds
    if used is None or allowed is None or necessary is None or ended is None:
        return None
    return judging.resolution(
        actual, ideal, terminated=ended and used <= allowed, efficient=used <= necessary, baseline=baseline
    )


def _diagnosticity(place: Place, ideal: str) -> Score | None:
    if place.value is None:
        return judging.diagnosticity(None, ideal)
    if not isinstance(place.value, dict):
        grade = place.grade(ZERO, judging.HALF, ONE)
    else:
        flags = _flags(place, "procedure", "measurable", "decisive", "distinguishes")
        if flags is None:
            return None
        procedure, measurable, decisive, distinguishes = flags
        grade = judging.proposal_grade(
            procedure=procedure, measurable=measurable, decisive=decisive, distinguishes=distinguishes
        )
    return None if grade is None else judging.diagnosticity(grade, ideal)


def _verdict(place: Place, case: Case) -> Score | None:
    if place.value is not None and not isinstance(place.value, str):
        place.refuse("the text of the final verdict, or null")
        return None
    return judging.verdict(place.value, case.verdict)
