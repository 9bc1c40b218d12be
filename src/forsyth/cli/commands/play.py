"""`forsyth play`: play a game at a board in the terminal.

Accepts moves in the notation of the game and the commands in `COMMANDS`, one per line, from a terminal or
from a pipe. A wrong move changes nothing and is explained. The end of input, ``quit`` and Ctrl-C end the
command.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import click

from forsyth.atomic_write import atomic_write
from forsyth.cli.arguments import format_examples
from forsyth.cli.inputs import decode_line, open_standard_input, read_lines
from forsyth.cli.options import TextJob, text_command
from forsyth.cli.output import echo, format_columns, format_path, print_findings, render_board
from forsyth.cli.reader import get_playable_position
from forsyth.diagnostics import MoveError, make_printable
from forsyth.match import Match
from forsyth.scene import Mark


@dataclass(slots=True)
class Session:
    """A game that is played at the terminal."""

    match: Match
    is_flipped: bool = False
    """Whether the board is shown from the other side."""


class Action(NamedTuple):
    """A command that the player can type."""

    help: str
    run: Callable[[Session, str], bool]
    """Takes the session and the rest of the line. Returns True if the board is to be shown again."""


class QuitRequest(Exception):  # noqa: N818 - quitting is not an error
    """Raised when the player types ``quit``."""


@click.command(
    epilog=format_examples(
        "forsyth play",
        "forsyth play 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3'",
    )
)
@click.argument("text", required=False)
@click.option("--flip", is_flag=True, help="Show the board from the other side.")
@text_command(takes_texts=False, writes_json=False)
def play(job: TextJob, text: str | None, flip: bool) -> int:
    """Play a game at the terminal, from any position.

    Type a move, or help for the list of commands. Without TEXT the game starts at its first position; without
    TEXT and --game, it is the first installed game.
    """
    match = _start_match(job, text)
    if match is None:
        return 1
    session = Session(match, flip)
    echo(f"{match.game.title}: type a move, or help")
    try:
        _show_board(session)
        for line in _read_typed_lines(session):
            if _run_typed_line(session, line):
                _show_board(session)
    except (EOFError, KeyboardInterrupt):
        echo()
    except QuitRequest:
        pass
    return 0


def _start_match(job: TextJob, text: str | None) -> Match | None:
    """Return a new match that starts at the position of a text.

    If `text` is None, start at the first position of the game that the options select. If the text is not a
    legal position, print its errors and return None. `job` has the options of the run.
    """
    if text is None:
        return Match(job.reader.get_default_game())
    resolved = job.reader.check(text)
    print_findings(resolved.reading)
    playable = get_playable_position(resolved)
    return None if playable is None else Match(playable.game, playable.position)


def _read_typed_lines(session: Session) -> Iterator[str]:
    """Yield the lines that the player types. Before each line, show a prompt such as ``White> ``.

    Raise `EOFError` at the end of the input.
    """
    if sys.stdin is None:
        return
    read_line = _read_from_terminal if sys.stdin.isatty() else _make_pipe_reader()
    while True:
        yield read_line(_format_prompt(session)).strip()


def _read_from_terminal(prompt: str) -> str:
    """Show a prompt and return the line that the player types.

    If its bytes are not text in the encoding of the terminal, print that and return an empty text. Raise
    `EOFError` at the end of the input.
    """
    try:
        # With input(), unlike echo(), the player can edit the line.
        return input(prompt)
    except UnicodeDecodeError:
        echo("the line is not valid text in the encoding of the terminal; type it again")
        return ""


def _make_pipe_reader() -> Callable[[str], str]:
    """Return a function that prints a prompt and returns the next line of standard input.

    This is for input from a pipe. The returned function raises `EOFError` at the end of the input.
    """
    input_lines = read_lines(open_standard_input())

    def read_line(prompt: str) -> str:
        """Print `prompt` and return the next line of standard input. Raise `EOFError` at its end."""
        echo(prompt, end="")
        line = next(input_lines, None)
        if line is None:
            raise EOFError
        # In a terminal, the player's Enter key ends the line of the prompt.
        echo()
        return decode_line(line.data)

    return read_line


def _format_prompt(session: Session) -> str:
    """Return the prompt with the side to move, such as ``White> ``."""
    match = session.match
    return f"{match.game.side_to_move(match.position)}> "


def _run_typed_line(session: Session, line: str) -> bool:
    """Run a line that the player typed: a command such as ``undo``, or else a move such as ``e4``.

    Return True if the board is to be shown again.
    """
    first_word, _, argument = line.partition(" ")
    if not first_word:
        return False
    action = COMMANDS.get(first_word.lower())
    if action is not None:
        return action.run(session, argument.strip())
    return _play_move(session, line)


def _play_move(session: Session, text: str) -> bool:
    """Play a move, such as ``e4``, and return True. If it is not legal, print the reason and return False.

    If the text fits several legal moves, they are listed too.
    """
    match = session.match
    try:
        match.play(text)
    except MoveError as error:
        echo(f"{make_printable(str(error))}; type 'moves' to list the legal moves")
        if error.candidates:
            echo(format_columns(error.candidates))
        return False
    return True


def _show_board(session: Session) -> None:
    """Print the board, the last move, and the result of the match if it has ended.

    Before the end, print the possible actions, such as a deal, or the draws that can be claimed, if any.
    """
    match = session.match
    echo(render_board(match.game, match.position, _mark_last_move(match), flip=session.is_flipped))
    if match.history:
        last_ply = match.history[-1]
        echo(f"{match.game.side_to_move(last_ply.before)} played {last_ply.text}")
    outcome = match.outcome
    if outcome is not None:
        echo(f"{outcome.result}: {outcome.reason}; type undo, new or quit")
    elif match.actions():
        echo(f"possible actions: {', '.join(match.actions())}")
    elif match.claims:
        echo(f"a draw can be claimed: {', '.join(match.claims)}")


def _mark_last_move(match: Match) -> dict[str, Mark]:
    """Return the marks of the squares of the last move, such as ``{"e2": "last", "e4": "last"}``.

    Before the first move, return an empty dictionary.
    """
    if not match.history:
        return {}
    last_ply = match.history[-1]
    move = match.game.describe_move(last_ply.before, last_ply.move)
    return {square: "last" for square in (move.origin, move.target) if square is not None}


def _print_moves(session: Session, _: str) -> bool:
    """Print the legal moves and actions. Return False, because the board has not changed."""
    match = session.match
    move_texts = (*match.texts(), *match.actions())
    echo(format_columns(move_texts) or "no legal moves")
    return False


def _undo_move(session: Session, _: str) -> bool:
    """Take the last move back and return True. If there is no move, print that and return False."""
    if session.match.undo() is not None:
        return True
    echo("no move to take back")
    return False


def _redo_move(session: Session, _: str) -> bool:
    """Play the move again that was taken back last and return True.

    If no move was taken back, print that and return False.
    """
    if session.match.redo() is not None:
        return True
    echo("no move to play again; redo only plays moves that undo took back")
    return False


def _flip_board(session: Session, _: str) -> bool:
    """Show the board from the other side from now on. Return True, so that it is shown again."""
    session.is_flipped = not session.is_flipped
    return True


def _print_position_text(session: Session, _: str) -> bool:
    """Print the text (FEN) of the position. Return False, because the board has not changed."""
    echo(str(session.match))
    return False


def _save_position(session: Session, name: str) -> bool:
    """Write the text (FEN) of the position to the new file `name`, and print that.

    If the file exists or cannot be written, print the reason instead. Return False, because the board has not
    changed.
    """
    if not name:
        echo("save needs a file name: save FILE")
        return False
    display_name = format_path(name)
    try:
        # A typing mistake must not destroy a file.
        if os.path.lexists(name):
            raise FileExistsError(errno.EEXIST, "the file exists", name)
        with atomic_write(name) as file:
            file.write(f"{session.match}\n".encode())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        echo(f"{display_name} cannot be written ({reason}); choose another name")
        return False
    echo(f"saved to {display_name}")
    return False


def _restart_match(session: Session, _: str) -> bool:
    """Start a new match from the first position of the present one.

    Return True, so that the board is shown again.
    """
    session.match = Match(session.match.game, session.match.start)
    return True


def _print_help(_: Session, __: str) -> bool:
    """Print each command with a description. Return False, because the board has not changed."""
    echo("Type a move in the notation of the game, or a command:")
    echo("\n".join(f"  {name:<6} {action.help}" for name, action in COMMANDS.items()))
    return False


def _quit_session(_: Session, __: str) -> Any:
    """Raise `QuitRequest`, which ends the session."""
    raise QuitRequest


COMMANDS: Final[dict[str, Action]] = {
    "moves": Action("list the legal moves", _print_moves),
    "undo": Action("take back the last move", _undo_move),
    "redo": Action("play the move again that was taken back last", _redo_move),
    "flip": Action("show the board from the other side", _flip_board),
    "fen": Action("show the text of the position", _print_position_text),
    "save": Action("save FILE: write the text of the position to a new file", _save_position),
    "new": Action("start again from the first position", _restart_match),
    "help": Action("show this list", _print_help),
    "quit": Action("end the game and leave", _quit_session),
}
"""The commands that the player can type, by name."""
