"""Whatever ends a publisher, the site is an earlier or a later state of itself, and the next one works."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from evalreport.book.swap import put_in_place
from evalreport.errors import EvalreportError
from evalreport.publish import site as sites
from evalreport.publish.verify import verify
from evalreport.publish.versions import encode, read_versions
from tests.book.toy import contents
from tests.publish.made import add_version, copied

ROOT = Path(__file__).resolve().parents[2]


class Ended(BaseException):
    """Stands for the end of the program: nothing catches it, and no cleaning up is done after it."""


def listed(site: Path) -> list[str]:
    return [entry.version for entry in read_versions(site)]


def ended_at(call: int, monkeypatch: pytest.MonkeyPatch, act: Callable[[], None], failure: BaseException) -> bool:
    """Do something that ends at its n-th change of the disk; whether it got that far."""
    count = 0

    def counted(original: Callable[..., object]) -> Callable[..., object]:
        def run(*args: object, **options: object) -> object:
            nonlocal count
            count += 1
            if count >= call:
                raise failure
            return original(*args, **options)

        return run

    with monkeypatch.context() as patch:
        for name in ("rename", "replace", "unlink", "write_bytes"):
            patch.setattr(Path, name, counted(getattr(Path, name)))
        patch.setattr("os.fsync", counted(os.fsync))
        patch.setattr("shutil.rmtree", counted(shutil.rmtree))
        patch.setattr("evalreport.publish.site.put_in_place", counted(put_in_place))
        try:
            act()
        except type(failure):
            return False
    return True


@pytest.mark.parametrize("failure", [Ended(), OSError(errno.ENOSPC, "No space left on device")], ids=["ended", "full"])
def test_a_change_that_ends_at_any_step_leaves_a_valid_site_and_the_next_one_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: BaseException
) -> None:
    start = tmp_path / "start"
    add_version(start, "1.0")
    done, call, states = False, 0, set()
    while not done:
        call += 1
        site = copied(start, tmp_path / f"{call}" / "site")
        done = ended_at(call, monkeypatch, lambda site=site: add_version(site, "1.1"), failure)  # type: ignore[misc]
        verify(site)
        states.add(tuple(listed(site)))
        add_version(site, "1.2")
        verify(site)
        assert listed(site) in (["1.2", "1.1", "1.0"], ["1.2", "1.0"])
        assert [path.name for path in site.parent.iterdir()] == ["site"]
    assert call > 10
    assert states == {("1.0",), ("1.1", "1.0")}


def test_a_second_publisher_is_refused_while_the_first_is_at_work(tmp_path: Path) -> None:
    site = tmp_path / "site"
    with sites.held(site), pytest.raises(EvalreportError, match="another publisher"), sites.held(site):
        pass
    add_version(site, "1.0")


def test_a_child_that_outlives_a_killed_publisher_does_not_keep_its_lock(tmp_path: Path) -> None:
    script = """
import os, sys, time
from pathlib import Path
from evalreport.publish.site import held
with held(Path(sys.argv[1])):
    if os.fork() == 0:
        print("held", flush=True)
        time.sleep(5)
        os._exit(0)
    time.sleep(60)
"""
    site = tmp_path / "site"
    with subprocess.Popen(
        [sys.executable, "-c", script, str(site)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        process.send_signal(signal.SIGKILL)
        process.wait()
        add_version(site, "1.0")
    verify(site)


def test_files_of_no_listed_version_are_not_written_over(tmp_path: Path) -> None:
    site = tmp_path / "site"
    add_version(site, "1.0")
    (site / "1.1").mkdir()
    (site / "1.1/mine.txt").write_text("mine", "utf-8")
    with pytest.raises(EvalreportError, match="belongs to no version"):
        verify(site)
    with pytest.raises(EvalreportError, match="of no version that is listed"):
        add_version(site, "1.1")
    assert (site / "1.1/mine.txt").read_text("utf-8") == "mine"


def _dropped(site: Path) -> None:
    kept = [entry for entry in read_versions(site) if entry.version != "1.0"]
    (site / "versions.json").write_bytes(encode(kept))


def _without_any_list(site: Path) -> None:
    (site / "versions.json").unlink()
    (site / "site.json").unlink()


def _with_a_folder_as_start(site: Path) -> None:
    (site / "index.html").unlink()
    (site / "index.html").mkdir()


def _emptied(place: Path) -> Path:
    shutil.rmtree(place)
    return place


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda site: (site / "versions.json").unlink(), r"versions\.json: is missing; expected what was published"),
        (_dropped, r"versions\.json: was changed; expected what was published"),
        (_without_any_list, r"1\.0: is a version that is not listed"),
        (lambda site: (site / "versions.json").write_text("[", "utf-8"), "a list of versions"),
        (_with_a_folder_as_start, r"index\.html: is a folder"),
        (lambda site: _emptied(site / "latest").write_text("mine", "utf-8"), "latest: is no folder"),
        (lambda site: _emptied(site / "latest").symlink_to("1.0"), "latest: is no folder"),
        (lambda site: shutil.rmtree(site / "1.0"), r"1\.0/manifest\.json: is missing"),
    ],
)
def test_a_site_that_somebody_changed_by_hand_is_not_continued(
    tmp_path: Path, harm: Callable[[Path], object], said: str
) -> None:
    site = tmp_path / "site"
    for version in ("1.0", "1.1"):
        add_version(site, version)
    harm(site)
    before = contents(site)
    with pytest.raises(EvalreportError, match=said):
        add_version(site, "1.2")
    assert contents(site) == before
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


@pytest.mark.parametrize("name", ["index.html", "feed.xml", "latest/mine.html"])
def test_a_site_does_not_begin_over_files_of_somebody(tmp_path: Path, name: str) -> None:
    site = tmp_path / "site"
    (site / name).parent.mkdir(parents=True)
    (site / name).write_text("mine", "utf-8")
    with pytest.raises(EvalreportError, match="is there already, and of no site"):
        add_version(site, "1.0")
    assert contents(site) == {name: b"mine"}


def test_what_a_host_needs_may_be_there_before(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    for name in (".nojekyll", "CNAME", ".gitignore"):
        (site / name).write_text("", "utf-8")
    add_version(site, "1.0")
    verify(site)


def test_every_byte_of_the_files_that_name_all_others_counts(tmp_path: Path) -> None:
    site = tmp_path / "site"
    add_version(site, "1.0")
    unnoticed = []
    for name, place in (("site.json", site), ("1.0/manifest.json", site), ("1.0/manifest.json", site / "1.0")):
        data = (site / name).read_bytes()
        for at in range(len(data)):
            (site / name).write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
            try:
                verify(place)
            except EvalreportError:
                continue
            unnoticed.append((name, place.name, data[max(at - 10, 0) : at + 1]))
        (site / name).write_bytes(data)
    assert unnoticed == []
    verify(site)


def test_what_was_decided_and_cannot_be_read_is_named(tmp_path: Path) -> None:
    site = tmp_path / "site"
    add_version(site, "1.0")
    journal = sites.state_folder(site) / "journal.json"
    journal.parent.mkdir()
    journal.write_text("{", "utf-8")
    with pytest.raises(EvalreportError, match=r"journal\.json"):
        verify(site)
    with pytest.raises(EvalreportError, match=r"journal\.json"):
        add_version(site, "1.1")


def test_many_publishers_at_once_lose_nothing(tmp_path: Path) -> None:
    script = """
import sys, time
from pathlib import Path
from evalreport.errors import EvalreportError
from tests.publish.made import add_version
site, version = Path(sys.argv[1]), sys.argv[2]
for attempt in range(600):
    try:
        add_version(site, version)
        break
    except EvalreportError as error:
        assert "another publisher" in str(error), error
        time.sleep(0.05)
else:
    sys.exit(1)
"""
    site = tmp_path / "site"
    wanted = [f"2.{n}" for n in range(5)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    running = [subprocess.Popen([sys.executable, "-c", script, str(site), v], env=environment) for v in wanted]
    assert [process.wait() for process in running] == [0] * len(wanted)
    assert sorted(listed(site)) == wanted
    verify(site)


PUBLISH = """
import sys
from pathlib import Path
import pytest, resource
from evalreport.project import read_project
from evalreport.publish.publishing import publish
from tests.book import toy
toy.register(pytest.MonkeyPatch())
if len(sys.argv) > 4:
    import signal
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[4]), int(sys.argv[4])))
publish(read_project(Path(sys.argv[1])), sys.argv[3], site=Path(sys.argv[2]))
"""


def publishing(root: Path, site: Path, version: str, *more: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-c", PUBLISH, str(root), str(site), version, *more],
        env=environment, cwd=ROOT, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip


@pytest.mark.book
@pytest.mark.usefixtures("toys")
def test_killed_at_thirty_moments_the_site_is_the_earlier_or_the_later_one(
    published: tuple[Path, Path], tmp_path: Path
) -> None:
    root, start = published
    site = copied(start, tmp_path / "site")
    begun = time.monotonic()
    assert publishing(root, site, "1.2").wait() == 0
    duration = time.monotonic() - begun
    before = listed(site)
    for moment in range(30):
        version = f"2.{moment}"
        process = publishing(root, site, version)
        # Half of the moments are near the end, where the site changes.
        share = moment / 15 if moment < 15 else 0.85 + (moment - 15) / 60
        try:
            process.wait(timeout=duration * share)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        verify(site)
        assert listed(site) in (before, [version, *before])
        before = listed(site)
    assert publishing(root, site, "3.0").wait() == 0
    assert listed(site) == ["3.0", *before]
    verify(site)
    assert {path.name for path in tmp_path.iterdir()} == {"site"}


@pytest.mark.book
@pytest.mark.usefixtures("toys")
def test_a_full_disk_leaves_the_site_as_it_was(published: tuple[Path, Path], tmp_path: Path) -> None:
    root, start = published
    site = copied(start, tmp_path / "site")
    largest = max(path.stat().st_size for path in site.rglob("*") if path.is_file())
    for limit in (1_000, 20_000, largest - 1):
        assert publishing(root, site, "2.0", str(limit)).wait() != 0
        assert listed(site) == ["1.1", "1.0"]
        verify(site)
        assert {path.name for path in tmp_path.iterdir()} == {"site"}
    assert publishing(root, site, "2.0").wait() == 0
    verify(site)
