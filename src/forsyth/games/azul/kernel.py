"""Azul at full speed: sound text to position.

The kernel decodes what is valid and answers None to the rest; `fen` and `check` then explain. What it decodes
is exactly the texts, standard and extended, without an error of format or content (spec/azul 8.2, 8.3). It
has no loop over characters: every factory, wall row and pattern line that can be is in a table, which is
quick in plain Python and quicker compiled (`kernel.pxd` gives the C types).
"""

from __future__ import annotations

from itertools import product
from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.azul.position import DONE, ENDED, OFFER, PHASES, TILING, Board, Position
from forsyth.games.azul.tiles import COLOURS, MARKER, MOST_PLAYERS, NO_TILES, ROWS, factory_count

if not cython.compiled:
    from forsyth.games.azul.position import blank, blank_board, seal, seal_board
    from forsyth.games.azul.tiles import (
        FLOOR_SPACES,
        SIZE,
        TILES_PER_COLOUR,
        TILES_PER_FACTORY,
        counts_of,
    )

    Size = int

Text = str
"""What `decode` takes. Cython does not know the name, so that it takes subclasses of str as well."""
Table = dict[str, str]

MAX_LENGTH: Final = 1024
_HELD: Final = f"+{MARKER}"
_FLOOR: Final = COLOURS + MARKER


def _padded(tiles: str, width: int) -> str:
    return tiles.ljust(width, "-")


_FACTORIES: Final[Table] = {
    _padded(tiles, TILES_PER_FACTORY): tiles
    for count in range(TILES_PER_FACTORY + 1)
    for tiles in map("".join, product(COLOURS, repeat=count))
}
"""Every factory text, and its tiles."""
_ROWS: Final = ROWS
_WIDE: Final[tuple[Table, ...]] = tuple(
    {_padded(tile * count, SIZE): tile * count for tile in COLOURS for count in range(line + 2)}
    for line in range(SIZE)
)
_NARROW: Final[tuple[Table, ...]] = tuple(
    {_padded(tile * count, line + 1): tile * count for tile in COLOURS for count in range(line + 2)}
    for line in range(SIZE)
)
"""For each pattern line every text of it, and its tiles."""
_COMPLETE: Final = (1 << SIZE) - 1
_WIDE_LENGTH: Final = SIZE * SIZE + SIZE - 1
_MOST_COUNT: Final = 999
_NUMBERS: Final = {str(number): number for number in range(_MOST_COUNT + 1)}
_ROUNDS: Final = {str(number): number for number in range(1, 11)}
_PLAYERS: Final = {str(number): number for number in range(MOST_PLAYERS)}


def decode(text: Text) -> Position | None:
    """The position of a text without error; None for any other."""
    if not isinstance(text, str) or len(text) > MAX_LENGTH:
        return None
    # What C takes for a text is no subclass of it.
    plain: str = str.__str__(text)
    return _extended(plain) if plain.startswith("v") else _standard(plain)


# --- the standard form ------------------------------------------------------------------------------


def _standard(text: str) -> Position | None:
    parts: list[str] = text.split("/")
    if len(parts) != 11 or parts[9] not in _ROUNDS or parts[10] not in ("0", "1"):
        return None
    position = blank()
    scores: list[str] = parts[8].split(",")
    if len(scores) != 2:
        return None
    first = _board(parts[2], parts[3], parts[4], scores[0], False)
    second = _board(parts[5], parts[6], parts[7], scores[1], False)
    if first is None or second is None or not _display(position, parts[0], parts[1], 2):
        return None
    blue, yellow, red, black, white = counts_of(text)
    if max(blue, yellow, red, black, white) > TILES_PER_COLOUR or _short_factories(position):
        return None
    position.boards = (first, second)
    position.phase = _visible_phase(position)
    position.marker_in_center = position.phase in (OFFER, TILING)
    position.round = _ROUNDS[parts[9]]
    position.current = position.start = _PLAYERS[parts[10]]
    position.bag = tuple([TILES_PER_COLOUR - count for count in (blue, yellow, red, black, white)])
    position.discard = NO_TILES
    position.complete = False
    position.sound = True
    return seal(position)


def _visible_phase(position: Position) -> str:
    """The phase that a standard text does not say (spec/azul 5)."""
    if _has_tiles(position):
        return OFFER
    if _is_untiled(position):
        return TILING
    return ENDED if _has_complete_row(position) else DONE


# --- the extended form ------------------------------------------------------------------------------


def _extended(text: str) -> Position | None:
    parts: list[str] = text.split("/")
    size: Size = len(parts)
    players: Size = _PLAYERS.get(parts[1], MOST_PLAYERS if parts[1] == "4" else 0) if size > 1 else 0
    if players < 2 or size != 11 + 3 * players or parts[0] != "v2" or parts[2] not in PHASES:
        return None
    current, start = parts[size - 4], parts[size - 3]
    if _PLAYERS.get(current, players) >= players or _PLAYERS.get(start, players) >= players:
        return None
    position = blank()
    center = parts[4]
    position.marker_in_center = center.endswith(MARKER)
    if position.marker_in_center:
        if center.startswith("-"):
            return None
        center = center[:-1] or "-"
    if not _display(position, parts[3], center, players):
        return None
    scores: list[str] = parts[size - 6].split(",")
    round: Size = _number(parts[size - 5])
    if len(scores) != players or round < 1:
        return None
    boards: list[Board] = []
    player: Size
    for player in range(players):
        at: Size = 5 + 3 * player
        board = _board(parts[at], parts[at + 1], parts[at + 2], scores[player], True)
        if board is None:
            return None
        boards.append(board)
    bag, discard = _counts(parts[size - 2]), _counts(parts[size - 1])
    if bag is None or discard is None:
        return None
    position.boards = tuple(boards)
    position.phase = parts[2]
    position.round = round
    position.current = _PLAYERS[current]
    position.start = _PLAYERS[start]
    position.bag = bag
    position.discard = discard
    position.complete = True
    position.sound = _is_sound(position, text)
    return seal(position) if position.sound else None


def _counts(text: str) -> tuple[int, ...] | None:
    numbers: list[str] = text.split(",")
    if len(numbers) != SIZE:
        return None
    found: list[int] = []
    number: Size
    for one in numbers:
        number = _number(one)
        if not 0 <= number <= _MOST_COUNT:
            return None
        found.append(number)
    return tuple(found)


def _is_sound(position: Position, text: str) -> bool:
    """Whether the parts of an extended text fit each other: tiles, marker and phase."""
    bag, discard = position.bag, position.discard
    number: Size
    for number in range(SIZE):
        if text.count(COLOURS[number]) + bag[number] + discard[number] != TILES_PER_COLOUR:
            return False
    phase = position.phase
    open = phase in (OFFER, TILING)
    if text.count(MARKER) != open or _has_tiles(position) != (phase == OFFER):
        return False
    if not open and _is_untiled(position):
        return False
    if phase == ENDED and not _has_complete_row(position) and (any(bag) or any(discard)):
        return False
    short: Size = _short_factories(position)
    return not short or (short == 1 and len(position.boards) > 2 and not any(bag))


# --- parts ------------------------------------------------------------------------------------------


def _display(position: Position, factories: str, center: str, players: Size) -> bool:
    """Set factories and centre; whether they are well formed."""
    texts: list[str] = factories.split("|")
    if len(texts) != factory_count(players):
        return False
    found: list[str] = []
    for text in texts:
        tiles = _FACTORIES.get(text)
        if tiles is None:
            return False
        found.append(tiles)
    if center == "-":
        center = ""
    elif not center or center.strip(COLOURS):
        return False
    position.factories = tuple(found)
    position.center = center
    return True


def _board(wall: str, lines: str, floor: str, score: str, extended: bool) -> Board | None:
    """A board, or None where a part is not sound."""
    rows: list[str] = wall.split("|")
    spelled: list[str] = lines.split("|")
    if len(rows) != SIZE or len(spelled) != SIZE:
        return None
    wide = len(lines) == _WIDE_LENGTH
    points: Size = _number(score)
    if points < 0 or (wide and extended):
        return None
    tables = _WIDE if wide else _NARROW
    found: list[str] = []
    line: Size
    for line in range(SIZE):
        tiles = tables[line].get(spelled[line])
        if tiles is None or rows[line] not in _ROWS[line] or (tiles and tiles[0] in rows[line]):
            return None
        found.append(tiles)
    held = False
    if floor == "-":
        floor = ""
    else:
        if extended and floor.endswith(_HELD):
            held = True
            floor = floor[:-2]
        # strip leaves nothing exactly where every character is one of those that may stand there.
        if not floor or len(floor) > FLOOR_SPACES or floor.strip(_FLOOR if extended else COLOURS):
            return None
        if held and len(floor) < FLOOR_SPACES:
            return None
    board = blank_board()
    board.wall = tuple(rows)
    board.lines = tuple(found)
    board.floor = floor
    board.held = held
    board.score = points
    board.wide = wide
    return seal_board(board)


def _number(text: str) -> Size:
    """The natural number of at most four digits that is written so; -1 for any other text."""
    found = _NUMBERS.get(text)
    if found is not None:
        return found
    if len(text) == 4 and text[0] != "0" and text.isdecimal() and text.isascii():
        return int(text)
    return -1


def _has_tiles(position: Position) -> bool:
    return position.center != "" or any(position.factories)


def _short_factories(position: Position) -> Size:
    """How many factories hold some tiles, but not four."""
    short: Size = 0
    tiles: str
    for tiles in position.factories:
        if 0 < len(tiles) < TILES_PER_FACTORY:
            short += 1
    return short


def _is_untiled(position: Position) -> bool:
    """Whether a line is full or a floor is not empty."""
    board: Board
    line: Size
    for board in position.boards:
        if board.floor:
            return True
        for line in range(SIZE):
            if len(board.lines[line]) > line:
                return True
    return False


def _has_complete_row(position: Position) -> bool:
    board: Board
    line: Size
    for board in position.boards:
        for line in range(SIZE):
            if _ROWS[line][board.wall[line]] == _COMPLETE:
                return True
    return False
