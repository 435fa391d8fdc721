"""With what a version was made: packages, the state of the code, the wheel."""

from __future__ import annotations

import json
import platform
import subprocess
from importlib import metadata
from pathlib import Path
from shutil import which
from urllib.parse import unquote, urlsplit

from evalreport.book.cache import PACKAGE
from evalreport.book.reference_pages import package_versions


def lock_text() -> str:
    """The packages that make the book, each with its exact version, as a requirements file.

    >>> "evalreport==" in lock_text()
    True
    """
    lines = [f"{name}=={version}" for name, version in package_versions().items()]
    return "\n".join([f"# Made with Python {platform.python_version()}.", *lines]) + "\n"


def commit_of(folder: Path) -> str:
    """The commit that a folder's files are of, with "+changes" when some differ from it; empty outside of git."""
    git = which("git")
    if git is None:
        return ""

    def told(*arguments: str) -> str:
        done = subprocess.run(  # noqa: S603
            [git, "-C", str(folder), *arguments], capture_output=True, check=False, stdin=subprocess.DEVNULL
        )
        return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""

    commit = told("rev-parse", "HEAD")
    if not commit or not told("ls-files", "--", "."):
        return ""
    return f"{commit}+changes" if told("status", "--porcelain", "--", ".") else commit


def code_commit() -> str:
    """The commit of the program itself, where it runs from a checkout."""
    return commit_of(PACKAGE)


def installed_wheel() -> Path | None:
    """The wheel that the program was installed from, if it is still where it was."""
    try:
        text = metadata.distribution("evalreport").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return None
    url = str(json.loads(text).get("url", "")) if text else ""
    path = Path(unquote(urlsplit(url).path))
    return path if url.startswith("file:") and path.suffix == ".whl" and path.is_file() else None
