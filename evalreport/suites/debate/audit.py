"""Beside every published number: its printed formula, evaluated over the records without the code that made it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from evalreport.core.exact import Number, Undefined, Value, csv_text
from evalreport.core.formula import Evaluation
from evalreport.core.suite import AuditEntry, RecordTable, ResultValue
from evalreport.suites.debate.metrics import d
from evalreport.suites.debate.records import (
    DIMENSIONS,
    THRESHOLDS,
    Case,
    Claim,
    Dimension,
    Instance,
    JudgedIssue,
    Run,
    RunSet,
    Thresholds,
)
from evalreport.suites.debate.results import CaseResult, DebateResults, SystemResult
from evalreport.suites.debate.values import result_values

_PLACE: Mapping[str, int] = {short: place for place, short in enumerate(DIMENSIONS)}
_LIFT = ("debate.lift", "debate.lift_pass")
# Which settings a number depends on; the others depend on no setting but the thresholds named here.
_SETTINGS: Mapping[str, tuple[str, ...]] = {
    "debate.case_pass": THRESHOLDS[:2],
    "debate.passing_fraction": THRESHOLDS[:2],
    "debate.benchmark_pass": THRESHOLDS,
    "debate.lift": ("baseline",),
    "debate.lift_pass": ("baseline", "min_lift"),
}


def evaluation(run_set: RunSet, *, thresholds: Thresholds, min_lift: Number) -> Evaluation:
    """The formulas over the runs of one set. Systems are named as in the files, cases are `Case` records."""
    runs: dict[tuple[str, str], list[Run]] = {}
    for run in run_set.runs:
        runs.setdefault((run.system, run.case_id), []).append(run)

    def of_case(u: str, c: Case) -> Sequence[Run]:
        return runs.get((u, c.case_id), ())

    def issues(t: Run) -> tuple[JudgedIssue, ...]:
        return t.judged.issues if t.judged else ()

    def claims(t: Run) -> tuple[Claim, ...]:
        return t.judged.claims if t.judged else ()

    def instances(t: Run) -> tuple[Instance, ...]:
        return t.judged.instances if t.judged else ()

    def applies(t: Run, dimension: Dimension) -> int:
        return int(not isinstance(t.scores[_PLACE[dimension]], Undefined))

    def score(t: Run, dimension: Dimension) -> Fraction | Undefined:
        return t.scores[_PLACE[dimension]]

    def credit(_t: Run, i: JudgedIssue) -> Fraction:
        return i.credit

    return d.notation().over(
        {
            "C": tuple(run_set.cases.values()),
            "R_{u,c}": of_case,
            "I_t": issues,
            "f_{t,i}": credit,
            "Q_t": claims,
            r"\mathrm{valid}_q": lambda q: int(q.valid),
            "B_t": instances,
            r"\mathrm{score}_b": lambda b: b.score,
            "a(t, d)": applies,
            "g(t, d)": score,
            r"\theta_{\mathrm{dim}}": thresholds.per_dimension_pass,
            r"\theta_{\mathrm{case}}": thresholds.overall_case_pass,
            r"\theta_{\mathrm{frac}}": thresholds.benchmark_pass_fraction,
            r"\theta_{\mathrm{lift}}": min_lift,
        }
    )


def audit_entries(results: DebateResults) -> Iterator[AuditEntry]:
    """One entry for each published number; a lift without a baseline to compare with has none."""
    evaluations = {
        run_set.name: evaluation(run_set, thresholds=results.thresholds, min_lift=results.min_lift)
        for run_set in results.records.sets
    }
    systems = {system.system: system for system in results.systems}
    cases = {(c.system, c.case.case_id): c for system in results.systems for c in system.cases}
    for value in result_values(results):
        ids = dict(value.of)
        system = systems[ids["system"]]
        baseline = systems[system.baseline] if system.baseline and not system.is_baseline else None
        if value.metric in _LIFT and baseline is None:
            continue
        case = cases.get((system.system, ids.get("case_id", "")))
        yield _entry(value, system, case=case, baseline=baseline, evaluation=evaluations[system.set_name])


def _entry(
    value: ResultValue,
    system: SystemResult,
    *,
    case: CaseResult | None,
    baseline: SystemResult | None,
    evaluation: Evaluation,
) -> AuditEntry:
    args: tuple[object, ...]
    if case is not None:
        args, records = (system.name, case.case), _run_records(case)
    elif value.metric in _LIFT and baseline is not None:
        args, records = (system.name, baseline.name), _lift_records(system, baseline)
    else:
        args, records = (system.name,), _case_records(system.cases)
    return AuditEntry(
        d.metrics[value.metric],
        value.of,
        value.value,
        evaluation,
        args,
        records,
        _SETTINGS.get(value.metric, ()),
    )


def _run_records(case: CaseResult) -> RecordTable:
    return RecordTable(
        ("run", *DIMENSIONS),
        tuple((r.run.run_id, *_texts(r.run.scores)) for r in case.runs),
    )


def _case_records(cases: Sequence[CaseResult]) -> RecordTable:
    return RecordTable(
        ("case_id", "applicable", "mean", "lowest", "status"),
        tuple(
            (
                *(c.case.case_id, str(c.assessment.applicable)),
                *_texts((c.assessment.mean, c.assessment.lowest)),
                c.assessment.status,
            )
            for c in cases
        ),
    )


def _lift_records(system: SystemResult, baseline: SystemResult) -> RecordTable:
    ours, theirs = ({c.case.case_id: c.assessment.mean for c in s.cases} for s in (system, baseline))
    return RecordTable(
        ("case_id", "mean", "baseline mean", "difference"),
        tuple(
            (case_id, *_texts((ours[case_id], theirs[case_id], difference)))
            for case_id, difference in system.lift.differences.items()
        ),
    )


def _texts(values: Iterable[Value]) -> tuple[str, ...]:
    return tuple(csv_text(value) for value in values)
