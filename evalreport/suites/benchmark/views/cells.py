"""Pieces of the tables of the benchmark: names, numbers with their audit lines, intervals, badges, addresses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction

from evalreport.core.declare import Metric
from evalreport.core.exact import Undefined, fixed
from evalreport.core.table import Badge, Cell, Column, Count, Math, Missing, Num, Text, Words
from evalreport.core.words import decimal, percent
from evalreport.suites.benchmark.figure_words import figure_id
from evalreport.suites.benchmark.notation import bench
from evalreport.suites.benchmark.pages import audit_page, number_address, number_anchor, subject_page
from evalreport.suites.benchmark.results import BenchmarkResults, Family, Pair, Subject, VersionResults
from evalreport.suites.benchmark.values import bin_ids, difference_ids, family_ids, pair_ids, subject_ids

FILES = "data/benchmark"


def metric(key: str) -> Metric:
    """The declaration of a number by its key without the suite."""
    return bench.metrics[f"benchmark.{key}"]


def table_id(results: BenchmarkResults, version: VersionResults | Subject, *parts: str) -> str:
    """The address of a table; the benchmark version is in it when there are several."""
    return f"benchmark-{figure_id(results, version.benchmark_version, *parts)}"


def of_version(results: BenchmarkResults, version: VersionResults) -> str:
    """The sentence that names the benchmark version, where there are several."""
    return f"Benchmark version {version.benchmark_version}. " if results.several_versions else ""


def level(results: BenchmarkResults) -> str:
    """The confidence level in percent."""
    return percent(results.settings.fraction("level"))


def alpha_words(results: BenchmarkResults) -> Words:
    """The weight of this build, as formulas write it."""
    return (Math(r"\alpha"), f" {decimal(results.settings.fraction('alpha'))}")


def named(results: BenchmarkResults, subject: Subject, *, linked: bool = True) -> Text:
    """Subject and version, leading to their page; a version that repeats the subject stands alone."""
    href = subject_page(results, subject) if linked else ""
    if subject.subject_id and subject.subject_version.startswith(subject.subject_id):
        return Text(subject.subject_version, href=href)
    return Text(subject.subject_id, subject.subject_version, href)


def number(
    results: BenchmarkResults, subject: Subject, key: str, *, signed: bool = False, usual_label: str | None = None
) -> Num:
    """A number of a subject version with its audit line; `usual_label` leaves out the word that the head has."""
    value = subject.values[key]
    own = subject.labels.get(key, "")
    label = own.lower() if usual_label is not None and own != usual_label and value != 0 else ""
    return Num(value, metric(key).decimals, address(results, subject, key), signed=signed, label=label)


def count(results: BenchmarkResults, subject: Subject, key: str, *, alert: bool = False) -> Cell:
    """How many runs or responses, with the audit line; a count that a reader must not miss is stressed."""
    value = subject.values[key]
    if isinstance(value, Undefined):
        return Missing(value.reason)
    return Count(int(value), href=address(results, subject, key), alert=alert and value > 0)


def address(results: BenchmarkResults, subject: Subject, key: str) -> str:
    """Where a number of a subject version is audited."""
    of = subject_ids(subject, several=results.several_versions)
    return f"{audit_page(results, subject)}#{number_anchor(f'benchmark.{key}', of)}"


def family_address(results: BenchmarkResults, subject: Subject, family: Family, key: str) -> str:
    """Where a number of a family is audited."""
    of = family_ids(subject, family, several=results.several_versions)
    return f"{audit_page(results, subject)}#{number_anchor(f'benchmark.family.{key}', of)}"


def bin_address(results: BenchmarkResults, subject: Subject, number: int, key: str) -> str:
    """Where a number of a confidence bin is audited."""
    of = bin_ids(subject, number, several=results.several_versions)
    return f"{audit_page(results, subject)}#{number_anchor(f'benchmark.bin.{key}', of)}"


def pair_address(results: BenchmarkResults, pair: Pair, key: str) -> str:
    """Where a number of a pair is audited."""
    return number_address(results, f"benchmark.pair.{key}", pair_ids(pair, several=results.several_versions))


def tested_address(results: BenchmarkResults, pair: Pair, difference: str) -> str:
    """Where the p-values and the detectable difference of one difference are audited."""
    of = difference_ids(pair, difference, several=results.several_versions)
    return number_address(results, "benchmark.pair.p_value", of)


def standing(subject: Subject) -> Badge:
    """The badge of a subject version: why it is ranked or not."""
    match subject.status:
        case "Disqualified":
            return Badge("alert", "disqualified", "at least one run has a critical fail")
        case "Incomplete":
            words = f"{subject.n_cases} of {subject.n_cases_total} cases"
            return Badge("dashed", words, "not scored on every case: not ranked")
        case "NoData":
            return Badge("dashed", "no data", "no scored runs")
        case _:
            return Badge("plain", "eligible")


def usual_labels(subjects: Sequence[Subject], keys: Iterable[str]) -> dict[str, str]:
    """For each number the sample-size word that most subject versions share; it stands once, in the head."""
    found = {}
    for key in keys:
        words = Counter(s.labels[key] for s in subjects if key in s.labels)
        found[key] = max(sorted(words), key=words.__getitem__, default="")
    return found


def labelled(key: str, label: str, *, strong: bool = False) -> Column:
    """The column of a number with the word for its sample size below the head."""
    known = metric(key)
    title = f"{known.name}, {known.sub}" if known.sub else known.name
    return Column.of(known, sub=label.lower() or known.sub, title=title, strong=strong)


def weight_text(alpha: Fraction) -> str:
    """A weight with at least two decimals and as many as it needs.

    >>> weight_text(Fraction(1, 2)), weight_text(Fraction(1, 8))
    ('0.50', '0.125')
    """
    decimals = 2
    while (alpha * 10**decimals).denominator != 1 and decimals < 12:
        decimals += 1
    return fixed(alpha, decimals)
