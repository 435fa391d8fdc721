"""A site on disk: one publisher at a time, and every change of it whole, whatever ends the program.

Beside the site (within it, where it is a file system of its own) stands a folder for work. There a change is made
completely: the new version and the new files of the root. Then one file, the journal, is written; from then on the
change is made, also if the program ends: whoever comes next first does the moves that the journal names. A reader
meets nothing half-written, because everything comes to its place by a rename.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

import msgspec

from evalreport.book.swap import put_in_place
from evalreport.errors import EvalreportError, Problem, Problems
from evalreport.publish import manifest as manifests
from evalreport.publish.rootpages import LISTING, ROOT_FILES, UNTOUCHED, Pages, read_listing, root_files
from evalreport.publish.versions import FILE, LATEST, Entry, read_versions

_JOURNAL = "journal.json"
_held: set[int] = set()


class Journal(msgspec.Struct, frozen=True, kw_only=True):
    """A change that is decided: what waits in the work folder, and the sha256 of the root's files before and after."""

    work: str
    before: dict[str, str]
    after: dict[str, str]
    version: str = ""


@dataclass(frozen=True)
class Held:
    """A site that this process may change: its folder, and the folder for work."""

    site: Path
    state: Path

    def entries(self) -> tuple[Entry, ...]:
        """The versions of the site. Raises `EvalreportError` when the site would lose some, or could not be changed.

        A list that somebody edited or removed is not continued: what it does not name would be lost to all readers.
        """
        entries, problems = read_versions(self.site), Problems()
        listed = read_listing(self.site).get(FILE)
        there = manifests.digest(self.site / FILE)[0] if (self.site / FILE).is_file() else None
        if listed is not None and there != listed:
            what = "is missing" if there is None else "was changed"
            problems.add(FILE, what, f"what was published; put it back (sha256 {listed})", kind="root_file")
        else:
            known = {entry.version for entry in entries}
            for found in sorted(path.parent.name for path in self.site.glob(f"*/{manifests.NAME}")):
                if found not in known:
                    expected = f"a list in {FILE} that names it, or another place for it"
                    problems.add(found, "is a version that is not listed", expected, kind="extra_file")
        begins = listed is None and not entries
        for path in sorted(self.site.iterdir()):
            if path.name in ROOT_FILES and path.is_dir():
                problems.add(path.name, "is a folder", "a place for the file of that name", kind="occupied")
            elif begins and path.name in {*ROOT_FILES, LATEST} - {UNTOUCHED}:
                problems.add(path.name, "is there already, and of no site", "a folder without it", kind="exists")
        latest = self.site / LATEST
        if latest.is_symlink() or (latest.exists() and not latest.is_dir()):
            problems.add(LATEST, "is no folder", "a place for the folder of that name", kind="occupied")
        problems.check()
        return entries

    def check_free(self, version: str) -> None:
        """Refuse a version whose folder holds anything: nothing that is there is ever written over."""
        if (self.site / version).exists():
            expected = "a place without files; move them away first"
            raise EvalreportError(Problem(version, "holds files of no version that is listed", expected, "occupied"))

    @contextmanager
    def work(self) -> Iterator[Path]:
        """An empty folder on the same file system, removed afterwards."""
        self.state.mkdir(exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix="work-", dir=self.state))
        try:
            yield folder
        finally:
            if read_journal(self.state) is None:  # otherwise what was decided still waits there
                self.sweep()

    def sweep(self) -> None:
        """Remove what is left in the folder for work; the children of a killed publisher may have written on."""
        for left in self.state.glob("work-*") if self.state.is_dir() else ():
            shutil.rmtree(left, ignore_errors=True)
        with suppress(OSError):
            self.state.rmdir()

    def change(self, work: Path, entries: Sequence[Entry], *, version: str = "", made: Path | None = None) -> None:
        """Make these the versions of the site; `made` is the folder, inside `work`, of the new `version`."""
        if made is not None:
            self.check_free(version)
            made.rename(work / "version")
        made_here = {version: work / "version"} if version else {}
        files = root_files(entries, pages_of(self.site, made_here))
        for name, data in files.items():
            (work / "root" / name).parent.mkdir(parents=True, exist_ok=True)
            _write(work / "root" / name, data)
        after = {name: sha256(data).hexdigest() for name, data in files.items()}
        journal = Journal(work=work.name, before=root_digests(self.site), after=after, version=version)
        os.sync()  # what the journal names must be on the disk before it is
        fresh = self.state / f"{_JOURNAL}.new"
        _write(fresh, msgspec.json.encode(journal))
        fresh.replace(self.state / _JOURNAL)
        _sync_folder(self.state)
        finish(self.site, self.state)


@contextmanager
def held(site: Path) -> Iterator[Held]:
    """Hold a site for one change. A second publisher is refused; one that was killed holds nothing any more.

    What an earlier publisher decided and did not finish is finished first; what it did not decide is removed.
    """
    site.mkdir(parents=True, exist_ok=True)
    handle = os.open(site, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            problem = Problem(str(site), "another publisher is at work here", "one at a time; try again", "locked")
            raise EvalreportError(problem) from None
        _held.add(handle)
        state = state_folder(site)
        finish(site, state)
        place = Held(site, state)
        place.sweep()
        yield place
    finally:
        _held.discard(handle)
        os.close(handle)


def _forget_locks() -> None:
    """A forked child would keep the lock of a parent that was killed."""
    while _held:
        with suppress(OSError):
            os.close(_held.pop())


os.register_at_fork(after_in_child=_forget_locks)


def state_folder(site: Path) -> Path:
    """Where work on a site is done: beside it, or inside where beside it is another file system or no place to write.

    Files are moved from there by renaming, which only works within one file system.
    """
    place = site.resolve()
    beside = place.parent / f".{place.name}.publishing"
    same = place.stat().st_dev == place.parent.stat().st_dev
    return beside if same and os.access(place.parent, os.W_OK) else place / ".publishing"


def read_journal(state: Path) -> Journal | None:
    """The change that was decided and is not finished, if there is one."""
    place = state / _JOURNAL
    try:
        return msgspec.json.decode(place.read_bytes(), type=Journal)
    except FileNotFoundError:
        return None
    except msgspec.MsgspecError as error:
        raise EvalreportError(Problem(str(place), str(error), "a change that was decided", "journal")) from None


def finish(site: Path, state: Path) -> None:
    """Do the moves of the journal that are still to be done, then remove it. Doing it twice changes nothing."""
    journal = read_journal(state)
    if journal is None:
        return
    work = state / journal.work
    if (work / "version").is_dir():
        (work / "version").rename(site / journal.version)
    root = work / "root"
    for name in sorted(journal.after):
        if not name.startswith(f"{LATEST}/") and (root / name).is_file():
            (root / name).replace(site / name)
    if (root / LATEST).is_dir() and not _is_in_place(site, journal.after):
        put_in_place(root / LATEST, site / LATEST)
    _sync_folder(site)
    for name in sorted(journal.before.keys() - journal.after.keys()):
        if not name.startswith(f"{LATEST}/"):
            (site / name).unlink(missing_ok=True)
    if not any(name.startswith(f"{LATEST}/") for name in journal.after):
        shutil.rmtree(site / LATEST, ignore_errors=True)
    (state / _JOURNAL).unlink()
    shutil.rmtree(work, ignore_errors=True)


def root_digests(site: Path) -> dict[str, str]:
    """The sha256 of every file of the root that publishing wrote, the listing itself included."""
    listed = read_listing(site)
    return listed | {LISTING: manifests.digest(site / LISTING)[0]} if listed else {}


def _is_in_place(site: Path, expected: Mapping[str, str]) -> bool:
    """Whether `latest/` is already the new one; then the old one waits in the work folder to be removed."""
    latest = {name: digest for name, digest in expected.items() if name.startswith(f"{LATEST}/")}
    there = manifests.files_of(site / LATEST) if (site / LATEST).is_dir() else []
    return {f"{LATEST}/{name}" for name in there} == latest.keys() and all(
        manifests.digest(site / name)[0] == digest for name, digest in latest.items()
    )


def pages_of(site: Path, elsewhere: Mapping[str, Path] = MappingProxyType({})) -> Pages:
    """The pages of each version of a site."""
    return lambda version: manifests.pages(manifests.read_manifest(elsewhere.get(version, site / version)))


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
