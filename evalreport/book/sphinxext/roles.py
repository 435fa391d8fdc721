"""Roles for prose: a published number with its audit line, a setting. Prose never types a number itself."""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxRole
from sphinx.writers.html5 import HTML5Translator

from evalreport.book.sphinxext.addresses import address
from evalreport.book.sphinxext.contract import read_book, read_numbers
from evalreport.report.escape import html_attribute, html_text


class ernum(nodes.Inline, nodes.TextElement):  # noqa: N801 - docutils names visitors after the class
    """A published number in prose."""


class NumberRole(SphinxRole):
    """`` {num}`benchmark.pass_rate/aurora-2/2-1` ``: the number as published, linked to its audit line."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The number, or an error when none is published under this id."""
        found = read_numbers(Path(self.env.srcdir)).get(self.text)
        if found is None:
            return [], [self.inliner.reporter.error(f"there is no published number {self.text!r}", line=self.lineno)]
        return [ernum(self.rawtext, found.text, target=found.address)], []


class SettingRole(SphinxRole):
    """`` {setting}`benchmark.alpha` ``: the value of a setting of this build."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The value, or an error when no suite has this setting."""
        suite, _, name = self.text.partition(".")
        value = read_book(Path(self.env.srcdir)).settings.get(suite, {}).get(name)
        if value is None:
            return [], [self.inliner.reporter.error(f"there is no setting {self.text!r}", line=self.lineno)]
        return [nodes.Text(value)], []


def visit_number(self: HTML5Translator, node: nodes.Element) -> None:
    """A quiet link."""
    text, target = html_text(node.astext()), node["target"]
    if target:
        href = html_attribute(address(self.builder, target))
        text = f'<a class="er-num" href="{href}">{text}</a>'
    self.body.append(text)
    raise nodes.SkipNode
