"""Logs of Inspect AI: `.json` and `.eval` (a zip archive)."""

from __future__ import annotations

from collections.abc import Sequence

from evalreport.errors import EvalreportError, Problems
from evalreport.formats.evalrun import Reading, SetAside
from evalreport.formats.inputs import SourceFile
from evalreport.formats.inspect_logs.log import load
from evalreport.formats.inspect_logs.runs import log_runs
from evalreport.formats.json_values import top_keys
from evalreport.formats.newest import Candidate, newest
from evalreport.formats.scales import settled

NAME = "inspect_logs"
DESCRIPTION = "Inspect AI logs: .json and .eval"


def recognises(file: SourceFile, head: bytes) -> bool:
    """Whether a file is a log: by its suffix, or by the keys that every log begins with."""
    if file.name.endswith(".eval"):
        return True
    return file.name.removesuffix(".gz").endswith(".json") and {"eval", "status"} <= top_keys(head)


def read(files: Sequence[SourceFile]) -> Reading:
    """The scores of all logs; of several logs of one task and model the newest of the most complete ones counts.

    Samples that failed or that no grade was found for stay in the denominator of the bounds that a note gives.
    Raises one `EvalreportError` with the problems of all files.
    """
    problems = Problems()
    candidates: list[Candidate] = []
    aside: list[SetAside] = []
    for file in files:
        try:
            found = log_runs(load(file))
        except EvalreportError as error:
            problems.extend(error.problems)
            continue
        candidates += found.candidates
        aside += found.set_aside
    runs, superseded = newest(candidates)
    runs = settled(runs, problems)
    problems.check()
    return Reading(runs, tuple(sorted({*aside, *superseded})))
