"""What holds for every position of the games of the kit, and what no text, bytes or edit may do to them."""

from __future__ import annotations

import copy
import pickle
import random

import pyffish
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.grid import GAMES, golden, random_positions, text_of, turned
from tests.golden.make_fairy import shogi_moves, usi_of

import forsyth
from forsyth.diagnostics import MODES
from forsyth.game import Columnar, Editable, Historical
from forsyth.kit.game import GridGame
from forsyth.kit.notation.fen import explained
from forsyth.kit.position import GridPosition
from forsyth.testing import conform

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
POSITIONS = [position for game in GAMES for position in random_positions(game, 60, 9)]
PIECES = st.sampled_from(
    ["/", "9", "0", "K", "k", "p", "h", "+", "+P", " ", "-", "–", "w", "b", "r", "12", "2P", "é", "\t", "x"]
)
some_game = st.sampled_from(GAMES)
some_position = st.sampled_from(POSITIONS)


@every_game
def test_a_game_has_every_ability(game: GridGame) -> None:
    assert isinstance(game, forsyth.Game)
    assert isinstance(game, Editable) and isinstance(game, Columnar) and isinstance(game, Historical)
    assert forsyth.game(game.name) is game
    for text in (game.start, *game.names.values(), *game.examples.values()):
        assert forsyth.detect(text).game == game.name, text


@every_game
def test_a_game_keeps_the_contract(game: GridGame) -> None:
    broken = [text_of(row) for row in golden(game, "broken.jsonl")]
    conform(game, [*game.names.values(), *game.examples.values(), *broken])


@given(some_position, st.lists(st.tuples(st.integers(0, 200), st.integers(0, 2), PIECES), max_size=3))
def test_a_text_is_accepted_at_once_exactly_where_the_reader_accepts_it(
    position: GridPosition, slips: list[tuple[int, int, str]]
) -> None:
    text = str(position)
    for at, cut, piece in slips:
        text = text[:at] + piece + text[at + cut :]
    for mode in MODES:
        assert position.game.read(text, mode=mode) == explained(position.game, text, mode)


SPELLINGS = (
    lambda text: f"{text}\n",
    lambda text: text.replace(" ", "\t ", 1),
    lambda text: text.replace(" - ", " \N{EN DASH} ", 1),
    lambda text: " ".join([*text.split()[:-1], f"0{text.split()[-1]}"]),
    lambda text: " ".join([*text.split()[:-1], "0"]),
)


@every_game
def test_a_text_with_warnings_makes_its_findings_when_they_are_looked_at(game: GridGame) -> None:
    for position in random_positions(game, 20, 4):
        for spelled in SPELLINGS:
            text = spelled(str(position))
            reading, whole = game.read(text), explained(game, text, "default")
            assert reading.position == whole.position
            assert game.parse(text, legality=False) == whole.position
            assert reading == whole


@every_game
def test_moves_are_those_of_another_engine(game: GridGame) -> None:
    for position in random_positions(game, 2_000, 3):
        text = str(position)
        found = sorted(map(game.coordinates.write_move, position.moves()))
        if game.name == "xiangqi":
            assert found == sorted(pyffish.legal_moves("xiangqi", text, [])), text
        else:
            assert found == sorted(map(usi_of, shogi_moves(text))), text


@every_game
def test_turning_the_board_changes_nothing(game: GridGame) -> None:
    last = game.sheet.grid.size - 1
    for position in random_positions(game, 100, 5):
        opposite = turned(position)
        found = {
            move._replace(origin=-1 if move.drops else last - move.origin, target=last - move.target)
            for move in position.moves()
        }
        assert found == set(opposite.moves())
        assert len(game.check(position)) == len(game.check(opposite))


@every_game
def test_perft_counts_what_moves_and_play_give(game: GridGame) -> None:
    for position in random_positions(game, 20, 8):
        lines = sum(len(position.play(move).moves()) for move in position.moves()[:40])
        if len(position.moves()) <= 40:
            assert game.perft(position, 2) == lines


@every_game
def test_a_position_is_a_value(game: GridGame) -> None:
    start = game.new_game()
    assert pickle.loads(pickle.dumps(start)) == start  # noqa: S301
    assert copy.deepcopy(start) is start
    assert len({start, game.parse(game.start), game.with_look("letters").new_game()}) == 1


@every_game
def test_every_look_draws_every_man(game: GridGame) -> None:
    assert game.looks == ("characters", "letters", "filled")
    pictures = set()
    for look in game.looks:
        for flip in (False, True):
            scene = game.with_look(look).scene(game.new_game(), flip=flip)
            drawn = {token.glyph for area in scene.areas for cell in area.cells for token in cell.tokens}
            assert drawn <= set(scene.glyphs)
            pictures.add(forsyth.draw.svg(scene))
    assert len(pictures) == 2 * len(game.looks)
    with pytest.raises(ValueError, match="characters, letters, filled"):
        game.with_look("comic")


@given(some_game, st.binary(max_size=60))
def test_bytes_are_one_position_or_none(game: GridGame, data: bytes) -> None:
    try:
        position = game.unpack(data)
    except ValueError:
        return
    assert position.packed == data


@given(some_position, st.integers(0, 1999), st.binary(min_size=1, max_size=4))
def test_changed_bytes_are_one_position_or_none(position: GridPosition, number: int, noise: bytes) -> None:
    game, data = position.game, bytearray(position.packed)
    for at, value in enumerate(noise):
        data[(number * 7 + at * 13) % len(data)] ^= value
    for form in (bytes(data), position.packed + b"\0", position.packed[:-1]):
        try:
            found = game.unpack(form)
        except ValueError:
            continue
        assert found.packed == form
        assert game.parse(str(found), mode="strict", legality=False) == found


@given(some_position, st.integers(0, 100), st.integers(0, 4), PIECES)
def test_no_text_crashes(position: GridPosition, at: int, length: int, piece: str) -> None:
    game, text = position.game, str(position)
    text = text[:at] + piece + text[at + length :]
    for mode in ("strict", "default", "lenient"):
        reading = game.read(text, mode=mode)
        for finding in reading.diagnostics:
            assert 0 <= finding.span.start <= finding.span.end <= len(text)
            if finding.fix is not None:
                assert 0 <= finding.fix.span.start <= finding.fix.span.end <= len(text)
        assert (reading.position is None) is not reading.ok
        if reading.position is not None:
            assert game.parse(str(reading.position), mode="strict", legality=False) == reading.position
            for finding in game.check(reading.position, text=text):
                assert 0 <= finding.span.start <= finding.span.end <= len(text)


@given(some_position, st.integers(0, 100), st.integers(0, 4), PIECES)
def test_certain_fixes_add_no_errors(position: GridPosition, at: int, length: int, piece: str) -> None:
    game, text = position.game, str(position)
    text = text[:at] + piece + text[at + length :]
    before = game.read(text)
    after = game.read(forsyth.apply_fixes(text, before.diagnostics))
    assert len(after.errors) <= len(before.errors), text


@given(some_game, st.text(max_size=80))
def test_any_text_at_all(game: GridGame, text: str) -> None:
    for mode in ("strict", "default", "lenient"):
        assert game.read(text, mode=mode).position is None or text.strip()
    assert 0 <= game.likelihood(text) <= 1
    with pytest.raises(forsyth.MoveError):
        game.read_move(game.new_game(), f"?{text}")


@given(some_position, st.randoms(use_true_random=False))
def test_edits_give_positions_that_texts_can_say(position: GridPosition, rng: random.Random) -> None:
    game = position.game
    places = [cell.id for area in game.scene(position).areas for cell in area.cells]
    symbols = [*game.sheet.letters[1:], None, "?"]
    for _ in range(6):
        try:
            if rng.random() < 0.5:
                position = game.put(position, rng.choice(places), rng.choice(symbols))
            else:
                position = game.lift(position, rng.choice(places), rng.choice(places))
        except ValueError:
            continue
        assert game.parse(str(position), mode="strict", legality=False) == position
        assert game.unpack(position.packed) == position
        game.check(position)
        game.moves(position)


@every_game
def test_the_decoder_takes_what_the_reader_has_nothing_to_say_about(game: GridGame) -> None:
    for position in random_positions(game, 60, 9):
        text = str(position)
        assert game.notation.decode(text) == position
        slow = explained(game, text, "lenient")
        assert slow.position == position and not slow.diagnostics
    for text in (game.start.replace(" ", "  "), game.start + " ", game.start.replace("/9/", "/45/")):
        assert game.notation.decode(text) is None


def test_games_weigh_a_text_alike_in_both_builds() -> None:
    shogi = forsyth.game("shogi").start
    weighed = {name: forsyth.game(name).likelihood(shogi) for name in forsyth.games()}
    assert weighed == {"chess": 0.266, "cotulenh": 0.182, "azul": 0.0, "xiangqi": 0.244, "shogi": 1.0}
    azul = forsyth.game("azul").start
    assert [forsyth.game(name).likelihood(azul) for name in ("chess", "cotulenh")] == [0.02, 0.156]


@every_game
def test_a_text_with_one_slip_is_still_told(game: GridGame) -> None:
    text = game.start
    for at in range(len(text)):
        for slip in (text[:at] + text[at + 1 :], f"{text[:at]}x{text[at:]}", f"{text[:at]}9{text[at:]}"):
            # Without one of its slashes a board might be one of a game with a rank less.
            if slip.count("/") == text.count("/"):
                assert forsyth.detect(slip).game == game.name, slip
