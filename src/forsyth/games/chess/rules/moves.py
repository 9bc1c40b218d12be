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
    """Return the only `Move` object with this 16-bit number, which is created on first use.

    The range of the number is not checked. `from_number` does that.
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

    The position must be a draft (see `copy_as_draft`), because other positions are immutable. The legality of
    the move is not checked.
    """
    origin: i32 = move & SQUARE_MASK
    target: i32 = (move >> TARGET_SHIFT) & SQUARE_MASK
    kind: i32 = move >> KIND_SHIFT
    origin_bit: u64 = ONE << origin
    target_bit: u64 = ONE << target
    changed_bits: u64 = origin_bit | target_bit
    black: i32 = position.black_to_move
    own: u64 = position.black if black else position.white
    enemy: u64 = position.white if black else position.black
    captured: u64 = target_bit & enemy
    resets_clock: i32 = 0
    ep_square: i32 = -1
    if kind == CASTLE:
        own = castle(position, origin, target, own)
    elif kind >= DROP:
        own |= target_bit
        drop_piece(position, kind - DROP, target_bit)
    else:
        # A pawn that moves diagonally to the empty en-passant square captures the pawn beside it.
        if (
            not captured
            and position.pawns & origin_bit
            and target == position.ep_square
            and file_index(target) != file_index(origin)
        ):
            captured = ONE << find_double_step_target(target)
        if captured:
            resets_clock = 1
            enemy ^= captured
            if position.rules == CRAZYHOUSE:
                add_captured_to_pocket(position, captured)
            position.pawns &= ~captured
            position.knights &= ~captured
            position.bishops &= ~captured
            position.rooks &= ~captured
            position.queens &= ~captured
            position.kings &= ~captured

        # Each `^= changed_bits` removes the piece from its origin and adds it on its target.
        own ^= changed_bits
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
            position.rights &= ~(RANK_1 << (BLACK_CORNER * black))
        position.rights &= ~changed_bits
        if position.promoted & origin_bit:
            position.promoted = (position.promoted & ~origin_bit) | target_bit

    if black:
        position.black, position.white = own, enemy
    else:
        position.white, position.black = own, enemy
    if captured and (TRAITS[position.rules] & EXPLODES):
        remove_exploded(position, find_blast_squares(position, target))

    position.ep_square = ep_square
    position.half = 0 if resets_clock else position.half + (1 if position.half < MAX_CLOCK else 0)
    position.full += black if position.full < MAX_CLOCK else 0
    position.black_to_move = 1 - black
    if position.rules == THREE_CHECK and find_checkers(position):
        subtract_given_check(position)


def castle(position: Position, king: i32, target: i32, own: u64) -> u64:
    """Castle with the king on the square `king`, and change `position` in place, apart from its colours.

    `target` is the square where the king lands, or in Chess960 the square of the rook. `own` is the set of
    squares of the mover's pieces. Return this set after castling.
    """
    corner: i32 = BLACK_CORNER if position.black_to_move else 0
    is_king_side: i32 = target > king
    king_bit: u64 = ONE << king
    rook: i32 = target if position.rules == CHESS960 else corner + (H_FILE if is_king_side else 0)
    rook_bit: u64 = ONE << rook
    king_target_bit: u64 = ONE << (corner + (G_FILE if is_king_side else C_FILE))
    rook_target_bit: u64 = ONE << (corner + (F_FILE if is_king_side else D_FILE))
    # In Chess960 a piece may land where the other one stood, so both are removed first.
    position.kings = (position.kings ^ king_bit) | king_target_bit
    position.rooks = (position.rooks ^ rook_bit) | rook_target_bit
    position.rights &= ~(RANK_1 << corner)
    return (own ^ king_bit ^ rook_bit) | king_target_bit | rook_target_bit


def drop_piece(position: Position, kind: i32, target_bit: u64) -> None:
    """Move a piece from the mover's pocket to the board (Crazyhouse). `position` is changed in place.

    `kind` is POCKET_PAWN, POCKET_KNIGHT and so on. `target_bit` is the set with the square of the piece. The
    colours of the squares are not changed.
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

    `position` is changed in place. `kind` is PROMOTE_QUEEN, PROMOTE_ROOK and so on. `target_bit` is the set
    with the square of the piece.
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

    `position` is changed in place. The side to move is the one that is in check. A count of 0 stays 0.
    """
    black_checks: i32 = position.remaining >> BLACK_CHECKS_SHIFT
    white_checks: i32 = position.remaining & WHITE_CHECKS_MASK
    if position.black_to_move:
        position.remaining -= 1 if white_checks else 0
    else:
        position.remaining -= (1 << BLACK_CHECKS_SHIFT) if black_checks else 0


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
        position.rights &= ~(RANK_1 << BLACK_CORNER)


def add_captured_to_pocket(position: Position, captured: u64) -> None:
    """Add a captured piece to the pocket of the side to move, as Crazyhouse does, before it is removed.

    `position` is changed in place. `captured` is the square of the piece, as a set with one bit. A promoted
    piece is added as a pawn. Nothing is added if the pockets hold MAX_POCKET_PIECES.
    """
    kind: i32
    added_piece: u64
    if (position.promoted | position.pawns) & captured:
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
    moves are played on it and taken back.
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
        total += count_move_sequences(position, depth - 1)
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
        moves.append(intern_move(buffer[i]))
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
    return count_move_sequences(position, 1)


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
        total = count_move_sequences(draft, line_length)
    return total


def is_check(position: Position) -> bool:
    """Return whether the side to move is in check."""
    return find_checkers(position) != 0
