"""Numbers and counts as the words of captions, findings and files, in every suite alike."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from evalreport.core.exact import Number, Undefined, Value, fixed
from evalreport.core.suite import Interval


def many(n: int, one: str, several: str = "") -> str:
    """A count with its noun in the right number.

    >>> many(1, "case"), many(1200, "case"), many(2, "family", "families")
    ('1 case', '1,200 cases', '2 families')
    """
    return f"{n:,} {one if n == 1 else several or one + 's'}"


def either(choices: Sequence[str]) -> str:
    """What may stand in a place, one of a few: at least one is known.

    >>> either(["0"]), either(["0", "0.5", "1"])
    ('0', '0, 0.5 or 1')
    """
    return choices[0] if len(choices) == 1 else f"{', '.join(choices[:-1])} or {choices[-1]}"


def decimal(value: Number, *, least: int = 0) -> str:
    """Exact decimals where the value has some, at least so many, else the fraction.

    >>> decimal(Fraction(1, 2)), decimal(Fraction(1, 2), least=2), decimal(Fraction(3)), decimal(Fraction(1, 3))
    ('0.5', '0.50', '3', '1/3')
    """
    text = next((text for text in (fixed(value, k) for k in range(least, 7)) if Fraction(text) == value), "")
    return text or str(value)


def percent(share: Fraction) -> str:
    """A share as percent, with as many decimals as it needs.

    >>> percent(Fraction(19, 20)), percent(Fraction(999, 1000))
    ('95 %', '99.9 %')
    """
    return f"{decimal(share * 100)} %"


def rounded_percent(share: Number, decimals: int = 1) -> str:
    """A share as percent, rounded once.

    >>> rounded_percent(Fraction(1, 3)), rounded_percent(Fraction(1, 3), 0)
    ('33.3 %', '33 %')
    """
    return f"{fixed(Fraction(share) * 100, decimals)} %"


def minus(text: str) -> str:
    """A printed number with a real minus sign.

    >>> minus("-0.25")
    '−0.25'
    """
    return f"−{text[1:]}" if text.startswith("-") else text


def printed(value: Value, decimals: int = 4) -> str:
    """A value as words write it, or that there is none.

    >>> printed(Fraction(-1, 4), 2), printed(Undefined("no runs"))
    ('−0.25', 'no value')
    """
    return "no value" if isinstance(value, Undefined) else minus(fixed(value, decimals))


def limits(interval: Interval | None) -> tuple[float, float] | None:
    """The limits of an interval as places on an axis, None when it has none.

    >>> limits(Interval(Fraction(1, 4), 1, Fraction(1, 2), "", 1)), limits(None)
    ((0.25, 1.0), None)
    """
    if interval is None or interval.low is None or interval.high is None:
        return None
    return float(interval.low), float(interval.high)


def limits_text(interval: Interval | None, decimals: int = 4) -> tuple[str, str]:
    """The limits of an interval as CSV cells, empty when it has none.

    >>> limits_text(Interval(Fraction(1, 4), 1, Fraction(1, 2), "", 1), 2), limits_text(None)
    (('0.25', '1.00'), ('', ''))
    """
    if interval is None or interval.low is None or interval.high is None:
        return "", ""
    return fixed(interval.low, decimals), fixed(interval.high, decimals)


def limits_words(interval: Interval | None, decimals: int = 4) -> str:
    """The limits of an interval in words.

    >>> limits_words(Interval(Fraction(-1, 4), Fraction(1, 2), Fraction(1, 2), "", 1), 2)
    '−0.25 to 0.50'
    """
    if interval is None or interval.low is None or interval.high is None:
        return "no interval"
    return " to ".join(minus(fixed(end, decimals)) for end in (interval.low, interval.high))
