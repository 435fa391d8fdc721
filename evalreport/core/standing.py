"""Where somebody may stand in a ranking: rank intervals and tie groups, from the pairs that are proven to differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

Name = TypeVar("Name", bound=Hashable)
# Differences that never vary say nothing about what a set of tasks can separate.
VARIES = Fraction(1, 10**12)


@dataclass(frozen=True)
class Place:
    """Which ranks are not ruled out, from `low` (best) to `high`, and the tie group, numbered from 1."""

    low: int
    high: int
    group: int


def places(ordered: Sequence[Name], proven: Iterable[tuple[Name, Name]]) -> dict[Name, Place]:
    """For each of a ranking, best first, the ranks it may have and the group it stands in.

    `proven` holds the pairs (who is ahead, who is behind) whose difference stands after the correction for all pairs;
    pairs with others than the ranked say nothing here. One that k others are proven to be ahead of has rank k + 1 at
    best. A tie group ends at the first that is proven worse than the best of its group. That best one is a fixed
    anchor: a chain of small steps does not make one group of everything.

    >>> found = places(["a", "b", "c", "d"], [("a", "c"), ("a", "d")])
    >>> [(place.low, place.high, place.group) for place in found.values()]
    [(1, 2, 1), (1, 4, 1), (2, 4, 2), (2, 4, 2)]
    """
    ranked = set(ordered)
    steps = {(ahead, behind) for ahead, behind in proven if ahead in ranked and behind in ranked}
    above = Counter(behind for _, behind in steps)
    below = Counter(ahead for ahead, _ in steps)
    found: dict[Name, Place] = {}
    anchor, group = None, 0
    for name in ordered:
        if anchor is None or (anchor, name) in steps:
            anchor, group = name, group + 1
        found[name] = Place(1 + above[name], len(ordered) - below[name], group)
    return found


def separable(detectable: Iterable[Fraction]) -> Fraction | None:
    """The detectable difference of a typical pair: the median over the pairs whose difference varies at all.

    None when no pair varies.

    >>> separable([Fraction(1, 10), Fraction(3, 10), Fraction(0)])
    Fraction(1, 5)
    """
    varying = sorted(one for one in detectable if one > VARIES)
    if not varying:
        return None
    half = len(varying) // 2
    return varying[half] if len(varying) % 2 else (varying[half - 1] + varying[half]) / 2
