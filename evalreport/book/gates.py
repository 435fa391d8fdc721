"""What stops a build: gates for executed notebooks and for finished pages. A gate lists problems; it mends nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from evalreport.errors import Problem

if TYPE_CHECKING:
    from nbformat import NotebookNode

MAX_CELL_OUTPUT = 1_000_000
CUT = "output cut: the cell wrote more than "  # how the note begins that stands in the place of the rest


def notebook_problems(node: NotebookNode, where: str) -> Iterator[Problem]:
    """Why an executed notebook may not become a page: an error, a cell that did not run, an output that was cut.

    `where` names the notebook and its page. Cells are counted from 1, without the one that papermill put in.
    """
    cells = (cell for cell in node.cells if "injected-parameters" not in cell.metadata.get("tags", []))
    for number, cell in enumerate(cells, start=1):
        if cell.cell_type != "code" or not cell.source.strip():
            continue
        place = f"{where}: cell {number}"
        errors = [output for output in cell.outputs if output.output_type == "error"]
        for output in errors:
            yield error_problem(place, str(output.ename), str(output.evalue))
        if not errors and cell.execution_count is None:
            yield Problem(place, "was not executed", "every cell to run", kind="unexecuted_cell")
        if any(map(_is_cut, cell.outputs)) or sum(map(_size, cell.outputs)) > MAX_CELL_OUTPUT:
            yield Problem(place, "output cut", f"at most {MAX_CELL_OUTPUT:,} characters of output", kind="output_flood")


def error_problem(place: str, ename: str, evalue: str) -> Problem:
    """An error in a cell as a problem: what ended early and what died have names of their own."""
    if ename in {"SystemExit", "EndedEarly"}:
        said = evalue if ename == "EndedEarly" else f"sys.exit({evalue}) ended the notebook before its last cell"
        return Problem(place, said, "a notebook that runs to its end", kind="ended_early")
    if ename == "DeadKernelError":
        return Problem(place, evalue, "a notebook that runs to its end", kind="dead_kernel")
    if ename == "CellTimeoutError":
        return Problem(place, evalue, "a cell that ends in time", kind="cell_timeout")
    first, *_ = f"{ename}: {evalue}".splitlines()
    return Problem(place, first, "a cell without an error", kind="cell_error")


def _is_cut(output: NotebookNode) -> bool:
    return bool(output.output_type == "stream" and output.text.startswith(CUT))


def _size(output: NotebookNode) -> int:
    if output.output_type == "stream":
        return len(output.text)
    return sum(len(str(value)) for value in output.get("data", {}).values())
