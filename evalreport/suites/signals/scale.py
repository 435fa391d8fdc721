"""On which scale a metric is reported, and whether its range can be computed with."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from evalreport.core.exact import Undefined
from evalreport.formats.eee import EeeResult
from evalreport.suites.signals.records import Report

PROPORTION, PERCENT = "proportion", "percent"
_SAME = {"fraction": PROPORTION, "ratio": PROPORTION, "%": PERCENT, "percentage": PERCENT}
_BY_RANGE = {(Fraction(0), Fraction(1)): PROPORTION, (Fraction(0), Fraction(100)): PERCENT}


def metric_name(result: EeeResult) -> str:
    """A metric as it is told from others: its id, its parameters, and its unit unless that is a proportion.

    Scores in percent and scores as proportions are therefore two metrics, and never compared.
    """
    unit = result.unit.casefold()
    unit = _SAME.get(unit, unit)
    ends = result.low, result.high
    if not unit and isinstance(ends[0], Fraction) and isinstance(ends[1], Fraction):
        unit = _BY_RANGE.get((ends[0], ends[1]), "")
    name = " ".join(result.metric.split())
    if result.parameters:
        name += f" ({', '.join(f'{key}={value}' for key, value in result.parameters)})"
    return name if unit in ("", PROPORTION) else f"{name} [{unit}]"


def common_range(reports: Sequence[Report]) -> tuple[Fraction, Fraction] | Undefined:
    """The two ends of the scale that all reports of a triple state, or why nothing can be computed with them.

    Nothing is assumed: an end that is missing, infinite or stated differently, or two equal ends, give no range.
    """
    ranges = {(report.low, report.high) for report in reports}
    if len(ranges) > 1:
        return Undefined("not computable: the reports state different ranges")
    low, high = next(iter(ranges))
    if low is None or high is None:
        return Undefined("not computable: no range is stated")
    if not isinstance(low, Fraction) or not isinstance(high, Fraction):
        return Undefined("not computable: the range is infinite")
    if low >= high:
        return Undefined("not computable: the range is empty")
    return low, high
