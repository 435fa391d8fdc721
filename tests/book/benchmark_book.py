"""A book of the sample benchmark alone, with the pages that the project brings."""

from __future__ import annotations

from pathlib import Path

import yaml

from evalreport.book.build import build
from evalreport.project import read_project

ROOT = Path(__file__).resolve().parents[2]


def benchmark_book(root: Path, *, alpha: str = "0.5") -> Path:
    """Build it below this folder and return the folder of its pages."""
    content = {
        "title": "Sample results",
        "authors": ["The Example Benchmark Group"],
        "version": "1.2.0",
        "date": "2026-11-29",
        "url": "https://example.org/results/1.2.0/",
        "suites": {
            "benchmark": {
                "data": [str(ROOT / "data" / "benchmark")],
                "alpha": float(alpha),
                "resamples": 500,
                "seed": 7,
            }
        },
    }
    (root / "evalreport.yml").write_text(yaml.safe_dump(content), "utf-8")
    return build(read_project(root))
