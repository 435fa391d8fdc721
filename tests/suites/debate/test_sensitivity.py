"""At which thresholds the outcome changes: by hand, and against the rule itself on either side of each step."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import settings as quickly
from hypothesis import strategies as st

from evalreport.suites.debate.records import THRESHOLDS, Thresholds
from evalreport.suites.debate.sensitivity import Sensitivity, Step, sensitivities
from tests.suites.debate.building import HALF

RULE = Thresholds(HALF, Fraction(13, 20), Fraction(3, 4))
NUMBERS = st.integers(0, 20).map(lambda n: Fraction(n, 20))
TINY = Fraction(1, 10**9)


def by_hand(cases: list[tuple[Fraction, Fraction]], rule: Thresholds) -> tuple[int, bool]:
    """Passing cases and the outcome, straight from the words of the rule."""
    passing = sum(mean >= rule.overall_case_pass and low >= rule.per_dimension_pass for mean, low in cases)
    enough = Fraction(passing, len(cases)) >= rule.benchmark_pass_fraction
    return passing, enough and sum(mean for mean, _ in cases) / len(cases) >= rule.overall_case_pass


def test_each_threshold_of_four_cases_by_hand() -> None:
    cases = [(Fraction(9, 10), Fraction(7, 10)), (Fraction(8, 10), HALF), (Fraction(7, 10), HALF), (HALF, Fraction(0))]
    dimension, case, fraction = sensitivities(cases, RULE)
    assert dimension == Sensitivity(
        "per_dimension_pass",
        HALF,
        HALF,
        (
            Step(Fraction(0), HALF, 3, passes=True),
            Step(HALF, Fraction(7, 10), 1, passes=False),
            Step(Fraction(7, 10), Fraction(1), 0, passes=False),
        ),
    )
    # Three of the four must pass, and the mean of 29/40 must be reached too: the third mean, 28/40, decides.
    assert case.passes_up_to == Fraction(7, 10)
    assert fraction.steps == (
        Step(Fraction(0), Fraction(3, 4), 3, passes=True),
        Step(Fraction(3, 4), Fraction(1), 3, passes=False),
    )


def test_the_benchmark_mean_is_a_step_of_its_own() -> None:
    cases = [(Fraction(9, 10), HALF), (Fraction(9, 10), HALF), (Fraction(9, 10), HALF), (Fraction(0), Fraction(0))]
    case = sensitivities(cases, RULE)[1]
    assert case.passes_up_to == Fraction(27, 40)
    assert [(s.up_to, s.passing, s.passes) for s in case.steps] == [
        (Fraction(27, 40), 3, True),
        (Fraction(9, 10), 3, False),
        (Fraction(1), 0, False),
    ]


def test_a_benchmark_that_no_threshold_can_save_says_so() -> None:
    assert [s.passes_up_to for s in sensitivities([(Fraction(1, 10), Fraction(0))], RULE)] == [None] * 3


def test_with_no_scoreable_case_there_is_nothing_to_decide() -> None:
    assert sensitivities([], RULE) == ()


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=8), st.tuples(NUMBERS, NUMBERS, NUMBERS))
@quickly(max_examples=150, deadline=None)
def test_every_step_agrees_with_the_rule_at_both_of_its_ends(
    cases: list[tuple[Fraction, Fraction]], rule: tuple[Fraction, Fraction, Fraction]
) -> None:
    thresholds = Thresholds(*rule)
    for name, found in zip(THRESHOLDS, sensitivities(cases, thresholds), strict=True):
        assert found.threshold == name
        assert [s.above for s in found.steps] == [Fraction(0), *(s.up_to for s in found.steps[:-1])]
        assert found.steps[-1].up_to == 1
        for step in found.steps:
            for value in {step.above + TINY, step.up_to} if step.up_to else {step.up_to}:
                assert by_hand(cases, replace(thresholds, **{name: value})) == (step.passing, step.passes)
