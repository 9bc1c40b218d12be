"""`forsyth play`: a playable board in the terminal.

Accepts moves in the game's notation and the commands of `COMMANDS`, one per line, from a person or from a
pipe. A wrong move changes nothing and says what was wrong. The end of input, ``quit`` and Ctrl-C leave.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import click

from forsyth.abilities import explain as explained
from forsyth.atomic_write import atomic_write
from forsyth.cli.arguments import example
from forsyth.cli.inputs import decoded, lines, standard_input
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import board, columns, echo, explain
from forsyth.diagnostics import MoveError, printable
from forsyth.match import Match
from forsyth.scene import Mark


@dataclass(slots=True)
class Session:
    """The match being played, and from which side it is shown."""

    match: Match
    flipped: bool = False


class Action(NamedTuple):
    """What a command does and says; `run` answers whether the board is to be shown again."""

    help: str
    run: Callable[[Session, str], bool]


class Leave(Exception):  # noqa: N818 - leaving is no error
    """The player is done."""


@click.command(
    epilog=example(
        "forsyth play",
        "forsyth play 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3'",
    )
)
@click.argument("text", required=False)
@click.option("--flip", is_flag=True, help="Show the board from the other side.")
@text_command(plays=True, sources=False, json=False)
def play(job: Job, text: str | None, flip: bool) -> int:
    """Play from a position, or from the start, at the terminal.

    Type a move, or help for the commands. Without TEXT and --game the first installed game is played.
    """
    match = _match(job, text)
    if match is None:
        return 1
    session = Session(match, flip)
    echo(f"{match.game.title}: type a move, or help")
    try:
        _show(session)
        for line in _typed(session):
            if _obey(session, line):
                _show(session)
    except (EOFError, KeyboardInterrupt):
        echo()
    except Leave:
        pass
    return 0


def _match(job: Job, text: str | None) -> Match | None:
    """The match to play, or none when the text cannot be played from; the findings then say why."""
    if text is None:
        return Match(job.reader.usual_game())
    reading, game = job.reader.check(text)
    explain(reading)
    if game is None or reading.position is None or not reading.ok:
        return None
    return Match(game, reading.position)


def _typed(session: Session) -> Iterator[str]:
    """What the player types, line by line, each after a prompt that names the side to move."""
    if sys.stdin is None:
        return
    ask = _at_terminal if sys.stdin.isatty() else _from_pipe()
    while True:
        yield ask(_prompt(session)).strip()


def _at_terminal(prompt: str) -> str:
    try:
        # Not echo: input() gives the player a line that can be edited.
        return input(prompt)
    except UnicodeDecodeError:
        echo("that was not text in the terminal's encoding; type it again")
        return ""


def _from_pipe() -> Callable[[str], str]:
    piped = lines(standard_input())

    def ask(prompt: str) -> str:
        echo(prompt, end="")
        line = next(piped, None)
        if line is None:
            raise EOFError
        echo()
        return decoded(line.data)

    return ask


def _prompt(session: Session) -> str:
    return f"{session.match.game.side_to_move(session.match.position)}> "


def _obey(session: Session, line: str) -> bool:
    """Do what one line asks; whether the board is to be shown again."""
    word, _, argument = line.partition(" ")
    if not word:
        return False
    action = COMMANDS.get(word.lower())
    if action is not None:
        return action.run(session, argument.strip())
    return _play(session, line)


def _play(session: Session, text: str) -> bool:
    try:
        session.match.play(text)
    except MoveError as error:
        why = explained(session.match.game, session.match.position, text)
        reason = "" if why is None else f"; {why.message}"
        echo(f"{printable(str(error))}{printable(reason)}; type moves for the legal ones")
        if error.candidates:
            echo(columns(error.candidates))
        return False
    return True


def _show(session: Session) -> None:
    match = session.match
    echo(board(match.game, match.position, _last(match), flip=session.flipped))
    if match.history:
        ply = match.history[-1]
        echo(f"{match.game.side_to_move(ply.before)} played {ply.text}")
    outcome = match.outcome
    if outcome is not None:
        echo(f"{outcome.result}: {outcome.reason}; undo, new or quit")
    elif match.actions():
        echo(f"next may be: {', '.join(match.actions())}")
    elif match.claims:
        echo(f"a draw may be claimed: {', '.join(match.claims)}")


def _last(match: Match) -> dict[str, Mark]:
    """The squares of the last move, to be marked."""
    if not match.history:
        return {}
    ply = match.history[-1]
    facts = match.game.describe_move(ply.before, ply.move)
    return {square: "last" for square in (facts.origin, facts.target) if square is not None}


def _moves(session: Session, _: str) -> bool:
    match = session.match
    words = (*match.texts(), *match.actions())
    echo(columns(words) or "no legal moves")
    return False


def _undo(session: Session, _: str) -> bool:
    if session.match.undo() is not None:
        return True
    echo("there is no move to take back")
    return False


def _redo(session: Session, _: str) -> bool:
    if session.match.redo() is not None:
        return True
    echo("there is no move to play again; only moves taken back with undo can be")
    return False


def _flip(session: Session, _: str) -> bool:
    session.flipped = not session.flipped
    return True


def _text(session: Session, _: str) -> bool:
    echo(str(session.match))
    return False


def _save(session: Session, name: str) -> bool:
    if not name:
        echo("save needs the name of a file: save FILE")
        return False
    shown = click.format_filename(name)
    try:
        # A typing mistake at the board must not cost a file.
        if os.path.lexists(name):
            raise FileExistsError(errno.EEXIST, "the file exists", name)
        with atomic_write(name) as file:
            file.write(f"{session.match}\n".encode())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        echo(f"{shown} cannot be written ({reason}); choose another name")
        return False
    echo(f"saved to {shown}")
    return False


def _new(session: Session, _: str) -> bool:
    session.match = Match(session.match.game, session.match.start)
    return True


def _help(_: Session, __: str) -> bool:
    echo("a move in the game's notation, or:")
    echo("\n".join(f"  {name:<6} {action.help}" for name, action in COMMANDS.items()))
    return False


def _quit(_: Session, __: str) -> Any:
    raise Leave


COMMANDS: Final[dict[str, Action]] = {
    "moves": Action("list the legal moves", _moves),
    "undo": Action("take the last move back", _undo),
    "redo": Action("play the move last taken back", _redo),
    "flip": Action("show the board from the other side", _flip),
    "fen": Action("show the text of the position", _text),
    "save": Action("save FILE: write the text of the position to a new file", _save),
    "new": Action("begin again from the first position", _new),
    "help": Action("show this list", _help),
    "quit": Action("leave", _quit),
}
