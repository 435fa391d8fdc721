"""Appendix A: which setup items are asked of the results, and which they leave undisclosed."""

from __future__ import annotations

from dataclasses import dataclass

from evalreport.core.suite import Ids
from evalreport.core.table import Cell, Code, Column, Count, Missing, RowGroup, Table, Text
from evalreport.core.words import many
from evalreport.suites.signals.catalogue import Item, setup_items
from evalreport.suites.signals.records import Setup
from evalreport.suites.signals.results import ItemResult, SignalsResults, TripleResult
from evalreport.suites.signals.views.cells import (
    FILES,
    TRIPLE_COLUMNS,
    cut_words,
    flag_link,
    item_names,
    listed,
    metric,
    number,
    of_all,
    rows,
    table_id,
    triple_cells,
)

LEFT_OUT = "left out"
NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True)
class Counts:
    """In how many tuples an item is undisclosed, disclosed, left out (nobody knows whether it applies), not asked."""

    found: ItemResult
    left_out: int
    not_applicable: int

    @property
    def disclosed(self) -> int:
        """The tuples in which it applies and is disclosed."""
        return self.found.applicable - self.found.undisclosed


def counts(results: SignalsResults) -> tuple[Counts, ...]:
    """Every setup item with its tuples, most undisclosed first, equal ones in reading order."""
    found = []
    for one in results.items:
        key = one.item.key
        out = sum(key not in t.applicable and is_left_out(t, one.item) for t in results.triples)
        found.append(Counts(one, out, len(results.triples) - one.applicable - out))
    return tuple(sorted(found, key=lambda c: -c.found.undisclosed))


def is_left_out(found: TripleResult, item: Item) -> bool:
    """Whether some report of a triple does not say whether the item applies to it."""
    return any(why_not_asked(report.setup, item) == LEFT_OUT for report in found.reports)


def why_not_asked(setup: Setup, item: Item) -> str:
    """Why an item is not asked of a run: it does not apply, or nothing says whether it does; "" when it is asked."""
    if item.key in setup.applicable:
        return ""
    status = {"reasoning": setup.reasoning, "agentic": setup.agentic}
    return LEFT_OUT if status.get(item.applies, False) is None else NOT_APPLICABLE


def items_words(results: SignalsResults) -> str:
    """The item that is most often left undisclosed."""
    first = counts(results)[0].found
    if not first.undisclosed:
        return "Every setup item that applies is disclosed."
    words = of_all(first.undisclosed, first.applicable, "result", verb="leaves/leave")
    return f"{words} the {first.item.name.lower()} undisclosed; no item is undisclosed more often."


def items(results: SignalsResults) -> Table:
    """The eight setup items with their counts and both shares."""

    def row(c: Counts) -> tuple[Cell, ...]:
        found, of = c.found, _of(c.found)
        where = found.share_where_applicable
        return (
            Text(found.item.name),
            Count(found.undisclosed, found.applicable),
            number(results, "undisclosed_where_applicable", of, where),
            number(results, "undisclosed_share", of, found.share),
            number(results, "applicable_tuples", of, found.applicable),
            Count(c.not_applicable),
            Count(c.left_out),
        )

    return Table(
        id=table_id("items"),
        finding=items_words(results),
        text=f"Of {many(len(results.triples), 'tuple')} of model, benchmark, split and metric. Any one of its fields"
        " discloses an item. Left out: no record says whether the run reasons or is agentic. The second share has all"
        " tuples below it, also those that are not asked.",
        columns=(
            Column("item", "Setup item", sticky=True),
            Column("undisclosed", "Undisclosed", "tuples", "r"),
            Column.of(metric("undisclosed_where_applicable"), sub="where it applies"),
            Column.of(metric("undisclosed_share")),
            Column.of(metric("applicable_tuples"), sub="it applies to"),
            Column("not-applicable", "Not applicable", align="r"),
            Column("left-out", "Left out", align="r"),
        ),
        groups=(RowGroup("", rows([row(c) for c in counts(results)])),),
        downloads=(("CSV", f"{FILES}/reproducibility_items.csv"),),
        wide=True,
    )


def _of(found: ItemResult) -> Ids:
    return (("item", found.item.key),)


def gaps(results: SignalsResults) -> Table:
    """Every tuple with the items that it leaves undisclosed, each one click away from its evidence."""
    found = results.triples

    def row(t: TripleResult) -> tuple[Cell, ...]:
        undisclosed: Cell = Text(item_names(t.undisclosed)) if t.gap else Missing("nothing that applies is undisclosed")
        return (
            *triple_cells(results, t),
            flag_link(results, t, "reproducibility", "gap" if t.gap else "no gap"),
            Count(len(t.undisclosed), len(t.applicable)),
            undisclosed,
        )

    gaps_found = sum(t.gap for t in found)
    return Table(
        id=table_id("gaps"),
        finding=f"{of_all(gaps_found, len(found), 'result', verb='has/have')} a reproducibility gap.",
        text="A gap is a fact about records, not about a model. Each flag leads to its evidence: the file, the path and"
        f" the value, or the fields that are not there.{cut_words(found, 'reproducibility')}",
        columns=(
            *TRIPLE_COLUMNS,
            Column("gap", "Flag", "to its evidence"),
            Column("count", "Undisclosed", "of those that apply", "r"),
            Column("items", "Undisclosed items", wrap=True, sortable=False),
        ),
        groups=(RowGroup("", rows([row(t) for t in listed(found)])),),
        downloads=(("CSV", f"{FILES}/reproducibility.csv"),),
        empty="There is no result with a score.",
        wide=True,
    )


def setup_table() -> Table:
    """The eight setup items as the data file states them, for the methodology."""
    catalogue = setup_items()
    cells: list[tuple[Cell, ...]] = [
        (
            Text(item.name),
            Text(item.meaning),
            Text(", ".join(item.fields)),
            Text(catalogue.applicability[item.applies]),
        )
        for item in catalogue.items
    ]
    return Table(
        id=table_id("setup-items"),
        finding=f"{many(len(catalogue.items), 'setup item')}.",
        text=f"Any one of its fields discloses an item. Version {catalogue.version} of the table.",
        columns=(
            Column("item", "Setup item", sticky=True),
            Column("meaning", "What it is", sortable=False),
            Column("fields", "Fields", wrap=True, sortable=False),
            Column("applies", "Asked of", sortable=False),
        ),
        groups=(RowGroup("", rows(cells)),),
    )


def places_table() -> Table:
    """Where a record is looked into for setup fields, for the methodology."""
    catalogue = setup_items()

    def row(path: str, versions: str, forms: str, names: str) -> tuple[Cell, ...]:
        return Code(path), Text(versions), Text(forms), Text(names) if names else Missing("fields have their own names")

    cells = [
        row(
            place.path,
            f"{place.since} to {place.until}",
            "members, JSON in a text, key=value" if place.loose else "members",
            ", ".join(f"{own} is {name}" for own, name in place.names.items()),
        )
        for place in catalogue.places
    ]
    return Table(
        id=table_id("setup-places"),
        finding=f"{many(len(cells), 'place')} are looked into for setup fields, beside the name and version of the"
        " evaluation library.",
        text="The schema versions are those that define the place; it is read in every version. A star stands for the"
        " result in question.",
        columns=(
            Column("path", "Path in the record", sticky=True, sortable=False, wrap=True),
            Column("versions", "Schema versions", sortable=False),
            Column("forms", "Read as", sortable=False),
            Column("names", "Names", sortable=False),
        ),
        groups=(RowGroup("", rows(cells)),),
    )
