"""A table on a page: real rows, a caption, keys to sort by, nothing that strangers can add."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from lxml import html as lxml_html

from evalreport.core.exact import Undefined
from evalreport.core.table import (
    Badge,
    Cell,
    Code,
    Column,
    Count,
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
    Table,
    Text,
    Words,
    plain,
)
from evalreport.report.parts import filled, parts_from_json
from evalreport.report.tables import table_fragment, table_html, table_parts
from tests.book.look import HOSTILE, hostile, leaderboard, long_table


def _one(cell: Cell, column: Column | None = None) -> lxml_html.HtmlElement:
    """The second cell of a table of one row."""
    table = Table("t", "Found.", "", (Column("a", "A"), column or Column("b", "B")), (_rows((Text("x"), cell)),))
    return lxml_html.fromstring(table_html(table)).xpath("//tbody/tr/td")[0]


def _rows(*cells: tuple[Cell, ...]) -> RowGroup:
    return RowGroup("", tuple(Row(row) for row in cells))


def test_a_number_is_printed_with_the_decimals_of_its_column_and_sorted_by_its_exact_value() -> None:
    cell = _one(Num(Fraction(1, 3)), Column("b", "B", decimals=2))
    assert (cell.text_content(), cell.get("data-v")) == ("0.33", "1/3")


def test_a_signed_number_shows_its_sign_with_a_real_minus() -> None:
    assert _one(Num(Fraction(1, 2), 2, signed=True)).text_content() == "+0.50"
    assert _one(Num(Fraction(-1, 2), 2, signed=True)).text_content() == "−0.50"
    assert _one(Num(Fraction(0), 2, signed=True)).text_content() == "0.00"


def test_no_value_is_a_dash_with_its_reason_and_sorts_last() -> None:
    for cell in (Num(Undefined("no scored runs")), Missing("no scored runs"), Rank(None, reason="no scored runs")):
        found = _one(cell)
        assert found.text_content() == "–no value: no scored runs"
        assert found.xpath("./span/@title") == ["no scored runs"]
        assert found.get("data-v") == ""


def test_a_count_of_a_total_sorts_by_its_share() -> None:
    cell = _one(Count(3, 6))
    assert (cell.text_content(), cell.get("data-v")) == ("3/6", "1/2")


def test_a_shared_rank_says_so() -> None:
    assert _one(Rank(3, tied=True)).text_content() == "3="
    assert _one(Rank(3)).text_content() == "3"


def test_a_rank_leads_to_its_audit_line() -> None:
    shared = _one(Rank(3, tied=True, href="audit/m#number-rank"))
    assert shared.xpath("./a[contains(@class, 'er-num')]/@href") == ["audit/m#number-rank"]
    assert shared.text_content() == "3="


def test_an_interval_is_drawn_with_attributes_only_on_the_scale_of_its_column() -> None:
    cell = _one(Limits(Fraction(1, 4), Fraction(3, 4), Fraction(1, 2), 0, 1, "95 % interval 0.25 to 0.75"))
    # the drawing is 120 units wide with 3 at each side: 3 + 114 / 4 = 31.5, 3 + 114 * 3 / 4 = 88.5, middle 60
    assert cell.xpath(".//path[@class='i']/@d") == ["M31.5 7H88.5"]
    assert cell.xpath(".//circle/@cx") == ["60"]
    assert cell.xpath(".//svg/@aria-label") == ["95 % interval 0.25 to 0.75"]
    assert not cell.xpath(".//@style")


def test_an_interval_beyond_its_scale_is_cut_at_the_edge() -> None:
    cell = _one(Limits(Fraction(-1), Fraction(2), Fraction(1, 2), 0, 1, "wide"))
    assert cell.xpath(".//path[@class='i']/@d") == ["M3 7H117"]


def test_intervals_of_one_column_with_different_scales_are_refused() -> None:
    cells = [Limits(None, None, Fraction(1, 2), 0, high, "x") for high in (1, 2)]
    table = Table("t", "F.", "", (Column("a", "A"), Column("b", "B")), (_rows(*((Text("x"), c) for c in cells)),))
    with pytest.raises(ValueError, match="2 scales"):
        table_html(table)


def test_a_shade_is_one_of_five_and_none_is_hatched_with_its_reason() -> None:
    assert _one(Heat(Fraction(3, 4), "0.75")).get("class") == "er-heat er-h3"
    assert _one(Heat(Fraction(1, 3), "0.33", low=True)).get("class") == "er-heat er-h1 er-low"
    hatched = _one(Heat(None, "N/A", "does not apply"))
    assert (hatched.get("class"), hatched.get("data-v")) == ("er-heat er-na", "")
    assert hatched.xpath("./span/@title") == ["does not apply"]


@pytest.mark.parametrize("cell", [Heat(1, "1", "", "audit/m#number-x"), Heat(None, "N/A", "why", "audit/m#number-x")])
def test_a_shade_leads_to_the_line_that_says_where_it_comes_from(cell: Heat) -> None:
    assert _one(cell).xpath("./a[contains(@class, 'er-num')]/@href") == ["audit/m#number-x"]


def test_a_badge_is_a_word_in_a_shape() -> None:
    assert _one(Badge("alert", "disqualified")).xpath("./span/@class") == ["er-badge er-b-dq"]
    assert _one(Code("a<b")).xpath("./code/bdi/text()") == ["a<b"]


def test_heads_rows_and_groups_have_a_scope() -> None:
    page = lxml_html.fromstring(table_html(leaderboard()))
    assert len(page.xpath("//thead//th[@scope='col']")) == 10
    assert len(page.xpath("//tbody//th[@scope='row' and contains(@class, 'er-stick')]")) == 9
    assert page.xpath("//th[@scope='rowgroup']")[0].text_content() == "Not ranked"
    assert page.xpath("//div[@role='region']/@aria-labelledby") == page.xpath("//caption/span/@id")


def test_only_columns_that_can_be_sorted_are_marked_so() -> None:
    page = lxml_html.fromstring(table_html(leaderboard()))
    assert page.xpath("//th[@data-nosort]/span[@class='er-h']/text()") == ["95 % interval"]
    assert "er-sortable" in page.xpath("//table/@class")[0]


def test_ranked_rows_carry_their_exact_values_at_both_ends_of_the_weight() -> None:
    page = lxml_html.fromstring(table_html(leaderboard()))
    first = page.xpath("//tbody/tr")[0]
    assert (first.get("data-one"), first.get("data-zero")) == ("33/40", "73/80")  # 438 of 480 points
    assert len(page.xpath("//tr[@data-one]")) == 6


def test_an_empty_table_says_why_in_its_own_words() -> None:
    table = Table("t", "F.", "", (Column("a", "A"), Column("b", "B")), (), empty="nothing was left out")
    cell = lxml_html.fromstring(table_html(table)).xpath("//tbody//td")[0]
    assert (cell.text_content(), cell.get("colspan")) == ("nothing was left out", "2")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_arise_as_text_alone(name: str) -> None:
    assert _shape(table_html(_named(name))) == _shape(table_html(_named("n")))


def _named(name: str) -> Table:
    words: Words = (name, Strong(name), Link(name, "#x"))
    cells: tuple[Cell, ...] = (
        Text(name, name, "#x"), Code(name), Badge("quiet", name, name), Missing(name), Link(name, name)
    )  # fmt: skip
    return Table("t", words, words, tuple(Column(f"c{k}", words, words, title=name) for k in range(5)),
                 (RowGroup(name, (Row(cells),)),), note=words, downloads=((name, name),), empty=name)  # fmt: skip


def _shape(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Every element with the names of its attributes; isolation of right-to-left text may come and go."""
    elements = lxml_html.fromstring(text).iter()
    return [(str(e.tag), tuple(sorted(map(str, e.attrib)))) for e in elements if e.tag != "bdi"]


def test_names_are_isolated_from_the_direction_of_the_page() -> None:
    page = lxml_html.fromstring(table_html(hostile()))
    assert len(page.xpath("//th[@scope='row']/bdi")) == len(HOSTILE)


def test_a_fragment_survives_json_and_is_filled_as_the_table_was() -> None:
    table = leaderboard()
    fragment = json.loads(json.dumps(table_fragment(table)))
    html = filled(parts_from_json(fragment["parts"]), formula=str, address=str, number="Table 1 ")
    assert html == table_html(table, formula=str, number="Table 1 ")
    assert fragment["title"] == "Nine subject versions, six ranked."
    assert sum(isinstance(part, dict) and "address" in part for part in fragment["parts"]) > 20


def test_formulas_are_gaps_until_the_page_sets_them() -> None:
    table = Table("t", "F.", ("at ", Math(r"\alpha")), (Column("a", "A"),), (_rows((Math("x<y"),)),))
    assert '<code class="er-tex">x&lt;y</code>' in table_html(table)
    assert "[\\alpha]" in table_html(table, formula=lambda latex: f"[{latex}]")


def test_a_long_table_says_how_many_rows_it_has_and_offers_a_filter() -> None:
    page = lxml_html.fromstring(table_html(long_table(3000)))
    assert page.xpath("//span[@class='er-count']/text()") == ["3,000 rows."]
    assert page.xpath("//table/@data-filter") == ["3000"]
    assert len(page.xpath("//tbody/tr")) == 3000


def test_three_thousand_subjects_stay_under_three_megabytes() -> None:
    def row(k: int) -> Row:
        at, link = Fraction(k, 3000), f"benchmark/audit/subject-{k:04d}--1-0#pass-rate"
        numbers = tuple(Num(at, href=link) for _ in range(4))
        return Row((Rank(k + 1), Text(f"subject-{k:04d}", "1.0"), *numbers,
                    Limits(at * Fraction(9, 10), at, at, 0, 1, "0.1 to 0.2"), Count(40)))  # fmt: skip

    columns = tuple(Column(f"c{k}", f"C{k}", align="r", sticky=k == 1) for k in range(8))
    table = Table("big", "Many.", "", columns, (RowGroup("", tuple(map(row, range(3000)))),))
    assert len(table_html(table, address=lambda target: f"../../{target}").encode()) < 3_000_000


def test_an_id_that_is_no_file_name_is_refused() -> None:
    with pytest.raises(ValueError, match="table id"):
        table_parts(Table("../x", "F.", "", (Column("a", "A"),), ()))


def test_a_row_of_another_width_is_refused() -> None:
    with pytest.raises(ValueError, match="a row has 1 cells; expected 2"):
        Table("t", "F.", "", (Column("a", "A"), Column("b", "B")), (_rows((Text("x"),)),))


def test_words_without_form_are_plain() -> None:
    assert plain(("Q", Strong("b"), Math("x"), Link("l", "#"))) == "Qbxl"
