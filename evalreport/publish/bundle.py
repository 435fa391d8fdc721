"""`evalreport bundle`: one version as one file to deposit, with its checksum and what an archive asks about it."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path

from evalreport.errors import EvalreportError, Problem
from evalreport.project import DOI
from evalreport.publish import manifest as manifests
from evalreport.publish.manifest import Manifest, read_manifest
from evalreport.publish.verify import version_problems

_MOMENT = (1980, 1, 1, 0, 0, 0)  # the earliest that the format knows: no date of packing stands in the file
_MODE = 0o100644 << 16
_CHUNK = 1 << 20


@dataclass(frozen=True)
class Bundle:
    """The files that were written: the version as a zip, its sha256, and the metadata of the deposit."""

    archive: Path
    checksum: Path
    metadata: Path


def bundle(version: Path, *, out: Path, doi: str = "") -> Bundle:
    """Pack the folder of a version. The same version gives the same bytes; it is verified first.

    `doi` is the one that the archive reserved for the deposit; it stands in the metadata. Raises `EvalreportError` when
    the version is not what was published, or a file would be written over.
    """
    if doi and not DOI.fullmatch(doi):
        raise EvalreportError(Problem("doi", f"is {doi!r}", "a DOI such as 10.5281/zenodo.1234567", "doi"))
    manifest = read_manifest(version)
    problems = list(version_problems(version, manifest.version))
    if problems:
        raise EvalreportError(*problems)
    stem = f"{_stem(manifest.title)}-{manifest.version}"
    found = Bundle(out / f"{stem}.zip", out / f"{stem}.zip.sha256", out / f"{stem}.zenodo.json")
    for path in (found.archive, found.checksum, found.metadata):
        if path.exists():
            raise EvalreportError(Problem(str(path), "is there already", "a folder without it", "exists"))
    out.mkdir(parents=True, exist_ok=True)
    _pack(version, found.archive, stem)
    sha256, _ = manifests.digest(found.archive)
    found.checksum.write_text(f"{sha256}  {found.archive.name}\n", "utf-8")
    found.metadata.write_text(json.dumps(_deposit(manifest, doi), ensure_ascii=False, indent=1) + "\n", "utf-8")
    return found


def _pack(version: Path, archive: Path, stem: str) -> None:
    fresh = archive.with_suffix(".new")
    try:
        with zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
            for name in manifests.files_of(version):
                entry = zipfile.ZipInfo(f"{stem}/{name}", _MOMENT)
                entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, _MODE
                entry.file_size = (version / name).stat().st_size  # decides on the form for large files
                with (version / name).open("rb") as data, file.open(entry, "w") as packed:
                    shutil.copyfileobj(data, packed, _CHUNK)
        fresh.rename(archive)
    finally:
        fresh.unlink(missing_ok=True)


def _stem(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "results"


def _deposit(manifest: Manifest, doi: str) -> dict[str, object]:
    """The metadata of a deposit in the form that Zenodo's interface takes."""
    described = f"{manifest.title}, version {manifest.version}: evaluation results as a book, with data and manifest."
    metadata: dict[str, object] = {
        "upload_type": "dataset",
        "title": f"{manifest.title} {manifest.version}",
        "creators": [{"name": name} for name in manifest.authors or [manifest.title]],
        "description": described,
        "version": manifest.version,
        "access_right": "open",
        "keywords": ["evaluation", "benchmark", "reproducible results"],
    }
    if manifest.date:
        metadata["publication_date"] = manifest.date
    if re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.+-]*", manifest.licence):
        metadata["license"] = manifest.licence.lower()
    if manifest.address:
        metadata["related_identifiers"] = [
            {"identifier": f"{manifest.address}/", "relation": "isIdenticalTo", "resource_type": "dataset"}
        ]
    if doi or manifest.doi:
        metadata["doi"] = doi or manifest.doi
    return {"metadata": metadata}
