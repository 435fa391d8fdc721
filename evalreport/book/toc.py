"""The table of contents: `_toc.yml` as a maintainer writes it -> as Sphinx reads it, for the pages that there are.

Beyond what Jupyter Book knows: chapters of suites that the book does not have are left out, and `glob` takes pages in
the order in which their suite made them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import translate
from pathlib import Path
from typing import cast

import yaml

from evalreport.core.names import nearest
from evalreport.errors import EvalreportError, Problem, Problems

FILE = "_toc.yml"
GENERATED = "book/_generated/"
METHODOLOGY = "book/methodology/"
_LISTS = ("parts", "chapters", "sections", "entries", "subtrees")
Entry = dict[str, object]


@dataclass(frozen=True)
class Pages:
    """The pages that exist: those that were generated, in order, and those that were written by hand.

    `last` are those of the written ones that stand at the end when no entry leads to them.
    """

    generated: Sequence[str]
    written: Sequence[str]
    last: Sequence[str] = ()

    def all(self) -> list[str]:
        """All of them, generated ones first."""
        return [*self.generated, *self.written]


def resolved(text: str, pages: Pages, *, absent: Sequence[str]) -> str:
    """`_toc.yml` for the pages that exist. `absent` are the suites that this book does not have.

    Raises `EvalreportError` for a page that is named but not there, named twice, or generated and named nowhere.
    """
    try:
        content = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise EvalreportError(Problem(FILE, f"is no YAML ({str(error).splitlines()[0]})", "YAML")) from None
    if not isinstance(content, dict) or not isinstance(content.get("root"), str):
        raise EvalreportError(Problem(FILE, "names no root page", "format: jb-book, and root: a page"))
    whole = {**content, "file": content["root"]}
    resolver = _Resolver(pages, absent, frozenset(_files(whole)))
    result = resolver.entry(whole)
    resolver.finish()
    if left := resolver.unnamed(pages.last):
        _add_last(result, left)
    result.pop("file")
    return yaml.safe_dump(result, sort_keys=False, allow_unicode=True, width=1000)


def _add_last(content: Entry, names: Sequence[str]) -> None:
    """Let pages follow on the last chapter, whatever a contents calls its lists."""
    lists = [key for key in _LISTS if content.get(key)]
    usual = {"jb-book": "chapters", "jb-article": "sections"}.get(str(content.get("format")), "entries")
    key = lists[0] if lists else usual
    entries = cast("list[Entry]", content.setdefault(key, []))
    if key in {"parts", "subtrees"}:
        _add_last(entries[-1], names)
    else:
        entries += [{"file": name} for name in names]


def written_pages(source: Path) -> list[str]:
    """The pages written by hand in the folder of sources, by name, in the order of their names."""
    found = (file.relative_to(source) for file in source.glob("book/**/*") if file.suffix in {".md", ".ipynb"})
    return sorted({file.with_suffix("").as_posix() for file in found} - {""}, key=str)


def _files(content: object) -> Iterator[str]:
    if isinstance(content, dict):
        if isinstance(content.get("file"), str):
            yield _page(content["file"])
        for key in _LISTS:
            for item in content.get(key) or ():
                yield from _files(item)


def _page(name: str) -> str:
    return re.sub(r"\.(md|ipynb)$", "", name)


class _Resolver:
    def __init__(self, pages: Pages, absent: Sequence[str], named: frozenset[str]) -> None:
        self._pages, self._named = pages, named
        self._absent = tuple(p for suite in absent for p in (f"{GENERATED}{suite}/", f"{METHODOLOGY}{suite}"))
        self._known = set(pages.all())
        self._seen: set[str] = set()
        self._problems = Problems()

    def entry(self, entry: Mapping[str, object]) -> Entry:
        """One entry with its lists resolved; empty lists go."""
        result: Entry = {}
        for key, value in entry.items():
            if key in _LISTS and isinstance(value, list):
                if found := [child for item in value for child in self._children(item)]:
                    result[key] = found
            else:
                result[key] = value
        name = entry.get("file")
        if isinstance(name, str):
            self._note(_page(name))
        return result

    def _children(self, item: object) -> Iterator[Entry]:
        if not isinstance(item, dict):
            self._problems.add(FILE, f"holds {item!r}", "file:, glob: or url: entries")
            return
        child = cast("Entry", item)
        if isinstance(child.get("glob"), str):
            for name in self._matching(str(child["glob"])):
                yield {"file": name}
        elif not self._is_absent(child):
            found = self.entry(child)
            if {"file", "url", *_LISTS} & found.keys():
                yield found

    def _is_absent(self, entry: Entry) -> bool:
        name = entry.get("file")
        return isinstance(name, str) and _page(name) not in self._known and _page(name).startswith(self._absent)

    def _matching(self, pattern: str) -> list[str]:
        # As in a shell, a star does not reach over a slash: chapters and their sections are two patterns.
        expression = re.compile(translate(pattern).replace(".*", "[^/]*"))
        taken = self._named | self._seen
        names = [
            name
            for name in self._pages.all()
            if expression.fullmatch(name) and name not in taken and not name.startswith(self._absent)
        ]
        for name in names:
            self._note(name)
        return names

    def _note(self, name: str) -> None:
        if name not in self._known:
            self._problems.add(FILE, f"names the page {name}", nearest(name, self._known), kind="no_page")
        elif name in self._seen:
            self._problems.add(FILE, f"names the page {name} twice", "each page once", kind="page_twice")
        self._seen.add(name)

    def unnamed(self, names: Sequence[str]) -> list[str]:
        """Those of the pages that no entry leads to."""
        return [name for name in names if name not in self._seen]

    def finish(self) -> None:
        """Raise with everything that is wrong, a page that no entry leads to included."""
        for name in self._pages.generated:
            if name not in self._seen:
                self._problems.add(FILE, f"does not lead to {name}", "an entry for each page", kind="page_unreachable")
        self._problems.check()
