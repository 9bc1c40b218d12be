"""How files are laid out that jobs and indexes write: types, encodings, compressions, groups, parts."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.bulk.random_records import random_records, write_records

import forsyth
from forsyth.bulk import BulkError, run_files, run_records
from forsyth.bulk import sinks as sinks_module
from forsyth.bulk.batches import (
    LARGE_BATCH_BYTES,
    SMALL_BATCH_ROWS,
    cast_to_schema,
    decode_batch,
    decode_hex,
    decode_schema,
    find_non_finite,
    measure_shared_values,
    rebatch,
    to_plain_batch,
    to_plain_schema,
    unify_schemas,
)
from forsyth.bulk.index import files as index_files
from forsyth.bulk.index.build import build_index
from forsyth.bulk.index.files import has_material, hash_material, make_games_schema, read_material
from forsyth.bulk.jobs.run_files import RunOptions
from forsyth.bulk.sinks import (
    check_target,
    concatenate,
    deliver_parts,
    is_directory_target,
    open_destination,
    open_sink,
)
from forsyth.bulk.sources.files import Compression, Format
from forsyth.bulk.writers import UnclosableFile, choose_text_column, find_planes, make_npy_header

START = forsyth.game("chess").start
OTHER = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


# --- the Parquet files of an index --------------------------------------------------------------------


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("index")
    source = write_records(folder / "a.pgn", random_records("chess", 300, 12))
    build_index([source], folder / "book", material=True)
    return folder / "book"


NUMBERS = ["games", "wins", "draws", "losses", "rated"]
LISTS = [f"{name}.list.element" for name in ("reached", "latest", "strongest")]


@pytest.mark.parametrize("table", ["moves", "material"])
def test_the_columns_of_what_was_played_are_encoded_as_they_get_shortest(book: Path, table: str) -> None:
    file = pq.ParquetFile(book / table / "part-00000.parquet")
    group = file.metadata.row_group(0)
    columns = [group.column(place) for place in range(group.num_columns)]
    assert [one.path_in_schema for one in columns] == ["key", "move", *NUMBERS, "rating", *LISTS]
    assert {one.path_in_schema: one.compression for one in columns} == {
        "key": "UNCOMPRESSED",
        "move": "ZSTD",
        "rating": "ZSTD",
        **dict.fromkeys([*NUMBERS, *LISTS], "UNCOMPRESSED"),
    }
    for one in columns:
        name, encodings = one.path_in_schema, set(one.encodings)
        assert one.has_dictionary_page == (name in ("move", "rating"))
        assert ("DELTA_BINARY_PACKED" in encodings) == (name in [*NUMBERS, *LISTS])
        assert one.is_stats_set == (name == "key")
    assert [(one.column_index, one.descending) for one in group.sorting_columns] == [(0, False)]
    assert file.schema_arrow.remove_metadata() == index_files.MOVES_SCHEMA
    names = [one.name for one in file.schema_arrow if not one.nullable]
    assert names == ["key", *NUMBERS]
    file.close()


def test_an_index_takes_few_bytes_for_a_row(book: Path) -> None:
    (part,) = (book / "moves").iterdir()
    rows = pq.read_metadata(part).num_rows
    assert rows > 1500
    assert part.stat().st_size <= 32 * rows + 8192, "32 bytes for a row, and the footer"


def test_the_table_of_games_is_written_with_zstd_and_numbers_that_can_be_looked_up(book: Path) -> None:
    file = pq.ParquetFile(book / "games" / "part-00000.parquet")
    assert file.schema_arrow.remove_metadata() == make_games_schema(forsyth.game("chess"))
    assert file.schema_arrow.names == [
        "game",
        "White",
        "Black",
        "WhiteElo",
        "BlackElo",
        "Event",
        "Site",
        "Date",
        "Round",
        "result",
        "plies",
        "rating",
        "day",
    ]
    assert [one.name for one in file.schema_arrow if not one.nullable] == ["game", "result", "plies", "day"]
    group = file.metadata.row_group(0)
    for place in range(group.num_columns):
        one = group.column(place)
        assert one.compression == "ZSTD"
        assert one.is_stats_set == (one.path_in_schema == "game")
    file.close()


def test_groups_of_an_index_have_as_many_rows_as_a_look_up_reads(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert index_files.GROUP_ROWS == 8192
    assert index_files.GAME_GROUP_ROWS == 2048
    monkeypatch.setattr(index_files, "GROUP_ROWS", 500)
    monkeypatch.setattr("forsyth.bulk.index.build.GAME_GROUP_ROWS", 70)
    source = write_records(tmp_path / "a.pgn", random_records("chess", 150, 6))
    build_index([source], tmp_path / "book")
    for table, most, rows in (("moves", 500, None), ("games", 70, 150)):
        facts = pq.read_metadata(tmp_path / "book" / table / "part-00000.parquet")
        counts = [facts.row_group(number).num_rows for number in range(facts.num_row_groups)]
        assert counts[:-1] == [most] * (len(counts) - 1)
        assert 0 < counts[-1] <= most
        assert rows is None or sum(counts) == rows
    assert sorted(one.name for one in (tmp_path / "book").iterdir()) == ["games", "manifest.json", "moves"]


def test_material_is_asked_for_by_letters() -> None:
    chess = forsyth.game("chess")
    assert read_material("KRPvKR", chess) == "KRPvKR"
    assert read_material("PRKvRK", chess) == "KRPvKR"
    assert read_material("KRPkr", chess) == "KRPvKR"
    assert read_material("kK", chess) == "KvK"
    assert read_material("K" * 200, chess) == "K" * 200 + "v"
    for text in ("K" * 201, "", "KvX", "Kvk", "KxK"):
        with pytest.raises(BulkError) as told:
            read_material(text, chess)
        assert str(told.value) == (
            f"{text[:40]!r} is not a material of chess; write the letters of the pieces of both sides, as in "
            "KQvK or KQk"
        )
    assert hash_material("KvK") == "d7f54e9edfa146a421b6d13a0e9d8efc"
    assert has_material(chess) is True
    assert has_material(forsyth.game("azul")) is False


# --- Parquet ------------------------------------------------------------------------------------------


def encoded(path: Path) -> dict[str, tuple[str, bool]]:
    """The compression of each column, and whether it has a dictionary."""
    group = pq.read_metadata(path).row_group(0)
    columns = [group.column(place) for place in range(group.num_columns)]
    return {one.path_in_schema: (one.compression, one.has_dictionary_page) for one in columns}


def test_parquet_is_zstd_and_keys_are_as_they_are(tmp_path: Path) -> None:
    table = pa.table(
        {
            "fen": ["x", "y"],
            "key": pa.array([b"a" * 16, b"b" * 16], pa.binary(16)),
            "other": pa.array([b"a" * 15, b"b" * 15], pa.binary(15)),
            "label": pa.array(["p", "q"]).dictionary_encode(),
        }
    )
    with open_sink(str(tmp_path / "a.parquet"), table.schema) as sink:
        sink.write_batch(table.to_batches()[0])
    assert encoded(tmp_path / "a.parquet") == {
        "fen": ("ZSTD", True),
        "key": ("UNCOMPRESSED", False),
        "other": ("ZSTD", True),
        "label": ("ZSTD", True),
    }
    nested = table.append_column("tags", pa.array([["a"], ["b"]]))
    with open_sink(str(tmp_path / "b.parquet"), nested.schema) as sink:
        sink.write_batch(nested.to_batches()[0])
    assert {one for one, _ in encoded(tmp_path / "b.parquet").values()} == {"ZSTD"}
    without = table.select(["fen", "other"])
    with open_sink(str(tmp_path / "c.parquet"), without.schema) as sink:
        sink.write_batch(without.to_batches()[0])
    assert encoded(tmp_path / "c.parquet") == {"fen": ("ZSTD", True), "other": ("ZSTD", True)}


@pytest.mark.parametrize(
    ("rows", "size", "groups"), [(8, 1 << 30, [9, 3]), (9, 1 << 30, [9, 3]), (10, 1 << 30, [12])]
)
def test_a_group_ends_when_it_has_enough_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int, size: int, groups: list[int]
) -> None:
    monkeypatch.setattr("forsyth.bulk.writers._GROUP_ROWS", rows)
    monkeypatch.setattr("forsyth.bulk.writers._GROUP_BYTES", size)
    assert written_groups(tmp_path / "a.parquet") == groups


@pytest.mark.parametrize(("size", "groups"), [(72, [9, 3]), (73, [12]), (24, [3, 3, 3, 3]), (25, [6, 6])])
def test_a_group_ends_when_it_has_enough_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, groups: list[int]
) -> None:
    monkeypatch.setattr("forsyth.bulk.writers._GROUP_BYTES", size)
    assert written_groups(tmp_path / "a.parquet") == groups


def written_groups(path: Path) -> list[int]:
    """The rows of each group when batches of three numbers, 24 bytes each, come four times."""
    with open_sink(str(path), pa.schema([("n", pa.int64())])) as sink:
        for first in range(0, 12, 3):
            sink.write_batch(pa.record_batch({"n": pa.array(range(first, first + 3), pa.int64())}))
        assert sink.rows == 12
    facts = pq.read_metadata(path)
    assert pq.read_table(path)["n"].to_pylist() == list(range(12))
    return [facts.row_group(number).num_rows for number in range(facts.num_row_groups)]


# --- other formats ------------------------------------------------------------------------------------


ROWS = pa.record_batch(
    {
        "fen": pa.array(["a", None, "", 'q"z']),
        "n": pa.array([1, None, 3, 4], pa.int32()),
        "bytes": pa.array([b"\x00\xff", None, b"", b"\x1a"]),
        "label": pa.array(["p", None, "p", "q"]).dictionary_encode(),
    }
)


def sunk(path: Path, rows: pa.RecordBatch = ROWS, **how: Any) -> bytes:
    with open_sink(str(path), rows.schema, **how) as sink:
        sink.write_batch(rows.slice(0, 1))
        sink.write_batch(rows.slice(1))
    return path.read_bytes()


def test_text_formats_to_the_byte(tmp_path: Path) -> None:
    csv = '"fen","n","bytes","label"\n"a",1,"00ff","p"\n,,,\n"",3,"","p"\n"q""z",4,"1a","q"\n'
    assert sunk(tmp_path / "a.csv").decode() == csv
    assert sunk(tmp_path / "a.tsv").decode() == csv.replace(",", "\t")
    assert sunk(tmp_path / "a.jsonl").decode() == (
        '{"fen":"a","n":1,"bytes":"00ff","label":"p"}\n'
        '{"fen":null,"n":null,"bytes":null,"label":null}\n'
        '{"fen":"","n":3,"bytes":"","label":"p"}\n'
        '{"fen":"q\\"z","n":4,"bytes":"1a","label":"q"}\n'
    )
    assert sunk(tmp_path / "a.txt").decode() == 'a\n\n\nq"z\n'
    assert sunk(tmp_path / "b.txt", column="bytes").decode() == "00ff\n\n\n1a\n"
    assert sunk(tmp_path / "c.txt", column="label").decode() == "p\n\np\nq\n"
    assert sunk(tmp_path / "d.txt", ROWS.select(["label"])).decode() == "p\n\np\nq\n", "the only column"


def test_arrow_files_hold_values_and_streams_dictionaries(tmp_path: Path) -> None:
    sunk(tmp_path / "a.arrow")
    with pa.memory_map(str(tmp_path / "a.arrow")) as file:
        found = pa.ipc.open_file(file)
        assert found.schema == decode_schema(ROWS.schema)
        assert [found.get_batch(number).num_rows for number in range(2)] == [1, 3]
        assert found.read_all().to_pylist() == ROWS.to_pylist()
    sunk(tmp_path / "a.arrows")
    with pa.memory_map(str(tmp_path / "a.arrows")) as file:
        stream = pa.ipc.open_stream(file)
        assert stream.schema == ROWS.schema
        assert stream.read_all().to_pylist() == ROWS.to_pylist()


@pytest.mark.parametrize("kind", [pa.float32(), pa.float64()])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_json_has_no_number_for_nan_and_infinity(tmp_path: Path, kind: pa.DataType, value: float) -> None:
    path = tmp_path / "a.jsonl"
    rows = pa.record_batch({"fen": ["a", "b", "c"], "worth": pa.array([1.5, None, value], kind)})
    with pytest.raises(BulkError) as told:
        sunk(path, rows)
    assert str(told.value) == (
        "row 3 has NaN or infinity in 'worth', which JSON cannot hold; write parquet or csv, or replace the "
        "value by null"
    )
    assert list(tmp_path.iterdir()) == []


def test_what_is_not_finite_is_found_inside_lists_and_structs() -> None:
    nan = float("nan")
    for column, row in (
        (pa.array([1.0, 2.0]), None),
        (pa.array([1.0, nan, nan]), 1),
        (pa.array(["x"]), None),
        (pa.array([[1.0], [], [2.0, nan]]), 2),
        (pa.array([[1.0], [nan]], pa.large_list(pa.float64())), 1),
        (pa.array([[1.0, 2.0], [3.0, nan]], pa.list_(pa.float64(), 2)), 1),
        (pa.array([{"a": 1.0, "b": 1.0}, {"a": 1.0, "b": nan}, {"a": nan, "b": 1.0}]), 1),
        (pa.array([{"a": 1.0}, {"a": 2.0}]), None),
        (pa.array([1.0, nan]).dictionary_encode(), 1),
        (pa.array([[1.0], None]), None),
    ):
        assert find_non_finite(column) == row


def test_a_column_that_polars_has_no_json_for_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import polars

    def refuse(*_: Any, **__: Any) -> None:
        raise polars.exceptions.ComputeError("no such type.\nmore")

    monkeypatch.setattr(polars.DataFrame, "write_ndjson", refuse)
    with pytest.raises(BulkError) as told:
        sunk(tmp_path / "a.jsonl")
    assert str(told.value) == "a column cannot be written as JSON (no such type); write parquet"
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(BulkError) as told:
        sunk(tmp_path / "a.jsonl")
    assert str(told.value) == "writing JSON lines needs polars: pip install 'forsyth[bulk]'"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["a\nb", "a\r", "\n"])
def test_a_text_with_a_line_break_is_named_by_its_row(tmp_path: Path, text: str) -> None:
    with pytest.raises(BulkError) as told:
        sunk(tmp_path / "a.txt", pa.record_batch({"fen": ["x", "a\rb", text]}))
    assert str(told.value) == (
        "row 3 has a line break in 'fen', which a text file cannot hold; write parquet or jsonl"
    )


def test_the_column_of_a_file_of_text() -> None:
    two = pa.schema([("a", pa.string()), ("fen", pa.string())])
    assert choose_text_column(two, None) == "fen"
    assert choose_text_column(two, "a") == "a"
    assert choose_text_column(two.remove(1), None) == "a"
    for schema, wanted, named in (
        (two, "b", "b"),
        (two.remove(1), "fen", "fen"),
        (two.set(1, two[0]), None, "fen"),
    ):
        with pytest.raises(BulkError) as told:
            choose_text_column(schema, wanted)
        assert str(told.value) == (
            f"a text file holds one column, and there is no {named!r} among {', '.join(schema.names)}; "
            "name the column, or write parquet, csv or jsonl"
        )


def test_a_borrowed_file_counts_and_hands_on_until_it_is_given_back() -> None:
    file = io.BytesIO()
    borrowed = UnclosableFile(file)
    assert borrowed.closed is False
    assert borrowed.write(b"abc") == 3
    assert borrowed.tell() == 3
    borrowed.flush()
    borrowed.close()
    borrowed.detach()
    assert borrowed.write(b"de") == 2
    assert borrowed.tell() == 5
    assert file.getvalue() == b"abc"


# --- NumPy --------------------------------------------------------------------------------------------


def test_the_header_of_a_numpy_array_to_the_byte() -> None:
    header = make_npy_header((3, 12, 8, 8))
    assert len(header) == 128
    assert header[:10] == b"\x93NUMPY\x01\x00\x76\x00"
    assert header[10:].rstrip() == b"{'descr': '|u1', 'fortran_order': False, 'shape': (3, 12, 8, 8,), }"
    assert header.endswith(b" \n")
    assert np.load(io.BytesIO(make_npy_header((2, 1)) + b"ab")).tolist() == [[97], [98]]


def test_the_column_of_planes_is_known_by_its_metadata() -> None:
    shaped = pa.field("p", pa.binary(8), metadata={"shape": "2,2,2"})
    assert find_planes(pa.schema([("x", pa.binary(8)), shaped])) == ("p", (2, 2, 2))
    for field in (
        pa.field("p", pa.binary(8)),
        pa.field("p", pa.binary(9), metadata={"shape": "2,2,2"}),
        pa.field("p", pa.binary(), metadata={"shape": "2,2,2"}),
        pa.field("p", pa.binary(8), metadata={"shape": ""}),
    ):
        with pytest.raises(BulkError) as told:
            find_planes(pa.schema([field]))
        assert str(told.value) == (
            "a NumPy file holds planes, and the data has no planes; use the verb planes, or write parquet"
        )


def test_planes_are_written_row_by_row_and_null_is_zeros(tmp_path: Path) -> None:
    field = pa.field("p", pa.binary(4), metadata={"shape": "1,2,2"})
    rows = pa.record_batch([pa.array([b"abcd", None, b"efgh"], pa.binary(4))], schema=pa.schema([field]))
    sunk(tmp_path / "a.npy", rows)
    found = np.load(tmp_path / "a.npy")
    assert found.shape == (3, 1, 2, 2)
    assert found.tobytes() == b"abcd\0\0\0\0efgh"
    concatenate([str(tmp_path / "a.npy")] * 2, str(tmp_path / "b.npy"))
    joined = np.load(tmp_path / "b.npy")
    assert joined.shape == (6, 1, 2, 2)
    assert joined.tobytes() == found.tobytes() * 2


# --- parts in their place -----------------------------------------------------------------------------


def test_cells_of_several_parts_have_one_header_even_where_its_names_have_line_breaks(tmp_path: Path) -> None:
    head = '"a\nb","c ""d"\n'
    for number in range(3):
        (tmp_path / f"{number}.csv").write_text(f'{head}"x\ny",{number}\n', newline="")
    (tmp_path / "3.csv").write_text(head, newline="")
    (tmp_path / "4.csv").write_text(head.rstrip("\n"), newline="")
    parts = [str(tmp_path / f"{number}.csv") for number in (0, 1, 3, 4, 2)]
    concatenate(parts, str(tmp_path / "out.csv"))
    assert (tmp_path / "out.csv").read_bytes().decode() == head + "".join(
        f'"x\ny",{number}\n' for number in range(3)
    )


@pytest.mark.parametrize("compression", ["gz", "zst"])
def test_compressed_cells_are_joined_and_compressed_again(tmp_path: Path, compression: str) -> None:
    rows = pa.record_batch({"fen": ["a"], "n": [1]})
    for number in range(2):
        sunk(tmp_path / f"{number}.csv.{compression}", rows)
    parts = [str(tmp_path / f"{number}.csv.{compression}") for number in range(2)]
    concatenate(parts, str(tmp_path / f"out.csv.{compression}"), Format.CSV, Compression(compression))
    with pa.input_stream(
        str(tmp_path / f"out.csv.{compression}"), compression={"gz": "gzip", "zst": "zstd"}[compression]
    ) as file:
        assert file.read() == b'"fen","n"\n"a",1\n"a",1\n'


def test_a_part_on_another_disk_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def elsewhere(*_: Any) -> None:
        raise OSError(errno.EXDEV, "another device")

    (tmp_path / "a.txt").write_text("x\n")
    with monkeypatch.context() as patched:
        patched.setattr(sinks_module, "move_atomically", elsewhere)
        concatenate([str(tmp_path / "a.txt")], str(tmp_path / "b.txt"))
    assert (tmp_path / "a.txt").read_text() == (tmp_path / "b.txt").read_text() == "x\n"
    concatenate([str(tmp_path / "a.txt")], str(tmp_path / "c.txt"))
    assert not (tmp_path / "a.txt").exists()
    assert (tmp_path / "c.txt").read_text() == "x\n"

    def broken(*_: Any) -> None:
        raise OSError(errno.EIO, "a broken disk")

    monkeypatch.setattr(sinks_module, "move_atomically", broken)
    with pytest.raises(BulkError) as told:
        concatenate([str(tmp_path / "b.txt")], str(tmp_path / "d.txt"))
    assert str(told.value) == (
        f"{tmp_path}/d.txt cannot be written ([Errno 5] a broken disk); choose another format for it, "
        "such as parquet"
    )


def test_parts_are_laid_out_under_their_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for turn in ("linked", "copied"):
        folder = tmp_path / turn
        folder.mkdir()
        for number in range(11):
            (folder / f"{number}.txt").write_text(f"{number}\n")
        if turn == "copied":

            def refuse(*_: Any) -> None:
                raise OSError(errno.EPERM, "no links here")

            monkeypatch.setattr(os, "link", refuse)
        parts = [str(folder / f"{number}.txt") for number in range(11)]
        target = tmp_path / f"{turn}-parts"
        target.mkdir(mode=0o750)
        target.chmod(0o750)
        deliver_parts(parts, f"{target}/", Format.TEXT, None)
        assert sorted(one.name for one in target.iterdir()) == [
            f"part-{number:05}.text" for number in range(11)
        ]
        assert [(target / f"part-{number:05}.text").read_text() for number in range(11)] == [
            f"{number}\n" for number in range(11)
        ]
        assert stat.S_IMODE(target.stat().st_mode) == 0o750
        assert Path(parts[0]).exists()
        assert Path(parts[0]).samefile(target / "part-00000.text") == (turn == "linked")
    deliver_parts(parts, f"{tmp_path}/packed/", Format.CSV, Compression.GZIP)
    assert (tmp_path / "packed" / "part-00010.csv.gz").exists()


def test_a_job_into_a_directory_writes_a_part_for_each_roll(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(f"{START}\n{OTHER}\n" * 3)
    report = run_files(
        "key", tmp_path / "a.txt", f"{tmp_path}/out/", run_options=RunOptions(roll_rows=4, threads=1)
    )
    assert report.rows == 6
    files = sorted((tmp_path / "out").iterdir())
    assert [one.name for one in files] == ["part-00000.parquet", "part-00001.parquet"]
    assert [pq.read_metadata(one).num_rows for one in files] == [4, 2]
    table = pq.read_table(files[0])
    assert table.schema.names == ["fen", "key"]
    assert table.schema.field("key").type == pa.binary(16)
    assert is_directory_target("x/") is True
    assert is_directory_target("x") is False


def test_where_a_target_may_stand(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    (tmp_path / "empty").mkdir()
    check_target("-")
    check_target(f"{tmp_path}/empty/")
    check_target(f"{tmp_path}/new/")
    check_target(f"{tmp_path}/new.csv")
    for target, words in (
        (
            f"{tmp_path}/no/x.csv",
            f"there is no directory {tmp_path}/no for {tmp_path}/no/x.csv; create it first",
        ),
        (f"{tmp_path}/full/", f"{tmp_path}/full/ exists and is not empty; name a new directory"),
        (f"{tmp_path}/full/x/", f"{tmp_path}/full/x is not a directory; name a new one"),
        (
            f"{tmp_path}/empty",
            f"{tmp_path}/empty is a directory; name a file in it, or end the name with / for a directory of "
            "parts",
        ),
    ):
        with pytest.raises(BulkError) as told:
            check_target(target)
        assert str(told.value) == words
    with pytest.raises(BulkError) as told:
        open_destination(str(tmp_path / "empty"))
    assert str(told.value) == (
        f"{tmp_path}/empty is a directory; name a file, or end the name with / for a directory of parts"
    )


@pytest.mark.parametrize(
    ("name", "form", "compression", "words"),
    [
        (
            "a.pgn",
            None,
            None,
            " as pgn; choose one of parquet, arrow, arrows, csv, tsv, jsonl, text, npy",
        ),
        ("a.parquet.gz", None, None, ", because parquet cannot be inside .gz; leave off .gz"),
        ("a.npy.zst", None, None, ", because npy cannot be inside .zst; leave off .zst"),
    ],
)
def test_formats_that_a_sink_cannot_have(
    tmp_path: Path, name: str, form: Format | None, compression: Compression | None, words: str
) -> None:
    with pytest.raises(BulkError) as told:
        open_sink(f"{tmp_path}/{name}", ROWS.schema, form, compression)
    assert str(told.value) == f"{tmp_path}/{name} cannot be written{words}"
    for path, shown in (("memory://a.npy", "memory://a.npy"), ("-", "standard output")):
        with pytest.raises(BulkError) as told:
            open_sink(path, ROWS.schema, Format.NPY)
        assert str(told.value) == (
            f"{shown} cannot be written as npy, because the header of npy is written last; name a local file"
        )


def test_columns_that_change_end_the_writing(tmp_path: Path) -> None:
    sink = open_sink(str(tmp_path / "a.csv"), pa.schema([("a", pa.string())]))
    with pytest.raises(BulkError) as told:
        sink.write_batch(pa.record_batch({"a": [1], "b": ["x"]}))
    assert str(told.value) == (
        f"{tmp_path}/a.csv cannot be written: the columns change from (a string) to (a int64, b string); run "
        "the command once for each kind of file"
    )
    sink.close()
    sink.abort()
    assert list(tmp_path.iterdir()) == []


# --- batches ------------------------------------------------------------------------------------------


def numbers(*sizes: int) -> list[pa.RecordBatch]:
    """Batches of so many numbers that go on from one to the next."""
    firsts = np.cumsum([0, *sizes])
    return [
        pa.record_batch({"n": pa.array(range(first, first + size), pa.int64())})
        for first, size in zip(firsts, sizes, strict=False)
    ]


@pytest.mark.parametrize(
    ("sizes", "roll", "skip", "cut"),
    [
        ((10, 20), 8, 0, [8, 8, 8, 6]),
        ((10, 20), 8, 16, [8, 6]),
        ((10, 20), 30, 0, [30]),
        ((10, 20), 30, 30, []),
        ((SMALL_BATCH_ROWS - 1, 5, 7), 1 << 20, 0, [SMALL_BATCH_ROWS + 4, 7]),
        ((SMALL_BATCH_ROWS - 5, 5, 7), 1 << 20, 0, [SMALL_BATCH_ROWS, 7]),
        ((5, SMALL_BATCH_ROWS, 7, 8), 1 << 20, 0, [5, SMALL_BATCH_ROWS, 15]),
        ((), 5, 0, []),
        ((0, 0), 5, 0, []),
    ],
)
def test_batches_are_cut_at_rolls_and_joined_where_they_are_small(
    sizes: tuple[int, ...], roll: int, skip: int, cut: list[int]
) -> None:
    found = list(rebatch(numbers(*sizes), roll, skip))
    assert [batch.num_rows for batch in found] == cut
    rows = [row for batch in found for row in batch.column(0).to_pylist()]
    assert rows == list(range(sum(sizes)))[skip:]


def test_heavy_batches_are_not_joined() -> None:
    def texts(size: int) -> pa.RecordBatch:
        return pa.record_batch({"a": pa.array(["x" * size], pa.large_string())})

    offsets = texts(0).nbytes
    for sizes, cut in (
        ((LARGE_BATCH_BYTES - offsets, 1, 1), [1, 2]),
        ((1, LARGE_BATCH_BYTES - offsets, 1), [1, 1, 1]),
        ((LARGE_BATCH_BYTES - offsets - 1, 1, 1), [2, 1]),
        ((LARGE_BATCH_BYTES // 2, LARGE_BATCH_BYTES // 2, 1), [2, 1]),
        ((LARGE_BATCH_BYTES // 2 - 40, LARGE_BATCH_BYTES // 2 - 40, 1, 1), [4]),
    ):
        assert [batch.num_rows for batch in rebatch(map(texts, sizes), 1 << 20)] == cut
    labels = pa.DictionaryArray.from_arrays(
        pa.array([0] * 4, pa.int32()), pa.array(["x" * (LARGE_BATCH_BYTES // 4)])
    )
    repeated = pa.record_batch({"a": labels})
    assert measure_shared_values(repeated) == LARGE_BATCH_BYTES // 4
    assert [batch.num_rows for batch in rebatch([repeated, repeated], 1 << 20)] == [4, 4]
    few = repeated.slice(0, 3)
    assert [batch.num_rows for batch in rebatch([few, few], 1 << 20)] == [6]


def test_values_that_rows_share_are_measured() -> None:
    views = pa.array(["abc", None, "abcdef"], pa.string_view())
    labels = pa.array(["xy", "z", None]).dictionary_encode()
    binary = pa.array([b"1234", b"", None], pa.binary_view())
    numbered = pa.array([1, 2, 2]).dictionary_encode()
    names = ["views", "labels", "binary", "numbered", "plain"]
    batch = pa.record_batch([views, labels, binary, numbered, pa.array(["0123456789"] * 3)], names)
    assert measure_shared_values(batch) == 6 + 2 + 4
    assert measure_shared_values(batch.slice(0, 0)) == 2, "the dictionary is there without rows"


def test_plain_and_decoded_batches_have_the_types_they_say() -> None:
    metadata = ROWS.replace_schema_metadata({"a": "b"})
    assert to_plain_batch(ROWS).schema == to_plain_schema(ROWS.schema)
    assert to_plain_schema(ROWS.schema).types == [pa.string(), pa.int32(), pa.large_string(), pa.string()]
    assert to_plain_batch(ROWS).column(2).to_pylist() == ["00ff", None, "", "1a"]
    assert decode_batch(metadata).schema == decode_schema(metadata.schema)
    assert decode_schema(metadata.schema).metadata == {b"a": b"b"}
    assert decode_schema(ROWS.schema).types == [pa.string(), pa.int32(), pa.binary(), pa.string()]
    assert decode_batch(ROWS).column(3).to_pylist() == ["p", None, "p", "q"]
    views = pa.record_batch(
        {"a": pa.array([b"\x01"], pa.binary_view()), "b": pa.array([b"\xff"], pa.binary(1))}
    )
    assert to_plain_batch(views).to_pylist() == [{"a": "01", "b": "ff"}]
    assert to_plain_batch(views.slice(0, 0)).num_rows == 0


def test_digits_are_bytes() -> None:
    one_length = decode_hex(pa.array(["00fF", None, "x0", "123"]))
    assert one_length.type == pa.binary(2)
    assert one_length.to_pylist() == [b"\x00\xff", None, None, None]
    several = decode_hex(pa.array(["", "0a", "0A0b", "g0"]))
    assert several.type == pa.large_binary()
    assert several.to_pylist() == [b"", b"\n", b"\n\x0b", None]
    assert decode_hex(pa.array(["0a"]).dictionary_encode()).to_pylist() == [b"\n"]
    assert decode_hex(pa.array(["zz", "0a", "0b"]).slice(1)).to_pylist() == [b"\n", b"\x0b"]
    given = pa.array([b"x"])
    assert decode_hex(given) is given
    assert decode_hex(pa.array(["x"])).to_pylist() == [None]
    assert decode_hex(pa.array([], pa.string())).to_pylist() == []


def test_columns_of_several_files_together() -> None:
    required = pa.schema([pa.field("a", pa.int64(), nullable=False), pa.field("b", pa.string())])
    found = unify_schemas(
        required, pa.schema([pa.field("c", pa.int8(), nullable=False), ("b", pa.null())]), "x"
    )
    assert found == pa.schema([("a", pa.int64()), ("b", pa.large_string()), ("c", pa.int8())])
    both = unify_schemas(required, required, "x")
    assert both.field("a").nullable is False
    for first, second, kind in (
        (pa.int32(), pa.int64(), pa.int64()),
        (pa.int64(), pa.float64(), pa.float64()),
        (pa.binary(4), pa.binary(), pa.large_binary()),
        (pa.string(), pa.large_string(), pa.large_string()),
        (pa.dictionary(pa.int8(), pa.string()), pa.string(), pa.large_string()),
        (pa.null(), pa.int8(), pa.int8()),
    ):
        schema = unify_schemas(pa.schema([("a", first)]), pa.schema([("a", second)]), "x")
        assert schema == pa.schema([("a", kind)])
    for first, second in (
        (pa.string(), pa.binary()),
        (pa.string(), pa.int64()),
        (pa.bool_(), pa.list_(pa.int8())),
    ):
        with pytest.raises(BulkError) as told:
            unify_schemas(pa.schema([("a", first)]), pa.schema([("a", second)]), "-")
        assert str(told.value) == (
            f"the column 'a' is of {second} in standard input and of {first} in the files before it; run the "
            "command once for each kind of file, or convert one of the files"
        )


def test_a_batch_is_fitted_to_the_columns_of_all_files() -> None:
    schema = pa.schema([("b", pa.int64()), ("a", pa.float64())], {"m": "n"})
    batch = pa.record_batch({"a": pa.array([1, 2], pa.int8())})
    found = cast_to_schema(batch, schema, "x")
    assert found.schema.equals(schema, check_metadata=True)
    assert found.to_pylist() == [{"b": None, "a": 1.0}, {"b": None, "a": 2.0}]
    assert cast_to_schema(found, schema, "x") is found


# --- records ------------------------------------------------------------------------------------------


def test_tables_of_records_say_their_game_in_parquet(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text("1. e4 *\n")
    asked: dict[str, Any] = {"game": "chess", "variant": "crazyhouse", "forms": ("fen", "key", "planes")}
    run_records("positions", tmp_path / "a.pgn", tmp_path / "a.parquet", **asked)
    schema = pq.read_schema(tmp_path / "a.parquet")
    shape = forsyth.game("chess", "crazyhouse").plane_shape
    assert schema.field("planes").type == pa.binary(shape.size)
    told = schema.field("planes").metadata
    assert told[b"shape"].decode() == f"{len(shape.names)},{shape.height},{shape.width}"
    assert told[b"planes"].decode() == ",".join(shape.names)
    assert schema.metadata == {b"forsyth.game": b"chess", b"forsyth.variant": b"crazyhouse"}
