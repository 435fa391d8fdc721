"""The rule families are data, and the data hold together."""

from __future__ import annotations

from fractions import Fraction

import pytest

from evalreport.suites.bfcl.aggregate import weights
from evalreport.suites.bfcl.releases import SIZES, subset_name
from evalreport.suites.bfcl.rules import RULES, Node, Rules, categories, terms

EVERY = pytest.mark.parametrize("rules", RULES.values(), ids=RULES)


@EVERY
def test_every_subset_has_one_place_and_a_size_in_the_release(rules: Rules) -> None:
    listed = rules.tree.subsets()
    assert len(listed) == len(set(listed))
    assert set(listed) <= set(SIZES[rules.release])


@EVERY
def test_every_tree_is_whole_category_term_subset(rules: Rules) -> None:
    for category in categories(rules.tree):
        for term in terms(category):
            assert all(isinstance(child, str) for child in term.children)
            # the formula language has one symbol for a term: the mean of its subsets
            assert term.how == "mean"


@EVERY
def test_names_of_nodes_and_terms_are_unique_in_a_tree(rules: Rules) -> None:
    keys = [n.key for n in rules.tree.walk()]
    names = [t.key for c in categories(rules.tree) for t in terms(c)]
    assert len(keys) == len(set(keys))
    assert len(names) == len(set(names))


@EVERY
def test_the_weights_of_all_subsets_add_up_to_one(rules: Rules) -> None:
    assert sum(weights(rules.tree, SIZES[rules.release]).values()) == 1


def test_31_javascript_samples_weigh_as_much_as_248_python_samples() -> None:
    # a third of the categories, a quarter of non-live, a third of simple
    found = weights(RULES["mlperf-edge"].tree, SIZES["V4"])
    assert found["simple_javascript"] == found["simple_python"] == Fraction(1, 3 * 4 * 3)


def test_version_4_weighs_its_categories_10_10_10_30_40() -> None:
    found = weights(RULES["bfcl-v4"].tree, SIZES["V4"])
    assert found["irrelevance"] == Fraction(10, 100) / 2
    assert found["multi_turn_base"] == Fraction(30, 100) / 4
    assert found["memory_kv"] == Fraction(40, 100) / 2 / 3
    assert found["web_search_base"] == Fraction(40, 100) / 2 / 2
    assert found["live_parallel"] == Fraction(10, 100) * Fraction(16, 258 + 1053 + 16 + 24)


def test_version_1_has_1700_samples() -> None:
    assert sum(SIZES["V1"].values()) == 1700


def test_the_sizes_of_the_live_subsets_changed_with_each_release() -> None:
    names = ("live_multiple", "live_irrelevance", "live_relevance")
    found = {release: tuple(SIZES[release].get(s) for s in names) for release in SIZES}
    assert found == {
        "V1": (None, None, None),
        "V2": (1037, 875, 41),
        "V3": (1053, 882, 18),
        "V4": (1053, 884, 16),
    }


def test_the_sizes_of_the_latest_release() -> None:
    assert SIZES["V4"] == {
        "simple_python": 400, "simple_java": 100, "simple_javascript": 50,
        "multiple": 200, "parallel": 200, "parallel_multiple": 200, "irrelevance": 240,
        "live_simple": 258, "live_multiple": 1053, "live_parallel": 16, "live_parallel_multiple": 24,
        "live_irrelevance": 884, "live_relevance": 16,
        "multi_turn_base": 200, "multi_turn_miss_func": 200, "multi_turn_miss_param": 200,
        "multi_turn_long_context": 200,
        "web_search_base": 100, "web_search_no_snippet": 100,
        "memory_kv": 155, "memory_vector": 155, "memory_rec_sum": 155,
    }  # fmt: skip


def test_executable_groups_count_in_version_3_only_when_one_was_run() -> None:
    rules = RULES["bfcl-v3"]
    without, run = rules.shape({"multiple"}), rules.shape({"rest"})
    assert without is not None
    assert run is not None
    assert set(run.subsets()) - set(without.subsets()) == rules.optional


def test_dropping_subsets_drops_nodes_that_lost_all_of_theirs() -> None:
    tree = Node("t", "T", "weighted", ("a", Node("b", "B", "mean", ("x",))), (Fraction(1, 4), Fraction(3, 4)))
    assert tree.without({"x"}) == Node("t", "T", "weighted", ("a",), (Fraction(1, 4),))
    assert tree.without({"a", "x"}) is None


def test_old_names_are_today_s_subsets() -> None:
    old = ("simple", "executable_parallel_multiple_function", "multiple_function")
    assert [subset_name(s, "V1") for s in old] == ["simple_python", "exec_parallel_multiple", "multiple"]
    assert subset_name("relevance", "V2") == "relevance"
