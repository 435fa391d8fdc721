"""Notations that the tests of the formula language share."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from evalreport.core.formula import FormulaError, Notation


def small() -> Notation:
    """A few symbols of every kind, without getters."""
    notation = Notation("small")
    notation.variable("r", "run")
    notation.variable("m v", "number")
    notation.variable("X", "set of run")
    notation.values("class", "Pass", "Fail")
    notation.given("R", "set of run", "runs")
    notation.given("V", "set of number", "numbers")
    notation.given("c_r", "number", "confidence")
    notation.given("y_r", "number", "correctness")
    notation.given(r"\mathrm{class}_r", "class", "class")
    notation.given(r"\alpha", "number", "weight")
    notation.given("P", "number", "pass rate")
    notation.given("N", "number", "number of runs")
    notation.given("f(X)", "number", "a number for a set")
    return notation


def value_of(formula: str, data: dict[str, object], *, needs: str | None = None) -> object:
    """The value of one formula over the small notation."""
    notation = small()
    notation.define("Z", formula, "tested", needs)
    return notation.over(data).value("Z")


def refusal(formula: str) -> str:
    """What the small notation says about a formula it does not take; nothing when it takes it."""
    try:
        small().define("Z", formula, "tested")
    except FormulaError as error:
        return str(error)
    return ""


class Run(NamedTuple):
    """A scored run with the fields that calibration reads."""

    confidence: int
    halves: int
    passed: bool
    family: str


def stated(run: Run) -> Fraction:
    """Confidence as a share."""
    return Fraction(run.confidence, 100)


def graded(run: Run) -> Fraction:
    """Correctness."""
    return Fraction(run.halves, 2)


def calibration(
    confidence: Callable[[Run], Fraction] = stated, correctness: Callable[[Run], Fraction] = graded
) -> Notation:
    """Pass rate, Brier score, expected calibration error and the parts of the Brier score."""
    notation = Notation("calibration")
    notation.variable("r", "run")
    notation.variable("m g", "number")
    notation.variable("f", "family")
    notation.variable("X", "set of run")
    notation.values("class", "Pass", "Fail")
    notation.values("family")
    notation.given("R", "set of run", "scored runs")
    notation.given("M", "number", "number of bins")
    notation.given("c_r", "number", "stated confidence", confidence)
    notation.given("y_r", "number", "graded correctness", correctness)
    notation.given(r"\mathrm{class}_r", "class", "class", lambda run: "Pass" if run.passed else "Fail")
    notation.given(r"\mathrm{family}_r", "family", "family", lambda run: run.family)
    notation.define("N", "|R|", "number of runs")
    notation.define("P", r"\frac{\#\{ r \in R : \mathrm{class}_r = \text{Pass} \}}{N}", "pass rate")
    notation.define(r"\mathrm{BS}", r"\frac{1}{N} \sum_{r \in R} (c_r - y_r)^2", "Brier score")
    notation.define(r"\mathrm{gap}", r"\operatorname*{mean}_{r \in R} (c_r - y_r)", "signed gap")
    notation.define(
        "B_m",
        r"\{ r \in R : \frac{m-1}{M} \le c_r < \frac{m}{M} \text{ or } c_r = \frac{m}{M} = 1 \}",
        "runs in confidence bin m",
    )
    notation.define(r"\mathrm{conf}(X)", r"\operatorname*{mean}_{r \in X} c_r", "mean confidence")
    notation.define(r"\mathrm{acc}(X)", r"\operatorname*{mean}_{r \in X} y_r", "mean correctness")
    notation.define(
        r"\mathrm{ECE}",
        r"\sum_{\substack{m \in \{1, \dots, M\} \\ |B_m| > 0}} \frac{|B_m|}{N}"
        r" \cdot \left| \mathrm{conf}(B_m) - \mathrm{acc}(B_m) \right|",
        "expected calibration error",
        "N > 0",
    )
    notation.define("G", r"\{ c_r : r \in R \}", "distinct confidences")
    notation.define("S_g", r"\{ r \in R : c_r = g \}", "runs that stated g")
    notation.define(r"\mathrm{REL}", r"\frac{1}{N} \sum_{g \in G} |S_g| \cdot (g - \mathrm{acc}(S_g))^2", "reliability")
    notation.define(r"\tilde{c}", r"\operatorname*{median}_{r \in R} c_r", "median confidence")
    notation.define("c_{\\max}", r"\max_{r \in R} c_r - \min_{r \in R} c_r", "spread of confidence")
    notation.define(r"\mathrm{some}", r"\prod_{r \in R} (1 - y_r)", "1 when no run is correct at all")
    notation.define("R_f", r"\{ r \in R : \mathrm{family}_r = f \}", "runs of family f")
    notation.define(r"\mathrm{gap}_f", r"\operatorname*{mean}_{r \in R_f} (c_r - y_r)", "signed gap of family f")
    return notation


NUMBERS = ("N", "P", r"\mathrm{BS}", r"\mathrm{gap}", r"\mathrm{ECE}", r"\mathrm{REL}", r"\tilde{c}", r"c_{\max}")
