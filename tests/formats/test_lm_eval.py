"""Results and samples of lm-evaluation-harness."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalreport.core.exact import fixed
from evalreport.errors import EvalreportError
from evalreport.formats.json_values import top_keys
from evalreport.formats.lm_eval.groups import group_row, groups_of
from evalreport.formats.standard_errors import closed_form, hits, judged
from tests.formats.made.files import one_run, reading, scores, write
from tests.formats.made.lm_eval import acc, results

NAME = "results_2026-03-01T08-00-00.000001.json"


def test_a_score_keeps_file_key_size_error_version_and_date(tmp_path: Path) -> None:
    write(tmp_path, f"m/{NAME}", results({"t": acc(0.75, 0.25)}, sizes={"t": (4, 4)}))
    run = one_run(tmp_path)
    assert (run.score, run.stderr, run.n, run.n_original, run.n_correct) == (Fraction(3, 4), Fraction(1, 4), 4, 4, 3)
    assert (run.file, run.key) == (f"m/{NAME}", '$.results.t["acc,none"]')
    assert (run.version, run.date, run.status, run.share) == ("1", Fraction(1750000000), "complete", True)


def test_old_and_new_keys_are_one_metric(tmp_path: Path) -> None:
    old = {
        "results": {"t": {"acc": 0.5, "acc_stderr": 0.1}},
        "versions": {"t": 0},
        "config": {"model": "hf-causal", "model_args": "pretrained=lab/old,dtype=auto"},
    }
    write(tmp_path, "old.json", old)
    write(tmp_path, "new.json", results({"t": acc(0.25)}))
    assert scores(tmp_path) == {("lab/old", "t", "acc"): "1/2", ("lab/one", "t", "acc"): "1/4"}


def test_a_filter_that_does_something_is_part_of_the_metric(tmp_path: Path) -> None:
    row = {"exact_match,strict": 0.25, "exact_match,none": 0.5, "exact_match_stderr,strict": 0.125}
    write(tmp_path, NAME, results({"t": row}))
    by_name = {run.metric_name: run.stderr for run in reading(tmp_path).runs}
    assert by_name == {"exact_match,strict": Fraction(1, 8), "exact_match": None}


@pytest.mark.parametrize("stated", ["N/A", [], None, "NaN"])
def test_a_missing_standard_error_is_none_and_counted(tmp_path: Path, stated: object) -> None:
    text = json.dumps(results({"t": acc(0.5, stated)}, sizes={"t": (4, 4)})).replace('"NaN"', "NaN")
    write(tmp_path, NAME, text)
    found = reading(tmp_path)
    assert found.runs[0].stderr is None
    assert found.notes == (f"{NAME}: 1 of 1 scores have no standard error",)


def test_a_score_without_a_value_is_set_aside_and_the_others_stay(tmp_path: Path) -> None:
    rows = {"a": acc(0.5), "b": {"mae,none": "INF", "acc,none": "N/A"}, "c": {"acc,none": True}, "d": 7}
    write(tmp_path, NAME, json.dumps(results(rows)).replace('"INF"', "Infinity"))
    found = reading(tmp_path)
    assert [run.task_id for run in found.runs] == ["a"]
    assert [(one.key, one.reason) for one in found.set_aside] == [
        ('$.results.b["acc,none"]', "has no value: it is N/A, which is no number"),
        ('$.results.b["mae,none"]', "has no value: it is Infinity, which is not a number of JSON"),
        ('$.results.c["acc,none"]', "has no value: it is true, which is no number"),
        ("$.results.d", "is no row of scores"),
    ]


def test_a_group_is_set_aside_with_its_recomputed_values(tmp_path: Path) -> None:
    rows = {"g": acc(0.54, 0.0), "g_a": acc(0.9, 0.1), "g_b": acc(0.5, 0.053)}
    file = results(
        rows, sizes={"g_a": (10, 10), "g_b": (90, 90)}, more={"group_subtasks": {"g": ["g_a", "g_b"], "g_a": []}}
    )
    write(tmp_path, NAME, file)
    found = reading(tmp_path)
    assert {run.task_id: run.category for run in found.runs} == {"g_a": "g", "g_b": "g"}
    (aside,) = found.set_aside
    assert aside.value == "0.54 (lab/one, g, acc)"
    # (10 · 0.9 + 90 · 0.5) / 100; √((9·10·0.01 + 89·90·0.002809) / 98 / 100); √(0.01·0.01 + 0.81·0.002809)
    assert aside.reason == (
        "a group of 2 tasks, which are counted themselves; weighted by size over 100 items 0.540000, standard error "
        "0.048865 pooled, 0.048737 in quadrature; unweighted mean of its tasks 0.700000; the file states the weighted "
        "one; its standard error 0 is impossible"
    )


def test_nested_groups_end_at_their_tasks_and_a_ring_does_not_hang(tmp_path: Path) -> None:
    below = {"top": ["mid", "a"], "mid": ["b", "ring"], "ring": ["mid", "c"], "a": []}
    found = groups_of({"results": {"a": {}, "b": {}}, "group_subtasks": below})
    assert found.members["top"] == ("a", "b")
    assert found.named["top"] == 3
    assert (found.top("a"), found.is_group("top"), found.is_group("a")) == ("top", True, False)


def test_a_group_without_any_of_its_tasks_is_counted_as_a_task(tmp_path: Path) -> None:
    write(tmp_path, NAME, results({"g": acc(0.5)}, more={"group_subtasks": {"g": ["x", "y"]}}))
    assert one_run(tmp_path).task_id == "g"


def test_a_group_of_a_file_that_does_not_name_its_tasks_is_not_counted(tmp_path: Path) -> None:
    write(tmp_path, NAME, results({"g": acc(0.5), "t": acc(0.25)}, more={"groups": {"g": acc(0.5)}}))
    found = reading(tmp_path)
    assert [run.task_id for run in found.runs] == ["t"]
    assert found.set_aside[0].reason == "a group; the file does not say which tasks it holds"


def test_a_limited_run_says_how_much_of_the_task_it_saw(tmp_path: Path) -> None:
    write(tmp_path, NAME, results({"t": acc(0.9)}, sizes={"t": (1000, 10)}))
    run = one_run(tmp_path)
    assert (run.status, run.n, run.n_original, run.notes) == ("limited", 10, 1000, ("limited: 10 of 1000 items",))


def test_a_limit_above_the_size_limits_nothing_and_one_without_sizes_does(tmp_path: Path) -> None:
    config = {"model_args": "pretrained=m", "limit": 1000.0}
    write(tmp_path, "a.json", results({"t": acc(0.5)}, sizes={"t": (20, 20)}, more={"config": config}))
    write(tmp_path, "b.json", results({"u": acc(0.5)}, more={"config": config}))
    assert {run.task_id: run.status for run in reading(tmp_path).runs} == {"t": "complete", "u": "limited"}


def test_lower_is_better_by_file_or_by_name_and_never_a_share(tmp_path: Path) -> None:
    rows = {"t": {"perplexity,none": 5.7, "oddness,none": 0.5, "brier_score,none": 0.25}}
    write(tmp_path, NAME, results(rows, more={"higher_is_better": {"t": {"oddness": False}}}))
    runs = reading(tmp_path).runs
    assert [(run.metric_name, run.better, run.share) for run in runs] == [
        ("brier_score", "lower", False),
        ("oddness", "lower", False),
        ("perplexity", "lower", False),
    ]


def test_an_unknown_metric_beyond_one_is_on_an_open_scale_for_every_model(tmp_path: Path) -> None:
    write(tmp_path, "a.json", results({"t": {"points,none": 0.5}}, model="a"))
    write(tmp_path, "b.json", results({"t": {"points,none": 55}}, model="b"))
    assert [(run.score, run.low, run.high) for run in reading(tmp_path).runs] == [
        (Fraction(1, 2), None, None),
        (55, None, None),
    ]


def test_a_percentage_among_fractions_refuses_the_input_and_names_every_one(tmp_path: Path) -> None:
    write(tmp_path, "a.json", results({"t": acc(85.2), "u": acc(0.5)}))
    write(tmp_path, "b.json", results({"t": acc(-0.1)}, model="lab/two"))
    with pytest.raises(EvalreportError) as caught:
        reading(tmp_path)
    assert [problem.what for problem in caught.value.problems] == ["is 85.2", "is -0.1"]


def test_a_correlation_may_be_negative(tmp_path: Path) -> None:
    write(tmp_path, NAME, results({"t": {"mcc,none": -0.2}}))
    run = one_run(tmp_path)
    assert (run.low, run.high, run.share) == (Fraction(-1), Fraction(1), False)


def test_the_newest_complete_file_wins_by_the_date_inside(tmp_path: Path) -> None:
    write(tmp_path, "results_09-30-2025.json", results({"t": acc(0.4)}, date=1759190400.0))
    write(tmp_path, "results_01-15-2026.json", results({"t": acc(0.7)}, date=1768435200.0))
    write(tmp_path, "copy/results_2026-01-15T00-00-00.json", results({"t": acc(0.7)}, date=1768435200.0))
    cut = results({"t": acc(0.9)}, date=1768435299.0, sizes={"t": (100, 10)})
    write(tmp_path, "results_later.json", cut)
    found = reading(tmp_path)
    assert [(run.score, run.file) for run in found.runs] == [(Fraction(7, 10), "results_01-15-2026.json")]
    assert [(one.file, one.reason) for one in found.set_aside] == [
        ("copy/results_2026-01-15T00-00-00.json", "a copy of results_01-15-2026.json"),
        ("results_09-30-2025.json", "superseded by results_01-15-2026.json, which is newer"),
        ("results_later.json", "superseded by results_01-15-2026.json, which is complete; this one is limited"),
    ]


def test_two_files_of_one_date_that_disagree_are_both_kept_for_the_comparison_to_refuse(tmp_path: Path) -> None:
    write(tmp_path, "a.json", results({"t": acc(0.4)}))
    write(tmp_path, "b.json", results({"t": acc(0.7)}))
    assert len(reading(tmp_path).runs) == 2


def test_files_without_a_date_are_told_apart_by_the_time_in_their_names(tmp_path: Path) -> None:
    write(tmp_path, "results_2026-03-01T08-00-00.json", results({"t": acc(0.4)}, date=None))
    write(tmp_path, "results_2026-03-02T07-00-00.json", results({"t": acc(0.7)}, date=None))
    assert one_run(tmp_path).score == Fraction(7, 10)


def test_two_numbers_of_shots_are_two_tasks(tmp_path: Path) -> None:
    write(tmp_path, "a.json", results({"t": acc(0.4)}, more={"n-shot": {"t": 0}}))
    write(tmp_path, "b.json", results({"t": acc(0.7)}, more={"n-shot": {"t": 5}}))
    assert sorted(run.task_id for run in reading(tmp_path).runs) == ["t (0-shot)", "t (5-shot)"]


def test_a_task_has_one_category_also_where_it_ran_alone(tmp_path: Path) -> None:
    write(tmp_path, "a.json", results({"g": acc(0.5), "t": acc(0.5)}, more={"group_subtasks": {"g": ["t"]}}))
    write(tmp_path, "b.json", results({"t": acc(0.5)}, model="lab/two"))
    assert {run.category for run in reading(tmp_path).runs} == {"g"}


@pytest.mark.parametrize(
    ("args", "model"),
    [
        ("pretrained=lab/m,dtype=auto", "lab/m"),
        ("model=gpt-x", "gpt-x"),
        ("pretrained=lab/m,revision=step9", "lab/m@step9"),
        ("pretrained=lab/m,peft=lab/tuned,revision=main", "lab/m+lab/tuned"),
        ({"pretrained": "lab/m", "max_length": 9}, "lab/m"),
    ],
)
def test_the_model_is_named_by_its_arguments(tmp_path: Path, args: object, model: str) -> None:
    write(tmp_path, NAME, {"results": {"t": acc(0.5)}, "config": {"model": "hf", "model_args": args}})
    assert one_run(tmp_path).model_id == model


def test_a_file_without_a_model_is_called_after_its_folder_or_refused(tmp_path: Path) -> None:
    nameless = {"results": {"t": acc(0.5)}, "config": {"model": "hf"}}
    write(tmp_path, f"m1/{NAME}", nameless)
    found = reading(tmp_path)
    assert found.runs[0].model_id == "m1"
    assert f"m1/{NAME}: names no model; it is called after its folder" in found.notes
    write(tmp_path, NAME, nameless)
    with pytest.raises(EvalreportError, match="names no model"):
        reading(tmp_path)


def test_repeats_are_no_further_items(tmp_path: Path) -> None:
    row = {"accuracy_avg,none": 0.2, "accuracy_std_err,none": 0.03, "num_repeat,none": 10}
    write(tmp_path, NAME, results({"t": row}, sizes={"t": (30, 30)}))
    run = one_run(tmp_path)
    assert (run.metric_name, run.n, run.n_correct, run.stderr) == ("accuracy", 30, None, Fraction(3, 100))
    assert run.notes == ("mean over 10 repeats of each item; n counts items",)


def test_an_average_beside_its_plain_metric_keeps_its_name(tmp_path: Path) -> None:
    write(tmp_path, NAME, results({"t": {"acc_avg": 0.2, "acc": 0.4, "acc_stderr": 0.1}}))
    assert [(run.metric_name, run.stderr) for run in reading(tmp_path).runs] == [
        ("acc", Fraction(1, 10)),
        ("acc_avg", None),
    ]


def test_a_standard_error_of_zero_is_judged(tmp_path: Path) -> None:
    assert judged(Fraction(14, 307), Fraction(0), 307)[0] == closed_form(Fraction(14, 307), 307)
    assert fixed(closed_form(Fraction(14, 307), 307), 6) == "0.011926"  # √(14/307 · 293/307 / 306)
    assert judged(Fraction(1, 3), Fraction(0), None) == (None, "standard error 0 contradicts a score of 0.3333")
    assert judged(Fraction(1), Fraction(0), 5)[0] == 0
    assert judged(Fraction(1, 2), Fraction(-1), 5)[0] is None


def sample(number: int, score: object, **more: object) -> str:
    return json.dumps({"doc_id": number, "target": "x", "resps": [["x"]], "doc": {"q": "\u2028"}, "acc": score, **more})


def test_samples_give_the_counts_of_their_results(tmp_path: Path) -> None:
    write(tmp_path, f"m/{NAME}", results({"t": acc(0.6666666666666666)}))
    lines = "\n".join(sample(i, score) for i, score in enumerate((1, 0, 1.0)))
    write(tmp_path, "m/samples_t_2026-03-01T08-00-00.000001.jsonl.gz", lines)
    run = one_run(tmp_path)
    assert (run.score, run.n, run.n_correct, run.notes) == (Fraction(2, 3), 3, 2, ())


def test_samples_that_disagree_with_their_results_are_told(tmp_path: Path) -> None:
    write(tmp_path, f"m/{NAME}", results({"t": acc(0.75)}))
    write(tmp_path, "m/samples_t_2026-03-01T08-00-00.000001.jsonl", f"{sample(0, 1)}\n{sample(1, 0)}\n")
    (note,) = one_run(tmp_path).notes
    assert note.startswith("contradicted: the 2 samples of m/samples_t_")
    assert note.endswith("give 0.500000")


def test_samples_without_results_are_scores_of_the_folder_they_stand_in(tmp_path: Path) -> None:
    lines = f"{sample(0, 1, filter='strict')}\n{sample(0, 0, filter='none')}\n\n{sample(1, 1, filter='none')}\n"
    write(tmp_path, "lab__m/samples_t_2026-03-01T08-00-00.jsonl", lines)
    assert scores(tmp_path) == {("lab__m", "t", "acc,strict"): "1", ("lab__m", "t", "acc"): "1/2"}


def test_samples_that_nothing_names_a_model_for_are_set_aside(tmp_path: Path) -> None:
    write(tmp_path, "samples_t_2026-03-01T08-00-00.jsonl", sample(0, 1))
    found = reading(tmp_path)
    assert not found.runs
    assert found.set_aside[0].value == "t, acc: 1.0000 over 1"


def test_named_metrics_only_and_repeated_or_empty_samples_are_told(tmp_path: Path) -> None:
    lines = [sample(0, 1, metrics=["acc"], other=0.5), sample(0, 1, metrics=["acc"]), sample(1, None)]
    write(tmp_path, "m/samples_t_2026-03-01T08-00-00.jsonl", "\n".join(lines))
    found = reading(tmp_path)
    assert [run.metric_name for run in found.runs] == ["acc"]
    assert found.notes == ("m/samples_t_2026-03-01T08-00-00.jsonl: 1 samples stand more than once",)
    assert found.set_aside[0].value == "1 samples"


def test_damaged_files_are_told_together_by_name(tmp_path: Path) -> None:
    write(tmp_path, "a/results_x.json", '{"results": {"t": {"acc,none": 0.5}, ')
    write(tmp_path, "b/samples_t_x.jsonl", f'{sample(0, 1)}\n{{"doc_id": 1, "acc"\n')
    packed = write(tmp_path, "c/results_x.json.gz", results({"t": acc(0.5)}))
    packed.write_bytes(packed.read_bytes()[:-8])
    with pytest.raises(EvalreportError) as caught:
        reading(tmp_path)
    assert [problem.where for problem in caught.value.problems] == [
        "a/results_x.json",
        "b/samples_t_x.jsonl: line 2",
        "c/results_x.json.gz",
    ]


@pytest.mark.parametrize("text", ["", '{"res'])
def test_a_results_file_that_was_cut_at_its_very_start_is_no_ignored_file(tmp_path: Path, text: str) -> None:
    write(tmp_path, NAME, text)
    with pytest.raises(EvalreportError, match=NAME):
        reading(tmp_path)


def test_hostile_names_stay_as_they_are(tmp_path: Path) -> None:
    name = '<script>alert(1)</script>|$x_{`"\n../模型\u202e'
    write(tmp_path, "m/results.json", results({name: acc(0.5)}, model=name))
    run = one_run(tmp_path)
    assert (run.model_id, run.task_id) == (name, name)


def test_other_objects_with_results_are_not_claimed(tmp_path: Path) -> None:
    write(tmp_path, "a.json", {"results": [1, 2]})
    write(tmp_path, "b.json", {"schema": 1, "suite": "x", "results": {}, "config": {}})
    assert not reading(tmp_path).runs


@given(st.dictionaries(st.text(max_size=5), st.recursive(st.integers() | st.text(max_size=5), st.lists)), st.data())
@settings(deadline=None, max_examples=60)
def test_the_beginning_of_a_text_shows_no_key_that_is_not_there(value: dict[str, object], data: st.DataObject) -> None:
    text = json.dumps(value).encode()
    keys = {json.dumps(key)[1:-1] for key in value}
    assert top_keys(text) == keys
    assert top_keys(text[: data.draw(st.integers(0, len(text)))]) <= keys


@given(st.integers(1, 5000), st.data())
@settings(deadline=None, max_examples=60)
def test_hits_are_found_again_from_a_binary_number(n: int, data: st.DataObject) -> None:
    right = data.draw(st.integers(0, n))
    assert hits(Fraction(str(right / n)) if right / n >= 1e-4 else Fraction(right / n), n) == right


@pytest.mark.shared
def test_the_shared_groups_reproduce_the_printed_mean_and_error(shared: Path) -> None:
    found = reading(shared / "data/formats/lm_eval/Qwen__Qwen2.5-1.5B")
    mmlu = next(one for one in found.set_aside if ", mmlu, acc)" in one.value)
    assert mmlu.value.startswith("0.596140150976 ")
    assert "a group of 57 tasks" in mmlu.reason
    assert "0.596140, standard error 0.003908 pooled" in mmlu.reason
    assert "the file states the weighted one" in mmlu.reason
    leaves = [run for run in found.runs if dict(run.columns).get("top_group") == "mmlu"]
    recomputed = group_row(leaves, 57, None, None)
    assert (recomputed.tasks, recomputed.n) == (57, 14042)
    assert recomputed.weighted is not None
    assert fixed(recomputed.weighted, 10) == "0.5961401510"
    assert recomputed.pooled_error is not None
    assert fixed(recomputed.pooled_error, 10) == "0.0039081889"


@pytest.mark.shared
def test_the_shared_asdiv_files_give_counts_of_results_and_samples(shared: Path) -> None:
    runs = {(run.task_id, run.metric_name): run for run in reading(shared / "data/formats/lm_eval/asdiv").runs}
    asdiv = runs["asdiv", "acc"]
    assert (asdiv.n_correct, asdiv.n, asdiv.n_original, asdiv.status) == (46, 50, 2305, "limited")
    assert asdiv.stderr is not None
    assert fixed(asdiv.stderr, 10) == "0.0387561713"
    strict, flexible = (runs["asdiv_cot_llama", f"exact_match,{f}"] for f in ("strict-match", "flexible-extract"))
    assert (strict.n_correct, flexible.n_correct, strict.n) == (453, 454, 512)


@pytest.mark.shared
def test_the_shared_folder_named_like_a_file_is_walked_and_its_infinity_listed(shared: Path) -> None:
    found = reading(shared / "data/formats/lm_eval/all_materials.json")
    battery = next(run for run in found.runs if run.task_id == "battery_electrolyte_qa")
    assert battery.score == Fraction(35, 100)
    assert battery.stderr is not None
    assert fixed(battery.stderr, 8) == "0.10942433"
    assert {run.status for run in found.runs} == {"complete"}
    (lost,) = found.set_aside
    assert "Infinity" in lost.reason


@pytest.mark.shared
@pytest.mark.parametrize(
    ("task", "metric", "score", "error"),
    [
        ("arc_challenge", "acc", "22.44", "1.22"),
        ("hellaswag", "acc_norm", "36.56", "0.48"),
        ("copa", "acc", "61.00", "4.90"),
        ("gsm8k", "acc", "0.53", None),
    ],
)
def test_the_shared_old_files_give_their_printed_percentages(
    shared: Path, task: str, metric: str, score: str, error: str | None
) -> None:
    runs = reading(shared / "data/formats/lm_eval_old").runs
    run = next(run for run in runs if (run.task_id, run.metric_name) == (task, metric))
    assert fixed(run.score * 100, 2) == score
    assert run.stderr is not None
    assert error is None or fixed(run.stderr * 100, 2) == error


@pytest.mark.shared
def test_the_shared_old_perplexity_is_neither_a_share_nor_a_percentage(shared: Path) -> None:
    runs = reading(shared / "data/formats/lm_eval_old").runs
    run = next(run for run in runs if (run.task_id, run.metric_name) == ("lambada_openai", "ppl"))
    assert (fixed(run.score, 2), run.better, run.share) == ("28.68", "lower", False)


@pytest.mark.shared
def test_the_shared_cases_of_this_format(shared: Path) -> None:
    def case(name: str) -> Path:
        return shared / "cases/public" / name

    p01 = reading(case("P01"))
    assert {run.task_id: (str(run.score), run.n) for run in p01.runs} == {
        "t_na": ("31/50", 50),
        "t_list": ("1/2", 40),
        "t_ok": ("4/5", 101),
        "t_absent": ("1/4", 8),
    }
    assert [run.task_id for run in p01.runs if run.stderr is not None] == ["t_ok"]
    p03 = reading(case("P03"))
    assert len(p03.runs) == 2
    for told in ("0.540000", "0.700000", "0.048865 pooled", "0.048737 in quadrature", "0 is impossible"):
        assert told in p03.set_aside[0].reason
    p04 = {run.model_id: run for run in reading(case("P04")).runs}
    assert (p04["lab/alpha-1"].n, p04["lab/alpha-1"].status) == (10, "limited")
    assert p04["lab/beta-1"].n is None
    assert fixed(p04["lab/beta-1"].stderr or 0) == "0.0103"
    p05 = reading(case("P05"))
    assert [run.score for run in p05.runs] == [Fraction(7, 10)]
    assert sorted(one.reason.split(" ")[0] for one in p05.set_aside) == ["a", "superseded"]
    p06 = {(run.model_id, run.metric_name): (run.score, run.version) for run in reading(case("P06")).runs}
    assert p06["lab/old-1", "acc"] == (Fraction(61, 100), "0")
    assert p06["lab/new-1", "acc_norm"] == (Fraction(64, 100), "2")
    assert len(p06) == 4
    p08 = {(run.model_id, run.metric_name): run for run in reading(case("P08")).runs}
    assert (p08["lab/a", "perplexity"].score, p08["lab/a", "perplexity"].better) == (Fraction(57, 10), "lower")
    p09 = one_run(case("P09"))
    assert (p09.score, p09.stderr, p09.n) == (Fraction(1, 5), Fraction(3, 100), 30)
    m13 = {run.task_id: (run.n_correct, run.n) for run in reading(case("M13")).runs}
    assert m13 == {"t_hi": (19, 20), "t_lo": (1, 20)}
    m14 = {run.task_id: run for run in reading(case("M14")).runs}
    assert fixed(m14["hard_a"].stderr or 0, 6) == "0.011926"
    assert "contradicts" in m14["hard_a"].notes[0]
    assert "degenerate" in m14["hard_b"].notes[0]
    assert scores(case("P31")) == {("m1", "t1", "acc"): "1/2", ("m2", "t1", "acc"): "1/4", ("m4", "t1", "acc"): "3/4"}
