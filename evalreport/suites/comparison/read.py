"""Result files on disk -> leaderboards: what is superseded, what is a copy, what contradicts itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from evalreport.core.exact import fixed
from evalreport.core.names import nearest
from evalreport.core.suite import NOTHING_OF_ITS_OWN, Settings
from evalreport.core.words import decimal
from evalreport.errors import EvalreportError, Problem, Problems
from evalreport.formats.evalrun import EvalRun, Reading, SetAside
from evalreport.formats.sources import read_sources
from evalreport.suites.comparison.records import Board, ComparisonRecords
from evalreport.suites.comparison.reduce import board

MOST_NAMED = 10  # files that a message lists
Place = tuple[str, str, str, str]  # model, task, metric, run


def read(paths: Sequence[Path], settings: Settings) -> ComparisonRecords:
    """Everything below the paths that some reader of evaluation runs knows, as leaderboards.

    Raises one `EvalreportError` with all problems of all files and of what they say about each other.
    """
    found = read_sources(paths)
    if not found.inputs and not any(reading.set_aside for reading in found.readings):
        raise EvalreportError(_nothing(paths, found.ignored))
    problems = Problems()
    runs, superseded = _current(found.readings, problems)
    shares = [run for run in runs if run.share]
    boards = _boards(shares, found.readings, settings, problems)
    problems.check()
    aside = [one for reading in found.readings for one in reading.set_aside]
    return ComparisonRecords(
        boards,
        tuple(sorted((run for run in runs if not run.share), key=_order)),
        tuple(sorted({*aside, *superseded})),
        tuple(
            sorted({*(note for one in found.readings for note in one.notes), *_run_notes(runs), *_scale_notes(runs)})
        ),
        found.inputs,
        found.ignored,
    )


def _nothing(paths: Sequence[Path], ignored: Sequence[str]) -> Problem:
    """The one problem of an input in which nothing is known, with the files that are there."""
    where = ", ".join(sorted(path.name for path in paths))
    rest = f" and {len(ignored) - MOST_NAMED} more" if len(ignored) > MOST_NAMED else ""
    files = f"; no format is known for {', '.join(ignored[:MOST_NAMED])}{rest}" if ignored else ""
    expected = "a table with the columns model_id, task_id and score, or a result file (evalreport list formats)"
    return Problem(where, f"holds no scores{files}", expected, NOTHING_OF_ITS_OWN)


def _run_notes(runs: Iterable[EvalRun]) -> Iterable[str]:
    return (f"{where(run)}: {note}" for run in runs for note in run.notes)


def _scale_notes(runs: Iterable[EvalRun]) -> Iterator[str]:
    """Metrics that files state with several scales or directions under one name."""
    found: dict[str, dict[tuple[str, str], EvalRun]] = {}
    for run in runs:
        ends = ["open" if end is None else decimal(end) for end in (run.low, run.high)]
        found.setdefault(run.metric_name, {}).setdefault((f"{run.better} is better", " to ".join(ends)), run)
    for metric, scales in found.items():
        if len(scales) > 1:
            stated = "; ".join(f"{', '.join(scale)} in {where(run)}" for scale, run in sorted(scales.items()))
            yield f"{metric} is the name of metrics that are kept apart: {stated}"


def where(run: EvalRun) -> str:
    """Where a score stands: file and place in it."""
    return f"{run.file}: {run.key}" if run.key else run.file


def _order(run: EvalRun) -> tuple[str, ...]:
    return (run.metric_name, run.task_id, run.model_id, run.run_id, run.item_id, run.file, run.key)


def _current(readings: Sequence[Reading], problems: Problems) -> tuple[list[EvalRun], list[SetAside]]:
    """The scores that count, in order, and those that another file supersedes or repeats."""
    places: dict[Place, dict[str, list[EvalRun]]] = {}
    tables = {run.file for reading in readings if reading.one_per_task for run in reading.runs}
    for reading in readings:
        for run in reading.runs:
            place = (run.model_id, run.task_id, run.metric_name, run.run_id)
            places.setdefault(place, {}).setdefault(run.file, []).append(run)
    kept: list[EvalRun] = []
    aside: list[SetAside] = []
    for files in places.values():
        if len(files) > 1 and not tables & files.keys():
            newest = _newest(list(files.values()), problems)
            aside += [_superseded(run, newest) for runs in files.values() if runs is not newest for run in runs]
            files = {newest[0].file: newest}
        seen: dict[str, EvalRun] = {}
        for run in sorted((run for runs in files.values() for run in runs), key=_order):
            first = seen.setdefault(run.item_id, run)
            if first is not run:
                _duplicate(run, first, problems)
            kept.append(run)
        if "" in seen and len(seen) > 1:
            _whole_beside_items(seen, problems)
    return sorted(kept, key=_order), aside


def _newest(files: list[list[EvalRun]], problems: Problems) -> list[EvalRun]:
    """The newest of several result files of one model and task: complete ones before others, then by date."""

    def freshness(runs: list[EvalRun]) -> tuple[bool, bool, object]:
        dated = all(run.date is not None for run in runs)
        return all(run.status == "complete" for run in runs), dated, max((run.date or 0 for run in runs), default=0)

    ordered = sorted(files, key=lambda runs: runs[0].file)
    best = max(map(freshness, ordered), key=lambda fresh: (fresh[0], fresh[1], fresh[2]))
    newest, *rest = [runs for runs in ordered if freshness(runs) == best]
    for runs in rest:
        if _content(runs) != _content(newest):
            _duplicate(runs[0], newest[0], problems)
    return newest


def _content(runs: Iterable[EvalRun]) -> list[tuple[object, ...]]:
    return sorted((run.item_id, run.score, run.n or 0, str(run.date)) for run in runs)


def _superseded(run: EvalRun, newest: list[EvalRun]) -> SetAside:
    same = any(_content([run]) == _content([other]) for other in newest)
    reason = f"a copy of {newest[0].file}" if same else f"superseded by {newest[0].file}"
    name = f"{run.model_id}, {run.task_id}, {run.metric_name}"
    return SetAside(run.file, run.key, f"{fixed(run.score)} ({name})", reason)


def _duplicate(run: EvalRun, other: EvalRun, problems: Problems) -> None:
    ids = [f"model {run.model_id!r}", f"task {run.task_id!r}"]
    ids += [f"{name} {value!r}" for name, value in (("run", run.run_id), ("item", run.item_id)) if value]
    what = f"a second score of {', '.join(ids)}; the first is {where(other)}"
    stated = [note for one in (other, run) for note in one.notes]
    problems.add(
        where(run), "; ".join([what, *stated]), "one score for each model and task, run and item", kind="duplicate_run"
    )


def _whole_beside_items(seen: Mapping[str, EvalRun], problems: Problems) -> None:
    """A score without an item beside scores of items may be their mean, or one more item: it is asked, not guessed."""
    whole, item = seen[""], min(found for found in seen.items() if found[0])[1]
    what = (
        f"a score of model {whole.model_id!r}, task {whole.task_id!r} without an item; item {item.item_id!r} of it"
        f" stands in {where(item)}"
    )
    problems.add(where(whole), what, "an item_id in all rows of a task and run, or in none", kind="missing_field")


def _boards(
    shares: Sequence[EvalRun], readings: Sequence[Reading], settings: Settings, problems: Problems
) -> tuple[Board, ...]:
    groups = _groups(shares, readings, settings.text("metric"), problems)
    cluster = settings.text("cluster")
    if cluster is not None and cluster != "category" and shares:
        columns = {name for run in shares for name, _ in run.columns}
        if any(run.cluster for run in shares):
            columns.add("cluster")
        if cluster not in columns:
            expected = nearest(cluster, {"category", *columns})
            problems.add("cluster", f"{cluster!r} is no column of the scores", expected, kind="unknown_cluster")
            return ()
    several = len(groups) > 1
    return tuple(
        board(
            metric if several else "",
            groups[metric],
            cluster=cluster,
            weighted=settings.flag("weights"),
            problems=problems,
        )
        for metric in sorted(groups)
        if groups[metric]
    )


def _groups(
    shares: Sequence[EvalRun], readings: Sequence[Reading], metric: str | None, problems: Problems
) -> Mapping[str, Sequence[EvalRun]]:
    """The scores of each leaderboard, by its name."""
    by_metric: dict[str, list[EvalRun]] = {}
    for run in shares:
        by_metric.setdefault(run.metric_name, []).append(run)
    if metric == EACH:
        return by_metric
    if metric is not None:
        if metric not in by_metric:
            expected = nearest(metric, by_metric)
            problems.add("metric", f"{metric!r} is no metric from 0 to 1 here", expected, kind="unknown_metric")
            return {}
        return {metric: by_metric[metric]}
    if all(reading.one_per_task for reading in readings if reading.runs):
        _check_one_per_task(shares, problems)
        return {"": shares} if shares else {}
    return by_metric


EACH = "*"


def _check_one_per_task(shares: Iterable[EvalRun], problems: Problems) -> None:
    first: dict[tuple[str, str], EvalRun] = {}
    for run in shares:
        other = first.setdefault((run.model_id, run.task_id), run)
        if other.metric_name != run.metric_name:
            what = (
                f"a second score of model {run.model_id!r}, task {run.task_id!r}: {run.metric_name!r} beside "
                f"{other.metric_name!r} in {where(other)}"
            )
            expected = f"one score for each model and task, or the setting metric: a name, or {EACH} for each apart"
            problems.add(where(run), what, expected, kind="duplicate_run")
