"""Formulas with numbers put in, as LaTeX."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import singledispatchmethod
from typing import NamedTuple

from evalreport.core.exact import Number
from evalreport.core.formula.arithmetic import MEAN, PROD, SUM
from evalreport.core.formula.binding import Big, ForAll
from evalreport.core.formula.expression import SET_OF, Expression, Literal, Scope
from evalreport.core.formula.operations import (
    RELATIONS,
    Absolute,
    Cases,
    Comparison,
    Connected,
    Group,
    Indicator,
    Listed,
    Power,
    Product,
    Ratio,
    Root,
    Sum,
    Together,
)

DIGITS = 4
LONGEST = 15  # digits of a numerator or denominator that a reader still compares
TERMS, FACTORS, ATOM = 0, 1, 2  # how tightly a text holds together: decides about parentheses


class Shown(NamedTuple):
    """LaTeX of a part of a formula and how tightly it holds together."""

    latex: str
    binds: int = ATOM

    def operand(self) -> str:
        """As a factor or a later term: in parentheses when it is a sum or begins with a minus."""
        return f"({self.latex})" if self.binds == TERMS else self.latex

    def base(self) -> str:
        """Under an exponent."""
        tight = self.binds == ATOM and not self.latex.endswith(r"\ldots")
        return self.latex if tight else f"({self.latex})"


def decimal(x: Number) -> str:
    """A number as LaTeX: exact when it ends within four decimals, otherwise cut there and marked with dots.

    >>> decimal(Fraction(-1, 4)), decimal(Fraction(2, 3))
    ('-0.25', '0.6666\\\\ldots')
    """
    scaled, rest = divmod(abs(x.numerator) * 10**DIGITS, x.denominator)
    whole, part = divmod(scaled, 10**DIGITS)
    text = f"{whole}.{part:0{DIGITS}d}"
    text = text + r"\ldots" if rest else text.rstrip("0").rstrip(".")
    return ("-" if x < 0 else "") + text


def plain(value: object) -> str:
    """A value as LaTeX: a number, an escaped text, or a star for a record, which has no notation."""
    if isinstance(value, (int, Fraction)):
        return decimal(value)
    if isinstance(value, str):
        return r"\text{" + "".join(map(_escaped, value)) + "}"
    return r"\ast"


ESCAPES = {c: "\\" + c for c in "_%&#${}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
# Latin, Cyrillic, Armenian, scripts of India, Georgian, Hangul, Chinese and Japanese: what KaTeX sets in text
SET_IN_TEXT = re.compile(
    r"[ -~\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0400-\u04ff\u0530-\u058f]"
    r"|[\u0900-\u10ff\u3000-\u30ff\u4e00-\u9faf\uac00-\ud7af\uff00-\uff60]"
)


def _escaped(char: str) -> str:
    if char.isspace():
        return " "
    return ESCAPES.get(char, char) if SET_IN_TEXT.fullmatch(char) else "?"


class Printer:
    """Prints the parts of one formula in the scope of an evaluation. Nothing is printed that was not evaluated.

    With `collapse`, a big operator of which terms would be left out is printed as its value, exact when that is short.
    """

    def __init__(self, scope: Scope, terms: int, *, collapse: bool = False) -> None:
        self.scope = scope
        self.terms = terms
        self.collapse = collapse
        self.collapsed = False

    def line(self, node: Expression[object]) -> str:
        """A whole formula."""
        return self.show(node).latex

    @singledispatchmethod
    def show(self, node: Expression[object]) -> Shown:
        """One part. Sets keep their symbols; every other part shows its value."""
        if node.type.startswith(SET_OF):
            return Shown(node.source)
        value = node.value(self.scope)
        return _number(value) if isinstance(value, (int, Fraction)) else Shown(plain(value))

    @show.register(Literal)
    def _(self, node: Literal[object]) -> Shown:
        return Shown(node.source)

    @show.register
    def _(self, node: Group) -> Shown:
        return Shown(f"({self.show(node.inner).latex})")

    @show.register
    def _(self, node: Sum) -> Shown:
        text = ""
        for sign, term in node.terms:
            part = self.show(term)
            if not text and sign > 0:
                text = part.latex
            else:
                text += f" {'+' if sign > 0 else '-'} {part.operand()}" if text else f"-{part.operand()}"
        return Shown(text, TERMS)

    @show.register
    def _(self, node: Product) -> Shown:
        return Shown(r" \cdot ".join(self.show(factor).operand() for factor in node.factors), FACTORS)

    @show.register
    def _(self, node: Power) -> Shown:
        exponent = str(node.exponent) if 0 <= node.exponent <= 9 else f"{{{node.exponent}}}"
        return Shown(f"{self.show(node.base).base()}^{exponent}")

    @show.register
    def _(self, node: Ratio) -> Shown:
        return Shown(rf"\frac{{{self.show(node.top).latex}}}{{{self.show(node.bottom).latex}}}")

    @show.register
    def _(self, node: Root) -> Shown:
        return Shown(rf"\sqrt{{{self.show(node.inner).latex}}}")

    @show.register
    def _(self, node: Absolute) -> Shown:
        left, right = node.bars
        inner = self.show(node.inner).latex
        return Shown(f"{left} {inner} {right}" if left != right else f"|{inner}|")

    @show.register
    def _(self, node: Indicator) -> Shown:
        return Shown(rf"\mathbf{{1}}[{self.show(node.condition).latex}]")

    @show.register
    def _(self, node: Listed) -> Shown:
        return Shown(f"{node.operator}({', '.join(self.show(item).latex for item in node.items)})")

    @show.register
    def _(self, node: Cases) -> Shown:
        lines: list[str] = []
        decided = False
        for result, condition in node.rows:
            holds = not decided and condition.value(self.scope)
            left = self.show(result).latex if holds else result.source
            right = condition.source if decided else self.show(condition).latex
            lines.append(rf"{left} & \text{{if }} {right}")
            decided = decided or holds
        last = node.otherwise.source if decided else self.show(node.otherwise).latex
        lines.append(rf"{last} & \text{{otherwise}}")
        return Shown(r"\begin{cases} " + r" \\ ".join(lines) + r" \end{cases}")

    @show.register
    def _(self, node: Comparison) -> Shown:
        first, *rest = node.operands
        text = self.show(first).latex
        left, reached = first.value(self.scope), True
        for relation, operand in zip(node.relations, rest, strict=True):
            text += f" {relation} {self.show(operand).latex if reached else operand.source}"
            if reached:
                right = operand.value(self.scope)
                reached = RELATIONS[relation](left, right)
                left = right
        return Shown(text)

    @show.register
    def _(self, node: Connected) -> Shown:
        parts: list[str] = []
        decided = False
        for part in node.parts:
            parts.append(part.source if decided else self.show(part).latex)
            decided = decided or part.value(self.scope) is (node.word == "or")
        return Shown(rf" \text{{ {node.word} }} ".join(parts))

    @show.register
    def _(self, node: Together) -> Shown:
        return Shown(f"({self.show(node.inner).latex})")

    @show.register
    def _(self, node: ForAll) -> Shown:
        return Shown(node.source)

    @show.register
    def _(self, node: Big) -> Shown:
        items = node.binding.domain.value(self.scope)
        first, last = items.ends(self.terms)
        if last and self.collapse:
            return self._value_of(node, len(items))
        texts = [self._term(node, item) for item in first]
        if len(texts) == 1 and not last:
            return texts[0]
        end = [self._term(node, item) for item in last]
        if node.operator == PROD:
            return Shown(_joined(r" \cdot ", r"\cdots", texts, end) or "1", FACTORS)
        if node.operator == SUM:
            return Shown(_joined(" + ", r"\cdots", texts, end) or "0", TERMS)
        if node.operator == MEAN:
            terms = _joined(" + ", r"\cdots", texts, end)
            return Shown(rf"\frac{{1}}{{{len(items)}}} \cdot ({terms})", FACTORS)
        parts = [text.latex for text in (*texts, *end)]
        if end:
            parts.insert(-1, r"\ldots")
        return Shown(f"{node.operator}({', '.join(parts)})")

    def _term(self, node: Big, item: object) -> Shown:
        self.scope.bound[node.binding.variable] = item
        if isinstance(node.body, Indicator):
            return Shown(str(node.body.value(self.scope)))
        return self.show(node.body)

    def _value_of(self, node: Big, size: int) -> Shown:
        self.collapsed = True
        if node.operator == MEAN:
            return Shown(rf"\frac{{1}}{{{size}}} \cdot {_fraction(node.sum(self.scope)).operand()}", FACTORS)
        return _fraction(node.value(self.scope))


def _joined(sign: str, dots: str, texts: list[Shown], end: list[Shown]) -> str:
    operands = [text.operand() for text in texts]
    if end:
        operands += [dots, *(text.operand() for text in end)]
    return sign.join(operands)


def _number(value: Number) -> Shown:
    return Shown(decimal(value), TERMS if value < 0 else ATOM)


def _fraction(value: Number) -> Shown:
    """An exact number where it is short enough to read, otherwise the first decimals."""
    if value.denominator == 1:
        return Shown(str(value), TERMS if value < 0 else ATOM)
    top, bottom = abs(value.numerator), value.denominator
    if max(len(str(top)), len(str(bottom))) > LONGEST:
        return _number(value)
    text = rf"\frac{{{top}}}{{{bottom}}}"
    return Shown(f"-{text}", TERMS) if value < 0 else Shown(text)
