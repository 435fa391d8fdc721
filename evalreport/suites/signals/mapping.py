"""The mapping file: which card belongs to which benchmark, the reserved fields, thresholds of single metrics.

It is YAML (JSON is YAML too) with any of three keys::

    benchmarks: {"Trivia (open)": trivia, "Mean score": null}
    evalcards: {"Trivia (open)": {lifecycle_status: active, preregistration_url: "https://…"}}
    thresholds: {accuracy: 0.1}
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from evalreport.core.exact import parse_decimal
from evalreport.core.names import nearest
from evalreport.errors import EvalreportError, Problem, Problems
from evalreport.formats.plain_yaml import loads_plain
from evalreport.suites.signals.catalogue import completeness_fields
from evalreport.suites.signals.populated import populated, shown
from evalreport.suites.signals.records import Conventions, Filled

KEYS = ("benchmarks", "evalcards", "thresholds")
_NONE = ("", "null", "~")


@lru_cache(maxsize=1 << 16)
def normalised(name: str) -> str:
    """A name of a benchmark without regard to case, blanks and punctuation; one of punctuation alone stays as it is.

    What tells names apart stays: symbols such as a plus, a number or percent sign behind a letter or digit, and that
    two digits are apart.

    >>> normalised("CNN/DailyMail"), normalised("MMLU-Pro") == normalised("mmlu_pro"), normalised("(...)")
    ('cnndailymail', True, '(...)')
    >>> normalised("HumanEval +"), normalised("C#"), normalised("Part 1.10") == normalised("part-1-10")
    ('humaneval+', 'c#', True)
    """
    kept: list[str] = []
    apart = False
    for c in unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold()):
        behind = kept[-1] if kept and not apart else ""
        if c.isalnum() or unicodedata.category(c)[0] in "MS" or (c in "#%" and behind.isalnum()):
            if apart and kept and kept[-1].isdigit() and c.isdigit():
                kept.append(" ")
            kept.append(c)
            apart = False
        else:
            apart = True
    return "".join(kept) or " ".join(name.split())


def is_mapping(data: bytes) -> bool:
    """Whether a YAML file looks like a mapping file: it has one of its keys at its left edge."""
    return any(line.startswith(tuple(f"{key}:".encode() for key in KEYS)) for line in data.splitlines())


def read_mapping(data: bytes, path: str) -> Conventions:
    """What a mapping file says. Raises `EvalreportError` with everything that is wrong with it.

    >>> read_mapping(b"thresholds: {accuracy: 0.1}", "m.yml").thresholds
    {'accuracy': Fraction(1, 10)}
    """
    problems = Problems()
    content = _loaded(data, path)
    for key in content:
        if key not in KEYS:
            problems.add(path, f"{key} is no key of a mapping file", nearest(str(key), KEYS), kind="unknown_key")
    parts = {key: _object(content.get(key, {}), path, key, problems) for key in KEYS}
    for key in ("benchmarks", "evalcards"):
        _once(parts[key], path, key, problems)
    conventions = Conventions(
        _cards(parts["benchmarks"], path, problems),
        _evalcards(parts["evalcards"], path, problems),
        _thresholds(parts["thresholds"], path, problems),
        tuple((path, key, name) for key in KEYS for name in parts[key]),
    )
    problems.check()
    return conventions


def _loaded(data: bytes, path: str) -> Mapping[object, object]:
    content = loads_plain(data, path)
    if not isinstance(content, dict):
        raise EvalreportError(Problem(path, "holds no keys", f"any of: {', '.join(KEYS)}", "mapping"))
    return content


def _object(value: object, path: str, key: str, problems: Problems) -> Mapping[str, object]:
    if isinstance(value, dict):
        return value
    if value not in _NONE:
        problems.add(path, f"{key} is {value!r}", "names with what belongs to them", kind="mapping")
    return {}


def _once(found: Mapping[str, object], path: str, key: str, problems: Problems) -> None:
    """Two spellings of one name would leave it to their order which of them counts."""
    by_name: dict[str, str] = {}
    for name in found:
        first = by_name.setdefault(normalised(name), name)
        if first != name:
            problems.add(path, f"{key}.{name} is {key}.{first} again", "every benchmark once", kind="mapping")


def _cards(found: Mapping[str, object], path: str, problems: Problems) -> Mapping[str, str | None]:
    cards: dict[str, str | None] = {}
    for name, card in found.items():
        if not isinstance(card, str):
            problems.add(path, f"benchmarks.{name} is {card!r}", "the name of a card, or null", kind="mapping")
            continue
        cards[normalised(name)] = None if card in _NONE else card
    return cards


def _evalcards(found: Mapping[str, object], path: str, problems: Problems) -> Mapping[str, Mapping[str, Filled]]:
    known = [field.name for field in completeness_fields().fields if field.source == "reserved"]
    cards: dict[str, dict[str, Filled]] = {}
    for name in found:
        filled = cards.setdefault(normalised(name), {})
        for key, value in _object(found[name], path, f"evalcards.{name}", problems).items():
            where = f"evalcards.{name}.{key}"
            if key not in known:
                problems.add(path, f"{where} is no reserved field", nearest(str(key), known), kind="unknown_key")
            elif not isinstance(value, str):
                problems.add(path, f"{where} is {value!r}", "a text", kind="mapping")
            elif value not in _NONE and value.strip():
                filled[key] = Filled(path, where, shown(value), populated(value))
    return cards


def _thresholds(found: Mapping[str, object], path: str, problems: Problems) -> Mapping[str, Fraction]:
    thresholds = {}
    for name, value in found.items():
        try:
            threshold = parse_decimal(value) if isinstance(value, str) else Fraction(-1)
        except ValueError:
            threshold = Fraction(-1)
        if threshold < 0:
            problems.add(path, f"thresholds.{name} is {value!r}", "a number of at least 0", kind="mapping")
        else:
            thresholds[name] = threshold
    return thresholds
