"""Which files an input holds, and their bytes with the hash that a reader can check."""

from __future__ import annotations

import os
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import msgspec

from evalreport.core.results import MARKER
from evalreport.core.suite import InputFile
from evalreport.errors import EvalreportError, Problem, Problems

MAX_BYTES = 256 * 2**20
_FIRST = 2**14  # most files are smaller, and one read is the whole of them
_LFS = b"version https://git-lfs.github.com/spec/v1"


class SourceFile(msgspec.Struct, frozen=True, gc=False):
    """One file of an input: `name` is its path below `root`, with `/`; `label` tells two roots apart, if need be.

    >>> SourceFile("/data", "runs/a.json").path, SourceFile("/data", "a.json", "data").path
    ('runs/a.json', 'data/a.json')
    """

    root: str
    name: str
    label: str = ""

    @property
    def path(self) -> str:
        """How the file is called everywhere: relative to the input root."""
        return f"{self.label}/{self.name}" if self.label else self.name


@dataclass(frozen=True)
class Found:
    """The files of an input, and what stands among them and is never read (hidden files, links to folders)."""

    files: tuple[SourceFile, ...]
    ignored: tuple[str, ...]


def find(paths: Sequence[Path]) -> Found:
    """Every file below the paths (a path may be a file), in the order of their paths by code point.

    A folder of results (see `core.results.MARKER`) is passed over in silence, so that a report written into its own
    input changes nothing. Names that begin with a dot and links to folders are not followed. Names are UTF-8, whatever
    the locale says. Raises `EvalreportError` for a path that is not there, a link that leaves its input or leads
    nowhere, a name that is not UTF-8, and what is no file.
    """
    problems = Problems()
    files: list[SourceFile] = []
    ignored: list[SourceFile] = []
    # Of two paths that overlap the outer one comes last, and names the files.
    for path in sorted({Path(os.path.realpath(path)) for path in paths}, reverse=True):
        if path.is_dir():
            _walk(_text(path), files, ignored, problems)
        elif path.is_file():
            files.append(SourceFile(_text(path.parent), _text(path.name)))
        else:
            there = ("is neither a folder nor a file", "not_a_file")
            what, kind = there if path.exists() else ("does not exist", "missing_input")
            problems.add(str(path), what, "a folder or a file", kind=kind)
    problems.check()
    return Found(_labelled(files), tuple(sorted(file.path for file in _labelled(ignored))))


def _walk(root: str, files: list[SourceFile], ignored: list[SourceFile], problems: Problems) -> None:
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(_bytes(f"{root}/{folder}")) as scan:
                entries = [(entry.name.decode("utf-8", "surrogateescape"), entry) for entry in scan]
        except OSError as error:
            problems.add(folder or root, f"cannot be read: {error.strerror}", kind="unreadable")
            continue
        if any(entry_name == MARKER for entry_name, _ in entries):
            continue
        for entry_name, entry in entries:
            name = folder + entry_name
            if not _is_utf8(entry_name):
                problems.add(ascii(name), "has a name that is not UTF-8", "a name in UTF-8", kind="encoding")
            elif entry_name.startswith("."):
                ignored.append(SourceFile(root, name))
            elif entry.is_symlink():
                _link(SourceFile(root, name), files, ignored, problems)
            elif entry.is_dir():
                folders.append(f"{name}/")
            elif entry.is_file():
                files.append(SourceFile(root, name))
            else:
                problems.add(name, "is neither a file nor a folder", "a file", kind="not_a_file")


def _link(link: SourceFile, files: list[SourceFile], ignored: list[SourceFile], problems: Problems) -> None:
    target = os.path.realpath(_bytes(f"{link.root}/{link.name}"))
    if not Path(os.fsdecode(target)).is_relative_to(os.fsdecode(_bytes(link.root))):
        problems.add(link.name, "is a link that leaves the input", "a file inside the input", kind="link_outside")
    elif os.path.isfile(target):  # noqa: PTH113 (bytes)
        files.append(link)
    elif os.path.isdir(target):  # noqa: PTH112 (bytes)
        ignored.append(link)
    else:
        problems.add(link.name, "is a link that leads nowhere", "a file inside the input", kind="link_broken")


def _is_utf8(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _text(path: Path | str) -> str:
    """A path of the system as UTF-8; what is none stays in half characters. The locale has no say in it."""
    return os.fsencode(path).decode("utf-8", "surrogateescape")


def _bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def _labelled(files: Iterable[SourceFile]) -> tuple[SourceFile, ...]:
    """One file per place on disk, sorted; equal names of different roots get the name of their root before them."""
    once = {f"{file.root}/{file.name}": file for file in files}.values()
    count = Counter(file.name for file in once)
    labels = shortest_ends({file.root for file in once if count[file.name] > 1})
    labelled = (file if count[file.name] == 1 else SourceFile(file.root, file.name, labels[file.root]) for file in once)
    return tuple(sorted(labelled, key=lambda file: file.path))


def shortest_ends(paths: set[str]) -> dict[str, str]:
    """The shortest ends of paths that tell them apart.

    >>> sorted(shortest_ends({"/x/a/data", "/x/b/data"}).values())
    ['a/data', 'b/data']
    """
    depth = 1
    while True:
        ends = {path: "/".join(path.split("/")[-depth:]) for path in paths}
        if len(set(ends.values())) == len(paths):
            return ends
        depth += 1


def read(file: SourceFile, *, limit: int = MAX_BYTES) -> tuple[bytes, InputFile]:
    """The bytes of a file (unpacked, if its name ends in `.gz`) and its hash and size as it stands on disk.

    Raises `EvalreportError` for a file that cannot be read, is a Git LFS pointer, or has more than `limit` bytes,
    packed or unpacked.
    """
    path = file.path
    try:
        handle = os.open(_bytes(f"{file.root}/{file.name}"), os.O_RDONLY | os.O_NONBLOCK)
        try:
            data = os.read(handle, _FIRST)
            if len(data) == _FIRST:
                data += _rest(handle, path, limit)
        finally:
            os.close(handle)
    except OSError as error:
        raise EvalreportError(Problem(path, f"cannot be read: {error.strerror}", kind="unreadable")) from None
    if len(data) > limit:
        raise EvalreportError(_too_large(path, limit))
    if data.startswith(_LFS):
        raise EvalreportError(
            Problem(
                path, "is a Git LFS pointer, not the file itself", "the file (`git lfs pull` fetches it)", "lfs_pointer"
            )
        )
    record = InputFile(path, sha256(data).hexdigest(), len(data))
    return (_unpacked(data, path, limit) if path.endswith(".gz") else data), record


def _rest(handle: int, path: str, limit: int) -> bytes:
    size = os.fstat(handle).st_size
    if size > limit:
        raise EvalreportError(_too_large(path, limit))
    chunks = []
    while chunk := os.read(handle, max(size, _FIRST)):
        chunks.append(chunk)
    return b"".join(chunks)


def _too_large(path: str, limit: int) -> Problem:
    return Problem(path, f"has more than {limit} bytes", "a smaller file", "too_large")


def _unpacked(data: bytes, path: str, limit: int) -> bytes:
    unpacked = bytearray()
    while data:
        member = zlib.decompressobj(wbits=31)
        try:
            unpacked += member.decompress(data, limit + 1 - len(unpacked))
        except zlib.error as error:
            raise EvalreportError(Problem(path, f"is no gzip file: {error}", "a gzip file", "gzip")) from None
        if len(unpacked) > limit:
            raise EvalreportError(_too_large(path, limit))
        if not member.eof:
            raise EvalreportError(Problem(path, "ends too early", "a whole gzip file", "cut"))
        data = member.unused_data
    return bytes(unpacked)
