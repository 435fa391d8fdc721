"""Auto-BenchmarkCards: what a benchmark says of itself, in sections of fields, with the risks mapped to it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from evalreport.errors import EvalreportError, Problem

DESCRIPTION = "Auto-BenchmarkCards: benchmark_card_*.json"

_PREFIX = "benchmark_card_"
_IN_PARENTHESES = re.compile(r"\(([^()]+)\)")


@dataclass(frozen=True)
class Card:
    """One card: its file, the benchmark's name, and its sections as they stand.

    `base` is the JSON path of the sections. `risks` are the categories of the risks mapped to the benchmark, sorted.
    """

    path: str
    base: str
    name: str
    sections: Mapping[str, object]
    risks: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """What the benchmark may be called: its name, that without its parentheses, what they hold, the file's name.

        >>> Card("benchmark_card_MMLU.json", "$", "Many Tasks (MMLU)", {}, ()).names
        ('Many Tasks (MMLU)', 'Many Tasks', 'MMLU', 'MMLU')
        """
        stem = PurePosixPath(self.path).name.partition(".json")[0]
        return (
            self.name,
            *((_IN_PARENTHESES.sub("", self.name).strip(),) if "(" in self.name else ()),
            *_IN_PARENTHESES.findall(self.name),
            *((stem.removeprefix(_PREFIX),) if stem.startswith(_PREFIX) else ()),
        )

    def at(self, field: str) -> object:
        """The value of a field by its dotted name; None when it is not there.

        >>> Card("c.json", "$", "x", {"data": {"size": "10 items"}}, ()).at("data.size")
        '10 items'
        """
        value: object = self.sections
        for part in field.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        return value


def is_card(value: object) -> bool:
    """Whether a JSON value is a card, alone or below `benchmark_card`.

    >>> is_card({"benchmark_card": {"benchmark_details": {"name": "x"}}}), is_card({"name": "x"})
    (True, False)
    """
    inner = value.get("benchmark_card", value) if isinstance(value, dict) else None
    return isinstance(inner, dict) and isinstance(inner.get("benchmark_details"), dict)


def card(path: str, value: object) -> Card:
    """The card in a JSON value. Raises `EvalreportError` when its benchmark has no name."""
    below = isinstance(value, dict) and "benchmark_card" in value
    inner = value["benchmark_card"] if below and isinstance(value, dict) else value
    base = "$.benchmark_card" if below else "$"
    sections = inner if isinstance(inner, dict) else {}
    details = sections.get("benchmark_details")
    name = details.get("name") if isinstance(details, dict) else None
    if not isinstance(name, str) or not name.strip():
        where = f"{base}.benchmark_details.name"
        raise EvalreportError(Problem(path, f"{where} is {name!r}", "the name of the benchmark", "card"))
    risks = sections.get("possible_risks")
    found = {
        risk["category"].strip()
        for risk in (risks if isinstance(risks, list) else ())
        if isinstance(risk, dict) and isinstance(risk.get("category"), str) and risk["category"].strip()
    }
    return Card(path, base, name.strip(), sections, tuple(sorted(found)))
