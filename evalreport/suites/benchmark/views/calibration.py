"""Calibration as tables: the numbers of every subject version, and the bins of one."""

from __future__ import annotations

from fractions import Fraction

from evalreport.core.exact import Undefined, fixed
from evalreport.core.interval_cells import common_scale, interval_cell
from evalreport.core.table import Badge, Cell, Column, Count, Missing, Num, Row, RowGroup, Table, Text
from evalreport.core.words import many
from evalreport.suites.benchmark.figure_words import span
from evalreport.suites.benchmark.results import BenchmarkResults, Bin, Subject, VersionResults
from evalreport.suites.benchmark.views.cells import (
    FILES,
    bin_address,
    count,
    labelled,
    level,
    metric,
    named,
    number,
    of_version,
    table_id,
    usual_labels,
)

PARTS = ("brier_reliability", "brier_resolution", "brier_uncertainty")
EMPTY_BIN = "empty bin: not drawn, contributes nothing"


def calibration(results: BenchmarkResults, version: VersionResults) -> Table:
    """Calibration error beside what chance gives, the signed gap, and what the Brier score is made of."""
    subjects = version.leaderboard
    usual = usual_labels(subjects, ("ece", "soft_brier"))
    ends = common_scale((s.values["signed_gap"] for s in subjects), (s.intervals.get("signed_gap") for s in subjects))
    scored = [s for s in subjects if s.n]
    over = sum(_sign(s) > 0 for s in scored)
    under = sum(_sign(s) < 0 for s in scored)

    def row(s: Subject) -> Row:
        cells: list[Cell] = [
            named(results, s),
            number(results, s, "ece", usual_label=usual["ece"]),
            _band(s),
            _place(s),
            number(results, s, "signed_gap", signed=True),
            interval_cell(s.values["signed_gap"], s.intervals.get("signed_gap"), ends),
            number(results, s, "max_bin_gap"),
            number(results, s, "soft_brier", usual_label=usual["soft_brier"]),
            *(number(results, s, key) for key in PARTS),
            count(results, s, "n_runs"),
        ]
        return Row(tuple(cells))

    return Table(
        id=table_id(results, version, "calibration"),
        finding=f"Of {many(len(scored), 'version')}, {over} {'is' if over == 1 else 'are'} overconfident on average,"
        f" {under} underconfident.",
        text=(
            of_version(results, version),
            (
                "Null band: the middle 90 % of the calibration errors that a perfectly calibrated subject with the same"
                " confidences would get by chance. Gap: mean confidence minus mean correctness, with its"
                f" {level(results)} interval over cases. Brier = reliability − resolution + uncertainty, exactly."
            ),
        ),
        columns=(
            Column("subject", "Subject", "version", sticky=True),
            labelled("ece", usual["ece"], strong=True),
            Column("band", "Null band", "5–95 %", "r", sortable=False),
            Column("place", "Against band"),
            Column.of(metric("signed_gap"), sub="signed"),
            Column("interval", f"{level(results)} interval"),
            Column.of(metric("max_bin_gap")),
            labelled("soft_brier", usual["soft_brier"]),
            *(Column.of(metric(key)) for key in PARTS),
            Column.of(metric("n_runs")),
        ),
        groups=(RowGroup("", tuple(map(row, subjects))),),
        downloads=(("bins, CSV", f"{FILES}/calibration_bins.csv"),),
        empty="No response has been scored yet.",
        wide=True,
    )


def bins(results: BenchmarkResults, subject: Subject) -> Table:
    """The numbers of the reliability diagram of one subject version."""
    used = [b for b in subject.bins if b.n]
    ends = Fraction(0), Fraction(1)

    def row(b: Bin) -> Row:
        name = Text(span(b))
        size = Count(b.n, href=bin_address(results, subject, b.number, "n"))
        if not b.n:
            return Row((name, size, *(Missing(EMPTY_BIN) for _ in range(4))))
        cells = (
            Num(b.confidence, href=bin_address(results, subject, b.number, "confidence")),
            Num(b.correctness, href=bin_address(results, subject, b.number, "correctness")),
            interval_cell(b.correctness, b.interval, ends),
            Num(b.gap, signed=True),
        )
        return Row((name, size, *cells))

    columns = (
        Column("bin", "Bin", "%", sticky=True, sortable=False),
        Column.of(metric("bin.n"), sub="runs"),
        Column.of(metric("bin.confidence"), sub="mean"),
        Column.of(metric("bin.correctness"), sub="mean"),
        Column("interval", f"Wilson {level(results)}"),
        Column("gap", "Gap", "signed", "r"),
    )
    return Table(
        id=table_id(results, subject, "bins", *subject.id),
        finding=f"{len(used)} of {len(subject.bins)} bins hold runs.",
        text="Decided on the whole percent; the last bin holds 100. A dash: an empty bin contributes nothing.",
        columns=columns,
        groups=(RowGroup("", tuple(map(row, subject.bins)) if used else ()),),
        empty="There is nothing to show yet: no runs are scored.",
        compact=True,
        wide=True,
    )


def _sign(s: Subject) -> int:
    gap = s.values["signed_gap"]
    return 0 if isinstance(gap, Undefined) else (gap > 0) - (gap < 0)


def _band(s: Subject) -> Cell:
    if s.null is None:
        return Missing("no scored runs")
    return Text(f"{fixed(s.null.low, 2)} to {fixed(s.null.high, 2)}")


def _place(s: Subject) -> Badge:
    match s.null.place(s.values["ece"]) if s.null else "undefined":
        case "above":
            return Badge("alert", "above null band", "further off than luck explains")
        case "inside":
            return Badge("plain", "within null band", "no larger than luck alone would make it")
        case "below":
            return Badge("plain", "below null band", "smaller than luck alone would make it")
        case _:
            return Badge("dashed", "no data", "no scored runs")
