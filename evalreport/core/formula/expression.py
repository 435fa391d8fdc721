"""What a checked formula is made of: symbols and variables; every part knows its type, its LaTeX and its value."""
# ruff: noqa: D102 (the class says what the value of a part is)

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

from evalreport.core.exact import Number
from evalreport.core.formula.sets import Getter

if TYPE_CHECKING:
    from evalreport.core.formula.evaluation import Evaluation

T_co = TypeVar("T_co", covariant=True)
NUMBER = "number"
CONDITION = "condition"
SET_OF = "set of "


@dataclass(slots=True)
class Scope:
    """What the variables stand for at one moment of an evaluation."""

    bound: dict[str, object]
    over: Evaluation


@dataclass(frozen=True)
class Expression(ABC, Generic[T_co]):
    """A part of a formula: its type, the LaTeX it was read from, its value."""

    type: str
    source: str

    @abstractmethod
    def value(self, scope: Scope) -> T_co:
        """The exact value; raises `NoValue` where there is none."""


Numeric = Expression[Number]
Condition = Expression[bool]


@dataclass(frozen=True, eq=False)
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
        return self._identity

    @cached_property
    def _identity(self) -> str:
        used = sorted((symbol.head, symbol.identity()) for symbol in self.uses if symbol.formula is not None)
        text = json.dumps([self.head, self.formula, self.needs, used], ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Literal(Expression[T_co]):
    """A number or a text that stands in the formula."""

    content: T_co

    def value(self, scope: Scope) -> T_co:  # noqa: ARG002
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
class Lookup(Expression[object]):
    """Any other given with arguments that is no set: read from the data each time, as that is cheaper than to know."""

    symbol: Symbol
    args: tuple[Expression[object], ...]

    def value(self, scope: Scope) -> object:
        return scope.over.getter(self.symbol)(*[arg.value(scope) for arg in self.args])


@dataclass(frozen=True)
class Call(Expression[object]):
    """A definition, a set or a parameter: known once it has been computed for its arguments."""

    symbol: Symbol
    args: tuple[Expression[object], ...]

    def value(self, scope: Scope) -> object:
        return scope.over.call(self.symbol, tuple([arg.value(scope) for arg in self.args]))
