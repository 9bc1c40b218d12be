"""Small files that claim much: what they cost is bounded, measured in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from forsyth.bulk import BulkError, run_files, scan_files
from forsyth.bulk.sources.decompression_limits import longest_value
from forsyth.limits import MAX_BULK_MESSAGE, MAX_BULK_PAGE

MEASURED = """
import resource, sys
from forsyth.bulk import BulkError, run_files

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10

before = peak()
source, target = sys.argv[1:]
try:
    report = run_files("key" if target else "scan", [source], target or None, game="chess")
    said = report.rows
except BulkError as error:
    said = error
print(peak() - before, said, sep="|")
"""


def measured(source: Path, target: str = "") -> tuple[int, str]:
    """Megabytes that a job took beyond importing, and its rows or what it said."""
    run = [sys.executable, "-c", MEASURED, str(source), target]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    grown, said = done.stdout.strip().split("|", 1)
    return int(grown), said


def repeated(value: str, rows: int) -> pa.Table:
    """One value in every row."""
    labels = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array([value]))
    return pa.table({"fen": labels})


@pytest.mark.parametrize("dictionary", [False, True])
def test_a_page_of_parquet_that_claims_too_much_is_refused(tmp_path: Path, dictionary: bool) -> None:
    path = tmp_path / "a.parquet"
    table = pa.table({"fen": ["x" * (MAX_BULK_PAGE + 1)]})
    pq.write_table(table, path, compression="zstd", use_dictionary=dictionary)
    assert path.stat().st_size < 20_000
    grown, said = measured(path)
    assert "a page of the column 'fen' has" in said
    assert grown < 50


def test_a_page_that_is_not_asked_for_may_be_of_any_size(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"fen": ["x"], "image": ["x" * (MAX_BULK_PAGE + 1)]}), path, compression="zstd")
    assert scan_files([str(path)], game="chess").rows == 1
    with pytest.raises(BulkError, match="a page of the column 'image'"):
        run_files("key", [str(path)], str(tmp_path / "out.parquet"), game="chess")


@pytest.mark.parametrize("compression", ["none", "snappy", "gzip", "zstd", "brotli", "lz4"])
def test_a_value_that_a_dictionary_repeats_is_not_held_for_every_row(
    tmp_path: Path, compression: str
) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(repeated("y" * (1 << 18), 6_000), path, compression=compression, store_schema=False)
    chunk = pq.ParquetFile(path).metadata.row_group(0).column(0)
    with path.open("rb") as file:
        assert longest_value(file, chunk, "a") == 1 << 18
    if compression == "zstd":
        grown, said = measured(path)
        assert said == "6000"
        assert grown < 700, "all rows would take a gigabyte and a half"


def test_batches_of_usual_texts_are_as_long_as_ever(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    texts = [f"{number:060}" for number in range(100_000)]
    pq.write_table(pa.table({"fen": texts, "n": range(100_000), "tags": [["a", "b"]] * 100_000}), path)
    facts = pq.ParquetFile(path).metadata.row_group(0)
    with path.open("rb") as file:
        assert [longest_value(file, facts.column(place), "a") for place in range(3)] == [60, 0, 1]


@pytest.mark.parametrize("kind", ["arrow", "arrows"])
@pytest.mark.parametrize("compression", ["zstd", "lz4"])
def test_a_batch_of_arrow_that_claims_too_much_is_refused(
    tmp_path: Path, kind: str, compression: str
) -> None:
    path = tmp_path / f"a.{kind}"
    table = pa.table({"fen": ["x" * (MAX_BULK_MESSAGE + 1)]})
    options = pa.ipc.IpcWriteOptions(compression=compression)
    make = pa.ipc.new_file if kind == "arrow" else pa.ipc.new_stream
    with make(str(path), table.schema, options=options) as writer:
        writer.write_table(table)
    del table
    assert path.stat().st_size < 2_000_000
    grown, said = measured(path)
    assert f"expected at most {MAX_BULK_MESSAGE}; write the file again" in said
    assert grown < 50


@pytest.mark.parametrize("kind", ["arrow", "arrows"])
def test_compressed_batches_of_rows_are_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"a.{kind}"
    table = pa.concat_tables([repeated("x", 30), repeated("x", 10)])
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    make = pa.ipc.new_file if kind == "arrow" else pa.ipc.new_stream
    with make(str(path), table.schema, options=options) as writer:
        writer.write_table(table)
    assert scan_files([str(path)], game="chess").rows == 40


def test_a_dictionary_of_arrow_is_written_in_short_batches(tmp_path: Path) -> None:
    path = tmp_path / "a.arrows"
    table = repeated("y" * (1 << 18), 5_000)
    with pa.ipc.new_stream(str(path), table.schema) as writer:
        writer.write_table(table)
    grown, said = measured(path, str(tmp_path / "out.parquet"))
    assert said == "5000"
    assert grown < 700, "all rows would take more than a gigabyte"


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"\x1c" * 40_000,
        b"\x15\x80" + b"\x80" * 90,
        b"\x19\xf1" + b"\xff" * 9 + b"\x01",
        b"\x19\x0e\0",
    ],
)
def test_headers_that_are_none_are_a_sentence(tmp_path: Path, header: bytes) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"fen": ["x" * 50_000]}), path, compression="none", use_dictionary=False)
    data = bytearray(path.read_bytes())
    data[4 : 4 + len(header)] = header
    path.write_bytes(data if header else data[:4] + bytes(50_000) + data[50_004:])
    with pytest.raises(BulkError, match="cannot be read"):
        scan_files([str(path)], game="chess")
