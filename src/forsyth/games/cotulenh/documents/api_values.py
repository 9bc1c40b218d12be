"""The values that the class `CoTuLenh` returns: moves and deploy sessions.

`to_dict` of each value returns JSON-ready data. The names of the source documents also work in brackets, such
as ``move["from"]`` and ``session["stackSquare"]``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntFlag
from typing import Any, Final, NamedTuple

from forsyth.games.cotulenh.board import SQUARES
from forsyth.games.cotulenh.documents.piece_values import (
    Piece,
    make_member_pieces,
    make_piece,
    make_piece_or_none,
)
from forsyth.games.cotulenh.notation.deploy_fen import write_step
from forsyth.games.cotulenh.notation.san import write_lan, write_san
from forsyth.games.cotulenh.notation.write import encode
from forsyth.games.cotulenh.position import Position, Session, Step
from forsyth.games.cotulenh.rules import deploy, turns
from forsyth.games.cotulenh.rules.generate import CAPTURE, STAY, SUICIDE
from forsyth.games.cotulenh.rules.moves import FLAG_LETTERS, Move, Rules, move_from_number
from forsyth.games.cotulenh.rules.packed_moves import get_flags, get_moving_types, get_target
from forsyth.games.cotulenh.stacks import select_members, write_unit


class BITS(IntFlag):
    """The flags of a move as bits, with the names and numbers of the source documents."""

    NORMAL = 1
    CAPTURE = 2
    STAY_CAPTURE = 4
    SUICIDE_CAPTURE = 8
    DEPLOY = 16
    COMBINATION = 32


def _get_by_document_name(value: object, name: str, names: Mapping[str, str]) -> Any:
    """Return the attribute of `value` that the source documents call `name`.

    `names` maps their names to attributes, such as ``from`` to `from_square`. Raise `KeyError` if it does not
    contain `name`.
    """
    return getattr(value, names[name])


# --- moves ------------------------------------------------------------------------------------------

_MOVE_NAMES: Final = {
    "from": "from_square",
    **{name: name for name in ("color", "to", "piece", "captured", "flags", "san", "lan", "before", "after")},
    **{name: name for name in ("completed", "stay")},
}


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """A move, a deploy step or a whole deploy turn, with the texts before and after it."""

    color: str
    from_square: str
    to_square: str | None
    """The target, or None for a deploy turn, whose `steps` have the target of each piece."""
    piece: Piece
    """The moving piece, or the whole stack of a deploy turn."""
    captures: tuple[Piece, ...]
    """All captured units. A deploy turn may have several."""
    flags: str
    """The letters n quiet, c capture, s stay capture, k suicide capture, d deploy and b combination."""
    san: str
    lan: str
    before: str
    after: str
    completed: bool = True
    """Whether the turn is over."""
    stay: Piece | None = None
    """The pieces that a deploy turn left on its square, or None."""
    steps: tuple[tuple[Piece, str], ...] = ()
    """The pieces of a deploy turn, each with its target."""
    step_records: tuple[MoveRecord, ...] = ()
    """The records of the steps of a deploy turn, without those that were read from a text."""

    @property
    def to(self) -> str | dict[str, Piece]:
        """The target square, or a mapping from target squares to pieces for a deploy turn."""
        if self.to_square is not None:
            return self.to_square
        return {target: piece for piece, target in self.steps}

    @property
    def captured(self) -> Piece | None:
        """The captured unit, the first if there are several, or None if there is none."""
        return self.captures[0] if self.captures else None

    @property
    def bits(self) -> BITS:
        """The flags as the bits of the source documents."""
        return BITS(sum(1 << FLAG_LETTERS.index(letter) for letter in self.flags))

    def __getitem__(self, name: str) -> Any:
        return _get_by_document_name(self, name, _MOVE_NAMES)

    def to_dict(self) -> dict[str, Any]:
        """Return the record as JSON-ready data with the names of the source documents.

        ``to`` is the name of a square. For a deploy turn it maps each target square to its piece.
        """
        target: str | dict[str, Any]
        if isinstance(self.to, str):
            target = self.to
        else:
            target = {square: piece.to_dict() for square, piece in self.to.items()}
        return {
            "color": self.color,
            "from": self.from_square,
            "to": target,
            "piece": self.piece.to_dict(),
            "captured": _piece_to_dict(self.captured),
            "captures": [piece.to_dict() for piece in self.captures],
            "flags": self.flags,
            "san": self.san,
            "lan": self.lan,
            "before": self.before,
            "after": self.after,
            "completed": self.completed,
            "stay": _piece_to_dict(self.stay),
            "steps": [record.to_dict() for record in self.step_records],
        }


def _piece_to_dict(piece: Piece | None) -> dict[str, Any] | None:
    """Return a piece as JSON-ready data, or None if there is no piece."""
    return None if piece is None else piece.to_dict()


def make_move_record(position: Position, move: Move, rules: Rules, san: str | None = None) -> MoveRecord:
    """Return the record of a legal move or deploy step: its squares, pieces, notation and texts.

    Args:
        position: The position before the move.
        move: The move.
        rules: The rule options.
        san: The canonical notation of the move. None means that it has to be computed.
    """
    after = deploy.play_packed_move(position, move.id, rules)
    moving_unit = select_members(position.unit_at(move.origin), get_moving_types(move.id))
    return MoveRecord(
        color=position.turn,
        from_square=move.origin,
        to_square=move.target,
        piece=make_piece(moving_unit),
        captures=_list_captures(position, move.id),
        flags=move.flags,
        san=write_san(position, move, rules) if san is None else san,
        lan=write_lan(position, move),
        before=encode(position),
        after=encode(after),
        completed=after.session is None,
    )


def make_turn_record(
    start: Position, packed_steps: tuple[int, ...], after: Position, rules: Rules
) -> MoveRecord:
    """Return the record of a deploy turn, completed or open: its pieces, steps and notation.

    Raise `ValueError` if there are no steps and no session is open.

    Args:
        start: The position before the first step.
        packed_steps: The steps that are played from there, each one number as in `Move.id`. There may be none
            if `start` has an open session.
        after: The position after the last step and, if the turn is over, the commit.
        rules: The rule options.
    """
    # The session after the last step, before any commit.
    session = start.session
    position = start
    captures: list[Piece] = []
    step_records: list[MoveRecord] = []
    for packed_step in packed_steps:
        captures += _list_captures(position, packed_step)
        step_records.append(make_move_record(position, move_from_number(packed_step), rules))
        session = deploy.take_step(position, packed_step, rules).session
        position = deploy.play_packed_move(position, packed_step, rules)
    if session is None:
        raise ValueError("the deploy turn has no steps, expected at least one step or an open session")

    is_committed = after.session is None and position.session is not None
    turn = turns.Turn(packed_steps, commit=is_committed) if packed_steps else session
    # The steps of a session may be unknown.
    san = turns.write_turn(start, turn, rules) if session.steps else turns.COMMIT_TEXT
    lan = turns.write_turn_lan(start, turn, rules) if session.steps else turns.COMMIT_TEXT
    return MoveRecord(
        color=start.turn,
        from_square=session.origin,
        to_square=None,
        piece=make_piece(session.original),
        captures=tuple(captures),
        flags=_write_flags(session.steps) or "d",
        san=san,
        lan=lan,
        before=encode(start),
        after=encode(after),
        completed=after.session is None,
        stay=make_piece_or_none(deploy.get_remaining_unit(after, session)),
        steps=tuple((make_piece(step.unit), SQUARES[step.target]) for step in session.steps),
        step_records=tuple(step_records),
    )


def _write_flags(steps: Iterable[Step]) -> str:
    """Return the letters of all flags that occur in deploy steps, such as ``cd``.

    They are in the order of FLAG_LETTERS.
    """
    all_flags = 0
    for step in steps:
        all_flags |= step.flags
    return "".join(letter for bit, letter in enumerate(FLAG_LETTERS) if all_flags >> bit & 1)


def _list_captures(position: Position, packed_move: int) -> tuple[Piece, ...]:
    """Return the unit that a packed move captures: a tuple of one piece, or an empty one.

    A packed move is a move as one number, as in `Move.id`.
    """
    is_capture = get_flags(packed_move) & (CAPTURE | STAY | SUICIDE)
    target_unit = position.unit_on(get_target(packed_move))
    return (make_piece(target_unit),) if target_unit and is_capture else ()


# --- sessions ---------------------------------------------------------------------------------------

_SESSION_NAMES: Final = {
    "stackSquare": "origin",
    "turn": "color",
    "originalPiece": "original_piece",
    "remainingPieces": "remaining_pieces",
    "actions": "actions",
    "startFEN": "start_fen",
    "movedCount": "moved_count",
}


class DeployAction(NamedTuple):
    """One change of the board in a session: a piece is removed from a square or placed on one."""

    type: str
    """``remove`` or ``place``."""
    square: str
    piece: Piece


@dataclass(frozen=True, slots=True)
class SessionView:
    """The open deploy session: its stack, its remaining pieces and steps, and how it may end."""

    origin: str
    color: str
    original: str
    remaining: str | None
    """The pieces that have not moved yet, as a unit such as ``(FT)``, or None if there are none."""
    steps: tuple[str, ...]
    can_commit: bool
    can_cancel: bool
    """False if the session was read from a text that contains only the current board."""
    turn_text: str | None
    """The notation of the turn if it ended now, or None if its steps are not known."""
    original_piece: Piece
    remaining_pieces: tuple[Piece, ...]
    """The pieces that have not moved yet, carrier first."""
    moved_count: int
    """Number of pieces that have moved already."""
    start_fen: str | None
    """The text of the position before the session, or None if it is not known."""
    actions: tuple[DeployAction, ...]
    """The changes that the known steps made to the pieces of the stack: a removal and a placement for each
    piece. A suicide capture has only the removal, and a stay capture has no change."""

    @property
    def stack_square(self) -> str:
        """The square from which the stack deploys: `origin` by the name of the source documents."""
        return self.origin

    @property
    def stackSquare(self) -> str:  # noqa: N802 - the source document's own spelling
        """The square from which the stack deploys, in the spelling of the source document."""
        return self.origin

    @property
    def turn(self) -> str:
        """The side that deploys: `color` by the name of the source documents."""
        return self.color

    def __getitem__(self, name: str) -> Any:
        return _get_by_document_name(self, name, _SESSION_NAMES)

    def to_dict(self) -> dict[str, Any]:
        """Return the session as JSON-ready data: a mapping with all fields of this class."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        # The fields that are not JSON-ready as they are.
        return fields | {
            "steps": list(self.steps),
            "original_piece": self.original_piece.to_dict(),
            "remaining_pieces": [piece.to_dict() for piece in self.remaining_pieces],
            "actions": [{**action._asdict(), "piece": action.piece.to_dict()} for action in self.actions],
        }


def make_session_view(position: Position, rules: Rules) -> SessionView | None:
    """Return a readable summary of the open deploy session, or None if there is none.

    In a deploy session the pieces of a stack leave it one by one. `rules` are the rule options, which
    determine how the steps are written.
    """
    session = position.session
    if session is None:
        return None
    remaining = deploy.get_remaining_unit(position, session)
    return SessionView(
        origin=session.origin,
        color=position.turn,
        original=write_unit(session.original),
        remaining=write_unit(remaining) if remaining else None,
        steps=tuple(write_step(step) for step in session.steps),
        can_commit=deploy.may_commit(position),
        can_cancel=session.start is not None,
        turn_text=turns.write_turn(position, session, rules) if session.steps else None,
        original_piece=make_piece(session.original),
        remaining_pieces=make_member_pieces(remaining) if remaining else (),
        moved_count=session.moved_types.bit_count(),
        start_fen=None if session.start is None else encode(session.start),
        actions=_list_actions(session),
    )


def _list_actions(session: Session) -> tuple[DeployAction, ...]:
    """Return the changes that the steps of a deploy session made to the pieces of its stack.

    A piece is removed from the origin and placed on its target. A suicide capture has only the removal, and a
    stay capture has no change.
    """
    actions: list[DeployAction] = []
    for step in session.steps:
        if step.flags & STAY:
            continue
        for piece in make_member_pieces(step.unit):
            actions.append(DeployAction("remove", session.origin, piece))
            if not step.flags & SUICIDE:
                actions.append(DeployAction("place", SQUARES[step.target], piece))
    return tuple(actions)
