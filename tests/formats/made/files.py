"""Writing made files and reading them back."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from evalreport.formats.evalrun import EvalRun, Reading
from evalreport.formats.sources import read_sources


def write(folder: Path, name: str, value: object) -> Path:
    """A file with a JSON value, or a text as it is; packed when its name says so."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    data = (value if isinstance(value, str) else json.dumps(value)).encode()
    path.write_bytes(gzip.compress(data, mtime=0) if name.endswith(".gz") else data)
    return path


def reading(folder: Path) -> Reading:
    """Everything that all readers find below a folder, as one reading."""
    found = read_sources([folder]).readings
    return Reading(
        tuple(run for one in found for run in one.runs),
        tuple(aside for one in found for aside in one.set_aside),
        tuple(note for one in found for note in one.notes),
    )


def one_run(folder: Path) -> EvalRun:
    """The only score below a folder."""
    (run,) = reading(folder).runs
    return run


def scores(folder: Path) -> dict[tuple[str, str, str], str]:
    """Every score below a folder as text, by model, task and metric."""
    return {(run.model_id, run.task_id, run.metric_name): str(run.score) for run in reading(folder).runs}
