"""What headers of pages and messages claim: read to the last field, refused one beyond the bound."""

from __future__ import annotations

import io
import struct
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from forsyth.bulk import BulkError, scan_files
from forsyth.bulk.sources import columnar, decompression_limits
from forsyth.bulk.sources.columnar import ArrowRows, ParquetRows, estimate_group_sizes
from forsyth.bulk.sources.decompression_limits import (
    MAX_COMPRESSION_RATIO,
    MAX_METADATA_BYTES,
    CheckedMessageStream,
    check_file_messages,
    check_message,
    measure_longest_value,
)
from forsyth.bulk.sources.files import Format

NO_HEADER = (
    "a cannot be read (the header of the page at byte {} is incomplete); "
    "it may be cut off or damaged: copy it again"
)

# --- headers of pages, in Thrift's compact protocol ---------------------------------------------------

INTEGER, BINARY, LIST, SET, MAP, STRUCT = 5, 8, 9, 10, 11, 12


def unsigned(number: int) -> bytes:
    """A number in groups of seven bits."""
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def integer(number: int) -> bytes:
    return unsigned(2 * number if number >= 0 else -2 * number - 1)


def numbered(after: int, kind: int, value: bytes = b"") -> bytes:
    """A field so many numbers after the one before it."""
    return bytes([after << 4 | kind]) + value


def sizes(kind: int, size: int, packed: int) -> bytes:
    """The first three fields of every header."""
    return b"".join(numbered(1, INTEGER, integer(one)) for one in (kind, size, packed))


def dictionary(after: int, values: int) -> bytes:
    """The field of a dictionary, its number of values among other fields."""
    inner = numbered(1, INTEGER, integer(values)) + numbered(1, INTEGER, integer(99)) + numbered(1, 1) + b"\0"
    return numbered(after, STRUCT, inner)


def chunk(data: bytes, physical: str = "FIXED_LEN_BYTE_ARRAY", **facts: Any) -> Any:
    """What the footer says of a column whose pages are `data`."""
    return SimpleNamespace(
        **{
            "data_page_offset": 0,
            "has_dictionary_page": False,
            "dictionary_page_offset": None,
            "total_compressed_size": len(data),
            "total_uncompressed_size": 1000,
            "path_in_schema": "fen",
            "physical_type": physical,
            "compression": "UNCOMPRESSED",
            **facts,
        }
    )


def longest(data: bytes, physical: str = "FIXED_LEN_BYTE_ARRAY", path: str = "a", **facts: Any) -> int:
    return measure_longest_value(io.BytesIO(data), chunk(data, physical, **facts), path)


@pytest.mark.parametrize(
    "between",
    [
        b"",
        numbered(1, 1),
        numbered(1, 2),
        numbered(1, 4, integer(-7)),
        numbered(1, 6, integer(1 << 40)),
        numbered(1, BINARY, unsigned(3) + b"\xff\xff\xff"),
        numbered(1, BINARY, unsigned(200) + b"\x15" * 200),
        numbered(1, 7, b"\x15" * 8),
        numbered(1, LIST, bytes([2 << 4 | 1]) + b"\1\2"),
        numbered(1, SET, bytes([3 << 4 | 2]) + b"\1\2\1"),
        numbered(1, LIST, bytes([2 << 4 | INTEGER]) + integer(300) + integer(5)),
        numbered(1, LIST, bytes([15 << 4 | INTEGER]) + unsigned(20) + integer(300) * 20),
        numbered(1, LIST, bytes([14 << 4 | INTEGER]) + integer(300) * 14),
        numbered(1, LIST, bytes([15 << 4 | 1]) + unsigned(17) + b"\1" * 17),
        numbered(1, STRUCT, numbered(2, BINARY, unsigned(1) + b"x") + numbered(1, 1) + b"\0"),
        numbered(1, LIST, bytes([2 << 4 | STRUCT]) + (numbered(1, INTEGER, integer(9)) + b"\0") * 2),
    ],
)
def test_what_a_header_says_besides_its_sizes_is_skipped(between: bytes) -> None:
    header = sizes(2, 60, 60) + between + dictionary(7 - 3 - bool(between), 4) + b"\0"
    assert longest(header + bytes(60)) == 15, "a dictionary of 60 bytes and 4 values"


def test_the_number_of_a_field_may_stand_behind_its_type() -> None:
    dictionary_at_seven = bytes([STRUCT]) + integer(7) + dictionary(1, 6)[1:]
    header = sizes(2, 60, 60) + dictionary_at_seven + b"\0"
    assert longest(header + bytes(60)) == 10


def test_a_dictionary_without_values_is_one_value_at_most() -> None:
    header = sizes(2, 60, 60) + dictionary(4, 0) + b"\0"
    assert longest(header + bytes(60)) == 60
    assert longest(sizes(2, 60, 60) + b"\0" + bytes(60)) == 60
    second_field = numbered(4, STRUCT, numbered(2, INTEGER, integer(3)) + b"\0")
    assert longest(sizes(2, 60, 60) + second_field + b"\0" + bytes(60)) == 60
    text = numbered(4, STRUCT, numbered(1, BINARY, unsigned(1) + b"x") + b"\0")
    assert longest(sizes(2, 60, 60) + text + b"\0" + bytes(60)) == 60


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"\0",
        numbered(1, INTEGER, integer(2)) + numbered(1, INTEGER, integer(60)) + b"\0",
        numbered(2, INTEGER, integer(2)) + numbered(1, INTEGER, integer(60)) + b"\0",
        sizes(2, 60, -1) + b"\0",
        sizes(2, 60, 60),
        sizes(2, 60, 60) + numbered(1, MAP) + b"\0",
        sizes(2, 60, 60) + numbered(1, 3) + b"\0",
        sizes(2, 60, 60) + numbered(1, 13) + b"\0",
        sizes(2, 60, 60) + numbered(1, INTEGER, b"\x80" * 9 + b"\x80"),
        sizes(2, 60, 60) + numbered(1, LIST, bytes([15 << 4 | BINARY]) + unsigned(1 << 60)),
        sizes(2, 60, 60) + numbered(1, LIST, bytes([3 << 4 | BINARY]) + unsigned(1 << 20)) + b"\0" * 3,
        sizes(2, 60, 60) + numbered(1, LIST, bytes([2 << 4 | 7]) + b"\0" * 3),
    ],
)
def test_a_header_that_does_not_end_or_lacks_a_size_is_named_with_its_place(header: bytes) -> None:
    begin = sizes(0, 10, 10) + b"\0" + bytes(10)
    with pytest.raises(BulkError) as told:
        longest(begin + header, total_compressed_size=len(begin) + max(len(header), 1))
    assert str(told.value) == NO_HEADER.format(len(begin))


def test_a_number_of_sixty_four_bits_is_read() -> None:
    most = numbered(1, 6, b"\xff" * 9 + b"\x01")
    assert longest(sizes(2, 60, 60) + most + dictionary(3, 4) + b"\0" + bytes(60)) == 15


def test_a_page_may_have_as_many_bytes_as_the_limit_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decompression_limits, "MAX_BULK_PAGE", 60)
    assert longest(sizes(0, 60, 8) + b"\0" + bytes(8)) == 0
    assert longest(sizes(0, 0, 8) + b"\0" + bytes(8)) == 0
    for size in (61, -1):
        with pytest.raises(BulkError) as told:
            longest(sizes(0, size, 8) + b"\0" + bytes(8))
        assert str(told.value) == (
            f"a: a page of the column 'fen' has {size} bytes when it is decompressed, expected at most 60; "
            "write the file again with smaller values"
        )


def test_pages_follow_one_another_and_the_dictionary_comes_first() -> None:
    first = sizes(2, 40, 40) + dictionary(4, 4) + b"\0" + bytes(40)
    second = sizes(0, 10, 10) + b"\0" + bytes(10)
    third = sizes(2, 40, 40) + dictionary(4, 2) + b"\0" + bytes(40)
    data = b"PAR1" + first + second + third
    at = len(b"PAR1" + first)
    whole: dict[str, Any] = {
        "data_page_offset": at,
        "has_dictionary_page": True,
        "total_compressed_size": len(data) - 4,
    }
    assert longest(data, dictionary_page_offset=4, **whole) == 20
    assert longest(data, dictionary_page_offset=4, **{**whole, "total_compressed_size": len(first)}) == 10
    # What stands after the pages of data is of another column.
    later = {**whole, "total_compressed_size": len(second)}
    assert longest(data, dictionary_page_offset=len(data), **later) == 0
    assert longest(data, dictionary_page_offset=4, **{**later, "has_dictionary_page": False}) == 0


def test_at_a_url_the_pages_after_the_dictionary_are_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    first = sizes(2, 40, 40) + dictionary(4, 4) + b"\0" + bytes(40)
    second = sizes(2, 40, 40) + dictionary(4, 2) + b"\0" + bytes(40)
    monkeypatch.setattr(decompression_limits, "MAX_BULK_PAGE", 1000)
    assert longest(first + second, path="memory://a") == 10
    assert longest(first + second, path="memory://a", total_uncompressed_size=1001) == 20
    assert longest(first + second, path="a") == 20


def plain(*values: bytes) -> bytes:
    """Values as a dictionary of bytes of any length has them."""
    return b"".join(len(one).to_bytes(4, "little") + one for one in values)


def test_the_longest_value_of_a_dictionary_of_texts() -> None:
    def said(body: bytes, **facts: Any) -> int:
        header = sizes(2, facts.pop("size", len(body)), len(body)) + b"\0"
        return longest(header + body, "BYTE_ARRAY", **facts)

    assert said(plain(b"abc", b"", b"abcde", b"x")) == 5
    assert said(plain()) == 0
    assert said(plain(b"")) == 0
    assert said(plain(b"abc") + b"\1\0\0") == 3, "what is left at the end is no length"
    assert said(plain(b"abc") + (1 << 30).to_bytes(4, "little")) == 11, "no longer than the page itself"
    packed = pa.Codec("zstd").compress(plain(b"abc", b"abcdefg"), asbytes=True)
    whole = len(plain(b"abc", b"abcdefg"))
    assert said(packed, compression="ZSTD", size=whole) == 7
    assert said(packed, compression="LZO", size=whole) == whole, "all of it may be one value"
    assert said(packed[:-3] + b"xxx", compression="GZIP", size=whole) == whole
    header = sizes(2, 8, 8) + dictionary(4, 2) + b"\0"
    assert longest(header + bytes(8), "INT32") == 0


# --- messages of Arrow IPC ----------------------------------------------------------------------------


def message(table: pa.Table, compression: str | None = "zstd") -> pa.Message:
    """The first batch of a table as a message."""
    out = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.ipc.new_stream(out, table.schema, options=options) as writer:
        writer.write_table(table)
    _, batch = pa.ipc.MessageReader.open_stream(out.getvalue())
    return batch


def test_a_batch_is_refused_that_claims_more_than_the_bound_and_the_ratio(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = message(pa.table({"fen": ["x" * 100_000]}))
    metadata, body = found.metadata.to_pybytes(), found.body.to_pybytes()
    claimed = 100_000 + 8  # the text, and two offsets of four bytes
    assert len(body) * MAX_COMPRESSION_RATIO < claimed
    monkeypatch.setattr(decompression_limits, "MAX_BULK_MESSAGE", claimed)
    check_message(metadata, body, "a")
    monkeypatch.setattr(decompression_limits, "MAX_BULK_MESSAGE", claimed - 1)
    with pytest.raises(BulkError) as told:
        check_message(metadata, body, "-")
    assert str(told.value) == (
        f"standard input: a batch of {len(body)} bytes claims {claimed} bytes when it is decompressed, "
        f"expected at most {claimed - 1}; write the file again with smaller batches"
    )
    enough = -(-claimed // MAX_COMPRESSION_RATIO)
    check_message(metadata, body + bytes(enough - len(body)), "a")
    with pytest.raises(BulkError):
        check_message(metadata, body + bytes(enough - 1 - len(body)), "a")
    monkeypatch.setattr(decompression_limits, "MAX_BULK_MESSAGE", 0)
    plain_message = message(pa.table({"fen": ["x" * 100_000]}), None)
    check_message(plain_message.metadata.to_pybytes(), b"", "a")


def test_a_buffer_that_is_not_compressed_claims_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """A size of -1 means that the bytes behind it are as they are."""
    found = message(pa.table({"fen": ["x" * 100_000]}))
    metadata, body = found.metadata.to_pybytes(), found.body.to_pybytes()
    monkeypatch.setattr(decompression_limits, "MAX_BULK_MESSAGE", 1000)
    with pytest.raises(BulkError, match="claims 100008"):
        check_message(metadata, body, "a")
    at = body.rindex(struct.pack("<q", 100_000))
    check_message(metadata, body[:at] + struct.pack("<q", -1) + body[at + 8 :], "a")


def test_a_message_whose_head_ends_early_is_a_sentence() -> None:
    found = message(pa.table({"fen": ["x" * 1000]}))
    metadata, body = found.metadata.to_pybytes(), found.body.to_pybytes()
    for head, rest in ((b"", body), (metadata[:10], body), (metadata, b"")):
        with pytest.raises(BulkError) as told:
            check_message(head, rest, "a")
        assert str(told.value) == (
            "a cannot be read (the metadata of a message is incomplete); "
            "it may be cut off or damaged: copy it again"
        )


def written(path: Path, *tables: pa.Table, compression: str | None = "zstd") -> Path:
    options = pa.ipc.IpcWriteOptions(compression=compression)
    make = pa.ipc.new_file if path.suffix == ".arrow" else pa.ipc.new_stream
    with make(str(path), tables[0].schema, options=options) as writer:
        for table in tables:
            writer.write_table(table)
    return path


@pytest.mark.parametrize("kind", ["arrow", "arrows"])
def test_a_hostile_file_of_arrow_is_refused_before_a_row_is_read(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decompression_limits, "MAX_BULK_MESSAGE", 1000)
    good, bad = pa.table({"fen": ["x"]}), pa.table({"fen": ["x" * 100_000]})
    path = written(tmp_path / f"a.{kind}", good, bad)
    size = len(message(bad).body)
    with pytest.raises(BulkError) as told:
        scan_files([str(path)], game="chess")
    assert str(told.value) == (
        f"{path}: a batch of {size} bytes claims 100008 bytes when it is decompressed, "
        "expected at most 1000; write the file again with smaller batches"
    )


def test_only_the_batches_that_are_read_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decompression_limits, "MAX_BULK_MESSAGE", 1000)
    good, bad = pa.table({"fen": ["x", "y"]}), pa.table({"fen": ["x" * 100_000]})
    path = str(written(tmp_path / "a.arrow", good, bad, good))
    for first, count in ((0, 1), (2, 1), (2, None), (0, 0)):
        rows = ArrowRows(path, first_batch=first, batch_count=count)
        assert sum(batch.num_rows for batch in rows.iter_batches(10)) == (2 if count != 0 else 0)
        rows.close()
    for first, count in ((0, 2), (1, 1), (1, None), (0, None)):
        with pytest.raises(BulkError, match="claims 100008"):
            ArrowRows(path, first_batch=first, batch_count=count)
    with pa.memory_map(path) as file:
        check_file_messages(file, 8, range(1), path)
        assert file.tell() == 0


def test_dictionaries_of_a_file_are_looked_at_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decompression_limits, "MAX_BULK_MESSAGE", 1000)
    labels = pa.DictionaryArray.from_arrays(pa.array([0], pa.int32()), pa.array(["x" * 100_000]))
    for name in ("a.arrow", "a.arrows"):
        path = written(tmp_path / name, pa.table({"fen": labels}))
        with pytest.raises(BulkError, match="bytes claims 100008 bytes when it is decompressed"):
            scan_files([str(path)], game="chess")


class Pieces:
    """A source that remembers how much was asked for."""

    def __init__(self, data: bytes) -> None:
        self._file = io.BytesIO(data)
        self.asked: list[int] = []

    def read(self, size: int) -> bytes:
        self.asked.append(size)
        return self._file.read(size)


def test_a_framed_stream_gives_every_byte_once(tmp_path: Path) -> None:
    tables = [pa.table({"fen": ["x" * 300]}), pa.table({"fen": ["y"]})]
    data = written(tmp_path / "a.arrows", *tables).read_bytes() + b"what follows the end"
    for size in (1, 7, 64, 1000, len(data) + 5):
        framed = CheckedMessageStream(Pieces(data), "a")
        found = []
        while piece := framed.read(size):
            found.append(piece)
        assert b"".join(found) == data
        assert all(len(piece) == size for piece in found[:-1])
    assert CheckedMessageStream(Pieces(data), "a").closed is False
    assert CheckedMessageStream(Pieces(b""), "a").read(10) == b""


def test_a_framed_stream_asks_for_a_message_whole_and_no_more_metadata_than_the_limit() -> None:
    found = message(pa.table({"fen": ["x" * 300]}), None)
    metadata, body = found.metadata.to_pybytes(), found.body.to_pybytes()
    head = b"\xff\xff\xff\xff" + struct.pack("<I", len(metadata))
    source = Pieces(head + metadata + body)
    assert CheckedMessageStream(source, "a").read(4) == head[:4]
    assert source.asked == [4, 4, len(metadata), len(body)]
    old = Pieces(head[4:] + metadata + body)
    assert CheckedMessageStream(old, "a").read(4) == head[4:]
    assert old.asked == [4, len(metadata), len(body)]
    for size, asked in (
        (MAX_METADATA_BYTES + 1, [4, 4, 1]),
        (MAX_METADATA_BYTES, [4, 4, MAX_METADATA_BYTES]),
        (0, [4, 4, 1]),
    ):
        short = Pieces(b"\xff\xff\xff\xff" + struct.pack("<I", size) + b"abc")
        assert (
            CheckedMessageStream(short, "a").read(9)
            == (b"\xff\xff\xff\xff" + struct.pack("<I", size) + b"abc")[:9]
        )
        assert short.asked == asked


# --- how files of columns are cut into batches --------------------------------------------------------


def test_a_long_value_makes_batches_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columnar, "MAX_BULK_BATCH", 100)
    labels = pa.DictionaryArray.from_arrays(pa.array([0] * 12, pa.int32()), pa.array(["x" * 25]))
    table = pa.table({"fen": labels, "n": range(12)})
    pq.write_table(table, tmp_path / "a.parquet")
    written(tmp_path / "a.arrow", table, compression=None)
    for rows in (ParquetRows(str(tmp_path / "a.parquet")), ArrowRows(str(tmp_path / "a.arrow"))):
        assert [batch.num_rows for batch in rows.iter_batches(10)] == [4, 4, 4]
        rows.close()
    for rows in (ParquetRows(str(tmp_path / "a.parquet")), ArrowRows(str(tmp_path / "a.arrow"))):
        assert [row for batch in rows.iter_batches(3, skip=5) for row in batch.column(1).to_pylist()] == [
            *range(5, 12)
        ]
        rows.close()
    monkeypatch.setattr(columnar, "MAX_BULK_BATCH", 3)
    for rows in (ParquetRows(str(tmp_path / "a.parquet")), ArrowRows(str(tmp_path / "a.arrow"))):
        assert [batch.num_rows for batch in rows.iter_batches(10)] == [1] * 12, "at least one row"
        rows.close()


def test_only_columns_that_are_asked_for_make_batches_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columnar, "MAX_BULK_BATCH", 100)
    path = str(tmp_path / "a.parquet")
    pq.write_table(pa.table({"fen": ["ab"] * 50, "note": ["y" * 40] * 50}), path)
    rows = ParquetRows(path)
    assert [batch.num_rows for batch in rows.iter_batches(60)] == [2] * 25
    rows.close()
    rows = ParquetRows(path)
    rows.schema = rows.schema.remove(1)
    found = list(rows.iter_batches(60))
    assert [batch.num_rows for batch in found] == [50]
    assert found[0].schema.names == ["fen"]
    rows.close()


def test_groups_of_files_of_columns_have_their_sizes(tmp_path: Path) -> None:
    table = pa.table({"fen": [f"{number:040}" for number in range(100)]})
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=30)
    facts = pq.ParquetFile(tmp_path / "a.parquet").metadata
    assert estimate_group_sizes(str(tmp_path / "a.parquet"), Format.PARQUET) == [
        facts.row_group(number).total_byte_size for number in range(4)
    ]
    with pa.ipc.new_file(str(tmp_path / "a.arrow"), table.schema) as writer:
        for batch in table.to_batches(max_chunksize=40):
            writer.write_batch(batch)
    size = (tmp_path / "a.arrow").stat().st_size
    assert estimate_group_sizes(str(tmp_path / "a.arrow"), Format.ARROW) == [size // 3] * 3
    written(tmp_path / "a.arrows", table)
    assert estimate_group_sizes(str(tmp_path / "a.arrows"), Format.ARROWS) is None
    with pa.ipc.new_file(str(tmp_path / "none.arrow"), table.schema):
        pass
    assert estimate_group_sizes(str(tmp_path / "none.arrow"), Format.ARROW) == []


def test_a_parquet_file_says_how_much_of_its_groups_was_read(tmp_path: Path) -> None:
    table = pa.table({"fen": [f"{number:040}" for number in range(100)]})
    path = str(tmp_path / "a.parquet")
    pq.write_table(table, path, row_group_size=50)
    sizes_of = estimate_group_sizes(path, Format.PARQUET) or []
    rows = ParquetRows(path, 1, 1)
    assert rows.bytes_read == 0
    seen = [(batch.column(0)[0].as_py(), rows.bytes_read) for batch in rows.iter_batches(25)]
    assert seen == [(f"{50:040}", sizes_of[1] // 2), (f"{75:040}", sizes_of[1])]
    rows.close()
    rows = ParquetRows(path)
    found = list(rows.iter_batches(100, skip=60))
    assert [batch.column(0)[0].as_py() for batch in found if batch.num_rows] == [f"{60:040}"]
    assert rows.bytes_read == sum(sizes_of)
    rows.close()
    pq.write_table(table.slice(0, 0), path)
    rows = ParquetRows(path)
    assert list(rows.iter_batches(10)) == []
    assert rows.bytes_read == 0
    rows.close()
