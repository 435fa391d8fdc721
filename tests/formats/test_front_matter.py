"""The JSON block of a Markdown file: which block it is, where it ends, and what is refused."""

from __future__ import annotations

import pytest

from evalreport.errors import EvalreportError
from evalreport.formats.front_matter import json_block


def block(*lines: str) -> list[str]:
    """The lines of the block without the empty ones that stand for what is before it."""
    return json_block("\n".join(lines).encode(), "g.md").decode().lstrip("\n").splitlines()


def test_a_fence_ends_with_its_own_sign_and_no_other() -> None:
    assert block("```json", '{"a":', "~~~", "1}", "```") == ['{"a":', "~~~", "1}"]
    assert block("~~~json", '{"a":', "```", "1}", "~~~") == ['{"a":', "```", "1}"]


def test_a_longer_fence_is_not_ended_by_a_shorter_one_but_by_a_longer_one() -> None:
    assert block("````json", "```", "1", "`````", "2") == ["```", "1"]


def test_a_block_of_another_kind_hides_what_stands_in_it() -> None:
    assert block("```text", "~~~json", "0", "~~~", "```", "``` JSON", "1", "```") == ["1"]


def test_front_matter_is_passed_over_and_lines_keep_their_numbers() -> None:
    found = json_block(b"---\nfence: |\n  ```json\n---\n\n```json\n1\n```\n", "g.md")
    assert found == b"\n" * 6 + b"1\n"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("---\na: 1\n```json\n1\n```\n", "opens a front matter that is never closed"),
        ("words\n```json\n1\n~~~\n", "has a json block from line 2 on that is never closed"),
        ("```text\n```json\n1\n", "has no json block"),
        ("", "has no json block"),
    ],
)
def test_what_is_never_closed_or_not_there_is_told(text: str, what: str) -> None:
    with pytest.raises(EvalreportError, match=f"^g.md: {what}"):
        json_block(text.encode(), "g.md")
