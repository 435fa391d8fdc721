"""The version as an RO-Crate: what it is and which files of it are data, for archives and catalogues."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from evalreport.book.build import Made
from evalreport.project import Project
from evalreport.publish.manifest import digest

NAME = "ro-crate-metadata.json"
_FORMATS = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".py": "text/x-python",
    ".cff": "application/yaml",
    ".txt": "text/plain",
    ".whl": "application/zip",
}
_WORDS = {
    "CITATION.cff": "How to cite this version",
    "recompute.py": "Computes the published numbers again from the CSV files, with nothing but Python",
    "requirements.txt": "The packages that made this version",
    "changes.json": "What changed since the version before",
    "schemas/manifest.schema.json": "JSON Schema of manifest.json",
    "schemas/results.schema.json": "JSON Schema of the results.json files",
}


def write_crate(html: Path, project: Project, made: Sequence[Made]) -> None:
    """Write `ro-crate-metadata.json`; the same version gives the same bytes."""
    from rocrate.model.contextentity import ContextEntity
    from rocrate.rocrate import ROCrate

    crate = ROCrate(gen_preview=False)
    crate.name = project.title
    crate.description = f"{project.title}, version {project.version}: evaluation results as a book with its data."
    crate.root_dataset["datePublished"] = project.date
    crate.root_dataset["version"] = project.version
    crate.root_dataset["license"] = project.licence or "No licence is stated: all rights are reserved."
    if project.url:
        crate.root_dataset["url"] = project.url
    authors = [
        crate.add(ContextEntity(crate, f"#author-{number}", {"@type": "Organization", "name": author}))
        for number, author in enumerate(project.authors, start=1)
    ]
    if authors:
        crate.root_dataset["author"] = authors[0] if len(authors) == 1 else authors
        crate.root_dataset["publisher"] = authors[0]
    for name in _files(html, made):
        sha256, size = digest(html / name)
        crate.add_file(
            html / name,
            dest_path=name,
            properties={
                "name": Path(name).name,
                "description": _WORDS.get(name) or f"{Path(name).parent.name}: {Path(name).stem.replace('_', ' ')}",
                "encodingFormat": _FORMATS.get(Path(name).suffix, "application/octet-stream"),
                "contentSize": str(size),
                "sha256": sha256,
            },
        )
    document = crate.metadata.generate()
    document["@graph"] = sorted(document["@graph"], key=lambda entity: str(entity["@id"]))
    text = json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True)
    (html / NAME).write_text(text + "\n", "utf-8")


def _files(html: Path, made: Sequence[Made]) -> Iterator[str]:
    for name in sorted(_WORDS):
        if (html / name).is_file():
            yield name
    yield from sorted(path.name for path in html.glob("*.whl"))
    for part in made:
        folder = html / "data" / part.suite.name
        yield from (f"data/{part.suite.name}/{file.name}" for file in sorted(folder.iterdir()) if file.is_file())
