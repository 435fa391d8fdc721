"""The CSV files of a debate benchmark. Columns that the rubric asks for come first, the others after them."""

from __future__ import annotations

from evalreport.core.exact import Undefined, Value, csv_text
from evalreport.core.suite import CsvTable, Interval
from evalreport.suites.debate.records import DIMENSIONS
from evalreport.suites.debate.results import Assessment, CaseResult, DebateResults, RunResult, SystemResult

_SCORED = (*DIMENSIONS.values(), "applicable", "mean", "passes", "status")


def csv_tables(results: DebateResults) -> tuple[CsvTable, ...]:
    """debate_cases, debate_systems and debate_runs: one row a case, a system, a run, sorted by name."""
    cases = [(system, case) for system in results.systems for case in system.cases]
    return (
        CsvTable(
            "debate_cases",
            (
                *("system", "case_id", *_SCORED, "lowest", "would_pass", "runs", "runs_passing", "category"),
                *("difficulty", "flags"),
            ),
            tuple(_case_row(system, case) for system, case in cases),
        ),
        CsvTable(
            "debate_systems",
            (
                *(
                    "system",
                    "cases",
                    "scoreable",
                    "passing",
                    "passing_fraction",
                    "mean_scoreable",
                    "mean_all",
                    "passes",
                ),
                *("lift", "lift_passes", "lift_low", "lift_high", "lift_level", "lift_method", "lift_cases"),
                *("baseline", "manual_review", "of_cases", "runs_per_case", "baseline_cap_flags", "result_set"),
            ),
            tuple(_system_row(system) for system in results.systems),
        ),
        CsvTable(
            "debate_runs",
            ("system", "case_id", "run", *_SCORED, "source", "stated_passes"),
            tuple(_run_row(case, run) for _, case in cases for run in case.runs),
        ),
    )


def _truth(value: Value | bool) -> str:
    return "" if isinstance(value, Undefined) else str(bool(value))


def _scored(found: Assessment) -> tuple[str, ...]:
    scores = [csv_text(score) for score in found.scores]
    return (*scores, str(found.applicable), csv_text(found.mean), _truth(found.passes), found.status)


def _case_row(system: SystemResult, case: CaseResult) -> tuple[str, ...]:
    found = case.assessment
    flags = sorted({flag.kind for flag in system.flags if flag.case_id == case.case.case_id})
    return (
        *(case.system, case.case.case_id, *_scored(found), csv_text(found.lowest), _truth(found.would_pass)),
        *(str(len(case.runs)), str(case.runs_passing), case.case.category, case.case.difficulty, ";".join(flags)),
    )


def _system_row(system: SystemResult) -> tuple[str, ...]:
    least, most = system.runs_per_case
    caps = sum(flag.kind == "baseline_above_cap" for flag in system.flags)
    return (
        *(system.system, str(len(system.cases)), str(len(system.scoreable)), str(system.passing)),
        *(csv_text(system.passing_fraction), csv_text(system.mean), csv_text(system.mean_all), _truth(system.passes)),
        *(csv_text(system.lift.value), _truth(system.lift.passes), *_interval(system.lift.interval)),
        *(str(len(system.lift.differences)), system.baseline or "", str(len(system.manual_review))),
        *(str(system.of_cases), str(least) if least == most else f"{least} to {most}", str(caps), system.set_name),
    )


def _interval(interval: Interval | None) -> tuple[str, str, str, str]:
    if interval is None:
        return "", "", "", ""
    low, high = ("" if limit is None else csv_text(limit) for limit in (interval.low, interval.high))
    return low, high, csv_text(interval.level), interval.method


def _run_row(case: CaseResult, found: RunResult) -> tuple[str, ...]:
    run = found.run
    return (
        *(case.system, run.case_id, run.run_id, *_scored(found.assessment)),
        "given" if run.judged is None else "judged",
        "" if run.stated_pass is None else str(run.stated_pass),
    )
