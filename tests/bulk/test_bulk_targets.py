"""Where jobs write: two at one target, full disks, writers that are given up, directories and URLs."""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fsspec.implementations.memory import MemoryFileSystem
from tests.test_atomic_write import WRITERS, names, written

import forsyth
from forsyth.bulk import Rule, RunOptions, dedupe_files, run_files
from forsyth.bulk.engines import checkpoints
from forsyth.bulk.engines.checkpoints import locate_parts_folder, make_part_path, open_parts_folder
from forsyth.bulk.engines.job import PassSpec
from forsyth.bulk.engines.shard_work import run_shard
from forsyth.bulk.errors import BulkError
from forsyth.bulk.sinks import open_sink
from forsyth.bulk.sources.files import expand_patterns
from forsyth.bulk.sources.shards import plan_shards
from forsyth.bulk.verbs.verb import Verb
from forsyth.cli import main

START = forsyth.game("chess").start
SMALL = RunOptions(threads=1, roll_rows=100, batch_rows=50)
SOURCES = str(Path(forsyth.__file__).parents[1])


@pytest.fixture
def source(tmp_path: Path) -> str:
    path = tmp_path / "in.txt"
    path.write_text("".join(f"{START.removesuffix(' 1')} {number}\n" for number in range(1, 301)))
    return str(path)


def open_in(folder: Path) -> list[Path]:
    """Return the files of a folder that this process has open, each as often as it is open."""
    found = []
    for link in Path("/proc/self/fd").iterdir():
        # Some are closed by now, such as the one that listed them.
        with suppress(FileNotFoundError):
            found.append(link.readlink())
    return [path for path in found if path.is_relative_to(folder)]


# --- two jobs ---------------------------------------------------------------------------------------


HOLDER = """
import sys
from forsyth.bulk.engines import checkpoints
with checkpoints.open_parts_folder(sys.argv[1], {}, resume=True):
    print("ready", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another_job(target: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that is in the middle of a job."""
    environment = {**os.environ, "PYTHONPATH": SOURCES}
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(target)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("name", ["out.parquet", "out/"])
def test_the_second_job_is_told_and_the_first_goes_on(
    source: str, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    target = f"{tmp_path}/{name}"
    with another_job(Path(target)) as first:
        folder = locate_parts_folder(target)
        part = folder / "00000-00000.parquet"
        part.write_bytes(b"of the first job")
        for how in ([], ["--resume"]):
            assert main(["key", source, "-o", target, *how]) == 2
            said = capsys.readouterr().err
            assert said.startswith(f"Error: another job (process {first.pid} on ")
            assert f"is writing to {target}; wait until it is done, or write to another target" in said
            assert said.count("\n") == 1
        assert part.read_bytes() == b"of the first job"
        assert not Path(target).exists()
        first.send_signal(signal.SIGKILL)
        first.wait()
    # The lock of a process that is no more is taken over.
    assert main(["key", source, "-o", target, "--quiet"]) == 0
    assert names(tmp_path) == ["in.txt", name.rstrip("/")]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="finds open files as Linux lists them")
def test_who_is_turned_away_leaves_no_file_open(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    lock = checkpoints.Lock.acquire(path, "out")
    assert len(open_in(tmp_path)) == 1
    for _ in range(3):
        with pytest.raises(BulkError, match="another job"):
            checkpoints.Lock.acquire(path, "out")
    assert len(open_in(tmp_path)) == 1
    lock.close()
    checkpoints.Lock.acquire(path, "out").close()
    assert not path.exists()
    assert open_in(tmp_path) == []


@pytest.mark.parametrize("engine", ["local", "ray", "spark"])
def test_no_engine_works_on_a_target_that_is_being_written(source: str, tmp_path: Path, engine: str) -> None:
    target = str(tmp_path / "out.parquet")
    with checkpoints.open_parts_folder(target, {}, resume=False):
        with pytest.raises(BulkError, match="another job"):
            run_files("key", [source], target, run_options=RunOptions(engine))
        with pytest.raises(BulkError, match="another job"):
            dedupe_files([source], target, run_options=RunOptions(engine))
        run_files("key", [source], str(tmp_path / "other.parquet"), run_options=SMALL)
    run_files("key", [source], target, run_options=SMALL)
    assert names(tmp_path) == ["in.txt", "other.parquet", "out.parquet"]


def test_a_target_is_the_same_under_all_its_names(source: str, tmp_path: Path) -> None:
    target, link = tmp_path / "out.parquet", tmp_path / "link.parquet"
    link.symlink_to(target)
    with (
        checkpoints.open_parts_folder(str(target), {}, resume=False),
        pytest.raises(BulkError, match="another job"),
    ):
        run_files("key", [source], str(link), run_options=SMALL)


def test_of_many_jobs_at_once_one_writes_and_the_others_are_told(source: str, tmp_path: Path) -> None:
    target = str(tmp_path / "out.parquet")
    all_ready = threading.Barrier(6)
    said: list[str] = []

    def run() -> None:
        all_ready.wait()
        try:
            run_files("key", [source], target, run_options=SMALL, game="chess")
        except BulkError as error:
            said.append(str(error))

    threads = [threading.Thread(target=run) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(said) < 6
    assert all(sentence.startswith("another job") for sentence in said)
    assert pq.read_table(target).num_rows == 300
    assert names(tmp_path) == ["in.txt", "out.parquet"]


@pytest.mark.parametrize(
    ("holder", "free"),
    [
        ({"pid": os.getpid(), "host": "HERE"}, False),
        ({"pid": 2**22 + 1, "host": "HERE"}, True),
        ({"pid": 1, "host": "elsewhere"}, False),
        ({"host": "HERE"}, True),
        (None, True),
    ],
)
def test_where_the_file_system_has_no_locks_the_process_is_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, holder: dict[str, Any] | None, free: bool
) -> None:
    def no_locks(number: int) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(checkpoints, "_lock_file", no_locks)
    monkeypatch.setattr("socket.gethostname", lambda: "HERE")
    monkeypatch.setattr(checkpoints, "_read_holder", lambda path: holder or {})
    path = tmp_path / "lock"
    path.write_text("of an earlier job")
    if free:
        checkpoints.Lock.acquire(path, "out").close()
        assert names(tmp_path) == []
    else:
        with pytest.raises(BulkError, match=f"remove {path}"):
            checkpoints.Lock.acquire(path, "out")
        assert names(tmp_path) == ["lock"]


def test_two_attempts_at_one_shard_do_not_meet(source: str, tmp_path: Path) -> None:
    (shard,) = plan_shards(expand_patterns([source]))
    parts = tmp_path / "parts"
    parts.mkdir()
    job = PassSpec(pa.schema([("fen", pa.string())]), Verb("key", "chess"), str(parts), roll_rows=100)
    first = open_sink(make_part_path(str(parts), 0, 0, job.ending), job.make_result_schema(), job.format)
    second = run_shard(job, shard)
    first.abort()
    assert [part.tally.read for part in second] == [100, 100, 100]
    assert names(parts) == sorted(
        ["00000.json", *(f"00000-{n:05}.{ending}" for n in range(3) for ending in ("arrow", "json"))]
    )


# --- full disks -------------------------------------------------------------------------------------


@contextmanager
def room(size: int) -> Iterator[None]:
    """Files may have so many bytes and no more: as on a full disk, the write that goes beyond fails."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_is_told_and_nothing_is_left(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, path = written(tmp_path, name)
    path.write_bytes(b"old")
    with room(100):
        assert main(arguments) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert str(path) in said
    assert "space" in said
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == sorted(["in.txt", path.name])


@pytest.fixture
def noise(tmp_path: Path) -> str:
    """Texts that no format makes short."""
    path = tmp_path / "noise.txt"
    path.write_text("".join(f"{os.urandom(32).hex()}\n" for _ in range(300)))
    return str(path)


@pytest.mark.parametrize(
    "name", ["out.parquet", "out.arrow", "out.csv", "out.csv.gz", "out.jsonl", "out.txt", "out.npy"]
)
def test_a_disk_that_fills_up_in_the_middle(source: str, noise: str, tmp_path: Path, name: str) -> None:
    """First a part does not fit, then the parts do and the whole does not."""
    own = {"out.npy": ("planes", source), "out.txt": ("normalise", source)}
    verb, given = own.get(name, ("key", noise))
    target, parts = tmp_path / name, tmp_path / "parts"
    ending = name.removeprefix("out.")
    asked: dict[str, Any] = {"run_options": SMALL, "game": "chess"}
    run_files(verb, [given], f"{parts}/", format_out=ending, **asked)
    run_files(verb, [given], str(target), **asked)
    largest = max(path.stat().st_size for path in parts.iterdir())
    whole = target.read_bytes()
    threads = set(threading.enumerate())
    for size in (largest - 1, (largest + len(whole)) // 2):
        with room(size), pytest.raises(BulkError, match="there is no space on the disk for"):
            run_files(verb, [given], str(target), **asked)
        assert target.read_bytes() == whole
        assert names(tmp_path) == sorted(["in.txt", "noise.txt", name, "parts"])
    with room(largest - 1), pytest.raises(BulkError, match="there is no space on the disk"):
        run_files(verb, [given], f"{tmp_path}/other/", format_out=ending, **asked)
    assert not (tmp_path / "other").exists()
    assert set(threading.enumerate()) <= threads


def test_a_disk_that_fills_up_while_repeated_positions_are_looked_for(noise: str, tmp_path: Path) -> None:
    for size in (1_000, 6_000, 12_000):
        with room(size), pytest.raises(BulkError, match="there is no space on the disk"):
            dedupe_files([noise], str(tmp_path / "out.txt"), rule=Rule(), run_options=SMALL, game="chess")
        assert names(tmp_path) == ["noise.txt"]


# --- writers that are given up ----------------------------------------------------------------------


GIVEN_UP = """
import gc, gzip, sys
import forsyth
from forsyth.bulk import RunOptions, run_files
from forsyth.bulk.errors import BulkError
folder = sys.argv[1]
text = forsyth.game("chess").start.encode() + b"\\n"
with open(f"{folder}/in.txt.gz", "wb") as file:
    file.write(gzip.compress(text * 4000)[:-20])
for name in ("parquet", "arrow", "arrows", "csv", "csv.gz", "jsonl", "jsonl.zst", "txt.gz", "npy"):
    verb = "planes" if name == "npy" else "normalise"
    try:
        options = RunOptions(threads=1, batch_rows=100)
        run_files(verb, [f"{folder}/in.txt.gz"], f"{folder}/out.{name}", run_options=options)
    except BulkError:
        print(name)
    gc.collect()
"""


def test_a_writer_that_is_given_up_says_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", GIVEN_UP, str(tmp_path)],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONPATH": SOURCES},
    )
    assert done.stdout.split() == b"parquet arrow arrows csv csv.gz jsonl jsonl.zst txt.gz npy".split()
    assert done.stderr == b""
    assert names(tmp_path) == ["in.txt.gz"]


@pytest.mark.parametrize("ending", ["parquet", "arrow", "csv.gz", "jsonl.gz"])
def test_what_is_given_up_writes_no_end_to_a_pipe(tmp_path: Path, ending: str) -> None:
    """A reader that got an end of the format would take what came before for the whole."""
    pipe = tmp_path / f"out.{ending}"
    os.mkfifo(pipe)
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()), daemon=True)
    reader.start()
    batch = pa.record_batch({"fen": [START]})
    sink = open_sink(str(pipe), batch.schema)
    sink.write_batch(batch)
    sink.abort()
    reader.join(60)
    whole = tmp_path / f"whole.{ending}"
    with open_sink(str(whole), batch.schema) as sink:
        sink.write_batch(batch)
    assert len(found[0]) < len(whole.read_bytes())


# --- directories and URLs ---------------------------------------------------------------------------


def test_an_empty_directory_gives_its_permissions_to_the_one_of_parts(source: str, tmp_path: Path) -> None:
    there, link = tmp_path / "there", tmp_path / "link"
    there.mkdir(mode=0o700)
    link.symlink_to(there)
    run_files("key", [source], f"{link}/", run_options=SMALL)
    assert link.is_symlink()
    assert stat.S_IMODE(there.stat().st_mode) == 0o700
    assert names(there) == ["part-00000.parquet", "part-00001.parquet", "part-00002.parquet"]
    with pytest.raises(BulkError, match="is not empty"):
        run_files("key", [source], f"{link}/", run_options=SMALL)


def test_what_was_put_into_the_directory_meanwhile_stays(source: str, tmp_path: Path) -> None:
    there = tmp_path / "out"

    def begin(total: int | None) -> Any:
        there.mkdir()
        (there / "mine").write_text("mine")
        return lambda rows, size: None

    with pytest.raises(BulkError, match="exists and is not empty"):
        run_files("key", [source], f"{there}/", run_options=RunOptions(threads=1, start_progress=begin))
    assert names(there) == ["mine"]
    assert names(tmp_path) == ["in.txt", "out"]


@pytest.mark.parametrize("name", ["out/", "out.parquet"])
def test_a_target_needs_a_directory_that_is_there(source: str, tmp_path: Path, name: str) -> None:
    with pytest.raises(BulkError, match=f"there is no directory {tmp_path}/none for .*; create it first"):
        run_files("key", [source], f"{tmp_path}/none/{name}", run_options=SMALL)


def test_a_file_or_a_directory_stands_where_the_other_was_asked_for(source: str, tmp_path: Path) -> None:
    (tmp_path / "out.parquet").mkdir()
    with pytest.raises(BulkError, match="name a file in it, or end the name with /"):
        run_files("key", [source], str(tmp_path / "out.parquet"), run_options=SMALL)
    for there in (source, "/dev/null"):
        with pytest.raises(BulkError, match=f"^{there} is not a directory; name a new one$"):
            run_files("key", [source], f"{there}/", run_options=SMALL)


@pytest.mark.parametrize(("bits", "shown"), [(0o600, 0o700), (0o640, 0o750), (0o644, 0o755)])
def test_who_may_not_read_the_target_may_not_read_its_parts(tmp_path: Path, bits: int, shown: int) -> None:
    target = tmp_path / "out.parquet"
    target.write_bytes(b"old")
    target.chmod(bits)
    before = os.umask(0o022)
    try:
        with checkpoints.open_parts_folder(str(target), {}, resume=False) as folder:
            assert stat.S_IMODE(folder.stat().st_mode) == shown
    finally:
        os.umask(before)


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryFileSystem]:
    """A file system behind URLs, and a working directory for the parts."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    system = fsspec.filesystem("memory")
    yield system
    with suppress(FileNotFoundError):
        system.rm("/targets", recursive=True)
    assert names(work) == []


def test_parts_are_put_to_a_url_in_their_order(source: str, tmp_path: Path, memory: MemoryFileSystem) -> None:
    run_files("key", [source], "memory://targets/out/", run_options=SMALL)
    run_files("key", [source], f"file://{tmp_path}/out/", run_options=SMALL)
    run_files("key", [source], "memory://targets/one.parquet", run_options=SMALL)
    local = sorted((tmp_path / "out").iterdir())
    assert [path.name for path in local] == [f"part-{number:05}.parquet" for number in range(3)]
    uploaded = [f"/targets/out/{path.name}" for path in local]
    assert memory.find("/targets") == ["/targets/one.parquet", *uploaded]
    assert list(map(memory.cat_file, uploaded)) == [path.read_bytes() for path in local]
    one = pq.read_table(pa.BufferReader(memory.cat_file("/targets/one.parquet")))
    assert one.equals(pq.read_table(tmp_path / "out"))


def test_a_directory_at_a_url_must_be_new(source: str, memory: MemoryFileSystem) -> None:
    memory.pipe_file("/targets/out/mine", b"mine")
    for name in ("out", "out/mine"):
        with pytest.raises(BulkError, match=f"memory://targets/{name}/ exists and is not empty"):
            run_files("key", [source], f"memory://targets/{name}/", run_options=SMALL)
    assert memory.find("/targets") == ["/targets/out/mine"]
    memory.makedirs("/targets/empty")
    run_files("key", [source], "memory://targets/empty/", run_options=SMALL)
    assert len(memory.find("/targets/empty")) == 3


@pytest.mark.parametrize("error", [RuntimeError("quota"), OSError(errno.EIO, "quota")])
def test_an_upload_that_fails_leaves_nothing(
    source: str, memory: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    put_file = MemoryFileSystem.put_file

    def failing(self: MemoryFileSystem, path: str, name: str, **how: Any) -> None:
        put_file(self, path, name, **how)
        if name.endswith("part-00001.parquet"):
            raise error

    monkeypatch.setattr(MemoryFileSystem, "put_file", failing)
    with pytest.raises(BulkError, match=r"memory://targets/out/ cannot be written \(.*quota"):
        run_files("key", [source], "memory://targets/out/", run_options=SMALL)
    assert memory.find("/targets") == []


def test_a_url_that_cannot_be_completed(
    source: str, memory: MemoryFileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(self: MemoryFileSystem, *paths: str, **how: Any) -> None:
        raise RuntimeError("quota")

    monkeypatch.setattr(MemoryFileSystem, "mv", failing)
    with pytest.raises(BulkError, match=r"out.parquet cannot be written \(quota\)"):
        run_files("key", [source], "memory://targets/out.parquet", run_options=SMALL)
    assert memory.find("/targets") == []


def test_the_folder_of_a_job_holds_what_the_job_is_under_a_name_that_stays(tmp_path: Path) -> None:
    target = str(tmp_path / "out.parquet")
    with open_parts_folder(target, {"verb": "key"}, resume=False) as folder:
        assert folder == tmp_path / ".out.parquet.forsyth"
        assert json.loads((folder / "manifest.json").read_text(encoding="utf-8")) == {"verb": "key"}
    assert list(tmp_path.glob(".out.parquet.forsyth")) == []
