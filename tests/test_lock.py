"""The lock can be installed with every Python that the project says it runs with."""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from importlib.metadata import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[1]


def pins(name: str) -> list[Requirement]:
    lines = (ROOT / name).read_text("utf-8").splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith(("#", "-r "))]


def wanted_python(package: str) -> str:
    """What the installed package says; some say nothing."""
    return next(iter(metadata(package).get_all("Requires-Python") or ()), "")


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_no_pinned_package_wants_a_newer_python_than_the_project(name: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (oldest,) = SpecifierSet(project["requires-python"])
    assert oldest.operator == ">="
    too_new = {
        pin.name: wanted_python(pin.name)
        for pin in pins(name)
        if not SpecifierSet(wanted_python(pin.name)).contains(f"{oldest.version}.0")
    }
    assert too_new == {}


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_pin_is_one_exact_version(name: str) -> None:
    assert [str(pin) for pin in pins(name) if [one.operator for one in pin.specifier] != ["=="]] == []


def test_the_first_run_says_how_much_it_installs_before_it_does(tmp_path: Path) -> None:
    for name in ("Makefile", "requirements.txt", "requirements-dev.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    # the tests may run below a make, which would tell its settings to this one
    outside = {name: text for name, text in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    done = subprocess.run(
        ["make", "book", "PYTHON=true", "INSTALL=echo INSTALL"],
        check=False, capture_output=True, text=True, cwd=tmp_path, env=outside,
    )  # fmt: skip
    packages = len(pins("requirements.txt"))
    assert done.stdout.splitlines()[:3] == [
        "making the environment .venv with true",
        f"installing the {packages} packages of requirements.txt into .venv: a minute or more, once",
        "INSTALL --requirement requirements.txt",
    ]


def test_a_book_can_be_made_of_every_format_with_what_its_lock_installs() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    needed = {Requirement(one).name for one in extras["parquet"]}
    assert needed <= {pin.name for pin in pins("requirements.txt")}
