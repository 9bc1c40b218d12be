"""Azul cells as the canonical text, character by character; the law is `write.write_canonical`.

Accepts any cells that `kernel` or `packed` has filled; for strange boards the text they were read from is
needed as well. Limits: never more than ROOM characters.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.azul.position import PHASES
from forsyth.games.azul.tiles import FLOOR_SYMBOLS, FORMS, PRINTED

if not cython.compiled:
    from forsyth.games.azul.notation.cells import (
        BAG,
        BOARD,
        BOARD_CELLS,
        CENTER,
        COMPLETE,
        CURRENT,
        DISCARD,
        FACTORY,
        FLOOR,
        HELD,
        LINE,
        MARKER_IN_CENTER,
        PHASE,
        PLAYERS,
        ROUND,
        SCORE,
        START,
        STRANGE,
        WALL,
        WALL_AT,
        Cells,
        Count,
    )
    from forsyth.games.azul.notation.strange_boards import Chars, floor_at, line_at, line_width
    from forsyth.games.azul.notation.write import STANDARD_PLAYERS, STANDARD_ROUNDS
    from forsyth.games.azul.tiles import SIZE

    Out = bytearray | memoryview
    Size = int
    LETTER_F: Final = 70
    ROOM: Final = 2048
    """A centre of 255 tiles of each colour, and all the rest as long as it can be."""
    FORM_TEXT = [0] * 504
    PRINTED_LETTER = [0] * 25
    LETTER = [0] * 8
    PHASE_LETTER = [0] * 4


def _fill_tables() -> None:
    for at, ch in enumerate("".join([tiles.ljust(4, "-") for tiles in FORMS])):
        FORM_TEXT[at] = ord(ch)
    for at, ch in enumerate("".join(PRINTED)):
        PRINTED_LETTER[at] = ord(ch)
    for at, ch in enumerate(FLOOR_SYMBOLS):
        LETTER[at] = ord(ch)
    for at, ch in enumerate(PHASES):
        PHASE_LETTER[at] = ord(ch)


_fill_tables()


def write_cells(cells: Cells, s: Chars, out: Out, at: Size) -> Size:
    """Write the canonical text of cells, read from some characters, at a place; where it ends."""
    player: Count
    players: Count = cells[PLAYERS]
    standard: bool = not cells[COMPLETE] and players == STANDARD_PLAYERS and cells[ROUND] <= STANDARD_ROUNDS
    if not standard:
        out[at] = 118
        out[at + 1] = 50
        out[at + 2] = 47
        out[at + 3] = 48 + players
        out[at + 4] = 47
        out[at + 5] = PHASE_LETTER[cells[PHASE]]
        out[at + 6] = 47
        at += 7
    at = _put_display(cells, out, at, standard)
    for player in range(players):
        if cells[STRANGE] >> player & 1:
            at = _put_strange_board(cells, s, out, at, player, standard)
        else:
            at = _put_board(cells, out, at, BOARD + BOARD_CELLS * player, standard)
    for player in range(players):
        at = _put_number(out, at, cells[BOARD + BOARD_CELLS * player + SCORE])
        out[at] = 44
        at += 1
    out[at - 1] = 47
    at = _put_number(out, at, cells[ROUND])
    out[at] = 47
    out[at + 1] = 48 + cells[CURRENT]
    at += 2
    if standard:
        return at
    out[at] = 47
    out[at + 1] = 48 + cells[START]
    at = _put_counts(cells, out, at + 2, BAG)
    return _put_counts(cells, out, at, DISCARD)


def _put_display(cells: Cells, out: Out, at: Size, standard: bool) -> Size:
    number: Count
    colour: Count
    first: Size
    for number in range(2 * cells[PLAYERS] + 1):
        for colour in range(4):
            out[at + colour] = FORM_TEXT[4 * cells[FACTORY + number] + colour]
        out[at + 4] = 124
        at += 5
    out[at - 1] = 47
    first = at
    for colour in range(SIZE):
        number = cells[CENTER + colour]
        while number > 0:
            out[at] = LETTER[colour + 1]
            at += 1
            number -= 1
    if cells[MARKER_IN_CENTER] and not standard:
        out[at] = LETTER_F
        at += 1
    if at == first:
        out[at] = 45
        at += 1
    out[at] = 47
    return at + 1


def _put_board(cells: Cells, out: Out, at: Size, place: Count, standard: bool) -> Size:
    row: Count
    column: Count
    line: Count
    width: Count
    for row in range(SIZE):
        for column in range(SIZE):
            out[at + column] = 45
            if cells[place + WALL + row] >> column & 1:
                out[at + column] = PRINTED_LETTER[SIZE * row + column]
        out[at + 5] = 124
        at += 6
    out[at - 1] = 47
    for row in range(SIZE):
        line = cells[place + LINE + row]
        width = SIZE if standard else row + 1
        for column in range(width):
            out[at + column] = LETTER[line >> 3] if column < (line & 7) else 45
        at += width
        out[at] = 124
        at += 1
    out[at - 1] = 47
    return _put_floor(cells, out, at, place, standard)


def _put_strange_board(cells: Cells, s: Chars, out: Out, at: Size, player: Count, standard: bool) -> Size:
    """A board as the text has it, but for the width of its lines."""
    row: Count
    column: Count
    given: Count
    place: Size = cells[WALL_AT + player]
    for column in range(SIZE * (SIZE + 1)):
        out[at + column] = s[place + column]
    at += SIZE * (SIZE + 1)
    for row in range(SIZE):
        place = line_at(s, cells, player, row)
        given = line_width(s, cells, player, row)
        for column in range(SIZE if standard else row + 1):
            out[at] = s[place + column] if column < given else 45
            at += 1
        out[at] = 124
        at += 1
    out[at - 1] = 47
    place = floor_at(s, cells, player)
    while s[place] != 47:
        out[at] = s[place]
        at += 1
        place += 1
    out[at] = 47
    return at + 1


def _put_floor(cells: Cells, out: Out, at: Size, place: Count, standard: bool) -> Size:
    """The floor line; a standard text does not show the marker on it."""
    floor: Count = cells[place + FLOOR]
    first: Size = at
    while floor:
        if floor & 7 <= SIZE or not standard:
            out[at] = LETTER[floor & 7]
            at += 1
        floor >>= 3
    if at == first:
        out[at] = 45
        at += 1
    if cells[place + HELD] and not standard:
        out[at] = 43
        out[at + 1] = LETTER_F
        at += 2
    out[at] = 47
    return at + 1


def _put_counts(cells: Cells, out: Out, at: Size, place: Count) -> Size:
    """A slash and five counts."""
    colour: Count
    for colour in range(SIZE):
        out[at] = 44 if colour else 47
        at = _put_number(out, at + 1, cells[place + colour])
    return at


def _put_number(out: Out, at: Size, number: Count) -> Size:
    """Write a number of at most four digits; where the next character goes."""
    if number < 0:
        out[at] = 45
        at += 1
        number = -number
    if number >= 1000:
        out[at] = 48 + number // 1000
        at += 1
    if number >= 100:
        out[at] = 48 + number // 100 % 10
        at += 1
    if number >= 10:
        out[at] = 48 + number // 10 % 10
        at += 1
    out[at] = 48 + number % 10
    return at + 1
