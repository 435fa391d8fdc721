"""What the tables of debates say: conditions and thresholds, N/A apart from 0, review, lift, addresses."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.core.exact import Undefined
from evalreport.core.table import Badge, Cell, Count, Heat, Missing, Num, Table, Text, plain
from evalreport.report.tables import table_html
from evalreport.suites.debate import SUITE, views
from evalreport.suites.debate.records import THRESHOLDS
from evalreport.suites.debate.results import DebateResults
from evalreport.suites.debate.views import audit
from evalreport.suites.debate.views.shown import facts
from tests.suites.debate.building import results, row, ruled, settings, system, written

DATA = Path(__file__).parents[3] / "data" / "debate"
HOSTILE = "ensemble <3 votes> & $1"


@pytest.fixture(scope="module")
def sample() -> DebateResults:
    return results(DATA)


def rows(table: Table) -> dict[str, dict[str, Cell]]:
    keys = [c.key for c in table.columns]
    found = {}
    for line in table.rows():
        head = line.cells[table.header()]
        found[getattr(head, "text", str(head))] = dict(zip(keys, line.cells, strict=True))
    return found


def number(cell: Cell) -> Fraction:
    assert isinstance(cell, Num), cell
    assert not isinstance(cell.value, Undefined), cell
    return Fraction(cell.value)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> DebateResults:
    """Three cases: one that passes on its thresholds exactly, one that fails on a zero, one for manual review."""
    folder = tmp_path_factory.mktemp("small")
    rows_of = [
        row("edge", [0.75, 0.5, 0.5, 0.5, None, 1], system="debate"),
        row("zero", [1, 1, 1, 1, 0, 1], system="debate"),
        row("review", [None, None, None, 1, 1, 1], system="debate"),
        row("edge", [0.75, 0.5, 0.5, 0.5, None, 0.5], system="baseline"),
    ]
    return results(written(folder, results=rows_of), ruled(min_lift=Fraction(1, 10)))


def test_each_condition_stands_with_its_number_its_threshold_and_its_margin(small: DebateResults) -> None:
    found = rows(views.conditions(small, [system(small)], system="debate"))
    share = found["Passing fraction, of scoreable cases"]
    assert number(share["number"]) == Fraction(1, 2)
    assert number(share["threshold"]) == Fraction(3, 4)
    assert number(share["margin"]) == Fraction(-1, 4)
    assert share["holds"] == Badge("alert", "fails")
    lift = found["Lift over the baseline"]
    assert number(lift["number"]) == Fraction(1, 10)  # 0.65 − 0.55 over the one case scoreable in both
    assert number(lift["margin"]) == 0
    assert lift["holds"] == Badge("plain", "holds")


def test_not_applicable_is_hatched_and_a_zero_is_a_framed_value(small: DebateResults) -> None:
    found = rows(views.scores(small, system(small)))
    where = "debate/audit/debate#number-empirical-test-diagnosticity"
    assert found["edge"]["ETD"] == Heat(None, "N/A", "scored N/A", f"{where}-edge")
    assert found["zero"]["ETD"] == Heat(Fraction(0), "0", "", f"{where}-zero", low=True)
    html = table_html(views.scores(small, system(small)))
    assert '<td class="c er-heat er-na" data-v=""><a' in html
    assert '<span title="scored N/A">N/A</span></a></td>' in html
    assert re.search(r'er-heat er-h0 er-low" data-v="0"><a [^>]*>0</a></td>', html)


def test_every_dimension_and_every_mean_of_a_case_leads_to_its_audit_line(sample: DebateResults) -> None:
    assert SUITE.address is not None
    published = {place for v in SUITE.values(sample) if (place := SUITE.address(sample, v))}
    heats = [
        cell
        for table in (views.means(sample), *(views.scores(sample, s) for s in sample.systems))
        for line in table.rows()
        for cell in line.cells
        if isinstance(cell, Heat) and cell.reason != "not run"
    ]
    assert len(heats) > 100
    assert {cell.href for cell in heats} <= published


def test_runs_with_the_same_flag_are_one_row_and_the_outcome_counts_them_by_system(tmp_path: Path) -> None:
    runs = [{**row(c, [1, 1, 1, 1, 1, 0.5]), "run_id": str(n)} for c in ("a", "b") for n in (1, 2, 3)]
    found = results(written(tmp_path, results=runs), ruled())
    (counted,) = views.flag_counts(found).rows()
    assert counted.cells == (
        Text("debate", href="debate/system/debate#tbl-debate-flags-debate"),
        Text("verdict neither 0 nor 1"),
        Count(2),
        Count(6),
    )
    assert plain(views.flag_counts(found).finding) == "6 runs flagged: 6 × verdict neither 0 nor 1."
    listed = views.flags(system(found))
    assert listed.id == "debate-flags-debate"
    assert [line.cells[:2] for line in listed.rows()] == [(Text("a"), Text("1, 2, 3")), (Text("b"), Text("1, 2, 3"))]


def test_a_dimension_and_a_mean_that_equal_their_thresholds_have_no_frame(small: DebateResults) -> None:
    edge = rows(views.scores(small, system(small)))["edge"]
    assert isinstance(edge["IDP"], Heat)
    assert (edge["IDP"].value, edge["IDP"].low) == (Fraction(1, 2), False)
    assert number(edge["debate.case_mean"]) == Fraction(13, 20)
    assert edge["status"] == Badge("plain", "pass")


def test_a_case_for_manual_review_neither_passes_nor_fails(small: DebateResults) -> None:
    table = views.manual_review(small, [system(small)], system="debate")
    review = rows(table)["review"]
    assert review["applicable"] == Count(3, 6)
    assert review["na"] == Text("recall, precision, calibration")
    assert review["would"] == Text("reach")
    assert plain(table.finding) == "1 case for manual review."
    share = rows(views.systems(small))["debate"]
    assert share["passing"] == Count(1, 2)


def test_the_lift_is_the_mean_of_the_differences_that_are_shown(sample: DebateResults) -> None:
    table = views.lift_by_case(sample, system(sample))
    differences = [number(line["difference"]) for line in rows(table).values()]
    assert sum(differences) / len(differences) == system(sample).lift.value
    assert differences == sorted(differences, reverse=True)


def test_without_a_baseline_the_lift_is_no_number_and_has_no_audit_line(tmp_path: Path) -> None:
    alone = results(written(tmp_path, results=[row("c", [1, 1, 1, 1, 1, 1])]), ruled())
    table = views.lift(alone)
    assert not list(table.rows())
    assert "nothing to exceed" in table.empty
    assert SUITE.address is not None
    lifts = [v for v in SUITE.values(alone) if v.metric == "debate.lift"]
    assert [SUITE.address(alone, v) for v in lifts] == [""]
    assert all(isinstance(v.value, Undefined) for v in lifts)


def test_a_threshold_tells_up_to_where_the_benchmark_passes(sample: DebateResults) -> None:
    table = views.sensitivity(sample)
    debate = [line.cells for line in table.groups[0].rows]
    # 13 of 15 pass: up to that fraction, and up to the half that some case has as its lowest dimension
    assert [number(cells[3]) for cells in debate] == [Fraction(1, 2), Fraction(17, 24), Fraction(13, 15)]
    never = [line.cells for line in table.groups[1].rows]
    assert all(isinstance(cells[3], Missing) for cells in never)


def test_thresholds_say_whether_the_rubric_or_the_settings_gave_them(sample: DebateResults) -> None:
    from_rubric = rows(views.in_force(sample, settings()))
    assert from_rubric["overall_case_pass"]["source"] == Text("rubric")
    assert from_rubric["min_lift"]["source"] == Text("settings")
    assert rows(views.in_force(sample, ruled()))["overall_case_pass"]["source"] == Text("settings")
    assert sample.rubric.sha256
    assert sample.rubric.sha256 in plain(views.in_force(sample, settings()).text)


def test_the_scope_of_every_page_has_the_thresholds_and_the_hash_of_the_rubric(sample: DebateResults) -> None:
    scope = SUITE.scope(sample)
    assert {name: scope[name] for name in THRESHOLDS} == {
        "per_dimension_pass": "0.5",
        "overall_case_pass": "0.65",
        "benchmark_pass_fraction": "0.75",
    }
    assert scope["rubric_sha256"] == sample.rubric.sha256


def test_categories_are_counts_and_add_up(sample: DebateResults) -> None:
    found = views.own_groups(system(sample))
    for group in found.groups:
        counts = [[cell.n for cell in line.cells[1:5] if isinstance(cell, Count)] for line in group.rows]
        assert all(cases == passing + failing + review for cases, passing, failing, review in counts)
        assert sum(line[0] for line in counts) == 20


def test_the_facts_below_a_title_say_what_each_number_needs(small: DebateResults) -> None:
    found = {fact.name: (fact.value, fact.detail) for fact in facts(small, system(small))}
    assert found["Cases passed"] == ("1 of 2", "0.5000, needs ≥ 0.75")
    assert found["Lift over baseline"] == ("+0.1000", "needs ≥ 0.10")
    assert found["Benchmark"][0] == Badge("alert", "fail")


def test_every_number_has_a_place_on_an_audit_page_that_is_made(sample: DebateResults) -> None:
    made = {job.docname for job in SUITE.pages(sample)}
    assert SUITE.address is not None
    places = [place for v in SUITE.values(sample) if (place := SUITE.address(sample, v))]
    assert len(set(places)) == len(places)
    assert {place.split("#")[0] for place in places} <= made
    on_pages = set()
    for s in sample.systems:
        own, of_cases = audit.numbers(sample, s)
        page = next(place.split("#")[0] for v in SUITE.values(sample) if dict(v.of)["system"] == s.system
                    and (place := SUITE.address(sample, v)))  # fmt: skip
        on_pages |= {f"{page}#{n.anchor}" for n in [*own, *(n for _, n in of_cases)]}
    assert on_pages == set(places)


def test_a_hostile_name_is_text_in_every_table(sample: DebateResults) -> None:
    for table in (views.systems(sample), views.means(sample), views.groups(sample), views.sensitivity(sample)):
        html = table_html(table)
        assert "<3 votes>" not in html
        assert "&lt;3 votes&gt;" in html
