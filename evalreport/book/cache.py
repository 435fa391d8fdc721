"""Whether a book is still that of its inputs: one digest over everything that a build reads."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import evalreport
from evalreport.project import FILE, Project

PACKAGE = Path(evalreport.__file__).resolve().parent
_STAMP = "stamp.json"
_PASSED_OVER = {"__pycache__", ".ipynb_checkpoints", "_generated", "_build", ".git"}


def files_below(path: Path) -> Iterator[Path]:
    """Every file below a folder (or the file itself) in the order of their names, caches passed over."""
    if not path.is_dir():
        if path.is_file():
            yield path
        return
    for folder, names, files in os.walk(path):
        names[:] = sorted(name for name in names if name not in _PASSED_OVER)
        yield from (Path(folder) / name for name in sorted(files) if not name.endswith(".pyc"))


def tree_digest(roots: Iterable[Path]) -> str:
    """A sha256 over names and contents of all files below some folders; where the folders stand does not matter."""
    total = hashlib.sha256()
    for number, root in enumerate(roots):
        for file in files_below(root):
            name = file.relative_to(root).as_posix() if file != root else file.name
            content = hashlib.sha256(file.read_bytes()).hexdigest()
            total.update(f"{number}\0{name}\0{content}\n".encode("utf-8", "surrogateescape"))
    return total.hexdigest()


def code_version() -> str:
    """The version of the code, with the first digits of the digest of its files.

    >>> code_version().startswith(f"{evalreport.__version__}+")
    True
    """
    return f"{evalreport.__version__}+{tree_digest([PACKAGE])[:8]}"


def build_key(project: Project, sources: Iterable[Path], *, engine: str) -> str:
    """The digest of everything that a build reads: project file, data, sources, code, packages, Python."""
    packages = sorted({entry.name for path in sys.path for entry in _distributions(Path(path or "."))})
    surroundings = [sys.version, platform.platform(), engine, os.environ.get("SOURCE_DATE_EPOCH", ""), *packages]
    data = [path for choice in project.suites for path in choice.paths]
    parts = [tree_digest([project.root / FILE, *data, *sources, PACKAGE]), *surroundings]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def is_current(folder: Path, html: Path, key: str) -> bool:
    """Whether the book in `html` was made with this key and still has every file it was made with."""
    try:
        stamp = json.loads((folder / _STAMP).read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return bool(stamp == {"key": key, "book": _listing(html)})


def write_stamp(folder: Path, html: Path, key: str) -> None:
    """Note what the book in `html` was made with."""
    temporary = folder / f"{_STAMP}.new"
    temporary.write_text(json.dumps({"key": key, "book": _listing(html)}) + "\n", "utf-8")
    temporary.replace(folder / _STAMP)


def _listing(html: Path) -> str:
    files = sorted(path for path in html.rglob("*") if path.is_file())
    lines = [f"{file.relative_to(html).as_posix()}\0{file.stat().st_size}" for file in files]
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def _distributions(path: Path) -> Iterator[Path]:
    return path.glob("*.dist-info") if path.is_dir() else iter(())
