"""What one run is worth under one family of rules, with everything needed to say how far to trust it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from evalreport.core.exact import Value
from evalreport.suites.bfcl.aggregate import sizes_of, weights
from evalreport.suites.bfcl.metrics import SCORES
from evalreport.suites.bfcl.records import Tallies
from evalreport.suites.bfcl.releases import SIZES
from evalreport.suites.bfcl.rules import Node, Rules, categories


@dataclass(frozen=True)
class Outcome:
    """The scores of one run under one family, and what they cover.

    `shape` is the tree that applied (None when nothing of it was run). `weights` says how much each subset of it
    decides, in shares that add up to 1; in pooled nodes by the samples run, or by the sizes of the release when a
    part was not run. `covered` is the share of the full tree whose subsets were run. `present` are the categories
    that have a score, `categories` how many there are. `uncounted` are subsets that were run and have no place in the
    tree. `short` subsets have fewer samples than their release, `oversized` ones have more.
    """

    rules: Rules
    shape: Node | None
    scores: Mapping[str, Value]
    weights: Mapping[str, Fraction]
    covered: Fraction
    present: tuple[str, ...]
    categories: int
    samples: int
    uncounted: tuple[str, ...]
    short: tuple[str, ...]
    oversized: tuple[str, ...]

    def status(self, *, shards: tuple[int, int] | None = None) -> str:
        """One phrase for a table: "complete", or what the numbers leave out. `shards` are (there, all) of a part."""
        parts = []
        if shards:
            parts.append(f"partial: {shards[0]} of {shards[1]} shards")
        if len(self.present) < self.categories:
            parts.append(f"{len(self.present)} of {self.categories} categories")
        elif self.covered < 1:
            parts.append("subsets absent")
        if self.short and not self.rules.flat:
            parts.append("short subsets")
        if self.oversized and not self.rules.flat:
            parts.append("sizes of another release")
        return "; ".join(parts) or "complete"


def outcome(tallies: Tallies, rules: Rules, release: str = "") -> Outcome:
    """The scores of one run under these rules. `release` names the sizes its files claim; else those of the rules."""
    run = {s: t for s, t in tallies.items() if t.n}
    shape = rules.shape(run)
    full = rules.tree if rules.drops_absent else shape
    sizes = expected_sizes(rules, release)
    groups = categories(full) if full else ()
    enough = any if rules.drops_absent else all
    counted = set(full.subsets()) if full else set()
    whole = bool(shape) and all(s in run for s in shape.subsets()) if shape else False
    return Outcome(
        rules=rules,
        shape=shape,
        scores={key: score(run, rules) for key, score in SCORES.items()},
        weights=weights(shape, sizes_of(run) if whole else SIZES[rules.release]) if shape else {},
        covered=sum((w for s, w in weights(full, SIZES[rules.release]).items() if s in run), Fraction(0))
        if full
        else Fraction(0),
        present=tuple(c.key for c in groups if enough(s in run for s in c.subsets())),
        categories=len(groups),
        samples=sum(t.n for s, t in run.items() if rules.flat or s in counted),
        uncounted=tuple(s for s in sorted(run) if s not in counted),
        short=tuple(s for s in sorted(run) if run[s].n < sizes.get(s, 0)),
        oversized=tuple(s for s in sorted(run) if s in sizes and run[s].n > sizes[s]),
    )


def expected_sizes(rules: Rules, release: str) -> Mapping[str, int]:
    """How many samples each subset should have: by the release of the files where the rules belong to none."""
    return SIZES[release if rules.flat and release else rules.release]
