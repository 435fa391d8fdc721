"""The figures of debates: what is drawn, from which numbers, and in words."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from evalreport.charts.figure import Figure
from evalreport.core.table import plain
from evalreport.report.figures import save_figure
from evalreport.suites.debate import figures
from evalreport.suites.debate.results import DebateResults
from tests.suites.debate.building import results, row, ruled, system, written

DATA = Path(__file__).parents[3] / "data" / "debate"


@pytest.fixture(scope="module")
def sample() -> DebateResults:
    return results(DATA)


def every(found: DebateResults, name: str = "debate") -> list[Figure]:
    one = system(found, name)
    return [
        figures.case_means(found),
        figures.lift(found),
        figures.means(found),
        figures.threshold(found, "per_dimension_pass"),
        figures.threshold(found, "overall_case_pass"),
        figures.scores(found, one),
        figures.groups(one),
    ]


def test_every_figure_is_drawn_at_both_sizes(sample: DebateResults, tmp_path: Path) -> None:
    for figure in every(sample):
        fragment = save_figure(figure, tmp_path)
        assert fragment["sizes"] == ["column", "page"]
        assert str(fragment["finding"]).endswith(".")
    assert len({figure.id for figure in every(sample)}) == 7


def test_a_system_without_a_scoreable_case_is_drawn_in_words(tmp_path: Path) -> None:
    none = results(written(tmp_path / "in", results=[row("c", [None] * 6, system="debate")]), ruled())
    for figure in every(none):
        save_figure(figure, tmp_path / "out")
    assert plain(figures.scores(none, system(none)).finding) == "No case can be scored."


def test_not_applicable_is_an_empty_cell_of_the_data_and_zero_is_a_zero(sample: DebateResults) -> None:
    data = figures.scores(sample, system(sample)).data
    found = {line[0]: dict(zip(data.header, line, strict=True)) for line in data.rows}
    assert found["metric_004"]["issue_discovery_precision"] == "0.0000"
    assert found["metric_004"]["issue_discovery_recall"] == ""


def test_the_finding_counts_failing_cases_and_those_with_one_low_dimension(sample: DebateResults) -> None:
    assert plain(figures.scores(sample, system(sample)).finding) == (
        "2 of 15 scoreable cases fail. 2 of them have a single dimension below 0.50."
    )
    assert plain(figures.case_means(sample).finding) == "The benchmark passes with debate, of 3 systems."
    assert plain(figures.lift(sample).finding) == "2 of 2 systems reach the lift of 0.10."


def test_many_cases_turn_the_heat_map(tmp_path: Path) -> None:
    many = [row(f"case-{k:02}", [1, 1, 1, 1, 1, 1], system="debate") for k in range(31)]
    figure = figures.scores(found := results(written(tmp_path / "in", results=many), ruled()), system(found))
    assert "one column a case" in plain(figure.text)
    save_figure(figure, tmp_path / "out")


def test_the_steps_of_a_threshold_start_at_zero_and_end_at_one(sample: DebateResults) -> None:
    data = figures.threshold(sample, "per_dimension_pass").data
    debate = [line for line in data.rows if line[0] == "debate"]
    assert debate[0][1] == "0.0000"
    assert debate[-1][2] == "1.0000"
    assert all(one[2] == other[1] for one, other in pairwise(debate))
