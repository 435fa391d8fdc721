"""What an evaluation costs, counted in calls: each record is read once for each set of fields a formula looks at."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

from evalreport.core.formula import Notation, Weighted
from tests.core.formula.examples import Run, calibration, graded, small, stated

N = 600
RUNS = [Run(10 * (i % 5), i % 3, i % 2 == 0, "FOUL") for i in range(N)]  # 15 different (confidence, correctness)


def counted(get: Callable[[Run], Fraction], calls: Counter[str], name: str) -> Callable[[Run], Fraction]:
    def counting(run: Run) -> Fraction:
        calls[name] += 1
        return get(run)

    return counting


def test_a_sum_reads_each_record_once_and_calculates_once_for_each_group() -> None:
    calls: Counter[str] = Counter()
    evaluation = calibration(counted(stated, calls, "c"), counted(graded, calls, "y")).over({"R": RUNS, "M": 10})
    evaluation.value(r"\mathrm{BS}")
    # one pass to group, then the body once for each of the 15 groups
    assert calls == {"c": N + 15, "y": N + 15}


def test_a_set_that_is_grouped_is_not_grouped_again() -> None:
    calls: Counter[str] = Counter()
    notation = small()
    notation.define("a", r"\sum_{r \in R} c_r", "")
    notation.define("b", r"\max_{r \in R} c_r - \min_{r \in R} c_r", "")
    notation.define("h", r"\#\{ r \in R : c_r > 0 \}", "")
    evaluation = notation.over({"R": RUNS, "c_r": counted(stated, calls, "c")})
    for head in ("a", "b", "h"):
        evaluation.value(head)
    assert calls == {"c": N + 4 * 5}


def test_the_bins_of_a_calibration_error_read_the_records_a_few_times_not_once_a_bin() -> None:
    calls: Counter[str] = Counter()
    evaluation = calibration(counted(stated, calls, "c"), counted(graded, calls, "y")).over({"R": RUNS, "M": 10})
    evaluation.value(r"\mathrm{ECE}")
    assert calls["y"] <= N + 15
    assert calls["c"] <= 2 * N + 10 * 15


def test_a_definition_is_computed_once_for_its_arguments() -> None:
    calls: Counter[int] = Counter()
    notation = Notation("memory")
    notation.variable("r", "run")
    notation.variable("k", "number")
    notation.given("R", "set of run", "")

    def number(k: int) -> int:
        calls[k] += 1
        return k

    notation.given("x_k", "number", "", number)
    notation.define("y_k", r"x_k + 1", "")
    notation.define("Z", r"\sum_{r \in R} (y_1 + y_2 \cdot y_1)", "")
    evaluation = notation.over({"R": RUNS})
    assert evaluation.value("Z") == evaluation.value("Z") == N * (2 + 3 * 2)
    assert calls == {1: 1, 2: 1}


def test_supplied_data_are_asked_for_once() -> None:
    calls: Counter[str] = Counter()

    def records() -> list[Run]:
        calls["R"] += 1
        return RUNS

    notation = small()
    notation.define("Z", r"|R| + \sum_{r \in R} c_r", "")
    notation.over({"R": records, "c_r": stated}).value("Z")
    assert calls == {"R": 1}


def test_a_set_of_an_item_is_asked_for_once() -> None:
    calls: Counter[int] = Counter()
    notation = small()
    notation.given("S_r", "set of number", "numbers of run r")
    notation.define("Z", r"\sum_{r \in R} (|S_r| + \max_{m \in S_r} m)", "")

    def numbers(run: int) -> list[int]:
        calls[run] += 1
        return [run, 7]

    assert notation.over({"R": [1, 2, 3], "S_r": numbers}).value("Z") == 3 * (2 + 7)
    assert calls == {1: 1, 2: 1, 3: 1}


def test_an_undefined_value_is_remembered_too() -> None:
    calls: Counter[str] = Counter()
    notation = small()
    notation.define("q", r"\frac{1}{N}", "")
    notation.define("Z", r"\max_{r \in R} q", "")

    def zero() -> int:
        calls["N"] += 1
        return 0

    evaluation = notation.over({"R": RUNS, "N": zero})
    assert evaluation.value("Z") == evaluation.value("q")
    assert calls == {"N": 1}


def test_merged_records_cost_what_is_different_about_them() -> None:
    calls: Counter[str] = Counter()
    evaluation = calibration(counted(stated, calls, "c"), counted(graded, calls, "y")).over(
        {"R": Weighted(RUNS[:30], [10**12] * 30), "M": 10}
    )
    for head in (r"\mathrm{BS}", r"\tilde{c}", r"\mathrm{BS}"):
        evaluation.value(head)
    assert evaluation.value("N") == 30 * 10**12
    assert calls["c"] <= 2 * 30 + 30


def test_importing_the_package_builds_no_grammar() -> None:
    program = (
        "from evalreport.core.formula import Notation, syntax\n"
        "from evalreport.core.declare import Declarations\n"
        "suite = Declarations('suite')\n"
        "suite.variable('r', 'run')\n"
        "suite.given('R', 'set of run', 'runs')\n"
        "suite.define('N', '|R|', 'number of runs')\n"
        "assert syntax._parser.cache_info().currsize == 0\n"
        "suite.notation()\n"
        "assert syntax._parser.cache_info().currsize == 1\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
