"""The tables of one model: facts, scores, subsets, rules, official figures."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from evalreport.core.exact import Undefined
from evalreport.core.interval_cells import common_scale, interval_cell
from evalreport.core.table import Badge, Cell, Column, Count, Missing, Num, Row, RowGroup, Table, Text
from evalreport.core.words import many, printed, rounded_percent
from evalreport.report.facts import Fact
from evalreport.suites.bfcl.compute import ModelResult, Results
from evalreport.suites.bfcl.metrics import SCORES
from evalreport.suites.bfcl.outcome import expected_sizes
from evalreport.suites.bfcl.records import NOT_RUN
from evalreport.suites.bfcl.rules import RULES, categories
from evalreport.suites.bfcl.views.cells import (
    covered,
    level,
    metric,
    overall_under,
    rules_of,
    score,
    status_badge,
    subset_score,
    table_id,
)
from evalreport.suites.bfcl.views.official import official_cells, official_columns


def facts(results: Results, m: ModelResult) -> tuple[Fact, ...]:
    """The few numbers that stand below the title."""
    there = m.run.shards[0].count if m.run.shards[0].index is not None else len(m.run.shards)
    values = m.outcome.scores
    first, *rest = m.status(results.rules).split("; ")

    def value(key: str) -> str:
        return "–" if isinstance(values[key], Undefined) else printed(values[key])

    of = "not run" if isinstance(values["overall"], Undefined) else f"under {results.rules}"
    return (
        Fact("Overall", value("overall"), of, score(results, m, "overall").href),
        Fact("Normalized", value("normalized"), "categories run", score(results, m, "normalized").href),
        Fact("Covered", rounded_percent(m.outcome.covered), "of the weight"),
        Fact(
            "Samples",
            f"{m.outcome.samples:,}",
            f"{there - len(m.run.missing)} of {many(there, 'shard')}" if there > 1 else "one whole run",
        ),
        Fact("State", Badge(status_badge(m, results.rules).kind, first), "; ".join(rest)),
    )


def scores(results: Results, m: ModelResult) -> Table:
    """Every score of a model under the rules in force, with its interval and what it rests on."""
    shown = [
        k for k in SCORES if k in ("overall", "normalized") or any(n.key == k for n in rules_of(results).tree.walk())
    ]
    values = m.outcome.scores
    ends = common_scale((values[k] for k in shown), (m.intervals.get(k) for k in shown))
    missing = sum(isinstance(values[k], Undefined) for k in shown)

    notes = {key: interval.note for key, interval in m.intervals.items() if interval.note}

    def row(key: str) -> Row:
        interval = m.intervals.get(key)
        n: Cell = Count(interval.n) if interval else Missing("no value, so no interval")
        value = interval_cell(values[key], interval, ends, hollow=m.run.partial)
        return Row(
            (Text(metric(key).name), score(results, m, key), value, n, *((Text(notes.get(key, "")),) if notes else ()))
        )

    return Table(
        id=table_id("scores", m.model),
        finding=f"{missing} of {many(len(shown), 'score')} without a value: a part was not run."
        if missing
        else f"All {len(shown)} scores have a value.",
        text=f"{m.model} under {results.rules}. Interval: hits of each subset drawn again from a binomial"
        f" distribution, {results.settings.integer('resamples'):,} times.",
        columns=(
            Column("score", "Score", sticky=True, sortable=False),
            Column("value", "Value", "0 to 1", "r", "higher", strong=True, sortable=False),
            Column("interval", f"{level(results)} interval"),
            Column("n", "n", "samples", "r", sortable=False),
            *((Column("note", "Remark", sortable=False),) if notes else ()),
        ),
        groups=(RowGroup("", tuple(map(row, shown))),),
        compact=True,
    )


def subsets(results: Results, m: ModelResult) -> Table:
    """Every subset of a model: hits, accuracy with its Wilson interval, coverage, weight."""
    rules = rules_of(results)
    sizes = expected_sizes(rules, m.run.release)
    tree = rules.tree if rules.drops_absent else m.outcome.shape or rules.tree
    placed = tree.subsets()
    others = tuple(s for s in m.run.tallies if s not in placed)
    ends = common_scale((t.accuracy for t in m.run.tallies.values()), m.subset_intervals.values())
    each = {s: m.outcome.weights[s] / t.n for s, t in m.run.tallies.items() if s in m.outcome.weights}
    lightest = min(each.values(), default=Fraction(1))

    def row(s: str) -> Row:
        tally = m.run.tallies.get(s, NOT_RUN)
        weight = m.outcome.weights.get(s)
        return Row(
            (
                Text(s),
                Count(tally.hits, tally.n) if tally.n else Missing("not run"),
                subset_score(results, m, s, tally.accuracy),
                interval_cell(tally.accuracy, m.subset_intervals.get(s), ends, hollow=m.run.partial),
                Count(tally.n, sizes[s]) if s in sizes else Count(tally.n),
                Missing("no place in the tree" if tally.n else "not run: left out of every mean")
                if weight is None
                else Num(weight * 100, 2, note="%"),
                Num(each[s] / lightest, 1, note="×")
                if s in each
                else Missing("no place in the tree" if tally.n else "not run"),
            )
        )

    groups = [RowGroup(c.label, tuple(map(row, c.subsets()))) for c in categories(tree)]
    if others:
        counted = "counted in the overall alone" if rules.flat else "not counted"
        groups.append(RowGroup(f"In no category of {rules.name}: {counted}", tuple(map(row, others)), muted=True))
    short = sum(1 for s, t in m.run.tallies.items() if s in sizes and 0 < t.n < sizes[s])
    unrun = sum(1 for s in placed if s not in m.run.tallies)
    parts = [f"{many(len(m.run.tallies), 'subset')} run"]
    parts += [f"{unrun} not run"] if unrun else []
    parts += [f"{short} with fewer samples than the release"] if short else []
    return Table(
        id=table_id("subsets", m.model),
        finding=f"{', '.join(parts)}.",
        text=f"{m.model}. Accuracy with its {level(results)} Wilson interval. Weight: share of the whole; one sample:"
        " its weight in the whole, beside that of the lightest.",
        columns=(
            Column("subset", "Subset", sticky=True),
            Column("hits", "Hits", "of samples", "r"),
            Column("accuracy", "Accuracy", "", "r", "higher", strong=True),
            Column("interval", f"{level(results)} interval"),
            Column("coverage", "Samples", "of the release", "r"),
            Column("weight", "Weight", "of the whole", "r", decimals=2),
            Column("sample", "One sample", "× the lightest", "r", decimals=2),
        ),
        groups=tuple(groups),
        wide=True,
    )


def five_rules(m: ModelResult) -> Table:
    """One run under the five rules side by side, with what each of them leaves out."""
    rows = tuple(
        Row(
            (
                Text(name),
                overall_under(m, name),
                Num(found.scores["normalized"]),
                Count(len(found.present), found.categories),
                covered(found.covered),
                Count(found.samples),
                status_badge(m, name),
                Count(len(found.short)),
            )
        )
        for name, found in m.under.items()
    )
    given = sum(not isinstance(o.scores["overall"], Undefined) for o in m.under.values())
    return Table(
        id=table_id("five-rules", m.model),
        finding=f"{given} of {len(RULES)} families of rules give this run an overall.",
        text=f"The same tallies of {m.model}, read by each family. Normalized: mean of the categories that were run.",
        columns=(
            Column("rules", "Rules", sticky=True, sortable=False),
            Column("overall", "Overall", "", "r", "higher", strong=True, sortable=False),
            Column("normalized", "Normalized", "categories run", "r", "higher", sortable=False),
            Column("categories", "Categories", "run, of all", "r", sortable=False),
            Column("covered", "Covered", "of the weight", "r", decimals=1, sortable=False),
            Column("samples", "n", "samples counted", "r", sortable=False),
            Column("status", "Status", sortable=False),
            Column("short", "Short", "subsets", "r", sortable=False),
        ),
        groups=(RowGroup("", rows),),
        wide=True,
    )


def official(m: ModelResult) -> Table:
    """Every official figure of a model beside ours."""
    counts = Counter(f.status for f in m.official)
    return Table(
        id=table_id("official", m.model),
        finding=f"{counts['agrees']} of {many(len(m.official), 'official figure')} are what the tallies give."
        if m.official
        else "No official figure was given.",
        text=f"{m.model}: ours printed as the official program prints it, the exact fraction beside it.",
        columns=official_columns(),
        groups=(RowGroup("", tuple(Row(official_cells(f)) for f in m.official)),),
        empty="No official table with this model came with the tallies.",
        compact=True,
    )
