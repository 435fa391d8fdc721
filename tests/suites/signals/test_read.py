"""Which files belong to a corpus, what is refused, and that neither order nor partition changes a byte."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from evalreport.cli import main
from evalreport.core.results import csv_bytes, results_json
from evalreport.errors import EvalreportError
from evalreport.suites.signals import SUITE
from evalreport.suites.signals.setup import looked_up
from tests.suites.signals.made import Json, computed, full_card, of, only, record, result, settings, write

SAMPLE = Path(__file__).parents[3] / "data" / "signals"


def lines(path: Path, *contents: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(content) + "\n" for content in contents))


def test_a_file_may_hold_one_record_a_list_or_one_a_line(tmp_path: Path) -> None:
    for form in ("one", "list", "lines"):
        (tmp_path / form).mkdir()
    (tmp_path / "one" / "r.json").write_text(json.dumps(record()))
    (tmp_path / "list" / "r.json").write_text(json.dumps([record(), record(result(0.6))]))
    lines(tmp_path / "lines" / "r.jsonl", record(), record(result(0.6)))
    assert [report.place for report in only(computed(tmp_path / "one")).reports] == [("r.json", "$", 0)]
    assert [report.place for report in only(computed(tmp_path / "list")).reports] == [
        ("r.json", "$[0]", 0),
        ("r.json", "$[1]", 0),
    ]
    assert [report.where for report in only(computed(tmp_path / "lines")).reports] == [
        "r.jsonl: line 1",
        "r.jsonl: line 2",
    ]


def test_other_files_are_ignored_and_named(tmp_path: Path) -> None:
    write(tmp_path, {"r.json": record(), "notes.json": {"a": 1}, "list.json": {"b": [1]}})
    lines(tmp_path / "items.jsonl", {"schema_version": "0.2.2", "sample_id": "1"}, {"broken": 1})
    (tmp_path / "README.md").write_text("about")
    (tmp_path / "config.yml").write_text("a: 1")
    found = SUITE.read([tmp_path], settings())
    assert found.ignored == ("README.md", "config.yml", "items.jsonl", "list.json", "notes.json")
    assert [file.path for file in found.inputs] == ["r.json"]


def test_everything_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    nameless = record()
    nameless["model_info"] = {}
    write(
        tmp_path,
        {
            "a.json": nameless,
            "b.json": record(version="1.0.0"),
            "c.json": {**record(), "evaluation_results": {}},
            "d.json": record(result(evaluation_name="", source_data={})),
            "e.json": {**record(), "evaluation_results": [3]},
        },
    )
    (tmp_path / "f.json").write_text('{"schema_version"')
    lines(tmp_path / "g.jsonl", record(), {"a": 1})
    with pytest.raises(EvalreportError) as refused:
        SUITE.read([tmp_path], settings())
    assert [str(problem) for problem in refused.value.problems] == [
        "a.json: $.model_info.id is missing; expected the id of a model",
        'b.json: $.schema_version is "1.0.0"; expected a version from 0.0.1 to 0.3.0',
        "c.json: $.evaluation_results is {}; expected a list of results",
        'd.json: $.evaluation_results[0].evaluation_name is ""; expected what was evaluated',
        "e.json: $.evaluation_results[0] is 3; expected an object",
        "f.json: ends too early; expected a whole JSON text",
        "g.jsonl: line 2: $ is no evaluation record; expected a record",
    ]


@pytest.mark.parametrize("part", ["schema_version", "model_info", "evaluation_results"])
def test_a_record_of_which_a_part_is_missing_is_refused_and_not_ignored(part: str, tmp_path: Path) -> None:
    broken = {name: content for name, content in record().items() if name != part}
    write(tmp_path, {"broken.json": broken, "fine.json": record()})
    with pytest.raises(EvalreportError, match=rf"^broken\.json: \$\.{part}.* is missing"):
        SUITE.read([tmp_path], settings())


def test_a_first_line_that_is_no_record_is_refused_when_records_follow(tmp_path: Path) -> None:
    lines(tmp_path / "r.jsonl", {"a": 1}, record())
    with pytest.raises(EvalreportError, match=r"r\.jsonl: line 1: \$ is no evaluation record"):
        SUITE.read([tmp_path], settings())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("HumanEval", "HumanEval+"),
        ("C", "C#"),
        ("C#", "C++"),
        ("length < 512", "length > 512"),
        ("task 1-12", "task 11-2"),
        ("की", "का"),
        ("top 1", "top 1%"),
        ("+1", "-1"),
    ],
)
def test_names_that_mean_two_benchmarks_are_two(one: str, other: str, tmp_path: Path) -> None:
    named = [result(evaluation_name=name, source_data={"dataset_name": name}) for name in (one, other)]
    results = of(tmp_path, record(*named), full_card(one))
    assert {b.benchmark.name: b.benchmark.card is not None for b in results.benchmarks} == {one: True, other: False}
    assert len(results.triples) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("GSM8K", "gsm-8k"),
        ("MMLU-Pro", "mmlu_pro"),
        ("SQuAD 2.0", "squad_2-0"),
        ("É", "e\u0301"),
        ("Humaneval+", "HumanEval +"),
    ],
)
def test_spellings_of_one_name_are_one_benchmark(one: str, other: str, tmp_path: Path) -> None:
    named = [result(evaluation_name=name, source_data={"dataset_name": name}) for name in (one, other)]
    results = of(tmp_path, record(*named), full_card(one))
    assert len(results.benchmarks) == 1
    assert len(only(results).reports) == 1


def test_an_input_without_records_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EvalreportError, match="holds no evaluation records"):
        of(tmp_path, full_card())


def test_two_mapping_files_are_refused(tmp_path: Path) -> None:
    write(tmp_path, [record()])
    for name in ("a.yml", "b.yaml"):
        (tmp_path / name).write_text("thresholds: {}\n")
    with pytest.raises(EvalreportError, match="one of several mapping files"):
        computed(tmp_path)


def test_the_places_of_a_field_are_those_of_its_schema_version() -> None:
    assert looked_up("split", "0.0.1") == (
        "evaluation_results[*].generation_config.split",
        "source_data.hf_split",
        "source_data.split",
        "source_data.additional_details.split",
    )
    assert looked_up("harness", "0.2.0")[-1] == "evaluation_results[*].source_data.additional_details.harness"
    assert looked_up("harness", "0.3.0")[-1] == "eval_library.additional_details.harness"


def outputs(*paths: Path) -> dict[str, bytes]:
    """Every output of the suite but the list of files, which names how the input was split."""
    given = settings()
    results = SUITE.compute(SUITE.read(list(paths), given), given)
    found = {table.name: csv_bytes(table) for table in SUITE.tables(results)}
    found["results"] = results_json(suite="signals", settings=given, inputs=(), values=SUITE.values(results))
    return found


def test_neither_order_nor_partition_changes_a_byte(tmp_path: Path) -> None:
    contents: list[Json] = []
    for path in sorted(SAMPLE.rglob("*.json*")):
        text = path.read_text("utf-8")
        if "sample_id" not in text[:200]:
            contents += [json.loads(one) for one in (text.splitlines() if path.suffix == ".jsonl" else [text])]
    expected = outputs(SAMPLE)
    cards = [content for content in contents if "evaluation_results" not in content]
    records = [content for content in contents if "evaluation_results" in content]
    for seed, parts in enumerate((1, 3, len(records))):
        root = tmp_path / f"{seed}"
        random.Random(seed).shuffle(records)
        for part in range(parts):
            lines(root / f"part-{part}" / f"{(part * 7919) % 100:03}.jsonl", *records[part::parts])
        shutil.copytree(SAMPLE / "cards", root / "cards")
        shutil.copy(SAMPLE / "mapping.yml", root)
        assert len(cards) == 8
        folders = sorted(root.iterdir(), reverse=seed % 2 == 0)
        assert outputs(*folders) == expected


def test_the_command_line_takes_cards_again_and_again(tmp_path: Path) -> None:
    folder = write(tmp_path / "records", [record()])
    one, two = write(tmp_path / "one", [full_card()]), write(tmp_path / "two", [full_card("Other")])
    out = tmp_path / "out"
    done = CliRunner().invoke(
        main,
        [
            *("compute", "signals", str(folder), "--cards", str(one), "--cards", str(two)),
            *("--theta", "0.1", "--out", str(out)),
        ],
    )
    assert done.exit_code == 0, done.output
    assert sorted(path.name for path in out.iterdir() if not path.name.startswith(".")) == [
        "comparability.csv",
        "completeness.csv",
        "completeness_fields.csv",
        "corpus.csv",
        "provenance.csv",
        "reproducibility.csv",
        "reproducibility_items.csv",
        "results.json",
    ]
    assert (
        out / "completeness.csv"
    ).read_text() == "benchmark,strict,literal,missing,card\nTrivia,0.9286,0.9286,2,Trivia\n"
    stored = json.loads((out / "results.json").read_text())["settings"]
    assert stored == {"cards": f"{one}\n{two}", "mapping": None, "theta": 0.1}


def test_cards_after_the_first_may_stand_among_the_paths(tmp_path: Path) -> None:
    folder = write(tmp_path / "records", [record()])
    one, two = write(tmp_path / "one", [full_card()]), write(tmp_path / "two", [full_card("Other")])
    done = CliRunner().invoke(
        main, ["compute", "signals", str(folder), "--cards", str(one), str(two), "--out", str(tmp_path / "out")]
    )
    assert done.exit_code == 0, done.output
    assert "card_without_benchmark,Other,1" in (tmp_path / "out" / "corpus.csv").read_text()
