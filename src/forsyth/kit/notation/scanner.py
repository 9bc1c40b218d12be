# cython: boundscheck=False, wraparound=False
"""Texts of any game on a grid as numbers, without an object for any of them: reading, judging and writing.

`Grammar` holds what a sheet says as rows of numbers. `scan_text` takes what the reader accepts in default
mode: canonical text, and with a note about each dash look-alikes, odd white space, the first fields alone
where the sheet says so, men in hand in another order or form, clocks with leading zeros, a move number of 0.
Every other text is left to `fen`; so are other characters beyond ASCII, and in strict mode all texts with a
note.
`is_sound` says whether `forsyth.kit.legality` has anything to say about a position. A property test holds
that they agree. The module runs as it is and compiles with Cython (`scanner.pxd` gives the C types).

Limits: MOST_FIELDS fields, names of MOST_NAME characters, texts of TEXT_ROOM.
"""

from __future__ import annotations

from typing import Final

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.kit.board import Board
from forsyth.kit.numbers.packing import count_piece_bits
from forsyth.kit.sheet import Sheet
from forsyth.kit.tables import Tables

if not cython.compiled:
    from forsyth.kit.board import find_attackers

    i32 = int
    Chars = bytearray
    MOST_FIELDS: Final = 8
    MOST_NAME: Final = 64
    TEXT_ROOM: Final = 2048
    MOST_HELD: Final = 31
    MOST_DIGITS: Final = 4
    BOARD: Final = 0
    SIDE: Final = 1
    HANDS: Final = 2
    UNUSED: Final = 3
    HALF: Final = 4
    FULL: Final = 5
    """The kinds of fields."""
    DASH: Final = 0
    WHITESPACE: Final = 1
    SHORT: Final = 2
    HAND_FORMAT: Final = 3
    HALF_FORMAT: Final = 4
    FULL_FORMAT: Final = 5
    FULL_ZERO: Final = 6

_FIELD_KINDS: Final = ("board", "side", "hands", "unused", "half", "full")
NOTED_CODES: Final = (
    "fen.dash",
    "fen.whitespace",
    "fen.short",
    "hand.format",
    "half.format",
    "full.format",
    "full.zero",
)
"""The codes by their numbers."""


def is_scannable(sheet: Sheet) -> bool:
    """Whether the texts of a game have room."""
    fits = len(sheet.fields) <= MOST_FIELDS and len(sheet.name) < MOST_NAME
    return fits and sheet.name.isascii() and 3 * sheet.grid.size + 256 <= TEXT_ROOM


class Grammar:
    """What a sheet says of texts and of legal positions, as numbers."""

    if not cython.compiled:
        __slots__ = (
            "field_count",
            "fields",
            "group",
            "group_count",
            "hand_group",
            "has_half",
            "held",
            "held_count",
            "kinds",
            "letters",
            "most",
            "name",
            "name_length",
            "one_per_file",
            "piece_bits",
            "places",
            "plain",
            "promoted",
            "ranks",
            "royal",
            "short_counts",
            "sides",
            "size",
            "values",
            "width",
        )

    def __init__(self, sheet: Sheet) -> None:
        if not isinstance(sheet, Sheet):
            raise TypeError(f"a sheet is expected, not {type(sheet).__name__}")
        if not is_scannable(sheet):
            raise ValueError(f"the texts of {sheet.name} are too long for a scanner")
        if not cython.compiled:
            self.fields, self.name = [0] * MOST_FIELDS, [0] * MOST_NAME
            self.plain, self.promoted, self.letters = [0] * 256, [0] * 256, [0] * 128
            self.places, self.sides, self.held = [0] * 256, [0] * 2, [0] * 31
            self.group, self.hand_group, self.most = [-1] * 64, [-1] * 62, [0] * 64
            self.one_per_file, self.values = [0] * 64, [0] * 64
        self.width = len(sheet.files)
        self.ranks = len(sheet.ranks)
        self.size = self.width * self.ranks
        self.kinds = len(sheet.kinds)
        self.piece_bits = count_piece_bits(sheet)
        self.has_half = 1 if "half" in sheet.fields else 0
        self.royal = -1 if sheet.royal_kind is None else sheet.kinds.index(sheet.royal_kind)
        self.short_counts = sum(1 << count for count in sheet.short_counts)
        self.field_count = len(sheet.fields)
        for at, field in enumerate(sheet.fields):
            self.fields[at] = _FIELD_KINDS.index(field)
        self.name_length = len(sheet.name) + 1
        for at, ch in enumerate(f"{sheet.name} "):
            self.name[at] = ord(ch)
        self.held_count = len(sheet.hand_kinds)
        for at, kind in enumerate(sheet.hand_kinds):
            self.held[at] = kind
        self._learn_men(sheet)
        self._learn_rules(sheet)

    def _learn_men(self, sheet: Sheet) -> i32:
        for at, side in enumerate(sheet.sides):
            self.sides[at] = ord(side.letter)
        for code in range(256):
            self.plain[code] = self.promoted[code] = 0
        for man, letters in enumerate(sheet.letters):
            letter = letters.removeprefix("+")
            # Of a plain man the first character is none.
            self.letters[2 * man] = ord("+") if letter != letters else 0
            self.letters[2 * man + 1] = ord(letter) if letter else 0
            if letter:
                self._learn_letter(ord(letter), man, letter != letters)
        return 0

    def _learn_letter(self, code: i32, man: i32, promoted: bool) -> i32:
        if promoted:
            self.promoted[code] = man
        else:
            self.plain[code] = man
        return 0

    def _learn_rules(self, sheet: Sheet) -> i32:
        for square, mask in enumerate(sheet.allowed_pieces):
            self.places[square] = mask
        for man in range(64):
            self.group[man] = -1
            self.one_per_file[man] = self.values[man] = 0
        for at in range(62):
            self.hand_group[at] = -1
        for man in range(1, len(sheet.letters)):
            self.values[man] = sheet.kind_of(man).value * (-1 if sheet.side_of(man) else 1)
        for man in sheet.one_per_file_pieces:
            self.one_per_file[man] = 1
        self.group_count = len(sheet.groups)
        for number, group in enumerate(sheet.groups):
            self.most[number] = group.kind.max_count
            for man in group.pieces:
                self.group[man] = number
            for at in group.hand_slots:
                self.hand_group[at] = number
        return 0


class Scan:
    """The row at hand: its text, its side and clocks, what was noted, and what is written for it."""

    if not cython.compiled:
        __slots__ = (
            "code",
            "count",
            "counts",
            "dash",
            "end",
            "full",
            "groups",
            "half",
            "kings",
            "length",
            "line",
            "odd_end",
            "odd_start",
            "start",
            "text",
            "turn",
            "word_ends",
            "word_starts",
            "words",
        )

        def __init__(self) -> None:
            self.text, self.line = bytearray(TEXT_ROOM + 8), bytearray(TEXT_ROOM + 8)
            self.length = self.turn = self.half = self.full = 0
            self.dash = self.count = self.code = self.start = self.end = 0
            self.words = self.odd_start = self.odd_end = 0
            self.word_starts, self.word_ends = [0] * MOST_FIELDS, [0] * MOST_FIELDS
            self.counts, self.groups, self.kings = [0] * 64, [0] * 64, [0] * 2


# --- reading ----------------------------------------------------------------------------------------


def scan_text(g: Grammar, board: Board, scan: Scan) -> i32:
    """Whether the text of a scan is accepted; its men, side and clocks, and what was noted."""
    number: i32
    kind: i32
    scan.count = 0
    scan.turn = scan.half = 0
    scan.full = 1
    if not _split(g, scan):
        if not _clean(scan) or not _split(g, scan):
            return 0
        _note(scan, DASH, scan.dash, scan.dash + 1)
    if scan.odd_start >= 0:
        _note(scan, WHITESPACE, scan.odd_start, scan.odd_end)
    if scan.words < g.field_count:
        if not g.short_counts >> scan.words & 1:
            return 0
        _note(scan, SHORT, scan.word_ends[scan.words - 1], scan.word_ends[scan.words - 1])
    _empty_hands(g, board)
    for number in range(scan.words):
        kind = g.fields[number]
        if not _take_field(g, board, scan, kind, scan.word_starts[number], scan.word_ends[number]):
            return 0
    return 1


def _note(scan: Scan, code: i32, start: i32, end: i32) -> None:
    if scan.count == 0:
        scan.code = code
        scan.start = start
        scan.end = end
    scan.count += 1


def _clean(scan: Scan) -> i32:
    """Put hyphens in place of what only looks like them (`forsyth.dashes`), so that places are characters.

    0 where there is none, or another character beyond ASCII.
    """
    at: i32 = 0
    to: i32 = 0
    word: i32
    scan.dash = -1
    while at < scan.length:
        if scan.text[at] > 127:
            if scan.length - at < 3:
                return 0
            word = scan.text[at] << 16 | scan.text[at + 1] << 8 | scan.text[at + 2]
            if not 0xE28090 <= word <= 0xE28095 and word not in (0xE28892, 0xEFB998, 0xEFB9A3, 0xEFBC8D):
                return 0
            if scan.dash < 0:
                scan.dash = to
            scan.text[to] = 45
            at += 3
        else:
            scan.text[to] = scan.text[at]
            at += 1
        to += 1
    scan.length = to
    return 1 if scan.dash >= 0 else 0


def _split(g: Grammar, scan: Scan) -> i32:
    """Find the words, and the first white space that is not one blank between two of them."""
    at: i32 = 0
    start: i32
    before: i32 = 0
    n: i32 = scan.length
    scan.words = 0
    scan.odd_start = -1
    while at < n:
        while at < n and _is_blank(scan.text[at]):
            at += 1
        start = at
        while at < n and 32 < scan.text[at] < 127:
            at += 1
        if at < n and not _is_blank(scan.text[at]):
            return 0
        if scan.odd_start < 0 and start > before:
            if start == n or scan.words == 0 or start - before > 1 or scan.text[before] != 32:
                scan.odd_start = before
                scan.odd_end = start
        if start < n:
            if scan.words == g.field_count:
                return 0
            scan.word_starts[scan.words] = start
            scan.word_ends[scan.words] = at
            scan.words += 1
        before = at
    return 1 if scan.words else 0


def _is_blank(c: i32) -> i32:
    return 1 if c == 32 or 9 <= c <= 13 else 0


def _empty_hands(g: Grammar, board: Board) -> None:
    at: i32
    if g.held_count:
        for at in range(2 * g.kinds):
            board.hands[at] = 0


def _take_field(g: Grammar, board: Board, scan: Scan, kind: i32, start: i32, end: i32) -> i32:
    """Read one field; 0 if it is not accepted."""
    c: i32 = scan.text[start] if end - start == 1 else 0
    if kind == BOARD:
        return _take_board(g, board, scan, start, end)
    if kind == SIDE:
        scan.turn = 1 if c == g.sides[1] else 0
        return 1 if c == g.sides[0] or c == g.sides[1] else 0
    if kind == HANDS:
        return 1 if c == 45 else _take_hands(g, board, scan, start, end)
    if kind == UNUSED:
        return 1 if c == 45 else 0
    return _take_clock(scan, kind, start, end)


def _take_board(g: Grammar, board: Board, scan: Scan, at: i32, end: i32) -> i32:
    """Set down a canonical board; 0 if it is none."""
    square: i32 = 0
    edge: i32 = g.width
    c: i32
    value: i32
    while at < end:
        c = scan.text[at]
        at += 1
        value = g.plain[c]
        if value == 0:
            if c == 47:
                if square != edge or edge == g.size:
                    return 0
                edge += g.width
                continue
            if 49 <= c <= 57:
                value = c - 48
                while at < end and 48 <= scan.text[at] <= 57 and value <= g.width:
                    value = value * 10 + scan.text[at] - 48
                    at += 1
                if value > edge - square:
                    return 0
                while value:
                    board.squares[square] = 0
                    square += 1
                    value -= 1
                continue
            if c == 43 and at < end:
                value = g.promoted[scan.text[at]]
                at += 1
        if value == 0 or square == edge:
            return 0
        board.squares[square] = value
        square += 1
    return 1 if square == g.size else 0


def _take_hands(g: Grammar, board: Board, scan: Scan, start: i32, end: i32) -> i32:
    """Men in hand in any order and form; 0 if the reader has an error to say."""
    at: i32 = start
    digits: i32
    count: i32
    man: i32
    size: i32
    while at < end:
        count = 0
        digits = at
        while at < end and 48 <= scan.text[at] <= 57 and at - digits < MOST_DIGITS:
            count = count * 10 + scan.text[at] - 48
            at += 1
        digits = at - digits
        if at == end or digits == MOST_DIGITS or (digits and count == 0):
            return 0
        man = g.plain[scan.text[at]]
        if man == 0 or not _is_held(g, man):
            return 0
        board.hands[man - 1] += count if digits else 1
        if board.hands[man - 1] > MOST_HELD:
            return 0
        at += 1
    size = put_hands(g, board, scan, 0)
    for at in range(start, end):
        if size != end - start or scan.line[at - start] != scan.text[at]:
            _note(scan, HAND_FORMAT, start, end)
            break
    return 1


def _is_held(g: Grammar, man: i32) -> i32:
    at: i32
    for at in range(g.held_count):
        if man == 1 + g.held[at] or man == 1 + g.kinds + g.held[at]:
            return 1
    return 0


def _take_clock(scan: Scan, kind: i32, start: i32, end: i32) -> i32:
    """The half-move clock or the move number."""
    value: i32 = 0
    at: i32
    if end - start > MOST_DIGITS:
        return 0
    for at in range(start, end):
        if not 48 <= scan.text[at] <= 57:
            return 0
        value = value * 10 + scan.text[at] - 48
    if scan.text[start] == 48 and end - start > 1:
        _note(scan, HALF_FORMAT if kind == HALF else FULL_FORMAT, start, end)
    if kind == HALF:
        scan.half = value
        return 1
    if value == 0:
        _note(scan, FULL_ZERO, start, end)
    scan.full = value if value else 1
    return 1


# --- judging ----------------------------------------------------------------------------------------


def tally(g: Grammar, board: Board, scan: Scan) -> i32:
    """Count the men and find the kings, −1 where a side has none or several; whether all men may be there."""
    square: i32
    man: i32
    side: i32
    allowed: i32 = 1
    for man in range(2 * g.kinds + 1):
        scan.counts[man] = 0
    scan.kings[0] = scan.kings[1] = -1
    for square in range(g.size):
        man = board.squares[square]
        scan.counts[man] += 1
        allowed &= g.places[square] >> man & 1
        if g.royal >= 0 and (man == 1 + g.royal or man == 1 + g.kinds + g.royal):
            scan.kings[1 if man > g.kinds else 0] = square
    for side in range(2):
        if scan.kings[side] >= 0 and scan.counts[1 + side * g.kinds + g.royal] > 1:
            scan.kings[side] = -1
    return allowed


def is_sound(g: Grammar, board: Board, tables: Tables, scan: Scan) -> i32:
    """Whether `legality` has nothing to say about the position of a scan."""
    other: i32 = 1 - scan.turn
    if not tally(g, board, scan):
        return 0
    if g.royal >= 0 and (scan.kings[0] < 0 or scan.kings[1] < 0):
        return 0
    if not _is_enough(g, board, scan) or not _has_free_files(g, board):
        return 0
    return 1 if g.royal < 0 or find_attackers(board, tables, scan.kings[other], other, 1) == 0 else 0


def _is_enough(g: Grammar, board: Board, scan: Scan) -> i32:
    """Whether there are no more men of a kind than the game has."""
    at: i32
    for at in range(g.group_count):
        scan.groups[at] = 0
    for at in range(1, 2 * g.kinds + 1):
        if g.group[at] >= 0:
            scan.groups[g.group[at]] += scan.counts[at]
        if g.held_count and g.hand_group[at - 1] >= 0:
            scan.groups[g.hand_group[at - 1]] += board.hands[at - 1]
    for at in range(g.group_count):
        if scan.groups[at] > g.most[at]:
            return 0
    return 1


def _has_free_files(g: Grammar, board: Board) -> i32:
    """Whether no side has two of a kind on a file where that is forbidden."""
    square: i32
    below: i32
    for square in range(g.size):
        if not g.one_per_file[board.squares[square]]:
            continue
        below = square + g.width
        while below < g.size:
            if board.squares[below] == board.squares[square]:
                return 0
            below += g.width
    return 1


# --- writing ----------------------------------------------------------------------------------------


def put_text(g: Grammar, board: Board, scan: Scan) -> i32:
    """Write the canonical text into the line of a scan; its length."""
    return _put_fields(g, board, scan, 0, 1)


def put_identity(g: Grammar, board: Board, scan: Scan) -> i32:
    """Write what a key is made of: the name of the game and the fields but the clocks; its length."""
    at: i32
    for at in range(g.name_length):
        scan.line[at] = g.name[at]
    return _put_fields(g, board, scan, g.name_length, 0)


def _put_fields(g: Grammar, board: Board, scan: Scan, at: i32, clocks: i32) -> i32:
    number: i32
    kind: i32
    for number in range(g.field_count):
        kind = g.fields[number]
        if kind >= HALF and not clocks:
            continue
        if number:
            scan.line[at] = 32
            at += 1
        if kind == BOARD:
            at = _copy_board(scan, at) if scan.words else _put_board(g, board, scan, at)
        elif kind == SIDE:
            scan.line[at] = g.sides[scan.turn]
            at += 1
        elif kind == HANDS:
            at = put_hands(g, board, scan, at)
        elif kind == UNUSED:
            scan.line[at] = 45
            at += 1
        else:
            at = _put_number(scan, at, scan.half if kind == HALF else scan.full)
    return at


def _copy_board(scan: Scan, at: i32) -> i32:
    """The board as the text of the scan has it, which is canonical where it was taken."""
    start: i32 = scan.word_starts[0]
    size: i32 = scan.word_ends[0] - start
    i: i32
    for i in range(size):
        scan.line[at + i] = scan.text[start + i]
    return at + size


def _put_board(g: Grammar, board: Board, scan: Scan, at: i32) -> i32:
    square: i32
    man: i32
    empty: i32 = 0
    left: i32 = g.width
    for square in range(g.size):
        man = board.squares[square]
        left -= 1
        if man == 0:
            empty += 1
        else:
            if empty:
                at = _put_number(scan, at, empty)
                empty = 0
            at = _put_man(g, scan, at, man)
        if left == 0:
            if empty:
                at = _put_number(scan, at, empty)
                empty = 0
            scan.line[at] = 47
            at += 1
            left = g.width
    return at - 1


def _put_man(g: Grammar, scan: Scan, at: i32, man: i32) -> i32:
    if g.letters[2 * man]:
        scan.line[at] = g.letters[2 * man]
        at += 1
    scan.line[at] = g.letters[2 * man + 1]
    return at + 1


def put_hands(g: Grammar, board: Board, scan: Scan, at: i32) -> i32:
    """Write the men in hand; where the next character goes."""
    start: i32 = at
    side: i32
    number: i32
    place: i32
    for side in range(2):
        for number in range(g.held_count):
            place = side * g.kinds + g.held[number]
            if board.hands[place] > 1:
                at = _put_number(scan, at, board.hands[place])
            if board.hands[place]:
                at = _put_man(g, scan, at, place + 1)
    if at == start:
        scan.line[at] = 45
        at += 1
    return at


def _put_number(scan: Scan, at: i32, number: i32) -> i32:
    size: i32 = 1 if number < 10 else 2 if number < 100 else 3 if number < 1000 else 4
    end: i32 = at + size
    place: i32 = end
    while place > at:
        place -= 1
        scan.line[place] = 48 + number % 10
        number = number // 10
    return end
