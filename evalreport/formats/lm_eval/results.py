"""One results file: its scores with direction, size, standard error and version, and what of it is no score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from evalreport.errors import EvalreportError, Problem
from evalreport.formats import inputs
from evalreport.formats.evalrun import EvalRun, SetAside, Status
from evalreport.formats.inputs import SourceFile
from evalreport.formats.json_faults import member
from evalreport.formats.json_values import as_count, as_list, as_number, as_object, shown
from evalreport.formats.lm_eval.groups import Groups, group_row, groups_of
from evalreport.formats.lm_eval.names import MetricKey, metric_key, model_name
from evalreport.formats.newest import Candidate, stamp
from evalreport.formats.scales import SHARE, is_known_share, scale_of
from evalreport.formats.standard_errors import hits, judged
from evalreport.formats.strict_json import loads_foreign

_ROWS = "$.results"


@dataclass(frozen=True)
class ResultsFile:
    """What one results file gives; `folder` and `stamp` tell which samples belong to it."""

    model: str
    folder: str
    stamp: str
    candidates: tuple[Candidate, ...]
    set_aside: tuple[SetAside, ...]
    notes: tuple[str, ...]


def results_file(file: SourceFile) -> ResultsFile:
    """The scores of a results file. Raises `EvalreportError` when it is damaged or names no model."""
    data, _ = inputs.read(file)
    value, missing = loads_foreign(data, file.path)
    root = as_object(value)
    if not isinstance(root.get("results"), dict):
        raise EvalreportError(Problem(file.path, f"$.results is {shown(root.get('results'))}", "an object"))
    model, note = model_name(root, file)
    if not model:
        raise EvalreportError(Problem(file.path, "names no model", "model_name, or model_args", "missing_field"))
    return _File(file, root, model, dict(missing), groups_of(root)).read([note] if note else [])


@dataclass(frozen=True)
class _File:
    file: SourceFile
    root: Mapping[str, object]
    model: str
    missing: Mapping[str, str]
    groups: Groups

    def read(self, notes: list[str]) -> ResultsFile:
        candidates: list[Candidate] = []
        aside: list[SetAside] = []
        rows = as_object(self.root["results"])
        for task in sorted(rows):
            if self.groups.is_group(task) or task in self.groups.opaque:
                continue
            if not isinstance(rows[task], dict):
                aside.append(SetAside(self.file.path, member(_ROWS, task), shown(rows[task]), "is no row of scores"))
            for found in self._row(task, as_object(rows[task])):
                if isinstance(found, SetAside):
                    aside.append(found)
                else:
                    candidates.append(found)
        runs = [one.run for one in candidates]
        for group in sorted(rows):
            if self.groups.is_group(group) or group in self.groups.opaque:
                aside += self._group(group, as_object(rows[group]), runs)
        unreported = sum(run.stderr is None for run in runs)
        if unreported:
            notes.append(f"{self.file.path}: {unreported} of {len(runs)} scores have no standard error")
        sizeless = sum(run.n is None for run in runs)
        if sizeless:
            notes.append(f"{self.file.path}: n is not reported for {sizeless} of {len(runs)} scores")
        elsewhere = [f"{path} {why}" for path, why in self.missing.items() if not path.startswith(_ROWS)]
        notes += [f"{self.file.path}: {what}" for what in elsewhere]
        folder = self.file.path.rpartition("/")[0]
        return ResultsFile(self.model, folder, stamp(self.file.name), tuple(candidates), tuple(aside), tuple(notes))

    def _row(self, task: str, row: Mapping[str, object]) -> Iterator[Candidate | SetAside]:
        """Every score of a task's row, and what stands in place of one."""
        keys = {key: found for key in sorted(row) if (found := metric_key(key)) is not None}
        errors = {(found.metric, found.filter): row[key] for key, found in keys.items() if found.error}
        plain = {key.partition(",")[0] for key in row}
        for key, found in keys.items():
            if found.error:
                continue
            error = errors.get((found.metric, found.filter))
            name = key.partition(",")[0]
            if name != found.metric and found.metric in plain:  # "x_avg" beside "x": the error is of "x"
                found, error = replace(found, metric=name), None
            score = as_number(row[key])
            place = member(member(_ROWS, task), key)
            if score is None:
                why = self.missing.get(place, f"is {shown(row[key])}, which is no number")
                yield SetAside(self.file.path, place, f"{task}, {found.shown}", f"has no value: it {why}")
            else:
                yield self._candidate(task, row, found, place, score, error)

    def _candidate(
        self, task: str, row: Mapping[str, object], key: MetricKey, place: str, score: Fraction, error: object
    ) -> Candidate:
        n, original = self._sizes(task, row)
        scale = scale_of(key.metric, higher_is_better=self._direction(task, key.metric))
        is_share = scale == SHARE
        notes: list[str] = []
        stderr = as_number(error)
        if stderr is not None and is_share:
            stderr, told = judged(score, stderr, n)
            notes += [told] if told else []
        elif stderr is not None and stderr < 0:
            notes.append(f"standard error {shown(stderr)} is below 0")
            stderr = None
        repeats = next((as_count(row[k]) for k in row if k.partition(",")[0] == "num_repeat"), None)
        if repeats and repeats > 1:
            notes.append(f"mean over {repeats} repeats of each item; n counts items")
        status, told = self._status(n, original)
        notes += [told] if told else []
        right = hits(score, n) if is_share and is_known_share(key.metric) and not (repeats and repeats > 1) else None
        shots = self._shots(task)
        top = self.groups.top(task)
        run = EvalRun(
            model_id=self.model,
            task_id=task,
            metric_name=key.shown,
            score=score if right is None or n is None else Fraction(right, n),
            category=self.groups.parents.get(task, "general"),
            n_correct=right,
            n_total=n if right is not None else None,
            n=n,
            n_original=original,
            stderr=stderr,
            better=scale.better,
            low=scale.low,
            high=scale.high,
            version=self._version(task),
            status=status,
            date=as_number(self.root.get("date")),
            file=self.file.path,
            key=place,
            notes=tuple(notes),
            columns=(*((("num_fewshot", shots),) if shots else ()), *((("top_group", top),) if top else ())),
        )
        return Candidate(run, f"{shots}-shot" if shots else "", stamp(self.file.name))

    def _sizes(self, task: str, row: Mapping[str, object]) -> tuple[int | None, int | None]:
        """How many items were scored, and how many the task has."""
        sizes = as_object(as_object(self.root.get("n-samples")).get(task))
        n = as_count(sizes.get("effective"))
        if n is None:
            n = next((as_count(row[key]) for key in ("sample_len", "sample_count") if key in row), None)
        return n or None, as_count(sizes.get("original")) or None

    def _status(self, n: int | None, original: int | None) -> tuple[Status, str]:
        limit = as_object(self.root.get("config")).get("limit")
        if n is not None and original is not None:
            return ("limited", f"limited: {n} of {original} items") if n < original else ("complete", "")
        if as_number(limit):
            return "limited", f"limited: run with limit {shown(limit)}"
        return "complete", ""

    def _direction(self, task: str, metric: str) -> object:
        stated = as_object(as_object(self.root.get("higher_is_better")).get(task)).get(metric)
        if stated is not None:
            return stated
        for one in as_list(as_object(as_object(self.root.get("configs")).get(task)).get("metric_list")):
            if as_object(one).get("metric") == metric:
                return as_object(one).get("higher_is_better")
        return None

    def _version(self, task: str) -> str:
        stated = as_object(self.root.get("versions")).get(task)
        return "" if stated is None else shown(stated)

    def _shots(self, task: str) -> str:
        config = as_object(as_object(self.root.get("configs")).get(task))
        stated = (
            as_object(self.root.get("n-shot")).get(task),
            config.get("num_fewshot"),
            as_object(self.root.get("config")).get("num_fewshot"),
        )
        count = next((found for one in stated if (found := as_count(one)) is not None), None)
        return "" if count is None else str(count)

    def _group(self, group: str, row: Mapping[str, object], runs: list[EvalRun]) -> Iterator[SetAside]:
        keys = {key: found for key in sorted(row) if (found := metric_key(key)) is not None}
        errors = {(found.metric, found.filter): row[key] for key, found in keys.items() if found.error}
        members = set(self.groups.members.get(group, ()))
        for key, found in keys.items():
            if found.error:
                continue
            place = member(member(_ROWS, group), key)
            of_group = [run for run in runs if run.task_id in members and run.metric_name == found.shown]
            if group in self.groups.opaque:
                reason = "a group; the file does not say which tasks it holds"
            elif not of_group:
                reason = "a group none of whose tasks has this metric"
            else:
                error = as_number(errors.get((found.metric, found.filter)))
                reason = group_row(of_group, self.groups.named[group], as_number(row[key]), error).reason
            value = f"{shown(row[key])} ({self.model}, {group}, {found.shown})"
            yield SetAside(self.file.path, place, value, reason)
