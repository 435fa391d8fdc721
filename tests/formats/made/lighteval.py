"""Results and details of LightEval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

STAMP = "2026-02-02T02-02-02.000002"


def results(rows: Mapping[str, object], *, max_samples: int | None = None, **more: object) -> dict[str, object]:
    """A results file."""
    general = {"model_name": "lab/one", "max_samples": max_samples, "model_config": {"model_name": "lab/one"}}
    return {"config_general": general, "results": rows, "versions": {}, **more}


def details(folder: Path, key: str, metrics: Sequence[Mapping[str, object]], *, column: str = "metric") -> Path:
    """A details file in the folders that tell its model."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = folder / f"details/lab/one/{STAMP}/details_{key}_{STAMP}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist([{"doc": "x", column: dict(one)} for one in metrics]), path)
    return path
