"""Results and samples of lm-evaluation-harness, of both generations of its keys ("acc" and "acc,none")."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from evalreport.errors import EvalreportError, Problems
from evalreport.formats.evalrun import EvalRun, Reading, SetAside
from evalreport.formats.inputs import SourceFile
from evalreport.formats.json_values import top_keys
from evalreport.formats.lm_eval.results import ResultsFile, results_file
from evalreport.formats.lm_eval.samples import SamplesFile, check, folder_of, own_runs, samples_file
from evalreport.formats.newest import newest
from evalreport.formats.scales import settled

NAME = "lm_eval"
DESCRIPTION = "lm-evaluation-harness: results_*.json (old and new keys) and samples_*.jsonl; also with .gz"

_COMPANIONS = frozenset(("versions", "configs", "config", "n-samples", "n-shot", "group_subtasks", "higher_is_better"))
_OF_OTHERS = frozenset(("config_general", "eval", "schema", "suite"))
_METRIC = re.compile(rb'"[^"\\]*(_stderr|,[^",\\]+)"\s*:')
_SAMPLE_KEYS = frozenset(("resps", "filtered_resps", "target", "arguments"))


def recognises(file: SourceFile, head: bytes) -> bool:
    """Whether a file holds results or samples of the harness, by its suffix and its first bytes."""
    name = file.name.removesuffix(".gz")
    if name.endswith(".jsonl"):
        keys = top_keys(head.split(b"\n", 1)[0])
        return "doc_id" in keys and bool(keys & _SAMPLE_KEYS)
    if not name.endswith(".json"):
        return False
    keys = top_keys(head)
    if not keys and name.rpartition("/")[2].startswith("results_"):
        start = head.strip()
        return not start or (start.startswith(b"{") and not start.endswith(b"}"))  # cut off before its first key
    if "results" not in keys or keys & _OF_OTHERS:
        return False
    return bool(keys & _COMPANIONS) or (keys == {"results"} and bool(_METRIC.search(head)))


def read(files: Sequence[SourceFile]) -> Reading:
    """The scores of all results files, each counted once; samples beside them are checked against them.

    A group of tasks is set aside with its recomputed values: its tasks are counted themselves. Raises one
    `EvalreportError` with the problems of all files.
    """
    problems = Problems()
    found: list[ResultsFile] = []
    samples: list[SamplesFile] = []
    for file in files:
        try:
            if file.name.removesuffix(".gz").endswith(".jsonl"):
                samples.append(samples_file(file))
            else:
                found.append(results_file(file))
        except EvalreportError as error:
            problems.extend(error.problems)
    candidates = [one for results in found for one in results.candidates]
    aside: list[SetAside] = [one for results in found for one in results.set_aside]
    notes = [note for results in found for note in results.notes]
    times = {(results.folder, results.stamp) for results in found}
    beside: dict[tuple[str, str, str], SamplesFile] = {}
    for one in samples:
        notes += one.notes
        aside += one.set_aside
        if (one.folder, one.stamp) in times:
            beside[one.folder, one.stamp, one.task] = one
        else:
            own, lost = own_runs(one, sorted({results.model for results in found if results.folder == one.folder}))
            candidates += own
            aside += lost
    candidates = [check(one, beside.get((folder_of(one), one.stamp, one.run.task_id))) for one in candidates]
    runs, superseded = newest(candidates)
    runs = settled(_one_category(runs), problems)
    problems.check()
    return Reading(runs, tuple(sorted({*aside, *superseded})), tuple(sorted(notes)))


def _one_category(runs: Sequence[EvalRun]) -> list[EvalRun]:
    """A task belongs to the group that some file names for it, also where another file ran it alone."""
    named: dict[str, str] = {}
    for run in runs:
        if run.category != "general":
            named[run.task_id] = min(run.category, named.get(run.task_id, run.category))
    return [replace(run, category=named.get(run.task_id, run.category)) for run in runs]
