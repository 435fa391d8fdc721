"""A formula with numbers put in, the steps of an audit page, and reasons in plain words."""

from __future__ import annotations

from fractions import Fraction

import pytest

from evalreport.core.exact import Number
from evalreport.core.formula import FormulaError, Notation, Weighted
from evalreport.core.formula.printing import decimal, plain
from evalreport.core.formula.wording import words
from tests.core.formula.examples import small

C = {n: Fraction(n, 10) for n in range(1, 11)}.__getitem__


def shown(formula: str, data: dict[str, object], *, terms: int = 3) -> str:
    notation = small()
    notation.define("Z", formula, "tested")
    return notation.over(data, terms).shown("Z")


def steps(formula: str, data: dict[str, object], needs: str | None = None) -> tuple[str, ...]:
    notation = small()
    notation.define("Z", formula, "tested", needs)
    return notation.over(data).steps("Z")


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(1, 2), "0.5"),
        (Fraction(-1, 4), "-0.25"),
        (Fraction(1, 3), r"0.3333\ldots"),
        (12, "12"),
        (100, "100"),
        (0, "0"),
        (Fraction(-2, 3), r"-0.6666\ldots"),
        (Fraction(1, 100000), r"0.0000\ldots"),
        (Fraction(99999, 100000), r"0.9999\ldots"),
    ],
)
def test_a_number_is_exact_or_cut_and_marked_never_rounded(number: Number, text: str) -> None:
    assert decimal(number) == text


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("Pass", r"\text{Pass}"),
        ("first_party", r"\text{first\_party}"),
        ("50% & $x", r"\text{50\% \& \$x}"),
        (r"\frac{1}", r"\text{\textbackslash{}frac\{1\}}"),
        ("a~b^c#", r"\text{a\textasciitilde{}b\textasciicircum{}c\#}"),
        ("two\nlines", r"\text{two lines}"),
        ("评估", r"\text{评估}"),
        ("تقييم", r"\text{?????}"),
        ("\x00\u202e", r"\text{??}"),
    ],
)
def test_a_text_from_the_data_cannot_leave_its_place(text: str, latex: str) -> None:
    assert plain(text) == latex


def test_a_record_has_no_notation() -> None:
    assert plain(("a", 1)) == r"\ast"


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (r"\alpha \cdot P", r"(-0.5) \cdot 2"),
        (r"P - \alpha", "2 - (-0.5)"),
        (r"\alpha - P", "-0.5 - 2"),
        (r"-\alpha", "-(-0.5)"),
        (r"\alpha^2", "(-0.5)^2"),
        (r"P^{-2}", "2^{-2}"),
        (r"\frac{\alpha}{P}", r"\frac{-0.5}{2}"),
        (r"(\alpha + P) \cdot 2", r"(-0.5 + 2) \cdot 2"),
        (r"\left| \alpha \right| + |P|", r"\left| -0.5 \right| + |2|"),
        (r"\sqrt{P + 2}", r"\sqrt{2 + 2}"),
        (r"\max(\alpha, P)", r"\max(-0.5, 2)"),
        (r"N^2", r"(0.3333\ldots)^2"),
        (r"\mathbf{1}[0 < P \le 3]", r"\mathbf{1}[0 < 2 \le 3]"),
        (
            r"\mathbf{1}[(P > 0 \text{ or } P < 0) \text{ and } P = 2]",
            r"\mathbf{1}[(2 > 0 \text{ or } P < 0) \text{ and } 2 = 2]",
        ),
        (r"|R| \cdot \#\{ r \in R : c_r > 0.1 \}", r"3 \cdot 2"),
        (r"\mathbf{1}[P \in V]", r"\mathbf{1}[2 \in V]"),
        (r"\mathbf{1}[c_r > 0 \text{ for all } r \in R]", r"\mathbf{1}[c_r > 0 \text{ for all } r \in R]"),
    ],
)
def test_symbols_become_numbers_and_keep_their_place(formula: str, text: str) -> None:
    data = {r"\alpha": Fraction(-1, 2), "P": 2, "N": Fraction(1, 3), "R": [1, 2, 3], "c_r": C, "V": [2]}
    assert shown(formula, data) == text


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (r"\sum_{r \in R} c_r", "0.1 + 0.2 + 0.3"),
        (r"\frac{1}{3} \sum_{r \in R} c_r", r"\frac{1}{3} \cdot (0.1 + 0.2 + 0.3)"),
        (r"\frac{\sum_{r \in R} c_r}{|R|}", r"\frac{0.1 + 0.2 + 0.3}{3}"),
        (r"1 - \sum_{r \in R} c_r", "1 - (0.1 + 0.2 + 0.3)"),
        (r"1 - \prod_{r \in R} (1 - c_r)", r"1 - (1 - 0.1) \cdot (1 - 0.2) \cdot (1 - 0.3)"),
        (r"\operatorname*{mean}_{r \in R} c_r", r"\frac{1}{3} \cdot (0.1 + 0.2 + 0.3)"),
        (r"\operatorname*{median}_{r \in R} c_r", r"\operatorname*{median}(0.1, 0.2, 0.3)"),
        (r"\max_{r \in R} c_r - \min_{r \in R} c_r", r"\max(0.1, 0.2, 0.3) - \min(0.1, 0.2, 0.3)"),
        (r"\sum_{r \in R} \mathbf{1}[c_r > 0.1]", "0 + 1 + 1"),
        (r"\sum_{\substack{r \in R \\ c_r > 0.2}} (c_r - 1)^2", "(0.3 - 1)^2"),
        (r"\frac{\sum_{\substack{r \in R \\ c_r > 0.2}} (c_r - 1)^2}{2}", r"\frac{(0.3 - 1)^2}{2}"),
        (r"\sum_{\substack{r \in R \\ c_r > 1}} c_r", "0"),
        (r"\prod_{\substack{r \in R \\ c_r > 1}} c_r", "1"),
        (r"\max_{m \in \{1, \dots, 2\}} \sum_{r \in R} c_r", r"\max(0.1 + 0.2 + 0.3, 0.1 + 0.2 + 0.3)"),
    ],
)
def test_an_operator_is_written_out(formula: str, text: str) -> None:
    assert shown(formula, {"R": [1, 2, 3], "c_r": C}) == text


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        (r"\sum_{r \in R} c_r", r"0.1 + 0.2 + 0.3 + \cdots + 1"),
        (r"\prod_{r \in R} c_r", r"0.1 \cdot 0.2 \cdot 0.3 \cdot \cdots \cdot 1"),
        (r"\operatorname*{mean}_{r \in R} c_r", r"\frac{1}{10} \cdot (0.1 + 0.2 + 0.3 + \cdots + 1)"),
        (r"\max_{r \in R} c_r", r"\max(0.1, 0.2, 0.3, \ldots, 1)"),
    ],
)
def test_more_than_four_terms_show_the_first_three_and_the_last(formula: str, text: str) -> None:
    assert shown(formula, {"R": range(1, 11), "c_r": C}) == text


def test_how_many_terms_are_shown_is_a_setting() -> None:
    data: dict[str, object] = {"R": range(1, 5), "c_r": C}
    assert shown(r"\sum_{r \in R} c_r", data) == "0.1 + 0.2 + 0.3 + 0.4"
    assert shown(r"\sum_{r \in R} c_r", data, terms=2) == r"0.1 + 0.2 + \cdots + 0.4"
    with pytest.raises(FormulaError, match="terms is 0"):
        shown("1", {}, terms=0)


def test_merged_records_are_written_out_one_by_one() -> None:
    assert shown(r"\sum_{r \in R} c_r", {"R": Weighted([1, 2], [2, 1]), "c_r": C}) == "0.1 + 0.1 + 0.2"
    many = Weighted([1, 2], [10**9, 1])
    assert shown(r"\sum_{r \in R} c_r", {"R": many, "c_r": C}) == r"0.1 + 0.1 + 0.1 + \cdots + 0.2"


def test_cases_show_the_conditions_that_were_tested_and_the_row_that_holds() -> None:
    def rows(first: str, second: str, last: str) -> str:
        return rf"\begin{{cases}} {first} \\ {second} \\ {last} & \text{{otherwise}} \end{{cases}}"

    formula = rows(r"\frac{1}{N} & \text{if } N > 0", r"2 \cdot P & \text{if } P > 0", "N")
    first = rows(r"\frac{1}{4} & \text{if } 4 > 0", r"2 \cdot P & \text{if } P > 0", "N")
    second = rows(r"\frac{1}{N} & \text{if } 0 > 0", r"2 \cdot 3 & \text{if } 3 > 0", "N")
    last = rows(r"\frac{1}{N} & \text{if } 0 > 0", r"2 \cdot P & \text{if } 0 > 0", "0")
    assert shown(formula, {"N": 4, "P": 3}) == first
    assert shown(formula, {"N": 0, "P": 3}) == second
    assert shown(formula, {"N": 0, "P": 0}) == last


def test_what_was_not_evaluated_keeps_its_symbols() -> None:
    data: dict[str, object] = {"N": 0, "P": 1}
    assert shown(r"\mathbf{1}[P > 1 \text{ and } \frac{1}{N} > 0]", data) == (
        r"\mathbf{1}[1 > 1 \text{ and } \frac{1}{N} > 0]"
    )
    assert shown(r"\mathbf{1}[P = 1 \text{ or } \frac{1}{N} > 0]", data) == (
        r"\mathbf{1}[1 = 1 \text{ or } \frac{1}{N} > 0]"
    )
    assert shown(r"\mathbf{1}[2 < P < \frac{1}{N}]", data) == r"\mathbf{1}[2 < 1 < \frac{1}{N}]"


def test_where_there_is_no_value_the_reason_is_shown() -> None:
    assert shown(r"\frac{1}{|R|}", {"R": []}) == r"\text{undefined: } |R| = 0"
    assert steps(r"\sum_{r \in R} c_r", {"R": [], "c_r": C}, "|R| > 0") == (
        r"Z = \sum_{r \in R} c_r \quad \text{for } |R| > 0",
        r"\text{undefined: } \text{not } |R| > 0",
    )


def test_the_steps_end_in_the_collapsed_sum_and_the_decimal() -> None:
    # 0.01 · (1 + 4 + … + 100) = 3.85
    assert steps(r"\frac{1}{|R|} \sum_{r \in R} c_r^2", {"R": range(1, 11), "c_r": C}) == (
        r"Z = \frac{1}{|R|} \sum_{r \in R} c_r^2",
        r"= \frac{1}{10} \cdot (0.1^2 + 0.2^2 + 0.3^2 + \cdots + 1^2)",
        r"= \frac{1}{10} \cdot \frac{77}{20}",
        "= 0.385",
    )


def test_a_mean_collapses_to_a_sum_over_its_number_of_terms() -> None:
    # ((0.1 − 0.5) + … + (1 − 0.5)) / 10 = (5.5 − 5) / 10
    assert steps(r"\operatorname*{mean}_{r \in R} (0.5 - c_r)", {"R": range(1, 11), "c_r": C})[2:] == (
        r"= \frac{1}{10} \cdot (-\frac{1}{2})",
        "= -0.05",
    )


def test_a_sum_that_is_shown_whole_has_no_collapsed_line() -> None:
    assert steps(r"\frac{1}{|R|} \sum_{r \in R} c_r", {"R": [1, 2], "c_r": C}) == (
        r"Z = \frac{1}{|R|} \sum_{r \in R} c_r",
        r"= \frac{1}{2} \cdot (0.1 + 0.2)",
        "= 0.15",
    )
    assert steps("|R|", {"R": [1, 2]}) == ("Z = |R|", "= 2")


def test_a_collapsed_sum_too_long_to_read_is_a_decimal() -> None:
    numbers = [Fraction(1, p) for p in (101, 103, 107, 109, 113, 127, 131, 137, 139)]
    assert steps(r"\sum_{m \in V} m", {"V": numbers})[2:] == (r"= 0.0769\ldots",)


def test_the_steps_of_a_text_and_of_a_set() -> None:
    notation = small()
    rows = r"\begin{cases} \text{Pass} & \text{if } c_r > 0.1 \\ \text{Fail} & \text{otherwise} \end{cases}"
    notation.define("z_r", rows, "", type="class")
    notation.define("H", r"\{ r \in R : c_r > 0.1 \}", "high")
    evaluation = notation.over({"R": [1, 2, 3], "c_r": C})
    assert evaluation.steps("z_r", 2) == (
        f"z_r = {rows}",
        r"= \begin{cases} \text{Pass} & \text{if } 0.2 > 0.1 \\ \text{Fail} & \text{otherwise} \end{cases}",
        r"= \text{Pass}",
    )
    assert evaluation.steps("H") == (r"H = \{ r \in R : c_r > 0.1 \}", r"\left| H \right| = 2")


def test_only_a_definition_is_shown() -> None:
    with pytest.raises(FormulaError, match="N is given with the data"):
        small().over({"N": 1}).shown("N")


def test_a_hostile_name_is_shown_escaped() -> None:
    notation = Notation("names")
    notation.variable("f", "family")
    notation.values("family")
    notation.given("F", "set of family", "families")
    notation.define("n_f", r"\mathbf{1}[f \in F]", "")
    name = "}<script>$&\\_`"
    assert notation.over({"F": [name]}).shown("n_f", name) == (
        r"\mathbf{1}[\text{\}<script>\$\&\textbackslash{}\_`} \in F]"
    )


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"R_f \text{ is empty}", "R_f is empty"),
        (r"\mathrm{cat}_s \ne \text{first\_party}", "cat_s ≠ first_party"),
        (r"\bar{x}_{a,t} = 0", "x̄_a,t = 0"),
        (r"\mu_{\max}(x) - \mu_{\min}(x) = 0", "μ_max(x) - μ_min(x) = 0"),
        (r"\{ r \in R : c_r \le \frac{1}{\sqrt{N}} \}", "{ r in R : c_r ≤ (1)/(√(N)) }"),
        (r"\left| \mathrm{sub}(f) \right| = 0", "| sub(f) | = 0"),
        (r"\#\{ k \notin A(r) \}", "#{ k not in A(r) }"),
        (r"2 \cdot n_a^2", "2 · n_a^2"),
    ],
)
def test_a_reason_is_plain_words(latex: str, text: str) -> None:
    assert words(latex) == text
