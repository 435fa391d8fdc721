"""What a methodology page says of a declared metric, and where it finds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from lxml import html as lxml_html

from evalreport.core.declare import Bounds, Declarations, Metric
from evalreport.errors import EvalreportError
from evalreport.report.clauses import clause_parts, facts, metrics_of_clause
from evalreport.report.parts import filled


def toy() -> Declarations:
    """Two metrics with a formula and a definition between them."""
    d = Declarations("toy")
    d.variable("i", "item")
    d.given("S", "set of item", "items")
    d.given("x_i", "number", "score of item i")

    @d.metric(key="n", name="Items <b>", symbol="n", column="n", range=(0, None), clause="toy#n", of=(), formula="|S|")
    def n(scores: Sequence[int]) -> int:
        """How many items there are."""
        return len(scores)

    d.define("h", r"\frac{n}{2}", "half of the items <i>")

    @d.metric(
        key="mean", name="Mean", symbol="m", column="m", range=(0, 1), clause="toy#mean", of=(), better="higher",
        formula=r"\frac{\sum_{i \in S} x_i}{2 \cdot h}", needs="n > 0",
    )  # fmt: skip
    def mean(scores: Sequence[int]) -> Fraction:
        """Mean score."""
        return Fraction(sum(scores), len(scores))

    return d


def metric(key: str = "toy.mean") -> Metric:
    return toy().metrics[key]


@pytest.mark.parametrize(
    ("better", "words"),
    [
        ("higher", "higher is better"),
        ("lower", "lower is better"),
        (None, "neither direction is better"),
    ],
)
def test_the_direction_is_told_as_it_is_declared(better: str | None, words: str) -> None:
    changed = replace(metric(), better=better)  # type: ignore[arg-type]
    assert facts(changed) == f"Range 0 to 1, {words}, printed with 4 decimals."


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        ((None, None), "Any number"),
        ((0, None), "Range 0 and above"),
        ((None, Fraction(-1, 2)), "Range up to −0.5"),
        ((Fraction(-1, 3), Fraction(1, 4)), "Range −1/3 to 0.25"),
    ],
)
def test_the_range_is_told_exactly(bounds: Bounds, words: str) -> None:
    told = facts(replace(metric(), range=bounds, decimals=0, unit="points"))
    assert told == f"{words}, higher is better, in points, printed as a whole number."


def test_texts_have_no_decimals_and_a_reference_is_named() -> None:
    changed = replace(metric(), range=("a", "b"), better=None, checked_by="reference", reference="by hand.")
    assert facts(changed) == "One of a, b, neither direction is better. Checked against a reference: by hand."


def test_a_clause_shows_the_formula_its_condition_and_what_it_uses_up_to_other_metrics() -> None:
    html = filled(clause_parts(metric()), formula=lambda latex: f"[{latex}]", address=str)
    tree = lxml_html.fromstring(html)
    assert tree.get("id") == "metric-toy-mean"
    assert "[\\displaystyle m = \\frac{\\sum_{i \\in S} x_i}{2 \\cdot h}] for [n > 0]" in tree.text_content()
    assert tree.xpath("//dd")[0].text_content() == "[\\displaystyle h = \\frac{n}{2}] half of the items <i>"
    assert len(tree.xpath("//dd")) == 1  # n is a metric of its own


def test_words_of_a_declaration_are_text() -> None:
    html = filled(clause_parts(metric("toy.n")), formula=str, address=str)
    assert lxml_html.fromstring(html).xpath("//strong")[0].text_content() == "Items <b>"


def test_an_unknown_clause_is_told_with_the_nearest_one() -> None:
    assert [found.key for found in metrics_of_clause(toy(), "toy#n")] == ["toy.n"]
    with pytest.raises(EvalreportError, match=r"no metric is declared under 'toy#maen'; expected 'toy#mean'"):
        metrics_of_clause(toy(), "toy#maen")
