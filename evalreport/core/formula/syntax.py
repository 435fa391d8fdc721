"""From LaTeX text to a tree, or to the column where the text leaves the subset."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NoReturn

from lark import Lark, Token, Tree, UnexpectedCharacters, UnexpectedToken

OPERAND_STARTS = frozenset(
    {"NUMBER", "TEXT", "LETTER", "GREEK", "ROMAN", "ACCENT", "SCRIPT", "_FRAC", "_SQRT", "_LEFTPAR", "_LEFTBAR"}
    | {"_COUNT", "_ONE", "_LSET", "_CASES", "LPAR", "VBAR"}
)


class FormulaError(ValueError):
    """A formula is outside the subset or uses a symbol against its declaration, or the data do not fit a symbol."""


@dataclass(frozen=True)
class Source:
    """A formula's text and the head it belongs to, so that a refusal can say where it stands."""

    head: str
    text: str

    def fail(self, at: Token | Tree[Token], what: str) -> NoReturn:
        """Refuse the formula at this place."""
        start = at if isinstance(at, Token) else at.meta
        raise FormulaError(self.message(getattr(start, "line", 1) or 1, getattr(start, "column", 1) or 1, what))

    def message(self, line: int, column: int, what: str) -> str:
        """What is wrong, after the head and the column, before the whole formula."""
        place = f"column {column}" if line == 1 else f"line {line}, column {column}"
        return f"{self.head}: {place}: {what}; in {self.text}"

    @property
    def end(self) -> tuple[int, int]:
        """Line and column behind the last sign."""
        return self.text.count("\n") + 1, len(self.text) - self.text.rfind("\n")

    def of(self, tree: Token | Tree[Token]) -> str:
        """The LaTeX that a part of the tree was read from."""
        return str(tree) if isinstance(tree, Token) else self.text[tree.meta.start_pos : tree.meta.end_pos]


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("formula.lark").read_text(encoding="utf-8")
    start = ["expr", "cond", "applied"]
    return Lark(grammar, parser="lalr", start=start, propagate_positions=True, maybe_placeholders=False)


def parse(source: Source, start: str) -> Tree[Token]:
    """The tree of an expression ("expr"), a condition ("cond") or a head ("applied").

    Raises `FormulaError`, with line and column, for what is not in the subset.
    """
    try:
        tree = _parser().parse(source.text, start=start)
    except UnexpectedCharacters as error:
        word = source.text[error.pos_in_stream :].split()[0][:20]
        raise FormulaError(source.message(error.line, error.column, f"{word} is not in the subset")) from None
    except UnexpectedToken as error:
        if error.token.type == "$END":
            raise FormulaError(source.message(*source.end, "the formula ends too early")) from None
        raise FormulaError(source.message(error.line, error.column, _unexpected(error))) from None
    return tree


def _unexpected(error: UnexpectedToken) -> str:
    an_operand_has_just_ended = "PLUS" in error.expected
    if error.token.type in OPERAND_STARTS and an_operand_has_just_ended:
        return r"two terms stand side by side; write \cdot between them"
    return f"{str(error.token)!r} does not fit here"


@dataclass(frozen=True)
class Application:
    """A symbol as it is written: its name with its label, indices below the line, arguments in parentheses."""

    name: str
    below: tuple[Token, ...]
    inside: tuple[Tree[Token], ...]


def application(tree: Tree[Token], source: Source) -> Application:
    """Take `P_{\\max}(x)` apart. An upright subscript is a label and part of the name, an italic one is an index."""
    base, *rest = trees(tree)
    name = str(base.children[0])
    below: list[Token] = []
    inside: tuple[Tree[Token], ...] = ()
    for part in rest:
        if part.data == "arguments":
            inside = trees(part)
            continue
        for place, token in enumerate(leaves(part)):
            if token.type in ("ROMAN", "OPERATOR"):
                if place:
                    source.fail(token, "a label comes first in a subscript")
                name += f"_{{{token}}}"
            elif part.data == "subscript" and token.type == "NUMBER" and len(token) > 1:
                source.fail(token, "a subscript of more than one sign needs braces")
            else:
                below.append(token)
    return Application(name, tuple(below), inside)


def trees(tree: Tree[Token]) -> tuple[Tree[Token], ...]:
    """The children that are trees."""
    return tuple(child for child in tree.children if isinstance(child, Tree))


def leaves(tree: Tree[Token]) -> tuple[Token, ...]:
    """The tokens below a tree, from the left."""
    return tuple(tree.scan_values(lambda leaf: isinstance(leaf, Token)))
