"""What the pages of comparisons show: ranks, reasons, verdicts, addresses; counted by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.core.exact import Undefined
from evalreport.core.table import Badge, Cell, Count, Heat, Missing, Num, Rank, Table, Text, plain
from evalreport.suites.comparison import SUITE
from evalreport.suites.comparison.pages import audit_page, is_grouped, number_address, page_jobs
from evalreport.suites.comparison.results import BoardResult, ComparisonResults
from evalreport.suites.comparison.values import result_values
from evalreport.suites.comparison.views import audit, board, model, pairs, sources, tasks
from evalreport.suites.comparison.views.cells import p_cell, p_decimals
from tests.suites.comparison.building import results, row, write

HOSTILE = "<b>x</b> $y$ | `z`"


def rows() -> list[dict[str, object]]:
    """Two that tie, one far behind, one that ran three of four tasks; two categories."""
    scores = {"a": (1, 1, 1, 0), HOSTILE: (1, 1, 0, 1), "low": (0, 0, 0, 0), "part": (1, 1, 1, None)}
    return [
        row(name, f"t{at}", score, category="even" if at % 2 == 0 else "odd")
        for name, own in scores.items()
        for at, score in enumerate(own)
        if score is not None
    ]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> ComparisonResults:
    return results(write(tmp_path_factory.mktemp("views"), rows()))


@pytest.fixture(scope="module")
def one(found: ComparisonResults) -> BoardResult:
    return found.boards[0]


def cells(table: Table, key: str) -> list[Cell]:
    at = [column.key for column in table.columns].index(key)
    return [r.cells[at] for r in table.rows()]


def names(table: Table, key: str = "model") -> list[str]:
    return [cell.text for cell in cells(table, key) if isinstance(cell, Text)]


def values(table: Table, key: str) -> list[object]:
    return [cell.value for cell in cells(table, key) if isinstance(cell, Num)]


def test_an_incomplete_model_stands_after_the_complete_ones_without_a_rank_though_its_mean_is_highest(
    found: ComparisonResults, one: BoardResult
) -> None:
    table = board.leaderboard(found, one)
    assert names(table) == [HOSTILE, "a", "low", "part"]
    line = [number_address(found, "comparison.rank", (("model_id", name),)) for name in names(table)]
    assert cells(table, "rank") == [
        Rank(1, tied=True, reason="4 of 4 tasks, complete", href=line[0]),
        Rank(1, tied=True, reason="4 of 4 tasks, complete", href=line[1]),
        Rank(3, tied=False, reason="4 of 4 tasks, complete", href=line[2]),
        Rank(None, tied=False, reason="3 of 4 tasks, missing tasks", href=line[3]),
    ]
    assert line[1] == "comparison/audit/a#number-rank"
    assert values(table, "comparison.mean_score") == [Fraction(3, 4), Fraction(3, 4), 0, 1]
    last = cells(table, "tasks")[-1]
    assert isinstance(last, Count)
    assert (last.n, last.total, last.alert) == (3, 4, True)
    assert [group.muted for group in table.groups] == [False, True]


def test_where_a_model_may_stand_leads_to_its_audit_line_like_its_rank(
    found: ComparisonResults, one: BoardResult
) -> None:
    table = board.leaderboard(found, one)
    for column, key in (("ranks", "rank-low"), ("ties", "tie-group")):
        cell = cells(table, column)[1]
        assert isinstance(cell, Text | Count)
        assert cell.href == f"comparison/audit/a#number-{key}"
    assert cells(table, "ranks")[-1] == Missing("not ranked")
    own, _ = audit.of_model(found, "a")
    # two tie for the first rank, the third of three is proven behind nobody on four tasks
    assert {n.metric.key: n.value for n in own if n.metric.key.startswith("comparison.rank_")} == {
        "comparison.rank_low": 1,
        "comparison.rank_high": 3,
    }


def test_a_degenerate_interval_is_named_where_the_mean_stands(found: ComparisonResults, one: BoardResult) -> None:
    labels = [c.label for c in cells(board.leaderboard(found, one), "comparison.mean_score") if isinstance(c, Num)]
    assert labels == ["", "", "degenerate", "degenerate"]


def test_the_leaderboard_names_the_rule_of_wins_and_the_real_level(tmp_path: Path) -> None:
    at_90 = results(write(tmp_path, rows()), level=Fraction(9, 10))
    table = board.leaderboard(at_90, at_90.boards[0])
    words = plain(table.text)
    assert "ties are not split" in words
    assert "90 % intervals" in words
    assert [plain(c.head) for c in table.columns if c.key == "interval"] == ["90 % interval"]


def test_over_common_tasks_every_model_has_a_place(found: ComparisonResults, one: BoardResult) -> None:
    table = board.common_tasks(found, one)
    assert names(table) == ["a", "part", HOSTILE, "low"]
    assert values(table, "comparison.common_mean") == [1, 1, Fraction(2, 3), 0]
    assert [c.rank for c in cells(table, "place") if isinstance(c, Rank)] == [1, 1, 3, 4]
    assert "3 tasks of 4 were run by all models" in board.common_words(one)


def test_without_incomplete_models_the_common_view_is_the_leaderboard(tmp_path: Path) -> None:
    whole = results(write(tmp_path, [r for r in rows() if r["model_id"] != "part"])).boards[0]
    assert board.common_words(whole).startswith("Every model ran every task")


def test_the_power_statement_gives_the_number_or_says_why_there_is_none(
    found: ComparisonResults, one: BoardResult
) -> None:
    assert "These 4 tasks cannot separate models closer than 0.0500" in board.power_words(
        found, replace(one, separable=Fraction(1, 20))
    )
    alone = replace(one, separable=Undefined("no pair"))
    assert board.power_words(found, alone).endswith("is not known: no pair.")


def test_a_pair_is_turned_round_on_the_page_of_the_other_model(found: ComparisonResults, one: BoardResult) -> None:
    of_a, of_low = pairs.own_pairs(found, one, "a"), pairs.own_pairs(found, one, "low")
    key = "comparison.paired_difference"
    assert dict(zip(names(of_a, "other"), values(of_a, key), strict=True))["low"] == Fraction(3, 4)
    assert dict(zip(names(of_low, "other"), values(of_low, key), strict=True))["a"] == Fraction(-3, 4)
    better = dict(zip(names(of_low, "other"), cells(of_low, "better"), strict=True))
    assert better["a"] == Count(0)


def test_a_difference_counts_only_after_correction(found: ComparisonResults, one: BoardResult) -> None:
    table = pairs.pairs(found, one)
    verdicts = {c.text for c in cells(table, "verdict") if isinstance(c, Badge)}
    assert verdicts == {"not separated"}  # McNemar over 3 tasks gives at least 1/4
    proven = replace(one, pairs=tuple(replace(p, holm=Fraction(1, 100)) for p in one.pairs))
    by_pair = dict(
        zip(
            zip(names(pairs.pairs(found, proven), "a"), names(pairs.pairs(found, proven), "b"), strict=True),
            cells(pairs.pairs(found, proven), "verdict"),
            strict=True,
        )
    )
    assert by_pair["a", "low"] == Badge("plain", "first ahead")


def test_a_p_value_is_never_printed_as_zero(found: ComparisonResults, one: BoardResult) -> None:
    pair = one.pairs[0]
    tiny = p_cell(found, one, pair, "p_value", Fraction(1, 2**59))
    assert isinstance(tiny, Num)
    assert (tiny.value, tiny.note, tiny.sort) == (Fraction(1, 10**8), "or less", Fraction(1, 2**59))
    assert [p_decimals(p) for p in (Fraction(1), Fraction(2, 10**4), Fraction(1, 10**7))] == [4, 5, 8]
    assert isinstance(p_cell(found, one, pair, "p_value", None), Missing)


def test_scores_of_tasks_are_shades_with_their_text_and_what_was_not_run_is_hatched(
    found: ComparisonResults, one: BoardResult
) -> None:
    table = tasks.tasks(found, one)
    assert names(table, "task") == ["t0", "t2", "t1", "t3"]
    assert cells(table, "m3")[-1] == Heat(None, "–", "not run")
    assert cells(table, "m1") == [Heat(1, "1"), Heat(1, "1"), Heat(1, "1"), Heat(0, "0")]
    assert [plain(c.head) for c in table.columns[3:]] == [HOSTILE, "a", "low", "part"]


def test_many_models_stand_as_the_range_of_each_task(tmp_path: Path) -> None:
    many = results(write(tmp_path, [row(f"m{at:02}", "t", at / 20) for at in range(20)]))
    table = tasks.tasks(many, many.boards[0])
    assert [column.key for column in table.columns] == ["task", "mean", "ran", "low", "high"]
    assert values(table, "high") == [Fraction(19, 20)]


def test_every_published_number_has_one_address_and_its_place_on_an_audit_page(found: ComparisonResults) -> None:
    addresses = {
        number_address(found, value.metric, value.of)
        for value in result_values(found)
        if value.metric != "comparison.p_value"
    }
    numbers = audit.of_boards(found)
    pages = {"comparison/audit/all--leaderboards": numbers}
    for name in found.places:
        own, series = audit.of_model(found, name)
        of_pairs = [number for _, number in audit.of_pairs(found, name)]
        pages[audit_page(found, name)] = [*own, *(number for _, number in series), *of_pairs]
    listed = [f"{page}#{number.anchor}" for page, here in pages.items() for number in here]
    assert sorted(listed) == sorted(addresses)


def test_a_p_value_is_audited_in_the_line_of_its_correction(found: ComparisonResults) -> None:
    of = (("model_a", "a"), ("model_b", "low"))
    place = number_address(found, "comparison.p_value", of)
    assert place == number_address(found, "comparison.p_adjusted", of) == "comparison/audit/a#number-p-adjusted-low"


def test_what_was_read_is_counted_by_file(found: ComparisonResults) -> None:
    table = sources.files(found)
    assert names(table, "file") == ["runs.json"]
    assert cells(table, "scores") == [Count(15)]
    assert cells(table, "models") == [Count(4)]


def test_a_model_shows_every_task_with_the_place_of_its_score(found: ComparisonResults, one: BoardResult) -> None:
    part = model.row_of(one, "part")
    assert part is not None
    table = model.own_scores(found, one, part)
    assert plain(table.finding) == "3 tasks run, 1 not."
    assert cells(table, "source")[-1] == Missing("not run")
    assert isinstance(cells(table, "source")[0], Text)
    assert [c for c in cells(table, "won") if c == Badge("plain", "won")] == [Badge("plain", "won")] * 3


def test_very_many_models_share_pages_and_their_pairs_have_no_audit_line(tmp_path: Path) -> None:
    crowd = results(write(tmp_path, [row(f"m{at:03}", f"t{k}", k * at % 2) for at in range(120) for k in range(2)]))
    assert is_grouped(crowd)
    own = [job.docname for job in page_jobs(crowd) if "/model/" in job.docname]
    assert own == ["comparison/model/group-001", "comparison/model/group-002", "comparison/model/group-003"]
    assert number_address(crowd, "comparison.paired_difference", (("model_a", "m000"), ("model_b", "m001"))) == ""
    place = number_address(crowd, "comparison.mean_score", (("model_id", "m050"),))
    assert place == "comparison/audit/group-002#number-mean-score-m050"
    table = pairs.pairs(crowd, crowd.boards[0])
    assert not list(table.rows())
    assert "7,140 pairs do not fit a page" in table.empty


def test_several_metrics_each_have_a_leaderboard_and_none_is_averaged(tmp_path: Path) -> None:
    two = [row(m, "t", 1, metric_name=name) for m in ("a", "b") for name in ("acc", "f1")]
    both = results(write(tmp_path, two), metric="*")
    table = board.headline(both)
    assert plain(table.finding).startswith("2 metrics, each with a leaderboard of its own")
    assert [group.title for group in table.groups if group.rows] == ["acc", "f1"]
    ids = {board.leaderboard(both, found).id for found in both.boards}
    assert ids == {"comparison-leaderboard-acc", "comparison-leaderboard-f1"}


def test_the_suite_gives_addresses_for_links_from_prose(found: ComparisonResults) -> None:
    value = next(v for v in result_values(found) if v.metric == "comparison.mean_score")
    assert SUITE.address is not None
    assert SUITE.address(found, value).startswith("comparison/audit/")


def test_the_standard_error_of_a_file_stands_beside_the_interval_that_it_gives(tmp_path: Path) -> None:
    stated = {"u": {"acc,none": 0.8, "acc_stderr,none": 0.04}, "v": {"acc,none": 0.99, "acc_stderr,none": 0.01}}
    none = {"w": {"acc,none": 0.5, "acc_stderr,none": "N/A"}}
    config = {"model_args": "pretrained=lab/a"}
    (tmp_path / "results_1.json").write_text(json.dumps({"results": stated | none, "config": config}), encoding="utf-8")
    found = results(tmp_path)
    table = model.own_scores(found, found.boards[0], found.boards[0].rows[0])
    assert cells(table, "error") == [Num(Fraction(4, 100)), Num(Fraction(1, 100)), Missing("not reported")]
    assert cells(table, "item_interval") == [
        Text("0.722 to 0.878", "normal, error as reported"),  # 0.8 and 1.96 × 0.04 on either side
        Text("0.970 to 1.000", "normal, error as reported; the interval is cut at 1"),
        Missing("no items are known"),
    ]
