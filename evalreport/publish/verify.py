"""`evalreport verify`: every file of a site, no file too many, and with the inputs every number."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from evalreport import suites as registry
from evalreport.book.build import Say, read_public
from evalreport.book.reference_pages import package_versions
from evalreport.core.privacy import Privacy
from evalreport.core.results import results_json
from evalreport.core.suite import InputFile, Suite
from evalreport.errors import EvalreportError, Problem, Problems
from evalreport.project import SuiteChoice, read_settings
from evalreport.publish import manifest as manifests
from evalreport.publish.facts import RESULTS, Key, Stated, read_values
from evalreport.publish.manifest import Manifest, read_manifest
from evalreport.publish.rootpages import LISTING
from evalreport.publish.site import read_journal, root_digests, state_folder
from evalreport.publish.versions import FILE, LATEST, Entry, read_versions

ARCHIVED = "inputs"


@dataclass(frozen=True)
class Checked:
    """What was checked: files, and numbers that were computed again."""

    versions: tuple[str, ...]
    files: int
    numbers: int


def verify(place: Path, *, data: Sequence[Path] = (), say: Say = lambda _: None) -> Checked:
    """Check a site, or one version of it; raises `EvalreportError` with everything that is not as it was.

    Numbers are computed again from the inputs archived in a version, or from `data`: folders with the inputs of one
    version, `data/<suite>` below them where there are several suites.
    """
    problems = Problems()
    if (place / manifests.NAME).is_file():
        folders = {read_manifest(place).version: place}
        problems.extend(_manifest_problems(place.resolve().parent, _listed_as(place.resolve())))
    elif (place / FILE).is_file():
        entries = read_versions(place)
        folders = {entry.version: place / entry.version for entry in entries}
        problems.extend(site_problems(place, entries))
    else:
        what = f"holds neither {FILE} nor {manifests.NAME}"
        raise EvalreportError(Problem(str(place), what, "a site or a version of one", "no_site"))
    files = numbers = 0
    for version, folder in folders.items():
        say(f"checking {version}")
        found = list(version_problems(folder, version))
        problems.extend(found)
        if any(problem.kind in {"no_manifest", "manifest"} for problem in found):
            continue
        manifest = read_manifest(folder)
        files += len(manifest.files)
        archived = folder / ARCHIVED
        if data or archived.is_dir():
            say(f"computing {version} again")
            numbers += _recompute(folder, manifest, data or [archived], problems)
    problems.check()
    return Checked(tuple(folders), files, numbers)


def version_problems(folder: Path, version: str) -> Iterator[Problem]:
    """Every file of a version that is missing, different or too many."""
    try:
        manifest = read_manifest(folder, where=version)
    except EvalreportError as error:
        yield from error.problems
        return
    if manifest.version != version:
        yield Problem(f"{version}/{manifests.NAME}", f"is of version {manifest.version}", version, "manifest")
    there = set(manifests.files_of(folder)) - {manifests.NAME}
    for file in manifest.files:
        where = f"{version}/{file.path}"
        path = folder / file.path
        if file.path not in there:
            yield Problem(where, "is missing", f"sha256 {file.sha256}", "missing_file")
        elif path.is_symlink():
            yield Problem(where, "is a link", "the file itself", "changed_file")
        elif manifests.digest(path) != (file.sha256, file.bytes):
            yield Problem(where, "was changed", f"sha256 {file.sha256}", "changed_file")
    for name in sorted(there - {file.path for file in manifest.files}):
        yield Problem(f"{version}/{name}", "is in no manifest", "only files that were published", "extra_file")


def site_problems(site: Path, entries: Sequence[Entry]) -> Iterator[Problem]:
    """What is wrong at the root of a site: list, pages, feed, `latest/`, and folders that belong to no version.

    A change that was decided and not finished is a valid state: then each file may be the earlier or the later one.
    """
    journal = read_journal(state_folder(site))
    states = [root_digests(site)] if journal is None else [journal.before, journal.after]
    yield from _manifest_problems(site, entries)
    if not states[-1]:
        yield Problem(LISTING, "is missing", "the file that publishing writes", "root_file")
        return
    for name in sorted({name for state in states for name in state}):
        path = site / name
        there = manifests.digest(path)[0] if path.is_file() else None
        if there not in [state.get(name) for state in states]:
            yield Problem(name, "is missing" if there is None else "was changed", "what was published", "root_file")
    yield from _too_many(site, entries, states, journal.version if journal else "")


def _manifest_problems(site: Path, entries: Sequence[Entry]) -> Iterator[Problem]:
    """The manifests that are not those that the list of versions names: of all files they alone are in no manifest."""
    for entry in entries:
        path = site / entry.version / manifests.NAME
        if path.is_file() and manifests.digest(path)[0] != entry.manifest:
            yield Problem(f"{entry.version}/{manifests.NAME}", "was changed", f"sha256 {entry.manifest}", "manifest")


def _listed_as(folder: Path) -> Sequence[Entry]:
    """The line of a version in the list of the site that it stands in; none for one that stands by itself."""
    try:
        return [entry for entry in read_versions(folder.parent) if entry.version == folder.name]
    except EvalreportError:
        return []  # some other file of that name


def _too_many(
    site: Path, entries: Sequence[Entry], states: Sequence[Mapping[str, str]], moving: str
) -> Iterator[Problem]:
    names = {name.split("/")[0] for state in states for name in state} | {entry.version for entry in entries} | {moving}
    for path in sorted(site.iterdir()):
        # What a host or git needs at the root of a site is not of the site: .git, .nojekyll, CNAME.
        if path.name not in names and not path.name.startswith(".") and path.name != "CNAME":
            yield Problem(path.name, "belongs to no version that is listed", "nothing else", "extra_file")
    latest = site / LATEST
    for name in manifests.files_of(latest) if latest.is_dir() else ():
        if not any(f"{LATEST}/{name}" in state for state in states):
            yield Problem(f"{LATEST}/{name}", "was never published", "nothing", "extra_file")


def _recompute(folder: Path, manifest: Manifest, data: Sequence[Path], problems: Problems) -> int:
    count = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name, facts in manifest.suites.items():
            suite = registry.all_suites().get(name)
            where = f"{manifest.version}/{RESULTS.format(suite=name)}"
            if suite is None:
                problems.add(where, f"the suite {name} is not known to this program", kind="unknown_suite")
                continue
            paths = [own for path in data if (own := path / name).exists()] or list(data)
            noted = Problems()
            given = {key: _text(value) for key, value in facts.settings.items() if value is not None}
            settings = read_settings(suite, given, where=where, problems=noted)
            if noted:
                problems.add(where, "was made with settings that this program does not know", kind="setting")
                continue
            choice = SuiteChoice(name, (), tuple(paths), settings)
            try:
                records, _, originals = read_public(choice, _policy(manifest), Path(scratch) / name)
                results = suite.compute(records, settings)
            except EvalreportError as error:
                problems.extend(error.problems)
                continue
            read = suite.inputs(records)
            again = results_json(suite=name, settings=settings, inputs=read, values=suite.values(results))
            stated = read_values((folder / RESULTS.format(suite=name)).read_bytes(), name)
            causes = list(_causes(suite, manifest, read, originals))
            pages = _pages(suite, results) if stated != read_values(again, name) else {}
            count += _compare(where, stated, read_values(again, name), causes, pages, problems)
            if causes and causes[0].startswith("input"):
                for cause in causes:
                    problems.add(where, cause, "the inputs of the version", kind="input")
    return count


def _policy(manifest: Manifest) -> Privacy:
    try:
        return msgspec.convert(manifest.privacy, Privacy)
    except msgspec.ValidationError as error:
        where = f"{manifest.version}/{manifests.NAME}"
        raise EvalreportError(Problem(where, f"privacy: {error}", "a policy", "manifest")) from None


def _text(value: object) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _compare(
    where: str,
    stated: Sequence[Stated],
    again: Sequence[Stated],
    causes: Sequence[str],
    pages: Mapping[Key, str],
    problems: Problems,
) -> int:
    old, new = {v.key: v for v in stated}, {v.key: v for v in again}
    why = "; ".join(causes[:3]) or "the program, or how it was installed"
    for key in sorted({*old, *new}):
        if old.get(key) != new.get(key):
            metric, of = key
            ids = ", ".join(value for _, value in of)
            page = f" (on {pages[key]})" if pages.get(key) else ""
            one, other = (_shown(values.get(key)) for values in (old, new))
            problems.add(where, f"{metric} of {ids}{page} is {one}, computed again {other}", f"the same; cause: {why}",
                         kind="number")  # fmt: skip
    return len(old)


def _pages(suite: Suite[Any, Any], results: object) -> Mapping[Key, str]:
    """The page of the book on which each number is audited."""
    if suite.address is None:
        return {}
    addresses = ((value.metric, value.of, suite.address(results, value)) for value in suite.values(results))
    return {(metric, of): address for metric, of, address in addresses if address}


def _shown(stated: Stated | None) -> str:
    if stated is None:
        return "absent"
    limits = f" ({stated.interval.low} to {stated.interval.high})" if stated.interval else ""
    return f"{stated.exact or stated.undefined}{limits}"


def _causes(
    suite: Suite[Any, Any], manifest: Manifest, read: Sequence[InputFile], originals: Mapping[str, InputFile]
) -> Iterator[str]:
    """What is not as the manifest says. An original may be read, or what stands for it in the version."""
    facts = manifest.suites[suite.name]
    before = {file.path: {file.sha256, file.original_sha256 or file.sha256} for file in facts.inputs}
    after = {file.path: originals.get(file.path, file) for file in read}
    for path in sorted({*before, *after}):
        if path not in before or path not in after or after[path].sha256 not in before[path]:
            kind = "is new" if path not in before else "is missing" if path not in after else "was changed"
            own = after[path].path if path in after else path
            yield f"input {path} {kind}" if own == path else f"input {own} (published as {path}) {kind}"
    known = {d.metric: d.identity for d in manifests.declarations(suite)}
    for declaration in facts.declarations:
        if known.get(declaration.metric) != declaration.identity:
            yield f"formula of {declaration.metric} is another one now"
    for name, version in package_versions().items():
        if manifest.packages.get(name, version) != version:
            yield f"package {name} is {version}, was {manifest.packages[name]}"
