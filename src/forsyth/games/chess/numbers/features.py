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
    from forsyth.games.chess.board import (
        ALL,
        LIGHT_SQUARES,
        NOT_FILE_A,
        NOT_FILE_H,
        count,
        file_index,
        i32,
        lsb,
        u64,
    )
    from forsyth.games.chess.position import (
        CRAZYHOUSE,
        POCKET_KINDS,
        RANK_MASK,
        THREE_CHECK,
        count_in_pocket,
    )
    from forsyth.games.chess.rules.attacks import BLACK_CHECKS_SHIFT, WHITE_CHECKS_MASK, find_checkers
    from forsyth.games.chess.rules.legality import KING_SIDE, QUEEN_SIDE, WING_BITS, encode_castling_wings

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
    ROOK_PHASE: Final = 2
    QUEEN_PHASE: Final = 4
    """Weights of pieces in the phase of the game. Knights and bishops have the weight 1."""
    OPENING_PIECES: Final = 11
    MIDDLEGAME_PIECES: Final = 7
    """The smallest numbers of pieces, apart from kings and pawns, in these stages of the game."""
    SIDE_TO_MOVE: Final = 0
    MOVE_NUMBER: Final = 1
    HALF_MOVES: Final = 2
    PLIES: Final = 3
    ALL_PIECES: Final = 4
    PHASE: Final = 5
    STAGE: Final = 6
    BALANCE: Final = 7
    CHECKERS: Final = 8
    EN_PASSANT_FILE: Final = 9
    OPPOSITE_BISHOPS: Final = 10
    """Indexes of the features of the whole position in FEATURES."""
    CASTLES_SHORT: Final = 0
    CASTLES_LONG: Final = 1
    PIECES: Final = 2
    PAWNS: Final = 3
    KNIGHTS: Final = 4
    BISHOPS: Final = 5
    ROOKS: Final = 6
    QUEENS: Final = 7
    KINGS: Final = 8
    MATERIAL: Final = 9
    BISHOP_PAIR: Final = 10
    DOUBLED_PAWNS: Final = 11
    ISOLATED_PAWNS: Final = 12
    PASSED_PAWNS: Final = 13
    KING_SQUARE: Final = 14
    """Indexes of the features of one side, counted from WHITE_START or BLACK_START."""

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
    if rules == THREE_CHECK:
        return FEATURES + _THREE_CHECK_FEATURES
    return FEATURES


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
    if rules == THREE_CHECK:
        return STANDARD_FEATURES + 2  # the remaining checks of both sides
    return STANDARD_FEATURES


def put_features(position: Position, rules: i32, out: Numbers) -> None:
    """Write the features of a position to the start of `out`, in the order of `feature_list(rules)`.

    `rules` is the index of the variant in VARIANTS. Crazyhouse and Three-check have additional features.
    """
    white_material: i32 = write_side_features(position, 0, out, WHITE_START)
    black_material: i32 = write_side_features(position, 1, out, BLACK_START)
    minors: i32 = count(position.knights | position.bishops)
    rooks: i32 = count(position.rooks)
    queens: i32 = count(position.queens)
    phase: i32 = minors + ROOK_PHASE * rooks + QUEEN_PHASE * queens
    out[SIDE_TO_MOVE] = position.black_to_move
    out[MOVE_NUMBER] = position.full
    out[HALF_MOVES] = position.half
    out[PLIES] = 2 * (position.full - 1) + position.black_to_move
    out[ALL_PIECES] = count(position.white | position.black)
    out[PHASE] = MAX_PHASE if phase > MAX_PHASE else phase
    out[STAGE] = classify_game_stage(minors + rooks + queens)
    out[BALANCE] = white_material - black_material
    out[CHECKERS] = count(find_checkers(position))
    # 0 means that there is no en-passant square, so the a-file is 1.
    out[EN_PASSANT_FILE] = 0 if position.ep_square < 0 else file_index(position.ep_square) + 1
    out[OPPOSITE_BISHOPS] = has_opposite_bishops(position)
    if rules == CRAZYHOUSE:
        write_pocket_features(position, out)
    elif rules == THREE_CHECK:
        out[STANDARD_FEATURES] = position.remaining & WHITE_CHECKS_MASK
        out[STANDARD_FEATURES + 1] = position.remaining >> BLACK_CHECKS_SHIFT


def write_pocket_features(position: Position, out: Numbers) -> None:
    """Write the features that only Crazyhouse has to `out`, behind those of standard chess.

    They are the number of pieces of each kind in White's pocket, then in Black's, and of promoted pieces.
    """
    kind: i32
    white_start: i32 = STANDARD_FEATURES
    black_start: i32 = white_start + POCKET_KINDS
    for kind in range(POCKET_KINDS):
        out[white_start + kind] = count_in_pocket(position.white_pocket, kind)
        out[black_start + kind] = count_in_pocket(position.black_pocket, kind)
    out[black_start + POCKET_KINDS] = count(position.promoted)


def write_side_features(position: Position, black: i32, out: Numbers, start: i32) -> i32:
    """Write the 15 features of one side to `out`, and return its material: a queen is 9, a pawn is 1.

    `black` is 1 for Black and 0 for White. `start` is the index of the side's first feature. The order is
    that of `_side_features`: castling rights, piece counts, material, pawn structure, square of the king.
    """
    own: u64 = position.black if black else position.white
    pawns: u64 = position.pawns & own
    bishops: u64 = position.bishops & own
    kings: u64 = position.kings & own
    castling_sides: i32 = encode_castling_wings(position) >> (WING_BITS * black)
    material: i32
    out[start + CASTLES_SHORT] = (castling_sides & KING_SIDE) != 0
    out[start + CASTLES_LONG] = (castling_sides & QUEEN_SIDE) != 0
    out[start + PIECES] = count(own)
    out[start + PAWNS] = count(pawns)
    out[start + KNIGHTS] = count(position.knights & own)
    out[start + BISHOPS] = count(bishops)
    out[start + ROOKS] = count(position.rooks & own)
    out[start + QUEENS] = count(position.queens & own)
    out[start + KINGS] = count(kings)
    material = (
        out[start + PAWNS]
        + KNIGHT_VALUE * (out[start + KNIGHTS] + out[start + BISHOPS])
        + ROOK_VALUE * out[start + ROOKS]
        + QUEEN_VALUE * out[start + QUEENS]
    )
    out[start + MATERIAL] = material
    out[start + BISHOP_PAIR] = (bishops & LIGHT_SQUARES) != 0 and (bishops & ~LIGHT_SQUARES) != 0
    out[start + DOUBLED_PAWNS] = out[start + PAWNS] - count(find_occupied_files(pawns))
    out[start + ISOLATED_PAWNS] = count_isolated_pawns(pawns)
    out[start + PASSED_PAWNS] = count_passed_pawns(pawns, position.pawns & ~own, black)
    # 0 means that there is no king, so a1 is 1.
    out[start + KING_SQUARE] = lsb(kings) + 1 if kings else 0
    return material


def classify_game_stage(pieces: i32) -> i32:
    """Return the stage of the game: 0 opening, 1 middlegame, 2 endgame.

    `pieces` is the number of pieces other than kings and pawns.
    """
    if pieces >= OPENING_PIECES:
        return 0
    return 1 if pieces >= MIDDLEGAME_PIECES else 2


def has_opposite_bishops(position: Position) -> bool:
    """Return whether each side has exactly one bishop, and these stand on squares of different colours."""
    return (
        count(position.bishops & position.white) == 1
        and count(position.bishops & position.black) == 1
        and count(position.bishops & LIGHT_SQUARES) == 1
    )


def find_occupied_files(pawns: u64) -> i32:
    """Return the files that have pawns, as eight bits with the a-file lowest: 5 for pawns on a2 and c4.

    `pawns` is a set of squares.
    """
    # The eight ranks are joined into rank 1: half of them, then a quarter, then one.
    pawns |= pawns >> 32
    pawns |= pawns >> 16
    pawns |= pawns >> 8
    return pawns & RANK_MASK


def count_isolated_pawns(pawns: u64) -> i32:
    """Return the number of pawns in a set without other pawns of the set on the adjacent files."""
    files: u64 = find_occupied_files(pawns)
    adjacent_files: u64 = (files << 1) | (files >> 1)
    isolated_files: u64 = files & ~adjacent_files
    # Multiplying by FILE_A turns each file of these eight bits into all squares of the file.
    return count(pawns & (isolated_files * FILE_A))


def count_passed_pawns(own: u64, enemy: u64, black: i32) -> i32:
    """Return the number of pawns without enemy pawns ahead on their own or an adjacent file.

    `own` and `enemy` are sets of pawns. `black` is 1 if those in `own` are Black's, who move down the board.
    """
    blocked: u64
    # Mark all squares from which a pawn still has an enemy pawn ahead on the same file. The shifts move the
    # squares by one rank, then by one, two and four ranks more.
    if black:
        blocked = (enemy << 8) & ALL
        blocked |= (blocked << 8) & ALL
        blocked |= (blocked << 16) & ALL
        blocked |= (blocked << 32) & ALL
    else:
        blocked = enemy >> 8
        blocked |= blocked >> 8
        blocked |= blocked >> 16
        blocked |= blocked >> 32
    # Add the squares of the adjacent files.
    blocked |= ((blocked & NOT_FILE_A) >> 1) | ((blocked & NOT_FILE_H) << 1)
    return count(own & ~blocked)
