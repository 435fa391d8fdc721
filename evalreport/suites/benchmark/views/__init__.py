"""What the pages of the benchmark show: tables and sentences from results. Notebooks call these and compute nothing."""

from evalreport.suites.benchmark.views.calibration import bins, calibration
from evalreport.suites.benchmark.views.families import mean_scores, passes
from evalreport.suites.benchmark.views.prose import lifted_words, no_data, order, power, who_is_not_ranked
from evalreport.suites.benchmark.views.sensitivity import crossings, ranges
from evalreport.suites.benchmark.views.shown import show_audit, show_facts, show_fails, show_runs, show_slider
from evalreport.suites.benchmark.views.standing import common_cases, headline, leaderboard, open_ranks, pairs
from evalreport.suites.benchmark.views.subject import counts, fails, lifted_runs, numbers, runs, unscored
from evalreport.suites.benchmark.views.subject import families as families_of

__all__ = [
    "bins",
    "calibration",
    "common_cases",
    "counts",
    "crossings",
    "fails",
    "families_of",
    "headline",
    "leaderboard",
    "lifted_runs",
    "lifted_words",
    "mean_scores",
    "no_data",
    "numbers",
    "open_ranks",
    "order",
    "pairs",
    "passes",
    "power",
    "ranges",
    "runs",
    "show_audit",
    "show_facts",
    "show_fails",
    "show_runs",
    "show_slider",
    "unscored",
    "who_is_not_ranked",
]
