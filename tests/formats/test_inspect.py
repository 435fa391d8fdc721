"""Logs of Inspect AI."""

from __future__ import annotations

import json
import zipfile
from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.core.exact import fixed
from evalreport.errors import EvalreportError
from evalreport.formats import inputs
from evalreport.formats.inspect_logs.values import number_of, reduced
from tests.formats.made.files import one_run, reading, scores, write
from tests.formats.made.inspect_logs import archive, failed, log, sample, score

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)


@pytest.mark.parametrize(
    ("grade", "number"),
    [
        ("C", Fraction(1)),
        ("P", HALF),
        ("I", Fraction(0)),
        ("N", Fraction(0)),
        (True, Fraction(1)),
        ("yes", Fraction(1)),
        ("FALSE", Fraction(0)),
        (" 0.7 ", Fraction(7, 10)),
        (3, Fraction(3)),
        ("nan", None),
        ("Infinity", None),
        ("B", None),
        ("c", None),
        (None, None),
        ([1], None),
    ],
)
def test_a_grade_is_a_number_or_nothing(grade: object, number: Fraction | None) -> None:
    assert number_of(grade) == number


@pytest.mark.parametrize(
    ("reducer", "value"),
    [
        ("mean", HALF),
        ("median", HALF),
        ("mode", Fraction(1)),
        ("max", Fraction(1)),
        ("at_least_2", Fraction(1)),
        ("at_least_3", Fraction(0)),
        ("pass_at_1", HALF),
        ("pass_at_2", Fraction(5, 6)),  # 1 - C(2,2)/C(4,2)
        ("pass_at_3", Fraction(1)),
        ("unheard_of", None),
    ],
)
def test_epochs_are_reduced_as_the_log_says(reducer: str, value: Fraction | None) -> None:
    assert reduced([Fraction(1), Fraction(0), Fraction(1), Fraction(0)], reducer) == value


def test_a_score_keeps_place_size_error_and_date(tmp_path: Path) -> None:
    samples = [sample(1, "C"), sample(2, "I"), sample(3, "C"), sample(4, "C")]
    write(tmp_path, "a.json", log([score(accuracy=0.75, stderr=0.25, std=0.5)], samples, more={"task_version": 2}))
    found = reading(tmp_path)
    (run,) = found.runs
    assert (run.metric_name, run.score, run.stderr, run.n, run.n_correct) == (
        "accuracy",
        Fraction(3, 4),
        Fraction(1, 4),
        4,
        3,
    )
    assert (run.file, run.key) == ("a.json", "$.results.scores[0].metrics.accuracy")
    assert (run.version, run.status, run.notes) == ("2", "complete", ())
    assert run.date == Fraction(1767312000)  # 2026-01-02T00:00:00Z
    assert [one.reason for one in found.set_aside] == ["a spread of the items, no score"]


def test_errored_samples_stay_in_the_denominator_of_the_bounds(tmp_path: Path) -> None:
    samples = [*(sample(i, "C") for i in range(5)), *(failed(i) for i in range(5, 10))]
    write(tmp_path, "a.json", log([score(accuracy=1.0)], samples, completed=5))
    run = one_run(tmp_path)
    assert (run.score, run.n, run.n_original, run.status, run.stderr) == (ONE, 5, 10, "partial", None)
    assert run.notes == ("5 of 10 scored, 5 errored (50%); from 0.5000 to 1.0000 if the others count as 0 or as 1",)


def test_without_results_the_samples_are_averaged_and_what_has_no_value_is_told(tmp_path: Path) -> None:
    grades = ["C", "P", "I", "N", True, "0.7", "nan", "B"]
    samples = [sample(i, grade) for i, grade in enumerate(grades)]
    write(tmp_path, "a.json", log(None, samples))
    found = reading(tmp_path)
    (run,) = found.runs
    # (1 + 0.5 + 0 + 0 + 1 + 0.7) / 6
    assert (run.score, run.n, run.n_original, run.status) == (Fraction(32, 60), 6, 8, "partial")
    assert run.notes[0].startswith("6 of 8 scored, 2 unscored (25%); from 0.4000 to 0.6500")
    assert [(one.key, one.value) for one in found.set_aside] == [
        ("$.samples[6].scores.match", "nan"),
        ("$.samples[7].scores.match", "B"),
    ]


def test_parts_of_a_score_are_metrics_of_their_own(tmp_path: Path) -> None:
    parts = [{"helpful": 1, "safe": 0}, {"helpful": 0.5, "safe": 1}, {"helpful": 0, "safe": None}]
    write(tmp_path, "a.json", log(None, [sample(i, part, scorer="rubric") for i, part in enumerate(parts)]))
    runs = {run.metric_name: (run.score, run.n, run.status) for run in reading(tmp_path).runs}
    assert runs == {"helpful": (HALF, 3, "complete"), "safe": (HALF, 2, "partial")}


def test_equal_parts_of_two_scorers_stay_apart(tmp_path: Path) -> None:
    both = {"id": 1, "epoch": 1, "scores": {"a": {"value": {"x": 1}}, "b": {"value": {"x": 0}}, "c": {"value": "P"}}}
    write(tmp_path, "a.json", log(None, [both]))
    assert {metric: value for (_, _, metric), value in scores(tmp_path).items()} == {"a.x": "1", "b.x": "0", "c": "1/2"}


def test_epochs_are_reduced_to_items_before_the_mean(tmp_path: Path) -> None:
    epochs = [sample(1, "C"), sample(1, "I", epoch=2), sample(2, "I"), sample(2, "I", epoch=2)]
    config = {"epochs": 2, "epochs_reducer": ["max"]}
    write(tmp_path, "a.json", log(None, epochs, config=config))
    run = one_run(tmp_path)
    assert (run.score, run.n) == (HALF, 2)
    assert run.notes == (
        "2 items × 2 epochs",
        "no results in the log: averaged from its samples, epochs reduced by max",
    )


def test_several_scorers_and_reducers_have_names_of_their_own(tmp_path: Path) -> None:
    entries = [
        score("match", accuracy=0.5, more={"reducer": "mean"}),
        score("match", accuracy=0.75, more={"reducer": "max"}),
        score("judge", accuracy=0.25, mean=0.25, kappa=-0.5),
    ]
    write(tmp_path, "a.json", log(entries, total=8, config={"epochs": 2}))
    assert [(run.metric_name, run.score) for run in reading(tmp_path).runs] == [
        ("judge", Fraction(1, 4)),
        ("judge/kappa", Fraction(-1, 2)),
        ("match (max)", Fraction(3, 4)),
        ("match (mean)", HALF),
    ]


def test_samples_that_contradict_the_results_are_told(tmp_path: Path) -> None:
    write(tmp_path, "a.json", log([score(accuracy=1.0)], [sample(1, "C"), sample(2, "I")]))
    assert one_run(tmp_path).notes == ("contradicted: its 2 scored samples give 0.500000",)


def test_a_limit_is_told_with_the_size_of_the_data_set(tmp_path: Path) -> None:
    config, dataset = {"limit": 5}, {"dataset": {"samples": 2376}}
    write(tmp_path, "a.json", log([score(accuracy=1.0, stderr=0)], total=5, config=config, more=dataset))
    run = one_run(tmp_path)
    assert (run.status, run.n, run.n_original, run.stderr) == ("limited", 5, 2376, ZERO)
    assert run.notes == ("degenerate: standard error 0 because all items are equal", "limited: 5 of 2376 items")


@pytest.mark.parametrize("status", ["error", "cancelled", "started"])
def test_a_run_that_did_not_end_well_is_marked_or_set_aside(tmp_path: Path, status: str) -> None:
    write(tmp_path, "a.json", log([score(accuracy=0.5)], total=4, status=status))
    assert one_run(tmp_path).status == {"error": "errored"}.get(status, status)
    write(tmp_path, "a.json", {**log(None, status=status), "error": {"message": "out of money"}})
    found = reading(tmp_path)
    assert not found.runs
    assert found.set_aside[0].reason == f"holds no score; its status is {status}: out of money"


def test_of_a_run_that_was_tried_again_the_log_that_came_furthest_counts(tmp_path: Path) -> None:
    write(tmp_path, "1.json", log([score(accuracy=0.5)], total=4, ended="2026-01-01T00:00:00Z"))
    write(tmp_path, "2.json", log([score(accuracy=0.75)], total=4, ended="2026-01-01T01:00:00Z"))
    write(tmp_path, "3.json", log([score(accuracy=0.25)], total=4, status="error", ended="2026-01-03T00:00:00Z"))
    found = reading(tmp_path)
    assert [run.file for run in found.runs] == ["2.json"]
    assert [one.reason for one in found.set_aside] == [
        "superseded by 2.json, which is newer",
        "superseded by 2.json, which is complete; this one is errored",
    ]


def test_times_are_compared_as_points_in_time(tmp_path: Path) -> None:
    write(tmp_path, "1.json", log([score(accuracy=0.5)], total=4, ended="2026-03-29T01:30:00+02:00"))
    write(tmp_path, "2.json", log([score(accuracy=0.75)], total=4, ended="2026-03-29T00:15:00Z"))
    assert one_run(tmp_path).file == "2.json"


def test_a_time_without_a_zone_is_no_point_in_time(tmp_path: Path) -> None:
    value = log([score(accuracy=0.5)], total=4, ended="2026-03-29T00:15:00")
    value["stats"] = {"completed_at": "2026-03-29T00:15:00", "started_at": "soon"}
    write(tmp_path, "1.json", value)
    assert one_run(tmp_path).date is None


def test_two_arguments_of_one_task_are_two_tasks(tmp_path: Path) -> None:
    for subset in ("easy", "hard"):
        write(tmp_path, f"{subset}.json", log([score(accuracy=0.5)], total=4, more={"task_args": {"set": subset}}))
    assert sorted(run.task_id for run in reading(tmp_path).runs) == ["quiz (set=easy)", "quiz (set=hard)"]


def test_an_archive_gives_what_the_same_log_gives_as_json(tmp_path: Path) -> None:
    whole = log([score(accuracy=0.5)], [sample(1, "C"), sample(2, "I")])
    samples = whole["samples"]
    header = {key: value for key, value in whole.items() if key != "samples"}
    archive(tmp_path / "a.eval", {"header.json": header, "summaries.json": samples, "../../up.json": {}})
    run = one_run(tmp_path)
    assert (run.score, run.n, run.key) == (HALF, 2, "header.json: $.results.scores[0].metrics.accuracy")
    assert not (tmp_path.parent / "up.json").exists()


@pytest.mark.parametrize("place", ["_journal/summaries/1.json", "samples/1_epoch_1.json"])
def test_an_archive_that_was_never_closed_is_a_run_that_only_started(tmp_path: Path, place: str) -> None:
    one = sample(1, "C")
    start = {"eval": {"task": "quiz", "model": "lab/one"}}
    archive(tmp_path / "a.eval", {"_journal/start.json": start, place: [one] if "summaries" in place else one})
    run = one_run(tmp_path)
    assert (run.score, run.status, run.n) == (ONE, "started", 1)


def test_damaged_logs_are_told_together_by_name(tmp_path: Path) -> None:
    whole = archive(tmp_path / "a.eval", {"header.json": log([score(accuracy=0.5)], total=4)})
    whole.write_bytes(whole.read_bytes()[:40])
    broken = archive(tmp_path / "b.eval", {"header.json": b"x" * 5000})
    data = bytearray(broken.read_bytes())
    data[45] ^= 0xFF
    broken.write_bytes(bytes(data))
    archive(tmp_path / "c.eval", {"other.json": {}})
    write(tmp_path, "d.json", json.dumps(log([score(accuracy=0.5)]))[:-9])
    write(tmp_path, "e.json", {"version": 2, "status": "success", "eval": {"task": "quiz"}})
    with pytest.raises(EvalreportError) as caught:
        reading(tmp_path)
    assert [problem.where for problem in caught.value.problems] == ["a.eval", "b.eval", "c.eval", "d.json", "e.json"]


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_member_is_refused_however_it_was_packed(tmp_path: Path, method: int) -> None:
    with zipfile.ZipFile(tmp_path / "a.eval", "w", method) as made:
        made.writestr("header.json", json.dumps(log([score(accuracy=0.5)], total=4)))
    whole = (tmp_path / "a.eval").read_bytes()
    for at in range(60, 110, 7):
        (tmp_path / "a.eval").write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        with pytest.raises(EvalreportError, match=r"^a\.eval: "):
            reading(tmp_path)


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "MAX_BYTES", 5000)
    with zipfile.ZipFile(tmp_path / "a.eval", "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("header.json", b" " * 100_000)
    with pytest.raises(EvalreportError, match=r"a\.eval: unpacks to more than 5000 bytes"):
        reading(tmp_path)


@pytest.mark.shared
def test_the_shared_logs_give_their_known_figures(shared: Path) -> None:
    found = reading(shared / "data/formats/inspect")
    runs = {run.task_id: run for run in found.runs if run.model_id != "mockllm/model" and run.task_id != "popularity"}
    arc = runs["inspect_evals/arc_easy"]
    assert (arc.n_correct, arc.n, arc.status, arc.stderr) == (5, 5, "limited", ZERO)
    assert "degenerate" in arc.notes[0]
    cve = runs["cvebench"]
    assert (cve.score, cve.n, cve.n_original, cve.status) == (Fraction(55, 78), 78, 80, "partial")
    cyse = runs["inspect_evals/cyse2_vulnerability_exploit"]
    assert (fixed(cyse.score, 7), cyse.n, cyse.notes) == ("0.3810897", 585, ("585 items × 4 epochs",))
    streamed = next(run for run in found.runs if run.file.endswith(".eval"))
    assert (streamed.score, streamed.stderr, streamed.n) == (Fraction(3, 4), Fraction(1, 4), 2)
    retried = next(run for run in found.runs if run.model_id == "mockllm/model")
    assert "T15-11-17" in retried.file
    assert any("this one is errored" in one.reason and "T15-11-18" in one.file for one in found.set_aside)


@pytest.mark.shared
def test_the_shared_cases_of_this_format(shared: Path) -> None:
    p12 = one_run(shared / "cases/public/P12")
    assert (p12.score, p12.stderr) == (ONE, None)
    assert p12.notes[0].startswith("5 of 10 scored, 5 errored (50%); from 0.5000 to 1.0000")
    p13 = one_run(shared / "cases/public/P13")
    assert (p13.score, p13.n, p13.n_original) == (Fraction(32, 60), 6, 8)
    p15 = {run.metric_name: (run.score, run.n) for run in reading(shared / "cases/public/P15").runs}
    assert p15 == {"helpful": (HALF, 3), "safe": (HALF, 2)}
    with pytest.raises(EvalreportError) as caught:
        reading(shared / "cases/public/P29")
    assert {problem.where.partition(":")[0] for problem in caught.value.problems} >= {"log.eval", "results_x.json.gz"}
