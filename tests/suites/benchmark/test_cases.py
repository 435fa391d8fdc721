"""The shared cases with known right answers: every value exactly, every refusal by its kind."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from evalreport.core.exact import fixed
from evalreport.errors import EvalreportError
from evalreport.report.audit import audit_lines
from evalreport.suites.benchmark import SUITE
from evalreport.suites.benchmark.metrics_runs import classification
from evalreport.suites.benchmark.results import BenchmarkResults
from tests.suites.benchmark.made import settings

pytestmark = pytest.mark.shared

VALUES = (*("01_bin_edges", "03_fail_precedence", "05_floors", "10_unicode_and_sorting", "12_q_final_examples"),)
REFUSALS = (
    *("05b_floor_above_ceiling", "06_duplicate_scoring", "07_missing_gold", "08_scoring_without_response"),
    *("14a_confidence_101", "14b_confidence_negative", "14d_confidence_string", "14f_correctness_quarter"),
    *("14h_five_criteria", "14i_severity_word", "14j_score_half"),
)
KEYS = {"P": "pass_rate", "s_bar": "mean_clipped_score", "brier": "soft_brier", "ece": "ece", "q_final": "q_final"}


def computed(folder: Path, alpha: Fraction = Fraction(1, 2)) -> BenchmarkResults:
    """The results of a case."""
    chosen = settings(alpha=alpha)
    results: BenchmarkResults = SUITE.compute(SUITE.read([folder], chosen), chosen)
    return results


def expected_of(folder: Path) -> dict[str, Any]:
    """What the case says is right."""
    found: dict[str, Any] = json.loads((folder / "expected.json").read_text())
    return found


def test_every_shared_case_is_tested(shared: Path) -> None:
    folders = {p.name for p in (shared / "cases" / "benchmark").iterdir() if p.is_dir()}
    assert folders == {*VALUES, *REFUSALS}


@pytest.mark.parametrize("name", VALUES)
def test_every_value_of_a_case_is_exact(shared: Path, name: str) -> None:
    folder = shared / "cases" / "benchmark" / name
    expected, results = expected_of(folder), computed(folder)
    assert len(results.subjects) == len(expected["subjects_by_version"])
    for row in expected["subjects_by_version"]:
        s = results.subject(row["subject_id"], row["subject_version"])
        for name_there, key in KEYS.items():
            assert s.values[key] == Fraction(row[name_there]["exact"]), key
            assert fixed(Fraction(row[name_there]["exact"])) == row[name_there]["r4"]
        assert (s.n, s.values["n_critical_fails"]) == (row["n"], row["n_critical"])
        assert (s.status == "Disqualified") is row["disqualified"]
        assert {str(b.number): b.n for b in s.bins if b.n} == row["bins"]
        assert s.values["n_unscored"] == expected["n_unscored"].get(row["subject_id"], 0)
    families = {
        (s.subject_id, f.family): (f.n, f.values["pass_rate"], f.values["mean_clipped_score"])
        for s in results.subjects
        for f in s.families
    }
    assert families == {
        (row["subject_id"], row["family"]): (
            row["n_family"],
            Fraction(row["P_family"]["exact"]),
            Fraction(row["s_bar_family"]["exact"]),
        )
        for row in expected["families"]
    }
    assert len(audit_lines(SUITE.audit(results))) > len(results.subjects)


@pytest.mark.parametrize("name", VALUES)
def test_every_run_of_a_case_is_exact_and_in_order(shared: Path, name: str) -> None:
    folder = shared / "cases" / "benchmark" / name
    results = computed(folder)
    runs = {(r.subject_id, r.case_id, r.run_id): r for s in results.subjects for r in s.runs}
    rows = expected_of(folder)["per_run"]
    assert len(runs) == len(rows)
    for row in rows:
        r = runs[row["subject_id"], row["case_id"], row["run_id"]]
        assert {
            "subject_id": r.subject_id,
            "subject_version": r.subject_version,
            "case_id": r.case_id,
            "family": r.family,
            "run_id": r.run_id,
            "reviewer_id": r.reviewer_id,
            "rubric_floor": r.floor,
            "rubric_ceiling": r.ceiling,
            "raw_score": r.raw,
            "clipped_score": r.clipped,
            "has_critical_fail": r.critical,
            "has_recoverable_fail": r.recoverable,
            "classification": classification(r),
            "reported_confidence": r.confidence,
            "confidence_unit": f"{Fraction(r.confidence, 100).numerator}/{Fraction(r.confidence, 100).denominator}",
            "correctness": r.halves / 2,
        } == row
    (per_run,) = [t for t in SUITE.tables(results) if t.name == "per_run"]
    order = [tuple(row[k] for k in ("subject_id", "case_id", "run_id", "reviewer_id")) for row in rows]
    assert [(r[0], r[2], r[4], r[5]) for r in per_run.rows] == order


def test_another_alpha_changes_the_composite_and_nothing_else(shared: Path) -> None:
    folder = shared / "cases" / "benchmark" / "12_q_final_examples"
    usual = computed(folder)
    for text, rows in expected_of(folder)["by_alpha"].items():
        results = computed(folder, Fraction(text))
        for row in rows:
            (s,) = [s for s in results.subjects if s.subject_id == row["subject_id"]]
            assert s.values["q_final"] == Fraction(row["q_final"]["exact"])
        for s, before in zip(results.subjects, usual.subjects, strict=True):
            changed = {k for k in s.values if s.values[k] != before.values[k]}
            assert changed <= {"q_final", "rank"}
            assert {k for k in s.intervals if s.intervals[k] != before.intervals[k]} <= {"q_final"}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_refused_case_is_refused_for_its_kind(shared: Path, name: str) -> None:
    folder = shared / "cases" / "benchmark" / name
    with pytest.raises(EvalreportError) as refused:
        computed(folder)
    kind = expected_of(folder)["kind"]
    assert kind in Counter(p.kind for p in refused.value.problems)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("M01", {"ece": "0.475", "soft_brier": "0.50125"}),
        ("M02", {"ece": "0.525", "soft_brier": "0.50125"}),
        ("M05", {"ece": "0.3", "soft_brier": "0.34", "max_bin_gap": "0.3"}),
        ("M06", {"ece": "0.085"}),
        ("M08", {"soft_brier": "0.27"}),
    ],
)
def test_the_public_fault_cases_have_their_right_values(shared: Path, name: str, expected: dict[str, str]) -> None:
    (s,) = computed(shared / "cases" / "public" / name).subjects
    assert {key: s.values[key] for key in expected} == {key: Fraction(text) for key, text in expected.items()}
    sizes = {"M01": {10: 2}, "M02": {1: 1, 10: 1}, "M05": {9: 4}}
    if name in sizes:
        assert {b.number: b.n for b in s.bins if b.n} == sizes[name]
