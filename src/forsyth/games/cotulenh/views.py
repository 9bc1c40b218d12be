"""What the class `CoTuLenh` hands out: pieces, moves and sessions as values, attackers and air defence.

Everything is derived from a position by the same functions that play the game. Attackers and air defence are
told here with their squares, where `attacks` only needs to know whether there are any (spec/cotulenh 6, 10).

Writing: `to_dict` of each value is JSON-ready, with the names of the source documents.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from forsyth.arguments import quoted
from forsyth.games.cotulenh import deploy, turns
from forsyth.games.cotulenh.board import DIRECTIONS, FILES, RANK_COUNT, SQUARE_NUMBER, SQUARES
from forsyth.games.cotulenh.generate import CAPTURE, STAY, SUICIDE
from forsyth.games.cotulenh.moves import FLAG_LETTERS, Move, Rules
from forsyth.games.cotulenh.position import Position, Session
from forsyth.games.cotulenh.san import write_lan, write_san
from forsyth.games.cotulenh.stacks import (
    BLUE_BIT,
    HEROIC_SHIFT,
    LETTERS,
    TYPES,
    carrier_of,
    members,
    read_unit,
    write_unit,
)
from forsyth.games.cotulenh.suffix import write_step
from forsyth.games.cotulenh.write import encode

_RANGES: Final = {"T": 2, "S": 2, "A": 3, "N": 4, "F": 4, "H": 0}
_DIAGONAL: Final = frozenset("MASFN")
_SHOOTS_OVER: Final = frozenset("ASFN")
_AIR_LEVELS: Final = {"S": 2, "N": 1, "G": 1}
_FARTHEST: Final = 5
_COLOURS: Final = {"r": 0, "red": 0, "b": BLUE_BIT, "blue": BLUE_BIT}
_PIECE_KEYS: Final = frozenset(("type", "color", "heroic", "carrying"))


# --- pieces -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece with what it carries; `str()` is its text in a FEN, such as ``(N+FT)`` or ``+t``."""

    type: str
    color: str
    heroic: bool = False
    carrying: tuple[Piece, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The piece as JSON-ready data; `carrying` only where something is carried."""
        shown: dict[str, Any] = {"type": self.type, "color": self.color, "heroic": self.heroic}
        if self.carrying:
            shown["carrying"] = [piece.to_dict() for piece in self.carrying]
        return shown

    def __str__(self) -> str:
        return write_unit(unit_of(self), fen=True)


def colour_of(color: object) -> int:
    """The bit of a colour given as ``r``, ``b``, ``red`` or ``blue``; raises `ValueError`."""
    found = _COLOURS.get(color.lower()) if isinstance(color, str) else None
    if found is None:
        raise ValueError(f"{quoted(color)} is not a colour, expected r or b")
    return found


def square_of(name: object) -> int:
    """The number of a square; raises `ValueError`."""
    if not isinstance(name, str) or name not in SQUARE_NUMBER:
        raise ValueError(f"{quoted(name)} is not a square, expected a1 to k12")
    return SQUARE_NUMBER[name]


def type_of(letter: object) -> int:
    """The number of a piece type; raises `ValueError`."""
    unit = read_unit(letter) if isinstance(letter, str) and len(letter) == 1 else 0
    if not unit:
        raise ValueError(f"{quoted(letter)} is not a piece type, expected one of {LETTERS}")
    return carrier_of(unit)


def piece_of(unit: int) -> Piece | None:
    """The piece of a unit; None for an empty square."""
    if not unit:
        return None
    color = "b" if unit & BLUE_BIT else "r"
    carrier, *carried = (
        Piece(LETTERS[carrier_of(single)], color, bool(single >> HEROIC_SHIFT & TYPES))
        for single in members(unit)
    )
    return Piece(carrier.type, color, carrier.heroic, tuple(carried))


def unit_of(piece: object) -> int:
    """The unit of a `Piece`, of its values or of a text such as ``+T`` or ``(nft)``; raises `ValueError`."""
    if isinstance(piece, str):
        return _unit_of_text(piece)
    if isinstance(piece, Piece):
        return _joined(piece, _single(piece.type, piece.color, piece.heroic), piece.carrying)
    if isinstance(piece, Mapping) and {"type", "color"} <= set(piece) <= _PIECE_KEYS:
        single = _single(piece["type"], piece["color"], piece.get("heroic", False))
        return _joined(piece, single, piece.get("carrying") or ())
    raise ValueError(f"{quoted(piece)} is not a piece, expected a text such as (NFT), or its type and color")


def _unit_of_text(text: str) -> int:
    unit = read_unit(text, text == text.lower())
    if not unit or text not in (text.lower(), text.upper()):
        raise ValueError(f"{quoted(text)} is not a piece or stack, expected one such as +T, (NFT) or (nft)")
    return unit


def _single(letter: object, color: object, heroic: object) -> int:
    if not isinstance(heroic, bool):
        raise ValueError(f"heroic is {quoted(heroic)}, expected true or false")
    kind = type_of(letter)
    return 1 << kind | colour_of(color) | (1 << kind + HEROIC_SHIFT if heroic else 0)


def _joined(whole: object, unit: int, carried: object) -> int:
    if not isinstance(carried, list | tuple):
        raise ValueError(f"carrying is {quoted(carried)}, expected a list of pieces")
    carrier = unit & TYPES
    for piece in carried:
        other = unit_of(piece)
        if (unit ^ other) & BLUE_BIT or unit & other & TYPES:
            raise ValueError(f"{quoted(whole)} is not a stack")
        unit |= other
    if carrier_of(unit) < 0 or not carrier >> carrier_of(unit) & 1:
        raise ValueError(f"{quoted(whole)} is not a stack that its first piece carries")
    return unit


# --- attackers and air defence ----------------------------------------------------------------------


class Attacker(NamedTuple):
    """A piece that attacks: where it stands and its letter."""

    square: str
    type: str


Zones = dict[int, tuple[int, ...]]
"""For each covered square the squares of its defenders."""


def air_zones(position: Position, colour: int) -> Zones:
    """The squares that a colour's air defence covers, a1 first."""
    found: dict[int, list[int]] = {}
    for square, unit in enumerate(position.board()):
        if unit and unit & BLUE_BIT == colour:
            for covered in _zone(square, _air_level(unit)):
                found.setdefault(covered, []).append(square)
    return {square: tuple(found[square]) for square in sorted(found)}


def _air_level(unit: int) -> int:
    """The radius of a unit's air defence; only the carrier counts."""
    kind = carrier_of(unit)
    level = _AIR_LEVELS.get(LETTERS[kind], 0)
    return level + (unit >> HEROIC_SHIFT + kind & 1) if level else 0


def _zone(square: int, level: int) -> Iterator[int]:
    if not level:
        return
    for across in range(-level, level + 1):
        for up in range(-level, level + 1):
            covered = _beside(square, across, up)
            if covered is not None and across * across + up * up <= level * level:
                yield covered


def _beside(square: int, across: int, up: int) -> int | None:
    file, rank = square % len(FILES) + across, square // len(FILES) + up
    return rank * len(FILES) + file if 0 <= file < len(FILES) and 0 <= rank < RANK_COUNT else None


def attackers(position: Position, target: int, colour: int) -> Iterator[Attacker]:
    """Every piece of a colour that attacks a square, stack members one by one."""
    zones = air_zones(position, BLUE_BIT - colour)
    for direction, (across, up) in enumerate(DIRECTIONS):
        path: list[int] = []
        clear = True
        for distance in range(1, _FARTHEST + 1):
            square = _beside(target, across * distance, up * distance)
            if square is None:
                break
            unit = position.unit_on(square)
            if unit and unit & BLUE_BIT == colour:
                for piece in members(unit):
                    if _reaches(position, piece, target, distance, direction > 3) and (
                        _passes(piece, [*path[::-1], target], zones, clear)
                    ):
                        yield Attacker(SQUARES[square], LETTERS[carrier_of(piece)])
            clear = clear and not unit
            path.append(square)


def _reaches(position: Position, piece: int, target: int, distance: int, diagonal: bool) -> bool:
    """Whether a piece captures as far and in such a direction."""
    letter, heroic = LETTERS[carrier_of(piece)], bool(piece >> HEROIC_SHIFT & TYPES)
    standing = position.unit_on(target)
    on_target = LETTERS[carrier_of(standing)] if standing else ""
    if diagonal and not heroic and letter not in _DIAGONAL:
        return False
    if letter == "C":
        return distance == 1 and not (diagonal and on_target == "C")
    reach = _RANGES.get(letter, 1) + heroic
    if (letter == "N" and on_target != "N") or (letter == "S" and diagonal):
        reach -= 1
    return distance <= reach


def _passes(piece: int, way: list[int], zones: Zones, clear: bool) -> bool:
    """Whether a piece gets through: past others that stand between, and through air defence."""
    letter = LETTERS[carrier_of(piece)]
    if not clear and letter not in _SHOOTS_OVER:
        return False
    if letter != "F" or piece >> HEROIC_SHIFT & TYPES:
        return True
    met: set[int] = set()
    for square in way:
        here = zones.get(square, ())
        if met and not here:
            return False
        met.update(here)
        if len(met) > 1:
            return False
    return True


# --- moves ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MoveRecord:
    """A move, a deploy step or a whole deploy turn, with the texts before and after it."""

    color: str
    from_square: str
    to_square: str | None
    """None for a deploy turn, whose `steps` tell where each piece went."""
    piece: str
    captured: tuple[str, ...]
    flags: str
    """n quiet, c capture, s stay capture, k suicide capture, d deploy, b combination."""
    san: str
    lan: str
    before: str
    after: str
    completed: bool = True
    """Whether the turn is over."""
    stay: str | None = None
    """What a deploy turn left on its square."""
    steps: tuple[tuple[str, str], ...] = ()
    """Of a deploy turn, each piece and its square."""

    def to_dict(self) -> dict[str, Any]:
        """The record with the names of the source documents; a deploy turn's `to` maps squares to pieces."""
        to = self.to_square if self.to_square is not None else {square: piece for piece, square in self.steps}
        shown: dict[str, Any] = {"color": self.color, "from": self.from_square, "to": to}
        shown |= {"piece": self.piece, "captured": list(self.captured), "flags": self.flags}
        shown |= {"san": self.san, "lan": self.lan, "before": self.before, "after": self.after}
        return shown | {"completed": self.completed, "stay": self.stay}


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
        write_unit(mover),
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
    position, captured, session = begin, list[str](), begin.session
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
        write_unit(session.original),
        tuple(captured),
        "".join(letter for bit, letter in enumerate(FLAG_LETTERS) if flags >> bit & 1) or "d",
        turns.write_turn(begin, told if numbers else session, rules) if known else turns.COMMIT_TEXT,
        turns.write_turn_lan(begin, told if numbers else session, rules) if known else turns.COMMIT_TEXT,
        encode(begin),
        encode(after),
        after.session is None,
        _staying(after, session),
        tuple((write_unit(step.unit), SQUARES[step.target]) for step in session.steps),
    )


def _captured(position: Position, number: int) -> tuple[str, ...]:
    unit = position.unit_on(number >> 8 & 255)
    return (write_unit(unit),) if unit and number >> 27 & (CAPTURE | STAY | SUICIDE) else ()


def _staying(position: Position, session: Session) -> str | None:
    left = deploy.remaining_unit(position, session)
    return write_unit(left) if left else None


# --- sessions ---------------------------------------------------------------------------------------


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

    def to_dict(self) -> dict[str, Any]:
        """The session as JSON-ready data."""
        return {name: getattr(self, name) for name in self.__slots__} | {"steps": list(self.steps)}


def session_view(position: Position, rules: Rules) -> SessionView | None:
    """The open session of a position, or None."""
    session = position.session
    if session is None:
        return None
    told = turns.write_turn(position, session, rules) if session.steps else None
    return SessionView(
        session.origin,
        position.turn,
        write_unit(session.original),
        _staying(position, session),
        tuple(write_step(step) for step in session.steps),
        deploy.may_commit(position),
        session.start is not None,
        told,
    )
