"""Parts of a page that are more than one table or figure: the slider, facts, fails and runs, the audit."""

from __future__ import annotations

from evalreport.report.pages import Page
from evalreport.suites.benchmark.figure_words import figure_id
from evalreport.suites.benchmark.pages import subject_slug
from evalreport.suites.benchmark.results import BenchmarkResults, Subject, VersionResults
from evalreport.suites.benchmark.views import audit
from evalreport.suites.benchmark.views.cells import table_id
from evalreport.suites.benchmark.views.prose import lifted_words
from evalreport.suites.benchmark.views.sensitivity import published_weight, stops
from evalreport.suites.benchmark.views.subject import facts, fails, lifted_runs, runs, unscored

BenchmarkPage = Page[BenchmarkResults]


def show_slider(page: BenchmarkPage, version: VersionResults) -> None:
    """The slider that ranks the leaderboard by other weights; nothing where fewer than two versions are ranked."""
    if len(version.sensitivity.subjects) > 1:
        page.explore(
            table_id(page.results, version, "leaderboard"),
            published=published_weight(page.results),
            figure_id=figure_id(page.results, version.benchmark_version, "rank-alpha"),
            stops=stops(version),
        )


def show_facts(page: BenchmarkPage, subject: Subject, *, place: str = "subject") -> None:
    """The line of facts below the title of a page of this version."""
    page.parts(f"benchmark-{place}-facts-{subject_slug(page.results, subject)}", facts(subject))


def show_fails(page: BenchmarkPage, subject: Subject) -> None:
    """The runs with automatic fails and those that a recoverable fail lifted, where there are any."""
    if not (subject.critical or subject.recoverable):
        page.markdown("No run of this version has an automatic fail.")
        return
    page.table(fails(page.results, subject))
    page.markdown(lifted_words(subject))
    if subject.lifted:
        page.table(lifted_runs(page.results, subject))


def show_runs(page: BenchmarkPage, subject: Subject) -> None:
    """Every scored run, then the responses without a scoring, where there are any."""
    if subject.n:
        page.table(runs(page.results, subject))
    if subject.unscored:
        page.table(unscored(page.results, subject))
    else:
        page.markdown("Every response of this version is scored.")


def show_audit(page: BenchmarkPage, subject: Subject) -> None:
    """The ledgers of all numbers of a subject version."""
    slug = subject_slug(page.results, subject)
    page.records(audit.records(subject), name=slug)
    page.audit(audit.own_numbers(page.results, subject), name=f"benchmark-{slug}")
    audit.show_series(page, subject)
