"""Counts of duplicates, positions of other files, and rows beside tensors: nothing loses its place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import forsyth
from forsyth.bulk import BulkError, Rule, RunOptions, dedupe_files, run_files
from forsyth.bulk.arrow import planes, tensor

CHESS = forsyth.game("chess")
GOOD = CHESS.start
E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
D4 = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1"
TEXTS = [GOOD, E4, "bad", GOOD, D4, None, E4, GOOD]


@pytest.fixture
def data(tmp_path: Path) -> str:
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table({"fen": TEXTS, "n": list(range(len(TEXTS)))}), path)
    return str(path)


def test_counts_of_duplicates(data: str, tmp_path: Path) -> None:
    target = tmp_path / "out.parquet"
    report = dedupe_files(data, target, game="chess", rule=Rule(count="count"))
    assert pq.read_table(target).select(["n", "count"]).to_pylist() == [
        {"n": 0, "count": 3},
        {"n": 1, "count": 2},
        {"n": 2, "count": 0},
        {"n": 4, "count": 1},
        {"n": 5, "count": 0},
    ]
    assert report.duplicates == 3
    dedupe_files(
        data, target, game="chess", rule=Rule("best", "n", "drop", count="times"), select=["n", "times"]
    )
    assert pq.read_table(target).to_pylist() == [
        {"n": 4, "times": 1},
        {"n": 6, "times": 2},
        {"n": 7, "times": 3},
    ]
    with pytest.raises(BulkError, match="column 'n' already"):
        dedupe_files(data, target, game="chess", rule=Rule(count="n"))
    with pytest.raises(BulkError, match="no counts"):
        dedupe_files(data, tmp_path / "o.txt", game="chess", rule=Rule(count="count"), format_out="text")


def test_positions_of_other_files_are_left_out(data: str, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    # Other clocks, another format, another name of the column: the same position.
    other.write_text(f"id,FEN\n1,{E4.replace(' 0 1', ' 7 9')}\n2,nothing\n", encoding="utf-8")
    target = tmp_path / "out.parquet"
    for rule, kept in (
        (Rule(against=(str(other),)), [0, 2, 4, 5]),
        (Rule("best", "n", "drop", against=(str(other),), count="count"), [4, 7]),
        (Rule(against=(data,), invalid="drop"), []),
    ):
        report = dedupe_files(data, target, game="chess", rule=rule, run_options=RunOptions(roll_rows=3))
        assert pq.read_table(target).column("n").to_pylist() == kept
        assert report.written == len(kept)
    with pytest.raises(BulkError, match="no file"):
        dedupe_files(data, target, game="chess", rule=Rule(against=(str(tmp_path / "gone.csv"),)))


@pytest.mark.parametrize("roll", [3, 1 << 20])
def test_rows_beside_tensors(data: str, tmp_path: Path, roll: int) -> None:
    more = tmp_path / "more.parquet"
    pq.write_table(pa.table({"fen": [D4, "bad", GOOD], "n": [100, 101, 102]}), more)
    arrays, rows = tmp_path / "train.npy", tmp_path / "train.parquet"
    sources = [data, str(more)]
    run_files(
        "planes",
        sources,
        arrays,
        game="chess",
        rows=str(rows),
        run_options=RunOptions(roll_rows=roll, shard_bytes=1),
    )
    table = pq.read_table(rows)
    assert table.schema.names == ["fen", "n", "row"]
    assert table.column("n").to_pylist() == [0, 1, 3, 4, 6, 7, 100, 102]
    assert table.column("row").to_pylist() == [0, 1, 3, 4, 6, 7, 8, 10]
    expected = tensor(planes(table.column("fen"), "chess"), CHESS.plane_shape)
    assert np.array_equal(np.load(arrays), expected)


def test_rows_go_beside_tensors_alone(data: str, tmp_path: Path) -> None:
    for verb, target, rows, said in (
        ("planes", "o.parquet", "r.parquet", "beside a NumPy file"),
        ("key", "o.parquet", "r.parquet", "beside a NumPy file"),
        ("planes", "o.npy", "-", "name them"),
        ("planes", "o.npy", "r.unknown", "format"),
    ):
        with pytest.raises(BulkError, match=said):
            place = rows if rows == "-" else str(tmp_path / rows)
            run_files(verb, data, tmp_path / target, game="chess", rows=place)
        assert not (tmp_path / target).exists()
    pq.write_table(pa.table({"fen": [GOOD], "row": [1]}), data)
    with pytest.raises(BulkError, match="column 'row' already"):
        run_files("planes", data, tmp_path / "o.npy", game="chess", rows=str(tmp_path / "r.csv"))
