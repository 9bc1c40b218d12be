"""How CoTuLenh moves are spelled: SAN with its disambiguator, result and mark, and LAN (spec/cotulenh 15).

Writing: disambiguated among legal moves by carrier type; `write_moves` writes a whole list at once.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.cotulenh.board import FILES, SQUARES
from forsyth.games.cotulenh.position import Position
from forsyth.games.cotulenh.rules.completion import SearchBudget, can_complete_turn
from forsyth.games.cotulenh.rules.deploy import list_legal_moves, play_packed_move
from forsyth.games.cotulenh.rules.generate import MoveList
from forsyth.games.cotulenh.rules.moves import DEFAULT_RULES, Move, Rules
from forsyth.games.cotulenh.rules.turns import SIGNS
from forsyth.games.cotulenh.stacks import get_carrier_type, write_unit
from forsyth.limits import MAX_MARK_SEARCH

if not cython.compiled:
    from forsyth.games.cotulenh.board import ON_ATTACK_LINE, SQUARE_COUNT, i32, u32, u64
    from forsyth.games.cotulenh.rules.apply import is_move_number
    from forsyth.games.cotulenh.rules.attacks import is_attacked
    from forsyth.games.cotulenh.rules.generate import (
        CAPTURE,
        COMBINE,
        DEPLOY,
        STAY,
        SUICIDE,
        BoardFacts,
        collect_facts,
    )
    from forsyth.games.cotulenh.rules.moves import generate_legal_moves, require_applicable, wrap_move
    from forsyth.games.cotulenh.rules.safety import mark_shields
    from forsyth.games.cotulenh.rules.trials import gives_check
    from forsyth.games.cotulenh.stacks import BLUE_BIT, CARRIERS, HEROIC_SHIFT, TYPES

    KEYS: Final = 11 * SQUARE_COUNT
    """How many pairs of a carrier type and a target there are."""

CARRIER: Final = tuple(get_carrier_type(types) for types in range(TYPES + 1))
RANKS: Final = tuple(name[1:] for name in SQUARES)


def _unit_texts() -> dict[int, str]:
    """Every unit that can stand on a square, written; the colour aside."""
    texts = {}
    for types in (t for t in range(TYPES + 1) if CARRIER[t] >= 0):
        for heroic in (h for h in range(TYPES + 1) if h & ~types == 0):
            unit = types | heroic << HEROIC_SHIFT
            texts[unit] = write_unit(unit)
    return texts


_UNITS: Final = _unit_texts()


class Rivals:
    """The moves of a list by carrier type and target: who goes to the same square needs to be told apart.

    `last` has for each pair the place of its last move in the list plus one, `before` for each move the same
    of the move before it; 0 is none.
    """

    if not cython.compiled:
        __slots__ = ("before", "last", "moves")
        moves: MoveList
        before: MoveList
        last: list[int]

        def __init__(self) -> None:
            self.last = [0] * KEYS

    def hint(self, number: u64) -> str:
        """What tells the origin of a move from others: nothing, file, rank or all (spec/cotulenh 15)."""
        origin: i32 = number & 255
        other: i32
        same_file: i32 = 0
        same_rank: i32 = 0
        alone: i32 = 1
        place: i32 = self.last[pair_of(number)]
        if place == 0 or self.before.items[place - 1] == 0:
            return ""
        while place:
            other = self.moves.items[place - 1] & 255
            if other != origin:
                alone = 0
                same_file |= other % 11 == origin % 11
                same_rank |= other // 11 == origin // 11
            place = self.before.items[place - 1]
        if alone:
            return ""
        if not same_file:
            return FILES[origin % 11]
        return RANKS[origin] if not same_rank else SQUARES[origin]


def pair_of(number: u64) -> i32:
    """The number of a move's carrier type and target."""
    carrier: i32 = CARRIERS[number >> 16 & TYPES]
    target: i32 = number >> 8 & 255
    return carrier * SQUARE_COUNT + target


def rivals_among(moves: MoveList) -> Rivals:
    """The rivals among some moves."""
    rivals = Rivals()
    i: i32
    pair: i32
    rivals.moves = moves
    rivals.before = MoveList()
    for i in range(moves.count):
        pair = pair_of(moves.items[i])
        rivals.before.append(rivals.last[pair])
        rivals.last[pair] = i + 1
    return rivals


class Watch:
    """The watch on the commander of the side that is not to move, for who gives check.

    `calm` is whether only captures check it, moves to one of its lines, and who leaves one of the shields of
    the `setting`, whatever is promoted.
    """

    if not cython.compiled:
        __slots__ = ("calm", "colour", "last_guard", "setting")
        calm: int
        colour: int
        last_guard: int
        setting: BoardFacts

    def checks(self, position: Position, number: u64) -> i32:
        """Whether a move gives check. Deploy steps have no mark, even the last: their turn has it."""
        if number >> 27 & DEPLOY:
            return 0
        if self.calm and not (
            number >> 27 & (CAPTURE | STAY | SUICIDE)
            or self.setting.shield_squares[number & 255]
            or ON_ATTACK_LINE[self.setting.enemy_commander][number >> 8 & 255]
        ):
            return 0
        return gives_check(position.units, number, self.setting, self.colour, self.last_guard)


def watch_of(position: Position, last_guard: i32) -> Watch:
    """The watch for the moves of a position."""
    watch = Watch()
    colour: u32 = BLUE_BIT if position.blue_to_move else 0
    setting = collect_facts(position.units, colour)
    enemy: i32 = setting.enemy_commander
    watch.colour = colour
    watch.last_guard = last_guard
    watch.setting = setting
    # Who is promoted attacks the commander already, except for a last guard.
    watch.calm = (
        enemy >= 0 and not setting.extra_commanders and setting.own_guards > 2 and setting.enemy_guards > 2
    )
    if watch.calm and is_attacked(position.units, enemy, colour):
        watch.calm = 0
    if watch.calm:
        mark_shields(position.units, enemy, colour, setting.shield_squares)
    return watch


def write_moves(position: Position, rules: Rules = DEFAULT_RULES) -> list[tuple[Move, str]]:
    """Every legal move with its canonical notation."""
    moves = _legal_list(position, rules)
    rivals = rivals_among(moves)
    watch = watch_of(position, rules.last_guard)
    patience = SearchBudget(MAX_MARK_SEARCH)
    written = []
    mover: u32
    known: u32 = 0
    number: u64
    i: i32
    unit: str = ""
    for i in range(moves.count):
        number = moves.items[i]
        mover = _mover(number, position)
        # The moves of one unit follow each other.
        if mover != known:
            known = mover
            unit = _UNITS[mover]
        result: str = _result(number, position) if number >> 27 & COMBINE else ""
        mark: str = _check_mark(position, number, rules, patience) if watch.checks(position, number) else ""
        hint: str = rivals.hint(number)
        sign: str = SIGNS[number >> 27]
        square: str = SQUARES[number >> 8 & 255]
        written.append((wrap_move(number), f"{unit}{hint}{sign}{square}{result}{mark}"))
    return written


def _legal_list(position: Position, rules: Rules) -> MoveList:
    """The legal moves, in a session or not."""
    if position.session is None:
        return generate_legal_moves(position, rules.last_guard)
    moves = MoveList()
    number: u64
    for number in list_legal_moves(position, rules):
        if is_move_number(number):
            moves.append(number)
    return moves


def write_san(position: Position, move: Move, rules: Rules = DEFAULT_RULES) -> str:
    """A legal move or step in canonical notation, with the result of a combination and the mark."""
    text = write_plain(position, move, rules)
    if move.id >> 27 & COMBINE:
        text += _result(move.id, position)
    if watch_of(position, rules.last_guard).checks(position, move.id):
        text += _check_mark(position, move.id, rules, SearchBudget())
    return text


def write_plain(position: Position, move: Move, rules: Rules = DEFAULT_RULES) -> str:
    """A legal move or step without result and mark."""
    require_applicable(position, move.id)
    return _spelled(position, move.id, rivals_among(_legal_list(position, rules)).hint(move.id))


def write_lan(position: Position, move: Move) -> str:
    """A legal move or step with its full origin, without result and mark."""
    require_applicable(position, move.id)
    return _spelled(position, move.id, SQUARES[move.id & 255])


def _spelled(position: Position, number: u64, origin: str) -> str:
    """A move with what is said of its origin."""
    return f"{_UNITS[_mover(number, position)]}{origin}{SIGNS[number >> 27]}{SQUARES[number >> 8 & 255]}"


def _mover(number: u64, position: Position) -> u32:
    types: u32 = number >> 16 & TYPES
    return position.units[number & 255] & (types | types << HEROIC_SHIFT)


def _result(number: u64, position: Position) -> str:
    text: str = _UNITS[(position.units[number >> 8 & 255] | _mover(number, position)) & ~BLUE_BIT]
    return text


def _check_mark(position: Position, number: u64, rules: Rules, patience: SearchBudget) -> str:
    """The mark of a move that gives check: ``#`` if it is mate, else ``^``."""
    return "^" if can_complete_turn(play_packed_move(position, number, rules), rules, patience) else "#"
