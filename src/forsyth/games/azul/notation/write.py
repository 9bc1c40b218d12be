"""Azul positions as text: the standard form (v1) and the extended one (v2), canonical or as spelled.

Writes
    `write_canonical`: the extended text of a complete position, the standard text of any other. Tiles on
    factories and in the centre are sorted, floors in order of arrival, lines wide in v1, narrow in v2.
    `write_standard`, `write_extended`: one of the two. Without `canonical` tiles stand in the order in which
    they were read; `lines` says how pattern lines are spelled in v1, by default as each board's was.
Limits
    The standard form has two players and ten rounds; `NotExpressible` where that does not suffice, and a
    position with an assumed past that outlives the tenth round goes on in the extended form (spec/azul, C10).
"""

from __future__ import annotations

from itertools import product
from typing import Final, Literal

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.azul.position import Board, Position
from forsyth.games.azul.tiles import COLOURS, MARKER, Counts

if not cython.compiled:
    from forsyth.games.azul.tiles import SIZE, TILES_PER_FACTORY, sort_tiles

    Count = int

Lines = Literal["wide", "narrow"]
Spelling = Lines | None

STANDARD_PLAYERS: Final = 2
STANDARD_ROUNDS: Final = 10

WIDE_TEXT: Final = {
    tile * count: (tile * count).ljust(SIZE, "-") for tile in COLOURS for count in range(SIZE + 1)
}
FACTORY_TEXT: Final = {
    tiles: tiles.ljust(TILES_PER_FACTORY, "-")
    for count in range(TILES_PER_FACTORY + 1)
    for tiles in map("".join, product(COLOURS, repeat=count))
}
NARROW_TEXT: Final = tuple(
    {tile * count: (tile * count).ljust(line + 1, "-") for tile in COLOURS for count in range(line + 2)}
    for line in range(SIZE)
)
"""How factories and pattern lines are spelled, by their tiles; what no game has is spelled without these."""
_WIDE: Final = WIDE_TEXT
_FACTORY: Final = FACTORY_TEXT
_NARROW: Final = NARROW_TEXT


class NotExpressible(ValueError):  # noqa: N818 - the name of the specification
    """A position that the standard form cannot hold."""


def is_standard(position: Position) -> bool:
    """Whether the standard form can hold a position's visible part."""
    return len(position.boards) == STANDARD_PLAYERS and position.round <= STANDARD_ROUNDS


def write_canonical(position: Position) -> str:
    """The one canonical text of a position."""
    if position.complete or not is_standard(position):
        return write_extended(position, canonical=True)
    return write_standard(position, canonical=True)


def write_standard(position: Position, *, canonical: bool = False, lines: Lines | None = None) -> str:
    """The visible part of a position as a standard text; raises `NotExpressible`."""
    if len(position.boards) != STANDARD_PLAYERS:
        raise NotExpressible(
            f"the standard form has {STANDARD_PLAYERS} players, this position {position.players}"
        )
    if position.round > STANDARD_ROUNDS:
        raise NotExpressible(f"the standard form has rounds 1 to {STANDARD_ROUNDS}, this is {position.round}")
    if canonical and lines is None:
        lines = "wide"
    first, second = position.boards
    center: str = (sort_tiles(position.center) if canonical else position.center) or "-"
    return (
        f"{_factories(position, canonical)}/{center}/{_standard_board(first, lines)}"
        f"/{_standard_board(second, lines)}/{first.score},{second.score}/{position.round}/{position.current}"
    )


def write_extended(position: Position, *, canonical: bool = False) -> str:
    """The whole of a position as an extended text."""
    center = sort_tiles(position.center) if canonical else position.center
    if position.marker_in_center:
        center += MARKER
    boards = "/".join([_extended_board(board) for board in position.boards])
    scores = ",".join([str(board.score) for board in position.boards])
    return (
        f"v2/{len(position.boards)}/{position.phase}/{_factories(position, canonical)}/{center or '-'}"
        f"/{boards}/{scores}/{position.round}/{position.current}/{position.start}"
        f"/{_counts(position.bag)}/{_counts(position.discard)}"
    )


def _factories(position: Position, canonical: bool) -> str:
    tiles: str
    spelled = []
    for tiles in position.factories:
        if canonical:
            tiles = sort_tiles(tiles)
        spelled.append(_FACTORY.get(tiles) or tiles.ljust(TILES_PER_FACTORY, "-"))
    return "|".join(spelled)


def _standard_board(board: Board, lines: Spelling) -> str:
    wide = board.wide if lines is None else lines == "wide"
    spelled = _wide_lines(board) if wide else _narrow_lines(board)
    floor: str = board.floor.replace(MARKER, "") or "-"
    return f"{'|'.join(board.wall)}/{spelled}/{floor}"


def _extended_board(board: Board) -> str:
    held = f"+{MARKER}" if board.held else ""
    return f"{'|'.join(board.wall)}/{_narrow_lines(board)}/{board.floor or '-'}{held}"


def _wide_lines(board: Board) -> str:
    tiles: str
    spelled = []
    for tiles in board.lines:
        spelled.append(_WIDE.get(tiles) or tiles.ljust(SIZE, "-"))
    return "|".join(spelled)


def _narrow_lines(board: Board) -> str:
    """Lines with more tiles than they have room for stay too long: no narrow text can say them."""
    line: Count
    tiles: str
    spelled = []
    for line in range(SIZE):
        tiles = board.lines[line]
        spelled.append(_NARROW[line].get(tiles) or tiles.ljust(line + 1, "-"))
    return "|".join(spelled)


def _counts(counts: Counts) -> str:
    return ",".join([str(count) for count in counts])
