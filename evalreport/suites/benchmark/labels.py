"""How much the number of runs lets a reader conclude: the words of the sample-size table."""

from __future__ import annotations

# Fewer than 80 runs, 80 to 299, 300 and more.
LIMITS = (80, 300)
LABELS = {
    "pass_rate": ("Reasonable", "Stable", "Robust"),
    "mean_clipped_score": ("Reasonable", "Stable", "Robust"),
    "soft_brier": ("Indicative", "Stable", "Robust"),
    "ece": ("Indicative only", "Stable", "Robust"),
    "q_final": ("Indicative", "Stable", "Robust"),
    "family": ("Indicative", "Reasonable", "Stable"),
}


def sample_size_label(metric: str, n: int) -> str:
    """The word for a metric of a subject version with n scored runs; "" for none or a metric that has no word.

    The breakdown by family ("family") has one word, which goes by the n of the whole subject version.

    >>> [sample_size_label("ece", n) for n in (0, 79, 80, 299, 300)]
    ['', 'Indicative only', 'Stable', 'Stable', 'Robust']
    """
    if n == 0 or metric not in LABELS:
        return ""
    return LABELS[metric][sum(n >= limit for limit in LIMITS)]
