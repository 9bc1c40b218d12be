"""Generation of the legal moves of a position, as 16-bit numbers.

A move has its origin in bits 0 to 5, its target in bits 6 to 11 and its kind in bits 12 to 15. No move is
played and taken back: attacked squares limit the king, pins limit the other pieces, and a check limits the
targets of all moves. Some variants generate pseudo-legal moves first and then remove those that their rules
forbid. The module runs as it is and compiles with Cython (`generate.pxd` gives the C types).
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
        ALL,
        BETWEEN,
        BLACK_CORNER,
        C_FILE,
        D_FILE,
        E_FILE,
        END_RANKS,
        F_FILE,
        G_FILE,
        H_FILE,
        KING_ATTACKS,
        KNIGHT_ATTACKS,
        LINE,
        NOT_FILE_A,
        NOT_FILE_H,
        ONE,
        PAWN_ATTACKS,
        RANK_1,
        RANK_2,
        RANK_3,
        RANK_6,
        file_index,
        find_bishop_attacks,
        find_rook_attacks,
        has_several,
        i32,
        lsb,
        rank_index,
        u64,
    )
    from forsyth.games.chess.position import CHESS960, CRAZYHOUSE, count_in_pocket, find_double_step_target
    from forsyth.games.chess.rules.attacks import (
        TRAITS,
        attackers,
        find_variant_winner,
        is_atomic_legal,
        is_en_passant_safe,
    )
    from forsyth.games.chess.variants import EXPLODES, MUST_CAPTURE, NO_CASTLING, RACE, WHITE_HORDE

    Moves = list[int]
    MoveBuffer = list[int]
    MOVE_BUFFER_SIZE: Final = 2048
    """Room for the moves of one position, which is more than any position has."""

    NO_KING_TO_PROTECT: Final = -1
    """Value in place of the king's square if the side has no king, or its checks are examined later."""
    RANK_3_INDEX: Final = 2
    RANK_6_INDEX: Final = 5
    ONE_RANK: Final = 8
    TWO_RANKS: Final = 16
    WEST_DIAGONAL: Final = 7
    EAST_DIAGONAL: Final = 9
    """Steps of pawns, as differences of square numbers. The diagonals are those of White: for Black, the step
    −WEST_DIAGONAL leads to the east."""

    # Kinds of moves, 0 for an ordinary one. The piece is added to PROMOTE and DROP, with P N B R Q as 0 to 4.
    CASTLE: Final = 1
    PROMOTE: Final = 1
    DROP: Final = 8
    SQUARE_MASK: Final = 63
    TARGET_SHIFT: Final = 6
    KIND_SHIFT: Final = 12
    PROMOTE_KNIGHT: Final = 2
    PROMOTE_BISHOP: Final = 3
    PROMOTE_ROOK: Final = 4
    PROMOTE_QUEEN: Final = 5
    PROMOTE_KING: Final = 6
    """Kinds of promotions. Only antichess allows the promotion to a king."""
    POCKET_PAWN: Final = 0
    POCKET_KNIGHT: Final = 1
    POCKET_BISHOP: Final = 2
    POCKET_ROOK: Final = 3
    POCKET_QUEEN: Final = 4
    """Bytes of a pocket, the lowest first. A pocket holds one count for each kind of piece."""


def add_moves(out: Moves, move_count: i32, origin: i32, targets: u64) -> i32:
    """Append a move from `origin` to each square in the set `targets` to `out`, the list of moves.

    `out` is changed in place, and has `move_count` moves before. Return the new number of moves in it. A move
    is a 16-bit number with the origin in bits 0 to 5 and the target in bits 6 to 11.
    """
    while targets:
        out[move_count] = origin | (lsb(targets) << TARGET_SHIFT)
        move_count += 1
        targets &= targets - 1  # Remove the lowest square.
    return move_count


def add_pawn_moves(out: Moves, move_count: i32, targets: u64, step: i32, kind_limit: i32) -> i32:
    """Append a pawn move to each square in the set `targets`, or all promotions on the last rank, to `out`.

    Args:
        out: The list of moves, which is changed in place.
        move_count: The number of moves in `out` before.
        targets: The set of target squares.
        step: The number of each target minus the number of its origin.
        kind_limit: The first kind of promotion that is not generated.

    Returns:
        The new number of moves in `out`.
    """
    target: i32
    squares: i32
    kind: i32
    while targets:
        target = lsb(targets)
        targets &= targets - 1  # Remove the lowest square.
        squares = (target - step) | (target << TARGET_SHIFT)
        if (END_RANKS >> target) & 1:
            for kind in range(PROMOTE_KNIGHT, kind_limit):
                out[move_count] = squares | (kind << KIND_SHIFT)
                move_count += 1
        else:
            out[move_count] = squares
            move_count += 1
    return move_count


def find_attacked_squares(position: Position, own: u64, occupied: u64, black: i32) -> u64:
    """Return the set of squares that one side attacks.

    `own` is the set of this side's pieces, and `black` is 1 if the side is Black. `occupied` is the set of
    squares that block rooks, bishops and queens.
    """
    pawns: u64 = position.pawns & own
    attacked: u64
    pieces_left: u64
    if black:
        attacked = ((pawns & NOT_FILE_A) >> EAST_DIAGONAL) | ((pawns & NOT_FILE_H) >> WEST_DIAGONAL)
    else:
        attacked = (((pawns & NOT_FILE_A) << WEST_DIAGONAL) | ((pawns & NOT_FILE_H) << EAST_DIAGONAL)) & ALL
    # `pieces_left &= pieces_left - 1` removes the lowest square of the set.
    pieces_left = position.knights & own
    while pieces_left:
        attacked |= KNIGHT_ATTACKS[lsb(pieces_left)]
        pieces_left &= pieces_left - 1
    pieces_left = (position.bishops | position.queens) & own
    while pieces_left:
        attacked |= find_bishop_attacks(lsb(pieces_left), occupied)
        pieces_left &= pieces_left - 1
    pieces_left = (position.rooks | position.queens) & own
    while pieces_left:
        attacked |= find_rook_attacks(lsb(pieces_left), occupied)
        pieces_left &= pieces_left - 1
    pieces_left = position.kings & own
    while pieces_left:
        attacked |= KING_ATTACKS[lsb(pieces_left)]
        pieces_left &= pieces_left - 1
    return attacked


def generate_moves(position: Position, out: Moves) -> i32:
    """Write all legal moves into `out`, as 16-bit numbers, and return how many there are.

    There are none if the variant has ended the game, or the side to move does not have the one king it needs.
    """
    move_count: i32
    own: u64 = position.black if position.black_to_move else position.white
    enemy: u64 = position.white if position.black_to_move else position.black
    occupied: u64 = own | enemy
    kings: u64 = position.kings & own
    king: i32
    attacked: u64
    checkers: u64
    pinned: u64
    allowed_targets: u64
    traits: i32 = TRAITS[position.rules]
    if traits:
        if find_variant_winner(position):
            return 0
        if traits & MUST_CAPTURE:
            return generate_antichess_moves(position, out)
        if traits & EXPLODES:
            return generate_atomic_moves(position, out)
        if (traits & WHITE_HORDE) and kings == 0:
            return generate_piece_moves(position, out, 0, 0, ~own & ALL, NO_KING_TO_PROTECT)
    if kings == 0 or has_several(kings):
        return 0

    king = lsb(kings)
    # Remove the king first, or else it would block the line of the piece that checks it.
    attacked = find_attacked_squares(position, enemy, occupied ^ kings, 1 - position.black_to_move)
    move_count = add_moves(out, 0, king, KING_ATTACKS[king] & ~(own | attacked))

    allowed_targets = ~own & ALL
    checkers = 0
    if attacked & kings:
        checkers = attackers(position, king, occupied, 1 - position.black_to_move)
        # In double check only the king can move. In single check a piece may also capture the checker or
        # move between it and the king.
        if has_several(checkers):
            return keep_without_check(position, out, move_count) if traits & RACE else move_count
        allowed_targets = checkers | BETWEEN[king][lsb(checkers)]

    pinned = find_pinned(position, king)
    move_count = generate_piece_moves(position, out, move_count, pinned, allowed_targets, king)
    if checkers == 0 and position.rights and not (traits & NO_CASTLING):
        move_count = generate_castling_moves(position, out, move_count, king, attacked)
    if position.rules == CRAZYHOUSE:
        move_count = generate_drops(position, out, move_count, allowed_targets & ~occupied)
    return keep_without_check(position, out, move_count) if traits & RACE else move_count


def find_pinned(position: Position, king: i32) -> u64:
    """Return the set of squares of the pieces of the side to move that are pinned to its king.

    `king` is the square of the king.
    """
    own: u64 = position.black if position.black_to_move else position.white
    enemy: u64 = position.white if position.black_to_move else position.black
    pinned: u64 = 0
    blockers: u64
    # Snipers would attack the king if the mover's own pieces were not on the board.
    snipers: u64 = enemy & (
        (find_rook_attacks(king, enemy) & (position.rooks | position.queens))
        | (find_bishop_attacks(king, enemy) & (position.bishops | position.queens))
    )
    while snipers:
        blockers = BETWEEN[king][lsb(snipers)] & own
        snipers &= snipers - 1  # Remove the lowest square.
        # A piece is pinned if it is the only one between the king and the sniper.
        if blockers and not has_several(blockers):
            pinned |= blockers
    return pinned


def generate_piece_moves(
    position: Position, out: Moves, move_count: i32, pinned: u64, allowed_targets: u64, king: i32
) -> i32:
    """Append the moves of all pieces apart from kings to `out`.

    Args:
        position: The position before the move.
        out: The list of moves, which is changed in place.
        move_count: The number of moves in `out` before.
        pinned: The set of own pieces that are pinned to the king.
        allowed_targets: The set of squares on which a move may end.
        king: The square of the mover's own king, or NO_KING_TO_PROTECT.

    Returns:
        The new number of moves in `out`.
    """
    own: u64 = position.black if position.black_to_move else position.white
    occupied: u64 = position.white | position.black
    # A pinned knight cannot move at all.
    pieces_left: u64 = position.knights & own & ~pinned
    targets: u64
    square: i32
    while pieces_left:
        square = lsb(pieces_left)
        pieces_left &= pieces_left - 1  # Remove the lowest square.
        move_count = add_moves(out, move_count, square, KNIGHT_ATTACKS[square] & allowed_targets)
    pieces_left = (position.bishops | position.queens) & own
    while pieces_left:
        square = lsb(pieces_left)
        pieces_left &= pieces_left - 1
        targets = find_bishop_attacks(square, occupied) & allowed_targets
        if (pinned >> square) & 1:
            targets &= LINE[king][square]
        move_count = add_moves(out, move_count, square, targets)
    pieces_left = (position.rooks | position.queens) & own
    while pieces_left:
        square = lsb(pieces_left)
        pieces_left &= pieces_left - 1
        targets = find_rook_attacks(square, occupied) & allowed_targets
        if (pinned >> square) & 1:
            targets &= LINE[king][square]
        move_count = add_moves(out, move_count, square, targets)
    return generate_pawn_moves(position, out, move_count, pinned, allowed_targets, king)


def generate_pawn_moves(
    position: Position, out: Moves, move_count: i32, pinned: u64, allowed_targets: u64, king: i32
) -> i32:
    """Append all pawn moves to `out`, with promotions and en-passant captures. Return the new move count.

    The parameters have the same meaning as those of `generate_piece_moves`.
    """
    own: u64 = position.black if position.black_to_move else position.white
    enemy: u64 = position.white if position.black_to_move else position.black
    empty: u64 = ~(own | enemy) & ALL
    capturable: u64 = enemy & allowed_targets
    pawns: u64 = position.pawns & own & ~pinned
    one_step: u64
    two_steps: u64
    # Only in antichess can a pawn become a king.
    kind_limit: i32 = PROMOTE_KING + 1 if TRAITS[position.rules] & MUST_CAPTURE else PROMOTE_KING
    if position.black_to_move:
        one_step = (pawns >> ONE_RANK) & empty
        two_steps = ((one_step & RANK_6) >> ONE_RANK) & empty & allowed_targets
        move_count = add_pawn_moves(out, move_count, one_step & allowed_targets, -ONE_RANK, kind_limit)
        move_count = add_pawn_moves(out, move_count, two_steps, -TWO_RANKS, kind_limit)
        move_count = add_pawn_moves(
            out,
            move_count,
            ((pawns & NOT_FILE_A) >> EAST_DIAGONAL) & capturable,
            -EAST_DIAGONAL,
            kind_limit,
        )
        move_count = add_pawn_moves(
            out,
            move_count,
            ((pawns & NOT_FILE_H) >> WEST_DIAGONAL) & capturable,
            -WEST_DIAGONAL,
            kind_limit,
        )
    else:
        one_step = (pawns << ONE_RANK) & empty
        two_steps = ((one_step & RANK_3) << ONE_RANK) & empty & allowed_targets
        move_count = add_pawn_moves(out, move_count, one_step & allowed_targets, ONE_RANK, kind_limit)
        move_count = add_pawn_moves(out, move_count, two_steps, TWO_RANKS, kind_limit)
        if TRAITS[position.rules] & WHITE_HORDE:
            # White's pawns on rank 1 may move two squares.
            two_steps = ((one_step & RANK_2) << ONE_RANK) & empty & allowed_targets
            move_count = add_pawn_moves(out, move_count, two_steps, TWO_RANKS, kind_limit)
        move_count = add_pawn_moves(
            out, move_count, ((pawns & NOT_FILE_H) << EAST_DIAGONAL) & capturable, EAST_DIAGONAL, kind_limit
        )
        move_count = add_pawn_moves(
            out, move_count, ((pawns & NOT_FILE_A) << WEST_DIAGONAL) & capturable, WEST_DIAGONAL, kind_limit
        )
    if position.pawns & own & pinned:
        move_count = generate_pinned_pawn_moves(position, out, move_count, pinned, allowed_targets, king)
    if position.ep_square >= 0 and is_ep_square_valid(position):
        move_count = generate_en_passant_moves(position, out, move_count, king)
    return move_count


def generate_pinned_pawn_moves(
    position: Position, out: Moves, move_count: i32, pinned: u64, allowed_targets: u64, king: i32
) -> i32:
    """Append the moves of the pawns in `pinned` to `out`, without en-passant captures.

    A pinned pawn may only move along the line of its king and the pinning piece. The parameters have the same
    meaning as those of `generate_piece_moves`. Return the new number of moves in `out`.
    """
    own: u64 = position.black if position.black_to_move else position.white
    enemy: u64 = position.white if position.black_to_move else position.black
    empty: u64 = ~(own | enemy) & ALL
    pawns_left: u64 = position.pawns & own & pinned
    targets: u64
    square: i32
    while pawns_left:
        square = lsb(pawns_left)
        pawns_left &= pawns_left - 1  # Remove the lowest square.
        if position.black_to_move:
            targets = ((ONE << square) >> ONE_RANK) & empty
            targets |= ((targets & RANK_6) >> ONE_RANK) & empty
        else:
            targets = ((ONE << square) << ONE_RANK) & empty
            targets |= ((targets & RANK_3) << ONE_RANK) & empty
        targets |= PAWN_ATTACKS[position.black_to_move][square] & enemy
        targets &= allowed_targets & LINE[king][square]
        while targets:
            move_count = add_pawn_moves(
                out, move_count, ONE << lsb(targets), lsb(targets) - square, PROMOTE_KING
            )
            targets &= targets - 1
    return move_count


def generate_en_passant_moves(position: Position, out: Moves, move_count: i32, king: i32) -> i32:
    """Append the legal captures on the en-passant square to `out`, and return the new number of moves in it.

    The square must be valid (`is_ep_square_valid`). `king` is the square of the mover's own king, or
    NO_KING_TO_PROTECT.
    """
    own: u64 = position.black if position.black_to_move else position.white
    capturers: u64 = PAWN_ATTACKS[1 - position.black_to_move][position.ep_square] & position.pawns & own
    square: i32
    while capturers:
        square = lsb(capturers)
        capturers &= capturers - 1  # Remove the lowest square.
        if is_en_passant_safe(position, square, king):
            out[move_count] = square | (position.ep_square << TARGET_SHIFT)
            move_count += 1
    return move_count


def is_ep_square_valid(position: Position) -> bool:
    """Return whether the last move can have been a pawn's double step over the en-passant square.

    The square must be empty, on the right rank, and have an enemy pawn in front of it.
    """
    enemy: u64 = position.white if position.black_to_move else position.black
    if rank_index(position.ep_square) != (RANK_3_INDEX if position.black_to_move else RANK_6_INDEX):
        return False
    if (position.white | position.black) & (ONE << position.ep_square):
        return False
    return (position.pawns & enemy & (ONE << find_double_step_target(position.ep_square))) != 0


def generate_castling_moves(position: Position, out: Moves, move_count: i32, king: i32, attacked: u64) -> i32:
    """Append the legal castling moves to `out`, and return the new number of moves in it.

    The king must not be in check. `king` is its square, and `attacked` is the set of squares that the enemy
    attacks. The target of a move is the square of the king afterwards, or that of the rook in Chess960.
    """
    corner: i32 = BLACK_CORNER if position.black_to_move else 0
    own: u64 = position.black if position.black_to_move else position.white
    occupied: u64 = position.white | position.black
    enemy: u64 = occupied ^ own
    rooks: u64 = position.rights & position.rooks & own & (RANK_1 << corner)
    rook: i32
    target: i32
    king_target: i32
    rook_target: i32
    path: u64
    king_path: u64
    blockers: u64
    if rank_index(king) != rank_index(corner):
        return move_count
    # A king in a corner has no rook on its outer side (spec/chess 8).
    if king == corner or king == corner + H_FILE:
        return move_count
    if position.rules != CHESS960 and king != corner + E_FILE:
        return move_count
    while rooks:
        rook = lsb(rooks)
        rooks &= rooks - 1  # Remove the lowest square.
        king_target = corner + (G_FILE if rook > king else C_FILE)
        rook_target = corner + (F_FILE if rook > king else D_FILE)
        # All squares between the old and new squares of king and rook must be empty.
        blockers = occupied ^ (ONE << king) ^ (ONE << rook)
        king_path = BETWEEN[king][king_target] | (ONE << king_target)
        path = king_path | BETWEEN[rook][rook_target] | (ONE << rook_target) | BETWEEN[king][rook]
        if (path & blockers) or (king_path & attacked):
            continue
        # In Chess960 the rook may have shielded the king's target from a piece on the back rank.
        if (
            find_rook_attacks(king_target, blockers | (ONE << rook_target))
            & enemy
            & (position.rooks | position.queens)
            & (RANK_1 << corner)
        ):
            continue
        target = rook if position.rules == CHESS960 else king_target
        out[move_count] = king | (target << TARGET_SHIFT) | (CASTLE << KIND_SHIFT)
        move_count += 1
    return move_count


def generate_drops(position: Position, out: Moves, move_count: i32, targets: u64) -> i32:
    """Append the drops of pieces in hand (Crazyhouse) to `out`, and return the new number of moves in it.

    `targets` is the set of empty squares on which a piece may be dropped. Pawns are not dropped on the first
    and last rank.
    """
    pocket: u64 = position.black_pocket if position.black_to_move else position.white_pocket
    kind: i32
    squares_left: u64
    square: i32
    for kind in range(POCKET_QUEEN + 1):
        if not count_in_pocket(pocket, kind):
            continue
        # A drop has its target as its origin, too, and the kind of piece in its kind of move.
        squares_left = targets & ~END_RANKS if kind == POCKET_PAWN else targets
        while squares_left:
            square = lsb(squares_left)
            squares_left &= squares_left - 1  # Remove the lowest square.
            out[move_count] = square | (square << TARGET_SHIFT) | ((DROP + kind) << KIND_SHIFT)
            move_count += 1
    return move_count


# --- variants ---------------------------------------------------------------------------------------


def generate_antichess_moves(position: Position, out: Moves) -> i32:
    """Write all legal moves of antichess into `out` and return their number.

    If a capture is possible, only captures are legal. Kings move like other pieces and may be captured.
    """
    empty: u64 = ~(position.white | position.black) & ALL
    enemy: u64 = position.white if position.black_to_move else position.black
    # In antichess no piece is pinned, so the set of pinned pieces is 0.
    move_count: i32 = generate_king_moves(position, out, 0, enemy)
    move_count = generate_piece_moves(position, out, move_count, 0, enemy, NO_KING_TO_PROTECT)
    if move_count:
        return move_count
    move_count = generate_king_moves(position, out, 0, empty)
    return generate_piece_moves(position, out, move_count, 0, empty, NO_KING_TO_PROTECT)


def generate_king_moves(position: Position, out: Moves, move_count: i32, allowed_targets: u64) -> i32:
    """Append the moves of all kings of the side to move to `out`, also to attacked squares.

    The moves end on the squares in the set `allowed_targets`. `out` has `move_count` moves before. Return the
    new number of moves in it.
    """
    kings_left: u64 = position.kings & (position.black if position.black_to_move else position.white)
    square: i32
    while kings_left:
        square = lsb(kings_left)
        kings_left &= kings_left - 1  # Remove the lowest square.
        move_count = add_moves(out, move_count, square, KING_ATTACKS[square] & allowed_targets)
    return move_count


def generate_atomic_moves(position: Position, out: Moves) -> i32:
    """Write all legal moves of atomic chess into `out` and return their number.

    There are none if a king is missing, because the game is over then.
    """
    own: u64 = position.black if position.black_to_move else position.white
    enemy: u64 = position.white if position.black_to_move else position.black
    occupied: u64 = own | enemy
    kings: u64 = position.kings & own
    enemy_kings: u64 = position.kings & enemy
    attacked: u64
    move_count: i32
    if kings == 0 or has_several(kings) or enemy_kings == 0:
        return 0

    # A king explodes with the piece that it captures, so a king never captures.
    move_count = generate_king_moves(position, out, 0, ~occupied & ALL)
    # Pins are ignored here, because the illegal moves are removed afterwards.
    move_count = generate_piece_moves(position, out, move_count, 0, ~own & ALL, NO_KING_TO_PROTECT)
    move_count = keep_atomic_legal(position, out, move_count)
    if position.rights:
        # Squares beside the other king are safe: a capture there would explode both kings.
        attacked = (
            find_attacked_squares(position, enemy, occupied ^ kings, 1 - position.black_to_move)
            & ~KING_ATTACKS[lsb(enemy_kings)]
        )
        if not (attacked & kings):
            move_count = generate_castling_moves(position, out, move_count, lsb(kings), attacked)
    return move_count


def keep_atomic_legal(position: Position, out: Moves, move_count: i32) -> i32:
    """Remove the moves that are illegal in atomic chess from `out`, which is changed in place.

    The moves are pseudo-legal (legal apart from checks and explosions) and not castling. `move_count` is
    their number. Return the number of moves that are kept, which come first in `out`.
    """
    enemy: u64 = position.white if position.black_to_move else position.black
    kept_count: i32 = 0
    i: i32
    move: i32
    origin: i32
    target: i32
    captured: u64
    for i in range(move_count):
        move = out[i]
        origin = move & SQUARE_MASK
        target = (move >> TARGET_SHIFT) & SQUARE_MASK
        captured = enemy & (ONE << target)
        # A pawn that leaves its file for the en-passant square captures en passant.
        if (
            target == position.ep_square
            and (position.pawns >> origin) & 1
            and file_index(target) != file_index(origin)
        ):
            captured = ONE << find_double_step_target(target)
        if is_atomic_legal(position, origin, target, captured):
            out[kept_count] = move
            kept_count += 1
    return kept_count


def keep_without_check(position: Position, out: Moves, move_count: i32) -> i32:
    """Remove the moves that give check, which Racing Kings forbids, from `out`.

    `out` is changed in place. `move_count` is the number of its moves before. Return the number of moves that
    are kept, which come first in `out`.
    """
    own: u64 = position.black if position.black_to_move else position.white
    enemy_kings: u64 = position.kings & ~own
    kept_count: i32 = 0
    i: i32
    for i in range(move_count):
        if enemy_kings == 0 or not gives_check(position, out[i], lsb(enemy_kings)):
            out[kept_count] = out[i]
            kept_count += 1
    return kept_count


def gives_check(position: Position, move: i32, king: i32) -> bool:
    """Return whether a move gives check to the enemy king on the square `king`.

    The move must be neither castling nor an en-passant capture.
    """
    origin_bit: u64 = ONE << (move & SQUARE_MASK)
    target_bit: u64 = ONE << ((move >> TARGET_SHIFT) & SQUARE_MASK)
    kind: i32 = move >> KIND_SHIFT
    occupied_after: u64 = ((position.white | position.black) & ~origin_bit) | target_bit
    rook_lines: u64 = find_rook_attacks(king, occupied_after)
    bishop_lines: u64 = find_bishop_attacks(king, occupied_after)
    # The move may uncover the check of another piece.
    if attackers(position, king, occupied_after, position.black_to_move) & ~origin_bit:
        return True

    # Otherwise the piece on the target gives the check.
    if kind == PROMOTE_KNIGHT or position.knights & origin_bit:
        return (KNIGHT_ATTACKS[king] & target_bit) != 0
    if kind == PROMOTE_BISHOP or position.bishops & origin_bit:
        return (bishop_lines & target_bit) != 0
    if kind == PROMOTE_ROOK or position.rooks & origin_bit:
        return (rook_lines & target_bit) != 0
    if kind == PROMOTE_QUEEN or position.queens & origin_bit:
        return ((rook_lines | bishop_lines) & target_bit) != 0
    if position.pawns & origin_bit:
        return (PAWN_ATTACKS[1 - position.black_to_move][king] & target_bit) != 0
    return (KING_ATTACKS[king] & target_bit) != 0
