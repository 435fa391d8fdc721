"""From records to results: runs are combined to cases, cases to systems, systems compared with their baseline."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Literal

import numpy as np

from evalreport.core.exact import Undefined, Value, fixed
from evalreport.core.intervals import bootstrap
from evalreport.core.names import nearest
from evalreport.core.suite import Interval, Settings
from evalreport.errors import EvalreportError, Problem
from evalreport.suites.debate import metrics
from evalreport.suites.debate.judging import BASELINE_RESOLUTION_CAP
from evalreport.suites.debate.records import (
    DEFAULT_BASELINE,
    DIMENSIONS,
    Case,
    DebateRecords,
    Run,
    RunSet,
    Thresholds,
)
from evalreport.suites.debate.results import (
    Assessment,
    CaseResult,
    Condition,
    DebateResults,
    Flag,
    Group,
    Lift,
    RunResult,
    SystemResult,
)
from evalreport.suites.debate.sensitivity import sensitivities

RESOLUTION, VERDICT = list(DIMENSIONS).index("DRQ"), list(DIMENSIONS).index("FVC")
# Differences of case means as whole numbers of 1/SCALE, when their common denominator is too large for exact sums.
SCALE = 10**9
LARGEST_DENOMINATOR = 10**12


def compute(records: DebateRecords, settings: Settings) -> DebateResults:
    """What the rubric says of every system. Pure; the same records in any order give the same results.

    Raises `EvalreportError` when the baseline that is asked for has not run.
    """
    names = _display_names(records.sets)
    systems = [
        system for run_set in records.sets for system in _systems(run_set, names, records=records, settings=settings)
    ]
    return DebateResults(
        records,
        settings.fraction("min_lift"),
        settings.fraction("level"),
        tuple(sorted(systems, key=lambda s: s.system)),
    )


def assess(scores: Sequence[Value], thresholds: Thresholds) -> Assessment:
    """The rule for cases applied to six dimension scores."""
    mean, lowest = metrics.case_mean(scores), metrics.lowest_dimension(scores)
    return Assessment(
        tuple(scores),
        metrics.applicable(scores),
        mean,
        lowest,
        metrics.case_pass(scores, thresholds),
        metrics.reaches(mean, lowest, thresholds),
    )


def _display_names(sets: Sequence[RunSet]) -> Mapping[tuple[str, str], str]:
    """(set, system) -> the name used everywhere: as written; where two sets have it, the smaller set is added."""
    cases: dict[tuple[str, str], set[str]] = defaultdict(set)
    for run_set in sets:
        for run in run_set.runs:
            cases[run_set.name, run.system].add(run.case_id)
    homes: dict[str, list[str]] = defaultdict(list)
    for set_name, system in sorted(cases):
        homes[system].append(set_name)
    names = {}
    for system, found in homes.items():
        ranked = sorted(found, key=lambda name: (-len(cases[name, system]), name))
        names[ranked[0], system] = system
        for name in ranked[1:]:
            names[name, system] = f"{system} ({name or 'rows'})"
    twice = sorted(name for name, n in Counter(names.values()).items() if n > 1)
    if twice:
        raise EvalreportError(
            *(Problem("systems", f"two systems would be called {name!r}", "distinct names") for name in twice)
        )
    return names


def _systems(
    run_set: RunSet, names: Mapping[tuple[str, str], str], *, records: DebateRecords, settings: Settings
) -> Iterator[SystemResult]:
    grouped: dict[str, dict[str, list[Run]]] = defaultdict(lambda: defaultdict(list))
    for run in run_set.runs:
        grouped[run.system][run.case_id].append(run)
    cases = {
        system: tuple(
            _case(names[run_set.name, system], run_set.cases[case_id], runs, thresholds=records.thresholds)
            for case_id, runs in sorted(found.items())
        )
        for system, found in sorted(grouped.items())
    }
    baseline = _baseline(sorted(cases), records, settings)
    for system, found in cases.items():
        lift = _lift(found, cases[baseline] if baseline and baseline != system else None, settings)
        if system == baseline:
            lift = Lift(Undefined("is the baseline"), Undefined("is the baseline"), {}, None)
        yield _system(
            found,
            lift,
            thresholds=records.thresholds,
            min_lift=settings.fraction("min_lift"),
            of_cases=len(run_set.cases),
            names=(names[run_set.name, system], system, run_set.name),
            baseline=names[run_set.name, baseline] if baseline else None,
            rubric_sha256=records.rubric.sha256,
        )


def _baseline(systems: Sequence[str], records: DebateRecords, settings: Settings) -> str | None:
    asked = settings.text("baseline")
    if asked is None:
        return DEFAULT_BASELINE if DEFAULT_BASELINE in systems else None
    everywhere = sorted({run.system for run_set in records.sets for run in run_set.runs})
    if asked not in everywhere:
        raise EvalreportError(
            Problem("baseline", f"is {asked!r}, which has no results", nearest(asked, everywhere), "unknown_baseline")
        )
    return asked if asked in systems else None


def _case(system: str, case: Case, runs: Sequence[Run], *, thresholds: Thresholds) -> CaseResult:
    combined = [metric([run.scores[place] for run in runs]) for place, metric in enumerate(metrics.BY_DIMENSION)]
    alone = tuple(RunResult(run, assess(run.scores, thresholds)) for run in runs)
    return CaseResult(system, case, alone, assess(combined, thresholds))


def _means(cases: Sequence[CaseResult]) -> dict[str, Fraction]:
    return {c.case.case_id: Fraction(c.assessment.mean) for c in cases if not isinstance(c.assessment.mean, Undefined)}


def _scoreable(cases: Sequence[CaseResult]) -> list[CaseResult]:
    return [c for c in cases if c.assessment.status != "manual_review"]


def _lift(cases: Sequence[CaseResult], baseline: Sequence[CaseResult] | None, settings: Settings) -> Lift:
    if baseline is None:
        none = Undefined("no baseline")
        return Lift(none, none, {}, None)
    ours, theirs = _means(_scoreable(cases)), _means(_scoreable(baseline))
    differences = {case_id: ours[case_id] - theirs[case_id] for case_id in sorted(ours.keys() & theirs.keys())}
    value = metrics.lift(list(differences.values()))
    return Lift(
        value, metrics.lift_pass(value, settings.fraction("min_lift")), differences, _interval(differences, settings)
    )


def _interval(differences: Mapping[str, Fraction], settings: Settings) -> Interval | None:
    if not differences:
        return None
    common = lcm(*(x.denominator for x in differences.values()))
    scale = common if common <= LARGEST_DENOMINATOR else SCALE
    rows = np.array([[round(x * scale)] for x in differences.values()], dtype=np.int64)
    n = len(differences)
    return bootstrap(
        rows,
        {"lift": lambda sums: sums[:, 0] / (n * scale)},
        ids=differences,
        level=settings.fraction("level"),
        resamples=settings.integer("resamples"),
        seed=settings.integer("seed"),
        purpose="debate lift",
    )["lift"]


def _system(
    cases: tuple[CaseResult, ...],
    lift: Lift,
    *,
    thresholds: Thresholds,
    min_lift: Fraction,
    of_cases: int,
    names: tuple[str, str, str],
    baseline: str | None,
    rubric_sha256: str | None,
) -> SystemResult:
    scoreable = _scoreable(cases)
    fraction = metrics.passing_fraction([int(c.assessment.status == "pass") for c in scoreable])
    mean = metrics.mean(list(_means(scoreable).values()))
    conditions = [
        Condition("passing_fraction", fraction, thresholds.benchmark_pass_fraction),
        Condition("mean", mean, thresholds.overall_case_pass),
    ]
    if names[0] != baseline:
        conditions.append(Condition("lift", lift.value, min_lift))
    return SystemResult(
        system=names[0],
        name=names[1],
        set_name=names[2],
        baseline=baseline,
        cases=cases,
        of_cases=of_cases,
        passing_fraction=fraction,
        mean=mean,
        mean_all=metrics.mean_all(list(_means(cases).values())),
        passes=metrics.benchmark_pass(fraction, mean, thresholds),
        lift=lift,
        conditions=tuple(conditions),
        sensitivities=sensitivities(_rule_numbers(scoreable), thresholds),
        groups=tuple(_groups(cases)),
        flags=tuple(sorted(_flags(cases, is_baseline=names[0] == baseline, rubric_sha256=rubric_sha256))),
    )


def _rule_numbers(cases: Sequence[CaseResult]) -> list[tuple[Fraction, Fraction]]:
    return [
        (Fraction(mean), Fraction(lowest))
        for mean, lowest in ((c.assessment.mean, c.assessment.lowest) for c in cases)
        if not isinstance(mean, Undefined) and not isinstance(lowest, Undefined)
    ]


def _groups(cases: Sequence[CaseResult]) -> Iterator[Group]:
    kinds: tuple[Literal["category", "difficulty"], ...] = ("category", "difficulty")
    for kind in kinds:
        members: dict[str, list[CaseResult]] = defaultdict(list)
        for case in cases:
            members[case.case.category if kind == "category" else case.case.difficulty].append(case)
        for name, found in sorted(members.items()):
            scoreable = _scoreable(found)
            yield Group(
                kind,
                name,
                cases=len(found),
                scoreable=len(scoreable),
                passing=sum(c.assessment.status == "pass" for c in scoreable),
                manual_review=len(found) - len(scoreable),
                mean=metrics.mean(list(_means(scoreable).values())),
            )


def _flags(cases: Sequence[CaseResult], *, is_baseline: bool, rubric_sha256: str | None) -> Iterator[Flag]:
    for result in (r for case in cases for r in case.runs):
        run = result.run
        place = (cases[0].system, run.case_id, run.run_id)
        resolution, verdict = run.scores[RESOLUTION], run.scores[VERDICT]
        if is_baseline and not isinstance(resolution, Undefined) and resolution > BASELINE_RESOLUTION_CAP:
            yield Flag(*place, "baseline_above_cap", f"resolution is {fixed(resolution)}; a baseline earns at most 0.5")
        updates = [i.score for i in run.judged.instances if i.kind == "C"] if run.judged else []
        if is_baseline and any(updates):
            text = f"a position update scores {fixed(max(updates))}; a baseline has no revision step and earns 0"
            yield Flag(*place, "baseline_above_cap", text)
        if not isinstance(verdict, Undefined) and verdict not in (0, 1):
            yield Flag(
                *place, "final_verdict_not_binary", f"the verdict scores {fixed(verdict)}; the rubric knows 0 and 1"
            )
        if run.rubric_sha256 is not None and run.rubric_sha256 != rubric_sha256:
            text = f"scored under the rubric with sha256 {run.rubric_sha256}; the rubric given has {rubric_sha256}"
            yield Flag(*place, "rubric_changed", text)
        ours = result.assessment.status
        if run.stated_pass is not None and run.stated_pass != (ours == "pass"):
            said = "pass" if run.stated_pass else "fail"
            yield Flag(*place, "stated_pass_differs", f"the file says {said}; the rule says {ours}")
