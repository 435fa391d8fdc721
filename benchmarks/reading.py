"""How long reading and checking takes: 100,000 response and scoring files, against decoding them and nothing else.

Run `python benchmarks/reading.py [FILES]`. Every way reads the same files in the same process tree, one child each,
so that each child's peak memory is its own. Ratios are to orjson decoding alone, reading the files included.
"""

from __future__ import annotations

import json
import multiprocessing
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import orjson
from jsonschema import Draft202012Validator

from evalreport.core.suite import Settings
from evalreport.scale.executors import Processes, processors
from evalreport.suites.benchmark.read import read, read_with
from evalreport.suites.benchmark.records import CRITERIA
from evalreport.suites.benchmark.schemas import Response, Scoring, json_schema

CASES = 50
REPEATS = 3
SENTENCE = "The lower leaves turned yellow between the veins before the new growth showed anything. "


def write_tree(root: Path, files: int) -> None:
    """A benchmark of `files` responses and scorings in the size of real ones (about 2 kB on average)."""
    runs = files // 2
    golds = root / "golds" / "v1.0"
    golds.mkdir(parents=True)
    for case in range(CASES):
        gold = {"case_id": f"GH-LEAF-{case:03}", "rubric_floor": 5, "rubric_ceiling": 12}
        (golds / f"GH-LEAF-{case:03}_gold.md").write_text(f"# Case\n\n```json\n{json.dumps(gold)}\n```\n")
    for number in range(runs):
        subject, rest = divmod(number, CASES * 20)
        run, case = divmod(rest, CASES)
        ids = {
            "case_id": f"GH-LEAF-{case:03}",
            "subject_id": f"subject-{subject:03}",
            "subject_version": f"subject-{subject:03}-1",
            "run_id": f"run-{run:03}",
        }
        response = {
            **ids,
            "benchmark_version": "v1.0",
            "main_hypothesis": SENTENCE * 2,
            "key_signals": [SENTENCE] * 5,
            "alternatives": [{"hypothesis": SENTENCE, "why_plausible": SENTENCE * 2, "why_discardable": SENTENCE}] * 3,
            "recommended_action": SENTENCE * 3,
            "confidence": number % 101,
        }
        scoring = {
            "benchmark_version": "v1.0",
            "reviewer_id": "R1",
            "response_ref": ids,
            "criterion_scores": {
                name: {"score": (number + index) % 3, "justification": SENTENCE} for index, name in enumerate(CRITERIA)
            },
            "correctness": (0, 0.5, 1)[number % 3],
            "automatic_fails_triggered": [{"severity": "recoverable"}] if number % 17 == 0 else [],
        }
        stem = f"{ids['case_id']}__{ids['run_id']}"
        for kind, name, content in (("responses", stem, response), ("scoring", f"{stem}__eval-R1", scoring)):
            folder = root / kind / "v1.0" / ids["subject_id"]
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{name}.json").write_text(json.dumps(content, indent=2))


def files_of(root: Path) -> list[Path]:
    return sorted((root / "responses").rglob("*.json")) + sorted((root / "scoring").rglob("*.json"))


def with_orjson(root: Path) -> float:
    paths = [str(path) for path in files_of(root)]
    start = time.perf_counter()
    for path in paths:
        with open(path, "rb") as file:  # noqa: PTH123
            orjson.loads(file.read())
    return time.perf_counter() - start


def with_json_and_jsonschema(root: Path, share: int = 20) -> float:
    """On every twentieth file only, and scaled: the whole would take minutes."""
    validators = {
        "responses": Draft202012Validator(json_schema(Response)),
        "scoring": Draft202012Validator(json_schema(Scoring)),
    }
    paths = files_of(root)[::share]
    start = time.perf_counter()
    for path in paths:
        validators[path.relative_to(root).parts[0]].validate(json.loads(path.read_bytes()))
    return (time.perf_counter() - start) * share


def with_evalreport(root: Path) -> float:
    start = time.perf_counter()
    records = read([root], Settings({}))
    taken = time.perf_counter() - start
    assert len(records.runs) == len(files_of(root)) // 2
    return taken


def with_processes(root: Path) -> float:
    start = time.perf_counter()
    records = read_with([root], Settings({}), Processes(processors()))
    taken = time.perf_counter() - start
    assert len(records.runs) == len(files_of(root)) // 2
    return taken


def _measured(way: Callable[[Path], float], root: Path, sender: multiprocessing.connection.Connection) -> None:
    taken = way(root)
    sender.send((taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


def measure(way: Callable[[Path], float], root: Path) -> tuple[float, float]:
    """Seconds and peak MB of one way in a child of its own."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("spawn").Process(target=_measured, args=(way, root, sender))
    child.start()
    result: tuple[float, float] = receiver.recv()
    child.join()
    return result


def main() -> None:
    files = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    ways: tuple[tuple[str, Callable[[Path], float]], ...] = (
        ("orjson, decoding alone", with_orjson),
        ("evalreport, reading and every check", with_evalreport),
        ("evalreport, the same in processes", with_processes),
        ("json and jsonschema, no cross-checks", with_json_and_jsonschema),
    )
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write_tree(root, files)
        rounds = [[measure(way, root) for _, way in ways] for _ in range(REPEATS)]
    print(f"{files} files, {REPEATS} rounds; the median of the rounds\n")
    print("| way | seconds | ratio | peak MB |\n|---|---|---|---|")
    for index, (name, _) in enumerate(ways):
        seconds = statistics.median(one[index][0] for one in rounds)
        ratio = statistics.median(one[index][0] / one[0][0] for one in rounds)
        peak = max(one[index][1] for one in rounds)
        print(f"| {name} | {seconds:.1f} | {ratio:.2f} | {peak:.0f} |")


if __name__ == "__main__":
    main()
