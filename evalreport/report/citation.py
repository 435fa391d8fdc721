"""How a version of the book, or one figure of it, is cited: BibTeX, CITATION.cff, and a line to copy."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from evalreport.report.escape import latex_text, one_line, url_path

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DATE = re.compile(r"(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
_SPDX = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]*")


@dataclass(frozen=True)
class Cited:
    """What a citation says of one version of a book. `date` is `2026-11-29` or empty; `notes` such as "alpha 0.5"."""

    title: str
    authors: tuple[str, ...]
    version: str
    date: str = ""
    url: str = ""
    licence: str = ""
    notes: tuple[str, ...] = ()
    doi: str = ""


def cited_notes(scope: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """What a citation adds about data and settings: the pairs of the footer line as words.

    >>> cited_notes([("data", "3f9ac7e1"), ("α", "0.5"), ("code", "1.0")])
    ('data 3f9ac7e1', 'alpha 0.5')
    """
    names = {"data": "data", "α": "alpha"}
    return tuple(f"{names[name]} {text}" for name, text in scope if name in names)


def stable_address(book: Cited, path: str = "") -> str:
    """Where this version keeps a file; without a published place, the path in the book."""
    base = quote(one_line(book.url), safe=":/?#[]@!$&'()*+,;=~-._%").rstrip("/")
    return f"{base}/{url_path(path)}" if base else url_path(path)


def book_bibtex(book: Cited) -> str:
    """The BibTeX entry of this version of the book.

    >>> print(book_bibtex(Cited("Results of 50%", ("The Example Benchmark Group",), "1.2.0", "2026-11-29")))
    @misc{results-of-50-1.2.0,
      title   = {Results of 50\\%},
      author  = {{The Example Benchmark Group}},
      year    = {2026},
      month   = nov,
      version = {1.2.0}
    }
    """
    return _entry(book, _key(book.title, book.version), book.title, "")


def figure_bibtex(book: Cited, figure_id: str, *, finding: str) -> str:
    """The BibTeX entry of one figure: its finding is the title, its stable address the URL."""
    key = _key(book.title, book.version, figure_id)
    return _entry(book, key, finding, f"figures/{figure_id}.svg")


def _entry(book: Cited, key: str, title: str, path: str) -> str:
    fields = {"title": f"{{{_braced(title)}}}"}
    if book.authors:
        fields["author"] = "{" + " and ".join(f"{{{_braced(a)}}}" for a in book.authors) + "}"
    if found := _DATE.fullmatch(book.date):
        fields |= {"year": f"{{{found[1]}}}", "month": _MONTHS[int(found[2]) - 1]}
    if path:
        fields["howpublished"] = f"{{{_braced(book.title)}}}"
    fields["version"] = f"{{{_braced(book.version)}}}"
    if book.url:
        fields["url"] = f"{{{stable_address(book, path)}}}"
    if book.doi and not path:
        fields["doi"] = f"{{{_braced(book.doi)}}}"
    if book.notes:
        fields["note"] = "{" + "; ".join(map(_braced, book.notes)) + "}"
    width = max(map(len, fields))
    return f"@misc{{{key},\n" + ",\n".join(f"  {k:<{width}} = {v}" for k, v in fields.items()) + "\n}"


def _braced(text: str) -> str:
    r"""Text inside a braced field.

    BibTeX counts braces also behind a backslash, so those of the text are written as words. A hyphen is safe there.

    >>> _braced("{a-b")
    '\\textbraceleft{}a-b'
    """
    words = latex_text(text).replace("{-}", "-")
    return words.replace(r"\{", r"\textbraceleft{}").replace(r"\}", r"\textbraceright{}")


def _key(*parts: str) -> str:
    """A citation key: letters, digits, points and hyphens, whatever the parts hold.

    >>> _key("My {book}, 2nd", "1.0", "rank-alpha")
    'my-book-2nd-1.0-rank-alpha'
    """
    kept = [re.sub(r"[^a-z0-9.]+", "-", part.lower()).strip("-.") for part in parts]
    return "-".join(part for part in kept if part) or "book"


def citation_cff(book: Cited) -> str:
    """The file CITATION.cff (version 1.2.0 of the format): every text is a quoted YAML scalar on one line."""
    lines = [
        "cff-version: 1.2.0",
        'message: "If you use these results, please cite this version of them."',
        "type: dataset",
        f"title: {_quoted(book.title)}",
        "authors:",
        *(f"  - name: {_quoted(author)}" for author in book.authors or (book.title,)),
        f"version: {_quoted(book.version)}",
    ]
    if _DATE.fullmatch(book.date):
        lines.append(f"date-released: {_quoted(book.date)}")
    if book.url:
        lines.append(f"url: {_quoted(stable_address(book))}")
    if book.doi:
        lines.append(f"doi: {_quoted(book.doi)}")
    if _SPDX.fullmatch(book.licence):
        lines.append(f"license: {_quoted(book.licence)}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(one_line(text), ensure_ascii=False)


def suggested_citation(book: Cited) -> str:
    """One line to copy, as plain text.

    >>> suggested_citation(Cited("Results", ("A Group", "B Group"), "1.2.0", "2026-11-29", "https://example.org/1.2.0"))
    'A Group; B Group (2026). Results, version 1.2.0. https://example.org/1.2.0/'
    """
    found = _DATE.fullmatch(book.date)
    who = "; ".join(map(one_line, book.authors))
    when = f" ({found[1]})" if found else ""
    start = f"{who}{when}. " if who else ""
    where = f" https://doi.org/{one_line(book.doi)}" if book.doi else f" {stable_address(book)}" if book.url else ""
    return f"{start}{one_line(book.title)}, version {one_line(book.version)}.{where}"
