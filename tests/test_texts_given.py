"""What may be given as a text: subclasses of str as well as str, and of any length in whatever is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.whole_game import WholeGame

import forsyth
from forsyth import azul, chess, cotulenh
from forsyth.arguments import MAX_QUOTED, quoted
from forsyth.game import Game
from forsyth.limits import MAX_COUNTED_DEPTH, MAX_MOVE_TEXT

GAMES = [forsyth.game(name) for name in ("chess", "cotulenh", "azul")]
MOVES = {"chess": "e4", "cotulenh": "Ic6", "azul": "0B2"}
MOST = 2000
"""Characters of a message: some list what else there is, none repeats a text without end."""

each_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])


class Named(str):
    """A text of another class, which says of itself what it likes."""

    def __str__(self) -> str:
        return "something else"

    def __getitem__(self, key: Any) -> Any:
        return object()


# --- subclasses of str ------------------------------------------------------------------------------


@each_game
def test_a_subclass_of_str_is_read_like_the_text_it_is(game: Game) -> None:
    for text in (game.start, f" {game.start}", game.start[:-1], "x", ""):
        for mode in ("strict", "default", "lenient"):
            wanted, found = game.read(text, mode=mode), game.read(np.str_(text), mode=mode)
            assert found.to_dict() == wanted.to_dict()
        assert forsyth.check(np.str_(text), game).to_dict() == forsyth.check(text, game).to_dict()
        assert forsyth.detect(np.str_(text)) == forsyth.detect(text)
        assert forsyth.repair(np.str_(text), game) == forsyth.repair(text, game)
    position = game.parse(np.str_(game.start))
    assert position == game.parse(game.start)
    assert game.check(position, text=np.str_(game.start)) == game.check(position, text=game.start)
    assert forsyth.unwrap(np.str_("start"), names=game.names) == forsyth.unwrap("start", names=game.names)


@each_game
def test_a_move_may_be_a_subclass_of_str(game: Game) -> None:
    position = game.parse(game.start)
    text = game.write_move(position, game.moves(position)[0])
    move = game.read_move(position, np.str_(text))
    assert move == game.read_move(position, text)
    assert game.play(position, move) == game.play(position, game.moves(position)[0])
    if game.name == "azul":
        assert game.play(position, np.str_(text)) == game.play(position, text)


@each_game
def test_a_text_that_says_something_else_of_itself_ends_nothing(game: Game) -> None:
    position = game.parse(game.start)
    for call in (game.read, game.likelihood, lambda text: game.read_move(position, text)):
        try:
            call(Named(game.start))
        except Exception as error:
            assert str(error)


def test_the_classes_of_the_documents_take_subclasses_of_str() -> None:
    assert azul.AzulState.from_fen(np.str_(GAMES[2].start)).to_fen() == GAMES[2].start
    assert azul.AzulState.validate_fen(np.str_(GAMES[2].start))
    assert cotulenh.CoTuLenh(np.str_(GAMES[1].start)).fen() == GAMES[1].start
    assert chess.read_uci_move(GAMES[0].parse(GAMES[0].start), np.str_("e2e4")).uci == "e2e4"


# --- endless texts ----------------------------------------------------------------------------------

ENDLESS = [kind * 1_000_000 for kind in ("x", "/", "1", "N", "é", "\ud800")]


def refused(call: Callable[..., Any], *given: Any, **options: Any) -> None:
    """Whatever is said about an endless text is short."""
    try:
        found = call(*given, **options)
    except (ValueError, LookupError, forsyth.UnknownGameError) as error:
        assert len(str(error)) <= MOST, str(error)[:200]
        return
    for finding in getattr(found, "diagnostics", ()):
        assert len(finding.message) <= MOST, finding.code


@each_game
@pytest.mark.parametrize("text", ENDLESS, ids=[ascii(text[0]) for text in ENDLESS])
def test_no_message_repeats_an_endless_text(game: WholeGame, text: str) -> None:
    position = game.parse(game.start)
    for mode in ("strict", "default", "lenient"):
        refused(game.read, text, mode=mode)
    refused(game.parse, text)
    for begin in ("", MOVES[game.name], "deal", "deal:", "tile", "finish", "commit"):
        refused(game.read_move, position, begin + text)
    refused(game.with_variant, text)
    refused(game.write, position, text)
    refused(game.put, position, text, "x")
    refused(game.put, position, "e4", text)
    refused(game.lift, position, text, text)
    refused(game.with_field, position, text, "1")
    for field in game.fields(position):
        refused(game.with_field, position, field.name, text)
    refused(forsyth.read, text, game)
    refused(forsyth.unwrap, text, form="base64")
    refused(forsyth.wrap, game.start, text)
    refused(forsyth.game, text)
    refused(forsyth.record.read_record, text, game)


def test_uci_lines_and_the_classes_of_the_documents_are_brief_too() -> None:
    start = GAMES[0].parse(GAMES[0].start)
    for text in ENDLESS:
        refused(chess.read_uci_move, start, text)
        refused(chess.read_position_line, f"position startpos {text}")
        refused(chess.read_position_line, f"position startpos moves {text}")
        refused(chess.read_epd, text)
        refused(cotulenh.CoTuLenh().move, text)
        refused(cotulenh.CoTuLenh().move, {"from": text, "to": text})
        refused(cotulenh.CoTuLenh().get, text)
        refused(azul.AzulState.from_fen, text)
        refused(azul.AzulState.from_dict, {"round": text})


def test_what_is_quoted_can_be_known_again() -> None:
    assert quoted("e4") == "'e4'"
    assert quoted(None) == "None"
    assert quoted("x" * MAX_QUOTED) == repr("x" * MAX_QUOTED)
    assert quoted("x" * 99) == repr("x" * MAX_QUOTED + "…")
    assert len(quoted([1] * 99)) <= MAX_QUOTED


# --- numbers without end ----------------------------------------------------------------------------


@each_game
def test_a_perft_is_refused_before_it_fills_the_stack(game: Game) -> None:
    position = game.parse(game.start)
    for depth in (-1, MAX_COUNTED_DEPTH + 1, 10**6):
        with pytest.raises(ValueError, match=f"the depth is {depth}, expected 0 to {MAX_COUNTED_DEPTH}"):
            game.perft(position, depth)


@pytest.mark.parametrize(("name", "move"), [("chess", "e4"), ("cotulenh", "Tf5")])
def test_a_move_text_may_have_so_many_characters_and_no_more(name: str, move: str) -> None:
    game = forsyth.game(name)
    position = game.parse(game.start)
    longest = move.ljust(MAX_MOVE_TEXT, "!")
    assert game.write_move(position, game.read_move(position, longest)) == move
    for text in (f"{longest}!", "", " "):
        with pytest.raises(forsyth.MoveError) as refused:
            game.read_move(position, text)
        assert refused.value.kind == "invalid"
        assert refused.value.candidates == ()
