"""Made-up function-calling runs: shards, score directories old and new, and tallies with printed figures.

Every edge stands in it: a run in four shards of which one lacks a subset, a partial score directory beside a table that
prints zeros for what was never run, a header that disagrees with its lines, a subset without samples, old names in the
flat layout, a subset of no category, ties of the two-decimal printing, an official figure that is wrong, and a name
that no page may take for markup.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from functools import reduce
from operator import add
from pathlib import Path

SEED = 2718

NON_LIVE = {
    "simple_python": 400,
    "simple_java": 100,
    "simple_javascript": 50,
    "multiple": 200,
    "parallel": 200,
    "parallel_multiple": 200,
    "irrelevance": 240,
}
LIVE = {
    "live_simple": 258,
    "live_multiple": 1053,
    "live_parallel": 16,
    "live_parallel_multiple": 24,
    "live_irrelevance": 884,
}
LIVE_RELEVANCE = {"live_relevance": 16}
MULTI_TURN = {f"multi_turn_{kind}": 200 for kind in ("base", "miss_func", "miss_param", "long_context")}
WEB_SEARCH = {f"web_search_{kind}": 100 for kind in ("base", "no_snippet")}
MEMORY = {f"memory_{kind}": 155 for kind in ("kv", "vector", "rec_sum")}
WHOLE = {**NON_LIVE, **LIVE, **LIVE_RELEVANCE, **MULTI_TURN, **WEB_SEARCH, **MEMORY}

# The draw of the edge gate: fewer samples, and not in proportion.
DRAW = {
    "simple_python": 248,
    "simple_java": 62,
    "simple_javascript": 31,
    "multiple": 92,
    "parallel": 92,
    "parallel_multiple": 92,
    "irrelevance": 24,
    "live_simple": 59,
    "live_multiple": 242,
    "live_parallel": 16,
    "live_parallel_multiple": 24,
    "live_irrelevance": 88,
}
HARD = {"simple_java": -0.25, "simple_javascript": -0.3, "live_multiple": -0.08, "multi_turn_miss_param": -0.1}

SHARDED, GATE, PARTIAL, OLD = "lab-a/heron-7b", "lab-b/kestrel-2", "lab_c_plover-1-FC", "lab_d_osprey-3"
HOSTILE = 'lab-e/<b>`x`</b> | $w_1$ & 50% "模型" אב ../'
SHARDS = 4

Tally = tuple[int, int]
Tallies = dict[str, Tally]


def tallies(rng: random.Random, sizes: dict[str, int], skill: float) -> Tallies:
    """Hits around a skill, lower where a subset is hard and for long tasks."""
    found = {}
    for subset, n in sizes.items():
        long_task = subset.startswith(("multi_turn", "web_search", "memory"))
        share = skill + HARD.get(subset, 0.0) - (0.25 if long_task else 0.0) + 0.1 * rng.random() - 0.05
        found[subset] = (round(min(max(share, 0.05), 0.99) * n), n)
    return found


def dealt(rng: random.Random, whole: Tallies) -> list[Tallies]:
    """The same samples dealt to shards one by one."""
    shards: list[Tallies] = [{} for _ in range(SHARDS)]
    for subset, (hits, n) in whole.items():
        samples = [1] * hits + [0] * (n - hits)
        samples.sort(key=lambda _: rng.random())
        cut = SHARDS - 1 if subset == "live_parallel" else SHARDS
        for index in range(cut):
            own = samples[index::cut]
            shards[index][subset] = (sum(own), len(own))
    return shards


def mean(values: Iterable[float]) -> float:
    """Added from the left, as the official program adds; `sum` rounds otherwise from Python 3.12 on."""
    listed = list(values)
    return reduce(add, listed) / len(listed)


def percent(share: float) -> str:
    """A share as the official tables print it."""
    return f"{100 * share:.2f}%"


def gate_score(run: Tallies) -> tuple[float, float]:
    """The overall and the normalized score that a gate record stores."""
    a = {s: hits / n for s, (hits, n) in run.items()}
    simple = mean(a[s] for s in ("simple_python", "simple_java", "simple_javascript"))
    non_live = mean([simple, a["multiple"], a["parallel"], a["parallel_multiple"]])
    ast = [run[s] for s in ("live_simple", "live_multiple", "live_parallel", "live_parallel_multiple") if s in run]
    live = sum(h for h, _ in ast) / sum(n for _, n in ast)
    hallucination = (a["irrelevance"] + a["live_irrelevance"]) / 2
    overall = sum(h for h, _ in run.values()) / sum(n for _, n in run.values())
    return round(100 * overall, 2), round(100 * mean([non_live, live, hallucination]), 2)


def gate_record(model: str, run: Tallies, shard: tuple[int, int] | None) -> dict[str, object]:
    """One record of the edge gate, over a shard or over the whole draw."""
    overall, normalized = gate_score(run)
    metrics: dict[str, float] = {
        "overall_accuracy": overall,
        "normalized_single_turn_score": normalized,
        "samples": float(sum(n for _, n in run.values())),
    }
    for subset, (hits, n) in run.items():
        metrics[f"subset.{subset}.hits"] = float(hits)
        metrics[f"subset.{subset}.n"] = float(n)
    params = {"max_new_tokens": "1024", "temperature": "0"}
    if shard is not None:
        metrics |= {"shard.index": float(shard[0]), "shard.count": float(shard[1])}
        params["shard"] = f"{shard[0]}/{shard[1]}"
    return {
        "schema": 1,
        "benchmark_id": "bfcl-draw",
        "git_sha": "5eedc0ffee",
        "target_model": model,
        "params": params,
        "metrics": dict(sorted(metrics.items())),
    }


def official(run: Tallies) -> dict[str, str]:
    """What the official board would print for a whole run of version 4."""
    a = {s: hits / n for s, (hits, n) in run.items()}
    simple = mean(a[s] for s in ("simple_python", "simple_java", "simple_javascript"))
    non_live = mean([simple, a["multiple"], a["parallel"], a["parallel_multiple"]])
    parts = [s for s in LIVE if s != "live_irrelevance"]
    live = reduce(add, [a[s] * run[s][1] for s in parts]) / sum(run[s][1] for s in parts)
    irrelevance = (a["irrelevance"] + a["live_irrelevance"]) / 2
    multi_turn = mean(a[s] for s in MULTI_TURN)
    web_search, memory = mean(a[s] for s in WEB_SEARCH), mean(a[s] for s in MEMORY)
    agentic = (web_search + memory) / 2
    overall = non_live * 0.1 + live * 0.1 + irrelevance * 0.1 + multi_turn * 0.3 + agentic * 0.4
    shares = {
        "overall": overall,
        "non_live": non_live,
        "live": live,
        "irrelevance": irrelevance,
        "relevance": a["live_relevance"],
        "multi_turn": multi_turn,
        "web_search": web_search,
        "memory": memory,
        "agentic": agentic,
    }
    return {figure: percent(share) for figure, share in shares.items()}


def score_file(subset: str, tally: Tally, claimed: int | None = None) -> str:
    """A score file: its header, then the failed samples."""
    hits, n = tally
    claimed = hits if claimed is None else claimed
    header = {"accuracy": claimed / n if n else 0.0, "correct_count": claimed, "total_count": n}
    failed = [{"id": f"{subset}_{i}", "valid": False, "error": ["wrong call"]} for i in range(n - hits)]
    return "".join(json.dumps(line) + "\n" for line in (header, *failed))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def write(folder: Path) -> None:
    """Write records, score directories and tallies below a folder `bfcl`."""
    folder = folder / "bfcl"
    rng = random.Random(SEED)
    gate = folder / "gate"
    for index, shard in enumerate(dealt(rng, tallies(rng, DRAW, 0.9))):
        _write(gate / f"heron-s{index}of{SHARDS}.json", _json(gate_record(SHARDED, shard, (index, SHARDS))))
    with_extra = {**tallies(rng, DRAW, 0.82), "live_relevance": (12, 16)}
    _write(gate / "kestrel.json", _json(gate_record(GATE, with_extra, None)))
    _write_partial(rng, folder / "score_v4")
    _write_old(rng, folder / "score_v3" / OLD)
    _write_tallies(rng, folder / "tallies.jsonl")


def _write_partial(rng: random.Random, score: Path) -> None:
    """Multi-turn and agentic never run, one header wrong, one subset empty; the table beside it prints zeros."""
    run = tallies(rng, {**NON_LIVE, **LIVE}, 0.86)
    for subset, tally in run.items():
        group = "live" if subset.startswith("live") else "non_live"
        claimed = tally[0] + 2 if subset == "parallel" else None
        _write(score / PARTIAL / group / f"BFCL_v4_{subset}_score.json", score_file(subset, tally, claimed))
    _write(score / PARTIAL / "multi_turn" / "BFCL_v4_multi_turn_base_score.json", score_file("multi_turn_base", (0, 0)))
    _write(
        score / "data_overall.csv",
        "Rank,Overall Acc,Model,Web Search Acc,Memory Acc,Multi Turn Acc\n"
        "1,25.11%,lab/c-plover-1 (FC),0.00%,0.00%,N/A\n",
    )


def _write_old(rng: random.Random, model: Path) -> None:
    """Version 3: flat, with the old names of the subsets."""
    older = {"simple_python": "simple", "simple_java": "java", "simple_javascript": "javascript"}
    for subset, tally in tallies(rng, {**NON_LIVE, **LIVE, "live_irrelevance": 882, **MULTI_TURN}, 0.78).items():
        name = older.get(subset, subset)
        _write(model / f"BFCL_v3_{name}_score.json", score_file(name, tally))


def _write_tallies(rng: random.Random, path: Path) -> None:
    """Whole runs with what the board printed; one printed figure is wrong, one run has ties in the last digit."""
    lines = []
    for model, skill in (("lab-f/avocet-70b", 0.93), ("lab-g/curlew-9b", 0.8), (HOSTILE, 0.7)):
        run = tallies(rng, WHOLE, skill)
        if model.endswith("curlew-9b"):
            kinds = ("base", "miss_func", "miss_param", "long_context")
            run.update({f"multi_turn_{k}": (h, 200) for k, h in zip(kinds, (106, 106, 106, 107), strict=True)})
            run["live_parallel"] = (5, 16)
        printed = official(run)
        if model == HOSTILE:
            printed["memory"] = "99.99%"
        lines.append({"model": model, "tallies": {s: list(t) for s, t in run.items()}, "published": printed})
    _write(path, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
