"""Parameters are checked before anything runs; what is published is the same for every run."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from pathlib import Path

import nbformat
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from papermill.translators import PythonTranslator

from evalreport.book.notebooks import Execution, check_jobs, execute, normalised, read_template
from evalreport.core.suite import PageJob
from evalreport.errors import EvalreportError
from evalreport.scale.executors import Processes, Serial
from tests.book.notebook_files import Node, notebook, write

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:.*unclosed.*:ResourceWarning")


def problems(error: pytest.ExceptionInfo[EvalreportError]) -> list[str]:
    return [str(problem) for problem in error.value.problems]


def job(name: str, parameters: Mapping[str, object] | None = None, title: str = "A title") -> PageJob:
    return PageJob(name, f"toy/{name}", title, parameters or {})  # type: ignore[arg-type]


def run(tmp_path: Path, node: Node, parameters: Mapping[str, object] | None = None, **options: object) -> Node:
    template = read_template(write(tmp_path / "templates/report.ipynb", node))
    execution = Execution(tmp_path, {"alpha": "0.5"}, **options)  # type: ignore[arg-type]
    (path,) = execute(
        [job("report", parameters)], {"report": template}, tmp_path / "out", execution=execution, run=Serial()
    )
    return nbformat.read(path, as_version=4)  # type: ignore[no-any-return]


DECLARED = "alpha = 0.5\nn_boot = 500\nname: str | None = None\nflag: bool = False\nworkspace = '.'"
GOOD: Mapping[str, object] = {"alpha": 1, "n_boot": 7, "name": None, "flag": True, "workspace": "x"}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"alhpa": 0.05}, "has no parameter 'alhpa'; expected 'alpha' (known: alpha, flag, n_boot, name, workspace)"),
        ({"alpha": "0.5"}, "alpha is the str '0.5'; expected a finite number"),
        ({"alpha": True}, "alpha is the bool True; expected a finite number"),
        ({"alpha": float("nan")}, "alpha is nan; expected a finite number"),
        ({"alpha": float("inf")}, "alpha is inf; expected a finite number"),
        ({"alpha": None}, "alpha is None; expected a finite number"),
        ({"n_boot": 500.0}, "n_boot is the float 500.0; expected an integer"),
        ({"n_boot": np.int64(5)}, "n_boot is the int64 np.int64(5); expected an integer"),
        ({"name": (1, 2)}, "name is the tuple (1, 2); expected a text or nothing"),
        ({"name": Path("x")}, "name is the PosixPath PosixPath('x'); expected a text or nothing"),
        ({"flag": 1}, "flag is the int 1; expected true or false"),
    ],
)
def test_a_parameter_that_is_misspelt_or_ill_typed_is_refused(
    tmp_path: Path, parameters: Mapping[str, object], message: str
) -> None:
    template = read_template(write(tmp_path / "report.ipynb", notebook(parameters=DECLARED)))
    with pytest.raises(EvalreportError) as caught:
        check_jobs([job("report", {**GOOD, **parameters})], {"report": template})
    assert problems(caught) == [f"report.ipynb (page toy/report): {message}"]


def test_parameters_of_the_declared_types_are_taken(tmp_path: Path) -> None:
    template = read_template(write(tmp_path / "report.ipynb", notebook(parameters=DECLARED)))
    check_jobs([job("report", GOOD)], {"report": template})


def test_a_parameter_that_no_page_gives_is_refused(tmp_path: Path) -> None:
    declared = "workspace = '.'\nalpha = 0.5\nalhpa = 0.3\nname = ''"
    template = read_template(write(tmp_path / "report.ipynb", notebook(parameters=declared)))
    jobs = [job("report", {"alpha": 0.5}), PageJob("report", "toy/other", "Other", {"name": "x"})]
    with pytest.raises(EvalreportError) as caught:
        check_jobs(jobs, {"report": template})
    what = "report.ipynb: declares the parameter 'alhpa', which no page gives"
    expected = "'alpha' (known: alpha, name, workspace), or a constant in another cell"
    assert problems(caught) == [f"{what}; expected {expected}"]


def test_a_reader_hears_how_many_notebooks_have_run_at_each_tenth_of_the_way(tmp_path: Path) -> None:
    template = read_template(write(tmp_path / "report.ipynb", notebook("1")))
    jobs = [PageJob("report", f"page-{number}", "A title") for number in range(23)]
    said: list[str] = []
    execution = Execution(tmp_path)
    execute(jobs, {"report": template}, tmp_path / "out", execution=execution, run=Processes(2), say=said.append)
    assert said[0] == "running 23 notebooks"
    assert said[1:] == [f"running notebooks: {done} of 23 done" for done in (3, 5, 7, 10, 12, 14, 17, 19, 21, 23)]


def test_nothing_runs_when_one_of_the_jobs_is_wrong(tmp_path: Path) -> None:
    touching = notebook(f"open({str(tmp_path / 'ran')!r}, 'w')", parameters="alpha = 0.5")
    template = read_template(write(tmp_path / "report.ipynb", touching))
    jobs = [PageJob("report", "one", "One"), PageJob("report", "two", "Two", {"alhpa": 1})]
    with pytest.raises(EvalreportError, match="alhpa"):
        execute(jobs, {"report": template}, tmp_path / "out", execution=Execution(tmp_path), run=Serial())
    assert not (tmp_path / "ran").exists()


def test_two_notebooks_for_one_page_are_refused_also_in_other_letters(tmp_path: Path) -> None:
    template = read_template(write(tmp_path / "report.ipynb", notebook()))
    with pytest.raises(EvalreportError, match="page toy/A: is made twice"):
        check_jobs([PageJob("report", "toy/a", "x"), PageJob("report", "toy/A", "x")], {"report": template})


def test_an_unknown_notebook_is_refused_with_the_nearest(tmp_path: Path) -> None:
    template = read_template(write(tmp_path / "report.ipynb", notebook()))
    with pytest.raises(EvalreportError, match=r"there is no notebook reprot.ipynb; expected 'report'"):
        check_jobs([job("reprot")], {"report": template})


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (notebook(parameters=None), "has 0 cells tagged 'parameters'; expected exactly one"),
        (notebook(parameters="x = 1\ny = x * 2"), "the parameters cell holds 'y = x * 2'; expected name = value only"),
        (notebook(parameters="x = [1]"), "the parameters cell holds 'x = [1]'; expected name = value only"),
        (notebook(parameters="x: int = 1.5"), "the parameters cell holds 'x: int = 1.5'; expected name = value only"),
        (notebook(parameters="x = 1\nx = 2"), "declares x twice; expected one declaration"),
        (notebook(parameters="x ="), "the parameters cell is no Python (invalid syntax); expected name = value"),
        (notebook(kernel="no-such-kernel"), "asks for the kernel 'no-such-kernel'; expected python3"),
    ],
)
def test_a_template_that_could_mislead_is_refused(tmp_path: Path, node: Node, message: str) -> None:
    with pytest.raises(EvalreportError) as caught:
        read_template(write(tmp_path / "report.ipynb", node))
    assert problems(caught) == [f"report.ipynb: {message}"]


def test_a_second_parameters_cell_is_refused(tmp_path: Path) -> None:
    node = notebook("y = 2")
    node.cells[-1].metadata["tags"] = ["parameters"]
    with pytest.raises(EvalreportError, match="has 2 cells tagged 'parameters'; expected exactly one"):
        read_template(write(tmp_path / "report.ipynb", node))


def test_a_file_that_is_no_notebook_is_refused(tmp_path: Path) -> None:
    (tmp_path / "report.ipynb").write_text("{", "utf-8")
    with pytest.raises(EvalreportError, match=r"report.ipynb: cannot be read"):
        read_template(tmp_path / "report.ipynb")


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("raise ValueError('no data')", "ValueError: no data; expected a cell without an error"),
        ("import sys; sys.exit(0)", "sys.exit(0) ended the notebook before its last cell"),
        ("import os; os._exit(0)", "the kernel died (ended early with exit status 0)"),
        ("print('x' * 2_000_000)", "output cut; expected at most 1,000,000 characters of output"),
        ("import time; time.sleep(60)", "stopped after 2 seconds; expected a cell that ends in time"),
    ],
)
def test_a_notebook_that_does_not_run_to_its_end_gives_no_page(tmp_path: Path, cell: str, message: str) -> None:
    with pytest.raises(EvalreportError) as caught:
        run(tmp_path, notebook("1", cell, "2"), {"workspace": "."}, cell_seconds=2)
    (found,) = problems(caught)
    assert found.startswith(f"report.ipynb (page toy/report): cell 4: {message}")
    assert not list((tmp_path / "out").rglob("*.ipynb"))


@pytest.mark.parametrize("cell", ["raise ValueError('no data')", "import sys; sys.exit(0)", "import os; os._exit(0)"])
def test_the_stock_kernel_is_held_to_the_same_gate(tmp_path: Path, cell: str) -> None:
    with pytest.raises(EvalreportError, match=r"report.ipynb \(page toy/report\)"):
        run(tmp_path, notebook(cell), engine="kernel")
    assert not list((tmp_path / "out").rglob("*.ipynb"))


def test_all_notebooks_that_fail_are_named_at_once(tmp_path: Path) -> None:
    template = read_template(write(tmp_path / "report.ipynb", notebook("1 / 0")))
    jobs = [PageJob("report", "one", "One"), PageJob("report", "two", "Two")]
    with pytest.raises(EvalreportError) as caught:
        execute(jobs, {"report": template}, tmp_path / "out", execution=Execution(tmp_path), run=Processes(2))
    assert [problem.where for problem in caught.value.problems] == [
        "report.ipynb (page one): cell 3",
        "report.ipynb (page two): cell 3",
    ]


def test_the_published_notebook_is_the_same_for_both_engines_and_for_every_run(tmp_path: Path) -> None:
    cells = ("print('a')", "from IPython.display import Markdown, display\ndisplay(Markdown('## b'))", "1 + 1")
    first, again, stock = (
        run(tmp_path / str(at), notebook(*cells), {"workspace": ".."}, engine=engine)
        for at, engine in enumerate(("fork", "fork", "kernel"))
    )
    assert first == again == stock
    assert first.metadata.evalreport == {"alpha": "0.5"}
    assert "papermill" not in json.dumps(first)


def test_markdown_that_a_cell_puts_out_becomes_a_cell_of_its_own_and_code_is_not_shown(tmp_path: Path) -> None:
    node = run(tmp_path, notebook("from IPython.display import Markdown\nMarkdown('## b')", "print('a')"))
    told = [(cell.cell_type, cell.metadata.get("tags"), cell.source.split("\n")[0]) for cell in node.cells]
    assert told == [
        ("markdown", None, "# A title"),
        ("code", ["remove-cell"], "workspace = '.'"),
        ("code", ["remove-cell"], "from IPython.display import Markdown"),
        ("markdown", None, "## b"),
        ("code", ["remove-input"], "print('a')"),
    ]


def test_the_title_of_a_page_is_text_and_never_markup(tmp_path: Path) -> None:
    template = read_template(write(tmp_path / "report.ipynb", notebook()))
    hostile = PageJob("report", "p", "a_b $x$ <script> [l](u)\n# second")
    (path,) = execute([hostile], {"report": template}, tmp_path / "out", execution=Execution(tmp_path), run=Serial())
    first = nbformat.read(path, as_version=4).cells[0].source
    assert first == r"# a\_b \$x\$ \<script\> \[l\]\(u\) \# second"


@settings(deadline=None, max_examples=200)
@given(st.text())
def test_a_text_parameter_arrives_as_it_was_sent(text: str) -> None:
    assert ast.literal_eval(PythonTranslator.translate(text)) == text


def test_a_notebook_is_normalised_to_valid_json_with_fixed_cell_ids() -> None:
    node = notebook("1")
    node.cells[-1].execution_count = 1
    text = normalised(node, {})
    assert [cell["id"] for cell in json.loads(text)["cells"]] == ["cell-0", "cell-1", "cell-2"]
    assert text.endswith("}\n")


@pytest.mark.shared
@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("N01/report.ipynb", "has no parameter 'alhpa'; expected 'alpha' (known: alpha, n_boot)"),
        ("N02/report.ipynb", "report.ipynb: has 0 cells tagged 'parameters'; expected exactly one"),
        ("N17/nokernel.ipynb", "nokernel.ipynb: asks for the kernel 'no-such-kernel'; expected python3"),
    ],
)
def test_the_shared_notebooks_with_faults_are_refused_before_they_run(shared: Path, case: str, message: str) -> None:
    def checked() -> None:
        template = read_template(shared / "cases/public" / case)
        check_jobs([job("report", {"alhpa": 0.05})], {"report": template})

    with pytest.raises(EvalreportError) as caught:
        checked()
    assert any(message in line for line in problems(caught))


@pytest.mark.shared
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("slow", "stopped after 1 seconds"),
        ("flood", "output cut"),
        ("die", "the kernel died (signal SIGKILL)"),
    ],
)
def test_the_shared_notebooks_without_an_end_are_stopped(shared: Path, tmp_path: Path, name: str, message: str) -> None:
    node = nbformat.read(shared / f"cases/public/N17/{name}.ipynb", as_version=4)
    node.cells.insert(0, notebook().cells[1])
    with pytest.raises(EvalreportError) as caught:
        run(tmp_path, node, cell_seconds=1 if name == "slow" else 60)
    assert message in str(caught.value)
