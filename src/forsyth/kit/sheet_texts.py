"""Validation of the texts in a sheet: the start and all named positions must be positions of its game.

Texts can only be read by the game, so they are checked when the game is made. Whether pieces stand where they
can be, and whether a king is attacked, is not checked, because that needs the search tables of all kinds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from forsyth.arguments import quoted
from forsyth.kit.legality import find_count_faults

if TYPE_CHECKING:
    from forsyth.kit.game import GridGame
    from forsyth.kit.position import GridPosition


def require_readable_texts(game: GridGame) -> None:
    """Raise `ValueError` if the game cannot read its own start or one of its named positions.

    Their texts are in the sheet (the data) of the game. The start must also be canonical, and have legal
    numbers of pieces.
    """
    sheet = game.sheet
    start = _require_readable_position(game, "start", sheet.start)
    canonical = str(start)
    if canonical != sheet.start:
        raise _make_sheet_error(
            game, "start", f"{quoted(sheet.start)} is not canonical, expected {canonical}"
        )
    for fault in find_count_faults(start):
        # The code of a fault determines whether it is an error or only a warning.
        diagnostic = game.book.make_diagnostic(fault.code, (0, 0), fault.message)
        if diagnostic.is_error:
            raise _make_sheet_error(game, "start", fault.message)
    for name, text in sheet.names.items():
        _require_readable_position(game, f"names, {quoted(name)}", text)


def _require_readable_position(game: GridGame, field: str, text: str) -> GridPosition:
    """Return the position of a text in the sheet of a game.

    `field` is the name of the sheet's field that contains the text, such as ``start``. Raise `ValueError`
    with that name and the first error if the text is not a position.
    """
    reading = game.read(text)
    if reading.position is None:
        raise _make_sheet_error(game, field, reading.errors[0].message)
    return reading.position


def _make_sheet_error(game: GridGame, field: str, problem: str) -> ValueError:
    """Return the error for a text in the sheet of a game. `field` names where it is, such as ``start``."""
    return ValueError(f"the sheet of {game.sheet.name}: {field}: {problem}")
