"""The way in for all YAML: text, lists and mappings, every key once, nothing that refers to anything else.

A scalar stays the text that is written: a version 1.10 must not become 1.1, and `no` must not become false.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from evalreport.errors import EvalreportError, Problem, Problems
from evalreport.formats.json_faults import text_of

_SURROGATE = re.compile("[\ud800-\udfff]")


class _PlainLoader(yaml.BaseLoader):
    """Leaves every scalar a text and follows no alias: a short text could stand for one that fills the memory."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.MarkedYAMLError(problem="an alias, which is not followed", problem_mark=mark)
        return super().compose_node(parent, index)


def loads_plain(data: bytes, where: str = "YAML") -> object:
    """The value of a YAML text (JSON is YAML too): texts, lists and mappings with text as keys; None for an empty one.

    Raises `EvalreportError` for what is no YAML, and with every key that stands twice or is no text, every half
    character, aliases, more than one document, another encoding than UTF-8 (a byte order mark is accepted).

    >>> loads_plain(b"version: 1.10\\nparts: [no, 007]")
    {'version': '1.10', 'parts': ['no', '007']}
    >>> loads_plain(b"a: 1\\nb: {c: 2, c: 3}\\na: 4", "x.yml")
    Traceback (most recent call last):
    evalreport.errors.EvalreportError: x.yml: line 2: the key 'c' stands more than once; expected every key once
    x.yml: line 3: the key 'a' stands more than once; expected every key once
    """
    text = text_of(data, where)
    try:
        loader = _PlainLoader(text)
        node = loader.get_single_node()
        if node is None:
            return None
        problems = Problems()
        problems.extend(Problem(where, *fault) for fault in _faults(node))
        problems.check()
        value: Any = loader.construct_document(node)
    except RecursionError:
        raise EvalreportError(Problem(where, "is nested too deeply", "a few levels", "syntax")) from None
    except yaml.YAMLError as error:
        raise EvalreportError(Problem(where, _fault(error), "YAML", "syntax")) from None
    return value


def _faults(node: yaml.Node) -> Iterator[tuple[str, str, str]]:
    line = f"line {node.start_mark.line + 1}: "
    if isinstance(node, yaml.ScalarNode) and _SURROGATE.search(node.value):
        yield f"{line}{node.value!a} holds half a character", "whole characters", "encoding"
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _faults(item)
    elif isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            line = f"line {key.start_mark.line + 1}: "
            if not isinstance(key, yaml.ScalarNode):
                yield f"{line}a key is no text", "a text", "syntax"
            elif key.value in seen:
                yield f"{line}the key {key.value!r} stands more than once", "every key once", "duplicate_key"
            else:
                seen.add(key.value)
            yield from _faults(key)
            yield from _faults(value)


def _fault(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    told = getattr(error, "problem", None) or getattr(error, "reason", None) or "is no YAML"
    return f"line {mark.line + 1}: {told}" if mark else str(told)
