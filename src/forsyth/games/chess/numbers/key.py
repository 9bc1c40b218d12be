"""The key of a chess position: 128 bits that are the same for all texts of one position.

Identity (spec/chess 6) is the board, the side to move, the castling rights consistent with the board, and
the en-passant square only where it can legally be captured on; clocks do not count. Chess960 and standard
texts of one position have one key. Crazyhouse adds pockets and promoted marks, Three-check the checks left.

Stability: the key of a position never changes (tests/golden/chess/keys.jsonl.gz holds it). It is made to
tell positions apart, not to resist someone who searches for collisions.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.position import Position
from forsyth.games.chess.rules.legality import effective_rights, legal_ep

if not cython.compiled:
    from forsyth.games.chess.board import ALL, u64
    from forsyth.games.chess.position import CHESS960, CRAZYHOUSE, THREE_CHECK

    SEED_HIGH = 0x466F727379746821
    SEED_LOW = 0x9E3779B97F4A7C15
    FIRST = 0xBF58476D1CE4E5B9
    SECOND = 0x94D049BB133111EB


def position_key(position: Position) -> str:
    """32 hexadecimal digits."""
    rights: u64 = effective_rights(position)
    state: u64 = state_of(position)
    high: u64 = lane_of(position, SEED_HIGH, state, rights)
    low: u64 = lane_of(position, SEED_LOW, state, rights)
    return f"{high:016x}{low:016x}"


def state_of(position: Position) -> u64:
    """What counts of a position beside its board and castling rights, as one word."""
    state: u64 = position.black_to_move | (legal_ep(position) + 1) << 1
    if position.rules > CHESS960:
        state |= position.rules << 8
    if position.rules == THREE_CHECK:
        state |= position.remaining << 16
    return state


def lane_of(position: Position, lane: u64, state: u64, rights: u64) -> u64:
    """Half of the key: every word of the position stirred into one number."""
    lane = mix(lane, position.pawns)
    lane = mix(lane, position.knights)
    lane = mix(lane, position.bishops)
    lane = mix(lane, position.rooks)
    lane = mix(lane, position.queens)
    lane = mix(lane, position.kings)
    lane = mix(lane, position.white)
    lane = mix(lane, rights)
    lane = mix(lane, state)
    if position.rules == CRAZYHOUSE:
        lane = mix(lane, position.promoted)
        lane = mix(lane, position.white_pocket)
        lane = mix(lane, position.black_pocket)
    return lane


def mix(lane: u64, word: u64) -> u64:
    """Stir one word in: multiply and fold twice, so that each bit reaches every other."""
    lane = (lane + SEED_LOW ^ word) & ALL
    lane = ((lane ^ lane >> 30) * FIRST) & ALL
    lane = ((lane ^ lane >> 27) * SECOND) & ALL
    return lane ^ lane >> 31
