"""What there is to say about the difference of two positions of Azul.

What a standard text does not show, and what is therefore only assumed, is no difference.
"""

from __future__ import annotations

from forsyth.game import Change, Difference
from forsyth.games.azul.position import PHASES, Position
from forsyth.games.azul.tiles import MARKER, in_order


def difference(a: Position, b: Position) -> Difference:
    """What differs between two positions, field by field and place by place."""
    places, other = _places(a), _places(b)
    squares = [
        Change(name, places.get(name, ""), other.get(name, ""))
        for name in dict.fromkeys((*places, *other))
        if places.get(name, "") != other.get(name, "")
    ]
    values, others = _fields(a), _fields(b)
    fields = [Change(name, value, others[name]) for name, value in values.items() if value != others[name]]
    return Difference(tuple(fields), tuple(squares), (a, b))


def _places(position: Position) -> dict[str, str]:
    """What lies where; a factory, line or floor is one place. A marker that is only assumed is left out."""
    marker = MARKER if position.complete and position.marker_in_center else ""
    found = {f"f{number}": in_order(tiles) for number, tiles in enumerate(position.factories)}
    found["c"] = in_order(position.center) + marker
    for player, board in enumerate(position.boards):
        for row, cells in enumerate(board.wall):
            found.update({f"p{player}w{row}{column}": cell.strip("-") for column, cell in enumerate(cells)})
        found.update({f"p{player}l{line}": tiles for line, tiles in enumerate(board.lines)})
        held = f"+{MARKER}" if board.held else ""
        found[f"p{player}f"] = board.floor + held if position.complete else board.floor_tiles
    return found


def _fields(position: Position) -> dict[str, str]:
    """What is not on the table. What is only assumed is left out."""
    said = {
        "players": str(position.players),
        "scores": ",".join([str(board.score) for board in position.boards]),
        "round": str(position.round),
        "current_player": str(position.current),
    }
    if not position.complete:
        return {**said, **dict.fromkeys(("phase", "start", "bag", "discard"), "")}
    return {
        **said,
        "phase": PHASES[position.phase],
        "start": str(position.start),
        "bag": ",".join(map(str, position.bag)),
        "discard": ",".join(map(str, position.discard)),
    }
