"""The directives `er-table`, `er-figure` and `er-explore`: numbered, labelled, printed from fragments of the build."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, cast

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.domains.std import StandardDomain
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import OptionSpec
from sphinx.writers.html5 import HTML5Translator

from evalreport.book.sphinxext.addresses import address, to_root
from evalreport.book.sphinxext.contract import (
    EXTRA,
    FOLDER,
    FigureFragment,
    Fragment,
    PartsFragment,
    TableFragment,
    read_book,
    read_fragment,
)
from evalreport.book.sphinxext.maths import formula_html
from evalreport.errors import EvalreportError
from evalreport.report.citation import stable_address
from evalreport.report.escape import bdi, html_attribute, html_text, isolated, url_path
from evalreport.report.parts import filled, parts_from_json

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_TAG = re.compile(r"<[^>]*>")
_SIZE = re.compile(
    rb'<svg[^>]*?\sheight="([\d.]+)pt"[^>]*?\swidth="([\d.]+)pt"|<svg[^>]*?\sviewBox="0 0 ([\d.]+) ([\d.]+)"'
)


class ertable(nodes.General, nodes.Element):  # noqa: N801 - docutils names visitors after the class
    """A table of the book."""


class erfigure(nodes.General, nodes.Element):  # noqa: N801
    """A figure of the book."""


class erfigureagain(erfigure):  # noqa: N801
    """A figure that has its number on another page."""


class erparts(nodes.General, nodes.Element):  # noqa: N801
    """HTML with gaps that has no number."""


def number_node(directive: SphinxDirective, node: nodes.Element, label: str, title: str) -> nodes.Element:
    """Give a node its place for `{numref}` and the classes its author asked for."""
    node["ids"] = [label]
    node["names"] = [nodes.fully_normalize_name(label)]
    node["title"] = title
    node["classes"] += directive.options.get("class", [])
    directive.state.document.note_explicit_target(node)
    directive.set_source_info(node)
    return node


def table_node(directive: SphinxDirective, name: str, title: str, parts: Sequence[object]) -> nodes.Element:
    """A numbered table from its parts; its words stand below it for the search."""
    texts = [part for part in parts if isinstance(part, str)]
    node = ertable(parts=list(parts), html_parts=texts)
    node += nodes.inline("", " ".join(_TAG.sub(" ", " ".join(texts)).split()))
    return number_node(directive, node, f"tbl-{name}", title)


class _Numbered(SphinxDirective):
    required_arguments = 1
    has_content = False
    option_spec: ClassVar[OptionSpec] = {"class": directives.class_option}

    def fragment(self) -> Fragment:
        name = self.arguments[0]
        if not _ID.fullmatch(name):
            raise self.error(f"{name!r} is no id; expected letters, digits, '.', '_' and '-'")
        path = Path(self.env.srcdir) / FOLDER / "fragments" / f"{name}.json"
        self.env.note_dependency(str(path))
        try:
            return read_fragment(path)
        except EvalreportError as error:
            raise self.error(str(error)) from error


class TableDirective(_Numbered):
    """`:::{er-table} leaderboard`: the table that the build left under this id; `{numref}` knows it as `tbl-…`."""

    def run(self) -> list[nodes.Node]:
        """The numbered table."""
        fragment = self.fragment()
        if not isinstance(fragment, TableFragment):
            raise self.error(f"{fragment.id} is no table")
        return [table_node(self, fragment.id, fragment.title, fragment.parts)]


class FigureDirective(_Numbered):
    """`:::{er-figure} rank-alpha`: the figure that the build left under this id; `{numref}` knows it as `fig-…`.

    With `:again:` it leads to its number and its address, which stand on another page.
    """

    option_spec: ClassVar[OptionSpec] = {"class": directives.class_option, "again": directives.flag}

    def run(self) -> list[nodes.Node]:
        """The numbered figure, if all its files are there."""
        fragment = self.fragment()
        if not isinstance(fragment, FigureFragment):
            raise self.error(f"{fragment.id} is no figure")
        missing = [name for name in self.files(fragment) if not (Path(self.env.srcdir) / EXTRA / name).is_file()]
        if missing:
            raise self.error(f"figure {fragment.id} has no {', '.join(missing)}")
        if "again" in self.options:
            return [erfigureagain(fragment=fragment, classes=self.options.get("class", []))]
        node = erfigure(fragment=fragment)
        node += nodes.inline("", f"{fragment.finding} {fragment.text}")
        return [number_node(self, node, f"fig-{fragment.id}", fragment.finding)]

    @staticmethod
    def files(fragment: FigureFragment) -> list[str]:
        """Every file the page will name."""
        suffixes = [f".{kind}" for kind in fragment.files]
        if not fragment.panels:
            suffixes.append("-dark.svg")
            if _has_column(fragment):
                suffixes += ["-column.svg", "-column-dark.svg", "-column.pdf"]
        names = [f"figures/{fragment.id}{suffix}" for suffix in suffixes]
        return names + [f"figures/{panel.id}{end}" for panel in fragment.panels for end in (".svg", "-dark.svg")]


class PartsDirective(_Numbered):
    """`:::{er-parts} audit-…`: finished pieces that the build left under this id, without a number."""

    def run(self) -> list[nodes.Node]:
        """The pieces; their words stand below them for the search."""
        fragment = self.fragment()
        if not isinstance(fragment, PartsFragment):
            raise self.error(f"{fragment.id} has a number of its own")
        texts = [part for part in fragment.parts if isinstance(part, str)]
        node = erparts(parts=fragment.parts, html_parts=texts)
        node += nodes.inline("", " ".join(_TAG.sub(" ", " ".join(texts)).split()))
        return [node]


class ExploreDirective(SphinxDirective):
    """`:::{er-explore} leaderboard`: a slider that re-ranks the table by other weights; nothing without script."""

    required_arguments = 1
    option_spec: ClassVar[OptionSpec] = {
        "published": directives.unchanged_required,
        "figure": directives.unchanged,
        "symbol": directives.unchanged,
        "stops": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """The slider, hidden until the script finds its table."""
        name, symbol = self.arguments[0], self.options.get("symbol", "α")
        published = self.options.get("published", "")
        if not _ID.fullmatch(name) or not re.fullmatch(r"0(\.\d+)?|1(\.0+)?", published):
            raise self.error(f"er-explore {name} published {published!r}; expected a table and a weight from 0 to 1")
        stops = "".join(f'<option value="{html_attribute(s)}"></option>' for s in self.options.get("stops", "").split())
        figure = self.options.get("figure", "")
        follows = f' data-figure="fig-{html_attribute(figure)}"' if figure else ""
        step = "0." + "0" * (max(2, len(published.partition(".")[2])) - 1) + "1"
        html = (
            f'<div class="er-explore" data-table="tbl-{name}"{follows} data-published="{published}"'
            f' data-symbol="{html_attribute(symbol)}" hidden>'
            f'<label for="explore-{name}">Explore {html_text(symbol)}</label>'
            f'<input type="range" id="explore-{name}" min="0" max="1" step="{step}" value="{published}"'
            f' list="stops-{name}"><datalist id="stops-{name}">{stops}</datalist>'
            f'<output for="explore-{name}">{published}</output>'
            f'<button type="button" disabled>Back to {published}</button>'
            '<p role="status">Published order.</p></div>'
        )
        return [nodes.raw("", html, format="html")]


def title_of(node: nodes.Node) -> str:
    """What `{name}` in a reference to a table or figure prints."""
    return str(node["title"]) if isinstance(node, nodes.Element) else ""


def depart(_self: HTML5Translator, _node: nodes.Element) -> None:
    """Nothing: what a visitor skips is never left."""


def visit_table(self: HTML5Translator, node: nodes.Element) -> None:
    """The table with its gaps filled for this page."""
    self.body.append(_with_classes(_filled(self, node, _number(self, node)), node["classes"]))
    raise nodes.SkipNode


def visit_parts(self: HTML5Translator, node: nodes.Element) -> None:
    """The parts with their gaps filled for this page."""
    self.body.append(_filled(self, node))
    raise nodes.SkipNode


def _filled(self: HTML5Translator, node: nodes.Element, number: str = "") -> str:
    parts = parts_from_json(node["parts"])
    return filled(parts, formula=formula_html, address=lambda target: address(self.builder, target), number=number)


def visit_figure(self: HTML5Translator, node: nodes.Element) -> None:
    """Art, caption, downloads, how to cite."""
    fragment: FigureFragment = node["fragment"]
    classes = " ".join(["er-figure", *node["classes"]])
    number = _number(self, node) if node["ids"] else _number_elsewhere(self, fragment)
    place = f' id="{html_attribute(node["ids"][0])}"' if node["ids"] else ""
    caption = f"{number}<strong>{isolated(fragment.finding)}</strong> {isolated(fragment.text)}"
    self.body.append(
        f'<figure class="{html_attribute(classes)}"{place}>{_art(self, fragment)}'
        f"<figcaption><p>{caption}</p>{_downloads(self, fragment)}{_cite(self, fragment)}</figcaption></figure>"
    )
    raise nodes.SkipNode


def _number(self: HTML5Translator, node: nodes.Element) -> str:
    """The text "Table 3 " as the theme writes it."""
    at = len(self.body)
    self.add_fignumber(node)
    html = "".join(self.body[at:])
    del self.body[at:]
    return html


def _number_elsewhere(self: HTML5Translator, fragment: FigureFragment) -> str:
    """The number of a figure that stands on another page, leading there."""
    env, label = self.builder.env, f"fig-{fragment.id}"
    page, place = cast("StandardDomain", env.get_domain("std")).anonlabels.get(label, ("", ""))
    numbers = env.toc_fignumbers.get(page, {}).get("figure", {}).get(place)
    if not numbers:
        return ""
    where = f"{self.builder.get_relative_uri(self.builder.current_docname, page)}#{place}"
    words = html_text(self.config.numfig_format["figure"] % ".".join(map(str, numbers)))
    return f'<span class="caption-number"><a href="{html_attribute(where)}">{words}</a> </span>'


def _with_classes(html: str, classes: list[str]) -> str:
    extra = "".join(f" {html_attribute(name)}" for name in classes)
    return html.replace('class="er-tablebox"', f'class="er-tablebox{extra}"', 1)


def _has_column(fragment: FigureFragment) -> bool:
    return {"column", "page"} <= set(fragment.sizes)


def _art(self: HTML5Translator, fragment: FigureFragment) -> str:
    if not fragment.panels:
        places = "".join(
            f' data-axes-{html_attribute(size)}="{" ".join(map(str, box))}"'
            for size, box in sorted(fragment.axes.items())
        )
        pair = _pair(self, fragment.id, fragment.alt, with_column=_has_column(fragment))
        narrow = "" if "page" in fragment.sizes else " er-narrow"
        return f'<div class="er-art{narrow}"{places}>{pair}</div>'
    out = []
    for panel in fragment.panels:
        inner = (
            f'<span class="er-panel-t">{bdi(panel.title)}</span>'
            f'<span class="er-panel-s">{isolated(panel.subtitle)}</span>'
            f"{_pair(self, panel.id, panel.alt, with_column=False)}"
        )
        if panel.href:
            out.append(f'<a class="er-panel" href="{html_attribute(address(self.builder, panel.href))}">{inner}</a>')
        else:
            out.append(f'<div class="er-panel">{inner}</div>')
    return f'<div class="er-multiples">{"".join(out)}</div>'


def _pair(self: HTML5Translator, stem: str, alt: str, *, with_column: bool) -> str:
    """One drawing for light pages and one for dark ones; phones get the column width, so that type keeps its size."""
    up, out = to_root(self.builder.current_docname), ""
    for theme, suffix in (("light", ""), ("dark", "-dark")):
        name = f"{stem}{suffix}.svg"
        source = ""
        if with_column:
            narrow = f"{stem}-column{suffix}.svg"
            source = (
                f'<source media="(max-width: 40rem)" srcset="{up}figures/{url_path(narrow)}"{_measures(self, narrow)}>'
            )
        image = (
            f'<img class="dark-light" loading="lazy" src="{up}figures/{url_path(name)}"'
            f'{_measures(self, name)} alt="{html_attribute(alt)}">'
        )
        out += f'<picture class="er-{theme}">{source}{image}</picture>'
    return out


def _measures(self: HTML5Translator, name: str) -> str:
    """Width and height of a drawing, so that the page does not jump when it arrives."""
    head = (self.builder.srcdir / EXTRA / "figures" / name).read_bytes()[:4000]
    found = _SIZE.search(head)
    if not found:
        return ""
    height, width = (found[1], found[2]) if found[1] else (found[4], found[3])
    return f' width="{round(float(width))}" height="{round(float(height))}"'


def _downloads(self: HTML5Translator, fragment: FigureFragment) -> str:
    up = to_root(self.builder.current_docname)

    def link(name: str, label: str) -> str:
        return f'<a href="{up}figures/{url_path(name)}" download>{label}</a>'

    links = [link(f"{fragment.id}.{kind}", kind.upper()) for kind in fragment.files]
    if _has_column(fragment) and not fragment.panels:
        links.append('<span class="er-sep">column width</span>')
        links += [link(f"{fragment.id}-column.{kind}", kind.upper()) for kind in ("svg", "pdf")]
    return f'<div class="er-tools"><span class="er-tools-l">Download</span> {" ".join(links)}</div>'


def _cite(self: HTML5Translator, fragment: FigureFragment) -> str:
    book = read_book(Path(self.builder.srcdir))
    where = stable_address(book.cited(), f"figures/{fragment.id}.svg")
    entry = "\n".join(html_text(line) for line in fragment.bibtex.splitlines())
    block = f'<div class="highlight"><pre>{entry}</pre></div>' if entry else ""
    return (
        '<details class="er-cite"><summary>Cite this figure</summary>'
        f"<p>Stable address: <code>{html_text(where)}</code></p>{block}</details>"
    )
