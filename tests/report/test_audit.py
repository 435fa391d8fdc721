"""The audit: agreement is told, disagreement stops everything and names the number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from evalreport.core.declare import Declarations
from evalreport.core.exact import Undefined, Value
from evalreport.core.suite import AuditEntry
from evalreport.errors import EvalreportError
from evalreport.report.audit import audit_line, audit_lines
from evalreport.suites.benchmark import SUITE
from evalreport.suites.benchmark import evidence as evidence_module
from evalreport.suites.benchmark.compute import compute
from tests.suites.benchmark.made import a_run, records, settings


def declared(formula: str, *, high: int = 10) -> Declarations:
    """One metric over numbers."""
    toy = Declarations("toy")
    toy.variable("i", "item")
    toy.given("S", "set of item", "the items")
    toy.given("x_i", "number", "the value of item i", lambda i: i)

    @toy.metric(
        key="mean",
        name="Mean",
        symbol=r"\bar{x}",
        column="Mean",
        range=(0, high),
        clause="toy#mean",
        of=("id",),
        formula=formula,
    )
    def mean(items: Sequence[int]) -> Fraction:
        """Mean of the items."""
        return Fraction(sum(items), len(items))

    return toy


MEAN = r"\frac{1}{|S|} \sum_{i \in S} x_i"


def entry(value: Value, items: tuple[int, ...] = (1, 2, 4), formula: str = MEAN, *, high: int = 10) -> AuditEntry:
    """The mean of these items, said to be `value`."""
    toy = declared(formula, high=high)
    return AuditEntry(toy.metrics["toy.mean"], (("id", "<b>_$"),), value, toy.notation().over({"S": items}))


def test_a_line_tells_formula_numbers_and_both_values() -> None:
    (line,) = audit_lines([entry(Fraction(7, 3))])
    assert line.formula == rf"\bar{{x}} = {MEAN}"
    assert line.steps[0] == r"= \frac{1}{3} \cdot (1 + 2 + 4)"
    assert (line.value, line.formula_value, line.exact) == (Fraction(7, 3), Fraction(7, 3), True)
    assert line.where == "toy.mean of id <b>_$"


def test_a_value_that_is_off_by_the_least_bit_stops_and_is_named() -> None:
    with pytest.raises(EvalreportError) as refused:
        audit_lines([entry(Fraction(7, 3) + Fraction(1, 10**30))])
    (problem,) = refused.value.problems
    assert (problem.where, problem.kind) == ("toy.mean of id <b>_$", "audit_mismatch")
    assert "the printed formula 7/3" in problem.what


def test_no_value_agrees_with_no_value_only() -> None:
    (line,) = audit_lines([entry(Undefined("no items"), ())])
    assert isinstance(line.formula_value, Undefined)
    with pytest.raises(EvalreportError, match="gives nothing"):
        audit_lines([entry(Undefined("no items"))])
    with pytest.raises(EvalreportError, match="the code gives 0/1"):
        audit_lines([entry(0, ())])


def test_only_a_formula_with_a_root_has_a_tolerance() -> None:
    root = r"\sqrt{2 \cdot |S|}"
    near = Fraction(6**0.5)
    (line,) = audit_lines([entry(near, (1, 2, 4), root)])
    assert not line.exact
    assert line.formula_value != near
    with pytest.raises(EvalreportError, match="code gives"):
        audit_lines([entry(near + Fraction(1, 10**11), (1, 2, 4), root)])


def test_a_value_outside_its_range_and_a_number_published_twice_are_refused() -> None:
    with pytest.raises(EvalreportError, match=r"expected one in the declared range \(0, 2\)"):
        audit_lines([entry(Fraction(7, 3), high=2)])
    with pytest.raises(EvalreportError, match="published twice"):
        audit_lines([entry(Fraction(7, 3)), entry(Fraction(7, 3))])


def test_all_disagreements_are_told_at_once() -> None:
    other = replace(entry(5), of=(("id", "b"),))
    with pytest.raises(EvalreportError) as refused:
        audit_lines([entry(6), other])
    assert len(refused.value.problems) == 2


def test_the_metric_at_fault_is_named_and_with_it_those_that_stand_on_it() -> None:
    toy = Declarations("toy")
    toy.given("n", "number", "a count")
    for key, symbol, formula in (("twice", "t", r"2 \cdot n"), ("more", "m", "d + 1"), ("all", "a", "m + 1")):
        if key == "more":
            toy.define("d", "t", "the same by another name")
        declare = toy.metric(key=key, name=key, symbol=symbol, column=key, range=(0, 9), clause="toy#x", of=("id",),
                             formula=formula, meaning=key)  # fmt: skip
        declare(lambda: 0)
    over = toy.notation().over({"n": 1})
    code = {"all": 3, "more": 2, "twice": 1}  # it takes n once: the formula of `twice` alone is at fault
    with pytest.raises(EvalreportError) as refused:
        audit_lines([AuditEntry(toy.metrics[f"toy.{k}"], (("id", "x"),), value, over) for k, value in code.items()])
    assert [(p.where, p.what) for p in refused.value.problems] == [
        ("toy.twice", "with it differs what its value is put into: toy.all, toy.more"),
        ("toy.twice of id x", "the code gives 1/1 and the printed formula 2/1"),
    ]


def test_a_metric_that_a_reference_checks_has_no_line() -> None:
    metric = replace(entry(1).metric, formula=None)
    with pytest.raises(ValueError, match="checked by a reference"):
        audit_line(replace(entry(1), metric=metric))


def test_the_hash_of_a_declaration_follows_its_formula() -> None:
    one, two = entry(Fraction(7, 3)), entry(Fraction(7, 3), formula=MEAN.replace("x_i", "(x_i)"))
    assert audit_line(one).declaration != audit_line(two).declaration


RUNS = [
    *(
        a_run(f"RO-FOUL-{i:03d}", subject=s, score=9 + (i + n) % 4, confidence=10 * i, halves=i % 3)
        for i in range(1, 9)
        for n, s in enumerate("ab")
    ),
]


def test_the_records_of_a_number_show_what_its_formula_reads() -> None:
    lines = audit_lines(SUITE.audit(compute(records(RUNS), settings())))
    columns = {line.metric.key: line.records.columns for line in lines if line.records is not None}
    assert columns["benchmark.soft_brier"] == ("Case", "Run", "Confidence", "Correctness", "Reviewer")
    assert "Class" in columns["benchmark.q_final"]
    assert "Confidence" not in columns["benchmark.q_final"]
    assert {line.metric.key for line in lines if line.settings} == {"benchmark.q_final", "benchmark.pair.q_final"}


def test_merged_records_give_the_same_values(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [a_run(run_id=f"r{i}", confidence=70 + i % 2, halves=i % 3) for i in range(40)]
    results = compute(records(runs), settings())
    in_full = audit_lines(SUITE.audit(results))
    monkeypatch.setattr(evidence_module, "IN_FULL", 10)
    monkeypatch.setattr(evidence_module, "SHOWN", 5)
    merged = audit_lines(SUITE.audit(results))
    assert [line.formula_value for line in merged] == [line.formula_value for line in in_full]
    (table,) = [line.records for line in merged if line.metric.key == "benchmark.soft_brier"]
    assert table is not None
    assert len(table.rows) == 5
    assert table.total == 40


def test_a_wrong_number_of_a_suite_is_named_with_its_ids() -> None:
    results = compute(records(RUNS), settings())
    version = results.versions[0]
    wrong = replace(version.subjects[0], values={**version.subjects[0].values, "ece": Fraction(1, 3)})
    changed = replace(results, versions=(replace(version, subjects=(wrong, *version.subjects[1:])),))
    with pytest.raises(EvalreportError, match=r"benchmark\.ece of subject_id a, subject_version 1: the code gives 1/3"):
        audit_lines(SUITE.audit(changed))
