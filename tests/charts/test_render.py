from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256

import matplotlib as mpl
import pytest
from lxml import etree
from matplotlib.figure import Figure as Drawing

from evalreport.charts.figure import Canvas, Figure
from evalreport.charts.palette import DARK, LIGHT
from evalreport.charts.render import rendered
from evalreport.charts.sheet import sheet
from evalreport.charts.style import styled
from tests.charts.examples import figure

PRINT_HASHES = """
from hashlib import sha256
from evalreport.charts.render import rendered
from tests.charts.examples import figure
for kind, count in (("ranks", "hostile"), ("heat", "one"), ("overview", "one")):
    for name, content in rendered(figure(kind, count)).files.items():
        print(name, sha256(content).hexdigest())
"""


def hashes(**changes: str) -> str:
    """The hashes of some figures as another process makes them."""
    environment = {**os.environ, "MPLBACKEND": "agg", **changes}
    return subprocess.run(
        [sys.executable, "-c", PRINT_HASHES], env=environment, check=True, capture_output=True, text=True
    ).stdout


def test_other_processes_hash_seeds_locales_and_zones_give_the_same_bytes() -> None:
    one = hashes(PYTHONHASHSEED="1", TZ="UTC", LC_ALL="C.UTF-8")
    other = hashes(PYTHONHASHSEED="4711", TZ="Asia/Tokyo", LC_ALL="C", SOURCE_DATE_EPOCH="1")
    assert one == other
    assert one.count("\n") == 3 * 7 + 2  # seven pictures each, and one panel in two themes


def test_a_notebooks_own_settings_change_no_byte_and_ours_leave_no_trace() -> None:
    plain = rendered(figure("heat", "one")).files
    with mpl.rc_context({"font.size": 20, "svg.hashsalt": None, "lines.linewidth": 9, "figure.dpi": 30}):
        before = dict(mpl.rcParams)
        assert rendered(figure("heat", "one")).files == plain
        assert dict(mpl.rcParams) == before


@pytest.fixture(scope="module")
def files() -> Mapping[str, bytes]:
    return rendered(figure("forest", "hostile")).files


def test_each_size_and_theme_has_its_files(files: Mapping[str, bytes]) -> None:
    stem = "forest-hostile"
    assert set(files) == {
        *(f"{stem}.{kind}" for kind in ("svg", "pdf", "png")),
        *(f"{stem}-column.{kind}" for kind in ("svg", "pdf")),
        f"{stem}-dark.svg",
        f"{stem}-column-dark.svg",
    }


def test_a_figure_of_one_size_has_the_bare_name() -> None:
    only = replace(figure("forest", "one"), sizes=("column",))
    assert "forest-one.svg" in rendered(only).files
    assert not any("column" in name for name in rendered(only).files)


def test_no_file_tells_when_or_with_what_it_was_made(files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        for word in (b"Date", b"Matplotlib v", b"Software", b"Creator"):
            assert word not in content, f"{name} holds {word!r}"


def test_an_svg_is_well_formed_and_carries_outlines_but_no_text_script_or_address(files: Mapping[str, bytes]) -> None:
    root = etree.fromstring(files["forest-hostile.svg"])
    tags = {etree.QName(e).localname for e in root.iter(etree.Element)}
    assert not tags & {"text", "script", "foreignObject", "image", "a", "animate"}
    links = [v for e in root.iter(etree.Element) for k, v in e.attrib.items() if etree.QName(k).localname == "href"]
    assert all(str(link).startswith("#") for link in links)


def test_a_pdf_embeds_only_packaged_fonts_also_for_formulas() -> None:
    formula = rendered(replace(figure("ranks", "one"), sizes=("column",))).files["ranks-one.pdf"]
    fonts = formula.split(b"/BaseFont ")[1:]
    names = {font.split()[0].split(b"+")[-1].strip(b"/") for font in fonts}
    assert names
    assert all(name.startswith(b"SourceSans3") for name in names), names


def test_the_light_picture_has_white_paper_and_the_svg_none(files: Mapping[str, bytes]) -> None:
    assert b"#ffffff" not in files["forest-hostile-dark.svg"].lower()
    assert DARK.data.lower().encode() in files["forest-hostile-dark.svg"]
    assert LIGHT.data.lower().encode() in files["forest-hostile.svg"]


def test_all_names_that_cannot_be_written_are_explained() -> None:
    marks = dict(rendered(figure("forest", "hostile")).marks)
    assert {"模型-一号 1.0", "نموذج-١ 1.0", "🚀-rocket-7b 0.1"} <= set(marks.values())
    assert len(set(marks)) == len(marks)


def test_a_glyph_that_no_font_has_stops_the_drawing() -> None:
    def tofu(canvas: Canvas) -> Drawing:
        drawing = sheet(canvas.width, 1)
        drawing.text(0.5, 0.5, "模型")
        return drawing

    with pytest.raises(UserWarning, match="Glyph"):
        rendered(replace(figure("forest", "one"), draw=tofu))


def test_dollars_are_dollars() -> None:
    def money(text: str) -> Figure:
        def draw(canvas: Canvas) -> Drawing:
            drawing = sheet(canvas.width, 1)
            drawing.text(0.5, 0.5, text)
            return drawing

        return replace(figure("forest", "one"), draw=draw, sizes=("column",))

    shapes = [sha256(rendered(money(t)).files["forest-one.svg"]).digest() for t in ("$x$", "x", r"cost$a_{b$")]
    assert len(set(shapes)) == 3


def test_the_style_ends_with_its_context() -> None:
    before = dict(mpl.rcParams)
    with styled(LIGHT):
        assert mpl.rcParams["text.color"] == LIGHT.ink
    assert dict(mpl.rcParams) == before


def test_the_place_of_the_axes_is_told_for_a_cursor() -> None:
    left, top, width, height = rendered(figure("ranks", "some")).axes["page"]
    assert 0 < left < left + width < 1
    assert 0 < top < top + height < 1
