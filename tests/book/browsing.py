"""Pages of a built book in a real browser: served, watched for requests and errors, measured, looked at by axe."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

# Every rule runs. Details are gathered for violations only: those of the other elements take most of the time.
AXE = {"resultTypes": ["violations"]}
SIZES = {"desk": (1280, 900), "phone": (390, 844)}


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address at which the pages below a folder are served, on this machine only."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class Watched:
    """A page that notes every request and everything that went wrong."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.requests: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("requestfailed", lambda request: self.errors.append(f"failed: {request.url}"))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda line: self.errors.append(line.text) if line.type in ("error", "warning") else None)

    def open(self, url: str) -> None:
        """Go there and wait until everything is loaded, pictures further down too."""
        self.page.goto(url)
        self.page.evaluate("document.querySelectorAll('img[loading=lazy]').forEach(i => { i.loading = 'eager'; })")
        self.page.wait_for_load_state("networkidle")


def faults(
    browser: Browser, address: str, pages: Sequence[str], *, size: str, theme: str, skip_axe: Sequence[str] = ()
) -> list[tuple[object, ...]]:
    """What is wrong with these pages: requests elsewhere, errors, overflow, serious faults of accessibility."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if theme == "dark" else "light",
        is_mobile=size == "phone",
        has_touch=size == "phone",
    )
    origin = "{0.scheme}://{0.netloc}/".format(urlsplit(address))
    found: list[tuple[object, ...]] = []
    for name in pages:
        watched = Watched(context.new_page())
        watched.open(f"{address}/{name}.html")
        outside = [u for u in watched.requests if not u.startswith((origin, "data:"))]
        wide = watched.page.evaluate("document.documentElement.scrollWidth")
        found += [(name, "outside", u) for u in outside] + [(name, "error", e) for e in watched.errors]
        found += [(name, "overflow", wide)] if wide > width else []
        for violation in Axe().run(watched.page, options=AXE).response["violations"] if name not in skip_axe else ():
            if violation["impact"] in ("serious", "critical"):
                found.append((name, violation["id"], [n["target"] for n in violation["nodes"]][:3]))
        watched.page.close()
    context.close()
    return found


def overflowing(browser: Browser, address: str, pages: Sequence[str], width: int) -> list[tuple[str, int]]:
    """The pages that are wider than a window of this width."""
    page = browser.new_page(viewport={"width": width, "height": 900})
    wide = []
    for name in pages:
        page.goto(f"{address}/{name}.html")
        found = page.evaluate("document.documentElement.scrollWidth")
        if found > width:
            wide.append((name, found))
    page.close()
    return wide


def scrolling(browser: Browser, address: str, pages: Sequence[str], boxes: str) -> list[tuple[str, str, int]]:
    """The boxes on these pages whose content is wider than they are on a desk, and by how much."""
    width, height = SIZES["desk"]
    page = browser.new_page(viewport={"width": width, "height": height})
    wide = []
    for name in pages:
        page.goto(f"{address}/{name}.html")
        page.wait_for_load_state("networkidle")
        for box in page.locator(boxes).all():
            if over := box.evaluate("e => e.scrollWidth - e.clientWidth"):
                label = box.get_attribute("aria-labelledby") or box.get_attribute("aria-label")
                wide.append((name, label or box.inner_text()[:60], over))
    page.close()
    return wide
