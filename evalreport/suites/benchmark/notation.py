"""What the symbols of the benchmark's formulas mean: variables, and what records and settings give."""

from __future__ import annotations

from fractions import Fraction

from evalreport.core.declare import Declarations
from evalreport.suites.benchmark.records import CRITERIA, Run

bench = Declarations("benchmark")

HUNDREDTHS = tuple(Fraction(i, 100) for i in range(101))
HALVES = (Fraction(0), Fraction(1, 2), Fraction(1))


def stated_confidence(run: Run) -> Fraction:
    """Stated confidence of a run as a share, exact."""
    return HUNDREDTHS[run.confidence]


def graded_correctness(run: Run) -> Fraction:
    """Graded correctness of a run: 0, 1/2 or 1."""
    return HALVES[run.halves]


def criterion_score(run: Run, criterion: int) -> int:
    """Score of a run on one of the six criteria."""
    return run.criteria[criterion]


def _criteria() -> range:
    return range(len(CRITERIA))


def _floor(run: Run) -> int:
    return run.floor


def _ceiling(run: Run) -> int:
    return run.ceiling


def _critical(run: Run) -> int:
    return int(run.critical)


def _recoverable(run: Run) -> int:
    return int(run.recoverable)


def _family(run: Run) -> str:
    return run.family


def _case(run: Run) -> str:
    return run.case_id


bench.variable("r", "run")
bench.variable("m", "number")
bench.variable("f", "family")
bench.variable("g", "number")
bench.variable("X", "set of run")
bench.variable("j", "criterion")
bench.variable("a b", "subject")
bench.values("class", "Pass", "Conditional", "Fail")
bench.values("family")
bench.values("case")
bench.values("subject")

bench.given("R", "set of run", "scored runs of one subject version")
bench.given("U", "set of response", "responses of the subject version that nobody has scored")
bench.given("K", "number", "number of cases of the benchmark version")
bench.given("c_r", "number", "stated confidence of run r, in hundredths: 0, 0.01, …, 1", stated_confidence)
bench.given("y_r", "number", "graded correctness of run r: 0, 0.5 or 1", graded_correctness)
bench.given("J", "set of criterion", "the six criteria", _criteria)
bench.given("q_{r,j}", "number", "score of run r on criterion j: 0, 1 or 2", criterion_score)
bench.given(r"\mathrm{floor}_r", "number", "rubric floor of the case of run r", _floor)
bench.given(r"\mathrm{ceil}_r", "number", "rubric ceiling of the case of run r", _ceiling)
bench.given("k_r", "number", "1 if run r has a critical fail, else 0", _critical)
bench.given("v_r", "number", "1 if run r has a recoverable fail, else 0", _recoverable)
bench.given(r"\mathrm{family}_r", "family", "family of the case of run r", _family)
bench.given(r"\mathrm{case}_r", "case", "case of run r", _case)
bench.given("R_{a,b}", "set of run", "scored runs of subject version a on the cases that b was scored on too")
bench.given(r"\alpha", "number", "weight of P in the composite")
bench.given("M", "number", "number of confidence bins")
