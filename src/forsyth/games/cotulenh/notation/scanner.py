# cython: boundscheck=False, wraparound=False
"""CoTuLenh texts that are not plainly canonical, at full speed: the position, and what there is to say.

`scan_text` takes every text that the reader accepts, and of the others the first finding and how many there
are, without an object and without the lock: codes, places in characters, squares. What it notes is what `fen`
and `check_position` say in the same mode, in the same order; a property test holds that. Sentences and fixes
are the reader's alone.

It answers ASK, and the reader has to read, for: a deploy suffix, a stack with a blank in it, characters
beyond ASCII, a text without a slash or with ``_`` (a name or a wrapped text may be meant), more than
MAX_LENGTH characters, more than MOST_FINDINGS findings, and for a text that lenient mode mends. The
module runs as it is and compiles with Cython (`scanner.pxd` gives the C types).
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from forsyth import cython_shadow as cython

from forsyth.games.cotulenh.notation.kernel import Text
from forsyth.games.cotulenh.position import Position

if not cython.compiled:
    from typing import Final

    from forsyth.column import ASK, DEFAULT, LENIENT, NOTED, STRICT
    from forsyth.games.cotulenh.board import SQUARE_COUNT, i32, i64
    from forsyth.games.cotulenh.notation.fault_notes import judge_board, judge_clocks, report_commanders
    from forsyth.games.cotulenh.notation.kernel import (
        UNTRIED,
        Chars,
        Size,
        characters,
        clock,
        fill_board,
        is_ascii,
        length,
    )
    from forsyth.games.cotulenh.notation.notes import (
        EMPTY,
        EXTRA_FIELDS,
        FIELDS,
        MISSING_FIELDS,
        NO_COMMANDER,
        NO_SQUARE,
        WHITESPACE,
        Scan,
        clear,
        note,
        verdict_of,
    )
    from forsyth.games.cotulenh.notation.scan_board import take_board
    from forsyth.games.cotulenh.notation.scan_fields import (
        BLANK,
        PART_OF,
        has_shape,
        is_dash,
        is_number,
        is_suffix,
        split_words,
        take_fields,
        take_half,
        take_turn,
    )
    from forsyth.games.cotulenh.position import draft_position, seal_position
    from forsyth.games.cotulenh.rules.legality import is_sound

    MAX_LENGTH: Final = 1024


def scan_text(scan: Scan, s: Chars, n: Size, mode: i32, legality: bool) -> i32:
    """The verdict of `forsyth.column` on n characters; board and clocks are there unless ASK or REFUSED.

    With `legality` the findings about the position are noted too. Unless ``tail[5]`` is UNTRIED,
    `kernel.fill_board` has been asked for a board that begins the text.
    """
    scan.mode = mode
    scan.count = 0
    scan.errors = 0
    scan.mended = 0
    scan.lost = 0
    scan.readable = 0
    if n > MAX_LENGTH:
        return ASK
    _try_board(scan, s)
    if not split_words(scan, s, n):
        return ASK
    if scan.words == 0:
        note(scan, EMPTY, 0, n, NO_SQUARE)
        return verdict_of(scan)
    if not has_shape(scan, s):
        return ASK
    if scan.odd_start >= 0:
        note(scan, WHITESPACE, scan.odd_start, scan.odd_end, NO_SQUARE)
    if scan.words < 6:
        if mode != LENIENT:
            _read_some(scan, s)
            return verdict_of(scan)
        note(scan, MISSING_FIELDS, scan.last_end, scan.last_end, NO_SQUARE)
    elif is_suffix(scan, s):
        return ASK
    take_fields(scan, s)
    take_board(scan, s)
    if scan.words > 6:
        note(
            scan,
            EXTRA_FIELDS if mode == LENIENT else FIELDS,
            scan.word_starts[6],
            scan.last_end,
            NO_SQUARE,
        )
    if scan.errors:
        judge_board(scan, s)
        return verdict_of(scan)
    if scan.mended:
        return ASK
    if mode == LENIENT:
        report_commanders(scan, NO_COMMANDER)
    if not legality:
        return verdict_of(scan)
    judge_board(scan, s)
    if mode != STRICT and not judge_clocks(scan, s):
        return ASK
    return verdict_of(scan)


def _try_board(scan: Scan, s: Chars) -> None:
    """Have a board set down that is canonical or nearly so, also behind white space."""
    at: i32 = 0
    while PART_OF[s[at]] == BLANK:
        at += 1
    if scan.tail[5] == UNTRIED or at > 0:
        clear(scan)
        scan.tail[5] = fill_board(s, at, scan.units, scan.tail)
    scan.board_start = at
    # Where units stand that are to be judged, is known of canonical boards and of those that are walked.
    if scan.tail[5] >= 0 and scan.tail[6] + scan.tail[10] and not is_sound(scan.units):
        scan.tail[5] = -1


def _read_some(scan: Scan, s: Chars) -> None:
    """What there is of a text with too few fields, as far as it is plain which fields these are."""
    note(scan, FIELDS, scan.last_end, scan.last_end, NO_SQUARE)
    if scan.words > 1 and not is_dash(scan, s, 1) and not is_number(scan, s, 1):
        take_turn(scan, s)
    if scan.words == 5 and is_dash(scan, s, 2) and is_dash(scan, s, 3):
        take_half(scan, s)
    take_board(scan, s)
    judge_board(scan, s)


def accept(text: Text, lenient: bool) -> Position | None:
    """The position of a text that is accepted with warnings alone; None for every other text.

    In lenient mode a canonical text without a commander is one of them; what is mended there is not.
    """
    # Whatever is no text has no characters, and looking for them would end the process.
    if not isinstance(text, str) or not is_ascii(text):
        return None
    return _accepted(characters(text), length(text), LENIENT if lenient else DEFAULT)


def _accepted(s: Chars, n: Size, mode: i32) -> Position | None:
    square: i32
    half: i64
    full: i64
    scan: Scan = Scan()
    scan.tail[5] = UNTRIED
    if scan_text(scan, s, n, mode, False) != NOTED:
        return None
    position = draft_position()
    for square in range(SQUARE_COUNT):
        position.units[square] = scan.units[square]
    half = clock(s, scan.tail[1], scan.tail[2])
    full = clock(s, scan.tail[3], scan.tail[4])
    position.blue_to_move = scan.tail[0]
    position.half = half if half >= 0 else int(s[scan.tail[1] : scan.tail[2]])
    position.full = full if full >= 0 else int(s[scan.tail[3] : scan.tail[4]])
    return seal_position(position)
