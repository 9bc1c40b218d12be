"""What goes to the workers of a cluster and back, with an engine in this process; locks, and resumed jobs."""

from __future__ import annotations

import errno
import inspect
import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.bulk.random_records import random_records, write_records

import forsyth
from forsyth import bulk
from forsyth.bulk import BulkError, dedupe_files, run_files, run_records
from forsyth.bulk.engines import checkpoints
from forsyth.bulk.engines.checkpoints import (
    Lock,
    Part,
    locate_parts_folder,
    open_parts_folder,
    read_finished_parts,
)
from forsyth.bulk.engines.job import PassSpec, Progress, Tally
from forsyth.bulk.engines.records import (
    RecordOptions,
    RecordStream,
    detect_game_of_records,
    expand_record_files,
    has_records,
    limit_pending_blocks,
    plan_record_shards,
)
from forsyth.bulk.engines.shard_work import (
    make_tasks,
    parse_answer,
    run_shards,
    run_task,
    with_absolute_paths,
)
from forsyth.bulk.index import build as index_build
from forsyth.bulk.index import tasks as index_tasks
from forsyth.bulk.index.book import Book
from forsyth.bulk.index.build import build_index, merge_indexes
from forsyth.bulk.index.files import BucketPlies, Manifest, Run
from forsyth.bulk.jobs.run_files import JobOptions, JobSpec, PassResult, RunOptions, collect_parts
from forsyth.bulk.polars import scan_games, scan_positions
from forsyth.bulk.sources.files import Compression, Format, SourceFile, expand_patterns
from forsyth.bulk.sources.pgn import BLOCK_SCHEMA
from forsyth.bulk.sources.shards import Shard, plan_shards
from forsyth.bulk.verbs.record_table import RecordTable, TableOptions
from forsyth.bulk.verbs.verb import Verb

START = forsyth.game("chess").start
AFTER = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """An engine that does every task here, under the name of another; the tasks it was given."""
    given: list[str] = []

    def shards_here(
        job: PassSpec, shards: Sequence[Shard], progress: Progress | None
    ) -> Iterator[list[Part]]:
        for task in make_tasks(job, shards):
            given.append(task)
            yield parse_answer(run_task(task), progress)

    def texts_here(work: Callable[[str], str], texts: Sequence[str]) -> Iterator[str]:
        given.extend(texts)
        # The last comes first: an engine may answer in any order.
        yield from map(work, reversed(texts))

    engine = ModuleType("forsyth.bulk.ray")
    engine.run_shards = shards_here  # type: ignore[attr-defined]
    engine.run_tasks = texts_here  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "forsyth.bulk.ray", engine)
    return given


class Steps:
    """What a progress bar is told."""

    def __init__(self) -> None:
        self.totals: list[int | None] = []
        self.steps: list[tuple[int, int]] = []

    def begin(self, total: int | None) -> Progress:
        self.totals.append(total)
        return lambda rows, size: self.steps.append((rows, size))


# --- tasks and answers --------------------------------------------------------------------------------


def test_a_job_on_an_engine_writes_what_the_local_one_writes(tmp_path: Path, asked: list[str]) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(f"{START}\n{AFTER}\nx\n")
    sources = [str(tmp_path / name) for name in ("a.txt", "b.txt")]
    steps = Steps()
    size = 2 * (tmp_path / "a.txt").stat().st_size
    there = run_files(
        "key",
        sources,
        tmp_path / "there.csv",
        run_options=RunOptions("ray", start_progress=steps.begin, shard_bytes=50),
    )
    here = run_files("key", sources, tmp_path / "here.csv", run_options=RunOptions(shard_bytes=50))
    assert (tmp_path / "there.csv").read_text() == (tmp_path / "here.csv").read_text()
    assert {**there.to_dict(), "target": ""} == {**here.to_dict(), "target": ""}
    assert steps.totals == [size]
    assert (sum(rows for rows, _ in steps.steps), sum(read for _, read in steps.steps)) == (6, size)
    assert len(steps.steps) == len(asked)
    for number, task in enumerate(asked):
        data = json.loads(task)
        assert sorted(data) == ["job", "shard"]
        assert data["job"]["threads"] == 1
        assert data["shard"]["number"] == number


def test_what_is_wrong_with_the_data_comes_back_as_one_sentence(
    tmp_path: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text(f"{START}\n")
    run_files("key", tmp_path / "a.txt", tmp_path / "out.csv", run_options=RunOptions("ray"))
    answer = run_task(asked[0].replace(str(tmp_path / "a.txt"), str(tmp_path / "none.txt")))
    assert json.loads(answer) == {"error": f"there is no file {tmp_path}/none.txt; check the path"}
    with pytest.raises(BulkError) as told:
        parse_answer(answer)
    assert str(told.value) == f"there is no file {tmp_path}/none.txt; check the path"


def test_an_answer_tells_its_parts_and_its_size() -> None:
    parts = [Part(3, number, f"/x/{number}", Tally(read=5, written=4, missing=1)) for number in range(2)]
    steps = Steps()
    for size, told in ((70, (10, 70)), (None, (10, 0))):
        text = json.dumps({"parts": [part.to_dict() for part in parts], "size": size})
        assert parse_answer(text, steps.begin(None)) == parts
        assert steps.steps.pop() == told
    assert parse_answer(text) == parts


def test_a_shard_can_be_read_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shard = Shard(
        "a.txt", Format.TEXT, more=(Shard("file:///b.txt", Format.TEXT), Shard("memory://c", Format.TEXT))
    )
    found = with_absolute_paths(shard)
    assert found.path == str(tmp_path / "a.txt")
    assert [one.path for one in found.more] == ["/b.txt", "memory://c"]
    assert replace(found, path="a.txt", more=shard.more) == shard
    with pytest.raises(BulkError) as told:
        with_absolute_paths(Shard("-", Format.TEXT))
    assert str(told.value) == "standard input can only be read by --engine local; write it to a file first"


def test_shards_that_an_engine_forgot_are_counted(tmp_path: Path) -> None:
    shards = [Shard("a", Format.TEXT, number=number) for number in range(3)]

    def some() -> Any:
        yield [Part(1, 0, "b", Tally(read=2)), Part(1, 1, None, Tally(read=3))]
        yield [Part(0, 0, "a", Tally(read=4))]

    found = collect_parts(some(), shards[:2])
    assert found == PassResult(Tally(read=9), [4, 5], ["a", "b"])
    with pytest.raises(BulkError) as told:
        collect_parts(some(), shards)
    assert (
        str(told.value) == f"1 of {len(shards)} parts of the input were not finished; run the command again"
    )


def test_an_engine_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BulkError) as told:
        RunOptions("dask").load_engine()
    assert str(told.value) == "there is no engine 'dask'; choose one of local, ray, spark"
    for engine in ("ray", "spark"):
        monkeypatch.setitem(sys.modules, f"forsyth.bulk.{engine}", None)
        with pytest.raises(BulkError) as told:
            RunOptions(engine).load_engine()
        assert str(told.value) == (f"the engine {engine} is not installed: pip install 'forsyth[{engine}]'")
        assert RunOptions(engine).thread_count() == 1
        assert RunOptions(engine, 3).thread_count() == 3
    assert RunOptions().load_engine() is run_shards
    (tmp_path / "a.txt").write_text(f"{START}\n")
    with pytest.raises(BulkError) as told:
        run_files("key", tmp_path / "a.txt", "-", run_options=RunOptions("ray"))
    assert str(told.value) == "the engine ray reads and writes files; name them, the target with -o"


# --- records on an engine -----------------------------------------------------------------------------


def test_records_have_the_same_numbers_on_every_engine(tmp_path: Path, asked: list[str]) -> None:
    records = random_records("chess", 12, 8)
    sources = [write_records(tmp_path / "a.pgn", records[:9]), write_records(tmp_path / "b.pgn", records[9:])]
    way = RunOptions("ray", shard_bytes=700)
    for name, how in (("here", RunOptions()), ("there", way)):
        run_records(
            "positions", sources, tmp_path / f"{name}.csv", run_options=how, moves="san", game="chess"
        )
        run_records("games", sources, tmp_path / f"{name}.jsonl", run_options=how, game="chess")
    for ending in ("csv", "jsonl"):
        here, there = ((tmp_path / f"{name}.{ending}").read_text() for name in ("here", "there"))
        assert here == there
    jobs = [json.loads(task) for task in asked]
    counting = [data for data in jobs if data["job"]["counts_only"]]
    assert 0 < len(counting) == len(jobs) // 2
    assert {data["job"]["folder"] for data in counting} == {None}


def test_what_was_counted_is_not_counted_again(tmp_path: Path, asked: list[str]) -> None:
    source = write_records(tmp_path / "a.pgn", random_records("chess", 6, 8))
    way = RunOptions("ray", shard_bytes=700, resume=True)
    run_records("games", source, tmp_path / "whole.jsonl", run_options=way, game="chess")
    first = len(asked)
    assert first > 2
    place = locate_parts_folder(str(tmp_path / "out.jsonl"))

    def fail(*_: Any) -> None:
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("forsyth.bulk.jobs.run_records.deliver_parts", fail)
        with pytest.raises(KeyboardInterrupt):
            run_records("games", source, tmp_path / "out.jsonl", run_options=way, game="chess")
    assert (place / "starts.json").exists()
    starts = json.loads((place / "starts.json").read_text())["starts"]
    assert starts[0] == [0, 0]
    assert [games for games, _ in starts] == sorted(games for games, _ in starts)
    second = len(asked)
    run_records("games", source, tmp_path / "out.jsonl", run_options=way, game="chess")
    assert len(asked) - second == first // 2, "no task that only counts"
    assert (tmp_path / "out.jsonl").read_text() == (tmp_path / "whole.jsonl").read_text()
    assert not place.exists()


def test_files_of_records_are_cut_into_ranges(tmp_path: Path) -> None:
    whole = SourceFile("a.pgn", Format.PGN, None, 250)
    cut = [(one.first, one.count, one.size, one.number) for one in plan_record_shards([whole, whole], 100)]
    assert cut[:3] == [(0, 100, 100, 0), (100, 100, 100, 1), (200, 50, 50, 2)]
    assert [one[3] for one in cut] == list(range(6))
    for file, target in (
        (whole, None),
        (whole, 250),
        (replace(whole, size=None), 100),
        (replace(whole, compression=Compression.GZIP), 100),
    ):
        (one,) = plan_record_shards([file], target, 77)
        assert (one.first, one.count, one.unit, one.size, one.block_bytes) == (
            0,
            None,
            "records",
            file.size,
            77,
        )
    assert len(plan_record_shards([whole], 249)) == 2
    assert limit_pending_blocks(3) == 14
    (tmp_path / "a.csv").write_text("x")
    with pytest.raises(BulkError) as told:
        expand_record_files([str(tmp_path / "a.csv")], None)
    assert str(told.value) == (
        f"{tmp_path}/a.csv has the format csv, which holds no records of games; name files of PGN, or read "
        "it as PGN with --in pgn"
    )
    assert [one.format for one in expand_record_files([], None)] == [Format.PGN]


def block(*texts: bytes) -> pa.RecordBatch:
    return pa.record_batch(
        [pa.array(texts, pa.large_binary()), pa.array([0] * len(texts)), pa.array([1] * len(texts))],
        schema=BLOCK_SCHEMA,
    )


def test_blanks_are_no_records() -> None:
    assert has_records(block()) is False
    assert has_records(block(b"")) is False
    assert has_records(block(b" \r\n\t")) is False
    assert has_records(block(b" \n", b"1. e4 *")) is False, "only the first block is looked at"
    assert has_records(block(b"\n1. e4 *\n")) is True


def test_the_game_is_that_of_most_of_the_first_records() -> None:
    chess, xiangqi = ("".join(random_records(name, 1, 4)).encode() for name in ("chess", "xiangqi"))
    assert detect_game_of_records([block(chess)], "x") == "chess"
    assert detect_game_of_records([block(xiangqi)], "x") == "xiangqi"
    assert detect_game_of_records([block(xiangqi), block(chess + chess)], "x") == "chess"
    assert detect_game_of_records([block(xiangqi * 11 + chess * 30)], "x") == "xiangqi", "the first 20 decide"
    assert detect_game_of_records([block(xiangqi * 9 + chess * 30)], "x") == "chess"
    assert detect_game_of_records([block(chess * 10 + xiangqi * 11)], "x") == "chess"
    with pytest.raises(BulkError) as told:
        detect_game_of_records([], "a.pgn")
    assert str(told.value) == (
        "the game of the first records of a.pgn cannot be detected; name it with --game, one of "
        f"{', '.join(forsyth.games())}"
    )


def test_one_thread_gives_the_rows_of_several() -> None:
    data = "".join(random_records("chess", 30, 10)).encode()
    one, several = (RecordStream("positions", data, game="chess", threads=threads) for threads in (1, 3))
    assert pa.Table.from_batches(iter(one)).equals(pa.Table.from_batches(iter(several)))
    assert one.tally == several.tally
    assert one.tally.games == 30
    with pytest.raises(BulkError) as told:
        RecordStream("games", data, game="chess", nothing=1)
    assert str(told.value) == (
        "the table of games cannot be made: "
        "RecordTable.__init__() got an unexpected keyword argument 'nothing'"
    )
    with pytest.raises(BulkError) as told:
        RecordStream("games", data, game="chess", threads=0)
    assert str(told.value) == "threads is 0, expected 1 or more"


def test_an_option_that_a_table_does_not_have(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text("1. e4 *\n")
    with pytest.raises(BulkError) as told:
        run_records("games", tmp_path / "a.pgn", tmp_path / "a.jsonl", game="chess", nothing=1)  # type: ignore[call-arg]
    assert str(told.value) == (
        "run_records() got an unexpected keyword argument 'nothing', "
        "expected one of every, forms, from_ply, moves, tags, where"
    )


def test_an_error_about_an_unknown_option_names_the_bulk_function_that_was_called(tmp_path: Path) -> None:
    """It once named `RecordTable.__init__`, which the user had not called."""
    data, target = b"1. e4 *\n", tmp_path / "a.csv"
    calls: dict[str, Callable[[], object]] = {
        "games": lambda: bulk.games(data, nothing=1),  # type: ignore[call-arg]
        "positions": lambda: bulk.positions(data, nothing=1),  # type: ignore[call-arg]
        "scan_files": lambda: bulk.scan_files("a.txt", nothing=1),  # type: ignore[call-arg]
        "run_files": lambda: bulk.run_files("key", "a.txt", target, nothing=1),  # type: ignore[call-arg]
        "dedupe_files": lambda: bulk.dedupe_files("a.txt", target, nothing=1),  # type: ignore[call-arg]
        "run_records": lambda: bulk.run_records("games", "a.pgn", target, nothing=1),  # type: ignore[call-arg]
        "scan_games": lambda: scan_games(data, nothing=1),  # type: ignore[call-arg]
        "scan_positions": lambda: scan_positions(data, nothing=1),  # type: ignore[call-arg]
    }
    for name, call in calls.items():
        with pytest.raises(BulkError) as caught:
            call()
        start = f"{name}() got an unexpected keyword argument 'nothing', expected one of "
        assert str(caught.value).startswith(start)


@pytest.mark.parametrize(
    ("options", "described"),
    [(JobOptions, JobSpec), (TableOptions, RecordTable), (RecordOptions, RecordStream)],
)
def test_bulk_functions_declare_their_options_by_name(options: Any, described: type) -> None:
    """Editors complete the names in these dictionaries. They once were ``**options: Any``."""
    parameters = inspect.signature(described).parameters
    positional = {"verb", "sources", "target", "kind", "source"}
    named = {name for name, value in parameters.items() if value.kind is not value.VAR_KEYWORD} - positional
    if described is RecordStream:
        named |= TableOptions.__optional_keys__
    elif described is RecordTable:
        named -= {"game", "variant"}
    assert named == options.__optional_keys__


def test_run_records_takes_threads(tmp_path: Path) -> None:
    """The options of `games` and `positions` are those of `run_records`; `threads` once was an error."""
    (tmp_path / "a.pgn").write_text("1. e4 *\n")
    for threads in (1, 2):
        report = run_records("games", tmp_path / "a.pgn", tmp_path / f"{threads}.jsonl", threads=threads)
        assert report.written == 1
    with pytest.raises(BulkError, match="threads is 0, expected 1 or more"):
        run_records("games", tmp_path / "a.pgn", tmp_path / "0.jsonl", threads=0)


def test_rows_that_are_left_half_way_stop_their_workers() -> None:
    data = "".join(random_records("chess", 400, 10)).encode()
    stream = RecordStream("positions", data, game="chess", threads=2, forms=("fen", "planes"))
    rows = iter(stream)
    assert next(rows).num_rows > 0
    rows.close()  # type: ignore[attr-defined]


# --- indexes on an engine -----------------------------------------------------------------------------


def test_an_index_on_an_engine_is_the_same(tmp_path: Path, asked: list[str]) -> None:
    source = write_records(tmp_path / "a.pgn", random_records("chess", 20, 8))
    size = (tmp_path / "a.pgn").stat().st_size
    reading, counting = Steps(), Steps()
    way = RunOptions(
        "ray", shard_bytes=1000, start_progress=reading.begin, start_count_progress=counting.begin
    )
    there = build_index([source], tmp_path / "there", game="chess", material=True, run_options=way)
    here = build_index([source], tmp_path / "here", game="chess", material=True)
    for table in ("moves", "material", "games"):
        assert pq.read_table(tmp_path / "there" / table).equals(pq.read_table(tmp_path / "here" / table))
    assert {**there.to_dict(), "target": ""} == {**here.to_dict(), "target": ""}
    assert there.to_dict() == {
        "target": f"{tmp_path}/there/",
        "game": "chess",
        "variant": "standard",
        "games": 20,
        "plies": there.manifest.plies,
        "positions": there.manifest.positions,
        "rows": there.manifest.rows,
        "left_out": 0,
        "with_an_error": 0,
    }
    assert reading.totals == [size]
    assert (sum(rows for rows, _ in reading.steps), sum(read for _, read in reading.steps)) == (20, size)
    assert counting.totals == [1, 1]
    assert counting.steps[0] == (there.manifest.positions, 1)
    steps = [json.loads(task)["step"] for task in asked]
    assert set(steps) == {"read", "count"}
    assert steps.count("count") == 2
    with pytest.raises(BulkError) as told:
        build_index("-", tmp_path / "no", game="chess", run_options=RunOptions("ray"))
    assert str(told.value) == "the engine ray cannot read standard input or a pipe; name files to read"
    with pytest.raises(BulkError) as told:
        build_index("-", tmp_path / "no", game="chess", run_options=RunOptions(resume=True))
    assert str(told.value) == "--resume cannot be used with standard input or a pipe; name files to read"


def test_what_is_wrong_with_a_shard_of_an_index_comes_back(tmp_path: Path) -> None:
    shard = Shard(str(tmp_path / "none.pgn"), Format.PGN, unit="records").to_dict()
    task = {"step": "read", "folder": str(tmp_path), "game": "chess", "variant": "standard", "shard": shard}
    words = f"there is no file {tmp_path}/none.pgn; check the path"
    assert json.loads(index_tasks.run_task(json.dumps(task))) == {"error": words}
    with pytest.raises(BulkError) as told:
        list(index_tasks.run_tasks(RunOptions(threads=1), [task]))
    assert str(told.value) == words


def test_an_index_holds_so_many_games_and_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write_records(tmp_path / "a.pgn", random_records("chess", 5, 4))
    built = build_index([source], tmp_path / "a", game="chess")
    moves = len(set(pq.read_table(tmp_path / "a" / "moves")["move"].to_pylist()))
    monkeypatch.setattr(index_build, "MAX_GAMES", 5)
    monkeypatch.setattr(index_build, "MAX_MOVES", moves)
    assert build_index([source], tmp_path / "b", game="chess").manifest.games == 5
    monkeypatch.setattr(index_build, "MAX_GAMES", 4)
    with pytest.raises(BulkError) as told:
        build_index([source], tmp_path / "c", game="chess")
    assert (
        str(told.value) == "the records have 5 games, expected at most 4 in one index; build several indexes"
    )
    monkeypatch.setattr(index_build, "MAX_GAMES", 9)
    with pytest.raises(BulkError) as told:
        merge_indexes([tmp_path / "a", tmp_path / "b"], tmp_path / "c")
    assert str(told.value) == (
        "the indexes have 10 games, expected at most 9 in one index; merge fewer of them"
    )
    monkeypatch.setattr(index_build, "MAX_GAMES", 10)
    assert merge_indexes([tmp_path / "a", tmp_path / "b"], tmp_path / "both").manifest.games == 10
    monkeypatch.setattr(index_build, "MAX_MOVES", moves - 1)
    with pytest.raises(BulkError) as told:
        build_index([source], tmp_path / "c", game="chess")
    assert str(told.value) == (
        f"the records have {moves} different moves, expected at most {moves - 1} in one index; "
        "build several indexes"
    )
    assert not (tmp_path / "c").exists()
    assert built.manifest.games == 5


def test_an_index_in_an_empty_directory_keeps_its_permissions(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text("1. e4 *\n")
    (tmp_path / "b.pgn").write_text('[Variant "Crazyhouse"]\n\n1. e4 *\n')
    (tmp_path / "c.pgn").write_text("1. d4 d5 1-0\n")
    (tmp_path / "book").mkdir()
    (tmp_path / "book").chmod(0o700)
    sources = [str(tmp_path / f"{name}.pgn") for name in "abc"]
    built = build_index(sources, tmp_path / "book", game="chess", run_options=RunOptions(shard_bytes=1))
    assert (tmp_path / "book").stat().st_mode & 0o777 == 0o700
    assert built.others == 1
    parts = built.manifest.tables
    assert [(part.file, part.rows, part.first) for part in parts] == [
        ("games/part-00000.parquet", 1, 1),
        ("games/part-00001.parquet", 1, 2),
    ]
    assert [one["game"] for one in Book(tmp_path / "book").games([2, 1, 3, 0, -5])] == [2, 1]


def test_parts_of_an_index_that_are_there_are_not_counted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write_records(tmp_path / "a.pgn", random_records("chess", 10, 8))
    build_index([source], tmp_path / "a", game="chess")

    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    jobs: list[Callable[[], Any]] = [
        lambda: build_index([source], tmp_path / "b", game="chess", run_options=RunOptions(resume=True)),
        lambda: merge_indexes(
            [tmp_path / "a", tmp_path / "a"], tmp_path / "b", run_options=RunOptions(resume=True)
        ),
    ]
    for number, job in enumerate(jobs):
        with monkeypatch.context() as patched:
            patched.setattr(index_build, "publish_index", stop)
            with pytest.raises(KeyboardInterrupt):
                job()
        with monkeypatch.context() as patched:
            patched.setattr(index_tasks, "write_part", stop)
            patched.setattr(index_tasks, "read_shard_plies", stop)
            built = job()
        assert built.manifest.games == 10 * (number + 1)
        target = tmp_path / "b"
        assert pq.read_table(target / "moves").num_rows == built.manifest.rows
        target.rename(tmp_path / f"done-{number}")


def test_a_run_that_is_cut_off_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.plies").write_bytes(bytes(100))
    with pytest.raises(BulkError) as told:
        BucketPlies([Run(str(tmp_path / "x.plies"), 0, np.zeros(1, np.uint32))], 0, 1 << 16)
    assert str(told.value) == (
        f"{tmp_path}/x.plies is truncated: it has 12 entries at byte 0, expected 65537; "
        "run the command without --resume to start again"
    )


def test_a_manifest_that_is_none_is_told(tmp_path: Path) -> None:
    good = {
        "game": "chess",
        "variant": "standard",
        "games": 0,
        "positions": 0,
        "rows": 0,
        "plies": 0,
        "moves": [],
        "tables": [],
        "material": [],
        "version": 1,
        "kind": "forsyth index",
    }
    path = tmp_path / "manifest.json"
    with pytest.raises(BulkError) as told:
        Manifest.read(tmp_path)
    assert str(told.value) == (
        f"{tmp_path} is not an index, because it has no manifest.json; build one with forsyth index"
    )
    path.write_text(json.dumps(good))
    assert Manifest.read(tmp_path).to_dict() == {**good, "moves": (), "tables": (), "material": ()}
    assert Book(tmp_path).played_moves("0" * 32) == []
    assert Book(tmp_path).games([1]) == []
    with pytest.raises(BulkError) as told:
        Book(tmp_path).with_material("Kk")
    assert str(told.value) == f"{tmp_path} is an index without material; build it again with --material"
    wrong: tuple[Any, ...] = (
        {**good, "kind": "x"},
        {**good, "more": 1},
        {name: value for name, value in good.items() if name != "kind"},
        {name: value for name, value in good.items() if name != "moves"},
        {**good, "moves": [1]},
        [],
    )
    for bad in wrong:
        path.write_text(json.dumps(bad))
        with pytest.raises(BulkError) as told:
            Manifest.read(tmp_path)
        assert str(told.value) == f"{path} is not a valid manifest of an index; build the index again"
    path.write_text(json.dumps({**good, "version": 2}))
    with pytest.raises(BulkError) as told:
        Manifest.read(tmp_path)
    assert str(told.value) == (
        f"{tmp_path} is an index of version 2, expected at most 1; read it with a newer version of Forsyth"
    )


def test_a_book_keeps_few_files_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write_records(tmp_path / "a.pgn", random_records("chess", 40, 8))
    monkeypatch.setattr(index_tasks, "PART_PLIES", 30)
    monkeypatch.setattr("forsyth.bulk.index.book.MAX_OPEN_FILES", 2)
    build_index([source], tmp_path / "book", game="chess")
    rows = pq.read_table(tmp_path / "book" / "moves").to_pylist()
    assert len(Book(tmp_path / "book").manifest.moves) == 16
    book = Book(tmp_path / "book")
    wanted: dict[str, int] = {}
    for row in rows:
        wanted[row["key"].hex()] = wanted.get(row["key"].hex(), 0) + row["games"]
    for key, games in wanted.items():
        assert sum(one.games for one in book.played_moves(key)) == games
        assert len(book._open_files) <= 2
    assert len(book._open_files) == 2
    book.close()
    assert len(book._open_files) == 0
    part = tmp_path / "book" / book.manifest.moves[0].file
    pq.write_table(pa.table({"x": [1]}), part)
    with pytest.raises(BulkError) as told:
        Book(tmp_path / "book").played_moves("0" * 32)
    assert str(told.value) == (
        f"{part} is not a part of an index: its first column is 'x', expected 'key'; build the index again"
    )


# --- locks --------------------------------------------------------------------------------------------


def test_a_lock_names_its_holder_and_whoever_cannot_be_asked_holds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lock"
    monkeypatch.setattr("socket.gethostname", lambda: "HERE")
    lock = Lock.acquire(path, "out")
    assert json.loads(path.read_text()) == {"pid": os.getpid(), "host": "HERE"}
    with pytest.raises(BulkError) as told:
        Lock.acquire(path, "out")
    assert str(told.value) == (
        f"another job (process {os.getpid()} on HERE) is writing to out; wait until it is done, or write to "
        f"another target (if there is no such job, remove {path})"
    )
    for text in ("", "[1]", "{"):
        path.write_text(text)
        with pytest.raises(BulkError) as told:
            Lock.acquire(path, "out")
        assert str(told.value) == (
            "another job is writing to out; wait until it is done, or write to another target "
            f"(if there is no such job, remove {path})"
        )
    lock.close()
    assert not path.exists()

    def no_locks(number: int) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    def not_yours(pid: int, signal: int) -> None:
        raise PermissionError

    monkeypatch.setattr(checkpoints, "_lock_file", no_locks)
    path.write_text(json.dumps({"pid": 1, "host": "HERE"}))
    with monkeypatch.context() as patched:
        patched.setattr(os, "kill", not_yours)
        with pytest.raises(BulkError, match="process 1 on HERE"):
            Lock.acquire(path, "out")
    for pid in ("x", None, 1 << 200):
        path.write_text(json.dumps({"pid": pid, "host": "HERE"}))
        Lock.acquire(path, "out").close()


def test_an_error_while_a_lock_is_taken_leaves_no_file_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[int] = []
    close = os.close

    def interrupted(number: int) -> None:
        raise KeyboardInterrupt

    def noted(number: int) -> None:
        closed.append(number)
        close(number)

    with monkeypatch.context() as patched:
        patched.setattr(checkpoints, "_lock_file", interrupted)
        patched.setattr(os, "close", noted)
        with pytest.raises(KeyboardInterrupt):
            Lock.acquire(tmp_path / "lock", "out")
    assert len(closed) == 1


def test_a_lock_that_its_holder_removed_meanwhile_is_taken_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lock"
    lock = checkpoints._lock_file
    turns: list[int] = []

    def removed(number: int) -> None:
        lock(number)
        turns.append(number)
        if len(turns) == 1:
            path.unlink()
        if len(turns) == 2:
            path.unlink()
            path.write_text("of another job")

    monkeypatch.setattr(checkpoints, "_lock_file", removed)
    Lock.acquire(path, "out").close()
    assert len(turns) == 3
    assert not path.exists()


def test_the_folder_of_a_job(tmp_path: Path) -> None:
    target = str(tmp_path / "out.csv")
    assert locate_parts_folder(target) == tmp_path.resolve() / ".out.csv.forsyth"
    assert locate_parts_folder("memory://x/out.csv") == Path(".out.csv-6cda1b03.forsyth")
    with open_parts_folder(target, {"a": 1, "b": [2]}, resume=False) as folder:
        assert folder == locate_parts_folder(target)
        assert json.loads((folder / "manifest.json").read_text()) == {"a": 1, "b": [2]}
    assert not folder.exists()
    with pytest.raises(KeyboardInterrupt), open_parts_folder(target, {"a": 1}, resume=False):
        raise KeyboardInterrupt
    assert not folder.exists()
    with pytest.raises(KeyboardInterrupt), open_parts_folder(target, {"a": 1, "b": 2, "c": 3}, resume=True):
        raise KeyboardInterrupt
    assert folder.exists()
    with pytest.raises(BulkError) as told, open_parts_folder(target, {"a": 1, "c": 4, "d": 5}, resume=True):
        pass
    assert str(told.value) == (
        f"{folder} holds parts of another job, which differs in: b, c, d; run the command without --resume "
        "to begin again"
    )
    (folder / "manifest.json").write_text("{")
    with pytest.raises(BulkError, match="differs in: a;"), open_parts_folder(target, {"a": 1}, resume=True):
        pass
    (folder / "x").touch()
    with open_parts_folder(target, {"a": 1}, resume=False) as again:
        assert sorted(one.name for one in again.iterdir()) == ["manifest.json"]
    assert list(tmp_path.iterdir()) == []


# --- resumed jobs -------------------------------------------------------------------------------------


def test_a_resumed_job_counts_what_was_done(tmp_path: Path) -> None:
    source = tmp_path / "a.txt"
    source.write_text(f"{START}\n{AFTER}\n" * 5)
    (shard,) = plan_shards(expand_patterns([str(source)]))
    folder = tmp_path / "parts"
    folder.mkdir()
    verb = Verb("key", "chess", column="fen")
    job = PassSpec(pa.schema([("fen", pa.string())]), verb, str(folder), roll_rows=4, threads=1)
    (whole,) = run_shards(job, [shard])
    assert [part.to_dict()["number"] for part in whole] == [0, 1, 2]
    assert [part.tally.read for part in whole] == [4, 4, 2]
    assert [Path(str(part.path)).name for part in whole] == [
        "00000-00000.arrow",
        "00000-00001.arrow",
        "00000-00002.arrow",
    ]
    assert read_finished_parts(str(folder), 0) == (whole, True)
    steps = Steps()
    (again,) = run_shards(job, [shard], steps.begin(None))
    assert again == whole
    assert steps.steps == [(10, shard.size)]
    (folder / "00000.json").unlink()
    (folder / "00000-00002.json").unlink()
    (folder / "00000-00001.arrow").unlink()
    assert read_finished_parts(str(folder), 0) == (whole[:1], False)
    steps = Steps()
    (again,) = run_shards(job, [shard], steps.begin(None))
    assert again == whole
    assert steps.steps[0] == (4, 0)
    assert sum(rows for rows, _ in steps.steps) == 10
    (folder / "00000.json").write_text('{"parts": 2}')
    assert read_finished_parts(str(folder), 0) == (whole, False)
    assert read_finished_parts(str(folder), 1) == ([], False)


def test_a_shard_without_rows_has_one_part_for_its_columns(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("fen,n\n")
    report = run_files("key", tmp_path / "a.csv", tmp_path / "a.parquet", game="chess")
    assert report.rows == 0
    table = pq.read_table(tmp_path / "a.parquet")
    assert table.schema.names == ["fen", "n", "key"]
    assert table.num_rows == 0


def test_dedupe_of_a_pipe_and_more_files(tmp_path: Path) -> None:
    """What can be read only once is written to a file first, and so is what follows it."""
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    (tmp_path / "b.csv").write_text(f"fen,n\n{AFTER},3\n{START},4\n")

    def write() -> None:
        pipe.write_text(f"fen,n\n{START},1\n{START},2\n")

    thread = threading.Thread(target=write)
    thread.start()
    report = dedupe_files([pipe, tmp_path / "b.csv"], tmp_path / "out.csv", game="chess")
    thread.join()
    assert (tmp_path / "out.csv").read_text() == f'"fen","n"\n"{START}",1\n"{AFTER}",3\n'
    assert (report.rows, report.written, report.duplicates) == (4, 2, 2)
