"""The figures of comparisons: what they say, what they draw, and that every name can be written."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.charts.figure import Figure
from evalreport.core.table import plain
from evalreport.report.figures import save_figure
from evalreport.suites.comparison import figures
from evalreport.suites.comparison.results import ComparisonResults
from evalreport.suites.comparison.views.model import row_of
from tests.suites.comparison.building import results, row, write

NAMES = ("cost$a_{b$", "模型-一号", "🚀-rocket", "m_" + "very_long_" * 20)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> ComparisonResults:
    scores = [
        row(name, f"t{task}", int((task + at) % (at + 2) == 0), category="even" if task % 2 == 0 else "odd")
        for at, name in enumerate(NAMES)
        for task in range(4)
        if (at, task) != (3, 0)
    ]
    return results(write(tmp_path_factory.mktemp("figures"), scores))


def every(found: ComparisonResults) -> list[Figure]:
    board = found.boards[0]
    own = row_of(board, NAMES[0])
    assert own is not None
    return [
        figures.means(found, board),
        figures.pair_matrix(found, board),
        figures.categories(board),
        figures.tasks(board),
        figures.own_scores(board, own),
    ]


def test_every_figure_can_be_saved_with_names_that_no_font_has(found: ComparisonResults, tmp_path: Path) -> None:
    for figure in every(found):
        fragment = save_figure(figure, tmp_path)
        assert (tmp_path / f"{figure.id}.svg").stat().st_size > 1_000
        assert "$a_{b$" not in (tmp_path / f"{figure.id}.svg").read_text("utf-8").replace("cost$a_{b$", "")
        assert str(fragment["alt"]).strip()


def test_the_means_are_drawn_in_the_order_of_the_leaderboard_and_who_is_incomplete_stands_last(
    found: ComparisonResults,
) -> None:
    figure = figures.means(found, found.boards[0])
    drawn = [line[0] for line in figure.data.rows]
    assert drawn == [r.model_id for r in found.boards[0].rows]
    assert drawn[-1] == NAMES[3]
    assert figure.data.rows[-1][1] == ""


def test_a_pair_is_bold_only_after_correction(found: ComparisonResults) -> None:
    figure = figures.pair_matrix(found, found.boards[0])
    assert "0 of 6 pairs differ" in plain(figure.finding)
    assert "Holm-adjusted p at most 0.05 over 6 pairs" in plain(figure.text)


def test_the_dots_of_a_model_are_counted_in_words(found: ComparisonResults) -> None:
    board = found.boards[0]
    first = row_of(board, NAMES[0])
    assert first is not None
    # the first model scores 1 on the even tasks: (0 + 0) % 2, (2 + 0) % 2
    assert plain(figures.own_scores(board, first).finding) == "2 tasks with score 1, 0 between, 2 with 0."


def test_a_crowd_is_drawn_in_part_and_the_caption_says_so(tmp_path: Path) -> None:
    crowd = results(write(tmp_path, [row(f"m{at:02}", f"t{k}", k * at % 2) for at in range(45) for k in range(2)]))
    figure = figures.means(crowd, crowd.boards[0])
    assert len(figure.data.rows) == 40
    assert "Drawn are the first 40 of 45 models." in plain(figure.text)


def test_the_axis_of_means_has_round_ticks() -> None:
    assert figures.axis_ticks(Fraction(0), Fraction(1)) == (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    assert figures.axis_ticks(Fraction(9, 10), Fraction(1))[0] == 0.9
