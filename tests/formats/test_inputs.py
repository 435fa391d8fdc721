"""Which files are an input, in which order, and what about files and links is refused."""

from __future__ import annotations

import gzip
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evalreport.core.results import MARKER
from evalreport.core.suite import InputFile
from evalreport.errors import EvalreportError
from evalreport.formats.front_matter import json_block
from evalreport.formats.inputs import Found, SourceFile, find, read


def put(root: Path, name: str, data: bytes = b"{}") -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def names(found: Found) -> list[str]:
    return [file.path for file in found.files]


def kinds(*paths: Path) -> set[str]:
    with pytest.raises(EvalreportError) as caught:
        find(paths)
    return {problem.kind for problem in caught.value.problems}


def test_files_come_in_the_order_of_their_code_points(tmp_path: Path) -> None:
    for name in ("b.json", "a/z.json", "a.json", "B.json", "é.json", "e\u0301.json", "模.json", "a b/x.json"):
        put(tmp_path, name)
    assert names(find([tmp_path])) == [
        "B.json",
        "a b/x.json",
        "a.json",
        "a/z.json",
        "b.json",
        "e\u0301.json",
        "é.json",
        "模.json",
    ]


def test_a_folder_with_the_name_of_a_file_is_walked(tmp_path: Path) -> None:
    put(tmp_path, "x.json/y.json")
    assert names(find([tmp_path])) == ["x.json/y.json"]


def test_a_path_may_be_a_file(tmp_path: Path) -> None:
    file = put(tmp_path, "d/runs.csv")
    assert names(find([file])) == ["runs.csv"]


def test_a_report_inside_its_input_changes_nothing(tmp_path: Path) -> None:
    put(tmp_path, "runs.csv")
    before = find([tmp_path])
    put(tmp_path, f"report/{MARKER}")
    put(tmp_path, "report/data/runs.csv")
    assert find([tmp_path]) == before


def test_hidden_files_are_named_and_not_read(tmp_path: Path) -> None:
    put(tmp_path, ".git/config")
    put(tmp_path, "a/._x.json")
    put(tmp_path, "a/x.json")
    found = find([tmp_path])
    assert (names(found), found.ignored) == (["a/x.json"], (".git", "a/._x.json"))


def test_a_link_that_leaves_the_input_is_refused(tmp_path: Path) -> None:
    outside = put(tmp_path, "outside/secret.json")
    inside = tmp_path / "in"
    put(inside, "a.json")
    (inside / "file.json").symlink_to(outside)
    assert kinds(inside) == {"link_outside"}
    (inside / "file.json").unlink()
    (inside / "folder").symlink_to(outside.parent, target_is_directory=True)
    assert kinds(inside) == {"link_outside"}


def test_a_sibling_whose_name_only_begins_alike_is_outside(tmp_path: Path) -> None:
    outside = put(tmp_path, "input-2/a.json")
    (tmp_path / "input").mkdir()
    (tmp_path / "input" / "a.json").symlink_to(outside)
    assert kinds(tmp_path / "input") == {"link_outside"}


def test_a_link_inside_the_input_is_read_when_it_leads_to_a_file_and_never_walked(tmp_path: Path) -> None:
    put(tmp_path, "a/x.json")
    (tmp_path / "y.json").symlink_to(tmp_path / "a" / "x.json")
    (tmp_path / "a" / "round").symlink_to(tmp_path, target_is_directory=True)
    found = find([tmp_path])
    assert (names(found), found.ignored) == (["a/x.json", "y.json"], ("a/round",))


def test_a_link_that_leads_nowhere_a_pipe_and_a_missing_path_are_refused_together(tmp_path: Path) -> None:
    (tmp_path / "gone.json").symlink_to(tmp_path / "nothing")
    os.mkfifo(tmp_path / "pipe.json")
    assert kinds(tmp_path, tmp_path / "missing") == {"link_broken", "not_a_file", "missing_input"}


def test_a_path_that_is_there_and_is_no_file_is_not_called_missing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert kinds(tmp_path / "pipe") == {"not_a_file"}
    assert kinds(tmp_path / "nowhere") == {"missing_input"}


def test_folders_may_be_nested_as_deep_as_the_system_allows(tmp_path: Path) -> None:
    folders = [f"{tmp_path}/all" + "/d" * depth for depth in range(1200)]  # deeper than Python calls itself
    for folder in folders:
        Path(folder).mkdir()
    Path(f"{folders[-1]}/a.json").write_bytes(b"{}")
    try:
        assert names(find([tmp_path / "all"])) == ["d/" * 1199 + "a.json"]
    finally:
        subprocess.run(["rm", "-r", folders[0]], check=True)


def test_a_name_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.json")).write_bytes(b"{}")
    assert kinds(tmp_path) == {"encoding"}


IN_A_LOCALE = """
import sys
from pathlib import Path
from evalreport.formats.inputs import find, read
assert sys.getfilesystemencoding() != "utf-8", "the locale has a say here"
found = find([Path(path) for path in sys.argv[1:]])
print(ascii([(file.path, read(file)[0]) for file in found.files]))
"""


def test_names_are_utf8_whatever_the_locale_says(tmp_path: Path) -> None:
    root = tmp_path / "模型-é"
    put(root, "日本/é.json", b"1")
    (root / "link.json").symlink_to("日本/é.json")
    put(tmp_path, "é.json", b"2")
    environment = {**os.environ, "LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    arguments = [sys.executable, "-c", IN_A_LOCALE, str(root), str(tmp_path / "é.json")]
    done = subprocess.run(arguments, check=True, capture_output=True, text=True, env=environment)
    expected = [("link.json", b"1"), ("é.json", b"2"), ("日本/é.json", b"1")]
    assert done.stdout == f"{expected!a}\n"


def test_overlapping_paths_give_each_file_once(tmp_path: Path) -> None:
    put(tmp_path, "a/x.json")
    for paths in ([tmp_path, tmp_path / "a", tmp_path], [tmp_path / "a", tmp_path]):
        assert names(find(paths)) == ["a/x.json"]


def test_equal_names_of_two_inputs_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    put(tmp_path, "one/data/x.json")
    put(tmp_path, "two/data/x.json")
    put(tmp_path, "two/data/y.json")
    paths = [tmp_path / "one" / "data", tmp_path / "two" / "data"]
    assert names(find(paths)) == ["one/data/x.json", "two/data/x.json", "y.json"]
    assert find(paths) == find(paths[::-1])


@pytest.mark.parametrize("size", [0, 5, 2**14 - 1, 2**14, 2**14 + 1, 100_000])
def test_the_bytes_have_their_hash_and_size(tmp_path: Path, size: int) -> None:
    data = bytes(number % 251 for number in range(size))
    put(tmp_path, "a/x.bin", data)
    expected = InputFile("a/x.bin", hashlib.sha256(data).hexdigest(), size)
    assert read(SourceFile(str(tmp_path), "a/x.bin")) == (data, expected)


@pytest.mark.parametrize("size", [11, 2**14, 50_000])
def test_a_file_beyond_the_limit_is_refused(tmp_path: Path, size: int) -> None:
    put(tmp_path, "x.json", b"1" * size)
    assert len(read(SourceFile(str(tmp_path), "x.json"), limit=size)[0]) == size
    with pytest.raises(EvalreportError) as caught:
        read(SourceFile(str(tmp_path), "x.json"), limit=size - 1)
    assert caught.value.problems[0].kind == "too_large"


def test_a_packed_file_is_unpacked_and_hashed_as_it_stands(tmp_path: Path) -> None:
    packed = gzip.compress(b"ab") + gzip.compress(b"c")
    put(tmp_path, "x.json.gz", packed)
    data, record = read(SourceFile(str(tmp_path), "x.json.gz"))
    assert (data, record.bytes) == (b"abc", len(packed))


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (gzip.compress(b"0" * 10_000_000, mtime=0), "too_large"),
        (gzip.compress(b"abc", mtime=0)[:-9], "cut"),
        (b"plain", "gzip"),
    ],
)
def test_a_packed_file_that_is_a_bomb_cut_or_none_is_refused(tmp_path: Path, data: bytes, kind: str) -> None:
    put(tmp_path, "x.gz", data)
    with pytest.raises(EvalreportError) as caught:
        read(SourceFile(str(tmp_path), "x.gz"), limit=100_000)
    assert caught.value.problems[0].kind == kind


def test_a_large_file_pointer_is_not_taken_for_the_file(tmp_path: Path) -> None:
    put(tmp_path, "x.json", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
    with pytest.raises(EvalreportError, match="git lfs pull"):
        read(SourceFile(str(tmp_path), "x.json"))


def test_a_file_that_is_gone_is_told_without_a_traceback(tmp_path: Path) -> None:
    with pytest.raises(EvalreportError, match=r"x\.json: cannot be read"):
        read(SourceFile(str(tmp_path), "x.json"))


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("```json\n1\n```", "1"),
        ("# Title\r\n\r\n```json\r\n1\r\n```\r\n", "1"),
        ("---\na: |\n  ```json\n  0\n  ```\n---\n```json\n1\n```\n", "1"),
        ("```python\n```json\n0\n```\n~~~ json title\n1\n~~~\n```json\n2\n```\n", "1"),
        ("````json\n1\n```\n2\n````\n", "1\n```\n2"),
        ("\ufeff---\na: 1\n...\n  ```JSON\n1\n  ```\n", "1"),
    ],
)
def test_the_first_json_block_after_the_front_matter_counts(text: str, block: str) -> None:
    assert json_block(text.encode(), "g.md").decode().strip() == block


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "json_block"),
        ("# no block\n```\n1\n```\n", "json_block"),
        ("```json\n1\n", "json_block"),
        ("---\na: 1\r\n" + "b: 2\r\n" * 200 + "```json\n1\n```\n", "front_matter"),
    ],
)
def test_a_gold_without_a_block_is_refused(text: str, kind: str) -> None:
    with pytest.raises(EvalreportError) as caught:
        json_block(text.encode(), "g.md")
    assert caught.value.problems[0].kind == kind
