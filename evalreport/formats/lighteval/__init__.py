"""Results of LightEval (JSON), and its details by document (Parquet), which give sizes and are checked against them."""

from __future__ import annotations

from collections.abc import Sequence

from evalreport.errors import EvalreportError, Problems
from evalreport.formats.evalrun import Reading, SetAside
from evalreport.formats.inputs import SourceFile
from evalreport.formats.json_values import top_keys
from evalreport.formats.lighteval.details import Details, Place, check, details_file, is_details, own_runs, place_of
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
    known = {place_of(one) for one in candidates}
    beside: dict[Place, Details] = {}
    for detail in details:
        aside += detail.set_aside
        places = known.intersection(detail.places)
        beside.update(dict.fromkeys(places, detail))
        if places:
            continue
        try:
            candidates += own_runs(detail)
        except EvalreportError as error:
            problems.extend(error.problems)
    candidates = [check(one, beside.get(place_of(one))) for one in candidates]
    runs, superseded = newest(candidates)
    runs = settled(runs, problems)
    problems.check()
    return Reading(runs, tuple(sorted({*aside, *superseded})), tuple(sorted(notes)))
