"""The difference of two Azul positions, by field and by place.

Values that a standard text does not contain, and that are therefore only assumed, are not compared.
"""

from __future__ import annotations

from forsyth.game import Change, Difference
from forsyth.games.azul.position import PHASES, Board, Position
from forsyth.games.azul.tiles import MARKER, sort_tiles


def compare_positions(a: Position, b: Position) -> Difference:
    """Return the difference of two positions: the fields and the places whose values differ.

    A place is a factory (``f0``), the centre (``c``), a pattern line (``p0l3``), a floor line (``p0f``) or a
    wall cell (``p0w12``). A field is, for example, the round.
    """
    changed_fields = _list_changes(_collect_field_values(a), _collect_field_values(b))
    changed_places = _list_changes(_collect_tiles_by_place(a), _collect_tiles_by_place(b))
    return Difference(changed_fields, changed_places, (a, b))


def _list_changes(old_values: dict[str, str], new_values: dict[str, str]) -> tuple[Change, ...]:
    """Return a change for each name whose value differs between two dictionaries.

    If only one of them contains a name, its value in the other counts as an empty string.
    """
    changes = []
    for name in dict.fromkeys((*old_values, *new_values)):
        old_value = old_values.get(name, "")
        new_value = new_values.get(name, "")
        if old_value != new_value:
            changes.append(Change(name, old_value, new_value))
    return tuple(changes)


def _collect_tiles_by_place(position: Position) -> dict[str, str]:
    """Return the tiles of each place by its name, such as ``{"f0": "BBYR", "p0l3": "KK", ...}``.

    The first-player marker (``F``) is left out if the position is not complete, because its place is then
    not known.
    """
    tiles_by_place = {f"f{number}": sort_tiles(tiles) for number, tiles in enumerate(position.factories)}
    has_known_marker = position.complete and position.marker_in_center
    center_marker = MARKER if has_known_marker else ""
    tiles_by_place["c"] = sort_tiles(position.center) + center_marker
    for player, board in enumerate(position.boards):
        for row, cells in enumerate(board.wall):
            for column, cell in enumerate(cells):
                tiles_by_place[f"p{player}w{row}{column}"] = cell.strip("-")
        for line, tiles in enumerate(board.lines):
            tiles_by_place[f"p{player}l{line}"] = tiles
        tiles_by_place[f"p{player}f"] = _format_floor(board, position.complete)
    return tiles_by_place


def _format_floor(board: Board, complete: bool) -> str:
    """Return the tiles of a floor line, such as ``BBF``, or ``BBBBBBB+F`` if a marker is held beside it.

    If `complete` is False, the place of the marker ``F`` is not known, and the marker is left out.
    """
    if not complete:
        return board.floor_tiles
    return f"{board.floor}+{MARKER}" if board.held else board.floor


def _collect_field_values(position: Position) -> dict[str, str]:
    """Return the values of a position besides its tiles, such as ``{"round": "3", "scores": "8,7", ...}``.

    Values that the text of the position did not contain, such as the bag, are empty strings.
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
