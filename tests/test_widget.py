"""The board to click as a widget: what is the same on both sides, what Python hears, and the tutorial."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest

import forsyth
from forsyth.notebook import Board
from forsyth.notebook.play import ClickableMatch

TUTORIAL = Path(__file__).parents[1] / "examples" / "tutorial.ipynb"
CHESS = forsyth.game("chess")


def said(board: Any, **message: Any) -> None:
    """What the page sends when something is clicked."""
    board._handle_custom_msg(message, [])


def test_clicking_plays_and_python_is_called() -> None:
    board = Board("chess", size=200)
    heard: list[str] = []
    board.on_move(lambda ply: heard.append(ply.text))
    said(board, click="e2")
    assert 'data-square="e4" data-mark="target"' in board.svg
    said(board, click="e4")
    assert (heard, board.moves) == (["e4"], ["e4"])
    assert board.fen == str(board.position) == str(CHESS.new_game().play("e4"))
    said(board, undo=True)
    assert (heard, board.moves, board.position) == (["e4"], [], CHESS.new_game())


def test_values_that_are_set_are_shown() -> None:
    board = Board()
    board.moves = ["e4", "e5"]
    assert board.fen == str(CHESS.new_game().play("e4").play("e5"))
    board.fen = "7k/P7/8/8/8/8/8/K7 w - - 0 1"
    assert board.moves == [] and board.match.start == board.position
    board.position = CHESS.new_game()
    board.play("d4")
    assert board.moves == ["d4"]
    board.undo()
    assert board.moves == []


@pytest.mark.parametrize(("name", "wrong"), [("fen", "nonsense"), ("moves", ["e4", "e4"])])
def test_what_is_wrong_leaves_the_board_as_it_was(name: str, wrong: Any) -> None:
    board = Board()
    board.play("e4")
    before = board.fen, board.moves, board.svg
    with pytest.raises(ValueError):
        setattr(board, name, wrong)
    assert (board.fen, board.moves, board.svg) == before


@pytest.mark.parametrize(
    "message", [{}, {"click": 4}, {"click": "zz"}, {"play": "e4"}, {"undo": "yes"}, {"undo": True}]
)
def test_messages_that_mean_nothing_change_nothing(message: dict[str, Any]) -> None:
    board = Board()
    said(board, **message)
    assert board.moves == [] and board.position == CHESS.new_game()
    board._handle_custom_msg("text", [])
    assert board.moves == []


def test_choices_are_offered_and_taken() -> None:
    board = Board("chess", "7k/P7/8/8/8/8/8/K7 w - - 0 1")
    said(board, click="a7")
    said(board, click="a8")
    assert sorted(board.choices) == ["a8=B", "a8=N", "a8=Q+", "a8=R+"]
    said(board, play="a8=N")
    assert board.moves == ["a8=N"] and board.choices == []


def test_a_match_goes_on_in_a_copy() -> None:
    match = forsyth.Match("shogi")
    board = Board(match)
    board.play(match.texts()[0])
    assert len(match) == 0 and len(board.match) == 1


@pytest.mark.slow
def test_the_tutorial_runs() -> None:
    kept = nbformat.read(TUTORIAL, as_version=4)
    nbclient.NotebookClient(kept, timeout=120, startup_timeout=120, kernel_name="python3").execute()
    shown = [output for cell in kept.cells if cell.cell_type == "code" for output in cell.outputs]
    assert sum("text/html" in one.get("data", {}) for one in shown) >= 6
    assert any("application/vnd.jupyter.widget-view+json" in one.get("data", {}) for one in shown)


def test_the_message_of_the_board_is_about_the_present_position() -> None:
    board = Board()
    assert board.message == "White to move"
    said(board, click="e2")
    assert board.message == "White to move"
    said(board, click="e4")
    assert board.message == "Black to move"
    said(board, undo=True)
    assert board.message == "White to move"
    board.moves = ["f3", "e5", "g4", "Qh4#"]
    assert board.message == "0-1, checkmate"
    assert board.choices == []


def test_the_message_asks_for_a_choice_until_one_is_made() -> None:
    board = Board("chess", "7k/P7/8/8/8/8/8/K7 w - - 0 1")
    said(board, click="a7")
    said(board, click="a8")
    assert board.message == "Choose a move"
    said(board, click="h1")
    assert (board.message, board.choices) == ("White to move", [])
    said(board, click="a7")
    said(board, click="a8")
    said(board, play="a8=Q+")
    assert (board.message, board.choices) == ("Black to move", [])


def test_the_message_of_a_move_that_is_not_legal_gives_the_reason() -> None:
    clickable = ClickableMatch(forsyth.Match("chess"))
    assert clickable.play("Ke2") is False
    assert clickable.message == "'Ke2' is not a legal move here; the mover's own pawn stands on e2"
    assert clickable.play("e4") is True
    assert clickable.message == "Black to move"


def test_actions_are_offered_with_the_message_of_the_player() -> None:
    board = Board("azul", forsyth.game("azul").start)
    assert board.message.endswith(" to move")
    assert board.choices == list(board.match.actions())
