"""All else stands in pyproject.toml; this puts the files for projects that have none of their own into the wheel."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent


class BuildWithProject(build_py):
    """Copies configuration, contents, pages and notebooks to `evalreport/_project/`."""

    def run(self) -> None:
        """Build as always, then copy; an editable installation finds the files where they are."""
        super().run()
        if self.editable_mode:
            return
        target = Path(self.build_lib) / "evalreport" / "_project"
        shutil.rmtree(target, ignore_errors=True)
        for name in ("book", "notebooks"):
            unwanted = shutil.ignore_patterns("_generated", ".ipynb_checkpoints")
            shutil.copytree(ROOT / name, target / name, ignore=unwanted)
        for name in ("_config.yml", "_toc.yml"):
            shutil.copy2(ROOT / name, target / name)


setup(cmdclass={"build_py": BuildWithProject})
