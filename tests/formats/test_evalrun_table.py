"""Tables of scores: what is read as it stands, and what is refused, by its row."""

from __future__ import annotations

import datetime
import gzip
import io
import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evalreport.errors import EvalreportError, Problem
from evalreport.formats import evalrun_table, sources
from evalreport.formats.evalrun import EvalRun, Reading
from evalreport.formats.inputs import find

HEAD = "model_id,task_id,metric_name,score\n"


def reading(folder: Path) -> Reading:
    return evalrun_table.read(find([folder]).files)


def runs(folder: Path, name: str, content: str | bytes) -> tuple[EvalRun, ...]:
    (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return reading(folder).runs


def refused(folder: Path, name: str, content: str | bytes) -> tuple[Problem, ...]:
    with pytest.raises(EvalreportError) as error:
        runs(folder, name, content)
    return error.value.problems


def test_a_row_keeps_where_it_stands(tmp_path: Path) -> None:
    (one,) = runs(tmp_path, "a.csv", HEAD + "m,t,acc,0.10\n")
    assert (one.model_id, one.task_id, one.metric_name, one.score) == ("m", "t", "acc", Fraction(1, 10))
    assert (one.file, one.key, one.category, one.weight, one.share) == ("a.csv", "row 2", "general", Fraction(1), True)


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
def test_a_byte_order_mark_and_packing_change_nothing(tmp_path: Path, name: str) -> None:
    data = b"\xef\xbb\xbf" + (HEAD + "模型,t,acc,1\n").encode()
    (one,) = runs(tmp_path, name, gzip.compress(data) if name.endswith(".gz") else data)
    assert (one.model_id, one.score) == ("模型", Fraction(1))


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_other_delimiters_go_with_decimal_commas(tmp_path: Path, delimiter: str) -> None:
    text = (HEAD + "m,t,acc,0~85\nn,t,acc,0.5\n").replace(",", delimiter).replace("~", ",")
    assert [run.score for run in runs(tmp_path, "a.csv", text)] == [Fraction(85, 100), Fraction(1, 2)]


def test_thousands_are_no_number(tmp_path: Path) -> None:
    (problem,) = refused(tmp_path, "a.csv", "model_id;task_id;score\nm;t;1.000,5\n")
    assert (problem.where, problem.kind) == ("a.csv: row 2", "not_a_number")


def test_percent_signs_on_all_scores_are_divided_and_noted(tmp_path: Path) -> None:
    assert [run.score for run in runs(tmp_path, "a.csv", HEAD + "m,t,acc,85%\nm,u,acc,65.5 %\n")] == [
        Fraction(85, 100),
        Fraction(655, 1000),
    ]
    assert reading(tmp_path).notes == ("a.csv: scores are written in percent and were divided by 100",)


def test_percent_signs_on_some_scores_refuse_the_file(tmp_path: Path) -> None:
    (problem,) = refused(tmp_path, "a.csv", HEAD + "m,t,acc,85%\nm,u,acc,0.65\n")
    assert (problem.where, problem.kind) == ("a.csv: row 2", "score_scale")
    assert "'0.65' without in row 3" in problem.what


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    (problem,) = refused(tmp_path, "a.csv", "model_id,task_id,score,score\nm,t,0.1,0.2\n")
    assert (problem.kind, problem.what) == ("header", "has 2 columns 'score'")


def test_a_column_that_is_missing_is_named(tmp_path: Path) -> None:
    (problem,) = refused(tmp_path, "a.csv", "model_id,score\nm,0.1\n")
    assert (problem.kind, problem.expected) == ("missing_field", "a column 'task_id'")


@pytest.mark.parametrize(
    ("header", "named"),
    [
        ("Model_ID,Task_ID,Score", "has a column 'Score' in its header"),
        ("model_id, task_id, score", "has a column ' score' in its header"),
        ("model_id|task_id|score", "has the header 'model_id|task_id|score'"),
    ],
)
def test_a_header_that_is_nearly_right_is_refused_and_not_passed_over(tmp_path: Path, header: str, named: str) -> None:
    (tmp_path / "a.csv").write_text(f"{header}\nm,t,1\n", encoding="utf-8")
    with pytest.raises(EvalreportError) as error:
        sources.read_sources([tmp_path])
    assert named in [problem.what for problem in error.value.problems]
    assert "a column 'score'" in [problem.expected for problem in error.value.problems]


def test_digits_of_other_scripts_are_no_number(tmp_path: Path) -> None:
    (problem,) = refused(tmp_path, "a.csv", HEAD + "m,t,acc,\u0660.\u0665\n")
    assert problem.kind == "not_a_number"


def test_a_file_of_old_line_ends_is_not_called_cut(tmp_path: Path) -> None:
    assert len(runs(tmp_path, "a.csv", (HEAD + "m,t,acc,1\n").replace("\n", "\r"))) == 1
    assert reading(tmp_path).notes == ()


def test_a_last_line_without_an_end_is_noted_and_one_that_is_cut_refused(tmp_path: Path) -> None:
    assert len(runs(tmp_path, "a.csv", HEAD + "m,t,acc,0.8")) == 1
    assert reading(tmp_path).notes == ("a.csv: the last line has no line end; it may be cut off",)
    (problem,) = refused(tmp_path, "a.csv", HEAD + "m,t,acc,0.8\nm,u,ac")
    assert (problem.where, problem.kind) == ("a.csv: row 3", "cut")


def test_a_cut_line_of_json_is_told_by_its_number(tmp_path: Path) -> None:
    (problem,) = refused(tmp_path, "a.jsonl", '{"model_id": "m", "task_id": "t", "score": 0.9}\n{"model_id": "m", "ta')
    assert problem.where == "a.jsonl: line 2"


def test_quotes_newlines_and_separators_stay_inside_a_name(tmp_path: Path) -> None:
    (one,) = runs(tmp_path, "a.csv", HEAD + '"a,""b""\n c\u2028",t,acc,1\n')
    assert one.model_id == 'a,"b"\n c\u2028'


@pytest.mark.parametrize("name", ["NA", "None", "nan", "True", "1e5", "007", "7", " x "])
def test_an_id_is_the_text_that_is_written(tmp_path: Path, name: str) -> None:
    assert runs(tmp_path, "a.csv", HEAD + f"{name},t,acc,1\n")[0].model_id == name


@pytest.mark.parametrize(
    ("score", "kind"),
    [
        ("nan", "score_range"),
        ("-Infinity", "score_range"),
        ("1.0000001", "score_range"),
        ("-0.1", "score_range"),
        ("85", "score_range"),
        ("", "not_a_number"),
        ("good", "not_a_number"),
        ("1e999999", "not_a_number"),
        ("0,5", "cells"),
    ],
)
def test_what_is_no_share_is_refused_in_csv(tmp_path: Path, score: str, kind: str) -> None:
    (problem,) = refused(tmp_path, "a.csv", HEAD + f"m,t,acc,{score}\n")
    assert (problem.where, problem.kind) == ("a.csv: row 2", kind)


@pytest.mark.parametrize(
    ("score", "kind"),
    [
        *((text, "score_range") for text in ("NaN", "Infinity", "1.5")),
        *((text, "not_a_number") for text in ('"0.5"', "null", "true", "[1]", "{}")),
    ],
)
def test_what_is_no_share_is_refused_in_json(tmp_path: Path, score: str, kind: str) -> None:
    (problem,) = refused(tmp_path, "a.json", f'[{{"model_id": "m", "task_id": "t", "score": {score}}}]')
    assert problem.kind == kind


def test_all_faults_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_text('{"model_id": 7, "task_id": "t", "score": 0.5}\n', encoding="utf-8")
    problems = refused(tmp_path, "a.csv", HEAD + "m,t,acc,2\n,t,acc,1\nm,,acc,x\n")
    assert {(p.where, p.kind) for p in problems} == {
        ("a.csv: row 2", "score_range"),
        ("a.csv: row 3", "missing_field"),
        ("a.csv: row 4", "not_a_number"),
        ("a.csv: row 4", "missing_field"),
        ("b.jsonl: line 1", "not_a_text"),
    }


def test_another_scale_or_direction_is_stated_by_the_row(tmp_path: Path) -> None:
    text = "model_id,task_id,metric_name,score,better,low,high\nm,t,ppl,5.7,lower,1,\nm,t,mcc,-0.2,,-1,1\n"
    ppl, mcc = runs(tmp_path, "a.csv", text)
    assert (ppl.better, ppl.low, ppl.high, ppl.share) == ("lower", Fraction(1), None, False)
    assert (mcc.score, mcc.low, mcc.high, mcc.share) == (Fraction(-1, 5), Fraction(-1), Fraction(1), False)


@pytest.mark.parametrize("more", ["5,4", "1,", ",1", "x,2", "1.5,2", "-1,2"])
def test_counts_that_cannot_be_are_refused(tmp_path: Path, more: str) -> None:
    problems = refused(tmp_path, "a.csv", f"model_id,task_id,score,n_correct,n_total\nm,t,0.5,{more}\n")
    assert {problem.kind for problem in problems} == {"count"}


def test_a_scale_upside_down_is_refused_once(tmp_path: Path) -> None:
    (problem,) = refused(tmp_path, "a.csv", "model_id,task_id,score,low,high\nm,t,0.5,1,0\n")
    assert (problem.what, problem.expected) == ("low is '1' and high is '0'", "low below high")


# 0.66 of 2 in 3 is cut, not rounded
@pytest.mark.parametrize(
    "cells", ["0.33,1,3,", "0.67,2,3,", "0.66,2,3,", "0.6666666666666666,2,3,", "0.5,5,10,10", "1,10,10,"]
)
def test_counts_may_be_those_of_a_rounded_score(tmp_path: Path, cells: str) -> None:
    assert len(runs(tmp_path, "a.csv", f"model_id,task_id,score,n_correct,n_total,n\nm,t,{cells}\n")) == 1


@pytest.mark.parametrize("cells", ["0.9,5,10,", "0.3,1,3,", "0,1,2,", "0.5,5,10,99"])
def test_counts_that_contradict_the_score_or_each_other_are_refused(tmp_path: Path, cells: str) -> None:
    table = f"model_id,task_id,score,n_correct,n_total,n\nm,t,{cells}\n"
    (problem,) = refused(tmp_path, "a.csv", table)
    assert (problem.where, problem.kind) == ("a.csv: row 2", "count")


def test_one_fault_of_a_count_is_told_once(tmp_path: Path) -> None:
    table = "model_id,task_id,score,n_correct,n_total\nm,t,0.5,50,one hundred\n"
    assert [problem.what for problem in refused(tmp_path, "a.csv", table)] == ["n_total is 'one hundred'"]


def test_counts_are_kept(tmp_path: Path) -> None:
    (one,) = runs(tmp_path, "a.csv", "model_id,task_id,score,n_correct,n_total\nm,t,0.5,50,100\n")
    assert (one.n_correct, one.n_total, one.n) == (50, 100, 100)


@pytest.mark.parametrize(
    ("time", "seconds"),
    [("2026-03-29T01:30:00+02:00", 1774740600), ("2026-03-28T23:30:00Z", 1774740600), ("1774742100.0", 1774742100)],
)
def test_a_time_with_a_zone_is_a_point_in_time(tmp_path: Path, time: str, seconds: int) -> None:
    (one,) = runs(tmp_path, "a.csv", f"model_id,task_id,score,evaluated_at\nm,t,0.5,{time}\n")
    assert one.date == seconds


def test_a_time_without_a_zone_is_noted_and_not_used(tmp_path: Path) -> None:
    (one,) = runs(tmp_path, "a.csv", "model_id,task_id,score,evaluated_at\nm,t,0.5,2026-03-29T00:10:00\n")
    assert (one.date, one.notes) == (None, ("evaluated_at is 2026-03-29T00:10:00, without a time zone",))
    (problem,) = refused(tmp_path, "a.csv", "model_id,task_id,score,evaluated_at\nm,t,0.5,yesterday\n")
    assert problem.kind == "time"


def test_other_columns_are_kept_for_clusters(tmp_path: Path) -> None:
    (one,) = runs(tmp_path, "a.jsonl", '{"model_id": "m", "task_id": "t", "score": 1, "book": "b", "x": [1], "k": 3}\n')
    assert one.columns == (("book", "b"), ("k", "3"))


def parquet(columns: dict[str, list[object]]) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return file.getvalue()


def test_a_parquet_table_reads_like_the_others(tmp_path: Path) -> None:
    columns: dict[str, list[object]] = {"model_id": ["m", "m"], "task_id": ["t", "u"], "score": [0.1, 1.0]}
    assert [run.score for run in runs(tmp_path, "a.parquet", parquet(columns))] == [Fraction(1, 10), 1]
    problems = refused(tmp_path, "a.parquet", parquet({**columns, "score": [float("nan"), None]}))
    assert [(p.where, p.kind) for p in problems] == [
        ("a.parquet: row 1", "score_range"),
        ("a.parquet: row 2", "not_a_number"),
    ]


def test_numbers_of_a_parquet_table_are_those_that_were_written(tmp_path: Path) -> None:
    ids = {"model_id": ["m", "m"], "task_id": ["t", "u"]}
    for score in (
        pa.array([Decimal("0.10"), Decimal("0.25")]),
        pa.array([0.1, 0.25], pa.float32()),
        pa.array([0.1, 0.25]),
    ):
        pq.write_table(pa.table({**ids, "score": score}), tmp_path / "a.parquet")
        assert [run.score for run in reading(tmp_path).runs] == [Fraction(1, 10), Fraction(1, 4)]


def test_a_parquet_table_of_other_types_is_refused_by_its_rows(tmp_path: Path) -> None:
    columns: dict[str, list[object]] = {"model_id": ["m"], "task_id": ["t"], "score": [1]}
    others: list[tuple[str, object]] = [("score", True), ("score", "0.5"), ("score", [1.0])]
    for column, value in (*others, ("model_id", 7), ("task_id", b"t")):
        (problem,) = refused(tmp_path, "a.parquet", parquet({**columns, column: [value]}))
        assert problem.where == "a.parquet: row 1"
        assert problem.what.startswith(column)
    day = datetime.date(2026, 1, 2)
    (one,) = runs(tmp_path, "a.parquet", parquet({**columns, "evaluated_at": [day]}))
    assert one.notes == ("evaluated_at is 2026-01-02, without a time zone",)
    (problem,) = refused(tmp_path, "a.parquet", parquet({**columns, "evaluated_at": [datetime.time(1)]}))
    assert problem.what == "evaluated_at is 01:00:00"


def test_a_parquet_table_with_two_columns_of_one_name_or_cut_off_is_named(tmp_path: Path) -> None:
    names = ["model_id", "task_id", "score", "score"]
    pq.write_table(pa.table([["m"], ["t"], [0.5], [0.6]], names=names), tmp_path / "a.parquet")
    whole = (tmp_path / "a.parquet").read_bytes()
    (problem,) = refused(tmp_path, "a.parquet", whole)
    assert problem.what == "has 2 columns 'score'"
    (tmp_path / "a.parquet").write_bytes(whole[:-20])
    with pytest.raises(EvalreportError) as error:
        sources.read_sources([tmp_path])
    assert [(p.where, p.kind) for p in error.value.problems] == [("a.parquet", "damaged")]


def test_what_is_no_table_is_not_claimed(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("dataset,version,metric\nx,1,acc\n", encoding="utf-8")
    (tmp_path / "b.json").write_text(json.dumps({"results": {}}), encoding="utf-8")
    (tmp_path / "c.jsonl").write_text('{"doc_id": 1}\n', encoding="utf-8")
    (tmp_path / "d.parquet").write_bytes(parquet({"doc": [1]}))
    (tmp_path / "e.parquet").write_bytes(b"PAR1 is no more than a beginning")
    for file in find([tmp_path]).files:
        assert not evalrun_table.recognises(file, (tmp_path / file.name).read_bytes())


def test_every_format_has_a_name_of_its_own_and_tables_are_one() -> None:
    names = [one.name for one in sources.all_formats()]
    assert len(set(names)) == len(names)
    assert evalrun_table.NAME in names


def test_a_pointer_is_set_aside_and_the_others_still_count(tmp_path: Path) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"a" * 64 + b"\nsize 3\n"
    (tmp_path / "details.parquet").write_bytes(pointer)
    (tmp_path / "a.csv").write_text(HEAD + "m,t,acc,1\n", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("read me", encoding="utf-8")
    found = sources.read_sources([tmp_path])
    assert [(one.file, one.reason) for reading in found.readings for one in reading.set_aside] == [
        ("details.parquet", "its content was not fetched")
    ]
    assert [file.path for file in found.inputs] == ["a.csv"]
    assert found.ignored == ("notes.txt",)


def test_a_damaged_archive_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress((HEAD + "m,t,acc,1\n").encode())[:-4])
    with pytest.raises(EvalreportError) as error:
        sources.read_sources([tmp_path])
    assert [(p.where, p.kind) for p in error.value.problems] == [("a.csv.gz", "cut")]


@pytest.mark.parametrize(
    ("name", "content"),
    [("a.json", '[{"model_id": "m", "task_id": "t", "score": 1}]'), ("a.csv", HEAD + "m,t,acc,1\n")],
)
def test_utf_16_is_named_and_not_guessed(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_bytes(content.encode("utf-16"))
    with pytest.raises(EvalreportError, match="UTF-16"):
        sources.read_sources([tmp_path])
