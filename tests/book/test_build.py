"""From a project to a book; and whatever goes wrong, the book that was there stays."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from evalreport.book import build as build_module
from evalreport.book.build import build
from evalreport.book.cache import build_key, is_current, write_stamp
from evalreport.book.sources import default_files, source_roots
from evalreport.book.swap import locked, put_in_place
from evalreport.errors import EvalreportError
from evalreport.project import Project, read_project
from tests.book import toy
from tests.book.notebook_files import notebook
from tests.book.toy import contents, make_project

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:.*unclosed.*:ResourceWarning")


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    toy.register(monkeypatch)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project with a book; tests may not change it."""
    with pytest.MonkeyPatch.context() as patch:
        toy.register(patch)
        project = make_project(tmp_path_factory.mktemp("built"))
        build(project)
    return project


@pytest.fixture
def project(built: Project, tmp_path: Path) -> Project:
    """A copy of the project with its book, to break."""
    shutil.copytree(built.root, tmp_path / "copy")
    return read_project(tmp_path / "copy")


def page(project: Project, name: str) -> str:
    return (project.build_folder / "html" / name).read_text("utf-8")


@pytest.mark.book
def test_a_project_becomes_a_book_of_all_its_pages(built: Project) -> None:
    names = {name for name in contents(built.build_folder / "html") if name.startswith("book/")}
    assert names == {
        "book/intro.html",
        "book/_generated/toy/overview.html",
        "book/_generated/toy/first/one.html",
        "book/_generated/parameters.html",
        "book/_generated/data.html",
    }
    assert "The mean of b is" in page(built, "book/intro.html")
    assert "1.5000" in page(built, "book/intro.html")
    overview = page(built, "book/_generated/toy/overview.html")
    assert '<section id="what-was-found">' in overview
    assert 'data-v="4">4.0000' in overview
    assert "open_page" not in overview
    first = page(built, "book/_generated/toy/first/one.html")
    assert "<title>First_page $x$ &lt;b&gt;" in first
    assert re.search(r'href="\.\./overview\.html#tbl-means"', first)


@pytest.mark.book
def test_every_page_carries_the_settings_of_the_project(built: Project) -> None:
    pages = sorted((built.build_folder / "html" / "book").rglob("*.html"))
    for path in pages:
        text = path.read_text("utf-8")
        assert re.search(r'<meta name="evalreport:alpha" content="0\.1" ?/?>', text), path
        assert re.search(r'<meta name="evalreport:version" content="1\.10" ?/?>', text), path


@pytest.mark.book
def test_the_data_page_names_every_input_with_its_hash_and_every_ignored_file(built: Project) -> None:
    text = page(built, "book/_generated/data.html")
    # sha256 of "4\\n" and of "1\\n2\\n"
    assert "7de1555df0c2700329e815b93b32c571c3ea54dc967b89e81ab73b9972b72d1d" in text
    assert "a.txt" in text
    assert "notes&lt;1&gt;.log" in text
    assert (built.build_folder / "html/data/toy/means.csv").read_text() == "file,mean\na.txt,4.0000\nb.txt,1.5000\n"


@pytest.mark.book
def test_the_published_notebook_carries_the_metadata_of_the_book(built: Project) -> None:
    path = built.build_folder / "work/src/book/_generated/toy/overview.ipynb"
    metadata = json.loads(path.read_text("utf-8"))["metadata"]
    assert metadata["evalreport"]["settings"]["toy"]["alpha"] == "0.1"
    assert metadata["evalreport"]["settings"]["toy"]["level"] == "0.95"
    assert metadata["evalreport"]["scope"][1] == ["α", "0.1"]


@pytest.mark.book
def test_a_second_build_of_the_same_inputs_does_nothing_and_says_so(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evalreport.book.cache.PACKAGE", project.root / "data")  # so that nobody can edit it meanwhile
    build(project)
    before, said = contents(project.build_folder / "html"), list[str]()
    build(project, say=said.append)
    assert said == ["nothing changed"]
    assert contents(project.build_folder / "html") == before


@pytest.mark.parametrize(
    "place", ["data/a.txt", "evalreport.yml", "book/intro.md", "notebooks/toy_first.ipynb", "_toc.yml", "_config.yml"]
)
def test_a_change_of_anything_that_is_read_is_noticed(tmp_path: Path, place: str) -> None:
    project = make_project(tmp_path)
    before = build_key(project, source_roots(tmp_path), engine="fork")
    assert build_key(read_project(tmp_path), source_roots(tmp_path), engine="fork") == before
    with (tmp_path / place).open("a", encoding="utf-8") as file:
        file.write("\n")
    assert build_key(read_project(tmp_path), source_roots(tmp_path), engine="fork") != before


def test_a_book_that_was_touched_is_made_again(tmp_path: Path) -> None:
    html = tmp_path / "html"
    html.mkdir()
    (html / "index.html").write_text("x", "utf-8")
    write_stamp(tmp_path, html, "key")
    assert is_current(tmp_path, html, "key")
    assert not is_current(tmp_path, html, "another")
    (html / "index.html").unlink()
    assert not is_current(tmp_path, html, "key")


@pytest.mark.book
def test_a_page_of_an_input_that_is_gone_does_not_survive(project: Project) -> None:
    stale = project.build_folder / "html/book/_generated/toy/first/gone.html"
    stale.write_text("old", "utf-8")
    build(project)
    assert not stale.exists()


def _break_data(root: Path) -> None:
    (root / "data/a.txt").write_text("four\nfive\n", "utf-8")


def _break_page(text: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        with (root / "book/intro.md").open("a", encoding="utf-8") as page:
            page.write(text)

    return change


def _break_notebook(*cells: str, parameters: str = "workspace = '.'\nlimit = 5") -> Callable[[Path], None]:
    def change(root: Path) -> None:
        make_project(root, overview=notebook(*cells, parameters=parameters))

    return change


BREAKS: dict[str, tuple[Callable[[Path], None], str]] = {
    "bad data": (_break_data, "a.txt: line 2: is 'five'; expected a number"),
    "raise": (
        _break_notebook("raise ValueError('x')"),
        "toy_overview.ipynb (page toy/overview): cell 3: ValueError: x",
    ),
    "exit": (_break_notebook("import sys; sys.exit(0)"), "sys.exit(0) ended the notebook before its last cell"),
    "misspelt": (_break_notebook("1", parameters="limti = 5"), "has no parameter 'limit'; expected 'limti'"),
    "ill-typed": (_break_notebook("1", parameters="limit = ''"), "limit is the int 3; expected a text"),
    "page": (
        _break_page("\n{num}`toy.mean/none`\n\n{ref}`nowhere`\n\n```{er-table} none\n```\n"),
        "there is no published number 'toy.mean/none' | undefined label: 'nowhere' | none.json: is missing",
    ),
    "links": (
        _break_page(
            '\n<a href="nowhere.html">x</a> <a href="#here">y</a> <img src="https://example.org/x.png" alt="">\n'
        ),
        "leads to nowhere.html | leads to #here | loads https://example.org/x.png",
    ),
}


@pytest.mark.book
@pytest.mark.parametrize("name", BREAKS)
def test_a_build_that_fails_leaves_the_book_as_it_was(project: Project, name: str) -> None:
    change, message = BREAKS[name]
    before = contents(project.build_folder / "html")
    change(project.root)
    with pytest.raises(EvalreportError) as caught:
        build(read_project(project.root))
    assert [part for part in message.split(" | ") if part not in str(caught.value)] == []
    assert contents(project.build_folder / "html") == before


@pytest.mark.book
@pytest.mark.shared
def test_the_shared_book_with_three_faults_is_refused_with_all_three(project: Project, shared: Path) -> None:
    for name in ("intro.md", "dup.md", "bad.ipynb"):
        (project.root / "book" / name).write_bytes((shared / "cases/public/N04/book" / name).read_bytes())
    toc = (project.root / "_toc.yml").read_text("utf-8")
    (project.root / "_toc.yml").write_text(f"{toc}  - file: book/dup\n  - file: book/bad\n", "utf-8")
    with pytest.raises(EvalreportError) as caught:
        build(read_project(project.root))
    found = str(caught.value)
    expected = ("book/bad.ipynb: cell", "same-label", "no-such")
    assert [text for text in expected if text not in found] == []


@pytest.mark.book
def test_a_mismatch_of_formula_and_code_stops_the_build(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(project.build_folder / "html")
    wrong = replace(toy.SUITE, compute=lambda r, s: toy.Means(r, s, {name: Fraction(9) for name in r.files}))
    monkeypatch.setattr("evalreport.suites.all_suites", lambda: {"toy": wrong})
    with pytest.raises(
        EvalreportError, match=r"toy\.mean of file a\.txt: the code gives 9/1 and the printed formula 4/1"
    ):
        build(project, fresh=True)
    assert contents(project.build_folder / "html") == before


def test_two_builds_at_once_are_refused(tmp_path: Path) -> None:
    project = make_project(tmp_path)
    with (
        locked(project.build_folder),
        pytest.raises(EvalreportError, match="another build is running here; expected one build at a time"),
    ):
        build(project)


def test_a_book_takes_the_place_of_another_as_a_whole(tmp_path: Path) -> None:
    new, place = tmp_path / "new", tmp_path / "html"
    for folder, name in ((new, "a"), (place, "b")):
        folder.mkdir()
        (folder / name).write_text(name, "utf-8")
    put_in_place(new, place)
    assert [path.relative_to(tmp_path).as_posix() for path in sorted(tmp_path.rglob("*"))] == ["html", "html/a"]


def test_a_book_takes_its_place_where_folders_cannot_be_exchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evalreport.book.swap._exchanged", lambda *_: False)
    test_a_book_takes_the_place_of_another_as_a_whole(tmp_path)


def test_data_around_the_build_folder_is_refused(tmp_path: Path) -> None:
    make_project(tmp_path)
    text = (tmp_path / "evalreport.yml").read_text("utf-8")
    (tmp_path / "evalreport.yml").write_text(text.replace("[data]", "[.]"), "utf-8")
    with pytest.raises(EvalreportError, match=r"suites\.toy\.data: \. and _build/ lie in each other"):
        read_project(tmp_path)


def test_the_date_is_that_of_the_project_or_of_the_surroundings_and_never_the_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    assert build_module._date_of_the_moment() == "2026-01-01"
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert build_module._date_of_the_moment() == ""


def test_the_package_finds_the_files_for_projects_that_have_none() -> None:
    assert {"_toc.yml", "_config.yml", "book", "notebooks"} <= {path.name for path in default_files().iterdir()}
