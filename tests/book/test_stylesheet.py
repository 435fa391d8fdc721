"""The stylesheet names what pages hold, and no more."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHEET = (ROOT / "evalreport/book/static/evalreport.css").read_text("utf-8")
# Classes whose last part is put in where they are written: shades of a heat map, sizes of a figure, themes.
COMPOSED = {*(f"er-h{shade}" for shade in range(5)), "er-cursor-page", "er-cursor-column", "er-light", "er-dark"}


def written() -> set[str]:
    """Every class of ours that code, scripts, notebooks and pages write."""
    places = (
        "evalreport/**/*.py",
        "evalreport/**/*.jinja",
        "evalreport/book/static/*.js",
        "notebooks/*.ipynb",
        "book/*.md",
    )
    texts = (path.read_text("utf-8") for place in places for path in ROOT.glob(place))
    return {name for text in texts for name in re.findall(r"er-[a-z][a-z0-9-]*", text)}


def test_every_class_of_the_stylesheet_is_on_some_page() -> None:
    classes = set(re.findall(r"\.(er-[a-z][a-z0-9-]*)", SHEET))
    assert len(classes) > 50
    assert classes - written() - COMPOSED == set()


def test_every_colour_and_length_that_is_named_is_used() -> None:
    named = set(re.findall(r"(--er-[a-z0-9-]+)\s*:", SHEET))
    assert named - set(re.findall(r"var\((--er-[a-z0-9-]+)\)", SHEET)) == set()


def test_every_colour_and_length_that_is_used_is_named() -> None:
    assert (
        set(re.findall(r"var\((--er-[a-z0-9-]+)\)", SHEET)) - set(re.findall(r"(--er-[a-z0-9-]+)\s*:", SHEET)) == set()
    )
