"""The shards of a run: what each covers, and the mean of their scores beside the score of their union."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from evalreport.core.exact import Undefined
from evalreport.core.table import Badge, Cell, Code, Column, Count, Heat, Missing, Num, Row, RowGroup, Table, Text
from evalreport.core.words import many, printed
from evalreport.suites.bfcl.compute import ModelResult, Results, ShardMean, ShardScore
from evalreport.suites.bfcl.outcome import expected_sizes
from evalreport.suites.bfcl.records import NOT_RUN
from evalreport.suites.bfcl.union import NAMED, missing_words
from evalreport.suites.bfcl.views.cells import FILES, agreement, metric, named, rules_of, score, table_id

MOST_COLUMNS = 12  # more shards than this have no column each


def cut(results: Results) -> tuple[ModelResult, ...]:
    """The runs that came in shards."""
    return tuple(m for m in results.models if m.shards)


def shard_means(results: Results, models: tuple[ModelResult, ...], *, model: str = "") -> Table:
    """The wrong way beside the right one, for every score of these runs."""
    found = [(m, s) for m in models for s in m.shard_means]
    off = [s for _, s in found if s.difference]
    worst = max(off, key=lambda s: (abs(s.difference), s.score), default=None)
    finding = (
        f"The mean of shard scores is off by {_points(worst.difference)} points ({metric(worst.score).name.lower()})."
        if worst
        else "The mean of shard scores happens to be the score of the union."
        if found
        else "There is no run in shards."
    )

    def row(m: ModelResult, s: ShardMean) -> Row:
        return Row(
            (
                *(() if model else (named(results, m.model),)),
                Text(metric(s.score).name),
                Num(s.union, 6, score(results, m, s.score).href),
                Num(s.mean_of_shards, 6),
                Num(s.difference * 100, 4, signed=True),
            )
        )

    return Table(
        id=table_id("shard-means", model),
        finding=finding,
        text="Right: hits and samples of the shards are added, the rules are applied once. Wrong: the rules are applied"
        " to each shard, and the scores averaged. A subset that a shard lacks changes the weights there.",
        columns=(
            *(() if model else (Column("model", "Model", sticky=True),)),
            Column("score", "Score", sticky=bool(model)),
            Column("union", "Union", "right", "r", strong=True),
            Column("mean", "Mean of shards", "wrong", "r"),
            Column("difference", "Difference", "points", "r"),
        ),
        groups=(RowGroup("", tuple(row(m, s) for m, s in found)),),
        downloads=() if model else (("CSV", f"{FILES}/bfcl_shard_means.csv"),),
        empty="No run came in shards, so that there is nothing to average wrongly.",
        compact=bool(model),
    )


def _points(difference: Fraction) -> str:
    size = abs(difference) * 100
    return printed(size, 2) if size >= Fraction(1, 200) else printed(size, 4)


def shards(results: Results, m: ModelResult) -> Table:
    """Every shard of a run by itself, beside what its own file says."""
    there = m.run.shards[0].count if m.run.shards[0].index is not None else len(m.shards)
    rows = [_shard_row(s) for s in m.shards]
    rows += [_missing_row(m.run.missing, there)] if m.run.missing else []
    stored = [f for s in m.shards for f in s.stored.values()]
    agree = sum(f.status == "agrees" for f in stored)
    said = f", {agree} of {many(len(stored), 'stored score')} reproduced" if stored else ""
    return Table(
        id=table_id("shards", m.model),
        finding=f"{len(m.shards)} of {many(there, 'shard')} given{said}.",
        text=f"Each shard of {m.model} by itself under {results.rules}. Stored: what its own file says, in percent, by"
        " the rules of the gate that wrote it.",
        columns=(
            Column("shard", "Shard", sticky=True),
            Column("source", "File"),
            Column("samples", "n", "samples", "r"),
            Column("overall", "Overall", "", "r"),
            Column("normalized", "Normalized", "", "r"),
            Column("stored_overall", "Stored", "overall, %", "r"),
            Column("stored_normalized", "Stored", "normalized, %", "r"),
            Column("verdict", "Verdict"),
        ),
        groups=(RowGroup("", tuple(rows)),),
        wide=True,
    )


def _shard_row(s: ShardScore) -> Row:
    stored = [s.stored.get(key) for key in ("overall", "normalized")]
    worst = next((f for f in stored if f and f.status != "agrees"), next((f for f in stored if f), None))
    none = Missing("the file stores no score")
    printed_cells: list[Cell] = [none if f is None else Code(f.official) for f in stored]
    return Row(
        (
            Missing("the file names no shard") if s.shard.index is None else Count(s.shard.index),
            Text(s.shard.source),
            Count(s.outcome.samples),
            Num(s.outcome.scores["overall"]),
            Num(s.outcome.scores["normalized"]),
            *printed_cells,
            none if worst is None else agreement(worst),
        )
    )


def _missing_row(missing: Sequence[int], count: int) -> Row:
    none = Missing(missing_words(missing, count))
    few = ", ".join(map(str, missing)) if len(missing) <= NAMED else f"{len(missing):,} more"
    return Row((Text(few), Text(""), none, none, none, none, none, Badge("alert", "missing")))


def shard_coverage(results: Results, m: ModelResult) -> Table:
    """How many samples of each subset each shard holds, beside the size of the release."""
    rules = rules_of(results)
    sizes = expected_sizes(rules, m.run.release)
    listed = [s for s in rules.tree.subsets() if s in m.run.tallies or s not in rules.optional]
    listed += [s for s in m.run.tallies if s not in listed]
    columns = m.shards if len(m.shards) <= MOST_COLUMNS else ()
    most = max((t.n for s in m.shards for t in s.shard.tallies.values()), default=0) or 1

    def cell(s: ShardScore, subset: str) -> Cell:
        n = s.shard.tallies.get(subset, NOT_RUN).n
        return Heat(Fraction(n, most) if n else None, f"{n:,}" if n else "–", "not in this shard")

    def row(subset: str) -> Row:
        n = m.run.tallies.get(subset, NOT_RUN).n
        holding = sum(1 for s in m.shards if s.shard.tallies.get(subset, NOT_RUN).n)
        size = sizes.get(subset)
        return Row(
            (
                Text(subset),
                *(cell(s, subset) for s in columns),
                Count(holding, len(m.shards)),
                Count(n),
                Missing("a subset that the release does not know")
                if size is None
                else Num(Fraction(n * 100, size), 1, note="%"),
            )
        )

    lacking = [s for s in listed if any(not x.shard.tallies.get(s, NOT_RUN).n for x in m.shards)]
    partly = [s for s in lacking if s in m.run.tallies]
    finding = (
        f"{many(len(partly), 'subset')} {'is' if len(partly) == 1 else 'are'} in some shards only."
        if partly
        else f"Every shard holds samples of all {many(len(m.run.tallies), 'subset')} run."
    )
    heads = tuple(
        Column(f"shard-{k}", f"Shard {k if s.shard.index is None else s.shard.index}", "samples", "c", sortable=False)
        for k, s in enumerate(columns)
    )
    return Table(
        id=table_id("shard-coverage", m.model),
        finding=finding,
        text=f"Samples of {m.model} by subset and shard; strong: many, hatched: none. Coverage: beside the size of the"
        " release.",
        columns=(
            Column("subset", "Subset", sticky=True),
            *heads,
            Column("holding", "In", "of the shards", "r"),
            Column("n", "n", "together", "r"),
            Column("coverage", "Coverage", "of the release", "r", decimals=1),
        ),
        groups=(RowGroup("", tuple(map(row, listed))),),
        wide=True,
    )


def union_words(m: ModelResult) -> str:
    """The union of a run's shards in a sentence."""
    value = m.outcome.scores["normalized"]
    hits = sum(t.hits for t in m.run.tallies.values())
    samples = sum(t.n for t in m.run.tallies.values())
    tail = "" if isinstance(value, Undefined) else f"; normalized {printed(value)}"
    return f"Together: {hits:,} hits of {samples:,} samples{tail}."


def shares_run(results: Results) -> str:
    """How many of the runs were cut into shards, for the page's first sentence."""
    cut = [m for m in results.models if m.shards]
    partial = sum(m.run.partial for m in cut)
    if not cut:
        return "Every run of this book is whole: none was cut into shards."
    rest = f", {many(partial, 'run')} without all of them" if partial else ", each with all of them"
    return f"{many(len(cut), 'run')} of {len(results.models)} came in shards{rest}."
