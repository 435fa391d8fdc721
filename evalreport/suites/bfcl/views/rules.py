"""What every run is called under each of the five rules, and what the rules do."""

from __future__ import annotations

from fractions import Fraction

from evalreport.core.exact import Undefined, Value
from evalreport.core.table import (
    Badge,
    Cell,
    Column,
    Count,
    Missing,
    Num,
    Row,
    RowGroup,
    Table,
    Text,
)
from evalreport.core.words import printed
from evalreport.suites.bfcl.compute import ModelResult, Results
from evalreport.suites.bfcl.rules import RULES
from evalreport.suites.bfcl.views.cells import (
    FILES,
    named,
    overall_under,
    table_id,
)
from evalreport.suites.bfcl.views.overview import leaderboard_order


def rules_matrix(results: Results) -> Table:
    """What every run is called under each of the five rules, side by side."""
    several = [m for m in results.models if len(_overalls(m)) > 1]
    spread = {m.model: max(v) - min(v) for m in several if (v := list(_overalls(m).values()))}
    widest = max(spread, key=lambda name: (spread[name], name), default=None)
    finding = (
        f"The same tallies of {widest} are {printed(spread[widest] * 100, 1)} points apart under different rules."
        if widest is not None
        else "No run has an overall under more than one family of rules."
    )
    rows = tuple(
        Row((named(results, m.model), *(overall_under(m, name) for name in RULES), *_spread_cell(spread.get(m.model))))
        for m in leaderboard_order(results)
    )
    return Table(
        id=table_id("rules"),
        finding=finding,
        text="Overall of each run under every family of rules. Dashed: no overall, because a part was not run; how much"
        " of the weight was run stands there. The board's own tables count such a part as zero.",
        columns=(
            Column("model", "Model", sticky=True),
            *(
                Column(name, name, rules.title.removeprefix("official "), "r", "higher")
                for name, rules in RULES.items()
            ),
            Column("spread", "Spread", "points", "r", decimals=1),
        ),
        groups=(RowGroup("", rows),),
        downloads=(("CSV", f"{FILES}/bfcl_rules.csv"),),
        empty="No tallies were read.",
        wide=True,
    )


def _overalls(m: ModelResult) -> dict[str, Fraction]:
    found: dict[str, Value] = {name: o.scores["overall"] for name, o in m.under.items()}
    return {name: Fraction(v) for name, v in found.items() if not isinstance(v, Undefined)}


def _spread_cell(spread: Fraction | None) -> tuple[Cell]:
    return (Missing("fewer than two rules give an overall") if spread is None else Num(spread * 100),)


def rule_families(results: Results) -> Table:
    """What the five families do, in a row each."""
    rows = tuple(
        Row(
            (
                Text(name),
                Text(rules.title),
                Text("every sample alike" if rules.flat or rules.tree.how == "pooled" else
                     "fixed weights" if rules.tree.how == "weighted" else "mean of its parts"),
                Count(len(rules.tree.children)),
                Text("left out of every mean" if rules.drops_absent else "no overall"),
                Text(rules.release),
                Badge("plain", "in force") if name == results.rules else Text(""),
            )
        )
        for name, rules in RULES.items()
    )  # fmt: skip
    return Table(
        id=table_id("families"),
        finding=f"{len(RULES)} families of rules; this book goes by {results.rules}.",
        text="How each makes its overall, and what it does with a part that was not run.",
        columns=(
            Column("rules", "Rules", sticky=True, sortable=False),
            Column("title", "Of", sortable=False),
            Column("how", "Overall", sortable=False),
            Column("parts", "Categories", align="r", sortable=False),
            Column("absent", "A part not run", sortable=False),
            Column("release", "Sizes of", "release", sortable=False),
            Column("force", "", sortable=False),
        ),
        groups=(RowGroup("", rows),),
        compact=True,
    )
