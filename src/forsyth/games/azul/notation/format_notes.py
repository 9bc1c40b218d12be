"""What is wrong with the format of an Azul text: the first error, its place, and how many there are.

It is what `fields` says of the components, in the same order, without a word and without the lock, for
columns (spec/azul 8.2); a property test holds that the two agree. Accepts texts of ASCII with the right
number of components, each of them in its place; of all others `note_format` says nothing, and the reader has
to find out what was meant. Limits: MOST_NOTED errors.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.games.azul.notation.cells import CODE, MARKER_CODE, Count
    from forsyth.games.azul.notation.notes import (
        BAG_FORMAT,
        CENTER_FORMAT,
        CENTER_SQUARE,
        DISCARD_FORMAT,
        FACTORY_COUNT,
        FACTORY_PADDING,
        FACTORY_SIZE,
        FLOOR_FORMAT,
        FLOOR_SQUARE,
        LINE_COUNT,
        LINE_GAP,
        LINE_SQUARE,
        LINE_WIDTH,
        NO_SQUARE,
        PHASE_FORMAT,
        PLAYER_FORMAT,
        PLAYER_RANGE,
        ROUND_FORMAT,
        ROUND_RANGE,
        SCORE_FORMAT,
        SCORE_SQUARE,
        START_FORMAT,
        START_RANGE,
        TILE_COLOR,
        WALL_SHAPE,
        WALL_SQUARE,
        Note,
        put_first,
    )
    from forsyth.games.azul.notation.scanner import Chars, Size
    from forsyth.games.azul.tiles import SIZE, TILES_PER_FACTORY

    Places = list[int]
    MOST_COMPONENTS: Final = 24
    MOST_NOTED: Final = 64
    NO_NUMBER: Final = 100_000


def note_format(s: Chars, end: Size, lenient: bool, note: Note) -> bool:
    """Whether the errors of format have been noted; not where there are none, or too many.

    Nothing is noted of a text with blanks around it, or in lenient mode of one with bare lines: only the
    reader reads them.
    """
    places: Places
    components: Count
    players: Count
    player: Count
    first: Count
    at: Count
    marked: bool
    if not cython.compiled:
        places = [0] * (MOST_COMPONENTS + 1)
    note[0] = 0
    components = _components(s, end, places)
    players = _players_of(s, end, components)
    if players == 0 or _is_blank(s[0]) or _is_blank(s[end - 1]):
        return False
    marked = components > 11
    first = 3 if marked else 0
    if marked:
        _note_phase(s, places[2], places[3] - 1, note)
    _note_factories(s, places[first], places[first + 1] - 1, players, note)
    _note_center(s, places[first + 1], places[first + 2] - 1, marked, note)
    for player in range(players):
        at = first + 2 + 3 * player
        _note_wall(s, places[at], places[at + 1] - 1, player, note)
        if lenient and _has_bare_lines(s, places[at + 1], places[at + 2] - 1):
            return False
        _note_lines(s, places[at + 1], places[at + 2] - 1, player, marked, note)
        _note_floor(s, places[at + 2], places[at + 3] - 1, player, marked, note)
    at = first + 2 + 3 * players
    _note_scores(s, places[at], places[at + 1] - 1, players, note)
    _note_round(s, places[at + 1], places[at + 2] - 1, 9999 if marked else 10, note)
    _note_player(s, places[at + 2], places[at + 3] - 1, players, PLAYER_FORMAT, note)
    if marked:
        _note_player(s, places[at + 3], places[at + 4] - 1, players, START_FORMAT, note)
        _note_counts(s, places[at + 4], places[at + 5] - 1, BAG_FORMAT, note)
        _note_counts(s, places[at + 5], places[at + 6] - 1, DISCARD_FORMAT, note)
    return 0 < note[0] <= MOST_NOTED


def _components(s: Chars, end: Size, places: Places) -> Count:
    """Where each component begins, and one more behind the last; how many there are, 0 for what is not read.

    A text with ``_`` may be wrapped.
    """
    count: Count = 1
    at: Size
    places[0] = 0
    for at in range(end):
        if s[at] > 127 or s[at] == 95:
            return 0
        if s[at] == 47:
            if count == MOST_COMPONENTS:
                return 0
            places[count] = at + 1
            count += 1
    places[count] = end + 1
    return count


def _is_blank(c: Count) -> bool:
    """Whether Python takes a character of ASCII for white space."""
    return 9 <= c <= 13 or 28 <= c <= 32


def _players_of(s: Chars, end: Size, components: Count) -> Count:
    """How many play, 0 where the number of components is not that of a text."""
    players: Count
    if end < 1 or s[0] != 118:
        return 2 if components == 11 else 0
    if end < 5 or s[1] != 50 or s[2] != 47 or s[4] != 47:
        return 0
    players = s[3] - 48
    return players if 2 <= players <= 4 and components == 11 + 3 * players else 0


def _note_phase(s: Chars, start: Size, end: Size, note: Note) -> None:
    c: Count = s[start] if end - start == 1 else 0
    if c != 111 and c != 116 and c != 100 and c != 101:
        put_first(note, PHASE_FORMAT, start, end, NO_SQUARE)


# --- factories and centre ---------------------------------------------------------------------------


def _note_factories(s: Chars, start: Size, end: Size, players: Count, note: Note) -> None:
    expected: Count = 2 * players + 1
    number: Count = 0
    square: Count
    stop: Size
    if _parts(s, start, end, 124) != expected:
        put_first(note, FACTORY_COUNT, start, end, NO_SQUARE)
    while start <= end:
        stop = _part_end(s, start, end, 124)
        square = number if number < expected else NO_SQUARE
        if stop - start != TILES_PER_FACTORY:
            put_first(note, FACTORY_SIZE, start, stop, square)
        _note_order(s, start, stop, FACTORY_PADDING, square, note)
        _note_tiles(s, start, stop, SIZE, square, note)
        number += 1
        start = stop + 1


def _note_center(s: Chars, start: Size, end: Size, marked: bool, note: Note) -> None:
    at: Size
    odd: bool = start == end
    if end - start == 1 and s[start] == 45:
        return
    for at in range(start, end):
        # In the centre the marker stands last.
        odd |= s[at] == 45 or s[at] == 124 or (marked and s[at] == 70 and at < end - 1)
    if odd:
        put_first(note, CENTER_FORMAT, start, end, CENTER_SQUARE)
    _note_tiles(s, start, end, MARKER_CODE if marked else SIZE, CENTER_SQUARE, note)


# --- boards -----------------------------------------------------------------------------------------


def _note_wall(s: Chars, start: Size, end: Size, player: Count, note: Note) -> None:
    rows: Count = _parts(s, start, end, 124)
    row: Count = 0
    stop: Size
    at: Size
    if rows != SIZE:
        put_first(note, WALL_SHAPE, start, end, NO_SQUARE)
    while start <= end:
        stop = _part_end(s, start, end, 124)
        if rows == SIZE and stop - start != SIZE:
            put_first(note, WALL_SHAPE, start, stop, NO_SQUARE)
        for at in range(start, stop):
            if CODE[s[at]] > SIZE:
                put_first(
                    note,
                    TILE_COLOR,
                    at,
                    at + 1,
                    WALL_SQUARE + SIZE * SIZE * player + SIZE * row + (at - start)
                    if row < SIZE and at - start < SIZE
                    else NO_SQUARE,
                )
        row += 1
        start = stop + 1


def _note_lines(s: Chars, start: Size, end: Size, player: Count, marked: bool, note: Note) -> None:
    line: Count = 0
    square: Count
    stop: Size
    if _parts(s, start, end, 124) != SIZE:
        put_first(note, LINE_COUNT, start, end, NO_SQUARE)
    else:
        _note_widths(s, start, end, player, marked, note)
    while start <= end:
        stop = _part_end(s, start, end, 124)
        square = LINE_SQUARE + SIZE * player + line if line < SIZE else NO_SQUARE
        _note_order(s, start, stop, LINE_GAP, square, note)
        _note_tiles(s, start, stop, SIZE, square, note)
        line += 1
        start = stop + 1


def _note_widths(s: Chars, start: Size, end: Size, player: Count, marked: bool, note: Note) -> None:
    """Five lines that are neither wide nor narrow; the finding is at the only one that is not."""
    wide: bool = not marked
    line: Count
    only: Count = -1
    number: Count = 0
    at: Size = start
    if _only_odd(s, start, end, False) == SIZE or (not marked and _only_odd(s, start, end, True) == SIZE):
        return
    if not marked:
        line = _only_odd(s, start, end, True)
        if line >= 0:
            only = line
    line = _only_odd(s, start, end, False)
    if line >= 0:
        only = line
        wide = False
    if only < 0 or (not _holds(s, start, end, 45) and _fits(s, start, end, wide)):
        put_first(note, LINE_WIDTH, start, end, NO_SQUARE)
        return
    while only > number:
        at = _part_end(s, at, end, 124) + 1
        number += 1
    put_first(note, LINE_WIDTH, at, _part_end(s, at, end, 124), LINE_SQUARE + SIZE * player + only)


def _has_bare_lines(s: Chars, start: Size, end: Size) -> bool:
    """Whether five lines are spelled without a dash."""
    return _parts(s, start, end, 124) == SIZE and not _holds(s, start, end, 45)


def _only_odd(s: Chars, start: Size, end: Size, wide: bool) -> Count:
    """The one line of another width than in a spelling; SIZE where there is none, −1 where there are more."""
    found: Count = SIZE
    line: Count
    stop: Size
    for line in range(SIZE):
        stop = _part_end(s, start, end, 124)
        if stop - start != (SIZE if wide else line + 1):
            if found != SIZE:
                return -1
            found = line
        start = stop + 1
    return found


def _fits(s: Chars, start: Size, end: Size, wide: bool) -> bool:
    """Whether lines without a dash have room in a spelling."""
    line: Count
    stop: Size
    for line in range(SIZE):
        stop = _part_end(s, start, end, 124)
        if stop - start > (SIZE if wide else line + 1):
            return False
        start = stop + 1
    return True


def _note_floor(s: Chars, start: Size, end: Size, player: Count, marked: bool, note: Note) -> None:
    at: Size
    odd: bool = start == end
    plus: bool = False
    if end - start == 1 and s[start] == 45:
        return
    for at in range(start, end):
        odd |= s[at] == 45 or s[at] == 124
        plus |= s[at] == 43
    if odd or (marked and plus and not _is_held(s, start, end)):
        put_first(note, FLOOR_FORMAT, start, end, FLOOR_SQUARE + player)
    for at in range(start, end):
        if s[at] == 45 or s[at] == 124 or (marked and (s[at] == 43 or s[at] == 70)):
            continue
        if CODE[s[at]] > SIZE:
            put_first(note, TILE_COLOR, at, at + 1, FLOOR_SQUARE + player)


def _is_held(s: Chars, start: Size, end: Size) -> bool:
    """Whether the first ``+`` of a floor stands behind seven characters, and an ``F`` alone behind it."""
    at: Size = start
    while s[at] != 43:
        at += 1
    return at - start == 7 and end - at == 2 and s[at + 1] == 70


# --- numbers ----------------------------------------------------------------------------------------


def _note_scores(s: Chars, start: Size, end: Size, players: Count, note: Note) -> None:
    """One finding, at the one score that is wrong or else at all of them."""
    at: Size = start
    stop: Size
    player: Count
    odd: Count = -1
    many: Count = 0
    odd_start: Size = start
    odd_end: Size = end
    if _parts(s, start, end, 44) != players:
        put_first(note, SCORE_FORMAT, start, end, NO_SQUARE)
        return
    for player in range(players):
        stop = _part_end(s, at, end, 44)
        if _integer(s, at, stop) == NO_NUMBER:
            many += 1
            odd = player
            odd_start = at
            odd_end = stop
        at = stop + 1
    if many == 1:
        put_first(note, SCORE_FORMAT, odd_start, odd_end, SCORE_SQUARE + odd)
    elif many > 1:
        put_first(note, SCORE_FORMAT, start, end, NO_SQUARE)


def _note_round(s: Chars, start: Size, end: Size, most: Count, note: Note) -> None:
    value: Count = _integer(s, start, end)
    if value == NO_NUMBER:
        put_first(note, ROUND_FORMAT, start, end, NO_SQUARE)
    elif value < 1 or value > most:
        put_first(note, ROUND_RANGE, start, end, NO_SQUARE)


def _note_player(s: Chars, start: Size, end: Size, players: Count, code: Count, note: Note) -> None:
    value: Count = _integer(s, start, end)
    if value == NO_NUMBER:
        put_first(note, code, start, end, NO_SQUARE)
    elif value < 0 or value >= players:
        put_first(note, PLAYER_RANGE if code == PLAYER_FORMAT else START_RANGE, start, end, NO_SQUARE)


def _note_counts(s: Chars, start: Size, end: Size, code: Count, note: Note) -> None:
    at: Size = start
    stop: Size
    value: Count
    odd: bool = _parts(s, start, end, 44) != SIZE
    while at <= end:
        stop = _part_end(s, at, end, 44)
        value = _integer(s, at, stop)
        odd |= value < 0 or value > 999
        at = stop + 1
    if odd:
        put_first(note, code, start, end, NO_SQUARE)


# --- characters -------------------------------------------------------------------------------------


def _part_end(s: Chars, at: Size, end: Size, mark: Count) -> Size:
    """Where the part that begins here ends: at the next mark, or with the component."""
    while at < end and s[at] != mark:
        at += 1
    return at


def _parts(s: Chars, start: Size, end: Size, mark: Count) -> Count:
    found: Count = 1
    at: Size
    for at in range(start, end):
        found += s[at] == mark
    return found


def _holds(s: Chars, start: Size, end: Size, c: Count) -> bool:
    return _part_end(s, start, end, c) < end


def _note_order(s: Chars, start: Size, end: Size, code: Count, square: Count, note: Note) -> None:
    """A dash before anything that is none; the place is from the first of them to the last."""
    first: Size = _part_end(s, start, end, 45)
    last: Size
    stop: Size = end
    while stop > start and s[stop - 1] == 45:
        stop -= 1
    if first >= stop - 1:
        return
    last = stop - 1
    while s[last] != 45:
        last -= 1
    put_first(note, code, first, last + 1, square)


def _note_tiles(s: Chars, start: Size, end: Size, most: Count, square: Count, note: Note) -> None:
    """Characters that are no tiles; dashes and bars have been judged."""
    at: Size
    for at in range(start, end):
        if CODE[s[at]] > most and s[at] != 124:
            put_first(note, TILE_COLOR, at, at + 1, square)


def _integer(s: Chars, start: Size, end: Size) -> Count:
    """A number of one to four digits, with or without a minus, without leading zero; NO_NUMBER else."""
    at: Size = start
    value: Count = 0
    negative: bool = start < end and s[start] == 45
    if negative:
        at += 1
    if at == end or end - at > 4 or (s[at] == 48 and (negative or end - at > 1)):
        return NO_NUMBER
    while at < end:
        if s[at] < 48 or s[at] > 57:
            return NO_NUMBER
        value = value * 10 + s[at] - 48
        at += 1
    return -value if negative else value
