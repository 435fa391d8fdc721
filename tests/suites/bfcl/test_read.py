"""What is read, what is refused, and what is only noted."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as quickly
from hypothesis import strategies as st

from evalreport.errors import EvalreportError
from evalreport.report.audit import audit_lines
from evalreport.suites.bfcl import SUITE
from evalreport.suites.bfcl.records import Tally
from evalreport.suites.bfcl.rules import RULES
from tests.suites.anywhere import with_anything_anywhere
from tests.suites.bfcl.made import read, record, results_of, save, save_lines, save_score, sharded


def refusal(*paths: Path, **given: str | bool) -> list[str]:
    with pytest.raises(EvalreportError) as caught:
        read(*paths, **given)
    return [str(p) for p in caught.value.problems]


def test_a_gate_record_gives_integral_tallies_and_its_identity(tmp_path: Path) -> None:
    save(tmp_path / "r.json", sharded({"multiple": (5, 6)}, 0, 1, params={"shard": "0/1", "temperature": "0"}))
    (run,) = read(tmp_path).runs
    (found,) = run.shards
    assert found.tallies == {"multiple": Tally(5, 6)}
    assert dict(found.identity) == {"benchmark_id": "draw", "git_sha": "abc", "params.temperature": "0"}
    assert (found.index, found.count) == (0, 1)


@pytest.mark.parametrize(
    ("metrics", "told"),
    [
        ({"subset.multiple.hits": 7.0}, "$.metrics.subset.multiple: has 7 hits of 6 samples"),
        ({"subset.multiple.hits": -1}, "$.metrics.subset.multiple.hits: is -1; expected a whole number"),
        ({"subset.multiple.hits": 2.5}, "$.metrics.subset.multiple.hits: is 2.5; expected a whole number"),
        ({"subset.multiple.n": True}, "$.metrics.subset.multiple.n: is true; expected a whole number"),
        ({"subset.multiple.n": "6"}, '$.metrics.subset.multiple.n: is "6"; expected a whole number'),
        ({"subset.multiple.hits": 1, "subset.multiple.n": 0}, "has 1 hits of 0 samples"),
        ({"subset.extra.hits": 1.0}, "$.metrics.subset.extra: has no n; expected hits and n"),
        ({"subset.extra.n": 1.0}, "$.metrics.subset.extra: has no hits; expected hits and n"),
        ({"shard.index": 2.0, "shard.count": 2.0}, "$.metrics.shard.index: is 2 of 2 shards; expected 0 to 1"),
        ({"shard.index": 0.0}, "$.metrics.shard.count: is null; expected a whole number"),
        ({"subset.multiple.n": 1e300}, "$.metrics.subset.multiple.n: is above 1000000000"),
        ({"shard.index": 0, "shard.count": 1e12}, "$.metrics.shard.count: is above 10000"),
        ({"samples": 7.0}, "$.metrics.samples: is 7, but the tallies have 6"),
    ],
)
def test_a_gate_record_with_impossible_counts_is_refused(tmp_path: Path, metrics: dict[str, object], told: str) -> None:
    save(tmp_path / "r.json", record({"multiple": (5, 6)}, metrics=metrics))
    (line,) = refusal(tmp_path)
    assert told in line
    assert line.startswith("r.json: ")


def test_a_record_without_tallies_cannot_be_aggregated(tmp_path: Path) -> None:
    save(tmp_path / "r.json", {**record({}), "metrics": {"overall_accuracy": 85.5}})
    assert refusal(tmp_path) == ["r.json: $.metrics: holds no tallies; expected subset.<name>.hits and subset.<name>.n"]


def test_a_shard_index_that_contradicts_the_params_is_refused(tmp_path: Path) -> None:
    save(tmp_path / "r.json", sharded({"multiple": (1, 1)}, 0, 2, params={"shard": "1/2"}))
    assert 'r.json: $.params.shard: is "1/2"; expected 0/2, as in metrics' in refusal(tmp_path)


def test_a_record_without_its_identity_is_refused(tmp_path: Path) -> None:
    save(tmp_path / "r.json", record({"multiple": (1, 1)}, git_sha="", target_model=7))
    told = refusal(tmp_path)
    assert 'r.json: $.git_sha: is ""; expected a text that is not blank' in told
    assert "r.json: $.target_model: is 7; expected a text that is not blank" in told


def test_an_old_and_a_new_name_of_one_subset_are_refused(tmp_path: Path) -> None:
    save(tmp_path / "r.json", record({"java": (1, 1), "simple_java": (1, 1)}))
    assert "is simple_java, which stands there under another name too" in refusal(tmp_path)[0]


def test_no_samples_are_not_run(tmp_path: Path) -> None:
    save(tmp_path / "r.json", record({"multiple": (1, 2), "parallel": (0, 0)}))
    assert read(tmp_path).runs[0].tallies == {"multiple": Tally(1, 2)}


def test_all_problems_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    save(tmp_path / "a.json", record({"multiple": (3, 2)}))
    save(tmp_path / "b.json", record({"multiple": (1, 2)}, git_sha=""))
    (tmp_path / "c.json").write_text('{"metrics": ', encoding="utf-8")
    assert [line.split(":")[0] for line in refusal(tmp_path)] == ["a.json", "b.json", "c.json"]


def test_a_shard_whose_file_is_refused_is_not_called_missing(tmp_path: Path) -> None:
    save(tmp_path / "s0.json", sharded({"multiple": (3, 2)}, 0, 3))
    save(tmp_path / "s1.json", sharded({"multiple": (1, 2)}, 1, 3))
    assert refusal(tmp_path) == [
        "m: shard 2 of 3 is missing; expected every shard from 0 to 2, or --partial",
        "s0.json: $.metrics.subset.multiple: has 3 hits of 2 samples; expected no more hits than samples",
    ]


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (0.5, 0.7, "params.x is '0.7', but '0.5' in s0.json"),
        ({"a": 0.5}, {"a": None}, 'params.x is \'{"a": null}\', but \'{"a": "0.5"}\' in s0.json'),
        (True, "no", "params.x is 'no', but 'true' in s0.json"),
    ],
)
def test_parameters_that_differ_are_named_as_json_writes_them(
    tmp_path: Path, one: object, other: object, told: str
) -> None:
    for index, value in enumerate((one, other)):
        save(tmp_path / f"s{index}.json", sharded({"multiple": (1, 2)}, index, 2, params={"x": value}))
    (line,) = refusal(tmp_path)
    assert line.startswith(f"s1.json: {told}")


def test_equal_parameters_are_equal_however_their_number_is_written(tmp_path: Path) -> None:
    for index, value in enumerate((1, 1.0)):
        save(tmp_path / f"s{index}.json", sharded({"multiple": (1, 2)}, index, 2, params={"x": value}))
    assert read(tmp_path).runs[0].tallies == {"multiple": Tally(2, 4)}


def test_nothing_to_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    assert "holds no gate record, score file or tallies" in refusal(tmp_path)[0]


def test_other_files_are_listed_as_ignored(tmp_path: Path) -> None:
    save(tmp_path / "r.json", record({"multiple": (1, 2)}))
    save(tmp_path / "other.json", {"a": 1, "metrics": {"loss": 0.5}})
    save_lines(tmp_path / "BFCL_v4_multiple_result.json", [{"id": "multiple_0", "result": "f()"}])
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")
    found = read(tmp_path)
    assert found.ignored == ("BFCL_v4_multiple_result.json", "notes.txt", "other.json")
    assert [f.path for f in found.inputs] == ["r.json"]


def test_a_tallies_line_has_model_counts_and_official_figures(tmp_path: Path) -> None:
    line = {"model": "007", "tallies": {"simple": [1, 2]}, "published": {"irrelevance": "50.00%", "relevance": "75%"}}
    save_lines(tmp_path / "t.jsonl", [line])
    (run,) = read(tmp_path).runs
    assert (run.model, run.tallies) == ("007", {"simple_python": Tally(1, 2)})
    assert run.published == (("hallucination", "50.00%"), ("live_relevance", "75%"))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ({"model": "m", "tallies": {"multiple": [3, 2]}}, "$.tallies.multiple: has 3 hits of 2 samples"),
        ({"model": "m", "tallies": {"multiple": [1]}}, "$.tallies.multiple: is [1]; expected [hits, n]"),
        ({"model": "m", "tallies": {}}, "$.tallies: is {}; expected [hits, n] for each subset"),
        ({"tallies": {"multiple": [1, 2]}}, "$.model: is missing"),
        ({"model": " \n", "tallies": {"multiple": [1, 2]}}, '$.model: is " \\n"; expected a text that is not blank'),
        ({"model": "m", "tallies": {"multiple": [1, 2]}, "release": "V9"}, '$.release: is "V9"; expected one of V1'),
        ({"model": "m", "tallies": {"multiple": [1, 2]}, "published": {"overall": 70}}, "$.published.overall: is 70"),
    ],
)
def test_a_wrong_tallies_line_is_refused_with_its_number(tmp_path: Path, line: dict[str, object], told: str) -> None:
    save_lines(tmp_path / "t.jsonl", [{"model": "fine", "tallies": {"multiple": [1, 2]}}, line])
    (found,) = refusal(tmp_path)
    assert found.startswith("t.jsonl: line 2: ")
    assert told in found


def test_a_model_on_two_lines_is_refused(tmp_path: Path) -> None:
    save_lines(tmp_path / "t.jsonl", [{"model": "m", "tallies": {"multiple": [1, 2]}}] * 2)
    assert refusal(tmp_path) == [
        "t.jsonl: line 2: a second whole run of m, after t.jsonl: line 1; expected one run of a model"
    ]


def test_flat_and_nested_directories_are_read_with_old_names_mapped(tmp_path: Path) -> None:
    save_score(tmp_path / "score" / "old" / "BFCL_v3_java_score.json", 60, 100)
    save_score(tmp_path / "score" / "new" / "agentic" / "memory" / "kv" / "BFCL_v4_memory_kv_score.json", 31, 155)
    save_score(tmp_path / "score" / "new" / "non_live" / "BFCL_v4_simple_java_score.json", 70, 100)
    save_score(tmp_path / "score" / "first" / "gorilla_openfunctions_v1_test_relevance_score.json", 200, 240)
    runs = {r.model: r for r in read(tmp_path).runs}
    assert runs["old"].tallies == {"simple_java": Tally(60, 100)}
    assert runs["new"].tallies == {"memory_kv": Tally(31, 155), "simple_java": Tally(70, 100)}
    assert runs["first"].tallies == {"irrelevance": Tally(200, 240)}
    assert [runs[m].release for m in ("first", "old", "new")] == ["V1", "V3", "V4"]


def test_a_model_directory_may_be_given_itself(tmp_path: Path) -> None:
    save_score(tmp_path / "score" / "m" / "live" / "BFCL_v4_live_simple_score.json", 1, 2)
    (run,) = read(tmp_path / "score" / "m").runs
    assert run.model == run.shards[0].source == "m"


def test_the_failure_lines_win_over_the_header_and_it_is_noted(tmp_path: Path) -> None:
    header = {"accuracy": 1.0, "correct_count": 3, "total_count": 3}
    save_lines(tmp_path / "m" / "BFCL_v4_multiple_score.json", [header, {"id": "multiple_0"}])
    found = read(tmp_path)
    assert found.runs[0].tallies == {"multiple": Tally(2, 3)}
    assert found.notes[0].text.startswith("the header claims 3 right of 3, but 1 failed samples follow")


def test_a_score_file_without_samples_is_not_run(tmp_path: Path) -> None:
    save_score(tmp_path / "m" / "BFCL_v4_multiple_score.json", 0, 0)
    save_score(tmp_path / "m" / "BFCL_v4_parallel_score.json", 1, 1)
    found = read(tmp_path)
    assert found.runs[0].tallies == {"parallel": Tally(1, 1)}
    assert "multiple has no samples: not run" in found.notes[0].text


def test_one_directory_of_two_releases_is_refused(tmp_path: Path) -> None:
    save_score(tmp_path / "m" / "BFCL_v3_multiple_score.json", 1, 2)
    save_score(tmp_path / "m" / "BFCL_v4_parallel_score.json", 1, 2)
    assert refusal(tmp_path) == ["m: holds score files of V3 and V4; expected score files of one release"]


def test_one_subset_twice_in_a_directory_is_refused(tmp_path: Path) -> None:
    save_score(tmp_path / "m" / "BFCL_v4_multiple_score.json", 1, 2)
    save_score(tmp_path / "m" / "non_live" / "BFCL_v4_multiple_score.json", 1, 2)
    assert "holds multiple, as m/BFCL_v4_multiple_score.json does" in refusal(tmp_path)[0]


def test_directories_of_one_model_with_a_common_failure_are_refused_with_shards(tmp_path: Path) -> None:
    for part, first in (("a", 0), ("b", 1)):
        save_score(tmp_path / part / "m" / "BFCL_v4_multiple_score.json", 1, 3, first)
    assert refusal(tmp_path, shards=True) == [
        "b/m: the failed sample multiple: x_1 is also in a/m; expected each sample in one shard"
    ]


@pytest.mark.parametrize("given", ["", "score", "score/lab"])
def test_directories_that_are_called_alike_are_told_apart_by_their_paths(tmp_path: Path, given: str) -> None:
    for name, subset in (("one", "multiple"), ("two", "parallel"), ("three", "multiple")):
        save_score(tmp_path / name / f"score/lab/non_live/BFCL_v4_{subset}_score.json", 1, 2)
    paths = [tmp_path / name / given for name in ("one", "two", "three")]
    assert refusal(*paths)[0].startswith(
        "three/score/lab: a second whole run of lab, after one/score/lab; expected one run"
    )
    sources = {s.source for s in read(*paths[:2], shards=True).runs[0].shards}
    assert sources == {"one/score/lab", "two/score/lab"}


def test_equal_ids_in_different_subsets_are_different_samples(tmp_path: Path) -> None:
    save_score(tmp_path / "a" / "m" / "BFCL_v4_multiple_score.json", 1, 3)
    save_score(tmp_path / "b" / "m" / "BFCL_v4_parallel_score.json", 1, 3)
    assert len(read(tmp_path, shards=True).runs) == 1


def test_more_samples_than_the_release_has_are_of_another_release(tmp_path: Path) -> None:
    line = {"model": "m", "tallies": {"live_irrelevance": [1, 884]}}
    save_lines(tmp_path / "t.jsonl", [line])
    (told,) = refusal(tmp_path, rules="bfcl-v3")
    assert told == "t.jsonl: line 1: m: live_irrelevance has 884 samples, 882 in release V3; expected tallies of V3"
    assert read(tmp_path, rules="bfcl-v4").runs
    assert read(tmp_path).notes == ()


def test_a_table_goes_to_the_directory_of_the_same_name(tmp_path: Path) -> None:
    for model in ("lab_a-FC", "lab_b"):
        save_score(tmp_path / model / "BFCL_v4_multiple_score.json", 1, 2)
    rows = "Rank,Overall Acc,Model\n1,50.00%,lab/A (FC)\n2,40.00%,somebody else\n"
    (tmp_path / "data_overall.csv").write_text(rows, encoding="utf-8")
    found = read(tmp_path)
    assert {r.model: r.published for r in found.runs} == {"lab_a-FC": (("overall", "50.00%"),), "lab_b": ()}
    assert [n.text for n in found.notes] == ["the row of somebody else belongs to no score directory beside it"]


def test_the_only_row_goes_to_the_only_directory_whatever_its_display_name(tmp_path: Path) -> None:
    save_score(tmp_path / "heron-1" / "BFCL_v4_multiple_score.json", 1, 2)
    rows = "Rank,Overall Acc,Model\n1,50.00%,Heron One (FC)\n"
    (tmp_path / "data_overall.csv").write_text(rows, encoding="utf-8")
    found = read(tmp_path)
    assert found.runs[0].published == (("overall", "50.00%"),)
    assert found.notes == ()


def test_format_sensitivity_is_noted_and_not_counted(tmp_path: Path) -> None:
    save_score(tmp_path / "m" / "BFCL_v4_multiple_score.json", 1, 2)
    save_score(tmp_path / "m" / "format_sensitivity" / "BFCL_v4_format_sensitivity_score.json", 1, 5200)
    found = read(tmp_path)
    assert found.runs[0].tallies == {"multiple": Tally(1, 2)}
    assert found.ignored == ("m/format_sensitivity/BFCL_v4_format_sensitivity_score.json",)
    assert "not counted" in found.notes[0].text


def test_a_broken_line_counts_only_in_a_file_of_tallies(tmp_path: Path) -> None:
    save(tmp_path / "r.json", record({"multiple": (1, 2)}))
    (tmp_path / "log.jsonl").write_text('{"a": 1, "a": 2}\n{"b": 1}\n', encoding="utf-8")
    assert read(tmp_path).ignored == ("log.jsonl",)
    (tmp_path / "log.jsonl").write_text('{"model": "m2", "tallies": {"multiple": [1, 2]}}\n{"b":\n', encoding="utf-8")
    assert [line.split(": ")[1] for line in refusal(tmp_path)] == ["line 2"]


NODES: tuple[object, ...] = (
    None,
    True,
    -1,
    0.5,
    5.0,
    10**30,
    "",
    "x",
    "50%",
    [],
    [None],
    [2, 1],
    {},
    {"a": 1},
    "simple",
    "V3",
)


@given(st.data())
@quickly(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_with_anything_anywhere_is_read_or_refused_and_never_breaks(tmp_path: Path, data: st.DataObject) -> None:
    files = {
        "shards": [sharded({"java": (1, 2), "rest": (0, 1)}, k, 2, params={"shard": f"{k}/2"}) for k in (0, 1)],
        "tallies": [{"model": "t", "tallies": {"multiple": [1, 2]}, "published": {"overall": "50%"}, "release": "V4"}],
        "scores": [{"accuracy": 0.5, "correct_count": 1, "total_count": 2}, {"id": "multiple_1"}],
    }
    changed = with_anything_anywhere(data, files, NODES)
    lists = {key: lines if isinstance(lines, list) else [lines] for key, lines in changed.items()}
    for number, shard in enumerate(lists["shards"]):
        save(tmp_path / f"shard{number}.json", shard)
    save_lines(tmp_path / "tallies.jsonl", lists["tallies"])
    save_lines(tmp_path / "score/m/BFCL_v4_multiple_score.json", lists["scores"])
    results = None
    with suppress(EvalreportError):
        results = results_of(tmp_path, rules=data.draw(st.sampled_from(list(RULES))))
    assert results is None or audit_lines(SUITE.audit(results))
