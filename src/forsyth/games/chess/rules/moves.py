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
    from forsyth.games.chess.board import (
        BLACK_CORNER,
        C_FILE,
        D_FILE,
        F_FILE,
        G_FILE,
        H_FILE,
        ONE,
        RANK_1,
        file_index,
        i32,
        rank_index,
        u64,
    )
    from forsyth.games.chess.position import (
        CHESS960,
        CRAZYHOUSE,
        POCKET_COUNT_BITS,
        THREE_CHECK,
        SavedFields,
        copy_as_draft,
        count_pocket,
        find_double_step_target,
        restore_fields,
        save_fields,
        seal_position,
    )
    from forsyth.games.chess.rules.attacks import (
        BLACK_CHECKS_SHIFT,
        TRAITS,
        WHITE_CHECKS_MASK,
        find_blast_squares,
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
        TWO_RANKS,
        MoveBuffer,
        generate_moves,
    )
    from forsyth.games.chess.variants import EXPLODES

    MAX_CLOCK: Final = 9999
    """The largest number in a clock field (spec/chess 7)."""
    MAX_POCKET_PIECES: Final = 64
    """The largest number of pieces in both pockets together (spec/chess 10)."""

PIECES: Final = "pnbrqk"
"""Letters of the kinds of pieces, in the order of promotions and drops."""


class Move:
    """A move. Moves are interned, so two moves are equal if and only if they are the same object.

    The target of castling is the square where the king lands or, in Chess960, the square of the own rook. A
    null move, with which a side passes, has no squares.
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
        if self.id == 0 or self.id >> KIND_SHIFT >= DROP:
            return None
        return SQUARES[self.id & SQUARE_MASK]

    @property
    def target(self) -> str:
        """The square on which the move ends, or an empty string for a null move."""
        if self.id == 0:
            return ""
        return SQUARES[(self.id >> TARGET_SHIFT) & SQUARE_MASK]

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
        kind = self.id >> KIND_SHIFT
        if kind >= DROP:
            return f"{PIECES[kind - DROP].upper()}@{self.target}"
        origin = SQUARES[self.id & SQUARE_MASK]
        return f"{origin}{self.target}{self.promotion or ''}"

    def __str__(self) -> str:
        return self.uci

    def __repr__(self) -> str:
        return f"<Move {self.uci}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return from_number, (self.id,)


_MOVES: list[Move | None] = [None] * (1 << 16)
"""The interned moves by number, created when they are first used."""


def intern_move(number: i32) -> Move:
    """Return the only `Move` object with a number, which is created on first use.

    `number` must be from 0 to 65535, which is not checked. `from_number` checks it.
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
    """Return the only `Move` object with this number, which is its attribute `id`.

    The number is origin + 64 × target + 4096 × kind of move: 12 + 64 × 28 = 1804 for e2e4. The move need not
    be legal anywhere. Raise `ValueError` if the number is not in the range 0 to 65535.
    """
    if not 0 <= number < 1 << 16:
        raise ValueError(f"move number {number} is out of range, expected 0 to 65535 as in Move.id")
    return intern_move(number)


NULL: Final = from_number(0)
"""The null move. Its number means a move from a1 to a1, which no piece can play."""


# --- playing ----------------------------------------------------------------------------------------


def make_move(position: Position, move: i32) -> Position:
    """Return the position after a legal move, given as its 16-bit number. `position` is not changed."""
    next_position = copy_as_draft(position)
    apply_move(next_position, move)
    return seal_position(next_position)


def apply_move(position: Position, move: i32) -> None:
    """Play a legal move, given as its 16-bit number, on `position`, which is changed in place.

    The position must be a draft (see `copy_as_draft`), because other positions are immutable. It is not
    checked whether the move is legal.
    """
    origin: i32 = move & SQUARE_MASK
    target: i32 = (move >> TARGET_SHIFT) & SQUARE_MASK
    kind: i32 = move >> KIND_SHIFT
    origin_bit: u64 = ONE << origin
    target_bit: u64 = ONE << target
    changed_bits: u64 = origin_bit | target_bit
    is_black: i32 = position.black_to_move
    own_pieces: u64 = position.black if is_black else position.white
    enemy_pieces: u64 = position.white if is_black else position.black
    captured_bit: u64 = target_bit & enemy_pieces
    resets_clock: i32 = 0
    ep_square: i32 = -1
    if kind == CASTLE:
        own_pieces = move_king_and_rook(position, origin, target, own_pieces)
    elif kind >= DROP:
        own_pieces |= target_bit
        drop_piece(position, kind - DROP, target_bit)
    else:
        # A pawn that moves diagonally to the empty en-passant square captures the pawn beside it.
        if (
            not captured_bit
            and position.pawns & origin_bit
            and target == position.ep_square
            and file_index(target) != file_index(origin)
        ):
            captured_bit = ONE << find_double_step_target(target)
        if captured_bit:
            resets_clock = 1
            enemy_pieces ^= captured_bit
            if position.rules == CRAZYHOUSE:
                add_captured_to_pocket(position, captured_bit)
            position.pawns &= ~captured_bit
            position.knights &= ~captured_bit
            position.bishops &= ~captured_bit
            position.rooks &= ~captured_bit
            position.queens &= ~captured_bit
            position.kings &= ~captured_bit

        # Each `^= changed_bits` removes the piece from its origin and adds it on its target.
        own_pieces ^= changed_bits
        if position.pawns & origin_bit:
            resets_clock = 1
            if kind == 0:
                position.pawns ^= changed_bits
                # A horde's pawn that makes a double step from rank 1 cannot be captured en passant.
                if (target - origin == TWO_RANKS and rank_index(origin) > 0) or origin - target == TWO_RANKS:
                    ep_square = (origin + target) >> 1  # the square in the middle
            else:
                position.pawns ^= origin_bit
                place_promoted_piece(position, kind, target_bit)
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
            position.rights &= ~(RANK_1 << (BLACK_CORNER * is_black))
        position.rights &= ~changed_bits
        if position.promoted & origin_bit:
            position.promoted = (position.promoted & ~origin_bit) | target_bit

    if is_black:
        position.black, position.white = own_pieces, enemy_pieces
    else:
        position.white, position.black = own_pieces, enemy_pieces
    if captured_bit and (TRAITS[position.rules] & EXPLODES):
        remove_exploded(position, find_blast_squares(position, target))

    position.ep_square = ep_square
    position.half = 0 if resets_clock else position.half + (1 if position.half < MAX_CLOCK else 0)
    position.full += is_black if position.full < MAX_CLOCK else 0
    position.black_to_move = 1 - is_black
    if position.rules == THREE_CHECK and find_checkers(position):
        subtract_given_check(position)


def move_king_and_rook(position: Position, king_origin: i32, target: i32, own_pieces: u64) -> u64:
    """Castle: move king and rook in `position`, in place, and return the set of the mover's pieces after it.

    The fields `white` and `black` of the position are left to the caller.

    Args:
        position: The position before castling.
        king_origin: The square of the king.
        target: The square where the king lands or, in Chess960, the square of the rook.
        own_pieces: The set of the mover's pieces before castling.
    """
    corner: i32 = BLACK_CORNER if position.black_to_move else 0
    is_king_side: i32 = target > king_origin
    king_bit: u64 = ONE << king_origin
    rook_origin: i32 = target if position.rules == CHESS960 else corner + (H_FILE if is_king_side else 0)
    rook_bit: u64 = ONE << rook_origin
    king_target_bit: u64 = ONE << (corner + (G_FILE if is_king_side else C_FILE))
    rook_target_bit: u64 = ONE << (corner + (F_FILE if is_king_side else D_FILE))
    # In Chess960 a piece may land where the other one stood, so both are removed first.
    position.kings = (position.kings ^ king_bit) | king_target_bit
    position.rooks = (position.rooks ^ rook_bit) | rook_target_bit
    position.rights &= ~(RANK_1 << corner)
    return (own_pieces ^ king_bit ^ rook_bit) | king_target_bit | rook_target_bit


def drop_piece(position: Position, kind: i32, target_bit: u64) -> None:
    """Move a piece from the mover's pocket to the board (Crazyhouse). `position` is changed in place.

    `kind` is POCKET_PAWN, POCKET_KNIGHT and so on. `target_bit` is the target as a set of squares. The fields
    `white` and `black` of the position are left to the caller.
    """
    # A pocket has one byte with the count of each kind of piece.
    one_piece: u64 = ONE << (POCKET_COUNT_BITS * kind)
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
    if position.black_to_move:
        position.black_pocket -= one_piece
    else:
        position.white_pocket -= one_piece


def place_promoted_piece(position: Position, kind: i32, target_bit: u64) -> None:
    """Add the piece that a pawn becomes to the board, and mark it as promoted in Crazyhouse.

    `position` is changed in place. `kind` is PROMOTE_QUEEN, PROMOTE_ROOK and so on. `target_bit` is the
    target as a set of squares.
    """
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


def subtract_given_check(position: Position) -> None:
    """Subtract the check that was just given from the remaining checks (Three-check).

    `position` is changed in place. The side to move is the one that is in check, so the other side gave it. A
    count of 0 stays 0.
    """
    black_checks: i32 = position.remaining >> BLACK_CHECKS_SHIFT
    white_checks: i32 = position.remaining & WHITE_CHECKS_MASK
    if position.black_to_move:
        position.remaining -= 1 if white_checks else 0
    else:
        position.remaining -= (1 << BLACK_CHECKS_SHIFT) if black_checks else 0


def remove_exploded(position: Position, exploded_squares: u64) -> None:
    """Remove the pieces on `exploded_squares`, a set of squares, after a capture in atomic chess.

    `position` is changed in place. The castling rights of removed rooks and kings are removed as well.
    """
    position.pawns &= ~exploded_squares
    position.knights &= ~exploded_squares
    position.bishops &= ~exploded_squares
    position.rooks &= ~exploded_squares
    position.queens &= ~exploded_squares
    position.kings &= ~exploded_squares
    position.white &= ~exploded_squares
    position.black &= ~exploded_squares
    position.rights &= ~exploded_squares
    if position.kings & position.white == 0:
        position.rights &= ~RANK_1
    if position.kings & position.black == 0:
        position.rights &= ~(RANK_1 << BLACK_CORNER)


def add_captured_to_pocket(position: Position, captured_bit: u64) -> None:
    """Add a captured piece, which is still on the board, to the pocket of the side to move (Crazyhouse).

    `position` is changed in place. `captured_bit` is the square of the piece as a set of squares. A promoted
    piece is added as a pawn. Nothing is added if the pockets hold MAX_POCKET_PIECES.
    """
    kind: i32
    added_piece: u64
    if (position.promoted | position.pawns) & captured_bit:
        kind = POCKET_PAWN
    elif position.knights & captured_bit:
        kind = POCKET_KNIGHT
    elif position.bishops & captured_bit:
        kind = POCKET_BISHOP
    elif position.rooks & captured_bit:
        kind = POCKET_ROOK
    else:
        kind = POCKET_QUEEN
    position.promoted &= ~captured_bit
    if count_pocket(position.white_pocket) + count_pocket(position.black_pocket) >= MAX_POCKET_PIECES:
        # The text of pockets is limited (spec/chess 10). Real games never reach the limit.
        return
    # A pocket has one byte with the count of each kind of piece.
    added_piece = ONE << (POCKET_COUNT_BITS * kind)
    if position.black_to_move:
        position.black_pocket += added_piece
    else:
        position.white_pocket += added_piece


def count_move_sequences(position: Position, depth: i32) -> u64:
    """Return the number of sequences of `depth` legal moves that begin in a position (perft).

    `depth` is at least 1. If it is greater than 1, `position` must be a draft (see `copy_as_draft`), because
    the moves are played on it and taken back.
    """
    buffer: MoveBuffer
    saved: SavedFields
    index: i32
    move_count: i32
    total: u64 = 0
    if not cython.compiled:
        buffer = [0] * MOVE_BUFFER_SIZE
    move_count = generate_moves(position, buffer)
    if depth == 1:
        return move_count
    saved = save_fields(position)
    for index in range(move_count):
        apply_move(position, buffer[index])
        total += count_move_sequences(position, depth - 1)
        restore_fields(position, saved)
    return total


# --- functions for Python code ----------------------------------------------------------------------


def legal_moves(position: Position) -> list[Move]:
    """Return a list of all legal moves of the side to move."""
    buffer: MoveBuffer
    index: i32
    move_count: i32
    moves: list[Move] = []
    if not cython.compiled:
        buffer = [0] * MOVE_BUFFER_SIZE
    move_count = generate_moves(position, buffer)
    for index in range(move_count):
        moves.append(intern_move(buffer[index]))
    return moves


if not cython.compiled:
    _last_legal_numbers: tuple[Position | None, frozenset[int]] = (None, frozenset())
    """The position that `_legal_numbers` was called with last, and its result."""

    def _legal_numbers(position: Position) -> frozenset[int]:
        """Return the numbers of all legal moves. Those of the last position are remembered.

        In plain Python, generating the moves takes most of the time of writing one. Callers usually write
        several moves of a position.
        """
        global _last_legal_numbers
        last_position, numbers = _last_legal_numbers
        if last_position is not position:
            numbers = frozenset(move.id for move in legal_moves(position))
            _last_legal_numbers = (position, numbers)
        return numbers


def is_legal(position: Position, move: Move) -> bool:
    """Return whether `move` is one of the legal moves of `position`."""
    buffer: MoveBuffer
    index: i32
    move_count: i32
    if not cython.compiled:
        return move.id in _legal_numbers(position)
    # Only compiled code gets here, where the declaration of the buffer allocates it.
    move_count = generate_moves(position, buffer)  # noqa: F821
    for index in range(move_count):  # noqa: SIM110 - a generator cannot reach a C array
        if buffer[index] == move.id:  # noqa: F821
            return True
    return False


def count_legal_moves(position: Position) -> int:
    """Return the number of legal moves of the side to move."""
    return count_move_sequences(position, 1)


def play(position: Position, move: Move) -> Position:
    """Return the position after a legal move or a null move. It is not checked whether the move is legal."""
    return make_move(position, move.id) if move.id else pass_turn(position)


def pass_turn(position: Position) -> Position:
    """Return the position after a null move, with which the side to move passes.

    The other side is to move, the en-passant square is cleared and the clocks go on.
    """
    was_black_to_move: int = position.black_to_move
    return position.replace(
        black_to_move=1 - was_black_to_move,
        ep_square=-1,
        half=min(position.half + 1, MAX_CLOCK),
        full=min(position.full + was_black_to_move, MAX_CLOCK),
    )


def perft(position: Position, depth: int) -> int:
    """Return the number of sequences of `depth` legal moves from a position: 20 for the start and depth 1.

    For depth 0 it is 1. Raise `ValueError` if `depth` is negative or greater than MAX_COUNTED_DEPTH.
    """
    if not 0 <= depth <= MAX_COUNTED_DEPTH:
        raise ValueError(f"perft depth {depth} is out of range, expected 0 to {MAX_COUNTED_DEPTH}")
    if depth == 0:
        return 1
    # Moves are played on a copy, because other threads may read the original position meanwhile.
    draft: Position = copy_as_draft(position)
    c_depth: i32 = depth
    total: u64
    with cython.nogil:
        total = count_move_sequences(draft, c_depth)
    return total


def is_check(position: Position) -> bool:
    """Return whether the side to move is in check."""
    return find_checkers(position) != 0
