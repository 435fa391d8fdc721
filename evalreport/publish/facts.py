"""What a comparison needs to know of a version: inputs, settings, formulas, packages, and every number exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

import msgspec

from evalreport import suites as registry
from evalreport.book import cache
from evalreport.book.build import Made, read_public
from evalreport.book.reference_pages import package_versions
from evalreport.core.results import results_json
from evalreport.errors import EvalreportError, Problem, Problems
from evalreport.project import Project
from evalreport.publish.manifest import Input, SuiteFacts, read_manifest, suite_facts

Key = tuple[str, tuple[tuple[str, str], ...]]  # metric, ids
RESULTS = "data/{suite}/results.json"


class Limits(msgspec.Struct, frozen=True):
    """An interval as it stands in `results.json`."""

    low: float | None
    high: float | None
    level: float | str
    method: str
    n: int
    resamples: int | None
    seed: int | None
    note: str


class Stated(msgspec.Struct, frozen=True):
    """A number as it stands in `results.json`."""

    metric: str
    of: dict[str, str]
    exact: str | None
    n: int | None
    undefined: str | None
    interval: Limits | None

    @property
    def key(self) -> Key:
        """What it is a number of."""
        return self.metric, tuple(self.of.items())

    @property
    def number(self) -> Fraction | None:
        """The exact value; None when there is none."""
        return None if self.exact is None else Fraction(self.exact)


class _Results(msgspec.Struct, frozen=True):
    values: list[Stated]


@dataclass(frozen=True)
class Facts:
    """Everything that a version is made of and says.

    `own` is what the maintainer calls a file that is published by another name, by suite and published path.
    """

    version: str
    code: str
    packages: Mapping[str, str]
    suites: Mapping[str, SuiteFacts]
    values: Mapping[Key, Stated]
    own: Mapping[tuple[str, str], str] = field(default_factory=dict)


def facts_of_version(folder: Path) -> Facts:
    """The facts of a published version, from its manifest and results."""
    manifest = read_manifest(folder)
    stated = {
        value.key: value
        for suite in manifest.suites
        for value in read_values((folder / RESULTS.format(suite=suite)).read_bytes(), suite)
    }
    return Facts(manifest.version, manifest.code_version, manifest.packages, manifest.suites, stated)


def facts_of_made(made: Iterable[Made], *, version: str, packages: Mapping[str, str]) -> Facts:
    """The facts of a version that is being made."""
    suites, values = {}, dict[Key, Stated]()
    for part in made:
        suites[part.suite.name] = facts_of_suite(part)
        text = results_json(
            suite=part.suite.name,
            settings=part.choice.settings,
            inputs=part.suite.inputs(part.records),
            values=part.suite.values(part.results),
        )
        values |= {value.key: value for value in read_values(text, part.suite.name)}
    return Facts(version, cache.code_version(), packages, dict(sorted(suites.items())), values)


def facts_of_suite(part: Made) -> SuiteFacts:
    """The facts of one suite that is being made, without its numbers."""
    inputs = [
        Input(
            file.path, file.sha256, file.bytes,
            part.originals[file.path].sha256 if file.path in part.originals else "",
        )
        for file in part.suite.inputs(part.records)
    ]  # fmt: skip
    return suite_facts(part.suite, part.choice.settings.values, inputs)


def facts_of_project(project: Project, workspace: Path) -> Facts:
    """The facts of a project as it would be published, computed now; `workspace` is an empty folder to use.

    Only these know what the maintainer calls a file that is published by another name.
    """
    made, problems = [], Problems()
    for choice in project.suites:
        suite = registry.all_suites()[choice.name]
        try:
            records, data, originals = read_public(choice, project.privacy, workspace / choice.name)
            made.append(Made(suite, choice, records, suite.compute(records, choice.settings), data, originals))
        except EvalreportError as error:
            problems.extend(error.problems)
    problems.check()
    facts = facts_of_made(made, version=project.version, packages=package_versions())
    own = {(p.suite.name, path): file.path for p in made for path, file in p.originals.items() if file.path != path}
    return replace(facts, own=own)


def read_values(data: bytes, suite: str) -> Sequence[Stated]:
    """The numbers of a `results.json`."""
    try:
        return msgspec.json.decode(data, type=_Results).values
    except msgspec.MsgspecError as error:
        where = RESULTS.format(suite=suite)
        raise EvalreportError(Problem(where, str(error), "the results of a suite", "results")) from None
