"""Every kind of figure over no, one, some, hostile and many names: nothing clipped, nothing on top of something."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Drawing
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from evalreport.charts.figure import WIDTHS, Canvas, Size
from evalreport.charts.fonts import glyphs
from evalreport.charts.labels import Names
from evalreport.charts.palette import LIGHT
from evalreport.charts.style import TINY, styled
from tests.charts.examples import COUNTS, KINDS, figure

DPI = 100


def texts(drawing: Drawing) -> Iterator[tuple[Text, Bbox]]:
    """Every text that is seen, with the box it fills in pixels."""
    renderer = FigureCanvasAgg(drawing).get_renderer()  # type: ignore[no-untyped-call]
    for artist in drawing.findobj(Text):
        assert isinstance(artist, Text)
        if artist.get_visible() and artist.get_text().strip():
            yield artist, artist.get_window_extent(renderer)


def drawn(kind: str, count: str, size: Size) -> Drawing:
    subject = figure(kind, count)
    canvas = Canvas(palette=LIGHT, size=size, width=WIDTHS[size], names=Names(subject.names))
    drawing = subject.draw(canvas)
    drawing.set_dpi(DPI)
    return drawing


EACH = [(k, c, s) for k in KINDS for c in COUNTS for s in WIDTHS]


@pytest.mark.parametrize(("kind", "count", "size"), EACH)
def test_all_text_is_readable_and_inside_the_paper_and_apart(kind: str, count: str, size: Size) -> None:
    with styled(LIGHT):
        drawing = drawn(kind, count, size)
        drawing.draw_without_rendering()
        seen = list(texts(drawing))
    assert seen
    assert round(drawing.get_figwidth(), 6) == WIDTHS[size]
    width, height = drawing.bbox.width, drawing.bbox.height
    for text, box in seen:
        assert float(text.get_fontsize()) >= TINY
        if not text.get_parse_math():
            assert set(text.get_text()) - {"\n"} <= glyphs()
        assert box.x0 >= -1, text.get_text()
        assert box.x1 <= width + 1, text.get_text()
        assert box.y0 >= -1, text.get_text()
        assert box.y1 <= height + 1, text.get_text()
    level = [(t.get_text(), box) for t, box in seen if not t.get_rotation()]
    for (one, a), (other, b) in combinations(level, 2):
        overlap = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        assert min(overlap) < 2, f"{one!r} and {other!r}"  # boxes hold the empty room above small letters


@pytest.mark.parametrize("kind", KINDS)
def test_where_there_is_nothing_to_draw_a_sentence_says_so(kind: str) -> None:
    with styled(LIGHT):
        drawing = drawn(kind, "none", "page")
        said = " ".join(t.get_text() for t, _ in texts(drawing))
    assert said.startswith("no ")
    assert not drawing.axes


@pytest.mark.parametrize("size", WIDTHS)
def test_a_threshold_does_not_run_through_the_words_that_it_crosses(size: Size) -> None:
    with styled(LIGHT):
        drawing = drawn("forest-of-groups", "hostile", size)
        drawing.draw_without_rendering()
        [axes] = drawing.axes
        x, bottom, top = axes.transData.transform((0.2, 0))[0], axes.bbox.y0, axes.bbox.y1
        crossed = [text for text, box in texts(drawing) if box.x0 < x < box.x1 and bottom < box.y0 < box.y1 < top]
    assert crossed
    assert all(text.get_bbox_patch() is not None for text in crossed), [text.get_text() for text in crossed]
