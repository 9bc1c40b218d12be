"""Generating the legal moves of a position, as numbers (see `moves`).

Only legal moves are generated, none is made and taken back: the squares the enemy attacks bound the king,
pins bound the other men, a check bounds where a move may end. Variants begin with what is possible but for
the king, and keep what their rules allow. The module runs as it is and compiles with Cython (`generate.pxd`
gives the C types).
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
        ENDS,
        KING,
        KNIGHT,
        LINE,
        NOT_FILE_A,
        NOT_FILE_H,
        ONE,
        PAWN,
        RANK_1,
        RANK_2,
        RANK_3,
        RANK_6,
        bishop_attacks,
        i32,
        lsb,
        rook_attacks,
        u64,
    )
    from forsyth.games.chess.position import CHESS960, CRAZYHOUSE
    from forsyth.games.chess.rules.attacks import TRAITS, attackers, decided, survives
    from forsyth.games.chess.variants import EXPLODES, MUST_CAPTURE, NO_CASTLING, RACE, WHITE_HORDE

    Moves = list[int]
    MoveBuffer = list[int]

    # Kinds of moves. To a promotion and a drop the piece is added, P N B R Q being 0 to 4: a knight's
    # promotion is 2, a queen's drop is 12. In antichess 6 is a king's promotion.
    CASTLE: Final = 1
    PROMOTE: Final = 1
    DROP: Final = 8


def put(out: Moves, n: i32, origin: i32, targets: u64) -> i32:
    """Add a move from one square to each target; how many moves there are now."""
    while targets:
        out[n] = origin | lsb(targets) << 6
        n += 1
        targets &= targets - 1
    return n


def put_pawns(out: Moves, n: i32, targets: u64, step: i32, kinds: i32) -> i32:
    """Add a pawn's move to each target, from the square `step` behind it, on the last rank promoting to men
    below `kinds`."""
    target: i32
    kind: i32
    while targets:
        target = lsb(targets)
        targets &= targets - 1
        if ENDS >> target & 1:
            for kind in range(2, kinds):
                out[n] = (target - step) | target << 6 | kind << 12
                n += 1
        else:
            out[n] = (target - step) | target << 6
            n += 1
    return n


def attacked_by(p: Position, side: u64, occupied: u64, black: i32) -> u64:
    """All squares that one side attacks."""
    pawns: u64 = p.pawns & side
    found: u64
    rest: u64
    if black:
        found = (pawns & NOT_FILE_A) >> 9 | (pawns & NOT_FILE_H) >> 7
    else:
        found = (pawns & NOT_FILE_A) << 7 | (pawns & NOT_FILE_H) << 9 & ALL
    rest = p.knights & side
    while rest:
        found |= KNIGHT[lsb(rest)]
        rest &= rest - 1
    rest = (p.bishops | p.queens) & side
    while rest:
        found |= bishop_attacks(lsb(rest), occupied)
        rest &= rest - 1
    rest = (p.rooks | p.queens) & side
    while rest:
        found |= rook_attacks(lsb(rest), occupied)
        rest &= rest - 1
    rest = p.kings & side
    while rest:
        found |= KING[lsb(rest)]
        rest &= rest - 1
    return found


def generate(p: Position, out: Moves) -> i32:
    """Write every legal move into `out`; how many there are."""
    n: i32
    own: u64 = p.black if p.black_to_move else p.white
    enemy: u64 = p.white if p.black_to_move else p.black
    occupied: u64 = own | enemy
    kings: u64 = p.kings & own
    king: i32
    danger: u64
    checkers: u64
    pinned: u64 = 0
    mask: u64
    rest: u64
    targets: u64
    traits: i32 = TRAITS[p.rules]
    if traits:
        if decided(p):
            return 0
        if traits & MUST_CAPTURE:
            return generate_captures_first(p, out)
        if traits & EXPLODES:
            return generate_atomic(p, out)
        if traits & WHITE_HORDE and kings == 0:
            return generate_men(p, out, 0, 0, ~own & ALL, -1)
    if kings == 0 or kings & (kings - 1):
        return 0
    king = lsb(kings)
    # Without the king, so that it cannot hide behind itself on the line of a check.
    danger = attacked_by(p, enemy, occupied ^ kings, 1 - p.black_to_move)
    n = put(out, 0, king, KING[king] & ~(own | danger))
    mask = ~own & ALL
    checkers = 0
    if danger & kings:
        checkers = attackers(p, king, occupied, 1 - p.black_to_move)
        if checkers & (checkers - 1):
            return without_checks(p, out, n) if traits & RACE else n
        mask = checkers | BETWEEN[king][lsb(checkers)]
    rest = enemy & (
        (rook_attacks(king, enemy) & (p.rooks | p.queens))
        | (bishop_attacks(king, enemy) & (p.bishops | p.queens))
    )
    while rest:
        targets = BETWEEN[king][lsb(rest)] & own
        rest &= rest - 1
        if targets and targets & (targets - 1) == 0:
            pinned |= targets
    n = generate_men(p, out, n, pinned, mask, king)
    if checkers == 0 and p.rights and not traits & NO_CASTLING:
        n = generate_castling(p, out, n, king, danger)
    if p.rules == CRAZYHOUSE:
        n = generate_drops(p, out, n, mask & ~occupied)
    return without_checks(p, out, n) if traits & RACE else n


def generate_men(p: Position, out: Moves, n: i32, pinned: u64, mask: u64, king: i32) -> i32:
    """Moves of all men but kings that end in `mask`; without a king (−1) nothing is pinned."""
    own: u64 = p.black if p.black_to_move else p.white
    occupied: u64 = p.white | p.black
    rest: u64 = p.knights & own & ~pinned
    targets: u64
    square: i32
    while rest:
        square = lsb(rest)
        rest &= rest - 1
        n = put(out, n, square, KNIGHT[square] & mask)
    rest = (p.bishops | p.queens) & own
    while rest:
        square = lsb(rest)
        rest &= rest - 1
        targets = bishop_attacks(square, occupied) & mask
        if pinned >> square & 1:
            targets &= LINE[king][square]
        n = put(out, n, square, targets)
    rest = (p.rooks | p.queens) & own
    while rest:
        square = lsb(rest)
        rest &= rest - 1
        targets = rook_attacks(square, occupied) & mask
        if pinned >> square & 1:
            targets &= LINE[king][square]
        n = put(out, n, square, targets)
    return generate_pawns(p, out, n, pinned, mask, king)


def generate_pawns(p: Position, out: Moves, n: i32, pinned: u64, mask: u64, king: i32) -> i32:
    """Pawn moves that leave the king safe; `mask` is where a move may end."""
    own: u64 = p.black if p.black_to_move else p.white
    enemy: u64 = p.white if p.black_to_move else p.black
    empty: u64 = ~(own | enemy) & ALL
    pawns: u64 = p.pawns & own & ~pinned
    stuck: u64 = p.pawns & own & pinned
    rest: u64
    step: u64
    square: i32
    kinds: i32 = 7 if TRAITS[p.rules] & MUST_CAPTURE else 6
    if p.black_to_move:
        step = pawns >> 8 & empty
        n = put_pawns(out, n, step & mask, -8, kinds)
        n = put_pawns(out, n, (step & RANK_6) >> 8 & empty & mask, -16, kinds)
        n = put_pawns(out, n, (pawns & NOT_FILE_A) >> 9 & enemy & mask, -9, kinds)
        n = put_pawns(out, n, (pawns & NOT_FILE_H) >> 7 & enemy & mask, -7, kinds)
    else:
        step = pawns << 8 & empty
        n = put_pawns(out, n, step & mask, 8, kinds)
        n = put_pawns(out, n, (step & RANK_3) << 8 & empty & mask, 16, kinds)
        if TRAITS[p.rules] & WHITE_HORDE:
            n = put_pawns(out, n, (step & RANK_2) << 8 & empty & mask, 16, kinds)
        n = put_pawns(out, n, (pawns & NOT_FILE_H) << 9 & enemy & mask, 9, kinds)
        n = put_pawns(out, n, (pawns & NOT_FILE_A) << 7 & enemy & mask, 7, kinds)
    while stuck:
        square = lsb(stuck)
        stuck &= stuck - 1
        # A pinned pawn moves along the line between its king and the pinning piece only.
        if p.black_to_move:
            step = (ONE << square) >> 8 & empty
            step |= (step & RANK_6) >> 8 & empty
        else:
            step = (ONE << square) << 8 & empty
            step |= (step & RANK_3) << 8 & empty
        step = (step | PAWN[p.black_to_move][square] & enemy) & mask & LINE[king][square]
        while step:
            n = put_pawns(out, n, step & ~(step - 1), lsb(step) - square, kinds)
            step &= step - 1
    if p.ep_square >= 0 and ep_is_real(p):
        rest = PAWN[1 - p.black_to_move][p.ep_square] & p.pawns & own
        while rest:
            square = lsb(rest)
            rest &= rest - 1
            if en_passant_safe(p, square, king):
                out[n] = square | p.ep_square << 6
                n += 1
    return n


def ep_is_real(p: Position) -> bool:
    """Whether the en-passant square is one that a double step just made could have left."""
    enemy: u64 = p.white if p.black_to_move else p.black
    if p.ep_square >> 3 != (2 if p.black_to_move else 5):
        return False
    if (p.white | p.black) >> p.ep_square & 1:
        return False
    return p.pawns & enemy & (ONE << (p.ep_square ^ 8)) != 0


def en_passant_safe(p: Position, origin: i32, king: i32) -> bool:
    """Whether capturing en passant from a square leaves the king safe; two men leave one rank at once."""
    taken: u64 = ONE << (p.ep_square ^ 8)
    if king < 0:
        return True
    after: u64 = (p.white | p.black) ^ taken ^ (ONE << origin) | (ONE << p.ep_square)
    return attackers(p, king, after, 1 - p.black_to_move) & ~taken == 0


def generate_castling(p: Position, out: Moves, n: i32, king: i32, danger: u64) -> i32:
    """Castling on either wing; the king is not in check."""
    corner: i32 = 56 if p.black_to_move else 0
    own: u64 = p.black if p.black_to_move else p.white
    occupied: u64 = p.white | p.black
    enemy: u64 = occupied ^ own
    rooks: u64 = p.rights & p.rooks & own & (RANK_1 << corner)
    rook: i32
    king_target: i32
    rook_target: i32
    path: u64
    walk: u64
    rest: u64
    if king >> 3 != corner >> 3:
        return n
    # In a corner the king has no rook on its outer side (spec/chess 8).
    if king == corner or king == corner + 7 or (p.rules != CHESS960 and king != corner + 4):
        return n
    while rooks:
        rook = lsb(rooks)
        rooks &= rooks - 1
        king_target = corner + (6 if rook > king else 2)
        rook_target = corner + (5 if rook > king else 3)
        rest = occupied ^ (ONE << king) ^ (ONE << rook)
        walk = BETWEEN[king][king_target] | (ONE << king_target)
        path = walk | BETWEEN[rook][rook_target] | (ONE << rook_target) | BETWEEN[king][rook]
        if path & rest or walk & danger:
            continue
        # Away from its square the rook may have uncovered a line along the back rank.
        if (
            rook_attacks(king_target, rest | (ONE << rook_target))
            & enemy
            & (p.rooks | p.queens)
            & (RANK_1 << corner)
        ):
            continue
        out[n] = king | (rook if p.rules == CHESS960 else king_target) << 6 | CASTLE << 12
        n += 1
    return n


def generate_drops(p: Position, out: Moves, n: i32, targets: u64) -> i32:
    """Crazyhouse: put a man from the pocket on an empty square, a pawn not on an end rank."""
    pocket: u64 = p.black_pocket if p.black_to_move else p.white_pocket
    kind: i32
    rest: u64
    square: i32
    for kind in range(5):
        if not pocket >> 8 * kind & 255:
            continue
        rest = targets & ~ENDS if kind == 0 else targets
        while rest:
            square = lsb(rest)
            rest &= rest - 1
            out[n] = square | square << 6 | (DROP + kind) << 12
            n += 1
    return n


# --- variants ---------------------------------------------------------------------------------------


def generate_captures_first(p: Position, out: Moves) -> i32:
    """Antichess: captures if there are any, else all other moves; kings are men like others."""
    occupied: u64 = p.white | p.black
    enemy: u64 = p.white if p.black_to_move else p.black
    n: i32 = generate_kings(p, out, 0, enemy)
    n = generate_men(p, out, n, 0, enemy, -1)
    if n:
        return n
    n = generate_kings(p, out, 0, ~occupied & ALL)
    return generate_men(p, out, n, 0, ~occupied & ALL, -1)


def generate_kings(p: Position, out: Moves, n: i32, mask: u64) -> i32:
    """Steps of all kings that end in `mask`, whoever attacks them there."""
    rest: u64 = p.kings & (p.black if p.black_to_move else p.white)
    square: i32
    while rest:
        square = lsb(rest)
        rest &= rest - 1
        n = put(out, n, square, KING[square] & mask)
    return n


def generate_atomic(p: Position, out: Moves) -> i32:
    """Atomic chess: what leaves the mover's king whole and not attacked, or explodes the other king."""
    own: u64 = p.black if p.black_to_move else p.white
    enemy: u64 = p.white if p.black_to_move else p.black
    occupied: u64 = own | enemy
    kings: u64 = p.kings & own
    others: u64 = p.kings & enemy
    danger: u64
    n: i32
    if kings == 0 or kings & (kings - 1) or others == 0:
        return 0
    # A king explodes with what it captures, so it captures nothing.
    n = generate_kings(p, out, 0, ~occupied & ALL)
    n = generate_men(p, out, n, 0, ~own & ALL, -1)
    n = surviving(p, out, n)
    if p.rights:
        # Nobody attacks a king beside the other king.
        danger = attacked_by(p, enemy, occupied ^ kings, 1 - p.black_to_move) & ~KING[lsb(others)]
        if not danger & kings:
            n = generate_castling(p, out, n, lsb(kings), danger)
    return n


def surviving(p: Position, out: Moves, n: i32) -> i32:
    """Keep the moves of atomic chess that are legal; how many there are."""
    enemy: u64 = p.white if p.black_to_move else p.black
    kept: i32 = 0
    i: i32
    move: i32
    target: i32
    taken: u64
    for i in range(n):
        move = out[i]
        target = move >> 6 & 63
        taken = enemy & (ONE << target)
        if target == p.ep_square and p.pawns >> (move & 63) & 1 and (target - move) & 7:
            taken = ONE << (target ^ 8)
        if survives(p, move & 63, target, taken):
            out[kept] = move
            kept += 1
    return kept


def without_checks(p: Position, out: Moves, n: i32) -> i32:
    """Racing kings: keep the moves that give no check; how many there are."""
    own: u64 = p.black if p.black_to_move else p.white
    others: u64 = p.kings & ~own
    kept: i32 = 0
    i: i32
    for i in range(n):
        if others == 0 or not gives_check(p, out[i], lsb(others)):
            out[kept] = out[i]
            kept += 1
    return kept


def gives_check(p: Position, move: i32, king: i32) -> bool:
    """Whether a move, neither castling nor a capture en passant, attacks a king of the other side."""
    start: u64 = ONE << (move & 63)
    end: u64 = ONE << (move >> 6 & 63)
    kind: i32 = move >> 12
    occupied: u64 = (p.white | p.black) & ~start | end
    lines: u64 = rook_attacks(king, occupied)
    slants: u64 = bishop_attacks(king, occupied)
    if attackers(p, king, occupied, p.black_to_move) & ~start:
        return True
    if kind == 2 or p.knights & start:
        return KNIGHT[king] & end != 0
    if kind == 3 or p.bishops & start:
        return slants & end != 0
    if kind == 4 or p.rooks & start:
        return lines & end != 0
    if kind == 5 or p.queens & start:
        return (lines | slants) & end != 0
    if p.pawns & start:
        return PAWN[1 - p.black_to_move][king] & end != 0
    return KING[king] & end != 0
