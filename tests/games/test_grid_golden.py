"""The games of the kit against their golden files: the README in each folder says what the columns mean."""

from __future__ import annotations

import pytest
from tests.games.grid import GAMES, Row, golden, text_of

import forsyth
from forsyth.kit.game import GridGame

COMPILED = bool(forsyth.build_info()["compiled"])
BROKEN = [
    pytest.param(game, row, id=f"{game.name}-{row['why']}")
    for game in GAMES
    for row in golden(game, "broken.jsonl")
]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@every_game
def test_legal_moves_and_their_texts(game: GridGame) -> None:
    judged = 0
    for row in golden(game, "legal_moves.jsonl.gz"):
        position = game.parse(text_of(row), legality=False)
        # The pure build takes a minute for the texts of all moves.
        shown = position.moves() if COMPILED else position.moves()[judged % 9 :: 9]
        found = {game.coordinates.write_move(move): game.write_move(position, move) for move in shown}
        wanted = dict(row["moves"])
        assert sorted(map(game.coordinates.write_move, position.moves())) == sorted(wanted), text_of(row)
        assert found.items() <= wanted.items(), text_of(row)
        # Fairy-Stockfish does not call it check where generals face each other.
        if not game.check(position):
            assert position.is_check is row["check"], text_of(row)
            judged += 1
    assert judged >= 1_000


@every_game
def test_texts_after_moves(game: GridGame) -> None:
    for row in golden(game, "legal_moves.jsonl.gz"):
        position = game.parse(text_of(row), legality=False)
        for move, after in row["after"].items():
            assert str(position.play(move)) == after, (text_of(row), move)


@every_game
def test_moves_are_read_in_both_notations(game: GridGame) -> None:
    for number, row in enumerate(golden(game, "legal_moves.jsonl.gz")[::4]):
        position = game.parse(text_of(row), legality=False)
        for squares, own in row["moves"][number % 5 :: 5]:
            move = game.read_move(position, squares)
            assert game.read_move(position, own) == move, (text_of(row), own)
        for squares, fairy in row.get("fairy", {}).items():
            assert game.coordinates.write_move(game.read_move(position, fairy)) == squares, (
                text_of(row),
                fairy,
            )


@every_game
def test_perft(game: GridGame) -> None:
    for row in golden(game, "perft.jsonl.gz"):
        position = game.parse(text_of(row), legality=False)
        for depth, nodes in enumerate(row["nodes"], 1):
            if nodes < 20_000 or COMPILED:
                assert game.perft(position, depth) == nodes, (text_of(row), depth)


@every_game
def test_keys_and_packed_forms(game: GridGame) -> None:
    for row in golden(game, "keys.jsonl.gz"):
        position = game.parse(text_of(row), legality=False)
        assert position.key == row["key"], text_of(row)
        assert position.packed.hex() == row["packed"], text_of(row)
        assert game.unpack(position.packed) == position
        assert str(game.unpack(position.packed)) == text_of(row)
        if not game.check(position):
            assert len(position.packed) <= game.packed_width


@pytest.mark.parametrize(("game", "row"), BROKEN)
def test_broken_texts(game: GridGame, row: Row) -> None:
    text = text_of(row)
    reading = game.read(text)
    assert [finding.code for finding in reading.diagnostics] == row["codes"]
    if reading.position is not None:
        assert sorted(finding.code for finding in game.check(reading.position, text=text)) == row["legality"]
    lenient = game.read(text, mode="lenient")
    assert (None if lenient.position is None else str(lenient.position)) == row["lenient"]
    strict = game.read(text, mode="strict")
    assert strict.ok is not bool(row["codes"])
