"""What `evalreport list` tells, from the declarations."""

from __future__ import annotations

import ast
from pathlib import Path
from pkgutil import iter_modules

from evalreport import suites as registry
from evalreport.project import expectation, setting_text

Rows = list[dict[str, object]]


def metrics() -> Rows:
    """Every declared metric with its formula."""
    return [
        {
            "metric": metric.key,
            "name": metric.name,
            "better": metric.better or "",
            "decimals": metric.decimals,
            "clause": metric.clause,
            "formula": f"{metric.symbol} = {metric.formula}" if metric.formula else "",
            "meaning": metric.meaning,
        }
        for suite in registry.all_suites().values()
        for metric in suite.declarations.metrics.values()
    ]


def parameters() -> Rows:
    """Every setting of every suite."""
    return [
        {
            "parameter": f"{suite.name}.{setting.name}",
            "default": setting_text(setting.default),
            "accepts": expectation(setting),
            "meaning": setting.meaning,
        }
        for suite in registry.all_suites().values()
        for setting in suite.settings
    ]


def suites() -> Rows:
    """The suites."""
    return [{"suite": s.name, "title": s.title, "summary": s.summary} for s in registry.all_suites().values()]


def formats() -> Rows:
    """Every format of other tools that is read: the modules of `formats/` that describe one."""
    from evalreport import formats as readers

    rows: Rows = []
    folder = Path(readers.__path__[0])
    for module in sorted(iter_modules(readers.__path__), key=lambda m: m.name):
        source = folder / module.name / "__init__.py" if module.ispkg else folder / f"{module.name}.py"
        # Read, not imported: a reader may need a library that is not installed.
        said = _constants(ast.parse(source.read_text("utf-8")))
        if "DESCRIPTION" in said:
            rows.append({"format": said.get("NAME", module.name), "meaning": said["DESCRIPTION"]})
    return rows


def _constants(module: ast.Module) -> dict[str, str]:
    return {
        target.id: node.value.value
        for node in module.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def print_table(rows: Rows) -> None:
    """The rows as a table for people."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in rows[0] if rows else ():
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(escape(str(value)) for value in row.values()))
    Console().print(table)


LISTS = {"metrics": metrics, "formats": formats, "parameters": parameters, "suites": suites}
