"""A value in a JSON file and where it stands: asks for members and notes every problem with file and JSON path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from evalreport.core.words import either
from evalreport.errors import Problems
from evalreport.formats.json_faults import member
from evalreport.formats.json_values import as_written


@dataclass(frozen=True)
class Place:
    """One value of a JSON file. Methods that find it wanting note a problem and give None."""

    file: str
    path: str
    value: object
    problems: Problems

    def __str__(self) -> str:
        return f"{self.file}: {self.path}"

    def refuse(self, expected: str, *, kind: str = "invalid", what: str | None = None) -> None:
        """Note that the value is not what was expected."""
        self.problems.add(self.file, f"{self.path} {what or f'is {as_written(self.value)}'}", expected, kind=kind)

    @property
    def members(self) -> Mapping[str, object]:
        """The members of an object, none of anything else."""
        return self.value if isinstance(self.value, dict) else {}

    def has(self, key: str) -> bool:
        """Whether the member is there and is not null."""
        return self.members.get(key) is not None

    def at(self, key: str) -> Place:
        """A member; its value is None when it is missing."""
        return Place(self.file, member(self.path, key), self.members.get(key), self.problems)

    def need(self, key: str, expected: str) -> Place | None:
        """A member that must be there, though it may be null."""
        if key in self.members:
            return self.at(key)
        self.at(key).refuse(expected, what="is missing", kind="missing")
        return None

    def items(self) -> Iterator[Place]:
        """The items of a list; anything else is refused, null too."""
        if not isinstance(self.value, list):
            self.refuse("a list")
            return
        for index, item in enumerate(self.value):
            yield Place(self.file, f"{self.path}[{index}]", item, self.problems)

    def text(self) -> str | None:
        """A text that is not blank."""
        if isinstance(self.value, str) and self.value.strip():
            return self.value
        self.refuse("a text that is not blank")
        return None

    def flag(self) -> bool | None:
        """true or false."""
        if isinstance(self.value, bool):
            return self.value
        self.refuse("true or false")
        return None

    def count(self) -> int | None:
        """An integer from 0."""
        if isinstance(self.value, int) and not isinstance(self.value, bool) and self.value >= 0:
            return self.value
        self.refuse("an integer from 0")
        return None

    def share(self, *, kind: str) -> Fraction | None:
        """A number from 0 to 1; `kind` names the problem with a number outside."""
        if not isinstance(self.value, (int, Fraction)) or isinstance(self.value, bool):
            self.refuse("a number from 0 to 1", kind="not_a_number")
            return None
        if not 0 <= self.value <= 1:
            self.refuse("a number from 0 to 1", kind=kind)
            return None
        return Fraction(self.value)

    def grade(self, *allowed: Fraction) -> Fraction | None:
        """One of a few numbers."""
        if isinstance(self.value, (int, Fraction)) and not isinstance(self.value, bool) and self.value in allowed:
            return Fraction(self.value)
        self.refuse(either([as_written(a) for a in allowed]), kind="grade")
        return None

    def optional_text(self, key: str) -> str | None:
        """The text of a member that may be missing or null."""
        return self.at(key).text() if self.has(key) else None
