from __future__ import annotations

import pytest

from evalreport.charts.palette import DARK, LIGHT, Palette, contrast, mixed, text_on

BOTH = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])


def test_the_contrast_of_grey_767676_on_white_is_the_one_that_wcag_names() -> None:
    assert round(contrast("#767676", "#FFFFFF"), 2) == 4.54


@BOTH
def test_all_colours_of_text_read_on_paper(palette: Palette) -> None:
    for colour in (palette.ink, palette.muted):
        assert contrast(colour, palette.paper) >= 4.5


@BOTH
def test_all_marks_and_lines_stand_out_from_paper(palette: Palette) -> None:
    for colour in (palette.data, palette.alert, *palette.series):
        assert contrast(colour, palette.paper) >= 3


@BOTH
def test_text_reads_on_every_shade_of_a_heatmap(palette: Palette) -> None:
    for percent in range(-100, 101):
        shade = palette.shade(percent / 100)
        assert contrast(text_on(shade), shade) >= 4.5


@BOTH
def test_stronger_values_are_further_from_paper(palette: Palette) -> None:
    steps = [contrast(palette.shade(v / 10), palette.paper) for v in range(11)]
    assert steps == sorted(steps)


@BOTH
def test_the_colours_of_lines_differ(palette: Palette) -> None:
    assert len(set(palette.series)) == len(palette.series)


def test_halfway_between_black_and_white_is_grey() -> None:
    assert mixed("#000000", "#FFFFFF", 0.5) == "#808080"
