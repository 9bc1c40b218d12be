"""A position used by itself: its game, its moves, playing on, how it ended."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import forsyth
from forsyth import MoveError, Outcome

VARIANTS = [(name, variant) for name in forsyth.games() for variant in forsyth.game(name).variants]


@pytest.mark.parametrize(("name", "variant"), VARIANTS)
def test_a_position_plays_as_its_game_does(name: str, variant: str) -> None:
    start = forsyth.game(name, variant)
    position: Any = start.parse(start.start)
    game = position.game
    assert position.moves() == list(game.moves(position))
    assert position.outcome == game.outcome(position)
    move = position.moves()[0]
    after = position.play(move)
    assert after == game.play(position, move) == position.play(game.write_move(position, move))


def test_a_position_knows_the_rules_it_says() -> None:
    for variant in ("standard", "chess960", "crazyhouse", "3check"):
        game = forsyth.game("chess", variant)
        assert game.parse(game.start).game.variant == variant
    for variant in ("2-players", "3-players", "4-players"):
        dealt = forsyth.game("azul", variant)
        assert dealt.parse(dealt.start).game.variant == variant
    # Which clock is played by, no text of CoTuLenh says.
    engine = forsyth.game("cotulenh", "engine")
    assert engine.parse(engine.start).game.variant == "standard"


def test_check_and_mate() -> None:
    position = forsyth.game("chess").parse(forsyth.game("chess").start)
    assert not position.is_check and position.outcome is None
    for text in ("f3", "e5", "g4", "Qh4"):
        position = position.play(text)
    assert position.is_check and position.moves() == []
    assert position.outcome == Outcome("0-1", "checkmate")
    commanders = forsyth.game("cotulenh").parse("6c4/6T4/11/11/11/11/11/11/11/11/11/5C5 b - - 0 1")
    assert commanders.is_check


def test_azul_plays_what_happens_between_the_rounds() -> None:
    azul = forsyth.game("azul")
    position = azul.parse(azul.names["endgame"])
    for text in ("4B0", "cYf", "cR1", "cWf", "tile", "finish"):
        assert position.outcome is None
        position = position.play(text)
    assert position.outcome == Outcome("0-1", "highest score (55)")


@pytest.mark.parametrize("name", forsyth.games())
@pytest.mark.parametrize("wrong", ["", "e2e9", "x" * 1000, None, 7])
def test_what_is_no_move_of_a_position_is_refused(name: str, wrong: Any) -> None:
    position: Any = forsyth.game(name).parse(forsyth.game(name).start)
    with pytest.raises(MoveError):
        position.play(wrong)


# --- pickles and copies -----------------------------------------------------------------------------


def values_of(name: str) -> dict[str, Any]:
    """A value of each kind that programs keep and hand on."""
    game = forsyth.game(name)
    match = forsyth.Match(game)
    for _ in range(4):
        match.play(game.moves(match.position)[0])
    record = forsyth.Record.of(match)
    return {
        "position": match.position,
        "move": game.moves(match.position)[0],
        "reading": game.read(game.start),
        "refusal": forsyth.check("x/y z", game),
        "record": record,
        "record reading": forsyth.read_record(forsyth.write_record(record), game),
        "difference": game.diff(game.parse(game.start), match.position),
    }


@pytest.mark.parametrize("name", forsyth.games())
def test_values_survive_pickle_and_copy(name: str) -> None:
    for kind, value in values_of(name).items():
        pickled = [pickle.loads(pickle.dumps(value, protocol)) for protocol in (2, 4, 5)]  # noqa: S301
        for other in (*pickled, copy.copy(value), copy.deepcopy(value)):
            assert type(other) is type(value), kind
            assert other == value, kind
            assert hash(other) == hash(value) or kind in ("record", "record reading"), kind


@pytest.mark.parametrize("name", forsyth.games())
def test_a_match_survives_pickle_and_copy_and_plays_on(name: str) -> None:
    match = forsyth.Match(name)
    match.play(forsyth.game(name).moves(match.position)[0])
    for other in (pickle.loads(pickle.dumps(match)), copy.copy(match), copy.deepcopy(match)):  # noqa: S301
        assert other.position == match.position
        other.undo()
        assert other.position != match.position
        assert len(match) == 1
