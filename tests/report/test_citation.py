from __future__ import annotations

import re
from dataclasses import replace

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from evalreport.report.citation import (
    Cited,
    book_bibtex,
    citation_cff,
    figure_bibtex,
    stable_address,
    suggested_citation,
)

BOOK = Cited(
    title="Results: 50% of {all} & more_$",
    authors=("The Example Benchmark Group", 'R&D "x" and {Co}'),
    version="1.2.0",
    date="2026-11-29",
    url="https://example.org/results/1.2.0/",
    licence="CC-BY-4.0",
    notes=("data sha256 3f9ac7e1", "alpha 0.5"),
)


def balanced(entry: str) -> bool:
    """Whether every brace that BibTeX counts is closed again, and only at the end; it counts escaped ones too."""
    depth = 0
    for at, sign in enumerate(entry):
        depth += (sign == "{") - (sign == "}")
        if depth < 0 or (depth == 0 and sign == "}" and at != len(entry) - 1):
            return False
    return depth == 0


def test_a_figure_is_cited_by_its_finding_and_its_address() -> None:
    assert figure_bibtex(BOOK, "rank-alpha", finding="Ranks move.") == (
        "@misc{results-50-of-all-more-1.2.0-rank-alpha,\n"
        "  title        = {Ranks move.},\n"
        "  author       = {{The Example Benchmark Group} and "
        r"{R\&D \textquotedbl{}x\textquotedbl{} and \textbraceleft{}Co\textbraceright{}}},"
        "\n"
        "  year         = {2026},\n"
        "  month        = nov,\n"
        r"  howpublished = {Results: 50\% of \textbraceleft{}all\textbraceright{} \& more\_\$},"
        "\n"
        "  version      = {1.2.0},\n"
        "  url          = {https://example.org/results/1.2.0/figures/rank-alpha.svg},\n"
        "  note         = {data sha256 3f9ac7e1; alpha 0.5}\n"
        "}"
    )


def test_a_doi_names_the_version_and_not_one_figure_of_it() -> None:
    book = replace(BOOK, doi="10.5281/zenodo.1234567")
    assert "doi     = {10.5281/zenodo.1234567}" in book_bibtex(book)
    assert "doi" not in figure_bibtex(book, "leaderboard", finding="A leads.")


def test_what_is_not_known_is_left_out() -> None:
    entry = book_bibtex(Cited("T", (), "1"))
    assert entry == "@misc{t-1,\n  title   = {T},\n  version = {1}\n}"


TEXT = st.text(max_size=30)


@settings(deadline=None, max_examples=80)
@given(TEXT, st.lists(TEXT, max_size=3), TEXT, TEXT)
def test_no_text_can_end_an_entry(title: str, authors: list[str], version: str, url: str) -> None:
    book = Cited(title, tuple(authors), version, "2026-11-29", url, notes=(title,))
    for entry in (book_bibtex(book), figure_bibtex(book, "x", finding=title)):
        assert balanced(entry)
        assert re.match(r"@misc\{[a-z0-9.-]+,\n", entry)
        assert entry.count("\n@") == 0


@settings(deadline=None, max_examples=80)
@given(TEXT, st.lists(TEXT, max_size=3), TEXT, TEXT)
def test_citation_cff_is_yaml_with_the_texts_as_they_are(
    title: str, authors: list[str], version: str, lic: str
) -> None:
    book = Cited(title, tuple(authors), version, "2026-11-29", licence=lic)
    found = yaml.safe_load(citation_cff(book))
    assert found["cff-version"] == "1.2.0"
    assert len(found["authors"]) == max(len(authors), 1)
    assert isinstance(found["title"], str)
    if title.isascii() and title.isprintable():
        assert found["title"] == title


def test_citation_cff_says_everything_that_is_known() -> None:
    found = yaml.safe_load(citation_cff(BOOK))
    assert found["title"] == BOOK.title
    assert found["authors"] == [{"name": name} for name in BOOK.authors]
    assert found["date-released"] == "2026-11-29"
    assert found["license"] == "CC-BY-4.0"
    assert found["url"] == BOOK.url
    assert found["type"] == "dataset"


def test_an_odd_date_or_licence_is_left_out_rather_than_wrong() -> None:
    found = yaml.safe_load(citation_cff(replace(BOOK, date="November", licence="all mine")))
    assert "date-released" not in found
    assert "license" not in found
    assert "year" not in book_bibtex(replace(BOOK, date="2026-13-01"))


def test_the_line_to_copy_is_one_line() -> None:
    assert "\n" not in suggested_citation(replace(BOOK, title="two\nlines"))


@pytest.mark.parametrize("url", ["https://example.org/a b", "https://example.org/}{", 'https://example.org/"><script>'])
def test_an_address_holds_no_sign_that_ends_a_field(url: str) -> None:
    assert not set(stable_address(replace(BOOK, url=url), "x y.svg")) & set(' {}"<>\\')
