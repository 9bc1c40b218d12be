"""Jobs over files: the same rows whatever the cuts, the engine and the accidents; whole output or none."""

from __future__ import annotations

import errno
import gzip
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import forsyth
from forsyth.abilities import Columnar
from forsyth.bulk import (
    BulkError,
    Report,
    Rule,
    RunOptions,
    Verb,
    dedupe_files,
    run_files,
    scan_files,
    write_report,
)
from forsyth.bulk import batches as batches_module
from forsyth.bulk.batches import decode_hex, rebatch, to_plain_batch
from forsyth.bulk.engines.checkpoints import locate_parts_folder
from forsyth.bulk.engines.job import CodeCount, Example, PassSpec, RowSelection, Tally
from forsyth.bulk.engines.shard_work import run_shard
from forsyth.bulk.jobs import distinct_rows
from forsyth.bulk.jobs.inspect_input import inspect_input
from forsyth.bulk.jobs.report import render_page
from forsyth.bulk.jobs.run_files import make_job_spec, make_pass
from forsyth.bulk.sources.files import expand_patterns
from forsyth.bulk.sources.shards import open_shard, plan_shards
from forsyth.bulk.writers import UnclosableFile

CHESS = forsyth.game("chess")
SMALL = RunOptions(threads=2, roll_rows=700, batch_rows=200, shard_bytes=20_000)
"""Many shards, parts and batches of few rows."""
BROKEN = [
    "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "<script>alert(1)</script> w - - 0 1",
    "nonsense",
]


def texts(count: int, seed: int = 1) -> list[str]:
    """Texts of games played at random, a broken one among every twenty."""
    chance = random.Random(seed)
    found: list[str] = []
    while len(found) < count:
        position = CHESS.parse(CHESS.start)
        for _ in range(40):
            moves = CHESS.moves(position)
            if not moves:
                break
            position = CHESS.play(position, chance.choice(moves))
            found.append(str(position) if chance.random() > 0.05 else chance.choice(BROKEN))
    return found[:count]


TEXTS = texts(3000)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.txt"
    path.write_text("\n".join(TEXTS) + "\n", encoding="utf-8")
    return path


def rows_of(path: Path | str) -> pa.Table:
    found = [batch for shard in plan_shards(expand_patterns([str(path)])) for batch in _batches(shard)]
    return pa.Table.from_batches(found).combine_chunks()


def _batches(shard: Any) -> list[pa.RecordBatch]:
    with open_shard(shard) as batches:
        return list(batches) or [pa.RecordBatch.from_pylist([], schema=batches.schema)]


def as_read_back(table: pa.Table) -> list[dict[str, Any]]:
    """Rows without what formats write differently: labels are texts, keys are digits."""
    return [{name: _plain(value) for name, value in row.items()} for row in table.to_pylist()]


def _plain(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value


def beside(path: Path) -> list[str]:
    """What lies in a directory, hidden files too."""
    return sorted(inside.name for inside in path.iterdir())


# --- cutting ----------------------------------------------------------------------------------------


@given(
    sizes=st.lists(st.integers(0, 40), max_size=12),
    roll=st.integers(1, 50),
    parts=st.integers(0, 5),
    small=st.integers(1, 30),
)
def test_batches_are_the_same_ones_wherever_a_job_is_gone_on_with(
    sizes: list[int], roll: int, parts: int, small: int
) -> None:
    def given_batches() -> Iterator[pa.RecordBatch]:
        first = 0
        for size in sizes:
            yield pa.record_batch({"row": pa.array(range(first, first + size), pa.int64())})
            first += size

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batches_module, "SMALL_BATCH_ROWS", small)
        whole = [batch.column(0).to_pylist() for batch in rebatch(given_batches(), roll)]
        later = [batch.column(0).to_pylist() for batch in rebatch(given_batches(), roll, parts * roll)]
    assert [row for batch in whole for row in batch] == list(range(sum(sizes)))
    assert all(batch[0] // roll == batch[-1] // roll for batch in whole)
    assert later == [batch for batch in whole if batch[0] >= parts * roll]


def test_a_job_travels_as_json(tmp_path: Path) -> None:
    schema = pa.schema([("fen", pa.large_string()), ("depth", pa.int32())])
    verb = Verb("sample", "chess", None, "fen", "strict", True, {"fraction": 0.5, "seed": 3})
    job = PassSpec(
        schema, verb, str(tmp_path), output_columns=("fen",), selection=RowSelection("rows.bits", (0, 7))
    )
    again = PassSpec.from_dict(json.loads(json.dumps(job.to_dict())))
    assert again == job
    assert again.schema.equals(schema)


def test_one_machine_uses_its_cores_and_a_worker_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(7)), raising=False)
    assert RunOptions().thread_count() == 7
    assert [RunOptions(engine=name).thread_count() for name in ("ray", "spark")] == [1, 1]
    assert [RunOptions(engine=name, threads=3).thread_count() for name in ("local", "ray")] == [3, 3]
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    assert RunOptions().thread_count() == 5
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert RunOptions().thread_count() == 1


@pytest.mark.parametrize("name", ["chess", "azul"])
def test_the_tensors_of_a_batch_have_their_bound(tmp_path: Path, name: str) -> None:
    game = forsyth.game(name)
    assert isinstance(game, Columnar)
    source = tmp_path / "in.txt"
    source.write_text(f"{game.start}\n", encoding="utf-8")
    asked = make_job_spec("planes", [str(source)], str(tmp_path / "out.npy"), game=name)
    found = inspect_input(asked.sources, game=name)
    most = (16 << 20) // game.plane_shape.size
    assert make_pass(asked, found, RunOptions(batch_rows=10**9)).batch_rows == most
    assert make_pass(asked, found, RunOptions(batch_rows=5)).batch_rows == 5


# --- tallies ----------------------------------------------------------------------------------------


COUNTS = st.builds(
    CodeCount,
    st.sampled_from(["a.b", "c.d"]),
    st.sampled_from(["error", "warning"]),
    st.integers(1, 9),
    st.lists(
        st.builds(Example, st.just(0), st.integers(0, 99), st.just("x"), st.just(0), st.just(1), st.just(""))
    )
    .map(tuple)
    .map(lambda examples: examples[:3]),
)
TALLIES = st.builds(
    Tally,
    st.integers(0, 9),
    st.integers(0, 9),
    st.integers(0, 9),
    st.integers(0, 9),
    st.lists(COUNTS, max_size=4, unique_by=lambda one: (one.severity, one.code)).map(tuple),
)


@settings(max_examples=60)
@given(TALLIES, TALLIES, TALLIES)
def test_tallies_add_up_however_they_are_grouped(a: Tally, b: Tally, c: Tally) -> None:
    assert (a + b) + c == a + (b + c)
    assert a + Tally() == Tally() + a == a
    assert Tally.from_dict(json.loads(json.dumps(a.to_dict()))) == a
    assert all(len(count.examples) <= 3 for count in (a + b + c).counts)


# --- the same rows, however it is done --------------------------------------------------------------


@pytest.mark.parametrize(
    "verb", ["scan", "normalise", "key", "pack", "features", "planes", "sample", "split"]
)
def test_a_file_holds_what_the_verb_gives_for_all_rows_at_once(
    source: Path, verb: str, tmp_path: Path
) -> None:
    options: dict[str, str | int | float] = {"fraction": 0.5} if verb == "sample" else {}
    target = tmp_path / "out.parquet"
    report = run_files(verb, [str(source)], str(target), run_options=SMALL, options=options)
    batch = pa.record_batch({"fen": pa.array(TEXTS)})
    wanted = Verb(verb, "chess", options=options).apply(batch)
    assert as_read_back(pq.read_table(target)) == as_read_back(pa.Table.from_batches([wanted]))
    assert report.rows == len(TEXTS)
    assert report.written == wanted.num_rows
    assert beside(tmp_path) == ["in.txt", "out.parquet"]


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv.gz", "out.arrow", "out.tsv", "out.jsonl.zst"])
def test_every_format_holds_the_same_rows(source: Path, tmp_path: Path, name: str) -> None:
    run_files("key", [str(source)], str(tmp_path / name), run_options=SMALL)
    wanted = Verb("key", "chess").apply(pa.record_batch({"fen": pa.array(TEXTS)}))
    found = as_read_back(rows_of(tmp_path / name))
    assert found == as_read_back(pa.Table.from_batches([wanted]))


def test_packed_forms_come_back_as_the_canonical_texts(source: Path, tmp_path: Path) -> None:
    packed, back, canonical = (tmp_path / name for name in ("p.parquet", "u.parquet", "n.parquet"))
    run_files("pack", [str(source)], str(packed), run_options=SMALL)
    with pytest.raises(BulkError, match="--game"):
        run_files("unpack", [str(packed)], str(back), run_options=SMALL)
    run_files("unpack", [str(packed)], str(back), run_options=SMALL, game="chess", prefix="un")
    run_files("normalise", [str(source)], str(canonical), run_options=SMALL)
    found = pq.read_table(back).column("unfen").to_pylist()
    assert found == pq.read_table(canonical).column("fen").to_pylist()


@pytest.mark.parametrize("name", ["packed.csv", "packed.tsv.gz", "packed.jsonl", "packed.jsonl.zst"])
@pytest.mark.parametrize("game", ["chess", "azul"])
def test_packed_forms_go_through_files_of_text(tmp_path: Path, game: str, name: str) -> None:
    """As digits; what was not packed, and what a person spoiled, is no position."""
    start = forsyth.game(game).start
    source, packed, back = tmp_path / "in.txt", tmp_path / name, tmp_path / "back.parquet"
    source.write_text(f"{start}\nnonsense\n{start}\n", encoding="utf-8")
    run_files("pack", [str(source)], str(packed), game=game)
    report = run_files("unpack", [str(packed)], str(back), game=game, prefix="back_")
    assert rows_of(back).column("back_fen").to_pylist() == [start, None, start]
    assert (report.missing, report.unreadable) == (1, 0)


def test_bytes_are_told_by_their_digits(tmp_path: Path) -> None:
    form = forsyth.game("chess").parse(forsyth.game("chess").start).packed.hex()
    spoiled = ["", form[:-1], form + "0", f"0x{form}", form.replace("f", "g"), "é" * 10, form[:4]]
    source = tmp_path / "in.jsonl"
    lines = [{"packed": text} for text in [form, form.upper(), *spoiled, None]]
    source.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    report = run_files("unpack", [str(source)], str(tmp_path / "out.parquet"), game="chess")
    found = rows_of(tmp_path / "out.parquet").column("fen").to_pylist()
    assert found == [forsyth.game("chess").start] * 2 + [None] * 8
    assert (report.missing, report.unreadable) == (1, len(spoiled))


@pytest.mark.parametrize(
    ("texts", "wanted"),
    [
        (["00ff", "A0b1"], pa.array([b"\0\xff", b"\xa0\xb1"], pa.binary(2))),
        (["00", "0001", None, "x"], pa.array([b"\0", b"\0\1", None, None], pa.large_binary())),
        ([None, "0102", "0"], pa.array([None, b"\1\2", None], pa.binary(2))),
        ([], pa.array([], pa.large_binary())),
        ([None], pa.array([None], pa.large_binary())),
        ([""], pa.array([b""], pa.large_binary())),
    ],
)
def test_digits_are_read_as_they_are_written(texts: list[str | None], wanted: pa.Array) -> None:
    for kind in (pa.string(), pa.large_string()):
        column = pa.array(texts, kind)
        assert decode_hex(column).equals(wanted)
        assert decode_hex(pa.concat_arrays([pa.array(["zz"], kind), column]).slice(1)).equals(wanted)
        assert decode_hex(column.dictionary_encode()).equals(wanted)
    assert decode_hex(wanted) is wanted
    (written,) = to_plain_batch(pa.record_batch({"a": wanted})).columns
    lower = [None if text in ("x", "0") else text and text.lower() for text in texts]
    assert written.to_pylist() == lower


def test_planes_become_one_array_without_the_rows_that_cannot_be_read(source: Path, tmp_path: Path) -> None:
    import numpy as np

    target = tmp_path / "train.npy"
    report = run_files("planes", [str(source)], str(target), run_options=SMALL)
    shape = CHESS.plane_shape
    array = np.load(target)
    assert array.shape == (report.ok, len(shape.names), shape.height, shape.width)
    readable = [text for text in TEXTS if CHESS.read(text).ok]
    assert array[7].tobytes() == CHESS.planes(CHESS.parse(readable[7], legality=False))
    with pytest.raises(BulkError, match="planes"):
        run_files("key", [str(source)], str(target), run_options=SMALL)


def test_a_target_that_ends_with_a_slash_is_a_directory_of_parts(source: Path, tmp_path: Path) -> None:
    run_files("normalise", [str(source)], f"{tmp_path / 'parts'}/", run_options=SMALL, format_out="jsonl.gz")
    names = beside(tmp_path / "parts")
    assert len(names) > 3
    assert names == [f"part-{number:05}.jsonl.gz" for number in range(len(names))]
    assert rows_of(tmp_path / "parts").num_rows == len(TEXTS)
    with pytest.raises(BulkError, match="is not empty"):
        run_files("normalise", [str(source)], f"{tmp_path / 'parts'}/", run_options=SMALL)


def test_the_report_is_the_same_however_the_file_is_cut(source: Path) -> None:
    whole, cut = scan_files([str(source)]), scan_files([str(source)], run_options=SMALL)
    assert whole == cut
    bad = [number for number, text in enumerate(TEXTS, start=1) if not forsyth.check(text, CHESS).ok]
    assert whole.unreadable == len(bad)
    assert whole.rows - whole.unreadable == whole.ok
    assert sum(code.rows for code in whole.codes if code.severity == "error") == len(bad)
    shown = [example.row for code in whole.codes for example in code.examples if code.severity == "error"]
    assert set(shown) <= set(bad)
    for code in whole.codes:
        for example in code.examples:
            reading = forsyth.check(TEXTS[example.row - 1], CHESS)
            first = (reading.errors or reading.diagnostics)[0]
            assert (code.code, example.message) == (first.code, first.message)


def test_rows_are_numbered_in_their_file(tmp_path: Path) -> None:
    good = CHESS.start
    for name, bad in (("a.txt", 150), ("b.txt", 3)):
        lines = [good] * 200
        lines[bad - 1] = "x"
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    report = scan_files([str(tmp_path / "*.txt")], run_options=RunOptions(threads=1, shard_bytes=2000))
    found = [(Path(one.file).name, one.row) for code in report.codes for one in code.examples]
    assert found == [("a.txt", 150), ("b.txt", 3)]


def test_null_texts_are_missing_not_wrong(tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table({"fen": [None, CHESS.start, "x", None]}), path)
    report = scan_files([str(path)])
    assert (report.rows, report.ok, report.unreadable, report.missing) == (4, 1, 1, 2)
    other = run_files("sample", [str(path)], str(tmp_path / "o.parquet"), options={"fraction": 1.0})
    assert (other.rows, other.written, other.unreadable, other.missing) == (4, 1, 1, 2)


def test_no_rows_are_a_file_without_rows(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("fen,depth\n", encoding="utf-8")
    report = run_files("key", [str(tmp_path / "in.csv")], str(tmp_path / "o.parquet"), game="chess")
    assert (report.rows, report.written) == (0, 0)
    assert pq.read_table(tmp_path / "o.parquet").column_names == ["fen", "depth", "key"]
    assert render_page(scan_files([str(tmp_path / "in.csv")], game="chess"))


def test_the_game_is_told_or_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    path.write_text("hello\nworld\n", encoding="utf-8")
    with pytest.raises(BulkError, match="--game"):
        scan_files([str(path)])
    with pytest.raises(BulkError, match="checkers"):
        scan_files([str(path)], game="checkers")
    with pytest.raises(BulkError, match="variant"):
        scan_files([str(path)], game="chess", variant="bughouse")
    path.write_text("hello\n" + forsyth.game("azul").start + "\n", encoding="utf-8")
    report = scan_files([str(path)])
    assert (report.heading.game, report.heading.detected) == ("azul", True)


# --- accidents --------------------------------------------------------------------------------------


HELD = """
import os
def hold_after(parts, target, released):
    # Print a line and wait until it is released, if so many parts of a job are there.
    from forsyth.bulk.engines.checkpoints import locate_parts_folder
    if len(list(locate_parts_folder(target).glob("**/?????-?????.json"))) >= parts:
        # One call writes the whole line, also where several threads do.
        os.write(1, b"held\\n")
        released.wait()
"""
PROGRAM = f"""{HELD}
import sys, threading
from forsyth.bulk import RunOptions, dedupe_files, run_files
verb, source, target, parts = sys.argv[1:]
def begin(total):
    return lambda rows, size: hold_after(int(parts), target, threading.Event())
run_options = RunOptions(
    threads=2, roll_rows=300, batch_rows=100, shard_bytes=40_000, resume=True, start_progress=begin
)
if verb == "dedupe":
    dedupe_files([source], target, run_options=run_options)
else:
    run_files(verb, [source], target, run_options=run_options)
"""


def start_held(program: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a program that uses `HELD`, and return it when it waits."""
    pipe = subprocess.PIPE
    process = subprocess.Popen([sys.executable, "-c", program, *arguments], stdout=pipe, stderr=pipe)
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    return process


def kill_after(parts: int, verb: str, source: Path, target: Path) -> None:
    """Kill a job that may be resumed, when it has written so many parts."""
    process = start_held(PROGRAM, verb, str(source), str(target), str(parts))
    process.kill()
    process.communicate()
    assert notes(locate_parts_folder(str(target))) >= parts


def notes(folder: Path) -> int:
    return len(list(folder.glob("**/?????-?????.json")))


@pytest.mark.parametrize(
    ("name", "kills"),
    [
        ("out.parquet", (2, 6)),
        ("out.jsonl.gz", (6,)),
        ("out.txt", (6,)),
        ("out.csv", (6,)),
        ("out.arrow", (6,)),
    ],
)
def test_what_was_killed_is_gone_on_with_and_is_the_same_to_the_byte(
    source: Path, tmp_path: Path, name: str, kills: tuple[int, ...]
) -> None:
    verb = "normalise" if name == "out.txt" else "scan"
    unbroken, target = tmp_path / "unbroken" / name, tmp_path / name
    unbroken.parent.mkdir()
    way = RunOptions(threads=1, roll_rows=300, batch_rows=100, shard_bytes=40_000)
    wanted = run_files(verb, [str(source)], str(unbroken), run_options=way)
    for parts in kills:
        kill_after(parts, verb, source, target)
        assert not target.exists()
    steps: list[int] = []
    went_on = RunOptions(threads=2, roll_rows=300, batch_rows=100, shard_bytes=40_000, resume=True)
    report = run_files(
        verb,
        [str(source)],
        str(target),
        run_options=RunOptions(
            **{**_fields(went_on), "start_progress": lambda total: lambda rows, size: steps.append(rows)}
        ),
    )
    assert target.read_bytes() == unbroken.read_bytes()
    assert sum(steps) == len(TEXTS)
    assert report.to_dict() == {**wanted.to_dict(), "target": str(target)}
    assert not locate_parts_folder(str(target)).exists()


def _fields(way: RunOptions) -> dict[str, Any]:
    return {name: getattr(way, name) for name in way.__dataclass_fields__}


@pytest.mark.parametrize("parts", [1, 11, 16])
def test_dedupe_is_gone_on_with_in_every_pass(source: Path, tmp_path: Path, parts: int) -> None:
    unbroken, target = tmp_path / "unbroken.txt", tmp_path / "out.txt"
    dedupe_files(
        [str(source)], str(unbroken), run_options=RunOptions(threads=1, roll_rows=300, batch_rows=100)
    )
    kill_after(parts, "dedupe", source, target)
    way = RunOptions(threads=2, roll_rows=300, batch_rows=100, shard_bytes=40_000, resume=True)
    dedupe_files([str(source)], str(target), run_options=way)
    assert target.read_bytes() == unbroken.read_bytes()
    assert not locate_parts_folder(str(target)).exists()


def test_another_job_is_not_gone_on_with(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    kill_after(1, "key", source, target)
    way = RunOptions(threads=1, roll_rows=300, batch_rows=100, shard_bytes=40_000, resume=True)
    with pytest.raises(BulkError, match="without --resume"):
        run_files("scan", [str(source)], str(target), run_options=way)
    with source.open("a", encoding="utf-8") as file:
        file.write("another line\n")
    with pytest.raises(BulkError, match="sources"):
        run_files("key", [str(source)], str(target), run_options=way)
    run_files("key", [str(source)], str(target), run_options=RunOptions(threads=1))
    assert beside(tmp_path) == ["in.txt", "out.jsonl"]


def test_a_shard_may_be_done_twice(source: Path, tmp_path: Path) -> None:
    (shard,) = plan_shards(expand_patterns([str(source)]))
    job = PassSpec(pa.schema([("fen", pa.string())]), Verb("key", "chess"), str(tmp_path), roll_rows=1000)
    first = run_shard(job, shard)
    assert [part.tally.read for part in first] == [1000, 1000, 1000]
    stamps = [Path(str(part.path)).stat().st_mtime_ns for part in first]
    assert run_shard(job, shard) == first
    assert [Path(str(part.path)).stat().st_mtime_ns for part in first] == stamps
    Path(str(first[1].path)).unlink()
    assert run_shard(job, shard) == first


@pytest.mark.usefixtures("ctrl_c_is_not_ignored")
@pytest.mark.parametrize(("resume", "stop"), [(False, signal.SIGINT), (True, signal.SIGTERM)])
def test_stopped_with_ctrl_c_nothing_is_left_unless_it_may_be_gone_on_with(
    source: Path, tmp_path: Path, resume: bool, stop: signal.Signals
) -> None:
    target = tmp_path / "out.parquet"
    program = f"""{HELD}
import functools, sys, threading
import forsyth.cli
from forsyth.bulk.engines import shard_work
from forsyth.bulk.jobs import run_files
process_batch, stop, stopped = shard_work.process_batch, shard_work._WriteQueue.cancel, threading.Event()
shard_work.process_batch = lambda *arguments: (
    hold_after(1, {str(target)!r}, stopped), process_batch(*arguments)
)[1]
shard_work._WriteQueue.cancel = lambda results: (stopped.set(), stop(results))[1]
run_files.RunOptions = functools.partial(run_files.RunOptions, roll_rows=300, batch_rows=100)
sys.exit(forsyth.cli.main(sys.argv[1:]))
"""
    target.write_bytes(b"as it was")
    arguments = ["normalise", str(source), "-o", str(target), *(["--resume"] if resume else [])]
    process = start_held(program, *arguments)
    process.send_signal(stop)
    _, words = process.communicate()
    assert process.returncode == 128 + stop
    assert b"Traceback" not in words
    assert (b"again to resume" in words) == resume
    assert target.read_bytes() == b"as it was"
    left = {".out.parquet.forsyth"} if resume else set()
    assert set(beside(tmp_path)) == {"in.txt", "out.parquet"} | left


class _Full:
    """A disk that takes so many bytes and no more."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._write = UnclosableFile.write

    def __call__(self, file: UnclosableFile, data: bytes) -> int:
        self._room -= len(data)
        if self._room < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return self._write(file, data)


@pytest.mark.parametrize("room", [0, 5_000, 12_000])
@pytest.mark.parametrize("name", ["out.parquet", "out.jsonl", "out.csv.gz"])
def test_a_full_disk_is_one_sentence_and_leaves_what_was_there(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int, name: str
) -> None:
    target = tmp_path / name
    target.write_bytes(b"as it was")
    full = _Full(room)
    monkeypatch.setattr(UnclosableFile, "write", lambda file, data: full(file, data))
    threads = set(threading.enumerate())
    with pytest.raises(BulkError, match="no space on the disk") as caught:
        run_files("planes" if name != "out.csv.gz" else "scan", [str(source)], str(target), run_options=SMALL)
    assert str(caught.value).count("\n") == 0
    assert target.read_bytes() == b"as it was"
    assert beside(tmp_path) == sorted(["in.txt", name])
    assert set(threading.enumerate()) <= threads


def test_a_full_disk_while_positions_are_laid_out(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: Any, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(distinct_rows, "_write_all", full)
    with pytest.raises(BulkError, match="no space on the disk"):
        dedupe_files([str(source)], str(tmp_path / "out.txt"), run_options=SMALL)
    assert beside(tmp_path) == ["in.txt"]


@pytest.mark.parametrize(
    ("damage", "match"),
    [
        (lambda data: data[:-2000], "cut off|decompressed"),
        (lambda data: gzip.compress(gzip.decompress(data)[:40_000] + b"\xff\n"), "UTF-8"),
        (lambda data: gzip.compress(gzip.decompress(data)[:40_000] + b"\0\n"), "NUL"),
    ],
)
def test_damaged_input_leaves_no_output(
    source: Path, tmp_path: Path, damage: Callable[[bytes], bytes], match: str
) -> None:
    path = tmp_path / "in.txt.gz"
    path.write_bytes(damage(gzip.compress(source.read_bytes())))
    threads = set(threading.enumerate())
    with pytest.raises(BulkError, match=match):
        run_files("key", [str(path)], str(tmp_path / "out.parquet"), run_options=SMALL, game="chess")
    assert beside(tmp_path) == ["in.txt", "in.txt.gz"]
    assert set(threading.enumerate()) <= threads


# --- memory -----------------------------------------------------------------------------------------


MEASURE = """
import resource, sys
from forsyth.bulk.sources import lines
lines.BLOCK_BYTES = 1 << 17
from forsyth.bulk import RunOptions, dedupe_files, run_files
verb, source, target = sys.argv[1:]
run_options = RunOptions(threads=2, roll_rows=1_000)
if verb == "dedupe":
    dedupe_files([source], target, run_options=run_options, game="chess")
else:
    run_files(verb, [source], target or None, run_options=run_options, game="chess")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("verb", "target"),
    [("scan", ""), ("normalise", "out.jsonl"), ("key", "out.jsonl.gz"), ("dedupe", "out.jsonl")],
)
def test_memory_does_not_grow_with_the_rows(tmp_path: Path, verb: str, target: str) -> None:
    def peak(rows: int) -> int:
        path = tmp_path / f"{rows}.jsonl"
        valid = [text for text in TEXTS if CHESS.read(text).ok]
        # Wide rows fill the memory without much work.
        block = "".join(json.dumps({"text": text, "note": "x" * 2_000}) + "\n" for text in valid)
        path.write_text(block * (rows // len(valid)), encoding="utf-8")
        out = str(tmp_path / target) if target else ""
        command = [sys.executable, "-c", MEASURE, verb, str(path), out]
        return int(subprocess.run(command, capture_output=True, check=True, text=True).stdout)

    # The many would need twice the memory if they were held. Blocks are small: the few fill the queue too.
    assert peak(80_000) < 1.2 * peak(5_000)


# --- dedupe -----------------------------------------------------------------------------------------


def expected(rows: list[tuple[str, Any]], rule: Rule) -> list[int]:
    """Which rows are kept, found in the plain way."""
    best: dict[str, int] = {}
    unreadable = []
    for number, (text, worth) in enumerate(rows):
        reading = CHESS.read(text)
        if not reading.ok:
            unreadable.append(number)
            continue
        key = CHESS.key(reading.require())
        known = best.setdefault(key, number)
        if rule.by is not None and _rank(worth) > _rank(rows[known][1]):
            best[key] = number
    return sorted([*best.values(), *(unreadable if rule.invalid == "keep" else [])])


def _rank(worth: Any) -> float:
    return float("-inf") if worth is None or worth != worth else float(worth)


REPEATED = [*TEXTS[:60], *(text.replace(" 0 1", " 3 9") for text in TEXTS[:10]), *BROKEN]
RULES = [Rule(), Rule(invalid="drop"), Rule("best", "worth"), Rule("best", "worth", "drop")]
NUMBERS = st.one_of(st.none(), st.integers(-5, 5), st.integers(-(2**62), 2**62))
FLOATS = st.one_of(st.none(), st.floats(allow_infinity=False, width=32), st.just(float("nan")), st.just(-0.0))


@settings(max_examples=35)
@given(
    rows=st.lists(st.tuples(st.sampled_from(REPEATED), NUMBERS), min_size=1, max_size=60),
    rule=st.sampled_from(
        [Rule(), Rule(invalid="drop"), Rule("best", "worth"), Rule("best", "worth", "drop")]
    ),
    partition=st.integers(1, 30),
)
def test_dedupe_keeps_what_a_dictionary_would(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, Any]], rule: Rule, partition: int
) -> None:
    found = deduped(tmp_path_factory, rows, pa.int64(), rule, partition)
    assert found == expected(rows, rule)


@settings(max_examples=25)
@given(rows=st.lists(st.tuples(st.sampled_from(REPEATED[:8]), FLOATS), min_size=1, max_size=30))
def test_dedupe_weighs_numbers_with_a_point(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, Any]]
) -> None:
    rule = Rule("best", "worth")
    assert deduped(tmp_path_factory, rows, pa.float64(), rule, 100) == expected(rows, rule)


def deduped(
    factory: pytest.TempPathFactory,
    rows: list[tuple[str, Any]],
    kind: pa.DataType,
    rule: Rule,
    partition: int,
) -> list[int]:
    folder = factory.mktemp("dedupe")
    table = pa.table(
        {
            "fen": [text for text, _ in rows],
            "worth": pa.array([worth for _, worth in rows], kind),
            "row": list(range(len(rows))),
        }
    )
    pq.write_table(table, folder / "in.parquet", row_group_size=7)
    way = RunOptions(threads=1, roll_rows=11, batch_rows=5, shard_bytes=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distinct_rows, "PARTITION_ROWS", partition)
        report = dedupe_files(
            [str(folder / "in.parquet")],
            str(folder / "out.parquet"),
            rule=rule,
            run_options=way,
            game="chess",
        )
    found: list[int] = pq.read_table(folder / "out.parquet").column("row").to_pylist()
    assert report.written == len(found)
    dropped = report.unreadable if rule.invalid == "drop" else 0
    assert report.rows == report.written + (report.duplicates or 0) + dropped
    return found


def test_the_best_row_may_be_told_by_texts_of_numbers_and_by_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text(f'fen,depth\n{CHESS.start},"9"\n{CHESS.start},"10"\n{CHESS.start},\n', encoding="utf-8")
    target = str(tmp_path / "out.csv")
    dedupe_files([str(path)], target, rule=Rule("best", "depth"))
    assert rows_of(target).column("depth").to_pylist() == ["10"]
    path.write_text(f"fen,depth\n{CHESS.start},deep\n", encoding="utf-8")
    with pytest.raises(BulkError, match="does not hold numbers"):
        dedupe_files([str(path)], target, rule=Rule("best", "depth"))
    with pytest.raises(BulkError, match="--by"):
        dedupe_files([str(path)], target, rule=Rule("best", "height"))
    with pytest.raises(BulkError, match="--by"):
        Rule("best")
    with pytest.raises(BulkError, match="--keep best"):
        Rule("first", "depth")


# --- the page ---------------------------------------------------------------------------------------


HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</pre></section><style>*{display:none}</style>",
    "&lt;b&gt;",
    "\u202egnp.exe",
    "\x1b[31mred\x1b[0m",
    "]]>--><!--",
    "javascript:alert(1)",
]


class _Seen(HTMLParser):
    """The elements of a page, what they refer to, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes += attrs
        if tag not in ("meta", "rect"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def look_at(html: str) -> _Seen:
    seen = _Seen()
    seen.feed(html)
    seen.close()
    assert seen.open == []
    return seen


@pytest.mark.parametrize("hostile", HOSTILE)
def test_the_page_shows_hostile_texts_and_runs_none(tmp_path: Path, hostile: str) -> None:
    path = tmp_path / "in.jsonl"
    rows = [hostile, f"{hostile} w - - 0 1", CHESS.start.replace("KQkq", hostile), "x" * 9000 + hostile]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    report = scan_files([str(path)], game="chess")
    html = render_page(report)
    seen = look_at(html)
    assert seen.elements.isdisjoint({"script", "img", "link", "iframe", "object", "b"})
    assert not any(name.startswith("on") for name, _ in seen.attributes)
    targets = [value or "" for name, value in seen.attributes if name in ("href", "src")]
    assert targets
    assert all(value.startswith("#") for value in targets)
    assert "url(" not in html
    assert "@import" not in html
    shown = forsyth.diagnostics.make_printable(hostile)
    assert shown in seen.text
    assert "\x1b" not in html
    assert len(html) < 60_000


def test_the_page_counts_and_underlines(source: Path, tmp_path: Path) -> None:
    report = scan_files([str(source)])
    target = tmp_path / "report.html"
    write_report(report, str(target))
    html = target.read_text(encoding="utf-8")
    seen = look_at(html)
    for code in report.codes:
        assert code.code in seen.text
        assert f"{code.rows:,}" in seen.text
    digit = next(code for code in report.codes if code.code == "board.digit").examples[0]
    assert f"{digit.text[: digit.start]}<u>9</u>{digit.text[digit.end :]}" in html
    assert "Content-Security-Policy" in html
    assert "prefers-color-scheme: dark" in html
    anchors = {value for name, value in seen.attributes if name == "id"}
    assert {value[1:] for name, value in seen.attributes if name == "href" and value} <= anchors
    bars = [float(width) for width in re.findall(r'<rect class="of-error" width="([0-9.]+)"', html)]
    assert max(bars) == 1000


def test_the_page_of_a_file_without_findings(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_text(CHESS.start + "\n", encoding="utf-8")
    report = scan_files([str(tmp_path / "in.txt")])
    assert "every text is valid" in look_at(render_page(report)).text


def test_a_report_has_a_kind(source: Path, tmp_path: Path) -> None:
    report = scan_files([str(source)])
    write_report(report, str(tmp_path / "report.json"))
    assert json.loads((tmp_path / "report.json").read_text(encoding="utf-8")) == report.to_dict()
    with pytest.raises(BulkError, match=r"\.html or \.json"):
        write_report(report, str(tmp_path / "report.pdf"))
    assert beside(tmp_path) == ["in.txt", "report.json"]
    assert isinstance(report, Report)
