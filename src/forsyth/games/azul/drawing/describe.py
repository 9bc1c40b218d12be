"""Descriptions of an Azul position in words, for captions and for readers who cannot see the picture.

Accepts
    Any position, legal or not.
Writes
    Players, factories, rows and lines with numbers from 1, while the notation counts from 0. Tiles are
    counted by colour, so the text stays short however many tiles there are.
Limits
    Bag and discard are described only if they are known. A marker whose place is unknown is called assumed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from forsyth.games.azul.position import DONE, ENDED, OFFER, TILING, Board, Position
from forsyth.games.azul.tiles import (
    COLOUR_NAMES,
    COLOURS,
    MARKER,
    TILES_PER_FACTORY,
    count_colours,
    is_row_complete,
)

MARKER_LABEL: Final = "first-player marker"
ASSUMED_LABEL: Final = "first-player marker (assumed)"


def player_name(player: int) -> str:
    """Return the display name of a player: ``Player 1`` for player 0."""
    return f"Player {player + 1}"


_PLACE_NAME: Final = re.compile(r"f(\d)|(c)|p(\d)(?:l(\d)|(f)|w(\d)(\d)|(s))")


@lru_cache(maxsize=1024)
def place_name(place: str) -> str:
    """Return the display name of a place of the scene, such as ``factory 1`` or ``Player 1, row 3``.

    Return the empty string if there is no such place.
    """
    match = _PLACE_NAME.match(place)
    if match is None:
        return ""
    factory, center, player, line, floor, row, column, _ = match.groups()
    if factory:
        return f"factory {int(factory) + 1}"
    if center:
        return "centre"
    owner = player_name(int(player))
    if row:
        return f"{owner}, wall row {int(row) + 1}, column {int(column) + 1}"
    if line:
        return f"{owner}, row {int(line) + 1}"
    return f"{owner}, floor" if floor else f"{owner}, score"


def make_title(position: Position) -> str:
    """Return the title of a picture, such as ``Azul position, round 3, game over``."""
    return f"Azul position, round {position.round}, {_describe_phase(position)}"


def make_status(position: Position) -> str:
    """Return the status line of a picture, such as ``Round 3 · game over``."""
    return f"Round {position.round} · {_describe_phase(position)}"


def _describe_phase(position: Position) -> str:
    """Return the phase and the next step in words, such as ``walls tiled, next round to be dealt``."""
    if position.phase == OFFER:
        return f"factory offer, player {position.current + 1} to move"
    if position.phase == TILING:
        return "factory offer over, walls to be tiled"
    if position.phase == ENDED:
        return "game over"
    if any(is_row_complete(row) for board in position.boards for row in board.wall):
        return "walls tiled, a row is complete, bonuses to be added"
    return "walls tiled, next round to be dealt"


def describe_supply(position: Position) -> str:
    """Return the content of bag and discard, such as ``Bag 3: B1 Y2 R0 K0 W0 · Discard empty``.

    Return an empty string if the text of the position did not contain them.
    """
    if not position.complete:
        return ""
    return f"{_describe_heap('Bag', position.bag)} · {_describe_heap('Discard', position.discard)}"


def _describe_heap(name: str, counts: tuple[int, ...]) -> str:
    """Return the content of the bag or of the discard, such as ``Bag 3: B1 Y2 R0 K0 W0``."""
    colour_counts = " ".join(f"{colour}{count}" for colour, count in zip(COLOURS, counts, strict=True))
    return f"{name} {sum(counts)}: {colour_counts}" if any(counts) else f"{name} empty"


def find_next_starter(position: Position) -> int | None:
    """Return the number of the player who begins the next round, or None if that is not decided yet.

    It is the player with the first-player marker. After the tiling the marker is gone, and `start` counts.
    """
    for player, board in enumerate(position.boards):
        if board.held or MARKER in board.floor:
            return player
    if position.complete and (
        position.phase == DONE or (position.phase == TILING and position.marker_in_center)
    ):
        return position.start
    return None


def is_center_marker_known(position: Position) -> bool:
    """Return True if a marker in the centre is known to be there.

    That is so if the text contained the marker, or if no tile has been taken yet. A marker on a floor is
    always known, because only a move puts it there in a position that is not complete.
    """
    is_untouched = all(len(tiles) == TILES_PER_FACTORY for tiles in position.factories)
    return position.complete or (is_untouched and not position.center)


def format_number(value: int) -> str:
    """Return a number with a minus sign instead of a hyphen."""
    return f"−{-value}" if value < 0 else str(value)


def describe_position(position: Position) -> str:
    """Return everything that a picture of the position shows, as sentences."""
    center_marker = MARKER_LABEL if is_center_marker_known(position) else ASSUMED_LABEL
    sentences = [
        f"Round {position.round}, {_describe_phase(position)}.",
        f"{_describe_factories(position)}.",
        f"Centre: {_describe_tiles(position.center, center_marker if position.marker_in_center else '')}.",
    ]
    sentences += [_describe_player(player, board) for player, board in enumerate(position.boards)]
    starter = find_next_starter(position)
    if starter is not None:
        sentences.append(f"{player_name(starter)} begins the next round.")
    if position.complete:
        sentences.append(
            f"Bag: {_describe_counts(position.bag)}. Discard: {_describe_counts(position.discard)}."
        )
    return " ".join(sentences)


def _describe_factories(position: Position) -> str:
    """Return the tiles of all factories in words, such as ``Factory 1: 2 blue; the others are empty``."""
    filled = [
        f"factory {i + 1}: {_describe_tiles(tiles)}" for i, tiles in enumerate(position.factories) if tiles
    ]
    if not filled:
        return "All factories are empty"
    others = "" if len(filled) == len(position.factories) else "; the others are empty"
    return f"{'; '.join(filled)}{others}".capitalize()


def _describe_player(player: int, board: Board) -> str:
    """Return the score, wall, lines and floor of a player in words."""
    floor = _describe_tiles(board.floor, MARKER_LABEL if MARKER in board.floor else "")
    held = f", {MARKER_LABEL} held beside it" if board.held else ""
    return (
        f"{player_name(player)}: score {format_number(board.score)}; wall: {_describe_wall(board)};"
        f" pattern lines: {_describe_lines(board)}; floor: {floor}{held}."
    )


def _describe_wall(board: Board) -> str:
    """Return the tiles of a wall, such as ``row 1 blue, row 3 red white``, or ``empty``."""
    rows = [
        (row, [COLOUR_NAMES[tile] for tile in tiles if tile in COLOUR_NAMES])
        for row, tiles in enumerate(board.wall)
    ]
    return ", ".join(f"row {row + 1} {' '.join(names)}" for row, names in rows if names) or "empty"


def _describe_lines(board: Board) -> str:
    """Return the tiles of the pattern lines, such as ``line 3 with 2 blue of 3``, or ``empty``."""
    filled = (
        f"line {i + 1} with {_describe_tiles(tiles)} of {i + 1}"
        for i, tiles in enumerate(board.lines)
        if tiles
    )
    return ", ".join(filled) or "empty"


def _describe_tiles(tiles: str, marker: str = "") -> str:
    """Return tiles counted by colour, such as ``2 blue, 1 white, first-player marker``, or ``empty``.

    `marker` is the label of a first-player marker beside the tiles, or an empty string.
    """
    names = list(_name_counts(count_colours(tiles)))
    if marker:
        names.append(marker)
    return ", ".join(names) or "empty"


def _describe_counts(counts: tuple[int, ...]) -> str:
    """Return counts by colour in words, such as ``2 blue, 1 white``, or ``empty`` if all are 0."""
    return ", ".join(_name_counts(counts)) or "empty"


def _name_counts(counts: tuple[int, ...]) -> Iterator[str]:
    """Yield each count that is not 0 with the name of its colour, such as ``2 blue``."""
    for colour, count in zip(COLOURS, counts, strict=True):
        if count:
            yield f"{count} {COLOUR_NAMES[colour]}"
