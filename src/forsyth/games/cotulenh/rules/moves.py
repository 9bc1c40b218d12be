"""Moves of CoTuLenh outside deploy sessions: list the legal ones and play them. Sessions are in `deploy`.

A `Move` wraps a packed move of `generate`. Positions are immutable: playing a move makes a new position. The
module runs as it is and compiles with Cython (`moves.pxd` gives the C types).
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
    from forsyth.games.cotulenh.position import copy_position, seal_position
    from forsyth.games.cotulenh.rules.apply import apply_move, is_applicable, is_move_number
    from forsyth.games.cotulenh.rules.attacks import (
        COMMANDER_BIT,
        find_commander,
        is_attacked,
        is_in_danger,
        is_stack,
    )
    from forsyth.games.cotulenh.rules.generate import (
        CAPTURE,
        STAY,
        SUICIDE,
        collect_facts,
        generate_all,
        generate_members,
        generate_unit,
    )
    from forsyth.games.cotulenh.rules.packed_moves import get_flags, get_moving_types, get_origin, get_target
    from forsyth.games.cotulenh.rules.safety import drop_illegal_moves
    from forsyth.games.cotulenh.stacks import BLUE_BIT, TYPES

    def get_mover_colour(position: Position) -> int:
        """Return the colour of the side to move: 0 for Red, BLUE_BIT for Blue."""
        return BLUE_BIT if position.blue_to_move else 0


FLAG_LETTERS: Final = "ncskdb"
"""Letters of the move flags, lowest bit first (spec/cotulenh 15)."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Rule options.

    `commander_resets_clock`: a move of the commander resets the half-move clock, as the source documents
    prescribe. In the public engine only captures reset it. `last_guard`: a side's only piece beside its
    commander becomes heroic.
    """

    commander_resets_clock: bool = True
    last_guard: bool = True


DEFAULT_RULES: Final = Rules()
"""Rules of the source documents."""


class Move:
    """One move or deploy step.

    `id` is the packed move: two squares, the types of the moving pieces and the flags in one number. Moves
    with the same `id` are equal.
    """

    if not cython.compiled:
        __slots__ = ("id",)
        id: int

    def __init__(self) -> None:
        raise TypeError("a Move cannot be created directly; read a move text or list the legal moves")

    @property
    def origin(self) -> str:
        """Square on which the move begins."""
        return SQUARES[get_origin(self.id)]

    @property
    def target(self) -> str:
        """Square to which the move goes, or on which it captures."""
        return SQUARES[get_target(self.id)]

    @property
    def types(self) -> str:
        """Letters of the pieces that move."""
        types = get_moving_types(self.id)
        return "".join(letter for bit, letter in enumerate(LETTERS) if types >> bit & 1)

    @property
    def flags(self) -> str:
        """Letters of the flags.

        They are n quiet, c capture, s stay capture, k suicide capture, d deploy step and b combination.
        """
        flags = get_flags(self.id)
        return "".join(letter for bit, letter in enumerate(FLAG_LETTERS) if flags >> bit & 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"<Move {self.types} {self.origin}{self.target} {self.flags}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return move_from_number, (self.id,)


def wrap_move(packed_move: u64) -> Move:
    """Return the `Move` whose `id` is `packed_move`, a move as one number. It is not checked."""
    move: Move = Move.__new__(Move)
    move.id = packed_move
    return move


def move_from_number(packed_move: u64) -> Move:
    """Return the `Move` whose `id` is `packed_move`, a move as one number.

    Raise ValueError if the number does not have the layout of a packed move.
    """
    if not is_move_number(packed_move):
        raise ValueError(f"{packed_move} is not a packed move, expected the `id` of a Move")
    return wrap_move(packed_move)


def generate_legal_moves(position: Position, last_guard: i32) -> MoveList:
    """Return the moves with which a legal turn can begin, as packed moves.

    The first deploy steps of stacks are included. An open deploy session is ignored. `last_guard` is 1 if the
    last guard of a side, its only unit beside its commander, is promoted to heroic, else 0.
    """
    colour: u32 = get_mover_colour(position)
    facts = collect_facts(position.units, colour)
    moves = MoveList()
    generate_all(position.units, colour, moves, facts)
    drop_illegal_moves(position.units, colour, moves, facts, last_guard)
    return moves


def list_packed_turn_moves(position: Position, last_guard: bool = True) -> list[int]:
    """Return the legal moves that begin a turn as packed moves, each one number.

    An open deploy session is ignored. `last_guard` is the rule option of the same name in `Rules`.
    """
    return generate_legal_moves(position, last_guard).to_list()


def list_turn_moves(position: Position, last_guard: bool = True) -> list[Move]:
    """Return the legal moves that begin a turn as `Move` objects.

    An open deploy session is ignored. `last_guard` is the rule option of the same name in `Rules`.
    """
    packed_moves = generate_legal_moves(position, last_guard)
    index: i32
    moves: list[Move] = []
    for index in range(packed_moves.count):
        moves.append(wrap_move(packed_moves.items[index]))
    return moves


def count_turn_moves(position: Position, last_guard: bool = True) -> int:
    """Return the number of legal moves that begin a turn.

    An open deploy session is ignored. `last_guard` is the rule option of the same name in `Rules`.
    """
    return generate_legal_moves(position, last_guard).count


def is_legal_turn_move(position: Position, move: u64, last_guard: bool = True) -> bool:
    """Return whether a packed move is legal in a position without an open deploy session.

    This is faster than a list of all legal moves, because only the unit on the origin is examined.
    `last_guard` is the rule option of the same name in `Rules`.
    """
    colour: u32 = get_mover_colour(position)
    origin: i32 = get_origin(move)
    index: i32
    unit: u32
    if origin >= SQUARE_COUNT:
        return False
    unit = position.units[origin]
    is_own_unit: i32 = unit != 0 and (unit & BLUE_BIT) == colour
    if not is_own_unit:
        return False
    facts = collect_facts(position.units, colour)
    moves = MoveList()
    if is_stack(unit):
        generate_members(position.units, moves, facts, origin, unit & TYPES)
    generate_unit(position.units, moves, facts, origin, unit)
    for index in range(moves.count):
        if moves.items[index] == move:
            # Only this move is tested: its legality does not depend on the others.
            moves.items[0] = move
            moves.truncate(1)
            drop_illegal_moves(position.units, colour, moves, facts, last_guard)
            return moves.count == 1
    return False


def list_pseudo_legal_moves(position: Position) -> list[int]:
    """Return all moves that obey the rules of movement, as packed moves.

    They may leave the mover's commander in danger. An open deploy session is ignored.
    """
    colour: u32 = get_mover_colour(position)
    facts = collect_facts(position.units, colour)
    moves = MoveList()
    generate_all(position.units, colour, moves, facts)
    return moves.to_list()


def list_first_deploy_steps(position: Position, origin: int, last_guard: bool = True) -> list[int]:
    """Return the legal steps that begin a deploy session on a square, as packed moves.

    A deploy step is the move of one piece that leaves its stack. The list is empty if no stack of the side to
    move stands on the square number `origin`. `last_guard` is the rule option of the same name in `Rules`.
    """
    colour: u32 = get_mover_colour(position)
    unit: u32 = position.unit_on(origin)
    is_own_unit: i32 = unit != 0 and (unit & BLUE_BIT) == colour
    steps = MoveList()
    if is_own_unit and is_stack(unit):
        facts = collect_facts(position.units, colour)
        generate_members(position.units, steps, facts, origin, unit & TYPES)
        drop_illegal_moves(position.units, colour, steps, facts, last_guard)
    return steps.to_list()


def list_member_steps(position: Position, origin: int, types: int) -> list[int]:
    """Return the deploy steps of some members of a stack, as packed moves of one member each.

    The members are those whose piece types are in the set `types`. Their steps may leave the mover's
    commander in danger. Raise ValueError if `origin` is not a square number.
    """
    # `unit_on` comes first because it checks the square.
    unit = position.unit_on(origin)
    facts = collect_facts(position.units, get_mover_colour(position))
    steps = MoveList()
    generate_members(position.units, steps, facts, origin, types & unit)
    return steps.to_list()


def require_applicable(position: Position, move: u64) -> i32:
    """Raise ValueError if a packed move cannot be applied to the board. Otherwise return 0.

    The moving pieces must stand on the origin of the move, see `is_applicable`. Other moves could leave an
    impossible unit on a square.
    """
    if not is_applicable(position.units, move):
        raise ValueError(
            f"the move {move} does not fit the position, expected one whose pieces stand on its origin square"
        )
    return 0


def apply_step(position: Position, move: u64, last_guard: bool) -> Position:
    """Return the position after a packed move or step of the side to move.

    The side to move and the clocks stay the same, and the result has no deploy session. `last_guard` is the
    rule option of the same name in `Rules`. Raise ValueError if the move does not fit the board.
    """
    require_applicable(position, move)
    after = copy_position(position)
    after.session = None
    apply_move(after.units, move, get_mover_colour(position), last_guard)
    return seal_position(after)


def play_move(position: Position, move: u64, last_guard: bool, commander_resets: bool) -> Position:
    """Return the position after a whole turn that consists of one move.

    Raise ValueError if the move does not fit the board.

    Args:
        position: The position to play from.
        move: The packed move, a move as one number.
        last_guard: Whether the last guard of a side, its only unit beside its commander, is promoted.
        commander_resets: Whether a move of the commander resets the half-move clock.
    """
    is_capture: bool = (get_flags(move) & (CAPTURE | STAY | SUICIDE)) != 0
    resets_by_commander: bool = commander_resets and (get_moving_types(move) & COMMANDER_BIT) != 0
    require_applicable(position, move)
    after = copy_position(position)
    apply_move(after.units, move, get_mover_colour(position), last_guard)
    after.blue_to_move = 1 - position.blue_to_move
    after.half = 0 if is_capture or resets_by_commander else position.half + 1
    after.full = position.full + position.blue_to_move
    return seal_position(after)


def end_turn(position: Position, reset_clock: bool) -> Position:
    """Return the position with the same board after the end of the turn.

    The deploy session is closed, and the other side is to move. The half-move clock is set to 0 if
    `reset_clock` is true, and incremented otherwise.
    """
    after = copy_position(position)
    after.session = None
    after.blue_to_move = 1 - position.blue_to_move
    after.half = 0 if reset_clock else position.half + 1
    after.full = position.full + position.blue_to_move
    return seal_position(after)


def is_commander_in_danger(position: Position, blue: int) -> bool:
    """Return whether a side's commander is attacked, exposed or missing.

    A commander is exposed if it faces the enemy commander on a file or rank with no piece between them.
    `blue` is 1 for Blue, 0 for Red.
    """
    return is_in_danger(position.units, BLUE_BIT if blue else 0) != 0


def is_commander_attacked(position: Position, blue: int) -> bool:
    """Return whether a side is in check: its commander is attacked or missing.

    `blue` is 1 for Blue, 0 for Red.
    """
    colour: u32 = BLUE_BIT if blue else 0
    square: i32 = find_commander(position.units, colour)
    return square < 0 or is_attacked(position.units, square, BLUE_BIT - colour) != 0


def find_commander_square(position: Position, blue: int) -> int:
    """Return the number of the square of a side's commander, or −1 if it has none.

    `blue` is 1 for Blue, 0 for Red.
    """
    return find_commander(position.units, BLUE_BIT if blue else 0)
