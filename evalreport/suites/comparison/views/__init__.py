"""What the pages of comparisons show: tables and words from results. Notebooks call these and compute nothing."""

from evalreport.suites.comparison.views.board import headline
from evalreport.suites.comparison.views.shown import (
    show_audit,
    show_board,
    show_boards_audit,
    show_categories,
    show_common,
    show_each,
    show_forest,
    show_group,
    show_group_audit,
    show_model,
    show_pairs,
    show_tasks,
)
from evalreport.suites.comparison.views.sources import files, notes, other_metrics, set_aside

__all__ = [
    "files",
    "headline",
    "notes",
    "other_metrics",
    "set_aside",
    "show_audit",
    "show_board",
    "show_boards_audit",
    "show_categories",
    "show_common",
    "show_each",
    "show_forest",
    "show_group",
    "show_group_audit",
    "show_model",
    "show_pairs",
    "show_tasks",
]
