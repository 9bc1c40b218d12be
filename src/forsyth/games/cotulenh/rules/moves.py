"""The moves of CoTuLenh: which are legal, and what they lead to; deploy sessions are in `deploy`.

A `Move` wraps the number of `generate`. Positions are never changed: playing makes a new one. The module
runs as it is and compiles with Cython (`moves.pxd` gives the C types).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.cotulenh.board import SQUARES
from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.rules.generate import MoveList
from forsyth.games.cotulenh.stacks import LETTERS

if not cython.compiled:
    from forsyth.games.cotulenh.board import SQUARE_COUNT, i32, u32, u64
    from forsyth.games.cotulenh.position import copy_of, seal
    from forsyth.games.cotulenh.rules.apply import apply, fits, is_move
    from forsyth.games.cotulenh.rules.attacks import commander_square, in_danger, is_attacked
    from forsyth.games.cotulenh.rules.generate import (
        CAPTURE,
        STAY,
        SUICIDE,
        generate_all,
        generate_members,
        generate_unit,
        setting_of,
    )
    from forsyth.games.cotulenh.rules.safety import keep_legal
    from forsyth.games.cotulenh.stacks import BLUE_BIT, TYPES

FLAG_LETTERS: Final = "ncskdb"
"""The letters of the flags, lowest bit first (spec/cotulenh 15)."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What may be decided differently.

    `commander_resets_clock`: a commander's move resets the half-move clock, as the source documents say; the
    public engine resets it by captures only. `last_guard`: a side's only piece beside its commander becomes
    heroic.
    """

    commander_resets_clock: bool = True
    last_guard: bool = True


USUAL: Final = Rules()
"""The rules of the source documents."""


class Move:
    """One move or deploy step: equal to every other with the same squares, types and flags."""

    if not cython.compiled:
        __slots__ = ("id",)
        id: int

    def __init__(self) -> None:
        raise TypeError("moves come from legal_moves and from reading a text")

    @property
    def origin(self) -> str:
        """The square it starts from."""
        return SQUARES[self.id & 255]

    @property
    def target(self) -> str:
        """The square it goes to, or captures on."""
        return SQUARES[self.id >> 8 & 255]

    @property
    def types(self) -> str:
        """The letters of the pieces that go."""
        return "".join(letter for bit, letter in enumerate(LETTERS) if self.id >> 16 + bit & 1)

    @property
    def flags(self) -> str:
        """n quiet, c capture, s stay capture, k suicide capture, d deploy step, b combination."""
        return "".join(letter for bit, letter in enumerate(FLAG_LETTERS) if self.id >> 27 + bit & 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"<Move {self.types} {self.origin}{self.target} {self.flags}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return move_of, (self.id,)


def wrapped(number: u64) -> Move:
    """The move of a number that is one."""
    move: Move = Move.__new__(Move)
    move.id = number
    return move


def move_of(number: u64) -> Move:
    """The move of a number that came from outside; `ValueError` if it is none."""
    if not is_move(number):
        raise ValueError(f"{number} is not the number of a move")
    return wrapped(number)


def legal(position: Position, last_guard: i32) -> MoveList:
    """The legal moves outside a session."""
    colour: u32 = BLUE_BIT if position.blue_to_move else 0
    setting = setting_of(position.units, colour)
    found = MoveList()
    generate_all(position.units, colour, found, setting)
    keep_legal(position.units, colour, found, setting, last_guard)
    return found


def turn_moves(position: Position, last_guard: bool = True) -> list[int]:
    """The numbers of the legal moves outside a session."""
    return legal(position, last_guard).numbers()


def turn_move_list(position: Position, last_guard: bool = True) -> list[Move]:
    """The legal moves outside a session."""
    found = legal(position, last_guard)
    i: i32
    moves: list[Move] = []
    for i in range(found.count):
        moves.append(wrapped(found.items[i]))
    return moves


def turn_move_count(position: Position, last_guard: bool = True) -> int:
    """How many legal moves there are outside a session."""
    return legal(position, last_guard).count


def is_turn_move(position: Position, move: u64, last_guard: bool = True) -> bool:
    """Whether a number is that of a legal move outside a session: looks at the unit that would move alone."""
    colour: u32 = BLUE_BIT if position.blue_to_move else 0
    origin: i32 = move & 255
    i: i32
    unit: u32
    if origin >= SQUARE_COUNT:
        return False
    unit = position.units[origin]
    if unit == 0 or unit & BLUE_BIT != colour:
        return False
    setting = setting_of(position.units, colour)
    found = MoveList()
    if unit & TYPES & ((unit & TYPES) - 1):
        generate_members(position.units, found, setting, origin, unit & TYPES)
    generate_unit(position.units, found, setting, origin, unit)
    for i in range(found.count):
        if found.items[i] == move:
            # Whether it is legal does not depend on the others, which need no trial.
            found.items[0] = move
            found.shorten(1)
            keep_legal(position.units, colour, found, setting, last_guard)
            return found.count == 1
    return False


def pseudo_moves(position: Position) -> list[int]:
    """The numbers of all moves outside a session, danger to the mover's commander aside."""
    colour: u32 = BLUE_BIT if position.blue_to_move else 0
    found = MoveList()
    generate_all(position.units, colour, found, setting_of(position.units, colour))
    return found.numbers()


def opening_moves(position: Position, origin: int, last_guard: bool = True) -> list[int]:
    """The numbers of the legal deploy steps of one square outside a session."""
    colour: u32 = BLUE_BIT if position.blue_to_move else 0
    unit: u32 = position.unit_on(origin)
    found = MoveList()
    if unit and unit & BLUE_BIT == colour and unit & TYPES & ((unit & TYPES) - 1):
        setting = setting_of(position.units, colour)
        generate_members(position.units, found, setting, origin, unit & TYPES)
        keep_legal(position.units, colour, found, setting, last_guard)
    return found.numbers()


def step_moves(position: Position, origin: int, types: int) -> list[int]:
    """The numbers of the deploy steps of some members of a stack, danger aside."""
    # Looked at before the board is: it tells whether there is such a square.
    there = position.unit_on(origin)
    found = MoveList()
    generate_members(
        position.units,
        found,
        setting_of(position.units, BLUE_BIT if position.blue_to_move else 0),
        origin,
        types & there,
    )
    return found.numbers()


def require_fitting(position: Position, move: u64) -> i32:
    """Refuse a move that would leave a board of something else than units."""
    if not fits(position.units, move):
        raise ValueError("the move is of another position, expected one whose pieces stand where it begins")
    return 0


def stepped(position: Position, move: u64, last_guard: bool) -> Position:
    """The board after a move or step, the side to move and clocks as they were, outside a session."""
    require_fitting(position, move)
    after = copy_of(position)
    after.session = None
    apply(after.units, move, BLUE_BIT if position.blue_to_move else 0, last_guard)
    return seal(after)


def make(position: Position, move: u64, last_guard: bool, commander_resets: bool) -> Position:
    """The position after a whole turn of one move."""
    captures: bool = (move >> 27 & (CAPTURE | STAY | SUICIDE)) != 0
    commander: bool = commander_resets and (move >> 16 & 1) != 0
    require_fitting(position, move)
    after = copy_of(position)
    apply(after.units, move, BLUE_BIT if position.blue_to_move else 0, last_guard)
    after.blue_to_move = 1 - position.blue_to_move
    after.half = 0 if captures or commander else position.half + 1
    after.full = position.full + position.blue_to_move
    return seal(after)


def turned(position: Position, reset: bool) -> Position:
    """The same board with the turn ended."""
    after = copy_of(position)
    after.session = None
    after.blue_to_move = 1 - position.blue_to_move
    after.half = 0 if reset else position.half + 1
    after.full = position.full + position.blue_to_move
    return seal(after)


def commander_in_danger(position: Position, blue: int) -> bool:
    """Whether a side's commander is attacked, exposed or gone."""
    return in_danger(position.units, BLUE_BIT if blue else 0) != 0


def commander_attacked(position: Position, blue: int) -> bool:
    """Whether a side's commander is attacked or gone: check."""
    colour: u32 = BLUE_BIT if blue else 0
    square: i32 = commander_square(position.units, colour)
    return square < 0 or is_attacked(position.units, square, BLUE_BIT - colour) != 0


def commander_of(position: Position, blue: int) -> int:
    """The square of a side's commander, or −1."""
    return commander_square(position.units, BLUE_BIT if blue else 0)
