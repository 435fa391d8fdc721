"""Results of lm-evaluation-harness."""

from __future__ import annotations

from collections.abc import Mapping


def results(
    rows: Mapping[str, object],
    *,
    model: str = "lab/one",
    sizes: Mapping[str, tuple[int, int]] | None = None,
    date: float | None = 1750000000.0,
    more: Mapping[str, object] | None = None,
) -> dict[str, object]:
    """A results file of the new generation; `sizes` are (original, effective), `more` other top-level keys."""
    value: dict[str, object] = {
        "results": rows,
        "versions": dict.fromkeys(rows, 1.0),
        "config": {"model": "hf", "model_args": f"pretrained={model}", "limit": None},
        "model_name": model,
    }
    if sizes is not None:
        value["n-samples"] = {task: {"original": o, "effective": e} for task, (o, e) in sizes.items()}
    if date is not None:
        value["date"] = date
    return {**value, **(more or {})}


def acc(score: object, stderr: object = 0.1) -> dict[str, object]:
    """A row with one accuracy."""
    return {"alias": "x", "acc,none": score, "acc_stderr,none": stderr}
