"""Made-up scores of twelve models on sixty tasks of map reading, in five categories, and what else a table may hold.

Every edge stands in it: ties of means, tasks that everybody wins, tasks that a model did not run, clusters of tasks
from one map sheet, weights, scores of 0 and 1, of thirds and of two decimals, repeated runs, single items, a metric
where less is better, an id that looks like a number, and names that no page may take for markup.
"""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Iterator
from pathlib import Path

SEED = 1618

# category, metric, steps between 0 and 1, how hard it is
CATEGORIES = (
    ("contours", "solved", 1, 0.15),
    ("distances", "solved", 1, 0.0),
    ("legends", "graded", 3, -0.1),
    ("routes", "graded", 100, 0.05),
    ("scales", "graded", 2, 0.2),
)
TASKS_EACH = 12
SHEETS = 4  # map sheets of a category; three tasks stand on each

HOSTILE = "lab-f/<i>merlin</i> | $w_1$ & 50% 地图 אב"
# model, skill
MODELS = (
    ("lab-a/heron-9", 0.82),
    ("lab-a/heron-9-mini", 0.66),
    ("lab-b/kestrel_3", 0.80),
    ("lab-b/kestrel_3-lite", 0.61),
    ("lab-c/plover", 0.72),
    ("lab-c/plover-twin", 0.72),
    ("lab-d/osprey-1", 0.55),
    ("lab-d/osprey-2", 0.70),
    ("lab-e/siskin", 0.45),
    (HOSTILE, 0.74),
    ("007", 0.35),
    ("guess", 0.2),
)
TWINS = ("lab-c/plover", "lab-c/plover-twin")
PARTIAL = {"lab-d/osprey-1": {"routes-03", "routes-07", "scales-11"}, "lab-e/siskin": {"contours-01"}}
REPEATED = "graded", 3  # this metric was run three times by the first model
HEADER = (
    *("model_id", "task_id", "metric_name", "score", "category", "weight", "cluster", "sheet", "run_id", "item_id"),
    "evaluated_at",
)
ITEMS = 20
DAY = "2026-03-02T09:00:00Z"


def write(folder: Path) -> None:
    """Write the tables below a folder, named after the suite."""
    root = folder / "comparison"
    root.mkdir(parents=True)
    draw = random.Random(SEED)
    rows = list(_rows(draw))
    text = io.StringIO(newline="")
    table = csv.writer(text, lineterminator="\n")
    table.writerow(HEADER)
    table.writerows(rows)
    (root / "scores.csv").write_bytes(text.getvalue().encode())
    items = [json.dumps(row, ensure_ascii=False) for row in _items(draw)]
    (root / "items.jsonl").write_bytes(("\n".join(items) + "\n").encode())
    minutes = [json.dumps(row, ensure_ascii=False) for row in _minutes(draw)]
    (root / "minutes.jsonl").write_bytes(("\n".join(minutes) + "\n").encode())


def _tasks() -> Iterator[tuple[str, str, str, int, float, str]]:
    for category, metric, steps, hard in CATEGORIES:
        for number in range(TASKS_EACH):
            sheet = f"sheet {category[:3]}-{number * SHEETS // TASKS_EACH + 1}"
            yield f"{category}-{number + 1:02}", category, metric, steps, hard, sheet


def _rows(draw: random.Random) -> Iterator[list[str]]:
    for task, category, metric, steps, hard, sheet in _tasks():
        easy = task in ("distances-01", "legends-01")  # everybody solves them
        mood = 0.3 * (draw.random() - 0.5)
        twins = 0.0
        for model, skill in MODELS:
            luck = draw.random()
            if model == TWINS[0]:
                twins = luck
            chance = min(1.0, max(0.0, skill - hard + mood))
            runs = REPEATED[1] if metric == REPEATED[0] and model == MODELS[0][0] else 1
            for run in range(runs):
                # the twins solve the same tasks, so their means tie and their difference is 0 everywhere
                one = twins if model == TWINS[1] else luck if run == 0 else draw.random()
                if task in PARTIAL.get(model, ()) or task == "legends-12":
                    continue
                score = "1" if easy else _score(chance, one, steps)
                weight = "2" if category == "routes" else "1"
                identity = [f"run-{run + 1}" if runs > 1 else "", ""]
                yield [model, task, metric, score, category, weight, sheet, sheet[6:], *identity, DAY]


def _score(chance: float, luck: float, steps: int) -> str:
    if steps == 1:
        return str(int(luck < chance))
    whole = min(steps, max(0, round(steps * (chance + 0.5 * (luck - 0.5)))))
    return f"{whole / steps:.4f}".rstrip("0").rstrip(".")


def _items(draw: random.Random) -> Iterator[dict[str, object]]:
    """The task `legends-12` item by item, with the map sheet of each; one item has none."""
    lucks: list[float] = []
    for model, skill in MODELS:
        if model != TWINS[1]:
            lucks = [draw.random() for _ in range(ITEMS)]
        for item, luck in enumerate(lucks):
            row: dict[str, object] = {
                "model_id": model,
                "task_id": "legends-12",
                "metric_name": "graded",
                "item_id": f"symbol-{item + 1:02}",
                "score": int(luck < skill),
                "category": "legends",
                "weight": 1,
            }
            if item:
                row["cluster"] = f"sheet {item % SHEETS + 1}"
            yield row


def _minutes(draw: random.Random) -> Iterator[dict[str, object]]:
    """How long the models took for two tasks: less is better, and no mean with shares."""
    for task in ("routes-01", "routes-02"):
        for model, skill in MODELS[:6]:
            yield {
                "model_id": model,
                "task_id": task,
                "metric_name": "minutes",
                "score": round(2 + 6 * draw.random() * (1.2 - skill), 1),
                "better": "lower",
                "low": 0,
            }
