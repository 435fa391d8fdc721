"""Where a number comes from: the file, the JSON path and the value behind everything that a signal says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evalreport.formats.eee import decimal_text
from evalreport.suites.signals.catalogue import Field, Item, setup_items
from evalreport.suites.signals.records import Benchmark, Report
from evalreport.suites.signals.results import TripleResult
from evalreport.suites.signals.setup import looked_up

NOTHING = "nothing there"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One place in a file and what stands there; `about` says what it bears on, `note` what a reader must know.

    `value` is None where nothing stands: then this is a place that was looked up in vain.
    """

    about: str
    file: str
    path: str
    value: str | None
    note: str = ""


def disclosure(report: Report, item: Item) -> tuple[Evidence, ...]:
    """What discloses an item in a report; if nothing does, every place that was looked up, and what stands there."""
    found = {finding.field: finding for finding in report.setup.findings}
    disclosing = tuple(
        Evidence(item.key, report.where, report.path(found[name].path), found[name].value)
        for name in item.fields
        if name in found
    )
    if disclosing:
        return disclosing
    repeated = {finding.path: finding.value for finding in report.setup.repeated}
    return tuple(
        Evidence(
            item.key,
            report.where,
            report.path(path),
            repeated.get(path),
            "only repeats the schema's default" if path in repeated else NOTHING,
        )
        for name in item.fields
        for path in looked_up(name, report.setup.version)
    )


def gap(result: TripleResult) -> Iterator[tuple[Report, str, tuple[Evidence, ...]]]:
    """For each report and each item it leaves undisclosed while it applies: the places that were looked up."""
    for report in result.reports:
        for key in report.setup.applicable:
            item = setup_items().item(key)
            if not any(name in report.setup.values for name in item.fields):
                yield report, key, disclosure(report, item)


def provenance(result: TripleResult) -> Iterator[Evidence]:
    """Who reports the triple: relationship and organisation of every report, re-scrapes after the others."""
    for report in (*result.reports, *result.rescrapes):
        note = "the same score scraped again: not counted" if report in result.rescrapes else ""
        source, base = report.source, report.base
        said = None if source.relationship == "unstated" else source.relationship
        path = f"{base}.source_metadata"
        yield Evidence("relationship", report.where, f"{path}.evaluator_relationship", said, note)
        yield Evidence(
            "organisation",
            report.where,
            f"{path}.source_organization_name",
            source.organisation or None,
            note if source.known or not source.organisation else f"{note} a placeholder".strip(),
        )


def comparability(result: TripleResult) -> Iterator[Evidence]:
    """What is compared: for every report its score, the ends of its scale, and the settings in which setups differ."""
    for report in result.reports:
        score = report.path("evaluation_results[*].score_details.score")
        yield Evidence("score", report.where, score, decimal_text(report.score), report.source.relationship)
        for name, end in (("min_score", report.low), ("max_score", report.high)):
            text = end if end is None or isinstance(end, str) else decimal_text(end)
            yield Evidence(name, report.where, report.path(f"evaluation_results[*].metric_config.{name}"), text)
        found = {finding.field: finding for finding in report.setup.findings}
        for name in result.differing_fields:
            if name in found:
                yield Evidence(name, report.where, report.path(found[name].path), found[name].value)
            else:
                places = looked_up(name, report.setup.version)
                yield Evidence(name, report.where, report.path(places[0]), None, NOTHING)


def completeness(benchmark: Benchmark, field: Field) -> tuple[Evidence, ...]:
    """For each part of a field: what fills it, or where it was looked up."""
    found = []
    for part in field.parts:
        filled = benchmark.filled.get(part)
        if filled is not None:
            note = "" if filled.real else "a placeholder: not populated"
            found.append(Evidence(part, filled.file, filled.path, filled.value, note))
        elif field.source == "card" and benchmark.card is not None:
            found.append(Evidence(part, benchmark.card.path, f"{benchmark.card.base}.{part}", None, NOTHING))
        else:
            note = {"card": "no card", "record": "in no record", "reserved": "not in the mapping file"}[field.source]
            found.append(Evidence(part, "", part, None, note))
    return tuple(found)
