"""Mends of the theme: what it adds to pages that a strict, offline, accessible book cannot have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

from evalreport.book.sphinxext.contract import read_book

STATIC = Path(__file__).resolve().parent.parent / "static"
TEMPLATES = Path(__file__).resolve().parent / "templates"
SCRIPTS = ("sort.js", "filter.js", "alpha.js", "versions.js")
_DISCLOSURE = '<summary aria-label="Show or hide the pages of this chapter">'


def use_static(app: Sphinx, config: Config) -> None:
    """Serve styles, fonts and scripts from the package, so that a project has no copies, and name book and version."""
    if str(STATIC) not in config.html_static_path:
        config.html_static_path.append(str(STATIC))
    config.templates_path.append(str(TEMPLATES))
    book = read_book(Path(app.srcdir))
    options = config.html_theme_options
    options["logo"] = {"text": book.title, **options.get("logo", {})}
    config.html_title = config.html_title or book.title
    config.html_logo = config.html_logo or str(STATIC / "mark.svg")
    config.html_favicon = config.html_favicon or str(STATIC / "mark.svg")
    config.html_context.setdefault("default_mode", "auto")


def _names_thebe(asset: object) -> bool:
    return "thebe" in f"{asset} {getattr(asset, 'filename', '')} {getattr(asset, 'attributes', '')}".lower()


def mend(app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None) -> None:
    """Take away the script from outside, give the sidebar's arrows a name, tell the version."""
    for kind in ("script_files", "css_files"):
        context[kind] = [asset for asset in context[kind] if not _names_thebe(asset)]
    tree: Callable[..., object] = context["generate_toctree_html"]
    context["generate_toctree_html"] = lambda *args, **options: str(tree(*args, **options)).replace(
        "<summary>", _DISCLOSURE
    )
    book = read_book(Path(app.srcdir))
    context["er_version"], context["er_versions"] = book.version, book.versions
