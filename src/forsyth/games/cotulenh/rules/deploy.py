# cython: annotation_typing=False
"""Deploy sessions of CoTuLenh: a stack sends its members out one by one within one turn (spec/cotulenh 11).

A session is part of the position. Its steps are applied at once; the turn ends with the commit, which comes
by itself when nothing can or need move any more. A later member may travel together with one already sent
(recombine): then the steps are played again from the start of the session.
"""

from __future__ import annotations

from dataclasses import replace

from forsyth.games.cotulenh.board import LAND_OK, WATER_OK
from forsyth.games.cotulenh.position import Position, Session, Step, with_session, with_unit
from forsyth.games.cotulenh.rules.generate import CAPTURE, COMBINE, DEPLOY, STAY, SUICIDE
from forsyth.games.cotulenh.rules.moves import (
    Rules,
    commander_in_danger,
    commander_of,
    make,
    opening_moves,
    step_moves,
    stepped,
    turn_moves,
    turned,
)
from forsyth.games.cotulenh.stacks import COMMANDER, HEROIC_SHIFT, NAVY, TYPES, carrier_of, combine

FLAGS: int = 63


def may_stand(unit: int, square: int) -> bool:
    """Whether a unit's carrier may stand on a square."""
    return WATER_OK[square] if carrier_of(unit) == NAVY else LAND_OK[square]


def remaining_types(session: Session) -> int:
    """The types that are still to move."""
    return session.original & TYPES & ~session.moved_types


def remaining_unit(position: Position, session: Session) -> int:
    """The members that are still to move, with the marks they have on the board."""
    types = remaining_types(session)
    unit = position.unit_on(session.origin_square)
    kept = types & unit
    return unit & (kept | kept << HEROIC_SHIFT | ~0 << 22) if kept else 0


def moves_of(position: Position, rules: Rules) -> list[int]:
    """The numbers of all legal moves, in a session or not."""
    if position.session is None:
        return turn_moves(position, rules.last_guard)
    return session_moves(position, position.session, rules)


def steps_from(position: Position, origin: int, rules: Rules) -> list[int]:
    """The numbers of the legal deploy steps of one square, in a session or not."""
    if position.session is None:
        return opening_moves(position, origin, rules.last_guard)
    if origin != position.session.origin_square:
        return []
    return session_moves(position, position.session, rules)


def session_moves(position: Position, session: Session, rules: Rules) -> list[int]:
    """The steps of the members that remain, and the offers to travel together."""
    ordinary = ordinary_steps(position, session)
    offers = _offers(position, session, ordinary, rules)
    taken = {(number >> 16 & TYPES, number >> 8 & 255) for number in offers}
    return [n for n in ordinary if (n >> 16 & TYPES, n >> 8 & 255) not in taken] + offers


def ordinary_steps(position: Position, session: Session) -> list[int]:
    """The steps of each member that remains, alone."""
    types = remaining_unit(position, session) & TYPES
    return step_moves(position, session.origin_square, types)


def _offers(position: Position, session: Session, ordinary: list[int], rules: Rules) -> list[int]:
    unit = remaining_unit(position, session)
    found = []
    for kind in range(11):
        if not unit >> kind & 1:
            continue
        piece = unit & (1 << kind | 1 << kind + HEROIC_SHIFT | ~0 << 22)
        for target in dict.fromkeys(step.target for step in session.steps):
            if recombined(position, session, piece, target, ordinary, rules) is not None:
                found.append(session.origin_square | target << 8 | 1 << kind + 16 | (DEPLOY | COMBINE) << 27)
    return found


def recombined(
    position: Position, session: Session, piece: int, target: int, ordinary: list[int], rules: Rules
) -> Position | None:
    """The position in which a piece travelled with the one sent to a square before, or None."""
    index = next(
        (
            i
            for i, step in enumerate(session.steps)
            if step.target == target and not step.flags & (STAY | SUICIDE)
        ),
        None,
    )
    if index is None or not session.known:
        return None
    step = session.steps[index]
    if session.start is None:
        return _join_on_board(position, session, piece, index, ordinary, rules)
    start_unit = session.start.unit_on(session.origin_square)
    kind = piece & TYPES
    joining = start_unit & (kind | kind << HEROIC_SHIFT | ~0 << 22)
    joined = combine(step.unit, joining)
    if not joined or not may_stand(joined, target):
        return None
    steps = (*session.steps[:index], Step(joined, target, step.flags), *session.steps[index + 1 :])
    return replayed(session.start, session.origin_square, steps, rules)


def _join_on_board(
    position: Position, session: Session, piece: int, index: int, ordinary: list[int], rules: Rules
) -> Position | None:
    """Travelling together where only the board of the moment is known (spec/cotulenh 14)."""
    step = session.steps[index]
    standing = position.unit_on(step.target)
    sent = step.unit & TYPES
    if standing & sent != sent:
        return None
    joined = combine(standing, piece)
    if not joined or not may_stand(joined, step.target):
        return None
    takes_along = carrier_of(combine(step.unit, piece) or 0) == carrier_of(step.unit)
    kind = piece & TYPES
    walks = any(
        n >> 8 & 255 == step.target and n >> 16 & TYPES == kind and n >> 27 & COMBINE for n in ordinary
    )
    if not takes_along and not walks:
        return None
    number = session.origin_square | step.target << 8 | kind << 16 | (DEPLOY | COMBINE) << 27
    after = stepped(position, number, rules.last_guard)
    steps = (
        *session.steps[:index],
        Step(step.unit | piece, step.target, step.flags),
        *session.steps[index + 1 :],
    )
    return with_session(after, replace(session, steps=steps, moved_types=session.moved_types | kind))


def replayed(start: Position, origin: int, steps: tuple[Step, ...], rules: Rules) -> Position | None:
    """The open session after some steps from its start, or None if one of them cannot be played so."""
    position: Position | None = start
    for step in steps:
        if position is None:
            break
        position = step_replayed(position, origin, step, rules)
    return position


def step_replayed(position: Position, origin: int, step: Step, rules: Rules) -> Position | None:
    """The open session after one more step as it was taken, or None if it cannot be played so."""
    session = position.session
    if session is None:
        moves = opening_moves(position, origin, rules.last_guard)
    else:
        moves = ordinary_steps(position, session)
    kind = carrier_of(step.unit)
    fitting = [
        n
        for n in moves
        if n >> 8 & 255 == step.target and n >> 16 & TYPES == 1 << kind and n >> 27 & FLAGS == step.flags
    ]
    if len(fitting) != 1:
        return None
    types = step.unit & TYPES
    unit = position.unit_on(origin)
    if unit & types != types:
        return None
    if step.flags & COMBINE and not combine(position.unit_on(step.target), step.unit):
        return None
    # A piece goes with the mark its step has, whatever was promoted on the way.
    unit = unit & ~(types << HEROIC_SHIFT) | step.unit
    position = with_unit(position, origin, unit)
    return _take_step(position, origin | step.target << 8 | types << 16 | step.flags << 27, rules)


def carrier_joined(position: Position, step: Step, rules: Rules) -> Position | None:
    """The open session after its carrier joined a piece sent out before, or None where that is not offered.

    Such a step is one of its own (spec/cotulenh 11), and need not be one that the carrier could take alone.
    """
    session = position.session
    if session is None or step.unit & TYPES != 1 << carrier_of(session.original):
        return None
    number = session.origin_square | step.target << 8 | (step.unit & TYPES) << 16 | step.flags << 27
    if number not in _offers(position, session, ordinary_steps(position, session), rules):
        return None
    return _take_step(position, number, rules)


def _take_step(position: Position, number: int, rules: Rules) -> Position:
    """Play one step, opening a session if there is none; no commit."""
    origin, types = number & 255, number >> 16 & TYPES
    unit = position.unit_on(origin)
    sent = unit & (types | types << HEROIC_SHIFT | ~0 << 22)
    step = Step(sent, number >> 8 & 255, number >> 27 & FLAGS)
    session = position.session
    if session is None:
        session = Session(origin, unit, (), position)
    after = stepped(position, number, rules.last_guard)
    opened = replace(session, steps=(*session.steps, step), moved_types=session.moved_types | types)
    return with_session(after, opened)


def taken(position: Position, number: int, rules: Rules) -> Position:
    """The open session after one more legal step, before anything is committed."""
    session = position.session
    kind, target = number >> 16 & TYPES, number >> 8 & 255
    if (
        session is not None
        and kind != 1 << carrier_of(session.original)
        and any(step.target == target for step in session.steps)
    ):
        piece = remaining_unit(position, session) & (kind | kind << HEROIC_SHIFT | ~0 << 22)
        joined = recombined(position, session, piece, target, ordinary_steps(position, session), rules)
        if joined is not None:
            return joined
    return _take_step(position, number, rules)


def play(position: Position, number: int, rules: Rules) -> Position:
    """The position after a legal move or step; a session that is over is committed."""
    if not number >> 27 & DEPLOY:
        return make(position, number, rules.last_guard, rules.commander_resets_clock)
    return settled(taken(position, number, rules), rules)


def settled(position: Position, rules: Rules) -> Position:
    """The position, committed if nothing remains or nothing can move any more and a commit is allowed."""
    session = position.session
    if session is None:
        return position
    if remaining_types(session):
        ordinary = ordinary_steps(position, session)
        if ordinary or _offers(position, session, ordinary, rules):
            return position
    return commit(position, rules) if may_commit(position) else position


def may_commit(position: Position) -> bool:
    """Whether the open session may end now."""
    session = position.session
    if session is None or not (session.steps or session.moved_types):
        return False
    left = position.unit_on(session.origin_square)
    own = position.blue_to_move
    if left and left >> 22 == own and not may_stand(left, session.origin_square):
        return False
    return commander_of(position, own) < 0 or not commander_in_danger(position, own)


def commit(position: Position, rules: Rules) -> Position:
    """End the open session: the turn goes over."""
    session = position.session
    if session is None or not may_commit(position):
        raise ValueError("there is no deploy session that may be committed")
    captured = any(step.flags & (CAPTURE | STAY | SUICIDE) for step in session.steps)
    commander = rules.commander_resets_clock and session.moved_types >> COMMANDER & 1
    return turned(position, captured or bool(commander))


def cancel(position: Position) -> Position:
    """Give up the open session: the position before its first step."""
    if position.session is None or position.session.start is None:
        raise ValueError("there is no deploy session that can be taken back")
    return position.session.start
