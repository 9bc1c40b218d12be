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
    from forsyth.games.cotulenh.board import i32, u64
    from forsyth.games.cotulenh.rules.attacks import Units

    Words = list[int]
    Lanes = list[int]
    WORD_COUNT = 66
    BLOCK = 4
    ALL = (1 << 64) - 1
    SEED_HIGH = 0x43C3B4C3AACC6E68
    SEED_LOW = 0x9E3779B97F4A7C15
    FIRST = 0xBF58476D1CE4E5B9
    SECOND = 0x94D049BB133111EB


def position_key(position: Position) -> str:
    """32 hexadecimal digits."""
    high: u64
    low: u64
    words: Words
    lanes: Lanes
    if not cython.compiled:
        words = [0] * WORD_COUNT
        lanes = [0] * 2
    begin(lanes, 0, position.blue_to_move)
    write_words(words, 0, position.units)
    stir(words, lanes)
    high = lanes[0]
    low = lanes[1]
    session = position.session
    if session is not None:
        further = [session.origin_square, session.original, session.moved_types]
        for step in session.steps:
            further += [step.unit, step.target, step.flags]
        for word in further:
            high = mix(high, word)
            low = mix(low, word)
    return f"{high:016x}{low:016x}"


def begin(lanes: Lanes, place: i32, blue: i32) -> None:
    """The two halves of a key, high and low, at their beginning: the side to move."""
    lanes[2 * place] = mix(SEED_HIGH, blue)
    lanes[2 * place + 1] = mix(SEED_LOW, blue)


def write_words(words: Words, place: i32, units: Units) -> None:
    """The units of a board, two to a word, as the board of that place."""
    i: i32
    first: u64
    second: u64
    for i in range(WORD_COUNT):
        first = units[2 * i]
        second = units[2 * i + 1]
        words[place * WORD_COUNT + i] = first | second << 32


def stir(words: Words, lanes: Lanes) -> None:
    """Stir the words of one board into its two lanes."""
    i: i32
    high: u64 = lanes[0]
    low: u64 = lanes[1]
    for i in range(WORD_COUNT):
        high = mix(high, words[i])
        low = mix(low, words[i])
    lanes[0] = high
    lanes[1] = low


def stir_block(words: Words, lanes: Lanes) -> None:
    """Stir the words of BLOCK boards into their lanes.

    Each word has to wait for the one before it: meanwhile the processor stirs those of the other boards.
    """
    i: i32
    lane: i32
    at: Lanes
    if not cython.compiled:
        at = [0] * (2 * BLOCK)
    for lane in range(2 * BLOCK):
        at[lane] = lanes[lane]
    for i in range(WORD_COUNT):
        for lane in range(2 * BLOCK):
            at[lane] = mix(at[lane], words[(lane >> 1) * WORD_COUNT + i])
    for lane in range(2 * BLOCK):
        lanes[lane] = at[lane]


def mix(lane: u64, word: u64) -> u64:
    """Stir one word in: multiply and fold twice, so that each bit reaches every other."""
    lane = (lane + SEED_LOW ^ word) & ALL
    lane = ((lane ^ lane >> 30) * FIRST) & ALL
    lane = ((lane ^ lane >> 27) * SECOND) & ALL
    return lane ^ lane >> 31
