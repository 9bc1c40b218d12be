"""The benchmark of tables of records compares what is the same: Forsyth's rows and those of python-chess."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from bench import record_tables
from bench.record_corpus import make_corpus
from bench.record_tables import write_with_forsyth, write_with_python_chess

import forsyth


def test_both_candidates_write_the_same_rows(tmp_path: Path) -> None:
    data = make_corpus(12, distinct=12)
    write_with_forsyth(data, tmp_path / "ours.parquet")
    write_with_python_chess(data, tmp_path / "theirs.parquet")
    found = pq.read_table(tmp_path / "ours.parquet").to_pylist()
    expected = pq.read_table(tmp_path / "theirs.parquet").to_pylist()
    chess = forsyth.game("chess")
    assert len(found) == len(expected)
    for row, other in zip(found, expected, strict=True):
        move = None if row["move"] is None else chess.uci_move(chess.unpack_move(row["move"]))
        clock = None if row["clock"] is None else row["clock"] / 1000
        assert (row["game"], row["ply"], move, clock, row["eval"], row["result"]) == (
            *(other["game"], other["ply"], other["move"], other["clock"], other["eval"], other["result"]),
        )


def test_it_says_which_requirements_are_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(record_tables, "QUICK_GAMES", 8)
    monkeypatch.setattr(record_tables, "SLOW_GAMES", 2)
    missed = record_tables.main(["--quick", "--turns", "1"])
    told = capsys.readouterr().out
    assert missed == ("MISSED" in told)
    assert "times python-chess" in told
    assert "two threads, times one" in told
