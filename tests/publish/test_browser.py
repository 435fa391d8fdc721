"""A reader in a real browser, below a prefix and from a disk: the choice of versions, the banner, the search."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from lxml import etree
from playwright.sync_api import Browser, Page, expect

from evalreport.project import read_project
from evalreport.publish.publishing import publish
from evalreport.publish.withdrawal import withdraw
from tests.book import toy
from tests.publish.made import copied

pytestmark = [pytest.mark.browser, pytest.mark.book]


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Tests have their own output."""


@pytest.fixture(scope="module")
def site(published: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three versions below a prefix: 1.0 is withdrawn, 1.2 is the latest."""
    root, start = published
    place = copied(start, tmp_path_factory.mktemp("served") / "some" / "prefix")
    with pytest.MonkeyPatch.context() as patch:
        toy.register(patch)
        publish(read_project(root), "1.2", site=place)
    withdraw(place, "1.0", why="Two <b>scores</b> were wrong.", superseded_by="1.2", date="2026-02-01")
    return place


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    handler = partial(_Quiet, directory=str(site.parents[1]))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/some/prefix"
        server.shutdown()
        thread.join()


@pytest.fixture(params=["http", "file"])
def base(request: pytest.FixtureRequest, address: str, site: Path) -> str:
    return address if request.param == "http" else site.as_uri()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that may ask for nothing but what it was told to."""
    opened = browser.new_page()
    yield opened
    opened.close()


def test_the_choice_of_versions_keeps_the_page(page: Page, base: str) -> None:
    page.goto(f"{base}/1.2/book/intro.html")
    choice = page.get_by_label("Version of the book")
    expect(choice.locator("option")).to_have_text(["1.2 (latest)", "1.1", "1.0 (withdrawn)"])
    choice.select_option(label="1.1")
    page.wait_for_url("**/1.1/book/intro.html")
    page.get_by_label("Version of the book").select_option(label="1.0 (withdrawn)")
    page.wait_for_url("**/1.0/book/intro.html")


def test_a_page_that_the_other_version_does_not_have_leads_to_its_start(page: Page, base: str) -> None:
    page.goto(f"{base}/1.2/book/changes.html")
    page.get_by_label("Version of the book").select_option(label="1.0 (withdrawn)")
    page.wait_for_url("**/1.0/book/intro.html")


def test_an_older_version_says_which_is_the_latest(page: Page, base: str) -> None:
    page.goto(f"{base}/1.1/book/intro.html")
    banner = page.locator(".er-banner")
    expect(banner).to_have_text("This is version 1.1. Version 1.2 is the latest; the numbers here stay as they were.")
    banner.get_by_role("link").click()
    page.wait_for_url("**/1.2/book/intro.html")
    expect(page.get_by_label("Version of the book")).to_be_visible()
    expect(page.locator(".er-banner")).to_have_count(0)


@pytest.mark.parametrize("place", ["book/intro.html", "book/_generated/toy/overview.html", "search.html"])
def test_every_page_of_a_withdrawn_version_says_so_and_why(page: Page, base: str, place: str) -> None:
    page.goto(f"{base}/1.0/{place}")
    expect(page.locator(".er-banner")).to_have_text(
        "Version 1.0 was withdrawn on 2026-02-01: Two <b>scores</b> were wrong. Version 1.2 takes its place."
    )


def test_without_scripts_the_list_of_versions_tells_it(browser: Browser, base: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{base}/1.0/book/intro.html")
    page.get_by_role("link", name="all versions").click()
    page.wait_for_url("**/versions.html")
    assert "Withdrawn on 2026-02-01: Two <b>scores</b> were wrong. Superseded by 1.2." in page.inner_text("table")
    context.close()


def test_latest_leads_to_the_same_page_of_the_latest_version(page: Page, base: str) -> None:
    page.goto(f"{base}/latest/book/intro.html")
    page.wait_for_url("**/1.2/book/intro.html")
    page.goto(f"{base}/index.html")
    page.wait_for_url("**/1.2/book/intro.html")


def test_each_version_finds_its_own_pages(page: Page, base: str) -> None:
    for version in ("1.0", "1.2"):
        page.goto(f"{base}/{version}/search.html?q=mean")
        link = page.locator("#search-results li a").first
        link.wait_for()
        link.click()
        page.wait_for_url(f"**/{version}/book/**")


def test_every_link_of_the_site_resolves(site: Path) -> None:
    missing = set()
    for file in sorted(site.rglob("*.html")):
        for link in etree.parse(file, etree.HTMLParser(encoding="utf-8")).iter("a", "link"):
            parts = urlsplit(link.get("href", ""))
            if parts.path and not parts.scheme and not parts.netloc:
                target = file.parent / unquote(parts.path)
                target = target / "index.html" if parts.path.endswith("/") else target
                if not target.exists():
                    missing.add((file.relative_to(site).as_posix(), link.get("href")))
    assert missing == set()
