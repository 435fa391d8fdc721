"""What a published standard error can mean, and what follows from the data instead.

A standard error is not a lattice number: it is a root, given as a fraction to 20 decimals.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

from evalreport.core.exact import fixed

_DECIMALS = 20
_CLOSE = Fraction(1, 10**14)


def root(square: Fraction) -> Fraction:
    """The square root to 20 decimals, rounded down.

    >>> root(Fraction(1, 4)), fixed(root(Fraction(2)), 8)
    (Fraction(1, 2), '1.41421356')
    """
    scale = 10 ** (2 * _DECIMALS)
    return Fraction(isqrt(square.numerator * scale // square.denominator), 10**_DECIMALS)


def hits(score: Fraction, n: int | None) -> int | None:
    """How many of n items were right, if the score is such a share up to the last digits of a binary number.

    >>> hits(Fraction("0.3333333333333333"), 3), hits(Fraction("0.333"), 3)
    (1, None)
    """
    if not n:
        return None
    right = round(score * n)
    return right if abs(score - Fraction(right, n)) <= _CLOSE and 0 <= right <= n else None


def closed_form(score: Fraction, n: int) -> Fraction:
    """The standard error of a share of n > 1 items that are right or wrong (divisor n - 1).

    >>> closed_form(Fraction(9, 10), 10)
    Fraction(1, 10)
    """
    return root(score * (1 - score) / (n - 1))


def judged(score: Fraction, stated: Fraction, n: int | None) -> tuple[Fraction | None, str]:
    """A published standard error of a share, or the one that takes its place, and what a reader must know of it.

    0 for a share strictly between 0 and 1 contradicts the data; 0 for none or all right is no certainty.

    >>> judged(Fraction(1, 2), Fraction(0), 2)
    (Fraction(1, 2), 'standard error 0 contradicts a score of 0.5000; 0.500000 follows from 2 items')
    """
    if stated < 0:
        return None, f"standard error {fixed(stated)} is below 0"
    if stated > 0:
        return stated, ""
    if 0 < score < 1:
        told = f"standard error 0 contradicts a score of {fixed(score)}"
        right = hits(score, n)
        if n is None or n < 2 or right is None:
            return None, told
        follows = closed_form(Fraction(right, n), n)
        return follows, f"{told}; {fixed(follows, 6)} follows from {n} items"
    return stated, "degenerate: standard error 0 because all items are equal"


def pooled(parts: Sequence[tuple[int, Fraction | None]]) -> Fraction | None:
    """The standard error of a mean weighted by size, from sizes and standard errors of its parts, variances pooled.

    None when a part has no standard error or one item only everywhere.

    >>> fixed(pooled([(10, Fraction(1, 10)), (90, Fraction("0.052999894000318"))]), 6)
    '0.048865'
    """
    if len(parts) == 1:
        return parts[0][1]
    known = [(size, error) for size, error in parts if error is not None]
    total = sum(size for size, _ in parts)
    if len(known) < len(parts) or total <= len(parts):
        return None
    spread = sum(((size - 1) * size * error * error for size, error in known), Fraction(0))
    return root(spread / (total - len(parts)) / total)


def in_quadrature(parts: Sequence[tuple[int, Fraction | None]]) -> Fraction | None:
    """The standard error of a mean weighted by size when the parts are independent strata.

    >>> fixed(in_quadrature([(10, Fraction(1, 10)), (90, Fraction("0.052999894000318"))]), 6)
    '0.048737'
    """
    known = [(size, error) for size, error in parts if error is not None]
    total = sum(size for size, _ in parts)
    if len(known) < len(parts) or not total:
        return None
    return root(sum((Fraction(size, total) ** 2 * error * error for size, error in known), Fraction(0)))
