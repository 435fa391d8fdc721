"""Runs Sphinx, strictly, in a process and with surroundings of its own, and finds what it complained about."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from evalreport.errors import EvalreportError, Problem

_MAIN = "import sys; from jupyter_book.cli.main import main; sys.exit(main())"
_STRICT = ("-W", "-n", "--keep-going", "--all")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_COMPLAINT = re.compile(
    r"^(?P<where>[^\s:][^:\n]*(?::\d+)?): (?P<level>WARNING|ERROR|CRITICAL|SEVERE): (?P<what>.*)$"
    r"|^(?P<bare>WARNING|ERROR|CRITICAL): (?P<said>.*)$"
)
_LAST_LINES = 15
# Sphinx writes the year of this moment where a page asks for one; without a date the book shows none.
_NO_DATE = "315532800"


def run_sphinx(source: Path, output: Path, *, log: Path, epoch: str = "") -> Path:
    """Build the HTML of a source folder into an empty folder and return where it is.

    Any warning is an error. Raises `EvalreportError` with every complaint; the whole output is in the log.
    """
    surroundings = {
        **os.environ,
        "PYTHONHASHSEED": "0",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "SOURCE_DATE_EPOCH": epoch or _NO_DATE,
        "NO_COLOR": "1",
        "PYTHONWARNINGS": "ignore",
    }
    command = [sys.executable, "-c", _MAIN, "build", str(source), "--path-output", str(output), *_STRICT]
    with log.open("wb") as file:
        done = subprocess.run(  # noqa: S603
            command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, env=surroundings, check=False
        )
    html = output / "_build" / "html"
    text = _COLOUR.sub("", log.read_text("utf-8", "replace"))
    if done.returncode or not html.is_dir():
        raise EvalreportError(*complaints(text, source))
    (html / ".buildinfo").unlink(missing_ok=True)  # a digest of settings, with the folder of the build in it
    shutil.rmtree(html / ".doctrees", ignore_errors=True)
    for template in (html / "_static").glob("*webpack-macros.html"):
        template.unlink()  # a template of the theme, which is no page
    (html / ".nojekyll").touch()  # or GitHub Pages leaves out every folder that begins with "_"
    return html


def complaints(text: str, source: Path) -> list[Problem]:
    """What Sphinx complained about, by page; if nothing can be told apart, its last lines."""
    found = []
    for line in text.splitlines():
        if match := _COMPLAINT.match(line):
            where = (match["where"] or "the book").removeprefix(f"{source}/")
            what = (match["what"] or match["said"]).replace(f"{source}/", "")
            found.append(Problem(where, what, kind="sphinx"))
    if not found:
        last = [line for line in text.splitlines() if line.strip()][-_LAST_LINES:]
        found = [Problem("Sphinx", "\n".join(last) or "ended without a word", "a book", kind="sphinx")]
    return found
