"""Appendix D: how far the scores of one result lie apart over setups and parties, beside the threshold."""

from __future__ import annotations

from evalreport.core.exact import Undefined
from evalreport.core.table import Cell, Column, Count, Missing, RowGroup, Table, Text
from evalreport.core.words import decimal, many
from evalreport.suites.signals.pages import benchmark_address
from evalreport.suites.signals.results import Divergence, SignalsResults, TripleResult
from evalreport.suites.signals.views.cells import (
    FILES,
    cut_words,
    flag_link,
    listed,
    metric,
    of_all,
    rows,
    scale_words,
    score_words,
    table_id,
    triple_number,
)


def compared(results: SignalsResults) -> tuple[TripleResult, ...]:
    """The triples that several setups or several parties report, by name."""
    return tuple(t for t in results.triples if t.status != "not applicable")


def spread_words(results: SignalsResults) -> str:
    """How many of the triples that can be compared diverge, and how many have no range."""
    found = compared(results)
    if not found:
        return "No result is reported under several setups or by several parties: there is nothing to compare."
    computed = [t.combined for t in found if not isinstance(t.combined, Undefined)]
    diverging = sum(int(flag) for flag in computed)
    without = len(found) - len(computed)
    words = f"{of_all(diverging, len(computed), 'result', verb='lies/lie', which=' that can be compared')}"
    return f"{words} further apart than the threshold" + (f"; {without} have no usable range." if without else ".")


def flag_words(found: TripleResult) -> str:
    """What the combined flag says of a triple: whether its spread lies beyond the threshold that holds for it."""
    if isinstance(found.combined, Undefined):
        return "not computable"
    return f"{'beyond' if found.combined else 'within'} {decimal(found.threshold)}"


def spreads(results: SignalsResults) -> Table:
    """Every triple that can be compared: spreads, threshold, flag, and in what its setups differ."""
    found = compared(results)

    def row(t: TripleResult) -> tuple[Cell, ...]:
        triple = t.triple
        detail = " · ".join(filter(None, (triple.split, triple.metric)))
        return (
            Text(triple.model),
            Text(triple.path, detail, benchmark_address(results, triple.canonical)),
            flag_link(results, t, "comparability", flag_words(t)),
            _spread(results, t, "variant", t.over_setups),
            _spread(results, t, "within_party", t.within_party),
            _spread(results, t, "cross_party", t.over_parties),
            Text(score_words(t), scale_words(t)),
            Text(", ".join(t.differing_fields)) if t.differing_fields else Missing("one setup"),
        )

    rest = len(results.triples) - len(found)
    return Table(
        id=table_id("comparability"),
        finding=spread_words(results),
        text=f"Spread: highest minus lowest score as a share of the metric's own scale; the flag names the"
        f" threshold. For {many(rest, 'result')} of"
        f" one setup and one party the flag does not apply; they are not listed.{cut_words(found, 'comparability')}",
        columns=(
            Column("model", "Model", sticky=True),
            Column("benchmark", "Benchmark", "path, split, metric", wrap=True),
            Column("flag", "Flag", "to its evidence"),
            Column.of(metric("variant_spread")),
            Column.of(metric("within_party_spread")),
            Column.of(metric("cross_party_spread")),
            Column("scores", "Scores", "and the metric's scale", sortable=False),
            Column("fields", "Setups differ", "in", sortable=False),
        ),
        groups=(RowGroup("", rows([row(t) for t in listed(found)])),),
        downloads=(("CSV", f"{FILES}/comparability.csv"),),
        empty="No result is reported under several setups or by several parties.",
        wide=True,
    )


def _spread(results: SignalsResults, t: TripleResult, key: str, found: Divergence) -> Cell:
    if found.groups <= 1:
        return Missing("one setup" if key != "cross_party" else "one party")
    return triple_number(results, t, f"{key}_spread", found.spread)


def statuses(results: SignalsResults) -> Table:
    """How many triples the flags apply to, over setups, over parties, and both together."""
    kinds = (
        ("Over setups", [t.over_setups.status for t in results.triples], [t.over_setups.flag for t in results.triples]),
        (
            "Over parties",
            [t.over_parties.status for t in results.triples],
            [t.over_parties.flag for t in results.triples],
        ),
        ("Either way", [t.status for t in results.triples], [t.combined for t in results.triples]),
    )
    cells: list[tuple[Cell, ...]] = []
    for name, found, flags in kinds:
        computed = [flag for status, flag in zip(found, flags, strict=True) if status == "computed"]
        diverging = sum(int(flag) for flag in computed if not isinstance(flag, Undefined))
        cells.append(
            (
                Text(name),
                Count(diverging, len(computed)),
                Count(found.count("not computable")),
                Count(found.count("not applicable")),
                Count(len(found)),
            )
        )
    applicable = sum(t.status != "not applicable" for t in results.triples)
    return Table(
        id=table_id("statuses"),
        finding=f"The flags apply to {of_all(applicable, len(results.triples), 'result')}.",
        text="Not computable: the reports state no range, an infinite or empty one, or different ones; none is assumed."
        " Not applicable: one setup, or one party.",
        columns=(
            Column("over", "Compared", sticky=True, sortable=False),
            Column("diverging", "Diverge", "of those computed", "r", sortable=False),
            Column("not-computable", "Not computable", align="r", sortable=False),
            Column("not-applicable", "Not applicable", align="r", sortable=False),
            Column("all", "Results", "in all", "r", sortable=False),
        ),
        groups=(RowGroup("", rows(cells)),),
        compact=True,
    )
