"""What the pages of debates show: tables and words from results. Notebooks call these and compute nothing."""

from evalreport.suites.debate.views.cases import groups, lift_by_case, manual_review, means, own_groups, scores
from evalreport.suites.debate.views.outcome import (
    conditions,
    flag_counts,
    flags,
    headline,
    lift,
    ordered,
    rule_words,
    systems,
)
from evalreport.suites.debate.views.shown import show_audit, show_facts, show_runs
from evalreport.suites.debate.views.thresholds import in_force, sensitivity, unrun_words

__all__ = [
    "conditions",
    "flag_counts",
    "flags",
    "groups",
    "headline",
    "in_force",
    "lift",
    "lift_by_case",
    "manual_review",
    "means",
    "ordered",
    "own_groups",
    "rule_words",
    "scores",
    "sensitivity",
    "show_audit",
    "show_facts",
    "show_runs",
    "systems",
    "unrun_words",
]
