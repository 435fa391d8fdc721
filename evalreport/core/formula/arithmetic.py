"""What the operators of a formula do with exact numbers, and the signal that there is no number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import isqrt, prod
from typing import NoReturn

from evalreport.core.exact import Number

ROOT_DIGITS = 60
Counted = Sequence[tuple[Number, int]]  # values, each with how often it occurs

SUM, PROD, MAX, MIN = r"\sum", r"\prod", r"\max", r"\min"
MEAN, MEDIAN = r"\operatorname*{mean}", r"\operatorname*{median}"
DEFINED_WHEN_EMPTY = frozenset({SUM, PROD})


class NoValue(Exception):  # noqa: N818
    """Stops an evaluation where a formula has no value; carries the reason as LaTeX."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def lowest(x: Number) -> Number:
    """An integer when the number is one."""
    return x.numerator if x.denominator == 1 else x


def total(values: Iterable[tuple[Number, int]]) -> Number:
    """The sum of value times count, adding the numerators of like denominators as integers.

    >>> total([(Fraction(1, 4), 2), (Fraction(1, 2), 1), (3, 1)])
    4
    """
    numerators: dict[int, int] = {}
    for value, count in values:
        numerators[value.denominator] = numerators.get(value.denominator, 0) + value.numerator * count
    return lowest(sum((Fraction(n, d) for d, n in numerators.items()), Fraction(0)))


def divide(top: Number, bottom: Number, name: str) -> Number:
    """The quotient; `name` is the LaTeX of the divisor, for the reason when it is zero."""
    if bottom == 0:
        _no_value(f"{name} = 0")
    return lowest(Fraction(top) / bottom)


def raised(base: Number, exponent: int, name: str) -> Number:
    """An integer power; `name` is the LaTeX of the base, for the reason when zero is raised to a negative power."""
    if base == 0 and exponent < 0:
        _no_value(f"{name} = 0")
    return lowest(Fraction(base) ** exponent)


def root(x: Number) -> Number:
    """The square root: exact when it is rational, otherwise cut after 60 decimals.

    >>> root(Fraction(9, 4))
    Fraction(3, 2)
    """
    if x < 0:
        _no_value(r"\text{root of a negative number}")
    p, q = isqrt(x.numerator), isqrt(x.denominator)
    if p * p == x.numerator and q * q == x.denominator:
        return lowest(Fraction(p, q))
    return lowest(Fraction(isqrt(x.numerator * 10 ** (2 * ROOT_DIGITS) // x.denominator), 10**ROOT_DIGITS))


def _no_value(reason: str) -> NoReturn:
    raise NoValue(reason)


def _product(values: Counted) -> Number:
    return lowest(Fraction(prod(value**count for value, count in values)))


def _mean(values: Counted) -> Number:
    return lowest(Fraction(total(values)) / sum(count for _, count in values))


def _median(values: Counted) -> Number:
    ordered = sorted(values)
    size = sum(count for _, count in ordered)
    low, high = _nth(ordered, (size - 1) // 2), _nth(ordered, size // 2)
    return lowest(Fraction(low + high) / 2)


def _nth(ordered: Counted, n: int) -> Number:
    for value, count in ordered:
        n -= count
        if n < 0:
            return value
    raise IndexError(n)


FOLDS: dict[str, Callable[[Counted], Number]] = {
    SUM: total,
    PROD: _product,
    MAX: lambda values: max(value for value, _ in values),
    MIN: lambda values: min(value for value, _ in values),
    MEAN: _mean,
    MEDIAN: _median,
}
