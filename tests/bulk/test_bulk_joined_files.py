"""Small record files that are read together: the same rows, numbers and places as one by one."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from forsyth.bulk import RunOptions
from forsyth.bulk.engines import records
from forsyth.bulk.jobs.run_records import run_records
from forsyth.bulk.sources.pgn import BlockRows, may_be_joined
from forsyth.bulk.verbs.record_rows import BlockLocation, read_block_rows
from forsyth.bulk.verbs.record_table import RecordTable

GAME = '[Event "x"]\n[Result "1-0"]\n\n1. e4 e5 {fine} 2. Nf3 1-0\n'
FILES = [
    GAME,
    GAME.rstrip(),
    GAME + "\n" + GAME,
    GAME.replace("Nf3", "Ke4"),
    GAME.replace("{fine}", "{not closed"),
    GAME.replace("{fine}", "(2... open"),
    GAME,
    "\ufeff" + GAME,
    "1. d4 d5 *\n",
    GAME.replace(" 1-0\n", "\n"),
    "",
    GAME.replace("\n", "\r\n"),
    GAME.replace("\n", "\r"),
    GAME.replace("e5", "e6 ; {"),
    "; a remark\n" + GAME,
    GAME + "% [Event\n",
    GAME.replace("e5", "Qh9"),
    GAME,
]


def make_table(paths: list[Path], target: Path, kind: str, threads: int = 2) -> pa.Table:
    options = RunOptions(threads=threads)
    run_records(kind, [str(path) for path in paths], target, game="chess", run_options=options)  # type: ignore[arg-type]
    return pq.read_table(target)


@pytest.mark.parametrize("kind", ["games", "positions"])
def test_joined_files_give_the_rows_of_single_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    paths = []
    for number, text in enumerate(FILES * 2):
        path = tmp_path / f"{number:02}.pgn"
        path.write_bytes(text.encode())
        paths.append(path)
    joined = make_table(paths, tmp_path / "joined.parquet", kind)
    assert joined.equals(make_table(paths, tmp_path / "one.parquet", kind, threads=1))
    monkeypatch.setattr(records, "may_be_joined", lambda text, next_text: False)
    single = make_table(paths, tmp_path / "single.parquet", kind)
    assert joined.to_pylist() == single.to_pylist()
    if kind == "games":
        places = {(row["error"]["file"], row["error"]["line"]) for row in joined.to_pylist() if row["error"]}
        assert (str(paths[3]), 4) in places
        assert (str(paths[16]), 4) in places
        assert (str(paths[18 + 16]), 4) in places


def test_a_thousand_small_files_are_a_few_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = []
    for number in range(1000):
        path = tmp_path / f"{number:04}.pgn"
        path.write_text(GAME, encoding="utf-8")
        paths.append(path)
    read: list[BlockLocation] = []

    def count(table: RecordTable, text: memoryview, location: BlockLocation) -> BlockRows:
        read.append(location)
        return read_block_rows(table, text, location)

    monkeypatch.setattr(records, "read_block_rows", count)
    table = make_table(paths, tmp_path / "out.parquet", "games")
    assert table.column("game").to_pylist() == list(range(1, 1001))
    assert len(read) < 10


@pytest.mark.parametrize(
    ("text", "next_text", "expected"),
    [
        (GAME, GAME, True),
        (GAME, "1. e4 *\n", False),
        (GAME.replace(" 1-0\n", ""), GAME, False),
        (GAME.replace("}", ""), GAME, False),
        (GAME.replace("\n", "\r"), GAME, False),
        (GAME * 3000, GAME, False),
    ],
)
def test_only_files_that_end_with_a_game_are_joined(text: str, next_text: str, expected: bool) -> None:
    assert may_be_joined(memoryview(text.encode()), memoryview(next_text.encode())) is expected


def test_the_line_of_a_block_is_in_one_of_its_files() -> None:
    location = BlockLocation("a", 0, ((5, "b"), (9, "c")))
    assert [location.locate_line(line) for line in (1, 5, 6, 9, 10)] == [
        ("a", 1),
        ("a", 5),
        ("b", 1),
        ("b", 4),
        ("c", 1),
    ]
    assert location.skip(6).locate_line(1) == ("b", 2)
    assert location.skip(10).locate_line(1) == ("c", 2)
