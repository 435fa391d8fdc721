"""What each threshold decides, where the thresholds come from, and the hash of the rubric."""

from __future__ import annotations

from evalreport.core.suite import Settings
from evalreport.core.table import Badge, Cell, Code, Column, Missing, Num, Row, RowGroup, Table, Text
from evalreport.core.words import many, printed
from evalreport.suites.debate.records import THRESHOLDS
from evalreport.suites.debate.results import DebateResults
from evalreport.suites.debate.sensitivity import Sensitivity
from evalreport.suites.debate.views.cells import OF_THRESHOLD, at_least, table_id
from evalreport.suites.debate.views.outcome import ordered


def sensitivity(results: DebateResults) -> Table:
    """For every system and threshold: the highest value with which the benchmark still passes."""
    found = [(s, x) for s in ordered(results) for x in s.sensitivities]
    gaps = [(abs(x.passes_up_to - x.actual), s, x) for s, x in found if x.passes_up_to is not None]
    nearest = min(gaps, key=lambda gap: (gap[0], gap[1].system, gap[2].threshold), default=None)
    finding = (
        f"The closest call: with {nearest[1].system} the benchmark passes up to a {nearest[2].threshold} of"
        f" {_turning(nearest[2])}, and {_turning(nearest[2], actual=True)} is in force."
        if nearest
        else "No value of a single threshold makes any system pass."
    )

    def row(x: Sensitivity) -> Row:
        never = Missing("no value from 0 to 1 makes the benchmark pass")
        up_to: Cell = never if x.passes_up_to is None else Num(x.passes_up_to, 4)
        room: Cell = never if x.passes_up_to is None else Num(x.passes_up_to - x.actual, 4, signed=True)
        return Row((Code(x.threshold), Text(OF_THRESHOLD[x.threshold]), Num(x.actual, 4), up_to, room, _verdict(x)))

    return Table(
        id=table_id("sensitivity"),
        finding=finding,
        text="Each threshold is moved alone, the other two held. The benchmark passes for every value up to the one"
        " shown, exactly, and for none above it.",
        columns=(
            Column("threshold", "Threshold", sticky=True, sortable=False),
            Column("of", "Of", sortable=False),
            Column("actual", "In force", "", "r", sortable=False),
            Column("up_to", "Passes up to", "this value", "r", strong=True, sortable=False),
            Column("room", "Room", "", "r", sortable=False),
            Column("verdict", "Outcome", sortable=False),
        ),
        groups=tuple(RowGroup(s.system, tuple(map(row, s.sensitivities))) for s in ordered(results) if s.sensitivities),
        empty="No system has a scoreable case, so that no threshold decides anything.",
        compact=True,
    )


def _turning(x: Sensitivity, *, actual: bool = False) -> str:
    value = x.actual if actual or x.passes_up_to is None else x.passes_up_to
    return at_least(value) if actual else printed(value)


def _verdict(x: Sensitivity) -> Badge:
    if x.passes_up_to is None:
        return Badge("alert", "fails at any value")
    return Badge("plain", "passes") if x.actual <= x.passes_up_to else Badge("alert", "fails")


def in_force(results: DebateResults, settings: Settings) -> Table:
    """The thresholds in force, with the rubric they come from."""
    rubric = results.rubric
    rows = [
        Row(
            (
                Code(name),
                Text(OF_THRESHOLD[name]),
                Num(getattr(results.thresholds, name), 4),
                Text(_source(settings, name)),
            )
        )
        for name in THRESHOLDS
    ]
    rows.append(Row((Code("min_lift"), Text("Lift over the baseline"), Num(results.min_lift, 4), Text("settings"))))
    digest = rubric.sha256
    return Table(
        id=table_id("thresholds"),
        finding="The thresholds in force, and the rubric they come from.",
        text=(f"Rubric {rubric.path}, sha256 ", Code(digest), ".")
        if digest
        else "There is no rubric file: the thresholds come from the settings.",
        columns=(
            Column("threshold", "Threshold", sticky=True, sortable=False),
            Column("of", "Of", sortable=False),
            Column("value", "Value", "", "r", strong=True, sortable=False),
            Column("source", "From", sortable=False),
        ),
        groups=(RowGroup("", tuple(rows)),),
        note="A rubric that was changed after results were made has another hash; such runs are flagged.",
        compact=True,
    )


def _source(settings: Settings, name: str) -> str:
    return "rubric" if settings.values[name] is None else "settings"


def unrun_words(results: DebateResults) -> str:
    """The described cases that no system ran, in a sentence."""
    unrun = results.records.unrun
    return (
        f"{many(len(unrun), 'described case')} {'was' if len(unrun) == 1 else 'were'} run by no system."
        if unrun
        else ""
    )
