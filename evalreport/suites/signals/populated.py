"""What counts as populated, and what as said in the affirmative."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from functools import lru_cache

from evalreport.core.exact import parse_decimal
from evalreport.formats.eee import decimal_text
from evalreport.suites.signals.catalogue import setup_items

LONGEST = 160
LONGEST_NUMBER = 40


def populated_literally(value: object) -> bool:
    """Whether anything stands there at all: not null, not blank, not an empty list or object. 0 and false do.

    >>> [populated_literally(value) for value in (None, " ", [], {}, 0, False, "Not specified")]
    [False, False, False, False, True, True, True]
    """
    if isinstance(value, str):
        return bool(value.strip())
    if isinstance(value, (list, dict)):
        return bool(value)
    return value is not None


def populated(value: object) -> bool:
    """Whether something is said: literally populated, and more than a placeholder or a container of nothing.

    >>> [populated(value) for value in ("Not specified.", ["TBD", "n/a"], {"available_tools": []}, 0, False, "none")]
    [False, False, False, True, True, True]
    """
    if isinstance(value, str):
        return _says_something(value) if len(value) <= LONGEST else _says_something.__wrapped__(value)
    if isinstance(value, list):
        return any(populated(item) for item in value)
    if isinstance(value, dict):
        return any(populated(item) for item in value.values())
    return value is not None


def affirmative(value: object) -> bool:
    """Whether something is said and it is no denial.

    >>> [affirmative(value) for value in (False, "None", "high", "unknown", 4096)]
    [False, False, True, False, True]
    """
    if value is False or (isinstance(value, str) and folded(value) in setup_items().not_affirmative):
        return False
    return populated(value)


def folded(text: str) -> str:
    """A text without regard to case and blanks.

    >>> folded("  No  Information found ")
    'no information found'
    """
    return " ".join(text.split()).casefold()


def shown(value: object) -> str:
    """A value as text; a long one ends in its hash, so that two texts are equal only when the values are.

    >>> shown(Fraction(1, 2)), shown("1.0"), shown(True), shown({"b": 1, "a": None})
    ('0.5', '1.0', 'true', '{"a":null,"b":1}')
    """
    text = _text(value)
    if len(text) <= LONGEST:
        return text
    return f"{text[: LONGEST - 40]}… sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def setting(value: object) -> str:
    """A setting as text by which equal settings are equal: 1, 1.0 and "1.0" are one, and so are true and "True".

    >>> setting("1.0"), setting(1), setting("True"), setting("full")
    ('1', '1', 'true', 'full')
    """
    if isinstance(value, (list, dict)) or (isinstance(value, str) and len(value) > LONGEST_NUMBER):
        return shown(value)
    return _scalar_setting(value)


# The same few settings come again and again; the bounds keep a hostile corpus from filling the memory.
@lru_cache(maxsize=1 << 14, typed=True)
def _scalar_setting(value: object) -> str:
    if not isinstance(value, str):
        return shown(value)
    text = value.strip()
    if text.casefold() in ("true", "false"):
        return text.casefold()
    try:
        return decimal_text(parse_decimal(text))
    except ValueError:
        return text


@lru_cache(maxsize=1 << 14)
def _says_something(value: str) -> bool:
    text = folded(value).rstrip(".").rstrip()
    return bool(text) and text not in setup_items().placeholders


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, Fraction)):
        return decimal_text(Fraction(value))
    if isinstance(value, str):
        return value.strip()
    return json.dumps(_plain(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else decimal_text(value)
    return value
