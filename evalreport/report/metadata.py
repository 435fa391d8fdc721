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
        "scopes": {
            suite: [[name, text] for name, text in suite_scope(values, declared[suite])]
            for suite, values in sorted(settings.items())
        },
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
    """The settings of the whole book. One on which all suites agree stands once, else with its suite.

    >>> a = Setting("alpha", "fraction", None, "A weight.", symbol=r"\\alpha")
    >>> scope({"x": {"alpha": "0.5"}, "y": {"alpha": "0.5"}}, {"x": [a], "y": [a]})
    [('α', '0.5')]
    >>> scope({"x": {"alpha": "0.5"}, "y": {"alpha": "0.4"}}, {"x": [a], "y": [a]})
    [('x α', '0.5'), ('y α', '0.4')]
    """
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for suite in sorted(settings):
        for label, text in suite_scope(settings[suite], declared[suite]):
            found[label][suite] = text
    pairs = []
    for label, by_suite in found.items():
        if len(set(by_suite.values())) == 1:
            pairs.append((label, next(iter(by_suite.values()))))
        else:
            pairs += [(f"{suite} {label}", text) for suite, text in by_suite.items()]
    return pairs


def suite_scope(texts: Mapping[str, str], declared: Sequence[Setting]) -> list[tuple[str, str]]:
    """The settings of one suite for the line below its pages, then what the data decided; of a hash the first digits.

    >>> alpha = Setting("alpha", "fraction", None, "A weight.", symbol=r"\\alpha")
    >>> cards = Setting("cards", "path", None, "Where cards are.")
    >>> suite_scope({"alpha": "0.5", "cards": "data/cards", "rubric_sha256": "3f9ac7e1" * 8}, [alpha, cards])
    [('α', '0.5'), ('rubric', '3f9ac7e1')]
    """
    # what a path holds is in the hash of the data; where it lay tells a reader of a page nothing
    pairs = [(_label(setting), texts.get(setting.name, "")) for setting in declared if setting.kind != "path"]
    for name in sorted(texts.keys() - {setting.name for setting in declared}):
        hashed = name.endswith(_HASH)
        pairs.append((name.removesuffix(_HASH).replace("_", " "), texts[name][:_HASH_SHOWN] if hashed else texts[name]))
    return [(label, text) for label, text in pairs if text]


def _label(setting: Setting) -> str:
    return _GREEK.get(setting.symbol, setting.name.replace("_", " "))
