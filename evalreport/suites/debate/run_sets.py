"""Which runs belong together, and which description of a case is theirs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from evalreport.formats.json_values import as_written
from evalreport.suites.debate.place import Place
from evalreport.suites.debate.read_runs import Found
from evalreport.suites.debate.records import Case, Run, RunSet


def run_sets(
    runs: Sequence[Found], described: Mapping[str, Mapping[str, Case]], *, baseline: str
) -> tuple[RunSet, ...]:
    """The sets of runs with their cases; `described` holds the cases of each case file.

    Refused: a run that stands twice, a case that no case file describes (when there is any), two descriptions that
    differ with nothing to tell which one is meant.
    """
    grouped: dict[str, list[Found]] = defaultdict(list)
    for found in _apart(runs):
        grouped[found.set_name].append(found)
    return tuple(_run_set(name, found, described, baseline=baseline) for name, found in sorted(grouped.items()))


def stem(path: str) -> str:
    """What a result file is called as a set: its path without the suffix.

    >>> stem("b/results.json"), stem("results.json.gz")
    ('b/results', 'results')
    """
    return path.removesuffix(".gz").removesuffix(".json")


def _apart(runs: Sequence[Found]) -> list[Found]:
    """Rows without a system are one system, unless two files of them hold the same case: then each file is a set."""
    files: dict[str, set[str]] = defaultdict(set)
    for found in runs:
        if not found.named:
            files[found.case_id].add(found.place.file)
    if all(len(holders) < 2 for holders in files.values()):
        return list(runs)
    return [found if found.named else replace(found, set_name=stem(found.place.file)) for found in runs]


def _run_set(name: str, runs: Sequence[Found], described: Mapping[str, Mapping[str, Case]], *, baseline: str) -> RunSet:
    cases = _cases(runs, described) if described else _named(runs)
    first: dict[tuple[str, str, str], Place] = {}
    known: list[Run] = []
    for found in runs:
        place, key = found.place, (found.system, found.case_id, found.run_id)
        earlier = first.setdefault(key, place)
        if earlier is not place:
            run_id, case_id, system = map(as_written, (found.run_id, found.case_id, found.system))
            what = f"is run {run_id} of {case_id} by {system}, as is {earlier}"
            place.refuse("every run once", what=what, kind="duplicate_case")
            continue
        run = found.run(cases[found.case_id], baseline=baseline) if found.case_id in cases else None
        if run is not None:
            known.append(run)
    return RunSet(name, cases, tuple(sorted(known, key=lambda r: (r.system, r.case_id, r.run_id))))


def _named(runs: Sequence[Found]) -> Mapping[str, Case]:
    """The cases that no file describes: what the results themselves say of them."""
    said: dict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for found in runs:
        categories, difficulties = said[found.case_id]
        categories.add(found.category)
        difficulties.add(found.difficulty)
    return {name: Case(name, max(kinds), max(levels)) for name, (kinds, levels) in sorted(said.items())}


def _cases(runs: Sequence[Found], described: Mapping[str, Mapping[str, Case]]) -> Mapping[str, Case]:
    """The descriptions of the cases that were run: of the files that describe them all, or else of every file."""
    ids = {found.case_id for found in runs}
    covering = {file: cases for file, cases in described.items() if ids <= cases.keys()} or described
    places: dict[str, Place] = {}
    for found in runs:
        places.setdefault(found.case_id, found.place)
    chosen = {}
    for case_id in sorted(ids):
        found_in = {file: cases[case_id] for file, cases in sorted(covering.items()) if case_id in cases}
        if not found_in:
            what = f"names the case {as_written(case_id)}"
            places[case_id].refuse("a case that a case file describes", what=what, kind="unknown_case")
            continue
        if len(set(found_in.values())) > 1:
            what = f"names the case {as_written(case_id)}, which {' and '.join(found_in)} describe differently"
            places[case_id].refuse("one description of a case", what=what, kind="two_cases")
        chosen[case_id] = next(iter(found_in.values()))
    return chosen
