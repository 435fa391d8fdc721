"""Every printed formula, evaluated over records, agrees with the code over its whole index."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from hypothesis import given
from hypothesis import settings as quickly
from hypothesis import strategies as st

from evalreport.core.declare import in_range
from evalreport.core.exact import Undefined
from evalreport.core.formula import Set
from evalreport.suites.debate import SUITE, metrics
from evalreport.suites.debate.audit import evaluation
from evalreport.suites.debate.records import DIMENSIONS
from tests.suites.debate.building import Row, described, judgments, ruled, written

SCORE = st.sampled_from([None, 0, 0.25, 0.5, 0.5, 0.65, 0.7, 1, 1, 1])
GRADE = st.sampled_from([0, 0.5, 1])
SAMPLE = Path(__file__).parents[3] / "data" / "debate"


@st.composite
def benchmarks(draw: st.DrawFn) -> tuple[list[Row], list[Row]]:
    """Cases, and rows of up to two systems with one or two runs of some of them, given or judged."""
    cases = [
        described(
            f"c{n}", issues=[f"i{k}" for k in range(draw(st.integers(0, 2)))], ideal=draw(st.sampled_from(IDEALS))
        )
        for n in range(draw(st.integers(1, 4)))
    ]
    rows: list[Row] = []
    for name in ("debate", "baseline"):
        for case in cases:
            for run in range(draw(st.integers(0, 2))):
                row: Row = {"system": name, "case_id": case["case_id"], "run": run}
                rows.append({**row, **draw(_judged(case) if draw(st.booleans()) else _given)})
    return cases, rows


IDEALS = ("critique_wins", "empirical_test_agreed")
_given = st.lists(SCORE, min_size=6, max_size=6).map(
    lambda scores: {"scores": dict(zip(DIMENSIONS, scores, strict=True))}
)


def _judged(case: Row) -> st.SearchStrategy[Row]:
    issues = case["planted_issues"]
    assert isinstance(issues, list)
    return st.builds(
        lambda found, claims, conceded, contested, updates, test: {
            "judgments": judgments(
                issues={issue["issue_id"]: credit for issue, credit in zip(issues, found, strict=True)},
                claims=[{"valid": valid} for valid in claims],
                defense={"concessions": conceded, "contestations": contested, "updates": updates},
                test=test,
            )
        },
        st.lists(GRADE, min_size=len(issues), max_size=len(issues)),
        st.lists(st.booleans(), max_size=3),
        st.lists(GRADE, max_size=2),
        st.lists(GRADE, max_size=1),
        st.lists(st.sampled_from([0, 1]), max_size=1),
        st.sampled_from([None, 0.5, 1]),
    )


@given(benchmarks())
@quickly(max_examples=60, deadline=None)
def test_every_definition_agrees_with_the_code_over_its_whole_index(made: tuple[list[Row], list[Row]]) -> None:
    cases, rows = made
    if not rows:
        return
    chosen = ruled(resamples=1)
    with tempfile.TemporaryDirectory() as folder:
        records = SUITE.read([written(Path(folder), cases=cases, rows=rows)], chosen)
    found = SUITE.compute(records, chosen)
    (run_set,) = records.sets
    formulas = evaluation(run_set, thresholds=records.thresholds, min_lift=found.min_lift)
    seen: set[str] = set()

    def same(head: str, args: Sequence[object], value: object) -> None:
        seen.add(head)
        printed = formulas.value(head, *args)
        if isinstance(value, Undefined):
            assert isinstance(printed, Undefined), (head, printed)
        elif isinstance(printed, Set):
            assert list(printed.members) == value, head
        else:
            assert printed == value, head

    by_name = {s.system: s for s in found.systems}
    for s in found.systems:
        u = s.system
        for case in s.cases:
            c, whole = case.case, case.assessment
            for place, dimension in enumerate(DIMENSIONS):
                applying = [r.run for r in case.runs if not isinstance(r.run.scores[place], Undefined)]
                same("T(u, c, d)", (u, c, dimension), applying)
                same("x(u, c, d)", (u, c, dimension), whole.scores[place])
                same(rf"\mathrm{{{dimension}}}_{{u,c}}", (u, c), whole.scores[place])
                for run in applying:
                    same("y(t, d)", (run, dimension), run.scores[place])
            for run in (r.run for r in case.runs if r.run.judged):
                same(r"\mathrm{IDR}_t", (run,), run.scores[0])
                same(r"\mathrm{IDP}_t", (run,), run.scores[1])
                same(r"\mathrm{DC}_t", (run,), run.scores[2])
            applicable = [d for d, x in zip(DIMENSIONS, whole.scores, strict=True) if not isinstance(x, Undefined)]
            same("D_{u,c}", (u, c), applicable)
            same(r"\bar{x}_{u,c}", (u, c), whole.mean)
            same("m_{u,c}", (u, c), whole.lowest)
            same(r"\mathrm{pass}_{u,c}", (u, c), whole.passes)
        same("S_u", (u,), [c.case for c in s.scoreable])
        same(r"\mathrm{PF}_u", (u,), s.passing_fraction)
        same(r"\bar{x}_u", (u,), s.mean)
        same(r"\bar{x}_{\mathrm{all},u}", (u,), s.mean_all)
        same(r"\mathrm{BP}_u", (u,), s.passes)
        if s.baseline and not s.is_baseline:
            v = by_name[s.baseline].name
            same("S_{u,v}", (u, v), [run_set.cases[case_id] for case_id in s.lift.differences])
            same("L_{u,v}", (u, v), s.lift.value)
            same(r"\mathrm{LP}_{u,v}", (u, v), s.lift.passes)
    defined = {symbol.head for symbol in metrics.d.notation().symbols.values() if symbol.formula is not None}
    only_pairs = {"S_{u,v}", "L_{u,v}", r"\mathrm{LP}_{u,v}"}
    only_judged = {r"\mathrm{IDR}_t", r"\mathrm{IDP}_t", r"\mathrm{DC}_t", "y(t, d)"}
    assert defined - seen <= only_pairs | only_judged
    for value in SUITE.values(found):
        assert in_range(SUITE.declarations.metrics[value.metric], value.value)


def test_every_number_of_the_sample_has_a_formula_that_gives_the_same() -> None:
    chosen = ruled(resamples=1)
    found = SUITE.compute(SUITE.read([SAMPLE], chosen), chosen)
    entries = list(SUITE.audit(found))
    for entry in entries:
        printed = entry.evaluation.value(entry.metric.symbol, *entry.args)
        if isinstance(entry.value, Undefined):
            assert isinstance(printed, Undefined)
        else:
            assert printed == entry.value
        assert entry.evaluation.steps(entry.metric.symbol, *entry.args)
    # Three systems with 20 cases of 9 numbers, 4 numbers of each system, 2 of each that has a baseline.
    assert len(entries) == 3 * 20 * 9 + 3 * 4 + 2 * 2
    audited = {(entry.metric.key, entry.of) for entry in entries}
    left = [v for v in SUITE.values(found) if (v.metric, v.of) not in audited]
    assert {v.metric for v in left} == {"debate.lift", "debate.lift_pass"}
    assert all(v.value == Undefined("is the baseline") for v in left)


def test_every_metric_has_a_formula_and_every_published_number_a_metric() -> None:
    declared = SUITE.declarations.metrics
    assert all(metric.formula for metric in declared.values())
    chosen = ruled(resamples=1)
    found = SUITE.compute(SUITE.read([SAMPLE], chosen), chosen)
    published = {value.metric for value in SUITE.values(found)}
    assert published == set(declared)
    for value in SUITE.values(found):
        assert tuple(name for name, _ in value.of) == declared[value.metric].of


def test_the_collapsed_lift_of_exactly_one_tenth_is_printed_with_its_sum(tmp_path: Path) -> None:
    scores = [("a", 0.75, 0.65), ("b", 0.8, 0.7), ("c", 0.9, 0.8), ("d", 0.5, 0.4), ("e", 1, 0.9)]
    rows = [
        {"case_id": c, "system": name, "scores": dict.fromkeys(DIMENSIONS, x)}
        for c, *pair in scores
        for name, x in zip(("debate", "baseline"), pair, strict=True)
    ]
    text = json.dumps(rows)
    records = SUITE.read([written(tmp_path, rows=text)], ruled())
    formulas = evaluation(records.sets[0], thresholds=records.thresholds, min_lift=Fraction(1, 10))
    assert formulas.steps("L_{u,v}", "debate", "baseline")[-2:] == (
        r"= \frac{1}{5} \cdot \frac{1}{2}",
        "= 0.1",
    )
    assert formulas.value(r"\mathrm{LP}_{u,v}", "debate", "baseline") == 1
