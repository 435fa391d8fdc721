"""Whatever text goes in, the place it ends in shows that text and nothing else."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from evalreport.report.escape import (
    bdi,
    html_attribute,
    html_text,
    json_in_script,
    latex_text,
    markdown_cell,
    myst_text,
    one_line,
    url_path,
)

HOSTILE = (
    "<script>alert(1)</script>",
    '" onload="x',
    "' onload='x",
    "-->",
    "]]>",
    "a_b $c$ {d}`e` *f* [g](h) ![i](j) # k | l ~m~ \\n",
    "&lt;b&gt; &amp; &#60;",
    "    indented",
    "1. list",
    "- list",
    ":::{raw} html",
    "$$x$$",
    "(target)=",
    "{num}`x`",
    "line\nbreak\r\nand\u2028more",
    "\x00\x1b[31m\x7f\ufffe",
    "\ud800",
    "عربي ٣ <b>",
    "\u202eabc\u2066",
    "=cmd|' /C calc'!A0",
    "../../etc/passwd",
    "",
    " ",
)
texts = st.text(max_size=60) | st.text(alphabet="<>&\"'`_*[](){}$#|\\:-=+~!/.\n\r\t aé模ع\x00", max_size=40)
hostile = pytest.mark.parametrize("text", HOSTILE)


class Seen(HTMLParser):
    """What a parser makes of HTML: its text, and every element and attribute that arose."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text = ""
        self.elements: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.feed(html)
        self.close()

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, attrs))

    def handle_comment(self, data: str) -> None:
        self.elements.append(("comment", []))


@given(texts)
@settings(deadline=None)
def test_one_line_keeps_every_letter_that_can_be_seen(text: str) -> None:
    kept = one_line(text)
    assert "\n" not in kept
    assert "\r" not in kept
    assert [c for c in kept if c.isalnum()] == [c for c in text if c.isalnum()]


@given(texts)
@settings(deadline=None)
def test_text_between_tags_is_the_same_text_and_makes_no_element(text: str) -> None:
    seen = Seen(f"<p>{html_text(text)}</p>")
    assert (seen.text, [name for name, _ in seen.elements]) == (one_line(text), ["p"])


@given(texts)
@settings(deadline=None)
def test_text_in_an_attribute_is_the_same_text_and_makes_no_other_attribute(text: str) -> None:
    assert Seen(f'<p title="{html_attribute(text)}">').elements == [("p", [("title", one_line(text))])]


@given(texts)
@settings(deadline=None)
def test_a_name_is_isolated_and_otherwise_plain(text: str) -> None:
    seen = Seen(bdi(f"{text}."))
    assert (seen.text, seen.elements) == (one_line(f"{text}."), [("bdi", [])])


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (" ", "[U+0020]"),
        ("\u200b", "[U+200B]"),
        ("\u200c", "[U+200C]"),
        ("\u2028\u00a0", "[U+2028][U+00A0]"),
        ("\u3164\ufe0f", "[U+3164][U+FE0F]"),
        ("\u202e", "[U+202E]"),
        ("", ""),
        ("a\u200b", "a\u200b"),
    ],
)
def test_a_name_that_shows_nothing_is_spelled_out_so_that_its_link_can_be_followed(name: str, shown: str) -> None:
    assert bdi(name) == f"<bdi>{shown}</bdi>"


@hostile
def test_hostile_text_stays_text_in_html(text: str) -> None:
    seen = Seen(f'<p title="{html_attribute(text)}">{html_text(text)}</p>')
    assert seen.text == one_line(text)
    assert seen.elements == [("p", [("title", one_line(text))])]


@given(texts)
@settings(deadline=None)
def test_text_in_markdown_is_one_paragraph_of_the_same_text(text: str) -> None:
    seen = Seen(MarkdownIt("commonmark").enable("table").render(f"x{myst_text(text)}x"))
    assert (seen.text.rstrip("\n"), [name for name, _ in seen.elements]) == (f"x{one_line(text)}x", ["p"])


@hostile
def test_hostile_text_starts_nothing_at_the_beginning_of_a_markdown_line(text: str) -> None:
    seen = Seen(MarkdownIt("commonmark").enable("table").render(myst_text(text)))
    assert [name for name, _ in seen.elements] in (["p"], [])
    assert seen.text.strip() == one_line(text).strip()


@hostile
def test_hostile_text_in_a_markdown_table_stays_in_its_cell(text: str) -> None:
    table = f"| a | b |\n|---|---|\n| {markdown_cell(text)} | end |\n"
    seen = Seen(MarkdownIt("commonmark").enable("table").render(table))
    assert [name for name, _ in seen.elements].count("td") == 2
    assert one_line(text).strip() in seen.text


@hostile
def test_hostile_text_opens_nothing_in_latex(text: str) -> None:
    out = latex_text(text)
    for command in (r"\textbackslash{}", r"\textasciicircum{}", r"\textasciitilde{}", r"\textless{}", r"\textgreater{}",
                    r"\textbar{}", r"\textquotedbl{}", r"\textquotesingle{}", r"\textasciigrave{}", "{-}",
                    r"\{", r"\}", r"\$", r"\&", r"\%", r"\#", r"\_"):  # fmt: skip
        out = out.replace(command, "")
    assert not set(out) & set("\\{}$&%#_^~<>|\"'`\n")


def test_blanks_at_the_ends_of_a_name_stay_and_a_name_of_blanks_is_one() -> None:
    assert myst_text("  ") == "&#32;&#32;"
    assert myst_text(" a ") == "&#32;a&#32;"


@given(texts)
@settings(deadline=None)
def test_json_in_a_script_is_the_same_value_and_cannot_end_the_script(text: str) -> None:
    out = json_in_script({"name": text, "list": [text, 1, None]})
    assert json.loads(out) == {"name": text, "list": [text, 1, None]}
    assert not set(out) & set("<>&\u2028\u2029")


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40))
@settings(deadline=None)
def test_a_path_as_an_address_reads_back(text: str) -> None:
    out = url_path(text)
    assert unquote(out) == text
    assert not set(out) & set("?#&<>\"' \n")
