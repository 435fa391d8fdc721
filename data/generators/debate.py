"""A made-up debate benchmark: 20 cases, a debate that was judged, a baseline and an ensemble whose scores are given.

Every edge of the rubric stands in it: each dimension that does not apply, a mean of exactly 0.65, a lift of exactly
0.10, a case for manual review, cases with several runs, a debate that never ends, a baseline above its cap, a verdict
of one half, and names that no page may take for markup.
"""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

SEED = 2024
T = TypeVar("T")
DIMENSIONS = (
    "issue_discovery_recall",
    "issue_discovery_precision",
    "defense_calibration",
    "debate_resolution_quality",
    "empirical_test_diagnosticity",
    "final_verdict_correctness",
)
ENSEMBLE = "ensemble <3 votes> & $1"
CaseText = tuple[str, str, str, str, tuple[str, ...], str, str | None]
WRONG, SOUND, OPEN = "critique_wins", "defense_wins", "empirical_test_agreed"

# case_id, category, difficulty, what is claimed, planted issues, right resolution, true verdict (None: there is none)
CASES: tuple[CaseText, ...] = (
    (
        "leak_001",
        "data leakage",
        "easy",
        "A tide forecast is tested on days whose neighbours were trained on, and called ready for the harbour.",
        ("neighbouring_days_shared", "no_time_split"),
        WRONG,
        "The test days leak into training",
    ),
    (
        "leak_002",
        "data leakage",
        "medium",
        "Bird calls of one recording stand on both sides of a random split; accuracy is 97 %.",
        ("recording_on_both_sides",),
        WRONG,
        "The split must keep recordings together",
    ),
    (
        "leak_003",
        "data leakage",
        "hard",
        "Missing soil values are filled with means over the whole table before it is split.",
        ("filled_before_split", "size_of_effect_unknown"),
        OPEN,
        "A rerun with filling inside the folds decides",
    ),
    (
        "leak_004",
        "data leakage",
        "medium",
        "A ferry delay model uses the logged arrival of the same ferry one port earlier.",
        (),
        SOUND,
        "The feature is known in time: no leak",
    ),
    (
        "baseline_001",
        "weak baseline",
        "easy",
        "A network beats last year's average for jam sales; seasonal averages were not tried.",
        ("no_seasonal_baseline",),
        WRONG,
        "The baseline is too weak",
    ),
    (
        "baseline_002",
        "weak baseline",
        "medium",
        "A new parser is compared with an old one that ran with half of its memory.",
        ("unequal_memory", "single_seed"),
        WRONG,
        "The comparison is unequal",
    ),
    (
        "baseline_003",
        "weak baseline",
        "hard",
        "The tuned and the untuned model differ by 0.4 points over five seeds.",
        ("tuning_budget_differs",),
        OPEN,
        "Equal tuning budgets decide",
    ),
    (
        "baseline_004",
        "weak baseline",
        "easy",
        "A plain linear rule is the baseline, and the question is whether anything beats it.",
        (),
        SOUND,
        "The baseline is fair",
    ),
    (
        "metric_001",
        "metric & goal",
        "easy",
        "Accuracy of 99 % is reported for a fault that shows up in one part of two hundred.",
        ("accuracy_on_rare_class", "no_recall_reported"),
        WRONG,
        "Accuracy says nothing here",
    ),
    (
        "metric_002",
        "metric & goal",
        "medium",
        "A translation service is ranked by sentence length ratio because it is cheap to count.",
        ("proxy_without_validation",),
        WRONG,
        "The proxy is not validated",
    ),
    (
        "metric_003",
        "metric & goal",
        "hard",
        "Mean delay falls while the worst tenth of the trips gets slower.",
        ("tail_ignored", "goal_unstated"),
        OPEN,
        "The tail must be measured",
    ),
    (
        "metric_004",
        "metric & goal",
        "medium",
        "Squared error is used for a cost that really grows with the square.",
        (),
        SOUND,
        "The metric fits the cost",
    ),
    (
        "seed_001",
        "chance",
        "easy",
        "The best of forty seeds is shown, without the other thirty-nine.",
        ("best_seed_selected",),
        WRONG,
        "Selection on the test set",
    ),
    (
        "seed_002",
        "chance",
        "medium",
        "Two of three seeds improve; the third is called an outlier.",
        ("third_seed_dropped", "no_interval"),
        WRONG,
        "Three seeds do not show it",
    ),
    (
        "seed_003",
        "chance",
        "hard",
        "An interval of [0.1, 2.3] points is reported from eight runs.",
        ("few_runs",),
        OPEN,
        "Twenty more runs decide",
    ),
    (
        "seed_004",
        "chance",
        "easy",
        "All ten seeds are listed with their spread.",
        (),
        SOUND,
        None,
    ),
    (
        "scope_001",
        'scope, "reach" & <limits>',
        "medium",
        "A model trained on greenhouses is offered to open fields.",
        ("other_population",),
        WRONG,
        "Nothing is known of fields",
    ),
    (
        "scope_002_$\\alpha$|`x`",
        'scope, "reach" & <limits>',
        "hard",
        'Results of one clinic are said to hold for "<any> clinic" with 100 % certainty.',
        ("one_site", "certainty_claimed"),
        OPEN,
        "A second site decides",
    ),
    (
        "scope_003_範囲_مدى",
        'scope, "reach" & <limits>',
        "medium",
        "A tagger for two alphabets is tested on both of them.",
        (),
        SOUND,
        "Straße und Ziel stimmen",
    ),
    (
        "=scope_004",
        'scope, "reach" & <limits>',
        "easy",
        "A demo is shown, and nothing is claimed.",
        (),
        SOUND,
        None,
    ),
)
# Given scores: recall, precision, calibration, resolution, diagnosticity, verdict.
EXACTLY_065 = ("0.75", "0.5", "0.5", "0.5", None, "1")


def write(folder: Path) -> None:
    """Write rubric, cases and results below a folder `debate`."""
    target = folder / "debate"
    target.mkdir(parents=True, exist_ok=True)
    rng = random.Random(SEED)
    baseline = [_baseline(rng, case) for case in CASES]
    _save(target / "evaluation_rubric.json", _rubric())
    _save(target / "benchmark_cases.json", [_case(case) for case in CASES])
    _save(target / "results_debate.json", [row for case in CASES for row in _debates(rng, case)])
    _save(target / "results_baseline.json", baseline)
    _save(target / "results_ensemble.json", _ensemble(rng, baseline))


def _one_of(rng: random.Random, choices: tuple[T, ...]) -> T:
    return choices[int(rng.random() * len(choices))]


def _save(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")


def _rubric() -> dict[str, object]:
    meanings = (
        "share of the planted issues that the critique names with place and nature; half credit for one of the two",
        "share of the atomic claims that are planted or can be seen to be real",
        "mean over concessions of valid claims, rejections of invalid ones, and updates after conceding",
        "1 for the right kind of resolution, 0.5 when it took more rounds than needed, 0 otherwise",
        (
            "1 for a test with procedure, measure and a decisive outcome, 0.5 when underspecified, "
            "0 when it decides nothing"
        ),
        "1 when the final verdict is the true one, otherwise 0",
    )
    return {
        "scoring_dimensions": dict(zip(DIMENSIONS, meanings, strict=True)),
        "pass_fail_rule": "A case passes when the mean of what applies and every dimension reach their thresholds; "
        "the benchmark passes when enough scoreable cases pass and their mean reaches the case threshold.",
        "score_thresholds": {
            "per_dimension_pass": 0.5,
            "overall_case_pass": 0.65,
            "benchmark_pass_fraction": 0.75,
        },
        "notes": "A made-up rubric for made-up cases.",
    }


def _case(case: CaseText) -> dict[str, object]:
    case_id, category, difficulty, prompt, issues, ideal, verdict = case
    return {
        "case_id": case_id,
        "category": category,
        "difficulty": difficulty,
        "task_prompt": prompt,
        "ground_truth": {"final_verdict": verdict},
        "planted_issues": [{"issue_id": issue, "description": issue.replace("_", " ")} for issue in issues],
        "ideal_debate_resolution": {"type": ideal},
    }


def _debates(rng: random.Random, case: CaseText) -> list[dict[str, object]]:
    """Three judged runs of every fifth case, one of the others; two cases have their scores given instead."""
    case_id, _, difficulty, _, issues, ideal, verdict = case
    if case_id == "baseline_002":
        return [_given("debate", case_id, EXACTLY_065)]
    if case_id == "seed_002":
        return [_given("debate", case_id, ("1", "0.5", "0.75", "1", "0.5", "0.5"))]
    skill = {"easy": 0.97, "medium": 0.9, "hard": 0.78}[difficulty]
    runs = 3 if CASES.index(case) % 5 == 0 else 1
    rows: list[dict[str, object]] = []
    for run in range(1, runs + 1):
        row: dict[str, object] = {"system": "debate", "case_id": case_id, "run": run}
        if case_id == "=scope_004":
            row["judgments"] = _silence(ideal)
        else:
            ends = case_id != "baseline_003"
            row["judgments"] = _judged(rng, issues, ideal, verdict, skill=skill, ends=ends)
        rows.append(row)
    return rows


def _silence(ideal: str) -> dict[str, object]:
    """A critique that claims nothing about a case without issues or verdict: only the resolution applies."""
    return {
        "issues": {},
        "claims": [],
        "defense": {"concessions": [], "contestations": [], "updates": []},
        "resolution": {"actual": ideal, "rounds_used": 1, "rounds_allowed": 5, "rounds_necessary": 1},
        "test": None,
        "verdict": None,
    }


def _judged(
    rng: random.Random, issues: tuple[str, ...], ideal: str, verdict: str | None, *, skill: float, ends: bool
) -> dict[str, object]:
    def well() -> bool:
        return rng.random() < skill

    found = {issue: {"located": well(), "characterised": well()} for issue in issues}
    claims = [{"claim": issue.replace("_", " "), "valid": True} for issue in issues]
    claims += [{"claim": "the data are too old", "valid": False}] if not well() else []
    conceded = [1 if well() else 0.5 for _ in issues]
    return {
        "issues": found,
        "claims": claims,
        "defense": {
            "concessions": conceded,
            "contestations": [1 if well() else 0.5] if not issues else [],
            "updates": [1 if well() else 0 for _ in conceded[:1]],
        },
        "resolution": {
            "actual": ideal if ends else None,
            "rounds_used": 6 if not ends else 3 if well() else 4,
            "rounds_allowed": 5,
            "rounds_necessary": 3,
        },
        "test": {"procedure": True, "measurable": well(), "decisive": well(), "distinguishes": well() or well()}
        if ideal == OPEN
        else None,
        "verdict": None if verdict is None else f"  {verdict.upper()}\n" if well() or well() else "Cannot be told",
    }


def _given(system: str, case_id: str, scores: tuple[str | None, ...]) -> dict[str, object]:
    numbers = [None if s is None else json.loads(s) for s in scores]
    return {"system": system, "case_id": case_id, "scores": dict(zip(DIMENSIONS, numbers, strict=True))}


def _baseline(rng: random.Random, case: CaseText) -> dict[str, object]:
    """One pass without a debate: no update, at most half for the resolution (one row claims more, and is flagged)."""
    case_id, _, difficulty, _, issues, ideal, verdict = case
    easy = difficulty == "easy"
    scores = (
        _one_of(rng, ("0.5", "0.75") if easy else ("0.25", "0.5")) if issues else None,
        _one_of(rng, ("0.6", "0.8")) if issues else None,
        "0" if issues else "0.5" if case_id != "=scope_004" else None,
        "0.75" if case_id == "metric_001" else "0.5",
        _one_of(rng, ("0", "0.5")) if ideal == OPEN else None,
        None if verdict is None else "1" if easy or rng.random() < 0.5 else "0",
    )
    return _given("baseline", case_id, scores)


def _ensemble(rng: random.Random, baseline: list[dict[str, object]]) -> list[dict[str, object]]:
    """The baseline lifted so that the mean over the cases scoreable in both is higher by exactly 1/10."""
    scoreable = []
    for row in baseline:
        scores = row["scores"]
        if isinstance(scores, dict) and sum(score is not None for score in scores.values()) >= 4:
            scoreable.append((row, scores))
    rows = {str(row["case_id"]): _lifted(row, Fraction(0)) for row in baseline}
    # What one case of a pair is lifted more, the other is lifted less: the mean stays what it is.
    shifts = [Fraction(1, 10)] * len(scoreable)
    for left in range(0, len(shifts) - 1, 2):
        spread = Fraction(_one_of(rng, (0, 2, 5, 8)), 100)
        shifts[left], shifts[left + 1] = Fraction(1, 10) + spread, Fraction(1, 10) - spread
    for (row, _), shift in zip(scoreable, shifts, strict=True):
        rows[str(row["case_id"])] = _lifted(row, shift)
    return list(rows.values())


def _lifted(row: dict[str, object], shift: Fraction) -> dict[str, object]:
    """The row with its case mean higher by `shift`, given to the lowest dimensions first. Short names, to vary."""
    old = row["scores"]
    if not isinstance(old, dict):
        raise TypeError("a row without scores")
    scores = {name: None if value is None else Fraction(str(value)) for name, value in old.items()}
    applicable = [name for name, value in scores.items() if value is not None]
    rest = shift * len(applicable)
    for name in sorted(applicable, key=lambda n: (scores[n] or 0, n)):
        more = min(rest, 1 - (scores[name] or 0))
        scores[name] = (scores[name] or Fraction(0)) + more
        rest -= more
    short = ("IDR", "IDP", "DC", "DRQ", "ETD", "FVC")
    numbers = {s: None if v is None else float(v) for s, v in zip(short, scores.values(), strict=True)}
    return {"system": ENSEMBLE, "case_id": row["case_id"], "scores": numbers}
