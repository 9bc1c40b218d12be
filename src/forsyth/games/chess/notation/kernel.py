"""Chess at full speed: canonical text to position, position to canonical text.

The kernel decodes what is valid and answers None to the rest; `fen` then explains. What it decodes is
exactly the standard texts about which the reader has nothing to say. The module runs as it is and
compiles with Cython (`kernel.pxd` gives the C types).

Reading: `decode` takes canonical standard FEN only (spec/chess 2); `scan` is the same for characters in
memory, without the GIL. What else is accepted, and all texts of the variants, `scanner` decodes.
Writing: `encode` takes any position of any variant, and `put_text` does so without the GIL.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.chess.position import LETTERS, Position

Text = str
"""What `decode` takes. Cython does not know the name, so that it takes subclasses of str as well."""

if not cython.compiled:
    from forsyth.games.chess.board import ONE, i32, msb, u64
    from forsyth.games.chess.position import (
        CHESS960,
        CRAZYHOUSE,
        THREE_CHECK,
        choose_xfen_letter,
        make_position_from_ranks,
        new_draft,
        seal_position,
    )

    Buffer = bytearray
    Chars = bytes | bytearray | memoryview
    Out = bytearray | memoryview
    Planes = list[int]
    Size = int
    CLASS = [0] * 256
    SPREAD = [0] * 256
    WIDTHS = [0] * 256
    PLACES = bytearray(2048)
    COUNTS = bytearray(2048)
    POCKET = [0] * 5
    SHORTEST: Final = 24
    LONGEST: Final = 91
    LONGEST_BOARD: Final = 71
    END: Final = 0
    EMPTY: Final = 12
    SLASH: Final = 13
    DIGIT: Final = 1 << 24
    WHOLE_BOARD: Final = 64 | 7 << 12
    COUNTED: Final = 0xFFFFF
    SLASHES: Final = 0x0001010101010101

    def is_ascii(text: str) -> bool:
        """Whether `characters` can give the text."""
        return text.isascii()

    def characters(text: str) -> bytes:
        """The characters of an ASCII text, and a zero behind them."""
        return text.encode() + b"\0"

    def length(text: str) -> int:
        """How many characters a text has."""
        return len(text)

    def text_of(characters: bytearray, size: int) -> str:
        """The text of some characters."""
        return characters[:size].decode()


# --- text to position -------------------------------------------------------------------------------


def _fill_tables() -> None:
    """What a character means on the board, in bits; and the letters of men in hand.

    0 to 3 are its plane, 4 to 15 the squares it covers, 16 to 23 the slashes it is, 24 the digits it is, so
    that those behind bit 4 can be counted all at once.
    """
    for number, letter in enumerate(LETTERS):
        CLASS[ord(letter)] = number | 1 << 4
    for digit in range(1, 9):
        CLASS[ord("0") + digit] = EMPTY | digit << 4 | DIGIT
    CLASS[ord("/")] = SLASH | 1 << 16
    for kind in range(5):
        POCKET[kind] = ord(LETTERS[kind])


_fill_tables()


def _fill_ranks() -> None:
    """How a rank is written, by its occupied squares, a bit each.

    `SPREAD` has a byte for each of them. `WIDTHS` says how many characters there are; of each of these
    `PLACES` has the place of its letter in bits, and `COUNTS` the digit, whose place is an empty square's.
    """
    occupied: i32
    file: i32
    width: i32
    empty: i32
    spread: u64
    for occupied in range(256):
        width = empty = 0
        spread = 0
        for file in range(9):
            # No ninth square is occupied.
            if empty and (occupied >> file & 1 or file == 8):
                PLACES[8 * occupied + width] = 8 * (file - 1)
                COUNTS[8 * occupied + width] = 48 + empty
                width += 1
                empty = 0
            if occupied >> file & 1:
                PLACES[8 * occupied + width] = 8 * file
                width += 1
                spread |= ONE << 8 * file
            else:
                empty += 1
        WIDTHS[occupied] = width
        SPREAD[occupied] = spread


_fill_ranks()


def scan(position: Position, s: Chars, n: Size) -> bool:
    """Whether n characters are canonical standard FEN; if so the position is theirs.

    Behind the characters stands a zero, and nothing behind that is read. What is not in a standard text
    (pockets, promoted marks, checks, rules) stays as it is.
    """
    at: Size
    if n < SHORTEST or n > LONGEST:
        return False
    at = scan_board(position, s, 0)
    return at > 0 and scan_rest(position, s, n, at)


def scan_rest(position: Position, s: Chars, n: Size, at: Size) -> bool:
    """Whether what stands behind the board of a text is canonical; if so the position is filled with it."""
    c: i32
    hit: i32
    number: i32
    rights: u64 = 0
    if s[at] != 32 or n - at < 10:
        return False
    # What differs from text to text, whose move it is and who may castle, is taken without a branch.
    c = s[at + 1]
    position.black_to_move = 1 if c == 98 else 0
    if (c != 98 and c != 119) or s[at + 2] != 32:
        return False
    at += 3
    if s[at] == 45:
        at += 1
    else:
        hit = s[at] == 75
        rights = (ONE << 7) * hit
        at += hit
        hit = s[at] == 81
        rights |= ONE * hit
        at += hit
        hit = s[at] == 107
        rights |= (ONE << 63) * hit
        at += hit
        hit = s[at] == 113
        rights |= (ONE << 56) * hit
        at += hit
        if rights == 0:
            return False
    position.rights = rights
    if s[at] != 32 or n - at < 6:
        return False
    at += 1
    position.ep_square = -1
    if s[at] == 45:
        at += 1
    else:
        c = s[at] - 97
        if c < 0 or c > 7 or (s[at + 1] != 51 and s[at + 1] != 54):
            return False
        position.ep_square = (s[at + 1] - 49) * 8 + c
        at += 2
    if s[at] != 32:
        return False
    number = clock(s, at + 1)
    at += 1 + (number >> 16)
    if number < 0 or s[at] != 32:
        return False
    position.half = number & 0xFFFF
    number = clock(s, at + 1)
    position.full = number & 0xFFFF
    return number > 0 and at + 1 + (number >> 16) == n and position.full != 0


def scan_board(position: Position, s: Chars, start: Size) -> Size:
    """Where the board ends that begins at a character; 0 if it is not canonical."""
    planes: Planes
    i: i32
    kind: i32
    before: i32 = 0
    doubled: i32 = 0
    counted: i32 = 0
    at: Size = start
    if not cython.compiled:
        planes = [0] * 16
    for i in range(14):
        planes[i] = 0
    # One path for men, counts and slashes: which of them comes next is what a processor cannot foresee.
    # Whether each rank has eight squares is told by where the seven slashes were.
    while True:
        kind = CLASS[s[at]]
        if kind == END:
            break
        planes[kind & 15] |= ONE << (counted & 63 ^ 56)
        doubled |= kind & before
        before = kind
        counted += kind >> 4
        at += 1
    # Counts have room for a board of LONGEST_BOARD characters, and would run over in a longer one.
    if at - start > LONGEST_BOARD or counted & COUNTED != WHOLE_BOARD:
        return 0
    if planes[SLASH] != SLASHES or doubled & DIGIT:
        return 0
    put_men(position, planes)
    return at


def put_men(position: Position, planes: Planes) -> None:
    """Put the men of twelve planes, those of White first, on the board."""
    position.pawns = planes[0] | planes[6]
    position.knights = planes[1] | planes[7]
    position.bishops = planes[2] | planes[8]
    position.rooks = planes[3] | planes[9]
    position.queens = planes[4] | planes[10]
    position.kings = planes[5] | planes[11]
    position.white = planes[0] | planes[1] | planes[2] | planes[3] | planes[4] | planes[5]
    position.black = planes[6] | planes[7] | planes[8] | planes[9] | planes[10] | planes[11]


def clock(s: Chars, at: Size) -> i32:
    """A number of one to four digits without leading zero, its length above bit 16; −1 if there is none."""
    number: i32 = s[at] - 48
    digits: i32 = 1
    c: i32
    hit: i32
    if number < 0 or number > 9:
        return -1
    # One digit or two is as good as chance, three are rare.
    c = s[at + 1] - 48
    hit = 0 <= c <= 9
    if hit and number == 0:
        return -1
    number += hit * (9 * number + c)
    digits += hit
    while hit and digits < 5:
        c = s[at + digits] - 48
        if c < 0 or c > 9:
            break
        number = number * 10 + c
        digits += 1
    return -1 if digits > 4 else number | digits << 16


if not cython.compiled:
    # Character by character is too slow without a compiler: fields and ranks that `scan` has taken before are
    # looked up instead. Each means the same in every text. The memo is emptied when full, so that no history
    # of texts makes the next one slow for ever.
    _MEMO_SIZE: Final = 1 << 16
    _RANKS: dict[str, int] = {}
    _SIDES: dict[str, int] = {}
    _CASTLING: dict[str, int] = {}
    _EP: dict[str, int] = {}
    _HALVES: dict[str, int] = {}
    _FULLS: dict[str, int] = {}

    def _decode_known(text: str) -> Position | None:
        """What `scan` makes of a text, from what it made of the parts before."""
        parts = text.split(" ") if len(text) <= LONGEST else ()
        if len(parts) != 6:
            return None
        ranks = parts[0].split("/")
        if len(ranks) != 8:
            return None
        try:
            return _put_together(ranks, parts)
        except KeyError:
            return _put_together(ranks, parts) if _learn(ranks, parts) else None

    def _put_together(ranks: list[str], parts: list[str]) -> Position:
        return make_position_from_ranks(
            [_RANKS[rank] for rank in ranks],
            _CASTLING[parts[2]],
            _SIDES[parts[1]],
            _EP[parts[3]],
            _HALVES[parts[4]],
            _FULLS[parts[5]],
        )

    def _learn(ranks: list[str], parts: list[str]) -> bool:
        """Keep the parts of a text, if `scan` takes it."""
        if len(_RANKS) > _MEMO_SIZE:
            _RANKS.clear()
        for rank in ranks:
            if rank not in _RANKS:
                planes = _read_rank(rank)
                if planes < 0:
                    return False
                _RANKS[rank] = planes
        return all(map(_is_known, _FIELDS, parts[1:])) or _learn_fields(parts)

    def _is_known(fields: dict[str, int], part: str) -> bool:
        return part in fields

    def _learn_fields(parts: list[str]) -> bool:
        """Keep the fields behind the board, which may be any, if `scan` takes them."""
        text = " ".join(["8/8/8/8/8/8/8/8", *parts[1:]])
        position = new_draft()
        if not text.isascii() or not text.isprintable() or not scan(position, characters(text), len(text)):
            return False
        _SIDES[parts[1]] = position.black_to_move
        _CASTLING[parts[2]] = position.rights
        _EP[parts[3]] = position.ep_square
        _HALVES[parts[4]] = position.half
        _FULLS[parts[5]] = position.full
        return True

    _FIELDS: Final = (_SIDES, _CASTLING, _EP, _HALVES, _FULLS)
    _MEN: Final = {
        letter: 1 << 64 * (number % 6) | 1 << 64 * (6 + number // 6) for number, letter in enumerate(LETTERS)
    }
    """Each man on the first file, as `make_position_from_ranks` takes it."""

    def _read_rank(rank: str) -> int:
        """The men of one rank as `make_position_from_ranks` takes them; −1 if it is not canonical.

        What `scan_board` does without a branch is slow without a compiler: a rank is new in every other text.
        """
        planes = file = 0
        counted = False
        for ch in rank:
            man = _MEN.get(ch)
            if man is not None:
                planes |= man << file
                file += 1
                counted = False
            elif counted or not "1" <= ch <= "8":
                return -1
            else:
                file += int(ch)
                counted = True
        return planes if file == 8 else -1


def decode(text: Text) -> Position | None:
    """The position of a canonical standard FEN, or None for every other text."""
    position: Position
    # Whatever is no text has no characters, and looking for them would end the process.
    if not isinstance(text, str):
        return None
    if not cython.compiled:
        return _decode_known(text)
    if not is_ascii(text):
        return None
    position = new_draft()
    return seal_position(position) if scan(position, characters(text), length(text)) else None


# --- position to text -------------------------------------------------------------------------------


def encode(position: Position) -> str:
    """The canonical text of a position: en passant as given, castling as X-FEN, pockets in brackets."""
    out: Buffer
    if not cython.compiled:
        out = bytearray(320)
    return text_of(out, put_text(position, out, 0))


def put_text(position: Position, out: Out, at: Size) -> Size:
    """Write the text of a position, at most 320 characters; where it ends."""
    return put_rest(position, out, put_board(position, out, at))


def put_rest(position: Position, out: Out, at: Size) -> Size:
    """Write what stands behind the board; where it ends."""
    if position.rules == CRAZYHOUSE:
        out[at] = 91
        at = put_pockets(position, out, at + 1)
        out[at] = 93
        at += 1
    return put_last_fields(position, out, put_castling(position, out, put_side(position, out, at)))


def put_pockets(position: Position, out: Out, at: Size) -> Size:
    """Write the men in hand, White's first, the most valuable first."""
    kind: i32
    left: i32
    letter: i32
    black: i32
    pocket: u64
    for black in range(2):
        pocket = position.black_pocket if black else position.white_pocket
        for kind in range(4, -1, -1):
            left = pocket >> 8 * kind & 255
            letter = POCKET[kind] + 32 * black
            while left:
                out[at] = letter
                at += 1
                left -= 1
    return at


def put_board(position: Position, out: Out, at: Size) -> Size:
    """Write the men, rank 8 first; up to seven characters behind the end may be written too."""
    rank: i32
    file: i32
    occupied: i32
    marked: i32
    men: u64
    for rank in range(56, -1, -8):
        occupied = (position.white | position.black) >> rank & 255
        marked = position.promoted >> rank & 255
        # The letters of a rank, a byte each, zero for none. Capital ones stand 32 below small ones.
        men = (
            SPREAD[position.pawns >> rank & 255] * 112
            + SPREAD[position.knights >> rank & 255] * 110
            + SPREAD[position.bishops >> rank & 255] * 98
            + SPREAD[position.rooks >> rank & 255] * 114
            + SPREAD[position.queens >> rank & 255] * 113
            + SPREAD[position.kings >> rank & 255] * 107
            - SPREAD[position.white >> rank & 255] * 32
        )
        if marked:
            at = put_marked_rank(men, marked, out, at)
        else:
            # Without a branch: which characters are letters no processor can foresee.
            for file in range(8 if cython.compiled else WIDTHS[occupied]):
                out[at + file] = men >> PLACES[8 * occupied + file] & 255 | COUNTS[8 * occupied + file]
            at += WIDTHS[occupied]
        out[at] = 47
        at += 1
    return at - 1


def put_marked_rank(men: u64, marked: i32, out: Out, at: Size) -> Size:
    """Write the men of a rank on which some are promoted, which is shown; where it ends."""
    file: i32
    letter: i32
    empty: i32 = 0
    for file in range(9):
        letter = men >> 8 * file & 255 if file < 8 else 0
        if empty and (letter or file == 8):
            out[at] = 48 + empty
            at += 1
            empty = 0
        if letter:
            out[at] = letter
            at += 1
        else:
            empty += 1
        if marked >> file & 1:
            out[at] = 126
            at += 1
    return at


def put_side(position: Position, out: Out, at: Size) -> Size:
    """Write whose move it is, and the spaces around it."""
    out[at] = 32
    out[at + 1] = 98 if position.black_to_move else 119
    out[at + 2] = 32
    return at + 3


def put_castling(position: Position, out: Out, at: Size) -> Size:
    """Write the castling rights."""
    if position.rights == 0:
        out[at] = 45
        return at + 1
    if position.rules == CHESS960:
        return put_castling_960(position, out, at)
    if position.rights >> 7 & 1:
        out[at] = 75
        at += 1
    if position.rights & 1:
        out[at] = 81
        at += 1
    if position.rights >> 63 & 1:
        out[at] = 107
        at += 1
    if position.rights >> 56 & 1:
        out[at] = 113
        at += 1
    return at


def put_castling_960(position: Position, out: Out, at: Size) -> Size:
    """Write castling rights as X-FEN does: White's first, those of higher files first."""
    black: i32
    corner: i32
    king: i32
    file: i32
    own: u64
    rights: u64
    kings: u64
    for black in range(2):
        corner = 56 * black
        own = position.black if black else position.white
        rights = position.rights >> corner & 255
        kings = (position.kings & own) >> corner & 255
        king = msb(kings) if kings else 4
        while rights:
            file = msb(rights)
            rights ^= ONE << file
            out[at] = choose_xfen_letter(file, king, (position.rooks & own) >> corner & 255) + 32 * black
            at += 1
    return at


def put_last_fields(position: Position, out: Out, at: Size) -> Size:
    """Write what stands behind the castling rights: en passant, checks in Three-check, the clocks."""
    out[at] = 32
    at += 1
    if position.ep_square < 0:
        out[at] = 45
        at += 1
    else:
        out[at] = 97 + (position.ep_square & 7)
        out[at + 1] = 49 + (position.ep_square >> 3)
        at += 2
    out[at] = 32
    at += 1
    if position.rules == THREE_CHECK:
        out[at] = 48 + (position.remaining & 15)
        out[at + 1] = 43
        out[at + 2] = 48 + (position.remaining >> 4)
        out[at + 3] = 32
        at += 4
    at = put_number(out, at, position.half)
    out[at] = 32
    return put_number(out, at + 1, position.full)


def put_number(out: Out, at: Size, number: i32) -> Size:
    """Write a number of at most four digits; where the next character goes."""
    if number >= 1000:
        out[at] = 48 + number // 1000
        at += 1
    if number >= 100:
        out[at] = 48 + number // 100 % 10
        at += 1
    if number >= 10:
        out[at] = 48 + number // 10 % 10
        at += 1
    out[at] = 48 + number % 10
    return at + 1
