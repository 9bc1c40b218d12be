"""A CoTuLenh position: an immutable, hashable value, with the deploy session it may be in.

The board holds one unit for each square (see `stacks`). While a session is open the board is the one of the
moment, the side to move and the clocks are those of the turn that has not ended.

Writing: `str()` is the canonical text. Stability: canonical text, `key` and `packed` are promised for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Any, Final, NamedTuple

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.arguments import quoted
from forsyth.asking import targets
from forsyth.games.cotulenh.board import FILES, RANK_COUNT, SQUARE_NUMBER, SQUARES
from forsyth.games.cotulenh.stacks import (
    BLUE_BIT,
    HEROIC_SHIFT,
    LETTERS,
    TYPES,
    carrier_of,
    members,
    write_unit,
)
from forsyth.kit.mirror import mirrored
from forsyth.scene import Scene

if TYPE_CHECKING:
    from forsyth.game import Outcome
    from forsyth.games.cotulenh.game import CoTuLenhGame
    from forsyth.games.cotulenh.rules.moves import Move

Name = str
"""What a place is given as. Cython does not know the name, so that the sentence of a wrong type is ours."""

MAX_CLOCK: Final = 10**40 - 1
"""The largest number a clock may hold: counters are of any size (spec/cotulenh 13), within reason."""

if not cython.compiled:
    from forsyth.games.cotulenh.board import SQUARE_COUNT, i32, u32


class Step(NamedTuple):
    """One step of a deploy session: who went, where to, and how (flags of `moves`)."""

    unit: int
    target: int
    flags: int


@dataclass(frozen=True, slots=True)
class Session:
    """An open deploy session (spec/cotulenh 11).

    `start` is the position before the first step; None when the session was read from a text that shows
    only the board of the moment: then there is nothing to go back to.
    """

    origin_square: int
    original: int
    """The stack that stood on the origin, with the marks it had then."""
    steps: tuple[Step, ...]
    start: Position | None
    known: bool = True
    """Whether the targets of the steps are known."""
    moved_types: int = 0
    """The types that are no longer to move."""

    @property
    def origin(self) -> str:
        """The square the stack deploys from."""
        return SQUARES[self.origin_square]

    @property
    def remaining(self) -> str:
        """The letters of the members that are still to move, carrier first."""
        left = self.original & TYPES & ~self.moved_types
        return "".join(LETTERS[(piece & TYPES).bit_length() - 1] for piece in members(left))


def _exchanged(session: Session) -> Session:
    """A session with the sides exchanged."""
    start = None if session.start is None else session.start.mirror()
    steps = tuple(Step(step.unit ^ BLUE_BIT, _across(step.target), step.flags) for step in session.steps)
    origin, original = _across(session.origin_square), session.original ^ BLUE_BIT
    return Session(origin, original, steps, start, session.known, session.moved_types)


def _across(square: int) -> int:
    """The square of the same file on the other side of the board."""
    return (RANK_COUNT - 1 - square // len(FILES)) * len(FILES) + square % len(FILES)


class Position:
    """One moment of one game of CoTuLenh. Build it with `game("cotulenh").parse`."""

    if not cython.compiled:
        __slots__ = ("blue_to_move", "full", "half", "session", "units")
        units: list[int]
        blue_to_move: int
        half: int
        full: int
        session: Session | None

        def __setattr__(self, name: str, value: object) -> None:
            raise AttributeError(f"a position does not change: {name} cannot be set")

        def __delattr__(self, name: str) -> None:
            raise AttributeError(f"a position does not change: {name} cannot be deleted")

    def __init__(self) -> None:
        raise TypeError("positions come from reading a text or from playing a move")

    @property
    def turn(self) -> str:
        """``r`` or ``b``."""
        return "b" if self.blue_to_move else "r"

    @property
    def key(self) -> str:
        """32 hexadecimal digits, the same for all texts of one position, stable for ever."""
        from forsyth.games.cotulenh.numbers.key import position_key

        return position_key(self)

    @property
    def packed(self) -> bytes:
        """The binary form, stable for ever; see `packed`."""
        from forsyth.games.cotulenh.numbers.packed import pack

        return pack(self)

    def unit_on(self, square: int) -> int:
        """The unit on a square, given by its number; 0 for none."""
        if not 0 <= square < SQUARE_COUNT:
            raise ValueError(f"{square} is not the number of a square")
        return self.units[square]

    def board(self) -> tuple[int, ...]:
        """The units of all squares, a1 first."""
        return tuple([self.units[square] for square in range(SQUARE_COUNT)])

    def unit_at(self, square: Name) -> int:
        """The unit on a square such as ``c5``; 0 for none, `ValueError` for no square."""
        if not isinstance(square, str) or square not in SQUARE_NUMBER:
            raise ValueError(f"{quoted(square)} is not a square, expected a1 to k12")
        return self.unit_on(SQUARE_NUMBER[square])

    def pieces(self) -> Iterator[tuple[str, str, tuple[tuple[str, bool], ...]]]:
        """Every unit: its square, its colour, and its members as letter and heroic mark, carrier first."""
        for square in range(SQUARE_COUNT):
            unit = self.unit_on(square)
            if unit:
                shown = tuple(
                    (LETTERS[(piece & TYPES).bit_length() - 1], bool(piece >> HEROIC_SHIFT & TYPES))
                    for piece in members(unit)
                )
                yield SQUARES[square], "b" if unit & BLUE_BIT else "r", shown

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def _values(self) -> tuple[Any, ...]:
        return self.board(), self.blue_to_move, self.half, self.full, self.session

    def __reduce__(self) -> tuple[Any, ...]:
        return build, self._values()

    def __str__(self) -> str:
        from forsyth.games.cotulenh.notation.write import encode

        return encode(self)

    def __repr__(self) -> str:
        return f"<Position {str(self)!r}>"

    @property
    def game(self) -> CoTuLenhGame:
        """The game it belongs to, by the standard rules: a position does not know others."""
        from forsyth.games.cotulenh.game import GAME

        return GAME

    def moves(self) -> list[Move]:
        """The legal moves."""
        return self.game.moves(self)

    def play(self, move: Move | str) -> Position:
        """The position after a legal move, given as the game gives it or as text; raises `MoveError`."""
        game = self.game
        return game.play(self, game.read_move(self, move) if isinstance(move, str) else move)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended here, or None; what a position alone can tell."""
        return self.game.outcome(self)

    @property
    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return self.game.is_check(self)

    def piece_map(self) -> dict[str, str]:
        """The units by their squares, as a text writes them: small letters are Blue's, ``(NFT)`` is a stack.

        >>> import forsyth
        >>> forsyth.game("cotulenh").new_game().piece_map()["g1"]
        'C'
        """
        units = ((square, self.unit_on(square)) for square in range(SQUARE_COUNT))
        return {SQUARES[square]: write_unit(unit, fen=True) for square, unit in units if unit}

    def material(self) -> dict[str, int]:
        """How many pieces of each letter there are, carried ones included; small letters are Blue's.

        >>> import forsyth
        >>> forsyth.game("cotulenh").new_game().material()["C"]
        1
        """
        found: dict[str, int] = {}
        for _, colour, men in self.pieces():
            for letter, _ in men:
                letter = letter.lower() if colour == "b" else letter
                found[letter] = found.get(letter, 0) + 1
        return found

    def targets(self, square: Name) -> tuple[str, ...]:
        """Where what stands on a square may go, alone or with others; raises `ValueError` for no square.

        >>> import forsyth
        >>> "g2" in forsyth.game("cotulenh").new_game().targets("g1")
        True
        """
        return targets(self.game, self, square)

    def mirror(self) -> Position:
        """The position with the sides exchanged; an open deploy session is that of the other side.

        >>> import forsyth
        >>> forsyth.game("cotulenh").new_game().mirror().turn
        'b'
        """
        twin: Position = mirrored(self.game, self)
        # A text does not hold all of a session, such as what stood before it.
        return twin if self.session is None else with_session(twin, _exchanged(self.session))

    def scene(self) -> Scene:
        """What to draw of it."""
        from forsyth.games.cotulenh.drawing.scene import scene

        return scene(self)

    def _repr_svg_(self) -> str | None:
        return self.scene()._repr_svg_()


if not cython.compiled:

    class _Draft(Position):
        """A position being built: it may still change, until `seal` makes a Position of it."""

        __slots__ = ()
        __setattr__ = object.__setattr__  # type: ignore[assignment]
        __delattr__ = object.__delattr__

    def blank() -> Position:
        """A new position whose numbers may be set until it is sealed."""
        position: Position = object.__new__(_Draft)
        position.units = [0] * SQUARE_COUNT
        position.session = None
        return position

    def seal(position: Position) -> Position:
        """End the building of a position."""
        position.__class__ = Position
        return position


def build(
    units: tuple[int, ...], blue_to_move: int, half: int, full: int, session: Session | None = None
) -> Position:
    """The position with these values; `ValueError` if no text can say them."""
    # Numbers of another class may compare as they like: what is checked must be what is kept.
    units = tuple([int(index(unit)) for unit in units])
    blue_to_move, half, full = int(index(blue_to_move)), int(index(half)), int(index(full))
    if len(units) != SQUARE_COUNT or any(unit and not _is_unit(unit) for unit in units):
        raise ValueError("each of the 132 squares holds a unit or nothing")
    if blue_to_move not in (0, 1) or not 0 <= half <= MAX_CLOCK or not 1 <= full <= MAX_CLOCK:
        raise ValueError("the side to move or a clock is out of range")
    position = blank()
    for square in range(SQUARE_COUNT):
        position.units[square] = units[square]
    position.blue_to_move = blue_to_move
    position.half = half
    position.full = full
    position.session = session
    return seal(position)


def _is_unit(unit: int) -> bool:
    heroic = unit >> HEROIC_SHIFT & TYPES
    return 0 <= unit < 2 * BLUE_BIT and carrier_of(unit) >= 0 and not heroic & ~unit


def copy_of(position: Position) -> Position:
    """A position with the same values that may still change, until it is sealed."""
    copy = blank()
    square: i32
    for square in range(SQUARE_COUNT):
        copy.units[square] = position.units[square]
    copy.blue_to_move = position.blue_to_move
    copy.half = position.half
    copy.full = position.full
    copy.session = position.session
    return copy


def with_session(position: Position, session: Session | None) -> Position:
    """The same position in another session, or in none."""
    copy = copy_of(position)
    copy.session = session
    return seal(copy)


def with_unit(position: Position, square: i32, unit: u32) -> Position:
    """The same position with another unit, or none, on a square; `ValueError` for what cannot stand there."""
    if not 0 <= square < SQUARE_COUNT or (unit and not _is_unit(unit)):
        raise ValueError(f"{unit} on {square} is not a unit on the number of a square")
    if position.units[square] == unit:
        return position
    copy = copy_of(position)
    copy.units[square] = unit
    return seal(copy)
