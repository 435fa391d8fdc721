"""Summary tables of OpenCompass."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.errors import EvalreportError
from tests.formats.made.files import reading, scores, write

HEAD = "dataset,version,metric,mode,one,two"


def table(folder: Path, *rows: str, name: str = "summary_20260101_000000.csv") -> None:
    write(folder, name, "\n".join((HEAD, *rows, "")))


def test_percentages_become_shares_with_version_and_place(tmp_path: Path) -> None:
    table(tmp_path, "quiz,ab12,accuracy,gen,59.20,0")
    runs = reading(tmp_path).runs
    assert [(run.model_id, run.score, run.version, run.key) for run in runs] == [
        ("one", Fraction(592, 1000), "ab12", "row 2, one"),
        ("two", Fraction(0), "ab12", "row 2, two"),
    ]


def test_a_row_that_sums_up_others_is_set_aside_and_checked(tmp_path: Path) -> None:
    rows = ("q_a,1,accuracy,gen,50.00,25.00", "q_b,1,accuracy,gen,75.00,25.00", "other,1,accuracy,gen,1.00,1.00")
    table(tmp_path, *rows, "q_average,-,naive_average,gen,62.50,99.00", "q_w,-,weighted_average,gen,60.00,25.00")
    found = reading(tmp_path)
    assert {run.task_id for run in found.runs} == {"q_a", "q_b", "other"}
    assert [one.reason for one in found.set_aside] == [
        "sums up other rows, which are counted themselves; it agrees with the mean 62.5000 of the 2 rows q_…",
        "sums up other rows, which are counted themselves; it is not the mean 25.0000 of the 2 rows q_…",
        "sums up other rows, which are counted themselves",
        "sums up other rows, which are counted themselves",
    ]


def test_a_cell_without_a_number_is_set_aside(tmp_path: Path) -> None:
    table(tmp_path, "quiz,ab12,accuracy,gen,-,12.50")
    found = reading(tmp_path)
    assert scores(tmp_path) == {("two", "quiz", "accuracy"): "1/8"}
    assert [(one.value, one.reason) for one in found.set_aside] == [("- (one, quiz, accuracy)", "has no value")]


def test_a_metric_that_may_be_on_another_scale_keeps_its_number_and_is_no_share(tmp_path: Path) -> None:
    table(tmp_path, "chat,1,judge_mark,gen,8.25,7.5", "text,1,bleu,gen,30.5,12")
    assert [(run.metric_name, run.score, run.share) for run in reading(tmp_path).runs] == [
        ("judge_mark", Fraction(33, 4), False),
        ("bleu", Fraction(61, 2), False),
        ("judge_mark", Fraction(15, 2), False),
        ("bleu", Fraction(12), False),
    ]


def test_the_newer_table_counts_and_two_modes_are_two_tasks(tmp_path: Path) -> None:
    table(tmp_path, "quiz,1,accuracy,gen,10,10")
    table(tmp_path, "quiz,1,accuracy,gen,20,20", "quiz,1,accuracy,ppl,30,30", name="summary_20260102_000000.csv")
    found = reading(tmp_path)
    assert [(run.task_id, run.score) for run in found.runs if run.model_id == "one"] == [
        ("quiz (gen, 1)", Fraction(1, 5)),
        ("quiz (ppl, 1)", Fraction(3, 10)),
    ]
    assert found.set_aside[0].reason == "superseded by summary_20260102_000000.csv, which is newer"


def test_what_is_no_sound_table_is_refused_with_every_fault(tmp_path: Path) -> None:
    write(tmp_path, "a.csv", "dataset,version,metric,mode,one,one\nq,1,accuracy,gen,1\nq,1,accuracy,g")
    write(tmp_path, "b.csv", f"{HEAD}\nquiz,1,accuracy,gen,101,1\n")
    with pytest.raises(EvalreportError) as caught:
        reading(tmp_path)
    assert [str(problem) for problem in caught.value.problems] == [
        "a.csv: has 2 columns 'one'; expected one column for a model",
        "a.csv: row 2: has 5 cells; expected 6 cells",
        "a.csv: row 3: has 4 cells and no line end: the file is cut off; expected 6 cells",
        "b.csv: row 2, one: is 1.01; expected a number from 0 to 1",
    ]


def test_a_byte_order_mark_and_hostile_model_names_are_read(tmp_path: Path) -> None:
    write(tmp_path, "a.csv", '\ufeffdataset,version,metric,mode,"<b>,|$_{\n"\nquiz,1,accuracy,gen,50\n')
    assert scores(tmp_path) == {("<b>,|$_{\n", "quiz", "accuracy"): "1/2"}


@pytest.mark.shared
def test_the_shared_table_has_ten_models_and_its_average_is_the_mean_of_three(shared: Path) -> None:
    found = reading(shared / "data/formats/opencompass")
    assert len({run.model_id for run in found.runs}) == 10
    assert len(found.runs) == 30
    assert len(found.set_aside) == 10
    assert all("it agrees with the mean" in one.reason and "of the 3 rows" in one.reason for one in found.set_aside)
