"""Rubric files and case files: what they say, and what is refused in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from evalreport.core.suite import InputFile, Settings
from evalreport.core.words import either
from evalreport.errors import Problems
from evalreport.formats.json_values import as_written
from evalreport.suites.debate.place import Place
from evalreport.suites.debate.records import RESOLUTIONS, THRESHOLDS, Case, Rubric, Thresholds


def read_case(place: Place) -> Case | None:
    """One described case, or None when it cannot even be named."""
    named = place.need("case_id", "a text that is not blank")
    case_id = named.text() if named else None
    issues = _issues(place)
    ideal = _ideal(place)
    verdict = _verdict(place.at("ground_truth"))
    if case_id is None:
        return None
    category, difficulty = place.optional_text("category"), place.optional_text("difficulty")
    return Case(case_id, category or "", difficulty or "", issues, ideal, verdict)


def _issues(place: Place) -> tuple[str, ...]:
    listed = place.need("planted_issues", "a list of planted issues, empty when there is none")
    found: list[str] = []
    for item in listed.items() if listed else ():
        named = item.need("issue_id", "a text that is not blank")
        issue = named.text() if named else None
        if issue in found and named:
            named.refuse("every issue once", what=f"is {as_written(issue)} a second time", kind="duplicate_issue")
        elif issue is not None:
            found.append(issue)
    return tuple(found)


def _verdict(truth: Place) -> str | None:
    if truth.value is not None and not isinstance(truth.value, dict):
        truth.refuse("an object with final_verdict")
    return truth.optional_text("final_verdict")


def _ideal(place: Place) -> str | None:
    if not place.has("ideal_debate_resolution"):
        return None
    ideal = place.at("ideal_debate_resolution")
    return resolution_type(ideal if isinstance(ideal.value, str) else ideal.at("type"))


def resolution_type(place: Place) -> str | None:
    """One of the three types of resolution; anything else is refused."""
    if place.value in RESOLUTIONS:
        return str(place.value)
    place.refuse(either(RESOLUTIONS), kind="resolution_type")
    return None


def described(places: Place) -> Mapping[str, Case]:
    """The cases of one case file; a case that stands in it twice is refused."""
    cases: dict[str, Case] = {}
    for place in places.items():
        case = read_case(place)
        if case is None:
            continue
        if case.case_id in cases:
            what = f"describes {as_written(case.case_id)} a second time"
            place.refuse("every case once in a file", what=what, kind="duplicate_case")
        cases[case.case_id] = case
    return cases


def read_thresholds(
    rubrics: Sequence[tuple[Place, InputFile]], settings: Settings, problems: Problems
) -> tuple[Rubric, Thresholds | None]:
    """The rubric that was read and its thresholds; those that it does not state come from the settings.

    Refused: two rubrics with different text, a threshold in neither place, a setting that contradicts the rubric.
    """
    if len({file.sha256 for _, file in rubrics}) > 1:
        for _, file in rubrics:
            problems.add(file.path, "is one of several rubrics that differ", "one rubric", kind="several_rubrics")
        return Rubric(None, None), None
    stated = rubrics[0][0].at("score_thresholds") if rubrics else None
    if stated and stated.value is not None and not isinstance(stated.value, dict):
        stated.refuse("an object with the thresholds")
    where = rubrics[0][1].path if rubrics else "rubric"
    values: dict[str, Fraction] = {}
    for name in THRESHOLDS:
        own = stated.at(name).share(kind="threshold_range") if stated and stated.has(name) else None
        setting = None if settings.values[name] is None else settings.fraction(name)
        if own is not None and setting is not None and own != setting:
            what = f"states {name} {as_written(own)}, the settings {as_written(setting)}"
            problems.add(where, what, "one value", kind="two_thresholds")
        value = own if own is not None else setting
        if value is not None:
            values[name] = value
        elif not (stated and stated.has(name)):
            what = f"states no {name}, and neither do the settings"
            problems.add(where, what, "a number from 0 to 1 in one of them", kind="missing_threshold")
    rubric = Rubric(rubrics[0][1].path, rubrics[0][1].sha256) if rubrics else Rubric(None, None)
    if len(values) < len(THRESHOLDS):
        return rubric, None
    return rubric, Thresholds(**values)
