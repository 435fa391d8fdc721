"""Reading a corpus: records of any version, cards, the mapping file, told by their content; every problem at once."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from sys import intern

from evalreport.core.suite import NOTHING_OF_ITS_OWN, InputFile, Settings
from evalreport.errors import EvalreportError, Problem, Problems
from evalreport.formats import benchmark_cards, eee, inputs
from evalreport.formats.benchmark_cards import Card
from evalreport.formats.eee import EeeRecord, EeeResult
from evalreport.suites.signals.catalogue import completeness_fields
from evalreport.suites.signals.mapping import is_mapping, normalised, read_mapping
from evalreport.suites.signals.matching import check_names, matched
from evalreport.suites.signals.populated import populated, populated_literally, shown
from evalreport.suites.signals.records import (
    ARROW,
    Benchmark,
    Conventions,
    Filled,
    NoScore,
    Report,
    SignalsRecords,
    Source,
    Triple,
)
from evalreport.suites.signals.scale import metric_name
from evalreport.suites.signals.setup import Setups, found_fields, split_of

JSON = (".json", ".jsonl", ".json.gz", ".jsonl.gz")
YAML = (".yml", ".yaml")
Key = tuple[str, str, str]  # model, metric path without regard to spelling, metric

_UNSETTLED = Triple("", "", "", "", "")  # what a report is of, until all spellings are known


@dataclass
class _Corpus:
    """What has been read so far; names are settled when everything is."""

    setups: Setups = field(default_factory=Setups)
    reports: dict[Key, list[Report]] = field(default_factory=lambda: defaultdict(list))
    names: dict[Key, tuple[str, str, str, str]] = field(default_factory=dict)
    sources: dict[Source, Source] = field(default_factory=dict)
    benchmarks: dict[str, str] = field(default_factory=dict)
    metrics: set[str] = field(default_factory=set)
    filled: dict[str, dict[str, Filled]] = field(default_factory=lambda: defaultdict(dict))
    of_benchmark: Counter[str] = field(default_factory=Counter)
    versions: Counter[str] = field(default_factory=Counter)
    no_score: list[NoScore] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    mappings: list[tuple[str, Conventions]] = field(default_factory=list)

    def take(self, record: EeeRecord) -> None:
        """Add the results of a record."""
        self.versions[record.version] += 1
        source = Source(record.source_name, record.organisation, record.relationship, populated(record.organisation))
        source = self.sources.setdefault(source, source)
        found = {result.dataset_name or result.evaluation_name for result in record.results}
        for key, name in sorted((normalised(name), name) for name in found):
            self.benchmarks[key] = min(name, self.benchmarks.get(key, name))
            self._fill(key, record)
        self.of_benchmark.update({normalised(name) for name in found})
        for result in record.results:
            self._report(record, result, source)

    def _fill(self, benchmark: str, record: EeeRecord) -> None:
        filled = self.filled[benchmark]
        for name, parts in _record_fields():
            path = f"{record.base}.{name}"
            known = filled.get(name)
            if known is not None and known.real and (known.file, known.path) <= (record.where, path):
                continue
            value: object = record.body
            for part in parts:
                value = eee.members(value).get(part)
            if populated_literally(value):
                _better(filled, name, Filled(record.where, path, shown(value), populated(value)))

    def _report(self, record: EeeRecord, result: EeeResult, source: Source) -> None:
        metric = metric_name(result)
        self.metrics.add(metric)
        if result.score is None:
            self.no_score.append(NoScore(record.where, f"{result.path}.score_details.score", result.no_score))
            return
        found = found_fields(record, result)
        split = split_of(result, found)
        canonical = result.dataset_name or result.evaluation_name
        levels = (record.suite, canonical, result.evaluation_name)
        once = [
            level for at, level in enumerate(levels) if level and normalised(level) not in _normal(levels[at + 1 :])
        ]
        path, split = ARROW.join(map(_one_level, once)), _one_level(split)
        key = record.model, ARROW.join(map(normalised, (*once, split) if split else once)), metric
        shown_as = path, split, canonical, metric
        self.names[key] = min(shown_as, self.names.get(key, shown_as))
        setup = self.setups.of(record, found)
        ends, where = (result.low, result.high), intern(record.where)
        self.reports[key].append(
            Report(_UNSETTLED, source, setup, result.score, *ends, where, record.base, result.index)
        )


def read(paths: Sequence[Path], settings: Settings) -> SignalsRecords:
    """Everything below the paths that belongs to a corpus of evaluation records.

    Raises one `EvalreportError` with all problems. Files that are neither records, cards nor a mapping are ignored.
    """
    problems = Problems()
    corpus = _Corpus()
    mapping = settings.text("mapping")
    more = [Path(text) for text in (*settings.texts("cards"), *((mapping,) if mapping else ()))]
    found = inputs.find([*paths, *more])
    read_files, ignored = [], list(found.ignored)
    for source in found.files:
        try:
            data, file = inputs.read(source)
            asked = mapping is not None and f"{source.root}/{source.name}" == os.path.realpath(mapping)
            taken = _taken(data, source.path, corpus, asked=asked)
        except EvalreportError as error:
            problems.extend(error.problems)
            continue
        if taken:
            read_files.append(file)
        else:
            ignored.append(source.path)
    if not corpus.versions and not problems:
        problems.add("input", "holds no evaluation records", "Every Eval Ever records in JSON", kind=NOTHING_OF_ITS_OWN)
    if len(corpus.mappings) > 1:
        for path, _ in corpus.mappings:
            problems.add(path, "is one of several mapping files", "one mapping file", kind="mapping")
    problems.check()
    return _settled(corpus, read_files, ignored)


def _taken(data: bytes, path: str, corpus: _Corpus, *, asked: bool) -> bool:
    """Whether a file belongs to the corpus; what it holds is added."""
    if asked or (path.endswith(YAML) and is_mapping(data)):
        corpus.mappings.append((path, read_mapping(data, path)))
        return True
    if not path.endswith(JSON):
        return False
    problems = Problems()
    strangers, records = [], 0
    for where, base, value, faults in eee.values(data, path):
        try:
            if eee.is_record(value):
                records += 1
                corpus.take(eee.record(where, base, value, faults))
            elif benchmark_cards.is_card(value):
                records += 1
                corpus.cards.append(benchmark_cards.card(where, value))
            else:
                strangers.append(Problem(where, f"{base} is no evaluation record", "a record", "record"))
        except EvalreportError as error:
            problems.extend(error.problems)
    if records:
        problems.extend(strangers)
    problems.check()
    return records > 0


def _settled(corpus: _Corpus, files: Iterable[InputFile], ignored: Iterable[str]) -> SignalsRecords:
    conventions = corpus.mappings[0][1] if corpus.mappings else Conventions()
    problems = Problems()
    check_names(corpus.benchmarks, corpus.metrics, conventions, problems)
    cards, unmatched = matched(corpus.benchmarks, corpus.cards, conventions, problems)
    problems.check()
    benchmarks = {}
    for key, name in sorted(corpus.benchmarks.items(), key=lambda item: item[1]):
        filled = dict(corpus.filled[key])
        card = cards.get(key)
        for part, value in (*_of_card(card).items(), *conventions.evalcards.get(key, {}).items()):
            _better(filled, part, value)
        benchmarks[name] = Benchmark(name, card, filled, corpus.of_benchmark[key])
    reports: list[Report] = []
    for same in sorted(corpus.reports, key=lambda one: (one[0], corpus.names[one])):
        path, split, canonical, metric = corpus.names[same]
        triple = Triple(same[0], path, split, metric, corpus.benchmarks[normalised(canonical)])
        found = [replace(report, triple=triple) for report in corpus.reports.pop(same)]
        reports += sorted(found, key=lambda report: report.place)
    return SignalsRecords(
        tuple(reports),
        benchmarks,
        dict(sorted(corpus.versions.items())),
        tuple(sorted(corpus.no_score)),
        tuple(unmatched),
        dict(sorted(conventions.thresholds.items())),
        tuple(sorted(files)),
        tuple(sorted(ignored)),
    )


@cache
def _record_fields() -> tuple[tuple[str, tuple[str, ...]], ...]:
    fields = (wanted.name for wanted in completeness_fields().fields if wanted.source == "record")
    return tuple((name, tuple(name.split("."))) for name in fields)


def _of_card(card: Card | None) -> Mapping[str, Filled]:
    if card is None:
        return {}
    found = {}
    for wanted in completeness_fields().fields:
        for part in wanted.parts if wanted.source == "card" else ():
            value = card.at(part)
            if populated_literally(value):
                found[part] = Filled(card.path, f"{card.base}.{part}", shown(value), populated(value))
    return found


def _better(filled: dict[str, Filled], name: str, value: Filled) -> None:
    known = filled.get(name)
    if known is None or (not value.real, value.file, value.path) < (not known.real, known.file, known.path):
        filled[name] = value


def _one_level(name: str) -> str:
    return name.replace(ARROW.strip(), "->")


def _normal(names: Iterable[str]) -> set[str]:
    return {normalised(name) for name in names if name}
