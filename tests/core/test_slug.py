"""Slugs: safe names of files, one for each id."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import settings as quick
from hypothesis import strategies as st

from evalreport.core.slug import slug


@pytest.mark.parametrize("name", ["con", "NUL", "..", "", "a/b", "a" * 200, "é", "\n", "com1", "a--b", "Ａ"])
def test_a_slug_is_a_safe_name_and_its_own(name: str) -> None:
    found = slug(name)
    assert found.isascii()
    assert found.replace("-", "").isalnum()
    assert found == found.lower()
    assert len(found) <= 60
    assert found != name


@quick(deadline=None, max_examples=100)
@given(st.lists(st.text(max_size=6), min_size=1, max_size=3), st.lists(st.text(max_size=6), min_size=1, max_size=3))
def test_different_ids_have_different_slugs(one: list[str], two: list[str]) -> None:
    assert (slug(*one) == slug(*two)) is (one == two)


def test_a_name_that_looks_like_an_altered_one_is_not_taken_for_it() -> None:
    altered = slug("GPT 5")
    assert slug(altered) != altered
    with pytest.raises(ValueError, match="no parts"):
        slug()
