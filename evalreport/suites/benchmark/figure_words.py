"""Words of figures: names, addresses, settings and who leads, as every figure of the benchmark writes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from evalreport.core.slug import slug
from evalreport.core.words import limits, many, printed
from evalreport.suites.benchmark.results import BenchmarkResults, Bin, Subject, SubjectId

FULL_PERCENT = 100


def names_of(subjects: Iterable[SubjectId]) -> dict[SubjectId, str]:
    """Subject and version as one name, different for different pairs; a version that repeats the subject stands alone.

    >>> names_of([("m", "1.0"), ("gpt-4", "gpt-4-0613")])
    {('m', '1.0'): 'm 1.0', ('gpt-4', 'gpt-4-0613'): 'gpt-4-0613'}
    >>> sorted(names_of([("a b", "c"), ("a", "b c")]).values())
    ["'a b' 'c'", "'a' 'b c'"]
    """
    joined = {s: s[1] if s[0] and s[1].startswith(s[0]) else " ".join(s) for s in subjects}
    seen = list(joined.values())
    return {s: name if seen.count(name) == 1 else f"{s[0]!r} {s[1]!r}" for s, name in joined.items()}


def figure_id(results: BenchmarkResults, benchmark_version: str, *parts: str) -> str:
    """The address of a figure: its kind, the slug of what it shows, the benchmark version when there are several."""
    kind, *ids = parts
    where = [slug(benchmark_version)] if results.several_versions else []
    return "-".join([kind, *([slug(*ids)] if ids else []), *where])


def settings_text(results: BenchmarkResults, *names: str) -> dict[str, str]:
    """These settings as text, for the JSON beside the figure."""
    return {name: str(results.settings.values[name]) for name in names}


def span(b: Bin) -> str:
    """The whole percents of a bin: 0–9, …, 90–100."""
    return f"{b.low}–{b.high if b.high == FULL_PERCENT else b.high - 1}"


def leader_words(subjects: Sequence[Subject], names: Mapping[SubjectId, str]) -> str:
    """Who leads, and with how many of the others its interval overlaps; `subjects` in the order of the leaderboard."""
    ranked = [s for s in subjects if s.rank is not None]
    if not ranked:
        return "No version is ranked."
    first = [s for s in ranked if s.rank == 1]
    if len(first) > 1:
        return f"{len(first)} versions share the first rank with Q {printed(first[0].values['q_final'])}."
    leads = f"{names[first[0].id]} leads with Q {printed(first[0].values['q_final'])}"
    own = limits(first[0].intervals.get("q_final"))
    others = [limits(s.intervals.get("q_final")) for s in ranked[1:]]
    if own is None or not others:
        return f"{leads}."
    overlap = sum(1 for o in others if o and o[1] >= own[0])
    return f"{leads}; its interval overlaps that of {overlap} of the {many(len(others), 'other')}."
