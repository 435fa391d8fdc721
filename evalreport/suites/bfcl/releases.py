"""How many samples each subset has in each release of the benchmark, and what older releases called it."""

from __future__ import annotations

_NON_LIVE = {
    "simple_python": 400,
    "simple_java": 100,
    "simple_javascript": 50,
    "multiple": 200,
    "parallel": 200,
    "parallel_multiple": 200,
    "irrelevance": 240,
}
_EXECUTED = {"exec_simple": 100, "rest": 70, "exec_multiple": 50, "exec_parallel": 50, "exec_parallel_multiple": 40}
_MULTI_TURN = {f"multi_turn_{kind}": 200 for kind in ("base", "miss_func", "miss_param", "long_context")}
_AGENTIC = {
    **{f"web_search_{kind}": 100 for kind in ("base", "no_snippet")},
    **{f"memory_{kind}": 155 for kind in ("kv", "vector", "rec_sum")},
}


def _live(multiple: int, irrelevance: int, relevance: int) -> dict[str, int]:
    return {
        "live_simple": 258,
        "live_multiple": multiple,
        "live_parallel": 16,
        "live_parallel_multiple": 24,
        "live_irrelevance": irrelevance,
        "live_relevance": relevance,
    }


SIZES: dict[str, dict[str, int]] = {
    "V1": {**_NON_LIVE, **_EXECUTED},
    "V2": {**_NON_LIVE, **_EXECUTED, **_live(1037, 875, 41)},
    "V3": {**_NON_LIVE, **_EXECUTED, **_live(1053, 882, 18), **_MULTI_TURN},
    "V4": {**_NON_LIVE, **_live(1053, 884, 16), **_MULTI_TURN, **_AGENTIC},
}
LATEST = "V4"

_OLDER = {
    "simple": "simple_python",
    "java": "simple_java",
    "javascript": "simple_javascript",
    "multiple_function": "multiple",
    "parallel_function": "parallel",
    "parallel_multiple_function": "parallel_multiple",
    "executable_simple": "exec_simple",
    "executable_multiple_function": "exec_multiple",
    "executable_parallel_function": "exec_parallel",
    "executable_parallel_multiple_function": "exec_parallel_multiple",
}


def subset_name(written: str, release: str = "") -> str:
    """The name of a subset today. The first release called irrelevance detection "relevance".

    >>> subset_name("java"), subset_name("relevance", "V1"), subset_name("live_relevance", "V3")
    ('simple_java', 'irrelevance', 'live_relevance')
    """
    if release == "V1" and written == "relevance":
        return "irrelevance"
    return _OLDER.get(written, written)
