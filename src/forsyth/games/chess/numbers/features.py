"""Features of a chess position: a row of small numbers about material, pawns, kings and clocks.

`FEATURES` describes the numbers of standard chess, in order. `list_features` describes those of a variant,
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
    THREE_CHECK_FEATURES: Final = 2
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
    OPENING: Final = 0
    MIDDLEGAME: Final = 1
    ENDGAME: Final = 2
    """Stages of the game."""
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


def _describe_side_features(side: str, colour: str) -> tuple[Feature, ...]:
    """Return the names and descriptions of the 15 features of one side, such as ``white_pawns``.

    Args:
        side: The prefix of the names, ``white`` or ``black``.
        colour: The name of the side in the descriptions, ``White`` or ``Black``.
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
    *_describe_side_features("white", "White"),
    *_describe_side_features("black", "Black"),
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


def list_features(variant_index: int) -> tuple[Feature, ...]:
    """Return the names and descriptions of the features that `compute_features` returns, in its order.

    A feature is a small number about a position, such as ``white_pawns``. `variant_index` is the index of the
    variant in VARIANTS. Crazyhouse and Three-check have additional features.
    """
    if variant_index == CRAZYHOUSE:
        return FEATURES + _CRAZYHOUSE_FEATURES
    if variant_index == THREE_CHECK:
        return FEATURES + _THREE_CHECK_FEATURES
    return FEATURES


def compute_features(position: Position, variant_index: int) -> tuple[int, ...]:
    """Return the features of a position: small numbers, such as 8 for ``white_pawns``.

    `variant_index` is the index of the variant in VARIANTS. `list_features` has the names of the numbers, in
    the same order.
    """
    numbers: NumberBuffer
    if not cython.compiled:
        numbers = [0] * MAX_FEATURES
    put_features(position, variant_index, numbers)
    return tuple([int(numbers[index]) for index in range(count_features(variant_index))])


def count_features(variant_index: i32) -> i32:
    """Return the number of features of a variant: 41 for standard chess.

    `variant_index` is the index of the variant in VARIANTS.
    """
    if variant_index == CRAZYHOUSE:
        return MAX_FEATURES
    if variant_index == THREE_CHECK:
        return STANDARD_FEATURES + THREE_CHECK_FEATURES
    return STANDARD_FEATURES


def put_features(position: Position, variant_index: i32, output: Numbers) -> None:
    """Write the features of a position to the start of `output`, in the order of `list_features`.

    A feature is a small number about a position, such as 8 for ``white_pawns``. `variant_index` is the index
    of the variant in VARIANTS.
    """
    white_material: i32 = write_side_features(position, 0, output, WHITE_START)
    black_material: i32 = write_side_features(position, 1, output, BLACK_START)
    minors: i32 = count(position.knights | position.bishops)
    rooks: i32 = count(position.rooks)
    queens: i32 = count(position.queens)
    phase: i32 = minors + ROOK_PHASE * rooks + QUEEN_PHASE * queens
    output[SIDE_TO_MOVE] = position.black_to_move
    output[MOVE_NUMBER] = position.full
    output[HALF_MOVES] = position.half
    output[PLIES] = 2 * (position.full - 1) + position.black_to_move
    output[ALL_PIECES] = count(position.white | position.black)
    output[PHASE] = MAX_PHASE if phase > MAX_PHASE else phase
    output[STAGE] = classify_game_stage(minors + rooks + queens)
    output[BALANCE] = white_material - black_material
    output[CHECKERS] = count(find_checkers(position))
    # 0 means that there is no en-passant square, so the a-file is 1.
    output[EN_PASSANT_FILE] = 0 if position.ep_square < 0 else file_index(position.ep_square) + 1
    output[OPPOSITE_BISHOPS] = has_opposite_bishops(position)
    if variant_index == CRAZYHOUSE:
        write_pocket_features(position, output)
    elif variant_index == THREE_CHECK:
        output[STANDARD_FEATURES] = position.remaining & WHITE_CHECKS_MASK
        output[STANDARD_FEATURES + 1] = position.remaining >> BLACK_CHECKS_SHIFT


def write_pocket_features(position: Position, output: Numbers) -> None:
    """Write the features that only Crazyhouse has to `output`, behind those of standard chess.

    They are the numbers of pawns, knights, bishops, rooks and queens in White's pocket, the same numbers for
    Black's pocket, and the number of promoted pieces on the board.
    """
    kind: i32
    white_start: i32 = STANDARD_FEATURES
    black_start: i32 = white_start + POCKET_KINDS
    promoted_index: i32 = black_start + POCKET_KINDS
    for kind in range(POCKET_KINDS):
        output[white_start + kind] = count_in_pocket(position.white_pocket, kind)
        output[black_start + kind] = count_in_pocket(position.black_pocket, kind)
    output[promoted_index] = count(position.promoted)


def write_side_features(position: Position, colour: i32, output: Numbers, start: i32) -> i32:
    """Write the 15 features of one side to `output`, and return its material.

    The material is a sum in which a pawn is 1 and a queen 9. The order is that of `_describe_side_features`:
    castling rights, numbers of pieces, material, pawn structure, and the square of the king.

    Args:
        position: The position.
        colour: 0 for White, 1 for Black.
        output: The features of the position, which is changed in place.
        start: The index of the first feature of the side.
    """
    own_pieces: u64 = position.black if colour else position.white
    pawns: u64 = position.pawns & own_pieces
    bishops: u64 = position.bishops & own_pieces
    kings: u64 = position.kings & own_pieces
    castling_sides: i32 = encode_castling_wings(position) >> (WING_BITS * colour)
    material: i32
    output[start + CASTLES_SHORT] = (castling_sides & KING_SIDE) != 0
    output[start + CASTLES_LONG] = (castling_sides & QUEEN_SIDE) != 0
    output[start + PIECES] = count(own_pieces)
    output[start + PAWNS] = count(pawns)
    output[start + KNIGHTS] = count(position.knights & own_pieces)
    output[start + BISHOPS] = count(bishops)
    output[start + ROOKS] = count(position.rooks & own_pieces)
    output[start + QUEENS] = count(position.queens & own_pieces)
    output[start + KINGS] = count(kings)
    material = (
        output[start + PAWNS]
        + KNIGHT_VALUE * (output[start + KNIGHTS] + output[start + BISHOPS])
        + ROOK_VALUE * output[start + ROOKS]
        + QUEEN_VALUE * output[start + QUEENS]
    )
    output[start + MATERIAL] = material
    output[start + BISHOP_PAIR] = (bishops & LIGHT_SQUARES) != 0 and (bishops & ~LIGHT_SQUARES) != 0
    output[start + DOUBLED_PAWNS] = output[start + PAWNS] - count(find_occupied_files(pawns))
    output[start + ISOLATED_PAWNS] = count_isolated_pawns(pawns)
    output[start + PASSED_PAWNS] = count_passed_pawns(pawns, position.pawns & ~own_pieces, colour)
    # 0 means that there is no king, so a1 is 1.
    output[start + KING_SQUARE] = lsb(kings) + 1 if kings else 0
    return material


def classify_game_stage(piece_count: i32) -> i32:
    """Return the stage of the game: OPENING, MIDDLEGAME or ENDGAME.

    `piece_count` is the number of pieces of both sides other than kings and pawns: 11 or more are an opening,
    7 or more a middlegame.
    """
    if piece_count >= OPENING_PIECES:
        return OPENING
    return MIDDLEGAME if piece_count >= MIDDLEGAME_PIECES else ENDGAME


def has_opposite_bishops(position: Position) -> bool:
    """Return whether each side has exactly one bishop, and these stand on squares of different colours."""
    return (
        count(position.bishops & position.white) == 1
        and count(position.bishops & position.black) == 1
        and count(position.bishops & LIGHT_SQUARES) == 1
    )


def find_occupied_files(pawns: u64) -> i32:
    """Return the files that have pawns, as eight bits with the a-file lowest.

    `pawns` is a set of squares: a number with one bit for each of the 64 squares. For pawns on a2 and c4 the
    result is 5, the bits of the a-file and the c-file.
    """
    # Fold the board onto rank 1: the upper four ranks onto the lower four, then two onto two, then one.
    pawns |= pawns >> 32
    pawns |= pawns >> 16
    pawns |= pawns >> 8
    return pawns & RANK_MASK


def count_isolated_pawns(pawns: u64) -> i32:
    """Return the number of isolated pawns: those without other pawns of `pawns` on the adjacent files.

    `pawns` is the set of squares of one side's pawns, with one bit for each square.
    """
    files: u64 = find_occupied_files(pawns)
    adjacent_files: u64 = (files << 1) | (files >> 1)
    isolated_files: u64 = files & ~adjacent_files
    # Multiplying by FILE_A turns each file of these eight bits into all squares of the file.
    return count(pawns & (isolated_files * FILE_A))


def count_passed_pawns(own_pawns: u64, enemy_pawns: u64, is_black: i32) -> i32:
    """Return the number of pawns without enemy pawns ahead on their own or an adjacent file.

    `own_pawns` and `enemy_pawns` are sets of squares, with one bit for each square. `is_black` is 1 if the
    own pawns are Black's, which move down the board, and 0 if they are White's.
    """
    blocked_squares: u64
    # Mark all squares from which a pawn still has an enemy pawn ahead on the same file. The shifts move the
    # squares by one rank, then by one, two and four ranks more.
    if is_black:
        blocked_squares = (enemy_pawns << 8) & ALL
        blocked_squares |= (blocked_squares << 8) & ALL
        blocked_squares |= (blocked_squares << 16) & ALL
        blocked_squares |= (blocked_squares << 32) & ALL
    else:
        blocked_squares = enemy_pawns >> 8
        blocked_squares |= blocked_squares >> 8
        blocked_squares |= blocked_squares >> 16
        blocked_squares |= blocked_squares >> 32
    # Add the squares of the adjacent files.
    blocked_squares |= ((blocked_squares & NOT_FILE_A) >> 1) | ((blocked_squares & NOT_FILE_H) << 1)
    return count(own_pawns & ~blocked_squares)
