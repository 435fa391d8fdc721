"""The few numbers below the title of a page: what, how much, and what it needs or rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evalreport.core.table import Badge, Words
from evalreport.report.escape import html_attribute, isolated
from evalreport.report.parts import Part, inline_parts, joined, link_parts
from evalreport.report.tables import BADGES


@dataclass(frozen=True)
class Fact:
    """One number below the title; `detail` is a quieter line, `href` where the number is audited."""

    name: str
    value: str | Badge
    detail: Words = ""
    href: str = ""


def facts_parts(facts: Sequence[Fact]) -> list[Part]:
    """The facts in a row, as parts of a page."""
    return joined(_facts(facts))


def _facts(facts: Sequence[Fact]) -> Iterator[Part]:
    yield '<dl class="er-verdict">'
    for fact in facts:
        yield f"<div><dt>{isolated(fact.name)}</dt><dd>"
        if isinstance(fact.value, Badge):
            title = f' title="{html_attribute(fact.value.title)}"' if fact.value.title else ""
            yield f'<span class="er-badge {BADGES[fact.value.kind]}"{title}>{isolated(fact.value.text)}</span>'
        else:
            yield from link_parts(fact.href, isolated(fact.value), "er-num")
        if fact.detail:
            yield "<span>"
            yield from inline_parts(fact.detail)
            yield "</span>"
        yield "</dd></div>"
    yield "</dl>"
