"""Files that are whole or absent, and every command that writes one."""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import forsyth
from forsyth.atomic_write import atomic_write, is_stream, move_atomically, open_atomic, require_writable
from forsyth.cli import main

START = forsyth.game("chess").start
NOBODY = 65534

WRITERS = {
    "rows": ["normalise", "IN", "--quiet", "-o", "out.txt"],
    "compressed": ["normalise", "IN", "--quiet", "-o", "out.csv.gz"],
    "parquet": ["key", "IN", "--quiet", "-o", "out.parquet"],
    "arrow": ["pack", "IN", "--quiet", "-o", "out.arrow"],
    "array": ["planes", "IN", "--quiet", "-o", "out.npy"],
    "deduped": ["dedupe", "IN", "--quiet", "-o", "out.jsonl"],
    "page": ["scan", "IN", "--quiet", "--report", "out.html"],
    "counts": ["scan", "IN", "--quiet", "--report", "out.json"],
    "picture": ["show", START, "--svg", "out.svg"],
    "bitmap": ["show", START, "--size", "32", "--png", "out.png"],
}
"""Every way in which the command line writes a file that a person names."""


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def written(folder: Path, name: str) -> tuple[list[str], Path]:
    """The arguments of a writer, and the file it writes."""
    source = folder / "in.txt"
    source.write_text(f"{START}\n" * 3)
    *arguments, target = WRITERS[name]
    path = folder / target
    return [str(source) if word == "IN" else word for word in arguments] + [str(path)], path


@contextmanager
def reading(pipe: Path) -> Iterator[list[bytes]]:
    """What comes out of a named pipe while the block runs."""
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()), daemon=True)
    reader.start()
    yield found
    reader.join(60)


def test_a_file_is_there_when_it_is_whole_and_not_before(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with atomic_write(path) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    with pytest.raises(ZeroDivisionError), atomic_write(path) as file:
        file.write(b"half")
        raise ZeroDivisionError
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["a"]


def test_a_file_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a power cut could leave the name with nothing behind it."""
    path = tmp_path / "a"
    synced: list[tuple[bool, bool]] = []
    monkeypatch.setattr(
        os, "fsync", lambda number: synced.append((stat.S_ISREG(os.fstat(number).st_mode), path.exists()))
    )
    with atomic_write(path) as file:
        file.write(b"new")
    assert synced == [(True, False), (False, True)]


def test_nothing_stays_open(tmp_path: Path) -> None:
    with atomic_write(tmp_path / "a") as file:
        file.write(b"old")
    probe = os.open(tmp_path, os.O_RDONLY)
    os.close(probe)
    for _ in range(3):
        with atomic_write(tmp_path / "a") as file:
            file.write(b"new")
    after = os.open(tmp_path, os.O_RDONLY)
    os.close(after)
    # The lowest number that is free is given next.
    assert after == probe


@pytest.mark.parametrize("bits", [0o600, 0o640, 0o664, 0o755])
def test_permissions_and_owner_stay(tmp_path: Path, bits: int) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(bits)
    if os.geteuid() == 0:
        os.chown(path, NOBODY, NOBODY)
    before = path.stat()
    with atomic_write(path) as file:
        (unfinished,) = set(tmp_path.iterdir()) - {path}
        assert mode(unfinished) == 0o600
        file.write(b"new")
    after = path.stat()
    assert mode(path) == bits
    assert (after.st_uid, after.st_gid) == (before.st_uid, before.st_gid)


def test_a_group_that_cannot_be_given_lets_no_other_group_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: Path, user: int, group: int) -> None:
        raise PermissionError(errno.EPERM, "not permitted")

    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o664)
    monkeypatch.setattr(os, "chown", refused)
    with atomic_write(path) as file:
        file.write(b"new")
    assert mode(path) == 0o644
    assert path.read_bytes() == b"new"


def test_a_new_file_has_the_permissions_of_new_files(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        with atomic_write(tmp_path / "a") as file:
            file.write(b"new")
    finally:
        os.umask(before)
    assert mode(tmp_path / "a") == 0o640


def test_what_nobody_may_write_is_refused_even_to_the_administrator(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    path.chmod(0o444)
    other = tmp_path / "b"
    other.write_bytes(b"new")
    for attempt in (
        lambda: open_atomic(path),
        lambda: move_atomically(other, path),
        lambda: require_writable(path),
    ):
        with pytest.raises(PermissionError, match="read-only"):
            attempt()
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a", "b"]


def test_links_keep_pointing(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    path, link = there / "a", tmp_path / "link"
    link.symlink_to(path)
    for text in (b"first", b"second"):
        with atomic_write(link) as file:
            file.write(text)
        assert link.is_symlink()
        assert path.read_bytes() == text
    assert names(there) == ["a"]
    twin = tmp_path / "twin"
    os.link(path, twin)
    with atomic_write(path) as file:
        file.write(b"third")
    assert (path.read_bytes(), twin.read_bytes()) == (b"third", b"second")


def test_places_where_no_file_can_be(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        open_atomic(tmp_path)
    with pytest.raises(FileNotFoundError):
        open_atomic(tmp_path / "none" / "a")
    with pytest.raises(FileNotFoundError):
        require_writable(tmp_path / "none" / "a")
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(OSError, match="a/b"):
        open_atomic(tmp_path / "a" / "b")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(OSError, match="loop"):
        open_atomic(loop)
    assert names(tmp_path) == ["a", "loop"]


def test_the_longest_name_there_is(tmp_path: Path) -> None:
    for name in ("a" * 255, "é" * 127):
        with atomic_write(tmp_path / name) as file:
            file.write(b"new")
        assert (tmp_path / name).read_bytes() == b"new"


def test_what_is_no_regular_file_is_written_through(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with reading(pipe) as found:
        opened = open_atomic(pipe)
        opened.file.write(b"through")
        opened.commit()
    assert found == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert names(tmp_path) == ["pipe"]
    ours, theirs = os.openpty()
    with atomic_write(os.ttyname(theirs)) as file:
        file.write(b"to a device")
    assert os.read(ours, 100) == b"to a device"
    assert stat.S_ISCHR(Path(os.ttyname(theirs)).stat().st_mode)
    os.close(ours)
    os.close(theirs)


def test_an_open_file_is_written_behind_what_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with path.open("wb", buffering=0) as file:
        file.write(b"first ")
        name = f"/dev/fd/{file.fileno()}"
        assert is_stream(name)
        with atomic_write(name) as second:
            second.write(b"second")
        file.write(b" third")
    assert path.read_bytes() == b"first second third"
    assert not is_stream(path)
    assert not is_stream(tmp_path)
    assert not is_stream(tmp_path / "none")
    with pytest.raises(OSError, match="Bad file descriptor"):
        open_atomic("/dev/fd/999999999")


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("/dev/stdin", 0),
        ("/dev/stdout", 1),
        ("/dev/stderr", 2),
        ("/dev/fd/7", 7),
        ("/proc/self/fd/123456789", 123456789),
        ("/dev/fd/1234567890", None),
        ("/dev/fd/", None),
        ("/dev/fd/1/2", None),
    ],
)
def test_which_open_file_a_path_means(monkeypatch: pytest.MonkeyPatch, name: str, number: int | None) -> None:
    asked: list[int] = []

    def refuse(found: int) -> int:
        asked.append(found)
        raise OSError(errno.EBADF, "it is not open")

    monkeypatch.setattr(os, "dup", refuse)
    with pytest.raises(OSError, match=r"not open|[Nn]o such|directory"):
        open_atomic(name)
    assert asked == ([] if number is None else [number])


# --- every command ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_of_ones_own_stays_ones_own(tmp_path: Path, name: str) -> None:
    arguments, path = written(tmp_path, name)
    path.write_bytes(b"old")
    path.chmod(0o600)
    assert main(arguments) == 0
    assert path.read_bytes() not in (b"old", b"")
    assert mode(path) == 0o600
    assert names(tmp_path) == sorted(["in.txt", path.name])


@pytest.mark.parametrize("name", WRITERS)
def test_a_read_only_file_is_refused(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, path = written(tmp_path, name)
    path.write_bytes(b"old")
    path.chmod(0o400)
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert str(path) in said
    assert said.count("\n") == 1
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == sorted(["in.txt", path.name])


@pytest.mark.parametrize("name", [name for name in WRITERS if name != "array"])
def test_a_named_pipe_is_written_through(tmp_path: Path, name: str) -> None:
    arguments, path = written(tmp_path, name)
    assert main(arguments) == 0
    wanted = path.read_bytes()
    path.unlink()
    os.mkfifo(path)
    with reading(path) as found:
        assert main(arguments) == 0
    assert stat.S_ISFIFO(path.stat().st_mode)
    # Arrow goes to a pipe as a stream, for its reader cannot look at the end first.
    assert found[0] == wanted or name == "arrow"
    assert found[0]
    assert names(tmp_path) == sorted(["in.txt", path.name])


def test_an_array_is_not_for_a_pipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, path = written(tmp_path, "array")
    os.mkfifo(path)
    assert main(arguments) == 2
    assert "name a local file" in capsys.readouterr().err
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_a_device_whose_name_tells_no_format_gets_what_standard_output_gets(tmp_path: Path) -> None:
    source = tmp_path / "in.txt"
    source.write_text(f"{START}\n")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with reading(pipe) as found:
        assert main(["normalise", str(source), "--quiet", "-o", str(pipe)]) == 0
    assert found == [f"{START}\n".encode()]


@pytest.mark.parametrize("how", [["--resume"], ["--engine", "ray"]])
def test_what_goes_to_a_pipe_cannot_be_resumed_or_spread(
    tmp_path: Path, how: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, path = written(tmp_path, "rows")
    os.mkfifo(path)
    assert main([*arguments, *how]) == 2
    assert "name them, the target with -o" in capsys.readouterr().err


def test_a_report_that_cannot_be_written_is_told_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "in.txt"
    source.write_text(f"{START}\n")
    report = str(tmp_path / "none" / "out.html")
    assert main(["scan", str(source), "-o", str(tmp_path / "out.parquet"), "--report", report]) == 2
    assert "there is no directory for" in capsys.readouterr().err
    assert names(tmp_path) == ["in.txt"]


def test_a_game_is_saved_to_a_new_file_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    new = tmp_path / "new"
    typed = tmp_path / "typed"
    typed.write_text(f"save {pipe}\nsave {new}\nsave {new}\n")
    with typed.open() as lines:
        monkeypatch.setattr("sys.stdin", lines)
        assert main(["play", "--game", "chess"]) == 0
    assert capsys.readouterr().out.count("cannot be written") == 2
    assert new.read_text() == f"{START}\n"
    assert names(tmp_path) == ["new", "pipe", "typed"]


def test_a_directory_that_takes_nothing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Path, int]] = []
    # The administrator may write everywhere.
    monkeypatch.setattr(os, "access", lambda path, mode: asked.append((Path(path), mode)))
    with pytest.raises(PermissionError) as caught:
        require_writable(tmp_path / "a")
    found = caught.value
    expected = (errno.EACCES, "its directory is not writable", str(tmp_path / "a"))
    assert (found.errno, found.strerror, found.filename) == expected
    assert asked == [(tmp_path, os.W_OK)]
