"""Directives of pages: what this version is, the headline of each suite, how to cite, room for wide tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from evalreport.book.sphinxext.contract import FOLDER, Book, TableFragment, read_book, read_fragment
from evalreport.book.sphinxext.numbered import table_node
from evalreport.report.citation import book_bibtex, suggested_citation
from evalreport.report.escape import bdi, html_attribute, html_text
from evalreport.suites import all_suites

_SETTINGS_SHOWN = 4  # the footer of every page has all of them
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


class HeadlinesDirective(SphinxDirective):
    """`:::{headlines}`: the headline table of every suite of the book, in the order of their names."""

    def run(self) -> list[nodes.Node]:
        """The numbered tables; a suite without one does not appear."""
        found: list[nodes.Node] = []
        for suite in sorted(all_suites()):
            path = Path(self.env.srcdir) / FOLDER / "fragments" / f"{suite}-headline.json"
            self.env.note_dependency(str(path))
            if path.is_file():
                fragment = read_fragment(path)
                if not isinstance(fragment, TableFragment):
                    raise self.error(f"{fragment.id} is no table")
                found.append(table_node(self, fragment.id, fragment.title, fragment.parts))
        return found


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
    settings = [pair for pair in book.scope if pair[0] not in {"data", "code"}]
    for name, text in settings[:_SETTINGS_SHOWN]:
        yield name, bdi(text)


def date_in_words(date: str) -> str:
    """A date as a reader writes it.

    >>> date_in_words("2026-11-29")
    '29 November 2026'
    """
    year, month, day = date.split("-")
    return f"{int(day)} {_MONTHS[int(month) - 1]} {year}"
