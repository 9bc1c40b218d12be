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
        collect_attackers,
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


def add_moves(moves: Moves, move_count: i32, origin: i32, targets: u64) -> i32:
    """Append a move from `origin` to each square in the set `targets` to `moves`.

    `moves` is changed in place, and has `move_count` moves before. A move is a 16-bit number with the origin
    in bits 0 to 5 and the target in bits 6 to 11. Return the new number of moves.
    """
    while targets:
        moves[move_count] = origin | (lsb(targets) << TARGET_SHIFT)
        move_count += 1
        targets &= targets - 1  # Remove the lowest square.
    return move_count


def add_pawn_moves(moves: Moves, move_count: i32, targets: u64, step: i32, end_kind: i32) -> i32:
    """Append a pawn move to each square in the set `targets` to `moves`, as promotions on the last rank.

    Args:
        moves: The list of moves, which is changed in place.
        move_count: The number of moves in it before.
        targets: The set of target squares.
        step: The number of each target minus the number of its origin, such as 8 for a white pawn's step.
        end_kind: The number behind the last kind of promotion to add, such as PROMOTE_KING to add all up to
            the queen.

    Returns:
        The new number of moves.
    """
    target: i32
    squares: i32
    kind: i32
    while targets:
        target = lsb(targets)
        targets &= targets - 1  # Remove the lowest square.
        squares = (target - step) | (target << TARGET_SHIFT)
        if (END_RANKS >> target) & 1:
            for kind in range(PROMOTE_KNIGHT, end_kind):
                moves[move_count] = squares | (kind << KIND_SHIFT)
                move_count += 1
        else:
            moves[move_count] = squares
            move_count += 1
    return move_count


def find_attacked_squares(position: Position, own_pieces: u64, occupied: u64, is_black: i32) -> u64:
    """Return the set of squares that one side attacks, with one bit for each square.

    Args:
        position: The position.
        own_pieces: The set of this side's pieces.
        occupied: The set of squares that block rooks, bishops and queens.
        is_black: 1 if the side is Black, else 0.
    """
    pawns: u64 = position.pawns & own_pieces
    attacked: u64
    pieces_left: u64
    if is_black:
        attacked = ((pawns & NOT_FILE_A) >> EAST_DIAGONAL) | ((pawns & NOT_FILE_H) >> WEST_DIAGONAL)
    else:
        attacked = (((pawns & NOT_FILE_A) << WEST_DIAGONAL) | ((pawns & NOT_FILE_H) << EAST_DIAGONAL)) & ALL
    # `pieces_left &= pieces_left - 1` removes the lowest square of the set.
    pieces_left = position.knights & own_pieces
    while pieces_left:
        attacked |= KNIGHT_ATTACKS[lsb(pieces_left)]
        pieces_left &= pieces_left - 1
    pieces_left = (position.bishops | position.queens) & own_pieces
    while pieces_left:
        attacked |= find_bishop_attacks(lsb(pieces_left), occupied)
        pieces_left &= pieces_left - 1
    pieces_left = (position.rooks | position.queens) & own_pieces
    while pieces_left:
        attacked |= find_rook_attacks(lsb(pieces_left), occupied)
        pieces_left &= pieces_left - 1
    pieces_left = position.kings & own_pieces
    while pieces_left:
        attacked |= KING_ATTACKS[lsb(pieces_left)]
        pieces_left &= pieces_left - 1
    return attacked


def generate_moves(position: Position, moves: Moves) -> i32:
    """Write all legal moves into `moves`, as 16-bit numbers, and return how many there are.

    There are none if the variant has ended the game, or the side to move does not have the one king it needs.
    """
    move_count: i32
    own_pieces: u64 = position.black if position.black_to_move else position.white
    enemy_pieces: u64 = position.white if position.black_to_move else position.black
    occupied: u64 = own_pieces | enemy_pieces
    kings: u64 = position.kings & own_pieces
    king_square: i32
    attacked: u64
    checkers: u64
    pinned: u64
    allowed_targets: u64
    traits: i32 = TRAITS[position.rules]
    if traits:
        if find_variant_winner(position):
            return 0
        if traits & MUST_CAPTURE:
            return generate_antichess_moves(position, moves)
        if traits & EXPLODES:
            return generate_atomic_moves(position, moves)
        if (traits & WHITE_HORDE) and kings == 0:
            return generate_piece_moves(position, moves, 0, 0, ~own_pieces & ALL, NO_KING_TO_PROTECT)
    if kings == 0 or has_several(kings):
        return 0

    king_square = lsb(kings)
    # Remove the king first, or else it would block the line of the piece that checks it.
    attacked = find_attacked_squares(position, enemy_pieces, occupied ^ kings, 1 - position.black_to_move)
    move_count = add_moves(moves, 0, king_square, KING_ATTACKS[king_square] & ~(own_pieces | attacked))

    allowed_targets = ~own_pieces & ALL
    checkers = 0
    if attacked & kings:
        checkers = collect_attackers(position, king_square, occupied, 1 - position.black_to_move)
        # In double check only the king can move. In single check a piece may also capture the checker or
        # move between it and the king.
        if has_several(checkers):
            return keep_moves_without_check(position, moves, move_count) if traits & RACE else move_count
        allowed_targets = checkers | BETWEEN[king_square][lsb(checkers)]

    pinned = find_pinned(position, king_square)
    move_count = generate_piece_moves(position, moves, move_count, pinned, allowed_targets, king_square)
    if checkers == 0 and position.rights and not (traits & NO_CASTLING):
        move_count = generate_castling_moves(position, moves, move_count, king_square, attacked)
    if position.rules == CRAZYHOUSE:
        move_count = generate_drops(position, moves, move_count, allowed_targets & ~occupied)
    return keep_moves_without_check(position, moves, move_count) if traits & RACE else move_count


def find_pinned(position: Position, king_square: i32) -> u64:
    """Return the set of squares of the pieces that are pinned to the king of the side to move.

    `king_square` is the square of this king. A set of squares has one bit for each square.
    """
    own_pieces: u64 = position.black if position.black_to_move else position.white
    enemy_pieces: u64 = position.white if position.black_to_move else position.black
    pinned: u64 = 0
    blockers: u64
    # Snipers would attack the king if the mover's own pieces were not on the board.
    snipers: u64 = enemy_pieces & (
        (find_rook_attacks(king_square, enemy_pieces) & (position.rooks | position.queens))
        | (find_bishop_attacks(king_square, enemy_pieces) & (position.bishops | position.queens))
    )
    while snipers:
        blockers = BETWEEN[king_square][lsb(snipers)] & own_pieces
        snipers &= snipers - 1  # Remove the lowest square.
        # A piece is pinned if it is the only one between the king and the sniper.
        if blockers and not has_several(blockers):
            pinned |= blockers
    return pinned


def generate_piece_moves(
    position: Position, moves: Moves, move_count: i32, pinned: u64, allowed_targets: u64, king_square: i32
) -> i32:
    """Append the moves of all pieces of the side to move apart from its kings to `moves`.

    Args:
        position: The position before the move.
        moves: The list of moves, which is changed in place.
        move_count: The number of moves in it before.
        pinned: The set of own pieces that are pinned to the king.
        allowed_targets: The set of squares on which a move may end.
        king_square: The square of the mover's own king, or NO_KING_TO_PROTECT.

    Returns:
        The new number of moves.
    """
    own_pieces: u64 = position.black if position.black_to_move else position.white
    occupied: u64 = position.white | position.black
    # A pinned knight cannot move at all.
    pieces_left: u64 = position.knights & own_pieces & ~pinned
    targets: u64
    square: i32
    while pieces_left:
        square = lsb(pieces_left)
        pieces_left &= pieces_left - 1  # Remove the lowest square.
        move_count = add_moves(moves, move_count, square, KNIGHT_ATTACKS[square] & allowed_targets)
    pieces_left = (position.bishops | position.queens) & own_pieces
    while pieces_left:
        square = lsb(pieces_left)
        pieces_left &= pieces_left - 1
        targets = find_bishop_attacks(square, occupied) & allowed_targets
        if (pinned >> square) & 1:
            targets &= LINE[king_square][square]
        move_count = add_moves(moves, move_count, square, targets)
    pieces_left = (position.rooks | position.queens) & own_pieces
    while pieces_left:
        square = lsb(pieces_left)
        pieces_left &= pieces_left - 1
        targets = find_rook_attacks(square, occupied) & allowed_targets
        if (pinned >> square) & 1:
            targets &= LINE[king_square][square]
        move_count = add_moves(moves, move_count, square, targets)
    return generate_pawn_moves(position, moves, move_count, pinned, allowed_targets, king_square)


def generate_pawn_moves(
    position: Position, moves: Moves, move_count: i32, pinned: u64, allowed_targets: u64, king_square: i32
) -> i32:
    """Append all pawn moves, with promotions and en-passant captures, to `moves`.

    Args:
        position: The position before the move.
        moves: The list of moves, which is changed in place.
        move_count: The number of moves in it before.
        pinned: The set of own pieces that are pinned to the king.
        allowed_targets: The set of squares on which a move may end, apart from en-passant captures.
        king_square: The square of the mover's own king, or NO_KING_TO_PROTECT.

    Returns:
        The new number of moves.
    """
    own_pieces: u64 = position.black if position.black_to_move else position.white
    enemy_pieces: u64 = position.white if position.black_to_move else position.black
    empty: u64 = ~(own_pieces | enemy_pieces) & ALL
    capturable: u64 = enemy_pieces & allowed_targets
    pawns: u64 = position.pawns & own_pieces & ~pinned
    one_step: u64
    two_steps: u64
    # Only in antichess can a pawn become a king.
    end_kind: i32 = PROMOTE_KING + 1 if TRAITS[position.rules] & MUST_CAPTURE else PROMOTE_KING
    if position.black_to_move:
        one_step = (pawns >> ONE_RANK) & empty
        two_steps = ((one_step & RANK_6) >> ONE_RANK) & empty & allowed_targets
        move_count = add_pawn_moves(moves, move_count, one_step & allowed_targets, -ONE_RANK, end_kind)
        move_count = add_pawn_moves(moves, move_count, two_steps, -TWO_RANKS, end_kind)
        move_count = add_pawn_moves(
            moves,
            move_count,
            ((pawns & NOT_FILE_A) >> EAST_DIAGONAL) & capturable,
            -EAST_DIAGONAL,
            end_kind,
        )
        move_count = add_pawn_moves(
            moves,
            move_count,
            ((pawns & NOT_FILE_H) >> WEST_DIAGONAL) & capturable,
            -WEST_DIAGONAL,
            end_kind,
        )
    else:
        one_step = (pawns << ONE_RANK) & empty
        two_steps = ((one_step & RANK_3) << ONE_RANK) & empty & allowed_targets
        move_count = add_pawn_moves(moves, move_count, one_step & allowed_targets, ONE_RANK, end_kind)
        move_count = add_pawn_moves(moves, move_count, two_steps, TWO_RANKS, end_kind)
        if TRAITS[position.rules] & WHITE_HORDE:
            # White's pawns on rank 1 may move two squares.
            two_steps = ((one_step & RANK_2) << ONE_RANK) & empty & allowed_targets
            move_count = add_pawn_moves(moves, move_count, two_steps, TWO_RANKS, end_kind)
        move_count = add_pawn_moves(
            moves, move_count, ((pawns & NOT_FILE_H) << EAST_DIAGONAL) & capturable, EAST_DIAGONAL, end_kind
        )
        move_count = add_pawn_moves(
            moves, move_count, ((pawns & NOT_FILE_A) << WEST_DIAGONAL) & capturable, WEST_DIAGONAL, end_kind
        )
    if position.pawns & own_pieces & pinned:
        move_count = generate_pinned_pawn_moves(
            position, moves, move_count, pinned, allowed_targets, king_square
        )
    if position.ep_square >= 0 and is_ep_square_valid(position):
        move_count = generate_en_passant_moves(position, moves, move_count, king_square)
    return move_count


def generate_pinned_pawn_moves(
    position: Position, moves: Moves, move_count: i32, pinned: u64, allowed_targets: u64, king_square: i32
) -> i32:
    """Append the moves of the pinned pawns, without en-passant captures, to `moves`.

    A pinned pawn may only move along the line of its king and the pinning piece.

    Args:
        position: The position before the move.
        moves: The list of moves, which is changed in place.
        move_count: The number of moves in it before.
        pinned: The set of own pieces that are pinned to the king.
        allowed_targets: The set of squares on which a move may end.
        king_square: The square of the mover's own king.

    Returns:
        The new number of moves.
    """
    own_pieces: u64 = position.black if position.black_to_move else position.white
    enemy_pieces: u64 = position.white if position.black_to_move else position.black
    empty: u64 = ~(own_pieces | enemy_pieces) & ALL
    pawns_left: u64 = position.pawns & own_pieces & pinned
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
        targets |= PAWN_ATTACKS[position.black_to_move][square] & enemy_pieces
        targets &= allowed_targets & LINE[king_square][square]
        while targets:
            move_count = add_pawn_moves(
                moves, move_count, ONE << lsb(targets), lsb(targets) - square, PROMOTE_KING
            )
            targets &= targets - 1
    return move_count


def generate_en_passant_moves(position: Position, moves: Moves, move_count: i32, king_square: i32) -> i32:
    """Append the legal captures on the en-passant square to `moves`, and return the new number of moves.

    The list is changed in place, and has `move_count` moves before. The square must be valid
    (`is_ep_square_valid`). `king_square` is the square of the mover's own king, or NO_KING_TO_PROTECT.
    """
    own_pieces: u64 = position.black if position.black_to_move else position.white
    capturers: u64 = (
        PAWN_ATTACKS[1 - position.black_to_move][position.ep_square] & position.pawns & own_pieces
    )
    square: i32
    while capturers:
        square = lsb(capturers)
        capturers &= capturers - 1  # Remove the lowest square.
        if is_en_passant_safe(position, square, king_square):
            moves[move_count] = square | (position.ep_square << TARGET_SHIFT)
            move_count += 1
    return move_count


def is_ep_square_valid(position: Position) -> bool:
    """Return whether the last move can have been a pawn's double step over the en-passant square.

    The square must be empty, on the right rank, and have an enemy pawn in front of it.
    """
    enemy_pieces: u64 = position.white if position.black_to_move else position.black
    if rank_index(position.ep_square) != (RANK_3_INDEX if position.black_to_move else RANK_6_INDEX):
        return False
    if (position.white | position.black) & (ONE << position.ep_square):
        return False
    return (position.pawns & enemy_pieces & (ONE << find_double_step_target(position.ep_square))) != 0


def generate_castling_moves(
    position: Position, moves: Moves, move_count: i32, king_square: i32, attacked: u64
) -> i32:
    """Append the legal castling moves to `moves`, and return the new number of moves.

    The king must not be in check. The target of a move is the square of the king afterwards or, in Chess960,
    the square of the rook.

    Args:
        position: The position before the move.
        moves: The list of moves, which is changed in place.
        move_count: The number of moves in it before.
        king_square: The square of the king.
        attacked: The set of squares that the enemy attacks.
    """
    corner: i32 = BLACK_CORNER if position.black_to_move else 0
    own_pieces: u64 = position.black if position.black_to_move else position.white
    occupied: u64 = position.white | position.black
    enemy_pieces: u64 = occupied ^ own_pieces
    rooks: u64 = position.rights & position.rooks & own_pieces & (RANK_1 << corner)
    rook_square: i32
    target: i32
    king_target: i32
    rook_target: i32
    path: u64
    king_path: u64
    blockers: u64
    attackers_on_back_rank: u64
    if rank_index(king_square) != rank_index(corner):
        return move_count
    # A king in a corner has no rook on its outer side (spec/chess 8).
    if king_square == corner or king_square == corner + H_FILE:
        return move_count
    if position.rules != CHESS960 and king_square != corner + E_FILE:
        return move_count
    while rooks:
        rook_square = lsb(rooks)
        rooks &= rooks - 1  # Remove the lowest square.
        king_target = corner + (G_FILE if rook_square > king_square else C_FILE)
        rook_target = corner + (F_FILE if rook_square > king_square else D_FILE)
        # All squares between the old and new squares of king and rook must be empty.
        blockers = occupied ^ (ONE << king_square) ^ (ONE << rook_square)
        king_path = BETWEEN[king_square][king_target] | (ONE << king_target)
        path = (
            king_path
            | BETWEEN[rook_square][rook_target]
            | (ONE << rook_target)
            | BETWEEN[king_square][rook_square]
        )
        if (path & blockers) or (king_path & attacked):
            continue
        # In Chess960 the rook may have shielded the king's target from a piece on the back rank.
        attackers_on_back_rank = (
            find_rook_attacks(king_target, blockers | (ONE << rook_target))
            & enemy_pieces
            & (position.rooks | position.queens)
            & (RANK_1 << corner)
        )
        if attackers_on_back_rank:
            continue
        target = rook_square if position.rules == CHESS960 else king_target
        moves[move_count] = king_square | (target << TARGET_SHIFT) | (CASTLE << KIND_SHIFT)
        move_count += 1
    return move_count


def generate_drops(position: Position, moves: Moves, move_count: i32, targets: u64) -> i32:
    """Append the drops of pieces in hand (Crazyhouse) to `moves`, and return the new number of moves.

    The list is changed in place, and has `move_count` moves before. `targets` is the set of squares on which
    a piece may be dropped. Pawns are not dropped on the first and last rank.
    """
    pocket: u64 = position.black_pocket if position.black_to_move else position.white_pocket
    kind: i32
    squares_left: u64
    square: i32
    for kind in range(POCKET_QUEEN + 1):
        if not count_in_pocket(pocket, kind):
            continue
        # In a drop the origin is the same square as the target, and the kind of move contains the piece.
        squares_left = targets & ~END_RANKS if kind == POCKET_PAWN else targets
        while squares_left:
            square = lsb(squares_left)
            squares_left &= squares_left - 1  # Remove the lowest square.
            moves[move_count] = square | (square << TARGET_SHIFT) | ((DROP + kind) << KIND_SHIFT)
            move_count += 1
    return move_count


# --- variants ---------------------------------------------------------------------------------------


def generate_antichess_moves(position: Position, moves: Moves) -> i32:
    """Write all legal moves of antichess into `moves`, and return how many there are.

    If a capture is possible, only captures are legal. Kings move like other pieces and may be captured.
    """
    empty: u64 = ~(position.white | position.black) & ALL
    enemy_pieces: u64 = position.white if position.black_to_move else position.black
    # In antichess no piece is pinned, so the set of pinned pieces is 0.
    move_count: i32 = generate_king_moves(position, moves, 0, enemy_pieces)
    move_count = generate_piece_moves(position, moves, move_count, 0, enemy_pieces, NO_KING_TO_PROTECT)
    if move_count:
        return move_count
    move_count = generate_king_moves(position, moves, 0, empty)
    return generate_piece_moves(position, moves, move_count, 0, empty, NO_KING_TO_PROTECT)


def generate_king_moves(position: Position, moves: Moves, move_count: i32, allowed_targets: u64) -> i32:
    """Append the moves of all kings of the side to move to `moves`, also to attacked squares.

    The list is changed in place, and has `move_count` moves before. The moves end on the squares in the set
    `allowed_targets`. Return the new number of moves.
    """
    kings_left: u64 = position.kings & (position.black if position.black_to_move else position.white)
    square: i32
    while kings_left:
        square = lsb(kings_left)
        kings_left &= kings_left - 1  # Remove the lowest square.
        move_count = add_moves(moves, move_count, square, KING_ATTACKS[square] & allowed_targets)
    return move_count


def generate_atomic_moves(position: Position, moves: Moves) -> i32:
    """Write all legal moves of atomic chess into `moves`, and return how many there are.

    There are none if a king is missing, because the game is over then.
    """
    own_pieces: u64 = position.black if position.black_to_move else position.white
    enemy_pieces: u64 = position.white if position.black_to_move else position.black
    occupied: u64 = own_pieces | enemy_pieces
    kings: u64 = position.kings & own_pieces
    enemy_kings: u64 = position.kings & enemy_pieces
    attacked: u64
    move_count: i32
    if kings == 0 or has_several(kings) or enemy_kings == 0:
        return 0

    # A king explodes with the piece that it captures, so a king never captures.
    move_count = generate_king_moves(position, moves, 0, ~occupied & ALL)
    # Pins are ignored here, because the illegal moves are removed afterwards.
    move_count = generate_piece_moves(position, moves, move_count, 0, ~own_pieces & ALL, NO_KING_TO_PROTECT)
    move_count = keep_atomic_legal_moves(position, moves, move_count)
    if position.rights:
        # Squares beside the other king are safe: a capture there would explode both kings.
        attacked = (
            find_attacked_squares(position, enemy_pieces, occupied ^ kings, 1 - position.black_to_move)
            & ~KING_ATTACKS[lsb(enemy_kings)]
        )
        if not (attacked & kings):
            move_count = generate_castling_moves(position, moves, move_count, lsb(kings), attacked)
    return move_count


def keep_atomic_legal_moves(position: Position, moves: Moves, move_count: i32) -> i32:
    """Remove the moves that are illegal in atomic chess from `moves`, which is changed in place.

    The first `move_count` moves of the list must be legal apart from checks and explosions, and not castling.
    Those that are kept come first afterwards. Return their number.
    """
    enemy_pieces: u64 = position.white if position.black_to_move else position.black
    kept_count: i32 = 0
    index: i32
    move: i32
    origin: i32
    target: i32
    captured: u64
    for index in range(move_count):
        move = moves[index]
        origin = move & SQUARE_MASK
        target = (move >> TARGET_SHIFT) & SQUARE_MASK
        captured = enemy_pieces & (ONE << target)
        # A pawn that leaves its file for the en-passant square captures en passant.
        if (
            target == position.ep_square
            and (position.pawns >> origin) & 1
            and file_index(target) != file_index(origin)
        ):
            captured = ONE << find_double_step_target(target)
        if is_atomic_legal(position, origin, target, captured):
            moves[kept_count] = move
            kept_count += 1
    return kept_count


def keep_moves_without_check(position: Position, moves: Moves, move_count: i32) -> i32:
    """Remove the moves that give check, which Racing Kings forbids, from `moves`.

    The list is changed in place, and has `move_count` moves before. Those that are kept come first
    afterwards. Return their number.
    """
    own_pieces: u64 = position.black if position.black_to_move else position.white
    enemy_kings: u64 = position.kings & ~own_pieces
    kept_count: i32 = 0
    index: i32
    for index in range(move_count):
        if enemy_kings == 0 or not gives_check(position, moves[index], lsb(enemy_kings)):
            moves[kept_count] = moves[index]
            kept_count += 1
    return kept_count


def gives_check(position: Position, move: i32, king_square: i32) -> bool:
    """Return whether a move gives check to the enemy king on the square `king_square`.

    `move` is a 16-bit number. It must be neither castling nor an en-passant capture.
    """
    origin_bit: u64 = ONE << (move & SQUARE_MASK)
    target_bit: u64 = ONE << ((move >> TARGET_SHIFT) & SQUARE_MASK)
    kind: i32 = move >> KIND_SHIFT
    occupied_after: u64 = ((position.white | position.black) & ~origin_bit) | target_bit
    rook_lines: u64 = find_rook_attacks(king_square, occupied_after)
    bishop_lines: u64 = find_bishop_attacks(king_square, occupied_after)
    # The move may uncover the check of another piece.
    if collect_attackers(position, king_square, occupied_after, position.black_to_move) & ~origin_bit:
        return True

    # Otherwise the piece on the target gives the check.
    if kind == PROMOTE_KNIGHT or position.knights & origin_bit:
        return (KNIGHT_ATTACKS[king_square] & target_bit) != 0
    if kind == PROMOTE_BISHOP or position.bishops & origin_bit:
        return (bishop_lines & target_bit) != 0
    if kind == PROMOTE_ROOK or position.rooks & origin_bit:
        return (rook_lines & target_bit) != 0
    if kind == PROMOTE_QUEEN or position.queens & origin_bit:
        return ((rook_lines | bishop_lines) & target_bit) != 0
    if position.pawns & origin_bit:
        return (PAWN_ATTACKS[1 - position.black_to_move][king_square] & target_bit) != 0
    return (KING_ATTACKS[king_square] & target_bit) != 0
