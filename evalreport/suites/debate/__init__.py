"""Debates scored on a rubric of six dimensions: which cases pass, whether the benchmark does, and the lift."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from evalreport.core.suite import PageJob, ResultValue, Setting, Suite
from evalreport.core.words import decimal
from evalreport.suites.debate.audit import audit_entries
from evalreport.suites.debate.compute import compute
from evalreport.suites.debate.metrics import d
from evalreport.suites.debate.public import public
from evalreport.suites.debate.read import read
from evalreport.suites.debate.records import THRESHOLDS, DebateRecords
from evalreport.suites.debate.results import DebateResults
from evalreport.suites.debate.tables import csv_tables
from evalreport.suites.debate.values import result_values

_FROM_RUBRIC = "Taken from the rubric file; needed only when that states none."


def _pages(results: DebateResults) -> Sequence[PageJob]:
    from evalreport.suites.debate.pages import page_jobs

    return page_jobs(results)


def _address(results: DebateResults, value: ResultValue) -> str:
    from evalreport.suites.debate.pages import number_address

    return number_address(results, value.metric, value.of)


def _scope(results: DebateResults) -> Mapping[str, str]:
    """The thresholds in force, wherever they came from, and the rubric by its hash."""
    found = {name: decimal(getattr(results.thresholds, name)) for name in THRESHOLDS}
    return found | ({"rubric_sha256": results.rubric.sha256} if results.rubric.sha256 else {})


SUITE: Suite[DebateRecords, DebateResults] = Suite(
    name="debate",
    title="Debate",
    summary="Six rubric dimensions for each debated case, the rule for cases and benchmark, lift over a baseline",
    settings=(
        Setting(
            "per_dimension_pass",
            "fraction",
            None,
            f"The score that every dimension of a passing case must reach. {_FROM_RUBRIC}",
            low=0,
            high=1,
            symbol=r"\theta_{\mathrm{dim}}",
        ),
        Setting(
            "overall_case_pass",
            "fraction",
            None,
            f"The mean that a passing case, and the benchmark as a whole, must reach. {_FROM_RUBRIC}",
            low=0,
            high=1,
            symbol=r"\theta_{\mathrm{case}}",
        ),
        Setting(
            "benchmark_pass_fraction",
            "fraction",
            None,
            f"The share of the scoreable cases that must pass. {_FROM_RUBRIC}",
            low=0,
            high=1,
            symbol=r"\theta_{\mathrm{frac}}",
        ),
        Setting(
            "min_lift",
            "fraction",
            Fraction(1, 10),
            "The least lift over the baseline that shows that debate adds value.",
            low=-1,
            high=1,
            symbol=r"\theta_{\mathrm{lift}}",
        ),
        Setting(
            "baseline",
            "text",
            None,
            "The system that the others are compared with. Left out: the one called baseline, if there is one.",
        ),
        Setting(
            "level",
            "fraction",
            Fraction(95, 100),
            "How often intervals made this way hold the true value.",
            low=0,
            high=1,
            open_bounds=True,
        ),
        Setting(
            "resamples", "integer", 10_000, "How many times the cases are drawn again for an interval.", 100, 1_000_000
        ),
        Setting("seed", "integer", 0, "Where the random draws start.", low=0),
    ),
    declarations=d,
    read=read,
    inputs=lambda records: records.inputs,
    ignored=lambda records: records.ignored,
    compute=compute,
    tables=csv_tables,
    values=result_values,
    audit=audit_entries,
    pages=_pages,
    scope=_scope,
    address=_address,
    public=public,
)
