"""Notebook templates: their declared parameters, checked before anything runs; their execution; what is published.

papermill only warns at a parameter that a notebook does not declare, turns tuples into text and accepts NaN. Here all
jobs are checked first, against the one cell tagged `parameters`, and every difference is an error.
"""

from __future__ import annotations

import ast
import copy
import importlib
import logging
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import nbformat

from evalreport.book.engine import CELL_SECONDS, ENGINE_NAME, KERNELS
from evalreport.book.gates import error_problem, notebook_problems
from evalreport.core.names import nearest
from evalreport.core.suite import PageJob
from evalreport.errors import EvalreportError, Problem, Problems
from evalreport.report.escape import myst_text, seen
from evalreport.scale.executors import Executor

Scalar = str | int | float | bool | None
ENGINES = {"fork": ENGINE_NAME, "kernel": "nbclient"}
TITLE = "# TITLE"
WORKSPACE = "workspace"  # the folder a notebook runs in: its default, the current folder, is always right
_TYPES: Mapping[str, type] = {"str": str, "int": int, "float": float, "bool": bool}


@dataclass(frozen=True)
class Parameter:
    """A parameter that a template declares: its type by name, and whether None is allowed."""

    name: str
    kind: str
    optional: bool
    default: Scalar

    def fault(self, value: object) -> str:
        """What is wrong with a value, or nothing. Only plain values pass: no tuple, no numpy type, no NaN.

        >>> Parameter("alpha", "float", False, 0.5).fault("0.7")
        "is the str '0.7'"
        """
        if value is None:
            return "" if self.optional else "is None"
        if type(value) is int and self.kind == "float":
            return ""
        if type(value) is not _TYPES[self.kind]:
            return f"is the {type(value).__name__} {value!r}"
        if isinstance(value, float) and not math.isfinite(value):
            return f"is {value!r}"
        return ""

    def expected(self) -> str:
        """The type in words."""
        kind = {"str": "a text", "int": "an integer", "float": "a finite number", "bool": "true or false"}[self.kind]
        return f"{kind} or nothing" if self.optional else kind


@dataclass(frozen=True)
class Template:
    """A notebook template that was read and found sound."""

    path: Path
    node: nbformat.NotebookNode
    parameters: Mapping[str, Parameter]
    parameters_at: int
    imports: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name by which a page job asks for it."""
        return self.path.stem


@dataclass(frozen=True)
class Execution:
    """What all notebooks of a build have in common.

    `workspace` is the folder they run in; `metadata` goes into each of them as `metadata.evalreport`.
    """

    workspace: Path
    metadata: Mapping[str, object] = field(default_factory=dict)
    engine: str = "fork"
    cell_seconds: float = CELL_SECONDS


def read_notebook(path: Path) -> nbformat.NotebookNode:
    """A notebook file. Raises `EvalreportError` when it is none."""
    try:
        node: nbformat.NotebookNode = nbformat.reads(path.read_text("utf-8"), as_version=4)
    except (OSError, ValueError, nbformat.ValidationError) as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise EvalreportError(Problem(path.name, f"cannot be read ({first})", "a notebook")) from None
    return node


def read_template(path: Path) -> Template:
    """Read a template and its declared parameters. Raises `EvalreportError` with all that is wrong with it."""
    problems, where = Problems(), path.name
    node = read_notebook(path)
    kernel = node.metadata.get("kernelspec", {}).get("name", "")
    if kernel not in KERNELS:
        problems.add(where, f"asks for the kernel {kernel!r}", "python3", kind="unknown_kernel")
    tagged = [at for at, cell in enumerate(node.cells) if "parameters" in cell.metadata.get("tags", [])]
    parameters: dict[str, Parameter] = {}
    if len(tagged) == 1:
        parameters = _declared(node.cells[tagged[0]].source, where, problems)
    else:
        problems.add(where, f"has {len(tagged)} cells tagged 'parameters'", "exactly one", kind="parameters_cell")
    sources = [c.source for c in node.cells if c.cell_type == "code"]
    problems.check()
    return Template(path, node, parameters, tagged[0], tuple(dict.fromkeys(m for s in sources for m in _imports(s))))


def check_jobs(jobs: Iterable[PageJob], templates: Mapping[str, Template]) -> None:
    """Compare the parameters of every job with what its template declares; raise with all differences at once.

    A parameter that no page gives would stand at its default for ever, whatever its name promises: it is refused too.
    """
    problems = Problems()
    pages: dict[str, str] = {}
    given: dict[str, set[str]] = {}
    for job in jobs:
        if job.docname.casefold() in pages:
            problems.add(f"page {job.docname}", "is made twice", "one notebook for a page", kind="duplicate_page")
        pages[job.docname.casefold()] = job.notebook
        template = templates.get(job.notebook)
        if template is None:
            near = nearest(job.notebook, templates)
            problems.add(f"page {job.docname}", f"there is no notebook {job.notebook}.ipynb", near, kind="no_notebook")
            continue
        where = f"{template.path.name} (page {job.docname})"
        given.setdefault(job.notebook, {WORKSPACE}).update(job.parameters)
        for name, value in job.parameters.items():
            declared = template.parameters.get(name)
            if declared is None:
                near = nearest(name, template.parameters)
                problems.add(where, f"has no parameter {name!r}", near, kind="unknown_parameter")
            elif fault := declared.fault(value):
                problems.add(where, f"{name} {fault}", declared.expected(), kind="parameter_type")
    for notebook, names in given.items():
        for name in sorted(templates[notebook].parameters.keys() - names):
            what = f"declares the parameter {name!r}, which no page gives"
            near = f"{nearest(name, names)}, or a constant in another cell"
            problems.add(templates[notebook].path.name, what, near, kind="parameter_not_given")
    problems.check()


def warm(templates: Iterable[Template]) -> None:
    """Import what the templates import, once, before children are forked. What fails here fails again in its cell."""
    for module in dict.fromkeys(name for template in templates for name in template.imports):
        with suppress(Exception):
            importlib.import_module(module)


def execute(
    jobs: Sequence[PageJob],
    templates: Mapping[str, Template],
    target: Path,
    *,
    execution: Execution,
    run: Executor,
    say: Callable[[str], None] = lambda _: None,
) -> list[Path]:
    """Execute every job and write its page below `target`; raise with the problems of all notebooks at once.

    A page is moved to its place only when its notebook ran to the end and passed the gate. `say` is told how many
    are to run, and at each tenth of the way how many have.
    """
    check_jobs(jobs, templates)
    if execution.engine == "fork":
        warm(templates.values())
    tasks = [(job, templates[job.notebook]) for job in jobs]
    problems = Problems()
    say(f"running {len(tasks)} notebooks" if len(tasks) != 1 else "running 1 notebook")
    answers = run.map(partial(_execute_one, target=target, execution=execution), tasks)
    for done, found in enumerate(answers, start=1):
        problems.extend(found)
        if done * 10 // len(tasks) > (done - 1) * 10 // len(tasks):
            say(f"running notebooks: {done} of {len(tasks)} done")
    problems.check()
    return [target / f"{job.docname}.ipynb" for job in jobs]


def _execute_one(task: tuple[PageJob, Template], *, target: Path, execution: Execution) -> tuple[Problem, ...]:
    import papermill
    from nbclient.exceptions import CellTimeoutError, DeadKernelError

    logging.getLogger("papermill").setLevel(logging.ERROR)
    job, template = task
    where = f"{template.path.name} (page {job.docname})"
    temporary = target / f"{job.docname}.running"
    temporary.parent.mkdir(parents=True, exist_ok=True)
    node = copy.deepcopy(template.node)
    _set_title(node, job.title)
    try:
        node = papermill.execute_notebook(
            node,
            None,
            parameters=dict(job.parameters),
            engine_name=ENGINES[execution.engine],
            kernel_name="python3",
            progress_bar=False,
            cwd=execution.workspace,
            execution_timeout=execution.cell_seconds,
        )
    except papermill.PapermillExecutionError as error:
        # Cells are counted as in the template, without the one that papermill put in.
        injected = bool(job.parameters) and error.cell_index > template.parameters_at
        number = error.cell_index + (0 if injected else 1)
        return (error_problem(f"{where}: cell {number}", error.ename, error.evalue),)
    except DeadKernelError:
        return (error_problem(where, "DeadKernelError", "the kernel died"),)
    except CellTimeoutError:
        return (error_problem(where, "CellTimeoutError", f"stopped after {execution.cell_seconds:g} seconds"),)
    problems = tuple(notebook_problems(node, where))
    if not problems:
        temporary.write_text(normalised(node, execution.metadata), "utf-8")
        temporary.replace(temporary.with_suffix(".ipynb"))
    return problems


def normalised(node: nbformat.NotebookNode, metadata: Mapping[str, object]) -> str:
    """An executed notebook as the text that is published: the same for every run, machine and engine.

    Times, identifiers and the injected cell go; code is not shown on the page; Markdown that a cell put out becomes a
    Markdown cell after it, so that its headings and labels are the page's own.
    """
    cells: list[nbformat.NotebookNode] = []
    for cell in node.cells:
        tags = set(cell.metadata.get("tags", []))
        if cell.cell_type != "code":
            cells.append(nbformat.v4.new_markdown_cell(cell.source))
        elif "injected-parameters" not in tags and cell.source.strip():
            cells.extend(_published(cell, tags))
    clean = nbformat.v4.new_notebook(cells=cells)
    clean.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "evalreport": dict(metadata),
        }
    )
    for number, cell in enumerate(clean.cells):
        cell.id = f"cell-{number}"
    nbformat.validate(clean)
    return str(nbformat.writes(clean)).rstrip("\n") + "\n"


def _published(cell: nbformat.NotebookNode, tags: set[str]) -> Iterable[nbformat.NotebookNode]:
    outputs = _merged(cell.outputs)
    prose = [output.data["text/markdown"] for output in outputs if "text/markdown" in output.get("data", {})]
    only_prose = len(prose) == len(outputs)
    kept = sorted(tags - {"parameters"} | {"remove-cell" if only_prose else "remove-input"})
    code = nbformat.v4.new_code_cell(cell.source, metadata={"tags": kept}, execution_count=cell.execution_count)
    code.outputs = outputs
    yield code
    if prose and only_prose:
        yield nbformat.v4.new_markdown_cell("\n\n".join(text.strip("\n") for text in prose))


def _merged(outputs: Iterable[nbformat.NotebookNode]) -> list[nbformat.NotebookNode]:
    """The outputs with pieces of one stream joined: how a kernel cuts them depends on the moment."""
    merged: list[nbformat.NotebookNode] = []
    for output in outputs:
        last = merged[-1] if merged else None
        if last and output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            merged.append(nbformat.from_dict(dict(output)))
    return merged


def _set_title(node: nbformat.NotebookNode, title: str) -> None:
    for cell in node.cells:
        if cell.cell_type == "markdown" and cell.source.split("\n", 1)[0].strip() == TITLE:
            cell.source = cell.source.replace(TITLE, f"# {myst_text(seen(title))}", 1)
            return


def _declared(source: str, where: str, problems: Problems) -> dict[str, Parameter]:
    try:
        statements = ast.parse(source).body
    except SyntaxError as error:
        problems.add(where, f"the parameters cell is no Python ({error.msg})", "name = value", kind="parameters_cell")
        return {}
    found: dict[str, Parameter] = {}
    for statement in statements:
        parameter = _parameter(statement)
        if parameter is None:
            line = ast.unparse(statement).splitlines()[0]
            problems.add(where, f"the parameters cell holds {line!r}", "name = value only", kind="parameters_cell")
        elif parameter.name in found:
            problems.add(where, f"declares {parameter.name} twice", "one declaration", kind="parameters_cell")
        else:
            found[parameter.name] = parameter
    return found


def _parameter(statement: ast.stmt) -> Parameter | None:
    if isinstance(statement, ast.AnnAssign):
        target: ast.expr = statement.target
        value, annotation = statement.value, ast.unparse(statement.annotation)
    elif isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, value, annotation = statement.targets[0], statement.value, ""
    else:
        return None
    if not isinstance(target, ast.Name) or value is None:
        return None
    try:
        default = ast.literal_eval(value)
    except ValueError:
        return None
    kinds = [part.strip() for part in annotation.split("|")] if annotation else [type(default).__name__]
    optional = "None" in kinds
    kinds = [kind for kind in kinds if kind != "None"]
    if len(kinds) != 1 or kinds[0] not in _TYPES:
        return None
    parameter = Parameter(target.id, kinds[0], optional, default)
    return None if parameter.fault(default) else parameter


def _imports(source: str) -> Iterable[str]:
    try:
        statements = ast.parse(source).body
    except SyntaxError:
        return
    for statement in statements:
        if isinstance(statement, ast.Import):
            yield from (name.name for name in statement.names)
        elif isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
            yield statement.module
            yield from (f"{statement.module}.{name.name}" for name in statement.names if name.name != "*")
