"""The figures of function calling: what is drawn, from which numbers, and in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalreport.charts.figure import Figure
from evalreport.core.table import plain
from evalreport.report.figures import save_figure
from evalreport.suites.bfcl import Results, figures
from tests.suites.bfcl.made import EDGE_DRAW, computed, results_of, shard

DATA = Path(__file__).parents[3] / "data" / "bfcl"


@pytest.fixture(scope="module")
def sample() -> Results:
    return results_of(DATA, rules="bfcl-v4")


def every(results: Results) -> list[Figure]:
    of_models = [
        f for m in results.models[2:3] for f in (figures.aggregation(results, m), figures.five_rules(m))
    ]  # fmt: skip
    return [figures.overall(results), figures.subsets(results), *of_models]


def test_every_figure_is_drawn_at_both_sizes_with_names_that_try_to_be_formulas(
    sample: Results, tmp_path: Path
) -> None:
    for figure in every(sample):
        fragment = save_figure(figure, tmp_path)
        assert fragment["sizes"] == ["column", "page"]
        assert str(fragment["finding"]).endswith(".")
    assert len({figure.id for figure in every(sample)}) == len(every(sample))


def test_figures_of_nothing_are_drawn_as_a_sentence(tmp_path: Path) -> None:
    nothing = computed()
    for figure in (figures.overall(nothing), figures.subsets(nothing)):
        save_figure(figure, tmp_path)


def test_the_tree_shows_hits_and_weight_of_every_node() -> None:
    results = computed(shard(EDGE_DRAW))
    data = figures.aggregation(results, results.models[0]).data
    found = {row[1]: row for row in data.rows}
    # a third of the score is non-live, a quarter of that simple, a third of that each language
    assert found["simple_javascript"][4:7] == ("0.0278", "3", "5")
    assert found["simple_python"][4:7] == ("0.0278", "36", "40")
    assert found["non_live"][4] == "0.3333"
    assert [row[1] for row in data.rows[:4]] == ["normalized", "non_live", "simple", "simple_python"]


def test_what_was_not_run_has_no_value_in_the_tree(sample: Results) -> None:
    heron = sample.model("lab-a/heron-7b")
    found = {row[1]: row for row in figures.aggregation(sample, heron).data.rows}
    assert found["memory_kv"][5:] == ("0", "0", "")
    assert found["overall"][-1] == ""


def test_the_finding_of_the_rules_names_the_lowest_and_the_highest(sample: Results) -> None:
    assert plain(figures.five_rules(sample.model("lab-f/avocet-70b")).finding) == (
        "One run, 3 overalls: 0.7432 under bfcl-v4, 0.8500 under mlperf-edge."
    )
    assert plain(figures.five_rules(sample.model("lab-a/heron-7b")).finding) == (
        "Only mlperf-edge gives this run an overall: 0.8364."
    )


def test_the_finding_of_the_board_counts_who_overlaps_and_who_has_no_overall(sample: Results) -> None:
    assert plain(figures.overall(sample).finding) == (
        "lab-f/avocet-70b has the highest overall, 0.7432; none of 2 others overlaps its interval."
        " 4 models have no overall: not everything was run."
    )
