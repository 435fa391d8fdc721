"""Faults that were reported of other tools: tables that this suite reads, refuses or marks."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.core.exact import Undefined
from evalreport.errors import EvalreportError
from tests.suites.comparison.building import board, files, model, number, pair, results

pytestmark = pytest.mark.shared


@pytest.fixture
def public(shared: Path) -> Path:
    """The folder of the public fault cases."""
    return shared / "cases" / "public"


def refusal(path: Path) -> EvalreportError:
    with pytest.raises(EvalreportError) as refused:
        results(path)
    return refused.value


def rows_of(path: Path, table: str, **given: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(files(path, **given)[table].decode())))


def test_ten_of_ten_items_is_no_certainty(public: Path) -> None:
    rows = {row["model_id"]: row for row in rows_of(public / "M10/items.csv", "tasks")}
    assert (rows["perfect"]["item_ci_lo"], rows["perfect"]["item_ci_hi"]) == ("0.7225", "1.0000")
    assert (rows["never"]["item_ci_lo"], rows["never"]["item_ci_hi"]) == ("0.0000", "0.0713")
    assert rows["perfect"]["item_ci_method"] == "Wilson"


def test_one_score_and_equal_scores_are_labelled(public: Path) -> None:
    found = board(public / "M11/runs.csv")
    one, flat, mix = (model(found, name) for name in ("one", "flat", "mix"))
    assert (one.mean, one.interval.low, one.interval.note) == (Fraction(7, 10), None, "n = 1: no interval")
    assert isinstance(one.standard_error, Undefined)
    assert (flat.interval.low, flat.interval.high) == (Fraction(1, 2), Fraction(1, 2))
    assert flat.interval.note.startswith("degenerate")
    assert Fraction(1, 5) < number(mix.interval.low) < Fraction(1, 2) < number(mix.interval.high) < Fraction(4, 5)
    assert flat.rank == mix.rank == 1
    assert b"nan" not in b"".join(files(public / "M11/runs.csv").values()).lower()


def test_every_interval_stays_with_its_model(public: Path) -> None:
    for row in board(public / "M12/runs.csv").rows:
        assert number(row.mean) - Fraction(1, 20) <= number(row.interval.low) <= number(row.mean)
        assert number(row.mean) <= number(row.interval.high) <= number(row.mean) + Fraction(1, 20)


def test_ties_are_full_wins_also_among_floats(public: Path) -> None:
    found = board(public / "M15/runs.csv")
    assert [model(found, name).win_rate for name in "abc"] == [Fraction(1, 2), 1, Fraction(1, 2)]
    floats = board(public / "M15/runs_float.csv")
    assert [model(floats, name).wins for name in "abc"] == [1, 1, 0]


def test_a_model_with_only_the_easy_task_has_no_rank(public: Path) -> None:
    found = board(public / "M17/runs.csv")
    assert [(row.model_id, row.rank) for row in found.rows] == [("full", 1), ("other", 2), ("partial", None)]
    assert model(found, "partial").coverage == "1 of 3 tasks"
    common = sorted(found.rows, key=lambda row: -number(row.common_mean))
    assert [(row.model_id, row.common_mean) for row in common] == [
        ("partial", Fraction(96, 100)),
        ("full", Fraction(95, 100)),
        ("other", Fraction(9, 10)),
    ]


def test_models_that_never_met_are_not_tied(public: Path) -> None:
    found = board(public / "M18/runs.csv")
    assert pair(found, "a", "b").difference == Fraction(4, 5)
    for b in "c", "c":
        never = pair(found, "a", b)
        assert (never.n, never.significant, never.p, never.interval.low) == (0, None, None, None)
        assert isinstance(never.difference, Undefined)


def test_pairing_resolves_what_two_intervals_cannot(public: Path) -> None:
    found = board(public / "M20/runs.csv")
    one = pair(found, "A", "B")
    assert one.difference == Fraction(1, 50)
    assert number(one.interval.low) >= Fraction(1, 100)
    assert one.significant is True
    assert number(model(found, "A").interval.low) < number(model(found, "B").interval.high)


def test_a_missing_score_is_refused_by_its_row(public: Path) -> None:
    assert [problem.where for problem in refusal(public / "M21/runs.csv").problems] == [
        "runs.csv: row 3",
        "runs.csv: row 6",
    ]


def test_clusters_of_items(public: Path) -> None:
    rows = {row["task_id"]: row for row in rows_of(public / "M22/items.csv", "tasks")}
    assert (rows["two"]["item_error"], rows["two"]["item_error_clustered"]) == ("0.2887", "0.5000")
    assert (rows["one"]["item_error_clustered"], rows["one"]["note"]) == ("", "one cluster: no clustered error")
    # three items in three clusters of their own: the ordinary standard error, sqrt((1/9 + 1/9 + 4/9) / 2 / 3)
    assert rows["gap"]["item_error_clustered"] == rows["gap"]["item_error"] == "0.3333"


def test_the_same_scores_in_another_order_are_equal(public: Path) -> None:
    found = board(public / "M23/runs.csv")
    assert [(row.rank, row.mean) for row in found.rows] == [(1, Fraction(2, 13)), (1, Fraction(2, 13))]
    assert found.pairs[0].difference == 0


def test_each_mean_is_named_by_its_rule(public: Path) -> None:
    found = board(public / "M26/runs.csv")
    one, two = model(found, "m1"), model(found, "m2")
    assert (one.mean, one.mean_of_categories, one.mean_by_items) == (
        Fraction(8, 15),
        Fraction(45, 100),
        Fraction(37, 100),
    )
    assert (two.mean_of_categories, two.rank, two.categories["sci"]) == (Fraction(55, 100), None, (Fraction(9, 10), 1))


def test_names_that_look_like_paths_stay_apart(public: Path) -> None:
    found = board(public / "P07/runs.csv")
    assert {row.model_id: row.mean for row in found.rows} == {
        "org/a__b": Fraction(9, 10),
        "org__a/b": Fraction(1, 10),
        "../../etc/x": Fraction(5, 10),
        "/data/models/m7": Fraction(6, 10),
        "CON": Fraction(4, 10),
        "org/A__B": Fraction(3, 10),
    }


def test_metrics_that_share_a_prefix_are_four_scores(public: Path) -> None:
    row = board(public / "P19/runs.csv").rows[0]
    assert (row.mean, row.completed) == (Fraction(24, 40), 4)


def test_ids_that_look_like_numbers_are_texts(public: Path) -> None:
    found = board(public / "P26/runs.csv")
    names = ("NA", "None", "null", "nan", "True", "1e5", "100000", "007", "7")
    assert {row.model_id: row.mean for row in found.rows} == {n: Fraction(k, 10) for k, n in enumerate(names, 1)}


def test_a_second_score_refuses_everything(public: Path) -> None:
    (problem,) = refusal(public / "P30/runs.csv").problems
    assert problem.kind == "duplicate_run"
    assert "'m1', task 't1'" in problem.what


def test_counts_that_cannot_be_are_told_by_row(public: Path) -> None:
    rows = {problem.where for problem in refusal(public / "P33/runs.csv").problems}
    assert rows == {"runs.csv: row 3", "runs.csv: row 4", "runs.csv: row 5"}


def test_a_percent_among_fractions_is_refused(public: Path) -> None:
    problems = refusal(public / "P34/runs.csv").problems
    assert [(p.where, p.kind) for p in problems] == [
        ("runs.csv: row 5", "score_range"),
        ("runs.csv: row 6", "score_range"),
    ]


def test_times_with_and_without_zones_are_still_duplicates(public: Path) -> None:
    problems = refusal(public / "N15/runs.csv").problems
    assert [problem.kind for problem in problems] == ["duplicate_run", "duplicate_run"]
    assert "without a time zone" in problems[1].what


@pytest.mark.parametrize("case", ["N06", "N07", "N09"])
def test_hostile_names_come_through_whole(public: Path, case: str) -> None:
    path = public / case / "runs.csv"
    with path.open(encoding="utf-8", newline="") as file:
        names = {row["model_id"] for row in csv.DictReader(file)}
    assert {row["model_id"] for row in rows_of(path, "models")} == names
    cells = [line for line in files(path)["leaderboard.md"].decode().splitlines() if line.startswith("| ")]
    assert len(cells) == len(names) + 1


def test_a_task_in_two_versions_is_flagged(public: Path) -> None:
    found = next(one for one in results(public / "P06").boards if one.board.name == "acc")
    assert [(one.n, one.other_versions) for one in found.pairs] == [(1, 1)]
    assert b"ran a task in different versions" in files(public / "P06")["leaderboard.md"]


def test_a_limited_run_is_not_ranked_above_a_whole_one(public: Path) -> None:
    (found,) = results(public / "P04").boards
    assert [(row.model_id, row.rank, row.status) for row in found.rows] == [
        ("lab/beta-1", 1, "complete"),
        ("lab/alpha-1", None, "limited"),
    ]


def test_the_newest_file_counts_whatever_its_name(public: Path) -> None:
    found = results(public / "P05")
    assert [row.mean for row in found.boards[0].rows] == [Fraction(7, 10)]
    assert [one.reason.split(" ")[0] for one in found.records.set_aside] == ["a", "superseded"]


def test_less_is_better_stays_apart(public: Path) -> None:
    found = results(public / "P08")
    assert [row.model_id for row in found.boards[0].rows] == ["lab/a", "lab/b"]
    ranks = {(row["model_id"], row["rank"]) for row in rows_of(public / "P08", "other_metrics")}
    assert ranks == {("lab/a", "1"), ("lab/b", "2")}


def test_packed_files_pointers_and_folders_named_like_files(public: Path) -> None:
    found = results(public / "P31")
    assert {row.model_id: row.mean for row in found.boards[0].rows} == {
        "m1": Fraction(1, 2),
        "m2": Fraction(1, 4),
        "m4": Fraction(3, 4),
    }
    assert [(one.file, one.value) for one in found.records.set_aside] == [("details_quiz.parquet", "a Git LFS pointer")]


def test_a_stated_standard_error_gives_an_interval_and_a_missing_one_none(public: Path) -> None:
    (repeated,) = rows_of(public / "P09", "tasks")
    # 0.2 - 1.96 * 0.03 and 0.2 + 1.96 * 0.03: thirty items, not three hundred runs
    assert (repeated["item_ci_lo"], repeated["item_ci_hi"], repeated["n"]) == ("0.1412", "0.2588", "30")
    stated = {row["task_id"]: (row["reported_error"], row["n"]) for row in rows_of(public / "P01", "tasks")}
    assert stated == {"t_ok": ("0.0400", "101"), "t_na": ("", "50"), "t_list": ("", "40"), "t_absent": ("", "8")}
