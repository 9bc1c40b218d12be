"""A CoTuLenh position: an immutable, hashable value, including an open deploy session.

The board has one unit for each square (see `stacks`). While a session is open, the board is the current one,
after the steps played so far. The side to move and the clocks are those of the unfinished turn.

Writing: `str()` returns the canonical text. Stability: the canonical text, `key` and `packed` stay the same
in every version of Forsyth.
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
from forsyth.games.cotulenh.board import FILE_COUNT, RANK_COUNT, SQUARE_NUMBER, SQUARES
from forsyth.games.cotulenh.stacks import (
    BLUE_BIT,
    HEROIC_SHIFT,
    TYPES,
    get_carrier_type,
    get_piece_letter,
    is_heroic_piece,
    split_unit,
    write_unit,
)
from forsyth.kit.mirror import mirror_position
from forsyth.queries import list_targets
from forsyth.scene import Scene

if TYPE_CHECKING:
    from forsyth.game import Outcome
    from forsyth.games.cotulenh.game import CoTuLenhGame
    from forsyth.games.cotulenh.rules.moves import Move

Name = str
"""The type of square names. Cython does not check this alias, so a wrong type gets Forsyth's own error."""

MAX_CLOCK: Final = 10**40 - 1
"""Upper bound on both clocks. The specification (spec/cotulenh 13) has none, but numbers must stay short."""

if not cython.compiled:
    from forsyth.games.cotulenh.board import SQUARE_COUNT, i32, u32


class Step(NamedTuple):
    """One step of a deploy session."""

    unit: int
    """The pieces that moved, with their heroic marks."""
    target: int
    """The number of the square to which they moved, or on which they captured."""
    flags: int
    """The flags of the step as bits, see `rules.generate`."""


@dataclass(frozen=True, slots=True)
class Session:
    """An open deploy session (spec/cotulenh 11).

    `start` is the position before the first step. It is None if the session was read from a text that
    contains only the current board. Such a session cannot be cancelled.
    """

    origin_square: int
    """The number of the square from which the stack deploys."""
    original: int
    """The unit that stood on the origin, with the heroic marks that it had then."""
    steps: tuple[Step, ...]
    start: Position | None
    has_known_steps: bool = True
    """False if the text contained the number of moved pieces, but not their steps."""
    moved_types: int = 0
    """The set of the types that have moved already."""

    @property
    def origin(self) -> str:
        """The name of the square from which the stack deploys."""
        return SQUARES[self.origin_square]

    @property
    def remaining(self) -> str:
        """The letters of the members that have not moved yet, carrier first."""
        remaining_types = self.original & TYPES & ~self.moved_types
        return "".join(get_piece_letter(piece) for piece in split_unit(remaining_types))


def _mirror_session(session: Session) -> Session:
    """Return a deploy session with the sides exchanged, including its start position.

    In a deploy session the pieces of a stack leave it one by one. The pieces change their colours, and the
    squares move to the opposite ranks.
    """
    mirrored_steps = tuple(
        Step(step.unit ^ BLUE_BIT, _mirror_square(step.target), step.flags) for step in session.steps
    )
    return Session(
        origin_square=_mirror_square(session.origin_square),
        original=session.original ^ BLUE_BIT,
        steps=mirrored_steps,
        start=None if session.start is None else session.start.mirror(),
        has_known_steps=session.has_known_steps,
        moved_types=session.moved_types,
    )


def _mirror_square(square: int) -> int:
    """Return the number of the square on the same file and the opposite rank: c8 for c5."""
    rank, file = divmod(square, FILE_COUNT)
    return (RANK_COUNT - 1 - rank) * FILE_COUNT + file


class Position:
    """A position of CoTuLenh, made by `game("cotulenh").parse` or by playing a move."""

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
        raise TypeError("a Position cannot be created directly; parse a text or play a move")

    @property
    def turn(self) -> str:
        """The side to move, ``r`` or ``b``."""
        return "b" if self.blue_to_move else "r"

    @property
    def key(self) -> str:
        """The key: 32 hexadecimal digits, the same for all texts of one position in every version."""
        from forsyth.games.cotulenh.numbers.key import compute_key

        return compute_key(self)

    @property
    def packed(self) -> bytes:
        """The position as bytes, the same in every version; `game.unpack` reads them."""
        from forsyth.games.cotulenh.numbers.packed import pack_position

        return pack_position(self)

    def unit_on(self, square: int) -> int:
        """Return the unit on the square with the number `square`, or 0 if the square is empty.

        A unit is a piece or stack as one number. The square a1 is 0, k12 is 131. Raise `ValueError` if no
        square has the number.
        """
        if not 0 <= square < SQUARE_COUNT:
            raise ValueError(f"{square} is not the number of a square, expected 0 to {SQUARE_COUNT - 1}")
        return self.units[square]

    def board(self) -> tuple[int, ...]:
        """Return the units of all 132 squares, rank by rank: a1, b1, … k12. An empty square is 0.

        A unit is a piece or stack as one number; `write_unit` in `stacks` returns its letters.
        """
        return tuple([self.units[square] for square in range(SQUARE_COUNT)])

    def unit_at(self, square: Name) -> int:
        """Return the unit on a square such as ``c5``, or 0 if it is empty.

        A unit is a piece or stack as one number; `write_unit` in `stacks` returns its letters. Raise
        `ValueError` if there is no such square.
        """
        if not isinstance(square, str) or square not in SQUARE_NUMBER:
            raise ValueError(f"{quoted(square)} is not a square, expected a1 to k12")
        return self.unit_on(SQUARE_NUMBER[square])

    def pieces(self) -> Iterator[tuple[str, str, tuple[tuple[str, bool], ...]]]:
        """Yield the square, the colour and the pieces of each occupied square.

        For a red navy that carries a heroic air force, this is ``("c5", "r", (("N", False), ("F", True)))``.
        The colour is ``r`` or ``b``. Each piece is its letter and whether it is heroic. The piece that
        carries the others comes first.
        """
        for square in range(SQUARE_COUNT):
            unit = self.unit_on(square)
            if unit:
                colour = "b" if unit & BLUE_BIT else "r"
                unit_members = tuple(
                    (get_piece_letter(piece), is_heroic_piece(piece)) for piece in split_unit(unit)
                )
                yield SQUARES[square], colour, unit_members

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._list_values() == other._list_values()

    def __hash__(self) -> int:
        return hash(self._list_values())

    def _list_values(self) -> tuple[Any, ...]:
        """Return the values that determine the position, as arguments for `build_position`."""
        return self.board(), self.blue_to_move, self.half, self.full, self.session

    def __reduce__(self) -> tuple[Any, ...]:
        return build_position, self._list_values()

    def __str__(self) -> str:
        from forsyth.games.cotulenh.notation.write import encode

        return encode(self)

    def __repr__(self) -> str:
        return f"<Position {str(self)!r}>"

    @property
    def fen(self) -> str:
        """The canonical text of the position, the same as ``str(position)``."""
        return str(self)

    @property
    def game(self) -> CoTuLenhGame:
        """The game of CoTuLenh with the standard rules. A position does not contain a variant."""
        from forsyth.games.cotulenh.game import GAME

        return GAME

    def moves(self) -> list[Move]:
        """Return the legal moves, or the legal steps while a deploy session is open."""
        return self.game.moves(self)

    def play(self, move: Move | str) -> Position:
        """Return the position after a move, or after the move that a text such as ``Tc6`` names.

        Raise `MoveError` if the move is not legal.
        """
        return self.game.play(self, self._resolve_move(move))

    def san(self, move: Move | str) -> str:
        """Return a legal move in canonical notation, such as ``Tc6``.

        `move` may be a text in any accepted notation. Raise `MoveError` if the move is not legal.
        """
        return self.game.write_move(self, self._resolve_move(move))

    def _resolve_move(self, move: Move | str) -> Move:
        """Return the move that a text such as ``Tc6`` names, or `move` itself if it is not a text.

        Raise `MoveError` if the text does not name a legal move.
        """
        if isinstance(move, str):
            named_move: Move = self.game.read_move(self, move)
            return named_move
        return move

    @property
    def outcome(self) -> Outcome | None:
        """The result and the reason if the game has ended here, or None if it goes on.

        Repetition of positions is not considered.
        """
        return self.game.outcome(self)

    @property
    def is_check(self) -> bool:
        """Whether the side to move is in check: its commander is attacked or missing."""
        return self.game.is_check(self)

    def piece_map(self) -> dict[str, str]:
        """Return the pieces and stacks by square, as in a FEN: ``{"c5": "(NFT)", "f10": "t"}``.

        Small letters are Blue's. Empty squares are left out.

        >>> import forsyth
        >>> forsyth.game("cotulenh").new_game().piece_map()["g1"]
        'C'
        """
        return {
            name: write_unit(unit, fen=True) for name, unit in zip(SQUARES, self.board(), strict=True) if unit
        }

    def material(self) -> dict[str, int]:
        """Return the number of pieces by letter, such as ``{"T": 2, "t": 1}``, with those in stacks.

        Small letters are Blue's.

        >>> import forsyth
        >>> forsyth.game("cotulenh").new_game().material()["C"]
        1
        """
        counts: dict[str, int] = {}
        for _, colour, unit_members in self.pieces():
            for letter, _ in unit_members:
                symbol = letter.lower() if colour == "b" else letter
                counts[symbol] = counts.get(symbol, 0) + 1
        return counts

    def targets(self, square: Name) -> tuple[str, ...]:
        """Return the squares to which the pieces on a square may go, alone or together.

        `square` is a name such as ``g1``. Raise `ValueError` if there is no such square.

        >>> import forsyth
        >>> "g2" in forsyth.game("cotulenh").new_game().targets("g1")
        True
        """
        return list_targets(self.game, self, square)

    def mirror(self) -> Position:
        """Return the position with the sides exchanged, including an open deploy session.

        >>> import forsyth
        >>> forsyth.game("cotulenh").new_game().mirror().turn
        'b'
        """
        mirrored_position: Position = mirror_position(self.game, self)
        # The mirrored text does not contain the whole session, such as its start position.
        if self.session is None:
            return mirrored_position
        return with_session(mirrored_position, _mirror_session(self.session))

    def scene(self) -> Scene:
        """Return the drawing of the position as a `Scene`, which can be rendered as SVG or text."""
        from forsyth.games.cotulenh.drawing.scene import draw_scene

        return draw_scene(self)

    def _repr_svg_(self) -> str | None:
        return self.scene()._repr_svg_()


if not cython.compiled:

    class _Draft(Position):
        """A position that can be changed until `seal_position` turns it into a `Position`."""

        __slots__ = ()
        __setattr__ = object.__setattr__  # type: ignore[assignment]
        __delattr__ = object.__delattr__

    def draft_position() -> Position:
        """Return a new position with an empty board, which the caller fills in.

        The caller also sets the side to move and the clocks, and then calls `seal_position`. Only before that
        call the position can be changed.
        """
        position: Position = object.__new__(_Draft)
        position.units = [0] * SQUARE_COUNT
        position.session = None
        return position

    def seal_position(position: Position) -> Position:
        """Make a position from `draft_position` or `copy_position` immutable, and return it."""
        position.__class__ = Position
        return position


def build_position(
    units: tuple[int, ...], blue_to_move: int, half: int, full: int, session: Session | None = None
) -> Position:
    """Return the position with these values. Raise `ValueError` if no text can express it.

    Args:
        units: A unit for each square, a1 first: a piece or stack as one number, 0 for an empty square.
        blue_to_move: 1 if Blue is to move, else 0.
        half: The half-move clock.
        full: The number of the next move.
        session: The open deploy session, or None. It is not checked against the board.
    """
    # Subclasses of int may compare in their own way, so the checked values must be plain ints.
    units = tuple([int(index(unit)) for unit in units])
    blue_to_move, half, full = int(index(blue_to_move)), int(index(half)), int(index(full))
    if len(units) != SQUARE_COUNT:
        raise ValueError(f"the board has {len(units)} squares, expected {SQUARE_COUNT}")
    for unit in units:
        if unit and not _is_unit(unit):
            raise ValueError(f"{unit} is not a unit, expected the number of a piece or legal stack, or 0")
    is_side = blue_to_move in (0, 1)
    are_clocks_valid = 0 <= half <= MAX_CLOCK and 1 <= full <= MAX_CLOCK
    if not is_side or not are_clocks_valid:
        raise ValueError(
            f"the side to move {blue_to_move}, the half-move clock {half} or the move number {full} is out "
            "of range, expected a side of 0 or 1, a half-move clock from 0 and a move number from 1"
        )

    position = draft_position()
    for square in range(SQUARE_COUNT):
        position.units[square] = units[square]
    position.blue_to_move = blue_to_move
    position.half = half
    position.full = full
    position.session = session
    return seal_position(position)


def _is_unit(unit: int) -> bool:
    """Return whether a number is a unit: a piece or a legal stack.

    Only pieces that it contains may be marked as heroic (promoted). Bits above that of the colour must be 0.
    The number 0, an empty square, is not a unit.
    """
    # The bit of the colour is the highest one.
    has_only_known_bits = 0 <= unit < 2 * BLUE_BIT
    if not has_only_known_bits or get_carrier_type(unit) < 0:
        return False
    heroic_types = unit >> HEROIC_SHIFT & TYPES
    missing_heroic_types = heroic_types & ~unit
    return missing_heroic_types == 0


def copy_position(position: Position) -> Position:
    """Return a copy of a position that can be changed until `seal_position` makes it immutable."""
    copy = draft_position()
    square: i32
    for square in range(SQUARE_COUNT):
        copy.units[square] = position.units[square]
    copy.blue_to_move = position.blue_to_move
    copy.half = position.half
    copy.full = position.full
    copy.session = position.session
    return copy


def with_session(position: Position, session: Session | None) -> Position:
    """Return the position with another open deploy session, or with none if `session` is None.

    The board, the side to move and the clocks stay the same. The session is not checked against the board.
    """
    copy = copy_position(position)
    copy.session = session
    return seal_position(copy)


def with_unit(position: Position, square: i32, unit: u32) -> Position:
    """Return the position with the piece or stack `unit` on the square number `square`.

    `unit` replaces what stands there, and 0 empties the square. The original position stays as it is. Raise
    `ValueError` if the square does not exist or `unit` is not a piece or legal stack.
    """
    is_square = 0 <= square < SQUARE_COUNT
    if not is_square or (unit and not _is_unit(unit)):
        raise ValueError(
            f"unit {unit} on square {square} is not valid, expected a legal unit or 0 "
            f"and a square from 0 to {SQUARE_COUNT - 1}"
        )
    if position.units[square] == unit:
        return position
    copy = copy_position(position)
    copy.units[square] = unit
    return seal_position(copy)
