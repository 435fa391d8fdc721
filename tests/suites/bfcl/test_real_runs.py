"""Published figures and public cases come out to the last digit."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.core.exact import Undefined, parse_decimal
from evalreport.suites.bfcl.aggregate import EXACT, percent, printed, walked
from evalreport.suites.bfcl.records import Tally
from evalreport.suites.bfcl.releases import SIZES
from evalreport.suites.bfcl.rules import RULES, Rules
from tests.suites.bfcl.made import exact, results_of, table

pytestmark = pytest.mark.shared
RELEASES = {"2025-08-28_4e7c5e29": 118, "2025-11-03_df9449e7": 111}


@pytest.mark.parametrize("release", RELEASES)
def test_every_official_column_of_version_4_is_reproduced(shared: Path, release: str) -> None:
    path = shared / f"data/bfcl/reconstructed_counts_v4_{release}.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows = table(results_of(path, rules="bfcl-v4"), "bfcl_official")
    assert len(lines) == RELEASES[release]
    assert len(rows) == sum(len(line["published"]) for line in lines)
    assert [r for r in rows if r["status"] != "agrees"] == []


def test_six_shards_reproduce_their_scores_and_their_union(shared: Path) -> None:
    results = results_of(shared / "data/bfcl/shards_one_run")
    shards = table(results, "bfcl_shards")
    assert [s["shard"] for s in shards] == list("012345")
    assert {s["overall_status"] for s in shards} == {s["normalized_status"] for s in shards} == {"agrees"}
    assert exact(results, "overall") == Fraction(859, 1004)
    keys = ("overall", "normalized", "non_live", "live", "hallucination")
    assert [percent(float(exact(results, k))) for k in keys] == ["85.56", "86.73", "82.65", "82.99", "94.54"]
    wrong = next(m for m in results.models[0].shard_means if m.score == "normalized")
    assert percent(float(wrong.mean_of_shards)) == "86.78"
    assert table(results, "bfcl_scores")[0]["status"] == "complete"


def test_a_partial_directory_shows_what_was_not_run(shared: Path) -> None:
    results = results_of(shared / "data/bfcl/score_dirs/glyphh", rules="bfcl-v4")
    official = {r["figure"]: r for r in table(results, "bfcl_official")}
    assert official["simple"]["ours"] == "80.83%"
    assert official["non_live"]["ours"] == "88.71%"
    for figure in ("live", "hallucination", "overall", "multi_turn", "web_search", "memory"):
        assert (official[figure]["ours"], official[figure]["status"]) == ("", "not determined"), figure
    assert not any(r["status"] == "differs" for r in official.values())
    (row,) = table(results, "bfcl_scores")
    assert (row["overall"], row["live"], row["hallucination"]) == ("", "", "")
    # non-live, half of irrelevance, and live without live_multiple
    covered = (1 + Fraction(1, 2) + Fraction(258 + 16 + 24, 1351)) / 10
    assert row["covered_weight"] == f"{float(covered):.4f}" == "0.1721"
    assert row["status"] == "1 of 5 categories"


def test_categories_never_run_are_not_zero(shared: Path) -> None:
    results = results_of(shared / "cases/public/P20", rules="bfcl-v4")
    assert exact(results, "non_live") == Fraction(7875, 10000)
    assert exact(results, "live") == Fraction(94, 130)
    assert exact(results, "hallucination") == Fraction(625, 1000)
    assert round(float(exact(results, "normalized")), 6) == 0.711859
    found = results.models[0].outcome
    for key in ("overall", "agentic", "multi_turn", "web_search", "memory"):
        assert isinstance(found.scores[key], Undefined), key
    (row,) = table(results, "bfcl_scores")
    assert row["status"].startswith("3 of 5 categories")
    official = {r["figure"]: r["status"] for r in table(results, "bfcl_official")}
    assert official == {"overall": "inconsistent", "web_search": "inconsistent", "memory": "inconsistent"}


def test_shards_are_united_before_they_are_weighed(shared: Path) -> None:
    results = results_of(shared / "cases/public/P21", shards=True)
    rows = {r["subset"]: r for r in table(results, "bfcl_subsets")}
    assert (rows["simple_python"]["hits"], rows["simple_python"]["n"]) == ("36", "40")
    assert exact(results, "simple") == Fraction(7, 10)
    assert exact(results, "live") == Fraction(1, 2)
    assert exact(results, "overall") == Fraction(46, 57)


def test_scores_come_from_counts_not_from_rounded_percentages(shared: Path) -> None:
    results = results_of(shared / "cases/public/M25")
    value = (Fraction(9, 14) + Fraction(10, 18) + Fraction(9, 21)) / 3
    assert exact(results, "non_live") == value
    assert percent(float(value)) == "54.23"


Columns = Mapping[str, tuple[str, str]]  # subset -> (table, column)
NON_LIVE = {
    "simple_python": "Python Simple AST",
    "simple_java": "Java Simple AST",
    "simple_javascript": "JavaScript Simple AST",
    "multiple": "Multiple AST",
    "parallel": "Parallel AST",
    "parallel_multiple": "Parallel Multiple AST",
    "exec_simple": "Python Simple Exec",
    "rest": "REST Simple Exec",
    "exec_multiple": "Multiple Exec",
    "exec_parallel": "Parallel Exec",
    "exec_parallel_multiple": "Parallel Multiple Exec",
    "irrelevance": "Irrelevance Detection",
}
LIVE = {
    "live_simple": "Python Simple AST",
    "live_multiple": "Python Multiple AST",
    "live_parallel": "Python Parallel AST",
    "live_parallel_multiple": "Python Parallel Multiple AST",
    "live_irrelevance": "Irrelevance Detection",
    "live_relevance": "Relevance Detection",
}
MULTI_TURN = {
    "multi_turn_base": "Base",
    "multi_turn_miss_func": "Miss Func",
    "multi_turn_miss_param": "Miss Param",
    "multi_turn_long_context": "Long Context",
}
FIRST = {
    "simple_python": "Python Simple Function AST",
    "simple_java": "Java Simple Function AST",
    "simple_javascript": "JavaScript Simple Function AST",
    "multiple": "Multiple Functions AST",
    "parallel": "Parallel Functions AST",
    "parallel_multiple": "Parallel Multiple AST",
    "exec_simple": "Python Simple Function Exec",
    "rest": "REST Simple Function Exec",
    "exec_multiple": "Multiple Functions Exec",
    "exec_parallel": "Parallel Functions Exec",
    "exec_parallel_multiple": "Parallel Multiple Exec",
    "irrelevance": "Relevance Detection",
}


def within(*tables: tuple[str, Mapping[str, str]]) -> Columns:
    return {subset: (name, column) for name, columns in tables for subset, column in columns.items()}


SECOND = within(("data_non_live.csv", NON_LIVE), ("data_live.csv", LIVE))
TABLES: dict[str, tuple[str, str, Columns, Sequence[str]]] = {
    # the models whose printed subset figures are of no whole number of samples of the release
    "2024-07-07_19962e31": ("bfcl-v1", "data.csv", within(("data.csv", FIRST)), ()),
    "2024-08-29_d6657ac5": ("bfcl-v2", "data_combined.csv", SECOND, ()),
    "2024-12-31_1045ee21": (
        "bfcl-v3",
        "data_overall.csv",
        {**SECOND, **within(("data_multi_turn.csv", MULTI_TURN))},
        ("Hammer2.1-3b (FC)", "Hammer2.1-7b (FC)", "Ministral-8B-Instruct-2410 (FC)", "xLAM-7b-r (FC)"),
    ),
}


def by_model(path: Path) -> dict[str, dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return {row["Model"]: row for row in csv.DictReader(stream)}


def counted(text: str, n: int) -> Tally | None:
    """The one number of hits that prints as this percentage, if there is one."""
    found = [h for h in range(n + 1) if percent(h / n) == text.removesuffix("%")]
    return Tally(found[0], n) if len(found) == 1 else None


@pytest.mark.parametrize("release", TABLES)
def test_the_overall_of_a_published_table_follows_from_its_own_subsets(shared: Path, release: str) -> None:
    name, overall, columns, undetermined = TABLES[release]
    rules, folder = RULES[name], shared / "data/bfcl/official" / release
    tables = {table: by_model(folder / table) for table, _ in columns.values()}
    open_rows = {}
    for model, row in by_model(folder / overall).items():
        texts = {s: tables[table][model][column] for s, (table, column) in columns.items()}
        counts = {s: counted(text, SIZES[rules.release][s]) for s, text in texts.items()}
        known = {s: t for s, t in counts.items() if t is not None}
        if len(known) == len(counts):
            shape = rules.shape(known)
            assert shape is not None
            assert printed(shape, known) == row["Overall Acc"].removesuffix("%"), model
        else:
            open_rows[model] = (texts, counts, row["Overall Acc"])
    assert sorted(open_rows) == sorted(undetermined)
    outside = []
    for model, (texts, counts, text) in open_rows.items():
        low, high = (bound(counts, texts, Fraction(sign, 200), rules) for sign in (-1, 1))
        if not low <= parse_decimal(text.removesuffix("%")) <= high:
            outside.append(model)
    assert outside == [m for m in undetermined if m.startswith("xLAM")]


def bound(counts: Mapping[str, Tally | None], texts: Mapping[str, str], slack: Fraction, rules: Rules) -> Fraction:
    """The least or greatest overall, in percent, that the printed digits of the subsets and of itself allow."""
    shares = {}
    for subset, text in texts.items():
        tally = counts[subset]
        printed_share = (parse_decimal(text.removesuffix("%")) + slack) / 100
        shares[subset] = printed_share if tally is None else Fraction(tally.hits, tally.n)
    shape = rules.shape(shares)
    assert shape is not None
    return 100 * walked(shape, shares, SIZES[rules.release], EXACT) + slack
