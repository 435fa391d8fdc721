"""Writes the sample data of every suite, the same bytes each time.

Every file `data/generators/<suite>.py` is one generator: its function `write(folder)` writes everything below
`folder/<suite>/` and nothing elsewhere. A generator draws from `random.Random` with a fixed seed and nothing else: of
its methods only `random()` is promised to give the same numbers in every Python.

Run `python data/generate.py [FOLDER]`; without a folder, the files that stand beside this script are written anew.
"""

from __future__ import annotations

import shutil
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

HERE = Path(__file__).resolve().parent
SUITES = tuple(sorted(path.stem for path in (HERE / "generators").glob("*.py")))


def write(folder: Path, suite: str) -> None:
    """Write the sample data of one suite below a folder, in place of what stands there."""
    spec = spec_from_file_location(f"generators_{suite}", HERE / "generators" / f"{suite}.py")
    if spec is None or spec.loader is None:
        raise ImportError(suite)
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    if (folder / suite).exists():
        shutil.rmtree(folder / suite)
    module.write(folder)


if __name__ == "__main__":
    for name in SUITES:
        write(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE, name)
