"""The pages of comparisons in a real browser, on a desk and on a phone, light and dark; names of strangers in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from lxml import html as lxml_html
from playwright.sync_api import Browser

from evalreport.book.build import build
from evalreport.core.slug import slug
from evalreport.project import read_project
from tests.book.browsing import SIZES, faults, overflowing, served

pytestmark = [pytest.mark.browser, pytest.mark.book]

CHAPTER = "book/_generated/comparison"
HOSTILE = slug("lab-f/<i>merlin</i> | $w_1$ & 50% 地图 אב")
PARTIAL = slug("lab-d/osprey-1")
PAGES = (
    *(f"{CHAPTER}/{name}" for name in ("leaderboard", "pairs", "categories", "tasks", "sources")),
    *(f"{CHAPTER}/model/{name}" for name in (HOSTILE, PARTIAL)),
    *(f"{CHAPTER}/audit/{name}" for name in ("all--leaderboards", "guess")),
    "book/methodology/comparison",
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


@pytest.mark.parametrize("width", [390, 1280])
def test_an_exact_value_of_very_many_digits_breaks(browser: Browser, address: str, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto(f"{address}/{CHAPTER}/audit/guess.html")
    page.evaluate("for (const b of document.querySelectorAll('.er-check b')) b.textContent = '1234567890'.repeat(20)")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


def test_the_leaderboard_holds_at_desk_width(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{address}/{CHAPTER}/leaderboard.html")
    box = page.locator("#tbl-comparison-leaderboard .er-scroll")
    assert box.evaluate("e => e.scrollWidth - e.clientWidth") <= 0
    page.close()


def test_a_difference_leads_to_its_audit_line_which_shows_the_same_number(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{address}/{CHAPTER}/pairs.html")
    link = page.locator("#tbl-comparison-pairs tbody td.er-q a").first
    shown = link.inner_text()
    link.click()
    page.wait_for_url("**/audit/**#number-paired-difference-*")
    place = page.url.partition("#")[2]
    row = page.locator(f"tr[id='{place}']")
    value, *_ = row.locator("td.r").all_inner_texts()
    assert value == shown.removeprefix("+")
    page.close()


def test_a_reader_finds_a_task_by_its_name(browser: Browser, address: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{address}/{CHAPTER}/tasks.html")
    page.locator(".er-filter input").first.fill("routes-07")
    rows = page.locator("#tbl-comparison-tasks tbody tr:visible th[scope=row]")
    assert rows.all_inner_texts() == ["routes-07"]
    page.close()


def test_every_number_of_the_chapter_has_its_place(sample_of_suites: Path) -> None:
    folder = sample_of_suites / CHAPTER
    ids = {
        file.name: {str(i) for i in lxml_html.fromstring(file.read_bytes()).xpath("//@id")}
        for file in (folder / "audit").glob("*.html")
    }
    lost, followed = [], 0
    for file in folder.rglob("*.html"):
        for href in lxml_html.fromstring(file.read_bytes()).xpath("//a[contains(@href, '#number-')]/@href"):
            target, _, place = str(href).rpartition("#")
            followed += 1
            if place not in ids[target.rpartition("/")[2] or file.name]:
                lost.append((file.name, str(href)))
    assert lost == []
    assert followed > 1_000


def test_the_leaderboard_is_there_as_markdown_and_as_latex_with_its_level(sample_of_suites: Path) -> None:
    for name in ("leaderboard.md", "leaderboard.tex"):
        assert re.search(r"95 \\?% CI", (sample_of_suites / "data/comparison" / name).read_text("utf-8")), name


@pytest.mark.shared
def test_names_of_strangers_stay_text_and_a_wide_table_scrolls_in_its_own_box(
    browser: Browser, shared: Path, tmp_path: Path
) -> None:
    rows = ["model_id,task_id,metric_name,score"]
    rows += [f"m{m},task_number_{t:02},acc,{(m * 60 + t) / 180:.6f}" for m in range(3) for t in range(60)]
    (tmp_path / "wide.csv").write_text("\n".join([*rows, ""]), "utf-8")
    data = [*(str(shared / f"cases/public/{name}/runs.csv") for name in ("N06", "N07", "N09")), "wide.csv"]
    content = {
        "title": "Strangers", "authors": ["The Example Benchmark Group"], "version": "1.0.0",
        "suites": {"comparison": {"data": data, "resamples": 100}},
    }  # fmt: skip
    (tmp_path / "evalreport.yml").write_text(yaml.safe_dump(content), "utf-8")
    html = build(read_project(tmp_path))
    names = {
        str(row).strip()
        for row in lxml_html.fromstring((html / f"{CHAPTER}/leaderboard.html").read_bytes()).xpath(
            "//*[@id='tbl-comparison-leaderboard']//th[@scope='row']//text()"
        )
    }
    for name in ("<b>bold</b>", "{{ inject }}", "</script><script>alert(1)</script>", "cost$a_{b$", "模型-一号"):
        assert name in names
    for file in sorted((html / CHAPTER).rglob("*.html")):
        page = lxml_html.fromstring(file.read_bytes())
        made = page.xpath("//*[@onerror or @onload or @ontoggle or @onmouseover] | //b[text()='bold']")
        assert made == [], file.name
        assert page.xpath("//a[starts-with(translate(@href, 'JAVSCRIPT', 'javscript'), 'javascript:')]") == [], (
            file.name
        )
    pages = [f"{CHAPTER}/{name}" for name in ("leaderboard", "pairs", "tasks")]
    with served(html) as url:
        assert not faults(browser, url, pages, size="phone", theme="light", skip_axe=pages)
