"""The slow second look at a JSON text: every fault in it with its JSON path, in the words of a reader."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NoReturn, Protocol, TypeGuard, runtime_checkable

import msgspec

from evalreport.core.exact import MAX_DIGITS, parse_decimal
from evalreport.core.words import either
from evalreport.errors import EvalreportError, Problem

BOM = b"\xef\xbb\xbf"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SHOWN = 200


@runtime_checkable
class FromJson(Protocol):
    """A field type of its own: says how it is made of an exact JSON value, or what it expected instead."""

    expected: str

    @classmethod
    def from_json(cls, value: object) -> object:
        """The value, or `ValueError`."""


def is_own_type(kind: object) -> TypeGuard[type[FromJson]]:
    """Whether a field type brings its own `from_json`."""
    return isinstance(kind, type) and hasattr(kind, "from_json")


@dataclass(frozen=True)
class Fault:
    """One fault: the JSON path, what stands there, what was expected, the kind of `Problem` it becomes."""

    path: str
    what: str
    expected: str = ""
    kind: str = "invalid"

    def problem(self, where: str) -> Problem:
        """The fault as a problem of a file."""
        return Problem(where, f"{self.path} {self.what}", self.expected, self.kind)


@dataclass(frozen=True)
class Written:
    """A number as it is written. `fault` says why it has no value."""

    text: str
    value: int | Fraction | None = None
    fault: str = ""


@dataclass
class _Members(dict[str, object]):
    """The members of a JSON object, and the keys that stand in it more than once."""

    twice: list[str] = field(default_factory=list)


def _members(pairs: list[tuple[str, object]]) -> _Members:
    members = _Members()
    for key, value in pairs:
        if key in members and key not in members.twice:
            members.twice.append(key)
        members[key] = value
    return members


def _decimal(text: str) -> Written:
    try:
        return Written(text, parse_decimal(text))
    except ValueError as error:
        return Written(text, fault=f"has {error}")


def _integer(text: str) -> Written:
    if len(text.lstrip("-")) > MAX_DIGITS:
        return Written(text, fault=f"has more than {MAX_DIGITS} digits")
    return Written(text, int(text))


def _constant(text: str) -> Written:
    return Written(text, fault="is not a number of JSON")


def text_of(data: bytes, where: str) -> str:
    """The text of UTF-8 bytes; raises `EvalreportError` that names the encoding or the byte that is wrong."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:4]:
        raise EvalreportError(Problem(where, "is UTF-16 or UTF-32", "UTF-8", "encoding"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"byte {error.start} is 0x{data[error.start]:02x}, which is not UTF-8 here"
        raise EvalreportError(Problem(where, what, "UTF-8", "encoding")) from None


def parse(data: bytes, where: str) -> object:
    """The tree of a JSON text with numbers as `Written`; raises `EvalreportError` when it is no JSON text."""
    text = text_of(data, where)
    if data.startswith(BOM):
        text = f"\ufeff{text}"  # the mark at the start of the file is gone by now: another one is a fault
    try:
        return json.loads(
            text, object_pairs_hook=_members, parse_float=_decimal, parse_int=_integer, parse_constant=_constant
        )
    except json.JSONDecodeError as error:
        _no_json(text, error, where)


def _no_json(text: str, error: json.JSONDecodeError, where: str) -> NoReturn:
    if not text.strip():
        problem = Problem(where, "is empty", "a JSON text", "syntax")
    elif error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        line = f", in line {error.lineno}" if error.lineno > 1 else ""
        problem = Problem(where, f"ends too early{line}", "a whole JSON text", "cut")
    else:
        what = f"line {error.lineno} column {error.colno}: {error.msg[0].lower()}{error.msg[1:]}"
        problem = Problem(where, what, "a JSON text", "syntax")
    raise EvalreportError(problem) from None


def look(data: bytes, where: str, kind: type | None = None) -> tuple[object, list[Fault]]:
    """The value of a JSON text and every fault of it, also against a type if one is given.

    Raises `EvalreportError` when it is no JSON text at all.
    """
    try:
        tree = parse(data, where)
        faults = [*text_faults(tree), *(type_faults(tree, kind) if kind else ())]
        return plain(tree), faults
    except RecursionError:
        raise EvalreportError(Problem(where, "is nested too deeply", "a few levels", "syntax")) from None


def plain(node: object) -> object:
    """The tree with values in place of `Written`; a number that has none becomes None."""
    if isinstance(node, Written):
        return node.value
    if isinstance(node, dict):
        return {key: plain(value) for key, value in node.items()}
    if isinstance(node, list):
        return [plain(value) for value in node]
    return node


def member(path: str, key: str) -> str:
    """The JSON path of a member.

    >>> member("$", "score"), member("$", "a b")
    ('$.score', '$["a b"]')
    """
    return f"{path}.{key}" if _NAME.fullmatch(key) else f"{path}[{json.dumps(key, ensure_ascii=False)}]"


def shown(node: object) -> str:
    """A value as a message shows it: as it is written, long ones cut."""
    if isinstance(node, Written):
        text = node.text
    elif isinstance(node, dict):
        text = "an object"
    elif isinstance(node, list):
        text = f"a list of {len(node)}"
    else:
        text = json.dumps(node, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def text_faults(node: object, path: str = "$") -> Iterator[Fault]:
    """What no JSON text of ours may hold, whatever its fields mean: duplicate keys, numbers without a value."""
    if isinstance(node, Written):
        if node.fault:
            kind = "not_finite" if node.fault.startswith("is") else "number_size"
            yield Fault(path, f"is {shown(node)}, which {node.fault}", "a finite number", kind)
    elif isinstance(node, _Members):
        for key in node.twice:
            yield Fault(member(path, key), "stands more than once", "every key once", "duplicate_key")
        for key, value in node.items():
            if _SURROGATE.search(key):
                yield Fault(member(path, key), "has half a character in its key", "whole characters", "encoding")
            yield from text_faults(value, member(path, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from text_faults(value, f"{path}[{index}]")
    elif isinstance(node, str) and _SURROGATE.search(node):
        yield Fault(path, "holds half a character", "whole characters", "encoding")


def type_faults(node: object, kind: type) -> Iterator[Fault]:
    """Every place where the tree is not what the type says.

    Understands structs, integers and texts with bounds, literals, lists, dicts, unions, `Fraction` and types with
    `from_json`. `msgspec.Meta(extra={"kind": …, "expected": …})` gives a field its own kind and words.
    """
    yield from _faults(node, msgspec.inspect.type_info(kind), "$", {})


def _faults(node: object, info: msgspec.inspect.Type, path: str, extra: Mapping[str, str]) -> Iterator[Fault]:
    if isinstance(info, msgspec.inspect.Metadata):
        yield from _faults(node, info.type, path, {**extra, **(info.extra or {})})
    elif isinstance(info, msgspec.inspect.UnionType):
        found = [list(_faults(node, choice, path, extra)) for choice in info.types]
        if all(found):
            deeper = [faults for faults in found if any(fault.path != path for fault in faults)]
            whole = Fault(
                path, f"is {shown(node)}", extra.get("expected") or _expected(info), extra.get("kind", "invalid")
            )
            yield from deeper[0] if deeper else [whole]
    elif isinstance(info, msgspec.inspect.StructType) and isinstance(node, dict):
        yield from _struct_faults(node, info, path, extra)
    elif isinstance(info, msgspec.inspect.DictType) and isinstance(node, dict):
        for key, value in node.items():
            yield from _faults(value, info.value_type, member(path, key), {})
    elif isinstance(info, msgspec.inspect.CollectionType) and isinstance(node, list):
        for index, value in enumerate(node):
            yield from _faults(value, info.item_type, f"{path}[{index}]", {})
    elif isinstance(node, Written) and node.fault:
        return  # told by text_faults
    elif not _fits(node, info):
        expected = extra.get("expected") or _expected(info)
        yield Fault(path, f"is {shown(node)}", expected, extra.get("kind", "invalid"))


def _struct_faults(
    node: dict[str, object], info: msgspec.inspect.StructType, path: str, extra: Mapping[str, str]
) -> Iterator[Fault]:
    for one in info.fields:
        where = member(path, one.encode_name)
        if one.encode_name in node:
            yield from _faults(node[one.encode_name], one.type, where, {})
        elif one.required:
            yield Fault(where, "is missing", _expected(one.type), extra.get("kind", "missing_field"))
    if info.forbid_unknown_fields:
        names = [one.encode_name for one in info.fields]
        for key in node.keys() - set(names):
            yield Fault(member(path, key), "is unknown", either(names), extra.get("kind", "unknown_field"))


def _fits(node: object, info: msgspec.inspect.Type) -> bool:
    check = _CHECKS.get(type(info))
    if check is None:
        return False
    return check(node.value if isinstance(node, Written) else node, info)


def _fits_integer(value: object, info: msgspec.inspect.IntType) -> bool:
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    return not (
        (info.ge is not None and value < info.ge)
        or (info.gt is not None and value <= info.gt)
        or (info.le is not None and value > info.le)
        or (info.lt is not None and value >= info.lt)
    )


def _fits_text(value: object, info: msgspec.inspect.StrType) -> bool:
    if not isinstance(value, str) or len(value) < (info.min_length or 0):
        return False
    if info.max_length is not None and len(value) > info.max_length:
        return False
    return info.pattern is None or re.search(info.pattern, value) is not None


def _fits_literal(value: object, info: msgspec.inspect.LiteralType) -> bool:
    return not isinstance(value, (bool, Fraction)) and value in info.values


def _fits_custom(value: object, info: msgspec.inspect.CustomType) -> bool:
    if is_own_type(info.cls):
        try:
            info.cls.from_json(value)
        except ValueError:
            return False
        return True
    return isinstance(value, (int, Fraction)) and not isinstance(value, bool)


_CHECKS: Mapping[type, Callable[..., bool]] = {
    msgspec.inspect.AnyType: lambda _value, _info: True,
    msgspec.inspect.NoneType: lambda value, _info: value is None,
    msgspec.inspect.BoolType: lambda value, _info: isinstance(value, bool),
    msgspec.inspect.IntType: _fits_integer,
    msgspec.inspect.StrType: _fits_text,
    msgspec.inspect.LiteralType: _fits_literal,
    msgspec.inspect.CustomType: _fits_custom,
}


def _expected(info: msgspec.inspect.Type) -> str:
    match info:
        case msgspec.inspect.Metadata():
            return (info.extra or {}).get("expected") or _expected(info.type)
        case msgspec.inspect.IntType(ge=low, le=high) if low is not None and high is not None:
            return f"an integer from {low} to {high}"
        case msgspec.inspect.LiteralType():
            return either([json.dumps(value) for value in info.values])
        case msgspec.inspect.UnionType():
            return either([_expected(choice) for choice in info.types])
        case msgspec.inspect.CustomType() if is_own_type(info.cls):
            return info.cls.expected
        case msgspec.inspect.StrType(min_length=least) if least:
            return "a text that is not empty"
        case _:
            return _WORDS.get(type(info), "another value")


_WORDS: Mapping[type, str] = {
    msgspec.inspect.NoneType: "null",
    msgspec.inspect.BoolType: "true or false",
    msgspec.inspect.IntType: "an integer",
    msgspec.inspect.StrType: "a text",
    msgspec.inspect.StructType: "an object",
    msgspec.inspect.DictType: "an object",
    msgspec.inspect.ListType: "a list",
    msgspec.inspect.VarTupleType: "a list",
    msgspec.inspect.CustomType: "a number",
}
