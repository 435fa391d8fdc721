"""Every edge that the sample corpus promises is in it, and every printed formula agrees with the code over it."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalreport.core.declare import in_range
from evalreport.core.exact import Undefined
from evalreport.report.audit import audit_lines
from evalreport.suites.signals import SUITE
from evalreport.suites.signals.results import SignalsResults
from tests.suites.signals.made import computed, table

SAMPLE = Path(__file__).parents[3] / "data" / "signals"


@pytest.fixture(scope="module")
def results() -> SignalsResults:
    return computed(SAMPLE)


def test_the_audit_agrees_on_every_published_number(results: SignalsResults) -> None:
    lines = audit_lines(SUITE.audit(results))
    assert len(lines) == len(list(SUITE.values(results)))


def test_every_value_lies_in_its_declared_range(results: SignalsResults) -> None:
    for value in SUITE.values(results):
        assert in_range(SUITE.declarations.metrics[value.metric], value.value), value


def test_no_published_number_has_the_name_of_another(results: SignalsResults) -> None:
    names = [(value.metric, value.of) for value in SUITE.values(results)]
    assert len(names) == len(set(names))


def test_the_edges_are_there(results: SignalsResults) -> None:
    assert set(results.records.records) == {"0.0.1", "0.1.0", "0.2.0", "0.2.1", "0.2.2", "0.2.3", "0.3.0"}
    statuses = {row["status"] for row in table(results, "comparability")}
    assert statuses == {"computed", "not applicable", "not computable"}
    reasons = {triple.scale.reason for triple in results.triples if isinstance(triple.scale, Undefined)}
    assert {reason.removeprefix("not computable: ") for reason in reasons} == {
        "the range is infinite",
        "no range is stated",
        "the range is empty",
        "the reports state different ranges",
    }
    assert sum(len(triple.rescrapes) for triple in results.triples) == 3
    assert len(results.records.no_score) == 3
    assert {party for triple in results.triples for party in triple.parties} == {
        "first_party",
        "third_party",
        "collaborative",
        "other",
        "unstated",
    }
    items = {item.item.key: (item.applicable, item.undisclosed) for item in results.items}
    assert all(
        applicable > undisclosed > 0 for key, (applicable, undisclosed) in items.items() if key != "reasoning_budget"
    )
    assert [card.name for card in results.records.unmatched_cards] == ["Cloud Names", "Unread Letters"]
    assert dict(results.thresholds) == {"overlap": results.theta * 2}
    assert any("<script>" in triple.triple.model and "\n" in triple.triple.model for triple in results.triples)
    assert results.records.ignored == ("records/lines/signs_samples.jsonl",)
