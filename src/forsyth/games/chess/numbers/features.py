"""A chess position as numbers, for tables: material, pawns, kings, clocks.

`FEATURES` says what the numbers of standard chess are, in order; `feature_list` those of a variant, which may
have more behind them. Men in a pocket count for the numbers of pockets alone.

Limits: every number is small, and a position may be illegal: with several kings the lowest square counts, and
without a king nothing gives check. The module runs as it is and compiles with Cython (`features.pxd` gives
the C types); `put_features` works on memory, without the GIL.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.column import Feature
from forsyth.games.chess.board import FILES, SQUARES
from forsyth.games.chess.position import Position

if not cython.compiled:
    from forsyth.games.chess.board import ALL, LIGHT, NOT_FILE_A, NOT_FILE_H, count, i32, lsb, u64
    from forsyth.games.chess.position import CRAZYHOUSE, THREE_CHECK
    from forsyth.games.chess.rules.attacks import checkers_of
    from forsyth.games.chess.rules.legality import castling_wings

    Numbers = list[int]
    NumberBuffer = list[int]
    FILE_A: Final = 0x0101010101010101
    NUMBERS: Final = 41
    MOST_NUMBERS: Final = 52
    FIRST_OF_WHITE: Final = 11
    FIRST_OF_BLACK: Final = 26

_KINDS: Final = ("pawns", "knights", "bishops", "rooks", "queens", "kings")
_FLAG: Final = ("no", "yes")


def _of_side(side: str, colour: str) -> tuple[Feature, ...]:
    return (
        Feature(f"{side}_castles_short", f"whether {colour} may castle on the king side", _FLAG),
        Feature(f"{side}_castles_long", f"whether {colour} may castle on the queen side", _FLAG),
        Feature(f"{side}_men", f"{colour}'s men on the board"),
        *(Feature(f"{side}_{kind}", f"{colour}'s {kind}") for kind in _KINDS),
        Feature(
            f"{side}_material", f"{colour}'s material: pawns 1, knights and bishops 3, rooks 5, queens 9"
        ),
        Feature(f"{side}_bishop_pair", f"whether {colour} has bishops on both colours", _FLAG),
        Feature(f"{side}_doubled_pawns", f"{colour}'s pawns beyond the first on their file"),
        Feature(f"{side}_isolated_pawns", f"{colour}'s pawns without another on the files beside them"),
        Feature(
            f"{side}_passed_pawns", f"{colour}'s pawns with no enemy pawn ahead on their or the next files"
        ),
        Feature(f"{side}_king_square", f"where {colour}'s king stands", ("none", *SQUARES)),
    )


FEATURES: Final[tuple[Feature, ...]] = (
    Feature("side_to_move", "who moves", ("White", "Black")),
    Feature("move_number", "the number of the move about to be played"),
    Feature("half_moves", "half-moves since the last capture or pawn move"),
    Feature("plies", "half-moves played before"),
    Feature("men", "men on the board"),
    Feature("phase", "24 with all pieces, 0 with none: knights and bishops 1, rooks 2, queens 4, at most 24"),
    Feature(
        "stage",
        "endgame with at most 6 pieces but kings and pawns, middlegame with at most 10",
        ("opening", "middlegame", "endgame"),
    ),
    Feature("balance", "White's material less Black's"),
    Feature("checkers", "men that give check"),
    Feature("en_passant_file", "the file a pawn has just made a double step on", ("none", *FILES)),
    Feature("opposite_bishops", "whether each side has one bishop, and on different colours", _FLAG),
    *_of_side("white", "White"),
    *_of_side("black", "Black"),
)

_CRAZYHOUSE: Final = (
    *(Feature(f"white_{kind}_in_hand", f"{kind} in White's pocket") for kind in _KINDS[:5]),
    *(Feature(f"black_{kind}_in_hand", f"{kind} in Black's pocket") for kind in _KINDS[:5]),
    Feature("promoted", "promoted men on the board"),
)
_THREE_CHECK: Final = (
    Feature("white_checks_left", "checks White still has to give"),
    Feature("black_checks_left", "checks Black still has to give"),
)


def feature_list(rules: int) -> tuple[Feature, ...]:
    """What `features` tells in a variant."""
    if rules == CRAZYHOUSE:
        return FEATURES + _CRAZYHOUSE
    return FEATURES + _THREE_CHECK if rules == THREE_CHECK else FEATURES


def features(position: Position, rules: int) -> tuple[int, ...]:
    """The numbers of a position, one for each of `feature_list(rules)`."""
    numbers: NumberBuffer
    if not cython.compiled:
        numbers = [0] * MOST_NUMBERS
    put_features(position, rules, numbers)
    return tuple([int(numbers[i]) for i in range(numbers_in(rules))])


def numbers_in(rules: i32) -> i32:
    """How many numbers `put_features` writes."""
    if rules == CRAZYHOUSE:
        return MOST_NUMBERS
    return NUMBERS + 2 if rules == THREE_CHECK else NUMBERS


def put_features(position: Position, rules: i32, out: Numbers) -> None:
    """Write the numbers of `feature_list(rules)`."""
    white: i32 = put_side(position, 0, out, FIRST_OF_WHITE)
    black: i32 = put_side(position, 1, out, FIRST_OF_BLACK)
    minors: i32 = count(position.knights | position.bishops)
    rooks: i32 = count(position.rooks)
    queens: i32 = count(position.queens)
    phase: i32 = minors + 2 * rooks + 4 * queens
    out[0] = position.black_to_move
    out[1] = position.full
    out[2] = position.half
    out[3] = 2 * (position.full - 1) + position.black_to_move
    out[4] = count(position.white | position.black)
    out[5] = 24 if phase > 24 else phase
    out[6] = stage_of(minors + rooks + queens)
    out[7] = white - black
    out[8] = count(checkers_of(position))
    out[9] = 0 if position.ep_square < 0 else (position.ep_square & 7) + 1
    out[10] = opposite_bishops(position)
    if rules == CRAZYHOUSE:
        put_pocket_features(position, out)
    elif rules == THREE_CHECK:
        out[NUMBERS] = position.remaining & 15
        out[NUMBERS + 1] = position.remaining >> 4


def put_pocket_features(position: Position, out: Numbers) -> None:
    """Write the numbers that Crazyhouse adds."""
    kind: i32
    for kind in range(5):
        out[NUMBERS + kind] = position.white_pocket >> 8 * kind & 255
        out[NUMBERS + 5 + kind] = position.black_pocket >> 8 * kind & 255
    out[NUMBERS + 10] = count(position.promoted)


def put_side(position: Position, black: i32, out: Numbers, at: i32) -> i32:
    """Write the numbers of one side; its material."""
    own: u64 = position.black if black else position.white
    pawns: u64 = position.pawns & own
    bishops: u64 = position.bishops & own
    kings: u64 = position.kings & own
    wings: i32 = castling_wings(position) >> 2 * black
    material: i32
    out[at] = wings & 1
    out[at + 1] = wings >> 1 & 1
    out[at + 2] = count(own)
    out[at + 3] = count(pawns)
    out[at + 4] = count(position.knights & own)
    out[at + 5] = count(bishops)
    out[at + 6] = count(position.rooks & own)
    out[at + 7] = count(position.queens & own)
    out[at + 8] = count(kings)
    material = out[at + 3] + 3 * (out[at + 4] + out[at + 5]) + 5 * out[at + 6] + 9 * out[at + 7]
    out[at + 9] = material
    out[at + 10] = bishops & LIGHT != 0 and bishops & ~LIGHT != 0
    out[at + 11] = out[at + 3] - count(files_of(pawns))
    out[at + 12] = isolated(pawns)
    out[at + 13] = passed(pawns, position.pawns & ~own, black)
    out[at + 14] = lsb(kings) + 1 if kings else 0
    return material


def stage_of(pieces: i32) -> i32:
    """Opening, middlegame or endgame, by the pieces that are neither kings nor pawns."""
    if pieces > 10:
        return 0
    return 1 if pieces > 6 else 2


def opposite_bishops(position: Position) -> bool:
    """Whether each side has one bishop, on squares of different colours."""
    return (
        count(position.bishops & position.white) == 1
        and count(position.bishops & position.black) == 1
        and count(position.bishops & LIGHT) == 1
    )


def files_of(pawns: u64) -> i32:
    """The files that have pawns, as a set of eight."""
    pawns |= pawns >> 32
    pawns |= pawns >> 16
    pawns |= pawns >> 8
    return pawns & 255


def isolated(pawns: u64) -> i32:
    """How many pawns have none on the files beside them."""
    files: u64 = files_of(pawns)
    return count(pawns & (files & ~(files << 1 | files >> 1)) * FILE_A)


def passed(own: u64, enemy: u64, black: i32) -> i32:
    """How many pawns have no enemy pawn ahead of them on their file and those beside it."""
    held: u64
    if black:
        held = enemy << 8 & ALL
        held |= held << 8 & ALL
        held |= held << 16 & ALL
        held |= held << 32 & ALL
    else:
        held = enemy >> 8
        held |= held >> 8
        held |= held >> 16
        held |= held >> 32
    held |= (held & NOT_FILE_A) >> 1 | (held & NOT_FILE_H) << 1
    return count(own & ~held)
