"""What a record says about how its run was made: which setup fields it fills, and which items are asked of the run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from evalreport.formats.eee import EeeRecord, EeeResult, details, members
from evalreport.suites.signals.catalogue import RESULT, SetupPlace, setup_items
from evalreport.suites.signals.populated import affirmative, folded, populated, setting, shown
from evalreport.suites.signals.records import Finding, Setup

SPLIT_FIELDS = ("split", "eval_split", "subset")
# Names and versions are texts: version 1.0 is not version 1.
_WORDS = {"eval_library.name", "eval_library.version", "eval_library_version", "harness_version", *SPLIT_FIELDS}
_WORD = re.compile(r"[a-z0-9]+")
Raw = tuple[str, object]  # JSON path, value


@cache
def asked_fields() -> frozenset[str]:
    """Every name that is looked for in the places of a record."""
    catalogue = setup_items()
    return frozenset(
        {
            *(name for item in catalogue.items for name in item.fields),
            *catalogue.log_probability.fields,
            *catalogue.agentic.fields,
            catalogue.agentic.plan,
            *catalogue.also_told_apart_by,
        }
    )


def found_fields(record: EeeRecord, result: EeeResult) -> Mapping[str, Raw]:
    """For every setup field the value that fills it and its path; a filled place counts before an empty one."""
    found: dict[str, Raw] = {}
    for name, path, value in _looked_up(record, result):
        if name in asked_fields() and (name not in found or (_says(path, value) and not _says(*found[name]))):
            found[name] = path, value
    return found


class Setups:
    """Makes setups; equal ones are one object."""

    def __init__(self) -> None:
        self._known: dict[object, Setup] = {}

    def of(self, record: EeeRecord, found: Mapping[str, Raw]) -> Setup:
        """The setup that a record states with these fields."""
        findings: list[Finding] = []
        repeated: list[Finding] = []
        for name, (path, value) in found.items():
            if not populated(value):
                continue
            finding = Finding(name, path, shown(value) if name in _WORDS else setting(value))
            (repeated if _repeats_a_default(path, value) else findings).append(finding)
        effective = {finding.field: found[finding.field][1] for finding in findings}
        by_log_probability = _by_log_probability(effective)
        reasoning = _status(effective, setup_items().item("reasoning_budget").fields)
        agentic = _agentic(effective)
        kept = tuple(sorted(findings))
        key = record.version, kept, tuple(sorted(repeated))
        if key not in self._known:
            holds = {
                "all": True,
                "not_log_probability": not by_log_probability,
                "reasoning": reasoning is True,
                "agentic": agentic is True,
            }
            applicable = tuple(item.key for item in setup_items().items if holds[item.applies])
            self._known[key] = Setup(record.version, kept, key[2], applicable, by_log_probability, reasoning, agentic)
        return self._known[key]


def split_of(result: EeeResult, found: Mapping[str, Raw]) -> str:
    """The part of the test set that a result is about, with its perturbation; "" when none is stated."""
    stated = (result.hf_split, *(found[name][1] for name in SPLIT_FIELDS if name in found), result.detail_split)
    split = next((shown(value) for value in stated if populated(value)), "")
    return f"{split} [{result.perturbation}]".strip() if result.perturbation else split


def looked_up(field: str, version: str) -> tuple[str, ...]:
    """The paths at which a record of this schema version would fill a field.

    >>> looked_up("top_k", "0.1.0")
    ('evaluation_results[*].generation_config.top_k', 'source_data.top_k', 'source_data.additional_details.top_k')
    >>> looked_up("eval_library.name", "0.1.0")
    ('eval_library.name',)
    """
    if "." in field:
        return (field,)
    return tuple(path for place in setup_items().places if place.defined_in(version) for path in place.paths(field))


def _looked_up(record: EeeRecord, result: EeeResult) -> Iterator[tuple[str, str, object]]:
    library = members(record.body.get("eval_library"))
    yield "eval_library.name", "eval_library.name", library.get("name")
    yield "eval_library.version", "eval_library.version", library.get("version")
    for place, keys, in_result in _places():
        value: object = result.body if in_result else record.body
        for key in keys:
            value = members(value).get(key)
        if place.loose:
            for path, name, item in details(value):
                yield name, place.path + path, item
        else:
            for name, item in members(value).items():
                yield place.names.get(name, name), f"{place.path}.{name}", item


@cache
def _places() -> tuple[tuple[SetupPlace, tuple[str, ...], bool], ...]:
    return tuple(
        (place, tuple(place.path.removeprefix(f"{RESULT}.").split(".")), place.path.startswith(RESULT))
        for place in setup_items().places
    )


def _says(path: str, value: object) -> bool:
    return populated(value) and not _repeats_a_default(path, value)


def _repeats_a_default(path: str, value: object) -> bool:
    return any(path == default.path and setting(value) == str(default.value) for default in setup_items().defaults)


def _by_log_probability(found: Mapping[str, object]) -> bool:
    rule = setup_items().log_probability
    return any(isinstance(v := found.get(name), str) and folded(v) in rule.values for name in rule.fields)


def _status(found: Mapping[str, object], fields: tuple[str, ...]) -> bool | None:
    said = [affirmative(found[name]) for name in fields if name in found]
    return any(said) if said else None


def _agentic(found: Mapping[str, object]) -> bool | None:
    rule = setup_items().agentic
    by_fields = _status(found, rule.fields)
    if by_fields or rule.plan not in found:
        return by_fields
    return _is_plan_of_an_agent(found[rule.plan])


def _is_plan_of_an_agent(plan: object) -> bool:
    steps = members(plan).get("steps")
    if not isinstance(steps, list):
        return affirmative(plan)
    solvers = (_solver(step) for step in steps)
    words = {word for solver in solvers for word in (solver, *_WORD.findall(solver))}
    return bool(words & set(setup_items().agentic.plan_solvers))


def _solver(step: object) -> str:
    if isinstance(step, str):
        step = next((value for _, name, value in details(step) if name == "solver"), step)
    solver = members(step).get("solver", step)
    return solver.casefold() if isinstance(solver, str) else ""
