"""Intervals, coverage, official figures, shards beside their union, and the tables that show them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from evalreport.core.suite import Interval
from evalreport.suites.bfcl import SUITE, Results
from evalreport.suites.bfcl.metrics import SCORES
from evalreport.suites.bfcl.records import Shard
from evalreport.suites.bfcl.rules import RULES
from tests.suites.bfcl.made import EDGE_DRAW, computed, exact, shard, table


def interval(results: Results, key: str = "overall") -> Interval:
    return results.models[0].intervals[key]


def test_an_interval_does_not_depend_on_other_models() -> None:
    alone = computed(shard(EDGE_DRAW, model="b"))
    among = computed(shard(EDGE_DRAW, model="b"), shard({"multiple": (1, 2)}, model="a"))
    assert alone.models[0].intervals == among.models[1].intervals


def test_models_with_equal_tallies_have_draws_of_their_own() -> None:
    two = computed(shard(EDGE_DRAW, model="a"), shard(EDGE_DRAW, model="b"))
    assert two.models[0].intervals != two.models[1].intervals


def test_an_interval_depends_on_seed_and_level() -> None:
    base = interval(computed(shard(EDGE_DRAW)))
    assert interval(computed(shard(EDGE_DRAW), seed=1)) != base
    narrow = interval(computed(shard(EDGE_DRAW), level=Fraction(1, 2)))
    assert base.low is not None
    assert base.high is not None
    assert narrow.low is not None
    assert narrow.high is not None
    assert base.low < narrow.low < narrow.high < base.high


def test_the_composite_interval_has_the_width_of_its_binomial_parts() -> None:
    # variance of a mean of two independent shares: (p q / n + p q / n) / 4
    results = computed(shard({"multiple": (50, 100), "parallel": (80, 100)}), resamples=20_000)
    found = interval(results, "non_live")
    half = 1.959964 * ((0.5 * 0.5 / 100 + 0.8 * 0.2 / 100) / 4) ** 0.5
    assert found.low is not None
    assert found.high is not None
    assert float(found.high - found.low) == pytest.approx(2 * half, rel=0.06)
    assert (found.method, found.n, found.resamples) == ("parametric bootstrap over binomial subsets", 200, 20_000)


def test_subsets_that_cannot_vary_are_counted_in_the_note() -> None:
    results = computed(shard({"multiple": (2, 2), "parallel": (1, 2)}))
    assert interval(results).note == "1 of 2 subsets do not vary"
    assert interval(computed(shard({"multiple": (2, 2)}))).note.startswith("degenerate")


def test_a_score_that_does_not_exist_has_no_interval() -> None:
    results = computed(shard(EDGE_DRAW), rules="bfcl-v4")
    assert "overall" not in results.models[0].intervals
    assert {"live", "normalized"} <= results.models[0].intervals.keys()


def test_every_number_of_a_partial_run_says_so() -> None:
    results = computed(shard(EDGE_DRAW, 0, 2), partial=True)
    assert table(results, "bfcl_scores")[0]["status"] == "partial: 1 of 2 shards"
    intervals = [v.interval for v in SUITE.values(results) if v.interval]
    assert intervals
    assert all(i.note.startswith("partial: shard 1 of 2 is missing") for i in intervals)
    assert any(n.text == "every number is partial: shard 1 of 2 is missing" for n in results.notes)


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("mlperf-edge", "brand_new, live_relevance: in no category of mlperf-edge; counted in the overall alone"),
        ("bfcl-v4", "brand_new, live_relevance: in no category of bfcl-v4; not counted"),
    ],
)
def test_subsets_of_no_category_are_named(rules: str, told: str) -> None:
    results = computed(shard({**EDGE_DRAW, "live_relevance": (2, 2), "brand_new": (0, 4)}), rules=rules)
    assert [n.text for n in results.notes] == [told]


def test_the_rules_are_named_beside_every_score() -> None:
    results = computed(shard(EDGE_DRAW), rules="bfcl-v3")
    assert {r["rules"] for r in table(results, "bfcl_scores")} == {"bfcl-v3"}
    assert {dict(v.of).get("rules") for v in SUITE.values(results) if v.metric != "bfcl.subset"} == {"bfcl-v3"}


def test_the_mean_of_shard_scores_stands_beside_the_union() -> None:
    one = shard({"simple_python": (20, 22), "simple_java": (6, 10)}, 0, 2)
    two = shard({"simple_python": (16, 18), "simple_javascript": (3, 5)}, 1, 2)
    (mean,) = [m for m in computed(one, two).models[0].shard_means if m.score == "simple"]
    assert mean.union == (Fraction(36, 40) + Fraction(6, 10) + Fraction(3, 5)) / 3
    first, second = (Fraction(20, 22) + Fraction(6, 10)) / 2, (Fraction(16, 18) + Fraction(3, 5)) / 2
    assert mean.mean_of_shards == (first + second) / 2
    assert mean.difference == mean.mean_of_shards - Fraction(7, 10)


def test_a_stored_score_is_compared_under_the_rules_of_the_gate() -> None:
    one = replace(shard(EDGE_DRAW, 0, 1), stored=(("normalized", "71.19"), ("overall", "70.00")))
    two = replace(shard(EDGE_DRAW, 0, 2), stored=one.stored)
    for rules in RULES:
        found = table(computed(two, shard({"multiple": (1, 2)}, 1, 2), rules=rules), "bfcl_shards")[0]
        assert (found["normalized_status"], found["overall_status"]) == ("agrees", "differs")


def official(figures: tuple[tuple[str, str], ...], **given: str) -> list[dict[str, str]]:
    one: Shard = replace(shard(EDGE_DRAW), published=figures)
    return table(computed(one, **given), "bfcl_official")


@pytest.mark.parametrize("rules", ["mlperf-edge", "bfcl-v4"])
def test_official_figures_are_compared_under_the_rules_of_a_board(rules: str) -> None:
    rows = official((("live", "72.31%"), ("non_live", "78.00%")), rules=rules)
    assert [(r["rules"], r["figure"], r["ours"], r["difference"], r["status"]) for r in rows] == [
        ("bfcl-v4", "live", "72.31%", "0.00", "agrees"),
        ("bfcl-v4", "non_live", "78.75%", "0.75", "differs"),
    ]


def test_an_official_zero_for_what_was_never_run_makes_the_overall_inconsistent_too() -> None:
    rows = official((("memory", "0.00%"), ("overall", "21.36%"), ("agentic", "10.00%")))
    assert {r["figure"]: r["status"] for r in rows} == {
        "memory": "inconsistent",
        "overall": "inconsistent",
        "agentic": "not determined",
    }
    assert official((("overall", "50.00%"),))[0]["status"] == "not determined"


def test_the_subset_table_shows_coverage_and_what_was_not_run() -> None:
    rows = {r["subset"]: r for r in table(computed(shard(EDGE_DRAW), rules="bfcl-v4"), "bfcl_subsets")}
    assert rows["simple_python"]["coverage"] == "0.1000"
    assert (rows["simple_python"]["hits"], rows["simple_python"]["n"], rows["simple_python"]["expected_n"]) == (
        "36",
        "40",
        "400",
    )
    never = rows["memory_kv"]
    assert (never["category"], never["hits"], never["n"], never["accuracy"]) == ("agentic", "", "0", "")


def test_the_sizes_of_the_edge_gate_are_those_of_the_release_that_the_files_name() -> None:
    old = replace(shard({"live_irrelevance": (1, 882)}), release="V3")
    rows = {r["subset"]: r for r in table(computed(old), "bfcl_subsets")}
    assert (rows["live_irrelevance"]["expected_n"], rows["live_irrelevance"]["coverage"]) == ("882", "1.0000")


def test_the_tree_shows_hits_and_weights_of_every_place() -> None:
    rows = table(computed(shard(EDGE_DRAW)), "bfcl_tree")
    assert [(r["depth"], r["node"], r["how"]) for r in rows[:4]] == [
        ("0", "normalized", "mean"),
        ("1", "non_live", "mean"),
        ("2", "simple", "mean"),
        ("3", "simple_python", ""),
    ]
    simple = {r["node"]: r for r in rows}
    python, javascript = simple["simple_python"], simple["simple_javascript"]
    assert (python["n"], javascript["n"]) == ("40", "5")
    assert python["share"] == javascript["share"] == "0.3333"
    assert python["weight"] == javascript["weight"] == f"{1 / 36:.4f}"
    assert (simple["live"]["how"], simple["live"]["hits"], simple["live"]["n"]) == ("pooled", "94", "130")
    # 25 of the 130 samples of live
    assert simple["live_simple"]["share"] == f"{25 / 130:.4f}"


def test_one_partial_run_is_shown_under_all_five_rules() -> None:
    rows = table(computed(shard(EDGE_DRAW)), "bfcl_rules")
    assert [r["rules"] for r in rows] == list(RULES)
    assert [r["overall"] != "" for r in rows] == [True, False, False, False, False]
    assert rows[4]["status"] == "3 of 5 categories; short subsets"


def test_the_columns_are_the_ones_that_were_promised() -> None:
    tables = {t.name: t for t in SUITE.tables(computed(shard(EDGE_DRAW)))}
    subsets = "model category subset hits n expected_n coverage accuracy"
    scores = "model rules overall normalized non_live live hallucination multi_turn agentic web_search memory"
    assert tables["bfcl_subsets"].header[:8] == tuple(subsets.split())
    assert tables["bfcl_scores"].header[:14] == (*scores.split(), "samples", "covered_weight", "status")


def test_names_of_models_are_never_altered() -> None:
    name = '../<b>$x_1$ | "模型" & 50% `a`\n'
    results = computed(shard(EDGE_DRAW, model=name))
    assert table(results, "bfcl_scores")[0]["model"] == name
    assert {v.of[0] for v in SUITE.values(results)} == {("model", name)}


def test_every_key_has_a_value_or_a_reason() -> None:
    results = computed(shard(EDGE_DRAW))
    found = {v.metric: v for v in SUITE.values(results) if v.metric != "bfcl.subset"}
    assert found.keys() == {f"bfcl.{key}" for key in SCORES}
    assert found["bfcl.overall"].value == exact(results, "overall") == Fraction(250, 357)
    assert found["bfcl.overall"].n == 357
