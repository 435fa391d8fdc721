"""How far the reviewers of the same runs agree: Krippendorff's alpha, percent agreement, and where they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from evalreport.core.exact import Undefined, Value
from evalreport.suites.benchmark.parts import ReadScoring
from evalreport.suites.benchmark.records import CRITERIA

Level = Literal["ordinal", "nominal"]
VARIABLES: Mapping[str, Level] = {
    **dict.fromkeys(CRITERIA, "ordinal"),
    "correctness": "ordinal",
    "critical_fail": "nominal",
    "recoverable_fail": "nominal",
}
"""What reviewers give a run, and whether its values have an order."""


@dataclass(frozen=True)
class Agreement:
    """How far reviewers agree on one variable, over the runs of a benchmark version that several of them scored.

    `runs` have two reviewers or more, `runs_agreed` of them have one value from all. `pairs` counts two reviewers of
    the same run, `pairs_agreed` those who gave the same value.
    """

    benchmark_version: str
    variable: str
    level: Level
    reviewers: int
    runs: int
    runs_agreed: int
    pairs: int
    pairs_agreed: int
    alpha: Value

    @property
    def percent(self) -> Value:
        """Of 100 pairs of reviewers of the same run, so many gave the same value. Chance is not taken off."""
        return Fraction(100 * self.pairs_agreed, self.pairs) if self.pairs else Undefined(_NO_PAIRS)


_NO_PAIRS = "no run has two reviewers"


def ratings(scoring: ReadScoring) -> tuple[int, ...]:
    """What a reviewer gave a run, in the order of `VARIABLES`: points, halves of correctness, and fails as 0 or 1."""
    return (*scoring.criteria, scoring.halves, int(scoring.critical), int(scoring.recoverable))


def krippendorff_alpha(units: Iterable[Sequence[int]], level: Level) -> Value:
    """Agreement beyond chance: 1 when all agree, 0 when ratings are as if drawn by lot, below 0 when they oppose.

    A unit holds the ratings that it got, in any order; units with fewer than two say nothing about agreement. Undefined
    when no unit has two, or when all ratings are equal: then nothing tells agreement from a scale that is never used.
    As defined in K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), by the `krippendorff` library.

    >>> krippendorff_alpha([(1, 1), (2, 2), (0, 0)], "ordinal")
    Fraction(1, 1)
    >>> krippendorff_alpha([(1, 1), (1, 1)], "ordinal")
    Undefined(reason='all ratings are equal')
    """
    pairable = sorted(sorted(unit) for unit in units if len(unit) > 1)
    domain = sorted({value for unit in pairable for value in unit})
    if not pairable:
        return Undefined(_NO_PAIRS)
    if len(domain) == 1:
        return Undefined("all ratings are equal")
    import krippendorff

    counts = [[unit.count(value) for value in domain] for unit in pairable]
    alpha = float(krippendorff.alpha(value_counts=counts, value_domain=domain, level_of_measurement=level))
    # The last digits of a float depend on how a processor adds; nothing depends on them.
    return Fraction(f"{alpha:.12f}")


def agreements(runs: Sequence[Sequence[ReadScoring]]) -> tuple[Agreement, ...]:
    """One for each benchmark version and variable, from the scorings of each run; in the order of `VARIABLES`."""
    versions: dict[str, list[Sequence[ReadScoring]]] = {}
    for scorings in runs:
        versions.setdefault(scorings[0].key[0], []).append(scorings)
    return tuple(found for version in sorted(versions) for found in _of_version(version, versions[version]))


def _of_version(version: str, runs: Sequence[Sequence[ReadScoring]]) -> Iterable[Agreement]:
    reviewers = len({scoring.reviewer_id for scorings in runs for scoring in scorings})
    several = [[ratings(scoring) for scoring in scorings] for scorings in runs if len(scorings) > 1]
    for at, (variable, level) in enumerate(VARIABLES.items()):
        units = [[given[at] for given in run] for run in several]
        yield Agreement(
            benchmark_version=version,
            variable=variable,
            level=level,
            reviewers=reviewers,
            runs=len(units),
            runs_agreed=sum(len(set(unit)) == 1 for unit in units),
            pairs=sum(_pairs(len(unit)) for unit in units),
            pairs_agreed=sum(_pairs(same) for unit in units for same in Counter(unit).values()),
            alpha=krippendorff_alpha(units, level),
        )


def _pairs(n: int) -> int:
    return n * (n - 1) // 2
