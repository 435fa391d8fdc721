"""The rule families as data: one tree for each, read by the code, the printed formula and the drawn tree alike.

Every tree has the same three levels: the whole, its categories, the terms of a category. A term is a subset or a
handful of subsets that share one place. How a node is made of its children stands with the node, never in code.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias

How = Literal["mean", "pooled", "weighted"]


@dataclass(frozen=True)
class Node:
    """One place in a tree: a mean of its children, their pooled samples, or a sum with fixed weights.

    A child is another node or the name of a subset. `weights` go with "weighted" and add up to 1.
    """

    key: str
    label: str
    how: How
    children: tuple[Child, ...]
    weights: tuple[Fraction, ...] = ()

    def subsets(self) -> tuple[str, ...]:
        """The subsets below this node, in the order of the tree."""
        return tuple(s for c in self.children for s in ((c,) if isinstance(c, str) else c.subsets()))

    def walk(self) -> Iterator[Node]:
        """This node and every node below it, parents first."""
        yield self
        for child in self.children:
            if isinstance(child, Node):
                yield from child.walk()

    def without(self, absent: Collection[str]) -> Node | None:
        """The same tree with these subsets dropped, and every node that lost all its children; None if nothing is left.

        >>> tree = Node("all", "All", "mean", ("a", Node("b", "B", "mean", ("x", "y"))))
        >>> tree.without({"x", "y"})
        Node(key='all', label='All', how='mean', children=('a',), weights=())
        """
        kept: list[tuple[Child, Fraction]] = []
        for child, weight in zip(self.children, self.weights or (Fraction(1),) * len(self.children), strict=True):
            left = child if isinstance(child, Node) else None if child in absent else child
            left = left.without(absent) if isinstance(left, Node) else left
            if left is not None:
                kept.append((left, weight))
        if not kept:
            return None
        weights = tuple(w for _, w in kept) if self.weights else ()
        return replace(self, children=tuple(c for c, _ in kept), weights=weights)


Child: TypeAlias = Node | str


@dataclass(frozen=True)
class Rules:
    """One way to make an overall score of subset tallies, always named beside the number.

    `label` is how its symbols are marked in formulas. With `flat`, the overall is the mean over every scored sample
    and the tree gives the normalized score. With `drops_absent`, what was not run is left out of every mean; without,
    a score of which a part was not run is not given. Subsets in `optional` count only when one of them was run.
    `release` names the sizes that its subsets should have.
    """

    name: str
    title: str
    label: str
    release: str
    tree: Node
    flat: bool = False
    drops_absent: bool = False
    optional: frozenset[str] = frozenset()

    def shape(self, run: Collection[str]) -> Node | None:
        """The tree as it applies when these subsets were run; None when it keeps nothing."""
        listed = self.tree.subsets()
        if self.drops_absent:
            return self.tree.without({s for s in listed if s not in run})
        return self.tree if self.optional & frozenset(run) else self.tree.without(self.optional)

    def category_of(self, subset: str) -> Node | None:
        """The category that a subset belongs to, None when these rules know none."""
        return next((c for c in categories(self.tree) if subset in c.subsets()), None)


def categories(tree: Node) -> tuple[Node, ...]:
    """The nodes directly below the whole; a subset that stands there by itself is a category of one."""
    return tuple(c if isinstance(c, Node) else Node(c, c, "mean", (c,)) for c in tree.children)


def terms(category: Node) -> tuple[Node, ...]:
    """What a category is the mean of; a subset that stands there by itself is a term of one."""
    return tuple(c if isinstance(c, Node) else Node(c, c, "mean", (c,)) for c in category.children)


def _tenths(*weights: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(w, 10) for w in weights)


_SIMPLE_SUBSETS = ("simple_python", "simple_java", "simple_javascript")
_SIMPLE = Node("simple", "Simple", "mean", _SIMPLE_SUBSETS)
_AST = (_SIMPLE, "multiple", "parallel", "parallel_multiple")
_EXECUTED = (
    Node("executable_simple", "Executable simple", "mean", ("exec_simple", "rest")),
    "exec_multiple",
    "exec_parallel",
    "exec_parallel_multiple",
)
_EXECUTED_SUBSETS = frozenset({"exec_simple", "rest", "exec_multiple", "exec_parallel", "exec_parallel_multiple"})
_LIVE_AST = ("live_simple", "live_multiple", "live_parallel", "live_parallel_multiple")
_NON_LIVE = Node("non_live", "Non-live", "mean", _AST)
_LIVE = Node("live", "Live", "pooled", _LIVE_AST)
_HALLUCINATION = Node("hallucination", "Irrelevance detection", "mean", ("irrelevance", "live_irrelevance"))
_MULTI_TURN = Node(
    "multi_turn",
    "Multi-turn",
    "mean",
    ("multi_turn_base", "multi_turn_miss_func", "multi_turn_miss_param", "multi_turn_long_context"),
)
_AGENTIC = Node(
    "agentic",
    "Agentic",
    "mean",
    (
        Node("web_search", "Web search", "mean", ("web_search_base", "web_search_no_snippet")),
        Node("memory", "Memory", "mean", ("memory_kv", "memory_vector", "memory_rec_sum")),
    ),
)

_EDGE = Rules(
    "mlperf-edge",
    "edge gate",
    "edge",
    "V4",
    Node("normalized", "Normalized single-turn score", "mean", (_NON_LIVE, _LIVE, _HALLUCINATION)),
    flat=True,
    drops_absent=True,
)
_V1 = Rules(
    "bfcl-v1",
    "official board, version 1",
    "v1",
    "V1",
    Node(
        "overall",
        "Overall",
        "pooled",
        (
            Node("simple", "Simple", "pooled", _SIMPLE_SUBSETS),
            Node("multiple", "Multiple", "pooled", ("multiple",)),
            Node("parallel", "Parallel", "pooled", ("parallel",)),
            Node("parallel_multiple", "Parallel multiple", "pooled", ("parallel_multiple",)),
            Node("executable_simple", "Executable simple", "pooled", ("exec_simple", "rest")),
            Node("exec_multiple", "Executable multiple", "pooled", ("exec_multiple",)),
            Node("exec_parallel", "Executable parallel", "pooled", ("exec_parallel",)),
            Node("exec_parallel_multiple", "Executable parallel multiple", "pooled", ("exec_parallel_multiple",)),
            Node("hallucination", "Relevance detection", "pooled", ("irrelevance",)),
        ),
    ),
)
_V2 = Rules(
    "bfcl-v2",
    "official board, version 2",
    "v2",
    "V2",
    Node(
        "overall",
        "Overall",
        "mean",
        (
            Node("ast_simple", "Simple, AST", "mean", (_SIMPLE, "live_simple")),
            Node("ast_multiple", "Multiple, AST", "mean", ("multiple", "live_multiple")),
            Node("ast_parallel", "Parallel, AST", "mean", ("parallel", "live_parallel")),
            Node(
                "ast_parallel_multiple",
                "Parallel multiple, AST",
                "mean",
                ("parallel_multiple", "live_parallel_multiple"),
            ),
            Node("executable_simple", "Executable simple", "mean", ("exec_simple", "rest")),
            Node("executable_multiple", "Executable multiple", "mean", ("exec_multiple",)),
            Node("executable_parallel", "Executable parallel", "mean", ("exec_parallel",)),
            Node("executable_parallel_multiple", "Executable parallel multiple", "mean", ("exec_parallel_multiple",)),
            _HALLUCINATION,
            Node("relevance", "Relevance detection", "mean", ("live_relevance",)),
        ),
    ),
)
_V3 = Rules(
    "bfcl-v3",
    "official board, version 3",
    "v3",
    "V3",
    Node(
        "overall",
        "Overall",
        "mean",
        (
            Node("live", "Live", "pooled", (*_LIVE_AST, "live_irrelevance", "live_relevance")),
            Node("non_live", "Non-live", "mean", (*_AST, *_EXECUTED, "irrelevance")),
            _MULTI_TURN,
        ),
    ),
    optional=_EXECUTED_SUBSETS,
)
_V4 = Rules(
    "bfcl-v4",
    "official board, version 4",
    "v4",
    "V4",
    Node(
        "overall",
        "Overall",
        "weighted",
        (_NON_LIVE, _LIVE, _HALLUCINATION, _MULTI_TURN, _AGENTIC),
        _tenths(1, 1, 1, 3, 4),
    ),
)

RULES: dict[str, Rules] = {r.name: r for r in (_EDGE, _V1, _V2, _V3, _V4)}
DEFAULT_RULES = _EDGE.name
