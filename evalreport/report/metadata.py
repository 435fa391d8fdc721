"""What every page, notebook and citation says about the book: one function makes it all."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evalreport.core.suite import InputFile, Setting
from evalreport.report.escape import Json

SettingTexts = Mapping[str, Mapping[str, str]]
_HASH, _HASH_SHOWN = "_sha256", 8
_GREEK = {r"\alpha": "α", r"\beta": "β", r"\gamma": "γ", r"\tau": "τ", r"\theta": "θ", r"\lambda": "λ", r"\delta": "δ"}


@dataclass(frozen=True, kw_only=True)
class BookWords:
    """What the maintainer says about the book."""

    title: str
    authors: tuple[str, ...]
    version: str
    date: str = ""
    url: str = ""
    licence: str = ""
    doi: str = ""


def book_metadata(
    words: BookWords,
    *,
    settings: SettingTexts,
    declared: Mapping[str, Sequence[Setting]],
    data_sha256: str,
    code_version: str,
) -> dict[str, Json]:
    """The book's own data as JSON. `settings` are texts by suite and name, `declared` what the suites say of them."""
    return {
        "title": words.title,
        "authors": list(words.authors),
        "version": words.version,
        "date": words.date,
        "url": words.url,
        "licence": words.licence,
        "doi": words.doi,
        "data_sha256": data_sha256,
        "code_version": code_version,
        "settings": {suite: dict(sorted(values.items())) for suite, values in sorted(settings.items())},
        "scope": [
            ["data", data_sha256[:8]],
            *([name, text] for name, text in scope(settings, declared)),
            ["code", code_version],
        ],
        "generator": f"evalreport {code_version}",
    }


def data_digest(inputs: Mapping[str, Iterable[InputFile]]) -> str:
    """One sha256 over every input file of every suite: its suite, path and own sha256, sorted.

    >>> data_digest({"b": [InputFile("x", "00", 1)]}) == data_digest({"b": [InputFile("x", "00", 2)]})
    True
    """
    lines = sorted(f"{suite}\0{file.path}\0{file.sha256}\n" for suite, files in inputs.items() for file in files)
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def scope(settings: SettingTexts, declared: Mapping[str, Sequence[Setting]]) -> list[tuple[str, str]]:
    """The settings for the line below each page. One on which all suites agree stands once, else with its suite.

    >>> a = Setting("alpha", "fraction", None, "A weight.", symbol=r"\\alpha")
    >>> scope({"x": {"alpha": "0.5"}, "y": {"alpha": "0.5"}}, {"x": [a], "y": [a]})
    [('α', '0.5')]
    >>> scope({"x": {"alpha": "0.5"}, "y": {"alpha": "0.4"}}, {"x": [a], "y": [a]})
    [('x α', '0.5'), ('y α', '0.4')]
    >>> scope({"x": {"cards": "data/cards"}}, {"x": [Setting("cards", "path", None, "Where cards are.")]})
    []

    What the data decided follows under its own name; of a hash the first digits.

    >>> scope({"x": {"rubric_sha256": "3f9ac7e1" * 8}}, {"x": []})
    [('rubric', '3f9ac7e1')]
    """
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for suite in sorted(settings):
        for setting in declared[suite]:
            # what a path holds is in the hash of the data; where it lay tells a reader of a page nothing
            if setting.kind != "path" and (text := settings[suite].get(setting.name, "")):
                found[_label(setting)][suite] = text
        for name in sorted(settings[suite].keys() - {setting.name for setting in declared[suite]}):
            hashed = name.endswith(_HASH)
            text = settings[suite][name]
            found[name.removesuffix(_HASH).replace("_", " ")][suite] = text[:_HASH_SHOWN] if hashed else text
    pairs = []
    for label, by_suite in found.items():
        if len(set(by_suite.values())) == 1:
            pairs.append((label, next(iter(by_suite.values()))))
        else:
            pairs += [(f"{suite} {label}", text) for suite, text in by_suite.items()]
    return pairs


def _label(setting: Setting) -> str:
    return _GREEK.get(setting.symbol, setting.name.replace("_", " "))
