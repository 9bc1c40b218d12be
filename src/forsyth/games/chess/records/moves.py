"""Moves of a record, played on one position that is changed in place, and snapshots of that position.

Accepts: moves exactly as `san` writes them, with the correct sign of check. Every other spelling is left to
the record reader. The module runs as it is and compiles with Cython (`moves.pxd` gives the C types).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.position import Position

if not cython.compiled:
    from forsyth.games.chess.board import i32, u64
    from forsyth.games.chess.notation.san import Written, find, put_bare, sign_of
    from forsyth.games.chess.position import FIELD_NAMES
    from forsyth.games.chess.rules.attacks import UNDECIDED, find_variant_winner
    from forsyth.games.chess.rules.moves import apply_move
    from forsyth.games.chess.rules.outcome import STALEMATE, find_ending_code
    from forsyth.record_bytes.words import HASH, PLUS

    Chars = memoryview
    Size = int
    Snapshots = list[tuple[int, ...]]
    MIN_SAN_SIZE: Final = 2
    MAX_SAN_SIZE: Final = 8
    """Lengths of the shortest and the longest texts in SAN, such as ``e4`` and ``exd8=Q+``, in bytes."""
    INVALID_MOVE: Final = -1
    UNKNOWN_RESULT: Final = 0
    WHITE_WON: Final = 1
    BLACK_WON: Final = 2
    DRAWN: Final = 3
    """Results, as indexes of `columns.RESULTS`."""

    def save_position(position: Position, snapshots: Snapshots, index: int) -> None:
        """Store a copy of all fields of `position` in `snapshots[index]`."""
        snapshots[index] = position.fields()

    def restore_position(position: Position, snapshots: Snapshots, index: int) -> None:
        """Set all fields of `position`, in place, to the copy stored in `snapshots[index]`."""
        for name, value in zip(FIELD_NAMES, snapshots[index], strict=True):
            setattr(position, name, value)

    def changed_squares(position: Position, snapshots: Snapshots, index: int) -> u64:
        """Return the squares whose pieces differ between `position` and the copy `snapshots[index]`.

        The result is a set of squares: one bit per square, a1 lowest.
        """
        # Castling in Chess960 can swap king and rook, which leaves the squares of the side unchanged.
        return (
            (position.white ^ snapshots[index][6])
            | (position.black ^ snapshots[index][7])
            | (position.kings ^ snapshots[index][5])
        )

    def slice_chars(chars: memoryview, start: int, end: int) -> bytes:
        """Return a copy of the bytes from `start` up to, but not including, `end`."""
        return bytes(chars[start:end])


def play_written_move(position: Position, chars: Chars, start: Size, end: Size) -> i32:
    """Play the move that ``chars[start:end]`` names in SAN, such as ``Nf3`` or ``exd8=Q+``.

    `position` is changed in place. Return the 16-bit number of the move. Return a negative number if the text
    is not exactly what `san` writes for a legal move. `position` may be changed in this case, too.
    """
    written: Written
    size: i32 = end - start
    move: i32
    bare_size: i32
    i: i32
    check_sign: i32 = 0
    if size < MIN_SAN_SIZE or size > MAX_SAN_SIZE:
        return INVALID_MOVE
    if find_variant_winner(position) != UNDECIDED:
        return INVALID_MOVE

    move = find(position, slice_chars(chars, start, end), size)
    if move < 0:
        return move
    if not cython.compiled:
        written = bytearray(16)
    # The canonical SAN without a sign of check must be equal to the text, with or without such a sign.
    bare_size = put_bare(position, move, written)
    if bare_size != size:
        check_sign = chars[end - 1]
        if bare_size + 1 != size or (check_sign != PLUS and check_sign != HASH):
            return INVALID_MOVE
    for i in range(bare_size):
        if written[i] != chars[start + i]:
            return INVALID_MOVE

    apply_move(position, move)
    return move if check_sign == sign_of(position) else INVALID_MOVE


def result_of_position(position: Position, repetitions: i32) -> i32:
    """Return the result of a game that ends with this position, by the rules and not by what a text claims.

    The result is UNKNOWN_RESULT if the game goes on, else WHITE_WON, BLACK_WON or DRAWN. `repetitions` is how
    often the position has occurred in the game, this time included.
    """
    ending: i32 = find_ending_code(position, repetitions)
    if ending == 0:
        return UNKNOWN_RESULT
    if ending >= STALEMATE:
        return DRAWN
    # Each win for White has an odd number, and the same win for Black the next one.
    return WHITE_WON if ending & 1 else BLACK_WON
