"""The suite and a second evaluation over the raw records agree: on everything, and on each record alone."""

from __future__ import annotations

import shutil
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as quickly
from hypothesis import strategies as st

from evalreport.core.exact import Undefined
from evalreport.core.formula import Evaluation
from evalreport.suites.signals import SUITE
from evalreport.suites.signals.results import SignalsResults
from tests.suites.signals.made import computed, full_card, record, result, write
from tests.suites.signals.second_reading import FIELDS, ITEMS, Corpus, corpus_of, short

SAMPLE = Path(__file__).parents[3] / "data" / "signals"
OF_TRIPLE = {
    key: metric.symbol
    for key, metric in SUITE.declarations.metrics.items()
    if metric.of == ("model", "benchmark", "metric")
}


def assert_agree(results: SignalsResults, corpus: Corpus) -> int:
    """Every published number, found again by the second evaluation; how many there were."""
    over = corpus.evaluation()
    published = {(value.metric, value.of): value.value for value in SUITE.values(results)}
    checked = 0
    for (metric, of), value in published.items():
        ids = dict(of)
        symbol = SUITE.declarations.metrics[metric].symbol
        if "model" in ids:
            continue
        args: tuple[object, ...] = tuple(ids.values())
        if "benchmark" in ids:
            args = (next(b for b in corpus.benchmarks.values() if b.name == ids["benchmark"]),)
        assert_same(over, symbol, args, value)
        checked += 1
    places = {
        _place(report.where, report.index): found
        for found in results.triples
        for report in (*found.reports, *found.rescrapes)
    }
    triples = corpus.triples
    assert len(triples) == len(results.triples)
    for x in triples:
        found = places[x.results[0].file, x.results[0].line, x.results[0].index]
        of_x = (("model", found.triple.model), ("benchmark", found.triple.benchmark), ("metric", found.triple.metric))
        assert len(x.results) == len(found.reports)
        assert tuple(sorted({r.party for r in x.results})) == found.parties
        for key, symbol in OF_TRIPLE.items():
            if (key, of_x) in published:
                args = (x.results,) if key == "signals.reproducibility_gap" else (x,)
                assert_same(over, symbol, args, published[key, of_x])
                checked += 1
        for party in found.parties:
            assert over.value(r"\bar{s}(x, p)", x, party) == found.party_scores[party]
        for report in found.reports:
            raw = next(r for r in corpus.results if (r.file, r.line, r.index) == _place(report.where, report.index))
            assert tuple(raw.applicable) == report.setup.applicable
            for key in ITEMS:
                disclosed = any(name in report.setup.values for name in ITEMS[key])
                assert over.value(r"\mathrm{disc}(k, r)", key, raw) == disclosed
    for one in results.benchmarks:
        b = next(b for b in corpus.benchmarks.values() if b.name == one.benchmark.name)
        for f, strict, literal in zip(FIELDS, one.fields, one.fields_literal, strict=True):
            assert over.value("s(f, b)", f, b) == strict, (b.name, f)
            assert over.value(r"s_{\mathrm{lit}}(f, b)", f, b) == literal, (b.name, f)
    return checked


def assert_same(over: Evaluation, symbol: str, args: tuple[object, ...], value: object) -> None:
    formula = over.value(symbol, *args)
    if isinstance(value, Undefined):
        assert isinstance(formula, Undefined), symbol
    else:
        assert formula == value, symbol


def _place(where: str, index: int) -> tuple[str, int, int]:
    path, _, line = where.partition(": line ")
    return short(path), int(line or 0), index


def test_the_sample_data_are_read_alike_twice() -> None:
    assert assert_agree(computed(SAMPLE), corpus_of(SAMPLE)) > 300


@pytest.mark.shared
def test_the_whole_real_set_is_read_alike_twice(shared: Path) -> None:
    folders = [shared / "data" / "signals" / name for name in ("records", "records_converted", "cards")]
    assert assert_agree(computed(*folders), corpus_of(*folders)) > 1000


@pytest.mark.shared
def test_each_real_record_is_read_alike_twice(shared: Path, tmp_path: Path) -> None:
    root = shared / "data" / "signals"
    files = sorted([*(root / "records").rglob("*.json"), *(root / "records_converted").rglob("*.json")])
    assert len(files) == 41
    for file in files:
        alone = tmp_path / file.name
        alone.mkdir()
        shutil.copy(file, alone)
        assert assert_agree(computed(alone, root / "cards"), corpus_of(alone, root / "cards")) > 60


CARDS = {
    "CNN/DailyMail": 21,
    "CivilComments": 23,
    "GSM8K": 18,
    "HellaSwag": 19,
    "LEGALBENCH": 22,
    "MATH Level 5": 18,
    "Measuring Massive Multitask Language Understanding (MMLU)": 18,
    "MuSR": 21,
    "Omni-MATH": 19,
    "QuAC": 19,
    "SQuAD 2.0": 23,
}
# how many tuples an item applies to, and how many leave it undisclosed
REAL_ITEMS = {
    "decoding": (284, 260),
    "reasoning_budget": (8, 0),
    "output_length": (284, 262),
    "harness": (284, 252),
    "harness_version": (284, 275),
    "context_handling": (23, 23),
    "test_set": (284, 258),
    "attempts": (23, 23),
}


@pytest.mark.shared
def test_the_figures_of_the_real_set_are_these(shared: Path) -> None:
    root = shared / "data" / "signals"
    results = computed(root / "records", root / "records_converted", root / "cards")
    rates = {rate.metric: (rate.value, rate.n, rate.of) for rate in results.rates}
    assert rates["gap_rate"] == (Fraction(1), 284, 284)
    assert rates["first_party_only_rate"] == (Fraction(6, 284), 6, 284)
    assert rates["multi_party_rate"] == (Fraction(0), 0, 284)
    assert rates["median_completeness"][0] == Fraction(3, 28)
    assert isinstance(rates["comparability_rate"][0], Undefined)
    assert {i.item.key: (i.applicable, i.undisclosed) for i in results.items} == REAL_ITEMS
    assert results.records.records == {"0.0.1": 4, "0.1.0": 3, "0.2.0": 13, "0.2.2": 10, "0.3.0": 11}
    assert len(results.benchmarks) == 94
    assert sum(len(triple.rescrapes) for triple in results.triples) == 12  # one record says each of its scores twice
    assert results.records.ignored == ()


@pytest.mark.shared
def test_every_real_card_is_counted_strictly_and_literally(shared: Path, tmp_path: Path) -> None:
    results = [result(source_data={"dataset_name": name}) for name in CARDS]
    folder = write(tmp_path, [record(*results)])
    found = computed(folder, shared / "data" / "signals" / "cards")
    of_record = 3
    for one in found.benchmarks:
        assert one.strict == Fraction(CARDS[one.benchmark.name] + of_record, 28), one.benchmark.name
        assert one.literal == Fraction(23 + of_record, 28)
        assert one.benchmark.card is not None


@pytest.mark.shared
def test_the_documentation_states_the_figures_of_every_real_record(shared: Path, tmp_path: Path) -> None:
    root = shared / "data" / "signals"
    rows = []
    for file in sorted(path for name in ("records", "records_converted") for path in (root / name).rglob("*.json")):
        folder = tmp_path / file.name
        folder.mkdir()
        shutil.copy(file, folder)
        results = computed(folder, root / "cards")
        applying = [item for item in results.items if item.applicable]
        cells = (
            file.stem[:8],
            *results.records.records,
            len(results.records.reports),
            len(results.triples),
            sum(triple.gap for triple in results.triples),
            len(results.benchmarks),
            next(rate.value for rate in results.rates if rate.metric == "median_completeness"),
            ", ".join(f"{item.item.key} {item.undisclosed}/{item.applicable}" for item in applying),
        )
        rows.append(f"| {' | '.join(map(str, cells))} |")
    page = (Path(__file__).parents[3] / "docs" / "signals.md").read_text("utf-8")
    table = page.partition("## Each record")[2].partition("|---|---|---|---|---|---|---|---|\n")[2].partition("\n\n")[0]
    assert table.splitlines() == sorted(rows)
    for key, (applicable, undisclosed) in REAL_ITEMS.items():
        assert f"| {key} | {applicable} | {undisclosed} |" in page
    for name, strict in CARDS.items():
        assert f"| {name} | {strict} | 23 |" in page


PARTS = st.fixed_dictionaries(
    {
        "by": st.sampled_from(["first_party", "third_party", "other"]),
        "score": st.sampled_from([0, 0.5, 0.55, 0.56, 1]),
        "args": st.dictionaries(
            st.sampled_from(["temperature", "max_tokens", "max_attempts", "scaffold", "reasoning", "split"]),
            st.sampled_from([0, 1, 1.0, "1", "high", "none", "unknown", "", None, False]),
        ),
        "details": st.sampled_from([None, {}, "output_type=loglikelihood", {"reasoning_effort": "low"}, ["epochs=2"]]),
        "scale": st.sampled_from([{"min_score": 0, "max_score": 1}, {"min_score": 0, "max_score": 1}, {}]),
        "dataset": st.sampled_from(["Trivia", "TRIVIA", "Other", "Trivia+", "Trivia 1.1", "trivia_1-1", "Trivia 11"]),
    }
)


@given(st.lists(PARTS, min_size=1, max_size=7), st.booleans())
@quickly(max_examples=25, deadline=None)
def test_any_corpus_is_read_alike_twice(parts: list[dict[str, Any]], with_card: bool) -> None:
    contents = [
        record(
            result(
                part["score"],
                args=part["args"],
                details=part["details"],
                metric_config={"metric_id": "accuracy", **part["scale"]},
                source_data={"dataset_name": part["dataset"]},
            ),
            by=part["by"],
        )
        for part in parts
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = write(Path(name), [*contents, *([full_card(data__size="n/a")] if with_card else [])])
        assert_agree(computed(folder), corpus_of(folder))
