"""The key of a CoTuLenh position: 128 bits that are the same for all texts of one position.

Identity (spec/cotulenh 17, B5) is the placement, heroic marks included, and the side to move; clocks do not
count. An open deploy session is part of it: its origin, what remains and where the others went.

Stability: the key of a position never changes (tests/golden/cotulenh/keys.jsonl.gz holds it).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.cotulenh.position import Position

if not cython.compiled:
    from forsyth.games.cotulenh.board import SQUARE_COUNT, i32, u64

    ALL = (1 << 64) - 1
    SEED_HIGH = 0x43C3B4C3AACC6E68
    SEED_LOW = 0x9E3779B97F4A7C15
    FIRST = 0xBF58476D1CE4E5B9
    SECOND = 0x94D049BB133111EB


def position_key(position: Position) -> str:
    """32 hexadecimal digits."""
    high: u64 = lane_of(position, SEED_HIGH)
    low: u64 = lane_of(position, SEED_LOW)
    session = position.session
    if session is not None:
        words = [session.origin_square, session.original, session.moved_types]
        for step in session.steps:
            words += [step.unit, step.target, step.flags]
        for word in words:
            high = mix(high, word)
            low = mix(low, word)
    return f"{high:016x}{low:016x}"


def lane_of(position: Position, lane: u64) -> u64:
    """Half of the key: the side to move and every unit, two to a word, stirred into one number."""
    square: i32
    first: u64
    second: u64
    lane = mix(lane, position.blue_to_move)
    for square in range(0, SQUARE_COUNT, 2):
        first = position.units[square]
        second = position.units[square + 1]
        lane = mix(lane, first | second << 32)
    return lane


def mix(lane: u64, word: u64) -> u64:
    """Stir one word in: multiply and fold twice, so that each bit reaches every other."""
    lane = (lane + SEED_LOW ^ word) & ALL
    lane = ((lane ^ lane >> 30) * FIRST) & ALL
    lane = ((lane ^ lane >> 27) * SECOND) & ALL
    return lane ^ lane >> 31
