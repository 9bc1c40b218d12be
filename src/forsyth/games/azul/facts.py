"""The difference of two Azul positions, by field and by place.

Values that a standard text does not contain, and that are therefore only assumed, are not compared.
"""

from __future__ import annotations

from forsyth.game import Change, Difference
from forsyth.games.azul.position import PHASES, Board, Position
from forsyth.games.azul.tiles import MARKER, sort_tiles


def compare_positions(a: Position, b: Position) -> Difference:
    """Return the difference of two positions: the changed fields, and the changed places.

    A factory (``f0``), the centre (``c``), a pattern line (``p0l3``), a floor line (``p0f``) and a wall cell
    (``p0w12``) are one place each.
    """
    changed_fields = _list_changes(_list_fields(a), _list_fields(b))
    changed_places = _list_changes(_list_places(a), _list_places(b))
    return Difference(changed_fields, changed_places, (a, b))


def _list_changes(old_values: dict[str, str], new_values: dict[str, str]) -> tuple[Change, ...]:
    """Return a change for each name with different values.

    A name that only one of the dictionaries contains has an empty value in the other.
    """
    changes = []
    for name in dict.fromkeys((*old_values, *new_values)):
        old_value = old_values.get(name, "")
        new_value = new_values.get(name, "")
        if old_value != new_value:
            changes.append(Change(name, old_value, new_value))
    return tuple(changes)


def _list_places(position: Position) -> dict[str, str]:
    """Return the tiles of each place by its name, such as ``f0`` for factory 0 or ``p0l3`` for a line.

    If the position is not complete, the first-player marker is left out, because its place is not known.
    """
    tiles_by_place = {f"f{number}": sort_tiles(tiles) for number, tiles in enumerate(position.factories)}
    has_known_marker = position.complete and position.marker_in_center
    tiles_by_place["c"] = sort_tiles(position.center) + (MARKER if has_known_marker else "")
    for player, board in enumerate(position.boards):
        for row, cells in enumerate(board.wall):
            for column, cell in enumerate(cells):
                tiles_by_place[f"p{player}w{row}{column}"] = cell.strip("-")
        for line, tiles in enumerate(board.lines):
            tiles_by_place[f"p{player}l{line}"] = tiles
        tiles_by_place[f"p{player}f"] = _write_floor(board, position.complete)
    return tiles_by_place


def _write_floor(board: Board, complete: bool) -> str:
    """Return the tiles of a floor line, such as ``BBF``, or ``BBBBBBB+F`` if a marker is held beside it.

    The marker is left out if the position is not complete.
    """
    if not complete:
        return board.floor_tiles
    return f"{board.floor}+{MARKER}" if board.held else board.floor


def _list_fields(position: Position) -> dict[str, str]:
    """Return the values of a position besides its tiles, such as scores and round, by field name.

    All values are strings. In a position that is not complete, the values that its text did not contain are
    empty strings.
    """
    visible_values = {
        "players": str(position.players),
        "scores": ",".join([str(board.score) for board in position.boards]),
        "round": str(position.round),
        "current_player": str(position.current),
    }
    if not position.complete:
        return {**visible_values, "phase": "", "start": "", "bag": "", "discard": ""}
    return {
        **visible_values,
        "phase": PHASES[position.phase],
        "start": str(position.start),
        "bag": ",".join(map(str, position.bag)),
        "discard": ",".join(map(str, position.discard)),
    }
