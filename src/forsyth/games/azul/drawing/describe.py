"""An Azul position in words, for captions and for who cannot see the picture.

Accepts
    Any position, legal or not.
Writes
    Players, factories, rows and lines are numbered from 1, as people count; the notation counts from 0. Tiles
    are counted by colour, so that the words stay short however many tiles there are.
Limits
    Bag and discard are named only where the position knows them; a marker it does not know is called assumed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from forsyth.games.azul.position import DONE, ENDED, OFFER, TILING, Board, Position
from forsyth.games.azul.tiles import COLOURS, MARKER, NAMES, TILES_PER_FACTORY, counts_of, is_complete

MARKER_LABEL: Final = "first-player marker"
ASSUMED_LABEL: Final = "first-player marker (assumed)"


def player_name(player: int) -> str:
    """What a player is called; the first one has the number 1."""
    return f"Player {player + 1}"


_PLACE: Final = re.compile(r"f(\d)|(c)|p(\d)(?:l(\d)|(f)|w(\d)(\d)|(s))")


@lru_cache(maxsize=1024)
def place_name(place: str) -> str:
    """What people call a place of the scene, such as ``factory 1`` or ``Player 1, row 3``; numbers from 1."""
    found = _PLACE.match(place)
    if found is None:
        return ""
    factory, center, player, line, floor, row, column, _ = found.groups()
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


def title(position: Position) -> str:
    """What the picture is of."""
    return f"Azul position, round {position.round}, {_phase(position)}"


def status(position: Position) -> str:
    """Round and phase in one line."""
    return f"Round {position.round} · {_phase(position)}"


def _phase(position: Position) -> str:
    if position.phase == OFFER:
        return f"factory offer, player {position.current + 1} to move"
    if position.phase == TILING:
        return "factory offer over, walls to be tiled"
    if position.phase == ENDED:
        return "game over"
    if any(is_complete(row) for board in position.boards for row in board.wall):
        return "walls tiled, a row is complete, bonuses to be added"
    return "walls tiled, next round to be dealt"


def supply(position: Position) -> str:
    """What is in the bag and in the lid; empty where that is not known."""
    if not position.complete:
        return ""
    return f"{_heap('Bag', position.bag)} · {_heap('Discard', position.discard)}"


def _heap(name: str, counts: tuple[int, ...]) -> str:
    kinds = " ".join(f"{colour}{count}" for colour, count in zip(COLOURS, counts, strict=True))
    return f"{name} {sum(counts)}: {kinds}" if any(counts) else f"{name} empty"


def next_starter(position: Position) -> int | None:
    """Who begins the next round, as far as the position tells."""
    for player, board in enumerate(position.boards):
        if board.held or MARKER in board.floor:
            return player
    if position.complete and (
        position.phase == DONE or (position.phase == TILING and position.marker_in_center)
    ):
        return position.start
    return None


def marker_is_known(position: Position) -> bool:
    """Whether a marker in the centre is a fact: it was said, or nobody has taken anything yet.

    Elsewhere it always is: no text that leaves the marker out puts it on a floor, only a move does.
    """
    untouched = all(len(tiles) == TILES_PER_FACTORY for tiles in position.factories)
    return position.complete or (untouched and not position.center)


def number(value: int) -> str:
    """A number as it is printed, with a minus sign and no hyphen."""
    return f"−{-value}" if value < 0 else str(value)


def description(position: Position) -> str:
    """All that a picture shows."""
    center_marker = MARKER_LABEL if marker_is_known(position) else ASSUMED_LABEL
    sentences = [
        f"Round {position.round}, {_phase(position)}.",
        f"{_factories(position)}.",
        f"Centre: {_tiles(position.center, center_marker if position.marker_in_center else '')}.",
    ]
    sentences += [_player(player, board) for player, board in enumerate(position.boards)]
    starter = next_starter(position)
    if starter is not None:
        sentences.append(f"{player_name(starter)} begins the next round.")
    if position.complete:
        sentences.append(f"Bag: {_counted(position.bag)}. Discard: {_counted(position.discard)}.")
    return " ".join(sentences)


def _factories(position: Position) -> str:
    filled = [f"factory {i + 1}: {_tiles(tiles)}" for i, tiles in enumerate(position.factories) if tiles]
    if not filled:
        return "All factories are empty"
    rest = "" if len(filled) == len(position.factories) else "; the others are empty"
    return f"{'; '.join(filled)}{rest}".capitalize()


def _player(player: int, board: Board) -> str:
    floor = _tiles(board.floor, MARKER_LABEL if MARKER in board.floor else "")
    held = f", {MARKER_LABEL} held beside it" if board.held else ""
    return (
        f"{player_name(player)}: score {number(board.score)}; wall: {_wall(board)};"
        f" pattern lines: {_lines(board)}; floor: {floor}{held}."
    )


def _wall(board: Board) -> str:
    rows = [(row, [NAMES[tile] for tile in tiles if tile in NAMES]) for row, tiles in enumerate(board.wall)]
    return ", ".join(f"row {row + 1} {' '.join(names)}" for row, names in rows if names) or "empty"


def _lines(board: Board) -> str:
    filled = (f"line {i + 1} with {_tiles(tiles)} of {i + 1}" for i, tiles in enumerate(board.lines) if tiles)
    return ", ".join(filled) or "empty"


def _tiles(tiles: str, marker: str = "") -> str:
    """Tiles counted by colour, such as ``2 blue, 1 white, first-player marker``."""
    return ", ".join([*_named(counts_of(tiles)), *filter(None, [marker])]) or "empty"


def _counted(counts: tuple[int, ...]) -> str:
    return ", ".join(_named(counts)) or "empty"


def _named(counts: tuple[int, ...]) -> Iterator[str]:
    for colour, count in zip(COLOURS, counts, strict=True):
        if count:
            yield f"{count} {NAMES[colour]}"
