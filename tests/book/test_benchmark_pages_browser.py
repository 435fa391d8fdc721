"""The pages of the sample benchmark in a real browser, on a desk and on a phone, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.book.browsing import SIZES, Watched, faults, overflowing, served

pytestmark = [pytest.mark.browser, pytest.mark.book]

OVERVIEWS = "book/_generated/benchmark"
SUBJECT, NO_DATA = "workshop-novice--1e5", "freewheel-mini--freewheel-mini-0-1-xb2b8c6b6ebe2"
HOSTILE = "spoke-co-7--b-spoke-b-co-7-x9c65327e6275"
# One page of each kind, and the kinds with an edge: names that try to be something else, no scored run.
PAGES = (
    *("book/intro", "book/audit", "book/citing", "book/elements", "book/references", "book/methodology/benchmark"),
    *("book/_generated/parameters", "book/_generated/data"),
    *(f"{OVERVIEWS}/{name}" for name in ("leaderboard", "calibration", "families", "sensitivity")),
    *(f"{OVERVIEWS}/subject/{name}" for name in (SUBJECT, HOSTILE, NO_DATA)),
    *(f"{OVERVIEWS}/audit/{name}" for name in (SUBJECT, NO_DATA)),
)
# The list of input files is the same table as elsewhere, a thousand rows long: it is looked at once.
LONG = "book/_generated/data"
NAMES = """() => [...document.querySelectorAll('#tbl-benchmark-leaderboard tbody')].map(body =>
  [...body.querySelectorAll('th[scope=row]')].map(head => head.textContent.trim()))"""


@pytest.fixture(scope="module")
def address(sample: Path) -> Iterator[str]:
    with served(sample) as url:
        yield url


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_pages_ask_nobody_else_say_no_error_do_not_overflow_and_are_accessible(
    browser: Browser, address: str, theme: str, size: str
) -> None:
    skip = () if (size, theme) == ("desk", "light") else (LONG,)
    assert not faults(browser, address, PAGES, size=size, theme=theme, skip_axe=skip)


@pytest.mark.parametrize("width", [320, 768, 1600])
def test_no_page_overflows_at_other_widths(browser: Browser, address: str, width: int) -> None:
    assert not overflowing(browser, address, PAGES, width)


def test_every_table_of_a_chapter_holds_at_desk_width(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    found = []
    for name in (name for name in PAGES if "/audit/" not in name):
        page.goto(f"{address}/{name}.html")
        found += page.locator(".er-tablebox > .er-scroll").evaluate_all(
            "all => all.filter(e => e.scrollWidth > e.clientWidth)"
            ".map(e => [e.parentElement.id, e.scrollWidth - e.clientWidth])"
        )
    assert found == []
    page.close()


def test_a_very_long_table_scrolls_in_a_box_below_its_head(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{address}/{LONG}.html")
    box = page.locator("#tbl-inputs-benchmark > .er-scroll")
    assert box.evaluate("e => e.clientHeight") <= 720
    box.focus()
    page.keyboard.press("End")
    page.wait_for_function("document.querySelector('#tbl-inputs-benchmark > .er-scroll').scrollTop > 1000")
    head, top = (box.locator(where).bounding_box() for where in ("thead th >> nth=0", "xpath=."))
    assert head is not None
    assert top is not None
    assert abs(head["y"] - top["y"]) <= 2
    page.close()


def test_the_link_over_the_navigation_can_be_read_when_it_has_the_focus(browser: Browser, address: str) -> None:
    for theme in ("light", "dark"):
        page = browser.new_page(color_scheme=theme)
        page.goto(f"{address}/book/intro.html")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to main content"
        page.wait_for_timeout(400)  # it slides in
        assert (
            not Axe()
            .run(page, context="#pst-skip-link", options={"runOnly": ["color-contrast"]})
            .response["violations"]
        )
        page.close()


def test_the_leaderboard_is_sorted_by_keyboard_inside_its_groups(browser: Browser, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}/{OVERVIEWS}/leaderboard.html")
    before = page.evaluate(NAMES)
    table = page.locator("#tbl-benchmark-leaderboard")
    table.get_by_role("button", name="Brier (lower is better)").focus()
    page.keyboard.press("Enter")
    assert table.locator("th[aria-sort]").get_attribute("aria-sort") == "ascending"
    after = page.evaluate(NAMES)
    assert after != before
    assert [sorted(group) for group in after] == [sorted(group) for group in before]
    assert after[1][-1].startswith("freewheel-mini"), "a row without a value comes last"
    page.close()


def test_another_weight_is_marked_as_not_published_and_taken_back(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{address}/{OVERVIEWS}/leaderboard.html")
    composites = page.locator("#tbl-benchmark-leaderboard tbody:first-of-type td.er-q")
    published = composites.all_inner_texts()
    page.locator(".er-explore input").focus()
    page.keyboard.press("End")
    # at weight 1 the composite is the pass rate
    rates = page.locator("#tbl-benchmark-leaderboard tbody:first-of-type tr").evaluate_all(
        "rows => rows.map(row => [row.dataset.one, row.querySelector('td.er-q').dataset.v])"
    )
    assert all(_same(one, shown) for one, shown in rates)
    assert "Exploring, not published: at α 1.00" in page.locator(".er-explore p").inner_text()
    page.get_by_role("button", name="Back to 0.50").click()
    assert composites.all_inner_texts() == published
    page.close()


def _same(one: str, other: str) -> bool:
    return Fraction(one) == Fraction(other)


def test_a_number_leads_to_its_audit_line_which_shows_the_same_number(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{address}/{OVERVIEWS}/leaderboard.html")
    link = page.locator("#tbl-benchmark-leaderboard tbody:first-of-type td.er-q a").first
    shown = link.inner_text()
    link.click()
    page.wait_for_url("**/audit/**#number-q-final")
    ledger = page.locator("section", has=page.locator("#number-q-final")).last
    assert ledger.locator(".er-big-n").inner_text() == shown
    values = ledger.locator(".er-check b").all_inner_texts()
    assert len(set(values)) == 1
    assert ledger.locator(".er-agree").inner_text().endswith("agree exactly")
    page.close()


def test_pages_and_search_work_from_a_disk(browser: Browser, sample: Path) -> None:
    watched = Watched(browser.new_page())
    watched.open((sample / f"{OVERVIEWS}/leaderboard.html").as_uri())
    assert not watched.errors
    assert all(url.startswith(("file://", "data:")) for url in watched.requests)
    assert watched.page.locator("#tbl-benchmark-leaderboard thead button").count() > 0
    watched.page.goto(f"{(sample / 'search.html').as_uri()}?q=disqualified")
    results = watched.page.locator("#search-results li a")
    results.first.wait_for()
    assert results.count() > 0
    assert all(url.startswith(("file://", "data:")) for url in watched.requests)
    watched.page.close()


def test_without_script_every_row_is_there(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/{OVERVIEWS}/leaderboard.html")
    assert page.locator("#tbl-benchmark-leaderboard tbody tr th[scope=row]").count() == 13
    assert not page.locator(".er-explore").is_visible()
    context.close()
