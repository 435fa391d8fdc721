"""The pages that no suite writes: parameters, data and provenance. Made from declarations and what was read."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from evalreport.core.suite import InputFile, Setting, Suite
from evalreport.core.table import Code, Column, Count, Math, Missing, Row, RowGroup, Table, Text
from evalreport.core.words import many
from evalreport.project import Project, SuiteChoice, expectation, setting_text
from evalreport.report.escape import html_text, myst_text, url_path
from evalreport.report.pages import write_fragment
from evalreport.report.tables import table_fragment

PARAMETERS = "parameters"
DATA = "data"
GENERATED = "src/book/_generated"


@dataclass(frozen=True)
class SuiteInputs:
    """What one suite of the book was made from."""

    suite: Suite[Any, Any]
    choice: SuiteChoice
    inputs: Sequence[InputFile]
    ignored: Sequence[str]
    scope: Mapping[str, str] = field(default_factory=dict)
    remarks: Sequence[str] = ()


def write_reference_pages(workspace: Path, project: Project, made: Sequence[SuiteInputs], *, data_sha256: str) -> None:
    """Write both pages and their tables into the workspace."""
    _write(workspace, PARAMETERS, _parameters(workspace, made))
    _write(workspace, DATA, _data(workspace, project, made, data_sha256))


def package_versions() -> dict[str, str]:
    """Name and version of every package that the book was made with: the requirements of this one, and theirs."""
    found: dict[str, str] = {}
    ahead = ["evalreport"]
    while ahead:
        name = re.sub(r"[-_.]+", "-", ahead.pop()).lower()
        if name in found:
            continue
        try:
            package = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # an extra or another platform's: not installed, so not used
        found[name] = package.version
        requirements = [Requirement(text) for text in package.requires or ()]
        ahead += [r.name for r in requirements if r.marker is None or r.marker.evaluate({"extra": ""})]
    return dict(sorted(found.items()))


def _write(workspace: Path, name: str, lines: Sequence[str]) -> None:
    path = workspace / GENERATED / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", "utf-8")


def _title(title: str) -> list[str]:
    return [f"# {title}", "", ":::{wide-page}", ":::", "", "{.er-standfirst}"]


def _show(workspace: Path, table: Table) -> list[str]:
    write_fragment(workspace, table.id, table_fragment(table))
    return [f":::{{er-table}} {table.id}", ":::", ""]


def _parameters(workspace: Path, made: Sequence[SuiteInputs]) -> list[str]:
    lines = [
        *_title("Parameters and thresholds"),
        "Every number in this book was computed with these values. They stand in the metadata of every page too,",
        "and a book with other values is another version.",
        "",
    ]
    for part in made:
        lines += [f"## {myst_text(part.suite.title)}", "", *_show(workspace, _parameters_table(part))]
    return lines


def _parameters_table(part: SuiteInputs) -> Table:
    settings = part.suite.settings
    symbols = any(setting.symbol for setting in settings)

    def row(setting: Setting) -> Row:
        value = part.choice.settings.values[setting.name]
        stands = Missing("not given") if value is None else Code(setting_text(value))
        if value is None and setting.name in part.scope:
            stands = Code(part.scope[setting.name])
        default = Missing("none") if setting.default is None else Code(setting_text(setting.default))
        meaning = Text(f"{setting.meaning} Accepts {expectation(setting)}.")
        symbol = (Math(setting.symbol) if setting.symbol else Text(""),) if symbols else ()
        return Row((Code(setting.name), stands, meaning, default, *symbol))

    changed = [setting.name for setting in settings if part.choice.settings.values[setting.name] != setting.default]
    finding = "All settings have their defaults."
    if changed:
        differs = "differs from its default" if len(changed) == 1 else "differ from their defaults"
        finding = f"{len(changed)} of {many(len(settings), 'setting')} {differs}: {', '.join(changed)}."
    return Table(
        id=f"parameters-{part.suite.name}",
        finding=finding,
        text="",
        columns=(
            Column("setting", "Setting", sticky=True),
            Column("value", "Value", strong=True),
            Column("meaning", "Meaning", wrap=True, sortable=False),
            Column("default", "Default"),
            *((Column("symbol", "Symbol", sortable=False),) if symbols else ()),
        ),
        groups=(RowGroup("", tuple(map(row, settings))),),
        empty="This suite has no settings.",
    )


def _data(workspace: Path, project: Project, made: Sequence[SuiteInputs], data_sha256: str) -> list[str]:
    lines = [
        *_title("Data and provenance"),
        f"The book follows from the files below, its [settings]({PARAMETERS}.md), and the packages at the end of this",
        "page. Whoever has them can make it again, byte for byte.",
        "",
        f"All input files together have the SHA-256 {_breakable(data_sha256)}. It is taken over the suite, the path and",
        "the SHA-256 of each file.",
        "",
    ]
    for part in made:
        lines += [f"## Input files: {myst_text(part.suite.title)}", "", *_show(workspace, _inputs_table(part))]
        if part.ignored:
            lines += ["These files match no pattern of the suite and were not read:", ""]
            lines += [f"- {myst_text(name)}" for name in sorted(part.ignored)]
            lines.append("")
        for remark in part.remarks:
            lines += [myst_text(remark), ""]
        lines += _schemas(workspace, part)
    lines += [
        "## Files to download",
        "",
        "Text stands in these files as it was read. A spreadsheet runs a cell that begins with =, +, - or @ as a",
        "formula: import columns of text as text.",
        "",
    ]
    for part in made:
        names = sorted(p.name for p in (workspace / "src/_extra/data" / part.suite.name).iterdir())
        lines += [f"- {myst_text(part.suite.title)}:", "", *_downloads(f"data/{part.suite.name}", names), ""]
    lines += ["## Packages", "", *_show(workspace, _packages_table())]
    if project.licence:
        lines += ["## Licence", "", f"The book is published under {myst_text(project.licence)}.", ""]
    return lines


def _schemas(workspace: Path, part: SuiteInputs) -> list[str]:
    """Put the JSON Schemas of what the suite reads beside the book, and offer them."""
    schemas = part.suite.schemas()
    address = f"schemas/{part.suite.name}"
    folder = workspace / "src/_extra" / address
    for name, schema in schemas.items():
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(schema, ensure_ascii=False, indent=2, sort_keys=True)
        (folder / name).write_text(f"{text}\n", "utf-8")
    return ["JSON Schemas of these files:", "", *_downloads(address, sorted(schemas)), ""] if schemas else []


def _downloads(address: str, names: Sequence[str]) -> list[str]:
    return [f'  - <a href="../../{url_path(f"{address}/{name}")}" download>{html_text(name)}</a>' for name in names]


def _breakable(digest: str) -> str:
    """A digest that a narrow page may break, but that is copied as one word."""
    return f"<code>{'<wbr>'.join(digest[at : at + 16] for at in range(0, len(digest), 16))}</code>"


def _inputs_table(part: SuiteInputs) -> Table:
    rows = tuple(Row((Code(file.path), Code(file.sha256), Count(file.bytes))) for file in sorted(part.inputs))
    total = sum(file.bytes for file in part.inputs)
    return Table(
        id=f"inputs-{part.suite.name}",
        finding=f"{many(len(rows), 'file')}, {total:,} bytes.",
        text="Paths are below the folder of the input.",
        columns=(
            Column("path", "File", sticky=True, wrap=True),
            Column("sha256", "SHA-256", sortable=False),
            Column("bytes", "Size", "bytes", align="r"),
        ),
        groups=(RowGroup("", rows),),
        compact=True,
        empty="No file was read.",
    )


def _packages_table() -> Table:
    versions: Mapping[str, str] = {"python": platform.python_version(), **package_versions()}
    return Table(
        id="packages",
        finding=f"{len(versions)} packages.",
        text="Python, this program, and everything it needs, as installed when the book was made.",
        columns=(Column("package", "Package", sticky=True), Column("version", "Version", sortable=False)),
        groups=(RowGroup("", tuple(Row((Code(name), Code(text))) for name, text in versions.items())),),
        compact=True,
    )
