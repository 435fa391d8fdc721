"""Rows that stand for several tasks: recomputed from the tasks, labelled, and never counted beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from evalreport.core.exact import fixed
from evalreport.formats.evalrun import EvalRun
from evalreport.formats.json_values import as_list, as_object
from evalreport.formats.standard_errors import in_quadrature, pooled

_CLOSE = Fraction(1, 10**9)


@dataclass(frozen=True)
class Groups:
    """Which tasks belong to which group of a file, as far as they have a row of their own."""

    members: Mapping[str, tuple[str, ...]]  # group -> its tasks that have rows, through all levels
    named: Mapping[str, int]  # group -> how many tasks it names
    parents: Mapping[str, str]  # task or group -> the group it stands in directly
    opaque: frozenset[str]  # groups of a file that does not say which tasks they hold

    def is_group(self, row: str) -> bool:
        """Whether a row stands for other rows of its file."""
        return bool(self.members.get(row))

    def top(self, row: str) -> str:
        """The outermost group of a row, or nothing."""
        seen, place = set[str](), row
        while place in self.parents and place not in seen:
            seen.add(place)
            place = self.parents[place]
        return "" if place == row else place


def groups_of(root: Mapping[str, object]) -> Groups:
    """The groups of a results file."""
    rows = as_object(root.get("results"))
    stated = as_object(root.get("group_subtasks"))
    children = {name: [c for c in as_list(below) if isinstance(c, str)] for name, below in stated.items()}
    leaves = {name: _leaves(name, children) for name, below in children.items() if below}
    parents: dict[str, str] = {}
    for name in sorted(leaves):
        for child in children[name]:
            parents[child] = min(name, parents.get(child, name))
    return Groups(
        {name: tuple(task for task in found if task in rows) for name, found in leaves.items()},
        {name: len(found) for name, found in leaves.items()},
        parents,
        frozenset() if stated else frozenset(as_object(root.get("groups"))),
    )


def _leaves(name: str, children: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    found: set[str] = set()
    seen: set[str] = set()
    open_ = [name]
    while open_:
        place = open_.pop()
        if place in seen:
            continue
        seen.add(place)
        below = children.get(place, ())
        open_ += below
        if not below:
            found.add(place)
    return tuple(sorted(found))


@dataclass(frozen=True)
class GroupRow:
    """A group's score by one metric, recomputed: weighted by size with two standard errors, and unweighted.

    `weighted` is None when the size of some task is not stated. `stated` is what the file prints for the group.
    """

    tasks: int
    named: int
    n: int | None
    weighted: Fraction | None
    unweighted: Fraction
    pooled_error: Fraction | None
    quadrature_error: Fraction | None
    stated: Fraction | None
    stated_error: Fraction | None

    @property
    def reason(self) -> str:
        """Why the row is set aside, with every recomputed value under its rule."""
        of = "" if self.tasks == self.named else f" (of {self.named} that it names)"
        parts = [f"a group of {self.tasks} tasks{of}, which are counted themselves"]
        if self.weighted is not None:
            errors = []
            if self.pooled_error is not None:
                errors.append(f"standard error {fixed(self.pooled_error, 6)} pooled")
            if self.quadrature_error is not None:
                errors.append(f"{fixed(self.quadrature_error, 6)} in quadrature")
            parts.append(", ".join([f"weighted by size over {self.n} items {fixed(self.weighted, 6)}", *errors]))
        parts.append(f"unweighted mean of its tasks {fixed(self.unweighted, 6)}")
        if self.stated is not None:
            parts.append(self._agreement(self.stated))
        if self.stated_error == 0 and self.stated is not None and 0 < self.stated < 1:
            parts.append("its standard error 0 is impossible")
        return "; ".join(parts)

    def _agreement(self, stated: Fraction) -> str:
        if self.weighted is not None and abs(stated - self.weighted) <= _CLOSE:
            return "the file states the weighted one"
        if abs(stated - self.unweighted) <= _CLOSE:
            return "the file states the unweighted one"
        return "the file states neither"


def group_row(runs: Sequence[EvalRun], named: int, stated: Fraction | None, stated_error: Fraction | None) -> GroupRow:
    """A group recomputed from the runs of its tasks by one metric; there is at least one."""
    sizes = [(run.n, run) for run in runs if run.n]
    complete = len(sizes) == len(runs)
    total = sum(n for n, _ in sizes)
    parts = [(n, run.stderr) for n, run in sizes]
    return GroupRow(
        tasks=len(runs),
        named=named,
        n=total if complete else None,
        weighted=sum((n * run.score for n, run in sizes), Fraction(0)) / total if complete else None,
        unweighted=sum((run.score for run in runs), Fraction(0)) / len(runs),
        pooled_error=pooled(parts) if complete else None,
        quadrature_error=in_quadrature(parts) if complete else None,
        stated=stated,
        stated_error=stated_error,
    )
