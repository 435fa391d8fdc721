"""One error type: everything that is wrong with an input, found in one reading, told together."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Problem:
    """One thing that is wrong: where it stands, what is there, what was expected.

    `kind` is a stable machine-readable name ("duplicate_scoring"); it is part of the JSON form, not of the text.

    >>> print(Problem("runs.csv: row 3", "score is 1.2", "a number from 0 to 1"))
    runs.csv: row 3: score is 1.2; expected a number from 0 to 1
    """

    where: str
    what: str
    expected: str = ""
    kind: str = "invalid"

    def __str__(self) -> str:
        line = f"{self.where}: {self.what}"
        return f"{line}; expected {self.expected}" if self.expected else line


def _reading_order(where: str) -> tuple[tuple[int, str], ...]:
    """A key that puts row 2 before row 10."""
    parts = re.split(r"([0-9]+)", where)
    return tuple((len(part.lstrip("0")) if at % 2 else 0, part) for at, part in enumerate(parts))


def _order(one: Problem) -> tuple[tuple[tuple[int, str], ...], str, str, str, str]:
    # Plain tuples: a file can have hundreds of thousands of faults.
    return _reading_order(one.where), one.where, one.what, one.expected, one.kind


class EvalreportError(Exception):
    """The input, the data or a page is at fault. Carries every problem that was found, in a stable order.

    >>> str(EvalreportError(Problem("b.json", "is empty"), Problem("a.json", "is missing")))
    'a.json: is missing\\nb.json: is empty'
    """

    def __init__(self, *problems: Problem) -> None:
        self.problems = tuple(sorted(set(problems), key=_order))
        super().__init__("\n".join(map(str, self.problems)))

    def __reduce__(self) -> tuple[type[EvalreportError], tuple[Problem, ...]]:
        return type(self), self.problems


class Problems:
    """Collects problems while reading goes on; `check()` raises them all at once, or does nothing."""

    def __init__(self) -> None:
        self._found: list[Problem] = []

    def add(self, where: str, what: str, expected: str = "", *, kind: str = "invalid") -> None:
        """Note one problem and go on."""
        self._found.append(Problem(where, what, expected, kind))

    def extend(self, problems: Iterable[Problem]) -> None:
        """Take over the problems that another reader found."""
        self._found.extend(problems)

    def __bool__(self) -> bool:
        return bool(self._found)

    def check(self) -> None:
        """Raise `EvalreportError` with everything noted so far, if anything was."""
        if self._found:
            raise EvalreportError(*self._found)
