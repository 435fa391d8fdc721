"""What holds for every page of a chapter, in a real browser: nothing from elsewhere, no error, no overflow, access."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Browser

from evalreport.book.build import build
from evalreport.core.slug import slug
from evalreport.project import read_project
from evalreport.suites.debate.records import DIMENSIONS
from tests.book.browsing import SIZES, faults, overflowing, scrolling, served

pytestmark = [pytest.mark.browser, pytest.mark.book]

MODELS = tuple(map(slug, ("lab-a/heron-7b", "lab-f/avocet-70b", 'lab-e/<b>`x`</b> | $w_1$ & 50% "模型" אב ../')))
SYSTEMS = tuple(map(slug, ("debate", "baseline", "ensemble <3 votes> & $1")))
# The pages whose tables fit a desk, and those that hold formulas with numbers put in, however long.
OVERVIEWS = {
    "bfcl": (
        *("leaderboard", "weights", "rules", "shards", "official"),
        *(f"model/{name}" for name in MODELS),
    ),
    "debate": ("outcome", "cases", "thresholds", *(f"system/{name}" for name in SYSTEMS)),
}
AUDITS = {"bfcl": MODELS[:2], "debate": SYSTEMS[:1]}


def overviews(chapter: str) -> tuple[str, ...]:
    return tuple(f"book/_generated/{chapter}/{name}" for name in OVERVIEWS[chapter])


def pages(chapter: str) -> tuple[str, ...]:
    audits = (f"book/_generated/{chapter}/audit/{name}" for name in AUDITS[chapter])
    return (*overviews(chapter), *audits, f"book/methodology/{chapter}")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("chapter", OVERVIEWS)
def test_pages_ask_nobody_else_say_no_error_do_not_overflow_and_are_accessible(
    browser: Browser, suites_address: str, chapter: str, theme: str, size: str
) -> None:
    assert not faults(browser, suites_address, pages(chapter), size=size, theme=theme)


@pytest.mark.parametrize("width", [320, 768, 1600])
@pytest.mark.parametrize("chapter", OVERVIEWS)
def test_no_page_overflows_at_other_widths(browser: Browser, suites_address: str, chapter: str, width: int) -> None:
    assert not overflowing(browser, suites_address, pages(chapter), width)


@pytest.mark.parametrize("chapter", OVERVIEWS)
def test_no_table_scrolls_at_desk_width(browser: Browser, suites_address: str, chapter: str) -> None:
    assert not scrolling(browser, suites_address, overviews(chapter), ".er-tablebox .er-scroll")


LONG, SCRIPT, CURLY = "w" * 300, "</script><script>alert(1)</script>", "$x_{1$ {{ j }} `c` | 模型 אב ../ \u202e"
THRESHOLDS = {"per_dimension_pass": 0.5, "overall_case_pass": 0.65, "benchmark_pass_fraction": 0.75}


@pytest.fixture(scope="module")
def strangers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book of two models, two systems, three subsets and three cases with names that nobody would choose."""
    folder = tmp_path_factory.mktemp("strangers")
    hits = {LONG: [1, 2], SCRIPT: [0, 1], CURLY: [1, 3], "simple_python": [10**9, 10**9]}
    models = [{"model": model, "tallies": hits} for model in (LONG, SCRIPT)]
    (folder / "tallies.jsonl").write_text("".join(json.dumps(m) + "\n" for m in models), "utf-8")
    rows = [
        {"system": system, "case_id": case, "scores": {d: 1 - len(case) % 2 / 2 for d in DIMENSIONS}}
        for system in ("baseline", LONG)
        for case in (LONG, SCRIPT, CURLY)
    ]
    (folder / "results.json").write_text(json.dumps(rows), "utf-8")
    content = {
        "title": "Strangers", "authors": ["The Example Benchmark Group"], "version": "1.0.0",
        "suites": {
            "bfcl": {"data": ["tallies.jsonl"], "resamples": 100},
            "debate": {"data": ["results.json"], "resamples": 100, **THRESHOLDS},
        },
    }  # fmt: skip
    (folder / "evalreport.yml").write_text(yaml.safe_dump(content), "utf-8")
    return build(read_project(folder))


@pytest.mark.parametrize("size", SIZES)
def test_names_of_strangers_are_text_and_fit_the_page(browser: Browser, strangers: Path, size: str) -> None:
    files = sorted((strangers / "book/_generated").rglob("*.html"))
    names = [file.relative_to(strangers).with_suffix("").as_posix() for file in files]
    assert len(names) > 12
    with served(strangers) as address:
        assert not faults(browser, address, names, size=size, theme="light", skip_axe=names if size == "phone" else ())
    for file in files:
        assert "<script>alert(1)" not in file.read_text("utf-8"), file.name
