"""Runs, records and score files that the tests make."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from evalreport.core.suite import Settings, SettingValue
from evalreport.suites.bfcl import SUITE, Results
from evalreport.suites.bfcl.records import Scores, Shard, Tally
from evalreport.suites.bfcl.union import union

Counts = Mapping[str, tuple[int, int]]

EDGE_DRAW: Counts = {
    "simple_python": (36, 40),
    "simple_java": (6, 10),
    "simple_javascript": (3, 5),
    "multiple": (18, 20),
    "parallel": (15, 20),
    "parallel_multiple": (16, 20),
    "live_simple": (20, 25),
    "live_multiple": (70, 100),
    "live_parallel": (1, 2),
    "live_parallel_multiple": (3, 3),
    "irrelevance": (18, 24),
    "live_irrelevance": (44, 88),
}


def settings(**given: SettingValue) -> Settings:
    """The settings of the suite with quick intervals and these changes."""
    return Settings({**{s.name: s.default for s in SUITE.settings}, "resamples": 100, **given})


def tallies(counts: Counts) -> dict[str, Tally]:
    return {s: Tally(hits, n) for s, (hits, n) in counts.items()}


def shard(counts: Counts, index: int | None = None, count: int = 1, model: str = "m") -> Shard:
    return Shard(
        model,
        f"s{index}.json",
        "gate record",
        tallies(counts),
        identity=(("git_sha", "abc"),),
        index=index,
        count=count,
    )


def computed(*shards: Shard, **given: SettingValue) -> Results:
    """The results of these shards."""
    chosen = settings(**given)
    return SUITE.compute(Scores(union(shards, partial=chosen.flag("partial"))), chosen)


def read(*paths: Path, **given: SettingValue) -> Scores:
    scores: Scores = SUITE.read(paths, settings(**given))
    return scores


def results_of(*paths: Path, **given: SettingValue) -> Results:
    return SUITE.compute(read(*paths, **given), settings(**given))


def table(results: Results, name: str) -> list[dict[str, str]]:
    """The rows of one CSV table, by column."""
    found = next(t for t in SUITE.tables(results) if t.name == name)
    return [dict(zip(found.header, row, strict=True)) for row in found.rows]


def record(counts: Counts, **changes: object) -> dict[str, object]:
    """A gate record; `changes` replace its fields, or in `metrics` those of its metrics."""
    metrics: dict[str, object] = {}
    for subset, (hits, n) in counts.items():
        metrics |= {f"subset.{subset}.hits": float(hits), f"subset.{subset}.n": float(n)}
    more = changes.pop("metrics", {})
    assert isinstance(more, dict)
    base = {"benchmark_id": "draw", "target_model": "m", "git_sha": "abc", "params": {"temperature": "0"}}
    return {**base, **changes, "metrics": {**metrics, **more}}


def sharded(counts: Counts, index: int, count: int, **changes: object) -> dict[str, object]:
    return record(counts, metrics={"shard.index": float(index), "shard.count": float(count)}, **changes)


def save(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def save_lines(path: Path, values: Sequence[object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(v) + "\n" for v in values), encoding="utf-8")
    return path


def save_score(path: Path, hits: int, n: int, first: int = 0) -> Path:
    """A score file whose failed samples are numbered from `first`."""
    header = {"accuracy": hits / n if n else 0, "correct_count": hits, "total_count": n}
    return save_lines(path, [header, *({"id": f"x_{i}", "valid": False} for i in range(first, first + n - hits))])


def exact(results: Results, key: str, model: int = 0) -> Fraction:
    """The exact value of a score, which must exist."""
    value = results.models[model].outcome.scores[key]
    assert isinstance(value, (int, Fraction)), value
    return Fraction(value)
