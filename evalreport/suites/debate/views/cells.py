"""Pieces of the tables of debates: numbers with their audit lines, badges of cases and conditions, addresses."""

from __future__ import annotations

from fractions import Fraction

from evalreport.core.declare import Metric
from evalreport.core.exact import Number, Undefined, Value, fixed
from evalreport.core.slug import slug
from evalreport.core.suite import Ids
from evalreport.core.table import Badge, Cell, Heat, Missing, Num, Text
from evalreport.core.words import decimal, percent
from evalreport.suites.debate.metrics import d
from evalreport.suites.debate.pages import number_address, system_page
from evalreport.suites.debate.records import DIMENSIONS
from evalreport.suites.debate.results import CaseResult, Condition, DebateResults, SystemResult

FILES = "data/debate"
# How tables and figures call the six dimensions, in rubric order.
SHORT = tuple(d.metrics[f"debate.{name}"].column for name in DIMENSIONS.values())
CONDITIONS = {
    "passing_fraction": "Passing fraction, of scoreable cases",
    "mean": "Mean over scoreable cases",
    "lift": "Lift over the baseline",
}
OF_THRESHOLD = {
    "per_dimension_pass": "Every dimension of a case",
    "overall_case_pass": "Mean of a case and of the benchmark",
    "benchmark_pass_fraction": "Share of cases that pass",
}


def metric(key: str) -> Metric:
    """The declaration of a number by its key without the suite."""
    return d.metrics[f"debate.{key}"]


def table_id(kind: str, system: str = "") -> str:
    """The address of a table or figure, with the system it is of."""
    return f"debate-{kind}-{slug(system)}" if system else f"debate-{kind}"


def level(results: DebateResults) -> str:
    """The confidence level in percent."""
    return percent(results.level)


def named(system: SystemResult) -> Text:
    """A system, leading to its page."""
    return Text(system.system, "baseline" if system.is_baseline else "", system_page(system.system))


def of_system(system: SystemResult) -> Ids:
    """What a number of a system is of."""
    return (("system", system.system),)


def of_case(system: SystemResult, case: CaseResult) -> Ids:
    """What a number of a case is of."""
    return ("system", system.system), ("case_id", case.case.case_id)


def number(results: DebateResults, system: SystemResult, key: str, value: Value, *, signed: bool = False) -> Num:
    """A number of a system with its audit line."""
    where = number_address(results, f"debate.{key}", of_system(system))
    return Num(value, metric(key).decimals, where, signed=signed)


def case_address(results: DebateResults, system: SystemResult, case: CaseResult, key: str) -> str:
    """The audit line of a number of a case."""
    return number_address(results, f"debate.{key}", of_case(system, case))


def case_number(results: DebateResults, system: SystemResult, case: CaseResult, key: str, value: Value) -> Num:
    """A number of a case with its audit line."""
    return Num(value, metric(key).decimals, case_address(results, system, case, key))


def short_score(value: Value) -> str:
    """A score of a dimension as a heat map writes it.

    >>> [short_score(v) for v in (Fraction(1), Fraction(1, 2), 0, Undefined("no test"))]
    ['1', '0.50', '0', 'N/A']
    """
    if isinstance(value, Undefined):
        return "N/A"
    return str(value) if Fraction(value).denominator == 1 else fixed(value, 2)


def at_least(threshold: Number) -> str:
    """A threshold as words write it: exact, with two decimals or more.

    >>> at_least(Fraction(1, 10)), at_least(Fraction(5, 8))
    ('0.10', '0.625')
    """
    return decimal(threshold, least=2)


def heat(value: Value, threshold: Fraction, where: str = "") -> Heat:
    """A dimension of a case or run: shaded, framed below the threshold, hatched when it does not apply."""
    if isinstance(value, Undefined):
        return Heat(None, "N/A", value.reason, where)
    return Heat(value, short_score(value), "", where, low=value < threshold)


def case_badge(case: CaseResult) -> Badge:
    """What the rule says of a case."""
    match case.assessment.status:
        case "pass":
            return Badge("plain", "pass")
        case "fail":
            return Badge("alert", "fail")
        case _:
            words = (
                f"{case.assessment.applicable} of {len(DIMENSIONS)} dimensions apply; a case needs four to be scored"
            )
            return Badge("dashed", "manual review", words)


def outcome_badge(system: SystemResult) -> Badge:
    """Whether the benchmark passes with this system."""
    if isinstance(system.passes, Undefined):
        return Badge("dashed", "no outcome", system.passes.reason)
    return Badge("plain", "pass") if system.passes else Badge("alert", "fail")


def condition_badge(condition: Condition) -> Badge:
    """Whether a number reaches its threshold; equal is enough."""
    if condition.holds is None:
        reason = condition.value.reason if isinstance(condition.value, Undefined) else ""
        return Badge("dashed", "no number", reason)
    return Badge("plain", "holds") if condition.holds else Badge("alert", "fails")


def margin(value: Value, threshold: Fraction) -> Cell:
    """By how much a number exceeds its threshold."""
    if isinstance(value, Undefined):
        return Missing(value.reason)
    return Num(value - threshold, 4, signed=True)


def runs_words(system: SystemResult) -> str:
    """How often each case was run.

    >>> from types import SimpleNamespace
    >>> runs_words(SimpleNamespace(runs_per_case=(1, 1))), runs_words(SimpleNamespace(runs_per_case=(1, 3)))
    ('1', '1 to 3')
    """
    least, most = system.runs_per_case
    return str(least) if least == most else f"{least} to {most}"
