"""Small tables of scores for the tests, and results from them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path

from evalreport.core.exact import Undefined, Value
from evalreport.core.results import csv_bytes, results_json
from evalreport.core.suite import Settings, SettingValue
from evalreport.suites.comparison import SUITE
from evalreport.suites.comparison.results import BoardResult, ComparisonResults, ModelRow, PairRow


def chosen(**given: SettingValue) -> Settings:
    """The settings of the suite with some of them given; few resamples, so that tests are quick."""
    return Settings({**{one.name: one.default for one in SUITE.settings}, "resamples": 400, **given})


def row(model: str, task: str, score: float | str, **more: object) -> dict[str, object]:
    """One row of a table of scores."""
    return {"model_id": model, "task_id": task, "metric_name": "acc", "score": score, **more}


def write(folder: Path, rows: Iterable[Mapping[str, object]], name: str = "runs.json") -> Path:
    """A JSON table in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(json.dumps(list(rows), ensure_ascii=False), encoding="utf-8")
    return path


def results(path: Path, **given: SettingValue) -> ComparisonResults:
    """What the suite makes of a file or folder."""
    settings = chosen(**given)
    return SUITE.compute(SUITE.read([path], settings), settings)


def board(path: Path, **given: SettingValue) -> BoardResult:
    """The only leaderboard of a file or folder."""
    (found,) = results(path, **given).boards
    return found


def files(path: Path, **given: SettingValue) -> dict[str, bytes]:
    """Everything that is written for a file or folder, by name."""
    found = results(path, **given)
    settings = chosen(**given)
    made = {table.name: csv_bytes(table) for table in SUITE.tables(found)}
    made["results"] = results_json(suite="comparison", settings=settings, inputs=(), values=SUITE.values(found))
    return made | {name: text.encode() for name, text in SUITE.texts(found).items()}


def model(found: BoardResult, name: str) -> ModelRow:
    """One model of a leaderboard."""
    (one,) = [r for r in found.rows if r.model_id == name]
    return one


def pair(found: BoardResult, a: str, b: str) -> PairRow:
    """One pair of a leaderboard."""
    (one,) = [p for p in found.pairs if (p.model_a, p.model_b) == (a, b)]
    return one


def number(value: Value | None) -> Fraction:
    """A value that must be there."""
    assert value is not None
    assert not isinstance(value, Undefined)
    return Fraction(value)
