"""Logs of Inspect AI."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path


def sample(number: int, value: object, *, epoch: int = 1, scorer: str = "match") -> dict[str, object]:
    """One scored epoch of one item."""
    return {"id": number, "epoch": epoch, "scores": {scorer: {"value": value}}}


def failed(number: int) -> dict[str, object]:
    """One epoch of one item that ended in an error."""
    return {"id": number, "epoch": 1, "error": {"message": "no answer in time"}}


def score(name: str = "match", *, more: Mapping[str, object] | None = None, **metrics: object) -> dict[str, object]:
    """One entry of the results."""
    stated = {key: {"name": key, "value": value} for key, value in metrics.items()}
    return {"name": name, "scorer": name, "metrics": stated, **(more or {})}


def log(
    scores: Sequence[object] | None,
    samples: Sequence[object] = (),
    *,
    status: str = "success",
    total: int | None = None,
    completed: int | None = None,
    ended: str = "2026-01-02T00:00:00+00:00",
    config: Mapping[str, object] | None = None,
    more: Mapping[str, object] | None = None,
) -> dict[str, object]:
    """A log with the keys in the order in which they are written; `more` goes into the description of the run."""
    total = len(samples) if total is None else total
    results = {"total_samples": total, "completed_samples": total if completed is None else completed, "scores": scores}
    return {
        "version": 2,
        "status": status,
        "eval": {
            "task": "quiz",
            "model": "lab/one",
            "dataset": {"samples": total},
            "config": dict(config or {}),
            **(more or {}),
        },
        "results": None if scores is None else results,
        "stats": {"started_at": "2026-01-01T23:00:00+00:00", "completed_at": ended},
        "samples": list(samples),
    }


def archive(path: Path, members: Mapping[str, object]) -> Path:
    """A log as an archive, with the same bytes each time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, value in members.items():
            made.writestr(zipfile.ZipInfo(name), value if isinstance(value, bytes) else json.dumps(value))
    return path
