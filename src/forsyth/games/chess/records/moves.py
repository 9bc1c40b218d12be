"""The moves of a record on one position that moves on: reading and playing one, keeping a place to return to.

Accepts: moves exactly as `san` writes them, with the sign of check that is due; every other spelling is left
to the record reader. The module runs as it is and compiles with Cython (`record_moves.pxd` gives the C
types).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.position import Position

if not cython.compiled:
    from forsyth.games.chess.board import i32, u64
    from forsyth.games.chess.notation.san import Written, find, put_bare, sign_of
    from forsyth.games.chess.position import FIELD_NAMES
    from forsyth.games.chess.rules.attacks import UNDECIDED, decided
    from forsyth.games.chess.rules.moves import advance
    from forsyth.games.chess.rules.outcome import STALEMATE, ending

    Chars = memoryview
    Size = int
    Snapshots = list[tuple[int, ...]]

    def keep(p: Position, to: Snapshots, at: int) -> None:
        """Keep the numbers of a position at a place."""
        to[at] = p.fields()

    def restore(p: Position, kept: Snapshots, at: int) -> None:
        """Give a position the numbers that were kept at a place."""
        for name, number in zip(FIELD_NAMES, kept[at], strict=True):
            setattr(p, name, number)

    def changed(p: Position, kept: Snapshots, at: int) -> u64:
        """The squares on which other men stand than in the position that was kept."""
        # A rook that castles may come to stand where its king stood: the squares of the side are the same.
        return (p.white ^ kept[at][6]) | (p.black ^ kept[at][7]) | (p.kings ^ kept[at][5])

    def part(s: memoryview, at: int, end: int) -> bytes:
        """Some of the characters."""
        return bytes(s[at:end])


def take_move(p: Position, s: Chars, at: Size, end: Size) -> i32:
    """Play the move that some characters name; its number, or a negative one."""
    written: Written
    size: i32 = end - at
    number: i32
    bare: i32
    i: i32
    sign: i32 = 0
    if size < 2 or size > 8 or decided(p) != UNDECIDED:
        return -1
    number = find(p, part(s, at, end), size)
    if number < 0:
        return number
    if not cython.compiled:
        written = bytearray(16)
    bare = put_bare(p, number, written)
    if bare != size:
        sign = s[end - 1]
        if bare + 1 != size or (sign != 43 and sign != 35):
            return -1
    for i in range(bare):
        if written[i] != s[at + i]:
            return -1
    advance(p, number)
    return number if sign == sign_of(p) else -1


def result_of_position(p: Position, repetitions: i32) -> i32:
    """Which result the rules say here, as a place in `columns.RESULTS`; 0 where they say none."""
    reason: i32 = ending(p, repetitions)
    if reason == 0:
        return 0
    if reason >= STALEMATE:
        return 3
    return 1 if reason & 1 else 2
