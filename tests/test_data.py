"""The sample data in the repository is what its generators write, and nothing else."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

DATA = Path(__file__).parents[1] / "data"
GENERATE = runpy.run_path(str(DATA / "generate.py"))
RESERVED = set('<>:"|?*\\')


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("suite", GENERATE["SUITES"])
def test_the_generator_still_writes_exactly_the_files_that_stand_here(suite: str, tmp_path: Path) -> None:
    GENERATE["write"](tmp_path, suite)
    assert [path.name for path in tmp_path.iterdir()] == [suite]
    written, here = files_of(tmp_path / suite), files_of(DATA / suite)
    assert sorted(written) == sorted(here)
    assert [name for name in written if written[name] != here[name]] == []


@pytest.mark.parametrize("suite", GENERATE["SUITES"])
def test_every_sample_file_has_a_name_that_every_file_system_takes(suite: str) -> None:
    for path in (DATA / suite).rglob("*"):
        assert not RESERVED & set(path.name)
        assert not path.name.endswith((" ", "."))
        assert len(path.name.encode()) < 200
