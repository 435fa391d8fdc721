"""What a book may show of golds, justifications and reviewers: real golds are secret, and reviewers are people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal

Shown = Literal["withheld", "shown"]


@dataclass(frozen=True)
class Privacy:
    """The policy of a project. By default only what the numbers are made of is shown, and reviewers have pseudonyms."""

    golds: Shown = "withheld"
    justifications: Shown = "withheld"
    reviewers: Literal["pseudonyms", "shown"] = "pseudonyms"

    @property
    def shows_all(self) -> bool:
        """Whether nothing is withheld, so that files may be shown as they are."""
        return self == Privacy("shown", "shown", "shown")


def pseudonyms(people: Iterable[str]) -> Mapping[str, str]:
    """A pseudonym for each name, the same whatever the order of the names.

    They are numbers: a digest of a name would tell the name to anybody who has a list of candidates. Numbers follow the
    digests of the names, not the alphabet.

    >>> sorted(pseudonyms(["Ada", "Bo", "Ada"]).values())
    ['reviewer-1', 'reviewer-2']
    """
    ordered = sorted({*people}, key=lambda name: (sha256(name.encode("utf-8", "surrogatepass")).hexdigest(), name))
    return {name: f"reviewer-{number}" for number, name in enumerate(ordered, start=1)}
