"""One subject version: its facts, its numbers, its fails, its runs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from evalreport.core.exact import Undefined, fixed
from evalreport.core.table import Badge, Cell, Column, Count, Math, Missing, Num, Row, RowGroup, Table, Text
from evalreport.core.words import limits_words, many
from evalreport.report.escape import html_text
from evalreport.report.parts import Part
from evalreport.report.tables import BADGES
from evalreport.suites.benchmark.metrics_runs import classification, lifted
from evalreport.suites.benchmark.records import Run
from evalreport.suites.benchmark.results import BenchmarkResults, Subject
from evalreport.suites.benchmark.views.cells import (
    FILES,
    count,
    family_address,
    level,
    metric,
    number,
    standing,
    table_id,
)

NUMBERS = (
    *("q_final", "pass_rate", "mean_clipped_score", "soft_brier", "ece", "ece_null", "signed_gap", "max_bin_gap"),
    *("mean_correctness", "brier_reliability", "brier_resolution", "brier_uncertainty"),
)
COUNTED = (
    *("n_runs", "n_pass", "n_conditional", "n_fail", "n_critical_fails", "n_recoverable_fails"),
    *("n_unscored", "n_cases"),
)
MOST_RUNS = 400


def facts(subject: Subject) -> list[Part]:
    """The line below the title: standing, scored and unscored runs, cases, critical fails."""
    badge = standing(subject)
    rank = f"<span>rank {subject.rank}</span>" if subject.rank is not None else ""
    words = (
        many(subject.n, "scored run"),
        f"{len(subject.unscored)} unscored",
        f"{subject.n_cases} of {many(subject.n_cases_total, 'case')}",
        many(len(subject.critical), "run with a critical fail", "runs with a critical fail"),
    )
    spans = rank + "".join(f"<span>{html_text(text)}</span>" for text in words)
    word = f'<span class="er-badge {BADGES[badge.kind]}">{html_text(badge.text)}</span>'
    return [f'<p class="er-lede">{word}{spans}</p>']


def numbers(results: BenchmarkResults, subject: Subject) -> Table:
    """Every number of the subject version with interval, sample-size word and meaning."""

    def row(key: str) -> Row:
        known = metric(key)
        interval = subject.intervals.get(key)
        limits: Cell = Missing("no interval for this number")
        if interval is not None and interval.low is not None:
            limits = Text(limits_words(interval, known.decimals), "5–95 % of draws" if key == "ece_null" else "")
        signed = key == "signed_gap"
        return Row(
            (
                Text(known.name),
                Math(known.symbol) if known.symbol else Missing("has no symbol"),
                number(results, subject, key, signed=signed),
                limits,
                Text(subject.labels.get(key, "").lower()),
                Text(known.meaning),
            )
        )

    return Table(
        id=table_id(results, subject, "numbers", *subject.id),
        finding=_numbers_finding(subject),
        text=(
            f"All from N = {subject.n} scored runs on {many(subject.n_cases, 'case')}. {level(results)} intervals over"
            " cases. Every number leads to its formula and its records."
        ),
        columns=(
            Column("name", "Number", sticky=True),
            Column("symbol", "Symbol", sortable=False),
            Column("value", "Value", align="r", sortable=False, strong=True),
            Column("interval", f"{level(results)} interval", align="r", sortable=False),
            Column("label", "Sample size", sortable=False),
            Column("meaning", "What it means", wrap=True, sortable=False),
        ),
        groups=(RowGroup("", tuple(map(row, NUMBERS))),),
        compact=True,
    )


def _numbers_finding(subject: Subject) -> str:
    q, passed = subject.values["q_final"], subject.values["pass_rate"]
    if isinstance(q, Undefined) or isinstance(passed, Undefined):
        return "No number has a value yet."
    passes = subject.values["n_pass"]
    return f"{passes} of {subject.n} runs pass; the composite is {fixed(q)}."


def counts(results: BenchmarkResults, subject: Subject) -> Table:
    """How many runs and responses of each kind."""
    return Table(
        id=table_id(results, subject, "counts", *subject.id),
        finding=f"{many(subject.n, 'scored run')}, {len(subject.unscored)} unscored.",
        text="Runs are counted, not fails.",
        columns=tuple(
            Column(key, metric(key).column, "of " + str(subject.n_cases_total) if key == "n_cases" else metric(key).sub,
                   "r", sortable=False)
            for key in COUNTED
        ),
        groups=(RowGroup("", (Row(tuple(count(results, subject, key) for key in COUNTED)),)),),
        compact=True,
    )  # fmt: skip


def families(results: BenchmarkResults, subject: Subject) -> Table:
    """Classes, pass rate and mean score in each family."""
    rows = tuple(
        Row(
            (
                Text(f.family),
                Count(f.n, href=family_address(results, subject, f, "n_runs")),
                Count(f.n_pass),
                Count(f.n_conditional),
                Count(f.n_fail),
                Num(f.values["pass_rate"], metric("family.pass_rate").decimals,
                    family_address(results, subject, f, "pass_rate")),
                Num(f.values["mean_clipped_score"], metric("family.mean_clipped_score").decimals,
                    family_address(results, subject, f, "mean_clipped_score")),
            )
        )
        for f in subject.families
    )  # fmt: skip
    labels = sorted({f.label.lower() for f in subject.families})
    return Table(
        id=table_id(results, subject, "families", *subject.id),
        finding=_families_finding(subject),
        text=f"For so many runs: {' or '.join(labels)}. Calibration is not broken down by family." if rows else "",
        columns=(
            Column("family", "Family", sticky=True),
            Column("n", "n", "runs", "r"),
            Column("pass", "Pass", "", "r"),
            Column("conditional", "Conditional", "", "r"),
            Column("fail", "Fail", "", "r"),
            Column.of(metric("family.pass_rate"), sub="pass rate"),
            Column.of(metric("family.mean_clipped_score"), sub="0 to 12"),
        ),
        groups=(RowGroup("", rows),),
        empty="No family has scored runs.",
        compact=True,
    )


def _families_finding(subject: Subject) -> str:
    """The best and the worst family by pass rate."""
    rates = {f.family: f.values["pass_rate"] for f in subject.families}
    known = {name: rate for name, rate in rates.items() if not isinstance(rate, Undefined)}
    if not known:
        return "No family has scored runs."
    low, high = (edge(known.values()) for edge in (min, max))
    if low == high:
        return f"The pass rate is {fixed(low)} in {'its family' if len(known) == 1 else 'every family'}."
    best, worst = (", ".join(name for name, rate in known.items() if rate == end) for end in (high, low))
    return f"The pass rate is highest in {best} and lowest in {worst}."


def fails(results: BenchmarkResults, subject: Subject) -> Table:
    """The runs with a critical or a recoverable fail."""
    found = [r for r in subject.runs if r.critical or r.recoverable]
    critical, recoverable = len(subject.critical), len(subject.recoverable)
    finding = f"{many(critical, 'run')} with a critical fail, {recoverable} with a recoverable one."
    return _runs(
        results,
        subject,
        "fails",
        found,
        finding if found else "No automatic fail.",
        "A critical fail disqualifies the version; a recoverable one makes the run Conditional.",
        "No run of this version has an automatic fail.",
    )


def lifted_runs(results: BenchmarkResults, subject: Subject) -> Table:
    """The runs that a recoverable fail lifts from Fail to Conditional."""
    found = subject.lifted
    return _runs(
        results,
        subject,
        "lifted",
        found,
        f"{many(len(found), 'run')} lifted from Fail to Conditional.",
        "The first rule that applies decides, and a recoverable fail stands before the score.",
        "No run of this version was lifted.",
    )


def runs(results: BenchmarkResults, subject: Subject) -> Table:
    """Every scored run of the subject version, the first ones of very many."""
    shown = subject.runs[:MOST_RUNS]
    rest = f" Shown are the first {MOST_RUNS} of {subject.n:,}; the file has all." if subject.n > MOST_RUNS else ""
    return _runs(
        results,
        subject,
        "runs",
        shown,
        f"{many(subject.n, 'scored run')} of {many(subject.n_cases, 'case')}.",
        f"Score: rubric points, at most the ceiling of the case.{rest}",
        "No run of this version is scored.",
    )


def unscored(results: BenchmarkResults, subject: Subject) -> Table:
    """The responses that nobody has scored."""
    found = subject.unscored
    return Table(
        id=table_id(results, subject, "unscored", *subject.id),
        finding=f"{many(len(found), 'response')} without a scoring.",
        text="They enter no number.",
        columns=(Column("case", "Case", sticky=True), Column("run", "Run")),
        groups=(RowGroup("", tuple(Row((Text(u.case_id), Text(u.run_id))) for u in found[:MOST_RUNS])),),
        empty="Every response of this version is scored.",
        compact=True,
    )


def _runs(
    results: BenchmarkResults,
    subject: Subject,
    kind: str,
    found: Sequence[Run],
    finding: str,
    text: str,
    empty: str,
) -> Table:
    def row(r: Run) -> Row:
        flags = [name for name, on in (("critical", r.critical), ("recoverable", r.recoverable)) if on]
        note: Cell = Text(", ".join(flags))
        if r.critical:
            note = Badge("alert", ", ".join(flags))
        elif lifted(r):
            note = Badge("dashed", "recoverable, lifted")
        return Row(
            (
                Text(r.case_id),
                Text(r.run_id),
                Text(classification(r)),
                Num(r.clipped, 0),
                Num(r.floor, 0),
                Num(r.ceiling, 0),
                Num(r.confidence, 0),
                Num(Fraction(r.halves, 2), 1),
                note,
                Text(r.reviewer_id),
            )
        )

    return Table(
        id=table_id(results, subject, kind, *subject.id),
        finding=finding,
        text=text,
        columns=(
            Column("case", "Case", sticky=True),
            Column("run", "Run"),
            Column("class", "Class"),
            Column("score", "Score", "0 to 12", "r", "higher"),
            Column("floor", "Floor", "", "r"),
            Column("ceiling", "Ceiling", "", "r"),
            Column("confidence", "Confidence", "%", "r"),
            Column("correctness", "Correctness", "0, 0.5, 1", "r", "higher"),
            Column("fails", "Fails"),
            Column("reviewer", "Reviewer"),
        ),
        groups=(RowGroup("", tuple(map(row, found))),),
        downloads=(("all runs, CSV", f"{FILES}/per_run.csv"),) if kind == "runs" else (),
        empty=empty,
        compact=True,
        wide=True,
    )
