"""Whatever stands where a reader expects something else: it is told in words, or set aside, and never a crash."""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalreport.errors import EvalreportError, Problem
from evalreport.formats.evalrun import Reading
from tests.formats.made import helm, inspect_logs, lighteval, lm_eval
from tests.formats.made.files import reading, write

LM_EVAL = lm_eval.results(
    {"g": lm_eval.acc(0.5, 0.0), "t": lm_eval.acc(0.25)},
    sizes={"t": (8, 4)},
    more={
        "group_subtasks": {"g": ["t"], "t": []},
        "groups": {"g": {}},
        "higher_is_better": {"t": {"acc": True}},
        "configs": {"t": {"num_fewshot": 5, "metric_list": [{"metric": "acc"}]}},
        "n-shot": {"t": 5},
    },
)
INSPECT = inspect_logs.log(
    [inspect_logs.score(accuracy=0.5, stderr=0.1, more={"reducer": "mean", "scored_samples": 2})],
    [inspect_logs.sample(1, "C"), inspect_logs.sample(2, {"a": 1}), inspect_logs.failed(3)],
    config={"epochs": 2, "limit": 2, "epochs_reducer": ["mean"]},
    more={"task_args": {"x": 1}, "scorers": [{"metrics": [{"name": "inspect_ai/accuracy"}]}]},
)
LIGHTEVAL = lighteval.results(
    {"mm:a|5": {"acc": 0.5, "acc_stderr": 0.1}, "all": {"acc": 0.5}},
    max_samples=2,
    config_tasks={"mm:a|5": {"metrics": [{"metric_name": "acc", "higher_is_better": True}], "version": 1}},
)
STATS: list[object] = [helm.stat("exact_match", 0.5), helm.stat("logprob", None), helm.stat("num_instances", 2)]
SAMPLE: dict[str, object] = {"doc_id": 1, "resps": [["x"]], "filter": "none", "metrics": ["acc"], "acc": 1.0}

JUNK: list[object] = [None, True, -1, 0, 2.5, 10**30, "", "x", "nan", [], [[]], {}, {"": None}, {"value": {}}, [0, "x"]]


def places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place in a JSON tree below its root."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in members:
        yield (*path, key)
        yield from places(inner, (*path, key))


def with_junk(value: object, data: st.DataObject) -> object:
    """The tree with one or two places replaced."""
    found = copy.deepcopy(value)
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from(sorted(places(found), key=str) or [()]))
        inner = found
        for key in path[:-1]:
            inner = inner[key]  # type: ignore[index]
        if path:
            inner[path[-1]] = copy.deepcopy(data.draw(st.sampled_from(JUNK)))  # type: ignore[index]
    return found


def read(folder: Path) -> tuple[Reading | None, tuple[Problem, ...]]:
    """What is found, or the problems that are told."""
    try:
        return reading(folder), ()
    except EvalreportError as error:
        return None, error.problems


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("m/results_x.json", LM_EVAL),
        ("m/log.json", INSPECT),
        ("m/results_y.json", LIGHTEVAL),
        ("m/stats.json", STATS),
        ("m/run_spec.json", helm.spec(num_train_trials=2, max_eval_instances=2)),
        ("m/per_instance_stats.json", helm.instances([1, 0])),
        ("m/samples_t_x.jsonl", SAMPLE),
    ],
)
@given(st.data())
@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
def test_a_file_with_junk_in_it_is_read_or_refused_in_words(name: str, value: object, data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        if name.endswith(("run_spec.json", "per_instance_stats.json")):
            write(folder, "m/stats.json", STATS)
        write(folder, name, with_junk(value, data))
        found, refused = read(folder)
        assert found is not None or refused
        assert all(problem.where.startswith("m/") for problem in refused)
        runs = found.runs if found else ()
        assert all(run.n is None or run.n > 0 for run in runs)
        assert all(run.n_correct is None or 0 <= run.n_correct <= (run.n_total or 0) for run in runs)
        assert all(run.stderr is None or run.stderr >= 0 for run in runs)
