"""Readers that are killed at their work. Workers load this module, so it loads nothing else of the tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable
from pathlib import Path

from evalreport.formats.inputs import SourceFile
from evalreport.suites.benchmark.parts import Part
from evalreport.suites.benchmark.read import read_part

KILLED = "EVALREPORT_TEST_KILLED"
"""The environment variable that names the file by which a reader knows that it was killed already."""
FATAL = "BRAKE-003__r2.json"


def killed_once(files: Iterable[SourceFile]) -> Part:
    """Reads, but is killed at the portion with a `FATAL` file when that is read for the first time."""
    files, mark = list(files), Path(os.environ[KILLED])
    if any(file.name.endswith(FATAL) for file in files) and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return read_part(files)


def killed_always(files: Iterable[SourceFile]) -> Part:
    """Reads, but is killed at the portion with a `FATAL` file each time."""
    files = list(files)
    if any(file.name.endswith(FATAL) for file in files):
        os.kill(os.getpid(), signal.SIGKILL)
    return read_part(files)
