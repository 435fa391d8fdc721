"""The files of a debate benchmark as they may be shown: what the numbers are made of, without the texts of golds.

Planted issues and true verdicts are the golds of this suite. They keep their identity and lose their text: an issue and
a verdict become numbered names, equal where the texts were equal. What no number is made of (prompts, claims,
transcripts, notes) is left out. Rubrics stay as they are: results name them by their digest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import msgspec

from evalreport.core.privacy import Privacy, pseudonyms
from evalreport.formats import inputs
from evalreport.formats.strict_json import loads_exact
from evalreport.suites.debate.judging import folded
from evalreport.suites.debate.read_runs import holds_runs
from evalreport.suites.debate.records import DebateRecords

_ROW = (
    *("case_id", "system", "condition", "experiment", "run", "run_id", "rubric_sha256", "passes", "pass_fail"),
    *("scores", "judgments"),
)
_CASE = ("case_id", "category", "difficulty", "planted_issues", "ideal_debate_resolution", "ground_truth")
_JUDGED = ("issues", "claims", "defense", "resolution", "test", "verdict")
_RUBRIC = ("scoring_dimensions", "score_thresholds")
Json = object


def public(paths: Sequence[Path], records: DebateRecords, privacy: Privacy, folder: Path) -> Mapping[str, str]:
    """Write the files that `records` were read from into a folder, as the policy lets them be shown.

    Returns the path of each original by the path of the file that stands for it.
    """
    read = {file.path for file in records.inputs}
    files = [(file.path, inputs.read(file)[0]) for file in inputs.find(paths).files if file.path in read]
    values = {path: loads_exact(data, path) for path, data in files}
    names = _Names(
        pseudonyms((text for value in values.values() for text in _issues(value)), kind="issue"),
        pseudonyms((folded(text) for value in values.values() for text in _verdicts(value)), kind="verdict"),
        shows_golds=privacy.golds == "shown",
    )
    of: dict[str, str] = {}
    for path, data in files:
        value = values[path]
        is_rubric = isinstance(value, dict) and any(key in value for key in _RUBRIC)
        as_it_is = is_rubric or (privacy.golds == "shown" and privacy.justifications == "shown")
        place = path.removesuffix(".gz")
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_bytes(data if as_it_is else _bytes(names.file(value)))
        of[place] = path
    return of


@dataclass(frozen=True)
class _Names:
    """What stands for the texts of golds."""

    issues: Mapping[str, str]
    verdicts: Mapping[str, str]
    shows_golds: bool

    def file(self, value: Json) -> Json:
        """A case file, a list of rows, or a report."""
        if isinstance(value, list):
            return [self._member(item) for item in value]
        if not isinstance(value, dict):
            return value
        lists = {key: self.file(value[key]) for key in ("cases", "results") if isinstance(value.get(key), list)}
        return {**_kept(value, ("rubric_sha256",)), **lists}

    def _member(self, item: Json) -> Json:
        if not isinstance(item, dict):
            return item
        if {"scores", "judgments"} & item.keys():
            return self._row(item)
        systems = {
            key: {"runs": [self._row(run) for run in member["runs"]]}
            for key, member in item.items()
            if isinstance(member, dict) and holds_runs(member)
        }
        return {**self._case(item), **systems}

    def _case(self, item: Mapping[str, Json]) -> dict[str, Json]:
        kept = _kept(item, _CASE)
        if isinstance(kept.get("planted_issues"), list):
            kept["planted_issues"] = [
                {"issue_id": self._issue(str(issue["issue_id"]))} for issue in _dicts(kept["planted_issues"])
            ]
        ideal, truth = kept.get("ideal_debate_resolution"), kept.get("ground_truth")
        if isinstance(ideal, dict):
            kept["ideal_debate_resolution"] = _kept(ideal, ("type",))
        if isinstance(truth, dict):
            kept["ground_truth"] = {key: self._verdict(v) for key, v in truth.items() if key == "final_verdict"}
        return kept

    def _row(self, row: Json) -> Json:
        if not isinstance(row, dict):
            return row
        kept = _kept(row, _ROW)
        judged = kept.get("judgments")
        if isinstance(judged, dict):
            own = _kept(judged, _JUDGED)
            issues = own.get("issues")
            if isinstance(issues, dict):
                own["issues"] = {self._issue(name): credit for name, credit in issues.items()}
            if isinstance(own.get("claims"), list):
                own["claims"] = [_kept(claim, ("valid",)) for claim in _dicts(own["claims"])]
            own["verdict"] = self._verdict(own.get("verdict"))
            kept["judgments"] = own
        return kept

    def _issue(self, name: str) -> str:
        return name if self.shows_golds else self.issues.get(name, name)

    def _verdict(self, said: Json) -> Json:
        return said if self.shows_golds or not isinstance(said, str) else self.verdicts[folded(said)]


def _kept(item: Mapping[str, Json], keys: Iterable[str]) -> dict[str, Json]:
    return {key: item[key] for key in keys if key in item}


def _dicts(value: Json) -> Iterator[dict[str, Json]]:
    yield from (item for item in (value if isinstance(value, list) else ()) if isinstance(item, dict))


def _issues(value: Json) -> Iterator[str]:
    """The id of every planted issue below a value."""
    for item in _walk(value):
        yield from (str(issue["issue_id"]) for issue in _dicts(item.get("planted_issues")) if "issue_id" in issue)


def _verdicts(value: Json) -> Iterator[str]:
    """Every true and every judged verdict below a value."""
    for item in _walk(value):
        yield from (v for key in ("final_verdict", "verdict") if isinstance(v := item.get(key), str))


def _walk(value: Json) -> Iterator[dict[str, Json]]:
    if isinstance(value, dict):
        yield value
    for member in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _walk(member)


def _bytes(value: Json) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value, enc_hook=_exact), indent=1) + b"\n"


def _exact(value: object) -> msgspec.Raw:
    """A decimal as JSON without loss: whole digits and a power of ten."""
    if not isinstance(value, Fraction):
        raise TypeError(type(value))
    tens = 0
    while (10**tens) % value.denominator:
        tens += 1
    return msgspec.Raw(f"{value.numerator * 10**tens // value.denominator}e-{tens}".encode())
