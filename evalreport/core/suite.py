"""What a suite is to the rest of the project: settings, reading, computing, files, values, audit, pages.

A suite is one folder under `evalreport/suites/` whose package holds `SUITE`, a `Suite`. Nothing else in the project
names a suite: the command line, the build and the registry tests walk `evalreport.suites.all_suites()`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

from evalreport.core.exact import Number, Value
from evalreport.core.executor import Executor
from evalreport.core.privacy import Privacy

if TYPE_CHECKING:
    from evalreport.core.declare import Declarations, Metric
    from evalreport.core.formula import Evaluation

RecordsT = TypeVar("RecordsT")
ResultsT = TypeVar("ResultsT")
SettingValue = Fraction | int | str | bool | None
NOTHING_OF_ITS_OWN = "empty_input"  # the kind of the one problem of an input in which a suite knows no file
Ids = tuple[tuple[str, str], ...]  # (("subject_id", "m-1"), ("subject_version", "1.0")) in declared order


@dataclass(frozen=True)
class Setting:
    """One setting of a suite: the key in `evalreport.yml`, the option on the command line, a line on every page.

    `kind` is how its text is read: "fraction" exactly (never through a float), "integer", "text", "flag", "path".
    `low` and `high` are inclusive bounds unless `open_bounds`. `meaning` is one plain sentence for the parameters page.
    `many` texts may be given (a list in `evalreport.yml`, the option again and again): they are lines of one text.
    """

    name: str
    kind: Literal["fraction", "integer", "text", "flag", "path"]
    default: SettingValue
    meaning: str
    low: Number | None = None
    high: Number | None = None
    open_bounds: bool = False
    choices: tuple[str, ...] = ()
    symbol: str = ""  # LaTeX, when a formula uses it
    many: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Settings:
    """The checked settings of one suite, complete with defaults."""

    values: Mapping[str, SettingValue]

    def fraction(self, name: str) -> Fraction:
        """The exact value of a "fraction" setting."""
        value = self.values[name]
        if isinstance(value, bool) or not isinstance(value, (Fraction, int)):
            raise TypeError(f"{name} is {value!r}; expected a number")
        return Fraction(value)

    def integer(self, name: str) -> int:
        """The value of an "integer" setting."""
        value = self.values[name]
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{name} is {value!r}; expected an integer")
        return value

    def text(self, name: str) -> str | None:
        """The value of a "text" or "path" setting, None when it is not given."""
        value = self.values[name]
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{name} is {value!r}; expected a text")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """The values of a setting that may have many; none when it is not given."""
        return tuple((self.text(name) or "").splitlines())

    def flag(self, name: str) -> bool:
        """The value of a "flag" setting."""
        value = self.values[name]
        if not isinstance(value, bool):
            raise TypeError(f"{name} is {value!r}; expected true or false")
        return value


@dataclass(frozen=True, order=True)
class InputFile:
    """One file that was read: its path relative to the input root (POSIX), its sha256, its size in bytes."""

    path: str
    sha256: str
    bytes: int


@dataclass(frozen=True)
class CsvTable:
    """A CSV file of a suite: `name` without suffix, the header, rows of text cells already formatted."""

    name: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Interval:
    """Two limits and how they were made. `note` says what a reader must know, such as "degenerate"."""

    low: Number | None
    high: Number | None
    level: Fraction
    method: str
    n: int
    resamples: int | None = None
    seed: int | None = None
    note: str = ""


@dataclass(frozen=True)
class ResultValue:
    """One published number: which metric of what, its exact value or why there is none, its n and interval."""

    metric: str
    of: Ids
    value: Value
    n: int | None = None
    interval: Interval | None = None


@dataclass(frozen=True)
class RecordTable:
    """The records behind a number, for a reader: column heads and rows of text, in the order of the sum.

    `total` is how many records there are when `rows` are only the first of them.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    total: int | None = None


@dataclass(frozen=True)
class AuditEntry:
    """A published number beside an independent evaluation of its printed formula over the records.

    `value` is what the code made of the tallies; `evaluation` evaluates the declaration's formula for `args`.
    """

    metric: Metric
    of: Ids
    value: Value
    evaluation: Evaluation
    args: tuple[object, ...] = ()
    records: RecordTable | None = None
    settings: tuple[str, ...] = ()  # names of the settings this number depends on


@dataclass(frozen=True)
class PageJob:
    """One page of the book that a notebook makes: the template's name, where the page goes, its parameters."""

    notebook: str  # "benchmark_subject" -> notebooks/benchmark_subject.ipynb
    docname: str  # "benchmark/subject/aurora-2--2-1", below book/_generated/
    title: str
    parameters: Mapping[str, str | int | float | bool] = field(default_factory=dict)


@dataclass(frozen=True)
class CommandOutput:
    """What a command of a suite made: the files by their path below the output folder, and what it passed over."""

    files: Mapping[str, bytes]
    ignored: Sequence[str] = ()


@dataclass(frozen=True)
class Command:
    """A verb that one suite offers beside those that all have: `evalreport NAME PATH… --out DIR` with these settings.

    `run` reads and validates everything and raises one `EvalreportError` with all problems; it writes nothing. The
    files it returns are written all or not at all, into a folder that may itself be an input afterwards.
    """

    name: str
    summary: str
    settings: tuple[Setting, ...]
    run: Callable[[Sequence[Path], Settings], CommandOutput]


@dataclass(frozen=True)
class Suite(Generic[RecordsT, ResultsT]):
    """Everything the rest of the project may ask of a suite.

    `read` validates everything and raises one `EvalreportError` with all problems; of an input in which it knows no
    file, the one problem is of the kind `NOTHING_OF_ITS_OWN`. `compute` is pure. `tables` are the CSV files of
    `evalreport compute`, `values` the lines of `results.json`, `audit` one entry for each published number that has a
    formula, `pages` the notebooks to run. `inputs` and `ignored` belong to what was read. `texts` are further files of
    results (a table in Markdown or LaTeX): file name and text.
    `scope` are texts that the data decided and that every page states beside the settings, or in place of one that is
    not given: thresholds from a rubric, its hash.
    `remarks` are sentences about what the input states and no table shows, for the page about the data. `schemas` are
    JSON Schemas of the files that the suite reads, by file name, which every book offers.
    `address` tells where a published number is audited, for links from prose; None: such numbers stand unlinked.
    `public` writes the files of an input, as a policy lets them be shown, into a folder that gives the same numbers,
    and names the original of each; None: the files of the suite hold nothing private.
    `read_with` reads what `read` reads, in portions that an executor may hand to other processes or machines; None:
    the suite is read in one piece. Verbs of its own stand in its `verbs.py`, as `VERBS`.
    """

    name: str
    title: str
    summary: str
    settings: tuple[Setting, ...]
    declarations: Declarations
    read: Callable[[Sequence[Path], Settings], RecordsT]
    inputs: Callable[[RecordsT], Sequence[InputFile]]
    ignored: Callable[[RecordsT], Sequence[str]]
    compute: Callable[[RecordsT, Settings], ResultsT]
    tables: Callable[[ResultsT], Sequence[CsvTable]]
    values: Callable[[ResultsT], Iterable[ResultValue]]
    audit: Callable[[ResultsT], Iterable[AuditEntry]]
    pages: Callable[[ResultsT], Sequence[PageJob]]
    texts: Callable[[ResultsT], Mapping[str, str]] = lambda _results: {}
    scope: Callable[[ResultsT], Mapping[str, str]] = lambda _results: {}
    remarks: Callable[[ResultsT], Sequence[str]] = lambda _results: ()
    schemas: Callable[[], Mapping[str, Mapping[str, object]]] = dict
    address: Callable[[ResultsT, ResultValue], str] | None = None
    public: Callable[[Sequence[Path], RecordsT, Privacy, Path], Mapping[str, str]] | None = None
    read_with: Callable[[Sequence[Path], Settings, Executor], RecordsT] | None = None
