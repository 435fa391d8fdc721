"""One build at a time, and a new book in the place of the old one at once or not at all."""

from __future__ import annotations

import ctypes
import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evalreport.errors import EvalreportError, Problem

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder for one build; a second one is refused, and a build that was killed leaves no lock behind."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            problem = Problem(folder.name, "another build is running here", "one build at a time", kind="locked")
            raise EvalreportError(problem) from None
        yield


def put_in_place(new: Path, place: Path) -> None:
    """Let the folder `new` stand at `place`; what stood there is removed afterwards."""
    if not place.exists():
        new.rename(place)
        return
    if not _exchanged(new, place):
        old = place.with_name(f"{place.name}.old")
        shutil.rmtree(old, ignore_errors=True)
        place.rename(old)
        new.rename(place)
        new = old
    shutil.rmtree(new)


def _exchanged(one: Path, other: Path) -> bool:
    """Exchange two folders in one step, where the system can; a reader sees the old book or the new one."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except AttributeError:
        return False
    return bool(rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0)
