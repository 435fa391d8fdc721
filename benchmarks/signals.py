"""How the reporting signals grow with the corpus: 10,000, 30,000 and 100,000 made-up evaluation records.

Run `python benchmarks/signals.py [RECORDS…]`. Each size is written to a temporary folder, one file a record as real
corpora have them, and then read, computed and written as `evalreport compute signals` does it, each size in a process
of its own, so that its peak memory is its own. Seconds are of the processor: other work on the machine does not count.
"""

from __future__ import annotations

import json
import multiprocessing
import multiprocessing.connection
import random
import resource
import sys
import tempfile
import time
from fractions import Fraction
from pathlib import Path

from evalreport.core.results import write_results
from evalreport.core.suite import Settings
from evalreport.suites.signals import SUITE

SIZES = (10_000, 30_000, 100_000)
MODELS, BENCHMARKS = 2_500, 20  # 50,000 triples: at the largest size two reports each, at the smallest mostly one
VERSIONS = ("0.2.0", "0.2.2", "0.3.0")
RELATIONSHIPS = ("third_party", "third_party", "third_party", "first_party", "collaborative", "other")
ABOUT = "Accuracy on a made-up benchmark, with a description as long as real ones tend to have it. " * 2


def write_corpus(root: Path, records: int) -> None:
    """One file a record of about 2 kB, with every kind of setup, party and range."""
    draw = random.Random(records)
    for number in range(records):
        model, benchmark = draw.randrange(MODELS), draw.randrange(BENCHMARKS)
        version, party = VERSIONS[number % 3], RELATIONSHIPS[draw.randrange(6)]
        args: dict[str, object] = {}
        if draw.random() < 0.7:
            args = {
                "temperature": draw.randrange(3) / 2,
                "max_tokens": 1024 * (1 + draw.randrange(4)),
                "max_attempts": 1,
            }
        if draw.random() < 0.2:
            args["agentic_eval_config"] = {"available_tools": [{"name": "shell", "description": "Runs commands"}]}
        content = {
            "schema_version": version,
            "evaluation_id": f"board-{benchmark % 4}/lab_{model}/{number}",
            "retrieved_timestamp": f"{1_700_000_000 + number}",
            "source_metadata": {
                "source_name": f"Board {benchmark % 4}",
                "source_type": "documentation",
                "source_organization_name": f"Example Lab {draw.randrange(40)}",
                "evaluator_relationship": party,
            },
            "eval_library": {"name": "harness", "version": f"1.{draw.randrange(5)}"},
            "model_info": {"name": f"model-{model}", "id": f"lab-{model % 50}/model-{model}", "developer": "lab"},
            "evaluation_results": [
                {
                    "evaluation_name": f"Benchmark {benchmark}",
                    "source_data": {
                        "dataset_name": f"Benchmark {benchmark}",
                        "source_type": "other",
                        "samples_number": 500,
                    },
                    "metric_config": {
                        "evaluation_description": ABOUT,
                        "metric_id": "accuracy",
                        "lower_is_better": False,
                        "score_type": "continuous",
                        "min_score": 0.0,
                        "max_score": 1.0,
                    },
                    "score_details": {"score": round(draw.random(), 4), "details": {"note": ABOUT}},
                    "generation_config": {
                        "generation_args": args,
                        "additional_details": {"prompt": ABOUT, "reasoning_effort": draw.choice(["high", "none", ""])},
                    },
                }
            ],
        }
        folder = root / f"{number // 1000:04}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.json").write_text(json.dumps(content, indent=1))


def _measured(root: Path, sender: multiprocessing.connection.Connection) -> None:
    settings = Settings({**{s.name: s.default for s in SUITE.settings}, "theta": Fraction(5, 100)})
    start = time.process_time()
    records = SUITE.read([root / "records"], settings)
    read = time.process_time()
    results = SUITE.compute(records, settings)
    computed = time.process_time()
    write_results(
        root / "out",
        suite=SUITE.name,
        settings=settings,
        inputs=SUITE.inputs(records),
        tables=SUITE.tables(results),
        values=SUITE.values(results),
    )
    done = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    sender.send((read - start, computed - read, done - computed, peak, len(results.triples)))


def measured(root: Path) -> tuple[float, float, float, float, int]:
    """Processor seconds to read, compute and write, peak MB, and the number of triples."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe()
    child = context.Process(target=_measured, args=(root, sender))
    child.start()
    found: tuple[float, float, float, float, int] = receiver.recv()
    child.join()
    return found


def main(sizes: tuple[int, ...]) -> None:
    print("| records | triples | read | compute | write | total CPU s | s per 10,000 | peak MB |\n|" + "---|" * 8)
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            write_corpus(root / "records", size)
            read, computed, written, peak, triples = measured(root)
        total = read + computed + written
        print(
            f"| {size:,} | {triples:,} | {read:.1f} | {computed:.1f} | {written:.1f} | {total:.1f} "
            f"| {total / size * 10_000:.2f} | {peak:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
