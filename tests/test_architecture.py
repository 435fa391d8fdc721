"""The map of the project names what stands in its lower rooms, and nothing that is gone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAP = (ROOT / "docs" / "architecture.md").read_text("utf-8")


@pytest.mark.parametrize("room", ["core", "formats"])
def test_the_map_names_every_module_of_a_lower_room_and_no_other(room: str) -> None:
    folder = ROOT / "evalreport" / room
    modules = {path.name for path in folder.glob("*.py")} | {f"{path.parent.name}/" for path in folder.glob("*/*.py")}
    part = MAP.split(f"| in `{room}/` |")[1].split("\n\n")[0]
    assert set(re.findall(r"`([a-z_]+(?:\.py|/))`", part)) == modules - {"__init__.py"}


def test_the_map_names_every_module_of_published_versions_and_no_other() -> None:
    part = MAP.split("## The room of published versions")[1].split("\n\n")[1]
    modules = {path.name for path in (ROOT / "evalreport" / "publish").glob("*.py")}
    assert set(re.findall(r"`([a-z_]+\.py)`", part)) == modules - {"__init__.py"}


def test_every_file_that_the_map_sends_a_reader_to_is_there() -> None:
    part = MAP.split("## Where do I change")[1]
    named = re.findall(r"`((?:book|charts|publish|report|suites|notebooks)/[^`\s]*)`", part)
    globs = [re.sub(r"<[a-z]+>", "*", name).rstrip("/") for name in named]
    assert len(globs) > 10
    assert [name for name in globs if not any((*ROOT.glob(name), *(ROOT / "evalreport").glob(name)))] == []


def test_sample_data_is_kept_byte_for_byte() -> None:
    assert "data/** -text" in (ROOT / ".gitattributes").read_text("utf-8").splitlines()
