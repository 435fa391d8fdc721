"""Escape functions of the text files that suites write: Markdown and LaTeX. Text in, text for that place out.

What cannot be shown as it is (control characters, lone surrogates) becomes a visible sign; a line break becomes a
space, because in every one of these places a break could end the place itself.
"""

from __future__ import annotations

import re
from unicodedata import category

_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and a pattern without a stroke
_BREAKS = re.compile("\r\n|[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")
_UNSEEN = {c: 0x2400 + c for c in range(0x20)} | {0x7F: 0x2421} | dict.fromkeys(range(0x80, 0xA0), 0xFFFD)
_UNSEEN |= dict.fromkeys((*range(0xD800, 0xE000), 0xFFFE, 0xFFFF), 0xFFFD)
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "-": r"{-}",
}


def one_line(text: str) -> str:
    """The text on one line, with a visible sign for everything that cannot be seen.

    >>> one_line("a\\r\\nb\\x00")
    'a b␀'
    """
    return _BREAKS.sub(" ", text).translate(_UNSEEN)


def seen(name: str) -> str:
    """A name that a reader can see and point at: one of blanks and invisible signs alone is spelled out.

    >>> seen("a b"), seen(" \\u200b")
    ('a b', '[U+0020][U+200B]')
    """
    if all(c.isspace() or c in _FILLERS or category(c) in ("Cf", "Mn", "Me") for c in name):
        return "".join(f"[U+{ord(c):04X}]" for c in name)
    return name


def myst_text(text: str) -> str:
    """Text inside a Markdown paragraph, heading or list item; starts nothing, ends nothing.

    >>> myst_text("*a* {b}`c`")
    '\\\\*a\\\\* \\\\{b\\\\}\\\\`c\\\\`'
    """
    line = _PUNCTUATION.sub(r"\\\1", one_line(text))
    bare = line.strip(" ")
    if not bare:
        return "&#32;" * len(line)
    start, end = len(line) - len(line.lstrip(" ")), len(line) - len(line.rstrip(" "))
    return "&#32;" * start + bare + "&#32;" * end


def markdown_cell(text: str) -> str:
    """Text in a cell of a Markdown pipe table.

    >>> markdown_cell("a|b")
    'a\\\\|b'
    """
    return myst_text(text)


def latex_text(text: str) -> str:
    """Text in a LaTeX document, outside formulas.

    >>> latex_text("50% of a_b")
    '50\\\\% of a\\\\_b'
    """
    return "".join(_LATEX.get(c, c) for c in one_line(text))
