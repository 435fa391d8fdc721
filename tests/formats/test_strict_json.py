"""Strict JSON: what is refused, in which words, and that the fast look and the slow look agree."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Annotated, Literal

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import Meta

from evalreport.errors import EvalreportError
from evalreport.formats import json_faults, strict_json
from evalreport.formats.strict_json import decode, lines, loads_exact, loads_foreign


class Inner(msgspec.Struct, frozen=True):
    score: Annotated[Literal[0, 1, 2], Meta(extra={"kind": "score"})]


class Outer(msgspec.Struct, frozen=True):
    name: Annotated[str, Meta(min_length=1)]
    count: Annotated[int, Meta(ge=0, le=100)]
    share: Fraction
    inner: Inner
    tags: tuple[Literal["a", "b"], ...] = ()
    note: str | None = None


GOOD = b'{"name": "n", "count": 7, "share": 0.1, "inner": {"score": 2}}'


def problems_of(data: bytes, kind: type[msgspec.Struct] | None = None) -> list[str]:
    with pytest.raises(EvalreportError) as caught:
        decode(data, kind, where="f.json") if kind else loads_exact(data, "f.json")
    return [str(problem) for problem in caught.value.problems]


def kinds_of(data: bytes) -> set[str]:
    with pytest.raises(EvalreportError) as caught:
        loads_exact(data)
    return {problem.kind for problem in caught.value.problems}


def test_decimals_are_exact_and_never_pass_through_a_float() -> None:
    value = loads_exact(b"[0.1, 1.10, 1e-3, 12345678901234567890.5, -0.0, 2E2]")
    assert value == [
        Fraction(1, 10),
        Fraction(11, 10),
        Fraction(1, 1000),
        Fraction(24691357802469135781, 2),
        0,
        200,
    ]
    assert isinstance(value, list)
    assert not any(isinstance(one, float) for one in value)


def test_integers_beyond_64_bits_stay_what_they_are() -> None:
    assert loads_exact(b"[9223372036854775808, 18446744073709551617, -9223372036854775809]") == [
        2**63,
        2**64 + 1,
        -(2**63) - 1,
    ]


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b'{"a": 1, "a": 1}', "duplicate_key"),
        (b'{"x": {"a": 1, "b": 2, "a": 3}}', "duplicate_key"),
        (b'{"a": 1, "\\u0061": 2}', "duplicate_key"),
        (b"[NaN]", "not_finite"),
        (b"[Infinity]", "not_finite"),
        (b"[-Infinity]", "not_finite"),
        (b"1e999", "number_size"),
        (b"1e401", "number_size"),
        (b"1e-401", "number_size"),
        (b"1" * 401, "number_size"),
        (b"-" + b"1" * 5000, "number_size"),
        (b"0." + b"1" * 400, "number_size"),
        (b'{"a": [' + b" " * 49 + b"7" * 401 + b"]}", "number_size"),
        ('{"a": 1}'.encode("utf-16"), "encoding"),
        ('{"a": 1}'.encode("utf-16-le"), "encoding"),
        ('{"a": 1}'.encode("utf-32"), "encoding"),
        (b'{"a": "\xff"}', "encoding"),
        (b'"\\ud800"', "encoding"),
        (b'{"\\udc00": 1}', "encoding"),
        (b'{"a": 1', "cut"),
        (b'"abc', "cut"),
        (b"", "syntax"),
        (b" \n", "syntax"),
        (b"[1,]", "syntax"),
        (b"{'a': 1}", "syntax"),
        (b"01", "syntax"),
        (b"1 2", "syntax"),
        (b'"a\nb"', "syntax"),
        (b"[" * 100_000, "syntax"),
    ],
)
def test_what_is_no_strict_json_is_refused_by_its_kind(data: bytes, kind: str) -> None:
    assert kinds_of(data) == {kind}


def test_the_largest_numbers_allowed_are_read() -> None:
    assert loads_exact(b"1" * 400) == int("1" * 400)
    assert loads_exact(b"1e400") == 10**400
    assert loads_exact(b"1e-400") == Fraction(1, 10**400)
    assert loads_exact(b"0." + b"0" * 398 + b"1") == Fraction(1, 10**399)


def test_a_byte_order_mark_is_accepted() -> None:
    assert loads_exact(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}
    assert decode(b"\xef\xbb\xbf" + GOOD, Outer) == decode(GOOD, Outer)


def test_a_second_byte_order_mark_is_no_json() -> None:
    for read in (loads_exact, loads_foreign):
        with pytest.raises(EvalreportError, match=r"f\.json: line 1 column 1: unexpected UTF-8 BOM"):
            read(b'\xef\xbb\xbf\xef\xbb\xbf{"a": 1}', "f.json")


def test_a_duplicate_key_is_found_in_a_field_that_is_ignored() -> None:
    data = GOOD[:-1] + b', "extra": [{"k": 1, "k": 1}]}'
    assert problems_of(data, Outer) == ["f.json: $.extra[0].k stands more than once; expected every key once"]


@pytest.mark.parametrize(
    "data",
    [
        b'{"a": 1, "b": "x\\u003ay", "a": 1}',  # a colon in an escape makes up for the one of the lost key
        b'{"a": 1, "b": "x\\u003Ay", "a": 1}',
        b'{"a" :1, "b":"\\":", "a"\n:1}',
        b'{"a\\\\":1,"a\\\\":":"}',
        b'{":":1, "\\u003a":1}',
    ],
)
def test_no_colon_in_a_text_hides_a_duplicate_key(data: bytes) -> None:
    assert kinds_of(data) == {"duplicate_key"}


@pytest.mark.parametrize("last", [b"1", b"NaN"])
def test_deep_nesting_is_read_or_refused_and_never_a_crash(last: bytes) -> None:
    refused: set[str] = set()
    for depth in (10, *range(300, 1100, 7), 50_000):
        data = b'[{"a":' * (depth // 2) + last + b"}]" * (depth // 2)
        try:
            value = loads_exact(data)
        except EvalreportError as error:
            refused.update(problem.kind for problem in error.problems)
        else:
            assert (last, isinstance(value, list)) == (b"1", True)
    assert refused == ({"syntax"} if last == b"1" else {"syntax", "not_finite"})


def test_a_colon_in_an_escape_is_no_fault_by_itself() -> None:
    assert loads_exact(b'{"a": "x\\u003ay"}') == {"a": "x:y"}


def test_every_fault_is_told_at_once_with_its_path_and_value() -> None:
    data = (
        b'{"count": 101, "count": true, "share": "0.1", "inner": {"score": 3}, "tags": ["a", "c", 1],'
        b' "note": 5, "x y": NaN}'
    )
    assert problems_of(data, Outer) == [
        "f.json: $.count is true; expected an integer from 0 to 100",
        "f.json: $.count stands more than once; expected every key once",
        "f.json: $.inner.score is 3; expected 0, 1 or 2",
        "f.json: $.name is missing; expected a text that is not empty",
        "f.json: $.note is 5; expected a text or null",
        'f.json: $.share is "0.1"; expected a number',
        'f.json: $.tags[1] is "c"; expected "a" or "b"',
        'f.json: $.tags[2] is 1; expected "a" or "b"',
        'f.json: $["x y"] is NaN, which is not a number of JSON; expected a finite number',
    ]


@pytest.mark.parametrize("score", [b"true", b"1.5", b"2.0", b'"2"', b"null", b"-1", b"3", b"[]"])
def test_only_the_integers_named_are_a_score(score: bytes) -> None:
    with pytest.raises(EvalreportError) as caught:
        decode(b'{"score": ' + score + b"}", Inner)
    (problem,) = caught.value.problems
    assert (problem.kind, problem.expected) == ("score", "0, 1 or 2")


def test_a_value_is_shown_as_it_is_written() -> None:
    assert problems_of(GOOD.replace(b"7", b"70.50"), Outer) == [
        "f.json: $.count is 70.50; expected an integer from 0 to 100"
    ]


def test_a_list_in_the_place_of_an_object_is_refused() -> None:
    assert problems_of(b"[1, 2]", Outer) == ["f.json: $ is a list of 2; expected an object"]


def test_other_tools_nan_is_missing_and_listed() -> None:
    value, missing = loads_foreign(b'{"acc": NaN, "se": [1.5, -Infinity], "n": 1e999, "k": 1, "k": 2}')
    assert value == {"acc": None, "se": [Fraction(3, 2), None], "n": None, "k": 2}
    assert [path for path, _ in missing] == ["$.k", "$.acc", "$.se[1]", "$.n"]
    assert dict(missing)["$.acc"] == "is NaN, which is not a number of JSON"


def test_other_tools_broken_text_is_still_refused() -> None:
    for data in (b"{", b'"\\ud800"', "{}".encode("utf-16")):
        with pytest.raises(EvalreportError):
            loads_foreign(data)


def test_only_a_line_feed_ends_a_line() -> None:
    data = '{"a": "x\u2028y\u0085z"}\r\n\n{"a": 2}'.encode()
    assert [(number, loads_exact(line)) for number, line in lines(data)] == [
        (1, {"a": "x\u2028y\u0085z"}),
        (3, {"a": 2}),
    ]


@pytest.mark.parametrize("end", [*range(1, 25), 26])
def test_a_text_cut_anywhere_but_within_a_number_ends_too_early(end: int) -> None:
    text = b'{"name": "a\\\\b", "n": [1.5]}'
    assert loads_exact(text) == {"name": "a\\b", "n": [Fraction(3, 2)]}
    with pytest.raises(EvalreportError) as refused:
        loads_exact(text[:end])
    assert [problem.kind for problem in refused.value.problems] == ["cut"]


JSON_TEXTS = st.text(st.characters(codec="utf-8"), max_size=6) | st.sampled_from([":", '":', "\\", '"', "a"])
TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | JSON_TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.lists(st.tuples(JSON_TEXTS, inner), max_size=4).map(tuple),
    max_leaves=8,
)


def written(tree: object, escape: bool) -> str:
    """A tuple is an object whose keys may stand twice."""
    if isinstance(tree, tuple):
        return "{" + ",".join(f"{json.dumps(k, ensure_ascii=escape)} :{written(v, escape)}" for k, v in tree) + "}"
    if isinstance(tree, list):
        return "[" + ", ".join(written(one, escape) for one in tree) + "]"
    return json.dumps(tree, ensure_ascii=escape)


def repeats(tree: object) -> bool:
    if isinstance(tree, tuple):
        keys = [key for key, _ in tree]
        return len(set(keys)) < len(keys) or any(repeats(value) for _, value in tree)
    return isinstance(tree, list) and any(map(repeats, tree))


@given(TREES, st.booleans())
@settings(deadline=None, max_examples=300)
def test_a_text_is_refused_exactly_when_a_key_stands_twice(tree: object, escape: bool) -> None:
    data = written(tree, escape).encode()
    if repeats(tree):
        assert kinds_of(data) == {"duplicate_key"}
    else:
        assert loads_exact(data) == json.loads(data)


@given(
    st.binary(max_size=12)
    | st.lists(st.sampled_from('{}[]",:\\ \n01.-+eEu"atruefalsnNI'), max_size=14).map(
        lambda parts: "".join(parts).encode()
    )
)
@example(b'"\\u0000"')
@example(b'"\x7f"')
@example(b"-0")
@settings(deadline=None, max_examples=600)
def test_what_the_fast_look_vouches_for_the_slow_look_reads_alike(data: bytes) -> None:
    fine, value = strict_json._vouched(data)
    try:
        slow, faults = json_faults.look(data, "x")
    except EvalreportError:
        assert not fine
        return
    if fine:
        assert not faults
        assert slow == value
