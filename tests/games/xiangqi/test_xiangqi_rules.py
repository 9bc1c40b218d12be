"""Xiangqi beyond its golden files: results, repetition, editing, texts of any kind, and another engine."""

from __future__ import annotations

import copy
import pickle
import random

import pyffish
import pytest
from hypothesis import given
from hypothesis import strategies as st

import forsyth
from forsyth.game import Columnar, Editable, Historical
from forsyth.games.xiangqi import GAME
from forsyth.kit.position import GridPosition

START = GAME.new_game()


def random_positions(count: int, seed: int) -> list[GridPosition]:
    """Positions of games in which every move is chosen by chance."""
    rng = random.Random(seed)
    found = []
    position = START
    while len(found) < count:
        moves = position.moves()
        if not moves or position.full > 120:
            position = START
            continue
        position = position.play(rng.choice(moves))
        found.append(position)
    return found


def turned(position: GridPosition) -> GridPosition:
    """The board turned by half with the sides exchanged."""
    kinds = len(GAME.sheet.kinds)
    board = bytes(man and (man + kinds if man <= kinds else man - kinds) for man in position.board[::-1])
    return GAME.position(board, b"", 1 - position.turn, position.half, position.full)


def test_the_game_has_every_ability() -> None:
    assert isinstance(GAME, forsyth.Game)
    assert isinstance(GAME, Editable) and isinstance(GAME, Columnar) and isinstance(GAME, Historical)
    assert forsyth.game("xiangqi") is GAME
    for text in (GAME.start, *GAME.names.values(), *GAME.examples.values()):
        assert forsyth.detect(text).game == "xiangqi", text


def test_moves_are_those_of_another_engine() -> None:
    for position in random_positions(2_000, seed=3):
        text = str(position)
        assert sorted(map(GAME.coordinates.write, position.moves())) == sorted(
            pyffish.legal_moves("xiangqi", text, [])
        ), text


def test_turning_the_board_changes_nothing() -> None:
    for position in random_positions(200, seed=5):
        opposite = turned(position)
        last = len(position.board) - 1
        assert {(last - move.origin, last - move.target) for move in position.moves()} == {
            (move.origin, move.target) for move in opposite.moves()
        }
        texts = sorted(GAME.write_move(position, move) for move in position.moves())
        assert texts == sorted(GAME.write_move(opposite, move) for move in opposite.moves())
        assert len(GAME.check(position)) == len(GAME.check(opposite))


def test_perft_counts_what_moves_and_play_give() -> None:
    for position in random_positions(20, seed=8):
        assert GAME.perft(position, 2) == sum(len(position.play(move).moves()) for move in position.moves())


@pytest.mark.parametrize(
    ("text", "result", "reason"),
    [
        ("R2k5/8R/9/9/9/9/9/9/9/4K4 b - - 0 1", "1-0", "checkmate"),
        ("3k5/4R4/9/9/9/9/9/9/9/4K4 b - - 0 1", "1-0", "stalemate"),
        ("3k5/4a4/9/9/9/9/9/9/9/4K4 b - - 0 1", "1/2-1/2", "insufficient material"),
        ("3k5/9/9/9/9/9/9/9/9/R3K4 b - - 120 90", "1/2-1/2", "sixty moves without a capture"),
    ],
)
def test_how_games_end(text: str, result: str, reason: str) -> None:
    outcome = GAME.parse(text).outcome
    assert outcome is not None
    assert (outcome.result, outcome.reason) == (result, reason)


def test_repetition_is_a_draw() -> None:
    match = forsyth.Match("xiangqi")
    for _ in range(2):
        for move in ("h1g3", "h10g8", "g3h1", "g8h10"):
            assert match.outcome is None
            match.play(move)
    assert match.outcome is not None
    assert (match.outcome.result, match.outcome.reason) == ("1/2-1/2", "threefold repetition")


def test_perpetual_check_loses() -> None:
    match = forsyth.Match("xiangqi", "3k5/9/9/9/9/9/9/9/8R/4K4 w - - 0 1")
    match.play("i2i10")
    for _ in range(2):
        for move in ("d10d9", "i10i9", "d9d10", "i9i10"):
            assert match.outcome is None
            match.play(move)
    assert match.outcome is not None
    assert (match.outcome.result, match.outcome.reason) == ("0-1", "perpetual check")


def test_slips_in_moves() -> None:
    for text, kind in (("C2=4=", "invalid"), ("h3h11", "invalid"), ("h3h10e", "invalid"), ("h3i4", "illegal")):
        with pytest.raises(forsyth.MoveError) as caught:
            GAME.read_move(START, text)
        assert caught.value.kind == kind, text
    with pytest.raises(forsyth.MoveError) as caught:
        GAME.read_move(GAME.parse("3k5/9/9/R8/9/9/9/R8/9/4K4 w - - 0 1"), "R9=8")
    assert caught.value.kind == "ambiguous"
    assert set(caught.value.candidates) == {"R+=8", "R-=8"}


def test_a_position_is_a_value() -> None:
    assert pickle.loads(pickle.dumps(START)) == START  # noqa: S301
    assert copy.deepcopy(START) is START
    assert len({START, GAME.parse(GAME.start)}) == 1
    assert START.man_at("e1") == "K" and START.man_at("e5") == ""


def test_every_look_draws_every_man() -> None:
    assert GAME.looks == ("characters", "letters")
    for look in GAME.looks:
        scene = GAME.with_look(look).scene(START, flip=True)
        drawn = {token.glyph for area in scene.areas for cell in area.cells for token in cell.tokens}
        assert drawn <= set(scene.glyphs)
    with pytest.raises(ValueError, match="characters, letters"):
        GAME.with_look("comic")


@given(st.binary(max_size=40))
def test_bytes_are_one_position_or_none(data: bytes) -> None:
    try:
        position = GAME.unpack(data)
    except ValueError:
        return
    assert position.packed == data


@given(st.integers(0, 1999), st.binary(min_size=1, max_size=4))
def test_changed_bytes_are_one_position_or_none(number: int, noise: bytes) -> None:
    position = POSITIONS[number % len(POSITIONS)]
    data = bytearray(position.packed)
    for at, value in enumerate(noise):
        data[(number * 7 + at * 13) % len(data)] ^= value
    for form in (bytes(data), position.packed + b"\0", position.packed[:-1]):
        try:
            found = GAME.unpack(form)
        except ValueError:
            continue
        assert found.packed == form
        assert GAME.parse(str(found), mode="strict", legality=False) == found


POSITIONS = random_positions(60, seed=9)
PIECES = st.sampled_from(["/", "9", "0", "K", "k", "p", "h", "+", " ", "-", "–", "w", "r", "12", "é", "\t", "x"])


@given(st.sampled_from(POSITIONS), st.integers(0, 80), st.integers(0, 4), PIECES)
def test_no_text_crashes(position: GridPosition, at: int, length: int, piece: str) -> None:
    text = str(position)
    text = text[:at] + piece + text[at + length :]
    for mode in ("strict", "default", "lenient"):
        reading = GAME.read(text, mode=mode)
        for finding in reading.diagnostics:
            assert 0 <= finding.span.start <= finding.span.end <= len(text)
            if finding.fix is not None:
                assert 0 <= finding.fix.span.start <= finding.fix.span.end <= len(text)
        assert (reading.position is None) is not reading.ok
        if reading.position is not None:
            assert GAME.parse(str(reading.position), mode="strict", legality=False) == reading.position
            for finding in GAME.check(reading.position, text=text):
                assert 0 <= finding.span.start <= finding.span.end <= len(text)


@given(st.text(max_size=80))
def test_any_text_at_all(text: str) -> None:
    for mode in ("strict", "default", "lenient"):
        assert GAME.read(text, mode=mode).position is None or text.strip()
    assert 0 <= GAME.likelihood(text) <= 1
    with pytest.raises(forsyth.MoveError):
        GAME.read_move(START, f"?{text}")


def test_the_decoder_takes_what_the_reader_has_nothing_to_say_about() -> None:
    for position in POSITIONS:
        text = str(position)
        assert GAME.notation.decode(text) == position
        # Lenient reading always goes through the reader.
        slow = GAME.read(text, mode="lenient")
        assert slow.position == position and not slow.diagnostics
    for text in (GAME.start.replace("w", "W"), GAME.start + " ", GAME.start.replace("/9/", "/45/")):
        assert GAME.notation.decode(text) is None
