"""Moves of a record, played on one position that is changed in place, and snapshots of that position.

Accepts: moves exactly as `san` writes them, with the correct sign of check (`play_written_move`); and other
spellings that `san` reads, with piece symbols and dashes, up to MAX_WORD_SIZE characters. The module runs as
it is and compiles with Cython (`moves.pxd` gives the C types).
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
    from forsyth.games.chess.rules.attacks import UNDECIDED, find_checkers, find_variant_winner
    from forsyth.games.chess.rules.moves import MAX_CLOCK, apply_move
    from forsyth.games.chess.rules.outcome import STALEMATE, find_ending_code
    from forsyth.record_bytes.words import DIGIT_0, DIGIT_9, FULL_STOP, HASH, MINUS, PLUS, SPACE

    Out = bytearray

    Chars = memoryview
    Size = int
    Snapshots = list[tuple[int, ...]]
    MIN_SAN_SIZE: Final = 2
    MAX_SAN_SIZE: Final = 8
    """Lengths of the shortest and the longest texts in SAN, such as ``e4`` and ``exd8=Q+``, in bytes."""
    INVALID_MOVE: Final = -1
    NULL_MOVE: Final = 0
    """The number of the null move, which no legal move has."""
    MAX_WORD_SIZE: Final = 15
    """The length of the longest unusual word that is read here, after its symbols were replaced."""
    AT_SIGN: Final = 64
    LETTER_P: Final = 80
    LETTER_Z: Final = 90
    SMALL_P: Final = 112
    TILDE: Final = 126
    PIECE_SYMBOL_COUNT: Final = 12
    PIECE_LETTERS: Final = b"KQRBNPKQRBNP"
    """The piece letters for the symbols U+2654 to U+265F."""
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

    def equals_written(chars: memoryview, start: int, written: bytearray, size: int) -> bool:
        """Return whether the `size` bytes at `start` are those at the beginning of `written`."""
        return chars[start : start + size] == written[:size]

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
    if not equals_written(chars, start, written, bare_size):
        return INVALID_MOVE

    apply_move(position, move)
    return move if check_sign == sign_of(position) else INVALID_MOVE


def spell_in_ascii(chars: Chars, start: Size, end: Size, out: Out) -> i32:
    """Write the word ``chars[start:end]`` to `out` with letters for piece symbols and hyphens for dashes.

    ``♘f3`` becomes ``Nf3``, and ``O–O`` becomes ``O-O``. Return the length of the word in `out`, or
    INVALID_MOVE if only the slower record reader can read the word.
    """
    size: i32 = 0
    symbol: i32
    ascii_alnum_count: i32 = 0
    byte: i32
    while start < end:
        byte = chars[start]
        if size == MAX_WORD_SIZE:
            return INVALID_MOVE
        if SPACE < byte <= TILDE:
            # A word with a full stop or a "p" may belong to the move before it: "exd6 e.p.".
            if byte == FULL_STOP or byte == SMALL_P:
                return INVALID_MOVE
            if DIGIT_0 <= byte <= DIGIT_9 or is_ascii_letter(byte):
                ascii_alnum_count += 1
            out[size] = byte
            size += 1
            start += 1
            continue
        # The supported symbols and dashes have three bytes, of which the first is E2.
        if byte != 0xE2 or end - start < 3:
            return INVALID_MOVE
        symbol = chars[start + 2] - 0x94
        if chars[start + 1] == 0x99 and 0 <= symbol < PIECE_SYMBOL_COUNT:
            # The text of a pawn move has no letter.
            if PIECE_LETTERS[symbol] != LETTER_P:
                out[size] = PIECE_LETTERS[symbol]
                size += 1
        elif is_dash(chars, start):
            out[size] = MINUS
            size += 1
        else:
            return INVALID_MOVE
        start += 3
    if ascii_alnum_count or (size == 2 and out[0] == MINUS and out[1] == MINUS):
        return size
    return INVALID_MOVE


def is_ascii_letter(byte: i32) -> bool:
    """Return whether a byte is an ASCII letter."""
    return 97 <= (byte | 32) <= 122


def is_dash(chars: Chars, start: Size) -> bool:
    """Return whether the three bytes at `start`, of which the first is E2, are a dash or a minus sign."""
    # U+2010 to U+2015, and U+2212.
    if chars[start + 1] == 0x80:
        return 0x90 <= chars[start + 2] <= 0x95
    return chars[start + 1] == 0x88 and chars[start + 2] == 0x92


def play_respelled_move(position: Position, word: Out, size: i32, out: Out) -> i32:
    """Play the move that a word names in any spelling that `san` reads, and write its SAN to `out`.

    `word` has `size` bytes. `position` is changed in place. Return the 16-bit number of the move. Return a
    negative number and leave `position` as it is if the word is not a legal move. In `out`, a zero follows
    the text.
    """
    move: i32
    length: i32
    check_sign: i32
    if size < MIN_SAN_SIZE or find_variant_winner(position) != UNDECIDED:
        return INVALID_MOVE
    move = find(position, word, size)
    if move < 0:
        return move
    length = put_bare(position, move, out)
    apply_move(position, move)
    check_sign = sign_of(position)
    out[length] = check_sign
    if check_sign:
        out[length + 1] = 0
    return move


def is_named_pawn_drop(word: Out, size: i32) -> bool:
    """Return whether a word is the drop of a pawn with the letter of the pawn, such as ``P@g4``."""
    return size > 1 and word[0] == LETTER_P and word[1] == AT_SIGN


def is_null_move(word: Out, size: i32) -> bool:
    """Return whether a word is a null move: ``--`` or ``Z0``."""
    if size != 2:
        return False
    return (word[0] == MINUS and word[1] == MINUS) or (word[0] == LETTER_Z and word[1] == DIGIT_0)


def can_pass_turn(position: Position) -> bool:
    """Return whether a null move can be read here: no side is in check, and the game has not ended."""
    return find_checkers(position) == 0 and find_variant_winner(position) == UNDECIDED


def play_recorded_move(position: Position, move: i32) -> None:
    """Play a legal move, or the null move, on `position`, which is changed in place."""
    black: i32 = position.black_to_move
    if move != NULL_MOVE:
        apply_move(position, move)
        return
    position.ep_square = -1
    position.half += 1 if position.half < MAX_CLOCK else 0
    position.full += black if position.full < MAX_CLOCK else 0
    position.black_to_move = 1 - black


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
