"""Official figures beside ours."""

from __future__ import annotations

from collections import Counter

from evalreport.core.exact import Undefined
from evalreport.core.table import (
    Cell,
    Code,
    Column,
    Count,
    Missing,
    Num,
    Row,
    RowGroup,
    Table,
    Text,
)
from evalreport.core.words import many
from evalreport.suites.bfcl.compute import ModelResult, OfficialFigure, Results
from evalreport.suites.bfcl.views.cells import (
    FILES,
    agreement,
    named,
    printed_figure,
    table_id,
)
from evalreport.suites.bfcl.views.overview import leaderboard_order


def official_summary(results: Results) -> Table:
    """For every model with official figures: how many agree, and the official overall beside ours."""
    models = [m for m in leaderboard_order(results) if m.official]
    counts = Counter(f.status for m in models for f in m.official)
    total = sum(counts.values())

    def row(m: ModelResult) -> Row:
        own = Counter(f.status for f in m.official)
        top = next((f for f in m.official if f.figure == "overall"), None)
        return Row(
            (
                named(results, m.model),
                Text(m.official[0].rules),
                Count(own["agrees"], len(m.official)),
                Count(own["differs"], alert=own["differs"] > 0),
                Count(own["inconsistent"], alert=own["inconsistent"] > 0),
                Count(own["not determined"]),
                *_beside(top),
            )
        )

    return Table(
        id=table_id("official"),
        finding=f"{counts['agrees']:,} of {many(total, 'official figure')} {'is' if counts['agrees'] == 1 else 'are'}"
        " what the tallies give." if total else "No official figure was given.",
        text="Ours is printed as the official program prints it: binary floats in its order of additions, two decimals."
        " Zero for unrun: the official figure is, or contains, a zero for a part that was never run.",
        columns=(
            Column("model", "Model", sticky=True),
            Column("rules", "Rules"),
            Column("agree", "Agree", "of figures", "r"),
            Column("differ", "Differ", align="r"),
            Column("unrun", "Zero for unrun", align="r"),
            Column("open", "Not determined", align="r"),
            Column("official", "Official", "overall", "r"),
            Column("ours", "Ours", "printed alike", "r"),
            Column("difference", "Difference", "points", "r", decimals=2),
        ),
        groups=(RowGroup("", tuple(map(row, models))),),
        downloads=(("CSV", f"{FILES}/bfcl_official.csv"),),
        empty="No official figure was given with the tallies, so that there is nothing to compare.",
        wide=True,
    )  # fmt: skip


def _beside(figure: OfficialFigure | None) -> tuple[Cell, Cell, Cell]:
    if figure is None:
        none = Missing("no official overall was given")
        return none, none, none
    why = figure.value.reason if isinstance(figure.value, Undefined) else "not determined"
    ours = printed_figure(None if figure.ours is None else f"{figure.ours}%", why)
    difference: Cell = Missing(why) if figure.difference is None else Num(figure.difference, 2, signed=True)
    return Code(figure.official), ours, difference


def official_differences(results: Results) -> Table:
    """Every official figure that is not what the tallies give."""
    found = [(m, f) for m in leaderboard_order(results) for f in m.official if f.status != "agrees"]
    kinds = Counter(f.status for _, f in found)
    words = (
        f"{many(kinds['differs'], 'official figure')} {'contradicts' if kinds['differs'] == 1 else 'contradict'} the"
        f" tallies; {many(kinds['inconsistent'], 'figure')} count as zero what was never run."
    )
    return Table(
        id=table_id("official-differences"),
        finding=words if found else "No official figure differs from ours.",
        text="Official figures that differ, that hide a part that was not run, or that the tallies do not determine.",
        columns=official_columns(first=True),
        groups=(RowGroup("", tuple(Row((named(results, m.model), *official_cells(f))) for m, f in found)),),
        empty="Every official figure that was given is what the tallies give, to the last printed digit.",
        wide=True,
    )


def official_columns(*, first: bool = False) -> tuple[Column, ...]:
    """The columns of official figures, after the model where several are listed."""
    model = (Column("model", "Model", sticky=True),) if first else ()
    return (
        *model,
        Column("figure", "Figure", sticky=not first),
        Column("rules", "Rules"),
        Column("official", "Official", align="r"),
        Column("ours", "Ours", "printed alike", "r"),
        Column("exact", "Exact", "fraction", "r", sortable=False),
        Column("difference", "Difference", "points", "r", decimals=2),
        Column("status", "Verdict"),
    )


def official_cells(figure: OfficialFigure) -> tuple[Cell, ...]:
    """One official figure beside ours."""
    exact: Cell = Missing(figure.value.reason) if isinstance(figure.value, Undefined) else Code(str(figure.value))
    official, ours, difference = _beside(figure)
    return Text(figure.figure), Text(figure.rules), official, ours, exact, difference, agreement(figure)
