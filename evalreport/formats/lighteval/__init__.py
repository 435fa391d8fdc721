"""Results of LightEval (JSON), and its details by document (Parquet), which give sizes and are checked against them."""

from __future__ import annotations

from collections.abc import Sequence

from evalreport.errors import EvalreportError, Problems
from evalreport.formats.evalrun import Reading, SetAside
from evalreport.formats.inputs import SourceFile
from evalreport.formats.json_values import top_keys
from evalreport.formats.lighteval.details import Details, check, details_file, is_details, own_runs
from evalreport.formats.lighteval.results import results_file
from evalreport.formats.newest import Candidate, newest
from evalreport.formats.scales import settled

NAME = "lighteval"
DESCRIPTION = "LightEval: results_*.json, and details_*.parquet (with the extra `parquet`)"


def recognises(file: SourceFile, head: bytes) -> bool:
    """Whether a file holds results or details, by its name, its first bytes and, for Parquet, its columns."""
    if file.name.endswith(".parquet"):
        return is_details(file)
    return file.name.removesuffix(".gz").endswith(".json") and "config_general" in top_keys(head)


def read(files: Sequence[SourceFile]) -> Reading:
    """The scores of all results files, each counted once; details without results are averaged themselves.

    Raises one `EvalreportError` with the problems of all files.
    """
    problems = Problems()
    candidates: list[Candidate] = []
    details: list[Details] = []
    aside: list[SetAside] = []
    notes: list[str] = []
    for file in files:
        try:
            if file.name.endswith(".parquet"):
                details.append(details_file(file))
                continue
            found = results_file(file)
        except EvalreportError as error:
            problems.extend(error.problems)
            continue
        candidates += found.candidates
        aside += found.set_aside
        notes += found.notes
    known = {(one.run.model_id, one.run.task_id, one.variant, one.stamp) for one in candidates}
    for detail in details:
        aside += detail.set_aside
        if any((detail.model, detail.task, variant, detail.stamp) in known for variant in detail.variants):
            candidates = [check(one, detail) for one in candidates]
        else:
            candidates += own_runs(detail)
    runs, superseded = newest(candidates)
    runs = settled(runs, problems)
    problems.check()
    return Reading(runs, tuple(sorted({*aside, *superseded})), tuple(sorted(notes)))
