"""Xiangqi against its golden files: tests/golden/xiangqi/README.md says what the columns mean."""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import forsyth
from forsyth.games.xiangqi import GAME

FOLDER = Path(__file__).parents[2] / "golden" / "xiangqi"
COMPILED = bool(forsyth.build_info()["compiled"])
Row = dict[str, Any]


@cache
def rows(name: str) -> tuple[Row, ...]:
    """The rows of one file of JSON Lines."""
    path = FOLDER / name
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text("utf-8")
    return tuple(json.loads(line) for line in text.splitlines())


def test_legal_moves_and_their_texts() -> None:
    judged = 0
    for row in rows("legal_moves.jsonl.gz"):
        position = GAME.parse(row["fen"], legality=False)
        found = sorted(
            [GAME.coordinates.write(move), GAME.write_move(position, move)] for move in position.moves()
        )
        assert found == [list(pair) for pair in row["moves"]], row["fen"]
        # Fairy-Stockfish does not call it check where generals face each other.
        if not GAME.check(position):
            assert position.is_check is row["check"], row["fen"]
            judged += 1
    assert judged >= 1_000


def test_texts_after_moves() -> None:
    for row in rows("legal_moves.jsonl.gz"):
        position = GAME.parse(row["fen"], legality=False)
        for move, after in row["after"].items():
            assert str(position.play(move)) == after, (row["fen"], move)


def test_moves_are_read_in_both_notations() -> None:
    for row in rows("legal_moves.jsonl.gz")[::4]:
        position = GAME.parse(row["fen"], legality=False)
        for squares, wxf in row["moves"]:
            move = GAME.read_move(position, squares)
            assert GAME.read_move(position, wxf) == move, (row["fen"], wxf)
        for squares, fairy in row.get("fairy", {}).items():
            assert GAME.coordinates.write(GAME.read_move(position, fairy)) == squares, (row["fen"], fairy)


def test_perft() -> None:
    for row in rows("perft.jsonl.gz"):
        position = GAME.parse(row["fen"], legality=False)
        for depth, nodes in enumerate(row["nodes"], 1):
            if nodes < 100_000 or COMPILED:
                assert GAME.perft(position, depth) == nodes, (row["fen"], depth)


def test_perft_from_the_start() -> None:
    depths = (44, 1_920, 79_666, 3_290_240)
    for depth, nodes in enumerate(depths if COMPILED else depths[:2], 1):
        assert GAME.perft(GAME.new_game(), depth) == nodes


def test_keys_and_packed_forms() -> None:
    for row in rows("keys.jsonl.gz"):
        position = GAME.parse(row["fen"], legality=False)
        assert position.key == row["key"], row["fen"]
        assert position.packed.hex() == row["packed"], row["fen"]
        assert GAME.unpack(position.packed) == position
        assert str(GAME.unpack(position.packed)) == row["fen"]


@pytest.mark.parametrize("row", rows("broken.jsonl"), ids=lambda row: row["why"])
def test_broken_texts(row: Row) -> None:
    reading = GAME.read(row["fen"])
    assert [finding.code for finding in reading.diagnostics] == row["codes"]
    judged = reading.position or GAME.read(row["fen"], mode="lenient").position
    if reading.position is not None or row["legality"]:
        assert judged is not None
        assert sorted(finding.code for finding in GAME.check(judged, text=row["fen"])) == row["legality"]
    lenient = GAME.read(row["fen"], mode="lenient")
    assert (None if lenient.position is None else str(lenient.position)) == row["lenient"]
    strict = GAME.read(row["fen"], mode="strict")
    assert strict.ok is not bool(row["codes"])
