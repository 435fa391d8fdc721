"""The published numbers of a debate benchmark: what stands in `results.json`, in the order of systems and cases."""

from __future__ import annotations

from collections.abc import Iterator

from evalreport.core.exact import Undefined
from evalreport.core.intervals import wilson
from evalreport.core.suite import Ids, ResultValue
from evalreport.suites.debate.records import DIMENSIONS
from evalreport.suites.debate.results import CaseResult, DebateResults, SystemResult


def result_values(results: DebateResults) -> Iterator[ResultValue]:
    """Every published number: of each case of each system, then of each system."""
    for system in results.systems:
        for case in system.cases:
            yield from _of_case(system, case)
        yield from _of_system(results, system)


def _of_case(system: SystemResult, case: CaseResult) -> Iterator[ResultValue]:
    of: Ids = (("system", system.system), ("case_id", case.case.case_id))
    found = case.assessment
    for place, (name, score) in enumerate(zip(DIMENSIONS.values(), found.scores, strict=True)):
        applying = sum(not isinstance(r.run.scores[place], Undefined) for r in case.runs)
        yield ResultValue(f"debate.{name}", of, score, applying)
    yield ResultValue("debate.case_mean", of, found.mean, found.applicable)
    yield ResultValue("debate.lowest_dimension", of, found.lowest, found.applicable)
    yield ResultValue("debate.case_pass", of, found.passes, found.applicable)


def _of_system(results: DebateResults, system: SystemResult) -> Iterator[ResultValue]:
    of: Ids = (("system", system.system),)
    scoreable = len(system.scoreable)
    with_mean = sum(not isinstance(c.assessment.mean, Undefined) for c in system.cases)
    share = wilson(system.passing, scoreable, results.level) if scoreable else None
    yield ResultValue("debate.passing_fraction", of, system.passing_fraction, scoreable, share)
    yield ResultValue("debate.mean", of, system.mean, scoreable)
    yield ResultValue("debate.mean_all", of, system.mean_all, with_mean)
    yield ResultValue("debate.benchmark_pass", of, system.passes, scoreable)
    paired = len(system.lift.differences)
    yield ResultValue("debate.lift", of, system.lift.value, paired, system.lift.interval)
    yield ResultValue("debate.lift_pass", of, system.lift.passes, paired)
