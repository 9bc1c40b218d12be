"""Faults of a chess position as bits, one for each code of spec/chess 5.2 and 8.

`find_faults` finds all faults without creating objects, and `check.check_position` turns them into
diagnostics. The module also derives the castling rights that are consistent with the board and the en-passant
square that can be captured on. It runs as it is and compiles with Cython (`legality.pxd` gives the C types).
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.position import Position

if not cython.compiled:
    from forsyth.games.chess.board import (
        BLACK_CORNER,
        END_RANKS,
        KING_ATTACKS,
        LIGHT_SQUARES,
        LINE,
        ONE,
        PAWN_ATTACKS,
        RANK_1,
        count,
        has_several,
        i32,
        lsb,
        msb,
        rank_index,
        u64,
    )
    from forsyth.games.chess.position import (
        CHESS960,
        CRAZYHOUSE,
        POCKET_COUNT_MASK,
        count_pocket,
        find_double_step_origin,
        find_double_step_target,
    )
    from forsyth.games.chess.rules.attacks import (
        MAX_KINGS,
        MAX_PAWNS,
        MAX_PIECES,
        MIN_KINGS,
        TRAITS,
        are_kings_adjacent,
        collect_attackers,
        is_atomic_legal,
        is_en_passant_safe,
    )
    from forsyth.games.chess.variants import EXPLODES, MUST_CAPTURE, NO_CASTLING, RACE, WHITE_HORDE

    NO_KING: Final = 1 << 0
    MANY_KINGS: Final = 1 << 1
    BACKRANK: Final = 1 << 2
    MANY_PAWNS: Final = 1 << 3
    MANY_PIECES: Final = 1 << 4
    PROMOTED: Final = 1 << 5
    CASTLING_KING: Final = 1 << 6
    CASTLING_ROOK: Final = 1 << 7
    CASTLING_AMBIGUOUS: Final = 1 << 8
    CASTLING_DIFFER: Final = 1 << 9
    EP_SIDE: Final = 1 << 10
    EP_PAWN: Final = 1 << 11
    EP_BLOCKED: Final = 1 << 12
    EP_HALF: Final = 1 << 13
    OPPOSITE: Final = 1 << 14
    ADJACENT: Final = 1 << 15
    MANY_CHECKS: Final = 1 << 16
    IMPOSSIBLE: Final = 1 << 17
    HALF_INCONSISTENT: Final = 1 << 18
    HALF_SEVENTYFIVE: Final = 1 << 19
    CASTLING_NONE: Final = 1 << 20
    RACE_CHECK: Final = 1 << 21
    """The bits of `find_faults`, in the order of FAULTS."""
    MISPLACED_EP_FAULTS: Final = EP_SIDE | EP_PAWN | EP_BLOCKED
    """The faults of an en-passant square on which no capture is possible."""
    E_FILE_BIT: Final = 1 << 4
    B_TO_G_FILE_BITS: Final = 126
    RANK_BITS: Final = 255
    """Files of one rank as bits, the a-file lowest."""
    STANDARD_KING_FILE: Final = 4
    MAX_CHECKERS: Final = 2
    """The largest number of pieces that can give check after one move."""
    SEVENTY_FIVE_MOVES: Final = 150
    """The half-move clock at which the game is drawn."""
    RANK_3_INDEX: Final = 2
    RANK_6_INDEX: Final = 5
    KING_SIDE: Final = 1
    QUEEN_SIDE: Final = 2
    WING_BITS: Final = 2
    """Bits of the castling rights of one side in `encode_castling_wings`, and their number."""
    USUAL_PAWNS: Final = 8
    """The largest number of pawns with which a side begins, apart from a horde."""
    CRAZYHOUSE_PAWNS: Final = 16
    CRAZYHOUSE_PIECES: Final = 32
    """The largest number of pawns and of pieces in Crazyhouse, of both sides together."""

FAULTS: Final = (
    "king.missing",
    "king.many",
    "pawn.backrank",
    "pawn.many",
    "pieces.many",
    "pieces.promoted",
    "castling.no_king",
    "castling.no_rook",
    "castling.ambiguous",
    "castling.kings_differ",
    "ep.side",
    "ep.no_pawn",
    "ep.blocked",
    "ep.half",
    "check.opposite",
    "kings.adjacent",
    "check.many",
    "check.impossible",
    "half.inconsistent",
    "half.seventyfive",
    "castling.variant",
    "check.race",
)
"""The code of each bit of `find_faults`, lowest bit first (spec/chess 5.2, 8 and 10).

The bits are NO_KING to RACE_CHECK. The module `codes` gives the severity of each code.
"""


def find_faults(position: Position) -> i32:
    """Return the rules that a position breaks, as a sum of bits such as NO_KING, or 0 if it breaks none.

    Bit 0 stands for the first code of FAULTS, bit 1 for the second, and so on. Some of the codes are only
    warnings.
    """
    faults: i32 = find_king_faults(position)
    en_passant_faults: i32
    plies: i32 = 2 * (position.full - 1) + position.black_to_move
    if find_stray_pawns(position):
        faults |= BACKRANK
    if position.rules == CRAZYHOUSE:
        faults |= find_crazyhouse_faults(position)
    else:
        faults |= find_piece_count_faults(position, 0) | find_piece_count_faults(position, 1)
    if position.rights:
        faults |= find_castling_faults(position)
    en_passant_faults = find_ep_faults(position)
    faults |= en_passant_faults

    # Checks can only be examined if each side has the number of kings that its variant requires.
    if not faults & (NO_KING | MANY_KINGS):
        faults |= find_check_faults(position, (en_passant_faults & MISPLACED_EP_FAULTS) == 0)

    # The clock cannot exceed the half-moves that were played.
    if position.half > plies:
        faults |= HALF_INCONSISTENT
    if position.half >= SEVENTY_FIVE_MOVES:
        faults |= HALF_SEVENTYFIVE
    return faults


def find_king_faults(position: Position) -> i32:
    """Return NO_KING or MANY_KINGS if a side has fewer or more kings than its variant allows, else 0.

    If one side has too few and the other too many, return the sum of both.
    """
    faults: i32 = 0
    rules: i32 = position.rules
    white_kings: i32 = count(position.kings & position.white)
    black_kings: i32 = count(position.kings & position.black)
    enemy_kings: i32
    if white_kings < MIN_KINGS[0][rules] or black_kings < MIN_KINGS[1][rules]:
        faults |= NO_KING
        # In atomic chess the side to move may have lost its king to an explosion. The game is over then.
        enemy_kings = white_kings if position.black_to_move else black_kings
        if (TRAITS[rules] & EXPLODES) and enemy_kings:
            faults = 0
    if white_kings > MAX_KINGS[0][rules] or black_kings > MAX_KINGS[1][rules]:
        faults |= MANY_KINGS
    return faults


def find_piece_count_faults(position: Position, colour: i32) -> i32:
    """Return the faults of a side that has too many pieces, pawns or promoted pieces for its variant.

    They are a sum of the bits MANY_PIECES, MANY_PAWNS and PROMOTED. `colour` is 0 for White and 1 for Black.
    Crazyhouse has its own limits (`find_crazyhouse_faults`).
    """
    own_pieces: u64 = position.black if colour else position.white
    pawn_limit: i32 = MAX_PAWNS[colour][position.rules]
    faults: i32 = 0
    if count(position.pawns & own_pieces) > pawn_limit:
        faults |= MANY_PAWNS
    if count(own_pieces) > MAX_PIECES[colour][position.rules]:
        faults |= MANY_PIECES
    # All pieces of a horde may be promoted pawns, so only the total number of its pieces is limited.
    if pawn_limit <= USUAL_PAWNS and has_too_many_promoted(position, own_pieces, pawn_limit):
        faults |= PROMOTED
    return faults


def find_stray_pawns(position: Position) -> u64:
    """Return the set of squares of the pawns on rank 1 or 8, where no pawn can be.

    In Horde, White's pawns on rank 1 are allowed and not in the set.
    """
    pawns: u64 = position.pawns & END_RANKS
    if TRAITS[position.rules] & WHITE_HORDE:
        return pawns & ~(position.white & RANK_1)
    return pawns


def find_check_faults(position: Position, is_ep_square_valid: bool) -> i32:
    """Return the faults of the checks in a position, as a sum of bits such as OPPOSITE and ADJACENT.

    Each side must have the number of kings that its variant requires. `is_ep_square_valid` is true unless the
    en-passant square contradicts the board. If there is a valid en-passant square, the last move was a pawn's
    double step.
    """
    faults: i32 = 0
    checker_count: i32
    traits: i32 = TRAITS[position.rules]
    own_pieces: u64 = position.black if position.black_to_move else position.white
    occupied: u64 = position.white | position.black
    kings: u64 = position.kings & own_pieces
    enemy_kings: u64 = position.kings & ~own_pieces
    king_square: i32
    checkers: u64
    # In antichess there is no check, and in atomic chess adjacent kings cannot be in check.
    if (traits & MUST_CAPTURE) or ((traits & EXPLODES) and are_kings_adjacent(position)):
        return 0
    if (traits & EXPLODES) and not kings:
        # The king has exploded, and the game is over.
        return 0

    if enemy_kings and collect_attackers(position, lsb(enemy_kings), occupied, position.black_to_move):
        faults |= OPPOSITE
    if not kings:
        return faults
    king_square = lsb(kings)
    if KING_ATTACKS[king_square] & enemy_kings:
        faults |= ADJACENT

    checkers = collect_attackers(position, king_square, occupied, 1 - position.black_to_move)
    if not checkers:
        return faults
    if traits & RACE:
        return faults | RACE_CHECK
    checker_count = count(checkers)
    # An explosion can uncover any number of checks. Any other move gives at most two.
    if checker_count > MAX_CHECKERS and not (traits & EXPLODES):
        faults |= MANY_CHECKS
    if position.ep_square >= 0 and is_ep_square_valid:
        return faults | find_double_step_check_faults(position, king_square, checkers)
    if traits & EXPLODES:
        return faults
    if checker_count > MAX_CHECKERS or (
        checker_count == MAX_CHECKERS and is_impossible_double_check(position, checkers)
    ):
        faults |= IMPOSSIBLE
    return faults


def find_double_step_check_faults(position: Position, king_square: i32, checkers: u64) -> i32:
    """Return IMPOSSIBLE if the pawn's double step that was just made cannot have given the check, else 0.

    The pawn must give the check itself, or have uncovered it. `king_square` is the square of the king of the
    side to move, and `checkers` the set of squares of the pieces that give check.
    """
    pawn_now: i32 = find_double_step_target(position.ep_square)
    pawn_before: i32 = find_double_step_origin(position.ep_square)
    occupied: u64 = position.white | position.black
    occupied_before: u64 = (occupied ^ (ONE << pawn_now)) | (ONE << pawn_before)
    attackers_before: u64
    if has_several(checkers):
        return IMPOSSIBLE
    if lsb(checkers) == pawn_now:
        return 0
    # Another piece gives the check, so it must not have attacked the king before the double step.
    attackers_before = collect_attackers(position, king_square, occupied_before, 1 - position.black_to_move)
    return IMPOSSIBLE if attackers_before & occupied_before else 0


def is_impossible_double_check(position: Position, checkers: u64) -> bool:
    """Return whether no single move can have given check with both pieces in the set `checkers`.

    This is so if both are on one line with the king. It is also so if both are pawns, knights or kings: one
    move brings only one piece into place, so the other check was uncovered, by a rook, bishop or queen.
    """
    own_pieces: u64 = position.black if position.black_to_move else position.white
    king: u64 = position.kings & own_pieces
    sliders: u64 = position.rooks | position.bishops | position.queens
    if LINE[lsb(checkers)][msb(checkers)] & king:
        return True
    return (checkers & sliders) == 0


def has_too_many_promoted(position: Position, own_pieces: u64, pawn_limit: i32) -> bool:
    """Return whether a side has more promoted pieces than pawns are missing.

    A third knight or rook, a second queen, and a second bishop on squares of one colour must be promoted
    pawns. `own_pieces` is the set of the side's pieces, and `pawn_limit` the number of pawns with which it
    began.
    """
    missing_pawns: i32 = pawn_limit - count(position.pawns & own_pieces)
    promoted_count: i32 = 0
    # The pieces of one kind beyond those of the start position.
    excess: i32 = count(position.knights & own_pieces) - 2
    if excess > 0:
        promoted_count += excess
    excess = count(position.rooks & own_pieces) - 2
    if excess > 0:
        promoted_count += excess
    excess = count(position.queens & own_pieces) - 1
    if excess > 0:
        promoted_count += excess
    excess = count(position.bishops & own_pieces & LIGHT_SQUARES) - 1
    if excess > 0:
        promoted_count += excess
    excess = count(position.bishops & own_pieces & ~LIGHT_SQUARES) - 1
    if excess > 0:
        promoted_count += excess
    # Only in antichess can a pawn become a king.
    if TRAITS[position.rules] & MUST_CAPTURE:
        excess = count(position.kings & own_pieces) - 1
        if excess > 0:
            promoted_count += excess
    # A side with too many pawns is reported by MANY_PAWNS instead.
    return promoted_count > missing_pawns >= 0


def find_crazyhouse_faults(position: Position) -> i32:
    """Return the faults of the numbers of pieces in Crazyhouse: a sum of MANY_PAWNS and MANY_PIECES, or 0.

    Both sides together may have 16 pawns, promoted pieces included, and 32 pieces. Pieces in hand count as
    well.
    """
    faults: i32 = 0
    # The lowest byte of a pocket is the number of pawns.
    pawns: i32 = count(position.pawns | position.promoted)
    pawns += (position.white_pocket & POCKET_COUNT_MASK) + (position.black_pocket & POCKET_COUNT_MASK)
    pieces: i32 = count(position.white | position.black)
    pieces += count_pocket(position.white_pocket) + count_pocket(position.black_pocket)
    if pawns > CRAZYHOUSE_PAWNS:
        faults |= MANY_PAWNS
    if pieces > CRAZYHOUSE_PIECES:
        faults |= MANY_PIECES
    return faults


def find_ep_faults(position: Position) -> i32:
    """Return the faults of the en-passant square as a sum of bits, or 0 if there is none.

    EP_SIDE: the square is on the wrong rank. EP_PAWN: no enemy pawn is in front of it. EP_BLOCKED: the path
    of the double step is not empty. EP_HALF: the half-move clock is not 0.
    """
    faults: i32 = 0
    ep_square: i32 = position.ep_square
    occupied: u64 = position.white | position.black
    enemy_pieces: u64 = position.white if position.black_to_move else position.black
    if ep_square < 0:
        return 0
    if rank_index(ep_square) != (RANK_3_INDEX if position.black_to_move else RANK_6_INDEX):
        faults |= EP_SIDE
    elif not (position.pawns & enemy_pieces & (ONE << find_double_step_target(ep_square))):
        faults |= EP_PAWN
    elif occupied & ((ONE << ep_square) | (ONE << find_double_step_origin(ep_square))):
        faults |= EP_BLOCKED
    if position.half:
        faults |= EP_HALF
    return faults


def find_castling_faults(position: Position) -> i32:
    """Return the faults of the castling rights, as a sum of bits such as CASTLING_KING and CASTLING_ROOK.

    They are: a variant without castling, a king away from its home square, a right without its rook, two
    rooks with rights on one side of the king, and Chess960 kings on different files.
    """
    faults: i32 = 0
    colour: i32
    corner: i32
    white_kings: u64 = 0
    right_files: u64
    own_pieces: u64
    king_files: u64
    rook_files: u64
    if TRAITS[position.rules] & NO_CASTLING:
        return CASTLING_NONE
    for colour in range(2):
        corner = BLACK_CORNER * colour
        own_pieces = position.black if colour else position.white
        # The squares of the back rank, one bit for each file.
        right_files = (position.rights >> corner) & RANK_BITS
        if not right_files:
            continue
        king_files = ((position.kings & own_pieces) >> corner) & RANK_BITS
        rook_files = (position.rooks & own_pieces) >> corner

        if position.rules == CHESS960:
            faults |= find_chess960_castling_faults(right_files, king_files, rook_files)
            if not (king_files & B_TO_G_FILE_BITS):
                continue
            if colour == 0:
                white_kings = king_files
            elif white_kings and msb(white_kings) != msb(king_files):
                faults |= CASTLING_DIFFER
        elif not (king_files & E_FILE_BIT):
            faults |= CASTLING_KING
        elif right_files & ~rook_files:
            faults |= CASTLING_ROOK
    return faults


def find_chess960_castling_faults(right_files: u64, king_files: u64, rook_files: u64) -> i32:
    """Return the faults of the castling rights of one side in Chess960, as a sum of bits, or 0.

    All parameters have one bit for each file of the side's back rank, the a-file lowest.

    Args:
        right_files: The rooks with a castling right.
        king_files: The side's kings.
        rook_files: The side's rooks.
    """
    faults: i32 = 0
    files_left_of_king: u64
    # A king in a corner has no rook on its outer side, so Chess960 kings castle from the files b to g.
    if not (king_files & B_TO_G_FILE_BITS):
        return CASTLING_KING
    if right_files & ~rook_files:
        faults |= CASTLING_ROOK
    files_left_of_king = (ONE << msb(king_files)) - 1
    if count(right_files & files_left_of_king) > 1 or count(right_files & ~files_left_of_king) > 1:
        faults |= CASTLING_AMBIGUOUS
    return faults


# --- derived en-passant squares and castling rights -------------------------------------------------


def find_xfen_ep_square(position: Position) -> int:
    """Return the number of the en-passant square if an enemy pawn stands ready to capture on it, else −1.

    This is the square that X-FEN writes. Whether the capture would leave the mover's own king in check is not
    considered.
    """
    own_pieces: u64 = position.black if position.black_to_move else position.white
    if position.ep_square < 0 or (find_ep_faults(position) & MISPLACED_EP_FAULTS):
        return -1
    capturers: u64 = (
        PAWN_ATTACKS[1 - position.black_to_move][position.ep_square] & position.pawns & own_pieces
    )
    return position.ep_square if capturers else -1


def find_legal_ep_square(position: Position) -> int:
    """Return the number of the en-passant square if a capture on it is legal, else −1.

    The capture is not legal if it leaves the mover's own king in check.
    """
    own_pieces: u64 = position.black if position.black_to_move else position.white
    kings: u64 = position.kings & own_pieces
    capturers: u64
    captured_pawn: u64
    square: i32
    is_capture_legal: i32
    if find_xfen_ep_square(position) < 0:
        return -1
    if not kings or TRAITS[position.rules] & MUST_CAPTURE:
        return position.ep_square
    capturers = PAWN_ATTACKS[1 - position.black_to_move][position.ep_square] & position.pawns & own_pieces
    captured_pawn = ONE << find_double_step_target(position.ep_square)
    while capturers:
        square = lsb(capturers)
        capturers &= capturers - 1  # Remove the lowest square.
        if TRAITS[position.rules] & EXPLODES:
            is_capture_legal = is_atomic_legal(position, square, position.ep_square, captured_pawn)
        else:
            is_capture_legal = is_en_passant_safe(position, square, lsb(kings))
        if is_capture_legal:
            return position.ep_square
    return -1


def find_effective_rights(position: Position) -> u64:
    """Return the castling rights whose king and rook are on their home squares.

    The result is a set of the rooks' squares, with one bit for each square. In Chess960 the king must be on
    its back rank, on one of the files b to g.
    """
    consistent_rights: u64 = 0
    colour: i32
    corner: i32
    own_pieces: u64
    rights: u64
    kings: u64
    king_files: u64 = B_TO_G_FILE_BITS if position.rules == CHESS960 else E_FILE_BIT
    if TRAITS[position.rules] & NO_CASTLING:
        return 0
    for colour in range(2):
        corner = BLACK_CORNER * colour
        own_pieces = position.black if colour else position.white
        rights = position.rights & position.rooks & own_pieces & (RANK_1 << corner)
        kings = ((position.kings & own_pieces) >> corner) & RANK_BITS
        if kings & king_files:
            consistent_rights |= rights
    return consistent_rights


def encode_castling_wings(position: Position) -> i32:
    """Return the castling rights as four bits: 1 for ``K``, 2 for ``Q``, 4 for ``k`` and 8 for ``q``.

    ``KQkq`` is 15. The rights are those of the FEN, whether or not they fit the board. The board is only used
    in Chess960, to find out on which side of the king a rook stands.
    """
    wings: i32 = 0
    colour: i32
    corner: i32
    king_file: i32
    own_pieces: u64
    king_files: u64
    right_files: u64
    rooks_right_of_king: u64
    rooks_left_of_king: u64
    if not position.rights:
        return 0
    for colour in range(2):
        corner = BLACK_CORNER * colour
        own_pieces = position.black if colour else position.white
        # The squares of the back rank, one bit for each file.
        right_files = (position.rights >> corner) & RANK_BITS
        king_files = ((position.kings & own_pieces) >> corner) & RANK_BITS
        king_file = msb(king_files) if king_files and position.rules == CHESS960 else STANDARD_KING_FILE

        rooks_right_of_king = right_files >> (king_file + 1)
        rooks_left_of_king = right_files & ((ONE << king_file) - 1)
        if rooks_right_of_king:
            wings |= KING_SIDE << (WING_BITS * colour)
        if rooks_left_of_king:
            wings |= QUEEN_SIDE << (WING_BITS * colour)
    return wings


def repair_castling(position: Position) -> tuple[Position, str]:
    """Return the position without the castling rights that contradict the board.

    The second value is the code of the contradiction, such as ``castling.no_rook``, or an empty string if
    nothing was changed.
    """
    faults = find_castling_faults(position) if position.rights else 0
    if faults & CASTLING_NONE:
        code = "castling.variant"
    elif faults & CASTLING_KING:
        code = "castling.no_king"
    elif faults & CASTLING_ROOK:
        code = "castling.no_rook"
    else:
        return position, ""
    return position.replace(rights=find_effective_rights(position)), code


def repair_ep(position: Position) -> tuple[Position, str]:
    """Return the position without an en-passant square that contradicts the board.

    The second value is the code of the contradiction, such as ``ep.no_pawn``, or an empty string if nothing
    was changed.
    """
    faults = find_ep_faults(position)
    if faults & EP_SIDE:
        code = "ep.side"
    elif faults & EP_PAWN:
        code = "ep.no_pawn"
    elif faults & EP_BLOCKED:
        code = "ep.blocked"
    else:
        return position, ""
    return position.replace(ep_square=-1), code
