"""Features of a chess position: a row of small numbers about material, pawns, kings and clocks.

`FEATURES` describes the numbers of standard chess, in order. `feature_list` describes those of a variant,
which may have more numbers at the end. Only the features of pockets count the pieces in a pocket.

Limits: a position may be illegal. If a side has several kings, the one on the lowest square counts. A side
without a king is never in check. The module runs as it is and compiles with Cython (`features.pxd` gives the
C types). `put_features` works on memory, without the GIL.
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
    from forsyth.games.chess.board import ALL, LIGHT_SQUARES, NOT_FILE_A, NOT_FILE_H, count, i32, lsb, u64
    from forsyth.games.chess.position import CRAZYHOUSE, THREE_CHECK
    from forsyth.games.chess.rules.attacks import BLACK_CHECKS_SHIFT, WHITE_CHECKS_MASK, find_checkers
    from forsyth.games.chess.rules.legality import castling_wings

    Numbers = list[int]
    NumberBuffer = list[int]
    FILE_A: Final = 0x0101010101010101
    STANDARD_FEATURES: Final = 41
    MAX_FEATURES: Final = 52
    WHITE_START: Final = 11
    BLACK_START: Final = 26
    """Numbers of features, and the indexes at which the features of each side begin."""
    MAX_PHASE: Final = 24
    KNIGHT_VALUE: Final = 3
    ROOK_VALUE: Final = 5
    QUEEN_VALUE: Final = 9
    """Values of pieces in pawns. A bishop is worth as much as a knight."""

_KINDS: Final = ("pawns", "knights", "bishops", "rooks", "queens", "kings")
_FLAG: Final = ("no", "yes")


def _side_features(side: str, colour: str) -> tuple[Feature, ...]:
    """Return the names and descriptions of the 15 features of one side.

    `side` is the prefix of the names (``white``), and `colour` the name of the side in a sentence
    (``White``).
    """
    return (
        Feature(f"{side}_castles_short", f"whether {colour} may castle on the king side", _FLAG),
        Feature(f"{side}_castles_long", f"whether {colour} may castle on the queen side", _FLAG),
        Feature(f"{side}_men", f"{colour}'s pieces on the board"),
        *(Feature(f"{side}_{kind}", f"{colour}'s {kind}") for kind in _KINDS),
        Feature(
            f"{side}_material", f"{colour}'s material: pawns 1, knights and bishops 3, rooks 5, queens 9"
        ),
        Feature(f"{side}_bishop_pair", f"whether {colour} has bishops on both colours", _FLAG),
        Feature(f"{side}_doubled_pawns", f"{colour}'s pawns beyond the first on each file"),
        Feature(f"{side}_isolated_pawns", f"{colour}'s pawns without own pawns on the adjacent files"),
        Feature(
            f"{side}_passed_pawns",
            f"{colour}'s pawns without enemy pawns ahead on their own or an adjacent file",
        ),
        Feature(f"{side}_king_square", f"square of {colour}'s king", ("none", *SQUARES)),
    )


FEATURES: Final[tuple[Feature, ...]] = (
    Feature("side_to_move", "the side to move", ("White", "Black")),
    Feature("move_number", "number of the next move"),
    Feature("half_moves", "half-moves since the last capture or pawn move"),
    Feature("plies", "half-moves played since the start of the game"),
    Feature("men", "pieces on the board"),
    Feature(
        "phase",
        "24 with all pieces, 0 with none: sum of knights and bishops 1, rooks 2, queens 4, at most 24",
    ),
    Feature(
        "stage",
        "by the pieces other than kings and pawns: endgame up to 6, middlegame up to 10, else opening",
        ("opening", "middlegame", "endgame"),
    ),
    Feature("balance", "White's material minus Black's"),
    Feature("checkers", "pieces that give check"),
    Feature("en_passant_file", "file of the pawn that has just made a double step", ("none", *FILES)),
    Feature(
        "opposite_bishops", "whether each side has exactly one bishop, on squares of different colours", _FLAG
    ),
    *_side_features("white", "White"),
    *_side_features("black", "Black"),
)
"""The features of standard chess, in the order of their numbers."""

_CRAZYHOUSE_FEATURES: Final = (
    *(Feature(f"white_{kind}_in_hand", f"{kind} in White's pocket") for kind in _KINDS[:5]),
    *(Feature(f"black_{kind}_in_hand", f"{kind} in Black's pocket") for kind in _KINDS[:5]),
    Feature("promoted", "promoted pieces on the board"),
)
_THREE_CHECK_FEATURES: Final = (
    Feature("white_checks_left", "checks that White still has to give"),
    Feature("black_checks_left", "checks that Black still has to give"),
)


def feature_list(rules: int) -> tuple[Feature, ...]:
    """Return the names and descriptions of the features of a variant, in the order of their numbers.

    `rules` is the index of the variant in VARIANTS. Crazyhouse and Three-check have additional features.
    """
    if rules == CRAZYHOUSE:
        return FEATURES + _CRAZYHOUSE_FEATURES
    return FEATURES + _THREE_CHECK_FEATURES if rules == THREE_CHECK else FEATURES


def features(position: Position, rules: int) -> tuple[int, ...]:
    """Return the features of a position: one number for each entry of `feature_list(rules)`, in its order."""
    numbers: NumberBuffer
    if not cython.compiled:
        numbers = [0] * MAX_FEATURES
    put_features(position, rules, numbers)
    return tuple([int(numbers[i]) for i in range(feature_count(rules))])


def feature_count(rules: i32) -> i32:
    """Return the number of features of a variant, whose index in VARIANTS is `rules`."""
    if rules == CRAZYHOUSE:
        return MAX_FEATURES
    return STANDARD_FEATURES + 2 if rules == THREE_CHECK else STANDARD_FEATURES


def put_features(position: Position, rules: i32, out: Numbers) -> None:
    """Write the features of a position to the start of `out`, in the order of `feature_list(rules)`.

    `rules` is the index of the variant in VARIANTS. Crazyhouse and Three-check have additional features.
    """
    white_material: i32 = put_side_features(position, 0, out, WHITE_START)
    black_material: i32 = put_side_features(position, 1, out, BLACK_START)
    minors: i32 = count(position.knights | position.bishops)
    rooks: i32 = count(position.rooks)
    queens: i32 = count(position.queens)
    phase: i32 = minors + 2 * rooks + 4 * queens
    out[0] = position.black_to_move
    out[1] = position.full
    out[2] = position.half
    out[3] = 2 * (position.full - 1) + position.black_to_move
    out[4] = count(position.white | position.black)
    out[5] = MAX_PHASE if phase > MAX_PHASE else phase
    out[6] = game_stage(minors + rooks + queens)
    out[7] = white_material - black_material
    out[8] = count(find_checkers(position))
    out[9] = 0 if position.ep_square < 0 else (position.ep_square & 7) + 1
    out[10] = has_opposite_bishops(position)
    if rules == CRAZYHOUSE:
        put_pocket_features(position, out)
    elif rules == THREE_CHECK:
        out[STANDARD_FEATURES] = position.remaining & WHITE_CHECKS_MASK
        out[STANDARD_FEATURES + 1] = position.remaining >> BLACK_CHECKS_SHIFT


def put_pocket_features(position: Position, out: Numbers) -> None:
    """Write the features that only Crazyhouse has to `out`, behind those of standard chess.

    They are the number of pieces of each kind in White's pocket, then in Black's, and of promoted pieces.
    """
    kind: i32
    # A pocket has one byte for each kind of piece, pawns lowest.
    for kind in range(5):
        out[STANDARD_FEATURES + kind] = position.white_pocket >> 8 * kind & 255
        out[STANDARD_FEATURES + 5 + kind] = position.black_pocket >> 8 * kind & 255
    out[STANDARD_FEATURES + 10] = count(position.promoted)


def put_side_features(position: Position, black: i32, out: Numbers, start: i32) -> i32:
    """Write the 15 features of one side to `out`, and return its material: a queen is 9, a pawn is 1.

    `black` is 1 for Black and 0 for White. `start` is the index of the side's first feature. The order is
    that of `_side_features`: castling rights, piece counts, material, pawn structure, square of the king.
    """
    own: u64 = position.black if black else position.white
    pawns: u64 = position.pawns & own
    bishops: u64 = position.bishops & own
    kings: u64 = position.kings & own
    wings: i32 = castling_wings(position) >> 2 * black
    material: i32
    out[start] = wings & 1
    out[start + 1] = wings >> 1 & 1
    out[start + 2] = count(own)
    out[start + 3] = count(pawns)
    out[start + 4] = count(position.knights & own)
    out[start + 5] = count(bishops)
    out[start + 6] = count(position.rooks & own)
    out[start + 7] = count(position.queens & own)
    out[start + 8] = count(kings)
    material = (
        out[start + 3]
        + KNIGHT_VALUE * (out[start + 4] + out[start + 5])
        + ROOK_VALUE * out[start + 6]
        + QUEEN_VALUE * out[start + 7]
    )
    out[start + 9] = material
    out[start + 10] = bishops & LIGHT_SQUARES != 0 and bishops & ~LIGHT_SQUARES != 0
    out[start + 11] = out[start + 3] - count(occupied_files(pawns))
    out[start + 12] = count_isolated_pawns(pawns)
    out[start + 13] = count_passed_pawns(pawns, position.pawns & ~own, black)
    out[start + 14] = lsb(kings) + 1 if kings else 0
    return material


def game_stage(pieces: i32) -> i32:
    """Return the stage of the game: 0 opening, 1 middlegame, 2 endgame.

    `pieces` is the number of pieces other than kings and pawns.
    """
    if pieces > 10:
        return 0
    return 1 if pieces > 6 else 2


def has_opposite_bishops(position: Position) -> bool:
    """Return whether each side has exactly one bishop, on squares of different colours."""
    return (
        count(position.bishops & position.white) == 1
        and count(position.bishops & position.black) == 1
        and count(position.bishops & LIGHT_SQUARES) == 1
    )


def occupied_files(pawns: u64) -> i32:
    """Return the files that have pawns, as eight bits with the a-file lowest."""
    # The eight ranks are joined into rank 1: half of them, then a quarter, then one.
    pawns |= pawns >> 32
    pawns |= pawns >> 16
    pawns |= pawns >> 8
    return pawns & 255


def count_isolated_pawns(pawns: u64) -> i32:
    """Return the number of pawns without own pawns on the adjacent files."""
    files: u64 = occupied_files(pawns)
    # Multiplying by FILE_A turns each isolated file of eight bits into all squares of the file.
    return count(pawns & (files & ~(files << 1 | files >> 1)) * FILE_A)


def count_passed_pawns(own: u64, enemy: u64, black: i32) -> i32:
    """Return the number of pawns without enemy pawns ahead on their own or an adjacent file.

    `own` and `enemy` are sets of pawns. `black` is 1 if those in `own` are Black's, who move down the board.
    """
    blocked: u64
    # Mark all squares from which a pawn still has an enemy pawn ahead, first on the same file.
    if black:
        blocked = enemy << 8 & ALL
        blocked |= blocked << 8 & ALL
        blocked |= blocked << 16 & ALL
        blocked |= blocked << 32 & ALL
    else:
        blocked = enemy >> 8
        blocked |= blocked >> 8
        blocked |= blocked >> 16
        blocked |= blocked >> 32
    blocked |= (blocked & NOT_FILE_A) >> 1 | (blocked & NOT_FILE_H) << 1
    return count(own & ~blocked)
