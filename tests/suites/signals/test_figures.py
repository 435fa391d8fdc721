"""The figures of signals: what is drawn, counted by hand, and that all of it can be drawn."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from evalreport.charts.figure import Figure
from evalreport.core.table import plain
from evalreport.report.figures import save_figure
from evalreport.suites.signals import figures
from evalreport.suites.signals.results import SignalsResults
from tests.suites.signals.made import full_card, of, record, result

HOSTILE = "模型$_{ <b>"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> SignalsResults:
    """m-1 under two setups 0.06 apart, m-2 by two parties exactly 0.05 apart, one without a range, one alone."""
    unknown = {**result(3), "metric_config": {"metric_id": "accuracy"}}
    named = [
        ("m-1", result(0.50, args={"max_tokens": 1}), "third_party"),
        ("m-1", result(0.56, args={"max_tokens": 2}), "third_party"),
        ("m-2", result(0.50), "first_party"),
        ("m-2", result(0.55), "third_party"),
        (HOSTILE, unknown, "first_party"),
        (HOSTILE, unknown, "third_party"),
        ("m-4", result(0.5), "first_party"),
    ]
    records = [record(found, by=by, model_info={"id": model}) for model, found, by in named]
    return of(tmp_path_factory.mktemp("corpus"), *records, full_card(data__size=None, data__format=" "))


def all_figures(results: SignalsResults) -> list[Figure]:
    whole = [make(results) for make in (figures.items, figures.completeness, figures.fields, figures.parties)]
    return [*whole, figures.spreads(results, "setups"), figures.spreads(results, "parties")]


def rows(figure: Figure) -> list[dict[str, str]]:
    return [dict(zip(figure.data.header, row, strict=True)) for row in figure.data.rows]


def test_every_figure_has_a_finding_can_be_drawn_and_has_its_own_address(
    results: SignalsResults, tmp_path: Path
) -> None:
    found = all_figures(results)
    assert len({figure.id for figure in found}) == len(found)
    for figure in found:
        assert plain(figure.finding).endswith(".")
        assert figure.text
        assert figure.alt
        assert save_figure(figure, tmp_path)["id"] == figure.id


def test_nothing_is_drawn_in_the_colour_of_look_here(results: SignalsResults, tmp_path: Path) -> None:
    for figure in all_figures(results):
        save_figure(figure, tmp_path)
        drawn = (tmp_path / f"{figure.id}.svg").read_text("utf-8").casefold()
        assert "c2500a" not in drawn, figure.id
        assert "a8440a" not in drawn, figure.id


def test_the_parts_of_an_item_add_up_to_all_tuples(results: SignalsResults) -> None:
    for row in rows(figures.items(results)):
        parts = ("undisclosed", "disclosed", "left_out", "not_applicable")
        assert sum(int(row[part]) for part in parts) == 4, row["item"]
    by_item = {row["item"]: row for row in rows(figures.items(results))}
    # only both reports of m-1 say how long an answer may be
    assert (by_item["output_length"]["undisclosed"], by_item["output_length"]["disclosed"]) == ("3", "1")


def test_spreads_stand_beside_the_threshold_and_equal_is_not_beyond(results: SignalsResults) -> None:
    setups, parties = figures.spreads(results, "setups"), figures.spreads(results, "parties")
    assert [(row["model"], row["spread"]) for row in rows(setups)] == [("m-1", "0.0600")]
    assert plain(setups.finding) == "1 of 1 result lies further apart over setups than the threshold."
    found = {row["model"]: row["spread"] for row in rows(parties)}
    assert found == {"m-2": "0.0500", HOSTILE: ""}
    assert (
        plain(parties.finding)
        == "0 of 1 result lies further apart over parties than the threshold; 1 cannot be computed."
    )
    assert parties.settings == {"theta": "0.05"}


def test_who_reports_is_counted_by_triple(results: SignalsResults) -> None:
    found = {row["parties"]: (row["one_report"], row["several_reports"]) for row in rows(figures.parties(results))}
    assert found == {
        "first_party;third_party": ("0", "2"),
        "third_party": ("0", "1"),
        "first_party": ("1", "0"),
    }


def test_a_partial_field_is_drawn_as_partly_populated(results: SignalsResults) -> None:
    by_field = {row["field"]: row for row in rows(figures.fields(results))}
    assert by_field["data"] == {
        "field": "data",
        "populated": "0",
        "partly": "1",
        "placeholder_only": "0",
        "nothing": "0",
    }
    assert by_field["lifecycle_status"]["nothing"] == "1"


def test_completeness_is_drawn_in_tenths(results: SignalsResults) -> None:
    # 22 full fields and half of the partial one of the card, 3 of the records: 25.5 of 28
    assert [row["completeness"] for row in rows(figures.completeness(results))] == ["0.9107"]
    assert figures.completeness(results).alt.endswith("0, 0, 0, 0, 0, 0, 0, 0, 0, 1.")


def test_a_corpus_without_anything_to_compare_still_makes_every_figure(tmp_path: Path) -> None:
    for figure in all_figures(of(tmp_path / "one", record())):
        save_figure(figure, tmp_path)


def test_the_suite_loads_without_a_drawing_library() -> None:
    code = "import sys, evalreport.suites.signals; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
