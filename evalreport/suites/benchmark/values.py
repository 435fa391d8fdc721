"""Every published number with its ids: the lines of `results.json`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from evalreport.core.exact import Value
from evalreport.core.suite import Ids, ResultValue
from evalreport.suites.benchmark.metrics_pairs import pair_p_holm, pair_p_value
from evalreport.suites.benchmark.results import BenchmarkResults, Difference, Family, Pair, Subject

# What tests a difference: the p-value of this pair alone, the one corrected for all, what the cases can find.
TESTS: Mapping[str, Callable[[Difference], Value]] = {
    "pair.p_value": lambda d: pair_p_value(d.p),
    "pair.p_holm": lambda d: pair_p_holm(d.adjusted),
    "pair.detectable": lambda d: d.detectable,
}


def values(results: BenchmarkResults) -> Iterator[ResultValue]:
    """All numbers of subject versions, families, bins and pairs."""
    several = results.several_versions
    for s in results.subjects:
        for key, value in s.values.items():
            yield ResultValue(f"benchmark.{key}", subject_ids(s, several=several), value, s.n, s.intervals.get(key))
        for f in s.families:
            for key, value in f.values.items():
                yield ResultValue(f"benchmark.family.{key}", family_ids(s, f, several=several), value, f.n)
        for b in s.bins:
            ids = bin_ids(s, b.number, several=several)
            yield ResultValue("benchmark.bin.n", ids, b.n, b.n)
            yield ResultValue("benchmark.bin.confidence", ids, b.confidence, b.n)
            yield ResultValue("benchmark.bin.correctness", ids, b.correctness, b.n, b.interval if b.n else None)
    for version in results.versions:
        for p in version.pairs:
            for key, d in p.differences.items():
                ids = pair_ids(p, several=several)
                yield ResultValue(f"benchmark.pair.{key}", ids, d.value, len(p.cases), d.interval)
                ids = difference_ids(p, key, several=several)
                for test, of_difference in TESTS.items():
                    yield ResultValue(f"benchmark.{test}", ids, of_difference(d), len(p.cases))


def subject_ids(s: Subject, *, several: bool) -> Ids:
    """Whose number it is; the benchmark version is named only where there are several."""
    return (
        ("subject_id", s.subject_id),
        ("subject_version", s.subject_version),
        *_version(s.benchmark_version, several=several),
    )


def family_ids(s: Subject, f: Family, *, several: bool) -> Ids:
    """A family of a subject version."""
    return (
        ("subject_id", s.subject_id),
        ("subject_version", s.subject_version),
        ("family", f.family),
        *_version(s.benchmark_version, several=several),
    )


def bin_ids(s: Subject, number: int, *, several: bool) -> Ids:
    """A confidence bin of a subject version, numbered from 1."""
    return (
        ("subject_id", s.subject_id),
        ("subject_version", s.subject_version),
        ("bin", str(number)),
        *_version(s.benchmark_version, several=several),
    )


def pair_ids(p: Pair, *, several: bool) -> Ids:
    """Two subject versions."""
    return (*_pair(p), *_version(p.benchmark_version, several=several))


def difference_ids(p: Pair, difference: str, *, several: bool) -> Ids:
    """Two subject versions and what of them is compared."""
    return (*_pair(p), ("difference", difference), *_version(p.benchmark_version, several=several))


def _pair(p: Pair) -> Ids:
    return (("subject_a", p.a[0]), ("version_a", p.a[1]), ("subject_b", p.b[0]), ("version_b", p.b[1]))


def _version(version: str, *, several: bool) -> Ids:
    return (("benchmark_version", version),) if several else ()
