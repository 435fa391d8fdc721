"""What the reader takes, what it refuses, and where it says the fault is."""

from __future__ import annotations

import pytest

from evalreport.core.formula import FormulaError, Notation
from tests.core.formula.examples import refusal, small


@pytest.mark.parametrize(
    ("formula", "column", "why"),
    [
        (r"\frac{1}{N} \foo x", 13, r"\foo is not in the subset"),
        (r"\sumfoo", 1, "is not in the subset"),
        (r"\alpha \times P", 8, "is not in the subset"),
        (r"\alpha / P", 8, "is not in the subset"),
        ("\\alpha % P", 8, "is not in the subset"),
        (r"\mathrm{P", 1, "is not in the subset"),
        (r"\alpha P", 8, "two terms stand side by side"),
        ("2 P", 3, "two terms stand side by side"),
        (r"\frac{1}{2} |\alpha|", 13, "two terms stand side by side"),
        (r"(\alpha + 1)(P + 1)", 13, "two terms stand side by side"),
        (r"\sum_{r \in R} c_r y_r", 20, "two terms stand side by side"),
        (r"P (1 - \alpha)", 1, r"for a product write \cdot"),
        (r"P_{\text{FOUL}}", 4, "does not fit here"),
        (r"\sum_{i=1}^{N} c_i", 8, "does not fit here"),
        (r"\frac12", 6, "does not fit here"),
        (r"1{,}000", 2, "does not fit here"),
        (r"\alpha)", 7, "does not fit here"),
        (r"\left(\alpha)", 13, "does not fit here"),
        (r"(\alpha", 8, "ends too early"),
        ("", 1, "ends too early"),
        (r"\alpha^12", 8, "an exponent is one digit"),
        (r"\alpha^{0.5}", 8, "an exponent is one digit"),
        (r"\alpha^P", 8, "does not fit here"),
        (r"\frac{1}{2}^2", 1, "put parentheses around what is raised"),
        ("c_12", 3, "more than one sign needs braces"),
        (r"\sum(1, 2)", 1, "needs a set below it"),
        (r"c_{r, \mathrm{max}}", 7, "a label comes first"),
    ],
)
def test_what_is_outside_the_subset_is_refused_with_its_column(formula: str, column: int, why: str) -> None:
    said = refusal(formula)
    assert said.startswith(f"Z: column {column}: ")
    assert why in said
    assert said.endswith(f"; in {formula}")


@pytest.mark.parametrize(
    ("formula", "column", "why"),
    [
        (r"\beta + 1", 1, r"\beta is not declared"),
        ("c_r", 3, "the index r is not bound here"),
        (r"\sum_{r \in R} (c_r - y_q)", 25, "the index q is not bound here"),
        (r"\sum_{r \in R} c_r \cdot y_m", 28, "the index m is not bound here"),
        (r"\sum_{i \in R} 1", 7, "i is not declared as a variable"),
        (r"\sum_{m \in R} m", 7, "m stands for a number, but this is a set of run"),
        (r"\sum_{m \in V} c_m", 18, "the index m stands for a number; a run is expected"),
        (r"\sum_{r \in R} c_1", 18, "the index 1 is a number; a run is expected"),
        ("r + 1", 1, "the variable r is not bound here"),
        (r"\sum_{r \in R} c(r)", 16, "c(r) is written c_r"),
        (r"\sum_{r \in P} 1", 7, "r stands for a run, but this is a number"),
        ("R + 1", 1, "R is a set of run, not a number"),
        (r"f(\alpha)", 3, r"\alpha is a number, not a set of run"),
        (r"|\mathrm{class}|", 2, r"\mathrm{class} is not declared; declared: \mathrm{class}_r"),
        (r"\max_{r \in R} |\mathrm{class}_r|", 17, "bars stand around a number or a set, not a class"),
        (r"\#\{ r \in R : \mathrm{class}_r = \text{pass} \}", 35, "cannot be compared with ="),
        (r"\#\{ r \in R : c_r = \text{Pass} \}", 22, "cannot be compared with ="),
        (r"\#\{ r \in R : \mathrm{class}_r < \text{Pass} \}", 35, "cannot be compared with <"),
        (r"\#\{ r \in R : R = R \}", 20, "cannot be compared with ="),
        (r"\#\{ r \in R : r \in V \}", 22, r"cannot be compared with \in"),
        (r"\#\{ r \in R : c_r < y_r > 1 \}", 16, "one direction"),
        (r"\#\{ r \in R : c_r = 1 \text{ and } y_r = 1 \text{ or } c_r = 0 \}", 45, "does not fit here"),
        (r"\#\{ r \in R : c_r \}", 20, "does not fit here"),
        (r"\begin{cases} 1 & \text{if } P > 0 \\ \text{Pass} & \text{otherwise} \end{cases}", 1, "different kinds"),
        (r"\begin{cases} 1 & \text{if } P > 0 \\ 0 & \text{if } P = 0 \end{cases}", 60, "does not fit here"),
    ],
)
def test_what_goes_against_a_declaration_is_refused_with_its_column(formula: str, column: int, why: str) -> None:
    said = refusal(formula)
    assert said.startswith(f"Z: column {column}: "), said
    assert why in said


def test_a_fault_on_a_later_line_names_the_line() -> None:
    assert refusal("\\alpha +\n  \\beta").startswith("Z: line 2, column 3: \\beta is not declared")


@pytest.mark.parametrize(
    "formula",
    [
        r"\sum_{r \in R} c_r - 1",
        r"\prod_{r \in R} c_r + 1",
        r"\frac{1}{N} \sum_{r \in R} c_r + \alpha",
        r"1 + \sum_{r \in R} c_r - \alpha",
        r"2 \cdot \max_{r \in R} c_r - 1",
        r"-\max_{r \in R} c_r - 1",
        r"1 - \max_{r \in R} c_r - \alpha",
        r"1 - \max_{r \in R} c_r + \alpha",
        r"\max_{m \in V} \sum_{r \in R} c_r + \alpha",
        r"\max_{m \in V} m \cdot \operatorname*{mean}_{r \in R} c_r - 1",
        r"\sum_{m \in V} \max_{r \in R} c_r - 1",
    ],
)
def test_what_follows_an_open_operator_needs_parentheses(formula: str) -> None:
    assert "put parentheses" in refusal(formula)


@pytest.mark.parametrize(
    "formula",
    [
        r"\max_{r \in R} c_r - \alpha",
        r"1 + \max_{r \in R} c_r - \alpha",
        r"\max_{r \in R} c_r - \min_{r \in R} c_r",
        r"\operatorname*{median}_{r \in R} c_r + 1",
        r"1 - \sum_{r \in R} c_r",
        r"\left(\sum_{r \in R} c_r\right) + 1",
        r"\frac{\sum_{r \in R} c_r}{N} + 1",
        r"\min(\sum_{r \in R} c_r, 1) - 1",
        r"\alpha \cdot \sum_{r \in R} c_r \cdot y_r",
        r"\begin{cases} 1 & \text{if } P > 0 \\[1.2em] 0 & \text{otherwise} \end{cases}",
        "\\alpha \\; +\n \\, 1",
    ],
)
def test_what_cannot_be_misread_needs_no_parentheses(formula: str) -> None:
    assert refusal(formula) == ""


def test_a_variable_is_bound_once_at_a_time() -> None:
    assert "r is bound twice" in refusal(r"\max_{r \in R} \sum_{r \in R} c_r")
    assert refusal(r"\max_{r \in R} c_r + \max_{r \in R} y_r") == ""


def test_the_variable_of_the_head_is_not_bound_again() -> None:
    with pytest.raises(FormulaError, match="r is bound twice"):
        small().define("Z_r", r"\sum_{r \in R} c_r", "")


def test_a_letter_means_one_thing_in_a_suite() -> None:
    notation = small()
    with pytest.raises(FormulaError, match="r already stands for a run"):
        notation.variable("r", "result")
    with pytest.raises(FormulaError, match="P is already a symbol: pass rate"):
        notation.variable("P", "party")
    with pytest.raises(FormulaError, match="r is a variable"):
        notation.define("r", "1", "")


def test_a_head_is_declared_once_for_each_number_of_arguments() -> None:
    notation = small()
    with pytest.raises(FormulaError, match="P is declared twice: pass rate; another"):
        notation.given("P", "number", "another")
    assert notation.define("P_r", "c_r", "a symbol with an argument is another symbol").params == ("r",)


def test_a_head_takes_declared_variables_only_and_each_once() -> None:
    with pytest.raises(FormulaError, match="q is not declared as a variable; in Z_q"):
        small().define("Z_q", "1", "")
    with pytest.raises(FormulaError, match=r"stands twice in Z_\{r,r\}"):
        small().define("Z_{r,r}", "1", "")


def test_an_upright_subscript_is_part_of_the_name_and_an_italic_one_an_argument() -> None:
    notation = small()
    both = notation.define(r"Q_{\mathrm{final}, r}", "c_r", "")
    assert (both.name, both.params) == (r"Q_{\mathrm{final}}", ("r",))
    assert notation.define(r"c_{\max}", r"\max_{r \in R} c_r", "").params == ()
    assert notation.define(r"s(m, X)", r"m \cdot f(X)", "").params == ("m", "X")


def test_a_definition_uses_only_what_stands_above_it() -> None:
    with pytest.raises(FormulaError, match="Z is not declared"):
        small().define("Z", "Z + 1", "")


def test_a_text_needs_a_declared_text_type() -> None:
    notation = small()
    rows = r"\begin{cases} \text{Pass} & \text{if } c_r > 0 \\ \text{Fail} & \text{otherwise} \end{cases}"
    with pytest.raises(FormulaError, match="a number or a set is declared"):
        notation.define("z_r", rows, "")
    with pytest.raises(FormulaError, match=r"z_r: it is a text:Pass\|Maybe; class is declared"):
        notation.define("z_r", rows.replace("Fail", "Maybe"), "", type="class")
    assert notation.define("z_r", rows, "", type="class").type == "class"


def test_a_condition_is_no_definition() -> None:
    with pytest.raises(FormulaError, match="does not fit here"):
        small().define("Z", "P > 0", "")
    with pytest.raises(FormulaError, match=r"Z needs: column 2: the formula ends too early; in P"):
        small().define("Z", "1", "", "P")


def test_a_long_sum_is_read() -> None:
    notation = Notation("long")
    notation.define("Z", " + ".join(["1"] * 3000), "generated from a table of rules")
    notation.define("Y", r" \cdot ".join(["1"] * 3000), "generated from a table of rules")
    assert notation.over({}).value("Z") == 3000
    assert notation.over({}).value("Y") == 1


def test_identity_changes_with_the_formula_its_condition_and_what_it_uses_and_with_nothing_else() -> None:
    def identity(*, n: str = "|R|", z: str = r"\frac{P}{n}", needs: str | None = "n > 0", meaning: str = "") -> str:
        notation = small()
        notation.define("n", n, meaning)
        return notation.define("Z", z, meaning, needs).identity()

    first = identity()
    assert len(first) == 64
    assert identity(meaning="other words") == first
    changed = [identity(n="|R| + 0"), identity(z=r"\frac{P}{n} + 0"), identity(needs="n > 1"), identity(needs=None)]
    assert len({first, *changed}) == 5


def test_a_condition_counts_among_what_a_definition_uses() -> None:
    notation = small()
    notation.define("n", "|R|", "")
    assert [symbol.head for symbol in notation.define("Z", r"\alpha", "", "n > 0").uses] == [r"\alpha", "n"]
