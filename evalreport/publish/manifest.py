"""`manifest.json`: what a version was made of and how, and every file of it with its digest.

The form is stable: within one number of `schema`, fields are added and never change their meaning.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from evalreport.core.declare import Metric
from evalreport.core.results import setting_json
from evalreport.core.suite import Suite
from evalreport.errors import EvalreportError, Problem

NAME = "manifest.json"
SCHEMA = 1
_CHUNK = 1 << 20
SettingJson = bool | int | float | str | None


class File(msgspec.Struct, frozen=True, order=True):
    """One file of a version: its path below the version's folder, its sha256, its size in bytes."""

    path: str
    sha256: str
    bytes: int


class Input(msgspec.Struct, frozen=True, order=True, omit_defaults=True):
    """One file that was read. `original_sha256` is of the file that the policy keeps private, where it differs."""

    path: str
    sha256: str
    bytes: int
    original_sha256: str = ""


class Definition(msgspec.Struct, frozen=True):
    """A definition that a formula uses."""

    symbol: str
    formula: str
    meaning: str


class Declaration(msgspec.Struct, frozen=True, kw_only=True):
    """A metric as it was declared. `identity` is the sha256 of what decides the value: formula, condition, definitions.

    Of a metric without a formula it is that of the reference that its code is compared with.
    """

    metric: str
    name: str
    symbol: str
    formula: str
    needs: str
    where: list[Definition]
    reference: str
    of: list[str]
    better: str
    decimals: int
    range: list[str]
    clause: str
    meaning: str
    identity: str


class SuiteFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What one suite of a version was made of."""

    settings: dict[str, SettingJson]
    inputs: list[Input]
    declarations: list[Declaration]


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about one version. `privacy` is the policy under which it was published."""

    schema: int
    title: str
    authors: list[str]
    version: str
    date: str
    licence: str
    address: str
    data_sha256: str
    code_version: str
    code_commit: str
    project_commit: str
    python: str
    packages: dict[str, str]
    privacy: dict[str, str]
    suites: dict[str, SuiteFacts]
    files: list[File]
    doi: str = ""


def declarations(suite: Suite[Any, Any]) -> list[Declaration]:
    """Every declared metric of a suite, in the order of the keys."""
    return [_declaration(metric) for _, metric in sorted(suite.declarations.metrics.items())]


def suite_facts(suite: Suite[Any, Any], settings: Mapping[str, Any], inputs: Iterable[Input]) -> SuiteFacts:
    """The facts of one suite."""
    texts = {name: setting_json(value) for name, value in sorted(settings.items())}
    return SuiteFacts(settings=texts, inputs=sorted(inputs), declarations=declarations(suite))


def listing(folder: Path) -> list[File]:
    """Every file below a folder but the manifest, in the order of their paths."""
    return [File(name, *digest(folder / name)) for name in files_of(folder) if name != NAME]


def files_of(folder: Path) -> list[str]:
    """The path of everything below a folder that is not a folder, sorted by code point."""
    return sorted(path.relative_to(folder).as_posix() for path in _walk(folder))


def digest(path: Path) -> tuple[str, int]:
    """The sha256 and the size of a file."""
    total, size = hashlib.sha256(), 0
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            total.update(chunk)
            size += len(chunk)
    return total.hexdigest(), size


def encode(manifest: Manifest) -> bytes:
    """A manifest as bytes."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"


def read_manifest(folder: Path, *, where: str = "") -> Manifest:
    """The manifest of a version's folder. Raises `EvalreportError` when it is missing or none."""
    place = f"{where or folder.name}/{NAME}"
    try:
        manifest = msgspec.json.decode((folder / NAME).read_bytes(), type=Manifest)
    except OSError:
        raise EvalreportError(Problem(place, "is missing", "the manifest of a version", "no_manifest")) from None
    except msgspec.MsgspecError as error:
        raise EvalreportError(Problem(place, str(error), "a manifest of a version", "manifest")) from None
    if manifest.schema != SCHEMA:
        raise EvalreportError(Problem(place, f"has the schema {manifest.schema}", str(SCHEMA), "manifest"))
    return manifest


def pages(manifest: Manifest) -> Sequence[str]:
    """The pages of a version."""
    return [file.path for file in manifest.files if file.path.endswith(".html")]


def json_schema() -> dict[str, object]:
    """The JSON Schema (draft 2020-12) of a manifest."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(Manifest)}


def _walk(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            yield from _walk(path)
        else:
            yield path


def _declaration(metric: Metric) -> Declaration:
    where = [Definition(found.head, found.formula, found.meaning) for found in metric.where()]
    decisive = [
        *(metric.symbol, metric.formula or "", metric.needs or "", metric.reference, *metric.of),
        *(text for found in where for text in (found.symbol, found.formula)),
    ]
    return Declaration(
        metric=metric.key,
        name=metric.name,
        symbol=metric.symbol,
        formula=metric.formula or "",
        needs=metric.needs or "",
        where=where,
        reference=metric.reference,
        of=list(metric.of),
        better=metric.better or "",
        decimals=metric.decimals,
        range=["" if end is None else str(end) for end in metric.range],
        clause=metric.clause,
        meaning=metric.meaning,
        identity=hashlib.sha256("\0".join(decisive).encode()).hexdigest(),
    )
