"""Gate records and lines of a tallies file: JSON that holds counts, checked to the last field."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction

from evalreport.core.exact import fixed
from evalreport.core.words import decimal
from evalreport.errors import EvalreportError, Problem, Problems
from evalreport.formats.bfcl_scores import MAX_SAMPLES
from evalreport.formats.json_values import as_count, as_written
from evalreport.suites.bfcl.records import Shard, Tally
from evalreport.suites.bfcl.releases import SIZES, subset_name

_SUBSET = re.compile(r"subset\.(.+)\.(hits|n)", re.DOTALL)
_FIGURE = re.compile(r"[0-9]{1,3}(\.[0-9]+)?%?")
# More shards of a run are a slip, or an attack on the memory.
MAX_SHARDS = 10**4
# Scores that a gate record stores for itself, in percent.
_STORED = {"overall_accuracy": "overall", "normalized_single_turn_score": "normalized"}
# Figures of official tables, and what they are called here.
PUBLISHED = {"irrelevance": "hallucination", "relevance": "live_relevance"}


def gate_record(value: object, where: str) -> Shard:
    """The tallies of one gate record. Raises `EvalreportError` with everything that is wrong with it.

    A record without tallies cannot be united with others and is refused: taken as empty, it would score the run over
    fewer samples than were drawn.
    """
    problems = Problems()
    record = value if isinstance(value, dict) else {}
    texts = {k: _text(record, k, where, problems) for k in ("benchmark_id", "target_model", "git_sha")}
    params = record.get("params", {})
    if not isinstance(params, dict):
        problems.add(f"{where}: $.params", f"is {as_written(params)}", "an object")
        params = {}
    metrics = record["metrics"] if isinstance(record.get("metrics"), dict) else {}
    index, count = _shard(metrics, params, where, problems)
    tallies = _gate_tallies(metrics, where, problems)
    samples = metrics.get("samples")
    total = sum(t.n for t in tallies.values())
    if samples is not None and not problems and samples != total:
        problems.add(f"{where}: $.metrics.samples", f"is {samples}, but the tallies have {total}", kind="count")
    problems.check()
    return Shard(
        model=texts["target_model"],
        source=where,
        kind="gate record",
        tallies=tallies,
        identity=(
            ("benchmark_id", texts["benchmark_id"]),
            ("git_sha", texts["git_sha"]),
            *((f"params.{k}", _plain(v)) for k, v in sorted(params.items()) if k != "shard"),
        ),
        index=index,
        count=count,
        stored=tuple(
            (name, fixed(metrics[key], 2))
            for key, name in _STORED.items()
            if isinstance(metrics.get(key), (int, Fraction))
        ),
    )


def tallies_line(value: object, where: str) -> Shard:
    """One line of a tallies file: a model, [hits, n] of each subset, and official figures if there are any."""
    problems = Problems()
    record = value if isinstance(value, dict) else {}
    model = _text(record, "model", where, problems)
    given = record.get("tallies")
    found: dict[str, Tally] = {}
    if not isinstance(given, dict) or not given:
        problems.add(f"{where}: $.tallies", f"is {as_written(given)}", "[hits, n] for each subset", kind="tally")
        given = {}
    for written, pair in given.items():
        at = f"{where}: $.tallies.{written}"
        if not isinstance(pair, list) or len(pair) != 2:
            problems.add(at, f"is {as_written(pair)}", "[hits, n]", kind="tally")
            continue
        _add(found, subset_name(written), _tally(pair[0], pair[1], at, problems), at, problems)
    release = record.get("release", "")
    if release not in ("", *SIZES):
        problems.add(f"{where}: $.release", f"is {as_written(release)}", f"one of {', '.join(SIZES)}", kind="release")
    published = record.get("published", {})
    if not isinstance(published, dict):
        problems.add(f"{where}: $.published", f"is {as_written(published)}", "an object of percentages")
        published = {}
    for figure, text in published.items():
        if not isinstance(text, str) or not _FIGURE.fullmatch(text):
            problems.add(f"{where}: $.published.{figure}", f"is {as_written(text)}", 'a percentage such as "70.85%"')
    problems.check()
    return Shard(
        model=model,
        source=where,
        kind="tallies",
        tallies=found,
        published=tuple(sorted((PUBLISHED.get(f, f), t) for f, t in published.items())),
        release=str(release),
    )


def claim(value: object) -> set[tuple[str, int]]:
    """The model and the shard that a gate record says it is, however wrong the rest of it; empty if it does not say."""
    record = value if isinstance(value, dict) else {}
    metrics = record["metrics"] if isinstance(record.get("metrics"), dict) else {}
    model, index = record.get("target_model"), as_count(metrics.get("shard.index"))
    return {(model, index)} if isinstance(model, str) and index is not None else set()


def _text(record: Mapping[str, object], key: str, where: str, problems: Problems) -> str:
    value = record.get(key)
    if not isinstance(value, str) or not value.strip():
        problems.add(
            f"{where}: $.{key}",
            "is missing" if key not in record else f"is {as_written(value)}",
            "a text that is not blank",
            kind="identity",
        )
        return ""
    return value


def _plain(value: object) -> str:
    """A parameter as text: equal values give equal texts."""
    if isinstance(value, (str, Fraction)):
        return value if isinstance(value, str) else decimal(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=decimal)


def _count(value: object, where: str, problems: Problems, limit: int = MAX_SAMPLES) -> int | None:
    """A count: 5 and 5.0 are the same, 5.5, -1, true and "5" are none."""
    if isinstance(value, Fraction) and value.denominator == 1:
        value = value.numerator
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        problems.add(where, f"is {as_written(value)}", "a whole number, 0 or more", kind="count")
        return None
    if value > limit:
        problems.add(where, f"is above {limit}", f"a whole number up to {limit}", kind="count")
        return None
    return value


def _tally(hits: object, n: object, where: str, problems: Problems) -> Tally | None:
    right, total = _count(hits, f"{where}.hits", problems), _count(n, f"{where}.n", problems)
    if right is None or total is None:
        return None
    if right > total:
        problems.add(where, f"has {right} hits of {total} samples", "no more hits than samples", kind="hits_above_n")
        return None
    return Tally(right, total)


def _add(found: dict[str, Tally], subset: str, tally: Tally | None, where: str, problems: Problems) -> None:
    if tally is None:
        return
    if subset in found:
        problems.add(where, f"is {subset}, which stands there under another name too", kind="duplicate_subset")
    elif tally.n:
        found[subset] = tally


def _gate_tallies(metrics: Mapping[str, object], where: str, problems: Problems) -> dict[str, Tally]:
    parts: dict[str, dict[str, object]] = {}
    for key, value in metrics.items():
        match = _SUBSET.fullmatch(key)
        if match:
            parts.setdefault(match[1], {})[match[2]] = value
    if not parts:
        raise EvalreportError(
            Problem(f"{where}: $.metrics", "holds no tallies", "subset.<name>.hits and subset.<name>.n", "no_tallies")
        )
    found: dict[str, Tally] = {}
    for written in sorted(parts):
        at = f"{where}: $.metrics.subset.{written}"
        absent = {"hits", "n"} - parts[written].keys()
        if absent:
            problems.add(at, f"has no {absent.pop()}", "hits and n of each subset", kind="half_tally")
            continue
        tally = _tally(parts[written]["hits"], parts[written]["n"], at, problems)
        _add(found, subset_name(written), tally, at, problems)
    return found


def _shard(
    metrics: Mapping[str, object], params: Mapping[str, object], where: str, problems: Problems
) -> tuple[int | None, int]:
    if "shard.index" not in metrics and "shard.count" not in metrics:
        return None, 1
    index = _count(metrics.get("shard.index"), f"{where}: $.metrics.shard.index", problems)
    count = _count(metrics.get("shard.count"), f"{where}: $.metrics.shard.count", problems, MAX_SHARDS)
    if index is None or count is None:
        return None, 1
    if index >= count:
        problems.add(
            f"{where}: $.metrics.shard.index",
            f"is {index} of {count} shards",
            f"0 to {count - 1}" if count else "at least one shard",
            kind="shard_index",
        )
    if params.get("shard", f"{index}/{count}") != f"{index}/{count}":
        problems.add(
            f"{where}: $.params.shard",
            f"is {as_written(params['shard'])}",
            f"{index}/{count}, as in metrics",
            kind="shard_index",
        )
    return index, count
