"""The audit of a model: every score with its formula and tallies, every subset in a series."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evalreport.core.suite import CsvTable, Interval
from evalreport.core.table import Cell, Text
from evalreport.report.audit import AuditLine, audit_lines
from evalreport.report.ledger import Audited
from evalreport.report.pages import records_address
from evalreport.suites.bfcl.audit import audit
from evalreport.suites.bfcl.compute import ModelResult, Results
from evalreport.suites.bfcl.metrics import SCORES
from evalreport.suites.bfcl.pages import number_anchor, records_name
from evalreport.suites.bfcl.records import NOT_RUN

OF_COMPOSITE = ("level", "resamples", "seed")
OF_SUBSET = ("level",)
HEADER = ("model", "subset", "shard", "shards", "source", "hits", "n")


def scores(results: Results, m: ModelResult) -> list[Audited]:
    """The ledgers of the scores of a model, the overall first."""
    found = {line.metric.key.removeprefix("bfcl."): line for line in _lines(results, m)}
    return [_audited(results, found[key], m.intervals.get(key), OF_COMPOSITE) for key in SCORES]


def subsets(results: Results, m: ModelResult) -> list[tuple[Sequence[Cell], Audited]]:
    """The accuracies of the subsets of a model, each with what it is of."""
    return [
        ((Text(subset := dict(line.of)["subset"]),), _audited(results, line, m.subset_intervals.get(subset), OF_SUBSET))
        for line in _lines(results, m)
        if line.metric.key == "bfcl.subset"
    ]


def all_numbers(results: Results, models: Sequence[ModelResult]) -> list[tuple[Sequence[Cell], Audited]]:
    """The numbers of several models for one table: scores, then subsets, model by model."""
    found: list[tuple[Sequence[Cell], Audited]] = []
    for m in models:
        found += [((Text(m.model), Text("")), number) for number in scores(results, m)]
        found += [((Text(m.model), *of), number) for of, number in subsets(results, m)]
    return found


def records(models: Sequence[ModelResult]) -> CsvTable:
    """The tallies behind the numbers of these models: a row for each subset of each shard."""
    rows = tuple(
        (
            m.model,
            subset,
            "" if shard.index is None else str(shard.index),
            str(shard.count),
            shard.source,
            str(tally.hits),
            str(tally.n),
        )
        for m in models
        for subset in sorted({*m.run.tallies, *m.outcome.weights})
        for shard in m.run.shards
        for tally in (shard.tallies.get(subset, NOT_RUN),)
    )
    return CsvTable("records", HEADER, rows)


def _lines(results: Results, m: ModelResult) -> tuple[AuditLine, ...]:
    return audit_lines(audit(replace(results, models=(m,))))


def _audited(results: Results, line: AuditLine, interval: Interval | None, drawn: tuple[str, ...]) -> Audited:
    return Audited(
        metric=line.metric,
        of=line.of,
        value=line.value,
        anchor=number_anchor(results, line.metric.key, line.of),
        n=len(line.records.rows) if line.records else 0,
        line=line,
        interval=interval,
        records=records_address("bfcl", records_name(results, dict(line.of)["model"])),
        settings=tuple(dict.fromkeys((*line.settings, *(drawn if interval else ())))),
    )
