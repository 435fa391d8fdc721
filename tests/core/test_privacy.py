"""Pseudonyms tell nothing about the names they stand for."""

from __future__ import annotations

from itertools import permutations

from evalreport.core.privacy import pseudonyms

NAMES = ("Ada", "Bo", "Cy")  # their sha256 begin with 99, e5 and 0b


def test_pseudonyms_follow_the_digests_of_the_names_and_not_the_alphabet() -> None:
    assert pseudonyms(NAMES, kind="r") == {"Cy": "r-1", "Ada": "r-2", "Bo": "r-3"}


def test_pseudonyms_do_not_depend_on_the_order_or_number_of_mentions() -> None:
    told = {tuple(sorted(pseudonyms((*names, names[0]), kind="r").items())) for names in permutations(NAMES)}
    assert len(told) == 1


def test_a_name_that_looks_like_a_pseudonym_among_others_gets_one_of_its_own() -> None:
    found = pseudonyms(("r-2", "Ada"), kind="r")
    assert sorted(found.values()) == ["r-1", "r-2"]
