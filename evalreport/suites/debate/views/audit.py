"""The audit of a system: its own numbers with the cases behind them, the numbers of its cases in a series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evalreport.core.exact import csv_text
from evalreport.core.slug import slug
from evalreport.core.suite import CsvTable, Interval, ResultValue
from evalreport.core.table import Cell, Text
from evalreport.report.audit import AuditLine, audit_line
from evalreport.report.ledger import Audited
from evalreport.report.pages import records_address
from evalreport.suites.debate.audit import audit_entries
from evalreport.suites.debate.pages import number_anchor
from evalreport.suites.debate.records import DIMENSIONS
from evalreport.suites.debate.results import DebateResults, SystemResult
from evalreport.suites.debate.values import result_values

DRAWN = ("level", "resamples", "seed")
HEADER = ("case_id", "run", *DIMENSIONS.values(), "applicable", "mean", "scores")


def numbers(results: DebateResults, s: SystemResult) -> tuple[list[Audited], list[tuple[Sequence[Cell], Audited]]]:
    """The numbers of a system, each for a ledger, and those of its cases, each with the case it is of."""
    own: list[Audited] = []
    of_cases: list[tuple[Sequence[Cell], Audited]] = []
    values = {(v.metric, v.of): v for v in result_values(replace(results, systems=_needed(results, s)))}
    for entry in audit_entries(replace(results, systems=_needed(results, s))):
        ids = dict(entry.of)
        if ids["system"] != s.system:
            continue
        audited = _audited(s, audit_line(entry), values[entry.metric.key, entry.of])
        if "case_id" in ids:
            of_cases.append(((Text(ids["case_id"]),), audited))
        else:
            own.append(audited)
    return own, of_cases


def _needed(results: DebateResults, s: SystemResult) -> tuple[SystemResult, ...]:
    """The system and the one it is compared with."""
    return tuple(other for other in results.systems if other.system in (s.system, s.baseline))


def records(s: SystemResult) -> CsvTable:
    """Every run behind the numbers of a system: its six scores as given or judged."""
    rows = tuple(
        (
            c.case.case_id,
            r.run.run_id,
            *(csv_text(x) for x in r.run.scores),
            str(r.assessment.applicable),
            csv_text(r.assessment.mean),
            "given" if r.run.judged is None else "judged",
        )
        for c in s.cases
        for r in c.runs
    )
    return CsvTable("records", HEADER, rows)


def _audited(s: SystemResult, line: AuditLine, value: ResultValue) -> Audited:
    interval: Interval | None = value.interval
    drawn = interval is not None and interval.resamples is not None
    settings = (*line.settings, *(DRAWN if drawn else DRAWN[:1] if interval else ()))
    return Audited(
        metric=line.metric,
        of=line.of,
        value=line.value,
        anchor=number_anchor(line.metric.key, line.of),
        n=len(line.records.rows) if line.records else 0,
        line=line,
        interval=interval,
        records=records_address("debate", slug(s.system)),
        settings=tuple(dict.fromkeys(settings)),
    )
