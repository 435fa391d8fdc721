"""Tables of scores, one row a score: CSV (comma, semicolon or tab), JSON Lines, a JSON list, Parquet; also packed.

A row has `model_id`, `task_id` and `score`, and what else is known of it. A row that is not sound refuses the input;
all such rows are told at once, by their numbers.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from sys import intern
from typing import Literal

from evalreport.core.exact import parse_decimal
from evalreport.errors import EvalreportError, Problem, Problems
from evalreport.formats import inputs, parquet_cells
from evalreport.formats.evalrun import EvalRun, Reading
from evalreport.formats.inputs import SourceFile
from evalreport.formats.json_faults import text_of
from evalreport.formats.strict_json import lines, loads_exact

NAME = "evalrun"
DESCRIPTION = "Tables of scores with model_id, task_id and score: CSV, JSON Lines, JSON, Parquet; also with .gz"

REQUIRED = ("model_id", "task_id", "score")
DELIMITERS = (",", ";", "\t")
FINEST_SHARE = 12  # decimals of a score beyond which it is the share itself, and a float of it
_TEXTS = ("model_id", "task_id", "metric_name", "category", "cluster", "run_id", "item_id", "evaluated_at", "better")
_NUMBERS = ("score", "weight", "n_correct", "n_total", "n", "low", "high")
KNOWN = frozenset((*_TEXTS, *_NUMBERS))
_NO_NUMBER = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_SCORE_PATH = re.compile(r"\.score( |$)")

# the same few decimals come again and again; the bound keeps a hostile file from filling the memory
_parsed = lru_cache(maxsize=1 << 12)(parse_decimal)

Cell = str | int | Fraction | bool | None | object
Row = Mapping[str, Cell]


def recognises(file: SourceFile, head: bytes) -> bool:
    """Whether a file is a table of scores, by its suffix and its first bytes."""
    name = file.name.removesuffix(".gz")
    if name.endswith(".parquet"):
        return {"model_id", "task_id"} <= (parquet_cells.names_of(file) or frozenset())
    if name.endswith((".csv", ".tsv")):
        names = {name.strip().lower() for name in re.split(r'"?[,;|\t]"?', _first_line(head).strip('"'))}
        return len(names & {*REQUIRED}) > 1  # also with a blank or a capital too many: reading names the column
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if name.endswith(".json") and head[:2] in _UTF_16:
        return "model_id" in head.decode("utf-16", "replace")
    if name.endswith(".json") and start[:1] == b"[":
        return start[1:].lstrip()[:1] == b"]" or _names_a_score(start)
    return name.endswith(".jsonl") and start[:1] == b"{" and _names_a_score(start)


def _first_line(head: bytes) -> str:
    if head[:2] in _UTF_16:
        return head.decode("utf-16", "replace").split("\n", 1)[0].strip()
    return head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].decode("utf-8", "replace").strip()


def _names_a_score(start: bytes) -> bool:
    return b'"model_id"' in start and (b'"task_id"' in start or b'"score"' in start)


def read(files: Sequence[SourceFile]) -> Reading:
    """The scores of all tables. Raises one `EvalreportError` with every row that is not sound, of every file."""
    problems = Problems()
    runs: list[EvalRun] = []
    notes: list[str] = []
    for file in files:
        try:
            table = _table(file)
        except EvalreportError as error:
            problems.extend(_as_score(problem) for problem in error.problems)
            continue
        notes += table.notes
        for key, row in table.rows:
            found = _Row(file.path, key, row, problems, table).run()
            if found is not None:
                runs.append(found)
    problems.check()
    return Reading(tuple(runs), notes=tuple(sorted(notes)), one_per_task=True)


@dataclass(frozen=True)
class _Table:
    """Rows with what they are called ("row 3"), and how their numbers are written."""

    rows: Sequence[tuple[str, Row]]
    notes: tuple[str, ...] = ()
    typed: bool = True
    decimal_comma: bool = False
    percent: bool = False


def _table(file: SourceFile) -> _Table:
    data, _ = inputs.read(file)
    path, name = file.path, file.name.removesuffix(".gz")
    if name.endswith((".csv", ".tsv")):
        return _csv_table(data, path)
    if name.endswith(".parquet"):
        return _Table([(f"row {place}", row) for place, row in enumerate(parquet_cells.rows(data, path), 1)])
    if name.endswith(".jsonl"):
        return _jsonl_table(data, path)
    return _Table(_objects(_as_list(loads_exact(data, path), path), path, lambda place: f"$[{place}]"))


def _csv_table(data: bytes, path: str) -> _Table:
    text = text_of(data, path)
    problems = Problems()
    first = text.split("\n", 1)[0]
    delimiter = max(DELIMITERS, key=lambda mark: (first.count(mark), -DELIMITERS.index(mark)))
    try:
        records = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True) if row]
    except csv.Error as error:
        raise EvalreportError(Problem(path, f"is no CSV: {error}", "a table", "syntax")) from None
    header, *rows = records or [[]]
    for column in sorted({name for name in header if header.count(name) > 1}):
        problems.add(path, f"has {header.count(column)} columns {column!r}", "one column of a name", kind="header")
    for column in REQUIRED:
        if column not in header:
            near = [name for name in header if name.strip().lower() == column]
            what = f"has a column {near[0]!r} in its header" if near else f"has the header {', '.join(header)!r}"
            problems.add(path, what, f"a column {column!r}", kind="missing_field")
    for place, row in enumerate(rows, 2):
        if len(row) != len(header):
            cut = place == len(rows) + 1 and len(row) < len(header) and not text.endswith("\n")
            what = f"has {len(row)} cells" + (" and no line end: the file is cut off" if cut else "")
            problems.add(f"{path}: row {place}", what, f"{len(header)} cells", kind="cut" if cut else "cells")
    problems.check()
    scores = [row[header.index("score")].strip() for row in rows]
    percent = [score.endswith("%") for score in scores]
    if any(percent) and not all(percent):
        signed, bare = percent.index(True), percent.index(False)
        what = f"score is {scores[signed]!r} with a percent sign, and {scores[bare]!r} without in row {bare + 2}"
        raise EvalreportError(Problem(f"{path}: row {signed + 2}", what, "one scale for all scores", "score_scale"))
    notes = (
        [] if text.endswith(("\n", "\r")) or not rows else [f"{path}: the last line has no line end; it may be cut off"]
    )
    if any(percent):
        notes.append(f"{path}: scores are written in percent and were divided by 100")
    return _Table(
        [(f"row {place}", dict(zip(header, row, strict=True))) for place, row in enumerate(rows, 2)],
        tuple(notes),
        typed=False,
        decimal_comma=delimiter != ",",
        percent=any(percent),
    )


def _jsonl_table(data: bytes, path: str) -> _Table:
    problems = Problems()
    found: list[tuple[str, Row]] = []
    for number, line in lines(data):
        try:
            value = loads_exact(line, f"{path}: line {number}")
        except EvalreportError as error:
            problems.extend(error.problems)
            continue
        if isinstance(value, dict):
            found.append((f"line {number}", value))
        else:
            problems.add(f"{path}: line {number}", "is no object", "an object for each score", kind="syntax")
    problems.check()
    return _Table(found)


def _as_list(value: object, path: str) -> list[object]:
    if isinstance(value, list):
        return value
    raise EvalreportError(Problem(path, "is no list", "a list of objects", "syntax"))


def _objects(values: Sequence[object], path: str, key: Callable[[int], str]) -> list[tuple[str, Row]]:
    problems = Problems()
    found: list[tuple[str, Row]] = []
    for place, value in enumerate(values):
        if isinstance(value, dict):
            found.append((key(place), value))
        else:
            problems.add(f"{path}: {key(place)}", "is no object", "an object for each score", kind="syntax")
    problems.check()
    return found


def _as_score(problem: Problem) -> Problem:
    """A score that is NaN or Infinity is a score out of range, whichever reader finds it."""
    if problem.kind == "not_finite" and _SCORE_PATH.search(problem.what):
        return Problem(problem.where, problem.what, "a number from 0 to 1", "score_range")
    return problem


@dataclass
class _Row:
    """One row while it is checked: every fault is noted, and a row with a fault gives no score."""

    path: str
    key: str
    row: Row
    problems: Problems
    table: _Table
    sound: bool = True
    notes: tuple[str, ...] = ()

    def run(self) -> EvalRun | None:
        """The score that the row states, or None when something is wrong with it."""
        ids = {name: self._text(name) for name in _TEXTS}
        for name in ("model_id", "task_id"):
            if not ids[name]:
                self._fault(f"{name} is missing", "a text that is not empty", "missing_field")
        better = self._better(ids["better"])
        score, low, high = self._score()
        weight = self._number("weight")
        if weight is not None and weight < 0:
            self._fault(f"weight is {self._shown('weight')}", "a number from 0", "weight_range")
        correct, total, n = self._count("n_correct"), self._count("n_total"), self._count("n")
        self._check_counts(score, correct, total, n)
        date = self._date(ids["evaluated_at"]) if self.sound else None
        if not self.sound or score is None:
            return None
        return EvalRun(
            model_id=intern(ids["model_id"]),
            task_id=intern(ids["task_id"]),
            metric_name=intern(ids["metric_name"] or "score"),
            score=score,
            category=intern(ids["category"] or "general"),
            weight=Fraction(1) if weight is None else weight,
            cluster=intern(ids["cluster"]),
            run_id=ids["run_id"],
            item_id=ids["item_id"],
            n_correct=correct,
            n_total=total,
            n=total if total is not None else n,
            better=better,
            low=low,
            high=high,
            date=date,
            file=self.path,
            key=self.key,
            notes=self.notes,
            columns=tuple(self._others()),
        )

    def _check_counts(self, score: Fraction | None, correct: int | None, total: int | None, n: int | None) -> None:
        """Counts that cannot be, or that say another thing than the score or than each other."""
        if self._states("n_correct") != self._states("n_total"):
            self._fault("one of n_correct and n_total is missing", "both or neither", "count")
        if total is None:
            return
        if total < 1 or (correct is not None and correct > total):
            self._fault(f"n_correct is {correct} and n_total is {total}", "0 to n_total of at least 1", "count")
        elif correct is not None and score is not None and not _rounds_to(score, Fraction(correct, total)):
            what = f"score is {self._shown('score')}, and n_correct is {correct} of n_total {total}"
            self._fault(what, "the share of right ones as the score", "count")
        if n is not None and n != total:
            self._fault(f"n is {n} and n_total is {total}", "one number of items", "count")

    def _states(self, name: str) -> bool:
        return self.row.get(name) not in (None, "")

    def _fault(self, what: str, expected: str, kind: str) -> None:
        self.sound = False
        self.problems.add(f"{self.path}: {self.key}", what, expected, kind=kind)

    def _shown(self, name: str) -> str:
        value = self.row.get(name)
        if isinstance(value, Fraction):
            return str(value if value.denominator == 1 else float(value) if abs(value) < 1e300 else "a huge number")
        if value is None or isinstance(value, bool):
            return {None: "missing", True: "true", False: "false"}[value]
        return repr(value) if isinstance(value, (str, list, dict)) else str(value)

    def _text(self, name: str) -> str:
        value = self.row.get(name)
        if value is None:
            return ""
        if isinstance(value, str):
            return value
        if name == "evaluated_at" and isinstance(value, (int, Fraction)) and not isinstance(value, bool):
            return str(value)
        self._fault(f"{name} is {self._shown(name)}", "a text", "not_a_text")
        return "?"

    def _number(self, name: str) -> Fraction | None:
        """The number of a column that need not be there, or None."""
        value = self.row.get(name)
        if value is None or value == "":
            return None
        exact = self._exact_number(value)
        if exact is None:
            self._fault(f"{name} is {self._shown(name)}", "a number", "not_a_number")
        return exact

    def _exact_number(self, value: Cell) -> Fraction | None:
        if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
            return Fraction(value)
        if self.table.typed or not isinstance(value, str):
            return None
        text = value.strip()
        if self.table.decimal_comma:
            text = text.replace(",", ".", 1)
        try:
            return _parsed(text)
        except ValueError:
            return None

    def _better(self, text: str) -> Literal["higher", "lower"]:
        if text == "lower":
            return "lower"
        if text not in ("", "higher"):
            self._fault(f"better is {text!r}", "higher or lower", "direction")
        return "higher"

    def _score(self) -> tuple[Fraction | None, Fraction | None, Fraction | None]:
        """The score with the ends of its scale: 0 and 1, unless the row states another scale or direction."""
        low, high = self._number("low"), self._number("high")
        if low is None and high is None and self.row.get("better") != "lower":
            low, high = Fraction(0), Fraction(1)
        value = self.row.get("score")
        if low is not None and high is not None and low >= high:
            self._fault(f"low is {self._shown('low')} and high is {self._shown('high')}", "low below high", "scale")
            return None, low, high
        expected = _scale(low, high)
        if isinstance(value, str) and _NO_NUMBER.fullmatch(value.strip()):
            self._fault(f"score is {value.strip()}", expected, "score_range")
            return None, low, high
        if self.table.percent and isinstance(value, str):
            value = value.strip().removesuffix("%").rstrip()
        written = self._exact_number(value)
        if written is None:
            self._fault(f"score is {self._shown('score') or 'missing'}", expected, "not_a_number")
            return None, low, high
        score = written / 100 if self.table.percent else written
        if (low is not None and score < low) or (high is not None and score > high):
            self._fault(f"score is {self._shown('score')}", expected, "score_range")
        return score, low, high

    def _count(self, name: str) -> int | None:
        value = self.row.get(name)
        if value is None or value == "":
            return None
        exact = self._exact_number(value)
        if exact is None or exact.denominator != 1 or exact < 0:
            self._fault(f"{name} is {self._shown(name)}", "a whole number from 0", "count")
            return None
        return int(exact)

    def _date(self, text: str) -> Fraction | None:
        """Seconds since 1970 UTC. A time without a zone is no point in time: it is noted and not used."""
        if not text:
            return None
        try:
            return parse_decimal(text)
        except ValueError:
            pass
        try:
            time = datetime.fromisoformat(text)
        except ValueError:
            self._fault(f"evaluated_at is {text!r}", "a time in ISO 8601, or seconds since 1970", "time")
            return None
        if time.tzinfo is None:
            self.notes = (f"evaluated_at is {text}, without a time zone",)
            return None
        return Fraction(str(time.timestamp()))

    def _others(self) -> Iterator[tuple[str, str]]:
        for name, value in self.row.items():
            if name not in KNOWN and isinstance(value, (str, int)) and not isinstance(value, bool):
                yield intern(name), intern(str(value))


def _rounds_to(score: Fraction, share: Fraction) -> bool:
    """Whether a score may be a share as it was written: rounded or cut, with two decimals at least.

    >>> _rounds_to(Fraction(33, 100), Fraction(1, 3)), _rounds_to(Fraction(9, 10), Fraction(1, 2))
    (True, False)
    """
    decimals = 2
    while decimals < FINEST_SHARE and 10**decimals % score.denominator:
        decimals += 1
    return abs(score - share) < Fraction(1, 10**decimals)


def _scale(low: Fraction | None, high: Fraction | None) -> str:
    match low, high:
        case None, None:
            return "a number"
        case _, None:
            return f"a number from {low}"
        case None, _:
            return f"a number up to {high}"
        case _:
            return f"a number from {low} to {high}"
