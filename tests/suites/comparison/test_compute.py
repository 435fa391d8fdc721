"""Ranks, wins, ties, runs, items, weights, clusters and tests, by hand and against scipy."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from scipy import stats

from evalreport.core.exact import Undefined
from evalreport.report.audit import audit_lines
from evalreport.suites.comparison import SUITE
from evalreport.suites.comparison.notation import d
from tests.suites.comparison.building import board, model, number, pair, results, row, write


def grid(tmp_path: Path, **scores: str) -> Path:
    """A table from digits: one letter a task, tenths of a score; a dot is a task that was not run, x is 1."""
    rows = [
        row(name, f"t{at:02}", 1.0 if digit == "x" else int(digit) / 10)
        for name, digits in scores.items()
        for at, digit in enumerate(digits)
        if digit != "."
    ]
    return write(tmp_path, rows)


def test_equal_means_share_a_rank_and_the_next_one_is_skipped(tmp_path: Path) -> None:
    found = board(grid(tmp_path, a="57", b="66", c="x9", d="10"))
    assert [(r.model_id, r.rank, r.tied) for r in found.rows] == [
        ("c", 1, False),
        ("a", 2, True),
        ("b", 2, True),
        ("d", 4, False),
    ]


def test_ties_are_full_wins_and_a_task_that_all_won_is_counted(tmp_path: Path) -> None:
    found = board(grid(tmp_path, a="55", b="54"))
    assert [(r.model_id, r.wins, r.win_rate) for r in found.rows] == [("a", 2, 1), ("b", 1, Fraction(1, 2))]
    assert found.all_won == 1


@pytest.mark.parametrize(("gap", "wins"), [(Fraction(1, 10**12), 1), (Fraction(1001, 10**15), 0)])
def test_a_win_may_be_short_of_the_best_by_1e_12_and_no_more(tmp_path: Path, gap: Fraction, wins: int) -> None:
    low = f"{float(Fraction(1, 2) - gap):.16f}"
    text = f"model_id,task_id,score\na,t,0.5\nb,t,{low}\n"
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    assert model(board(tmp_path), "b").wins == wins


def test_runs_and_items_become_one_score_a_task(tmp_path: Path) -> None:
    rows = [
        row("m", "t", 1, run_id="1", item_id="i"),
        row("m", "t", 0, run_id="1", item_id="j"),
        row("m", "t", 1, run_id="2", item_id="i"),
        row("m", "u", 0.25, run_id="1"),
        row("m", "u", 0.75, run_id="2"),
    ]
    found = board(write(tmp_path, rows))
    # run 1: 1/2, run 2: 1 -> 3/4; and 1/2
    assert found.rows[0].mean == (Fraction(3, 4) + Fraction(1, 2)) / 2
    assert found.board.scores["m", "t"].n == 2


def test_a_mean_of_binary_scores_has_wilsons_interval_beside_it(tmp_path: Path) -> None:
    found = board(grid(tmp_path, a="xxxxxxxx00", b="xxxxxxxxxx"))
    expected = stats.binomtest(8, 10).proportion_ci(0.95, method="wilson")
    wilson = model(found, "a").wilson
    assert wilson is not None
    assert (float(number(wilson.low)), float(number(wilson.high))) == pytest.approx((expected.low, expected.high))
    b = model(found, "b")
    assert (b.interval.low, b.interval.high, b.interval.note) == (1, 1, "degenerate: all scores are equal")
    assert b.wilson is not None
    assert number(b.wilson.low) < 1


def test_a_win_rate_has_wilsons_interval(tmp_path: Path) -> None:
    found = model(board(grid(tmp_path, a="5544", b="4455")), "a")
    expected = stats.binomtest(2, 4).proportion_ci(0.95, method="wilson")
    limits = float(number(found.win_interval.low)), float(number(found.win_interval.high))
    assert limits == pytest.approx((expected.low, expected.high))


def test_binary_pairs_are_tested_by_mcnemar(tmp_path: Path) -> None:
    found = pair(board(grid(tmp_path, a="xxxxxxx0", b="0000xxxx")), "a", "b")
    assert (found.better_a, found.better_b, found.p_method) == (4, 1, "McNemar, exact")
    assert float(number(found.p)) == pytest.approx(stats.binomtest(1, 5).pvalue)


def test_constant_differences_are_degenerate_and_not_certain_from_two_tasks(tmp_path: Path) -> None:
    found = pair(board(grid(tmp_path, a="65", b="54")), "a", "b")
    assert (found.interval.low, found.interval.high) == (Fraction(1, 10), Fraction(1, 10))
    assert found.interval.note == "degenerate: all differences are equal"
    assert found.significant is True
    assert found.p == Fraction(2, 5)


def test_a_drawn_p_value_counts_itself_once(tmp_path: Path) -> None:
    scores = (0.5123457, 0.6543217, 0.7812349, 0.4321987, 0.9012347)
    rows = [row("a", f"t{at}", score) for at, score in enumerate(scores)]
    rows += [row("b", f"t{at}", score - 0.1 - at / 1000) for at, score in enumerate(scores)]
    found = pair(board(write(tmp_path, rows), resamples=400), "a", "b")
    assert (found.p_method, found.p) == ("percentile bootstrap", Fraction(2, 401))


def test_equal_models_are_equal_everywhere(tmp_path: Path) -> None:
    found = pair(board(grid(tmp_path, a="0x3", b="0x3")), "a", "b")
    assert (found.difference, found.significant, found.p) == (Fraction(0), False, Fraction(1))


def test_adjusted_values_say_over_how_many_pairs(tmp_path: Path) -> None:
    found = board(grid(tmp_path, a="987987987987", b="546546645465", c="121212212112"))
    assert found.tested == 3
    for one in found.pairs:
        assert number(one.p) <= number(one.fdr) <= number(one.holm)


def test_rank_intervals_come_from_what_is_proven(tmp_path: Path) -> None:
    found = board(grid(tmp_path, a="989898989898", b="898989898989", c="121212121212"))
    assert [(r.model_id, r.rank_lo, r.rank_hi, r.tie_group) for r in found.rows] == [
        ("a", 1, 2, 1),
        ("b", 1, 2, 1),
        ("c", 3, 3, 2),
    ]


def test_limits_for_all_pairs_at_once_are_wider(tmp_path: Path) -> None:
    found = board(grid(tmp_path, a="938271645", b="546354645", c="121232121", d="837261524"))
    for one in found.pairs:
        assert one.simultaneous is not None
        assert number(one.simultaneous.low) <= number(one.interval.low)
        assert number(one.simultaneous.high) >= number(one.interval.high)
        assert "over 6 pairs" in one.simultaneous.method


def test_weights_are_honoured_only_when_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path, [row("m", "t", 1, weight=3), row("m", "u", 0, weight=1), row("n", "t", 0, weight=3)])
    assert model(board(path), "m").mean == Fraction(1, 2)
    weighted = board(path, weights=True)
    assert model(weighted, "m").mean == Fraction(3, 4)
    assert pair(weighted, "m", "n").difference == 1


def weighted(folder: Path, *weights: float) -> Path:
    """Three models on as many tasks as there are weights, two tasks a cluster."""
    return write(
        folder,
        [
            row(name, f"t{t}", (3 * k + 2 * t) % 7 / 10, weight=weight, cluster=f"k{t // 2}")
            for k, name in enumerate("abc")
            for t, weight in enumerate(weights)
        ],
    )


@pytest.mark.parametrize(
    "weights", [(0, 0, 0), (1, 0, 0), (2, 0, 1), (0, 0, 2, 1), (1e300, 1, 1), (1e-300, 0, 1e-300), (1e-12, 1e12, 5, 3)]
)
@pytest.mark.parametrize("cluster", [None, "cluster"])
def test_weights_of_any_size_give_limits_or_the_reason_and_agree_with_the_formulas(
    tmp_path: Path, weights: tuple[float, ...], cluster: str | None
) -> None:
    found = results(weighted(tmp_path, *weights), weights=True, cluster=cluster)
    intervals = [*(r.interval for r in found.boards[0].rows), *(pair.interval for pair in found.boards[0].pairs)]
    for interval in intervals:
        assert (interval.low is None) == bool(interval.note)
    audit_lines(SUITE.audit(found))


def test_a_task_of_weight_zero_is_in_no_resample(tmp_path: Path) -> None:
    # scores of a are 0, 0.2, 0.4: without the middle one a mean lies between 0 and 0.4, and neither end is rare
    interval = model(board(weighted(tmp_path, 1, 0, 1), weights=True), "a").interval
    assert (interval.low, interval.high) == (0, Fraction(2, 5))
    alone = model(board(weighted(tmp_path, 1, 0, 0), weights=True), "a").interval
    assert (alone.low, alone.note) == (None, "one weight is above 0: no interval")


def test_a_cluster_without_weight_is_none(tmp_path: Path) -> None:
    found = board(weighted(tmp_path, 0, 0, 2, 1), weights=True, cluster="cluster")
    assert isinstance(model(found, "a").standard_error, Undefined)


def test_clusters_widen_an_interval_and_the_method_says_so(tmp_path: Path) -> None:
    rows = [row("m", f"t{t:02}", float(t // 4 % 2), category=f"c{t // 4}") for t in range(16)]
    path = write(tmp_path, rows)
    plain, clustered = board(path).rows[0], board(path, cluster="category").rows[0]
    assert number(clustered.interval.high) - number(clustered.interval.low) > number(plain.interval.high) - number(
        plain.interval.low
    )
    assert clustered.interval.method == "two-stage percentile bootstrap over clusters"
    assert plain.interval.method == "exact bootstrap distribution"
    # four clusters with sums of deviations ±2: sqrt(4/3 * 4 * 4) / 16
    assert float(number(clustered.standard_error)) == pytest.approx((4 / 3 * 16) ** 0.5 / 16)
    assert clustered.wilson is None


def test_one_cluster_gives_no_interval(tmp_path: Path) -> None:
    path = write(tmp_path, [row("m", "t", 1), row("m", "u", 0), row("n", "t", 0), row("n", "u", 0)])
    found = board(path, cluster="category")
    assert found.rows[0].interval.note == "one cluster: no interval"
    assert found.pairs[0].significant is None
    assert isinstance(found.rows[0].standard_error, Undefined)


def test_any_column_may_name_the_clusters_and_tasks_without_one_stand_alone(tmp_path: Path) -> None:
    rows = [row("m", f"t{t}", t % 2, book="x" if t < 2 else "") for t in range(4)]
    found = board(write(tmp_path, rows), cluster="book")
    assert [task.cluster for task in found.board.tasks] == ["x", "x", "", ""]
    # clusters {t0, t1}, {t2}, {t3} with sums of deviations 0, −½, +½: sqrt(3/2 * 1/2) / 4
    assert float(number(found.rows[0].standard_error)) == pytest.approx(0.75**0.5 / 4)


def test_what_these_tasks_can_separate_is_the_typical_detectable_difference(tmp_path: Path) -> None:
    found = board(grid(tmp_path, a="938271645", b="546354645", c="121232121"))
    detectable = sorted(number(one.detectable) for one in found.pairs)
    assert found.separable == detectable[1]
    z = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    differences = [int(x) / 10 - int(y) / 10 for x, y in zip("938271645", "546354645", strict=True)]
    assert float(number(pair(found, "a", "b").detectable)) == pytest.approx(z * stats.sem(differences), abs=1e-9)


def test_a_model_that_misses_a_task_stands_after_the_others(tmp_path: Path) -> None:
    found = board(grid(tmp_path, a="55", b="x.", c=".9"))
    assert [(r.model_id, r.rank, r.status) for r in found.rows] == [
        ("a", 1, "complete"),
        ("b", None, "missing tasks"),
        ("c", None, "missing tasks"),
    ]
    assert isinstance(model(found, "b").common_mean, Undefined)


def test_no_scores_give_no_leaderboard(tmp_path: Path) -> None:
    assert results(write(tmp_path, [])).boards == ()


@pytest.mark.parametrize("key", ["p_adjusted", "p_fdr"])
def test_a_correction_asks_each_pair_about_the_others_once(key: str) -> None:
    # what counts pairs is a definition of its own: inside the formula the audit would cost the cube of the pairs
    assert r"\#" not in (d.metrics[f"comparison.{key}"].formula or "")


def test_corrections_of_very_many_pairs_are_left_to_their_references(tmp_path: Path) -> None:
    def audited(models: int) -> set[str]:
        rows = [row(f"m{at:02}", f"t{t}", (at * t) % 3 / 2) for at in range(models) for t in (1, 2)]
        return {entry.metric.key for entry in SUITE.audit(results(write(tmp_path, rows)))}

    few, many = audited(6), audited(46)  # 15 and 1035 pairs
    assert few - many == {"comparison.p_adjusted", "comparison.p_fdr"}
