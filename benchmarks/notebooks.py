"""Eight notebooks: forked from a warmed process, against a Jupyter kernel for each as stock papermill does it.

Run with `python benchmarks/notebooks.py`. Times are ratios within one process on one machine.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import nbformat
import papermill

from evalreport.book.notebooks import Execution, Template, execute, read_template, warm
from evalreport.core.suite import PageJob
from evalreport.scale.executors import Processes, Serial

COUNT = 8
CELLS = (
    "import numpy as np\nimport pandas as pd\nfrom evalreport.report import pages",
    "frame = pd.DataFrame({'group': np.arange(1000) % 7, 'value': np.arange(1000.0)})\nframe.groupby('group').mean()",
    "from IPython.display import Markdown, display\ndisplay(Markdown(f'## Part {number}'))",
    "frame.value.sum()",
)


def template(folder: Path) -> Template:
    node = nbformat.v4.new_notebook()
    node.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    node.cells = [
        nbformat.v4.new_markdown_cell("# TITLE"),
        nbformat.v4.new_code_cell("number = 0", metadata={"tags": ["parameters"]}),
        *(nbformat.v4.new_code_cell(cell) for cell in CELLS),
    ]
    path = folder / "notebook.ipynb"
    nbformat.write(node, path)
    return read_template(path)


def seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        known = {"notebook": template(folder)}
        jobs = [PageJob("notebook", f"page-{number}", "A page", {"number": number}) for number in range(COUNT)]

        def stock() -> None:
            for job in jobs:
                output = str(folder / f"{job.docname}.ipynb")
                papermill.execute_notebook(
                    str(folder / "notebook.ipynb"), output, dict(job.parameters), progress_bar=False
                )

        def ours(workers: int) -> None:
            run = Processes(workers) if workers > 1 else Serial()
            execute(jobs, known, folder / f"out-{workers}", execution=Execution(folder), run=run)

        warming = seconds(lambda: warm(known.values()))
        rows = [
            ("stock papermill, one after the other", seconds(stock)),
            ("forked, one after the other", seconds(lambda: ours(1))),
            ("forked, two at a time", seconds(lambda: ours(2))),
        ]
        rows.append(("forked, two at a time, imports of the parent counted", rows[-1][1] + warming))
        base = rows[0][1]
        for what, taken in rows:
            print(f"{taken:8.2f} s   {taken / base:6.3f}   {what}")


if __name__ == "__main__":
    main()
