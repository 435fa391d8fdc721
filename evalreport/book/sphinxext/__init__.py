"""The Sphinx extension of the book: numbered tables and figures, clauses, numbers in prose, page metadata, mends."""

from __future__ import annotations

from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata

from evalreport.book.sphinxext import addresses, maths, metadata, theme
from evalreport.book.sphinxext.clauses import ClauseDirective, NotationDirective
from evalreport.book.sphinxext.landing import (
    BookCitationDirective,
    BookFactsDirective,
    HeadlinesDirective,
    WidePageDirective,
)
from evalreport.book.sphinxext.numbered import (
    ExploreDirective,
    FigureDirective,
    PartsDirective,
    TableDirective,
    depart,
    erfigure,
    erfigureagain,
    erparts,
    ertable,
    title_of,
    visit_figure,
    visit_parts,
    visit_table,
)
from evalreport.book.sphinxext.roles import NumberRole, SettingRole, ernum, visit_number


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register everything; called by Sphinx."""
    app.setup_extension("sphinxcontrib.katex")
    app.connect("config-inited", theme.use_static)
    app.connect("builder-inited", maths.use_setter)
    app.connect("build-finished", maths.end_setter)
    app.connect("builder-inited", theme.drop_thebe_files, priority=900)
    app.connect("doctree-resolved", theme.drop_thebe_nodes, priority=900)
    app.connect("build-finished", theme.describe_start, priority=900)
    app.connect("doctree-read", addresses.note_anchors)
    app.connect("env-purge-doc", addresses.forget_anchors)
    app.connect("html-page-context", metadata.add_metadata, priority=800)
    app.connect("html-page-context", theme.mend, priority=900)
    app.add_enumerable_node(ertable, "table", title_of, html=(visit_table, depart))
    app.add_enumerable_node(erfigure, "figure", title_of, html=(visit_figure, depart))
    app.add_node(erfigureagain, html=(visit_figure, depart))
    app.add_node(erparts, html=(visit_parts, depart))
    app.add_node(ernum, html=(visit_number, depart))
    app.add_directive("er-table", TableDirective)
    app.add_directive("er-figure", FigureDirective)
    app.add_directive("er-explore", ExploreDirective)
    app.add_directive("er-parts", PartsDirective)
    app.add_directive("headlines", HeadlinesDirective)
    app.add_directive("book-facts", BookFactsDirective)
    app.add_directive("wide-page", WidePageDirective)
    app.add_directive("book-citation", BookCitationDirective)
    app.add_directive("clause", ClauseDirective)
    app.add_directive("notation", NotationDirective)
    app.add_role("num", NumberRole())
    app.add_role("setting", SettingRole())
    app.add_css_file("evalreport.css", priority=900)
    for script in theme.SCRIPTS:
        app.add_js_file(script, loading_method="defer")
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": False}
