"""The CSV files of the suite. Accuracies are fractions with four decimals; what has no value is an empty cell."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from evalreport.core.exact import csv_text, fixed
from evalreport.core.suite import CsvTable, Interval, ResultValue
from evalreport.suites.bfcl.compute import ModelResult, Results
from evalreport.suites.bfcl.metrics import SCORES, subset_accuracy
from evalreport.suites.bfcl.outcome import expected_sizes
from evalreport.suites.bfcl.records import NOT_RUN
from evalreport.suites.bfcl.rules import RULES
from evalreport.suites.bfcl.tree import tree_lines

_COLUMNS = tuple("overall normalized non_live live hallucination multi_turn agentic web_search memory".split())  # noqa: SIM905


def tables(results: Results) -> tuple[CsvTable, ...]:
    """Every CSV file of the suite; rows by model, then in the order of names."""
    return (
        _subsets(results),
        _scores(results),
        _rules(results),
        _tree(results),
        _shards(results),
        _shard_means(results),
        _official(results),
        CsvTable("bfcl_notes", ("about", "note"), tuple((n.where, n.text) for n in results.notes)),
    )


def _limits(interval: Interval | None) -> tuple[str, str]:
    if interval is None or interval.low is None or interval.high is None:
        return "", ""
    return fixed(interval.low, 4), fixed(interval.high, 4)


def _subsets(results: Results) -> CsvTable:
    rows = []
    for m in results.models:
        rules = m.outcome.rules
        sizes = expected_sizes(rules, m.run.release)
        listed = set(m.outcome.weights) | set(m.run.tallies) | (set(rules.tree.subsets()) - rules.optional)
        for subset in sorted(listed):
            tally = m.run.tallies.get(subset, NOT_RUN)
            category = rules.category_of(subset)
            expected = sizes.get(subset)
            weight = m.outcome.weights.get(subset)
            rows.append(
                (
                    m.model,
                    category.key if category else "",
                    subset,
                    str(tally.hits) if tally.n else "",
                    str(tally.n),
                    str(expected or ""),
                    fixed(Fraction(tally.n, expected), 4) if expected else "",
                    csv_text(tally.accuracy),
                    *_limits(m.subset_intervals.get(subset)),
                    fixed(weight, 4) if weight is not None else "",
                )
            )
    header = ("model", "category", "subset", "hits", "n", "expected_n", "coverage", "accuracy", "low", "high", "weight")
    return CsvTable("bfcl_subsets", header, tuple(rows))


def _scores(results: Results) -> CsvTable:
    rows = tuple(
        (
            m.model,
            results.rules,
            *(csv_text(m.outcome.scores[key]) for key in _COLUMNS),
            str(m.outcome.samples),
            fixed(m.outcome.covered, 4),
            m.status(results.rules),
            *(limit for key in ("overall", "normalized") for limit in _limits(m.intervals.get(key))),
        )
        for m in results.models
    )
    ends = ("samples", "covered_weight", "status", "overall_low", "overall_high", "normalized_low", "normalized_high")
    return CsvTable("bfcl_scores", ("model", "rules", *_COLUMNS, *ends), rows)


def _rules(results: Results) -> CsvTable:
    """What the same run is called under each family."""
    rows = tuple(
        (
            m.model,
            name,
            csv_text(m.under[name].scores["overall"]),
            csv_text(m.under[name].scores["normalized"]),
            fixed(m.under[name].covered, 4),
            m.status(name),
        )
        for m in results.models
        for name in RULES
    )
    return CsvTable("bfcl_rules", ("model", "rules", "overall", "normalized", "covered_weight", "status"), rows)


def _tree(results: Results) -> CsvTable:
    """The tree that made each model's scores, parents before children."""
    rows = tuple(
        (
            m.model,
            results.rules,
            str(line.depth),
            line.key,
            line.how,
            fixed(line.share, 4),
            fixed(line.weight, 4),
            str(line.hits),
            str(line.n),
            csv_text(line.value),
        )
        for m in results.models
        for line in tree_lines(m.run.tallies, m.outcome)
    )
    header = ("model", "rules", "depth", "node", "how", "share", "weight", "hits", "n", "accuracy")
    return CsvTable("bfcl_tree", header, rows)


def _shards(results: Results) -> CsvTable:
    rows = tuple(
        (
            m.model,
            "" if s.shard.index is None else str(s.shard.index),
            str(s.shard.count if s.shard.index is not None else len(m.shards)),
            s.shard.source,
            str(s.outcome.samples),
            csv_text(s.outcome.scores["overall"]),
            csv_text(s.outcome.scores["normalized"]),
            *(s.stored[key].official if key in s.stored else "" for key in ("overall", "normalized")),
            *(s.stored[key].status if key in s.stored else "" for key in ("overall", "normalized")),
        )
        for m in results.models
        for s in m.shards
    )
    header = ("model", "shard", "shards", "source", "samples", "overall", "normalized", "stored_overall")
    return CsvTable("bfcl_shards", (*header, "stored_normalized", "overall_status", "normalized_status"), rows)


def _shard_means(results: Results) -> CsvTable:
    """The wrong way beside the right one."""
    rows = tuple(
        (m.model, results.rules, s.score, fixed(s.union, 6), fixed(s.mean_of_shards, 6), fixed(s.difference, 6))
        for m in results.models
        for s in m.shard_means
    )
    return CsvTable("bfcl_shard_means", ("model", "rules", "score", "union", "mean_of_shards", "difference"), rows)


def _official(results: Results) -> CsvTable:
    rows = tuple(
        (
            m.model,
            f.rules,
            f.figure,
            f.official,
            "" if f.ours is None else f"{f.ours}%",
            csv_text(f.value, 6),
            "" if f.difference is None else fixed(f.difference, 2),
            f.status,
        )
        for m in results.models
        for f in m.official
    )
    header = ("model", "rules", "figure", "official", "ours", "accuracy", "difference", "status")
    return CsvTable("bfcl_official", header, rows)


def values(results: Results) -> Iterable[ResultValue]:
    """Every number of `results.json`: the scores of each model under the rules, and its subsets."""
    for m in results.models:
        for key in SCORES:
            interval = m.intervals.get(key)
            n = interval.n if interval else m.outcome.samples if key in ("overall", "normalized") else 0
            of = (("model", m.model), ("rules", results.rules))
            yield ResultValue(f"bfcl.{key}", of, m.outcome.scores[key], n, interval)
        yield from _subset_values(m)


def _subset_values(m: ModelResult) -> Iterable[ResultValue]:
    for subset in sorted(set(m.run.tallies) | set(m.outcome.weights)):
        yield ResultValue(
            "bfcl.subset",
            (("model", m.model), ("subset", subset)),
            subset_accuracy(m.run.tallies, subset),
            m.run.tallies.get(subset, NOT_RUN).n,
            m.subset_intervals.get(subset),
        )
