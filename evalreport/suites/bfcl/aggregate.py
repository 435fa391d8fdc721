"""From tallies to scores: one walk over a tree, with exact fractions, with binary floats, or with arrays of draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Generic, TypeVar

from evalreport.core.exact import Undefined, Value
from evalreport.core.resample import FloatArray
from evalreport.suites.bfcl.records import NOT_RUN, Tallies
from evalreport.suites.bfcl.releases import SIZES
from evalreport.suites.bfcl.rules import NODE_KEYS, Child, Node, Rules, categories

T = TypeVar("T")


@dataclass(frozen=True)
class Arithmetic(Generic[T]):
    """The three operations that a tree needs, in one kind of numbers."""

    add: Callable[[T, T], T]
    times: Callable[[T, Fraction], T]
    over: Callable[[T, int], T]


EXACT: Arithmetic[Fraction] = Arithmetic(lambda a, b: a + b, lambda a, w: a * w, lambda a, n: a / n)
BINARY: Arithmetic[float] = Arithmetic(lambda a, b: a + b, lambda a, w: a * float(w), lambda a, n: a / n)
DRAWS: Arithmetic[FloatArray] = Arithmetic(lambda a, b: a + b, lambda a, w: a * float(w), lambda a, n: a / n)


def walked(child: Child, accuracy: Mapping[str, T], n: Mapping[str, int], numbers: Arithmetic[T]) -> T:
    """The value of a node from the accuracies of the subsets below it, in whatever numbers these are.

    The order of additions is that of the official program, so that with floats its printed digits come out.
    """
    if isinstance(child, str):
        return accuracy[child]
    values = [walked(c, accuracy, n, numbers) for c in child.children]
    if child.how == "mean":
        return numbers.over(reduce(numbers.add, values), len(values))
    if child.how == "weighted":
        return reduce(numbers.add, [numbers.times(v, w) for v, w in zip(values, child.weights, strict=True)])
    sizes = [samples_below(c, n) for c in child.children]
    pooled = [numbers.times(v, Fraction(size)) for v, size in zip(values, sizes, strict=True)]
    return numbers.over(reduce(numbers.add, pooled), sum(sizes))


def samples_below(child: Child, n: Mapping[str, int]) -> int:
    """How many samples the subsets of a node have together."""
    return sum(n[s] for s in ((child,) if isinstance(child, str) else child.subsets()))


def exact(node: Node, tallies: Tallies) -> Value:
    """The value of a node, exactly; undefined when a subset below it was not run."""
    absent = [s for s in node.subsets() if not tallies.get(s, NOT_RUN).n]
    if absent:
        return Undefined(f"not run: {', '.join(absent)}")
    found = {s: Fraction(tallies[s].hits, tallies[s].n) for s in node.subsets()}
    return walked(node, found, _sizes(tallies), EXACT)


def printed(node: Child, tallies: Tallies) -> str | None:
    """The percentage that the official program prints: binary floats, two decimals. None when a part was not run.

    >>> printed(Node("x", "X", "mean", ("a",)), {"a": Tally(5, 32)})
    '15.62'
    """
    listed = (node,) if isinstance(node, str) else node.subsets()
    if any(not tallies.get(s, NOT_RUN).n for s in listed):
        return None
    return percent(walked(node, {s: tallies[s].hits / tallies[s].n for s in listed}, _sizes(tallies), BINARY))


def percent(accuracy: float) -> str:
    """An accuracy as the official tables print it, without the sign."""
    return "%.2f" % (100 * accuracy)


def _sizes(tallies: Tallies) -> dict[str, int]:
    return {s: t.n for s, t in tallies.items()}


@dataclass(frozen=True)
class Outcome:
    """What the tallies of one run are worth under one family of rules.

    `scores` has the overall, the normalized score and every named node; a score that does not exist under the rules
    is undefined. `shape` is the tree that applied. `weights` says how much one subset counts in the tree, in shares
    of the whole. `covered` is the share of the tree's full weight whose subsets were run; `present` and `full` count
    categories. `uncounted` are subsets that were run and that the tree does not know; `short` subsets have fewer
    samples than their release.
    """

    rules: Rules
    shape: Node | None
    scores: Mapping[str, Value]
    weights: Mapping[str, Fraction]
    covered: Fraction
    present: tuple[str, ...]
    full: int
    samples: int
    uncounted: tuple[str, ...]
    short: tuple[str, ...]
    oversized: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether every category was run in full number of subsets."""
        return len(self.present) == self.full


def outcome(tallies: Tallies, rules: Rules, release: str = "") -> Outcome:
    """The scores of one run under these rules. `release` names the sizes its files claim; else those of the rules."""
    run = {s: t for s, t in tallies.items() if t.n}
    shape = rules.shape(run)
    nominal = rules.tree if rules.drops_absent else shape
    sizes = SIZES[release or rules.release]
    whole = weights(nominal, sizes) if nominal else {}
    counted = set(nominal.subsets()) if nominal else set()
    groups = categories(nominal) if nominal else ()
    present = tuple(c.key for c in groups if all(s in run for s in c.subsets()))
    if rules.drops_absent:
        present = tuple(c.key for c in groups if any(s in run for s in c.subsets()))
    scores: dict[str, Value] = {"overall": overall(run, rules, shape), "normalized": normalized(run, shape)}
    for key in NODE_KEYS:
        scores[key] = node_score(run, rules, shape, key)
    return Outcome(
        rules=rules,
        shape=shape,
        scores=scores,
        weights=weights(shape, _sizes(run) if shape and all(s in run for s in shape.subsets()) else sizes)
        if shape
        else {},
        covered=sum((w for s, w in whole.items() if s in run), Fraction(0)),
        present=present,
        full=len(groups),
        samples=sum(t.n for s, t in run.items() if rules.flat or s in counted),
        uncounted=tuple(s for s in sorted(run) if s not in counted),
        short=tuple(s for s in sorted(run) if run[s].n < sizes.get(s, 0)),
        oversized=tuple(s for s in sorted(run) if s in sizes and run[s].n > sizes[s]),
    )


def flat(run: Tallies) -> Node:
    """Every scored sample counted alike, whatever its subset."""
    return Node("overall", "Overall", "pooled", tuple(sorted(run)))


def overall(run: Tallies, rules: Rules, shape: Node | None) -> Value:
    """The headline: over every sample where the rules are flat, the top of the tree otherwise."""
    if rules.flat:
        return exact(flat(run), run) if run else Undefined("no scored samples")
    return exact(shape, run) if shape else Undefined("no scored samples")


def normalized(run: Tallies, shape: Node | None) -> Value:
    """Mean of the categories that were run, each counting alike. Not the overall when the rules weigh them."""
    values = [exact(c, run) for c in categories(shape)] if shape else []
    defined = [Fraction(v) for v in values if not isinstance(v, Undefined)]
    return sum(defined, Fraction(0)) / len(defined) if defined else Undefined("no category was run")


def node_score(run: Tallies, rules: Rules, shape: Node | None, key: str) -> Value:
    """The score of a category or a term by its name."""
    if not any(n.key == key for n in rules.tree.walk()):
        return Undefined(f"not part of {rules.name}")
    node = next((n for n in shape.walk() if n.key == key), None) if shape else None
    return exact(node, run) if node else Undefined("not run")


def weights(child: Child, n: Mapping[str, int], share: Fraction = Fraction(1)) -> dict[str, Fraction]:
    """How much of the whole each subset decides: the shares along its path, multiplied.

    In a pooled node a subset counts by its samples. The weights add up to 1.

    >>> weights(Node("x", "X", "pooled", ("a", "b")), {"a": 3, "b": 1})
    {'a': Fraction(3, 4), 'b': Fraction(1, 4)}
    """
    if isinstance(child, str):
        return {child: share}
    if child.how == "weighted":
        parts = list(child.weights)
    elif child.how == "mean":
        parts = [Fraction(1, len(child.children))] * len(child.children)
    else:
        sizes = [samples_below(c, n) for c in child.children]
        parts = [Fraction(size, sum(sizes)) for size in sizes]
    found: dict[str, Fraction] = {}
    for part, below in zip(parts, child.children, strict=True):
        found.update(weights(below, n, share * part))
    return found
