"""The evidence of result triples: for every report the file, and path and value or the fields that are not there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalreport.core.suite import CsvTable
from evalreport.core.table import Badge, Cell, Code, Column, Missing, Row, RowGroup, Table, Text
from evalreport.core.words import many
from evalreport.suites.signals.catalogue import RESULT, Item, setup_items
from evalreport.suites.signals.evidence import Evidence, comparability, disclosure, gap, provenance
from evalreport.suites.signals.pages import Signal, evidence_anchor, group_name
from evalreport.suites.signals.records import Report
from evalreport.suites.signals.results import TripleResult
from evalreport.suites.signals.setup import looked_up
from evalreport.suites.signals.views.cells import of_all, party_words, table_id
from evalreport.suites.signals.views.comparability import flag_words
from evalreport.suites.signals.views.reproducibility import LEFT_OUT, why_not_asked

MOST_REPORTS = 20  # reports of one triple that a page shows; all of them stand in the CSV file
HEADER = ("model", "benchmark", "metric", "signal", "about", "file", "path", "value", "note")
_WHY = {
    "not_log_probability": "scored from log-probabilities",
    "reasoning": "the run does not reason",
    "agentic": "the setup is not agentic",
}
_UNKNOWN = {
    "reasoning": "nothing says whether the run reasons",
    "agentic": "nothing says whether the setup is agentic",
}


def evidence_table(found: Sequence[TripleResult], number: int) -> Table:
    """Everything that the signals say of these triples rests on, a group of rows for each triple."""
    gaps = sum(t.gap for t in found)
    return Table(
        id=table_id(f"evidence-{number:03}"),
        finding=f"{of_all(gaps, len(found), 'result', verb='has/have')} a reproducibility gap.",
        text="For each report: the setup items, who reports it, and what is compared where several do. For an"
        " undisclosed item: the fields, none of which stands in any of the places looked up.",
        columns=(
            Column("about", "About", sticky=True, sortable=False),
            Column("verdict", "Found", sortable=False),
            Column("file", "File", sortable=False, wrap=True),
            Column("evidence", "Evidence", "path = value, or the fields that are not there", wrap=True, sortable=False),
        ),
        groups=tuple(group for t in found for group in _groups(t)),
        downloads=(("every place that was looked up, CSV", f"data/audit/signals/{group_name(number)}.csv"),),
        wide=True,
    )


def _groups(t: TripleResult) -> Iterator[RowGroup]:
    parts: list[tuple[Signal, str, Iterator[tuple[Cell, ...]]]] = [
        ("reproducibility", "gap" if t.gap else "no gap", _setups(t)),
        ("provenance", party_words(t.parties), _sources(t)),
    ]
    if t.status != "not applicable":
        parts.append(("comparability", flag_words(t), _compared(t)))
    for signal, flag, lines in parts:
        title = f"{t.triple.model} · {t.triple.benchmark} · {t.triple.metric} · {signal}: {flag}"
        anchor = evidence_anchor(t, signal)
        yield RowGroup(title, tuple(Row(cells, anchor="" if at else anchor) for at, cells in enumerate(lines)))


def _setups(t: TripleResult) -> Iterator[tuple[Cell, ...]]:
    found = [(report, item) for report in t.reports[:MOST_REPORTS] for item in setup_items().items]
    undisclosed = [is_undisclosed(report, item) for report, item in found]
    # The cause of a flag stands first.
    for first in (True, False):
        for (report, item), is_open in zip(found, undisclosed, strict=True):
            if is_open is first:
                yield Text(item.name), *_item(report, item)
    if len(t.reports) > MOST_REPORTS:
        rest = many(len(t.reports) - MOST_REPORTS, "further report")
        yield Text(rest), Badge("quiet", "in the CSV file"), Missing("not shown here"), Missing("not shown here")


def is_undisclosed(report: Report, item: Item) -> bool:
    """Whether a report leaves an item undisclosed that applies to it."""
    return item.key in report.setup.applicable and not any(name in report.setup.values for name in item.fields)


def _item(report: Report, item: Item) -> tuple[Cell, ...]:
    file = Text(report.where)
    why = why_not_asked(report.setup, item)
    disclosed = any(name in report.setup.values for name in item.fields)
    if why and not disclosed:
        words = _UNKNOWN[item.applies] if why == LEFT_OUT else _WHY[item.applies]
        return Badge("quiet", why), file, Text(words)
    found = disclosure(report, item)
    if disclosed:
        return Badge("plain", "disclosed"), file, _said(found)
    repeated = tuple(one for one in found if one.value is not None)
    if repeated:
        return Badge("dashed", "undisclosed"), file, Text(f"{_path(repeated[0])}: {repeated[0].note}")
    places = {path for name in item.fields for path in looked_up(name, report.setup.version)}
    return (
        Badge("dashed", "undisclosed"),
        file,
        Text(f"none of {', '.join(item.fields)}", f"in {many(len(places), 'path')} of {report.path(RESULT)}"),
    )


def _sources(t: TripleResult) -> Iterator[tuple[Cell, ...]]:
    for one in tuple(provenance(t))[: 2 * MOST_REPORTS]:
        note = one.note or ("stated" if one.value is not None else "not stated")
        badge = Badge("quiet" if one.note else "plain", note) if one.value is not None else Badge("dashed", note)
        yield Text(one.about.capitalize()), badge, Text(one.file), _said((one,))


def _compared(t: TripleResult) -> Iterator[tuple[Cell, ...]]:
    each = 3 + len(t.differing_fields)
    for one in tuple(comparability(t))[: each * MOST_REPORTS]:
        stated = one.value is not None
        badge = Badge("plain", one.note or "stated") if stated else Badge("dashed", one.note or "not stated")
        yield Text(one.about), badge, Text(one.file), _said((one,))


def _said(found: Sequence[Evidence]) -> Cell:
    return Code("; ".join(_path(one) for one in found))


def _path(one: Evidence) -> str:
    return one.path if one.value is None else f"{one.path} = {one.value}"


def looked_up_table(found: Sequence[TripleResult]) -> CsvTable:
    """All evidence of these triples, and every place that was looked up in vain."""
    rows = []
    for t in found:
        names = (t.triple.model, t.triple.benchmark, t.triple.metric)
        for report in t.reports:
            for item in setup_items().items:
                if any(name in report.setup.values for name in item.fields):
                    rows += [(*names, "reproducibility", *_line(one)) for one in disclosure(report, item)]
        rows += [(*names, "reproducibility", *_line(one)) for _, _, places in gap(t) for one in places]
        rows += [(*names, "provenance", *_line(one)) for one in provenance(t)]
        if t.status != "not applicable":
            rows += [(*names, "comparability", *_line(one)) for one in comparability(t)]
    return CsvTable("evidence", HEADER, tuple(rows))


def _line(one: Evidence) -> tuple[str, ...]:
    return one.about, one.file, one.path, one.value or "", one.note
