"""Who stands where: the headline, the leaderboard, the same over common cases, and the pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from evalreport.core.exact import Undefined
from evalreport.core.interval_cells import common_scale, interval_cell
from evalreport.core.paired import POWER
from evalreport.core.table import Cell, Column, Missing, Num, Piece, Rank, Row, RowGroup, Strong, Sub, Table, Text
from evalreport.core.words import decimal, many, percent
from evalreport.suites.benchmark.figure_words import leader_words, names_of
from evalreport.suites.benchmark.results import BenchmarkResults, CommonRow, Difference, Pair, Subject, VersionResults
from evalreport.suites.benchmark.views.cells import (
    FILES,
    address,
    alpha_words,
    count,
    labelled,
    level,
    metric,
    named,
    number,
    of_version,
    pair_address,
    standing,
    table_id,
    tested_address,
    usual_labels,
)
from evalreport.suites.benchmark.views.prose import tested_pairs

LABELLED = ("pass_rate", "mean_clipped_score", "soft_brier", "ece")
NOTE: tuple[Piece, ...] = (
    Strong("="), " shares its rank. ", Strong("↑ ↓"), (" which way is better. A dash means “no value”, never 0. Every"
    " number leads to its audit line: the formula, the numbers put in, the records."),
)  # fmt: skip
_UNRANKED = "Not ranked"
Make = Callable[[Subject], Cell]


def headline(results: BenchmarkResults) -> Table:
    """The table of the book's start page: ranks, composite, the numbers behind it, safety."""
    groups: list[RowGroup] = []
    ends = _ends(s for v in results.versions for s in v.subjects)
    usual = usual_labels([s for v in results.versions for s in v.subjects], LABELLED)
    columns = _columns(results, ends, usual)
    shown = [
        columns[key] for key in ("rank", "subject", "q_final", "interval", *LABELLED, "n_critical_fails", "status")
    ]
    for version in results.versions:
        groups += _groups(results, version, [make for _, make in shown])
    return Table(
        id="benchmark-headline",
        finding=" ".join(leader_words(v.leaderboard, names_of(s.id for s in v.subjects)) for v in results.versions),
        text=(_scored(results), " ", *_composite(results), "."),
        columns=tuple(column for column, _ in shown),
        groups=tuple(groups),
        note=NOTE,
        empty="No response has been scored yet.",
        wide=True,
    )


def leaderboard(results: BenchmarkResults, version: VersionResults) -> Table:
    """Every subject version with every headline number, ranked ones first."""
    subjects = version.leaderboard
    usual = usual_labels(subjects, LABELLED)
    columns = _columns(results, _ends(subjects), usual)
    shown = list(columns.values())
    ranked = sum(s.rank is not None for s in subjects)
    return Table(
        id=table_id(results, version, "leaderboard"),
        finding=f"{many(len(subjects), 'subject version')}, {ranked} ranked.",
        text=(
            of_version(results, version),
            *_composite(results),
            (f", with {level(results)} percentile bootstrap intervals over cases. Words below a head or a number say"
             " what so many runs can carry."),
        ),
        columns=tuple(column for column, _ in shown),
        groups=_groups(results, version, [make for _, make in shown]),
        note=NOTE,
        downloads=(("CSV", f"{FILES}/leaderboard.csv"), ("all numbers, CSV", f"{FILES}/metrics_per_subject.csv"),
                   ("JSON", f"{FILES}/results.json")),
        empty="No response has been scored yet.",
        explore="q_final" if ranked > 1 else "",
        wide=True,
    )  # fmt: skip


def open_ranks(results: BenchmarkResults, version: VersionResults) -> Table:
    """Which ranks the cases leave open for each ranked version, and which versions tie."""
    ranked = [s for s in version.leaderboard if s.rank is not None]
    columns = _columns(results, _ends(ranked), usual_labels(ranked, LABELLED))
    groups = len({s.values["tie_group"] for s in ranked})
    shown: list[tuple[Column, Make]] = [
        *(columns[key] for key in ("rank", "subject")),
        (Column("ranks", "Ranks", "open", "r", sortable=False), lambda s: _ranks(results, s)),
        (Column.of(metric("tie_group")), lambda s: count(results, s, "tie_group")),
        columns["q_final"],
    ]
    return Table(
        id=table_id(results, version, "open-ranks"),
        finding=f"{many(len(ranked), 'ranked version')}, {many(groups, 'tie group')}.",
        text=(
            of_version(results, version),
            (
                "Open: not ruled out by differences in the composite over common cases, p corrected after Holm"
                f" over {many(tested_pairs(version), 'pair')}. In a tie group nobody is proven worse than its best."
            ),
        ),
        columns=tuple(column for column, _ in shown),
        groups=(RowGroup("", tuple(Row(tuple(make(s) for _, make in shown)) for s in ranked)),),
        downloads=(("CSV", f"{FILES}/leaderboard.csv"),),
        empty="No version is ranked.",
        compact=True,
    )


def common_cases(results: BenchmarkResults, version: VersionResults) -> Table:
    """The subject versions with scored runs over the cases that all of them have in common."""
    view = version.common
    by_id = {s.id: s for s in version.subjects}
    shown = ("q_final", "pass_rate", "mean_clipped_score", "soft_brier", "ece", "signed_gap", "n_runs")
    ranks = [r.rank for r in view.rows]

    def row(r: CommonRow) -> Row:
        subject = by_id[r.subject]
        reason = "disqualified" if subject.status == "Disqualified" else "no common case"
        first = (Rank(r.rank, tied=r.rank is not None and ranks.count(r.rank) > 1, reason=reason),)
        cells = (Num(r.values[key], metric(key).decimals, signed=key == "signed_gap") for key in shown)
        return Row((*first, named(results, subject), *cells, standing(subject)))

    ranked = tuple(row(r) for r in view.rows if r.rank is not None)
    others = tuple(row(r) for r in view.rows if r.rank is None)
    return Table(
        id=table_id(results, version, "common-cases"),
        finding=f"{many(len(view.cases), 'case')} common to all {len(view.rows)} versions with scored runs.",
        text=(
            of_version(results, version),
            (
                "Here incomplete versions have a rank too, because all stand on equal ground. These numbers are a view"
                " on the same runs; the published ones are in the table above. Disqualified versions have no rank."
            ),
        ),
        columns=(
            Column("rank", "Rank", align="r"),
            Column("subject", "Subject", "version", sticky=True),
            *(Column.of(metric(key), strong=key == "q_final") for key in shown),
            Column("status", "Status"),
        ),
        groups=(RowGroup("", ranked), RowGroup(_UNRANKED, others, muted=True)),
        downloads=(("CSV", f"{FILES}/common_cases.csv"),),
        empty="No version has scored runs.",
        wide=True,
    )


def pairs(results: BenchmarkResults, version: VersionResults) -> Table:
    """Every two subject versions over their common cases: the differences, their interval, corrected p."""
    by_id = {s.id: s for s in version.subjects}
    chosen = results.settings.fraction("level")
    place = {s.id: at for at, s in enumerate(version.leaderboard)}
    found = sorted(version.pairs, key=lambda p: sorted((place[p.a], place[p.b])))
    q = [p.differences["q_final"] for p in found]
    ends = common_scale((d.value for d in q), (d.interval for d in q))
    clear = sum(d.proven(chosen) for d in q)

    def row(p: Pair) -> Row:
        d = p.differences
        cells: list[Cell] = [named(results, by_id[p.a]), named(results, by_id[p.b]), Num(len(p.cases), 0)]
        for key, one in d.items():
            cells.append(Num(one.value, metric(f"pair.{key}").decimals, pair_address(results, p, key), signed=True))
            if key == "q_final":
                cells.append(interval_cell(one.value, one.interval, ends, hollow=not one.proven(chosen)))
            cells.append(_corrected(one, tested_address(results, p, key)))
        reach = Num(d["q_final"].detectable, metric("pair.detectable").decimals, tested_address(results, p, "q_final"))
        return Row((*cells, reach))

    return Table(
        id=table_id(results, version, "pairs"),
        finding=f"{clear} of {many(len(found), 'pair')} {'differs' if clear == 1 else 'differ'} in the composite by"
        " more than the choice of cases explains.",
        text=(
            of_version(results, version),
            (
                f"First minus second over their common cases, {level(results)} paired bootstrap intervals; p corrected"
                f" after Holm over all pairs of a column. Hollow: p is above {decimal(1 - chosen)}. Finds: the"
                f" true difference in the composite that these cases find in {percent(POWER)} of repetitions."
            ),
        ),
        columns=(
            Column("a", "First", "version", sticky=True),
            Column("b", "Second", "version"),
            Column("cases", "n", "cases", align="r"),
            Column("pair.q_final", ("Δ Q", Sub("final")), "composite", "r", strong=True),
            Column("interval", f"{level(results)} interval"),
            Column("p_q", "p", "Holm", align="r", better="lower"),
            Column.of(metric("pair.pass_rate"), sub="pass rate"),
            Column("p_p", "p", "Holm", align="r", better="lower"),
            Column.of(metric("pair.mean_clipped_score"), sub="of 12"),
            Column("p_s", "p", "Holm", align="r", better="lower"),
            Column.of(metric("pair.detectable"), sub="composite"),
        ),
        groups=(RowGroup("", tuple(map(row, found))),),
        downloads=(("CSV", f"{FILES}/pairs.csv"),),
        empty="There is no pair to compare.",
        wide=True,
    )


def _corrected(difference: Difference, href: str) -> Cell:
    reason = difference.interval.note or "no interval"
    return Missing(reason) if difference.adjusted is None else Num(difference.adjusted, 4, href)


def _columns(
    results: BenchmarkResults, ends: tuple[Fraction, Fraction], usual: dict[str, str]
) -> dict[str, tuple[Column, Make]]:
    ranks = {v.benchmark_version: [s.rank for s in v.subjects] for v in results.versions}

    def rank(s: Subject) -> Cell:
        value = s.values["rank"]
        reason = value.reason if isinstance(value, Undefined) else ""
        return Rank(s.rank, tied=s.rank is not None and ranks[s.benchmark_version].count(s.rank) > 1, reason=reason)

    def interval(s: Subject) -> Cell:
        return interval_cell(s.values["q_final"], s.intervals.get("q_final"), ends, hollow=s.rank is None)

    def plain(key: str) -> Make:
        return lambda s: number(results, s, key, signed=key == "signed_gap", usual_label=usual.get(key))

    return {
        "rank": (Column("rank", "Rank", align="r"), rank),
        "subject": (Column("subject", "Subject", "version", sticky=True), lambda s: named(results, s)),
        "q_final": (_q_column(results), plain("q_final")),
        "interval": (Column("interval", f"{level(results)} interval"), interval),
        **{key: (labelled(key, usual[key]), plain(key)) for key in LABELLED},
        "signed_gap": (Column.of(metric("signed_gap"), sub="signed"), plain("signed_gap")),
        "n_runs": (Column.of(metric("n_runs")), lambda s: count(results, s, "n_runs")),
        "n_unscored": (
            Column("n_unscored", "Unscored", "", "r", title=metric("n_unscored").name),
            lambda s: count(results, s, "n_unscored"),
        ),
        "n_critical_fails": (
            Column.of(metric("n_critical_fails")),
            lambda s: count(results, s, "n_critical_fails", alert=True),
        ),
        "status": (Column("status", "Status"), standing),
    }


def _ranks(results: BenchmarkResults, s: Subject) -> Cell:
    low, high = s.values["rank_low"], s.values["rank_high"]
    if isinstance(low, Undefined):
        return Missing(low.reason)
    return Text(str(low) if low == high else f"{low}–{high}", href=address(results, s, "rank_low"))


def _q_column(results: BenchmarkResults) -> Column:
    known = metric("q_final")
    return Column(known.key.removeprefix("benchmark."), ("Q", Sub("final")), alpha_words(results), "r", known.better,
                  known.name, known.decimals, strong=True)  # fmt: skip


def _groups(results: BenchmarkResults, version: VersionResults, makes: Sequence[Make]) -> tuple[RowGroup, ...]:
    """Ranked rows, then the others; the benchmark version is named where there are several."""
    blends = version.sensitivity
    ranked, others = [], []
    for s in version.leaderboard:
        cells = tuple(make(s) for make in makes)
        if s.rank is None:
            others.append(Row(cells))
        else:
            ranked.append(Row(cells, blend=(blends.at_one[s.id], blends.at_zero[s.id])))
    name = f"Benchmark {version.benchmark_version}" if results.several_versions else ""
    unranked = f"{name}: not ranked" if name else _UNRANKED
    return RowGroup(name, tuple(ranked)), RowGroup(unranked, tuple(others), muted=True)


def _ends(subjects: Iterable[Subject]) -> tuple[Fraction, Fraction]:
    found = list(subjects)
    return common_scale((s.values["q_final"] for s in found), (s.intervals.get("q_final") for s in found))


def _composite(results: BenchmarkResults) -> tuple[Piece, ...]:
    weight = alpha_words(results)
    return ("Q", Sub("final"), " at ", *(weight if isinstance(weight, tuple) else (weight,)))


def _scored(results: BenchmarkResults) -> str:
    """How much was scored, over all benchmark versions."""
    parts = []
    for v in results.versions:
        runs = sum(s.n for s in v.subjects)
        where = f" of benchmark {v.benchmark_version}" if results.several_versions else ""
        parts.append(f"{many(runs, 'scored run')} on {many(len(v.cases), 'case')}{where}")
    return f"{'; '.join(parts)}."
