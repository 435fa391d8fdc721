"""Score files and printed tables of the official board."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from evalreport.errors import EvalreportError
from evalreport.formats.bfcl_scores import (
    OfficialRow,
    is_score_header,
    model_folder,
    official_rows,
    release_and_subset,
    score_file,
)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("BFCL_v4_simple_python_score.json", ("V4", "simple_python")),
        ("BFCL_v2_live_parallel_multiple_score.json", ("V2", "live_parallel_multiple")),
        ("gorilla_openfunctions_v1_test_rest_score.json", ("V1", "rest")),
        ("BFCL_v4_simple_python_result.json", None),
        ("data_overall.csv", None),
    ],
)
def test_the_file_name_tells_release_and_subset(name: str, found: tuple[str, str] | None) -> None:
    assert release_and_subset(name) == found


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("score/m/BFCL_v3_java_score.json", "score/m"),
        ("score/m/non_live/BFCL_v4_multiple_score.json", "score/m"),
        ("score/m/agentic/memory/rec_sum/BFCL_v4_memory_rec_sum_score.json", "score/m"),
        ("score/memory/live/BFCL_v4_live_simple_score.json", "score/memory"),
        ("m/web_search/BFCL_v4_web_search_base_score.json", "m"),
    ],
)
def test_the_model_is_the_folder_above_the_groups(path: str, folder: str) -> None:
    assert model_folder(PurePosixPath(path)).as_posix() == folder


def test_hits_are_what_is_not_listed_as_failed() -> None:
    found = score_file(b'{"accuracy": 1.0, "correct_count": 3, "total_count": 3.0}\n{"id": "a_1"}\n\n', "x")
    assert (found.hits, found.agrees, found.failures) == (2, False, ("a_1",))


def test_numeric_ids_and_nan_elsewhere_are_read() -> None:
    found = score_file(b'{"accuracy": NaN, "correct_count": 0, "total_count": 1}\n{"id": 7, "x": Infinity}', "x")
    assert (found.failures, found.agrees) == (("7",), True)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "x: is empty"),
        (b'{"correct_count": true, "total_count": 1}', "x: line 1: $.correct_count is true"),
        (b'{"correct_count": 0, "total_count": -1}', "x: line 1: $.total_count is -1"),
        (b'{"correct_count": 0, "total_count": 1e10}', "x: line 1: $.total_count is 10000000000; expected a whole"),
        (b'{"correct_count": 0, "total_count": 1}\n{"id": null}', "x: line 2: $.id is null"),
        (b'{"correct_count": 0, "total_count": 1}\n{"id": "a"}\n{"id": "b"}', "x: lists 2 failed samples of 1"),
        (b'{"correct_count": 0, "total_count": 1}\n{"id": "a"', "x: line 2"),
    ],
)
def test_what_is_no_score_file_is_refused_with_its_line(data: bytes, told: str) -> None:
    with pytest.raises(EvalreportError) as caught:
        score_file(data, "x")
    assert str(caught.value).startswith(told)


def test_a_sample_that_is_listed_as_failed_twice_is_refused_with_both_lines() -> None:
    data = b'{"correct_count": 1, "total_count": 4}\n{"id": "a"}\n{"id": 7}\n{"id": "a"}\n{"id": "7"}\n'
    with pytest.raises(EvalreportError) as refused:
        score_file(data, "x")
    assert [str(problem) for problem in refused.value.problems] == [
        'x: line 4: $.id is "a", as in line 2; expected each failed sample once',
        'x: line 5: $.id is "7", as in line 3; expected each failed sample once',
    ]


def test_all_faulty_lines_are_told_at_once() -> None:
    with pytest.raises(EvalreportError) as caught:
        score_file(b'{"correct_count": 0.5, "total_count": "1"}\n{"id": []}\n3', "x")
    assert len(caught.value.problems) == 4


def test_a_header_is_known_by_its_counts() -> None:
    assert is_score_header({"correct_count": 1, "total_count": 2})
    assert not is_score_header({"correct_count": 1})
    assert not is_score_header([1])


def test_a_table_gives_percentages_under_the_names_used_here() -> None:
    data = "\ufeffRank,Overall Acc,Model,Non-Live AST Acc,Memory KV,Relevance Detection\n1,70.85%,m,86.60%,N/A,75.00%\n"
    rows = official_rows(data.encode(), "data_overall.csv", "x")
    # what "Non-Live AST Acc" means changed between versions
    assert rows == (OfficialRow("m", (("live_relevance", "75.00%"), ("overall", "70.85%"))),)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ("Model\né".encode("latin-1"), "live/data_live.csv: is not UTF-8"),
        (b'Model\n"' + b"x" * 200_000 + b'"', "live/data_live.csv: is no table"),
    ],
)
def test_what_is_no_table_is_refused(data: bytes, told: str) -> None:
    with pytest.raises(EvalreportError) as caught:
        official_rows(data, "data_live.csv", "live/data_live.csv")
    assert str(caught.value).startswith(told)


def test_rows_that_are_too_short_or_too_long_are_read() -> None:
    found = official_rows(b"Model,Overall Acc\nm\nn,1.00%,more\n", "data_overall.csv", "x")
    assert found == (OfficialRow("m", ()), OfficialRow("n", (("overall", "1.00%"),)))
