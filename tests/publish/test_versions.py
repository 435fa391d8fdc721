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


@pytest.mark.parametrize(
    "version", ["latest", "", "1.0/../x", "..", "one", "1..0", "１.０", "1.0\0", "1.0+é", "9" * 5000]
)
def test_what_is_no_version_is_refused(version: str) -> None:
    with pytest.raises(EvalreportError, match="PEP 440"):
        versions.meaning(version)


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("v1.0", "called 1.0"),
        (" 1.0", "called 1.0"),
        ("1.0\n", "called 1.0"),
        ("1." * 40 + "0", "no more than 64"),
    ],
)
def test_a_new_version_is_called_by_what_can_name_a_folder(version: str, said: str) -> None:
    with pytest.raises(EvalreportError, match=said):
        versions.check_name(version)


@pytest.mark.parametrize("version", ["1.0", "1.10.2", "2.0rc1", "2.0.dev3", "1!2.0", "1.0+local.1", "1.0-1"])
def test_other_names_stay_as_they_are(version: str) -> None:
    versions.check_name(version)


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


def test_what_takes_the_place_of_a_withdrawn_version_may_be_named_later(tmp_path: Path) -> None:
    site = tmp_path / "site"
    for version in ("1.0", "1.1", "1.2"):
        add_version(site, version)
    withdraw(site, "1.0", why="Wrong.", date="2026-02-01")
    withdraw(site, "1.0", superseded_by="1.1")
    (entry,) = (one for one in versions.read_versions(site) if one.version == "1.0")
    assert (entry.why, entry.withdrawn_on, entry.superseded_by) == ("Wrong.", "2026-02-01", "1.1")
    with pytest.raises(EvalreportError, match=r"was withdrawn on 2026-02-01 and superseded by 1\.1"):
        withdraw(site, "1.0", superseded_by="1.2")
    # until that one falls itself
    withdraw(site, "1.1", why="Wrong too.")
    with pytest.raises(EvalreportError, match=r"1\.1 was withdrawn itself"):
        withdraw(site, "1.0", superseded_by="1.1")
    withdraw(site, "1.0", superseded_by="1.2")
    assert 'Superseded by <a href="1.2/index.html">' in (site / "versions.html").read_text("utf-8")
    verify(site)


def test_nothing_that_was_withdrawn_takes_the_place_of_another(tmp_path: Path) -> None:
    site = tmp_path / "site"
    for version in ("1.0", "1.1"):
        add_version(site, version)
    withdraw(site, "1.1", why="Wrong.")
    for other, said in (("1.1", "was withdrawn itself"), ("1.0", "the version itself"), ("9.9", "9.9 is not listed")):
        with pytest.raises(EvalreportError, match=said):
            withdraw(site, "1.0", why="Wrong.", superseded_by=other)
    verify(site)


def test_a_withdrawal_needs_a_reason_and_a_version_that_stands(tmp_path: Path) -> None:
    site = tmp_path / "site"
    add_version(site, "1.0")
    for arguments in ({"version": "1.0", "why": " "}, {"version": "3.0", "why": "x"}):
        with pytest.raises(EvalreportError):
            withdraw(site, arguments["version"], why=arguments["why"])
    withdraw(site, "1.0.0", why="Wrong.")
    with pytest.raises(EvalreportError, match="was withdrawn on"):
        withdraw(site, "1.0", why="Again.")
