"""How lm-evaluation-harness names metrics, filters and models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evalreport.formats.inputs import SourceFile
from evalreport.formats.json_values import as_object, as_text

_ERROR_ENDS = ("_stderr", "_std_err")
_REPEATED = "_avg"
_NO_SCORE = frozenset(("alias", "name", "sample_len", "sample_count", "num_repeat", ""))


@dataclass(frozen=True)
class MetricKey:
    """One key of a row of results: the metric without ending, its filter, whether it is a standard error."""

    metric: str
    filter: str
    error: bool = False

    @property
    def shown(self) -> str:
        """The name that a leaderboard carries; the filter that does nothing is not written."""
        return self.metric if self.filter in ("", "none") else f"{self.metric},{self.filter}"


def metric_key(key: str) -> MetricKey | None:
    """What a key of a row of results is called; None for a key that is no metric.

    >>> metric_key("acc_norm_stderr,none"), metric_key("accuracy_avg,none").shown, metric_key("alias")
    (MetricKey(metric='acc_norm', filter='none', error=True), 'accuracy', None)
    """
    name, _, name_of_filter = key.partition(",")
    if name.strip() in _NO_SCORE:
        return None
    for end in _ERROR_ENDS:
        if name.endswith(end):
            return MetricKey(name.removesuffix(end), name_of_filter, error=True)
    return MetricKey(name.removesuffix(_REPEATED), name_of_filter)


def model_name(root: Mapping[str, object], file: SourceFile) -> tuple[str, str]:
    """The model of a results file, and a note when it could only be told by the folder of the file.

    Two revisions of one model, or one with an adapter, are two models.

    >>> config = {"model": "hf-causal", "model_args": "pretrained=lab/m,revision=step9,dtype=auto"}
    >>> model_name({"config": config}, SourceFile("/data", "old.json"))
    ('lab/m@step9', '')
    """
    config = as_object(root.get("config"))
    args = _arguments(config.get("model_args"))
    name = as_text(root.get("model_name"))
    for key in ("pretrained", "model", "model_name", "engine", "path"):
        name = name or args.get(key, "")
    if not name:
        folder = file.path.rpartition("/")[0].rpartition("/")[2]
        note = f"{file.path}: names no model; it is called after its folder"
        return (folder, note) if folder else ("", "")
    revision = args.get("revision", "")
    adapter = args.get("peft", "") or args.get("lora_local_path", "") or args.get("delta", "")
    at = f"@{revision}" if revision not in ("", "main") and not name.endswith(f"@{revision}") else ""
    return f"{name}{at}{f'+{adapter}' if adapter else ''}", ""


def _arguments(value: object) -> dict[str, str]:
    if isinstance(value, dict):
        return {key: text for key, text in value.items() if isinstance(text, str)}
    pairs = (part.partition("=") for part in as_text(value).split(","))
    return {key.strip(): text.strip() for key, equals, text in pairs if equals}
