"""The pages of signals in a real browser: from any flag to the file and the field that caused it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Browser, Locator, Page

from evalreport.book.build import build
from evalreport.core.slug import slug
from evalreport.project import read_project
from tests.book.browsing import SIZES, faults, overflowing, scrolling, served
from tests.suites.signals.made import full_card, record, result

pytestmark = [pytest.mark.browser, pytest.mark.book]

CHAPTER = "book/_generated/signals"
HOSTILE = slug("Names_&_<b>Signs</b> $5 | 100%")
LONG = (f"{CHAPTER}/audit/results-001", f"{CHAPTER}/audit/results-002")
PAGES = (
    *(f"{CHAPTER}/{name}" for name in ("reproducibility", "completeness", "provenance", "comparability")),
    *(f"{CHAPTER}/benchmark/{name}" for name in (slug("Lantern Summaries"), slug("Bell Ratings"), HOSTILE)),
    *(f"{CHAPTER}/audit/{name}" for name in ("corpus", "benchmarks-001")),
    *LONG,
    "book/methodology/signals",
)


# Of the audit, tables of numbers put in are as wide as their formulas.
FORMULAS = (*LONG, f"{CHAPTER}/audit/corpus", f"{CHAPTER}/audit/benchmarks-001", "book/methodology/signals")
STRANGERS = (
    "w" * 3000,
    "</script><script>alert(1)</script>",
    "中文 $x_{1$ {{ j }} `c` | אב ../ \u202e",
    "C#",
    "C++",
    "\x00",
)


@pytest.fixture(scope="module")
def address(sample_of_suites: Path) -> Iterator[str]:
    with served(sample_of_suites) as url:
        yield url


@pytest.fixture(scope="module")
def strangers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book of names that nobody would choose: of model, path, metric, source, setup, card and file."""
    folder = tmp_path_factory.mktemp("strangers")
    data = folder / "data" / ("f" * 120)
    data.mkdir(parents=True)
    for number, name in enumerate(STRANGERS):
        for temperature, score in enumerate((0.5, 0.9)):
            args = {"temperature": temperature, "agentic_eval_config": {"available_tools": [{"name": name}]}}
            one = result(
                score,
                evaluation_name=name,
                source_data={"dataset_name": name, "hf_split": name},
                metric_config={"metric_id": name, "min_score": 0, "max_score": 1},
                args=args,
                details={name: name, "scaffold": name},
            )
            source = {"source_name": name, "source_organization_name": name, "evaluator_relationship": name}
            content = record(one, evaluation_id=f"{name}/1", model_info={"id": name}, source_metadata=source)
            (data / f"{number}-{temperature}.json").write_text(json.dumps(content), "utf-8")
        card = full_card(name, methodology__methods=[name])
        card["benchmark_card"] = {**card["benchmark_card"], "possible_risks": [{"category": name}]}  # type: ignore[dict-item]
        (data / f"card-{number}.json").write_text(json.dumps(card), "utf-8")
    content = {
        "title": "Strangers", "authors": ["The Example Benchmark Group"], "version": "1.0.0",
        "suites": {"signals": {"data": ["data"]}},
    }  # fmt: skip
    (folder / "evalreport.yml").write_text(yaml.safe_dump(content), "utf-8")
    return build(read_project(folder))


@pytest.mark.parametrize("size", SIZES)
def test_names_of_strangers_are_text_and_fit_the_page(browser: Browser, strangers: Path, size: str) -> None:
    names = sorted(file.relative_to(strangers).as_posix() for file in (strangers / CHAPTER).rglob("*.html"))
    assert len(names) == 4 + 3 + len(STRANGERS)
    pages = [name.removesuffix(".html") for name in names]
    long = [name for name in pages if "/audit/" in name]
    with served(strangers) as address:
        assert not faults(browser, address, pages, size=size, theme="light", skip_axe=long)
        if size == "desk":
            assert not scrolling(browser, address, [name for name in pages if name not in long], ".er-scroll")
    for name in names:
        text = (strangers / name).read_text("utf-8")
        assert "<script>alert(1)" not in text, name


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    yield page
    page.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_pages_ask_nobody_else_say_no_error_do_not_overflow_and_are_accessible(
    browser: Browser, address: str, theme: str, size: str
) -> None:
    # The pages of evidence hold the same long table: one of them is looked at closely, once.
    known = LONG[1:] if (size, theme) == ("desk", "light") else LONG
    assert not faults(browser, address, PAGES, size=size, theme=theme, skip_axe=known)


@pytest.mark.parametrize("width", [320, 768, 1600])
def test_no_page_overflows_at_other_widths(browser: Browser, address: str, width: int) -> None:
    assert not overflowing(browser, address, PAGES, width)


def test_no_table_scrolls_at_desk_width(browser: Browser, address: str) -> None:
    pages = [name for name in PAGES if name not in FORMULAS]
    assert len(pages) == 7
    assert not scrolling(browser, address, pages, ".er-tablebox .er-scroll")


def evidence_after_a_click(page: Page, link: Locator) -> Locator:
    """The row that a flag leads to, in sight after one click."""
    link.click()
    page.wait_for_url("**/audit/results-*#*")
    row = page.locator(f"[id='{page.url.partition('#')[2]}']")
    assert row.evaluate("e => e.getBoundingClientRect().top >= 0 && e.getBoundingClientRect().top < innerHeight / 2")
    return row


def cells(row: Locator) -> list[str]:
    return [text.strip() for text in row.locator("th, td").all_inner_texts()]


def row_of(page: Page, table: str, *words: str) -> Locator:
    found = page.locator(f"#tbl-signals-{table} tbody tr")
    for word in words:
        found = found.filter(has_text=word)
    return found.first


def test_every_gap_is_one_click_from_the_file_and_the_fields_that_are_not_there(page: Page, address: str) -> None:
    page.goto(f"{address}/{CHAPTER}/reproducibility.html")
    gaps = page.locator("#tbl-signals-gaps tbody a", has_text="gap").filter(has_not_text="no gap")
    places = [str(link.get_attribute("href")) for link in gaps.all()]
    assert len(places) == 24
    sources = {place: place.partition("#")[0] for place in places}
    for source in sorted(set(sources.values())):
        page.goto(f"{address}/{CHAPTER}/{source}")
        for place in (place for place in places if sources[place] == source):
            about, verdict, file, evidence = cells(page.locator(f"[id='{place.partition('#')[2]}']"))
            assert about, place
            assert verdict == "undisclosed", place
            assert ".json" in file, place
            assert evidence.startswith("none of ") or "only repeats the schema's default" in evidence, place


def test_a_gap_of_a_single_field_is_found_in_one_click(page: Page, address: str) -> None:
    page.goto(f"{address}/{CHAPTER}/reproducibility.html")
    row = row_of(page, "gaps", "errands-log-probability")
    found = cells(evidence_after_a_click(page, row.get_by_role("link", name="gap", exact=True)))
    assert found[:3] == ["Test set", "undisclosed", "records/setups/log-probability.json"]
    assert "n_samples" in found[3]


def test_two_scores_that_lie_apart_are_found_in_one_click(page: Page, address: str) -> None:
    page.goto(f"{address}/{CHAPTER}/comparability.html")
    row = row_of(page, "comparability", "setups-diverge")
    first = evidence_after_a_click(page, row.get_by_role("link", name="beyond 0.05"))
    found = [cells(first), *(cells(other) for other in first.locator("xpath=following-sibling::tr").all())]
    scores = [line for line in found if line[0] == "score"]
    assert len({line[2] for line in scores}) == 2, "two files"
    assert [line[3] for line in scores] == [
        "$.evaluation_results[0].score_details.score = 0.61",
        "$.evaluation_results[0].score_details.score = 0.74",
    ]
    assert [line[0] for line in found].count("max_tokens") == 2, "what the setups differ in"


def test_who_reports_is_found_in_one_click(page: Page, address: str) -> None:
    page.goto(f"{address}/{CHAPTER}/provenance.html")
    row = row_of(page, "provenance", "parties-diverge")
    first = evidence_after_a_click(page, row.get_by_role("link", name="first, third, collaborative"))
    assert cells(first)[0] == "Relationship"
    assert cells(first)[3].startswith("$.source_metadata.evaluator_relationship = ")


def test_a_benchmark_is_two_clicks_from_the_evidence_of_its_results(page: Page, address: str) -> None:
    page.goto(f"{address}/{CHAPTER}/completeness.html")
    page.locator("#tbl-signals-benchmarks").get_by_role("link", name="Kitchen Errands").click()
    page.wait_for_url("**/benchmark/**")
    card = page.locator("[id^=tbl-signals-card]")
    assert "benchmark_card" in card.locator("tbody tr td").filter(has_text="$.").first.inner_text()
    flag = page.locator("[id^=tbl-signals-results] tbody").get_by_role("link", name="gap", exact=True).first
    assert cells(evidence_after_a_click(page, flag))[1] == "undisclosed"


def test_a_missing_field_of_a_card_is_named_on_the_page_of_its_benchmark(page: Page, address: str) -> None:
    page.goto(f"{address}/{CHAPTER}/benchmark/{slug('Lantern Summaries')}.html")
    row = page.locator("[id^=tbl-signals-card] tbody tr").filter(has_text="languages").first
    _, verdict, _, where = cells(row)
    assert verdict == "no"
    assert where.endswith("benchmark_details.languages")


def test_a_number_leads_to_its_audit_line(page: Page, address: str) -> None:
    page.goto(f"{address}/{CHAPTER}/comparability.html")
    link = row_of(page, "comparability", "parties-diverge").get_by_role("link", name="0.1100")
    link.click()
    page.wait_for_url("**/audit/results-*#number-cross-party-spread-*")
    line = page.locator(f"[id='{page.url.partition('#')[2]}']").inner_text()
    assert "0.1100" in line
    assert line.count("11/100") == 2, "both values"
    assert "✓ exactly" in line


def test_tables_are_filtered_and_hold_no_button_that_ranks_by_completeness(page: Page, address: str) -> None:
    page.goto(f"{address}/{CHAPTER}/reproducibility.html")
    page.locator("#tbl-signals-gaps input[type=search]").fill("kitchen")
    shown = page.locator("#tbl-signals-gaps tbody tr:not([hidden])")
    assert shown.count() == 12
    page.goto(f"{address}/{CHAPTER}/completeness.html")
    buttons = page.locator("#tbl-signals-benchmarks thead button").all_inner_texts()
    assert [name.strip() for name in buttons] == ["Benchmark", "Card", "Records"]


def test_nothing_but_words_and_blue_says_what_a_signal_found(page: Page, address: str) -> None:
    for name in PAGES:
        page.goto(f"{address}/{name}.html")
        assert page.locator(".er-b-dq, .er-crit, .er-low").count() == 0, name


def test_every_page_states_the_threshold_and_the_versions_of_both_tables(page: Page, address: str) -> None:
    page.goto(f"{address}/{CHAPTER}/provenance.html")
    found = {
        name: page.locator(f'meta[name="evalreport:signals.{name}"]').get_attribute("content")
        for name in ("theta", "field_table_version", "setup_items_version", "own_thresholds")
    }
    assert found == {
        "theta": "0.05",
        "field_table_version": "1",
        "setup_items_version": "1",
        "own_thresholds": "overlap 0.1",
    }


def test_the_methodology_shows_the_items_and_fields_of_the_data_files(page: Page, address: str) -> None:
    page.goto(f"{address}/book/methodology/signals.html")
    assert page.locator("#tbl-signals-setup-items tbody th[scope=row]").count() == 8
    assert page.locator("#tbl-signals-field-table tbody th[scope=row]").count() == 28
