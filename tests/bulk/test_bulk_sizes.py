"""The sizes that decide where batches, parts and files end: with them files stay the same to the byte.

A job that is resumed by a later version counts on them too. Whoever changes one, changes what is written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from forsyth.bulk import arrow, batches, sinks, writers
from forsyth.bulk.engines import job, records
from forsyth.bulk.index import book, build, files, plies, tallies, tasks
from forsyth.bulk.jobs import distinct_rows, inspect_input, run_files, run_records
from forsyth.bulk.sources import columnar, decompression_limits, delimited, lines, pgn, shards
from forsyth.bulk.sources import files as source_files
from forsyth.bulk.verbs import record_table, selection, shared_rows, text_column, verb

KILO, MEGA = 1 << 10, 1 << 20


@pytest.mark.parametrize(
    ("module", "sizes"),
    [
        (arrow, {"KEY_BYTES": 16, "_CACHED_ROWS": 512 * KILO}),
        (batches, {"SMALL_BATCH_ROWS": 8 * KILO, "LARGE_BATCH_BYTES": MEGA}),
        (writers, {"_GROUP_ROWS": 256 * KILO, "_GROUP_BYTES": 64 * MEGA, "NPY_HEADER_BYTES": 128}),
        (sinks, {"_BLOCK_BYTES": 4 * MEGA}),
        (
            job,
            {
                "ROLL_ROWS": MEGA,
                "BATCH_ROWS": 128 * KILO,
                "EXAMPLES_PER_CODE": 3,
                "MAX_EXAMPLE_CHARS": 400,
            },
        ),
        (records, {"DETECTION_SAMPLE": 20}),
        (book, {"MAX_OPEN_FILES": 64, "_MAX_CANDIDATES": 64}),
        (build, {"_BATCH_ROWS": 64 * KILO}),
        (
            files,
            {
                "VERSION": 1,
                "MAX_GAMES": 2**31 - 1,
                "MAX_PIECES": 200,
                "BUCKETS": 64 * KILO,
                "RUN_PLIES": MEGA,
            },
        ),
        (plies, {"BATCH_PLIES": 64 * KILO, "_MAX_RATING": 65_535}),
        (
            tallies,
            {
                "TOP_GAMES": 4,
                "MAX_LISTED_GAMES": 1000,
                "MAX_PLIES": MEGA,
                "MAX_MOVES": 2**24,
                "MAX_RANK": 2**22 - 1,
            },
        ),
        (tasks, {"PART_PLIES": MEGA, "SLICE_PLIES": 128 * KILO}),
        (distinct_rows, {"PARTITION_ROWS": MEGA, "MAX_PARTITIONS": 512}),
        (inspect_input, {"GROUP_BYTES": 400_000, "DETECTION_SAMPLE": 100}),
        (run_files, {"_PLANE_BYTES": 16 * MEGA}),
        (run_records, {"ROLL_BLOCKS": 256}),
        (columnar, {"_READ_BYTES": MEGA}),
        (
            decompression_limits,
            {"MAX_HEADER_BYTES": 64 * KILO, "MAX_COMPRESSION_RATIO": 100, "MAX_METADATA_BYTES": 16 * MEGA},
        ),
        (delimited, {"BLOCK_BYTES": 512 * KILO, "_MAX_CELLS_SEARCHED": 1000}),
        (lines, {"BLOCK_BYTES": 4 * MEGA}),
        (
            pgn,
            {
                "BLOCK_BYTES": 2 * MEGA,
                "SMALL_BLOCK_BYTES": 128 * KILO,
                "MAX_HELD_BYTES": 8 * MEGA,
                "_ROWS_PER_BATCH": 8 * KILO,
            },
        ),
        (shards, {"TARGET_BYTES": 64 * MEGA, "MAX_FILES": 512, "BATCH_ROWS": 64 * KILO}),
        (source_files, {"SMALL_FILE_BYTES": MEGA}),
        (selection, {"DEFAULT_SETS": "train=0.8,valid=0.1,test=0.1"}),
        (record_table, {"FACTS": ("variant", "result", "plies"), "DERIVED": ("SetUp", "FEN", "Result")}),
        (text_column, {"TEXT_NAMES": ("fen", "text", "position", "epd", "line")}),
        (verb, {"JOINABLE": ("scan", "key", "pack", "features", "planes", "material", "split")}),
    ],
)
def test_sizes_stay(module: Any, sizes: dict[str, Any]) -> None:
    assert {name: getattr(module, name) for name in sizes} == sizes


# --- parts of an array that threads share -------------------------------------------------------------


def noting(sizes: list[int]) -> Callable[[pa.Array, memoryview], pa.Array]:
    """Work that notes how many rows it was given."""

    def work(rows: pa.Array, room: memoryview) -> pa.Array:
        sizes.append(len(rows))
        assert len(room) == 2 * len(rows)
        return pa.array([value % 3 == 0 for value in rows.to_pylist()], pa.bool_())

    return work


@pytest.mark.parametrize(
    ("chunks", "threads", "parts"),
    [
        ([10_000], 1, [10_000]),
        ([10_000], 2, [2048, 2048, 2048, 2048, 1808]),
        ([4096], 2, [2048, 2048]),
        ([4097], 2, [2048, 2048, 1]),
        ([2048], 8, [2048]),
        ([20_000], 2, [*[2560] * 7, 2080]),
        ([20_000], 3, [*[2048] * 9, 1568]),
        ([3000, 20_000], 1, [3000, 20_000]),
        ([3000, 20_000], 2, [2048, 952, 5056, 5056, 5056, 4832]),
        ([0], 2, [0]),
    ],
)
def test_an_array_is_cut_into_parts_for_its_threads(
    chunks: list[int], threads: int, parts: list[int]
) -> None:
    arrays = [pa.array(range(size), pa.int64()) for size in chunks]
    whole = arrays[0] if len(arrays) == 1 else pa.chunked_array(arrays)
    sizes: list[int] = []
    found = shared_rows.map_in_parts(whole, noting(sizes), pa.bool_(), 2, threads)
    assert sorted(sizes) == sorted(parts)
    assert found.to_pylist() == [value % 3 == 0 for value in whole.to_pylist()]
    assert isinstance(found, pa.ChunkedArray) is (len(arrays) > 1)


def test_the_first_error_of_a_part_is_raised() -> None:
    def work(number: int) -> int:
        if number > 1:
            raise ValueError(f"part {number}")
        return number

    assert shared_rows.run_on_threads(work, [0, 1], 2) == [0, 1]
    for threads in (1, 2):
        with pytest.raises(ValueError, match="part 2"):
            shared_rows.run_on_threads(work, [0, 2, 3], threads)
