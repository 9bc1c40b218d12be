"""Small files that claim much: what they cost is bounded, measured in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from forsyth.bulk import BulkError, run_files, scan_files
from forsyth.bulk.sources.decompression_limits import measure_longest_value
from forsyth.limits import MAX_BULK_MESSAGE, MAX_BULK_PAGE

MEASURED = """
import resource, sys
from forsyth.bulk import BulkError, run_files

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10

before = peak()
target, *sources = sys.argv[1:]
for source in sources:
    try:
        said = run_files("key" if target else "scan", [source], target or None, game="chess").rows
    except BulkError as error:
        said = error
    print(said)
print(peak() - before)
"""


def measured(*sources: Path, target: str = "") -> tuple[int, list[str]]:
    """Megabytes that jobs took beyond importing, one after the other, and the rows or the words of each."""
    run = [sys.executable, "-c", MEASURED, target, *map(str, sources)]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    *said, grown = done.stdout.splitlines()
    return int(grown), said


def repeated(value: str, rows: int) -> pa.Table:
    """One value in every row."""
    labels = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array([value]))
    return pa.table({"fen": labels})


def test_pages_of_parquet_and_batches_of_arrow_that_claim_too_much_are_refused(tmp_path: Path) -> None:
    """All in one process: none of them takes what it claims."""
    page = pa.table({"fen": ["x" * (MAX_BULK_PAGE + 1)]})
    pages = [tmp_path / f"{dictionary}.parquet" for dictionary in (False, True)]
    for path in pages:
        pq.write_table(page, path, compression="zstd", use_dictionary=path.stem == "True")
        assert path.stat().st_size < 20_000
    table = pa.table({"fen": ["x" * (MAX_BULK_MESSAGE + 1)]})
    batches = [tmp_path / f"{how}.{kind}" for how in ("zstd", "lz4") for kind in ("arrow", "arrows")]
    for path in batches:
        options = pa.ipc.IpcWriteOptions(compression=path.stem)
        make = pa.ipc.new_file if path.suffix == ".arrow" else pa.ipc.new_stream
        with make(str(path), table.schema, options=options) as writer:
            writer.write_table(table)
        assert path.stat().st_size < 2_000_000
    grown, said = measured(*pages, *batches)
    assert [f"{path}" in words for path, words in zip([*pages, *batches], said, strict=True)] == [True] * 6
    assert ["a page of the column 'fen' has" in words for words in said] == [True] * 2 + [False] * 4
    short = f"expected at most {MAX_BULK_MESSAGE}; write the file again"
    assert [short in words for words in said] == [False] * 2 + [True] * 4
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
        assert measure_longest_value(file, chunk, "a") == 1 << 18
    if compression == "zstd":
        grown, said = measured(path)
        assert said == ["6000"]
        assert grown < 700, "all rows would take a gigabyte and a half"


def test_batches_of_usual_texts_are_as_long_as_ever(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    texts = [f"{number:060}" for number in range(100_000)]
    pq.write_table(pa.table({"fen": texts, "n": range(100_000), "tags": [["a", "b"]] * 100_000}), path)
    facts = pq.ParquetFile(path).metadata.row_group(0)
    with path.open("rb") as file:
        assert [measure_longest_value(file, facts.column(place), "a") for place in range(3)] == [60, 0, 1]


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
    grown, said = measured(path, target=str(tmp_path / "out.parquet"))
    assert said == ["5000"]
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
