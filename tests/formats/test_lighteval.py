"""Results and details of LightEval."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.errors import EvalreportError
from tests.formats.made.files import one_run, reading, scores, write
from tests.formats.made.lighteval import STAMP, details, results

NAME = f"results/lab/one/results_{STAMP}.json"


def test_aggregates_are_no_tasks_and_missing_values_are_told(tmp_path: Path) -> None:
    rows = {
        "mm:alg|5": {"acc": 0.3, "acc_stderr": 0.0461},
        "mm:ana|5": {"acc": 0.5, "acc_stderr": "NAN"},
        "odd|0": {"mcc": -0.2, "broken": "NAN", "huge": "INF"},
        "mm:_average|5": {"acc": 0.4},
        "all": {"acc": 0.4, "mcc": -0.2},
    }
    text = json.dumps(results(rows)).replace('"NAN"', "NaN").replace('"INF"', "Infinity")
    write(tmp_path, NAME, text)
    found = reading(tmp_path)
    assert [(run.task_id, run.metric_name, run.score, run.category) for run in found.runs] == [
        ("mm:alg", "acc", Fraction(3, 10), "mm"),
        ("mm:ana", "acc", Fraction(1, 2), "mm"),
        ("odd", "mcc", Fraction(-1, 5), "general"),
    ]
    assert found.runs[1].stderr is None
    assert [one.reason for one in found.set_aside] == [
        "sums up other tasks, is no task",
        "sums up other tasks, is no task",
        "has no value: it is NaN, which is not a number of JSON",
        "has no value: it is Infinity, which is not a number of JSON",
    ]
    assert found.notes == (f"{NAME}: 2 of 3 scores have no standard error",)


@pytest.mark.parametrize("key", ["all|0", "overall", "small", "my_average"])
def test_a_task_that_only_sounds_like_an_aggregate_is_a_task(tmp_path: Path, key: str) -> None:
    write(tmp_path, NAME, results({key: {"acc": 0.5}}))
    assert one_run(tmp_path).score == Fraction(1, 2)


def test_old_keys_have_a_suite_and_two_suites_are_two_tasks(tmp_path: Path) -> None:
    write(tmp_path, NAME, results({"lighteval|gsm8k|5|0": {"qem": 0.5}, "leaderboard|gsm8k|5|0": {"qem": 0.25}}))
    assert scores(tmp_path) == {
        ("lab/one", "gsm8k (leaderboard, 5-shot)", "qem"): "1/4",
        ("lab/one", "gsm8k (lighteval, 5-shot)", "qem"): "1/2",
    }


def test_direction_version_and_limit_come_from_the_file(tmp_path: Path) -> None:
    config = {"t|0": {"metrics": [{"metric_name": "wobble", "higher_is_better": False}], "version": 3}}
    write(tmp_path, NAME, results({"t|0": {"wobble": 0.5}}, max_samples=2, config_tasks=config))
    run = one_run(tmp_path)
    assert (run.better, run.share, run.version, run.status) == ("lower", False, "3", "limited")
    assert run.notes == ("limited: run with max_samples 2",)


def test_documents_tell_whether_a_limit_was_one(tmp_path: Path) -> None:
    config = {
        "a|0": {"original_num_docs": 9, "effective_num_docs": 9},
        "b|0": {"original_num_docs": 90, "effective_num_docs": 9},
    }
    rows = {"a|0": {"acc": 0.5}, "b|0": {"acc": 0.5}}
    write(tmp_path, NAME, results(rows, max_samples=9, config_tasks=config))
    found = {run.task_id: (run.status, run.n, run.n_original) for run in reading(tmp_path).runs}
    assert found == {"a": ("complete", 9, 9), "b": ("limited", 9, 90)}


def test_details_give_the_counts_of_their_results(tmp_path: Path) -> None:
    write(tmp_path, NAME, results({"mm:alg|0": {"acc": 0.6666666666666666, "acc_stderr": 0.2}}))
    details(tmp_path, "mm:alg|0", [{"acc": 1}, {"acc": 0}, {"acc": 1}])
    run = one_run(tmp_path)
    assert (run.score, run.n, run.n_correct, run.notes) == (Fraction(2, 3), 3, 2, ())


def test_details_of_another_time_are_a_run_of_their_own(tmp_path: Path) -> None:
    write(tmp_path, "results/results_2026-03-03T03-03-03.json", results({"t|0": {"acc": 0.75}}))
    details(tmp_path, "t|0", [{"acc": 1}, {"acc": 0}])
    found = reading(tmp_path)
    assert [(run.score, run.n) for run in found.runs] == [(Fraction(3, 4), None)]
    assert found.set_aside[0].reason == "superseded by results/results_2026-03-03T03-03-03.json, which is newer"


def test_details_that_contradict_their_results_are_told(tmp_path: Path) -> None:
    write(tmp_path, NAME, results({"t|0": {"acc": 0.75}}))
    path = details(tmp_path, "t|0", [{"acc": 1.0}, {"acc": 0.0}], column="metrics")
    where = path.relative_to(tmp_path).as_posix()
    assert one_run(tmp_path).notes == (f"contradicted: the 2 documents of {where} give 0.500000",)


def test_details_without_results_are_averaged_under_their_folders_model(tmp_path: Path) -> None:
    details(tmp_path, "mm:alg|5", [{"f1": 0.1, "text": "x"}, {"f1": 0.2, "text": "x"}, {"f1": None, "text": "x"}])
    found = reading(tmp_path)
    (run,) = found.runs
    assert (run.model_id, run.task_id, run.score, run.n) == ("lab/one", "mm:alg", Fraction(15, 100), 2)
    assert found.set_aside[0].value == "4 values of documents"


def test_damaged_files_are_told_together_by_name(tmp_path: Path) -> None:
    path = details(tmp_path, "t|0", [{"acc": 1}])
    path.write_bytes(path.read_bytes()[:-20])
    write(tmp_path, NAME, json.dumps(results({"t|0": {"acc": 0.75}}))[:-3])
    write(tmp_path, "z/results.json", {"config_general": {}, "results": {}})
    nameless = details(tmp_path, "u|0", [{"acc": 1}])
    nameless.rename(tmp_path / nameless.name)
    with pytest.raises(EvalreportError) as caught:
        reading(tmp_path)
    assert [problem.where for problem in caught.value.problems] == [
        path.relative_to(tmp_path).as_posix(),
        nameless.name,
        NAME,
        "z/results.json",
    ]


def test_details_without_documents_are_told(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    path = details(tmp_path, "t|0", [{"acc": 1}])
    pq.write_table(pq.read_table(path).slice(0, 0), path)
    assert reading(tmp_path).set_aside[0].reason == "the file has no rows"


def test_without_the_extra_a_details_file_is_refused_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    details(tmp_path, "t|0", [{"acc": 1}])
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(EvalreportError, match="cannot be read without pyarrow"):
        reading(tmp_path)


def test_a_parquet_file_with_other_columns_is_not_claimed(tmp_path: Path) -> None:
    details(tmp_path, "t|0", [{"acc": 1}], column="numbers")
    assert not reading(tmp_path).runs


@pytest.mark.shared
def test_the_shared_results_have_two_documents_a_task_and_no_all(shared: Path) -> None:
    found = reading(shared / "data/formats/lighteval")
    assert [(run.task_id, run.score, run.n, run.n_correct, run.status) for run in found.runs] == [
        ("anli:r1", Fraction(0), 2, 0, "limited"),
        ("squad_v2", Fraction(0), 2, 0, "limited"),
    ]
    assert any("degenerate" in note for note in found.runs[0].notes)
    assert sorted(one.value for one in found.set_aside if not one.key) == ["a Git LFS pointer"]
    assert [one.key for one in found.set_aside if one.key] == ["$.results.all"]


@pytest.mark.shared
def test_the_shared_cases_of_this_format(shared: Path) -> None:
    p10 = reading(shared / "cases/public/P10")
    assert {(run.task_id, str(run.score)) for run in p10.runs} == {
        ("mm:alg", "3/10"),
        ("mm:ana", "1/2"),
        ("odd", "-1/5"),
    }
    p31 = reading(shared / "cases/public/P31")
    assert ("details_quiz.parquet", "a Git LFS pointer") in {(one.file, one.value) for one in p31.set_aside}
