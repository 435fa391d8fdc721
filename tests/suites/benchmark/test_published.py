"""The published files of a real benchmark: the same inputs give all their columns and rows."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from evalreport.core.suite import CsvTable
from evalreport.report.audit import audit_lines
from evalreport.suites.benchmark import SUITE
from evalreport.suites.benchmark.results import BenchmarkResults
from tests.suites.benchmark.made import settings

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def results(shared: Path) -> BenchmarkResults:
    """What the suite computes from the real inputs."""
    chosen = settings()
    found: BenchmarkResults = SUITE.compute(SUITE.read([shared / "data" / "benchmark"], chosen), chosen)
    return found


@pytest.mark.parametrize("name", ["per_run", "metrics_per_subject", "metrics_per_family"])
def test_every_published_cell_is_reproduced(shared: Path, results: BenchmarkResults, name: str) -> None:
    with (shared / "data" / "benchmark" / "published" / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    (ours,) = [t for t in SUITE.tables(results) if t.name == name]
    assert list(ours.header[: len(header)]) == header
    assert len(ours.rows) == len(rows)
    for mine, theirs in zip(ours.rows, rows, strict=True):
        for column, left, right in zip(header, mine, theirs, strict=False):
            assert same(left, right), (column, mine[:4], left, right)


def same(left: str, right: str) -> bool:
    """Equal as numbers where both are numbers, otherwise as texts."""
    try:
        return float(left) == float(right)
    except ValueError:
        return left == right


def test_every_number_of_the_real_data_agrees_with_its_formula(results: BenchmarkResults) -> None:
    assert len(audit_lines(SUITE.audit(results))) == 8 * (21 + 30) + 40 * 3 + 28 * 3


def test_real_tables_hold_every_subject(results: BenchmarkResults) -> None:
    tables: dict[str, CsvTable] = {t.name: t for t in SUITE.tables(results)}
    assert {name: len(t.rows) for name, t in tables.items()} | {"sensitivity": 0} == {
        "per_run": 248,
        "metrics_per_subject": 8,
        "metrics_per_family": 40,
        "leaderboard": 8,
        "calibration_bins": 80,
        "sensitivity": 0,
        "pairs": 28,
        "common_cases": 8,
    }
