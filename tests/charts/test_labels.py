from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalreport.charts.fonts import glyphs, text_width
from evalreport.charts.labels import ELLIPSIS, Names
from tests.charts.examples import HOSTILE


def test_dollar_underscore_and_backslash_stay_as_they_are() -> None:
    names = Names(["Ba$$in-7b", "cost$a_{b$", r"x\frac{1}{2}"])
    assert [names.label(n, 200) for n in ("Ba$$in-7b", "cost$a_{b$", r"x\frac{1}{2}")] == [
        "Ba$$in-7b",
        "cost$a_{b$",
        r"x\frac{1}{2}",
    ]
    assert names.marks == ()


@pytest.mark.parametrize(
    "name",
    ["模型-一号", "🚀-rocket-7b", "نموذج-١", "שלום", "a\u200bb", "a\u202eb", "", " ", "\x00", "क्षि", "a\u0301\u0302x"],
)
def test_a_name_that_the_font_cannot_show_truly_becomes_a_numbered_mark(name: str) -> None:
    names = Names([name])
    assert names.label(name, 200) == "[1]"
    assert names.marks == (("[1]", name),)


def test_a_line_break_becomes_a_space() -> None:
    assert Names(["two\nlines"]).label("two\nlines", 200) == "two lines"


def test_a_letter_with_a_separate_accent_is_written_with_the_joined_one() -> None:
    assert Names(["e\u0301clair"]).label("e\u0301clair", 200) == "éclair"


def test_names_that_look_alike_are_told_apart() -> None:
    names = Names(["two\nlines", "two lines", "e\u0301", "é"])
    labels = {n: names.label(n, 200) for n in ("two\nlines", "two lines", "e\u0301", "é")}
    assert labels == {"two lines": "two lines", "é": "é", "two\nlines": "[2]", "e\u0301": "[1]"}


def test_a_mark_never_takes_the_name_of_another() -> None:
    names = Names(["[1]", "模型"])
    assert names.label("[1]", 200) == "[1]"
    assert names.label("模型", 200) == "[2]"


def test_a_long_name_is_shortened_in_the_middle_and_remembered() -> None:
    name = "start" + "x" * 100 + "end"
    names = Names([name])
    label = names.label(name, 60)
    assert label.startswith("start")
    assert label.endswith("xend")
    assert ELLIPSIS in label
    assert text_width(label, 8) <= 60
    assert names.shortened == ((label, name),)


def test_two_long_names_are_never_shortened_to_the_same_label() -> None:
    twins = ["m" + "_very_long" * 20, "m" + "_very_long" * 21]
    names = Names(twins)
    assert [names.label(n, 80) for n in twins] == ["[1]", "[2]"]


def test_a_name_gets_a_mark_only_where_it_would_look_like_another() -> None:
    """Two paths that are the same when cut to the room of a model's name are never written in that room."""
    paths = ["board → Lantern Summaries → one way of doing it", "board → Lantern Summaries → two ways of doing it"]
    names = Names([*paths, "model-a"])
    assert names.label("model-a", 60) == "model-a"
    assert [names.label(path, 400) for path in paths] == paths
    assert names.marks == ()


def test_a_name_that_the_figure_did_not_list_is_refused() -> None:
    with pytest.raises(KeyError):
        Names(["a"]).label("b", 100)


def test_labels_do_not_depend_on_the_order_of_the_names() -> None:
    one, other = Names(HOSTILE), Names(reversed(HOSTILE))
    assert [one.label(n, 84) for n in HOSTILE] == [other.label(n, 84) for n in HOSTILE]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text(max_size=40), max_size=12, unique=True), st.sampled_from([40.0, 84.0, 200.0]))
def test_every_label_is_writable_and_distinct_for_any_names(texts: list[str], points: float) -> None:
    names = Names(texts)
    labels = [names.label(t, points) for t in texts]
    assert len(set(labels)) == len(texts)
    assert set("".join(labels)) <= glyphs()
    assert not any(unicodedata.bidirectional(c) in {"R", "AL"} for c in "".join(labels))
