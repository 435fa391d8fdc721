"""Exact numbers until they are printed, and the value that says why there is no number."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

Number = int | Fraction

_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
MAX_DIGITS = 400
MAX_EXPONENT = 400


@dataclass(frozen=True)
class Undefined:
    """There is no value, and this is why. Never 0, never NaN; an empty cell in CSV, null in JSON.

    >>> Undefined("no scored runs")
    Undefined(reason='no scored runs')
    """

    reason: str


Value = int | Fraction | Undefined


def number_of(value: Value) -> Fraction:
    """The number of a value that has one. Raises `TypeError` with the reason when there is none.

    >>> number_of(3)
    Fraction(3, 1)
    """
    if isinstance(value, Undefined):
        raise TypeError(f"no number: {value.reason}")
    return Fraction(value)


def fixed(value: Number, decimals: int = 4) -> str:
    """A number as text with this many decimals, rounded once, half to even, on the exact value.

    Raises `ValueError` for fewer than 0 decimals.

    >>> fixed(Fraction(1, 8), 2), fixed(Fraction(3, 8), 2), fixed(Fraction(-1, 10**9))
    ('0.12', '0.38', '0.0000')
    """
    if decimals < 0:
        raise ValueError(f"decimals is {decimals}; expected 0 or more")
    scaled, rest = divmod(abs(value.numerator) * 10**decimals, value.denominator)
    twice = 2 * rest
    if twice > value.denominator or (twice == value.denominator and scaled % 2):
        scaled += 1
    whole, part = divmod(scaled, 10**decimals)
    sign = "-" if value < 0 and scaled else ""
    return f"{sign}{whole}.{part:0{decimals}d}" if decimals else f"{sign}{whole}"


def ratio(value: Number) -> str:
    """The unrounded value as text: numerator, slash, denominator, in lowest terms.

    >>> ratio(Fraction(2, 4)), ratio(3)
    ('1/2', '3/1')
    """
    return f"{value.numerator}/{value.denominator}"


def csv_text(value: Value, decimals: int = 4) -> str:
    """A value as a CSV cell: fixed decimals, or nothing when it is undefined. Counts (`int`) have no decimals.

    >>> csv_text(Fraction(1, 3)), csv_text(7), csv_text(Undefined("no runs"))
    ('0.3333', '7', '')
    """
    if isinstance(value, Undefined):
        return ""
    return str(value) if isinstance(value, int) else fixed(value, decimals)


def parse_decimal(text: str) -> Fraction:
    """The exact value of decimal text, never through a float. Raises `ValueError` with what is wrong.

    Accepts what JSON and CSV write (sign, point, exponent). Refuses NaN, Infinity, more than 400 digits and
    exponents beyond 400 in size, because a short text may otherwise stand for a number that fills the memory.

    >>> parse_decimal("0.10"), parse_decimal("1e-3")
    (Fraction(1, 10), Fraction(1, 1000))
    """
    if not _DECIMAL.fullmatch(text):
        raise ValueError("not a decimal number")
    mantissa, _, exponent = text.lower().partition("e")
    if sum(c.isdigit() for c in mantissa) > MAX_DIGITS:
        raise ValueError(f"more than {MAX_DIGITS} digits")
    if exponent and (len(exponent) > 6 or abs(int(exponent)) > MAX_EXPONENT):
        raise ValueError(f"an exponent beyond {MAX_EXPONENT}")
    return Fraction(text)
