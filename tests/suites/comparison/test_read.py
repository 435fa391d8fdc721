"""Which scores count: metrics, scales, newer files, copies, and what contradicts itself."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.core.suite import SettingValue
from evalreport.errors import EvalreportError, Problems
from evalreport.formats.evalrun import EvalRun, Reading
from evalreport.suites.comparison.read import _current
from evalreport.suites.comparison.reduce import board as reduced
from tests.suites.comparison.building import board, files, results, row, write


def kinds(path: Path, **given: SettingValue) -> set[str]:
    with pytest.raises(EvalreportError) as refused:
        results(path, **given)
    return {problem.kind for problem in refused.value.problems}


def test_a_second_metric_of_a_task_is_refused_until_one_is_chosen(tmp_path: Path) -> None:
    path = write(tmp_path, [row("m", "t", 0.5), row("m", "t", 0.7, metric_name="f1")])
    assert kinds(path) == {"duplicate_run"}
    assert board(path, metric="f1").rows[0].mean == Fraction(7, 10)
    assert [(b.board.name, b.rows[0].mean) for b in results(path, metric="*").boards] == [
        ("acc", Fraction(1, 2)),
        ("f1", Fraction(7, 10)),
    ]


def test_metrics_of_several_leaderboards_are_named_in_every_number(tmp_path: Path) -> None:
    path = write(tmp_path, [row("m", "t", 0.5), row("m", "t", 0.7, metric_name="f1")])
    assert b'"metric_name": "f1"' in files(path, metric="*")["results"]
    assert b"metric_name" not in files(path, metric="f1")["results"]


def test_a_metric_that_is_not_there_is_refused_with_the_nearest(tmp_path: Path) -> None:
    path = write(tmp_path, [row("m", "t", 0.5)])
    assert kinds(path, metric="ac") == {"unknown_metric"}
    assert kinds(path, cluster="chapter") == {"unknown_cluster"}


def test_another_scale_is_kept_apart_and_ranked_in_its_direction(tmp_path: Path) -> None:
    rows = [row("a", "t", 0.5), row("b", "t", 0.4)]
    rows += [row(m, "t", s, metric_name="ppl", better="lower", low=1) for m, s in (("a", 9.5), ("b", 30))]
    path = write(tmp_path, rows)
    assert [r.model_id for r in board(path).rows] == ["a", "b"]
    assert files(path)["other_metrics"].decode().splitlines()[1:] == [
        "ppl,t,1,a,9.5000,lower,1.0000,,complete,runs.json: $[2]",
        "ppl,t,2,b,30.0000,lower,1.0000,,complete,runs.json: $[3]",
    ]
    assert kinds(path, metric="ppl") == {"unknown_metric"}


def test_a_task_with_two_categories_is_refused_and_with_two_weights_when_they_count(tmp_path: Path) -> None:
    assert kinds(write(tmp_path, [row("a", "t", 1, category="x"), row("b", "t", 1, category="y")])) == {
        "category_conflict"
    }
    path = write(tmp_path, [row("a", "t", 1, weight=1), row("b", "t", 1, weight=2)])
    assert board(path).rows
    assert kinds(path, weights=True) == {"weight_conflict"}


def test_a_task_with_two_clusters_is_refused_when_they_count(tmp_path: Path) -> None:
    path = write(tmp_path, [row("a", "t", 1, cluster="x"), row("b", "t", 1, cluster="y")])
    assert board(path).rows
    assert kinds(path, cluster="cluster") == {"cluster_conflict"}


def test_the_same_score_in_two_tables_is_refused(tmp_path: Path) -> None:
    write(tmp_path, [row("a", "t", 1)], "x.json")
    write(tmp_path, [row("a", "t", 1)], "y.json")
    assert kinds(tmp_path) == {"duplicate_run"}


def test_a_folder_without_scores_is_refused(tmp_path: Path) -> None:
    (tmp_path / "readme.txt").write_text("nothing", encoding="utf-8")
    assert kinds(tmp_path) == {"empty_input"}


RUN = EvalRun("m", "t", "acc", Fraction(1, 2), date=Fraction(100), file="b.json", key="$.x")


def current(*runs: EvalRun) -> tuple[list[str], list[tuple[str, str]], list[str]]:
    """The files that count, what is set aside with the reason, and the kinds of problems."""
    problems = Problems()
    kept, aside = _current([Reading(runs)], problems)
    kinds = []
    try:
        problems.check()
    except EvalreportError as error:
        kinds = [problem.kind for problem in error.problems]
    return [run.file for run in kept], sorted((one.file, one.reason) for one in aside), kinds


def test_the_newest_file_counts_and_copies_are_told_from_older_ones() -> None:
    old = replace(RUN, file="z.json", score=Fraction(2, 5), date=Fraction(50))
    copy = replace(RUN, file="c/b.json")
    assert current(old, copy, RUN) == (
        ["b.json"],
        [("c/b.json", "a copy of b.json"), ("z.json", "superseded by b.json")],
        [],
    )


def test_a_complete_file_counts_before_a_newer_one_that_is_not() -> None:
    cancelled = replace(RUN, file="new.json", status="cancelled", date=Fraction(200))
    assert current(cancelled, RUN) == (["b.json"], [("new.json", "superseded by b.json")], [])


def test_two_undated_files_that_differ_are_refused() -> None:
    one, two = (replace(RUN, file=f, score=s, date=None) for f, s in (("a", Fraction(0)), ("b", Fraction(1))))
    assert current(one, two)[2] == ["duplicate_run"]


def test_items_of_a_superseded_file_go_together() -> None:
    old = [replace(RUN, file="old", item_id=i, date=Fraction(1)) for i in "xy"]
    new = [replace(RUN, file="new", item_id=i, date=Fraction(2)) for i in "y"]
    assert current(*old, *new)[0] == ["new"]


def test_a_limited_run_is_never_complete() -> None:
    limited = replace(RUN, status="limited", n=10, n_original=1000)
    score = reduced("", [limited], cluster=None, weighted=False, problems=Problems()).scores["m", "t"]
    assert (score.status, score.n, score.n_original) == ("limited", 10, 1000)


def test_a_folder_in_which_nothing_is_known_names_its_files(tmp_path: Path) -> None:
    for at in range(12):
        (tmp_path / f"{at:02}.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(EvalreportError) as refused:
        results(tmp_path)
    (problem,) = refused.value.problems
    assert "no format is known for 00.csv, 01.csv" in problem.what
    assert problem.what.endswith("09.csv and 2 more")


def test_every_further_score_names_the_first_and_rows_are_told_in_order(tmp_path: Path) -> None:
    path = write(tmp_path, [row("m", "t", 0.5) for _ in range(12)])
    with pytest.raises(EvalreportError) as refused:
        results(path)
    problems = refused.value.problems
    assert [problem.where for problem in problems] == [f"runs.json: $[{at}]" for at in range(1, 12)]
    assert all("the first is runs.json: $[0]" in problem.what for problem in problems)


def test_a_score_beside_scores_of_its_items_is_refused(tmp_path: Path) -> None:
    rows = [row("m", "t", 1, item_id="i1"), row("m", "t", 0.5), row("m", "u", 1, item_id="i1")]
    with pytest.raises(EvalreportError) as refused:
        results(write(tmp_path, rows))
    (problem,) = refused.value.problems
    assert (problem.where, problem.kind) == ("runs.json: $[1]", "missing_field")
    assert "'i1' of it stands in runs.json: $[0]" in problem.what


def test_clusters_that_no_row_names_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path, [row("m", "t", 1), row("m", "u", 0)])
    assert kinds(path, cluster="cluster") == {"unknown_cluster"}


def test_a_task_with_a_cluster_in_some_rows_is_refused_by_them(tmp_path: Path) -> None:
    path = write(tmp_path, [row("a", "t", 1, cluster="k"), row("b", "t", 1)])
    with pytest.raises(EvalreportError) as refused:
        results(path, cluster="cluster")
    (problem,) = refused.value.problems
    assert problem.where == "runs.json: $[0]"
    assert problem.what == "task 't' has the cluster 'k', and no cluster in runs.json: $[1]"


def test_one_name_for_metrics_of_two_directions_or_scales_is_remarked(tmp_path: Path) -> None:
    path = write(tmp_path, [row("a", "t", 0.5), row("b", "t", 0.4, better="lower"), row("c", "t", 40, low=0, high=100)])
    (note,) = results(path).records.notes
    assert note == (
        "acc is the name of metrics that are kept apart: higher is better, 0 to 1 in runs.json: $[0];"
        " higher is better, 0 to 100 in runs.json: $[2]; lower is better, open to open in runs.json: $[1]"
    )
