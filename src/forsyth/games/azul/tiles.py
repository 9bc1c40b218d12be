"""The material of Azul: colours, the printed wall, capacities and what the floor costs (spec/azul 1.1, 1.2).

A tile is its letter; several tiles are a string of letters, and no tile is the empty string. The first-player
marker is `MARKER`; it is no tile. Everything is numbered from 0.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

Counts = tuple[int, ...]
"""How many tiles there are of each colour."""

COLOURS: Final = "BYRKW"
"""Blue, yellow, red, black, white: the order of every list of counts and of sorted tiles."""
NAMES: Final = {"B": "blue", "Y": "yellow", "R": "red", "K": "black", "W": "white"}
MARKER: Final = "F"

MEMORY: Final = 4_000
"""How many strings of tiles are remembered with what is known about them: under one megabyte."""
MOST_REMEMBERED: Final = 28
"""No centre of a game holds more: nine factories leave at most three each, the last one yet to be taken."""

if not cython.compiled:
    SIZE: Final = 5
    """Rows and columns of a wall, and pattern lines; line i has room for i + 1 tiles."""
    TILES_PER_COLOUR: Final = 20
    TILES_PER_FACTORY: Final = 4
    FLOOR_SPACES: Final = 7

FEWEST_PLAYERS: Final = 2
MOST_PLAYERS: Final = 4

PENALTIES: Final = (0, 1, 2, 4, 6, 8, 11, 14)
"""Points lost for the number of occupied floor spaces (spec/azul 1.6)."""

PRINTED: Final = tuple(
    "".join(COLOURS[(column - row) % SIZE] for column in range(SIZE)) for row in range(SIZE)
)
"""The colours printed on the wall, row by row."""
COLUMN_OF: Final = tuple({colour: PRINTED[row].index(colour) for colour in COLOURS} for row in range(SIZE))
"""For each row: the column in which a colour is printed."""

ROWS: Final = tuple(
    {
        "".join(cells): sum(1 << column for column, cell in enumerate(cells) if cell != "-")
        for cells in product(*[("-", colour) for colour in colours])
    }
    for colours in PRINTED
)
"""For each wall row every text with tiles where they are printed, and its cells as bits, column 0 lowest."""

FORMS: Final = tuple(
    "".join(tiles)
    for count in range(TILES_PER_FACTORY + 1)
    for tiles in combinations_with_replacement(COLOURS, count)
)
"""Every content of a factory, sorted; the place in this list is its number for ever (`packed`)."""
ON_FLOOR: Final = f"-{COLOURS}{MARKER}"
"""What a floor space holds; the place in this text is its number for ever (`packed`)."""

EMPTY_ROW: Final = "-" * SIZE
EMPTY_WALL: Final = (EMPTY_ROW,) * SIZE
EMPTY_LINES: Final = ("",) * SIZE
NO_TILES: Final = (0,) * SIZE


def factory_count(players: int) -> int:
    """How many factories a game has."""
    return 2 * players + 1


def _sorted(tiles: str) -> str:
    return (
        "B" * tiles.count("B")
        + "Y" * tiles.count("Y")
        + "R" * tiles.count("R")
        + "K" * tiles.count("K")
        + "W" * tiles.count("W")
    )


_SORTED: Final = {
    tiles: _sorted(tiles)
    for count in range(TILES_PER_FACTORY + 1)
    for tiles in map("".join, product(COLOURS, repeat=count))
}
"""Tiles in any order, and the same sorted: all that a factory can hold, and what was asked of late."""
_PRESENT: Final[dict[str, tuple[int, ...]]] = {}
"""The numbers of the colours among tiles, as far as they were asked of late."""


def in_order(tiles: str) -> str:
    """The same tiles, sorted by colour."""
    found = _SORTED.get(tiles)
    if found is None:
        found = _sorted(tiles)
        if len(tiles) <= MOST_REMEMBERED and len(_SORTED) < MEMORY:
            _SORTED[tiles] = found
    return found


def present_in(tiles: str) -> tuple[int, ...]:
    """The numbers of the colours that there are among tiles."""
    found = _PRESENT.get(tiles)
    if found is None:
        found = tuple([number for number, colour in enumerate(COLOURS) if colour in tiles])
        if len(tiles) <= MOST_REMEMBERED and len(_PRESENT) < MEMORY:
            _PRESENT[tiles] = found
    return found


def counts_of(tiles: str) -> Counts:
    """How many there are of each colour; markers do not count."""
    return tiles.count("B"), tiles.count("Y"), tiles.count("R"), tiles.count("K"), tiles.count("W")


def tiles_of(counts: Counts) -> str:
    """Sorted tiles, so many of each colour."""
    blue, yellow, red, black, white = counts
    return "B" * blue + "Y" * yellow + "R" * red + "K" * black + "W" * white


def is_complete(row: str) -> bool:
    """Whether a wall row has all its tiles."""
    return "-" not in row
