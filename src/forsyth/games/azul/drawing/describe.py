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


def format_player_name(player: int) -> str:
    """Return the display name of a player: ``Player 1`` for player 0."""
    return f"Player {player + 1}"


_PLACE_NAME: Final = re.compile(
    r"f(?P<factory>\d)|(?P<center>c)|p(?P<player>\d)(?:l(?P<line>\d)|(?P<floor>f)|w(?P<row>\d)(?P<column>\d)|s)"
)


@lru_cache(maxsize=1024)
def place_name(place: str) -> str:
    """Return the display name of a place in the drawing, such as ``Player 1, row 3`` for ``p0l2``.

    Display names count from 1, and `place` counts from 0. Return an empty string if there is no such place.
    """
    match = _PLACE_NAME.match(place)
    if match is None:
        return ""
    if match["factory"]:
        return f"factory {int(match['factory']) + 1}"
    if match["center"]:
        return "centre"
    owner = format_player_name(int(match["player"]))
    if match["row"]:
        row_number, column_number = int(match["row"]) + 1, int(match["column"]) + 1
        return f"{owner}, wall row {row_number}, column {column_number}"
    if match["line"]:
        return f"{owner}, row {int(match['line']) + 1}"
    return f"{owner}, floor" if match["floor"] else f"{owner}, score"


def make_title(position: Position) -> str:
    """Return the title of a picture, such as ``Azul position, round 3, game over``."""
    return f"Azul position, round {position.round}, {_describe_phase(position)}"


def make_status(position: Position) -> str:
    """Return the status line of a picture, such as ``Round 3 · game over``."""
    return f"Round {position.round} · {_describe_phase(position)}"


def _describe_phase(position: Position) -> str:
    """Return the phase and the next step of the game, such as ``walls tiled, next round to be dealt``."""
    if position.phase == OFFER:
        return f"factory offer, player {position.current + 1} to move"
    if position.phase == TILING:
        return "factory offer over, walls to be tiled"
    if position.phase == ENDED:
        return "game over"
    has_complete_row = any(is_row_complete(row) for board in position.boards for row in board.wall)
    if has_complete_row:
        return "walls tiled, a row is complete, bonuses to be added"
    return "walls tiled, next round to be dealt"


def describe_supply(position: Position) -> str:
    """Return the content of bag and discard, such as ``Bag 3: B1 Y2 R0 K0 W0 · Discard empty``.

    Return an empty string if the text of the position did not contain them.
    """
    if not position.complete:
        return ""
    bag = _format_labelled_counts("Bag", position.bag)
    discard = _format_labelled_counts("Discard", position.discard)
    return f"{bag} · {discard}"


def _format_labelled_counts(label: str, counts: tuple[int, ...]) -> str:
    """Return counts by colour with a label, such as ``Bag 3: B1 Y2 R0 K0 W0`` or ``Bag empty``.

    `label` is the word before the counts, and `counts` has a count for each colour.
    """
    if not any(counts):
        return f"{label} empty"
    colour_counts = " ".join(f"{colour}{count}" for colour, count in zip(COLOURS, counts, strict=True))
    return f"{label} {sum(counts)}: {colour_counts}"


def find_next_starter(position: Position) -> int | None:
    """Return the number of the player who begins the next round, or None if that is not decided yet.

    It is the player with the first-player marker. After the tiling nobody has the marker, and the position
    itself contains the number as `start`.
    """
    for player, board in enumerate(position.boards):
        has_marker = board.held or MARKER in board.floor
        if has_marker:
            return player
    # If nobody has taken the marker in the offer, the same player begins again.
    is_marker_untaken = position.phase == TILING and position.marker_in_center
    is_decided = position.phase == DONE or is_marker_untaken
    return position.start if position.complete and is_decided else None


def is_center_marker_known(position: Position) -> bool:
    """Return True if a marker in the centre is known to be there, False if it is only assumed.

    It is known if the text contained the marker, or if no tile of the round has been taken yet.
    """
    are_factories_full = all(len(tiles) == TILES_PER_FACTORY for tiles in position.factories)
    is_first_move = are_factories_full and not position.center
    return position.complete or is_first_move


def format_number(value: int) -> str:
    """Return a number as text, with the minus sign ``−`` in place of the hyphen ``-``."""
    return f"−{-value}" if value < 0 else str(value)


def describe_position(position: Position) -> str:
    """Return a description of the position in sentences, for people who cannot see the picture.

    The sentences are about the round, the factories, the centre, each player, and the bag and discard if
    they are known.
    """
    center_marker = ""
    if position.marker_in_center:
        center_marker = MARKER_LABEL if is_center_marker_known(position) else ASSUMED_LABEL
    sentences = [
        f"Round {position.round}, {_describe_phase(position)}.",
        f"{_describe_factories(position)}.",
        f"Centre: {_describe_tiles(position.center, center_marker)}.",
    ]
    sentences += [_describe_player(player, board) for player, board in enumerate(position.boards)]
    starter = find_next_starter(position)
    if starter is not None:
        sentences.append(f"{format_player_name(starter)} begins the next round.")
    if position.complete:
        sentences.append(
            f"Bag: {_describe_counts(position.bag)}. Discard: {_describe_counts(position.discard)}."
        )
    return " ".join(sentences)


def _describe_factories(position: Position) -> str:
    """Return the tiles of all factories in words, such as ``Factory 1: 2 blue; the others are empty``."""
    descriptions = [
        f"factory {number}: {_describe_tiles(tiles)}"
        for number, tiles in enumerate(position.factories, start=1)
        if tiles
    ]
    if not descriptions:
        return "All factories are empty"
    if len(descriptions) < len(position.factories):
        descriptions.append("the others are empty")
    return "; ".join(descriptions).capitalize()


def _describe_player(player: int, board: Board) -> str:
    """Return the score, wall, lines and floor of a player in words.

    An example is ``Player 1: score 3; wall: row 1 blue; pattern lines: empty; floor: 2 red.``.
    """
    floor_marker = MARKER_LABEL if MARKER in board.floor else ""
    floor = _describe_tiles(board.floor, floor_marker)
    if board.held:
        floor += f", {MARKER_LABEL} held beside it"
    return (
        f"{format_player_name(player)}: score {format_number(board.score)}; wall: {_describe_wall(board)};"
        f" pattern lines: {_describe_lines(board)}; floor: {floor}."
    )


def _describe_wall(board: Board) -> str:
    """Return the tiles of a wall, such as ``row 1 blue, row 3 red white``, or ``empty``."""
    descriptions = []
    for number, cells in enumerate(board.wall, start=1):
        colour_names = [COLOUR_NAMES[cell] for cell in cells if cell in COLOUR_NAMES]
        if colour_names:
            descriptions.append(f"row {number} {' '.join(colour_names)}")
    return ", ".join(descriptions) or "empty"


def _describe_lines(board: Board) -> str:
    """Return the tiles of the pattern lines, such as ``line 3 with 2 blue of 3``, or ``empty``."""
    descriptions = [
        f"line {number} with {_describe_tiles(tiles)} of {number}"
        for number, tiles in enumerate(board.lines, start=1)
        if tiles
    ]
    return ", ".join(descriptions) or "empty"


def _describe_tiles(tiles: str, marker: str = "") -> str:
    """Return tiles counted by colour, such as ``2 blue, 1 white, first-player marker``, or ``empty``.

    `marker` is the label of a first-player marker beside the tiles, or an empty string.
    """
    descriptions = list(_format_counts_by_name(count_colours(tiles)))
    if marker:
        descriptions.append(marker)
    return ", ".join(descriptions) or "empty"


def _describe_counts(counts: tuple[int, ...]) -> str:
    """Return counts by colour in words, such as ``2 blue, 1 white``, or ``empty`` if all are 0."""
    return ", ".join(_format_counts_by_name(counts)) or "empty"


def _format_counts_by_name(counts: tuple[int, ...]) -> Iterator[str]:
    """Yield each count that is not 0 with the name of its colour, such as ``2 blue``."""
    for colour, count in zip(COLOURS, counts, strict=True):
        if count:
            yield f"{count} {COLOUR_NAMES[colour]}"
