"""The components of Azul: colours, the printed wall, capacities and floor penalties (spec/azul 1.1, 1.2).

A tile is its letter. Several tiles are a string of letters, and the empty string means no tile. The
first-player marker is `MARKER` and does not count as a tile. All numbering starts at 0.
"""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

Counts = tuple[int, ...]
"""Numbers of tiles by colour, in the order of `COLOURS`."""

COLOURS: Final = "BYRKW"
"""Letters of blue, yellow, red, black and white: the order of all counts and of sorted tiles."""
COLOUR_NAMES: Final = {"B": "blue", "Y": "yellow", "R": "red", "K": "black", "W": "white"}
MARKER: Final = "F"

MAX_CACHED: Final = 4_000
"""Maximum number of tile strings in each cache: together they need less than one megabyte."""
MAX_CACHED_LENGTH: Final = 28
"""Length of the longest cached tile string.

No centre of a game is larger: nine factories send at most three tiles each.
"""

if not cython.compiled:
    SIZE: Final = 5
    """Number of rows and columns of a wall, and of pattern lines. Line i has room for i + 1 tiles."""
    TILES_PER_COLOUR: Final = 20
    TILES_PER_FACTORY: Final = 4
    FLOOR_SPACES: Final = 7

    def count_factories(players: int) -> int:
        """Return the number of factories, as `factory_count` does, but without Python objects.

        Only compiled code needs this function beside `factory_count`.
        """
        return 2 * players + 1


MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 4

PENALTIES: Final = (0, 1, 2, 4, 6, 8, 11, 14)
"""Points lost, indexed by the number of occupied floor spaces (spec/azul 1.6)."""

PRINTED: Final = tuple(
    "".join(COLOURS[(column - row) % SIZE] for column in range(SIZE)) for row in range(SIZE)
)
"""Letters of the colours printed on the wall, one string for each row."""
PRINTED_COLUMN: Final = tuple(
    {colour: PRINTED[row].index(colour) for colour in COLOURS} for row in range(SIZE)
)
"""For each wall row: the column in which each colour is printed."""

ROW_MASKS: Final = tuple(
    {
        "".join(cells): sum(1 << column for column, cell in enumerate(cells) if cell != "-")
        for cells in product(*[("-", colour) for colour in colours])
    }
    for colours in PRINTED
)
"""For each wall row: the bit mask of occupied cells by row text, column 0 in the lowest bit.

The texts are all those that have tiles only on cells of their colour.
"""

FORMS: Final = tuple(
    "".join(tiles)
    for count in range(TILES_PER_FACTORY + 1)
    for tiles in combinations_with_replacement(COLOURS, count)
)
"""Every possible content of a factory, as sorted tiles.

The index of a content is part of the packed format and must never change.
"""
FLOOR_SYMBOLS: Final = f"-{COLOURS}{MARKER}"
"""Every possible content of a floor space: empty, a colour or the marker.

The index of a symbol is part of the packed format and must never change.
"""

EMPTY_ROW: Final = "-" * SIZE
EMPTY_WALL: Final = (EMPTY_ROW,) * SIZE
EMPTY_LINES: Final = ("",) * SIZE
NO_TILES: Final = (0,) * SIZE


def factory_count(players: int) -> int:
    """Return the number of factories of a game: five for two players, seven for three, nine for four."""
    return 2 * players + 1


def _sort_uncached(tiles: str) -> str:
    """Return tiles sorted by colour, such as ``BBYW`` for ``WBYB``, without using the cache.

    Characters that are not colours are dropped.
    """
    return (
        "B" * tiles.count("B")
        + "Y" * tiles.count("Y")
        + "R" * tiles.count("R")
        + "K" * tiles.count("K")
        + "W" * tiles.count("W")
    )


_SORTED: Final = {
    tiles: _sort_uncached(tiles)
    for count in range(TILES_PER_FACTORY + 1)
    for tiles in map("".join, product(COLOURS, repeat=count))
}
"""Cache of `sort_tiles`: sorted tiles by unsorted tiles.

It starts with every content of a factory.
"""
_COLOURS_PRESENT: Final[dict[str, tuple[int, ...]]] = {}
"""Cache of `list_colours`: indices of the colours by tiles."""


def sort_tiles(tiles: str) -> str:
    """Return the same tiles sorted by colour, such as ``BBYW`` for ``WBYB``.

    The results for short strings are cached, because the same few strings occur again and again.
    """
    sorted_tiles = _SORTED.get(tiles)
    if sorted_tiles is None:
        sorted_tiles = _sort_uncached(tiles)
        if len(tiles) <= MAX_CACHED_LENGTH and len(_SORTED) < MAX_CACHED:
            _SORTED[tiles] = sorted_tiles
    return sorted_tiles


def list_colours(tiles: str) -> tuple[int, ...]:
    """Return the indices in `COLOURS` of the colours that `tiles` contains, such as (0, 1) for ``YBB``.

    The results for short strings are cached, because the same few strings occur again and again.
    """
    colour_indices = _COLOURS_PRESENT.get(tiles)
    if colour_indices is None:
        indices = [index for index, colour in enumerate(COLOURS) if colour in tiles]
        colour_indices = tuple(indices)
        if len(tiles) <= MAX_CACHED_LENGTH and len(_COLOURS_PRESENT) < MAX_CACHED:
            _COLOURS_PRESENT[tiles] = colour_indices
    return colour_indices


def count_colours(tiles: str) -> Counts:
    """Return the number of tiles of each colour, such as (2, 1, 0, 0, 0) for ``BBYF``.

    The counts are in the order of `COLOURS`. The first-player marker ``F`` is not counted.
    """
    return tiles.count("B"), tiles.count("Y"), tiles.count("R"), tiles.count("K"), tiles.count("W")


def tiles_from_counts(counts: Counts) -> str:
    """Return as many tiles of each colour as `counts` has, such as ``BBY`` for (2, 1, 0, 0, 0).

    The counts and the tiles are in the order of `COLOURS`.
    """
    blue, yellow, red, black, white = counts
    return "B" * blue + "Y" * yellow + "R" * red + "K" * black + "W" * white


def is_row_complete(row: str) -> bool:
    """Return True if all five cells of a wall row such as ``BYRKW`` are occupied; ``-`` is an empty cell."""
    return "-" not in row
