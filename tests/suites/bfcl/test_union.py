"""Shards add up to the same bytes however they are cut, or are refused by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalreport.core.results import csv_bytes, results_json
from evalreport.errors import EvalreportError
from evalreport.suites.bfcl import SUITE, Results
from evalreport.suites.bfcl.records import Shard, Tally
from evalreport.suites.bfcl.union import union
from tests.suites.bfcl.made import EDGE_DRAW, computed, shard


def output(results: Results) -> bytes:
    """The bytes of everything published that does not list the shards themselves."""
    tables = [csv_bytes(t) for t in SUITE.tables(results) if not t.name.startswith("bfcl_shard")]
    return b"".join(tables) + results_json(
        suite="bfcl", settings=results.settings, inputs=SUITE.inputs(results.scores), values=SUITE.values(results)
    )


WHOLE = output(computed(shard(EDGE_DRAW)))


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_any_partition_of_the_same_rows_in_any_order_gives_the_same_bytes(data: st.DataObject) -> None:
    count = data.draw(st.integers(2, 5))
    counts: list[dict[str, tuple[int, int]]] = [{} for _ in range(count)]
    for subset, (hits, n) in EDGE_DRAW.items():
        # every sample goes to one of the shards; a shard may get none of a subset, or nothing at all
        for sample, place in enumerate(data.draw(st.lists(st.integers(0, count - 1), min_size=n, max_size=n))):
            right, total = counts[place].get(subset, (0, 0))
            counts[place][subset] = (right + (sample < hits), total + 1)
    shards = data.draw(st.permutations([shard(c, i, count) for i, c in enumerate(counts)]))
    assert output(computed(*shards)) == WHOLE


def refused(kind: str, *shards: Shard, partial: bool = False, directories: bool = False) -> str:
    with pytest.raises(EvalreportError) as caught:
        union(shards, partial=partial, directories_are_shards=directories)
    assert {p.kind for p in caught.value.problems} == {kind}
    return str(caught.value)


A, B = shard({"multiple": (1, 2)}, 0, 2), shard({"multiple": (2, 2)}, 1, 2)


def test_a_shard_that_is_there_twice_is_refused_by_name() -> None:
    message = refused("duplicate_shard", A, B, replace(A, source="copy.json"))
    assert message == "s0.json: shard 0 of 2 is already in copy.json; expected each shard once"


def test_a_missing_shard_is_refused_by_name() -> None:
    three = [replace(s, count=3) for s in (A, B)]
    expected = "m: shard 2 of 3 is missing; expected every shard from 0 to 2, or --partial"
    assert refused("missing_shard", *three) == expected


def test_with_partial_a_missing_shard_is_named_on_the_run() -> None:
    (run,) = union([replace(A, count=3)], partial=True)
    assert run.missing == (1, 2)
    assert run.partial


CHANGES: dict[str, Callable[[Shard], Shard]] = {
    "git_sha is 'other', but 'abc'": lambda s: replace(s, identity=(("git_sha", "other"),)),
    "params.seed is '7', but absent": lambda s: replace(s, identity=(*s.identity, ("params.seed", "7"))),
    "shard count is '3', but '2'": lambda s: replace(s, count=3),
    "release is 'V3', but 'not stated'": lambda s: replace(s, release="V3"),
}


@pytest.mark.parametrize("text", CHANGES)
def test_a_shard_of_another_run_is_refused_and_the_difference_named(text: str) -> None:
    message = refused("foreign_shard", A, CHANGES[text](B))
    assert message.startswith(f"s1.json: {text} in s0.json: a shard of another run of m")


def test_the_shard_that_differs_from_the_others_is_named_also_when_it_is_the_first() -> None:
    foreign = replace(shard({"multiple": (1, 2)}, 0, 9), source="foreign.json")
    message = refused("foreign_shard", foreign, *(shard({"multiple": (1, 2)}, k, 4) for k in (1, 2, 3)))
    assert message.startswith("foreign.json: shard count is '9', but '4' in s1.json: a shard of another run of m")
    assert "\n" not in message


def test_a_file_without_a_shard_index_among_shards_is_refused() -> None:
    assert "names no shard" in refused("foreign_shard", A, B, replace(B, index=None, source="whole.json"))


def test_two_whole_runs_of_a_model_are_refused() -> None:
    message = refused("duplicate_run", shard({"multiple": (1, 2)}), replace(shard({"multiple": (1, 2)}), source="z"))
    assert message == "z: a second whole run of m, after sNone.json; expected one run of a model"


def directory(source: str, *failures: str) -> Shard:
    return Shard("m", source, "score directory", {"multiple": Tally(1, 3)}, failures=frozenset(failures))


def test_directories_of_one_model_are_shards_only_when_asked_for() -> None:
    parts = directory("a", "x_1", "x_2"), directory("b", "x_3", "x_4")
    assert "--shards" in refused("duplicate_run", *parts)
    (run,) = union(parts, directories_are_shards=True)
    assert run.tallies == {"multiple": Tally(2, 6)}


def test_a_failed_sample_in_two_directories_is_refused_by_name() -> None:
    message = refused("duplicate_sample", directory("a", "x_1"), directory("b", "x_1", "x_2"), directories=True)
    assert message == "b: the failed sample x_1 is also in a; expected each sample in one shard"


def test_all_refusals_are_told_at_once() -> None:
    with pytest.raises(EvalreportError) as caught:
        union([A, A, replace(A, model="n", source="n.json")])
    assert [p.kind for p in caught.value.problems] == ["missing_shard", "missing_shard", "duplicate_shard"]


def test_models_do_not_mix() -> None:
    runs = union([shard({"multiple": (1, 2)}, model="b"), shard({"multiple": (2, 2)}, model="a")])
    assert [(r.model, r.tallies["multiple"].hits) for r in runs] == [("a", 2), ("b", 1)]
