"""One details file: the metrics of each document of one task, read in batches of one column."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from evalreport.core.exact import fixed, parse_decimal
from evalreport.errors import EvalreportError, Problem
from evalreport.formats import inputs
from evalreport.formats.evalrun import EvalRun, SetAside
from evalreport.formats.inputs import SourceFile
from evalreport.formats.lighteval.results import TaskKey, task_key
from evalreport.formats.newest import Candidate, stamp
from evalreport.formats.scales import SHARE, scale_of

_NAME = re.compile(r"details_(?P<key>.+?)(_\d{4}-\d\d-\d\dT[^/]*)?\.parquet", re.DOTALL)
_COLUMNS = ("metric", "metrics")
_BATCH = 4096
_CLOSE = Fraction(1, 10**9)


Place = tuple[str, str, str, str]  # model, task, setting, time in the name of the file


def place_of(candidate: Candidate) -> Place:
    """Which model, task, setting and time a score belongs to."""
    return candidate.run.model_id, candidate.run.task_id, candidate.variant, candidate.stamp


@dataclass
class Sums:
    """One metric over the documents of a task."""

    n: int = 0
    total: Fraction = field(default_factory=Fraction)
    binary: bool = True


@dataclass(frozen=True)
class Details:
    """What the documents of one task give, by metric."""

    path: str
    model: str
    key: TaskKey
    stamp: str
    sums: dict[str, Sums]
    set_aside: tuple[SetAside, ...]

    @property
    def places(self) -> tuple[Place, ...]:
        """Where the results may stand: an older file's name has the suite, the results of it may not."""
        settings = (self.key.variant, replace(self.key, suite="").variant)
        return tuple((self.model, self.key.task, one, self.stamp) for one in settings)


def is_details(file: SourceFile) -> bool:
    """Whether a Parquet file is one of details: by its name, and by its columns as far as they can be read."""
    if not _NAME.fullmatch(file.name.rpartition("/")[2]):
        return False
    try:
        import pyarrow.parquet as pq

        return bool(set(pq.read_schema(f"{file.root}/{file.name}").names) & set(_COLUMNS))
    except (ImportError, OSError, ValueError):
        return True


def details_file(file: SourceFile) -> Details:
    """The metrics of a details file. Raises `EvalreportError` when it is damaged or cannot be read here."""
    found = _NAME.fullmatch(file.name.rpartition("/")[2])
    key = task_key(found["key"] if found else file.name)
    sums: dict[str, Sums] = {}
    documents = lost = 0
    for row in _rows(file):
        documents += 1
        for metric, value in row.items():
            number = _number(value)
            if number is None:
                lost += 1
                continue
            one = sums.setdefault(metric, Sums())
            one.n += 1
            one.total += number
            one.binary = one.binary and number in (0, 1)
    aside = [SetAside(file.path, "", f"{lost} values of documents", "are no number")] if lost else []
    if not documents:
        aside.append(SetAside(file.path, "", "no documents", "the file has no rows"))
    return Details(file.path, _model(file), key, stamp(file.name), sums, tuple(aside))


def _rows(file: SourceFile) -> Iterator[dict[str, object]]:
    try:
        import pyarrow.parquet as pq
    except ImportError:
        what = "is a Parquet file, which cannot be read without pyarrow"
        raise EvalreportError(Problem(file.path, what, "the extra: evalreport[parquet]", "missing_extra")) from None
    data, _ = inputs.read(file)
    try:
        table = pq.ParquetFile(io.BytesIO(data))
        column = next(name for name in _COLUMNS if name in table.schema_arrow.names)
        for batch in table.iter_batches(batch_size=_BATCH, columns=[column]):
            for value in batch.column(0).to_pylist():
                yield value if isinstance(value, dict) else {}
    except (OSError, ValueError, StopIteration) as error:
        raise EvalreportError(Problem(file.path, f"is a damaged file: {error}", "Parquet", "damaged")) from None


def _number(value: object) -> Fraction | None:
    if isinstance(value, (bool, int)):
        return Fraction(value)
    if isinstance(value, float) and value - value == 0:
        return parse_decimal(repr(value))
    return None


def _model(file: SourceFile) -> str:
    """The model by the folders: `details/<organisation>/<model>/<time>/`."""
    parts = file.path.split("/")[:-1]
    if parts and stamp(parts[-1]):
        parts = parts[:-1]
    after = parts[parts.index("details") + 1 :] if "details" in parts else parts[-1:]
    return "/".join(after)


def check(candidate: Candidate, details: Details | None) -> Candidate:
    """The score of a results file beside what its documents give: counted by them, or flagged when they disagree."""
    run = candidate.run
    sums = details.sums.get(run.metric_name) if details else None
    if details is None or sums is None:
        return candidate
    mean = sums.total / sums.n
    if abs(mean - run.score) > _CLOSE:
        note = f"contradicted: the {sums.n} documents of {details.path} give {fixed(mean, 6)}"
        return replace(candidate, run=replace(run, notes=(*run.notes, note)))
    counted = sums.binary and run.share
    return replace(
        candidate,
        run=replace(
            run,
            score=mean if counted else run.score,
            n=sums.n,
            n_correct=int(sums.total) if counted else None,
            n_total=sums.n if counted else None,
        ),
    )


def own_runs(details: Details) -> list[Candidate]:
    """The scores of details that no results file belongs to; `EvalreportError` when nothing names their model."""
    if not details.model:
        what = "names no model, and no results file belongs to it"
        raise EvalreportError(Problem(details.path, what, "folders details/<organisation>/<model>", "missing_field"))
    return [Candidate(_run(details, metric), details.key.variant, details.stamp) for metric in sorted(details.sums)]


def _run(details: Details, metric: str) -> EvalRun:
    sums = details.sums[metric]
    scale = scale_of(metric)
    counted = sums.binary and scale == SHARE
    columns = (("num_fewshot", details.key.shots), ("suite", details.key.suite))
    return EvalRun(
        model_id=details.model,
        task_id=details.key.task,
        metric_name=metric,
        score=sums.total / sums.n,
        category=details.key.category,
        n_correct=int(sums.total) if counted else None,
        n_total=sums.n if counted else None,
        n=sums.n,
        better=scale.better,
        low=scale.low,
        high=scale.high,
        file=details.path,
        key=metric,
        notes=("averaged from its documents; no results file belongs to it",),
        columns=tuple((name, text) for name, text in columns if text),
    )
