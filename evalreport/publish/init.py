"""A new project in an empty folder: it builds at once, with a small sample of its own, and says what to put where."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any

from evalreport import suites as registry
from evalreport.book import sources
from evalreport.book.cache import files_below
from evalreport.core.names import nearest
from evalreport.core.suite import Setting, Suite
from evalreport.errors import Problems
from evalreport.project import FILE, expectation, setting_text
from evalreport.publish.environment import lock_text

TEMPLATES = Path(__file__).resolve().parent / "templates"
SAMPLE = TEMPLATES / "sample"
WORKFLOW = ".github/workflows/book.yml"
_WIDTH = 118


def sampled_suites() -> tuple[str, ...]:
    """The suites that a new project may have: those with a sample."""
    return tuple(name for name in sorted(registry.all_suites()) if (SAMPLE / name).is_dir())


def init_project(root: Path, *, suites: Sequence[str] = (), pages: bool = False) -> tuple[Path, ...]:
    """Write a project into a folder and return its files. All suites with a sample, unless some are named.

    `pages` copies configuration, contents, pages and notebooks too, to be changed. Raises `EvalreportError` when a
    suite is not known, or when a file would stand on one that is there; then nothing is written.
    """
    known = sampled_suites()
    chosen = sorted(set(suites)) or list(known)
    problems = Problems()
    for name in chosen:
        if name not in known:
            problems.add(f"--suites {name}", "is no suite", nearest(name, known), kind="unknown_suite")
    problems.check()
    files = dict(_files(root.resolve().name, chosen, pages=pages))
    for name in files:
        place = root / name
        blocked = next((p for p in place.parents if p.exists() and not p.is_dir()), None)
        if place.exists() or place.is_symlink() or blocked:
            problems.add(str(blocked or place), "is there already", "a folder without it", kind="exists")
    problems.check()
    for name, content in files.items():
        place = root / name
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("xb") as file:
            file.write(content)
    return tuple(root / name for name in files)


def _files(name: str, chosen: Sequence[str], *, pages: bool) -> Iterator[tuple[str, bytes]]:
    suites: Mapping[str, Suite[Any, Any]] = {suite: registry.all_suites()[suite] for suite in chosen}
    title = " ".join(name.replace("_", " ").split()) or "Evaluation results"
    yield FILE, _project_file(title, suites.values()).encode("utf-8", "backslashreplace")
    places = "".join(f"- `data/{suite.name}/`: {suite.title}. {_shape(suite.name)}\n" for suite in suites.values())
    readme = Template((TEMPLATES / "README.md").read_text("utf-8"))
    yield "README.md", readme.substitute(title=title, places=places).encode("utf-8", "backslashreplace")
    yield "requirements.txt", lock_text().encode()
    yield ".gitignore", b"_build/\n"
    python = ".".join(map(str, sys.version_info[:2]))  # the lock is of this one
    yield WORKFLOW, (TEMPLATES / "workflow.yml").read_text("utf-8").replace("$python", python).encode()
    for suite in chosen:
        for file in files_below(SAMPLE / suite):
            if file.name != "PLACE.txt":
                yield f"data/{suite}/{file.relative_to(SAMPLE / suite).as_posix()}", file.read_bytes()
    if pages:
        yield from _pages()


def _shape(suite: str) -> str:
    return " ".join((SAMPLE / suite / "PLACE.txt").read_text("utf-8").split())


def _pages() -> Iterator[tuple[str, bytes]]:
    default = sources.default_files()
    for name in (sources.CONFIG, sources.TOC):
        yield name, (default / name).read_bytes()
    for folder in (sources.BOOK, sources.NOTEBOOKS):
        for file in files_below(default / folder):
            yield file.relative_to(default).as_posix(), file.read_bytes()


def _project_file(title: str, suites: Iterable[Suite[Any, Any]]) -> str:
    lines = [
        "# What this book is made of. A line that begins with # is a default: take the # away to change it.",
        f"title: {_quoted(title)}",
        "authors: [The Example Benchmark Group]   # put yours here: every citation names them",
        'version: "1.0"',
        "# licence: CC-BY-4.0",
        "# url: https://example.org/results   # where the site will stand; each version stands below it",
        "# What a published book may show. The defaults tell nothing about golds and reviewers but their numbers.",
        "# privacy:",
        "#   golds: withheld            # or shown",
        "#   justifications: withheld   # or shown",
        "#   reviewers: pseudonyms      # or shown",
        "suites:",
    ]
    for suite in suites:
        lines += [f"  {suite.name}:", f"    data: [data/{suite.name}]"]
        lines += [line for setting in suite.settings for line in _setting(setting)]
    return "\n".join(lines) + "\n"


def _setting(setting: Setting) -> Iterator[str]:
    words, line = f"{setting.meaning} Accepts {expectation(setting)}.".split(), "    #"
    for word in words:
        if len(line) + len(word) >= _WIDTH:
            yield line
            line = "    #"
        line += f" {word}"
    yield line
    yield f"    # {setting.name}: {_quoted(setting_text(setting.default))}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
