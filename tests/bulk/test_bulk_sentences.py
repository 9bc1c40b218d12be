"""Whole sentences of what ends a job: to the last word, with the remedy."""

from __future__ import annotations

import errno
import gzip
import importlib
import os
import struct
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fsspec.implementations.memory import MemoryFileSystem

import forsyth
from forsyth.bulk import BulkError, arrow, run_files, run_records, scan_files
from forsyth.bulk.duckdb import register
from forsyth.bulk.errors import display_name, explaining_errors, first_line
from forsyth.bulk.sinks import open_destination, open_sink
from forsyth.bulk.sources import delimited
from forsyth.bulk.sources.files import Format, open_seekable
from forsyth.bulk.sources.shards import Shard, open_shard
from forsyth.bulk.verbs.record_table import FACTS, RecordTable
from forsyth.bulk.verbs.selection import parse_sets
from forsyth.bulk.verbs.verb import Verb
from forsyth.bulk.where import parse_where
from forsyth.limits import MAX_BULK_LINE, MAX_WHERE

START = forsyth.game("chess").start
DAMAGED = "it may be cut off, damaged or of another format; copy it again, or name its format"
UNSOUND = "the column refers to memory outside of its buffers"
AGAIN = "create the array again, or check it with validate(full=True)"


def said(call: Any, *given: Any, **how: Any) -> str:
    """The sentence that a call is refused with."""
    with pytest.raises(BulkError) as told:
        call(*given, **how)
    return str(told.value)


def failed(error: BaseException, doing: Any = "read", path: str = "a") -> str:
    def fail() -> None:
        with explaining_errors(path, doing):
            raise error

    return said(fail)


@pytest.mark.parametrize(
    ("number", "read", "written"),
    [
        (
            errno.ENOENT,
            "there is no file a; check the path",
            "there is no directory for a; check the path",
        ),
        (
            errno.EACCES,
            "a may not be read; change the permissions of the file or of its directory",
            "a may not be written; change the permissions of the file or of its directory",
        ),
        (
            errno.EISDIR,
            "a cannot be read because it is a directory; name a file",
            "a cannot be written because it is a directory; name a file",
        ),
        (
            errno.ENOTDIR,
            "a cannot be read because part of its path is not a directory; check the path",
            "a cannot be written because part of its path is not a directory; check the path",
        ),
        *(
            (
                number,
                "there is no space on the disk for a; free some space, or write to another disk",
                "there is no space on the disk for a; free some space, or write to another disk",
            )
            for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        ),
        (
            errno.EIO,
            f"a cannot be read ([Errno 5] x); {DAMAGED}",
            "a cannot be written ([Errno 5] x); choose another format for it, such as parquet",
        ),
    ],
)
def test_what_the_operating_system_says(number: int, read: str, written: str) -> None:
    assert failed(OSError(number, "x")) == read
    assert failed(OSError(number, "x"), "written") == written


def test_what_libraries_say() -> None:
    assert failed(pa.ArrowInvalid("bad.\nmore")) == f"a cannot be read (bad); {DAMAGED}"
    assert failed(pa.ArrowInvalid("bad"), "written", "-") == (
        "standard output cannot be written (bad); choose another format for it, such as parquet"
    )
    assert failed(pa.ArrowInvalid(""), path="-") == f"standard input cannot be read (ArrowInvalid); {DAMAGED}"
    assert first_line(ValueError("x" * 300)) == "x" * 200
    assert display_name("a") == display_name("a", "written") == "a"
    for error in (BrokenPipeError(errno.EPIPE, "x"), KeyError("x"), BulkError("whole")):
        with pytest.raises(type(error)) as told, explaining_errors("a"):
            raise error
        assert told.value is error


def test_lines_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"ab\ncd\xe9\n")
    assert said(scan_files, path, game="chess") == (
        f"{path}, line 2 (byte 5): the byte 0xe9 is not UTF-8; convert the file, for example with: iconv -f "
        "WINDOWS-1252 -t UTF-8"
    )
    path.write_bytes(b"ab\nc\0d\n")
    assert said(scan_files, path, game="chess") == (
        f"{path}, line 2 (byte 4): a NUL byte, which no text contains; remove it, for example with: "
        "tr -d '\\000'"
    )
    path.write_bytes(gzip.compress(b"ab\n"))
    assert said(scan_files, path, game="chess") == (
        f"{path} is compressed; name its format with --in, such as csv.gz"
    )
    packed = tmp_path / "a.txt.gz"
    packed.write_bytes(gzip.compress(b"ab\ncd\xe9\n"))
    assert said(scan_files, packed, game="chess").startswith(
        f"{packed}, line 2 (byte of the decompressed text 5): the byte 0xe9 is not UTF-8; "
    )
    path.write_bytes(b"a\n" + b"x" * (MAX_BULK_LINE + 1) + b"\n")
    assert said(scan_files, path, game="chess") == (
        f"{path}, line 2 (byte 2): longer than {MAX_BULK_LINE} bytes; no position is that long: split the "
        "file into lines, or name its format"
    )


def test_columns_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "a.arrow"
    bad = pa.Array.from_buffers(pa.string(), 1, pa.array([b"\xff"]).buffers())
    with pa.ipc.new_file(str(path), pa.schema([("fen", pa.string())])) as writer:
        for column in (pa.array(["x", "y"]), bad):
            writer.write_batch(pa.RecordBatch.from_arrays([column], ["fen"]))
    found = said(scan_files, path, game="chess")
    assert found.startswith(f"{path}, between rows 3 and 3: ")
    assert found.endswith("; a column that is not UTF-8 must be of a binary type; write the file again")
    with open_shard(Shard(str(path), Format.ARROW)) as batches:
        assert next(iter(batches)).num_rows == 2


def test_a_row_of_cells_without_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert delimited.BLOCK_BYTES == 1 << 19
    path = tmp_path / "a.csv"
    path.write_text('fen,n\nx,1\n"' + "y\n" * (3 << 19))
    assert said(scan_files, path, game="chess") == (
        f"{path}: a row is longer than 524288 bytes, as when a quote is not closed; look for an unpaired '\"'"
    )


def test_pipes_and_closed_streams(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    os.close(write)
    monkeypatch.setattr("forsyth.bulk.sources.files.open_binary", lambda path: os.fdopen(read, "rb"))
    assert said(open_seekable, "a") == (
        "a is a pipe, but its format cannot be read from front to back; name a file"
    )
    monkeypatch.undo()
    monkeypatch.setattr(sys, "stdin", None)
    assert said(scan_files, "-", game="chess") == "standard input is closed; name a file to read"
    monkeypatch.setattr(sys, "stdout", SimpleNamespace())
    found = said(open_destination, "-")
    monkeypatch.undo()
    assert found == "standard output is closed; name a file to write to"


def test_a_url_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise RuntimeError("no credentials.")

    monkeypatch.setattr(MemoryFileSystem, "_open", refuse)
    assert said(open_sink, "memory://x.csv", pa.schema([("a", pa.string())])) == (
        "memory://x.csv cannot be written (no credentials); write to another place"
    )


def test_keys_of_json_that_come_late(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    line = '{"fen": "%s"}\n' % ("x" * 100)
    path.write_text(line * 60_000 + '{"fen": "x", "late": 1}\n')
    assert said(run_files, "key", path, tmp_path / "out.csv", game="chess") == (
        f"{path}, line 60001: the key 'late' is new here, after the first megabytes of the file; put a line "
        "that has it first"
    )
    path.write_text('{"fen": "x"}\n[1]\n')
    assert said(run_files, "key", path, tmp_path / "out.csv", game="chess").endswith(
        "; every line must be one JSON object with the keys of the first ones, or every line a JSON string"
    )


def test_arrays_that_lead_out_of_their_memory() -> None:
    offsets = pa.py_buffer(struct.pack("<3i", 0, 2, 1))
    lower = pa.StringArray.from_buffers(2, offsets, pa.py_buffer(b"abc"))
    assert said(arrow.scan, lower, "chess") == (
        f"{UNSOUND} (an offset is lower than the one before it); {AGAIN}"
    )
    equal = pa.StringArray.from_buffers(2, pa.py_buffer(struct.pack("<3i", 1, 1, 1)), pa.py_buffer(b"abc"))
    assert arrow.key(equal, "chess").to_pylist() == [None, None]
    places = bytearray(struct.pack("<2i", 0, 3))
    beyond = pa.StringArray.from_buffers(1, pa.py_buffer(places), pa.py_buffer(b"abc"))
    struct.pack_into("<i", places, 4, 9)
    found = said(arrow.scan, beyond, "chess")
    assert found.startswith(f"{UNSOUND} (")
    assert found.endswith(f"); {AGAIN}")
    labels = pa.DictionaryArray.from_arrays(pa.array([0, 5]), pa.array([START]), safe=False)
    found = said(arrow.key, labels, "chess")
    assert found.startswith("the dictionary lacks a value that a row refers to (")
    assert found.endswith("); create the array again")


def test_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, words in (
        ("duckdb", "forsyth.bulk.duckdb needs duckdb: pip install 'forsyth[duckdb]'"),
        ("polars", "forsyth.bulk.polars needs polars: pip install 'forsyth[bulk]'"),
    ):
        with monkeypatch.context() as patched:
            patched.setitem(sys.modules, name, None)
            patched.delitem(sys.modules, f"forsyth.bulk.{name}", raising=False)
            assert said(importlib.import_module, f"forsyth.bulk.{name}") == words


def test_functions_that_cannot_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing:
        def remove_function(self, name: str) -> None:
            raise duckdb.InvalidInputException("none")

        def create_function(self, *_: Any, **__: Any) -> None:
            raise duckdb.CatalogException("taken")

    assert said(register, Refusing(), "x_") == (
        "the function x_ok cannot be created: taken; use another prefix"
    )


def test_functions_are_given_their_options() -> None:
    with duckdb.connect() as connection:
        register(connection)

        def told(expression: str) -> Any:
            return connection.execute(f"SELECT {expression}", [START]).fetchall()[0][0]

        assert told("fen_split(?, 'chess', 'one=1')") == "one"
        assert (
            told("fen_split(?, 'chess', 'a=0.5,b=0.5', 3)")
            == Verb("split", "chess", options={"sets": "a=0.5,b=0.5", "seed": 3})
            .compute(pa.record_batch({"fen": [START]}))
            .column(0)[0]
            .as_py()
        )
        assert told("fen_sampled(?, 'chess', 1)") is True
        assert told("fen_sampled(?, 'chess', 0)") is False
        assert len(told("fen_packed(?, 'chess', 50)")) == 50
        assert told("fen_key(?, 'chess', 'crazyhouse')") == forsyth_key("crazyhouse")
        assert told("fen_features_chess(?)")["phase"] == told("fen_features_chess(?, 'standard')")["phase"]
        with pytest.raises(
            duckdb.Error, match="fen_ok takes the arguments text, game, variant; this call has 4"
        ):
            told("fen_ok(?, 'chess', 'standard', 1)")


def forsyth_key(variant: str) -> bytes:
    game = forsyth.game("chess", variant)
    return bytes.fromhex(game.key(game.parse(START)))


def test_verbs_that_cannot_be_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    twins = Verb("split", "azul", options={"twins": True})
    batch = pa.record_batch({"fen": [forsyth.game("azul").start]})
    assert said(twins.compute, batch) == "the sides of azul cannot be exchanged; split it without --twins"
    inside = Verb("normalise", "chess", column="a.fen")
    nested = pa.record_batch({"a": [{"fen": START}]})
    assert said(inside.apply, nested) == (
        "the texts are in a field inside a column (a.fen), where they cannot be replaced; "
        "write them to a new column with --prefix"
    )
    two = Verb("apply", "chess", options={"verbs": "key,pack"})
    monkeypatch.setattr("forsyth.bulk.verbs.verb.PACKED", "key")
    assert said(two.compute, pa.record_batch({"fen": [START]})) == (
        "two of these verbs write the column 'key'; run the command once per verb"
    )
    monkeypatch.undo()
    bare = SimpleNamespace(name="nim", variant="usual")
    monkeypatch.setattr(Verb, "load_game", lambda self: bare)
    (tmp_path / "a.txt").write_text(f"{START}\n")
    for verb in ("features", "planes"):
        assert said(run_files, verb, tmp_path / "a.txt", tmp_path / "out.csv", game="chess") == (
            f"nim has no {verb}; choose another verb"
        )
    monkeypatch.setattr(RecordTable, "load_game", lambda self: bare)
    assert said(RecordTable, "positions", "chess", forms=("planes",), every=97) == (
        "nim has no planes; choose another form of positions"
    )


def test_lines_and_tensors_that_would_lose_columns(tmp_path: Path) -> None:
    rows = tmp_path / "a.csv"
    rows.write_text(f"fen,id,row\n{START},1,2\n")
    assert said(run_files, "normalise", rows, tmp_path / "out.txt") == (
        "a text file holds one text a line, and 'id', 'row' would be lost; write parquet, csv or jsonl, "
        "or ask for lines with --to text (in Python format_out='text')"
    )
    run_files("normalise", rows, tmp_path / "out.txt", format_out="text")
    assert (tmp_path / "out.txt").read_text() == f"{START}\n"
    nested = tmp_path / "b.parquet"
    pq.write_table(pa.table({"a": [{"fen": START}]}), nested)
    assert said(run_files, "filter", nested, tmp_path / "x.txt", column="a.fen", options={"keep": "ok"}) == (
        "the texts are inside a column (a.fen), which a text file cannot hold; write parquet, csv or jsonl"
    )
    assert said(run_files, "planes", rows, tmp_path / "out.npy", rows="-") == (
        "--rows needs files to read and a file to write; name them"
    )
    assert said(run_files, "planes", rows, tmp_path / "out.npy", rows=str(tmp_path / "r.csv")) == (
        "the data has a column 'row' already; rename it"
    )
    assert said(run_files, "planes", rows, tmp_path / "out.csv", rows=str(tmp_path / "r.csv")) == (
        "--rows writes a file beside a NumPy file, but csv holds all columns itself; leave out --rows"
    )


def test_conditions_have_an_end() -> None:
    text = "a = 1" + " " * (MAX_WHERE - 5)
    parse_where(text)
    assert said(parse_where, f"{text} ") == (
        f"the condition has {MAX_WHERE + 1} characters, expected at most {MAX_WHERE}; shorten it"
    )


def test_sets_have_names_and_shares() -> None:
    assert parse_sets(" a = 0.25 ,b=0.75") == [("a", 0.25), ("b", 2.0)]
    assert parse_sets("a=1") == [("a", 2.0)]
    for text, words in (
        ("a=0", "'a=0' is not a set; write a name and a share above 0, as in train=0.8,valid=0.1,test=0.1"),
        ("=1", "'=1' is not a set; write a name and a share above 0, as in train=0.8,valid=0.1,test=0.1"),
        ("a=0.5,a=0.5", "two sets in 'a=0.5,a=0.5' have the same name; give each set a different name"),
        ("a=0.5,b=0.4", "the shares of 'a=0.5,b=0.4' add up to 0.9, expected 1; change a share"),
    ):
        assert said(parse_sets, text) == words


def test_facts_of_records_can_be_asked_for(tmp_path: Path) -> None:
    assert FACTS == ("variant", "result", "plies")
    (tmp_path / "a.pgn").write_text('1. e4 e5 1-0\n\n[Variant "Crazyhouse"]\n\n1. d4 *\n')
    for where, games in (
        ("plies = 2", ["1-0"]),
        ("result = '*'", ["*"]),
        ("variant = 'crazyhouse'", ["*"]),
        ("plies >= 1", ["1-0", "*"]),
    ):
        run_records("games", tmp_path / "a.pgn", tmp_path / "a.parquet", game="chess", where=where)
        assert pq.read_table(tmp_path / "a.parquet")["result"].to_pylist() == games
