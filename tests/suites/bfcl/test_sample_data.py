"""The sample runs are what their generator writes, and every edge that they promise is in them."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from evalreport.core.exact import Undefined
from evalreport.suites.bfcl import SUITE, Results
from evalreport.suites.bfcl.rules import RULES
from tests.suites.bfcl.made import results_of, table

ROOT = Path(__file__).parents[3]
DATA = ROOT / "data" / "bfcl"


@pytest.fixture(scope="module", params=RULES)
def results(request: pytest.FixtureRequest) -> Results:
    if request.param in ("bfcl-v1", "bfcl-v2", "bfcl-v3"):
        return results_of(DATA / "gate", rules=request.param)
    return results_of(DATA, rules=request.param)


def files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_the_generator_writes_exactly_the_sample_data(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("made_bfcl", ROOT / "data" / "generators" / "bfcl.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.write(tmp_path)
    assert files(tmp_path / "bfcl") == files(DATA)


def test_every_formula_agrees_on_the_sample_data(results: Results) -> None:
    for entry in SUITE.audit(results):
        formula = entry.evaluation.value(entry.metric.symbol, *entry.args)
        if isinstance(entry.value, Undefined):
            assert isinstance(formula, Undefined), (entry.metric.key, entry.of)
        else:
            assert formula == entry.value, (entry.metric.key, entry.of)


def test_every_value_lies_in_its_declared_range(results: Results) -> None:
    for value in SUITE.values(results):
        low, high = SUITE.declarations.metrics[value.metric].range
        if not isinstance(value.value, Undefined):
            assert isinstance(low, int)
            assert isinstance(high, int)
            assert low <= value.value <= high


def test_the_edges_are_there() -> None:
    results = results_of(DATA, rules="bfcl-v4")
    official = table(results, "bfcl_official")
    assert {r["status"] for r in official} == {"agrees", "differs", "inconsistent"}
    assert [r["official"] for r in official if r["status"] == "differs"] == ["99.99%"]
    assert "53.12%" in {r["ours"] for r in official}
    assert len(table(results, "bfcl_shards")) == 4
    texts = " ".join(n.text for n in results.notes)
    assert "no samples: not run" in texts
    assert "the lines count" in texts
    assert "in no category of bfcl-v4" in texts
    assert any("<b>" in m.model for m in results.models)


def test_order_of_paths_changes_nothing() -> None:
    parts = [DATA / "tallies.jsonl", DATA / "gate", DATA / "score_v3", DATA / "score_v4"]
    forward, backward = results_of(*parts), results_of(*reversed(parts))
    assert SUITE.tables(forward) == SUITE.tables(backward)
