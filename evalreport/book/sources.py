"""The folder that Sphinx reads: a project's own files over those that come with the package."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

from evalreport.book.cache import PACKAGE, files_below
from evalreport.errors import EvalreportError, Problem

CONFIG = "_config.yml"
TOC = "_toc.yml"
BOOK = "book"
NOTEBOOKS = "notebooks"
_OF_A_PROJECT = (CONFIG, TOC, BOOK, NOTEBOOKS)


def default_files() -> Path:
    """The folder with the configuration, contents, pages and notebooks for projects that have none of their own."""
    packaged = PACKAGE / "_project"
    return packaged if packaged.is_dir() else PACKAGE.parent


def source_roots(root: Path) -> list[Path]:
    """Everything of a project, then of the package, that makes its pages; for the digest of a build."""
    return [folder / name for folder in (root, default_files()) for name in _OF_A_PROJECT]


def source_file(root: Path, name: str) -> Path:
    """A file of the project, or the package's where the project has none."""
    own = root / name
    return own if own.is_file() else default_files() / name


def templates(root: Path) -> dict[str, Path]:
    """The notebook templates by name; a project's own stand over the package's."""
    found: dict[str, Path] = {}
    for folder in (default_files() / NOTEBOOKS, root / NOTEBOOKS):
        found |= {file.stem: file for file in sorted(folder.glob("*.ipynb"))}
    return dict(sorted(found.items()))


def copy_sources(root: Path, target: Path, *, title: str, author: str) -> None:
    """Fill an empty folder with the configuration and the pages written by hand."""
    target.mkdir(parents=True)
    for folder in (default_files() / BOOK, root / BOOK):
        for file in files_below(folder):
            place = target / BOOK / file.relative_to(folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place)
    config = _config(source_file(root, CONFIG))
    config |= {"title": title, "author": author, "copyright": ""}
    (target / CONFIG).write_text(yaml.safe_dump(config, allow_unicode=True), "utf-8")


def _config(path: Path) -> dict[str, object]:
    try:
        content = yaml.safe_load(path.read_text("utf-8-sig"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        first = str(error).splitlines()[0]
        raise EvalreportError(Problem(path.name, f"cannot be read ({first})", "YAML")) from None
    if not isinstance(content, Mapping):
        raise EvalreportError(Problem(path.name, "holds no keys", "a configuration of Jupyter Book"))
    return dict(content)


def written_notebooks(source: Path) -> Iterator[Path]:
    """The notebooks among the pages written by hand."""
    return (file for file in files_below(source / BOOK) if file.suffix == ".ipynb")  # generated ones are passed over
