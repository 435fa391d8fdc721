"""The formulas of a notation over one body of data: exact values, and the same formulas with numbers put in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from evalreport.core.exact import Number, Undefined
from evalreport.core.formula.arithmetic import NoValue, lowest
from evalreport.core.formula.expression import NUMBER, SET_OF, Expression, Scope, Symbol
from evalreport.core.formula.printing import Printer, decimal, plain
from evalreport.core.formula.sets import Getter, Set
from evalreport.core.formula.syntax import FormulaError
from evalreport.core.formula.wording import words

if TYPE_CHECKING:
    from evalreport.core.formula.notation import Notation


class Evaluation:
    """Values of symbols over one body of data. Every definition is computed once for its arguments."""

    def __init__(self, notation: Notation, data: Mapping[str, object], terms: int = 3) -> None:
        if terms < 1:
            raise FormulaError(f"terms is {terms}; expected 1 or more")
        givens = {symbol.head for symbol in notation.symbols.values() if symbol.formula is None}
        unknown = sorted({*data} - givens)
        if unknown:
            raise FormulaError(f"{notation.suite}: the data hold {', '.join(unknown)}, which is not a given symbol")
        self.notation = notation
        self.terms = terms
        self._data = data
        self._memo: dict[tuple[object, ...], tuple[object, tuple[object, ...]]] = {}
        self._getters: dict[str, Getter] = {}

    def value(self, head: str, *args: object) -> int | Fraction | str | Set | Undefined:
        """The exact value of a symbol for these arguments, or why there is none."""
        symbol = self.notation.symbol(head)
        try:
            value = self.call(symbol, self._arguments(symbol, args))
        except NoValue as none:
            return Undefined(words(none.reason))
        if isinstance(value, (int, Fraction)):
            return lowest(value)
        if isinstance(value, (str, Set)):
            return value
        raise FormulaError(f"{head} is a {symbol.type}, which is neither a number, a text nor a set")

    def shown(self, head: str, *args: object) -> str:
        """The formula of a symbol with numbers put in, as LaTeX; where it has no value, the reason."""
        symbol, body, scope = self._opened(head, args)
        try:
            self.call(symbol, tuple(scope.bound.values()))
            return Printer(scope, self.terms).line(body)
        except NoValue as none:
            return rf"\text{{undefined: }} {none.reason}"

    def steps(self, head: str, *args: object) -> tuple[str, ...]:
        """The lines of an audit page as LaTeX: the formula; with numbers put in; long sums collapsed; the value.

        Each line stands for itself in inline maths with `\\displaystyle`; the second and later ones begin with "=".
        The third is left out where nothing is collapsed. A set has two lines, the formula and its size.
        """
        symbol, body, scope = self._opened(head, args)
        condition = rf" \quad \text{{for }} {symbol.needs}" if symbol.needs else ""
        formula = f"{symbol.head} = {symbol.formula}{condition}"
        try:
            value = self.call(symbol, tuple(scope.bound.values()))
            if isinstance(value, Set):
                return formula, rf"\left| {symbol.head} \right| = {len(value)}"
            lines = [Printer(scope, self.terms).line(body)]
            collapsed = Printer(scope, self.terms, collapse=True)
            line = collapsed.line(body)
            if collapsed.collapsed:
                lines.append(line)
            result = decimal(value) if isinstance(value, (int, Fraction)) else plain(value)
            if result != lines[-1]:
                lines.append(result)
        except NoValue as none:
            return formula, rf"\text{{undefined: }} {none.reason}"
        return formula, *(f"= {line}" for line in lines)

    def getter(self, symbol: Symbol) -> Getter:
        """What the data give for a symbol, held to its type."""
        found = self._getters.get(symbol.head)
        if found is None:
            found = self._getters[symbol.head] = self._checked(symbol)
        return found

    def getters(self, symbols: tuple[Symbol, ...]) -> tuple[Getter, ...]:
        """The getters of several symbols."""
        return tuple([self.getter(symbol) for symbol in symbols])

    def call(self, symbol: Symbol, args: tuple[object, ...]) -> object:
        """The value of a symbol, from memory when it is known. Raises `NoValue` where there is none."""
        # records are told apart by identity: hashing a record costs more than evaluating most formulas over it
        key = (symbol.head, *(a if isinstance(a, (int, str, Fraction)) else (id(a),) for a in args))
        if key not in self._memo:
            self._memo[key] = self._computed(symbol, args), args  # args stay alive, so that their ids stay theirs
        value = self._memo[key][0]
        if isinstance(value, NoValue):
            raise NoValue(value.reason)
        return value

    def _computed(self, symbol: Symbol, args: tuple[object, ...]) -> object:
        if symbol.body is None:
            return self.getter(symbol)(*args)
        scope = Scope(dict(zip(symbol.params, args, strict=True)), self)
        try:
            if symbol.guard is not None and not symbol.guard.value(scope):
                return NoValue(rf"\text{{not }} {symbol.needs}")
            return symbol.body.value(scope)
        except NoValue as none:
            return none

    def _opened(self, head: str, args: tuple[object, ...]) -> tuple[Symbol, Expression[object], Scope]:
        symbol = self.notation.symbol(head)
        if symbol.body is None:
            raise FormulaError(f"{head} is given with the data; only a definition has a formula to show")
        return symbol, symbol.body, Scope(dict(zip(symbol.params, self._arguments(symbol, args), strict=True)), self)

    def _arguments(self, symbol: Symbol, args: tuple[object, ...]) -> tuple[object, ...]:
        if len(args) != len(symbol.params):
            raise FormulaError(f"{symbol.head} takes {len(symbol.params)} arguments; {len(args)} are given")
        types = [self.notation.variables[param] for param in symbol.params]
        return tuple(
            self._holder(f"{param} in {symbol.head}", kind)(arg)
            for param, kind, arg in zip(symbol.params, types, args, strict=True)
        )

    def _checked(self, symbol: Symbol) -> Getter:
        get = self._data.get(symbol.head, symbol.get)
        if get is None:
            raise FormulaError(f"the data hold no {symbol.head} ({symbol.meaning})")
        hold = self._holder(symbol.head, symbol.type)
        if callable(get):
            return _held(get, hold, symbol)
        if symbol.params:
            raise FormulaError(f"{symbol.head} takes arguments; the data hold {get!r}, which is not a function")
        return lambda: hold(get)

    def _holder(self, name: str, kind: str) -> Callable[[object], object]:
        """A function that lets through what belongs to a type and refuses the rest, naming the symbol and the value."""
        if kind == NUMBER:
            return lambda value: _exact(name, value)
        if kind in self.notation.texts:
            allowed = self.notation.texts[kind]
            return lambda value: _text(name, value, allowed)
        if not kind.startswith(SET_OF):
            return lambda value: value
        inner = kind.removeprefix(SET_OF)
        if inner != NUMBER and inner not in self.notation.texts and not inner.startswith(SET_OF):
            return Set.of
        hold = self._holder(f"an item of {name}", inner)

        def collection(value: object) -> Set:
            if isinstance(value, Set):
                return value
            found = Set.of(value)
            return Set(tuple([hold(member) for member in found.members]), found.counts)

        return collection


def _held(get: Getter, hold: Callable[[object], object], symbol: Symbol) -> Getter:
    def number(*args: object) -> object:
        value = get(*args)
        # most of what is left of the cost of an evaluation is here: an exact number passes without a further call
        return value if type(value) is int or type(value) is Fraction else hold(value)

    return number if symbol.type == NUMBER else lambda *args: hold(get(*args))


def _exact(name: str, value: object) -> Number:
    if type(value) is int or type(value) is Fraction:
        return value
    raise FormulaError(f"{name} is {value!r}; an int or a Fraction is expected")


def _text(name: str, value: object, allowed: tuple[str, ...]) -> str:
    if isinstance(value, str) and (not allowed or value in allowed):
        return value
    raise FormulaError(f"{name} is {value!r}; expected {' or '.join(allowed) or 'a text'}")
