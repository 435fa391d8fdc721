"""The parts of a formula that calculate, choose and compare."""
# ruff: noqa: D102 (the class says what the value of a part is)

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from evalreport.core.exact import Number
from evalreport.core.formula.arithmetic import FOLDS, divide, lowest, raised, root
from evalreport.core.formula.expression import Condition, Expression, Numeric, Scope
from evalreport.core.formula.sets import Set
from evalreport.core.formula.syntax import FormulaError


@dataclass(frozen=True)
class Group(Expression[Number]):
    """A number in parentheses."""

    inner: Numeric

    def value(self, scope: Scope) -> Number:
        return self.inner.value(scope)


@dataclass(frozen=True)
class Sum(Expression[Number]):
    """Terms, each with its sign."""

    terms: tuple[tuple[int, Numeric], ...]

    def value(self, scope: Scope) -> Number:
        result: Number = 0
        for sign, term in self.terms:
            result += sign * term.value(scope)
        return lowest(result)


@dataclass(frozen=True)
class Product(Expression[Number]):
    """Factors."""

    factors: tuple[Numeric, ...]

    def value(self, scope: Scope) -> Number:
        result: Number = 1
        for factor in self.factors:
            result *= factor.value(scope)
        return lowest(result)


@dataclass(frozen=True)
class Power(Expression[Number]):
    """An integer power."""

    base: Numeric
    exponent: int

    def value(self, scope: Scope) -> Number:
        return raised(self.base.value(scope), self.exponent, self.base.source)


@dataclass(frozen=True)
class Ratio(Expression[Number]):
    """A fraction."""

    top: Numeric
    bottom: Numeric

    def value(self, scope: Scope) -> Number:
        return divide(self.top.value(scope), self.bottom.value(scope), self.bottom.source)


@dataclass(frozen=True)
class Root(Expression[Number]):
    """A square root."""

    inner: Numeric

    def value(self, scope: Scope) -> Number:
        return root(self.inner.value(scope))


@dataclass(frozen=True)
class Size(Expression[Number]):
    """The number of items of a set."""

    inner: Expression[Set]

    def value(self, scope: Scope) -> Number:
        return len(self.inner.value(scope))


@dataclass(frozen=True)
class Absolute(Expression[Number]):
    """An absolute value; `bars` are the signs it is written with."""

    inner: Numeric
    bars: tuple[str, str]

    def value(self, scope: Scope) -> Number:
        value = self.inner.value(scope)
        return -value if value < 0 else value


@dataclass(frozen=True)
class Indicator(Expression[Number]):
    """1 where the condition holds, 0 where it does not."""

    condition: Condition

    def value(self, scope: Scope) -> Number:
        return int(self.condition.value(scope))


@dataclass(frozen=True)
class Listed(Expression[Number]):
    """An operator over expressions that are written out: min(a, b)."""

    operator: str
    items: tuple[Numeric, ...]

    def value(self, scope: Scope) -> Number:
        return FOLDS[self.operator]([(item.value(scope), 1) for item in self.items])


@dataclass(frozen=True)
class Cases(Expression[object]):
    """The first row whose condition holds; rows below it are not evaluated."""

    rows: tuple[tuple[Expression[object], Condition], ...]
    otherwise: Expression[object]

    def value(self, scope: Scope) -> object:
        for result, condition in self.rows:
            if condition.value(scope):
                return result.value(scope)
        return self.otherwise.value(scope)


@dataclass(frozen=True)
class Comparison(Expression[bool]):
    """Neighbours compared, from the left, up to the first comparison that does not hold."""

    operands: tuple[Expression[object], ...]
    relations: tuple[str, ...]

    def value(self, scope: Scope) -> bool:
        left = self.operands[0].value(scope)
        for relation, operand in zip(self.relations, self.operands[1:], strict=True):
            right = operand.value(scope)
            if not RELATIONS[relation](left, right):
                return False
            left = right
        return True


@dataclass(frozen=True)
class Connected(Expression[bool]):
    """Conditions joined by "and" or by "or", from the left, up to the one that decides."""

    word: str
    parts: tuple[Condition, ...]

    def value(self, scope: Scope) -> bool:
        decides = self.word == "or"
        return next((decides for part in self.parts if part.value(scope) is decides), not decides)


@dataclass(frozen=True)
class Together(Expression[bool]):
    """A condition in parentheses."""

    inner: Condition

    def value(self, scope: Scope) -> bool:
        return self.inner.value(scope)


def _number(x: object) -> Number:
    if isinstance(x, (int, Fraction)):
        return x
    raise FormulaError(f"{x!r} is compared as a number")


def _member(item: object, container: object) -> bool:
    return isinstance(container, Set) and item in container


RELATIONS: dict[str, Callable[[object, object], bool]] = {
    "=": lambda a, b: a == b,
    r"\ne": lambda a, b: a != b,
    "<": lambda a, b: _number(a) < _number(b),
    r"\le": lambda a, b: _number(a) <= _number(b),
    ">": lambda a, b: _number(a) > _number(b),
    r"\ge": lambda a, b: _number(a) >= _number(b),
    r"\in": _member,
    r"\notin": lambda a, b: not _member(a, b),
}
