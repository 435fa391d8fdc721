"""Models compared on the same tasks: means, win rates, paired differences, and what the tasks can tell apart."""

from __future__ import annotations

from fractions import Fraction

from evalreport.core.suite import Setting, Suite
from evalreport.suites.comparison.audit import audit_entries
from evalreport.suites.comparison.compute import compute
from evalreport.suites.comparison.notation import d
from evalreport.suites.comparison.pages import number_address, page_jobs
from evalreport.suites.comparison.read import read
from evalreport.suites.comparison.records import ComparisonRecords
from evalreport.suites.comparison.results import ComparisonResults
from evalreport.suites.comparison.tables import csv_tables
from evalreport.suites.comparison.texts import texts
from evalreport.suites.comparison.values import result_values

SUITE: Suite[ComparisonRecords, ComparisonResults] = Suite(
    name="comparison",
    title="Comparison",
    summary="Mean score, win rate and paired differences of models on common tasks, with corrected tests",
    settings=(
        Setting(
            "metric",
            "text",
            None,
            "The metric that is ranked; * for a leaderboard of each. Left out: the scores of tables together, "
            "one for each model and task, and a leaderboard of each metric of other result files.",
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
        Setting("resamples", "integer", 10_000, "How many times the tasks are drawn again.", low=100, high=1_000_000),
        Setting("seed", "integer", 0, "Where the random draws start.", low=0),
        Setting("weights", "flag", default=False, meaning="Whether tasks count as often as their weight says."),
        Setting(
            "cluster",
            "text",
            None,
            "The column that says which tasks belong together (cluster, category, or another one of a table): "
            "intervals then draw clusters first, and errors are clustered.",
        ),
        Setting(
            "power",
            "fraction",
            Fraction(4, 5),
            "How often a difference as large as the detectable one would be found.",
            low=Fraction(1, 2),
            high=1,
            open_bounds=True,
        ),
    ),
    declarations=d,
    read=read,
    inputs=lambda records: records.inputs,
    ignored=lambda records: records.ignored,
    compute=compute,
    tables=csv_tables,
    values=result_values,
    audit=audit_entries,
    pages=page_jobs,
    texts=texts,
    address=lambda results, value: number_address(results, value.metric, value.of),
)
