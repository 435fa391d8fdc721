"""Finite sets in a fixed order, with multiplicities, that remember how their members fall into groups."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, compress, repeat

from evalreport.core.formula.syntax import FormulaError

Getter = Callable[..., object]


@dataclass(frozen=True)
class Weighted:
    """Records of which equal ones are merged, each with how often it occurs.

    Given for a symbol of type `set of ...`, it means the same as the records written out one by one.

    >>> len(Set.of(Weighted(["a", "b"], [3, 1])))
    4
    """

    items: Sequence[object]
    counts: Sequence[int]

    def __post_init__(self) -> None:
        if len(self.items) != len(self.counts):
            raise FormulaError(f"{len(self.items)} items have {len(self.counts)} counts; expected one for each")
        for item, count in zip(self.items, self.counts, strict=True):
            if type(count) is not int or count < 1:
                raise FormulaError(f"the count of {item!r} is {count!r}; expected an integer from 1")


@dataclass(frozen=True)
class Groups:
    """How the members of a set fall together: for each member its group; for each group a member and its size."""

    of_member: Sequence[int]
    firsts: Sequence[object]
    sizes: Sequence[int]


class Set(Collection[object]):
    """A finite set as a formula sees it: its members in the order of the data, each with how often it occurs.

    Length and iteration count a merged record as often as it occurs. Two sets are equal only when they are the same
    object: their order and their records belong to one body of data.
    """

    __slots__ = ("_groups", "_known", "counts", "members")

    def __init__(self, members: Sequence[object], counts: Sequence[int] | None = None) -> None:
        self.members = members
        self.counts = counts
        self._known: frozenset[object] | None = None
        self._groups: dict[tuple[Getter, ...], Groups] = {}

    @classmethod
    def of(cls, data: object) -> Set:
        """The set that the data describe: a sequence, `Weighted`, or an unordered set, which is then sorted."""
        if isinstance(data, Set):
            return data
        if isinstance(data, Weighted):
            return cls(tuple(data.items), tuple(data.counts))
        if isinstance(data, str | bytes) or not isinstance(data, Collection):
            raise FormulaError(f"{data!r} is not a set; expected a sequence of items or Weighted")
        if isinstance(data, AbstractSet):
            return cls(tuple(_sorted(data)))
        return cls(tuple(data))

    def __len__(self) -> int:
        return len(self.members) if self.counts is None else sum(self.counts)

    def __iter__(self) -> Iterator[object]:
        if self.counts is None:
            return iter(self.members)
        return chain.from_iterable(map(repeat, self.members, self.counts))

    def __contains__(self, item: object) -> bool:
        if self._known is None:
            self._known = frozenset(self.members)
        return item in self._known

    def __repr__(self) -> str:
        return f"Set({len(self)} items)"

    @property
    def multiplicities(self) -> Sequence[int]:
        """How often each member occurs."""
        return (1,) * len(self.members) if self.counts is None else self.counts

    def ends(self, first: int) -> tuple[list[object], list[object]]:
        """The first few items and the last one, when there are more than one beyond the first few; else all items."""
        if len(self) <= first + 1:
            return list(self), []
        head = [item for item, _ in zip(self, range(first), strict=False)]
        return head, [self.members[-1]]

    def keep(self, flags: Sequence[object]) -> Set:
        """The subset of the members that are flagged, each as often as it occurs here."""
        members = tuple(compress(self.members, flags))
        return Set(members, None if self.counts is None else tuple(compress(self.counts, flags)))

    def groups(self, getters: tuple[Getter, ...]) -> Groups:
        """Members that agree in all these fields are one group. Each getter is called once for each member."""
        found = self._groups.get(getters)
        if found is None:
            found = self._groups[getters] = self._grouped(getters)
        return found

    def _grouped(self, getters: tuple[Getter, ...]) -> Groups:
        number: dict[tuple[object, ...], int] = {}
        of_member: list[int] = []
        firsts: list[object] = []
        sizes: list[int] = []
        for member, count in zip(self.members, self.multiplicities, strict=True):
            fields = [get(member) for get in getters]
            # the hash of a Fraction costs a modular inverse, that of two integers does not
            key = tuple([v.as_integer_ratio() if type(v) is Fraction else v for v in fields])
            group = number.setdefault(key, len(firsts))
            if group == len(firsts):
                firsts.append(member)
                sizes.append(0)
            sizes[group] += count
            of_member.append(group)
        return Groups(of_member, firsts, sizes)


def _sorted(items: AbstractSet[object]) -> list[object]:
    texts = sorted(item for item in items if isinstance(item, str))
    numbers = sorted(item for item in items if isinstance(item, (int, Fraction)))
    if len(texts) + len(numbers) < len(items):
        raise FormulaError("records are given without an order; expected a sequence or Weighted")
    return [*texts, *numbers]
