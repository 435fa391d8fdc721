"""The way in for all JSON: exact numbers, every key once, and all faults told at once with their JSON paths.

The fast path costs about twice a plain decoding. What it cannot vouch for goes to the slow second look of
`json_faults`, which says what is wrong, or finds that nothing is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

import msgspec

from evalreport.core.exact import parse_decimal
from evalreport.errors import EvalreportError, Problem
from evalreport.formats import json_faults

T = TypeVar("T")
Missing = tuple[str, str]  # (JSON path, why there is no value)

# The same few decimals come again and again; the bound keeps a hostile file from filling the memory.
_DECODER = msgspec.json.Decoder(float_hook=lru_cache(maxsize=1024)(parse_decimal))
_ENCODER = msgspec.json.Encoder(enc_hook=lambda _exact: 0)
# A number of more than 400 digits covers at least eight neighbours among every fiftieth byte.
_STRIDE = 50
_LONG_NUMBER = re.compile(rb"[0-9]{8}")


def _vouched(data: bytes) -> tuple[bool, object]:
    """Whether the fast path vouches for these bytes, and their value if so.

    Decoding keeps the last of equal keys. So the value, written again, has fewer colons than the bytes had if and
    only if a key stood twice, as long as no colon is hidden in an escape: writing never escapes one.
    """
    try:
        value = _DECODER.decode(data)
        again = _ENCODER.encode(value)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False, None
    return (
        again.count(b":") == data.count(b":")
        and b"\\u003a" not in data
        and b"\\u003A" not in data
        and not _LONG_NUMBER.search(data[::_STRIDE]),
        value,
    )


def loads_exact(data: bytes, where: str = "JSON") -> object:
    """The value of a JSON text of our own formats: integers, and `Fraction` for decimals, never a float.

    Raises `EvalreportError` with every fault: duplicate keys, NaN and Infinity, decimals of more than 400 digits
    or exponents beyond 400, half characters, another encoding than UTF-8 (a byte order mark is accepted).

    >>> loads_exact(b'{"a": 0.10, "b": [1, true]}')
    {'a': Fraction(1, 10), 'b': [1, True]}
    >>> loads_exact(b'{"a": 1, "a": NaN}', "x.json")
    Traceback (most recent call last):
    evalreport.errors.EvalreportError: x.json: $.a is NaN, which is not a number of JSON; expected a finite number
    x.json: $.a stands more than once; expected every key once
    """
    data = data.removeprefix(json_faults.BOM)
    fine, value = _vouched(data)
    if fine:
        return value
    value, faults = json_faults.look(data, where)
    if faults:
        raise EvalreportError(*(fault.problem(where) for fault in faults))
    return value


def _exact_field(kind: type, value: object) -> object:
    if kind is not Fraction and json_faults.is_own_type(kind):
        return kind.from_json(value)
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return Fraction(value)
    raise ValueError("not an exact number")


def decode(data: bytes, kind: type[T], *, where: str = "JSON") -> T:
    """The record that a JSON text of our own formats holds; other fields than the record's are ignored.

    `kind` is a frozen `msgspec.Struct`. Decimal fields are `Fraction`, or a type with `from_json` (see
    `json_faults.FromJson`); a `float` field is never filled. Raises `EvalreportError` with every fault of the text
    and of its fields.

    >>> class Point(msgspec.Struct):
    ...     x: int
    ...     y: Fraction
    >>> decode(b'{"x": 1, "y": 0.1, "note": ""}', Point)
    Point(x=1, y=Fraction(1, 10))
    >>> decode(b'{"x": true}', Point, where="p.json")
    Traceback (most recent call last):
    evalreport.errors.EvalreportError: p.json: $.x is true; expected an integer
    p.json: $.y is missing; expected a number
    """
    data = data.removeprefix(json_faults.BOM)
    fine, value = _vouched(data)
    if fine:
        try:
            return msgspec.convert(value, kind, dec_hook=_exact_field)
        except msgspec.ValidationError:
            pass
    value, faults = json_faults.look(data, where, kind)
    if faults:
        raise EvalreportError(*(fault.problem(where) for fault in faults))
    try:
        return msgspec.convert(value, kind, dec_hook=_exact_field)
    except msgspec.ValidationError as error:
        raise EvalreportError(Problem(where, str(error))) from None


def loads_foreign(data: bytes, where: str = "JSON") -> tuple[object, list[Missing]]:
    """The value of a JSON text that another tool wrote, and what in it has no value.

    A bare NaN or Infinity, and a number too long to be meant, is None and listed with its JSON path and the reason.
    Of a key that stands twice the last one counts; it is listed too. Raises `EvalreportError` for no JSON text.

    >>> loads_foreign(b'{"acc": NaN, "n": 2.50}')
    ({'acc': None, 'n': Fraction(5, 2)}, [('$.acc', 'is NaN, which is not a number of JSON')])
    """
    data = data.removeprefix(json_faults.BOM)
    fine, value = _vouched(data)
    if fine:
        return value, []
    value, faults = json_faults.look(data, where)
    broken = [fault.problem(where) for fault in faults if fault.kind == "encoding"]
    if broken:
        raise EvalreportError(*broken)
    return value, [(fault.path, fault.what) for fault in faults]


def lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines of a JSON Lines file with their numbers from 1; only LF, or CR LF, ends a line. Empty lines go.

    >>> list(lines(b'1\\r\\n\\n"a\\xe2\\x80\\xa8b"'))
    [(1, b'1'), (3, b'"a\\xe2\\x80\\xa8b"')]
    """
    for number, line in enumerate(data.removeprefix(json_faults.BOM).split(b"\n"), 1):
        line = line.removesuffix(b"\r")
        if line.strip(b" \t"):
            yield number, line
