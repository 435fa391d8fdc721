"""What a manifest says of a declaration: its identity follows what decides the value, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from evalreport.core.declare import Declarations
from evalreport.publish.manifest import declarations
from evalreport.suites.debate import SUITE


def identity(
    *,
    formula: str | None = r"\operatorname*{mean}_{i \in S} h(i)",
    half: str = r"\frac{x_i}{2}",
    needs: str | None = "|S| > 0",
    of: tuple[str, ...] = ("model",),
    reference: str = "",
    name: str = "Mean",
    decimals: int = 4,
) -> str:
    """The identity of one metric that is declared so."""
    d = Declarations("toy")
    d.variable("i", "item")
    d.given("S", "set of item", "items")
    d.given("x_i", "number", "score of item i")
    d.define("h(i)", half, "half of a score")

    @d.metric(
        key="mean",
        name=name,
        symbol="m" if formula else "",
        column=name,
        range=(0, 1),
        clause="toy#mean",
        of=of,
        formula=formula,
        needs=needs if formula else None,
        decimals=decimals,
        checked_by="formula" if formula else "reference",
        reference=reference,
    )
    def mean(scores: Sequence[int]) -> int:
        """Mean of the halves."""
        return sum(scores)

    (found,) = declarations(replace(SUITE, declarations=d))
    return found.identity


@pytest.mark.parametrize(
    "other",
    [
        identity(formula=r"\sum_{i \in S} h(i)"),
        identity(half=r"\frac{x_i}{3}"),
        identity(needs="|S| > 1"),
        identity(needs=None),
        identity(of=("model", "task")),
        identity(formula=None, reference="by hand"),
    ],
    ids=["formula", "definition", "condition", "no condition", "ids", "reference"],
)
def test_what_decides_a_value_changes_the_identity(other: str) -> None:
    assert other != identity()


def test_another_reference_is_another_identity() -> None:
    assert identity(formula=None, reference="by hand") != identity(formula=None, reference="scipy")


def test_how_a_number_is_called_and_rounded_does_not() -> None:
    assert identity(name="Average", decimals=2) == identity()
