# cython: annotation_typing=False
"""Whole turns of CoTuLenh: the commit, and deploy turns as one text.

A deploy turn is written ``T<(NF)>c6``: the pieces that stay, then every step. Pieces that travelled together
are one step. The long form names the origin: ``c5:T:(NF)>c6``.

Steps have no disambiguator, unless another own stack of the same pieces could take the same steps. Then the
first step gets one (``N<Fc>d4``). A combination shows its result, and the end of the turn its mark ``^`` or
``#``. A single step has no mark.

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
from forsyth.games.cotulenh.rules.attacks import TYPES_SHIFT
from forsyth.games.cotulenh.rules.deploy import (
    cancel,
    commit,
    get_remaining_types,
    list_legal_deploy_steps,
    list_legal_moves,
    may_commit,
    play_packed_move,
    take_step,
)
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
from forsyth.games.cotulenh.rules.moves import (
    DEFAULT_RULES,
    Move,
    Rules,
    apply_step,
    is_legal_turn_move,
)
from forsyth.games.cotulenh.rules.outcome import choose_check_mark
from forsyth.games.cotulenh.rules.packed_moves import get_flags, get_moving_types, get_target
from forsyth.games.cotulenh.stacks import (
    BLUE_BIT,
    HEROIC_SHIFT,
    TYPES,
    get_carrier_type,
    get_heroic_types,
    select_members,
    split_unit,
    write_unit,
)

MAX_STACK_SIZE: Final = 3
"""The largest number of pieces in a stack."""
FILE_COUNT: Final = len(FILES)


@dataclass(frozen=True, slots=True)
class Turn:
    """A deploy turn, or the part of one that is still to be played, as one move.

    `steps` are the packed steps in the order in which they are played, with those that join another piece.
    `commit` is true if the session is committed after them. A session that ends automatically needs no
    commit.
    """

    steps: tuple[int, ...]
    commit: bool = False


@dataclass(frozen=True, slots=True)
class Commit:
    """The commit of the open deploy session, as a move."""


@dataclass(frozen=True, slots=True)
class Cancel:
    """The cancellation of the open deploy session, as a move back to the position before it."""


COMMIT: Final = Commit()
COMMIT_TEXT: Final = "commit"
"""Move text of the commit of a session whose steps are not known."""
CANCEL: Final = Cancel()
CANCEL_TEXT: Final = "cancel"

Action = Move | Turn | Commit | Cancel
"""Any meaning of a move text."""


def play_turn(position: Position, turn: Turn, rules: Rules = DEFAULT_RULES) -> Position:
    """Return the position after all steps of a deploy turn, and after its commit if it has one.

    The steps are played in order. Their legality is not tested, see `is_legal_action`.
    """
    for packed_step in turn.steps:
        position = play_packed_move(position, packed_step, rules)
    return commit(position, rules) if turn.commit else position


def play_action(position: Position, action: Action, rules: Rules = DEFAULT_RULES) -> Position:
    """Return the position after a move, deploy step, deploy turn, commit or cancellation.

    A cancellation leads back to the position before the open deploy session. Whether the action is legal is
    not tested, see `is_legal_action`.
    """
    if isinstance(action, Turn):
        return play_turn(position, action, rules)
    if isinstance(action, Commit):
        return commit(position, rules)
    if isinstance(action, Cancel):
        return cancel(position)
    return play_packed_move(position, action.id, rules)


def is_legal_action(position: Position, action: Action, rules: Rules = DEFAULT_RULES) -> bool:
    """Return whether a move, deploy step, deploy turn, commit or cancellation is legal.

    A deploy turn is legal if each of its steps is legal after the ones before it. A turn without steps is
    legal only if it commits an open session.
    """
    if isinstance(action, Move):
        return _is_legal_packed_move(position, action.id, rules)
    if isinstance(action, Commit):
        return may_commit(position)
    if isinstance(action, Cancel):
        return position.session is not None and position.session.start is not None
    return _is_legal_turn(position, action, rules)


def _is_legal_turn(position: Position, turn: Turn, rules: Rules) -> bool:
    """Return whether each step of a deploy turn is legal after the ones before it.

    The same holds for its commit, if it has one. A turn without steps is legal only if it commits an open
    session.
    """
    for packed_step in turn.steps:
        if not _is_legal_packed_move(position, packed_step, rules):
            return False
        position = play_packed_move(position, packed_step, rules)
    return may_commit(position) if turn.commit else bool(turn.steps)


def _is_legal_packed_move(position: Position, packed_move: int, rules: Rules) -> bool:
    """Return whether a packed move, a move as one number, is legal.

    While a deploy session is open, only its steps are legal.
    """
    if position.session is None:
        return is_legal_turn_move(position, packed_move, rules.last_guard)
    return packed_move in list_legal_moves(position, rules)


def write_action(position: Position, action: Action, rules: Rules = DEFAULT_RULES) -> str:
    """Return an action in canonical notation, such as ``Tc6``, ``T<(NF)>c6`` or ``cancel``.

    A commit is written as the whole deploy turn that it ends, or as ``commit`` if the steps of the session
    are not known. Raise ValueError if the action is a commit and no deploy session is open.
    """
    if isinstance(action, Turn):
        return write_turn(position, action, rules)
    if isinstance(action, Move):
        # Imported here, because `san_write` imports this module.
        from forsyth.games.cotulenh.notation.san import write_san

        return write_san(position, action, rules)
    if isinstance(action, Cancel):
        return CANCEL_TEXT
    session = position.session
    if session is None:
        raise ValueError("a commit cannot be written, expected a position with an open deploy session")
    return write_turn(position, session, rules) if session.has_known_steps else COMMIT_TEXT


# --- the parts of a written move --------------------------------------------------------------------


@lru_cache(maxsize=1024)
def format_unit(unit: int) -> str:
    """Return a unit, a piece or stack as one number, as letters: ``T``, ``+T`` or ``(NF)``.

    The results are cached, because every written move needs one and there are few different units.
    """
    return write_unit(unit)


def _format_sign(flags: int) -> str:
    """Return the sign between piece and target in a move text: ``x`` in ``Txc6``.

    `flags` are the flags of the packed move as bits. The sign of a deploy step begins with ``>``, as in
    ``T>xc6``. A quiet move has no sign.
    """
    deploy_sign = ">" if flags & DEPLOY else ""
    for flag, sign in ((CAPTURE, "x"), (STAY, "_"), (SUICIDE, "@"), (COMBINE, "&")):
        if flags & flag:
            return deploy_sign + sign
    return deploy_sign


SIGNS: Final = tuple(_format_sign(flags) for flags in range(FLAG_MASK + 1))
"""Sign between unit and target in a move text, for each set of flags."""


def find_disambiguator(origin: int, other_origins: Iterable[int]) -> str:
    """Return the shortest text that distinguishes an origin from other origins.

    The text is the file (``c``), the rank (``5``) or the whole square (``c5``). It is empty if there are no
    other origins. All origins are square numbers.
    """
    other_squares = list(other_origins)
    if not other_squares:
        return ""
    rank, file = divmod(origin, FILE_COUNT)
    other_files = [square % FILE_COUNT for square in other_squares]
    other_ranks = [square // FILE_COUNT for square in other_squares]
    if file not in other_files:
        return FILES[file]
    if rank not in other_ranks:
        return str(rank + 1)
    return SQUARES[origin]


# --- playing the steps of a text --------------------------------------------------------------------


class StepPattern(NamedTuple):
    """One deploy step as a move text describes it, such as ``(NF)>c6``.

    `types` is the set of the piece types that move, `heroic` the set of those that the text marks with ``+``.
    `target` is the number of the square they move to. `flags` are flags of a packed move without DEPLOY. A
    step fits if it has at least one of them.
    """

    types: int
    heroic: int
    target: int
    flags: int

    def matches(self, step: Step) -> bool:
        """Return whether a played step fits this pattern: types, target and one of the flags.

        Every piece that the text marks as heroic must be heroic. Other pieces may be heroic, too.
        """
        plain_but_marked = self.heroic & ~get_heroic_types(step.unit)
        return (
            step.unit & TYPES == self.types
            and step.target == self.target
            and (step.flags & self.flags) != 0
            and not plain_but_marked
        )

    def has_same_marks(self, step: Step) -> bool:
        """Return whether the text marks exactly those pieces as heroic that are heroic in the step."""
        return self.heroic == get_heroic_types(step.unit)


class _SinglePiece(NamedTuple):
    """A piece that a move text names and that still has to move."""

    pattern_index: int
    """The index of the pattern to which it belongs."""
    type_bit: int


class PlayedSteps(NamedTuple):
    """The packed deploy steps that were found for a move text, and the position after them."""

    numbers: tuple[int, ...]
    """The packed steps, as in `Move.id`."""
    position: Position


def play_step_patterns(
    position: Position, origin: int, patterns: tuple[StepPattern, ...], rules: Rules
) -> PlayedSteps | None:
    """Return the legal single-piece steps that a move text describes, or None if there are none.

    The text ``(NF)>c6`` is played as N to c6, then F joins it. Every order of the pieces is tried. The first
    that gives the steps and the heroic marks of the text wins, else the first that gives its steps or is its
    order. In an open session, a text that names moved pieces describes the whole turn.

    Args:
        position: The position to play from, with or without a session.
        origin: The number of the square that the stack deploys from.
        patterns: The steps that the text describes, in order.
        rules: The rule options.
    """
    moved_types = position.session.moved_types if position.session else 0
    is_whole_turn = any(pattern.types & moved_types for pattern in patterns)
    written_order = _list_single_pieces(patterns, moved_types)
    if not 0 < len(written_order) <= MAX_STACK_SIZE:
        return None
    # The steps of the session that the text does not describe.
    skipped_count = len(position.session.steps) if position.session and not is_whole_turn else 0

    fallback: PlayedSteps | None = None
    for order in permutations(written_order):
        single_patterns = _expand_patterns(order, patterns, moved_types)
        played, session = _play_in_order(position, origin, single_patterns, rules)
        if played is None or session is None:
            continue
        steps = session.steps[skipped_count:]
        has_same_steps = len(steps) == len(patterns) and all(map(StepPattern.matches, patterns, steps))
        if has_same_steps and all(map(StepPattern.has_same_marks, patterns, steps)):
            return played
        is_written_order = order == written_order and not is_whole_turn
        if fallback is None and (has_same_steps or is_written_order):
            fallback = played
    return fallback


def _list_single_pieces(patterns: tuple[StepPattern, ...], moved_types: int) -> tuple[_SinglePiece, ...]:
    """Return each piece that a move text names and that still has to move.

    The pieces of a pattern follow each other, the carrier first. The result is empty if two patterns name the
    same type, or if the types of a pattern are neither a piece nor a legal stack.

    Args:
        patterns: The steps of a deploy turn as a text describes them.
        moved_types: The set of the types that have moved already in the open session.
    """
    pieces: list[_SinglePiece] = []
    named_types = 0
    for pattern_index, pattern in enumerate(patterns):
        if pattern.types & named_types or get_carrier_type(pattern.types) < 0:
            return ()
        named_types |= pattern.types
        unmoved_types = pattern.types & ~moved_types
        pieces += [_SinglePiece(pattern_index, type_bit) for type_bit in split_unit(unmoved_types)]
    return tuple(pieces)


def _expand_patterns(
    order: tuple[_SinglePiece, ...], patterns: tuple[StepPattern, ...], moved_types: int
) -> tuple[StepPattern, ...]:
    """Return one step pattern for each single piece, in the given order.

    For ``(NF)>c6`` these are N to c6, and F that joins it there. The first piece of a pattern moves as
    described, and the others get the flag COMBINE.

    Args:
        order: The pieces to move, in order.
        patterns: The steps as the text describes them; one step can move several pieces.
        moved_types: The set of the types that have moved already, so that others of their pattern join them.
    """
    started_patterns = {index for index, pattern in enumerate(patterns) if pattern.types & moved_types}
    single_patterns = []
    for pattern_index, type_bit in order:
        pattern = patterns[pattern_index]
        flags = COMBINE if pattern_index in started_patterns else pattern.flags
        single_patterns.append(StepPattern(type_bit, pattern.heroic & type_bit, pattern.target, flags))
        started_patterns.add(pattern_index)
    return tuple(single_patterns)


def _play_in_order(
    position: Position, origin: int, patterns: tuple[StepPattern, ...], rules: Rules
) -> tuple[PlayedSteps | None, Session | None]:
    """Play a legal deploy step for each pattern. Return the steps and the session after them.

    The session is the one before any commit. Both results are None if a pattern matches no legal step or more
    than one. `origin` is the number of the square that the stack deploys from.
    """
    packed_steps: list[int] = []
    session = position.session
    for pattern in patterns:
        if packed_steps and position.session is None:
            # The last step ended the turn, so that the remaining patterns cannot be played.
            return None, None
        packed_step = _find_step(position, origin, pattern, rules)
        if packed_step is None:
            return None, None
        session = take_step(position, packed_step, rules).session
        position = play_packed_move(position, packed_step, rules)
        packed_steps.append(packed_step)
    return PlayedSteps(tuple(packed_steps), position), session


def _find_step(position: Position, origin: int, pattern: StepPattern, rules: Rules) -> int | None:
    """Return the only legal deploy step from the square `origin` that fits a pattern.

    The step is packed into one number. Return None if none or several fit, or if a piece that the pattern
    marks as heroic is not heroic.
    """
    if pattern.heroic & ~get_heroic_types(position.unit_on(origin)):
        return None
    fitting_steps = [
        step
        for step in list_legal_deploy_steps(position, origin, rules)
        if get_target(step) == pattern.target
        and get_moving_types(step) == pattern.types
        and get_flags(step) & pattern.flags
    ]
    return fitting_steps[0] if len(fitting_steps) == 1 else None


# --- writing a turn ---------------------------------------------------------------------------------


class _TurnText(NamedTuple):
    """The parts of a written deploy turn such as ``T<(NF)>c6``.

    `stay` are the letters of the pieces that stay on the square `origin`, or an empty text. `plain_steps` are
    the texts of the steps. `full_steps` also contain the stack that results from each combination.
    """

    origin: int
    stay: str
    plain_steps: list[str]
    full_steps: list[str]
    end_position: Position
    """Position before the commit, with its session open."""


def write_turn(position: Position, turn: Turn | Session, rules: Rules = DEFAULT_RULES) -> str:
    """Return a deploy turn in canonical notation, such as ``T<(NF)>c6``.

    In this example T stays, and N carries F to c6. The text contains the result of each combination, and ends
    with ``^`` for check or ``#`` for mate. An open session is written as if it were committed now, without
    these marks if it may not be committed. Raise ValueError for a turn without steps outside a session.

    Args:
        position: The position from which the turn is played. For a session that was read from a text without
            its start, the current position.
        turn: The turn or the open session.
        rules: The rule options.
    """
    turn_text = _compose_turn_text(position, turn, rules)
    steps = ",".join(turn_text.full_steps)
    rivals = _find_ambiguous_origins(turn_text, rules)
    if rivals:
        # The disambiguator follows the pieces of the first step: ``N<Fc>d4``.
        first_pieces, sign, following = steps.partition(">")
        steps = first_pieces + find_disambiguator(turn_text.origin, rivals) + sign + following
    text = _prefix_staying_pieces(turn_text, steps)
    if not may_commit(turn_text.end_position):
        return text
    return text + choose_check_mark(commit(turn_text.end_position, rules), rules)


def write_turn_plain(position: Position, turn: Turn | Session, rules: Rules = DEFAULT_RULES) -> str:
    """Return a deploy turn in its shortest form, such as ``T<(NF)>c6``.

    The text has no origin, no results of combinations and no mark of check or mate.
    """
    turn_text = _compose_turn_text(position, turn, rules)
    return _prefix_staying_pieces(turn_text, ",".join(turn_text.plain_steps))


def write_turn_lan(position: Position, turn: Turn | Session, rules: Rules = DEFAULT_RULES) -> str:
    """Return a deploy turn in the long form, such as ``c5:(FT):N>c6``.

    In this example N leaves c5, where F and T stay. If no piece stays, nothing is between the colons.
    """
    turn_text = _compose_turn_text(position, turn, rules)
    return f"{SQUARES[turn_text.origin]}:{turn_text.stay}:{','.join(turn_text.plain_steps)}"


def _prefix_staying_pieces(turn_text: _TurnText, steps: str) -> str:
    """Return the text of the steps with the staying pieces in front: ``T<(NF)>c6``.

    If no piece stays, the text is unchanged: ``(NF)>c6``.
    """
    return f"{turn_text.stay}<{steps}" if turn_text.stay else steps


def _find_ambiguous_origins(turn_text: _TurnText, rules: Rules) -> list[int]:
    """Return the squares of other own stacks of the same pieces that could take the same steps.

    If there are any, the text of the turn needs a disambiguator. The result is empty if the position before
    the turn is not known.
    """
    session = turn_text.end_position.session
    if session is None or session.start is None:
        return []
    start = session.start
    # Heroic marks do not distinguish stacks, because a text may leave them out.
    types_and_colour = TYPES | BLUE_BIT
    same_stacks = [
        square
        for square, unit in enumerate(start.board())
        if unit & types_and_colour == session.original & types_and_colour and square != turn_text.origin
    ]
    if not same_stacks:
        return []
    patterns = tuple(
        StepPattern(types=step.unit & TYPES, heroic=0, target=step.target, flags=step.flags & ~DEPLOY)
        for step in session.steps
    )
    return [
        square for square in same_stacks if play_step_patterns(start, square, patterns, rules) is not None
    ]


def _compose_turn_text(position: Position, turn: Turn | Session, rules: Rules) -> _TurnText:
    """Return the parts from which the text of a deploy turn is composed.

    Raise ValueError for a turn without steps if no deploy session is open.
    """
    end_position = _play_until_commit(position, turn, rules)
    session = end_position.session
    if session is None:
        raise ValueError("a turn without steps cannot be written, expected steps or an open deploy session")
    target_units = _list_target_units(end_position, session, rules)
    plain_steps, full_steps = [], []
    for step, target_unit in zip(session.steps, target_units, strict=True):
        step_text = f"{format_unit(step.unit)}{SIGNS[step.flags]}{SQUARES[step.target]}"
        result_text = format_unit(target_unit) if step.flags & COMBINE else ""
        plain_steps.append(step_text)
        full_steps.append(step_text + result_text)

    origin_unit = end_position.unit_on(session.origin_square)
    staying_types = get_remaining_types(session) & origin_unit
    stay = format_unit(select_members(origin_unit, staying_types)) if staying_types else ""
    return _TurnText(session.origin_square, stay, plain_steps, full_steps, end_position)


def _play_until_commit(position: Position, turn: Turn | Session, rules: Rules) -> Position:
    """Return the position after all steps of a deploy turn, with its session still open.

    `turn` is a turn that begins in `position`, or an open session. A session whose start is known is replayed
    from there, so that each piece has the heroic marks that its step recorded.
    """
    if isinstance(turn, Session):
        if turn.start is None:
            return position
        replayed = turn.start
        for step in turn.steps:
            replayed = _apply_recorded_step(replayed, turn.origin_square, step, rules)
        return with_session(replayed, turn)
    for packed_step in turn.steps[:-1]:
        position = play_packed_move(position, packed_step, rules)
    # The last step is played without the commit that `play_packed_move` may add.
    return take_step(position, turn.steps[-1], rules) if turn.steps else position


def _list_target_units(end_position: Position, session: Session, rules: Rules) -> list[int]:
    """Return, for each step of a session, the unit on its target right after the step.

    If N goes to c6 and F joins it there, the units are N and ``(NF)``. `end_position` is the position after
    all steps. It is used if the position before the session is not known.
    """
    if session.start is None:
        return _list_target_units_from_end(end_position, session)
    target_units = []
    position = session.start
    for step in session.steps:
        target_units.append(position.unit_on(step.target) | step.unit)
        position = _apply_recorded_step(position, session.origin_square, step, rules)
    return target_units


def _list_target_units_from_end(end_position: Position, session: Session) -> list[int]:
    """Return, for each step of a session, the unit on its target right after the step.

    Only the position after all steps is known. The pieces that arrived on the target later are therefore
    removed from the unit that stands there at the end.
    """
    target_units = []
    for index, step in enumerate(session.steps):
        later_types = 0
        for later_step in session.steps[index + 1 :]:
            if later_step.target == step.target:
                later_types |= later_step.unit & TYPES
        end_unit = end_position.unit_on(step.target)
        later_heroic_marks = later_types << HEROIC_SHIFT
        target_units.append(end_unit & ~(later_types | later_heroic_marks))
    return target_units


def _apply_recorded_step(position: Position, origin: int, step: Step, rules: Rules) -> Position:
    """Return the position after a recorded deploy step, without a session.

    The pieces move with the heroic marks that `step` recorded, even if they have other marks on the board.
    `origin` is the number of the square from which the stack deploys.
    """
    moving_types = step.unit & TYPES
    unmarked_unit = position.unit_on(origin) & ~(moving_types << HEROIC_SHIFT)
    marked_position = with_unit(position, origin, unmarked_unit | step.unit)
    squares = origin | step.target << TARGET_SHIFT
    packed_step = squares | moving_types << TYPES_SHIFT | step.flags << FLAGS_SHIFT
    return apply_step(marked_position, packed_step, rules.last_guard)
