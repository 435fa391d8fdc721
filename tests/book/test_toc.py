"""The table of contents leads to every page that there is, and to no other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import yaml

from evalreport.book.toc import Pages, resolved
from evalreport.errors import EvalreportError

PAGES = Pages(
    ["book/_generated/toy/z", "book/_generated/toy/a", "book/_generated/toy/subject/b", "book/_generated/data"],
    ["book/intro", "book/methodology/other", "book/methodology/toy"],
)


def toc(*chapters: object, pages: Pages = PAGES) -> object:
    text = yaml.safe_dump({"format": "jb-book", "root": "book/intro", "chapters": list(chapters)})
    return yaml.safe_load(resolved(text, pages, absent=["other"]))


REST: tuple[object, ...] = ({"glob": "book/_generated/*/*/*"}, {"file": "book/_generated/data"})


def test_a_glob_takes_pages_in_the_order_of_their_suite_and_does_not_reach_over_a_slash() -> None:
    assert toc({"glob": "book/_generated/*/*"}, *REST) == {
        "format": "jb-book",
        "root": "book/intro",
        "chapters": [
            {"file": "book/_generated/toy/z"},
            {"file": "book/_generated/toy/a"},
            {"file": "book/_generated/toy/subject/b"},
            {"file": "book/_generated/data"},
        ],
    }


def test_a_glob_leaves_out_pages_that_another_entry_names() -> None:
    chapters = ({"glob": "book/_generated/*/*"}, {"file": "book/_generated/toy/z", "title": "Z"}, *REST)
    assert toc(*chapters) == toc({"file": "book/_generated/toy/a"}, *chapters[1:])


def test_a_glob_leaves_out_the_root() -> None:
    chapters = ({"glob": "book/_generated/*/*"}, *REST)
    assert toc(*chapters, {"glob": "book/*"}) == toc(*chapters)


def test_pages_and_methodology_of_a_suite_that_the_book_does_not_have_are_left_out() -> None:
    chapters = (
        {"file": "book/_generated/other/overview", "sections": [{"glob": "book/_generated/other/x/*"}]},
        {"glob": "book/methodology/*"},
        {"glob": "book/_generated/*/*"},
        *REST,
    )
    assert toc(*chapters) == toc({"file": "book/methodology/toy"}, *chapters[2:])


def test_a_part_without_pages_is_left_out() -> None:
    parts = [
        {"caption": "None", "chapters": [{"glob": "book/nothing/*"}]},
        {"caption": "All", "chapters": [{"glob": "book/_generated/*/*"}, *REST]},
    ]
    text = yaml.safe_dump({"format": "jb-book", "root": "book/intro", "parts": parts})
    found = yaml.safe_load(resolved(text, PAGES, absent=[]))
    assert [part["caption"] for part in found["parts"]] == ["All"]


@pytest.mark.parametrize(
    ("content", "last"),
    [
        ({"format": "jb-book", "chapters": [{"glob": "book/_generated/*"}]}, lambda found: found["chapters"]),
        (
            {"format": "jb-book", "parts": [{"caption": "All", "chapters": [{"glob": "book/_generated/*"}]}]},
            lambda found: found["parts"][-1]["chapters"],
        ),
        ({"format": "jb-article", "sections": [{"glob": "book/_generated/*"}]}, lambda found: found["sections"]),
        ({"subtrees": [{"entries": [{"glob": "book/_generated/*"}]}]}, lambda found: found["subtrees"][-1]["entries"]),
    ],
)
def test_a_page_that_must_be_reached_follows_on_the_last_chapter(
    content: dict[str, object], last: Callable[[dict[str, Any]], list[object]]
) -> None:
    pages = Pages(["book/_generated/data"], ["book/intro", "book/changes"], last=["book/changes"])
    text = yaml.safe_dump({"root": "book/intro", **content})
    assert last(yaml.safe_load(resolved(text, pages, absent=[])))[-1] == {"file": "book/changes"}


def test_a_page_that_must_be_reached_is_the_first_chapter_where_there_is_none() -> None:
    for kind, key in (("jb-book", "chapters"), ("jb-article", "sections")):
        text = yaml.safe_dump({"format": kind, "root": "book/intro"})
        found = yaml.safe_load(resolved(text, Pages([], ["book/intro", "book/new"], last=["book/new"]), absent=[]))
        assert found[key] == [{"file": "book/new"}]


def test_a_page_that_must_be_reached_stays_where_an_entry_names_it() -> None:
    pages = Pages(PAGES.generated, [*PAGES.written, "book/changes"], last=["book/changes"])
    chapters = ({"file": "book/changes"}, {"glob": "book/_generated/*/*"}, *REST)
    found = toc(*chapters, pages=pages)
    assert str(found).count("book/changes") == 1


@pytest.mark.parametrize(
    ("chapters", "message"),
    [
        (
            ({"file": "book/_generated/toy/zz"}, {"glob": "book/_generated/*/*"}, *REST),
            "names the page book/_generated/toy/zz; expected 'book/_generated/toy/z'",
        ),
        (
            ({"file": "book/intro"}, {"glob": "book/_generated/*/*"}, *REST),
            "names the page book/intro twice; expected each page once",
        ),
        (REST, "does not lead to book/_generated/toy/a; expected an entry for each page"),
        (("book/intro", {"glob": "book/_generated/*/*"}, *REST), "holds 'book/intro'; expected file:, glob: or url:"),
    ],
)
def test_a_contents_that_misses_or_repeats_a_page_is_refused(chapters: tuple[object, ...], message: str) -> None:
    with pytest.raises(EvalreportError) as caught:
        toc(*chapters)
    assert any(line.startswith(f"_toc.yml: {message}") for line in str(caught.value).splitlines())


@pytest.mark.parametrize("text", ["- a", "root: [", "format: jb-book"])
def test_a_contents_without_a_root_is_refused(text: str) -> None:
    with pytest.raises(EvalreportError, match=r"^_toc\.yml: "):
        resolved(text, PAGES, absent=[])
