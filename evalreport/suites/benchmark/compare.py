"""Two subject versions over the cases both were scored on: does one beat the other, or do the cases decide?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

import numpy as np

from evalreport.core.cells import Cells, IntArray
from evalreport.core.exact import Undefined, Value
from evalreport.core.intervals import no_interval, percentile_interval, tail_p
from evalreport.core.multiplicity import holm
from evalreport.core.resample import FloatArray, stream, weighted_sums
from evalreport.suites.benchmark.metrics import (
    FULL_SCORE,
    mean_clipped_score_difference,
    pass_rate_difference,
    q_final,
    q_final_difference,
)
from evalreport.suites.benchmark.results import Difference, Pair, SubjectId

DIFFERENCES = {
    "q_final": q_final_difference,
    "pass_rate": pass_rate_difference,
    "mean_clipped_score": mean_clipped_score_difference,
}


@dataclass(frozen=True)
class Draws:
    """How resamples of the cases are made: confidence level, their number, the seed, and alpha of the composite."""

    level: Fraction
    resamples: int
    seed: int
    alpha: Fraction


def pairs(benchmark_version: str, by_case: Mapping[SubjectId, Cells], draws: Draws) -> tuple[Pair, ...]:
    """Every two subject versions, smaller id first, with Holm's correction over all of them for each metric.

    `by_case` holds for each subject version the cells of its cases (sums `passes` and `clipped`). Subject versions
    measured over the same cases share their draws, so that a pair is compared on equal resamples.
    """
    places = {s: {c: i for i, c in enumerate(cells.labels("case_id"))} for s, cells in by_case.items()}
    grouped: dict[tuple[str, ...], list[tuple[SubjectId, SubjectId]]] = {}
    for a, b in combinations(sorted(by_case), 2):
        common = tuple(sorted(str(c) for c in places[a].keys() & places[b].keys()))
        grouped.setdefault(common, []).append((a, b))
    found = []
    for common, group in sorted(grouped.items()):
        tables = {
            s: _table(by_case[s], [places[s][c] for c in common]) for s in sorted({s for pair in group for s in pair})
        }
        values = {s: _values(table, draws.alpha) for s, table in tables.items()}
        resampled = _resampled(tables, common, draws) if len(common) > 1 else {}
        for a, b in group:
            differences = {
                key: _difference(key, values[a][key], values[b][key], _minus(resampled, a, b, key), len(common), draws)
                for key in DIFFERENCES
            }
            found.append(Pair(benchmark_version, a, b, common, differences))
    return _corrected(sorted(found, key=lambda p: (p.a, p.b)))


def _table(cells: Cells, rows: Sequence[int]) -> IntArray:
    """Runs, passes and clipped scores of these cases, one row a case."""
    at = np.array(rows, dtype=np.int64)
    return np.stack([cells.n[at], cells["passes"][at], cells["clipped"][at]], axis=1)


def _values(table: IntArray, alpha: Fraction) -> dict[str, Value]:
    runs, passes, clipped = (int(t) for t in table.sum(axis=0))
    if not runs:
        return dict.fromkeys(DIFFERENCES, Undefined("no common case"))
    passed, score = Fraction(passes, runs), Fraction(clipped, runs)
    return {"q_final": q_final(passed, score, alpha), "pass_rate": passed, "mean_clipped_score": score}


def _resampled(
    tables: Mapping[SubjectId, IntArray], common: Iterable[str], draws: Draws
) -> dict[SubjectId, dict[str, FloatArray]]:
    sums = weighted_sums(list(tables.values()), draws.resamples, stream(draws.seed, "cases", common))
    found = {}
    for subject, total in zip(tables, sums, strict=True):
        passed, score = total[:, 1] / total[:, 0], total[:, 2] / total[:, 0]
        weight = float(draws.alpha)
        composite = weight * passed + (1 - weight) * (score / FULL_SCORE)
        found[subject] = {"q_final": composite, "pass_rate": passed, "mean_clipped_score": score}
    return found


def _minus(
    resampled: Mapping[SubjectId, Mapping[str, FloatArray]], a: SubjectId, b: SubjectId, key: str
) -> FloatArray | None:
    return resampled[a][key] - resampled[b][key] if resampled else None


def _difference(key: str, ours: Value, theirs: Value, drawn: FloatArray | None, n: int, draws: Draws) -> Difference:
    value = DIFFERENCES[key](ours, theirs)
    if drawn is None:
        return Difference(
            key, ours, theirs, value, no_interval(n, draws.level, draws.resamples, draws.seed), None, None
        )
    interval = percentile_interval(drawn, n, level=draws.level, seed=draws.seed)
    return Difference(
        key,
        ours,
        theirs,
        value,
        replace(interval, method="paired percentile bootstrap over cases"),
        tail_p(drawn),
        None,
    )


def _corrected(found: Sequence[Pair]) -> tuple[Pair, ...]:
    adjusted: dict[tuple[int, str], Fraction] = {}
    for key in DIFFERENCES:
        tested = [(i, p) for i, pair in enumerate(found) if (p := pair.differences[key].p) is not None]
        for (i, _), corrected in zip(tested, holm([p for _, p in tested]), strict=True):
            adjusted[i, key] = corrected
    return tuple(
        replace(
            pair,
            differences={k: replace(d, adjusted=adjusted.get((i, k))) for k, d in pair.differences.items()},
        )
        for i, pair in enumerate(found)
    )
