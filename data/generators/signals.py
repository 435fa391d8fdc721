"""Made-up evaluation records of every schema version, cards of benchmarks that do not exist, and a mapping file.

Every edge stands in it: settings in each place a version keeps them, details as text, as a list and as JSON in a
text, one attempt that only repeats a default, an empty list of tools, a plan without an agent, log-probability runs,
reasoning that is denied, placeholders, parties that disagree by exactly the threshold and by more, percent beside
proportion, ranges that are missing, infinite, empty or stated differently, the same score scraped twice,
perturbations, scores that are none, a partial card, a card of no benchmark, and names that no page may take for
markup.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

SEED = 1123
REED, MOSS, FERN = "example-lab-a/reed-2", "example-lab-b/moss-7b", "example-lab-c/fern-agent"
HOSTILE = "example-lab-d/<script>alert('x')</script> | $w_1$ & 50% \"模型\" `אב`\n../"
MODELS = (REED, MOSS, FERN, HOSTILE)
HARBOUR, TIDES, STAIRS = "Harbour Questions", "Tide Tables QA", "Stair Proofs"
ERRANDS, LANTERN, BELLS = "Kitchen Errands", "Lantern Summaries", "Bell Ratings"
MARKUP = "Names_&_<b>Signs</b> $5 | 100%"
UNIT: Mapping[str, object] = {"min_score": 0.0, "max_score": 1.0}
LAB_A, LAB_B, BOARD, CLUB = "Example Lab A", "Example Lab B", "Example Evaluation Board", "Example Measuring Club"
Json = dict[str, object]


def result(
    name: str,
    score: object,
    *,
    dataset: str | None = None,
    metric: Json | None = None,
    args: Json | None = None,
    details: object = None,
    source: Json | None = None,
    score_details: Json | None = None,
) -> Json:
    """One result as the later schema versions hold it."""
    found: Json = {
        "evaluation_name": name,
        "source_data": {"dataset_name": dataset or name, "source_type": "other", **(source or {})},
        "metric_config": {
            "evaluation_description": f"accuracy on {name}",
            "lower_is_better": False,
            "score_type": "continuous",
            **(UNIT if metric is None else metric),
        },
        "score_details": {"score": score, **(score_details or {})},
    }
    config: Json = {}
    if args is not None:
        config["generation_args"] = args
    if details is not None:
        config["additional_details"] = details
    if config:
        found["generation_config"] = config
    return found


def record(
    version: str,
    suite: str,
    model: str,
    results: Sequence[Json],
    *,
    by: tuple[str, str] = (BOARD, "third_party"),
    library: tuple[str, str] | None = ("example-harness", "2.1.0"),
    **more: object,
) -> Json:
    """One record. `by` is the organisation and its relationship to the model's developer."""
    found: Json = {
        "schema_version": version,
        "evaluation_id": f"{suite}/{model.replace('/', '_')}/1700000000",
        "retrieved_timestamp": "1700000000",
        "source_metadata": {
            "source_name": f"{by[0]} results",
            "source_type": "documentation",
            "source_organization_name": by[0],
            "evaluator_relationship": by[1],
        },
        "model_info": {"name": model.split("/")[-1], "id": model, "developer": model.split("/")[0]},
        "evaluation_results": list(results),
        **more,
    }
    if library is not None and version >= "0.2.1":
        found["eval_library"] = {"name": library[0], "version": library[1]}
    return found


def draws() -> Iterator[float]:
    """Scores between 0.4 and 0.9, to three decimals."""
    generator = random.Random(SEED)
    while True:
        yield round(0.4 + 0.5 * generator.random(), 3)


def board(scores: Iterator[float]) -> Iterator[tuple[str, Json]]:
    """A board that ran every model on three benchmarks and says how."""
    told: Json = {"temperature": 0.0, "max_tokens": 1024}
    for number, model in enumerate(MODELS):
        for name in (HARBOUR, TIDES, STAIRS):
            source: Json = {"hf_split": "test", "samples_number": 400}
            one = result(name, next(scores), args=told, source=source)
            yield f"board/model-{number}/{name.split()[0].lower()}.json", record("0.3.0", "example-board", model, [one])


def old_versions(scores: Iterator[float]) -> Iterator[tuple[str, Json]]:
    """The first two schema versions: settings flat or nowhere, one source of data for the whole record."""
    for number, model in enumerate((REED, MOSS)):
        plain = [
            {
                "evaluation_name": name,
                "metric_config": {"evaluation_description": "exact match", "lower_is_better": False, **UNIT},
                "score_details": {"score": next(scores)},
            }
            for name in (HARBOUR, STAIRS)
        ]
        one = record("0.0.1", "first-list", model, plain, by=("TBD", "third_party"))
        one["source_data"] = ["https://results.example.org/first-list"]
        one["evaluation_source"] = {"evaluation_source_name": "First list", "evaluation_source_type": "leaderboard"}
        del one["source_metadata"]["source_name"], one["source_metadata"]["source_type"]  # type: ignore[attr-defined]
        yield f"first-list/record-{number}.json", one
        flat = []
        for perturbation in (None, None, {"name": "robustness"}):
            outcome: Json = {"score": next(scores) if perturbation else 0.61}
            outcome["details"] = {"split": "valid", "perturbation": perturbation}
            flat.append(
                {
                    "evaluation_name": "multiple choice",
                    "metric_config": {"evaluation_description": "exact match", "lower_is_better": False, **UNIT},
                    "score_details": outcome,
                    "generation_config": {"temperature": 0.0, "max_tokens": 1, "truncation": "left"},
                }
            )
        second = record("0.1.0", "second-list", model, flat, by=("Unknown", "other"))
        second["source_data"] = {"dataset_name": "tide tables qa", "samples_number": 40, "sample_ids": ["a", "b"]}
        yield f"second-list/record-{number}.json", second


def setups(scores: Iterator[float]) -> Iterator[tuple[str, Json]]:
    """Settings in every form, agents and runs that only look like agents."""
    tools: Json = {"available_tools": [{"name": "shell"}, {"name": "browser"}]}
    plan: Json = {"name": "plan", "steps": [{"solver": "system_message"}, {"solver": "use_tools"}], "config": {}}
    answer: Json = {"name": "plan", "steps": ['{"solver": "multiple_choice", "params": {}}'], "config": {}}
    one: Json = {"temperature": 0.5, "reasoning": False, "agentic_eval_config": tools, "eval_plan": plan}
    one |= {"eval_limits": {"message_limit": 100}, "max_attempts": 1}
    forms: tuple[tuple[str, str, Json | None, object], ...] = (
        ("details-as-text", "0.2.0", one, "temperature=0.5"),
        ("details-as-list", "0.2.0", {"agentic_eval_config": tools}, ["epochs=4", "compaction=auto", "split=hard"]),
        ("json-in-text", "0.2.2", None, {"run_config": '{"temperature": 0.7, "max_tokens": 512, "n_tasks": 33}'}),
        ("empty-tools", "0.2.2", {"reasoning": False, "agentic_eval_config": {"available_tools": []}}, {}),
        ("plan-without-agent", "0.2.2", {"eval_plan": answer, "temperature": 1, "max_tokens": 64}, {"subset": "all"}),
        ("one-attempt", "0.2.3", {"agentic_eval_config": tools, "max_attempts": 1, "max_tokens": 4096}, {"top_p": "1"}),
        ("three-attempts", "0.3.0", {"agentic_eval_config": tools, "max_attempts": 3, "max_tokens": 4096}, None),
        ("scaffold", "0.3.0", {"temperature": 0.2}, {"scaffold": "pantry loop", "context_management": "summary"}),
        ("reasoning", "0.3.0", {"temperature": 1.0, "max_tokens": 9000}, {"reasoning_effort": "high"}),
        ("no-reasoning", "0.3.0", {"temperature": 1.0, "max_tokens": 9000}, {"reasoning_effort": "None"}),
        ("log-probability", "0.2.1", None, {"output_type": "loglikelihood", "lm_eval_task": "errands"}),
        ("nothing-said", "0.2.2", None, None),
    )
    for form, version, args, details in forms:
        found = result(ERRANDS, next(scores), args=args, details=details)
        library = ("unknown", "unknown") if form == "nothing-said" else ("example-harness", "unknown")
        yield f"setups/{form}.json", record(version, f"errands-{form}", FERN, [found], library=library)


def parties() -> Iterator[tuple[str, Json]]:
    """Who reports what: agreement to the threshold, divergence, percent, ranges that cannot be computed with."""
    told: Json = {"temperature": 0.0, "max_tokens": 1024}
    more: Json = {"temperature": 0.0, "max_tokens": 8192}
    percent: Json = {"metric_unit": "percent", "metric_id": "accuracy", "min_score": 0.0, "max_score": 100.0}
    share: Json = {"metric_unit": "proportion", "metric_id": "accuracy", **UNIT}
    open_end: Json = {"metric_id": "rating", "metric_unit": "points", "min_score": 0, "max_score": "Infinity"}
    own: Json = {"metric_id": "overlap", **UNIT}
    first, third = (LAB_A, "first_party"), (CLUB, "third_party")
    levels: Json = {"score_type": "levels", "level_names": ["poor", "good"], "has_unknown_level": True}
    rows: tuple[tuple[str, str, object, Json, Json, tuple[str, str]], ...] = (
        ("exactly-at-the-threshold", REED, 0.50, share, told, first),
        ("exactly-at-the-threshold", REED, 0.55, share, told, third),
        ("parties-diverge", MOSS, 0.91, share, told, (LAB_B, "first_party")),
        ("parties-diverge", MOSS, 0.80, share, told, third),
        ("parties-diverge", MOSS, 0.82, share, told, (BOARD, "collaborative")),
        ("setups-diverge", FERN, 0.61, share, told, third),
        ("setups-diverge", FERN, 0.74, share, more, third),
        ("percent-beside-proportion", REED, 0.62, share, told, first),
        ("percent-beside-proportion", REED, 62.0, percent, told, third),
        ("infinite-range", REED, 1210, open_end, told, first),
        ("infinite-range", REED, 1180, open_end, more, third),
        ("missing-range", MOSS, 7.5, {"metric_id": "mark"}, told, first),
        ("missing-range", MOSS, 5.5, {"metric_id": "mark"}, more, third),
        ("empty-range", MOSS, 1, {"metric_id": "flat", "min_score": 1, "max_score": 1}, told, first),
        ("empty-range", MOSS, 1, {"metric_id": "flat", "min_score": 1, "max_score": 1}, more, third),
        ("different-ranges", FERN, 3, {"metric_id": "steps", "min_score": 0, "max_score": 5}, told, first),
        ("different-ranges", FERN, 4, {"metric_id": "steps", "min_score": 0, "max_score": 10}, more, third),
        ("own-threshold", REED, 0.30, own, told, first),
        ("own-threshold", REED, 0.37, own, told, third),
        ("first-party-only", REED, 0.77, share, told, first),
        ("other-party", HOSTILE, 0.40, share, told, ("Not specified.", "other")),
        ("scraped-again", MOSS, 0.66, share, told, third),
        ("scraped-again", MOSS, 0.66, share, told, third),
        ("unknown-level", MOSS, -1, levels, told, third),
        ("no-number", MOSS, float("nan"), share, told, third),
        ("no-score", MOSS, None, share, told, third),
    )
    for number, (what, model, score, metric, args, by) in enumerate(rows):
        dataset = BELLS if "range" in what else LANTERN
        found = result(what, score, dataset=dataset, metric=metric, args=args, source={"samples_number": 100})
        yield f"parties/{number:02}-{what}.json", record("0.3.0", "example-reports", model, [found], by=by)


def lines(scores: Iterator[float]) -> list[Json]:
    """Records of one JSON Lines file, of a benchmark whose name is full of signs; one record states no relationship."""
    found = [record("0.2.2", MARKUP, model, [result(MARKUP, next(scores), args={"top_k": 1})]) for model in MODELS]
    del found[0]["source_metadata"]["evaluator_relationship"]  # type: ignore[attr-defined]
    return found


def card(name: str, **changes: object) -> Json:
    """A card with every field filled; `changes` are sections with other values for some fields."""
    sections: dict[str, Json] = {
        "benchmark_details": {
            "name": name,
            "overview": f"{name} asks what the name says, in short questions with one right answer.",
            "data_type": "text",
            "domains": ["everyday knowledge"],
            "languages": ["English"],
            "similar_benchmarks": ["none of note"],
            "resources": ["https://benchmarks.example.org"],
        },
        "purpose_and_intended_users": {
            "goal": "To see whether a system reads what stands there.",
            "audience": ["people who build reading systems"],
            "tasks": ["question answering"],
            "limitations": "Short texts only.",
            "out_of_scope_uses": ["judging people"],
        },
        "data": {
            "source": "Written for this benchmark.",
            "size": "400 questions",
            "format": "JSON",
            "annotation": "Two annotators for every question.",
        },
        "methodology": {
            "methods": ["Each question once."],
            "metrics": ["accuracy"],
            "calculation": "Right answers over all answers.",
            "interpretation": "One is all right.",
            "baseline_results": "Guessing reaches a quarter.",
            "validation": "A third annotator checked a tenth.",
        },
        "ethical_and_legal_considerations": {
            "privacy_and_anonymity": "No person is named.",
            "data_licensing": "CC0",
            "consent_procedures": "All writers agreed.",
            "compliance_with_regulations": "No review was needed.",
        },
    }
    for section, values in changes.items():
        if isinstance(values, dict) and section in sections:
            sections[section] = {**sections[section], **values}
    risks = [{"category": "Unrepresentative data", "description": ["Short texts only."]}]
    return {"benchmark_card": {**sections, "possible_risks": changes.get("risks", risks)}}


def cards() -> Iterator[tuple[str, Json]]:
    """Eight cards: full, with placeholders, partial, bare, under another name, of no benchmark, full of signs."""
    placeholder = {"consent_procedures": "Not specified", "compliance_with_regulations": "N/A."}
    yield "harbour", card(HARBOUR)
    yield "tides", card("Tables of Tides (Tide Tables QA)", ethical_and_legal_considerations=placeholder)
    yield "stairs", card(STAIRS, data={"size": "", "annotation": "unknown"}, risks=[])
    bare = card("KITCHEN-ERRANDS", methodology={"validation": None, "metrics": ["TBD", "No information found"]})
    yield "errands", bare["benchmark_card"]  # type: ignore[misc]
    yield "lantern", card("LanternSum", benchmark_details={"languages": [], "similar_benchmarks": ["Not specified"]})
    yield "unread", card("Unread Letters")
    yield "markup", card(MARKUP, benchmark_details={"overview": "<img src=x onerror=alert(1)> & $x_1$ `code` | 模型"})
    yield "clouds", card("Cloud Names", risks=[{"category": "Data bias"}, {"category": "Data bias"}, {"url": "x"}])


MAPPING = f"""# Which card belongs to which benchmark, what the reserved fields hold, and the threshold of one metric.
benchmarks:
  {LANTERN}: LanternSum
  {BELLS}: null
evalcards:
  {HARBOUR}:
    lifecycle_status: active
    preregistration_url: https://benchmarks.example.org/harbour
  {TIDES}:
    lifecycle_status: unknown
thresholds:
  overlap: 0.1
"""


def write(folder: Path) -> None:
    """Write everything below `folder/signals/`."""
    root = folder / "signals"
    scores = draws()
    for name, content in (*board(scores), *old_versions(scores), *setups(scores), *parties()):
        _write(root / "records" / name, json.dumps(content, ensure_ascii=False, indent=1))
    in_lines = "\n".join(json.dumps(one, ensure_ascii=False) for one in lines(scores))
    _write(root / "records" / "lines" / "signs.jsonl", in_lines)
    items = [{"schema_version": "0.2.2", "sample_id": "1", "interaction_type": "single_turn", "output": "yes"}]
    _write(root / "records" / "lines" / "signs_samples.jsonl", "\n".join(map(json.dumps, items)))
    for name, content in cards():
        _write(root / "cards" / f"benchmark_card_{name}.json", json.dumps(content, ensure_ascii=False, indent=1))
    _write(root / "mapping.yml", MAPPING.rstrip())


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(f"{text}\n".encode())
