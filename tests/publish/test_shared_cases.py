"""The shared cases about publishing: nothing of an old build stays in a new version; the old one stays as it was."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evalreport.project import read_project
from evalreport.publish.init import init_project
from evalreport.publish.publishing import publish
from evalreport.publish.verify import verify
from tests.book.toy import contents

pytestmark = [pytest.mark.shared, pytest.mark.book]


def test_a_model_that_is_gone_is_in_no_file_of_the_new_version(tmp_path: Path, shared: Path) -> None:
    root, site = tmp_path / "project", tmp_path / "site"
    init_project(root, suites=["comparison"])
    data = root / "data/comparison/scores.csv"
    shutil.copyfile(shared / "cases/public/N11/step1.csv", data)
    publish(read_project(root), "1", site=site)
    before = contents(site / "1")
    assert b"gone" in before["data/comparison/models.csv"]
    shutil.copyfile(shared / "cases/public/N11/step2.csv", data)
    publish(read_project(root), "2", site=site)
    after = contents(site / "2")
    own = {name: content for name, content in after.items() if not name.startswith("_static/")}
    assert [name for name, content in own.items() if b"gone" in content or "gone" in name] == []
    assert b"keep,0.6000" in after["data/comparison/models.csv"]
    assert b"keep,0.5000" not in after["data/comparison/models.csv"]
    assert contents(site / "1") == before
    verify(site)
