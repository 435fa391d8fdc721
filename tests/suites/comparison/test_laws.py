"""Order, partition, other models and other tasks change no byte of what does not depend on them."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalreport.report.audit import audit_lines
from evalreport.suites.comparison import SUITE
from evalreport.suites.comparison.values import result_values
from tests.suites.comparison.building import files, results, row, write

DATA = Path(__file__).parents[3] / "data" / "comparison"
# continuous scores are drawn, two decimals are counted or drawn, halves and 0/1 are counted
GRAINS = (10**6, 100, 2, 1)


@st.composite
def tables(draw: st.DrawFn) -> list[dict[str, object]]:
    """A table of two to four models on two to six tasks, some of which are not run."""
    grain = draw(st.sampled_from(GRAINS))
    rows = []
    for m in range(draw(st.integers(2, 4))):
        for t in range(draw(st.integers(2, 6))):
            if draw(st.integers(0, 9)):
                score = float(Fraction(draw(st.integers(0, grain)), grain))
                rows.append(row(f"m{m}", f"t{t}", score, category=f"c{t % 2}", weight=1 + t % 3, cluster=f"k{t // 2}"))
    return rows


quick = settings(deadline=None, max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(tables(), st.sampled_from([{}, {"weights": True}, {"cluster": "cluster"}]))
@quick
def test_row_order_and_partition_change_no_byte(
    tmp_path: Path, rows: list[dict[str, object]], given: dict[str, bool | str]
) -> None:
    whole = write(tmp_path / "whole", rows)
    shuffled = list(reversed(rows))
    for old in (tmp_path / "parts").glob("*"):
        old.unlink()
    write(tmp_path / "parts", shuffled[::2], "a.json")
    write(tmp_path / "parts", shuffled[1::2], "b.json")
    one, two = files(whole, **given), files(tmp_path / "parts", **given)
    for name in one:
        if name != "tasks":  # it names the files
            assert one[name] == two[name]


def published(path: Path, **given: bool | str) -> dict[tuple[str, tuple[tuple[str, str], ...]], str]:
    return {
        (value.metric, value.of): repr((value.value, value.n, value.interval))
        for value in result_values(results(path, **given))
    }


@given(tables(), st.sampled_from([{}, {"weights": True}, {"cluster": "cluster"}]))
@quick
def test_another_model_changes_no_mean_no_interval_and_no_raw_p(
    tmp_path: Path, rows: list[dict[str, object]], given: dict[str, bool | str]
) -> None:
    stranger = [
        row("stranger", f"t{t}", 0.123457, category=f"c{t % 2}", weight=1 + t % 3, cluster=f"k{t // 2}") for t in (0, 1)
    ]
    before = published(write(tmp_path / "before", rows), **given)
    after = published(write(tmp_path / "after", [*rows, *stranger]), **given)
    free = {
        *("mean_score", "weighted_mean_score", "category_mean", "standard_error", "mean_of_categories"),
        *("paired_difference", "weighted_difference", "p_value", "detectable_difference"),
    }
    kept = {key for key in before if key[0].removeprefix("comparison.") in free}
    assert {key: before[key] for key in kept} == {key: after[key] for key in kept}


def test_a_task_that_others_did_not_run_changes_nothing_of_the_others(tmp_path: Path) -> None:
    rows = [row(m, f"t{t}", (7 * t + 3 * k) % 10 / 10 + 0.012345) for k, m in enumerate("abc") for t in range(8)]
    before = published(write(tmp_path / "before", rows))
    after = published(write(tmp_path / "after", [*rows, row("c", "extra", 0.5)]))
    for (metric, of), value in before.items():
        if metric in ("comparison.mean_score", "comparison.win_rate") and dict(of)["model_id"] != "c":
            assert after[metric, of] == value
        if metric in ("comparison.paired_difference", "comparison.p_value"):
            assert after[metric, of] == value


@given(tables())
@quick
def test_every_formula_agrees_with_the_code(tmp_path: Path, rows: list[dict[str, object]]) -> None:
    path = write(tmp_path, rows)
    audit_lines(SUITE.audit(results(path)))
    audit_lines(SUITE.audit(results(path, weights=True, cluster="cluster")))


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "2", "TZ": "Asia/Kolkata", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "0"},
    ],
)
def test_hash_seed_time_zone_and_locale_change_no_byte(tmp_path: Path, environment: dict[str, str]) -> None:
    given = ["compute", "comparison", str(DATA), "--out", str(tmp_path / "out"), "--resamples", "400"]
    subprocess.run(
        [sys.executable, "-c", "from evalreport.cli import main; main()", *given],
        env={**os.environ, **environment},
        check=True,
        capture_output=True,
    )
    expected = files(DATA)
    for name, data in expected.items():
        if name.startswith("leaderboard"):
            assert (tmp_path / "out" / name).read_bytes() == data
        elif name != "results":
            assert (tmp_path / "out" / f"{name}.csv").read_bytes() == data


def test_what_is_written_is_strict_json_without_nan(tmp_path: Path) -> None:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    document = json.loads(files(DATA)["results"], parse_constant=refuse)
    assert {value["metric"] for value in document["values"]} >= {
        *("comparison.mean_score", "comparison.win_rate", "comparison.category_mean", "comparison.paired_difference"),
    }
    assert next(csv.DictReader(io.StringIO(files(DATA)["models"].decode())))["rank"] == "1"
