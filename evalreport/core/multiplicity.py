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
