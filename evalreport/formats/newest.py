"""Several result files of one model and task: which one counts, and what the others are.

Dates inside the files decide; a time in a file's name, which has no zone, only tells files apart that say nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from evalreport.core.exact import fixed
from evalreport.formats.evalrun import EvalRun, SetAside, Status

_STAMP = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)[T_](\d\d)[-:]?(\d\d)[-:]?(\d\d)(\.\d+)?")
_WORST_FIRST: tuple[Status, ...] = ("started", "errored", "cancelled", "partial", "limited", "complete")


@dataclass(frozen=True)
class Candidate:
    """A score that another file may supersede. `variant` is the setting it was made in ("5-shot"): two settings of
    one task are two tasks. `stamp` is the time in the name of its file.
    """

    run: EvalRun
    variant: str = ""
    stamp: str = ""


def stamp(name: str) -> str:
    """The time in a file's name, in one spelling; empty when there is none.

    >>> stamp("m/results_2024-08-21T03-44-09.494230.json"), stamp("summary_20240501_120000.csv"), stamp("09-30-2025")
    ('20240821034409.494230', '20240501120000', '')
    """
    found = _STAMP.search(name.rsplit("/", 1)[-1])
    return "".join(part or "" for part in found.groups()) if found else ""


def newest(candidates: Iterable[Candidate]) -> tuple[tuple[EvalRun, ...], tuple[SetAside, ...]]:
    """The scores that count, and the others as superseded or as copies: complete ones go first, then later ones.

    Scores that are neither newer nor copies of each other are all kept: whoever compares them must refuse them.
    """
    places: dict[tuple[str, str, str, str, str], list[Candidate]] = {}
    for one in candidates:
        run = one.run
        places.setdefault((run.model_id, run.task_id, run.metric_name, run.run_id, one.variant), []).append(one)
    kept: list[Candidate] = []
    aside: list[SetAside] = []
    for rivals in places.values():
        ordered = sorted(rivals, key=lambda one: (one.run.file.count("/"), one.run.file, one.run.key))
        latest = max(ordered, key=_freshness)
        best = _freshness(latest)
        first = next(one for one in ordered if _content(one.run) == _content(latest.run))
        kept.append(first)
        for one in ordered:
            if one is first:
                continue
            if _content(one.run) == _content(first.run):
                aside.append(_aside(one.run, f"a copy of {first.run.file}"))
            elif _freshness(one) < best:
                aside.append(_aside(one.run, _why(one.run, first.run)))
            else:
                kept.append(one)
    return _apart(kept), tuple(sorted(aside))


def _freshness(one: Candidate) -> tuple[int, bool, object, str]:
    run = one.run
    return _WORST_FIRST.index(run.status), run.date is not None, run.date or 0, one.stamp


def _content(run: EvalRun) -> EvalRun:
    return replace(run, file="", key="", notes=())


def _why(run: EvalRun, first: EvalRun) -> str:
    if run.status == first.status:
        return f"superseded by {first.file}, which is newer"
    return f"superseded by {first.file}, which is {first.status}; this one is {run.status}"


def _aside(run: EvalRun, reason: str) -> SetAside:
    return SetAside(run.file, run.key, f"{fixed(run.score)} ({run.model_id}, {run.task_id}, {run.metric_name})", reason)


def _apart(kept: Sequence[Candidate]) -> tuple[EvalRun, ...]:
    """A task that one model ran in two settings is two tasks for all models."""
    variants: dict[tuple[str, str, str], set[str]] = {}
    for one in kept:
        run = one.run
        variants.setdefault((run.model_id, run.task_id, run.metric_name), set()).add(one.variant)
    several = {task for (_, task, _), found in variants.items() if len(found) > 1}
    runs = (
        replace(one.run, task_id=f"{one.run.task_id} ({one.variant or 'no setting stated'})")
        if one.run.task_id in several
        else one.run
        for one in kept
    )
    return tuple(sorted(runs, key=lambda run: (run.model_id, run.task_id, run.metric_name, run.file, run.key)))
