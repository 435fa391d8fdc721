"""The CSV files of the suite. The first columns are those of the published files; new ones stand after them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from evalreport.core.exact import Undefined, Value, csv_text, fixed, ratio
from evalreport.core.suite import CsvTable, Interval
from evalreport.suites.benchmark.compare import DIFFERENCES
from evalreport.suites.benchmark.metrics_runs import classification, lifted
from evalreport.suites.benchmark.notation import bench
from evalreport.suites.benchmark.results import BenchmarkResults, Bin, Family, Pair, Subject, VersionResults

# The names that the published files use where they differ from the keys of the metrics.
COLUMN = {"soft_brier": "brier"}
WITH_LABEL = ("pass_rate", "mean_clipped_score", "soft_brier", "ece", "q_final")
WITH_INTERVAL = (*WITH_LABEL, "signed_gap")
HEADLINE = (
    *("n_runs", "n_pass", "n_conditional", "n_fail", "n_critical_fails", "n_recoverable_fails"),
    *("pass_rate", "mean_clipped_score", "soft_brier", "ece"),
)
FURTHER = (
    *("n_unscored", "n_cases", "coverage", "signed_gap", "max_bin_gap", "mean_correctness"),
    *("brier_reliability", "brier_resolution", "brier_uncertainty"),
)
EMPTY = Undefined("not there")


def tables(results: BenchmarkResults) -> tuple[CsvTable, ...]:
    """All CSV files, in the order in which a reader meets them."""
    return (
        per_run(results),
        per_subject(results),
        per_family(results),
        leaderboard(results),
        calibration_bins(results),
        sensitivity(results),
        pairs(results),
        common_cases(results),
    )


def per_run(results: BenchmarkResults) -> CsvTable:
    """One row a scored run, by subject, case, run and reviewer."""
    header = (
        *("subject_id", "subject_version", "case_id", "family", "run_id", "reviewer_id", "scoring_timestamp_utc"),
        *("rubric_floor", "rubric_ceiling", "raw_score", "clipped_score", "has_critical_fail", "has_recoverable_fail"),
        *("classification", "reported_confidence", "confidence_unit", "correctness"),
        *("lifted_to_conditional", "benchmark_version"),
    )
    runs = sorted(
        (run for subject in results.subjects for run in subject.runs),
        key=lambda r: (r.subject_id, r.case_id, r.run_id, r.reviewer_id, r.subject_version, r.benchmark_version),
    )
    rows = tuple(
        (
            *(r.subject_id, r.subject_version, r.case_id, r.family, r.run_id, r.reviewer_id, r.timestamp),
            *(str(r.floor), str(r.ceiling), str(r.raw), str(r.clipped), str(r.critical), str(r.recoverable)),
            *(classification(r), str(r.confidence), fixed(Fraction(r.confidence, 100), 2)),
            *(fixed(Fraction(r.halves, 2), 1), str(lifted(r)), r.benchmark_version),
        )
        for r in runs
    )
    return CsvTable("per_run", header, rows)


def per_subject(results: BenchmarkResults) -> CsvTable:
    """One row a subject version, by subject and version."""
    header = (
        "subject_id",
        "subject_version",
        *map(_column, HEADLINE),
        "alpha",
        "q_final",
        "leaderboard_status",
        *FURTHER,
        "n_cases_total",
        "rank",
        *(f"{_column(k)}_label" for k in WITH_LABEL),
        *(f"{_column(k)}_{end}" for k in WITH_INTERVAL for end in ("low", "high")),
        "pass_rate_interval",
        *("ece_null_mean", "ece_null_low", "ece_null_high", "ece_against_null"),
        *("level", "resamples", "seed", "benchmark_version"),
    )
    return CsvTable("metrics_per_subject", header, tuple(_subject_row(s, results) for s in results.subjects))


def _subject_row(s: Subject, results: BenchmarkResults) -> tuple[str, ...]:
    settings = results.settings
    band = s.null
    return (
        s.subject_id,
        s.subject_version,
        *(_text(s.values, k) for k in HEADLINE),
        csv_text(settings.fraction("alpha")),
        _text(s.values, "q_final"),
        s.status,
        *(_text(s.values, k) for k in FURTHER),
        str(s.n_cases_total),
        _text(s.values, "rank"),
        *(s.labels.get(k, "") for k in WITH_LABEL),
        *(end for k in WITH_INTERVAL for end in _limits(s.intervals.get(k))),
        s.intervals["pass_rate"].method if s.runs else "",
        *(csv_text(v) for v in ((band.mean, band.low, band.high) if band else (EMPTY,) * 3)),
        band.place(s.values["ece"]) if band else "",
        csv_text(settings.fraction("level")),
        str(settings.integer("resamples")),
        str(settings.integer("seed")),
        s.benchmark_version,
    )


def per_family(results: BenchmarkResults) -> CsvTable:
    """One row a subject version and family with runs, by subject and family."""
    header = (
        *("subject_id", "family", "n_runs", "n_pass", "n_conditional", "n_fail"),
        *("pass_rate_family", "mean_clipped_score_family", "subject_version", "label", "benchmark_version"),
    )
    found = sorted(
        ((s, f) for s in results.subjects for f in s.families),
        key=lambda sf: (sf[0].subject_id, sf[1].family, sf[0].subject_version, sf[0].benchmark_version),
    )
    return CsvTable("metrics_per_family", header, tuple(_family_row(s, f) for s, f in found))


def _family_row(s: Subject, f: Family) -> tuple[str, ...]:
    return (
        *(s.subject_id, f.family, str(f.n), str(f.n_pass), str(f.n_conditional), str(f.n_fail)),
        csv_text(f.values["pass_rate"], _decimals("family.pass_rate")),
        csv_text(f.values["mean_clipped_score"], _decimals("family.mean_clipped_score")),
        *(s.subject_version, f.label, s.benchmark_version),
    )


def leaderboard(results: BenchmarkResults) -> CsvTable:
    """One row a subject version, ranked ones first; who has no rank follows with the reason as status."""
    shown = ("q_final", "pass_rate", "mean_clipped_score", "soft_brier", "ece", "signed_gap")
    header = (
        *("rank", "subject_id", "subject_version", "leaderboard_status"),
        *map(_column, shown),
        *("q_final_low", "q_final_high", "n_runs", "n_cases", "n_cases_total", "n_unscored", "n_critical_fails"),
        *("alpha", "benchmark_version", "rank_lo", "rank_hi", "tie_group"),
    )
    rows = tuple(
        (
            *(_text(s.values, "rank"), s.subject_id, s.subject_version, s.status),
            *(_text(s.values, k) for k in shown),
            *_limits(s.intervals.get("q_final")),
            *(_text(s.values, k) for k in ("n_runs", "n_cases")),
            str(s.n_cases_total),
            *(_text(s.values, k) for k in ("n_unscored", "n_critical_fails")),
            csv_text(results.settings.fraction("alpha")),
            s.benchmark_version,
            *(_text(s.values, k) for k in ("rank_low", "rank_high", "tie_group")),
        )
        for version in results.versions
        for s in version.leaderboard
    )
    return CsvTable("leaderboard", header, rows)


def calibration_bins(results: BenchmarkResults) -> CsvTable:
    """Ten rows a subject version, also for bins without runs."""
    header = (
        *("subject_id", "subject_version", "bin", "confidence_from", "confidence_to", "n_runs"),
        *("mean_confidence", "mean_correctness", "gap", "mean_correctness_low", "mean_correctness_high"),
        "benchmark_version",
    )
    rows = tuple(
        (s.subject_id, s.subject_version, *_bin_cells(b), s.benchmark_version) for s in results.subjects for b in s.bins
    )
    return CsvTable("calibration_bins", header, rows)


def _bin_cells(b: Bin) -> tuple[str, ...]:
    return (
        str(b.number),
        fixed(Fraction(b.low, 100), 1),
        fixed(Fraction(b.high, 100), 1),
        str(b.n),
        csv_text(b.confidence),
        csv_text(b.correctness),
        csv_text(b.gap),
        *_limits(b.interval),
    )


def sensitivity(results: BenchmarkResults) -> CsvTable:
    """For each ranked subject version the ranges of alpha over which it keeps its rank."""
    header = (
        *("subject_id", "subject_version", "rank", "alpha_low", "alpha_high", "low_included", "high_included"),
        *("alpha_low_exact", "alpha_high_exact", "benchmark_version"),
    )
    rows = tuple(
        (
            *(*r.subject, str(r.rank), fixed(r.low), fixed(r.high), str(r.low_in), str(r.high_in)),
            *(ratio(r.low), ratio(r.high), version.benchmark_version),
        )
        for version in results.versions
        for r in version.sensitivity.ranges
    )
    return CsvTable("sensitivity", header, rows)


def pairs(results: BenchmarkResults) -> CsvTable:
    """One row for every two subject versions: differences (first minus second) over their common cases."""
    parts = ("difference", "low", "high", "p", "p_holm")
    header = (
        *("subject_a", "version_a", "subject_b", "version_b", "n_common_cases"),
        *(f"{key}_{part}" for key in DIFFERENCES for part in parts),
        *("note", "benchmark_version"),
        *(f"{key}_detectable" for key in DIFFERENCES),
    )
    rows = tuple(_pair_row(p) for version in results.versions for p in version.pairs)
    return CsvTable("pairs", header, rows)


def _pair_row(p: Pair) -> tuple[str, ...]:
    cells: list[str] = []
    for key in DIFFERENCES:
        d = p.differences[key]
        cells += [
            csv_text(d.value),
            *_limits(d.interval),
            *(csv_text(EMPTY if v is None else v) for v in (d.p, d.adjusted)),
        ]
    notes = dict.fromkeys(f"{k}: {d.interval.note}" for k, d in p.differences.items() if d.interval.note)
    reach = (csv_text(p.differences[key].detectable) for key in DIFFERENCES)
    return (*p.a, *p.b, str(len(p.cases)), *cells, "; ".join(notes), p.benchmark_version, *reach)


def common_cases(results: BenchmarkResults) -> CsvTable:
    """All subject versions with runs over the cases that all of them have in common."""
    shown = ("q_final", "pass_rate", "mean_clipped_score", "soft_brier", "ece", "signed_gap", "n_runs")
    header = ("rank", "subject_id", "subject_version", *map(_column, shown), "n_common_cases", "benchmark_version")
    return CsvTable(
        "common_cases", header, tuple(row for version in results.versions for row in _common_rows(version, shown))
    )


def _common_rows(version: VersionResults, shown: Sequence[str]) -> list[tuple[str, ...]]:
    view = version.common
    return [
        (
            "" if row.rank is None else str(row.rank),
            *row.subject,
            *(_text(row.values, k) for k in shown),
            str(len(view.cases)),
            version.benchmark_version,
        )
        for row in view.rows
    ]


def _column(key: str) -> str:
    return COLUMN.get(key, key)


def _decimals(key: str) -> int:
    return bench.metrics[f"benchmark.{key}"].decimals


def _text(values: Mapping[str, Value], key: str) -> str:
    return csv_text(values[key], _decimals(key))


def _limits(interval: Interval | None) -> tuple[str, str]:
    if interval is None or interval.low is None or interval.high is None:
        return "", ""
    return csv_text(Fraction(interval.low)), csv_text(Fraction(interval.high))
