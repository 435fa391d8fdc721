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
from evalreport.suites.bfcl.rules import Child, Node

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
    return walked(node, found, sizes_of(tallies), EXACT)


def printed(node: Child, tallies: Tallies) -> str | None:
    """The percentage that the official program prints: binary floats, two decimals. None when a part was not run.

    >>> from evalreport.suites.bfcl.records import Tally
    >>> printed("a", {"a": Tally(5, 32)})
    '15.62'
    """
    listed = (node,) if isinstance(node, str) else node.subsets()
    if any(not tallies.get(s, NOT_RUN).n for s in listed):
        return None
    return percent(walked(node, {s: tallies[s].hits / tallies[s].n for s in listed}, sizes_of(tallies), BINARY))


def percent(accuracy: float) -> str:
    """An accuracy as the official tables print it, without the sign."""
    return "%.2f" % (100 * accuracy)


def sizes_of(tallies: Tallies) -> dict[str, int]:
    """How many samples of each subset were scored."""
    return {s: t.n for s, t in tallies.items()}


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
