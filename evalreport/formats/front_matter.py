"""Markdown with YAML front matter and one JSON block: the form of a case's gold."""

from __future__ import annotations

import re

from evalreport.errors import EvalreportError, Problem
from evalreport.formats.json_faults import text_of

_OPEN = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n`]*")


def json_block(data: bytes, where: str) -> bytes:
    """The first fenced block marked `json` after the front matter (which may be absent).

    The lines before it are kept as empty lines, so that a fault in the JSON text is told with its line in the file.
    Raises `EvalreportError` when the front matter or the block is never closed, or when there is no such block.

    >>> json_block(b'---\\nversion: 1\\n---\\n```json\\n{"floor": 7}\\n```\\n', "a_gold.md")
    b'\\n\\n\\n\\n{"floor": 7}\\n'
    """
    lines = [line.removesuffix("\r") for line in text_of(data, where).split("\n")]
    at = _front_matter_end(lines, where)
    while at < len(lines):
        opening = _OPEN.fullmatch(lines[at])
        at += 1
        if opening is None:
            continue
        start = at
        while at < len(lines) and not _closes(lines[at], opening[1]):
            at += 1
        if opening[2].lower() == "json":
            if at == len(lines):
                raise _no_block(where, f"has a json block from line {start} on that is never closed")
            return ("\n" * start + "".join(f"{line}\n" for line in lines[start:at])).encode()
        at += 1
    raise _no_block(where, "has no json block")


def _front_matter_end(lines: list[str], where: str) -> int:
    if lines[0].rstrip() != "---":
        return 0
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() in ("---", "..."):
            return number + 1
    raise EvalreportError(Problem(where, "opens a front matter that is never closed", "a line ---", "front_matter"))


def _closes(line: str, fence: str) -> bool:
    line = line.strip()
    return len(line) >= len(fence) and set(line) == {fence[0]}


def _no_block(where: str, what: str) -> EvalreportError:
    return EvalreportError(Problem(where, what, "a block between ```json and ```", "json_block"))
