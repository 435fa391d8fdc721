"""The figures of debates: results in, words, data and drawing function out. Loaded by notebooks only."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from evalreport.charts import bars, grid, lines, rows
from evalreport.charts.figure import Canvas, Figure
from evalreport.core.exact import Undefined, Value, csv_text, fixed, number_of
from evalreport.core.suite import CsvTable
from evalreport.core.words import decimal, limits, limits_text, many, percent, printed
from evalreport.suites.debate.records import DIMENSIONS
from evalreport.suites.debate.results import CaseResult, DebateResults, SystemResult
from evalreport.suites.debate.sensitivity import Sensitivity
from evalreport.suites.debate.views.cases import UNNAMED, fail_words, single_words
from evalreport.suites.debate.views.cells import SHORT, at_least, short_score, table_id
from evalreport.suites.debate.views.outcome import compared, lift_words, ordered, outcome_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

UPRIGHT = 30  # with more cases than this the dimensions are the rows
_PARTS = (
    bars.Part("fails", "alert"),
    bars.Part("passes", "data"),
    bars.Part("manual review", "hatch", "review"),
)
_SIGNS = {"pass": "", "fail": "fails", "manual_review": "review"}
_WHAT = {
    "per_dimension_pass": "threshold of every dimension of a case",
    "overall_case_pass": "threshold of the mean of a case",
}


def case_means(results: DebateResults) -> Figure:
    """The mean of every scoreable case, a row for each system, with the threshold."""
    found = ordered(results)
    dot_rows = [
        rows.DotRow(
            s.system,
            tuple(float(number_of(c.assessment.mean)) for c in s.scoreable),
            f"{s.passing} of {len(s.scoreable)}",
        )
        for s in found
    ]
    least = results.thresholds.overall_case_pass
    scale = rows.Scale(
        "mean of a case over the dimensions that apply",
        threshold=float(least),
        threshold_label=f"at least {at_least(least)}",
    )
    return Figure(
        id=table_id("case-means"),
        finding=outcome_words(results),
        text=(
            "A dot a scoreable case; orange and hollow: its mean is below the threshold. A case may fail on one"
            " dimension alone. Right: cases that pass, of the scoreable ones. Cases for manual review are not drawn."
        ),
        alt=f"{outcome_words(results)} " + "; ".join(f"{s.system} {s.passing} of {len(s.scoreable)}" for s in found),
        data=CsvTable(
            "case-means",
            ("system", "case_id", "mean", "status"),
            tuple((s.system, c.case.case_id, csv_text(c.assessment.mean), c.assessment.status)
                  for s in found for c in s.scoreable),
        ),
        settings=_thresholds(results),
        names=tuple(s.system for s in found),
        draw=lambda canvas: rows.dots(canvas, dot_rows, scale, text_title="pass"),
    )  # fmt: skip


def lift(results: DebateResults) -> Figure:
    """The lift of every system over its baseline with its interval, and the least lift that is enough."""
    found = compared(results)
    forest_rows = [
        rows.ForestRow(
            name=s.system,
            value=None if isinstance(s.lift.value, Undefined) else float(s.lift.value),
            text=printed(s.lift.value),
            n=len(s.lift.differences),
            interval=limits(s.lift.interval),
            tone="alert" if not isinstance(s.lift.passes, Undefined) and not s.lift.passes else "data",
            note=s.lift.value.reason if isinstance(s.lift.value, Undefined) else "",
        )
        for s in found
    ]
    least = results.min_lift
    drawn = [float(x) for s in found for x in (limits(s.lift.interval) or ())] + [0.0, float(least)]
    low, high = (-1.0 if min(drawn) < -0.5 else -0.5 if min(drawn) < 0 else 0.0), (1.0 if max(drawn) > 0.5 else 0.5)
    scale = rows.Scale(
        f"lift over the baseline; line: {percent(results.level)} interval",
        low, high, tuple(low + (high - low) * k / 4 for k in range(5)), float(least), f"at least {at_least(least)}",
    )  # fmt: skip
    return Figure(
        id=table_id("over-baseline"),
        finding=lift_words(results),
        text=(
            "Mean difference of case means, system minus baseline, over the cases scoreable in both; the interval draws"
            " these cases anew. Orange diamond: below the least lift. n: cases in both."
        ),
        alt=f"{lift_words(results)} " + "; ".join(f"{s.system} {printed(s.lift.value)}" for s in found),
        data=CsvTable(
            "lift",
            ("system", "baseline", "lift", "low", "high", "cases"),
            tuple((s.system, s.baseline or "", csv_text(s.lift.value), *limits_text(s.lift.interval),
                   str(len(s.lift.differences))) for s in found),
        ),
        settings={"min_lift": decimal(least), "level": decimal(results.level)},
        names=tuple(s.system for s in found),
        draw=lambda canvas: rows.forest(canvas, forest_rows, scale, value_title="lift"),
    )  # fmt: skip


def scores(results: DebateResults, s: SystemResult) -> Figure:
    """Six dimensions of every case; N/A is hatched and not a zero, a frame is below the threshold."""
    low = results.thresholds.per_dimension_pass
    names = tuple(c.case.case_id for c in s.cases)
    upright = len(names) <= UPRIGHT
    cells = {}
    for c in s.cases:
        for short, value in zip(SHORT, c.assessment.scores, strict=True):
            at = (c.case.case_id, short) if upright else (short, c.case.case_id)
            cells[at] = _cell(value, low)
    marks = {c.case.case_id: _SIGNS[c.assessment.status] for c in s.cases}
    ways = "one row a case" if upright else "one column a case"

    def draw(canvas: Canvas) -> Drawing:
        if upright:
            return grid.heatmap(canvas, names, SHORT, cells, marks=marks, mark_title="case")
        return grid.heatmap(canvas, SHORT, names, cells)

    finding = f"{fail_words(s)}{single_words(results, s)}"
    return Figure(
        id=table_id("heatmap", s.system),
        finding=finding,
        text=(
            f"Dimensions of {s.system}, {ways}. Strong: 1, faint: 0. Orange frame: below {at_least(low)}, which itself"
            " passes. Hatched: N/A, which is no zero and enters no mean. Review: fewer than four dimensions apply."
        ),
        alt=f"Table of shaded cells, {many(len(names), 'case')} by {len(SHORT)} dimensions. {finding}",
        data=CsvTable(
            "scores",
            ("case_id", *DIMENSIONS.values(), "mean", "status"),
            tuple((c.case.case_id, *(csv_text(x) for x in c.assessment.scores), csv_text(c.assessment.mean),
                   c.assessment.status) for c in s.cases),
        ),
        settings=_thresholds(results) | {"system": s.system},
        names=(*SHORT, *names),
        draw=draw,
    )  # fmt: skip


def means(results: DebateResults) -> Figure:
    """The mean of every case in every system."""
    found = ordered(results)
    by_case: dict[tuple[str, str], CaseResult] = {(s.system, c.case.case_id): c for s in found for c in s.cases}
    cases = tuple(sorted({case for _, case in by_case}))
    low = results.thresholds.overall_case_pass
    cells = {
        (case, s.system): _cell(by_case[s.system, case].assessment.mean, low)
        if (s.system, case) in by_case
        else grid.Cell(None)
        for s in found
        for case in cases
    }
    finding = f"{many(len(cases), 'case')} by {many(len(found), 'system')}."
    return Figure(
        id=table_id("case-by-system"),
        finding=f"{_below(found, low)} of {many(len(by_case), 'case mean')} lie below {at_least(low)}.",
        text="Mean over the dimensions that apply, one row a case, one column a system. Orange frame: below the"
        " threshold. Hatched: not run, or no dimension applies.",
        alt=f"Table of shaded cells, {finding}",
        data=CsvTable(
            "means",
            ("case_id", "system", "mean", "status"),
            tuple((case, s.system, csv_text(c.assessment.mean), c.assessment.status)
                  for case in cases for s in found if (c := by_case.get((s.system, case)))),
        ),
        settings=_thresholds(results),
        names=(*cases, *(s.system for s in found)),
        draw=lambda canvas: grid.heatmap(canvas, cases, [s.system for s in found], cells),
    )  # fmt: skip


def _below(found: tuple[SystemResult, ...], low: Fraction) -> int:
    means = [c.assessment.mean for s in found for c in s.cases]
    return sum(1 for m in means if not isinstance(m, Undefined) and m < low)


def groups(s: SystemResult) -> Figure:
    """Failing, passing and unscored cases of a system by category."""
    found = [g for g in s.groups if g.kind == "category"]
    bar_rows = [
        bars.BarRow(
            g.name or UNNAMED,
            (g.scoreable - g.passing, g.passing, g.manual_review),
            f"{g.passing} of {g.scoreable}",
            rest="",
        )
        for g in found
    ]
    most = max((g.cases for g in found), default=0)
    worst = max(found, key=lambda g: (g.scoreable - g.passing, g.name), default=None)
    finding = (
        f"{worst.name or UNNAMED} has the most failing cases, {worst.scoreable - worst.passing} of {worst.scoreable}."
        if worst and worst.passing < worst.scoreable
        else "No scoreable case fails."
    )
    return Figure(
        id=table_id("categories", s.system),
        finding=finding,
        text="Cases by category. Right: cases that pass, of the scoreable ones. Counts, not rates: so few cases cannot"
        " carry a percentage.",
        alt=f"{finding} " + "; ".join(f"{g.name or UNNAMED}: {g.passing} of {g.scoreable} pass" for g in found) + ".",
        data=CsvTable(
            "categories",
            ("category", "cases", "scoreable", "passing", "manual_review"),
            tuple((g.name, str(g.cases), str(g.scoreable), str(g.passing), str(g.manual_review)) for g in found),
        ),
        settings={"system": s.system},
        names=tuple(g.name or UNNAMED for g in found),
        draw=lambda canvas: bars.stacked_bars(canvas, bar_rows, _PARTS, total=most, unit="cases", label="cases"),
    )


def threshold(results: DebateResults, name: str) -> Figure:
    """The passing fraction of every system for every value of one threshold, and the fraction that is needed."""
    found = [(s, x) for s in ordered(results) for x in s.sensitivities if x.threshold == name]
    needed = results.thresholds.benchmark_pass_fraction
    actual = getattr(results.thresholds, name)
    series = [lines.Series(s.system, _curve(x, len(s.scoreable))) for s, x in found]
    need_name = f"needed: {at_least(needed)}"
    series.append(lines.Series(need_name, ((0.0, float(needed)), (1.0, float(needed)))))
    moved = [s.system for s, x in found if len({step.passes for step in x.steps}) > 1]
    finding = (
        f"The outcome of {len(moved)} of {many(len(found), 'system')} depends on the {_WHAT[name]}."
        if found
        else "No system has a scoreable case."
    )
    return Figure(
        id=table_id(f"threshold-{name.replace('_', '-')}"),
        finding=finding,
        text=f"Passing fraction of each system if the {_WHAT[name]} were another, the other two held. The vertical line"
        " is the one in force. Exact: a line steps down behind the value of a case."
        + (" The benchmark mean must reach this threshold too." if name == "overall_case_pass" else ""),
        alt=f"{finding} In force: {at_least(actual)}. "
        + "; ".join(f"{s.system} {printed(s.passing_fraction)}" for s, _ in found),
        data=CsvTable(
            "threshold",
            ("system", "above", "up_to", "passing", "scoreable", "benchmark_passes"),
            tuple((s.system, fixed(step.above), fixed(step.up_to), str(step.passing), str(len(s.scoreable)),
                   str(step.passes)) for s, x in found for step in x.steps),
        ),
        settings=_thresholds(results) | {"threshold": name},
        names=(*(s.system for s, _ in found), need_name),
        draw=lambda canvas: lines.sensitivity(
            canvas, series if found else [], x_label=_WHAT[name], y_label="passing fraction", x_range=(0.0, 1.0),
            y_range=(0.0, 1.0), published=(float(actual), f"in force: {at_least(actual)}"),
        ),
    )  # fmt: skip


def _curve(x: Sensitivity, n: int) -> tuple[tuple[float, float], ...]:
    """The steps as the corners of a line."""
    return tuple(
        (float(at), step.passing / n) for step in x.steps if step.above < step.up_to for at in (step.above, step.up_to)
    )


def _cell(value: Value, low: Fraction) -> grid.Cell:
    if isinstance(value, Undefined):
        return grid.Cell(None)
    return grid.Cell(float(value), short_score(value), framed=value < low)


def _thresholds(results: DebateResults) -> dict[str, str]:
    found = results.thresholds
    return {
        "per_dimension_pass": decimal(found.per_dimension_pass),
        "overall_case_pass": decimal(found.overall_case_pass),
        "benchmark_pass_fraction": decimal(found.benchmark_pass_fraction),
        "rubric_sha256": results.rubric.sha256 or "",
    }
