"""Laws that hold for any formula and any data."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import NamedTuple

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from evalreport.core.exact import Undefined
from evalreport.core.formula import Evaluation, Notation, Set, Weighted
from tests.core.formula.examples import NUMBERS, Run, calibration, small

shares = st.fractions(0, 1, max_denominator=20)
runs = st.lists(
    st.builds(
        Run,
        st.sampled_from([0, 9, 10, 50, 60, 99, 100]) | st.integers(0, 100),
        st.integers(0, 2),
        st.booleans(),
        st.sampled_from(["FOUL", "SCALE"]),
    ),
    min_size=1,
    max_size=12,
)


class Pair(NamedTuple):
    """A formula and the value that Python gives for the same arithmetic; None where it divides by zero."""

    latex: str
    value: Fraction | None
    sums: int = 0


@st.composite
def arithmetic(draw: st.DrawFn, alpha: Fraction, p: Fraction, depth: int = 3) -> Pair:
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        n = draw(st.integers(0, 9))
        return draw(st.sampled_from([Pair(str(n), Fraction(n)), Pair(r"\alpha", alpha), Pair("P", p)]))
    (left, a, m), (right, b, n) = draw(arithmetic(alpha, p, depth - 1)), draw(arithmetic(alpha, p, depth - 1))
    none = a is None or b is None
    x, y = a or Fraction(0), b or Fraction(0)
    cases = rf"\begin{{cases}} {left} & \text{{if }} {left} < {right} \\ {right} & \text{{otherwise}} \end{{cases}}"
    sums = m + n
    ways = [
        Pair(f"({left}) + ({right})", x + y, sums),
        Pair(f"({left}) - ({right})", x - y, sums),
        Pair(rf"({left}) \cdot ({right})", x * y, sums),
        Pair(rf"\frac{{{left}}}{{{right}}}", x / y if y else None, sums),
        Pair(rf"\max({left}, {right})", max(x, y), sums),
        Pair(cases, min(x, y), sums),
    ]
    way = draw(st.sampled_from(ways))
    if none:
        return way._replace(value=None)
    own = [
        Pair(rf"\left|{left}\right|", abs(x), m),
        Pair(f"({left})^2", x * x, m),
        Pair(rf"\sum_{{r \in R}} ({left})", 3 * x, m + 1),
    ]
    return draw(st.sampled_from([way, *own]))


@given(st.data(), shares, shares)
@settings(max_examples=150, deadline=None)
def test_a_random_formula_equals_the_same_arithmetic(data: st.DataObject, alpha: Fraction, p: Fraction) -> None:
    pair = data.draw(arithmetic(alpha, p))
    assume(pair.sums < 2)  # a second sum inside the first would bind the same letter
    notation = small()
    notation.define("Z", pair.latex, "")
    evaluation = notation.over({"R": [1, 2, 3], r"\alpha": alpha, "P": p})
    got = evaluation.value("Z")
    if pair.value is None:
        assert isinstance(got, Undefined)
    else:
        assert got == pair.value


def calibrated(data: object, *, terms: int = 3) -> Evaluation:
    return calibration().over({"R": data, "M": 10}, terms)


@given(runs, st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_the_order_of_the_records_changes_no_value(records: list[Run], random: Random) -> None:
    mixed = random.sample(records, len(records))
    one, other = calibrated(records), calibrated(mixed)
    assert [one.value(head) for head in NUMBERS] == [other.value(head) for head in NUMBERS]


@given(runs, st.lists(st.integers(1, 3), min_size=12, max_size=12))
@settings(max_examples=30, deadline=None)
def test_merged_records_mean_the_same_as_records_written_out(records: list[Run], times: list[int]) -> None:
    written_out = [run for run, count in zip(records, times, strict=False) for _ in range(count)]
    counted = Counter(written_out)
    assert list(counted) == list(dict.fromkeys(records))
    merged, plain = calibrated(Weighted([*counted], [*counted.values()])), calibrated(written_out)
    for head in (*NUMBERS, r"\mathrm{some}"):
        assert merged.value(head) == plain.value(head)
    for m in range(1, 11):
        one, other = merged.value("B_m", m), plain.value("B_m", m)
        assert isinstance(one, Set)
        assert isinstance(other, Set)
        assert Counter(one) == Counter(other)
        assert len(one) == len(other)
    for family in ("FOUL", "SCALE"):
        assert merged.value(r"\mathrm{gap}_f", family) == plain.value(r"\mathrm{gap}_f", family)


@given(runs)
@settings(max_examples=30, deadline=None)
def test_calibration_equals_plain_python(records: list[Run]) -> None:
    evaluation, n = calibrated(records), len(records)
    gaps = [Fraction(run.confidence, 100) - Fraction(run.halves, 2) for run in records]
    assert evaluation.value("P") == Fraction(sum(run.passed for run in records), n)
    assert evaluation.value(r"\mathrm{BS}") == sum((gap**2 for gap in gaps), Fraction(0)) / n
    bins: dict[int, list[Fraction]] = {}
    for run, gap in zip(records, gaps, strict=True):
        bins.setdefault(min(run.confidence // 10, 9), []).append(gap)
    assert evaluation.value(r"\mathrm{ECE}") == sum((abs(sum(b, Fraction(0))) for b in bins.values()), Fraction(0)) / n


PRINTED = ("P", r"\mathrm{BS}", r"\mathrm{gap}", r"\mathrm{ECE}", r"\tilde{c}", r"c_{\max}", r"\mathrm{some}")


@given(runs)
@settings(max_examples=60, deadline=None)
def test_numbers_put_in_read_back_to_the_value(records: list[Run]) -> None:
    """With every term shown and no number cut, what is printed is a formula without symbols of the same value."""
    evaluation = calibrated(records, terms=100)
    for head in PRINTED:
        text = evaluation.shown(head)
        if r"\ldots" not in text:
            blank = Notation("blank")
            blank.define("Z", text, "")
            assert blank.over({}).value("Z") == evaluation.value(head), text


def test_most_printed_formulas_are_read_back_by_the_law_above() -> None:
    records = [Run(c, c % 3, c > 50, "FOUL") for c in range(5, 100, 10)]
    evaluation = calibrated(records, terms=100)
    assert [head for head in PRINTED if r"\ldots" in evaluation.shown(head)] == []


@given(runs)
@settings(max_examples=30, deadline=None)
def test_a_collapsed_line_reads_back_to_the_value(records: list[Run]) -> None:
    evaluation = calibrated(records, terms=1)
    for head in (r"\mathrm{BS}", r"\mathrm{gap}", r"c_{\max}", r"\mathrm{some}"):
        lines = evaluation.steps(head)
        if len(lines) == 4 and r"\ldots" not in lines[2]:
            blank = Notation("blank")
            blank.define("Z", lines[2].removeprefix("= "), "")
            assert blank.over({}).value("Z") == evaluation.value(head)
