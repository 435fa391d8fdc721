"""Prose never types a number that is computed: decimals in pages and notebooks are declared constants."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

from evalreport.core.exact import parse_decimal
from evalreport.core.suite import Setting
from evalreport.suites import all_suites

ROOT = Path(__file__).resolve().parents[2]
DECIMAL = re.compile(r"(?<![\w./-])\d+\.\d+(?![\w/-]|\.\d)")
# What is no prose: code, maths, roles, directives' heads, raw HTML tags, addresses of links.
NO_PROSE = (
    re.compile(r"^(`{3,}|~{3,}).*?^\1\s*$", re.MULTILINE | re.DOTALL),
    re.compile(r"^:{3,}\{.*$|^:\w[\w-]*:.*$", re.MULTILINE),
    re.compile(r"\$\$.*?\$\$|\$[^$\n]+\$", re.DOTALL),
    re.compile(r"\{[\w:-]+\}`[^`]*`|`+[^`]+`+"),
    re.compile(r"\]\([^)]*\)|<[^>]+>"),
)


def prose(text: str) -> str:
    """The text without code, maths, roles and addresses."""
    for pattern in NO_PROSE:
        text = pattern.sub(" ", text)
    return text


def decimals(text: str) -> set[str]:
    """The decimal numbers that prose holds."""
    return set(DECIMAL.findall(prose(text)))


def texts() -> Iterator[tuple[str, str]]:
    """Every page written by hand, and the prose of every notebook."""
    for file in sorted((ROOT / "book").rglob("*.md")):
        yield file.relative_to(ROOT).as_posix(), file.read_text("utf-8")
    for file in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = nbformat.read(file, as_version=4).cells
        yield (
            file.relative_to(ROOT).as_posix(),
            "\n\n".join(c.source for c in cells if c.cell_type == "markdown"),
        )


def constants(suite: str) -> set[str]:
    """The decimal numbers that a suite declares: settings with their limits, ranges, formulas, references."""
    found: set[str] = set()
    for metric in all_suites()[suite].declarations.metrics.values():
        words = [metric.formula or "", metric.needs or "", metric.meaning, metric.reference, *map(str, metric.range)]
        words += [f"{line.formula} {line.meaning}" for line in metric.where()]
        found |= {number for text in words for number in re.findall(r"\d+\.\d+", text)}
    for setting in all_suites()[suite].settings:
        found |= set(_numbers(setting))
    return found


def _numbers(setting: Setting) -> Iterator[str]:
    for value in (setting.default, setting.low, setting.high):
        if value is not None and not isinstance(value, (str, bool)):
            yield f"{float(value):g}"


def suite_of(name: str) -> str:
    """The suite that a page belongs to, empty for pages of all."""
    stem = Path(name).stem.partition("_")[0]
    return stem if stem in all_suites() else ""


@pytest.mark.parametrize(("name", "text"), list(texts()), ids=lambda value: value if "\n" not in value else "")
def test_decimals_in_prose_are_declared_constants(name: str, text: str) -> None:
    suite = suite_of(name)
    known = {parse_decimal(number) for number in (constants(suite) if suite else set())}
    assert sorted(number for number in decimals(text) if parse_decimal(number) not in known) == []


def test_prose_is_what_is_left_without_code_maths_roles_and_addresses() -> None:
    text = "\n".join(
        (
            "Seen 0.51 and 12.5 %.",
            "```python\nx = 0.52\n```",
            ":::{clause} a#0.53\n:name: 0.54\n:::",
            "$0.55$, `0.56`, {num}`0.57`, [words](page-0.58.md), version 1.2.0, https://example.org/0.59/",
            '<span title="0.60">0.61</span>',
        )
    )
    assert decimals(text) == {"0.51", "12.5", "0.61"}


def test_notebooks_hold_calls_and_no_arithmetic() -> None:
    for file in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in nbformat.read(file, as_version=4).cells:
            if cell.cell_type == "code":
                nodes = list(ast.walk(ast.parse(cell.source)))
                assert not [n for n in nodes if isinstance(n, (ast.BinOp, ast.AugAssign, ast.Compare))], file.name


def test_notebooks_are_stored_without_outputs() -> None:
    for file in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in nbformat.read(file, as_version=4).cells:
            if cell.cell_type == "code":
                assert (cell.outputs, cell.execution_count) == ([], None), file.name
