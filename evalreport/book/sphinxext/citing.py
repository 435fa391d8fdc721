"""How the book and a figure of it are cited."""

from __future__ import annotations

import re

from evalreport.book.sphinxext.contract import Book
from evalreport.report.escape import latex_text

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def stable_address(book: Book, path: str) -> str:
    """Where this version keeps a file for ever; without a published place, its path in the book."""
    return f"{book.url.rstrip('/')}/{path}" if book.url else path


def bibtex(book: Book, *, key: str, title: str, path: str) -> str:
    """A BibTeX entry for one thing in the book."""
    year, _, rest = book.date.partition("-")
    month = rest.partition("-")[0]
    name = re.sub(r"[^a-z0-9]+", "-", book.title.lower()).strip("-")
    authors = " and ".join(f"{{{latex_text(author)}}}" for author in book.authors)
    note = "; ".join(
        [f"data sha256 {book.data_sha256[:8]}"] * bool(book.data_sha256)
        + [
            f"{suite} {key} {values[key]}"
            for suite, values in sorted(book.settings.items())
            for key in ("alpha",)
            if key in values
        ]
    )
    fields = [("title", f"{{{latex_text(title)}}}"), ("author", f"{{{authors}}}")]
    if year.isdigit():
        fields.append(("year", f"{{{year}}}"))
    if month.isdigit() and 1 <= int(month) <= 12:
        fields.append(("month", _MONTHS[int(month) - 1]))
    fields.append(("howpublished", f"{{{latex_text(book.title)}, version {latex_text(book.version)}}}"))
    if book.url:
        fields.append(("url", f"{{{stable_address(book, path)}}}"))
    if note:
        fields.append(("note", f"{{{latex_text(note)}}}"))
    width = max(len(field) for field, _ in fields)
    body = ",\n".join(f"  {field:<{width}} = {value}" for field, value in fields)
    return f"@misc{{{name}-{book.version}-{key},\n{body}\n}}"
