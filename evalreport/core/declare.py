"""A metric is declared once, beside its code: the declaration feeds pages, column heads, checks and the audit."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from math import inf
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeVar, cast

from evalreport.core.exact import Number, Undefined
from evalreport.core.formula import Notation, Symbol

F = TypeVar("F", bound=Callable[..., object])
Bounds = tuple[Number | None, Number | None] | tuple[str, ...]
KEY = re.compile(r"[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_-]*)*")


class DeclarationError(ValueError):
    """A metric is declared incompletely or twice; the text lists all that is wrong."""


class Where(NamedTuple):
    """A definition that a formula uses and that is no metric itself, for a "where" line below it."""

    head: str
    formula: str
    meaning: str


@dataclass(frozen=True)
class Metric:
    """What is known about one published number.

    `symbol` is the LaTeX head of its formula, `column` and `sub` the two lines of its column head. `better` is None
    where neither direction is better. `range` is (low, high), None for an open end, or the texts it may be. `of`
    names the ids one value belongs to. `checked_by` says what the code is compared with: the formula, or a reference.
    """

    key: str
    suite: str
    name: str
    symbol: str
    column: str
    sub: str
    better: Literal["higher", "lower"] | None
    range: Bounds
    decimals: int
    unit: str
    clause: str
    cite: str
    of: tuple[str, ...]
    formula: str | None
    needs: str | None
    checked_by: Literal["formula", "reference"]
    reference: str
    meaning: str
    function: Callable[..., object] = field(repr=False)
    declarations: Declarations = field(repr=False, compare=False)

    def where(self) -> tuple[Where, ...]:
        """The definitions its formula uses, and those they use, in reading order, up to other metrics."""
        return self.declarations.where(self)

    def stands_on(self) -> frozenset[str]:
        """The keys of the other metrics that its formula uses, directly or through others."""
        return self.declarations.stands_on(self)


class Declarations:
    """The symbols and metrics of one suite in reading order. The formulas are read when the notation is first used."""

    def __init__(self, suite: str) -> None:
        self.suite = suite
        self._metrics: dict[str, Metric] = {}
        self._steps: list[Callable[[Notation], object]] = []
        self._built: tuple[int, Notation] | None = None

    @property
    def metrics(self) -> Mapping[str, Metric]:
        """Every metric by its full key, in reading order."""
        return MappingProxyType(self._metrics)

    def variable(self, letters: str, stands_for: str) -> None:
        """Letters that stand for an item of a type; see `Notation.variable`."""
        self._steps.append(lambda notation: notation.variable(letters, stands_for))

    def values(self, type: str, *texts: str) -> None:  # noqa: A002
        """A type whose values are texts; see `Notation.values`."""
        self._steps.append(lambda notation: notation.values(type, *texts))

    def given(self, head: str, type: str, meaning: str, get: Callable[..., object] | None = None) -> None:  # noqa: A002
        """A symbol that comes from records or with the data; see `Notation.given`."""
        self._steps.append(lambda notation: notation.given(head, type, meaning, get))

    def define(
        self,
        head: str,
        formula: str,
        meaning: str,
        needs: str | None = None,
        type: str | None = None,  # noqa: A002
    ) -> None:
        """A definition that is no metric: it is printed as a "where" line under the metrics that use it."""
        self._steps.append(lambda notation: notation.define(head, formula, meaning, needs, type))

    def metric(
        self,
        *,
        key: str,
        name: str,
        column: str,
        clause: str,
        of: tuple[str, ...],
        range: Bounds,  # noqa: A002
        better: Literal["higher", "lower"] | None = None,
        symbol: str = "",
        formula: str | None = None,
        needs: str | None = None,
        type: str | None = None,  # noqa: A002
        sub: str = "",
        decimals: int = 4,
        unit: str = "",
        cite: str = "",
        checked_by: Literal["formula", "reference"] = "formula",
        reference: str = "",
        meaning: str = "",
    ) -> Callable[[F], F]:
        """Declare the function below as a metric and return it unchanged.

        A metric has a formula or, with `checked_by="reference"`, a reference that its values are compared with.
        `meaning` is the first line of the function's docstring unless it is given. Raises `DeclarationError`.
        """

        def declare(function: F) -> F:
            first_line = (function.__doc__ or "").strip().partition("\n")[0].strip()
            metric = Metric(
                key=f"{self.suite}.{key}",
                suite=self.suite,
                name=name,
                symbol=symbol,
                column=column,
                sub=sub,
                better=better,
                range=range,
                decimals=decimals,
                unit=unit,
                clause=clause,
                cite=cite,
                of=of,
                formula=formula,
                needs=needs,
                checked_by=checked_by,
                reference=reference,
                meaning=meaning or first_line,
                function=function,
                declarations=self,
            )
            wrong = [*_wrong(metric, key), *self._doubled(metric)]
            if wrong:
                raise DeclarationError("\n".join(f"{metric.key}: {what}" for what in wrong))
            self._metrics[metric.key] = metric
            if formula is not None:
                text = formula
                self._steps.append(lambda n: n.define(symbol, text, metric.meaning, needs, type))
            return function

        return declare

    def notation(self) -> Notation:
        """The symbols with their formulas read and checked. Raises `FormulaError` at the first that is not right."""
        if self._built is None or self._built[0] != len(self._steps):
            notation = Notation(self.suite)
            for step in self._steps:
                step(notation)
            self._built = len(self._steps), notation
        return self._built[1]

    def where(self, metric: Metric) -> tuple[Where, ...]:
        """The definitions that are no metrics and that this metric's formula uses, directly or through each other."""
        found = self._used(metric, stop=self._published())
        return tuple(Where(s.head, s.formula, s.meaning) for s in found if s.formula is not None)

    def stands_on(self, metric: Metric) -> frozenset[str]:
        """The keys of the other metrics that this metric's formula uses, directly or through others."""
        published = self._published()
        return frozenset(published[s.head] for s in self._used(metric) if s.head in published)

    def _published(self) -> dict[str, str]:
        """The keys of the metrics with a formula, by their symbols."""
        return {metric.symbol: metric.key for metric in self._metrics.values() if metric.formula is not None}

    def _used(self, metric: Metric, stop: Collection[str] = ()) -> list[Symbol]:
        """The symbols with a formula that a metric's formula uses, in reading order; none of `stop`, nor beyond."""
        if metric.formula is None:
            return []
        notation = self.notation()
        found: set[str] = set()
        ahead = [*notation.symbol(metric.symbol).uses]
        while ahead:
            symbol = ahead.pop()
            if symbol.formula is not None and symbol.head not in stop and symbol.head not in found:
                found.add(symbol.head)
                ahead += symbol.uses
        return [symbol for symbol in notation.symbols.values() if symbol.head in found]

    def _doubled(self, metric: Metric) -> list[str]:
        wrong: list[str] = []
        for other in self._metrics.values():
            if metric.key == other.key:
                wrong.append(f"the key is taken by {other.name!r}; this is {metric.name!r}")
            if metric.symbol and metric.symbol == other.symbol:
                wrong.append(f"the symbol {metric.symbol} is taken by {other.key}")
            if metric.column and (metric.column, metric.sub) == (other.column, other.sub):
                head = " ".join(filter(None, (metric.column, metric.sub)))
                wrong.append(f"the column {head!r} is taken by {other.key}")
        return wrong


def in_range(metric: Metric, value: Number | str | Undefined) -> bool:
    """Whether a value lies in the metric's range, ends included. `Undefined` is outside no range."""
    if isinstance(value, Undefined):
        return True
    if isinstance(value, str):
        return value in metric.range
    low, high = _ends(metric.range)
    return low is not None and high is not None and low <= value <= high


def _ends(bounds: Bounds) -> tuple[float | Number | None, float | Number | None]:
    """The ends of a range of numbers, infinite where it is open; None for texts, which hold no number."""
    if len(bounds) != 2 or any(isinstance(end, str) for end in bounds):
        return None, None
    low, high = cast("tuple[Number | None, Number | None]", bounds)
    return -inf if low is None else low, inf if high is None else high


def _wrong(metric: Metric, key: str) -> list[str]:
    """What is missing or contradicts itself in one declaration."""
    low, high = _ends(metric.range)
    texts = bool(metric.range) and all(isinstance(end, str) for end in metric.range)
    of_formula, of_reference = metric.checked_by == "formula", metric.checked_by == "reference"
    checks = {
        f"the key {key!r} is not lower-case words joined by points": not KEY.fullmatch(key),
        "it has neither a formula nor a reference": of_formula and metric.formula is None,
        "a metric with a formula needs its symbol": of_formula and metric.formula is not None and not metric.symbol,
        "it is checked by its formula and names a reference as well": of_formula and bool(metric.reference),
        "it is checked by a reference and names none": of_reference and not metric.reference,
        "it is checked by a reference and has a formula as well": of_reference and metric.formula is not None,
        "it has a condition `needs` but no formula": metric.needs is not None and metric.formula is None,
        "it has neither a meaning nor a docstring": not metric.meaning,
        "it has no name": not metric.name,
        "it names no clause": not metric.clause,
        f"better is {metric.better!r}; expected 'higher', 'lower' or None": metric.better
        not in ("higher", "lower", None),
        f"decimals is {metric.decimals}; expected 0 or more": metric.decimals < 0,
        f"the range {metric.range!r} is neither (low, high) nor texts": low is None and not texts,
        f"the range {metric.range!r} is empty": low is not None and high is not None and low > high,
        f"an id stands twice in {metric.of!r}": len({*metric.of}) < len(metric.of),
    }
    return [what for what, holds in checks.items() if holds]
