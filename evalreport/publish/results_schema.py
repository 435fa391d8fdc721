"""The JSON Schema of `results.json`, published with every version.

The promise: within one number of `schema`, fields are added and never removed, and none changes its meaning.
"""

from __future__ import annotations

_TEXT = {"type": "string"}
_NUMBER_OR_NONE = {"type": ["number", "null"]}
_WHOLE_OR_NONE = {"type": ["integer", "null"]}


def _object(properties: dict[str, object]) -> dict[str, object]:
    return {"type": "object", "properties": properties, "required": sorted(properties)}


_INTERVAL = _object(
    {
        "low": _NUMBER_OR_NONE,
        "high": _NUMBER_OR_NONE,
        "level": {"type": ["number", "string"]},
        "method": _TEXT,
        "n": {"type": "integer"},
        "resamples": _WHOLE_OR_NONE,
        "seed": _WHOLE_OR_NONE,
        "note": _TEXT,
    }
)
_VALUE = _object(
    {
        "metric": _TEXT,
        "of": {"type": "object", "additionalProperties": _TEXT},
        "value": _NUMBER_OR_NONE,
        "exact": {"type": ["string", "null"], "pattern": "^-?[0-9]+/[1-9][0-9]*$"},
        "n": _WHOLE_OR_NONE,
        "undefined": {"type": ["string", "null"]},
        "interval": {"anyOf": [{"type": "null"}, _INTERVAL]},
    }
)
_INPUT = _object(
    {
        "path": _TEXT,
        "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        "bytes": {"type": "integer", "minimum": 0},
    }
)
RESULTS_SCHEMA: dict[str, object] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "results.json of an evaluation book",
    "description": "Within one number of schema, fields are added and never removed, and none changes its meaning.",
    **_object(
        {
            "schema": {"const": 1},
            "suite": _TEXT,
            "settings": {"type": "object"},
            "inputs": {"type": "array", "items": _INPUT},
            "values": {"type": "array", "items": _VALUE},
        }
    ),
}
