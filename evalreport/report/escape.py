"""One escape function for each place where text of strangers ends. Text in, text for that place out, nothing else.

What no page can show as it is (control characters, lone surrogates) becomes a visible sign; a line break becomes a
space, because in every one of these places a break could end the place itself.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import TypeAlias
from unicodedata import bidirectional
from urllib.parse import quote

from evalreport.core.escape import latex_text as latex_text
from evalreport.core.escape import markdown_cell as markdown_cell
from evalreport.core.escape import myst_text as myst_text
from evalreport.core.escape import one_line as one_line
from evalreport.core.escape import seen as seen

Json: TypeAlias = str | int | float | bool | Sequence["Json"] | Mapping[str, "Json"] | None

_TURNING = frozenset(("R", "AL", "AN", "LRE", "LRO", "RLE", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"))


def html_text(text: str) -> str:
    """Text between tags.

    >>> html_text("<b> & co")
    '&lt;b&gt; &amp; co'
    """
    return escape(one_line(text), quote=False)


def html_attribute(text: str) -> str:
    """Text inside a quoted attribute, without the quotes.

    >>> html_attribute('a" onload="x')
    'a&quot; onload=&quot;x'
    """
    return escape(one_line(text), quote=True)


def bdi(text: str) -> str:
    """A name between tags, kept from turning the text around it: right-to-left letters stay inside.

    A name that shows nothing is spelled out, or nobody could see it or follow its link.

    >>> bdi("a<b"), bdi(" ")
    ('<bdi>a&lt;b</bdi>', '<bdi>[U+0020]</bdi>')
    """
    return f"<bdi>{html_text(seen(text))}</bdi>"


def isolated(text: str) -> str:
    """Words between tags that may hold names: isolated when they would turn the text around them, else plain.

    >>> isolated("plain"), isolated("\\u202eabc") == bdi("\\u202eabc")
    ('plain', True)
    """
    turns = not text.isascii() and any(bidirectional(c) in _TURNING for c in text)
    return bdi(text) if turns else html_text(text)


def url_path(path: str) -> str:
    """A relative path as an address: each part is quoted, the slashes stay.

    >>> url_path("a b/ü#1.csv")
    'a%20b/%C3%BC%231.csv'
    """
    return "/".join(quote(part.encode("utf-8", "replace"), safe="~-._") for part in path.split("/"))


def json_in_script(value: Json) -> str:
    """JSON inside a script element: it cannot end the element, open a comment, or hold a line separator.

    >>> json_in_script({"name": "</script><!--"})
    '{"name": "\\\\u003c/script\\\\u003e\\\\u003c!--"}'
    """
    text = json.dumps(value, ensure_ascii=True, sort_keys=True, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
