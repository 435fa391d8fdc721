"""The pages of function calling in a real browser, on a desk and on a phone, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from evalreport.core.slug import slug
from tests.book.browsing import SIZES, faults, overflowing, served

pytestmark = [pytest.mark.browser, pytest.mark.book]

CHAPTER = "book/_generated/bfcl"
HERON, COMPLETE = slug("lab-a/heron-7b"), slug("lab-f/avocet-70b")
HOSTILE = slug('lab-e/<b>`x`</b> | $w_1$ & 50% "模型" אב ../')
PAGES = (
    *(f"{CHAPTER}/{name}" for name in ("leaderboard", "weights", "rules", "shards", "official")),
    *(f"{CHAPTER}/model/{name}" for name in (HERON, COMPLETE, HOSTILE)),
    *(f"{CHAPTER}/audit/{name}" for name in (HERON, COMPLETE)),
    "book/methodology/bfcl",
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


def test_the_formula_of_the_overall_fits_its_line_at_desk_width(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{address}/{CHAPTER}/audit/{COMPLETE}.html")
    formula = page.locator(".er-ledger").first.locator(".er-step").first
    assert formula.evaluate("e => e.clientWidth - e.scrollWidth") >= 0
    page.close()


def test_a_number_of_the_leaderboard_leads_to_its_formula(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{address}/{CHAPTER}/leaderboard.html")
    page.locator("#tbl-bfcl-leaderboard a.er-num").first.click()
    page.wait_for_load_state("networkidle")
    assert page.url.endswith(f"/audit/{COMPLETE}.html#number-overall")
    assert page.locator("#number-overall").count() == 1
    page.close()
