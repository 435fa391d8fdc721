"""Which reader understands which file: every module of this package that reads evaluation runs is one.

A reader is a module with `NAME`, `DESCRIPTION`, `recognises(file, head)` and `read(files)`; nothing names it. A file
that two readers claim is refused, one that none claims is ignored and listed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Protocol, cast

import evalreport.formats
from evalreport.core.suite import InputFile
from evalreport.errors import EvalreportError, Problems
from evalreport.formats import inputs
from evalreport.formats.evalrun import Reading, SetAside
from evalreport.formats.inputs import SourceFile
from evalreport.formats.parquet_cells import is_whole

HEAD = 1 << 16  # bytes of a file, unpacked, by which a reader tells whether it is one of its own


class _Reader(Protocol):
    NAME: str
    DESCRIPTION: str

    def recognises(self, file: SourceFile, head: bytes) -> bool: ...

    def read(self, files: Sequence[SourceFile]) -> Reading: ...


@dataclass(frozen=True)
class Format:
    """One outside format: its name, what it is in one sentence, and its two functions."""

    name: str
    description: str
    recognises: Callable[[SourceFile, bytes], bool]
    read: Callable[[Sequence[SourceFile]], Reading]


@dataclass(frozen=True)
class Sources:
    """What all readers found, the files they read, and the files that no reader knows."""

    readings: tuple[Reading, ...]
    inputs: tuple[InputFile, ...]
    ignored: tuple[str, ...]


@cache
def all_formats() -> tuple[Format, ...]:
    """Every format of evaluation runs, in the order of the modules' names."""
    found = []
    for module in sorted(iter_modules(evalreport.formats.__path__), key=lambda m: m.name):
        reader = import_module(f"{evalreport.formats.__name__}.{module.name}")
        if all(hasattr(reader, name) for name in ("NAME", "DESCRIPTION", "recognises", "read")):
            one = cast("_Reader", reader)
            found.append(Format(one.NAME, one.DESCRIPTION, one.recognises, one.read))
    return tuple(found)


def read_sources(paths: Sequence[Path]) -> Sources:
    """Everything below the paths that some reader knows.

    Raises one `EvalreportError` with the problems of all files. A Git LFS pointer is set aside: the file it stands for
    was never fetched, and the others still count.
    """
    problems = Problems()
    found = inputs.find(paths)
    files: dict[str, list[SourceFile]] = {one.name: [] for one in all_formats()}
    records: list[InputFile] = []
    pointers: list[SetAside] = []
    ignored = list(found.ignored)
    for file in found.files:
        try:
            data, record = inputs.read(file)
        except EvalreportError as error:
            if any(problem.kind == "lfs_pointer" for problem in error.problems):
                pointers.append(SetAside(file.path, "", "a Git LFS pointer", "its content was not fetched"))
            else:
                problems.extend(error.problems)
            continue
        head, damaged = data[:HEAD], file.name.endswith(".parquet") and not is_whole(data)
        del data  # a reader reads its files itself, one at a time
        claims = [one.name for one in all_formats() if one.recognises(file, head)]
        if not claims and damaged:
            problems.add(file.path, "is a damaged file", "a whole Parquet file", kind="damaged")
        elif not claims:
            ignored.append(file.path)
        if not claims:
            continue
        if len(claims) > 1:
            problems.add(file.path, f"may be {' or '.join(claims)}", "a file of one format", kind="ambiguous_format")
        files[claims[0]].append(file)
        records.append(record)
    readings = [Reading(set_aside=tuple(pointers))] if pointers else []
    for one in all_formats():
        if files[one.name]:
            try:
                readings.append(one.read(files[one.name]))
            except EvalreportError as error:
                problems.extend(error.problems)
    problems.check()
    return Sources(tuple(readings), tuple(sorted(records)), tuple(sorted(ignored)))
