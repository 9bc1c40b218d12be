"""The texts of a sheet: what its game begins with and what it names must be positions of that game.

A text can only be read where there is a game of the sheet, so this is asked when the game is made. Where its
men can be, and whether a king is attacked, is not asked: that takes the movement of all kinds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forsyth.arguments import quoted
from forsyth.kit.legality import counted

if TYPE_CHECKING:
    from forsyth.kit.game import GridGame
    from forsyth.kit.position import GridPosition


def require_texts(game: GridGame) -> None:
    """Raise `ValueError` where the start or a named position of the sheet is none of the game."""
    sheet = game.sheet
    start = _position(game, "start", sheet.start)
    canonical = str(start)
    if canonical != sheet.start:
        raise _unsound(game, "start", f"{quoted(sheet.start)} is not canonical, expected {canonical}")
    for fault in counted(start):
        if game.book.finding(fault.code, (0, 0), fault.message).is_error:
            raise _unsound(game, "start", fault.message)
    for name, text in sheet.names.items():
        _position(game, f"names, {quoted(name)}", text)


def _position(game: GridGame, where: str, text: str) -> GridPosition:
    reading = game.read(text)
    if reading.position is None:
        raise _unsound(game, where, reading.errors[0].message)
    return reading.position


def _unsound(game: GridGame, where: str, problem: str) -> ValueError:
    return ValueError(f"the sheet of {game.sheet.name}: {where}: {problem}")
