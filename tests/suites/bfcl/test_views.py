"""What the tables of function calling say: weights, coverage, five rules, shards, official figures, addresses."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.core.table import Badge, Cell, Count, Heat, Missing, Num, Table, Text, plain
from evalreport.report.audit import audit_lines
from evalreport.report.tables import table_html
from evalreport.suites.bfcl import SUITE, Results, pages, views
from evalreport.suites.bfcl.compute import ModelResult
from evalreport.suites.bfcl.views import audit, cells, model
from tests.suites.bfcl.made import EDGE_DRAW, computed, results_of, shard

DATA = Path(__file__).parents[3] / "data" / "bfcl"
HALVES = (
    {"simple_python": (1, 2), "simple_java": (1, 1), "live_simple": (3, 4)},
    {"simple_python": (2, 2), "live_simple": (0, 4)},
)


@pytest.fixture(scope="module")
def sample() -> Results:
    return results_of(DATA, rules="bfcl-v4")


def column(table: Table, key: str) -> list[Cell]:
    at = [c.key for c in table.columns].index(key)
    return [row.cells[at] for row in table.rows()]


def rows(table: Table) -> dict[str, dict[str, Cell]]:
    keys = [c.key for c in table.columns]
    found = {}
    for row in table.rows():
        head = row.cells[table.header()]
        found[head.text if isinstance(head, Text) else str(head)] = dict(zip(keys, row.cells, strict=True))
    return found


def number(cell: Cell) -> object:
    assert isinstance(cell, Num), cell
    return cell.value


def test_one_sample_of_javascript_weighs_eight_times_one_of_python() -> None:
    found = rows(views.sample_weights(computed(shard(EDGE_DRAW), rules="mlperf-edge")))
    # 400 and 50 samples in the release, a third of a quarter of a third each
    assert number(found["simple_javascript"]["weight"]) == number(found["simple_python"]["weight"]) == Fraction(100, 36)
    python, javascript = (number(found[f"simple_{name}"]["sample"]) for name in ("python", "javascript"))
    assert isinstance(python, Fraction)
    assert javascript == 8 * python


def test_the_finding_of_the_tree_names_two_subsets_of_equal_weight_and_unequal_size() -> None:
    results = computed(
        shard({**EDGE_DRAW, "simple_python": (216, 248), "simple_java": (39, 62), "simple_javascript": (18, 31)})
    )
    assert cells.contrast_words(results.models[0]) == (
        "31 samples of simple_javascript weigh as much as 248 of simple_python: 2.8 % of the score each."
    )


def test_a_model_without_everything_stands_apart_and_says_how_much_was_run(sample: Results) -> None:
    table = views.leaderboard(sample)
    scored, others = table.groups
    assert others.muted
    assert [row.cells[0].text for row in scored.rows if isinstance(row.cells[0], Text)][:2] == [
        "lab-f/avocet-70b", "lab-g/curlew-9b",
    ]  # fmt: skip
    heron = rows(table)["lab-a/heron-7b"]
    assert heron["status"] == Badge("dashed", "3 of 5 run", "3 of 5 categories; short subsets")
    assert number(heron["covered"]) == 30  # three of the five categories, ten per cent each
    assert heron["interval"] == Missing("not run: " + ", ".join(_missing(sample)))


def _missing(results: Results) -> list[str]:
    found = results.model("lab-a/heron-7b")
    return [s for s in found.outcome.rules.tree.subsets() if s not in found.run.tallies]


def test_a_subset_that_the_rules_drop_is_still_listed_as_not_run() -> None:
    counts = {s: t for s, t in EDGE_DRAW.items() if s != "live_multiple"}
    results = computed(shard(counts))
    absent = rows(model.subsets(results, results.models[0]))["live_multiple"]
    assert absent["hits"] == Missing("not run")
    assert absent["weight"] == Missing("not run: left out of every mean")


def test_the_same_run_has_a_name_for_its_score_under_each_rule(sample: Results) -> None:
    found = rows(views.five_rules(sample.model("lab-f/avocet-70b")))
    assert list(found) == ["mlperf-edge", "bfcl-v1", "bfcl-v2", "bfcl-v3", "bfcl-v4"]
    edge, v1, v4 = (found[name]["overall"] for name in ("mlperf-edge", "bfcl-v1", "bfcl-v4"))
    assert isinstance(edge, Num)
    assert isinstance(v4, Num)
    assert edge.value != v4.value
    # 1,390 of the 1,700 samples of version 1: everything but the 310 that are executed
    assert isinstance(v1, Badge)
    assert (v1.kind, v1.text) == ("dashed", "82 % run")


def test_the_mean_of_shard_scores_stands_beside_the_score_of_the_union() -> None:
    results = computed(*(shard(counts, k, 2) for k, counts in enumerate(HALVES)))
    found = rows(views.shard_means(results, views.cut(results), model="m"))
    overall = found["Overall score"]
    # union 7 of 13; the shards alone 5 of 7 and 2 of 6
    assert number(overall["union"]) == Fraction(7, 13)
    assert number(overall["mean"]) == (Fraction(5, 7) + Fraction(2, 6)) / 2
    assert number(overall["difference"]) == 100 * ((Fraction(5, 7) + Fraction(2, 6)) / 2 - Fraction(7, 13))


def test_a_subset_that_a_shard_lacks_is_hatched_and_not_zero() -> None:
    from evalreport.suites.bfcl.views.shards import shard_coverage

    results = computed(*(shard(counts, k, 2) for k, counts in enumerate(HALVES)))
    java = rows(shard_coverage(results, results.models[0]))["simple_java"]
    assert java["shard-0"] == Heat(Fraction(1, 4), "1", "not in this shard")
    assert java["shard-1"] == Heat(None, "–", "not in this shard")
    assert java["holding"] == Count(1, 2)


def test_a_missing_shard_has_a_row_of_its_own() -> None:
    from evalreport.suites.bfcl.views.shards import shards

    results = computed(shard(HALVES[0], 0, 2), partial=True)
    verdicts = column(shards(results, results.models[0]), "verdict")
    assert verdicts[-1] == Badge("alert", "missing")
    assert cells.status_badge(results.models[0], "mlperf-edge").kind == "alert"


def test_an_official_figure_that_differs_is_named_and_an_agreeing_one_is_not(sample: Results) -> None:
    table = views.official_differences(sample)
    figures = [cell.text for cell in column(table, "figure") if isinstance(cell, Text)]
    assert figures == ["memory", "memory", "overall", "web_search"]
    assert plain(table.finding) == (
        "1 official figure contradicts the tallies; 3 figures count as zero what was never run."
    )


def test_tables_without_rows_say_why() -> None:
    nothing = computed()
    for make in (views.leaderboard, views.rules_matrix, views.official_summary, views.official_differences):
        table = make(nothing)
        assert not list(table.rows())
        assert table.empty
        assert table.empty in table_html(table)
    whole = computed(shard(EDGE_DRAW))
    assert "nothing to average" in views.shard_means(whole, views.cut(whole)).empty


def test_a_hostile_name_is_text_in_every_table(sample: Results) -> None:
    hostile = next(m for m in sample.models if "<b>" in m.model)
    for table in (views.leaderboard(sample), views.subset_intervals(sample), model.subsets(sample, hostile)):
        html = table_html(table)
        assert "<b>`x`" not in html
        assert "&lt;b&gt;`x`" in html


@pytest.mark.parametrize("many", [False, True])
def test_every_number_has_a_place_on_an_audit_page_that_is_made(sample: Results, many: bool) -> None:
    results = replace(sample, models=_copies(sample, 41)) if many else sample
    made = {job.docname for job in SUITE.pages(results)}
    assert SUITE.address is not None
    places = [SUITE.address(results, value) for value in SUITE.values(results)]
    assert len(set(places)) == len(places)
    assert {place.split("#")[0] for place in places} <= made
    numbers = [n for m in results.models[:3] for n in audit.scores(results, m)]
    numbers += [n for m in results.models[:3] for _, n in audit.subsets(results, m)]
    assert {f"{pages.audit_page(results, dict(n.of)['model'])}#{n.anchor}" for n in numbers} <= set(places)


def _copies(results: Results, n: int) -> tuple[ModelResult, ...]:
    first = results.models[0]
    return tuple(replace(first, run=replace(first.run, model=f"model-{k:03}")) for k in range(n))


def test_many_models_share_pages() -> None:
    results = computed(*(shard(EDGE_DRAW, model=f"model-{k:03}") for k in range(41)))
    jobs = SUITE.pages(results)
    groups = [job for job in jobs if job.notebook == "bfcl_models"]
    assert [job.title for job in groups] == [
        "Models 1 to 10", "Models 11 to 20", "Models 21 to 30", "Models 31 to 40", "Models 41 to 41",
    ]  # fmt: skip
    assert pages.model_address(results, "model-010") == "bfcl/model/group-02#model-model-010"
    assert not list(views.subset_intervals(results).rows())
    assert len(list(views.headline(results).rows())) == 20


def test_the_audit_of_one_model_is_the_audit_of_all_for_that_model(sample: Results) -> None:
    found = sample.models[0]
    of_one = {(n.metric.key, n.of): n.value for n in audit.scores(sample, found)}
    of_all = {(line.metric.key, line.of): line.value for line in audit_lines(SUITE.audit(sample))}
    assert of_one.items() <= of_all.items()
