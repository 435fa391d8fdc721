"""The pages of the benchmark suite: which notebook makes which, and the address of every published number."""

from __future__ import annotations

from evalreport.core.slug import slug
from evalreport.core.suite import Ids, PageJob
from evalreport.suites.benchmark.figure_words import names_of
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
        title = subject_title(results, s)
        parameters = {
            "subject_id": s.subject_id,
            "subject_version": s.subject_version,
            "benchmark_version": s.benchmark_version,
        }
        own += [
            PageJob("benchmark_subject", subject_page(results, s), title, parameters),
            PageJob("benchmark_audit", audit_page(results, s), f"Audit of {title}", parameters),
        ]
    return (*overviews, *own)


def subject_title(results: BenchmarkResults, subject: Subject) -> str:
    """How the pages of a subject version call it; the benchmark version is named where there are several."""
    everybody = {s.id for s in results.subjects}
    name = names_of(sorted(everybody))[subject.id]
    return f"{name}, benchmark {subject.benchmark_version}" if results.several_versions else name


def subject_slug(results: BenchmarkResults, subject: Subject) -> str:
    """The last part of the address of a subject version's pages."""
    parts = (*subject.id, subject.benchmark_version) if results.several_versions else subject.id
    return slug(*parts)


def subject_page(results: BenchmarkResults, subject: Subject) -> str:
    """The page of a subject version."""
    return f"benchmark/subject/{subject_slug(results, subject)}"


def audit_page(results: BenchmarkResults, subject: Subject) -> str:
    """The page where the numbers of a subject version are audited."""
    return f"benchmark/audit/{subject_slug(results, subject)}"


def number_anchor(metric: str, of: Ids) -> str:
    """The place of a published number on its audit page.

    >>> number_anchor("benchmark.pass_rate", (("subject_id", "m"), ("subject_version", "1")))
    'number-pass-rate'
    >>> number_anchor("benchmark.bin.n", (("subject_id", "m"), ("subject_version", "1"), ("bin", "3")))
    'number-bin-n-3'
    """
    ids = dict(of)
    if "difference" in ids:  # what tests a difference stands in one line
        metric = f"benchmark.pair.test.{ids['difference']}"
    if "subject_b" in ids:
        return _anchor(metric, slug(ids["subject_b"], ids["version_b"]))
    return _anchor(metric, *(slug(ids[name]) for name in ("family", "bin") if name in ids))


def number_address(results: BenchmarkResults, metric: str, of: Ids) -> str:
    """Where a published number is audited: a pair on the page of its first subject version."""
    ids = dict(of)
    first = ("subject_a", "version_a") if "subject_a" in ids else ("subject_id", "subject_version")
    subject = results.subject(ids[first[0]], ids[first[1]], ids.get("benchmark_version"))
    return f"{audit_page(results, subject)}#{number_anchor(metric, of)}"


def _anchor(metric: str, *ids: str) -> str:
    name = metric.removeprefix("benchmark.").replace(".", "-").replace("_", "-")
    return "-".join(("number", name, *ids))
