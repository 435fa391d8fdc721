"""YAML as plain text, lists and mappings; everything else is refused with its line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalreport.errors import EvalreportError
from evalreport.formats.plain_yaml import loads_plain

# Line breaks of other kinds and what YAML lets nobody write raw would be another text, not another value.
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cn", "Co", "Zl", "Zp")), max_size=6)
TREE = st.recursive(
    TEXT, lambda part: st.lists(part, max_size=3) | st.dictionaries(TEXT, part, max_size=3), max_leaves=8
)


def problems(data: bytes) -> list[tuple[str, str]]:
    with pytest.raises(EvalreportError) as refused:
        loads_plain(data, "x.yml")
    return [(problem.kind, problem.what) for problem in refused.value.problems]


@settings(deadline=None, max_examples=60)
@given(TREE)
def test_a_tree_of_texts_is_read_as_it_was_written(tree: object) -> None:
    assert loads_plain(json.dumps(tree, ensure_ascii=False).encode()) == tree


@pytest.mark.parametrize("text", ["1.10", "007", "no", "null", "~", "2024-02-30", "1e400", ".nan", "<<", "=", "0x1F"])
def test_a_scalar_stays_the_text_that_is_written(text: str) -> None:
    assert loads_plain(f"a: {text}".encode()) == {"a": text}


def test_an_empty_text_has_no_value_and_a_byte_order_mark_is_accepted() -> None:
    assert loads_plain(b"# nothing\n") is None
    assert loads_plain(b"\xef\xbb\xbfa: b\r\n") == {"a": "b"}


def test_every_second_key_is_told_with_its_line_however_it_is_written() -> None:
    data = b"a: 1\nb:\n- {c: 1, \"c\": 2}\n- {c: 1}\n'a': 2\na: 3\n"
    assert problems(data) == [
        ("duplicate_key", "line 3: the key 'c' stands more than once"),
        ("duplicate_key", "line 5: the key 'a' stands more than once"),
        ("duplicate_key", "line 6: the key 'a' stands more than once"),
    ]


@pytest.mark.parametrize(
    ("data", "kind", "told"),
    [
        (b"a: &x [b]\nc: *x", "syntax", "line 2: an alias, which is not followed"),
        (b"a: &x [*x]", "syntax", "line 1: an alias, which is not followed"),
        (b"? [a]\n: b", "syntax", "line 1: a key is no text"),
        (b"a: [", "syntax", "line 1: "),
        (b"a: b\n---\na: b", "syntax", "line 2: but found another document"),
        (b"name: \x00", "syntax", "special characters are not allowed"),
        (b"a:\n  - b\n\tc: d", "syntax", "line 3: "),
        (b"a: " + 5000 * b"[", "syntax", "is nested too deeply"),
        (b"a: " + 900 * b"[" + 900 * b"]", "syntax", "is nested too deeply"),
        (b'a: "\\ud800"', "encoding", "line 1: '\\ud800' holds half a character"),
        (b'"\\udfff": b', "encoding", "line 1: '\\udfff' holds half a character"),
        ("a: é".encode("latin-1"), "encoding", "byte 3 is 0xe9, which is not UTF-8 here"),
        ("a: b".encode("utf-16"), "encoding", "is UTF-16 or UTF-32"),
    ],
)
def test_what_is_no_plain_yaml_is_refused_by_its_kind(data: bytes, kind: str, told: str) -> None:
    (found,) = problems(data)
    assert found[0] == kind
    assert found[1].startswith(told)
