"""What the pages of signals show: counts, words, evidence, addresses; counted by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.core.exact import Undefined
from evalreport.core.suite import PageJob
from evalreport.core.table import Badge, Cell, Code, Count, Link, Missing, Num, Table, Text, plain
from evalreport.report.tables import table_fragment
from evalreport.suites.signals import SUITE, pages, views
from evalreport.suites.signals.catalogue import completeness_fields, setup_items
from evalreport.suites.signals.results import SignalsResults, TripleResult
from evalreport.suites.signals.values import result_values
from evalreport.suites.signals.views import audit, benchmark, evidence, overview
from tests.suites.signals.made import full_card, of, record, result

HOSTILE = "<b>x</b> $y$ | `z` ../\n模型"


def of_model(model: str, *results: dict[str, object], **more: object) -> dict[str, object]:
    return record(*results, model_info={"id": model}, **more)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> SignalsResults:
    """Five results on two benchmarks, one with a card, and a card of no benchmark.

    m-1 discloses decoding and output length; two parties report m-2, 0.2 apart; m-3 is scored from log-probabilities;
    m-4 states one attempt, which the schema fills in; the one of a hostile name says nothing.
    """
    sampled = {"temperature": 0, "max_tokens": 256}
    other = {
        **result(0.7),
        "evaluation_name": "Other",
        "source_data": {"dataset_name": "Other", "source_type": "other"},
    }
    return of(
        tmp_path_factory.mktemp("corpus"),
        of_model("m-1", result(0.5, args=sampled)),
        of_model("m-2", result(0.5), by="first_party"),
        of_model("m-2", result(0.7)),
        of_model("m-3", result(0.5, details={"output_type": "multiple_choice"})),
        of_model("m-4", result(0.5, args={"max_attempts": 1, "agentic_eval_config": {"tools": ["search"]}})),
        of_model(HOSTILE, other),
        full_card(ethical_and_legal_considerations__consent_procedures="Not specified"),
        full_card("Nobody's"),
    )


def triple(results: SignalsResults, model: str) -> TripleResult:
    return next(found for found in results.triples if found.triple.model == model)


def cells(table: Table, key: str) -> list[Cell]:
    at = [column.key for column in table.columns].index(key)
    return [row.cells[at] for row in table.rows()]


def texts(table: Table, key: str) -> list[str]:
    return [cell.text for cell in cells(table, key) if isinstance(cell, (Text, Code, Link, Badge))]


def row_of(table: Table, first: str) -> dict[str, Cell]:
    keys = [column.key for column in table.columns]
    return next(
        dict(zip(keys, row.cells, strict=True))
        for row in table.rows()
        if isinstance(head := row.cells[0], Text) and head.text == first
    )


def all_tables(results: SignalsResults) -> Iterator[Table]:
    whole = (
        *(views.headline, views.items, views.gaps, views.no_score, views.fields, views.benchmarks, views.unmatched),
        *(views.triples, views.organisations, views.risks, views.statuses, views.thresholds, views.spreads),
    )
    for make in whole:
        yield make(results)
    for one in results.benchmarks:
        yield benchmark.card(one)
        yield benchmark.results_table(results, one)
    yield evidence.evidence_table(results.triples, 1)
    yield from (views.setup_table(), views.places_table(), views.field_table())


def test_an_item_is_counted_where_it_applies_and_the_rest_is_told_apart(results: SignalsResults) -> None:
    table = views.items(results)
    # five tuples; m-3 is excused from decoding, m-1 discloses it
    assert row_of(table, "Decoding")["undisclosed"] == Count(3, 4)
    assert row_of(table, "Decoding")["not-applicable"] == Count(1)
    # only m-4 says that it is agentic; of the other four nothing is known
    attempts = row_of(table, "Attempts")
    assert (attempts["undisclosed"], attempts["not-applicable"], attempts["left-out"]) == (
        Count(1, 1),
        Count(0),
        Count(4),
    )
    assert isinstance(share := attempts["signals.undisclosed_share"], Num)
    assert share.value == Fraction(1, 5)


def test_items_stand_by_count_not_by_share(results: SignalsResults) -> None:
    counts = [cell.n for cell in cells(views.items(results), "undisclosed") if isinstance(cell, Count)]
    assert counts == sorted(counts, reverse=True)
    assert texts(views.items(results), "item")[0] == "Harness version"
    assert plain(views.items(results).finding).startswith("5 of 5 results leave the harness version undisclosed")


def test_each_flag_leads_to_its_evidence_and_the_undisclosed_items_are_named(results: SignalsResults) -> None:
    row = row_of(views.gaps(results), "m-3")
    assert row["gap"] == Text("gap", href=pages.evidence_address(results, triple(results, "m-3"), "reproducibility"))
    assert row["items"] == Text("harness, harness version, test set")
    anchors = {row.anchor for row in evidence.evidence_table(results.triples, 1).rows()}
    for found in results.triples:
        for signal in ("reproducibility", "provenance"):
            assert pages.evidence_anchor(found, signal) in anchors
        assert (pages.evidence_anchor(found, "comparability") in anchors) is (found.triple.model == "m-2")


def test_the_evidence_names_file_and_path_of_what_is_said_and_the_fields_of_what_is_not(
    results: SignalsResults,
) -> None:
    said = row_of(evidence.evidence_table([triple(results, "m-1")], 1), "Decoding")
    path = "$.evaluation_results[0].generation_config.generation_args.temperature"
    assert said["verdict"] == Badge("plain", "disclosed")
    assert (said["file"], said["evidence"]) == (Text("000.json"), Code(f"{path} = 0"))
    left = row_of(evidence.evidence_table([triple(results, "m-1")], 1), "Test set")
    assert left["verdict"] == Badge("dashed", "undisclosed")
    assert isinstance(cell := left["evidence"], Text)
    assert cell.text == "none of split, eval_split, subset, n_tasks, n_samples, sample_size"


def test_a_default_that_only_repeats_the_schema_is_shown_as_the_cause(results: SignalsResults) -> None:
    attempts = row_of(evidence.evidence_table([triple(results, "m-4")], 1), "Attempts")
    assert attempts["verdict"] == Badge("dashed", "undisclosed")
    assert isinstance(cell := attempts["evidence"], Text)
    assert cell.text.endswith("generation_args.max_attempts = 1: only repeats the schema's default")


def test_why_an_item_is_not_asked_stands_with_it(results: SignalsResults) -> None:
    table = evidence.evidence_table([triple(results, "m-3")], 1)
    assert row_of(table, "Decoding")["verdict"] == Badge("quiet", "not applicable")
    assert row_of(table, "Decoding")["evidence"] == Text("scored from log-probabilities")
    assert row_of(table, "Attempts")["verdict"] == Badge("quiet", "left out")


def test_the_cause_of_a_gap_stands_before_what_is_disclosed(results: SignalsResults) -> None:
    table = evidence.evidence_table([triple(results, "m-1")], 1)
    first = [cell.text for cell in cells(table, "verdict")[:8] if isinstance(cell, Badge)]
    assert first == ["undisclosed"] * 3 + ["disclosed", "left out", "disclosed", "left out", "left out"]


def test_every_place_that_was_looked_up_is_in_the_file(results: SignalsResults) -> None:
    table = evidence.looked_up_table([triple(results, "m-1")])
    found = [dict(zip(table.header, row, strict=True)) for row in table.rows]
    tried = {line["path"] for line in found if line["about"] == "harness_version" and not line["value"]}
    assert "$.eval_library.version" in tried
    assert "$.evaluation_results[0].generation_config.generation_args.harness_version" in tried
    assert {line["file"] for line in found} == {"000.json"}


def test_two_parties_that_lie_apart_are_flagged_with_the_threshold_and_their_scores(results: SignalsResults) -> None:
    table = views.spreads(results)
    assert texts(table, "model") == ["m-2"]
    row = row_of(table, "m-2")
    assert isinstance(flag := row["flag"], Text)
    assert flag.text == "beyond 0.05"
    assert isinstance(spread := row["signals.cross_party_spread"], Num)
    assert spread.value == Fraction(7, 10) - Fraction(5, 10)
    assert row["signals.variant_spread"] == Missing("one setup")
    assert row["scores"] == Text("0.5 to 0.7", "on 0 to 1")
    assert cells(views.statuses(results), "diverging") == [Count(0, 0), Count(1, 1), Count(1, 1)]


def test_nobody_but_the_developer_is_told_apart_from_two_parties(results: SignalsResults) -> None:
    row = row_of(views.triples(results), "m-2")
    assert isinstance(parties := row["parties"], Text)
    assert parties.text == "first and third party"
    assert plain(views.triples(results).finding) == (
        "0 of 5 results are reported by the model's developer alone; 1 has more than one report."
    )
    assert cells(views.organisations(results), "reports") == [Count(6)]


def test_benchmarks_stand_by_name_and_cannot_be_ordered_by_completeness(results: SignalsResults) -> None:
    table = views.benchmarks(results)
    assert texts(table, "benchmark") == ["Other", "Trivia"]
    # 28 fields less two reserved ones and one placeholder
    assert [cell.value for cell in cells(table, "signals.completeness") if isinstance(cell, Num)] == [
        Fraction(3, 28),
        Fraction(25, 28),
    ]
    unsortable = {column.key for column in table.columns if not column.sortable}
    assert {f"signals.{key}" for key in ("completeness", "completeness_literal", "missing_fields")} <= unsortable


def test_a_placeholder_is_shown_for_what_it_is(results: SignalsResults) -> None:
    trivia = results.benchmark("Trivia")
    row = row_of(benchmark.card(trivia), "consent_procedures")
    assert row["verdict"] == Badge("dashed", "placeholder", "a placeholder: not populated")
    assert row["value"] == Text("Not specified")
    assert row_of(views.fields(results), "consent_procedures")["placeholder"] == Count(1)
    assert plain(benchmark.card(trivia).finding) == "25 of 28 fields are populated, 3 are missing."


def test_cards_and_benchmarks_without_each_other_are_listed(results: SignalsResults) -> None:
    table = views.unmatched(results)
    assert plain(table.finding) == "1 of 2 benchmarks has no card; 1 card is of no benchmark."
    assert texts(table, "name") == ["Other", "Nobody's"]


def test_the_headline_has_a_count_and_a_denominator_for_each_figure(results: SignalsResults) -> None:
    table = views.headline(results)
    assert table.id == "signals-headline"
    assert cells(table, "count")[0] == Count(5, 5)
    assert texts(table, "of")[0] == "tuples with a score"
    assert "None of the signals is a grade." in plain(table.finding)


def test_no_table_of_signals_uses_a_badge_or_count_that_means_good_or_bad(results: SignalsResults) -> None:
    for table in all_tables(results):
        assert not any(column.better for column in table.columns), table.id
        for row in table.rows():
            for cell in row.cells:
                assert not (isinstance(cell, Badge) and cell.kind == "alert"), table.id
                assert not (isinstance(cell, Count) and cell.alert), table.id


def test_every_table_can_be_printed_has_a_finding_and_an_address_of_its_own(results: SignalsResults) -> None:
    found = list(all_tables(results))
    assert len({table.id for table in found}) == len(found)
    for table in found:
        assert plain(table.finding)[-1] in ".:"
        assert table_fragment(table)["id"] == table.id
        assert "<b>x</b>" not in str(table_fragment(table))


def test_the_tables_of_the_methodology_are_the_data_files() -> None:
    assert len(list(views.setup_table().rows())) == len(setup_items().items) == 8
    assert len(list(views.field_table().rows())) == len(completeness_fields().fields) == 28
    assert len(list(views.places_table().rows())) == len(setup_items().places)


def test_every_published_number_has_a_page_and_is_on_it(results: SignalsResults) -> None:
    jobs = {job.docname for job in pages.page_jobs(results)}
    anchors: set[str] = set()
    anchors |= {f"{pages.CORPUS}#{number.anchor}" for number in audit.corpus(results)}
    series = [*audit.items(results), *audit.fields(results)]
    anchors |= {f"{pages.CORPUS}#{number.anchor}" for _, number in series}
    per_benchmark = audit.benchmarks(results, results.benchmarks)
    anchors |= {f"signals/audit/{pages.audited_name(1)}#{number.anchor}" for _, number in per_benchmark}
    per_triple = audit.triples(results, pages.triple_group(results, 1), 1)
    anchors |= {f"signals/audit/{pages.group_name(1)}#{number.anchor}" for _, number in per_triple}
    published = {pages.number_address(results, value.metric, value.of) for value in result_values(results)}
    assert published == anchors
    assert {address.partition("#")[0] for address in published} <= jobs


def many_results(results: SignalsResults, count: int) -> SignalsResults:
    first = triple(results, "m-1")
    copies = tuple(replace(first, triple=replace(first.triple, model=f"n-{k:05}")) for k in range(count))
    return replace(results, triples=(*copies, triple(results, "m-2")))


def of_kind(jobs: tuple[PageJob, ...], notebook: str) -> list[str]:
    return [job.title for job in jobs if job.notebook == notebook]


def test_thousands_of_results_do_not_make_thousands_of_pages(results: SignalsResults) -> None:
    large = many_results(results, 3_000)
    jobs = pages.page_jobs(large)
    assert len(of_kind(jobs, "signals_audit_results")) == 2_000 / 40
    assert of_kind(jobs, "signals_audit_results")[-1] == "Evidence for results 1961 to 2000"
    assert len(list(views.gaps(large).rows())) == 1_000
    assert "The first 1,000 of 3,001" in plain(views.gaps(large).text)
    # what can be compared comes first, so that its evidence is shown whatever it is called
    assert pages.triple_group(large, 1)[0].triple.model == "m-2"
    last = large.triples[2_999]
    assert pages.evidence_address(large, last, "provenance") == ""
    assert pages.number_address(large, "signals.reports", (("model", "n-02999"), ("benchmark", last.triple.benchmark),
                                                           ("metric", last.triple.metric))) == ""  # fmt: skip


def test_very_many_benchmarks_share_pages_and_keep_an_address(results: SignalsResults) -> None:
    one = results.benchmark("Trivia")
    names = [f"b-{k:03}" for k in range(101)]
    many = tuple(replace(one, benchmark=replace(one.benchmark, name=name)) for name in names)
    large = replace(results, benchmarks=many)
    assert of_kind(pages.page_jobs(large), "signals_benchmark") == []
    assert of_kind(pages.page_jobs(large), "signals_benchmarks")[-1] == "Benchmarks 101 to 101"
    assert pages.benchmark_address(large, "b-100") == "signals/benchmark/group-06#benchmark-b-100"
    assert [b.benchmark.name for b in pages.benchmark_group(large, 6)] == ["b-100"]
    assert pages.benchmark_address(results, "b-1") == "signals/benchmark/b-1"


def test_the_versions_of_both_tables_and_single_thresholds_are_on_every_page(tmp_path: Path) -> None:
    (tmp_path / "mapping.yml").write_text("thresholds: {accuracy: 0.1}", "utf-8")
    found = of(tmp_path, record(), mapping=str(tmp_path / "mapping.yml"))
    assert SUITE.scope(found) == {
        "field_table_version": "1",
        "own_thresholds": "accuracy 0.1",
        "setup_items_version": "1",
    }
    assert cells(views.thresholds(found), "threshold") == [Code("0.05"), Code("0.1")]


def test_nothing_read_is_said_to_be_nothing(results: SignalsResults) -> None:
    none = replace(results, triples=(), benchmarks=(), rates=tuple(
        replace(rate, value=Undefined("nothing"), n=0, of=0) for rate in results.rates
    ))  # fmt: skip
    assert plain(views.spreads(none).finding).startswith("No result is reported under several setups")
    assert plain(views.gaps(none).finding) == "0 of 0 results have a reproducibility gap."
    facts = overview.facts(none, "gap_rate")
    assert (facts[0].value, facts[0].detail) == ("–", "no tuples with a score")
