"""How CoTuLenh moves are spelled: SAN with its disambiguator, result and mark, and LAN (spec/cotulenh 15).

Writing: disambiguated among legal moves by carrier type; `write_moves` writes a whole list at once.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.cotulenh.board import DIRECTIONS, RANK_COUNT, SQUARES
from forsyth.games.cotulenh.deploy import moves_of, play
from forsyth.games.cotulenh.moves import Move, Rules, commander_attacked, commander_of
from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.stacks import carrier_of, write_unit
from forsyth.games.cotulenh.turns import SIGNS, USUAL, hint, mark_of

if not cython.compiled:
    from forsyth.games.cotulenh.board import SQUARE_COUNT, i32, u32, u64
    from forsyth.games.cotulenh.generate import CAPTURE, COMBINE, DEPLOY, STAY, SUICIDE
    from forsyth.games.cotulenh.moves import move_of
    from forsyth.games.cotulenh.stacks import BLUE_BIT, CARRIERS, COMMANDER, HEROIC_SHIFT, TYPES

Shared = dict[int, list[int]]

CARRIER: Final = tuple(carrier_of(types) for types in range(TYPES + 1))


def _lines_of(square: int) -> bytes:
    """The squares from which a unit bears on a square, or stands between: five on each of its eight lines."""
    marked = bytearray(len(SQUARES))
    for across, up in DIRECTIONS:
        for step in range(1, _REACH + 1):
            x, y = square % 11 + across * step, square // 11 + up * step
            if 0 <= x < 11 and 0 <= y < RANK_COUNT:
                marked[y * 11 + x] = 1
    return bytes(marked)


_REACH: Final = 5
"""How far the farthest piece captures, a heroic navy or air force."""
_LINES: Final = tuple(_lines_of(square) for square in range(len(SQUARES)))


def _unit_texts() -> dict[int, str]:
    """Every unit that can stand on a square, written; the colour aside."""
    texts = {}
    for types in (t for t in range(TYPES + 1) if CARRIER[t] >= 0):
        for heroic in (h for h in range(TYPES + 1) if h & ~types == 0):
            unit = types | heroic << HEROIC_SHIFT
            texts[unit] = write_unit(unit)
    return texts


_UNITS: Final = _unit_texts()


def write_moves(position: Position, rules: Rules = USUAL) -> list[tuple[Move, str]]:
    """Every legal move with its canonical notation."""
    numbers = moves_of(position, rules)
    shared = _shared(numbers)
    enemy: i32 = _watched(position)
    lines: bytes = _LINES[enemy] if enemy >= 0 else b""
    written = []
    number: u64
    text: str
    for number in numbers:
        text = _plain(number, position, shared)
        if number >> 27 & COMBINE:
            text += _result(number, position)
        if (
            enemy < 0
            or lines[number & 255]
            or lines[number >> 8 & 255]
            or number >> 27 & (CAPTURE | STAY | SUICIDE)
        ):
            text += _mark(position, number, rules)
        written.append((move_of(number), text))
    return written


def write_san(position: Position, move: Move, rules: Rules = USUAL) -> str:
    """A legal move or step in canonical notation, with the result of a combination and the mark."""
    text = write_plain(position, move, rules)
    if move.id >> 27 & COMBINE:
        text += _result(move.id, position)
    return text + _mark(position, move.id, rules)


def write_plain(position: Position, move: Move, rules: Rules = USUAL) -> str:
    """A legal move or step without result and mark."""
    return _plain(move.id, position, _shared(moves_of(position, rules)))


def write_lan(position: Position, move: Move) -> str:
    """A legal move or step with its full origin, without result and mark."""
    number: u64 = move.id
    unit = _UNITS[_mover(number, position)]
    return f"{unit}{SQUARES[number & 255]}{SIGNS[number >> 27]}{SQUARES[number >> 8 & 255]}"


def _shared(numbers: list[int]) -> dict[int, list[int]]:
    """For each carrier type and target that is reached from several squares, those squares."""
    first: dict[int, int] = {}
    shared: dict[int, list[int]] = {}
    number: u64
    key: i32
    origin: i32
    known: i32
    for number in numbers:
        key = CARRIERS[number >> 16 & TYPES] << 8 | number >> 8 & 255
        origin = number & 255
        known = first.setdefault(key, origin)
        if known != origin:
            shared.setdefault(key, [known]).append(origin)
    return shared


def _plain(number: u64, position: Position, shared: Shared) -> str:
    origin: i32 = number & 255
    target: i32 = number >> 8 & 255
    key: i32 = CARRIERS[number >> 16 & TYPES] << 8 | target
    text: str = _UNITS[_mover(number, position)]
    rivals = shared.get(key)
    if rivals is not None:
        text += hint(origin, [other for other in rivals if other != origin])
    return text + SIGNS[number >> 27] + SQUARES[target]


def _mover(number: u64, position: Position) -> u32:
    types: u32 = number >> 16 & TYPES
    return position.units[number & 255] & (types | types << HEROIC_SHIFT)


def _result(number: u64, position: Position) -> str:
    text: str = _UNITS[(position.units[number >> 8 & 255] | _mover(number, position)) & ~BLUE_BIT]
    return text


def _mark(position: Position, number: u64, rules: Rules) -> str:
    """The mark of a move. Deploy steps have none, even the last: their turn has it."""
    return "" if number >> 27 & DEPLOY else mark_of(play(position, number, rules), rules)


def _watched(position: Position) -> i32:
    """The enemy's commander, if only moves on its lines and captures can check it; else −1.

    A quiet move that neither starts nor ends on a line to the enemy's commander attacks nothing new there,
    unless it leaves a last guard, which is promoted, or the commander is attacked already.
    """
    colour: u32 = BLUE_BIT if position.blue_to_move else 0
    enemy: i32 = commander_of(position, 1 - position.blue_to_move)
    guards: i32 = 0
    square: i32
    for square in range(SQUARE_COUNT):
        if position.units[square] and position.units[square] & BLUE_BIT == colour:
            guards += CARRIERS[position.units[square] & TYPES] != COMMANDER
    if enemy < 0 or guards <= 2 or commander_attacked(position, 1 - position.blue_to_move):
        return -1
    return enemy
