"""Several scorings of a run become one: by a rule that one can follow by hand, with the agreement beside it."""

from __future__ import annotations

import csv
import hashlib
import json
import random
import shutil
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from evalreport.cli import main
from evalreport.core.exact import Undefined
from evalreport.core.privacy import Privacy
from evalreport.core.suite import CommandOutput, Settings
from evalreport.errors import EvalreportError, Problem
from evalreport.suites.benchmark.agreement import Level, agreements, krippendorff_alpha, ratings
from evalreport.suites.benchmark.consolidate import consolidate, consolidated
from evalreport.suites.benchmark.parts import ReadScoring
from evalreport.suites.benchmark.public import public
from evalreport.suites.benchmark.read import read
from evalreport.suites.benchmark.records import CRITERIA
from tests.suites.benchmark.test_read import CASE, Tree, gold, response, scoring

Json = dict[str, Any]
LOWER = Settings({"rule": "lower-median"})
KEY = ("v1.0", "m", CASE, "r1", "m-1")
NO: None = None  # an observer who did not rate a unit


def given_by(
    reviewer: str,
    criteria: tuple[int, int, int, int, int, int] = (2, 2, 2, 2, 2, 2),
    *,
    halves: int = 2,
    critical: bool = False,
    recoverable: bool = False,
    timestamp: str = "",
) -> ReadScoring:
    """What a reviewer gave the run `KEY`."""
    return ReadScoring(KEY, reviewer, timestamp, criteria, halves, critical, recoverable, f"eval-{reviewer}.json")


def scored(reviewer: str, score: int = 2, correctness: float = 0.5, *severities: str, run_id: str = "r1") -> Json:
    """A scoring file of a reviewer who gives every criterion the same score."""
    content = scoring(run_id=run_id)
    content["reviewer_id"] = reviewer
    content["criterion_scores"] = {name: {"score": score} for name in CRITERIA}
    content["correctness"] = correctness
    content["automatic_fails_triggered"] = [{"severity": severity} for severity in severities]
    return content


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    """Two runs: the first scored by three reviewers, the second by two; and a response that nobody scored."""
    tree = Tree(tmp_path / "in")
    tree.gold(gold(floor=0, ceiling=12))
    for run_id in ("r1", "r2", "r3"):
        tree.response(response(run_id=run_id))
    tree.scoring(scored("R1", 0, 0, "recoverable"))
    tree.scoring(scored("R2", 2, 0.5, "recoverable"))
    tree.scoring(scored("R3", 1, 0.5))
    tree.scoring(scored("R1", 2, 1, run_id="r2"))
    tree.scoring(scored("R2", 2, 0.5, "critical", run_id="r2"))
    tree.put("subjects/registry.yaml", "subjects:\n- {subject_id: q, versions: [{subject_version: q-1}]}\n")
    tree.put("notes.txt", "not read")
    return tree


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def made(tree: Tree, rule: str = "lower-median") -> CommandOutput:
    return consolidate([tree.root], Settings({"rule": rule}))


def document(files: CommandOutput, name: str) -> Json:
    found: Json = json.loads(files.files[name])
    return found


def table(files: CommandOutput, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(files.files[name].decode().splitlines()))


def problems(paths: Sequence[Path]) -> tuple[Problem, ...]:
    with pytest.raises(EvalreportError) as caught:
        consolidate(paths, LOWER)
    return caught.value.problems


def test_each_criterion_and_the_correctness_are_the_median_of_three_reviewers() -> None:
    sources = [
        given_by("A", (0, 0, 1, 2, 2, 0), halves=0),
        given_by("B", (2, 0, 1, 2, 0, 1), halves=1),
        given_by("C", (1, 2, 1, 0, 2, 2), halves=2),
    ]
    found = consolidated(sources, "lower-median").scoring
    assert (found.criteria, found.halves) == ((1, 0, 1, 2, 2, 1), 1)
    assert consolidated(sources, "upper-median").scoring == found


@pytest.mark.parametrize(("rule", "criteria", "halves"), [("lower-median", 0, 1), ("upper-median", 2, 2)])
def test_of_two_scores_in_the_middle_the_rule_takes_one_and_never_a_value_between(
    rule: str, criteria: int, halves: int
) -> None:
    sources = [given_by("A", (0,) * 6, halves=2), given_by("B", (2,) * 6, halves=1)]
    found = consolidated(sources, rule).scoring
    assert (found.criteria, found.halves) == ((criteria,) * 6, halves)


def test_four_reviewers_have_two_scores_in_the_middle() -> None:
    sources = [given_by(name, (score,) * 6) for name, score in zip("ABCD", (0, 2, 1, 2), strict=True)]
    assert consolidated(sources, "lower-median").scoring.criteria[0] == 1  # 0 1 | 2 2
    assert consolidated(sources, "upper-median").scoring.criteria[0] == 2


@pytest.mark.parametrize(
    ("givers", "reviewers", "critical", "recoverable"),
    [(0, 3, False, False), (1, 3, True, False), (2, 3, True, True), (1, 2, True, False), (1, 1, True, True)],
)
def test_one_reviewer_keeps_a_critical_fail_and_more_than_half_keep_a_recoverable_one(
    givers: int, reviewers: int, critical: bool, recoverable: bool
) -> None:
    sources = [given_by(f"R{i}", critical=i < givers, recoverable=i < givers) for i in range(reviewers)]
    found = consolidated(sources, "lower-median").scoring
    assert (found.critical, found.recoverable) == (critical, recoverable)


def test_the_time_of_a_consolidated_scoring_is_the_latest_of_its_sources() -> None:
    times = ("2026-01-02T00:00:00Z", "", "2026-01-03T00:00:00Z")
    sources = [given_by(f"R{i}", timestamp=time) for i, time in enumerate(times)]
    assert consolidated(sources, "lower-median").scoring.timestamp == "2026-01-03T00:00:00Z"


def test_the_file_names_the_rule_the_reviewers_and_the_hashes_of_what_they_wrote(tree: Tree) -> None:
    content = document(made(tree), f"scoring/v1.0/m/{CASE}__r1__eval-consolidated.json")
    assert content["reviewer_id"] == "consolidated"
    assert content["criterion_scores"] == {name: {"score": 1} for name in CRITERIA}  # 0 1 2
    assert content["correctness"] == 0.5  # 0 0.5 0.5
    assert content["automatic_fails_triggered"] == [{"severity": "recoverable", "given_by": ["R1", "R2"]}]  # 2 of 3
    about = content["consolidation"]
    assert about["rule"] == "lower-median"
    assert "the lower of the two in the middle" in about["rule_in_words"]
    assert "kept if any reviewer gave one" in about["rule_in_words"]
    paths = [f"scoring/v1.0/m/{CASE}__r1__eval-{name}.json" for name in ("R1", "R2", "R3")]
    assert about["sources"] == [
        {"path": path, "sha256": hashlib.sha256((tree.root / path).read_bytes()).hexdigest(), "reviewer_id": name}
        for path, name in zip(paths, ("R1", "R2", "R3"), strict=True)
    ]


def test_computing_accepts_what_consolidating_wrote_and_keeps_refusing_what_it_read(tree: Tree, tmp_path: Path) -> None:
    out, numbers = tmp_path / "one", tmp_path / "numbers"
    quick = ("--resamples", 100, "--null-draws", 100)
    refused = run("compute", "benchmark", tree.root, "--out", numbers, *quick)
    assert refused.exit_code == 1
    assert "is a second scoring of the response" in refused.stderr
    assert run("consolidate", tree.root, "--out", out).exit_code == 0
    computed = run("compute", "benchmark", out, "--out", numbers, *quick)
    assert computed.exit_code == 0, computed.output
    values = {
        (value["metric"], value["of"]["subject_id"]): value["exact"]
        for value in json.loads((numbers / "results.json").read_text())["values"]
        if set(value["of"]) == {"subject_id", "subject_version"} or "v1.0" in value["of"].values()
    }
    # r1: 6 points with a recoverable fail, so Conditional; r2: 12 points with a critical fail, so Fail.
    assert values["benchmark.pass_rate", "m"] == "0/1"
    assert values["benchmark.mean_clipped_score", "m"] == "9/1"  # (6 + 12) / 2
    # Confidence 70 % both times, correctness ½ (of 0, ½, ½) and ½ (the lower of ½ and 1): (0.7 − 0.5)² = 1/25.
    assert values["benchmark.soft_brier", "m"] == "1/25"


def test_everything_but_the_scorings_is_kept_byte_by_byte(tree: Tree) -> None:
    files = made(tree)
    kept = {name for name in files.files if not name.startswith(("scoring/", "agreement.", "disagreements."))}
    assert kept == {
        f"golds/v1.0/{CASE}_gold.md",
        *(f"responses/v1.0/m/{CASE}__{run_id}.json" for run_id in ("r1", "r2", "r3")),
        "subjects/registry.yaml",
    }
    assert all(files.files[name] == (tree.root / name).read_bytes() for name in kept)
    assert files.ignored == ["notes.txt"]


def test_a_scoring_stands_beside_its_response_in_whichever_folder_that_is(tree: Tree) -> None:
    shutil.move(tree.root, tree.root.parent / "moved")
    shutil.move(tree.root.parent / "moved", tree.root / "bench" / "one")
    assert f"bench/one/scoring/v1.0/m/{CASE}__r2__eval-consolidated.json" in made(tree).files


def test_agreement_counts_pairs_of_reviewers_of_the_same_run(tree: Tree) -> None:
    rows = {row["variable"]: row for row in table(made(tree), "agreement.csv")}
    assert list(rows) == [*CRITERIA, "correctness", "critical_fail", "recoverable_fail"]
    # r1: 0, 2, 1 (3 pairs, none agree); r2: 2, 2 (1 pair, agrees). Ordinal distances with n0 = 1, n1 = 1, n2 = 3:
    # δ(0,1) = (1 + 1 − 1)² = 1, δ(1,2) = (1 + 3 − 2)² = 4, δ(0,2) = (1 + 1 + 3 − 2)² = 9.
    # Each pair within r1 counts 1/(3 − 1): α = 1 − (5 − 1) · ½(1 + 4 + 9) / (1·1·1 + 1·3·4 + 1·3·9) = 1 − 28/40.
    assert rows["main_hypothesis"] == {
        "benchmark_version": "v1.0",
        "variable": "main_hypothesis",
        "level": "ordinal",
        "reviewers": "3",
        "runs": "2",
        "runs_agreed": "1",
        "pairs": "4",
        "pairs_agreed": "1",
        "percent_agreement": "25.00",
        "krippendorff_alpha": "0.3000",
    }
    # critical: 0 0 0 and 0 1. n0 = 4, n1 = 1: α = 1 − (5 − 1) · 1 / (4 · 1) = 0.
    assert rows["critical_fail"]["krippendorff_alpha"] == "0.0000"
    assert rows["critical_fail"]["percent_agreement"] == "75.00"
    report = {row["variable"]: row for row in document(made(tree), "agreement.json")["agreement"]}
    assert report["main_hypothesis"]["krippendorff_alpha"] == 0.3
    assert report["main_hypothesis"]["percent_agreement"] == 25


def test_where_reviewers_differ_each_value_stands_beside_the_one_that_was_kept(tree: Tree) -> None:
    rows = [tuple(row.values())[4:] for row in table(made(tree), "disagreements.csv") if row["run_id"] == "r2"]
    assert rows == [
        ("r2", "correctness", "R1", "1", "0.5"),
        ("r2", "correctness", "R2", "0.5", "0.5"),
        ("r2", "critical_fail", "R1", "False", "True"),
        ("r2", "critical_fail", "R2", "True", "True"),
    ]
    told = [one for one in document(made(tree), "agreement.json")["disagreements"] if one["run_id"] == "r2"]
    assert told[0] == {
        "benchmark_version": "v1.0",
        "subject_id": "m",
        "subject_version": "m-1",
        "case_id": CASE,
        "run_id": "r2",
        "variable": "correctness",
        "given": [{"reviewer_id": "R1", "value": 1}, {"reviewer_id": "R2", "value": 0.5}],
        "consolidated": 0.5,
    }


# K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", Annenberg School for Communication, University of
# Pennsylvania, 2011: the examples A (two observers, binary), B (two observers, nominal), C (four observers, missing
# values, nominal) and D (the same data, ordinal), with the values printed there.
MEG_AND_OWEN = ((0, 1, 0, 0, 0, 0, 0, 0, 1, 0), (1, 1, 1, 0, 0, 1, 0, 0, 0, 0))
BEN_AND_GERRY = ((1, 1, 2, 2, 4, 3, 3, 3, 5, 4, 4, 1), (2, 1, 2, 2, 2, 3, 3, 3, 5, 4, 4, 4))
FOUR_OBSERVERS = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, NO, NO, NO),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NO, 3),
    (NO, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NO),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NO),
)


@pytest.mark.parametrize(
    ("observers", "level", "published"),
    [
        (MEG_AND_OWEN, "nominal", "0.095"),
        (BEN_AND_GERRY, "nominal", "0.692"),
        (FOUR_OBSERVERS, "nominal", "0.743"),
        (FOUR_OBSERVERS, "ordinal", "0.815"),
    ],
)
def test_alpha_is_the_one_of_the_published_worked_examples(
    observers: Sequence[Sequence[int | None]], level: Level, published: str
) -> None:
    units = [[value for value in unit if value is not None] for unit in zip(*observers, strict=True)]
    alpha = krippendorff_alpha(units, level)
    assert isinstance(alpha, Fraction)
    assert f"{float(alpha):.3f}" == published


def test_ordinal_alpha_by_hand() -> None:
    # (0,0) (1,2) (2,2): n0 = 2, n1 = 1, n2 = 3; δ(0,1) = 1.5², δ(1,2) = 2², δ(0,2) = 3.5².
    # α = 1 − (6 − 1) · 4 / (2·1·2.25 + 1·3·4 + 2·3·12.25) = 1 − 20/90
    alpha = krippendorff_alpha([(0, 0), (1, 2), (2, 2)], "ordinal")
    assert isinstance(alpha, Fraction)
    assert abs(alpha - Fraction(7, 9)) < Fraction(1, 10**11)


def test_alpha_is_undefined_with_the_reason_when_it_says_nothing() -> None:
    assert krippendorff_alpha([(1,), (2,)], "ordinal") == Undefined("no run has two reviewers")
    assert krippendorff_alpha([], "nominal") == Undefined("no run has two reviewers")
    # What a single reviewer gave elsewhere does not make equal ratings differ.
    assert krippendorff_alpha([(1, 1), (1, 1, 1), (2,)], "nominal") == Undefined("all ratings are equal")


def test_an_undefined_agreement_is_an_empty_cell_and_null_with_its_reason(tree: Tree) -> None:
    shutil.rmtree(tree.root / "scoring")
    tree.scoring(scored("R1"))
    files = made(tree)
    row = table(files, "agreement.csv")[0]
    assert (row["runs"], row["percent_agreement"], row["krippendorff_alpha"]) == ("0", "", "")
    told = document(files, "agreement.json")["agreement"][0]
    assert (told["krippendorff_alpha"], told["percent_agreement"]) == (None, None)
    assert told["undefined"] == "no run has two reviewers"


def test_two_versions_of_a_benchmark_have_two_agreements(tree: Tree) -> None:
    shutil.copytree(tree.root / "golds/v1.0", tree.root / "golds/v2")
    tree.response({**response(), "benchmark_version": "v2"}, version="v2")
    tree.scoring(scored("R9"), version="v2")
    rows = [row for row in table(made(tree), "agreement.csv") if row["variable"] == "correctness"]
    assert [(row["benchmark_version"], row["reviewers"], row["runs"]) for row in rows] == [
        ("v1.0", "3", "2"),
        ("v2", "1", "0"),
    ]


def test_all_problems_of_all_scorings_are_told_at_once_and_nothing_is_written(tree: Tree, tmp_path: Path) -> None:
    tree.scoring({**scored("R4"), "correctness": 0.7})
    for reviewer in ("R1", "R2"):
        tree.scoring(scored(reviewer, run_id="r9"))
    tree.scoring(scored("consolidated", run_id="r3"))
    found = problems([tree.root])
    assert [(problem.kind, Path(problem.where).name) for problem in found] == [
        ("correctness", f"{CASE}__r1__eval-R4.json"),
        ("already_consolidated", f"{CASE}__r3__eval-consolidated.json"),
        ("scoring_without_response", f"{CASE}__r9__eval-R1.json"),
        ("scoring_without_response", f"{CASE}__r9__eval-R2.json"),
    ]
    result = run("consolidate", tree.root, "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert result.stderr.endswith("refused: 4 problems\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in"]


def test_two_scorings_of_a_run_by_one_reviewer_are_refused(tree: Tree, tmp_path: Path) -> None:
    other = Tree(tmp_path / "more")
    other.scoring(scored("R1", 1))
    (problem,) = problems([tree.root, other.root])
    assert problem.kind == "duplicate_scoring"
    assert "by 'R1'" in problem.what


def test_an_input_without_scorings_is_refused(tmp_path: Path) -> None:
    tree = Tree(tmp_path / "in")
    tree.response(response())
    (problem,) = problems([tree.root])
    assert problem.kind == "empty_input"


def test_neither_the_order_of_writing_nor_of_the_paths_changes_a_byte(tree: Tree, tmp_path: Path) -> None:
    files = [path.relative_to(tree.root) for path in sorted(tree.root.rglob("*")) if path.is_file()]
    random.Random(7).shuffle(files)
    for name in files:
        (tmp_path / "again" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(tree.root / name, tmp_path / "again" / name)
    assert consolidate([tmp_path / "again"], LOWER) == made(tree)
    halves = [tmp_path / "again" / "scoring", tmp_path / "again"]
    assert consolidate(halves, LOWER) == consolidate(halves[::-1], LOWER) == made(tree)


def test_names_that_mean_something_elsewhere_stay_what_they_are(tree: Tree) -> None:
    name = '=R$<b>"\n,`漢\u202e'
    tree.scoring(scored(name, 0, 1, run_id="r2"))
    files = made(tree)
    content = document(files, f"scoring/v1.0/m/{CASE}__r2__eval-consolidated.json")
    assert name in [source["reviewer_id"] for source in content["consolidation"]["sources"]]
    cells = csv.DictReader(files.files["disagreements.csv"].decode().splitlines(keepends=True))
    assert name in {row["reviewer_id"] for row in cells}


@pytest.mark.parametrize(("reviewers", "named"), [("pseudonyms", False), ("shown", True)])
def test_a_reviewer_who_has_a_pseudonym_is_not_named_by_the_scoring_that_stands_for_theirs(
    tree: Tree, tmp_path: Path, reviewers: Literal["pseudonyms", "shown"], named: bool
) -> None:
    tree.scoring(scored("jane.doe", 0, 1, "recoverable", run_id="r3"))
    out, shown = tmp_path / "out", tmp_path / "shown"
    assert run("consolidate", tree.root, "--out", out).exit_code == 0
    public([out], read([out], Settings({})), Privacy(justifications="shown", reviewers=reviewers), shown)
    told = [path for path in shown.rglob("*.json") if "jane.doe" in path.read_text("utf-8")]
    assert bool(told) == named
    assert read([shown], Settings({})).runs[0].critical == read([out], Settings({})).runs[0].critical


def test_a_second_time_replaces_the_first_and_a_foreign_folder_is_left_alone(tree: Tree, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run("consolidate", tree.root, "--out", out).exit_code == 0
    assert run("consolidate", tree.root, "--out", out, "--rule", "upper-median").exit_code == 0
    assert json.loads((out / "agreement.json").read_text())["rule"] == "upper-median"
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.txt").write_text("all of it")
    result = run("consolidate", tree.root, "--out", tmp_path / "mine")
    assert (result.exit_code, [path.name for path in (tmp_path / "mine").iterdir()]) == (1, ["thesis.txt"])


@pytest.mark.parametrize("inside", ["in/out", "in", "."])
def test_what_would_be_read_twice_the_next_time_is_not_written(tree: Tree, tmp_path: Path, inside: str) -> None:
    before = sorted(tmp_path.rglob("*"))
    result = run("consolidate", tree.root, "--out", tmp_path / inside)
    assert result.exit_code == 1
    assert "are one inside the other; expected a folder apart" in result.stderr
    assert sorted(tmp_path.rglob("*")) == before


def test_an_unknown_rule_is_a_matter_of_usage(tree: Tree, tmp_path: Path) -> None:
    result = run("consolidate", tree.root, "--out", tmp_path / "out", "--rule", "mean")
    assert result.exit_code == 2
    assert "lower-median" in result.stderr


def test_the_verb_is_listed_among_the_others() -> None:
    assert "consolidate" in run("--help").stdout


SCORINGS = st.builds(
    given_by,
    st.just("R"),
    st.tuples(*[st.integers(0, 2)] * 6),
    halves=st.integers(0, 2),
    critical=st.booleans(),
    recoverable=st.booleans(),
    timestamp=st.sampled_from(("", "2026-01-02")),
)
SEVERAL = st.lists(SCORINGS, min_size=1, max_size=6).map(
    lambda found: [named(one, f"R{i}") for i, one in enumerate(found)]
)


def named(one: ReadScoring, reviewer: str) -> ReadScoring:
    return given_by(
        reviewer,
        one.criteria,
        halves=one.halves,
        critical=one.critical,
        recoverable=one.recoverable,
        timestamp=one.timestamp,
    )


@settings(deadline=None, max_examples=50)
@given(SCORINGS, st.sampled_from(["lower-median", "upper-median"]))
def test_one_reviewer_is_consolidated_to_what_they_gave(one: ReadScoring, rule: str) -> None:
    found = consolidated([one], rule).scoring
    assert (ratings(found), found.timestamp, found.key) == (ratings(one), one.timestamp, one.key)


@settings(deadline=None, max_examples=50)
@given(SEVERAL, st.randoms(use_true_random=False))
def test_the_order_of_reviewers_does_not_matter_and_the_rules_enclose_every_median(
    several: list[ReadScoring], rnd: random.Random
) -> None:
    shuffled = list(several)
    rnd.shuffle(shuffled)
    low, high = (consolidated(several, rule).scoring for rule in ("lower-median", "upper-median"))
    assert consolidated(shuffled, "lower-median").scoring == low
    for at in range(7):
        given_values = [ratings(one)[at] for one in several]
        assert min(given_values) <= ratings(low)[at] <= ratings(high)[at] <= max(given_values)
        assert 2 * sum(value <= ratings(low)[at] for value in given_values) >= len(several)
        assert 2 * sum(value >= ratings(high)[at] for value in given_values) >= len(several)


@settings(deadline=None, max_examples=20)
@given(SEVERAL)
def test_reviewers_who_give_the_same_agree_in_every_pair(several: list[ReadScoring]) -> None:
    same = [named(several[0], one.reviewer_id) for one in several]
    for found in agreements([same]):
        assert found.pairs_agreed == found.pairs == len(same) * (len(same) - 1) // 2
        assert isinstance(found.alpha, Undefined)
