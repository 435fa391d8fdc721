"""The parts of a formula in which a variable runs over a set."""
# ruff: noqa: D102 (the class says what the value of a part is)

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from evalreport.core.exact import Number
from evalreport.core.formula.arithmetic import DEFINED_WHEN_EMPTY, FOLDS, NoValue, lowest, total
from evalreport.core.formula.expression import Condition, Expression, Numeric, Scope, Symbol
from evalreport.core.formula.sets import Set
from evalreport.core.formula.syntax import FormulaError

T = TypeVar("T")


@dataclass(frozen=True)
class Binding:
    """A variable that runs over a set. `fields`: the only things read from it, or None when it is used whole."""

    variable: str
    domain: Expression[Set]
    fields: tuple[Symbol, ...] | None
    source: str  # LaTeX of the set, with its condition

    def counted(self, scope: Scope, body: Expression[T]) -> Iterator[tuple[T, int]]:
        """The value of the body for each member, or once for each group of members it cannot tell apart."""
        found = self.domain.value(scope)
        if self.fields is None:
            yield from zip(self.each(scope, found.members, body), found.multiplicities, strict=True)
        else:
            groups = found.groups(scope.over.getters(self.fields))
            yield from zip(self.each(scope, groups.firsts, body), groups.sizes, strict=True)

    def each(self, scope: Scope, items: Iterable[object], body: Expression[T]) -> Iterator[T]:
        """The value of the body for each of these items."""
        bound, variable, value = scope.bound, self.variable, body.value
        for item in items:
            bound[variable] = item
            yield value(scope)


@dataclass(frozen=True)
class ForAll(Expression[bool]):
    """Whether the condition holds for each item, up to the first for which it does not."""

    binding: Binding
    condition: Condition

    def value(self, scope: Scope) -> bool:
        return all(holds for holds, _ in self.binding.counted(scope, self.condition))


@dataclass(frozen=True)
class Subset(Expression[Set]):
    """The items of a set for which the condition holds."""

    binding: Binding
    condition: Condition

    def value(self, scope: Scope) -> Set:
        binding = self.binding
        found = binding.domain.value(scope)
        if binding.fields is None:
            return found.keep(list(binding.each(scope, found.members, self.condition)))
        groups = found.groups(scope.over.getters(binding.fields))
        flags = list(binding.each(scope, groups.firsts, self.condition))
        return found.keep([flags[group] for group in groups.of_member])


@dataclass(frozen=True)
class Image(Expression[Set]):
    """The distinct values of the body; sorted where they are numbers or texts, else in the order of the data."""

    binding: Binding
    body: Expression[object]
    ordered: bool

    def value(self, scope: Scope) -> Set:
        distinct = dict.fromkeys(value for value, _ in self.binding.counted(scope, self.body))
        return Set(tuple(_sorted(distinct) if self.ordered else distinct))


@dataclass(frozen=True)
class Range(Expression[Set]):
    """The integers from one number to another."""

    low: Numeric
    high: Numeric

    def value(self, scope: Scope) -> Set:
        low, high = self._end(self.low, scope), self._end(self.high, scope)
        return Set(range(low, high + 1))

    def _end(self, end: Numeric, scope: Scope) -> int:
        value = lowest(end.value(scope))
        if not isinstance(value, int):
            raise FormulaError(f"{end.source} is {value} in {self.source}; an integer is expected")
        return value


@dataclass(frozen=True)
class Big(Expression[Number]):
    """A sum, product, maximum, minimum, mean or median over a set."""

    operator: str
    binding: Binding
    body: Numeric

    def counted(self, scope: Scope) -> list[tuple[Number, int]]:
        """The values the operator runs over, each with how often it occurs."""
        values = list(self.binding.counted(scope, self.body))
        if not values and self.operator not in DEFINED_WHEN_EMPTY:
            raise NoValue(rf"{self.binding.source} \text{{ is empty}}")
        return values

    def value(self, scope: Scope) -> Number:
        return FOLDS[self.operator](self.counted(scope))

    def sum(self, scope: Scope) -> Number:
        """The sum of the values, as it stands inside a mean."""
        return total(self.counted(scope))


def _sorted(values: Iterable[object]) -> list[object]:
    texts = [v for v in values if isinstance(v, str)]
    numbers = [v for v in values if isinstance(v, (int, Fraction))]
    return [*sorted(texts), *sorted(numbers)]
