"""Scores of small runs, by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from evalreport.core.exact import Undefined, fixed
from evalreport.suites.bfcl.aggregate import printed
from evalreport.suites.bfcl.metrics import SCORES, normalized, overall
from evalreport.suites.bfcl.outcome import outcome
from evalreport.suites.bfcl.records import Tally
from evalreport.suites.bfcl.releases import SIZES
from evalreport.suites.bfcl.rules import RULES, Node
from tests.suites.bfcl.made import EDGE_DRAW, Counts, tallies

EDGE, V1, V2, V3, V4 = RULES.values()


def full(release: str, hits: Counts | None = None) -> dict[str, Tally]:
    """A whole run of a release: half of each subset right, but for these."""
    return {s: Tally((hits or {}).get(s, (n // 2, n))[0], n) for s, n in SIZES[release].items()}


def test_the_edge_gate_weighs_terms_not_samples() -> None:
    run = tallies(EDGE_DRAW)
    simple = (Fraction(36, 40) + Fraction(6, 10) + Fraction(3, 5)) / 3
    non_live = (simple + Fraction(18, 20) + Fraction(15, 20) + Fraction(16, 20)) / 4
    live = Fraction(20 + 70 + 1 + 3, 25 + 100 + 2 + 3)
    hallucination = (Fraction(18, 24) + Fraction(44, 88)) / 2
    found = outcome(run, EDGE).scores
    assert found["simple"] == simple == Fraction(7, 10)
    assert found["non_live"] == non_live == Fraction(63, 80)
    assert found["live"] == live == Fraction(94, 130)
    assert found["hallucination"] == hallucination == Fraction(5, 8)
    assert found["normalized"] == (non_live + live + hallucination) / 3
    assert found["overall"] == Fraction(sum(h for h, _ in EDGE_DRAW.values()), sum(n for _, n in EDGE_DRAW.values()))


def test_the_edge_gate_drops_absent_subsets_and_categories() -> None:
    run = tallies({"simple_python": (9, 14), "multiple": (10, 18), "parallel": (9, 21)})
    found = outcome(run, EDGE)
    assert found.scores["normalized"] == (Fraction(9, 14) + Fraction(10, 18) + Fraction(9, 21)) / 3
    assert found.scores["live"] == Undefined("not run")
    assert found.status() == "1 of 3 categories"


def test_a_subset_of_no_category_counts_in_the_flat_overall_alone() -> None:
    run = tallies({"multiple": (1, 2), "live_relevance": (2, 2), "brand_new": (0, 4)})
    found = outcome(run, EDGE)
    assert found.scores["overall"] == Fraction(1 + 2 + 0, 2 + 2 + 4)
    assert found.scores["normalized"] == Fraction(1, 2)
    assert found.uncounted == ("brand_new", "live_relevance")


def test_no_samples_have_no_score() -> None:
    assert overall({}, EDGE) == Undefined("no scored samples")
    assert normalized({}, V4) == Undefined("no category was run")
    assert outcome({"multiple": Tally(0, 0)}, V4).samples == 0


def test_the_board_gives_no_score_of_which_a_part_was_not_run() -> None:
    found = outcome(tallies(EDGE_DRAW), V4)
    missing = "multi_turn_base, multi_turn_miss_func, multi_turn_miss_param, multi_turn_long_context"
    assert found.scores["multi_turn"] == Undefined(f"not run: {missing}")
    assert isinstance(found.scores["overall"], Undefined)
    assert found.covered == Fraction(30, 100)
    assert found.status() == "3 of 5 categories; short subsets"
    # the mean of the three categories that were run, not with two zeros
    assert found.scores["normalized"] == (Fraction(63, 80) + Fraction(94, 130) + Fraction(5, 8)) / 3


def test_one_absent_subset_makes_its_pooled_category_not_run() -> None:
    run = full("V4")
    del run["live_multiple"]
    found = outcome(run, V4)
    assert found.scores["live"] == Undefined("not run: live_multiple")
    assert found.covered == 1 - Fraction(1, 10) * Fraction(1053, 258 + 1053 + 16 + 24)


def test_a_category_of_a_board_is_there_when_all_of_it_was_run() -> None:
    half = outcome({"irrelevance": Tally(1, 240)}, V4)
    assert half.present == ()
    assert half.status().startswith("0 of 5 categories")
    assert outcome({"irrelevance": Tally(1, 240)}, EDGE).present == ("hallucination",)


def test_version_4_by_hand() -> None:
    hits = {"simple_javascript": (50, 50), "memory_kv": (155, 155), "live_multiple": (0, 1053), "live_simple": (0, 258)}
    odd = {"memory_vector": (31, 155), "memory_rec_sum": (0, 155)}
    found = outcome(full("V4", {**hits, **odd}), V4).scores
    half = Fraction(1, 2)
    non_live = ((half + half + 1) / 3 + half + half + half) / 4
    live = Fraction(8 + 12, 258 + 1053 + 16 + 24)
    agentic = (half + (1 + Fraction(1, 5) + 0) / 3) / 2
    assert found["overall"] == (non_live + live + half) / 10 + half * 3 / 10 + agentic * 4 / 10


def test_version_3_means_live_non_live_and_multi_turn() -> None:
    run = full("V3", {"rest": (70, 70)})
    non_live = (Fraction(1, 2) * 4 + (Fraction(1, 2) + 1) / 2 + Fraction(1, 2) * 3 + Fraction(1, 2)) / 9
    found = outcome(run, V3)
    assert found.scores["non_live"] == non_live
    live = Fraction(129 + 526 + 8 + 12 + 441 + 9, 258 + 1053 + 16 + 24 + 882 + 18)
    assert found.scores["overall"] == (live + non_live + Fraction(1, 2)) / 3
    for subset in V3.optional:
        del run[subset]
    assert outcome(run, V3).scores["overall"] == (live + Fraction(1, 2) + Fraction(1, 2)) / 3


def test_version_2_means_ten_groups() -> None:
    found = outcome(full("V2", {"live_simple": (258, 258), "live_relevance": (41, 41)}), V2)
    odd = {s: Fraction(t.hits, t.n) for s, t in full("V2").items()}
    live_multiple, irrelevance = odd["live_multiple"], odd["live_irrelevance"]
    half = Fraction(1, 2)
    groups = [(half + 1) / 2, (half + live_multiple) / 2, half, half, half, half, half, half, (half + irrelevance) / 2]
    assert found.scores["overall"] == (sum(groups) + 1) / 10


def test_version_1_pools_its_samples() -> None:
    found = outcome(full("V1", {"simple_python": (400, 400)}), V1).scores
    assert found["overall"] == Fraction(1700 // 2 + 200, 1700)
    assert found["simple"] == Fraction(400 + 50 + 25, 550)
    assert found["live"] == Undefined("not part of bfcl-v1")


@pytest.mark.parametrize(
    ("tally", "text"), [((5, 32), "15.62"), ((1, 3), "33.33"), ((0, 7), "0.00"), ((7, 7), "100.00")]
)
def test_a_tie_of_the_two_decimal_printing_goes_to_the_even_digit(tally: tuple[int, int], text: str) -> None:
    assert printed("a", {"a": Tally(*tally)}) == text


def test_a_composite_of_exactly_53_125_prints_as_53_12() -> None:
    kinds = ("base", "miss_func", "miss_param", "long_context")
    run = {f"multi_turn_{k}": Tally(h, 200) for k, h in zip(kinds, (106, 106, 106, 107), strict=True)}
    node = next(n for n in V4.tree.walk() if n.key == "multi_turn")
    assert outcome(run, V4).scores["multi_turn"] == Fraction(53125, 100000)
    assert printed(node, run) == "53.12"


def test_the_official_printing_is_of_binary_floats_not_of_the_exact_value() -> None:
    # 13.625 exactly, a tie; 100 * (109 / 800) as floats is a little more
    assert fixed(Fraction(100 * 109, 800), 2) == "13.62"
    assert printed("a", {"a": Tally(109, 800)}) == "13.63"


def test_a_part_not_run_is_not_printed() -> None:
    assert printed(Node("x", "X", "mean", ("a", "b")), {"a": Tally(1, 2)}) is None


def test_short_and_oversized_subsets_are_named() -> None:
    found = outcome({**full("V4"), "live_simple": Tally(1, 257), "live_irrelevance": Tally(1, 885)}, V4)
    assert found.short == ("live_simple",)
    assert found.oversized == ("live_irrelevance",)
    assert found.status() == "short subsets; sizes of another release"


def test_every_declared_score_is_computed() -> None:
    assert set(outcome(full("V4"), V4).scores) == set(SCORES)
