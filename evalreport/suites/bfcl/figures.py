"""The figures of function calling: results in, words, data and drawing function out. Loaded by notebooks only."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from evalreport.charts import grid, rows
from evalreport.charts.figure import Figure
from evalreport.charts.tree import Node, tree
from evalreport.core.exact import Undefined, Value, csv_text, fixed
from evalreport.core.suite import CsvTable
from evalreport.core.words import limits, limits_text, many, percent, printed, rounded_percent
from evalreport.suites.bfcl.compute import ModelResult, Results
from evalreport.suites.bfcl.records import NOT_RUN
from evalreport.suites.bfcl.rules import RULES
from evalreport.suites.bfcl.tree import TreeLine, tree_lines
from evalreport.suites.bfcl.views.cells import contrast_words, rules_of, table_id
from evalreport.suites.bfcl.views.overview import leader_words, leaderboard_order

IN_WORDS = 10  # how many of the first rows the alternative text reads out
MOST_ROWS = 40  # more rows than this are no figure


def overall(results: Results) -> Figure:
    """The overall of every model with its interval; a model without one stands below, with what it covers."""
    models = leaderboard_order(results)[:MOST_ROWS]
    left_out = len(results.models) - len(models)
    rest = f" Drawn are the first {MOST_ROWS} of {len(results.models)}." if left_out else ""
    forest_rows = [
        rows.ForestRow(
            name=m.model,
            value=_place(m.outcome.scores["overall"]),
            text=printed(m.outcome.scores["overall"]),
            n=m.outcome.samples,
            interval=limits(m.intervals.get("overall")),
            note=_absent(m, results.rules),
            tone="data" if m.status(results.rules) == "complete" else "muted",
        )
        for m in models
    ]
    scale = rows.Scale(f"overall under {results.rules}; line: {_level(results)} interval")
    return Figure(
        id=table_id("overall"),
        finding=leader_words(results),
        text=(
            f"Overall score under {results.rules} with its {_level(results)} interval: hits of every subset drawn again"
            f" from a binomial distribution, {results.settings.integer('resamples'):,} times. n: scored samples that"
            f" these rules count. Hollow, grey: subsets or shards are missing. Where a part was not run there is no"
            f" overall, and the share of the weight that was run stands in its place.{rest}"
        ),
        alt=f"{leader_words(results)} "
        + "; ".join(f"{m.model} {printed(m.outcome.scores['overall'])}" for m in models[:IN_WORDS]),
        data=CsvTable(
            "overall",
            ("model", "rules", "overall", "low", "high", "samples", "covered_weight", "status"),
            tuple(
                (m.model, results.rules, csv_text(m.outcome.scores["overall"]),
                 *limits_text(m.intervals.get("overall")), str(m.outcome.samples), fixed(m.outcome.covered),
                 m.status(results.rules))
                for m in models
            ),
        ),
        settings=_settings(results, "rules", "level", "resamples", "seed"),
        names=tuple(m.model for m in models),
        draw=lambda canvas: rows.forest(canvas, forest_rows, scale, value_title="overall"),
    )  # fmt: skip


def aggregation(results: Results, m: ModelResult) -> Figure:
    """The tree that makes a model's score, with the weight, the value, hits and samples of every node."""
    lines = tree_lines(m.run.tallies, m.outcome)
    root = _nodes(lines)
    rules = rules_of(results)
    made = (
        f"This tree makes the normalized score, without what was not run; the overall under {rules.name} is the share"
        " of hits among all samples."
        if rules.flat
        else f"This tree makes the overall under {rules.name}."
    )
    return Figure(
        id=table_id("tree", m.model),
        finding=contrast_words(m),
        text=(
            f"The score of {m.model} taken apart. {made} Weight: share of the whole that a node decides. Bars: from 0"
            " to 1, strong for means, faint for subsets, hatched for what was not run. Hits: of samples scored."
        ),
        alt=f"Tree of {many(len(lines), 'node')}. {contrast_words(m)} "
        + "; ".join(f"{line.label} {printed(line.value)}" for line in lines if line.depth < 2) + ".",
        data=CsvTable(
            "tree",
            ("depth", "node", "how", "share", "weight", "hits", "n", "accuracy"),
            tuple(
                (str(line.depth), line.key, line.how, fixed(line.share), fixed(line.weight), str(line.hits),
                 str(line.n), csv_text(line.value))
                for line in lines
            ),
        ),
        settings=_settings(results, "rules") | {"model": m.model},
        names=tuple(line.label for line in lines),
        draw=lambda canvas: tree(canvas, root),
    )  # fmt: skip


def five_rules(m: ModelResult) -> Figure:
    """One run under every family of rules: its overall, or how much of the weight was run where there is none."""
    forest_rows = []
    for name, outcome in m.under.items():
        for key in ("overall", "normalized"):
            value = outcome.scores[key]
            forest_rows.append(
                rows.ForestRow(
                    name=name,
                    value=_place(value),
                    text=printed(value),
                    n=outcome.samples,
                    note=_absent(m, name) if key == "overall" else "",
                    tone="data" if key == "overall" and not isinstance(value, Undefined) else "muted",
                    group="Overall" if key == "overall" else "Normalized: mean of the categories run",
                )
            )
    forest_rows.sort(key=lambda row: row.group != "Overall")
    return Figure(
        id=table_id("rules", m.model),
        finding=rules_words(m),
        text=(
            f"The same hits and samples of {m.model} under each family of rules. No value: a part was not run, and the"
            " share of the weight that was run is given. n: samples that the rules count."
        ),
        alt=f"{rules_words(m)} "
        + "; ".join(f"{name} {printed(found.scores['overall'])}" for name, found in m.under.items()) + ".",
        data=CsvTable(
            "rules",
            ("rules", "overall", "normalized", "covered_weight", "samples", "status"),
            tuple(
                (name, csv_text(found.scores["overall"]), csv_text(found.scores["normalized"]),
                 fixed(found.covered), str(found.samples), m.status(name))
                for name, found in m.under.items()
            ),
        ),
        settings={"model": m.model},
        names=tuple(RULES),
        draw=lambda canvas: rows.forest(
            canvas, forest_rows, rows.Scale("score, 0 to 1"), value_title="score"
        ),
    )  # fmt: skip


def rules_words(m: ModelResult) -> str:
    """How far apart the rules are for one run."""
    found = {name: Fraction(v) for name, o in m.under.items() if not isinstance(v := o.scores["overall"], Undefined)}
    if not found:
        return "No family of rules gives this run an overall."
    low, high = min(found, key=lambda k: (found[k], k)), max(found, key=lambda k: (found[k], k))
    if low == high:
        return f"Only {low} gives this run an overall: {printed(found[low])}."
    ends = f"{printed(found[low])} under {low}, {printed(found[high])} under {high}"
    return f"One run, {many(len(found), 'overall')}: {ends}."


def subsets(results: Results) -> Figure:
    """The accuracy of every model on every subset; what was not run is hatched."""
    models = leaderboard_order(results)[:MOST_ROWS]
    run = {s for m in models for s, t in m.run.tallies.items() if t.n}
    listed = [s for s in rules_of(results).tree.subsets() if s in run]
    columns = (*listed, *sorted(run - set(listed)))
    cells = {
        (s, m.model): grid.Cell(float(Fraction(t.hits, t.n)), fixed(Fraction(t.hits, t.n), 2))
        if (t := m.run.tallies.get(s, NOT_RUN)).n
        else grid.Cell(None)
        for m in models
        for s in columns
    }
    gaps = sum(not m.run.tallies.get(s, NOT_RUN).n for m in models for s in columns)
    finding = (
        f"{gaps} of {len(models) * len(columns)} combinations of model and subset were not run."
        if gaps
        else f"Every model ran all {many(len(columns), 'subset')}."
    )
    rest = f" The first {MOST_ROWS} of {len(results.models)} models." if len(results.models) > MOST_ROWS else ""
    return Figure(
        id=table_id("subsets"),
        finding=finding if models else "No model was read.",
        text=f"Share of hits, one row a subset, one column a model. Faint: 0, strong: 1. Hatched: not run.{rest}",
        alt=f"Table of shaded cells, {many(len(columns), 'subset')} by {many(len(models), 'model')}. {finding}",
        data=CsvTable(
            "subsets",
            ("model", "subset", "hits", "n", "accuracy"),
            tuple(
                (m.model, s, str(t.hits), str(t.n), csv_text(t.accuracy))
                for m in models for s in columns if (t := m.run.tallies.get(s, NOT_RUN)).n
            ),
        ),
        names=(*columns, *(m.model for m in models)),
        draw=lambda canvas: grid.heatmap(canvas, columns, [m.model for m in models], cells),
    )  # fmt: skip


def _absent(m: ModelResult, rules: str) -> str:
    found = m.under[rules]
    if not isinstance(found.scores["overall"], Undefined):
        return ""
    return f"not run: {rounded_percent(found.covered, 0)} of the weight covered" if found.covered else "nothing run"


def _nodes(lines: Sequence[TreeLine]) -> Node | None:
    """The lines as nodes: each line's children are the deeper ones that follow it."""
    made: list[tuple[int, Node]] = []
    for line in reversed(lines):
        below = []
        while made and made[-1][0] == line.depth + 1:
            below.append(made.pop()[1])
        made.append((line.depth, _node(line, tuple(below))))
    return made[0][1] if made else None


def _node(line: TreeLine, children: tuple[Node, ...]) -> Node:
    return Node(
        name=line.label,
        value=_place(line.value),
        text=printed(line.value),
        weight=rounded_percent(line.weight),
        count=f"{line.hits:,} of {line.n:,}" if line.n else "not run",
        children=children,
    )


def _place(value: Value) -> float | None:
    return None if isinstance(value, Undefined) else float(value)


def _level(results: Results) -> str:
    return percent(results.settings.fraction("level"))


def _settings(results: Results, *names: str) -> dict[str, str]:
    return {name: str(results.settings.values[name]) for name in names}
