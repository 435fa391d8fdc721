"""One Inspect log, whether a JSON file or a zip archive: its header and the scores of its samples."""

from __future__ import annotations

import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from evalreport.errors import EvalreportError, Problem
from evalreport.formats import inputs
from evalreport.formats.inputs import SourceFile
from evalreport.formats.json_faults import member
from evalreport.formats.json_values import as_count, as_list, as_object, shown
from evalreport.formats.strict_json import loads_foreign

_HEADER = "header.json"
_BEGUN = "_journal/start.json"
_SUMMARIES = "summaries.json"
_JOURNAL = re.compile(r"_journal/summaries/(\d+)\.json")
_SAMPLE = re.compile(r"samples/.+\.json", re.DOTALL)
_DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError)


@dataclass(frozen=True)
class Sample:
    """One epoch of one item: the values its scorers gave, and where they stand. `errored` samples have none."""

    item: str
    epoch: int
    values: Mapping[str, object]
    errored: bool
    key: str


@dataclass(frozen=True)
class Log:
    """One run of one task: the header as it stands, `place` before the JSON paths in it, and its samples."""

    file: SourceFile
    header: Mapping[str, object]
    place: str
    samples: tuple[Sample, ...]


def load(file: SourceFile) -> Log:
    """The log in a file. Raises `EvalreportError` for a damaged one, and for an archive that unpacks to too much."""
    data, _ = inputs.read(file)
    if file.name.endswith(".eval"):
        return _archive(file, data)
    header = as_object(loads_foreign(data, file.path)[0])
    samples = [_sample(one, f"$.samples[{place}]") for place, one in enumerate(as_list(header.get("samples")))]
    return Log(file, header, "", tuple(samples))


def _archive(file: SourceFile, data: bytes) -> Log:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = _Members(file.path, archive)
            names = frozenset(archive.namelist())
            place = _HEADER if _HEADER in names else _BEGUN
            if place not in names:
                raise EvalreportError(Problem(file.path, "has neither a header nor a start", _HEADER, "damaged"))
            header = as_object(members.value(place))
            if place == _BEGUN:
                header = {**header, "status": "started"}
            return Log(file, header, f"{place}: ", tuple(_archived_samples(members, names)))
    except (NotImplementedError, RuntimeError) as error:
        raise EvalreportError(Problem(file.path, f"cannot be unpacked: {error}", kind="damaged")) from None
    except _DAMAGED as error:
        raise EvalreportError(Problem(file.path, f"is a damaged file: {error}", "a whole log", "damaged")) from None


@dataclass
class _Members:
    """The members of an archive by their names in it; nothing is ever written by these names."""

    path: str
    archive: zipfile.ZipFile
    left: int = field(default_factory=lambda: inputs.MAX_BYTES)

    def value(self, name: str) -> object:
        with self.archive.open(name) as stream:
            data = stream.read(self.left + 1)
        self.left -= len(data)
        if self.left < 0:
            what = f"unpacks to more than {inputs.MAX_BYTES} bytes"
            raise EvalreportError(Problem(self.path, what, "a smaller log", "too_large"))
        return loads_foreign(data, f"{self.path}: {name}")[0]


def _archived_samples(members: _Members, names: frozenset[str]) -> Iterator[Sample]:
    """From the summaries, which leave out what was said; from the samples themselves when there are none."""
    journal = sorted((int(found[1]), name) for name in names if (found := _JOURNAL.fullmatch(name)))
    summaries = [_SUMMARIES] if _SUMMARIES in names else [name for _, name in journal]
    for name in summaries:
        for place, one in enumerate(as_list(members.value(name))):
            yield _sample(one, f"{name}: $[{place}]")
    if not summaries:
        for name in sorted(name for name in names if _SAMPLE.fullmatch(name)):
            yield _sample(members.value(name), f"{name}: $")


def _sample(value: object, key: str) -> Sample:
    stated = as_object(value)
    scores = as_object(stated.get("scores"))
    values = {name: as_object(score).get("value") for name, score in scores.items()}
    key = member(key, "scores")
    epoch = as_count(stated.get("epoch"))
    return Sample(shown(stated.get("id")), 1 if epoch is None else epoch, values, bool(stated.get("error")), key)
