"""Why a CoTuLenh move is not possible: air defence, exposure, terrain, something in the way.

Accepts
    Move texts as `read_move` does, and pairs of squares with the pieces that are meant, such as ``T`` or
    ``(NFT)``; without them every member of a stack is tried, and the one that comes nearest is explained.
Writes
    One hindrance. The rules are not written a second time: each reason is tried out by taking it off the
    board and asking for the moves again.
Limits
    Of several reasons at once the first in this order: range and terrain, air defence, what is in the way,
    the enemy's commander, the safety of the mover's commander.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from forsyth import hindrances
from forsyth.game_values import Overlay
from forsyth.games.cotulenh.board import LAND_OK, SQUARE_NUMBER, SQUARES, WATER_OK
from forsyth.games.cotulenh.notation.san import SanError, read_move, read_shape
from forsyth.games.cotulenh.position import Position, with_session, with_unit
from forsyth.games.cotulenh.rules.attackers import air_zones, attackers
from forsyth.games.cotulenh.rules.deploy import may_stand, moves_of, remaining_types
from forsyth.games.cotulenh.rules.moves import (
    Rules,
    commander_attacked,
    commander_in_danger,
    commander_of,
    pseudo_moves,
    step_moves,
    stepped,
    turned,
)
from forsyth.games.cotulenh.stacks import (
    BLUE_BIT,
    HEROIC_SHIFT,
    LETTERS,
    NAMES,
    TYPES,
    carrier_of,
    combine,
    members,
    read_unit,
)
from forsyth.hindrances import Hindrance

_WIDTH: Final = 11
_SIDES: Final = ("Red", "Blue")
_COMMANDER: Final = "commander"


def explain(position: Position, text: str, rules: Rules) -> Hindrance | None:
    """Why a text names no legal move, step or action; None where it names one."""
    try:
        read_move(position, text, rules)
    except SanError as error:
        return _refused(position, text, error, rules)
    return None


def _refused(position: Position, text: str, error: SanError, rules: Rules) -> Hindrance:
    if error.kind != "illegal" or text.strip() in ("commit", "cancel"):
        return (
            why_open(position)
            if text.strip() == "commit" and position.session
            else hindrances.of_error(error)
        )
    step = read_shape(text).steps[0]
    types = step.unit & TYPES
    origins = [
        square
        for square, unit in enumerate(position.board())
        if unit & types == types
        and unit
        and unit >> 22 == position.blue_to_move
        and step.file in (-1, square % _WIDTH)
        and step.rank in (-1, square // _WIDTH)
    ]
    if not types or not origins:
        return hindrances.of_error(error)
    found = hindrances.nearest(_why(position, square, step.target, types, rules) for square in origins)
    return found or hindrances.of_error(error)


def why_not(position: Position, origin: str, target: str, piece: str, rules: Rules) -> Hindrance | None:
    """Why nothing goes from one square to another; None where something does."""
    for name in (origin, target):
        if name not in SQUARE_NUMBER:
            return hindrances.no_place(name)
    start, end = SQUARE_NUMBER[origin], SQUARE_NUMBER[target]
    unit = position.unit_on(start)
    if not unit:
        return hindrances.empty(origin)
    if unit >> 22 != position.blue_to_move:
        owner = _SIDES[unit >> 22].lower()
        return hindrances.other(f"{owner} {_name(unit)}", origin, _SIDES[position.blue_to_move])
    wanted = read_unit(piece) & TYPES & unit if piece else 0
    session = position.session
    if session is not None and start != session.origin_square:
        where = SQUARES[session.origin_square]
        message = f"the stack on {where} is deploying: its turn has to end or to be cancelled first"
        return Hindrance("move.session", message, (where,))
    movers = [wanted] if wanted else _movers(position, unit)
    return hindrances.nearest(_why(position, start, end, types, rules) for types in movers)


def _movers(position: Position, unit: int) -> list[int]:
    """The sets of types that may go together from a square: each member alone, and all."""
    alone = [piece & TYPES for piece in members(unit)]
    if position.session is not None:
        left = remaining_types(position.session)
        return [types for types in alone if types & left] or alone
    return [unit & TYPES, *alone] if len(alone) > 1 else alone


def _why(position: Position, start: int, end: int, types: int, rules: Rules) -> Hindrance | None:
    """Why some members of a unit do not get to a square; None where they do."""
    if any(_is(number, start, end, types) for number in moves_of(position, rules)):
        return None
    session = position.session
    if session is not None and not types & remaining_types(session):
        return Hindrance("move.session", f"the {_named(types)} has moved already in this turn")
    ways = _ways(position, start, end, types)
    if ways:
        dangers = (_danger(stepped(position, number, rules.last_guard), types, start) for number in ways)
        return hindrances.nearest(dangers) or Hindrance("move.illegal", "the turn could not be completed")
    return _unreached(position, start, end, types)


def _is(number: int, start: int, end: int, types: int) -> bool:
    return number & 255 == start and number >> 8 & 255 == end and number >> 16 & TYPES == types


def _ways(position: Position, start: int, end: int, types: int) -> list[int]:
    """The moves that lead there, danger to the mover's commander aside."""
    unit = position.unit_on(start)
    if types == unit & TYPES and position.session is None:
        found = pseudo_moves(position)
    else:
        found = step_moves(position, start, types)
    return [number for number in found if _is(number, start, end, types)]


def _unreached(position: Position, start: int, end: int, types: int) -> Hindrance:
    """What keeps a piece from a square: it is taken off the board, and the moves are asked for again."""
    path = _path(start, end)
    origin, target, name = SQUARES[start], SQUARES[end], _named(types)
    bare = _without(position, (square for square in range(len(SQUARES)) if square not in (start, end)))
    there = position.unit_on(end)
    reached = _ways(bare, start, end, types) or _ways(with_unit(bare, end, 0), start, end, types)
    if path is None or not reached:
        return _out_of_reach(bare, start, end, path, types)
    joins = there and there >> 22 == position.blue_to_move
    open_target = with_unit(position, end, 0) if joins else position
    if joins and _ways(open_target, start, end, types):
        mover = position.unit_on(start) & (types | types << HEROIC_SHIFT | BLUE_BIT)
        cannot = "cannot stand there together" if combine(mover, there) else "cannot stand in one stack"
        return Hindrance("move.stack", f"the {name} and the {_name(there)} on {target} {cannot}", (target,))
    zones = air_zones(position, 0 if position.blue_to_move else BLUE_BIT)
    defenders = tuple(dict.fromkeys(square for one in (*path, end) for square in zones.get(one, ())))
    undefended = _without(open_target, (square for square in defenders if square != end))
    if carrier_of(types) == LETTERS.index("F") and _ways(undefended, start, end, types):
        return _air_defence(position, origin, target, defenders)
    between = [square for square in path if position.unit_on(square)]
    cleared = _without(open_target, between)
    if between and _ways(cleared, start, end, types):
        by = between[0]
        return hindrances.blocked(name, origin, _name(position.unit_on(by)), SQUARES[by])
    other = commander_of(position, 1 - position.blue_to_move)
    if other >= 0 and _ways(_without(cleared, [other]), start, end, types):
        message = f"the commander would face the enemy's on {SQUARES[other]} with nothing between"
        return Hindrance("move.exposed", message, (SQUARES[other],))
    return hindrances.no_way(name, origin, target)


def _air_defence(position: Position, origin: str, target: str, defenders: tuple[int, ...]) -> Hindrance:
    who = " and the ".join(f"{_name(position.unit_on(square))} on {SQUARES[square]}" for square in defenders)
    message = f"the air defence of the {who} stops the air force from {origin} on its way to {target}"
    return Hindrance("move.air_defence", message, tuple(SQUARES[square] for square in defenders))


def _out_of_reach(bare: Position, start: int, end: int, path: list[int] | None, types: int) -> Hindrance:
    """A square that a piece does not reach on an empty board either."""
    origin, target, name = SQUARES[start], SQUARES[end], _named(types)
    bare = with_unit(bare, end, 0)
    reach = {number >> 8 & 255 for number in step_moves(bare, start, types)}
    if not reach and carrier_of(types) == LETTERS.index("H"):
        return Hindrance("move.way", "a headquarter moves only when it is heroic")
    if path is None:
        return hindrances.no_way(name, origin, target)
    wrong = next((square for square in (*path, end) if not _carries(types, square)), None)
    if wrong is not None:
        ground = "water" if carrier_of(types) == LETTERS.index("N") else "land"
        message = f"the {name} on {origin} needs {ground}, and {SQUARES[wrong]} is none"
        return Hindrance("move.terrain", message, (SQUARES[wrong],))
    if _crosses(start, end) and LETTERS[carrier_of(types)] in "AGS":
        message = f"the {name} on {origin} crosses the river only on the bridges of files f and h"
        return Hindrance("move.terrain", message)
    ahead = (path or [end])[0]
    if ahead not in reach:
        return hindrances.no_way(name, origin, target)
    return Hindrance("move.far", f"{target} is too far away for the {name} on {origin}")


def _carries(types: int, square: int) -> bool:
    """Whether the ground of a square carries a piece; an air force flies over everything."""
    kind = LETTERS[carrier_of(types)]
    if kind == "N":
        return WATER_OK[square]
    return kind == "F" or LAND_OK[square]


def _crosses(start: int, end: int) -> bool:
    return (start < len(SQUARES) // 2) != (end < len(SQUARES) // 2)


def _path(start: int, end: int) -> list[int] | None:
    """The squares between two on a line; None where no line leads from one to the other."""
    across, up = end % _WIDTH - start % _WIDTH, end // _WIDTH - start // _WIDTH
    far = max(abs(across), abs(up))
    if far == 0 or (across and up and abs(across) != abs(up)):
        return None
    step = across // far + up // far * _WIDTH
    return [start + step * number for number in range(1, far)]


def _without(position: Position, squares: Iterable[int]) -> Position:
    position = with_session(position, None)
    for square in squares:
        if position.unit_on(square):
            position = with_unit(position, square, 0)
    return position


# --- the mover's commander --------------------------------------------------------------------------


def _danger(after: Position, types: int, start: int) -> Hindrance | None:
    """What becomes of the mover's commander after a move; None where it is safe."""
    own = after.blue_to_move
    square = commander_of(after, own)
    if square < 0 or not commander_in_danger(after, own):
        return None
    return _in_danger(after, square, _named(types), SQUARES[start])


def _in_danger(after: Position, square: int, name: str, origin: str) -> Hindrance:
    own = after.blue_to_move
    if not commander_attacked(after, own):
        other = SQUARES[commander_of(after, 1 - own)]
        message = (
            f"the commanders on {SQUARES[square]} and {other} would face each other with nothing between"
        )
        return Hindrance("move.exposed", message, (SQUARES[square], other))
    enemy = 0 if own else BLUE_BIT
    found = [(NAMES[one.type.upper()], one.square) for one in attackers(after, square, enemy)]
    king = (_COMMANDER, SQUARES[square])
    return hindrances.attacked(name, origin, king, found, before=False)


def why_open(position: Position) -> Hindrance:
    """Why an open deploy turn cannot end here."""
    session = position.session
    if session is None:
        return Hindrance("move.unfinished", "no deploy turn is open")
    where = SQUARES[session.origin_square]
    left = position.unit_on(session.origin_square)
    own = position.blue_to_move
    if not session.steps and not session.moved_types:
        return Hindrance("move.unfinished", f"nothing of the stack on {where} has moved yet", (where,))
    if left and left >> 22 == own and not may_stand(left, session.origin_square):
        ground = "water" if carrier_of(left) == LETTERS.index("N") else "land"
        message = f"the {_name(left)} left on {where} cannot stay there, it needs {ground}"
        return Hindrance("move.unfinished", message, (where,))
    danger = _in_danger(position, commander_of(position, own), "turn", where)
    attackers_named = " and ".join(danger.squares)
    message = f"the commander would be in danger at the end of the turn, from {attackers_named}"
    return Hindrance("move.unfinished", message, danger.squares)


# --- what covers a board ----------------------------------------------------------------------------


def overlays(position: Position) -> tuple[Overlay, ...]:
    """The squares that the air defence of either side covers."""
    return tuple(
        Overlay(
            f"{side}'s air defence",
            side.lower(),
            tuple(SQUARES[square] for square in air_zones(position, BLUE_BIT * blue)),
        )
        for blue, side in enumerate(_SIDES)
    )


def reach(position: Position, square: str) -> tuple[str, ...]:
    """Where the pieces of a square could go or capture, whoever is to move; danger to its commander aside."""
    number = SQUARE_NUMBER.get(square)
    unit = 0 if number is None else position.unit_on(number)
    if not unit:
        return ()
    bare = with_session(position, None)
    if unit >> 22 != position.blue_to_move:
        bare = turned(bare, reset=False)
    found = {move >> 8 & 255 for move in pseudo_moves(bare) if move & 255 == number}
    return tuple(SQUARES[target] for target in sorted(found))


def _name(unit: int) -> str:
    return _named(unit & TYPES)


def _named(types: int) -> str:
    """The carrier's name and what it carries, such as ``navy with air force and tank``."""
    first, *carried = _letters(types)
    passengers = " and ".join(NAMES[letter] for letter in carried)
    return f"{NAMES[first]} with {passengers}" if carried else NAMES[first]


def _letters(types: int) -> Iterator[str]:
    return (LETTERS[carrier_of(piece)] for piece in members(types))
