"""A formula that has been read and checked: its parts, and the value of each part."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Generic, TypeVar

from evalreport.core.exact import Number
from evalreport.core.formula.arithmetic import DEFINED_WHEN_EMPTY, FOLDS, NoValue, divide, lowest, raised, root, total
from evalreport.core.formula.sets import Getter, Set
from evalreport.core.formula.syntax import FormulaError

if TYPE_CHECKING:
    from evalreport.core.formula.evaluation import Evaluation

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")
NUMBER = "number"
CONDITION = "condition"
SET_OF = "set of "


@dataclass(slots=True)
class Scope:
    """What the variables stand for at one moment of an evaluation."""

    bound: dict[str, object]
    over: Evaluation


@dataclass(frozen=True)
class Expression(Generic[T_co]):
    """A part of a formula: its type, the LaTeX it was read from, its value."""

    type: str
    source: str

    def value(self, scope: Scope) -> T_co:
        """The exact value; raises `NoValue` where there is none."""
        raise NotImplementedError


Numeric = Expression[Number]
Condition = Expression[bool]


@dataclass(frozen=True)
class Symbol:
    """What a symbol of a suite means: given with the data, or defined by a formula over symbols above it."""

    head: str
    name: str
    below: int  # arguments below the line
    inside: int  # arguments in parentheses
    params: tuple[str, ...]
    type: str
    meaning: str
    get: Getter | None = None
    formula: str | None = None
    needs: str | None = None
    body: Expression[object] | None = field(default=None, repr=False)
    guard: Condition | None = field(default=None, repr=False)
    uses: tuple[Symbol, ...] = field(default=(), repr=False)
    exact: bool = True

    def identity(self) -> str:
        """Names what the symbol computes: changes with its head, formula or condition, or those of what it uses."""
        used = sorted((symbol.head, symbol.identity()) for symbol in self.uses if symbol.formula is not None)
        text = json.dumps([self.head, self.formula, self.needs, used], ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Literal(Expression[T_co]):
    """A number or a text that stands in the formula."""

    content: T_co

    def value(self, scope: Scope) -> T_co:
        return self.content


@dataclass(frozen=True)
class Variable(Expression[object]):
    """What a variable stands for."""

    name: str

    def value(self, scope: Scope) -> object:
        return scope.bound[self.name]


@dataclass(frozen=True)
class Field(Expression[object]):
    """A given of one bound variable, such as c_r: a field of a record."""

    symbol: Symbol
    variable: str

    def value(self, scope: Scope) -> object:
        return scope.over.getter(self.symbol)(scope.bound[self.variable])


@dataclass(frozen=True)
class Call(Expression[object]):
    """Any other symbol with its arguments."""

    symbol: Symbol
    args: tuple[Expression[object], ...]

    def value(self, scope: Scope) -> object:
        args = tuple([arg.value(scope) for arg in self.args])
        if args and self.symbol.body is None and not self.type.startswith(SET_OF):
            return scope.over.getter(self.symbol)(*args)
        return scope.over.call(self.symbol, args)


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


def _number(x: object) -> Number:
    if isinstance(x, (int, Fraction)):
        return x
    raise FormulaError(f"{x!r} is compared as a number")


def _sorted(values: Iterable[object]) -> list[object]:
    texts = [v for v in values if isinstance(v, str)]
    numbers = [v for v in values if isinstance(v, (int, Fraction))]
    return [*sorted(texts), *sorted(numbers)]


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
