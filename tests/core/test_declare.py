"""A metric is declared once, completely, and under names of its own."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import pytest

from evalreport.core.declare import Bounds, DeclarationError, Declarations, Where, in_range
from evalreport.core.exact import Number, Undefined
from evalreport.core.formula import FormulaError

Cells = list[tuple[Fraction, Fraction]]


def example() -> Declarations:
    """A suite with two metrics that have a formula, one that has a reference, and helper definitions."""
    bench = Declarations("example")
    bench.variable("r", "run")
    bench.values("class", "Pass", "Fail")
    bench.given("R", "set of run", "scored runs")
    bench.given("c_r", "number", "stated confidence", lambda run: run[0])
    bench.given("y_r", "number", "correctness", lambda run: run[1])
    bench.given(r"\mathrm{class}_r", "class", "class")
    bench.given(r"\alpha", "number", "weight")
    bench.define("N", "|R|", "number of scored runs")
    bench.define("H", r"\{ r \in R : c_r > 0.5 \}", "confident runs")
    bench.define("h", r"\frac{|H|}{N}", "share of confident runs")

    @bench.metric(
        key="soft_brier",
        name="Brier score (soft)",
        symbol=r"\mathrm{BS}",
        column="Brier",
        sub="soft",
        better="lower",
        range=(0, 1),
        clause="example#soft-brier",
        cite="brier1950",
        of=("subject_id", "subject_version"),
        formula=r"\frac{1}{N} \sum_{r \in R} (c_r - y_r)^2",
    )
    def soft_brier(cells: Cells) -> Fraction:
        """Mean squared gap between stated confidence and correctness.

        Not a calibration error.
        """
        return sum(((c - y) ** 2 for c, y in cells), Fraction(0)) / len(cells)

    @bench.metric(
        key="composite",
        name="Composite",
        symbol="Q",
        column="Q",
        better="higher",
        range=(0, None),
        clause="example#composite",
        of=("subject_id",),
        formula=r"\alpha \cdot h + (1 - \alpha) \cdot \mathrm{BS}",
        needs="N > 1",
        meaning="A weighted mean.",
    )
    def composite(h: Fraction, brier: Fraction, alpha: Fraction) -> Fraction:
        return alpha * h + (1 - alpha) * brier

    @bench.metric(
        key="family.rank",
        name="Rank",
        column="Rank",
        range=(1, None),
        decimals=0,
        clause="example#rank",
        of=("family",),
        checked_by="reference",
        reference="published tables",
    )
    def rank(values: list[Fraction]) -> int:
        """Shared by equal values."""
        return len(values)

    assert soft_brier([(Fraction(1, 2), Fraction(1))]) == Fraction(1, 4)
    assert soft_brier.__name__ == "soft_brier"
    assert composite(Fraction(1), Fraction(0), Fraction(1, 2)) == Fraction(1, 2)
    assert rank([]) == 0
    return bench


def declare(
    bench: Declarations,
    *,
    key: str = "other",
    symbol: str = "O",
    column: str = "Other",
    sub: str = "",
    name: str = "Other",
    bounds: Bounds = (0, 1),
    decimals: int = 4,
    clause: str = "example#other",
    of: tuple[str, ...] = ("subject_id",),
    formula: str | None = "1",
    needs: str | None = None,
    checked_by: Literal["formula", "reference"] = "formula",
    reference: str = "",
    meaning: str = "Something else.",
) -> None:
    """Declare one more metric, complete unless a test takes something away."""

    @bench.metric(
        key=key,
        symbol=symbol,
        column=column,
        sub=sub,
        name=name,
        range=bounds,
        decimals=decimals,
        clause=clause,
        of=of,
        formula=formula,
        needs=needs,
        checked_by=checked_by,
        reference=reference,
        meaning=meaning,
    )
    def other(cells: Cells) -> int:
        return len(cells)


def test_metrics_stand_under_their_full_key_in_reading_order() -> None:
    metrics = example().metrics
    assert list(metrics) == ["example.soft_brier", "example.composite", "example.family.rank"]
    brier = metrics["example.soft_brier"]
    assert (brier.key, brier.suite, brier.column, brier.sub, brier.decimals) == (
        "example.soft_brier",
        "example",
        "Brier",
        "soft",
        4,
    )
    assert brier.function([(Fraction(1), Fraction(0))]) == 1


def test_the_meaning_is_the_first_line_of_the_docstring_unless_it_is_given() -> None:
    metrics = example().metrics
    assert metrics["example.soft_brier"].meaning == "Mean squared gap between stated confidence and correctness."
    assert metrics["example.composite"].meaning == "A weighted mean."
    assert example().notation().symbol(r"\mathrm{BS}").meaning == metrics["example.soft_brier"].meaning


def test_the_declared_formula_is_what_the_notation_evaluates() -> None:
    evaluation = example().notation().over({"R": [(1, 0), (0, 0), (1, 1)], r"\alpha": Fraction(1, 2)})
    assert evaluation.value(r"\mathrm{BS}") == Fraction(1 + 0 + 0, 3)
    # half of 2/3 and half of 1/3
    assert evaluation.value("Q") == Fraction(1, 2)
    few = example().notation().over({"R": [(1, 0)], r"\alpha": Fraction(1, 2)})
    assert few.value("Q") == Undefined("not N > 1")


def test_the_where_lines_are_the_definitions_used_in_reading_order_up_to_other_metrics() -> None:
    metrics = example().metrics
    n = Where("N", "|R|", "number of scored runs")
    assert metrics["example.soft_brier"].where() == (n,)
    assert metrics["example.composite"].where() == (
        n,
        Where("H", r"\{ r \in R : c_r > 0.5 \}", "confident runs"),
        Where("h", r"\frac{|H|}{N}", "share of confident runs"),
    )
    assert metrics["example.family.rank"].where() == ()


def test_the_formulas_are_read_when_the_notation_is_first_used_and_only_once() -> None:
    bench = example()
    declare(bench, formula="1 +")
    with pytest.raises(FormulaError, match="O: column 4: the formula ends too early"):
        bench.notation()
    good = example()
    first = good.notation()
    assert good.notation() is first
    declare(good)
    assert good.notation().symbol("O").formula == "1"


def test_a_metric_may_take_arguments_and_be_a_text() -> None:
    bench = example()
    declare(
        bench,
        symbol="z_r",
        bounds=("Pass", "Fail"),
        formula=r"\begin{cases} \text{Pass} & \text{if } c_r > 0.5 \\ \text{Fail} & \text{otherwise} \end{cases}",
    )
    with pytest.raises(FormulaError, match=r"z_r: it is a text:Pass\|Fail; a number or a set is declared"):
        bench.notation()


def test_the_registry_is_not_changed_from_outside() -> None:
    with pytest.raises(TypeError):
        example().metrics["example.x"] = example().metrics["example.composite"]  # type: ignore[index]


def test_a_metric_has_a_formula_or_a_reference_and_not_both() -> None:
    with pytest.raises(DeclarationError, match=r"example\.other: it has neither a formula nor a reference"):
        declare(example(), formula=None)
    with pytest.raises(DeclarationError, match="checked by a reference and names none"):
        declare(example(), formula=None, checked_by="reference")
    with pytest.raises(DeclarationError, match="checked by a reference and has a formula as well"):
        declare(example(), checked_by="reference", reference="scipy")
    with pytest.raises(DeclarationError, match="checked by its formula and names a reference as well"):
        declare(example(), reference="scipy")
    with pytest.raises(DeclarationError, match="has a condition `needs` but no formula"):
        declare(example(), formula=None, needs="N > 0", checked_by="reference", reference="scipy")
    with pytest.raises(DeclarationError, match="needs its symbol"):
        declare(example(), symbol="")


def test_a_key_a_symbol_and_a_column_belong_to_one_metric() -> None:
    with pytest.raises(DeclarationError, match=r"example\.composite: the key is taken by 'Composite'; this is 'Other'"):
        declare(example(), key="composite")
    with pytest.raises(DeclarationError, match=r"example\.other: the symbol Q is taken by example\.composite"):
        declare(example(), symbol="Q")
    with pytest.raises(DeclarationError, match=r"the column 'Brier soft' is taken by example\.soft_brier"):
        declare(example(), column="Brier", sub="soft")
    declare(example(), column="Brier", sub="hard")


def test_a_symbol_of_a_helper_is_not_taken_again() -> None:
    bench = example()
    declare(bench, symbol="h")
    with pytest.raises(FormulaError, match="h is declared twice: share of confident runs; Something else"):
        bench.notation()


def test_all_that_is_wrong_with_a_declaration_is_told_at_once() -> None:
    with pytest.raises(DeclarationError) as caught:
        declare(
            example(),
            key="Bad key",
            name="",
            clause="",
            meaning="",
            bounds=(1, 0),
            decimals=-1,
            of=("a", "a"),
            symbol="Q",
        )
    lines = str(caught.value).splitlines()
    assert all(line.startswith("example.Bad key: ") for line in lines)
    assert [line.removeprefix("example.Bad key: ") for line in lines] == [
        "the key 'Bad key' is not lower-case words joined by points",
        "it has neither a meaning nor a docstring",
        "it has no name",
        "it names no clause",
        "decimals is -1; expected 0 or more",
        "the range (1, 0) is empty",
        "an id stands twice in ('a', 'a')",
        "the symbol Q is taken by example.composite",
    ]


@pytest.mark.parametrize("bounds", [(), (0,), (0, 1, 2), ("Pass", 1)])
def test_a_range_is_two_numbers_or_texts(bounds: Bounds) -> None:
    with pytest.raises(DeclarationError, match="is neither"):
        declare(example(), bounds=bounds)


@pytest.mark.parametrize(
    ("bounds", "value", "inside"),
    [
        ((0, 1), 0, True),
        ((0, 1), 1, True),
        ((0, 1), Fraction(1, 2), True),
        ((0, 1), Fraction(-1, 10**30), False),
        ((0, 1), 1 + Fraction(1, 10**30), False),
        ((0, None), 10**400, True),
        ((0, None), -1, False),
        ((None, 1), -(10**400), True),
        ((None, None), 7, True),
        ((0, 1), "Pass", False),
        (("Pass", "Fail"), "Pass", True),
        (("Pass", "Fail"), "pass", False),
        (("Pass", "Fail"), 1, False),
        ((0, 1), Undefined("no runs"), True),
    ],
)
def test_a_range_includes_its_ends_and_says_nothing_of_undefined_values(
    bounds: Bounds, value: Number | str | Undefined, inside: bool
) -> None:
    bench = example()
    declare(bench, bounds=bounds)
    assert in_range(bench.metrics["example.other"], value) is inside
