"""Files that are damaged, missing, endless or not what they seem: one sentence, and no half file."""

from __future__ import annotations

import errno
import gzip
import io
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from forsyth.atomic_write import PendingFile, ReplacementFile
from forsyth.bulk.errors import BulkError, explaining_errors
from forsyth.bulk.sinks import concatenate, open_sink
from forsyth.bulk.sources.files import Format, expand_patterns
from forsyth.bulk.sources.shards import Shard, open_shard, plan_shards
from forsyth.limits import MAX_BULK_LINE

BATCH = pa.record_batch({"fen": ["a", "b"], "n": [1, 2]})


def read(path: str | Path, target_bytes: int = 1 << 40, **how: Any) -> list[Any]:
    found: list[Any] = []
    for shard in plan_shards(expand_patterns([str(path)]), target_bytes=target_bytes):
        with open_shard(shard, **how) as batches:
            found += [row for batch in batches for row in batch.to_pylist()]
    return found


def sentence(path: str | Path, **how: Any) -> str:
    """What is said when a file is read; it names the file."""
    with pytest.raises(BulkError) as caught:
        read(path, **how)
    said = str(caught.value)
    assert str(path) in said
    assert "\n" not in said
    assert "; " in said, "there is no remedy"
    return said


def put(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


# --- what lines may not hold -------------------------------------------------------------------------


BYTES_OF_NO_TEXT = [
    (b"M\xfcller", "the byte 0xfc is not UTF-8"),
    (b"a\0b", "a NUL byte"),
    (b"\xed\xa0\x80", "0xed"),
]


@pytest.mark.parametrize(("bad", "said"), BYTES_OF_NO_TEXT)
def test_bytes_that_are_no_text_are_errors_of_their_record(tmp_path: Path, bad: bytes, said: str) -> None:
    data = b'[White "a"]\n\n1. e4 *\n\n[White "' + bad + b'"]\n\n1. d4 *\n'
    rows = read(put(tmp_path / "a.pgn", data))
    errors = [row["error"] for row in rows]
    assert [error is None for error in errors] == [True, True, True, False]
    assert said.replace("a NUL byte", "a NUL character") in errors[3]
    assert errors[3].startswith("line 5, column ")


@pytest.mark.parametrize("ending", ["txt", "epd", "jsonl", "csv"])
@pytest.mark.parametrize(("bad", "said"), BYTES_OF_NO_TEXT)
def test_bytes_that_are_no_text(tmp_path: Path, ending: str, bad: bytes, said: str) -> None:
    good = b'{"fen":"x"}\n' if ending == "jsonl" else b"x\n"
    found = sentence(put(tmp_path / f"a.{ending}", good * 9 + b'"' + bad + b'"\n' + good))
    assert said in found
    at = 9 * len(good) + 1 + (0 if bad[0] == 0xED else 1)
    assert f"line 10 (byte {at})" in found


@pytest.mark.parametrize("target", [7, 100, 1000])
def test_the_line_is_that_of_the_file_whatever_the_shard(tmp_path: Path, target: int) -> None:
    path = put(tmp_path / "a.txt", b"0123456\n" * 500 + b"\xff\n")
    assert "line 501 (byte 4000)" in sentence(path, target_bytes=target)


def test_text_in_another_encoding(tmp_path: Path) -> None:
    path = put(tmp_path / "a.txt", "abc\n".encode("utf-16"))
    assert "line 1 (byte 0): the byte 0xff is not UTF-8; convert the file" in sentence(path)


def test_the_place_in_compressed_text(tmp_path: Path) -> None:
    path = put(tmp_path / "a.txt.gz", gzip.compress(b"abc\n\xff\n"))
    assert "line 2 (byte of the decompressed text 4)" in sentence(path)


def test_the_longest_line_and_one_more(tmp_path: Path) -> None:
    path = put(tmp_path / "a.txt", b"a\n" + b"x" * MAX_BULK_LINE + b"\nb\n")
    assert [len(row["fen"]) for row in read(path)] == [1, MAX_BULK_LINE, 1]
    for end in (b"\nb\n", b"\n", b""):
        put(path, b"a\n" + b"x" * (MAX_BULK_LINE + 1) + end)
        assert f"line 2 (byte 2): longer than {MAX_BULK_LINE} bytes" in sentence(path)


PEAK = """
import resource, sys
from forsyth.atomic_write import DirectFile, ReplacementFile
from forsyth.bulk.errors import BulkError
from forsyth.bulk.sources.files import expand_patterns
from forsyth.bulk.sources.shards import open_shard, plan_shards

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

before, rows, said = peak(), 0, ""
try:
    for shard in plan_shards(expand_patterns([sys.argv[1]], sys.argv[2])):
        with open_shard(shard) as batches:
            for batch in batches:
                rows += batch.num_rows
except BulkError as error:
    said = str(error)
print(peak() - before, rows, said, sep="|")
"""


def peak(path: str, given: str, feed: str | None = None) -> tuple[int, int, str]:
    """Megabytes that reading took, rows read, and what was said; `feed` is a command that is read from."""
    source = None if feed is None else subprocess.Popen(["bash", "-c", feed], stdout=subprocess.PIPE)
    run = subprocess.run(
        [sys.executable, "-c", PEAK, path, given],
        stdin=None if source is None else source.stdout,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    if source is not None and source.stdout is not None:
        source.stdout.close()
        source.wait()
    grown, rows, said = run.stdout.strip().split("|", 2)
    return int(grown), int(rows), said


@pytest.mark.parametrize("given", ["text", "jsonl", "csv", "pgn", "text.gz"])
def test_a_line_of_a_gigabyte_is_not_held(given: str) -> None:
    pack = " | gzip -1" if given.endswith("gz") else ""
    grown, rows, said = peak(
        "-", given, f"(echo '\"x\"'; yes xxxxxxxx | tr -d '\\n' | head -c 1G) 2>/dev/null{pack}"
    )
    assert said.startswith("standard input, line 2 (byte")
    assert "longer than" in said
    assert rows <= 1
    assert grown < 100


def test_a_sparse_gigabyte_is_not_held_in_any_shard(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with path.open("wb") as file:
        file.write(b"x\n")
        file.truncate(1 << 30)
    grown, rows, said = peak(str(path), "text")
    assert (rows, "line 2 (byte 2): longer than" in said) == (1, True)
    assert grown < 100
    # The range behind the first has no line of its own: it ends without a word.
    shards = plan_shards(expand_patterns([str(path)]))
    with open_shard(shards[-1]) as batches:
        assert list(batches) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "head", "line"),
    [("text", "x", "%s"), ("csv", "fen,n", "%s,12"), ("jsonl", "", '{"fen":"%s","n":12}')],
)
def test_memory_does_not_grow_with_the_file(given: str, head: str, line: str) -> None:
    line %= "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    feed = f"(echo '{head}'; yes '{line}') | head -n"
    small, _, _ = peak("-", given, f"{feed} 500001")
    large, rows, said = peak("-", given, f"{feed} 3000001")
    assert said == ""
    assert rows // 1000 == 3000
    assert large < small * 1.2 + 10


# --- what is cut off or no such format ---------------------------------------------------------------


@pytest.mark.parametrize("ending", ["txt.gz", "csv.gz", "jsonl.zst", "pgn.zst", "arrow.gz", "arrows.zst"])
def test_compressed_files_cut_off_anywhere(tmp_path: Path, ending: str) -> None:
    raw = b'{"fen":"x"}\n' * 400 + os.urandom(500).hex().encode() + b"\n"
    if ending.startswith("arrow"):
        buffer = io.BytesIO()
        with pa.ipc.new_stream(buffer, BATCH.schema) as writer:
            writer.write_batch(BATCH)
        raw = buffer.getvalue()
    if ending.startswith("jsonl"):
        raw = b'{"fen":"x"}\n' * 900
    data = gzip.compress(raw) if ending.endswith("gz") else zstandard.compress(raw)
    kind = "gzip" if ending.endswith("gz") else "zstd"
    for cut in (0, 1, 5, len(data) // 2, len(data) - 1):
        told = sentence(put(tmp_path / f"a.{ending}", data[:cut]))
        assert "cannot be decompressed" in told
        assert f"it is not a complete {kind} file" in told
    assert "cannot be decompressed" in sentence(put(tmp_path / f"a.{ending}", data + data[:5]))
    assert "cannot be decompressed" in sentence(put(tmp_path / f"a.{ending}", b"no such thing at all"))


def test_compressed_files_put_together_are_read_through(tmp_path: Path) -> None:
    path = put(tmp_path / "a.txt.gz", gzip.compress(b"a\nb") + gzip.compress(b"c\n"))
    assert [row["fen"] for row in read(path)] == ["a", "bc"]


@pytest.mark.parametrize("ending", ["parquet", "arrow", "arrows"])
def test_files_of_columns_cut_off_anywhere(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    table = pa.table({"fen": [os.urandom(8).hex() for _ in range(1000)]})
    with open_sink(str(path), table.schema) as sink:
        for batch in table.to_batches(max_chunksize=300):
            sink.write_batch(batch)
    data = path.read_bytes()
    assert len(read(path)) == 1000
    for cut in (0, 3, 8, 100, len(data) // 3, len(data) // 2, len(data) - 20):
        assert "may be cut off" in sentence(put(path, data[:cut]))
    assert "may be cut off" in sentence(put(path, b"fen\n" * 50))


def test_parquet_damaged_in_the_middle(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"fen": [os.urandom(8).hex() for _ in range(1000)]}), path, compression="zstd")
    data = bytearray(path.read_bytes())
    data[200:4000] = os.urandom(3800)
    sentence(put(path, bytes(data)))


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_columns_of_text_that_is_not_utf8(tmp_path: Path, ending: str) -> None:
    wrong = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\2\0\0\0"), pa.py_buffer(b"\xff\xff")]
    )
    path = tmp_path / f"a.{ending}"
    with open_sink(str(path), pa.schema([("fen", pa.string())])) as sink:
        sink.write_batch(pa.record_batch([wrong], names=["fen"]))
    assert "between rows 1 and 1: " in sentence(path)


def test_offsets_that_lie(tmp_path: Path) -> None:
    """What is compiled reads where the offsets point: a file must not choose the place."""
    path = tmp_path / "a.arrow"
    offsets = pa.py_buffer(b"\0\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0")
    array = pa.Array.from_buffers(pa.string(), 3, [None, offsets, pa.py_buffer(b"abc")])
    with pa.ipc.new_file(path, pa.schema([("fen", pa.string())])) as writer:
        writer.write_batch(pa.record_batch([array], names=["fen"]))
    data = path.read_bytes()
    assert data.count(offsets.to_pybytes()) == 1
    put(path, data.replace(offsets.to_pybytes(), b"\0\0\0\0\xff\0\0\0\2\0\0\0\3\0\0\0"))
    assert "between rows 1 and 3: " in sentence(path)


def test_parquet_behind_a_compression_or_a_pipe(tmp_path: Path) -> None:
    assert "decompress it first" in sentence(put(tmp_path / "a.parquet.gz", gzip.compress(b"PAR1")))
    reading, writing = os.pipe()
    with (
        os.fdopen(reading, "rb"),
        os.fdopen(writing, "wb"),
        pytest.raises(BulkError, match="is a pipe, but its format"),
    ):
        open_shard(Shard(f"/dev/fd/{reading}", Format.PARQUET))


# --- columns -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["parquet", "arrow", "arrows", "csv", "tsv", "jsonl"])
def test_a_column_that_is_not_there(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"a.{ending}"
    with open_sink(str(path), BATCH.schema) as sink:
        sink.write_batch(BATCH)
    assert "has no column 'text'; name one of its columns (fen, n)" in sentence(path, columns=["text"])


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty and has no header"),
        (b"\n\r\n", "is empty and has no header"),
        (b"fen,fen\na,b\n", "has several columns 'fen'"),
        (b"fen,n\na,1\nb\n", "Row #3: Expected 2 columns, got 1: b; every row"),
        (b'fen,n\na,1\n"b,2\n' + b"c,3\n" * 9, "and every quote must be closed"),
        (b'fen,n\na,1\n"b,2\n' + b"c,3\n" * 4_000_000, "as when a quote is not closed"),
    ],
)
def test_csv_that_is_none(tmp_path: Path, data: bytes, said: str) -> None:
    assert said in sentence(put(tmp_path / "a.csv", data))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"fen":"x","other":1}', "the key 'other' is new here"),
        (b'{"fen":7}', "Column(/fen) changed from string to number"),
        (b'{"fen":"x"', ""),
        (b'{"fen":"x"} {"fen":"y"}', "not one JSON value on each line"),
        (b'"x"', "changed from object to string"),
        (b'{"fen":"\\ud800"}', "surrogate"),
    ],
)
@pytest.mark.parametrize("target", [10, 1 << 40])
def test_json_that_is_not_like_the_first(
    tmp_path: Path, line: bytes, said: str, target: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("forsyth.bulk.sources.lines.BLOCK_BYTES", 1000)
    path = put(tmp_path / "a.jsonl", b'{"fen":"x"}\n' * 150 + b"\n" + line + b"\n" + b'{"fen":"x"}\n' * 9)
    found = sentence(path, target_bytes=target)
    assert f"{path}, line 152: " in found
    assert said in found


@pytest.mark.parametrize("line", [b"7", b'{"fen":"x"}', b'"x","fen":"y"', b'"x"}{"fen":"y"', b'"x'])
def test_json_strings_and_something_else(tmp_path: Path, line: bytes) -> None:
    path = put(tmp_path / "a.jsonl", b'"x"\n' * 40 + line + b"\n")
    assert f"{path}, line 41: " in sentence(path)


@pytest.mark.parametrize("ending", ["txt", "epd", "pgn", "jsonl"])
@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf"])
def test_files_of_nothing(tmp_path: Path, ending: str, data: bytes) -> None:
    path = put(tmp_path / f"a.{ending}", data)
    shards = plan_shards(expand_patterns([str(path)]))
    assert len(shards) == 1
    with open_shard(shards[0]) as batches:
        assert "fen" in batches.schema.names
        assert list(batches) == []


def test_headers_of_nothing(tmp_path: Path) -> None:
    assert read(put(tmp_path / "a.csv", b"fen,n")) == []
    assert read(put(tmp_path / "b.csv", b"fen,n\n")) == []
    assert read(put(tmp_path / "a.jsonl", b"\n \n")) == []


# --- places ------------------------------------------------------------------------------------------


@contextmanager
def powerless() -> Iterator[None]:
    """Nobody in particular: the superuser may read everything."""
    user = os.geteuid()
    if user:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


def test_places_that_cannot_be_read(tmp_path: Path) -> None:
    assert "there is no file" in sentence(tmp_path / "none.txt")
    assert "no file matches" in sentence(tmp_path / "*.txt")
    assert "has no file with a known ending" in sentence(tmp_path)
    secret = put(tmp_path / "secret.txt", b"x\n")
    secret.chmod(0)
    with powerless():
        assert "may not be read; change the permissions" in sentence(secret)
    with pytest.raises(BulkError, match="directory"):
        open_shard(Shard(str(tmp_path), Format.TEXT))
    with pytest.raises(BulkError, match="there is no file"):
        open_shard(Shard(str(tmp_path / "gone.parquet"), Format.PARQUET))
    with pytest.raises(BulkError, match="has no texts"):
        open_shard(Shard("a.npy", Format.NPY))


def test_urls_that_cannot_be_read() -> None:
    assert "there is no file" in sentence("memory://bad/none.txt")
    assert "no file matches" in sentence("memory://bad/*.txt")
    assert "cannot be opened" in sentence("nosuchthing://a.txt")


def test_errors_travel_between_processes() -> None:
    assert str(pickle.loads(pickle.dumps(BulkError("a sentence")))) == "a sentence"  # noqa: S301


def test_closed_standard_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    monkeypatch.setattr("sys.stdout", None)
    with pytest.raises(BulkError, match="standard input is closed"):
        open_shard(Shard("-", Format.TEXT))
    with pytest.raises(BulkError, match="standard output is closed"):
        open_sink("-", BATCH.schema, Format.CSV)


# --- writing -----------------------------------------------------------------------------------------

ENDINGS = ["parquet", "arrow", "csv", "csv.gz", "jsonl", "jsonl.zst", "txt", "npy"]
PLANES = pa.record_batch(
    [pa.array(["a"]), pa.array([bytes(8)], pa.binary(8))],
    schema=pa.schema([("fen", pa.string()), pa.field("planes", pa.binary(8), metadata={"shape": "2,2,2"})]),
)


class FullDisk(io.BytesIO):
    """A file that takes so many bytes and no more."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self._room = room

    def write(self, data: Any) -> int:
        self._room -= len(data)
        if self._room < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return super().write(data)

    def fileno(self) -> int:
        return os.open("/dev/null", os.O_WRONLY)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("room", [0, 140])
def test_a_full_disk(tmp_path: Path, ending: str, room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path / f"a.{ending}", b"old")

    def crowded(_: str) -> PendingFile:
        aside = ReplacementFile(path)
        aside.file.close()
        aside.file = FullDisk(room)
        return aside

    monkeypatch.setattr("forsyth.bulk.sinks.open_destination", crowded)
    texts = pa.array([os.urandom(20).hex() for _ in range(2000)])
    batch = PLANES.take(pa.array([0] * 2000)).set_column(0, "fen", texts)
    with (
        pytest.raises(BulkError, match=f"there is no space on the disk for {path}; free some"),
        open_sink(str(path), batch.schema) as sink,
    ):
        for _ in range(3):
            sink.write_batch(batch)
    assert [found.name for found in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("form", [Format.TEXT, Format.CSV, Format.JSONL, Format.PARQUET, Format.ARROW])
def test_a_full_device(form: Format) -> None:
    with (
        pytest.raises(BulkError, match="there is no space on the disk for /dev/full"),
        open_sink("/dev/full", BATCH.schema, form) as sink,
    ):
        sink.write_batch(BATCH)
    assert Path("/dev/full").is_char_device()


def test_a_full_disk_while_parts_are_joined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for ending in ("txt", "csv.gz", "npy"):
        parts = [str(tmp_path / f"{number}.{ending}") for number in range(2)]
        for part in parts:
            with open_sink(part, PLANES.schema) as sink:
                sink.write_batch(PLANES.take(pa.array([0] * 100)))

        def crowded(path: str) -> PendingFile:
            aside = ReplacementFile(Path(path))
            aside.file.close()
            aside.file = FullDisk(30)
            return aside

        monkeypatch.setattr("forsyth.bulk.sinks.open_destination", crowded)
        target = tmp_path / f"all.{ending}"
        with pytest.raises(BulkError, match="no space on the disk"):
            concatenate(parts, str(target))
        assert not target.exists()
        assert not list(tmp_path.glob(".*.tmp"))
        monkeypatch.undo()


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(BulkError, match="there is no directory for"):
        open_sink(str(tmp_path / "none" / "a.csv"), BATCH.schema)
    with pytest.raises(BulkError, match="is a directory"):
        open_sink(str(tmp_path), BATCH.schema, Format.CSV)
    with powerless(), pytest.raises(BulkError, match="may not be written"):
        open_sink(str(tmp_path / "a.csv"), BATCH.schema)
    with pytest.raises(BulkError, match="cannot be written as pgn; choose one of parquet"):
        open_sink(str(tmp_path / "a.pgn"), BATCH.schema)
    with pytest.raises(BulkError, match=r"leave off .gz"):
        open_sink(str(tmp_path / "a.parquet.gz"), BATCH.schema)
    with pytest.raises(BulkError, match="name a local file"):
        open_sink("memory://bad/a.npy", PLANES.schema)
    with pytest.raises(BulkError, match="the data has no planes"):
        open_sink(str(tmp_path / "a.npy"), BATCH.schema)
    with pytest.raises(BulkError, match="no 'fen' among a, b"):
        open_sink(str(tmp_path / "a.txt"), pa.schema([("a", pa.string()), ("b", pa.string())]))
    with pytest.raises(BulkError, match="there are no parts to join"):
        concatenate([], str(tmp_path / "a.txt"))
    assert list(tmp_path.iterdir()) == []
    assert not fsspec.filesystem("memory").find("/bad")


@pytest.mark.parametrize("text", ["a\nb", "a\r", "\r\n"])
def test_a_line_break_in_a_text_is_no_line(tmp_path: Path, text: str) -> None:
    with (
        pytest.raises(BulkError, match=r"row 4 has a line break in 'fen', .*; write parquet or jsonl"),
        open_sink(str(tmp_path / "a.txt"), BATCH.schema) as sink,
    ):
        sink.write_batch(BATCH)
        sink.write_batch(pa.record_batch({"fen": ["x", text], "n": [1, 2]}))
    assert list(tmp_path.iterdir()) == []


def test_columns_that_change_or_have_no_place(tmp_path: Path) -> None:
    with (
        pytest.raises(BulkError, match=r"the columns change from \(fen string, n int64\) to \(fen string\)"),
        open_sink(str(tmp_path / "a.csv"), BATCH.schema) as sink,
    ):
        sink.write_batch(BATCH.select(["fen"]))
    lists = pa.record_batch({"fen": ["a"], "l": [[1]]})
    with (
        pytest.raises(BulkError, match="choose another format"),
        open_sink(str(tmp_path / "a.csv"), lists.schema) as sink,
    ):
        sink.write_batch(lists)
    assert list(tmp_path.iterdir()) == []


def test_an_aborted_sink_at_a_url_leaves_nothing() -> None:
    memory = fsspec.filesystem("memory")
    sink = open_sink("memory://aborted/a.csv", BATCH.schema)
    sink.write_batch(BATCH)
    sink.abort()
    sink.abort()
    sink.close()
    assert not memory.find("/aborted")


def test_a_reader_that_has_gone_is_no_error_of_the_data() -> None:
    with pytest.raises(BrokenPipeError), explaining_errors("-", "written"):
        raise BrokenPipeError
