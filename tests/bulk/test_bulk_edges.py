"""Sources, arrays and adapters at their edges: nothing, one more than enough, and what others leave out."""

from __future__ import annotations

import gzip
import io
import sys
from datetime import date, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from tests.bulk.random_records import random_records

import forsyth
import forsyth.bulk.jobs.inspect_input as inspect_module
import forsyth.bulk.polars as frames
from forsyth.bulk import BulkError, arrow, dedupe_files, positions, run_files, scan_files
from forsyth.bulk.duckdb import scan_games, scan_positions
from forsyth.bulk.engines.job import COUNT_DTYPE
from forsyth.bulk.index import plies as index_plies
from forsyth.bulk.index import tallies as index_tallies
from forsyth.bulk.jobs.dedupe import Rule
from forsyth.bulk.jobs.distinct_rows import BitFile, CountFile, DistinctRows, compute_ranks
from forsyth.bulk.jobs.inspect_input import detect_game, inspect_input
from forsyth.bulk.sources import delimited, files, jsonl, pgn, shards
from forsyth.bulk.sources.delimited import infer_merged_schema, merge_files
from forsyth.bulk.sources.files import (
    Compression,
    CsvDialect,
    Format,
    MemoryStream,
    SourceFile,
    Stream,
    detect_compression,
    detect_format,
    expand_patterns,
    file_ending,
    has_known_ending,
    is_url,
    local_path,
    resolve_url,
)
from forsyth.bulk.sources.shards import Shard, ShardReader, merge_small_shards, open_shard, plan_shards
from forsyth.bulk.verbs.record_table import RecordTable, write_epd, write_pgn
from forsyth.bulk.verbs.selection import hash_values
from forsyth.bulk.where import find_field_path, get_column
from forsyth.record import read_records

START = forsyth.game("chess").start
AFTER = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


# --- arrays -------------------------------------------------------------------------------------------


class Exported:
    """An array of another library, which gives Arrow's interface for one array."""

    def __init__(self, array: pa.Array) -> None:
        self._array = array

    def __arrow_c_array__(self, requested: Any = None) -> Any:
        return self._array.__arrow_c_array__(requested)


def test_arrays_of_other_libraries_and_of_no_rows() -> None:
    game = forsyth.game("chess")
    keys = arrow.key(pa.array([START, None]), "chess")
    assert arrow.key(Exported(pa.array([START, None])), "chess").equals(keys)
    assert arrow.key([START, None], "chess").equals(keys)
    assert arrow.key(np.array([START, None], object), "chess").equals(keys)
    assert arrow.key(pl.Series([START, None]), "chess").to_pylist() == keys.to_pylist()
    shape = game.plane_shape
    empty = arrow.tensor(arrow.planes(pa.array([], pa.string()), "chess"), shape)
    assert empty.shape == (0, len(shape.names), shape.height, shape.width)
    assert empty.dtype == np.uint8
    chunks = arrow.planes(pa.chunked_array([[START], [AFTER]]), "chess")
    assert arrow.tensor(chunks, shape).shape[0] == 2
    none = arrow.tensor(pa.chunked_array([], pa.binary(shape.size)), shape)
    assert none.shape == empty.shape
    with pytest.raises(BulkError) as told:
        arrow.key(5, "chess")
    assert str(told.value) == (
        "the texts are of type int, expected an Arrow, NumPy, pandas or Polars array, or a list"
    )


def test_columns_longer_than_the_constants_that_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow, "_CACHED_ROWS", 4)
    arrow._make_cached_constant.cache_clear()
    for count in (3, 4, 5, 9):
        found = arrow.scan(pa.array([START] * count), "chess")
        assert found.to_pylist() == arrow.scan(pa.array([START]), "chess").to_pylist() * count
    arrow._make_cached_constant.cache_clear()


# --- adapters -----------------------------------------------------------------------------------------


def records() -> bytes:
    return "".join(random_records("chess", 6, 5)).encode()


def test_lazy_frames_of_records_make_only_what_is_asked_for() -> None:
    frame = frames.scan_positions(records(), game="chess", forms=("fen", "key"), moves="san")
    whole = frame.collect()
    assert {"game", "ply", "fen", "key"} < set(whole.columns)
    assert frame.select("fen").collect().equals(whole.select("fen"))
    assert frame.select("ply", "game").collect().equals(whole.select("ply", "game"))
    assert frame.filter(pl.col("ply") == 1).collect().equals(whole.filter(pl.col("ply") == 1))
    assert frame.head(4).collect().equals(whole.head(4))
    assert frame.head(0).collect().equals(whole.head(0))
    assert frame.head(10_000).collect().equals(whole)
    assert (
        frame.filter(pl.col("game") == 2)
        .select("fen")
        .head(2)
        .collect()
        .equals(whole.filter(pl.col("game") == 2).select("fen").head(2))
    )
    games = frames.scan_games(records(), game="chess").collect()
    assert games.height == 6
    assert games.schema["result"] == pl.String
    assert frames.scan_games(records(), game="chess").collect_schema() == games.schema


def test_relations_of_records() -> None:
    with duckdb.connect() as connection:
        games = scan_games(connection, records(), game="chess")
        assert games.aggregate("count(*)").fetchall() == [(6,)]
        rows = scan_positions(connection, records(), game="chess", forms=("fen",)).fetchall()
    assert len(rows) == frames.scan_positions(records(), game="chess").collect().height


# --- sources: names and streams -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "url", "local"),
    [
        ("a.csv", False, "a.csv"),
        ("s3://x/a.csv", True, "s3://x/a.csv"),
        ("S3://x", True, "S3://x"),
        ("simplecache::s3://x", True, "simplecache::s3://x"),
        ("file:///a", False, "/a"),
        ("FILE:/a", False, "/a"),
        ("local:///a", False, "/a"),
        ("c:/x", False, "c:/x"),
        ("a://b", True, "a://b"),
        ("1://b", False, "1://b"),
    ],
)
def test_which_paths_are_urls(path: str, url: bool, local: str) -> None:
    assert is_url(path) is url
    assert local_path(path) == local


def test_formats_of_names() -> None:
    assert detect_format("-") == (Format.TEXT, None)
    assert detect_format("-", "csv.gz") == (Format.CSV, Compression.GZIP)
    assert detect_format("A.CSV.GZ") == (Format.CSV, Compression.GZIP)
    assert detect_format("x.b/a.jsonl.bz2") == (Format.JSONL, Compression.BZIP2)
    assert detect_format("a.txt.zst", "epd") == (Format.EPD, Compression.ZSTD)
    assert detect_format("dir.csv/") == (Format.CSV, None)
    for ending, form in (
        ("feather", "arrow"),
        ("ipc", "arrow"),
        ("ndjson", "jsonl"),
        ("txt", "text"),
        ("fen", "text"),
    ):
        assert detect_format(f"a.{ending}") == (Format(form), None)
    assert file_ending(Format.CSV, None) == "csv"
    assert file_ending(Format.CSV, Compression.ZSTD) == "csv.zst"
    assert has_known_ending("a.csv") is True
    assert has_known_ending("a.x") is False
    assert has_known_ending("-") is False
    formats = "parquet, arrow, arrows, csv, tsv, jsonl, text, epd, pgn, npy, also with .gz, .zst or .bz2"
    for path, given, words in (
        ("a.x", None, f"a.x has no known ending; name its format, one of {formats}"),
        ("a.gz", None, f"a.gz has no known ending; name its format, one of {formats}"),
        ("csv", None, f"csv has no known ending; name its format, one of {formats}"),
        ("a.csv", "x", f"'x' is not a format; the formats are {formats}"),
    ):
        with pytest.raises(BulkError) as told:
            detect_format(path, given)
        assert str(told.value) == words


@pytest.mark.parametrize("given", ["", ";;", "é", '"', "\r", "\n", "\0"])
def test_what_cannot_stand_between_cells(given: str) -> None:
    with pytest.raises(BulkError) as told:
        CsvDialect(given)
    assert str(told.value) == (
        f"{given!r} cannot be the delimiter between cells; give one character, such as ; or a tab"
    )
    assert CsvDialect("\t").delimiter == "\t"


def test_files_of_a_directory(tmp_path: Path) -> None:
    for name in (
        "b.csv",
        "a.txt",
        "x.unknown",
        ".hidden.csv",
        "_left.csv",
        "in/c.epd",
        ".git/d.csv",
        "in/_x/e.csv",
    ):
        path = tmp_path / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n")
    folder = tmp_path / "data"
    assert [Path(one.path).relative_to(folder).as_posix() for one in expand_patterns([str(folder)])] == [
        "a.txt",
        "b.csv",
        "in/c.epd",
    ]
    given = expand_patterns([str(folder)], "csv", CsvDialect(";"))
    assert [Path(one.path).name for one in given] == ["a.txt", "b.csv", "c.epd", "x.unknown"]
    assert {(one.format, one.cells, one.size) for one in given} == {(Format.CSV, CsvDialect(";"), 2)}
    assert [Path(one.path).name for one in expand_patterns([f"{folder}/**/*.epd", f"{folder}/?.csv"])] == [
        "c.epd",
        "b.csv",
    ]
    (tmp_path / "none").mkdir()
    for pattern, words in (
        (
            f"{tmp_path}/none",
            f"the directory {tmp_path}/none has no file with a known ending; name the files",
        ),
        (f"{tmp_path}/*.csv", f"no file matches {tmp_path}/*.csv; check the pattern"),
        (f"{tmp_path}/no.csv", f"there is no file {tmp_path}/no.csv; check the path"),
    ):
        with pytest.raises(BulkError) as told:
            expand_patterns([pattern])
        assert str(told.value) == words


def test_urls_that_cannot_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BulkError) as told:
        resolve_url("nothing://x")
    assert str(told.value) == (
        "nothing://x cannot be opened (Protocol not known: nothing); check the URL and its settings"
    )

    class Broken:
        def exists(self, path: str) -> bool:
            raise RuntimeError("no credentials.\nmore")

        isdir = exists

    monkeypatch.setattr(files, "resolve_url", lambda url: (Broken(), "x"))
    with pytest.raises(BulkError) as told:
        expand_patterns(["memory://x.csv"])
    assert str(told.value) == (
        "memory://x.csv cannot be read (no credentials); check the URL and its settings"
    )
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "fsspec", None)
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(BulkError) as told:
        resolve_url("memory://x")
    assert str(told.value) == "memory://x is a URL, which needs fsspec: pip install fsspec"


class Peeked(io.BytesIO):
    def peek(self, size: int) -> bytes:
        return self.getvalue()[self.tell() : self.tell() + size]


class Pipe(io.BytesIO):
    def seekable(self) -> bool:
        return False


@pytest.mark.parametrize(
    ("kind", "compression"), [(Peeked, Compression.GZIP), (io.BytesIO, Compression.GZIP), (Pipe, None)]
)
def test_standard_input_shows_by_its_first_bytes_how_it_is_compressed(
    monkeypatch: pytest.MonkeyPatch, kind: type[io.BytesIO], compression: Compression | None
) -> None:
    data = gzip.compress(b"hello\n")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=kind(data), closed=False))
    stream = Stream("-")
    assert stream.compression is compression
    assert stream.read(100) == (b"hello\n" if compression else data)
    assert stream.bytes_read == len(data)
    stream.close()
    assert not sys.stdin.buffer.closed
    assert detect_compression(b"BZh9") is Compression.BZIP2
    assert detect_compression(b"\x28\xb5\x2f\xfd") is Compression.ZSTD
    assert detect_compression(b"fen") is None


def test_bytes_in_memory_are_a_stream() -> None:
    stream = MemoryStream("x", b"abcdef")
    assert (stream.read(2), stream.bytes_read, stream.compression) == (b"ab", 2, None)
    assert stream.read(100) == b"cdef"
    assert stream.bytes_read == 6
    stream.close()


@pytest.mark.parametrize(("ending", "name"), [("gz", "gzip"), ("zst", "zstd"), ("bz2", "bzip2")])
def test_an_empty_compressed_file_is_named_by_what_it_should_be(
    tmp_path: Path, ending: str, name: str
) -> None:
    path = tmp_path / f"a.txt.{ending}"
    path.touch()
    with pytest.raises(BulkError) as told:
        scan_files(str(path), game="chess")
    assert str(told.value) == (
        f"{path} cannot be decompressed after byte 0 (the file is empty); it is not a complete {name} file: "
        "copy or make it again"
    )


# --- shards -------------------------------------------------------------------------------------------


def test_a_target_in_bytes_reaches_the_shards(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(f"{START}\n" * 40)
    size = path.stat().st_size
    whole = inspect_input([str(path)])
    assert [shard.size for shard in whole.shards] == [size]
    assert whole.total_bytes == size
    cut = inspect_input([str(path)], shard_bytes=1000)
    assert [shard.count for shard in cut.shards] == [1000] * (size // 1000) + [size % 1000]
    assert cut.total_bytes == size
    assert [shard.number for shard in cut.shards] == list(range(len(cut.shards)))
    assert inspect_input([str(path)], shard_bytes=0).shards[0].count == 1, "at least one byte"


def test_small_files_are_one_shard_up_to_the_target() -> None:
    def small(size: int, number: int = 0) -> Shard:
        return Shard(f"{size}.csv", Format.CSV, size=size, number=number)

    joined = merge_small_shards([small(40), small(60), small(1)], target_bytes=100)
    assert [[one.size for one in shard.files] for shard in joined] == [[40, 60], [1]]
    assert [(shard.number, shard.size) for shard in joined] == [(0, 100), (1, 1)]
    large = Shard("x.csv", Format.CSV, size=files.SMALL_FILE_BYTES)
    unknown = Shard("x.csv", Format.CSV)
    part = Shard("x.txt", Format.TEXT, unit="bytes", count=5, size=5)
    for one in (large, unknown, part):
        joined = merge_small_shards([small(1), one, small(2)])
        assert [len(shard.files) for shard in joined] == [1, 1, 1]
    edge = Shard("x.csv", Format.CSV, size=files.SMALL_FILE_BYTES - 1)
    assert [len(shard.files) for shard in merge_small_shards([small(1), edge])] == [2]
    many = merge_small_shards([small(0)] * (shards.MAX_FILES + 1))
    assert [len(shard.files) for shard in many] == [shards.MAX_FILES, 1]
    with pytest.raises(ValueError, match="a shard of several files at once; read it with ShardReader"):
        open_shard(many[0])


def test_a_shard_comes_back_from_json() -> None:
    shard = Shard(
        "a.csv.gz", Format.CSV, Compression.GZIP, "bytes", 1, 2, 3, 4, CsvDialect(";", False, False), 5, 6, 7,
        "latin-1", (Shard("b.csv", Format.CSV),),
    )  # fmt: skip
    assert Shard.from_dict(shard.to_dict()) == shard
    assert list(shard.to_dict()) == [
        "path",
        "format",
        "compression",
        "unit",
        "first",
        "count",
        "number",
        "size",
        "cells",
        "games_before",
        "lines_before",
        "block_bytes",
        "encoding",
        "more",
    ]


def test_groups_are_put_together_until_they_reach_the_target() -> None:
    whole = Shard("a.parquet", Format.PARQUET)

    def runs(sizes: list[int], target: int) -> list[tuple[int, int | None, int | None]]:
        return [(one.first, one.count, one.size) for one in shards._cut_between_groups(whole, sizes, target)]

    assert runs([], 10) == [(0, 0, 0)]
    assert runs([5, 5, 5], 10) == [(0, 2, 10), (2, 1, 5)]
    assert runs([5, 4, 5], 10) == [(0, 3, 14)]
    assert runs([10, 10], 10) == [(0, 1, 10), (1, 1, 10)]
    assert runs([20], 10) == [(0, 1, 20)]


def test_a_numpy_file_and_packed_parquet_are_no_sources(tmp_path: Path) -> None:
    for name, words in (
        ("a.npy", "is a NumPy array, which has no texts; name the file it was made of"),
        ("a.parquet.gz", "is Parquet inside .gz; decompress it first"),
    ):
        (tmp_path / name).write_bytes(b"x")
        with pytest.raises(BulkError) as told:
            scan_files(str(tmp_path / name), game="chess")
        assert str(told.value) == f"{tmp_path}/{name} {words}"


# --- cells --------------------------------------------------------------------------------------------


def csv_files(folder: Path, *texts: bytes) -> list[str]:
    paths = []
    for number, text in enumerate(texts):
        (folder / f"{number}.csv").write_bytes(text)
        paths.append(str(folder / f"{number}.csv"))
    return paths


KINDS = pa.schema([("a", pa.string()), ("b", pa.string())])
ONE = b"a,b\nx,1\n"


@pytest.mark.parametrize(
    ("texts", "counts"),
    [
        ((ONE, b"a,b\ny,2\nz,3", ONE), [1, 2, 1]),
        ((ONE, b"a,b\r\ny,2\r\n"), None),
        ((b"a,b\nx,1\r\n", ONE), [1, 1]),
        ((ONE, b"a,b\n"), [1, 0]),
        ((ONE, ONE, b"a,c\nx,1\n"), [1, 1]),
        ((ONE, ONE, b"a,b\nx,1\n\ny,2\n"), [1, 1]),
        ((ONE, ONE, b"a,b\n\nx,1\n"), [1, 1]),
        ((ONE, ONE, b"a,b\nx\ry,1\n"), [1, 1]),
        ((ONE, ONE, b'a,b\n"x\ny",1\n'), [1, 1]),
        ((ONE, b'a,b\n"x""y",1\n'), [1, 1]),
        ((ONE, b"a,b"), None),
        ((ONE,), None),
        ((b'"a\nb",c\nx,1\n', b'"a\nb",c\nx,1\n'), None),
        ((ONE, b"a,b\nx\n"), [1, 1]),
    ],
)
def test_which_small_files_of_cells_go_together(
    tmp_path: Path, texts: tuple[bytes, ...], counts: list[int] | None
) -> None:
    found = merge_files(csv_files(tmp_path, *texts), ",", CsvDialect(), KINDS)
    assert (None if found is None else found.row_counts) == counts
    assert merge_files(csv_files(tmp_path, *texts), ",", CsvDialect(header=False), KINDS) is None


def test_files_that_go_together_are_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = csv_files(tmp_path, ONE, ONE, ONE)
    for block, count in ((3 * (len(ONE) + 1) + 1, 3), (3 * (len(ONE) + 1), 2)):
        monkeypatch.setattr(delimited, "BLOCK_BYTES", block)
        found = merge_files(paths, ",", CsvDialect(), KINDS)
        assert found is not None
        assert len(found.row_counts) == count
        told = infer_merged_schema(paths, ",", CsvDialect())
        assert (told is None) == (count < 3)
    assert infer_merged_schema(paths[:2], ",", CsvDialect()) == pa.schema(
        [("a", pa.string()), ("b", pa.int64())]
    )
    assert infer_merged_schema(paths[:2], ",", CsvDialect(header=False)) is None
    assert infer_merged_schema(csv_files(tmp_path, ONE, b"a,b\n1,2,3\n"), ",", CsvDialect()) is None


def test_a_row_that_is_wrong_in_one_of_many_files_is_told_with_that_file(tmp_path: Path) -> None:
    good, bad = f"fen,n\n{START},1\n".encode(), f"fen,n\n{START},1,2\n".encode()
    paths = csv_files(tmp_path, good, good, bad)
    with pytest.raises(BulkError) as told:
        scan_files(paths, game="chess")
    assert str(told.value) == (
        f"{paths[2]}: Row #2: Expected 2 columns, got 3: {START},1,2; every row must have the columns of the "
        "header (row 1), and every quote must be closed"
    )


def test_cells_that_are_no_numbers_are_named_by_their_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delimited, "BLOCK_BYTES", 64)
    for numbers, bad in ((("1", "2"), "007"), (("1.5", "2.5"), "x"), (("1", "2"), "2.5"), (("1", "2"), "+3")):
        lines = [f"a,{numbers[row % 2]}" for row in range(40)]
        lines[33] = f"a,{bad}"
        path = csv_files(tmp_path, ("fen,n\n" + "\n".join(lines) + "\n").encode())[0]
        with pytest.raises(BulkError) as told, open_shard(Shard(path, Format.CSV)) as batches:
            list(batches)
        assert str(told.value) == (
            f"{path}, row 35: {bad!r} in the column 'n' is not a number as the first ones are; read all "
            "columns as text with --untyped (in Python typed=False)"
        )
        with open_shard(Shard(path, Format.CSV, cells=CsvDialect(typed=False))) as batches:
            assert sum(batch.num_rows for batch in batches) == 40


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "-2", "0"], pa.int64()),
        (["1", "", "3"], pa.int64()),
        (["123456789012345678"], pa.int64()),
        (["1234567890123456789", "-9223372036854775807"], pa.int64()),
        (["9223372036854775808"], pa.string()),
        (["12345678901234567890"], pa.string()),
        (["-123456789012345678"], pa.int64()),
        (["007"], pa.string()),
        (["-0"], pa.float64()),
        (["+1"], pa.string()),
        (["1.5", "2"], pa.float64()),
        (["0.30000000000000004"], pa.float64()),
        (["1e-05"], pa.float64()),
        (["1e5"], pa.string()),
        (["00.5"], pa.string()),
        ([".5"], pa.string()),
        (["nan"], pa.string()),
        (["1", "x"], pa.string()),
        (["x", "1"], pa.string()),
        (['"1"', "2"], pa.string()),
        (["1", '"2"'], pa.int64()),
        (["", ""], pa.null()),
        (["123456789012345.123456789012345"], pa.float64()),
        (["1234567890123456.5"], pa.float64()),
        (["0.1234567890123456"], pa.float64()),
    ],
)
def test_what_type_cells_look_like(tmp_path: Path, cells: list[str], kind: pa.DataType) -> None:
    path = csv_files(tmp_path, ("fen,n\n" + "".join(f"x,{cell}\n" for cell in cells)).encode())[0]
    with open_shard(Shard(path, Format.CSV)) as batches:
        assert batches.inferred_schema.field("n").type == kind
        assert batches.schema.field("n").type == (pa.string() if pa.types.is_null(kind) else kind)
        rows = [row for batch in batches for row in batch.column("n").to_pylist()]
    assert [row is None for row in rows] == [cell == "" for cell in cells]


def test_headers_of_cells(tmp_path: Path) -> None:
    remedy = "the first line must name the columns, such as: fen,source"
    (path,) = csv_files(tmp_path, b"\n\n\n")
    with pytest.raises(BulkError) as told:
        scan_files(path, game="chess")
    assert str(told.value) == f"{path} is empty and has no header; {remedy}"
    (path,) = csv_files(tmp_path, b'"' + b"x" * 140_000 + b'",b\n1,2\n')
    with pytest.raises(BulkError) as told:
        scan_files(path, game="chess")
    assert str(told.value) == (
        f"{path} has a header that cannot be read (field larger than field limit (131072)); {remedy}"
    )
    (path,) = csv_files(tmp_path, b"\r\n\na,b\n1,2\n")
    with open_shard(Shard(path, Format.CSV, cells=CsvDialect(header=False))) as batches:
        assert batches.schema.names == ["column_1", "column_2"]
        assert [batch.to_pylist() for batch in batches] == [
            [{"column_1": "a", "column_2": "b"}, {"column_1": "1", "column_2": "2"}]
        ]


# --- JSON lines ---------------------------------------------------------------------------------------


def test_lines_of_json_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"fen": "{START}"}}\n{{"fen": 5}}\n{{"fen": "x"\n')
    with pytest.raises(BulkError) as told:
        scan_files(str(path), game="chess")
    assert str(told.value).startswith(f"{path}, line 3: ")
    path.write_text(f'{{"fen": "{START}", "n": 1}}\n{{"fen": "x", "n": "y"}}\n')
    with pytest.raises(BulkError) as told:
        run_files("key", str(path), tmp_path / "out.csv", game="chess")
    assert str(told.value).startswith(f"{path}, line 2: ")
    assert scan_files(str(path), game="chess").rows == 2


def test_small_files_of_json_are_looked_at_together(tmp_path: Path) -> None:
    paths = []
    for number, text in enumerate(
        ('{"fen": "x", "n": 1}', '{"fen": "y", "n": null, "m": 2.5}\n', '["x"]', '{"a": 1}')
    ):
        (tmp_path / f"{number}.jsonl").write_text(text)
        paths.append(str(tmp_path / f"{number}.jsonl"))
    found = jsonl.infer_merged_schema(paths[:2], "fen")
    assert found is not None
    assert found.names == ["fen", "n", "m"]
    assert jsonl.infer_merged_schema([paths[0], paths[2]], "fen") is None
    assert jsonl.infer_merged_schema([paths[0], paths[3]], "fen") is None
    (tmp_path / "0.jsonl").write_text('{"fen": "x", "n": 1}\n{"fen": "x", "n": "y"}\n')
    assert jsonl.infer_merged_schema(paths[:2], "fen") is None


# --- records ------------------------------------------------------------------------------------------


def test_text_without_a_border_is_cut_behind_a_result_or_a_tag() -> None:
    assert pgn._find_forced_cut(b"1. e4 e5 1-0\n1. d4\n") == len(b"1. e4 e5 1-0\n")
    assert pgn._find_forced_cut(b'1. e4 e5\n[White "x"]\n1. d4\n') == len(b"1. e4 e5\n")
    assert pgn._find_forced_cut(b"1. e4\n1. d4\n") == len(b"1. e4\n1. d4\n")


def test_a_border_is_a_tag_after_moves_and_blank_lines() -> None:
    text = b'1. e4 *\n\n[White "x"]\n'
    found = pgn.find_border(text, 0)
    assert found is not None
    assert (found[0], found[1]) == (9, 0)
    assert pgn.find_border(text, 1) is None
    assert pgn.find_border(b'1. e4 *\n[White "x"]\n', 0) is None, "no blank line"
    assert pgn.find_border(b"1. e4 *\n\n[not a tag\n", 0) is None
    blank = b"\n" * (pgn._MAX_BLANK_BYTES + 5)
    assert pgn.find_border(b"1. e4 *\n" + blank + b'[White "x"]\n', 0) is None, "too many blank lines"


def test_positions_of_records_come_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.pgn").write_bytes(b"".join(one.encode() for one in random_records("xiangqi", 6, 4)))

    def rows() -> list[int]:
        with open_shard(Shard(str(tmp_path / "a.pgn"), Format.PGN)) as batches:
            return [batch.num_rows for batch in batches]

    (whole,) = rows()
    monkeypatch.setattr(pgn, "_ROWS_PER_BATCH", 5)
    assert rows() == [5] * 6
    assert whole == 30


def test_tables_that_do_not_say_their_game() -> None:
    table = pa.record_batch({"moves": [[5]], "result": ["*"]})
    for write in (write_pgn, write_epd):
        with pytest.raises(BulkError) as told:
            write(table)
        assert str(told.value) == "the table has no metadata that name its game; name the game"
    with pytest.raises(BulkError, match="azul has no moves as numbers"):
        write_pgn(table, "azul")


def test_planes_of_positions_of_a_game_without_a_kernel() -> None:
    table = RecordTable("positions", "xiangqi", forms=("planes", "fen"))
    data = "".join(random_records("xiangqi", 1, 3)).encode()
    rows = positions(data, game="xiangqi", forms=table.forms).read_all()
    game = forsyth.game("xiangqi")
    assert rows.num_rows == 4
    for one in rows.to_pylist():
        assert one["planes"] == bytes(game.planes(game.parse(one["fen"])))


# --- jobs ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "kind", "order"),
    [
        ([3, None, 1, 2], pa.int64(), [1, 2, 3, 0]),
        ([-1, 0, -5], pa.int8(), [2, 0, 1]),
        ([True, False, None], pa.bool_(), [2, 1, 0]),
        ([1.5, float("nan"), -2.5, 0.0, float("-inf"), float("inf")], pa.float64(), [1, 4, 2, 3, 0, 5]),
        (["10", "9", None], pa.string(), [2, 1, 0]),
        ([date(2024, 1, 2), None, date(1960, 1, 1)], pa.date32(), [1, 2, 0]),
        ([datetime(2024, 1, 2), datetime(1960, 1, 1)], pa.timestamp("us"), [1, 0]),
        ([5, 4], pa.time32("s"), [1, 0]),
        ([5, 4], pa.duration("s"), [1, 0]),
    ],
)
def test_what_is_best_is_the_largest(values: list[Any], kind: pa.DataType, order: list[int]) -> None:
    column = pa.array(values, kind)
    assert np.argsort(compute_ranks(column, "x"), kind="stable").tolist() == order
    assert compute_ranks(column.dictionary_encode(), "x").tolist() == compute_ranks(column, "x").tolist()


def test_zeros_are_one_and_what_is_no_number_is_told() -> None:
    zero, minus = compute_ranks(pa.array([0.0, -0.0]), "x").tolist()
    assert zero == minus
    assert compute_ranks(pa.array([None, float("nan")], pa.float64()), "x").tolist() == [0, 0]
    assert compute_ranks(pa.array([-(1 << 63), None], pa.int64()), "x").tolist() == [1, 0]
    for column in (pa.array(["x"]), pa.array([[1]])):
        with pytest.raises(
            BulkError, match=r"^the column 'x' does not hold numbers \(.*\); name another with --by$"
        ):
            compute_ranks(column, "x")


def test_rows_are_laid_out_in_files_by_their_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forsyth.bulk.jobs.distinct_rows.PARTITION_ROWS", 4)
    monkeypatch.setattr("forsyth.bulk.jobs.distinct_rows.MAX_PARTITIONS", 8)
    for rows, count in ((0, 1), (4, 1), (5, 2), (8, 2), (9, 4), (1000, 8)):
        with DistinctRows(tmp_path / f"{rows}", rows, ranked=False):
            pass
        names = sorted(one.name for one in (tmp_path / f"{rows}").iterdir())
        assert names == [f"keys-{number:04}" for number in range(count)]
    keys = [bytes([number * 16]) + bytes(15) for number in (15, 0, 15, 8, 0, 15)]
    array = pa.array([*keys, None], pa.binary(16))
    with DistinctRows(tmp_path / "x", 9, ranked=False) as spill:
        spill.add_rows(array, 10, None)
        spill.add_rows(pa.array([keys[3]], pa.binary(16)), None, None)
    kept = [(rows.tolist(), counts.tolist()) for rows, counts in spill.iter_kept_rows()]
    assert kept == [([11], [2]), ([], []), ([], []), ([10], [3])]
    assert list((tmp_path / "x").iterdir()) == []
    with DistinctRows(tmp_path / "y", 4, ranked=True) as spill:
        spill.add_rows(array.slice(0, 6), 0, np.array([1, 5, 7, 0, 5, 7], np.uint64))
        spill.add_rows(array.slice(3, 1), None, None)
    assert [(rows.tolist(), counts.tolist()) for rows, counts in spill.iter_kept_rows()] == [([1, 2], [2, 3])]


def test_bits_and_counts_of_rows(tmp_path: Path) -> None:
    bits = BitFile(tmp_path / "bits", 17)
    bits.set_bits(np.array([], np.uint64))
    bits.set_bits(np.array([0, 7, 8, 16], np.uint64))
    bits.set_bits(np.array([1], np.uint64))
    bits.close()
    assert (tmp_path / "bits").read_bytes() == bytes([0b10000011, 1, 1])
    for rows, size in ((0, 1), (1, 1), (8, 1), (9, 2)):
        BitFile(tmp_path / "more", rows).close()
        assert (tmp_path / "more").stat().st_size == size
    counts = CountFile(tmp_path / "counts", 3)
    counts.set_counts(np.array([2, 0], np.uint64), np.array([1 << 40, 7]))
    counts.close()
    found = np.fromfile(tmp_path / "counts", COUNT_DTYPE)
    assert found.tolist() == [7, 0, np.iinfo(COUNT_DTYPE).max]
    CountFile(tmp_path / "none", 0).close()
    assert (tmp_path / "none").stat().st_size == COUNT_DTYPE.itemsize


def test_a_rule_that_cannot_be_kept() -> None:
    for given, words in (
        ({"keep": "x"}, "there is no keep 'x'; choose one of first, best"),
        ({"invalid": "x"}, "there is no invalid 'x'; choose one of keep, drop"),
        ({"keep": "best"}, "--keep best needs a column of numbers; name it with --by"),
        ({"by": "n"}, "--by names the column that determines the best row; it needs --keep best"),
    ):
        with pytest.raises(BulkError) as told:
            Rule(**given)  # type: ignore[arg-type]
        assert str(told.value) == words


def test_rules_that_do_not_suit_the_columns(tmp_path: Path) -> None:
    (path,) = csv_files(tmp_path, f"fen,n\n{START},1\n".encode())
    for rule, words in (
        (Rule(count="n"), "the data has a column 'n' already; name another for the counts"),
        (Rule("best", "x"), "there is no column 'x'; name another with --by: there are fen, n"),
        (Rule("best", "fen"), "the column 'fen' holds the texts; name another with --by"),
    ):
        with pytest.raises(BulkError) as told:
            dedupe_files(path, tmp_path / "out.csv", rule=rule)
        assert str(told.value) == words


def test_the_game_of_the_first_texts(tmp_path: Path) -> None:
    def detected(*texts: str | bytes | None, column: Any = None) -> str:
        return detect_game([pa.record_batch({"fen": pa.array(texts)})], "fen", False, "a.csv")[0]

    azul = forsyth.game("azul").start
    assert detected(START, azul, START) == "chess"
    assert detected(azul, "nonsense", None) == "azul"
    assert detected(START.encode()) == "chess"
    assert detected(*[azul] * 51, *[START] * 49, *[START] * 100) == "azul", "the first hundred decide"
    assert detected(*[azul] * 49, *[START] * 51) == "chess"
    for texts in ((None,), ("",), ()):
        with pytest.raises(BulkError) as told:
            detect_game([pa.record_batch({"fen": pa.array(texts, pa.string())})], "fen", False, "a.csv")
        assert str(told.value) == "a.csv begins with no text to detect the game from; name it with --game"
    with pytest.raises(BulkError) as told:
        detected("nonsense")
    assert str(told.value) == (
        "the game of the first texts of a.csv (column 'fen') cannot be detected; name it with --game, one of "
        f"{', '.join(forsyth.games())}, or another column with --column"
    )
    with pytest.raises(BulkError) as told:
        detect_game([], "fen", True, "a.csv")
    assert str(told.value) == "the game of packed forms cannot be detected; name it with --game"
    with pytest.raises(BulkError) as told:
        inspect_module.require_game("chess", "x")
    assert str(told.value) == (
        f"chess has no variant 'x'; choose one of {', '.join(forsyth.game('chess').variants)}"
    )


def test_files_that_are_looked_at_together(monkeypatch: pytest.MonkeyPatch) -> None:
    def file(size: int | None, form: Format = Format.CSV, **how: Any) -> SourceFile:
        return SourceFile("x", form, how.pop("compression", None), size, **how)

    def runs(*given: SourceFile) -> list[int]:
        return [len(run) for run in inspect_module._group_small_files(list(given))]

    most = inspect_module.GROUP_BYTES
    assert runs() == []
    assert runs(file(1), file(2), file(3)) == [3]
    assert runs(file(1), file(2, Format.TSV), file(3, Format.TSV)) == [1, 2]
    assert runs(file(1), file(1, cells=CsvDialect(";")), file(1)) == [1, 1, 1]
    assert runs(file(1, Format.PARQUET), file(1, Format.PARQUET)) == [1, 1]
    assert runs(file(1), file(1, compression=Compression.GZIP), file(1)) == [1, 1, 1]
    assert runs(file(1), file(None), file(1)) == [1, 1, 1]
    assert runs(file(most - 2), file(1), file(1)) == [2, 1]
    assert runs(file(1), file(most), file(1)) == [1, 1, 1]
    assert runs(file(1, Format.JSONL), file(1, Format.JSONL)) == [2]


def test_columns_of_values_that_groups_are_made_of() -> None:
    labels = pa.array(["a", "b", None, "a"])
    keys = hash_values(labels, "x")
    assert keys.type == pa.binary(16)
    assert hash_values(labels.dictionary_encode(), "x").equals(keys)
    assert hash_values(labels.cast(pa.binary()), "x").equals(keys)
    assert keys[0] == keys[3]
    assert keys[2].as_py() is None
    assert hash_values(pa.array([1, 2], pa.int8()), "x").equals(hash_values(pa.array(["1", "2"]), "x"))
    with pytest.raises(BulkError) as told:
        hash_values(pa.array([[1]]), "tags")
    assert str(told.value) == (
        "the column 'tags' is of type list<item: int64>, expected single values; name another with --by"
    )


def test_columns_inside_columns() -> None:
    inner = pa.struct([("x", pa.int8()), ("y.z", pa.int8()), ("s", pa.struct([("t", pa.string())]))])
    schema = pa.schema(
        [("n", pa.int8()), ("a.b", inner), ("a", inner), ("a.c", pa.string()), ("d", pa.int8()), ("d", inner)]
    )
    assert find_field_path(schema, "n") == [0]
    assert find_field_path(schema, "a.c") == [3]
    assert find_field_path(schema, "a.x") == [2, 0]
    assert find_field_path(schema, "a.b.x") == [1, 0]
    assert find_field_path(schema, "a.y.z") == [2, 1]
    assert find_field_path(schema, "a.s.t") == [2, 2, 0]
    there = "'n', 'a.b', 'a', 'a.c', 'd', 'd'"
    for name, words in (
        ("x", "there is no column 'x'"),
        ("d.x", "there is no column 'd.x'"),
        ("n.x", "there is no column 'n.x'"),
        ("a.q", "there is no column 'a.q'"),
        ("a.s.q", "there is no column 'a.s.q'"),
        ("a.x.q", "there is no column 'a.x.q'"),
    ):
        with pytest.raises(BulkError) as told:
            find_field_path(schema, name)
        assert str(told.value) == f"{words}; the columns are {there}"
    with pytest.raises(BulkError) as told:
        find_field_path(schema, "d")
    assert str(told.value) == "there are 2 columns 'd'; rename all but one of them"
    with pytest.raises(BulkError) as told:
        find_field_path(pa.schema([]), "x")
    assert str(told.value) == "there is no column 'x'; the data has no columns"
    batch = pa.record_batch({"a": pa.array([{"x": "p"}, {"x": None}])})
    assert get_column(batch, "a.x").to_pylist() == ["p", None]


# --- counting plies -----------------------------------------------------------------------------------


def test_more_plies_than_are_counted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_tallies, "MAX_PLIES", 3)
    facts = index_tallies.GameRanks(np.zeros(9, np.uint32), np.zeros(9, np.uint32))
    plies = np.zeros(3, index_tallies.PLY)
    plies["game"] = [1, 2, 3]
    assert index_tallies.tally_plies(plies, facts).games.tolist() == [3]
    with pytest.raises(BulkError) as told:
        index_tallies.tally_plies(np.zeros(4, index_tallies.PLY), facts)
    assert str(told.value) == "there are 4 plies, expected at most 3 at once; count fewer and add them up"
    rows = np.array([0, 0, 1, 1, 1, 2])
    worth = np.array([5, 7, 1, 1, 0, 9], np.uint64)
    assert index_tallies._sort_by_row_and_rank(rows, worth).tolist() == [1, 0, 3, 2, 4, 5]
    monkeypatch.undo()
    assert index_tallies._sort_by_row_and_rank(rows, worth).tolist() == [1, 0, 3, 2, 4, 5]


def test_plies_of_records_come_some_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = forsyth.game("chess")
    readings = list(read_records("".join(random_records("chess", 6, 4)), game))
    (whole,) = index_plies.collect_plies(readings, game)
    assert len(whole.plies) == 30
    monkeypatch.setattr(index_plies, "BATCH_PLIES", 10)
    parts = list(index_plies.collect_plies(readings, game))
    assert [len(part.plies) for part in parts] == [10, 10, 10, 0]
    assert [part.games.num_rows for part in parts] == [2, 2, 2, 0]


def test_files_of_a_shard_know_which_row_is_whose(tmp_path: Path) -> None:
    paths = csv_files(tmp_path, b"a,b\nx,1\ny,2\n", b"a,b\n", b"a,b\nz,3\n")
    (shard,) = merge_small_shards(plan_shards(expand_patterns(paths)))
    source = ShardReader(shard, column_types=KINDS)
    for opened in source:
        for batch in opened:
            source.add_rows(batch.num_rows)
    assert [source.locate_row(row) for row in range(3)] == [(0, 0), (0, 1), (2, 0)]
    assert source.bytes_read == sum(Path(path).stat().st_size for path in paths)
