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


def pseudonyms(texts: Iterable[str], *, kind: str) -> Mapping[str, str]:
    """A pseudonym for each name or text, the same whatever their order; pseudonyms stay what they are.

    They are numbers: a digest of a name would tell the name to anybody who has a list of candidates. Numbers follow the
    digests of the names, not the alphabet.

    >>> sorted(pseudonyms(["Ada", "Bo", "Ada"], kind="reviewer").values())
    ['reviewer-1', 'reviewer-2']
    >>> pseudonyms(["reviewer-2", "reviewer-1"], kind="reviewer")["reviewer-2"]
    'reviewer-2'
    """
    found = {*texts}
    made = {f"{kind}-{number}" for number in range(1, len(found) + 1)}
    if found <= made:
        return {text: text for text in sorted(found)}
    ordered = sorted(found, key=lambda text: (sha256(text.encode("utf-8", "surrogatepass")).hexdigest(), text))
    return {text: f"{kind}-{number}" for number, text in enumerate(ordered, start=1)}
