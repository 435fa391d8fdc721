"""Exact numbers as text: rounded once, half to even, on the exact value."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalreport.core.exact import Undefined, csv_text, fixed, parse_decimal

TENTHS = st.integers(-(10**9), 10**9)


@settings(deadline=None)
@given(TENTHS, st.integers(0, 9), st.integers(0, 9))
def test_a_decimal_is_rounded_as_decimal_arithmetic_rounds_it(digits: int, places: int, decimals: int) -> None:
    with localcontext() as context:
        context.prec = 60
        rounded = Decimal(digits).scaleb(-places).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_EVEN)
    expected = f"{abs(rounded) if rounded == 0 else rounded:f}"
    assert fixed(Fraction(digits, 10**places), decimals) == expected


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(-1, 10**9), "0.0000"),
        (Fraction(-1, 20000), "0.0000"),
        (Fraction(-3, 20000), "-0.0002"),
        (Fraction(1, 20000), "0.0000"),
        (Fraction(3, 20000), "0.0002"),
        (Fraction(2, 3), "0.6667"),
        (0, "0"),
        (Undefined("none"), ""),
    ],
)
def test_a_half_goes_to_the_even_digit_and_zero_has_no_sign(value: Fraction | int | Undefined, text: str) -> None:
    assert csv_text(value) == text


@pytest.mark.parametrize(
    "text", ["nan", "inf", "-Infinity", "1_0", "½", "", ".", "1e", "0x1", "1/2", " 1", "1 ", "1e401"]
)
def test_what_is_no_plain_decimal_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a decimal|exponent"):
        parse_decimal(text)
