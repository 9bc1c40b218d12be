"""Chess moves: listing the legal ones, playing them and counting lines of them.

Compiled code represents a move as a 16-bit number (origin, target and kind, see `generate`). Python code uses
interned `Move` objects. Playing a move returns a new position and leaves the old one unchanged. The module
runs as it is and compiles with Cython (`moves.pxd` gives the C types).

Variants: Chess960 castling (the king moves onto its own rook), Crazyhouse drops, Three-check counts,
explosions of atomic chess, promotion to a king in antichess.
`NULL` is the null move, a pass. It is never a legal move, but records may contain it.
Limits: if the variant requires one king, a side without it has no legal moves. Clocks stop at 9999.
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
        SavedFields,
        copy_as_draft,
        restore_fields,
        save_fields,
        seal_position,
    )
    from forsyth.games.chess.rules.attacks import (
        BLACK_CHECKS_SHIFT,
        TRAITS,
        WHITE_CHECKS_MASK,
        blast_squares,
        find_checkers,
    )
    from forsyth.games.chess.rules.generate import (
        CASTLE,
        DROP,
        KIND_SHIFT,
        MOVE_BUFFER_SIZE,
        POCKET_BISHOP,
        POCKET_KNIGHT,
        POCKET_PAWN,
        POCKET_QUEEN,
        POCKET_ROOK,
        PROMOTE,
        PROMOTE_BISHOP,
        PROMOTE_KING,
        PROMOTE_QUEEN,
        PROMOTE_ROOK,
        SQUARE_MASK,
        TARGET_SHIFT,
        MoveBuffer,
        generate_moves,
    )
    from forsyth.games.chess.variants import EXPLODES

    MAX_CLOCK: Final = 9999
    """The largest number in a clock field (spec/chess 7)."""
    MAX_POCKET_PIECES: Final = 64
    """The largest number of pieces in both pockets together (spec/chess 10)."""
    POCKET_BITS: Final = 40
    """Bits of a pocket: one byte for each of the five kinds of pieces."""

PIECES: Final = "pnbrqk"
"""Letters of the kinds of pieces, in the order of promotions and drops."""


class Move:
    """A move. Moves are interned, so two moves are equal if and only if they are the same object.

    The target of castling is the square where the king lands, or the square of the own rook in Chess960. A
    null move has no squares.
    """

    if not cython.compiled:
        __slots__ = ("id",)
        id: int
        """The move as a 16-bit number: origin, target and kind (see `generate`)."""

    def __init__(self) -> None:
        raise TypeError("Move objects cannot be created directly; use legal_moves, read_san or read_uci")

    @property
    def origin(self) -> str | None:
        """The square on which the move starts, or None for a drop and for a null move."""
        return None if self.id >> KIND_SHIFT >= DROP or self.id == 0 else SQUARES[self.id & SQUARE_MASK]

    @property
    def target(self) -> str:
        """The square on which the move ends, or an empty string for a null move."""
        return SQUARES[self.id >> TARGET_SHIFT & SQUARE_MASK] if self.id else ""

    @property
    def promotion(self) -> str | None:
        """The piece that a pawn becomes: ``n``, ``b``, ``r`` or ``q``, in antichess also ``k``, or None."""
        kind = self.id >> KIND_SHIFT
        return PIECES[kind - PROMOTE] if PROMOTE < kind < DROP else None

    @property
    def drop(self) -> str | None:
        """The piece dropped from the pocket, ``p`` to ``q``, or None if the move is not a drop."""
        kind = self.id >> KIND_SHIFT
        return PIECES[kind - DROP] if kind >= DROP else None

    @property
    def is_castling(self) -> bool:
        """Whether the move is castling."""
        return self.id >> KIND_SHIFT == CASTLE

    @property
    def is_null(self) -> bool:
        """Whether the move is the null move, which only records contain."""
        return self.id == 0

    @property
    def uci(self) -> str:
        """The move in UCI notation, such as ``e2e4``, ``e7e8q`` or ``Q@e4``. A null move is ``0000``."""
        if self.id == 0:
            return "0000"
        if self.id >> KIND_SHIFT >= DROP:
            return f"{PIECES[(self.id >> KIND_SHIFT) - DROP].upper()}@{self.target}"
        return SQUARES[self.id & SQUARE_MASK] + self.target + (self.promotion or "")

    def __str__(self) -> str:
        return self.uci

    def __repr__(self) -> str:
        return f"<Move {self.uci}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return from_number, (self.id,)


_MOVES: list[Move | None] = [None] * (1 << 16)
"""The interned moves by number, created when they are first used."""


def interned_move(number: i32) -> Move:
    """Return the only `Move` object with this 16-bit number, created on first use.

    The number is not checked. `from_number` does that.
    """
    move: Move
    existing_move = _MOVES[number]
    if existing_move is not None:
        return existing_move
    move = Move.__new__(Move)
    move.id = number
    _MOVES[number] = move
    return move


def from_number(number: int) -> Move:
    """Return the only `Move` object with this number, which `Move.id` returns.

    The number is origin + 64 × target + 4096 × kind of move. The move need not be legal anywhere. Raise
    `ValueError` if the number is not in the range 0 to 65535.
    """
    if not 0 <= number < 1 << 16:
        raise ValueError(f"move number {number} is out of range, expected 0 to 65535")
    return interned_move(number)


NULL: Final = from_number(0)
"""The null move. Its number means a move from a1 to a1, which no piece can play."""


# --- playing ----------------------------------------------------------------------------------------


def make_move(position: Position, move: i32) -> Position:
    """Return the position after a legal move, given as its 16-bit number. `position` is not changed."""
    next_position = copy_as_draft(position)
    apply_move(next_position, move)
    return seal_position(next_position)


def apply_move(position: Position, move: i32) -> None:
    """Play a legal move, given as its 16-bit number, on a position that is changed in place.

    The position must be a draft (see `copy_as_draft`), because other positions are immutable. The legality of
    the move is not checked.
    """
    origin: i32 = move & SQUARE_MASK
    target: i32 = move >> TARGET_SHIFT & SQUARE_MASK
    kind: i32 = move >> KIND_SHIFT
    origin_bit: u64 = ONE << origin
    target_bit: u64 = ONE << target
    changed_bits: u64 = origin_bit | target_bit
    black: i32 = position.black_to_move
    own: u64 = position.black if black else position.white
    enemy: u64 = position.white if black else position.black
    captured: u64 = target_bit & enemy
    corner: i32 = 56 if black else 0
    rook_origin: u64
    king_target: u64
    rook_target: u64
    resets_clock: i32 = 0
    ep_square: i32 = -1
    if kind == CASTLE:
        # In Chess960 the target is the rook's square, else the king's: the g or c file.
        rook_origin = ONE << (
            target if position.rules == CHESS960 else corner + (7 if target > origin else 0)
        )
        king_target = ONE << (corner + (6 if target > origin else 2))
        rook_target = ONE << (corner + (5 if target > origin else 3))
        position.kings = position.kings ^ origin_bit | king_target
        position.rooks = position.rooks ^ rook_origin | rook_target
        own = own ^ origin_bit ^ rook_origin | king_target | rook_target
        position.rights &= ~(RANK_1 << corner)
    elif kind >= DROP:
        own |= target_bit
        kind -= DROP
        if kind == POCKET_PAWN:
            position.pawns |= target_bit
        elif kind == POCKET_KNIGHT:
            position.knights |= target_bit
        elif kind == POCKET_BISHOP:
            position.bishops |= target_bit
        elif kind == POCKET_ROOK:
            position.rooks |= target_bit
        else:
            position.queens |= target_bit
        if black:
            position.black_pocket -= ONE << 8 * kind  # A pocket has one byte for each kind of piece.
        else:
            position.white_pocket -= ONE << 8 * kind
    else:
        # A pawn that moves diagonally to the empty en-passant square captures the pawn beside it.
        if (
            not captured
            and position.pawns & origin_bit
            and target == position.ep_square
            and (target - origin) & 7
        ):
            captured = ONE << (target ^ 8)
        if captured:
            resets_clock = 1
            enemy ^= captured
            if position.rules == CRAZYHOUSE:
                pocket_captured(position, captured)
            position.pawns &= ~captured
            position.knights &= ~captured
            position.bishops &= ~captured
            position.rooks &= ~captured
            position.queens &= ~captured
            position.kings &= ~captured
        own ^= changed_bits
        if position.pawns & origin_bit:
            resets_clock = 1
            if kind == 0:
                position.pawns ^= changed_bits
                # A horde's pawn that makes a double step from rank 1 cannot be captured en passant.
                if (target - origin == 16 and origin > 7) or origin - target == 16:
                    ep_square = (origin + target) >> 1
            else:
                position.pawns ^= origin_bit
                if kind == PROMOTE_QUEEN:
                    position.queens |= target_bit
                elif kind == PROMOTE_ROOK:
                    position.rooks |= target_bit
                elif kind == PROMOTE_BISHOP:
                    position.bishops |= target_bit
                elif kind == PROMOTE_KING:
                    position.kings |= target_bit
                else:
                    position.knights |= target_bit
                if position.rules == CRAZYHOUSE:
                    position.promoted |= target_bit
        elif position.knights & origin_bit:
            position.knights ^= changed_bits
        elif position.bishops & origin_bit:
            position.bishops ^= changed_bits
        elif position.rooks & origin_bit:
            position.rooks ^= changed_bits
        elif position.queens & origin_bit:
            position.queens ^= changed_bits
        else:
            position.kings ^= changed_bits
            position.rights &= ~(RANK_1 << corner)
        position.rights &= ~changed_bits
        if position.promoted & origin_bit:
            position.promoted = position.promoted & ~origin_bit | target_bit
    if black:
        position.black, position.white = own, enemy
    else:
        position.white, position.black = own, enemy
    if captured and TRAITS[position.rules] & EXPLODES:
        remove_exploded(position, blast_squares(position, target))
    position.ep_square = ep_square
    position.half = 0 if resets_clock else position.half + (1 if position.half < MAX_CLOCK else 0)
    position.full += black if position.full < MAX_CLOCK else 0
    position.black_to_move = 1 - black
    if position.rules == THREE_CHECK and find_checkers(position):
        if black:
            position.remaining -= 1 << BLACK_CHECKS_SHIFT if position.remaining >> BLACK_CHECKS_SHIFT else 0
        else:
            position.remaining -= 1 if position.remaining & WHITE_CHECKS_MASK else 0


def remove_exploded(position: Position, squares: u64) -> None:
    """Remove the pieces on the squares of an explosion in atomic chess. `position` is changed in place.

    `squares` is a set of squares. The castling rights of removed rooks and kings are removed as well.
    """
    position.pawns &= ~squares
    position.knights &= ~squares
    position.bishops &= ~squares
    position.rooks &= ~squares
    position.queens &= ~squares
    position.kings &= ~squares
    position.white &= ~squares
    position.black &= ~squares
    position.rights &= ~squares
    if position.kings & position.white == 0:
        position.rights &= ~RANK_1
    if position.kings & position.black == 0:
        position.rights &= ~(RANK_1 << 56)


def pocket_captured(position: Position, captured: u64) -> None:
    """Add a captured piece to the pocket of the side to move, as Crazyhouse does, before it is removed.

    `position` is changed in place. `captured` is the square of the piece, as a set with one bit. A promoted
    piece is added as a pawn. Nothing is added if the pockets hold MAX_POCKET_PIECES.
    """
    kind: i32
    added_piece: u64
    pocket_total: i32 = 0
    shift: i32
    if position.promoted & captured or position.pawns & captured:
        kind = POCKET_PAWN
    elif position.knights & captured:
        kind = POCKET_KNIGHT
    elif position.bishops & captured:
        kind = POCKET_BISHOP
    elif position.rooks & captured:
        kind = POCKET_ROOK
    else:
        kind = POCKET_QUEEN
    position.promoted &= ~captured
    for shift in range(0, POCKET_BITS, 8):
        pocket_total += (position.white_pocket >> shift & 255) + (position.black_pocket >> shift & 255)
    if pocket_total >= MAX_POCKET_PIECES:
        # The text of pockets is limited (spec/chess 10). Real games never reach the limit.
        return
    added_piece = ONE << 8 * kind
    if position.black_to_move:
        position.black_pocket += added_piece
    else:
        position.white_pocket += added_piece


def count_lines(position: Position, depth: i32) -> u64:
    """Return the number of sequences of `depth` legal moves that begin in a position (perft).

    `depth` is at least 1. If it is greater, `position` must be a draft (see `copy_as_draft`), because moves
    are played on it and taken back.
    """
    buffer: MoveBuffer
    saved: SavedFields
    i: i32
    move_count: i32
    total: u64 = 0
    if not cython.compiled:
        buffer = [0] * MOVE_BUFFER_SIZE
    move_count = generate_moves(position, buffer)
    if depth == 1:
        return move_count
    saved = save_fields(position)
    for i in range(move_count):
        apply_move(position, buffer[i])
        total += count_lines(position, depth - 1)
        restore_fields(position, saved)
    return total


# --- functions for Python code ----------------------------------------------------------------------


def legal_moves(position: Position) -> list[Move]:
    """Return a list of all legal moves of the side to move."""
    buffer: MoveBuffer
    i: i32
    number_of_moves: i32
    moves: list[Move] = []
    if not cython.compiled:
        buffer = [0] * MOVE_BUFFER_SIZE
    number_of_moves = generate_moves(position, buffer)
    for i in range(number_of_moves):
        moves.append(interned_move(buffer[i]))
    return moves


def is_legal(position: Position, move: Move) -> bool:
    """Return whether `move` is one of the legal moves of `position`."""
    buffer: MoveBuffer
    i: i32
    number_of_moves: i32
    if not cython.compiled:
        buffer = [0] * MOVE_BUFFER_SIZE
    number_of_moves = generate_moves(position, buffer)
    for i in range(number_of_moves):  # noqa: SIM110 - a generator cannot reach a C array
        if buffer[i] == move.id:
            return True
    return False


def move_count(position: Position) -> int:
    """Return the number of legal moves of the side to move."""
    return count_lines(position, 1)


def play(position: Position, move: Move) -> Position:
    """Return the position after a legal move or a null move. The legality is not checked."""
    return make_move(position, move.id) if move.id else pass_turn(position)


def pass_turn(position: Position) -> Position:
    """Return the position after a null move.

    A null move is a pass: the other side is to move, the en-passant square is cleared and the clocks go on.
    """
    black: int = position.black_to_move
    return position.replace(
        black_to_move=1 - black,
        ep_square=-1,
        half=min(position.half + 1, MAX_CLOCK),
        full=min(position.full + black, MAX_CLOCK),
    )


def perft(position: Position, depth: int) -> int:
    """Return the number of sequences of `depth` legal moves from a position: 20 for the start and depth 1.

    For depth 0 it is 1. Raise `ValueError` if `depth` is negative or greater than MAX_COUNTED_DEPTH.
    """
    if not 0 <= depth <= MAX_COUNTED_DEPTH:
        raise ValueError(f"perft depth {depth} is out of range, expected 0 to {MAX_COUNTED_DEPTH}")
    if depth == 0:
        return 1
    # Moves are played on a copy, because other threads may read the original position.
    draft: Position = copy_as_draft(position)
    line_length: i32 = depth
    total: u64
    with cython.nogil:
        total = count_lines(draft, line_length)
    return total


def is_check(position: Position) -> bool:
    """Return whether the side to move is in check."""
    return find_checkers(position) != 0
