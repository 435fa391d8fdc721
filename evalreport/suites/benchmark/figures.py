"""The figures of the leaderboard: results in, words, data and drawing function out. Loaded by notebooks only."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from evalreport.charts import grid, ranks, rows
from evalreport.charts.figure import Figure
from evalreport.core.exact import Undefined, csv_text, fixed
from evalreport.core.suite import CsvTable
from evalreport.core.words import decimal, limits, limits_text, many, percent, printed
from evalreport.suites.benchmark.figure_words import figure_id, leader_words, names_of, settings_text
from evalreport.suites.benchmark.metrics import FULL_SCORE
from evalreport.suites.benchmark.results import (
    BenchmarkResults,
    Difference,
    Family,
    Subject,
    SubjectId,
    VersionResults,
)

IN_WORDS = 10  # how many of the first rows the alternative text reads out
MOST_LINES = 40  # more lines of ranks than this cannot be followed
_NOT_RANKED = "Not ranked"
_CALLED = {"q_final": "composite", "pass_rate": "pass rate", "mean_clipped_score": "mean score / 12"}


def leaderboard(results: BenchmarkResults, version: VersionResults) -> Figure:
    """The composite of every subject version with its interval; who is not ranked stands below, in grey."""
    subjects = version.leaderboard
    names = names_of(s.id for s in subjects)
    level, alpha = percent(results.settings.fraction("level")), results.settings.fraction("alpha")
    tied = {s.rank for s in subjects if [t.rank for t in subjects].count(s.rank) > 1}
    forest_rows = [_forest_row(s, names[s.id], tied) for s in subjects]
    scale = rows.Scale(rf"composite $Q_{{\mathrm{{final}}}}$, 0 to 1; line: {level} interval")
    return Figure(
        id=figure_id(results, version.benchmark_version, "leaderboard"),
        finding=leader_words(subjects, names),
        text=(
            f"Composite at α = {decimal(alpha)} with its {level} interval over cases, in order of rank; n: scored runs."
            " Hollow, grey: not ranked, because of a critical fail or missing cases."
        ),
        alt=" ".join(
            (
                leader_words(subjects, names),
                "; ".join(f"{names[s.id]} {printed(s.values['q_final'])}" for s in subjects[:IN_WORDS]),
            )
        ),
        data=CsvTable(
            "leaderboard",
            ("subject_id", "subject_version", "status", "rank", "q_final", "low", "high", "n"),
            tuple(
                (*s.id, s.status, "" if s.rank is None else str(s.rank), csv_text(s.values["q_final"]),
                 *limits_text(s.intervals.get("q_final")), str(s.n))
                for s in subjects
            ),
        ),
        settings=settings_text(results, "alpha", "level", "resamples", "seed"),
        names=tuple(names.values()),
        draw=lambda canvas: rows.forest(canvas, forest_rows, scale, value_title="Q"),
    )  # fmt: skip


def rank_alpha(results: BenchmarkResults, version: VersionResults) -> Figure:
    """Ranks of the ranked versions over every weight alpha, with the published one marked."""
    alpha = results.settings.fraction("alpha")
    found = version.sensitivity
    ordered = [s.id for s in version.leaderboard if s.rank is not None]
    shown = ordered[:MOST_LINES]
    names = names_of(s.id for s in version.subjects)
    weighted = [ranks.Weighted(names[s], found.at_zero[s], found.at_one[s]) for s in shown]
    moved = {s for s in ordered if len({r.rank for r in found.ranges if r.subject == s and r.low < r.high}) > 1}
    verb = "changes" if len(moved) == 1 else "change"
    finding = (
        f"{len(moved)} of {many(len(ordered), 'ranked version')} {verb} rank somewhere between α = 0 and α = 1."
        if moved
        else "No ranked version changes rank between α = 0 and α = 1."
        if ordered
        else "No version is ranked."
    )
    rest = f" Drawn are the {MOST_LINES} highest of {len(ordered)}." if len(ordered) > MOST_LINES else ""
    crossings = sorted({c.alpha for c in found.crossings})
    return Figure(
        id=figure_id(results, version.benchmark_version, "rank-alpha"),
        finding=finding,
        text=(
            "Rank by the composite for every weight α of the pass rate. Blue, solid: rises with α; orange, dashed:"
            " falls; black, dashed: moves and comes back; grey: never moves. Dotted: where two versions have the same"
            " composite, exactly. A tie at an end of the axis alone is drawn in the order just inside. The vertical"
            f" line is the published α.{rest}"
        ),
        alt=f"{finding} Ranks at α = {fixed(alpha, 2)}: " + ", ".join(names[s] for s in shown[:IN_WORDS]) + ".",
        data=CsvTable(
            "rank-alpha",
            ("subject_id", "subject_version", "q_final_alpha_0", "q_final_alpha_1", "rank_published"),
            tuple(
                (*s, csv_text(found.at_zero[s]), csv_text(found.at_one[s]), str(_rank_of(version, s))) for s in shown
            ),
        ),
        settings=settings_text(results, "alpha") | {"crossings": ", ".join(str(c) for c in crossings)},
        names=tuple(names[s] for s in shown),
        draw=lambda canvas: ranks.rank_chart(
            canvas,
            weighted,
            published=alpha,
            symbol=r"\alpha",
            low_end="mean score only" if canvas.page else "mean score",
            high_end="pass rate only" if canvas.page else "pass rate",
        ),
    )


def families(results: BenchmarkResults, version: VersionResults) -> Figure:
    """The pass rate of every subject version in every family, with n in the cells."""
    subjects = version.leaderboard
    names = names_of(s.id for s in subjects)
    columns = tuple(sorted({f.family for s in subjects for f in s.families}))
    cells = {
        (names[s.id], family): _family_cell({f.family: f for f in s.families}.get(family))
        for s in subjects
        for family in columns
    }
    rates = _rates(subjects)
    finding = (
        f"Pass rates of families run from {fixed(rates[0], 2)} to {fixed(rates[-1], 2)}."
        if rates
        else "No family has scored runs."
    )
    return Figure(
        id=figure_id(results, version.benchmark_version, "families"),
        finding=finding,
        text=(
            "Share of runs classified Pass, one row a version in the order of the leaderboard, one column a family."
            " Faint: 0, strong: 1. The small number is n, the scored runs behind the share. Hatched: no scored run."
        ),
        alt=(
            f"Table of shaded cells, {many(len(subjects), 'version')} by {many(len(columns), 'family', 'families')}."
            f" {finding}"
        ),
        data=CsvTable(
            "families",
            ("subject_id", "subject_version", "family", "pass_rate", "n"),
            tuple((*s.id, f.family, csv_text(f.values["pass_rate"]), str(f.n)) for s in subjects for f in s.families),
        ),
        settings=settings_text(results),
        names=(*names.values(), *columns),
        draw=lambda canvas: grid.heatmap(canvas, [names[s.id] for s in subjects], columns, cells),
    )


def pairs(results: BenchmarkResults, version: VersionResults, *, metric: str = "q_final") -> Figure:
    """Differences of every two subject versions over their common cases, row minus column, in points of 100."""
    subjects = [s for s in version.leaderboard if s.n]
    names = names_of(s.id for s in subjects)
    threshold = 1 - results.settings.fraction("level")
    scale = FULL_SCORE if metric == "mean_clipped_score" else 1
    cells: dict[tuple[str, str], grid.Cell] = {}
    different = 0
    compared = [(p, p.differences[metric]) for p in version.pairs if p.a in names and p.b in names]
    for pair, difference in compared:
        clear = difference.adjusted is not None and difference.adjusted < threshold
        different += clear
        for row, column, sign in ((pair.a, pair.b, 1), (pair.b, pair.a, -1)):
            cells[names[row], names[column]] = _difference_cell(difference, sign, scale, clear=clear)
    finding = (
        f"{different} of {many(len(compared), 'pair')} {'differs' if different == 1 else 'differ'} by more than the"
        " choice of cases explains."
        if compared
        else "There is no pair to compare."
    )
    return Figure(
        id=figure_id(results, version.benchmark_version, "pairs", *(part for part in (metric,) if part != "q_final")),
        finding=finding,
        text=(
            f"Difference of the {_CALLED[metric]} in points of 100, row minus column, over the cases both were scored"
            " on. Blue: the"
            f" row is ahead, orange: behind. Bold: Holm-adjusted p of the paired bootstrap below {decimal(threshold)}."
            " Hatched: no common case."
        ),
        alt=f"Matrix of {many(len(subjects), 'version')} against each other. {finding}",
        data=CsvTable(
            "pairs",
            ("subject_a", "version_a", "subject_b", "version_b", "difference", "low", "high", "p_adjusted", "n_cases"),
            tuple(
                (*p.a, *p.b, csv_text(d.value), *limits_text(d.interval),
                 "" if d.adjusted is None else csv_text(d.adjusted), str(len(p.cases)))
                for p, d in compared
            ),
        ),
        settings=settings_text(results, "alpha", "level", "resamples", "seed") | {"metric": metric},
        names=tuple(names.values()),
        draw=lambda canvas: grid.pair_matrix(
            canvas, [names[s.id] for s in subjects], cells, title="row minus column, points of 100"
        ),
    )  # fmt: skip


def _forest_row(subject: Subject, name: str, tied: set[int | None]) -> rows.ForestRow:
    value = subject.values["q_final"]
    ranked = subject.rank is not None
    note = {
        "Eligible": "",
        "Incomplete": f"{subject.n_cases} of {subject.n_cases_total} cases",
        "Disqualified": "disqualified",
        "NoData": "no scored runs",
    }[subject.status]
    return rows.ForestRow(
        name,
        None if isinstance(value, Undefined) else float(value),
        "" if isinstance(value, Undefined) else fixed(value),
        subject.n,
        limits(subject.intervals.get("q_final")),
        rank=f"{subject.rank}{'=' * (subject.rank in tied)}" if ranked else "",
        note=note,
        tone="data" if ranked else "muted",
        group="" if ranked else _NOT_RANKED,
    )


def _rank_of(version: VersionResults, subject: SubjectId) -> int | None:
    return next(s.rank for s in version.subjects if s.id == subject)


def _rates(subjects: Sequence[Subject]) -> list[Fraction]:
    values = [f.values["pass_rate"] for s in subjects for f in s.families]
    return sorted(Fraction(v) for v in values if not isinstance(v, Undefined))


def _family_cell(family: Family | None) -> grid.Cell:
    rate = family.values["pass_rate"] if family else Undefined("no scored runs")
    if family is None or isinstance(rate, Undefined):
        return grid.Cell(None)
    return grid.Cell(float(rate), fixed(rate, 2), f"n {family.n}")


def _difference_cell(difference: Difference, sign: int, scale: int, *, clear: bool) -> grid.Cell:
    value = difference.value
    if isinstance(value, Undefined):
        return grid.Cell(None)
    points = sign * Fraction(value) / scale
    whole = fixed(100 * points, 0)
    text = whole.replace("-", "−") if whole.startswith("-") or whole == "0" else f"+{whole}"
    return grid.Cell(float(points), text, strong=clear)
