"""Reading, work and writing at the same time: the same rows in the same order, with few blocks in memory."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import forsyth
from forsyth.bulk import BulkError, RunOptions, run_files, sinks, writers
from forsyth.bulk.sources import lines
from forsyth.bulk.sources.parse_pool import ParsePool, parse_blocks

START = forsyth.game("chess").start


def test_blocks_are_parsed_in_any_thread_and_stay_in_order() -> None:
    threads: set[int] = set()
    both_parse = threading.Barrier(2, timeout=60)

    def parse(number: int) -> int:
        threads.add(threading.get_ident())
        if number < 2:
            both_parse.wait()
        return number * number

    with ThreadPoolExecutor(2) as executor:
        results = list(parse_blocks(parse, iter(range(50)), ParsePool(executor, 3)))
    assert results == [number * number for number in range(50)]
    assert len(threads) >= 2


def test_few_blocks_are_read_in_advance() -> None:
    read: list[int] = []

    def read_numbers() -> Iterator[int]:
        for number in range(100):
            read.append(number)
            yield number

    with ThreadPoolExecutor(2) as executor:
        for number in parse_blocks(int, read_numbers(), ParsePool(executor, 3)):
            assert len(read) <= number + 3


def test_an_error_of_reading_comes_after_the_blocks_before_it() -> None:
    def blocks() -> Iterator[int]:
        yield from range(5)
        raise BulkError("no more")

    results = []
    with ThreadPoolExecutor(2) as executor, pytest.raises(BulkError, match="no more"):
        for number in parse_blocks(int, blocks(), ParsePool(executor, 3)):
            results.append(number)
    assert results == list(range(5))


def test_json_lines_are_parsed_by_the_threads_of_the_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "BLOCK_BYTES", 2000)
    path, targets = tmp_path / "in.jsonl", {}
    texts = [f'{{"fen": "{START}", "n": {number}}}\n' for number in range(500)]
    path.write_text("".join(texts), encoding="utf-8")
    for threads in (1, 2, 5):
        target = tmp_path / f"{threads}.parquet"
        run_files("key", path, target, game="chess", run_options=RunOptions(threads=threads))
        targets[threads] = target.read_bytes()
    assert len(set(targets.values())) == 1
    # The line of an error is that of the file, however far the reader is ahead.
    texts[321] = '{"fen": 7, "n": 1\n'
    texts[450] = "\0\n"
    path.write_text("".join(texts), encoding="utf-8")
    for threads in (1, 2, 5):
        with pytest.raises(BulkError, match="line 322:"):
            run_files(
                "key", path, tmp_path / "o.parquet", game="chess", run_options=RunOptions(threads=threads)
            )


def test_parquet_is_encoded_once_and_is_the_same_as_joined_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writers, "_GROUP_ROWS", 4096)
    path = tmp_path / "in.jsonl"
    path.write_text("".join(f'{{"fen": "{START}", "n": {number}}}\n' for number in range(10_000)))
    joined: list[int] = []
    join = sinks._join_batches

    def count_joins(*arguments: Any) -> Any:
        joined.append(1)
        return join(*arguments)

    monkeypatch.setattr(sinks, "_join_batches", count_joins)
    data = []
    for resume in (False, True):
        target = tmp_path / f"{resume}.parquet"
        options = RunOptions(threads=2, shard_bytes=200_000, batch_rows=1500, resume=resume)
        run_files("key", path, target, game="chess", run_options=options)
        data.append(target.read_bytes())
        assert len(joined) == resume
    assert data[0] == data[1]
    groups = pq.ParquetFile(tmp_path / "False.parquet").metadata
    assert [groups.row_group(index).num_rows for index in range(groups.num_row_groups)] == [4096, 4096, 1808]
