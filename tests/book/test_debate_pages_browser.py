"""The pages of debates in a real browser, on a desk and on a phone, light and dark; metadata of every page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from evalreport.core.slug import slug
from tests.book.browsing import SIZES, faults, overflowing, served

pytestmark = [pytest.mark.browser, pytest.mark.book]

CHAPTER = "book/_generated/debate"
HOSTILE = slug("ensemble <3 votes> & $1")
PAGES = (
    *(f"{CHAPTER}/{name}" for name in ("outcome", "cases", "thresholds")),
    *(f"{CHAPTER}/system/{name}" for name in ("debate", "baseline", HOSTILE)),
    f"{CHAPTER}/audit/debate",
    "book/methodology/debate",
)


@pytest.fixture(scope="module")
def address(sample_of_suites: Path) -> Iterator[str]:
    with served(sample_of_suites) as url:
        yield url


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_pages_ask_nobody_else_say_no_error_do_not_overflow_and_are_accessible(
    browser: Browser, address: str, theme: str, size: str
) -> None:
    assert not faults(browser, address, PAGES, size=size, theme=theme)


@pytest.mark.parametrize("width", [320, 768, 1600])
def test_no_page_overflows_at_other_widths(browser: Browser, address: str, width: int) -> None:
    assert not overflowing(browser, address, PAGES, width)


def test_a_zero_and_a_dimension_that_does_not_apply_look_different(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{address}/{CHAPTER}/system/debate.html")
    cells = page.locator("#tbl-debate-scores-debate")
    zero, none = cells.locator("td.er-low").first, cells.locator("td.er-na").first
    assert (zero.inner_text(), none.inner_text()) == ("0", "N/A")
    looks = [cell.evaluate("e => getComputedStyle(e).backgroundImage") for cell in (zero, none)]
    assert looks[0] == "none"
    assert "gradient" in looks[1]
    page.close()


def test_every_page_states_the_thresholds_and_the_rubric(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}/{CHAPTER}/outcome.html")
    found = {
        name: page.locator(f'meta[name="evalreport:debate.{name}"]').get_attribute("content")
        for name in ("per_dimension_pass", "overall_case_pass", "benchmark_pass_fraction", "rubric_sha256")
    }
    page.close()
    assert list(found.values())[:3] == ["0.5", "0.65", "0.75"]
    assert len(found["rubric_sha256"] or "") == 64
