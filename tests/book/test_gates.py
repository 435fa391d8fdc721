"""Gates: what an executed notebook and a finished book must have, and what they may not have."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from evalreport.book.gates import notebook_problems
from evalreport.book.links import book_problems
from evalreport.book.sphinx_run import complaints
from tests.book.notebook_files import Node, notebook


def executed(*outputs: dict[str, object], count: int | None = 1) -> Node:
    node = notebook("1", parameters=None)
    node.cells[1].outputs = [nbformat.from_dict(output) for output in outputs]
    node.cells[1].execution_count = count
    return node


def told(node: Node) -> list[str]:
    return [str(problem) for problem in notebook_problems(node, "a.ipynb")]


TO_THE_END = "a notebook that runs to its end"
STREAM: dict[str, object] = {"output_type": "stream", "name": "stdout", "text": "a"}


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (
            executed({"output_type": "error", "ename": "KeyError", "evalue": "'x'\nmore", "traceback": []}),
            "a.ipynb: cell 2: KeyError: 'x'; expected a cell without an error",
        ),
        (
            executed({"output_type": "error", "ename": "SystemExit", "evalue": "0", "traceback": []}),
            f"a.ipynb: cell 2: sys.exit(0) ended the notebook before its last cell; expected {TO_THE_END}",
        ),
        (executed(count=None), "a.ipynb: cell 2: was not executed; expected every cell to run"),
        (
            executed({**STREAM, "text": "x" * 1_000_001}),
            "a.ipynb: cell 2: output cut; expected at most 1,000,000 characters of output",
        ),
        (
            executed({"output_type": "display_data", "data": {"image/png": "x" * 1_000_001}, "metadata": {}}),
            "a.ipynb: cell 2: output cut; expected at most 1,000,000 characters of output",
        ),
    ],
)
def test_a_notebook_with_a_fault_is_no_page(node: Node, message: str) -> None:
    assert told(node) == [message]


def test_a_notebook_that_ran_is_a_page_also_with_an_empty_cell() -> None:
    node = executed(STREAM)
    node.cells.append(nbformat.v4.new_code_cell(" \n"))
    assert told(node) == []


def site(folder: Path, **pages: str) -> Path:
    for name, body in pages.items():
        path = folder / f"{name.replace('__', '/')}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"<html><body>{body}</body></html>", "utf-8")
    return folder


def problems(folder: Path, private: str = "") -> list[str]:
    return [str(problem) for problem in book_problems(folder, private=private)]


@pytest.mark.parametrize(
    "body",
    [
        '<a href="https://example.org/">followed by a reader, not loaded</a>',
        "<a href=\"b/c.html#here\">x</a> <a href='b/c.html'>x</a> <a href=b/c.html>x</a>",
        '<a href="#top" id="top">x</a> <a href="">x</a>',
        '<a href="../versions.json">beside the book</a>',
        '<a href="b/">a folder</a>',
        '<img src="data:image/png;base64,AAAA" alt="">',
        '<link rel="canonical" href="https://example.org/a.html">',
        '<script>var x = "<a href=\'nowhere.html\'>";</script><!-- <img src="nowhere.png"> -->',
        '<a href="mailto:a@example.org">x</a>',
    ],
)
def test_references_within_the_book_and_links_that_load_nothing_pass(tmp_path: Path, body: str) -> None:
    site(tmp_path, a=body, b__c='<h1 id="here">x</h1>', b__index="x")
    assert problems(tmp_path) == []


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('<a href="b.html">x</a>', "leads to b.html; expected a file of the book"),
        ('<a title="1 > 0" href="b.html">x</a>', "leads to b.html; expected a file of the book"),
        ('<a href="b/c.html#there">x</a>', "leads to b/c.html#there; expected a place on b/c.html"),
        ('<a href="#there">x</a>', "leads to #there; expected a place on a.html"),
        ('<img src="x.png" alt="">', "leads to x.png; expected a file of the book"),
        ('<img srcset="x.png 2x, y.png 3x" alt="">', "leads to x.png; expected a file of the book"),
        ('<script src="https://example.org/x.js"></script>', "loads https://example.org/x.js; expected nothing from"),
        ('<link rel="stylesheet" href="//example.org/x.css">', "loads //example.org/x.css; expected nothing from"),
        ('<img src="HTTPS://example.org/x.png" alt="">', "loads HTTPS://example.org/x.png; expected nothing from"),
        ('<a href="javascript:alert(1)">x</a>', "leads to javascript:alert(1); expected http, https or a place"),
        ('<meta http-equiv="refresh" content="0; url=gone.html">', "leads to gone.html; expected a file of the book"),
        ('<div class="output traceback highlight">x</div>', "shows an error output; expected pages without errors"),
    ],
)
def test_a_page_that_leads_nowhere_or_outside_is_refused(tmp_path: Path, body: str, message: str) -> None:
    site(tmp_path, a=body, b__c='<h1 id="here">x</h1>')
    assert problems(tmp_path)[0].startswith(f"a.html: {message}")


def test_a_style_sheet_may_not_load_from_outside(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("@import 'https://example.org/a.css'; b { background: url(none.png) }", "utf-8")
    assert problems(tmp_path) == [
        "a.css: loads https://example.org/a.css; expected nothing from outside the book",
        "a.css: leads to none.png; expected a file of the book",
    ]


def test_a_path_of_the_machine_may_not_stand_in_the_book(tmp_path: Path) -> None:
    (tmp_path / "searchindex.js").write_text('{"a": "/home/somebody/book"}', "utf-8")
    assert problems(tmp_path, "/home/somebody") == [
        "searchindex.js: holds the path /home/somebody; expected no path of this machine"
    ]


def test_the_complaints_of_sphinx_are_told_by_page() -> None:
    log = (
        "reading sources... [ 50%] book/a\n"
        "/src/book/a.md:3: WARNING: undefined label: 'x' [ref.ref]\n"
        "/src/book/b.ipynb:10002: ERROR: Unknown directive type: 'y' [myst]\n"
        "WARNING: the toctree is odd\n"
    )
    assert [str(problem) for problem in complaints(log, Path("/src"))] == [
        "book/a.md:3: undefined label: 'x' [ref.ref]",
        "book/b.ipynb:10002: Unknown directive type: 'y' [myst]",
        "the book: the toctree is odd",
    ]


def test_when_sphinx_breaks_its_last_lines_are_told() -> None:
    (problem,) = complaints("one\nTypeError: x\n\n", Path("/src"))
    assert str(problem) == "Sphinx: one\nTypeError: x; expected a book"
