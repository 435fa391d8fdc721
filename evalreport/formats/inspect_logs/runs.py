"""The scores of one log, with what its samples say about how much of it was scored at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction

from evalreport.core.exact import fixed
from evalreport.errors import EvalreportError, Problem
from evalreport.formats.evalrun import EvalRun, SetAside, Status
from evalreport.formats.inspect_logs.log import Log
from evalreport.formats.inspect_logs.values import Tally, tallies
from evalreport.formats.json_faults import member
from evalreport.formats.json_values import as_count, as_list, as_number, as_object, as_text, shown
from evalreport.formats.newest import Candidate, stamp
from evalreport.formats.scales import SHARE, is_known_share, scale_of
from evalreport.formats.standard_errors import hits, judged

_STATUS: Mapping[str, Status] = {
    "success": "complete",
    "error": "errored",
    "cancelled": "cancelled",
    "started": "started",
}
_MAIN = ("accuracy", "mean")
_ERRORS = ("stderr", "bootstrap_stderr")
_SPREADS = ("std", "var", "bootstrap_std")
_CLOSE = Fraction(1, 10**9)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True)
class _Coverage:
    """How many samples and items were scored of how many; a sample is one epoch of an item."""

    scored: int
    total: int
    errored: int
    unscored: int
    epochs: int
    stated_items: int | None = None

    @property
    def items(self) -> int:
        if self.stated_items is not None:
            return self.stated_items
        return -(-self.scored // self.epochs)

    @property
    def all_items(self) -> int:
        return max(-(-self.total // self.epochs), self.items)

    def notes(self, score: Fraction, *, share: bool) -> Iterator[str]:
        if self.epochs > 1:
            yield f"{self.items} items × {self.epochs} epochs"
        lost = self.errored + self.unscored
        if not lost or not self.total:
            return
        parts = [f"{n} {what}" for n, what in ((self.errored, "errored"), (self.unscored, "unscored")) if n]
        percent = fixed(Fraction(100 * lost, self.total), 0)
        told = f"{self.scored} of {self.total} scored, {', '.join(parts)} ({percent}%)"
        if share and 0 <= score <= 1:
            low, high = score * self.scored / self.total, (score * self.scored + lost) / self.total
            told += f"; from {fixed(low)} to {fixed(high)} if the others count as 0 or as 1"
        yield told


@dataclass(frozen=True)
class LogRuns:
    """The scores of one log and what of it is no score."""

    candidates: tuple[Candidate, ...]
    set_aside: tuple[SetAside, ...]


def log_runs(log: Log) -> LogRuns:
    """The scores of a log: those of its results, or, when it has none, those that its samples give.

    Raises `EvalreportError` when it names no model or no task.
    """
    stated = as_object(log.header.get("eval"))
    if not as_text(stated.get("model")) or not as_text(stated.get("task")):
        raise EvalreportError(Problem(log.file.path, "names no model or no task", "$.eval.model, $.eval.task"))
    return _Reader(log, stated).read()


@dataclass(frozen=True)
class _Reader:
    log: Log
    eval: Mapping[str, object]

    def read(self) -> LogRuns:
        results = as_object(self.log.header.get("results"))
        entries = [as_object(one) for one in as_list(results.get("scores"))]
        found, aside = tallies(self.log)
        candidates: list[Candidate] = []
        for place, entry in enumerate(entries):
            for one in self._entry(entry, place, entries, results, found):
                if isinstance(one, SetAside):
                    aside.append(one)
                else:
                    candidates.append(one)
        if not entries:
            candidates = list(self._from_samples(found))
        if not candidates and not aside:
            error = as_text(as_object(self.log.header.get("error")).get("message"))
            reason = f"holds no score; its status is {self._stated_status}" + (f": {shown(error)}" if error else "")
            aside.append(SetAside(self.log.file.path, "", f"{self._task} ({self._model})", reason))
        return LogRuns(tuple(candidates), tuple(aside))

    @property
    def _model(self) -> str:
        return as_text(self.eval.get("model"))

    @property
    def _task(self) -> str:
        return as_text(self.eval.get("task"))

    @property
    def _stated_status(self) -> str:
        return as_text(self.log.header.get("status")) or "not stated"

    @property
    def _epochs(self) -> int:
        return as_count(as_object(self.eval.get("config")).get("epochs")) or 1

    def _reducer(self) -> str:
        stated = as_object(self.eval.get("config")).get("epochs_reducer")
        names = [name for name in as_list(stated) if isinstance(name, str)] or [as_text(stated)]
        return names[0] or "mean"

    def _entry(
        self,
        entry: Mapping[str, object],
        place: int,
        entries: list[dict[str, object]],
        results: Mapping[str, object],
        found: Mapping[str, Tally],
    ) -> Iterator[Candidate | SetAside]:
        """The scores of one entry of the results: one scorer, or one part of its score, by one reducer."""
        path = f"{self.log.place}$.results.scores[{place}].metrics"
        name, reducer = as_text(entry.get("name")), as_text(entry.get("reducer"))
        sole = all(other.get("name") == name for other in entries)
        reducers = {as_text(other.get("reducer")) for other in entries if other.get("name") == name}
        metrics = as_object(entry.get("metrics"))
        numbers = {key: as_number(as_object(one).get("value")) for key, one in metrics.items()}
        main = next((key for key in _MAIN if numbers.get(key) is not None), None)
        error = next((numbers[key] for key in _ERRORS if numbers.get(key) is not None), None)
        coverage = self._coverage(entry, results, found.get(name))
        for key in sorted(metrics):
            number, where = numbers[key], member(path, key)
            if key in _ERRORS:
                continue
            if number is None:
                yield SetAside(self.log.file.path, where, f"{self._task}, {key}", "has no value: it is no number")
            elif key in _SPREADS:
                yield SetAside(self.log.file.path, where, shown(number), "a spread of the items, no score")
            elif key in _MAIN and key != main and abs(number - (numbers[main or key] or 0)) <= _CLOSE:
                yield SetAside(self.log.file.path, where, shown(number), f"the same number as {main}")
            else:
                metric = key if sole else name if key == main else f"{name}/{key}"
                metric += f" ({reducer})" if len(reducers) > 1 else ""
                one = self._candidate(metric, key, number, error if key == main else None, coverage, where)
                if key == main and reducer in ("", "mean") and name in found:
                    one = self._checked(one, found[name], results)
                yield one

    def _coverage(self, entry: Mapping[str, object], results: Mapping[str, object], tally: Tally | None) -> _Coverage:
        epochs = self._epochs
        total = as_count(results.get("total_samples"))
        completed = as_count(results.get("completed_samples"))
        scored_items = as_count(entry.get("scored_samples"))
        unscored_items = as_count(entry.get("unscored_samples")) or 0
        if total is None or completed is None:
            return self._counted(tally) if tally else _Coverage(0, 0, 0, 0, epochs, scored_items or 0)
        unscored = unscored_items * epochs
        if tally and tally.samples + tally.errored + tally.unscored == total:
            unscored = tally.unscored
        scored = max(completed - unscored, 0)
        return _Coverage(scored, total, max(total - completed, 0), unscored, epochs, scored_items)

    def _counted(self, tally: Tally) -> _Coverage:
        total = tally.samples + tally.errored + tally.unscored
        return _Coverage(tally.samples, total, tally.errored, tally.unscored, self._epochs, len(tally.items))

    def _checked(self, one: Candidate, tally: Tally, results: Mapping[str, object]) -> Candidate:
        """Beside what the samples give, if the file holds all of them."""
        mean = tally.mean("mean")
        if tally.samples + tally.errored + tally.unscored != as_count(results.get("total_samples")) or mean is None:
            return one
        if abs(mean - one.run.score) <= _CLOSE:
            return one
        note = f"contradicted: its {tally.samples} scored samples give {fixed(mean, 6)}"
        return replace(one, run=replace(one.run, notes=(*one.run.notes, note)))

    def _from_samples(self, found: Mapping[str, Tally]) -> Iterator[Candidate]:
        """A log without results, such as one that was cut off: its samples are reduced and averaged here."""
        reducer = self._reducer()
        scorers = [as_object(one) for one in as_list(self.eval.get("scorers"))]
        stated = {
            as_text(as_object(m).get("name")).rpartition("/")[2] for s in scorers for m in as_list(s.get("metrics"))
        }
        for name, tally in sorted(found.items()):
            plain = len(found) == 1 and name in (scorer for sample in self.log.samples for scorer in sample.values)
            metric = ("accuracy" if "accuracy" in stated else "mean") if plain else name
            score = tally.mean(reducer)
            used = reducer
            if score is None:
                score, used = tally.mean("mean"), "mean"
            if score is None:
                continue
            one = self._candidate(metric, metric, score, None, self._counted(tally), f"{self.log.place}$.samples")
            note = f"no results in the log: averaged from its samples, epochs reduced by {used}"
            yield replace(one, run=replace(one.run, notes=(*one.run.notes, note)))

    def _candidate(
        self, metric: str, key: str, score: Fraction, error: Fraction | None, coverage: _Coverage, where: str
    ) -> Candidate:
        scale = scale_of(key if key not in _MAIN else metric)
        share = scale == SHARE
        n = coverage.items or None
        notes = list(coverage.notes(score, share=share))
        if error is not None and share:
            error, told = judged(score, error, n)
            notes += [told] if told else []
        status, original, told = self._status(coverage)
        notes += [told] if told else []
        right = hits(score, n) if share and coverage.epochs == 1 and "samples" not in where else None
        counted = right is not None and is_known_share(key)
        run = EvalRun(
            model_id=self._model,
            task_id=self._task,
            metric_name=metric,
            score=score if right is None or n is None else Fraction(right, n),
            n_correct=right if counted else None,
            n_total=n if counted else None,
            n=n,
            n_original=original,
            stderr=error,
            better=scale.better,
            low=scale.low,
            high=scale.high,
            version=shown(self.eval["task_version"]) if "task_version" in self.eval else "",
            status=status,
            date=self._date(),
            file=self.log.file.path,
            key=where,
            notes=tuple(notes),
        )
        return Candidate(run, self._variant(), stamp(self.log.file.name))

    def _status(self, coverage: _Coverage) -> tuple[Status, int | None, str]:
        """The status, how many items the task has, and what a reader must know of the limit."""
        items = coverage.all_items
        size = as_count(as_object(self.eval.get("dataset")).get("samples"))
        config = as_object(self.eval.get("config"))
        chosen = config.get("limit") is not None or config.get("sample_id") is not None
        status = _STATUS.get(self._stated_status, "errored")
        if self.log.header.get("invalidated") is True:
            return "errored", size, "the log is marked as invalid"
        lost = coverage.errored or coverage.unscored
        if chosen and (size is None or size > items):
            told = (
                f"limited: {items} of {size} items" if size else f"limited: run with limit {shown(config.get('limit'))}"
            )
            return ("partial" if lost else "limited") if status == "complete" else status, size, told
        return "partial" if lost and status == "complete" else status, items or None, ""

    def _variant(self) -> str:
        stated = self.eval.get("task_args_passed", self.eval.get("task_args"))
        given = {name: value for name, value in as_object(stated).items() if value is not None}
        return ", ".join(f"{name}={shown(value)}" for name, value in sorted(given.items()))

    def _date(self) -> Fraction | None:
        """When the run ended, or began. A time without a zone is no point in time."""
        stats = as_object(self.log.header.get("stats"))
        for text in (stats.get("completed_at"), stats.get("started_at"), self.eval.get("created")):
            try:
                time = datetime.fromisoformat(as_text(text))
            except ValueError:
                continue
            if time.tzinfo is not None:
                return Fraction((time - _EPOCH) // _MICROSECOND, 10**6)
        return None
