"""What the class `CoTuLenh` hands out of a game: moves and deploy sessions as values.

Writing: `to_dict` of each value is JSON-ready, with the names of the source documents; a value also answers
to these names in brackets, such as ``move["from"]`` and ``session["stackSquare"]``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntFlag
from typing import Any, Final, NamedTuple

from forsyth.games.cotulenh.board import SQUARES
from forsyth.games.cotulenh.documents.piece_values import Piece, flat_pieces, piece_of, whole_piece
from forsyth.games.cotulenh.notation.deploy_fen import write_step
from forsyth.games.cotulenh.notation.san import write_lan, write_san
from forsyth.games.cotulenh.notation.write import encode
from forsyth.games.cotulenh.position import Position, Session
from forsyth.games.cotulenh.rules import deploy, turns
from forsyth.games.cotulenh.rules.generate import CAPTURE, STAY, SUICIDE
from forsyth.games.cotulenh.rules.moves import FLAG_LETTERS, Move, Rules
from forsyth.games.cotulenh.stacks import BLUE_BIT, HEROIC_SHIFT, TYPES, write_unit


class BITS(IntFlag):
    """The flags of a move as bits, with the names and numbers of the source documents."""

    NORMAL = 1
    CAPTURE = 2
    STAY_CAPTURE = 4
    SUICIDE_CAPTURE = 8
    DEPLOY = 16
    COMBINATION = 32


def _named(value: object, name: str, names: Mapping[str, str]) -> Any:
    """What a value has under a name of the source documents; raises `KeyError`."""
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
    """None for a deploy turn, whose `steps` tell where each piece went."""
    piece: Piece
    """What moves; of a deploy turn the whole stack."""
    captures: tuple[Piece, ...]
    """Every captured unit: a deploy turn may have several."""
    flags: str
    """n quiet, c capture, s stay capture, k suicide capture, d deploy, b combination."""
    san: str
    lan: str
    before: str
    after: str
    completed: bool = True
    """Whether the turn is over."""
    stay: Piece | None = None
    """What a deploy turn left on its square."""
    steps: tuple[tuple[Piece, str], ...] = ()
    """Of a deploy turn, each piece and its square."""

    @property
    def to(self) -> str | dict[str, Piece]:
        """Where it goes; of a deploy turn each square with what went there."""
        return self.to_square if self.to_square is not None else {at: piece for piece, at in self.steps}

    @property
    def captured(self) -> Piece | None:
        """The captured unit, the first where there are several; None where nothing was captured."""
        return self.captures[0] if self.captures else None

    @property
    def bits(self) -> BITS:
        """The flags as the bits of the source documents."""
        return BITS(sum(1 << FLAG_LETTERS.index(letter) for letter in self.flags))

    def __getitem__(self, name: str) -> Any:
        return _named(self, name, _MOVE_NAMES)

    def to_dict(self) -> dict[str, Any]:
        """The record with the names of the source documents; a deploy turn's `to` maps squares to pieces."""
        to = self.to if isinstance(self.to, str) else {at: piece.to_dict() for at, piece in self.to.items()}
        shown: dict[str, Any] = {"color": self.color, "from": self.from_square, "to": to}
        shown |= {"piece": self.piece.to_dict(), "captured": _shown(self.captured)}
        shown |= {"captures": [piece.to_dict() for piece in self.captures], "flags": self.flags}
        shown |= {"san": self.san, "lan": self.lan, "before": self.before, "after": self.after}
        return shown | {"completed": self.completed, "stay": _shown(self.stay)}


def _shown(piece: Piece | None) -> dict[str, Any] | None:
    return None if piece is None else piece.to_dict()


def move_record(position: Position, move: Move, rules: Rules, san: str | None = None) -> MoveRecord:
    """The record of one move or step."""
    number = move.id
    types = number >> 16 & TYPES
    mover = position.unit_at(move.origin) & (types | types << HEROIC_SHIFT | BLUE_BIT)
    after = deploy.play(position, number, rules)
    return MoveRecord(
        position.turn,
        move.origin,
        move.target,
        whole_piece(mover),
        _captured(position, number),
        move.flags,
        write_san(position, move, rules) if san is None else san,
        write_lan(position, move),
        encode(position),
        encode(after),
        after.session is None,
    )


def turn_record(begin: Position, numbers: tuple[int, ...], after: Position, rules: Rules) -> MoveRecord:
    """The record of a deploy turn, or of a part of one: its steps from a position to another."""
    position, captured, session = begin, list[Piece](), begin.session
    for number in numbers:
        captured += _captured(position, number)
        session = deploy.taken(position, number, rules).session
        position = deploy.play(position, number, rules)
    if session is None:
        raise ValueError("a deploy turn has steps or a session")
    told = turns.Turn(numbers, commit=after.session is None and position.session is not None)
    known = bool(session.steps)
    flags = sum({1 << bit for step in session.steps for bit in range(6) if step.flags >> bit & 1})
    return MoveRecord(
        begin.turn,
        session.origin,
        None,
        whole_piece(session.original),
        tuple(captured),
        "".join(letter for bit, letter in enumerate(FLAG_LETTERS) if flags >> bit & 1) or "d",
        turns.write_turn(begin, told if numbers else session, rules) if known else turns.COMMIT_TEXT,
        turns.write_turn_lan(begin, told if numbers else session, rules) if known else turns.COMMIT_TEXT,
        encode(begin),
        encode(after),
        after.session is None,
        piece_of(deploy.remaining_unit(after, session)),
        tuple((whole_piece(step.unit), SQUARES[step.target]) for step in session.steps),
    )


def _captured(position: Position, number: int) -> tuple[Piece, ...]:
    unit = position.unit_on(number >> 8 & 255)
    return (whole_piece(unit),) if unit and number >> 27 & (CAPTURE | STAY | SUICIDE) else ()


# --- sessions ---------------------------------------------------------------------------------------

_SESSION_NAMES: Final = {
    "stackSquare": "origin",
    "turn": "color",
    "originalPiece": "original_piece",
    "actions": "actions",
    "startFEN": "start_fen",
    "movedCount": "moved_count",
}


class DeployAction(NamedTuple):
    """One change of the board within a session: a piece is taken from a square or set on one."""

    type: str
    """``remove`` or ``place``."""
    square: str
    piece: Piece


@dataclass(frozen=True, slots=True)
class SessionView:
    """The open deploy session: the stack, what remains of it, what has gone, and whether it may end."""

    origin: str
    color: str
    original: str
    remaining: str | None
    """What is still to move, as a unit; None where nothing is."""
    steps: tuple[str, ...]
    can_commit: bool
    can_cancel: bool
    """False where the session was read from a text that shows the board of the moment only."""
    turn_text: str | None
    """The turn as it would be written if it ended now; None where its steps are not known."""
    original_piece: Piece
    remaining_pieces: tuple[Piece, ...]
    """What is still to move, one by one, carrier first."""
    moved_count: int
    """How many pieces are no longer to move."""
    start_fen: str | None
    """The text of the position before the session; None where that is not known."""
    actions: tuple[DeployAction, ...]
    """What the steps did with the stack's pieces, as far as they are known: a removal and a placing for each
    piece; no placing where it was lost, and nothing where it captured from where it stands."""

    @property
    def stack_square(self) -> str:
        """The square that the stack deploys from: `origin` by the name of the source documents."""
        return self.origin

    @property
    def stackSquare(self) -> str:  # noqa: N802 - the source document's own spelling
        """`stack_square`, as the source document reads it."""
        return self.origin

    @property
    def turn(self) -> str:
        """Who deploys: `color` by the name of the source documents."""
        return self.color

    def __getitem__(self, name: str) -> Any:
        return _named(self, name, _SESSION_NAMES)

    def to_dict(self) -> dict[str, Any]:
        """The session as JSON-ready data."""
        return {name: getattr(self, name) for name in self.__slots__} | {
            "steps": list(self.steps),
            "original_piece": self.original_piece.to_dict(),
            "remaining_pieces": [piece.to_dict() for piece in self.remaining_pieces],
            "actions": [{**action._asdict(), "piece": action.piece.to_dict()} for action in self.actions],
        }


def session_view(position: Position, rules: Rules) -> SessionView | None:
    """The open session of a position, or None."""
    session = position.session
    if session is None:
        return None
    left = deploy.remaining_unit(position, session)
    return SessionView(
        session.origin,
        position.turn,
        write_unit(session.original),
        write_unit(left) if left else None,
        tuple(write_step(step) for step in session.steps),
        deploy.may_commit(position),
        session.start is not None,
        turns.write_turn(position, session, rules) if session.steps else None,
        whole_piece(session.original),
        flat_pieces(left) if left else (),
        session.moved_types.bit_count(),
        None if session.start is None else encode(session.start),
        _actions(session),
    )


def _actions(session: Session) -> tuple[DeployAction, ...]:
    found: list[DeployAction] = []
    for step in session.steps:
        if step.flags & STAY:
            continue
        for piece in flat_pieces(step.unit):
            found.append(DeployAction("remove", session.origin, piece))
            if not step.flags & SUICIDE:
                found.append(DeployAction("place", SQUARES[step.target], piece))
    return tuple(found)
