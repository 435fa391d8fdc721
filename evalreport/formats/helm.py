"""Run folders of HELM: `run_spec.json`, `stats.json` and `per_instance_stats.json` of one model on one scenario.

The score is the mean on the test split without perturbation. A statistic without a mean has no value, not 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from evalreport.core.exact import fixed
from evalreport.errors import EvalreportError, Problem, Problems
from evalreport.formats import inputs
from evalreport.formats.evalrun import EvalRun, Reading, SetAside, Status
from evalreport.formats.inputs import SourceFile
from evalreport.formats.json_values import as_count, as_list, as_number, as_object, as_text, shown, top_keys
from evalreport.formats.newest import Candidate, newest
from evalreport.formats.scales import SHARE, scale_of, settled
from evalreport.formats.standard_errors import hits
from evalreport.formats.strict_json import loads_foreign

NAME = "helm"
DESCRIPTION = "HELM run folders: run_spec.json, stats.json, per_instance_stats.json"

_SPEC, _STATS, _EACH = "run_spec.json", "stats.json", "per_instance_stats.json"
_STATS_START = re.compile(rb'\s*\[\s*(\]|\{\s*"name"\s*:\s*\{)')
_EACH_START = re.compile(rb'\s*\[\s*(\]|\{\s*"instance_id"\s*:)')
_OF_THE_RUN = re.compile(
    r"num_.+|batch_size|inference_.+|training_.+|finish_reason_.+|prompt_truncated|max_prob|platt_(coef|intercept)"
    r"|estimated_.+"
)
_MODEL_ARGUMENTS = ("model", "model_deployment")
_CLOSE = Fraction(1, 10**9)
_PLAIN = ("", "")


def recognises(file: SourceFile, head: bytes) -> bool:
    """Whether a file is one of the three of a run folder, by its name and its first bytes."""
    match _base(file):
        case "stats.json":
            return bool(_STATS_START.match(head))
        case "per_instance_stats.json":
            return bool(_EACH_START.match(head))
        case "run_spec.json":
            return bool(top_keys(head) & {"adapter_spec", "scenario_spec"})
    return False


def _base(file: SourceFile) -> str:
    return file.name.removesuffix(".gz").rpartition("/")[2]


def read(files: Sequence[SourceFile]) -> Reading:
    """The scores of all run folders. Raises one `EvalreportError` with the problems of all files."""
    problems = Problems()
    folders: dict[str, dict[str, SourceFile]] = {}
    for file in files:
        folders.setdefault(file.path.rpartition("/")[0], {})[_base(file)] = file
    candidates: list[Candidate] = []
    aside: list[SetAside] = []
    for folder in sorted(folders):
        found = folders[folder]
        if _STATS not in found:
            some = min(found.values(), key=lambda file: file.path)
            aside.append(SetAside(some.path, "", "a run folder", "has no stats.json, and so no scores"))
            continue
        try:
            run = _run_folder(folder, found)
        except EvalreportError as error:
            problems.extend(error.problems)
            continue
        for one in run.scores():
            if isinstance(one, SetAside):
                aside.append(one)
            else:
                candidates.append(Candidate(one))
    runs, superseded = newest(candidates)
    runs = settled(runs, problems)
    problems.check()
    return Reading(runs, tuple(sorted({*aside, *superseded})))


def _loaded(file: SourceFile | None) -> object:
    return loads_foreign(inputs.read(file)[0], file.path)[0] if file else None


@dataclass
class _PerInstance:
    """One metric over the instances of the split that counts: the values of each, one for every trial."""

    values: dict[str, list[Fraction]] = field(default_factory=dict)

    @property
    def mean(self) -> Fraction:
        means = [sum(values, Fraction(0)) / len(values) for values in self.values.values()]
        return sum(means, Fraction(0)) / len(means)

    @property
    def binary(self) -> bool:
        return all(value in (0, 1) for values in self.values.values() for value in values)


@dataclass(frozen=True)
class _RunFolder:
    path: str
    name: str
    model: str
    spec: Mapping[str, object]
    stats: Sequence[Mapping[str, object]]
    split: str
    each: Mapping[str, _PerInstance]

    def scores(self) -> Iterator[EvalRun | SetAside]:
        """The scores of the split that counts, and everything else under the reason why it does not count."""
        other: dict[str, list[str]] = {}
        for place, stat in enumerate(self.stats):
            name = as_object(stat.get("name"))
            metric, split, changed = as_text(name.get("name")), as_text(name.get("split")), _changed(name)
            if split != self.split or changed != _PLAIN:
                words = [f"split {split!r}", *(part for part in changed if part)]
                other.setdefault(f"of {', '.join(words)}: not the {self.split} split as it is", []).append(metric)
            elif _OF_THE_RUN.fullmatch(metric):
                other.setdefault("describes the run, is no score", []).append(metric)
            else:
                yield self._score(place, metric, stat)
        for reason, metrics in sorted(other.items()):
            names = sorted(set(metrics))
            yield SetAside(self.path, "", f"{len(metrics)} statistics: {', '.join(names)}", reason)

    def _score(self, place: int, metric: str, stat: Mapping[str, object]) -> EvalRun | SetAside:
        key, count = f"$[{place}].mean", as_number(stat.get("count"))
        score, total = as_number(stat.get("mean")), as_number(stat.get("sum"))
        if score is None and total is not None and count:
            score = total / count
        if score is None:
            why = f"no value ({shown(count)} observations)"
            return SetAside(self.path, key, f"{self.task}, {metric}", why)
        scale = scale_of(metric)
        n, notes = self.instances(self.split), []
        right = None
        each = self.each.get(metric)
        if each is not None and abs(each.mean - score) > _CLOSE:
            notes.append(f"contradicted: its {len(each.values)} instances give {fixed(each.mean, 6)}")
        elif each is not None:
            n = n or len(each.values)
            right = hits(score, n) if each.binary and scale == SHARE else None
        status, told = self._status()
        notes += told
        if self.split != "test":
            notes.append(f"the run has no test split; this is {self.split!r}")
        trials = as_count(self._adapter.get("num_train_trials")) or 1
        if trials > 1:
            notes.append(f"mean over {trials} trials of {n} instances" if n else f"mean over {trials} trials")
            right = None
        groups = [group for group in as_list(self.spec.get("groups")) if isinstance(group, str)]
        deployment = as_text(self._adapter.get("model_deployment"))
        return EvalRun(
            model_id=self.model,
            task_id=self.task,
            metric_name=metric,
            score=score if right is None or n is None else Fraction(right, n),
            category=groups[0] if groups else "general",
            n_correct=right,
            n_total=n if right is not None else None,
            n=n,
            better=scale.better,
            low=scale.low,
            high=scale.high,
            status=status,
            file=self.path,
            key=key,
            notes=tuple(notes),
            columns=(("model_deployment", deployment),) if deployment else (),
        )

    @property
    def task(self) -> str:
        """The scenario with its arguments, without those that name the model.

        A run is called `scenario:name=value,…`; what has no arguments is called `scenario`.
        """
        scenario, _, arguments = self.name.partition(":")
        kept = [one for one in arguments.split(",") if one and one.partition("=")[0] not in _MODEL_ARGUMENTS]
        return f"{scenario}:{','.join(kept)}" if kept else scenario

    @property
    def _adapter(self) -> Mapping[str, object]:
        return as_object(self.spec.get("adapter_spec"))

    def instances(self, split: str = "") -> int | None:
        """How many instances were run unperturbed, in one split or in all; None when it is not stated."""
        found = 0
        for stat in self.stats:
            name = as_object(stat.get("name"))
            if name.get("name") == "num_instances" and _changed(name) == _PLAIN and split in ("", name.get("split")):
                found += as_count(stat.get("mean")) or 0
        return found or None

    def _status(self) -> tuple[Status, list[str]]:
        cap, done = as_count(self._adapter.get("max_eval_instances")), self.instances()
        if cap and done and done >= cap:
            return "limited", [f"limited: at most {cap} instances were asked for, and {done} were run"]
        return "complete", []


def _changed(name: Mapping[str, object]) -> tuple[str, str]:
    """What sets a statistic apart from the plain one of its split: a perturbation, a part of the split."""
    stated = as_object(name.get("perturbation"))
    perturbed = ", ".join(as_text(stated.get(key)) for key in ("name", "computed_on") if stated.get(key))
    part = as_text(name.get("sub_split"))
    return (f"perturbed ({perturbed})" if stated else "", f"part {part!r}" if part else "")


def _run_folder(folder: str, found: Mapping[str, SourceFile]) -> _RunFolder:
    problems = Problems()
    values: dict[str, object] = {}
    for base in sorted(found):
        try:
            values[base] = _loaded(found[base])
        except EvalreportError as error:
            problems.extend(error.problems)
    problems.check()
    spec = as_object(values.get(_SPEC))
    name = as_text(spec.get("name")) or folder.rpartition("/")[2]
    arguments = dict(one.partition("=")[::2] for one in name.partition(":")[2].split(","))
    adapter = as_object(spec.get("adapter_spec"))
    path = found[_STATS].path
    model = as_text(adapter.get("model")) or as_text(adapter.get("model_deployment")) or arguments.get("model", "")
    if not model:
        raise EvalreportError(Problem(path, "no run_spec.json beside it names the model", "adapter_spec.model"))
    stats = [as_object(one) for one in as_list(values[_STATS])]
    splits = {as_text(as_object(stat.get("name")).get("split")) for stat in stats}
    split = "test" if "test" in splits or not splits else min(splits)
    return _RunFolder(path, name, model, spec, stats, split, _per_instance(values.get(_EACH), split))


def _per_instance(value: object, split: str) -> dict[str, _PerInstance]:
    found: dict[str, _PerInstance] = {}
    for one in as_list(value):
        instance = as_object(one)
        if instance.get("perturbation"):
            continue
        for stat in map(as_object, as_list(instance.get("stats"))):
            name = as_object(stat.get("name"))
            number = as_number(stat.get("mean"))
            if name.get("split") == split and _changed(name) == _PLAIN and number is not None:
                metric = found.setdefault(as_text(name.get("name")), _PerInstance())
                metric.values.setdefault(shown(instance.get("instance_id")), []).append(number)
    return found
