"""Many comparisons at once: p-values that keep the chance of any false finding at the level."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from evalreport.core.exact import Number


def holm(values: Sequence[Number]) -> tuple[Fraction, ...]:
    """Each p-value corrected for all that were tested together, in the order given. Equal ones stay equal.

    Exact; at most 1; never smaller than the p-value itself. Source: Holm 1979.

    >>> holm([Fraction(1, 100), Fraction(4, 100), Fraction(3, 100)])
    (Fraction(3, 100), Fraction(3, 50), Fraction(3, 50))
    """
    order = sorted(range(len(values)), key=lambda i: values[i])
    adjusted = [Fraction(0)] * len(values)
    largest = Fraction(0)
    for rank, i in enumerate(order):
        largest = max(largest, min(Fraction(1), Fraction(values[i]) * (len(values) - rank)))
        adjusted[i] = largest
    return tuple(adjusted)


def benjamini_hochberg(values: Sequence[Number]) -> tuple[Fraction, ...]:
    """Each p-value corrected so that a stated share of the findings may be false, in the order given.

    Less strict than Holm: it bounds the expected share of false findings, not the chance of any. Exact; at most 1.
    Source: Benjamini and Hochberg 1995.

    >>> benjamini_hochberg([Fraction(1, 100), Fraction(4, 100), Fraction(3, 100)])
    (Fraction(3, 100), Fraction(1, 25), Fraction(1, 25))
    """
    order = sorted(range(len(values)), key=lambda i: values[i], reverse=True)
    adjusted = [Fraction(0)] * len(values)
    smallest = Fraction(1)
    for behind, i in enumerate(order):
        smallest = min(smallest, Fraction(values[i]) * len(values) / (len(values) - behind))
        adjusted[i] = smallest
    return tuple(adjusted)
