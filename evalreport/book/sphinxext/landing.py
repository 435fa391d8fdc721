"""Directives of pages: what this version is, the headline of each suite, how to cite, room for wide tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective
from sphinx_external_toc.api import SiteMap

from evalreport.book.sphinxext.contract import FOLDER, GENERATED, Book, TableFragment, read_book, read_fragment
from evalreport.book.sphinxext.numbered import table_node
from evalreport.report.citation import book_bibtex, suggested_citation
from evalreport.report.escape import bdi, html_attribute, html_text
from evalreport.suites import all_suites

_SETTINGS_SHOWN = {"α": "Weight α", "level": "Confidence level"}  # the footer of every page has all of them
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


class HeadlinesDirective(SphinxDirective):
    """`:::{headlines}`: a section for every suite of the book: its headline table, and which pages it has."""

    def run(self) -> list[nodes.Node]:
        """The sections in the order of the chapters; a suite without a headline does not appear."""
        pages = list(_pages_in_order(self.env))
        suites = {name: [page for page in pages if _is_overview(page, name)] for name in all_suites()}
        order = sorted(suites, key=lambda name: (pages.index(suites[name][0]) if suites[name] else len(pages), name))
        return [section for name in order for section in self._section(name, suites[name])]

    def _section(self, suite: str, pages: Sequence[str]) -> list[nodes.Node]:
        path = Path(self.env.srcdir) / FOLDER / "fragments" / f"{suite}-headline.json"
        self.env.note_dependency(str(path))
        if not path.is_file():
            return []
        fragment = read_fragment(path)
        if not isinstance(fragment, TableFragment):
            raise self.error(f"{fragment.id} is no table")
        section = nodes.section("", nodes.title("", all_suites()[suite].title), ids=[f"headline-{suite}"])
        section += table_node(self, fragment.id, fragment.title, fragment.parts)
        if pages:
            line = nodes.paragraph("", "", nodes.Text("Pages: "), classes=["er-pages"])
            for page in pages:
                if page != pages[0]:
                    line += nodes.Text(" · ")
                line += addnodes.pending_xref(
                    "", nodes.inline(), refdomain="std", reftype="doc", reftarget=f"/{page}", refexplicit=False,
                    refwarn=True, refdoc=self.env.docname,
                )  # fmt: skip
            section += line
        return [section]


def _pages_in_order(env: BuildEnvironment) -> Iterator[str]:
    """Every page in the order of the table of contents."""
    contents: SiteMap = env.external_site_map  # type: ignore[attr-defined]
    ahead = [contents.root.docname]
    while ahead:
        page = ahead.pop(0)
        yield page
        if page in contents:
            children = [str(item) for tree in contents[page].subtrees for item in tree.items]
            ahead = [child for child in children if child in contents] + ahead


def _is_overview(page: str, suite: str) -> bool:
    start = f"{GENERATED}{suite}/"
    return page.startswith(start) and "/" not in page.removeprefix(start)


class WidePageDirective(SphinxDirective):
    """`:::{wide-page}`: no column of contents, so that wide tables have its room."""

    def run(self) -> list[nodes.Node]:
        """Nothing to see."""
        self.env.metadata[self.env.docname]["html_theme.sidebar_secondary.remove"] = "true"
        return []


class BookFactsDirective(SphinxDirective):
    """`:::{book-facts}`: version, date, data and settings in one line."""

    def run(self) -> list[nodes.Node]:
        """The line."""
        facts = "".join(f"<div><dt>{html_text(n)}</dt><dd>{v}</dd></div>" for n, v in _facts(_book(self)))
        return [nodes.raw("", f'<dl class="er-meta">{facts}</dl>', format="html")]


class BookCitationDirective(SphinxDirective):
    """`:::{book-citation}`: the line to copy and the BibTeX entry of this version."""

    def run(self) -> list[nodes.Node]:
        """The line and the entry."""
        book = _book(self).cited()
        line = nodes.raw("", f'<p class="er-citeline">{html_text(suggested_citation(book))}</p>', format="html")
        return [line, nodes.literal_block(book_bibtex(book), book_bibtex(book), language="bibtex")]


def _book(directive: SphinxDirective) -> Book:
    return read_book(Path(directive.env.srcdir))


def _facts(book: Book) -> Iterator[tuple[str, str]]:
    yield "Version", html_text(book.version)
    if book.date:
        yield "Published", html_text(date_in_words(book.date))
    if book.data_sha256:
        digest = book.data_sha256
        yield "Data", f'<code title="{html_attribute(digest)}">sha256 {digest[:8]}…{digest[-4:]}</code>'
    for name, text in book.scope:
        if name in _SETTINGS_SHOWN:
            yield _SETTINGS_SHOWN[name], bdi(text)


def date_in_words(date: str) -> str:
    """A date as a reader writes it.

    >>> date_in_words("2026-11-29")
    '29 November 2026'
    """
    year, month, day = date.split("-")
    return f"{int(day)} {_MONTHS[int(month) - 1]} {year}"
