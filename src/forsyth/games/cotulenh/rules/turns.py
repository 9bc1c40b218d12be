# cython: annotation_typing=False
"""Whole turns of CoTuLenh: commits, and deploy turns as one text.

A deploy turn is written ``T<(NF)>c6``: what stays, then every step; pieces that travelled together are one
step. The long form names the origin: ``c5:T:(NF)>c6``.

Writing: steps carry no disambiguator, unless another own stack of the same pieces could take the same
steps: then the first step gets one (``N<Fc>d4``). Combinations show their result, the end of the turn ``^``
or ``#``; steps by themselves have no mark.
Limits: a stack has three members, so every search here is at most three steps deep.
Rules: spec/cotulenh 10, 11, 15 and 17 (B11).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Final, NamedTuple

from forsyth.games.cotulenh.board import FILES, SQUARES
from forsyth.games.cotulenh.position import Position, Session, Step, with_session, with_unit
from forsyth.games.cotulenh.rules.deploy import (
    cancel,
    commit,
    may_commit,
    moves_of,
    play,
    remaining_types,
    steps_from,
    taken,
)
from forsyth.games.cotulenh.rules.generate import CAPTURE, COMBINE, DEPLOY, STAY, SUICIDE
from forsyth.games.cotulenh.rules.moves import (
    USUAL,
    Move,
    Rules,
    is_turn_move,
    stepped,
)
from forsyth.games.cotulenh.rules.outcome import mark_of
from forsyth.games.cotulenh.stacks import BLUE_BIT, HEROIC_SHIFT, TYPES, carrier_of, members, write_unit

STACK_SIZE: Final = 3


@dataclass(frozen=True, slots=True)
class Turn:
    """A deploy turn, or the rest of one, as one move.

    `steps` are the numbers of the steps as they are played, joining steps included. `commit` says that the
    session is committed after them; a session that ends by itself needs no commit.
    """

    steps: tuple[int, ...]
    commit: bool = False


@dataclass(frozen=True, slots=True)
class Commit:
    """The end of the open deploy session, as a move."""


@dataclass(frozen=True, slots=True)
class Cancel:
    """The end of the open deploy session without a turn: back to the position before it, as a move."""


COMMIT: Final = Commit()
COMMIT_TEXT: Final = "commit"
"""What stands for the commit of a session whose steps are not known."""
CANCEL: Final = Cancel()
CANCEL_TEXT: Final = "cancel"

Action = Move | Turn | Commit | Cancel
"""Everything a move text may stand for."""


def play_turn(position: Position, turn: Turn, rules: Rules = USUAL) -> Position:
    """The position after every step of a turn, and its commit where it has one."""
    for number in turn.steps:
        position = play(position, number, rules)
    return commit(position, rules) if turn.commit else position


def play_action(position: Position, action: Action, rules: Rules = USUAL) -> Position:
    """The position after whatever a move text stands for."""
    if isinstance(action, Turn):
        return play_turn(position, action, rules)
    if isinstance(action, Commit):
        return commit(position, rules)
    if isinstance(action, Cancel):
        return cancel(position)
    return play(position, action.id, rules)


def is_legal(position: Position, action: Action, rules: Rules = USUAL) -> bool:
    """Whether a move, a whole turn, a commit or a cancel is one that may be made here."""
    if isinstance(action, Move):
        return _is_legal_number(position, action.id, rules)
    if isinstance(action, Commit):
        return may_commit(position)
    if isinstance(action, Cancel):
        return position.session is not None and position.session.start is not None
    for number in action.steps:
        if not _is_legal_number(position, number, rules):
            return False
        position = play(position, number, rules)
    return may_commit(position) if action.commit else bool(action.steps)


def _is_legal_number(position: Position, number: int, rules: Rules) -> bool:
    if position.session is None:
        return is_turn_move(position, number, rules.last_guard)
    return number in moves_of(position, rules)


def write_action(position: Position, action: Action, rules: Rules = USUAL) -> str:
    """Whatever a move text stands for, in canonical notation; a commit as the turn it ends."""
    if isinstance(action, Turn):
        return write_turn(position, action, rules)
    if isinstance(action, Move):
        # Single moves are written one floor up, where the marks of this module are used.
        from forsyth.games.cotulenh.notation.san import write_san

        return write_san(position, action, rules)
    if isinstance(action, Cancel):
        return CANCEL_TEXT
    if position.session is None:
        raise ValueError("there is no deploy session to commit")
    return write_turn(position, position.session, rules) if position.session.known else COMMIT_TEXT


# --- the parts of a written move --------------------------------------------------------------------


@lru_cache(maxsize=1024)
def unit_text(unit: int) -> str:
    """A unit as letters; there are few, and every move needs one."""
    return write_unit(unit)


def _sign(flags: int) -> str:
    text = ">" if flags & DEPLOY else ""
    for bit, sign in ((CAPTURE, "x"), (STAY, "_"), (SUICIDE, "@"), (COMBINE, "&")):
        if flags & bit:
            return text + sign
    return text


SIGNS: Final = tuple(_sign(flags) for flags in range(64))
"""The sign between unit and target, for each set of flags."""


def hint(origin: int, others: Iterable[int]) -> str:
    """What tells an origin from others: nothing, its file, its rank or all of it (spec/cotulenh 15)."""
    rivals = list(others)
    if not rivals:
        return ""
    if not any(other % 11 == origin % 11 for other in rivals):
        return FILES[origin % 11]
    if not any(other // 11 == origin // 11 for other in rivals):
        return SQUARES[origin][1:]
    return SQUARES[origin]


# --- playing the steps of a text --------------------------------------------------------------------


class Wish(NamedTuple):
    """One step as a text describes it: the types that go, their marks as far as given, where to, and how
    (flags without DEPLOY, any of which will do)."""

    types: int
    heroic: int
    target: int
    kinds: int

    def fits(self, step: Step) -> bool:
        """Whether a step is the one described."""
        return (
            step.unit & TYPES == self.types
            and step.target == self.target
            and bool(step.flags & self.kinds)
            and not self.heroic & ~(step.unit >> HEROIC_SHIFT)
        )

    def is_marked_as(self, step: Step) -> bool:
        """Whether exactly the heroic pieces of a step are marked."""
        return self.heroic == step.unit >> HEROIC_SHIFT & TYPES


class PlayedSteps(NamedTuple):
    """Steps that were found, and the position after them."""

    numbers: tuple[int, ...]
    position: Position


def play_wishes(
    position: Position, origin: int, wishes: tuple[Wish, ...], rules: Rules
) -> PlayedSteps | None:
    """The steps of a text, played; None if they cannot be.

    Of pieces that travel together the carrier goes first, and the others join it at once. Where this fails,
    or a text comes from a session in which they joined in another way, the other orders are tried; they must
    lead to the same list of steps. A piece that joined another goes with the mark it had before the session,
    so an order that leads to the marks of the text is taken before one that only leads to its pieces. In a
    session that is open a text may go on from here, or, where it names pieces that have moved, tell the turn
    from its start: then the others join these.
    """
    moved = position.session.moved_types if position.session else 0
    from_start = any(wish.types & moved for wish in wishes)
    singles = _single_pieces(wishes, moved)
    if not 0 < len(singles) <= STACK_SIZE:
        return None
    before = len(position.session.steps) if position.session and not from_start else 0
    found: PlayedSteps | None = None
    for order in permutations(singles):
        played, session = _play_in_order(position, origin, _joining(order, wishes, moved), rules)
        if played is None or session is None:
            continue
        told = session.steps[before:]
        as_told = len(told) == len(wishes) and all(map(Wish.fits, wishes, told))
        if as_told and all(map(Wish.is_marked_as, wishes, told)):
            return played
        if found is None and (as_told or (order == singles and not from_start)):
            found = played
    return found


def _single_pieces(wishes: tuple[Wish, ...], moved: int) -> tuple[tuple[int, int], ...]:
    """Each piece that has not moved, by the number of its wish and carriers first; empty if it cannot be."""
    singles: list[tuple[int, int]] = []
    named = 0
    for number, wish in enumerate(wishes):
        if wish.types & named or carrier_of(wish.types) < 0:
            return ()
        named |= wish.types
        singles += ((number, piece) for piece in members(wish.types & ~moved))
    return tuple(singles)


def _joining(order: tuple[tuple[int, int], ...], wishes: tuple[Wish, ...], moved: int) -> tuple[Wish, ...]:
    """Some pieces in their order: the first of each wish goes as described, the others join it."""
    gone = {number for number, wish in enumerate(wishes) if wish.types & moved}
    steps = []
    for number, piece in order:
        wish = wishes[number]
        steps.append(Wish(piece, wish.heroic & piece, wish.target, COMBINE if number in gone else wish.kinds))
        gone.add(number)
    return tuple(steps)


def _play_in_order(
    position: Position, origin: int, singles: tuple[Wish, ...], rules: Rules
) -> tuple[PlayedSteps | None, Session | None]:
    numbers: list[int] = []
    session = position.session
    for wish in singles:
        if numbers and position.session is None:
            return None, None
        if wish.heroic & ~(position.unit_on(origin) >> HEROIC_SHIFT):
            return None, None
        fitting = [
            n
            for n in steps_from(position, origin, rules)
            if n >> 8 & 255 == wish.target and n >> 16 & TYPES == wish.types and n >> 27 & wish.kinds
        ]
        if len(fitting) != 1:
            return None, None
        session = taken(position, fitting[0], rules).session
        position = play(position, fitting[0], rules)
        numbers.append(fitting[0])
    return PlayedSteps(tuple(numbers), position), session


# --- writing a turn ---------------------------------------------------------------------------------


class _Told(NamedTuple):
    """A turn in words: what stays, and its steps with and without the results of combinations."""

    origin: int
    stay: str
    plain: list[str]
    full: list[str]
    end: Position
    """The position before the commit, with its session open."""


def write_turn(position: Position, turn: Turn | Session, rules: Rules = USUAL) -> str:
    """A deploy turn in canonical notation, with results and mark.

    `position` is the one the turn is played from; for a session that was read from a text without its
    start, the position of the moment. An open session is written as if it were committed now, and without a
    mark if it cannot be. The turn is written from its start, or, where a text did not say what the first
    steps were, from there on.
    """
    told = _tell(position, turn, rules)
    line = ",".join(told.full)
    rivals = _rivals(told, rules)
    if rivals:
        unit, sign, rest = line.partition(">")
        line = unit + hint(told.origin, rivals) + sign + rest
    mark = mark_of(commit(told.end, rules), rules) if may_commit(told.end) else ""
    return _with_stay(told, line) + mark


def write_turn_plain(position: Position, turn: Turn | Session, rules: Rules = USUAL) -> str:
    """A deploy turn without disambiguator, results and mark."""
    told = _tell(position, turn, rules)
    return _with_stay(told, ",".join(told.plain))


def write_turn_lan(position: Position, turn: Turn | Session, rules: Rules = USUAL) -> str:
    """A deploy turn with its origin: ``c5:(FT):N>c6``."""
    told = _tell(position, turn, rules)
    return f"{SQUARES[told.origin]}:{told.stay}:{','.join(told.plain)}"


def _with_stay(told: _Told, steps: str) -> str:
    return f"{told.stay}<{steps}" if told.stay else steps


def _rivals(told: _Told, rules: Rules) -> list[int]:
    """Other own squares with the same pieces that could take the same steps."""
    session = told.end.session
    if session is None or session.start is None:
        return []
    start, types = session.start, session.original & (TYPES | BLUE_BIT)
    alike = [
        square
        for square, unit in enumerate(start.board())
        if unit & (TYPES | BLUE_BIT) == types and square != told.origin
    ]
    if not alike:
        return []
    wishes = tuple(Wish(s.unit & TYPES, 0, s.target, s.flags & ~DEPLOY) for s in session.steps)
    return [square for square in alike if play_wishes(start, square, wishes, rules) is not None]


def _tell(position: Position, turn: Turn | Session, rules: Rules) -> _Told:
    end = _end_of(position, turn, rules)
    session = end.session
    if session is None:
        raise ValueError("a turn without steps says nothing outside a session")
    results = _results(end, session, rules)
    plain = [f"{unit_text(step.unit)}{SIGNS[step.flags]}{SQUARES[step.target]}" for step in session.steps]
    full = [
        text + (unit_text(result) if step.flags & COMBINE else "")
        for text, step, result in zip(plain, session.steps, results, strict=True)
    ]
    origin = session.origin_square
    left = remaining_types(session) & end.unit_on(origin)
    stay = unit_text(end.unit_on(origin) & (left | left << HEROIC_SHIFT)) if left else ""
    return _Told(origin, stay, plain, full, end)


def _end_of(position: Position, turn: Turn | Session, rules: Rules) -> Position:
    """The position at the end of a turn, before its commit."""
    if isinstance(turn, Session):
        if turn.start is None:
            return position
        board = turn.start
        for step in turn.steps:
            board = _advanced(board, turn.origin_square, step, rules)
        return with_session(board, turn)
    for number in turn.steps[:-1]:
        position = play(position, number, rules)
    return taken(position, turn.steps[-1], rules) if turn.steps else position


def _results(end: Position, session: Session, rules: Rules) -> list[int]:
    """What stood on the target of each step after it."""
    board = session.start
    results = []
    for index, step in enumerate(session.steps):
        if board is not None:
            results.append(board.unit_on(step.target) | step.unit)
            board = _advanced(board, session.origin_square, step, rules)
            continue
        # Only the end is known: who came later is taken away.
        later = 0
        for other in session.steps[index + 1 :]:
            later |= other.unit & TYPES if other.target == step.target else 0
        results.append(end.unit_on(step.target) & ~(later | later << HEROIC_SHIFT))
    return results


def _advanced(board: Position, origin: int, step: Step, rules: Rules) -> Position:
    """The board after a step, its pieces going with the marks they have in the list of steps."""
    types = step.unit & TYPES
    marked = board.unit_on(origin) & ~(types << HEROIC_SHIFT) | step.unit
    number = origin | step.target << 8 | types << 16 | step.flags << 27
    return stepped(with_unit(board, origin, marked), number, rules.last_guard)
