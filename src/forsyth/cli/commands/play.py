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

from forsyth.abilities import explain as explain_move
from forsyth.atomic_write import atomic_write
from forsyth.cli.arguments import format_examples
from forsyth.cli.inputs import decode_line, open_standard_input, read_lines
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import echo, format_columns, print_findings, render_board
from forsyth.diagnostics import MoveError, printable
from forsyth.match import Match
from forsyth.scene import Mark


@dataclass(slots=True)
class Session:
    """The state of a game at the terminal: the match, and whether the board is shown from the other side."""

    match: Match
    flipped: bool = False


class Action(NamedTuple):
    """A command that the player can type."""

    help: str
    run: Callable[[Session, str], bool]
    """Takes the session and the rest of the line; returns whether to show the board again."""


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
@text_command(uses_rules=True, takes_texts=False, writes_json=False)
def play(job: Job, text: str | None, flip: bool) -> int:
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
        for line in _read_input(session):
            if _run_line(session, line):
                _show_board(session)
    except (EOFError, KeyboardInterrupt):
        echo()
    except QuitRequest:
        pass
    return 0


def _start_match(job: Job, text: str | None) -> Match | None:
    """Return a match that starts at the position of a text, or at the start of the game if `text` is None.

    If the text is not a legal position, print its errors and return None.
    """
    if text is None:
        return Match(job.reader.default_game())
    reading, game = job.reader.check(text)
    print_findings(reading)
    if game is None or reading.position is None or not reading.ok:
        return None
    return Match(game, reading.position)


def _read_input(session: Session) -> Iterator[str]:
    """Yield the lines that the player types, each after a prompt that names the side to move.

    Raise `EOFError` at the end of the input.
    """
    if sys.stdin is None:
        return
    read_line = _read_from_terminal if sys.stdin.isatty() else _make_pipe_reader()
    while True:
        yield read_line(_format_prompt(session)).strip()


def _read_from_terminal(prompt: str) -> str:
    """Show a prompt and return the line that the player types.

    If the line is not valid text, print that and return an empty text. Raise `EOFError` at the end of input.
    """
    try:
        # Not echo: with input() the player can edit the line.
        return input(prompt)
    except UnicodeDecodeError:
        echo("the line is not valid text in the encoding of the terminal; type it again")
        return ""


def _make_pipe_reader() -> Callable[[str], str]:
    """Return a function that shows a prompt and returns the next line of standard input.

    The returned function raises `EOFError` at the end of the input.
    """
    input_lines = read_lines(open_standard_input())

    def read_line(prompt: str) -> str:
        """Show a prompt and return the next line."""
        echo(prompt, end="")
        line = next(input_lines, None)
        if line is None:
            raise EOFError
        echo()
        return decode_line(line.data)

    return read_line


def _format_prompt(session: Session) -> str:
    """Return the prompt, which names the side to move, such as ``White> ``."""
    return f"{session.match.game.side_to_move(session.match.position)}> "


def _run_line(session: Session, line: str) -> bool:
    """Run the command in a line, such as ``undo``, or else play the line as a move.

    Return whether to show the board again.
    """
    word, _, argument = line.partition(" ")
    if not word:
        return False
    action = COMMANDS.get(word.lower())
    if action is not None:
        return action.run(session, argument.strip())
    return _play_move(session, line)


def _play_move(session: Session, text: str) -> bool:
    """Play a move in the match and return True. If it is not legal, print the reason and return False."""
    try:
        session.match.play(text)
    except MoveError as error:
        hindrance = explain_move(session.match.game, session.match.position, text)
        reason = "" if hindrance is None else f"; {hindrance.message}"
        echo(f"{printable(str(error))}{printable(reason)}; type 'moves' to list the legal moves")
        if error.candidates:
            echo(format_columns(error.candidates))
        return False
    return True


def _show_board(session: Session) -> None:
    """Print the board, the last move, and the result or the actions and claims that are possible."""
    match = session.match
    echo(render_board(match.game, match.position, _mark_last_move(match), flip=session.flipped))
    if match.history:
        ply = match.history[-1]
        echo(f"{match.game.side_to_move(ply.before)} played {ply.text}")
    outcome = match.outcome
    if outcome is not None:
        echo(f"{outcome.result}: {outcome.reason}; type undo, new or quit")
    elif match.actions():
        echo(f"possible actions: {', '.join(match.actions())}")
    elif match.claims:
        echo(f"a draw can be claimed: {', '.join(match.claims)}")


def _mark_last_move(match: Match) -> dict[str, Mark]:
    """Return the mark ``last`` for the origin and the target of the last move.

    Before the first move, return an empty dictionary.
    """
    if not match.history:
        return {}
    ply = match.history[-1]
    move = match.game.describe_move(ply.before, ply.move)
    return {square: "last" for square in (move.origin, move.target) if square is not None}


def _list_moves(session: Session, _: str) -> bool:
    """Print the legal moves and actions, and return False, because the board has not changed."""
    match = session.match
    words = (*match.texts(), *match.actions())
    echo(format_columns(words) or "no legal moves")
    return False


def _undo_move(session: Session, _: str) -> bool:
    """Take the last move back, and return whether there was one."""
    if session.match.undo() is not None:
        return True
    echo("no move to take back")
    return False


def _redo_move(session: Session, _: str) -> bool:
    """Play the move again that was taken back last, and return whether there was one."""
    if session.match.redo() is not None:
        return True
    echo("no move to play again; redo only plays moves that undo took back")
    return False


def _flip_board(session: Session, _: str) -> bool:
    """Show the board from the other side from now on, and return True to show it again."""
    session.flipped = not session.flipped
    return True


def _print_text(session: Session, _: str) -> bool:
    """Print the text (FEN) of the position, and return False, because the board has not changed."""
    echo(str(session.match))
    return False


def _save_text(session: Session, name: str) -> bool:
    """Write the text of the position to the new file `name`. An existing file is not overwritten.

    Print the name, or the error if the file cannot be written. Return False, because the board has not
    changed.
    """
    if not name:
        echo("save needs a file name: save FILE")
        return False
    display_name = click.format_filename(name)
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


def _restart(session: Session, _: str) -> bool:
    """Start a new match from the first position of the current one, and return True to show the board."""
    session.match = Match(session.match.game, session.match.start)
    return True


def _print_help(_: Session, __: str) -> bool:
    """Print the commands with a description of each, and return False: the board has not changed."""
    echo("Type a move in the notation of the game, or a command:")
    echo("\n".join(f"  {name:<6} {action.help}" for name, action in COMMANDS.items()))
    return False


def _quit(_: Session, __: str) -> Any:
    """Raise `QuitRequest`, which ends `forsyth play`."""
    raise QuitRequest


COMMANDS: Final[dict[str, Action]] = {
    "moves": Action("list the legal moves", _list_moves),
    "undo": Action("take back the last move", _undo_move),
    "redo": Action("play the move again that was taken back last", _redo_move),
    "flip": Action("show the board from the other side", _flip_board),
    "fen": Action("show the text of the position", _print_text),
    "save": Action("save FILE: write the text of the position to a new file", _save_text),
    "new": Action("start again from the first position", _restart),
    "help": Action("show this list", _print_help),
    "quit": Action("end the game and leave", _quit),
}
"""The commands that the player can type, by name."""
