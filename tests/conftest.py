"""What the tests need from outside, and the closing line that names what was not selected."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

# marker -> (environment variable, what is missing without it)
SELECTED_BY = {
    "shared": ("EVALREPORT_SHARED", "the shared cases and real data"),
    "browser": ("EVALREPORT_BROWSER", "a Chromium to open pages in"),
    "tex": ("EVALREPORT_TEX", "a lualatex to set tables with"),
}
_left_out: dict[str, int] = {}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect (never skip) what the machine cannot run; the summary says so."""
    keep: list[pytest.Item] = []
    drop: list[pytest.Item] = []
    for item in items:
        missing = [
            m for m, (variable, _) in SELECTED_BY.items() if item.get_closest_marker(m) and not os.environ.get(variable)
        ]
        for marker in missing:
            _left_out[marker] = _left_out.get(marker, 0) + 1
        (drop if missing else keep).append(item)
    if drop:
        config.hook.pytest_deselected(items=drop)
        items[:] = keep


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker of pytest-xdist tells its controller what it left out."""
    told = getattr(session.config, "workeroutput", None)
    if told is not None:
        told["left_out"] = dict(_left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """The controller notes it; every worker collects, and so leaves out, the same tests."""
    _left_out.update(getattr(node, "workeroutput", {}).get("left_out", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name what was left out and the variable that selects it."""
    for marker, count in sorted(_left_out.items()):
        variable, what = SELECTED_BY[marker]
        terminalreporter.write_line(
            f"not selected: {count} tests marked {marker}; set {variable} to run them with {what}"
        )


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the shared cases and data."""
    return Path(os.environ["EVALREPORT_SHARED"]).resolve()


@pytest.fixture(scope="session")
def browser() -> Iterator[object]:
    """A headless Chromium, driven by playwright; the variable names the program."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        chromium = play.chromium.launch(
            executable_path=os.environ["EVALREPORT_BROWSER"],
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ],
        )
        yield chromium
        chromium.close()
