"""The tree of a run, line by line: what stands below what, and how much each place decides."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from evalreport.core.exact import Value
from evalreport.suites.bfcl.aggregate import exact, samples_below
from evalreport.suites.bfcl.metrics import subset_accuracy
from evalreport.suites.bfcl.outcome import Outcome
from evalreport.suites.bfcl.records import NOT_RUN, Tallies
from evalreport.suites.bfcl.rules import Child


@dataclass(frozen=True)
class TreeLine:
    """One place of a tree: a node, or a subset (`how` is then empty).

    `share` is how much it counts in the node above it, `weight` how much in the whole; `value` is undefined when a
    part of it was not run. `hits` and `n` are those of all subsets below it.
    """

    depth: int
    key: str
    label: str
    how: str
    share: Fraction
    weight: Fraction
    hits: int
    n: int
    value: Value


def tree_lines(tallies: Tallies, outcome: Outcome) -> tuple[TreeLine, ...]:
    """The tree that applied to a run, parents before children; nothing when no tree applied."""
    return tuple(_lines(outcome.shape, tallies, outcome, 0, Fraction(1))) if outcome.shape else ()


def _lines(child: Child, tallies: Tallies, outcome: Outcome, depth: int, above: Fraction) -> list[TreeLine]:
    listed = (child,) if isinstance(child, str) else child.subsets()
    weight = sum((outcome.weights[s] for s in listed), Fraction(0))
    found = {s: tallies.get(s, NOT_RUN) for s in listed}
    own = TreeLine(
        depth=depth,
        key=child if isinstance(child, str) else child.key,
        label=child if isinstance(child, str) else child.label,
        how="" if isinstance(child, str) else child.how,
        share=weight / above,
        weight=weight,
        hits=sum(t.hits for t in found.values()),
        n=samples_below(child, {s: t.n for s, t in found.items()}),
        value=subset_accuracy(tallies, child) if isinstance(child, str) else exact(child, tallies),
    )
    below = () if isinstance(child, str) else child.children
    return [own, *(line for c in below for line in _lines(c, tallies, outcome, depth + 1, weight))]
