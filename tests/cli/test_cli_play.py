"""A person, or a pipe, at the playable board of the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from forsyth.cli.app import forsyth as command_line
from forsyth.cli.commands import play
from forsyth.cli.commands.play import COMMANDS

PROMOTION = "8/P6k/8/8/8/8/8/K7 w - - 0 1"
FOOLS_MATE = ["f3", "e5", "g4", "Qh4"]


def played(*typed: str, arguments: tuple[str, ...] = ()) -> Result:
    given = "".join(f"{line}\n" for line in typed)
    result = CliRunner(env={"COLUMNS": "80"}).invoke(command_line, ["play", *arguments], input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result


def texts(result: Result) -> list[str]:
    """What the command fen answered, each time."""
    return [line for line in result.stdout.splitlines() if line.count("/") == 7]


def test_moves_are_played_taken_back_and_played_again() -> None:
    result = played("e4", "fen", "undo", "fen", "redo", "fen", "quit")
    after, before, again = texts(result)
    assert before == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert after == again != before
    assert "played e4" in result.stdout
    assert result.exit_code == 0


@pytest.mark.parametrize("wrong", ["e5", "Qh5", "nonsense", "\ud800", "\x1b[31m", "a" * 5000, "0", "N"])
def test_a_wrong_move_is_explained_and_changes_nothing(wrong: str) -> None:
    given = wrong.encode("utf-8", "surrogatepass") + b"\nfen\n"
    result = CliRunner().invoke(command_line, ["play"], input=given)
    assert result.exit_code == 0, result.output
    assert texts(result) == ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]
    assert "type 'moves' to list the legal moves" in result.stdout
    assert "\x1b" not in result.stdout


def test_an_ambiguous_move_lists_the_candidates() -> None:
    result = played("Nd2", arguments=("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1",))
    assert "Nbd2" in result.stdout
    assert "Nfd2" in result.stdout


def test_the_end_of_the_game_is_announced_and_can_be_taken_back() -> None:
    result = played(*FOOLS_MATE, "moves", "a3", "undo", "fen", "quit")
    assert "0-1: checkmate" in result.stdout
    assert "no legal moves" in result.stdout
    assert len(texts(result)) == 1


def test_a_draw_that_may_be_claimed_is_announced() -> None:
    result = played(*["Nf3", "Nf6", "Ng1", "Ng8"] * 2)
    assert "a draw can be claimed" in result.stdout


def test_new_begins_again_from_the_first_position() -> None:
    result = played("a8=Q", "new", "fen", arguments=(PROMOTION,))
    assert texts(result) == [PROMOTION]


def files(board: str) -> list[str]:
    """The letters below a board, from left to right."""
    return next(line.split() for line in board.splitlines() if sorted(line.split()) == list("abcdefgh"))


def test_flip_turns_the_board() -> None:
    boards = played("flip").stdout.split("> ")
    assert [files(board) for board in boards[:2]] == [list("abcdefgh"), list("hgfedcba")]


def boards(result: Result) -> int:
    """How often a board was shown."""
    return sum(sorted(line.split()) == list("abcdefgh") for line in result.stdout.splitlines())


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ([], 1),
        (["e4"], 2),
        (["e5"], 1),
        (["nonsense", "e5", "e4"], 2),
        (["e4", "undo"], 3),
        (["undo"], 1),
        (["e4", "undo", "redo"], 4),
        (["redo"], 1),
        (["flip"], 2),
        (["new"], 2),
        (["moves", "fen", "help", "save", "", "quit", "e4"], 1),
        (["FLIP", "  flip  "], 3),
    ],
)
def test_the_board_is_shown_when_it_has_changed_and_only_then(typed: list[str], shown: int) -> None:
    assert boards(played(*typed)) == shown


def test_the_prompt_and_the_last_move_name_the_side() -> None:
    said = played("e4", "e5", "x").stdout
    assert said.count("White> ") == 3
    assert said.count("Black> ") == 1
    assert "White played e4" in said
    assert "Black played e5" in said


def test_the_squares_of_the_last_move_are_marked() -> None:
    before, after = played("e4").stdout.split("White> ")
    assert before.count("<") == 0
    assert after.count("<") == 2


def test_save_writes_a_new_file_and_never_over_one(tmp_path: Path) -> None:
    target = tmp_path / "game.txt"
    result = played(f"save {target}", "e4", f"save {target}", "save", f"save {tmp_path}/none/x", "quit")
    assert target.read_text() == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
    assert result.stdout.count("choose another name") == 2
    assert "save FILE" in result.stdout


def test_help_lists_every_command_and_every_command_answers() -> None:
    result = played("help")
    assert all(f"  {name}" in result.stdout for name in COMMANDS)
    assert played(*COMMANDS).exit_code == 0


def test_nothing_to_take_back_or_play_again() -> None:
    result = played("undo", "redo", "", "   ")
    assert "no move to take back" in result.stdout
    assert "no move to play again" in result.stdout


def test_the_end_of_input_leaves_politely() -> None:
    result = played()
    assert result.exit_code == 0
    assert result.stdout.endswith("> \n")


def test_ctrl_c_leaves_politely(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("forsyth.cli.commands.play._make_pipe_reader", lambda: interrupt)
    assert played("e4").exit_code == 0


def test_a_text_that_cannot_be_played_is_explained() -> None:
    result = played(arguments=("8/8/8/8/8/8/8/8 w - - 0 1",))
    assert result.exit_code == 1
    assert "error[" in result.stderr


def test_a_named_position_needs_its_game() -> None:
    assert played("quit", arguments=("--game", "chess", "start")).exit_code == 0
    assert played("quit", arguments=("start",)).exit_code == 1


def test_a_player_at_a_terminal_edits_the_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def typed(prompt: str) -> str:
        asked.append(prompt)
        return " e4 "

    monkeypatch.setattr("builtins.input", typed)
    assert play._read_from_terminal("White> ") == " e4 "
    assert asked == ["White> "]

    def garbled(prompt: str) -> str:
        return b"\xff".decode()

    monkeypatch.setattr("builtins.input", garbled)
    assert play._read_from_terminal("White> ") == ""
    assert capsys.readouterr() == (
        "the line is not valid text in the encoding of the terminal; type it again\n",
        "",
    )
