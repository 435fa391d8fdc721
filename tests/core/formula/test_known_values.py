"""Formulas of the kinds the suites have, against values that were found in another way."""

from __future__ import annotations

import json
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from evalreport.core.formula import Evaluation, Notation

Z95 = Fraction("1.959963984540054")


def comparison() -> Notation:
    """Win rate with its Wilson limits, and p-values adjusted by Holm's method."""
    notation = Notation("comparison")
    notation.variable("a b", "model")
    notation.variable("t", "task")
    notation.variable("i j l", "hypothesis")
    notation.given("T_a", "set of task", "tasks that model a has a score for")
    notation.given("M_t", "set of model", "models that have a score for task t")
    notation.given("x_{a,t}", "number", "score")
    notation.given(r"\varepsilon", "number", "tie tolerance")
    notation.given("z", "number", "normal quantile")
    notation.given("H", "set of hypothesis", "pairs tested together")
    notation.given("p_i", "number", "p-value")
    notation.define("n_a", "|T_a|", "tasks completed")
    notation.define(r"\hat{x}_t", r"\max_{b \in M_t} x_{b,t}", "best score")
    notation.define("w_a", r"\frac{\#\{ t \in T_a : \hat{x}_t - x_{a,t} \le \varepsilon \}}{n_a}", "win rate")
    notation.define(r"\tilde{w}_a", r"\frac{w_a + \frac{z^2}{2 \cdot n_a}}{1 + \frac{z^2}{n_a}}", "centre")
    notation.define(
        "h_a",
        r"\frac{z}{1 + \frac{z^2}{n_a}} \cdot \sqrt{\frac{w_a \cdot (1 - w_a)}{n_a} + \frac{z^2}{4 \cdot n_a^2}}",
        "half width",
    )
    notation.define(r"\mathrm{lo}_a", r"\tilde{w}_a - h_a", "lower limit")
    notation.define(r"\mathrm{hi}_a", r"\tilde{w}_a + h_a", "upper limit")
    notation.define(
        r"\tilde{p}_i",
        r"\max_{\substack{j \in H \\ p_j \le p_i}} \min(1, \#\{ l \in H : p_l \ge p_j \} \cdot p_j)",
        "adjusted p-value",
    )
    return notation


def wins_of(won: list[bool]) -> Evaluation:
    """Model A wins these tasks against model B."""
    scores = {("A", t): Fraction(int(w), 2) for t, w in enumerate(won)} | {
        ("B", t): Fraction(1, 4) for t in range(len(won))
    }
    return comparison().over(
        {
            "T_a": lambda a: range(len(won)),
            "M_t": lambda t: ["A", "B"],
            "x_{a,t}": lambda a, t: scores[a, t],
            r"\varepsilon": Fraction(1, 10**12),
            "z": Z95,
        }
    )


@given(st.lists(st.booleans(), min_size=1, max_size=40))
@settings(max_examples=25, deadline=None)
def test_wilson_limits_solve_their_equation_to_50_decimals_and_agree_with_statsmodels(won: list[bool]) -> None:
    evaluation, n, wins = wins_of(won), len(won), sum(won)
    w = Fraction(wins, n)
    assert evaluation.value("w_a", "A") == w
    low, high = evaluation.value(r"\mathrm{lo}_a", "A"), evaluation.value(r"\mathrm{hi}_a", "A")
    assert isinstance(low, int | Fraction)
    assert isinstance(high, int | Fraction)
    for limit in (low, high):
        assert abs((w - limit) ** 2 - Z95**2 * limit * (1 - limit) / n) < Fraction(1, 10**50)
    expected = proportion_confint(wins, n, alpha=0.05, method="wilson")
    assert (float(low), float(high)) == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.fractions(0, 1, max_denominator=12), min_size=1, max_size=8))
@settings(max_examples=25, deadline=None)
def test_holm_in_set_form_agrees_with_statsmodels_ties_included(p: list[Fraction]) -> None:
    evaluation = comparison().over({"H": range(len(p)), "p_i": p.__getitem__})
    adjusted = [evaluation.value(r"\tilde{p}_i", i) for i in range(len(p))]
    expected = multipletests([float(x) for x in p], method="holm")[1]
    assert [float(x) for x in adjusted if isinstance(x, int | Fraction)] == pytest.approx(list(expected), abs=1e-12)


class Scored(NamedTuple):
    """A run of the shared cases."""

    number: int
    confidence: int
    correctness: Fraction
    raw: int
    floor: int
    ceiling: int
    critical: int
    recoverable: int


def benchmark() -> Notation:
    """Classification, pass rate, clipped score, Brier score, calibration error and composite."""
    notation = Notation("benchmark")
    notation.variable("r", "run")
    notation.variable("m", "number")
    notation.variable("X", "set of run")
    notation.values("class", "Pass", "Conditional", "Fail")
    notation.given("R", "set of run", "scored runs")
    notation.given(r"\alpha", "number", "weight")
    notation.given("M", "number", "number of bins")
    notation.given("c_r", "number", "confidence", lambda r: Fraction(r.confidence, 100))
    notation.given("y_r", "number", "correctness", lambda r: r.correctness)
    notation.given("q_r", "number", "raw score", lambda r: r.raw)
    notation.given(r"\mathrm{floor}_r", "number", "floor", lambda r: r.floor)
    notation.given(r"\mathrm{ceil}_r", "number", "ceiling", lambda r: r.ceiling)
    notation.given("k_r", "number", "critical fail", lambda r: r.critical)
    notation.given("v_r", "number", "recoverable fail", lambda r: r.recoverable)
    notation.define("s_r", r"\min(q_r, \mathrm{ceil}_r)", "clipped score")
    notation.define(
        r"\mathrm{class}_r",
        r"\begin{cases} \text{Fail} & \text{if } k_r = 1 \\ \text{Conditional} & \text{if } v_r = 1 \\"
        r" \text{Fail} & \text{if } s_r < \mathrm{floor}_r \\ \text{Pass} & \text{if } s_r \ge 10 \\"
        r" \text{Conditional} & \text{if } s_r \ge 7 \\ \text{Fail} & \text{otherwise} \end{cases}",
        "class",
        type="class",
    )
    notation.define("N", "|R|", "number of runs")
    notation.define("P", r"\frac{\#\{ r \in R : \mathrm{class}_r = \text{Pass} \}}{N}", "pass rate")
    notation.define(r"\bar{s}", r"\frac{1}{N} \sum_{r \in R} s_r", "mean clipped score")
    notation.define(r"\mathrm{BS}", r"\frac{1}{N} \sum_{r \in R} (c_r - y_r)^2", "Brier score")
    notation.define(
        "B_m",
        r"\{ r \in R : \frac{m-1}{M} \le c_r < \frac{m}{M} \text{ or } c_r = \frac{m}{M} = 1 \}",
        "runs in bin m",
    )
    notation.define(r"\mathrm{conf}(X)", r"\operatorname*{mean}_{r \in X} c_r", "mean confidence")
    notation.define(r"\mathrm{acc}(X)", r"\operatorname*{mean}_{r \in X} y_r", "mean correctness")
    notation.define(
        r"\mathrm{ECE}",
        r"\sum_{\substack{m \in \{1, \dots, M\} \\ |B_m| > 0}} \frac{|B_m|}{N}"
        r" \cdot \left| \mathrm{conf}(B_m) - \mathrm{acc}(B_m) \right|",
        "calibration error",
        "N > 0",
    )
    notation.define(r"Q_{\mathrm{final}}", r"\alpha \cdot P + (1 - \alpha) \cdot \frac{\bar{s}}{12}", "composite")
    return notation


HEADS = {
    "P": "P",
    "s_bar": r"\bar{s}",
    "brier": r"\mathrm{BS}",
    "ece": r"\mathrm{ECE}",
    "q_final": r"Q_{\mathrm{final}}",
}


@pytest.mark.shared
def test_the_exact_values_of_the_shared_cases(shared: Path) -> None:
    compared = 0
    for path in sorted((shared / "cases" / "benchmark").glob("*/expected.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        if case["status"] != "ok" or "subjects_by_version" not in case:
            continue
        runs: dict[tuple[str, str], list[Scored]] = defaultdict(list)
        for number, row in enumerate(case["per_run"]):
            runs[row["subject_id"], row["subject_version"]].append(
                Scored(
                    number,
                    row["reported_confidence"],
                    Fraction(row["correctness"]),
                    row["raw_score"],
                    row["rubric_floor"],
                    row["rubric_ceiling"],
                    int(row["has_critical_fail"]),
                    int(row["has_recoverable_fail"]),
                )
            )
        for row in case["subjects_by_version"]:
            own = runs[row["subject_id"], row["subject_version"]]
            evaluation = benchmark().over({"R": own, r"\alpha": Fraction(1, 2), "M": 10})
            for name, head in HEADS.items():
                if isinstance(row.get(name), dict):
                    assert evaluation.value(head) == Fraction(row[name]["exact"]), (path, name)
                    compared += 1
        classes = benchmark().over({})
        for run in (run for own in runs.values() for run in own):
            assert classes.value(r"\mathrm{class}_r", run) == case["per_run"][run.number]["classification"], path
            compared += 1
    assert compared > 50
