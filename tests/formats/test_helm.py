"""Run folders of HELM."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.errors import EvalreportError
from tests.formats.made.files import one_run, reading, write
from tests.formats.made.helm import ROBUST, instances, spec, stat

FOLDER = "runs/quiz:subject=a,model=lab_one"


def run_folder(root: Path, stats: object, *, each: object = None, described: object = None) -> None:
    write(root, f"{FOLDER}/stats.json", stats)
    write(root, f"{FOLDER}/run_spec.json", spec() if described is None else described)
    if each is not None:
        write(root, f"{FOLDER}/per_instance_stats.json", each)


def test_only_the_test_split_without_perturbation_is_the_score(tmp_path: Path) -> None:
    stats = [
        stat("exact_match", 0.0, split="valid"),
        stat("exact_match", 0.25, perturbation=ROBUST),
        stat("exact_match", 0.5),
        stat("num_instances", 4.0),
        stat("num_instances", 1.0, split="valid"),
    ]
    run_folder(tmp_path, stats)
    found = reading(tmp_path)
    (run,) = found.runs
    assert (run.model_id, run.task_id, run.category) == ("lab/one", "quiz:subject=a", "quizzes")
    assert (run.score, run.n, run.key, run.status) == (Fraction(1, 2), 4, "$[2].mean", "complete")
    assert [(one.value, one.reason) for one in found.set_aside] == [
        ("1 statistics: exact_match", "of split 'test', perturbed (robustness, worst): not the test split as it is"),
        ("1 statistics: num_instances", "describes the run, is no score"),
        ("2 statistics: exact_match, num_instances", "of split 'valid': not the test split as it is"),
    ]


def test_a_part_of_the_test_split_is_not_the_score(tmp_path: Path) -> None:
    part = stat("exact_match", 0.25)
    part["name"] = {"name": "exact_match", "split": "test", "sub_split": "hard"}
    run_folder(tmp_path, [part, stat("exact_match", 0.5)])
    found = reading(tmp_path)
    assert [run.score for run in found.runs] == [Fraction(1, 2)]
    assert [one.reason for one in found.set_aside] == ["of split 'test', part 'hard': not the test split as it is"]


def test_a_statistic_without_a_mean_has_no_value_and_the_others_stay(tmp_path: Path) -> None:
    run_folder(tmp_path, [stat("exact_match", 0.6), stat("logprob", None), stat("ece_10_bin", None)])
    found = reading(tmp_path)
    assert [run.score for run in found.runs] == [Fraction(3, 5)]
    assert [(one.value, one.reason) for one in found.set_aside] == [
        ("quiz:subject=a, logprob", "no value (0 observations)"),
        ("quiz:subject=a, ece_10_bin", "no value (0 observations)"),
    ]


def test_instances_give_the_counts(tmp_path: Path) -> None:
    stats = [stat("exact_match", 0.3333333333333333), stat("num_instances", 3.0)]
    run_folder(tmp_path, stats, each=instances([1, 0, 0]))
    run = one_run(tmp_path)
    assert (run.score, run.n_correct, run.n, run.notes) == (Fraction(1, 3), 1, 3, ())


def test_instances_that_contradict_the_statistics_are_told(tmp_path: Path) -> None:
    run_folder(tmp_path, [stat("exact_match", 0.75)], each=instances([1, 0]))
    assert one_run(tmp_path).notes == ("contradicted: its 2 instances give 0.500000",)


def test_several_trials_are_no_further_instances(tmp_path: Path) -> None:
    each = [*instances([1, 0]), *instances([1, 1])]
    run_folder(tmp_path, [stat("exact_match", 0.75)], each=each, described=spec(num_train_trials=2))
    run = one_run(tmp_path)
    assert (run.n, run.n_correct) == (2, None)
    assert run.notes == ("mean over 2 trials of 2 instances",)


def test_a_cap_that_was_reached_limits_the_run(tmp_path: Path) -> None:
    stats = [stat("exact_match", 0.5), stat("num_instances", 9.0), stat("num_instances", 1.0, split="valid")]
    run_folder(tmp_path, stats, described=spec(max_eval_instances=10))
    run = one_run(tmp_path)
    assert (run.status, run.n) == ("limited", 9)
    assert run.notes == ("limited: at most 10 instances were asked for, and 10 were run",)


def test_a_run_without_a_test_split_says_which_split_it_is(tmp_path: Path) -> None:
    run_folder(tmp_path, [stat("exact_match", 0.5, split="valid")])
    assert one_run(tmp_path).notes == ("the run has no test split; this is 'valid'",)


def test_a_folder_without_a_description_is_told_by_its_name(tmp_path: Path) -> None:
    write(tmp_path, f"{FOLDER}/stats.json", [stat("exact_match", 0.5)])
    run = one_run(tmp_path)
    assert (run.model_id, run.task_id, run.category) == ("lab_one", "quiz:subject=a", "general")


def test_folders_without_a_model_or_with_damaged_files_are_told_together(tmp_path: Path) -> None:
    write(tmp_path, "nameless/stats.json", [stat("exact_match", 0.5)])
    write(tmp_path, "a/stats.json", '[{"name": {"name": "exact_match"')
    write(tmp_path, "a/run_spec.json", '{"name": "x", "adapter_spec": {')
    with pytest.raises(EvalreportError) as caught:
        reading(tmp_path)
    assert [problem.where for problem in caught.value.problems] == [
        "a/run_spec.json",
        "a/stats.json",
        "nameless/stats.json",
    ]


def test_a_folder_without_statistics_is_set_aside(tmp_path: Path) -> None:
    write(tmp_path, f"{FOLDER}/run_spec.json", spec())
    assert reading(tmp_path).set_aside[0].reason == "has no stats.json, and so no scores"


def test_the_same_run_in_two_suites_is_one_and_a_copy(tmp_path: Path) -> None:
    for suite in ("v1", "v2"):
        write(tmp_path, f"{suite}/run/stats.json", [stat("exact_match", 0.5)])
        write(tmp_path, f"{suite}/run/run_spec.json", spec())
    found = reading(tmp_path)
    assert [run.file for run in found.runs] == ["v1/run/stats.json"]
    assert [one.reason for one in found.set_aside] == ["a copy of v1/run/stats.json"]


def test_other_files_of_these_names_are_not_claimed(tmp_path: Path) -> None:
    write(tmp_path, "a/stats.json", {"name": 1})
    write(tmp_path, "a/run_spec.json", {"other": 1})
    write(tmp_path, "a/per_instance_stats.json", [1])
    found = reading(tmp_path)
    assert (found.runs, found.set_aside) == ((), ())


@pytest.mark.shared
def test_the_shared_run_is_one_of_nine_and_not_the_pooled_tenth(shared: Path) -> None:
    run = next(run for run in reading(shared / "data/formats/helm").runs if run.metric_name == "exact_match")
    assert (run.score, run.n_correct, run.n) == (Fraction(1, 9), 1, 9)
    assert run.task_id == "mmlu:subject=philosophy,method=multiple_choice_joint"


@pytest.mark.shared
def test_the_shared_case_of_this_format(shared: Path) -> None:
    found = reading(shared / "cases/public/P18")
    assert [(run.metric_name, run.score, run.model_id) for run in found.runs] == [
        ("exact_match", Fraction(3, 5), "lab/alpha-1")
    ]
    assert {one.reason for one in found.set_aside} == {"no value (0 observations)"}
    assert len(found.set_aside) == 2
