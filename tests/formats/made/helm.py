"""Run folders of HELM."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

ROBUST = {"name": "robustness", "robustness": True, "fairness": False, "computed_on": "worst"}


def stat(
    metric: str, mean: float | None, *, split: str = "test", perturbation: Mapping[str, object] | None = None
) -> dict[str, object]:
    """One statistic; without a mean it is one of no observations."""
    name: dict[str, object] = {"name": metric, "split": split}
    if perturbation is not None:
        name["perturbation"] = perturbation
    if mean is None:
        return {"name": name, "count": 0, "sum": 0, "sum_squared": 0}
    return {"name": name, "count": 1, "sum": mean, "sum_squared": mean * mean, "mean": mean, "stddev": 0.0}


def spec(name: str = "quiz:subject=a,model=lab_one", **adapter: object) -> dict[str, object]:
    """The description of a run."""
    return {"name": name, "adapter_spec": {"model": "lab/one", **adapter}, "groups": ["quizzes"]}


def instances(values: Sequence[float], metric: str = "exact_match") -> list[dict[str, object]]:
    """One metric for each instance of the test split."""
    return [
        {"instance_id": f"id{i}", "train_trial_index": 0, "stats": [stat(metric, value)]}
        for i, value in enumerate(values)
    ]
