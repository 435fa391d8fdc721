"""A site with two versions of the toy project, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from evalreport.project import read_project
from evalreport.publish.publishing import Wanted, publish
from tests.book import toy
from tests.publish.made import dated


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the toy be the suite that there is."""
    toy.register(monkeypatch)


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The folder of a toy project, and a site with 1.0 and 1.1 of it; before 1.1 one value and alpha were changed."""
    with pytest.MonkeyPatch.context() as patch:
        toy.register(patch)
        return _published(tmp_path_factory)


def _published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("published")
    root = dated(toy.make_project(folder / "project"))
    site = folder / "site"
    publish(read_project(root), "1.0", site=site, wanted=Wanted(with_data=True))
    (root / "data/b.txt").write_text("1\n3\n", "utf-8")
    file = root / "evalreport.yml"
    file.write_text(file.read_text("utf-8").replace("alpha: 0.1", "alpha: 0.2"), "utf-8")
    publish(read_project(root), "1.1", site=site, wanted=Wanted(with_data=True))
    return root, site
