"""Azul at full speed: sound text to cells.

The scanner takes the texts, standard (lines wide or narrow) and extended, without an error of format
(spec/azul 8.2), and says whether there is one of content (8.3); `fen` and `check` explain what is wrong. What
cells cannot hold of the content is read by `strange_boards`. A property test holds that they agree.
`read_cells` serves single texts and whole columns: it needs no objects and no lock, and reads no byte outside
the text, since each part is bounded before it is looked at. `kernel` makes a position of the cells.

What is to be said about a text that is taken is noted in the cells, with a code and a place (`cells`): today
in which parts it is not spelled canonically, so that a text without findings is the canonical one.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.azul.notation.write import FACTORY_TEXT, NARROW_TEXT, WIDE_TEXT
from forsyth.games.azul.tiles import FLOOR_SYMBOLS, FORMS, ROW_MASKS, sort_tiles

if not cython.compiled:
    from operator import getitem

    from forsyth.games.azul.notation.cells import (
        BAG,
        BOARD,
        BOARD_CELLS,
        CENTER,
        CODE,
        COMPLETE,
        CURRENT,
        DISCARD,
        DISPLAY,
        FACTORY,
        FINDING,
        FINDINGS,
        FLOOR,
        FULL,
        HELD,
        IN_DONE,
        IN_ENDED,
        IN_OFFER,
        IN_TILING,
        LINE,
        MARKER_CODE,
        MARKER_IN_CENTER,
        MOST_FINDINGS,
        NARROW_LINES,
        ON_FLOORS,
        PHASE,
        PLAYERS,
        ROUND,
        ROW_COMPLETE,
        SCORE,
        SEEN,
        SPACES,
        START,
        STRANGE,
        STRANGE_BOARDS,
        STRANGE_SCORE,
        UNSORTED_CENTER,
        UNSORTED_FACTORIES,
        WALL,
        WALL_AT,
        Cells,
        Count,
        tally,
    )
    from forsyth.games.azul.notation.strange_boards import recount, take_strange_lines, take_strange_wall
    from forsyth.games.azul.rules.legality import is_sound
    from forsyth.games.azul.tiles import FLOOR_SPACES, SIZE, TILES_PER_COLOUR

    Chars = bytes
    Size = int
    LONGEST: Final = 1024
    UNREAD: Final = 0
    SOUND: Final = 1
    UNSOUND: Final = 2
    MOST_COUNTED: Final = 999
    NOWHERE: Final = -1
    """What a function that looks for the next part answers where there is none."""
    MOST_IN_CENTER: Final = 100
    MOST_ON_FLOOR: Final = 100
    NOT_SORTED: Final = 128
    FACTORY_PARTS: Final = 0
    WALL_PARTS: Final = 1
    WIDE_PARTS: Final = 6
    NARROW_PARTS: Final = 11
    KNOWN: tuple[dict[bytes, int], ...] = tuple({} for _ in range(16))
    """The number of every factory (with NOT_SORTED), wall row, wide and narrow line, by its characters."""
    _TABLES: Final = {
        FACTORY_PARTS: (KNOWN[FACTORY_PARTS],) * 9,
        WALL_PARTS: KNOWN[WALL_PARTS:WIDE_PARTS],
        WIDE_PARTS: KNOWN[WIDE_PARTS:NARROW_PARTS],
        NARROW_PARTS: KNOWN[NARROW_PARTS:],
    }

    def learn(kind: int, text: str, number: int) -> None:
        """Keep what the characters of a part mean."""
        KNOWN[kind][text.encode()] = number

    def parts_at(kind: int, s: Chars, at: int, count: int, cells: Cells, place: int) -> int:
        """Read so many parts, with bars between and a slash behind; the largest number, −1 if one is wrong.

        Wall rows and lines have a table for each row. The caller has looked whether there are enough
        characters.
        """
        end = at + (20 if kind == NARROW_PARTS else 5 * count if kind == FACTORY_PARTS else 30)
        try:
            found = list(map(getitem, _TABLES[kind], s[at : end - 1].split(b"|")))
        except KeyError:
            return -1
        if len(found) != count or s[end - 1] != 47:
            return -1
        cells[place : place + count] = found
        return max(found)


def _fill_tables() -> None:
    for tiles, text in FACTORY_TEXT.items():
        form = sort_tiles(tiles)
        learn(FACTORY_PARTS, text, FORMS.index(form) | (0 if form == tiles else NOT_SORTED))
    for row in range(SIZE):
        for text, mask in ROW_MASKS[row].items():
            learn(WALL_PARTS + row, text, mask)
        # The characters of a wide line that are not cells of the board hold no tiles.
        for tiles, text in NARROW_TEXT[row].items():
            number = 8 * FLOOR_SYMBOLS.index(tiles[0]) + len(tiles) if tiles else 0
            learn(WIDE_PARTS + row, WIDE_TEXT[tiles], number)
            learn(NARROW_PARTS + row, text, number)


_fill_tables()


def read_cells(s: Chars, size: Size, cells: Cells) -> Count:
    """Whether so many characters are a SOUND text, one whose content is UNSOUND, or UNREAD; its cells."""
    if size < 1 or size > LONGEST:
        return UNREAD
    return _read_extended(s, size, cells) if s[0] == 118 else _read_standard(s, size, cells)


def _read_standard(s: Chars, end: Size, cells: Cells) -> Count:
    at: Size
    cells[PLAYERS] = 2
    cells[COMPLETE] = 0
    cells[FINDINGS] = 0
    cells[STRANGE] = 0
    at = take_factories(s, 0, end, cells)
    at = take_center(s, at, end, cells)
    at = _board(s, at, end, cells, 0)
    at = _board(s, at, end, cells, 1)
    at = take_scores(s, at, end, cells)
    if take_standard_turn(s, at, end, cells) < 0:
        return UNREAD
    tally(cells)
    if cells[STRANGE] & STRANGE_BOARDS:
        recount(cells, s)
    assume(cells)
    return SOUND if is_sound(cells) else UNSOUND


def take_standard_turn(s: Chars, at: Size, end: Size, cells: Cells) -> Size:
    """Round and current player, up to the end of the text."""
    number: Count
    if at < 0:
        return NOWHERE
    number = _number(s, at, end)
    at += number >> 16
    if number < 0 or end - at != 2 or s[at] != 47:
        return NOWHERE
    cells[ROUND] = number & 0xFFFF
    if cells[ROUND] < 1 or cells[ROUND] > 10:
        return NOWHERE
    cells[CURRENT] = s[at + 1] - 48
    cells[START] = cells[CURRENT]
    return end if s[at + 1] == 48 or s[at + 1] == 49 else NOWHERE


def assume(cells: Cells) -> None:
    """What a standard text does not say: phase, marker, bag and discard (spec/azul 5)."""
    colour: Count
    if cells[DISPLAY]:
        cells[PHASE] = IN_OFFER
    elif cells[FULL] or cells[ON_FLOORS]:
        cells[PHASE] = IN_TILING
    else:
        cells[PHASE] = IN_ENDED if cells[ROW_COMPLETE] else IN_DONE
    cells[MARKER_IN_CENTER] = cells[PHASE] <= IN_TILING
    for colour in range(SIZE):
        cells[BAG + colour] = max(0, TILES_PER_COLOUR - cells[SEEN + colour])
        cells[DISCARD + colour] = 0


def _read_extended(s: Chars, end: Size, cells: Cells) -> Count:
    at: Size
    player: Count
    colour: Count
    if end < 7 or s[1] != 50 or s[2] != 47 or s[4] != 47 or s[6] != 47:
        return UNREAD
    if s[3] < 50 or s[3] > 52:
        return UNREAD
    cells[PLAYERS] = s[3] - 48
    cells[COMPLETE] = 1
    cells[FINDINGS] = 0
    cells[STRANGE] = 0
    if s[5] == 111:
        cells[PHASE] = IN_OFFER
    elif s[5] == 116:
        cells[PHASE] = IN_TILING
    elif s[5] == 100:
        cells[PHASE] = IN_DONE
    elif s[5] == 101:
        cells[PHASE] = IN_ENDED
    else:
        return UNREAD
    at = take_factories(s, 7, end, cells)
    at = take_center(s, at, end, cells)
    for player in range(cells[PLAYERS]):
        at = _board(s, at, end, cells, player)
    at = take_scores(s, at, end, cells)
    at = take_turn(s, at, end, cells)
    at = take_counts(s, at, end, cells, BAG, 47)
    at = take_counts(s, at, end, cells, DISCARD, 0)
    if at < 0:
        return UNREAD
    tally(cells)
    if is_sound(cells):
        return SOUND
    if cells[STRANGE] & STRANGE_BOARDS:
        recount(cells, s)
    for colour in range(SIZE):
        # Counts of four digits are no counts.
        if cells[BAG + colour] > MOST_COUNTED or cells[DISCARD + colour] > MOST_COUNTED:
            return UNREAD
    return UNSOUND


def take_turn(s: Chars, at: Size, end: Size, cells: Cells) -> Size:
    """Round, current and starting player of an extended text."""
    number: Count
    if at < 0:
        return NOWHERE
    number = _number(s, at, end)
    at += number >> 16
    if number < 0 or at >= end or s[at] != 47:
        return NOWHERE
    cells[ROUND] = number & 0xFFFF
    if cells[ROUND] < 1:
        return NOWHERE
    at = _player(s, at + 1, end, cells, CURRENT)
    return _player(s, at, end, cells, START)


def note(cells: Cells, code: Count, start: Size, end: Size) -> None:
    """Add a finding about some characters."""
    at: Count = FINDING + 3 * cells[FINDINGS]
    if cells[FINDINGS] < MOST_FINDINGS:
        cells[at] = code
        cells[at + 1] = start
        cells[at + 2] = end
        cells[FINDINGS] += 1


# --- the parts: each takes where it begins, or NOWHERE, and says where the next one does ---------------


def take_factories(s: Chars, at: Size, end: Size, cells: Cells) -> Size:
    """As many factories as the players have."""
    number: Count
    count: Count = 2 * cells[PLAYERS] + 1
    if end - at < 5 * count:
        return NOWHERE
    number = parts_at(FACTORY_PARTS, s, at, count, cells, FACTORY)
    if number < 0:
        return NOWHERE
    if number >= NOT_SORTED:
        note(cells, UNSORTED_FACTORIES, at, at + 5 * count - 1)
        for number in range(count):
            cells[FACTORY + number] &= NOT_SORTED - 1
    return at + 5 * count


def take_center(s: Chars, at: Size, end: Size, cells: Cells) -> Size:
    """The tiles in the centre, in an extended text with the marker."""
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
    if loose:
        note(cells, UNSORTED_CENTER, first, at)
    if code == MARKER_CODE and cells[COMPLETE]:
        cells[MARKER_IN_CENTER] = 1
        at += 1
    elif at == first:
        if code != 0:
            return NOWHERE
        at += 1
    return at + 1 if s[at] == 47 else NOWHERE


def _board(s: Chars, at: Size, end: Size, cells: Cells, player: Count) -> Size:
    """A wall, pattern lines and a floor; all that lies before the floor is at least 50 characters long."""
    place: Count = BOARD + BOARD_CELLS * player
    if at < 0 or end - at < 50:
        return NOWHERE
    cells[WALL_AT + player] = at
    if parts_at(WALL_PARTS, s, at, SIZE, cells, place + WALL) < 0 and not take_strange_wall(
        s, at, cells, player
    ):
        return NOWHERE
    at += 30
    if s[at + 1] == 124:
        if parts_at(NARROW_PARTS, s, at, SIZE, cells, place + LINE) < 0 and not take_strange_lines(
            s, at, cells, player, False
        ):
            return NOWHERE
        # Narrow is the canonical spelling of an extended text, and the only one.
        if not cells[COMPLETE]:
            note(cells, NARROW_LINES + player, at, at + 19)
        return take_floor(s, at + 20, end, cells, player)
    if cells[COMPLETE] or end - at < 30:
        return NOWHERE
    if parts_at(WIDE_PARTS, s, at, SIZE, cells, place + LINE) < 0 and not take_strange_lines(
        s, at, cells, player, True
    ):
        return NOWHERE
    return take_floor(s, at + 30, end, cells, player)


def take_floor(s: Chars, at: Size, end: Size, cells: Cells, player: Count) -> Size:
    """The floor of one board, in an extended text with the marker on it or held."""
    place: Count = BOARD + BOARD_CELLS * player
    code: Count
    floor: Count = 0
    spaces: Count = 0
    most: Count = MARKER_CODE if cells[COMPLETE] else SIZE
    if at < 0 or end - at < 2:
        return NOWHERE
    cells[place + HELD] = 0
    while at < end and spaces <= MOST_ON_FLOOR:
        code = CODE[s[at]]
        if code == 0 or code > most:
            break
        if spaces < FLOOR_SPACES:
            floor |= code << 3 * spaces
        spaces += 1
        at += 1
    if end - at < 2 or spaces > MOST_ON_FLOOR:
        return NOWHERE
    if spaces > FLOOR_SPACES:
        cells[STRANGE] |= 1 << player
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


def take_scores(s: Chars, at: Size, end: Size, cells: Cells) -> Size:
    """A score for each player."""
    player: Count
    number: Count
    behind: Count
    negative: Count
    if at < 0:
        return NOWHERE
    for player in range(cells[PLAYERS]):
        negative = at < end and s[at] == 45
        number = _number(s, at + negative, end)
        at += negative + (number >> 16) + 1
        behind = 47 if player == cells[PLAYERS] - 1 else 44
        if number < 0 or at > end or s[at - 1] != behind:
            return NOWHERE
        number &= 0xFFFF
        if negative:
            # Nothing is less than nothing.
            if number == 0:
                return NOWHERE
            cells[STRANGE] |= STRANGE_SCORE
            number = -number
        cells[BOARD + BOARD_CELLS * player + SCORE] = number
    return at


def take_counts(s: Chars, at: Size, end: Size, cells: Cells, place: Count, behind: Count) -> Size:
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
