"""Explain why a CoTuLenh move is not possible: air defence, exposure, terrain or a piece in the way.

Accepts
    Move texts that `read_move` accepts, and pairs of squares with an optional text of the moving pieces, such
    as ``T`` or ``(NFT)``. Without that text every member of a stack is tried, and the one that comes nearest
    to a legal move is explained.
Writes
    One hindrance. The rules are not implemented a second time: each possible reason is removed from the
    board, and the moves are generated again.
Limits
    Of several reasons only the first in this order is given: range and terrain, air defence, a piece in the
    way, the enemy commander, the safety of the mover's commander.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from forsyth import move_errors
from forsyth.game_values import Overlay
from forsyth.games.cotulenh.board import FILE_COUNT, LAND_OK, SQUARE_NUMBER, SQUARES, WATER_OK
from forsyth.games.cotulenh.notation.san import SanError, read_move, read_shape
from forsyth.games.cotulenh.position import Position, with_session, with_unit
from forsyth.games.cotulenh.rules.attackers import find_attacking_pieces, map_air_defence
from forsyth.games.cotulenh.rules.attacks import SQUARE_MASK, TYPES_SHIFT
from forsyth.games.cotulenh.rules.deploy import get_remaining_types, list_legal_moves, may_unit_stand
from forsyth.games.cotulenh.rules.generate import FLAGS_SHIFT, TARGET_SHIFT
from forsyth.games.cotulenh.rules.moves import (
    Rules,
    apply_step,
    end_turn,
    find_commander_square,
    is_commander_attacked,
    is_commander_in_danger,
    list_member_steps,
    list_pseudo_legal_moves,
)
from forsyth.games.cotulenh.rules.packed_moves import get_target
from forsyth.games.cotulenh.stacks import (
    AIR_FORCE,
    ANTI_AIR,
    ARTILLERY,
    BLUE_BIT,
    COLOUR_SHIFT,
    HEADQUARTER,
    MISSILE,
    NAMES,
    NAVY,
    TYPES,
    combine_units,
    get_carrier_type,
    get_piece_letter,
    read_unit,
    select_members,
    split_unit,
)
from forsyth.move_errors import Hindrance

_SIDES: Final = ("Red", "Blue")
_COMMANDER: Final = "commander"
_HEAVY_TYPES: Final = (ARTILLERY, ANTI_AIR, MISSILE)
"""The piece types that cross the river only on its bridges."""
_WITHOUT_FLAGS: Final = (1 << FLAGS_SHIFT) - 1
"""The bits of a packed move below its flags: its origin, its target and its piece types."""
_ANY: Final = -1
"""The file or rank of an origin in a move text that does not contain it."""


def explain_illegal_move(position: Position, text: str, rules: Rules) -> Hindrance | None:
    """Return the reason why a text is not a legal move, or None if it is legal.

    The text may be a move or deploy step such as ``Tc6``, a whole deploy turn, ``commit`` or ``cancel``.
    """
    try:
        read_move(position, text, rules)
    except SanError as error:
        return _explain_refusal(position, text, error, rules)
    return None


def _explain_refusal(position: Position, text: str, error: SanError, rules: Rules) -> Hindrance:
    """Return the reason why `read_move` has rejected a text with the error `error`.

    The text may fit several pieces or stacks. The reason of the one that comes nearest to a legal move is
    returned, or the message of the error if none fits.
    """
    action = text.strip()
    if action == "commit" and position.session:
        return explain_open_turn(position)
    if error.kind != "illegal" or action in ("commit", "cancel"):
        return move_errors.hindrance_of_error(error)

    # What the text says about its first step: its pieces, its target and perhaps a part of its origin.
    written_step = read_shape(text).steps[0]
    types = written_step.unit & TYPES
    origins = [
        square
        for square, unit in enumerate(position.board())
        if _is_own_unit_with(unit, types, position.blue_to_move)
        and written_step.file in (_ANY, square % FILE_COUNT)
        and written_step.rank in (_ANY, square // FILE_COUNT)
    ]
    if not types or not origins:
        return move_errors.hindrance_of_error(error)
    hindrance = move_errors.closest_to_legal(
        _explain_members(position, square, written_step.target, types, rules) for square in origins
    )
    return hindrance or move_errors.hindrance_of_error(error)


def _is_own_unit_with(unit: int, types: int, blue_to_move: int) -> bool:
    """Return whether a unit belongs to the side to move and contains all of some piece types.

    Args:
        unit: A piece or stack as one number, 0 for an empty square.
        types: The set of the piece types, one bit for each.
        blue_to_move: 1 if Blue is to move, else 0.
    """
    return unit != 0 and unit & types == types and unit >> COLOUR_SHIFT == blue_to_move


def explain_move_between(
    position: Position, origin: str, target: str, piece: str, rules: Rules
) -> Hindrance | None:
    """Return the reason why no piece can go from one square to another, or None if one can.

    Args:
        position: The position.
        origin: The name of the square where the move begins.
        target: The name of the square to reach.
        piece: The letters of the moving pieces, such as ``T`` or ``(NF)``. An empty text means any of them.
        rules: The rule options.
    """
    for name in (origin, target):
        if name not in SQUARE_NUMBER:
            return move_errors.no_such_place(name)
    start = SQUARE_NUMBER[origin]
    end = SQUARE_NUMBER[target]
    unit = position.unit_on(start)
    if not unit:
        return move_errors.empty_square(origin)
    owner = _SIDES[unit >> COLOUR_SHIFT]
    mover = _SIDES[position.blue_to_move]
    if owner != mover:
        return move_errors.not_movers_piece(f"{owner.lower()} {_name_unit(unit)}", origin, mover)
    session = position.session
    if session is not None and start != session.origin_square:
        message = f"the stack on {session.origin} is deploying; commit or cancel its turn first"
        return Hindrance("move.session", message, (session.origin,))

    named_types = read_unit(piece) & TYPES & unit if piece else 0
    candidates = [named_types] if named_types else _list_movers(position, unit)
    return move_errors.closest_to_legal(
        _explain_members(position, start, end, types, rules) for types in candidates
    )


def _list_movers(position: Position, unit: int) -> list[int]:
    """Return the groups of pieces that may leave a square, each as a set of piece types.

    These are all members of the unit together, and each member alone. While a deploy session is open, they
    are the members that have not moved yet, each alone, or all single members if every one has moved.
    """
    single_types = [piece & TYPES for piece in split_unit(unit)]
    if position.session is not None:
        remaining = get_remaining_types(position.session)
        movable_types = [types for types in single_types if types & remaining]
        return movable_types or single_types
    if len(single_types) == 1:
        return single_types
    return [unit & TYPES, *single_types]


def _explain_members(position: Position, start: int, end: int, types: int, rules: Rules) -> Hindrance | None:
    """Return the reason why some pieces on a square cannot go to another, or None if they can.

    Args:
        position: The position.
        start: The number of the square on which the pieces stand.
        end: The number of the square to reach.
        types: The set of the piece types that move together.
        rules: The rule options.
    """
    legal_moves = list_legal_moves(position, rules)
    if any(_is_move_between(packed_move, start, end, types) for packed_move in legal_moves):
        return None
    session = position.session
    if session is not None and not types & get_remaining_types(session):
        return Hindrance("move.session", f"the {_name_types(types)} has already moved in this turn")
    moves = _find_moves(position, start, end, types)
    if not moves:
        return _explain_unreached(position, start, end, types)
    # These moves obey the rules of movement, so they are illegal because of the mover's commander.
    positions_after = (apply_step(position, move, rules.last_guard) for move in moves)
    danger = move_errors.closest_to_legal(_explain_danger(after, types, start) for after in positions_after)
    return danger or Hindrance("move.illegal", "the turn could not be completed")


def _is_move_between(packed_move: int, start: int, end: int, types: int) -> bool:
    """Return whether a packed move takes exactly some piece types from one square to another.

    Args:
        packed_move: The move as one number. Its flags, such as CAPTURE, are ignored.
        start: The number of the square where the move must begin.
        end: The number of the square where it must end.
        types: The set of the piece types that must move.
    """
    number_without_flags = packed_move & _WITHOUT_FLAGS
    return number_without_flags == start | end << TARGET_SHIFT | types << TYPES_SHIFT


def _find_moves(position: Position, start: int, end: int, types: int) -> list[int]:
    """Return the packed moves of some pieces from the square `start` to the square `end`.

    The moves may leave the mover's commander in danger. `types` is the set of their piece types: a whole unit
    or some of its members.
    """
    unit = position.unit_on(start)
    is_whole_unit = types == unit & TYPES
    if is_whole_unit and position.session is None:
        moves = list_pseudo_legal_moves(position)
    else:
        moves = list_member_steps(position, start, types)
    return [packed_move for packed_move in moves if _is_move_between(packed_move, start, end, types)]


def _explain_unreached(position: Position, start: int, end: int, types: int) -> Hindrance:
    """Return the reason why some pieces on the square `start` do not reach the square `end`.

    The possible reasons are removed from the board one after the other: an own unit on the target, air
    defence, pieces in the way, the enemy commander. If the move exists without one of them, that is the
    reason. `types` is the set of the types of the pieces.
    """
    path = _list_squares_between(start, end)
    other_squares = [square for square in range(len(SQUARES)) if square not in (start, end)]
    # The move may be possible only as a capture, or only to an empty square.
    bare_board = _remove_units(position, other_squares)
    empty_board = with_unit(bare_board, end, 0)
    is_reachable = any(_find_moves(board, start, end, types) for board in (bare_board, empty_board))
    if path is None or not is_reachable:
        return _explain_out_of_reach(bare_board, start, end, path, types)

    # Would the move be possible if no own unit stood on the target?
    target_unit = position.unit_on(end)
    if target_unit and target_unit >> COLOUR_SHIFT == position.blue_to_move:
        mover = select_members(position.unit_on(start), types)
        position = with_unit(position, end, 0)
        if _find_moves(position, start, end, types):
            return _explain_join(mover, target_unit, target=SQUARES[end])
    return _explain_obstacle(position, start, end, path, types)


def _explain_obstacle(position: Position, start: int, end: int, path: list[int], types: int) -> Hindrance:
    """Return the reason why some pieces on `start` do not reach `end`, which is in their range.

    Air defence, pieces in the way and the enemy commander are removed from the board, one after the other. If
    the move exists without one of them, that is the reason.

    Args:
        position: The position, without an own unit on `end`.
        start: The number of the square on which the pieces stand.
        end: The number of the square to reach.
        path: The squares between the two.
        types: The set of the piece types that move together.
    """
    origin, target, name = SQUARES[start], SQUARES[end], _name_types(types)
    # Would the move be possible without the defenders of the squares on the way?
    if get_carrier_type(types) == AIR_FORCE:
        defenders = _find_defenders(position, (*path, end))
        undefended = _remove_units(position, (square for square in defenders if square != end))
        if _find_moves(undefended, start, end, types):
            return _explain_air_defence(position, origin, target, defenders)

    # Would it be possible without the pieces on the way?
    blockers = [square for square in path if position.unit_on(square)]
    cleared = _remove_units(position, blockers)
    if blockers and _find_moves(cleared, start, end, types):
        blocker = blockers[0]
        return move_errors.path_blocked(name, origin, _name_unit(position.unit_on(blocker)), SQUARES[blocker])

    # Would it be possible without the enemy commander?
    enemy_commander = find_commander_square(position, 1 - position.blue_to_move)
    if enemy_commander >= 0 and _find_moves(_remove_units(cleared, [enemy_commander]), start, end, types):
        enemy_square = SQUARES[enemy_commander]
        message = f"the commander would face the enemy commander on {enemy_square} with no piece between"
        return Hindrance("move.exposed", message, (enemy_square,))
    return move_errors.cannot_move_like_that(name, origin, target)


def _find_defenders(position: Position, squares: Iterable[int]) -> tuple[int, ...]:
    """Return the squares of the enemy units whose air defence covers one of `squares`.

    All squares are numbers, and each is returned only once. The enemy is the side that is not to move.
    """
    enemy_colour = 0 if position.blue_to_move else BLUE_BIT
    defenders_by_square = map_air_defence(position, enemy_colour)
    defenders: list[int] = []
    for square in squares:
        defenders += defenders_by_square.get(square, ())
    # A dictionary keeps the order and drops repeated squares.
    return tuple(dict.fromkeys(defenders))


def _explain_join(mover: int, target_unit: int, target: str) -> Hindrance:
    """Return the hindrance that pieces cannot join their own side's unit on the square `target`.

    The two do not make a legal stack, or the stack may not stand on that terrain. `mover` and `target_unit`
    are units, each a piece or stack as one number. `target` is a name such as ``c5``.
    """
    is_legal_stack = combine_units(mover, target_unit) != 0
    obstacle = "cannot stand there together" if is_legal_stack else "cannot stand in one stack"
    message = f"the {_name_unit(mover)} and the {_name_unit(target_unit)} on {target} {obstacle}"
    return Hindrance("move.stack", message, (target,))


def _explain_air_defence(
    position: Position, origin: str, target: str, defenders: tuple[int, ...]
) -> Hindrance:
    """Return the hindrance for an air force that air defence stops on its way to `target`.

    `origin` and `target` are names of squares. `defenders` are the numbers of the squares of the air defence.
    """
    names = " and the ".join(
        f"{_name_unit(position.unit_on(square))} on {SQUARES[square]}" for square in defenders
    )
    message = f"the air defence of the {names} stops the air force from {origin} on its way to {target}"
    return Hindrance("move.air_defence", message, tuple(SQUARES[square] for square in defenders))


def _explain_out_of_reach(
    bare_board: Position, start: int, end: int, path: list[int] | None, types: int
) -> Hindrance:
    """Return the reason why pieces do not reach a square even if nothing is in the way.

    The reasons are an immobile headquarter, terrain, the river, the direction or the distance.

    Args:
        bare_board: The position without all units except those on `start` and `end`.
        start: The number of the square where the move begins.
        end: The number of the square to reach.
        path: The squares between the two. None if they are not on one file, rank or diagonal.
        types: The set of the piece types that move.
    """
    origin, target, name = SQUARES[start], SQUARES[end], _name_types(types)
    empty_board = with_unit(bare_board, end, 0)
    targets = {get_target(move) for move in list_member_steps(empty_board, start, types)}
    carrier = get_carrier_type(types)
    if not targets and carrier == HEADQUARTER:
        return Hindrance("move.way", "a headquarter moves only when it is heroic")
    if path is None:
        return move_errors.cannot_move_like_that(name, origin, target)

    impassable_squares = [square for square in (*path, end) if not _can_pass(types, square)]
    if impassable_squares:
        ground = "water" if carrier == NAVY else "land"
        first_name = SQUARES[impassable_squares[0]]
        message = f"the {name} on {origin} needs {ground}, but {first_name} is not {ground}"
        return Hindrance("move.terrain", message, (first_name,))
    if _crosses_river(start, end) and carrier in _HEAVY_TYPES:
        message = f"the {name} on {origin} can cross the river only on the bridges of the files f and h"
        return Hindrance("move.terrain", message)
    neighbour = path[0] if path else end
    if neighbour not in targets:
        return move_errors.cannot_move_like_that(name, origin, target)
    return Hindrance("move.far", f"{target} is too far away for the {name} on {origin}")


def _can_pass(types: int, square: int) -> bool:
    """Return whether pieces of the types `types`, moving together, can pass over a square.

    The type that carries the others decides: a navy needs water, an air force can fly over every square, all
    others need land.
    """
    carrier_type = get_carrier_type(types)
    if carrier_type == NAVY:
        return WATER_OK[square]
    return carrier_type == AIR_FORCE or LAND_OK[square]


def _crosses_river(start: int, end: int) -> bool:
    """Return whether two squares are on different sides of the river, between ranks 6 and 7."""
    first_square_beyond = len(SQUARES) // 2
    return (start < first_square_beyond) != (end < first_square_beyond)


def _list_squares_between(start: int, end: int) -> list[int] | None:
    """Return the numbers of the squares between two squares on one file, rank or diagonal.

    The list is empty for neighbours. Return None if the squares are equal or not on one line.
    """
    file_distance = end % FILE_COUNT - start % FILE_COUNT
    rank_distance = end // FILE_COUNT - start // FILE_COUNT
    distance = max(abs(file_distance), abs(rank_distance))
    is_orthogonal = file_distance == 0 or rank_distance == 0
    is_diagonal = abs(file_distance) == abs(rank_distance)
    if distance == 0 or not (is_orthogonal or is_diagonal):
        return None
    # On such a line each step changes the file and the rank by −1, 0 or 1.
    file_step, rank_step = file_distance // distance, rank_distance // distance
    step = file_step + rank_step * FILE_COUNT
    return [start + step * steps_taken for steps_taken in range(1, distance)]


def _remove_units(position: Position, squares: Iterable[int]) -> Position:
    """Return the position without the units on `squares`, and without its deploy session."""
    cleared_position = with_session(position, None)
    for square in squares:
        if cleared_position.unit_on(square):
            cleared_position = with_unit(cleared_position, square, 0)
    return cleared_position


# --- the mover's commander --------------------------------------------------------------------------


def _explain_danger(after: Position, types: int, start: int) -> Hindrance | None:
    """Return the hindrance that a move leaves the mover's commander in danger, or None.

    Args:
        after: The position after the move, with the side that moved still to move.
        types: The set of the piece types that moved, for the message.
        start: The number of the square the move began on, for the message.
    """
    mover = after.blue_to_move
    square = find_commander_square(after, mover)
    if square < 0 or not is_commander_in_danger(after, mover):
        return None
    return _describe_danger(after, square, _name_types(types), SQUARES[start])


def _describe_danger(after: Position, square: int, name: str, origin: str) -> Hindrance:
    """Return the hindrance for a commander that is attacked or exposed after a move.

    Args:
        after: The position after the move, with the side that moved still to move.
        square: The square of the commander.
        name: The name of the moved piece.
        origin: The name of the square the move began on.
    """
    mover = after.blue_to_move
    if not is_commander_attacked(after, mover):
        other_square = SQUARES[find_commander_square(after, 1 - mover)]
        squares = f"{SQUARES[square]} and {other_square}"
        message = f"the commanders on {squares} would face each other with no piece between"
        return Hindrance("move.exposed", message, (SQUARES[square], other_square))
    enemy_colour = 0 if mover else BLUE_BIT
    named_attackers = [
        (NAMES[attacker.type.upper()], attacker.square)
        for attacker in find_attacking_pieces(after, square, enemy_colour)
    ]
    commander = (_COMMANDER, SQUARES[square])
    return move_errors.king_attacked(name, origin, commander, named_attackers, before=False)


def explain_open_turn(position: Position) -> Hindrance:
    """Return the reason why the open deploy turn of a position cannot end now.

    No piece has moved yet, a piece left on the origin may not stand there, or the commander is in danger. The
    caller has tested that the turn cannot end.
    """
    session = position.session
    if session is None:
        return Hindrance("move.unfinished", "no deploy turn is open")
    origin = session.origin
    if not session.steps and not session.moved_types:
        return Hindrance("move.unfinished", f"no piece of the stack on {origin} has moved yet", (origin,))

    mover = position.blue_to_move
    staying_unit = position.unit_on(session.origin_square)
    is_own_unit = staying_unit != 0 and staying_unit >> COLOUR_SHIFT == mover
    if is_own_unit and not may_unit_stand(staying_unit, session.origin_square):
        ground = "water" if get_carrier_type(staying_unit) == NAVY else "land"
        message = (
            f"the {_name_unit(staying_unit)} left on {origin} cannot stay there because it needs {ground}"
        )
        return Hindrance("move.unfinished", message, (origin,))

    commander = find_commander_square(position, mover)
    danger = _describe_danger(position, commander, name="turn", origin=origin)
    attackers_named = " and ".join(danger.squares)
    message = f"the commander would be in danger from {attackers_named} at the end of the turn"
    return Hindrance("move.unfinished", message, danger.squares)


# --- areas of the board -----------------------------------------------------------------------------


def make_air_defence_overlays(position: Position) -> tuple[Overlay, ...]:
    """Return the squares that the air defence of each side covers, Red first.

    An overlay is a named set of squares that a drawing can highlight.
    """
    side_overlays = []
    for side, colour in zip(_SIDES, (0, BLUE_BIT), strict=True):
        covered_squares = tuple(SQUARES[square] for square in map_air_defence(position, colour))
        side_overlays.append(Overlay(f"{side}'s air defence", side.lower(), covered_squares))
    return tuple(side_overlays)


def list_reachable_squares(position: Position, square: str) -> tuple[str, ...]:
    """Return the squares that the pieces on a square could reach if their side were to move.

    Captures are included, and danger to their commander is ignored. `square` is a name such as ``c5``. The
    result is sorted from a1 to k12. It is empty if no unit stands on the square or the square does not exist.
    """
    origin = SQUARE_NUMBER.get(square)
    unit = 0 if origin is None else position.unit_on(origin)
    if not unit:
        return ()
    without_session = with_session(position, None)
    if unit >> COLOUR_SHIFT != position.blue_to_move:
        # The other side is to move after the end of the turn.
        without_session = end_turn(without_session, reset_clock=False)
    moves = list_pseudo_legal_moves(without_session)
    targets = {get_target(move) for move in moves if move & SQUARE_MASK == origin}
    return tuple(SQUARES[target] for target in sorted(targets))


def _name_unit(unit: int) -> str:
    """Return the name of a piece or stack in words, such as ``navy with air force and tank``.

    `unit` is the piece or stack as one number.
    """
    return _name_types(unit & TYPES)


def _name_types(types: int) -> str:
    """Return a set of piece types in words, such as ``navy with air force and tank``.

    The type that carries the others comes first.
    """
    carrier_letter, *passenger_letters = _list_member_letters(types)
    carrier_name = NAMES[carrier_letter]
    passengers = " and ".join(NAMES[letter] for letter in passenger_letters)
    return f"{carrier_name} with {passengers}" if passengers else carrier_name


def _list_member_letters(types: int) -> Iterator[str]:
    """Yield the letter of each piece type in a set: N, F, T for the stack ``(NFT)``.

    The type that carries the others comes first.
    """
    return (get_piece_letter(piece) for piece in split_unit(types))
