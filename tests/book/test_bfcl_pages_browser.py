"""The pages of function calling in a real browser: from a score to its formula."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from evalreport.core.slug import slug
from tests.book.browsing import scrolling

pytestmark = [pytest.mark.browser, pytest.mark.book]

CHAPTER = "book/_generated/bfcl"
COMPLETE = slug("lab-f/avocet-70b")


def test_the_formula_of_the_overall_fits_its_line_at_desk_width_also_with_numbers_put_in(
    browser: Browser, suites_address: str
) -> None:
    boxes = ".er-ledger:first-of-type :is(.er-steps, .er-step)"
    assert not scrolling(browser, suites_address, [f"{CHAPTER}/audit/{COMPLETE}"], boxes)


def test_a_number_of_the_leaderboard_leads_to_its_formula(browser: Browser, suites_address: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{suites_address}/{CHAPTER}/leaderboard.html")
    page.locator("#tbl-bfcl-leaderboard a.er-num").first.click()
    page.wait_for_load_state("networkidle")
    assert page.url.endswith(f"/audit/{COMPLETE}.html#number-overall")
    assert page.locator("#number-overall").count() == 1
    page.close()
