"""The verdict on a chess position: a set of bits, one for each code of spec/chess 5.2 and 8.

`faults` finds everything at once and builds nothing; `check` says it in words. Beside it stands what follows
from a position: which castling rights are consistent with the board, whether an en-passant capture is there.
The module runs as it is and compiles with Cython (`legality.pxd` gives the C types).
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
        ENDS,
        KING,
        LIGHT,
        LINE,
        ONE,
        PAWN,
        RANK_1,
        count,
        i32,
        lsb,
        msb,
        u64,
    )
    from forsyth.games.chess.position import CHESS960, CRAZYHOUSE
    from forsyth.games.chess.rules.attacks import (
        LEAST_KINGS,
        MOST_KINGS,
        MOST_MEN,
        MOST_PAWNS,
        TRAITS,
        attackers,
        kings_touch,
        survives,
    )
    from forsyth.games.chess.variants import EXPLODES, MUST_CAPTURE, NO_CASTLING, RACE, WHITE_HORDE

    NO_KING: Final = 1 << 0
    MANY_KINGS: Final = 1 << 1
    BACKRANK: Final = 1 << 2
    MANY_PAWNS: Final = 1 << 3
    MANY_MEN: Final = 1 << 4
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
"""Which code each bit of `faults` stands for, lowest first (spec/chess 5.2, 8 and 10).

The bits are NO_KING to RACE_CHECK; `codes` says which of them are only unusual.
"""


def faults(position: Position) -> i32:
    """Everything that is wrong or odd about a position, one bit for each code of FAULTS."""
    found: i32 = king_faults(position)
    ep: i32
    if stray_pawns(position):
        found |= BACKRANK
    if position.rules == CRAZYHOUSE:
        found |= crazyhouse_faults(position)
    else:
        found |= men_faults(position, 0) | men_faults(position, 1)
    if position.rights:
        found |= castling_faults(position)
    ep = ep_faults(position)
    found |= ep
    # Check is only defined where each side has the kings it must have.
    if not found & (NO_KING | MANY_KINGS):
        found |= check_faults(position, ep & (EP_SIDE | EP_PAWN | EP_BLOCKED) == 0)
    if position.half > 2 * (position.full - 1) + position.black_to_move:
        found |= HALF_INCONSISTENT
    if position.half >= 150:
        found |= HALF_SEVENTYFIVE
    return found


def king_faults(position: Position) -> i32:
    """Whether a side has fewer or more kings than the variant says."""
    found: i32 = 0
    rules: i32 = position.rules
    ours: i32 = count(position.kings & position.white)
    theirs: i32 = count(position.kings & position.black)
    if ours < LEAST_KINGS[0][rules] or theirs < LEAST_KINGS[1][rules]:
        found |= NO_KING
        # A king that exploded is that of the side to move, and the game is over.
        if TRAITS[rules] & EXPLODES and (ours if position.black_to_move else theirs):
            found = 0
    if ours > MOST_KINGS[0][rules] or theirs > MOST_KINGS[1][rules]:
        found |= MANY_KINGS
    return found


def men_faults(position: Position, colour: i32) -> i32:
    """Whether a side has more men, or more promoted ones, than the variant allows; not for Crazyhouse."""
    own: u64 = position.black if colour else position.white
    most: i32 = MOST_PAWNS[colour][position.rules]
    found: i32 = 0
    if count(position.pawns & own) > most:
        found |= MANY_PAWNS
    if count(own) > MOST_MEN[colour][position.rules]:
        found |= MANY_MEN
    # All pieces of a horde are promoted pawns, so that the number of its men says all.
    if most <= 8 and too_many_promoted(position, own, most):
        found |= PROMOTED
    return found


def stray_pawns(position: Position) -> u64:
    """The pawns that stand where no pawn can: on an end rank, but for a horde's on its first."""
    if TRAITS[position.rules] & WHITE_HORDE:
        return position.pawns & ENDS & ~(position.white & RANK_1)
    return position.pawns & ENDS


def check_faults(position: Position, ep_sound: bool) -> i32:
    """What is wrong with who gives check to whom; each side has the kings it must have."""
    found: i32 = 0
    number: i32
    traits: i32 = TRAITS[position.rules]
    own: u64 = position.black if position.black_to_move else position.white
    occupied: u64 = position.white | position.black
    kings: u64 = position.kings & own
    others: u64 = position.kings & ~own
    king: i32
    checkers: u64
    before: u64
    # Kings side by side, as atomic chess allows them, give and take no check.
    if traits & MUST_CAPTURE or (traits & EXPLODES and kings_touch(position)):
        return 0
    if traits & EXPLODES and not kings:
        # It has exploded, and the game is over.
        return 0
    if others and attackers(position, lsb(others), occupied, position.black_to_move):
        found |= OPPOSITE
    if not kings:
        return found
    king = lsb(kings)
    if KING[king] & others:
        found |= ADJACENT
    checkers = attackers(position, king, occupied, 1 - position.black_to_move)
    if not checkers:
        return found
    if traits & RACE:
        return found | RACE_CHECK
    number = count(checkers)
    # An explosion can uncover any number of checks, a double step cannot.
    if number > 2 and not traits & EXPLODES:
        found |= MANY_CHECKS
    if position.ep_square >= 0 and ep_sound:
        # The last move was the double step: it gave the check itself or uncovered it.
        before = occupied ^ (ONE << (position.ep_square ^ 8)) | (ONE << (position.ep_square ^ 24))
        if number > 1 or (lsb(checkers) != position.ep_square ^ 8 and attackers_left(position, king, before)):
            found |= IMPOSSIBLE
    elif traits & EXPLODES:
        return found
    elif number > 2 or (number == 2 and impossible_pair(position, checkers)):
        found |= IMPOSSIBLE
    return found


def attackers_left(position: Position, king: i32, before: u64) -> u64:
    """Who attacked the king of the side to move before the double step that the en-passant square implies."""
    return attackers(position, king, before, 1 - position.black_to_move) & before


def impossible_pair(position: Position, checkers: u64) -> bool:
    """Whether no single move can have caused these two checks.

    Two checkers on one line with the king cannot both be new, and one move cannot bring two men that
    step (pawns, knights, kings): of two checkers, one at least was uncovered and so slides.
    """
    sliders: u64 = position.rooks | position.bishops | position.queens
    if (
        LINE[lsb(checkers)][msb(checkers)]
        & position.kings
        & (position.black if position.black_to_move else position.white)
    ):
        return True
    return checkers & sliders == 0


def too_many_promoted(position: Position, own: u64, most: i32) -> bool:
    """Whether more men of a side must have been pawns than it lacks of `most` (spec/chess 5.2, note b)."""
    missing: i32 = most - count(position.pawns & own)
    found: i32 = 0
    spare: i32 = count(position.knights & own) - 2
    if spare > 0:
        found += spare
    spare = count(position.rooks & own) - 2
    if spare > 0:
        found += spare
    spare = count(position.queens & own) - 1
    if spare > 0:
        found += spare
    spare = count(position.bishops & own & LIGHT) - 1
    if spare > 0:
        found += spare
    spare = count(position.bishops & own & ~LIGHT) - 1
    if spare > 0:
        found += spare
    if TRAITS[position.rules] & MUST_CAPTURE:
        spare = count(position.kings & own) - 1
        if spare > 0:
            found += spare
    # Too many pawns is a finding of its own.
    return found > missing >= 0


def crazyhouse_faults(position: Position) -> i32:
    """Crazyhouse counts the whole set of men, pockets included (spec/chess 10)."""
    found: i32 = 0
    pawns: i32 = count(position.pawns | position.promoted)
    pawns += (position.white_pocket & 255) + (position.black_pocket & 255)
    men: i32 = count(position.white | position.black)
    shift: i32
    for shift in range(0, 40, 8):
        men += (position.white_pocket >> shift & 255) + (position.black_pocket >> shift & 255)
    if pawns > 16:
        found |= MANY_PAWNS
    if men > 32:
        found |= MANY_MEN
    return found


def ep_faults(position: Position) -> i32:
    """What is wrong with the en-passant square, if there is one."""
    found: i32 = 0
    square: i32 = position.ep_square
    occupied: u64 = position.white | position.black
    enemy: u64 = position.white if position.black_to_move else position.black
    if square < 0:
        return 0
    if square >> 3 != (2 if position.black_to_move else 5):
        found |= EP_SIDE
    else:
        if not position.pawns & enemy & (ONE << (square ^ 8)):
            found |= EP_PAWN
        elif occupied & (ONE << square | ONE << (square ^ 24)):
            found |= EP_BLOCKED
    if position.half:
        found |= EP_HALF
    return found


def castling_faults(position: Position) -> i32:
    """What is wrong with castling rights: nobody castles, no king at home, no rook, two rooks on one wing."""
    found: i32 = 0
    colour: i32
    corner: i32
    king: i32
    white_king: i32 = -1
    rights: u64
    own: u64
    kings: u64
    if TRAITS[position.rules] & NO_CASTLING:
        return CASTLING_NONE
    for colour in range(2):
        corner = 56 * colour
        own = position.black if colour else position.white
        rights = position.rights >> corner & 255
        if not rights:
            continue
        kings = (position.kings & own) >> corner & 255
        if position.rules != CHESS960:
            if not kings & 16:
                found |= CASTLING_KING
            elif rights & ~((position.rooks & own) >> corner):
                found |= CASTLING_ROOK
            continue
        # In the corner the king has no rook on its outer side.
        if not kings & 126:
            found |= CASTLING_KING
            continue
        king = msb(kings)
        if rights & ~((position.rooks & own) >> corner):
            found |= CASTLING_ROOK
        if count(rights & ((ONE << king) - 1)) > 1 or count(rights >> king) > 1:
            found |= CASTLING_AMBIGUOUS
        if colour == 0:
            white_king = king
        elif white_king >= 0 and white_king != king:
            found |= CASTLING_DIFFER
    return found


# --- what follows from a position -------------------------------------------------------------------


def xfen_ep(position: Position) -> int:
    """The en-passant square if a pawn stands ready to capture on it, else −1."""
    own: u64 = position.black if position.black_to_move else position.white
    if position.ep_square < 0 or ep_faults(position) & (EP_SIDE | EP_PAWN | EP_BLOCKED):
        return -1
    ready: u64 = PAWN[1 - position.black_to_move][position.ep_square] & position.pawns & own
    return position.ep_square if ready else -1


def legal_ep(position: Position) -> int:
    """The en-passant square if it can legally be captured on, else −1 (spec/chess 6)."""
    own: u64 = position.black if position.black_to_move else position.white
    kings: u64 = position.kings & own
    ready: u64
    taken: u64
    after: u64
    if xfen_ep(position) < 0:
        return -1
    if not kings or TRAITS[position.rules] & MUST_CAPTURE:
        return position.ep_square
    ready = PAWN[1 - position.black_to_move][position.ep_square] & position.pawns & own
    taken = ONE << (position.ep_square ^ 8)
    while ready:
        if TRAITS[position.rules] & EXPLODES:
            if survives(position, lsb(ready), position.ep_square, taken):
                return position.ep_square
            ready &= ready - 1
            continue
        # Two men leave the board's rank at once, so neither pins nor checks alone tell.
        after = (position.white | position.black) ^ taken ^ (ready & ~(ready - 1)) | (
            ONE << position.ep_square
        )
        if attackers(position, lsb(kings), after, 1 - position.black_to_move) & ~taken == 0:
            return position.ep_square
        ready &= ready - 1
    return -1


def effective_rights(position: Position) -> u64:
    """The castling rights that are consistent with king and rook."""
    kept: u64 = 0
    colour: i32
    corner: i32
    own: u64
    rights: u64
    kings: u64
    if TRAITS[position.rules] & NO_CASTLING:
        return 0
    for colour in range(2):
        corner = 56 * colour
        own = position.black if colour else position.white
        rights = position.rights & position.rooks & own & (RANK_1 << corner)
        kings = (position.kings & own) >> corner & 255
        if position.rules == CHESS960:
            if kings & 126:
                kept |= rights
        elif kings & 16:
            kept |= rights
    return kept


def castling_wings(position: Position) -> i32:
    """Who may castle where, as far as the text says: bit 0 White's king side, 1 White's queen side, 2 and 3
    Black's."""
    found: i32 = 0
    colour: i32
    corner: i32
    king: i32
    kings: u64
    rights: u64
    if not position.rights:
        return 0
    for colour in range(2):
        corner = 56 * colour
        rights = position.rights >> corner & 255
        kings = position.kings & (position.black if colour else position.white)
        kings = kings >> corner & 255
        king = msb(kings) if kings and position.rules == CHESS960 else 4
        if rights >> king >> 1:
            found |= 1 << 2 * colour
        if rights & ((ONE << king) - 1):
            found |= 2 << 2 * colour
    return found


def castling_repaired(position: Position) -> tuple[Position, str]:
    """The position without the castling rights that the board contradicts, and the code of the finding."""
    found = castling_faults(position) if position.rights else 0
    if not found & (CASTLING_KING | CASTLING_ROOK | CASTLING_NONE):
        return position, ""
    code = "castling.no_king" if found & CASTLING_KING else "castling.no_rook"
    if found & CASTLING_NONE:
        code = "castling.variant"
    return position.replace(rights=effective_rights(position)), code


def ep_repaired(position: Position) -> tuple[Position, str]:
    """The position without an en-passant square that the board contradicts, and the code of the finding."""
    found = ep_faults(position)
    if not found & (EP_SIDE | EP_PAWN | EP_BLOCKED):
        return position, ""
    code = "ep.side" if found & EP_SIDE else "ep.no_pawn" if found & EP_PAWN else "ep.blocked"
    return position.replace(ep_square=-1), code
