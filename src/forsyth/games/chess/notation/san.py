"""Chess moves as people write them: ``Nf3``, ``exd5``, ``O-O``, ``e8=Q+`` (spec/chess 12).

Reading, by default, also takes: a missing, wrong or repeated ``+`` ``#``, ``!`` ``?`` and ``$n`` behind the
move, ``0-0``, a promotion without ``=`` or with a small letter, redundant disambiguation, a missing or
superfluous ``x``, a dropped pawn's ``P``, the forms ``e2e4``, ``e2-e4``, ``Ng1-f3``, any dash for a hyphen
(``O–O``), and ``e.p.`` or ``ep`` behind a capture en passant. Castling may be named by the king's square and
its rook's, the square it lands on, or the one two squares away. Strict reading takes only the written form.

Writing: disambiguated by file, else rank, else both, among legal moves only; ``+`` for check, ``#`` for mate
and what else ends a game; ``--`` for a null move, which is read nowhere but in records (see `null_move`).
Limits: 64 characters. A text that names no move raises `MoveError`: invalid, illegal or ambiguous.
"""

from __future__ import annotations

import re
from typing import Final, NoReturn

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.arguments import quoted
from forsyth.dashes import DASHES
from forsyth.diagnostics import MoveError
from forsyth.game import wrong_move_error, wrong_position_error
from forsyth.games.chess.notation.kernel import Text
from forsyth.games.chess.position import Position
from forsyth.games.chess.rules.moves import Move, legal_moves
from forsyth.limits import MAX_MOVE_TEXT

if not cython.compiled:
    from forsyth.games.chess.board import (
        END_RANKS,
        KING_ATTACKS,
        KNIGHT_ATTACKS,
        ONE,
        RANK_1,
        find_bishop_attacks,
        find_rook_attacks,
        i32,
        lsb,
        u64,
    )
    from forsyth.games.chess.notation.kernel import Chars, characters, is_ascii, length, text_of
    from forsyth.games.chess.position import CRAZYHOUSE
    from forsyth.games.chess.rules.attacks import (
        BLACK_WINS,
        TRAITS,
        UNDECIDED,
        WHITE_WINS,
        collect_attackers,
        find_checkers,
        find_variant_winner,
    )
    from forsyth.games.chess.rules.generate import (
        CASTLE,
        DROP,
        MoveBuffer,
        generate_moves,
        is_ep_square_valid,
    )
    from forsyth.games.chess.rules.moves import intern_move, make_move
    from forsyth.games.chess.variants import COUNTS_CHECKS, MUST_CAPTURE

    Out = bytearray
    Written = bytearray
    LETTERS: Final = b"PNBRQK"
    LETTER_O: Final = 79
    FILE_A: Final = 0x0101010101010101
    ILLEGAL: Final = -1
    AMBIGUOUS: Final = -2
    SHAPELESS: Final = -3
    PLUS: Final = 43
    HASH: Final = 35

_SHAPE: Final = re.compile(
    r"(?:[KQRBN]?[a-h]?[1-8]?[x-]?[a-h][1-8](?:=?[QRBNKqrbnk])?|[QRBNP]?@[a-h][1-8]|[O0]-[O0](?:-[O0])?)"
    r"[+#]*[!?]*(?: ?\$[0-9]{1,3})?",
    re.ASCII,
)

_EN_PASSANT: Final = re.compile(r"([a-h][1-8][+#]*) ?e\.? ?p\.?(?=[+#!? $]|\Z)")


def read_san(position: Position, text: Text, strict: bool = False) -> Move:
    """The legal move a text names; raises `MoveError`."""
    number: i32 = ILLEGAL
    if not isinstance(position, Position):
        raise wrong_position_error("chess", position)
    if not isinstance(text, str):
        raise MoveError("invalid", quoted(text), f"{quoted(text)} is not a move, expected a text such as Nf3")
    # A subclass of str may be ASCII and not look so; a copy of it is a plain string.
    text = str.__str__(text)
    spelled = text if is_ascii(text) else text.translate(DASHES)
    if is_ascii(spelled) and 1 < length(spelled) <= MAX_MOVE_TEXT:
        number = find(position, characters(spelled), length(spelled))
        if number < 0:
            number = find_marked(position, spelled, number)
    if number >= 0 and find_variant_winner(position) != UNDECIDED:
        # The third check, or what else the variant has, has ended the game.
        number = ILLEGAL
    if number < 0:
        _explain(position, text, spelled, number)
    move = intern_move(number)
    if strict:
        written = write_san(position, move)
        if written != text:
            message = f"{quoted(text)} is not written as the standard says, expected {written}"
            raise MoveError("invalid", text, message, (written,))
    return move


def find_marked(p: Position, text: str, without: i32) -> i32:
    """The capture en passant that a text with ``e.p.`` names; `without` is the answer to all others."""
    number: i32
    bare = _EN_PASSANT.sub(r"\1", text)
    if bare == text:
        return without
    number = find(p, characters(bare), length(bare))
    if number < 0 or not p.pawns >> (number & 63) & 1 or not (number >> 6) - number & 7:
        return without
    return without if (p.white | p.black) >> (number >> 6 & 63) & 1 else number


def find(p: Position, s: Chars, n: i32) -> i32:
    """The number of the move that n characters name, or a negative number: why there is none."""
    kind: i32 = 0
    promotion: i32 = 0
    file: i32 = -1
    rank: i32 = -1
    target: i32
    at: i32 = 0
    castles: i32
    origins: u64
    # What stands behind the move says nothing about which move it is.
    end: i32 = n
    while end and 48 <= s[end - 1] <= 57:
        end -= 1
    if end and end < n and s[end - 1] == 36:
        end -= 1
        if end and s[end - 1] == 32:
            end -= 1
    else:
        end = n
    while end and (s[end - 1] == 33 or s[end - 1] == 63):
        end -= 1
    while end and (s[end - 1] == 43 or s[end - 1] == 35):
        end -= 1
    if end < 2:
        return SHAPELESS
    if s[0] == 79 or s[0] == 48:
        castles = 0
        while at < end and s[at] == s[0]:
            castles += 1
            at += 1
            if at == end:
                break
            if s[at] != 45:
                return SHAPELESS
            at += 1
            if at == end:
                return SHAPELESS
        if at != end or castles < 2 or castles > 3:
            return SHAPELESS
        return find_castling(p, 1 if castles == 2 else 0)
    if s[0] == 75:
        kind = 5
    elif s[0] == 81:
        kind = 4
    elif s[0] == 82:
        kind = 3
    elif s[0] == 66:
        kind = 2
    elif s[0] == 78:
        kind = 1
    if end == 3 and s[0] == 64 and 97 <= s[1] <= 104 and 49 <= s[2] <= 56:
        return find_drop(p, 0, (s[2] - 49) * 8 + s[1] - 97)
    if kind or s[0] == 80:
        at = 1
        if end == 4 and s[1] == 64:
            if 97 <= s[2] <= 104 and 49 <= s[3] <= 56 and kind < 5:
                return find_drop(p, kind, (s[3] - 49) * 8 + s[2] - 97)
            return SHAPELESS
        if kind == 0:
            return SHAPELESS
    if end - at > 2 and not 49 <= s[end - 1] <= 56:
        # A promotion: Q R B N in either case, with or without an equals sign.
        promotion = s[end - 1] | 32
        if promotion == 113:
            promotion = 5
        elif promotion == 114:
            promotion = 4
        elif promotion == 98:
            promotion = 3
        elif promotion == 110:
            promotion = 2
        elif promotion == 107 and TRAITS[p.rules] & MUST_CAPTURE:
            promotion = 6
        else:
            return SHAPELESS
        end -= 1
        if s[end - 1] == 61:
            end -= 1
    if end - at < 2 or not (97 <= s[end - 2] <= 104 and 49 <= s[end - 1] <= 56):
        return SHAPELESS
    target = (s[end - 1] - 49) * 8 + s[end - 2] - 97
    end -= 2
    if end > at and (s[end - 1] == 120 or s[end - 1] == 45):
        end -= 1
    if at < end and 97 <= s[at] <= 104:
        file = s[at] - 97
        at += 1
    if at < end and 49 <= s[at] <= 56:
        rank = s[at] - 49
        at += 1
    if at != end:
        return SHAPELESS
    if kind == 0 and file >= 0 and rank >= 0:
        # Both squares are named, so the piece need not be.
        kind = kind_on(p, rank * 8 + file)
        if kind == 5 and promotion == 0:
            castles = find_king_castling(p, rank * 8 + file, target)
            if castles >= 0:
                return castles
    if TRAITS[p.rules] & ~COUNTS_CHECKS:
        return find_listed(p, kind, file, rank, target | promotion << 6)
    if kind == 0:
        return find_pawn(p, file, rank, target, promotion)
    if promotion or kind < 0:
        return ILLEGAL
    origins = reaching(p, kind, target)
    if file >= 0:
        origins &= FILE_A << file
    if rank >= 0:
        origins &= RANK_1 << 8 * rank
    return only_safe(p, origins, target)


def find_listed(p: Position, kind: i32, file: i32, rank: i32, ending: i32) -> i32:
    """A move by the rules of a variant, found among the legal ones: `ending` is its target and promotion."""
    buffer: MoveBuffer
    i: i32
    n: i32
    origin: i32
    found: i32 = ILLEGAL
    if kind == 0 and file < 0:
        # A pawn whose file is not named goes straight on.
        file = ending & 7
    if not cython.compiled:
        buffer = [0] * 2048
    n = generate_moves(p, buffer)
    for i in range(n):
        origin = buffer[i] & 63
        if buffer[i] >> 6 != ending or kind_on(p, origin) != kind:
            continue
        if (file >= 0 and origin & 7 != file) or (rank >= 0 and origin >> 3 != rank):
            continue
        if found >= 0:
            return AMBIGUOUS
        found = buffer[i]
    return found


def kind_on(p: Position, square: i32) -> i32:
    """The kind of the mover's man on a square, P N B R Q K as 0 to 5, or −1."""
    bit: u64 = ONE << square
    if not bit & (p.black if p.black_to_move else p.white):
        return -1
    if p.pawns & bit:
        return 0
    if p.knights & bit:
        return 1
    if p.bishops & bit:
        return 2
    if p.rooks & bit:
        return 3
    return 4 if p.queens & bit else 5


def reaching(p: Position, kind: i32, target: i32) -> u64:
    """The mover's men of a kind (not pawns) that reach a square, pins and checks aside."""
    own: u64 = p.black if p.black_to_move else p.white
    occupied: u64 = p.white | p.black
    if own >> target & 1:
        return 0
    if kind == 1:
        return KNIGHT_ATTACKS[target] & p.knights & own
    if kind == 2:
        return find_bishop_attacks(target, occupied) & p.bishops & own
    if kind == 3:
        return find_rook_attacks(target, occupied) & p.rooks & own
    if kind == 4:
        return (find_rook_attacks(target, occupied) | find_bishop_attacks(target, occupied)) & p.queens & own
    return KING_ATTACKS[target] & p.kings & own


def is_safe(p: Position, origin: i32, target: i32) -> bool:
    """Whether a man (not a pawn taking en passant) may go there without leaving its king in check."""
    own: u64 = p.black if p.black_to_move else p.white
    kings: u64 = p.kings & own
    after: u64 = (p.white | p.black) & ~(ONE << origin) | (ONE << target)
    king: i32
    if kings == 0 or kings & (kings - 1):
        return False
    king = lsb(kings)
    if king == origin:
        king = target
    return collect_attackers(p, king, after, 1 - p.black_to_move) & ~(ONE << target) == 0


def only_safe(p: Position, origins: u64, target: i32) -> i32:
    """The one legal move from a set of squares to a target."""
    found: i32 = ILLEGAL
    origin: i32
    while origins:
        origin = lsb(origins)
        origins &= origins - 1
        if is_safe(p, origin, target):
            if found >= 0:
                return AMBIGUOUS
            found = origin | target << 6
    return found


def find_pawn(p: Position, file: i32, rank: i32, target: i32, promotion: i32) -> i32:
    """A pawn's move; without a file it goes straight on."""
    own: u64 = p.black if p.black_to_move else p.white
    enemy: u64 = p.white if p.black_to_move else p.black
    occupied: u64 = own | enemy
    pawns: u64 = p.pawns & own
    back: i32 = -8 if p.black_to_move else 8
    origin: i32 = -1
    found: i32
    after: u64
    kings: u64 = p.kings & own
    last: bool = (END_RANKS >> target & 1) != 0
    if last != (promotion > 0):
        return ILLEGAL
    if file < 0 or file == target & 7:
        if target >> 3 == (7 if p.black_to_move else 0) or occupied >> target & 1:
            return ILLEGAL
        origin = target - back
        if not occupied >> origin & 1 and target >> 3 == (4 if p.black_to_move else 3):
            origin -= back
        if not pawns >> origin & 1:
            return ILLEGAL
    else:
        if target >> 3 == (7 if p.black_to_move else 0) or (file - (target & 7)) * (file - (target & 7)) != 1:
            return ILLEGAL
        origin = (target - back & 56) + file
        if not pawns >> origin & 1:
            return ILLEGAL
    if rank >= 0 and origin >> 3 != rank:
        return ILLEGAL
    if file >= 0 and file != target & 7 and not enemy >> target & 1:
        if target != p.ep_square or not is_ep_square_valid(p) or kings == 0 or kings & (kings - 1):
            return ILLEGAL
        after = occupied ^ (ONE << origin) ^ (ONE << (target ^ 8)) | (ONE << target)
        if collect_attackers(p, lsb(kings), after, 1 - p.black_to_move) & ~(ONE << (target ^ 8)):
            return ILLEGAL
        return origin | target << 6
    found = only_safe(p, ONE << origin, target)
    return found | promotion << 12 if found >= 0 else found


def find_castling(p: Position, king_side: i32) -> i32:
    """The castling move on one wing."""
    buffer: MoveBuffer
    i: i32
    n: i32
    if not cython.compiled:
        buffer = [0] * 2048
    n = generate_moves(p, buffer)
    for i in range(n):
        if buffer[i] >> 12 == CASTLE and (1 if buffer[i] >> 6 & 7 > buffer[i] & 7 else 0) == king_side:
            return buffer[i]
    return ILLEGAL


def find_king_castling(p: Position, origin: i32, target: i32) -> i32:
    """Castling named by squares: the king's, and its rook's, that where it lands, or two squares away."""
    buffer: MoveBuffer
    i: i32
    n: i32
    step: i32 = target - origin
    own: u64 = p.black if p.black_to_move else p.white
    takes_rook: bool = (p.rooks & own) >> target & 1 != 0
    lands: bool = target & 7 == 6 or target & 7 == 2
    if not takes_rook:
        # A step of one square is the king's own move, wherever castling would take it.
        if origin >> 3 != target >> 3 or step * step < 4 or (step * step > 4 and not lands):
            return ILLEGAL
    if not cython.compiled:
        buffer = [0] * 2048
    n = generate_moves(p, buffer)
    for i in range(n):
        if (
            buffer[i] >> 12 == CASTLE
            and buffer[i] & 63 == origin
            and (buffer[i] >> 6 & 63 > origin) == (step > 0)
        ):
            if takes_rook and not p.rights >> target & 1:
                return ILLEGAL
            return buffer[i]
    return ILLEGAL


def find_drop(p: Position, kind: i32, target: i32) -> i32:
    """Crazyhouse: a man from the pocket to an empty square."""
    buffer: MoveBuffer
    i: i32
    n: i32
    wanted: i32 = target | target << 6 | (DROP + kind) << 12
    if p.rules != CRAZYHOUSE:
        return ILLEGAL
    if not cython.compiled:
        buffer = [0] * 2048
    n = generate_moves(p, buffer)
    for i in range(n):
        if buffer[i] == wanted:
            return wanted
    return ILLEGAL


# --- why a text names no move -----------------------------------------------------------------------


def _explain(position: Position, text: Text, spelled: str, number: int) -> NoReturn:
    shown = quoted(text)
    if number == SHAPELESS or len(text) > MAX_MOVE_TEXT or not _SHAPE.fullmatch(spelled):
        raise MoveError(
            "invalid", text, f"{shown} is not a move, expected one such as Nf3, exd5, O-O or e8=Q"
        )
    candidates = _candidates(position, spelled)
    named = f"; candidates are {', '.join(candidates)}" if candidates else ""
    if number == AMBIGUOUS:
        raise MoveError("ambiguous", text, f"{shown} fits more than one legal move{named}", candidates)
    raise MoveError("illegal", text, f"{shown} is not a legal move here{named}", candidates)


def _candidates(position: Position, text: Text) -> list[str]:
    """Legal moves of the same piece, to the same square where there are any."""
    squares = re.findall("[a-h][1-8]", text)
    piece = text[0] if text[0] in "KQRBN" else ""
    written = [(move, write_san(position, move)) for move in legal_moves(position)]
    same_piece = [(move, san) for move, san in written if not piece or san.startswith(piece)]
    if squares:
        same_target = [san for move, san in same_piece if move.target == squares[-1]]
        if same_target:
            return same_target
    return [san for _, san in same_piece if piece]


# --- writing ----------------------------------------------------------------------------------------


def write_san(position: Position, move: Move) -> str:
    """A legal move as the standard writes it, and a null move as programs do."""
    written: Written
    if not isinstance(position, Position):
        raise wrong_position_error("chess", position)
    if not isinstance(move, Move):
        raise wrong_move_error("chess", move)
    if move.id == 0:
        return "--"
    if not cython.compiled:
        written = bytearray(16)
    text = text_of(written, put_bare(position, move.id, written))
    sign = sign_of(make_move(position, move.id))
    return text + chr(sign) if sign else text


def sign_of(after: Position) -> i32:
    """The sign behind the move that led here: ``+`` for check, ``#`` where it ended the game, else 0."""
    buffer: MoveBuffer
    traits: i32 = TRAITS[after.rules]
    winner: i32 = find_variant_winner(after) if traits else 0
    if winner:
        return HASH if winner == WHITE_WINS or winner == BLACK_WINS else 0
    if not cython.compiled:
        buffer = [0] * 2048
    if traits & MUST_CAPTURE:
        return 0 if generate_moves(after, buffer) else HASH
    if not find_checkers(after):
        return 0
    return PLUS if generate_moves(after, buffer) else HASH


def put_bare(p: Position, number: i32, out: Out) -> i32:
    """Write a legal move without its sign of check, at most 8 characters; how many there are."""
    origin: i32 = number & 63
    target: i32 = number >> 6 & 63
    special: i32 = number >> 12
    at: i32 = 0
    kind: i32
    others: u64
    same_file: u64
    if special == CASTLE:
        out[0] = out[2] = out[4] = LETTER_O
        out[1] = out[3] = 45
        return 3 if target > origin else 5
    if special >= DROP:
        if special > DROP:
            out[0] = LETTERS[special - DROP]
            at = 1
        out[at] = 64
        return put_square(out, at + 1, target)
    kind = kind_on(p, origin)
    if kind == 0:
        if (target - origin) & 7:
            out[0] = 97 + (origin & 7)
            out[1] = 120
            at = 2
        at = put_square(out, at, target)
        if special:
            out[at] = 61
            out[at + 1] = LETTERS[special - 1]
            at += 2
        return at
    out[0] = LETTERS[kind]
    at = 1
    others = alike(p, kind, origin, target)
    if others:
        # Its file where that tells it from the others, else its rank, else both.
        same_file = others & FILE_A << (origin & 7)
        if not same_file or others & RANK_1 << (origin & 56):
            out[at] = 97 + (origin & 7)
            at += 1
        if same_file:
            out[at] = 49 + (origin >> 3)
            at += 1
    if (p.white | p.black) >> target & 1:
        out[at] = 120
        at += 1
    return put_square(out, at, target)


def alike(p: Position, kind: i32, origin: i32, target: i32) -> u64:
    """The other men of a kind (not pawns) that may go to a square as well."""
    others: u64 = reaching(p, kind, target) & ~(ONE << origin)
    found: u64 = 0
    one: u64
    if others and TRAITS[p.rules] & ~COUNTS_CHECKS:
        return others & listed_origins(p, target)
    while others:
        one = others & ~(others - 1)
        others ^= one
        if is_safe(p, lsb(one), target):
            found |= one
    return found


def listed_origins(p: Position, target: i32) -> u64:
    """The squares from which a legal move goes to a square."""
    buffer: MoveBuffer
    i: i32
    n: i32
    found: u64 = 0
    if not cython.compiled:
        buffer = [0] * 2048
    n = generate_moves(p, buffer)
    for i in range(n):
        if buffer[i] >> 6 & 63 == target:
            found |= ONE << (buffer[i] & 63)
    return found


def put_square(out: Out, at: i32, square: i32) -> i32:
    """Write the name of a square; where the next character goes."""
    out[at] = 97 + (square & 7)
    out[at + 1] = 49 + (square >> 3)
    return at + 2
