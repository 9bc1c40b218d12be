"""The difference of two Azul positions, by field and by place.

Values that a standard text does not contain, and that are therefore only assumed, are not compared.
"""

from __future__ import annotations

from forsyth.game import Change, Difference
from forsyth.games.azul.position import PHASES, Position
from forsyth.games.azul.tiles import MARKER, sort_tiles


def compare_positions(a: Position, b: Position) -> Difference:
    """Return the difference of two positions: the changed fields, and the changed places.

    A factory (``f0``), the centre (``c``), a pattern line (``p0l3``), a floor line (``p0f``) and a wall cell
    (``p0w12``) are one place each.
    """
    places_a, places_b = _list_places(a), _list_places(b)
    squares = []
    # A place that only one of the positions has is empty in the other.
    for name in dict.fromkeys((*places_a, *places_b)):
        old_tiles, new_tiles = places_a.get(name, ""), places_b.get(name, "")
        if old_tiles != new_tiles:
            squares.append(Change(name, old_tiles, new_tiles))
    fields_a, fields_b = _list_fields(a), _list_fields(b)
    fields = [
        Change(name, value, fields_b[name]) for name, value in fields_a.items() if value != fields_b[name]
    ]
    return Difference(tuple(fields), tuple(squares), (a, b))


def _list_places(position: Position) -> dict[str, str]:
    """Return the tiles of each place by its name, such as ``f0`` for factory 0 or ``p0l3`` for a line.

    If the position is not complete, the place of the first-player marker is not known, and it is left out.
    """
    marker = MARKER if position.complete and position.marker_in_center else ""
    contents = {f"f{number}": sort_tiles(tiles) for number, tiles in enumerate(position.factories)}
    contents["c"] = sort_tiles(position.center) + marker
    for player, board in enumerate(position.boards):
        for row, cells in enumerate(board.wall):
            contents.update(
                {f"p{player}w{row}{column}": cell.strip("-") for column, cell in enumerate(cells)}
            )
        contents.update({f"p{player}l{line}": tiles for line, tiles in enumerate(board.lines)})
        held = f"+{MARKER}" if board.held else ""
        contents[f"p{player}f"] = board.floor + held if position.complete else board.floor_tiles
    return contents


def _list_fields(position: Position) -> dict[str, str]:
    """Return the values of a position besides its tiles, such as scores and round, by field name.

    In a position that is not complete, the values that its text did not contain are empty strings.
    """
    known_values = {
        "players": str(position.players),
        "scores": ",".join([str(board.score) for board in position.boards]),
        "round": str(position.round),
        "current_player": str(position.current),
    }
    if not position.complete:
        return {**known_values, **dict.fromkeys(("phase", "start", "bag", "discard"), "")}
    return {
        **known_values,
        "phase": PHASES[position.phase],
        "start": str(position.start),
        "bag": ",".join(map(str, position.bag)),
        "discard": ",".join(map(str, position.discard)),
    }
