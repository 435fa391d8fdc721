"""Versions order by what they mean; the latest is the highest that is stable and stands."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from evalreport.errors import EvalreportError
from evalreport.publish import versions
from evalreport.publish.verify import verify
from evalreport.publish.withdrawal import withdraw
from tests.publish.made import add_version, entry


def names(*given: str) -> list[str]:
    return [one.name for one in versions.arranged(map(entry, given))]


def test_versions_order_by_meaning_not_by_their_letters() -> None:
    assert names("1.9.1", "1.10", "1.2") == ["1.10 (latest)", "1.9.1", "1.2"]


def test_a_late_patch_of_an_older_line_leaves_latest_where_it_is() -> None:
    assert names("1.10", "1.9", "1.9.1") == ["1.10 (latest)", "1.9.1", "1.9"]


def test_a_pre_release_is_never_the_latest() -> None:
    assert names("1.10", "2.0rc1", "2.0.dev3") == ["2.0rc1 (pre-release)", "2.0.dev3 (pre-release)", "1.10 (latest)"]
    assert not any(one.preferred for one in versions.arranged([entry("2.0rc1")]))


def test_a_withdrawn_version_is_not_the_latest() -> None:
    gone = msgspec.structs.replace(entry("1.1"), status="withdrawn")
    assert [one.name for one in versions.arranged([gone, entry("1.0")])] == ["1.1 (withdrawn)", "1.0 (latest)"]


def test_a_version_is_compared_with_the_highest_below_it_that_stands() -> None:
    gone = msgspec.structs.replace(entry("1.9.5"), status="withdrawn")
    found = versions.predecessor([entry("1.10"), entry("1.9.1"), entry("1.2"), gone], "1.9.9")
    assert found is not None
    assert found.version == "1.9.1"


@pytest.mark.parametrize("version", ["latest", "", "1.0/../x", "one", "1..0"])
def test_what_is_no_version_is_refused(version: str) -> None:
    with pytest.raises(EvalreportError, match="PEP 440"):
        versions.meaning(version)


def test_a_list_survives_being_written_and_read() -> None:
    listed = versions.arranged([entry("1.0"), entry("1.1")])
    assert versions.decode(versions.encode(listed)) == listed


def test_latest_moves_on_when_its_version_is_withdrawn_and_every_state_verifies(tmp_path: Path) -> None:
    site = tmp_path / "site"
    for version in ("1.10", "1.9.1", "2.0rc1"):
        add_version(site, version)
        verify(site)
    assert "../1.10/index.html" in (site / "latest/index.html").read_text("utf-8")
    assert (site / "latest/book/only-in-1.10.html").is_file()
    before = (site / "1.10/manifest.json").read_bytes()
    withdraw(site, "1.10", why="A gold <was> wrong", superseded_by="1.9.1", date="2026-02-01")
    verify(site)
    assert "../1.9.1/index.html" in (site / "latest/index.html").read_text("utf-8")
    assert not (site / "latest/book/only-in-1.10.html").exists()
    assert (site / "1.10/manifest.json").read_bytes() == before
    plain = (site / "versions.html").read_text("utf-8")
    assert "Withdrawn</strong> on 2026-02-01: <bdi>A gold &lt;was&gt; wrong</bdi>" in plain
    assert 'Superseded by <a href="1.9.1/index.html">' in plain
    assert "<script" not in plain


def test_without_any_stable_version_there_is_no_latest(tmp_path: Path) -> None:
    site = tmp_path / "site"
    add_version(site, "1.0")
    withdraw(site, "1.0", why="Wrong.")
    verify(site)
    assert not (site / "latest").exists()
    assert "versions.html" in (site / "index.html").read_text("utf-8")


def test_a_withdrawal_needs_a_reason_and_a_version_that_stands(tmp_path: Path) -> None:
    site = tmp_path / "site"
    add_version(site, "1.0")
    for arguments in ({"version": "1.0", "why": " "}, {"version": "3.0", "why": "x"}):
        with pytest.raises(EvalreportError):
            withdraw(site, arguments["version"], why=arguments["why"])
    withdraw(site, "1.0.0", why="Wrong.")
    with pytest.raises(EvalreportError, match="was withdrawn on"):
        withdraw(site, "1.0", why="Again.")
