"""A new project stands by itself, and no file of anybody is ever written over."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from evalreport import suites
from evalreport.errors import EvalreportError
from evalreport.project import read_project
from evalreport.publish.init import init_project, sampled_suites
from tests.book.toy import contents


def test_every_suite_has_a_sample_that_it_reads_and_computes(tmp_path: Path) -> None:
    assert sampled_suites() == tuple(sorted(suites.all_suites()))
    init_project(tmp_path / "all of them")
    project = read_project(tmp_path / "all of them")
    assert [choice.name for choice in project.suites] == list(sampled_suites())
    for choice in project.suites:
        suite = suites.all_suites()[choice.name]
        records = suite.read(choice.paths, choice.settings)
        assert suite.ignored(records) == ()
        assert list(suite.values(suite.compute(records, choice.settings)))


def test_every_setting_stands_in_the_project_file_with_its_default(tmp_path: Path) -> None:
    init_project(tmp_path)
    file = tmp_path / "evalreport.yml"
    before = read_project(tmp_path)
    lines = file.read_text("utf-8").splitlines()
    switched_on = []
    for line in lines:
        name, _, value = line.strip().removeprefix("# ").partition(": ")
        is_setting = line.startswith("    # ") and " " not in name and value.startswith("'") and value != "''"
        switched_on.append(line.replace("# ", "", 1) if is_setting else line)
    assert len(set(switched_on) - set(lines)) > 10
    file.write_text("\n".join(switched_on), "utf-8")
    assert read_project(tmp_path) == before


def test_only_the_suites_that_were_asked_for_are_there(tmp_path: Path) -> None:
    init_project(tmp_path, suites=["comparison"])
    assert {path.name for path in (tmp_path / "data").iterdir()} == {"comparison"}
    assert list(yaml.safe_load((tmp_path / "evalreport.yml").read_text("utf-8"))["suites"]) == ["comparison"]


def test_a_suite_that_is_not_known_is_named_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(EvalreportError, match="expected 'benchmark'"):
        init_project(tmp_path / "new", suites=["benchmrak"])
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", ["evalreport.yml", "README.md", "data", ".github"])
def test_where_a_file_is_in_the_way_nothing_is_written(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine", "utf-8")
    with pytest.raises(EvalreportError, match="is there already"):
        init_project(tmp_path)
    assert contents(tmp_path) == {name: b"mine"}


def test_a_link_in_the_way_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "new/evalreport.yml").symlink_to(tmp_path / "elsewhere.yml")
    with pytest.raises(EvalreportError, match="is there already"):
        init_project(tmp_path / "new")
    assert not (tmp_path / "elsewhere.yml").exists()


def test_pages_and_notebooks_are_copied_when_asked_for(tmp_path: Path) -> None:
    init_project(tmp_path, suites=["benchmark"], pages=True)
    assert (tmp_path / "book/intro.md").is_file()
    assert (tmp_path / "notebooks/benchmark_leaderboard.ipynb").is_file()
    assert (tmp_path / "_toc.yml").is_file()


def test_the_workflow_is_sound(tmp_path: Path) -> None:
    init_project(tmp_path, suites=["benchmark"])
    workflow = yaml.load((tmp_path / ".github/workflows/book.yml").read_text("utf-8"), Loader=yaml.BaseLoader)  # noqa: S506
    assert set(workflow["on"]) == {"push", "pull_request"}
    assert set(workflow["jobs"]) == {"diff", "publish"}
    # text of a pull request or tag reaches a shell only as a variable
    runs = [step.get("run", "") for job in workflow["jobs"].values() for step in job["steps"]]
    assert [run for run in runs if "${{" in run] == []
