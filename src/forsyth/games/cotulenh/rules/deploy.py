# cython: annotation_typing=False
"""Deploy sessions of CoTuLenh: the members of a stack leave it one by one in one turn (spec/cotulenh 11).

An open session is part of the position. Its steps are applied at once. The turn ends with the commit, which
happens automatically when no member remains or none can move. A later member may travel together with one
that has already been sent (recombine): the steps are then replayed from the start of the session. Steps and
moves are packed numbers, see `generate`.
"""

from __future__ import annotations

from dataclasses import replace

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.cotulenh.board import LAND_OK, WATER_OK
from forsyth.games.cotulenh.position import Position, Session, Step, with_session, with_unit
from forsyth.games.cotulenh.rules.moves import (
    Rules,
    apply_step,
    end_turn,
    find_commander_square,
    is_commander_in_danger,
    list_first_deploy_steps,
    list_member_steps,
    list_packed_turn_moves,
    play_move,
)
from forsyth.games.cotulenh.stacks import LETTERS, combine_units, get_carrier_type, get_heroic_types

if not cython.compiled:
    from forsyth.games.cotulenh.board import u64
    from forsyth.games.cotulenh.rules.attacks import COMMANDER_BIT, TYPES_SHIFT
    from forsyth.games.cotulenh.rules.generate import (
        CAPTURE,
        COMBINE,
        DEPLOY,
        FLAGS_SHIFT,
        STAY,
        SUICIDE,
        TARGET_SHIFT,
        select_types,
    )
    from forsyth.games.cotulenh.rules.packed_moves import get_flags, get_moving_types, get_origin, get_target
    from forsyth.games.cotulenh.stacks import BLUE_BIT, HEROIC_SHIFT, NAVY, TYPES

    PLACE_MASK = (1 << 27) - 1
    """The bits of a packed step below FLAGS_SHIFT: its origin, target and types."""


def may_unit_stand(unit: int, square: int) -> bool:
    """Return whether a unit may stand on the square number `square`.

    A unit is a piece or stack as one number. The piece that carries the others decides: a navy needs water,
    every other piece needs land.
    """
    return WATER_OK[square] if get_carrier_type(unit) == NAVY else LAND_OK[square]


def get_remaining_types(session: Session) -> int:
    """Return the types of the pieces that have not moved yet in a deploy session.

    In a deploy session the pieces of a stack leave it one by one. The result is a set with one bit for each
    type.
    """
    return session.original & TYPES & ~session.moved_types


def get_remaining_unit(position: Position, session: Session) -> int:
    """Return the pieces that have not moved yet in a deploy session, or 0 if there are none.

    They are one unit, a piece or stack as one number. The heroic marks are those on the board of `position`,
    not those at the start of the session.
    """
    origin_unit = position.unit_on(session.origin_square)
    types = get_remaining_types(session) & origin_unit
    return select_types(origin_unit, types) if types else 0


def list_legal_moves(position: Position, rules: Rules) -> list[int]:
    """Return all legal moves of a position as packed moves, each one number.

    While a deploy session is open, these are the steps that continue it. The commit is not among them.
    """
    if position.session is None:
        return list_packed_turn_moves(position, rules.last_guard)
    return list_session_steps(position, position.session, rules)


def list_legal_deploy_steps(position: Position, origin: int, rules: Rules) -> list[int]:
    """Return the legal deploy steps from the square number `origin` as packed moves.

    A deploy step is the move of one piece that leaves its stack. While a deploy session is open, the list is
    empty for any other square than the origin of the session.
    """
    if position.session is None:
        return list_first_deploy_steps(position, origin, rules.last_guard)
    if origin != position.session.origin_square:
        return []
    return list_session_steps(position, position.session, rules)


def list_session_steps(position: Position, session: Session, rules: Rules) -> list[int]:
    """Return the packed steps that continue an open deploy session.

    A piece that has not moved yet can go to a square alone, or join a piece that was sent there before.
    """
    steps_alone = list_ordinary_steps(position, session)
    joining_steps = _list_joining_steps(position, session, rules)
    # Joining a piece replaces the ordinary step of the same member to the same square.
    replaced_steps = {_clear_flags(step) for step in joining_steps}
    return [step for step in steps_alone if _clear_flags(step) not in replaced_steps] + joining_steps


def list_ordinary_steps(position: Position, session: Session) -> list[int]:
    """Return the packed steps that a piece of an open deploy session can take on its own.

    Only pieces that have not moved yet have such steps. Steps that join a piece sent before are not included.
    """
    types = get_remaining_unit(position, session) & TYPES
    return list_member_steps(position, session.origin_square, types)


def _list_joining_steps(position: Position, session: Session, rules: Rules) -> list[int]:
    """Return the packed steps by which an unmoved piece joins a piece that was sent before."""
    remaining = get_remaining_unit(position, session)
    # Each target once, in the order of the steps.
    targets = dict.fromkeys(step.target for step in session.steps)
    joining_steps = []
    for piece_type in range(len(LETTERS)):
        type_bit = 1 << piece_type
        if not remaining & type_bit:
            continue
        piece = select_types(remaining, type_bit)
        for target in targets:
            if recombine_pieces(position, session, piece, target, rules) is not None:
                joining_steps.append(_pack_step(session.origin_square, target, type_bit, DEPLOY | COMBINE))
    return joining_steps


def _pack_step(origin: u64, target: u64, types: u64, flags: u64) -> u64:
    """Return a deploy step as one number, with the layout of a packed move.

    Args:
        origin: The number of the square from which the stack deploys.
        target: The number of the square to which the pieces move.
        types: The set of the piece types that move, one bit for each.
        flags: Bits such as ``DEPLOY | COMBINE``.
    """
    return origin | target << TARGET_SHIFT | types << TYPES_SHIFT | flags << FLAGS_SHIFT


def _clear_flags(step: u64) -> u64:
    """Return a packed step without its flags.

    The results are equal for steps of the same pieces between the same squares.
    """
    return step & PLACE_MASK


def recombine_pieces(
    position: Position, session: Session, piece: int, target: int, rules: Rules
) -> Position | None:
    """Return the position as if a piece had travelled together with one sent earlier.

    The steps of the session are replayed with both pieces in one step. None means that the rules do not allow
    this. If the start of the session is not known, every start that was found must allow it.

    Args:
        position: The position with the session open.
        session: The open deploy session of the position.
        piece: The piece that has not moved yet and joins, as a unit.
        target: The number of the square to which the other piece was sent.
        rules: The rule options.
    """
    step_index = _find_step_to(session, target)
    if step_index is None or not session.has_known_steps:
        return None
    if session.start is not None:
        return _replay_joined(session.start, session, piece, step_index, rules)

    # Imported here, because `session_starts` imports this module.
    from forsyth.games.cotulenh.rules.session_starts import find_starts

    after: Position | None = None
    for start in reversed(find_starts(position, rules)):
        after = _replay_joined(start, session, piece, step_index, rules)
        if after is None:
            return None
    if after is None or after.session is None:
        return None
    session_after = replace(after.session, original=session.original, start=None)
    return with_session(after, session_after)


def _replay_joined(
    start: Position, session: Session, piece: int, step_index: int, rules: Rules
) -> Position | None:
    """Return the position after the steps of a session, with one more piece in one of them.

    None means that the rules do not allow this.

    Args:
        start: The position before the session.
        session: The session.
        piece: The piece that joins, as a unit. It enters with the heroic mark that it has in `start`.
        step_index: The index in ``session.steps`` of the step that the piece joins.
        rules: The rule options.
    """
    joining_piece = select_types(start.unit_on(session.origin_square), piece & TYPES)
    earlier_step = session.steps[step_index]
    stack = combine_units(earlier_step.unit, joining_piece)
    if not stack or not may_unit_stand(stack, earlier_step.target):
        return None
    joint_step = Step(stack, earlier_step.target, earlier_step.flags)
    steps = _replace_step(session.steps, step_index, joint_step)
    return replay_steps(start, session.origin_square, steps, rules)


def _find_step_to(session: Session, target: int) -> int | None:
    """Return the index of the first step of a session that leaves its pieces on `target`.

    `target` is the number of a square. Stay and suicide captures do not count, because they leave no piece
    there. Return None if there is no such step.
    """
    for index, step in enumerate(session.steps):
        if step.target == target and not step.flags & (STAY | SUICIDE):
            return index
    return None


def _replace_step(steps: tuple[Step, ...], index: int, step: Step) -> tuple[Step, ...]:
    """Return `steps` with another step at the position `index`."""
    return (*steps[:index], step, *steps[index + 1 :])


def replay_steps(start: Position, origin: int, steps: tuple[Step, ...], rules: Rules) -> Position | None:
    """Return the position after recorded deploy steps, with the deploy session still open.

    Return None if one of the steps cannot be played, see `replay_step`.

    Args:
        start: The position before the first step.
        origin: The number of the square from which the stack deploys.
        steps: The recorded steps, in order.
        rules: The rule options.
    """
    position: Position | None = start
    for step in steps:
        if position is None:
            break
        position = replay_step(position, origin, step, rules)
    return position


def replay_step(position: Position, origin: int, step: Step, rules: Rules) -> Position | None:
    """Return the position after one recorded deploy step, or None if it cannot be played.

    A step of several pieces can be played if their carrier alone can take it. The pieces move with the heroic
    marks of the record. A session is opened if none is open, and it is not committed. `origin` is the number
    of the square from which the stack deploys.
    """
    if not _can_carrier_take_step(position, origin, step, rules):
        return None
    moving_types = step.unit & TYPES
    origin_unit = position.unit_on(origin)
    if origin_unit & moving_types != moving_types:
        return None
    if step.flags & COMBINE and not combine_units(position.unit_on(step.target), step.unit):
        return None

    # The pieces move with the heroic marks that the step records, even if they were promoted on the way.
    unmarked_unit = origin_unit & ~(moving_types << HEROIC_SHIFT)
    position = with_unit(position, origin, unmarked_unit | step.unit)
    return _record_step(position, _pack_step(origin, step.target, moving_types, step.flags), rules)


def _can_carrier_take_step(position: Position, origin: int, step: Step, rules: Rules) -> bool:
    """Return whether the carrier of a recorded step could legally take the step alone.

    The carrier is the piece that carries the others. `origin` is the number of the square from which the
    stack deploys.
    """
    session = position.session
    if session is None:
        legal_steps = list_first_deploy_steps(position, origin, rules.last_guard)
    else:
        legal_steps = list_ordinary_steps(position, session)
    carrier_type = get_carrier_type(step.unit)
    if carrier_type < 0:
        return False
    carrier_step = _pack_step(origin, step.target, 1 << carrier_type, step.flags)
    return legal_steps.count(carrier_step) == 1


def repeat_step(position: Position, origin: int, step: Step, rules: Rules) -> Position | None:
    """Return the position after a recorded deploy step, or None if no player can have made it.

    Unlike `replay_step`, this includes the carrier that joins a piece sent before, and no piece may move with
    a heroic mark that it does not have. `origin` is the number of the square from which the stack deploys.
    """
    if get_heroic_types(step.unit) & ~get_heroic_types(position.unit_on(origin)):
        return None
    return replay_step(position, origin, step, rules) or join_carrier(position, step, rules)


def repeat_steps(start: Position, origin: int, steps: tuple[Step, ...], rules: Rules) -> Position | None:
    """Return the position after recorded deploy steps, or None if no player can have made them.

    Args:
        start: The position before the first step.
        origin: The number of the square from which the stack deploys.
        steps: The recorded steps, in order. Each must be possible, see `repeat_step`.
        rules: The rule options.
    """
    position: Position | None = start
    for step in steps:
        if position is None:
            break
        position = repeat_step(position, origin, step, rules)
    return position


def join_carrier(position: Position, step: Step, rules: Rules) -> Position | None:
    """Return the position after the carrier of the deploying stack joins a piece sent before.

    This is a step of its own, even if the carrier could not go to that square alone. Return None if `step` is
    not such a step or is not legal.
    """
    session = position.session
    moving_types = step.unit & TYPES
    if session is None or moving_types != 1 << get_carrier_type(session.original):
        return None
    packed_step = _pack_step(session.origin_square, step.target, moving_types, step.flags)
    if packed_step not in _list_joining_steps(position, session, rules):
        return None
    return _record_step(position, packed_step, rules)


def _record_step(position: Position, packed_step: int, rules: Rules) -> Position:
    """Return the position after a packed deploy step, which is added to the deploy session.

    A session is opened if none is open. It is not committed.
    """
    origin, moving_types = get_origin(packed_step), get_moving_types(packed_step)
    origin_unit = position.unit_on(origin)
    step = Step(select_types(origin_unit, moving_types), get_target(packed_step), get_flags(packed_step))
    session = position.session
    if session is None:
        session = Session(origin, origin_unit, steps=(), start=position)
    longer_session = replace(
        session, steps=(*session.steps, step), moved_types=session.moved_types | moving_types
    )
    return with_session(apply_step(position, packed_step, rules.last_guard), longer_session)


def take_step(position: Position, packed_step: int, rules: Rules) -> Position:
    """Return the position after a legal packed step, with the deploy session still open.

    If an earlier step went to the same square, the piece joins that step where the rules allow it: both then
    travelled there together.
    """
    session = position.session
    if session is None:
        return _record_step(position, packed_step, rules)
    moving_types, target = get_moving_types(packed_step), get_target(packed_step)
    is_carrier = moving_types == 1 << get_carrier_type(session.original)
    if not is_carrier and any(step.target == target for step in session.steps):
        piece = select_types(get_remaining_unit(position, session), moving_types)
        after = recombine_pieces(position, session, piece, target, rules)
        if after is not None:
            return after
    return _record_step(position, packed_step, rules)


def play_packed_move(position: Position, packed_move: int, rules: Rules) -> Position:
    """Return the position after a legal packed move or deploy step.

    A deploy session is committed if no piece is left that can move and the turn may end.
    """
    if not get_flags(packed_move) & DEPLOY:
        return play_move(position, packed_move, rules.last_guard, rules.commander_resets_clock)
    return commit_if_done(take_step(position, packed_move, rules), rules)


def commit_if_done(position: Position, rules: Rules) -> Position:
    """Return the position after the turn if its deploy session is over, else `position` itself.

    A session is over if every piece of the stack has moved or none of the others can, and the turn may end.
    """
    session = position.session
    if session is None:
        return position
    if get_remaining_types(session):
        can_continue = list_ordinary_steps(position, session) or _list_joining_steps(position, session, rules)
        if can_continue:
            return position
    return commit(position, rules) if may_commit(position) else position


def may_commit(position: Position) -> bool:
    """Return whether a deploy session is open that may end now.

    At least one piece must have moved, the pieces left on the origin must be allowed to stand there, and the
    commander of the side to move must not be in danger.
    """
    session = position.session
    if session is None:
        return False
    has_moved = session.steps or session.moved_types
    if not has_moved:
        return False
    side = position.blue_to_move
    origin_unit = position.unit_on(session.origin_square)
    has_staying_pieces = origin_unit != 0 and bool(origin_unit & BLUE_BIT) == side
    if has_staying_pieces and not may_unit_stand(origin_unit, session.origin_square):
        return False
    return find_commander_square(position, side) < 0 or not is_commander_in_danger(position, side)


def commit(position: Position, rules: Rules) -> Position:
    """Return the position after the end of the open deploy session: the other side is to move.

    `rules` determine which steps reset the half-move clock. Raise ValueError if no session is open or the
    session may not end, see `may_commit`.
    """
    session = position.session
    if session is None or not may_commit(position):
        raise ValueError("the turn cannot be committed, expected an open deploy session that may end now")
    is_capture = any(step.flags & (CAPTURE | STAY | SUICIDE) for step in session.steps)
    commander_moved = bool(session.moved_types & COMMANDER_BIT)
    resets_clock = is_capture or (rules.commander_resets_clock and commander_moved)
    return end_turn(position, resets_clock)


def cancel(position: Position) -> Position:
    """Return the position before the first step of the open deploy session.

    Raise ValueError if no session is open, or if it was read from a text that does not contain its start.
    """
    if position.session is None or position.session.start is None:
        raise ValueError("there is nothing to cancel, expected an open deploy session whose start is known")
    return position.session.start
