"""From a wheel, outside of the source tree: a new project is made, built, published, changed, compared and verified."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

pytestmark = pytest.mark.book
ROOT = Path(__file__).resolve().parents[2]
SOURCES = (
    *("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "CHANGELOG.md", "CITATION.cff"),
    *("_config.yml", "_toc.yml", "evalreport.yml", "evalreport", "book", "notebooks"),
)
SCORED = "data/benchmark/scoring/v1.0/kettle-large/TEA-STEEP-001__run-1__eval-reviewer.json"

SHOWN = "scoring/v1.0/kettle-large/TEA-STEEP-001__run-1__eval-reviewer-1.json"  # by the reviewer's pseudonym


@dataclass(frozen=True)
class Installed:
    """The wheel, and the environment in which nothing is installed but it and what it needs."""

    wheel: Path
    environment: Path


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel of this project in an environment of its own, with the packages of the lock."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in SOURCES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copyfile
        copy(ROOT / name, source / name)
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(source)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    shutil.rmtree(source)
    place = folder / "environment"
    venv.create(place, with_pip=True)
    pip = [str(place / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = subprocess.run(
        [*pip, "--constraint", str(ROOT / "requirements.txt"), str(wheel)],
        check=False, env=_clean(), cwd=folder, capture_output=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return Installed(wheel, place)


def _clean() -> dict[str, str]:
    """The surroundings without anything that would lead to the sources."""
    ways = ("PYTHON", "EVALREPORT", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if not name.startswith(ways)}


class Shell:
    """Types commands in a folder away from the sources."""

    def __init__(self, installed: Installed, folder: Path) -> None:
        self.folder = folder
        self.programs = installed.environment / "bin"

    def __call__(self, *words: str, code: int = 0, program: str = "evalreport") -> str:
        command = [str(self.programs / program), *words]
        done = subprocess.run(command, cwd=self.folder, env=_clean(), capture_output=True, encoding="utf-8")
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout


def test_the_whole_life_of_a_site(installed: Installed, tmp_path: Path) -> None:
    shell = Shell(installed, tmp_path)
    place = Path(shell("-c", "import evalreport; print(evalreport.__file__)", program="python").strip())
    assert place.is_relative_to(installed.environment)
    shell("init", "book", "--suites", "benchmark")
    assert "is there already" in str(shell("init", "book", "--suites", "benchmark", "--json", code=1))
    shell("build", "book")
    assert (tmp_path / "book/_build/html/book/intro.html").is_file()
    publish = ("publish", "book", "--site", "site", "--with-data", "--version")
    shell(*publish, "1.0")
    assert (tmp_path / "site/1.0" / installed.wheel.name).read_bytes() == installed.wheel.read_bytes()
    first = {path: path.read_bytes() for path in (tmp_path / "site/1.0").rglob("*") if path.is_file()}
    scoring = tmp_path / "book" / SCORED
    scoring.write_text(scoring.read_text("utf-8").replace('"correctness": 1', '"correctness": 0.5'), "utf-8")
    found = json.loads(shell("diff", "site", "--project", "book", "--json", code=3))
    assert [(i["path"], i["own"]) for i in found["inputs"]] == [(SHOWN, SCORED.removeprefix("data/benchmark/"))]
    assert (found["settings"], found["formulas"], found["surroundings"]) == ([], [], [])
    # correctness enters calibration, never the pass rate or the composite
    changed = {number["metric"] for number in found["numbers"]}
    assert {"benchmark.soft_brier", "benchmark.ece", "benchmark.signed_gap"} <= changed
    assert not changed & {"benchmark.pass_rate", "benchmark.q_final", "benchmark.mean_clipped_score", "benchmark.rank"}
    assert {n["of"].get("subject_id", "kettle-large") for n in found["numbers"]} == {"kettle-large"}
    shell(*publish, "1.1")
    shell("diff", "site", "1.1", "--project", "book")
    shell("verify", "site")
    shell("publish", "book", "--site", "site", "--version", "1.0", code=1)
    shell("withdraw", "site", "1.0", "--why", "A correctness was wrong.", "--superseded-by", "1.1")
    shell("verify", "site/1.0")
    shell("verify", "site")
    assert {path: path.read_bytes() for path in first} == first
    pages = [data.decode() for path, data in first.items() if path.suffix == ".html"]
    pages = [
        page for page in pages if 'http-equiv="refresh"' not in page.lower()
    ]  # the root leads on to the first page
    assert pages
    # each reads the list of versions, which now says that it was withdrawn, and names the list for who has no scripts
    assert [page for page in pages if 'data-version="1.0"' not in page or "/versions.html" not in page] == []
    (entry,) = (one for one in json.loads((tmp_path / "site/versions.json").read_bytes()) if one["version"] == "1.0")
    assert (entry["status"], entry["superseded_by"]) == ("withdrawn", "1.1")
    assert shell("-I", "site/1.1/recompute.py", program="python").splitlines()[-1] == "All agrees."
    assert len(shell("bundle", "site/1.1", "--out", "deposit").splitlines()) == 3
