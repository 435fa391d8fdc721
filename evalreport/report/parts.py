"""Pieces of HTML with gaps for what only the page knows: rendered formulas, addresses, the number of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from evalreport.core.table import Code, Link, Math, Piece, Strong, Sub, Words, pieces
from evalreport.report.escape import Json, bdi, html_attribute, isolated


@dataclass(frozen=True)
class Formula:
    """A gap where a rendered formula goes."""

    latex: str


@dataclass(frozen=True)
class Address:
    """A gap where the address goes that leads from this page to `target`."""

    target: str


@dataclass(frozen=True)
class Numbering:
    """The gap where "Table 3" goes."""


Part: TypeAlias = str | Formula | Address | Numbering


def inline_parts(words: Words) -> list[Part]:
    """Words of a caption or a note as parts of HTML."""
    return [part for piece in pieces(words) for part in _piece(piece)]


def _piece(piece: Piece) -> list[Part]:
    match piece:
        case str():
            return [isolated(piece)]
        case Math():
            return [Formula(piece.latex)]
        case Strong():
            return [f"<strong>{isolated(piece.text)}</strong>"]
        case Sub():
            return [f"<sub>{isolated(piece.text)}</sub>"]
        case Code():
            return [f"<code>{bdi(piece.text)}</code>"]
        case Link():
            return link_parts(piece.href, isolated(piece.text))


def link_parts(href: str, content: str, css: str = "") -> list[Part]:
    """Content as a link when there is an address, else as it is."""
    if not href:
        return [content]
    name = f' class="{css}"' if css else ""
    return [f"<a{name} href=", Address(href), f">{content}</a>"]


def joined(parts: Iterable[Part]) -> list[Part]:
    """The same parts with neighbouring text in one piece."""
    out: list[Part] = []
    run: list[str] = []
    for part in parts:
        if isinstance(part, str):
            run.append(part)
            continue
        if run:
            out.append("".join(run))
            run = []
        out.append(part)
    return [*out, "".join(run)] if run else out


def filled(
    parts: Iterable[Part], *, formula: Callable[[str], str], address: Callable[[str], str], number: str = ""
) -> str:
    """The parts as HTML. `formula` gives HTML for LaTeX, `address` gives an address for a target; it is quoted here."""
    out = []
    for part in parts:
        match part:
            case str():
                out.append(part)
            case Formula():
                out.append(formula(part.latex))
            case Address():
                out.append(f'"{html_attribute(address(part.target))}"')
            case Numbering():
                out.append(number)
    return "".join(out)


def parts_json(parts: Iterable[Part]) -> list[Json]:
    """Parts as JSON: text as it is, a gap as an object with one key."""
    out: list[Json] = []
    for part in parts:
        match part:
            case str():
                out.append(part)
            case Formula():
                out.append({"formula": part.latex})
            case Address():
                out.append({"address": part.target})
            case Numbering():
                out.append({"number": True})
    return out


def parts_from_json(values: Iterable[object]) -> list[Part]:
    """The parts again, as `parts_json` wrote them."""
    out: list[Part] = []
    for value in values:
        match value:
            case str():
                out.append(value)
            case {"formula": str(latex)}:
                out.append(Formula(latex))
            case {"address": str(target)}:
                out.append(Address(target))
            case {"number": True}:
                out.append(Numbering())
            case _:
                raise ValueError(f"part {value!r}; expected text, a formula, an address or the number")
    return out
