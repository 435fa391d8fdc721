"""Function-calling aggregates: mergeable tallies of hits and samples, weighed by named rule families."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from evalreport.core.suite import InputFile, PageJob, ResultValue, Setting, Suite
from evalreport.suites.bfcl.audit import audit
from evalreport.suites.bfcl.compute import Results, compute
from evalreport.suites.bfcl.metrics import DECLARATIONS
from evalreport.suites.bfcl.read import read
from evalreport.suites.bfcl.records import Scores
from evalreport.suites.bfcl.rules import DEFAULT_RULES, RULES
from evalreport.suites.bfcl.tables import tables, values

__all__ = ["SUITE", "Results", "Scores", "compute", "read"]


def _inputs(scores: Scores) -> Sequence[InputFile]:
    return scores.inputs


def _ignored(scores: Scores) -> Sequence[str]:
    return scores.ignored


def _pages(results: Results) -> Sequence[PageJob]:
    from evalreport.suites.bfcl.pages import page_jobs

    return page_jobs(results)


def _address(results: Results, value: ResultValue) -> str:
    from evalreport.suites.bfcl.pages import number_address

    return number_address(results, value.metric, value.of)


SUITE: Suite[Scores, Results] = Suite(
    name="bfcl",
    title="Function calling",
    summary="Accuracy on function calls, from hits and samples of each subset, weighed by named rules.",
    settings=(
        Setting(
            "rules",
            "text",
            DEFAULT_RULES,
            "The family of rules that makes the scores: the edge gate, or one version of the official board.",
            choices=tuple(RULES),
            symbol=r"\mathrm{rules}",
        ),
        Setting("partial", "flag", False, "Whether a run may lack shards; every number of it is then marked partial."),
        Setting("shards", "flag", False, "Whether several score directories of one model are shards of one run."),
        Setting(
            "level",
            "fraction",
            Fraction(95, 100),
            "The share of repetitions that an interval is meant to hold.",
            low=0,
            high=1,
            open_bounds=True,
        ),
        Setting("resamples", "integer", 2000, "How many times the composite scores are drawn again.", 100, 1_000_000),
        Setting("seed", "integer", 0, "Where the draws begin.", low=0),
    ),
    declarations=DECLARATIONS,
    read=read,
    inputs=_inputs,
    ignored=_ignored,
    compute=compute,
    tables=tables,
    values=values,
    audit=audit,
    pages=_pages,
    address=_address,
)
