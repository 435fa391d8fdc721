"""Each metric by hand, and code against printed formula over its whole index on generated runs."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as quick

from evalreport.core.cells import Cells
from evalreport.core.declare import in_range
from evalreport.core.exact import Undefined, Value
from evalreport.core.formula import FormulaError, Notation, Set
from evalreport.suites.benchmark import SUITE, metrics, metrics_runs
from evalreport.suites.benchmark.calibration import bins, null_band, soft_wilson
from evalreport.suites.benchmark.compute import OVER_CELLS, PER_FAMILY
from evalreport.suites.benchmark.labels import sample_size_label
from evalreport.suites.benchmark.notation import bench
from evalreport.suites.benchmark.records import Run
from evalreport.suites.benchmark.tally import SUBJECT, tallied
from tests.suites.benchmark.made import a_run, generated_runs

ALPHA = Fraction(2, 7)


def cells_of(runs: Sequence[Run]) -> Cells:
    """The cells of all these runs, which are of one subject version or of none."""
    whole = tallied(runs).runs
    for _, part in whole.split(*SUBJECT):
        return part
    return whole


def over(notation: Notation, runs: Sequence[Run]) -> dict[str, object]:
    """Every number, class and family of these runs by the printed formulas."""
    found = notation.over({"R": tuple(runs), "U": (), "K": 12, r"\alpha": ALPHA, "M": 10})
    numbers = [s for s in notation.symbols.values() if s.formula and not s.params and s.type == "number"]
    values: dict[str, object] = {s.head: found.value(s.head) for s in numbers}
    for r in runs:
        values[f"class {r.run_id}"] = found.value(r"\mathrm{class}_r", r)
        values[f"score {r.run_id}"] = found.value("s_r", r)
    for m in range(1, 11):
        members = found.value("B_m", m)
        values[f"conf {m}"] = found.value(r"\mathrm{conf}(X)", members)
        values[f"acc {m}"] = found.value(r"\mathrm{acc}(X)", members)
        values[f"n {m}"] = found.value(r"n_{\mathrm{bin},m}", m)
    for family in sorted({r.family for r in runs}):
        for head in ("n_f", "P_f", r"\bar{s}_f"):
            values[f"{head} {family}"] = found.value(head, family)
    return {k: "undefined" if isinstance(v, Undefined) else v for k, v in values.items()}


def by_code(runs: Sequence[Run]) -> dict[str, object]:
    """The same by the code over tallies."""
    cells = cells_of(runs)
    head = {key.removeprefix("benchmark."): m.symbol for key, m in bench.metrics.items()}
    values: dict[str, object] = {head[key]: metric(cells) for key, metric in OVER_CELLS.items()}
    passed, score = metrics.pass_rate(cells), metrics.mean_clipped_score(cells)
    values[head["q_final"]] = metrics.q_final(passed, score, ALPHA)
    values[head["disqualified"]] = metrics_runs.disqualified(metrics_runs.n_critical_fails(cells))
    values[head["n_unscored"]] = metrics_runs.n_unscored([])
    n_cases = metrics_runs.n_cases(tallied(runs).cases)
    values[head["n_cases"]] = n_cases
    values[head["coverage"]] = metrics_runs.coverage(n_cases, 12)
    for r in runs:
        values[f"class {r.run_id}"] = metrics_runs.classification(r)
        values[f"score {r.run_id}"] = metrics_runs.clipped_score(r)
    for b in bins(cells, Fraction(95, 100)):
        values[f"conf {b.number}"], values[f"acc {b.number}"] = b.confidence, b.correctness
        values[f"n {b.number}"] = b.n
    if runs:
        for (family,), part in cells.split("family"):
            for key, metric in PER_FAMILY.items():
                values[f"{head[f'family.{key}']} {family}"] = metric(part)
    return {k: "undefined" if isinstance(v, Undefined) else v for k, v in values.items()}


@quick(deadline=None, max_examples=80)
@given(generated_runs())
def test_code_and_printed_formula_agree_on_every_run_bin_family_and_number(runs: list[Run]) -> None:
    assert by_code(runs) == over(bench.notation(), runs)


@quick(deadline=None, max_examples=60)
@given(generated_runs(least=1))
def test_every_value_lies_in_its_declared_range(runs: list[Run]) -> None:
    cells = cells_of(runs)
    for key, metric in OVER_CELLS.items():
        assert in_range(bench.metrics[f"benchmark.{key}"], metric(cells)), key


@quick(deadline=None, max_examples=60)
@given(generated_runs(least=1))
def test_the_three_parts_make_up_the_brier_score(runs: list[Run]) -> None:
    cells = cells_of(runs)
    rel, res, unc = (
        number(part(cells)) for part in (metrics.brier_reliability, metrics.brier_resolution, metrics.brier_uncertainty)
    )
    assert rel - res + unc == metrics.soft_brier(cells)


def number(value: Value) -> Fraction:
    """The value as a fraction."""
    assert not isinstance(value, Undefined)
    return Fraction(value)


# ---- by hand


def test_a_conditional_run_does_not_count_as_a_pass() -> None:
    cells = cells_of([a_run(score=12), a_run(score=9), a_run(score=3)])
    assert (metrics_runs.n_pass(cells), metrics_runs.n_conditional(cells), metrics_runs.n_fail(cells)) == (1, 1, 1)
    assert metrics.pass_rate(cells) == Fraction(1, 3)


def test_the_mean_score_is_of_clipped_scores_and_critical_fails_stay_in() -> None:
    cells = cells_of([a_run(score=12, ceiling=10), a_run(score=12, critical=True), a_run(score=1)])
    assert metrics.mean_clipped_score(cells) == Fraction(10 + 12 + 1, 3)


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (a_run(score=12, critical=True, recoverable=True), "Fail"),
        (a_run(score=12, recoverable=True), "Conditional"),
        (a_run(score=0, recoverable=True, floor=5), "Conditional"),
        (a_run(score=11, floor=12), "Fail"),
        (a_run(score=12, floor=11, ceiling=11), "Pass"),
        (a_run(score=10), "Pass"),
        (a_run(score=9), "Conditional"),
        (a_run(score=7), "Conditional"),
        (a_run(score=6), "Fail"),
    ],
)
def test_the_first_rule_that_applies_decides_the_class(run: Run, expected: str) -> None:
    assert metrics_runs.classification(run) == expected


def test_only_a_recoverable_fail_on_a_failing_score_lifts() -> None:
    runs = [
        a_run(score=6, recoverable=True),
        a_run(score=8, floor=9, recoverable=True),
        a_run(score=7, recoverable=True),
        a_run(score=6, recoverable=True, critical=True),
        a_run(score=6),
    ]
    assert [metrics_runs.lifted(r) for r in runs] == [True, True, False, False, False]


def test_brier_and_gap_of_three_runs() -> None:
    cells = cells_of([a_run(confidence=90), a_run(confidence=80, halves=0), a_run(confidence=60, halves=1)])
    assert metrics.soft_brier(cells) == Fraction(10**2 + 80**2 + 10**2, 3 * 100**2)
    assert metrics.signed_gap(cells) == Fraction(-10 + 80 + 10, 3 * 100)


def test_gaps_of_different_sign_cancel_within_a_bin_and_not_between_bins() -> None:
    cells = cells_of([a_run(confidence=80, halves=0), a_run(confidence=80), a_run(confidence=85), a_run(confidence=20)])
    # Bin 9: (80 - 0) + (80 - 100) + (85 - 100) = 45; bin 3: 20 - 100 = -80.
    assert metrics.ece(cells) == Fraction(45 + 80, 4 * 100)
    assert metrics.max_bin_gap(cells) == Fraction(80, 100)
    assert metrics.signed_gap(cells) == Fraction(45 - 80, 4 * 100)


def test_bins_are_decided_on_whole_percents_and_the_last_holds_100() -> None:
    found = bins(cells_of([a_run(confidence=c) for c in (0, 9, 10, 30, 60, 70, 90, 100)]), Fraction(95, 100))
    assert [b.n for b in found] == [2, 1, 0, 1, 0, 0, 1, 1, 0, 2]
    assert isinstance(found[2].confidence, Undefined)
    assert (found[9].low, found[9].high) == (90, 100)


def test_bins_of_cases_are_the_bins_of_the_metric() -> None:
    runs = [a_run(f"RO-FOUL-{c:03d}", confidence=c, halves=c % 3) for c in range(101)]
    cases = tallied(runs).cases
    gaps = [abs(int(cases[f"gap_{i}"].sum())) for i in range(10)]
    assert metrics.ece(cells_of(runs)) == Fraction(sum(gaps), 101 * 100)
    assert [metrics.bin_of(c) for c in (29, 30, 59, 60, 69, 70, 89, 90, 100)] == [2, 3, 5, 6, 6, 7, 8, 9, 9]


def test_uncertainty_is_the_variance_of_correctness() -> None:
    cells = cells_of([a_run(halves=1), a_run(halves=1)])
    assert metrics.brier_uncertainty(cells) == 0  # not 1/2 * (1 - 1/2)


def test_no_scored_run_gives_no_value_and_no_zero() -> None:
    cells = cells_of([])
    for key in ("pass_rate", "mean_clipped_score", "soft_brier", "ece", "max_bin_gap", "signed_gap"):
        assert OVER_CELLS[key](cells) == Undefined("no scored runs"), key
    assert metrics.q_final(metrics.NO_RUNS, metrics.NO_RUNS, ALPHA) == Undefined("no scored runs")
    assert metrics_runs.n_runs(cells) == 0


def test_a_bin_with_half_right_runs_has_the_wider_of_two_wilson_intervals() -> None:
    found = soft_wilson(Fraction(5, 2), 4, Fraction(95, 100))
    assert found.low is not None
    assert found.high is not None
    # Wilson for 2 of 4 from below and 3 of 4 from above: 0.1500 and 0.9544.
    assert (round(float(found.low), 4), round(float(found.high), 4)) == (0.1500, 0.9544)


@pytest.mark.parametrize(("low", "expected"), [(0, 0.175), (50, 0.129)])
def test_a_calibrated_subject_of_thirty_runs_has_no_ece_of_zero(low: int, expected: float) -> None:
    rng = np.random.default_rng(0)
    means = []
    for _ in range(40):
        band = null_band(cells_of([a_run(confidence=int(c)) for c in rng.integers(low, 101, 30)]), draws=400, seed=0)
        assert band is not None
        assert band.low < band.mean < band.high
        means.append(float(band.mean))
    assert abs(np.mean(means) - expected) < 0.01


def test_the_null_band_depends_on_the_confidences_alone() -> None:
    runs = [a_run(confidence=c, halves=2) for c in (10, 55, 90, 90)]
    other = [a_run(confidence=c, halves=0, score=1) for c in (90, 10, 90, 55)]
    assert null_band(cells_of(runs), draws=100, seed=1) == null_band(cells_of(other), draws=100, seed=1)
    assert null_band(cells_of([]), draws=100, seed=1) is None


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        ("pass_rate", ("Reasonable", "Stable", "Robust")),
        ("soft_brier", ("Indicative", "Stable", "Robust")),
        ("ece", ("Indicative only", "Stable", "Robust")),
        ("q_final", ("Indicative", "Stable", "Robust")),
        ("family", ("Indicative", "Reasonable", "Stable")),
    ],
)
def test_labels_change_at_80_and_at_300_runs(metric: str, words: tuple[str, ...]) -> None:
    found = [sample_size_label(metric, n) for n in (1, 79, 80, 299, 300, 10**6)]
    assert found == [words[0], words[0], words[1], words[1], words[2], words[2]]


# ---- a wrong formula is found

SWAPS = (
    (r"\le", "<"),
    ("<", r"\le"),
    (" + ", " - "),
    (" - ", " + "),
    (r"\sum", r"\operatorname*{mean}"),
    (r"\operatorname*{mean}", r"\max"),
    ("^2", ""),
    (r"\text{Pass}", r"\text{Fail}"),
    ("c_r", "y_r"),
    ("|B_m|", "N"),
    ("m-1", "m"),
    ("12", "10"),
    (r"\text{ or }", r"\text{ and }"),
    ("= 1", "= 0"),
    (r"\mathrm{acc}", r"\mathrm{conf}"),
    (r"\bar{y}", "1"),
    (r"\alpha", "0.5"),
    (r"\min", r"\max"),
    ("10", "9"),
    ("7", "8"),
    ("Conditional", "Fail"),
    ("k_r", "v_r"),
    ("> 0", "> 1"),
)


def rewritten(head: str, formula: str) -> Notation:
    """The notation of the suite with another formula for one symbol."""
    known = bench.notation()
    notation = Notation("changed")
    for letter, kind in known.variables.items():
        notation.variable(letter, kind)
    for name, texts in known.texts.items():
        notation.values(name, *texts)
    for s in known.symbols.values():
        if s.formula is None:
            notation.given(s.head, s.type, s.meaning, s.get)
        else:
            text = formula if s.head == head else s.formula
            notation.define(s.head, text, s.meaning, s.needs, s.type if s.type in known.texts else None)
    return notation


def mutants() -> list[tuple[str, str]]:
    """Every single change of a token in every formula over one subject version."""
    found = []
    for s in bench.notation().symbols.values():
        if s.formula is None or "a,b}" in s.head:
            continue
        for old, new in SWAPS:
            found += [
                (s.head, s.formula[: at.start()] + new + s.formula[at.end() :])
                for at in re.finditer(re.escape(old), s.formula)
            ]
    return found


def test_every_change_of_a_token_in_a_formula_is_refused_or_found() -> None:
    rnd = random.Random(3)
    samples = [_random_runs(rnd) for _ in range(25)]
    expected = [by_code(runs) for runs in samples]
    assert len(mutants()) > 60
    survivors = [m for m in mutants() if not _found(m, samples, expected)]
    assert survivors == []


def _found(mutant: tuple[str, str], samples: list[list[Run]], expected: list[dict[str, object]]) -> bool:
    try:
        notation = rewritten(*mutant)
        return any(over(notation, runs) != known for runs, known in zip(samples, expected, strict=True))
    except FormulaError:
        return True


def _random_runs(rnd: random.Random) -> list[Run]:
    edges: Callable[[], int] = lambda: rnd.choice([0, 10, 30, 50, 60, 70, 90, 100, rnd.randint(0, 100)])  # noqa: E731
    return [
        a_run(
            f"RO-{rnd.choice(('FOUL', 'SCAL'))}-{i:03d}",
            run_id=f"r{i}",
            score=rnd.choice((0, 6, 7, 8, 9, 10, 11, 12)),
            floor=rnd.randint(0, 9),
            ceiling=rnd.randint(9, 12),
            confidence=edges(),
            halves=rnd.randint(0, 2),
            critical=rnd.random() < 0.2,
            recoverable=rnd.random() < 0.2,
        )
        for i in range(rnd.randint(1, 12))
    ]


def test_every_metric_is_published_or_is_of_a_run() -> None:
    assert {k.split(".")[1] for k in bench.metrics} >= {"pass_rate", "ece", "family", "bin", "pair", "run"}
    assert SUITE.declarations is bench
    assert isinstance(bench.notation().over({"R": ()}).value("R"), Set)
