"""Standing, coverage, comparison, sensitivity and the files, on small inputs worked out by hand."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import settings as quick
from hypothesis import strategies as st
from statsmodels.stats.power import NormalIndPower

from evalreport.core.declare import in_range
from evalreport.core.exact import Undefined, Value, csv_text
from evalreport.core.suite import CsvTable
from evalreport.report.audit import audit_lines
from evalreport.suites.benchmark import SUITE
from evalreport.suites.benchmark.compute import compute
from evalreport.suites.benchmark.pages import number_address
from evalreport.suites.benchmark.records import Run, Unscored
from evalreport.suites.benchmark.results import BenchmarkResults, SubjectId
from evalreport.suites.benchmark.sensitivity import ranks, sensitivity
from tests.suites.benchmark.made import a_run, generated_runs, records, settings

CASES = ("RO-FOUL-001", "RO-FOUL-002", "RO-OXID-001", "RO-OXID-002")


def subject_runs(subject: str, scores: list[int], version: str = "1", *, critical: bool = False) -> list[Run]:
    """One run a case, with these scores."""
    return [
        a_run(c, subject=subject, version=version, score=s, critical=critical)
        for c, s in zip(CASES, scores, strict=False)
    ]


def table(results: BenchmarkResults, name: str) -> CsvTable:
    """One CSV table of the results."""
    (found,) = [t for t in SUITE.tables(results) if t.name == name]
    return found


def column(found: CsvTable, name: str) -> list[str]:
    """The cells of one column."""
    return [row[found.header.index(name)] for row in found.rows]


def number(value: Value) -> Fraction:
    """A value that must be there."""
    assert not isinstance(value, Undefined)
    return Fraction(value)


FIVE = [
    *subject_runs("b", [12, 12, 9, 9]),
    *subject_runs("a", [9, 9, 12, 12]),
    *subject_runs("c", [12, 12, 12, 12], critical=True),
    *subject_runs("d", [12, 12, 12]),
    *subject_runs("e", [1, 1, 1, 1]),
]
NOT_SCORED = [Unscored("v1.0", "f", "1", CASES[0], "r1"), Unscored("v1.0", "e", "1", CASES[0], "r2")]


def test_ties_share_a_rank_and_who_has_none_follows_with_the_reason() -> None:
    found = table(compute(records(FIVE, NOT_SCORED, {"v1.0": CASES}), settings()), "leaderboard")
    assert column(found, "subject_id") == ["a", "b", "e", "d", "c", "f"]
    assert column(found, "rank") == ["1", "1", "3", "", "", ""]
    assert column(found, "leaderboard_status") == [
        *("Eligible", "Eligible", "Eligible", "Incomplete", "Disqualified", "NoData")
    ]


def test_why_there_is_no_rank_is_said() -> None:
    results = compute(records(FIVE, NOT_SCORED, {"v1.0": CASES}), settings())
    assert {s.subject_id: s.values["rank"] for s in results.subjects if s.rank is None} == {
        "c": Undefined("disqualified by a critical fail"),
        "d": Undefined("scored on 3 of 4 cases"),
        "f": Undefined("no scored runs"),
    }


def test_a_lower_minimum_coverage_ranks_the_incomplete_subject() -> None:
    results = compute(records(FIVE, NOT_SCORED, {"v1.0": CASES}), settings(min_coverage=Fraction(3, 4)))
    assert results.subject("d", "1").rank == 1
    assert results.subject("a", "1").rank == 2


def test_a_subject_without_scorings_is_listed_with_empty_cells() -> None:
    found = table(compute(records(FIVE, NOT_SCORED, {"v1.0": CASES}), settings()), "metrics_per_subject")
    row = dict(zip(found.header, found.rows[-1], strict=True))
    assert (row["subject_id"], row["n_runs"], row["n_unscored"], row["coverage"]) == ("f", "0", "1", "0.0000")
    for name in ("pass_rate", "brier", "ece", "q_final", "rank", "pass_rate_low", "ece_null_mean", "ece_label"):
        assert row[name] == "", name
    assert column(found, "n_unscored") == ["0", "0", "0", "0", "1", "1"]


def test_a_critical_fail_disqualifies_that_version_only() -> None:
    runs = [*subject_runs("m", [12] * 4, "1", critical=True), *subject_runs("m", [12] * 4, "2")]
    results = compute(records(runs), settings())
    assert [(s.id, s.status, s.rank) for s in results.subjects] == [
        (("m", "1"), "Disqualified", None),
        (("m", "2"), "Eligible", 1),
    ]
    assert results.subject("m", "1").values["pass_rate"] == 0
    assert results.subject("m", "1").values["mean_clipped_score"] == 12


def test_the_view_over_common_cases_compares_everybody_on_the_same_cases() -> None:
    view = compute(records(FIVE, NOT_SCORED, {"v1.0": CASES}), settings()).versions[0].common
    assert view.cases == CASES[:3]
    # b passes 2 of 3 with 33 points, a 1 of 3 with 30, d 3 of 3; c is disqualified.
    assert [(row.subject[0], row.rank, row.values["pass_rate"]) for row in view.rows] == [
        ("d", 1, 1),
        ("b", 2, Fraction(2, 3)),
        ("a", 3, Fraction(1, 3)),
        ("e", 4, 0),
        ("c", None, 0),
    ]


def test_without_a_common_case_the_common_view_has_no_ranks() -> None:
    runs = [a_run(CASES[0], subject="a"), a_run(CASES[1], subject="b")]
    results = compute(records(runs), settings())
    assert results.versions[0].common.cases == ()
    assert [row.rank for row in results.versions[0].common.rows] == [None, None]
    (pair,) = results.versions[0].pairs
    d = pair.differences["q_final"]
    assert (pair.cases, d.value, d.interval.low, d.p) == ((), Undefined("no common case"), None, None)
    assert d.interval.note == "n = 0: no interval"


def test_two_benchmark_versions_are_two_results() -> None:
    runs = [*subject_runs("m", [12] * 4), *(a_run(c, subject="m", score=0, benchmark_version="v2.0") for c in CASES)]
    results = compute(records(runs), settings())
    assert [(s.benchmark_version, s.values["pass_rate"], s.rank) for s in results.subjects] == [
        ("v1.0", 1, 1),
        ("v2.0", 0, 1),
    ]
    names = {dict(v.of).get("benchmark_version") for v in SUITE.values(results)}
    assert names == {"v1.0", "v2.0"}
    assert "benchmark_version" not in dict(next(iter(SUITE.values(compute(records(FIVE), settings())))).of)


# ---- intervals


def test_the_pass_rate_of_one_run_a_case_has_wilsons_interval() -> None:
    s = compute(records(subject_runs("m", [12] * 4)), settings()).subject("m", "1")
    found = s.intervals["pass_rate"]
    assert (found.method, found.high, found.note) == ("Wilson", 1, "4 of 4")
    assert found.low is not None
    assert round(float(found.low), 4) == 0.5101
    assert s.intervals["mean_clipped_score"].note.startswith("degenerate")


def test_several_runs_of_a_case_are_resampled_together() -> None:
    runs = [a_run(CASES[0], run_id=f"r{i}", score=12) for i in range(50)]
    runs += [a_run(CASES[1], run_id=f"r{i}", score=0) for i in range(50)]
    found = compute(records(runs), settings(resamples=2000)).subject("m", "1").intervals["pass_rate"]
    # Two cases, not a hundred runs: one case is drawn twice in half of the resamples.
    assert (found.low, found.high, found.n, found.method) == (0, 1, 2, "percentile bootstrap over cases")


def test_another_subject_or_another_order_changes_no_interval() -> None:
    own = subject_runs("m", [12, 9, 4, 10])
    alone = compute(records(own), settings()).subject("m", "1")
    more = compute(records([*reversed(own), *FIVE]), settings()).subject("m", "1")
    assert alone.intervals == more.intervals
    assert alone.null == more.null


def test_the_seed_changes_intervals_and_no_value() -> None:
    one, two = (compute(records(FIVE), settings(seed=seed, resamples=999)) for seed in (1, 2))
    for a, b in zip(one.subjects, two.subjects, strict=True):
        assert a.values == {**b.values, "ece_null": a.values["ece_null"]}
    assert one.versions[0].pairs[0].differences["q_final"].interval.seed == 1


# ---- pairs


def test_a_pair_is_compared_over_its_common_cases() -> None:
    (pair,) = (
        compute(records([*subject_runs("x", [12, 9, 9, 0]), *subject_runs("a", [9, 9, 0])]), settings())
        .versions[0]
        .pairs
    )
    assert (pair.a, pair.b, pair.cases) == (("a", "1"), ("x", "1"), CASES[:3])
    # a: 0 of 3 pass, 18 points; x: 1 of 3, 30 points.
    assert pair.differences["pass_rate"].value == Fraction(-1, 3)
    assert pair.differences["mean_clipped_score"].value == Fraction(18 - 30, 3)
    assert pair.differences["q_final"].value == Fraction(-1, 3) / 2 + Fraction(-4, 12) / 2


def test_equal_subjects_differ_by_nothing_and_that_is_marked() -> None:
    (pair,) = (
        compute(records([*subject_runs("x", [12, 9, 3, 0]), *subject_runs("a", [12, 9, 3, 0])]), settings())
        .versions[0]
        .pairs
    )
    d = pair.differences["q_final"]
    assert [d.value, d.interval.low, d.interval.high, d.p] == [0, 0, 0, 1]
    assert d.interval.note.startswith("degenerate")


def test_the_interval_of_a_difference_lies_around_it() -> None:
    for pair in compute(records(FIVE), settings()).versions[0].pairs:
        for key, d in pair.differences.items():
            if d.interval.low is not None and d.interval.high is not None and not isinstance(d.value, Undefined):
                least = Fraction(1, 10**14)  # limits are rounded to 15 decimals
                assert d.interval.low - least <= d.value <= d.interval.high + least, (pair.a, pair.b, key)


def test_pairs_are_corrected_for_how_many_there_are() -> None:
    version = compute(records(FIVE), settings(resamples=999)).versions[0]
    assert len(version.pairs) == 10
    d = next(p for p in version.pairs if (p.a[0], p.b[0]) == ("a", "e")).differences["mean_clipped_score"]
    assert d.p == Fraction(2, 1000)
    assert d.adjusted is not None
    assert d.p < d.adjusted <= 10 * d.p


def test_the_detectable_difference_is_that_of_the_power_of_a_paired_test() -> None:
    (pair,) = (
        compute(records([*subject_runs("x", [12, 9, 3, 0]), *subject_runs("a", [12, 12, 3, 6])]), settings())
        .versions[0]
        .pairs
    )
    # differences of scores, case by case: 0, 3, 0, 6; their mean 2.25, their variance (5.0625 + 0.5625 + 5.0625
    # + 14.0625) / 3 = 8.25
    error = (8.25 / 4) ** 0.5
    d = pair.differences["mean_clipped_score"]
    assert float(number(d.detectable)) == pytest.approx((1.959963985 + 0.841621234) * error, rel=1e-8)
    # with so many degrees of freedom that t is normal, that power is 80 % (the other tail adds next to nothing)
    power = NormalIndPower().power(float(number(d.detectable)) / error, 1, 0.05, ratio=0)
    assert power == pytest.approx(0.8, abs=1e-5)


def test_several_runs_of_a_case_count_as_one_case_for_what_can_be_detected() -> None:
    once = [*subject_runs("x", [12, 9, 3, 0]), *subject_runs("a", [12, 12, 3, 6])]
    thrice = [replace(run, run_id=f"r{k}") for run in once for k in range(3)]
    (one,), (three,) = (compute(records(runs), settings()).versions[0].pairs for runs in (once, thrice))
    for key, d in one.differences.items():
        assert three.differences[key].detectable == d.detectable, key


def test_a_case_of_more_runs_pulls_more() -> None:
    runs = [a_run(CASES[0], subject="x", score=12), a_run(CASES[1], subject="x", score=0)]
    runs += [a_run(CASES[0], subject="a", score=12, run_id=f"r{k}") for k in range(3)]
    runs += [a_run(CASES[1], subject="a", score=2)]
    (pair,) = compute(records(runs), settings()).versions[0].pairs
    # a has 38 points in 4 runs, mean 9.5: its cases pull 2/4 * (36 - 3 * 9.5) = 3.75 and 2/4 * (2 - 9.5) = -3.75;
    # x has the mean 6: 6 and -6. Difference -2.25 and 2.25; standard error sqrt(2/1 * 2 * 2.25²) / 2 = 2.25.
    # Passes of a: 2/4 * (3 - 3 * 3/4) = 0.375, of x 0.5; standard error 0.125.
    for key, error in (("mean_clipped_score", 2.25), ("pass_rate", 0.125)):
        reach = number(pair.differences[key].detectable)
        assert float(reach) == pytest.approx((1.959963985 + 0.841621234) * error, rel=1e-8), key


def test_one_common_case_detects_nothing() -> None:
    (pair,) = compute(records([a_run(subject="a"), a_run(subject="b")]), settings()).versions[0].pairs
    assert {d.detectable for d in pair.differences.values()} == {Undefined("fewer than two common cases")}


# ---- ranks that are not ruled out


TWENTY = [f"RO-FOUL-{i:03d}" for i in range(20)]


def made_of(subject: str, scores: Iterable[int]) -> list[Run]:
    """One run on each of twenty cases."""
    return [a_run(c, subject=subject, score=s) for c, s in zip(TWENTY, scores, strict=True)]


GROUPS = [
    *made_of("best", [12] * 19 + [10]),
    *made_of("close", [12] * 19 + [9]),
    *made_of("middle", [7] * 10 + [8] * 10),
    *made_of("last", [1] * 20),
    *made_of("out", [0] * 20),
]


def test_ranks_not_ruled_out_and_tie_groups_stand_at_the_end_of_the_leaderboard() -> None:
    runs = [replace(r, critical=True) if r.subject_id == "out" else r for r in GROUPS]
    found = table(compute(records(runs), settings(resamples=999)), "leaderboard")
    assert found.header[-4:] == ("benchmark_version", "rank_lo", "rank_hi", "tie_group")
    assert [(row[1], *row[-3:]) for row in found.rows] == [
        ("best", "1", "2", "1"),
        ("close", "1", "2", "1"),
        ("middle", "3", "3", "2"),
        ("last", "4", "4", "3"),
        ("out", "", "", ""),
    ]


def test_an_adjusted_p_of_exactly_one_minus_the_level_is_proof() -> None:
    # 2 / 1000 for one pair alone
    runs = [*made_of("a", [12] * 20), *made_of("b", [1] * 20)]
    exact = compute(records(runs), settings(resamples=999, level=Fraction(998, 1000)))
    (pair,) = exact.versions[0].pairs
    assert pair.differences["q_final"].adjusted == Fraction(2, 1000)
    assert [s.values["tie_group"] for s in exact.versions[0].leaderboard] == [1, 2]
    stricter = compute(records(runs), settings(resamples=999, level=Fraction(9981, 10000)))
    assert [s.values["tie_group"] for s in stricter.versions[0].leaderboard] == [1, 1]


def test_where_common_cases_and_all_cases_disagree_nothing_is_proven() -> None:
    # on ten common cases "x" is ahead by 2 points each; it fails the ten that "y" was not scored on
    runs = [*made_of("x", [12] * 10 + [0] * 10), *made_of("y", [10] * 20)[:10]]
    version = compute(records(runs), settings(resamples=999, min_coverage=Fraction(1, 2))).versions[0]
    assert version.pairs[0].differences["q_final"].proven(Fraction(95, 100))
    keys = ("rank", "rank_low", "rank_high", "tie_group")
    assert [(s.subject_id, *(s.values[k] for k in keys)) for s in version.leaderboard] == [
        ("y", 1, 1, 2, 1),
        ("x", 2, 1, 2, 1),
    ]


def test_an_unrelated_subject_changes_no_value_no_interval_and_no_raw_p() -> None:
    def told(runs: list[Run]) -> dict[object, object]:
        dependent = ("rank", "rank_low", "rank_high", "tie_group", "pair.p_holm")
        return {
            (v.metric, v.of): v
            for v in SUITE.values(compute(records(runs), settings()))
            if v.metric.removeprefix("benchmark.") not in dependent and "close" not in dict(v.of).values()
        }

    without = [r for r in GROUPS if r.subject_id != "close"]
    assert told(GROUPS) == told(without)
    assert told(without)


@quick(deadline=None, max_examples=25)
@given(generated_runs(subjects=4, most=30), st.sampled_from([Fraction(0), Fraction(1, 2)]))
def test_every_rank_lies_among_those_not_ruled_out(runs: list[Run], least: Fraction) -> None:
    runs = [replace(r, critical=False) for r in runs]
    # a low level proves much, so that intervals are narrow
    chosen = settings(resamples=20, null_draws=20, min_coverage=least, level=Fraction(1, 10))
    for version in compute(records(runs), chosen).versions:
        ranked = [s.values for s in version.leaderboard if s.rank is not None]
        for v in ranked:
            low, rank, high = (number(v[k]) for k in ("rank_low", "rank", "rank_high"))
            assert 1 <= low <= rank <= high <= len(ranked)
        groups = [number(v["tie_group"]) for v in ranked]
        assert groups == sorted(groups)
        assert groups[:1] == [1][: len(ranked)]


# ---- sensitivity


def test_ranges_and_crossings_of_two_subjects_are_exact() -> None:
    a, b = ("a", "1"), ("b", "1")
    # Composite of a: 3/5 alpha + 4/5 (1 - alpha); of b: 9/10 alpha + 1/2 (1 - alpha); equal at alpha = 1/2.
    found = sensitivity({a: Fraction(3, 5), b: Fraction(9, 10)}, {a: Fraction(4, 5), b: Fraction(1, 2)})
    assert [(c.alpha, c.q_final) for c in found.crossings] == [(Fraction(1, 2), Fraction(7, 10))]
    half = Fraction(1, 2)
    assert [(r.subject[0], r.rank, r.low, r.high, r.low_in, r.high_in) for r in found.ranges] == [
        ("a", 1, 0, half, True, True),
        ("a", 2, half, 1, False, True),
        ("b", 2, 0, half, True, False),
        ("b", 1, half, 1, True, True),
    ]


@quick(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(st.fractions(0, 1, max_denominator=6), st.fractions(0, 1, max_denominator=6)), max_size=5),
    st.fractions(0, 1, max_denominator=40),
)
def test_the_ranges_give_the_ranks_of_every_alpha(points: list[tuple[Fraction, Fraction]], alpha: Fraction) -> None:
    passed: dict[SubjectId, Fraction] = {(f"s{i}", "1"): p for i, (p, _) in enumerate(points)}
    score: dict[SubjectId, Fraction] = {(f"s{i}", "1"): q for i, (_, q) in enumerate(points)}
    found = sensitivity(passed, score)
    for alpha_ in (alpha, *(c.alpha for c in found.crossings)):
        expected = ranks({s: alpha_ * passed[s] + (1 - alpha_) * score[s] for s in passed})
        there = {
            r.subject: r.rank
            for r in found.ranges
            if (r.low < alpha_ or (r.low == alpha_ and r.low_in))
            and (alpha_ < r.high or (r.high == alpha_ and r.high_in))
        }
        assert there == expected


# ---- files


def test_new_columns_stand_after_the_published_ones() -> None:
    results = compute(records(FIVE), settings())
    assert table(results, "metrics_per_subject").header[:15] == (
        *("subject_id", "subject_version", "n_runs", "n_pass", "n_conditional", "n_fail", "n_critical_fails"),
        *("n_recoverable_fails", "pass_rate", "mean_clipped_score", "brier", "ece", "alpha", "q_final"),
        "leaderboard_status",
    )
    for found in SUITE.tables(results):
        assert len(set(found.header)) == len(found.header), found.name
        assert all(len(row) == len(found.header) for row in found.rows), found.name


def test_rows_of_the_run_table_go_by_subject_case_and_run() -> None:
    runs = [a_run("RO-FOUL-002", subject="z"), a_run("RO-FOUL-001", subject="z", run_id="r2"), a_run(subject="Z")]
    found = table(compute(records(runs), settings()), "per_run")
    assert [(r[0], r[2], r[4]) for r in found.rows] == [
        ("Z", "RO-FOUL-001", "r1"),
        ("z", "RO-FOUL-001", "r2"),
        ("z", "RO-FOUL-002", "r1"),
    ]


@quick(deadline=None, max_examples=25)
@given(generated_runs(subjects=3, most=14))
def test_all_published_values_agree_with_formulas_and_lie_in_their_ranges(runs: list[Run]) -> None:
    cases = sorted({*CASES, *(r.case_id for r in runs)})
    results = compute(records(runs, cases={"v1.0": cases}), settings(resamples=20, null_draws=20))
    audit_lines(SUITE.audit(results))
    found = list(SUITE.values(results))
    for v in found:
        assert in_range(SUITE.declarations.metrics[v.metric], v.value), v.metric
    assert len({(v.metric, v.of) for v in found}) == len(found)


def test_every_published_metric_is_declared_with_these_ids() -> None:
    for v in SUITE.values(compute(records(FIVE), settings())):
        assert tuple(name for name, _ in v.of) == SUITE.declarations.metrics[v.metric].of


def test_p_values_of_pairs_are_published_as_in_their_table() -> None:
    results = compute(records(FIVE), settings())
    found = {(v.metric, *(text for _, text in v.of)): v for v in SUITE.values(results)}
    rows = [dict(zip(t.header, row, strict=True)) for t in SUITE.tables(results) if t.name == "pairs" for row in t.rows]
    assert len(rows) >= 3
    for row in rows:
        pair = tuple(row[name] for name in ("subject_a", "version_a", "subject_b", "version_b"))
        for difference in ("q_final", "pass_rate", "mean_clipped_score"):
            for key, end in (("p_value", "p"), ("p_holm", "p_holm")):
                one = found[f"benchmark.pair.{key}", *pair, difference]
                assert csv_text(one.value) == row[f"{difference}_{end}"]
                assert SUITE.address is not None
                assert SUITE.address(results, one) == SUITE.address(
                    results, found["benchmark.pair.detectable", *pair, difference]
                )


def test_no_two_numbers_pages_or_files_of_two_benchmark_versions_meet() -> None:
    versions = ["v1", "v1.0", "v1_0", "v1-0", "vA", "va", "v<b>", "v../x"]
    runs = [
        a_run(case_id, subject=name, benchmark_version=v) for v in versions for name in ("m", "M") for case_id in CASES
    ]
    results = compute(records(runs), settings())
    numbers = list(SUITE.values(results))
    for names in (
        [(v.metric, *v.of) for v in numbers],
        [job.docname.lower() for job in SUITE.pages(results)],
        [job.title for job in SUITE.pages(results)],
        [(f"{t.name}.csv", row) for t in SUITE.tables(results) for row in t.rows],
    ):
        assert len(set(names)) == len(names)
    # the tests of a difference share a line: one of them stands for all
    own = [v for v in numbers if v.metric not in ("benchmark.pair.p_holm", "benchmark.pair.detectable")]
    places = {number_address(results, v.metric, v.of).lower() for v in own}
    assert len(places) == len(own)


def test_results_survive_pickling() -> None:
    results = compute(records(FIVE, NOT_SCORED), settings())
    assert pickle.loads(pickle.dumps(results)) == results


def test_every_subject_version_has_its_own_pages() -> None:
    names = ["a_$", "A_$", "日本", "../x", "<script>"]
    results = compute(records(r for n in names for r in subject_runs(n, [9])), settings())
    docnames = [job.docname for job in SUITE.pages(results)]
    assert len({d.lower() for d in docnames}) == len(docnames) == 4 + 2 * len(names)
    assert all(d.replace("/", "").replace("-", "").isalnum() and d.isascii() for d in docnames)
