"""All declarations of all suites, walked at once: each test names every offender, not the first."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from evalreport.core.declare import Metric, in_range
from evalreport.project import read_project
from evalreport.suites import all_suites

ROOT = Path(__file__).parent.parent
METRICS = [metric for suite in all_suites().values() for metric in suite.declarations.metrics.values()]
CLAUSE = re.compile(r"^:::\{clause\} (\S+)$", re.MULTILINE)


def named(metrics: list[Metric]) -> list[str]:
    return [metric.key for metric in metrics]


def test_every_metric_has_an_executable_formula_or_a_stated_reference() -> None:
    assert named([m for m in METRICS if (m.formula is None) == (m.checked_by == "formula")]) == []
    assert named([m for m in METRICS if m.checked_by == "reference" and not m.reference]) == []


def test_the_notation_of_every_suite_reads_all_its_formulas() -> None:
    for suite in all_suites().values():
        notation = suite.declarations.notation()
        for metric in suite.declarations.metrics.values():
            if metric.formula is not None:
                assert notation.symbol(metric.symbol).formula == metric.formula


def test_every_clause_stands_in_the_methodology_and_every_clause_there_is_declared() -> None:
    printed = {
        clause
        for page in (ROOT / "book/methodology").glob("*.md")
        for clause in CLAUSE.findall(page.read_text("utf-8"))
    }
    assert printed == {metric.clause for metric in METRICS}


def test_every_suite_has_its_methodology_page_with_its_symbols() -> None:
    for name in all_suites():
        assert f":::{{notation}} {name}" in (ROOT / f"book/methodology/{name}.md").read_text("utf-8")


def test_every_citation_is_in_the_list_of_sources() -> None:
    sources = (ROOT / "book/references.md").read_text("utf-8")
    assert [m.key for m in METRICS if m.cite and m.cite not in sources] == []


def test_keys_are_unique_and_begin_with_their_suite() -> None:
    assert [key for key, times in Counter(named(METRICS)).items() if times > 1] == []
    assert named([m for m in METRICS if m.key.split(".")[0] not in all_suites()]) == []


def test_every_metric_says_what_it_means_in_a_sentence() -> None:
    assert named([m for m in METRICS if not m.meaning.strip().endswith((".", "?")) or "\n" in m.meaning]) == []


def test_settings_are_explained_and_their_defaults_are_allowed() -> None:
    for suite in all_suites().values():
        for setting in suite.settings:
            assert setting.meaning.endswith("."), f"{suite.name}.{setting.name}"
            if setting.choices and setting.default is not None:
                assert setting.default in setting.choices


@pytest.mark.parametrize("name", list(all_suites()))
def test_every_published_number_of_the_sample_lies_in_its_declared_range(name: str) -> None:
    suite = all_suites()[name]
    chosen = next(choice for choice in read_project(ROOT).suites if choice.name == name)
    results = suite.compute(suite.read(chosen.paths, chosen.settings), chosen.settings)
    metrics = suite.declarations.metrics
    values = list(suite.values(results))
    assert values
    assert [(v.metric, v.of) for v in values if v.metric not in metrics] == []
    assert [(v.metric, v.of, v.value) for v in values if not in_range(metrics[v.metric], v.value)] == []
