"""Whatever stands in a field of a cell, a column or a table: it is text on the page, never markup."""

from __future__ import annotations

from fractions import Fraction

import pytest
from lxml import html as lxml_html

from evalreport.core.exact import Undefined
from evalreport.core.table import (
    Badge,
    Cell,
    Code,
    Column,
    Heat,
    Limits,
    Link,
    Math,
    Missing,
    Num,
    Rank,
    Row,
    RowGroup,
    Strong,
    Sub,
    Table,
    Text,
)
from evalreport.report.tables import table_html

SAID = "\"'><script>x</script><b onclick=x>&lt;"
HALF = Fraction(1, 2)
CELLS: tuple[Cell, ...] = (
    Text(SAID, SAID, f"https://example.org/{SAID}"),
    Num(HALF, note=SAID, label=SAID, href=f"#{SAID}"),
    Num(Undefined(SAID)),
    Rank(None, reason=SAID),
    Limits(HALF, HALF, HALF, 0, 1, SAID),
    Badge("plain", SAID, SAID),
    Heat(None, SAID, SAID),
    Heat(HALF, SAID),
    Code(SAID),
    Math(SAID),
    Link(SAID, f"https://example.org/{SAID}"),
    Missing(SAID),
)


def tree(table: Table) -> lxml_html.HtmlElement:
    return lxml_html.fromstring(f"<div>{table_html(table)}</div>")


def assert_is_text(found: lxml_html.HtmlElement) -> None:
    assert found.xpath("//script | //b[@onclick] | //*[@onclick]") == []
    spoken = [found.text_content(), *found.xpath("//@title | //@aria-label")]
    assert any("<script>x</script>" in text for text in spoken)


@pytest.mark.parametrize("cell", CELLS, ids=[f"{at}-{type(cell).__name__}" for at, cell in enumerate(CELLS)])
def test_a_cell_holds_text_alone(cell: Cell) -> None:
    columns = (Column("a", "A"), Column("b", "B"))
    assert_is_text(tree(Table("t", "Found.", "", columns, (RowGroup("", (Row((Text("x"), cell)),)),))))


def test_heads_titles_captions_and_notes_hold_text_alone() -> None:
    columns = (
        Column("a", SAID, SAID, title=SAID, better="higher"),
        Column("b", (Strong(SAID), Sub(SAID)), (Code(SAID),)),
    )
    groups = (RowGroup(SAID, (Row((Text("x"), Text("y"))),)),)
    assert_is_text(tree(Table("t", SAID, (SAID, Strong(SAID)), columns, groups, SAID, ((SAID, "data/x.csv"),))))
    assert_is_text(tree(Table("t", "Found.", "", columns, (), empty=SAID)))
