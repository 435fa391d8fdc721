"""Small notebooks for tests."""

from __future__ import annotations

from pathlib import Path

import nbformat

Node = nbformat.NotebookNode


def notebook(*cells: str, parameters: str | None = "workspace = '.'", kernel: str = "python3") -> Node:
    """A notebook with a title, a parameters cell (or none) and these code cells."""
    node: Node = nbformat.v4.new_notebook()
    node.metadata["kernelspec"] = {"name": kernel, "display_name": "Python 3", "language": "python"}
    node.cells.append(nbformat.v4.new_markdown_cell("# TITLE"))
    if parameters is not None:
        node.cells.append(nbformat.v4.new_code_cell(parameters, metadata={"tags": ["parameters"]}))
    node.cells.extend(nbformat.v4.new_code_cell(cell) for cell in cells)
    return node


def write(path: Path, node: Node) -> Path:
    """The notebook as a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(node, path)
    return path
