"""Who reports a score, and whether what is reported can be compared."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.core.exact import Undefined
from evalreport.suites.signals import evidence
from tests.suites.signals.made import Json, computed, of, only, rate, record, result, table, write

FIRST, THIRD = "first_party", "third_party"


def scored(score: object, *, metric: Json | None = None, **more: object) -> Json:
    if metric is not None:
        more["metric_config"] = {"metric_id": "accuracy", **metric}
    return result(score, **more)


def test_every_report_from_the_developer_is_first_party_only(tmp_path: Path) -> None:
    results = of(tmp_path, record(scored(0.5), by=FIRST), record(scored(0.6), by=FIRST))
    found = only(results)
    assert (found.first_party_only, found.multi_party, found.organisations) == (1, 1, ("Lab",))
    assert rate(results, "first_party_only_rate") == 1


@pytest.mark.parametrize("relationship", [THIRD, "collaborative", "other", None, "the developer", 3])
def test_any_other_relationship_is_not_first_party(relationship: object, tmp_path: Path) -> None:
    one = record(by=FIRST)
    other = record(scored(0.6))
    assert isinstance(other["source_metadata"], dict)
    other["source_metadata"]["evaluator_relationship"] = relationship
    found = only(of(tmp_path, one, other))
    assert found.first_party_only == 0
    assert len(found.parties) == 2


def test_other_is_a_fourth_party(tmp_path: Path) -> None:
    names = (FIRST, THIRD, "collaborative", "other")
    found = only(of(tmp_path, *(record(scored(n / 10), by=name) for n, name in enumerate(names))))
    assert sorted(found.parties) == sorted(names)


def test_a_score_that_was_scraped_again_is_no_second_report(tmp_path: Path) -> None:
    again = record(scored(0.5), evaluation_id="trivia/m-1/2", retrieved_timestamp="2")
    found = only(of(tmp_path, record(scored(0.5)), again))
    assert (found.multi_party, len(found.reports), len(found.rescrapes)) == (0, 1, 1)
    notes = {one.file: one.note for one in evidence.provenance(found) if one.about == "relationship"}
    assert notes == {"000.json": "", "001.json": "the same score scraped again: not counted"}


@pytest.mark.parametrize("change", ["score", "setup", "organisation", "relationship", "publication"])
def test_what_differs_in_anything_else_is_a_second_report(change: str, tmp_path: Path) -> None:
    setup: Json = {"top_p": 1} if change == "setup" else {}
    other = record(
        scored(0.51 if change == "score" else 0.5, args=setup), by=FIRST if change == "relationship" else THIRD
    )
    assert isinstance(other["source_metadata"], dict)
    if change == "organisation":
        other["source_metadata"]["source_organization_name"] = "Another lab"
    if change == "publication":
        other["source_metadata"]["source_name"] = "another list"
    found = only(of(tmp_path, record(scored(0.5)), other))
    assert (found.multi_party, len(found.rescrapes)) == (1, 0)
    assert len(found.organisations) == (2 if change == "organisation" else 1)


def test_spaces_and_case_of_a_name_make_no_second_organisation(tmp_path: Path) -> None:
    other = record(scored(0.6))
    assert isinstance(other["source_metadata"], dict)
    other["source_metadata"]["source_organization_name"] = " LAB "
    assert only(of(tmp_path, record(), other)).organisations == ("LAB",)


def test_a_placeholder_is_no_organisation(tmp_path: Path) -> None:
    one = record()
    assert isinstance(one["source_metadata"], dict)
    one["source_metadata"]["source_organization_name"] = "TBD"
    assert only(of(tmp_path, one)).organisations == ()


def test_a_difference_of_exactly_the_threshold_does_not_diverge(tmp_path: Path) -> None:
    found = only(of(tmp_path, record(scored(0.55), by=FIRST), record(scored(0.50))))
    assert found.over_parties.spread == Fraction(5, 100)
    assert (found.over_parties.flag, found.combined, found.status) == (0, 0, "computed")


def test_a_difference_above_the_threshold_diverges(tmp_path: Path) -> None:
    results = of(tmp_path, record(scored(0.5500000001), by=FIRST), record(scored(0.50)))
    assert (only(results).over_parties.flag, only(results).combined) == (1, 1)
    assert rate(results, "cross_party_divergence_rate") == 1
    assert isinstance(rate(results, "variant_divergence_rate"), Undefined)


def test_the_spread_is_a_share_of_the_scale_of_the_metric(tmp_path: Path) -> None:
    scale: Json = {"min_score": 2, "max_score": 12}
    found = only(of(tmp_path, record(scored(4, metric=scale), by=FIRST), record(scored(5, metric=scale))))
    assert found.over_parties.spread == Fraction(5 - 4, 12 - 2)


def test_setups_are_compared_over_all_and_within_a_party(tmp_path: Path) -> None:
    short: Json = {"max_tokens": 10}
    long: Json = {"max_tokens": 20}
    found = only(
        of(
            tmp_path,
            record(scored(0.50, args=short), by=FIRST),
            record(scored(0.52, args=long), by=FIRST),
            record(scored(0.70, args=long)),
        )
    )
    # over all: 0.50 under the short setup, (0.52 + 0.70) / 2 under the long one
    assert found.over_setups.spread == Fraction(61, 100) - Fraction(50, 100)
    assert (found.over_setups.flag, found.over_setups.groups, found.differing_fields) == (1, 2, ("max_tokens",))
    # the first party alone: 0.52 - 0.50
    assert (found.within_party.spread, found.within_party.flag) == (Fraction(2, 100), 0)
    # parties: the first is the mean of its two setups, 0.51
    assert found.party_scores == {FIRST: Fraction(51, 100), THIRD: Fraction(70, 100)}
    assert found.over_parties.spread == Fraction(19, 100)


def test_several_scores_of_one_setup_are_their_mean(tmp_path: Path) -> None:
    found = only(of(tmp_path, record(scored(0.2)), record(scored(0.4)), record(scored(0.9, args={"top_p": 1}))))
    assert [variant.score for variant in found.variants] == [Fraction(3, 10), Fraction(9, 10)]


def test_settings_that_are_written_differently_are_one_setup(tmp_path: Path) -> None:
    forms = (scored(0.1, args={"temperature": 1}), scored(0.2, args={"temperature": 1.0}))
    found = only(of(tmp_path, *map(record, forms), record(scored(0.3, details={"temperature": "1.00"}))))
    assert found.over_setups.groups == 1


def test_versions_of_a_harness_are_texts(tmp_path: Path) -> None:
    found = only(
        of(tmp_path, *(record(scored(0.5), eval_library={"name": "h", "version": v}) for v in ("1", "1.0", "1.00")))
    )
    assert (found.over_setups.groups, found.differing_fields) == (3, ("eval_library.version",))


def test_the_evidence_of_a_divergence_holds_both_values_and_their_places(tmp_path: Path) -> None:
    found = only(of(tmp_path, record(scored(0.1, args={"top_p": 1})), record(scored(0.9))))
    told = {(one.about, one.file): one.value for one in evidence.comparability(found)}
    assert told["score", "000.json"] == "0.1"
    assert told["score", "001.json"] == "0.9"
    assert told["top_p", "000.json"] == "1"
    assert told["top_p", "001.json"] is None
    assert told["max_score", "000.json"] == "1"


@pytest.mark.parametrize(
    ("scale", "low", "high"),
    [
        ({"min_score": 0, "max_score": "Infinity"}, "0.0000", "Infinity"),
        ({"min_score": "-Infinity", "max_score": 1}, "-Infinity", "1.0000"),
        ({"min_score": 0, "max_score": float("inf")}, "0.0000", "Infinity"),
        ({"min_score": 0}, "0.0000", ""),
        ({}, "", ""),
        ({"min_score": 0, "max_score": None}, "0.0000", ""),
        ({"min_score": 1, "max_score": 1}, "1.0000", "1.0000"),
        ({"min_score": 1, "max_score": 0}, "1.0000", "0.0000"),
    ],
)
def test_without_a_finite_range_nothing_is_computed(scale: Json, low: str, high: str, tmp_path: Path) -> None:
    results = of(tmp_path, record(scored(0.1, metric=scale), by=FIRST), record(scored(0.9, metric=scale)))
    [row] = table(results, "comparability")
    assert (row["status"], row["range_min"], row["range_max"]) == ("not computable", low, high)
    assert (row["cross_party_spread"], row["cross_party_divergence"], row["combined"]) == ("", "", "")
    assert row["variant_divergence"] == "False"  # one setup: there is nothing to compare
    assert isinstance(rate(results, "comparability_rate"), Undefined)


def test_ranges_that_are_stated_differently_are_not_computable(tmp_path: Path) -> None:
    five: Json = {"min_score": 0, "max_score": 5}
    ten: Json = {"min_score": 0, "max_score": 10}
    found = only(of(tmp_path, record(scored(1, metric=five), by=FIRST), record(scored(2, metric=ten))))
    assert found.status == "not computable"
    assert found.scale == Undefined("not computable: the reports state different ranges")


def test_a_single_report_without_a_range_is_not_applicable_and_its_flag_is_0(tmp_path: Path) -> None:
    [row] = table(of(tmp_path, record(scored(1, metric={}))), "comparability")
    assert (row["status"], row["combined"]) == ("not applicable", "False")


@pytest.mark.parametrize(
    "percent",
    [
        {"metric_unit": "percent", "min_score": 0, "max_score": 100},
        {"min_score": 0.0, "max_score": 100.0},
        {"metric_unit": "%"},
    ],
)
def test_percent_and_proportion_are_never_compared(percent: Json, tmp_path: Path) -> None:
    share: Json = {"metric_unit": "proportion", "min_score": 0, "max_score": 1}
    results = of(tmp_path, record(scored(62, metric=percent), by=FIRST), record(scored(0.62, metric=share)))
    assert [row["metric"] for row in table(results, "comparability")] == ["accuracy", "accuracy [percent]"]
    assert {triple.status for triple in results.triples} == {"not applicable"}


def test_a_proportion_needs_no_unit(tmp_path: Path) -> None:
    unit: Json = {"min_score": 0, "max_score": 1}
    results = of(
        tmp_path, record(scored(0.1, metric=unit)), record(scored(0.2, metric={"metric_unit": "ratio", **unit}))
    )
    assert only(results).multi_party == 1


def test_parameters_of_a_metric_are_part_of_it(tmp_path: Path) -> None:
    metrics: list[Json] = [{"metric_parameters": {"k": k}, "min_score": 0, "max_score": 1} for k in (1.0, 8)]
    results = of(tmp_path, record(*(scored(0.5, metric=metric) for metric in metrics)))
    assert [triple.triple.metric for triple in results.triples] == ["accuracy (k=1)", "accuracy (k=8)"]


def test_a_perturbed_test_set_is_another_one(tmp_path: Path) -> None:
    outcomes = ({"score": 0.5}, {"score": 0.5, "details": {"split": "valid", "perturbation": {"name": "typos"}}})
    results = of(tmp_path, record(*(result(score_details=outcome) for outcome in outcomes)))
    assert [triple.triple.split for triple in results.triples] == ["", "valid [typos]"]


def test_a_threshold_of_one_metric_is_used_and_shown(tmp_path: Path) -> None:
    folder = write(tmp_path / "data", [record(scored(0.30), by=FIRST), record(scored(0.37))])
    assert only(computed(folder)).combined == 1
    (folder / "m.yml").write_text("thresholds: {accuracy: 0.07}\n")
    results = computed(folder)
    assert (only(results).combined, only(results).threshold) == (0, Fraction(7, 100))
    shown = [row for row in table(results, "corpus") if row["figure"] == "divergence_threshold"]
    assert [(row["of"], row["value"]) for row in shown] == [("", "0.0500"), ("accuracy", "0.0700")]


def test_theta_is_a_setting(tmp_path: Path) -> None:
    folder = write(tmp_path, [record(scored(0.30), by=FIRST), record(scored(0.37))])
    assert [only(computed(folder, theta=Fraction(n, 100))).combined for n in (6, 7)] == [1, 0]


def test_spelling_does_not_tell_two_benchmarks_apart(tmp_path: Path) -> None:
    names = ("Trivia QA", "trivia-qa", "TRIVIA_QA")
    records = [record(result(n / 10, source_data={"dataset_name": name})) for n, name in enumerate(names)]
    results = of(tmp_path, *records)
    assert [one.benchmark.name for one in results.benchmarks] == ["TRIVIA_QA"]
    assert len(only(results).reports) == 3


def test_the_path_says_nothing_twice_and_ends_in_the_split(tmp_path: Path) -> None:
    one = result(evaluation_name="Easy part", source_data={"dataset_name": "Trivia", "hf_split": "test"})
    found = only(of(tmp_path, record(one, evaluation_id="board/m-1/1")))
    assert found.triple.benchmark == "board → Trivia → Easy part → test"
    again = only(of(tmp_path / "again", record(one)))
    assert (again.triple.path, again.triple.split) == ("Trivia → Easy part", "test")


@pytest.mark.parametrize(
    ("outcome", "metric", "why"),
    [
        ({}, {}, "no score"),
        ({"score": None}, {}, "no score"),
        ({"score": "0.5"}, {}, 'the score is "0.5", not a number'),
        ({"score": True}, {}, "the score is true, not a number"),
        ({"score": float("nan")}, {}, "the score is NaN, which is not a number of JSON"),
        ({"score": -1}, {"has_unknown_level": True}, "the score is the level called unknown"),
    ],
)
def test_a_result_without_a_score_belongs_to_no_tuple_and_is_told(
    outcome: Json, metric: Json, why: str, tmp_path: Path
) -> None:
    results = of(tmp_path, record(result(score_details=outcome, metric_config=metric), result()))
    assert len(only(results).reports) == 1
    [told] = results.records.no_score
    assert (told.where, told.path, told.why) == ("000.json", "$.evaluation_results[0].score_details.score", why)


@pytest.mark.parametrize("split", [None, "", "unknown", "N/A", []])
def test_a_split_that_says_nothing_is_none(split: object, tmp_path: Path) -> None:
    results = of(tmp_path, record(scored(0.5, args={"split": split})), record(scored(0.6)))
    assert only(results).triple.split == ""


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")])
def test_which_of_two_scrapes_comes_first_changes_nothing(order: tuple[str, str], tmp_path: Path) -> None:
    """The two files say the same score; one spells the organisation otherwise and states another range."""
    one = record(scored(0.5))
    other = record(scored(0.5, metric={"min_score": 0, "max_score": 2}))
    other["source_metadata"] = json.loads(json.dumps(one["source_metadata"]).replace("Lab", "LAB"))
    named = {f"{name}.json": content for name, content in zip(order, (one, other), strict=True)}
    found = only(computed(write(tmp_path, named)))
    assert (len(found.reports), len(found.rescrapes)) == (1, 1)
    assert found.organisations == ("LAB",)
    assert found.scale == Undefined("not computable: the reports state different ranges")
