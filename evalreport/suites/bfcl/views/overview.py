"""The tables of all models: headline, leaderboard, weights of samples, five rules, shards, official figures."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from evalreport.core.exact import Undefined, Value
from evalreport.core.interval_cells import common_scale, interval_cell
from evalreport.core.table import (
    Badge,
    Cell,
    Code,
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
from evalreport.suites.bfcl.compute import COMPOSITE_METHOD, ModelResult, OfficialFigure, Results
from evalreport.suites.bfcl.records import NOT_RUN
from evalreport.suites.bfcl.releases import SIZES
from evalreport.suites.bfcl.rules import RULES
from evalreport.suites.bfcl.views.cells import (
    FILES,
    agreement,
    covered,
    level,
    named,
    overall_under,
    printed_figure,
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


def shares_run(results: Results) -> str:
    """How many of the runs were cut into shards, for the page's first sentence."""
    cut = [m for m in results.models if m.shards]
    partial = sum(m.run.partial for m in cut)
    if not cut:
        return "Every run of this book is whole: none was cut into shards."
    rest = f", {many(partial, 'run')} without all of them" if partial else ", each with all of them"
    return f"{many(len(cut), 'run')} of {len(results.models)} came in shards{rest}."
