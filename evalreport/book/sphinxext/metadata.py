"""What every page says about itself to machines: settings, citation, description of the data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from evalreport.book.sphinxext.contract import GENERATED, METHODOLOGY, Book, read_book
from evalreport.report.citation import stable_address
from evalreport.report.escape import Json, bdi, html_attribute, html_text, json_in_script
from evalreport.suites import all_suites


def named_settings(settings: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    """Every setting under its full name, then the short name of those on which all suites that have it agree.

    >>> list(named_settings({"a": {"level": "0.9", "x": "1"}, "b": {"level": "0.8"}}))
    [('a.level', '0.9'), ('a.x', '1'), ('b.level', '0.8'), ('x', '1')]
    """
    values: dict[str, set[str]] = defaultdict(set)
    for suite, of_suite in sorted(settings.items()):
        for name, value in sorted(of_suite.items()):
            values[name].add(value)
            yield f"{suite}.{name}", value
    yield from ((name, *found) for name, found in sorted(values.items()) if len(found) == 1)  # type: ignore[misc]


def meta_pairs(book: Book, page: str, title: str) -> list[tuple[str, str]]:
    """Name and content of every meta element of a page."""
    pairs = [
        ("generator", book.generator),
        ("evalreport:version", book.version),
        ("evalreport:date", book.date),
        ("evalreport:data-sha256", book.data_sha256),
        ("evalreport:code-version", book.code_version),
        ("evalreport:licence", book.licence),
    ]
    pairs += [(f"evalreport:{name}", value) for name, value in named_settings(book.settings)]
    pairs += [("citation_title", title or book.title)]
    pairs += [("citation_author", author) for author in book.authors]
    pairs += [("citation_publication_date", book.date.replace("-", "/")), ("citation_inbook_title", book.title)]
    if book.doi:
        pairs.append(("citation_doi", book.doi))
    if book.url:
        pairs.append(("citation_public_url", page_address(book, page)))
    return [(name, value) for name, value in pairs if value]


def page_address(book: Book, page: str) -> str:
    """The full address of a page of a published book."""
    return stable_address(book.cited(), f"{page}.html")


def described(book: Book, page: str, title: str) -> Json:
    """The page and the data of the book in the words of schema.org."""
    authors: list[Json] = [{"@type": "Organization", "name": author} for author in book.authors]
    variables: list[Json] = [
        {"@type": "PropertyValue", "name": name, "value": value} for name, value in named_settings(book.settings)
    ]
    shared: dict[str, Json] = {"author": authors, "version": book.version, "datePublished": book.date}
    if book.licence:
        shared["license"] = book.licence
    data: dict[str, Json] = {
        "@type": "Dataset",
        "@id": f"{book.url.rstrip('/')}/#data" if book.url else "#data",
        "name": book.title,
        "description": f"Evaluation results, version {book.version}, with every number beside its formula.",
        "variableMeasured": variables,
        **shared,
    }
    if book.data_sha256:
        data["identifier"] = f"sha256:{book.data_sha256}"
    article: dict[str, Json] = {
        "@type": "ScholarlyArticle",
        "headline": title or book.title,
        "isPartOf": book.title,
        "about": {"@id": data["@id"]},
        **shared,
    }
    if book.url:
        data["url"] = book.url
        article["url"] = page_address(book, page)
    return {"@context": "https://schema.org", "@graph": [data, article]}


def scope_line(book: Book, page: str) -> str:
    """The footer of a page: which book, of what data, by which code; the settings of its suite, and all of them."""
    items = [f"Book&nbsp;<b>{html_text(book.version)}</b>", html_text(book.date)]
    items += [_pair(name, text) for name, text in (("data", book.data_sha256[:8]), ("code", book.code_version)) if text]
    items += [_pair(name, text) for name, text in book.scopes.get(suite_of(page), ())]
    line = f'<p class="er-strip">{_spans(items)}</p>'
    suites = {name: pairs for name, pairs in sorted(book.scopes.items()) if pairs}
    if not suites:
        return line
    titles = all_suites()
    rows = "".join(
        f"<div><dt>{html_text(titles[name].title if name in titles else name)}</dt>"
        f"<dd>{_spans(_pair(*pair) for pair in pairs)}</dd></div>"
        for name, pairs in suites.items()
    )
    return f'{line}<details class="er-settings"><summary>All settings of this book</summary><dl>{rows}</dl></details>'


def suite_of(page: str) -> str:
    """The suite that a page belongs to, empty for a page of the whole book.

    >>> suite_of("book/_generated/debate/outcome"), suite_of("book/methodology/debate"), suite_of("book/citing")
    ('debate', 'debate', '')
    """
    for folder in (GENERATED, METHODOLOGY):
        if page.startswith(folder):
            return page.removeprefix(folder).partition("/")[0]
    return ""


def _pair(name: str, text: str) -> str:
    return f"{bdi(name)}&nbsp;{bdi(text)}"


def _spans(items: Iterable[str]) -> str:
    return " ".join(f"<span>{item}</span>" for item in items if item)


def head_elements(book: Book, page: str, title: str, *, canonical: bool = True) -> str:
    """Everything that stands in the head of a page about settings, citation and data."""
    tags = [
        f'<meta name="{html_attribute(name)}" content="{html_attribute(value)}">'
        for name, value in meta_pairs(book, page, title)
    ]
    if book.url and canonical:
        tags.append(f'<link rel="canonical" href="{html_attribute(page_address(book, page))}">')
    tags.append(f'<script type="application/ld+json">{json_in_script(described(book, page, title))}</script>')
    return "\n".join(tags)


def add_metadata(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None
) -> None:
    """Put head elements and the footer line on a page, also on those without a source such as the search."""
    book = read_book(Path(app.srcdir))
    title = app.env.titles[page].astext() if page in app.env.titles else ""
    if page == app.config.root_doc:
        title = book.title
    elements = head_elements(book, page, title, canonical=not context.get("pageurl"))
    context["metatags"] = "\n".join(filter(None, [context.get("metatags", ""), elements]))
    context["theme_extra_footer"] = scope_line(book, page)
