"""From a tree to a checked expression: every symbol declared, every type and every place as declared."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, NoReturn, cast

from lark import Token, Tree

from evalreport.core.formula.arithmetic import DEFINED_WHEN_EMPTY, lowest
from evalreport.core.formula.binding import Big, Binding, ForAll, Image, Range, Subset
from evalreport.core.formula.expression import (
    CONDITION,
    NUMBER,
    SET_OF,
    Call,
    Condition,
    Expression,
    Field,
    Literal,
    Lookup,
    Numeric,
    Symbol,
    Variable,
)
from evalreport.core.formula.operations import (
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
    Size,
    Sum,
    Together,
)
from evalreport.core.formula.sets import Set
from evalreport.core.formula.syntax import Application, Source, application, leaves, trees

if TYPE_CHECKING:
    from evalreport.core.formula.notation import Notation

Node = Tree[Token]
TEXT = "text:"  # the type of a text that stands in a formula: the texts it may be, until a text type claims it
CLOSED, MOVABLE, OPEN = 0, 1, 2


def reach(node: Expression[object]) -> int:
    """Whether what follows with + or - could be taken for a part of a big operator's body.

    CLOSED: it could not. MOVABLE: it could, but a constant means the same inside and outside (max, min, mean, median).
    OPEN: it could, and the two readings differ.
    """
    if isinstance(node, Big):
        return max(reach(node.body), OPEN if node.operator in DEFINED_WHEN_EMPTY else MOVABLE)
    if isinstance(node, Product):
        return OPEN if reach(node.factors[-1]) else CLOSED
    if isinstance(node, Sum):
        sign, last = node.terms[-1]
        return reach(last) if sign > 0 else OPEN if reach(last) else CLOSED
    return CLOSED


class Reader:
    """Reads one formula. Remembers which symbols it uses and whether its value is exact."""

    def __init__(self, notation: Notation, source: Source, params: Iterable[str]) -> None:
        self.notation = notation
        self.source = source
        self.used: dict[str, Symbol] = {}
        self.exact = True
        self._bound = list(params)
        self._fields: dict[str, dict[str, Symbol] | None] = {}  # by variable; None once it is used whole
        self._rules: dict[str, Callable[[Node], Expression[object]]] = {
            "number": self._number,
            "text": self._text,
            "applied": self._applied,
            "group": lambda t: Group(NUMBER, self._of(t), self.number(_only(t))),
            "sum": self._sum,
            "product": self._product,
            "power": self._power,
            "frac": lambda t: Ratio(NUMBER, self._of(t), *map(self.number, trees(t))),
            "sqrt": self._sqrt,
            "bars": lambda t: self._bars(t, ("|", "|")),
            "tall_bars": lambda t: self._bars(t, (r"\left|", r"\right|")),
            "indicator": lambda t: Indicator(NUMBER, self._of(t), self.condition(_only(t))),
            "listed": self._listed,
            "cases": self._cases,
            "compare": self._comparison,
            "every": lambda t: self._connected(t, "and"),
            "some": lambda t: self._connected(t, "or"),
            "together": lambda t: Together(CONDITION, self._of(t), self.condition(_only(t))),
            "forall": self._forall,
            "builder": lambda t: self._subset(*trees(t)),
            "image": self._image,
            "range": lambda t: Range(SET_OF + NUMBER, self._of(t), *map(self.number, trees(t))),
            "big": self._big,
        }

    def read(self, tree: Node, want: str | None = None) -> Expression[object]:
        """The expression of a tree, held to a type when one is wanted."""
        node = self._rules[tree.data](tree)
        if want is not None and not self.fits(node.type, want):
            self._fail(tree, f"{self._of(tree)} is a {node.type}, not a {want}")
        return node

    def number(self, tree: Node) -> Numeric:
        """An expression of type number."""
        return cast("Numeric", self.read(tree, NUMBER))

    def condition(self, tree: Node) -> Condition:
        """A condition."""
        return cast("Condition", self.read(tree, CONDITION))

    def fits(self, have: str, want: str) -> bool:
        """Whether a value of the one type may stand where the other is wanted."""
        if not have.startswith(TEXT) or want not in self.notation.texts:
            return have == want
        allowed = self.notation.texts[want]
        return not allowed or {*have.removeprefix(TEXT).split("|")} <= {*allowed}

    def _fail(self, at: Node | Token, what: str) -> NoReturn:
        self.source.fail(at, what)

    def _of(self, tree: Node | Token) -> str:
        return self.source.of(tree)

    # numbers and arithmetic

    def _number(self, tree: Node) -> Expression[object]:
        (token,) = leaves(tree)
        return Literal(NUMBER, str(token), lowest(Fraction(str(token))))

    def _text(self, tree: Node) -> Expression[object]:
        (token,) = leaves(tree)
        content = token[token.index("{") + 1 : -1].replace(r"\_", "_")
        return Literal(TEXT + content, str(token), content)

    def _sum(self, tree: Node) -> Expression[object]:
        terms: list[tuple[int, Numeric]] = []
        sign = Token("PLUS", "+")
        for child in _flat(tree):
            if isinstance(child, Token):
                sign = child
                continue
            if terms and reach(Sum(NUMBER, "", tuple(terms))) == OPEN:
                self._fail(child, f"does the body of the operator before it end at this {sign}? put parentheses")
            terms.append((-1 if sign == "-" else 1, self.number(child)))
        return Sum(NUMBER, self._of(tree), tuple(terms))

    def _product(self, tree: Node) -> Expression[object]:
        factors = [self.number(child) for child in _flat(tree) if isinstance(child, Tree)]
        return Product(NUMBER, self._of(tree), tuple(factors))

    def _power(self, tree: Node) -> Expression[object]:
        base, exponent = trees(tree)
        digits = "".join(leaves(exponent))
        braced = self._of(exponent).startswith("{")
        if not digits.lstrip("-").isdigit() or (len(digits) > 1 and not braced):
            self._fail(exponent, "an exponent is one digit, or an integer in braces")
        if base.data in ("frac", "cases"):
            self._fail(base, "put parentheses around what is raised to a power")
        return Power(NUMBER, self._of(tree), self.number(base), int(digits))

    def _sqrt(self, tree: Node) -> Expression[object]:
        self.exact = False
        return Root(NUMBER, self._of(tree), self.number(_only(tree)))

    def _bars(self, tree: Node, bars: tuple[str, str]) -> Expression[object]:
        inner = self.read(_only(tree))
        if inner.type.startswith(SET_OF):
            return Size(NUMBER, self._of(tree), cast("Expression[Set]", inner))
        if inner.type != NUMBER:
            self._fail(_only(tree), f"bars stand around a number or a set, not a {inner.type}")
        return Absolute(NUMBER, self._of(tree), cast("Numeric", inner), bars)

    def _listed(self, tree: Node) -> Expression[object]:
        operator = tree.children[0]
        if operator in DEFINED_WHEN_EMPTY:
            self._fail(cast("Token", operator), f"{operator} needs a set below it")
        return Listed(NUMBER, self._of(tree), str(operator), tuple(map(self.number, trees(tree))))

    def _cases(self, tree: Node) -> Expression[object]:
        *parts, last = trees(tree)
        rows = [(self.read(result), self.condition(test)) for result, test in map(trees, parts)]
        otherwise = self.read(last)
        types = list(dict.fromkeys(node.type for node in (*(result for result, _ in rows), otherwise)))
        kind = types[0]
        if len(types) > 1:
            if not all(t.startswith(TEXT) for t in types):
                self._fail(tree, f"the rows are of different kinds: {', '.join(types)}")
            kind = TEXT + "|".join(t.removeprefix(TEXT) for t in types)
        return Cases(kind, self._of(tree), tuple(rows), otherwise)

    # conditions

    def _comparison(self, tree: Node) -> Expression[object]:
        relations = [str(child) for child in tree.children if isinstance(child, Token)]
        parts = trees(tree)
        operands = [self.read(part) for part in parts]
        for relation, part, left, right in zip(relations, parts[1:], operands, operands[1:], strict=False):
            if not self._comparable(left.type, relation, right.type):
                self._fail(part, f"a {left.type} and a {right.type} cannot be compared with {relation}")
        ways = ({"="}, {"<", r"\le"}, {">", r"\ge"})
        if len(relations) > 1 and not any({*relations} <= way for way in ways):
            self._fail(tree, r"a chain of comparisons runs in one direction: all =, or < and \le, or > and \ge")
        return Comparison(CONDITION, self._of(tree), tuple(operands), tuple(relations))

    def _comparable(self, left: str, relation: str, right: str) -> bool:
        if relation in (r"\in", r"\notin"):
            return right.startswith(SET_OF) and self.fits(left, right.removeprefix(SET_OF))
        if relation in ("=", r"\ne"):
            return not left.startswith(SET_OF) and (self.fits(left, right) or self.fits(right, left))
        return left == right == NUMBER

    def _connected(self, tree: Node, word: str) -> Expression[object]:
        return Connected(CONDITION, self._of(tree), word, tuple(map(self.condition, trees(tree))))

    def _forall(self, tree: Node) -> Expression[object]:
        test, bind = trees(tree)
        binding, condition = self._bind(bind, test, CONDITION)
        return ForAll(CONDITION, self._of(tree), binding, cast("Condition", condition))

    # sets and big operators

    def _bind(self, bind: Node, body: Node, want: str | None) -> tuple[Binding, Expression[object]]:
        """Read a variable that runs over a set, or over the part of it that a condition leaves, and a body under it."""
        if bind.data == "bindif":
            domain: Expression[object] = self._subset(*trees(bind))
            bind = trees(bind)[0]
            text = domain.source
        else:
            domain = self.read(trees(bind)[1])
            text = domain.source
        variable = self._enter(bind, domain)
        node = self.read(body, want)
        return Binding(variable, cast("Expression[Set]", domain), self._leave(variable), text), node

    def _enter(self, bind: Node, domain: Expression[object]) -> str:
        variable = str(leaves(trees(bind)[0])[0])
        stands_for = self.notation.variables.get(variable)
        if stands_for is None:
            self._fail(bind, f"{variable} is not declared as a variable")
        if variable in self._bound:
            self._fail(bind, f"{variable} is bound twice")
        if domain.type != SET_OF + stands_for:
            self._fail(bind, f"{variable} stands for a {stands_for}, but this is a {domain.type}")
        self._bound.append(variable)
        self._fields[variable] = {}
        return variable

    def _leave(self, variable: str) -> tuple[Symbol, ...] | None:
        self._bound.remove(variable)
        fields = self._fields.pop(variable)
        return None if fields is None else tuple(fields.values())

    def _whole(self, variable: str) -> None:
        if variable in self._fields:
            self._fields[variable] = None

    def _subset(self, bind: Node, condition: Node) -> Expression[object]:
        binding, test = self._bind(bind, condition, CONDITION)
        source = rf"\{{ {self._of(bind)} : {self._of(condition)} \}}"
        return Subset(binding.domain.type, source, binding, cast("Condition", test))

    def _image(self, tree: Node) -> Expression[object]:
        body, bind = trees(tree)
        binding, node = self._bind(bind, body, None)
        ordered = node.type == NUMBER or node.type in self.notation.texts
        return Image(SET_OF + node.type, self._of(tree), binding, node, ordered)

    def _big(self, tree: Node) -> Expression[object]:
        bind, body = trees(tree)
        binding, node = self._bind(bind, body, NUMBER)
        return Big(NUMBER, self._of(tree), str(tree.children[0]), binding, cast("Numeric", node))

    # symbols

    def _applied(self, tree: Node) -> Expression[object]:
        written = application(tree, self.source)
        parts: tuple[Token | Node, ...] = (*written.below, *written.inside)
        if not parts and written.name in self._bound:
            self._whole(written.name)
            return Variable(self.notation.variables[written.name], self._of(tree), written.name)
        symbol = self._symbol(tree, written)
        self.used.setdefault(symbol.head, symbol)
        self.exact = self.exact and symbol.exact
        wants = [self.notation.variables[param] for param in symbol.params]
        read_each_time = symbol.formula is None and bool(parts) and not symbol.type.startswith(SET_OF)
        if read_each_time and len(parts) == 1:
            variable = self._of(parts[0])
            if variable in self._fields and self.notation.variables[variable] == wants[0]:
                seen = self._fields[variable]
                if seen is not None:
                    seen[symbol.head] = symbol
                return Field(symbol.type, self._of(tree), symbol, variable)
        args = [
            self._index(part, want) if isinstance(part, Token) else self.read(part, want)
            for part, want in zip(parts, wants, strict=True)
        ]
        kind = Lookup if read_each_time else Call
        return kind(symbol.type, self._of(tree), symbol, tuple(args))

    def _symbol(self, tree: Node, written: Application) -> Symbol:
        symbols, name = self.notation.symbols, written.name
        symbol = symbols.get((name, len(written.below) + len(written.inside)))
        if symbol is not None:
            if (symbol.below, symbol.inside) != (len(written.below), len(written.inside)):
                self._fail(tree, f"{self._of(tree)} is written {symbol.head}")
            return symbol
        if name in self.notation.variables and not written.below and not written.inside:
            self._fail(tree, f"the variable {name} is not bound here")
        known = [other.head for (base, _), other in symbols.items() if base == name]
        hint = f"; declared: {', '.join(known)}" if known else ""
        if written.inside and not written.below and (name, 0) in symbols:
            hint += r"; for a product write \cdot"
        return self._fail(tree, f"{self._of(tree)} is not declared{hint}")

    def _index(self, token: Token, want: str) -> Expression[object]:
        if token.type == "NUMBER":
            if want != NUMBER:
                self._fail(token, f"the index {token} is a number; a {want} is expected")
            return Literal(NUMBER, str(token), lowest(Fraction(str(token))))
        name = str(token)
        if name not in self._bound:
            self._fail(token, f"the index {name} is not bound here")
        stands_for = self.notation.variables[name]
        if stands_for != want:
            self._fail(token, f"the index {name} stands for a {stands_for}; a {want} is expected")
        self._whole(name)
        return Variable(want, name, name)


def _flat(tree: Node) -> list[Node | Token]:
    """The signs and operands of a sum or product, which the grammar nests to the left."""
    found: list[Node | Token] = []
    inner: Node | Token = tree
    while isinstance(inner, Tree) and inner.data == tree.data:
        first, *rest = inner.children
        found[:0] = rest
        inner = first
    return [inner, *found]


def _only(tree: Node) -> Node:
    (child,) = trees(tree)
    return child
