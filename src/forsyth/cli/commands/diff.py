"""`forsyth diff`: show the differences between two positions, field by field and square by square.

Accepts two texts of one game, which need not be legal. Writes the two boards side by side with the
differences marked, then a list of the differences. With ``--json`` the fields are ``game same fields
squares``. Exit status: 0 if the positions are the same, 1 if they differ, 2 if a text cannot be read.
"""

from __future__ import annotations

from itertools import zip_longest
from shutil import get_terminal_size
from typing import Any, Final, NamedTuple

import click
from rich.cells import cell_len

from forsyth.cli.arguments import format_examples
from forsyth.cli.options import Job, text_command
from forsyth.cli.output import Failure, echo, print_findings, render_board, write_json
from forsyth.diagnostics import Reading
from forsyth.game import Change, Difference, Game
from forsyth.scene import Mark

_GAP: Final = "    "
"""The space between two boards."""
_EMPTY_SQUARE: Final = "-"
"""The sign for an empty square in a table."""


class PositionPair(NamedTuple):
    """Two positions of one game."""

    game: Game
    a: Any
    b: Any


@click.command(
    epilog=format_examples(
        "forsyth diff 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' \\",
        "             'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'",
    )
)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@text_command(takes_texts=False)
def diff(job: Job, first: str, second: str) -> int:
    """Show the differences between two positions A and B.

    Exit status: 0 if the positions are the same, 1 if they differ, 2 if a text cannot be read.
    """
    pair = _read_pair(job, first, second)
    difference = pair.game.diff(pair.a, pair.b)
    if job.as_json:
        write_json({"game": pair.game.name, **difference.to_dict()})
    else:
        echo(_format_difference(pair, difference))
    return 0 if difference.same else 1


def _read_pair(job: Job, first_text: str, second_text: str) -> PositionPair:
    """Return the positions of two texts of one game.

    Raise `Failure` if one text cannot be read, or the texts belong to different games.
    """
    first_reading, first_game = job.reader.read(first_text)
    second_reading, second_game = job.reader.read(second_text)
    _require_readable(first_reading, "A")
    _require_readable(second_reading, "B")
    if first_game is None or second_game is None or first_game.name != second_game.name:
        names = f"{first_reading.game} and {second_reading.game}"
        raise Failure(f"A and B belong to different games ({names}); expected two texts of one game")
    return PositionPair(first_game, first_reading.position, second_reading.position)


def _require_readable(reading: Reading[Any], label: str) -> None:
    """Raise `Failure` if a text could not be read, and print its errors before.

    `label` is ``A`` for the first text of the command and ``B`` for the second.
    """
    if reading.position is not None:
        return
    print_findings(reading, f"{label}:\n")
    raise Failure(f"text {label} cannot be read; correct the errors listed above, or try --mode lenient")


def _format_difference(pair: PositionPair, difference: Difference) -> str:
    """Return both boards with the differences marked, and a table of the fields and squares that differ."""
    if difference.same:
        return f"the same position: {pair.a}"
    marked: dict[str, Mark] = {change.name: "target" for change in difference.squares}
    boards = _join_boards(render_board(pair.game, pair.a, marked), render_board(pair.game, pair.b, marked))
    tables = (_format_changes("field", difference.fields), _format_changes("square", difference.squares))
    return "\n\n".join(filter(None, (boards, *tables)))


def _format_changes(heading: str, changes: tuple[Change, ...]) -> str:
    """Return a table of the names that differ, with the value in position A and in position B.

    `heading` is the heading of the names, ``field`` or ``square``. Without changes, return an empty text.
    """
    if not changes:
        return ""
    rows = [Change(heading, "A", "B")]
    rows += [Change(name, a or _EMPTY_SQUARE, b or _EMPTY_SQUARE) for name, a, b in changes]
    name_width = max(cell_len(row.name) for row in rows)
    a_width = max(cell_len(row.a) for row in rows)
    return "\n".join(f"{_pad(row.name, name_width)}  {_pad(row.a, a_width)}  {row.b}" for row in rows)


def _join_boards(left: str, right: str) -> str:
    """Return two boards, each several lines of text, side by side below the headings A and B.

    If the terminal is too narrow, the boards are one above the other.
    """
    left_lines, right_lines = left.splitlines(), right.splitlines()
    left_width = max(map(_visible_width, left_lines), default=0)
    right_width = max(map(_visible_width, right_lines), default=0)
    if left_width + len(_GAP) + right_width > get_terminal_size().columns:
        return f"A\n{left}\n\nB\n{right}"
    rows = zip_longest(["A", *left_lines], ["B", *right_lines], fillvalue="")
    return "\n".join(f"{_pad(a, left_width)}{_GAP}{b}".rstrip() for a, b in rows)


def _visible_width(text: str) -> int:
    """Return the number of terminal columns that a text takes; its colour codes take none."""
    return cell_len(click.unstyle(text))


def _pad(text: str, width: int) -> str:
    """Return a text with blanks after it, so that it takes `width` terminal columns."""
    return text + " " * (width - _visible_width(text))
