"""From what a judge noted to the score of a dimension: the rules that are procedures, not formulas."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from fractions import Fraction

from evalreport.core.exact import Undefined
from evalreport.suites.debate.records import Claim, Instance, JudgedIssue, Score

HALF = Fraction(1, 2)
BASELINE_RESOLUTION_CAP = HALF


def issue_credit(*, located: bool, characterised: bool) -> Fraction:
    """How far one planted issue was found: fully when place and nature are right, half when only one is.

    >>> issue_credit(located=True, characterised=False)
    Fraction(1, 2)
    """
    return Fraction(located + characterised, 2)


def recall(issues: Sequence[JudgedIssue]) -> Score:
    """Mean credit over the planted issues; N/A for a case without any.

    >>> recall([JudgedIssue("a", Fraction(1)), JudgedIssue("b", HALF), JudgedIssue("c", Fraction(0))])
    Fraction(1, 2)
    """
    if not issues:
        return Undefined("the case has no planted issues")
    return Fraction(sum(i.credit for i in issues)) / len(issues)


def precision(claims: Sequence[Claim]) -> Score:
    """Share of the atomic claims that are valid; N/A for a critique that claims nothing.

    >>> precision([Claim(1, valid=True), Claim(2, valid=True), Claim(3, valid=True), Claim(4, valid=False)])
    Fraction(3, 4)
    """
    if not claims:
        return Undefined("the critique makes no claims")
    return Fraction(sum(c.valid for c in claims), len(claims))


def calibration(instances: Sequence[Instance]) -> Score:
    """Mean over all concessions, contestations and position updates there are; N/A when there is none.

    A kind without an instance is left out of the mean: it is not a zero.

    >>> calibration([Instance(1, "A", Fraction(1)), Instance(2, "C", HALF)])
    Fraction(3, 4)
    """
    if not instances:
        return Undefined("nothing was conceded, contested or updated")
    return Fraction(sum(i.score for i in instances)) / len(instances)


def resolution(actual: str | None, ideal: str, *, terminated: bool, efficient: bool, baseline: bool) -> Fraction:
    """1 for the right kind of resolution, 1/2 when it took more rounds than necessary, 0 when wrong or never reached.

    A baseline holds no debate and cannot earn more than 1/2.

    >>> resolution("critique_wins", "critique_wins", terminated=True, efficient=False, baseline=False)
    Fraction(1, 2)
    >>> resolution("critique_wins", "critique_wins", terminated=False, efficient=True, baseline=False)
    Fraction(0, 1)
    """
    if not terminated or actual != ideal:
        return Fraction(0)
    full = efficient and not baseline
    return Fraction(1) if full else HALF


def proposal_grade(*, procedure: bool, measurable: bool, decisive: bool, distinguishes: bool) -> Fraction:
    """How well a proposed test tells the two positions apart: 1 fully specified, 1/2 underspecified, 0 not at all.

    >>> proposal_grade(procedure=True, measurable=False, decisive=True, distinguishes=True)
    Fraction(1, 2)
    """
    if not distinguishes:
        return Fraction(0)
    return Fraction(1) if procedure and measurable and decisive else HALF


def diagnosticity(grade: Fraction | None, ideal: str) -> Score:
    """The grade of the proposed test. With none proposed: 0 where a test was the right outcome, otherwise N/A.

    >>> diagnosticity(None, "empirical_test_agreed")
    Fraction(0, 1)
    >>> diagnosticity(None, "critique_wins")
    Undefined(reason='no empirical test was proposed or needed')
    """
    if grade is not None:
        return grade
    if ideal == "empirical_test_agreed":
        return Fraction(0)
    return Undefined("no empirical test was proposed or needed")


def verdict(said: str | None, truth: str | None) -> Score:
    """1 when the final verdict is the true one, 0 when it is another or none; N/A for a case without a true verdict.

    Case, Unicode form, and white space around and inside do not count.

    >>> verdict("  RESULT is\\n Invalid", "Result is invalid"), verdict(None, "x")
    (Fraction(1, 1), Fraction(0, 1))
    """
    if truth is None:
        return Undefined("the case has no true verdict")
    return Fraction(said is not None and folded(said) == folded(truth))


def folded(text: str) -> str:
    """Text reduced to what a verdict says: NFC, case folded, white space trimmed and folded.

    >>> folded("STRASSE ") == folded("straße")
    True
    """
    # Folding may take a text out of NFC, and two texts of one meaning apart: normalise on both sides of it.
    once = unicodedata.normalize("NFC", text).casefold()
    return " ".join(unicodedata.normalize("NFC", once).split())
