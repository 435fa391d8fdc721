"""What the pages of the benchmark show: ranks, words, reasons, addresses; counted by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from evalreport.core.exact import Undefined
from evalreport.core.table import Badge, Cell, Count, Limits, Math, Missing, Num, Rank, Row, Table, Text, plain
from evalreport.report.tables import table_fragment
from evalreport.suites.benchmark import views
from evalreport.suites.benchmark.compute import compute
from evalreport.suites.benchmark.pages import number_address, page_jobs
from evalreport.suites.benchmark.records import Unscored
from evalreport.suites.benchmark.results import BenchmarkResults, Subject, VersionResults
from evalreport.suites.benchmark.values import values
from evalreport.suites.benchmark.views import audit, sensitivity
from tests.suites.benchmark.made import a_run, records, settings

CASES = ("RO-FOUL-001", "RO-FOUL-002", "RO-OXID-001", "RO-OXID-002")
HOSTILE = "<b>x</b> $y$ | `z`"


def results(alpha: Fraction = Fraction(1, 2)) -> BenchmarkResults:
    """Two that tie, one disqualified, one that was scored on two of four cases, one without a scoring."""
    runs = [a_run(c, subject="a", score=12 if i < 2 else 8, confidence=20 * i) for i, c in enumerate(CASES)]
    runs += [a_run(c, subject=HOSTILE, score=12 if i < 2 else 8, confidence=90) for i, c in enumerate(CASES)]
    runs += [a_run(c, subject="gone", score=12, critical=i == 0, halves=i % 3) for i, c in enumerate(CASES)]
    runs += [a_run(c, subject="part", score=5, recoverable=True) for c in CASES[:2]]
    waiting = [Unscored("v1.0", "none", "1", c, "r1") for c in CASES]
    return compute(records(runs, waiting, {"v1.0": CASES}), settings(alpha=alpha))


@pytest.fixture(scope="module")
def found() -> BenchmarkResults:
    return results()


@pytest.fixture(scope="module")
def version(found: BenchmarkResults) -> VersionResults:
    return found.versions[0]


def cells(table: Table, key: str) -> list[Cell]:
    at = [column.key for column in table.columns].index(key)
    return [row.cells[at] for row in table.rows()]


def subject(found: BenchmarkResults, name: str) -> Subject:
    return found.subject(name, "1")


def test_who_ties_shares_a_rank_and_who_is_not_ranked_says_why(
    found: BenchmarkResults, version: VersionResults
) -> None:
    table = views.leaderboard(found, version)
    assert cells(table, "rank") == [
        Rank(1, tied=True, reason=""),
        Rank(1, tied=True, reason=""),
        Rank(None, reason="scored on 2 of 4 cases"),
        Rank(None, reason="disqualified by a critical fail"),
        Rank(None, reason="no scored runs"),
    ]
    assert [group.title for group in table.groups] == ["", "Not ranked"]
    assert [badge.text for badge in cells(table, "status") if isinstance(badge, Badge)] == [
        *("eligible", "eligible", "2 of 4 cases", "disqualified", "no data"),
    ]
    assert table.finding == "5 subject versions, 2 ranked."


def test_a_row_carries_its_composite_at_both_ends_of_alpha_and_an_unranked_one_does_not(
    found: BenchmarkResults, version: VersionResults
) -> None:
    rows = list(views.leaderboard(found, version).rows())
    # half of the runs pass; scores 12, 12, 8, 8 are 40 of 48
    assert [row.blend for row in rows] == [(Fraction(1, 2), Fraction(40, 48))] * 2 + [None] * 3


def test_no_value_is_a_dash_with_its_reason_never_zero(found: BenchmarkResults, version: VersionResults) -> None:
    last = list(views.leaderboard(found, version).rows())[-1]
    numbers = [cell for cell in last.cells if isinstance(cell, Num)]
    assert {cell.value for cell in numbers} == {Undefined("no scored runs")}
    assert Missing("no scored runs") in last.cells
    assert Count(4, href="benchmark/audit/none--1#number-n-unscored") in last.cells


def test_a_critical_fail_is_stressed(found: BenchmarkResults, version: VersionResults) -> None:
    counts = [
        cell
        for cell in cells(views.leaderboard(found, version), "benchmark.n_critical_fails")
        if isinstance(cell, Count)
    ]
    assert [(cell.n, cell.alert) for cell in counts] == [(0, False), (0, False), (0, False), (1, True), (0, False)]


def test_the_word_that_most_share_stands_in_the_head_and_another_one_with_its_number() -> None:
    runs = [a_run(CASES[0], subject="few"), a_run(CASES[0], subject="less")]
    runs += [a_run(CASES[0], subject="many", run_id=f"r{i}") for i in range(80)]
    found = compute(records(runs), settings())
    table = views.leaderboard(found, found.versions[0])
    assert [plain(c.sub) for c in table.columns if c.key == "benchmark.ece"] == ["indicative only"]
    labels = {cell.label for cell in cells(table, "benchmark.ece") if isinstance(cell, Num)}
    assert labels == {"", "stable"}


def test_intervals_of_a_column_share_a_scale_that_holds_them(found: BenchmarkResults, version: VersionResults) -> None:
    drawn = [cell for cell in cells(views.leaderboard(found, version), "interval") if isinstance(cell, Limits)]
    assert len({(cell.scale_low, cell.scale_high) for cell in drawn}) == 1
    assert all(cell.scale_low <= cell.low <= cell.high <= cell.scale_high for cell in drawn if cell.low is not None
               and cell.high is not None)  # fmt: skip
    assert [cell.hollow for cell in drawn] == [False, False, True, True]


def test_the_headline_is_the_table_of_the_start_page(found: BenchmarkResults) -> None:
    table = views.headline(found)
    assert table.id == "benchmark-headline"
    assert table.finding == "2 versions share the first rank with Q 0.6667."
    assert plain(table.text).startswith("14 scored runs on 4 cases. Qfinal at ")


def test_common_cases_rank_the_incomplete_and_leave_out_the_disqualified(
    found: BenchmarkResults, version: VersionResults
) -> None:
    table = views.common_cases(found, version)
    assert table.finding == "2 cases common to all 4 versions with scored runs."
    # on the first two cases both passed everything; the incomplete one has 5 points and no pass: 5/12 / 2
    ranks = [cell.rank for cell in cells(table, "rank") if isinstance(cell, Rank)]
    assert ranks == [1, 1, 3, None]
    shown = [cell.value for cell in cells(table, "benchmark.q_final") if isinstance(cell, Num)]
    assert shown[:3] == [1, 1, Fraction(5, 24)]


def test_every_pair_stands_once_with_differences_that_lead_to_the_audit(
    found: BenchmarkResults, version: VersionResults
) -> None:
    table = views.pairs(found, version)
    assert sum(1 for _ in table.rows()) == 6  # four with scored runs: 4 * 3 / 2
    links = [cell.href for cell in cells(table, "pair.q_final") if isinstance(cell, Num)]
    assert len(set(links)) == 6
    assert all("#number-pair-q-final-" in link for link in links)


def two_groups() -> BenchmarkResults:
    """Two that pass all of twenty cases but one each, and one that passes nothing."""
    cases = [f"RO-FOUL-{i:03d}" for i in range(20)]
    runs = [a_run(c, subject="a", score=11 if i == 3 else 12) for i, c in enumerate(cases)]
    runs += [a_run(c, subject="b", score=9 if i == 5 else 12) for i, c in enumerate(cases)]
    runs += [a_run(c, subject="c", score=3) for c in cases]
    return compute(records(runs), settings(resamples=999))


def test_which_ranks_are_open_and_who_ties_is_a_table() -> None:
    found = two_groups()
    table = views.open_ranks(found, found.versions[0])
    assert table.finding == "3 ranked versions, 2 tie groups."
    assert [(c.text, c.href) for c in cells(table, "ranks") if isinstance(c, Text)] == [
        ("1–2", "benchmark/audit/a--1#number-rank-low"),
        ("1–2", "benchmark/audit/b--1#number-rank-low"),
        ("3", "benchmark/audit/c--1#number-rank-low"),
    ]
    assert [c.n for c in cells(table, "benchmark.tie_group") if isinstance(c, Count)] == [1, 1, 2]
    assert "corrected after Holm over 3 pairs" in plain(table.text)


def test_who_is_not_ranked_has_no_open_ranks(found: BenchmarkResults, version: VersionResults) -> None:
    assert sum(1 for _ in views.open_ranks(found, version).rows()) == 2
    nobody = compute(records([a_run(critical=True)]), settings())
    table = views.open_ranks(nobody, nobody.versions[0])
    assert (list(table.rows()), table.empty) == ([], "No version is ranked.")


def test_what_the_cases_cannot_separate_is_a_sentence() -> None:
    found = two_groups()
    # the pairs with "c" vary by one case: the composites of "a" by 1/24, those of "b" by 1/2 + 1/8 = 5/8, of 20 cases;
    # "a" against "b" varies by both. The median is that of "b": 2.8015852 * (5/8) / 20 (one case off among 20)
    assert views.power(found, found.versions[0]) == (
        "These 20 cases cannot separate versions whose composites are closer than 0.0875: a true difference of that"
        " size between a typical pair is found in 80 % of repetitions, at level 95 % and before any correction for the"
        " number of pairs."
    )


def test_too_few_resamples_for_so_many_pairs_are_named() -> None:
    runs = [a_run(c, subject=f"m{i}", score=12 - i % 5 - at) for i in range(10) for at, c in enumerate(CASES)]
    found = compute(records(runs), settings(resamples=1000))
    # 45 pairs, each p at least 2/1001: 45 * 2 / (B + 1) <= 0.05 from B = 1799
    words = " With 1,000 resamples nothing can be proven over 45 pairs: at least 1,799 are needed."
    assert views.power(found, found.versions[0]).endswith(words)
    enough = compute(records(runs), settings(resamples=1799))
    assert "resamples" not in views.power(enough, enough.versions[0])


def test_where_nothing_varies_it_is_not_known_what_can_be_separated(
    found: BenchmarkResults, version: VersionResults
) -> None:
    assert views.power(found, version) == (
        "What these cases can tell apart is not known: no two ranked versions differ from case to case."
    )
    alone = compute(records([a_run()]), settings())
    assert views.power(alone, alone.versions[0]) == ""


def test_a_lone_version_has_no_pair_and_says_so() -> None:
    found = compute(records([a_run()]), settings())
    table = views.pairs(found, found.versions[0])
    assert (list(table.rows()), table.empty) == ([], "There is no pair to compare.")


def test_an_empty_bin_has_no_mean_and_says_what_that_means(found: BenchmarkResults) -> None:
    table = views.bins(found, subject(found, "a"))  # confidences 0, 20, 40, 60
    rows = list(table.rows())
    assert table.finding == "4 of 10 bins hold runs."
    assert rows[1].cells[2:] == (Missing("empty bin: not drawn, contributes nothing"),) * 4
    assert rows[2].cells[2] == Num(Fraction(20, 100), href="benchmark/audit/a--1#number-bin-confidence-3")
    assert rows[2].cells[5] == Num(Fraction(20, 100) - 1, signed=True)


def test_bins_of_a_version_without_runs_are_a_sentence(found: BenchmarkResults) -> None:
    table = views.bins(found, subject(found, "none"))
    assert (list(table.rows()), table.empty) == ([], "There is nothing to show yet: no runs are scored.")


def test_families_show_counts_of_their_runs_and_a_dash_where_nothing_was_scored(
    found: BenchmarkResults, version: VersionResults
) -> None:
    table = views.passes(found, version)
    by_name = {row.cells[0].text: row for row in table.rows() if isinstance(row.cells[0], Text)}
    assert by_name["a"].cells[1:] == (
        Count(2, 2, "benchmark/audit/a--1#number-family-pass-rate-foul-x" + _digest(found, "FOUL")),
        Count(0, 2, "benchmark/audit/a--1#number-family-pass-rate-oxid-x" + _digest(found, "OXID")),
    )
    assert by_name["part"].cells[2] == Missing("no scored run in this family")


def _digest(found: BenchmarkResults, family: str) -> str:
    address = number_address(
        found,
        "benchmark.family.pass_rate",
        (("subject_id", "a"), ("subject_version", "1"), ("family", family)),
    )
    return address.rpartition("-x")[2]


def test_rank_ranges_are_exact_and_name_the_published_weight() -> None:
    runs = [a_run(CASES[0], subject="a", score=10), a_run(CASES[1], subject="a", score=0)]
    runs += [a_run(CASES[0], subject="b", score=9), a_run(CASES[1], subject="b", score=9)]
    # a: P = 1/2, mean 5/12; b: P = 0, mean 9/12. Equal where alpha/2 + (1 - alpha) 5/12 = (1 - alpha) 9/12: alpha = 2/5
    found = compute(records(runs), settings(alpha=Fraction(1, 2)))
    version = found.versions[0]
    table = views.ranges(found, version)
    shown = [(row.cells[0], row.cells[1], row.cells[3], row.cells[4], row.cells[5]) for row in table.rows()]
    name_a, name_b = Text("a", "1", "benchmark/subject/a--1"), Text("b", "1", "benchmark/subject/b--1")
    assert shown == [
        (name_a, Rank(2), Num(Fraction(0)), Num(Fraction(2, 5)), Text("")),
        (name_a, Rank(1), Num(Fraction(2, 5)), Num(Fraction(1)), Text("published")),
        (name_b, Rank(1), Num(Fraction(0)), Num(Fraction(2, 5)), Text("")),
        (name_b, Rank(2), Num(Fraction(2, 5)), Num(Fraction(1)), Text("published")),
    ]
    words = [row.cells[2] for row in table.rows()]
    assert words[:2] == [Math(r"\alpha \in [ 0, \tfrac{2}{5} )"), Math(r"\alpha \in [ \tfrac{2}{5}, 1 ]")]
    assert [row.cells[0] for row in views.crossings(found, version).rows()] == [Num(Fraction(2, 5))]
    assert sensitivity.stops(version) == "0.4000"
    assert views.order(found, version).endswith("changes at $\\alpha$ = 0.4, and nowhere else between 0 and 1.")


def test_an_order_that_never_changes_is_said_to_be_the_same(found: BenchmarkResults, version: VersionResults) -> None:
    assert "is the same for every" in views.order(found, version)
    assert list(views.crossings(found, version).rows()) == []


def test_a_rank_that_two_versions_hold_over_the_same_weights_is_marked() -> None:
    runs = [a_run(CASES[0], subject=name, score=score) for name, score in (("a", 10), ("b", 10), ("c", 9))]
    found = compute(records(runs), settings())
    table = views.ranges(found, found.versions[0])
    shown = {row.cells[0].text: row.cells[1] for row in table.rows() if isinstance(row.cells[0], Text)}
    assert shown["a"] == shown["b"]
    assert shown["a"] == Rank(1, tied=True)
    assert shown["c"] == Rank(3)


def test_the_best_family_means_are_named(found: BenchmarkResults, version: VersionResults) -> None:
    runs = [a_run(CASES[0], subject="a", score=9), a_run(CASES[0], subject="b", score=11)]
    one = compute(records(runs), settings())
    assert views.mean_scores(one, one.versions[0]).finding == "b 1 has the highest mean in 1 of 1 family."
    assert views.families_of(one, one.subjects[0]).finding == "The pass rate is 0.0000 in its family."


def test_lifted_runs_are_listed_and_counted(found: BenchmarkResults) -> None:
    part = subject(found, "part")
    assert views.lifted_runs(found, part).finding == "2 runs lifted from Fail to Conditional."
    assert views.lifted_words(part).startswith("2 runs are Conditional because of a recoverable fail")
    assert views.lifted_words(subject(found, "a")).startswith("No run of this version is lifted")


def test_fails_are_listed_with_what_they_are(found: BenchmarkResults) -> None:
    table = views.fails(found, subject(found, "gone"))
    assert table.finding == "1 run with a critical fail, 0 with a recoverable one."
    assert cells(table, "fails") == [Badge("alert", "critical")]
    assert views.fails(found, subject(found, "a")).finding == "No automatic fail."


def test_a_version_without_scored_runs_has_a_box_and_no_number(found: BenchmarkResults) -> None:
    none = subject(found, "none")
    assert "4 responses of this version have no scoring yet" in views.no_data(none)
    assert views.no_data(subject(found, "a")) == ""
    assert views.numbers(found, none).finding == "No number has a value yet."
    assert views.unscored(found, none).finding == "4 responses without a scoring."


def test_every_published_number_has_one_place_and_the_audit_pages_hold_all_of_them(found: BenchmarkResults) -> None:
    # p-values and the detectable difference stand in one line of the difference they are of
    tests = ("benchmark.pair.p_value", "benchmark.pair.p_holm", "benchmark.pair.detectable")
    places = [number_address(found, v.metric, v.of) for v in values(found) if v.metric not in tests]
    assert len(set(places)) == len(places)
    tested = [number_address(found, v.metric, v.of) for v in values(found) if v.metric in tests]
    assert len(tested) == len(tests) * len({*tested})
    assert {*tested}.isdisjoint(places)
    shown = set()
    for s in found.subjects:
        page = f"benchmark/audit/{number_address(found, 'benchmark.ece', _ids(s)).partition('#')[0].rpartition('/')[2]}"
        shown |= {f"{page}#{n.anchor}" for n in audit.own_numbers(found, s)}
        shown |= {f"{page}#{n.anchor}" for _, n in audit.pair_numbers(found, s)}
        shown |= {f"{page}#{r.anchor}" for group in audit.pair_tests(found, s).groups for r in group.rows}
    series = {p for p in places if "#number-family-" in p or "#number-bin-" in p}
    assert {*places, *tested} - series == shown


def _ids(s: Subject) -> tuple[tuple[str, str], ...]:
    return (("subject_id", s.subject_id), ("subject_version", s.subject_version))


def test_pages_have_different_addresses_and_the_parameters_of_their_subject(found: BenchmarkResults) -> None:
    jobs = page_jobs(found)
    assert len({job.docname for job in jobs}) == len(jobs) == 4 + 2 * 5
    hostile = [job for job in jobs if job.parameters.get("subject_id") == HOSTILE]
    assert [job.title for job in hostile] == [f"{HOSTILE} 1", f"Audit of {HOSTILE} 1"]
    assert all("<" not in job.docname and " " not in job.docname for job in jobs)


def test_several_benchmark_versions_are_named_and_kept_apart() -> None:
    runs = [a_run(benchmark_version=v, subject=s) for v in ("v1.0", "v2.0") for s in ("a", "b")]
    found = compute(records(runs), settings())
    tables = [views.leaderboard(found, v) for v in found.versions]
    assert len({table.id for table in tables}) == 2
    assert plain(tables[1].text).startswith("Benchmark version v2.0. ")
    assert [group.title for group in views.headline(found).groups] == [
        *("Benchmark v1.0", "Benchmark v1.0: not ranked", "Benchmark v2.0", "Benchmark v2.0: not ranked"),
    ]
    assert len({job.docname for job in page_jobs(found)}) == 4 + 2 * 4


def test_names_of_strangers_are_escaped_in_every_table(found: BenchmarkResults, version: VersionResults) -> None:
    hostile = subject(found, HOSTILE)
    tables = (
        views.headline(found), views.leaderboard(found, version), views.pairs(found, version),
        views.open_ranks(found, version),
        views.common_cases(found, version), views.calibration(found, version), views.passes(found, version),
        views.mean_scores(found, version), views.ranges(found, version), views.crossings(found, version),
        views.numbers(found, hostile), views.bins(found, hostile), views.runs(found, hostile),
    )  # fmt: skip
    for table in tables:
        assert "<b>x" not in str(table_fragment(table)["parts"]), table.id


def test_no_view_holds_a_row_that_does_not_fit_its_columns(found: BenchmarkResults) -> None:
    none = subject(found, "none")
    for view in (views.numbers, views.counts, views.families_of, views.fails, views.lifted_runs, views.runs):
        for row in view(found, none).rows():
            assert isinstance(row, Row)
