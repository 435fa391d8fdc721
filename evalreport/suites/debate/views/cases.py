"""Cases: every dimension, what the rule says, manual review, categories and difficulties, lift by case, runs."""

from __future__ import annotations

from collections.abc import Sequence

from evalreport.core.exact import Undefined
from evalreport.core.slug import slug
from evalreport.core.table import Cell, Column, Count, Heat, Link, Missing, Num, Row, RowGroup, Table, Text
from evalreport.core.words import many, printed
from evalreport.report.pages import records_address
from evalreport.suites.debate.metrics import LEAST_APPLICABLE
from evalreport.suites.debate.records import DIMENSIONS
from evalreport.suites.debate.results import CaseResult, DebateResults, Group, SystemResult
from evalreport.suites.debate.views.cells import (
    FILES,
    SHORT,
    at_least,
    case_address,
    case_badge,
    case_number,
    heat,
    metric,
    number,
    table_id,
)
from evalreport.suites.debate.views.outcome import ordered

UNNAMED = "not stated"


def fail_words(s: SystemResult) -> str:
    """How many cases fail, and how many of them on a single dimension."""
    failing = [c for c in s.cases if c.assessment.status == "fail"]
    if not s.scoreable:
        return "No case can be scored."
    if not failing:
        return f"All {many(len(s.scoreable), 'scoreable case')} pass."
    words = f"{len(failing)} of {many(len(s.scoreable), 'scoreable case')} {'fails' if len(failing) == 1 else 'fail'}"
    return f"{words}."


def single_words(results: DebateResults, s: SystemResult) -> str:
    """How many cases fail because of one dimension alone."""
    low = results.thresholds.per_dimension_pass
    single = sum(
        1
        for c in s.cases
        if c.assessment.status == "fail"
        and sum(not isinstance(x, Undefined) and x < low for x in c.assessment.scores) == 1
    )
    return (
        f" {single} of them {'has' if single == 1 else 'have'} a single dimension below {at_least(low)}."
        if single
        else ""
    )


def scores(results: DebateResults, s: SystemResult) -> Table:
    """Six dimensions of every case, the mean, and what the rule says; N/A is hatched and never a zero."""
    low = results.thresholds.per_dimension_pass
    several = s.runs_per_case[1] > 1

    def row(c: CaseResult) -> Row:
        found = c.assessment
        mean = case_number(results, s, c, "case_mean", found.mean)
        runs: tuple[Cell, ...] = (Count(c.runs_passing, len(c.runs)),) if several else ()
        dimensions = (
            heat(x, low, case_address(results, s, c, name))
            for x, name in zip(found.scores, DIMENSIONS.values(), strict=True)
        )
        return Row((Text(c.case.case_id), *dimensions, mean, *runs, case_badge(c)))

    return Table(
        id=table_id("scores", s.system),
        finding=f"{fail_words(s)}{single_words(results, s)}",
        text=f"Frame: below {at_least(low)}, which itself passes. Hatched: N/A, left out of the mean; it is no zero."
        + (" Over several runs a dimension is the mean of the runs in which it applies." if several else ""),
        columns=(
            Column("case", "Case", sticky=True),
            *(Column(name, SHORT[at], align="c") for at, name in enumerate(DIMENSIONS)),
            Column.of(metric("case_mean"), sub=f"needs {at_least(results.thresholds.overall_case_pass)}", strong=True),
            *((Column("runs", "Runs", "pass alone", "r"),) if several else ()),
            Column("status", "Case"),
        ),
        groups=(RowGroup("", tuple(map(row, s.cases))),),
        downloads=(("all systems, CSV", f"{FILES}/debate_cases.csv"),),
        empty="This system has run no case.",
        wide=True,
    )


def means(results: DebateResults) -> Table:
    """The mean of every case in every system, and what the rule says of it."""
    found = ordered(results)
    by_case = {(s.system, c.case.case_id): (s, c) for s in found for c in s.cases}
    names = sorted({case for _, case in by_case})
    low = results.thresholds.overall_case_pass

    def cell(system: str, case: str) -> Cell:
        if (system, case) not in by_case:
            return Heat(None, "–", "not run")
        s, c = by_case[system, case]
        where, mean = case_address(results, s, c, "case_mean"), c.assessment.mean
        if isinstance(mean, Undefined):
            return Heat(None, "N/A", mean.reason, where)
        sign = {"pass": "", "fail": " ✕", "manual_review": " ?"}[c.assessment.status]
        return Heat(mean, f"{printed(mean, 2)}{sign}", "", where, low=mean < low)

    def row(case: str) -> Row:
        _, first = next(by_case[s.system, case] for s in found if (s.system, case) in by_case)
        kinds = (Text(first.case.category or UNNAMED), Text(first.case.difficulty or UNNAMED))
        return Row((Text(case), *kinds, *(cell(s.system, case) for s in found)))

    everywhere = sum(all(_passes(by_case, s, case) for s in found) for case in names)
    nowhere = sum(not any(_passes(by_case, s, case) for s in found) for case in names)
    return Table(
        id=table_id("means"),
        finding=f"{everywhere} of {many(len(names), 'case')} pass in every system, {nowhere} in none.",
        text=f"Mean over the dimensions that apply. Frame: below {at_least(low)}. ✕ fails, ? fewer than"
        f" {LEAST_APPLICABLE} dimensions apply: manual review. Hatched: not run, or no mean.",
        columns=(
            Column("case", "Case", sticky=True),
            Column("category", "Category"),
            Column("difficulty", "Difficulty"),
            *(Column(f"system-{at}", s.system, align="c") for at, s in enumerate(found)),
        ),
        groups=(RowGroup("", tuple(map(row, names))),),
        downloads=(("CSV", f"{FILES}/debate_cases.csv"),),
        empty="No case was run.",
    )


def _passes(by_case: dict[tuple[str, str], tuple[SystemResult, CaseResult]], s: SystemResult, case: str) -> bool:
    found = by_case.get((s.system, case))
    return found is not None and found[1].assessment.status == "pass"


def manual_review(results: DebateResults, found: Sequence[SystemResult], *, system: str = "") -> Table:
    """The cases with fewer than four dimensions that apply, which someone must look at."""
    listed = [(s, c) for s in found for c in s.manual_review]
    cases = {c.case.case_id for _, c in listed}

    def row(s: SystemResult, c: CaseResult) -> Row:
        return Row(
            (
                Text(c.case.case_id),
                Text(c.case.category or UNNAMED),
                Count(c.assessment.applicable, len(DIMENSIONS)),
                Text(", ".join(_not_applicable(c)) or "none"),
                case_number(results, s, c, "case_mean", c.assessment.mean),
                Text("reach" if c.assessment.would_pass else "miss"),
            )
        )

    return Table(
        id=table_id("manual-review", system),
        finding=f"{many(len(cases), 'case')} for manual review."
        if system or len(listed) == len(cases)
        else f"{many(len(cases), 'case')} for manual review, {len(listed)} times over all systems.",
        text=f"Fewer than {LEAST_APPLICABLE} of six dimensions apply. These cases neither pass nor fail, and enter"
        " neither the passing fraction nor the benchmark mean. Last column: what the thresholds alone would say.",
        columns=(
            Column("case", "Case", sticky=True),
            Column("category", "Category"),
            Column("applicable", "Apply", "of six", "r"),
            Column("na", "N/A", sortable=False),
            Column.of(metric("case_mean")),
            Column("would", "Thresholds"),
        ),
        groups=tuple(RowGroup("" if system else s.system, tuple(row(s, c) for c in s.manual_review)) for s in found),
        empty="In every case enough dimensions apply: none needs review by hand.",
        compact=True,
    )


def _not_applicable(case: CaseResult) -> list[str]:
    return [SHORT[at].lower() for at, x in enumerate(case.assessment.scores) if isinstance(x, Undefined)]


def groups(results: DebateResults) -> Table:
    """Passing cases by category and difficulty, a column for each system."""
    found = ordered(results)
    by_name: dict[tuple[str, str, str], Group] = {(s.system, g.kind, g.name): g for s in found for g in s.groups}
    kinds = {kind: sorted({name for _, k, name in by_name if k == kind}) for kind in ("category", "difficulty")}
    blocks = tuple(
        RowGroup(
            f"By {kind}",
            tuple(
                Row((Text(name or UNNAMED), *(_passing(by_name.get((s.system, kind, name))) for s in found)))
                for name in names
            ),
        )
        for kind, names in kinds.items()
    )
    return Table(
        id=table_id("groups"),
        finding=f"{many(len(kinds['category']), 'category', 'categories')},"
        f" {many(len(kinds['difficulty']), 'difficulty', 'difficulties')}.",
        text="Cases that pass, of the scoreable ones. Counts, not rates: so few cases cannot carry a percentage.",
        columns=(
            Column("group", "Group", sticky=True),
            *(Column(f"system-{at}", s.system, "pass, of scoreable", "r", "higher") for at, s in enumerate(found)),
        ),
        groups=blocks,
        empty="No case was run.",
    )


def _passing(group: Group | None) -> Cell:
    if group is None or not group.scoreable:
        return Missing("no scoreable case")
    return Count(group.passing, group.scoreable)


def own_groups(s: SystemResult) -> Table:
    """Pass, fail and manual review of a system by category and difficulty."""

    def row(g: Group) -> Row:
        failing = g.scoreable - g.passing
        cells = (Count(g.cases), Count(g.passing), Count(failing, alert=failing > 0), Count(g.manual_review))
        return Row((Text(g.name or UNNAMED), *cells, Num(g.mean)))

    kinds = ("category", "difficulty")
    blocks = tuple(RowGroup(f"By {kind}", tuple(row(g) for g in s.groups if g.kind == kind)) for kind in kinds)
    worst = max(
        (g for g in s.groups if g.kind == "category"), key=lambda g: (g.scoreable - g.passing, g.name), default=None
    )
    finding = (
        f"Most failing cases stand in {worst.name or UNNAMED}: {worst.scoreable - worst.passing} of {worst.scoreable}."
        if worst and worst.scoreable > worst.passing
        else "No scoreable case fails."
    )
    return Table(
        id=table_id("groups", s.system),
        finding=finding,
        text="Mean: over the scoreable cases of the group.",
        columns=(
            Column("group", "Group", sticky=True),
            Column("cases", "Cases", align="r"),
            Column("pass", "Pass", align="r"),
            Column("fail", "Fail", align="r"),
            Column("review", "Review", align="r"),
            Column.of(metric("mean")),
        ),
        groups=blocks,
        empty="This system has run no case.",
        compact=True,
    )


def lift_by_case(results: DebateResults, s: SystemResult) -> Table:
    """The differences that the lift is the mean of."""
    ours = {c.case.case_id: c.assessment.mean for c in s.cases}
    theirs = (
        {c.case.case_id: c.assessment.mean for c in results.system(s.baseline).cases} if s.baseline is not None else {}
    )
    differences = s.lift.differences
    by_id = {c.case.case_id: c for c in s.cases}
    rows = tuple(
        Row(
            (
                Text(case),
                case_number(results, s, by_id[case], "case_mean", ours[case]),
                Num(theirs[case], 4),
                Num(difference, 4, signed=True),
            )
        )
        for case, difference in sorted(differences.items(), key=lambda item: (-item[1], item[0]))
    )
    where = number(results, s, "lift", s.lift.value).href
    reason = s.lift.value.reason if isinstance(s.lift.value, Undefined) else ""
    return Table(
        id=table_id("lift", s.system),
        finding=f"The lift over {s.baseline} is {printed(s.lift.value)}, the mean of {many(len(rows), 'difference')}."
        if rows
        else f"There is no lift: {reason}.",
        text="Case means over the cases scoreable in both systems, largest difference first.",
        columns=(
            Column("case", "Case", sticky=True),
            Column("ours", "Mean", "this system", "r", "higher"),
            Column("theirs", "Mean", "baseline", "r"),
            Column("difference", "Difference", "", "r", "higher", strong=True),
        ),
        groups=(RowGroup("", rows),),
        note=("See the ", Link("audit line of the lift", where), ".") if where and rows else (),
        empty="A lift needs a baseline and cases that are scoreable in both systems.",
        compact=True,
    )


def runs(results: DebateResults, s: SystemResult) -> Table:
    """Every run of every case, each judged by the rule alone."""
    low = results.thresholds.per_dimension_pass
    rows = tuple(
        Row(
            (
                Text(c.case.case_id),
                Text(r.run.run_id),
                *(heat(x, low) for x in r.assessment.scores),
                Num(r.assessment.mean, 4),
                Text({"pass": "passes", "fail": "fails", "manual_review": "review"}[r.assessment.status]),
                Text("given" if r.run.judged is None else "from judgments"),
            )
        )
        for c in s.cases
        for r in c.runs
    )
    mixed = sum(0 < c.runs_passing < len(c.runs) for c in s.cases)
    return Table(
        id=table_id("runs", s.system),
        finding=f"{many(mixed, 'case')} {'passes' if mixed == 1 else 'pass'} in some runs and not in others."
        if mixed
        else f"{many(len(rows), 'run')}; no case passes in one run and fails in another.",
        text="What the rule says of each run taken alone. The case is decided once, over all its runs.",
        columns=(
            Column("case", "Case", sticky=True),
            Column("run", "Run"),
            *(Column(name, SHORT[at], align="c") for at, name in enumerate(DIMENSIONS)),
            Column("mean", "Mean", "", "r", "higher"),
            Column("status", "Alone"),
            Column("source", "Scores"),
        ),
        groups=(RowGroup("", rows),),
        downloads=(("CSV", f"{FILES}/debate_runs.csv"),),
        empty="This system has no run.",
        wide=True,
    )


def records(s: SystemResult) -> Table:
    """The runs that the numbers of a system are made of, for its audit page."""
    rows = tuple(
        Row(
            (
                Text(c.case.case_id),
                Text(r.run.run_id),
                *(Missing(x.reason) if isinstance(x, Undefined) else Num(x, 4) for x in r.run.scores),
                Text("given" if r.run.judged is None else "from judgments"),
            )
        )
        for c in s.cases
        for r in c.runs
    )
    return Table(
        id=table_id("records", s.system),
        finding=f"{many(len(rows), 'run')} of {many(len(s.cases), 'case')}.",
        text="The scores of each run, given by a judge or computed from judgments. A dash is N/A.",
        columns=(
            Column("case", "Case", sticky=True),
            Column("run", "Run"),
            *(Column(name, SHORT[at], align="r") for at, name in enumerate(DIMENSIONS)),
            Column("source", "Scores"),
        ),
        groups=(RowGroup("", rows),),
        downloads=(("CSV", records_address("debate", slug(s.system))),),
        empty="This system has no run.",
        compact=True,
    )
