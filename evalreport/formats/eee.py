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
from evalreport.errors import EvalreportError, Problem, Problems
from evalreport.formats.strict_json import lines, loads_foreign

Relationship = Literal["first_party", "third_party", "collaborative", "other", "unstated"]
RELATIONSHIPS: tuple[Relationship, ...] = ("first_party", "third_party", "collaborative", "other")
End = Fraction | Literal["Infinity", "-Infinity"] | None

DESCRIPTION = "Every Eval Ever records, schema versions 0.0.1 to 0.3.0: .json and .jsonl"

_VERSION = re.compile(r"0\.[0-3]\.[0-9]{1,3}")
_INFINITE: Mapping[str, Literal["Infinity", "-Infinity"]] = {
    "infinity": "Infinity",
    "+infinity": "Infinity",
    "inf": "Infinity",
    "-infinity": "-Infinity",
    "-inf": "-Infinity",
}
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
    """Whether a JSON value is an aggregate record (and not, say, a file of single items).

    >>> is_record({"schema_version": "0.2.0", "model_info": {}, "evaluation_results": []}), is_record({"sample_id": 1})
    (True, False)
    """
    return isinstance(value, dict) and {"schema_version", "model_info", "evaluation_results"} <= value.keys()


def values(data: bytes, path: str) -> Iterator[tuple[str, str, object, frozenset[str]]]:
    """The JSON values of a file that may be records: where each stands, its JSON path, the paths in it without value.

    A JSON Lines file whose first line is no record is given up after it. Raises `EvalreportError` for broken JSON.
    """
    if not path.removesuffix(".gz").endswith(".jsonl"):
        value, missing = loads_foreign(data, path)
        nothing = frozenset(where for where, _ in missing)
        for index, item in enumerate(value) if isinstance(value, list) else ():
            yield path, f"$[{index}]", item, nothing
        if not isinstance(value, list):
            yield path, "$", value, nothing
        return
    problems = Problems()
    for number, line in lines(data):
        where = f"{path}: line {number}"
        try:
            value, missing = loads_foreign(line, where)
        except EvalreportError as error:
            problems.extend(error.problems)
            continue
        yield where, "$", value, frozenset(place for place, _ in missing)
        if number == 1 and not is_record(value):
            return
    problems.check()


def record(where: str, base: str, value: object, missing: frozenset[str] = frozenset()) -> EeeRecord:
    """A record as the value of a JSON text. Raises `EvalreportError` with everything that makes it unusable.

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
    if not _VERSION.fullmatch(version):
        _refuse(problems, where, f"{base}.schema_version", body.get("schema_version"), "a version from 0.0.1 to 0.3.0")
    model = text(members(body.get("model_info")).get("id")) or text(members(body.get("model_info")).get("name"))
    if not model:
        _refuse(problems, where, f"{base}.model_info.id", None, "the id of a model")
    found = body.get("evaluation_results")
    if not isinstance(found, list):
        _refuse(problems, where, f"{base}.evaluation_results", found, "a list of results")
        found = []
    results = []
    for index, item in enumerate(found):
        path = f"{base}.evaluation_results[{index}]"
        if not isinstance(item, dict):
            _refuse(problems, where, path, item, "an object")
            continue
        one = _result(path, index, item, members(body.get("source_data")), missing)
        if not one.evaluation_name and not one.dataset_name:
            _refuse(problems, where, f"{path}.evaluation_name", item.get("evaluation_name"), "what was evaluated")
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
    path: str, index: int, body: Mapping[str, object], of_record: Mapping[str, object], missing: frozenset[str]
) -> EeeResult:
    config, outcome = members(body.get("metric_config")), members(body.get("score_details"))
    source = members(body.get("source_data")) or of_record
    detail = members(outcome.get("details"))
    score, no_score = _score(config, outcome.get("score"), f"{path}.score_details.score" in missing)
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
        _end(config.get("min_score"), f"{path}.metric_config.min_score" in missing, "-Infinity"),
        _end(config.get("max_score"), f"{path}.metric_config.max_score" in missing, "Infinity"),
        score,
        no_score,
        body,
    )


def _score(config: Mapping[str, object], score: object, not_finite: bool) -> tuple[Fraction | None, str]:
    if not_finite:
        return None, "the score is no finite number"
    if isinstance(score, bool) or not isinstance(score, (int, Fraction)):
        return None, "no score" if score is None else f"the score is {score!r}, not a number"
    if config.get("has_unknown_level") is True and score == _UNKNOWN_LEVEL:
        return None, "the score is the level called unknown"
    return Fraction(score), ""


def _end(value: object, not_finite: bool, infinite: Literal["Infinity", "-Infinity"]) -> End:
    if not_finite:
        return infinite
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


def _refuse(problems: Problems, where: str, path: str, value: object, expected: str) -> None:
    what = "is missing" if value is None else f"is {value!r}"
    problems.extend([Problem(where, f"{path} {what}", expected, "record")])
