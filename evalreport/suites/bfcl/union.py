"""Shards of one run become one run, or are refused by name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence

from evalreport.errors import Problems
from evalreport.suites.bfcl.records import NOT_RUN, Run, Shard, Tally

NAMED = 10  # more missing shards than this are only counted


def summed(shards: Iterable[Shard]) -> dict[str, Tally]:
    """Hits and samples of each subset over all shards, subsets in the order of their names."""
    total: dict[str, Tally] = {}
    for shard in shards:
        for subset, tally in shard.tallies.items():
            total[subset] = total.get(subset, NOT_RUN) + tally
    return {s: total[s] for s in sorted(total) if total[s].n}


def union(
    shards: Sequence[Shard],
    *,
    partial: bool = False,
    directories_are_shards: bool = False,
    refused: Collection[tuple[str, int]] = (),
) -> tuple[Run, ...]:
    """The runs that these shards make, by model, whatever their order.

    Refuses a shard that is there twice, one of another run, one that is missing (unless `partial`), a second whole
    run of a model, and score directories of one model (unless `directories_are_shards`, and then the same failed
    sample in two of them). `refused` are the (model, index) of shards whose files are there and were refused: they are
    not called missing. Raises `EvalreportError` with all of it.
    """
    problems = Problems()
    of: dict[str, list[Shard]] = defaultdict(list)
    for shard in shards:
        of[shard.model].append(shard)
    runs = []
    for model in sorted(of):
        parts = sorted(of[model], key=lambda s: (-1 if s.index is None else s.index, s.source))
        count = _refuse_foreign(model, parts, problems)
        missing: tuple[int, ...] = ()
        if any(s.index is not None for s in parts):
            there = _refuse_indices(parts, problems)
            missing = tuple(i for i in range(count) if i not in there and (model, i) not in refused)
            if missing and not partial:
                expected = f"every shard from 0 to {count - 1}, or --partial"
                problems.add(model, missing_words(missing, count), expected, kind="missing_shard")
        elif len(parts) > 1:
            _refuse_wholes(model, parts, problems, directories_are_shards)
        runs.append(Run(model, tuple(parts), summed(parts), missing))
    problems.check()
    return tuple(runs)


def _refuse_foreign(model: str, parts: Sequence[Shard], problems: Problems) -> int:
    """Shards belong together only when everything that identifies their run is the same. How many there should be.

    The run is what most of them say it is, so that one foreign shard is named, and not all the others.
    """
    said = Counter(frozenset(_named(s).items()) for s in parts)
    first = max(parts, key=lambda s: said[frozenset(_named(s).items())])
    ours = _named(first)
    for other in parts:
        theirs = _named(other)
        for key in sorted(ours.keys() | theirs.keys()):
            if ours.get(key) != theirs.get(key):
                problems.add(
                    other.source,
                    f"{key} is {_shown(theirs.get(key))}, but {_shown(ours.get(key))} in {first.source}: "
                    f"a shard of another run of {model}",
                    "shards of one run of a model",
                    kind="foreign_shard",
                )
    return first.count


def _named(shard: Shard) -> dict[str, str]:
    return {
        **dict(shard.identity),
        "kind of source": shard.kind,
        "shard count": str(shard.count),
        "release": shard.release or "not stated",
    }


def _shown(value: str | None) -> str:
    return "absent" if value is None else repr(value)


def _refuse_indices(parts: Sequence[Shard], problems: Problems) -> Collection[int]:
    """The shards that are there, each of them once."""
    seen: dict[int, Shard] = {}
    for shard in parts:
        if shard.index is None:
            problems.add(shard.source, "names no shard, but other files of this run do", kind="foreign_shard")
        elif shard.index in seen:
            problems.add(
                shard.source,
                f"shard {shard.index} of {shard.count} is already in {seen[shard.index].source}",
                "each shard once",
                kind="duplicate_shard",
            )
        else:
            seen[shard.index] = shard
    return seen.keys()


def _refuse_wholes(model: str, parts: Sequence[Shard], problems: Problems, directories_are_shards: bool) -> None:
    directories = all(s.kind == "score directory" for s in parts)
    if not (directories and directories_are_shards):
        hint = ", or --shards when these directories are shards of one run" if directories else ""
        for other in parts[1:]:
            problems.add(
                other.source,
                f"a second whole run of {model}, after {parts[0].source}",
                f"one run of a model{hint}",
                kind="duplicate_run",
            )
        return
    seen: dict[str, Shard] = {}
    for shard in parts:
        for failure in sorted(shard.failures):
            if failure in seen:
                problems.add(
                    shard.source,
                    f"the failed sample {failure} is also in {seen[failure].source}",
                    "each sample in one shard",
                    kind="duplicate_sample",
                )
            else:
                seen[failure] = shard


def missing_words(missing: Sequence[int], count: int) -> str:
    """Which shards of how many are missing, the first ten of them by their index.

    >>> missing_words([2], 3), missing_words(range(1, 40), 40)
    ('shard 2 of 3 is missing', 'shards 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 29 more of 40 are missing')
    """
    named = ", ".join(map(str, missing[:NAMED])) + (f" and {len(missing) - NAMED} more" if len(missing) > NAMED else "")
    return f"shard {named} of {count} is missing" if len(missing) == 1 else f"shards {named} of {count} are missing"
