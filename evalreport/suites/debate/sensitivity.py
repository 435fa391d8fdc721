"""What each threshold decides: the outcome as an exact step function of one threshold, the other two held."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from evalreport.suites.debate.records import Thresholds


@dataclass(frozen=True)
class Step:
    """The outcome for every threshold above `above` (from it on for the first step) up to and including `up_to`."""

    above: Fraction
    up_to: Fraction
    passing: int
    passes: bool


@dataclass(frozen=True)
class Sensitivity:
    """How the outcome of the benchmark rule depends on one threshold.

    `passes_up_to` is the highest value with which the benchmark still passes, None when no value from 0 to 1 makes it
    pass. `steps` cover 0 to 1 without a gap.
    """

    threshold: str
    actual: Fraction
    passes_up_to: Fraction | None
    steps: tuple[Step, ...]


def sensitivities(cases: Sequence[tuple[Fraction, Fraction]], thresholds: Thresholds) -> tuple[Sensitivity, ...]:
    """For each of the three thresholds: at which values the outcome of the benchmark rule changes.

    `cases` holds mean and lowest dimension of each scoreable case; with no such case there is no outcome to change.

    >>> one = (Fraction(3, 4), Fraction(1, 2))
    >>> rule = Thresholds(Fraction(1, 2), Fraction(13, 20), Fraction(3, 4))
    >>> [str(s.passes_up_to) for s in sensitivities([one], rule)]
    ['1/2', '3/4', '1']
    """
    if not cases:
        return ()
    n = len(cases)
    benchmark_mean = sum(mean for mean, _ in cases) / n
    mean_holds = benchmark_mean >= thresholds.overall_case_pass
    lowest = sorted(low for mean, low in cases if mean >= thresholds.overall_case_pass)
    means = sorted(mean for mean, low in cases if low >= thresholds.per_dimension_pass)
    passing = len(lowest) - bisect_left(lowest, thresholds.per_dimension_pass)

    def enough(count: int) -> bool:
        return Fraction(count, n) >= thresholds.benchmark_pass_fraction

    def at_dimension(value: Fraction) -> tuple[int, bool]:
        count = len(lowest) - bisect_left(lowest, value)
        return count, mean_holds and enough(count)

    def at_case(value: Fraction) -> tuple[int, bool]:
        count = len(means) - bisect_left(means, value)
        return count, benchmark_mean >= value and enough(count)

    def at_fraction(value: Fraction) -> tuple[int, bool]:
        return passing, mean_holds and Fraction(passing, n) >= value

    curves = (
        ("per_dimension_pass", thresholds.per_dimension_pass, lowest, at_dimension),
        ("overall_case_pass", thresholds.overall_case_pass, [*means, benchmark_mean], at_case),
        ("benchmark_pass_fraction", thresholds.benchmark_pass_fraction, [Fraction(passing, n)], at_fraction),
    )
    found = []
    for name, actual, changes, outcome in curves:
        steps = _steps([(value, *outcome(value)) for value in sorted({*changes, Fraction(0), Fraction(1)})])
        held = [s.up_to for s in steps if s.passes]
        found.append(Sensitivity(name, actual, max(held, default=None), steps))
    return tuple(found)


def _steps(points: Sequence[tuple[Fraction, int, bool]]) -> tuple[Step, ...]:
    """Join neighbours with the same outcome. A point tells of itself and of all values down to the one before it."""
    steps: list[Step] = []
    above = Fraction(0)
    for value, passing, passes in points:
        if steps and (steps[-1].passing, steps[-1].passes) == (passing, passes):
            steps[-1] = Step(steps[-1].above, value, passing, passes)
        else:
            steps.append(Step(above, value, passing, passes))
        above = value
    return tuple(steps)
