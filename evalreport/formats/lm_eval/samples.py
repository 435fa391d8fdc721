"""One samples file: counts and means of its metrics, line by line, so that memory does not grow with its length."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from evalreport.core.exact import fixed
from evalreport.errors import EvalreportError, Problems
from evalreport.formats import inputs
from evalreport.formats.evalrun import EvalRun, SetAside
from evalreport.formats.inputs import SourceFile
from evalreport.formats.json_values import as_list, as_number, as_object, as_text
from evalreport.formats.lm_eval.names import MetricKey
from evalreport.formats.newest import Candidate, stamp
from evalreport.formats.scales import SHARE, scale_of
from evalreport.formats.standard_errors import root
from evalreport.formats.strict_json import loads_foreign

_NAME = re.compile(r"samples_(?P<task>.+?)(_\d{4}-\d\d-\d\dT[0-9.:-]+)?\.jsonl", re.DOTALL)
_CLOSE = Fraction(1, 10**9)
_NO_METRIC = frozenset(("doc_id", "target", "filter", "doc_hash", "prompt_hash", "target_hash", "sample_id", "repeat"))


@dataclass
class Sums:
    """Count, sum and sum of squares of one metric over the samples of one filter."""

    n: int = 0
    total: Fraction = field(default_factory=Fraction)
    squares: Fraction = field(default_factory=Fraction)
    binary: bool = True

    def add(self, value: Fraction) -> None:
        """Count one sample."""
        self.n += 1
        self.total += value
        self.squares += value * value
        self.binary = self.binary and value in (0, 1)

    @property
    def mean(self) -> Fraction:
        """The mean over the samples."""
        return self.total / self.n

    @property
    def stderr(self) -> Fraction | None:
        """The standard error of the mean (divisor n - 1); None for one sample."""
        if self.n < 2:
            return None
        return root((self.squares - self.total * self.total / self.n) / (self.n - 1) / self.n)


@dataclass(frozen=True)
class SamplesFile:
    """The metrics of one samples file, by the name that a leaderboard carries."""

    path: str
    task: str
    folder: str
    stamp: str
    sums: dict[str, Sums]
    set_aside: tuple[SetAside, ...]
    notes: tuple[str, ...]


def samples_file(file: SourceFile) -> SamplesFile:
    """The metrics of a samples file. Raises `EvalreportError` with every line that is no JSON object."""
    path = file.path
    found = _NAME.fullmatch(file.name.removesuffix(".gz").rpartition("/")[2])
    task = found["task"] if found else file.name.removesuffix(".gz").rpartition("/")[2].removesuffix(".jsonl")
    problems = Problems()
    sums: dict[str, Sums] = {}
    seen: set[tuple[str, str]] = set()
    twice = valueless = 0
    for number, line in _lines(inputs.read(file)[0]):
        try:
            value, _ = loads_foreign(line, f"{path}: line {number}")
        except EvalreportError as error:
            problems.extend(error.problems)
            continue
        if not isinstance(value, dict):
            problems.add(f"{path}: line {number}", "is no object", "a sample", kind="syntax")
            continue
        sample = as_object(value)
        name_of_filter = as_text(sample.get("filter"))
        identity = (str(sample.get("doc_id")), name_of_filter)
        twice += identity in seen
        seen.add(identity)
        metrics = _metrics(sample)
        valueless += not metrics
        for name, score in metrics.items():
            sums.setdefault(MetricKey(name, name_of_filter).shown, Sums()).add(score)
    problems.check()
    notes = [f"{path}: {twice} samples stand more than once"] if twice else []
    aside = [SetAside(path, "", f"{valueless} samples", "they state no score")] if valueless else []
    folder = path.rpartition("/")[0]
    return SamplesFile(path, task, folder, stamp(file.name), sums, tuple(aside), tuple(notes))


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines of the file one at a time: a list of all of them would be the file once more."""
    start, number = 0, 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        number += 1
        line = data[start:end].strip()
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if line:
            yield number, line
        start = end + 1


def _metrics(sample: dict[str, object]) -> dict[str, Fraction]:
    """The scores of one sample: those that it names as metrics, or every number that is no bookkeeping."""
    named = [name for name in as_list(sample.get("metrics")) if isinstance(name, str)]
    found: dict[str, Fraction] = {}
    for name in named or sample.keys() - _NO_METRIC:
        value = sample.get(name)
        number = Fraction(value) if isinstance(value, bool) else as_number(value)
        if number is not None:
            found[name] = number
    return found


def folder_of(candidate: Candidate) -> str:
    """The folder of the file that a score stands in."""
    return candidate.run.file.rpartition("/")[0]


def check(candidate: Candidate, samples: SamplesFile | None) -> Candidate:
    """The score of a results file beside what its samples give: counted from them, or flagged when they disagree."""
    run = candidate.run
    sums = samples.sums.get(run.metric_name) if samples else None
    if samples is None or sums is None or run.file == samples.path:
        return candidate
    if abs(sums.mean - run.score) > _CLOSE:
        note = f"contradicted: the {sums.n} samples of {samples.path} give {fixed(sums.mean, 6)}"
        return replace(candidate, run=replace(run, notes=(*run.notes, note)))
    notes = run.notes
    if run.n is not None and run.n != sums.n:
        notes = (*notes, f"{samples.path} has {sums.n} samples of {run.n}")
    counted = sums.binary and sums.n == (run.n or sums.n)
    return replace(
        candidate,
        run=replace(
            run,
            score=sums.mean if counted else run.score,
            n=run.n or sums.n,
            n_correct=int(sums.total) if counted else run.n_correct,
            n_total=sums.n if counted else run.n_total,
            notes=notes,
        ),
    )


def own_runs(samples: SamplesFile, models: Sequence[str]) -> tuple[list[Candidate], list[SetAside]]:
    """The scores of samples that no results file belongs to; set aside when nothing names their model."""
    if len(models) == 1:
        model, note = models[0], "counted from samples; no results file of the same time stands beside them"
    else:
        model = samples.folder.rpartition("/")[2]
        note = "counted from samples without a results file; the model is called after their folder"
    if not model:
        reason = "samples without a results file: nothing names their model"
        return [], [
            SetAside(samples.path, "", f"{samples.task}, {name}: {fixed(sums.mean)} over {sums.n}", reason)
            for name, sums in sorted(samples.sums.items())
        ]
    return [Candidate(_run(samples, name, model, note), "", samples.stamp) for name in sorted(samples.sums)], []


def _run(samples: SamplesFile, name: str, model: str, note: str) -> EvalRun:
    sums = samples.sums[name]
    scale = scale_of(name.partition(",")[0])
    binary = sums.binary and scale == SHARE
    return EvalRun(
        model_id=model,
        task_id=samples.task,
        metric_name=name,
        score=sums.mean,
        n_correct=int(sums.total) if binary else None,
        n_total=sums.n if binary else None,
        n=sums.n,
        stderr=sums.stderr,
        better=scale.better,
        low=scale.low,
        high=scale.high,
        file=samples.path,
        key=name,
        notes=(note,),
    )
