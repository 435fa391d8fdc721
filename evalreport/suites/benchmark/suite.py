"""What the rest of the project may ask of the benchmark suite."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from evalreport.core.suite import InputFile, PageJob, ResultValue, Setting, Suite
from evalreport.suites.benchmark.compute import compute
from evalreport.suites.benchmark.evidence import audit
from evalreport.suites.benchmark.notation import bench
from evalreport.suites.benchmark.public import public
from evalreport.suites.benchmark.read import read, read_with
from evalreport.suites.benchmark.records import BenchmarkRecords
from evalreport.suites.benchmark.results import BenchmarkResults
from evalreport.suites.benchmark.schemas import json_schemas
from evalreport.suites.benchmark.tables import tables
from evalreport.suites.benchmark.values import values

SETTINGS = (
    Setting(
        "alpha",
        "fraction",
        Fraction(1, 2),
        "Weight of the pass rate in the composite; the rest is the weight of the mean score.",
        Fraction(0),
        Fraction(1),
        symbol=r"\alpha",
    ),
    Setting(
        "level",
        "fraction",
        Fraction(95, 100),
        "Confidence level of all intervals.",
        Fraction(0),
        Fraction(1),
        open_bounds=True,
    ),
    Setting("resamples", "integer", 10_000, "Number of bootstrap resamples behind an interval.", 100, 1_000_000),
    Setting("seed", "integer", 0, "Seed of all random draws.", 0),
    Setting(
        "min_coverage",
        "fraction",
        Fraction(1),
        "Share of the cases that a subject version must have been scored on to be ranked.",
        Fraction(0),
        Fraction(1),
    ),
    Setting(
        "null_draws",
        "integer",
        10_000,
        "Number of draws behind the band of the calibration error of a perfectly calibrated subject.",
        100,
        1_000_000,
    ),
)


def _inputs(records: BenchmarkRecords) -> Sequence[InputFile]:
    return records.inputs


def _ignored(records: BenchmarkRecords) -> Sequence[str]:
    return records.ignored


def _pages(results: BenchmarkResults) -> Sequence[PageJob]:
    from evalreport.suites.benchmark.pages import page_jobs

    return page_jobs(results)


def _remarks(results: BenchmarkResults) -> Sequence[str]:
    from evalreport.suites.benchmark.figure_words import names_of

    names = names_of(results.registered_only)
    told = "; ".join(names[subject] for subject in results.registered_only)
    return (f"In a registry, without a response: {told}.",) if names else ()


def _address(results: BenchmarkResults, value: ResultValue) -> str:
    from evalreport.suites.benchmark.pages import number_address

    return number_address(results, value.metric, value.of)


SUITE = Suite(
    name="benchmark",
    title="Benchmark",
    summary="Pass rate, mean clipped score, calibration and composite of each subject version, with a safety gate.",
    settings=SETTINGS,
    declarations=bench,
    read=read,
    inputs=_inputs,
    ignored=_ignored,
    compute=compute,
    tables=tables,
    values=values,
    audit=audit,
    pages=_pages,
    remarks=_remarks,
    schemas=json_schemas,
    address=_address,
    public=public,
    read_with=read_with,
)
