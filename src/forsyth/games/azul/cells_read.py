"""An Azul text as cells, character by character: the decoder of whole columns.

It takes exactly the texts that `kernel.decode` takes, standard (lines wide or narrow) and extended, without
an error of format or content, and says no to all others; a property test holds that the two agree. It needs
no objects and no lock, and reads no byte outside the text: each part is bounded before it is looked at.
"""

from __future__ import annotations

from itertools import product
from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.azul.packed import FORMS
from forsyth.games.azul.tiles import COLOURS, MARKER, PRINTED

if not cython.compiled:
    from forsyth.games.azul.cells import (
        BAG,
        BOARD,
        BOARD_CELLS,
        CENTER,
        COMPLETE,
        CURRENT,
        DISCARD,
        DISPLAY,
        FACTORY,
        FLOOR,
        FULL,
        HELD,
        IN_DONE,
        IN_ENDED,
        IN_OFFER,
        IN_TILING,
        LINE,
        LOOSE,
        MARKER_IN_CENTER,
        ON_FLOORS,
        PHASE,
        PLAYERS,
        ROUND,
        ROW_COMPLETE,
        SCORE,
        SEEN,
        SPACES,
        START,
        WALL,
        Cells,
        Count,
        tally,
    )
    from forsyth.games.azul.cells_judge import is_sound
    from forsyth.games.azul.kernel import MAX_LENGTH as LONGEST
    from forsyth.games.azul.tiles import FLOOR_SPACES, SIZE, TILES_PER_COLOUR

    Chars = bytes | memoryview
    Size = int
    NOWHERE: Final = -1
    """What a function that looks for the next part answers where there is none."""
    MOST_IN_CENTER: Final = 100
    ODD: Final = 7
    MARKER_CODE: Final = 6
    NOT_SORTED: Final = 128
    NO_FORM: Final = 256
    NO_CELL: Final = 128
    NO_LINE: Final = 255
    CODE = [0] * 256
    """A dash 0, colours 1 to 5, the marker 6, anything else ODD."""
    FORM = [0] * 4096
    """By the codes of four characters: the number of a factory's tiles, and NOT_SORTED; or NO_FORM."""
    WALL_CELL = [0] * 6400
    """By cell and character: the bit of the column, nothing for a dash, or NO_CELL."""
    LINE_OF = [0] * 32768
    """By the codes of five characters: a pattern line as cells have it, or NO_LINE."""


def _index(tiles: str, width: int) -> int:
    """The codes of tiles, and of dashes behind them, three bits each."""
    found = 0
    for ch in tiles.ljust(width, "-"):
        found = found << 3 | "-BYRKWF".index(ch)
    return found


def _fill_tables() -> None:
    for code in range(256):
        CODE[code] = max(0, f"-{COLOURS}{MARKER}".find(chr(code))) or (0 if chr(code) == "-" else ODD)
    for index in range(4096):
        FORM[index] = NO_FORM
    for count in range(5):
        for tiles in product(COLOURS, repeat=count):
            form = "".join(sorted(tiles, key=COLOURS.index))
            loose = 0 if form == "".join(tiles) else NOT_SORTED
            FORM[_index("".join(tiles), 4)] = FORMS.index(form) | loose
    for cell, colour in enumerate("".join(PRINTED)):
        for code in range(256):
            WALL_CELL[cell << 8 | code] = NO_CELL
        WALL_CELL[cell << 8 | ord("-")] = 0
        WALL_CELL[cell << 8 | ord(colour)] = 1 << cell % SIZE
    for index in range(32768):
        LINE_OF[index] = NO_LINE
    for number, colour in enumerate(COLOURS):
        for count in range(1, SIZE + 1):
            LINE_OF[_index(colour * count, SIZE)] = 8 * (number + 1) + count
    LINE_OF[0] = 0


_fill_tables()


def read_cells(s: Chars, at: Size, end: Size, cells: Cells) -> bool:
    """Whether the characters from `at` to `end` are a sound text; its cells, or else anything."""
    if end - at < 1 or end - at > LONGEST:
        return False
    if s[at] == 118:
        return _read_extended(s, at, end, cells)
    return _read_standard(s, at, end, cells)


def _read_standard(s: Chars, at: Size, end: Size, cells: Cells) -> bool:
    number: Count
    cells[PLAYERS] = 2
    cells[COMPLETE] = 0
    cells[LOOSE] = 0
    at = _factories(s, at, end, cells)
    at = _center(s, at, end, cells)
    at = _board(s, at, end, cells, BOARD)
    at = _board(s, at, end, cells, BOARD + BOARD_CELLS)
    at = _scores(s, at, end, cells)
    if at < 0:
        return False
    number = _number(s, at, end)
    at += number >> 16
    if number < 0 or end - at != 2 or s[at] != 47:
        return False
    cells[ROUND] = number & 0xFFFF
    if cells[ROUND] < 1 or cells[ROUND] > 10:
        return False
    cells[CURRENT] = s[at + 1] - 48
    cells[START] = cells[CURRENT]
    if s[at + 1] != 48 and s[at + 1] != 49:
        return False
    _assume(cells)
    return is_sound(cells)


def _assume(cells: Cells) -> None:
    """What a standard text does not say: phase, marker, bag and discard (spec/azul 5)."""
    colour: Count
    cells[MARKER_IN_CENTER] = 0
    tally(cells)
    if cells[DISPLAY]:
        cells[PHASE] = IN_OFFER
    elif cells[FULL] or cells[ON_FLOORS]:
        cells[PHASE] = IN_TILING
    else:
        cells[PHASE] = IN_ENDED if cells[ROW_COMPLETE] else IN_DONE
    cells[MARKER_IN_CENTER] = cells[PHASE] <= IN_TILING
    for colour in range(SIZE):
        cells[BAG + colour] = TILES_PER_COLOUR - cells[SEEN + colour]
        cells[DISCARD + colour] = 0


def _read_extended(s: Chars, at: Size, end: Size, cells: Cells) -> bool:
    player: Count
    number: Count
    if end - at < 7 or s[at + 1] != 50 or s[at + 2] != 47 or s[at + 4] != 47 or s[at + 6] != 47:
        return False
    if s[at + 3] < 50 or s[at + 3] > 52:
        return False
    cells[PLAYERS] = s[at + 3] - 48
    cells[COMPLETE] = 1
    cells[LOOSE] = 0
    if s[at + 5] == 111:
        cells[PHASE] = IN_OFFER
    elif s[at + 5] == 116:
        cells[PHASE] = IN_TILING
    elif s[at + 5] == 100:
        cells[PHASE] = IN_DONE
    elif s[at + 5] == 101:
        cells[PHASE] = IN_ENDED
    else:
        return False
    at = _factories(s, at + 7, end, cells)
    at = _center(s, at, end, cells)
    for player in range(cells[PLAYERS]):
        at = _board(s, at, end, cells, BOARD + BOARD_CELLS * player)
    at = _scores(s, at, end, cells)
    if at < 0:
        return False
    number = _number(s, at, end)
    at += number >> 16
    if number < 0 or at >= end or s[at] != 47:
        return False
    cells[ROUND] = number & 0xFFFF
    if cells[ROUND] < 1:
        return False
    at = _player(s, at + 1, end, cells, CURRENT)
    at = _player(s, at, end, cells, START)
    at = _counts(s, at, end, cells, BAG, 47)
    at = _counts(s, at, end, cells, DISCARD, 0)
    if at < 0:
        return False
    tally(cells)
    return is_sound(cells)


# --- the parts: each takes where it begins, or NOWHERE, and says where the next one does ---------------


def _factories(s: Chars, at: Size, end: Size, cells: Cells) -> Size:
    number: Count
    form: Count
    count: Count = 2 * cells[PLAYERS] + 1
    seen: Count = 0
    bars: Count = 0
    if end - at < 5 * count:
        return NOWHERE
    for number in range(count):
        form = FORM[CODE[s[at]] << 9 | CODE[s[at + 1]] << 6 | CODE[s[at + 2]] << 3 | CODE[s[at + 3]]]
        seen |= form
        cells[FACTORY + number] = form & 127
        bars += s[at + 4] == 124
        at += 5
    cells[LOOSE] |= seen & NOT_SORTED
    if seen >= NO_FORM or bars != count - 1 or s[at - 1] != 47:
        return NOWHERE
    return at


def _center(s: Chars, at: Size, end: Size, cells: Cells) -> Size:
    code: Count = 0
    before: Count = 0
    loose: Count = 0
    first: Size = at
    if at < 0:
        return NOWHERE
    for code in range(SIZE):
        cells[CENTER + code] = 0
    cells[MARKER_IN_CENTER] = 0
    while at < end:
        code = CODE[s[at]]
        if code == 0 or code > SIZE:
            break
        cells[CENTER + code - 1] += 1
        loose |= code < before
        before = code
        at += 1
    if end - at < 2 or at - first > MOST_IN_CENTER:
        return NOWHERE
    cells[LOOSE] |= loose
    if code == MARKER_CODE and cells[COMPLETE]:
        cells[MARKER_IN_CENTER] = 1
        at += 1
    elif at == first:
        if code != 0:
            return NOWHERE
        at += 1
    return at + 1 if s[at] == 47 else NOWHERE


def _board(s: Chars, at: Size, end: Size, cells: Cells, place: Count) -> Size:
    at = _wall(s, at, end, cells, place + WALL)
    if at < 0 or end - at < 20:
        return NOWHERE
    if s[at + 1] == 124:
        at = _narrow_lines(s, at, cells, place + LINE)
        # Narrow is the canonical spelling of an extended text, and the only one.
        cells[LOOSE] |= not cells[COMPLETE]
    elif not cells[COMPLETE] and end - at >= 30:
        at = _wide_lines(s, at, cells, place + LINE)
    else:
        return NOWHERE
    return _floor(s, at, end, cells, place)


def _wall(s: Chars, at: Size, end: Size, cells: Cells, place: Count) -> Size:
    row: Count
    column: Count
    mask: Count
    seen: Count = 0
    bars: Count = 0
    if at < 0 or end - at < 30:
        return NOWHERE
    for row in range(SIZE):
        mask = 0
        for column in range(SIZE):
            mask |= WALL_CELL[(SIZE * row + column) << 8 | s[at + column]]
        cells[place + row] = mask
        seen |= mask
        bars += s[at + 5] == 124
        at += 6
    return at if seen < NO_CELL and bars == 4 and s[at - 1] == 47 else NOWHERE


def _wide_lines(s: Chars, at: Size, cells: Cells, place: Count) -> Size:
    row: Count
    line: Count
    bad: Count = 0
    bars: Count = 0
    for row in range(SIZE):
        line = LINE_OF[
            CODE[s[at]] << 12
            | CODE[s[at + 1]] << 9
            | CODE[s[at + 2]] << 6
            | CODE[s[at + 3]] << 3
            | CODE[s[at + 4]]
        ]
        # The characters of a line that are not cells of the board hold no tiles.
        bad |= line == NO_LINE or (line & 7) > row + 1
        cells[place + row] = line
        bars += s[at + 5] == 124
        at += 6
    return at if not bad and bars == 4 and s[at - 1] == 47 else NOWHERE


def _narrow_lines(s: Chars, at: Size, cells: Cells, place: Count) -> Size:
    row: Count
    column: Count
    index: Count
    bad: Count = 0
    bars: Count = 0
    for row in range(SIZE):
        index = 0
        for column in range(row + 1):
            index |= CODE[s[at + column]] << 12 - 3 * column
        cells[place + row] = LINE_OF[index]
        bad |= LINE_OF[index] == NO_LINE
        at += row + 2
        bars += s[at - 1] == 124
    return at if not bad and bars == 4 and s[at - 1] == 47 else NOWHERE


def _floor(s: Chars, at: Size, end: Size, cells: Cells, place: Count) -> Size:
    code: Count
    floor: Count = 0
    spaces: Count = 0
    most: Count = MARKER_CODE if cells[COMPLETE] else SIZE
    if at < 0 or end - at < 2:
        return NOWHERE
    cells[place + HELD] = 0
    while at < end and spaces <= FLOOR_SPACES:
        code = CODE[s[at]]
        if code == 0 or code > most:
            break
        floor |= code << 3 * spaces
        spaces += 1
        at += 1
    if end - at < 2 or spaces > FLOOR_SPACES:
        return NOWHERE
    cells[place + FLOOR] = floor
    cells[place + SPACES] = spaces
    if spaces == 0:
        if s[at] != 45:
            return NOWHERE
        at += 1
    elif spaces == FLOOR_SPACES and cells[COMPLETE] and s[at] == 43 and s[at + 1] == 70:
        cells[place + HELD] = 1
        at += 2
    return at + 1 if at < end and s[at] == 47 else NOWHERE


def _scores(s: Chars, at: Size, end: Size, cells: Cells) -> Size:
    player: Count
    number: Count
    behind: Count
    if at < 0:
        return NOWHERE
    for player in range(cells[PLAYERS]):
        number = _number(s, at, end)
        at += (number >> 16) + 1
        behind = 47 if player == cells[PLAYERS] - 1 else 44
        if number < 0 or at > end or s[at - 1] != behind:
            return NOWHERE
        cells[BOARD + BOARD_CELLS * player + SCORE] = number & 0xFFFF
    return at


def _counts(s: Chars, at: Size, end: Size, cells: Cells, place: Count, behind: Count) -> Size:
    """Five counts; nothing `behind` the last one means the end of the text.

    They may have three digits, but with four there are more tiles than a sound position has anyway.
    """
    colour: Count
    number: Count
    if at < 0:
        return NOWHERE
    for colour in range(SIZE):
        number = _number(s, at, end)
        at += number >> 16
        if number < 0:
            return NOWHERE
        cells[place + colour] = number & 0xFFFF
        if colour == SIZE - 1 and behind == 0:
            return at if at == end else NOWHERE
        if at >= end or s[at] != (behind if colour == SIZE - 1 else 44):
            return NOWHERE
        at += 1
    return at


def _player(s: Chars, at: Size, end: Size, cells: Cells, place: Count) -> Size:
    if at < 0 or end - at < 2 or s[at] < 48 or s[at] >= 48 + cells[PLAYERS] or s[at + 1] != 47:
        return NOWHERE
    cells[place] = s[at] - 48
    return at + 2


def _number(s: Chars, at: Size, end: Size) -> Count:
    """A number of one to four digits without leading zero, its length above bit 16; −1 if there is none."""
    number: Count = 0
    digits: Count = 0
    while at < end and 48 <= s[at] <= 57 and digits < 5:
        number = number * 10 + s[at] - 48
        digits += 1
        at += 1
    # A number written with as many digits as it has has no leading zero.
    if digits == 0 or digits > 4:
        return -1
    if digits > 1 and number < (10 if digits == 2 else 100 if digits == 3 else 1000):
        return -1
    return number | digits << 16
