"""What the pages of function calling show: tables and words from results. Notebooks call these and compute nothing."""

from evalreport.suites.bfcl.views.model import five_rules, official, scores, subsets
from evalreport.suites.bfcl.views.official import official_differences, official_summary
from evalreport.suites.bfcl.views.overview import (
    headline,
    leaderboard,
    notes,
    sample_weights,
    subset_intervals,
)
from evalreport.suites.bfcl.views.rules import rule_families, rules_matrix
from evalreport.suites.bfcl.views.shards import cut, shard_means
from evalreport.suites.bfcl.views.shown import (
    show_all_shards,
    show_audit,
    show_chosen_rules,
    show_chosen_tree,
    show_facts,
    show_group,
    show_group_audit,
    show_own_shards,
)

__all__ = [
    "cut",
    "five_rules",
    "headline",
    "leaderboard",
    "notes",
    "official",
    "official_differences",
    "official_summary",
    "rule_families",
    "rules_matrix",
    "sample_weights",
    "scores",
    "shard_means",
    "show_all_shards",
    "show_audit",
    "show_chosen_rules",
    "show_chosen_tree",
    "show_facts",
    "show_group",
    "show_group_audit",
    "show_own_shards",
    "subset_intervals",
    "subsets",
]
