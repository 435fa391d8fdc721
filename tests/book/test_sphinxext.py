"""The look book as files: numbers, labels, links, metadata, clauses; and what stops a build."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from lxml import html as lxml_html

from evalreport.book.sphinxext.contract import Book
from evalreport.book.sphinxext.metadata import named_settings, scope_line
from evalreport.suites import all_suites
from tests.book.look import BOOK, HOSTILE, build, write_source

pytestmark = pytest.mark.book


def _page(look: Path, name: str) -> lxml_html.HtmlElement:
    return lxml_html.fromstring((look / f"{name}.html").read_bytes())


def _pages(look: Path) -> Iterator[tuple[str, lxml_html.HtmlElement]]:
    for file in sorted(look.rglob("*.html")):
        if "_static" not in file.parts:
            name = file.relative_to(look).with_suffix("").as_posix()
            yield name, _page(look, name)


def _metas(page: lxml_html.HtmlElement, name: str) -> list[str]:
    return [str(content) for content in page.xpath("//meta[@name=$name]/@content", name=name)]


def test_tables_and_figures_are_numbered_and_references_find_them_across_pages(look: Path) -> None:
    leaderboard = _page(look, "book/_generated/leaderboard")
    assert leaderboard.xpath("//*[@id='tbl-leaderboard']//*[@class='caption-number']/text()") == ["Table 1 "]
    assert leaderboard.xpath("//*[@id='fig-rank-alpha']//*[@class='caption-number']/text()") == ["Figure 2 "]
    links = _page(look, "book/intro").xpath("//article//a[contains(@class, 'internal')]")
    named = {link.text_content(): link.get("href") for link in links}
    assert named["Table 1"] == "_generated/leaderboard.html#tbl-leaderboard"
    assert named["Figure 2"] == "_generated/leaderboard.html#fig-rank-alpha"


def test_addresses_lead_from_the_page_they_stand_on(look: Path) -> None:
    page = _page(look, "book/_generated/leaderboard")
    assert page.xpath("//table//a[@class='er-num']/@href")[0] == "audit/aurora.html#pass-rate"
    assert page.xpath("//p[@class='er-note']//a/@href") == ["../../data/benchmark/leaderboard.csv"]
    assert page.xpath("//figure//img/@src")[0] == "../../figures/rank-alpha.svg"
    assert (look / "figures" / "rank-alpha.svg").is_file()


def test_every_link_inside_the_book_finds_its_page_and_place(look: Path) -> None:
    pages = dict(_pages(look))
    ids = {name: {str(i) for i in page.xpath("//@id")} for name, page in pages.items()}
    lost = []
    for name, page in pages.items():
        for href in page.xpath("//a/@href"):
            target, _, fragment = str(href).partition("#")
            if re.match(r"https?:", target):
                continue
            file = ((look / name).parent / target.partition("?")[0]).resolve() if target else look / f"{name}.html"
            if target.endswith("/versions.html"):
                assert file == look.resolve().parent / "versions.html"
                continue
            there = file.relative_to(look.resolve()).with_suffix("").as_posix() if target else name
            if not file.is_file() or (fragment and there in ids and fragment not in ids[there]):
                lost.append((name, href))
    assert not lost


def test_a_number_in_prose_is_the_published_one_and_leads_to_its_audit_line(look: Path) -> None:
    link = _page(look, "book/intro").xpath("//article//a[@class='er-num']")[0]
    assert (link.text, link.get("href")) == ("0.8250", "_generated/audit/aurora.html#pass-rate")


def test_every_page_tells_its_settings_whether_it_has_a_source_or_not(look: Path) -> None:
    for name, page in _pages(look):
        assert _metas(page, "evalreport:benchmark.alpha") == ["0.5"], name
        assert _metas(page, "evalreport:alpha") == ["0.5"], name
        assert _metas(page, "evalreport:level") == ["0.95"], name
        assert _metas(page, "evalreport:seed") == [], f"{name}: the suites do not agree on it"
        assert _metas(page, "citation_author") == BOOK["authors"], name
        assert _metas(page, "citation_publication_date") == ["2026/11/29"], name
        assert page.xpath("//link[@rel='canonical']/@href") == [f"https://example.org/results/1.2.0/{name}.html"] or (
            name == "index"
        )
        described = json.loads(page.xpath("//script[@type='application/ld+json']")[0].text)
        assert [part["@type"] for part in described["@graph"]] == ["Dataset", "ScholarlyArticle"], name
        assert described["@graph"][0]["author"][1]["name"] == BOOK["authors"][1], name


def test_a_setting_has_a_short_name_only_when_all_suites_agree() -> None:
    pairs = dict(named_settings({"a": {"level": "0.9", "k": "1"}, "b": {"level": "0.8", "k": "1"}}))
    assert pairs == {"a.level": "0.9", "a.k": "1", "b.level": "0.8", "b.k": "1", "k": "1"}


def test_the_footer_of_every_page_names_version_and_settings(look: Path) -> None:
    for name, page in _pages(look):
        if name != "index":
            strip = page.xpath("//p[@class='er-strip']")[0].text_content().replace("\xa0", " ")
            assert strip == "Book 1.2.0 2026-11-29 data 3f9ac7e1 code 0.1.0", name
            rows = page.xpath("//details[@class='er-settings']//dl/div")
            texts = [" ".join(row.text_content().replace("\xa0", " ").split()) for row in rows]
            assert texts == ["Benchmarkα 0.50 seed 7", "Comparisonlevel 0.95 seed 8"], name


def test_a_page_of_a_suite_states_the_settings_of_this_suite_in_its_footer() -> None:
    book = msgspec.convert({**BOOK, "versions": ""}, Book)
    for page in ("book/_generated/comparison/pairs", "book/methodology/comparison"):
        line = lxml_html.fragment_fromstring(scope_line(book, page), create_parent=True)
        strip = line.xpath("p[@class='er-strip']")[0].text_content().replace("\xa0", " ")
        assert strip == "Book 1.2.0 2026-11-29 data 3f9ac7e1 code 0.1.0 level 0.95 seed 8"


def test_no_page_names_a_script_from_outside(look: Path) -> None:
    for name, page in _pages(look):
        loaded = page.xpath("//script/@src | //img/@src | //source/@srcset | //link[@rel='stylesheet']/@href")
        assert not [address for address in loaded if re.match(r"(https?:)?//", address)], name
        assert "thebe" not in (look / f"{name}.html").read_text("utf-8").lower(), name


def test_no_page_has_an_inline_handler_or_an_element_from_a_name(look: Path) -> None:
    for name, page in _pages(look):
        assert not page.xpath("//@*[starts-with(name(), 'on')]"), name
        assert not page.xpath("//script[contains(text(), 'alert(')]"), name
    text = _page(look, "book/elements").xpath("//*[@id='tbl-hostile']")[0].text_content()
    assert HOSTILE[0] in text
    assert HOSTILE[1] in text


def test_formulas_are_set_when_the_book_is_built(look: Path) -> None:
    page = _page(look, "book/clauses")
    assert page.xpath("//*[local-name()='math']")
    assert not page.xpath("//*[contains(@class, 'katex-error')]")


def test_every_clause_of_every_suite_prints_its_metrics(look: Path) -> None:
    page = _page(look, "book/clauses")
    keys = [str(key) for key in page.xpath("//*[@class='er-clause']//code/text()")]
    declared = [key for suite in all_suites().values() for key in suite.declarations.metrics]
    assert sorted(keys) == sorted(declared)
    for name in all_suites():
        assert page.xpath("//*[@id=$label]//tbody/tr", label=f"tbl-notation-{name}")


def test_a_figure_can_be_taken_and_cited(look: Path) -> None:
    figure = _page(look, "book/_generated/leaderboard").xpath("//figure[@id='fig-rank-alpha']")[0]
    names = [str(href).rpartition("/")[2] for href in figure.xpath(".//a[@download]/@href")]
    assert names == ["rank-alpha.svg", "rank-alpha.pdf", "rank-alpha.png", "rank-alpha.csv", "rank-alpha.json",
                     "rank-alpha-column.svg", "rank-alpha-column.pdf"]  # fmt: skip
    assert figure.xpath(".//details/p/code/text()") == ["https://example.org/results/1.2.0/figures/rank-alpha.svg"]
    assert "title = {Only & more}" in figure.xpath(".//pre")[0].text_content()
    assert figure.xpath(".//img/@width") == ["486", "486"]
    assert figure.xpath(".//source/@width") == ["234", "234"]


def test_rows_of_tables_are_found_by_the_search(look: Path) -> None:
    index = (look / "searchindex.js").read_text("utf-8")
    assert '"cirru' in index  # the stem of "cirrus", a name that stands in a table only


MISTAKES = {
    "unknown number": ("{num}`benchmark.pass_rate/nobody/1`", "there is no published number"),
    "unknown setting": ("{setting}`benchmark.alhpa`", "there is no setting"),
    "unknown table": (":::{er-table} nothing\n:::", "nothing.json: is missing"),
    "table as figure": (":::{er-figure} leaderboard\n:::", "leaderboard is "),
    "path as id": (":::{er-table} ../book\n:::", "is no id"),
    "unknown clause": (":::{clause} benchmark#nothing\n:::", "benchmark"),
    "unknown reference": ("{numref}`tbl-nothing`", "undefined label"),
    "bad formula": (r"$\nosuchmacro{x}$", "Undefined control sequence"),
}


def test_every_mistake_on_a_page_stops_the_build_and_is_named(tmp_path: Path) -> None:
    source = tmp_path / "src"
    write_source(source)
    page = "\n\n".join(["# Mistakes", *(text for text, _ in MISTAKES.values())])
    (source / "book" / "intro.md").write_text(page, "utf-8")
    board = source / "_evalreport" / "fragments" / "leaderboard.json"
    board.write_text(board.read_text("utf-8").replace("audit/aurora#pass-rate", "audit/aurora#no-place", 1), "utf-8")
    (source / "_extra" / "figures" / "rank-alpha-dark.svg").unlink()
    done = build(source, tmp_path / "out")
    assert done.returncode != 0
    said = done.stdout + done.stderr
    missing = [name for name, (_, words) in MISTAKES.items() if words not in said]
    assert not missing
    assert "has no place 'no-place'" in said
    assert "figure rank-alpha has no figures/rank-alpha-dark.svg" in said
