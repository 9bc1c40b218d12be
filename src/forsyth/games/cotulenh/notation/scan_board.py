# cython: boundscheck=False, wraparound=False
"""The board of a CoTuLenh text rank by rank, with what there is to say of ranks and stacks.

What is noted is what `fields` says in words. The module runs as it is and compiles with Cython
(`scan_board.pxd` gives the C types).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

if not cython.compiled:
    from forsyth.column import LENIENT
    from forsyth.games.cotulenh.board import i32, u32
    from forsyth.games.cotulenh.notation.kernel import SINGLES, WRITTEN, Chars, marked_unit
    from forsyth.games.cotulenh.notation.notes import (
        ADJACENT_DIGITS,
        ALIAS,
        COUNT,
        LETTER,
        NO_SQUARE,
        PAREN_CLOSE,
        PAREN_NESTED,
        PAREN_OPEN,
        PIPE,
        PLUS_ALONE,
        PLUS_BEFORE_STACK,
        PLUS_DOUBLE,
        RANK_COUNT,
        RANK_LONG,
        RANK_SHORT,
        SHORT_RANK,
        STACK_COLOURS,
        STACK_DIGIT,
        STACK_DUPLICATE,
        STACK_EMPTY,
        STACK_MEMBERS,
        STACK_ORDER,
        STACK_SINGLE,
        Scan,
        clear,
        note,
    )
    from forsyth.games.cotulenh.stacks import BLUE_BIT, CARRIERS, HEROIC_SHIFT, TYPES


def take_board(scan: Scan, s: Chars) -> None:
    """The board of the first word, and what there is to say of it."""
    if scan.tail[5] < 0:
        clear(scan)
        _walk_board(scan, s)
        return
    scan.readable = 1
    _report_spelling(scan)


def _report_spelling(scan: Scan) -> None:
    """What `kernel.fill_board` found: digits in a row, then stacks; only the first finding needs a place."""
    code: i32 = STACK_SINGLE if scan.tail[14] else STACK_ORDER
    _: i32
    for _ in range(scan.tail[6]):
        note(scan, ADJACENT_DIGITS, scan.tail[7], scan.tail[8], scan.tail[9])
    for _ in range(scan.tail[10]):
        note(scan, code, scan.tail[11], scan.tail[12], scan.tail[13])


def find_unit(scan: Scan, s: Chars, square: i32) -> None:
    """Learn where the unit of a square stands in a canonical board."""
    at: i32 = scan.board_start
    rank: i32 = 121
    end: i32
    while rank > square:
        rank -= 11 if s[at] == 47 else 0
        at += 1
    end = at
    while end < scan.tail[5] and s[end] != 47:
        end += 1
    scan.rank = rank
    _quick_rank(scan, s, at, end)


def _walk_board(scan: Scan, s: Chars) -> None:
    start: i32 = scan.word_starts[0]
    end: i32 = scan.word_ends[0]
    at: i32 = start
    number: i32
    scan.stacks = 0
    scan.readable = 1 if scan.slashes == 11 else 0
    if scan.slashes != 11:
        if scan.slashes > 11:
            number = 0
            while number < 12:
                number += 1 if s[at] == 47 else 0
                at += 1
            at -= 1
        note(scan, RANK_COUNT, at, end, NO_SQUARE)
    for number in range(12):
        at = start
        while at < end and s[at] != 47:
            at += 1
        scan.rank = 11 * (11 - number)
        if not _quick_rank(scan, s, start, at):
            _rank(scan, s, start, at)
        start = at + 1
        if at == end:
            break
    _report_stacks(scan)


def _quick_rank(scan: Scan, s: Chars, at: i32, end: i32) -> i32:
    """Set down a rank about which there is nothing to say; 0 where there is, or may be."""
    square: i32 = scan.rank
    last: i32 = scan.rank + 11
    after: i32 = 0
    step: i32
    c: i32
    unit: u32
    while at < end:
        c = s[at]
        unit = SINGLES[c] | 1 << 24
        if 49 <= c <= 57:
            if after:
                return 0
            after = 1
            step = c - 48
            at += 1
            if step == 1 and at < end and 48 <= s[at] <= 49:
                step = 10 + s[at] - 48
                at += 1
            square += step
            continue
        if unit == 1 << 24:
            unit = marked_unit(s, at) if c == 40 or c == 43 else 0
        if unit == 0 or square >= last:
            return 0
        scan.units[square] = unit & 0xFFFFFF
        scan.starts[square] = at
        at += unit >> 24
        scan.ends[square] = at
        square += 1
        after = 0
    return 1 if square == last else 0


def _rank(scan: Scan, s: Chars, start: i32, end: i32) -> None:
    """Squares are counted as spec/cotulenh 13 says: a number adds its value, a piece outside parentheses and
    every stack one. A parenthesis without its partner leaves open which pieces are one stack.
    """
    stacks: i32 = scan.stacks
    at: i32 = start
    square: i32
    scan.squares = 0
    scan.depth = 0
    scan.plus = -1
    scan.broken = 0
    scan.odd = 0
    scan.adjacent = 0
    scan.excess = 0
    scan.letters = 0
    scan.digits_start = -1
    for square in range(scan.rank, scan.rank + 11):
        scan.units[square] = 0
    while at < end:
        if 48 <= s[at] <= 57:
            at = _digits(scan, s, at, end)
        else:
            _token(scan, s, at)
            at += 1
    if scan.depth:
        _rank_note(scan, PAREN_OPEN, scan.opened, scan.opened + 1)
        scan.odd += scan.letters
    _lone_plus(scan)
    if scan.squares - scan.excess > 11 or scan.squares + scan.odd < 11:
        _rank_note(scan, _length_code(scan), start, end)
    if scan.broken:
        scan.readable = 0
        scan.stacks = stacks
        for square in range(scan.rank, scan.rank + 11):
            scan.units[square] = 0


def _length_code(scan: Scan) -> i32:
    if scan.squares > 11:
        return RANK_LONG
    return SHORT_RANK if scan.mode == LENIENT and not scan.broken else RANK_SHORT


def _token(scan: Scan, s: Chars, at: i32) -> None:
    piece: u32 = SINGLES[s[at]]
    if scan.mode == LENIENT and (s[at] == 66 or s[at] == 98):
        _rank_note(scan, ALIAS, at, at + 1)
        piece = SINGLES[71 if s[at] == 66 else 103]
    if piece:
        _piece(scan, piece, at)
    elif s[at] == 43:
        if scan.plus >= 0:
            _rank_note(scan, PLUS_DOUBLE, scan.plus, at + 1)
        scan.plus = at
    elif s[at] == 40:
        _open(scan, at)
    elif s[at] == 41:
        _close(scan, at)
    elif s[at] == 124 and scan.depth and scan.mode == LENIENT:
        _rank_note(scan, PIPE, at, at + 1)
    else:
        scan.plus = -1
        scan.odd += 1 if scan.depth == 0 else 0
        _rank_note(scan, LETTER, at, at + 1)


def _rank_note(scan: Scan, code: i32, start: i32, end: i32) -> None:
    """A finding at the square that has been reached, as long as it is certain which one that is."""
    square: i32 = NO_SQUARE
    if scan.squares < 11 and not scan.broken:
        square = scan.rank + scan.squares
    if note(scan, code, start, end, square):
        scan.broken = 1


def _piece(scan: Scan, piece: u32, at: i32) -> None:
    square: i32 = scan.rank + scan.squares
    start: i32 = at
    if scan.plus >= 0:
        start = scan.plus
        piece |= (piece & TYPES) << HEROIC_SHIFT
        scan.plus = -1
    if scan.depth:
        _member(scan, piece)
        return
    if scan.squares < 11:
        scan.units[square] = piece
        scan.starts[square] = start
        scan.ends[square] = at + 1
    scan.squares += 1
    scan.adjacent += 1


def _member(scan: Scan, piece: u32) -> None:
    """One more piece of the stack."""
    place: i32 = WRITTEN[CARRIERS[piece & TYPES]]
    if scan.letters == 0:
        scan.pieces = piece & BLUE_BIT
        scan.colours = 0
        scan.commanders = 0
        scan.twice = 0
        scan.sorted = 1
        scan.last = -1
    scan.letters += 1
    scan.colours |= 2 if piece & BLUE_BIT else 1
    if piece & 1:
        scan.commanders |= 2 if piece & BLUE_BIT else 1
    scan.twice |= 1 if scan.pieces & piece & TYPES else 0
    scan.sorted &= 1 if place > scan.last else 0
    scan.last = place
    scan.pieces |= piece & (BLUE_BIT - 1)


def _digits(scan: Scan, s: Chars, at: i32, end: i32) -> i32:
    """A run of digits, and where it ends: ``1`` and another digit are one number, any other stands alone."""
    start: i32 = at
    first: i32
    value: i32
    total: i32 = 0
    numbers: i32 = 0
    sound: i32 = 1
    _lone_plus(scan)
    scan.adjacent = 0
    while at < end and 48 <= s[at] <= 57:
        at += 1
    end = at
    if scan.depth:
        scan.digits_start = start
        scan.digits_end = end
        scan.broken = 1
    at = start
    while at < end:
        first = at
        value = s[at] - 48
        at += 1
        if value == 1 and at < end:
            value = 10 + s[at] - 48
            at += 1
        total += value
        numbers += 1
        if value < 1 or value > 11:
            sound = 0
            _rank_note(scan, COUNT, first, at)
    if sound and numbers > 1 and scan.depth == 0:
        _rank_note(scan, ADJACENT_DIGITS, start, end)
    scan.squares += total
    return end


def _lone_plus(scan: Scan) -> None:
    plus: i32 = scan.plus
    if plus >= 0:
        scan.plus = -1
        _rank_note(scan, PLUS_ALONE, plus, plus + 1)


def _open(scan: Scan, at: i32) -> None:
    if scan.plus >= 0 and scan.mode == LENIENT and scan.depth == 0:
        _rank_note(scan, PLUS_BEFORE_STACK, scan.plus, at + 1)
    else:
        _lone_plus(scan)
    scan.depth += 1
    if scan.depth > 1:
        _rank_note(scan, PAREN_NESTED, at, at + 1)
        return
    scan.opened = at
    scan.letters = 0
    scan.digits_start = -1


def _close(scan: Scan, at: i32) -> None:
    _lone_plus(scan)
    if scan.depth == 0:
        _rank_note(scan, PAREN_CLOSE, at, at + 1)
        # The pieces before it may be one stack, and it may be a mistyped piece.
        scan.excess += scan.adjacent - 1 if scan.adjacent else 0
        scan.odd += 1
        scan.adjacent = 0
        return
    if scan.depth == 1:
        _end_stack(scan, at + 1)
        scan.adjacent = 0
    scan.depth -= 1
    scan.squares += 1


def _end_stack(scan: Scan, end: i32) -> None:
    square: i32 = scan.rank + scan.squares
    code: i32
    if scan.digits_start >= 0:
        _rank_note(scan, STACK_DIGIT, scan.digits_start, scan.digits_end)
    elif scan.letters == 0:
        _rank_note(scan, STACK_EMPTY, scan.opened, end)
    elif scan.squares < 11:
        code = _stack_code(scan)
        scan.units[square] = 0 if STACK_COLOURS <= code <= STACK_MEMBERS else scan.pieces
        scan.starts[square] = scan.opened
        scan.ends[square] = end
        if code >= 0:
            scan.stack_squares[scan.stacks] = square
            scan.stack_codes[scan.stacks] = code
            scan.stack_lost[scan.stacks] = scan.commanders
            scan.stacks += 1


def _stack_code(scan: Scan) -> i32:
    """What there is to say about the stack that ends here; −1 for nothing."""
    if scan.colours == 3:
        return STACK_COLOURS
    if scan.twice:
        return STACK_DUPLICATE
    if CARRIERS[scan.pieces & TYPES] < 0:
        return STACK_MEMBERS
    if scan.letters == 1:
        return STACK_SINGLE
    return -1 if scan.sorted else STACK_ORDER


def _report_stacks(scan: Scan) -> None:
    """The findings about stacks stand behind those about ranks."""
    place: i32
    square: i32
    code: i32
    for place in range(scan.stacks):
        square = scan.stack_squares[place]
        code = scan.stack_codes[place]
        note(scan, code, scan.starts[square], scan.ends[square], square)
        if STACK_COLOURS <= code <= STACK_MEMBERS:
            scan.lost |= scan.stack_lost[place]
