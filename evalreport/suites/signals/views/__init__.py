"""What the pages of signals show: tables and words from results. Notebooks call these and compute nothing."""

from evalreport.suites.signals.views.comparability import spreads, statuses
from evalreport.suites.signals.views.completeness import benchmarks, field_table, fields
from evalreport.suites.signals.views.overview import headline, no_score, read_words, thresholds, unmatched
from evalreport.suites.signals.views.provenance import organisations, risks, triples
from evalreport.suites.signals.views.reproducibility import gaps, items, places_table, setup_table
from evalreport.suites.signals.views.shown import (
    show_benchmark,
    show_benchmark_audit,
    show_benchmarks,
    show_corpus_audit,
    show_evidence,
    show_facts,
    show_formulas,
)

__all__ = [
    "benchmarks",
    "field_table",
    "fields",
    "gaps",
    "headline",
    "items",
    "no_score",
    "organisations",
    "places_table",
    "read_words",
    "risks",
    "setup_table",
    "show_benchmark",
    "show_benchmark_audit",
    "show_benchmarks",
    "show_corpus_audit",
    "show_evidence",
    "show_facts",
    "show_formulas",
    "spreads",
    "statuses",
    "thresholds",
    "triples",
    "unmatched",
]
