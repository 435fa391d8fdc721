"""The audit of the signals: numbers of the corpus, of items and fields, of benchmarks, of result triples."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from evalreport.core.suite import ResultValue
from evalreport.core.table import Cell, Text
from evalreport.report.audit import AuditLine, audit_line
from evalreport.report.ledger import Audited
from evalreport.report.pages import records_address
from evalreport.suites.signals.audit import audit_entries
from evalreport.suites.signals.pages import group_name, number_anchor
from evalreport.suites.signals.results import BenchmarkResult, SignalsResults, TripleResult
from evalreport.suites.signals.values import result_values
from evalreport.suites.signals.views.cells import PARTIES

Series = list[tuple[Sequence[Cell], Audited]]


def corpus(results: SignalsResults) -> list[Audited]:
    """The figures of the whole corpus."""
    return _audited(results, lambda ids: not ids)


def items(results: SignalsResults) -> Series:
    """The numbers of the setup items."""
    return _series(_audited(results, lambda ids: "item" in ids), "item")


def fields(results: SignalsResults) -> Series:
    """The population rates of the fields."""
    return _series(_audited(results, lambda ids: "field" in ids), "field")


def benchmarks(results: SignalsResults, found: Sequence[BenchmarkResult]) -> Series:
    """The numbers of some benchmarks."""
    own = replace(results, triples=(), benchmarks=tuple(found), items=(), fields=(), rates=())
    return _series(_audited(own, lambda ids: "benchmark" in ids), "benchmark")


def triples(results: SignalsResults, found: Sequence[TripleResult], number: int) -> Series:
    """The numbers of some result triples; the file with their evidence stands beside them."""
    own = replace(results, triples=tuple(found), benchmarks=(), items=(), fields=(), rates=())
    series: Series = []
    for audited in _audited(own, lambda ids: "model" in ids):
        ids = dict(audited.of)
        party = next((name for key, name in PARTIES.items() if key == ids.get("party")), "")
        path = Text(ids["benchmark"], f"{ids['metric']}, {party}" if party else ids["metric"])
        series.append(
            ((Text(ids["model"]), path), replace(audited, records=records_address("signals", group_name(number))))
        )
    return series


def _audited(results: SignalsResults, wanted: Callable[[Mapping[str, str]], bool]) -> list[Audited]:
    values = {(value.metric, value.of): value for value in result_values(results)}
    return [
        _number(audit_line(entry), values[entry.metric.key, entry.of])
        for entry in audit_entries(results)
        if wanted(dict(entry.of))
    ]


def _number(line: AuditLine, value: ResultValue) -> Audited:
    return Audited(
        metric=line.metric,
        of=line.of,
        value=line.value,
        anchor=number_anchor(line.metric.key, line.of),
        n=value.n or 0,
        line=line,
        settings=line.settings,
    )


def _series(found: Sequence[Audited], key: str) -> Series:
    return [((Text(dict(audited.of)[key]),), audited) for audited in found]
