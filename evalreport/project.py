"""`evalreport.yml` -> `Project`: what book is made, from which data, with which settings. Everything is checked here.

Numbers are read as text and then exactly, never through a float; a key that is not known is an error.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args, get_type_hints
from urllib.parse import urlsplit

from evalreport import suites as registry
from evalreport.core.exact import Number, parse_decimal, ratio
from evalreport.core.names import nearest
from evalreport.core.privacy import Privacy
from evalreport.core.suite import Command, Setting, Settings, SettingValue, Suite
from evalreport.errors import EvalreportError, Problem, Problems
from evalreport.formats.plain_yaml import loads_plain

FILE = "evalreport.yml"
BUILD = "_build"
SHOWN = 200  # characters of a wrong value that a message shows
KEYS = ("title", "authors", "version", "licence", "url", "date", "doi", "privacy", "suites")
_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+_-]{0,63}")
_FLAGS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_RATIO = re.compile(r"-?[0-9]{1,400}/[0-9]{1,400}")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
DOI = re.compile(r"10\.[0-9]{4,9}/[^\s<>\"{}\\\\]+")
_NOTHING = ("", "null", "~")


@dataclass(frozen=True)
class SuiteChoice:
    """One suite of a book: where its data lies (as written, and resolved) and its complete settings."""

    name: str
    data: tuple[str, ...]
    paths: tuple[Path, ...]
    settings: Settings


@dataclass(frozen=True)
class Project:
    """A book to be: its words, its suites, and the folder that everything is relative to."""

    root: Path
    title: str
    authors: tuple[str, ...]
    version: str
    licence: str = ""
    url: str = ""
    date: str = ""
    suites: tuple[SuiteChoice, ...] = field(default=())
    doi: str = ""
    privacy: Privacy = field(default=Privacy())

    @property
    def build_folder(self) -> Path:
        """Where the book and all that leads to it is written."""
        return self.root / BUILD


def read_project(path: Path) -> Project:
    """Read the project in a folder (or the file itself). Raises `EvalreportError` with everything that is wrong."""
    file = path / FILE if path.is_dir() else path
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        raise EvalreportError(Problem(str(file), "is not there", f"a project folder with {FILE}")) from None
    except OSError as error:
        raise EvalreportError(Problem(str(file), f"cannot be read: {error.strerror}", "a text file")) from None
    content = loads_plain(data, FILE)
    if not isinstance(content, dict):
        raise EvalreportError(Problem(FILE, "holds no keys", f"the keys {', '.join(KEYS)}"))
    return _Reader(file.resolve().parent).project(content)


def read_settings(
    suite: Suite[Any, Any] | Command, given: Mapping[str, object], *, where: str, problems: Problems
) -> Settings:
    """The complete settings of a suite, or of a command, from texts by name; what is wrong is noted in `problems`."""
    known = {setting.name: setting for setting in suite.settings}
    for name in given:
        if name not in known:
            problems.add(f"{where}.{name}", "is no setting", nearest(name, known), kind="unknown_key")
    values: dict[str, SettingValue] = {}
    for name, setting in known.items():
        if name not in given:
            values[name] = setting.default
            continue
        try:
            values[name] = setting_value(setting, given[name])
        except ValueError as error:
            problems.add(f"{where}.{name}", str(error), expectation(setting), kind="setting")
    return Settings(values)


def setting_value(setting: Setting, given: object) -> SettingValue:
    """The exact value of a setting from its text. Raises `ValueError` with what is wrong.

    >>> setting_value(Setting("alpha", "fraction", Fraction(1, 2), "A weight.", low=0, high=1), "0.1")
    Fraction(1, 10)
    """
    if setting.many and isinstance(given, (list, tuple)) and given:
        if not all(isinstance(text, str) and text.splitlines() == [text] for text in given):
            raise ValueError("is no list of texts of one line each")
        given = "\n".join(given)
    if not isinstance(given, str):
        raise ValueError("is no single value")  # noqa: TRY004  (a fault of the input, told like the others)
    if setting.default is None and given in _NOTHING:
        return None
    text = given.strip()
    value: SettingValue
    match setting.kind:
        case "fraction":
            value = _number(text)
        case "integer":
            if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
                raise ValueError(f"is {_shown(given)!r}")
            value = int(text)
        case "flag":
            if text.lower() not in _FLAGS:
                raise ValueError(f"is {_shown(given)!r}")
            value = _FLAGS[text.lower()]
        case "text" | "path":
            value = given
            if not text or (setting.choices and given not in setting.choices):
                raise ValueError(f"is {_shown(given)!r}")
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool) and not _within(setting, value):
        raise ValueError(f"is {_shown(given)}")
    return value


def setting_text(value: SettingValue) -> str:
    """A setting as text: a decimal when it ends, else p/q; the inverse of reading it.

    >>> setting_text(Fraction(1, 2)), setting_text(Fraction(1, 3)), setting_text(None), setting_text(value=True)
    ('0.5', '1/3', '', 'true')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        return _decimal_text(value)
    return str(value)


def expectation(setting: Setting) -> str:
    """What a setting accepts, in words.

    >>> expectation(Setting("alpha", "fraction", Fraction(1, 2), "A weight.", low=0, high=1))
    'a number from 0 to 1'
    """
    if setting.choices:
        return f"one of: {', '.join(setting.choices)}"
    kinds = {"fraction": "a number", "integer": "an integer", "flag": "true or false", "text": "a text"}
    kind = kinds.get(setting.kind, "a path")
    low, high = (None if bound is None else setting_text(Fraction(bound)) for bound in (setting.low, setting.high))
    if low is not None and high is not None:
        return f"{kind} between {low} and {high}" if setting.open_bounds else f"{kind} from {low} to {high}"
    if low is not None:
        return f"{kind} above {low}" if setting.open_bounds else f"{kind} of at least {low}"
    if high is not None:
        return f"{kind} below {high}" if setting.open_bounds else f"{kind} of at most {high}"
    return kind


def _decimal_text(value: Fraction) -> str:
    rest, tens = value.denominator, 0
    while rest > 1 and tens <= 60 and (rest % 2 == 0 or rest % 5 == 0):
        rest //= 10 if rest % 10 == 0 else 2 if rest % 2 == 0 else 5
        tens += 1
    if rest > 1:
        return ratio(value)
    scaled = abs(value.numerator) * 10**tens // value.denominator
    whole, part = divmod(scaled, 10**tens)
    digits = f"{part:0{tens}d}".rstrip("0") if tens else ""
    return f"{'-' if value < 0 else ''}{whole}{'.' if digits else ''}{digits}"


def _shown(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def _number(text: str) -> Fraction:
    try:
        if _RATIO.fullmatch(text):
            return Fraction(text)
        return parse_decimal(text)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"is {_shown(text)!r}") from None


def _within(setting: Setting, value: Number) -> bool:
    if setting.open_bounds:
        return (setting.low is None or value > setting.low) and (setting.high is None or value < setting.high)
    return (setting.low is None or value >= setting.low) and (setting.high is None or value <= setting.high)


class _Reader:
    """Reads the content of one project file and collects what is wrong with it."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._problems = Problems()

    def project(self, content: Mapping[str, object]) -> Project:
        for key in content:
            if key not in KEYS:
                self._add(key, "is no key of a project", nearest(str(key), KEYS), kind="unknown_key")
        project = Project(
            root=self._root,
            title=self._text(content, "title", required=True),
            authors=self._list(content.get("authors", []), "authors"),
            version=self._version(content),
            licence=self._text(content, "licence"),
            url=self._url(content),
            date=self._date(content),
            doi=self._doi(content),
            suites=self._suites(content.get("suites")),
            privacy=self._privacy(content.get("privacy", {})),
        )
        self._problems.check()
        return project

    def _add(self, key: object, what: str, expected: str, *, kind: str = "project") -> None:
        self._problems.add(f"{FILE}: {key}", what, expected, kind=kind)

    def _text(self, content: Mapping[str, object], key: str, *, required: bool = False) -> str:
        value = content.get(key, "")
        if not isinstance(value, str) or (required and not value.strip()):
            self._add(key, "is missing" if key not in content else f"is {value!r}", "a text")
            return ""
        return value.strip()

    def _list(self, value: object, key: str) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(item, str) and item.strip() for item in value):
            self._add(key, f"is {value!r}", "a list of texts")
            return ()
        return tuple(item.strip() for item in value)

    def _version(self, content: Mapping[str, object]) -> str:
        version = self._text(content, "version", required=True)
        if version and not _VERSION.fullmatch(version):
            self._add("version", f"is {version!r}", "letters, digits, '.', '+', '_' and '-'")
        return version

    def _url(self, content: Mapping[str, object]) -> str:
        url = self._text(content, "url")
        parts = urlsplit(url)
        if url and not (parts.scheme in {"http", "https"} and parts.netloc and not parts.query and not parts.fragment):
            self._add("url", f"is {url!r}", "the http(s) address below which the book will stand")
        return url

    def _doi(self, content: Mapping[str, object]) -> str:
        doi = self._text(content, "doi")
        if doi and not DOI.fullmatch(doi):
            self._add("doi", f"is {doi!r}", "a DOI such as 10.5281/zenodo.1234567")
        return doi

    def _date(self, content: Mapping[str, object]) -> str:
        date = self._text(content, "date")
        try:
            datetime.date.fromisoformat(date or "2000-01-01")
            is_date = not date or _DATE.fullmatch(date) is not None
        except ValueError:
            is_date = False
        if not is_date:
            self._add("date", f"is {date!r}", "a date as YYYY-MM-DD")
        return date

    def _privacy(self, content: object) -> Privacy:
        choices = {name: get_args(kind) for name, kind in get_type_hints(Privacy).items()}
        if not isinstance(content, dict):
            self._add("privacy", "holds no keys", f"the keys {', '.join(choices)}")
            return Privacy()
        for key, value in content.items():
            if key not in choices:
                self._add(f"privacy.{key}", "is no key of the policy", nearest(str(key), choices), kind="unknown_key")
            elif value not in choices[key]:
                self._add(f"privacy.{key}", f"is {value!r}", f"one of: {', '.join(choices[key])}")
        sound = {key: value for key, value in content.items() if value in choices.get(key, ())}
        return Privacy(**sound)

    def _suites(self, content: object) -> tuple[SuiteChoice, ...]:
        if not isinstance(content, dict) or not content:
            self._add("suites", "is missing" if content is None else "names none", "one suite or more")
            return ()
        known = registry.all_suites()
        found: list[SuiteChoice] = []
        for name, body in content.items():
            if name not in known:
                self._add(f"suites.{name}", "is no suite", nearest(str(name), known), kind="unknown_key")
            elif not isinstance(body, dict):
                self._add(f"suites.{name}", "holds no keys", "data, and settings of the suite")
            else:
                found.append(self._suite(known[name], body))
        return tuple(sorted(found, key=lambda choice: choice.name))

    def _suite(self, suite: Suite[Any, Any], body: Mapping[str, object]) -> SuiteChoice:
        where = f"suites.{suite.name}"
        data = self._list(body.get("data", []), f"{where}.data")
        if not body.get("data"):
            self._add(f"{where}.data", "is missing", "a list of paths")
        paths = tuple(self._path(text, where) for text in data)
        given = {key: value for key, value in body.items() if key != "data"}
        settings = read_settings(suite, given, where=f"{FILE}: {where}", problems=self._problems)
        return SuiteChoice(suite.name, data, paths, settings)

    def _path(self, text: str, where: str) -> Path:
        path = (self._root / text).resolve()
        if not path.exists():
            self._add(f"{where}.data", f"{text} is not there", "a file or folder, relative to the project")
        elif (self._root / BUILD).is_relative_to(path) or path.is_relative_to(self._root / BUILD):
            expected = f"data that does not hold {BUILD}/, where the book is written"
            self._add(f"{where}.data", f"{text} and {BUILD}/ lie in each other", expected, kind="output_in_input")
        return path
