"""The forking engine gives what the stock kernel gives, and nothing survives it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import papermill
import pytest

from evalreport.book.engine import ENGINE_NAME
from evalreport.book.notebooks import _merged
from evalreport.errors import EvalreportError
from tests.book.notebook_files import Node, notebook

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:.*unclosed.*:ResourceWarning")

CELLS = (
    "print('one'); print('two')\n1 + 1",
    "from IPython.display import display, Markdown, HTML\ndisplay(Markdown('**x**'))\nHTML('<b>é</b>')",
    "import sys\nprint('aside', file=sys.stderr)\nNone",
    "value = 5\nvalue;",
    "import pandas\npandas.DataFrame({'a': [1, 2]})",
    "'模型'",
    "handle = display('first', display_id='q')\nhandle.update('second')",
    "import matplotlib.pyplot as plt\nplt.plot([1, 2]);",
    "__name__, workspace, _",
    "%precision 3\n1 / 3",
)


def run(node: Node, engine: str | None = ENGINE_NAME, **options: object) -> Node:
    parameters = {"workspace": ".."}
    executed: Node = papermill.execute_notebook(
        node, None, parameters=parameters, engine_name=engine, progress_bar=False, **options
    )
    return executed


def children() -> set[str]:
    mine = str(os.getpid())
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[1] == mine and fields[0] != "Z":
            found.add(status.parent.name)
    return found


def outputs(node: Node) -> list[tuple[object, object]]:
    return [(cell.execution_count, _merged(cell.outputs)) for cell in node.cells if cell.cell_type == "code"]


def test_both_engines_give_equal_outputs() -> None:
    ours, theirs = outputs(run(notebook(*CELLS))), outputs(run(notebook(*CELLS), None))
    assert ours == theirs
    assert ours[2] == (
        3,
        [
            {"output_type": "stream", "name": "stdout", "text": "one\ntwo\n"},
            {"output_type": "execute_result", "data": {"text/plain": "2"}, "metadata": {}, "execution_count": 3},
        ],
    )


@pytest.mark.parametrize(
    ("cell", "name", "message"),
    [
        ("1 / 0", "ZeroDivisionError", "division by zero"),
        ("def", "SyntaxError", "invalid syntax"),
        ("import sys; sys.exit(0)", "EndedEarly", "sys.exit(0) ended the notebook before its last cell"),
        ("exit()", "EndedEarly", "exit() ended the notebook before its last cell"),
        ("import os; os._exit(0)", "DeadKernelError", "the kernel died (ended early with exit status 0)"),
        ("import os; os.kill(os.getpid(), 9)", "DeadKernelError", "the kernel died (signal SIGKILL)"),
    ],
)
def test_a_cell_that_ends_the_notebook_is_an_error_that_names_the_cell(cell: str, name: str, message: str) -> None:
    before = children()
    with pytest.raises(papermill.PapermillExecutionError) as caught:
        run(notebook("1", cell, "2"))
    assert (caught.value.ename, caught.value.cell_index) == (name, 4)
    assert message in caught.value.evalue
    assert children() == before


def test_a_cell_that_outlives_its_time_is_stopped_with_everything_it_started() -> None:
    before, start = children(), time.monotonic()
    marker = f"{os.getpid()}.25"
    sleeper = f"import subprocess, time\nsubprocess.Popen(['sleep', '{marker}'])\ntime.sleep(3600)"
    with pytest.raises(papermill.PapermillExecutionError) as caught:
        run(notebook(sleeper), execution_timeout=0.5)
    assert (caught.value.ename, caught.value.evalue) == ("CellTimeoutError", "stopped after 0.5 seconds")
    assert time.monotonic() - start < 20
    assert children() == before
    time.sleep(0.1)
    commands = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    assert not [command for command in commands if command == f"sleep\0{marker}\0".encode()]


def test_a_process_that_holds_the_pipe_open_does_not_hide_the_death_of_the_kernel() -> None:
    cell = "import os, time\nif os.fork() == 0:\n    time.sleep(3600)\nos._exit(3)"
    with pytest.raises(papermill.PapermillExecutionError) as caught:
        run(notebook(cell), execution_timeout=30)
    assert caught.value.evalue == "the kernel died (ended early with exit status 3)"


def test_a_flood_of_output_is_cut_and_says_so() -> None:
    node = run(notebook("for i in range(3000): print('x' * 80)"), output_limit=1000)
    flood, note = node.cells[-1].outputs
    assert len(flood.text) == 1000
    assert note.text == "output cut: the cell wrote more than 1,000 characters\n"


def test_a_display_beyond_the_limit_is_left_out_and_said() -> None:
    node = run(notebook("'y' * 5000"), output_limit=1000)
    assert [output.output_type for output in node.cells[-1].outputs] == ["stream"]


def test_what_a_program_writes_stands_before_the_value_of_the_cell() -> None:
    # Not compared with the stock kernel: there it depends on the moment whether such output arrives at all.
    node = run(notebook("import subprocess\nsubprocess.run(['echo', 'from outside']).returncode"))
    assert [output.get("text", output.get("data")) for output in node.cells[-1].outputs] == [
        "from outside\n",
        {"text/plain": "0"},
    ]


def test_cells_of_two_notebooks_do_not_see_each_other() -> None:
    run(notebook("secret = 1\nimport sys\nsys.secret = 1"))
    node = run(notebook("import sys\n'secret' in globals(), hasattr(sys, 'secret')"))
    assert node.cells[-1].outputs[0].data == {"text/plain": "(False, False)"}


def test_an_unknown_kernel_is_refused_before_anything_runs() -> None:
    with pytest.raises(EvalreportError, match="asks for the kernel 'no-such-kernel'; expected python3"):
        run(notebook("1", kernel="no-such-kernel"))
