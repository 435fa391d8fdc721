"""Reading a benchmark: what becomes a run, what is refused, and that neither order nor partition matters."""

from __future__ import annotations

import copy
import json
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalreport.core.suite import Settings
from evalreport.errors import EvalreportError, Problem
from evalreport.formats.inputs import find
from evalreport.suites.benchmark.parts import merge
from evalreport.suites.benchmark.read import read, read_part
from evalreport.suites.benchmark.records import CRITERIA, BenchmarkRecords, Run, Unscored

NONE = Settings({})
Json = dict[str, Any]
CASE = "BIKE-GEAR-001"


def response(case_id: str = CASE, subject: str = "m", run_id: str = "r1", version: str = "m-1") -> Json:
    return {
        "case_id": case_id,
        "subject_id": subject,
        "subject_version": version,
        "run_id": run_id,
        "benchmark_version": "v1.0",
        "confidence": 70,
        "free text": "ignored",
    }


def scoring(case_id: str = CASE, subject: str = "m", run_id: str = "r1", version: str = "m-1") -> Json:
    return {
        "reviewer_id": "R1",
        "response_ref": {
            "case_id": case_id,
            "subject_id": subject,
            "subject_version": version,
            "run_id": run_id,
        },
        "criterion_scores": {name: {"score": 2, "justification": "because"} for name in CRITERIA},
        "correctness": 0.5,
        "automatic_fails_triggered": [],
    }


def gold(case_id: str = CASE, floor: int = 3, ceiling: int = 10) -> Json:
    return {"case_id": case_id, "rubric_floor": floor, "rubric_ceiling": ceiling}


class Tree:
    """A benchmark on disk, written piece by piece; names follow the content unless they are given."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")

    def response(self, content: Json, name: str = "", version: str = "v1.0") -> None:
        name = name or f"{content['subject_id']}/{content['case_id']}__{content['run_id']}.json"
        self.put(f"responses/{version}/{name}", json.dumps(content))

    def scoring(self, content: Json, name: str = "", version: str = "v1.0") -> None:
        ref = content["response_ref"]
        name = name or f"{ref['subject_id']}/{ref['case_id']}__{ref['run_id']}__eval-{content['reviewer_id']}.json"
        self.put(f"scoring/{version}/{name}", json.dumps(content))

    def gold(self, content: Json, name: str = "", version: str = "v1.0") -> None:
        name = name or f"{content['case_id']}_gold.md"
        self.put(f"golds/{version}/{name}", f"# Case\n\n```json\n{json.dumps(content)}\n```\n")

    def read(self) -> BenchmarkRecords:
        return read([self.root], NONE)

    def problems(self) -> tuple[Problem, ...]:
        with pytest.raises(EvalreportError) as caught:
            self.read()
        return caught.value.problems

    def kinds(self) -> list[str]:
        return sorted(problem.kind for problem in self.problems())


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    tree = Tree(tmp_path / "in")
    tree.response(response())
    tree.scoring(scoring())
    tree.gold(gold())
    return tree


def test_a_response_with_its_scoring_and_gold_is_a_run(tree: Tree) -> None:
    records = tree.read()
    run = Run(
        benchmark_version="v1.0",
        subject_id="m",
        subject_version="m-1",
        case_id=CASE,
        family="GEAR",
        run_id="r1",
        reviewer_id="R1",
        timestamp="",
        floor=3,
        ceiling=10,
        criteria=(2, 2, 2, 2, 2, 2),
        confidence=70,
        halves=1,
        critical=False,
        recoverable=False,
    )
    assert records.runs == (run,)
    assert (run.raw, run.clipped) == (12, 10)
    assert (records.unscored, records.registry, records.ignored) == ((), (), ())
    assert records.cases == {"v1.0": (CASE,)}
    assert [file.path for file in records.inputs] == [
        f"golds/v1.0/{CASE}_gold.md",
        f"responses/v1.0/m/{CASE}__r1.json",
        f"scoring/v1.0/m/{CASE}__r1__eval-R1.json",
    ]


def test_a_response_with_neither_scoring_nor_gold_is_unscored(tree: Tree) -> None:
    tree.response(response("BIKE-GEAR-002"))
    assert tree.read().unscored == (Unscored("v1.0", "m", "m-1", "BIKE-GEAR-002", "r1"),)


def test_both_severities_in_one_run_are_both_kept(tree: Tree) -> None:
    content = scoring()
    content["automatic_fails_triggered"] = [
        {"severity": "recoverable"},
        {"severity": "critical", "rule": "x"},
        {"severity": "critical"},
    ]
    content["scoring_timestamp_utc"] = "2024-06-01T09:00:00Z"
    tree.scoring(content)
    (run,) = tree.read().runs
    assert (run.critical, run.recoverable, run.timestamp) == (True, True, "2024-06-01T09:00:00Z")


@pytest.mark.parametrize(("text", "halves"), [("0", 0), ("0.5", 1), ("1", 2), ("1.0", 2), ("5e-1", 1), ("-0.0", 0)])
def test_correctness_is_kept_in_halves(tree: Tree, text: str, halves: int) -> None:
    name = f"scoring/v1.0/m/{CASE}__r1__eval-R1.json"
    tree.put(name, json.dumps(scoring()).replace("0.5", text))
    assert tree.read().runs[0].halves == halves


def test_files_of_no_pattern_are_listed_as_ignored(tree: Tree) -> None:
    for name in ("README.md", "golds/v1.0/notes.md", "responses/v1.0/loose.json", "responses/v1.0/m/deep/a.json"):
        tree.put(name, "no JSON")
    tree.put("responses/draft/m/a.json", "no JSON")
    assert tree.read().ignored == (
        "README.md",
        "golds/v1.0/notes.md",
        "responses/draft/m/a.json",
        "responses/v1.0/loose.json",
        "responses/v1.0/m/deep/a.json",
    )


def test_two_benchmark_versions_do_not_mix(tree: Tree) -> None:
    later = response() | {"benchmark_version": "v2"}
    tree.response(later, version="v2")
    tree.scoring(scoring(), version="v2")
    assert tree.kinds() == ["missing_gold"]
    tree.gold(gold(floor=0), version="v2")
    assert [(run.benchmark_version, run.floor) for run in tree.read().runs] == [("v1.0", 3), ("v2", 0)]


def test_ids_may_hold_the_separator_of_file_names(tree: Tree) -> None:
    tree.response(response(run_id="a__b", subject="x__y"))
    content = scoring(run_id="a__b", subject="x__y")
    content["reviewer_id"] = "R__eval-2"
    tree.scoring(content)
    assert [(run.subject_id, run.run_id, run.reviewer_id) for run in tree.read().runs] == [
        ("m", "r1", "R1"),
        ("x__y", "a__b", "R__eval-2"),
    ]


def test_composed_and_decomposed_letters_are_two_subjects(tree: Tree) -> None:
    for subject in ("modèle", "mode\u0300le"):
        tree.response(response(subject=subject))
    assert [one.subject_id for one in tree.read().unscored] == ["mode\u0300le", "modèle"]
    tree.response(response(subject="modèle"), f"mode\u0300le/{CASE}__r1.json")
    assert tree.kinds() == ["path_mismatch"]


def test_ids_are_text_exactly_as_written(tree: Tree) -> None:
    versions = sorted(["007", "NA", "1e5", str(2**63), "true", " x\n", "<b>|$_%&`"])
    for number, version in enumerate(versions):
        tree.response(response("BIKE-GEAR-002", run_id=f"r{number}", version=version))
    assert [one.subject_version for one in tree.read().unscored] == versions


def test_a_registry_tells_who_has_not_answered(tree: Tree) -> None:
    tree.put(
        "subjects/registry.yaml",
        "subjects:\n- subject_id: m\n  versions:\n  - subject_version: m-1\n  - {subject_version: 1.10}\n"
        "- {subject_id: 007, versions: []}\n- subject_id: no\n  versions: [{subject_version: 2024-01-01}]\n",
    )
    assert tree.read().registry == (("m", "1.10"), ("no", "2024-01-01"))


@pytest.mark.parametrize(
    "text",
    [
        "- 1",
        "subjects: 1",
        "subjects: [a]",
        "subjects: [{}]",
        "subjects:\n- subject_id: m",
        "a: [",
        "subjects: [&a {subject_id: x, versions: []}, *a]",
    ],
)
def test_a_registry_of_another_form_is_refused(tree: Tree, text: str) -> None:
    tree.put("subjects/registry.yaml", text)
    assert set(tree.kinds()) <= {"registry", "syntax"}


def test_a_registry_that_says_something_twice_is_refused(tree: Tree) -> None:
    tree.put("subjects/registry.yaml", "subjects: []\nsubjects:\n- {subject_id: a, subject_id: b, versions: []}\n")
    assert tree.kinds() == ["duplicate_key", "duplicate_key"]


Change = Callable[[Json], object]


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda r: r.update(confidence=101), "confidence"),
        (lambda r: r.update(confidence=-1), "confidence"),
        (lambda r: r.update(confidence=70.5), "confidence"),
        (lambda r: r.update(confidence="70"), "confidence"),
        (lambda r: r.update(confidence=True), "confidence"),
        (lambda r: r.update(confidence=None), "confidence"),
        (lambda r: r.pop("confidence"), "missing_field"),
        (lambda r: r.pop("subject_version"), "missing_field"),
        (lambda r: r.update(run_id=""), "invalid"),
        (lambda r: r.update(run_id=7), "invalid"),
        (lambda r: r.update(benchmark_version="v2"), "path_mismatch"),
        (lambda r: r.update(subject_id="n"), "path_mismatch"),
        (lambda r: r.update(run_id="r2"), "path_mismatch"),
        (lambda r: r.update(case_id="BIKE-GEAR-002"), "path_mismatch"),
        (lambda r: r.update(case_id="BIKE-GEAR-1"), "case_id"),
        (lambda r: r.update(case_id="BIKE-GEAR-001\n"), "case_id"),
        (lambda r: r.update(case_id="GEAR-001"), "case_id"),
        (lambda r: r.update(case_id="A-BIKE-GEAR-001"), "case_id"),
    ],
)
def test_a_response_outside_its_domain_is_refused_once(tree: Tree, change: Change, kind: str) -> None:
    content = response()
    change(content)
    tree.response(content, f"m/{CASE}__r1.json")
    assert tree.kinds() == [kind]


def test_the_benchmark_version_may_be_left_out(tree: Tree) -> None:
    content = response()
    del content["benchmark_version"]
    tree.response(content)
    assert len(tree.read().runs) == 1


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda s: s.update(benchmark_version="v2"), "path_mismatch"),
        (lambda s: s.update(correctness=0.25), "correctness"),
        (lambda s: s.update(correctness=True), "correctness"),
        (lambda s: s.update(correctness="1"), "correctness"),
        (lambda s: s.update(automatic_fails_triggered=[{"severity": "minor"}]), "severity"),
        (lambda s: s.update(automatic_fails_triggered=[{}]), "missing_field"),
        (lambda s: s.update(automatic_fails_triggered=None), "invalid"),
        (lambda s: s.pop("automatic_fails_triggered"), "missing_field"),
        (lambda s: s["criterion_scores"].pop("alternatives"), "criterion_set"),
        (lambda s: s["criterion_scores"].update(tone={"score": 2}), "criterion_set"),
        (lambda s: s["criterion_scores"].update(alternatives={"score": 1.5}), "criterion_score_range"),
        (lambda s: s["criterion_scores"].update(alternatives={"score": 3}), "criterion_score_range"),
        (lambda s: s["criterion_scores"].update(alternatives={"score": True}), "criterion_score_range"),
        (lambda s: s["criterion_scores"].update(alternatives={}), "missing_field"),
        (lambda s: s.update(reviewer_id="R2"), "path_mismatch"),
        (lambda s: s["response_ref"].update(run_id="r2"), "path_mismatch"),
        (lambda s: s["response_ref"].update(subject_id="n"), "path_mismatch"),
        (lambda s: s["response_ref"].update(subject_version="m-2"), "reference_mismatch"),
        (lambda s: s["response_ref"].pop("subject_version"), "missing_field"),
    ],
)
def test_a_scoring_outside_its_domain_is_refused_once(tree: Tree, change: Change, kind: str) -> None:
    content = copy.deepcopy(scoring())
    change(content)
    tree.scoring(content, f"m/{CASE}__r1__eval-R1.json")
    assert tree.kinds() == [kind]


def test_a_correctness_that_only_a_float_takes_for_one_half_is_refused(tree: Tree) -> None:
    text = json.dumps(scoring()).replace("0.5", "0.49999999999999999999")
    tree.put(f"scoring/v1.0/m/{CASE}__r1__eval-R1.json", text)
    assert [(problem.kind, problem.what) for problem in tree.problems()] == [
        ("correctness", "$.correctness is 0.49999999999999999999")
    ]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (gold(floor=11, ceiling=10), "floor_above_ceiling"),
        (gold(ceiling=13), "rubric_limit"),
        (gold() | {"rubric_floor": 2.5}, "rubric_limit"),
        (gold() | {"family": "BRAKE"}, "family_mismatch"),
        (gold() | {"benchmark_version": "v9"}, "path_mismatch"),
        (gold("BIKE-GEAR-002"), "path_mismatch"),
        ({"case_id": CASE}, "missing_field"),
    ],
)
def test_a_gold_outside_its_domain_is_refused_and_no_scoring_is_blamed(tree: Tree, content: Json, kind: str) -> None:
    tree.gold(content, f"{CASE}_gold.md")
    assert set(tree.kinds()) == {kind}


def test_a_floor_may_be_the_ceiling(tree: Tree) -> None:
    tree.gold(gold("BIKE-GEAR-001", 7, 7))
    tree.response(response("BIKE-GEAR-001"))
    assert tree.read().cases["v1.0"] == ("BIKE-GEAR-001",)


def test_a_fault_in_a_gold_is_told_with_its_line_in_the_file(tree: Tree) -> None:
    tree.put(f"golds/v1.0/{CASE}_gold.md", "---\na: 1\n---\n\n```json\n{\n 'x': 1}\n```\n")
    (problem,) = tree.problems()
    assert "line 7 column 2" in problem.what


def test_a_second_scoring_is_refused_even_an_identical_one(tree: Tree) -> None:
    second = scoring()
    second["reviewer_id"] = "R2"
    tree.scoring(second)
    (problem,) = tree.problems()
    assert (problem.where, problem.kind) == (f"scoring/v1.0/m/{CASE}__r1__eval-R2.json", "duplicate_scoring")


def test_a_scoring_without_response_and_gold_is_told_both(tree: Tree) -> None:
    tree.scoring(scoring("BIKE-GEAR-002"))
    assert tree.kinds() == ["missing_gold", "scoring_without_response"]


def test_all_problems_of_all_files_are_told_at_once(tree: Tree) -> None:
    tree.response(response("BIKE-GEAR-002") | {"confidence": 200, "subject_version": 1})
    tree.scoring(scoring("BIKE-GEAR-002"))
    tree.scoring(scoring("BIKE-GEAR-003"))
    tree.gold(gold("BIKE-GEAR-002", 9, 8))
    tree.put("scoring/v1.0/m/x.json", '{"a": 1, "a": ')
    assert [(problem.where, problem.kind) for problem in tree.problems()] == [
        ("golds/v1.0/BIKE-GEAR-002_gold.md", "floor_above_ceiling"),
        ("responses/v1.0/m/BIKE-GEAR-002__r1.json", "confidence"),
        ("responses/v1.0/m/BIKE-GEAR-002__r1.json", "invalid"),
        ("scoring/v1.0/m/BIKE-GEAR-003__r1__eval-R1.json", "missing_gold"),
        ("scoring/v1.0/m/BIKE-GEAR-003__r1__eval-R1.json", "scoring_without_response"),
        ("scoring/v1.0/m/x.json", "cut"),
    ]


def test_a_folder_above_and_several_folders_are_read_as_one(tmp_path: Path) -> None:
    one, two = Tree(tmp_path / "one"), Tree(tmp_path / "two")
    one.response(response())
    one.gold(gold())
    two.scoring(scoring())
    apart = read([two.root, one.root], NONE)
    assert [run.case_id for run in apart.runs] == [CASE]
    assert read([tmp_path], NONE).runs == apart.runs
    assert apart.inputs[0].path == f"golds/v1.0/{CASE}_gold.md"


def test_copies_of_a_gold_are_one_unless_they_differ_and_copies_of_a_run_are_refused(tmp_path: Path) -> None:
    one, two = Tree(tmp_path / "one"), Tree(tmp_path / "two")
    one.response(response())
    one.gold(gold())
    two.gold(gold())
    assert read([tmp_path], NONE).cases == {"v1.0": (CASE,)}
    two.gold(gold(floor=4))
    two.response(response())
    with pytest.raises(EvalreportError) as caught:
        read([tmp_path], NONE)
    assert [problem.kind for problem in caught.value.problems] == ["conflicting_gold", "duplicate_response"]


def test_a_folder_without_responses_is_refused(tmp_path: Path) -> None:
    Tree(tmp_path).gold(gold())
    with pytest.raises(EvalreportError) as caught:
        read([tmp_path], NONE)
    assert [problem.kind for problem in caught.value.problems] == ["empty_input"]


@pytest.fixture(scope="module")
def sample() -> Path:
    return Path(__file__).parents[3] / "data" / "benchmark"


@given(st.randoms(use_true_random=False), st.integers(1, 7))
@settings(deadline=None, max_examples=5)
def test_neither_order_nor_partition_changes_what_was_read(random: random.Random, count: int) -> None:
    sample = Path(__file__).parents[3] / "data" / "benchmark"
    files = list(find([sample]).files)
    whole = read([sample], NONE)
    random.shuffle(files)
    parts = [pickle.loads(pickle.dumps(read_part(files[start::count]))) for start in range(count)]
    random.shuffle(parts)
    assert merge(parts) == whole


def test_the_order_of_runs_is_by_version_subject_case_run_and_reviewer(sample: Path) -> None:
    runs = read([sample], NONE).runs
    keys = [(run.benchmark_version, run.subject_id, run.case_id, run.run_id, run.reviewer_id) for run in runs]
    assert keys == sorted(keys)


@pytest.mark.shared
def test_the_shared_cases_are_read_or_refused_for_the_reason_they_name(shared: Path) -> None:
    cases = sorted((shared / "cases" / "benchmark").iterdir())
    assert len(cases) >= 16
    for case in cases:
        expected = json.loads((case / "expected.json").read_text())
        if expected["status"] == "ok":
            assert len(read([case], NONE).runs) == len(expected["per_run"]), case.name
        else:
            with pytest.raises(EvalreportError) as caught:
                read([case], NONE)
            assert {problem.kind for problem in caught.value.problems} == {expected["kind"]}, case.name


@pytest.mark.shared
def test_the_published_benchmark_is_read_whole(shared: Path) -> None:
    records = read([shared / "data" / "benchmark"], NONE)
    assert (len(records.runs), len(records.unscored), len(records.cases["v1.0"])) == (248, 0, 31)
    assert [path for path in records.ignored if path.endswith(".csv")] == [
        "published/metrics_per_family.csv",
        "published/metrics_per_subject.csv",
        "published/per_run.csv",
    ]
