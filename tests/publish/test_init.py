"""A new project stands by itself, and no file of anybody is ever written over."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
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
    # the lock is of the Python that made it
    wanted = [
        step["with"]["python-version"] for job in workflow["jobs"].values() for step in job["steps"] if "with" in step
    ]
    assert wanted == [".".join(platform.python_version_tuple()[:2])] * 2
    # one publisher at a time; what only compares neither waits nor makes another wait
    assert "concurrency" not in workflow
    assert [name for name, job in workflow["jobs"].items() if "concurrency" in job] == ["publish"]


# Stands for the program: a version is a folder, what would change is a line.
PROGRAM = """#!/bin/sh
set -eu
case "$1" in
  publish)
    test "$2 $3 $5 $6" = ". --version --site ../site"
    mkdir "$6/$4"; echo "$@" > "$6/$4/index.html"; echo "$4" >> "$6/versions.json";;
  verify) test -f "$2/versions.json";;
  diff) test -f "$2/versions.json"; echo "one number changed"; exit 3;;
  check) test "$2" = .;;
esac
"""


def test_the_workflow_publishes_one_tag_after_another_and_tells_what_would_change(tmp_path: Path) -> None:
    programs = {"evalreport": PROGRAM, "gh": '#!/bin/sh\necho "$@" >> ../said\n', "pip": "#!/bin/sh\n"}
    for name, text in programs.items():
        (tmp_path / "bin").mkdir(exist_ok=True)
        (tmp_path / "bin" / name).write_text(text, "utf-8")
        (tmp_path / "bin" / name).chmod(0o755)
    environment = {
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1",
        "GITHUB_STEP_SUMMARY": "../summary", "NUMBER": "7",
    }  # fmt: skip

    def shell(script: str, folder: str, **more: str) -> str:
        command = ["bash", "-e", "-c", script]
        done = subprocess.run(
            command, cwd=tmp_path / folder, env=environment | more, capture_output=True, encoding="utf-8"
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def job(name: str, branch: str, **more: str) -> None:
        """What a runner does: a shallow clone in a folder of its own, then each step."""
        place = f"runner-{branch}-{name}"
        shell(f"mkdir {place} && git clone -q --depth 1 --branch {branch} file://$PWD/origin {place}/project", ".")
        for step in workflow["jobs"][name]["steps"]:
            folder = f"{place}/project/{step.get('working-directory', '.')}"
            shell(step.get("run", ""), folder, **more)

    init_project(tmp_path / "project", suites=["benchmark"])
    workflow = yaml.safe_load((tmp_path / "project/.github/workflows/book.yml").read_text("utf-8"))
    shell("git init -q --bare origin", ".")
    shell(
        "git config --global user.name Some && git config --global user.email some@example.org && git init -q -b main"
        " && git remote add origin ../origin && git add -A && git commit -qm One && git push -q origin main",
        "project",
    )
    job("diff", "main")
    assert "No version is published yet." in (tmp_path / "runner-main-diff/summary").read_text("utf-8")
    for tag in ("v1.0", "v1.1"):
        shell(f"git tag {tag} && git push -q origin {tag}", "project")
        job("publish", tag, TAG=tag)
    listed = shell("git ls-tree -r --name-only gh-pages", "origin").split()
    assert listed == ["1.0/index.html", "1.1/index.html", "versions.json"]
    assert shell("git show gh-pages:versions.json", "origin") == "1.0\n1.1\n"
    shutil.rmtree(tmp_path / "runner-main-diff")
    (tmp_path / "project/wheels").mkdir()
    (tmp_path / "project/wheels/evalreport-1-py3-none-any.whl").write_bytes(b"")
    shell("git add -A && git commit -qm Two && git tag v2.0rc1 && git push -q origin main v2.0rc1", "project")
    job("diff", "main")
    assert (tmp_path / "runner-main-diff/summary").read_text("utf-8") == "one number changed\n"
    assert (tmp_path / "runner-main-diff/said").read_text("utf-8") == "pr comment 7 --body-file diff.md --edit-last\n"
    job("publish", "v2.0rc1", TAG="v2.0rc1")
    said = shell("git show gh-pages:2.0rc1/index.html", "origin").strip()
    assert said.endswith("--wheel wheels/evalreport-1-py3-none-any.whl")
