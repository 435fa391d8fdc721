"""What every symbol of a suite means, checked when it is declared."""

from __future__ import annotations

from collections.abc import Mapping

from evalreport.core.formula.evaluation import Evaluation
from evalreport.core.formula.expression import CONDITION, Symbol
from evalreport.core.formula.reader import TEXT, Reader
from evalreport.core.formula.sets import Getter
from evalreport.core.formula.syntax import FormulaError, Source, application, parse


class Notation:
    """The symbols of one suite in reading order: a definition uses only what stands above it.

    >>> notation = Notation("example")
    >>> notation.variable("r", "run")
    >>> notation.given("R", "set of run", "scored runs")
    >>> notation.given("c_r", "number", "stated confidence of run r")
    >>> symbol = notation.define(r"\\bar{c}", r"\\operatorname*{mean}_{r \\in R} c_r", "mean confidence")
    >>> notation.over({"R": ["a", "b"], "c_r": {"a": 1, "b": 0}.__getitem__}).value(r"\\bar{c}")
    Fraction(1, 2)
    """

    def __init__(self, suite: str) -> None:
        self.suite = suite
        self.variables: dict[str, str] = {}
        self.texts: dict[str, tuple[str, ...]] = {}
        self.symbols: dict[tuple[str, int], Symbol] = {}
        self._by_head: dict[str, Symbol] = {}

    def variable(self, letters: str, stands_for: str) -> None:
        """Letters, apart by blanks, that stand for an item of this type wherever they occur in the suite."""
        for letter in letters.split():
            if letter in self.variables:
                raise FormulaError(f"{self.suite}: {letter} already stands for a {self.variables[letter]}")
            if (letter, 0) in self.symbols:
                raise FormulaError(f"{self.suite}: {letter} is already a symbol: {self.symbols[letter, 0].meaning}")
            self.variables[letter] = stands_for

    def values(self, type: str, *texts: str) -> None:  # noqa: A002
        """A type whose values are texts: these, or with none given, any."""
        if type in self.texts:
            raise FormulaError(f"{self.suite}: the text type {type} is declared twice")
        self.texts[type] = texts

    def given(self, head: str, type: str, meaning: str, get: Getter | None = None) -> None:  # noqa: A002
        """A symbol that is read from records by `get` or, without it, supplied with the data."""
        self._add(Symbol(*self._place(head), type, meaning, get))

    def define(
        self,
        head: str,
        formula: str,
        meaning: str,
        needs: str | None = None,
        type: str | None = None,  # noqa: A002
    ) -> Symbol:
        """A formula. Where the condition `needs` fails there is no value, and the condition is the reason.

        `type` names the text type of a formula whose value is a text. Raises `FormulaError` with the column.
        """
        place = self._place(head)
        params = place[-1]
        reader = Reader(self, Source(head, formula), params)
        body = reader.read(parse(reader.source, "expr"))
        if (type is None and body.type.startswith(TEXT)) or (type is not None and not reader.fits(body.type, type)):
            raise FormulaError(f"{head}: it is a {body.type}; {type or 'a number or a set'} is declared; in {formula}")
        guard = None
        if needs is not None:
            condition = Reader(self, Source(f"{head} needs", needs), params)
            guard = condition.condition(parse(condition.source, "cond"))
            reader.used.update(condition.used)
            reader.exact = reader.exact and condition.exact
        symbol = Symbol(
            *place,
            type or body.type,
            meaning,
            formula=formula,
            needs=needs,
            body=body,
            guard=guard,
            uses=tuple(reader.used.values()),
            exact=reader.exact,
        )
        return self._add(symbol)

    def symbol(self, head: str) -> Symbol:
        """The symbol declared with this head."""
        found = self._by_head.get(head)
        if found is None:
            raise FormulaError(f"{self.suite}: {head} is not declared")
        return found

    def over(self, data: Mapping[str, object], terms: int = 3) -> Evaluation:
        """The formulas over one body of data: a value or a function for the head of each given that has no getter.

        `terms` is how many terms of a long sum are shown before the dots.
        """
        return Evaluation(self, data, terms)

    def _place(self, head: str) -> tuple[str, str, int, int, tuple[str, ...]]:
        source = Source(head, head)
        written = application(parse(source, "applied"), source)
        params = (*map(str, written.below), *map(source.of, written.inside))
        for param in params:
            if param not in self.variables:
                raise FormulaError(f"{param} is not declared as a variable; in {head}")
        if len({*params}) < len(params):
            raise FormulaError(f"a variable stands twice in {head}")
        return head, written.name, len(written.below), len(written.inside), params

    def _add(self, symbol: Symbol) -> Symbol:
        key = symbol.name, len(symbol.params)
        if key in self.symbols:
            raise FormulaError(f"{symbol.head} is declared twice: {self.symbols[key].meaning}; {symbol.meaning}")
        if not symbol.params and symbol.name in self.variables:
            raise FormulaError(f"{symbol.head} is a variable")
        if symbol.type == CONDITION:
            raise FormulaError(f"{symbol.head} is a condition; write \\mathbf{{1}}[…] for 1 or 0")
        self.symbols[key] = self._by_head[symbol.head] = symbol
        return symbol
