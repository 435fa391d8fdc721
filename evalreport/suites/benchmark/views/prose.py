"""Sentences of the pages, with numbers from the results. Markdown; text of the data is escaped here."""

from __future__ import annotations

from evalreport.core.exact import fixed
from evalreport.report.escape import myst_text
from evalreport.suites.benchmark.figure_words import decimal, many
from evalreport.suites.benchmark.results import BenchmarkResults, Subject, VersionResults


def order(results: BenchmarkResults, version: VersionResults) -> str:
    """What the weight does to the order."""
    ranked = len(version.sensitivity.subjects)
    stops = sorted({c.alpha for c in version.sensitivity.crossings if 0 < c.alpha < 1})
    start = _of(results, version)
    if not ranked:
        return f"{start}No version is ranked, so there is no order to change."
    versions = many(ranked, "ranked version")
    if not stops:
        return f"{start}The order of the {versions} is the same for every $\\alpha$ strictly between 0 and 1."
    values = ", ".join(decimal(a) if len(decimal(a)) <= 6 else f"≈ {fixed(a)}" for a in stops)
    return f"{start}The order of the {versions} changes at $\\alpha$ = {values}, and nowhere else between 0 and 1."


def who_is_not_ranked(results: BenchmarkResults, version: VersionResults) -> str:
    """How many versions have no rank, and why."""
    reasons = {
        "Disqualified": "by a critical fail",
        "Incomplete": "because not every case was scored",
        "NoData": "because nothing was scored yet",
    }
    found = [
        f"{n} {words}" for status, words in reasons.items() if (n := sum(s.status == status for s in version.subjects))
    ]
    if not found:
        return f"{_of(results, version)}Every version is ranked."
    return f"{_of(results, version)}Without a rank: {', '.join(found)}. They keep all their numbers."


def no_data(subject: Subject) -> str:
    """The box of a version that nobody has scored; empty when there are scored runs."""
    if subject.n:
        return ""
    waiting = len(subject.unscored)
    responses = f"{many(waiting, 'response')} of this version {'has' if waiting == 1 else 'have'} no scoring yet"
    return (
        ":::{div} er-emptybox\n"
        f"**No scored runs.** {responses}, so pass rate, mean score, Brier score, calibration error and composite are"
        " undefined. They are not 0.\n:::"
    )


def lifted_words(subject: Subject) -> str:
    """How many runs a recoverable fail lifted to Conditional."""
    n = len(subject.lifted)
    if not n:
        return "No run of this version is lifted: none would be a Fail by its score alone and has a recoverable fail."
    verb = "is" if n == 1 else "are"
    return (
        f"{many(n, 'run')} {verb} Conditional because of a recoverable fail, and would be Fail by the score alone. The"
        " rule looks at fails first."
    )


def version_heading(results: BenchmarkResults, version: VersionResults) -> str:
    """A heading for a benchmark version, where there are several."""
    return f"## Benchmark {myst_text(version.benchmark_version)}" if results.several_versions else ""


def _of(results: BenchmarkResults, version: VersionResults) -> str:
    return f"Benchmark {myst_text(version.benchmark_version)}: " if results.several_versions else ""
