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
from pathlib import Path
from types import MappingProxyType

from evalreport.core.exact import Number, Undefined, ratio
from evalreport.core.suite import CsvTable, InputFile, Interval, ResultValue, Settings, SettingValue
from evalreport.errors import EvalreportError, Problem

SCHEMA = 1
# A folder with this file in it was written by this project: readers leave it out, and it may be replaced.
MARKER = ".evalreport-output"
TREE_MARKER = ".evalreport-tree"  # likewise, but what is in the folder is read like any other input
Json = bool | int | float | str | None | Sequence["Json"] | Mapping[str, "Json"]


def csv_bytes(table: CsvTable) -> bytes:
    """A table as CSV: UTF-8, commas, LF, quotes only where a cell needs them.

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
    """`results.json` as bytes: strict JSON, values sorted by metric and ids, numbers also as exact fractions."""
    ordered = sorted(values, key=lambda v: (v.metric, v.of))
    document: Json = {
        "schema": SCHEMA,
        "suite": suite,
        "settings": {name: setting_json(settings.values[name]) for name in sorted(settings.values)},
        "inputs": [{"path": i.path, "sha256": i.sha256, "bytes": i.bytes} for i in sorted(inputs)],
        "values": [_value_json(v) for v in ordered],
    }
    return (json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n").encode(
        "utf-8", "backslashreplace"
    )


def setting_json(value: SettingValue) -> bool | int | float | str | None:
    """A setting in JSON: a number when its decimal text is exact, otherwise the fraction as text.

    >>> setting_json(Fraction(19, 20)), setting_json(Fraction(1, 3))
    (0.95, '1/3')
    """
    if isinstance(value, Fraction):
        return number_json(value) if Fraction(repr(float(value))) == value else ratio(value)
    return value


def number_json(value: Number) -> int | float:
    """The number nearest to an exact value that JSON readers agree on; whole numbers stay whole.

    >>> number_json(Fraction(4, 2)), number_json(Fraction(1, 3))
    (2, 0.3333333333333333)
    """
    return int(value) if value.denominator == 1 else float(value)


def write_results(
    out: Path,
    *,
    suite: str,
    settings: Settings,
    inputs: Iterable[InputFile],
    tables: Sequence[CsvTable],
    values: Iterable[ResultValue],
    texts: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Path, ...]:
    """Write all files of a suite into `out`, replacing what an earlier run wrote there as a whole.

    Everything is written beside `out` first and takes its place by renaming, so `out` holds either what it held
    before or all of the new. Raises `EvalreportError` when `out` is a file, or a folder with other things in it.
    Returns the paths of the files.
    """
    files = {f"{table.name}.csv": csv_bytes(table) for table in tables}
    files["results.json"] = results_json(suite=suite, settings=settings, inputs=inputs, values=values)
    files |= {name: text.encode("utf-8", "backslashreplace") for name, text in texts.items()}
    replace_folder(out, files)
    return tuple(out / name for name in files)


def replace_folder(out: Path, files: Mapping[str, bytes]) -> None:
    """Make `out` a folder with exactly these files and the marker; see `write_results`."""
    _replace(out, files, MARKER)


def replace_tree(out: Path, files: Mapping[str, bytes]) -> None:
    """Make `out` a folder with exactly these files, by their paths in it, that may be an input afterwards.

    Like `replace_folder`, all or nothing, but readers do not leave the folder out.
    """
    _replace(out, files, TREE_MARKER)


def _replace(out: Path, files: Mapping[str, bytes], marker: str) -> None:
    place = out.resolve()
    _check_replaceable(out, place, marker)
    place.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{place.name}.new-", dir=place.parent))
    try:
        for name, data in {**files, marker: b""}.items():
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


def _check_replaceable(out: Path, place: Path, marker: str) -> None:
    if place.exists() and not place.is_dir():
        raise EvalreportError(Problem(str(out), "is a file", "a folder", "output_is_a_file"))
    if place.is_dir() and any(place.iterdir()) and not (place / marker).is_file():
        raise EvalreportError(
            Problem(
                str(out),
                "holds files that this program did not write",
                "a new or empty folder, or one from an earlier run",
                "output_is_foreign",
            )
        )


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


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
