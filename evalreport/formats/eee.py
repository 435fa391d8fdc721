"""Every Eval Ever: aggregate records of evaluations, schema versions 0.0.1 to 0.3.0.

A record says who ran which model on what, and holds one result or many. The versions keep the same things in different
places; what a record says in a place its own version does not define is read all the same. A file holds one record, a
list of records, or (JSON Lines) one record a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from evalreport.core.exact import fixed, parse_decimal, ratio
from evalreport.errors import EvalreportError, Problems
from evalreport.formats.json_values import as_written
from evalreport.formats.strict_json import lines, loads_foreign

Relationship = Literal["first_party", "third_party", "collaborative", "other", "unstated"]
RELATIONSHIPS: tuple[Relationship, ...] = ("first_party", "third_party", "collaborative", "other")
End = Fraction | Literal["Infinity", "-Infinity"] | None

DESCRIPTION = "Every Eval Ever records, schema versions 0.0.1 to 0.3.0: .json and .jsonl"

_VERSION = re.compile(r"(0|[1-9][0-9]?)\.(0|[1-9][0-9]?)\.(0|[1-9][0-9]?)")
_FIRST, _LAST = (0, 0, 1), (0, 3, 0)
_MARKS = frozenset({"schema_version", "model_info", "evaluation_results"})
_NOTHING: Mapping[str, str] = {}
_INFINITE: Mapping[str, Literal["Infinity", "-Infinity"]] = {
    "infinity": "Infinity",
    "+infinity": "Infinity",
    "inf": "Infinity",
    "-infinity": "-Infinity",
    "-inf": "-Infinity",
}
_BARE: Mapping[str, Literal["Infinity", "-Infinity"]] = {"Infinity": "Infinity", "-Infinity": "-Infinity"}
_UNKNOWN_LEVEL = -1
_PAIR = re.compile(r"([A-Za-z_][\w.-]*)\s*=\s*(\"[^\"]*\"|'[^']*'|\[[^\]]*\]|[^\s,;]+)")


@dataclass(frozen=True, slots=True)
class EeeResult:
    """One result of a record: what was measured, on what, with which outcome.

    `metric` is the stable id of the metric, else its name, else its description; `parameters` are told apart from it.
    `low` and `high` are the ends of its scale as stated: infinite, or None when none is stated. `score` is None when
    the result has none, and `no_score` then says why. `path` is its JSON path.
    """

    path: str
    index: int
    evaluation_name: str
    dataset_name: str
    hf_split: str
    detail_split: str
    perturbation: str
    metric: str
    parameters: tuple[tuple[str, str], ...]
    unit: str
    low: End
    high: End
    score: Fraction | None
    no_score: str
    body: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class EeeRecord:
    """One record. `where` is the file, with the line of a JSON Lines file; `base` the JSON path of the record in it.

    `suite` is the first part of the evaluation id, which names what the evaluation belongs to ("" when the id has but
    one part). `source_name` is the publication or leaderboard, `organisation` who stands behind it, as written.
    """

    where: str
    base: str
    version: str
    evaluation_id: str
    suite: str
    model: str
    source_name: str
    organisation: str
    relationship: Relationship
    body: Mapping[str, object]
    results: tuple[EeeResult, ...]


def is_record(value: object) -> bool:
    """Whether a JSON value is an aggregate record, or one of which a part is missing, and not a single item.

    >>> is_record({"schema_version": "0.2.0", "model_info": {}, "evaluation_results": []}), is_record({"sample_id": 1})
    (True, False)
    >>> is_record({"schema_version": "0.2.0", "evaluation_results": []})
    True
    """
    return isinstance(value, dict) and len(_MARKS & value.keys()) >= len(_MARKS) - 1


def values(data: bytes, path: str) -> Iterator[tuple[str, str, object, Mapping[str, str]]]:
    """The JSON values of a file that may be records: where each stands, its JSON path, faults in the file by JSON path.

    The faults are those that JSON does not allow and `loads_foreign` does. A JSON Lines file of single items is given
    up after its first line. Raises `EvalreportError` for broken JSON.
    """
    if not path.removesuffix(".gz").endswith(".jsonl"):
        value, faults = loads_foreign(data, path)
        for index, item in enumerate(value) if isinstance(value, list) else ():
            yield path, f"$[{index}]", item, dict(faults)
        if not isinstance(value, list):
            yield path, "$", value, dict(faults)
        return
    problems = Problems()
    of_items = b'"evaluation_results"' not in data
    for number, line in lines(data):
        where = f"{path}: line {number}"
        try:
            value, faults = loads_foreign(line, where)
        except EvalreportError as error:
            problems.extend(error.problems)
            continue
        yield where, "$", value, dict(faults)
        if of_items and not is_record(value):
            return
    problems.check()


def record(where: str, base: str, value: object, faults: Mapping[str, str] = _NOTHING) -> EeeRecord:
    """A record as the value of a JSON text, with what JSON does not allow in it.

    Raises `EvalreportError` with everything that makes it unusable.

    >>> one = record("r.json", "$", {
    ...     "schema_version": "0.2.0", "evaluation_id": "trivia/m-1/17", "model_info": {"id": "m-1"},
    ...     "source_metadata": {"evaluator_relationship": "third_party"},
    ...     "evaluation_results": [{"evaluation_name": "Trivia", "metric_config": {"min_score": 0, "max_score": 1},
    ...                             "score_details": {"score": Fraction(1, 2)}}]})
    >>> one.suite, one.relationship, one.results[0].metric, one.results[0].high, one.results[0].score
    ('trivia', 'third_party', 'score', Fraction(1, 1), Fraction(1, 2))
    """
    problems = Problems()
    body = members(value)
    version = text(body.get("schema_version"))
    if not _is_read(version):
        _refuse(problems, where, base, body, "schema_version", "a version from 0.0.1 to 0.3.0")
    about = members(body.get("model_info"))
    model = text(about.get("id")) or text(about.get("name"))
    if not model:
        _refuse(problems, where, f"{base}.model_info", about, "id", "the id of a model")
    found = body.get("evaluation_results")
    if not isinstance(found, list):
        _refuse(problems, where, base, body, "evaluation_results", "a list of results")
        found = []
    results = []
    for index, item in enumerate(found):
        path = f"{base}.evaluation_results[{index}]"
        if not isinstance(item, dict):
            problems.add(where, f"{path} is {as_written(item)}", "an object", kind="record")
            continue
        one = _result(path, index, item, members(body.get("source_data")), faults)
        if not one.evaluation_name and not one.dataset_name:
            _refuse(problems, where, path, item, "evaluation_name", "what was evaluated")
        results.append(one)
    problems.check()
    source = members(body.get("source_metadata"))
    evaluation_id = text(body.get("evaluation_id"))
    return EeeRecord(
        where,
        base,
        version,
        evaluation_id,
        evaluation_id.partition("/")[0].strip() if "/" in evaluation_id else "",
        model,
        text(source.get("source_name")) or text(members(body.get("evaluation_source")).get("evaluation_source_name")),
        text(source.get("source_organization_name")),
        next((r for r in RELATIONSHIPS if r == source.get("evaluator_relationship")), "unstated"),
        body,
        tuple(results),
    )


def details(value: object) -> Iterator[tuple[str, str, object]]:
    """What additional details say, whatever their form: (path below them, name, value).

    They may be an object, a list, a text, JSON in a text, or `key=value` pairs; nothing of it is an error.

    >>> list(details({"n": "3", "run": '{"t": 0.5}'}))
    [('.n', 'n', '3'), ('.run', 'run', '{"t": 0.5}'), ('.run (JSON).t', 't', Fraction(1, 2))]
    >>> list(details("temperature=0.5, top_p=1")), list(details(["epochs=4"])), list(details(7))
    ([('', 'temperature', '0.5'), ('', 'top_p', '1')], [('[0]', 'epochs', '4')], [])
    """
    if isinstance(value, dict):
        for name, item in value.items():
            yield f".{name}", name, item
            inner = _json_in(item)
            for key, deeper in inner.items():
                yield f".{name} (JSON).{key}", key, deeper
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from ((f"[{index}]{path}", name, found) for path, name, found in details(item))
    elif isinstance(value, str):
        inner = _json_in(value)
        for key, deeper in inner.items():
            yield f" (JSON).{key}", key, deeper
        if not inner:
            yield from (("", name, found.strip("\"'")) for name, found in _PAIR.findall(value))


def members(value: object) -> Mapping[str, object]:
    """The members of an object; none of anything else."""
    return value if isinstance(value, dict) else {}


def text(value: object) -> str:
    """A text without outer blanks; "" for anything else."""
    return value.strip() if isinstance(value, str) else ""


def decimal_text(value: Fraction) -> str:
    """A number read from decimal text as the shortest decimal text.

    >>> decimal_text(Fraction(2, 1)), decimal_text(Fraction(-1, 8))
    ('2', '-0.125')
    """
    twos = fives = 0
    rest = value.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    return fixed(value, max(twos, fives)) if rest == 1 else ratio(value)


def _json_in(value: object) -> Mapping[str, object]:
    if not isinstance(value, str) or not value.lstrip().startswith("{"):
        return {}
    try:
        return members(loads_foreign(value.encode("utf-8", "surrogatepass"))[0])
    except EvalreportError:
        return {}


def _result(
    path: str, index: int, body: Mapping[str, object], of_record: Mapping[str, object], faults: Mapping[str, str]
) -> EeeResult:
    config, outcome = members(body.get("metric_config")), members(body.get("score_details"))
    source = members(body.get("source_data")) or of_record
    detail = members(outcome.get("details"))
    score, no_score = _score(config, outcome.get("score"), faults.get(f"{path}.score_details.score", ""))
    names = (config.get(key) for key in ("metric_id", "metric_name", "evaluation_description"))
    parameters = members(config.get("metric_parameters"))
    return EeeResult(
        path,
        index,
        text(body.get("evaluation_name")),
        text(source.get("dataset_name")),
        text(source.get("hf_split")),
        text(detail.get("split")),
        text(detail.get("perturbation")) or text(members(detail.get("perturbation")).get("name")),
        next(filter(None, map(text, names)), "score"),
        tuple(sorted((name, _plain(item)) for name, item in parameters.items())),
        text(config.get("metric_unit")),
        _end(config.get("min_score"), faults.get(f"{path}.metric_config.min_score", "")),
        _end(config.get("max_score"), faults.get(f"{path}.metric_config.max_score", "")),
        score,
        no_score,
        body,
    )


def _score(config: Mapping[str, object], score: object, fault: str) -> tuple[Fraction | None, str]:
    if score is None:
        return None, f"the score {fault}" if fault else "no score"
    if isinstance(score, bool) or not isinstance(score, (int, Fraction)):
        return None, f"the score is {as_written(score)}, not a number"
    if config.get("has_unknown_level") is True and score == _UNKNOWN_LEVEL:
        return None, "the score is the level called unknown"
    return Fraction(score), ""


def _end(value: object, fault: str) -> End:
    if value is None:
        # A bare Infinity is none of JSON's numbers, but says how long the scale is; a bare NaN says nothing.
        return next((end for word, end in _BARE.items() if fault.startswith(f"is {word},")), None)
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return Fraction(value)
    if isinstance(value, str):
        if value.strip().lower() in _INFINITE:
            return _INFINITE[value.strip().lower()]
        try:
            return parse_decimal(value.strip())
        except ValueError:
            return None
    return None


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Fraction):
        return decimal_text(value)
    return value if isinstance(value, str) else repr(value)


def _is_read(version: str) -> bool:
    found = _VERSION.fullmatch(version)
    return found is not None and _FIRST <= tuple(map(int, found.groups())) <= _LAST


def _refuse(problems: Problems, where: str, path: str, body: Mapping[str, object], key: str, expected: str) -> None:
    what = f"is {as_written(body[key])}" if key in body else "is missing"
    problems.add(where, f"{path}.{key} {what}", expected, kind="record")
