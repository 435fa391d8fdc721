"""Each published score beside its printed formula, evaluated over the tallies of the shards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from evalreport.core.formula import Evaluation
from evalreport.core.suite import AuditEntry, RecordTable
from evalreport.suites.bfcl.compute import Results
from evalreport.suites.bfcl.metrics import DECLARATIONS, SCORES, subset_accuracy
from evalreport.suites.bfcl.outcome import Outcome
from evalreport.suites.bfcl.records import NOT_RUN, Run, Shard
from evalreport.suites.bfcl.rules import Rules, categories, terms


def evaluation(run: Run, outcome: Outcome) -> Evaluation:
    """The formulas of the suite over the shards of one run, under one family of rules."""
    rules = outcome.rules

    def hits(shard: Shard, subset: str) -> int:
        return shard.tallies.get(subset, NOT_RUN).hits

    def samples(shard: Shard, subset: str) -> int:
        return shard.tallies.get(subset, NOT_RUN).n

    return DECLARATIONS.notation().over(
        {
            r"\mathrm{rules}": rules.name,
            "J": run.shards,
            "S": counted(outcome),
            "h_{j,s}": hits,
            "n_{j,s}": samples,
            r"\mathrm{cat}_s": lambda s: _category(rules, s),
            r"\mathrm{term}_s": lambda s: _term(rules, s),
        },
        terms=2,
    )


def counted(outcome: Outcome) -> tuple[str, ...]:
    """The subsets that the rules count, in the order of the tree, then those without a place in it."""
    listed = outcome.shape.subsets() if outcome.shape else ()
    return (*listed, *(outcome.uncounted if outcome.rules.flat else ()))


def _category(rules: Rules, subset: str) -> str:
    found = rules.category_of(subset)
    return found.key if found else "none"


def _term(rules: Rules, subset: str) -> str:
    found = rules.category_of(subset)
    return next((t.key for t in terms(found) if subset in t.subsets()), subset) if found else subset


def audit(results: Results) -> Iterable[AuditEntry]:
    """One entry for each score of each model and for each of its subsets."""
    metrics = DECLARATIONS.metrics
    for m in results.models:
        formulas = evaluation(m.run, m.outcome)
        for key in SCORES:
            yield AuditEntry(
                metric=metrics[f"bfcl.{key}"],
                of=(("model", m.model), ("rules", results.rules)),
                value=m.outcome.scores[key],
                evaluation=formulas,
                records=_records(m.run, _below(m.outcome, key)),
                settings=("rules", "partial", "shards"),
            )
        for subset in sorted(set(m.run.tallies) | set(m.outcome.weights)):
            yield AuditEntry(
                metric=metrics["bfcl.subset"],
                of=(("model", m.model), ("subset", subset)),
                value=subset_accuracy(m.run.tallies, subset),
                evaluation=formulas,
                args=(subset,),
                records=_records(m.run, (subset,)),
                settings=("partial", "shards"),
            )


def _below(outcome: Outcome, key: str) -> tuple[str, ...]:
    """The subsets that a score is made of, in the order of the sum."""
    whole = counted(outcome)
    if key == "overall":
        return whole
    if key == "normalized":
        run = [c for c in categories(outcome.rules.tree) if c.key in outcome.present]
        return tuple(s for c in run for s in c.subsets() if s in whole)
    node = next((n for n in outcome.shape.walk() if n.key == key), None) if outcome.shape else None
    return node.subsets() if node else ()


def _records(run: Run, subsets: Sequence[str]) -> RecordTable:
    rows = []
    for subset in subsets:
        for shard in run.shards:
            tally = shard.tallies.get(subset, NOT_RUN)
            name = shard.source if shard.index is None else f"{shard.index} of {shard.count}: {shard.source}"
            rows.append((subset, name, str(tally.hits), str(tally.n)))
    return RecordTable(("subset", "shard", "hits", "n"), tuple(rows))
