"""How the ranking depends on the weight of the pass rate: exact, over all weights from 0 to 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm

from evalreport.suites.benchmark.metrics_runs import SUBJECT_VERSION
from evalreport.suites.benchmark.notation import bench
from evalreport.suites.benchmark.results import Crossing, RankRange, Sensitivity, SubjectId


@bench.metric(
    key="rank",
    name="Rank",
    column="Rank",
    better="lower",
    range=(1, None),
    decimals=0,
    clause="benchmark#rank",
    of=SUBJECT_VERSION,
    checked_by="reference",
    reference="worked example with a tie: 7, 5, 5, 1 have the ranks 1, 2, 2, 4",
)
def ranks(values: Mapping[SubjectId, Fraction | int]) -> dict[SubjectId, int]:
    """Rank by value, highest first: 1 plus how many are higher. Equal values share a rank.

    >>> ranks({("a", "1"): 5, ("b", "1"): 7, ("c", "1"): 5, ("d", "1"): 1})
    {('b', '1'): 1, ('a', '1'): 2, ('c', '1'): 2, ('d', '1'): 4}
    """
    first: dict[Fraction | int, int] = {}
    for place, value in enumerate(sorted(values.values(), reverse=True), 1):
        first.setdefault(value, place)
    return {key: first[values[key]] for key in sorted(values, key=lambda k: (-values[k], k))}


def sensitivity(passed: Mapping[SubjectId, Fraction], score: Mapping[SubjectId, Fraction]) -> Sensitivity:
    """For each subject version the ranges of the weight over which it keeps its rank, and where two change places.

    `passed` is the pass rate (the composite for weight 1) and `score` the mean score as a share (weight 0) of the
    ranked subject versions. Between two neighbouring crossings no order changes.
    """
    subjects = tuple(sorted(passed))
    crossings = tuple(_crossings(subjects, passed, score))
    points = sorted({Fraction(0), Fraction(1), *(c.alpha for c in crossings)})
    stops: list[tuple[Fraction, Fraction]] = [(points[0], points[0])]
    for low, high in pairwise(points):
        stops += [(low, high), (high, high)]
    scale = lcm(*(v.denominator for v in (*passed.values(), *score.values()))) if subjects else 1
    ones = {s: int(passed[s] * scale) for s in subjects}
    zeros = {s: int(score[s] * scale) for s in subjects}
    found: dict[SubjectId, list[RankRange]] = {s: [] for s in subjects}
    for low, high in stops:
        alpha = (low + high) / 2
        p, q = alpha.numerator, alpha.denominator
        for s, rank in ranks({s: p * ones[s] + (q - p) * zeros[s] for s in subjects}).items():
            alone = low == high
            known = found[s]
            if known and known[-1].rank == rank:
                known[-1] = RankRange(s, rank, known[-1].low, high, known[-1].low_in, alone)
            else:
                known.append(RankRange(s, rank, low, high, alone, alone))
    return Sensitivity(subjects, dict(score), dict(passed), crossings, tuple(r for s in subjects for r in found[s]))


def _crossings(
    subjects: Sequence[SubjectId], passed: Mapping[SubjectId, Fraction], score: Mapping[SubjectId, Fraction]
) -> list[Crossing]:
    found = []
    for i, a in enumerate(subjects):
        for b in subjects[i + 1 :]:
            at_zero, at_one = score[a] - score[b], passed[a] - passed[b]
            if at_zero != at_one and at_zero * at_one <= 0:
                alpha = at_zero / (at_zero - at_one)
                found.append(Crossing(alpha, a, b, alpha * passed[a] + (1 - alpha) * score[a]))
    return sorted(found, key=lambda c: (c.alpha, c.a, c.b))
