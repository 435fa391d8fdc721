"""Four signals of how evaluation results are reported: reproducibility, completeness, provenance, comparability."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from evalreport.core.suite import ResultValue, Setting, Suite
from evalreport.core.words import decimal
from evalreport.suites.signals.audit import audit_entries
from evalreport.suites.signals.catalogue import completeness_fields, setup_items
from evalreport.suites.signals.compute import compute
from evalreport.suites.signals.metrics import d
from evalreport.suites.signals.pages import number_address, page_jobs
from evalreport.suites.signals.read import read
from evalreport.suites.signals.records import SignalsRecords
from evalreport.suites.signals.results import SignalsResults
from evalreport.suites.signals.tables import csv_tables
from evalreport.suites.signals.values import result_values


def _scope(results: SignalsResults) -> Mapping[str, str]:
    """The versions of both tables, and the thresholds that single metrics have of their own."""
    own = ", ".join(f"{metric} {decimal(threshold)}" for metric, threshold in sorted(results.thresholds.items()))
    found = {"field_table_version": completeness_fields().version, "setup_items_version": setup_items().version}
    return found | ({"own_thresholds": own} if own else {})


def _address(results: SignalsResults, value: ResultValue) -> str:
    return number_address(results, value.metric, value.of)


SUITE: Suite[SignalsRecords, SignalsResults] = Suite(
    name="signals",
    title="Reporting signals",
    summary="How evaluation results are reported: reproducibility, completeness, provenance and comparability",
    settings=(
        Setting(
            "theta",
            "fraction",
            Fraction(5, 100),
            "How far reported scores may lie apart, as a share of the metric's scale, before they are flagged.",
            low=0,
            symbol=r"\theta",
        ),
        Setting(
            "cards",
            "path",
            None,
            "Where benchmark cards lie, if not among the records. Cards are known by their content.",
            many=True,
        ),
        Setting(
            "mapping",
            "path",
            None,
            "A file that says which card belongs to which benchmark, and may give reserved fields and thresholds.",
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
    scope=_scope,
    address=_address,
)
