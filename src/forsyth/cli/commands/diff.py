"""`forsyth diff`: what differs between two positions, field by field and square by square.

Accepts two texts of one game; neither needs to be legal. Writes the two boards side by side with their
differences marked, then a list of them. With ``--json`` the fields ``game same fields squares``. Exit status:
0 the same, 1 different, 2 when one of the texts cannot be read.
"""

from __future__ import annotations

from itertools import zip_longest
from shutil import get_terminal_size
from typing import Any, Final, NamedTuple

import click
from rich.cells import cell_len

from forsyth.cli.arguments import example
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import Failure, board, echo, explain, write_json
from forsyth.diagnostics import Reading
from forsyth.game import Change, Difference, Game
from forsyth.scene import Mark

_GAP: Final = "    "
_NOTHING: Final = "-"
"""Stands for an empty square in a table."""


class Pair(NamedTuple):
    """Two positions of one game."""

    game: Game
    a: Any
    b: Any


@click.command(
    epilog=example(
        "forsyth diff 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' \\",
        "             'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'",
    )
)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@text_command(sources=False)
def diff(job: Job, first: str, second: str) -> int:
    """Show what differs between two positions.

    Exit status: 0 the same, 1 different, 2 when a text cannot be read.
    """
    pair = _pair(job, first, second)
    difference = pair.game.diff(pair.a, pair.b)
    if job.as_json:
        write_json({"game": pair.game.name, **difference.to_dict()})
    else:
        echo(_words(pair, difference))
    return 0 if difference.same else 1


def _pair(job: Job, first: str, second: str) -> Pair:
    a, game = job.reader.read(first)
    b, other = job.reader.read(second)
    _require_readable(a, "A")
    _require_readable(b, "B")
    if game is None or other is None or game.name != other.name:
        names = " and ".join(str(reading.game) for reading in (a, b))
        raise Failure(f"A and B belong to different games ({names}); give two texts of one game")
    return Pair(game, a.position, b.position)


def _require_readable(reading: Reading[Any], name: str) -> None:
    if reading.position is not None:
        return
    explain(reading, f"{name}:\n")
    raise Failure(f"text {name} cannot be read; correct it as the findings say, or try --mode lenient")


def _words(pair: Pair, difference: Difference) -> str:
    if difference.same:
        return f"the same position: {pair.a}"
    marked: dict[str, Mark] = {change.name: "target" for change in difference.squares}
    boards = _beside(board(pair.game, pair.a, marked), board(pair.game, pair.b, marked))
    lists = (_table("field", difference.fields), _table("square", difference.squares))
    return "\n\n".join(filter(None, (boards, *lists)))


def _table(kind: str, changes: tuple[Change, ...]) -> str:
    if not changes:
        return ""
    rows = [Change(kind, "A", "B"), *(Change(name, a or _NOTHING, b or _NOTHING) for name, a, b in changes)]
    first, second = (max(cell_len(row[at]) for row in rows) for at in (0, 1))
    return "\n".join(f"{_fill(row.name, first)}  {_fill(row.a, second)}  {row.b}" for row in rows)


def _beside(left: str, right: str) -> str:
    """Two boards side by side, or one above the other where the terminal is too narrow."""
    lefts, rights = left.splitlines(), right.splitlines()
    width = max(map(_visible, lefts), default=0)
    if width + len(_GAP) + max(map(_visible, rights), default=0) > get_terminal_size().columns:
        return f"A\n{left}\n\nB\n{right}"
    rows = zip_longest(["A", *lefts], ["B", *rights], fillvalue="")
    return "\n".join(f"{_fill(a, width)}{_GAP}{b}".rstrip() for a, b in rows)


def _visible(text: str) -> int:
    return cell_len(click.unstyle(text))


def _fill(text: str, width: int) -> str:
    return text + " " * (width - _visible(text))
