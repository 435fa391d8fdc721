"""What a finished book refers to: every link, anchor and asset must be there, and nothing may come from outside."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

from evalreport.errors import Problem

_TEXT = {".html", ".js", ".css", ".json", ".svg", ".txt", ".xml", ".csv", ".inv", ".md"}
_OPAQUE = re.compile(r"<!--.*?-->|(<(?P<tag>script|style)\b[^>]*>).*?</(?P=tag)>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<([a-zA-Z][\w-]*)((?:\s+[^\s=>/\"']+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s>]+))?)*)\s*/?>")
_ATTRIBUTE = re.compile(r"([^\s=>/\"']+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))")
_CSS_URL = re.compile(r"""(?:url\(|@import\s+)\s*["']?([^"')\s;]+)""")
_OUTSIDE = re.compile(r"(?i)(https?:)?//")
_LINKS_THAT_LOAD_NOTHING = {"canonical", "author", "license", "next", "prev", "index", "search", "alternate", "help"}


@dataclass(frozen=True)
class _Reference:
    address: str
    loads: bool  # fetched with the page, not followed by a reader


@dataclass(frozen=True)
class _Page:
    ids: frozenset[str]
    references: tuple[_Reference, ...]
    has_error: bool


def book_problems(html: Path, *, private: str = "") -> Iterator[Problem]:
    """Why a finished book may not be published. `private` is a path of the build that must stand nowhere in it."""
    files = {file.relative_to(html).as_posix(): file for file in sorted(html.rglob("*")) if file.is_file()}
    pages = {name: _read(file) for name, file in files.items() if name.endswith(".html")}
    for name, page in pages.items():
        if page.has_error:
            yield Problem(name, "shows an error output", "pages without errors", kind="error_output")
        for reference in page.references:
            yield from _reference_problems(name, reference, files, pages)
    for name, file in files.items():
        if file.suffix not in _TEXT:
            continue
        text = file.read_text("utf-8", "replace")
        if private and private in text:
            yield Problem(name, f"holds the path {private}", "no path of this machine", kind="private_path")
        if file.suffix == ".css":
            for address in _CSS_URL.findall(text):
                yield from _reference_problems(name, _Reference(address, loads=True), files, pages)


def _read(file: Path) -> _Page:
    text = _OPAQUE.sub(lambda match: match[1] or "", file.read_text("utf-8"))
    ids: set[str] = set()
    references: list[_Reference] = []
    has_error = False
    for tag, inner in _TAG.findall(text):
        attributes = {
            name.lower(): unescape(double or single or bare) for name, double, single, bare in _ATTRIBUTE.findall(inner)
        }
        ids.update(filter(None, (attributes.get("id"), attributes.get("name") if tag == "a" else None)))
        references += _references(tag.lower(), attributes)
        has_error |= {"output", "traceback"} <= set(attributes.get("class", "").split())
    return _Page(frozenset(ids), tuple(references), has_error)


def _references(tag: str, attributes: dict[str, str]) -> Iterator[_Reference]:
    if href := attributes.get("href"):
        relations = set(attributes.get("rel", "").lower().split())
        loads = tag in {"image", "use"} or (tag == "link" and not relations & _LINKS_THAT_LOAD_NOTHING)
        yield _Reference(href, loads)
    for name in ("src", "poster", "data"):
        if (value := attributes.get(name)) and (name != "data" or tag == "object"):
            yield _Reference(value, loads=True)
    for candidate in attributes.get("srcset", "").split(","):
        if words := candidate.split():
            yield _Reference(words[0], loads=True)
    if tag == "meta" and attributes.get("http-equiv", "").lower() == "refresh":
        _, _, target = attributes.get("content", "").partition("url=")
        if target:
            yield _Reference(target, loads=False)


def _reference_problems(
    name: str, reference: _Reference, files: dict[str, Path], pages: dict[str, _Page]
) -> Iterator[Problem]:
    address = reference.address.strip()
    if _OUTSIDE.match(address):
        if reference.loads:
            yield Problem(name, f"loads {address}", "nothing from outside the book", kind="outside_request")
        return
    parts = urlsplit(address)
    if parts.scheme:
        if parts.scheme not in {"data", "mailto"}:
            yield Problem(name, f"leads to {address}", "http, https or a place in the book", kind="scheme")
        return
    target = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path))) if parts.path else name
    if parts.path.endswith("/"):
        target = posixpath.join(target, "index.html")
    if target.startswith("../"):
        return  # beside the book, such as the list of its versions
    if target not in files:
        yield Problem(name, f"leads to {address}", "a file of the book", kind="broken_link")
    elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
        yield Problem(name, f"leads to {address}", f"a place on {target}", kind="broken_anchor")
