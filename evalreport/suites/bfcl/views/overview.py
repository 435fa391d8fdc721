"""The tables of all models: headline, leaderboard, subsets, weights of samples, notes."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from evalreport.core.exact import Undefined
from evalreport.core.interval_cells import common_scale, interval_cell
from evalreport.core.table import (
    Cell,
    Column,
    Count,
    Missing,
    Num,
    Row,
    RowGroup,
    Strong,
    Table,
    Text,
    Words,
)
from evalreport.core.words import limits, many, printed
from evalreport.suites.bfcl.aggregate import weights
from evalreport.suites.bfcl.compute import COMPOSITE_METHOD, ModelResult, Results
from evalreport.suites.bfcl.records import NOT_RUN
from evalreport.suites.bfcl.releases import SIZES
from evalreport.suites.bfcl.views.cells import (
    FILES,
    covered,
    level,
    named,
    rules_of,
    score,
    score_column,
    shown_categories,
    status_badge,
    subset_score,
    table_id,
)

MOST_ON_START = 20  # rows that the start page shows
MOST_SIDE_BY_SIDE = 12  # more models than this are not listed subset by subset
LINKED: Words = (
    Strong("↑"),
    (
        " higher is better. A dash means “no value”, never 0. Every number leads to its audit line: the formula, the"
        " numbers put in, the tallies."
    ),
)


def leaderboard_order(results: Results) -> tuple[ModelResult, ...]:
    """Models by overall, highest first; equal ones by name; those without an overall last, by what they cover."""

    def key(m: ModelResult) -> tuple[bool, Fraction, str]:
        value = m.outcome.scores["overall"]
        none = isinstance(value, Undefined)
        return none, -(m.outcome.covered if isinstance(value, Undefined) else Fraction(value)), m.model

    return tuple(sorted(results.models, key=key))


def leader_words(results: Results) -> str:
    """Who has the highest overall, and whether the next one's interval overlaps; how many have none."""
    scored = [m for m in leaderboard_order(results) if not isinstance(m.outcome.scores["overall"], Undefined)]
    without = len(results.models) - len(scored)
    missing = f" {many(without, 'model')} {'has' if without == 1 else 'have'} no overall: not everything was run."
    if not scored:
        return f"No model has an overall under {results.rules}: not everything was run."
    first = scored[0]
    words = f"{first.model} has the highest overall, {printed(first.outcome.scores['overall'])}"
    own, others = limits(first.intervals.get("overall")), [limits(m.intervals.get("overall")) for m in scored[1:]]
    if own and others:
        overlap = sum(1 for other in others if other and other[1] >= own[0])
        verb = "overlap" if overlap > 1 else "overlaps"
        words += f"; {overlap or 'none'} of {many(len(others), 'other')} {verb} its interval"
    return f"{words}.{missing if without else ''}"


def headline(results: Results) -> Table:
    """The table of the book's start page: overall, its interval, what was covered; of many models the first ones."""
    return _board(results, "headline", keys=("overall", *shown_categories(results)), note=LINKED, most=MOST_ON_START)


def leaderboard(results: Results) -> Table:
    """Every model with all its scores under the rules in force, its samples, its coverage."""
    keys = ("overall", "normalized", *shown_categories(results))
    downloads = (
        ("CSV", f"{FILES}/bfcl_scores.csv"),
        ("subsets, CSV", f"{FILES}/bfcl_subsets.csv"),
        ("JSON", f"{FILES}/results.json"),
    )
    return _board(results, "leaderboard", keys=keys, note=LINKED, downloads=downloads)


def _board(
    results: Results,
    kind: str,
    *,
    keys: tuple[str, ...],
    note: Words,
    downloads: tuple[tuple[str, str], ...] = (),
    most: int | None = None,
) -> Table:
    models = leaderboard_order(results)[:most]
    cut = f" The first {most} of {len(results.models)} models." if len(models) < len(results.models) else ""
    ends = common_scale((m.outcome.scores["overall"] for m in models), (m.intervals.get("overall") for m in models))

    def row(m: ModelResult) -> Row:
        cells: list[Cell] = [named(results, m.model)]
        for key in keys:
            cells.append(score(results, m, key))
            if key == "overall":
                value = m.outcome.scores[key]
                hollow = m.status(results.rules) != "complete"
                cells.append(interval_cell(value, m.intervals.get(key), ends, hollow=hollow))
        return Row((*cells, Count(m.outcome.samples), covered(m.outcome.covered), status_badge(m, results.rules)))

    columns: list[Column] = [Column("model", "Model", sticky=True)]
    for key in keys:
        columns.append(score_column(results, key, strong=key == "overall"))
        if key == "overall":
            columns.append(Column("interval", f"{level(results)} interval"))
    columns += [
        Column("samples", "n", "samples", "r"),
        Column("covered", "Covered", "of the weight", "r", decimals=1),
        Column("status", "Status"),
    ]
    scored = tuple(row(m) for m in models if not isinstance(m.outcome.scores["overall"], Undefined))
    others = tuple(row(m) for m in models if isinstance(m.outcome.scores["overall"], Undefined))
    return Table(
        id=table_id(kind),
        finding=leader_words(results),
        text=(
            f"{rules_of(results).title[0].upper()}{rules_of(results).title[1:]} ({results.rules}), ordered by overall. "
            f"{_comparable(results)}Interval: {COMPOSITE_METHOD}, {results.settings.integer('resamples'):,} draws.{cut}"
        ),
        columns=tuple(columns),
        groups=(RowGroup("", scored), RowGroup("No overall: a part was not run", others, muted=True)),
        note=note,
        downloads=downloads,
        empty="No tallies were read.",
        wide=True,
    )


def _comparable(results: Results) -> str:
    """A warning where overall scores rest on different subsets, as they may under rules that drop what is absent."""
    rested = {
        tuple(sorted(s for s, t in m.run.tallies.items() if t.n))
        for m in results.models
        if not isinstance(m.outcome.scores["overall"], Undefined)
    }
    if not rules_of(results).drops_absent or len(rested) < 2:
        return ""
    return f"The runs cover {len(rested)} different sets of subsets, so that the order is no ranking. "


def subset_intervals(results: Results) -> Table:
    """Every subset of every model with its Wilson interval; of many models only the pages of the models show them."""
    models = leaderboard_order(results) if len(results.models) <= MOST_SIDE_BY_SIDE else ()
    run = {s for m in models for s in m.run.tallies}
    placed = [s for s in rules_of(results).tree.subsets() if s in run]
    ends = common_scale(
        (t.accuracy for m in models for t in m.run.tallies.values()),
        (i for m in models for i in m.subset_intervals.values()),
    )

    def row(m: ModelResult, subset: str) -> Row:
        tally = m.run.tallies.get(subset, NOT_RUN)
        interval = interval_cell(tally.accuracy, m.subset_intervals.get(subset), ends, hollow=m.run.partial)
        hits: Cell = Count(tally.hits, tally.n) if tally.n else Missing("not run")
        return Row((named(results, m.model), hits, subset_score(results, m, subset, tally.accuracy), interval))

    groups = tuple(RowGroup(s, tuple(row(m, s) for m in models)) for s in (*placed, *sorted(run - set(placed))))
    counted = sum(s in m.run.tallies for m in models for s in run)
    return Table(
        id=table_id("subset-intervals"),
        finding=f"{many(counted, 'accuracy', 'accuracies')}, each with its {level(results)} Wilson interval."
        if models
        else f"{many(len(results.models), 'model')}: their subsets stand on their pages.",
        text="Grouped by subset, in the order of the tree; subsets without a place in it last.",
        columns=(
            Column("model", "Model", sticky=True),
            Column("hits", "Hits", "of samples", "r"),
            Column("accuracy", "Accuracy", "", "r", "higher", strong=True),
            Column("interval", f"{level(results)} interval"),
        ),
        groups=groups,
        downloads=(("CSV", f"{FILES}/bfcl_subsets.csv"),),
        empty=f"With more than {MOST_SIDE_BY_SIDE} models, each has its subsets on its own page.",
        compact=True,
    )


def sample_weights(results: Results) -> Table:
    """What one sample of each subset weighs under the rules, with the sizes of the release."""
    rules = rules_of(results)
    sizes = SIZES[rules.release]
    tree = rules.tree.without(rules.optional) or rules.tree
    found = weights(tree, sizes)
    lightest = min(found[s] / sizes[s] for s in found)
    per_sample = {s: found[s] / sizes[s] / lightest for s in found}
    most, least = (pick(found, key=lambda s: (per_sample[s], s)) for pick in (max, min))
    times = rounded_times(per_sample[most] / per_sample[least])
    run = Counter(s for m in results.models for s, t in m.run.tallies.items() if t.n)
    rows = tuple(
        Row(
            (
                Text(s),
                Text(category.label if (category := rules.category_of(s)) else ""),
                Count(sizes[s]),
                Num(found[s] * 100, 2, note="%"),
                Num(per_sample[s], 1, note="×"),
                Count(run[s], len(results.models)),
                *_range_cells(results, s),
            )
        )
        for s in found
    )
    name = "the normalized score" if rules.flat else "the overall"
    return Table(
        id=table_id("weights"),
        finding=f"One sample of {most} weighs as much as {times} of {least}."
        if per_sample[most] > per_sample[least]
        else "Every sample weighs the same.",
        text=(
            f"The subsets of {rules.name} as they stand in the tree, with the sizes of release {rules.release}. Weight:"
            f" share of {name}. One sample: its weight in the whole, beside that of the lightest."
        ),
        columns=(
            Column("subset", "Subset", sticky=True),
            Column("category", "Category"),
            Column("n", "n", "of the release", "r"),
            Column("weight", "Weight", "of the whole", "r", decimals=2),
            Column("sample", "One sample", "× the lightest", "r", decimals=2),
            Column("models", "Run by", "models", "r"),
            Column("lowest", "Lowest", "accuracy", "r"),
            Column("highest", "Highest", "accuracy", "r"),
        ),
        groups=(RowGroup("", rows),),
        wide=True,
    )


def rounded_times(ratio: Fraction) -> str:
    """How many times, with a decimal where it is small.

    >>> rounded_times(Fraction(8)), rounded_times(Fraction(5, 4))
    ('8', '1.2')
    """
    text = printed(ratio, 1)
    return text.removesuffix(".0") if ratio < 10 else printed(ratio, 0)


def _range_cells(results: Results, subset: str) -> tuple[Cell, Cell]:
    found = [Fraction(t.hits, t.n) for m in results.models if (t := m.run.tallies.get(subset)) and t.n]
    if not found:
        return Missing("no model ran it"), Missing("no model ran it")
    return Num(min(found)), Num(max(found))


def notes(results: Results) -> Table:
    """What a reader must know beside the numbers."""
    rows = tuple(Row((Text(note.where), Text(note.text))) for note in results.notes)
    return Table(
        id=table_id("notes"),
        finding=f"{many(len(rows), 'note')} on what was read and computed." if rows else "There is nothing to note.",
        text="Where a file contradicts itself, what has no place under the rules, what an official figure hides.",
        columns=(Column("about", "About", sticky=True, wrap=True), Column("note", "Note", wrap=True, sortable=False)),
        groups=(RowGroup("", rows),),
        downloads=(("CSV", f"{FILES}/bfcl_notes.csv"),),
        empty="Files, rules and official figures agree in everything.",
    )
