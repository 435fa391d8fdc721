"""Intervals and tests of one set of tasks: all models over them, and pairs of these, from the same draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from evalreport.core import lattice
from evalreport.core.exact import Value
from evalreport.core.intervals import excludes_zero, percentile_interval, rounded, wilson
from evalreport.core.lattice import Lattice
from evalreport.core.paired import (
    Deviations,
    binary_splits,
    clustered_error,
    detectable,
    deviations,
    distinct_means,
    grid,
    mcnemar,
    pair_errors,
    pair_limits,
    resampled_means,
)
from evalreport.core.resample import CHUNK, FloatArray, IntArray
from evalreport.core.suite import Interval
from evalreport.suites.comparison.metrics import standard_error
from evalreport.suites.comparison.metrics_pairs import detectable_difference, paired_difference, weighted_difference
from evalreport.suites.comparison.records import Task
from evalreport.suites.comparison.results import Draws, PairRow

DRAWN = "percentile bootstrap"
CLUSTERED = "two-stage percentile bootstrap over clusters"
# Beyond so many pairs of a leaderboard no simultaneous limits are drawn: they would take minutes.
SIMULTANEOUS_PAIRS = 20_000
# Beyond so many tasks resamples are drawn over the distinct values, not over the tasks.
VERY_MANY_TASKS = 20_000


@dataclass(frozen=True)
class Pairs:
    """The pairs over one set of tasks, and how far their resampled differences stray (None where not drawn)."""

    rows: tuple[PairRow, ...]
    deviations: Deviations | None


class Estimates:
    """Models over the same tasks. `scores` has a list for each model, in the order of `tasks`."""

    def __init__(self, tasks: Sequence[Task], scores: Mapping[str, Sequence[Fraction]], draws: Draws) -> None:
        self.tasks = tasks
        self.ids = [task.task_id for task in tasks]
        self.models = sorted(scores)
        self.scores = scores
        self.draws = draws
        self.n = len(tasks)
        self._place = {model: at for at, model in enumerate(self.models)}
        self._weights = [task.weight for task in tasks] if draws.weighted else None
        # a task without a cluster stands for itself, and no name of a cluster can be its name
        self.clusters = [f"cluster {t.cluster}" if t.cluster else f"task {t.task_id}" for t in tasks]
        self._plain = draws.cluster is None and not draws.weighted

    @cached_property
    def means(self) -> FloatArray:
        """Resampled means of every model: shape (models, resamples)."""
        counting = self._counting
        columns = [[self.scores[model][at] for at in counting] for model in self.models]
        return resampled_means(
            grid(list(zip(*columns, strict=True)), self._weights and [self._weights[at] for at in counting]),
            tasks=[self.ids[at] for at in counting],
            resamples=self.draws.resamples,
            seed=self.draws.seed,
            clusters=[self.clusters[at] for at in counting] if self.draws.cluster else None,
        )

    @cached_property
    def _counting(self) -> Sequence[int]:
        """The tasks that are drawn: a mean without any task of a weight above 0 would be none."""
        if self._weights is None:
            return range(self.n)
        return [at for at, weight in enumerate(self._weights) if weight > 0]

    @cached_property
    def _floats(self) -> FloatArray:
        return np.array([[float(x) for x in self.scores[model]] for model in self.models], dtype=np.float64).T

    @cached_property
    def _float_weights(self) -> FloatArray:
        weights = self._weights or [Fraction(1)] * self.n
        largest = max(weights, default=Fraction(1)) or Fraction(1)  # squares of huge or tiny ones are no floats
        return np.array([float(weight / largest) for weight in weights])

    @cached_property
    def _binary(self) -> Mapping[str, bool]:
        return {model: all(x in (0, 1) for x in self.scores[model]) for model in self.models}

    @cached_property
    def _whole(self) -> Mapping[str, tuple[IntArray, int] | None]:
        """Each model's scores as whole numbers over their common denominator, where that is small enough."""
        found: dict[str, tuple[IntArray, int] | None] = {}
        for model in self.models:
            common = lattice.common_denominator(self.scores[model])
            found[model] = None
            if common is not None:
                whole = [x.numerator * (common // x.denominator) for x in self.scores[model]]
                found[model] = np.array(whole, dtype=np.int64), common
        return found

    def missing(self) -> str:
        """Why there is no interval over these tasks; empty when there is one."""
        if self.n < 2:
            return f"n = {self.n}: no interval"
        if len(self._counting) < 2:
            return f"{'one weight is' if self._counting else 'no weight is'} above 0: no interval"
        if self.draws.cluster and len({self.clusters[at] for at in self._counting}) < 2:
            return "one cluster: no interval"
        return ""

    def mean_interval(self, model: str) -> Interval:
        """The interval of a model's mean: exact where scores stand on a lattice, else by resampling."""
        reason = self.missing()
        if reason:
            return self._none(reason)
        if self._plain:
            found = lattice.lattice(self.scores[model])
            if found is not None:
                return lattice.exact_interval(found, self.draws.level)
            if self.n > VERY_MANY_TASKS:
                draws = self.draws
                values = distinct_means(self.scores[model], tasks=self.ids, resamples=draws.resamples, seed=draws.seed)
                return percentile_interval(values, self.n, level=draws.level, seed=draws.seed)
        return self._named(
            percentile_interval(self.means[self._place[model]], self.n, level=self.draws.level, seed=self.draws.seed)
        )

    def _named(self, found: Interval) -> Interval:
        method = CLUSTERED if self.draws.cluster else DRAWN
        return Interval(found.low, found.high, found.level, method, found.n, found.resamples, found.seed, found.note)

    def _none(self, reason: str) -> Interval:
        method = lattice.METHOD if self._plain else CLUSTERED if self.draws.cluster else DRAWN
        return Interval(None, None, self.draws.level, method, self.n, note=reason)

    def wilson(self, model: str) -> Interval | None:
        """Wilson's interval where all scores are 0 or 1 and tasks are independent and count the same."""
        if not self._plain or not self._binary[model]:
            return None
        return wilson(int(sum(self.scores[model], Fraction(0))), self.n, self.draws.level)

    def standard_error(self, model: str) -> Value:
        """The standard error of a model's mean, clustered where clusters are asked for."""
        column = self._floats[:, self._place[model]]
        return standard_error(clustered_error(column, self.clusters, self._float_weights))

    def pairs(self, wanted: Sequence[tuple[str, str]], *, simultaneous: bool) -> Pairs:
        """The pairs of models over these tasks, without what depends on all pairs of the leaderboard."""
        first = np.array([self._place[a] for a, _ in wanted], dtype=np.int64)
        second = np.array([self._place[b] for _, b in wanted], dtype=np.int64)
        found: dict[int, tuple[Interval, Fraction | None, str]] = {}
        errors = np.full(len(wanted), np.nan)
        strayed = None
        reason = self.missing()
        if reason:
            found = dict.fromkeys(range(len(wanted)), (self._none(reason), None, ""))
        else:
            errors = pair_errors(self._floats, first, second, weights=self._float_weights, clusters=self.clusters)
            if self._plain:
                self._by_counting(wanted, found)
            self._by_drawing(wanted, first, second, found)
            if simultaneous:
                strayed = deviations(self.means, first, second)
        better = self._better(first, second), self._better(second, first)
        rows = [
            self._row(pair, found[i], float(errors[i]), (int(better[0][i]), int(better[1][i])))
            for i, pair in enumerate(wanted)
        ]
        return Pairs(tuple(rows), strayed)

    def _better(self, first: IntArray, second: IntArray) -> IntArray:
        """On how many tasks the first model of each pair scores higher."""
        found = np.empty(len(first), dtype=np.int64)
        block = max(1, CHUNK // self.n)
        for start in range(0, len(first), block):
            here = slice(start, start + block)
            found[here] = (self._floats[:, first[here]] > self._floats[:, second[here]]).sum(axis=0)
        return found

    def _by_counting(
        self, wanted: Sequence[tuple[str, str]], found: dict[int, tuple[Interval, Fraction | None, str]]
    ) -> None:
        """Fill in the pairs whose differences stand on a lattice, by the exact bootstrap distribution."""
        level = self.draws.level
        binary = [i for i, (a, b) in enumerate(wanted) if self._binary[a] and self._binary[b]]
        for i, (interval, wins, losses) in zip(binary, self._binary_pairs([wanted[i] for i in binary]), strict=True):
            found[i] = interval, mcnemar(wins, losses), "McNemar, exact"
        by_width: dict[int, list[tuple[int, Lattice]]] = {}
        for i, (a, b) in enumerate(wanted):
            if i not in found and (one := self._lattice(a, b)) is not None:
                if len(one.counts) == 1:
                    found[i] = _degenerate(lattice.exact_interval(one, level)), lattice.exact_p(one), lattice.METHOD
                else:
                    by_width.setdefault(len(one.counts), []).append((i, one))
        for group in by_width.values():
            counts = np.array([one.counts for _, one in group], dtype=np.int64)
            ends = lattice.tails(counts, level, zero=[one.zero for _, one in group])
            for at, (i, one) in enumerate(group):
                interval = lattice.interval_of(one, int(ends.low[at]), int(ends.high[at]), level)
                tail = float(min(ends.at_most[at], ends.at_least[at]))
                found[i] = interval, lattice.smoothed(tail, self.n), lattice.METHOD

    def _binary_pairs(self, wanted: Sequence[tuple[str, str]]) -> list[tuple[Interval, int, int]]:
        """Intervals of pairs of 0/1 scores: the distribution depends on how many tasks each alone solved."""
        if not wanted:
            return []
        models = sorted({model for pair in wanted for model in pair})
        place = {model: at for at, model in enumerate(models)}
        whole = np.array([[int(x) for x in self.scores[model]] for model in models], dtype=np.int64).T
        wins, losses = binary_splits(
            whole, np.array([place[a] for a, _ in wanted]), np.array([place[b] for _, b in wanted])
        )
        low, high = lattice.binary_limits(wins, losses, self.n, level=self.draws.level)
        made: dict[tuple[int, int], Interval] = {}
        rows = []
        for won, lost, under, over in zip(wins.tolist(), losses.tolist(), low.tolist(), high.tolist(), strict=True):
            if (won, lost) not in made:
                split = Lattice(Fraction(-1), Fraction(1), (lost, self.n - won - lost, won))
                constant = self.n in (won, lost, self.n - won - lost)
                interval = lattice.interval_of(split, under, over, self.draws.level)
                made[won, lost] = _degenerate(interval) if constant else interval
            rows.append((made[won, lost], won, lost))
        return rows

    def _lattice(self, a: str, b: str) -> Lattice | None:
        ours, theirs = self._whole[a], self._whole[b]
        if ours is None or theirs is None:
            return None
        common = int(np.lcm(ours[1], theirs[1]))
        if common > lattice.LARGEST_DENOMINATOR:
            return None
        difference = ours[0] * (common // ours[1]) - theirs[0] * (common // theirs[1])
        return lattice.whole_lattice(difference, common, lattice.FOR_A_PAIR)

    def _by_drawing(
        self,
        wanted: Sequence[tuple[str, str]],
        first: IntArray,
        second: IntArray,
        found: dict[int, tuple[Interval, Fraction | None, str]],
    ) -> None:
        """Fill in the other pairs, by resampling."""
        rest = [i for i in range(len(wanted)) if i not in found]
        if not rest:
            return
        at = np.array(rest, dtype=np.int64)
        draws = self.draws
        limits = pair_limits(self.means, first[at], second[at], draws.level)
        method = CLUSTERED if draws.cluster else DRAWN
        for k, i in enumerate(rest):
            low, high = rounded(Fraction(float(limits.low[k]))), rounded(Fraction(float(limits.high[k])))
            interval = Interval(low, high, draws.level, method, self.n, draws.resamples, draws.seed)
            few = int(min(limits.below[k], limits.above[k]))
            p = min(Fraction(1), Fraction(2 * (few + 1), draws.resamples + 1))
            found[i] = (_degenerate(interval) if low == high and self._constant(*wanted[i]) else interval), p, method

    def _constant(self, a: str, b: str) -> bool:
        return len({x - y for x, y in zip(self.scores[a], self.scores[b], strict=True)}) == 1

    @cached_property
    def _sums(self) -> Mapping[str, Fraction]:
        weights = self._weights
        if weights is None:
            return {model: sum(self.scores[model], Fraction(0)) for model in self.models}
        return {
            model: sum((w * x for w, x in zip(weights, self.scores[model], strict=True)), Fraction(0))
            for model in self.models
        }

    def _row(
        self,
        pair: tuple[str, str],
        found: tuple[Interval, Fraction | None, str],
        error: float,
        better: tuple[int, int],
    ) -> PairRow:
        a, b = pair
        interval, p, method = found
        if self._weights is None:
            difference = paired_difference(self._sums[a], self._sums[b], self.n)
        else:
            difference = weighted_difference(self._sums[a], self._sums[b], sum(self._weights, Fraction(0)))
        draws = self.draws
        reach = None if np.isnan(error) else detectable(error, level=draws.level, power=draws.power)
        return PairRow(
            model_a=a,
            model_b=b,
            n=self.n,
            difference=difference,
            interval=interval,
            significant=excludes_zero(interval),
            p=p,
            p_method=method,
            holm=None,
            fdr=None,
            simultaneous=None,
            detectable=detectable_difference(reach),
            better_a=better[0],
            better_b=better[1],
        )


def _degenerate(found: Interval) -> Interval:
    note = "degenerate: all differences are equal"
    return Interval(found.low, found.high, found.level, found.method, found.n, found.resamples, found.seed, note)
