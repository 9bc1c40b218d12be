"""`forsyth diff`: show the differences between two positions, field by field and square by square.

Accepts two texts of one game, which need not be legal. Writes the two boards side by side with the
differences marked, then a list of the differences. With ``--json`` the fields are ``game variant same
fields squares``. Exit status: 0 if the positions are the same, 1 if they differ, 2 if a text cannot be read.
"""

from __future__ import annotations

from itertools import zip_longest
from shutil import get_terminal_size
from typing import Any, Final, NamedTuple

import click
from rich.cells import cell_len

from forsyth.cli.arguments import format_examples
from forsyth.cli.options import TextJob, text_command
from forsyth.cli.output import Failure, echo, print_findings, render_board, write_json
from forsyth.diagnostics import Reading
from forsyth.game import Change, Difference, Game
from forsyth.scene import Mark

_BOARD_GAP: Final = "    "
"""The space between two boards."""
_EMPTY_SQUARE: Final = "-"
"""The sign for an empty square in a table."""


class PositionPair(NamedTuple):
    """Two positions of one game."""

    game: Game
    position_a: Any
    position_b: Any


@click.command(
    epilog=format_examples(
        "forsyth diff 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' \\",
        "             'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'",
    )
)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@text_command(takes_texts=False)
def diff(job: TextJob, first: str, second: str) -> int:
    """Show the differences between two positions A and B.

    Exit status: 0 if the positions are the same, 1 if they differ, 2 if a text cannot be read.
    """
    pair = _read_pair(job, text_a=first, text_b=second)
    difference = pair.game.diff(pair.position_a, pair.position_b)
    if job.as_json:
        write_json({"game": pair.game.name, "variant": pair.game.variant, **difference.to_dict()})
    else:
        echo(_format_difference(pair, difference))
    return 0 if difference.same else 1


def _read_pair(job: TextJob, text_a: str, text_b: str) -> PositionPair:
    """Return the positions of two texts, and the game to which both belong.

    Raise `Failure` if one text cannot be read, or the texts belong to different games.
    """
    reading_a, game_a = job.reader.read(text_a)
    reading_b, game_b = job.reader.read(text_b)
    _require_readable(reading_a, "A")
    _require_readable(reading_b, "B")
    if game_a is None or game_b is None or game_a.name != game_b.name:
        names = f"{reading_a.game} and {reading_b.game}"
        raise Failure(f"A and B belong to different games ({names}); expected two texts of one game")
    return PositionPair(game_a, reading_a.position, reading_b.position)


def _require_readable(reading: Reading[Any], label: str) -> None:
    """Do nothing if a text could be read, else print its errors and raise `Failure`.

    `label` is ``A`` for the first text of the command, and ``B`` for the second.
    """
    if reading.position is not None:
        return
    print_findings(reading, f"{label}:\n")
    raise Failure(f"text {label} cannot be read; correct the errors listed above, or try --mode lenient")


def _format_difference(pair: PositionPair, difference: Difference) -> str:
    """Format both boards with the changed squares marked, then tables of the changed fields and squares.

    If the positions are the same, return a line with the position.
    """
    if difference.same:
        return f"the same position: {pair.position_a}"
    marks: dict[str, Mark] = {change.name: "target" for change in difference.squares}
    board_a = render_board(pair.game, pair.position_a, marks)
    board_b = render_board(pair.game, pair.position_b, marks)
    paragraphs = (
        _join_boards(board_a, board_b),
        _format_changes("field", difference.fields),
        _format_changes("square", difference.squares),
    )
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)


def _format_changes(heading: str, changes: tuple[Change, ...]) -> str:
    """Format a table of changed fields or squares: the name, the value in position A, the value in B.

    `heading` is the heading of the names: ``field`` or ``square``. Without changes, return an empty text.
    """
    if not changes:
        return ""
    heading_row = Change(heading, "A", "B")
    rows = [heading_row]
    rows += [Change(name, a or _EMPTY_SQUARE, b or _EMPTY_SQUARE) for name, a, b in changes]
    name_width = max(cell_len(row.name) for row in rows)
    a_width = max(cell_len(row.a) for row in rows)
    return "\n".join(
        f"{_pad_text(row.name, name_width)}  {_pad_text(row.a, a_width)}  {row.b}" for row in rows
    )


def _join_boards(board_a: str, board_b: str) -> str:
    """Join two boards, each of several lines, side by side below the headings A and B.

    If the terminal is too narrow for that, put board A above board B.
    """
    lines_a = board_a.splitlines()
    lines_b = board_b.splitlines()
    width_a = max(map(_count_visible_columns, lines_a), default=0)
    width_b = max(map(_count_visible_columns, lines_b), default=0)
    if width_a + len(_BOARD_GAP) + width_b > get_terminal_size().columns:
        return f"A\n{board_a}\n\nB\n{board_b}"
    rows = zip_longest(["A", *lines_a], ["B", *lines_b], fillvalue="")
    return "\n".join(f"{_pad_text(line_a, width_a)}{_BOARD_GAP}{line_b}".rstrip() for line_a, line_b in rows)


def _count_visible_columns(text: str) -> int:
    """Return the number of terminal columns that a text takes; its colour codes take none."""
    return cell_len(click.unstyle(text))


def _pad_text(text: str, width: int) -> str:
    """Add blanks to the end of a text, so that it takes `width` terminal columns."""
    return text + " " * (width - _count_visible_columns(text))
