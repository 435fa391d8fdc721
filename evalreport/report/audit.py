"""The audit: every published number beside an evaluation of its printed formula over the records behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from evalreport.core.declare import Metric, in_range
from evalreport.core.exact import Undefined, Value, ratio
from evalreport.core.formula import Set
from evalreport.core.suite import AuditEntry, Ids, RecordTable
from evalreport.errors import Problem, Problems

# A formula with a root is cut after 60 decimals, and its code works in binary floats: only such a formula is compared
# up to this difference, every other one for equality.
ROOT_TOLERANCE = Fraction(1, 10**12)


@dataclass(frozen=True)
class AuditLine:
    """One published number that was checked: what the code gives, what the printed formula gives, and from what.

    `formula` is the line as declared, `steps` the lines with numbers put in, all LaTeX for inline maths; `exact` says
    that both values were compared for equality. `settings` names the settings the number depends on and `declaration`
    is a hash that changes with the formula or any formula it uses.
    """

    metric: Metric
    of: Ids
    value: Value
    formula_value: Value
    exact: bool
    formula: str
    steps: tuple[str, ...]
    records: RecordTable | None
    settings: tuple[str, ...]
    declaration: str

    @property
    def where(self) -> str:
        """The number's name in messages: its key and its ids."""
        return number_name(self.metric.key, self.of)


def audit_lines(entries: Iterable[AuditEntry]) -> tuple[AuditLine, ...]:
    """Check every entry and tell what was compared, sorted by metric and ids.

    Raises `EvalreportError` naming the metric and the ids of every number whose formula gives another value than the
    code, that lies outside its declared range, or that is published twice. Where a formula uses a metric that differs
    too, that metric is named, and once for all those that stand on it.
    """
    problems = Problems()
    seen: dict[str, AuditLine] = {}
    different: list[AuditLine] = []
    for entry in entries:
        line = audit_line(entry)
        if not _agree(line):
            different.append(line)
        if not in_range(line.metric, line.value):
            what = f"the value is {_text(line.value)}"
            problems.add(line.where, what, f"one in the declared range {line.metric.range}", kind="audit_range")
        if line.where in seen:
            problems.add(line.where, "is published twice", "once", kind="audit_twice")
        seen[line.where] = line
    problems.extend(_mismatches(different))
    problems.check()
    return tuple(sorted(seen.values(), key=lambda line: (line.metric.key, line.of)))


def audit_line(entry: AuditEntry) -> AuditLine:
    """Evaluate the printed formula of one number; compares nothing. Raises `ValueError` for a metric without one."""
    metric, over = entry.metric, entry.evaluation
    if metric.formula is None:
        raise ValueError(f"{metric.key} has no formula; it is checked by a reference")
    found = over.value(metric.symbol, *entry.args)
    if isinstance(found, (str, Set)):
        raise TypeError(f"{metric.key} is a text or a set; expected a number")
    steps = over.steps(metric.symbol, *entry.args)
    symbol = over.notation.symbol(metric.symbol)
    return AuditLine(
        metric,
        entry.of,
        entry.value,
        found,
        symbol.exact,
        steps[0],
        steps[1:],
        entry.records,
        entry.settings,
        symbol.identity(),
    )


def number_name(key: str, of: Ids) -> str:
    """A number's name in messages.

    >>> number_name("benchmark.ece", (("subject_id", "m-1"), ("subject_version", "2.0")))
    'benchmark.ece of subject_id m-1, subject_version 2.0'
    """
    return f"{key} of {', '.join(f'{name} {value}' for name, value in of)}" if of else key


def _mismatches(different: Sequence[AuditLine]) -> Iterator[Problem]:
    """What is wrong with the metrics at fault; what only stands on them is named with them."""
    metrics = {line.metric.key: line.metric for line in different}
    below = {key: metric.stands_on() & metrics.keys() - {key} for key, metric in metrics.items()}
    for key in metrics:
        above = sorted(other for other in metrics if key in below[other])
        if above and not below[key]:
            what = f"with it differs what its value is put into: {', '.join(above)}"
            yield Problem(key, what, "the same value from code and formula", "audit_mismatch")
    for line in different:
        if not below[line.metric.key]:
            what = f"the code gives {_text(line.value)} and the printed formula {_text(line.formula_value)}"
            yield Problem(line.where, what, "the same value from both", "audit_mismatch")


def _agree(line: AuditLine) -> bool:
    ours, theirs = line.value, line.formula_value
    if isinstance(ours, Undefined) or isinstance(theirs, Undefined):
        return isinstance(ours, Undefined) and isinstance(theirs, Undefined)
    return ours == theirs if line.exact else abs(Fraction(ours) - Fraction(theirs)) <= ROOT_TOLERANCE


def _text(value: Value) -> str:
    return f"nothing ({value.reason})" if isinstance(value, Undefined) else ratio(value)
