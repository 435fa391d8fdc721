"""The published numbers of the signals: what stands in `results.json`."""

from __future__ import annotations

from collections.abc import Iterator

from evalreport.core.suite import Ids, ResultValue
from evalreport.suites.signals.catalogue import completeness_fields
from evalreport.suites.signals.records import Triple
from evalreport.suites.signals.results import SignalsResults, TripleResult


def result_values(results: SignalsResults) -> Iterator[ResultValue]:
    """Every published number: of the triples, the benchmarks, the items, the fields, the corpus."""
    for triple in results.triples:
        yield from _of_triple(triple)
    fields = len(completeness_fields().fields)
    for one in results.benchmarks:
        of: Ids = (("benchmark", one.benchmark.name),)
        yield ResultValue("signals.completeness", of, one.strict, fields)
        yield ResultValue("signals.completeness_literal", of, one.literal, fields)
        yield ResultValue("signals.missing_fields", of, one.missing, fields)
    for item in results.items:
        of = (("item", item.item.key),)
        yield ResultValue("signals.applicable_tuples", of, item.applicable, len(results.triples))
        yield ResultValue("signals.undisclosed_share", of, item.share, len(results.triples))
        where = item.share_where_applicable
        yield ResultValue("signals.undisclosed_where_applicable", of, where, item.applicable)
    for field in results.fields:
        of = (("field", field.field.name),)
        yield ResultValue("signals.population_rate", of, field.strict, len(results.benchmarks))
        yield ResultValue("signals.population_rate_literal", of, field.literal, len(results.benchmarks))
    for rate in results.rates:
        yield ResultValue(f"signals.{rate.metric}", (), rate.value, rate.of)


def triple_ids(triple: Triple) -> Ids:
    """The ids of a result triple."""
    return (("model", triple.model), ("benchmark", triple.benchmark), ("metric", triple.metric))


def _of_triple(found: TripleResult) -> Iterator[ResultValue]:
    of, n = triple_ids(found.triple), len(found.reports)
    yield ResultValue("signals.reproducibility_gap", of, found.gap, n)
    yield ResultValue("signals.reports", of, n, n)
    yield ResultValue("signals.organisations", of, len(found.organisations), n)
    yield ResultValue("signals.first_party_only", of, found.first_party_only, n)
    yield ResultValue("signals.multi_party", of, found.multi_party, n)
    if not found.multi_party:
        return  # a single report is compared with nothing
    setups, parties = found.over_setups, found.over_parties
    yield ResultValue("signals.variant_spread", of, setups.spread, setups.groups)
    yield ResultValue("signals.variant_divergence", of, setups.flag, setups.groups)
    yield ResultValue("signals.within_party_spread", of, found.within_party.spread, found.within_party.groups)
    yield ResultValue("signals.within_party_divergence", of, found.within_party.flag, found.within_party.groups)
    for party, score in found.party_scores.items():
        yield ResultValue("signals.party_score", (*of, ("party", party)), score, len(found.by_party[party]))
    yield ResultValue("signals.cross_party_spread", of, parties.spread, parties.groups)
    yield ResultValue("signals.cross_party_divergence", of, parties.flag, parties.groups)
    yield ResultValue("signals.comparability", of, found.combined, n)
