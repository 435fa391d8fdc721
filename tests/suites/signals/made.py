"""Small corpora on disk, and the settings to read them with."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from evalreport.core.suite import Settings, SettingValue
from evalreport.suites.signals import SUITE
from evalreport.suites.signals.catalogue import completeness_fields
from evalreport.suites.signals.results import BenchmarkResult, SignalsResults, TripleResult

Json = dict[str, object]
UNIT: Json = {"min_score": 0, "max_score": 1}


def settings(**chosen: SettingValue) -> Settings:
    """The settings of the suite, and those that are chosen."""
    return Settings({**{s.name: s.default for s in SUITE.settings}, **chosen})


def result(score: object = 0.5, **more: object) -> Json:
    """One result of the benchmark Trivia on the scale from 0 to 1; `args` and `details` are its configuration."""
    config = {
        name: more.pop(key)
        for key, name in (("args", "generation_args"), ("details", "additional_details"))
        if key in more
    }
    return {
        "evaluation_name": "Trivia",
        "source_data": {"dataset_name": "Trivia", "source_type": "other"},
        "metric_config": {"metric_id": "accuracy", **UNIT},
        "score_details": {"score": score},
        **({"generation_config": config} if config else {}),
        **more,
    }


def record(*results: Json, version: str = "0.3.0", by: str = "third_party", **more: object) -> Json:
    """One record of those results, with the source that all records of this module share."""
    return {
        "schema_version": version,
        "evaluation_id": "trivia/m-1/1",
        "source_metadata": {
            "source_name": "list",
            "source_type": "documentation",
            "source_organization_name": "Lab",
            "evaluator_relationship": by,
        },
        "model_info": {"id": "m-1"},
        "evaluation_results": list(results or [result()]),
        **more,
    }


def full_card(name: str = "Trivia", **changes: object) -> Json:
    """A card in which every field is filled; `changes` replace the values of fields by their dotted names."""
    sections: dict[str, Json] = {}
    for field in completeness_fields().fields:
        for part in field.parts if field.source == "card" else ():
            section, _, key = part.partition(".")
            sections.setdefault(section, {})[key] = f"what {key} says"
    sections["benchmark_details"]["name"] = name
    for part, value in changes.items():
        section, _, key = part.partition("__")
        sections[section][key] = value
    return {"benchmark_card": dict(sections)}


def write(folder: Path, contents: Sequence[Json] | Mapping[str, Json]) -> Path:
    """Each content as a JSON file below the folder, named by its number or as given."""
    named = contents if isinstance(contents, Mapping) else {f"{n:03}.json": c for n, c in enumerate(contents)}
    for name, content in named.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), "utf-8")
    return folder


def computed(folder: Path, *more: Path, **chosen: SettingValue) -> SignalsResults:
    """What the suite makes of a folder."""
    given = settings(**chosen)
    return SUITE.compute(SUITE.read([folder, *more], given), given)


def of(folder: Path, *contents: Json, **chosen: SettingValue) -> SignalsResults:
    """What the suite makes of these records and cards."""
    return computed(write(folder, contents), **chosen)


def only(results: SignalsResults) -> TripleResult:
    """The one triple of a corpus."""
    assert len(results.triples) == 1, [triple.triple for triple in results.triples]
    return results.triples[0]


def benchmark(results: SignalsResults, name: str = "Trivia") -> BenchmarkResult:
    """The completeness of a benchmark."""
    return next(one for one in results.benchmarks if one.benchmark.name == name)


def rate(results: SignalsResults, key: str) -> object:
    """A figure of the corpus."""
    return next(one.value for one in results.rates if one.metric == key)


def table(results: SignalsResults, name: str) -> list[dict[str, str]]:
    """A CSV table as rows by column."""
    found = next(t for t in SUITE.tables(results) if t.name == name)
    return [dict(zip(found.header, row, strict=True)) for row in found.rows]


HALF = Fraction(1, 2)
