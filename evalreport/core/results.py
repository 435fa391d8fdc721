"""Results on disk: the CSV files of a suite and `results.json`, written all or not at all.

Text stands in the files exactly as it was read: an id is an id, also when it begins with "=". Programs read these
files back, and a changed id would be another id. What protects a reader who opens a file in a spreadsheet belongs to
the pages that offer it, not into the data (docs/adr/0010-text-in-csv.md).
"""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from json.encoder import encode_basestring
from math import isfinite
from pathlib import Path
from types import MappingProxyType

from evalreport.core.exact import Number, Undefined, ratio
from evalreport.core.suite import CsvTable, InputFile, Interval, ResultValue, Settings, SettingValue
from evalreport.errors import EvalreportError, Problem

SCHEMA = 1
# A folder with this file in it was written by this project: readers leave it out. The file lists what was written (as
# JSON), so that the folder is replaced only while it holds nothing else.
MARKER = ".evalreport-output"
TREE_MARKER = ".evalreport-tree"  # likewise, but what is in the folder is read like any other input
Json = bool | int | float | str | None | Sequence["Json"] | Mapping[str, "Json"]


def csv_bytes(table: CsvTable) -> bytes:
    """A table as CSV: UTF-8, commas, LF, quotes only where a cell needs them.

    Raises `ValueError` for a row of another length than the header.

    >>> csv_bytes(CsvTable("t", ("a", "b"), (("1", "x,y"),))).decode().splitlines()
    ['a,b', '1,"x,y"']
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.header)
    for row in table.rows:
        if len(row) != len(table.header):
            raise ValueError(f"{table.name}: a row of {len(row)} cells; expected {len(table.header)}")
        writer.writerow(row)
    return text.getvalue().encode("utf-8", "backslashreplace")


def results_json(
    *, suite: str, settings: Settings, inputs: Iterable[InputFile], values: Iterable[ResultValue]
) -> bytes:
    """`results.json` as bytes: strict JSON, values sorted by metric and ids, numbers also as exact fractions.

    >>> value = ResultValue("s.share", (("id", "a"),), Fraction(1, 3), 3)
    >>> document = json.loads(results_json(suite="s", settings=Settings({}), inputs=(), values=[value]))
    >>> [document["values"][0][name] for name in ("metric", "of", "value", "exact", "n")]
    ['s.share', {'id': 'a'}, 0.3333333333333333, '1/3', 3]
    """
    ordered = sorted(values, key=lambda v: (v.metric, v.of))
    document: Json = {
        "schema": SCHEMA,
        "suite": suite,
        "settings": {name: setting_json(settings.values[name]) for name in sorted(settings.values)},
        "inputs": [{"path": i.path, "sha256": i.sha256, "bytes": i.bytes} for i in sorted(inputs)],
        "values": [],
    }
    head = json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False).removesuffix("[]\n}")
    # a large corpus publishes half a million values: as one structure they would take gigabytes
    lines = [_bytes(_indented(_value_json(value), 2)) for value in ordered]
    return _bytes(head) + (b"[\n  " + b",\n  ".join(lines) + b"\n ]" if lines else b"[]") + b"\n}\n"


def setting_json(value: SettingValue) -> bool | int | float | str | None:
    """A setting in JSON: a number when its decimal text is exact, otherwise the fraction as text.

    >>> setting_json(Fraction(19, 20)), setting_json(Fraction(1, 3))
    (0.95, '1/3')
    """
    if isinstance(value, Fraction):
        number = number_json(value)
        return number if Fraction(repr(number)) == value else ratio(value)
    return value


def number_json(value: Number) -> int | float:
    """The number nearest to an exact value that JSON readers agree on; whole numbers stay whole.

    What no binary float can hold is rounded to a whole number.

    >>> number_json(Fraction(4, 2)), number_json(Fraction(1, 3)), number_json(Fraction(10**400, 3)) == 10**400 // 3
    (2, 0.3333333333333333, True)
    """
    try:
        return int(value) if value.denominator == 1 else float(value)
    except OverflowError:
        return round(value)


def write_results(
    out: Path,
    *,
    suite: str,
    settings: Settings,
    inputs: Iterable[InputFile],
    tables: Sequence[CsvTable],
    values: Iterable[ResultValue],
    texts: Mapping[str, str] = MappingProxyType({}),
    sources: Sequence[Path] = (),
) -> tuple[Path, ...]:
    """Write all files of a suite into `out`, replacing what an earlier run wrote there as a whole.

    Everything is written beside `out` first and takes its place by renaming, so `out` holds either what it held
    before or all of the new. Raises `EvalreportError` when `out` may not be replaced (see `check_output`) or cannot be
    written. `sources` are the paths that were read. Returns the paths of the files.
    """
    files = {f"{table.name}.csv": csv_bytes(table) for table in tables}
    files["results.json"] = results_json(suite=suite, settings=settings, inputs=inputs, values=values)
    files |= {name: text.encode("utf-8", "backslashreplace") for name, text in texts.items()}
    _replace(out, files, MARKER, sources)
    return tuple(out / name for name in files)


def replace_tree(out: Path, files: Mapping[str, bytes], *, sources: Sequence[Path] = ()) -> None:
    """Make `out` a folder with exactly these files, by their paths in it, that may be an input afterwards.

    Like `write_results`, all or nothing, but readers do not leave the folder out.
    """
    _replace(out, files, TREE_MARKER, sources)


def _replace(out: Path, files: Mapping[str, bytes], marker: str, sources: Sequence[Path]) -> None:
    check_output(out, sources, marker=marker)
    try:
        _write(out.resolve(), {**files, marker: (json.dumps(sorted(files), indent=1) + "\n").encode()})
    except OSError as error:
        what = f"cannot be written: {error.strerror}"
        expected = "a place where a folder can be made and renamed"
        raise EvalreportError(Problem(str(out), what, expected, "unwritable")) from error


def _write(place: Path, files: Mapping[str, bytes]) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{place.name}.new-", dir=place.parent))
    try:
        for name, data in files.items():
            path = fresh / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        fresh.chmod(0o777 & ~_umask())
        _swap(fresh, place)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise


def _swap(fresh: Path, place: Path) -> None:
    if not place.exists():
        fresh.rename(place)
        return
    old = Path(tempfile.mkdtemp(prefix=f".{place.name}.old-", dir=place.parent))
    place.rename(old / place.name)
    try:
        fresh.rename(place)
    except BaseException:
        (old / place.name).rename(place)
        old.rmdir()
        raise
    shutil.rmtree(old)


def check_output(out: Path, sources: Sequence[Path] = (), *, marker: str = MARKER) -> None:
    """Refuse a place for results that may not be replaced as a whole; to be asked before long work too.

    That is a file, what was read (`sources`) or a folder above it, a folder with anything in it that an earlier run of
    the same kind (`marker`) did not write, and the folder that this process works in.
    """
    place = out.resolve()
    read = [source for source in sources if source.resolve().is_relative_to(place)]
    if place.exists() and not place.is_dir():
        raise _no_output(out, "is a file", "a folder", "output_is_a_file")
    if read:
        raise _no_output(out, f"is or holds the input {str(read[0])!r}", "a folder apart from it", "output_is_input")
    if place.is_dir() and (foreign := _foreign(place, marker)):
        what = f"holds files that this program did not write, such as {foreign[0]!r}"
        expected = "a new or empty folder, or one from an earlier run with nothing added"
        raise _no_output(out, what, expected, "output_is_foreign")
    if Path.cwd().is_relative_to(place):
        raise _no_output(out, "is the folder you work in", "another folder", "output_is_working_folder")


def _foreign(place: Path, marker: str) -> list[str]:
    """What stands in a folder and was not written by an earlier run, in order."""
    own = {place / name for name in (marker, *_listed(place / marker))}
    folders = {parent for path in own for parent in path.parents}
    found = place.rglob("*")
    return sorted(
        path.relative_to(place).as_posix() for path in found if path not in (folders if path.is_dir() else own)
    )


def _listed(marker: Path) -> list[str]:
    try:
        listed = json.loads(marker.read_bytes())
    except (OSError, ValueError):
        return []
    return [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []


def _no_output(out: Path, what: str, expected: str, kind: str) -> EvalreportError:
    return EvalreportError(Problem(str(out), what, expected, kind))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def _indented(value: Json, depth: int) -> str:
    """What `json.dumps(…, indent=1)` writes at this depth, faster."""
    if isinstance(value, str):
        return encode_basestring(value)
    if value is None:
        return "null"
    if type(value) is int:
        return str(value)
    if type(value) is float and isfinite(value):
        return repr(value)
    if isinstance(value, Mapping) and value:
        start = "\n" + " " * (depth + 1)
        members = (f"{encode_basestring(name)}: {_indented(member, depth + 1)}" for name, member in value.items())
        return "{" + start + f",{start}".join(members) + "\n" + " " * depth + "}"
    return json.dumps(value, allow_nan=False)


def _value_json(value: ResultValue) -> dict[str, Json]:
    exact = None if isinstance(value.value, Undefined) else value.value
    return {
        "metric": value.metric,
        "of": dict(value.of),
        "value": None if exact is None else number_json(exact),
        "exact": None if exact is None else ratio(exact),
        "n": value.n,
        "undefined": value.value.reason if isinstance(value.value, Undefined) else None,
        "interval": None if value.interval is None else _interval_json(value.interval),
    }


def _interval_json(interval: Interval) -> dict[str, Json]:
    return {
        "low": None if interval.low is None else number_json(interval.low),
        "high": None if interval.high is None else number_json(interval.high),
        "level": setting_json(interval.level),
        "method": interval.method,
        "n": interval.n,
        "resamples": interval.resamples,
        "seed": interval.seed,
        "note": interval.note,
    }
