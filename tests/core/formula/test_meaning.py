"""What a formula means: numbers, products, undefined values, sets, roots."""

from __future__ import annotations

from fractions import Fraction

import pytest

from evalreport.core.exact import Undefined
from evalreport.core.formula import FormulaError, Notation, Set, Weighted
from tests.core.formula.examples import small, value_of

C = {1: Fraction(1, 2), 2: Fraction(1, 4), 3: 1}.__getitem__
RUNS: dict[str, object] = {"R": [1, 2, 3], "c_r": C}


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("0.1 + 0.2", Fraction(3, 10)),
        ("2 - 3 - 4", -5),
        ("-2 + 3", 1),
        ("-2^2", -4),
        ("(-2)^2", 4),
        (r"2 \cdot 3^2", 18),
        (r"2^{-2}", Fraction(1, 4)),
        ("0^0", 1),
        (r"\frac{1}{2} \cdot \frac{2}{3}", Fraction(1, 3)),
        (r"|2 - 5|", 3),
        (r"\left| 2 - |3 - 9| \right|", 4),
        (r"\max(1, 3, 2) - \min(1, 3, 2)", 2),
        (r"\operatorname*{mean}(1, 2)", Fraction(3, 2)),
        (r"\operatorname*{median}(5, 1, 2)", 2),
        (r"\operatorname*{median}(5, 1, 2, 3)", Fraction(5, 2)),
        (r"\sqrt{\frac{9}{4}}", Fraction(3, 2)),
        (r"\mathbf{1}[1 < 2] - \mathbf{1}[2 < 1]", 1),
        (r"|\{3, \dots, 7\}|", 5),
        (r"|\{3, \dots, 2\}|", 0),
    ],
)
def test_arithmetic_is_exact(formula: str, value: object) -> None:
    got = value_of(formula, {})
    assert got == value
    assert type(got) is type(value)


@pytest.mark.parametrize("bad", [0.5, True, None, "1"])
def test_data_that_are_no_exact_number_are_refused_with_symbol_and_value(bad: object) -> None:
    with pytest.raises(FormulaError, match=f"c_r is {bad!r}; an int or a Fraction is expected"):
        value_of(r"\sum_{r \in R} c_r", {"R": [1], "c_r": lambda r: bad})
    with pytest.raises(FormulaError, match=f"an item of V is {bad!r}"):
        value_of(r"\sum_{m \in V} m", {"V": [1, bad]})
    with pytest.raises(FormulaError, match=f"N is {bad!r}"):
        value_of("N + 1", {"N": bad if bad is not None else (lambda: None)})


def test_a_text_outside_its_type_is_refused() -> None:
    with pytest.raises(FormulaError, match=r"class.* is 'pass'; expected Pass or Fail"):
        value_of(r"\#\{ r \in R : \mathrm{class}_r = \text{Pass} \}", {"R": [1], r"\mathrm{class}_r": lambda r: "pass"})


def test_data_name_only_given_symbols_and_all_that_are_needed() -> None:
    with pytest.raises(FormulaError, match="the data hold Q, which is not a given symbol"):
        value_of("1", {"Q": 1})
    with pytest.raises(FormulaError, match="the data hold no N"):
        value_of("N", {})
    with pytest.raises(FormulaError, match="c_r takes arguments; the data hold 1"):
        value_of(r"\sum_{r \in R} c_r", {"R": [1], "c_r": 1})


def test_a_value_is_asked_for_with_the_arguments_of_its_head() -> None:
    evaluation = small().over({"c_r": C})
    assert evaluation.value("c_r", 2) == Fraction(1, 4)
    with pytest.raises(FormulaError, match="c_r takes 1 arguments; 0 are given"):
        evaluation.value("c_r")
    with pytest.raises(FormulaError, match="small: q_r is not declared"):
        evaluation.value("q_r", 1)


def test_an_operator_reaches_over_the_product_that_follows() -> None:
    # 0.5 · 0.5 + 0.25 · 0.25 + 1 · 1
    assert value_of(r"\sum_{r \in R} c_r \cdot c_r", RUNS) == Fraction(21, 16)
    assert value_of(r"\left(\sum_{r \in R} c_r\right) \cdot 2", RUNS) == Fraction(7, 2)
    assert value_of(r"1 - \prod_{r \in R} c_r", RUNS) == Fraction(7, 8)


def test_a_constant_after_a_maximum_means_the_same_inside_and_outside() -> None:
    outside = value_of(r"\max_{r \in R} c_r - 0.25", RUNS)
    inside = value_of(r"\max_{r \in R} (c_r - 0.25)", RUNS)
    assert outside == inside == Fraction(3, 4)


def test_a_factor_stands_beside_an_operator_without_a_sign() -> None:
    assert value_of(r"\frac{1}{3} \sum_{r \in R} c_r", RUNS) == Fraction(7, 12)
    assert value_of(r"\frac{1}{3} \cdot \sum_{r \in R} c_r", RUNS) == Fraction(7, 12)


@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        (r"\frac{1}{N}", "N = 0"),
        (r"N^{-1}", "N = 0"),
        (r"0 \cdot \frac{1}{N}", "N = 0"),
        (r"\frac{1}{|R|}", "|R| = 0"),
        (r"\sqrt{N - 1}", "root of a negative number"),
        (r"\max_{r \in R} c_r", "R is empty"),
        (r"\operatorname*{mean}_{r \in R} c_r", "R is empty"),
        (r"\operatorname*{median}_{m \in \{1, \dots, N\}} m", "{1, …, N} is empty"),
        (r"\min_{\substack{m \in V \\ m > 5}} m", "{ m in V : m > 5 } is empty"),
        (r"\sum_{m \in V} \frac{1}{m - 1}", "m - 1 = 0"),
        (r"\max(1, \frac{1}{N})", "N = 0"),
        (r"\mathbf{1}[\frac{1}{N} > 0]", "N = 0"),
    ],
)
def test_where_there_is_no_value_the_reason_is_told_in_plain_words(formula: str, reason: str) -> None:
    assert value_of(formula, {"N": 0, "R": [], "c_r": C, "V": [1, 2]}) == Undefined(reason)


def test_an_empty_sum_is_0_and_an_empty_product_is_1() -> None:
    assert value_of(r"\sum_{r \in R} c_r", {"R": [], "c_r": C}) == 0
    assert value_of(r"\prod_{r \in R} c_r", {"R": [], "c_r": C}) == 1


def test_a_failed_condition_is_the_reason() -> None:
    assert value_of(r"\sum_{r \in R} c_r", {"R": [], "c_r": C}, needs="|R| > 0") == Undefined("not |R| > 0")
    assert value_of(r"\sum_{r \in R} c_r", RUNS, needs="|R| > 0") == Fraction(7, 4)


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        (r"\mathbf{1}[N > 0 \text{ and } \frac{1}{N} > 0]", 0),
        (r"\mathbf{1}[N = 0 \text{ or } \frac{1}{N} > 0]", 1),
        (r"\mathbf{1}[1 < N < \frac{1}{N}]", 0),
        (r"\mathbf{1}[(N = 0 \text{ or } \frac{1}{N} > 0) \text{ and } 1 = 1]", 1),
        (r"\mathbf{1}[\frac{1}{m} > 1 \text{ for all } m \in V]", 0),
        (
            r"\begin{cases} 7 & \text{if } N = 0 \\ 8 & \text{if } \frac{1}{N} > 0 \\ 9 & \text{otherwise} \end{cases}",
            7,
        ),
        (r"\begin{cases} \frac{1}{N} & \text{if } N > 0 \\ 0 & \text{otherwise} \end{cases}", 0),
    ],
)
def test_an_undefined_value_that_is_not_reached_does_no_harm(formula: str, value: int) -> None:
    assert value_of(formula, {"N": 0, "V": [2, 0]}) == value


def test_for_all_holds_for_an_empty_set() -> None:
    assert value_of(r"\mathbf{1}[c_r = 5 \text{ for all } r \in R]", {"R": [], "c_r": C}) == 1
    assert value_of(r"\mathbf{1}[c_r > 0 \text{ for all } r \in R]", RUNS) == 1
    assert value_of(r"\mathbf{1}[c_r > 0.25 \text{ for all } r \in R]", RUNS) == 0


def test_two_equal_records_stay_two() -> None:
    assert value_of("|R|", {"R": ["a", "a"]}) == 2
    assert value_of(r"\sum_{m \in V} m", {"V": [2, 2, 3]}) == 7


def test_an_image_holds_distinct_values_in_order() -> None:
    notation = small()
    notation.define("G", r"\{ c_r : r \in R \}", "distinct confidences")
    confidences = {1: Fraction(1, 2), 2: 0, 3: Fraction(1, 2), 4: Fraction(2, 4)}
    found = notation.over({"R": [1, 2, 3, 4], "c_r": confidences.__getitem__}).value("G")
    assert isinstance(found, Set)
    assert list(found) == [0, Fraction(1, 2)]


def test_a_set_keeps_the_order_of_the_data() -> None:
    notation = small()
    notation.define("H", r"\{ r \in R : c_r \ge 0.5 \}", "high")
    found = notation.over({"R": [3, 2, 1], "c_r": C}).value("H")
    assert isinstance(found, Set)
    assert list(found) == [3, 1]


def test_membership_is_by_equality_and_sets_are_equal_only_to_themselves() -> None:
    assert value_of(r"\#\{ m \in V : m \in \{2, \dots, 3\} \}", {"V": [1, 2, 3]}) == 2
    assert value_of(r"\#\{ m \in V : m \notin \{2, \dots, 3\} \}", {"V": [1, 2, 3]}) == 1
    assert Set.of([1]) != Set.of([1])


def test_an_unordered_set_is_sorted_and_records_need_an_order() -> None:
    assert list(Set.of({"b", "a"})) == ["a", "b"]
    with pytest.raises(FormulaError, match="records are given without an order"):
        Set.of({("b", 1), ("a", 1)})
    for bad in ("abc", 7, iter([1])):
        with pytest.raises(FormulaError, match="is not a set"):
            Set.of(bad)


def test_a_range_has_integer_ends() -> None:
    with pytest.raises(FormulaError, match=r"N is 5/2 in .*; an integer is expected"):
        value_of(r"|\{1, \dots, N\}|", {"N": Fraction(5, 2)})


def test_a_weighted_set_counts_a_record_as_often_as_it_occurs() -> None:
    data: dict[str, object] = {"R": Weighted([1, 2, 3], [2, 1, 1]), "c_r": C}
    assert value_of("|R|", data) == 4
    assert value_of(r"\sum_{r \in R} c_r", data) == Fraction(1, 2) + Fraction(1, 2) + Fraction(1, 4) + 1
    assert value_of(r"\prod_{r \in R} c_r", data) == Fraction(1, 16)
    assert value_of(r"\operatorname*{mean}_{r \in R} c_r", data) == Fraction(9, 16)
    assert value_of(r"\operatorname*{median}_{r \in R} c_r", data) == Fraction(1, 2)
    assert value_of(r"\#\{ r \in R : c_r = 0.5 \}", data) == 2
    assert value_of(r"|\{ c_r : r \in R \}|", data) == 3


@pytest.mark.parametrize("counts", [[1], [1, 0], [1, -1], [1, True], [1, 2.0]])
def test_a_weighted_set_has_one_positive_count_for_each_item(counts: list[int]) -> None:
    with pytest.raises(FormulaError, match="count"):
        Weighted(["a", "b"], counts)


def test_a_root_that_is_not_rational_is_cut_after_60_decimals_and_marks_what_uses_it() -> None:
    notation = small()
    assert notation.define("h", r"\sqrt{2}", "").exact is False
    assert notation.define("l", "1 - h", "").exact is False
    assert notation.define("g", "1", "", r"\sqrt{2} > 1").exact is False
    assert notation.define("n", "|R|", "").exact is True
    root = notation.over({}).value("h")
    assert isinstance(root, Fraction)
    assert root**2 < 2 < (root + Fraction(1, 10**60)) ** 2


def test_a_symbol_is_told_from_another_by_its_number_of_arguments() -> None:
    notation = small()
    notation.define("n", "|R|", "")
    notation.define("n_m", r"n + m", "")
    assert notation.over({"R": [1, 2]}).value("n_m", 5) == 7


def test_a_set_valued_given_with_arguments_nests() -> None:
    notation = Notation("groups")
    notation.variable("g", "group")
    notation.variable("p", "part")
    notation.variable("s", "subset")
    for text_type in ("group", "part", "subset"):
        notation.values(text_type)
    notation.given("G", "set of group", "groups")
    notation.given("P(g)", "set of part", "parts of group g")
    notation.given("S_{g,p}", "set of subset", "subsets of part p in group g")
    notation.given("a_s", "number", "accuracy of subset s")
    notation.define(
        r"\mathrm{overall}",
        r"\operatorname*{mean}_{g \in G} \operatorname*{mean}_{p \in P(g)} \operatorname*{mean}_{s \in S_{g,p}} a_s",
        "mean over groups of means over parts",
    )
    parts = {"ast": ["live", "plain"], "exec": ["plain"]}
    subsets = {("ast", "live"): ["a"], ("ast", "plain"): ["b", "c"], ("exec", "plain"): ["d"]}
    accuracy = {"a": 1, "b": Fraction(1, 2), "c": 0, "d": Fraction(3, 4)}
    evaluation = notation.over(
        {
            "G": ["ast", "exec"],
            "P(g)": parts.__getitem__,
            "S_{g,p}": lambda g, p: subsets[g, p],
            "a_s": accuracy.__getitem__,
        }
    )
    # ((1 + (0.5 + 0) / 2) / 2 + 0.75) / 2
    assert evaluation.value(r"\mathrm{overall}") == Fraction(11, 16)
    shown = r"\frac{1}{2} \cdot (\frac{1}{2} \cdot (1 + \frac{1}{2} \cdot (0.5 + 0)) + 0.75)"
    assert evaluation.shown(r"\mathrm{overall}") == shown


def test_a_set_of_sets_is_grouped_by_its_members() -> None:
    notation = Notation("tuples")
    notation.variable("r", "result")
    notation.variable("t", "set of result")
    notation.given(r"\mathcal{T}", "set of set of result", "tuples")
    notation.given("g_r", "number", "gap")
    notation.define(r"\bar{g}", r"\operatorname*{mean}_{t \in \mathcal{T}} \max_{r \in t} g_r", "rate of gaps")
    data = {r"\mathcal{T}": [[1, 2], Weighted([1], [3])], "g_r": {1: 0, 2: 1}.__getitem__}
    assert notation.over(data).value(r"\bar{g}") == Fraction(1 + 0, 2)
