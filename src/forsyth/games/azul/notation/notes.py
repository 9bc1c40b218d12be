"""What the rules forbid in Azul cells: the first finding, its place, and how many there are (spec/azul 8.3).

It is what `check` says of the same text, in the same order, without a word and without the lock, for columns.
A property test holds that the two agree. Accepts cells that are not sound, as `scanner` has filled them, and
the text they were read from, in which strange boards are looked at. `format_notes` does the same for errors
of format, `reachability_notes` for sound cells.

A note is five numbers: how many findings there are, and of the first its code (in `NOTED_CODES`), where it
starts and ends, and its square (in `SQUARES`) or NO_SQUARE.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.azul.tiles import MAX_PLAYERS, factory_count

if not cython.compiled:
    from forsyth.games.azul.notation.cells import (
        BAG,
        BOARD,
        BOARD_CELLS,
        CODE,
        COMPLETE,
        DISCARD,
        DISPLAY,
        FACTORY,
        FLOOR,
        FORM_LANES,
        FULL,
        HELD,
        IN_DONE,
        IN_OFFER,
        IN_TILING,
        LINE,
        MARKER_CODE,
        MARKER_IN_CENTER,
        MARKERS,
        PHASE,
        PLAYERS,
        ROW_COMPLETE,
        SCORE,
        SEEN,
        SHORT,
        SHORT_LANE,
        SPACES,
        STRANGE,
        TARGET,
        WALL,
        WALL_AT,
        Cells,
        Count,
    )
    from forsyth.games.azul.notation.scanner import Chars, Size
    from forsyth.games.azul.notation.strange_boards import floor_at, line_at, line_width
    from forsyth.games.azul.rules.legality import has_undealt_tiles
    from forsyth.games.azul.tiles import FLOOR_SPACES, SIZE, TILES_PER_COLOUR

    Note = list[int]
    SPELLING: Final = 0
    FACTORY_TILES: Final = 1
    WALL_CONFLICT: Final = 2
    TILE_COUNT: Final = 3
    CONSERVATION: Final = 4
    MARKER_COUNT: Final = 5
    PHASE_MISMATCH: Final = 6
    CENTER_OVERFULL: Final = 7
    ROUND_TILES: Final = 8
    MISSING_TILES: Final = 9
    WALL_ROUND: Final = 10
    SCORE_WALL: Final = 11
    DRAFT_SUPPLY: Final = 12
    AFTER_END: Final = 13
    MARKER_EARLY: Final = 14
    TURN_ORDER: Final = 15
    PHASE_FORMAT: Final = 16
    FACTORY_COUNT: Final = 17
    FACTORY_SIZE: Final = 18
    FACTORY_PADDING: Final = 19
    TILE_COLOR: Final = 20
    CENTER_FORMAT: Final = 21
    WALL_SHAPE: Final = 22
    LINE_COUNT: Final = 23
    LINE_WIDTH: Final = 24
    LINE_GAP: Final = 25
    FLOOR_FORMAT: Final = 26
    SCORE_FORMAT: Final = 27
    ROUND_FORMAT: Final = 28
    ROUND_RANGE: Final = 29
    PLAYER_FORMAT: Final = 30
    PLAYER_RANGE: Final = 31
    START_FORMAT: Final = 32
    START_RANGE: Final = 33
    BAG_FORMAT: Final = 34
    DISCARD_FORMAT: Final = 35
    WALL_PLACEMENT: Final = 36
    LINE_CAPACITY: Final = 37
    LINE_MIXED: Final = 38
    FLOOR_OVERFLOW: Final = 39
    SCORE_NEGATIVE: Final = 40
    NO_SQUARE: Final = -1
    CENTER_SQUARE: Final = 9
    LINE_SQUARE: Final = 10
    FLOOR_SQUARE: Final = 30
    SCORE_SQUARE: Final = 34
    WALL_SQUARE: Final = 38
    WHOLE_TEXT: Final = -1
    NO_PART: Final = -1
    COMMA: Final = 44
    BAR: Final = 124

NOTED_CODES: Final = (
    "fen.spelling",
    "factory.tiles",
    "line.wall_conflict",
    "tile.count",
    "tile.conservation",
    "marker.count",
    "phase.mismatch",
    "center.overfull",
    "round.tiles",
    "missing.tiles",
    "wall.round",
    "score.wall",
    "draft.supply",
    "play.after_end",
    "marker.early",
    "turn.order",
    "phase.format",
    "factory.count",
    "factory.size",
    "factory.padding",
    "tile.color",
    "center.format",
    "wall.shape",
    "line.count",
    "line.width",
    "line.gap",
    "floor.format",
    "score.format",
    "round.format",
    "round.range",
    "player.format",
    "player.range",
    "start.format",
    "start.range",
    "bag.format",
    "discard.format",
    "wall.placement",
    "line.capacity",
    "line.mixed",
    "floor.overflow",
    "score.negative",
)
"""The codes by their numbers."""
SQUARES: Final = (
    *(f"f{factory}" for factory in range(factory_count(MAX_PLAYERS))),
    "c",
    *(f"p{player}l{line}" for player in range(MAX_PLAYERS) for line in range(SIZE)),
    *(f"p{player}f" for player in range(MAX_PLAYERS)),
    *(f"p{player}s" for player in range(MAX_PLAYERS)),
    *(
        f"p{player}w{row}{column}"
        for player in range(MAX_PLAYERS)
        for row in range(SIZE)
        for column in range(SIZE)
    ),
)
"""The squares by their numbers: factories, centre, lines, floors, scores, walls."""


def put_first(note: Note, code: Count, start: Size, end: Size, square: Count) -> None:
    """Add a finding whose place is known."""
    if note[0] == 0:
        note[1] = code
        note[2] = start
        note[3] = end
        note[4] = square
    note[0] += 1


def add_note(
    note: Note, code: Count, s: Chars, end: Size, component: Count, part: Count, square: Count
) -> None:
    """Add a finding about a component of the text, or about a part of it."""
    start: Size = 0
    at: Size = 0
    if note[0] or component == WHOLE_TEXT:
        put_first(note, code, 0, end, square)
        return
    while component > 0:
        if s[start] == 47:
            component -= 1
        start += 1
    at = start
    while at < end and s[at] != 47:
        if part > 0 and (s[at] == COMMA or s[at] == BAR):
            part -= 1
            start = at + 1
        elif part == 0 and (s[at] == COMMA or s[at] == BAR):
            break
        at += 1
    put_first(note, code, start, at, square)


def first_component(cells: Cells) -> Count:
    """The number of the component with the factories; the centre and the boards come behind it."""
    return 3 if cells[COMPLETE] else 0


def after_boards(cells: Cells) -> Count:
    """The number of the component with the scores; round and current player come behind it."""
    return first_component(cells) + 2 + 3 * cells[PLAYERS]


# --- content ----------------------------------------------------------------------------------------


def note_content(cells: Cells, s: Chars, end: Size, note: Note) -> None:
    """What the rules forbid."""
    note[0] = 0
    _note_factories(cells, s, end, note)
    _note_boards(cells, s, end, note)
    _note_supply(cells, s, end, note)
    if cells[COMPLETE]:
        _note_marker(cells, s, end, note)
        if not _phase_fits(cells):
            add_note(note, PHASE_MISMATCH, s, end, 2, NO_PART, NO_SQUARE)


def _note_factories(cells: Cells, s: Chars, end: Size, note: Note) -> None:
    """With three or four players one factory may be short, once there was nothing left to deal."""
    number: Count
    if cells[SHORT] == 0 or (cells[SHORT] == 1 and cells[PLAYERS] > 2 and not has_undealt_tiles(cells, True)):
        return
    for number in range(2 * cells[PLAYERS] + 1):
        if FORM_LANES[cells[FACTORY + number]] >> SHORT_LANE:
            add_note(note, FACTORY_TILES, s, end, first_component(cells), number, number)


def _note_boards(cells: Cells, s: Chars, end: Size, note: Note) -> None:
    player: Count
    for player in range(cells[PLAYERS]):
        if cells[STRANGE] >> player & 1:
            _note_strange_board(cells, s, player, note)
        else:
            _note_conflicts(cells, s, end, player, note)
        if cells[BOARD + BOARD_CELLS * player + SCORE] < 0:
            add_note(note, SCORE_NEGATIVE, s, end, after_boards(cells), player, SCORE_SQUARE + player)


def _note_conflicts(cells: Cells, s: Chars, end: Size, player: Count, note: Note) -> None:
    """Lines whose colour is on the wall beside them."""
    row: Count
    at: Count = BOARD + BOARD_CELLS * player
    component: Count = first_component(cells) + 3 + 3 * player
    for row in range(SIZE):
        if cells[at + WALL + row] & TARGET[row][cells[at + LINE + row]]:
            add_note(note, WALL_CONFLICT, s, end, component, row, LINE_SQUARE + SIZE * player + row)


def _note_strange_board(cells: Cells, s: Chars, player: Count, note: Note) -> None:
    """Row by row its wall and its line, then its floor."""
    row: Count
    column: Count
    spaces: Count = cells[BOARD + BOARD_CELLS * player + SPACES]
    at: Size = cells[WALL_AT + player]
    for row in range(SIZE):
        for column in range(SIZE):
            # Colour k, from 1, is printed in column (k - 1 + row) mod 5.
            if s[at] != 45 and (CODE[s[at]] - 1 + row) % SIZE != column:
                put_first(
                    note, WALL_PLACEMENT, at, at + 1, WALL_SQUARE + SIZE * (SIZE * player + row) + column
                )
            at += 1
        at += 1
        _note_strange_line(cells, s, player, row, note)
    if spaces > FLOOR_SPACES:
        at = floor_at(s, cells, player)
        put_first(note, FLOOR_OVERFLOW, at, at + spaces, FLOOR_SQUARE + player)


def _note_strange_line(cells: Cells, s: Chars, player: Count, row: Count, note: Note) -> None:
    """Too many tiles, several colours, and each colour that is on the wall beside them."""
    wall: Size = cells[WALL_AT + player] + (SIZE + 1) * row
    at: Size = line_at(s, cells, player, row)
    end: Size = at + line_width(s, cells, player, row)
    square: Count = LINE_SQUARE + SIZE * player + row
    tiles: Count = cells[BOARD + BOARD_CELLS * player + LINE + row] & 7
    on_wall: Count = 0
    in_line: Count = 0
    column: Count
    for column in range(SIZE):
        on_wall |= 1 << CODE[s[wall + column]]
    for column in range(tiles):
        in_line |= 1 << CODE[s[at + column]]
    if tiles > row + 1:
        put_first(note, LINE_CAPACITY, at, end, square)
    if in_line & (in_line - 1):
        put_first(note, LINE_MIXED, at, end, square)
    for column in range(1, SIZE + 1):
        if in_line & on_wall & 1 << column:
            put_first(note, WALL_CONFLICT, at, end, square)


def _note_supply(cells: Cells, s: Chars, end: Size, note: Note) -> None:
    colour: Count
    tiles: Count
    for colour in range(SIZE):
        tiles = cells[SEEN + colour]
        if not cells[COMPLETE]:
            if tiles > TILES_PER_COLOUR:
                add_note(note, TILE_COUNT, s, end, WHOLE_TEXT, NO_PART, NO_SQUARE)
        elif tiles + cells[BAG + colour] + cells[DISCARD + colour] != TILES_PER_COLOUR:
            add_note(note, CONSERVATION, s, end, after_boards(cells) + 4, colour, NO_SQUARE)


def _note_marker(cells: Cells, s: Chars, end: Size, note: Note) -> None:
    """One marker while a round is played, else none; the finding is at the first that is too many."""
    expected: Count = 1 if cells[PHASE] <= IN_TILING else 0
    player: Count
    seen: Count = cells[MARKER_IN_CENTER]
    if cells[MARKERS] == expected:
        return
    if cells[MARKERS] == 0 or seen > expected:
        add_note(note, MARKER_COUNT, s, end, first_component(cells) + 1, NO_PART, CENTER_SQUARE)
        return
    for player in range(cells[PLAYERS]):
        seen += _markers_of(cells, s, player)
        if seen > expected:
            add_note(
                note,
                MARKER_COUNT,
                s,
                end,
                first_component(cells) + 4 + 3 * player,
                NO_PART,
                FLOOR_SQUARE + player,
            )
            return


def _markers_of(cells: Cells, s: Chars, player: Count) -> Count:
    """The markers on the floor of a player, and beside it."""
    at: Count = BOARD + BOARD_CELLS * player
    floor: Count = cells[at + FLOOR]
    found: Count = cells[at + HELD]
    space: Count
    place: Size
    if cells[at + SPACES] > FLOOR_SPACES:
        place = floor_at(s, cells, player)
        for space in range(cells[at + SPACES]):
            found += s[place + space] == 70
        return found
    while floor:
        found += 1 if floor & 7 == MARKER_CODE else 0
        floor >>= 3
    return found


def _phase_fits(cells: Cells) -> bool:
    player: Count
    spaces: Count = 0
    if cells[PHASE] == IN_OFFER:
        return cells[DISPLAY] > 0
    if cells[PHASE] == IN_TILING:
        return cells[DISPLAY] == 0
    for player in range(cells[PLAYERS]):
        spaces += cells[BOARD + BOARD_CELLS * player + SPACES]
    if cells[DISPLAY] or cells[FULL] or spaces:
        return False
    return cells[PHASE] == IN_DONE or cells[ROW_COMPLETE] > 0 or not has_undealt_tiles(cells, False)
