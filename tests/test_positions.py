"""A position used by itself: its game, its moves, playing on, how it ended."""

from __future__ import annotations

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
