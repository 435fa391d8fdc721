"""Plain values out of another tool's JSON tree, whatever really stands there."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import islice

from evalreport.core.exact import fixed

_KEY = re.compile(rb'\s*"((?:[^"\\]|\\.)*)"\s*:')
_SKIP = re.compile(rb'"(?:[^"\\]|\\.)*"|[^"{}\[\],]+')
_SHOWN = 200


def as_object(value: object) -> dict[str, object]:
    """The members of an object; none for anything else."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """The elements of a list; none for anything else."""
    return value if isinstance(value, list) else []


def as_text(value: object) -> str:
    """A text as it stands; empty for anything else."""
    return value if isinstance(value, str) else ""


def as_number(value: object) -> Fraction | None:
    """A number, exact; None for anything else, `true` among it.

    >>> as_number(2), as_number(True), as_number("2")
    (Fraction(2, 1), None, None)
    """
    return Fraction(value) if isinstance(value, (int, Fraction)) and not isinstance(value, bool) else None


def as_count(value: object) -> int | None:
    """A whole number from 0, also written as 50.0; None for anything else.

    >>> as_count(Fraction(50)), as_count(-1), as_count(Fraction(1, 2))
    (50, None, None)
    """
    number = as_number(value)
    return int(number) if number is not None and number.denominator == 1 and number >= 0 else None


def shown(value: object) -> str:
    """A value as a reader of the report sees it; long ones are cut.

    >>> shown(Fraction(3, 4)), shown(None), shown([1])
    ('0.75', 'nothing', 'a list')
    """
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, Fraction)):
        text = fixed(value, 12)
        return text.rstrip("0").rstrip(".")
    if isinstance(value, str):
        return value if len(value) <= _SHOWN else f"{value[:_SHOWN]}…"
    return "a list" if isinstance(value, list) else "an object"


def as_written(value: object) -> str:
    """A value as a message shows it: as JSON writes it, one level deep, long ones cut.

    >>> as_written(Fraction(101, 100)), as_written(None), as_written([1, {"a": 2}])
    ('1.01', 'null', '[1, {…}]')
    """
    if isinstance(value, list):
        text = f"[{', '.join(_scalar(v) for v in value[:_SHOWN])}]"
    elif isinstance(value, dict):
        text = f"{{{', '.join(f'{_scalar(k)}: {_scalar(v)}' for k, v in islice(value.items(), _SHOWN))}}}"
    else:
        text = _scalar(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _scalar(value: object) -> str:
    if isinstance(value, (list, dict)):
        return "[…]" if isinstance(value, list) else "{…}"
    if not isinstance(value, Fraction):
        return json.dumps(value, ensure_ascii=False)
    decimals = 0
    while (value * 10**decimals).denominator != 1:
        decimals += 1
    return fixed(value, decimals)


def top_keys(head: bytes) -> frozenset[str]:
    """The keys of the outermost object of a JSON text, as far as its beginning shows them.

    >>> sorted(top_keys(b'{"a": {"x": 1}, "b": [{"y": "}"}], "c": 3, "d'))
    ['a', 'b', 'c']
    """
    data = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    found: set[str] = set()
    if data[:1] != b"{":
        return frozenset()
    depth, place, expects_key = 1, 1, True
    while place < len(data) and depth:
        if depth == 1 and expects_key:
            key = _KEY.match(data, place)
            if not key:
                break
            found.add(key[1].decode("utf-8", "replace"))
            place, expects_key = key.end(), False
            continue
        byte = data[place : place + 1]
        if byte in b"{[":
            depth += 1
        elif byte in b"}]":
            depth -= 1
        elif byte == b",":
            expects_key = depth == 1
        else:
            skip = _SKIP.match(data, place)
            if not skip:
                break
            place = skip.end()
            continue
        place += 1
    return frozenset(found)
