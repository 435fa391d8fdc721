"""One results file: a row for each task, and rows that sum up others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from evalreport.errors import EvalreportError, Problem
from evalreport.formats import inputs
from evalreport.formats.evalrun import EvalRun, SetAside, Status
from evalreport.formats.inputs import SourceFile
from evalreport.formats.json_faults import member
from evalreport.formats.json_values import as_count, as_list, as_number, as_object, as_text, shown
from evalreport.formats.newest import Candidate, stamp
from evalreport.formats.scales import SHARE, scale_of
from evalreport.formats.standard_errors import judged
from evalreport.formats.strict_json import loads_foreign

_ROWS = "$.results"
_ERROR = "_stderr"
_AGGREGATE = re.compile(r"all|(.*[:|])?_average(\|.*)?", re.DOTALL)


@dataclass(frozen=True)
class TaskKey:
    """What the key of a row tells: `suite|task|shots|truncation`, of which only the task is always there."""

    task: str
    suite: str = ""
    shots: str = ""

    @property
    def variant(self) -> str:
        """The setting that the task ran in."""
        return ", ".join(part for part in (self.suite, f"{self.shots}-shot" if self.shots else "") if part)

    @property
    def category(self) -> str:
        """What stands before the colon of a task that is one of several."""
        return self.task.partition(":")[0] if ":" in self.task else "general"


def task_key(key: str) -> TaskKey:
    """The parts of a row's key.

    >>> task_key("mm:alg|5"), task_key("plain").shots
    (TaskKey(task='mm:alg', suite='', shots='5'), '')
    >>> task_key("leaderboard|gsm8k|5|0")
    TaskKey(task='gsm8k', suite='leaderboard', shots='5')
    """
    parts = key.split("|")
    if len(parts) == 2 and parts[1].isdecimal():
        return TaskKey(parts[0], "", parts[1])
    if len(parts) in (3, 4) and parts[2].isdecimal():
        return TaskKey(parts[1], parts[0], parts[2])
    return TaskKey(key)


@dataclass(frozen=True)
class ResultsFile:
    """The scores of one results file and what of it is no score."""

    candidates: tuple[Candidate, ...]
    set_aside: tuple[SetAside, ...]
    notes: tuple[str, ...]


def results_file(file: SourceFile) -> ResultsFile:
    """The scores of a results file. Raises `EvalreportError` when it is damaged or names no model."""
    data, _ = inputs.read(file)
    value, missing = loads_foreign(data, file.path)
    root = as_object(value)
    general = as_object(root.get("config_general"))
    model = as_text(general.get("model_name")) or as_text(as_object(general.get("model_config")).get("model_name"))
    if not model:
        raise EvalreportError(Problem(file.path, "names no model", "$.config_general.model_name", "missing_field"))
    if not isinstance(root.get("results"), dict):
        raise EvalreportError(Problem(file.path, f"$.results is {shown(root.get('results'))}", "an object"))
    return _File(file, root, general, model, dict(missing)).read()


@dataclass(frozen=True)
class _File:
    file: SourceFile
    root: Mapping[str, object]
    general: Mapping[str, object]
    model: str
    missing: Mapping[str, str]

    def read(self) -> ResultsFile:
        candidates: list[Candidate] = []
        aside: list[SetAside] = []
        rows = as_object(self.root["results"])
        for key in sorted(rows):
            for one in self._row(key, rows[key]):
                if isinstance(one, SetAside):
                    aside.append(one)
                else:
                    candidates.append(one)
        unreported = sum(one.run.stderr is None for one in candidates)
        notes = [f"{self.file.path}: {path} {why}" for path, why in self.missing.items() if not path.startswith(_ROWS)]
        if unreported:
            notes.append(f"{self.file.path}: {unreported} of {len(candidates)} scores have no standard error")
        return ResultsFile(tuple(candidates), tuple(aside), tuple(notes))

    def _row(self, key: str, value: object) -> Iterator[Candidate | SetAside]:
        place = member(_ROWS, key)
        if not isinstance(value, dict):
            yield SetAside(self.file.path, place, shown(value), "is no row of scores")
            return
        row = as_object(value)
        if _AGGREGATE.fullmatch(key):
            scores = ", ".join(f"{name}={shown(score)}" for name, score in sorted(row.items()))
            yield SetAside(self.file.path, place, scores, "sums up other tasks, is no task")
            return
        for metric in sorted(row):
            if metric.endswith(_ERROR) and metric.removesuffix(_ERROR) in row:
                continue
            where = member(place, metric)
            score = as_number(row[metric])
            if score is None:
                why = self.missing.get(where, f"is {shown(row[metric])}, which is no number")
                yield SetAside(self.file.path, where, f"{key}, {metric}", f"has no value: it {why}")
            else:
                yield self._candidate(key, metric, score, as_number(row.get(metric + _ERROR)), where)

    def _candidate(self, key: str, metric: str, score: Fraction, error: Fraction | None, where: str) -> Candidate:
        parts = task_key(key)
        tasks = as_object(self.root.get("config_tasks"))
        config = next((as_object(tasks[k]) for k in (key, key.rpartition("|")[0], parts.task) if k in tasks), {})
        stated = [as_object(one) for one in as_list(config.get("metrics", config.get("metric")))]
        better = next((one.get("higher_is_better") for one in stated if one.get("metric_name") == metric), None)
        scale = scale_of(metric, higher_is_better=better)
        n = as_count(config.get("effective_num_docs")) or None
        original = as_count(config.get("original_num_docs")) or None
        status, notes = self._status(n, original)
        if error is not None and scale == SHARE:
            error, told = judged(score, error, n)
            notes += [told] if told else []
        version = as_object(self.root.get("versions")).get(key, config.get("version"))
        columns = (("num_fewshot", parts.shots), ("suite", parts.suite))
        run = EvalRun(
            model_id=self.model,
            task_id=parts.task,
            metric_name=metric,
            score=score,
            category=parts.category,
            n=n,
            n_original=original,
            stderr=error,
            better=scale.better,
            low=scale.low,
            high=scale.high,
            version="" if version is None else shown(version),
            status=status,
            file=self.file.path,
            key=where,
            notes=tuple(notes),
            columns=tuple((name, text) for name, text in columns if text),
        )
        return Candidate(run, parts.variant, stamp(self.file.name))

    def _status(self, n: int | None, original: int | None) -> tuple[Status, list[str]]:
        limit = self.general.get("max_samples")
        if n is not None and original is not None:
            return ("limited", [f"limited: {n} of {original} documents"]) if n < original else ("complete", [])
        if as_number(limit):
            return "limited", [f"limited: run with max_samples {shown(limit)}"]
        return "complete", []
