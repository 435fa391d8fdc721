"""The outcome of the benchmark rule: systems, conditions with their thresholds, lift, what was flagged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from evalreport.core.exact import Undefined, Value
from evalreport.core.interval_cells import common_scale, interval_cell
from evalreport.core.table import Cell, Column, Count, Missing, Num, Row, RowGroup, Strong, Table, Text, Words
from evalreport.core.words import many, printed
from evalreport.suites.debate.pages import system_page
from evalreport.suites.debate.results import Condition, DebateResults, Flag, SystemResult
from evalreport.suites.debate.views.cells import (
    CONDITIONS,
    FILES,
    at_least,
    condition_badge,
    level,
    margin,
    metric,
    named,
    number,
    outcome_badge,
    runs_words,
    table_id,
)

MOST_NAMED = 3
NOTE: Words = (
    Strong("↑"),
    (
        " higher is better. A dash means “no value”, never 0. Every number leads to its audit line: the formula, the"
        " numbers put in, the records."
    ),
)
_FLAGS = {
    "baseline_above_cap": "baseline above its cap",
    "final_verdict_not_binary": "verdict neither 0 nor 1",
    "rubric_changed": "another rubric",
    "stated_pass_differs": "the file says otherwise",
}
_NO_FLAGS = "Caps of the baseline, verdicts, rubric and what the files say of themselves are all in order."
_KEYS = {"passing_fraction": "passing_fraction", "mean": "mean", "lift": "lift"}


def ordered(results: DebateResults) -> tuple[SystemResult, ...]:
    """Systems by passing fraction, highest first, then by mean and name; the baseline where its numbers put it."""

    def key(s: SystemResult) -> tuple[Fraction, Fraction, str]:
        return -_or_low(s.passing_fraction), -_or_low(s.mean), s.system

    return tuple(sorted(results.systems, key=key))


def _or_low(value: Value) -> Fraction:
    return Fraction(-1) if isinstance(value, Undefined) else Fraction(value)


def outcome_words(results: DebateResults) -> str:
    """With which systems the benchmark passes."""
    passing = [s.system for s in ordered(results) if not isinstance(s.passes, Undefined) and s.passes]
    if not results.systems:
        return "No system was run."
    if not passing:
        return f"The benchmark passes with none of {many(len(results.systems), 'system')}."
    if len(passing) > MOST_NAMED:
        return f"The benchmark passes with {len(passing)} of {many(len(results.systems), 'system')}."
    names = " and ".join(passing) if len(passing) < MOST_NAMED else f"{', '.join(passing[:-1])} and {passing[-1]}"
    return f"The benchmark passes with {names}, of {many(len(results.systems), 'system')}."


def headline(results: DebateResults) -> Table:
    """The table of the book's start page: cases passed, means, lift, outcome."""
    return _systems(results, "headline")


def systems(results: DebateResults) -> Table:
    """Every system with all its numbers and the outcome."""
    downloads = (
        ("CSV", f"{FILES}/debate_systems.csv"),
        ("cases, CSV", f"{FILES}/debate_cases.csv"),
        ("runs, CSV", f"{FILES}/debate_runs.csv"),
        ("JSON", f"{FILES}/results.json"),
    )
    return _systems(results, "systems", downloads=downloads)


def _systems(results: DebateResults, kind: str, downloads: tuple[tuple[str, str], ...] = ()) -> Table:
    found = ordered(results)
    ends = common_scale((s.lift.value for s in found), (s.lift.interval for s in found))
    thresholds = results.thresholds

    def row(s: SystemResult) -> Row:
        return Row(
            (
                named(s),
                Count(s.passing, len(s.scoreable)),
                number(results, s, "passing_fraction", s.passing_fraction),
                number(results, s, "mean", s.mean),
                number(results, s, "mean_all", s.mean_all),
                number(results, s, "lift", s.lift.value, signed=True),
                interval_cell(s.lift.value, s.lift.interval, ends),
                Count(len(s.manual_review)),
                Text(runs_words(s)),
                outcome_badge(s),
            )
        )

    return Table(
        id=table_id(kind),
        finding=outcome_words(results),
        text=(
            f"It passes when at least {at_least(thresholds.benchmark_pass_fraction)} of the scoreable cases pass and"
            f" their mean reaches {at_least(thresholds.overall_case_pass)}. Lift: over the baseline, on the cases"
            f" scoreable in both, with a {level(results)} percentile bootstrap interval over cases."
        ),
        columns=(
            Column("system", "System", sticky=True),
            Column("passing", "Pass", "of scoreable", "r", "higher"),
            Column.of(
                metric("passing_fraction"), sub=f"needs {at_least(thresholds.benchmark_pass_fraction)}", strong=True
            ),
            Column.of(metric("mean"), sub=f"needs {at_least(thresholds.overall_case_pass)}"),
            Column.of(metric("mean_all")),
            Column.of(metric("lift"), sub=f"needs {at_least(results.min_lift)}"),
            Column("interval", f"{level(results)} interval"),
            Column("review", "Review", "cases", "r"),
            Column("runs", "Runs", "a case", "r", sortable=False),
            Column("outcome", "Benchmark"),
        ),
        groups=(RowGroup("", tuple(map(row, found))),),
        note=NOTE,
        downloads=downloads,
        empty="No system was run.",
        wide=True,
    )


def conditions(results: DebateResults, found: Sequence[SystemResult], *, system: str = "") -> Table:
    """Each condition of the rule with its number and its threshold."""
    every = [c for s in found for c in s.conditions]
    holding = sum(c.holds is True for c in every)

    def row(s: SystemResult, c: Condition) -> Row:
        return Row(
            (
                Text(CONDITIONS[c.name]),
                Text("benchmark" if c.name != "lift" else "added value"),
                number(results, s, _KEYS[c.name], c.value, signed=c.name == "lift"),
                Num(c.threshold, 4),
                margin(c.value, c.threshold),
                condition_badge(c),
            )
        )

    groups = tuple(RowGroup("" if system else s.system, tuple(row(s, c) for c in s.conditions)) for s in found)
    return Table(
        id=table_id("conditions", system),
        finding=f"{holding} of {many(len(every), 'condition')} {'holds' if holding == 1 else 'hold'}.",
        text="A number that equals its threshold is enough; values are exact and none is rounded before. The first two"
        " conditions decide about the benchmark, the lift about whether debate adds value.",
        columns=(
            Column("condition", "Condition", sticky=True, sortable=False),
            Column("decides", "Decides about", sortable=False),
            Column("number", "Number", "", "r", strong=True, sortable=False),
            Column("threshold", "Threshold", "at least", "r", sortable=False),
            Column("margin", "Margin", "", "r", sortable=False),
            Column("holds", "Verdict", sortable=False),
        ),
        groups=groups,
        empty="No system was run, so that no condition has a number.",
        compact=True,
    )


def compared(results: DebateResults) -> tuple[SystemResult, ...]:
    """The systems that have a baseline to be compared with."""
    return tuple(s for s in ordered(results) if s.baseline is not None and not s.is_baseline)


def lift_words(results: DebateResults) -> str:
    """Which lifts are enough."""
    found = compared(results)
    enough = [s for s in found if not isinstance(s.lift.passes, Undefined) and s.lift.passes]
    if not found:
        return "There is no lift: no system is a baseline."
    verb = "reaches" if len(enough) == 1 else "reach"
    return f"{len(enough)} of {many(len(found), 'system')} {verb} the lift of {at_least(results.min_lift)}."


def lift(results: DebateResults) -> Table:
    """The lift of every system over its baseline, paired over cases."""
    found = compared(results)
    ends = common_scale((s.lift.value for s in found), (s.lift.interval for s in found))

    def row(s: SystemResult) -> Row:
        differences = list(s.lift.differences.values())
        return Row(
            (
                named(s),
                Text(s.baseline or ""),
                Count(len(differences)),
                number(results, s, "lift", s.lift.value, signed=True),
                interval_cell(s.lift.value, s.lift.interval, ends),
                Count(sum(x > 0 for x in differences)),
                Count(sum(x == 0 for x in differences)),
                Count(sum(x < 0 for x in differences)),
                margin(s.lift.value, results.min_lift),
                _enough(s),
            )
        )

    return Table(
        id=table_id("lift"),
        finding=lift_words(results),
        text=f"Mean difference of case means over the cases scoreable in both systems, with a {level(results)}"
        " percentile bootstrap interval that draws cases anew; a lift that equals the least lift is enough.",
        columns=(
            Column("system", "System", sticky=True),
            Column("baseline", "Over"),
            Column("n", "n", "cases in both", "r"),
            Column.of(metric("lift"), strong=True),
            Column("interval", f"{level(results)} interval"),
            Column("better", "Better", "cases", "r"),
            Column("equal", "Equal", "cases", "r"),
            Column("worse", "Worse", "cases", "r"),
            Column("margin", "Margin", f"over {at_least(results.min_lift)}", "r"),
            Column("enough", "Adds value"),
        ),
        groups=(RowGroup("", tuple(map(row, found))),),
        empty="No system of these results is a baseline, so that there is nothing to exceed.",
        wide=True,
    )


def _enough(s: SystemResult) -> Cell:
    return next((condition_badge(c) for c in s.conditions if c.name == "lift"), Missing("is the baseline"))


def flag_counts(results: DebateResults) -> Table:
    """How many runs of each system are flagged, and why; each leads to the list on the page of its system."""
    found = results.flags
    kinds = Counter(f.kind for f in found)
    words = "; ".join(f"{n} × {_FLAGS[kind]}" for kind, n in sorted(kinds.items()))

    def row(system: str, kind: str) -> Row:
        flagged = {(f.case_id, f.run_id) for f in found if (f.system, f.kind) == (system, kind)}
        listed = f"{system_page(system)}#tbl-{table_id('flags', system)}"
        cases = len({case for case, _ in flagged})
        return Row((Text(system, href=listed), Text(_FLAGS[kind]), Count(cases), Count(len(flagged))))

    return Table(
        id=table_id("flags"),
        finding=f"{_flagged(found)}: {words}." if found else f"{_flagged(found)}.",
        text="A flag alters no number. The page of a system lists its flags.",
        columns=(
            Column("system", "System", sticky=True),
            Column("kind", "Flag"),
            Column("cases", "Cases", align="r"),
            Column("runs", "Runs", align="r"),
        ),
        groups=(RowGroup("", tuple(row(*at) for at in sorted({(f.system, f.kind) for f in found}))),),
        empty=_NO_FLAGS,
        compact=True,
    )


def flags(s: SystemResult) -> Table:
    """What a reader must know about single runs of a system; runs of a case with the same flag share a row."""
    runs: dict[tuple[str, str, str], list[str]] = {}
    for f in s.flags:
        runs.setdefault((f.case_id, _FLAGS[f.kind], f.text), []).append(f.run_id)
    rows = tuple(
        Row((Text(case), Text(", ".join(of)), Text(kind), Text(text)))
        for (case, kind, text), of in sorted(runs.items())
    )
    return Table(
        id=table_id("flags", s.system),
        finding=f"{_flagged(s.flags)}.",
        text="A flag alters no number.",
        columns=(
            Column("case", "Case", sticky=True),
            Column("runs", "Runs", sortable=False),
            Column("kind", "Flag"),
            Column("text", "What was found", wrap=True, sortable=False),
        ),
        groups=(RowGroup("", rows),),
        empty=_NO_FLAGS,
        compact=True,
    )


def _flagged(flags: Sequence[Flag]) -> str:
    runs = len({(f.system, f.case_id, f.run_id) for f in flags})
    return f"{many(runs, 'run')} flagged" if runs else "No run is flagged"


def rule_words(s: SystemResult) -> str:
    """The outcome of a system in a sentence."""
    if isinstance(s.passes, Undefined):
        return f"No outcome: {s.passes.reason}."
    failing = [CONDITIONS[c.name].lower() for c in s.conditions if c.name != "lift" and not c.holds]
    if not failing:
        return (
            f"The benchmark passes: {s.passing} of {many(len(s.scoreable), 'scoreable case')}, mean {printed(s.mean)}."
        )
    return f"The benchmark fails on its {' and its '.join(failing)}."
