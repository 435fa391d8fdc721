"""The sample benchmark: it holds every edge it promises."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from evalreport.core.exact import Undefined
from evalreport.suites.debate.results import DebateResults
from tests.suites.debate.building import results, settings, system

DATA = Path(__file__).parents[3] / "data"
ENSEMBLE = "ensemble <3 votes> & $1"


def sample() -> DebateResults:
    return results(DATA / "debate", settings())


def writer() -> Callable[[Path], None]:
    spec = spec_from_file_location("debate_generator", DATA / "generators" / "debate.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Callable[[Path], None] = module.write
    return found


def test_the_sample_is_what_its_generator_writes(tmp_path: Path) -> None:
    writer()(tmp_path)
    made = sorted((tmp_path / "debate").iterdir())
    assert {p.name: p.read_bytes() for p in made} == {p.name: p.read_bytes() for p in (DATA / "debate").iterdir()}


def test_the_sample_holds_every_edge() -> None:
    found = sample()
    debate, ensemble = system(found), system(found, ENSEMBLE)
    assert [len(s.cases) for s in found.systems] == [20, 20, 20]
    assert {c.case.case_id: c.assessment.mean for c in debate.cases}["baseline_002"] == Fraction(65, 100)
    assert (ensemble.lift.value, ensemble.lift.passes) == (Fraction(1, 10), 1)
    assert debate.runs_per_case == (1, 3)
    assert debate.passes == 1
    assert ensemble.passes == 0
    assert [c.case.case_id for c in debate.manual_review]
    assert {flag.kind for flag in found.flags} == {"baseline_above_cap", "final_verdict_not_binary"}
    runs = [r.run for c in debate.cases for r in c.runs]
    assert {run.judged is None for run in runs} == {True, False}
    for place in (0, 1, 2, 4, 5):
        assert any(isinstance(run.scores[place], Undefined) for run in runs), place
    assert any(run.scores[3] == 0 for run in runs)
