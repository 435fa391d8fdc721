"""The pages of debates in a real browser: N/A apart from 0, from a shade to its formula, metadata of every page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.book]

CHAPTER = "book/_generated/debate"


def test_a_zero_and_a_dimension_that_does_not_apply_look_different(browser: Browser, suites_address: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{suites_address}/{CHAPTER}/system/debate.html")
    cells = page.locator("#tbl-debate-scores-debate")
    zero, none = cells.locator("td.er-low").first, cells.locator("td.er-na").first
    assert (zero.inner_text(), none.inner_text()) == ("0", "N/A")
    looks = [cell.evaluate("e => getComputedStyle(e).backgroundImage") for cell in (zero, none)]
    assert looks[0] == "none"
    assert "gradient" in looks[1]
    page.close()


@pytest.mark.parametrize(
    ("name", "table", "line"),
    [
        ("system/debate", "debate-scores-debate", "number-issue-discovery-recall-"),
        ("cases", "debate-means", "number-case-mean-"),
    ],
)
def test_a_shade_leads_to_the_formula_behind_it(
    browser: Browser, suites_address: str, name: str, table: str, line: str
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{suites_address}/{CHAPTER}/{name}.html")
    page.locator(f"#tbl-{table} td.er-heat a").first.click()
    page.wait_for_url(f"**/audit/**#{line}*")
    row = page.locator(f"[id='{page.url.partition('#')[2]}']")
    assert "✓ exactly" in row.inner_text()
    page.close()


def test_every_page_states_the_thresholds_and_the_rubric(browser: Browser, suites_address: str) -> None:
    page = browser.new_page()
    page.goto(f"{suites_address}/{CHAPTER}/outcome.html")
    found = {
        name: page.locator(f'meta[name="evalreport:debate.{name}"]').get_attribute("content")
        for name in ("per_dimension_pass", "overall_case_pass", "benchmark_pass_fraction", "rubric_sha256")
    }
    page.close()
    assert list(found.values())[:3] == ["0.5", "0.65", "0.75"]
    assert len(found["rubric_sha256"] or "") == 64
