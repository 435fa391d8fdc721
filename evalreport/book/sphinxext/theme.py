"""Mends of the theme: what it adds to pages that a strict, offline, accessible book cannot have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

from evalreport.book.sphinxext.contract import read_book
from evalreport.book.sphinxext.metadata import head_elements
from evalreport.report.escape import html_text, url_path

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
    options["logo"] = {"text": html_text(book.title)}
    config.html_title = config.project = book.title
    config.author = html_text(", ".join(book.authors))
    config.html_logo = config.html_logo or str(STATIC / "mark.svg")
    config.html_favicon = config.html_favicon or str(STATIC / "mark.svg")
    config.html_context.setdefault("default_mode", "auto")


def _names_thebe(asset: object) -> bool:
    return "thebe" in f"{asset} {getattr(asset, 'filename', '')} {getattr(asset, 'attributes', '')}".lower()


def mend(app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: nodes.document | None) -> None:
    """Take away the script from outside, give the sidebar's arrows a name, escape the title, tell the version."""
    for kind in ("script_files", "css_files"):
        context[kind] = [asset for asset in context[kind] if not _names_thebe(asset)]
    tree: Callable[..., object] = context["generate_toctree_html"]
    context["generate_toctree_html"] = lambda *args, **options: str(tree(*args, **options)).replace(
        "<summary>", _DISCLOSURE
    )
    if "pagetitle" in context:
        context["pagetitle"] = html_text(context["pagetitle"])  # the theme prints it as if it were HTML
    book = read_book(Path(app.srcdir))
    context["er_version"], context["er_versions"] = book.version, book.versions
    if "html_theme.sidebar_secondary.remove" in (context.get("meta") or {}):
        context["generate_toc_html"] = lambda *_args, **_options: ""  # otherwise a button opens a sidebar that is gone


def drop_thebe_files(app: Sphinx) -> None:
    """Do not copy what no page uses."""
    app.config.html_static_path[:] = [path for path in app.config.html_static_path if "sphinx_thebe" not in path]


def drop_thebe_nodes(_app: Sphinx, doctree: nodes.document, _docname: str) -> None:
    """Take the settings of a script that is not there out of the page."""
    for node in list(doctree.findall(nodes.raw)):
        if "x-thebe-config" in node.astext():
            node.parent.remove(node)


def describe_start(app: Sphinx, error: Exception | None) -> None:
    """The page at the root only leads on; it carries the same metadata and a link for who is not led on."""
    start = Path(app.outdir) / "index.html"
    target = f"{app.config.root_doc}.html"
    if error or app.config.root_doc == "index" or not start.is_file():
        return
    book = read_book(Path(app.srcdir))
    start.write_text(
        f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{html_text(book.title)}</title>
<meta http-equiv="refresh" content="0; url={url_path(target)}">
{head_elements(book, app.config.root_doc, book.title)}
</head>
<body><p><a href="{url_path(target)}">{html_text(book.title)}</a></p></body>
</html>
""",
        encoding="utf-8",
    )
