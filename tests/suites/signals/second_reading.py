"""The declared formulas over raw records, with getters of their own: nothing here uses what the suite reads.

Only the formulas are shared. Files are read with the json module; names, places and rules are written out again from
the definitions; results are grouped by keys of their own.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import yaml

from evalreport.core.formula import Evaluation
from evalreport.suites.signals import SUITE

ITEMS: Mapping[str, tuple[str, ...]] = {
    "decoding": ("temperature", "temperature_raw", "top_p", "top_k"),
    "reasoning_budget": ("reasoning", "reasoning_effort", "effort", "reasoning_tokens"),
    "output_length": ("max_tokens", "token_limit", "message_limit", "max_messages"),
    "harness": (
        *("eval_library.name", "harness", "framework", "lm_eval_task", "scaffold", "eval_plan", "agentic_eval_config"),
    ),
    "harness_version": ("eval_library.version", "eval_library_version", "harness_version", "lm_eval_task"),
    "context_handling": ("compaction", "context_management", "truncation"),
    "test_set": ("split", "eval_split", "subset", "n_tasks", "n_samples", "sample_size"),
    "attempts": ("attempts", "max_attempts", "epochs", "num_runs", "repeats", "samples", "n_trajectories"),
}
OTHERS = {
    *("scoring_mode", "output_type", "agent_plan", "agent_config", "agent_name", "agent_scaffold", "available_tools"),
    *("few_shot", "incorrect_attempt_feedback", "instructions", "n_shot", "num_fewshot", "prompt_template", "sandbox"),
    *("stop_sequences", "time_limit", "tool_choice", "tools", "use_chain_of_thought", "verbosity"),
}
NAMES = {name for names in ITEMS.values() for name in names} | OTHERS
WORDS = {"eval_library.name", "eval_library.version", "eval_library_version", "harness_version"} | {
    *("split", "eval_split", "subset")
}
CARD = {
    "benchmark_details": "name overview data_type domains languages similar_benchmarks resources",
    "purpose_and_intended_users": "goal audience tasks limitations out_of_scope_uses",
    "methodology": "methods metrics calculation interpretation baseline_results validation",
    "ethical_and_legal_considerations": (
        "privacy_and_anonymity data_licensing consent_procedures compliance_with_regulations"
    ),
}
CARD_FIELDS = [f"{section}.{name}" for section, names in CARD.items() for name in names.split()]
DATA = ["data.annotation", "data.format", "data.size", "data.source"]
RECORD_FIELDS = [f"source_metadata.{n}" for n in ("source_type", "source_organization_name", "evaluator_relationship")]
RESERVED = ["lifecycle_status", "preregistration_url"]
FIELDS = [*CARD_FIELDS, "data", *RECORD_FIELDS, *RESERVED]
EMPTY = {"", "not specified", "unknown", "n/a", "tbd", "no information found"}
PARTIES = {"first_party", "third_party", "collaborative", "other"}


def said(value: Any) -> bool:
    if isinstance(value, str):
        return re.sub(r"\s+", " ", value).strip().lower().rstrip(".").strip() not in EMPTY
    if isinstance(value, (list, dict)):
        return any(map(said, value.values() if isinstance(value, dict) else value))
    return value is not None


def anything(value: Any) -> bool:
    return bool(value.strip()) if isinstance(value, str) else value is not None and value not in ([], {})


def letters(name: str) -> str:
    apart = re.sub(r"(?<=\d)[^\w+<>=]+(?=\d)|(?<=\d)_+(?=\d)", "\0", name.lower())
    return re.sub(r"[^\w+<>=\0]+|_+", "", apart) or " ".join(name.split())


@dataclass(eq=False)
class Raw:
    """One result of one record, both as they stand in the file."""

    file: str
    line: int
    index: int
    record: Any
    result: Any
    found: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, value in self._places():
            if name in NAMES and said(value) and name not in self.found:
                self.found[name] = value

    def _places(self) -> Iterator[tuple[str, Any]]:
        library = _object(self.record.get("eval_library"))
        yield "eval_library.name", library.get("name")
        yield "eval_library.version", library.get("version")
        config = _object(self.result.get("generation_config"))
        args = _object(config.get("generation_args"))
        for name, value in args.items():
            if not (name == "max_attempts" and value in (1, "1")):
                yield name, value
        yield from _object(args.get("eval_limits")).items()
        yield from config.items()
        yield from _details(config.get("additional_details"))
        for source in (_object(self.result.get("source_data")), _object(self.record.get("source_data"))):
            for name, value in source.items():
                yield {"hf_split": "split", "samples_number": "n_samples"}.get(name, name), value
            yield from _details(source.get("additional_details"))
        yield from _details(library.get("additional_details"))

    @property
    def applicable(self) -> list[str]:
        modes = {"log_prob", "multiple_choice", "loglikelihood", "loglikelihood_rolling"}
        stated = {str(self.found.get(name)).strip().lower() for name in ("scoring_mode", "output_type")}
        generated, asked = not stated & modes, []
        for key in ITEMS:
            reasons = any(affirmed(self.found.get(name)) for name in ITEMS["reasoning_budget"])
            if key in ("decoding", "output_length"):
                asked += [key] if generated else []
            elif key == "reasoning_budget":
                asked += [key] if reasons else []
            elif key in ("context_handling", "attempts"):
                asked += [key] if self.agentic else []
            else:
                asked.append(key)
        return asked

    @property
    def agentic(self) -> bool:
        marks = ("scaffold", "compaction", "context_management", "agent_plan", "agent_config", "agentic_eval_config")
        if any(affirmed(self.found.get(name)) for name in marks):
            return True
        plan = self.found.get("eval_plan")
        if not isinstance(plan, dict) or not isinstance(plan.get("steps"), list):
            return affirmed(plan)
        steps = [json.loads(s) if isinstance(s, str) and s.startswith("{") else s for s in plan["steps"]]
        solvers = [str(s.get("solver") if isinstance(s, dict) else s).lower() for s in steps]
        return any(s == "use_tools" or {"agent", "react"} & set(re.findall("[a-z0-9]+", s)) for s in solvers)

    @property
    def setup(self) -> frozenset[tuple[str, str]]:
        return frozenset((name, _same(name, value)) for name, value in self.found.items())

    @property
    def benchmark(self) -> str:
        """The data set, else the evaluation, as written."""
        source = _object(self.result.get("source_data")) or _object(self.record.get("source_data"))
        return (source.get("dataset_name") or "").strip() or self.result["evaluation_name"].strip()

    @property
    def score(self) -> Fraction | None:
        score = self.result["score_details"].get("score")
        unknown = self.result["metric_config"].get("has_unknown_level") is True and score == -1
        return None if score is None or isinstance(score, (str, bool)) or unknown else Fraction(score)

    @property
    def range(self) -> tuple[Any, Any]:
        config = self.result["metric_config"]
        return config.get("min_score"), config.get("max_score")

    @property
    def triple(self) -> tuple[Any, ...]:
        config, detail = self.result["metric_config"], _object(self.result["score_details"].get("details"))
        source = _object(self.result.get("source_data")) or _object(self.record.get("source_data"))
        unit = {"fraction": "proportion", "%": "percent"}.get(config.get("metric_unit"), config.get("metric_unit"))
        unit = unit or {(0, 100): "percent"}.get(self.range, "")
        named = (config.get(key) for key in ("metric_id", "metric_name", "evaluation_description"))
        metric = next((" ".join(name.split()) for name in named if name), "score")
        parameters = sorted((k, str(v)) for k, v in _object(config.get("metric_parameters")).items())
        split = [source.get("hf_split"), *(self.found.get(n) for n in ("split", "eval_split", "subset"))]
        first = next((str(s) for s in [*split, detail.get("split")] if said(s)), "")
        perturbation = str(_object(detail.get("perturbation")).get("name"))
        path: list[str] = []
        for name in (self.record["evaluation_id"].partition("/")[0], self.benchmark, self.result["evaluation_name"]):
            if name and letters(name) not in path:
                path.append(letters(name))
        return (
            self.record["model_info"]["id"],
            *path,
            first,
            perturbation,
            metric,
            *parameters,
            "" if unit == "proportion" else unit,
        )

    @property
    def party(self) -> str:
        stated = self.record["source_metadata"].get("evaluator_relationship")
        return stated if stated in PARTIES else "unstated"

    @property
    def organisation(self) -> str:
        return " ".join(str(self.record["source_metadata"].get("source_organization_name") or "").lower().split())

    @property
    def publication(self) -> str:
        source = self.record["source_metadata"].get("source_name")
        named = source or _object(self.record.get("evaluation_source")).get("evaluation_source_name") or ""
        return " ".join(named.lower().split())


@dataclass(eq=False)
class Variant:
    score: Fraction


@dataclass(eq=False)
class Triple:
    results: list[Raw]

    def variants(self, party: str | None = None) -> list[Variant]:
        grouped: dict[Any, list[Fraction]] = defaultdict(list)
        for one in self.results:
            if party in (None, one.party) and one.score is not None:
                grouped[one.setup].append(one.score)
        return [Variant(sum(scores, Fraction(0)) / len(scores)) for scores in grouped.values()]

    @property
    def ends(self) -> tuple[Fraction, Fraction] | None:
        ranges = {one.range for one in self.results}
        low, high = next(iter(ranges))
        numbers = all(isinstance(end, (int, Fraction)) for end in (low, high))
        return (Fraction(low), Fraction(high)) if len(ranges) == 1 and numbers and low < high else None


@dataclass(eq=False)
class Benchmark:
    name: str
    values: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))


@dataclass
class Corpus:
    """Everything below a folder, as the json module reads it."""

    results: list[Raw] = field(default_factory=list)
    benchmarks: dict[str, Benchmark] = field(default_factory=dict)
    cards: dict[str, Any] = field(default_factory=dict)
    mapping: Any = field(default_factory=dict)

    @property
    def triples(self) -> list[Triple]:
        grouped: dict[Any, dict[Any, Raw]] = defaultdict(dict)
        for one in self.results:
            if one.score is not None:
                again = one.publication, one.organisation, one.party, one.setup, one.score
                grouped[one.triple].setdefault(again, one)
        return [Triple(list(results.values())) for results in grouped.values()]

    def evaluation(self, theta: Fraction = Fraction(5, 100)) -> Evaluation:
        triples = self.triples
        own = {name: Fraction(str(value)) for name, value in (self.mapping.get("thresholds") or {}).items()}

        def metric(x: Triple) -> str:
            return str(x.results[0].result["metric_config"].get("metric_id"))

        return SUITE.declarations.notation().over(
            {
                r"\mathrm{pop}(f, r)": lambda f, r: int(f in r.found),
                "F(k)": lambda k: ITEMS[k],
                "A(r)": lambda r: r.applicable,
                r"\mathcal{T}": [x.results for x in triples],
                "F": FIELDS,
                r"\mathrm{pop}_{\mathrm{B}}(f, b)": lambda f, b: int(any(map(said, b.values[f]))),
                r"\mathrm{lit}_{\mathrm{B}}(f, b)": lambda f, b: int(any(map(anything, b.values[f]))),
                r"\tau(f)": lambda f: "partial" if f == "data" else "reserved" if f in RESERVED else "full",
                r"\mathrm{sub}(f)": lambda f: DATA if f == "data" else [],
                "B": list(self.benchmarks.values()),
                "X": triples,
                "R(x)": lambda x: x.results,
                r"\rho(r)": lambda r: r.party,
                r"\mathrm{org}(r)": lambda r: r.organisation,
                r"\mathrm{named}(r)": lambda r: int(said(r.organisation)),
                "V(x)": lambda x: x.variants(),
                "V(x, p)": lambda x, p: x.variants(p),
                r"\sigma(v)": lambda v: v.score,
                "u(x)": lambda x: int(x.ends is not None),
                r"\mu_{\max}(x)": lambda x: x.ends[1] if x.ends else 0,
                r"\mu_{\min}(x)": lambda x: x.ends[0] if x.ends else 0,
                r"\theta": theta,
                r"\mathrm{own}(x)": lambda x: int(metric(x) in own),
                r"\theta_{\mathrm{own}}(x)": lambda x: own[metric(x)],
            }
        )


def corpus_of(*folders: Path) -> Corpus:
    """Every record, card and mapping below the folders."""
    corpus = Corpus()
    found = [(folder, path) for folder in folders for path in sorted(folder.rglob("*"))]
    for root, path in found:
        if path.suffix == ".yml":
            corpus.mapping = yaml.safe_load(path.read_text("utf-8"))
        if path.suffix not in (".json", ".jsonl"):
            continue
        text = path.read_text("utf-8")
        for number, one in enumerate(text.split("\n") if path.suffix == ".jsonl" else [text]):
            if one.strip():
                line = number + 1 if path.suffix == ".jsonl" else 0
                _take(corpus, short(path.relative_to(root).as_posix()), line, _loads(one))
    _fill(corpus)
    return corpus


def short(path: str) -> str:
    """The last two parts of a path, by which both readings call a file."""
    return "/".join(path.split("/")[-2:])


def _take(corpus: Corpus, file: str, line: int, value: Any) -> None:
    if "evaluation_results" in value:
        corpus.results += [Raw(file, line, index, value, one) for index, one in enumerate(value["evaluation_results"])]
    elif "benchmark_details" in value or "benchmark_card" in value:
        card = value.get("benchmark_card", value)
        name = card["benchmark_details"]["name"]
        corpus.cards[letters(name)] = card
        for short in re.findall(r"\(([^()]+)\)", name):
            corpus.cards.setdefault(letters(short), card)


def _fill(corpus: Corpus) -> None:
    renamed = {letters(name): card for name, card in (corpus.mapping.get("benchmarks") or {}).items()}
    reserved = {letters(name): values for name, values in (corpus.mapping.get("evalcards") or {}).items()}
    for one in corpus.results:
        key = letters(one.benchmark)
        known = corpus.benchmarks.setdefault(key, Benchmark(one.benchmark))
        known.name = min(known.name, one.benchmark)
        for name in RECORD_FIELDS:
            known.values[name].append(one.record["source_metadata"].get(name.partition(".")[2]))
    for key, known in corpus.benchmarks.items():
        card = corpus.cards.get(letters(renamed.get(key, key) or "no such card"), {})
        for name in (*CARD_FIELDS, *DATA):
            section, _, part = name.partition(".")
            known.values[name].append(card.get(section, {}).get(part))
        for name in RESERVED:
            known.values[name].append(reserved.get(key, {}).get(name))


def _loads(text: str) -> Any:
    return json.loads(text, parse_float=Fraction, parse_constant=lambda name: None if name == "NaN" else name)


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _details(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name, inner
            if isinstance(inner, str) and inner.lstrip().startswith("{"):
                yield from _object(_loads(inner)).items()
    for text in [value] if isinstance(value, str) else value if isinstance(value, list) else []:
        yield from re.findall(r"(\w+)=([^,\s]+)", text)


def affirmed(value: Any) -> bool:
    denied = isinstance(value, str) and value.strip().lower() in {"false", "no", "none", "off", "disabled"}
    return said(value) and value is not False and not denied


def _same(name: str, value: Any) -> str:
    if name not in WORDS and not isinstance(value, (list, dict)):
        try:
            return str(Fraction(str(value)))
        except ValueError:
            return str(value).strip().lower() if str(value).lower() in ("true", "false") else str(value).strip()
    return json.dumps(value, sort_keys=True, default=str)
