"""What the samples of a log give: grades as numbers, epochs reduced to one value for each item, the mean over items."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from statistics import median, multimode

from evalreport.core.exact import parse_decimal
from evalreport.formats.evalrun import SetAside
from evalreport.formats.inspect_logs.log import Log, Sample
from evalreport.formats.json_faults import member
from evalreport.formats.json_values import as_number, shown

_GRADES = {"C": Fraction(1), "P": Fraction(1, 2), "I": Fraction(0), "N": Fraction(0)}
_WORDS = {"yes": Fraction(1), "true": Fraction(1), "no": Fraction(0), "false": Fraction(0)}
_OF_K = re.compile(r"(at_least|pass_at)_(\d{1,6})")


def number_of(value: object) -> Fraction | None:
    """A grade as a number: C 1, P a half, I and N 0, true and yes 1, numbers also as text; None for all else.

    >>> [number_of(grade) for grade in ("C", "P", True, "0.7", "nan", "B")]
    [Fraction(1, 1), Fraction(1, 2), Fraction(1, 1), Fraction(7, 10), None, None]
    """
    if isinstance(value, bool):
        return Fraction(value)
    if not isinstance(value, str):
        return as_number(value)
    word = value.strip()
    found = _GRADES.get(word, _WORDS.get(word.casefold()))
    if found is not None:
        return found
    try:
        return parse_decimal(word)
    except ValueError:
        return None


def reduced(values: Sequence[Fraction], reducer: str) -> Fraction | None:
    """The epochs of one item as one value; None for a reducer that is not known.

    >>> reduced([Fraction(1), Fraction(0), Fraction(0)], "mean"), reduced([Fraction(1), Fraction(0)], "at_least_1")
    (Fraction(1, 3), Fraction(1, 1))
    """
    if reducer in ("mean", "median", "mode", "max"):
        of = {
            "mean": lambda: sum(values, Fraction(0)) / len(values),
            "median": lambda: Fraction(median(values)),
            "mode": lambda: multimode(values)[0],
            "max": lambda: max(values),
        }
        return of[reducer]()
    found = _OF_K.fullmatch(reducer)
    if not found:
        return None
    k, right, total = int(found[2]), sum(value >= 1 for value in values), len(values)
    if found[1] == "at_least":
        return Fraction(right >= k)
    if total - right < k:
        return Fraction(1)
    return 1 - Fraction(comb(total - right, k), comb(total, k))


@dataclass
class Tally:
    """One score over the samples of a log: the values of each item, and how many samples have none."""

    items: dict[str, list[Fraction]] = field(default_factory=dict)
    unscored: int = 0
    errored: int = 0

    @property
    def samples(self) -> int:
        """Samples that have a value."""
        return sum(len(values) for values in self.items.values())

    def mean(self, reducer: str) -> Fraction | None:
        """The mean over the items of their reduced epochs; None without items or with an unknown reducer."""
        each = [reduced(values, reducer) for values in self.items.values()]
        known = [value for value in each if value is not None]
        return sum(known, Fraction(0)) / len(known) if known and len(known) == len(each) else None


def tallies(log: Log) -> tuple[dict[str, Tally], list[SetAside]]:
    """Every score in the samples of a log by its name, and the grades that are no number.

    A score with parts has a name for each part; the part's name alone, unless two scorers have one of that name.
    """
    scores = _names(log.samples)
    found: dict[str, Tally] = {name: Tally() for name in scores.values()}
    aside: list[SetAside] = []
    for sample in log.samples:
        stated = dict(_parts(sample))
        for place, name in scores.items():
            tally = found[name]
            if sample.errored and place not in stated:
                tally.errored += 1
                continue
            number = number_of(stated.get(place))
            if number is None:
                tally.unscored += 1
                key = member(sample.key, place[0]) + (f" {place[1]}" if place[1] else "")
                why = "is no grade and no number: unscored" if place in stated else "is missing: unscored"
                aside.append(SetAside(log.file.path, key, shown(stated.get(place)), f"a score that {why}"))
            else:
                tally.items.setdefault(sample.item, []).append(number)
    return found, aside


def _parts(sample: Sample) -> Iterator[tuple[tuple[str, str], object]]:
    for scorer, value in sample.values.items():
        if isinstance(value, dict):
            for part, inner in value.items():
                yield (scorer, part), inner
        else:
            yield (scorer, ""), value


def _names(samples: Iterable[Sample]) -> dict[tuple[str, str], str]:
    places = sorted({place for sample in samples for place, _ in _parts(sample)})
    # A scorer that graded some samples in parts and gave others nothing has no score of its own.
    split = {scorer for scorer, part in places if part}
    shorts = [part or scorer for scorer, part in places if part or scorer not in split]
    return {
        (scorer, part): f"{scorer}.{part}" if part and shorts.count(part) > 1 else part or scorer
        for scorer, part in places
        if part or scorer not in split
    }
