"""The directives `clause` and `notation`: the methodology prints the declarations, it does not repeat them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from evalreport.book.sphinxext.numbered import erparts, table_node
from evalreport.core.declare import Declarations
from evalreport.core.names import nearest
from evalreport.core.table import plain
from evalreport.errors import EvalreportError
from evalreport.report.clauses import clause_parts, metrics_of_clause, notation_table
from evalreport.report.escape import html_attribute
from evalreport.report.parts import parts_json
from evalreport.report.tables import table_parts
from evalreport.suites import all_suites

REFERENCES = "book/references"
TWO_NAMES = 2  # of more authors the first alone is named


def _declarations(directive: SphinxDirective, name: str) -> Declarations:
    suites = all_suites()
    if name not in suites:
        raise directive.error(f"there is no suite {name!r}; expected {nearest(name, suites)}")
    return suites[name].declarations


class ClauseDirective(SphinxDirective):
    """`:::{clause} benchmark#soft-brier`: every metric declared under the clause."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The metrics, each with its source."""
        clause = self.arguments[0]
        declarations = _declarations(self, clause.partition("#")[0])
        try:
            metrics = metrics_of_clause(declarations, clause)
        except EvalreportError as error:
            raise self.error(str(error)) from error
        out: list[nodes.Node] = list(self._place(clause.partition("#")[2]))
        for metric in metrics:
            parts = parts_json(clause_parts(metric))
            texts = [part for part in parts if isinstance(part, str)]
            node = erparts(parts=parts, html_parts=texts)
            node += nodes.inline("", f"{metric.name} {metric.key} {metric.meaning}")
            out.append(node)
            if metric.cite:
                out.append(self._source(metric.cite))
        return out

    def _place(self, name: str) -> Iterator[nodes.Node]:
        """The address `#soft-brier` of a clause, where the heading above it has another one."""
        if name not in self.state.document.ids:
            yield nodes.raw("", f'<span id="{html_attribute(name)}"></span>', format="html")

    def _source(self, keys: str) -> nodes.Node:
        """The source with a link to the list of sources, where the book has one."""
        listed = REFERENCES in self.env.found_docs
        names = names_of_sources(Path(self.env.doc2path(REFERENCES)).read_text("utf-8")) if listed else {}
        text = ", ".join(f"{{ref}}`{names.get(key, key)} <{key}>`" if listed else f"`{key}`" for key in keys.split(","))
        content, messages = self.state.inline_text(f"Source: {text}", self.lineno)
        paragraph = nodes.paragraph("", "", *content, classes=["er-note"])
        paragraph += messages
        return paragraph


def names_of_sources(text: str) -> dict[str, str]:
    """How a line of text calls each source of the list of sources.

    >>> names_of_sources("(h1979)=\\nHolm, S. (1979). A procedure.\\n\\n(b1995)=\\nBenja, Y., Hoch, Y. (1995). Rates.")
    {'h1979': 'Holm (1979)', 'b1995': 'Benja and Hoch (1995)'}
    """
    found = {}
    for key, authors, year in re.findall(r"^\(([\w-]+)\)=\n([^(]+) \((\d{4})\)", text, re.MULTILINE):
        names = [part for part in re.split(r",\s+", authors) if not part.endswith(".")]
        who = " and ".join(names) if len(names) <= TWO_NAMES else f"{names[0]} et al."
        found[key] = f"{who} ({year})"
    return found


class NotationDirective(SphinxDirective):
    """`:::{notation} benchmark`: the table of symbols of a suite."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The numbered table."""
        table = notation_table(_declarations(self, self.arguments[0]))
        return [table_node(self, table.id, plain(table.finding), parts_json(table_parts(table)))]
