"""The key of a chess position: 128 bits that are the same for all texts of one position.

The key depends on the board, the side to move, the castling rights that are consistent with the board, and
the en-passant square if a capture on it is legal (spec/chess 6). The clocks do not count. Chess960 and
standard texts of one position have the same key. Crazyhouse adds pockets and promoted marks, Three-check the
remaining checks.

Stability: the key of a position never changes (tests/golden/chess/keys.jsonl.gz checks that). The key tells
positions apart, but it does not resist a deliberate search for collisions.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.position import Position
from forsyth.games.chess.rules.legality import find_effective_rights, find_legal_ep_square

if not cython.compiled:
    from forsyth.games.chess.board import ALL, u64
    from forsyth.games.chess.position import CHESS960, CRAZYHOUSE, THREE_CHECK

    SEED_HIGH = 0x466F727379746821
    SEED_LOW = 0x9E3779B97F4A7C15
    MULTIPLIER_1 = 0xBF58476D1CE4E5B9
    MULTIPLIER_2 = 0x94D049BB133111EB
    """Constants of the SplitMix64 hash; the seeds select the upper and lower half of the key."""
    EP_SHIFT = 1
    VARIANT_SHIFT = 8
    REMAINING_SHIFT = 16
    """The lowest bits of the fields in a result of `encode_key_state`."""


def compute_key(position: Position) -> str:
    """Return the key of a position: a hash of 32 hexadecimal digits.

    All texts of one position have the same key. The clocks do not count, so a position that is repeated in a
    game has the same key again.
    """
    rights: u64 = find_effective_rights(position)
    state: u64 = encode_key_state(position)
    high: u64 = hash_position(position, SEED_HIGH, state, rights)
    low: u64 = hash_position(position, SEED_LOW, state, rights)
    return f"{high:016x}{low:016x}"


def encode_key_state(position: Position) -> u64:
    """Return the parts of the key that are not pieces, packed into one number.

    - Bit 0: 1 if Black is to move.
    - Bits 1 to 7: the number of the en-passant square plus 1, or 0 if no capture on it is legal.
    - Bits 8 to 15: the index of the variant, or 0 for standard chess and Chess960.
    - Bits 16 and higher: the remaining checks in Three-check.
    """
    state: u64 = position.black_to_move | ((find_legal_ep_square(position) + 1) << EP_SHIFT)
    if position.rules > CHESS960:
        state |= position.rules << VARIANT_SHIFT
    if position.rules == THREE_CHECK:
        state |= position.remaining << REMAINING_SHIFT
    return state


def hash_position(position: Position, seed: u64, state: u64, rights: u64) -> u64:
    """Return one half of the key of a position: a 64-bit hash of its pieces, `rights` and `state`.

    Args:
        position: The position.
        seed: SEED_HIGH for the upper half of the key, SEED_LOW for the lower one.
        state: The result of `encode_key_state` for the position.
        rights: The castling rights that fit the board, as a set of the rooks' squares.
    """
    digest: u64 = seed
    digest = mix_word(digest, position.pawns)
    digest = mix_word(digest, position.knights)
    digest = mix_word(digest, position.bishops)
    digest = mix_word(digest, position.rooks)
    digest = mix_word(digest, position.queens)
    digest = mix_word(digest, position.kings)
    digest = mix_word(digest, position.white)
    digest = mix_word(digest, rights)
    digest = mix_word(digest, state)
    if position.rules == CRAZYHOUSE:
        digest = mix_word(digest, position.promoted)
        digest = mix_word(digest, position.white_pocket)
        digest = mix_word(digest, position.black_pocket)
    return digest


def mix_word(digest: u64, word: u64) -> u64:
    """Return the hash `digest` after the number `word` was mixed in, by the SplitMix64 function.

    Each bit of `word` changes about half of the 64 bits of the result.
    """
    # The shifts and the multipliers are those of SplitMix64.
    digest = ((digest + SEED_LOW) ^ word) & ALL
    digest = ((digest ^ (digest >> 30)) * MULTIPLIER_1) & ALL
    digest = ((digest ^ (digest >> 27)) * MULTIPLIER_2) & ALL
    return digest ^ (digest >> 31)
