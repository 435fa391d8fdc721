"""Sentences of the pages, with numbers from the results. Markdown; text of the data is escaped here."""

from __future__ import annotations

from math import ceil

from evalreport.core.exact import fixed
from evalreport.core.paired import POWER
from evalreport.core.words import decimal, many, percent
from evalreport.report.escape import myst_text
from evalreport.suites.benchmark.results import BenchmarkResults, Subject, VersionResults

FEWEST_TO_COMPARE = 2


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


def power(results: BenchmarkResults, version: VersionResults) -> str:
    """What these cases cannot tell apart; empty where fewer than two versions are ranked."""
    ranked = {s.id for s in version.subjects if s.rank is not None}
    if len(ranked) < FEWEST_TO_COMPARE:
        return ""
    start, reach = _of(results, version), version.separable
    common = {len(p.cases) for p in version.pairs if {p.a, p.b} <= ranked}
    if reach is None:
        return f"{start}What these cases can tell apart is not known: no two ranked versions differ from case to case."
    cases = (
        f"These {many(max(common), 'case')}"
        if len(common) == 1
        else f"The {min(common)} to {max(common)} cases that two ranked versions have in common"
    )
    return (
        f"{start}{cases} cannot separate versions whose composites are closer than {fixed(reach)}: a true difference of"
        f" that size between a typical pair is found in {percent(POWER)} of repetitions, at level"
        f" {percent(results.settings.fraction('level'))} and before any correction for the number of pairs."
        f"{_too_few_resamples(results, version)}"
    )


def _too_few_resamples(results: BenchmarkResults, version: VersionResults) -> str:
    """That no pair can be proven, where the smallest p-value that the resamples can give is too large for so many."""
    drawn, tested = results.settings.integer("resamples"), tested_pairs(version)
    needed = ceil(2 * tested / (1 - results.settings.fraction("level"))) - 1
    if drawn >= needed:
        return ""
    return (
        f" With {many(drawn, 'resample')} nothing can be proven over {many(tested, 'pair')}: at least {needed:,} are"
        " needed."
    )


def tested_pairs(version: VersionResults) -> int:
    """Over how many pairs the p-values of the composite are corrected."""
    return sum(p.differences["q_final"].p is not None for p in version.pairs)


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


def _of(results: BenchmarkResults, version: VersionResults) -> str:
    return f"Benchmark {myst_text(version.benchmark_version)}: " if results.several_versions else ""
