"""Key of a CoTuLenh position: 128 bits that are the same for all texts of one position.

The key depends on the placement, heroic marks included, and on the side to move (spec/cotulenh 17, B5).
Clocks do not count. It also depends on an open deploy session: its origin, the remaining pieces and its
steps.

Stability: the key of a position never changes (tests/golden/cotulenh/keys.jsonl.gz tests that).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.cotulenh.position import Position, Session

if not cython.compiled:
    from forsyth.games.cotulenh.board import i32, u64
    from forsyth.games.cotulenh.rules.attacks import Units

    Words = list[int]
    Lanes = list[int]
    WORD_COUNT = 66
    """The number of words of a board, two squares to a word."""
    BLOCK_SIZE = 4
    """The number of boards whose keys are computed together."""
    LANES_PER_KEY = 2
    """The number of 64-bit halves of a key, the high one first."""
    UNIT_BITS = 32
    MASK_64 = (1 << 64) - 1
    SEED_HIGH = 0x43C3B4C3AACC6E68
    SEED_LOW = 0x9E3779B97F4A7C15
    FIRST_MULTIPLIER = 0xBF58476D1CE4E5B9
    SECOND_MULTIPLIER = 0x94D049BB133111EB


def compute_key(position: Position) -> str:
    """Return the key of a position: 32 hexadecimal digits, equal for all texts of one position.

    It depends on the board, the side to move and an open deploy session, but not on the clocks.
    """
    high: u64
    low: u64
    words: Words
    lanes: Lanes
    if not cython.compiled:
        words = [0] * WORD_COUNT
        lanes = [0] * LANES_PER_KEY
    # A block of one board, whose index is 0.
    start_lanes(lanes, 0, position.blue_to_move)
    write_words(words, 0, position.units)
    mix_words(words, lanes)
    high = lanes[0]
    low = lanes[1]
    if position.session is not None:
        for word in _list_session_words(position.session):
            high = mix_word(high, word)
            low = mix_word(low, word)
    return f"{high:016x}{low:016x}"


def _list_session_words(session: Session) -> list[int]:
    """Return the numbers of an open deploy session on which a key depends.

    They describe the stack that deploys and the steps of its pieces.
    """
    session_words = [session.origin_square, session.original, session.moved_types]
    for step in session.steps:
        session_words += [step.unit, step.target, step.flags]
    return session_words


def start_lanes(lanes: Lanes, board_index: i32, blue_to_move: i32) -> None:
    """Set the two halves of a key to their start values, which depend on the side to move.

    Args:
        lanes: The halves of the keys of a block of boards, two for each board, the high one first. Changed in
            place.
        board_index: The index of the board in the block.
        blue_to_move: 1 if Blue is to move, else 0.
    """
    lanes[LANES_PER_KEY * board_index] = mix_word(SEED_HIGH, blue_to_move)
    lanes[LANES_PER_KEY * board_index + 1] = mix_word(SEED_LOW, blue_to_move)


def write_words(words: Words, board_index: i32, units: Units) -> None:
    """Write the units of a board into `words`, two units to a word of 64 bits.

    Args:
        words: The words of a block of boards, WORD_COUNT for each, changed in place.
        board_index: The index of the board in the block.
        units: The units of all squares.
    """
    index: i32
    first_unit: u64
    second_unit: u64
    for index in range(WORD_COUNT):
        first_unit = units[2 * index]
        second_unit = units[2 * index + 1]
        words[board_index * WORD_COUNT + index] = first_unit | second_unit << UNIT_BITS


def mix_words(words: Words, lanes: Lanes) -> None:
    """Mix the words of one board into `lanes`, the two halves of its key, in place.

    A word contains the units of two squares.
    """
    index: i32
    high: u64 = lanes[0]
    low: u64 = lanes[1]
    for index in range(WORD_COUNT):
        high = mix_word(high, words[index])
        low = mix_word(low, words[index])
    lanes[0] = high
    lanes[1] = low


def mix_block(words: Words, lanes: Lanes) -> None:
    """Mix the words of BLOCK_SIZE boards into the halves of their keys, in place.

    `lanes` has two halves for each board. Several boards at once are faster: each step of a key depends on
    the step before it, but not on the other keys, so the processor can work on all keys at the same time.
    """
    word_index: i32
    lane: i32
    board_index: i32
    # A local copy, which the compiler can keep in registers.
    mixed: Lanes
    if not cython.compiled:
        mixed = [0] * (LANES_PER_KEY * BLOCK_SIZE)
    for lane in range(LANES_PER_KEY * BLOCK_SIZE):
        mixed[lane] = lanes[lane]
    for word_index in range(WORD_COUNT):
        for lane in range(LANES_PER_KEY * BLOCK_SIZE):
            # Two lanes to a board. A shift is faster than a division.
            board_index = lane >> 1
            mixed[lane] = mix_word(mixed[lane], words[board_index * WORD_COUNT + word_index])
    for lane in range(LANES_PER_KEY * BLOCK_SIZE):
        lanes[lane] = mixed[lane]


def mix_word(lane: u64, word: u64) -> u64:
    """Return `lane`, a half of a key as 64 bits, with one word mixed in.

    The value is multiplied and folded twice, so that every bit affects all others.
    """
    lane = (lane + SEED_LOW ^ word) & MASK_64
    lane = ((lane ^ lane >> 30) * FIRST_MULTIPLIER) & MASK_64
    lane = ((lane ^ lane >> 27) * SECOND_MULTIPLIER) & MASK_64
    return lane ^ lane >> 31
