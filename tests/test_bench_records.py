"""The benchmark of records: its games are what it says they are, and its verdicts follow from its figures."""

from __future__ import annotations

import io

import chess.pgn
import pytest
from bench import records
from bench.record_corpus import make_corpus

from forsyth.record import read_records
from forsyth.record.kernels import record_kernel

DATA = make_corpus(60, distinct=20)


def test_games_are_told_apart_and_need_no_word() -> None:
    games = records.split_games(DATA)
    assert len(set(games)) == 60 and b"".join(games) == DATA
    assert [list(reading.diagnostics) for reading in read_records(DATA.decode(), "chess")] == [[]] * 60
    kernel = record_kernel("chess", records.KERNEL_PARTS)
    assert kernel is not None
    assert kernel.read(DATA) == len(DATA)
    assert (kernel.games, kernel.fallback_count) == (60, 0)
    assert kernel.validity("clock")[1] == kernel.validity("eval")[1] == 0


def test_python_chess_reads_the_same_games() -> None:
    source = io.StringIO(DATA.decode())
    for reading in read_records(DATA.decode(), "chess"):
        other = chess.pgn.read_game(source)
        assert other is not None and other.errors == []
        record = reading.require()
        assert (dict(other.headers)["Site"], other.headers["Result"]) == (record.tag("Site"), record.result)
        assert [node.san() for node in other.mainline()] == record.moves
        assert [node.clock() for node in other.mainline()][:1] != [None]


def test_every_candidate_counts_the_same_moves() -> None:
    text = DATA.decode()
    counted = records.read_columns(records.make_kernel(), DATA)
    assert counted == records.read_single(text) == records.read_with_python_chess(text)


def test_a_line_is_kept_on_the_right_side_of_its_bound(capsys: pytest.CaptureFixture[str]) -> None:
    assert records.report_ratio("faster", 3.0, 3)
    assert not records.report_ratio("faster", 2.9, 3)
    assert records.report_ratio("more memory", 1.2, 1.2, at_most=True)
    assert not records.report_ratio("more memory", 1.3, 1.2, at_most=True)
    assert "required at least 3: False" in capsys.readouterr().out
