"""The pages of the sample benchmark as files: links, anchors, metadata, and what another alpha changes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from lxml import html as lxml_html

from evalreport.suites import all_suites

pytestmark = pytest.mark.book
BOARD = "book/_generated/benchmark/leaderboard.html"
DEPEND_ON_ALPHA = {"benchmark.q_final", "benchmark.pair.q_final", "benchmark.rank"}
TESTS = ("benchmark.pair.p_value", "benchmark.pair.p_holm", "benchmark.pair.detectable")


def _pages(html: Path) -> Iterator[tuple[str, lxml_html.HtmlElement]]:
    for file in sorted(html.rglob("*.html")):
        if "_static" not in file.parts:
            yield file.relative_to(html).as_posix(), lxml_html.fromstring(file.read_bytes())


def _meta(page: lxml_html.HtmlElement, name: str) -> list[str]:
    return [str(content) for content in page.xpath("//meta[@name=$name]/@content", name=name)]


def test_every_link_inside_the_book_finds_its_file_and_place(sample: Path) -> None:
    pages = dict(_pages(sample))
    ids = {name: {str(i) for i in page.xpath("//@id")} for name, page in pages.items()}
    lost, followed = [], 0
    for name, page in pages.items():
        for href in page.xpath("//a/@href"):
            target, _, fragment = str(href).partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            file = ((sample / name).parent / unquote(target)).resolve() if target else sample / name
            if not file.is_relative_to(sample.resolve()):
                continue
            followed += 1
            found = file.relative_to(sample.resolve()).as_posix() if target else name
            if not file.is_file() or (fragment and found in ids and unquote(fragment) not in ids[found]):
                lost.append((name, str(href)))
    assert lost == []
    assert followed > 1_000


def test_every_page_says_under_which_settings_it_was_made(sample: Path) -> None:
    expected = {"alpha": "0.5", "level": "0.95", "resamples": "500", "seed": "7", "min_coverage": "1"}
    for name, page in _pages(sample):
        for setting, value in expected.items():
            assert _meta(page, f"evalreport:{setting}") == [value], name
            assert _meta(page, f"evalreport:benchmark.{setting}") == [value], name


def test_the_start_page_has_a_section_for_the_suite_which_leads_to_its_pages(sample: Path) -> None:
    page = lxml_html.fromstring((sample / "book/intro.html").read_bytes())
    (section,) = page.xpath("//section[@id='headline-benchmark']")
    assert section.xpath("h2")[0].text == "Benchmark"
    assert section.xpath(".//table")
    assert [link.text_content() for link in section.xpath("p[contains(@class, 'er-pages')]/a")] == [
        "Leaderboard",
        "Calibration",
        "Families",
        "Sensitivity to alpha",
    ]


def test_a_figure_shown_again_names_its_number_and_leads_to_it(sample: Path) -> None:
    page = lxml_html.fromstring((sample / "book/_generated/benchmark/sensitivity.html").read_bytes())
    (link,) = page.xpath("//figcaption//*[@class='caption-number']/a")
    assert link.get("href") == "leaderboard.html#fig-rank-alpha"
    board = lxml_html.fromstring((sample / BOARD).read_bytes())
    (number,) = board.xpath("//*[@id='fig-rank-alpha']//figcaption//*[@class='caption-number']")
    assert link.text == number.text_content().strip()


def test_a_version_without_fails_has_no_empty_tables_of_fails(sample: Path) -> None:
    page = lxml_html.fromstring(
        (sample / "book/_generated/benchmark/subject/all-rounder--all-rounder-3.html").read_bytes()
    )
    assert page.xpath("//td[@class='er-empty']") == []
    assert "No run of this version has an automatic fail." in page.xpath("//article")[0].text_content()


def test_the_methodology_names_its_sources_by_author_and_year(sample: Path) -> None:
    page = lxml_html.fromstring((sample / "book/methodology/benchmark.html").read_bytes())
    links = page.xpath("//p[starts-with(., 'Source:')]/a")
    assert "Brier (1950)" in [link.text_content() for link in links]
    assert all(re.fullmatch(r".+ \(\d{4}\)", link.text_content()) for link in links)


def test_another_alpha_changes_the_composite_and_nothing_that_does_not_depend_on_it(
    sample: Path, sample_at_another_alpha: Path
) -> None:
    other = sample_at_another_alpha
    for name, page in _pages(other):
        assert _meta(page, "evalreport:alpha") == ["0.7"], name
    ours, theirs = (_values(html) for html in (sample, other))
    assert ours.keys() == theirs.keys()
    changed = {key for key, value in ours.items() if theirs[key] != value}
    tests_of = {json.loads(of)["difference"] for metric, of in changed if metric in TESTS}
    assert tests_of == {"q_final"}
    metrics = {metric for metric, _ in changed if metric not in TESTS}
    assert "benchmark.q_final" in metrics
    assert metrics <= DEPEND_ON_ALPHA
    for file in ("per_run", "metrics_per_family", "calibration_bins", "sensitivity"):
        path = f"data/benchmark/{file}.csv"
        assert (sample / path).read_bytes() == (other / path).read_bytes(), file
    figures = sorted((sample / "figures").glob("reliability*.svg"))
    same = [f for f in figures if "overview" not in f.name]
    assert len(same) > 20
    assert [f.name for f in same if f.read_bytes() != (other / "figures" / f.name).read_bytes()] == []
    for name in ("reliability-overview", "families"):  # in the order of the leaderboard, which follows the composite
        drawn, drawn_again = ((html / f"figures/{name}.csv").read_text("utf-8") for html in (sample, other))
        assert sorted(drawn.splitlines()) == sorted(drawn_again.splitlines())
    caption = lxml_html.fromstring((other / BOARD).read_bytes()).xpath("//*[@id='tbl-benchmark-leaderboard']//thead")
    assert "0.7" in caption[0].text_content()


def _values(html: Path) -> dict[tuple[str, str], object]:
    found = json.loads((html / "data/benchmark/results.json").read_text("utf-8"))["values"]
    return {(v["metric"], json.dumps(v["of"], sort_keys=True)): (v["exact"], v["interval"]) for v in found}


def test_every_published_number_has_its_place_on_an_audit_page(sample: Path) -> None:
    places = {str(i) for name, page in _pages(sample) if "/audit/" in name for i in page.xpath("//@id")}
    metrics = {key for key, _ in _values(sample)}
    for metric in metrics:
        # the p-values of a difference and what its cases can find stand in one line
        name = "pair.test" if metric in TESTS else metric.removeprefix("benchmark.")
        anchor = "number-" + name.replace(".", "-").replace("_", "-")
        assert any(p == anchor or p.startswith(f"{anchor}-") for p in places), metric


def test_every_number_of_the_leaderboard_is_a_link_to_its_audit_line(sample: Path) -> None:
    page = lxml_html.fromstring((sample / BOARD).read_bytes())
    cells = page.xpath("//*[@id='tbl-benchmark-leaderboard']//tbody//td[contains(@class, 'r') and @data-v]")
    numbers = [c for c in cells if re.search(r"\d", c.text_content()) and "er-rank" not in c.get("class")]
    assert len(numbers) > 80
    assert [c.text_content() for c in numbers if not c.xpath(".//a[contains(@href, '#number-')]")] == []


def test_a_version_without_scored_runs_says_so_and_shows_no_zero(sample: Path) -> None:
    (file,) = (sample / "book/_generated/benchmark/audit").glob("freewheel-mini*.html")
    page = lxml_html.fromstring(file.read_bytes())
    (box,) = page.xpath("//*[contains(@class, 'er-emptybox')]")
    assert "40 responses of this version have no scoring yet" in box.text_content()
    (big,) = page.xpath("//section[span[@id='number-pass-rate']]/p[@class='er-big']")
    assert big.text_content().strip() == "– no value: no scored runs"


def test_every_source_of_a_formula_is_in_the_list_of_sources() -> None:
    text = (Path(__file__).resolve().parents[2] / "book" / "references.md").read_text("utf-8")
    listed = set(re.findall(r"^\((\w+)\)=$", text, re.MULTILINE))
    cited = {
        key for s in all_suites().values() for m in s.declarations.metrics.values() for key in m.cite.split(",") if key
    }
    assert cited <= listed


def test_names_of_strangers_stay_text_on_every_page(sample: Path) -> None:
    for name, page in _pages(sample):
        assert page.xpath("//b[text()='spoke']") == [], name
