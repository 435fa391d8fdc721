"""Reads gate records, score directories and tallies files: what a file is, its content decides."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from evalreport.core.suite import NOTHING_OF_ITS_OWN, InputFile, Settings
from evalreport.errors import EvalreportError, Problems
from evalreport.formats import inputs
from evalreport.formats.bfcl_scores import (
    TABLE_COLUMNS,
    OfficialRow,
    is_score_header,
    model_folder,
    official_rows,
    release_and_subset,
    score_file,
)
from evalreport.formats.strict_json import lines, loads_exact, loads_foreign
from evalreport.suites.bfcl.own_formats import claim, gate_record, tallies_line
from evalreport.suites.bfcl.records import Note, Run, Scores, Shard, Tally
from evalreport.suites.bfcl.releases import SIZES, subset_name
from evalreport.suites.bfcl.rules import RULES
from evalreport.suites.bfcl.union import union

_JSON = (".json", ".jsonl", ".json.gz", ".jsonl.gz")


@dataclass
class _Directory:
    """One score directory while it is being read."""

    model: str
    source: str
    tallies: dict[str, Tally] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)  # subset -> file
    failures: set[str] = field(default_factory=set)
    releases: set[str] = field(default_factory=set)
    published: set[tuple[str, str]] = field(default_factory=set)


@dataclass
class _Reading:
    """Everything found so far."""

    problems: Problems = field(default_factory=Problems)
    shards: list[Shard] = field(default_factory=list)
    refused: set[tuple[str, int]] = field(default_factory=set)  # (model, shard) of records that are there
    directories: dict[PurePosixPath, _Directory] = field(default_factory=dict)
    tables: dict[PurePosixPath, list[tuple[str, OfficialRow]]] = field(default_factory=lambda: defaultdict(list))
    notes: set[Note] = field(default_factory=set)
    files: list[InputFile] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)


def read(paths: Sequence[Path], settings: Settings) -> Scores:
    """Every run below these paths, shards united. Raises `EvalreportError` with every problem of the input."""
    found = inputs.find(paths)
    reading = _Reading(ignored=list(found.ignored))
    for file in found.files:
        _read_file(file, reading)
    _match_tables(reading)
    _tell_apart(reading.directories)
    reading.shards += [_as_shard(d, reading.problems) for d in reading.directories.values()]
    if not reading.shards and not reading.problems:
        reading.problems.add(
            ", ".join(map(str, paths)) or "input",
            "holds no gate record, score file or tallies",
            "at least one",
            kind=NOTHING_OF_ITS_OWN,
        )
    runs: tuple[Run, ...] = ()
    try:
        runs = union(
            reading.shards,
            partial=settings.flag("partial"),
            directories_are_shards=settings.flag("shards"),
            refused=reading.refused,
        )
    except EvalreportError as error:
        reading.problems.extend(error.problems)
    _check_sizes(runs, settings.text("rules") or "", reading)
    reading.problems.check()
    return Scores(runs, tuple(sorted(reading.notes)), tuple(sorted(reading.files)), tuple(sorted(reading.ignored)))


def _read_file(file: inputs.SourceFile, reading: _Reading) -> None:
    name = PurePosixPath(file.name).name
    if name not in TABLE_COLUMNS and not name.endswith(_JSON):
        reading.ignored.append(file.path)
        return
    try:
        data, record = inputs.read(file)
        used = _read_table(file, data, reading) if name in TABLE_COLUMNS else _read_json(file, data, reading)
    except EvalreportError as error:
        reading.problems.extend(error.problems)
        return
    if used:
        reading.files.append(record)
    else:
        reading.ignored.append(file.path)


def _read_table(file: inputs.SourceFile, data: bytes, reading: _Reading) -> bool:
    path = PurePosixPath(file.root, file.name)
    rows = official_rows(data, path.name, file.path)
    reading.tables[path.parent] += [(file.path, row) for row in rows]
    return bool(rows)


def _read_json(file: inputs.SourceFile, data: bytes, reading: _Reading) -> bool:
    name = PurePosixPath(file.name).name.removesuffix(".gz")
    first = next(lines(data), (0, b""))[1]
    try:
        head: object = loads_foreign(first)[0]
    except EvalreportError:
        head = None
    if is_score_header(head) or release_and_subset(name):
        return _read_score_file(file, name, data, reading)
    if (isinstance(head, dict) and "tallies" in head) or name.endswith(".jsonl"):
        return _read_tallies(file, data, reading)
    value = loads_foreign(data, file.path)[0]
    if isinstance(value, dict) and "tallies" in value:
        reading.shards.append(tallies_line(loads_exact(data, file.path), file.path))
        return True
    if isinstance(value, dict) and "metrics" in value and {"benchmark_id", "target_model"} & value.keys():
        record = loads_exact(data, file.path)
        try:
            reading.shards.append(gate_record(record, file.path))
        except EvalreportError:
            reading.refused |= claim(record)
            raise
        return True
    return False


def _read_tallies(file: inputs.SourceFile, data: bytes, reading: _Reading) -> bool:
    """A file whose lines hold no tallies is another one. A line that cannot be read counts only where others do."""
    values: list[tuple[str, object]] = []
    broken = Problems()
    for number, line in lines(data):
        where = f"{file.path}: line {number}"
        try:
            values.append((where, loads_exact(line, where)))
        except EvalreportError as error:
            broken.extend(error.problems)
    if values and not any(isinstance(v, dict) and "tallies" in v for _, v in values):
        return False
    try:
        broken.check()
    except EvalreportError as error:
        reading.problems.extend(error.problems)
    for where, value in values:
        try:
            reading.shards.append(tallies_line(value, where))
        except EvalreportError as error:
            reading.problems.extend(error.problems)
    return True


def _read_score_file(file: inputs.SourceFile, name: str, data: bytes, reading: _Reading) -> bool:
    """Format sensitivity asks the same tasks again in other formats; no board counts it, and neither does the gate."""
    named = release_and_subset(name)
    if named is None:
        reading.problems.add(
            file.path, "is a score file of no known subset", "a name such as BFCL_v4_multiple_score.json", kind="name"
        )
        return True
    release, written = named
    if written == "format_sensitivity":
        reading.notes.add(Note(file.path, "format sensitivity repeats other tasks: not counted"))
        return False
    path = PurePosixPath(file.root, file.name)
    folder = model_folder(path)
    shown = PurePosixPath(file.name).parents
    depth = len(path.parts) - len(folder.parts) - 1
    source = shown[depth].as_posix() if depth < len(shown) - 1 else folder.name
    directory = reading.directories.setdefault(folder, _Directory(folder.name, source))
    subset = subset_name(written, release)
    scored = score_file(data, file.path)
    if subset in directory.files:
        reading.problems.add(
            file.path,
            f"holds {subset}, as {directory.files[subset]} does",
            "one score file of a subset",
            kind="duplicate_subset",
        )
        return True
    directory.files[subset] = file.path
    directory.releases.add(release)
    if not scored.agrees:
        reading.notes.add(
            Note(
                file.path,
                f"the header claims {scored.correct} right of {scored.total}, but {len(scored.failures)} failed "
                f"samples follow; the lines count: {scored.hits} of {scored.total}",
            )
        )
    if scored.total == 0:
        reading.notes.add(Note(file.path, f"{subset} has no samples: not run"))
        return True
    directory.tallies[subset] = Tally(scored.hits, scored.total)
    directory.failures.update(f"{subset}: {failure}" for failure in scored.failures)
    return True


def _tell_apart(directories: Mapping[PurePosixPath, _Directory]) -> None:
    """Directories that are called alike below the paths they were found under take the end of their path as name."""
    alike = Counter(d.source for d in directories.values())
    ends = inputs.shortest_ends({folder.as_posix() for folder, d in directories.items() if alike[d.source] > 1})
    for folder, directory in directories.items():
        directory.source = ends.get(folder.as_posix(), directory.source)


def _as_shard(directory: _Directory, problems: Problems) -> Shard:
    releases = sorted(directory.releases)
    if len(releases) > 1:
        problems.add(
            directory.source,
            f"holds score files of {' and '.join(releases)}",
            "score files of one release",
            kind="other_release",
        )
    return Shard(
        model=directory.model,
        source=directory.source,
        kind="score directory",
        tallies=directory.tallies,
        failures=frozenset(directory.failures),
        release=releases[0] if releases and releases[0] in SIZES else "",
        published=tuple(sorted(directory.published)),
    )


def _match_tables(reading: _Reading) -> None:
    """Official rows go to the score directory beside the table: by name, or as the only one there."""
    for folder in sorted(reading.tables):
        rows = reading.tables[folder]
        beside = {d: v for d, v in reading.directories.items() if d.parent == folder}
        names = {row.model for _, row in rows}
        for source, row in rows:
            matching = [d for d in beside.values() if _bare(d.model) == _bare(row.model)]
            if not matching and len(beside) == 1 == len(names):
                matching = list(beside.values())
            if len(matching) == 1:
                matching[0].published.update(row.figures)
            else:
                reading.notes.add(Note(source, f"the row of {row.model} belongs to no score directory beside it"))


def _bare(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


def _check_sizes(runs: Sequence[Run], rules: str, reading: _Reading) -> None:
    """More samples than a release has are tallies of another release, and board rules do not take them."""
    family = RULES[rules]
    for run in runs:
        release = family.release if not family.flat else run.release
        for subset, tally in run.tallies.items():
            size = SIZES.get(release, {}).get(subset)
            if size is not None and tally.n > size:
                text = f"{subset} has {tally.n} samples, {size} in release {release}"
                if family.flat:
                    reading.notes.add(Note(run.model, text))
                else:
                    reading.problems.add(
                        f"{run.shards[0].source}: {run.model}", text, f"tallies of {release}", kind="other_release"
                    )
        if run.release and not family.flat and run.release != family.release:
            reading.notes.add(Note(run.model, f"its files are of release {run.release}, the rules of {family.release}"))
