"""How complete the reporting of a benchmark is: 28 fields, strict and literal, with what fills them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.core.exact import Undefined
from evalreport.errors import EvalreportError
from evalreport.suites.signals.catalogue import completeness_fields
from evalreport.suites.signals.evidence import completeness
from tests.suites.signals.made import benchmark, computed, full_card, of, rate, record, result, table, write

RESERVED = "evalcards: {trivia: {lifecycle_status: active, preregistration_url: 'https://example.org'}}\n"


def test_there_are_twenty_eight_fields_of_three_sources() -> None:
    fields = completeness_fields().fields
    assert len(fields) == 28
    coverage = [field.coverage for field in fields]
    assert [coverage.count(kind) for kind in ("full", "partial", "reserved")] == [25, 1, 2]
    assert [field.sub for field in fields if field.coverage == "partial"] == [
        ("data.annotation", "data.format", "data.size", "data.source")
    ]


def test_a_full_card_full_records_and_both_reserved_fields_are_complete(tmp_path: Path) -> None:
    folder = write(tmp_path, [record(), full_card()])
    (folder / "mapping.yml").write_text(RESERVED)
    found = benchmark(computed(folder))
    assert (found.strict, found.literal, found.missing) == (1, 1, 0)


def test_without_the_reserved_fields_twenty_six_of_twenty_eight_remain(tmp_path: Path) -> None:
    found = benchmark(of(tmp_path, record(), full_card()))
    assert (found.strict, found.missing) == (Fraction(26, 28), 2)


def test_a_benchmark_without_a_card_has_the_three_fields_of_its_records(tmp_path: Path) -> None:
    found = benchmark(of(tmp_path, record()))
    assert (found.strict, found.missing, found.benchmark.card) == (Fraction(3, 28), 25, None)


def test_a_partial_field_with_two_of_four_sub_items_is_a_half(tmp_path: Path) -> None:
    card = full_card(data__annotation="", data__size="Not specified")
    results = of(tmp_path, record(), card)
    at = [field.name for field in completeness_fields().fields].index("data")
    found = benchmark(results)
    assert found.fields[at] == Fraction(2, 4)
    assert found.fields_literal[at] == Fraction(3, 4)
    assert found.strict == (25 + Fraction(1, 2)) / 28
    [rates] = [row for row in table(results, "completeness_fields") if row["field"] == "data"]
    assert (rates["population_strict"], rates["population_literal"], rates["coverage"]) == (
        "0.5000",
        "0.7500",
        "partial",
    )


@pytest.mark.parametrize(
    "value",
    ["Not specified", "NOT SPECIFIED.", " n/a ", "TBD", "No information  found.", "unknown", ["Unknown", "n/a"]],
)
def test_a_placeholder_counts_only_literally(value: object, tmp_path: Path) -> None:
    found = benchmark(of(tmp_path, record(), full_card(methodology__validation=value)))
    assert (found.strict, found.literal) == (Fraction(25, 28), Fraction(26, 28))


@pytest.mark.parametrize("value", [None, "", "  ", [], {}])
def test_nothing_counts_in_neither_way(value: object, tmp_path: Path) -> None:
    found = benchmark(of(tmp_path, record(), full_card(methodology__validation=value)))
    assert (found.strict, found.literal) == (Fraction(25, 28), Fraction(25, 28))


@pytest.mark.parametrize("value", [0, False, "No facts are known of this.", ["Not specified", "one"], {"a": 0}])
def test_what_says_something_counts_in_both_ways(value: object, tmp_path: Path) -> None:
    found = benchmark(of(tmp_path, record(), full_card(methodology__validation=value)))
    assert (found.strict, found.literal) == (Fraction(26, 28), Fraction(26, 28))


def test_a_field_of_the_records_is_populated_if_any_record_populates_it(tmp_path: Path) -> None:
    silent = record()
    silent["source_metadata"] = {"source_organization_name": "TBD"}
    results = of(tmp_path, silent, record())
    field = next(f for f in completeness_fields().fields if f.name == "source_metadata.source_organization_name")
    assert benchmark(results).strict == Fraction(3, 28)
    [evidence] = completeness(benchmark(results).benchmark, field)
    assert (evidence.file, evidence.path, evidence.value) == (
        "001.json",
        "$.source_metadata.source_organization_name",
        "Lab",
    )


def test_median_and_rates_are_over_the_benchmarks_of_the_corpus(tmp_path: Path) -> None:
    other = result(evaluation_name="Other", source_data={"dataset_name": "Other"})
    results = of(tmp_path, record(result(), other), full_card(), full_card("Of no record"))
    assert rate(results, "median_completeness") == (Fraction(26, 28) + Fraction(3, 28)) / 2
    by_field = {row["field"]: row["population_strict"] for row in table(results, "completeness_fields")}
    assert by_field["benchmark_details.name"] == "0.5000"
    assert by_field["source_metadata.source_type"] == "1.0000"
    assert by_field["lifecycle_status"] == "0.0000"
    assert [card.name for card in results.records.unmatched_cards] == ["Of no record"]
    assert results.records.unmatched_benchmarks == ("Other",)


@pytest.mark.parametrize(
    ("on_card", "file"),
    [
        ("TRIVIA", "c.json"),
        ("tri-via", "c.json"),
        ("Many Questions (Trivia)", "c.json"),
        ("Trivia (2nd edition)", "c.json"),
        ("Some questions", "benchmark_card_Trivia.json"),
    ],
)
def test_a_card_is_found_by_any_of_its_names(on_card: str, file: str, tmp_path: Path) -> None:
    found = benchmark(computed(write(tmp_path, {"r.json": record(), file: full_card(on_card)})))
    assert found.benchmark.card is not None
    assert found.benchmark.card.name == on_card


def test_a_name_in_parentheses_that_two_cards_share_names_neither(tmp_path: Path) -> None:
    results = of(tmp_path, record(), full_card("One (Trivia)"), full_card("Two (Trivia)"))
    assert benchmark(results).benchmark.card is None


def test_the_mapping_file_decides_which_card_belongs_to_a_benchmark(tmp_path: Path) -> None:
    folder = write(tmp_path / "data", [record(), full_card("Trivia"), full_card("Elsewhere")])
    mapping = tmp_path / "mapping.yml"
    mapping.write_text("benchmarks: {TRIVIA: elsewhere}")
    card = benchmark(computed(folder, mapping=str(mapping))).benchmark.card
    assert card is not None
    assert card.name == "Elsewhere"
    mapping.write_text("benchmarks: {TRIVIA: null}")
    assert benchmark(computed(folder, mapping=str(mapping))).benchmark.card is None


def test_cards_may_lie_apart_from_the_records(tmp_path: Path) -> None:
    folder = write(tmp_path / "records", [record()])
    one, two = write(tmp_path / "one", [full_card()]), write(tmp_path / "two", [full_card("Other")])
    results = computed(folder, cards=f"{one}\n{two}")
    assert benchmark(results).strict == Fraction(26, 28)
    assert [card.name for card in results.records.unmatched_cards] == ["Other"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("evalcards: {trivia: {status: active}}", "evalcards.trivia.status is no reserved field"),
        ("benchmark: {}\nthresholds: {}", "benchmark is no key of a mapping file"),
        ("thresholds: {accuracy: high}", "thresholds.accuracy is 'high'"),
        ("thresholds: {accuracy: -0.1}", "thresholds.accuracy is '-0.1'"),
        ("thresholds: {accuracy: 1, accuracy: 2}", "the key 'accuracy' stands more than once"),
        ("thresholds: &a {accuracy: 1}\nevalcards: *a", "an alias, which is not followed"),
        ("benchmarks: {trivia: absent card}", "names the card 'absent card'"),
        ("benchmarks: {Trivai: null}", "benchmarks.Trivai is no benchmark of the records; expected a benchmark of"),
        ("evalcards: {other: {lifecycle_status: a}}", "evalcards.other is no benchmark of the records"),
        ("thresholds: {acuracy: 0.1}", "thresholds.acuracy is no metric of the records; expected a metric of theirs, "),
        ("thresholds: {Accuracy: 0.1}", "such as 'accuracy'"),
        ("benchmarks: {Trivia: null, trivia: x}", "benchmarks.trivia is benchmarks.Trivia again"),
        ("evalcards: {a: {}, A: {}}", "evalcards.A is evalcards.a again"),
        ("benchmarks: [a]", "benchmarks is ['a']"),
        ("- a\n- b", "holds no keys"),
        ("thresholds: {a: " + "[" * 5000, ""),
    ],
)
def test_a_mapping_file_that_says_something_else_is_refused(text: str, said: str, tmp_path: Path) -> None:
    folder = write(tmp_path / "data", [record()])
    mapping = tmp_path / "m.yml"
    mapping.write_text(text)
    with pytest.raises(EvalreportError) as refused:
        computed(folder, mapping=str(mapping))
    assert said in str(refused.value)


def test_two_different_cards_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EvalreportError, match="second card of 'Trivia'"):
        of(tmp_path, record(), full_card(), full_card(methodology__validation="other"))
    assert benchmark(of(tmp_path / "same", record(), full_card(), full_card())).strict == Fraction(26, 28)


def test_a_card_without_a_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EvalreportError, match=r"\$\.benchmark_card\.benchmark_details\.name is ' '"):
        of(tmp_path, record(), full_card(" "))


def test_risk_categories_are_kept_and_enter_no_number(tmp_path: Path) -> None:
    card = full_card()
    sections = card["benchmark_card"]
    assert isinstance(sections, dict)
    sections["possible_risks"] = [{"category": "Data bias"}, {"category": "Data bias"}, {"category": " "}, "x"]
    found = benchmark(of(tmp_path, record(), card))
    assert found.benchmark.risks == ("Data bias",)
    assert found.strict == Fraction(26, 28)


def test_without_benchmarks_there_is_no_median(tmp_path: Path) -> None:
    empty = record()
    empty["evaluation_results"] = []
    results = of(tmp_path, empty)
    assert isinstance(rate(results, "median_completeness"), Undefined)
    assert isinstance(rate(results, "gap_rate"), Undefined)
    assert {row["share"] for row in table(results, "reproducibility_items")} == {""}
