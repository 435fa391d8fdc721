"""The table of contents leads to every page that there is, and to no other."""

from __future__ import annotations

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
