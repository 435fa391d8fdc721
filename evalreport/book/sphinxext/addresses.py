"""From a target as tables write it (`benchmark/audit/x#pass-rate`) to an address on this page, checked."""

from __future__ import annotations

import re
from collections.abc import Iterable

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

from evalreport.book.sphinxext.contract import EXTRA, GENERATED
from evalreport.report.escape import url_path

LOG = logging.getLogger(__name__)
_FULL = re.compile(r"https?://[^\s]+")
_ID = re.compile(r'\bid="([^"]+)"')
_FILES = ("data/", "figures/")


def anchors(env: BuildEnvironment) -> dict[str, set[str]]:
    """The places on each page that an address may name, as far as pages were read in this build."""
    found: dict[str, set[str]] = env.__dict__.setdefault("evalreport_anchors", {})
    return found


def note_anchors(app: Sphinx, doctree: nodes.document) -> None:
    """Remember every id of a page once it is read."""
    ids: set[str] = set()
    for node in doctree.findall(nodes.Element):
        ids.update(node["ids"])
        for text in node.attributes.get("html_parts", ()):
            ids.update(_ID.findall(text))
        if isinstance(node, nodes.raw):
            ids.update(_ID.findall(node.astext()))
    anchors(app.env)[app.env.docname] = ids


def forget_anchors(_app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget a page that is read again."""
    anchors(env).pop(docname, None)


def to_root(docname: str) -> str:
    """The way from a page to the root of the book.

    >>> to_root("book/audit/x"), to_root("genindex")
    ('../../', '')
    """
    return "../" * docname.count("/")


def address(builder: Builder, target: str) -> str:
    """The address on the page that is being written; a warning (which stops a strict build) when it leads nowhere."""
    here = builder.env.docname if not hasattr(builder, "current_docname") else builder.current_docname
    if _FULL.fullmatch(target):
        return target
    page, mark, fragment = target.partition("#")
    if page.startswith(_FILES):
        if not (builder.srcdir / EXTRA / page).is_file():
            LOG.warning("%s: there is no file %s beside the book", here, page)
        return to_root(here) + url_path(page)
    found = _docname(builder.env.found_docs, page, here)
    if found is None:
        LOG.warning("%s: there is no page %r to lead to", here, page)
        return "#"
    known = anchors(builder.env).get(found)
    if fragment and known is not None and fragment not in known:
        LOG.warning("%s: page %s has no place %r", here, found, fragment)
    way = "" if found == here and fragment else builder.get_relative_uri(here, found)
    return f"{way}{mark}{url_path(fragment)}"


def _docname(known: Iterable[str], page: str, here: str) -> str | None:
    if not page:
        return here
    docs = set(known) if not isinstance(known, set) else known
    return next((name for name in (GENERATED + page, page) if name in docs), None)
