"""Books of sample chapters, with the pages that the project brings."""

from __future__ import annotations

from pathlib import Path

import yaml

from evalreport.book.build import build
from evalreport.project import read_project

ROOT = Path(__file__).resolve().parents[2]


def benchmark_book(root: Path, *, alpha: str = "0.5") -> Path:
    """Build the benchmark alone below this folder and return the folder of its pages."""
    return sample_book(root, benchmark={"alpha": float(alpha), "resamples": 500, "seed": 7})


def sample_book(root: Path, **suites: dict[str, object]) -> Path:
    """Build these suites of the sample data, with these settings, and return the folder of the pages."""
    content = {
        "title": "Sample results",
        "authors": ["The Example Benchmark Group"],
        "version": "1.2.0",
        "date": "2026-11-29",
        "url": "https://example.org/results/1.2.0/",
        "suites": {name: {"data": [str(ROOT / "data" / name)], **chosen} for name, chosen in suites.items()},
    }
    (root / "evalreport.yml").write_text(yaml.safe_dump(content), "utf-8")
    return build(read_project(root))
