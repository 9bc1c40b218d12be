"""The moves of chess: which are legal, playing them, counting lines.

Moves are numbers inside (origin, target and a kind, 16 bits; see `generate`) and interned objects outside.
Positions are never changed: playing makes a new one, undoing is keeping the old one. The module runs as
it is and compiles with Cython (`moves.pxd` gives the C types).

Variants: Chess960 castling (king takes own rook), Crazyhouse drops, Three-check counts, explosions of atomic
chess, promotion to a king in antichess.
`NULL` is the null move, a pass: no rule of chess allows it and no list of moves holds it, but records do.
Limits: a side without its one king has no legal moves where the rules need it. Clocks stop at 9999.
"""

from __future__ import annotations

from typing import Any, Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.board import SQUARES
from forsyth.games.chess.position import Position
from forsyth.limits import MAX_COUNTED_DEPTH

if not cython.compiled:
    from forsyth.games.chess.board import ONE, RANK_1, i32, u64
    from forsyth.games.chess.position import (
        CHESS960,
        CRAZYHOUSE,
        THREE_CHECK,
        Numbers,
        copy_of,
        numbers_of,
        seal,
        set_numbers,
    )
    from forsyth.games.chess.rules.attacks import TRAITS, blast, checkers_of
    from forsyth.games.chess.rules.generate import CASTLE, DROP, PROMOTE, MoveBuffer, generate
    from forsyth.games.chess.variants import EXPLODES

    MAX_CLOCK: Final = 9999
    """The largest number a clock field can hold (spec/chess 7)."""

PIECES: Final = "pnbrqk"


class Move:
    """One move, interned: two moves are equal exactly if they are the same object.

    Castling goes from the king's square to the square it lands on; in Chess960 to its own rook. A null
    move has no squares.
    """

    if not cython.compiled:
        __slots__ = ("id",)
        id: int

    def __init__(self) -> None:
        raise TypeError("moves come from legal_moves, read_san and read_uci")

    @property
    def origin(self) -> str | None:
        """The square it starts from; None for a drop and for a null move."""
        return None if self.id >> 12 >= DROP or self.id == 0 else SQUARES[self.id & 63]

    @property
    def target(self) -> str:
        """The square it ends on; empty for a null move."""
        return SQUARES[self.id >> 6 & 63] if self.id else ""

    @property
    def promotion(self) -> str | None:
        """``n``, ``b``, ``r`` or ``q``, in antichess also ``k``, or None."""
        kind = self.id >> 12
        return PIECES[kind - PROMOTE] if PROMOTE < kind < DROP else None

    @property
    def drop(self) -> str | None:
        """The piece dropped, ``p`` to ``q``, or None."""
        kind = self.id >> 12
        return PIECES[kind - DROP] if kind >= DROP else None

    @property
    def is_castling(self) -> bool:
        """Whether the king castles."""
        return self.id >> 12 == CASTLE

    @property
    def is_null(self) -> bool:
        """Whether it is a pass, which only records hold."""
        return self.id == 0

    @property
    def uci(self) -> str:
        """The move as UCI writes it: ``e2e4``, ``e7e8q``, ``Q@e4``; ``0000`` is a null move."""
        if self.id == 0:
            return "0000"
        if self.id >> 12 >= DROP:
            return f"{PIECES[(self.id >> 12) - DROP].upper()}@{self.target}"
        return SQUARES[self.id & 63] + SQUARES[self.id >> 6 & 63] + (self.promotion or "")

    def __str__(self) -> str:
        return self.uci

    def __repr__(self) -> str:
        return f"<Move {self.uci}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return from_number, (self.id,)


_MOVES: list[Move | None] = [None] * (1 << 16)


def move_of(number: i32) -> Move:
    """The interned move of a number."""
    move: Move
    known = _MOVES[number]
    if known is not None:
        return known
    move = Move.__new__(Move)
    move.id = number
    _MOVES[number] = move
    return move


def from_number(number: int) -> Move:
    """The move of a number that came from outside."""
    if not 0 <= number < 1 << 16:
        raise ValueError(f"{number} is not the number of a move")
    return move_of(number)


NULL: Final = from_number(0)
"""The null move: from a square to itself, which is no move of any man."""


# --- playing ----------------------------------------------------------------------------------------


def make(p: Position, move: i32) -> Position:
    """The position after a legal move."""
    q = copy_of(p)
    advance(q, move)
    return seal(q)


def advance(p: Position, move: i32) -> None:
    """Play a legal move on a position that is still being built: it becomes the position after the move."""
    origin: i32 = move & 63
    target: i32 = move >> 6 & 63
    kind: i32 = move >> 12
    start: u64 = ONE << origin
    end: u64 = ONE << target
    both: u64 = start | end
    black: i32 = p.black_to_move
    own: u64 = p.black if black else p.white
    enemy: u64 = p.white if black else p.black
    taken: u64 = end & enemy
    corner: i32 = 56 if black else 0
    zeroing: i32 = 0
    ep_square: i32 = -1
    if kind == CASTLE:
        # In Chess960 the target is the rook's square, else the king's: the g or c file.
        start = ONE << (target if p.rules == CHESS960 else corner + (7 if target > origin else 0))
        end = ONE << (corner + (6 if target > origin else 2))
        both = ONE << (corner + (5 if target > origin else 3))
        p.kings = p.kings ^ (ONE << origin) | end
        p.rooks = p.rooks ^ start | both
        own = own ^ (ONE << origin) ^ start | end | both
        p.rights &= ~(RANK_1 << corner)
    elif kind >= DROP:
        own |= end
        kind -= DROP
        if kind == 0:
            p.pawns |= end
        elif kind == 1:
            p.knights |= end
        elif kind == 2:
            p.bishops |= end
        elif kind == 3:
            p.rooks |= end
        else:
            p.queens |= end
        if black:
            p.black_pocket -= ONE << 8 * kind
        else:
            p.white_pocket -= ONE << 8 * kind
    else:
        if not taken and p.pawns & start and target == p.ep_square and (target - origin) & 7:
            taken = ONE << (target ^ 8)
        if taken:
            zeroing = 1
            enemy ^= taken
            if p.rules == CRAZYHOUSE:
                pocket_captured(p, taken)
            p.pawns &= ~taken
            p.knights &= ~taken
            p.bishops &= ~taken
            p.rooks &= ~taken
            p.queens &= ~taken
            p.kings &= ~taken
        own ^= both
        if p.pawns & start:
            zeroing = 1
            if kind == 0:
                p.pawns ^= both
                # A horde's pawn that goes two squares from rank 1 cannot be captured en passant.
                if (target - origin == 16 and origin > 7) or origin - target == 16:
                    ep_square = (origin + target) >> 1
            else:
                p.pawns ^= start
                if kind == 5:
                    p.queens |= end
                elif kind == 4:
                    p.rooks |= end
                elif kind == 3:
                    p.bishops |= end
                elif kind == 6:
                    p.kings |= end
                else:
                    p.knights |= end
                if p.rules == CRAZYHOUSE:
                    p.promoted |= end
        elif p.knights & start:
            p.knights ^= both
        elif p.bishops & start:
            p.bishops ^= both
        elif p.rooks & start:
            p.rooks ^= both
        elif p.queens & start:
            p.queens ^= both
        else:
            p.kings ^= both
            p.rights &= ~(RANK_1 << corner)
        p.rights &= ~both
        if p.promoted & start:
            p.promoted = p.promoted & ~start | end
    if black:
        p.black, p.white = own, enemy
    else:
        p.white, p.black = own, enemy
    if taken and TRAITS[p.rules] & EXPLODES:
        explode(p, blast(p, target))
    p.ep_square = ep_square
    p.half = 0 if zeroing else p.half + (1 if p.half < MAX_CLOCK else 0)
    p.full += black if p.full < MAX_CLOCK else 0
    p.black_to_move = 1 - black
    if p.rules == THREE_CHECK and checkers_of(p):
        if black:
            p.remaining -= 16 if p.remaining >> 4 else 0
        else:
            p.remaining -= 1 if p.remaining & 15 else 0


def explode(p: Position, gone: u64) -> None:
    """Atomic chess: take away the men on some squares, and with rooks and kings their castling rights."""
    p.pawns &= ~gone
    p.knights &= ~gone
    p.bishops &= ~gone
    p.rooks &= ~gone
    p.queens &= ~gone
    p.kings &= ~gone
    p.white &= ~gone
    p.black &= ~gone
    p.rights &= ~gone
    if p.kings & p.white == 0:
        p.rights &= ~RANK_1
    if p.kings & p.black == 0:
        p.rights &= ~(RANK_1 << 56)


def pocket_captured(p: Position, taken: u64) -> None:
    """Crazyhouse: the captured man changes sides and goes into the pocket, a promoted one as a pawn."""
    kind: i32
    gain: u64
    held: i32 = 0
    shift: i32
    if p.promoted & taken or p.pawns & taken:
        kind = 0
    elif p.knights & taken:
        kind = 1
    elif p.bishops & taken:
        kind = 2
    elif p.rooks & taken:
        kind = 3
    else:
        kind = 4
    p.promoted &= ~taken
    for shift in range(0, 40, 8):
        held += (p.white_pocket >> shift & 255) + (p.black_pocket >> shift & 255)
    if held >= 64:
        # A pocket text holds no more (spec/chess 10); no real game comes near.
        return
    gain = ONE << 8 * kind
    if p.black_to_move:
        p.black_pocket += gain
    else:
        p.white_pocket += gain


def count_lines(p: Position, depth: i32) -> u64:
    """How many lines of `depth` legal moves there are.

    Deeper than one the position must be one that may change: moves are made on it and taken back.
    """
    buffer: MoveBuffer
    before: Numbers
    i: i32
    n: i32
    total: u64 = 0
    if not cython.compiled:
        buffer = [0] * 2048
    n = generate(p, buffer)
    if depth == 1:
        return n
    before = numbers_of(p)
    for i in range(n):
        advance(p, buffer[i])
        total += count_lines(p, depth - 1)
        set_numbers(p, before)
    return total


# --- the Python face --------------------------------------------------------------------------------


def legal_moves(position: Position) -> list[Move]:
    """Every legal move."""
    buffer: MoveBuffer
    i: i32
    n: i32
    found: list[Move] = []
    if not cython.compiled:
        buffer = [0] * 2048
    n = generate(position, buffer)
    for i in range(n):
        found.append(move_of(buffer[i]))
    return found


def is_legal(position: Position, move: Move) -> bool:
    """Whether a move is one of the legal ones here, found without a list of them."""
    buffer: MoveBuffer
    i: i32
    n: i32
    if not cython.compiled:
        buffer = [0] * 2048
    n = generate(position, buffer)
    for i in range(n):  # noqa: SIM110 - a generator cannot reach a C array
        if buffer[i] == move.id:
            return True
    return False


def move_count(position: Position) -> int:
    """How many legal moves there are."""
    return count_lines(position, 1)


def play(position: Position, move: Move) -> Position:
    """The position after a legal move, or after a null move; the old one stays as it was."""
    return make(position, move.id) if move.id else pass_turn(position)


def pass_turn(position: Position) -> Position:
    """The position after a null move: the other side moves, and en passant is over."""
    black: int = position.black_to_move
    return position.replace(
        black_to_move=1 - black,
        ep_square=-1,
        half=min(position.half + 1, MAX_CLOCK),
        full=min(position.full + black, MAX_CLOCK),
    )


def perft(position: Position, depth: int) -> int:
    """How many lines of `depth` legal moves there are; 1 for depth 0."""
    if not 0 <= depth <= MAX_COUNTED_DEPTH:
        raise ValueError(f"a perft depth is 0 to {MAX_COUNTED_DEPTH}")
    if depth == 0:
        return 1
    # Of the game's own, so that it may change while other threads look at the one that was given.
    changing: Position = copy_of(position)
    deep: i32 = depth
    total: u64
    with cython.nogil:
        total = count_lines(changing, deep)
    return total


def is_check(position: Position) -> bool:
    """Whether the side to move is in check."""
    return checkers_of(position) != 0
