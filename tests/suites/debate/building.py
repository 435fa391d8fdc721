"""Small debate benchmarks on disk, and the settings to read them with."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from evalreport.core.suite import Settings, SettingValue
from evalreport.suites.debate import SUITE
from evalreport.suites.debate.records import DIMENSIONS, DebateRecords
from evalreport.suites.debate.results import DebateResults, SystemResult

HALF = Fraction(1, 2)
RULE: Mapping[str, SettingValue] = {
    "per_dimension_pass": HALF,
    "overall_case_pass": Fraction(65, 100),
    "benchmark_pass_fraction": Fraction(75, 100),
}
RUBRIC = {
    "scoring_dimensions": dict.fromkeys(DIMENSIONS.values(), "…"),
    "score_thresholds": {"per_dimension_pass": 0.5, "overall_case_pass": 0.65, "benchmark_pass_fraction": 0.75},
}
Row = dict[str, object]


def settings(**chosen: SettingValue) -> Settings:
    """The settings of the suite with few resamples, and those that are chosen."""
    return Settings({**{s.name: s.default for s in SUITE.settings}, "resamples": 200, **chosen})


def ruled(**chosen: SettingValue) -> Settings:
    """Settings that hold the three thresholds, for results without a rubric."""
    return settings(**{**RULE, **chosen})


def row(case_id: str, scores: Sequence[object], **more: object) -> Row:
    """A row with six given scores."""
    return {"case_id": case_id, "scores": dict(zip(DIMENSIONS.values(), scores, strict=True)), **more}


def described(case_id: str, *, issues: Sequence[str] = ("i",), ideal: str = "critique_wins", **more: object) -> Row:
    """A described case whose true verdict is "It is wrong", unless said otherwise."""
    return {
        "case_id": case_id,
        "planted_issues": [{"issue_id": issue} for issue in issues],
        "ideal_debate_resolution": {"type": ideal},
        "ground_truth": {"final_verdict": "It is wrong"},
        **more,
    }


def judgments(**parts: object) -> Row:
    """A flawless run of a case with the one issue "i", unless said otherwise."""
    return {
        "issues": {"i": 1},
        "claims": [{"valid": True}],
        "defense": {"concessions": [1], "contestations": [], "updates": [1]},
        "resolution": {"actual": "critique_wins", "rounds_used": 2, "rounds_allowed": 4, "rounds_necessary": 2},
        "test": None,
        "verdict": "it is WRONG",
        **parts,
    }


def written(folder: Path, **files: object) -> Path:
    """A folder with one JSON file for each name; a text is written as it stands."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, value in files.items():
        text = value if isinstance(value, str) else json.dumps(value)
        (folder / f"{name}.json").write_text(text, encoding="utf-8")
    return folder


def read(path: Path, chosen: Settings | None = None) -> DebateRecords:
    """The records below a path."""
    return SUITE.read([path], chosen or settings())


def results(path: Path, chosen: Settings | None = None) -> DebateResults:
    """The results of what stands below a path."""
    known = chosen or settings()
    return SUITE.compute(SUITE.read([path], known), known)


def system(found: DebateResults, name: str = "debate") -> SystemResult:
    """One system of the results."""
    return next(s for s in found.systems if s.system == name)


def table(found: DebateResults, name: str) -> list[dict[str, str]]:
    """The rows of a CSV table as dictionaries."""
    csv = next(t for t in SUITE.tables(found) if t.name == name)
    return [dict(zip(csv.header, cells, strict=True)) for cells in csv.rows]
