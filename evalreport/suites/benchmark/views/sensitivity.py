"""Rank against the weight of the pass rate, exactly: where versions change places, and which rank they have where."""

from __future__ import annotations

from fractions import Fraction

from evalreport.core.exact import fixed
from evalreport.core.table import Code, Column, Math, Num, Rank, Row, RowGroup, Table, Text
from evalreport.core.words import many
from evalreport.suites.benchmark.results import BenchmarkResults, Crossing, RankRange, VersionResults
from evalreport.suites.benchmark.views.cells import FILES, metric, named, of_version, table_id, weight_text


def ranges(results: BenchmarkResults, version: VersionResults) -> Table:
    """For each ranked subject version the weights over which it keeps its rank."""
    found = version.sensitivity
    by_id = {s.id: s for s in version.subjects}
    order = [s.id for s in version.leaderboard if s.rank is not None]
    published = results.settings.fraction("alpha")
    inner = [r for r in found.ranges if r.low < r.high]
    moving = {r.subject for r in inner if sum(o.subject == r.subject for o in inner) > 1}

    def shared(r: RankRange) -> bool:
        others = (o for o in found.ranges if o.subject != r.subject and o.rank == r.rank)
        return any(max(o.low, r.low) < min(o.high, r.high) or (o.low, o.high) == (r.low, r.high) for o in others)

    def row(r: RankRange) -> Row:
        here = (r.low < published or (r.low == published and r.low_in)) and (
            published < r.high or (published == r.high and r.high_in)
        )
        words = _range_words(r)
        return Row(
            (
                named(results, by_id[r.subject]),
                Rank(r.rank, tied=shared(r)),
                Math(words),
                Num(r.low),
                Num(r.high),
                Text("published" if here else ""),
            )
        )

    sorted_ranges = sorted(found.ranges, key=lambda r: (order.index(r.subject), r.low, r.high))
    return Table(
        id=table_id(results, version, "rank-ranges"),
        finding=f"{len(moving) or 'None'} of {many(len(order), 'ranked version')} with several ranks between 0 and 1.",
        text=(
            of_version(results, version),
            "A row a rank: the weights ",
            Math(r"\alpha"),
            (
                " for which the version has it (= shares it). Limits are exact; a square bracket belongs to the range,"
                " a round one does not."
            ),
        ),
        columns=(
            Column("subject", "Subject", "version", sticky=True),
            Column("rank", "Rank", align="r"),
            Column("range", "Range", "exact", sortable=False),
            Column("low", "From", (Math(r"\alpha"),), "r"),
            Column("high", "To", (Math(r"\alpha"),), "r"),
            Column("here", "Holds for", (Math(r"\alpha"), f" {weight_text(published)}"), sortable=False),
        ),
        groups=(RowGroup("", tuple(map(row, sorted_ranges))),),
        downloads=(("CSV", f"{FILES}/sensitivity.csv"),),
        empty="No version is ranked.",
        compact=True,
    )


def crossings(results: BenchmarkResults, version: VersionResults) -> Table:
    """The weights at which two ranked versions have the same composite."""
    by_id = {s.id: s for s in version.subjects}
    found = version.sensitivity.crossings

    def row(c: Crossing) -> Row:
        return Row(
            (
                Num(c.alpha),
                Code(str(c.alpha)),
                named(results, by_id[c.a]),
                named(results, by_id[c.b]),
                Num(c.q_final, metric("q_final").decimals),
            )
        )

    return Table(
        id=table_id(results, version, "crossings"),
        finding=f"Ranked versions meet {_times(len(found))}.",
        text=(of_version(results, version), "Where two versions have the same composite, exactly, and what it is."),
        columns=(
            Column("alpha", "α", align="r", sticky=True),
            Column("exact", "Exact", sortable=False),
            Column("a", "One", "version"),
            Column("b", "Other", "version"),
            Column.of(metric("q_final")),
        ),
        groups=(RowGroup("", tuple(map(row, found))),),
        empty="No two ranked versions have the same composite at one weight alone: the order never changes.",
        compact=True,
    )


def stops(version: VersionResults) -> str:
    """The weights at which the order changes, for the marks of a slider."""
    return " ".join(dict.fromkeys(fixed(c.alpha) for c in version.sensitivity.crossings))


def published_weight(results: BenchmarkResults) -> str:
    """The weight of this build, as the slider shows it."""
    return weight_text(results.settings.fraction("alpha"))


def _times(n: int) -> str:
    return {0: "nowhere", 1: "once", 2: "twice"}.get(n, f"{n:,} times")


def _range_words(r: RankRange) -> str:
    if r.low == r.high:
        return rf"\alpha = {_ratio(r.low)}"
    left, right = "[" if r.low_in else "(", "]" if r.high_in else ")"
    return rf"\alpha \in {left} {_ratio(r.low)}, {_ratio(r.high)} {right}"


def _ratio(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value)
    return rf"\tfrac{{{value.numerator}}}{{{value.denominator}}}"
