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
    commander_in_danger,
    commander_square,
    end_turn,
    first_deploy_steps,
    member_steps,
    play_move,
    turn_moves,
)
from forsyth.games.cotulenh.stacks import LETTERS, carrier_of, combine

if not cython.compiled:
    from forsyth.games.cotulenh.board import i32, u32, u64
    from forsyth.games.cotulenh.rules.attacks import COMMANDER_BIT, SQUARE_MASK, TYPES_SHIFT
    from forsyth.games.cotulenh.rules.generate import (
        CAPTURE,
        COMBINE,
        DEPLOY,
        FLAG_MASK,
        FLAGS_SHIFT,
        STAY,
        SUICIDE,
        TARGET_SHIFT,
    )
    from forsyth.games.cotulenh.stacks import BLUE_BIT, HEROIC_SHIFT, NAVY, TYPES

    PLACE_MASK = (1 << 27) - 1
    """The bits of a packed step below FLAGS_SHIFT: its origin, target and types."""


def may_stand(unit: int, square: int) -> bool:
    """Return whether a unit, a packed piece or stack, may stand on the square number `square`.

    Its carrier decides: a navy needs water, every other piece needs land.
    """
    return WATER_OK[square] if carrier_of(unit) == NAVY else LAND_OK[square]


def remaining_types(session: Session) -> int:
    """Return the piece types of the deploying stack that have not moved yet, as a set of bits."""
    return session.original & TYPES & ~session.moved_types


def remaining_unit(position: Position, session: Session) -> int:
    """Return the pieces of the deploying stack that have not moved yet as one unit, or 0 if there are none.

    The heroic marks are those on the board of `position`, not those at the start of the session.
    """
    types = remaining_types(session)
    unit = position.unit_on(session.origin_square)
    return _select_types(unit, types & unit) if types & unit else 0


def _select_types(unit: u32, types: u32) -> u32:
    """Return the members of a unit whose piece types are in the set `types`, with heroic marks and colour."""
    return unit & (types | types << HEROIC_SHIFT | BLUE_BIT)


def legal_moves(position: Position, rules: Rules) -> list[int]:
    """Return all legal moves of a position as packed moves.

    While a deploy session is open, these are the steps that continue it. The commit is not among them.
    """
    if position.session is None:
        return turn_moves(position, rules.last_guard)
    return session_moves(position, position.session, rules)


def legal_deploy_steps(position: Position, origin: int, rules: Rules) -> list[int]:
    """Return the legal deploy steps from the square number `origin` as packed moves.

    While a deploy session is open, the list is empty for any other square than the origin of the session.
    """
    if position.session is None:
        return first_deploy_steps(position, origin, rules.last_guard)
    if origin != position.session.origin_square:
        return []
    return session_moves(position, position.session, rules)


def session_moves(position: Position, session: Session, rules: Rules) -> list[int]:
    """Return the packed steps that continue an open deploy session.

    A piece that has not moved yet can go to a square alone, or join a piece that was sent there before.
    """
    ordinary = ordinary_steps(position, session)
    recombining = _recombine_steps(position, session, ordinary, rules)
    # Joining a piece replaces the ordinary step of the same member to the same square.
    replaced = {_clear_flags(step) for step in recombining}
    return [step for step in ordinary if _clear_flags(step) not in replaced] + recombining


def ordinary_steps(position: Position, session: Session) -> list[int]:
    """Return the packed steps that each piece that has not moved yet can take alone."""
    types = remaining_unit(position, session) & TYPES
    return member_steps(position, session.origin_square, types)


def _recombine_steps(position: Position, session: Session, ordinary: list[int], rules: Rules) -> list[int]:
    """Return the packed steps by which a piece that has not moved yet joins a piece that was sent before.

    `ordinary` are the steps that the pieces can take alone.
    """
    unit = remaining_unit(position, session)
    steps = []
    for kind in range(len(LETTERS)):
        if not unit >> kind & 1:
            continue
        piece = _select_types(unit, 1 << kind)
        for target in dict.fromkeys(step.target for step in session.steps):
            if recombine(position, session, piece, target, ordinary, rules) is not None:
                steps.append(_pack_step(session.origin_square, target, 1 << kind, DEPLOY | COMBINE))
    return steps


def _pack_step(origin: u64, target: u64, types: u64, flags: u64) -> u64:
    """Return a step as one number: two squares, the set of the piece types that move, and the flags."""
    return origin | target << TARGET_SHIFT | types << TYPES_SHIFT | flags << FLAGS_SHIFT


def _clear_flags(step: u64) -> u64:
    """Return a packed step without its flags, so that steps of the same pieces and squares compare equal."""
    return step & PLACE_MASK


def _get_origin(step: u64) -> i32:
    """Return the number of the square on which a packed step begins."""
    return step & SQUARE_MASK


def _get_target(step: u64) -> i32:
    """Return the number of the square to which a packed step goes, or on which it captures."""
    return step >> TARGET_SHIFT & SQUARE_MASK


def _get_types(step: u64) -> u32:
    """Return the set of the piece types that move in a packed step, as the low bits of a unit."""
    return step >> TYPES_SHIFT & TYPES


def _get_flags(step: u64) -> i32:
    """Return the flags of a packed step as bits, such as ``DEPLOY | CAPTURE``."""
    return step >> FLAGS_SHIFT & FLAG_MASK


def recombine(
    position: Position, session: Session, piece: int, target: int, ordinary: list[int], rules: Rules
) -> Position | None:
    """Return the position in which a piece travelled together with one sent to `target` before, or None.

    The steps of the session are replayed with the joined pieces as one step. None means that the rules do not
    allow this.

    Args:
        position: The position with the session open.
        session: The open deploy session of the position.
        piece: The piece that has not moved yet and joins, as a unit.
        target: The number of the square to which the other piece was sent.
        ordinary: The packed steps that the pieces that have not moved yet can take alone.
        rules: The rule options.
    """
    index = next(
        (
            i
            for i, step in enumerate(session.steps)
            if step.target == target and not step.flags & (STAY | SUICIDE)
        ),
        None,
    )
    if index is None or not session.has_known_steps:
        return None
    step = session.steps[index]
    if session.start is None:
        return _join_on_board(position, session, piece, index, ordinary, rules)
    start_unit = session.start.unit_on(session.origin_square)
    joining = _select_types(start_unit, piece & TYPES)
    joined = combine(step.unit, joining)
    if not joined or not may_stand(joined, target):
        return None
    steps = (*session.steps[:index], Step(joined, target, step.flags), *session.steps[index + 1 :])
    return replay_steps(session.start, session.origin_square, steps, rules)


def _join_on_board(
    position: Position, session: Session, piece: int, index: int, ordinary: list[int], rules: Rules
) -> Position | None:
    """Return the position in which `piece` joins the step ``session.steps[index]``, or None if it cannot.

    This is for a session whose start is unknown, so that its steps cannot be replayed (spec/cotulenh 14). The
    piece may join if the other could have carried it, or if it can go to the same square alone. `ordinary`
    are the packed steps that the remaining pieces can take alone.
    """
    step = session.steps[index]
    target_unit = position.unit_on(step.target)
    sent_types = step.unit & TYPES
    if target_unit & sent_types != sent_types:
        return None
    joined = combine(target_unit, piece)
    if not joined or not may_stand(joined, step.target):
        return None
    was_carried = carrier_of(combine(step.unit, piece) or 0) == carrier_of(step.unit)
    types = piece & TYPES
    number = _pack_step(session.origin_square, step.target, types, DEPLOY | COMBINE)
    if not was_carried and number not in ordinary:
        return None
    after = apply_step(position, number, rules.last_guard)
    steps = (
        *session.steps[:index],
        Step(step.unit | piece, step.target, step.flags),
        *session.steps[index + 1 :],
    )
    return with_session(after, replace(session, steps=steps, moved_types=session.moved_types | types))


def replay_steps(start: Position, origin: int, steps: tuple[Step, ...], rules: Rules) -> Position | None:
    """Return the position after recorded deploy steps, with the session still open.

    None means that one of the steps cannot be played.

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
    """Return the position after one recorded deploy step, or None if the step cannot be played.

    The pieces move with the heroic marks of the record. A session is opened if none is open, and it is not
    committed. `origin` is the number of the square from which the stack deploys.
    """
    session = position.session
    if session is None:
        moves = first_deploy_steps(position, origin, rules.last_guard)
    else:
        moves = ordinary_steps(position, session)
    carrier = carrier_of(step.unit)
    if carrier < 0 or moves.count(_pack_step(origin, step.target, 1 << carrier, step.flags)) != 1:
        return None
    types = step.unit & TYPES
    unit = position.unit_on(origin)
    if unit & types != types:
        return None
    if step.flags & COMBINE and not combine(position.unit_on(step.target), step.unit):
        return None
    # The piece moves with the heroic mark that its step records, even if it was promoted on the way.
    unit = unit & ~(types << HEROIC_SHIFT) | step.unit
    position = with_unit(position, origin, unit)
    return _record_step(position, _pack_step(origin, step.target, types, step.flags), rules)


def join_carrier(position: Position, step: Step, rules: Rules) -> Position | None:
    """Return the position after the carrier of the deploying stack joins a piece that was sent before.

    This is a step of its own (spec/cotulenh 11), even if the carrier could not go to that square alone.
    Return None if `step` is not such a step or is not legal.
    """
    session = position.session
    if session is None or step.unit & TYPES != 1 << carrier_of(session.original):
        return None
    number = _pack_step(session.origin_square, step.target, step.unit & TYPES, step.flags)
    if number not in _recombine_steps(position, session, ordinary_steps(position, session), rules):
        return None
    return _record_step(position, number, rules)


def _record_step(position: Position, number: int, rules: Rules) -> Position:
    """Return the position after the packed step `number`, which is added to the deploy session.

    A session is opened if none is open. It is not committed.
    """
    origin, types = _get_origin(number), _get_types(number)
    unit = position.unit_on(origin)
    step = Step(_select_types(unit, types), _get_target(number), _get_flags(number))
    session = position.session
    if session is None:
        session = Session(origin, unit, (), position)
    after = apply_step(position, number, rules.last_guard)
    longer = replace(session, steps=(*session.steps, step), moved_types=session.moved_types | types)
    return with_session(after, longer)


def take_step(position: Position, number: int, rules: Rules) -> Position:
    """Return the position after the legal packed step `number`, with the deploy session still open.

    If an earlier step went to the same square, the piece joins that step where the rules allow it: both then
    travelled there together.
    """
    session = position.session
    types, target = _get_types(number), _get_target(number)
    if (
        session is not None
        and types != 1 << carrier_of(session.original)
        and any(step.target == target for step in session.steps)
    ):
        piece = _select_types(remaining_unit(position, session), types)
        joined = recombine(position, session, piece, target, ordinary_steps(position, session), rules)
        if joined is not None:
            return joined
    return _record_step(position, number, rules)


def play(position: Position, number: int, rules: Rules) -> Position:
    """Return the position after `number`, a legal packed move or deploy step.

    The deploy session is committed if no piece is left that can move and the turn may end.
    """
    if not _get_flags(number) & DEPLOY:
        return play_move(position, number, rules.last_guard, rules.commander_resets_clock)
    return commit_if_done(take_step(position, number, rules), rules)


def commit_if_done(position: Position, rules: Rules) -> Position:
    """Return the position after the end of the turn if its deploy session is over, else `position` itself.

    A session is over if every piece of the stack has moved or none of the others can, and the turn may end.
    """
    session = position.session
    if session is None:
        return position
    if remaining_types(session):
        ordinary = ordinary_steps(position, session)
        if ordinary or _recombine_steps(position, session, ordinary, rules):
            return position
    return commit(position, rules) if may_commit(position) else position


def may_commit(position: Position) -> bool:
    """Return whether a deploy session is open that may end now.

    At least one piece must have moved, the pieces left on the origin must be allowed to stand there, and the
    commander of the side to move must not be in danger.
    """
    session = position.session
    if session is None or not (session.steps or session.moved_types):
        return False
    staying = position.unit_on(session.origin_square)
    own = position.blue_to_move
    if staying and bool(staying & BLUE_BIT) == own and not may_stand(staying, session.origin_square):
        return False
    return commander_square(position, own) < 0 or not commander_in_danger(position, own)


def commit(position: Position, rules: Rules) -> Position:
    """Return the position after the end of the open deploy session: the other side is to move.

    Raise ValueError if no session is open or the session may not end, see `may_commit`.
    """
    session = position.session
    if session is None or not may_commit(position):
        raise ValueError("the turn cannot be committed, expected an open deploy session that may end now")
    is_capture = any(step.flags & (CAPTURE | STAY | SUICIDE) for step in session.steps)
    resets_by_commander = rules.commander_resets_clock and session.moved_types & COMMANDER_BIT
    return end_turn(position, is_capture or bool(resets_by_commander))


def cancel(position: Position) -> Position:
    """Return the position before the first step of the open deploy session.

    Raise ValueError if no session is open, or if it was read from a text that does not contain its start.
    """
    if position.session is None or position.session.start is None:
        raise ValueError("there is nothing to cancel, expected an open deploy session whose start is known")
    return position.session.start
