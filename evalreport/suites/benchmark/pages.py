"""The pages of the benchmark suite: which notebook makes which, with which parameters."""

from __future__ import annotations

from evalreport.core.slug import slug
from evalreport.core.suite import PageJob
from evalreport.suites.benchmark.results import BenchmarkResults, Subject

OVERVIEWS = (
    ("leaderboard", "Leaderboard"),
    ("calibration", "Calibration"),
    ("families", "Families"),
    ("sensitivity", "Sensitivity to alpha"),
)


def page_jobs(results: BenchmarkResults) -> tuple[PageJob, ...]:
    """The overview pages, then for each subject version its page and its audit page."""
    overviews = [PageJob(f"benchmark_{name}", f"benchmark/{name}", title) for name, title in OVERVIEWS]
    own = []
    for s in results.subjects:
        name, title = subject_slug(results, s), f"{s.subject_id} {s.subject_version}"
        parameters = {
            "subject_id": s.subject_id,
            "subject_version": s.subject_version,
            "benchmark_version": s.benchmark_version,
        }
        own += [
            PageJob("benchmark_subject", f"benchmark/subject/{name}", title, parameters),
            PageJob("benchmark_audit", f"benchmark/audit/{name}", f"Audit: {title}", parameters),
        ]
    return (*overviews, *own)


def subject_slug(results: BenchmarkResults, subject: Subject) -> str:
    """The last part of the address of a subject version's pages."""
    parts = (*subject.id, subject.benchmark_version) if results.several_versions else subject.id
    return slug(*parts)
