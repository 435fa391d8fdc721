"""Writes the sample data of every suite, the same bytes each time.

Every file `data/generators/<suite>.py` is one generator: its function `files()` gives the path of each file, relative
to `data/<suite>/` and with `/`, and its bytes. A generator draws from `random.Random` with a fixed seed and nothing
else: of its methods only `random()` is promised to give the same numbers in every Python, so draw from that.

Run `python data/generate.py [FOLDER]`; without a folder the files that stand beside this script are written again.
A file in `data/<suite>/` that its generator does not give is removed.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

HERE = Path(__file__).resolve().parent


def generated() -> dict[str, Mapping[str, bytes]]:
    """The files of each suite: suite name -> path relative to the suite's folder -> bytes."""
    found = {}
    for path in sorted((HERE / "generators").glob("*.py")):
        spec = spec_from_file_location(f"data_generators_{path.stem}", path)
        if spec is None or spec.loader is None:
            raise ImportError(path)
        module = module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        found[path.stem] = module.files()
    return found


def write(folder: Path) -> None:
    """Write the sample data of all suites below a folder, and remove what no generator gives."""
    for suite, files in generated().items():
        root = folder / suite
        for old in sorted(root.rglob("*"), reverse=True):
            if old.is_file() and old.relative_to(root).as_posix() not in files:
                old.unlink()
            elif old.is_dir() and not any(old.iterdir()):
                old.rmdir()
        for name, data in sorted(files.items()):
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
